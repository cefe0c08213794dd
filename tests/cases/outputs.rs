//! Recorded outputs. An answer does not contain them: the service reports a configuration and does not run it. They are
//! recorded for cases about how the value of a variable behaves in an expression, so the expression in the answer is
//! evaluated here with the values that the pipeline has determined.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use libtest_mimic::Failed;
use overfold_cli::diag::Diagnostics;
use overfold_cli::eval::{FunctionSet, JsonStrings, Lineage, LogicRule, Roots, Scope, evaluate};
use overfold_cli::pipeline::{Report, run};
use overfold_cli::syntax::tree::Root;
use overfold_cli::syntax::{ExprAt, Forest};
use overfold_cli::value::Value;

use super::folder::Case;
use super::json::Json;
use super::module_suites::request;

/// Cases whose outputs depend on modules other than the requested one, which is the only one that the service reads.
pub(crate) const OTHER_MODULES: &[&str] = &["variables-0.11/map-passed-to-module"];

/// Returns the differences between the recorded outputs and the values of the expressions in the answer.
pub(crate) fn differences(case: &Case, answer: &Json) -> Result<Vec<String>, Failed> {
    let (Some(wanted), false) = (case.expected.find("outputs"), OTHER_MODULES.contains(&case.name.as_str())) else {
        return Ok(Vec::new());
    };
    let forest = Forest::default();
    let report = run(&forest, &case.file_set(), &request(case))?;
    let objects = answer.get("module").get("objects");
    let names = objects.properties().keys().filter_map(|address| address.strip_prefix("output."));
    let mut out = Vec::new();
    let mut found = BTreeMap::new();
    for name in names {
        let shown = objects.get(&format!("output.{name}")).get("attributes").get("value").get("expression");
        match value_of(&report, shown.text()) {
            Ok(value) => drop(found.insert(name.to_owned(), value)),
            Err(text) => out.push(format!("output {name}: {text}")),
        }
    }
    let found = Json::Object(found);
    if *wanted != found {
        out.push(format!("outputs\n      - {wanted}\n      + {found}"));
    }
    Ok(out)
}

fn value_of(report: &Report<'_>, expression: &str) -> Result<Json, String> {
    let forest = Forest::default();
    let mut out = Diagnostics::new();
    let id = forest.parse_detached_expression("output", Bytes::copy_from_slice(expression.as_bytes()), &mut out);
    let Some(Root::Expr(expr)) = forest.native(id).map(|tree| tree.root) else { return Err("no expression".into()) };
    let variables = report.variables.as_ref().ok_or("no values")?;
    let variables: Vec<(Arc<str>, Value)> =
        variables.list.iter().filter_map(|one| Some((one.name.clone(), one.value.clone()?))).collect();
    let roots = Roots::from_iter([("var".into(), Value::object(variables))]);
    // The functions that these expressions call exist in every version of the language, with the same meaning.
    let functions = FunctionSet::all(Lineage::Mainline);
    let scope = Scope {
        roots: Some(&roots),
        functions: Some(&functions),
        providers: None,
        assumes_functions: false,
        files: None,
        json: JsonStrings::Plain,
        logic: LogicRule::BothSides,
        plan_time: None,
        clock: None,
        absent: None,
    };
    let value = evaluate(&forest, ExprAt::Native(id, expr), &scope, &mut out);
    if let Some(problem) = out.iter().next() {
        return Err(format!("{}: {}", problem.summary, problem.detail));
    }
    let json = Json::parse(&value.to_json().map_err(|error| format!("{error:?}"))?)?;
    // The generation that recorded these prints every scalar as a string.
    Ok(match json {
        Json::Number(_) => Json::Text(json.to_string()),
        other => other,
    })
}

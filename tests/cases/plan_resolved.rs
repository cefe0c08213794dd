//! Puts values in place of expressions, and plans what comes out with the same variables: the plan has to be the same. Every
//! recorded plan and every generated tree is put through this in each form of the configuration that the tool loads; where
//! `terraform` is installed, it plans generated trees again as well. `OVERFOLD_PLAN_KEEP=folder` keeps the files of those that
//! differ.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use libtest_mimic::Failed;
use overfold_cli::config::FileRole;
use overfold_cli::output::{ConfigFormat, PlanAnswerOptions, config_only, plan_answer};
use overfold_cli::pipeline::{Request, run};
use overfold_cli::plan::PlanOptions;
use overfold_cli::syntax::Forest;

use super::folder::{Case, file_set, names, read};
use super::generated;
use super::json::Json;
use super::plan::{SUITES, TIMESTAMP, document, request};
use super::plan_trees;
use super::real_tool::{made_up_of, trial, version};
use super::runner::Trial;

/// The number of generated trees in every run; `OVERFOLD_RESOLVED_TREES=500` asks for more.
const TREES_ALWAYS: u64 = 60;

/// One of so many generated trees is planned by the real tool, too.
const EACH_FOR_THE_TOOL: usize = 5;

/// The forms that the tool loads.
const FORMS: [(&str, ConfigFormat); 3] =
    [("tf-json", ConfigFormat::TfJson), ("hcl", ConfigFormat::Hcl), ("files", ConfigFormat::Files)];

/// The parts of a plan that are not compared: the configuration is another one, and nothing of it depends on what has been
/// replaced.
const NOT_COMPARED: &[&str] = &["configuration", "relevant_attributes", "terraform_version"];

/// Totals for the last line of a run.
static REPLACED: AtomicUsize = AtomicUsize::new(0);
static PLANNED: AtomicUsize = AtomicUsize::new(0);

/// Describes in one sentence what was compared.
pub(crate) fn summary() -> String {
    let [planned, replaced] = [&PLANNED, &REPLACED].map(|count| count.load(Relaxed));
    format!("resolved: {planned} plans are the same with {replaced} expressions replaced by their values")
}

/// Adds one trial for each recorded plan and each generated tree, and each form.
pub(crate) fn add(trials: &mut Vec<Trial>) {
    let asked = std::env::var("OVERFOLD_RESOLVED_TREES").ok();
    let trees = asked.map_or(TREES_ALWAYS, |text| text.parse().expect("a number"));
    for (form, format) in FORMS {
        for suite in SUITES {
            for name in names(suite) {
                trials.push(Trial::test(format!("resolved/{form}/{suite}/{name}"), move || {
                    holds(&read(suite, &name), format)
                }));
            }
        }
        for seed in 0..trees {
            trials.push(Trial::test(format!("resolved/{form}/tree/{seed}"), move || holds(&tree(seed), format)));
        }
        for seed in (0..trees).step_by(EACH_FOR_THE_TOOL) {
            trials
                .push(trial(format!("real/resolved/{form}/{seed}"), false, move || same_for_the_tool(seed, format)));
        }
    }
}

fn tree(seed: u64) -> Case {
    made_up_of(format!("tree/{seed}"), generated::tree(seed), version())
}

/// A module with values in place of expressions.
struct Resolved {
    files: Vec<(String, Vec<u8>)>,
    replaced: usize,
}

/// Returns the files of a case with those of the root module replaced by what the form says, with or without values in place
/// of expressions.
fn written(case: &Case, format: ConfigFormat, is_resolved: bool) -> Result<Resolved, Failed> {
    let options = PlanOptions { timestamp: Some(TIMESTAMP.into()), ..PlanOptions::default() };
    let resolve = is_resolved.then(|| Arc::new(options));
    let request = Request { plan: None, resolve, ..request(case) };
    let forest = Forest::default();
    let report = run(&forest, &case.file_set(), &request)?;
    let text = String::from_utf8(config_only(&report, format))?;
    let below = |name: &str| if case.root().is_empty() { name.to_owned() } else { format!("{}/{name}", case.root()) };
    let is_read =
        |path: &str| {
            report.module.files.iter().any(|entry| {
                matches!(entry.role, FileRole::Primary | FileRole::Override) && below(&entry.name) == path
            })
        };
    let mut files: Vec<_> = case.files.iter().filter(|(path, _)| !is_read(path)).cloned().collect();
    match format {
        ConfigFormat::TfJson | ConfigFormat::Hcl2Json => files.push((below("resolved.tf.json"), text.into())),
        ConfigFormat::Hcl => files.push((below("resolved.tf"), text.into())),
        ConfigFormat::Files => {
            for (name, text) in Json::parse(&text)?.properties() {
                files.push((below(name), text.text().into()));
            }
        }
    }
    files.sort();
    Ok(Resolved { files, replaced: report.replacements.as_ref().map_or(0, Vec::len) })
}

/// A plan, with its findings as lines without places.
fn planned(case: &Case, files: &[(String, Vec<u8>)]) -> Result<(Vec<String>, Json), Failed> {
    let forest = Forest::default();
    let report = run(&forest, &file_set(files), &request(case))?;
    let bytes = plan_answer(&report, PlanAnswerOptions { plan: true, instances: false });
    let answer = Json::parse(std::str::from_utf8(&bytes)?)?;
    Ok((titles(answer.get("diagnostics").items()), without_types(answer.get("plan"))))
}

/// Returns severity and title of each error, sorted.
fn titles(diagnostics: &[Json]) -> Vec<String> {
    let mut titles: Vec<String> = diagnostics
        .iter()
        .filter(|found| found.get("severity").text() == "error")
        .map(|found| found.get("summary").text().to_owned())
        .collect();
    titles.sort();
    titles
}

/// Returns a document without the types of outputs: a list that is written out is a tuple.
fn without_types(document: &Json) -> Json {
    let mut document = document.clone();
    for way in [&["planned_values", "outputs"][..], &["prior_state", "values", "outputs"]] {
        let outputs = way.iter().try_fold(&mut document, |json, name| match json {
            Json::Object(members) => members.get_mut(*name),
            _ => None,
        });
        if let Some(Json::Object(outputs)) = outputs {
            for output in outputs.values_mut() {
                if let Json::Object(output) = output {
                    output.remove("type");
                }
            }
        }
    }
    document
}

fn holds(case: &Case, format: ConfigFormat) -> Result<(), Failed> {
    let (before_titles, before) = planned(case, &written(case, format, false)?.files)?;
    let Resolved { files, replaced } = written(case, format, true)?;
    let (after_titles, after) = planned(case, &files)?;
    let mut wrong = Vec::new();
    if before == Json::Null {
        // There is no plan; only the values of variables and locals replace expressions then.
        return Ok(());
    }
    if before_titles.is_empty() != after_titles.is_empty() && before.get("errored") != &Json::Bool(true) {
        wrong.push(format!("errors: - {before_titles:?} + {after_titles:?}"));
    }
    if before.get("errored") == &Json::Bool(true) || is_read_later(&before) {
        // What has its value no longer waits for anything.
        values_differ(&before, &after, &mut wrong);
    } else {
        document(&before, &after, NOT_COMPARED, &mut wrong);
    }
    if wrong.is_empty() {
        PLANNED.fetch_add(1, Relaxed);
        REPLACED.fetch_add(replaced, Relaxed);
        return Ok(());
    }
    if let Some(folder) = std::env::var_os("OVERFOLD_PLAN_KEEP") {
        let folder = std::path::Path::new(&folder).join(case.name.replace('/', "-"));
        super::real_tool::write(&folder.join("before"), &written(case, format, false)?.files)?;
        super::real_tool::write(&folder.join("after"), &files)?;
    }
    Err(described(&wrong, &files).into())
}

/// Whether a data source waits for a change, which may be no more than that it names what changes.
fn is_read_later(document: &Json) -> bool {
    let is_read = |change: &Json| change.get("change").get("actions").items().iter().any(|act| act.text() == "read");
    document.get("resource_changes").items().iter().any(is_read)
}

/// Compares the values of what is in both plans and wholly known in the first.
fn values_differ(before: &Json, after: &Json, out: &mut Vec<String>) {
    let is_known = |change: &Json| !change.get("after_unknown").to_string().contains("true");
    for (name, change) in before.get("output_changes").properties() {
        if let Some(now) = after.get("output_changes").find(name).filter(|_| is_known(change))
            && now.get("after") != change.get("after")
        {
            out.push(format!("output {name}: - {} + {}", change.get("after"), now.get("after")));
        }
    }
    for resource in before.get("resource_changes").items() {
        let address = resource.get("address");
        let all = after.get("resource_changes").items();
        let Some(now) = all.iter().find(|now| now.get("address") == address) else { continue };
        let (was, is) = (resource.get("change"), now.get("change"));
        for (name, value) in was.get("after").properties() {
            if was.get("after_unknown").find(name).is_none_or(|mask| !mask.to_string().contains("true"))
                && is.get("after").find(name) != Some(value)
            {
                out.push(format!("{address}/{name}: - {value} + {}", is.get("after").get(name)));
            }
        }
    }
}

fn described(wrong: &[String], files: &[(String, Vec<u8>)]) -> String {
    let mut text = wrong.join("\n    ");
    for (path, bytes) in files {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n---- {path}\n{}", String::from_utf8_lossy(bytes));
    }
    text
}

/// Checks that the tool plans a resolved tree as it plans the tree itself.
fn same_for_the_tool(seed: u64, format: ConfigFormat) -> Result<(), Failed> {
    let case = tree(seed);
    let Some(before) = plan_trees::of_tool(&written(&case, format, false)?.files)? else { return Ok(()) };
    if before.document == Json::Null {
        return Ok(());
    }
    let Resolved { files, .. } = written(&case, format, true)?;
    let Some(after) = plan_trees::of_tool(&files)? else {
        return Err(described(&["the tool does not load this".to_owned()], &files).into());
    };
    let mut wrong = Vec::new();
    // The comparison is written for plans of ours.
    let after = match without_types(&after.document) {
        Json::Object(mut members) => {
            members.insert("applyable".to_owned(), Json::Bool(false));
            Json::Object(members)
        }
        other => other,
    };
    let before = without_types(&before.document);
    if before.get("errored") == &Json::Bool(true) || is_read_later(&before) {
        values_differ(&before, &after, &mut wrong);
    } else {
        document(&before, &after, NOT_COMPARED, &mut wrong);
    }
    if wrong.is_empty() { Ok(()) } else { Err(described(&wrong, &files).into()) }
}

//! Compares values of input variables with the recorded ones.

use std::sync::Arc;

use overfold_cli::pipeline::{VariableArg, VariableInputs};

use super::folder::Case;
use super::json::Json;
use super::recorded::known_keys;

/// The suites whose cases request values.
pub(crate) const SUITES: [&str; 3] = ["variables", "expressions", "variables-0.11"];

/// Returns the values that a case gives to variables; `None` if neither its suite nor the case itself requests values.
pub(crate) fn inputs(case: &Case) -> Option<Arc<VariableInputs>> {
    let suite = case.name.split('/').next().unwrap();
    let asks = SUITES.contains(&suite) || ["args", "env"].iter().any(|key| case.asked.find(key).is_some());
    asks.then(|| VariableInputs { env: env(case), args: args(case) }.into())
}

fn env(case: &Case) -> Vec<(String, String)> {
    let Some(env) = case.asked.find("env") else { return Vec::new() };
    env.properties().iter().map(|(name, text)| (name.clone(), text.text().to_owned())).collect()
}

fn args(case: &Case) -> Vec<VariableArg> {
    let Some(args) = case.asked.find("args") else { return Vec::new() };
    args.items()
        .iter()
        .map(|arg| match arg.find("var") {
            Some(text) => VariableArg::Var(text.text().to_owned()),
            None => VariableArg::VarFile(arg.get("var_file").text().to_owned()),
        })
        .collect()
}

/// Returns the differences between the recorded values and the part `variables` of an answer.
pub(crate) fn differences(expected: &Json, got: &Json, out: &mut Vec<String>) {
    let names = |side: &Json| side.properties().keys().cloned().collect::<Vec<_>>();
    if names(expected) != names(got) {
        out.push(format!("names of values\n      - {:?}\n      + {:?}", names(expected), names(got)));
    }
    for (name, wanted) in expected.properties() {
        known_keys(&format!("value of {name}"), wanted, &["value", "type", "from", "sensitive"], out);
        let found = got.get(name);
        let ty = wanted.get("type");
        if ty != &kind_of(found.get("value_type"), ty) {
            out.push(format!("value of {name}: type\n      - {ty}\n      + {}", found.get("value_type")));
        }
        match (wanted.find("value"), found.find("value")) {
            (Some(wanted), Some(found)) if same(wanted, found, ty) => {}
            (wanted, found) => out.push(format!("value of {name}\n      - {wanted:?}\n      + {found:?}")),
        }
        let from = match found.get("from") {
            Json::Array(merged) => Json::Array(merged.iter().map(|from| Json::Text(from_text(from))).collect()),
            from => Json::Text(from_text(from)),
        };
        if *wanted.get("from") != from {
            out.push(format!("value of {name}: from\n      - {}\n      + {from}", wanted.get("from")));
        }
        if *found.get("state") != Json::Text("known".to_owned()) {
            out.push(format!("value of {name}: state\n      + {}", found.get("state")));
        }
        let sensitive = wanted.find("sensitive").unwrap_or(&Json::Bool(false));
        if found.get("sensitive") != sensitive {
            out.push(format!("value of {name}: sensitive\n      - {sensitive}\n      + {}", found.get("sensitive")));
        }
    }
}

/// Returns a type in the form in which it was recorded: one generation of the tool only says `list` or `map`.
fn kind_of(found: &Json, recorded: &Json) -> Json {
    match (recorded, found) {
        (Json::Text(_), Json::Array(parts)) => {
            let kind = match parts.first().unwrap().text() {
                "tuple" => "list",
                "object" => "map",
                other => other,
            };
            Json::Text(kind.to_owned())
        }
        _ => found.clone(),
    }
}

/// Returns `from` in the recorded form.
fn from_text(from: &Json) -> String {
    let index = || from.get("index").to_string();
    match from.get("kind").text() {
        "env" => format!("env {}", from.get("name").text()),
        "file" => format!("file {}", from.get("path").text()),
        "var" => format!("args[{}] var", index()),
        "var_file" => format!("args[{}] var_file {}", index(), from.get("path").text()),
        other => other.to_owned(),
    }
}

/// Compares two values of a type in cty's JSON form: sets are unordered.
pub(crate) fn same(a: &Json, b: &Json, ty: &Json) -> bool {
    let (Json::Array(parts), false) = (ty, *a == Json::Null) else { return a == b };
    let inner = parts.get(1).unwrap();
    match (parts.first().unwrap().text(), a, b) {
        ("list", Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b, inner))
        }
        ("set", Json::Array(a), Json::Array(b)) => {
            let mut rest: Vec<&Json> = b.iter().collect();
            a.len() == b.len()
                && a.iter().all(|a| match rest.iter().position(|b| same(a, b, inner)) {
                    Some(at) => {
                        rest.swap_remove(at);
                        true
                    }
                    None => false,
                })
        }
        ("tuple", Json::Array(a), Json::Array(b)) => {
            a.len() == b.len()
                && a.len() == inner.items().len()
                && a.iter().zip(b).zip(inner.items()).all(|((a, b), ty)| same(a, b, ty))
        }
        ("map", Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b, inner)))
        }
        ("object", Json::Object(a), Json::Object(b)) => {
            a.len() == b.len()
                && a.keys().eq(inner.properties().keys())
                && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b, inner.get(key))))
        }
        _ => false,
    }
}

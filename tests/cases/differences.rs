//! Properties that must hold for every comparison, checked on the recorded inputs.

use libtest_mimic::Failed;
use overfold_cli::output::Difference;
use overfold_cli::pipeline::run;
use overfold_cli::syntax::Forest;
use serde_json::Value;

use super::folder::{Case, file_set};
use super::module_suites::request;

/// Checks that comparing a module with itself finds nothing, and that comparing it with a copy that lacks its last file
/// finds the same, mirrored, in either direction.
pub(crate) fn hold(case: &Case) -> Result<(), Failed> {
    let itself = difference(case, &case.files, &case.files)?;
    let nothing = |name: &str| itself["diagnostics"][name].as_array().is_some_and(Vec::is_empty);
    if itself["different"] != false
        || itself["changes"].as_array().is_none_or(|changes| !changes.is_empty())
        || !nothing("appeared")
        || !nothing("vanished")
    {
        return Err(format!("a module differs from itself: {itself:#}").into());
    }
    let Some((_, fewer)) = case.files.split_last() else { return Ok(()) };
    let root = case.root();
    let has_root = |file: &(String, Vec<u8>)| root.is_empty() || file.0.starts_with(&format!("{root}/"));
    if !fewer.iter().any(has_root) {
        return Ok(());
    }
    let there = difference(case, &case.files, fewer)?;
    let back = difference(case, fewer, &case.files)?;
    if sorted(&there) != sorted(&mirrored(&back)) {
        return Err(format!("the way back is another one:\n{there:#}\n{back:#}").into());
    }
    Ok(())
}

/// Checks that the module of a case and the module in `files` have the same effect.
pub(crate) fn none_in_effect(case: &Case, files: &[(String, Vec<u8>)]) -> Result<(), Failed> {
    let found = difference(case, &case.files, files)?;
    if found["different"] == false {
        return Ok(());
    }
    Err(format!("the JSON form differs from the module: {:#}", found["changes"]).into())
}

fn difference(case: &Case, before: &[(String, Vec<u8>)], after: &[(String, Vec<u8>)]) -> Result<Value, Failed> {
    let (one, other) = (Forest::default(), Forest::default());
    let request = request(case);
    let before = run(&one, &file_set(before), &request)?;
    let after = run(&other, &file_set(after), &request)?;
    let difference = Difference::of(&before, &after);
    if difference.markdown([None, None]).chars().count() > overfold_cli::output::MAX_MARKDOWN {
        return Err("the comment is too long".into());
    }
    Ok(serde_json::from_slice(&difference.json())?)
}

/// Returns the same comparison with the sides swapped.
fn mirrored(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let exchanged = |name: &str| match name {
                "before" => "after".to_owned(),
                "after" => "before".to_owned(),
                "added" => "removed".to_owned(),
                "removed" => "added".to_owned(),
                "appeared" => "vanished".to_owned(),
                "vanished" => "appeared".to_owned(),
                name => name.to_owned(),
            };
            let member = |(name, value): (&String, &Value)| {
                let value = match value.as_str().filter(|_| name == "change") {
                    Some(act) => Value::from(exchanged(act)),
                    None => mirrored(value),
                };
                (exchanged(name), value)
            };
            Value::Object(members.iter().map(member).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(mirrored).collect()),
        value => value.clone(),
    }
}

/// Sorts all lists, whose order does not matter here.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), sorted(value))).collect())
        }
        Value::Array(items) => {
            let mut items: Vec<Value> = items.iter().map(sorted).collect();
            items.sort_by_key(Value::to_string);
            Value::Array(items)
        }
        value => value.clone(),
    }
}

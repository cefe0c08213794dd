//! Properties that must hold for every module, checked on the recorded inputs.

use libtest_mimic::Failed;
use overfold_cli::output::{AnswerOptions, Include, answer};
use overfold_cli::pipeline::run;
use overfold_cli::syntax::Forest;

use super::folder::{Case, file_set, names, read};
use super::generated;
use super::json::Json;
use super::module_suites::{EVERYTHING, in_process, request};
use super::real_tool::generated_case;
use super::runner::Trial;

/// Adds one trial for each case.
pub(crate) fn add(suite: &'static str, trials: &mut Vec<Trial>) {
    for name in names(suite) {
        trials.push(Trial::test(format!("properties/{suite}/{name}"), move || hold(&read(suite, &name))));
    }
}

/// Adds one trial for each case of a dialect whose `tf-json` form is only a view: the tool loads it, but block types
/// that only occur in JSON, and copies that are made again, come back differently.
pub(crate) fn add_views(suite: &'static str, trials: &mut Vec<Trial>) {
    for name in names(suite) {
        trials.push(Trial::test(format!("properties/{suite}/{name}"), move || hold_as_view(&read(suite, &name))));
    }
}

/// Adds one trial for each generated module.
pub(crate) fn add_generated(modules: u64, trials: &mut Vec<Trial>) {
    for seed in 0..modules {
        trials.push(Trial::test(format!("properties/loading/{seed}"), move || {
            hold(&generated_case("loading", seed, generated::loading(seed), "1.11.4"))
        }));
        trials.push(Trial::test(format!("properties/plan/{seed}"), move || {
            hold(&generated_case("plan", seed, generated::plannable(seed), "1.11.4"))
        }));
    }
}

fn hold(case: &Case) -> Result<(), Failed> {
    hold_as_view(case)?;
    the_json_form_reloads_to_the_same_module(case)
}

fn hold_as_view(case: &Case) -> Result<(), Failed> {
    same_request_same_bytes(case)?;
    order_of_files_changes_nothing(case)?;
    an_empty_override_file_changes_nothing(case)?;
    super::differences::hold(case)?;
    spans_lie_inside_their_files(case)
}

fn bytes(case: &Case, files: &[(String, Vec<u8>)], options: AnswerOptions) -> Result<Vec<u8>, Failed> {
    Ok(answer(&run(&Forest::default(), &file_set(files), &request(case))?, options))
}

fn same_request_same_bytes(case: &Case) -> Result<(), Failed> {
    same("the same request again", &bytes(case, &case.files, EVERYTHING)?, &bytes(case, &case.files, EVERYTHING)?)
}

fn order_of_files_changes_nothing(case: &Case) -> Result<(), Failed> {
    let backwards: Vec<_> = case.files.iter().rev().cloned().collect();
    same("files in another order", &bytes(case, &case.files, EVERYTHING)?, &bytes(case, &backwards, EVERYTHING)?)
}

fn an_empty_override_file_changes_nothing(case: &Case) -> Result<(), Failed> {
    let options = AnswerOptions { include: Include { files: false, ..EVERYTHING.include }, ..EVERYTHING };
    let folder = match case.root() {
        root if root.is_empty() => root,
        root => format!("{root}/"),
    };
    let mut more = case.files.clone();
    for name in ["0-nothing_override.tf", "zz-nothing_override.tf", "zz-nothing_override.tf.json"] {
        let content = if name.ends_with("json") { "{}" } else { "# nothing\n" };
        more.push((format!("{folder}{name}"), content.as_bytes().to_vec()));
    }
    let forest = Forest::default();
    let report = run(&forest, &file_set(&case.files), &request(case))?;
    if report.diagnostics.iter().any(|found| found.code.id == "load/no-configuration") {
        // The additional file would be configuration.
        return Ok(());
    }
    same("an empty override file", &bytes(case, &case.files, options)?, &bytes(case, &more, options)?)
}

fn same(what: &str, one: &[u8], other: &[u8]) -> Result<(), Failed> {
    if one == other {
        return Ok(());
    }
    let at = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let near = |bytes: &[u8]| {
        String::from_utf8_lossy(&bytes[at.saturating_sub(80).min(bytes.len())..(at + 80).min(bytes.len())])
            .into_owned()
    };
    Err(format!("{what} gives another answer, from byte {at} on:\n  {}\n  {}", near(one), near(other)).into())
}

/// Checks that every range of the answer is inside its file (an empty range is widened, so one byte past the end is
/// allowed).
fn spans_lie_inside_their_files(case: &Case) -> Result<(), Failed> {
    let root = case.root();
    let length = |name: &str| {
        let path = if root.is_empty() { name.to_owned() } else { format!("{root}/{name}") };
        case.files.iter().find(|(file, _)| *file == path).map(|(_, bytes)| bytes.len())
    };
    let mut wrong = Vec::new();
    walk(&in_process(case)?, &mut |value| {
        let (Some(name), Some(start), Some(end)) = (value.find("filename"), value.find("start"), value.find("end"))
        else {
            return;
        };
        let byte = |position: &Json| -> usize { position.get("byte").to_string().parse().unwrap_or(usize::MAX) };
        // Some findings are in no file, which a tool may show as a file without a name.
        if name.text().is_empty() && byte(start) == 0 && byte(end) == 1 && start.get("line").to_string() == "0" {
            return;
        }
        // Values from the command line and the environment are in no file either.
        if name.text().starts_with("<value for var.") {
            return;
        }
        // Positions inside a JSON string count decoded text, as the tool does; they never exceed the file.
        match length(name.text()) {
            Some(length) if byte(start) <= length && byte(end) <= length + 1 && byte(start) < byte(end) => {}
            _ => wrong.push(value.to_string()),
        }
    });
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

fn walk(value: &Json, see: &mut impl FnMut(&Json)) {
    see(value);
    match value {
        Json::Array(items) => items.iter().for_each(|item| walk(item, see)),
        Json::Object(properties) => properties.values().for_each(|item| walk(item, see)),
        _ => {}
    }
}

/// Cases whose JSON form inevitably has another meaning, and why.
const OTHERWISE: &[&str] = &[
    // The rules list the folder, which then contains `main.tf.json`.
    "expressions/fileset",
    // A rule depends on the default of an ephemeral variable, which no answer shows.
    "expressions/sensitive-and-ephemeral-variables",
];

/// Checks that the `tf-json` form of a module without errors, loaded as the only file of a module, yields a module
/// without errors whose own `tf-json` form is the same text.
fn the_json_form_reloads_to_the_same_module(case: &Case) -> Result<(), Failed> {
    let first = in_process(case)?;
    // A version that the tool accepts in two files and rejects in one is kept, with a warning.
    let kept = |one: &Json| one.get("code").text() == "load/version-without-registry";
    if OTHERWISE.contains(&case.name.as_str()) {
        return Ok(());
    }
    if first.get("valid") != &Json::Bool(true) || first.get("diagnostics").items().iter().any(kept) {
        return Ok(());
    }
    let options = AnswerOptions { include: Include { config: true, ..Include::default() }, ..EVERYTHING };
    let text = config_text(&bytes(case, &case.files, options)?);
    let again = request(case);
    // Files that are not configuration are kept: definitions files, and files that functions read.
    let prefix = if again.root.is_empty() { String::new() } else { format!("{}/", again.root) };
    let is_configuration =
        |name: &str| [".tf", ".tf.json", ".tofu", ".tofu.json"].iter().any(|suffix| name.ends_with(suffix));
    let mut files: Vec<_> = case.files.iter().filter(|(name, _)| !is_configuration(name)).cloned().collect();
    files.push((format!("{prefix}main.tf.json"), text.clone().into_bytes()));
    let reloaded = answer(&run(&Forest::default(), &file_set(&files), &again)?, options);
    let reloaded_text = config_text(&reloaded);
    if !String::from_utf8_lossy(&reloaded).starts_with("{\"valid\":true") {
        return Err(
            format!("the JSON form does not load:\n  {text}\n  {}", String::from_utf8_lossy(&reloaded)).into()
        );
    }
    same("the JSON form, loaded again,", text.as_bytes(), reloaded_text.as_bytes())?;
    super::differences::none_in_effect(case, &files)
}

/// Returns the bytes of the part `config`, which is between `"config":` and the end of the module.
pub(crate) fn config_text(answer: &[u8]) -> String {
    let text = std::str::from_utf8(answer).expect("an answer in UTF-8");
    let (_, after) = text.split_once("\"config\":").expect("the part config");
    let (config, _) = after.rsplit_once("},\"diagnostics\":").expect("the diagnostics");
    config.to_owned()
}

//! Suites whose cases are whole modules: each runs in process and again through the HTTP endpoint.

use libtest_mimic::{Failed, Trial};
use overfold::output::{AnswerOptions, ConfigFormat, Include, answer};
use overfold::pipeline::{Request, run};
use overfold::syntax::Forest;

use super::endpoint;
use super::folder::{Case, names, read};
use super::json::Json;
use super::recorded::differences;

/// Suites whose dialect is being built: they run when asked for (`--ignored`).
const BEING_BUILT: &[&str] = &[];

/// The documents whose examples and rules are cases, each named after what it is about.
pub(crate) const DOCUMENTS: [&str; 5] = [
    "documents/terraform-override-files",
    "documents/opentofu-override-files",
    "documents/sentinel-override-files",
    "documents/tflint-override-rules",
    "documents/variables-0.11-page",
];

/// Adds a trial per case and way in.
pub(crate) fn add(suite: &'static str, trials: &mut Vec<Trial>) {
    for case in names(suite) {
        let name = format!("{suite}/{case}");
        let again = case.clone();
        trials.push(
            Trial::test(format!("http/{name}"), move || check(&read(suite, &again), endpoint::ask))
                .with_ignored_flag(BEING_BUILT.contains(&suite)),
        );
        trials.push(
            Trial::test(name, move || check(&read(suite, &case), in_process))
                .with_ignored_flag(BEING_BUILT.contains(&suite)),
        );
    }
}

/// Everything that an answer can show.
pub(crate) const EVERYTHING: AnswerOptions = AnswerOptions {
    include: Include { config: true, objects: true, variables: true, files: true },
    config_format: ConfigFormat::TfJson,
};

/// The request of a case.
pub(crate) fn request(case: &Case) -> Request {
    Request {
        dialect: case.asked.get("dialect").text().to_owned(),
        version: case.asked.find("tool_version").map(|version| version.text().to_owned()),
        root: case.root(),
        config_file: case.asked.find("config_file").map(|name| name.text().to_owned()),
        variables: super::values::inputs(case),
        expand: case.asked.find("expand") == Some(&Json::Bool(true)),
        reveal_sensitive: true,
    }
}

/// The answer of the core, as its bytes say it.
pub(crate) fn in_process(case: &Case) -> Result<Json, Failed> {
    let forest = Forest::default();
    let report = run(&forest, &case.file_set(), &request(case))?;
    let bytes = answer(&report, EVERYTHING);
    Ok(Json::parse(std::str::from_utf8(&bytes)?)?)
}

fn check(case: &Case, ask: impl Fn(&Case) -> Result<Json, Failed>) -> Result<(), Failed> {
    let answer = ask(case)?;
    if case.expected.find("crash").is_some() {
        // The real tool of that version panics here; an orderly answer is all that can be asked for: it names the files that
        // were read, holds their objects, and every finding says what and where.
        let module = answer.get("module");
        let files = module.get("files").items();
        let orderly = answer.get("diagnostics").items().iter().all(|found| {
            ["severity", "code", "origin", "summary", "detail"].iter().all(|key| !found.get(key).text().is_empty())
        });
        let holds_something = module.get("objects").properties().iter().next().is_some();
        return match (files.is_empty(), holds_something, orderly) {
            (false, true, true) => Ok(()),
            state => Err(format!("no files, some objects, orderly: {state:?}").into()),
        };
    }
    let lines = differences(&case.expected, &answer);
    if lines.is_empty() {
        return Ok(());
    }
    let about = case.asked.find("about").map_or("", Json::text);
    Err(format!("{}: {about}\n    {}", case.name, lines.join("\n    ")).into())
}

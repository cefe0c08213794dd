//! Suites whose cases are whole modules: each case runs in process and again through the HTTP endpoint.

use std::sync::Arc;

use libtest_mimic::Failed;
use overfold_cli::output::{AnswerOptions, ConfigFormat, Include, answer};
use overfold_cli::pipeline::{ProviderChecks, Request, ToolStage, run};
use overfold_cli::schema::ProviderSchemas;
use overfold_cli::syntax::Forest;

use super::endpoint;
use super::folder::{Case, names, read};
use super::json::Json;
use super::recorded::differences;
use super::runner::Trial;

/// Suites whose dialect is under construction; they only run when requested (`--ignored`).
const IN_DEVELOPMENT: &[&str] = &[];

/// The documents whose examples and rules are cases, each named after its subject.
pub(crate) const DOCUMENTS: [&str; 5] = [
    "documents/terraform-override-files",
    "documents/opentofu-override-files",
    "documents/sentinel-override-files",
    "documents/tflint-override-rules",
    "documents/variables-0.11-page",
];

/// Adds one trial for each case and entry point.
pub(crate) fn add(suite: &'static str, trials: &mut Vec<Trial>) {
    for case in names(suite) {
        let name = format!("{suite}/{case}");
        let again = case.clone();
        trials.push(
            Trial::test(format!("http/{name}"), move || check_http(&read(suite, &again)))
                .with_ignored_flag(IN_DEVELOPMENT.contains(&suite)),
        );
        trials.push(
            Trial::test(name, move || {
                let case = read(suite, &case);
                check(&case, &in_process(&case)?)
            })
            .with_ignored_flag(IN_DEVELOPMENT.contains(&suite)),
        );
    }
}

/// Requests everything that an answer can contain.
pub(crate) const EVERYTHING: AnswerOptions = AnswerOptions {
    include: Include { config: true, objects: true, variables: true, files: true, overrides: true },
    config_format: ConfigFormat::TfJson,
};

/// Returns the request of a case, for what the tool reports when it loads the module.
pub(crate) fn request(case: &Case) -> Request {
    request_at(case, ToolStage::Load)
}

/// Returns the request of a case for a stage.
pub(crate) fn request_at(case: &Case, stage: ToolStage) -> Request {
    let schemas = case.provider_schemas().map(|text| ProviderSchemas::read(text).expect("readable schemas"));
    Request {
        version: case.asked.find("tool_version").map(|version| version.text().to_owned()),
        root: case.root(),
        config_file: case.asked.find("config_file").map(|name| name.text().to_owned()),
        variables: super::values::inputs(case),
        expand: case.asked.find("expand") == Some(&Json::Bool(true)),
        reveal_sensitive: true,
        stage,
        provider_schemas: schemas.map(Arc::new),
        provider_checks: match case.asked.find("provider_checks").map(Json::text) {
            Some("sdk") => ProviderChecks::Sdk,
            _ => ProviderChecks::None,
        },
        ..Request::new(case.asked.get("dialect").text())
    }
}

/// Returns the answer of the core, parsed from its bytes.
pub(crate) fn in_process(case: &Case) -> Result<Json, Failed> {
    in_process_at(case, ToolStage::Load)
}

/// Returns the answer of the core for a stage.
pub(crate) fn in_process_at(case: &Case, stage: ToolStage) -> Result<Json, Failed> {
    let forest = Forest::default();
    let report = run(&forest, &case.file_set(), &request_at(case, stage))?;
    let bytes = answer(&report, EVERYTHING);
    pointers_lead_somewhere(&bytes)?;
    Ok(Json::parse(std::str::from_utf8(&bytes)?)?)
}

/// Checks that every entry of `overrides` with a pointer points at something in `config`.
fn pointers_lead_somewhere(answer: &[u8]) -> Result<(), Failed> {
    let answer: serde_json::Value = serde_json::from_slice(answer)?;
    let module = &answer["module"];
    for entry in module["overrides"].as_array().into_iter().flatten() {
        if let Some(pointer) = entry["pointer"].as_str()
            && module["config"].pointer(pointer).is_none()
        {
            return Err(format!("{pointer} leads nowhere: {entry}").into());
        }
    }
    Ok(())
}

fn check(case: &Case, answer: &Json) -> Result<(), Failed> {
    if let Some(crash) = case.expected.find("crash") {
        // The real tool panics here in that version, so only a well-formed answer can be required: it names every file
        // that was read, contains their objects, and every finding has a title and a position.
        let module = answer.get("module");
        let count = module.get("files").items().len();
        let orderly = answer.get("diagnostics").items().iter().all(|found| {
            ["severity", "code", "origin", "summary", "detail"].iter().all(|key| !found.get(key).text().is_empty())
        });
        let holds_something = !module.get("objects").properties().is_empty();
        let alone = case.expected.properties().keys().all(|key| key == "crash" || key == "recorded_with");
        let state = (count == case.files.len(), holds_something, orderly, crash == &Json::Bool(true) && alone);
        return match state {
            (true, true, true, true) => Ok(()),
            _ => Err(format!("all files, some objects, orderly, nothing else recorded: {state:?}").into()),
        };
    }
    let mut lines = differences(&case.expected, answer);
    lines.extend(super::outputs::differences(case, answer)?);
    if lines.is_empty() {
        return Ok(());
    }
    let about = case.asked.find("about").map_or("", Json::text);
    Err(format!("{}: {about}\n    {}", case.name, lines.join("\n    ")).into())
}

/// Checks that the answer through the HTTP layer is that of the core, byte for byte in the parts that come from the
/// core.
fn check_http(case: &Case) -> Result<(), Failed> {
    let (through, core) = (endpoint::ask(case, ToolStage::Load)?, in_process(case)?);
    // The problem about a missing definitions file contains only the findings.
    let parts =
        if through.find("module").is_some() { &["valid", "module", "diagnostics"][..] } else { &["diagnostics"] };
    for &part in parts {
        let mut answered = through.get(part).clone();
        if let Json::Array(found) = &mut answered
            && part == "diagnostics"
        {
            // The core does not add the notes about the form of `config`.
            found.retain(|found| !found.get("code").text().starts_with("output/"));
        }
        if &answered != core.get(part) {
            return Err(format!("{part} differs:\n  {answered}\n  {}", core.get(part)).into());
        }
    }
    check(case, &through)
}

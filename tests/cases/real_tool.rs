//! Compares our results with the real tool, where `terraform` is installed: the same findings in generated and damaged
//! modules, the same plan from the forms `tf-json`, `hcl` and `files`. Every run includes 300 generated modules, four
//! edits of every recorded input (set `OVERFOLD_MUTANTS=30` for thirty) and some plans, which takes about a minute; the
//! rest is slow and only runs when requested: `cargo test --test cases -- --ignored`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use libtest_mimic::Failed;
use overfold_cli::output::{ConfigFormat, config_only};
use overfold_cli::pipeline::run;
use overfold_cli::syntax::Forest;

use super::folder::{Case, names, read};
use super::generated;
use super::json::Json;
use super::module_suites::{in_process, request};
use super::mutants;
use super::recorded::differences;
use super::runner::Trial;

/// Titles of later stages, most of which only report that nothing is installed here.
const LATER_STAGES: &[&str] = &[
    "Missing required provider",
    "Missing required provisioner plugin",
    "Module not installed",
    "Inconsistent dependency lock file",
    "Duplicate required provider",
];

/// The number of plans that are compared in every run; the others are compared on request.
const PLANS_ALWAYS: u64 = 30;

/// Adds one trial for each generated module: the installed tool must report the same findings for it, and plan the same
/// from its `tf-json` form.
pub(crate) fn add_generated(loading: u64, plans: u64, trials: &mut Vec<Trial>) {
    for seed in 0..loading {
        trials.push(trial(format!("real/loading/{seed}"), false, move || {
            same_findings(&generated_case("loading", seed, generated::loading(seed), version()))
        }));
    }
    for seed in 0..plans {
        trials.push(trial(format!("real/plan/{seed}"), seed >= PLANS_ALWAYS, move || {
            let case = generated_case("plan", seed, generated::plannable(seed), version());
            same_findings(&case)?;
            check(&case)
        }));
    }
}

/// Adds one trial for each recorded input with an edit: the installed tool must report the same findings.
pub(crate) fn add_mutants(suite: &str, each: u64, trials: &mut Vec<Trial>) {
    for (name, mut files) in mutants::of_suite(suite, each) {
        // A provider that is not installed stops the tool after loading.
        files.push(("zz_anchor.tf".to_owned(), b"resource \"absent_thing\" \"anchor\" {\n}\n".to_vec()));
        let case = made_up_of(name.clone(), files, version());
        trials.push(trial(format!("real/mutant/{name}"), false, move || same_findings(&case)));
    }
}

/// Returns a generated module as a case.
pub(crate) fn generated_case(kind: &str, seed: u64, files: Vec<(String, Vec<u8>)>, version: &str) -> Case {
    made_up_of(format!("{kind}/{seed}"), files, version)
}

pub(crate) fn made_up_of(name: String, files: Vec<(String, Vec<u8>)>, version: &str) -> Case {
    let asked = format!("{{\"dialect\":\"terraform\",\"tool_version\":\"{version}\",\"root\":\".\"}}");
    Case { name, asked: Json::parse(&asked).unwrap(), expected: Json::Null, files }
}

/// Checks that the validity of the module and every diagnostic are the same as the tool's.
fn same_findings(case: &Case) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    write(folder.path(), &case.files)?;
    let output = terraform(folder.path(), &["validate", "-json"])?;
    let found = Json::parse(std::str::from_utf8(&output.stdout)?.trim())?;
    let reported: Vec<Json> = found
        .get("diagnostics")
        .items()
        .iter()
        .filter(|diagnostic| !LATER_STAGES.contains(&diagnostic.get("summary").text()))
        .map(as_recorded)
        .collect();
    let valid = !reported.iter().any(|diagnostic| diagnostic.get("severity").text() == "error");
    let expected = Json::Object(BTreeMap::from([
        ("valid".to_owned(), Json::Bool(valid)),
        ("diagnostics".to_owned(), Json::Array(reported)),
    ]));
    let lines = differences(&expected, &without_later_stages(&in_process(case)?));
    if lines.is_empty() {
        return Ok(());
    }
    let mut text = lines.join("\n    ");
    for (name, bytes) in &case.files {
        write!(text, "\n---- {name}\n{}", String::from_utf8_lossy(bytes))?;
    }
    Err(text.into())
}

/// Returns the recorded parts of a diagnostic of the tool.
fn as_recorded(diagnostic: &Json) -> Json {
    let parts = ["severity", "summary", "range"].map(|key| (key.to_owned(), diagnostic.get(key).clone()));
    Json::Object(BTreeMap::from(parts))
}

/// Removes from the answer what is removed from the tool's result. If a provider is required twice, the tool picks one
/// at random.
fn without_later_stages(answer: &Json) -> Json {
    let Json::Object(properties) = answer else { return answer.clone() };
    let mut properties = properties.clone();
    if let Some(Json::Array(list)) = properties.get_mut("diagnostics") {
        list.retain(|diagnostic| !LATER_STAGES.contains(&diagnostic.get("summary").text()));
    }
    Json::Object(properties)
}

pub(crate) fn write(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Failed> {
    fs::create_dir_all(folder)?;
    for (path, bytes) in files {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().expect("a folder"))?;
        fs::write(file, bytes)?;
    }
    Ok(())
}

/// Cases whose results cannot be the same, and why.
const DIFFERENT: &[&str] = &[
    // Once an object is overridden, the tool overlooks arguments that its schema does not know; if it is written as one
    // block, they are reported again.
    "body-terraform-data-unknown-argument-hidden",
    // A version remains next to a local source, which the tool accepts in two files and rejects in one.
    "realistic-lambda-destroy-guard-lifted",
    // A folder without configuration has no plan; the file `{}` has an empty one.
    "files-no-config-files",
];

/// Adds one trial for each case that the installed tool can check.
pub(crate) fn add(suite: &'static str, trials: &mut Vec<Trial>) {
    for name in names(suite).into_iter().filter(|name| !DIFFERENT.contains(&name.as_str())) {
        let case = read(suite, &name);
        let fits = case.asked.get("dialect").text() == "terraform"
            && case.asked.find("tool_version").is_some_and(|asked| asked.text() == version())
            && case.expected.get("valid") == &Json::Bool(true);
        if fits {
            trials.push(trial(format!("real/{suite}/{name}"), true, move || check(&case)));
        }
    }
}

/// Totals for the last line of a run: trials that need the tool, how many of them ran, and comparisons of plans that
/// were impossible because the tool plans neither module.
static TRIALS: AtomicUsize = AtomicUsize::new(0);
static RAN: AtomicUsize = AtomicUsize::new(0);
static PLANS: AtomicUsize = AtomicUsize::new(0);
static WITHOUT_PLAN: AtomicUsize = AtomicUsize::new(0);

/// A trial that needs the tool: ignored if it is slow or the tool is absent; if it is requested without the tool, it
/// fails.
pub(crate) fn trial(name: String, slow: bool, run: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
    TRIALS.fetch_add(1, Relaxed);
    let guarded = move || {
        if installed().is_none() {
            return Err("no terraform on this machine".into());
        }
        RAN.fetch_add(1, Relaxed);
        run()
    };
    Trial::test(name, guarded).with_ignored_flag(slow || installed().is_none())
}

/// Describes in one sentence which of the trials that need the tool ran.
pub(crate) fn summary() -> String {
    let (all, ran) = (TRIALS.load(Relaxed), RAN.load(Relaxed));
    let tool =
        installed().map_or("no terraform is on this machine".to_owned(), |version| format!("terraform {version}"));
    format!(
        "trials against the real tool ({tool}): {ran} ran, {} did not; plans: {} compared, {} that the tool makes of \
         neither module; outputs: {} cases not compared, which rest on other modules",
        all - ran,
        PLANS.load(Relaxed),
        WITHOUT_PLAN.load(Relaxed),
        super::outputs::OTHER_MODULES.len(),
    )
}

/// The version of the installed tool; without one, the version that most cases were recorded with.
pub(crate) fn version() -> &'static str {
    installed().unwrap_or("1.11.4")
}

fn installed() -> Option<&'static str> {
    static FOUND: OnceLock<Option<String>> = OnceLock::new();
    FOUND.get_or_init(asked).as_deref()
}

fn asked() -> Option<String> {
    let output = Command::new("terraform").args(["version", "-json"]).env("CHECKPOINT_DISABLE", "1").output().ok()?;
    let json = Json::parse(std::str::from_utf8(&output.stdout).ok()?.trim()).ok()?;
    Some(json.find("terraform_version")?.text().to_owned())
}

pub(crate) fn check(case: &Case) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let before = folder.path().join("before");
    write(&before, &case.files)?;
    let wanted = errors(&before.join(case.root()))?;
    if case.expected == Json::Null && !wanted.is_empty() {
        // A generated module with errors: how the tool represents it is not specified.
        return Ok(());
    }
    let mut wanted_plan = None;
    for (form, files) in forms(case)? {
        let after = folder.path().join(form);
        write(&after, &files)?;
        let text = || -> String { files.iter().map(|(_, text)| String::from_utf8_lossy(text)).collect() };
        let found = errors(&after)?;
        if wanted != found {
            return Err(format!("errors {wanted:?} before, {found:?} after, for {form}\n  {}", text()).into());
        }
        let wanted_plan = wanted_plan.get_or_insert_with(|| plan(&before.join(case.root())));
        let found = plan(&after);
        if wanted_plan.is_none() && found.is_none() {
            WITHOUT_PLAN.fetch_add(1, Relaxed);
            // A generated module without errors needs nothing external.
            return if case.expected == Json::Null { Err("the tool makes no plan".into()) } else { Ok(()) };
        }
        PLANS.fetch_add(1, Relaxed);
        if *wanted_plan != found {
            return Err(format!("plans differ for {form}:\n  {wanted_plan:?}\n  {found:?}\n  {}", text()).into());
        }
    }
    Ok(())
}

/// The contents of files with their paths.
type Files = Vec<(String, Vec<u8>)>;

/// Returns the module in every form that the tool can load, each as the files of a separate folder.
fn forms(case: &Case) -> Result<Vec<(&'static str, Files)>, Failed> {
    let forest = Forest::default();
    let report = run(&forest, &case.file_set(), &request(case))?;
    let text = |form| config_only(&report, form);
    let files = Json::parse(std::str::from_utf8(&text(ConfigFormat::Files))?)?;
    let files = files.properties().iter().map(|(name, text)| (name.clone(), text.text().as_bytes().to_vec()));
    Ok(vec![
        ("tf-json", vec![("main.tf.json".to_owned(), text(ConfigFormat::TfJson))]),
        ("hcl", vec![("main.tf".to_owned(), text(ConfigFormat::Hcl))]),
        ("files", files.collect()),
    ])
}

pub(crate) fn terraform(folder: &Path, arguments: &[&str]) -> Result<std::process::Output, Failed> {
    Ok(Command::new("terraform")
        .args(arguments)
        .current_dir(folder)
        .env("CHECKPOINT_DISABLE", "1")
        .env("TF_IN_AUTOMATION", "1")
        .output()?)
}

/// Returns the titles of the errors that `validate` reports, with their numbers.
fn errors(folder: &Path) -> Result<BTreeMap<String, usize>, Failed> {
    let output = terraform(folder, &["validate", "-json"])?;
    let mut titles = BTreeMap::new();
    for diagnostic in Json::parse(std::str::from_utf8(&output.stdout)?.trim())?.get("diagnostics").items() {
        let title = diagnostic.get("summary").text();
        if diagnostic.get("severity").text() == "error" && !LATER_STAGES.contains(&title) {
            *titles.entry(title.to_owned()).or_default() += 1;
        }
    }
    Ok(titles)
}

/// Returns what the tool would do and output, and the provisioners of each resource in order, provided that the module
/// needs no external provider.
fn plan(folder: &Path) -> Option<(Json, Json, Vec<String>)> {
    let planned = terraform(folder, &["plan", "-input=false", "-refresh=false", "-lock=false", "-out=plan"]).ok()?;
    if !planned.status.success() {
        return None;
    }
    let shown = terraform(folder, &["show", "-json", "plan"]).ok()?;
    let json = Json::parse(std::str::from_utf8(&shown.stdout).ok()?.trim()).ok()?;
    let resources = json.get("configuration").get("root_module").get("resources");
    let provisioners = resources.items().iter().map(|resource| {
        let kinds: Vec<&str> =
            resource.get("provisioners").items().iter().map(|item| item.get("type").text()).collect();
        format!("{} {kinds:?}", resource.get("address").text())
    });
    Some((json.get("planned_values").clone(), json.get("output_changes").clone(), provisioners.collect()))
}

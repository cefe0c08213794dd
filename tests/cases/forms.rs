//! The forms of the merged configuration, checked on every recorded input: `tf-json`, `hcl` and `files` load again and
//! yield the same module; `files` of a module without override files is what was sent; and every form is a well-formed
//! text.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use libtest_mimic::Failed;
use overfold_cli::output::{AnswerOptions, ConfigFormat, Include, answer, config_only, form_notes};
use overfold_cli::pipeline::{Request, run};
use overfold_cli::syntax::Forest;

use super::folder::{Case, file_set, names, read};
use super::generated;
use super::json::Json;
use super::module_suites::{EVERYTHING, request};
use super::properties::config_text;
use super::real_tool::generated_case;
use super::runner::Trial;

/// The contents of files with their paths.
type Files = Vec<(String, Vec<u8>)>;

/// Cases with block types that no schema knows: JSON does not show which of the names are labels.
const UNKNOWN_LABELS: [&str; 1] = ["tflint/unknown-block-type"];

/// Totals for the last line of a run: modules whose forms were loaded again, and modules whose forms were not, by
/// reason.
static LOADED_AGAIN: AtomicUsize = AtomicUsize::new(0);
static WITH_ERRORS: AtomicUsize = AtomicUsize::new(0);
static REFUSED_IN_ONE: AtomicUsize = AtomicUsize::new(0);
static EXPANDED: AtomicUsize = AtomicUsize::new(0);

/// Describes what was loaded again, in one sentence.
pub(crate) fn summary() -> String {
    let [again, errors, refused, expanded] =
        [&LOADED_AGAIN, &WITH_ERRORS, &REFUSED_IN_ONE, &EXPANDED].map(|count| count.load(Relaxed));
    format!(
        "forms: {again} modules loaded again from each; not loaded again: {errors} with errors, \
         {refused} that the tool takes from two files alone, {expanded} expanded"
    )
}

/// Adds one trial for each case.
pub(crate) fn add(suite: &'static str, trials: &mut Vec<Trial>) {
    for name in names(suite) {
        trials.push(Trial::test(format!("forms/{suite}/{name}"), move || hold(&read(suite, &name))));
    }
}

/// Adds trials for generated modules.
pub(crate) fn add_generated(modules: u64, trials: &mut Vec<Trial>) {
    for seed in 0..modules {
        trials.push(Trial::test(format!("forms/loading/{seed}"), move || {
            hold(&generated_case("loading", seed, generated::loading(seed), "1.11.4"))
        }));
        trials.push(Trial::test(format!("forms/plan/{seed}"), move || {
            hold(&generated_case("plan", seed, generated::plannable(seed), "1.11.4"))
        }));
    }
}

/// The results of one run.
struct Ran {
    answer: Json,
    config: String,
    hcl: String,
    files: Json,
    /// Whether a form hides something.
    hides: bool,
}

fn ran(files: &[(String, Vec<u8>)], request: &Request) -> Result<Ran, Failed> {
    let forest = Forest::default();
    let report = run(&forest, &file_set(files), request)?;
    let text = |form| String::from_utf8(config_only(&report, form)).map_err(|_| Failed::from("not UTF-8"));
    let options =
        AnswerOptions { include: Include { config: true, files: true, ..Include::default() }, ..EVERYTHING };
    let bytes = answer(&report, options);
    Json::parse(&text(ConfigFormat::Hcl2Json)?)?;
    Ok(Ran {
        config: config_text(&bytes),
        answer: Json::parse(std::str::from_utf8(&bytes)?)?,
        hcl: text(ConfigFormat::Hcl)?,
        files: Json::parse(&text(ConfigFormat::Files)?)?,
        hides: form_notes(&report, ConfigFormat::Files).iter().any(|note| note.code.id == "output/value-hidden"),
    })
}

pub(crate) fn hold(case: &Case) -> Result<(), Failed> {
    let request = request(case);
    if request.expand {
        // Expansion makes copies that no configuration can express.
        EXPANDED.fetch_add(1, Relaxed);
        return Ok(());
    }
    let first = ran(&case.files, &request)?;
    let folder = if case.root().is_empty() { String::new() } else { format!("{}/", case.root()) };
    let listed = first.answer.get("module").get("files").items();
    let of_role = |role: &str| -> BTreeSet<String> {
        let those = listed.iter().filter(|file| file.get("role").text() == role);
        those.map(|file| file.get("path").text().to_owned()).collect()
    };
    let (primary, over, ignored) = (of_role("primary"), of_role("override"), of_role("ignored"));
    let sent = |name: &str| {
        let path = format!("{folder}{name}");
        case.files.iter().find(|(other, _)| *other == path).map(|(_, bytes)| bytes.clone()).unwrap_or_default()
    };
    if over.is_empty() {
        for (name, text) in first.files.properties() {
            let sent = sent(name);
            let same = match text.find("base64") {
                Some(_) => String::from_utf8(sent).is_err(),
                None => text.text().as_bytes() == sent || text.text().contains("redacted"),
            };
            if !same {
                return Err(format!("{name} is not what was sent:\n{}", text.text()).into());
            }
        }
    }
    let is_redacted = first.hides;
    if is_redacted {
        redacting_again_changes_nothing(&first, case, &request, &folder, &over)?;
    }
    // A version that the tool accepts in two files and rejects in one is kept, with a warning.
    let kept = |one: &Json| one.get("code").text() == "load/version-without-registry";
    if first.answer.get("diagnostics").items().iter().any(kept) {
        REFUSED_IN_ONE.fetch_add(1, Relaxed);
        return Ok(());
    }
    if first.answer.get("valid") != &Json::Bool(true) {
        // How the tool represents a module with errors is not specified.
        WITH_ERRORS.fetch_add(1, Relaxed);
        return Ok(());
    }
    let others: Files = case
        .files
        .iter()
        .filter(|(path, _)| {
            let name = path.strip_prefix(&folder).unwrap_or(path);
            // Some configuration files are only hidden by others.
            let hidden = ignored.contains(name)
                && [".tf", ".tofu"].iter().any(|end| name.trim_end_matches(".json").ends_with(end));
            !primary.contains(name) && !over.contains(name) && !hidden
        })
        .cloned()
        .collect();
    let mut request = request;
    if is_redacted {
        // A variable without its hidden default needs a value.
        request.variables = None;
    }
    let mut one_json = others.clone();
    let mut folded = others.clone();
    for (name, text) in first.files.properties() {
        folded.push((format!("{folder}{name}"), text.text().as_bytes().to_vec()));
    }
    let is_sentinel = request.dialect == "sentinel";
    let alone = if is_sentinel { "sentinel.hcl" } else { "main.tf" };
    let mut one = others;
    one.push((format!("{folder}{alone}"), first.hcl.clone().into_bytes()));
    if request.dialect != "terraform-0.11"
        && let Err(problem) = hcl::parse(&first.hcl)
    {
        let text = problem.to_string();
        // Something that the other parser does not support.
        if !text.contains("recursion") && !text.contains("already") && !text.contains("duplicate") {
            return Err(format!("hcl-rs does not read it: {text}\n{}", first.hcl).into());
        }
    }
    let exact = case.files.iter().all(|(path, _)| !path.ends_with(".json"));
    LOADED_AGAIN.fetch_add(1, Relaxed);
    if !UNKNOWN_LABELS.contains(&case.name.as_str()) {
        let name = if is_sentinel { "sentinel.json" } else { "main.tf.json" };
        one_json.push((format!("{folder}{name}"), first.config.clone().into_bytes()));
        again("tf-json", &first, &one_json, &request, true, &folder)?;
    }
    let files = again("files", &first, &folded, &request, exact, &folder)?;
    let hcl = again("hcl", &first, &one, &request, exact, &folder)?;
    if files != hcl {
        return Err(format!("files and hcl differ:\n{}\n{files}\n{hcl}", first.hcl).into());
    }
    Ok(())
}

/// Checks that each form, sent again, comes back as it is.
fn redacting_again_changes_nothing(
    first: &Ran,
    case: &Case,
    request: &Request,
    folder: &str,
    over: &BTreeSet<String>,
) -> Result<(), Failed> {
    let mut request = request.clone();
    request.variables = None;
    let written = first.files.properties();
    let unread = |path: &str| {
        let name = path.strip_prefix(folder).unwrap_or(path);
        !written.contains_key(name) && !over.contains(name)
    };
    let mut files: Files = case.files.iter().filter(|(path, _)| unread(path)).cloned().collect();
    for (name, text) in written {
        files.push((format!("{folder}{name}"), text.text().as_bytes().to_vec()));
    }
    let second = ran(&files, &request)?;
    if over.is_empty() && second.files != first.files {
        return Err(format!("redacted twice:\n{}\n{}", first.files, second.files).into());
    }
    if second.hides {
        return Err(format!("there is something left to hide:\n{}", first.files).into());
    }
    Ok(())
}

/// Returns a configuration without the comments about hidden arguments.
fn without_notes(config: &str) -> String {
    const START: &str = "\"//\":\"redacted: ";
    let mut rest = config;
    let mut text = String::new();
    while let Some((before, after)) = rest.split_once(START) {
        text.push_str(before);
        let after = after.split_once('"').map_or("", |(_, after)| after);
        rest = after.strip_prefix(',').unwrap_or(after);
    }
    text + rest
}

/// Checks that loading `files` yields the module of `first` again. Returns its configuration once that is in native
/// syntax throughout.
fn again(
    what: &str,
    first: &Ran,
    files: &[(String, Vec<u8>)],
    request: &Request,
    exact: bool,
    folder: &str,
) -> Result<String, Failed> {
    let own = || -> String {
        let texts = files.iter().filter(|(path, _)| path.starts_with(folder));
        texts
            .map(|(path, text)| format!("--- {path}\n{}", String::from_utf8_lossy(text)))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let mut request = request.clone();
    if request.config_file.is_some() {
        request.config_file = None;
    }
    let second = ran(files, &request).map_err(|failed| format!("{what}: {:?}\n{}", failed.message(), own()))?;
    if second.answer.get("valid") != &Json::Bool(true) {
        return Err(format!("{what} does not load:\n{}\n{}", own(), second.answer.get("diagnostics")).into());
    }
    let expected = if exact {
        without_notes(&first.config)
    } else {
        // JSON spells templates differently; writing it a second time must yield the same text.
        let mut only: Vec<(String, Vec<u8>)> = files.to_vec();
        only.retain(|(path, _)| !second.files.properties().contains_key(path.strip_prefix(folder).unwrap_or(path)));
        let name = if request.dialect == "sentinel" { "sentinel.hcl" } else { "main.tf" };
        only.push((format!("{folder}{name}"), second.hcl.clone().into_bytes()));
        let third = ran(&only, &request)?;
        if third.answer.get("valid") != &Json::Bool(true) {
            return Err(format!("{what} does not load a second time:\n{}", second.hcl).into());
        }
        if shape(&Json::parse(&first.config)?, 4) != shape(&Json::parse(&second.config)?, 4) {
            return Err(format!("{what} has another shape:\n{}\n{}\n{}", own(), first.config, second.config).into());
        }
        return Ok(third.config);
    };
    let got = without_notes(&second.config);
    if expected != got {
        let at = expected.bytes().zip(got.bytes()).take_while(|(a, b)| a == b).count();
        let near = |text: &str| {
            String::from_utf8_lossy(
                &text.as_bytes()[at.saturating_sub(60).min(text.len())..(at + 60).min(text.len())],
            )
            .into_owned()
        };
        return Err(format!(
            "{what} gives another configuration:\n{}\n  {}\n  {}",
            own(),
            near(&expected),
            near(&got)
        )
        .into());
    }
    Ok(second.config)
}

/// Returns block types, labels and argument names, down to `depth` levels of objects.
fn shape(json: &Json, depth: usize) -> String {
    match json {
        _ if depth == 0 => String::new(),
        Json::Object(properties) => {
            let properties = properties.iter().filter(|(name, _)| *name != "//");
            let level = |name: &str| match name {
                "locals" | "terraform" => depth.min(2),
                "variable" | "output" | "module" | "provider" => depth.min(3),
                _ => depth,
            };
            let parts = properties.map(|(name, value)| format!("{name}({})", shape(value, level(name) - 1)));
            parts.collect::<Vec<_>>().concat()
        }
        Json::Array(items) => items.iter().map(|item| shape(item, depth)).collect(),
        _ => String::new(),
    }
}

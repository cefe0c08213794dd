//! Compares what each recorded version of a tool does with a module with the ranges reported by a comparison of all
//! versions.

use libtest_mimic::Failed;
use overfold_cli::compatibility::{self, Verdict};
use overfold_cli::engine::{Context, Input, PreparedRequest};
use overfold_cli::syntax::SyntaxLimits;

use super::folder::{Case, names, read};
use super::json::Json;
use super::module_suites::request;
use super::runner::Trial;

/// The titles of errors about an unmet constraint on the tool's own version; the comparison leaves these out.
const OWN_VERSION: &[&str] =
    &["Unsupported Terraform Core version", "Unsupported OpenTofu Core version", "Incompatible module"];

/// Adds one trial for each case of a suite whose cases are modules read by one version of a tool.
pub(crate) fn add(suite: &'static str, trials: &mut Vec<Trial>) {
    for case in names(suite) {
        let name = format!("compatibility/{suite}/{case}");
        trials.push(Trial::test(name, move || check(&read(suite, &case))));
    }
}

fn check(case: &Case) -> Result<(), Failed> {
    // The real tool panics in that version; what it would have reported is not recorded.
    if case.expected.find("crash").is_some() {
        return Ok(());
    }
    let recorded = case.expected.get("diagnostics").items();
    let of_version = |found: &&Json| OWN_VERSION.contains(&found.get("summary").text());
    let errors = || recorded.iter().filter(|found| found.get("severity").text() == "error");
    // An unmet version constraint hides all other findings.
    let hidden = errors().any(|found| of_version(&found));
    if hidden {
        return Ok(());
    }
    let loads = errors().next().is_none();
    let dialect = case.asked.get("dialect").text();
    let version = case.asked.get("tool_version").text();
    let (files, prepared) = (case.file_set(), PreparedRequest::from(request(case)));
    let input = Input { files: &files, prepared: &prepared, root: &prepared.request.root };
    let limits = SyntaxLimits::default();
    let mut context = Context { limits, observer: &mut (), is_complete: false, with_findings: false };
    let compared = compatibility::compare(input, &mut context)?;
    let known = overfold_cli::dialect::versions(dialect).expect("a dialect").0;
    let place = |text: &str| known.iter().position(|known| known == text).expect("a known release");
    let tool = compared.tools.iter().find(|tool| tool.dialect == dialect).expect("the tool is compared");
    let ranges: Vec<_> = tool
        .ranges
        .iter()
        .filter(|range| (place(&range.releases.from)..=place(&range.releases.to)).contains(&place(version)))
        .collect();
    let [range] = &*ranges else { return Err(format!("{version} is in {} ranges", ranges.len()).into()) };
    let text = String::from_utf8(compatibility::json(&compared))?;
    let answer = Json::parse(&text)?;
    let now = in_effect(tool_of(&answer, dialect), &|release| place(release) <= place(version))?;
    // What is found only after loading is not recorded.
    let later = |found: &&&Json| found.get("origin").text() != "tool";
    let loads = loads && !now.iter().filter(later).any(|found| found.get("severity").text() == "error");
    if (range.verdict == Verdict::Loads) != loads {
        return Err(format!("{dialect} {version} loads it: {loads}; answered: {range:?}").into());
    }
    if compared.loads != loads {
        return Err(format!("the asked version loads it: {loads}, answered otherwise").into());
    }
    let mut wanted: Vec<String> = recorded.iter().map(key).collect();
    let mut now: Vec<String> = now.iter().filter(|found| !later(found)).map(|found| key(found)).collect();
    wanted.sort();
    now.sort();
    if now == wanted { Ok(()) } else { Err(format!("recorded {wanted:#?}\nfollowed {now:#?}").into()) }
}

fn tool_of<'j>(answer: &'j Json, dialect: &str) -> &'j Json {
    answer.get("tools").items().iter().find(|tool| tool.get("dialect").text() == dialect).expect("the tool")
}

/// What identifies a finding here: its severity and its range.
fn key(found: &Json) -> String {
    let range = found.find("range").map_or_else(String::new, ToString::to_string);
    format!("{} {}", found.get("severity").text(), if range == "null" { "" } else { &*range })
}

/// Returns the findings of the oldest release, adjusted by what appears and vanishes up to the recorded release.
fn in_effect<'j>(tool: &'j Json, reached: &dyn Fn(&str) -> bool) -> Result<Vec<&'j Json>, Failed> {
    let same = |a: &Json, b: &Json| key(a) == key(b) && a.get("code").text() == b.get("code").text();
    let mut now: Vec<&Json> = tool.get("diagnostics").items().iter().collect();
    for boundary in tool.get("boundaries").items().iter().filter(|boundary| reached(boundary.get("at").text())) {
        for found in boundary.get("vanish").items() {
            let at = now.iter().position(|other| same(other, found));
            now.remove(at.ok_or_else(|| format!("{} vanishes and was not there", key(found)))?);
        }
        now.extend(boundary.get("appear").items());
    }
    Ok(now)
}

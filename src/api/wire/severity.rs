//! The option `severities`: which findings are shown with another severity than their own, or not at all.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::api::http::error::{ApiError, Kind};
use crate::api::wire::json::push_key;
use crate::api::wire::v1::{Level, SeverityRule};
use crate::codes;
use overfold_base::diag::{self, Severities};
use overfold_base::echo::short;
use overfold_base::nearest::{did_you_mean, nearest};

/// The maximum length of a name in a pointer, in bytes.
const MAX_POINTER: usize = 128;

/// What follows the stage in the name of all its codes.
const ALL_OF_STAGE: &str = "/*";

/// Other words for a level that people use.
const SYNONYMS: &[(&str, Level)] = &[
    ("err", Level::Error),
    ("fail", Level::Error),
    ("failure", Level::Error),
    ("warn", Level::Warning),
    ("note", Level::Info),
    ("notice", Level::Info),
    ("hint", Level::Info),
    ("none", Level::Off),
    ("ignore", Level::Off),
    ("never", Level::Off),
    ("silent", Level::Off),
    ("disable", Level::Off),
    ("disabled", Level::Off),
    ("false", Level::Off),
];

/// Resolves the rules to severities by code. A rule for a code takes precedence over one for its stage; of several
/// rules for the same name, the last one counts.
///
/// # Errors
/// 400 for a code, a stage or a level that does not exist, or too many rules.
pub(crate) fn severities(rules: &[SeverityRule]) -> Result<Arc<Severities>, ApiError> {
    if rules.len() > SeverityRule::MOST {
        let most = SeverityRule::MOST;
        return Err(refused(format!(
            "severities has more than {most} entries; stage/* stands for all codes of a stage"
        ))
        .at("/severities"));
    }
    let mut by_stage: BTreeMap<&str, Level> = BTreeMap::new();
    let mut by_code: BTreeMap<&str, Level> = BTreeMap::new();
    for rule in rules {
        let level = level(rule)?;
        match rule.code.strip_suffix(ALL_OF_STAGE) {
            Some(stage) if stages().any(|known| known == stage) => by_stage.insert(stage, level),
            None if codes::find(&rule.code).is_some() => by_code.insert(&rule.code, level),
            _ => return Err(unknown_code(rule)),
        };
    }
    let changed = codes::all().filter_map(|code| {
        let level = by_code.get(code.id).or_else(|| by_stage.get(stage_of(code.id)))?;
        Some((code.id, severity(*level)))
    });
    Ok(Arc::new(Severities::new(changed)))
}

/// Returns the code that a person most likely means by a text that is none: one of that name in any stage, otherwise
/// the most similar one.
pub(crate) fn similar_code(text: &str) -> Option<&'static str> {
    let codes = || codes::all().map(|code| code.id);
    let lower = text.to_ascii_lowercase().replace(['_', ' '], "-");
    if let Some(same) = codes().find(|code| *code == lower) {
        return Some(same);
    }
    let (stage, problem) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let mut namesakes = codes().filter(|code| name_of(code) == problem);
    // With a stage, another stage may be meant; without one, only a single code is certain.
    if let (Some(one), None) = (namesakes.next(), namesakes.next()) {
        return Some(one);
    }
    if let Some(code) = nearest(&lower, codes()) {
        return Some(code);
    }
    let of_stage = || codes().filter(|code| stage.is_empty() || stage_of(code) == stage);
    let name = nearest(problem, of_stage().map(name_of))?;
    let mut found = of_stage().filter(|code| name_of(code) == name);
    found.next().filter(|_| found.next().is_none())
}

fn unknown_code(rule: &SeverityRule) -> ApiError {
    let text = &*rule.code;
    let like = match text.strip_suffix(ALL_OF_STAGE) {
        Some(stage) => nearest(&stage.to_ascii_lowercase(), stages()).map(|stage| format!("{stage}{ALL_OF_STAGE}")),
        None => match stages().find(|stage| *stage == text.trim_end_matches(['/', '*'])) {
            Some(stage) => Some(format!("{stage}{ALL_OF_STAGE}")),
            None => similar_code(text).map(str::to_owned),
        },
    };
    let hint = did_you_mean(like.as_deref());
    let what = if text.ends_with('*') { "stands for no codes" } else { "is not the code of a diagnostic" };
    let places = "`GET /v1/diagnostics` and `overfold explain` list the codes";
    refused(format!("severities: {:?} {what}.{hint} {places}", short(text))).at(pointer(rule))
}

fn level(rule: &SeverityRule) -> Result<Level, ApiError> {
    let text = &*rule.level;
    if let Some((_, level)) = Level::NAMES.iter().find(|(name, _)| *name == text) {
        return Ok(*level);
    }
    let lower = text.to_ascii_lowercase();
    let synonym = SYNONYMS.iter().find(|(word, _)| *word == lower).map(|(_, level)| level.name());
    let like = synonym.or_else(|| nearest(&lower, Level::NAMES.iter().map(|(name, _)| *name)));
    let like = like.or_else(|| Level::NAMES.iter().map(|(name, _)| *name).find(|name| *name == lower));
    let known: Vec<_> = Level::NAMES.iter().map(|(name, _)| *name).collect();
    let (known, hint) = (known.join(", "), did_you_mean(like));
    let detail = format!(
        "severities: the level of {:?} is {:?} but must be one of: {known}.{hint}",
        short(&rule.code),
        short(text)
    );
    Err(refused(detail).at(pointer(rule)))
}

fn refused(detail: String) -> ApiError {
    ApiError::new(Kind::BadSeverity, detail)
}

fn pointer(rule: &SeverityRule) -> String {
    let mut pointer = "/severities".to_owned();
    // Of a longer name, only the start has been kept.
    if rule.code.len() <= MAX_POINTER {
        push_key(&mut pointer, &rule.code);
    }
    pointer
}

const fn severity(level: Level) -> Option<diag::Severity> {
    match level {
        Level::Error => Some(diag::Severity::Error),
        Level::Warning => Some(diag::Severity::Warning),
        Level::Info => Some(diag::Severity::Info),
        Level::Off => None,
    }
}

/// Iterates over the stages of all codes; one may come several times.
fn stages() -> impl Iterator<Item = &'static str> {
    codes::all().map(|code| stage_of(code.id))
}

fn stage_of(code: &str) -> &str {
    code.split_once('/').map_or(code, |(stage, _)| stage)
}

fn name_of(code: &str) -> &str {
    code.split_once('/').map_or(code, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rules: &[(&str, &str)]) -> Result<Vec<(&'static str, Option<diag::Severity>)>, String> {
        let rules: Vec<_> = rules.iter().map(|(code, level)| SeverityRule::new(code, level)).collect();
        severities(&rules).map(|found| found.iter().collect()).map_err(|problem| problem.detail.into_owned())
    }

    #[test]
    fn a_code_takes_precedence_over_its_stage_in_any_order() {
        let [code, stage] = [("override/content-lost", "error"), ("override/*", "off")];
        for rules in [[code, stage], [stage, code]] {
            let found = of(&rules).unwrap();
            let stages = found.iter().filter(|(id, _)| !id.starts_with("override/")).count();
            assert_eq!((stages, found.len() > 10), (0, true));
            for (id, severity) in found {
                let expected = (id == "override/content-lost").then_some(diag::Severity::Error);
                assert_eq!(severity, expected, "{id}");
            }
        }
        let last = of(&[("override/content-lost", "off"), ("override/content-lost", "info")]);
        assert_eq!(last.unwrap(), [("override/content-lost", Some(diag::Severity::Info))]);
    }

    #[test]
    fn unknown_names_are_refused_with_a_suggestion() {
        for (code, level, like) in [
            ("content-lost", "error", Some("override/content-lost")),
            ("override/content-lots", "error", Some("override/content-lost")),
            ("Override/Content_Lost", "error", Some("override/content-lost")),
            ("load/content-lost", "error", Some("override/content-lost")),
            ("overide/*", "error", Some("override/*")),
            ("override", "error", Some("override/*")),
            ("override/", "error", Some("override/*")),
            ("override*", "error", Some("override/*")),
            ("override/content-lost", "warn", Some("warning")),
            ("override/content-lost", "Error", Some("error")),
            ("override/content-lost", "none", Some("off")),
            ("override/content-lost", "infos", Some("info")),
            ("override/content-lost", "", None),
            ("*", "off", None),
            ("", "off", None),
            ("/*", "off", None),
            ("override/con*", "off", None),
        ] {
            let problem = of(&[(code, level)]).unwrap_err();
            let said = like.map(|like| format!("Did you mean {like:?}?"));
            assert!(said.as_ref().map_or(!problem.contains("Did you"), |said| problem.contains(said)), "{problem}");
        }
    }
}

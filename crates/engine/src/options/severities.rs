//! The option `severities`: which findings are shown with another severity than their own, or not at all.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use super::Level;
use super::bounded::Text;
use crate::codes;
use crate::json::push_key;
use crate::refusal::{Refusal, RefusalKind};
use overfold_base::choice::{Choice as _, likely};
use overfold_base::diag::{self, Severities};
use overfold_base::echo::{self, short};
use overfold_base::nearest::{did_you_mean, nearest};

/// One entry of `severities`, as written; neither of the names has been checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeverityRule {
    /// A code, or a stage followed by `/*`.
    pub(crate) code: Box<str>,
    /// The name of a level.
    pub(crate) level: Box<str>,
}

impl SeverityRule {
    /// The most entries that a request may have; there are fewer codes.
    pub(crate) const MOST: usize = 1000;

    /// The number of bytes that are kept of a name; no code has so many.
    const MAX_NAME: usize = 256;

    /// Takes an entry. Of a name that is too long to exist, only the start is kept.
    pub(crate) fn new(code: &str, level: &str) -> Self {
        let kept = |text: &str| echo::beginning(text, Self::MAX_NAME).into();
        Self { code: kept(code), level: kept(level) }
    }
}

impl std::str::FromStr for SeverityRule {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (code, level) =
            text.split_once('=').ok_or("it must be CODE=LEVEL, such as override/content-lost=error")?;
        Ok(Self::new(code.trim(), level.trim()))
    }
}

/// Like [`severity_rules`], but for a member that may be missing.
pub(super) fn present_rules<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<SeverityRule>>, D::Error> {
    severity_rules(deserializer).map(Some)
}

/// Reads the entries of `severities` from an object; a repeated name is an error. At most [`SeverityRule::MOST`] plus
/// one are kept.
pub(crate) fn severity_rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<SeverityRule>, D::Error> {
    type Name = Text<{ SeverityRule::MAX_NAME }>;
    struct Rules;
    impl<'de> Visitor<'de> for Rules {
        type Value = Vec<SeverityRule>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of severities by code")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<SeverityRule>, A::Error> {
            let mut rules = BTreeMap::new();
            while let Some(Text(code)) = map.next_key::<Name>()? {
                if rules.contains_key(&code) {
                    return Err(A::Error::custom(format_args!("duplicate key {:?}", short(&code))));
                }
                if rules.len() > SeverityRule::MOST {
                    map.next_value::<IgnoredAny>()?;
                } else {
                    let Text(level) = map.next_value::<Name>()?;
                    rules.insert(code, level);
                }
            }
            Ok(rules
                .into_iter()
                .map(|(code, level)| SeverityRule { code: code.into(), level: level.into() })
                .collect())
        }
    }
    deserializer.deserialize_map(Rules)
}

/// The maximum length of a name in a pointer, in bytes.
const MAX_POINTER: usize = 128;

/// What follows the stage in the name of all its codes.
const ALL_OF_STAGE: &str = "/*";

/// Resolves the rules to severities by code. A rule for a code takes precedence over one for its stage; of several
/// rules for the same name, the last one counts.
///
/// # Errors
/// Refuses a code, a stage or a level that does not exist, and too many rules.
pub(crate) fn severities(rules: &[SeverityRule]) -> Result<Arc<Severities>, Refusal> {
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
pub fn similar_code(text: &str) -> Option<&'static str> {
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

fn unknown_code(rule: &SeverityRule) -> Refusal {
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

fn level(rule: &SeverityRule) -> Result<Level, Refusal> {
    Level::with_name(&rule.level).ok_or_else(|| {
        let (known, hint) = (Level::listed(), did_you_mean(likely::<Level>(&rule.level)));
        let (code, level) = (short(&rule.code), short(&rule.level));
        let detail = format!("severities: the level of {code:?} is {level:?} but must be one of: {known}.{hint}");
        refused(detail).at(pointer(rule))
    })
}

fn refused(detail: String) -> Refusal {
    Refusal::new(RefusalKind::BadSeverity, detail)
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

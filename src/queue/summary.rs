//! The summary of a run.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use super::answers::Marker;
use super::runs::Entry;

/// What a run found, in numbers.
#[derive(Serialize, Debug)]
pub(super) struct Summary {
    run: String,
    /// Whether everything has been submitted.
    pub(super) complete: bool,
    /// The number of requests.
    pub(super) requests: usize,
    answered: usize,
    /// The number of requests without an answer.
    pub(super) waiting: usize,
    /// The number of answers that are problems.
    problems: usize,
    /// The number of answers that say that the configuration is valid.
    valid: usize,
    invalid: usize,
    /// Answers by HTTP status.
    statuses: BTreeMap<u16, usize>,
    /// Problems by code.
    problem_codes: BTreeMap<String, usize>,
    /// Findings by code.
    codes: BTreeMap<String, Severities>,
    /// Answers by the dialect and the version that they speak for.
    versions: BTreeMap<String, usize>,
    /// Answers by the build of the program that gave them.
    builds: BTreeMap<String, usize>,
    repositories: BTreeMap<String, Repository>,
    #[serde(skip)]
    ids: HashSet<String>,
}

/// Findings with one code.
#[derive(Serialize, Default, Debug)]
struct Severities {
    errors: usize,
    warnings: usize,
    infos: usize,
    /// The number of requests that have any of them.
    requests: usize,
}

/// What a run found in one repository.
#[derive(Serialize, Default, Debug)]
struct Repository {
    requests: usize,
    valid: usize,
    problems: usize,
    errors: usize,
    warnings: usize,
}

/// What matters here of an answer, or of a problem.
#[derive(Deserialize, Default)]
struct Answer<'a> {
    valid: Option<bool>,
    /// Of an answer about compatibility.
    loads: Option<bool>,
    dialect: Option<&'a str>,
    version: Option<&'a str>,
    /// Of a comparison, or of an upgrade: what counts is what comes after.
    #[serde(borrow, alias = "to")]
    after: Option<Side<'a>>,
    #[serde(default, borrow)]
    diagnostics: Findings<'a>,
    /// Of a problem.
    code: Option<&'a str>,
}

/// The second side of an answer that has two.
#[derive(Deserialize)]
struct Side<'a> {
    valid: bool,
    dialect: &'a str,
    version: &'a str,
}

/// The findings of an answer.
#[derive(Deserialize)]
#[serde(untagged)]
enum Findings<'a> {
    #[serde(borrow)]
    All(Vec<Finding<'a>>),
    /// Of two sides: those of the second one, or what the new version adds.
    After {
        #[serde(borrow, alias = "added")]
        after: Vec<Finding<'a>>,
    },
}

impl Default for Findings<'_> {
    fn default() -> Self {
        Self::All(Vec::new())
    }
}

#[derive(Deserialize)]
struct Finding<'a> {
    severity: &'a str,
    code: &'a str,
}

impl Summary {
    pub(super) fn new(run: &str) -> Self {
        Self {
            run: run.to_owned(),
            complete: false,
            requests: 0,
            answered: 0,
            waiting: 0,
            problems: 0,
            valid: 0,
            invalid: 0,
            statuses: BTreeMap::new(),
            problem_codes: BTreeMap::new(),
            codes: BTreeMap::new(),
            versions: BTreeMap::new(),
            builds: BTreeMap::new(),
            repositories: BTreeMap::new(),
            ids: HashSet::new(),
        }
    }

    /// Whether the answer to the request with this id has been counted.
    pub(super) fn has(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    /// Returns the number of answers.
    pub(super) const fn answered(&self) -> usize {
        self.answered
    }

    /// Whether everything has been submitted and answered, without problems.
    pub(super) const fn is_whole(&self) -> bool {
        self.complete && self.waiting == 0 && self.problems == 0
    }

    /// Counts an answer.
    pub(super) fn add(&mut self, entry: &Entry, marker: &Marker, text: &[u8]) {
        let answer: Answer<'_> = serde_json::from_slice(text).unwrap_or_default();
        self.ids.insert(entry.id.clone());
        self.answered += 1;
        *self.statuses.entry(marker.status).or_default() += 1;
        *self.builds.entry(marker.build.clone()).or_default() += 1;
        let repository = self.repositories.entry(entry.repository.clone()).or_default();
        repository.requests += 1;
        if marker.problem {
            self.problems += 1;
            repository.problems += 1;
            *self.problem_codes.entry(answer.code.unwrap_or_default().to_owned()).or_default() += 1;
            return;
        }
        let after = answer.after.as_ref();
        if answer.valid.or(answer.loads).or(after.map(|side| side.valid)) == Some(true) {
            self.valid += 1;
            repository.valid += 1;
        } else {
            self.invalid += 1;
        }
        let (dialect, version) =
            after.map_or((answer.dialect, answer.version), |side| (Some(side.dialect), Some(side.version)));
        if let (Some(dialect), Some(version)) = (dialect, version) {
            *self.versions.entry(format!("{dialect} {version}")).or_default() += 1;
        }
        let mut codes = HashSet::new();
        let (Findings::All(findings) | Findings::After { after: findings }) = &answer.diagnostics;
        for Finding { severity, code } in findings {
            let counts = self.codes.entry((*code).to_owned()).or_default();
            counts.requests += usize::from(codes.insert(*code));
            match *severity {
                "error" => {
                    counts.errors += 1;
                    repository.errors += 1;
                }
                "warning" => {
                    counts.warnings += 1;
                    repository.warnings += 1;
                }
                _ => counts.infos += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(summary: &mut Summary, id: &str, status: u16, text: &str) {
        let entry = Entry { id: id.to_owned(), repository: "r".to_owned(), digest: String::new(), replaces: None };
        let (object, build) = (String::new(), "1".to_owned());
        let marker = Marker { object, status, problem: status >= 400, build, microseconds: 0, delivery: 1 };
        summary.add(&entry, &marker, text.as_bytes());
    }

    #[test]
    fn of_two_sides_the_second_one_counts() {
        let mut summary = Summary::new("night");
        let side = |valid: bool, version: &str| {
            format!(r#"{{"valid":{valid},"dialect":"terraform","version":"{version}"}}"#)
        };
        let (valid, invalid) = (side(true, "1.5"), side(false, "1.9"));
        let found = r#"[{"severity":"error","code":"a/b"}]"#;
        let difference = format!(
            r#"{{"different":true,"before":{valid},"after":{invalid},"diagnostics":{{"appeared":[0],"before":[],"after":{found}}}}}"#
        );
        add(&mut summary, "one", 200, &difference);
        let upgrade = format!(
            r#"{{"from":{invalid},"to":{valid},"diagnostics":{{"added":{found},"removed":[]}},"changes":[]}}"#
        );
        add(&mut summary, "two", 200, &upgrade);
        let json = serde_json::to_value(&summary).unwrap();
        assert_eq!((&json["valid"], &json["invalid"], &json["problems"]), (&1.into(), &1.into(), &0.into()));
        assert_eq!(json["versions"], serde_json::json!({"terraform 1.5": 1, "terraform 1.9": 1}));
        assert_eq!((&json["codes"]["a/b"]["errors"], &json["codes"]["a/b"]["requests"]), (&2.into(), &2.into()));
    }

    #[test]
    fn a_summary_counts_findings_versions_and_problems() {
        let mut summary = Summary::new("night");
        summary.complete = true;
        let error = r#"{"severity":"error","code":"a/b","range":{}}"#;
        let warning = r#"{"severity":"warning","code":"c/d"}"#;
        let answer = |valid: bool, findings: &str| {
            format!(
                r#"{{"valid":{valid},"dialect":"terraform","version":"1.15.9","diagnostics":[{findings}],"x":[1]}}"#
            )
        };
        add(&mut summary, "one", 200, &answer(true, warning));
        add(&mut summary, "two", 200, &answer(false, &format!("{error},{error},{warning}")));
        assert!(summary.is_whole());
        add(&mut summary, "three", 413, r#"{"code":"over-limit","status":413}"#);
        assert!(!summary.is_whole());
        let json = serde_json::to_value(&summary).unwrap();
        assert_eq!((&json["valid"], &json["invalid"], &json["problems"]), (&1.into(), &1.into(), &1.into()));
        assert_eq!(json["statuses"], serde_json::json!({"200": 2, "413": 1}));
        assert_eq!(json["problem_codes"], serde_json::json!({"over-limit": 1}));
        let counted = |errors, warnings, requests| serde_json::json!({"errors": errors, "warnings": warnings, "infos": 0, "requests": requests});
        assert_eq!(json["codes"], serde_json::json!({"a/b": counted(2, 0, 1), "c/d": counted(0, 2, 2)}));
        assert_eq!(json["versions"], serde_json::json!({"terraform 1.15.9": 2}));
        let repository = serde_json::json!({"requests": 3, "valid": 1, "problems": 1, "errors": 2, "warnings": 2});
        assert_eq!(json["repositories"], serde_json::json!({"r": repository}));
        assert!(summary.has("three") && !summary.has("four"));
    }
}

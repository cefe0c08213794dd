//! Short files with what the real tool reports when it loads them: `tests/data/probes.txt`. There is one trial for each
//! chapter.
//!
//! A chapter begins with `# title`, a probe with `=== FILE`; its text continues up to a line `---`, and each line after
//! that is a diagnostic: severity, range in lines and columns (`-` for none), title. They were recorded with an
//! additional call of a module that is not installed, which keeps the tool's later stages silent.

use std::fmt::Write as _;

use libtest_mimic::Failed;
use overfold_cli::diag::{Origin, Severity};
use overfold_cli::pipeline::{Request, run};
use overfold_cli::syntax::Forest;

use super::folder::file_set;
use super::runner::Trial;

const BESIDE: &str = "module \"zz\" {\n  source = \"./zz\"\n}\n";

/// Titles that the tool reports for these probes, but that were removed from the recordings.
const UNRECORDED: &[&str] = &["Duplicate required provider"];

struct Probe {
    file: &'static str,
    text: &'static str,
    said: Vec<&'static str>,
}

/// Adds one trial for each chapter.
pub(crate) fn add(trials: &mut Vec<Trial>) {
    for chapter in include_str!("../data/probes.txt").split("\n# ") {
        let (title, body) = chapter.split_once('\n').expect("a chapter with a title");
        let title = title.trim_start_matches("# ").replace(' ', "-");
        trials.push(Trial::test(format!("probes/{title}"), move || check(body)));
    }
}

fn check(body: &'static str) -> Result<(), Failed> {
    let mut wrong = String::new();
    let (mut count, mut bad) = (0, 0);
    for probe in probes(body) {
        count += 1;
        let mut wanted: Vec<String> = probe.said.iter().map(|&line| line.to_owned()).collect();
        let mut got = findings(&probe)?;
        wanted.sort();
        got.sort();
        if wanted != got {
            bad += 1;
            write!(wrong, "\n=== {}\n{}", probe.file, probe.text)?;
            for line in wanted.iter().filter(|line| !got.contains(line)) {
                write!(wrong, "\n    - {line}")?;
            }
            for line in got.iter().filter(|line| !wanted.contains(line)) {
                write!(wrong, "\n    + {line}")?;
            }
            if wanted.len() != got.len() {
                write!(wrong, "\n    {} wanted, {} got", wanted.len(), got.len())?;
            }
        }
    }
    if count == 0 {
        return Err("a chapter without probes".into());
    }
    if bad == 0 { Ok(()) } else { Err(format!("{bad} of {count} differ{wrong}").into()) }
}

fn probes(body: &'static str) -> impl Iterator<Item = Probe> {
    body.split("=== ").skip(1).map(|part| {
        let (file, rest) = part.split_once('\n').expect("a file name");
        let (text, said) = rest.split_once("\n---").expect("a line that ends the text");
        Probe { file, text, said: said.lines().filter(|line| !line.is_empty()).collect() }
    })
}

fn findings(probe: &Probe) -> Result<Vec<String>, Failed> {
    let files = [
        (probe.file.to_owned(), format!("{}\n", probe.text).into_bytes()),
        ("zz.tf".to_owned(), BESIDE.as_bytes().to_vec()),
    ];
    let request = Request { version: Some("1.11.4".to_owned()), ..Request::new("terraform") };
    let forest = Forest::default();
    let report = run(&forest, &file_set(&files), &request)?;
    Ok(report
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.origin == Origin::Tool && !UNRECORDED.contains(&&*diagnostic.summary))
        .map(|diagnostic| {
            let severity = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "info",
            };
            let range = match diagnostic.span {
                None => "-".to_owned(),
                Some(span) => {
                    let range = report.forest.sources.range(span).widened();
                    let (start, end) = (range.start, range.end);
                    format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column)
                }
            };
            format!("{severity} {range} {}", diagnostic.summary)
        })
        .collect())
}

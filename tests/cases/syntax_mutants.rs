//! Broken files generated at random from the syntax suite: the real tool must find the same mistakes in them, in the
//! same order, with the same ranges. Ignored unless requested, and only where `terraform` is installed: `cargo test
//! --test cases -- --ignored real/syntax`. `SYNTAX_MUTANTS` sets the number of trials.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use libtest_mimic::Failed;
use overfold_cli::diag::{Diagnostics, Origin};
use overfold_cli::files::Position;
use overfold_cli::syntax::{Forest, SyntaxLimits, codes};
use serde_json::Value;

use super::real_tool::trial;
use super::runner::Trial;

/// The number of files in one run of the tool.
const FILES: u64 = 60;

/// Pieces that are inserted into texts.
const PIECES: &[&str] = &[
    "\"",
    "${",
    "%{",
    "}",
    "{",
    "[",
    "]",
    "(",
    ")",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "=",
    "==",
    "!",
    "!=",
    "<",
    "<=",
    "=>",
    ">",
    ">=",
    "&&",
    "||",
    "&",
    "|",
    "^",
    "~",
    "~}",
    "${~",
    "%{~",
    "?",
    ":",
    "::",
    ".",
    "..",
    "...",
    ",",
    ";",
    "'",
    "`",
    "*",
    ".*",
    "[*]",
    "/",
    "//",
    "/*",
    "*/",
    "#",
    "-",
    "+",
    "%",
    "$",
    "$${",
    "%%{",
    "\\",
    "\\n",
    "\\u00e9",
    "\\u1",
    "\\q",
    "<<EOT\n",
    "<<-EOT\n",
    "\nEOT\n",
    "\n  EOT\n",
    "EOT",
    "for ",
    " in ",
    " if ",
    "if",
    "else",
    "endif",
    "endfor",
    "x",
    "y",
    "f(",
    "f(1)",
    "a::b",
    "a::b(1)",
    "1",
    "0.5",
    "1.2.3",
    "1e5",
    ".0",
    ".0.1",
    "true",
    "null",
    "\u{301}",
    "é",
    "\u{feff}",
    "\u{a0}",
    "👩‍💻",
    "\u{200d}",
    "%{ if true }",
    "%{ endif }",
    "%{ else }",
    "%{ for x in y }",
    "%{ endfor }",
    "${x}",
    "a = ",
    "b {",
    "b \"l\" {",
    "b { c = 1 }",
    "{ for k, v in x : k => v }",
    "[for v in x : v]",
    "x[0]",
    "x[\"k\"]",
    "@",
    "\u{0}",
];

/// Adds the trials.
pub(crate) fn add(trials: &mut Vec<Trial>) {
    let count = std::env::var("SYNTAX_MUTANTS").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    for seed in 0..count {
        let trial = trial(format!("real/syntax/{seed}"), true, move || {
            let inputs = inputs();
            let texts: Vec<_> = (0..FILES).map(|number| mutant(&mut Dice(seed * 1000 + number), &inputs)).collect();
            check(&texts)
        });
        trials.push(trial);
    }
    trials.push(trial("real/syntax/names".to_owned(), true, || check(&names())));
}

/// Names that consist of one character or end in it, around every boundary in our table of identifier characters, and
/// for other random characters.
fn names() -> Vec<Vec<u8>> {
    let mut dice = Dice(7);
    let mut texts = Vec::new();
    for prefix in ["", "a"] {
        let all: Vec<char> = (0x80..0x32000_u32).filter_map(char::from_u32).collect();
        let mut chosen = Vec::new();
        let mut before = true;
        for chunk in all.chunks(5000) {
            let text = lines_of(prefix, chunk);
            let strange: HashSet<usize> =
                ours(&text).iter().filter_map(|line| line.strip_prefix("Invalid character ")).map(line_of).collect();
            for (number, character) in chunk.iter().enumerate() {
                let now = strange.contains(&(number + 1));
                if now != before {
                    let near = u32::from(*character);
                    chosen.extend((near - 3..near + 3).filter_map(char::from_u32));
                } else if dice.roll(100) == 0 {
                    chosen.push(*character);
                }
                before = now;
            }
        }
        for chunk in chosen.chunks(300) {
            texts.push(lines_of(prefix, chunk));
        }
    }
    texts
}

fn lines_of(prefix: &str, characters: &[char]) -> Vec<u8> {
    let mut text = String::new();
    for character in characters {
        writeln!(text, "{prefix}{character} = 1").unwrap();
    }
    text.into_bytes()
}

fn line_of(range: &str) -> usize {
    range.split(':').next().unwrap().parse().unwrap()
}

/// Pseudo-random numbers that are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((number ^ (number >> 31)) % below.max(1) as u64).unwrap()
    }
}

fn inputs() -> Vec<Vec<u8>> {
    let suite = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/syntax");
    let mut files: Vec<PathBuf> =
        fs::read_dir(suite).unwrap().map(|entry| entry.unwrap().path().join("input.hcl")).collect();
    files.sort();
    files.iter().filter_map(|file| fs::read(file).ok()).filter(|text| text.len() < 2000).collect()
}

fn mutant(dice: &mut Dice, inputs: &[Vec<u8>]) -> Vec<u8> {
    let mut text = inputs[dice.roll(inputs.len())].clone();
    if dice.roll(4) == 0 {
        let other = &inputs[dice.roll(inputs.len())];
        let at = dice.roll(text.len() + 1);
        let from = dice.roll(other.len() + 1);
        let to = from + dice.roll(other.len() - from + 1);
        text.splice(at..at, other[from..to].iter().copied());
    }
    for _ in 0..=dice.roll(3) {
        let at = dice.roll(text.len() + 1);
        let span = at..text.len().min(at + dice.roll(4));
        let piece = PIECES[dice.roll(PIECES.len())].as_bytes();
        match dice.roll(5) {
            0 => drop(text.splice(span, [])),
            1 => drop(text.splice(span, piece.iter().copied())),
            2 if dice.roll(8) == 0 => text.insert(at, [0xFF, 0xC3, 0x80, 0xE9][dice.roll(4)]),
            3 if dice.roll(4) == 0 => text.truncate(at),
            _ => drop(text.splice(at..at, piece.iter().copied())),
        }
    }
    text
}

fn check(texts: &[Vec<u8>]) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    for (number, text) in texts.iter().enumerate() {
        fs::write(folder.path().join(format!("m{number:03}.tf")), text)?;
    }
    let output = Command::new("terraform")
        .args(["validate", "-json"])
        .current_dir(folder.path())
        .env("CHECKPOINT_DISABLE", "1")
        .output()?;
    let reported: Value = serde_json::from_slice(&output.stdout)?;
    let mut by_file: HashMap<String, Vec<String>> = HashMap::new();
    for diagnostic in reported["diagnostics"].as_array().unwrap() {
        let summary = diagnostic["summary"].as_str().unwrap();
        if is_syntax(summary) {
            let range = &diagnostic["range"];
            let at = |end: &str| format!("{}:{}@{}", range[end]["line"], range[end]["column"], range[end]["byte"]);
            let line = format!("{summary} {}-{}", at("start"), at("end"));
            by_file.entry(range["filename"].as_str().unwrap().to_owned()).or_default().push(line);
        }
    }
    let mut wrong = String::new();
    for (number, text) in texts.iter().enumerate() {
        let name = format!("m{number:03}.tf");
        let expected = by_file.remove(&name).unwrap_or_default();
        let actual = ours(text);
        if expected != actual {
            let text = text.escape_ascii().to_string();
            let only = |of: &[String], without: &[String]| -> Vec<String> {
                of.iter().filter(|line| !without.contains(line)).cloned().collect()
            };
            let (tool, ours) = (only(&expected, &actual), only(&actual, &expected));
            let text: String = text.chars().take(2000).collect();
            writeln!(wrong, "{text}\n  tool alone {tool:#?}\n  ours alone {ours:#?}")?;
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.into()) }
}

fn is_syntax(summary: &str) -> bool {
    codes::ALL.iter().any(|code| code.title == summary)
        || summary.starts_with("Extra characters in ")
        || summary.starts_with("Unexpected ")
}

fn ours(text: &[u8]) -> Vec<String> {
    let forest = Forest::new(SyntaxLimits::default());
    let mut problems = Diagnostics::new();
    forest.parse_native("m.tf", text.to_vec().into(), &mut problems);
    let lines = problems.iter().filter(|problem| problem.origin == Origin::Tool).map(|problem| {
        let range = forest.sources.range(problem.span.unwrap()).widened();
        let at = |at: Position| format!("{}:{}@{}", at.line, at.column, at.byte);
        format!("{} {}-{}", problem.summary, at(range.start), at(range.end))
    });
    lines.collect()
}

//! Every citation of a rule names a document of docs/rules and sections that exist there.
//!
//! Two forms are read: `terraform.md, sections 1.5 and 10.2 (1.3)` in comments and documents, and in the rows of
//! `crates/dialect` the same without the document, which is then that of the dialect. Anything that looks like a citation
//! but cannot be read is a failure as well, so that no citation escapes the test because of its form.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

/// Sections: `5`, `10.2 (1.3, 1.4)`, `5 (rule 6)`, `A5`; several are joined with commas, `and` and `to`.
const LIST: &str = concat!(
    r"(?:[AB]\d*|\d+)(?:\.\d+)*\b(?: \((?:rule \d+|\d+(?:\.\d+)+(?:(?:, | to )\d+(?:\.\d+)+)*)\))?",
    r"(?:(?:, and |, | and | to )(?:[AB]\d*|\d+)(?:\.\d+)*\b(?: \((?:rule \d+|\d+(?:\.\d+)+(?:(?:, | to )\d+(?:\.\d+)+)*)\))?)*",
);

static CITATION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!(r"(?:([A-Za-z0-9_./-]+\.md), )?\b[Ss]ections? ({LIST})")).unwrap());
static ITEM: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(, and |, | and | to |^)([AB]?\d*(?:\.\d+)*)(?: \(([^()]*)\))?").unwrap());
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[A-Za-z0-9_./-]+\.md\b").unwrap());
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b[Ss]ections? [0-9AB]\d*\b").unwrap());
/// What follows the name of a document when a section is meant but not cited in the proper form.
static HALF_CITED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[`)]?[,:]? ?(?:part [AB]\b|[AB]\d|\d|[Ss]ections? [0-9AB]\d*\b)").unwrap());
static RFC: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"RFC \d+, $").unwrap());
static SOURCE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"(?:\bsource:|const SOURCE: &str =)\s*"([^"]*)"|"(Sections? [^":]*):"#).unwrap());
static PART: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"^(?:([a-z0-9.-]+\.md), )?(?:[Ss]ections? )?({LIST})(?:, ([a-z_]+))?$")).unwrap()
});
static HEADING: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(#{2,5}) ((?:[AB]\d*|\d+)(?:\.\d+)*)\.? (.+)$").unwrap());
static LINK: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\[([^\]]*)\]\([^)]*\)").unwrap());

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files below `folder` with this extension, sorted, as paths from the root.
fn files(folder: &str, extension: &str) -> Vec<String> {
    fn walk(folder: &Path, extension: &str, into: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, extension, into);
            } else if path.extension().is_some_and(|e| e == extension) {
                into.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join(folder), extension, &mut found);
    found.sort();
    found.iter().map(|path| path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/")).collect()
}

fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

// ---- the documents ----------------------------------------------------------------------------------------------

/// The sections of each document by number, with everything below the heading, subsections included.
type Documents = BTreeMap<String, BTreeMap<String, String>>;

fn documents() -> Documents {
    let mut documents = Documents::new();
    for path in files("docs/rules", "md") {
        let name = path.rsplit('/').next().unwrap().to_owned();
        if name != "README.md" {
            documents.insert(name, sections(&text_of(&path)));
        }
    }
    documents
}

fn sections(text: &str) -> BTreeMap<String, String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut sections = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(heading) = HEADING.captures(line) else { continue };
        let level = heading[1].len();
        let ends = |line: &&&str| line.chars().take_while(|c| *c == '#').count().wrapping_sub(1) < level;
        let length = lines[at + 1..].iter().take_while(|line| !ends(line)).count();
        let body = lines[at..=at + length].join("\n");
        assert!(sections.insert(heading[2].to_owned(), body).is_none(), "section {} twice", &heading[2]);
    }
    sections
}

/// Checks the list of sections `list` against the document `name`, and returns the number of sections that it names.
fn judge(documents: &Documents, name: &str, list: &str, wrong: &mut Vec<String>) -> usize {
    let Some(sections) = documents.get(name) else {
        wrong.push(format!("there is no docs/rules/{name}"));
        return 0;
    };
    let mut numbers: Vec<String> = Vec::new();
    for item in ITEM.captures_iter(list) {
        let number = &item[2];
        if &item[1] == " to "
            && let Some(from) = numbers.last().and_then(|from| from.parse::<u32>().ok())
            && let Ok(to) = number.parse::<u32>()
        {
            if from >= to {
                wrong.push(format!("the range {from} to {to} is empty"));
            }
            numbers.extend((from + 1..to).map(|between| between.to_string()));
        }
        numbers.push(number.to_owned());
        let Some(section) = sections.get(number) else { continue };
        for note in item.get(3).into_iter().flat_map(|notes| notes.as_str().split(", ").flat_map(|n| n.split(" to ")))
        {
            let (sought, what) = match note.strip_prefix("rule ") {
                Some(rule) => (format!("\n{rule}. "), "rule"),
                None => (format!("\n| {note} |"), "version"),
            };
            if !section.contains(&sought) {
                wrong.push(format!(
                    "{name}, section {number} has no row for the {what} {}",
                    note.trim_start_matches("rule ")
                ));
            }
        }
    }
    for number in numbers.iter().filter(|number| !sections.contains_key(*number)) {
        wrong.push(format!("{name} has no section {number:?}"));
    }
    numbers.len()
}

// ---- comments and documents -------------------------------------------------------------------------------------

/// A text without line breaks, and the positions in it where the lines of the file begin.
#[derive(Default)]
struct Paragraph {
    text: String,
    lines: Vec<(usize, usize)>,
}

impl Paragraph {
    fn push(&mut self, number: usize, text: &str) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.lines.push((self.text.len(), number));
        self.text.push_str(text.trim());
    }

    fn line(&self, at: usize) -> usize {
        self.lines.iter().rev().find(|(start, _)| *start <= at).unwrap().1
    }
}

/// Returns the comments of a Rust file: adjacent lines form one paragraph, a comment after code is a paragraph of its
/// own.
fn comments(text: &str) -> Vec<Paragraph> {
    let mut paragraphs = vec![Paragraph::default()];
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with("//") {
            let comment = line.trim_start_matches('/').trim_start_matches('!');
            if comment.trim().is_empty() {
                paragraphs.push(Paragraph::default());
            } else {
                paragraphs.last_mut().unwrap().push(index + 1, comment);
            }
        } else {
            paragraphs.push(Paragraph::default());
            if let Some((_, comment)) = line.split_once(" // ") {
                paragraphs.last_mut().unwrap().push(index + 1, comment);
                paragraphs.push(Paragraph::default());
            }
        }
    }
    paragraphs
}

/// Returns the paragraphs of a Markdown file, without code; headings and table rows are paragraphs of their own.
fn prose(text: &str) -> Vec<Paragraph> {
    let mut paragraphs = vec![Paragraph::default()];
    let mut code = false;
    for (index, line) in text.lines().enumerate() {
        let alone = line.starts_with(['#', '|']);
        code ^= line.trim_start().starts_with("```");
        if code || alone || line.trim().is_empty() {
            paragraphs.push(Paragraph::default());
        }
        if !code && !line.trim().is_empty() && !line.trim_start().starts_with("```") {
            paragraphs.last_mut().unwrap().push(index + 1, &LINK.replace_all(line, "$1"));
        }
        if alone {
            paragraphs.push(Paragraph::default());
        }
    }
    paragraphs
}

/// Checks the citations in a paragraph. `own` is the document that contains it, which need not be named. Returns the
/// number of sections cited, and the mistakes by position.
fn read(documents: &Documents, paragraph: &Paragraph, own: Option<&str>) -> (usize, Vec<(usize, String)>) {
    let text = &paragraph.text;
    let mut count = 0;
    let mut wrong = Vec::new();
    let mut covered = Vec::new();
    for found in CITATION.captures_iter(text) {
        let range = found.get(0).unwrap().range();
        let before = text.split_at(range.start).0;
        let name = found.get(1).map(|name| name.as_str().trim_start_matches("docs/rules/")).or(own);
        if found.get(1).is_none() && RFC.is_match(before) {
            covered.push(range);
            continue;
        }
        match name {
            Some(name) => {
                let mut found_wrong = Vec::new();
                count += judge(documents, name, &found[2], &mut found_wrong);
                wrong.extend(found_wrong.into_iter().map(|what| (range.start, what)));
            }
            None => wrong.push((range.start, format!("a section without its document: {:?}", &found[0]))),
        }
        covered.push(range);
    }
    let is_covered = |at: usize| covered.iter().any(|range| range.contains(&at));
    for name in NAME.find_iter(text).filter(|name| !is_covered(name.start())) {
        if HALF_CITED.is_match(text.split_at(name.end()).1) {
            wrong.push((
                name.start(),
                format!("not in the form `NAME.md, section N`: {:?}", rest(text, name.start())),
            ));
        }
    }
    for section in NUMBERED.find_iter(text).filter(|section| !is_covered(section.start())) {
        wrong.push((section.start(), format!("cannot be read: {:?}", rest(text, section.start()))));
    }
    (count, wrong)
}

fn rest(text: &str, at: usize) -> String {
    text.split_at(at).1.chars().take(40).collect()
}

// ---- rows -------------------------------------------------------------------------------------------------------

/// Returns the document that the rows of a file in `crates/dialect` cite without naming it.
fn document_of_rows(path: &str) -> Option<&'static str> {
    let file = path.strip_prefix("crates/dialect/src/")?;
    let dialect = file.split(['/', '.']).next()?;
    match dialect {
        "terraform" => Some("terraform.md"),
        "terraform_0_11" => Some("variables.md"),
        "opentofu" => Some("opentofu.md"),
        "tflint" => Some("tflint.md"),
        "sentinel" => Some("sentinel.md"),
        _ => None,
    }
}

/// Checks the sources of the rows in a file, and its decisions.
fn read_rows(documents: &Documents, path: &str, text: &str) -> (usize, Vec<(usize, String)>) {
    let mut count = 0;
    let mut wrong = Vec::new();
    for found in SOURCE.captures_iter(text) {
        let source = found.get(1).or(found.get(2)).unwrap();
        let line = text.split_at(source.start()).0.lines().count();
        for part in source.as_str().split("; ").filter(|part| !is_free(part)) {
            let mut found_wrong = Vec::new();
            let document = |part: &regex::Captures<'_>| {
                part.get(1).map(|name| name.as_str().to_owned()).or(document_of_rows(path).map(str::to_owned))
            };
            match PART.captures(part).and_then(|part| Some((document(&part)?, part))) {
                Some((name, part)) => {
                    count += judge(documents, &name, &part[2], &mut found_wrong);
                    if let Some(word) = part.get(3) {
                        let section = documents.get(&name).and_then(|sections| sections.get(&part[2]));
                        let mut headings =
                            section.into_iter().flat_map(|text| text.lines()).filter(|l| l.starts_with('#'));
                        if !headings.any(|heading| heading.split(' ').any(|w| w == word.as_str())) {
                            found_wrong.push(format!("{name}, section {} has no part {}", &part[2], word.as_str()));
                        }
                    }
                }
                None => found_wrong.push(format!("cannot be read: {part:?}")),
            }
            wrong.extend(found_wrong.into_iter().map(|what| (line, what)));
        }
    }
    (count, wrong)
}

/// Whether a source is not a rule document.
fn is_free(part: &str) -> bool {
    matches!(part, "" | "program" | "runs of validate") || part.starts_with("suite ")
}

// ---- tests ------------------------------------------------------------------------------------------------------

#[test]
fn every_cited_section_exists() {
    let documents = documents();
    assert!(documents.len() >= 8, "the documents of docs/rules were not found");
    let (mut in_comments, mut in_rows, mut in_documents) = (0, 0, 0);
    let mut wrong = Vec::new();
    let mut programs = files("src", "rs");
    programs.extend(files("crates", "rs"));
    programs.extend(files("tests", "rs").into_iter().filter(|path| path != "tests/it/rule_citations.rs"));
    for path in programs {
        let text = text_of(&path);
        for paragraph in comments(&text) {
            let (count, found) = read(&documents, &paragraph, None);
            in_comments += count;
            wrong.extend(found.into_iter().map(|(at, what)| format!("{path}:{}: {what}", paragraph.line(at))));
            for name in NAME.find_iter(&paragraph.text) {
                if !documents.contains_key(name.as_str()) && !root().join(name.as_str()).exists() {
                    let line = paragraph.line(name.start());
                    wrong.push(format!("{path}:{line}: there is no {}", name.as_str()));
                }
            }
        }
        // The sources of behaviours are recorded cases and changes of the tools.
        if path.starts_with("crates/dialect/src/") && !path.contains("/behaviours") {
            let (count, found) = read_rows(&documents, &path, &text);
            in_rows += count;
            wrong.extend(found.into_iter().map(|(line, what)| format!("{path}:{line}: {what}")));
        }
    }
    let mut pages: Vec<String> = ["ARCHITECTURE.md", "README.md", "CONTRIBUTING.md"].map(str::to_owned).to_vec();
    pages.extend(files("docs", "md"));
    pages.extend(files("tests/rules", "md"));
    for path in pages {
        let own = path.strip_prefix("docs/rules/").filter(|name| documents.contains_key(*name));
        for paragraph in prose(&text_of(&path)) {
            let (count, found) = read(&documents, &paragraph, own);
            in_documents += count;
            wrong.extend(found.into_iter().map(|(at, what)| format!("{path}:{}: {what}", paragraph.line(at))));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // A search that finds no citations finds no mistakes either.
    assert!(in_comments >= MIN_COMMENTS, "only {in_comments} sections are cited in comments");
    assert!(in_rows >= MIN_ROWS, "only {in_rows} sections are cited in rows");
    assert!(in_documents >= MIN_DOCUMENTS, "only {in_documents} sections are cited in documents");
}

/// Slightly below the actual numbers: a citation may disappear with its rule, but not many at once.
const MIN_COMMENTS: usize = 260;
const MIN_ROWS: usize = 220;
const MIN_DOCUMENTS: usize = 80;

#[test]
fn the_index_lists_every_document() {
    let index = text_of("docs/rules/README.md");
    for name in documents().keys() {
        assert!(index.contains(&format!("| [{name}]({name}) |")), "docs/rules/README.md does not list {name}");
    }
}

fn example() -> Documents {
    let text = "# Title\n\n## 1. One\n\n### 1.1 Part\n\n1. first\n2. second\n\n## 2. Two\n\n| Version | Change |\n\
                | --- | --- |\n| 1.4.1 | x |\n\n#### 2.1 thing\n\n## 3. Three\n\n## A. Part\n\n### A1. Sources\n";
    BTreeMap::from([("terraform.md".to_owned(), sections(text))])
}

fn faults(comment: &str) -> Vec<String> {
    let documents = example();
    comments(comment)
        .iter()
        .flat_map(|paragraph| {
            read(&documents, paragraph, None)
                .1
                .into_iter()
                .map(|(at, what)| format!("{}: {what}", paragraph.line(at)))
        })
        .collect()
}

#[test]
fn the_finder_reads_every_form() {
    let documents = example();
    for (text, sections) in [
        ("// x (terraform.md, section 1).", 1),
        ("/// x (terraform.md, sections 1.1 and 2 (1.4.1)).", 2),
        ("//! x (terraform.md,\n//! section 1; terraform.md, sections\n//! 1 to 3).", 4),
        ("// terraform.md, sections 1, 2, and A1: x", 3),
        ("let x = 1; // as in terraform.md, section 1.1 (rule 2)", 1),
        ("// RFC 8259, section 7, and a section about terraform.md", 0),
        ("let x = \"section 99\";", 0),
    ] {
        assert_eq!(faults(text), Vec::<String>::new(), "{text}");
        let count: usize = comments(text).iter().map(|paragraph| read(&documents, paragraph, None).0).sum();
        assert_eq!(count, sections, "{text}");
    }
}

#[test]
fn the_finder_refuses_what_it_cannot_read() {
    for (text, place) in [
        ("// x (terraform.md, section 4)", "1: terraform.md has no section \"4\""),
        ("// x\n// y (terraform.md, sections 1\n// to 9)", "2: terraform.md has no section \"4\""),
        ("// x (opentofu.md, section 1)", "1: there is no docs/rules/opentofu.md"),
        ("// x (section 1)", "1: a section without its document"),
        ("// the fork's document, section 4", "1: a section without its document"),
        ("// x (terraform.md, A1)", "1: not in the form"),
        ("// x (terraform.md part A)", "1: not in the form"),
        ("// x (terraform.md section 1)", "1: not in the form"),
        ("// x (terraform.md, section 2 (1.5))", "1: terraform.md, section 2 has no row for the version 1.5"),
        ("// x (terraform.md, section 1.1 (rule 3))", "1: terraform.md, section 1.1 has no row for the rule 3"),
    ] {
        let faults = faults(text);
        assert!(faults.iter().any(|fault| fault.starts_with(place)), "{text}: {faults:?}");
    }
}

#[test]
fn rows_are_read_whole() {
    let documents = example();
    let read = |source: &str| {
        let text = format!("x\n    source: \"{source}\",\n");
        read_rows(&documents, "crates/dialect/src/terraform/rows.rs", &text)
    };
    for (source, sections) in [
        ("sections 1, 2 (1.4.1)", 2),
        ("section 2, thing", 1),
        ("section 1; runs of validate", 1),
        ("program", 0),
        ("terraform.md, sections 1 to 3", 3),
    ] {
        assert_eq!(read(source), (sections, Vec::new()), "{source}");
    }
    for source in ["section 4", "section 1, other", "sections 1 2", "section", "see there", "tflint.md, section 1"] {
        let (_, wrong) = read(source);
        assert!(wrong.iter().any(|(line, _)| *line == 2), "{source}: {wrong:?}");
    }
    let text = "    \"Section 9: hidden files are ignored.\",\n";
    assert_eq!(read_rows(&documents, "crates/dialect/src/terraform.rs", text).1.len(), 1);
}

//! Documents of cases: headings, files, options, answers, tables.

use serde_json::{Map, Value, json};

/// A document with its cases.
pub(super) struct Document {
    lines: Vec<String>,
    sections: Vec<Section>,
}

/// What stands below a heading, up to the next one.
struct Section {
    /// Its heading and those around it, without that of the document.
    headings: Vec<String>,
    /// The section around it.
    parent: Option<usize>,
    level: usize,
    /// Side, path and text of each file.
    files: Vec<(Option<String>, String, String)>,
    options: Value,
    table: Option<Table>,
    /// The lines of the answer: from the one behind the opening fence to the closing one.
    answer: Option<(usize, usize)>,
    /// The line behind its last one that is not empty.
    end: usize,
    has_sections: bool,
}

struct Table {
    columns: Vec<String>,
    /// The line and the cells of each row.
    rows: Vec<(usize, Vec<String>)>,
}

/// A heading with an answer or a table.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) is_table: bool,
    pub(super) rows: Vec<Row>,
}

/// One request.
pub(super) struct Row {
    pub(super) name: String,
    /// The request with its files, and the members for the test.
    pub(super) options: Value,
    pub(super) answer: String,
}

impl Document {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut sections: Vec<Section> = Vec::new();
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let number = at + 1;
            let marks = line.chars().take_while(|&c| c == '#').count();
            let heading = line.trim_start_matches('#').strip_prefix(' ').filter(|_| marks > 0);
            if let Some(heading) = heading {
                let parent = sections.iter().rposition(|section| section.level < marks);
                let mut headings = parent.map_or(Vec::new(), |parent| sections[parent].headings.clone());
                if let Some(parent) = parent {
                    sections[parent].has_sections = true;
                    headings.push(heading.trim().to_owned());
                }
                sections.push(Section {
                    headings,
                    parent,
                    level: marks,
                    files: Vec::new(),
                    options: json!({}),
                    table: None,
                    answer: None,
                    end: number,
                    has_sections: false,
                });
                at += 1;
                continue;
            }
            let Some(section) = sections.last_mut() else {
                return Err(format!("line {number} precedes the heading"));
            };
            if let Some(ticks) = fence(line) {
                let info = line.trim_start_matches('`').trim();
                let last = lines[at + 1..].iter().position(|line| *line == ticks);
                let last = at + 1 + last.ok_or_else(|| format!("the block of line {number} has no end"))?;
                let content: String = lines[at + 1..last].iter().flat_map(|line| [line, "\n"]).collect();
                match info.split_once(' ').map_or("", |(_, rest)| rest.trim()) {
                    "options" => {
                        let own: Value =
                            serde_json::from_str(&content).map_err(|why| format!("line {number}: {why}"))?;
                        patch(&mut section.options, &own);
                    }
                    "answer" => section.answer = Some((at + 1, last)),
                    "" => return Err(format!("the block of line {number} has no name")),
                    name => {
                        let (side, path) = side(name);
                        section.files.push((side.map(str::to_owned), path.to_owned(), content));
                    }
                }
                at = last;
            } else if line.starts_with('|') {
                match &mut section.table {
                    None => {
                        section.table = Some(Table { columns: cells(line), rows: Vec::new() });
                        at += 1;
                    }
                    Some(table) => table.rows.push((at, cells(line))),
                }
            }
            if !lines[at].is_empty() {
                section.end = at + 1;
            }
            at += 1;
        }
        Ok(Self { lines, sections })
    }

    /// Returns the cases: sections with an answer or a table, and those without either that contain no others.
    pub(super) fn cases(&self) -> Vec<Case> {
        self.case_sections().into_iter().map(|section| self.case(section)).collect()
    }

    fn case_sections(&self) -> Vec<&Section> {
        let is_case =
            |section: &&Section| section.answer.is_some() || section.table.is_some() || !section.has_sections;
        self.sections.iter().filter(is_case).collect()
    }

    fn case(&self, section: &Section) -> Case {
        let name = section.headings.join("/").to_lowercase().replace(' ', "-");
        let options = self.options(section);
        let rows = match &section.table {
            None => {
                let answer = section.answer.map_or(String::new(), |(first, last)| self.lines[first..last].join("\n"));
                vec![Row { name: String::new(), options, answer }]
            }
            Some(table) => table.rows.iter().map(|(_, cells)| row(&options, &table.columns, cells)).collect(),
        };
        Case { name, is_table: section.table.is_some(), rows }
    }

    /// Returns the options of a section with those around it, and its files.
    fn options(&self, section: &Section) -> Value {
        let mut options = section.parent.map_or(json!({}), |parent| self.options(&self.sections[parent]));
        patch(&mut options, &section.options);
        for (side, path, text) in &section.files {
            match side {
                None => options["files"][path] = json!(text),
                Some(side) => options[side]["files"][path] = json!(text),
            }
        }
        options
    }

    /// Returns the document with the answers of one of its cases.
    pub(super) fn with_answers(&self, case: usize, answers: &[String]) -> String {
        let section = self.case_sections()[case];
        let mut lines = self.lines.clone();
        if let Some(table) = &section.table {
            for ((line, cells), answer) in table.rows.iter().zip(answers) {
                let before = cells.iter().take(table.columns.len() - 1);
                lines[*line] = before.chain([answer]).map(|cell| quoted(cell)).collect::<String>() + "|";
            }
        } else {
            let answer = answers[0].lines().map(str::to_owned);
            match section.answer {
                Some((first, last)) => drop(lines.splice(first..last, answer)),
                None => {
                    let block = [String::new(), "```text answer".to_owned()];
                    let block = block.into_iter().chain(answer).chain(["```".to_owned()]);
                    lines.splice(section.end..section.end, block);
                }
            }
        }
        lines.join("\n") + "\n"
    }
}

/// Returns the request of a row.
fn row(options: &Value, columns: &[String], cells: &[String]) -> Row {
    let mut options = options.clone();
    let (answer, cells) = cells.split_last().expect("a row has cells");
    for (column, cell) in columns.iter().zip(cells) {
        if replace(&mut options, &format!("{{{{{column}}}}}"), &cell.replace('⏎', "\n")) || cell.is_empty() {
            continue;
        }
        if column.contains('.') {
            let (side, path) = side(column);
            let around = match side {
                Some(side) => &mut options[side],
                None => &mut options,
            };
            around["files"][path] = json!(cell.replace('⏎', "\n") + "\n");
            continue;
        }
        match column.as_str() {
            "at" => options["at"] = cell.split(", ").collect(),
            name if cell.starts_with(['{', '[']) || ["true", "false"].contains(&cell.as_str()) => {
                let value = serde_json::from_str(cell).unwrap_or_else(|why| panic!("{cell}: {why}"));
                patch(&mut options[name], &value);
            }
            name => options[name] = json!(cell),
        }
    }
    Row { name: cells.join(" | "), options, answer: answer.clone() }
}

/// Takes the name of a file apart into a side of a comparison and a path.
fn side(name: &str) -> (Option<&'static str>, &str) {
    for side in ["before", "after"] {
        if let Some(path) = name.strip_prefix(side).and_then(|rest| rest.strip_prefix(": ")) {
            return (Some(side), path);
        }
    }
    (None, name)
}

/// Replaces a text wherever it occurs in a value. Returns whether it does.
fn replace(value: &mut Value, from: &str, to: &str) -> bool {
    match value {
        Value::String(text) if text.contains(from) => {
            *text = text.replace(from, to);
            true
        }
        Value::Array(items) => items.iter_mut().fold(false, |found, item| replace(item, from, to) | found),
        Value::Object(members) => members.values_mut().fold(false, |found, member| replace(member, from, to) | found),
        _ => false,
    }
}

/// Sets the members of one object in another one; `null` removes a member.
fn patch(value: &mut Value, own: &Value) {
    let Value::Object(own) = own else { return value.clone_from(own) };
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    for (name, member) in own {
        match (member, value.as_object_mut()) {
            (Value::Null, Some(members)) => drop(members.remove(name)),
            _ => patch(&mut value[name], member),
        }
    }
}

/// Returns the backticks that open a block.
fn fence(line: &str) -> Option<String> {
    let ticks = line.chars().take_while(|&c| c == '`').count();
    (ticks >= 3).then(|| "`".repeat(ticks))
}

/// Returns the cells of a row, without the backticks around them. `\|` is a bar.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim().trim_start_matches('|');
    let line = line.strip_suffix('|').unwrap_or(line).replace("\\|", "\u{1}");
    let cell = |cell: &str| {
        let cell = cell.trim();
        let within = |ends: (&str, &str)| cell.strip_prefix(ends.0)?.strip_suffix(ends.1);
        within(("`` ", " ``")).or_else(|| within(("`", "`"))).unwrap_or(cell).replace('\u{1}', "|")
    };
    line.split('|').map(cell).collect()
}

/// Returns the start of a cell and its text with backticks around it.
fn quoted(cell: &str) -> String {
    let cell = cell.replace('|', "\\|");
    match cell.as_str() {
        "" => "| ".to_owned(),
        cell if cell.contains('`') => format!("| `` {cell} `` "),
        cell => format!("| `{cell}` "),
    }
}

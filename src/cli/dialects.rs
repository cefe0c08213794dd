//! `overfold dialects [NAME]`: the dialects, or the table of one of them, as JSON as in the service or as text for
//! people.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use clap::{Args, ValueEnum};

use super::{Failure, Outcome, print};
use crate::api::v1::{
    DialectList, DialectTable, TableArgument, TableBlock, TableFiles, TableReleases, TableRule, TableRuleRow,
    TableTitle, TableValue,
};
use overfold_module::pipeline::RequestError;

/// What to show.
#[derive(Args, Debug)]
pub(super) struct DialectArgs {
    /// The dialect whose table is printed [default: print the list of dialects]
    name: Option<String>,
    /// Print only the rows that apply to this version, such as 1.11 or 1.11.4 [default: all rows]
    #[arg(long = "version", id = "tool_version", value_name = "VERSION", requires = "name")]
    version: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// The output format of a table.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    /// Text for people, one row per line
    Text,
    /// The answer of the service, as JSON
    Json,
}

/// Prints the list or the table.
///
/// # Errors
/// Fails if there is no such dialect, or it does not know the version.
pub(super) fn run(args: DialectArgs) -> Result<Outcome, Failure> {
    let shown = match args.name {
        None => {
            let list = DialectList::known();
            match args.format {
                Format::Text => list_text(&list),
                Format::Json => json(&list)?,
            }
        }
        Some(name) => {
            let table = DialectTable::of(&name, args.version.as_deref()).map_err(|missing| {
                Failure::Message(RequestError::not_found(missing, &name, args.version.as_deref()).to_string())
            })?;
            match args.format {
                Format::Text => table_text(&table),
                Format::Json => json(&table)?,
            }
        }
    };
    print(shown.as_bytes())?;
    Ok(Outcome::Fine)
}

fn json(value: &impl serde::Serialize) -> Result<String, Failure> {
    let mut text = serde_json::to_string_pretty(value).map_err(|error| Failure::Message(error.to_string()))?;
    text.push('\n');
    Ok(text)
}

fn list_text(list: &DialectList) -> String {
    let mut text = String::new();
    for dialect in &list.dialects {
        let versions = versions(&dialect.versions).join(", ");
        let _ = writeln!(text, "{}: {}", dialect.name, dialect.about);
        let _ = writeln!(text, "  default version {}; known: {versions}", dialect.default_version);
    }
    text
}

/// Returns versions as ranges; a range holds versions that differ only in the last number.
fn versions(all: &[String]) -> Vec<String> {
    let mut lines: Vec<(&str, &str, &str)> = Vec::new();
    for version in all {
        let line = version.rsplit_once('.').map_or("", |(line, _)| line);
        match lines.last_mut() {
            Some((last, _, to)) if *last == line && !version.contains('-') => *to = version,
            _ => lines.push((line, version, version)),
        }
    }
    lines
        .into_iter()
        .map(|(_, from, to)| if from == to { from.to_owned() } else { format!("{from} to {to}") })
        .collect()
}

fn table_text(table: &DialectTable) -> String {
    let mut out = Lines(String::new());
    let dialect = &table.dialect;
    out.row(0, &format!("dialect {}: {}", dialect.name, dialect.about));
    match table.version {
        Some(version) => out.row(0, &format!("version {version}")),
        None => out.row(0, &format!("versions, default {}", dialect.default_version)),
    }
    if table.version.is_none() {
        for line in versions(&dialect.versions) {
            out.row(1, &line);
        }
    }
    out.row(0, &format!("view {}", rule(&table.view)));
    out.files(&table.files);
    let variables = &table.variables;
    let of = variables.functions_version.as_ref().map_or_else(String::new, |version| format!(" of {version}"));
    out.row(0, "variables");
    out.row(1, &format!("model {}", variables.model));
    out.row(1, &format!("functions {}{of}", variables.functions));
    out.row(1, &format!("unset {}", variables.unset));
    variables.sources.iter().for_each(|source| out.row(1, &format!("source {}", rule(source))));
    table.blocks.iter().for_each(|block| out.block(0, "block", block));
    table.rules.iter().for_each(|row| out.rule_row(0, "rule", row));
    for row in &table.builtins {
        out.row(0, &format!("built-in {}{}: {}", row.built_in, when(&row.when), row.names.join(" ")));
    }
    table.titles.iter().for_each(|row| out.title(0, row));
    table.decisions.iter().for_each(|decision| out.row(0, &format!("decision {decision}")));
    out.0
}

/// A text, built line by line.
struct Lines(String);

impl Lines {
    fn row(&mut self, level: usize, row: &str) {
        let _ = writeln!(self.0, "{:1$}{row}", "", level * 2);
    }

    fn files(&mut self, files: &TableFiles) {
        self.row(0, "files");
        for row in &files.suffixes {
            let hidden = row.hidden_by.map_or_else(String::new, |by| format!(", hidden by {by}"));
            self.row(1, &format!("suffix {}: {}, {}{hidden}{}", row.suffix, row.syntax, row.usage, when(&row.when)));
        }
        self.row(1, &format!("override name {}, or one that ends in {}", files.override_name, files.override_end));
        for row in &files.values {
            self.row(1, &format!("values {}: {}, {}", row.name, row.name_is, row.syntax));
        }
        if let Some(tests) = &files.tests {
            self.row(1, &format!("tests beside the module and in {}", tests.folder));
            self.block(2, "file", &tests.file);
        }
        for (word, rows) in [("alone", &files.alone), ("by request", &files.by_request)] {
            for row in rows {
                self.row(1, &format!("{word} {}: {}{}", row.name, row.syntax, when(&row.when)));
            }
        }
    }

    fn block(&mut self, level: usize, word: &str, block: &TableBlock) {
        let labels = block.labels.iter().map(|label| match label.identifier {
            Some(title) => format!(" {}({title:?})", label.name.to_uppercase()),
            None => format!(" {}", label.name.to_uppercase()),
        });
        let labels: String = labels.collect();
        let kind = if block.kind == block.keyword { String::new() } else { format!(", kind {}", block.kind) };
        let constant = if block.constant { ", constant" } else { "" };
        let counted = if block.labels_are_counted { ", labels are counted" } else { "" };
        let further = match block.further_labels {
            "refused" => String::new(),
            word => format!(", further labels {word}"),
        };
        let nameless = if block.ignore_unlabeled { ", nothing without a name" } else { "" };
        let listed = if block.omit_if_empty { ", nothing when empty" } else { "" };
        let unlisted = match &*block.unlisted {
            [] => String::new(),
            unlisted => format!(", unlisted {}", unlisted.join(" ")),
        };
        let when = when(&block.when);
        let source = block.source;
        self.row(
            level,
            &format!(
                "{word} {}{labels}{kind}{counted}{further}{nameless}{constant}{listed}{unlisted}{when} ({source})",
                block.keyword
            ),
        );
        let level = level + 1;
        self.row(level, &format!("body {}", rule(&block.body)));
        // A block that is not read produces nothing to which the other rules could apply.
        if !matches!(block.body.rule, "refused" | "dropped") {
            for (word, of) in [("address", &block.address), ("repeat", &block.repeat), ("override", &block.over)] {
                self.row(level, &format!("{word} {}", rule(of)));
            }
        }
        block.titles.iter().for_each(|row| self.title(level, row));
        block.rules_checked.iter().for_each(|row| self.rule_row(level, "check", row));
        block.arguments.iter().for_each(|row| self.argument(level, row));
        block.blocks.iter().for_each(|row| self.block(level, "block", row));
        if let Some(kinds) = &block.by_first_label {
            for (label, row) in &kinds.rows {
                self.block(level, &format!("first label {label:?}: block"), row);
            }
            self.row(level, &format!("any other first label: {:?}", kinds.title));
        }
    }

    fn argument(&mut self, level: usize, row: &TableArgument) {
        let TableArgument { name, required, kind, merge, when: releases } = row;
        let required = if *required == "no" { String::new() } else { format!(", required {required}") };
        let shown = format!("argument {name}: {}{required}, override {}{}", rule(kind), rule(merge), when(releases));
        self.row(level, &shown);
        // The object that the argument produces has a row of its own.
        if let Some(TableValue::Block(object)) = kind.given.get("object") {
            self.block(level + 1, "object", object);
        }
    }

    fn title(&mut self, level: usize, row: &TableTitle) {
        self.row(level, &format!("title {} {:?} says {:?}{}", row.code, row.title, row.says, when(&row.when)));
    }

    fn rule_row(&mut self, level: usize, word: &str, row: &TableRuleRow) {
        self.row(level, &format!("{word} {}{}", rule(&row.rule), when(&row.when)));
    }
}

fn when(releases: &TableReleases) -> String {
    let part = |word: &str, release: &Option<String>| {
        release.as_ref().map_or_else(String::new, |release| format!(", {word} {release}"))
    };
    part("since", &releases.since) + &part("until", &releases.until)
}

fn rule(rule: &TableRule) -> String {
    let given: Vec<String> = shown(&rule.given);
    if given.is_empty() { rule.rule.to_owned() } else { format!("{}({})", rule.rule, given.join(", ")) }
}

fn shown(given: &BTreeMap<&'static str, TableValue>) -> Vec<String> {
    let texts = given.iter().filter_map(|(name, value)| {
        Some(match value {
            TableValue::Flag(flag) => format!("{name} {flag}"),
            TableValue::Text(text) => format!("{name} {text:?}"),
            TableValue::Words(words) => format!("{name} [{}]", words.join(" ")),
            TableValue::Rule(inner) => format!("{name} {}", rule(inner)),
            TableValue::Block(_) => return None,
        })
    });
    texts.collect()
}

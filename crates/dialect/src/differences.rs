//! Everything in which versions of a tool differ, listed from the rows: docs/versions.md and `GET /v1/versions` show it, and
//! the record is held against it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::behaviours::{BEHAVIOURS, ShowsIn};
use super::registry::{compared_tables, row_names};
use super::spec::{
    AttrSpec, BlockSpec, BuiltinKind, BuiltinRow, CheckRow, Described as _, DialectSpec, KindRow, Kinds, NamedFile,
    Release, RuleRow, SuffixRow, TitleRow, When,
};

/// Something that a tool does in some versions and not in others.
#[derive(Debug)]
pub struct Difference {
    /// Its name, which stays the same: `function:convert`, `argument:variable.nullable`.
    pub id: String,
    /// What it is, in a sentence or two for those who use the tool.
    pub summary: String,
    /// The releases in which it holds: each dialect that knows it, with its ranges, oldest first. Two ranges that touch are
    /// two forms of it.
    pub ranges: BTreeMap<&'static str, Vec<When>>,
    /// Where it is known from.
    pub source: String,
    /// The first kind of answer in which it can show.
    pub shows_in: ShowsIn,
}

impl Difference {
    /// Returns the releases of a dialect in which it begins or ceases to hold, or takes another form, oldest first.
    pub fn boundaries(&self, dialect: &str) -> Vec<Release> {
        let ranges = self.ranges.get(dialect).into_iter().flatten();
        let edges =
            ranges.flat_map(|when| [Some(when.since).filter(|since| *since != When::ALWAYS.since), when.until]);
        let mut edges: Vec<Release> = edges.flatten().collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }
}

/// Whether a difference was only read, in the sources of a tool or a document, because no load, validation or plan shows it.
pub fn is_read(id: &str) -> bool {
    include_str!("read_rows.txt").lines().any(|line| line == id)
}

/// Returns the names of the differences that were only read.
pub fn read_rows() -> impl Iterator<Item = &'static str> {
    include_str!("read_rows.txt").lines()
}

/// Returns all differences between versions of the tools whose versions are compared, in order of their names. The list is
/// made once and kept.
pub fn differences() -> &'static [Difference] {
    static LIST: OnceLock<Vec<Difference>> = OnceLock::new();
    LIST.get_or_init(|| {
        let mut found = Collector::default();
        for table in compared_tables() {
            found.table(&table.spec);
        }
        let mut list: Vec<Difference> = found.0.into_values().collect();
        list.extend(BEHAVIOURS.iter().map(|row| {
            Difference {
                id: row.id.to_owned(),
                summary: row.summary.to_owned(),
                ranges: compared_tables()
                    .map(|table| (table.spec.name, row.ranges(table.spec.name).to_vec()))
                    .filter(|(_, ranges)| !ranges.is_empty())
                    .collect(),
                source: row.source.to_owned(),
                shows_in: row.shows_in,
            }
        }));
        // What one tool does in all its versions is no difference between versions.
        list.retain(|found| compared_tables().any(|table| !found.boundaries(table.spec.name).is_empty()));
        list.sort_by(|left, right| left.id.cmp(&right.id));
        list
    })
}

/// The rows that say something of one thing, by name.
#[derive(Default)]
struct Collector(BTreeMap<String, Difference>);

impl Collector {
    fn add(&mut self, dialect: &'static str, id: String, when: When, source: &str, summary: String) {
        let found = self.0.entry(id.clone()).or_insert_with(|| Difference {
            id,
            summary,
            ranges: BTreeMap::new(),
            source: format!("docs/rules/{dialect}.md{}{source}", if source.is_empty() { "" } else { ", " }),
            shows_in: ShowsIn::Load,
        });
        let ranges = found.ranges.entry(dialect).or_default();
        ranges.push(when);
        ranges.sort_unstable_by_key(|when| when.since);
        ranges.dedup();
    }

    fn table(&mut self, spec: &DialectSpec) {
        let dialect = spec.name;
        let files = &spec.files;
        for &SuffixRow { suffix, when, .. } in files.suffixes {
            self.add(dialect, row_names::file(suffix), when, "", format!("Files named `*{suffix}` are read."));
        }
        for &NamedFile { name, when, .. } in files.alone.iter().chain(files.by_request) {
            self.add(dialect, row_names::file(name), when, "", format!("The file `{name}` is read."));
        }
        if let Some(tests) = &files.tests {
            self.inside(dialect, &tests.file, "test");
        }
        self.blocks(dialect, spec.blocks, "");
        for RuleRow { rule, when } in spec.rule_rows {
            let described = rule.described();
            self.add(dialect, row_names::rule(&described), *when, "", described.about.to_owned());
        }
        for &BuiltinRow { kind, names, when } in spec.builtins {
            for name in names {
                self.add(dialect, row_names::builtin(kind, name), when, "", built_in(kind, name));
            }
        }
        for row in spec.titles {
            self.title(dialect, "", row);
        }
    }

    fn blocks(&mut self, dialect: &'static str, rows: &[BlockSpec], outer: &str) {
        for row in rows {
            let place = if outer.is_empty() { String::new() } else { format!(" in `{outer}`") };
            let summary = format!("The block type `{}` exists{place}.", row.keyword);
            self.add(dialect, row_names::block(outer, row), row.when, row.source, summary);
            self.inside(dialect, row, outer);
        }
    }

    fn inside(&mut self, dialect: &'static str, row: &BlockSpec, outer: &str) {
        let path = row_names::path(outer, row);
        for &AttrSpec { name, when, .. } in row.attrs {
            let summary = format!("The argument `{name}` exists in `{path}` blocks.");
            self.add(dialect, row_names::argument(&path, name), when, row.source, summary);
        }
        for CheckRow { check, when } in row.checks {
            let described = check.described();
            let summary = format!("In `{path}` blocks: {}", described.about);
            self.add(dialect, row_names::check(&path, &described), *when, row.source, summary);
        }
        for title in row.titles {
            self.title(dialect, &path, title);
        }
        self.blocks(dialect, row.blocks, &path);
        if let Kinds::ByFirstLabel { rows, .. } = row.kinds {
            for kind in rows {
                let KindRow { label, spec, .. } = kind;
                let summary = format!("The block type `{}` exists with the label `{label}`.", spec.keyword);
                self.add(dialect, row_names::kind(outer, kind), spec.when, spec.source, summary);
                self.inside(dialect, spec, outer);
            }
        }
    }

    fn title(&mut self, dialect: &'static str, path: &str, row: &TitleRow) {
        let place = if path.is_empty() { String::new() } else { format!(" in `{path}` blocks") };
        let summary = format!("The error \"{}\" has the title \"{}\"{place}.", row.title, row.says);
        self.add(dialect, row_names::title(path, row), row.when, "", summary);
    }
}

/// Returns what is said of something built in.
fn built_in(kind: BuiltinKind, name: &str) -> String {
    let own = name.rsplit('.').next().unwrap_or(name);
    match kind {
        BuiltinKind::Function => format!("The function `{name}` exists."),
        BuiltinKind::ResourceType => format!("The built-in resource type `{own}` exists."),
        BuiltinKind::DataSource => format!("The built-in data source `{own}` exists."),
        BuiltinKind::ProviderFunction => format!("The built-in provider has the function `{own}`."),
        BuiltinKind::PathAttribute => format!("The reference `path.{name}` exists."),
        BuiltinKind::ToolAttribute => format!("The reference `terraform.{name}` exists."),
        BuiltinKind::Backend => format!("The backend `{name}` exists."),
        BuiltinKind::KeyProvider => format!("The key provider `{name}` exists."),
        BuiltinKind::EncryptionMethod => format!("The encryption method `{name}` exists."),
    }
}

#[cfg(test)]
mod tests {
    use super::differences;
    use crate::spec::Release;
    use crate::{find, with_row_of};

    #[test]
    fn rows_about_one_thing_are_one_difference() {
        let found = |id: &str| differences().iter().find(|found| found.id == id).unwrap();
        assert_eq!(found("block:moved").boundaries("terraform"), [Release(1, 1, 0)]);
        assert_eq!(found("argument:variable.ephemeral").boundaries("terraform"), [Release(1, 10, 0)]);
        assert_eq!(found("argument:variable.ephemeral").boundaries("opentofu"), [Release(1, 11, 0)]);
        assert!(differences().iter().all(|found| found.summary.ends_with('.')));
    }

    #[test]
    fn a_row_can_be_taken_from_another_release() {
        let table = with_row_of("terraform", "1.1.0", "block:moved", "1.0.11").unwrap();
        assert!(find("terraform", Some("1.1.0")).unwrap().block("moved").is_some());
        assert!(table.block("moved").is_none() && table.block("resource").is_some());
    }
}

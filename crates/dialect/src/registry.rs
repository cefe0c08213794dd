//! Finds the flattened table for a dialect's name and version.

mod eras;
pub(super) mod row_names;
mod stations;

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::behaviours::Behaviours;
use super::spec::{
    AttrSpec, BlockSpec, BuiltinKind, BuiltinRow, CheckRow, Described as _, DialectSpec, KindRow, Kinds, MockRules,
    NamedFile, Release, RuleRow, Rules, SuffixRow, TestRules, TitleRow, Traits, When,
};
use super::{opentofu, sentinel, terraform, terraform_0_11, tflint};
pub(crate) use eras::compared_tables;
pub use eras::{Era, compared, eras, tool_words};
use overfold_eval::{FunctionSet, YamlRules};
pub use stations::{Station, stations_between, without_constraints};

/// The rows of a dialect for all versions, and its known versions.
#[derive(Debug)]
pub(super) struct Table {
    /// All rows.
    pub(super) spec: DialectSpec,
    /// The version that is followed by default.
    pub(super) newest: &'static str,
    /// The known releases.
    pub(super) lines: &'static [Line],
}

/// The releases of one minor version: patch 0 to the last one, or a single release candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) major: u16,
    pub(super) minor: u16,
    pub(super) last: u16,
    /// The end of the name of the release (`rc2`) if the line is a single candidate, otherwise `""`.
    pub(super) candidate: &'static str,
    /// The patches that were asked themselves (tests/conformance/versions…), oldest first. What is known of a line without
    /// any was only read.
    pub(super) recorded: &'static [u16],
}

impl Line {
    /// Creates the releases `major.minor.0` to `major.minor.last`.
    pub(super) const fn new(major: u16, minor: u16, last: u16) -> Self {
        Self { major, minor, last, candidate: "", recorded: &[] }
    }

    /// Says which patches were asked themselves.
    pub(super) const fn recorded(self, recorded: &'static [u16]) -> Self {
        Self { recorded, ..self }
    }

    fn text(self, patch: u16) -> String {
        let Self { major, minor, candidate, .. } = self;
        if candidate.is_empty() {
            format!("{major}.{minor}.{patch}")
        } else {
            format!("{major}.{minor}.{patch}-{candidate}")
        }
    }

    fn patches(self) -> std::ops::RangeInclusive<u16> {
        if self.candidate.is_empty() { 0..=self.last } else { self.last..=self.last }
    }
}

static TABLES: &[&Table] =
    &[&terraform::TABLE, &opentofu::TABLE, &sentinel::TABLE, &tflint::TABLE, &terraform_0_11::TABLE];

/// Why no table was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotFound {
    /// There is no dialect of that name.
    Dialect,
    /// The dialect does not know the version.
    Version {
        /// The dialect.
        dialect: &'static str,
        /// The versions that it knows, in words.
        known: String,
        /// What was probably meant, as a sentence; empty if that is not clear.
        hint: String,
    },
}

/// Returns the names of the files in which repositories name the version of some tool.
pub fn version_files() -> impl Iterator<Item = &'static str> {
    TABLES.iter().filter_map(|table| table.spec.version_file)
}

/// Returns the names of all dialects, in the order of the tables.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|table| table.spec.name)
}

/// Returns the versions that a dialect knows, oldest first, and the one that is followed by default.
pub fn versions(name: &str) -> Option<(Vec<String>, &'static str)> {
    let table = TABLES.iter().find(|table| table.spec.name == name)?;
    let all = table.lines.iter().flat_map(|line| line.patches().map(|patch| line.text(patch))).collect();
    Some((all, table.newest))
}

/// The releases of one minor version, as people see them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReleaseLine {
    /// `1.11`
    pub line: String,
    /// The newest release of the line, in full.
    pub newest: String,
    /// Whether that is a release candidate.
    pub is_candidate: bool,
    /// The releases that were asked themselves, oldest first.
    pub recorded: Vec<String>,
}

/// Returns the lines of releases of a dialect, oldest first; none for an unknown one.
pub fn lines(name: &str) -> Vec<ReleaseLine> {
    let lines = TABLES.iter().filter(|table| table.spec.name == name).flat_map(|table| table.lines);
    let line = |line: &Line| ReleaseLine {
        line: format!("{}.{}", line.major, line.minor),
        newest: line.text(line.last),
        is_candidate: !line.candidate.is_empty(),
        recorded: line.recorded.iter().map(|&patch| line.text(patch)).collect(),
    };
    lines.map(line).collect()
}

/// Whether plans and validations of the release line of a version were recorded by running releases of it.
pub fn is_recorded(name: &str, version: &str) -> bool {
    let table = TABLES.iter().find(|table| table.spec.name == name);
    table.and_then(|table| release(table.lines, version)).is_some_and(|(line, _)| !line.recorded.is_empty())
}

/// Whether some version of a dialect reads a file of this name (without folders) by itself: as configuration, as a
/// test file, or for values of variables. For an unknown dialect, this is true of any file.
pub fn may_read(dialect: &str, name: &str) -> bool {
    rows(dialect).is_none_or(|spec| {
        let files = &spec.files;
        files.suffixes.iter().any(|row| name.ends_with(row.suffix))
            || files.values.iter().any(|row| row.matches(name))
            || files.alone.iter().any(|row| row.name == name)
    })
}

/// Returns the types of the blocks that may stand at the top of a file that some version of some dialect reads, sorted
/// by bytes. The list is built once and kept.
pub fn block_types() -> &'static [&'static str] {
    static CACHE: OnceLock<Vec<&'static str>> = OnceLock::new();
    CACHE.get_or_init(|| {
        let of_tests = |table: &&'static Table| table.spec.files.tests.map_or(&[][..], |rules| rules.file.blocks);
        let rows = TABLES.iter().flat_map(|table| table.spec.blocks.iter().chain(of_tests(table)));
        let mut types: Vec<&str> = rows.map(|row| row.keyword).collect();
        types.sort_unstable();
        types.dedup();
        types
    })
}

/// Returns every row of a dialect, for all versions; the version of the result is empty.
pub fn rows(name: &str) -> Option<&'static DialectSpec> {
    TABLES.iter().find(|table| table.spec.name == name).map(|table| &table.spec)
}

/// Returns the table of the dialect `name` for a version: `1.11` (its last release), `1.11.4`, or `None` for the
/// newest. A table is built once for each release and kept.
///
/// # Errors
/// [`NotFound`] if there is no such dialect, or the dialect does not know the version.
pub fn find(name: &str, version: Option<&str>) -> Result<&'static DialectSpec, NotFound> {
    static CACHE: OnceLock<Mutex<BTreeMap<(&'static str, Release), &'static DialectSpec>>> = OnceLock::new();
    let table = TABLES.iter().find(|table| table.spec.name == name).ok_or(NotFound::Dialect)?;
    let asked = version.unwrap_or(table.newest);
    let Some((line, patch)) = release(table.lines, asked) else {
        let hint = super::likely_version::hint(table, TABLES, asked);
        return Err(NotFound::Version { dialect: table.spec.name, known: known(table), hint });
    };
    let release = Release(line.major, line.minor, patch);
    // The map remains consistent even if a thread panics while it holds the lock, so poisoning is ignored.
    let mut cache = CACHE.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    Ok(cache.entry((table.spec.name, release)).or_insert_with(|| {
        let version = Box::leak(line.text(patch).into_boxed_str());
        Box::leak(Box::new(flatten(&table.spec, &Moment::at_release(release), version)))
    }))
}

/// Returns the newest table of the dialect whose native syntax has the older grammar.
pub fn with_older_grammar() -> Option<&'static DialectSpec> {
    let table = TABLES.iter().find(|table| table.spec.reads_hcl1())?;
    find(table.spec.name, None).ok()
}

/// Returns the functions that expressions may call in this dialect and version. The set is built once and kept, like
/// the table.
pub fn functions(spec: &'static DialectSpec) -> &'static FunctionSet {
    static CACHE: OnceLock<Mutex<BTreeMap<(&'static str, &'static str), &'static FunctionSet>>> = OnceLock::new();
    let mut cache = CACHE.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    cache.entry((spec.name, spec.version)).or_insert_with(|| {
        let of_provider = spec.builtins_of(BuiltinKind::ProviderFunction).collect();
        let namespaces = spec.rules.expressions.namespaced_functions;
        let has = |name: &str| spec.has_builtin(BuiltinKind::Function, name);
        let varied = (spec.variables.functions, super::evaluation::variations(spec));
        let set = FunctionSet::named(varied, has, of_provider, namespaces);
        let rules = spec.rules.expressions;
        let yaml = YamlRules {
            loose_integers: rules.yaml_integers_are_loose,
            merges_lists: rules.yaml_lists_are_merged,
            null_is_unknown: rules.yaml_null_is_unknown,
        };
        Box::leak(Box::new(set.reading_yaml(yaml)))
    })
}

/// Returns the line of a version, and its patch number: of the last release if the version has none.
pub(super) fn release(lines: &'static [Line], asked: &str) -> Option<(Line, u16)> {
    let (major, rest) = number(asked.strip_prefix('v').unwrap_or(asked))?;
    let (minor, rest) = number(rest.strip_prefix('.')?)?;
    let mut of_minor = lines.iter().filter(|line| (line.major, line.minor) == (major, minor));
    if rest.is_empty() {
        return of_minor.next().map(|&line| (line, line.last));
    }
    let (patch, rest) = number(rest.strip_prefix('.')?)?;
    let candidate = if rest.is_empty() { "" } else { rest.strip_prefix('-')? };
    let line = of_minor.find(|line| line.patches().contains(&patch) && line.candidate == candidate)?;
    (rest.is_empty() || !candidate.is_empty()).then_some((*line, patch))
}

/// Splits off a decimal number in its shortest form.
fn number(text: &str) -> Option<(u16, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    let is_shortest = digits == "0" || !digits.starts_with('0');
    digits.parse().ok().filter(|_| is_shortest).map(|number| (number, rest))
}

fn known(table: &Table) -> String {
    let lines: Vec<String> = table
        .lines
        .iter()
        .map(|line| match line.candidate {
            "" if line.last == 0 => line.text(0),
            "" => format!("{0}.{1}.0 to {0}.{1}.{2}", line.major, line.minor, line.last),
            _ => line.text(line.last),
        })
        .collect();
    lines.join(", ")
}

fn flatten(all: &DialectSpec, moment: &Moment<'_>, version: &'static str) -> DialectSpec {
    let mut files = all.files;
    let of_file = |name: &'static str| move || row_names::file(name);
    files.suffixes = filter_rows(files.suffixes, |row: &SuffixRow| moment.holds(row.when, of_file(row.suffix)));
    files.alone = filter_rows(files.alone, |row: &NamedFile| moment.holds(row.when, of_file(row.name)));
    files.by_request = filter_rows(files.by_request, |row: &NamedFile| moment.holds(row.when, of_file(row.name)));
    files.tests = files.tests.map(|tests| TestRules {
        file: block(&tests.file, moment, "test"),
        mocks: tests.mocks.map(|mocks| MockRules { file: block(&mocks.file, moment, "test/test file"), ..mocks }),
        ..tests
    });
    let rule_rows =
        filter_rows(all.rule_rows, |row: &RuleRow| moment.holds(row.when, || row_names::rule(&row.rule.described())));
    let functions_of = all.variables.functions_of.map(|(major, minor)| Release(major, minor, 0));
    let of_functions = Moment { release: functions_of.unwrap_or(moment.release), moved: moment.moved };
    DialectSpec {
        version,
        files,
        blocks: blocks(all.blocks, moment, ""),
        rule_rows,
        rules: Rules::of(rule_rows),
        behaviours: Behaviours::of(all.name, moment),
        builtins: builtins(all.builtins, &of_functions),
        titles: filter_rows(all.titles, |row: &TitleRow| moment.holds(row.when, || row_names::title("", row))),
        ..*all
    }
}

/// A table is flattened for a release; a single row may be taken as it is elsewhere, to show what it does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment<'m> {
    /// The release.
    pub(super) release: Release,
    /// The name of the row that is taken from elsewhere, and how it is there.
    pub(super) moved: Option<(&'m str, MovedRow)>,
}

/// How a single row is that is not taken from the release of the others.
#[derive(Clone, Copy, Debug)]
pub(super) enum MovedRow {
    /// As in another release of the dialect.
    AsIn(Release),
    /// As in another dialect: whether it holds there.
    Held(bool),
}

impl Moment<'static> {
    /// A release as it is.
    pub(super) const fn at_release(release: Release) -> Self {
        Self { release, moved: None }
    }
}

impl Moment<'_> {
    /// Whether a row with this name holds.
    pub(super) fn holds(&self, when: When, name: impl FnOnce() -> String) -> bool {
        match self.moved.filter(|(row, _)| name() == *row) {
            Some((_, MovedRow::AsIn(release))) => when.holds(release),
            Some((_, MovedRow::Held(is_held))) => is_held,
            None => when.holds(self.release),
        }
    }

    /// Whether a row with this name is held to be there or not, whatever its releases are.
    pub(super) fn held(&self, name: &str) -> Option<bool> {
        match self.moved {
            Some((row, MovedRow::Held(is_held))) if name == row => Some(is_held),
            _ => None,
        }
    }
}

fn builtins(rows: &'static [BuiltinRow], moment: &Moment<'_>) -> &'static [BuiltinRow] {
    if moment.moved.is_none() {
        return filter_rows(rows, |row: &BuiltinRow| row.when.holds(moment.release));
    }
    let row = |row: &BuiltinRow| {
        let holds = |name: &&'static str| moment.holds(row.when, || row_names::builtin(row.kind, name));
        let names: Vec<&'static str> = row.names.iter().copied().filter(holds).collect();
        BuiltinRow { names: Box::leak(names.into_boxed_slice()), ..*row }
    };
    Box::leak(rows.iter().map(row).collect::<Vec<_>>().into_boxed_slice())
}

fn blocks(rows: &'static [BlockSpec], moment: &Moment<'_>, outer: &str) -> &'static [BlockSpec] {
    let rows: Vec<BlockSpec> = rows
        .iter()
        .filter(|row| moment.holds(row.when, || row_names::block(outer, row)))
        .map(|row| block(row, moment, outer))
        .collect();
    Box::leak(rows.into_boxed_slice())
}

fn block(row: &BlockSpec, moment: &Moment<'_>, outer: &str) -> BlockSpec {
    let path = row_names::path(outer, row);
    let spec = BlockSpec {
        attrs: filter_rows(row.attrs, |attr: &AttrSpec| {
            moment.holds(attr.when, || row_names::argument(&path, attr.name))
        }),
        blocks: blocks(row.blocks, moment, &path),
        label_names: Box::leak(row.labels.iter().map(|label| label.name).collect()),
        checks: filter_rows(row.checks, |check: &CheckRow| {
            moment.holds(check.when, || row_names::check(&path, &check.check.described()))
        }),
        titles: filter_rows(row.titles, |title: &TitleRow| {
            moment.holds(title.when, || row_names::title(&path, title))
        }),
        kinds: kinds(row.kinds, moment, outer),
        ..*row
    };
    BlockSpec { traits: Traits::from_spec(&spec), ..spec }
}

fn kinds(kinds: Kinds, moment: &Moment<'_>, outer: &str) -> Kinds {
    match kinds {
        Kinds::One => Kinds::One,
        Kinds::ByFirstLabel { rows, title } => {
            let rows: Vec<KindRow> = rows
                .iter()
                .filter(|row| moment.holds(row.spec.when, || row_names::kind(outer, row)))
                .map(|row| KindRow { spec: block(&row.spec, moment, outer), ..*row })
                .collect();
            Kinds::ByFirstLabel { rows: Box::leak(rows.into_boxed_slice()), title }
        }
    }
}

fn filter_rows<T: Copy>(rows: &'static [T], holds: impl Fn(&T) -> bool) -> &'static [T] {
    if rows.iter().all(&holds) {
        return rows;
    }
    Box::leak(rows.iter().copied().filter(holds).collect::<Vec<T>>().into_boxed_slice())
}

/// Returns the table of a release in which one row is as in another release; both are of the dialect. The table is not
/// kept, and its version is that of the release with the name of the row, so that nothing that is kept by version is
/// mistaken for it. `None` if the dialect does not know one of the releases.
pub fn with_row_of(name: &str, version: &str, row: &str, other: &str) -> Option<&'static DialectSpec> {
    let table = TABLES.iter().find(|table| table.spec.name == name)?;
    let at = |version| release(table.lines, version).map(|(line, patch)| Release(line.major, line.minor, patch));
    let moment = Moment { release: at(version)?, moved: Some((row, MovedRow::AsIn(at(other)?))) };
    let version = Box::leak(format!("{version}~{row}@{other}").into_boxed_str());
    Some(Box::leak(Box::new(flatten(&table.spec, &moment, version))))
}

#[cfg(test)]
mod tests {
    use super::super::spec::{AttrKind, Described, Description};
    use super::*;
    use std::collections::HashSet;

    /// Checks that no two rows that hold at the same time set the same property of a block type or a module; its field
    /// would only keep the last of them.
    fn check_flags(path: &str, said: impl Iterator<Item = Description>) {
        let mut seen = HashSet::new();
        for row in said {
            assert!(seen.insert(row.id), "{path}: {} twice at once", row.id);
        }
    }

    fn check_blocks(path: &str, rows: &[BlockSpec]) {
        let mut seen = HashSet::new();
        for row in rows {
            let path = format!("{path}/{}", row.keyword);
            assert!(seen.insert(row.keyword), "{path}: two rows hold at once");
            assert!(!row.source.is_empty(), "{path}: no source");
            check_flags(&path, row.block_traits().map(|row| row.described()));
            let mut names = HashSet::new();
            for attr in row.attrs {
                assert!(names.insert(attr.name), "{path}.{}: two rows hold at once", attr.name);
                if let AttrKind::RequiredVersion(element) = attr.kind {
                    assert!(!element.source.is_empty(), "{path}.{}: no source", attr.name);
                    assert!(element.checks.is_empty(), "{path}.{}: the row of an argument has no traits", attr.name);
                }
            }
            if let Kinds::ByFirstLabel { rows, .. } = row.kinds {
                for kind in rows {
                    assert!(kind.spec.keyword == row.keyword && kind.spec.address == row.address, "{path}: {kind:?}");
                    check_blocks(&format!("{path}.{}", kind.label), &[kind.spec]);
                }
            }
            check_blocks(&path, row.blocks);
        }
    }

    #[test]
    fn every_version_of_every_table_names_each_thing_once() {
        for name in names() {
            let (all, newest) = versions(name).unwrap();
            assert!(all.iter().any(|version| version == newest), "{name}: {newest} is not among its versions");
            for version in all {
                let spec = find(name, Some(&version)).unwrap();
                assert_eq!(spec.version, version);
                check_flags(name, spec.rule_rows.iter().map(|row| row.rule.described()));
                check_blocks(&format!("{name} {version}"), spec.blocks);
                check_blocks(
                    &format!("{name} {version} tests"),
                    spec.files.tests.map_or(&[], |tests| tests.file.blocks),
                );
            }
        }
    }

    #[test]
    fn a_minor_version_stands_for_its_last_release() {
        assert_eq!(find("terraform", Some("1.11")).unwrap().version, "1.11.4");
        assert_eq!(find("terraform", Some("1.11.0")).unwrap().version, "1.11.0");
        let (all, newest) = versions("terraform").unwrap();
        let last = all.last().unwrap();
        assert_eq!(find("terraform", Some(&format!("v{last}"))).unwrap().version, last);
        assert_eq!(find("terraform", None).unwrap().version, newest);
        for unknown in ["1", "1.99", "1.11.5", "", "1.11.04", "1.011", "1.11.", "1.11-", "1.11.4-", "latest"] {
            let NotFound::Version { known, .. } = find("terraform", Some(unknown)).unwrap_err() else {
                panic!("{unknown:?} is a version of a dialect")
            };
            assert!(known.contains("1.14.0 to 1.14.9"), "{known}");
        }
        assert_eq!(find("pulumi", None).unwrap_err(), NotFound::Dialect);
    }

    /// The rows of the tables and the functions that can be evaluated are the same names, and rows can be searched.
    #[test]
    fn every_function_has_a_row_and_a_body() {
        for name in ["terraform", "opentofu"] {
            let table = TABLES.iter().find(|table| table.spec.name == name).unwrap();
            let rows: HashSet<&str> = table.spec.builtins_of(BuiltinKind::Function).collect();
            let bodies: HashSet<&str> = FunctionSet::all(table.spec.variables.functions).names().collect();
            assert!(rows.is_subset(&bodies), "{name}: {:?}", rows.difference(&bodies));
            let mut either: HashSet<&str> = HashSet::new();
            for table in TABLES {
                either.extend(table.spec.builtins_of(BuiltinKind::Function));
            }
            assert!(bodies.is_subset(&either), "{name}: {:?}", bodies.difference(&either));
            for row in table.spec.builtins {
                assert!(row.names.is_sorted(), "{name}: {row:?}");
            }
            let newest = find(name, None).unwrap();
            assert!(
                newest.has_builtin(BuiltinKind::Backend, "s3") && !newest.has_builtin(BuiltinKind::Backend, "etcd")
            );
        }
        assert!(functions(find("tflint", None).unwrap()).get("ephemeralasnull").is_some());
        assert!(functions(find("terraform", Some("1.7")).unwrap()).get("core::upper").is_none());
    }

    #[test]
    fn lines_name_their_newest_release_and_what_was_recorded() {
        for name in ["terraform", "opentofu"] {
            let all = lines(name);
            assert!(all.iter().all(|line| line.recorded.contains(&line.newest)), "{all:?}");
        }
        for line in lines("terraform") {
            let (release, candidate) = line.newest.split_once('-').unwrap_or((&line.newest, ""));
            assert_eq!(!candidate.is_empty(), line.is_candidate, "{line:?}");
            assert_eq!(find("terraform", Some(release)).is_err(), line.is_candidate, "{line:?}");
        }
        assert!(is_recorded("terraform", "1.10.2") && is_recorded("opentofu", "1.12.0"));
        assert!(!is_recorded("terraform", "1.99.0") && !is_recorded("tflint", "0.50.0"));
    }

    #[test]
    fn rows_come_and_go_with_their_releases() {
        let has = |version, block: &str| find("terraform", Some(version)).unwrap().block(block).is_some();
        assert!(!has("1.0.11", "moved") && has("1.1.0", "moved"));
        assert!(!has("1.9.8", "ephemeral") && has("1.10.0", "ephemeral"));
        let backend = |version| {
            find("terraform", Some(version)).unwrap().title("load/duplicate", "Duplicate backend configuration")
        };
        assert_eq!(backend("1.12.2"), "Duplicate backend configuration");
        assert_eq!(backend("1.13.0"), "Duplicate 'backend' configuration block");
    }
}

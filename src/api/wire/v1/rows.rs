//! Converts the rows of a table to their wire form. The name and meaning of each value are declared next to it
//! (`dialect::Described`); here, each field takes one line. If a row gains a field without a wire form, this does not
//! compile.

use std::collections::BTreeMap;

use super::{
    Dialect, DialectList, DialectSummary, DialectTable, TableArgument, TableBlock, TableBuiltins, TableFiles,
    TableKinds, TableLabel, TableMocks, TableNamedFile, TableReleases, TableRule, TableRuleRow, TableSuffix,
    TableTests, TableTitle, TableValue, TableValuesFile, TableVariables, ToolStage,
};
use overfold_dialect::{
    self as dialect, AttrSpec, BlockSpec, BuiltinRow, CheckRow, Described, Description, DialectSpec, FileRules,
    KindRow, Kinds, LabelSpec, MockRules, NamedFile, NotFound, ParameterValue, Release, RuleRow, SuffixRow,
    TestRules, TitleRow, ValuesRow, VariableRules, When,
};

/// Returns the title for people, and a description of a sentence or two.
const fn title_and_about(dialect: Dialect) -> (&'static str, &'static str) {
    match dialect {
        Dialect::Terraform => ("Terraform", "Terraform 1.x: modules and their override files."),
        Dialect::OpenTofu => (
            "OpenTofu",
            "OpenTofu 1.x: the language of OpenTofu, with .tofu files and values that are evaluated while the module is loaded.",
        ),
        Dialect::TfLint => (
            "TFLint",
            "A module as the rules of TFLint see it: the list of its blocks after TFLint's own override merging.",
        ),
        Dialect::Sentinel => {
            ("Sentinel", "The configuration of the Sentinel command line: policies, imports, mocks and parameters.")
        }
        Dialect::Terraform011 => (
            "Terraform 0.11",
            "Terraform 0.11 with its older grammar; maps of several sources are merged key by key.",
        ),
    }
}

impl DialectList {
    /// Lists every dialect that has a table, the default first.
    pub(crate) fn known() -> Self {
        Self { dialects: Dialect::NAMES.iter().filter_map(|(name, _)| DialectSummary::of(name)).collect() }
    }
}

impl DialectSummary {
    fn of(asked: &str) -> Option<Self> {
        let (name, dialect) = Dialect::NAMES.iter().find(|(name, _)| *name == asked)?;
        let (versions, default_version) = dialect::versions(name)?;
        let (title, about) = title_and_about(*dialect);
        let validate = dialect::rows(name)?.validate.map(|_| ToolStage::Validate);
        let stages = [Some(ToolStage::Load), validate].into_iter().flatten().collect();
        Some(Self { name, title, about, default_version, versions, stages })
    }
}

impl DialectTable {
    /// Returns the table of a dialect: the rows that apply in `version` (`1.11` or `1.11.4`), or all of them.
    ///
    /// # Errors
    /// Returns [`NotFound`] if there is no such dialect, or it does not know the version.
    pub(crate) fn of(name: &str, version: Option<&str>) -> Result<Self, NotFound> {
        let about = DialectSummary::of(name).ok_or(NotFound::Dialect)?;
        let spec = match version {
            Some(version) => dialect::find(name, Some(version))?,
            None => dialect::rows(name).ok_or(NotFound::Dialect)?,
        };
        let mut terms = Terms::default();
        let DialectSpec {
            name: _,
            tool: _,
            validate: _,
            version_file: _,
            version: full,
            files,
            variables,
            view,
            blocks,
            rule_rows,
            rules: _,
            behaviours: _,
            builtins,
            titles,
            decisions,
        } = spec;
        Ok(Self {
            dialect: about,
            version: version.map(|_| *full),
            view: terms.rule(view),
            files: terms.files(files),
            variables: terms.variables(variables),
            blocks: blocks.iter().map(|row| terms.block(row)).collect(),
            rules: rule_rows
                .iter()
                .map(|&RuleRow { rule, when }| TableRuleRow { rule: terms.rule(&rule), when: when.into() })
                .collect(),
            builtins: builtins
                .iter()
                .map(|&BuiltinRow { kind, names, when }| TableBuiltins {
                    built_in: terms.word(&kind),
                    names,
                    when: when.into(),
                })
                .collect(),
            titles: titles
                .iter()
                .map(|&TitleRow { code, title, says, when }| TableTitle { code, title, says, when: when.into() })
                .collect(),
            decisions,
            terms: terms.0,
        })
    }
}

impl From<When> for TableReleases {
    fn from(When { since, until }: When) -> Self {
        Self { since: (since != When::ALWAYS.since).then(|| release(since)), until: until.map(release) }
    }
}

fn release(Release(major, minor, patch): Release) -> String {
    format!("{major}.{minor}.{patch}")
}

/// The meanings of the rules and words encountered so far, by the field in which they appear.
#[derive(Default)]
struct Terms(BTreeMap<&'static str, BTreeMap<&'static str, &'static str>>);

impl Terms {
    /// Converts a rule with its parameters.
    fn rule(&mut self, value: &impl Described) -> TableRule {
        self.rule_of(value.described())
    }

    /// Converts a value of a closed set of words.
    fn word(&mut self, value: &impl Described) -> &'static str {
        self.word_of(&value.described())
    }

    fn rule_of(&mut self, description: Description) -> TableRule {
        let rule = self.word_of(&description);
        let given = description.given.into_iter().map(|(name, given)| (name, self.given(given))).collect();
        TableRule { rule, given }
    }

    fn word_of(&mut self, description: &Description) -> &'static str {
        self.0.entry(description.field).or_default().insert(description.id, description.about);
        description.id
    }

    fn given(&mut self, given: ParameterValue) -> TableValue {
        match given {
            ParameterValue::Flag(flag) => TableValue::Flag(flag),
            ParameterValue::Text(text) => TableValue::Text(text.into()),
            ParameterValue::Release(of) => TableValue::Text(release(of).into()),
            ParameterValue::Words(words) => TableValue::Words(words.to_vec()),
            ParameterValue::Kinds(kinds) => TableValue::Words(kinds.iter().map(|kind| kind.name()).collect()),
            ParameterValue::Word(word) => TableValue::Text(self.word_of(&word).into()),
            ParameterValue::Rule(rule) => TableValue::Rule(Box::new(self.rule_of(rule))),
            ParameterValue::Block(row) => TableValue::Block(Box::new(self.block(row))),
        }
    }

    fn files(&mut self, files: &FileRules) -> TableFiles {
        let FileRules { suffixes, values, override_stem, override_tail, alone, by_request, tests } = *files;
        TableFiles {
            suffixes: suffixes
                .iter()
                .map(|&SuffixRow { suffix, syntax, usage, hidden_by, when }| TableSuffix {
                    suffix,
                    syntax: self.word(&syntax),
                    usage: self.word(&usage),
                    hidden_by,
                    when: when.into(),
                })
                .collect(),
            override_name: override_stem,
            override_end: override_tail,
            values: values
                .iter()
                .map(|&ValuesRow { name, name_is, syntax }| TableValuesFile {
                    name,
                    name_is: self.word(&name_is),
                    syntax: self.word(&syntax),
                })
                .collect(),
            alone: self.named_files(alone),
            tests: tests.map(|TestRules { folder, file, mocks }| TableTests {
                folder,
                file: self.block(&file),
                mocks: mocks.map(|MockRules { names, file }| TableMocks {
                    names: self.named_files(names),
                    file: self.block(&file),
                }),
            }),
            by_request: self.named_files(by_request),
        }
    }

    fn named_files(&mut self, rows: &[NamedFile]) -> Vec<TableNamedFile> {
        rows.iter()
            .map(|&NamedFile { name, syntax, when }| TableNamedFile {
                name,
                syntax: self.word(&syntax),
                when: when.into(),
            })
            .collect()
    }

    fn variables(&mut self, rules: &VariableRules) -> TableVariables {
        let VariableRules { sources, model, functions, functions_of, unset } = *rules;
        TableVariables {
            sources: sources.iter().map(|source| self.rule(source)).collect(),
            model: self.word(&model),
            functions: self.word(&functions),
            functions_version: functions_of.map(|(major, minor)| format!("{major}.{minor}")),
            unset: self.word(&unset),
        }
    }

    fn block(&mut self, row: &BlockSpec) -> TableBlock {
        let BlockSpec {
            keyword,
            kind,
            when,
            labels,
            kinds,
            label_names: _,
            address,
            body,
            attrs,
            blocks,
            repeat,
            over,
            unlisted,
            omit_if_empty,
            checks,
            traits: _,
            constant,
            labels_are_counted,
            extra_labels,
            ignore_unlabeled,
            titles,
            source,
        } = *row;
        TableBlock {
            keyword,
            kind: kind.name(),
            when: when.into(),
            labels: labels.iter().map(|&LabelSpec { name, identifier }| TableLabel { name, identifier }).collect(),
            by_first_label: match kinds {
                Kinds::One => None,
                Kinds::ByFirstLabel { rows, title } => Some(TableKinds {
                    rows: rows.iter().map(|KindRow { label, spec }| (*label, self.block(spec))).collect(),
                    title,
                }),
            },
            address: self.rule(&address),
            body: self.rule(&body),
            arguments: attrs.iter().map(|row| self.argument(row)).collect(),
            blocks: blocks.iter().map(|row| self.block(row)).collect(),
            repeat: self.rule(&repeat),
            over: self.rule(&over),
            rules_checked: checks
                .iter()
                .map(|&CheckRow { check, when }| TableRuleRow { rule: self.rule(&check), when: when.into() })
                .collect(),
            constant,
            labels_are_counted,
            further_labels: self.word(&extra_labels),
            ignore_unlabeled,
            titles: titles
                .iter()
                .map(|&TitleRow { code, title, says, when }| TableTitle { code, title, says, when: when.into() })
                .collect(),
            unlisted: unlisted.to_vec(),
            omit_if_empty,
            source,
        }
    }

    fn argument(&mut self, row: &AttrSpec) -> TableArgument {
        let AttrSpec { name, when, required, kind, merge } = *row;
        TableArgument {
            name,
            when: when.into(),
            required: self.word(&required),
            kind: self.rule(&kind),
            merge: self.rule(&merge),
        }
    }
}

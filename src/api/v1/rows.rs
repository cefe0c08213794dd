//! From the rows of a table to their wire form, with what each rule means: one arm for each variant, one line for each
//! field. Whatever a row can say has a form here, or this does not compile.

use std::collections::BTreeMap;

use super::{
    Dialect, DialectList, DialectSummary, DialectTable, TableArgument, TableBlock, TableFiles, TableKinds,
    TableLabel, TableNamedFile, TableReleases, TableRule, TableRuleRow, TableSuffix, TableTests, TableTitle,
    TableValue, TableValuesFile, TableVariables,
};
use crate::dialect::{
    self, AddressRule, AddressUse, Among, AttrKind, AttrMerge, AttrSpec, BlankPlace, BlockSpec, BodyRule, Check,
    CheckRow, ClashPlace, DialectSpec, ExperimentRule, ExtraLabels, FileRules, FileSyntax, Identity, Keeps, KindRow,
    Kinds, LabelSpec, ListRule, LiteralShape, Missing, NamedFile, NestedRule, NotFound, Overridden, OverrideRule,
    Release, Repeat, Required, Rule, RuleRow, StaticUse, StoredShape, SuffixRow, SuffixUse, TestRules, TextRule,
    TitleRow, TypeForm, Undeclared, Unset, ValueModel, ValueSource, ValuesName, ValuesRow, VariableRules, VersionUse,
    View, When,
};
use crate::eval::Lineage;

impl Dialect {
    /// Name for people, and a sentence or two.
    const fn told(self) -> (&'static str, &'static str) {
        match self {
            Self::Terraform => ("Terraform", "Terraform 1.x: modules and their override files."),
            Self::OpenTofu => (
                "OpenTofu",
                "OpenTofu 1.x: the language of OpenTofu, with .tofu files and values that are evaluated while the module is loaded.",
            ),
            Self::TfLint => (
                "TFLint",
                "A module as the rules of TFLint see it: the list of its blocks after TFLint's own override merging.",
            ),
            Self::Sentinel => (
                "Sentinel",
                "The configuration of the Sentinel command line: policies, imports, mocks and parameters.",
            ),
            Self::Terraform011 => (
                "Terraform 0.11",
                "Terraform 0.11 with its older grammar; maps of several sources are merged key by key.",
            ),
        }
    }
}

impl DialectList {
    /// Every dialect that there is a table of, the default first.
    pub(crate) fn known() -> Self {
        Self { dialects: Dialect::NAMES.iter().filter_map(|(name, _)| DialectSummary::of(name)).collect() }
    }
}

impl DialectSummary {
    fn of(asked: &str) -> Option<Self> {
        let (name, dialect) = Dialect::NAMES.iter().find(|(name, _)| *name == asked)?;
        let (versions, default_version) = dialect::versions(name)?;
        let (title, about) = dialect.told();
        Some(Self { name, title, about, default_version, versions })
    }
}

impl DialectTable {
    /// The table of a dialect: the rows that hold in `version` (`1.11` or `1.11.4`), or all.
    ///
    /// # Errors
    /// [`NotFound`] when there is no such dialect, or it does not know the version.
    pub(crate) fn of(name: &str, version: Option<&str>) -> Result<Self, NotFound> {
        let about = DialectSummary::of(name).ok_or(NotFound::Dialect)?;
        let spec = match version {
            Some(version) => dialect::find(name, Some(version))?,
            None => dialect::rows(name).ok_or(NotFound::Dialect)?,
        };
        let mut terms = Terms::default();
        let DialectSpec { name: _, version: full, files, variables, view, blocks, rules, titles, decisions } = spec;
        Ok(Self {
            dialect: about,
            version: version.map(|_| *full),
            view: terms.view(*view),
            files: terms.files(files),
            variables: terms.variables(variables),
            blocks: blocks.iter().map(|row| terms.block(row)).collect(),
            rules: rules
                .iter()
                .map(|&RuleRow { rule, when }| TableRuleRow { rule: terms.rule(rule), when: when.into() })
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

/// A rule without anything given to it.
fn rule(name: &'static str, about: &'static str) -> TableRule {
    TableRule { rule: name, given: BTreeMap::new(), about }
}

impl TableRule {
    fn with(mut self, name: &'static str, value: TableValue) -> Self {
        self.given.insert(name, value);
        self
    }

    fn title(self, title: &'static str) -> Self {
        self.text("title", title)
    }

    fn text(self, name: &'static str, text: &'static str) -> Self {
        self.with(name, TableValue::Text(text.into()))
    }

    fn maybe(self, name: &'static str, text: Option<&'static str>) -> Self {
        match text {
            Some(text) => self.text(name, text),
            None => self,
        }
    }

    fn flag(self, name: &'static str, flag: bool) -> Self {
        self.with(name, TableValue::Flag(flag))
    }

    fn words(self, name: &'static str, words: &[&'static str]) -> Self {
        self.with(name, TableValue::Words(words.to_vec()))
    }

    fn rule(self, name: &'static str, rule: TableRule) -> Self {
        self.with(name, TableValue::Rule(Box::new(rule)))
    }
}

/// What the rules and words met so far mean, by the field in which they stand.
#[derive(Default)]
struct Terms(BTreeMap<&'static str, BTreeMap<&'static str, &'static str>>);

impl Terms {
    fn met(&mut self, field: &'static str, rule: TableRule) -> TableRule {
        self.0.entry(field).or_default().insert(rule.rule, rule.about);
        rule
    }

    fn word(&mut self, field: &'static str, (word, about): (&'static str, &'static str)) -> &'static str {
        self.0.entry(field).or_default().insert(word, about);
        word
    }

    // ---- the module ---------------------------------------------------------------------------------------------

    fn view(&mut self, view: View) -> TableRule {
        let rule = match view {
            View::ByAddress => rule("by-address", "Objects, each with its own address."),
            View::BlockList { multiplied } => rule(
                "block-list",
                "The list of all top-level blocks in order of declaration; a header may occur any number of times. Blocks of the types in `multiplied` are repeated by count and for_each if expansion is requested.",
            )
            .words("multiplied", multiplied),
        };
        self.met("view", rule)
    }

    fn rule(&mut self, behaviour: Rule) -> TableRule {
        let rule = match behaviour {
            Rule::RequiredVersionWhenClean => rule("required-version-when-clean", "The tool's own version is checked against the merged constraints, if there are no other errors."),
            Rule::LogicShortCircuits => rule("logic-short-circuits", "&& and || drop an error on one side if the other side decides the result."),
            Rule::RequiredVersionIsRelease => rule("required-version-is-release", "A constraint on the tool's version must not contain a pre-release."),
            Rule::VersionScan => rule("version-scan", "The tool's version constraints are read in a separate pass."),
            Rule::ExperimentScan => rule("experiment-scan", "Experiments and editions are read in a separate pass."),
            Rule::Exclude { told, with, title } => rule("exclude", "Objects with the addresses `told` and `other` are mutually exclusive in primary files; the error is reported at `told`.").text("told", told).text("other", with).title(title),
            Rule::ImportsClashAtTarget => rule("imports-clash-at-target", "Two imports into one static target are an error, reported at the target expression."),
            Rule::ImportsClashAtHeader => rule("imports-clash-at-header", "Two imports into one target are an error, reported at the header of the later one."),
            Rule::ImportsClashWithMoves => rule("imports-clash-with-moves", "An object that is moved away cannot be the target of an import."),
            Rule::ImportIdsClash => rule("import-ids-clash", "An id cannot be imported into two targets of the same type."),
            Rule::NamespacedFunctions => rule("namespaced-functions", "Function names may have namespaces: provider::name::fn()."),
            Rule::UnclosedBlocksAreNamed => rule("unclosed-blocks-are-named", "If a file ends inside a block, the error is reported at the opening brace of the block."),
            Rule::EphemeralAddresses => rule("ephemeral-addresses", "Addresses of ephemeral objects are supported."),
            Rule::ActionAddresses => rule("action-addresses", "Addresses of actions are supported."),
            Rule::VersionNeedsRegistrySource => rule("version-needs-registry-source", "The version of a module requires a source that is a registry address."),
            Rule::ForeignActionAlone => rule("foreign-action-alone", "An output of a module in place of an action is reported only once, not also as a list without actions."),
            Rule::ComputedImportKeys => rule("computed-import-keys", "The keys of import targets may be expressions; only managed resources can be targets."),
            Rule::ToolWord(word) => rule("tool-word", "References may also begin with this word.").text("word", word),
            Rule::ModuleSourcesAreReported => rule("module-sources-are-told", "The tool's output about a module call contains the values of its source and version."),
            Rule::StaticValuesAreConverted => rule("static-values-are-converted", "Static evaluation uses the values of variables converted to their declared types; otherwise as they were provided."),
            Rule::StaticSecretsWarn => rule("static-secrets-warn", "A sensitive variable may be used in static evaluation, with a warning at each reference."),
            Rule::StaticSourcesDecodedAtOnce => rule("static-sources-decoded-at-once", "A module source is evaluated and decoded in one step, so a malformed reference is reported first."),
            Rule::StaticSourcesJudgedAtInstall => rule("static-sources-judged-at-install", "Static sources and versions of modules are checked when modules are installed, so problems with them are reported with origin overfold. A variable takes part only where it is declared with const = true."),
            Rule::InterpolationsAreLookedUp => rule("interpolations-are-looked-up", "Variables, modules and resources that interpolations refer to must exist in the merged module."),
            Rule::ProviderNamesAreCompared => rule("provider-names-are-compared", "If there are no errors, providers that the module refers to by several names are compared; a mismatch is a warning."),
            Rule::ImpliedProvidersAreNamed => rule("implied-providers-are-named", "If there are no errors, the first part of the type of a resource or data source without the argument provider must be a valid local name of a provider."),
            Rule::NullVersionIsNone => rule("null-version-is-none", "A module version whose value is null is treated as absent."),
            Rule::InstanceFaultsAddUp => rule("instance-faults-add-up", "Every problem in the for_each of a provider is reported."),
            Rule::RequiredVersionAlways => rule("required-version-always", "The tool's own version is checked against the merged constraints, even if there are other errors."),
            Rule::UnmetVersionHidesOthers => rule("unmet-version-hides-others", "An unmet constraint in an argument of the kind own-version hides all other diagnostics of the module."),
            Rule::FailedConstantsReportedOnce => rule("failed-constants-told-once", "An expression that cannot be evaluated where a constant is required is not also reported as having an unsuitable type."),
            Rule::FewAddressWords => rule("few-address-words", "In addresses of moved, import and removed blocks, the only reserved words are module, data and ephemeral, and resource.TYPE.NAME is not supported."),
            Rule::ProviderInstanceKeys => rule("provider-instance-keys", "A reference to a provider configuration may end with an instance key."),
            Rule::ProviderTextsAreExpressions => rule("provider-texts-are-expressions", "In JSON, a string that refers to a provider configuration is parsed as an expression of the native syntax."),
            Rule::TriggersJudgedOneByOne => rule("triggers-judged-one-by-one", "After an error in one item of replace_triggered_by the other items are still checked, except in JSON."),
            Rule::StopsWhileReading => rule("stops-while-reading", "While reading files, the tool stops at the first error, and it checks the module as a whole only if there is none; anything reported beyond that is reported by this service alone."),
            Rule::SecondInOverrideIsAdded => rule("second-in-override-is-added", "A second block with the same address in one override file is added instead of merged, and is therefore a duplicate."),
        };
        self.met("rules", rule)
    }

    // ---- files --------------------------------------------------------------------------------------------------

    fn files(&mut self, files: &FileRules) -> TableFiles {
        let FileRules { suffixes, values, override_stem, override_tail, alone, by_request, tests } = *files;
        TableFiles {
            suffixes: suffixes
                .iter()
                .map(|&SuffixRow { suffix, syntax, usage, hidden_by, when }| TableSuffix {
                    suffix,
                    syntax: self.syntax(syntax),
                    usage: self.usage(usage),
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
                    name_is: self.name_is(name_is),
                    syntax: self.syntax(syntax),
                })
                .collect(),
            alone: self.named_files(alone),
            tests: tests.map(|TestRules { folder, file }| TableTests { folder, file: self.block(&file) }),
            by_request: self.named_files(by_request),
        }
    }

    fn named_files(&mut self, rows: &[NamedFile]) -> Vec<TableNamedFile> {
        rows.iter()
            .map(|&NamedFile { name, syntax, when }| TableNamedFile {
                name,
                syntax: self.syntax(syntax),
                when: when.into(),
            })
            .collect()
    }

    fn syntax(&mut self, syntax: FileSyntax) -> &'static str {
        let word = match syntax {
            FileSyntax::Native => ("native", "The native syntax of the dialect."),
            FileSyntax::Json => ("json", "JSON syntax."),
            FileSyntax::Hcl1 => {
                ("first-grammar", "HCL 1 of the language, or the corresponding JSON, depending on the content.")
            }
        };
        self.word("syntax", word)
    }

    fn usage(&mut self, usage: SuffixUse) -> &'static str {
        let word = match usage {
            SuffixUse::Config => ("config", "Primary or override file, depending on the name."),
            SuffixUse::OverrideOnly => ("override-only", "Read only if its name makes it an override file."),
            SuffixUse::Test => ("test", "A test file, which is not part of the module."),
            SuffixUse::NotRead => ("not-read", "Ignored, with a note."),
        };
        self.word("use", word)
    }

    fn name_is(&mut self, name: ValuesName) -> &'static str {
        let word = match name {
            ValuesName::Whole => ("whole", "The whole name."),
            ValuesName::End => ("end", "The end of the name, including hidden and backup files."),
            ValuesName::EndOfVisible => {
                ("end-of-visible", "The end of the name; hidden and backup files are ignored.")
            }
        };
        self.word("name_is", word)
    }

    // ---- variables ----------------------------------------------------------------------------------------------

    fn variables(&mut self, rules: &VariableRules) -> TableVariables {
        let VariableRules { sources, model, functions, functions_of, unset } = *rules;
        TableVariables {
            sources: sources.iter().map(|&source| self.source(source)).collect(),
            model: self.word(
                "model",
                match model {
                    ValueModel::Typed => ("typed", "The source with the highest precedence provides the whole value, which is converted to the declared type."),
                    ValueModel::Hcl1 => ("plain", "Strings, lists and maps; maps from several sources are merged key by key, and the type of the result is checked."),
                },
            ),
            functions: self.word(
                "functions",
                match functions {
                    Lineage::Mainline => ("mainline", "The functions of Terraform."),
                    Lineage::Fork => ("fork", "The functions of OpenTofu."),
                },
            ),
            functions_version: functions_of.map(|(major, minor)| format!("{major}.{minor}")),
            unset: self.word(
                "unset",
                match unset {
                    Unset::Error => ("error", "An error."),
                    Unset::Unknown => ("unknown", "An unknown value."),
                },
            ),
        }
    }

    fn source(&mut self, source: ValueSource) -> TableRule {
        let rule = match source {
            ValueSource::Default => rule("default", "The default of the declaration."),
            ValueSource::Environment { prefix, rule: text, undeclared } => rule("environment", "Environment variables named with the prefix followed by the name of the variable.").text("prefix", prefix).text("text", self.text(text)).text("undeclared", self.undeclared(undeclared)),
            ValueSource::Files { undeclared, unless_options } => rule("files", "The files under `values`: fixed names in the order given there, then the others sorted by the bytes of their names. With `unless_options`, they are ignored for names that are set on the command line.").text("undeclared", self.undeclared(undeclared)).flag("unless_options", unless_options),
            ValueSource::Options { rule: text, undeclared, undeclared_in_file } => rule("options", "The command-line options -var and -var-file, in the order given.").text("text", self.text(text)).text("undeclared", self.undeclared(undeclared)).text("undeclared_in_file", self.undeclared(undeclared_in_file)),
        };
        self.met("sources", rule)
    }

    fn undeclared(&mut self, undeclared: Undeclared) -> &'static str {
        let word = match undeclared {
            Undeclared::Silent => ("silent", "A value for an undeclared name is ignored."),
            Undeclared::Warning => (
                "warning",
                "A value for an undeclared name is a warning; if there are more than two, the rest are summarized.",
            ),
            Undeclared::Error => ("error", "A value for an undeclared name is an error."),
        };
        self.word("undeclared", word)
    }

    fn text(&mut self, rule: TextRule) -> &'static str {
        let word = match rule {
            TextRule::ByType => (
                "by-type",
                "Literally if the declaration has no type or a primitive type, otherwise as one expression.",
            ),
            TextRule::TrimmedOrValue => (
                "trimmed-or-value",
                "For a string, literally but without double quotes at its ends; otherwise as one value of the syntax.",
            ),
            TextRule::ValueOrRaw => (
                "value-or-raw",
                "As one value of the syntax; numbers, booleans and anything that cannot be parsed are used literally.",
            ),
        };
        self.word("text", word)
    }

    // ---- blocks -------------------------------------------------------------------------------------------------

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
            nothing_when_empty,
            checks,
            constant,
            labels_are_counted,
            surplus,
            nameless_is_nothing,
            titles,
            source,
        } = *row;
        TableBlock {
            keyword,
            kind,
            when: when.into(),
            labels: labels.iter().map(|&LabelSpec { name, identifier }| TableLabel { name, identifier }).collect(),
            by_first_label: match kinds {
                Kinds::One => None,
                Kinds::ByFirstLabel { rows, title } => Some(TableKinds {
                    rows: rows.iter().map(|KindRow { label, spec }| (*label, self.block(spec))).collect(),
                    title,
                }),
            },
            address: self.address(address),
            body: self.body(body),
            arguments: attrs.iter().map(|row| self.argument(row)).collect(),
            blocks: blocks.iter().map(|row| self.block(row)).collect(),
            repeat: self.repeat(repeat),
            over: self.over(over),
            checks: checks
                .iter()
                .map(|&CheckRow { check, when }| TableRuleRow { rule: self.check(check), when: when.into() })
                .collect(),
            constant,
            labels_are_counted,
            further_labels: self.surplus(surplus),
            nameless_is_nothing,
            titles: titles
                .iter()
                .map(|&TitleRow { code, title, says, when }| TableTitle { code, title, says, when: when.into() })
                .collect(),
            unlisted: unlisted.to_vec(),
            nothing_when_empty,
            source,
        }
    }

    fn address(&mut self, address: AddressRule) -> TableRule {
        let rule = match address {
            AddressRule::None => rule("none", "No object: a nested block, or a block that only contains others."),
            AddressRule::Labels(prefix) => rule("labels", "The prefix and the labels, joined by dots.").text("prefix", prefix),
            AddressRule::Fixed(is) => rule("fixed", "Always this address.").text("is", is),
            AddressRule::Numbered(word) => rule("numbered", "The word and a sequence number in order of declaration.").text("word", word),
            AddressRule::LabelAndAlias(prefix) => rule("label-and-alias", "The prefix, the label, and the value of the argument alias if it is a constant.").text("prefix", prefix),
            AddressRule::EachArgument { prefix, identifier } => rule("each-argument", "Each argument is a separate object: the prefix and its name. `identifier` is the title if the name is not an identifier.").text("prefix", prefix).maybe("identifier", identifier),
        };
        self.met("address", rule)
    }

    fn body(&mut self, body: BodyRule) -> TableRule {
        let rule = match body {
            BodyRule::Strict => rule("strict", "Only what is listed in the rows; anything else is an error."),
            BodyRule::Open { escape, nested } => rule("open", "Rows describe what is known; everything else belongs to a schema that is not known here, and is merged according to `nested`. `escape` is the title for a second _ {} block; if it is absent, there is no such block.").maybe("escape", escape).text("nested", self.nested(nested)),
            BodyRule::Arguments { drop_when_wrong } => rule("arguments", "Only arguments; a block inside is an error, and with `drop_when_wrong` the whole block is dropped.").flag("drop_when_wrong", drop_when_wrong),
            BodyRule::Refused { title, at_header } => rule("refused", "The block is not allowed here, and its body is not read. Reported at the keyword, or at the header.").title(title).flag("at_header", at_header),
            BodyRule::Dropped => rule("dropped", "Accepted without reading its body, and silently ignored."),
            BodyRule::AsAround => rule("as-around", "According to the row of the enclosing block, at any depth."),
        };
        self.met("body", rule)
    }

    fn nested(&mut self, nested: NestedRule) -> &'static str {
        let word = match nested {
            NestedRule::ByTypeAndDynamic => (
                "by-type-and-dynamic",
                "Nested blocks of the types that occur in the override replace all blocks of that type; dynamic \"T\" counts as T.",
            ),
            NestedRule::ByType => (
                "by-type",
                "Nested blocks of the types that occur in the override replace all blocks of that type; dynamic is treated as a type of its own.",
            ),
            NestedRule::ByName => (
                "by-name",
                "Nested blocks of the types that occur in the override replace all blocks of that type; an argument and a block of the same name replace each other.",
            ),
        };
        self.word("nested", word)
    }

    fn repeat(&mut self, repeat: Repeat) -> TableRule {
        let rule = match repeat {
            Repeat::Accumulate => rule("accumulate", "All of them are kept."),
            Repeat::Error { title, keeps } => {
                rule("error", "An error at the header of the later block; `keeps` says which one is kept.")
                    .title(title)
                    .text("keeps", self.keeps(keeps))
            }
            Repeat::WholeBlock { title } => {
                rule("whole-block", "An error at the header of the later block, which is dropped completely.")
                    .title(title)
            }
            Repeat::OnePerFile { title } => rule(
                "one-per-file",
                "A second block in one file is an error at its header; one in a later primary file replaces the earlier one.",
            )
            .title(title),
            Repeat::NoneOfSeveral { title } => {
                rule("none-of-several", "If there are several, none is read; reported once, at the header of the second.")
                    .title(title)
            }
        };
        self.met("repeat", rule)
    }

    fn keeps(&mut self, keeps: Keeps) -> &'static str {
        let word = match keeps {
            Keeps::First => ("first", "The earlier one is kept."),
            Keeps::Last => ("last", "The later one is kept."),
            Keeps::BothListed => ("both", "Both are listed; the later one is not checked."),
            Keeps::NotEvenOuter => ("not-even-outer", "None is kept: the enclosing block is dropped."),
        };
        self.word("keeps", word)
    }

    fn over(&mut self, over: OverrideRule) -> TableRule {
        let rule = match over {
            OverrideRule::Merge { missing } => rule("merge", "It is merged into the base with the same address (nested: with the same type and labels): arguments by their own rules, nested blocks by theirs or as the body says.").rule("missing", self.missing(missing)),
            OverrideRule::ReplaceWhole { missing } => rule("replace-whole", "It replaces the base with the same address.").rule("missing", self.missing(missing)),
            OverrideRule::AllReplace => rule("all-replace", "One or more blocks of the type replace all blocks of that type in the base; if there are none, those of the base are kept."),
            OverrideRule::OnePerFile { title, displaces } => rule("one-per-file", "One per file: it replaces that of the base and removes objects of the kinds in `displaces`. Two in one file are an error with this title.").title(title).words("displaces", displaces),
            OverrideRule::OnePerFileMerged { title } => rule("one-per-file-merged", "One per file: it is merged into the base part by part, or added. Two in one file are an error with this title.").title(title),
            OverrideRule::AllOfFileReplace => rule("all-of-file-replace", "All blocks of one file together replace all existing ones."),
            OverrideRule::Refused { title, unread } => rule("refused", "An error at the header; it has no effect. With `unread`, its body is not read.").title(title).flag("unread", unread),
            OverrideRule::Added => rule("added", "Never merged: it is added, and is a duplicate if the address is already used."),
            OverrideRule::MergeIntoNamesake => rule("merge-into-namesake", "It is merged into the first block with the same type and labels, regardless of the aliases; without a base it is added."),
            OverrideRule::GoesWith(other) => rule("goes-with", "If the override has blocks of the type `with`, this block, or none, replaces that of the base; otherwise it is silently ignored.").text("with", other),
            OverrideRule::BaseStays => rule("base-stays", "Silently ignored; the block of the base is kept."),
            OverrideRule::Ignored => rule("ignored", "Read, but ignored by the tool; reported as a note."),
            OverrideRule::InList(list) => rule("in-list", "It changes blocks of the list with the same type and labels, as `list` says; silently ignored if there are none.").rule("list", self.list(list)),
        };
        self.met("override", rule)
    }

    fn list(&mut self, list: ListRule) -> TableRule {
        let rule = match list {
            ListRule::First { joined } => rule("first", "The first one: every argument is set on it, and nested blocks are replaced by type. For the types in `joined`, only the arguments are set, on the existing blocks.").words("joined", joined),
            ListRule::Entries => rule("entries", "Each argument replaces the argument of that name in every block that has it; arguments that no block has form a new block at the end. A single block receives all of them."),
            ListRule::Every { rivals, entries } => rule("every", "All of them: in each, arguments are set and nested blocks are replaced by type. Any of the types in `rivals` replaces all of them. Arguments of blocks of the type `entries` are entries: a single block receives all of them; if there are several, the first that has an entry of that name.").words("rivals", rivals).text("entries", entries),
        };
        self.met("list", rule)
    }

    fn missing(&mut self, missing: Missing) -> TableRule {
        let rule = match missing {
            Missing::Error(title) => {
                rule("error", "If there is no base, it is an error with this title, and nothing is added.")
                    .title(title)
            }
            Missing::Adopt => rule("adopt", "If there is no base, it is added unchanged."),
            Missing::AdoptUnlessAliased(title) => rule(
                "adopt-unless-aliased",
                "If there is no base, it is added if it has no alias; otherwise it is an error with this title.",
            )
            .title(title),
            Missing::Drop => rule("drop", "If there is no base, it is silently ignored."),
        };
        self.met("missing", rule)
    }

    fn check(&mut self, check: Check) -> TableRule {
        let rule = match check {
            Check::CountWithForEach => {
                rule("count-with-for-each", "count and for_each are not allowed together in one block.")
            }
            Check::StandsAtOverride => rule(
                "stands-at-override",
                "Merged with one of an override file, the block stands where that one stands.",
            ),
            Check::EntriesAreRequirements { registry } => rule(
                "entries-are-requirements",
                "Each argument is a provider requirement; only providers of the host `registry` may have the namespace -.",
            )
            .text("registry", registry),
            Check::ValuesAreConstant => rule("values-are-constant", "The values must be constants."),
            Check::DefaultFitsType => rule(
                "default-fits-type",
                "A default must match the type, and must not be null if nullable is false, also after a merge.",
            ),
            Check::NameNotUsedByModules => {
                rule("name-not-used-by-modules", "Names that module blocks use for themselves are not allowed as variable names.")
            }
            Check::NameKeptByModules(names) => rule(
                "name-kept-by-modules",
                "Module blocks reserve `names`: no caller can set a variable with such a name, which is reported as a note.",
            )
            .words("names", names),
            Check::LocalName => {
                rule("local-name", "The local name of a provider must be in normal form; otherwise the block is dropped.")
            }
            Check::LocalNameKept => {
                rule("local-name-kept", "The local name of a provider must be in normal form; otherwise it is an error, but the block is kept.")
            }
            Check::OptionalNeedsExperiment(experiment) => {
                rule("optional-needs-experiment", "optional() in the type of a variable requires this experiment.")
                    .text("experiment", experiment)
            }
            Check::ConstIsPlain => rule("const-is-plain", "const cannot be combined with sensitive or ephemeral."),
            Check::PlainName(title) => rule(
                "plain-name",
                "The last label must contain only ASCII letters, digits, _ and -, and must not begin with a dash; otherwise it is an error with this title.",
            )
            .title(title),
            Check::NothingInterpolated(title) => {
                rule("nothing-interpolated", "Strings in the body must not contain interpolations; otherwise it is an error with this title at the string.")
                    .title(title)
            }
            Check::ConditionUsesSomething => {
                rule("condition-uses-something", "The condition must contain a reference.")
            }
            Check::ConditionUsesOwnVariable => {
                rule("condition-uses-own-variable", "The condition must refer to the block's own variable.")
            }
            Check::ConditionUsesOnlyOwnVariable => rule(
                "condition-uses-only-own-variable",
                "The condition must not refer to anything but the block's own variable.",
            ),
            Check::MessageUsesOnlyOwnVariable => {
                rule("message-uses-only-own-variable", "The message must not refer to anything but the block's own variable.")
            }
            Check::MessageIsSentence => {
                rule("message-is-sentence", "The message must be a constant string that looks like a sentence.")
            }
            Check::ForEachNeedsAlias => rule("for-each-needs-alias", "for_each requires an alias in the same block."),
            Check::ConditionNotSelf => {
                rule("condition-not-self", "The condition must not refer to the resource itself.")
            }
            Check::MessageNotSelf => rule("message-not-self", "The message must not refer to the resource itself."),
            Check::ProvisionerKindIsGone(kinds) => {
                rule("provisioner-kind-is-gone", "These kinds of provisioners were removed from the tool.")
                    .words("kinds", kinds)
            }
            Check::DestroyReferences => rule(
                "destroy-references",
                "Destroy-time provisioners and their connections may refer only to the object itself.",
            ),
            Check::ChecksNeedAsserts => rule("checks-need-asserts", "At least one assertion is required."),
            Check::OneScopedData => rule("one-scoped-data", "At most one data source is allowed inside."),
            Check::ScopedDataIsPlain => {
                rule("scoped-data-is-plain", "The data source inside cannot have count, for_each or lifecycle.")
            }
            Check::MoveEndsAgree => rule("move-ends-agree", "Both ends must be of the same kind."),
            Check::UnknownYetListed => rule(
                "unknown-yet-listed",
                "The block is unknown and reported as such, but it is included in the tool's output about the object.",
            ),
            Check::WholeOrUnread => rule(
                "whole-or-unread",
                "If there is an address, but something is missing or unknown, the rest of the body is not checked.",
            ),
            Check::OneImportIdentity => rule("one-import-identity", "Exactly one of id and identity is required."),
            Check::NoProviderForModuleTarget => {
                rule("no-provider-for-module-target", "If the target is inside a module, a provider is not allowed.")
            }
            Check::OnlyDestroyProvisioners => {
                rule("only-destroy-provisioners", "Provisioners here must be destroy-time provisioners.")
            }
            Check::TriggerIsComplete => rule("trigger-is-complete", "An event and an action are required."),
            Check::MayLack { argument, names } => rule(
                "may-lack",
                "The argument, although required, may be omitted if the last label is one of `names`.",
            )
            .text("argument", argument)
            .words("names", names),
            Check::MayNotHave { argument, names, title } => rule(
                "may-not-have",
                "After the merge, the argument is not allowed if the last label is one of `names`.",
            )
            .text("argument", argument)
            .words("names", names)
            .title(title),
            Check::ImpliedFile { argument, suffix } => rule("implied-file", "In the merged block: the argument may be missing where no override changes the block; a file with the name of the block and the suffix is meant. A warning with origin overfold.").text("argument", argument).text("suffix", suffix),
            Check::VersionFromRegistry => rule("version-from-registry", "In the merged block: a version needs a source that is a registry address, or modules cannot be installed. Reported at the header with origin overfold."),
            Check::NotBoth { argument, block, title } => {
                rule("not-both", "After the merge, the argument and a block of the type are mutually exclusive.")
                    .text("argument", argument)
                    .text("block", block)
                    .title(title)
            }
            Check::OneRepetition { order } => rule("one-repetition", "Only one of count, for_each and enabled (of the lifecycle block) is allowed in one block. If overrides bring several together, the first in `order` takes effect.").words("order", order),
            Check::MoveEndsMovable => rule("move-ends-movable", "Each end of a move must be present, valid, and not an ephemeral object."),
            Check::IdOrIdentity { neither, both } => rule("id-or-identity", "Exactly one of id and identity is required; a title for each error.").text("neither", neither).text("both", both),
            Check::AddressFirst => rule("address-first", "The address is read first; if it cannot be read, the rest is kept as expressions."),
            Check::RemovedProvisioners { creating, of_module } => rule("removed-provisioners", "Provisioners here must be destroy-time provisioners, and are not allowed for a module; a title for each error.").text("creating", creating).text("of_module", of_module),
            Check::RemovedSaysDestroy => rule("removed-says-destroy", "A warning if the block does not say whether to destroy, or if it has provisioners although it does not destroy."),
            Check::NotBlank { argument, title, place } => rule("not-blank", "The string in the argument must not be blank.").text("argument", argument).title(title).rule("place", self.blank(place)),
            Check::DefaultLosesNothing => rule("default-loses-nothing", "Attributes in a default that are not part of the type are a warning."),
            Check::Needs { argument, title } => rule("needs", "The argument is required; if it is missing, an error with this title at the header.").text("argument", argument).title(title),
            Check::WholeOrNothing => rule("whole-or-nothing", "If there is an error anywhere in the block, the block is dropped."),
            Check::CountsWhenWhole => rule("counts-when-whole", "A block with an error in it is not counted when only one block of the type is allowed."),
            Check::BlocksDiffer { blocks, by, title, place } => rule("blocks-differ", "No two blocks of the types `blocks` in this one may be the same, as `by` compares them.").words("blocks", blocks).rule("by", self.identity(by)).title(title).rule("place", self.clash_place(place)),
            Check::WordForbidsFalse { argument, word, flag, title } => rule("word-forbids-false", "If the argument is this word, the flag must not be false.").text("argument", argument).text("word", word).text("flag", flag).title(title),
            Check::BodyIsBody => rule("body-is-body", "The body must be a valid body, even though its schema is unknown."),
            Check::CountsWhenWrong => rule("counts-when-wrong", "A block whose body could not be read is kept, with an empty body."),
            Check::LabelsDiffer { among: Among { block, inside }, title } => rule("labels-differ", "Blocks of the type `block`, in blocks of the type `inside` or directly in this one, must have different labels.").text("block", block).maybe("inside", inside).title(title),
            Check::LabelsAreWords { block, titles } => rule("labels-are-words", "Labels of blocks of this type must consist of ASCII letters, digits, _ and -; a title for each label.").text("block", block).words("titles", titles),
            Check::StatesOwnVersion { block, argument, before } => rule("states-own-version", "One block of the type contains a constraint on the tool's own version. A constraint that allows a release up to `before`, which does not support the block, is a warning.").text("block", block).text("argument", argument).with("before", TableValue::Text(release(before).into())),
        };
        self.met("checks", rule)
    }

    fn identity(&mut self, by: Identity) -> TableRule {
        let rule = match by {
            Identity::Labels => rule("labels", "By their labels."),
            Identity::LabelAndAlias => {
                rule("label-and-alias", "By the first label and the value of the argument alias.")
            }
            Identity::Argument(argument) => {
                rule("argument", "By the value of the argument; blocks in which it cannot be read are not compared.")
                    .text("argument", argument)
            }
        };
        self.met("by", rule)
    }

    fn clash_place(&mut self, place: ClashPlace) -> TableRule {
        let rule = match place {
            ClashPlace::Header => rule("header", "Reported at the header of the later block."),
            ClashPlace::Label => rule("last-label", "Reported at the last label of the later block."),
            ClashPlace::Around => rule("around", "Reported at the header of the block around them."),
        };
        self.met("place", rule)
    }

    fn blank(&mut self, place: BlankPlace) -> TableRule {
        let rule = match place {
            BlankPlace::Label => rule("label", "Reported at the first label of the block."),
            BlankPlace::ValueUnlessWrong { earlier } => rule("value-unless-wrong", "Reported at the value, unless the structure of the block, its name, or one of the arguments `earlier` has an error.").words("earlier", earlier),
        };
        self.met("place", rule)
    }

    // ---- arguments ----------------------------------------------------------------------------------------------

    fn argument(&mut self, row: &AttrSpec) -> TableArgument {
        let AttrSpec { name, when, required, kind, merge } = *row;
        TableArgument {
            name,
            when: when.into(),
            required: self.word(
                "required",
                match required {
                    Required::No => ("no", "It is optional."),
                    Required::InPrimary => {
                        ("in-primary", "It is required in primary files; an override may omit it.")
                    }
                    Required::Always => ("always", "It is required, also in override files."),
                    Required::AfterMerge => ("after-merge", "It is required in the merged block."),
                },
            ),
            kind: self.kind(kind),
            merge: self.merge(merge),
        }
    }

    fn kind(&mut self, kind: AttrKind) -> TableRule {
        let rule = match kind {
            AttrKind::Any => rule("any", "Any expression."),
            AttrKind::ConstBool => rule("constant-bool", "A constant boolean."),
            AttrKind::ConstText => rule("constant-text", "A constant string."),
            AttrKind::ConstTextNotNull => rule("constant-text-not-null", "A constant string that is not null."),
            AttrKind::Alias => rule("alias", "A constant string; if it is not a constant, there is no alias."),
            AttrKind::TypeConstraint(form) => rule("type", "A type constraint.").text("form", self.form(form)),
            AttrKind::Default => rule("default", "The default of a variable, which is a constant."),
            AttrKind::References { action } => rule(
                "references",
                "A list of references to objects. `action` is the title for an item that is an action.",
            )
            .maybe("action", action),
            AttrKind::IgnoreChanges => rule("ignore-changes", "A list of references, or the keyword all."),
            AttrKind::ReplaceTriggers => rule("replace-triggers", "A list of references to resources."),
            AttrKind::ProviderReference => rule("provider", "A reference to a provider configuration."),
            AttrKind::ProviderMap => {
                rule("providers", "A map from provider configurations of the called module to those of the caller.")
            }
            AttrKind::Keyword(words) => {
                rule("keyword", "One of these keywords without quotes, in JSON as a string; otherwise an error with this title.")
                    .words("words", words.words)
                    .title(words.title)
            }
            AttrKind::Keywords(words) => {
                rule("keywords", "A list of these keywords without quotes; anything else is an error with this title.")
                    .words("words", words.words)
                    .title(words.title)
            }
            AttrKind::Edition(words) => {
                rule("edition", "The language edition: one of these keywords without quotes.").words("words", words)
            }
            AttrKind::Experiments(experiments) => rule("experiments", "A list of experiments, checked as `as` says.")
                .rule("as", self.experiments(experiments)),
            AttrKind::VersionConstraint(of) => {
                rule("version-constraint", "A version constraint.").text("of", self.version_use(of))
            }
            AttrKind::ModuleSource { checked } => rule(
                "module-source",
                "The source address of a module, a constant; with `checked`, it must be a valid address.",
            )
            .flag("checked", checked),
            AttrKind::Static(of) => rule(
                "static",
                "Any expression; evaluated after the merge from what is known without running the tool.",
            )
            .text("for", self.static_use(of)),
            AttrKind::Address(of) => rule("address", "The address of an object.").text("of", self.address_use(of)),
            AttrKind::RequiredVersion(object) => rule(
                "required-version",
                "A version constraint on the tool itself; produces an object according to the row `object`.",
            )
            .with("object", TableValue::Block(Box::new(self.block(object)))),
            AttrKind::ActionReferences => rule("action-references", "A list of references to actions."),
            AttrKind::Condition => rule("condition", "A condition."),
            AttrKind::Message => rule("message", "The message of a condition."),
            AttrKind::Stored(shape) => {
                rule("stored", "A plain value of this shape, with or without interpolations, which is not evaluated.")
                    .rule("shape", self.stored(shape))
            }
            AttrKind::Literal(shape) => {
                rule("literal", "A constant of this shape; an expression that is not constant is kept unchanged.")
                    .rule("shape", self.shape(shape))
            }
            AttrKind::Reserved(title) => {
                rule("reserved", "The name is reserved: an error with this title.").title(title)
            }
            AttrKind::Refused(title) => {
                rule("refused", "The argument is not allowed here: an error with this title.").title(title)
            }
            AttrKind::Hcl1Type => rule("plain-type", "The type of a variable whose values are plain: one of three keywords."),
            AttrKind::Hcl1Default => rule("plain-default", "The default of such a variable: strings, lists and maps without interpolations, of the type that the block declares."),
            AttrKind::BareKeyword(words) => rule("bare-keyword", "One of these keywords, without quotes, in JSON as a string.").words("words", words.words).title(words.title),
            AttrKind::OwnVersion { files } => rule("own-version", "A version constraint on the tool itself, checked against the selected version immediately. Read in files whose names end as in `files`; if that is empty, in all files.").words("files", files),
            AttrKind::Forgotten => rule("forgotten", "Accepted, but neither checked nor kept."),
            AttrKind::RefusedAtValue(title) => rule("refused-at-value", "The argument is not allowed here: an error with this title at its value, which is not read.").title(title),
            AttrKind::BareKeywordAtArgument(words) => rule("bare-keyword-at-argument", "One of these keywords, without quotes, in JSON as a string; anything else is an error at the whole argument.").words("words", words.words).title(words.title),
            AttrKind::TestedModuleSource { downloaded } => rule("tested-module-source", "The source address of the module that a test runs: a local path or a registry address, and with `downloaded` any other valid address. Next to a version, a registry address.").flag("downloaded", downloaded),
            AttrKind::OverrideTarget { of, title } => rule("override-target", "The address of what a test overrides; one of something else is an error with this title.").text("of", self.overridden(of)).title(title),
            AttrKind::RefusedAtHeader(title) => rule("refused-at-header", "The argument is not allowed here: an error with this title at the header of the block.").title(title),
        };
        self.met("kind", rule)
    }

    fn form(&mut self, form: TypeForm) -> &'static str {
        let word = match form {
            TypeForm::WithLegacy => ("with-legacy", "With optional() and its defaults, and with bare list and map."),
            TypeForm::LegacyWithoutDefaults => {
                ("legacy-without-defaults", "With optional() without defaults, and with bare list and map.")
            }
            TypeForm::Plain => ("plain", "Without optional()."),
        };
        self.word("form", word)
    }

    fn version_use(&mut self, of: VersionUse) -> &'static str {
        let word = match of {
            VersionUse::Module => ("module", "Of a module: allowed only with a registry address."),
            VersionUse::Provider => ("provider", "Of a provider configuration: a warning."),
        };
        self.word("of", word)
    }

    fn address_use(&mut self, of: AddressUse) -> &'static str {
        let word = match of {
            AddressUse::Moved => ("moved", "An end of a move."),
            AddressUse::ImportTarget => ("import-target", "The target of an import."),
            AddressUse::KeyedImportTarget { in_json: true } => {
                ("keyed-import-target", "The target of an import, whose keys may be expressions.")
            }
            AddressUse::KeyedImportTarget { in_json: false } => (
                "keyed-import-target-not-json",
                "The target of an import, whose keys may be expressions; not supported in JSON.",
            ),
            AddressUse::Removed => ("removed", "What is no longer managed."),
        };
        self.word("of", word)
    }

    fn overridden(&mut self, of: Overridden) -> &'static str {
        let word = match of {
            Overridden::Resource => ("overridden-resource", "A managed resource or an instance of one."),
            Overridden::Data => ("overridden-data", "A data source or an instance of one."),
            Overridden::Module => ("overridden-module", "A module or an instance of one."),
        };
        self.word("of", word)
    }

    fn static_use(&mut self, of: StaticUse) -> &'static str {
        let word = match of {
            StaticUse::ModuleSource => ("module-source", "The source address of a module."),
            StaticUse::ModuleVersion => ("module-version", "The version constraint of a module."),
            StaticUse::Instances => ("instances", "The instances of a provider configuration."),
        };
        self.word("for", word)
    }

    fn experiments(&mut self, experiments: ExperimentRule) -> TableRule {
        let rule = match experiments {
            ExperimentRule::Listed { active, concluded } => rule(
                "listed",
                "Those in `active` are accepted with a warning; those in `concluded` are no longer available.",
            )
            .words("active", active)
            .words("concluded", concluded),
            ExperimentRule::RefusedUnless { only, concluded } => {
                rule("refused-unless", "The argument is an error unless its only item is `only`.")
                    .text("only", only)
                    .words("concluded", concluded)
            }
            ExperimentRule::Refused => rule("refused", "The argument is an error, even if the list is empty."),
        };
        self.met("as", rule)
    }

    fn shape(&mut self, shape: LiteralShape) -> TableRule {
        let rule = match shape {
            LiteralShape::Text => rule("text", "A string, or a value that can be converted to one."),
            LiteralShape::OneOf(words) => rule(
                "one-of",
                "A string; in the merged block it must be one of these, otherwise it is an error with this title.",
            )
            .words("words", words.words)
            .title(words.title),
            LiteralShape::Map => rule("map", "A map or an object."),
            LiteralShape::TextMap => {
                rule("text-map", "A map of strings, or of values that can be converted to strings.")
            }
            LiteralShape::List => rule("list", "A list."),
        };
        self.met("shape", rule)
    }

    fn stored(&mut self, shape: StoredShape) -> TableRule {
        let rule = match shape {
            StoredShape::Text => rule("stored-text", "A string, or a whole number as written."),
            StoredShape::Constant => {
                rule("stored-constant", "A string without interpolations, or a whole number as written.")
            }
            StoredShape::Version => rule("stored-version", "A version constraint as a string."),
            StoredShape::Count => {
                rule("stored-count", "A whole number, or a string that contains one or has interpolations.")
            }
            StoredShape::Constants => rule("stored-constants", "A list of strings without interpolations."),
            StoredShape::Texts => rule("stored-texts", "A list of strings."),
            StoredShape::TruthOrText => rule("stored-truth-or-text", "true or false, or a string."),
            StoredShape::TextMap => rule("stored-text-map", "A map of strings."),
            StoredShape::Truth => rule("stored-truth", "true or false, without quotes."),
            StoredShape::OneOf(words) => {
                rule("stored-one-of", "One of these strings; otherwise an error with this title.")
                    .words("words", words.words)
                    .title(words.title)
            }
        };
        self.met("shape", rule)
    }

    fn surplus(&mut self, surplus: ExtraLabels) -> &'static str {
        let word = match surplus {
            ExtraLabels::Refused => ("refused", "Further labels are an error; the block is dropped."),
            ExtraLabels::Unread => ("unread", "Further labels are ignored."),
            ExtraLabels::Inside => ("inside", "The first further label is the type of a nested block."),
            ExtraLabels::InsideInJson => (
                "inside-in-json",
                "In JSON, the first further label is the type of a nested block; otherwise it is an error.",
            ),
        };
        self.word("further_labels", word)
    }

    fn merge(&mut self, merge: AttrMerge) -> TableRule {
        let rule = match merge {
            AttrMerge::Replace => rule("replace", "It replaces the argument of the same name; a new argument is added."),
            AttrMerge::Never => rule("never", "It is silently ignored."),
            AttrMerge::RefuseUnlessEmpty(title) => rule("refuse-unless-empty", "An empty list has no effect; a list with items is an error with this title at the first item, and has no effect either.").title(title),
            AttrMerge::RefuseWhenBaseHasItems(title) => rule("refuse-when-base-has-items", "An error with this title at the first item of the base, if there is one; it never has an effect.").title(title),
            AttrMerge::ReplaceUnlessEmptyText => rule("replace-unless-empty-text", "It replaces the argument of the base unless it is an empty string."),
            AttrMerge::ReplaceUnlessOne => rule("replace-unless-one", "It replaces the argument of the base unless it is the number 1."),
            AttrMerge::ReplaceUnlessEmptyList => rule("replace-unless-empty-list", "It replaces the argument of the base unless it is an empty list."),
            AttrMerge::ReplaceUnlessEmptyMap => rule("replace-unless-empty-map", "It replaces the argument of the base unless it is an empty map."),
            AttrMerge::IgnoreChanges { all_counts } => rule("ignore-changes", "A list with items replaces the list; the keyword all, with `all_counts`, is kept from then on.").flag("all_counts", all_counts),
            AttrMerge::VariableType => rule("variable-type", "It replaces the type; the optional() defaults of the base are kept."),
            AttrMerge::VariableDefault => rule("variable-default", "It replaces the default; then the resulting default is converted to the resulting type."),
            AttrMerge::Or => rule("or", "True when either is true."),
            AttrMerge::Key => rule("key", "It is part of the key by which the base is found, so it is equal on both sides."),
            AttrMerge::BaseStays => rule("base-stays", "The argument of the base is silently kept, whether present or absent; if there is no base, this one is used."),
            AttrMerge::EvenIfUnset => rule("even-if-unset", "It replaces the argument of the base, and removes it if the override block does not set it."),
        };
        self.met("merge", rule)
    }
}

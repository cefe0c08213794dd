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
    CheckRow, DialectSpec, ExperimentRule, FileRules, FileSyntax, Keeps, KindRow, Kinds, LabelSpec, ListRule,
    LiteralShape, Missing, NamedFile, NestedRule, NotFound, OverrideRule, Release, Repeat, Required, Rule, RuleRow,
    StaticUse, StoredShape, SuffixRow, SuffixUse, Surplus, TestRules, TextRule, TitleRow, TypeForm, Undeclared,
    Unset, ValueModel, ValueSource, ValuesName, ValuesRow, VariableRules, VersionUse, View, When,
};
use crate::eval::Lineage;

impl Dialect {
    /// Name for people, and a sentence or two.
    const fn told(self) -> (&'static str, &'static str) {
        match self {
            Self::Terraform => ("Terraform", "Terraform 1.x: modules and their override files."),
            Self::OpenTofu => (
                "OpenTofu",
                "OpenTofu 1.x: Terraform's language as its fork has it, with .tofu files and values worked out early.",
            ),
            Self::TfLint => (
                "TFLint",
                "A module as the rules of TFLint see it: the list of its blocks after TFLint's own overriding.",
            ),
            Self::Sentinel => {
                ("Sentinel", "The configuration of the Sentinel command line: policies, imports, mocks, parameters.")
            }
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
            View::ByAddress => rule("by-address", "Objects, each with an address of its own."),
            View::BlockList { multiplied } => rule(
                "block-list",
                "The list of all top-level blocks in order of declaration; one header may stand there any number of \
                 times. Blocks of the types in `multiplied` are repeated by count and for_each where that is asked for.",
            )
            .words("multiplied", multiplied),
        };
        self.met("view", rule)
    }

    fn rule(&mut self, behaviour: Rule) -> TableRule {
        let rule = match behaviour {
            Rule::RequiredVersionWhenClean => rule("required-version-when-clean", "The tool's own version is held against the merged constraints, when nothing else is wrong."),
            Rule::LogicShortCircuits => rule("logic-short-circuits", "&& and || drop an error on one side when the other side decides the result."),
            Rule::RequiredVersionIsRelease => rule("required-version-is-release", "A constraint of the tool's version may not name a pre-release."),
            Rule::VersionScan => rule("version-scan", "The tool's version constraints are looked up in a reading of their own."),
            Rule::ExperimentScan => rule("experiment-scan", "Experiments and editions are looked up in a reading of their own."),
            Rule::Exclude { told, with, title } => rule("exclude", "Objects of the addresses `told` and `other` exclude each other among the primary files; it is told at `told`.").text("told", told).text("other", with).title(title),
            Rule::ImportsClashAtTarget => rule("imports-clash-at-target", "Two imports into one static target clash, told at the target's expression."),
            Rule::ImportsClashAtHeader => rule("imports-clash-at-header", "Two imports into one target clash, told at the header of the later one."),
            Rule::ImportsClashWithMoves => rule("imports-clash-with-moves", "Nothing can be imported into an object that is moved away."),
            Rule::ImportIdsClash => rule("import-ids-clash", "One id cannot be imported into two targets of one type."),
            Rule::NamespacedFunctions => rule("namespaced-functions", "Functions may have name spaces: provider::name::fn()."),
            Rule::UnclosedBlocksAreNamed => rule("unclosed-blocks-are-named", "When a file ends inside a block, that is told at the block's opening brace."),
            Rule::EphemeralAddresses => rule("ephemeral-addresses", "Addresses of ephemeral objects are understood."),
            Rule::ActionAddresses => rule("action-addresses", "Addresses of actions are understood."),
            Rule::VersionNeedsRegistrySource => rule("version-needs-registry-source", "The version of a module needs a source that is a registry address."),
            Rule::ForeignActionAlone => rule("foreign-action-alone", "An output of a module in place of an action is told alone, not also as a list without actions."),
            Rule::ComputedImportKeys => rule("computed-import-keys", "The keys of import targets may be worked out; only managed resources are targets."),
            Rule::ToolWord(word) => rule("tool-word", "References may begin with this word as well.").text("word", word),
            Rule::ModuleSourcesAreTold => rule("module-sources-are-told", "The tool's account of a module call says what its source and version come to."),
            Rule::StaticValuesAreConverted => rule("static-values-are-converted", "What is worked out early uses the value of a variable converted to its declared type; otherwise as it was given."),
            Rule::StaticSecretsWarn => rule("static-secrets-warn", "A sensitive variable may be used in what is worked out early, with a warning at each reference."),
            Rule::StaticSourcesDecodedAtOnce => rule("static-sources-decoded-at-once", "A module source is worked out and read in one step, so that a malformed reference stops it first."),
            Rule::StaticSourcesJudgedAtInstall => rule("static-sources-judged-at-install", "Static sources and versions of modules are judged when modules are installed: what is wrong with them is reported with origin overfold. A variable takes part only where it is declared with const = true."),
            Rule::InterpolationsAreLookedUp => rule("interpolations-are-looked-up", "Variables, modules and resources that interpolations refer to have to exist in the merged module."),
            Rule::ProviderNamesAreCompared => rule("provider-names-are-compared", "Without an error so far: providers that the module names in several ways are compared; what disagrees is a warning."),
            Rule::NullVersionIsNone => rule("null-version-is-none", "A module version that comes to null counts as absent."),
            Rule::InstanceFaultsAddUp => rule("instance-faults-add-up", "Every fault in the for_each of a provider is told."),
            Rule::RequiredVersionAlways => rule("required-version-always", "The tool's own version is held against the merged constraints, whatever else is wrong."),
            Rule::UnmetVersionHidesOthers => rule("unmet-version-hides-others", "An unmet constraint of an argument of the kind own-version hides every other diagnostic of the module."),
            Rule::FailedConstantsToldOnce => rule("failed-constants-told-once", "What cannot be worked out where a constant is needed is not also told to be of an unsuitable type."),
            Rule::FewAddressWords => rule("few-address-words", "Addresses of moved, import and removed blocks reserve no words but module, data and ephemeral, and do not know resource.TYPE.NAME."),
            Rule::ProviderInstanceKeys => rule("provider-instance-keys", "A reference to a provider configuration may end in the key of an instance."),
            Rule::ProviderTextsAreExpressions => rule("provider-texts-are-expressions", "In JSON the text of a reference to a provider configuration is an expression of the native syntax."),
            Rule::TriggersJudgedOneByOne => rule("triggers-judged-one-by-one", "A mistake in one item of replace_triggered_by leaves the others to be judged, except in JSON."),
            Rule::StopsWhileReading => rule("stops-while-reading", "While files are read the tool stops at the first mistake, and it looks at the module as a whole only when there is none: what else is found is ours."),
            Rule::SecondInOverrideIsAdded => rule("second-in-override-is-added", "A second block of one address in one override file is not merged: it is added, and so a duplicate."),
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
            FileSyntax::FirstGrammar => (
                "first-grammar",
                "The first grammar of the language, or the JSON that goes with it, as the content shows.",
            ),
        };
        self.word("syntax", word)
    }

    fn usage(&mut self, usage: SuffixUse) -> &'static str {
        let word = match usage {
            SuffixUse::Config => ("config", "Primary or override file, by the name."),
            SuffixUse::OverrideOnly => ("override-only", "Read only when the name makes it an override file."),
            SuffixUse::Test => ("test", "Tests: not part of the module."),
            SuffixUse::NotRead => ("not-read", "Passed over; a note says so."),
        };
        self.word("use", word)
    }

    fn name_is(&mut self, name: ValuesName) -> &'static str {
        let word = match name {
            ValuesName::Whole => ("whole", "The whole name."),
            ValuesName::End => ("end", "The end of the name, of hidden and backup files too."),
            ValuesName::EndOfVisible => {
                ("end-of-visible", "The end of the name; hidden and backup files are passed over.")
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
                    ValueModel::Typed => ("typed", "The highest source gives the whole value, which is converted to the declared type."),
                    ValueModel::Plain => ("plain", "Texts, lists and maps; maps of several sources are merged key by key, and the type of the result is checked."),
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
                    Unset::Unknown => ("unknown", "Not known."),
                },
            ),
        }
    }

    fn source(&mut self, source: ValueSource) -> TableRule {
        let rule = match source {
            ValueSource::Default => rule("default", "The declaration's default."),
            ValueSource::Environment { prefix, rule: text, undeclared } => rule("environment", "Environment variables whose name is the prefix and the variable's name.").text("prefix", prefix).text("text", self.text(text)).text("undeclared", self.undeclared(undeclared)),
            ValueSource::Files { undeclared, unless_options } => rule("files", "The files under `values`: fixed names in their order here, then the others by bytes of their name. With `unless_options` they do not count for a name that the command line sets.").text("undeclared", self.undeclared(undeclared)).flag("unless_options", unless_options),
            ValueSource::Options { rule: text, undeclared, undeclared_in_file } => rule("options", "The options of the command line, -var and -var-file, in the order given.").text("text", self.text(text)).text("undeclared", self.undeclared(undeclared)).text("undeclared_in_file", self.undeclared(undeclared_in_file)),
        };
        self.met("sources", rule)
    }

    fn undeclared(&mut self, undeclared: Undeclared) -> &'static str {
        let word = match undeclared {
            Undeclared::Silent => ("silent", "A value for a name that nothing declares is passed over."),
            Undeclared::Warning => {
                ("warning", "A value for a name that nothing declares is a warning; more than two are summed up.")
            }
            Undeclared::Error => ("error", "A value for a name that nothing declares is an error."),
        };
        self.word("undeclared", word)
    }

    fn text(&mut self, rule: TextRule) -> &'static str {
        let word = match rule {
            TextRule::ByType => (
                "by-type",
                "As it stands where the declaration has no type or a primitive one, else as one expression.",
            ),
            TextRule::TrimmedOrValue => (
                "trimmed-or-value",
                "As it stands, without double quotes at its ends, for a text; else as one value of the syntax.",
            ),
            TextRule::ValueOrRaw => (
                "value-or-raw",
                "As one value of the syntax; numbers, truth words and what cannot be read so, as they stand.",
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
            AddressRule::None => rule("none", "No object: a nested block, or one that only holds others."),
            AddressRule::Labels(prefix) => rule("labels", "The prefix and the labels, joined by dots.").text("prefix", prefix),
            AddressRule::Fixed(is) => rule("fixed", "Always this one.").text("is", is),
            AddressRule::Numbered(word) => rule("numbered", "The word and a running number in order of declaration.").text("word", word),
            AddressRule::LabelAndAlias(prefix) => rule("label-and-alias", "The prefix, the label, and the text of the argument alias where it is a constant.").text("prefix", prefix),
            AddressRule::EachArgument { prefix, identifier } => rule("each-argument", "Each argument makes an object of its own: the prefix and its name. `identifier` is the title when that is no identifier.").text("prefix", prefix).maybe("identifier", identifier),
        };
        self.met("address", rule)
    }

    fn body(&mut self, body: BodyRule) -> TableRule {
        let rule = match body {
            BodyRule::Strict => rule("strict", "Only what has rows; anything else is an error."),
            BodyRule::Open { escape, nested } => rule("open", "What has rows is read by them; everything else belongs to a schema that is not known here, and merges as `nested` says. `escape` is the title for a second _ {} block; without it there is no such block.").maybe("escape", escape).text("nested", self.nested(nested)),
            BodyRule::Arguments { drop_when_wrong } => rule("arguments", "Arguments only; a block inside is an error, and with `drop_when_wrong` drops the whole block.").flag("drop_when_wrong", drop_when_wrong),
            BodyRule::Refused { title, at_header } => rule("refused", "The block may not stand here; its body is not read. Told at the keyword, or at the header.").title(title).flag("at_header", at_header),
            BodyRule::Dropped => rule("dropped", "Accepted without a look inside, and dropped without a word."),
            BodyRule::AsAround => rule("as-around", "By the row of the block around it, to any depth."),
        };
        self.met("body", rule)
    }

    fn nested(&mut self, nested: NestedRule) -> &'static str {
        let word = match nested {
            NestedRule::ByTypeAndDynamic => (
                "by-type-and-dynamic",
                "Nested blocks of the types that occur in the override replace all of that type; dynamic \"T\" counts as T.",
            ),
            NestedRule::ByType => (
                "by-type",
                "Nested blocks of the types that occur in the override replace all of that type; dynamic is a type like any other.",
            ),
            NestedRule::ByName => (
                "by-name",
                "Nested blocks of the types that occur in the override replace all of that type; an argument and a block of one name take each other's place.",
            ),
        };
        self.word("nested", word)
    }

    fn repeat(&mut self, repeat: Repeat) -> TableRule {
        let rule = match repeat {
            Repeat::Accumulate => rule("accumulate", "They add up."),
            Repeat::Error { title, keeps } => {
                rule("error", "An error at the header of the later one; `keeps` says which one stays.")
                    .title(title)
                    .text("keeps", self.keeps(keeps))
            }
            Repeat::WholeBlock { title } => {
                rule("whole-block", "An error at the header of the later block, all of which is dropped.")
                    .title(title)
            }
            Repeat::OnePerFile { title } => rule(
                "one-per-file",
                "A second one in one file is an error at its header; one in a later primary file takes the place of the earlier one.",
            )
            .title(title),
            Repeat::NoneOfSeveral { title } => {
                rule("none-of-several", "Of several none is read; told once, at the header of the second.")
                    .title(title)
            }
        };
        self.met("repeat", rule)
    }

    fn keeps(&mut self, keeps: Keeps) -> &'static str {
        let word = match keeps {
            Keeps::First => ("first", "The earlier one stays."),
            Keeps::Last => ("last", "The later one stays."),
            Keeps::BothListed => ("both", "Both are listed; the later one is not looked at."),
            Keeps::NotEvenOuter => ("not-even-outer", "None stays: the block around them is dropped."),
        };
        self.word("keeps", word)
    }

    fn over(&mut self, over: OverrideRule) -> TableRule {
        let rule = match over {
            OverrideRule::Merge { missing } => rule("merge", "It merges into the base of the same address (nested: of the same type and labels): arguments by their own rule, nested blocks by theirs or as the body says.").rule("missing", self.missing(missing)),
            OverrideRule::ReplaceWhole { missing } => rule("replace-whole", "It takes the place of the base of the same address.").rule("missing", self.missing(missing)),
            OverrideRule::AllReplace => rule("all-replace", "One or more of the type replace all of the base's of that type; none keeps them."),
            OverrideRule::OnePerFile { title, displaces } => rule("one-per-file", "One a file: it takes the place of the base's and removes objects of the kinds in `displaces`. Two in one file are an error with this title.").title(title).words("displaces", displaces),
            OverrideRule::OnePerFileMerged { title } => rule("one-per-file-merged", "One a file: it merges into the base part by part, or is added. Two in one file are an error with this title.").title(title),
            OverrideRule::AllOfFileReplace => rule("all-of-file-replace", "Those of one file together replace all that were there before."),
            OverrideRule::Refused { title, unread } => rule("refused", "An error at the header; it changes nothing. With `unread` its body is not read.").title(title).flag("unread", unread),
            OverrideRule::Added => rule("added", "Never merged: it is added, and is a duplicate where the address is taken."),
            OverrideRule::MergeIntoNamesake => rule("merge-into-namesake", "It merges into the first of the same type and labels, whatever the alias of either; without a base it is added."),
            OverrideRule::GoesWith(other) => rule("goes-with", "Where the override has blocks of the type `with`, this one, or none, takes the place of the base's; else it is dropped without a word.").text("with", other),
            OverrideRule::BaseStays => rule("base-stays", "Dropped without a word; the base's stays."),
            OverrideRule::Ignored => rule("ignored", "Read, then dropped without a word; a note says so."),
            OverrideRule::InList(list) => rule("in-list", "It changes blocks of the list that have its type and labels, as `list` says; dropped without a word where there is none.").rule("list", self.list(list)),
        };
        self.met("override", rule)
    }

    fn list(&mut self, list: ListRule) -> TableRule {
        let rule = match list {
            ListRule::First { joined } => rule("first", "The first one: every argument is set on it, nested blocks are replaced by type. Of the types in `joined` only the arguments are set, on the blocks that are there.").words("joined", joined),
            ListRule::Entries => rule("entries", "Each argument replaces the one of that name in every block that has it; what none has makes a block of its own at the end. A single block takes all."),
            ListRule::Every { rivals, entries } => rule("every", "All of them: arguments are set and nested blocks replaced by type in each. Any of the types in `rivals` displaces all of them. Arguments of blocks of the type `entries` are entries: a single block takes all, of several the first that has one of that name.").words("rivals", rivals).text("entries", entries),
        };
        self.met("list", rule)
    }

    fn missing(&mut self, missing: Missing) -> TableRule {
        let rule = match missing {
            Missing::Error(title) => {
                rule("error", "Without a base it is an error with this title, and nothing is added.").title(title)
            }
            Missing::Adopt => rule("adopt", "Without a base it is added as it is."),
            Missing::AdoptUnlessAliased(title) => rule(
                "adopt-unless-aliased",
                "Without a base it is added when it has no alias; else an error with this title.",
            )
            .title(title),
            Missing::Drop => rule("drop", "Without a base it is dropped without a word."),
        };
        self.met("missing", rule)
    }

    fn check(&mut self, check: Check) -> TableRule {
        let rule = match check {
            Check::CountWithForEach => {
                rule("count-with-for-each", "count and for_each do not go together in one block.")
            }
            Check::StandsAtOverride => rule(
                "stands-at-override",
                "Merged with one of an override file, the block stands where that one stands.",
            ),
            Check::EntriesAreRequirements { registry } => rule(
                "entries-are-requirements",
                "Each argument is the requirement of a provider; only providers of the host `registry` may have the namespace -.",
            )
            .text("registry", registry),
            Check::ValuesAreConstant => rule("values-are-constant", "The values have to be constants."),
            Check::DefaultFitsType => rule(
                "default-fits-type",
                "A default has to fit the type, and null the flag nullable, also after a merge.",
            ),
            Check::NameNotUsedByModules => {
                rule("name-not-used-by-modules", "Names that module blocks use for themselves are no variable names.")
            }
            Check::NameKeptByModules(names) => rule(
                "name-kept-by-modules",
                "Module blocks keep `names` for themselves: no caller can set a variable of such a name, which is noted.",
            )
            .words("names", names),
            Check::LocalName => {
                rule("local-name", "A provider's local name has to be normal; otherwise the block is dropped.")
            }
            Check::LocalNameKept => {
                rule("local-name-kept", "A provider's local name has to be normal; the block stays.")
            }
            Check::OptionalNeedsExperiment(experiment) => {
                rule("optional-needs-experiment", "optional() in a variable's type needs this experiment.")
                    .text("experiment", experiment)
            }
            Check::ConstIsPlain => rule("const-is-plain", "const does not go with sensitive or ephemeral."),
            Check::PlainName(title) => rule(
                "plain-name",
                "The last label holds ASCII letters, digits, _ and -, and no dash comes first; else an error with this title.",
            )
            .title(title),
            Check::NothingInterpolated(title) => {
                rule("nothing-interpolated", "No text in the body may hold an interpolation: an error with this title at the text.")
                    .title(title)
            }
            Check::ConditionUsesSomething => {
                rule("condition-uses-something", "The condition has to refer to something.")
            }
            Check::ConditionUsesOwnVariable => {
                rule("condition-uses-own-variable", "The condition has to use the block's own variable.")
            }
            Check::ConditionUsesOnlyOwnVariable => rule(
                "condition-uses-only-own-variable",
                "The condition may use nothing but the block's own variable.",
            ),
            Check::MessageUsesOnlyOwnVariable => {
                rule("message-uses-only-own-variable", "The message may use nothing but the block's own variable.")
            }
            Check::MessageIsSentence => {
                rule("message-is-sentence", "The message is a constant text that looks like a sentence.")
            }
            Check::ForEachNeedsAlias => rule("for-each-needs-alias", "for_each needs an alias beside it."),
            Check::ConditionNotSelf => {
                rule("condition-not-self", "The condition may not refer to the resource itself.")
            }
            Check::MessageNotSelf => rule("message-not-self", "The message may not refer to the resource itself."),
            Check::ProvisionerKindIsGone(kinds) => {
                rule("provisioner-kind-is-gone", "These kinds of provisioners were removed from the tool.")
                    .words("kinds", kinds)
            }
            Check::DestroyReferences => rule(
                "destroy-references",
                "Destroy provisioners and the connection beside them may only refer to the object itself.",
            ),
            Check::ChecksNeedAsserts => rule("checks-need-asserts", "At least one assertion is needed."),
            Check::OneScopedData => rule("one-scoped-data", "At most one data source may stand inside."),
            Check::ScopedDataIsPlain => {
                rule("scoped-data-is-plain", "The data source inside takes no count, for_each or lifecycle.")
            }
            Check::MoveEndsAgree => rule("move-ends-agree", "Both ends have to be of one kind."),
            Check::UnknownYetListed => rule(
                "unknown-yet-listed",
                "The block is not known here, and that is told; yet the tool's account of the object has it.",
            ),
            Check::WholeOrUnread => rule(
                "whole-or-unread",
                "With an address, and something missing or unknown, the body is not looked at further.",
            ),
            Check::OneImportIdentity => rule("one-import-identity", "Exactly one of id and identity is needed."),
            Check::NoProviderForModuleTarget => {
                rule("no-provider-for-module-target", "With a target inside a module there can be no provider.")
            }
            Check::OnlyDestroyProvisioners => {
                rule("only-destroy-provisioners", "Provisioners here run when something is destroyed.")
            }
            Check::TriggerIsComplete => rule("trigger-is-complete", "An event and an action are needed."),
            Check::MayLack { argument, names } => rule(
                "may-lack",
                "The argument, though required, may be missing when the last label is one of `names`.",
            )
            .text("argument", argument)
            .words("names", names),
            Check::MayNotHave { argument, names, title } => rule(
                "may-not-have",
                "After the merge the argument may not be there when the last label is one of `names`.",
            )
            .text("argument", argument)
            .words("names", names)
            .title(title),
            Check::ImpliedFile { argument, suffix } => rule("implied-file", "In the merged block: the argument may be missing where no override changes the block; a file with the name of the block and the suffix is meant. A warning with origin overfold.").text("argument", argument).text("suffix", suffix),
            Check::VersionFromRegistry => rule("version-from-registry", "In the merged block: a version needs a source that is a registry address, or modules cannot be installed. Reported at the header with origin overfold."),
            Check::NotBoth { argument, block, title } => {
                rule("not-both", "After the merge the argument and a block of the type exclude each other.")
                    .text("argument", argument)
                    .text("block", block)
                    .title(title)
            }
            Check::OneRepetition { order } => rule("one-repetition", "Only one of count, for_each and enabled (of the lifecycle block) may stand in one block. Should overrides bring several together, the first in `order` takes effect.").words("order", order),
            Check::MoveEndsMovable => rule("move-ends-movable", "Each end of a move has to be there, readable, and no ephemeral object."),
            Check::IdOrIdentity { neither, both } => rule("id-or-identity", "Exactly one of id and identity is needed; a title for each mistake.").text("neither", neither).text("both", both),
            Check::AddressFirst => rule("address-first", "The address is read first; where it cannot be read, the rest stays as expressions."),
            Check::RemovedProvisioners { creating, of_module } => rule("removed-provisioners", "Provisioners here run when something is destroyed, and never for a module; a title for each mistake.").text("creating", creating).text("of_module", of_module),
            Check::RemovedSaysDestroy => rule("removed-says-destroy", "It should say whether to destroy, and have no provisioners if not: warnings."),
            Check::NotBlank { argument, title, place } => rule("not-blank", "The text of the argument may not be blank.").text("argument", argument).title(title).rule("place", self.blank(place)),
            Check::DefaultLosesNothing => rule("default-loses-nothing", "Attributes in a default that the type has no room for are a warning."),
            Check::Needs { argument, title } => rule("needs", "The argument has to be there; otherwise this title at the header.").text("argument", argument).title(title),
            Check::WholeOrNothing => rule("whole-or-nothing", "With an error anywhere in it the block is dropped."),
            Check::BodyIsBody => rule("body-is-body", "A body of an unknown schema has at least to be a body."),
            Check::CountsWhenWrong => rule("counts-when-wrong", "A block whose body could not be read counts all the same, with nothing in it."),
            Check::LabelsDiffer { among: Among { block, inside }, title } => rule("labels-differ", "Blocks of the type `block`, in blocks of the type `inside` or directly in this one, differ in their labels.").text("block", block).maybe("inside", inside).title(title),
            Check::LabelsAreWords { block, titles } => rule("labels-are-words", "Labels of the blocks of this type are of ASCII letters, digits, _ and -; a title for each label.").text("block", block).words("titles", titles),
            Check::StatesOwnVersion { block, argument, before } => rule("states-own-version", "One block of the type holds a constraint of the tool's own version. One that allows a release up to `before`, which does not know the block, gets a warning.").text("block", block).text("argument", argument).with("before", TableValue::Text(release(before).into())),
        };
        self.met("checks", rule)
    }

    fn blank(&mut self, place: BlankPlace) -> TableRule {
        let rule = match place {
            BlankPlace::Label => rule("label", "Told at the first label of the block."),
            BlankPlace::ValueUnlessWrong { earlier } => rule("value-unless-wrong", "Told at the value, unless the structure of the block, its name, or one of the arguments `earlier` is wrong.").words("earlier", earlier),
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
                    Required::No => ("no", "It may be left out."),
                    Required::InPrimary => {
                        ("in-primary", "It has to be there in primary files; an override may leave it out.")
                    }
                    Required::Always => ("always", "It has to be there, in override files too."),
                    Required::AfterMerge => ("after-merge", "The merged block has to have it."),
                },
            ),
            kind: self.kind(kind),
            merge: self.merge(merge),
        }
    }

    fn kind(&mut self, kind: AttrKind) -> TableRule {
        let rule = match kind {
            AttrKind::Any => rule("any", "Any expression."),
            AttrKind::ConstBool => rule("constant-bool", "A constant truth value."),
            AttrKind::ConstText => rule("constant-text", "A constant text."),
            AttrKind::ConstTextNotNull => rule("constant-text-not-null", "A constant text that is not null."),
            AttrKind::Alias => rule("alias", "A constant text; one that is not constant counts as none."),
            AttrKind::TypeConstraint(form) => rule("type", "A type constraint.").text("form", self.form(form)),
            AttrKind::Default => rule("default", "A variable's default: a constant."),
            AttrKind::References { action } => rule(
                "references",
                "A list of references to objects. `action` is the title for an item that is an action.",
            )
            .maybe("action", action),
            AttrKind::IgnoreChanges => rule("ignore-changes", "A list of references, or the word all."),
            AttrKind::ReplaceTriggers => rule("replace-triggers", "A list of references to resources."),
            AttrKind::ProviderReference => rule("provider", "A reference to a provider configuration."),
            AttrKind::ProviderMap => {
                rule("providers", "A map from provider configurations of the module called to those of the caller.")
            }
            AttrKind::Keyword(words) => {
                rule("keyword", "One of these bare words, in JSON as a text; else an error with this title.")
                    .words("words", words.words)
                    .title(words.title)
            }
            AttrKind::Keywords(words) => {
                rule("keywords", "A list of these bare words; anything else is an error with this title.")
                    .words("words", words.words)
                    .title(words.title)
            }
            AttrKind::Edition(words) => {
                rule("edition", "The language edition: one of these bare words.").words("words", words)
            }
            AttrKind::Experiments(experiments) => rule("experiments", "A list of experiments, judged as `as` says.")
                .rule("as", self.experiments(experiments)),
            AttrKind::VersionConstraint(of) => {
                rule("version-constraint", "A version constraint.").text("of", self.version_use(of))
            }
            AttrKind::ModuleSource { checked } => rule(
                "module-source",
                "A module's source address, a constant; with `checked` it has to be an address.",
            )
            .flag("checked", checked),
            AttrKind::Static(of) => rule(
                "static",
                "Any expression; worked out after the merge from what is known without running anything.",
            )
            .text("for", self.static_use(of)),
            AttrKind::Address(of) => rule("address", "The address of an object.").text("of", self.address_use(of)),
            AttrKind::RequiredVersion(object) => rule(
                "required-version",
                "A version constraint of the tool itself; makes an object by the row `object`.",
            )
            .with("object", TableValue::Block(Box::new(self.block(object)))),
            AttrKind::ActionReferences => rule("action-references", "A list of references to actions."),
            AttrKind::Condition => rule("condition", "A condition."),
            AttrKind::Message => rule("message", "The message of a condition."),
            AttrKind::Stored(shape) => {
                rule("stored", "A plain value of this shape, with or without interpolations; nothing is worked out.")
                    .rule("shape", self.stored(shape))
            }
            AttrKind::Literal(shape) => {
                rule("literal", "A constant of this shape; an expression that is no constant is kept as it is.")
                    .rule("shape", self.shape(shape))
            }
            AttrKind::Reserved(title) => {
                rule("reserved", "The name is reserved: an error with this title.").title(title)
            }
            AttrKind::Refused(title) => {
                rule("refused", "The argument may not stand here: an error with this title.").title(title)
            }
            AttrKind::PlainType => rule("plain-type", "The type of a variable whose values are plain: one of three words."),
            AttrKind::PlainDefault => rule("plain-default", "The default of such a variable: texts, lists and maps without interpolations, of the type that the block declares."),
            AttrKind::BareKeyword(words) => rule("bare-keyword", "One of these words, bare, in JSON as a text; in quotes it is no word.").words("words", words.words).title(words.title),
            AttrKind::OwnVersion { files } => rule("own-version", "A version constraint of the tool itself, held against the version that is followed where it stands. Read in files whose names end as in `files`; without any, in all.").words("files", files),
            AttrKind::Forgotten => rule("forgotten", "Accepted, not looked at and not kept."),
            AttrKind::RefusedAtHeader(title) => rule("refused-at-header", "The argument may not stand here: an error with this title at the header of the block.").title(title),
        };
        self.met("kind", rule)
    }

    fn form(&mut self, form: TypeForm) -> &'static str {
        let word = match form {
            TypeForm::WithLegacy => ("with-legacy", "With optional() and its defaults; bare list and map."),
            TypeForm::LegacyWithoutDefaults => {
                ("legacy-without-defaults", "With optional(), which takes no default; bare list and map.")
            }
            TypeForm::Plain => ("plain", "Without optional()."),
        };
        self.word("form", word)
    }

    fn version_use(&mut self, of: VersionUse) -> &'static str {
        let word = match of {
            VersionUse::Module => ("module", "Of a module: only beside a registry address."),
            VersionUse::Provider => ("provider", "Of a provider configuration: warns."),
        };
        self.word("of", word)
    }

    fn address_use(&mut self, of: AddressUse) -> &'static str {
        let word = match of {
            AddressUse::Moved => ("moved", "An end of a move."),
            AddressUse::ImportTarget => ("import-target", "The target of an import."),
            AddressUse::KeyedImportTarget { in_json: true } => {
                ("keyed-import-target", "The target of an import, whose keys may be worked out.")
            }
            AddressUse::KeyedImportTarget { in_json: false } => (
                "keyed-import-target-not-json",
                "The target of an import, whose keys may be worked out; it cannot be given in JSON.",
            ),
            AddressUse::Removed => ("removed", "What is no longer managed."),
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
            ExperimentRule::Listed { active, concluded } => {
                rule("listed", "Those in `active` work, with a warning; those in `concluded` are over.")
                    .words("active", active)
                    .words("concluded", concluded)
            }
            ExperimentRule::RefusedUnless { only, concluded } => {
                rule("refused-unless", "The argument is refused, unless the only item is `only`.")
                    .text("only", only)
                    .words("concluded", concluded)
            }
            ExperimentRule::Refused => rule("refused", "The argument is refused, an empty list too."),
        };
        self.met("as", rule)
    }

    fn shape(&mut self, shape: LiteralShape) -> TableRule {
        let rule = match shape {
            LiteralShape::Text => rule("text", "A text, or what converts to one."),
            LiteralShape::OneOf(words) => {
                rule("one-of", "A text; in the merged block one of these, else an error with this title.")
                    .words("words", words.words)
                    .title(words.title)
            }
            LiteralShape::Map => rule("map", "A map or an object."),
            LiteralShape::TextMap => rule("text-map", "A map of texts, or of what converts to them."),
            LiteralShape::List => rule("list", "A list."),
        };
        self.met("shape", rule)
    }

    fn stored(&mut self, shape: StoredShape) -> TableRule {
        let rule = match shape {
            StoredShape::Text => rule("stored-text", "A text, or a whole number as written."),
            StoredShape::Constant => {
                rule("stored-constant", "A text without interpolations, or a whole number as written.")
            }
            StoredShape::Version => rule("stored-version", "A version constraint as a text."),
            StoredShape::Count => {
                rule("stored-count", "A whole number, or a text that is one or holds interpolations.")
            }
            StoredShape::Constants => rule("stored-constants", "A list of texts without interpolations."),
            StoredShape::Texts => rule("stored-texts", "A list of texts."),
            StoredShape::TruthOrText => rule("stored-truth-or-text", "true or false, or a text."),
            StoredShape::TextMap => rule("stored-text-map", "A map of texts."),
            StoredShape::Truth => rule("stored-truth", "true or false, not in quotes."),
            StoredShape::OneOf(words) => rule("stored-one-of", "One of these texts; else an error with this title.")
                .words("words", words.words)
                .title(words.title),
        };
        self.met("shape", rule)
    }

    fn surplus(&mut self, surplus: Surplus) -> &'static str {
        let word = match surplus {
            Surplus::Refused => ("refused", "Further labels are an error; the block is dropped."),
            Surplus::Unread => ("unread", "Further labels are passed over."),
            Surplus::Inside => ("inside", "The first further label is the type of a block inside."),
            Surplus::InsideInJson => (
                "inside-in-json",
                "In JSON the first further label is the type of a block inside; else it is an error.",
            ),
        };
        self.word("further_labels", word)
    }

    fn merge(&mut self, merge: AttrMerge) -> TableRule {
        let rule = match merge {
            AttrMerge::Replace => rule("replace", "It replaces the one of the same name; a new one is added."),
            AttrMerge::Never => rule("never", "It changes nothing, and no word is said."),
            AttrMerge::RefuseUnlessEmpty(title) => rule("refuse-unless-empty", "An empty list changes nothing; one with items is an error with this title at the first item, and changes nothing either.").title(title),
            AttrMerge::RefuseWhenBaseHasItems(title) => rule("refuse-when-base-has-items", "An error with this title at the base's first item, where the base has any; it never changes anything.").title(title),
            AttrMerge::ReplaceUnlessEmptyText => rule("replace-unless-empty-text", "It replaces the base's unless it is the empty text."),
            AttrMerge::ReplaceUnlessOne => rule("replace-unless-one", "It replaces the base's unless it is the number 1."),
            AttrMerge::ReplaceUnlessEmptyList => rule("replace-unless-empty-list", "It replaces the base's unless it is the empty list."),
            AttrMerge::ReplaceUnlessEmptyMap => rule("replace-unless-empty-map", "It replaces the base's unless it is the empty map."),
            AttrMerge::IgnoreChanges { all_counts } => rule("ignore-changes", "A list with items replaces the list; the word all, if `all_counts`, holds from then on.").flag("all_counts", all_counts),
            AttrMerge::VariableType => rule("variable-type", "It replaces the type; the base's optional() defaults stay in force."),
            AttrMerge::VariableDefault => rule("variable-default", "It replaces the default; then the default that holds is converted to the type that holds."),
            AttrMerge::Or => rule("or", "True when either is true."),
            AttrMerge::Key => rule("key", "It is part of what finds the base, so it is the same on both sides."),
            AttrMerge::BaseStays => rule("base-stays", "The base's own stays, present or absent, and no word is said; one without a base counts."),
            AttrMerge::EvenIfUnset => rule("even-if-unset", "It replaces the base's, and takes it away where the override's block states none."),
        };
        self.met("merge", rule)
    }
}

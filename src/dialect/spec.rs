//! The types that a dialect's table is made of: structs and closed enums, no logic.
//!
//! A table is written for all versions of a tool at once: each row says from which release it holds ([`When`]).
//! `registry` flattens a table for one version, so every stage sees only the rows that hold and no stage compares
//! version numbers. What no row can say becomes a new variant of one of the enums, named after the behaviour; the
//! compiler then points at the places that have to learn it.

use super::variables::VariableRules;
use crate::syntax::Grammar;

/// A release of a tool. A release candidate counts as its release.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Release(pub u16, pub u16, pub u16);

/// The releases in which a row holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct When {
    /// First release with it.
    pub since: Release,
    /// First release without it again.
    pub until: Option<Release>,
}

impl When {
    /// Every release.
    pub const ALWAYS: Self = Self { since: Release(0, 0, 0), until: None };

    /// From this release on.
    pub const fn since(major: u16, minor: u16, patch: u16) -> Self {
        Self { since: Release(major, minor, patch), until: None }
    }

    /// Up to, not including, this release.
    pub const fn until(major: u16, minor: u16, patch: u16) -> Self {
        Self { since: Release(0, 0, 0), until: Some(Release(major, minor, patch)) }
    }

    /// The same start, but up to, not including, this release.
    #[must_use]
    pub const fn but_until(self, major: u16, minor: u16, patch: u16) -> Self {
        Self { since: self.since, until: Some(Release(major, minor, patch)) }
    }

    /// Whether the row holds in `release`.
    pub fn holds(self, release: Release) -> bool {
        self.since <= release && self.until.is_none_or(|until| release < until)
    }
}

/// A dialect's table for one version of the tool.
#[derive(Clone, Copy, Debug)]
pub struct DialectSpec {
    /// The dialect's name as requests write it.
    pub name: &'static str,
    /// The version that is followed, in full: `1.11.4`.
    pub version: &'static str,
    /// Which files make a module.
    pub files: FileRules,
    /// How input variables get their values.
    pub variables: VariableRules,
    /// What the merged module is.
    pub view: View,
    /// Top-level block types.
    pub blocks: &'static [BlockSpec],
    /// Behaviours of the module as a whole.
    pub rules: &'static [RuleRow],
    /// Titles that differ from those of the code or row.
    pub titles: &'static [TitleRow],
}

/// What a dialect's merged module is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// Elements, each with an address of its own.
    ByAddress,
    /// The list of all top-level blocks, known to the table or not, in order of declaration; one header may stand there
    /// any number of times, and nothing is required of a block but what its row says (tflint.md, sections 2 to 4).
    BlockList {
        /// Block types that `count` and `for_each` multiply where expansion is asked for.
        multiplied: &'static [&'static str],
    },
}

/// Which files of a directory make a module, and in which role.
#[derive(Clone, Copy, Debug)]
pub struct FileRules {
    /// Configuration files, by the end of their names. The longest suffix that fits decides.
    pub suffixes: &'static [SuffixRow],
    /// Files of variable values that are read by themselves.
    pub values: &'static [ValuesRow],
    /// A file is an override file when its name without the suffix is this word …
    pub override_stem: &'static str,
    /// … or ends in this.
    pub override_tail: &'static str,
    /// Names of files that are primary only where no file is by its suffix: the first of them that is there.
    pub alone: &'static [NamedFile],
    /// A request may name one file to be read by itself, without override files, if its name ends so. Empty: it may
    /// not.
    pub by_request: &'static [NamedFile],
    /// How test files are read; `None`: they are not.
    pub tests: Option<TestRules>,
}

/// How test files are read.
#[derive(Clone, Copy, Debug)]
pub struct TestRules {
    /// The folder in the module directory whose test files come before those beside the module. Deeper ones are not
    /// read.
    pub folder: &'static str,
    /// What such a file may hold: the row of a block of which the file is the body.
    pub file: BlockSpec,
}

/// A file told by its name.
#[derive(Clone, Copy, Debug)]
pub struct NamedFile {
    /// The whole name, or its end.
    pub name: &'static str,
    /// The syntax.
    pub syntax: FileSyntax,
    /// In which releases.
    pub when: When,
}

/// A kind of file, told by the end of its name.
#[derive(Clone, Copy, Debug)]
pub struct SuffixRow {
    /// The end of the name, with its dot. Case counts.
    pub suffix: &'static str,
    /// The syntax.
    pub syntax: FileSyntax,
    /// What such files are for.
    pub usage: SuffixUse,
    /// A file is not opened when one of the same stem and role with this suffix is there.
    pub hidden_by: Option<&'static str>,
    /// In which releases.
    pub when: When,
}

/// What files of a suffix are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SuffixUse {
    /// Primary or override, by the stem.
    Config,
    /// Read only when the stem makes it an override file.
    OverrideOnly,
    /// Tests: not part of the module.
    Test,
    /// Configuration for others: the tool passes it over, and a note says so.
    NotRead,
}

/// The syntax a file is read in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileSyntax {
    /// HCL native syntax.
    Native,
    /// HCL JSON syntax.
    Json,
    /// The first grammar, or the JSON that goes with it: told by the content.
    FirstGrammar,
}

/// Files of variable values that are read without being named.
#[derive(Clone, Copy, Debug)]
pub struct ValuesRow {
    /// The whole name, or its end.
    pub name: &'static str,
    /// Which of the two.
    pub name_is: ValuesName,
    /// The syntax.
    pub syntax: FileSyntax,
}

/// Which names a row of value files means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValuesName {
    /// This one.
    Whole,
    /// Any that ends so, of hidden and backup files too. A folder of such a name is read and cannot be.
    End,
    /// Any that ends so; hidden files, backup files and folders are passed over.
    EndOfVisible,
}

impl ValuesRow {
    /// Whether the row means a file of this name.
    pub fn means(&self, name: &str) -> bool {
        match self.name_is {
            ValuesName::Whole => name == self.name,
            ValuesName::End => name.ends_with(self.name),
            ValuesName::EndOfVisible => name.ends_with(self.name) && why_passed_over(name).is_none(),
        }
    }
}

/// Why a file of this name is left alone by every tool: hidden files and backups of editors.
pub fn why_passed_over(name: &str) -> Option<&'static str> {
    if name.starts_with('.') {
        Some("hidden file")
    } else if name.ends_with('~') || (name.starts_with('#') && name.ends_with('#')) {
        Some("editor's backup file")
    } else {
        None
    }
}

/// One block type of a dialect, as it stands for one version of the tool.
#[derive(Clone, Copy, Debug)]
pub struct BlockSpec {
    /// The block type as written.
    pub keyword: &'static str,
    /// What it is in answers: `resource`, `data`, … For most the keyword.
    pub kind: &'static str,
    /// In which releases the row holds.
    pub when: When,
    /// Labels, in order; another number is an error and the block is dropped.
    pub labels: &'static [LabelSpec],
    /// What labels beyond these mean. First grammar only; elsewhere they are an error.
    pub surplus: Surplus,
    /// A block without any label is passed over without a word. First grammar only.
    pub nameless_is_nothing: bool,
    /// Whether the first label decides about the rest of the row.
    pub kinds: Kinds,
    /// In a list of blocks: another number of labels is an error. Otherwise any number is taken.
    pub labels_are_counted: bool,
    /// What the labels are called; filled in when the table is flattened.
    pub label_names: &'static [&'static str],
    /// Which element it makes.
    pub address: AddressRule,
    /// How its body is read.
    pub body: BodyRule,
    /// Arguments with rows of their own; in an open body: the meta-arguments.
    pub attrs: &'static [AttrSpec],
    /// Nested blocks with rows of their own.
    pub blocks: &'static [BlockSpec],
    /// A second one: at top level of the same address, among the primary files; inside a block of the same type.
    pub repeat: Repeat,
    /// One in an override file.
    pub over: OverrideRule,
    /// Nested blocks that the tool's own account of the object leaves out.
    pub unlisted: &'static [&'static str],
    /// That account has the block only with something in it.
    pub nothing_when_empty: bool,
    /// Rules across its parts.
    pub checks: &'static [CheckRow],
    /// The body, nested blocks too, is read without variables: in JSON its strings stand for themselves and are no
    /// templates.
    pub constant: bool,
    /// Titles of what is found in such a block, where they differ. `{0}` and `{1}` stand for its labels, `{key}` for the
    /// text at the place, `{place}` for line and column of the place.
    pub titles: &'static [TitleRow],
    /// Where the row comes from.
    pub source: &'static str,
}

/// What labels beyond those of a row mean, where a label is an object around the body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surplus {
    /// An error; the block is dropped.
    Refused,
    /// Nothing, and nothing is said.
    Unread,
    /// The first of them is the type of a block inside this one.
    Inside,
    /// That in JSON; an error in the native form.
    InsideInJson,
}

impl BlockSpec {
    /// A row to start from: no labels, strict and empty body, no element of its own, repeated at will, merged.
    pub const PLAIN: Self = Self {
        keyword: "",
        kind: "",
        when: When::ALWAYS,
        labels: &[],
        surplus: Surplus::Refused,
        nameless_is_nothing: false,
        kinds: Kinds::One,
        labels_are_counted: false,
        label_names: &[],
        address: AddressRule::None,
        body: BodyRule::Strict,
        attrs: &[],
        blocks: &[],
        repeat: Repeat::Accumulate,
        over: OverrideRule::Merge { missing: Missing::Adopt },
        unlisted: &[],
        nothing_when_empty: false,
        checks: &[],
        constant: false,
        titles: &[],
        source: "",
    };

    /// The row of an argument.
    pub fn attr(&self, name: &str) -> Option<&'static AttrSpec> {
        self.attrs.iter().find(|row| row.name == name)
    }

    /// The row of a nested block type.
    pub fn block(&self, keyword: &str) -> Option<&'static BlockSpec> {
        self.blocks.iter().find(|row| row.keyword == keyword)
    }

    /// Whether the row names the rule.
    pub fn checks(&self, check: Check) -> bool {
        self.checks.iter().any(|row| row.check == check)
    }
}

/// Whether blocks of one type have one schema.
#[derive(Clone, Copy, Debug)]
pub enum Kinds {
    /// The row is all there is.
    One,
    /// The first label chooses another row, of the same block type, labels and address.
    ByFirstLabel {
        /// The rows.
        rows: &'static [KindRow],
        /// Title for any other label, at the label; the block is dropped.
        title: &'static str,
    },
}

/// The row for one first label.
#[derive(Clone, Copy, Debug)]
pub struct KindRow {
    /// The label.
    pub label: &'static str,
    /// The row.
    pub spec: BlockSpec,
}

/// A label of a block type.
#[derive(Clone, Copy, Debug)]
pub struct LabelSpec {
    /// What the tool calls it: `type`, `name`.
    pub name: &'static str,
    /// Title when the text is no identifier; the block is kept. `None`: any text.
    pub identifier: Option<&'static str>,
}

/// How an element's address is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressRule {
    /// No element: a nested block, or a block that only holds others (`terraform`).
    None,
    /// The prefix (which ends in a dot, or is empty) and the labels, joined by dots.
    Labels(&'static str),
    /// Always this one.
    Fixed(&'static str),
    /// The word and a running number, `moved[0]`, in order of declaration.
    Numbered(&'static str),
    /// Prefix, label, and the text of the argument `alias` where it is a constant.
    LabelAndAlias(&'static str),
    /// Each argument of the block makes an element of its own: prefix and name.
    EachArgument {
        /// In front of the name.
        prefix: &'static str,
        /// Title when the name is no identifier; the element is kept.
        identifier: Option<&'static str>,
    },
}

/// How a body is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BodyRule {
    /// Only what has rows; anything else is an error.
    Strict,
    /// What has rows is read by them, everything else belongs to a schema that is not known here.
    Open {
        /// Title for a second `_ {}` escape block; `None`: no escape block.
        escape: Option<&'static str>,
        /// How nested blocks without a row of their own merge.
        nested: NestedRule,
    },
    /// Arguments only; a block inside is an error at its keyword.
    Arguments {
        /// The whole block is dropped then; otherwise its arguments stay.
        drop_when_wrong: bool,
    },
    /// By the row of the block around it, to any depth (a `fallback` of a `fallback`).
    AsAround,
    /// The block may not stand here: this title. The body is not read.
    Refused {
        /// Title.
        title: &'static str,
        /// At the header instead of the keyword (they differ in JSON).
        at_header: bool,
    },
    /// Accepted without a look inside, and dropped without a word.
    Dropped,
}

/// How nested blocks of an unknown schema merge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NestedRule {
    /// Types that occur in the override replace all of that type in the base; `dynamic "T"` counts as T.
    ByTypeAndDynamic,
    /// The same, but `dynamic` is a type like any other.
    ByType,
    /// The same, and an argument takes the place of blocks of its name, and they of it: the two say the same.
    ByName,
}

/// One argument of a block type.
#[derive(Clone, Copy, Debug)]
pub struct AttrSpec {
    /// The name as written.
    pub name: &'static str,
    /// In which releases the row holds.
    pub when: When,
    /// Whether it has to be there.
    pub required: Required,
    /// How its expression is read.
    pub kind: AttrKind,
    /// What one in an override does to the base's.
    pub merge: AttrMerge,
}

impl AttrSpec {
    /// An optional argument of any expression, replaced by an override.
    pub const fn new(name: &'static str, kind: AttrKind) -> Self {
        Self { name, when: When::ALWAYS, required: Required::No, kind, merge: AttrMerge::Replace }
    }

    /// Only in these releases.
    #[must_use]
    pub const fn when(self, when: When) -> Self {
        Self { when, ..self }
    }

    /// It has to be there.
    #[must_use]
    pub const fn required(self, required: Required) -> Self {
        Self { required, ..self }
    }

    /// What one in an override does.
    #[must_use]
    pub const fn merge(self, merge: AttrMerge) -> Self {
        Self { merge, ..self }
    }

    /// Whether JSON syntax wants it as bare text, without `${…}`: references, type constraints, addresses, keywords
    /// (terraform.md, section 9).
    pub const fn bare_in_json(&self) -> bool {
        matches!(
            self.kind,
            AttrKind::TypeConstraint(_)
                | AttrKind::References { .. }
                | AttrKind::ProviderReference
                | AttrKind::ProviderMap
                | AttrKind::IgnoreChanges
                | AttrKind::ReplaceTriggers
                | AttrKind::Address(_)
                | AttrKind::Keyword(_)
                | AttrKind::BareKeyword(_)
                | AttrKind::Keywords(_)
                | AttrKind::Edition(_)
                | AttrKind::Experiments(_)
        )
    }

    /// Whether a constant is wanted, so that a string of the JSON syntax stands for itself and is no template
    /// (terraform.md, section 9).
    pub const fn constant_in_json(&self) -> bool {
        matches!(
            self.kind,
            AttrKind::ConstBool
                | AttrKind::ConstText
                | AttrKind::ConstTextNotNull
                | AttrKind::Alias
                | AttrKind::Default
                | AttrKind::VersionConstraint(_)
                | AttrKind::ModuleSource { .. }
                | AttrKind::RequiredVersion(_)
                | AttrKind::OwnVersion { .. }
        )
    }
}

/// Whether an argument has to be there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Required {
    /// No.
    No,
    /// In primary files; an override may leave it out.
    InPrimary,
    /// In override files too.
    Always,
    /// In the merged block.
    AfterMerge,
}

/// How an argument's expression is read when a file is loaded.
#[derive(Clone, Copy, Debug)]
pub enum AttrKind {
    /// Kept as an expression, not looked at.
    Any,
    /// A constant truth value.
    ConstBool,
    /// A constant text.
    ConstText,
    /// A constant text that is not null (`deprecated`).
    ConstTextNotNull,
    /// A constant text; one that is not constant counts as none (`alias`).
    Alias,
    /// A type constraint.
    TypeConstraint(TypeForm),
    /// A variable's default: a constant.
    Default,
    /// The type of a variable whose values are plain: one of three words (variables.md, B1).
    PlainType,
    /// The default of such a variable: texts, lists and maps without interpolations, of the type that the block declares.
    PlainDefault,
    /// A list of references to objects (`depends_on`).
    References {
        /// Title for an item that is an action: the item is dropped.
        action: Option<&'static str>,
    },
    /// A list of references, or `all`.
    IgnoreChanges,
    /// A list of references to resources (`replace_triggered_by`).
    ReplaceTriggers,
    /// One provider configuration.
    ProviderReference,
    /// A map from local provider configurations to those of the caller.
    ProviderMap,
    /// One of these bare words, or the same as text in JSON.
    Keyword(KeywordRule),
    /// One of these words, bare or in JSON as text; in quotes it is no word.
    BareKeyword(KeywordRule),
    /// A list of bare words (`events`).
    Keywords(KeywordRule),
    /// A language edition: one of these bare words.
    Edition(&'static [&'static str]),
    /// Experiment keywords.
    Experiments(ExperimentRule),
    /// A version constraint.
    VersionConstraint(VersionUse),
    /// A module's source address.
    ModuleSource {
        /// Whether the loader checks that it is an address.
        checked: bool,
    },
    /// Kept as an expression, and worked out after the merge from what is known without running anything.
    Static(StaticUse),
    /// The address of an object.
    Address(AddressUse),
    /// A version constraint of the tool itself; makes an element by this row.
    RequiredVersion(&'static BlockSpec),
    /// A version constraint of the tool itself, held against the version that is followed where it stands, whatever
    /// other files say; makes no element.
    OwnVersion {
        /// Read only in files whose names end so, elsewhere not looked at; empty: in every file.
        files: &'static [&'static str],
    },
    /// Accepted, not looked at and not kept.
    Forgotten,
    /// A list of references to actions.
    ActionReferences,
    /// A condition: has to refer to something.
    Condition,
    /// The message of a condition.
    Message,
    /// A plain value (the first grammar has no other) of this shape.
    Stored(StoredShape),
    /// A value of this shape where the expression is a constant; any other expression is kept unread.
    Literal(LiteralShape),
    /// The argument is reserved: this title, at its name.
    Reserved(&'static str),
    /// The argument may not stand here: this title, at its name; the others stay.
    Refused(&'static str),
    /// The same, but at the header of the block that holds the argument, once for each argument.
    RefusedAtHeader(&'static str),
}

/// What a statically evaluated argument is for (opentofu.md, section 6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StaticUse {
    /// A module's source address.
    ModuleSource,
    /// The version constraint of a module.
    ModuleVersion,
    /// The instances of a provider configuration.
    Instances,
}

/// What a plain value has to be. Texts may hold interpolations unless it is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoredShape {
    /// A text, or a whole number, which counts as written.
    Text,
    /// The same without interpolations.
    Constant,
    /// A version constraint as a constant text.
    Version,
    /// A text that is a whole number, or holds interpolations.
    Count,
    /// A list of constant texts.
    Constants,
    /// A list of texts.
    Texts,
    /// `true` or `false`, or a text.
    TruthOrText,
    /// A map of texts.
    TextMap,
    /// `true` or `false`, not in quotes.
    Truth,
    /// One of these texts.
    OneOf(KeywordRule),
}

/// What a constant has to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiteralShape {
    /// A text, or what converts to one.
    Text,
    /// A text. In the merged block one of these.
    OneOf(KeywordRule),
    /// A map or an object.
    Map,
    /// A map of texts, or of what converts to them.
    TextMap,
    /// A list.
    List,
}

/// What a version makes of a list of experiments (terraform.md, section 10.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExperimentRule {
    /// Each item is judged; active ones work, with a warning.
    Listed {
        /// Experiments of this version.
        active: &'static [&'static str],
        /// Experiments that are over.
        concluded: &'static [&'static str],
    },
    /// The argument is refused, unless `only` is among its items: then each item is judged.
    RefusedUnless {
        /// The item.
        only: &'static str,
        /// Experiments that are over.
        concluded: &'static [&'static str],
    },
    /// The argument is refused, an empty list too.
    Refused,
}

/// How a type constraint may be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeForm {
    /// With the old quoted texts and bare `list`, `map` (variables).
    WithLegacy,
    /// The same, but `optional()` takes no default.
    LegacyWithoutDefaults,
    /// Plain (outputs).
    Plain,
}

/// A closed set of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeywordRule {
    /// The words.
    pub words: &'static [&'static str],
    /// Title for anything else.
    pub title: &'static str,
}

/// Where a version constraint stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VersionUse {
    /// In a module call: only beside a registry address.
    Module,
    /// In a provider configuration: warns.
    Provider,
}

/// Which addresses an argument takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressUse {
    /// `moved.from`, `moved.to`.
    Moved,
    /// `import.to`.
    ImportTarget,
    /// `import.to` of resources of every mode, whose keys may be worked out.
    KeyedImportTarget {
        /// In JSON a text is read as an expression; otherwise no JSON value can be read.
        in_json: bool,
    },
    /// `removed.from`.
    Removed,
}

/// What an argument of an override does to the base's of the same name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttrMerge {
    /// Replaces it; new ones are added.
    Replace,
    /// Nothing, silently; the base's stays.
    Never,

    /// An empty list changes nothing; a list with items is refused with this title at the first item, base stays.
    RefuseUnlessEmpty(&'static str),
    /// Refused with this title when the *base* has items, at the base's first item; never merged otherwise, silently
    /// (terraform.md, section 10.2, 1.4.1).
    RefuseWhenBaseHasItems(&'static str),
    /// Replaces it unless it is the empty text.
    ReplaceUnlessEmptyText,
    /// Replaces it unless it is the number 1, which counts as none given.
    ReplaceUnlessOne,
    /// Replaces it unless it is the empty list.
    ReplaceUnlessEmptyList,
    /// Replaces it unless it is the empty map.
    ReplaceUnlessEmptyMap,
    /// `ignore_changes`: a list with items replaces the list; the keyword `all` sets a flag beside it for good.
    IgnoreChanges {
        /// The keyword in an override counts; otherwise it is lost silently.
        all_counts: bool,
    },
    /// A variable's type: replaces the type, the base's `optional()` defaults stay in force.
    VariableType,
    /// A variable's default: replaces it; afterwards the current default is converted to the current type.
    VariableDefault,
    /// True when either is true.
    Or,
    /// Part of what finds the base, so it is the same on both sides and the base's stays.
    Key,
    /// The base block's own stays, present or absent, silently; one of a block that has no base counts.
    BaseStays,
    /// Replaces it, and takes it away where the override's block states none.
    EvenIfUnset,
}

/// What a second block of the same name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeat {
    /// They add up.
    Accumulate,
    /// An error at the header of the later one; `{0}`, `{1}` in the title stand for labels, `{name}` for the name.
    Error {
        /// Title.
        title: &'static str,
        /// Which one stays.
        keeps: Keeps,
    },
    /// For a block whose arguments are the elements: the whole later block is an error with this title at its header
    /// and is dropped.
    WholeBlock {
        /// Title.
        title: &'static str,
    },
    /// Two in one file: an error with this title at the header of the later one, which is dropped. One in a later primary
    /// file takes the place of the earlier one without a word.
    OnePerFile {
        /// Title.
        title: &'static str,
    },
    /// Inside a block: of several none is read, and that is told once, at the header of the second.
    NoneOfSeveral {
        /// Title.
        title: &'static str,
    },
}

/// Which of two blocks of the same name stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeps {
    /// The earlier one.
    First,
    /// The later one.
    Last,
    /// The earlier one; the later one is listed as it is written, without a look at what it says.
    BothListed,
    /// None: the block around them is dropped.
    NotEvenOuter,
}

/// What a block of an override file does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OverrideRule {
    /// Merges into the base of the same address (nested: of the same type and labels), part by part: arguments by
    /// their [`AttrMerge`], nested blocks by their own rule or, without a row, by the body's [`NestedRule`].
    Merge {
        /// Without a base.
        missing: Missing,
    },
    /// Takes the place of the base of the same address, its position too.
    ReplaceWhole {
        /// Without a base.
        missing: Missing,
    },
    /// Nested: one or more of the type replace all of the base's of that type; none keeps them.
    AllReplace,
    /// One a file: takes the place of the base's and removes elements of the kinds in `displaces`. Two in one file:
    /// this title at the header of the second, and nothing is taken. Kinds of one file take effect in table order.
    OnePerFile {
        /// Title.
        title: &'static str,
        /// Kinds that go.
        displaces: &'static [&'static str],
    },
    /// One a file: merges into the base part by part, or is added. Two in one file: this title at the header of the
    /// second, and nothing is taken.
    OnePerFileMerged {
        /// Title.
        title: &'static str,
    },
    /// Those of one file together replace everything collected so far (`required_version`).
    AllOfFileReplace,
    /// Never merged: it is added, and is a duplicate where the address is taken.
    Added,
    /// Merges part by part into the first element of the same type and labels, whatever the alias of either; then the
    /// address follows the alias. Without a base it is added.
    MergeIntoNamesake,
    /// Nested: goes with the blocks of this type. Where the override has such, this one, or none, takes the place of the
    /// base's; else it is dropped without a word.
    GoesWith(&'static str),
    /// Nested: dropped without a word; the base's stays.
    BaseStays,
    /// An error with this title at the header; it changes nothing. Handled when the file is loaded.
    Refused {
        /// Title.
        title: &'static str,
        /// The body is not even read.
        unread: bool,
    },
    /// Decoded, then dropped without a word. Handled when the file is loaded, with a note of ours.
    Ignored,
    /// In a list of blocks ([`View::BlockList`]): by this rule; dropped without a word where no base block has the same
    /// type and labels.
    InList(ListRule),
}

/// How an override block changes the blocks of a list that have its type and labels (joined by dots). The names of
/// nested block types are the whole of their key: labels do not count (tflint.md, sections 3 and 4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListRule {
    /// The first one: every argument is set on it, and its nested blocks of each type that the override has make room
    /// for the override's.
    First {
        /// Nested block types whose arguments are set on each base block of the type instead. They stay where they are
        /// and keep their own nested blocks; without one in the base they are lost.
        joined: &'static [&'static str],
    },
    /// Each argument replaces the one of that name in every base block that has it; what none has makes a block of its
    /// own at the end. With a single base block all are set on that.
    Entries,
    /// All of them: arguments are set, and nested blocks replaced by type, in each.
    Every {
        /// Nested block types of which any in the override displaces all in the base.
        rivals: &'static [&'static str],
        /// The nested block type whose arguments are entries: with a single base block of the type all are set on that,
        /// with several each replaces the first of its name and the rest makes a block at the end, with none all are
        /// lost.
        entries: &'static str,
    },
}

/// What happens to an override whose base does not exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// An error with this title at the header (a local value: at the argument); nothing is added.
    Error(&'static str),
    /// It is added as it is.
    Adopt,
    /// Added when it has no `alias`; otherwise an error with this title.
    AdoptUnlessAliased(&'static str),
    /// Dropped without a word.
    Drop,
}

/// A rule across the parts of a block, and when it holds.
#[derive(Clone, Copy, Debug)]
pub struct CheckRow {
    /// The rule.
    pub check: Check,
    /// In which releases.
    pub when: When,
}

impl CheckRow {
    /// In every release.
    pub const fn new(check: Check) -> Self {
        Self { check, when: When::ALWAYS }
    }

    /// In these releases.
    pub const fn when(check: Check, when: When) -> Self {
        Self { check, when }
    }
}

/// Rules that a row can only name; `load` holds one function for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// `count` and `for_each` in one block: error at the name of `for_each`, both stay.
    CountWithForEach,
    /// More than one of `count`, `for_each` and `enabled` of the lifecycle block in one block: error from the first of
    /// their names to the last, all stay.
    OneRepetition {
        /// Should overrides bring several together: the first of these that is there takes effect, the others do not.
        order: &'static [&'static str],
    },
    /// Each argument is the requirement of a provider.
    EntriesAreRequirements {
        /// The only host whose providers may have the namespace `-`, which stands for providers from before there were
        /// namespaces.
        registry: &'static str,
    },
    /// The values have to be constants.
    ValuesAreConstant,
    /// A default has to fit the type, and null the flag `nullable`: at the expression inside one block, at the
    /// header of the override block after a merge (terraform.md, section 7, variable).
    DefaultFitsType,
    /// Names that module blocks use for themselves are no variable names.
    NameNotUsedByModules,
    /// Names that module blocks keep for themselves: a variable of such a name is fine, but no caller can set it. A
    /// note of ours (variables.md, B1).
    NameKeptByModules(&'static [&'static str]),
    /// A provider's local name has to be normal; otherwise the block is dropped.
    LocalName,
    /// The same, but the block stays.
    LocalNameKept,
    /// `optional()` in a variable's type needs this experiment.
    OptionalNeedsExperiment(&'static str),
    /// `const` does not go with `sensitive` or `ephemeral` in one block.
    ConstIsPlain,
    /// The last label holds ASCII letters, digits, `_` and `-` and does not begin with a dash; else this title, and the
    /// block stays.
    PlainName(&'static str),
    /// No text in the body, nested blocks too, may hold an interpolation: this title, at the text.
    NothingInterpolated(&'static str),
    /// The condition has to refer to something.
    ConditionUsesSomething,
    /// A validation's condition has to use its own variable.
    ConditionUsesOwnVariable,
    /// A validation's condition may use nothing but its own variable.
    ConditionUsesOnlyOwnVariable,
    /// A validation's message may use nothing but its own variable.
    MessageUsesOnlyOwnVariable,
    /// An error message is a constant text that looks like a sentence.
    MessageIsSentence,
    /// `for_each` needs an `alias` beside it: told at its expression.
    ForEachNeedsAlias,
    /// A condition of a resource may not refer to the resource itself.
    ConditionNotSelf,
    /// The message may not refer to the resource itself either.
    MessageNotSelf,
    /// Kinds of provisioners that are gone.
    ProvisionerKindIsGone(&'static [&'static str]),
    /// Destroy provisioners and the connection beside them may only refer to the object itself.
    DestroyReferences,
    /// A check needs at least one assertion.
    ChecksNeedAsserts,
    /// At most one data source in a check.
    OneScopedData,
    /// A check's data source takes no `count`, no `for_each` and no `lifecycle`.
    ScopedDataIsPlain,
    /// Both ends of a move have to be of one kind.
    MoveEndsAgree,
    /// Each end of a move has to be there, readable, and no ephemeral object: told at the header, once for each end.
    MoveEndsMovable,
    /// The block is not known here, and told so; yet the tool's account of the object has it.
    UnknownYetListed,
    /// A body with an address and something missing or unknown is not looked at further; its arguments stay as
    /// expressions.
    WholeOrUnread,
    /// An import takes exactly one of `id` and `identity`.
    OneImportIdentity,
    /// The same with a title for each mistake: neither is told at the header, both from the first argument to the end
    /// of the last.
    IdOrIdentity {
        /// Title for neither.
        neither: &'static str,
        /// Title for both.
        both: &'static str,
    },
    /// The address is read first; where it cannot be read, or in JSON something before it was wrong, the rest of the
    /// block is not looked at and stays as expressions.
    AddressFirst,
    /// An import into a module takes no `provider`.
    NoProviderForModuleTarget,
    /// Provisioners of a `removed` block run when it is destroyed.
    OnlyDestroyProvisioners,
    /// The same, told in other places: one that runs at creation at its own header, one that runs when a module is
    /// destroyed at the header of the `removed` block.
    RemovedProvisioners {
        /// Title for one that runs at creation.
        creating: &'static str,
        /// Title for those of a module.
        of_module: &'static str,
    },
    /// A `removed` block without errors says whether to destroy, and has no provisioners if not; both are warnings.
    RemovedSaysDestroy,
    /// The text of the argument, where it can be read, is not blank.
    NotBlank {
        /// The argument.
        argument: &'static str,
        /// Title.
        title: &'static str,
        /// Where it is told, and when.
        place: BlankPlace,
    },
    /// Attributes in a default that the type of the same block has no room for: a warning at the name.
    DefaultLosesNothing,
    /// Every trigger has an event and an action.
    TriggerIsComplete,
    /// The argument has to be there; otherwise this title at the header.
    Needs {
        /// The argument.
        argument: &'static str,
        /// Title.
        title: &'static str,
    },
    /// A block with an error anywhere in it is dropped.
    WholeOrNothing,
    /// A body of an unknown schema has at least to be a body; otherwise it is not looked at.
    BodyIsBody,
    /// A block whose body could not be read counts all the same, with nothing in it.
    CountsWhenWrong,
    /// Where nothing else is wrong in it: blocks of the type differ in their labels. Told once for each of those that do
    /// not, at the header of the block that has the rule.
    LabelsDiffer {
        /// Which blocks.
        among: Among,
        /// Title.
        title: &'static str,
    },
    /// Where nothing else is wrong in it: labels of the blocks of the type directly in it are of ASCII letters, digits,
    /// `_` and `-`. Told without a place, with the title of the label.
    LabelsAreWords {
        /// Type of the blocks.
        block: &'static str,
        /// A title for each label.
        titles: &'static [&'static str],
    },
    /// Blocks of the type each hold a constraint of the tool's own version. The second that is readable is told at the
    /// header of the block that has the rule; one that allows an older release gets a warning, since such a release
    /// does not know the block; one without the argument makes the tool itself crash.
    StatesOwnVersion {
        /// Type of the blocks.
        block: &'static str,
        /// The argument in them.
        argument: &'static str,
        /// The last minor release that does not know the block.
        before: Release,
    },
    /// In the merged block: the argument, though required, may be missing when the last label is one of these.
    MayLack {
        /// The argument.
        argument: &'static str,
        /// The labels.
        names: &'static [&'static str],
    },
    /// In the merged block: the argument may not be there when the last label is one of these. Told at its value.
    MayNotHave {
        /// The argument.
        argument: &'static str,
        /// The labels.
        names: &'static [&'static str],
        /// Title.
        title: &'static str,
    },
    /// In the merged block: the argument and a block of the type exclude each other. Told at the header.
    NotBoth {
        /// The argument.
        argument: &'static str,
        /// The type of the block.
        block: &'static str,
        /// Title.
        title: &'static str,
    },
}

/// Where blocks stand that have to differ in their labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Among {
    /// Type of the blocks.
    pub block: &'static str,
    /// Type of the block that they stand in; `None`: they stand directly in the block that has the rule.
    pub inside: Option<&'static str>,
}

/// Where a blank text is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlankPlace {
    /// At the block's first label.
    Label,
    /// At the value, unless the block had an error up to there: in its structure, its name, or an argument that needs
    /// a constant and is read before this one.
    ValueUnlessWrong {
        /// Those arguments.
        earlier: &'static [&'static str],
    },
}

/// A behaviour of the module as a whole, and when it holds.
#[derive(Clone, Copy, Debug)]
pub struct RuleRow {
    /// The behaviour.
    pub rule: Rule,
    /// In which releases.
    pub when: When,
}

/// Behaviours that belong to no block type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The tool's own version is held against the merged constraints, when nothing else is wrong
    /// (terraform.md, section 1, step 5).
    RequiredVersionWhenClean,
    /// The same, whatever else is wrong.
    RequiredVersionAlways,
    /// An unmet constraint of [`AttrKind::OwnVersion`] hides every other diagnostic of the module.
    UnmetVersionHidesOthers,
    /// `&&` and `||` drop an error on one side when the other side decides the result.
    LogicShortCircuits,
    /// A constraint of the tool's version may not name a pre-release.
    RequiredVersionIsRelease,
    /// The tool's version constraints are looked up in a reading of their own (terraform.md, section 4: a wrong header
    /// is told by every reading).
    VersionScan,
    /// Experiments and editions are looked up in a reading of their own.
    ExperimentScan,
    /// Elements of these two addresses exclude each other among the primary files: told at the first one with this
    /// title, again for every primary file from there on.
    Exclude {
        /// Address at which it is told.
        told: &'static str,
        /// The other.
        with: &'static str,
        /// Title.
        title: &'static str,
    },
    /// Two imports into one static target clash at the `to` expression.
    ImportsClashAtTarget,
    /// Two imports into one target clash at the header of the later one.
    ImportsClashAtHeader,
    /// An import into something that is moved away.
    ImportsClashWithMoves,
    /// One id for two targets of one type.
    ImportIdsClash,
    /// While files are read the tool stops at the first mistake, and it looks at the module as a whole only when there is
    /// none: what else is found is ours.
    StopsWhileReading,
    /// A second block of one address in one override file is not merged: it is added, and so a duplicate.
    SecondInOverrideIsAdded,
    /// Functions may have name spaces, `provider::name::fn()`.
    NamespacedFunctions,
    /// The native parser tells an open block at its brace when the file ends inside it.
    UnclosedBlocksAreNamed,
    /// Address forms of ephemeral objects are known.
    EphemeralAddresses,
    /// Address forms of actions are known.
    ActionAddresses,
    /// A module version needs a source that is a registry address.
    VersionNeedsRegistrySource,
    /// An output of a module in place of an action is told alone, not also as a list without actions.
    ForeignActionAlone,
    /// The keys of import targets may be worked out; only managed resources are targets.
    ComputedImportKeys,
    /// References know this word as they know `terraform`.
    ToolWord(&'static str),
    /// The tool's account of a module call says what its source and version come to.
    ModuleSourcesAreTold,
    /// In static evaluation the value of a variable has the declared type, with its defaults, and is marked as the variable
    /// is. Otherwise a given value is used as it came.
    StaticValuesAreConverted,
    /// In static evaluation a sensitive variable is used, with a warning at each reference.
    StaticSecretsWarn,
    /// A static module source is decoded in the same step that evaluates it: a malformed reference stops it before others are
    /// looked up, a fault met in evaluating it is also one of the value's type, and marks are not looked at.
    StaticSourcesDecodedAtOnce,
    /// A module version that comes to null counts as absent.
    NullVersionIsNone,
    /// Every fault of a provider's `for_each` is told, also that a value which could not be worked out is none.
    InstanceFaultsAddUp,
    /// An expression that cannot be worked out where a constant is needed is not also told to be of an unsuitable type.
    FailedConstantsToldOnce,
    /// Addresses of moved, import and removed blocks have no reserved words beside `module`, `data` and `ephemeral`, and
    /// do not know `resource.TYPE.NAME`.
    FewAddressWords,
    /// A reference to a provider configuration may end in the key of an instance.
    ProviderInstanceKeys,
    /// In JSON the text of a reference to a provider configuration is an expression of the native syntax.
    ProviderTextsAreExpressions,
    /// A mistake in one item of `replace_triggered_by` leaves the others to be judged, except in JSON.
    TriggersJudgedOneByOne,
}

/// A title that differs from the one of the code or row.
#[derive(Clone, Copy, Debug)]
pub struct TitleRow {
    /// Id of the code: the same title may be said by two stages and change in one.
    pub code: &'static str,
    /// The title that it replaces.
    pub title: &'static str,
    /// What is said instead.
    pub says: &'static str,
    /// In which releases.
    pub when: When,
}

impl DialectSpec {
    /// The row of a top-level block type.
    pub fn block(&self, keyword: &str) -> Option<&'static BlockSpec> {
        self.blocks.iter().find(|row| row.keyword == keyword)
    }

    /// Whether the behaviour holds.
    pub fn has(&self, rule: Rule) -> bool {
        self.rules.iter().any(|row| row.rule == rule)
    }

    /// Whether configuration files are of the first grammar.
    pub fn reads_first_grammar(&self) -> bool {
        self.files.suffixes.iter().any(|row| row.syntax == FileSyntax::FirstGrammar)
    }

    /// The native grammar.
    pub fn grammar(&self) -> Grammar {
        Grammar {
            namespaced_calls: self.has(Rule::NamespacedFunctions),
            end_is_named: self.has(Rule::UnclosedBlocksAreNamed),
        }
    }

    /// The words in which this version says `title` under the code.
    pub fn title(&self, code: &str, title: &'static str) -> &'static str {
        self.titles.iter().find(|row| row.code == code && row.title == title).map_or(title, |row| row.says)
    }
}

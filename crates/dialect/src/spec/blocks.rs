//! Rows of block types: labels, addresses, and how a body is read.

use super::described::described;
use super::{AttrSpec, CheckRow, Missing, ObjectKind, OverrideRule, Repeat, TitleRow, Traits, When};

/// One block type of a dialect, as it is in one version of the tool.
#[derive(Clone, Copy, Debug)]
pub struct BlockSpec {
    /// The block type, as written in configuration.
    pub keyword: &'static str,
    /// The kind of the object in answers: `resource`, `data`, … For most block types, the keyword.
    pub kind: ObjectKind,
    /// The releases in which the row holds.
    pub when: When,
    /// The labels, in order. A block with a different number of labels is an error and is dropped.
    pub labels: &'static [LabelSpec],
    /// The meaning of labels beyond `labels`. HCL 1 only; in other syntaxes they are an error.
    pub extra_labels: ExtraLabels,
    /// Whether a block without any label is silently ignored. HCL 1 only.
    pub ignore_unlabeled: bool,
    /// Whether the first label determines the rest of the row.
    pub kinds: Kinds,
    /// In a list of blocks: whether a different number of labels is an error. Otherwise any number is accepted.
    pub labels_are_counted: bool,
    /// The names of the labels; filled in when the table is flattened.
    pub label_names: &'static [&'static str],
    /// How the address of the block's object is built.
    pub address: AddressRule,
    /// How the block's body is read.
    pub body: BodyRule,
    /// Arguments with rows of their own; in an open body, these are the meta-arguments.
    pub attrs: &'static [AttrSpec],
    /// Nested block types with rows of their own.
    pub blocks: &'static [BlockSpec],
    /// What a second such block means: at the top level, one with the same address in the primary files; inside a
    /// block, one of the same type.
    pub repeat: Repeat,
    /// What such a block in an override file does.
    pub over: OverrideRule,
    /// Types of nested blocks that are not listed with the object.
    pub unlisted: &'static [&'static str],
    /// Whether the block is not listed with the enclosing object if it is empty.
    pub omit_if_empty: bool,
    /// Rules across the parts of the block.
    pub checks: &'static [CheckRow],
    /// The properties among `checks` that stages look up; filled in when the table is flattened.
    pub traits: Traits,
    /// Whether the body, including nested blocks, is read without variables. In JSON, its strings are then literal and
    /// not templates.
    pub constant: bool,
    /// Titles that differ for diagnostics about such a block. `{0}` and `{1}` are replaced by its labels, `{key}` by
    /// the source text at the place, and `{place}` by the line and column of the place.
    pub titles: &'static [TitleRow],
    /// The sections of the rule documents that the row comes from.
    pub source: &'static str,
}

described! {
    /// What labels beyond those of a row mean in a syntax in which a label is an object around the body.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ExtraLabels: word in "further_labels" {
        /// Further labels are an error; the block is dropped.
        Refused = "refused",
        /// Further labels are ignored.
        Unread = "unread",
        /// The first further label is the type of a nested block.
        Inside = "inside",
        /// In JSON, the first further label is the type of a nested block; otherwise it is an error.
        InsideInJson = "inside-in-json",
    }
}

impl BlockSpec {
    /// A row to start from: no labels, a strict and empty body, no object, any number of blocks, merged in overrides.
    pub const PLAIN: Self = Self {
        keyword: "",
        kind: ObjectKind::Named(""),
        when: When::ALWAYS,
        labels: &[],
        extra_labels: ExtraLabels::Refused,
        ignore_unlabeled: false,
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
        omit_if_empty: false,
        checks: &[],
        traits: Traits::NONE,
        constant: false,
        titles: &[],
        source: "",
    };

    /// Returns the row of an argument.
    pub fn attr(&self, name: &str) -> Option<&'static AttrSpec> {
        self.attrs.iter().find(|row| row.name == name)
    }

    /// Returns the row of a nested block type.
    pub fn block(&self, keyword: &str) -> Option<&'static BlockSpec> {
        self.blocks.iter().find(|row| row.keyword == keyword)
    }
}

/// Whether all blocks of one type have the same schema.
#[derive(Clone, Copy, Debug)]
pub enum Kinds {
    /// The row applies to all blocks of the type.
    One,
    /// The first label selects another row, which has the same block type, labels and address.
    ByFirstLabel {
        /// The rows to select from.
        rows: &'static [KindRow],
        /// Title of the error for any other label, reported at the label; the block is dropped.
        title: &'static str,
    },
}

/// The row for one first label.
#[derive(Clone, Copy, Debug)]
pub struct KindRow {
    /// The first label.
    pub label: &'static str,
    /// The row that it selects.
    pub spec: BlockSpec,
}

/// A label of a block type, as a row describes it.
#[derive(Clone, Copy, Debug)]
pub struct LabelSpec {
    /// The tool's name for the label: `type`, `name`.
    pub name: &'static str,
    /// Title of the error if the label is not an identifier; the block is kept. `None`: any string is allowed.
    pub identifier: Option<&'static str>,
}

described! {
    /// How the address of a block's object is built.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum AddressRule: rule in "address" {
        /// The block is not an object: it is nested, or only contains other blocks.
        None = "none",
        /// The address is the prefix and the labels, joined by dots.
        Labels(prefix: &'static str) = "labels",
        /// The address is always this one.
        Fixed(is: &'static str) = "fixed",
        /// The address is the word and a sequence number in order of declaration.
        Numbered(word: &'static str) = "numbered",
        /// The address is the prefix, the label, and the value of the argument `alias` if it is a constant.
        LabelAndAlias(prefix: &'static str) = "label-and-alias",
        /// Each argument is a separate object, whose address is the prefix and the name of the argument. `identifier`,
        /// if present, is the title of the error for a name that is not an identifier.
        EachArgument {
            /// The text in front of the name.
            prefix: &'static str,
            /// Title of the error if the name is not an identifier; the object is kept.
            identifier: Option<&'static str>,
        } = "each-argument",
    }
}

described! {
    /// How the body of a block is read.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum BodyRule: rule in "body" {
        /// The body may contain only what is listed in the rows; anything else is an error.
        Strict = "strict",
        /// Rows describe the known arguments and blocks; everything else belongs to a schema that is not known here,
        /// and is merged according to `nested`. `escape` is the title of the error for a second `_ {}` block; if it is
        /// absent, there is no such block.
        Open {
            /// Title of the error for a second `_ {}` escape block; `None`: there is no escape block.
            escape: Option<&'static str>,
            /// How nested blocks without a row are merged.
            nested: NestedRule,
        } = "open",
        /// The body may contain only arguments; a block inside is an error, and with `drop_when_wrong` the whole block
        /// is dropped.
        Arguments {
            /// Whether the whole block is dropped in that case; otherwise its arguments are kept.
            drop_when_wrong: bool,
        } = "arguments",
        /// The body is read according to the row of the enclosing block, at any depth.
        // Example: a `fallback` inside a `fallback`.
        LikeParent = "like-parent",
        /// The block is not allowed here, and its body is not read. The error is reported at the keyword or, with
        /// `at_header`, at the header.
        Refused {
            /// Title of the error.
            title: &'static str,
            /// Whether the error is reported at the header instead of the keyword (they differ in JSON).
            at_header: bool,
        } = "refused",
        /// The block is accepted without reading its body, and silently ignored.
        Dropped = "dropped",
    }
}

described! {
    /// How nested blocks of an unknown schema are merged.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum NestedRule: word in "nested" {
        /// Nested blocks of the types that occur in the override replace all blocks of those types; `dynamic "T"` is
        /// treated as type T.
        ByTypeAndDynamic = "by-type-and-dynamic",
        /// Nested blocks of the types that occur in the override replace all blocks of those types; `dynamic` is
        /// treated as a type like any other.
        ByType = "by-type",
        /// Nested blocks of the types that occur in the override replace all blocks of those types; an argument and a
        /// block of the same name replace each other.
        ByName = "by-name",
    }
}

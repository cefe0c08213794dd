//! Rows of block types: labels, addresses, how a body is read.

use super::described::described;
use super::{AttrSpec, CheckRow, Missing, OverrideRule, Repeat, TitleRow, Traits, When};

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
    /// What labels beyond these mean. HCL 1 only; elsewhere they are an error.
    pub surplus: ExtraLabels,
    /// A block without any label is passed over silently. HCL 1 only.
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
    /// Those of `checks` that stages look up; filled in when the table is flattened.
    pub traits: Traits,
    /// The body, nested blocks too, is read without variables: in JSON its strings stand for themselves and are no
    /// templates.
    pub constant: bool,
    /// Titles of what is found in such a block, where they differ. `{0}` and `{1}` stand for its labels, `{key}` for the
    /// text at the place, `{place}` for line and column of the place.
    pub titles: &'static [TitleRow],
    /// Where the row comes from.
    pub source: &'static str,
}

described! {
    /// What labels beyond those of a row mean, where a label is an object around the body.
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
    /// A row to start from: no labels, strict and empty body, no element of its own, repeated at will, merged.
    pub const PLAIN: Self = Self {
        keyword: "",
        kind: "",
        when: When::ALWAYS,
        labels: &[],
        surplus: ExtraLabels::Refused,
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
        traits: Traits::NONE,
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

described! {
    /// How an element's address is made.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum AddressRule: rule in "address" {
        /// No object: a nested block, or a block that only contains others.
        None = "none",
        /// The prefix and the labels, joined by dots.
        Labels(prefix: &'static str) = "labels",
        /// Always this address.
        Fixed(is: &'static str) = "fixed",
        /// The word and a sequence number in order of declaration.
        Numbered(word: &'static str) = "numbered",
        /// The prefix, the label, and the value of the argument alias if it is a constant.
        LabelAndAlias(prefix: &'static str) = "label-and-alias",
        /// Each argument is a separate object: the prefix and its name. `identifier` is the title if the name is not
        /// an identifier.
        EachArgument {
            /// In front of the name.
            prefix: &'static str,
            /// Title when the name is no identifier; the element is kept.
            identifier: Option<&'static str>,
        } = "each-argument",
    }
}

described! {
    /// How a body is read.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum BodyRule: rule in "body" {
        /// Only what is listed in the rows; anything else is an error.
        Strict = "strict",
        /// Rows describe what is known; everything else belongs to a schema that is not known here, and is merged
        /// according to `nested`. `escape` is the title for a second `_ {}` block; if it is absent, there is no such
        /// block.
        Open {
            /// Title for a second `_ {}` escape block; `None`: no escape block.
            escape: Option<&'static str>,
            /// How nested blocks without a row of their own merge.
            nested: NestedRule,
        } = "open",
        /// Only arguments; a block inside is an error, and with `drop_when_wrong` the whole block is dropped.
        Arguments {
            /// The whole block is dropped then; otherwise its arguments stay.
            drop_when_wrong: bool,
        } = "arguments",
        /// According to the row of the enclosing block, at any depth.
        // A `fallback` of a `fallback`.
        AsAround = "as-around",
        /// The block is not allowed here, and its body is not read. Reported at the keyword, or at the header.
        Refused {
            /// Title.
            title: &'static str,
            /// At the header instead of the keyword (they differ in JSON).
            at_header: bool,
        } = "refused",
        /// Accepted without reading its body, and silently ignored.
        Dropped = "dropped",
    }
}

described! {
    /// How nested blocks of an unknown schema merge.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum NestedRule: word in "nested" {
        /// Nested blocks of the types that occur in the override replace all blocks of that type; `dynamic "T"` counts
        /// as T.
        ByTypeAndDynamic = "by-type-and-dynamic",
        /// Nested blocks of the types that occur in the override replace all blocks of that type; dynamic is treated
        /// as a type of its own.
        ByType = "by-type",
        /// Nested blocks of the types that occur in the override replace all blocks of that type; an argument and a
        /// block of the same name replace each other.
        ByName = "by-name",
    }
}

//! What a second block or argument of one name does: among primary files, and in an override file.

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
    /// (terraform.md, section 10.2 (1.4.1)).
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
    /// file takes the place of the earlier one silently.
    OnePerFile {
        /// Title.
        title: &'static str,
    },
    /// Inside a block: of several none is read, and that is reported once, at the header of the second.
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
    /// their [`AttrMerge`], nested blocks by their own rule or, without a row, by the body's [`super::NestedRule`].
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
    /// base's; else it is dropped silently.
    GoesWith(&'static str),
    /// Nested: dropped silently; the base's stays.
    BaseStays,
    /// An error with this title at the header; it changes nothing. Handled when the file is loaded.
    Refused {
        /// Title.
        title: &'static str,
        /// The body is not even read.
        unread: bool,
    },
    /// Decoded, then dropped silently. Handled when the file is loaded, with a note of ours.
    Ignored,
    /// In a list of blocks ([`super::View::BlockList`]): by this rule; dropped silently where no base block has the same
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
    /// Dropped silently.
    Drop,
}

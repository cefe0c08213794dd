//! What a second block or argument of one name does: among primary files, and in an override file.

use super::described::described;

described! {
    /// What an argument of an override does to the base's of the same name.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum AttrMerge: rule in "merge" {
        /// It replaces the argument of the same name; a new argument is added.
        Replace = "replace",
        /// It is silently ignored.
        Never = "never",
        /// An empty list has no effect; a list with items is an error with this title at the first item, and has no
        /// effect either.
        RefuseUnlessEmpty(title: &'static str) = "refuse-unless-empty",
        /// An error with this title at the first item of the base, if there is one; it never has an effect.
        // terraform.md, section 10.2 (1.4.1).
        RefuseWhenBaseHasItems(title: &'static str) = "refuse-when-base-has-items",
        /// It replaces the argument of the base unless it is an empty string.
        ReplaceUnlessEmptyText = "replace-unless-empty-text",
        /// It replaces the argument of the base unless it is the number 1.
        ReplaceUnlessOne = "replace-unless-one",
        /// It replaces the argument of the base unless it is an empty map.
        ReplaceUnlessEmptyMap = "replace-unless-empty-map",
        /// A list with items replaces the list; the keyword all, with `all_counts`, is kept from then on.
        IgnoreChanges {
            /// The keyword in an override counts; otherwise it is lost silently.
            all_counts: bool,
        } = "ignore-changes",
        /// It replaces the type; the `optional()` defaults of the base are kept.
        VariableType = "variable-type",
        /// It replaces the default; then the resulting default is converted to the resulting type.
        VariableDefault = "variable-default",
        /// True when either is true.
        Or = "or",
        /// It is part of the key by which the base is found, so it is equal on both sides.
        Key = "key",
        /// The argument of the base is silently kept, whether present or absent; if there is no base, this one is
        /// used.
        BaseStays = "base-stays",
        /// It replaces the argument of the base, and removes it if the override block does not set it.
        EvenIfUnset = "even-if-unset",
    }
}

described! {
    /// What a second block of the same name means.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Repeat: rule in "repeat" {
        /// All of them are kept.
        Accumulate = "accumulate",
        /// An error at the header of the later block; `keeps` says which one is kept.
        // In the title `{0}` and `{1}` stand for labels, `{name}` for the name.
        Error {
            /// Title.
            title: &'static str,
            /// Which one stays.
            keeps: Keeps,
        } = "error",
        /// An error at the header of the later block, which is dropped completely.
        WholeBlock {
            /// Title.
            title: &'static str,
        } = "whole-block",
        /// A second block in one file is an error at its header; one in a later primary file replaces the earlier one.
        OnePerFile {
            /// Title.
            title: &'static str,
        } = "one-per-file",
        /// If there are several, none is read; reported once, at the header of the second.
        NoneOfSeveral {
            /// Title.
            title: &'static str,
        } = "none-of-several",
    }
}

described! {
    /// Which of two blocks of the same name stays.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Keeps: word in "keeps" {
        /// The earlier one is kept.
        First = "first",
        /// The later one is kept.
        Last = "last",
        /// Both are listed; the later one is not checked.
        BothListed = "both",
        /// None is kept: the enclosing block is dropped.
        NotEvenOuter = "not-even-outer",
    }
}

described! {
    /// What a block of an override file does.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum OverrideRule: rule in "override" {
        /// It is merged into the base with the same address (nested: with the same type and labels): arguments by
        /// their own rules, nested blocks by theirs or as the body says.
        Merge {
            /// Without a base.
            missing: Missing,
        } = "merge",
        /// It replaces the base with the same address, at the position of that.
        ReplaceWhole {
            /// Without a base.
            missing: Missing,
        } = "replace-whole",
        /// One or more blocks of the type replace all blocks of that type in the base; if there are none, those of the
        /// base are kept.
        AllReplace = "all-replace",
        /// One per file; a second one is an error. It replaces that of the base and removes objects of the kinds that
        /// cannot stand beside it.
        // Two in one file: at the header of the second, and nothing is taken. Kinds of one file take effect in table
        // order.
        OnePerFile {
            /// Title.
            title: &'static str,
            /// Kinds that go.
            displaces: &'static [&'static str],
        } = "one-per-file",
        /// One per file; a second one is an error. It is merged into the base part by part, or added.
        // Two in one file: at the header of the second, and nothing is taken.
        OnePerFileMerged {
            /// Title.
            title: &'static str,
        } = "one-per-file-merged",
        /// All blocks of one file together replace all existing ones.
        AllOfFileReplace = "all-of-file-replace",
        /// Never merged: it is added, and is a duplicate if the address is already used.
        Added = "added",
        /// It is merged into the first block with the same type and labels, regardless of the aliases; without a base
        /// it is added.
        // Part by part; then the address follows the alias.
        MergeIntoNamesake = "merge-into-namesake",
        /// If the override has blocks of the type `with`, this block, or none, replaces that of the base; otherwise it
        /// is silently ignored.
        GoesWith(with: &'static str) = "goes-with",
        /// Silently ignored; the block of the base is kept.
        BaseStays = "base-stays",
        /// An error at the header; it has no effect. With `unread`, its body is not read.
        // Handled when the file is decoded.
        Refused {
            /// Title.
            title: &'static str,
            /// The body is not even read.
            unread: bool,
        } = "refused",
        /// Read, but ignored by the tool; reported as a note.
        // Handled when the file is decoded.
        Ignored = "ignored",
        /// It changes blocks of the list with the same type and labels, as `list` says; silently ignored if there are
        /// none.
        InList(list: ListRule) = "in-list",
    }
}

described! {
    /// How an override block changes the blocks of a list that have its type and labels (joined by dots). The names of
    /// nested block types are the whole of their key: labels do not count (tflint.md, sections 3 and 4).
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ListRule: rule in "list" {
        /// The first one: every argument is set on it, and nested blocks are replaced by type. For the types in
        /// `joined`, only the arguments are set, on the existing blocks.
        First {
            /// Nested block types whose arguments are set on each base block of the type instead. They stay where they
            /// are and keep their own nested blocks; without one in the base they are lost.
            joined: &'static [&'static str],
        } = "first",
        /// Each argument replaces the argument of that name in every block that has it; arguments that no block has
        /// form a new block at the end. A single block receives all of them.
        Entries = "entries",
        /// All of them: in each, arguments are set and nested blocks are replaced by type. Any of the types in
        /// `rivals` replaces all of them. Arguments of blocks of the type `entries` are entries: a single block
        /// receives all of them; if there are several, the first that has an entry of that name.
        Every {
            /// Nested block types of which any in the override displaces all in the base.
            rivals: &'static [&'static str],
            /// The nested block type whose arguments are entries: with a single base block of the type all are set on
            /// that, with several each replaces the first of its name and the rest makes a block at the end, with none
            /// all are lost.
            entries: &'static str,
        } = "every",
    }
}

described! {
    /// What happens to an override whose base does not exist.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Missing: rule in "missing" {
        /// If there is no base, it is an error with this title, and nothing is added.
        // At the header; a local value: at the argument.
        Error(title: &'static str) = "error",
        /// If there is no base, it is added unchanged.
        Adopt = "adopt",
        /// If there is no base, it is added if it has no alias; otherwise it is an error with this title.
        AdoptUnlessAliased(title: &'static str) = "adopt-unless-aliased",
        /// If there is no base, it is silently ignored.
        Drop = "drop",
    }
}

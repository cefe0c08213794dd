//! The effect of a second block or argument of one name, among primary files and in an override file.

use super::ObjectKind;
use super::described::described;

described! {
    /// How an argument of an override block changes the argument of the same name in the base.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum AttrMerge: rule in "merge" {
        /// The argument replaces the argument of the same name; a new argument is added.
        Replace = "replace",
        /// The argument is silently ignored.
        Never = "never",
        /// An empty list has no effect; a list with items is an error with this title at the first item, and has no
        /// effect either.
        RefuseUnlessEmpty(title: &'static str) = "refuse-unless-empty",
        /// If the list of the base has items, every override of the block is an error with this title at the first of
        /// them. The argument of an override never has an effect.
        // terraform.md, section 10.2 (1.4.1).
        RefuseWhenBaseHasItems(title: &'static str) = "refuse-when-base-has-items",
        /// The argument replaces the argument of the base unless it is an empty string.
        ReplaceUnlessEmptyText = "replace-unless-empty-text",
        /// The argument replaces the argument of the base unless it is the number 1.
        ReplaceUnlessOne = "replace-unless-one",
        /// The argument replaces the argument of the base unless it is an empty map.
        ReplaceUnlessEmptyMap = "replace-unless-empty-map",
        /// A list with items replaces a list, and an empty list has no effect. The keyword `all` is silently ignored
        /// unless `all_counts` is true; once `all` is set, a list has no effect.
        IgnoreChanges {
            /// Whether the keyword in an override takes effect; otherwise it is silently ignored.
            all_counts: bool,
        } = "ignore-changes",
        /// The argument replaces the type; the `optional()` defaults of the base are kept.
        VariableType = "variable-type",
        /// The argument replaces the default; then the resulting default is converted to the resulting type.
        VariableDefault = "variable-default",
        /// The result is true if either value is true.
        Or = "or",
        /// The argument is part of the key by which the base is found, so it is equal on both sides.
        Key = "key",
        /// The argument is silently ignored, even if the base block does not have it; it is used only if there is no
        /// base block.
        BaseStays = "base-stays",
        /// The argument replaces the argument of the base; if the override block does not set it, the argument of the
        /// base is removed.
        EvenIfUnset = "even-if-unset",
    }
}

described! {
    /// What a second block of the same name means.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Repeat: rule in "repeat" {
        /// All blocks are kept.
        Accumulate = "accumulate",
        /// There is an error at the header of the later block; `keeps` says which of the two is kept.
        // In the title, `{0}` and `{1}` are replaced by the labels, and `{name}` by the name.
        Error {
            /// Title of the error.
            title: &'static str,
            /// Which of the two blocks is kept.
            keeps: DuplicatePolicy,
        } = "error",
        /// There is an error at the header of the later block, which is dropped completely.
        WholeBlock {
            /// Title of the error.
            title: &'static str,
        } = "whole-block",
        /// A second block in the same file is an error at its header; a block in a later primary file replaces the
        /// earlier one.
        OnePerFile {
            /// Title of the error.
            title: &'static str,
        } = "one-per-file",
        /// If there are several blocks, none of them is read; there is one error, at the header of the second.
        NoneOfSeveral {
            /// Title of the error.
            title: &'static str,
        } = "none-of-several",
    }
}

described! {
    /// Which of two blocks of the same name is kept.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum DuplicatePolicy: word in "keeps" {
        /// The earlier block is kept.
        First = "first",
        /// The later block is kept.
        Last = "last",
        /// Both blocks are listed; the later one is not checked.
        BothListed = "both",
        /// Neither block is kept: the enclosing block is dropped.
        DropsParent = "drops-parent",
    }
}

described! {
    /// What a block of an override file does.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum OverrideRule: rule in "override" {
        /// The block is merged into the base with the same address or, for a nested block, with the same type and
        /// labels. Arguments are merged by their own rules; nested blocks by theirs, or else as the rule of the body
        /// says.
        Merge {
            /// What happens without a base.
            missing: Missing,
        } = "merge",
        /// The block replaces the base with the same address, and takes its position.
        ReplaceWhole {
            /// What happens without a base.
            missing: Missing,
        } = "replace-whole",
        /// One or more blocks of the type replace all blocks of that type in the base; if there are none, the blocks
        /// of the base are kept.
        AllReplace = "all-replace",
        /// Each file may have one such block; a second one is an error. It replaces the block of the base, and removes
        /// objects of the kinds in `displaces`, with which it cannot be combined.
        // If a file has two, the error is reported at the header of the second, and neither takes effect. The kinds of
        // one file take effect in the order of the table.
        OnePerFile {
            /// Title of the error.
            title: &'static str,
            /// The kinds of objects that are removed.
            displaces: &'static [ObjectKind],
        } = "one-per-file",
        /// Each file may have one such block; a second one is an error. It is merged into the base part by part, or
        /// added if there is no base.
        // If a file has two, the error is reported at the header of the second, and neither takes effect.
        OnePerFileMerged {
            /// Title of the error.
            title: &'static str,
        } = "one-per-file-merged",
        /// All blocks of one file together replace all existing blocks.
        AllOfFileReplace = "all-of-file-replace",
        /// The block is never merged: it is added, and is a duplicate if its address is already used.
        Added = "added",
        /// The block is merged into the first block with the same type and labels, regardless of the aliases; without
        /// a base it is added.
        // It is merged part by part; then the address is derived from the resulting alias.
        MergeIntoNamesake = "merge-into-namesake",
        /// If the override has blocks of the type `with`, all blocks of this type in the base are replaced by those of
        /// the override, or removed if it has none; otherwise, those of the override are silently ignored.
        GoesWith(with: &'static str) = "goes-with",
        /// The block is silently ignored, and the block of the base is kept.
        BaseStays = "base-stays",
        /// The block is an error, reported at its header, and has no effect. With `unread`, its body is not read.
        // Handled when the file is decoded.
        Refused {
            /// Title of the error.
            title: &'static str,
            /// Whether the body is not read at all.
            unread: bool,
        } = "refused",
        /// The block is read, but ignored; it is reported as a note.
        // Handled when the file is decoded.
        Ignored = "ignored",
        /// The block changes blocks of the list with the same type and labels, according to `list`; if there are none,
        /// it is silently ignored.
        InList(list: ListRule) = "in-list",
    }
}

described! {
    /// How an override block changes the blocks of a list that have the same type and labels (joined by dots). Nested
    /// blocks are matched by their type alone, regardless of their labels (tflint.md, sections 3 and 4).
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ListRule: rule in "list" {
        /// The block changes the first matching block: every argument is set on it, and nested blocks are replaced by
        /// type. For nested blocks of the types in `joined`, only the arguments are set, on the existing nested
        /// blocks.
        First {
            /// Nested block types whose arguments are set on each nested block of the type in the base. Those blocks
            /// stay in place and keep their own nested blocks; if the base has none, the arguments are lost.
            joined: &'static [&'static str],
        } = "first",
        /// Each argument replaces the argument of the same name in every matching block that has it; arguments that no
        /// block has form a new block at the end. If there is only one matching block, it receives all arguments.
        Entries = "entries",
        /// The block changes all matching blocks: in each of them, arguments are set, and nested blocks are replaced
        /// by type. A nested block of any of the types in `rivals` replaces the blocks of all these types. Arguments
        /// of nested blocks of the type `entries` are merged one by one: if there is a single such block, it receives
        /// all of them; if there are several, each argument goes to the first that has an argument of that name.
        Every {
            /// Nested block types of which any block in the override removes all blocks in the base.
            rivals: &'static [&'static str],
            /// The nested block type whose arguments are merged one by one. If the base has one block of the type, all
            /// arguments are set on it. If it has several, each argument replaces the first of its name, and the rest
            /// forms a new block at the end. If it has none, the arguments are lost.
            entries: &'static str,
        } = "every",
    }
}

described! {
    /// What happens to an override block whose base does not exist.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Missing: rule in "missing" {
        /// If there is no base, the block is an error with this title, and nothing is added.
        // Reported at the header; for a local value, at the argument.
        Error(title: &'static str) = "error",
        /// If there is no base, the block is added unchanged.
        Adopt = "adopt",
        /// If there is no base, the block is added if it has no alias; otherwise it is an error with this title.
        AdoptUnlessAliased(title: &'static str) = "adopt-unless-aliased",
        /// If there is no base, the block is silently ignored.
        Drop = "drop",
    }
}

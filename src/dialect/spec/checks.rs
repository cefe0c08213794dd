//! Rules across the parts of a block.

use super::described::described;
use super::{Release, When};

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

described! {
    /// Rules that a row can only name; `decode` and `checks` hold one function for each.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Check: rule in "checks" {
        /// count and `for_each` are not allowed together in one block.
        // `count` and `for_each` in one block: error at the name of `for_each`, both stay.
        CountWithForEach = "count-with-for-each",
        /// Only one of count, `for_each` and enabled (of the lifecycle block) is allowed in one block. If overrides
        /// bring several together, the first in `order` takes effect.
        OneRepetition {
            /// Should overrides bring several together: the first of these that is there takes effect, the others do not.
            order: &'static [&'static str],
        } = "one-repetition",
        /// Merged with one of an override file, the block stands where that one stands.
        StandsAtOverride = "stands-at-override",
        /// Each argument is a provider requirement; only providers of the host `registry` may have the namespace -.
        EntriesAreRequirements {
            /// The only host whose providers may have the namespace `-`, which stands for providers from before there were
            /// namespaces.
            registry: &'static str,
        } = "entries-are-requirements",
        /// The values must be constants.
        ValuesAreConstant = "values-are-constant",
        /// In the merged block: a version needs a source that is a registry address, or modules cannot be installed.
        /// Reported at the header with origin overfold.
        // In the merged block: a `version` needs a `source` that is a registry address, or modules cannot be
        // installed. An error of ours at the header, since this stage of the tool takes it (verified against Terraform
        // 1.11.4).
        VersionFromRegistry = "version-from-registry",
        /// A default must match the type, and must not be null if nullable is false, also after a merge.
        // A default has to fit the type, and null the flag `nullable`: at the expression inside one block, at the
        // header of the override block after a merge (terraform.md, section 7, variable).
        DefaultFitsType = "default-fits-type",
        /// Names that module blocks use for themselves are not allowed as variable names.
        NameNotUsedByModules = "name-not-used-by-modules",
        /// Module blocks reserve `names`: no caller can set a variable with such a name, which is reported as a note.
        // Names that module blocks keep for themselves: a variable of such a name is fine, but no caller can set it. A
        // note of ours (variables.md, B1).
        NameKeptByModules(names: &'static [&'static str]) = "name-kept-by-modules",
        /// The local name of a provider must be in normal form; otherwise the block is dropped.
        LocalName = "local-name",
        /// The local name of a provider must be in normal form; otherwise it is an error, but the block is kept.
        LocalNameKept = "local-name-kept",
        /// `optional()` in the type of a variable requires this experiment.
        OptionalNeedsExperiment(experiment: &'static str) = "optional-needs-experiment",
        /// const cannot be combined with sensitive or ephemeral.
        // `const` does not go with `sensitive` or `ephemeral` in one block.
        ConstIsPlain = "const-is-plain",
        /// The last label must contain only ASCII letters, digits, _ and -, and must not begin with a dash; otherwise
        /// it is an error with this title.
        PlainName(title: &'static str) = "plain-name",
        /// Strings in the body must not contain interpolations; otherwise it is an error with this title at the
        /// string.
        NothingInterpolated(title: &'static str) = "nothing-interpolated",
        /// The condition must contain a reference.
        ConditionUsesSomething = "condition-uses-something",
        /// The condition must refer to the block's own variable.
        ConditionUsesOwnVariable = "condition-uses-own-variable",
        /// The condition must not refer to anything but the block's own variable.
        ConditionUsesOnlyOwnVariable = "condition-uses-only-own-variable",
        /// The message must not refer to anything but the block's own variable.
        MessageUsesOnlyOwnVariable = "message-uses-only-own-variable",
        /// The message must be a constant string that looks like a sentence.
        MessageIsSentence = "message-is-sentence",
        /// `for_each` requires an alias in the same block.
        // `for_each` needs an `alias` beside it: reported at its expression.
        ForEachNeedsAlias = "for-each-needs-alias",
        /// The condition must not refer to the resource itself.
        // A condition of a resource may not refer to the resource itself.
        ConditionNotSelf = "condition-not-self",
        /// The message must not refer to the resource itself.
        MessageNotSelf = "message-not-self",
        /// These kinds of provisioners were removed from the tool.
        ProvisionerKindIsGone(kinds: &'static [&'static str]) = "provisioner-kind-is-gone",
        /// Destroy-time provisioners and their connections may refer only to the object itself.
        DestroyReferences = "destroy-references",
        /// At least one assertion is required.
        ChecksNeedAsserts = "checks-need-asserts",
        /// At most one data source is allowed inside.
        OneScopedData = "one-scoped-data",
        /// The data source inside cannot have count, `for_each` or lifecycle.
        ScopedDataIsPlain = "scoped-data-is-plain",
        /// Both ends must be of the same kind.
        // Both ends of a move have to be of one kind.
        MoveEndsAgree = "move-ends-agree",
        /// Each end of a move must be present, valid, and not an ephemeral object.
        // Each end of a move has to be there, readable, and no ephemeral object: reported at the header, once for each
        // end.
        MoveEndsMovable = "move-ends-movable",
        /// The block is unknown and reported as such, but it is included in the tool's output about the object.
        UnknownYetListed = "unknown-yet-listed",
        /// If there is an address, but something is missing or unknown, the rest of the body is not checked.
        // A body with an address and something missing or unknown is not looked at further; its arguments stay as
        // expressions.
        WholeOrUnread = "whole-or-unread",
        /// Exactly one of id and identity is required.
        // An import takes exactly one of `id` and `identity`.
        OneImportIdentity = "one-import-identity",
        /// Exactly one of id and identity is required; a title for each error.
        // The same with a title for each mistake: neither is reported at the header, both from the first argument to
        // the end of the last.
        IdOrIdentity {
            /// Title for neither.
            neither: &'static str,
            /// Title for both.
            both: &'static str,
        } = "id-or-identity",
        /// The address is read first; if it cannot be read, the rest is kept as expressions.
        // The address is read first; where it cannot be read, or in JSON something before it was wrong, the rest of
        // the block is not looked at and stays as expressions.
        AddressFirst = "address-first",
        /// If the target is inside a module, a provider is not allowed.
        NoProviderForModuleTarget = "no-provider-for-module-target",
        /// Provisioners here must be destroy-time provisioners.
        OnlyDestroyProvisioners = "only-destroy-provisioners",
        /// Provisioners here must be destroy-time provisioners, and are not allowed for a module; a title for each
        /// error.
        // The same, reported in other places: one that runs at creation at its own header, one that runs when a module
        // is destroyed at the header of the `removed` block.
        RemovedProvisioners {
            /// Title for one that runs at creation.
            creating: &'static str,
            /// Title for those of a module.
            of_module: &'static str,
        } = "removed-provisioners",
        /// A warning if the block does not say whether to destroy, or if it has provisioners although it does not
        /// destroy.
        RemovedSaysDestroy = "removed-says-destroy",
        /// The string in the argument must not be blank.
        // The text of the argument, where it can be read, is not blank.
        NotBlank {
            /// The argument.
            argument: &'static str,
            /// Title.
            title: &'static str,
            /// Where it is reported, and when.
            place: BlankPlace,
        } = "not-blank",
        /// Attributes in a default that are not part of the type are a warning.
        // Attributes in a default that the type of the same block has no room for: a warning at the name.
        DefaultLosesNothing = "default-loses-nothing",
        /// An event and an action are required.
        TriggerIsComplete = "trigger-is-complete",
        /// The argument is required; if it is missing, an error with this title at the header.
        Needs {
            /// The argument.
            argument: &'static str,
            /// Title.
            title: &'static str,
        } = "needs",
        /// If there is an error anywhere in the block, the block is dropped.
        WholeOrNothing = "whole-or-nothing",
        /// A block with an error in it is not counted when only one block of the type is allowed.
        CountsWhenWhole = "counts-when-whole",
        /// No two blocks of the types `blocks` in this one may be the same, as `by` compares them.
        // Blocks of these types directly in it are distinguished by something; each later one of the same is an error.
        BlocksDiffer {
            /// The types, which share their names.
            blocks: &'static [&'static str],
            /// What tells them apart.
            by: Identity,
            /// Title.
            title: &'static str,
            /// Where it is reported.
            place: ClashPlace,
        } = "blocks-differ",
        /// If the argument is this word, the flag must not be false.
        // Where the argument is this word, the flag may not be false, nor unreadable. Reported at the flag's argument.
        WordForbidsFalse {
            /// The argument.
            argument: &'static str,
            /// The word.
            word: &'static str,
            /// The flag.
            flag: &'static str,
            /// Title.
            title: &'static str,
        } = "word-forbids-false",
        /// The body must be a valid body, even though its schema is unknown.
        // A body of an unknown schema has at least to be a body; otherwise it is not looked at.
        BodyIsBody = "body-is-body",
        /// A block whose body could not be read is kept, with an empty body.
        // A block whose body could not be read counts all the same, with nothing in it.
        CountsWhenWrong = "counts-when-wrong",
        /// Blocks of the type `block`, in blocks of the type `inside` or directly in this one, must have different
        /// labels.
        // Where nothing else is wrong in it: blocks of the type differ in their labels. Reported once for each of
        // those that do not, at the header of the block that has the rule.
        LabelsDiffer {
            /// Which blocks.
            among: Among,
            /// Title.
            title: &'static str,
        } = "labels-differ",
        /// Labels of blocks of this type must consist of ASCII letters, digits, _ and -; a title for each label.
        // Where nothing else is wrong in it: labels of the blocks of the type directly in it are of ASCII letters,
        // digits, `_` and `-`. Reported without a place, with the title of the label.
        LabelsAreWords {
            /// Type of the blocks.
            block: &'static str,
            /// A title for each label.
            titles: &'static [&'static str],
        } = "labels-are-words",
        /// One block of the type contains a constraint on the tool's own version. A constraint that allows a release
        /// up to `before`, which does not support the block, is a warning.
        // Blocks of the type each hold a constraint of the tool's own version. The second that is readable is reported
        // at the header of the block that has the rule; one that allows an older release gets a warning, since such a
        // release does not know the block; one without the argument makes the tool itself crash.
        StatesOwnVersion {
            /// Type of the blocks.
            block: &'static str,
            /// The argument in them.
            argument: &'static str,
            /// The last minor release that does not know the block.
            before: Release,
        } = "states-own-version",
        /// The argument, although required, may be omitted if the last label is one of `names`.
        // In the merged block: the argument, though required, may be missing when the last label is one of these.
        MayLack {
            /// The argument.
            argument: &'static str,
            /// The labels.
            names: &'static [&'static str],
        } = "may-lack",
        /// In the merged block: the argument may be missing where no override changes the block; a file with the name
        /// of the block and the suffix is meant. A warning with origin overfold.
        ImpliedFile {
            /// The argument.
            argument: &'static str,
            /// End of the file's name, with its dot.
            suffix: &'static str,
        } = "implied-file",
        /// After the merge, the argument is not allowed if the last label is one of `names`.
        // In the merged block: the argument may not be there when the last label is one of these. Reported at its
        // value.
        MayNotHave {
            /// The argument.
            argument: &'static str,
            /// The labels.
            names: &'static [&'static str],
            /// Title.
            title: &'static str,
        } = "may-not-have",
        /// After the merge, the argument and a block of the type are mutually exclusive.
        // In the merged block: the argument and a block of the type exclude each other. Reported at the header.
        NotBoth {
            /// The argument.
            argument: &'static str,
            /// The type of the block.
            block: &'static str,
            /// Title.
            title: &'static str,
        } = "not-both",
    }
}

described! {
    /// What tells blocks of one type apart.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Identity: rule in "by" {
        /// By their labels.
        Labels = "labels",
        /// By the first label and the value of the argument alias.
        // The first label and the text of the argument `alias`, where it can be read and is not empty.
        LabelAndAlias = "label-and-alias",
        /// By the value of the argument; blocks in which it cannot be read are not compared.
        Argument(argument: &'static str) = "argument",
    }
}

described! {
    /// Where it is reported that two blocks are the same.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ClashPlace: rule in "place" {
        /// Reported at the header of the later block.
        Header = "header",
        /// Reported at the last label of the later block.
        Label = "last-label",
        /// Reported at the header of the block around them.
        Around = "around",
    }
}

/// Where blocks stand that have to differ in their labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Among {
    /// Type of the blocks.
    pub block: &'static str,
    /// Type of the block that they stand in; `None`: they stand directly in the block that has the rule.
    pub inside: Option<&'static str>,
}

described! {
    /// Where a blank text is reported.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum BlankPlace: rule in "place" {
        /// Reported at the first label of the block.
        Label = "label",
        /// Reported at the value, unless the structure of the block, its name, or one of the arguments `earlier` has
        /// an error.
        // At the value, unless the block had an error up to there: in its structure, its name, or an argument that
        // needs a constant and is read before this one.
        ValueUnlessWrong {
            /// Those arguments.
            earlier: &'static [&'static str],
        } = "value-unless-wrong",
    }
}

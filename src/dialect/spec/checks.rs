//! Rules across the parts of a block.

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

/// Rules that a row can only name; `decode` and `checks` hold one function for each.
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
    /// Merged with one of an override, the block stands where that one stands.
    StandsAtOverride,
    /// Each argument is the requirement of a provider.
    EntriesAreRequirements {
        /// The only host whose providers may have the namespace `-`, which stands for providers from before there were
        /// namespaces.
        registry: &'static str,
    },
    /// The values have to be constants.
    ValuesAreConstant,
    /// In the merged block: a `version` needs a `source` that is a registry address, or modules cannot be installed. An
    /// error of ours at the header, since this stage of the tool takes it (verified against Terraform 1.11.4).
    VersionFromRegistry,
    /// A default has to fit the type, and null the flag `nullable`: at the expression inside one block, at the
    /// header of the override block after a merge (terraform.md, section 7.6).
    DefaultFitsType,
    /// Names that module blocks use for themselves are no variable names.
    NameNotUsedByModules,
    /// Names that module blocks keep for themselves: a variable of such a name is fine, but no caller can set it. A
    /// note of ours (variables.md, section B1).
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
    /// `for_each` needs an `alias` beside it: reported at its expression.
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
    /// Each end of a move has to be there, readable, and no ephemeral object: reported at the header, once for each end.
    MoveEndsMovable,
    /// The block is not known here, and reported so; yet the tool's account of the object has it.
    UnknownYetListed,
    /// A body with an address and something missing or unknown is not looked at further; its arguments stay as
    /// expressions.
    WholeOrUnread,
    /// An import takes exactly one of `id` and `identity`.
    OneImportIdentity,
    /// The same with a title for each mistake: neither is reported at the header, both from the first argument to the end
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
    /// The same, reported in other places: one that runs at creation at its own header, one that runs when a module is
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
        /// Where it is reported, and when.
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
    /// A block with an error anywhere in it does not count as the first of its type.
    CountsWhenWhole,
    /// Blocks of these types directly in it are distinguished by something; each later one of the same is an error.
    BlocksDiffer {
        /// The types, which share their names.
        blocks: &'static [&'static str],
        /// What tells them apart.
        by: Identity,
        /// Title.
        title: &'static str,
        /// Where it is reported.
        place: ClashPlace,
    },
    /// Where the argument is this word, the flag may not be false, nor unreadable. Reported at the flag's argument.
    WordForbidsFalse {
        /// The argument.
        argument: &'static str,
        /// The word.
        word: &'static str,
        /// The flag.
        flag: &'static str,
        /// Title.
        title: &'static str,
    },
    /// A body of an unknown schema has at least to be a body; otherwise it is not looked at.
    BodyIsBody,
    /// A block whose body could not be read counts all the same, with nothing in it.
    CountsWhenWrong,
    /// Where nothing else is wrong in it: blocks of the type differ in their labels. Reported once for each of those that do
    /// not, at the header of the block that has the rule.
    LabelsDiffer {
        /// Which blocks.
        among: Among,
        /// Title.
        title: &'static str,
    },
    /// Where nothing else is wrong in it: labels of the blocks of the type directly in it are of ASCII letters, digits,
    /// `_` and `-`. Reported without a place, with the title of the label.
    LabelsAreWords {
        /// Type of the blocks.
        block: &'static str,
        /// A title for each label.
        titles: &'static [&'static str],
    },
    /// Blocks of the type each hold a constraint of the tool's own version. The second that is readable is reported at the
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
    /// In the merged block: the argument, though required, may be missing where no override changes the block: a file with the
    /// name of the block and this suffix is meant. A warning of ours at the header.
    ImpliedFile {
        /// The argument.
        argument: &'static str,
        /// End of the file's name, with its dot.
        suffix: &'static str,
    },
    /// In the merged block: the argument may not be there when the last label is one of these. Reported at its value.
    MayNotHave {
        /// The argument.
        argument: &'static str,
        /// The labels.
        names: &'static [&'static str],
        /// Title.
        title: &'static str,
    },
    /// In the merged block: the argument and a block of the type exclude each other. Reported at the header.
    NotBoth {
        /// The argument.
        argument: &'static str,
        /// The type of the block.
        block: &'static str,
        /// Title.
        title: &'static str,
    },
}

/// What tells blocks of one type apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identity {
    /// Their labels.
    Labels,
    /// The first label and the text of the argument `alias`, where it can be read and is not empty.
    LabelAndAlias,
    /// The text of this argument; a block in which it cannot be read differs from all others.
    Argument(&'static str),
}

/// Where it is reported that two blocks are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClashPlace {
    /// At the header of the later one.
    Header,
    /// At its last label.
    Label,
    /// At the header of the block around them.
    Around,
}

/// Where blocks stand that have to differ in their labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Among {
    /// Type of the blocks.
    pub block: &'static str,
    /// Type of the block that they stand in; `None`: they stand directly in the block that has the rule.
    pub inside: Option<&'static str>,
}

/// Where a blank text is reported.
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

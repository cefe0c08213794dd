//! Rules across the parts of a block, by the moment at which they are looked at. Each moment has an enum of its own and
//! one match over it, so that a check that nothing runs does not compile.

use super::described::{Described, Description, Given, Parameter, described, flags};
use super::{BlockSpec, Release, When};

/// A rule across the parts of a block, and when it holds.
#[derive(Clone, Copy, Debug)]
pub struct CheckRow {
    /// The rule.
    pub check: Check,
    /// In which releases.
    pub when: When,
}

/// Declares the phases: the enum around them, and for each phase the rows that name its checks and the checks that a
/// block type has.
macro_rules! phases {
    ($( $(#[$meta:meta])* $phase:ident($checks:ident) => $of_block:ident, )+) => {
        /// A rule across the parts of a block, by the phase in which it is looked at.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Check {
            $( $(#[$meta])* $phase($checks), )+
        }

        impl Described for Check {
            fn described(&self) -> Description {
                match self {
                    $( Self::$phase(check) => check.described(), )+
                }
            }
        }

        $(
            impl $checks {
                /// The row of a check that holds in every release.
                pub const fn always(self) -> CheckRow {
                    self.when(When::ALWAYS)
                }

                /// The row of a check that holds in these releases.
                pub const fn when(self, when: When) -> CheckRow {
                    CheckRow { check: Check::$phase(self), when }
                }
            }
        )+

        impl BlockSpec {
            $(
                $(#[$meta])*
                pub(crate) fn $of_block(&self) -> impl Iterator<Item = $checks> + use<> {
                    self.checks.iter().filter_map(|row| match row.check {
                        Check::$phase(check) => Some(check),
                        _ => None,
                    })
                }
            )+
        }
    };
}

phases! {
    /// Before the arguments are read: `decode::checks`.
    Header(HeaderCheck) => header_checks,
    /// About the blocks inside: `decode::checks`.
    Nested(NestedCheck) => nested_checks,
    /// Once arguments and nested blocks are read: `decode::checks`.
    Body(BodyCheck) => body_checks,
    /// Once the block is read without an error: `decode::labels`.
    Clean(CleanCheck) => clean_checks,
    /// Once the block is read, with everything that stands in it: `decode::blocks`.
    Whole(WholeCheck) => whole_checks,
    /// In the merged block, where a required argument is missing: `checks::merged`.
    Missing(MissingCheck) => missing_checks,
    /// In the merged block: `checks::merged`.
    Merged(MergedCheck) => merged_checks,
    /// Not a check, but a property that stages look up in [`Traits`].
    Trait(BlockTrait) => block_traits,
}

described! {
    /// What is looked at before the arguments of a block are read: its header, mostly.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum HeaderCheck: rule in "checks" {
        /// The values must be constants.
        ValuesAreConstant = "values-are-constant",
        /// The local name of a provider must be in normal form; otherwise the block is dropped.
        LocalName = "local-name",
        /// The local name of a provider must be in normal form; otherwise it is an error, but the block is kept.
        LocalNameKept = "local-name-kept",
        /// Names that module blocks use for themselves are not allowed as variable names.
        NameNotUsedByModules = "name-not-used-by-modules",
        /// Module blocks reserve `names`: no caller can set a variable with such a name, which is reported as a note.
        // variables.md, section B1.
        NameKeptByModules(names: &'static [&'static str]) = "name-kept-by-modules",
        /// The last label must contain only ASCII letters, digits, _ and -, and must not begin with a dash; otherwise
        /// it is an error with this title.
        PlainName(title: &'static str) = "plain-name",
        /// These kinds of provisioners were removed from the tool.
        ProvisionerKindIsGone(kinds: &'static [&'static str]) = "provisioner-kind-is-gone",
    }
}

described! {
    /// What is looked at about the blocks inside a block: before each is read, after that, and after all of them.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum NestedCheck: rule in "checks" {
        /// At least one assertion is required.
        ChecksNeedAsserts = "checks-need-asserts",
        /// At most one data source is allowed inside.
        OneScopedData = "one-scoped-data",
        /// Provisioners here must be destroy-time provisioners.
        // Also: only a managed resource leaves room for provisioners and connections.
        OnlyDestroyProvisioners = "only-destroy-provisioners",
        /// Provisioners here must be destroy-time provisioners, and are not allowed for a module; a title for each
        /// error.
        // Reported elsewhere than those of `OnlyDestroyProvisioners`: one that runs at creation at its own header, one
        // of a module at the header of the block around it.
        RemovedProvisioners {
            /// Title for one that runs at creation.
            creating: &'static str,
            /// Title for those of a module.
            of_module: &'static str,
        } = "removed-provisioners",
    }
}

described! {
    /// What is looked at once the arguments and the nested blocks of a block are read.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum BodyCheck: rule in "checks" {
        /// `count` and `for_each` are not allowed together in one block.
        // At the name of `for_each`; both stay.
        CountWithForEach = "count-with-for-each",
        /// Only one of `count`, `for_each` and `enabled` (of the lifecycle block) is allowed in one block. If overrides
        /// bring several together, the first in `order` takes effect.
        // From the first of their names to the last; all stay.
        OneRepetition {
            /// Which takes effect.
            order: &'static [&'static str],
        } = "one-repetition",
        /// `for_each` requires an alias in the same block.
        ForEachNeedsAlias = "for-each-needs-alias",
        /// The condition must contain a reference.
        ConditionUsesSomething = "condition-uses-something",
        /// The condition must refer to the block's own variable.
        ConditionUsesOwnVariable = "condition-uses-own-variable",
        /// The message must be a constant string that looks like a sentence.
        MessageIsSentence = "message-is-sentence",
        /// The condition must not refer to the resource itself.
        ConditionNotSelf = "condition-not-self",
        /// Destroy-time provisioners and their connections may refer only to the object itself.
        DestroyReferences = "destroy-references",
        /// Both ends must be of the same kind.
        MoveEndsAgree = "move-ends-agree",
        /// Each end of a move must be present, valid, and not an ephemeral object.
        // At the header, once for each end.
        MoveEndsMovable = "move-ends-movable",
        /// Exactly one of `id` and `identity` is required.
        OneImportIdentity = "one-import-identity",
        /// Exactly one of `id` and `identity` is required; a title for each error.
        // Neither: at the header; both: from the first argument to the end of the last.
        IdOrIdentity {
            /// Title for neither.
            neither: &'static str,
            /// Title for both.
            both: &'static str,
        } = "id-or-identity",
        /// If the target is inside a module, a provider is not allowed.
        NoProviderForModuleTarget = "no-provider-for-module-target",
        /// A warning if the block does not say whether to destroy, or if it has provisioners although it does not
        /// destroy.
        // Only where nothing else is wrong in the block.
        RemovedSaysDestroy = "removed-says-destroy",
        /// An event and an action are required.
        TriggerIsComplete = "trigger-is-complete",
        /// `const` cannot be combined with `sensitive` or `ephemeral`.
        ConstIsPlain = "const-is-plain",
        /// The string in the argument must not be blank.
        NotBlank {
            /// The argument.
            argument: &'static str,
            /// Title.
            title: &'static str,
            /// Where it is reported, and when.
            place: BlankPlace,
        } = "not-blank",
        /// The argument is required; if it is missing, an error with this title at the header.
        Needs {
            /// The argument.
            argument: &'static str,
            /// Title.
            title: &'static str,
        } = "needs",
        /// If the argument is this word, the flag must not be false.
        // Nor unreadable. Reported at the flag's argument.
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
        /// No two blocks of the types `blocks` in this one may be the same, as `by` compares them.
        BlocksDiffer {
            /// The types, which share their names.
            blocks: &'static [&'static str],
            /// What distinguishes them.
            by: Identity,
            /// Title.
            title: &'static str,
            /// Where it is reported.
            place: ClashPlace,
        } = "blocks-differ",
    }
}

described! {
    /// What is looked at once a block is read and has no error. Only blocks that are dropped when they have one
    /// (`WholeOrNothing`) have such checks.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum CleanCheck: rule in "checks" {
        /// Blocks of the type `block`, in blocks of the type `inside` or directly in this one, must have different
        /// labels.
        // Once for each that does not differ, at the header of the block that has the check.
        LabelsDiffer {
            /// Which blocks.
            among: Among,
            /// Title.
            title: &'static str,
        } = "labels-differ",
        /// Labels of blocks of this type must consist of ASCII letters, digits, _ and -; a title for each label.
        // Reported without a place.
        LabelsAreWords {
            /// Type of the blocks.
            block: &'static str,
            /// A title for each label.
            titles: &'static [&'static str],
        } = "labels-are-words",
    }
}

described! {
    /// What is looked at in a block with everything that stands in it, errors or not.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum WholeCheck: rule in "checks" {
        /// Strings in the body must not contain interpolations; otherwise it is an error with this title at the
        /// string.
        NothingInterpolated(title: &'static str) = "nothing-interpolated",
    }
}

described! {
    /// What excuses that an argument, required in the merged block, is missing there.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum MissingCheck: rule in "checks" {
        /// The argument, although required, may be omitted if the last label is one of `names`.
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
    }
}

described! {
    /// What is looked at once every override is in the block.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum MergedCheck: rule in "checks" {
        /// In the merged block: a version needs a source that is a registry address, or modules cannot be installed.
        /// Reported at the header with origin overfold.
        // This stage of the tool accepts it (verified against Terraform 1.11.4).
        VersionFromRegistry = "version-from-registry",
        /// After the merge, the argument is not allowed if the last label is one of `names`.
        // At its value.
        MayNotHave {
            /// The argument.
            argument: &'static str,
            /// The labels.
            names: &'static [&'static str],
            /// Title.
            title: &'static str,
        } = "may-not-have",
        /// After the merge, the argument and a block of the type are mutually exclusive.
        // At the header.
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

flags! {
    /// A property of a block type that a stage looks up in [`Traits`].
    pub enum BlockTrait in "checks";
    /// Which properties a block type has; filled in when the table is flattened.
    pub struct Traits;
    {
        /// If there is an error anywhere in the block, the block is dropped.
        WholeOrNothing = "whole-or-nothing" => whole_or_nothing,
        /// A block with an error in it is not counted when only one block of the type is allowed.
        CountsWhenWhole = "counts-when-whole" => counts_when_whole,
        /// A block whose body could not be read is kept, with an empty body.
        CountsWhenWrong = "counts-when-wrong" => counts_when_wrong,
        /// The body must be a valid body, even though its schema is unknown.
        BodyIsBody = "body-is-body" => body_is_body,
        /// If there is an address, but something is missing or unknown, the rest of the body is not checked.
        // Its arguments stay as expressions.
        WholeOrUnread = "whole-or-unread" => whole_or_unread,
        /// The address is read first; if it cannot be read, the rest is kept as expressions.
        // In JSON also where something before it was wrong.
        AddressFirst = "address-first" => address_first,
        /// The block is unknown and reported as such, but it is included in the tool's output about the object.
        UnknownYetListed = "unknown-yet-listed" => unknown_yet_listed,
        /// Each argument is a provider requirement; only providers of the host `registry` may have the namespace -.
        // The namespace stands for providers from before there were namespaces.
        EntriesAreRequirements(registry: &'static str) = "entries-are-requirements" => requirements_of,
        /// One block of the type contains a constraint on the tool's own version. A constraint that allows a release
        /// up to `before`, which does not support the block, is a warning.
        // The second that can be read is reported at the header of the block that has the property; one without the
        // argument makes the tool itself crash.
        StatesOwnVersion(holder: OwnVersionHolder) = "states-own-version" => states_own_version,
        /// A default must match the type, and must not be null if `nullable` is false, also after a merge.
        // At the expression inside one block, at the header of the override block after a merge (terraform.md, section
        // 7.6).
        DefaultFitsType = "default-fits-type" => default_fits_type,
        /// Attributes in a default that are not part of the type are a warning.
        // At the name.
        DefaultLosesNothing = "default-loses-nothing" => default_loses_nothing,
        /// `optional()` in the type of a variable requires this experiment.
        OptionalNeedsExperiment(experiment: &'static str) = "optional-needs-experiment" => experiment_for_optional,
        /// The condition must not refer to anything but the block's own variable.
        ConditionUsesOnlyOwnVariable = "condition-uses-only-own-variable" => condition_uses_only_own_variable,
        /// The message must not refer to anything but the block's own variable.
        MessageUsesOnlyOwnVariable = "message-uses-only-own-variable" => message_uses_only_own_variable,
        /// The message must not refer to the resource itself.
        MessageNotSelf = "message-not-self" => message_not_self,
        /// The data source inside cannot have `count`, `for_each` or `lifecycle`.
        ScopedDataIsPlain = "scoped-data-is-plain" => scoped_data_is_plain,
        /// Merged with one of an override file, the block stands where that one stands.
        StandsAtOverride = "stands-at-override" => stands_at_override,
    }
}

impl Traits {
    /// What the rows of a block type say.
    pub(in crate::dialect) fn of(spec: &BlockSpec) -> Self {
        spec.block_traits().fold(Self::NONE, Self::with)
    }
}

impl BlockSpec {
    /// Whether the row names the check.
    pub(crate) fn checks(&self, check: Check) -> bool {
        self.checks.iter().any(|row| row.check == check)
    }

    /// The arguments that repeat a block, where only one of them may: the first that is there takes effect.
    pub(crate) fn repetition_order(&self) -> Option<&'static [&'static str]> {
        self.body_checks().find_map(|check| match check {
            BodyCheck::CountWithForEach => Some(["count", "for_each"].as_slice()),
            BodyCheck::OneRepetition { order } => Some(order),
            _ => None,
        })
    }
}

/// Blocks that hold a constraint of the tool's own version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OwnVersionHolder {
    /// Type of the blocks.
    pub block: &'static str,
    /// The argument in them.
    pub argument: &'static str,
    /// The last minor release that does not know the block.
    pub before: Release,
}

impl Parameter for OwnVersionHolder {
    fn give(self, _: &'static str, given: &mut Vec<(&'static str, Given)>) {
        let Self { block, argument, before } = self;
        block.give("block", given);
        argument.give("argument", given);
        before.give("before", given);
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

impl Parameter for Among {
    fn give(self, _: &'static str, given: &mut Vec<(&'static str, Given)>) {
        let Self { block, inside } = self;
        block.give("block", given);
        inside.give("inside", given);
    }
}

described! {
    /// What distinguishes blocks of one type.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Identity: rule in "by" {
        /// By their labels.
        Labels = "labels",
        /// By the first label and the value of the argument `alias`.
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

described! {
    /// Where a blank string is reported.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum BlankPlace: rule in "place" {
        /// Reported at the first label of the block.
        Label = "label",
        /// Reported at the value, unless the structure of the block, its name, or one of the arguments `earlier` has
        /// an error.
        ValueUnlessWrong {
            /// Arguments that need a constant and are read before this one.
            earlier: &'static [&'static str],
        } = "value-unless-wrong",
    }
}

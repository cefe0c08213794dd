//! Rules across the parts of a block, grouped by the phase in which they are checked. Each phase has its own enum and
//! a single match over it, so a check that no code runs does not compile.

use super::described::{Described, Description, Parameter, ParameterValue, described, flags};
use super::{BlockSpec, Release, When};

/// A rule across the parts of a block, with the releases in which it holds.
#[derive(Clone, Copy, Debug)]
pub struct CheckRow {
    /// The rule.
    pub check: Check,
    /// The releases in which it holds.
    pub when: When,
}

/// Declares the phases: the enum that contains them and, for each phase, constructors of rows for its checks and a
/// method that returns the checks of a block type.
macro_rules! phases {
    ($( $(#[$meta:meta])* $phase:ident($checks:ident) => $of_block:ident, )+) => {
        /// A rule across the parts of a block, by the phase in which it is checked.
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
                /// Returns the row of a check that holds in every release.
                pub const fn always(self) -> CheckRow {
                    self.when(When::ALWAYS)
                }

                /// Returns the row of a check that holds in these releases.
                pub const fn when(self, when: When) -> CheckRow {
                    CheckRow { check: Check::$phase(self), when }
                }
            }
        )+

        impl BlockSpec {
            $(
                $(#[$meta])*
                pub fn $of_block(&self) -> impl Iterator<Item = $checks> + use<> {
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
    /// Checks made before the arguments are read (`decode::checks`).
    Header(HeaderCheck) => header_checks,
    /// Checks of the nested blocks (`decode::checks`).
    Nested(NestedCheck) => nested_checks,
    /// Checks made after the arguments and nested blocks have been read (`decode::checks`).
    Body(BodyCheck) => body_checks,
    /// Checks made after the block has been read without an error (`decode::labels`).
    Clean(CleanCheck) => clean_checks,
    /// Checks made after the block has been read, with everything inside it (`decode::blocks`).
    Whole(WholeCheck) => whole_checks,
    /// Checks made where the merged block lacks a required argument (`module_checks::merged`).
    Missing(MissingCheck) => missing_checks,
    /// Checks of the merged block (`module_checks::merged`).
    Merged(MergedCheck) => merged_checks,
    /// Properties that stages look up in [`Traits`], instead of checks.
    Trait(BlockTrait) => block_traits,
}

described! {
    /// Checks made before the arguments of a block are read, mostly of its header.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum HeaderCheck: rule in "rules_checked" {
        /// The values of all arguments must be constant.
        ValuesAreConstant = "values-are-constant",
        /// The local name of a provider must be in normal form; otherwise it is an error, and the block is dropped.
        LocalName = "local-name",
        /// The local name of a provider must be in normal form; otherwise it is an error, but the block is kept.
        LocalNameKept = "local-name-kept",
        /// A variable must not have the name of an argument or nested block type of `module` blocks.
        NameNotUsedByModules = "name-not-used-by-modules",
        /// Module blocks reserve `names`: no caller can set a variable with such a name, which is reported as a note.
        // variables.md, section B1.
        NameKeptByModules(names: &'static [&'static str]) = "name-kept-by-modules",
        /// The last label must contain only ASCII letters, digits, `_` and `-`, and must not begin with a dash;
        /// otherwise it is an error with this title.
        PlainName(title: &'static str) = "plain-name",
        /// Provisioners of these kinds have been removed, and are an error.
        ProvisionerKindIsGone(kinds: &'static [&'static str]) = "provisioner-kind-is-gone",
    }
}

described! {
    /// Checks of the blocks inside a block: before and after each of them is read, and after all of them.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum NestedCheck: rule in "rules_checked" {
        /// At least one assertion is required.
        ChecksNeedAsserts = "checks-need-asserts",
        /// At most one data source is allowed inside.
        OneScopedData = "one-scoped-data",
        /// Provisioners here must be destroy-time provisioners.
        // In addition, only a managed resource may have provisioners and connections here.
        OnlyDestroyProvisioners = "only-destroy-provisioners",
        /// Provisioners here must be destroy-time provisioners, and are not allowed for a module; each error has its
        /// own title.
        // The errors are reported at other places than those of `OnlyDestroyProvisioners`: for a provisioner that runs
        // at creation, at its header; for a provisioner of a module, at the header of the enclosing block.
        RemovedProvisioners {
            /// Title of the error for a provisioner that runs at creation.
            creating: &'static str,
            /// Title of the error for the provisioners of a module.
            of_module: &'static str,
        } = "removed-provisioners",
    }
}

described! {
    /// Checks made after the arguments and the nested blocks of a block have been read.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum BodyCheck: rule in "rules_checked" {
        /// `count` and `for_each` are not allowed together in one block.
        // Reported at the name of `for_each`; both arguments are kept.
        CountWithForEach = "count-with-for-each",
        /// Only one of `count`, `for_each` and `enabled` (of the lifecycle block) is allowed in one block. If overrides
        /// bring several together, the first in `order` takes effect.
        // Reported from the first of the names to the last; all arguments are kept.
        OneRepetition {
            /// The arguments in order of precedence.
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
        // Reported at the header, once for each end.
        MoveEndsMovable = "move-ends-movable",
        /// Exactly one of `id` and `identity` is required.
        OneImportIdentity = "one-import-identity",
        /// Exactly one of `id` and `identity` is required; each error has its own title.
        // Reported at the header if there is neither, and from the start of the first to the end of the last if there
        // are both.
        IdOrIdentity {
            /// Title of the error if there is neither.
            neither: &'static str,
            /// Title of the error if there are both.
            both: &'static str,
        } = "id-or-identity",
        /// If the target is inside a module, a provider is not allowed.
        NoProviderForModuleTarget = "no-provider-for-module-target",
        /// There is a warning if the block does not say whether to destroy the object, or if it has provisioners
        /// although it does not destroy the object.
        // Checked only if the block has no errors.
        RemovedSaysDestroy = "removed-says-destroy",
        /// An event and an action are required.
        TriggerIsComplete = "trigger-is-complete",
        /// `const` cannot be combined with `sensitive` or `ephemeral`.
        ConstIsPlain = "const-is-plain",
        /// The string in the argument must not be blank.
        NotBlank {
            /// The argument.
            argument: &'static str,
            /// Title of the error.
            title: &'static str,
            /// Where the error is reported, and under which conditions.
            place: BlankPlace,
        } = "not-blank",
        /// The argument is required; if it is missing, there is an error with this title at the header.
        Needs {
            /// The argument.
            argument: &'static str,
            /// Title of the error.
            title: &'static str,
        } = "needs",
        /// If the value of the argument is this word, the flag must not be false.
        // Nor may the flag be unreadable. Reported at the argument of the flag.
        WordForbidsFalse {
            /// The argument.
            argument: &'static str,
            /// The word.
            word: &'static str,
            /// The name of the argument that is a flag.
            flag: &'static str,
            /// Title of the error.
            title: &'static str,
        } = "word-forbids-false",
        /// No two blocks of the types `blocks` in this block may be the same, as compared by `by`.
        BlocksDiffer {
            /// The block types, which share one set of names.
            blocks: &'static [&'static str],
            /// What distinguishes the blocks.
            by: Identity,
            /// Title of the error.
            title: &'static str,
            /// Where the error is reported.
            place: ClashPlace,
        } = "blocks-differ",
    }
}

described! {
    /// Checks made after a block has been read without an error. Only blocks that are dropped if they have an
    /// error (`WholeOrNothing`) have such checks.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum CleanCheck: rule in "rules_checked" {
        /// Blocks of the type `block`, in blocks of the type `inside` or directly in this one, must have different
        /// labels.
        // Reported once for each block with repeated labels, at the header of the block that has the check.
        LabelsDiffer {
            /// The blocks that must differ.
            among: UniqueWithin,
            /// Title of the error.
            title: &'static str,
        } = "labels-differ",
        /// Labels of blocks of the type `block` must consist of ASCII letters, digits, `_` and `-`; each label has its
        /// own title for the error.
        // Reported without a place.
        LabelsAreWords {
            /// The type of the blocks.
            block: &'static str,
            /// Title of the error for each label, in order.
            titles: &'static [&'static str],
        } = "labels-are-words",
    }
}

described! {
    /// Checks of a block with everything inside it, whether or not it has errors.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum WholeCheck: rule in "rules_checked" {
        /// Strings in the body must not contain interpolations; otherwise it is an error with this title at the
        /// string.
        NothingInterpolated(title: &'static str) = "nothing-interpolated",
    }
}

described! {
    /// Conditions under which an argument that is required in the merged block may be missing.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum MissingCheck: rule in "rules_checked" {
        /// The argument, although required, may be omitted if the last label is one of `names`.
        MayLack {
            /// The argument.
            argument: &'static str,
            /// The values of the last label.
            names: &'static [&'static str],
        } = "may-lack",
        /// In the merged block, the argument may be missing if no override changes the block; it then stands for the
        /// file with the name of the block and the suffix `suffix`. This is a warning with origin overfold.
        ImpliedFile {
            /// The argument.
            argument: &'static str,
            /// The end of the file's name, with its dot.
            suffix: &'static str,
        } = "implied-file",
    }
}

described! {
    /// Checks of the merged block, after all overrides.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum MergedCheck: rule in "rules_checked" {
        /// In the merged block, a version requires a source that is a registry address; otherwise modules cannot be
        /// installed. This is a warning at the header, with origin overfold.
        // When it loads the module, the tool accepts this (verified against Terraform 1.11.4).
        VersionFromRegistry = "version-from-registry",
        /// After the merge, the argument is not allowed if the last label is one of `names`.
        // Reported at the value.
        MayNotHave {
            /// The argument.
            argument: &'static str,
            /// The values of the last label.
            names: &'static [&'static str],
            /// Title of the error.
            title: &'static str,
        } = "may-not-have",
        /// After the merge, the argument and a block of the type `block` are mutually exclusive.
        // Reported at the header.
        NotBoth {
            /// The argument.
            argument: &'static str,
            /// The type of the block.
            block: &'static str,
            /// Title of the error.
            title: &'static str,
        } = "not-both",
    }
}

flags! {
    /// A property of a block type, which stages look up in [`Traits`].
    pub enum BlockTrait in "rules_checked";
    /// The properties that a block type has; filled in when the table is flattened.
    pub struct Traits;
    {
        /// If there is an error anywhere in the block, the block is dropped.
        WholeOrNothing = "whole-or-nothing" => whole_or_nothing,
        /// A block with an error in it is not counted when only one block of the type is allowed.
        CountsOnlyIfValid = "counts-only-if-valid" => counts_only_if_valid,
        /// A block whose body could not be read is kept with an empty body.
        CountsIfInvalid = "counts-if-invalid" => counts_if_invalid,
        /// The body must be a valid body, even though its schema is unknown.
        RequiresBody = "requires-body" => requires_body,
        /// If an address is present, but something is missing or unknown, the rest of the body is not checked.
        // The arguments are kept as expressions.
        WholeOrUnread = "whole-or-unread" => whole_or_unread,
        /// The address is read first; if it cannot be read, the rest of the body is kept as expressions.
        // In JSON, the same happens if something before the address is wrong.
        AddressFirst = "address-first" => address_first,
        /// The block type is reported as unknown, but the block is listed with the object.
        UnknownYetListed = "unknown-yet-listed" => unknown_yet_listed,
        /// Each argument is a provider requirement; only providers of the host `registry` may have the namespace `-`.
        // This is the namespace of providers from before there were namespaces.
        EntriesAreRequirements(registry: &'static str) = "entries-are-requirements" => requirements_of,
        /// One block of the type `block` contains a constraint on OpenTofu's own version. A constraint that allows a
        /// release up to `before`, which does not support the block, is a warning.
        // A second readable block is reported at the header of the block that has this property; a block without the
        // argument makes the tool itself crash.
        StatesOwnVersion(holder: OwnVersionHolder) = "states-own-version" => states_own_version,
        /// A default must match the type, and must not be null if `nullable` is false; this also applies after a
        /// merge.
        // Reported at the expression if a single block has the mistake, and at the header of the override block after
        // a merge (terraform.md, section 7.6).
        DefaultFitsType = "default-fits-type" => default_fits_type,
        /// There is a warning about attributes in a default that are not part of the type.
        // Reported at the name of the attribute.
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
        /// After a merge with a block of an override file, the block has the position of that block.
        TakesOverridePosition = "stands-at-override" => takes_override_position,
    }
}

impl Traits {
    /// Collects the properties from the rows of a block type.
    pub(crate) fn from_spec(spec: &BlockSpec) -> Self {
        spec.block_traits().fold(Self::NONE, Self::with)
    }
}

impl BlockSpec {
    /// Whether the row contains the check.
    pub fn checks(&self, check: Check) -> bool {
        self.checks.iter().any(|row| row.check == check)
    }

    /// Returns the arguments that repeat a block, if only one of them is allowed: the first one present takes effect.
    pub fn repetition_order(&self) -> &'static [&'static str] {
        let order = self.body_checks().find_map(|check| match check {
            BodyCheck::CountWithForEach => Some(["count", "for_each"].as_slice()),
            BodyCheck::OneRepetition { order } => Some(order),
            _ => None,
        });
        order.unwrap_or_default()
    }
}

/// Blocks that contain a constraint on the tool's own version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OwnVersionHolder {
    /// The type of the blocks.
    pub block: &'static str,
    /// The argument in them that is the constraint.
    pub argument: &'static str,
    /// The last minor release that does not support the block.
    pub before: Release,
}

impl Parameter for OwnVersionHolder {
    fn add_to(self, _: &'static str, given: &mut Vec<(&'static str, ParameterValue)>) {
        let Self { block, argument, before } = self;
        block.add_to("block", given);
        argument.add_to("argument", given);
        before.add_to("before", given);
    }
}

/// The blocks that must differ in their labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UniqueWithin {
    /// The type of the blocks.
    pub block: &'static str,
    /// The type of the blocks that contain them; `None`: they are directly in the block that has the rule.
    pub inside: Option<&'static str>,
}

impl Parameter for UniqueWithin {
    fn add_to(self, _: &'static str, given: &mut Vec<(&'static str, ParameterValue)>) {
        let Self { block, inside } = self;
        block.add_to("block", given);
        inside.add_to("inside", given);
    }
}

described! {
    /// What distinguishes blocks of one type.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Identity: rule in "by" {
        /// The blocks are compared by their labels.
        Labels = "labels",
        /// The blocks are compared by the first label and the value of the argument `alias`.
        LabelAndAlias = "label-and-alias",
        /// The blocks are compared by the value of the argument; blocks in which it cannot be read are not compared.
        Argument(argument: &'static str) = "argument",
    }
}

described! {
    /// Where the error about two equal blocks is reported.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ClashPlace: rule in "place" {
        /// The error is reported at the header of the later block.
        Header = "header",
        /// The error is reported at the last label of the later block.
        Label = "last-label",
        /// The error is reported at the header of the block around them.
        Around = "around",
    }
}

described! {
    /// Where the error about a blank string is reported.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum BlankPlace: rule in "place" {
        /// The error is reported at the first label of the block.
        Label = "label",
        /// The error is reported at the value, unless the structure of the block, its name, or one of the arguments
        /// `earlier` has an error.
        ValueUnlessWrong {
            /// Arguments that must be constant and are read before this one.
            earlier: &'static [&'static str],
        } = "value-unless-wrong",
    }
}

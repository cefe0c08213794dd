//! Variables, outputs, modules, resources of every mode, checks. Source of every row: opentofu.md, sections 5 and 7;
//! where those are silent, terraform.md.

use super::super::spec::{
    AddressRule, AttrKind, AttrMerge, AttrSpec, BlankPlace, BlockSpec, BlockTrait, BodyCheck, BodyRule, CheckRow,
    HeaderCheck, MergedCheck, ObjectKind, OverrideRule, Required, TypeForm, When,
};
use super::super::terraform as base;
use super::super::terraform::{
    ASSERT, CONDITION, CONNECTION, COUNT, COUNT_AND_FOR_EACH, DEPENDS_ON, ESCAPE_TITLE, FOR_EACH, POSTCONDITION,
    PRECONDITION, PROVIDER_REFERENCE, PROVISIONER, RESERVED_IN_MODULE, first, label, merged, named, open, reserved,
};
use super::{V1_10, V1_11, V1_12, early_eval};

const UNTIL_1_9: When = When::until(1, 9, 0);
const UNTIL_1_11: When = When::until(1, 11, 0);
const UNTIL_1_12: When = When::until(1, 12, 0);

// ---- variable, output -----------------------------------------------------------------------------------------

const DEPRECATED: AttrSpec =
    AttrSpec::new("deprecated", AttrKind::ConstTextNotNull).when(V1_10).merge(AttrMerge::ReplaceUnlessEmptyText);

const EPHEMERAL_FLAG: AttrSpec = AttrSpec::new("ephemeral", AttrKind::ConstBool).when(V1_11);

pub(super) const VARIABLE: BlockSpec = BlockSpec {
    attrs: &[
        AttrSpec::new("description", AttrKind::ConstText),
        AttrSpec::new("default", AttrKind::Default).merge(AttrMerge::VariableDefault),
        AttrSpec::new("type", AttrKind::TypeConstraint(TypeForm::WithLegacy)).merge(AttrMerge::VariableType),
        AttrSpec::new("sensitive", AttrKind::ConstBool),
        AttrSpec::new("nullable", AttrKind::ConstBool),
        DEPRECATED,
        EPHEMERAL_FLAG,
        AttrSpec::new("const", AttrKind::ConstBool).when(V1_12),
    ],
    blocks: &[VALIDATION],
    checks: &[
        HeaderCheck::NameNotUsedByModules.always(),
        BlockTrait::DefaultFitsType.always(),
        BodyCheck::NotBlank { argument: "deprecated", title: "Invalid `deprecated` value", place: BlankPlace::Label }
            .when(V1_10),
        BlockTrait::DefaultLosesNothing.when(V1_11),
    ],
    source: "sections 5, 10 (1.10, 1.11, 1.12); terraform.md, sections 4 to 7",
    ..base::VARIABLE
};

const VALIDATION: BlockSpec = BlockSpec {
    keyword: "validation",
    kind: ObjectKind::Named("validation"),
    over: OverrideRule::Refused { title: "Can't override validation blocks", unread: true },
    checks: &[
        BodyCheck::ConditionUsesSomething.always(),
        BodyCheck::ConditionUsesOwnVariable.always(),
        BlockTrait::ConditionUsesOnlyOwnVariable.when(UNTIL_1_9),
        BlockTrait::MessageUsesOnlyOwnVariable.when(UNTIL_1_9),
    ],
    source: "sections 5, 10 (1.9); terraform.md, sections 5, 7",
    ..CONDITION
};

pub(super) const OUTPUT: BlockSpec = BlockSpec {
    attrs: &[
        AttrSpec::new("description", AttrKind::ConstText).merge(AttrMerge::ReplaceUnlessEmptyText),
        AttrSpec::new("value", AttrKind::Any).required(Required::InPrimary),
        DEPENDS_ON,
        AttrSpec::new("sensitive", AttrKind::ConstBool),
        DEPRECATED,
        EPHEMERAL_FLAG,
    ],
    blocks: &[PRECONDITION, reserved("postcondition", "Postconditions are not allowed")],
    checks: &[BodyCheck::NotBlank {
        argument: "deprecated",
        title: "Invalid `deprecated` attribute",
        place: BlankPlace::ValueUnlessWrong { earlier: &["description", "sensitive"] },
    }
    .when(V1_10)],
    source: "sections 5, 10 (1.10, 1.11); terraform.md, sections 4 to 7",
    ..base::OUTPUT
};

// ---- module ---------------------------------------------------------------------------------------------------

/// Read in every block, but silently dropped in an override.
const ENABLED: AttrSpec = AttrSpec::new("enabled", AttrKind::Any).when(V1_11).merge(AttrMerge::Never);

const fn once_and_unlisted_when_empty(attrs: &'static [AttrSpec], blocks: &'static [BlockSpec]) -> BlockSpec {
    BlockSpec {
        keyword: "lifecycle",
        kind: ObjectKind::Named("lifecycle"),
        attrs,
        blocks,
        repeat: first("Duplicate lifecycle block"),
        omit_if_empty: true,
        source: "sections 7, 10 (1.11, 1.12); terraform.md, sections 5, 7",
        ..BlockSpec::PLAIN
    }
}

/// The order in which evaluation looks for these arguments, in resources of every mode (read in the tool's code).
const REPETITION: CheckRow = BodyCheck::OneRepetition { order: &["count", "enabled", "for_each"] }.when(V1_11);
const REPETITION_OF_MODULE: CheckRow =
    BodyCheck::OneRepetition { order: &["count", "for_each", "enabled"] }.when(V1_11);
const COUNT_AND_FOR_EACH_OLD: CheckRow = CheckRow { when: UNTIL_1_11, ..COUNT_AND_FOR_EACH };

pub(super) const MODULE: BlockSpec = BlockSpec {
    attrs: &[
        early_eval::SOURCE_CONSTANT,
        early_eval::SOURCE_STATIC,
        early_eval::VERSION_CONSTANT,
        early_eval::VERSION_STATIC,
        COUNT,
        FOR_EACH,
        DEPENDS_ON,
        AttrSpec::new("providers", AttrKind::ProviderMap).merge(AttrMerge::ReplaceUnlessEmptyMap),
    ],
    blocks: &[
        BlockSpec { when: UNTIL_1_11, ..reserved("lifecycle", RESERVED_IN_MODULE) },
        BlockSpec { when: V1_11, ..once_and_unlisted_when_empty(&[ENABLED], &[]) },
        reserved("locals", RESERVED_IN_MODULE),
        BlockSpec { labels: &[label("type")], ..reserved("provider", RESERVED_IN_MODULE) },
    ],
    checks: &[
        COUNT_AND_FOR_EACH_OLD,
        REPETITION_OF_MODULE,
        MergedCheck::VersionFromRegistry.when(When::until(1, 8, 0)),
    ],
    source: "sections 6, 7, 10 (1.8, 1.11); terraform.md, sections 4 to 7",
    ..base::MODULE
};

// ---- resource, data, ephemeral --------------------------------------------------------------------------------

const META: &[AttrSpec] = &[COUNT, FOR_EACH, PROVIDER_REFERENCE, DEPENDS_ON];

pub(super) const RESOURCE: BlockSpec = BlockSpec {
    attrs: META,
    blocks: &[
        reserved("locals", "Reserved block type name in resource block"),
        once_and_unlisted_when_empty(
            &[
                AttrSpec::new("create_before_destroy", AttrKind::ConstBool),
                AttrSpec::new("prevent_destroy", AttrKind::ConstBool).when(UNTIL_1_12),
                AttrSpec::new("prevent_destroy", AttrKind::Any).when(V1_12),
                AttrSpec::new("destroy", AttrKind::Any).when(V1_12),
                AttrSpec::new("ignore_changes", AttrKind::IgnoreChanges)
                    .merge(AttrMerge::IgnoreChanges { all_counts: true }),
                AttrSpec::new("replace_triggered_by", AttrKind::ReplaceTriggers).merge(AttrMerge::Never),
                ENABLED,
            ],
            &[PRECONDITION, POSTCONDITION],
        ),
        CONNECTION,
        PROVISIONER,
    ],
    checks: &[COUNT_AND_FOR_EACH_OLD, REPETITION, BodyCheck::DestroyReferences.always()],
    source: "sections 7, 10 (1.11, 1.12); terraform.md, sections 4 to 7",
    ..base::RESOURCE
};

const NOT_OF_DATA: AttrKind = AttrKind::Refused("Invalid data resource lifecycle argument");

pub(super) const DATA: BlockSpec = BlockSpec {
    attrs: META,
    blocks: &[
        reserved("locals", "Reserved block type name in data block"),
        once_and_unlisted_when_empty(
            &[
                AttrSpec::new("create_before_destroy", NOT_OF_DATA),
                AttrSpec::new("prevent_destroy", NOT_OF_DATA),
                AttrSpec::new("destroy", NOT_OF_DATA).when(V1_12),
                AttrSpec::new("ignore_changes", NOT_OF_DATA),
                AttrSpec::new("replace_triggered_by", NOT_OF_DATA),
                ENABLED,
            ],
            &[PRECONDITION, POSTCONDITION],
        ),
    ],
    checks: &[COUNT_AND_FOR_EACH_OLD, REPETITION],
    source: "sections 7, 10 (1.11, 1.12); terraform.md, sections 4 to 7",
    ..base::DATA
};

const NOT_OF_EPHEMERAL: AttrKind =
    AttrKind::RefusedAtHeader("Invalid lifecycle configuration for ephemeral resource");

const fn no_block_of_ephemeral(keyword: &'static str) -> BlockSpec {
    BlockSpec {
        body: BodyRule::Refused { title: "Invalid configuration block for ephemeral resource", at_header: true },
        source: "section 7",
        ..reserved(keyword, "")
    }
}

pub(super) const EPHEMERAL: BlockSpec = BlockSpec {
    keyword: "ephemeral",
    kind: ObjectKind::Ephemeral,
    when: V1_11,
    labels: &[
        named("type", "Invalid ephemeral resource type name"),
        named("name", "Invalid ephemeral resource name"),
    ],
    address: AddressRule::Labels("ephemeral."),
    body: open(ESCAPE_TITLE),
    attrs: META,
    blocks: &[
        reserved("locals", "Reserved block type name in ephemeral block"),
        once_and_unlisted_when_empty(
            &[
                AttrSpec::new("create_before_destroy", NOT_OF_EPHEMERAL),
                AttrSpec::new("prevent_destroy", NOT_OF_EPHEMERAL),
                AttrSpec::new("destroy", NOT_OF_EPHEMERAL).when(V1_12),
                AttrSpec::new("ignore_changes", NOT_OF_EPHEMERAL),
                AttrSpec::new("replace_triggered_by", NOT_OF_EPHEMERAL),
                ENABLED,
            ],
            &[PRECONDITION, POSTCONDITION],
        ),
        no_block_of_ephemeral("connection"),
        BlockSpec { labels: &[label("type")], ..no_block_of_ephemeral("provisioner") },
    ],
    repeat: first("Duplicate ephemeral resource \"{0}\" configuration"),
    over: merged("Missing ephemeral resource to override"),
    checks: &[REPETITION],
    source: "sections 7, 10 (1.11)",
    ..BlockSpec::PLAIN
};

// ---- check ----------------------------------------------------------------------------------------------------

pub(super) const CHECK: BlockSpec = BlockSpec {
    when: When::ALWAYS,
    blocks: &[DATA, ASSERT],
    source: "section 8; terraform.md, sections 4 to 7",
    ..base::CHECK
};

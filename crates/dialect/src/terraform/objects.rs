//! Providers, variables, locals, outputs, module calls, resources. Source: terraform.md, sections 4 to 7 and 10.

use super::super::spec::{
    AddressRule, AttrKind, AttrMerge, AttrSpec, BlockSpec, BlockTrait, BodyCheck, BodyRule, DuplicatePolicy,
    HeaderCheck, KeywordRule, MergedCheck, Missing, NestedRule, ObjectKind, OverrideRule, Repeat, Required,
    StaticUse, TypeForm, VersionUse, When,
};
use super::settings::OPTIONAL_ATTRS;
use super::{
    COUNT_AND_FOR_EACH, ESCAPE_TITLE, V1_1, V1_2, V1_10, V1_14, V1_15, V1_16, first, label, last, merged, named,
    open, reserved,
};

// ---- provider -----------------------------------------------------------------------------------------------

pub(in super::super) const RESERVED_IN_PROVIDER: &str = "Reserved argument name in provider block";

const PROVIDER_ALIAS: AttrSpec = AttrSpec::new("alias", AttrKind::Alias).merge(AttrMerge::Key);

/// The arguments of a provider in a test file.
pub(super) const PROVIDER_ATTRS_OF_TESTS: &[AttrSpec] = &[
    AttrSpec::new("version", AttrKind::RefusedAtValue("Version constraints are not allowed in test files")),
    PROVIDER_ALIAS,
    AttrSpec::new("count", AttrKind::Reserved(RESERVED_IN_PROVIDER)),
    AttrSpec::new("depends_on", AttrKind::Reserved(RESERVED_IN_PROVIDER)),
    AttrSpec::new("for_each", AttrKind::Reserved(RESERVED_IN_PROVIDER)),
    AttrSpec::new("source", AttrKind::Reserved(RESERVED_IN_PROVIDER)),
];

pub(in super::super) const PROVIDER: BlockSpec = BlockSpec {
    keyword: "provider",
    kind: ObjectKind::Provider,
    labels: &[label("name")],
    address: AddressRule::LabelAndAlias("provider."),
    body: open(ESCAPE_TITLE),
    attrs: &[
        AttrSpec::new("version", AttrKind::VersionConstraint(VersionUse::Provider)),
        PROVIDER_ALIAS,
        AttrSpec::new("count", AttrKind::Reserved(RESERVED_IN_PROVIDER)),
        AttrSpec::new("depends_on", AttrKind::Reserved(RESERVED_IN_PROVIDER)),
        AttrSpec::new("for_each", AttrKind::Reserved(RESERVED_IN_PROVIDER)),
        AttrSpec::new("source", AttrKind::Reserved(RESERVED_IN_PROVIDER)),
    ],
    blocks: &[
        reserved("lifecycle", "Reserved block type name in provider block"),
        reserved("locals", "Reserved block type name in provider block"),
    ],
    repeat: first("Duplicate provider configuration"),
    over: OverrideRule::Merge {
        missing: Missing::AdoptUnlessAliased("Missing base provider configuration for override"),
    },
    checks: &[HeaderCheck::LocalNameKept.when(When::until(1, 2, 0)), HeaderCheck::LocalName.when(V1_2)],
    source: "sections 4, 5, 6, 7, 10.2 (1.2)",
    ..BlockSpec::PLAIN
};

// ---- variable, locals, output -------------------------------------------------------------------------------

pub(in super::super) const VARIABLE: BlockSpec = BlockSpec {
    keyword: "variable",
    kind: ObjectKind::Variable,
    labels: &[named("name", "Invalid variable name")],
    address: AddressRule::Labels("var."),
    attrs: &[
        AttrSpec::new("description", AttrKind::ConstText),
        AttrSpec::new("default", AttrKind::Default).merge(AttrMerge::VariableDefault),
        AttrSpec::new("type", AttrKind::TypeConstraint(TypeForm::LegacyWithoutDefaults))
            .when(When::until(1, 3, 0))
            .merge(AttrMerge::VariableType),
        AttrSpec::new("type", AttrKind::TypeConstraint(TypeForm::WithLegacy))
            .when(When::since(1, 3, 0))
            .merge(AttrMerge::VariableType),
        AttrSpec::new("sensitive", AttrKind::ConstBool),
        AttrSpec::new("nullable", AttrKind::ConstBool).when(V1_1),
        AttrSpec::new("ephemeral", AttrKind::ConstBool).when(V1_10),
        AttrSpec::new("const", AttrKind::ConstBool).when(V1_15),
        AttrSpec::new("deprecated", AttrKind::ConstTextNotNull).when(V1_15).merge(AttrMerge::Never),
    ],
    blocks: &[VALIDATION],
    repeat: last("Duplicate variable declaration"),
    over: merged("Missing base variable declaration to override"),
    checks: &[
        HeaderCheck::NameNotUsedByModules.always(),
        BlockTrait::DefaultFitsType.always(),
        BlockTrait::OptionalNeedsExperiment(OPTIONAL_ATTRS).when(When::until(1, 3, 0)),
        BodyCheck::ConstIsPlain.when(V1_15),
    ],
    source: "sections 4, 5, 6, 7, 10.1, 10.3",
    ..BlockSpec::PLAIN
};

pub(in super::super) const CONDITION: BlockSpec = BlockSpec {
    attrs: &[
        AttrSpec::new("condition", AttrKind::Condition).required(Required::Always),
        AttrSpec::new("error_message", AttrKind::Message).required(Required::Always),
    ],
    source: "sections 5, 7, 10.2 (1.2, 1.2.4, 1.9)",
    ..BlockSpec::PLAIN
};

const VALIDATION: BlockSpec = BlockSpec {
    keyword: "validation",
    kind: ObjectKind::Named("validation"),
    over: OverrideRule::Refused { title: "Can't override validation blocks", unread: true },
    checks: &[
        BodyCheck::MessageIsSentence.when(When::until(1, 2, 0)),
        BodyCheck::ConditionUsesSomething.when(V1_2),
        BodyCheck::ConditionUsesOwnVariable.always(),
        BlockTrait::ConditionUsesOnlyOwnVariable.when(When::until(1, 9, 0)),
        BlockTrait::MessageUsesOnlyOwnVariable.when(V1_2.but_until(1, 9, 0)),
    ],
    ..CONDITION
};

pub(in super::super) const PRECONDITION: BlockSpec = BlockSpec {
    keyword: "precondition",
    kind: ObjectKind::Named("precondition"),
    when: V1_2,
    over: OverrideRule::Refused { title: "Can't override precondition blocks", unread: true },
    checks: &[
        BodyCheck::ConditionUsesSomething.always(),
        BodyCheck::ConditionNotSelf.always(),
        BlockTrait::MessageNotSelf.when(When::since(1, 2, 4)),
    ],
    ..CONDITION
};

pub(in super::super) const POSTCONDITION: BlockSpec = BlockSpec {
    keyword: "postcondition",
    kind: ObjectKind::Named("postcondition"),
    when: V1_2,
    over: OverrideRule::Refused { title: "Can't override postcondition blocks", unread: true },
    checks: &[
        BodyCheck::ConditionUsesSomething.always(),
        BodyCheck::ConditionNotSelf.always(),
        BlockTrait::MessageNotSelf.when(When::since(1, 2, 4)),
    ],
    ..CONDITION
};

pub(in super::super) const ASSERT: BlockSpec = BlockSpec {
    keyword: "assert",
    kind: ObjectKind::Named("assert"),
    over: OverrideRule::Refused { title: "Can't override assert blocks", unread: true },
    checks: &[BodyCheck::ConditionUsesSomething.always()],
    ..CONDITION
};

pub(in super::super) const LOCALS: BlockSpec = BlockSpec {
    keyword: "locals",
    kind: ObjectKind::Local,
    address: AddressRule::EachArgument { prefix: "local.", identifier: Some("Invalid local value name") },
    body: BodyRule::Arguments { drop_when_wrong: false },
    repeat: last("Duplicate local value definition"),
    over: OverrideRule::ReplaceWhole { missing: Missing::Error("Missing base local value definition to override") },
    source: "sections 4, 5, 6, 7",
    ..BlockSpec::PLAIN
};

pub(in super::super) const DEPENDS_ON: AttrSpec = AttrSpec::new("depends_on", AttrKind::References { action: None })
    .merge(AttrMerge::RefuseUnlessEmpty("Unsupported override"));
const ACTION_IN_DEPENDS_ON: AttrKind = AttrKind::References { action: Some("Invalid depends_on Action Reference") };
const DEPENDS_ON_OLD: AttrSpec = DEPENDS_ON.when(When::until(1, 14, 0));
const DEPENDS_ON_NEW: AttrSpec = AttrSpec { kind: ACTION_IN_DEPENDS_ON, ..DEPENDS_ON.when(V1_14) };

pub(in super::super) const OUTPUT: BlockSpec = BlockSpec {
    keyword: "output",
    kind: ObjectKind::Output,
    labels: &[named("name", "Invalid output name")],
    address: AddressRule::Labels("output."),
    attrs: &[
        AttrSpec::new("description", AttrKind::ConstText).merge(AttrMerge::ReplaceUnlessEmptyText),
        AttrSpec::new("value", AttrKind::Any).required(Required::InPrimary),
        DEPENDS_ON_OLD,
        DEPENDS_ON_NEW,
        AttrSpec::new("sensitive", AttrKind::ConstBool),
        AttrSpec::new("ephemeral", AttrKind::ConstBool).when(V1_10),
        AttrSpec::new("type", AttrKind::TypeConstraint(TypeForm::Plain)).when(V1_15),
        AttrSpec::new("deprecated", AttrKind::ConstTextNotNull).when(V1_15).merge(AttrMerge::Never),
    ],
    blocks: &[PRECONDITION, BlockSpec { when: V1_2, ..reserved("postcondition", "Postconditions are not allowed") }],
    repeat: last("Duplicate output definition"),
    over: merged("Missing base output definition to override"),
    source: "sections 4, 5, 6, 7, 10.1, 10.3",
    ..BlockSpec::PLAIN
};

// ---- module -------------------------------------------------------------------------------------------------

pub(in super::super) const COUNT: AttrSpec = AttrSpec::new("count", AttrKind::Any);
pub(in super::super) const FOR_EACH: AttrSpec = AttrSpec::new("for_each", AttrKind::Any);
pub(in super::super) const PROVIDER_REFERENCE: AttrSpec = AttrSpec::new("provider", AttrKind::ProviderReference);
pub(in super::super) const RESERVED_IN_MODULE: &str = "Reserved block type name in module block";

pub(in super::super) const MODULE: BlockSpec = BlockSpec {
    keyword: "module",
    kind: ObjectKind::ModuleCall,
    labels: &[named("name", "Invalid module instance name")],
    address: AddressRule::Labels("module."),
    body: open(ESCAPE_TITLE),
    attrs: &[
        AttrSpec::new("source", AttrKind::ModuleSource { checked: false })
            .when(When::until(1, 1, 0))
            .required(Required::InPrimary),
        AttrSpec::new("source", AttrKind::ModuleSource { checked: true })
            .when(V1_1.but_until(1, 15, 0))
            .required(Required::InPrimary),
        AttrSpec::new("source", AttrKind::Static(StaticUse::ModuleSource)).when(V1_15).required(Required::InPrimary),
        AttrSpec::new("version", AttrKind::VersionConstraint(VersionUse::Module)).when(When::until(1, 15, 0)),
        AttrSpec::new("version", AttrKind::Static(StaticUse::ModuleVersion)).when(V1_15),
        COUNT,
        FOR_EACH,
        AttrSpec {
            merge: AttrMerge::RefuseWhenBaseHasItems("Unsupported override"),
            ..DEPENDS_ON.when(When::until(1, 4, 1))
        },
        DEPENDS_ON.when(When::since(1, 4, 1).but_until(1, 14, 0)),
        DEPENDS_ON_NEW,
        AttrSpec::new("providers", AttrKind::ProviderMap).merge(AttrMerge::ReplaceUnlessEmptyMap),
        AttrSpec::new("ignore_nested_deprecations", AttrKind::ConstBool).when(V1_15).merge(AttrMerge::Never),
    ],
    blocks: &[
        reserved("lifecycle", RESERVED_IN_MODULE),
        reserved("locals", RESERVED_IN_MODULE),
        BlockSpec { labels: &[label("type")], ..reserved("provider", RESERVED_IN_MODULE) },
    ],
    repeat: last("Duplicate module call"),
    over: merged("Missing module call to override"),
    checks: &[COUNT_AND_FOR_EACH, MergedCheck::VersionFromRegistry.when(When::until(1, 15, 0))],
    source: "sections 4, 5, 6, 7, 10.2 (1.1, 1.2, 1.4.1), 10.3",
    ..BlockSpec::PLAIN
};

// ---- resource, data, ephemeral ------------------------------------------------------------------------------

const META: &[AttrSpec] = &[COUNT, FOR_EACH, PROVIDER_REFERENCE, DEPENDS_ON_OLD, DEPENDS_ON_NEW];

pub(in super::super) const RESOURCE: BlockSpec = BlockSpec {
    keyword: "resource",
    kind: ObjectKind::Resource,
    labels: &[named("type", "Invalid resource type name"), named("name", "Invalid resource name")],
    address: AddressRule::Labels(""),
    body: open(ESCAPE_TITLE),
    attrs: META,
    blocks: &[reserved("locals", "Reserved block type name in resource block"), LIFECYCLE, CONNECTION, PROVISIONER],
    repeat: first("Duplicate resource \"{0}\" configuration"),
    over: merged("Missing resource to override"),
    checks: &[COUNT_AND_FOR_EACH, BodyCheck::DestroyReferences.always()],
    source: "sections 4, 5, 6, 7",
    ..BlockSpec::PLAIN
};

const LIFECYCLE: BlockSpec = BlockSpec {
    keyword: "lifecycle",
    kind: ObjectKind::Named("lifecycle"),
    attrs: &[
        AttrSpec::new("create_before_destroy", AttrKind::ConstBool),
        AttrSpec::new("prevent_destroy", AttrKind::ConstBool),
        AttrSpec::new("ignore_changes", AttrKind::IgnoreChanges)
            .when(When::until(1, 0, 11))
            .merge(AttrMerge::IgnoreChanges { all_counts: false }),
        AttrSpec::new("ignore_changes", AttrKind::IgnoreChanges)
            .when(When::since(1, 0, 11))
            .merge(AttrMerge::IgnoreChanges { all_counts: true }),
        AttrSpec::new("replace_triggered_by", AttrKind::ReplaceTriggers).when(V1_2).merge(AttrMerge::Never),
        AttrSpec::new("destroy", AttrKind::ConstBool).when(V1_16).merge(AttrMerge::Never),
    ],
    blocks: &[
        PRECONDITION,
        POSTCONDITION,
        BlockSpec {
            keyword: "action_trigger",
            kind: ObjectKind::Named("action_trigger"),
            when: When::since(1, 13, 0).but_until(1, 14, 0),
            body: BodyRule::Dropped,
            source: "section 10.1 (1.14)",
            ..BlockSpec::PLAIN
        },
        ACTION_TRIGGER,
    ],
    repeat: first("Duplicate lifecycle block"),
    omit_if_empty: true,
    source: "sections 5, 7, 10.1, 10.2 (1.0.11)",
    ..BlockSpec::PLAIN
};

const EVENTS: KeywordRule = KeywordRule {
    words: &["before_create", "after_create", "before_update", "after_update"],
    title: "Invalid \"event\" value {0}",
};
const EVENTS_WITH_DESTROY: KeywordRule = KeywordRule {
    words: &["before_create", "after_create", "before_update", "after_update", "before_destroy", "after_destroy"],
    ..EVENTS
};
const TRIGGER_ON_FAILURE: KeywordRule =
    KeywordRule { words: &["halt", "taint", "continue"], title: "Invalid \"on_failure\" keyword" };

const ACTION_TRIGGER: BlockSpec = BlockSpec {
    keyword: "action_trigger",
    kind: ObjectKind::Named("action_trigger"),
    when: V1_14,
    attrs: &[
        AttrSpec::new("events", AttrKind::Keywords(EVENTS))
            .when(V1_14.but_until(1, 16, 0))
            .required(Required::Always),
        AttrSpec::new("events", AttrKind::Keywords(EVENTS_WITH_DESTROY)).when(V1_16).required(Required::Always),
        AttrSpec::new("condition", AttrKind::Any),
        AttrSpec::new("actions", AttrKind::ActionReferences).required(Required::Always),
        AttrSpec::new("on_failure", AttrKind::Keyword(TRIGGER_ON_FAILURE)).when(V1_16),
    ],
    over: OverrideRule::AllReplace,
    checks: &[BodyCheck::TriggerIsComplete.always()],
    source: "section 10.3, action_trigger",
    ..BlockSpec::PLAIN
};

pub(in super::super) const CONNECTION: BlockSpec = BlockSpec {
    keyword: "connection",
    kind: ObjectKind::Named("connection"),
    body: BodyRule::Open { escape: None, nested: NestedRule::ByTypeAndDynamic },
    repeat: first("Duplicate connection block"),
    over: OverrideRule::ReplaceWhole { missing: Missing::Adopt },
    source: "sections 5, 7",
    ..BlockSpec::PLAIN
};

pub(in super::super) const PROVISIONER: BlockSpec = BlockSpec {
    keyword: "provisioner",
    kind: ObjectKind::Named("provisioner"),
    labels: &[label("type")],
    body: open(ESCAPE_TITLE),
    attrs: &[
        AttrSpec::new(
            "when",
            AttrKind::Keyword(KeywordRule { words: &["create", "destroy"], title: "Invalid \"when\" keyword" }),
        ),
        AttrSpec::new(
            "on_failure",
            AttrKind::Keyword(KeywordRule { words: &["continue", "fail"], title: "Invalid \"on_failure\" keyword" }),
        ),
    ],
    blocks: &[CONNECTION, reserved("lifecycle", "Reserved block type name in provisioner block")],
    over: OverrideRule::AllReplace,
    checks: &[
        HeaderCheck::ProvisionerKindIsGone(&["chef", "habitat", "puppet", "salt-masterless"]).always(),
        BodyCheck::DestroyReferences.always(),
    ],
    source: "sections 5, 7",
    ..BlockSpec::PLAIN
};

const NO_DATA_LIFECYCLE: AttrKind = AttrKind::Refused("Invalid data resource lifecycle argument");
const NO_EPHEMERAL_LIFECYCLE: AttrKind = AttrKind::Refused("Invalid ephemeral resource lifecycle argument");

pub(in super::super) const DATA: BlockSpec = BlockSpec {
    keyword: "data",
    kind: ObjectKind::Data,
    labels: &[named("type", "Invalid data source name"), named("name", "Invalid data resource name")],
    address: AddressRule::Labels("data."),
    body: open(ESCAPE_TITLE),
    attrs: META,
    blocks: &[
        reserved("locals", "Reserved block type name in data block"),
        BlockSpec {
            when: When::until(1, 2, 0),
            body: BodyRule::Refused { title: "Unsupported lifecycle block", at_header: true },
            source: "section 10.1 (1.2)",
            ..reserved("lifecycle", "")
        },
        BlockSpec {
            keyword: "lifecycle",
            kind: ObjectKind::Named("lifecycle"),
            when: V1_2,
            attrs: &[
                AttrSpec::new("create_before_destroy", NO_DATA_LIFECYCLE),
                AttrSpec::new("prevent_destroy", NO_DATA_LIFECYCLE),
                AttrSpec::new("ignore_changes", NO_DATA_LIFECYCLE),
                AttrSpec::new("replace_triggered_by", NO_DATA_LIFECYCLE),
                AttrSpec::new("destroy", NO_DATA_LIFECYCLE).when(V1_16),
            ],
            blocks: &[
                PRECONDITION,
                POSTCONDITION,
                BlockSpec {
                    when: When::since(1, 13, 0),
                    ..reserved("action_trigger", "Invalid data resource lifecycle nested block")
                },
            ],
            repeat: first("Duplicate lifecycle block"),
            omit_if_empty: true,
            source: "sections 5, 7, 10.1 (1.2), 10.2 (1.13)",
            ..BlockSpec::PLAIN
        },
    ],
    repeat: first("Duplicate data \"{0}\" configuration"),
    over: merged("Missing data resource to override"),
    unlisted: &["connection", "provisioner"],
    checks: &[COUNT_AND_FOR_EACH],
    source: "sections 4, 5, 6, 7, 10.1 (1.2)",
    ..BlockSpec::PLAIN
};

pub(super) const EPHEMERAL: BlockSpec = BlockSpec {
    keyword: "ephemeral",
    kind: ObjectKind::Ephemeral,
    when: V1_10,
    labels: &[named("type", "Invalid ephemeral resource type"), named("name", "Invalid ephemeral resource name")],
    address: AddressRule::Labels("ephemeral."),
    body: open(ESCAPE_TITLE),
    attrs: META,
    blocks: &[
        reserved("locals", "Reserved block type name in ephemeral block"),
        BlockSpec {
            keyword: "lifecycle",
            kind: ObjectKind::Named("lifecycle"),
            attrs: &[
                AttrSpec::new("create_before_destroy", NO_EPHEMERAL_LIFECYCLE),
                AttrSpec::new("prevent_destroy", NO_EPHEMERAL_LIFECYCLE),
                AttrSpec::new("ignore_changes", NO_EPHEMERAL_LIFECYCLE),
                AttrSpec::new("replace_triggered_by", NO_EPHEMERAL_LIFECYCLE),
                AttrSpec::new("destroy", NO_EPHEMERAL_LIFECYCLE).when(V1_16),
            ],
            blocks: &[
                PRECONDITION,
                POSTCONDITION,
                BlockSpec {
                    when: When::since(1, 13, 0),
                    ..reserved("action_trigger", "Invalid ephemeral resource lifecycle nested block")
                },
            ],
            repeat: first("Duplicate lifecycle block"),
            omit_if_empty: true,
            source: "sections 5, 7, 10.2 (1.13)",
            ..BlockSpec::PLAIN
        },
    ],
    repeat: first("Duplicate ephemeral \"{0}\" configuration"),
    over: OverrideRule::Ignored,
    unlisted: &["connection", "provisioner"],
    checks: &[COUNT_AND_FOR_EACH],
    source: "sections 4, 5, 6, 7, 10.1 (1.10)",
    ..BlockSpec::PLAIN
};

pub(super) const ACTION_UNREAD: BlockSpec = BlockSpec {
    keyword: "action",
    kind: ObjectKind::Action,
    when: When::since(1, 13, 0).but_until(1, 14, 0),
    labels: &[label("type"), label("name")],
    body: BodyRule::Dropped,
    source: "section 10.1 (1.14)",
    ..BlockSpec::PLAIN
};

pub(super) const ACTION: BlockSpec = BlockSpec {
    keyword: "action",
    kind: ObjectKind::Action,
    when: V1_14,
    labels: &[named("type", "Invalid action type name"), named("name", "Invalid action name")],
    address: AddressRule::Labels("action."),
    attrs: &[COUNT, FOR_EACH, PROVIDER_REFERENCE],
    blocks: &[BlockSpec {
        keyword: "config",
        kind: ObjectKind::Named("config"),
        body: BodyRule::Open { escape: None, nested: NestedRule::ByTypeAndDynamic },
        repeat: Repeat::Error { title: "Duplicate config block", keeps: DuplicatePolicy::DropsParent },
        checks: &[BlockTrait::TakesOverridePosition.always()],
        source: "section 10.3, action",
        ..BlockSpec::PLAIN
    }],
    repeat: first("Duplicate action \"{0}\" configuration"),
    over: merged("Missing resource to override"),
    checks: &[COUNT_AND_FOR_EACH],
    source: "section 10.3, action",
    ..BlockSpec::PLAIN
};

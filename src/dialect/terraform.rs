//! Terraform, 1.0 to 1.16.0-rc2. Source of every row: terraform.md; `source` names the sections.

mod tests;

pub(super) use tests::{MODULE_OF_RUN_CHECKS, PLAN_OPTIONS_CHECKS};

use super::registry::{Line, Table};
use super::spec::{
    AddressRule, AddressUse, AttrKind, AttrMerge, AttrSpec, BlockSpec, BlockTrait, BodyCheck, BodyRule, CheckRow,
    DialectSpec, EarlyEvalRule, Exclusion, ExperimentRule, ExpressionRule, FileRules, FileSyntax, HeaderCheck,
    ImportRule, Keeps, KeywordRule, LabelSpec, MergedCheck, Missing, ModuleRule, NestedCheck, NestedRule,
    OverrideRule, ProviderRule, ReadingRule, ReferenceRule, Repeat, Required, RequiredVersionRule, RuleRow, Rules,
    StaticUse, SuffixRow, SuffixUse, TestRules, TitleRow, TriggerRule, TypeForm, ValuesName, ValuesRow, VersionUse,
    View, When,
};
use super::variables::{TextRule, Undeclared, Unset, ValueModel, ValueSource, VariableRules};
use crate::eval::Lineage;

const V1_1: When = When::since(1, 1, 0);
const V1_2: When = When::since(1, 2, 0);
const V1_5: When = When::since(1, 5, 0);
const V1_6: When = When::since(1, 6, 0);
const V1_7: When = When::since(1, 7, 0);
const V1_9: When = When::since(1, 9, 0);
const V1_10: When = When::since(1, 10, 0);
const V1_12: When = When::since(1, 12, 0);
const V1_14: When = When::since(1, 14, 0);
const V1_15: When = When::since(1, 15, 0);
const V1_16: When = When::since(1, 16, 0);

/// The table.
pub(super) static TABLE: Table = Table {
    spec: DialectSpec {
        name: "terraform",
        version: "",
        files: FILES,
        variables: VARIABLES,
        view: View::ByAddress,
        blocks: &[
            TERRAFORM,
            REQUIRED_PROVIDERS_OUTSIDE,
            PROVIDER,
            VARIABLE,
            LOCALS,
            OUTPUT,
            MODULE,
            RESOURCE,
            DATA,
            EPHEMERAL,
            ACTION_UNREAD,
            ACTION,
            MOVED,
            REMOVED,
            IMPORT,
            CHECK,
        ],
        rule_rows: RULES,
        rules: Rules::NONE,
        titles: TITLES,
        decisions: &[],
    },
    newest: "1.15.9",
    lines: &[
        Line::new(1, 0, 11),
        Line::new(1, 1, 9),
        Line::new(1, 2, 9),
        Line::new(1, 3, 10),
        Line::new(1, 4, 7),
        Line::new(1, 5, 7),
        Line::new(1, 6, 6),
        Line::new(1, 7, 5),
        Line::new(1, 8, 5),
        Line::new(1, 9, 8),
        Line::new(1, 10, 5),
        Line::new(1, 11, 4),
        Line::new(1, 12, 2),
        Line::new(1, 13, 5),
        Line::new(1, 14, 9),
        Line::new(1, 15, 9),
        Line::candidate(1, 16, 0, "rc2"),
    ],
};

/// terraform.md, section 2; values files: variables.md, section A1.
pub(super) const FILES: FileRules = FileRules {
    suffixes: &[
        suffix(".tf", FileSyntax::Native, SuffixUse::Config),
        suffix(".tf.json", FileSyntax::Json, SuffixUse::Config),
        SuffixRow { when: V1_6, ..suffix(".tftest.hcl", FileSyntax::Native, SuffixUse::Test) },
        SuffixRow { when: V1_6, ..suffix(".tftest.json", FileSyntax::Json, SuffixUse::Test) },
    ],
    values: &[
        ValuesRow { name: "terraform.tfvars", name_is: ValuesName::Whole, syntax: FileSyntax::Native },
        ValuesRow { name: "terraform.tfvars.json", name_is: ValuesName::Whole, syntax: FileSyntax::Json },
        ValuesRow { name: ".auto.tfvars", name_is: ValuesName::End, syntax: FileSyntax::Native },
        ValuesRow { name: ".auto.tfvars.json", name_is: ValuesName::End, syntax: FileSyntax::Json },
    ],
    override_stem: "override",
    override_tail: "_override",
    alone: &[],
    by_request: &[],
    tests: Some(TestRules { folder: "tests", file: tests::FILE }),
};

/// variables.md, sections A1, A2 and A6.
pub(super) const VARIABLES: VariableRules = VariableRules {
    sources: &[
        ValueSource::Default,
        ValueSource::Environment { prefix: "TF_VAR_", rule: TextRule::ByType, undeclared: Undeclared::Silent },
        ValueSource::Files { undeclared: Undeclared::Warning, unless_options: false },
        ValueSource::Options {
            rule: TextRule::ByType,
            undeclared: Undeclared::Error,
            undeclared_in_file: Undeclared::Warning,
        },
    ],
    model: ValueModel::Typed,
    functions: Lineage::Mainline,
    functions_of: None,
    unset: Unset::Error,
};

pub(super) const fn suffix(suffix: &'static str, syntax: FileSyntax, usage: SuffixUse) -> SuffixRow {
    SuffixRow { suffix, syntax, usage, hidden_by: None, when: When::ALWAYS }
}

pub(super) const fn label(name: &'static str) -> LabelSpec {
    LabelSpec { name, identifier: None }
}

pub(super) const fn named(name: &'static str, title: &'static str) -> LabelSpec {
    LabelSpec { name, identifier: Some(title) }
}

pub(super) const fn first(title: &'static str) -> Repeat {
    Repeat::Error { title, keeps: Keeps::First }
}

pub(super) const fn last(title: &'static str) -> Repeat {
    Repeat::Error { title, keeps: Keeps::Last }
}

pub(super) const fn open(escape: &'static str) -> BodyRule {
    BodyRule::Open { escape: Some(escape), nested: NestedRule::ByTypeAndDynamic }
}

pub(super) const fn merged(title: &'static str) -> OverrideRule {
    OverrideRule::Merge { missing: Missing::Error(title) }
}

/// A nested block whose type is reserved, since `when`.
pub(super) const fn reserved(keyword: &'static str, title: &'static str) -> BlockSpec {
    BlockSpec {
        keyword,
        kind: keyword,
        body: BodyRule::Refused { title, at_header: false },
        source: "section 5",
        ..BlockSpec::PLAIN
    }
}

pub(super) const ESCAPE_TITLE: &str = "Duplicate escaping block";
pub(super) const COUNT_AND_FOR_EACH: CheckRow = BodyCheck::CountWithForEach.always();

// ---- terraform { } ------------------------------------------------------------------------------------------

const TERRAFORM: BlockSpec = BlockSpec {
    keyword: "terraform",
    kind: "terraform",
    attrs: &[
        AttrSpec::new("required_version", AttrKind::RequiredVersion(&REQUIRED_VERSION)),
        AttrSpec::new(
            "experiments",
            AttrKind::Experiments(ExperimentRule::Listed { active: &[OPTIONAL_ATTRS], concluded: CONCLUDED }),
        )
        .when(When::until(1, 3, 0)),
        AttrSpec::new(
            "experiments",
            AttrKind::Experiments(ExperimentRule::RefusedUnless { only: OPTIONAL_ATTRS, concluded: CONCLUDED }),
        )
        .when(When::since(1, 3, 0).but_until(1, 8, 0)),
        AttrSpec::new("experiments", AttrKind::Experiments(ExperimentRule::Refused)).when(When::since(1, 8, 0)),
        AttrSpec::new("language", AttrKind::Edition(&["TF2021"])),
    ],
    blocks: &[BACKEND, CLOUD, STATE_STORE_LABELS, REQUIRED_PROVIDERS, PROVIDER_META],
    source: "sections 4, 5",
    ..BlockSpec::PLAIN
};

pub(super) const OPTIONAL_ATTRS: &str = "module_variable_optional_attrs";

const CONCLUDED: &[&str] = &[
    "variable_validation",
    "suppress_provider_sensitive_attrs",
    "provider_sensitive_attrs",
    "config_driven_move",
    "preconditions_postconditions",
    OPTIONAL_ATTRS,
];

pub(super) static REQUIRED_VERSION: BlockSpec = BlockSpec {
    keyword: "required_version",
    kind: "required_version",
    address: AddressRule::Fixed("terraform.required_version"),
    over: OverrideRule::AllOfFileReplace,
    source: "sections 6, 7",
    ..BlockSpec::PLAIN
};

const BACKEND: BlockSpec = BlockSpec {
    keyword: "backend",
    kind: "backend",
    labels: &[label("type")],
    address: AddressRule::Fixed("terraform.backend"),
    body: BodyRule::Open { escape: None, nested: NestedRule::ByTypeAndDynamic },
    repeat: first("Duplicate backend configuration"),
    over: OverrideRule::OnePerFile { title: "Duplicate backend configuration", displaces: &["cloud"] },
    constant: true,
    source: "sections 5, 6, 7, 10.2 (1.13)",
    ..BlockSpec::PLAIN
};

const CLOUD: BlockSpec = BlockSpec {
    keyword: "cloud",
    kind: "cloud",
    when: V1_1,
    address: AddressRule::Fixed("terraform.cloud"),
    body: BodyRule::Open { escape: None, nested: NestedRule::ByTypeAndDynamic },
    repeat: first("Duplicate HCP Terraform configurations"),
    over: OverrideRule::OnePerFile { title: "Duplicate HCP Terraform configurations", displaces: &["backend"] },
    constant: true,
    source: "sections 5, 6, 7, 10.1 (1.1), 10.2 (1.8.2)",
    ..BlockSpec::PLAIN
};

/// Releases do not take it, but since 1.14 count its labels first.
const STATE_STORE_LABELS: BlockSpec = BlockSpec {
    keyword: "state_store",
    kind: "state_store",
    when: V1_14,
    labels: &[label("type")],
    body: BodyRule::Refused { title: "Unsupported block type", at_header: false },
    source: "section 10.3, state_store",
    ..BlockSpec::PLAIN
};

pub(super) const REQUIRED_PROVIDERS: BlockSpec = BlockSpec {
    keyword: "required_providers",
    kind: "required_provider",
    address: AddressRule::EachArgument { prefix: "terraform.required_providers.", identifier: None },
    body: BodyRule::Arguments { drop_when_wrong: true },
    repeat: Repeat::WholeBlock { title: "Duplicate required providers configuration" },
    over: OverrideRule::ReplaceWhole { missing: Missing::Adopt },
    checks: &[BlockTrait::EntriesAreRequirements("registry.terraform.io").always()],
    constant: true,
    source: "sections 5, 6, 7",
    ..BlockSpec::PLAIN
};

/// It only stands inside `terraform`.
pub(super) const REQUIRED_PROVIDERS_OUTSIDE: BlockSpec = BlockSpec {
    keyword: "required_providers",
    kind: "required_providers",
    body: BodyRule::Refused { title: "Invalid required_providers block", at_header: false },
    source: "section 4",
    ..BlockSpec::PLAIN
};

pub(super) const PROVIDER_META: BlockSpec = BlockSpec {
    keyword: "provider_meta",
    kind: "provider_meta",
    labels: &[label("provider")],
    address: AddressRule::Labels("terraform.provider_meta."),
    body: BodyRule::Arguments { drop_when_wrong: true },
    repeat: last("Duplicate provider_meta block"),
    over: OverrideRule::Ignored,
    checks: &[HeaderCheck::ValuesAreConstant.always(), HeaderCheck::LocalName.always()],
    source: "sections 5, 6, 7, 10.2 (1.9.8)",
    ..BlockSpec::PLAIN
};

// ---- provider -----------------------------------------------------------------------------------------------

pub(super) const RESERVED_IN_PROVIDER: &str = "Reserved argument name in provider block";

const PROVIDER_ALIAS: AttrSpec = AttrSpec::new("alias", AttrKind::Alias).merge(AttrMerge::Key);

/// The arguments of a provider in a test file.
const PROVIDER_ATTRS_OF_TESTS: &[AttrSpec] = &[
    AttrSpec::new("version", AttrKind::RefusedAtValue("Version constraints are not allowed in test files")),
    PROVIDER_ALIAS,
    AttrSpec::new("count", AttrKind::Reserved(RESERVED_IN_PROVIDER)),
    AttrSpec::new("depends_on", AttrKind::Reserved(RESERVED_IN_PROVIDER)),
    AttrSpec::new("for_each", AttrKind::Reserved(RESERVED_IN_PROVIDER)),
    AttrSpec::new("source", AttrKind::Reserved(RESERVED_IN_PROVIDER)),
];

pub(super) const PROVIDER: BlockSpec = BlockSpec {
    keyword: "provider",
    kind: "provider",
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

pub(super) const VARIABLE: BlockSpec = BlockSpec {
    keyword: "variable",
    kind: "variable",
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

pub(super) const CONDITION: BlockSpec = BlockSpec {
    attrs: &[
        AttrSpec::new("condition", AttrKind::Condition).required(Required::Always),
        AttrSpec::new("error_message", AttrKind::Message).required(Required::Always),
    ],
    source: "sections 5, 7, 10.2 (1.2, 1.2.4, 1.9)",
    ..BlockSpec::PLAIN
};

const VALIDATION: BlockSpec = BlockSpec {
    keyword: "validation",
    kind: "validation",
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

pub(super) const PRECONDITION: BlockSpec = BlockSpec {
    keyword: "precondition",
    kind: "precondition",
    when: V1_2,
    over: OverrideRule::Refused { title: "Can't override precondition blocks", unread: true },
    checks: &[
        BodyCheck::ConditionUsesSomething.always(),
        BodyCheck::ConditionNotSelf.always(),
        BlockTrait::MessageNotSelf.when(When::since(1, 2, 4)),
    ],
    ..CONDITION
};

pub(super) const POSTCONDITION: BlockSpec = BlockSpec {
    keyword: "postcondition",
    kind: "postcondition",
    when: V1_2,
    over: OverrideRule::Refused { title: "Can't override postcondition blocks", unread: true },
    checks: &[
        BodyCheck::ConditionUsesSomething.always(),
        BodyCheck::ConditionNotSelf.always(),
        BlockTrait::MessageNotSelf.when(When::since(1, 2, 4)),
    ],
    ..CONDITION
};

pub(super) const ASSERT: BlockSpec = BlockSpec {
    keyword: "assert",
    kind: "assert",
    over: OverrideRule::Refused { title: "Can't override assert blocks", unread: true },
    checks: &[BodyCheck::ConditionUsesSomething.always()],
    ..CONDITION
};

pub(super) const LOCALS: BlockSpec = BlockSpec {
    keyword: "locals",
    kind: "local",
    address: AddressRule::EachArgument { prefix: "local.", identifier: Some("Invalid local value name") },
    body: BodyRule::Arguments { drop_when_wrong: false },
    repeat: last("Duplicate local value definition"),
    over: OverrideRule::ReplaceWhole { missing: Missing::Error("Missing base local value definition to override") },
    source: "sections 4, 5, 6, 7",
    ..BlockSpec::PLAIN
};

pub(super) const DEPENDS_ON: AttrSpec = AttrSpec::new("depends_on", AttrKind::References { action: None })
    .merge(AttrMerge::RefuseUnlessEmpty("Unsupported override"));
const ACTION_IN_DEPENDS_ON: AttrKind = AttrKind::References { action: Some("Invalid depends_on Action Reference") };
const DEPENDS_ON_OLD: AttrSpec = DEPENDS_ON.when(When::until(1, 14, 0));
const DEPENDS_ON_NEW: AttrSpec = AttrSpec { kind: ACTION_IN_DEPENDS_ON, ..DEPENDS_ON.when(V1_14) };

pub(super) const OUTPUT: BlockSpec = BlockSpec {
    keyword: "output",
    kind: "output",
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

pub(super) const COUNT: AttrSpec = AttrSpec::new("count", AttrKind::Any);
pub(super) const FOR_EACH: AttrSpec = AttrSpec::new("for_each", AttrKind::Any);
pub(super) const PROVIDER_REFERENCE: AttrSpec = AttrSpec::new("provider", AttrKind::ProviderReference);
pub(super) const RESERVED_IN_MODULE: &str = "Reserved block type name in module block";

pub(super) const MODULE: BlockSpec = BlockSpec {
    keyword: "module",
    kind: "module",
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

pub(super) const RESOURCE: BlockSpec = BlockSpec {
    keyword: "resource",
    kind: "resource",
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
    kind: "lifecycle",
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
            kind: "action_trigger",
            when: When::since(1, 13, 0).but_until(1, 14, 0),
            body: BodyRule::Dropped,
            source: "section 10.1 (1.14)",
            ..BlockSpec::PLAIN
        },
        ACTION_TRIGGER,
    ],
    repeat: first("Duplicate lifecycle block"),
    nothing_when_empty: true,
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
    kind: "action_trigger",
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

pub(super) const CONNECTION: BlockSpec = BlockSpec {
    keyword: "connection",
    kind: "connection",
    body: BodyRule::Open { escape: None, nested: NestedRule::ByTypeAndDynamic },
    repeat: first("Duplicate connection block"),
    over: OverrideRule::ReplaceWhole { missing: Missing::Adopt },
    source: "sections 5, 7",
    ..BlockSpec::PLAIN
};

pub(super) const PROVISIONER: BlockSpec = BlockSpec {
    keyword: "provisioner",
    kind: "provisioner",
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

pub(super) const DATA: BlockSpec = BlockSpec {
    keyword: "data",
    kind: "data",
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
            kind: "lifecycle",
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
            nothing_when_empty: true,
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

const EPHEMERAL: BlockSpec = BlockSpec {
    keyword: "ephemeral",
    kind: "ephemeral",
    when: V1_10,
    labels: &[named("type", "Invalid ephemeral resource type"), named("name", "Invalid ephemeral resource name")],
    address: AddressRule::Labels("ephemeral."),
    body: open(ESCAPE_TITLE),
    attrs: META,
    blocks: &[
        reserved("locals", "Reserved block type name in ephemeral block"),
        BlockSpec {
            keyword: "lifecycle",
            kind: "lifecycle",
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
            nothing_when_empty: true,
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

const ACTION_UNREAD: BlockSpec = BlockSpec {
    keyword: "action",
    kind: "action",
    when: When::since(1, 13, 0).but_until(1, 14, 0),
    labels: &[label("type"), label("name")],
    body: BodyRule::Dropped,
    source: "section 10.1 (1.14)",
    ..BlockSpec::PLAIN
};

const ACTION: BlockSpec = BlockSpec {
    keyword: "action",
    kind: "action",
    when: V1_14,
    labels: &[named("type", "Invalid action type name"), named("name", "Invalid action name")],
    address: AddressRule::Labels("action."),
    attrs: &[COUNT, FOR_EACH, PROVIDER_REFERENCE],
    blocks: &[BlockSpec {
        keyword: "config",
        kind: "config",
        body: BodyRule::Open { escape: None, nested: NestedRule::ByTypeAndDynamic },
        repeat: Repeat::Error { title: "Duplicate config block", keeps: Keeps::NotEvenOuter },
        checks: &[BlockTrait::StandsAtOverride.always()],
        source: "section 10.3, action",
        ..BlockSpec::PLAIN
    }],
    repeat: first("Duplicate action \"{0}\" configuration"),
    over: merged("Missing resource to override"),
    checks: &[COUNT_AND_FOR_EACH],
    source: "section 10.3, action",
    ..BlockSpec::PLAIN
};

// ---- moved, removed, import, check --------------------------------------------------------------------------

pub(super) const MOVED: BlockSpec = BlockSpec {
    keyword: "moved",
    kind: "moved",
    when: V1_1,
    address: AddressRule::Numbered("moved"),
    attrs: &[
        AttrSpec::new("from", AttrKind::Address(AddressUse::Moved)).required(Required::Always),
        AttrSpec::new("to", AttrKind::Address(AddressUse::Moved)).required(Required::Always),
    ],
    over: OverrideRule::Refused { title: "Cannot override 'moved' blocks", unread: false },
    checks: &[BodyCheck::MoveEndsAgree.always()],
    source: "sections 5, 6, 7, 10.1 (1.1)",
    ..BlockSpec::PLAIN
};

const REMOVED: BlockSpec = BlockSpec {
    keyword: "removed",
    kind: "removed",
    when: V1_7,
    address: AddressRule::Numbered("removed"),
    attrs: &[AttrSpec::new("from", AttrKind::Address(AddressUse::Removed)).required(Required::Always)],
    blocks: &[
        BlockSpec {
            keyword: "lifecycle",
            kind: "lifecycle",
            attrs: &[AttrSpec::new("destroy", AttrKind::ConstBool)],
            source: "section 10.1 (1.7)",
            ..BlockSpec::PLAIN
        },
        BlockSpec { when: V1_9, ..CONNECTION },
        BlockSpec {
            when: V1_7.but_until(1, 9, 0),
            checks: &[BlockTrait::UnknownYetListed.always()],
            source: "section 10.1 (1.9); suite terraform-versions, removed-with-provisioner",
            ..PROVISIONER
        },
        BlockSpec { when: V1_9, ..PROVISIONER },
    ],
    over: OverrideRule::Ignored,
    unlisted: &["connection"],
    checks: &[NestedCheck::OnlyDestroyProvisioners.when(V1_9)],
    source: "sections 5, 6, 7, 10.1 (1.7, 1.9)",
    ..BlockSpec::PLAIN
};

pub(super) const IMPORT: BlockSpec = BlockSpec {
    keyword: "import",
    kind: "import",
    when: V1_5,
    address: AddressRule::Numbered("import"),
    attrs: &[
        AttrSpec::new("to", AttrKind::Address(AddressUse::ImportTarget)).required(Required::Always),
        AttrSpec::new("id", AttrKind::ConstText).when(V1_5.but_until(1, 6, 0)).required(Required::Always),
        AttrSpec::new("id", AttrKind::Any).when(When::since(1, 6, 0).but_until(1, 12, 0)).required(Required::Always),
        AttrSpec::new("id", AttrKind::Any).when(V1_12),
        AttrSpec::new("identity", AttrKind::Any).when(V1_12),
        AttrSpec::new("for_each", AttrKind::Any).when(V1_7),
        PROVIDER_REFERENCE,
    ],
    over: OverrideRule::Refused { title: "Cannot override 'import' blocks", unread: false },
    checks: &[
        BlockTrait::WholeOrUnread.when(V1_7),
        BodyCheck::OneImportIdentity.when(V1_12),
        BodyCheck::NoProviderForModuleTarget.always(),
    ],
    source: "sections 5, 6, 7, 10.1 (1.5, 1.6, 1.7, 1.12), 10.2",
    ..BlockSpec::PLAIN
};

pub(super) const CHECK: BlockSpec = BlockSpec {
    keyword: "check",
    kind: "check",
    when: V1_5,
    labels: &[named("name", "Invalid check block name")],
    address: AddressRule::Labels("check."),
    blocks: &[DATA, ASSERT],
    repeat: first("Duplicate check \"{0}\" configuration"),
    over: OverrideRule::Refused { title: "Can't override check blocks", unread: true },
    checks: &[
        NestedCheck::ChecksNeedAsserts.always(),
        NestedCheck::OneScopedData.always(),
        BlockTrait::ScopedDataIsPlain.always(),
    ],
    source: "sections 4, 5, 6, 7, 10.1 (1.5)",
    ..BlockSpec::PLAIN
};

// ---- the module as a whole ----------------------------------------------------------------------------------

const RULES: &[RuleRow] = &[
    RequiredVersionRule::CheckedWhenClean.always(),
    ExpressionRule::LogicShortCircuits.when(When::since(1, 12, 0)),
    RequiredVersionRule::IsRelease.when(When::since(1, 2, 5)),
    RequiredVersionRule::SeparatePass.always(),
    ReadingRule::ExperimentScan.always(),
    ReadingRule::Exclude(Exclusion {
        told: "terraform.backend",
        other: "terraform.cloud",
        title: "Both a backend and cloud configuration are present",
    })
    .when(V1_1),
    ImportRule::ClashAtHeader.when(V1_5.but_until(1, 7, 0)),
    ImportRule::ClashWithMoves.when(V1_5.but_until(1, 7, 0)),
    ImportRule::IdsClash.when(V1_5.but_until(1, 5, 2)),
    ImportRule::ClashAtTarget.when(V1_7),
    ExpressionRule::NamespacedFunctions.when(When::since(1, 8, 0)),
    ReadingRule::UnclosedBlocksAreNamed.when(V1_1),
    ReferenceRule::EphemeralObjects.when(V1_10),
    ReferenceRule::Actions.when(V1_14),
    TriggerRule::ForeignActionAlone.when(V1_16),
    ModuleRule::VersionNeedsRegistrySource.when(V1_2.but_until(1, 15, 0)),
    ImportRule::ComputedKeys.when(V1_7),
    EarlyEvalRule::SourcesCheckedAtInstall.when(V1_15),
    EarlyEvalRule::ValuesAreConverted.when(V1_15),
    ModuleRule::NullVersionIsNone.when(V1_15),
    // terraform.md, section 11; the releases before 1.3 used other words for some of it.
    ProviderRule::NamesAreCompared.when(When::since(1, 3, 0)),
    // terraform.md, section 11; the releases before 1.2.7 crash on such a name.
    ProviderRule::ImpliedNamesAreChecked.when(When::since(1, 2, 7)),
];

/// terraform.md, section 10.2.
const TITLES: &[TitleRow] = &[
    TitleRow {
        code: "load/condition-in-override",
        title: "Can't override validation blocks",
        says: "Can't override variable validation rules",
        when: When::until(1, 2, 0),
    },
    TitleRow {
        code: "load/duplicate",
        title: "Duplicate HCP Terraform configurations",
        says: "Duplicate Terraform Cloud configurations",
        when: When::until(1, 8, 2),
    },
    TitleRow {
        code: "override/setting-twice",
        title: "Duplicate HCP Terraform configurations",
        says: "Duplicate Terraform Cloud configurations",
        when: When::until(1, 8, 2),
    },
    TitleRow {
        code: "load/excluded",
        title: "Both a backend and cloud configuration are present",
        says: "Both a backend and Terraform Cloud configuration are present",
        when: When::until(1, 8, 2),
    },
    TitleRow {
        code: "load/excluded",
        title: "Both a backend and cloud configuration are present",
        says: "Conflicting 'cloud' and 'backend' configuration blocks are present",
        when: When::since(1, 13, 0),
    },
    TitleRow {
        code: "load/duplicate",
        title: "Duplicate backend configuration",
        says: "Duplicate 'backend' configuration block",
        when: When::since(1, 13, 0),
    },
    install("static/dynamic-value", "Dynamic value in static context", "Invalid module source"),
    install("static/module-output", "Module output not supported in static context", "Invalid module source"),
    install("static/provider-function", "Provider function in static context", "Invalid module source"),
    install("static/variable-not-const", "Unable to use variable in static context", "Invalid module source"),
    install("static/undefined-variable", "Undefined variable", "Reference to undeclared input variable"),
    install("static/undefined-local", "Undefined local", "Reference to undeclared local value"),
    install("static/sensitive-value", "Sensitive value not allowed", "Unknown module source"),
    install("static/ephemeral-value", "Ephemeral value not allowed", "Unknown module source"),
];

/// A title of the step that installs modules (terraform.md, section 10.3.6). Of a version it says `version` for
/// `source`.
const fn install(code: &'static str, title: &'static str, says: &'static str) -> TitleRow {
    TitleRow { code, title, says, when: V1_15 }
}

//! Terraform, 1.0 to 1.16.0-rc2. Source of every row: terraform.md; `source` names the sections.

mod builtins;
mod objects;
mod refactoring;
mod settings;
mod tests;

pub(super) use tests::{MODULE_OF_RUN_CHECKS, PLAN_OPTIONS_CHECKS};

use super::behaviours::Behaviours;
use super::registry::{Line, Table};
use super::spec::{
    BlockSpec, BodyCheck, BodyRule, CheckRow, DialectSpec, DuplicatePolicy, EarlyEvalRule, Exclusion, ExpressionRule,
    FileRules, FileSyntax, ImportRule, LabelSpec, Missing, ModuleRule, NestedRule, ObjectKind, OverrideRule,
    ProviderRule, ReadingRule, ReferenceRule, Repeat, RequiredVersionRule, RuleRow, Rules, SuffixRow, SuffixUse,
    TestRules, TitleRow, TriggerRule, ValuesName, ValuesRow, View, When,
};
use super::variables::{TextRule, Undeclared, Unset, ValueModel, ValueSource, VariableRules};
use objects::{ACTION, ACTION_UNREAD, EPHEMERAL, PROVIDER_ATTRS_OF_TESTS};
pub(super) use objects::{
    ASSERT, CONDITION, CONNECTION, COUNT, DATA, DEPENDS_ON, FOR_EACH, LOCALS, MODULE, OUTPUT, POSTCONDITION,
    PRECONDITION, PROVIDER, PROVIDER_REFERENCE, PROVISIONER, RESERVED_IN_MODULE, RESERVED_IN_PROVIDER, RESOURCE,
    VARIABLE,
};
use overfold_eval::Lineage;
use refactoring::REMOVED;
pub(super) use refactoring::{CHECK, IMPORT, MOVED};
use settings::TERRAFORM;
pub(super) use settings::{
    OPTIONAL_ATTRS, PROVIDER_META, REQUIRED_PROVIDERS, REQUIRED_PROVIDERS_OUTSIDE, REQUIRED_VERSION,
};

pub(super) use builtins::{BACKENDS, BUILTINS, DATA_SOURCES, FUNCTIONS, PATH, PROVIDER_FUNCTIONS, WORKSPACE};

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

/// The table of the dialect.
pub(super) static TABLE: Table = Table {
    spec: DialectSpec {
        name: "terraform",
        tool: "Terraform",
        validate: Some("terraform validate"),
        version: "",
        version_file: Some(".terraform-version"),
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
        behaviours: Behaviours::NONE,
        builtins: BUILTINS,
        titles: TITLES,
        decisions: &[],
    },
    newest: "1.15.9",
    lines: &[
        Line::new(1, 0, 11).recorded(&[11]),
        Line::new(1, 1, 9).recorded(&[9]),
        Line::new(1, 2, 9).recorded(&[9]),
        Line::new(1, 3, 10).recorded(&[10]),
        Line::new(1, 4, 7).recorded(&[7]),
        Line::new(1, 5, 7).recorded(&[7]),
        Line::new(1, 6, 6).recorded(&[6]),
        Line::new(1, 7, 5).recorded(&[5]),
        Line::new(1, 8, 5).recorded(&[5]),
        Line::new(1, 9, 8).recorded(&[0, 8]),
        Line::new(1, 10, 5).recorded(&[4, 5]),
        Line::new(1, 11, 4).recorded(&[0, 4]),
        Line::new(1, 12, 2).recorded(&[0, 2]),
        Line::new(1, 13, 5).recorded(&[2, 5]),
        Line::new(1, 14, 9).recorded(&[9]),
        Line::new(1, 15, 9).recorded(&[0, 4, 9]),
        Line { candidate: "rc2", ..Line::new(1, 16, 0).recorded(&[0]) },
    ],
};

/// terraform.md, section 2; variable definitions files: variables.md, section A1.
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
    tests: Some(TestRules { folder: "tests", file: tests::FILE, mocks: Some(tests::MOCKS) }),
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
    Repeat::Error { title, keeps: DuplicatePolicy::First }
}

pub(super) const fn last(title: &'static str) -> Repeat {
    Repeat::Error { title, keeps: DuplicatePolicy::Last }
}

pub(super) const fn open(escape: &'static str) -> BodyRule {
    BodyRule::Open { escape: Some(escape), nested: NestedRule::ByTypeAndDynamic }
}

pub(super) const fn merged(title: &'static str) -> OverrideRule {
    OverrideRule::Merge { missing: Missing::Error(title) }
}

/// Creates the row of a nested block whose type is reserved.
pub(super) const fn reserved(keyword: &'static str, title: &'static str) -> BlockSpec {
    BlockSpec {
        keyword,
        kind: ObjectKind::Named(keyword),
        body: BodyRule::Refused { title, at_header: false },
        source: "section 5",
        ..BlockSpec::PLAIN
    }
}

pub(super) const ESCAPE_TITLE: &str = "Duplicate escaping block";
pub(super) const COUNT_AND_FOR_EACH: CheckRow = BodyCheck::CountWithForEach.always();

// ---- the module as a whole ----------------------------------------------------------------------------------

const RULES: &[RuleRow] = &[
    RequiredVersionRule::CheckedWhenClean.always(),
    ExpressionRule::LogicShortCircuits.when(When::since(1, 12, 0)),
    // expressions.md, section 8.2.
    ExpressionRule::YamlIntegersAreLoose.when(When::until(1, 10, 0)),
    ExpressionRule::YamlNullIsUnknown.when(When::until(1, 4, 0)),
    RequiredVersionRule::IsRelease.when(When::since(1, 2, 5)),
    RequiredVersionRule::SeparatePass.always(),
    ReadingRule::ExperimentScan.always(),
    ReadingRule::Exclude(Exclusion {
        reported: "terraform.backend",
        other: "terraform.cloud",
        title: "Both a backend and cloud configuration are present",
    })
    .when(V1_1),
    ImportRule::ClashAtHeader.when(V1_5.but_until(1, 7, 0)),
    ImportRule::ClashWithMoves.when(V1_5.but_until(1, 7, 0)),
    ImportRule::IdsClash.when(V1_5.but_until(1, 5, 2)),
    ImportRule::ClashAtTarget.when(V1_7),
    ExpressionRule::NamespacedFunctions.when(When::since(1, 8, 0)),
    ReferenceRule::TypeWords.when(V1_15),
    ReadingRule::UnclosedBlocksAreNamed.when(V1_1),
    ReferenceRule::EphemeralObjects.when(V1_10),
    ReferenceRule::Actions.when(V1_14),
    TriggerRule::OtherReferenceAlone.when(V1_16),
    ModuleRule::VersionNeedsRegistrySource.when(V1_2.but_until(1, 15, 0)),
    ImportRule::ComputedKeys.when(V1_7),
    ImportRule::KeysOfEach.when(V1_7),
    EarlyEvalRule::SourcesCheckedAtInstall.when(V1_15),
    EarlyEvalRule::BackendsAreConstant.always(),
    EarlyEvalRule::ValuesAreConverted.when(V1_15),
    // case versions/tf-1.15-module-version-null.
    ModuleRule::NullVersionIsNone.when(When::since(1, 15, 5)),
    // Verified against Terraform 1.11.4.
    ModuleRule::AreDirectories.always(),
    ModuleRule::CallsAreChecked.always(),
    // terraform.md, section 11; releases before 1.3 worded some of it differently.
    ProviderRule::NamesAreCompared.when(When::since(1, 3, 0)),
    // terraform.md, section 11; releases before 1.2.7 crash on such a name.
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
    TitleRow {
        code: "validate/import-target-missing",
        title: "Configuration for import target does not exist",
        says: "Import block target does not exist",
        when: When::until(1, 6, 0),
    },
    install("static/dynamic-value", "Dynamic value in static context", "Invalid module source"),
    install("static/module-output", "Module output not supported in static context", "Invalid module source"),
    install("static/undefined-variable", "Undefined variable", "Reference to undeclared input variable"),
    install("static/undefined-local", "Undefined local", "Reference to undeclared local value"),
    install("static/sensitive-value", "Sensitive value not allowed", "Unknown module source"),
    install("static/ephemeral-value", "Ephemeral value not allowed", "Unknown module source"),
    // A constant variable of the root module without a value.
    install(
        "static/not-set",
        "Failed to request input from user for variable NAME",
        "No value for required variable",
    ),
];

/// Creates a title of the step that installs modules (terraform.md, section 10.3.6). For a version, the title has
/// `version` in place of `source`.
const fn install(code: &'static str, title: &'static str, says: &'static str) -> TitleRow {
    TitleRow { code, title, says, when: V1_15 }
}

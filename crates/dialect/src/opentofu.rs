//! OpenTofu, 1.6 to 1.12. Source of every row: opentofu.md; `source` names the sections.
//!
//! The fork began after the version boundaries of Terraform 1.5. Rows of that table that hold in all versions, or
//! whose boundaries are earlier, therefore hold here in every version and are reused as they are. Every row with a
//! later boundary is restated.

mod builtins;
mod objects;
mod refactoring;
mod settings;
mod tests;
mod early_eval;

use super::behaviours::Behaviours;
use super::registry::{Line, Table};
use super::spec::{
    DialectSpec, EarlyEvalRule, Exclusion, ExpressionRule, ImportRule, ModuleRule, ProviderRule, ReadingRule,
    ReferenceRule, RemovalRule, RequiredVersionRule, RuleRow, Rules, TitleRow, TriggerRule, View, When,
};
use super::terraform::{LOCALS, REQUIRED_PROVIDERS_OUTSIDE, VARIABLES};
use super::variables::VariableRules;
use overfold_eval::Lineage;

const V1_7: When = When::since(1, 7, 0);
const V1_8: When = When::since(1, 8, 0);
const V1_9: When = When::since(1, 9, 0);
const V1_10: When = When::since(1, 10, 0);
const V1_11: When = When::since(1, 11, 0);
const V1_12: When = When::since(1, 12, 0);

/// The table of the dialect.
pub(super) static TABLE: Table = Table {
    spec: DialectSpec {
        name: "opentofu",
        tool: "OpenTofu",
        validate: Some("tofu validate"),
        version: "",
        version_file: Some(".opentofu-version"),
        files: settings::FILES,
        variables: VariableRules { functions: Lineage::Fork, ..VARIABLES },
        view: View::ByAddress,
        blocks: &[
            settings::TERRAFORM,
            settings::LANGUAGE,
            REQUIRED_PROVIDERS_OUTSIDE,
            early_eval::PROVIDER,
            objects::VARIABLE,
            LOCALS,
            objects::OUTPUT,
            objects::MODULE,
            objects::RESOURCE,
            objects::DATA,
            objects::EPHEMERAL,
            refactoring::MOVED,
            refactoring::REMOVED,
            refactoring::IMPORT,
            objects::CHECK,
        ],
        rule_rows: RULES,
        rules: Rules::NONE,
        behaviours: Behaviours::NONE,
        builtins: builtins::BUILTINS,
        titles: TITLES,
        decisions: &[],
    },
    newest: "1.12.6",
    lines: &[
        Line::new(1, 6, 3).recorded(&[3]),
        Line::new(1, 7, 10).recorded(&[10]),
        Line::new(1, 8, 11).recorded(&[11]),
        Line::new(1, 9, 4).recorded(&[4]),
        Line::new(1, 10, 10).recorded(&[0, 10]),
        Line::new(1, 11, 14).recorded(&[0, 14]),
        Line::new(1, 12, 6).recorded(&[0, 6]),
    ],
};

/// Behaviours of the module as a whole.
const RULES: &[RuleRow] = &[
    // Settings: opentofu.md, sections 1 to 4.
    RequiredVersionRule::CheckedAlways.when(When::until(1, 12, 0)),
    RequiredVersionRule::UnmetHidesOthers.when(V1_12),
    RequiredVersionRule::IsRelease.always(),
    RequiredVersionRule::SeparatePass.always(),
    ReadingRule::ExperimentScan.when(When::until(1, 12, 0)),
    ReadingRule::Exclude(Exclusion {
        reported: "terraform.backend",
        other: "terraform.cloud",
        title: "Both a backend and a cloud configuration are present",
    })
    .always(),
    // Objects: opentofu.md, sections 5 and 7.
    ModuleRule::VersionNeedsRegistrySource.when(When::until(1, 8, 0)),
    ReferenceRule::EphemeralObjects.when(V1_11),
    ExpressionRule::FailedConstantsReportedOnce.when(V1_9),
    ProviderRule::InstanceKeys.when(V1_9),
    ProviderRule::TextsAreExpressions.when(V1_11),
    TriggerRule::CheckedOneByOne.always(),
    // Static evaluation: opentofu.md, sections 6 and 7. Whatever those sections do not state was read in the tool's
    // code.
    ReferenceRule::ToolWord("tofu").when(When::since(1, 9, 0)),
    ModuleRule::SourcesAreReported.always(),
    // Not verified against this tool, which was forked from a release of the other tool that behaves like this.
    ProviderRule::NamesAreCompared.always(),
    ProviderRule::ImpliedNamesAreChecked.always(),
    EarlyEvalRule::BackendsAreConstant.when(When::until(1, 8, 0)),
    EarlyEvalRule::ValuesAreConverted.when(When::since(1, 9, 0)),
    EarlyEvalRule::SecretsWarn.when(When::since(1, 8, 3).but_until(1, 9, 0)),
    EarlyEvalRule::SourcesDecodedAtOnce.when(V1_8.but_until(1, 8, 3)),
    ModuleRule::NullVersionIsNone.when(When::since(1, 10, 0)),
    // Not verified against this tool: both come from the common ancestor.
    ModuleRule::AreDirectories.always(),
    ModuleRule::CallsAreChecked.always(),
    EarlyEvalRule::InstanceFaultsAddUp.when(When::since(1, 10, 0)),
    // Records: opentofu.md, section 8.
    ImportRule::ClashAtHeader.always(),
    ImportRule::ClashWithMoves.when(When::until(1, 7, 0)),
    ImportRule::ComputedKeys.when(V1_7),
    ReferenceRule::FewReservedWords.always(),
    RemovalRule::ObjectsAreKept.always(),
    // Expressions: opentofu.md, section 10 (1.7, 1.10); the change log and the documentation of the tool (1.10).
    ExpressionRule::LogicShortCircuits.when(V1_10),
    // expressions.md, section 8.2.
    ExpressionRule::YamlIntegersAreLoose.when(When::until(1, 9, 0)),
    ExpressionRule::YamlListsAreMerged.when(V1_12),
    ExpressionRule::NamespacedFunctions.when(V1_7),
    ReadingRule::UnclosedBlocksAreNamed.always(),
];

/// Titles that differ from those of the tool that was forked.
const TITLES: &[TitleRow] = &[
    title("load/unsupported-tool-version", "Unsupported Terraform Core version", "Unsupported OpenTofu Core version"),
    title(
        "load/resource-key-not-allowed",
        "Resource instance keys not allowed",
        "Resource instance address with keys is not allowed",
    ),
    title(
        "load/module-key-not-allowed",
        "Module instance keys not allowed",
        "Module instance address with keys is not allowed",
    ),
    title("load/data-address-not-allowed", "Data source address not allowed", "Data source address is not allowed"),
    // Up to 1.10 the tool fails here (opentofu.md, section 9).
    title("load/reference-no-text", "Invalid reference expression", "Expected string expression"),
    early_eval::APPLYING,
    early_eval::NOT_SET,
    early_eval::INSTANCE_KEY,
    title(
        "validate/ephemeral-argument",
        "Invalid use of ephemeral value",
        "Ephemeral value used in non-ephemeral context",
    ),
    title("calls/ephemeral-value", "Ephemeral value not allowed", "Variable does not allow ephemeral value"),
    title(
        "validate/ephemeral-value-in-output",
        "Ephemeral value not allowed",
        "Output does not allow ephemeral value",
    ),
    title("evaluation/unknown-function", "Unknown provider function", "Call to unknown function"),
    title("validate/deprecated-value", "Deprecated value used", "Value derived from a deprecated source"),
    title(
        "validate/deprecated-variable",
        "Deprecated variable got a value",
        "Variable marked as deprecated by the module author",
    ),
    title("validate/ephemeral-root-output", "Ephemeral output not allowed", "Invalid output configuration"),
    TitleRow {
        code: "validate/invalid-for-each-set",
        title: "Invalid for_each set argument",
        says: "Invalid for_each argument",
        when: V1_11,
    },
    TitleRow {
        code: "plan/prevent-destroy",
        title: "Instance cannot be destroyed",
        says: "Resource instance cannot be destroyed",
        when: V1_12,
    },
];

const fn title(code: &'static str, title: &'static str, says: &'static str) -> TitleRow {
    TitleRow { code, title, says, when: When::ALWAYS }
}

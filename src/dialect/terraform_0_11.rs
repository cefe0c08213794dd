//! Terraform 0.11. Source of every row: variables.md, part B; `source` names the sections.

use super::registry::{Line, Table};
use super::spec::{
    AddressRule, AttrKind, AttrSpec, BlockSpec, DialectSpec, FileRules, FileSyntax, Keeps, Missing, OverrideRule,
    Repeat, SuffixUse, ValuesName, ValuesRow, View, When,
};
use super::terraform::{VARIABLES as TYPED, label, suffix};
use super::variables::{TextRule, Undeclared, ValueModel, ValueSource, VariableRules};

/// The table.
pub(super) static TABLE: Table = Table {
    spec: DialectSpec {
        name: "terraform-0.11",
        version: "",
        files: FILES,
        variables: VARIABLES,
        view: View::ByAddress,
        blocks: &[VARIABLE],
        rules: &[],
        titles: &[],
    },
    newest: "0.11.15",
    lines: &[Line::new(0, 11, 15)],
};

const FILES: FileRules = FileRules {
    suffixes: &[
        suffix(".tf", FileSyntax::FirstGrammar, SuffixUse::Config),
        suffix(".tf.json", FileSyntax::FirstGrammar, SuffixUse::Config),
    ],
    values: &[
        values("terraform.tfvars", ValuesName::Whole),
        values("terraform.tfvars.json", ValuesName::Whole),
        values(".auto.tfvars", ValuesName::EndOfVisible),
        values(".auto.tfvars.json", ValuesName::EndOfVisible),
    ],
    override_stem: "override",
    override_tail: "_override",
    alone: &[],
    by_request: &[],
    tests: None,
};

const fn values(name: &'static str, name_is: ValuesName) -> ValuesRow {
    ValuesRow { name, name_is, syntax: FileSyntax::FirstGrammar }
}

/// Sections B2, B3.
const VARIABLES: VariableRules = VariableRules {
    sources: &[
        ValueSource::Default,
        ValueSource::Environment {
            prefix: "TF_VAR_",
            rule: TextRule::TrimmedOrValue,
            undeclared: Undeclared::Silent,
        },
        ValueSource::Files { undeclared: Undeclared::Silent, unless_options: true },
        ValueSource::Options {
            rule: TextRule::ValueOrRaw,
            undeclared: Undeclared::Silent,
            undeclared_in_file: Undeclared::Silent,
        },
    ],
    model: ValueModel::Plain,
    ..TYPED
};

const VARIABLE: BlockSpec = BlockSpec {
    keyword: "variable",
    kind: "variable",
    when: When::ALWAYS,
    labels: &[label("name")],
    address: AddressRule::Labels("var."),
    attrs: &[
        AttrSpec::new("type", AttrKind::PlainType),
        AttrSpec::new("default", AttrKind::PlainDefault),
        AttrSpec::new("description", AttrKind::Any),
    ],
    repeat: Repeat::Error { title: "Variable '{0}': duplicate found", keeps: Keeps::First },
    over: OverrideRule::Merge { missing: Missing::Adopt },
    source: "B1",
    ..BlockSpec::PLAIN
};

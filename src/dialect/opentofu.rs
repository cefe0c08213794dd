//! OpenTofu, 1.6 to 1.12. Source of every row: opentofu.md; `source` names the sections.
//!
//! The fork began after the borders of Terraform 1.5, so rows of that table whose borders lie before it, or which have none, hold
//! here in every version and are taken over as they are. Every row with a later border is stated anew.

use super::registry::{Line, Table};
use super::spec::DialectSpec;
use super::terraform::{
    CHECK, DATA, EPHEMERAL, FILES, IMPORT, LOCALS, MODULE, MOVED, OUTPUT, PROVIDER, REMOVED,
    REQUIRED_PROVIDERS_OUTSIDE, RESOURCE, RULES, TERRAFORM, TITLES, VARIABLE, VARIABLES,
};
use super::variables::VariableRules;
use crate::eval::Lineage;

/// The table.
pub(super) static TABLE: Table = Table {
    spec: DialectSpec {
        name: "opentofu",
        version: "",
        files: FILES,
        variables: VariableRules { functions: Lineage::Fork, ..VARIABLES },
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
            MOVED,
            REMOVED,
            IMPORT,
            CHECK,
        ],
        rules: RULES,
        titles: TITLES,
    },
    newest: "1.12.6",
    lines: &[
        Line::new(1, 6, 3),
        Line::new(1, 7, 10),
        Line::new(1, 8, 11),
        Line::new(1, 9, 4),
        Line::new(1, 10, 9),
        Line::new(1, 11, 6),
        Line::new(1, 12, 6),
    ],
};

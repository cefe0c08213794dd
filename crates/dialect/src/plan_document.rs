//! What the plan document of a release contains (docs/plan-versions.md): rows of facts, read in the sources of the tools at
//! the tags of their releases.

use super::spec::{DialectSpec, Release, When};

/// A part of the document, or a rule about it, that not every release has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PlanPart {
    /// A plan is written although there were errors.
    WrittenOnErrors,
    /// `sensitive_values` of resources in `planned_values` and `prior_state`.
    SensitiveValues,
    /// `type` of outputs in `planned_values` and `prior_state`.
    OutputTypes,
    /// `full_name` of provider configurations.
    ProviderFullNames,
    /// `action_reason` of data sources that are read later.
    ReadReasons,
    /// `action_reason` of data sources inside of checks.
    NestedReadReason,
    /// `relevant_attributes`.
    RelevantAttributes,
    /// `checks`, of resources, data sources and outputs.
    Checks,
    /// The member `//` of each entry of `checks`.
    ChecksNote,
    /// Check blocks in `checks`.
    CheckBlocks,
    /// Variables with validations in `checks`.
    VariableChecks,
    /// `timestamp`.
    Timestamp,
    /// `errored`.
    Errored,
    /// `applyable` and `complete`.
    Applyable,
    /// `deprecated` of variables and outputs in `configuration`.
    Deprecations,
    /// `type`, `required` and `ephemeral` of variables, and `ephemeral` of outputs, in `configuration`.
    VariableTypes,
}

/// A part, and in which releases it is there.
struct PartRow {
    part: PlanPart,
    /// In Terraform.
    terraform: Option<When>,
    /// In OpenTofu, whose first release has what Terraform 1.5 has, and some of 1.6.
    opentofu: Option<When>,
    /// Where that was read, or said.
    #[cfg_attr(not(test), expect(dead_code, reason = "says where the row is from"))]
    read_in: &'static str,
}

impl PartRow {
    /// Creates the row of a part that Terraform has since a release, and OpenTofu always.
    const fn since(part: PlanPart, minor: u16, patch: u16, read_in: &'static str) -> Self {
        Self { part, terraform: Some(When::since(1, minor, patch)), opentofu: Some(When::ALWAYS), read_in }
    }
}

/// docs/plan-versions.md, in the order of its table.
const PARTS: &[PartRow] = &[
    PartRow::since(PlanPart::SensitiveValues, 0, 1, "jsonplan/resource.go, jsonstate/state.go"),
    PartRow::since(PlanPart::OutputTypes, 2, 0, "changelog of 1.2.0; jsonplan/plan.go, jsonstate/state.go"),
    PartRow::since(PlanPart::ProviderFullNames, 2, 0, "changelog of 1.2.0; jsonconfig/config.go"),
    PartRow::since(PlanPart::ReadReasons, 2, 0, "jsonplan/plan.go"),
    PartRow::since(PlanPart::RelevantAttributes, 2, 0, "jsonplan/plan.go"),
    PartRow::since(PlanPart::Checks, 3, 0, "jsonplan/plan.go, jsonchecks"),
    PartRow {
        part: PlanPart::ChecksNote,
        terraform: Some(When::since(1, 3, 0).but_until(1, 5, 0)),
        opentofu: None,
        read_in: "jsonchecks/checks.go",
    },
    PartRow::since(PlanPart::WrittenOnErrors, 4, 0, "backend/local/backend_plan.go"),
    PartRow::since(PlanPart::CheckBlocks, 5, 0, "jsonchecks/objects.go"),
    PartRow::since(PlanPart::NestedReadReason, 5, 0, "jsonplan/plan.go"),
    PartRow::since(PlanPart::Timestamp, 5, 0, "jsonplan/plan.go"),
    PartRow::since(PlanPart::VariableChecks, 6, 0, "jsonchecks/objects.go"),
    PartRow::since(PlanPart::Errored, 6, 0, "changelog of 1.6.0; jsonplan/plan.go"),
    PartRow {
        part: PlanPart::Applyable,
        terraform: Some(When::since(1, 8, 0)),
        opentofu: None,
        read_in: "changelog of 1.8.0; jsonplan/plan.go of both tools",
    },
    PartRow {
        part: PlanPart::Deprecations,
        terraform: None,
        opentofu: Some(When::since(1, 10, 0)),
        read_in: "OpenTofu's jsonconfig/config.go",
    },
    PartRow {
        part: PlanPart::VariableTypes,
        terraform: None,
        opentofu: Some(When::since(1, 11, 0)),
        read_in: "changelog of OpenTofu 1.11.0; its jsonconfig/config.go",
    },
];

/// `format_version` of Terraform's documents and of the states in them since each release; the last one holds
/// (`jsonplan/plan.go`, `jsonstate/state.go`). OpenTofu has the last of both.
const FORMATS: &[(Release, &str, &str)] = &[
    (Release(0, 0, 0), "0.1", "0.1"),
    (Release(1, 0, 1), "0.2", "0.2"),
    (Release(1, 1, 0), "1.0", "1.0"),
    (Release(1, 2, 0), "1.1", "1.0"),
    (Release(1, 5, 0), "1.2", "1.0"),
];

/// The minor release whose plans were recorded; the rules of others were only read.
const RECORDED: (u16, u16) = (1, 11);

/// What the documents of one release contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlanDocument {
    release: Release,
    is_opentofu: bool,
}

impl PlanDocument {
    /// Returns the description for a dialect and its version.
    pub fn of(dialect: &DialectSpec) -> Self {
        let numbers = dialect.version.split(['.', '-']).map(|part| part.parse().unwrap_or(0));
        let mut numbers = numbers.chain(std::iter::repeat(0));
        let mut next = || numbers.next().unwrap_or(0);
        Self {
            release: Release(next(), next(), next()),
            is_opentofu: dialect.name == super::opentofu::TABLE.spec.name,
        }
    }

    /// Whether documents have a part.
    pub fn has(self, part: PlanPart) -> bool {
        let mut rows = PARTS.iter().filter(|row| row.part == part);
        let when = rows.next().and_then(|row| if self.is_opentofu { row.opentofu } else { row.terraform });
        when.is_some_and(|when| when.holds(self.release))
    }

    /// Returns `format_version` of the document.
    pub fn format(self) -> &'static str {
        self.formats().0
    }

    /// Returns `format_version` of the state in the document.
    pub fn state_format(self) -> &'static str {
        self.formats().1
    }

    fn formats(self) -> (&'static str, &'static str) {
        let holds = |since: Release| self.is_opentofu || since <= self.release;
        let mut rows = FORMATS.iter().rev().filter(|(since, ..)| holds(*since));
        rows.next().map_or(("", ""), |&(_, document, state)| (document, state))
    }

    /// Whether plans of this release were recorded, so that every rule is proven.
    pub fn is_recorded(self) -> bool {
        !self.is_opentofu && (self.release.0, self.release.1) == RECORDED
    }
}

#[cfg(test)]
mod tests {
    use super::{FORMATS, PARTS, PlanDocument, PlanPart};
    use crate::registry::{find, versions};

    fn document(dialect: &str, version: &str) -> PlanDocument {
        PlanDocument::of(find(dialect, Some(version)).unwrap())
    }

    fn parts(document: PlanDocument) -> Vec<PlanPart> {
        PARTS.iter().map(|row| row.part).filter(|&part| document.has(part)).collect()
    }

    #[test]
    fn each_part_has_one_row_with_a_source() {
        for row in PARTS {
            assert_eq!(PARTS.iter().filter(|other| other.part == row.part).count(), 1, "{:?}", row.part);
            assert!(!row.read_in.is_empty(), "{:?}", row.part);
        }
        assert!(FORMATS.is_sorted());
    }

    #[test]
    fn releases_have_the_parts_of_their_time() {
        for (version, count, format, state) in [
            ("1.0.0", 0, "0.1", "0.1"),
            ("1.0.11", 1, "0.2", "0.2"),
            ("1.1.9", 1, "1.0", "1.0"),
            ("1.2.0", 5, "1.1", "1.0"),
            ("1.4.7", 8, "1.1", "1.0"),
            ("1.5.0", 10, "1.2", "1.0"),
            ("1.6.0", 12, "1.2", "1.0"),
            ("1.8.0", 13, "1.2", "1.0"),
            ("1.11.4", 13, "1.2", "1.0"),
            ("1.16.0-rc2", 13, "1.2", "1.0"),
        ] {
            let document = document("terraform", version);
            assert_eq!(parts(document).len(), count, "{version}");
            assert_eq!((document.format(), document.state_format()), (format, state), "{version}");
        }
        for (version, count) in [("1.6.0", 12), ("1.10.0", 13), ("1.11.0", 14)] {
            let document = document("opentofu", version);
            assert_eq!(parts(document).len(), count, "{version}");
            assert!(!document.has(PlanPart::Applyable));
            assert_eq!((document.format(), document.state_format()), ("1.2", "1.0"), "{version}");
        }
    }

    #[test]
    fn one_minor_release_is_recorded() {
        for dialect in ["terraform", "opentofu"] {
            let all = versions(dialect).unwrap().0;
            let recorded: Vec<&String> =
                all.iter().filter(|version| document(dialect, version).is_recorded()).collect();
            assert!(recorded.iter().all(|version| version.starts_with("1.11.")));
            assert_eq!(recorded.is_empty(), dialect == "opentofu");
        }
    }
}

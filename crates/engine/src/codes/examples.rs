//! Example inputs for the codes: the smallest recorded case that produces each code, of Terraform if there is one, and
//! the dialects whose recorded cases produce it. The data is generated from the recorded cases by
//! `OVERFOLD_GOLDEN=write cargo test --test it golden`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// The recorded cases of one code, in brief.
#[derive(Deserialize, Serialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct CodeCases {
    /// The dialects whose cases produce the code, sorted.
    pub dialects: Vec<String>,
    /// The smallest of these cases, of Terraform if there is one, else of OpenTofu; absent if none is short enough to
    /// be readable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<Example>,
}

/// A small input and what is reported for it.
#[derive(Deserialize, Serialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The dialect that reports it.
    pub dialect: String,
    /// The tool version, if the case requests one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The files: their texts by path.
    pub files: BTreeMap<String, String>,
    /// The position that is reported: file, line and column, the latter two 1-based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The title of the diagnostic.
    pub summary: String,
    /// The detail of the diagnostic.
    pub detail: String,
}

/// The examples by code. Embedded text that a test reads cannot be damaged; if it were, there would be no examples.
static CASES: LazyLock<BTreeMap<String, CodeCases>> =
    LazyLock::new(|| serde_json::from_str(include_str!("examples.json")).unwrap_or_default());

/// Returns an example of the code, if a recorded case produces it.
pub fn example(id: &str) -> Option<&'static Example> {
    CASES.get(id)?.example.as_ref()
}

/// Returns the dialects whose recorded cases produce the code. Others may report it as well.
pub fn dialects_with(id: &str) -> &'static [String] {
    CASES.get(id).map_or(&[], |shown| &shown.dialects)
}

//! Inputs that show a code: the smallest recorded case for each, and the dialects whose recorded cases show it. The data
//! is made from the recorded cases by `OVERFOLD_GOLDEN=write cargo test --test it golden`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// What the recorded cases show of one code.
#[derive(Deserialize, Serialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// The dialects whose cases show it, sorted.
    pub dialects: Vec<String>,
    /// The smallest of these cases; absent where none is short enough to be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<Example>,
}

/// A small input and what is reported for it.
#[derive(Deserialize, Serialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The dialect that reports it.
    pub dialect: String,
    /// The tool version, where the case asks for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The files: path → text.
    pub files: BTreeMap<String, String>,
    /// Where it is reported: file, line and column, both 1-based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The title of the diagnostic.
    pub summary: String,
    /// The detail of the diagnostic.
    pub detail: String,
}

/// By code. Text that this build holds and a test reads cannot be damaged; if it were, there would be no examples.
static SHOWN: LazyLock<BTreeMap<String, Shown>> =
    LazyLock::new(|| serde_json::from_str(include_str!("examples.json")).unwrap_or_default());

/// An example of the code, where a recorded case shows it.
pub fn example(id: &str) -> Option<&'static Example> {
    SHOWN.get(id)?.example.as_ref()
}

/// The dialects whose recorded cases show the code. Others may report it, too.
pub fn shown_by(id: &str) -> &'static [String] {
    SHOWN.get(id).map_or(&[], |shown| &shown.dialects)
}

//! The versions of the tools, and in what they differ.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use overfold_dialect::{self as dialect, ShowsIn, compared, differences, is_read};
use overfold_output::view::DifferenceRange;

/// The release lines of Terraform and OpenTofu, and everything in which their versions differ.
#[derive(Serialize, ToSchema, Debug)]
pub struct VersionList {
    /// The products.
    pub tools: Vec<ToolLines>,
    /// What versions do differently, in order of `id`.
    pub differences: Vec<VersionDifference>,
}

/// The release lines of one product.
#[derive(Serialize, ToSchema, Debug)]
pub struct ToolLines {
    /// The dialect that stands for it in requests.
    #[schema(example = "terraform")]
    pub dialect: &'static str,
    /// The version that is followed if a request names none.
    #[schema(example = "1.15.9")]
    pub default_version: &'static str,
    /// The lines, oldest first.
    pub lines: Vec<VersionLine>,
}

/// The releases of one minor version.
#[derive(Serialize, ToSchema, Debug)]
pub struct VersionLine {
    /// The line.
    #[schema(example = "1.11")]
    pub line: String,
    /// Its newest release, which `line` stands for in requests.
    #[schema(example = "1.11.4")]
    pub newest: String,
    /// Whether that is a release candidate.
    pub candidate: bool,
    /// The releases whose answers were recorded by running them, oldest first. What is known of a line without any was only
    /// read in the sources.
    pub recorded: Vec<String>,
}

/// Something that some versions do and others do not.
#[derive(Serialize, ToSchema, Debug)]
pub struct VersionDifference {
    /// Its name, which stays the same.
    #[schema(example = "block:moved")]
    pub id: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// By dialect: the ranges of versions in which it holds, oldest first. Two ranges that touch are two forms of it.
    pub ranges: BTreeMap<&'static str, Vec<DifferenceRange>>,
    /// The first kind of answer in which it can show.
    pub shows_in: ShownIn,
    /// Whether recorded answers show it, or it was only read.
    pub known_from: KnownFrom,
    /// Where it is described: a document of rules, a recorded case, or a change in the sources.
    pub source: &'static str,
}

/// A kind of answer.
#[derive(Serialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum ShownIn {
    /// Answers of every stage.
    Load,
    /// Answers of the stage `validate`, and plans.
    Validate,
    /// Plans.
    Plan,
}

/// How something is known.
#[derive(Serialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum KnownFrom {
    /// Programs were run, and their answers recorded.
    Recorded,
    /// It was read in sources or documents.
    Read,
}

impl VersionList {
    /// Lists everything that is known.
    pub(crate) fn known() -> Self {
        let tools = compared().filter_map(|name| {
            let (_, default_version) = dialect::versions(name)?;
            let lines = dialect::lines(name).into_iter().map(|found| VersionLine {
                line: found.line,
                newest: found.newest,
                candidate: found.is_candidate,
                recorded: found.recorded,
            });
            Some(ToolLines { dialect: name, default_version, lines: lines.collect() })
        });
        let differences = differences().iter().map(|found| VersionDifference {
            id: &found.id,
            summary: &found.summary,
            ranges: found
                .ranges
                .iter()
                .map(|(&dialect, ranges)| (dialect, ranges.iter().copied().map(DifferenceRange::from).collect()))
                .collect(),
            shows_in: match found.shows_in {
                ShowsIn::Load => ShownIn::Load,
                ShowsIn::Validate => ShownIn::Validate,
                ShowsIn::Plan => ShownIn::Plan,
            },
            known_from: if is_read(&found.id) { KnownFrom::Read } else { KnownFrom::Recorded },
            source: &found.source,
        });
        Self { tools: tools.collect(), differences: differences.collect() }
    }
}

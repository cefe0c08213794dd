//! How much was checked, in words.

use std::collections::BTreeSet;

use overfold_base::account;
use overfold_base::diag::{Severity, Tally};
use overfold_dialect::DialectSpec;
use overfold_model::language::references::ResourceMode;
use overfold_module::pipeline::{Report, ToolStage};

/// What a kept type takes besides its name, in bytes.
const KEPT: u64 = 48;

/// How much was checked in one or more modules that follow the same table.
#[derive(Clone)]
pub(crate) struct Extent {
    dialect: &'static DialectSpec,
    stage: ToolStage,
    /// As [`Report::schemas_missing`], over all modules.
    schemas_missing: BTreeSet<(ResourceMode, Box<str>)>,
}

impl Extent {
    /// Returns the extent for a module.
    pub(crate) fn of(report: &Report<'_>) -> Self {
        let Report { dialect, stage, schemas_missing, .. } = report;
        account::work(schemas_missing.len() as u64);
        account::grow(schemas_missing.iter().map(|(_, name)| name.len() as u64 + KEPT).sum());
        Self { dialect, stage: *stage, schemas_missing: schemas_missing.clone() }
    }

    /// Returns the extent for these modules and `other`, which follow the same table.
    pub(crate) fn and(mut self, other: Self) -> Self {
        account::work(4 * other.schemas_missing.len() as u64);
        // One by one: `append` builds the whole set anew, for each module of a repository.
        self.schemas_missing.extend(other.schemas_missing);
        self
    }

    /// Returns the extent without what could not be checked, where that is said elsewhere.
    pub(crate) fn without_unchecked(self) -> Self {
        Self { schemas_missing: BTreeSet::new(), ..self }
    }

    /// Says that nothing was found, without a full stop; `None` if there is only one way to look.
    pub(crate) fn nothing_found(&self) -> Option<String> {
        let Self { dialect: DialectSpec { tool, version, validate, .. }, stage, .. } = *self;
        let command = (*validate)?;
        Some(match stage {
            ToolStage::Load => format!("no problems found while loading with {tool} {version} (stage load)"),
            ToolStage::Validate => format!("no problems found by the checks of `{command}` {version}"),
        })
    }

    /// What to add to the number of findings: whether fewer than usual were looked for.
    pub(crate) const fn remark(&self) -> &'static str {
        match (self.stage, self.dialect.validate) {
            (ToolStage::Load, Some(_)) => " (stage load)",
            _ => "",
        }
    }

    /// Says what could not be checked, and the option that helps, without a full stop; `None` if everything was.
    pub(crate) fn unchecked(&self) -> Option<String> {
        let (count, types, their) = match self.schemas_missing.len() {
            0 => return None,
            1 => (1, "resource type", "its schema"),
            count => (count, "resource types", "their schemas"),
        };
        Some(format!("the arguments of {count} {types} were not checked; --provider-schemas FILE gives {their}"))
    }
}

/// Returns a sentence for people, without a full stop: whether the tool accepts the configuration, and what of the shown diagnostics the options still count as a failure: those of the severity `fail_on`.
pub(crate) fn verdict(report: &Report<'_>, fail_on: Option<Severity>) -> String {
    let DialectSpec { tool, version, validate, .. } = report.dialect;
    let tally = report.tally();
    if report.diagnostics.has_errors() {
        let but = if tally.errors == 0 { "; --severity shows them as less" } else { "" };
        return format!("the configuration has errors for {tool} {version}{but}");
    }
    let verdict = match (report.stage, validate) {
        (ToolStage::Validate, Some(command)) => {
            format!("the configuration passes the checks of `{command}` {version}")
        }
        (ToolStage::Load, Some(command)) => {
            format!("the configuration loads with {tool} {version} (stage load; `{command}` may report more)")
        }
        (_, None) => format!("the configuration loads with {tool} {version}"),
    };
    let but = failing(tally, fail_on).map_or_else(String::new, |what| format!(", but {what}"));
    verdict + &but
}

/// Says which diagnostics count as a failure although the tool reports no error; `None` if there are none. `tally` counts
/// them by the severity with which they are shown.
pub(crate) fn failing(tally: Tally, fail_on: Option<Severity>) -> Option<String> {
    let counted =
        |count: u64, what: &str| if count == 1 { format!("1 {what} is") } else { format!("{count} {what}s are") };
    let Tally { errors, warnings, infos } = tally;
    if errors > 0 {
        let what = if errors == 1 { "an error" } else { "errors" };
        return Some(format!("{} {what} because of --severity", counted(errors, "diagnostic")));
    }
    let (count, what) = match fail_on? {
        Severity::Error => return None,
        Severity::Warning => (warnings, "warning"),
        Severity::Info if warnings == 0 => (infos, "note"),
        Severity::Info => (warnings + infos, "diagnostic"),
    };
    (count > 0).then(|| format!("{} a failure because of --fail-on", counted(count, what)))
}

/// Says what modules do that the tool accepts: "pass the checks of …", "load with …".
pub(crate) fn accepted(report: &Report<'_>) -> String {
    let DialectSpec { tool, version, validate, .. } = report.dialect;
    match (report.stage, validate) {
        (ToolStage::Validate, Some(command)) => format!("pass the checks of `{command}` {version}"),
        (ToolStage::Load, Some(_)) => format!("load with {tool} {version} (stage load)"),
        (_, None) => format!("load with {tool} {version}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(types: &[&str]) -> Extent {
        let dialect = overfold_dialect::find("terraform", Some("1.11.4")).unwrap();
        let schemas_missing = types.iter().map(|name| (ResourceMode::Managed, Box::from(*name))).collect();
        Extent { dialect, stage: ToolStage::Validate, schemas_missing }
    }

    #[test]
    fn types_whose_arguments_were_not_checked_are_counted_once() {
        let said = |extent: Extent| extent.unchecked().unwrap_or_default();
        assert_eq!(said(extent(&[])), "");
        assert!(said(extent(&["a"])).contains(" 1 resource type were not checked"));
        assert!(said(extent(&["a", "b"])).contains(" 2 resource types were not checked"));
        assert!(said(extent(&["a", "b"]).and(extent(&["b", "c"]))).contains(" 3 resource types were not checked"));
        assert_eq!(said(extent(&[]).and(extent(&[]))), "");
    }

    #[test]
    fn what_options_count_as_a_failure_is_said() {
        let said = |errors, warnings, infos, fail_on| {
            failing(Tally { errors, warnings, infos }, fail_on).unwrap_or_default()
        };
        assert_eq!(said(1, 2, 0, Some(Severity::Error)), "1 diagnostic is an error because of --severity");
        assert_eq!(said(2, 0, 0, None), "2 diagnostics are errors because of --severity");
        assert_eq!(said(0, 2, 1, Some(Severity::Error)), "");
        assert_eq!(said(0, 1, 1, Some(Severity::Warning)), "1 warning is a failure because of --fail-on");
        assert_eq!(said(0, 2, 1, Some(Severity::Info)), "3 diagnostics are a failure because of --fail-on");
        assert_eq!(said(0, 0, 1, Some(Severity::Info)), "1 note is a failure because of --fail-on");
        assert_eq!(said(0, 0, 0, Some(Severity::Info)), "");
    }
}

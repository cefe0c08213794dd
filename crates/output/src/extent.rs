//! How far problems were looked for, in words.

use overfold_dialect::DialectSpec;
use overfold_module::pipeline::{Report, ToolStage};

/// How far problems were looked for in one or more modules that follow the same table.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    dialect: &'static DialectSpec,
    stage: ToolStage,
    /// As [`Report::schemas_missing`], over all modules.
    schemas_missing: usize,
    /// Whether there are several modules, which may use the same types.
    is_tree: bool,
}

impl Extent {
    /// Returns the extent for a module.
    pub(crate) const fn of(report: &Report<'_>) -> Self {
        let Report { dialect, stage, schemas_missing, .. } = report;
        Self { dialect, stage: *stage, schemas_missing: *schemas_missing, is_tree: false }
    }

    /// Returns the extent for these modules and `other`.
    pub(crate) const fn and(self, other: Self) -> Self {
        let schemas_missing = self.schemas_missing.saturating_add(other.schemas_missing);
        Self { schemas_missing, is_tree: true, ..self }
    }

    /// Says that nothing was found, without a full stop; `None` if there is only one way to look.
    pub(crate) fn nothing_found(self) -> Option<String> {
        let Self { dialect: DialectSpec { tool, version, validate, .. }, stage, .. } = self;
        let command = (*validate)?;
        Some(match stage {
            ToolStage::Load => format!("no problems found while loading with {tool} {version} (stage load)"),
            ToolStage::Validate => format!("no problems found by the checks of `{command}` {version}"),
        })
    }

    /// What to add to the number of findings: whether fewer than usual were looked for.
    pub(crate) const fn remark(self) -> &'static str {
        match (self.stage, self.dialect.validate) {
            (ToolStage::Load, Some(_)) => " (stage load)",
            _ => "",
        }
    }

    /// Says what could not be checked, without a full stop; `None` if everything was.
    pub(crate) fn unchecked(self) -> Option<String> {
        match (self.schemas_missing, self.is_tree) {
            (0, _) => None,
            (_, true) => {
                Some("the arguments of some resource types were not checked: no schema was given for them".to_owned())
            }
            (1, false) => {
                Some("the arguments of 1 resource type were not checked: no schema was given for it".to_owned())
            }
            (count, false) => Some(format!(
                "the arguments of {count} resource types were not checked: no schema was given for them"
            )),
        }
    }
}

/// Returns a sentence for people, without a full stop: whether the tool accepts the configuration, as far as that was
/// looked at.
pub(crate) fn verdict(report: &Report<'_>) -> String {
    let DialectSpec { tool, version, validate, .. } = report.dialect;
    if report.diagnostics.has_errors() {
        return format!("the configuration has errors for {tool} {version}");
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
    match Extent::of(report).unchecked() {
        Some(unchecked) => format!("{verdict}; {unchecked}"),
        None => verdict,
    }
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

    fn extent(schemas_missing: usize) -> Extent {
        let dialect = overfold_dialect::find("terraform", Some("1.11.4")).unwrap();
        Extent { dialect, stage: ToolStage::Validate, schemas_missing, is_tree: false }
    }

    #[test]
    fn arguments_that_were_not_checked_are_counted() {
        let said = |extent: Extent| extent.unchecked().unwrap_or_default();
        assert_eq!(said(extent(0)), "");
        assert!(said(extent(1)).contains(" 1 resource type were not checked"));
        assert!(said(extent(2)).contains(" 2 resource types were not checked"));
        // Both modules may use the same types.
        assert!(said(extent(2).and(extent(2))).contains(" some resource types were not checked"));
        assert_eq!(said(extent(0).and(extent(0))), "");
    }
}

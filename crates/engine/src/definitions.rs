//! Variable definitions files that a request names.

use crate::input::Input;
use crate::refusal::{Refusal, RefusalKind};
use crate::use_case::Context;
use overfold_base::echo::short;
use overfold_base::files::FileSet;
use overfold_eval::{Entry, FileAccess};
use overfold_module::pipeline::{Report, Request, VariableArg};
use overfold_output as output;

impl Context<'_> {
    /// Checks that the variable definitions files which the request names are among the files, if these are all there are.
    /// Something else at the path of an automatic definitions file is only a diagnostic.
    ///
    /// # Errors
    /// Refuses a request that names another file. The tool would report it, so the refusal carries the diagnostics.
    pub(crate) fn check_definitions(&self, input: Input<'_>, report: &Report<'_>) -> Result<(), Refusal> {
        // In a tree, values are given to the root alone.
        if report.variables.is_none() && input.prepared.tree.is_some() {
            return Ok(());
        }
        self.check_definitions_of(input.files, &input.prepared.request, report)
    }

    /// As [`Self::check_definitions`], of the request for one module.
    ///
    /// # Errors
    /// As there.
    pub(crate) fn check_definitions_of(
        &self,
        files: &FileSet,
        request: &Request,
        report: &Report<'_>,
    ) -> Result<(), Refusal> {
        if !self.is_complete {
            return Ok(());
        }
        let access = FileAccess::new(files, &request.root);
        let named = request.variables.iter().flat_map(|variables| &variables.args).filter_map(|arg| match arg {
            VariableArg::VarFile(path) => Some(path),
            _ => None,
        });
        let mut missing = named.filter(|path| !matches!(access.entry(path), Entry::File(_)));
        let Some(first) = missing.next() else { return Ok(()) };
        let others = match missing.count() {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        let detail = format!("the variable definitions file {:?} is not in the files{others}", short(first));
        let refusal = Refusal::new(RefusalKind::VarFileNotFound, detail).at("/variables/args");
        Err(refusal.with_diagnostics(output::diagnostics_only(report)))
    }
}

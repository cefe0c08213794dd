//! Arguments of a `lifecycle` that a plan judges: `destroy` and `prevent_destroy` since OpenTofu 1.12.

use super::codes;
use super::resource::DeclaredResource;
use super::scope::{Site, settled};
use super::walk::Walk;
use overfold_base::account::ChargedIterator;
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes};
use overfold_check::validate::walker::meta_blocks;
use overfold_dialect::{AttrKind, words};
use overfold_eval as eval;
use overfold_load::plan::ResourceMode;
use overfold_model::config::Argument;
use overfold_syntax::statics;
use overfold_value::{Type, convert};

/// The argument of a lifecycle that forbids to destroy the object.
pub(super) const PREVENT_DESTROY: &str = "prevent_destroy";

/// The argument of a lifecycle that says whether the object is destroyed or forgotten.
const DESTROY: &str = "destroy";

impl<'a> Walk<'_, '_, 'a> {
    /// Reports a `destroy` that is no constant or not true or false. Returns whether there is one.
    pub(super) fn has_wrong_destroy(&self, declared: &DeclaredResource<'a>, out: &mut Diagnostics) -> bool {
        let before = out.has_errors();
        for destroy in evaluated(declared, DESTROY) {
            let value = eval::constant(self.report.forest, destroy.expr, &mut Diagnostics::new());
            if !matches!(value.ty(), Type::Bool) {
                let detail = "The value of `destroy` must be true or false, written as a constant.";
                let at = self.report.forest.expr_span(destroy.expr);
                out.push(Diagnostic::tool(&codes::DESTROY_EXPRESSION, at, detail));
            }
        }
        !before && out.has_errors()
    }

    /// Evaluates a `prevent_destroy` that may be any expression. It sees nothing of the instance. Returns whether it forbids to
    /// destroy the object; `None` if it is wrong, which is reported.
    pub(super) fn prevents_destroy(
        &self,
        declared: &DeclaredResource<'a>,
        at: usize,
        out: &mut Diagnostics,
    ) -> Option<bool> {
        if self.depends_on_instance(declared, out) {
            return None;
        }
        let mut prevents = false;
        for prevent in evaluated(declared, PREVENT_DESTROY) {
            let mut own = Diagnostics::new();
            let (value, verdict) = self.evaluate(prevent.expr, Site::new(declared.path, at), &mut own);
            out.append(own);
            if verdict.failed() {
                return None;
            }
            let value = settled(&value);
            let marks = value.deep_marks();
            let converted = convert(&value.unmarked_deep(), &Type::Bool);
            let why = match &converted {
                Err(_) => "it must be true or false",
                Ok(_) if marks.is_sensitive() => {
                    "it is sensitive, but a plan shows whether the object may be destroyed"
                }
                Ok(_) if marks.is_ephemeral() => "it is ephemeral, but it must be the same when the plan is applied",
                Ok(value) => {
                    prevents |= value.as_bool() == Some(true);
                    continue;
                }
            };
            let detail = format!("This value cannot be used as `prevent_destroy`: {why}.");
            let found = Diagnostic::tool(
                &codes::PREVENT_DESTROY_REFERENCE,
                self.report.forest.expr_span(prevent.expr),
                detail,
            );
            out.push(found.titled("Invalid value for prevent_destroy").quoting(Quotes::Values(marks.secrecy())));
            return None;
        }
        Some(prevents)
    }

    /// Reports what a `prevent_destroy` names of the instance. Returns whether there is any.
    fn depends_on_instance(&self, declared: &DeclaredResource<'a>, out: &mut Diagnostics) -> bool {
        let mut depends = false;
        for prevent in evaluated(declared, PREVENT_DESTROY) {
            for reference in statics::references(self.report.forest, prevent.expr).charged(2) {
                if !matches!(&*reference.root, words::COUNT | words::EACH) {
                    continue;
                }
                let Some(first) = reference.steps.first() else { continue };
                let at = reference.root_span.range().to(first.span.range()).in_source(reference.root_span.source);
                let detail = format!(
                    "`prevent_destroy` also counts for instances that are gone, so it must not depend on {}.",
                    reference.root
                );
                out.push(Diagnostic::tool(&codes::PREVENT_DESTROY_REFERENCE, at, detail));
                depends = true;
            }
        }
        depends
    }
}

/// Returns an argument of the lifecycle of a managed resource, if it may be any expression.
fn evaluated<'b>(declared: &'b DeclaredResource<'_>, name: &'static str) -> impl Iterator<Item = &'b Argument<'b>> {
    let blocks = meta_blocks(declared.block, words::LIFECYCLE).filter(|_| declared.mode == ResourceMode::Managed);
    blocks.flat_map(|block| block.arguments).charged(1).filter(move |argument| {
        argument.name == name
            && !argument.broken
            && argument.spec.is_some_and(|row| matches!(row.kind, AttrKind::Any))
    })
}

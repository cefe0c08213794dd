//! `import` blocks (plan.md, section 12).

use std::sync::Arc;

use super::codes;
use super::resource::{Declared, output_of};
use super::scope::{Site, settled};
use super::state::Repeated;
use super::walk::Walk;
use crate::plan::{Action, Change};
use crate::validate::codes as validate_codes;
use crate::validate::imports::identifier;
use crate::validate::nodes::NodeKind;
use crate::validate::walker::meta_argument;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_dialect::words;
use overfold_model::config::Block;
use overfold_model::language::references::InstanceKey;
use overfold_syntax::ExprAt;
use overfold_syntax::tree::ExprKind;
use overfold_value::{Type, Value};

/// Whether an instance is imported.
pub(super) enum Imported {
    /// It is not.
    No,
    /// It is, with this identifier.
    With(Value),
    /// The identifier is wrong, which has been reported.
    Wrong,
}

impl<'a> Walk<'_, '_, 'a> {
    /// Returns whether an instance is imported.
    pub(super) fn import_of(
        &self,
        declared: &Declared<'a>,
        at: usize,
        repeated: Option<&Repeated>,
        out: &mut Diagnostics,
    ) -> Imported {
        let Some(root) = self.walked(0) else { return Imported::No };
        if !self.has_imports {
            return Imported::No;
        }
        let module = self.module_address(declared.path, at);
        for node in &root.nodes {
            let NodeKind::Import(block) = node.kind else { continue };
            account::work(16);
            let Some((target, _)) = root.import_target(block) else { continue };
            let Some(step) = &target.resource else { continue };
            let is_it = step.mode == declared.mode
                && *step.type_name == *declared.type_name
                && *step.name == *declared.name
                && target.modules.len() == module.0.len()
                && target
                    .modules
                    .iter()
                    .zip(module.0.iter())
                    .all(|(wanted, own)| *wanted.name == *own.name && (target.computed || wanted.key == own.key));
            if !is_it {
                continue;
            }
            let own_key = repeated.map(|repeated| &repeated.key);
            if !target.computed && step.key.as_ref() != own_key {
                continue;
            }
            match self.identifier(block, target.computed, own_key, out) {
                Imported::No => {}
                found => return found,
            }
        }
        Imported::No
    }

    /// Returns whether a block imports the instance with this key.
    fn identifier(
        &self,
        block: &'a Block<'a>,
        computed: bool,
        key: Option<&InstanceKey>,
        out: &mut Diagnostics,
    ) -> Imported {
        let Some(id) = meta_argument(block, words::ID) else { return Imported::No };
        let site = Site::new(0, 0);
        let mut elements: Vec<Option<Repeated>> = vec![None];
        if let Some(for_each) = meta_argument(block, words::FOR_EACH) {
            let (value, verdict) = self.evaluate(for_each.expr, site, out);
            if verdict.failed() {
                return Imported::Wrong;
            }
            let value = settled(&value).unmarked();
            elements = value
                .elements()
                .map(|(key, value)| {
                    account::work(8);
                    let text = key.as_shared_text().map_or_else(|| Arc::from(""), Arc::clone);
                    Some(Repeated { key: InstanceKey::Text(text), each: Some((key, value)) })
                })
                .collect();
        }
        for element in &elements {
            let site = Site { repeated: element.as_ref(), ..site };
            if computed && self.computed_key(block, site).as_ref() != key {
                continue;
            }
            let mut own = Diagnostics::new();
            let (value, verdict) = self.evaluate(id.expr, site, &mut own);
            if !verdict.failed() {
                let span = self.report.forest.expr_span(id.expr);
                if settled(&value).is_known() {
                    identifier(&value, span, &mut own);
                } else {
                    let detail =
                        "The identifier is known only when the plan is applied, but an import needs it before.";
                    own.push(Diagnostic::tool(&codes::IMPORT_UNKNOWN, span, detail));
                }
            }
            let failed = own.has_errors();
            out.append(own);
            if failed {
                return Imported::Wrong;
            }
            return overfold_value::convert(&value, &Type::String).map_or(Imported::No, Imported::With);
        }
        Imported::No
    }

    /// Returns the last key in the target of a block, which has to be evaluated.
    fn computed_key(&self, block: &Block<'a>, site: Site<'_>) -> Option<InstanceKey> {
        let to = meta_argument(block, words::TO)?;
        let ExprAt::Native(source, id) = to.expr else { return None };
        let tree = self.report.forest.native(source)?;
        let ExprKind::Index(index) = tree.expr(id).kind else { return None };
        let key = ExprAt::Native(source, tree.index_expr(index).key);
        let (value, _) = self.evaluate(key, site, &mut Diagnostics::new());
        match (value.as_shared_text(), value.as_number()) {
            (Some(text), _) => Some(InstanceKey::Text(Arc::clone(text))),
            (None, Some(number)) => number.to_i64().map(InstanceKey::Number),
            (None, None) => None,
        }
    }

    /// Reports imports into what is not declared.
    pub(super) fn imports_without_target(&mut self) {
        let Some(root) = self.walked(0) else { return };
        let mut out = Diagnostics::new();
        for node in &root.nodes {
            let NodeKind::Import(block) = node.kind else { continue };
            account::work(16);
            let Some((target, at)) = root.import_target(block) else { continue };
            let Some(step) = &target.resource else { continue };
            let is_known = self.instances.list.iter().enumerate().any(|(path, _)| {
                let names = self.instances.names(path);
                names.len() == target.modules.len()
                    && names.iter().zip(&target.modules).all(|(name, step)| **name == *step.name)
                    && self.walked(path).is_some_and(|walked| {
                        walked.evaluation.names().resources.contains_key(
                            &overfold_model::config::ObjectAddr::Resource {
                                mode: step.mode,
                                type_name: &step.type_name,
                                name: &step.name,
                            },
                        )
                    })
            });
            if !is_known {
                let detail = format!("{target} is not declared, so nothing can be imported into it.");
                out.push(Diagnostic::tool(&validate_codes::IMPORT_TARGET, at, detail));
            }
        }
        self.take(out, None);
    }
}

/// Returns the change of an imported `terraform_data` (plan.md, section 12).
pub(super) fn change(id: &Value, arguments: &Value, after: Value) -> Change {
    let part = |name: &str| arguments.get(name).cloned().unwrap_or_else(Value::untyped_null);
    let (input, triggers) = (part("input"), part("triggers_replace"));
    let id = id.unmarked();
    let nothing = Value::untyped_null();
    let before = Value::object(vec![
        (Arc::from("id"), id.clone()),
        (Arc::from("input"), nothing.clone()),
        (Arc::from("output"), nothing.clone()),
        (Arc::from("triggers_replace"), nothing),
    ]);
    let with_id = Value::object(vec![
        (Arc::from("id"), id.clone()),
        (Arc::from("input"), input.clone()),
        (Arc::from("output"), output_of(&input)),
        (Arc::from("triggers_replace"), triggers.clone()),
    ]);
    let (action, after, replace_paths, reason) = if !triggers.is_null() {
        let paths = vec![vec![Arc::from("triggers_replace")]];
        (Action::Replace, after, paths, Some("replace_because_cannot_update"))
    } else if !input.is_null() {
        (Action::Update, with_id, Vec::new(), None)
    } else {
        (Action::NoOp, before.clone(), Vec::new(), None)
    };
    Change {
        action,
        prior: Some(before.clone()),
        before: Some(before),
        after,
        replace_paths,
        importing: Some(id),
        reason,
    }
}

//! `import` blocks (plan.md, section 12).

use std::cell::OnceCell;
use std::sync::Arc;

use foldhash::HashMap;

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
use overfold_model::config::{Block, ObjectAddr};
use overfold_model::language::addresses::Target;
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

/// The `import` blocks of the root module, by what they import into.
#[derive(Default)]
pub(super) struct Imports<'a> {
    list: Vec<Import<'a>>,
    /// Those with an instance of their own, by its path of calls, its address, and the keys of its modules and its own.
    by_instance: HashMap<(usize, ObjectAddr<'a>, Keys), Vec<usize>>,
    /// Those whose target has to be evaluated, by its path of calls and its address.
    by_object: HashMap<(usize, ObjectAddr<'a>), Vec<usize>>,
}

/// Instance keys: of modules from the outermost to the innermost, then of the resource.
type Keys = Vec<Option<InstanceKey>>;

/// An `import` block.
struct Import<'a> {
    block: &'a Block<'a>,
    /// Whether the key of its target has to be evaluated.
    computed: bool,
    /// What its `for_each` yields, once that is needed; `None` if that is wrong, which has been reported.
    elements: OnceCell<Option<Elements>>,
}

/// The elements of the collection of an `import` block.
struct Elements {
    /// One without a value if the block is not repeated.
    list: Vec<Option<Repeated>>,
    /// The positions of the elements by the key that the target has with them.
    by_key: HashMap<Option<InstanceKey>, usize>,
}

impl<'a> Imports<'a> {
    fn add(&mut self, block: &'a Block<'a>, target: &Target, (path, address): (usize, ObjectAddr<'a>)) {
        let at = self.list.len();
        self.list.push(Import { block, computed: target.computed, elements: OnceCell::new() });
        if target.computed {
            self.by_object.entry((path, address)).or_default().push(at);
        } else {
            let own = target.resource.as_ref().and_then(|step| step.key.clone());
            let keys = target.modules.iter().map(|step| step.key.clone()).chain([own]).collect();
            self.by_instance.entry((path, address, keys)).or_default().push(at);
        }
    }

    /// Returns the blocks that may import an instance: those that name it, then those whose targets have to be evaluated.
    fn of(&self, path: usize, address: ObjectAddr<'a>, keys: Keys) -> impl Iterator<Item = &Import<'a>> {
        let named = self.by_instance.get(&(path, address, keys)).into_iter().flatten();
        let computed = self.by_object.get(&(path, address)).into_iter().flatten();
        named.chain(computed).filter_map(|&at| self.list.get(at))
    }
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
        if self.imports.list.is_empty() {
            return Imported::No;
        }
        let key = repeated.map(|repeated| &repeated.key);
        let module = self.module_address(declared.path, at);
        let keys: Keys = module.0.iter().map(|step| step.key.clone()).chain([key.cloned()]).collect();
        account::work(4 * keys.len() as u64);
        for import in self.imports.of(declared.path, declared.address(), keys) {
            account::work(16);
            match self.imported(import, key, out) {
                Imported::No => {}
                found => return found,
            }
        }
        Imported::No
    }

    /// Returns whether a block imports the instance with this key.
    fn imported(&self, import: &Import<'a>, key: Option<&InstanceKey>, out: &mut Diagnostics) -> Imported {
        let Some(id) = meta_argument(import.block, words::ID) else { return Imported::No };
        let Some(elements) = import.elements.get_or_init(|| self.elements(import, out)) else {
            return Imported::Wrong;
        };
        let element = if import.computed { elements.by_key.get(&key.cloned()).copied() } else { Some(0) };
        let Some(element) = element.and_then(|at| elements.list.get(at)) else { return Imported::No };
        let site = Site { repeated: element.as_ref(), ..Site::new(0, 0) };
        let mut own = Diagnostics::new();
        let (value, verdict) = self.evaluate(id.expr, site, &mut own);
        if !verdict.failed() {
            let span = self.report.forest.expr_span(id.expr);
            if settled(&value).is_known() {
                identifier(&value, span, &mut own);
            } else {
                let detail = "The identifier is known only when the plan is applied, but an import needs it before.";
                own.push(Diagnostic::tool(&codes::IMPORT_UNKNOWN, span, detail));
            }
        }
        let failed = own.has_errors();
        out.append(own);
        if failed {
            return Imported::Wrong;
        }
        overfold_value::convert(&value, &Type::String).map_or(Imported::No, Imported::With)
    }

    /// Evaluates the collection of a block, and the key of the target with each of its elements.
    fn elements(&self, import: &Import<'a>, out: &mut Diagnostics) -> Option<Elements> {
        let mut list: Vec<Option<Repeated>> = vec![None];
        if let Some(for_each) = meta_argument(import.block, words::FOR_EACH) {
            let (value, verdict) = self.evaluate(for_each.expr, Site::new(0, 0), out);
            if verdict.failed() {
                return None;
            }
            let value = settled(&value).unmarked();
            list = value
                .elements()
                .map(|(key, value)| {
                    account::work(8);
                    let text = key.as_shared_text().map_or_else(|| Arc::from(""), Arc::clone);
                    Some(Repeated { key: InstanceKey::Text(text), each: Some((key, value)) })
                })
                .collect();
        }
        let mut by_key = HashMap::default();
        if import.computed {
            for (at, element) in list.iter().enumerate() {
                let site = Site { repeated: element.as_ref(), ..Site::new(0, 0) };
                by_key.entry(self.computed_key(import.block, site)).or_insert(at);
            }
        }
        Some(Elements { list, by_key })
    }

    /// Returns the last key in the target of a block, which has to be evaluated.
    fn computed_key(&self, block: &Block<'a>, site: Site<'_>) -> Option<InstanceKey> {
        let to = meta_argument(block, words::TO)?;
        let forest = self.report.forest;
        let to = match to.expr {
            ExprAt::Native(..) => to.expr,
            ExprAt::Json(source, node) => forest.parse_json_expression(source, node, &mut Diagnostics::new())?,
        };
        let ExprAt::Native(source, id) = to else { return None };
        let tree = forest.native(source)?;
        let ExprKind::Index(index) = tree.expr(id).kind else { return None };
        let key = ExprAt::Native(source, tree.index_expr(index).key);
        let (value, _) = self.evaluate(key, site, &mut Diagnostics::new());
        match (value.as_shared_text(), value.as_number()) {
            (Some(text), _) => Some(InstanceKey::Text(Arc::clone(text))),
            (None, Some(number)) => number.to_i64().map(InstanceKey::Number),
            (None, None) => None,
        }
    }

    /// Finds the `import` blocks, and reports those into what is not declared.
    pub(super) fn find_imports(&mut self) {
        let Some(root) = self.walked(0) else { return };
        let mut out = Diagnostics::new();
        let mut imports = Imports::default();
        for node in &root.nodes {
            let NodeKind::Import(block) = node.kind else { continue };
            account::work(16);
            let Some((target, at)) = root.import_target(block) else { continue };
            let Some(step) = &target.resource else { continue };
            let names: Vec<&str> = target.modules.iter().map(|step| &*step.name).collect();
            let address = ObjectAddr::Resource { mode: step.mode, type_name: &step.type_name, name: &step.name };
            let found = self.path_of(&names).and_then(|path| {
                let walked = self.walked(path)?;
                let found = walked.evaluation.names().resources.get(&address)?;
                Some((path, walked.nodes.get(found.node)?.address))
            });
            match found {
                Some(found) => imports.add(block, &target, found),
                None => {
                    let detail = format!("{target} is not declared, so nothing can be imported into it.");
                    out.push(Diagnostic::tool(&validate_codes::IMPORT_TARGET, at, detail));
                }
            }
        }
        self.imports = imports;
        self.take(out, None);
    }
}

/// Returns the change of an imported `terraform_data` (plan.md, section 12).
///
/// `creates_first` says what `create_before_destroy` does.
pub(super) fn change(id: &Value, arguments: &Value, after: Value, creates_first: bool) -> Change {
    let part = |name: &str| arguments.get(name).cloned().unwrap_or_else(Value::untyped_null);
    let (input, triggers) = (part("input"), part("triggers_replace"));
    // The tool shows it in any case.
    let id = id.unmarked().with_marks(id.marks().confidential());
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
        let action = if creates_first { Action::ReplaceAfterCreation } else { Action::Replace };
        (action, after, paths, Some("replace_because_cannot_update"))
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

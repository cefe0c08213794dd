//! `import` blocks: which instances they import, and with which identifiers (plan.md, section 12).

use std::cell::OnceCell;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::codes;
use super::imported::Ignored;
use super::resource::{CREATE_BEFORE_DESTROY, DeclaredResource};
use super::scope::{Site, settled};
use super::state::InstanceRepetition;
use super::walk::{VisitOutcome, Walk};
use overfold_base::account::{self, ChargedIterator, Worklist};
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Span};
use overfold_base::written::written;
use overfold_check::validate::codes as validate_codes;
use overfold_check::validate::imports::{
    IDENTITY, identifier, key_fits, no_target, sensitive_key, unsuitable, wrong_key,
};
use overfold_check::validate::names::{NameScope, Steps};
pub(crate) use overfold_check::validate::nodes::{NodeId, NodeKind};
use overfold_check::validate::walker::{meta_argument, meta_blocks};
use overfold_dialect::{Behaviour, words};
use overfold_load::plan::{ModuleAddress, ModuleStep};
use overfold_model::body::traversal;
use overfold_model::config::{Block, ObjectAddr, is_set};
use overfold_model::language::addresses::{self, Target};
use overfold_model::language::codes::INVALID_ADDRESS;
use overfold_model::language::references::{AddressWords, InstanceKey};
use overfold_syntax::{ExprAt, statics};
use overfold_value::{Type, Value};

/// Instance keys: of modules from the outermost to the innermost, then of the resource.
type Keys = Vec<Option<InstanceKey>>;

/// The `import` blocks that import.
#[derive(Default)]
pub(super) struct Imports<'a> {
    /// Those into what is declared, in order, by the path of calls and the address of the target.
    by_object: HashMap<(usize, ObjectAddr<'a>), Vec<Import<'a>>>,
    /// Those into what is not declared, by the path of calls to their module and their nodes.
    undeclared: HashMap<(usize, NodeId), Import<'a>>,
}

impl Imports<'_> {
    /// Whether there is an import into a resource of the root module.
    pub(super) fn has(&self, address: ObjectAddr<'_>) -> bool {
        self.lead_to(0, address)
    }

    /// Whether there is an import into a resource of the modules at a path of calls.
    pub(super) fn lead_to(&self, path: usize, address: ObjectAddr<'_>) -> bool {
        self.by_object.contains_key(&(path, address))
    }

    /// Whether anything that is declared is imported.
    pub(super) fn is_empty(&self) -> bool {
        self.by_object.is_empty()
    }
}

/// An `import` block.
struct Import<'a> {
    block: &'a Block<'a>,
    /// The path of calls to the module that contains it.
    home: usize,
    /// Its target, without the keys that have to be evaluated.
    target: Target,
    /// Where the target stands.
    at: Span,
}

/// What the `import` blocks give to a resource.
#[derive(Default)]
pub(super) struct Imported {
    /// The identifiers, by the keys of the instances.
    ids: HashMap<Keys, Value>,
    /// Whether something is wrong, which has been reported. Nothing of the resource is planned then.
    pub(super) failed: bool,
    /// Which changes are ignored, if anything is imported.
    pub(super) ignored: Ignored,
    /// What the resource depends on, once that is needed.
    dependencies: OnceCell<Arc<[Box<str>]>>,
}

impl Imported {
    /// Returns the identifier with which an instance is imported.
    pub(super) fn get(&self, module: &ModuleAddress, key: Option<&InstanceKey>) -> Option<&Value> {
        if self.ids.is_empty() { None } else { self.ids.get(&keys(module, key)) }
    }

    /// Whether nothing is imported.
    pub(super) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Reports an identifier for an instance that is not there, as the tool does for the first that it comes across.
    pub(super) fn check<'k>(
        &self,
        declared: &DeclaredResource<'_>,
        names: &[&str],
        instances: impl Iterator<Item = (&'k ModuleAddress, Option<&'k InstanceKey>)>,
        out: &mut Diagnostics,
    ) {
        let mut left: HashSet<&Keys> = self.ids.keys().collect();
        for (module, key) in instances.charged_by(|(module, _)| 4 + module.0.len() as u64) {
            left.remove(&keys(module, key));
        }
        let Some(first) = left.into_iter().charged_at_once(1).min() else { return };
        let (own, around) = first.split_last().map_or((&None, &[][..]), |(own, around)| (own, around));
        let steps = names.iter().zip(around);
        let steps = steps.map(|(name, key)| ModuleStep { name: Arc::from(*name), key: key.clone() });
        let module = ModuleAddress(steps.collect());
        let dot = if module.0.is_empty() { "" } else { "." };
        let key = own.as_ref().map_or_else(String::new, ToString::to_string);
        let detail = format!(
            "There is no instance {module}{dot}{}{key}, so nothing can be imported into it.",
            declared.address()
        );
        out.push(Diagnostic::tool(&validate_codes::IMPORT_TARGET, None, detail));
    }
}

fn keys(module: &ModuleAddress, key: Option<&InstanceKey>) -> Keys {
    module.0.iter().charged_at_once(1).map(|step| step.key.clone()).chain([key.cloned()]).collect()
}

impl<'a> Walk<'_, '_, 'a> {
    /// Finds the `import` blocks.
    pub(super) fn find_imports(&mut self) {
        let mut imports = Imports::default();
        let everywhere = self.report.dialect.has(Behaviour::ImportsOfCalledModulesImport);
        let homes = if everywhere { self.instances.list.len() } else { 1 };
        for home in (0..homes).charged(1) {
            self.find_imports_of(home, &mut imports);
        }
        self.imports = imports;
    }

    /// Finds the `import` blocks of one module.
    fn find_imports_of(&self, home: usize, imports: &mut Imports<'a>) {
        let Some(own) = self.walked(home) else { return };
        for (id, node) in own.nodes.iter().enumerate().charged(1) {
            let NodeKind::Import(block) = node.kind else { continue };
            account::work(16);
            let Some((target, at)) = own.import_target(block) else { continue };
            let Some(step) = &target.resource else { continue };
            let mut names = self.instances.names(home);
            names.extend(target.modules.iter().charged(1).map(|step| &*step.name));
            // What is imported into a module that was not given shows nowhere.
            let Some(path) = self.path_of(&names) else { continue };
            let Some(walked) = self.walked(path) else { continue };
            let address = ObjectAddr::Resource { mode: step.mode, type_name: &step.type_name, name: &step.name };
            let found = walked.evaluation.names().resources.get(&address);
            let found = found.and_then(|found| Some((path, walked.nodes.get(found.node)?.address)));
            let import = Import { block, home, target, at };
            account::grow(size_of::<Import<'_>>() as u64);
            match found {
                Some(found) => imports.by_object.entry(found).or_default().push(import),
                None => drop(imports.undeclared.insert((home, id), import)),
            }
        }
    }

    /// Visits an `import` block. One into what is declared is looked at where that is planned.
    pub(super) fn import(&mut self, path: usize, id: NodeId) -> VisitOutcome {
        let Some(import) = self.imports.undeclared.get(&(path, id)) else { return VisitOutcome::Done };
        let mut out = Diagnostics::new();
        let mut imported = Imported::default();
        self.expand_import(import, None, &mut imported, &mut out);
        if !imported.failed {
            let at_header = self.report.dialect.has(Behaviour::ImportsWithoutTargetAtHeader);
            let at = if at_header { import.block.header } else { import.at };
            let mut found = no_target(&import.target, at);
            if self.report.dialect.has(Behaviour::ImportTargetTitleOfFirstRelease) {
                found = found.titled("Import block target does not exist");
            }
            out.push(found);
        }
        VisitOutcome::from_failed(self.take(out, None))
    }

    /// Evaluates the `import` blocks into a resource, one after another up to the first error. Of several identifiers for
    /// one instance, the last one counts.
    pub(super) fn imports_into(&self, declared: &DeclaredResource<'a>, out: &mut Diagnostics) -> Imported {
        let mut imported = Imported::default();
        for import in self.imports.by_object.get(&(declared.path, declared.address())).into_iter().flatten() {
            self.expand_import(import, Some(declared), &mut imported, out);
            if imported.failed {
                break;
            }
        }
        if !imported.ids.is_empty() {
            imported.ignored = Ignored::from_resource(self.report.forest, declared);
        }
        imported
    }

    /// Returns the addresses of all resources on which a resource depends, sorted.
    pub(super) fn dependencies_of(&self, declared: &DeclaredResource<'a>, imported: &Imported) -> Arc<[Box<str>]> {
        Arc::clone(imported.dependencies.get_or_init(|| {
            let mut found: Vec<Box<str>> = Vec::new();
            let mut seen: HashSet<usize> = HashSet::default();
            let mut todo = Worklist::new(8, [declared.number]);
            while let Some(number) = todo.pop() {
                if !seen.insert(number) {
                    continue;
                }
                account::grow(16);
                todo.extend(self.graph.called_by(number));
                let (path, id) = self.instances.place(number);
                let node = self.walked(path).and_then(|walked| walked.nodes.get(id));
                if let Some(node) = node.filter(|_| number != declared.number)
                    && matches!(node.kind, NodeKind::Resource(_))
                {
                    found.push(written(format_args!("{}{}", self.instances.path(path), node.address)).into());
                }
            }
            found.sort_unstable();
            found.into()
        }))
    }

    /// Finds the resources that are created before they are destroyed.
    pub(super) fn find_created_first(&mut self) {
        if self.imports.is_empty() {
            return;
        }
        let mut todo: Worklist<usize> = Worklist::new(4, []);
        for path in 0..self.instances.list.len() {
            let Some(walked) = self.walked(path) else { continue };
            for (id, node) in walked.nodes.iter().enumerate().charged(1) {
                let NodeKind::Resource(block) = node.kind else { continue };
                if meta_blocks(block, words::LIFECYCLE).any(|block| is_set(block, CREATE_BEFORE_DESTROY)) {
                    todo.push(self.instances.number(path, id));
                }
            }
        }
        let mut found = HashSet::default();
        while let Some(number) = todo.pop() {
            if found.insert(number) {
                account::grow(16);
                todo.extend(self.graph.called_by(number));
            }
        }
        self.created_first = found;
    }

    /// Evaluates a block in each instance of its module.
    fn expand_import(
        &self,
        import: &Import<'a>,
        declared: Option<&DeclaredResource<'a>>,
        imported: &mut Imported,
        out: &mut Diagnostics,
    ) {
        for instance in (0..self.instance_count(import.home)).charged(8) {
            self.expand_import_in(import, Site::new(import.home, instance), declared, imported, out);
            if imported.failed {
                return;
            }
        }
    }

    /// Evaluates a block in one instance of its module, for each element of its collection.
    fn expand_import_in(
        &self,
        import: &Import<'a>,
        home: Site<'_>,
        declared: Option<&DeclaredResource<'a>>,
        imported: &mut Imported,
        out: &mut Diagnostics,
    ) {
        let Some(elements) = self.import_elements(import, home, out) else {
            imported.failed = true;
            return;
        };
        let is_repeated = meta_argument(import.block, words::FOR_EACH).is_some();
        let around = self.module_address(home.path, home.instance);
        for element in elements.charged(16 + around.0.len() as u64) {
            let site = Site { repeated: element.as_ref(), ..Site::new(home.path, home.instance) };
            let mut own = Diagnostics::new();
            let id = self.target_of(import, site, is_repeated, &mut own).and_then(|target| {
                let step = target.resource.as_ref()?;
                if let Some(declared) = declared.filter(|_| is_repeated) {
                    let names = self.walked(declared.path)?.evaluation.names();
                    let repetition = names.resources.get(&declared.address())?.repetition;
                    if !key_fits(step.key.as_ref(), repetition) {
                        own.push(wrong_key(declared.address(), repetition, import.at));
                    }
                }
                let modules =
                    around.0.iter().map(|step| &step.key).chain(target.modules.iter().map(|step| &step.key));
                let keys: Keys = modules.chain([&step.key]).cloned().collect();
                if let Some(declared) = declared.filter(|_| has_identity(import.block)) {
                    own.push(without_identity(declared, &target));
                    return None;
                }
                Some((keys, self.import_id(import.block, site, &mut own)?))
            });
            let failed = own.has_errors();
            out.append(own);
            match id {
                // The tool takes an empty text for none.
                Some((_, id))
                    if !failed
                        && id.as_text() == Some("")
                        && !self.report.dialect.has(Behaviour::EmptyImportIdsImport) => {}
                Some((keys, id)) if !failed => {
                    account::grow(64 + keys.len() as u64 * size_of::<Option<InstanceKey>>() as u64);
                    imported.ids.insert(keys, id);
                }
                // The target is not known here.
                None if !failed => {}
                _ => {
                    imported.failed = true;
                    return;
                }
            }
        }
    }

    /// Returns what the collection of a block gives to each of its elements; one without a value if it is not repeated.
    /// `None` if it is wrong, which is reported.
    fn import_elements(
        &self,
        import: &Import<'a>,
        home: Site<'_>,
        out: &mut Diagnostics,
    ) -> Option<Vec<Option<InstanceRepetition>>> {
        let Some(for_each) = meta_argument(import.block, words::FOR_EACH) else { return Some(vec![None]) };
        let (value, verdict) = self.evaluate(for_each.expr, home, out);
        if verdict.failed() {
            return None;
        }
        let value = settled(&value);
        let at = self.report.forest.expr_span(for_each.expr);
        let quotes = Quotes::Values(value.deep_marks().secrecy());
        let wrong = |detail: &'static str| Diagnostic::tool(&validate_codes::FOR_EACH, at, detail).quoting(quotes);
        let needs_only_keys = self.report.dialect.has(Behaviour::ImportIdIsShown);
        let is_known = if needs_only_keys { value.is_known() } else { value.is_wholly_known() };
        if !is_known {
            if value.deep_marks().is_inexact() {
                let detail = format!(
                    "The value of `for_each` depends on something that was not given, so it is not known here what is imported. {} may know it.",
                    self.report.dialect.tool
                );
                out.push(Diagnostic::ours(&codes::NOT_KNOWN_HERE, at, detail));
                return Some(Vec::new());
            }
            out.push(wrong(
                "The value of `for_each` is known only when the plan is applied, but imports must be known before.",
            ));
            return None;
        }
        if let Some(detail) = unsuitable(&value) {
            out.push(wrong(detail));
            return None;
        }
        let marks = value.marks();
        let elements = value.elements().charged(8).map(|(key, element)| {
            account::grow(size_of::<Option<InstanceRepetition>>() as u64);
            let text = key.as_shared_text().map_or_else(|| Arc::from(""), Arc::clone);
            Some(InstanceRepetition { key: InstanceKey::Text(text), each: Some((key, element.with_marks(marks))) })
        });
        Some(elements.collect())
    }

    /// Returns the instance that a block means with one element of its collection. `None` if that is wrong, which is
    /// reported, or not known here.
    fn target_of(
        &self,
        import: &Import<'a>,
        site: Site<'_>,
        is_repeated: bool,
        out: &mut Diagnostics,
    ) -> Option<Target> {
        if !import.target.computed {
            return Some(import.target.clone());
        }
        let to = meta_argument(import.block, words::TO)?;
        let words = AddressWords::for_dialect(self.report.dialect);
        let dialect = self.report.dialect;
        if !is_repeated && dialect.rules.imports.keys_of_each && !dialect.has(Behaviour::ImportsAreValidated) {
            // Where `validate` looks at imports, it has reported this.
            let expr = traversal::reference_expression(self.report.forest, to.expr, &mut Diagnostics::new())?;
            if statics::absolute_traversal(self.report.forest, expr, out).is_none() {
                let detail = "Without `for_each`, the keys in the target of an import must be constant.";
                out.push(Diagnostic::tool(&INVALID_ADDRESS, None, detail));
                return None;
            }
        }
        let mut own = Diagnostics::new();
        let mut key = |expr| {
            let (value, verdict) = self.evaluate(expr, site, &mut own);
            let value = settled(&value);
            if verdict.failed() || value.marks().is_inexact() {
                return None;
            }
            if is_repeated && value.marks().is_sensitive() {
                own.push(sensitive_key(self.report.forest.expr_span(expr)));
                return None;
            }
            Some(value)
        };
        let target = addresses::import_instance(self.report.forest, to.expr, words, &mut key, out);
        out.append(own);
        target
    }

    /// Evaluates the identifier of a block. `None` if it is wrong, which is reported.
    fn import_id(&self, block: &Block<'a>, site: Site<'_>, out: &mut Diagnostics) -> Option<Value> {
        let id = meta_argument(block, words::ID)?;
        let at = self.report.forest.expr_span(id.expr);
        let mut own = Diagnostics::new();
        let (value, verdict) = self.evaluate(id.expr, site, &mut own);
        let value = settled(&value);
        // What was not looked at before the collection was known.
        let is_wrong = self.has_wrong_names(block, (id.expr, site.path), &mut own);
        let is_open = !is_wrong && !value.is_known() && value.marks().is_inexact();
        if !is_open && !verdict.failed() && value.is_known() {
            identifier(self.report.dialect, &value, at, &mut own);
        }
        let converted = overfold_value::convert(&value, &Type::String).ok();
        // A value that cannot be computed counts as unknown, too.
        let is_unknown = verdict.failed() || converted.as_ref().is_none_or(|converted| !converted.is_known());
        if is_unknown && !is_open {
            let detail = "The identifier is known only when the plan is applied, but an import needs it before.";
            own.push(Diagnostic::tool(&codes::IMPORT_UNKNOWN, at, detail));
        }
        let failed = own.has_errors();
        out.append(own);
        converted.filter(|_| !failed)
    }

    /// Reports names in the identifier of a repeated block that lead nowhere. Returns whether there are any.
    fn has_wrong_names(&self, block: &Block<'a>, (expr, path): (ExprAt, usize), out: &mut Diagnostics) -> bool {
        let was_checked = meta_argument(block, words::FOR_EACH).is_none()
            && self.report.dialect.has(Behaviour::ImportsAreValidated);
        let Some(walked) = self.walked(path).filter(|_| !was_checked) else { return false };
        let names = walked.evaluation.names();
        let language = &walked.evaluation.evaluator.known.language;
        let mut steps = Steps::default();
        names.check(
            &names.references(language, expr, &[]),
            &NameScope { each: true, ..NameScope::default() },
            &mut steps,
        );
        let is_wrong = !steps.is_evaluated();
        if is_wrong {
            *out = Diagnostics::new();
            steps.finish(out);
        }
        is_wrong
    }
}

/// Whether a block imports by identity.
fn has_identity(block: &Block<'_>) -> bool {
    meta_argument(block, IDENTITY).is_some() && meta_argument(block, words::ID).is_none()
}

/// Reports that nothing is imported by its identity: the provider that is built into the tool finds no object.
fn without_identity(declared: &DeclaredResource<'_>, target: &Target) -> Diagnostic {
    let title = written(format_args!("import of {target} didn't return an identity"));
    let detail = format!("{} cannot be imported by its identity.", declared.type_name);
    Diagnostic::tool(&validate_codes::IMPORT_ID, None, detail).titled(title)
}

//! `import` blocks: whether the target is there and takes such a key, and the identifier (validate.md, section 6).

use std::rc::Rc;
use std::sync::Arc;

use super::codes;
use super::names::{NameScope, RepetitionKind, Steps};
use super::nodes::{Dependency, NodeId, NodeKind, is_error};
use super::schemas::{Configuration, configuration_of};
use super::walker::{ModuleNodes, Visit, Walk, meta_argument};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Span};
use overfold_dialect::{Behaviour, DialectSpec, words};
use overfold_eval::{Roots, Scope, evaluate};
use overfold_model::body::traversal;
use overfold_model::config::{Argument, Block, ObjectAddr};
use overfold_model::language::addresses::{self, ImportTargets, Target};
use overfold_model::language::provider_refs::implied_name;
use overfold_model::language::references::{AddressWords, InstanceKey, Subject};
use overfold_syntax::{ExprAt, statics};
use overfold_tree::module_tree::TreeModule;
use overfold_value::{AttributeType, Type, Value, convert};

/// The argument of an `import` block that names an object by more than an identifier.
pub const IDENTITY: &str = "identity";

impl<'a> ModuleNodes<'a> {
    /// Returns the target of an `import` block, and where it stands.
    pub fn import_target(&self, block: &Block<'a>) -> Option<(Target, Span)> {
        let report = self.module.report;
        let to = meta_argument(block, words::TO).filter(|found| !found.broken)?;
        let mut discarded = Diagnostics::new();
        let words = AddressWords::for_dialect(report.dialect);
        let kinds = ImportTargets::ComputedKeys;
        let target = addresses::import_to(report.forest, to.expr, to.range, kinds, words, &mut discarded)?;
        let inner = match to.expr {
            ExprAt::Json(source, node) => report.forest.parse_json_expression(source, node, &mut discarded),
            ExprAt::Native(..) => None,
        };
        Some((target, report.forest.expr_span(inner.unwrap_or(to.expr))))
    }

    /// Checks an `import` block. What is found counts as found at the target, if that is declared in this module. After an
    /// error in a block, the tool does not look at others with the same target.
    pub(super) fn import(&mut self, walk: &Walk<'a>, own: NodeId, block: &'a Block<'a>) {
        let Some((target, at)) = self.import_target(block) else { return };
        let Some(step) = &target.resource else { return };
        let mut visit = Visit::default();
        let address = ObjectAddr::Resource { mode: step.mode, type_name: &step.type_name, name: &step.name };
        let is_here = target.modules.is_empty();
        let resource = self.evaluation.names().resources.get(&address).filter(|_| is_here).cloned();
        let node = resource.as_ref().map_or(own, |resource| resource.node);
        let for_each = meta_argument(block, words::FOR_EACH).filter(|found| !found.broken);
        let mut repetition = resource.as_ref().map(|resource| resource.repetition);
        let dialect = self.module.report.dialect;
        let finds_targets = dialect.has(Behaviour::ImportTargetsAreValidated);
        if !finds_targets {
            repetition = None;
        }
        if !is_here {
            match self.declared_elsewhere(walk, &target, address) {
                CalledTarget::Declared(found) => repetition = Some(found),
                CalledTarget::NotDeclared if finds_targets => visit.out.push(no_target(&target, at)),
                CalledTarget::NotDeclared | CalledTarget::NotGiven => {}
            }
        } else if resource.is_none() {
            let configuration = import_configuration(self.module, block, &step.type_name);
            visit.dependencies.push(Dependency::Provider(configuration));
            repetition = Some(RepetitionKind::No);
            // The tool cannot generate a configuration for one of several objects.
            if finds_targets && !target.computed && (step.key.is_some() || for_each.is_some()) {
                visit.out.push(no_target(&target, at));
            }
        }
        if finds_targets {
            self.refers_to_target(block, address, &mut visit.out);
        }
        if is_here && let Some(resource) = &resource {
            self.identity(block, resource, &mut visit);
        }
        let is_wrong = visit.out.iter().any(is_error);
        // The others judge neither keys nor what is imported into nothing.
        let is_judged = finds_targets || resource.is_some() || !is_here && repetition.is_some();
        let import = Import { block, target: &target, at, repetition: repetition.filter(|_| finds_targets) };
        let mut elements = Visit::default();
        self.import_elements(&import, &mut elements);
        // It is part of the graph all the same.
        visit.dependencies.append(&mut elements.dependencies);
        if !is_wrong && is_judged && dialect.has(Behaviour::ImportsAreValidated) {
            visit.out.append(elements.out);
        }
        if repetition.is_some() && (resource.is_some() || !is_here) {
            let name = target.without_keys().to_string();
            account::grow(name.len() as u64 + 32);
            if self.wrong_imports.contains(&name) {
                visit.out = super::names::later_unless(false, visit.out);
            } else if visit.out.iter().any(is_error) {
                self.wrong_imports.insert(name);
            }
        }
        if node != own {
            visit.dependencies.retain(|found| *found != Dependency::Node(node));
        }
        self.take(node, visit);
    }

    /// Checks the identity with which an object of the provider that is built into the tool is to be imported.
    fn identity(&self, block: &'a Block<'a>, resource: &super::names::Resource<'a>, visit: &mut Visit) {
        let Some(argument) = meta_argument(block, IDENTITY).filter(|found| !found.broken) else { return };
        let Some(NodeKind::Resource(target)) = self.nodes.get(resource.node).map(|node| node.kind) else { return };
        if !self.is_builtin(target) {
            return;
        }
        let at = self.evaluation.span(argument.expr);
        if self.module.report.dialect.has(Behaviour::ImportIdentityNeedsSchema) {
            let detail = "Objects of this type have no identity. Import it by `id`.";
            let title = "Unable to determine identity schema for import identity";
            visit.out.push(Diagnostic::tool(&codes::IMPORT_ID, at, detail).titled(title));
            return;
        }
        let language = &self.evaluation.evaluator.known.language;
        let references = self.evaluation.names().references(language, argument.expr, &[]);
        let mut own = Diagnostics::new();
        let value = self.evaluation.value(argument.expr, &references, None, &mut own);
        let wanted = Type::object(vec![AttributeType::new(Arc::from(words::ID), Type::String)]);
        if !own.has_errors()
            && let Err(problem) = convert(&value, &wanted)
        {
            let detail = format!("The identity of this object has the attribute `id`: {problem}.");
            let quotes = Quotes::Values(value.deep_marks().secrecy());
            visit.out.push(Diagnostic::tool(&codes::INCORRECT_TYPE, at, detail).quoting(quotes));
        }
    }

    /// Looks for a target in a called module.
    fn declared_elsewhere(&mut self, walk: &Walk<'a>, target: &Target, address: ObjectAddr<'_>) -> CalledTarget {
        let (mut module, mut number) = (self.module, 0);
        for (at, step) in target.modules.iter().enumerate().charged(2) {
            let called = if at == 0 {
                self.evaluation.names().calls.get(&*step.name).and_then(|&call| module.calls.get(call))
            } else {
                module.calls.iter().charged_at_once(1).find(|call| *call.call.name == *step.name)
            };
            let found = called.and_then(|called| called.module);
            let Some(found) = found.and_then(|at| Some((at, walk.tree.get(at)?))) else {
                return CalledTarget::NotGiven;
            };
            (number, module) = found;
        }
        let repetitions = self.repetitions.entry(number).or_insert_with(|| {
            let elements = &module.report.module.elements;
            account::grow(elements.len() as u64 * 64);
            let resources = elements
                .iter()
                .charged_at_once(1)
                .filter(|found| matches!(found.address, ObjectAddr::Resource { .. }));
            resources.map(|found| (found.address, RepetitionKind::from_block(found.block))).collect()
        });
        repetitions.get(&address).map_or(CalledTarget::NotDeclared, |found| CalledTarget::Declared(*found))
    }

    /// Reports a repetition by the imported object itself. Returns whether there is one.
    fn is_repeated_by_target(&mut self, for_each: &Argument<'a>, target: &Target, out: &mut Diagnostics) -> bool {
        let Some(step) = &target.resource else { return false };
        if !self.module.report.dialect.has(Behaviour::ImportsAreNotRepeatedByTheirTarget) {
            return false;
        }
        let place = NameScope::default();
        let references = self.evaluation.look_up(for_each.expr, &place, &[], &mut Steps::default(), &mut Vec::new());
        let is_target = |subject: &Subject<'_>| {
            matches!(subject, Subject::Resource { mode, type_name, name, .. }
                if *mode == step.mode && *type_name == *step.type_name && *name == *step.name)
        };
        let own =
            references.list.iter().charged_at_once(1).find(|found| found.subject.as_ref().is_some_and(is_target));
        if let Some(own) = own {
            let detail = "The collection that repeats an import cannot depend on what is to be imported.";
            out.push(Diagnostic::tool(&codes::FOR_EACH, own.span, detail));
        }
        own.is_some()
    }

    /// Reports an identifier that depends on the imported object. The tool compares addresses within modules, so a resource
    /// of the root module counts as one of the same address in a called module.
    fn refers_to_target(&mut self, block: &'a Block<'a>, address: ObjectAddr<'_>, out: &mut Diagnostics) {
        let Some(id) = meta_argument(block, words::ID).filter(|id| !id.broken) else { return };
        let references = self.evaluation.look_up(
            id.expr,
            &NameScope { each: true, ..NameScope::default() },
            &[],
            &mut Steps::default(),
            &mut Vec::new(),
        );
        for reference in references.list.iter().charged(1) {
            if let Some(Subject::Resource { mode, type_name, name, .. }) = &reference.subject
                && (ObjectAddr::Resource { mode: *mode, type_name, name }) == address
            {
                let detail = format!("The identifier depends on {address}, which is to be imported with it.");
                out.push(Diagnostic::tool(&codes::IMPORT_ID, reference.span, detail));
            }
        }
    }

    /// Checks the target and the identifier, for each element of a known `for_each`, up to the first error. While anything
    /// in it is unknown, the tool looks at neither.
    fn import_elements(&mut self, import: &Import<'_, 'a>, visit: &mut Visit) {
        let block = import.block;
        let mut each: Vec<Option<(Value, Value)>> = vec![None];
        let for_each = meta_argument(block, words::FOR_EACH).filter(|found| !found.broken);
        if let Some(for_each) = for_each {
            let place = NameScope::default();
            let value = self.evaluation.expression(for_each.expr, &place, &mut visit.dependencies, &mut visit.out);
            each.clear();
            if self.is_repeated_by_target(for_each, import.target, &mut visit.out) {
                return;
            }
            let is_like_resources = self.module.report.dialect.has(Behaviour::ImportsAreRepeatedLikeResources);
            if is_like_resources && matches!(value.ty(), Type::List(_) | Type::Tuple(_)) {
                let at = self.evaluation.span(for_each.expr);
                let detail = "The value of `for_each` must be a map, an object or a set of strings.";
                visit.out.push(Diagnostic::tool(&codes::FOR_EACH, at, detail));
                return;
            }
            let needs_values = self.module.report.dialect.has(Behaviour::ImportsAreRepeatedByKnownValues);
            if needs_values && !value.is_known() && !visit.out.iter().any(is_error) {
                let at = self.evaluation.span(for_each.expr);
                let detail = "The value of `for_each` must be known when the configuration is checked.";
                visit.out.push(Diagnostic::tool(&codes::FOR_EACH, at, detail));
            }
            if !visit.out.iter().any(is_error) && value.is_wholly_known() {
                if let Some(detail) = unsuitable(&value) {
                    let at = self.evaluation.span(for_each.expr);
                    visit.out.push(Diagnostic::tool(&codes::FOR_EACH, at, detail));
                }
                each.extend(
                    value.elements().charged(8).map(|(key, element)| Some((key, element.with_marks(value.marks())))),
                );
            }
        }
        let id = meta_argument(block, words::ID).filter(|id| !id.broken);
        let place = NameScope { each: for_each.is_some(), ..NameScope::default() };
        let mut steps = Steps::default();
        let references = id.map(|id| {
            let references = self.evaluation.look_up(id.expr, &place, &[], &mut steps, &mut visit.dependencies);
            (id.expr, references)
        });
        let mut is_reached = false;
        for element in each.charged(16) {
            if visit.out.iter().any(is_error) {
                return;
            }
            self.import_key(import, element.as_ref(), &mut visit.out);
            let Some((expr, references)) = &references else { continue };
            if visit.out.iter().any(is_error) {
                return;
            }
            is_reached = true;
            let roots = element.map(|element| Rc::new(each_roots(element)));
            let mut own = Diagnostics::new();
            let value = self.evaluation.value(*expr, references, roots.as_ref(), &mut own);
            if !own.iter().any(is_error) {
                identifier(self.module.report.dialect, &value, self.evaluation.span(*expr), &mut own);
            }
            let failed = own.iter().any(is_error) || !steps.is_evaluated();
            steps.evaluation.append(own);
            if failed {
                break;
            }
        }
        if is_reached {
            steps.finish(&mut visit.out);
        }
    }

    /// Checks the key of a target.
    fn import_key(&self, import: &Import<'_, 'a>, element: Option<&(Value, Value)>, out: &mut Diagnostics) {
        let report = self.module.report;
        let forest = report.forest;
        let Some(to) = meta_argument(import.block, words::TO) else { return };
        let mut target = import.target.clone();
        if target.computed {
            if !report.dialect.rules.imports.keys_of_each {
                return;
            }
            let Some(expr) = traversal::reference_expression(forest, to.expr, &mut Diagnostics::new()) else {
                return;
            };
            let words = AddressWords::for_dialect(report.dialect);
            let Some(element) = element else {
                // The tool reports the same mistake twice, the second time without a place.
                if statics::absolute_traversal(forest, expr, out).is_none() {
                    let detail = "Without `for_each`, the keys in the target of an import must be constant.";
                    out.push(Diagnostic::tool(&overfold_model::language::codes::INVALID_ADDRESS, None, detail));
                }
                return;
            };
            let roots = each_roots(element.clone());
            let mut own = Diagnostics::new();
            let mut key = |expr| {
                let scope = Scope { roots: Some(&roots), ..Scope::CONSTANT };
                let mut found = Diagnostics::new();
                let value = evaluate(forest, expr, &scope, &mut found);
                if !found.has_errors() && value.marks().is_sensitive() {
                    found.push(sensitive_key(forest.expr_span(expr)));
                }
                let failed = found.has_errors();
                own.append(found);
                (!failed).then_some(value)
            };
            let found = addresses::import_instance(forest, expr, words, &mut key, out);
            out.append(own);
            let Some(found) = found else { return };
            target = found;
        }
        let (Some(step), Some(repetition)) = (target.resource, import.repetition) else { return };
        if !fits(step.key.as_ref(), repetition) {
            let address = ObjectAddr::Resource { mode: step.mode, type_name: &step.type_name, name: &step.name };
            out.push(wrong_key(address, repetition, import.at));
        }
    }
}

/// Whether a target in a called module is declared.
enum CalledTarget {
    /// It is, and repeated in this way.
    Declared(RepetitionKind),
    NotDeclared,
    /// The module is not there.
    NotGiven,
}

/// An `import` block that is checked.
struct Import<'i, 'a> {
    block: &'a Block<'a>,
    /// Its target, without the keys that have to be evaluated.
    target: &'i Target,
    /// Where the target stands.
    at: Span,
    /// How the target is repeated, if that is known.
    repetition: Option<RepetitionKind>,
}

/// Returns what `each` is for one element.
fn each_roots((key, value): (Value, Value)) -> Roots {
    let mut roots = Roots::new();
    let parts = vec![(Arc::from("key"), key), (Arc::from("value"), value)];
    roots.insert(Arc::from(words::EACH), Value::object(parts));
    roots
}

/// Returns why the tool refuses a known value as the `for_each` of an import; any collection will do.
pub fn unsuitable(value: &Value) -> Option<&'static str> {
    if value.marks().is_ephemeral() {
        return Some("The value of `for_each` is ephemeral, but what is imported has to be stored.");
    }
    let is_collection = value.is_null() || value.as_items().is_some() || value.as_entries().is_some();
    (!is_collection).then_some("The value of `for_each` must be a collection.")
}

/// Reports a key that must not be shown.
pub fn sensitive_key(at: Span) -> Diagnostic {
    let detail = "The key of an import target is shown in addresses, so it cannot be sensitive.";
    Diagnostic::tool(&codes::IMPORT_INDEX, at, detail)
}

/// Returns the provider configuration that an `import` block uses whose target is not declared.
pub fn import_configuration(module: &TreeModule<'_>, block: &Block<'_>, type_name: &str) -> Configuration {
    let own = configuration_of(module, block);
    if own.name.is_empty() {
        return Configuration { name: implied_name(type_name).into(), alias: None };
    }
    own
}

/// Checks the value of an identifier.
pub fn identifier(dialect: &DialectSpec, value: &Value, at: Span, out: &mut Diagnostics) {
    match convert(value, &Type::String) {
        Err(problem) => {
            let detail = format!("The identifier is not a string: {problem}.");
            let quotes = Quotes::Values(value.deep_marks().secrecy());
            out.push(Diagnostic::tool(&codes::INCORRECT_TYPE, at, detail).quoting(quotes));
        }
        Ok(id) if id.is_null() => {
            out.push(Diagnostic::tool(&codes::IMPORT_ID, at, "The identifier is null, but it must be a string."));
        }
        Ok(id) if dialect.has(Behaviour::ImportIdIsShown) => {
            let (marks, is_known) = (id.marks(), id.is_wholly_known());
            let detail = if marks.is_sensitive() && is_known {
                "The identifier is sensitive, but it is shown."
            } else if marks.is_ephemeral() && (is_known || dialect.has(Behaviour::UnknownEphemeralImportIdRefused)) {
                "The identifier is ephemeral, but it is stored."
            } else {
                return;
            };
            out.push(Diagnostic::tool(&codes::IMPORT_ID, at, detail));
        }
        Ok(id) if id.as_text() == Some("") && dialect.has(Behaviour::ImportIdsAreNotEmpty) => {
            out.push(Diagnostic::tool(&codes::IMPORT_ID, at, "The identifier is an empty string."));
        }
        Ok(_) => {}
    }
}

const fn fits(key: Option<&InstanceKey>, repetition: RepetitionKind) -> bool {
    matches!(
        (key, repetition),
        (None, RepetitionKind::No)
            | (Some(InstanceKey::Number(_)), RepetitionKind::Count)
            | (Some(InstanceKey::Text(_)), RepetitionKind::ForEach)
    )
}

/// Reports a key that does not fit the repetition of its resource.
pub fn wrong_key(address: ObjectAddr<'_>, repetition: RepetitionKind, at: Span) -> Diagnostic {
    let detail = match repetition {
        RepetitionKind::No => format!("{address} has neither `count` nor `for_each`, so it has no instance keys."),
        RepetitionKind::Count => {
            format!("{address} has `count`, so its instance keys are numbers, as in {address}[0].")
        }
        RepetitionKind::ForEach => {
            format!("{address} has `for_each`, so its instance keys are strings, as in {address}[\"key\"].")
        }
    };
    Diagnostic::tool(&codes::IMPORT_KEY, at, detail)
}

/// Reports a target that is not declared.
pub fn no_target(target: &Target, at: Span) -> Diagnostic {
    let detail =
        format!("{target} is not declared, so nothing can be imported into it. Add a block that declares it.");
    Diagnostic::tool(&codes::IMPORT_TARGET, at, detail)
}

/// Whether a key fits a resource of a called module, which is what the target of an `import` block leads to.
pub const fn key_fits(key: Option<&InstanceKey>, repetition: RepetitionKind) -> bool {
    fits(key, repetition)
}

//! What the expressions of one instance see.

use std::rc::Rc;
use std::sync::Arc;

use super::state::{self, InstanceRepetition};
use super::walk::Walk;
use overfold_base::account::{self, ChargedIterator, ChargedText};
use overfold_base::diag::{Diagnostic, Diagnostics, Verdict};
pub(crate) use overfold_check::validate::deprecated::{ValueUse, plain, without_deprecated};
use overfold_check::validate::walker::ModuleNodes;
use overfold_dialect::{Behaviour, words};
use overfold_eval::{ConstantStep, LayeredNames, Names, Roots, Steps};
use overfold_model::config::ObjectAddr;
use overfold_model::language::references::ResourceMode;
use overfold_model::scope::{self, References};
use overfold_syntax::ExprAt;
use overfold_value::{Kind, Marks, Type, Value};

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct Site<'s> {
    /// The path of calls to its module, as a position among the instances of the graph.
    pub(super) path: usize,
    /// The module instance, among those of the path.
    pub(super) instance: usize,
    /// What the repetition of the object gives to its instance.
    pub(super) repeated: Option<&'s InstanceRepetition>,
    /// What `self` is.
    pub(super) this: Option<&'s Value>,
    /// The object of which `self` is an instance.
    pub(super) object: Option<ObjectAddr<'s>>,
    /// A variable whose own rules see another value of it.
    pub(super) own: Option<(&'s str, &'s Value)>,
}

impl Site<'_> {
    /// A place outside of repeated objects.
    pub(super) const fn new(path: usize, instance: usize) -> Self {
        Self { path, instance, repeated: None, this: None, object: None, own: None }
    }
}

/// The names that an expression sees.
pub(super) struct VisibleNames<'s, 'w, 'e, 'a> {
    pub(super) walk: &'s Walk<'w, 'e, 'a>,
    pub(super) site: Site<'s>,
}

impl VisibleNames<'_, '_, '_, '_> {
    /// Returns a resource, and the number of steps that name it.
    fn resource(
        &self,
        mode: ResourceMode,
        steps: &Steps<'_>,
        type_name: &str,
        from: usize,
    ) -> Option<(Value, usize)> {
        let name = steps.attribute(from)?;
        let instance = self.walk.instance(self.site)?;
        let address = ObjectAddr::Resource { mode, type_name, name: &name };
        let value = instance.resources.get(&address).cloned();
        Some((value.unwrap_or_else(Value::dynamic), from + 1))
    }

    /// Returns a called module, or one output of it.
    fn module(&self, steps: &Steps<'_>) -> Option<(Value, usize)> {
        let name = steps.attribute(0)?;
        let walked = self.walk.walked(self.site.path)?;
        let call = *walked.evaluation.names().calls.get(&*name)?;
        let instance = self.walk.instance(self.site)?;
        if let Some(whole) = instance.called.get(&call) {
            return Some((whole.clone(), 1));
        }
        let Some(path) = self.walk.instances.list.get(self.site.path)?.called.get(call).copied().flatten() else {
            return Some((Value::dynamic().with_marks(Marks::INEXACT), 1));
        };
        let expanded = self.walk.expanded.get(path)?;
        let Some((from, to)) = *expanded.of_caller.get(self.site.instance)? else {
            return Some((Value::dynamic().with_marks(Marks::INEXACT), 1));
        };
        let own = expanded.instances.get(from..to)?;
        let key = |at: usize| steps.get(at);
        let (inner, used) = match expanded.kind {
            state::Kind::Off => (None, 0),
            state::Kind::Single => (own.first(), 1),
            state::Kind::Count => match key(1)? {
                ConstantStep::Number(number) => (usize::try_from(number).ok().and_then(|at| own.get(at)), 2),
                ConstantStep::Name(_) => (None, 0),
            },
            state::Kind::ForEach => match key(1)? {
                ConstantStep::Name(name) => (expanded.with_key(name.touched(), from..to), 2),
                ConstantStep::Number(_) => (None, 0),
            },
        };
        let output = steps.attribute(used);
        if let (Some(inner), Some(output)) = (inner, output)
            && let Some(value) = inner.outputs.get(&*output)
        {
            return Some((value.clone(), used + 1));
        }
        Some((self.walk.called_value(path, self.site.instance), 1))
    }
}

impl Names for VisibleNames<'_, '_, '_, '_> {
    fn root(&self, name: &str) -> Option<Value> {
        match name {
            "self" => self.site.this.cloned(),
            words::EACH => {
                let (key, value) = self.site.repeated?.each.clone()?;
                Some(Value::object(vec![(Arc::from("key"), key), (Arc::from("value"), value)]))
            }
            words::COUNT => Some(Value::object(vec![(Arc::from("index"), self.site.repeated?.index()?)])),
            _ => None,
        }
    }

    fn part(&self, root: &str, steps: &Steps<'_>) -> Option<(Value, usize)> {
        let instance = self.walk.instance(self.site)?;
        let of = |value: Option<Value>| value.map(|value| (value, 1));
        match root {
            "var" => {
                let name = steps.attribute(0)?;
                if let Some((own, value)) = self.site.own
                    && own == name
                {
                    return Some((value.clone(), 1));
                }
                of(Some(instance.variables.get(&*name).cloned().unwrap_or_else(Value::dynamic)))
            }
            "local" => {
                let name = steps.attribute(0)?;
                of(Some(instance.locals.get(&*name).cloned().unwrap_or_else(Value::dynamic)))
            }
            words::MODULE => self.module(steps),
            "data" => {
                let type_name = steps.attribute(0)?;
                self.resource(ResourceMode::Data, steps, &type_name, 1)
            }
            "ephemeral" => {
                let type_name = steps.attribute(0)?;
                self.resource(ResourceMode::Ephemeral, steps, &type_name, 1)
            }
            "resource" => {
                let type_name = steps.attribute(0)?;
                self.resource(ResourceMode::Managed, steps, &type_name, 1)
            }
            "path" => of(self.walk.path_attribute(self.site.path, &steps.attribute(0)?)),
            words::COUNT => match &*steps.attribute(0)? {
                "index" => of(self.site.repeated?.index()),
                _ => None,
            },
            words::EACH => {
                let (key, value) = self.site.repeated?.each.as_ref()?;
                match &*steps.attribute(0)? {
                    "key" => of(Some(key.clone())),
                    "value" => of(Some(value.clone())),
                    _ => None,
                }
            }
            "self" => None,
            root if self.walk.is_tool(root) => of(self.walk.tool_attribute(&steps.attribute(0)?)),
            type_name => self.resource(ResourceMode::Managed, steps, type_name, 0),
        }
    }

    fn for_each_root(&self, _each: &mut dyn FnMut(&str)) {}
}

impl<'a> Walk<'_, '_, 'a> {
    /// Evaluates an expression. What is reported is as secret as what it names.
    pub(super) fn evaluate(&self, expr: ExprAt, site: Site<'_>, out: &mut Diagnostics) -> (Value, Verdict) {
        self.evaluate_within(expr, site, None, out)
    }

    /// Evaluates an expression that also sees the iterators of dynamic blocks.
    pub(super) fn evaluate_within(
        &self,
        expr: ExprAt,
        site: Site<'_>,
        iterators: Option<&Roots>,
        out: &mut Diagnostics,
    ) -> (Value, Verdict) {
        let (value, verdict) = self.evaluate_marked(expr, site, iterators, out);
        (self.without_deprecated(expr, site, ValueUse::Parts, value, out), verdict)
    }

    /// Evaluates an expression of which only the value as a whole is used.
    pub(super) fn evaluate_whole(&self, expr: ExprAt, site: Site<'_>, out: &mut Diagnostics) -> (Value, Verdict) {
        let (value, verdict) = self.evaluate_marked(expr, site, None, out);
        (self.without_deprecated(expr, site, ValueUse::Whole, value, out), verdict)
    }

    /// Evaluates an expression. Its value keeps the marks of what is deprecated.
    pub(super) fn evaluate_marked(
        &self,
        expr: ExprAt,
        site: Site<'_>,
        iterators: Option<&Roots>,
        out: &mut Diagnostics,
    ) -> (Value, Verdict) {
        let Some(language) = self.language(site.path) else { return (Value::dynamic(), Verdict::Clean) };
        self.warn_of_attributes(expr, site, out);
        let seen = VisibleNames { walk: self, site };
        let quoted = || self.marks_in(expr, site, iterators);
        match iterators {
            Some(inner) => {
                scope::evaluate_quoting(language, expr, &LayeredNames { inner, outer: &seen }, quoted, out)
            }
            None => scope::evaluate_quoting(language, expr, &seen, quoted, out),
        }
    }

    /// Warns about references to deprecated attributes, as the tool does whenever it evaluates an expression.
    fn warn_of_attributes(&self, expr: ExprAt, site: Site<'_>, out: &mut Diagnostics) {
        let Some(walked) =
            self.walked(site.path).filter(|walked| walked.evaluation.names().has_deprecated_attributes)
        else {
            return;
        };
        let kept = self.deprecated_attributes.borrow().get(&expr).map(Rc::clone);
        let found = kept.unwrap_or_else(|| {
            let references = self.references_in(expr, walked);
            let found: Rc<[Diagnostic]> =
                walked.evaluation.names().deprecated_attributes(&references, site.object).into();
            account::grow(64 + size_of_val(&*found) as u64);
            self.deprecated_attributes.borrow_mut().insert(expr, Rc::clone(&found));
            found
        });
        account::work(found.len() as u64 * 8);
        out.extend(found.iter().cloned());
    }

    /// Warns about a value that comes from something deprecated, and returns it without the marks that have been reported.
    pub(super) fn without_deprecated(
        &self,
        expr: ExprAt,
        site: Site<'_>,
        used: ValueUse,
        value: Value,
        out: &mut Diagnostics,
    ) -> Value {
        if !self.warns_of_deprecated {
            return value;
        }
        let dialect = self.report.dialect;
        if site.own.is_some() && dialect.has(Behaviour::DeprecatedOutputsMarkValues) {
            // The rules of a variable do not warn.
            return plain(&value);
        }
        without_deprecated(dialect, (self.report.forest, expr), used, value, out)
    }

    /// Returns the marks of everything that an expression names.
    fn marks_in(&self, expr: ExprAt, site: Site<'_>, iterators: Option<&Roots>) -> Marks {
        let inner = iterators.map_or(Marks::NONE, Roots::deep_marks);
        let Some(walked) = self.walked(site.path) else { return inner };
        let references = self.references_in(expr, walked);
        let own = [site.this, site.repeated.and_then(|found| found.each.as_ref()).map(|(_, value)| value)];
        let own = own.into_iter().flatten().fold(inner, |marks, value| marks.and(value.deep_marks()));
        references
            .list
            .iter()
            .filter_map(|reference| reference.subject.as_ref())
            .charged(4)
            .fold(own, |marks, subject| marks.and(self.marks_of(subject, site)))
    }

    /// Returns the references in an expression.
    pub(super) fn references_in(&self, expr: ExprAt, walked: &ModuleNodes<'a>) -> Rc<References<'a>> {
        let kept = self.references.borrow().get(&expr).map(Rc::clone);
        kept.unwrap_or_else(|| {
            let language = &walked.evaluation.evaluator.known.language;
            let references = Rc::new(walked.evaluation.names().references(language, expr, &[]));
            account::grow(64 + references.list.len() as u64 * 96);
            self.references.borrow_mut().insert(expr, Rc::clone(&references));
            references
        })
    }

    /// Returns the marks of something that an expression names.
    pub(super) fn marks_of(
        &self,
        subject: &overfold_model::language::references::Subject<'_>,
        site: Site<'_>,
    ) -> Marks {
        use overfold_model::language::references::Subject;
        let Some(instance) = self.instance(site) else { return Marks::NONE };
        let of = |value: Option<&Value>| value.map_or(Marks::NONE, Value::deep_marks);
        match subject {
            Subject::Variable(name) => of(instance.variables.get(&**name)),
            Subject::Local(name) => of(instance.locals.get(&**name)),
            Subject::Resource { mode, type_name, name, .. } => {
                of(instance.resources.get(&ObjectAddr::Resource { mode: *mode, type_name, name }))
            }
            Subject::Module { name, .. } => {
                let call = self.walked(site.path).and_then(|walked| walked.evaluation.names().calls.get(&**name));
                let path =
                    call.and_then(|&call| self.instances.list.get(site.path)?.called.get(call).copied().flatten());
                path.map_or(Marks::NONE, |path| self.called_value(path, site.instance).deep_marks())
            }
            _ => Marks::NONE,
        }
    }
}

/// Returns a value in which everything is unknown that may not be what it seems, because something was not given: an
/// object of which only some attributes are known, and what was computed from one.
pub(super) fn settled(value: &Value) -> Value {
    let marks = value.deep_marks();
    if !marks.is_inexact() {
        return value.clone();
    }
    let own = value.marks();
    if own.is_inexact() {
        let ty = match value.ty() {
            Type::Object(_) | Type::Tuple(_) => Type::Dynamic,
            // What is written as text may be a number to the provider.
            Type::String if value.is_known() => Type::Dynamic,
            ty => ty.clone(),
        };
        if value.is_known() || value.ty() != &ty {
            return Value::unknown(ty).with_marks(own.and(Marks::INEXACT));
        }
        return value.clone();
    }
    match value.kind() {
        Kind::Tuple(_) | Kind::Object(_) | Kind::List(_) | Kind::Map(_) => value.map_parts(&settled).with_marks(own),
        _ => Value::unknown(value.ty().clone()).with_marks(own.and(Marks::INEXACT)),
    }
}

/// Returns a value without the mark that says that something was not given.
pub(super) fn without_inexact(value: &Value) -> Value {
    if !value.deep_marks().is_inexact() {
        return value.clone();
    }
    let own = value.marks().without(Marks::INEXACT.and(Marks::OPEN));
    value.map_parts(&without_inexact).with_marks(own)
}

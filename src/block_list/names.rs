//! What expressions refer to while a module is expanded: variables and local values as the merged module has them, and
//! nothing of resources, data sources and calls, which are never known (tflint.md, section 5).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use crate::block_list::codes;
use crate::config::Block;
use crate::diag::{Diagnostic, Diagnostics, Quotes, Reporting, Secrecy, Span};
use crate::dialect::{ListRule, OverrideRule};
use crate::eval::{self, FileAccess, FunctionSet, JsonStrings, LogicRule, Roots, Scope};
use crate::language::references;
use crate::language::references::{AddressWords, Subject};
use crate::syntax::{ExprAt, Forest, statics};
use crate::value::{Marks, Type, Value};

/// What the merged module gives names to.
#[derive(Debug)]
pub struct Known<'a> {
    /// Values of variables with their marks, one for each that is declared; what has no value is not known.
    pub variables: HashMap<Arc<str>, Value>,
    /// Expressions of local values.
    pub locals: HashMap<Arc<str>, ExprAt>,
    /// Words that open addresses of their own kind.
    pub words: AddressWords,
    /// What `&&` and `||` do with errors.
    pub logic: LogicRule,
    /// The functions of the language.
    pub functions: &'a FunctionSet,
    /// Files that functions may read.
    pub files: FileAccess<'a>,
}

/// The local values of a merged list; of several for one name the last one counts.
pub fn locals(blocks: &[Block<'_>]) -> HashMap<Arc<str>, ExprAt> {
    blocks
        .iter()
        .filter(|block| matches!(block.spec.map(|row| row.over), Some(OverrideRule::InList(ListRule::Entries))))
        .flat_map(|block| &block.arguments)
        .filter(|argument| !argument.broken)
        .map(|argument| (Arc::from(argument.name), argument.expr))
        .collect()
}

/// Names that a step of a repetition gives values to.
pub(super) type Bound = Rc<Roots>;

/// Evaluates expressions with these names.
pub(super) struct Evaluation<'f, 'a> {
    forest: &'f Forest,
    known: &'a Known<'a>,
    /// Values of the locals that have been asked for.
    locals: HashMap<Arc<str>, Value>,
    /// What each expression refers to, found out once.
    prepared: HashMap<ExprAt, Rc<Prepared>>,
}

/// What an expression refers to.
#[derive(Debug, Default)]
struct Prepared {
    roots: Roots,
    /// It calls a function of a provider, whose result nobody knows.
    foreign: bool,
}

/// A local value that waits for others.
struct Unsettled {
    name: Arc<str>,
    expr: ExprAt,
    /// What it still waits for, last first.
    needs: Vec<(Arc<str>, Span)>,
}

/// What an evaluation gives.
pub(super) struct Found {
    pub(super) value: Value,
    /// Something was wrong, and has been reported.
    pub(super) wrong: bool,
}

impl<'f, 'a> Evaluation<'f, 'a> {
    pub(super) fn new(forest: &'f Forest, known: &'a Known<'a>) -> Self {
        Self { forest, known, locals: HashMap::new(), prepared: HashMap::new() }
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, expr: ExprAt, bound: Option<&Bound>, out: &mut Diagnostics) -> Found {
        let prepared = self.prepare(expr, bound, out);
        if prepared.foreign {
            return Found { value: Value::dynamic(), wrong: false };
        }
        let roots = match bound {
            Some(bound) => {
                let own = prepared.roots.iter().filter(|(name, _)| !bound.contains_key(*name));
                own.chain(bound.iter()).map(|(name, value)| (Arc::clone(name), value.clone())).collect()
            }
            None => prepared.roots.clone(),
        };
        self.evaluate(expr, &roots, out)
    }

    fn evaluate(&self, expr: ExprAt, roots: &Roots, out: &mut Diagnostics) -> Found {
        let scope = Scope {
            roots: Some(roots),
            functions: Some(self.known.functions),
            providers: None,
            files: Some(self.known.files.clone()),
            json: JsonStrings::Templates,
            logic: self.known.logic,
        };
        let ((value, verdict), found) =
            out.collect(|out| out.watch(|out| eval::evaluate(self.forest, expr, &scope, out)));
        if !found.is_empty() {
            let marks = roots.values().fold(Marks::NONE, |marks, value| marks.and(value.deep_marks()));
            let called = statics::calls(self.forest, expr).iter().any(|call| call.name.ends_with("sensitive"));
            let least = if called { Secrecy::Sensitive } else { Secrecy::Open };
            let quotes = Quotes::Values(marks.secrecy().max(least));
            out.extend(found.into_iter().map(|found| found.quoting(quotes.clone())));
        }
        Found { value, wrong: verdict.failed() }
    }

    fn prepare(&mut self, expr: ExprAt, bound: Option<&Bound>, out: &mut Diagnostics) -> Rc<Prepared> {
        if let Some(prepared) = self.prepared.get(&expr) {
            return Rc::clone(prepared);
        }
        for (name, at) in self.locals_in(expr) {
            self.resolve(&name, at, out);
        }
        let prepared = Rc::new(self.refer(expr, bound, out));
        self.prepared.insert(expr, Rc::clone(&prepared));
        prepared
    }

    /// Values for every name in an expression whose locals are settled.
    fn refer(&self, expr: ExprAt, bound: Option<&Bound>, out: &mut Diagnostics) -> Prepared {
        let mut prepared = Prepared {
            roots: Roots::new(),
            foreign: statics::calls(self.forest, expr).iter().any(|call| call.name.starts_with("provider::")),
        };
        let mut parts: BTreeMap<&'static str, BTreeMap<Arc<str>, Value>> = BTreeMap::new();
        for traversal in statics::references(self.forest, expr) {
            if bound.is_some_and(|bound| bound.contains_key(&*traversal.root)) {
                continue;
            }
            let reference = references::reference(&traversal, self.known.words, out);
            let (object, name, value) = match reference.map(|found| (found.subject, found.span)) {
                Some((Subject::Variable(name), at)) => {
                    let value = self.known.variables.get(name.as_str()).cloned().unwrap_or_else(|| {
                        let detail = format!("The module does not declare an input variable named {name:?}.");
                        out.push(Diagnostic::tool(&codes::UNDECLARED_VARIABLE, at, detail));
                        Value::dynamic()
                    });
                    ("var", name, value)
                }
                Some((Subject::Local(name), at)) => {
                    let value = match self.locals.get(name.as_str()) {
                        Some(value) => value.clone(),
                        None => {
                            if !self.known.locals.contains_key(name.as_str()) {
                                let detail = format!("The module does not declare a local value named {name:?}.");
                                out.push(Diagnostic::tool(&codes::UNDECLARED_LOCAL, at, detail));
                            }
                            Value::dynamic()
                        }
                    };
                    ("local", name, value)
                }
                Some((Subject::Path(name), at)) => {
                    let value = match name.as_str() {
                        "module" | "root" => Value::text("."),
                        "cwd" => Value::unknown(Type::String),
                        _ => {
                            let detail = format!("`path` has no attribute {name:?}; it has cwd, module and root.");
                            out.push(Diagnostic::tool(&codes::PATH_ATTRIBUTE, at, detail));
                            Value::dynamic()
                        }
                    };
                    ("path", name, value)
                }
                Some((Subject::Terraform(name), at)) => {
                    let value = match name.as_str() {
                        "workspace" => Value::text("default"),
                        "applying" => Value::bool(false).with_marks(Marks::EPHEMERAL),
                        _ => {
                            let detail = format!("`terraform` has no attribute {name:?}.");
                            out.push(Diagnostic::tool(&codes::TERRAFORM_ATTRIBUTE, at, detail));
                            Value::dynamic()
                        }
                    };
                    ("terraform", name, value)
                }
                // Outside of a repetition.
                Some((Subject::Count(name), _)) => ("count", name, Value::unknown(Type::Number)),
                _ => {
                    let marks = if &*traversal.root == "ephemeral" { Marks::EPHEMERAL } else { Marks::NONE };
                    let value = Value::dynamic().with_marks(marks);
                    prepared.roots.entry(Arc::from(&*traversal.root)).or_insert(value);
                    continue;
                }
            };
            parts.entry(object).or_default().insert(Arc::from(name), value);
        }
        for (object, parts) in parts {
            prepared.roots.insert(Arc::from(object), Value::object(parts.into_iter().collect()));
        }
        prepared
    }

    /// The local values that an expression refers to, each once.
    fn locals_in(&self, expr: ExprAt) -> Vec<(Arc<str>, Span)> {
        let mut seen = BTreeSet::new();
        statics::references(self.forest, expr)
            .iter()
            .filter(|traversal| &*traversal.root == "local")
            .filter_map(|traversal| Some((Arc::from(traversal.attr(0)?), traversal.span)))
            .filter(|(name, _): &(Arc<str>, Span)| seen.insert(Arc::clone(name)))
            .collect()
    }

    /// Works out a local value after all that it is made of. Not by recursion: a chain of them may be long.
    fn resolve(&mut self, name: &Arc<str>, at: Span, out: &mut Diagnostics) {
        let mut open: HashSet<Arc<str>> = HashSet::new();
        let mut stack: Vec<Unsettled> = Vec::new();
        let mut next = Some((Arc::clone(name), at));
        loop {
            if let Some((name, at)) = next.take()
                && !self.locals.contains_key(&name)
                && let Some(&expr) = self.known.locals.get(&name)
            {
                if open.contains(&name) {
                    let detail = format!("The local value {name:?} refers to itself.");
                    out.push(Diagnostic::tool(&codes::CIRCULAR, at, detail));
                } else {
                    open.insert(Arc::clone(&name));
                    let mut needs = self.locals_in(expr);
                    needs.reverse();
                    stack.push(Unsettled { name, expr, needs });
                }
            }
            let Some(last) = stack.last_mut() else { return };
            next = last.needs.pop();
            if next.is_some() {
                continue;
            }
            let Some(Unsettled { name, expr, .. }) = stack.pop() else { return };
            let prepared = self.refer(expr, None, out);
            let found = if prepared.foreign {
                Found { value: Value::dynamic(), wrong: false }
            } else {
                self.evaluate(expr, &prepared.roots, out)
            };
            open.remove(&name);
            self.locals.insert(name, found.value);
        }
    }
}

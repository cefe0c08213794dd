//! Values of variables and locals, each evaluated once, without recursion: chains of definitions may be as long as a file.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::config::{Argument, Element, Payload, unread_marks};
use crate::diag::{Diagnostic, Diagnostics, Quotes, Secrecy, Severity, Span};
use crate::dialect::{self, Rule};
use crate::early_eval::reading::{Reading, Target};
use crate::early_eval::{Inputs, codes, flag};
use crate::eval::{self, FunctionSet, JsonStrings, LogicRule, Roots, Scope};
use crate::language::references::AddressWords;
use crate::syntax::{ExprAt, statics};
use crate::value::{Marks, Type, Value, convert};
use crate::vars;

/// The workspace when none is chosen.
const WORKSPACE: &str = "default";

/// Static evaluation of one module while it runs.
pub(super) struct Stage<'a> {
    pub(super) inputs: &'a Inputs<'a>,
    pub(super) words: AddressWords,
    functions: &'static FunctionSet,
    logic: LogicRule,
    /// Values have the declared type and marks.
    converted: bool,
    /// Everything is judged when modules are installed.
    pub(super) at_install: bool,
    pub(super) variables: Vec<Variable<'a>>,
    variable_names: HashMap<&'a str, usize>,
    pub(super) locals: Vec<Local<'a>>,
    local_names: HashMap<&'a str, usize>,
    /// How many findings were reported so far.
    pub(super) told: usize,
}

/// A variable of the module.
pub(super) struct Variable<'a> {
    element: &'a Element<'a>,
    pub(super) state: Option<VariableState>,
}

/// What a variable comes to.
pub(super) struct VariableState {
    value: Value,
    /// What is wrong with it.
    pub(super) faults: Vec<Diagnostic>,
    /// Whoever uses it is reported to be impossible to compute.
    pub(super) passes_on: bool,
    traits: Traits,
}

/// A local value of the module.
pub(super) struct Local<'a> {
    pub(super) element: &'a Element<'a>,
    pub(super) argument: &'a Argument<'a>,
    pub(super) state: LocalState,
}

/// How far a local value is.
pub(super) enum LocalState {
    /// Nobody asked for it yet.
    New,
    /// What it refers to is being evaluated.
    Open,
    /// It has been evaluated.
    Done(Box<Evaluated>),
}

/// What an expression comes to.
pub(super) struct Evaluated {
    /// The value; not known where there is an error.
    pub(super) value: Value,
    /// What there is to tell, in order.
    pub(super) steps: Vec<Step>,
    /// An error is among it.
    pub(super) failed: bool,
    /// The error was met in evaluating the expression itself; its references are all well.
    pub(super) failed_itself: bool,
    /// It leads to a definition that depends on itself.
    circular: bool,
    pub(super) traits: Traits,
}

/// One thing to tell about an expression.
pub(super) enum Step {
    /// This, of the expression itself.
    Own(Box<Diagnostic>),
    /// What is wrong with a variable.
    Variable(usize),
    /// What is wrong with a local value.
    Local(usize),
}

/// Where a value comes from, as far as it matters to those who show it.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Traits {
    /// How secret the variables are that take part.
    pub(super) secrecy: Secrecy,
    /// A definition without a value takes part: what is not known then, is not known to the tool either.
    pub(super) broken: bool,
}

impl Evaluated {
    /// Something of which only findings matter.
    pub(super) fn of(steps: Vec<Step>, traits: Traits) -> Self {
        Self { value: Value::dynamic(), steps, failed: false, failed_itself: false, circular: false, traits }
    }
}

impl Traits {
    fn and(self, other: Self) -> Self {
        Self { secrecy: self.secrecy.max(other.secrecy), broken: self.broken || other.broken }
    }
}

/// How an argument's expression is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// As every definition.
    Usual,
    /// The same, but what evaluation finds stays in the evaluator's own words.
    OwnWords,
    /// In its own words, and a malformed reference keeps others from being looked up.
    AtOnce,
}

/// A local value whose references are being evaluated.
struct Frame {
    local: usize,
    reading: Reading,
    next: usize,
}

impl<'a> Stage<'a> {
    pub(super) fn new(inputs: &'a Inputs<'a>) -> Self {
        let dialect = inputs.dialect;
        let short = dialect.has(Rule::LogicShortCircuits);
        let mut stage = Self {
            inputs,
            words: AddressWords::of(dialect),
            functions: dialect::functions(dialect),
            logic: if short { LogicRule::ShortCircuit } else { LogicRule::BothSides },
            converted: dialect.has(Rule::StaticValuesAreConverted),
            at_install: dialect.has(Rule::StaticSourcesJudgedAtInstall),
            variables: Vec::new(),
            variable_names: HashMap::new(),
            locals: Vec::new(),
            local_names: HashMap::new(),
            told: 0,
        };
        for element in &inputs.module.elements {
            match (&element.payload, element.block.labels.first(), element.block.arguments.first()) {
                (Payload::Variable(_), Some(label), _) => {
                    stage.variable_names.insert(label.text, stage.variables.len());
                    stage.variables.push(Variable { element, state: None });
                }
                (_, _, Some(argument)) if element.kind == "local" => {
                    if let Some(name) = element.address.0.strip_prefix("local.") {
                        stage.local_names.insert(name, stage.locals.len());
                        stage.locals.push(Local { element, argument, state: LocalState::New });
                    }
                }
                _ => {}
            }
        }
        stage
    }

    pub(super) fn variable_index(&self, name: &str) -> Option<usize> {
        self.variable_names.get(name).copied()
    }

    pub(super) fn local_index(&self, name: &str) -> Option<usize> {
        self.local_names.get(name).copied()
    }

    pub(super) fn variable_names(&self) -> impl Iterator<Item = &str> {
        self.variable_names.keys().copied()
    }

    pub(super) fn local_names(&self) -> impl Iterator<Item = &str> {
        self.local_names.keys().copied()
    }

    /// Evaluates an expression and everything that it refers to.
    pub(super) fn conclude_argument(&mut self, argument: &Argument<'_>, manner: Manner, address: &str) -> Evaluated {
        let reading = self.read(argument.expr, manner == Manner::AtOnce);
        for index in 0..reading.uses.len() {
            if let Some(Target::Local(local)) = reading.uses.get(index).map(|used| used.target) {
                self.resolve_local(local);
            }
        }
        self.conclude(argument, reading, manner, address)
    }

    /// Works out a local value and everything that it refers to.
    fn resolve_local(&mut self, local: usize) {
        let mut frames: Vec<Frame> = self.open(local).into_iter().collect();
        while let Some(frame) = frames.last_mut() {
            let used = frame.reading.uses.get(frame.next).map(|used| used.target);
            frame.next += 1;
            match used {
                Some(Target::Local(local)) => {
                    let opened = self.open(local);
                    frames.extend(opened);
                }
                Some(Target::Variable(_)) => {}
                None => {
                    if let Some(Frame { local, reading, .. }) = frames.pop()
                        && let Some((element, argument)) = self.locals.get(local).map(|l| (l.element, l.argument))
                    {
                        let concluded = self.conclude(argument, reading, Manner::Usual, element.address.0);
                        if let Some(local) = self.locals.get_mut(local) {
                            local.state = LocalState::Done(Box::new(concluded));
                        }
                    }
                }
            }
        }
    }

    /// Begins a local value that nobody asked for yet.
    fn open(&mut self, index: usize) -> Option<Frame> {
        let local = self.locals.get_mut(index).filter(|local| matches!(local.state, LocalState::New))?;
        local.state = LocalState::Open;
        let expr = local.argument.expr;
        Some(Frame { local: index, reading: self.read(expr, false), next: 0 })
    }

    /// Puts together what is known of an expression once everything that it refers to has been evaluated.
    fn conclude(&mut self, argument: &Argument<'_>, reading: Reading, manner: Manner, address: &str) -> Evaluated {
        let mut failed = reading.own.iter().any(is_error);
        let mut circular = false;
        let mut traits = Traits { broken: argument.broken, ..Traits::default() };
        let mut steps: Vec<Step> = Vec::new();
        let own = |diagnostic: Diagnostic| Step::Own(Box::new(diagnostic.about(address)));
        steps.extend(reading.own.into_iter().map(own));
        for used in &reading.uses {
            match used.target {
                Target::Variable(index) => {
                    if let Some(barred) = self.barred(index, used.at) {
                        failed = true;
                        steps.push(own(barred));
                        continue;
                    }
                    self.resolve_variable(index);
                    steps.extend(self.warned(index, used.at).map(own));
                    if let Some(state) = self.variables.get(index).and_then(|variable| variable.state.as_ref()) {
                        traits = traits.and(state.traits);
                        if !state.faults.is_empty() {
                            failed |= state.faults.iter().any(is_error);
                            steps.push(Step::Variable(index));
                        }
                    }
                }
                Target::Local(index) => match self.locals.get(index).map(|local| &local.state) {
                    Some(LocalState::Done(local)) => {
                        failed |= local.failed;
                        circular |= local.circular;
                        traits = traits.and(local.traits);
                        if !local.steps.is_empty() {
                            steps.push(Step::Local(index));
                        }
                    }
                    _ => {
                        circular = true;
                        failed = true;
                        steps.push(Step::Local(index));
                    }
                },
            }
        }
        let mut value = Value::dynamic();
        let mut failed_itself = false;
        if !failed {
            let mut found = Diagnostics::new();
            value = self.evaluate(argument.expr, reading.refers, &mut found);
            failed_itself = found.has_errors();
            failed = failed_itself;
            for mut finding in found.into_vec() {
                finding.quotes = Quotes::Values(traits.secrecy);
                if manner == Manner::Usual {
                    finding = self.in_full(finding);
                }
                steps.push(own(finding));
            }
        }
        // The value of a faulty expression still has a type, which a `for_each` is reported about as well.
        if failed && !(failed_itself && manner == Manner::OwnWords) {
            value = Value::dynamic();
        }
        Evaluated { value, steps, failed, failed_itself, circular, traits }
    }

    /// A function in a name space that does not exist has a title of its own.
    fn in_full(&self, finding: Diagnostic) -> Diagnostic {
        if finding.code != &eval::codes::UNKNOWN_FUNCTION {
            return finding;
        }
        let name = finding.span.map(|span| self.inputs.forest.sources.text(span)).unwrap_or_default();
        match name.split_once("::") {
            Some((space, _)) if space != "core" => finding.titled("Unknown function namespace"),
            _ => finding,
        }
    }

    fn evaluate(&self, expr: ExprAt, refers: bool, out: &mut Diagnostics) -> Value {
        let roots = if refers { self.roots(expr) } else { Roots::new() };
        let scope = Scope {
            roots: Some(&roots),
            functions: Some(self.functions),
            providers: None,
            files: Some(self.inputs.files.clone()),
            json: JsonStrings::Templates,
            logic: self.logic,
        };
        eval::evaluate(self.inputs.forest, expr, &scope, out)
    }

    /// The names that the expression uses, so that it costs what it uses and not what the module declares.
    fn roots(&self, expr: ExprAt) -> Roots {
        let mut roots: Roots = BTreeMap::new();
        let mut variables: BTreeMap<Arc<str>, Value> = BTreeMap::new();
        let mut locals: BTreeMap<Arc<str>, Value> = BTreeMap::new();
        for reference in statics::references(self.inputs.forest, expr) {
            let root = &*reference.root;
            match (root, reference.attr(0)) {
                ("var", Some(name)) => {
                    let variable = self.variable_index(name).and_then(|index| self.variables.get(index));
                    if let Some(state) = variable.and_then(|variable| variable.state.as_ref()) {
                        variables.insert(Arc::from(name), state.value.clone());
                    }
                }
                ("local", Some(name)) => {
                    let local = self.local_index(name).and_then(|index| self.locals.get(index));
                    if let Some(LocalState::Done(local)) = local.map(|local| &local.state) {
                        locals.insert(Arc::from(name), local.value.clone());
                    }
                }
                ("path", _) => {
                    roots.insert(Arc::from(root), path());
                }
                ("terraform", _) => {
                    roots.insert(Arc::from(root), terraform());
                }
                _ if self.words.also_terraform == Some(root) => {
                    roots.insert(Arc::from(root), terraform());
                }
                _ => {}
            }
        }
        if !locals.is_empty() {
            roots.insert(Arc::from("local"), Value::object(locals.into_iter().collect()));
        }
        if !variables.is_empty() {
            roots.insert(Arc::from("var"), Value::object(variables.into_iter().collect()));
        }
        roots
    }

    /// The finding about a variable that keeps itself out of static evaluation.
    fn barred(&self, index: usize, at: Span) -> Option<Diagnostic> {
        let element = self.variables.get(index)?.element;
        let stated = flag(element, "const");
        let barred = if self.at_install { stated != Some(true) } else { stated == Some(false) };
        barred.then(|| {
            let declared = if stated.is_some() { "with const = false" } else { "without const = true" };
            let detail = format!(
                "{} is declared {declared}, so it cannot be used where a value must be known before the tool runs.",
                element.address.0
            );
            Diagnostic::tool(&codes::VARIABLE_NOT_CONST, at, detail).and("declared here", element.block.header)
        })
    }

    /// The warning about a sensitive variable that is used all the same.
    fn warned(&self, index: usize, at: Span) -> Option<Diagnostic> {
        let element = self.variables.get(index)?.element;
        let warns = flag(element, "sensitive") == Some(true) && self.inputs.dialect.has(Rule::StaticSecretsWarn);
        warns.then(|| {
            let detail = format!("{} is sensitive, but its value becomes visible here.", element.address.0);
            Diagnostic::tool(&codes::SENSITIVE_USED, at, detail)
        })
    }

    /// Works out a variable: given or default, converted to its type.
    pub(super) fn resolve_variable(&mut self, index: usize) {
        let Some(Variable { element, state: None }) = self.variables.get(index) else { return };
        let state = self.variable(element);
        if let Some(variable) = self.variables.get_mut(index) {
            variable.state = Some(state);
        }
    }

    fn secrecy_of(&self, element: &Element<'_>) -> Secrecy {
        let name = element.block.labels.first().map_or("", |label| label.text);
        self.inputs.module.secrets.variable(name)
    }

    fn variable(&self, element: &Element<'_>) -> VariableState {
        let mut state = VariableState {
            value: Value::dynamic(),
            faults: Vec::new(),
            passes_on: true,
            traits: Traits { secrecy: self.secrecy_of(element), ..Traits::default() },
        };
        let Payload::Variable(declared) = &element.payload else { return state };
        let mut found = Diagnostics::new();
        let given = match self.inputs.given {
            Some(given) => vars::given(given.inputs, given.gathered, element, &mut found),
            None => vars::Given::Nothing,
        };
        let address = element.address.0;
        let header = element.block.header;
        let fault = |code: &'static crate::diag::Code, at: Option<Span>, detail: String| {
            Diagnostic::tool(code, at, detail).about(address)
        };
        let raw = match given {
            vars::Given::Value(Some(value)) => Some(value),
            vars::Given::Value(None) | vars::Given::Lost => None,
            vars::Given::Nothing => match declared.default() {
                Some(default) => {
                    state.traits.broken = !default.is_wholly_known();
                    Some(default.clone())
                }
                // A value may still be given; a run without one reports that by itself.
                None if self.at_install => None,
                None => {
                    let title = self.inputs.dialect.title(codes::NOT_SET.id, codes::NOT_SET.title);
                    let detail = format!(
                        "{address} is required while the module is loaded, but it has no default and no value was \
                         provided. Provide one in the variables of the request."
                    );
                    let unset = fault(&codes::NOT_SET, Some(header), detail);
                    state.faults.push(unset.titled(title.replace("NAME", address)));
                    None
                }
            },
        };
        state.faults.extend(found.into_vec());
        let Some(raw) = raw.filter(|_| !state.faults.iter().any(is_error)) else { return state };
        if !self.converted {
            state.value = raw;
            return state;
        }
        let ty = declared.constraint().map_or(&Type::Dynamic, |constraint| &constraint.ty);
        let default = match declared.default().map(|default| convert(default, ty)).transpose() {
            Ok(default) => default,
            Err(error) => {
                let misfit = format!("The default of {address} cannot be converted to its type");
                let found = fault(&codes::DEFAULT_MISFIT, Some(header), format!("{misfit}: {error}."));
                let quotes = Quotes::Values(state.traits.secrecy);
                state.faults.push(found.quoting(quotes).or_withheld(format!("{misfit}.")));
                state.passes_on = false;
                return state;
            }
        };
        let defaults = declared.constraint().and_then(|constraint| constraint.defaults.as_ref());
        let filled = match defaults {
            Some(defaults) if !raw.is_null() => defaults.apply(&raw),
            _ => raw,
        };
        match convert(&filled, ty) {
            Ok(value) if value.is_null() && declared.nullable == Some(false) => match default {
                Some(default) => state.value = default,
                None => {
                    let detail = format!("{address} must not be null, and it has no default.");
                    state.faults.push(fault(&codes::NULL, Some(header), detail));
                }
            },
            Ok(value) => state.value = value,
            Err(error) => {
                let misfit = format!("The value for {address} cannot be converted to its type");
                let found = fault(&codes::MISFIT, None, format!("{misfit}: {error}.")).and("declared here", header);
                let quotes = Quotes::Values(state.traits.secrecy);
                state.faults.push(found.quoting(quotes).or_withheld(format!("{misfit}.")));
                state.passes_on = false;
            }
        }
        let mark = |name, marks| if flag(element, name) == Some(true) { marks } else { Marks::NONE };
        let marks = unread_marks(self.inputs.module, element)
            .and(mark("sensitive", Marks::SENSITIVE))
            .and(mark("ephemeral", Marks::EPHEMERAL));
        state.value = std::mem::replace(&mut state.value, Value::dynamic()).with_marks(marks);
        state
    }
}

pub(super) fn is_error(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
}

/// The module is the root; the working directory is the machine's matter.
fn path() -> Value {
    Value::object(vec![
        (Arc::from("cwd"), Value::unknown(Type::String)),
        (Arc::from("module"), Value::text(".")),
        (Arc::from("root"), Value::text(".")),
    ])
}

fn terraform() -> Value {
    Value::object(vec![(Arc::from("workspace"), Value::text(WORKSPACE))])
}

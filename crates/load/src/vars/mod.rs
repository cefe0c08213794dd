//! Input variables: values from every source, converted and checked, each with its origin (variables.md, section A;
//! expressions.md, section 4).
//!
//! The tool works in phases and stops after the first one with an error. Here, all phases run; whatever the tool would
//! show only after a fix has the origin [`overfold_base::diag::Origin::ToolLater`].

pub mod codes;
mod declared;
mod definitions;
mod dependents;
mod inputs;
mod hcl1;
mod judgement;
mod read;
mod rule_values;
mod rules;
mod sources;

use std::collections::HashSet;
use std::sync::Arc;

use crate::provider_schemas::KnownSchemas;
use declared::DeclaredVariable;
pub use inputs::{ValueOrigin, VariableArg, VariableInputs};
pub use judgement::{EvaluatedMessage, Judgement, UnknownMessage};
use overfold_base::diag::{Diagnostic, Diagnostics, Phase, Reporting, Severity, Span};
use overfold_base::named;
use overfold_base::nearest::hint;
use overfold_dialect::{Behaviour, DialectSpec, TextRule, Undeclared, Unset, ValueModel, ValueSource};
use overfold_eval::FileAccess;
use overfold_model::config::{Element, Module};
use overfold_syntax::Forest;
use overfold_value::{Marks, Value, convert};
use sources::{Collection, Raw, Setting, Settings};

/// The resolved variables, in order of declaration.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    /// One entry for each declared variable.
    pub list: Vec<ResolvedVariable>,
}

/// A variable with its value.
#[derive(Clone, Debug)]
pub struct ResolvedVariable {
    /// The name.
    pub name: Arc<str>,
    /// The final value, with its marks; `None` if there is none.
    pub value: Option<Value>,
    /// The value as it was given, before any conversion, or the converted default; without marks. `None` if there is
    /// none, or if it cannot be read.
    pub raw: Option<Value>,
    /// The marks of its declaration.
    pub marks: Marks,
    /// Whether a source provides a value, used or not.
    pub is_given: bool,
    /// Whether there is a value, and whether it is known.
    pub state: ValueState,
    /// The origin of the value: one source or, for a merged map, all sources that contribute to it, in ascending order
    /// of precedence. Empty if there is no value.
    pub from: Vec<ValueOrigin>,
    /// The hidden sources in descending order of precedence, each with the value that it would have provided, if it
    /// can be read.
    pub hidden: Vec<(ValueOrigin, Option<Value>)>,
}

named! {
    /// What is known about a variable's value.
    pub enum ValueState {
        /// The value is known.
        Known = "known",
        /// The value depends on something that is known only during a run.
        Unknown = "unknown",
        /// The value is invalid; a diagnostic explains why.
        Error = "error",
    }
}

/// The inputs of the resolution.
pub struct Inputs<'a> {
    /// The merged module.
    pub module: &'a Module<'a>,
    /// The files of the request, and the module directory in them.
    pub files: FileAccess<'a>,
    /// The values from outside the files.
    pub given: &'a VariableInputs,
    /// The table of the dialect.
    pub dialect: &'static DialectSpec,
    /// The source texts and their trees.
    pub forest: &'a Forest,
    /// Whether a variable without a value is unknown whatever the dialect says.
    pub unset_is_unknown: bool,
    /// The schemas of the providers, which say what functions rules can call.
    pub provider_schemas: Option<&'a KnownSchemas<'a>>,
}

/// The content of the sources of values, not yet read.
pub struct ValueSources {
    settings: Settings,
    /// What is wrong with the sources themselves.
    found: Diagnostics,
}

/// Collects the values from all sources, once for all users.
pub fn gather(inputs: &Inputs<'_>) -> ValueSources {
    let mut found = Diagnostics::in_phase(Phase::Gathering);
    let settings = match inputs.dialect.variables.model {
        ValueModel::Typed => {
            let files = inputs.files.clone();
            let collection =
                Collection { dialect: inputs.dialect, files, given: inputs.given, forest: inputs.forest };
            sources::collect(&collection, &mut found)
        }
        // These are read during the resolution, since nothing else needs them.
        ValueModel::Hcl1 => Settings::default(),
    };
    ValueSources { settings, found }
}

/// What the sources provide for one variable.
pub enum ProvidedValue {
    /// There is no value.
    Nothing,
    /// There is no value, but there may have been one in a file that could not be read.
    Lost,
    /// A value as provided, not yet converted; `None` if it cannot be read.
    Value(Option<Value>),
}

/// Returns the value with the highest precedence that the sources provide for the variable declared by `element`. The
/// reason why one cannot be read goes to `out`.
pub fn provided_value(
    inputs: &Inputs<'_>,
    gathered: &ValueSources,
    element: &Element<'_>,
    out: &mut Diagnostics,
) -> ProvidedValue {
    let Some(declared) = declared::from_element(inputs.module, element) else { return ProvidedValue::Nothing };
    match gathered.settings.get(declared.name).last() {
        Some(winner) => {
            let reader = Reader { inputs };
            ProvidedValue::Value(reader.value(&declared, &winner.raw, out))
        }
        None if gathered.settings.incomplete => ProvidedValue::Lost,
        None => ProvidedValue::Nothing,
    }
}

/// Resolves every input variable of the module, as the root module of a run.
pub fn resolve(inputs: &Inputs<'_>, gathered: ValueSources, out: &mut Diagnostics) -> Variables {
    match inputs.dialect.variables.model {
        ValueModel::Typed => typed(inputs, gathered, out),
        ValueModel::Hcl1 => hcl1::resolve(inputs, out),
    }
}

/// Reports what is wrong with the sources of values, and values of variables that the module does not declare; no variable
/// is resolved.
pub fn check_sources(inputs: &Inputs<'_>, gathered: ValueSources, out: &mut Diagnostics) {
    let ValueSources { settings, found } = gathered;
    let mut read = Diagnostics::in_phase(Phase::Values);
    Reader { inputs }.undeclared(&declared::all(inputs.module), &settings, &mut read);
    out.append(found);
    out.append(read);
}

fn typed(inputs: &Inputs<'_>, gathered: ValueSources, out: &mut Diagnostics) -> Variables {
    let declared = declared::all(inputs.module);
    let ValueSources { settings, found } = gathered;
    let mut phases = Phases {
        gather: found,
        read: Diagnostics::in_phase(Phase::Values),
        rules: Diagnostics::in_phase(Phase::Rules),
        resolve: Diagnostics::in_phase(Phase::Resolution),
    };
    let reader = Reader { inputs };

    reader.undeclared(&declared, &settings, &mut phases.read);
    let mut list: Vec<ResolvingVariable<'_>> =
        declared.iter().map(|declared| reader.read(declared, &settings, &mut phases.read)).collect();
    for variable in &mut list {
        let (has_default, verdict) = phases.resolve.watch(|out| variable.finalize(out));
        variable.unsettled = verdict.failed() || !has_default;
    }
    rules::check(&reader, &list, &mut phases);
    phases.report(out);
    let hidden = list.iter().map(|variable| reader.hidden(variable)).collect::<Vec<_>>();
    Variables { list: list.into_iter().zip(hidden).map(|(variable, hidden)| variable.finish(hidden)).collect() }
}

/// The diagnostics of each phase of the tool, in order.
struct Phases {
    /// Reading of options and files.
    gather: Diagnostics,
    /// Reading of values.
    read: Diagnostics,
    /// References and function names in validation rules, and the rules with all variables unknown.
    rules: Diagnostics,
    /// Conversion, and validation with values, which are a single pass in the tool.
    resolve: Diagnostics,
}

impl Phases {
    fn report(self, out: &mut Diagnostics) {
        for phase in [self.gather, self.read, self.rules, self.resolve] {
            out.append(phase);
        }
    }
}

/// A variable during its resolution.
struct ResolvingVariable<'m> {
    declared: &'m DeclaredVariable<'m>,
    /// The provided values in ascending order of precedence; the last one takes effect.
    settings: Vec<Setting>,
    raw: Option<Value>,
    from: Option<ValueOrigin>,
    value: Option<Value>,
    /// The location of the effective expression, if it is in a file.
    file_span: Option<Span>,
    /// Whether the final value is the default although another one was provided.
    fell_back: bool,
    /// Whether the provided value does not match, which has been reported.
    unsettled: bool,
    /// Whether a value of the wrong type is reported at the declaration of the variable.
    misfits_at_declaration: bool,
    /// Whether it is reported without a place.
    misfits_without_place: bool,
}

struct Reader<'a> {
    inputs: &'a Inputs<'a>,
}

impl Reader<'_> {
    /// Reports values for undeclared variables (variables.md, section A6.3). A value that cannot be read is ignored.
    fn undeclared(&self, declared: &[DeclaredVariable<'_>], settings: &Settings, out: &mut Diagnostics) {
        /// The number of warnings up to which they are reported individually.
        const SHOWN: usize = 2;
        let known: HashSet<&str> = declared.iter().map(|declared| declared.name).collect();
        let mut warnings = 0;
        for (name, given) in &settings.names {
            let Some(winner) = given.last() else { continue };
            if known.contains(name.as_str()) || winner.undeclared == Undeclared::Silent {
                continue;
            }
            if let Raw::InFile(expr) = winner.raw
                && read::expression(self.inputs.forest, expr, &mut Diagnostics::new()).is_none()
            {
                continue;
            }
            let detail = || {
                let hint = hint(name, known.iter().copied());
                format!(
                    "A value is given for {name:?}, but the root module does not declare this variable.{hint} Declare it, or remove the value."
                )
            };
            match winner.undeclared {
                Undeclared::Error => out.push(Diagnostic::tool(&codes::UNDECLARED, None, detail())),
                Undeclared::Warning => {
                    warnings += 1;
                    if warnings <= SHOWN {
                        let mut warning = Diagnostic::tool(&codes::UNDECLARED, None, detail());
                        warning.severity = Severity::Warning;
                        out.push(warning);
                    }
                }
                Undeclared::Silent => {}
            }
        }
        if warnings > SHOWN {
            let detail = match warnings - SHOWN {
                1 => "1 more value is given for a variable that the root module does not declare.".to_owned(),
                more => format!("{more} more values are given for variables that the root module does not declare."),
            };
            out.push(Diagnostic::tool(&codes::UNDECLARED_MANY, None, detail));
        }
    }

    /// Reads a value provided for a variable; what is reported about it may quote the value.
    fn value(&self, declared: &DeclaredVariable<'_>, raw: &Raw, out: &mut Diagnostics) -> Option<Value> {
        let (value, found) = out.collect(|out| read::value(self.inputs.forest, declared, raw, self.text_rule(), out));
        out.extend(found.into_iter().map(|found| found.quoting(declared.quotes())));
        value
    }

    /// Reads the effective value of a variable.
    fn read<'m>(
        &self,
        declared: &'m DeclaredVariable<'m>,
        settings: &Settings,
        out: &mut Diagnostics,
    ) -> ResolvingVariable<'m> {
        let settings_of = settings.get(declared.name).to_vec();
        let (raw, from) = match settings_of.last() {
            Some(winner) => (self.value(declared, &winner.raw, out), Some(winner.origin.clone())),
            None => {
                let default = declared.variable.default();
                (default.cloned(), default.map(|_| ValueOrigin::Default))
            }
        };
        let unset = raw.is_none() && declared.variable.default().is_none();
        let (raw, unset) = match self.inputs.dialect.variables.unset {
            Unset::Unknown if unset && settings_of.is_empty() => (Some(declared.variable.unknown()), false),
            // Whoever runs the tool knows the value.
            _ if unset && settings_of.is_empty() && self.inputs.unset_is_unknown => {
                (Some(declared.variable.unknown().with_marks(Marks::INEXACT)), false)
            }
            _ => (raw, unset),
        };
        // If a file could not be read, it may have contained the value.
        if unset && !(settings_of.is_empty() && settings.incomplete) {
            let detail = format!(
                "{} has no default and no value was provided. Set it in a variable definitions file, with an option or in the environment.",
                declared.address
            );
            out.push(Diagnostic::tool(&codes::NOT_SET, declared.header, detail).about(declared.address));
        }
        let at_declaration = declared.variable.marks.is_ephemeral()
            && self.inputs.dialect.has(Behaviour::EphemeralValuesBlamedAtDeclaration);
        let file_span = match settings_of.last() {
            _ if at_declaration => None,
            Some(Setting { raw: Raw::InFile(expr), .. }) => Some(self.inputs.forest.expr_span(*expr)),
            _ => None,
        };
        ResolvingVariable {
            declared,
            settings: settings_of,
            raw,
            from,
            value: None,
            file_span,
            fell_back: false,
            unsettled: false,
            misfits_without_place: file_span.is_none() && self.inputs.dialect.has(Behaviour::MisfitsWithoutPlace),
            misfits_at_declaration: declared.variable.marks.is_sensitive()
                || self.inputs.dialect.has(Behaviour::WrongArgumentsAtDeclaration),
        }
    }

    fn text_rule(&self) -> TextRule {
        self.inputs
            .dialect
            .variables
            .sources
            .iter()
            .find_map(|source| match source {
                ValueSource::Options { rule, .. } => Some(*rule),
                _ => None,
            })
            .unwrap_or(TextRule::ByType)
    }

    /// Returns what the hidden sources would have provided, in descending order of precedence.
    fn hidden(&self, variable: &ResolvingVariable<'_>) -> Vec<(ValueOrigin, Option<Value>)> {
        let mut silent = Diagnostics::new();
        let declared = variable.declared;
        let lower = variable.settings.len().saturating_sub(1);
        let mut hidden: Vec<(ValueOrigin, Option<Value>)> = variable
            .settings
            .iter()
            .take(lower)
            .rev()
            .map(|setting| {
                let raw = read::value(self.inputs.forest, declared, &setting.raw, self.text_rule(), &mut silent);
                (setting.origin.clone(), raw.map(|raw| declared.variable.convert(raw.clone()).unwrap_or(raw)))
            })
            .collect();
        if variable.fell_back
            && let Some(winner) = variable.settings.last()
        {
            hidden.insert(0, (winner.origin.clone(), variable.raw.clone()));
        } else if !variable.settings.is_empty()
            && let Some(default) = declared.variable.default()
        {
            hidden.push((ValueOrigin::Default, Some(default.clone())));
        }
        hidden
    }
}

impl ResolvingVariable<'_> {
    /// Converts the raw value and applies `nullable` (variables.md, section A4). Returns whether the default, if there
    /// is one, matches its type: if not, that has been reported of the override file that is to blame, and nothing
    /// more is said.
    fn finalize(&mut self, out: &mut Diagnostics) -> bool {
        let declared = self.declared;
        // The tool converts the default again before it examines the provided value, without filling in optional
        // attributes.
        if let (Some(default), Some(constraint)) = (declared.variable.default(), declared.variable.constraint())
            && convert(default, &constraint.ty).is_err()
        {
            return false;
        }
        self.finalize_value(out);
        true
    }

    fn finalize_value(&mut self, out: &mut Diagnostics) {
        let declared = self.declared;
        let Some(raw) = &self.raw else { return };
        // The defaults of optional attributes, then the conversion (steps 2 and 3).
        match declared.variable.convert(raw.clone()) {
            Ok(value) if value.is_null() && !declared.nullable => match declared.variable.default() {
                Some(default) if !default.is_null() => {
                    self.fell_back = !self.settings.is_empty();
                    self.from = Some(ValueOrigin::Default);
                    self.value = Some(default.clone());
                }
                _ => {
                    let detail = format!(
                        "The value of {} is null, but the variable has `nullable = false` and no default to use instead.",
                        declared.address
                    );
                    out.push(
                        Diagnostic::tool(&codes::NULL, self.given_at(), detail)
                            .about(declared.address)
                            .and("declared here", declared.header),
                    );
                }
            },
            Ok(value) => self.value = Some(value),
            Err(error) => {
                // For a sensitive variable, always at the declaration, unlike other problems (variables.md, section
                // A6.5).
                let misfit_at = if self.misfits_at_declaration { declared.header } else { self.given_at() };
                let misfit_at = Some(misfit_at).filter(|_| !self.misfits_without_place);
                let place = error.path_text();
                let place = if place.is_empty() { String::new() } else { format!(" (at {place})") };
                let misfit = format!("The value for {} cannot be converted to its type", declared.address);
                out.push(
                    Diagnostic::tool(&codes::MISFIT, misfit_at, format!("{misfit}{place}: {}.", error.reason))
                        .about(declared.address)
                        .quoting(declared.quotes())
                        .with_redacted_detail(format!(
                            "{misfit}. The value is sensitive, so the reason is not shown."
                        ))
                        .and("declared here", declared.header),
                );
            }
        }
    }

    /// Returns where a problem with the value is reported: at the expression in a file, or else at the declaration.
    fn given_at(&self) -> Span {
        let in_file = self.file_span.filter(|_| !self.fell_back);
        in_file.unwrap_or(self.declared.header)
    }

    fn finish(self, hidden: Vec<(ValueOrigin, Option<Value>)>) -> ResolvedVariable {
        let marks = self.declared.variable.marks;
        let value = self.value.map(|value| value.with_marks(marks));
        let state = match &value {
            None => ValueState::Error,
            Some(value) if value.is_wholly_known() => ValueState::Known,
            Some(_) => ValueState::Unknown,
        };
        let is_given = !self.settings.is_empty();
        ResolvedVariable {
            name: self.declared.name.into(),
            value,
            raw: self.raw,
            marks,
            is_given,
            state,
            from: self.from.into_iter().collect(),
            hidden,
        }
    }
}

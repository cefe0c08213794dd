//! The context in which the expressions of a module are evaluated, apart from names.

use crate::config::Module;
use crate::config::ObjectAddr;
use crate::language::references::AddressWords;
use crate::language::required_providers;
use overfold_base::account;
use overfold_base::diag::Diagnostics;
use overfold_dialect::words;
use overfold_dialect::{self as dialect, DialectSpec};
use overfold_eval::{
    self as eval, Absent, FileAccess, FunctionSet, JsonStrings, LogicRule, Names, ProviderFunctions, Scope,
};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::Value;

/// The language of a dialect's expressions, for one request.
#[derive(Clone)]
pub struct Language<'a> {
    /// The source texts and their trees.
    pub forest: &'a Forest,
    /// The keywords that begin addresses of their own kind.
    pub words: AddressWords,
    /// The functions of the language.
    pub functions: &'static FunctionSet,
    /// The providers whose functions may be called; `None` if there are none.
    pub providers: Option<&'a ProviderFunctions>,
    /// How `&&` and `||` treat errors.
    pub logic: LogicRule,
    /// The files that functions may read.
    pub files: FileAccess<'a>,
    /// The time of the plan as RFC 3339; `None` if it is unknown.
    pub plan_time: Option<&'a str>,
    /// Where it is noted what functions ask for that was not given; `None` if nobody wants to know.
    pub absent: Option<&'a Absent>,
}

impl<'a> Language<'a> {
    /// Returns the language of a dialect, without provider functions.
    pub fn of(dialect: &'static DialectSpec, forest: &'a Forest, files: FileAccess<'a>) -> Self {
        let short = dialect.rules.expressions.logic_short_circuits;
        Self {
            forest,
            words: AddressWords::of(dialect),
            functions: dialect::functions(dialect),
            providers: None,
            logic: if short { LogicRule::ShortCircuit } else { LogicRule::BothSides },
            files,
            plan_time: None,
            absent: None,
        }
    }

    /// Evaluates an expression that sees these root names. Faults go to `out`; affected values are then unknown.
    pub fn evaluate(&self, expr: ExprAt, names: &dyn Names, out: &mut Diagnostics) -> Value {
        let scope = Scope {
            roots: Some(names),
            functions: Some(self.functions),
            providers: self.providers,
            files: Some(self.files.clone()),
            json: JsonStrings::Templates,
            logic: self.logic,
            plan_time: self.plan_time,
            absent: self.absent,
        };
        eval::evaluate(self.forest, expr, &scope, out)
    }
}

/// Returns the required providers of a module, the only ones whose functions it can call.
pub fn provider_functions(module: &Module<'_>, forest: &Forest) -> ProviderFunctions {
    let mut providers = ProviderFunctions::default();
    account::work(module.elements.len() as u64);
    for element in &module.elements {
        let ObjectAddr::RequiredProvider(name) = element.address else { continue };
        let source = element.block.arguments.iter().find(|argument| argument.name == words::SOURCE_ARGUMENT);
        let builtin = required_providers::is_builtin(forest, name, source.map(|source| source.expr));
        providers.add(name, builtin);
    }
    providers
}

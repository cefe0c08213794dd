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
    self as eval, FileAccess, FunctionSet, JsonStrings, LogicRule, Names, ProviderFunctions, Purpose, Scope,
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
    /// What values are for.
    pub purpose: Purpose<'a>,
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
            purpose: Purpose::Checks,
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
            purpose: self.purpose,
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

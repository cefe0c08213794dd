//! The context in which the expressions of a module are evaluated, apart from names.

use crate::config::Module;
use crate::config::ObjectAddr;
use crate::language::references::AddressWords;
use crate::language::required_providers;
use overfold_base::account::ChargedIterator;
use overfold_base::diag::Diagnostics;
use overfold_dialect::words;
use overfold_dialect::{self as dialect, Behaviour, DialectSpec};
use overfold_eval::{
    self as eval, Absent, FileAccess, FunctionSet, JsonStrings, LogicRule, Names, ProviderFunctions, Scope,
};
use overfold_syntax::tree::ExprKind;
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
    /// Whether an expression that is in parentheses as a whole cannot call them.
    pub parentheses_hide_providers: bool,
    /// Whether each of these providers may have more functions than are known, whose results are unknown.
    pub assumes_functions: bool,
    /// How `&&` and `||` treat errors.
    pub logic: LogicRule,
    /// The files that functions may read.
    pub files: FileAccess<'a>,
    /// The time of the plan as RFC 3339; `None` if it is unknown.
    pub plan_time: Option<&'a str>,
    /// The time as RFC 3339, where `timestamp` has a value; `None` if it is unknown.
    pub clock: Option<&'a str>,
    /// Where it is noted what functions ask for that was not given; `None` if nobody wants to know.
    pub absent: Option<&'a Absent>,
}

impl<'a> Language<'a> {
    /// Returns the language of a dialect, without provider functions.
    pub fn new(dialect: &'static DialectSpec, forest: &'a Forest, files: FileAccess<'a>) -> Self {
        Self {
            forest,
            words: AddressWords::for_dialect(dialect),
            functions: dialect::functions(dialect),
            providers: None,
            parentheses_hide_providers: dialect.has(Behaviour::ProviderFunctionsOutsideOfParentheses),
            assumes_functions: false,
            logic: logic_rule(dialect),
            files,
            plan_time: None,
            clock: None,
            absent: None,
        }
    }

    /// Evaluates an expression that sees these root names. Faults go to `out`; affected values are then unknown.
    pub fn evaluate(&self, expr: ExprAt, names: &dyn Names, out: &mut Diagnostics) -> Value {
        let hidden = self.parentheses_hide_providers && is_in_parentheses(self.forest, expr);
        let scope = Scope {
            roots: Some(names),
            functions: Some(self.functions),
            providers: self.providers.filter(|_| !hidden),
            assumes_functions: self.assumes_functions,
            files: Some(self.files.clone()),
            json: JsonStrings::Templates,
            logic: self.logic,
            plan_time: self.plan_time,
            clock: self.clock,
            absent: self.absent,
        };
        eval::evaluate(self.forest, expr, &scope, out)
    }
}

/// Whether an expression is in parentheses as a whole.
fn is_in_parentheses(forest: &Forest, expr: ExprAt) -> bool {
    let ExprAt::Native(source, id) = expr else { return false };
    forest.native(source).is_some_and(|tree| matches!(tree.expr(id).kind, ExprKind::Parens(_)))
}

/// Returns how `&&` and `||` treat errors in a dialect.
pub const fn logic_rule(dialect: &DialectSpec) -> LogicRule {
    if dialect.rules.expressions.logic_short_circuits { LogicRule::ShortCircuit } else { LogicRule::BothSides }
}

/// Returns the required providers of a module, the only ones whose functions it can call.
pub fn provider_functions(module: &Module<'_>, forest: &Forest) -> ProviderFunctions {
    let mut providers = ProviderFunctions::default();
    for element in module.elements.iter().charged_at_once(1) {
        let ObjectAddr::RequiredProvider(name) = element.address else { continue };
        let source = element.block.argument(words::SOURCE_ARGUMENT);
        let builtin = required_providers::is_builtin(forest, name, source.map(|source| source.expr));
        providers.add(name, builtin);
    }
    providers
}

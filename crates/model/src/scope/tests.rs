//! What every stage may rely on, tested with a policy that records its calls.

use std::cell::RefCell;

use super::*;
use crate::config::Secrets;
use crate::language::codes::INVALID_REFERENCE;
use crate::language::references::AddressWords;
use overfold_base::diag::{Diagnostic, Diagnostics, Secrecy, Span};
use overfold_base::files::FileSet;
use overfold_eval::{FileAccess, FunctionSet, LogicRule};
use overfold_syntax::tree::Root;
use overfold_syntax::{ExprAt, Forest, SyntaxLimits};
use overfold_value::{Number, Value};

const WORDS: AddressWords = AddressWords {
    ephemeral: true,
    action: false,
    list: false,
    caller: false,
    resource: true,
    reserved: true,
    few: false,
    types: false,
    also_terraform: Some("tool"),
};

/// A module with local values.
struct Fixture {
    forest: Forest,
    files: FileSet,
    functions: &'static FunctionSet,
}

impl Fixture {
    fn new() -> Self {
        let dialect = overfold_dialect::find("terraform", None).unwrap();
        Self {
            forest: Forest::new(SyntaxLimits::default()),
            files: FileSet::default(),
            functions: overfold_dialect::functions(dialect),
        }
    }

    fn parse(&self, text: &str) -> ExprAt {
        let mut out = Diagnostics::new();
        let source = self.forest.parse_detached_expression("<test>", text.to_owned().into(), &mut out);
        assert!(!out.has_errors(), "{text}");
        match self.forest.native(source).unwrap().root {
            Root::Expr(id) => ExprAt::Native(source, id),
            Root::Body(_) => panic!("no expression"),
        }
    }

    fn definitions<'a>(&self, locals: &[(&'a str, &str)]) -> Definitions<'a> {
        let mut definitions = Definitions::default();
        for (name, text) in locals {
            definitions.add_local(LocalValue { name, range: Span::NOWHERE, expr: self.parse(text), broken: false });
        }
        definitions
    }

    fn language(&self) -> Language<'_> {
        Language {
            forest: &self.forest,
            words: WORDS,
            functions: self.functions,
            providers: None,
            parentheses_hide_providers: false,
            assumes_functions: false,
            logic: LogicRule::BothSides,
            plan_time: None,
            clock: None,
            absent: None,
            files: FileAccess::new(&self.files, ""),
        }
    }

    fn evaluator<'a>(&'a self, definitions: &'a Definitions<'a>) -> Evaluator<'a, Recording> {
        let context = RunContext { workspace: Some("default"), applying: Some(false), marks_ephemeral: true };
        Evaluator::new(Recording::default(), self.language(), definitions, context)
    }

    /// Returns the value of an expression, and the texts of the references that close a cycle.
    fn value(&self, evaluator: &mut Evaluator<'_, Recording>, text: &str) -> (Value, Vec<String>) {
        let expr = self.parse(text);
        let references = evaluator.references(expr, |_| false);
        let mut out = Diagnostics::new();
        evaluator.require(&references, &mut out);
        let cycles = out.iter().map(|found| self.forest.sources.text(found.span.unwrap()).into_owned()).collect();
        (evaluator.known.evaluate(expr, &references, &mut Diagnostics::new()), cycles)
    }
}

fn whole(value: &Value) -> Option<i64> {
    value.as_number().and_then(Number::to_i64)
}

/// Records the order in which local values are evaluated.
#[derive(Default)]
struct Recording {
    evaluated: RefCell<Vec<String>>,
}

impl<'a> Policy<'a> for Recording {
    type Variable = Value;
    type Local = Value;

    fn variable(&self, variable: &Variable<'a>) -> Value {
        variable.unknown()
    }

    fn local(
        &self,
        local: &LocalValue<'a>,
        references: &References<'_>,
        known: &DefinitionResults<'a, Self>,
        out: &mut Diagnostics,
    ) -> Value {
        self.evaluated.borrow_mut().push(local.name.to_owned());
        known.evaluate(local.expr, references, out)
    }

    fn follows(&self, references: &References<'_>) -> bool {
        references.provider_calls.is_empty()
    }

    fn circular(&self, _local: &LocalValue<'a>, at: Span, out: &mut Diagnostics) {
        out.push(Diagnostic::tool(&INVALID_REFERENCE, at, ""));
    }
}

#[test]
fn each_local_value_is_evaluated_once_and_after_those_it_uses() {
    let fixture = Fixture::new();
    let definitions = fixture.definitions(&[
        ("top", "local.left + local.right"),
        ("left", "local.base * 2"),
        ("right", "local.base"),
        ("base", "7"),
        ("unused", "1"),
    ]);
    let mut evaluator = fixture.evaluator(&definitions);
    let (value, cycles) = fixture.value(&mut evaluator, "local.top");
    assert_eq!(whole(&value), Some(21));
    assert_eq!(cycles, Vec::<String>::new());
    fixture.value(&mut evaluator, "local.top + local.base");
    assert_eq!(*evaluator.policy.evaluated.borrow(), ["base", "left", "right", "top"]);
}

#[test]
fn chains_may_be_as_long_as_a_file() {
    const LENGTH: usize = 50_000;
    let fixture = Fixture::new();
    let names: Vec<String> = (0..LENGTH).map(|index| format!("n{index}")).collect();
    let texts: Vec<String> =
        (0..LENGTH).map(|index| if index == 0 { "1".to_owned() } else { format!("local.n{}", index - 1) }).collect();
    let locals: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(texts.iter().map(String::as_str)).collect();
    let definitions = fixture.definitions(&locals);
    let mut evaluator = fixture.evaluator(&definitions);
    let (value, _) = fixture.value(&mut evaluator, &format!("local.n{}", LENGTH - 1));
    assert_eq!(whole(&value), Some(1));
    assert_eq!(evaluator.policy.evaluated.borrow().len(), LENGTH);
}

#[test]
fn a_cycle_is_found_at_the_reference_that_closes_it() {
    let fixture = Fixture::new();
    let definitions = fixture.definitions(&[
        ("a", "[local.b, 1]"),
        ("b", "local.c"),
        ("c", "[local.a.x, local.a]"),
        ("itself", "local.itself"),
    ]);
    let mut evaluator = fixture.evaluator(&definitions);
    let (value, cycles) = fixture.value(&mut evaluator, "local.a");
    // Reported once for each local value with such references, at the whole reference.
    assert_eq!(cycles, ["local.a.x"]);
    assert!(!value.is_wholly_known());
    assert_eq!(fixture.value(&mut evaluator, "local.a").1, Vec::<String>::new());
    assert_eq!(fixture.value(&mut evaluator, "local.itself").1, ["local.itself"]);
}

#[test]
fn a_policy_may_leave_references_alone() {
    let fixture = Fixture::new();
    let definitions = fixture.definitions(&[("a", "[provider::x::f(local.b)]"), ("b", "1")]);
    let mut evaluator = fixture.evaluator(&definitions);
    fixture.value(&mut evaluator, "local.a");
    assert_eq!(*evaluator.policy.evaluated.borrow(), ["a"]);
}

#[test]
fn faults_are_named() {
    let fixture = Fixture::new();
    let definitions = fixture.definitions(&[("a", "1")]);
    let text = "[local.a, local.b, var.c, path.d, path.cwd, terraform.e, tool.workspace, var, type.name]";
    let references = References::new(&fixture.forest, WORDS, &definitions, fixture.parse(text), |_| false);
    let faults: Vec<Option<Fault<'_>>> = references.list.iter().map(Reference::fault).collect();
    assert_eq!(
        faults,
        [
            None,
            Some(Fault::UndeclaredLocal("b")),
            Some(Fault::UndeclaredVariable("c")),
            Some(Fault::PathAttribute("d")),
            None,
            Some(Fault::TerraformAttribute("e")),
            None,
            None,
            None,
        ]
    );
    let malformed: Vec<&str> = references
        .list
        .iter()
        .filter(|reference| !reference.malformed.is_empty())
        .map(|reference| &*reference.root)
        .collect();
    assert_eq!(malformed, ["var"]);
    let bound = References::new(&fixture.forest, WORDS, &definitions, fixture.parse(text), |root| root == "local");
    assert_eq!(bound.list.len(), references.list.len() - 2);
}

#[test]
fn an_expression_sees_what_it_uses() {
    let fixture = Fixture::new();
    let definitions = fixture.definitions(&[("a", "1"), ("b", "2")]);
    let mut evaluator = fixture.evaluator(&definitions);
    let text =
        "[local.a, path.module, path.cwd, terraform.workspace, tool.applying, count.index, each.key, ephemeral.a.b]";
    let references = evaluator.references(fixture.parse(text), |_| false);
    evaluator.require(&references, &mut Diagnostics::new());
    let visible = evaluator.known.names(&references, |_, _| None);
    let roots = visible.roots();
    let names: Vec<&str> = roots.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["count", "each", "ephemeral", "local", "path", "terraform", "tool"]);
    let attributes = |root: &str| {
        let entries = roots.get(root).unwrap().entries();
        entries.iter().map(|(name, value)| (name.to_string(), value.is_known())).collect::<Vec<_>>()
    };
    assert_eq!(attributes("local"), [("a".to_owned(), true)]);
    assert_eq!(attributes("path"), [("cwd".to_owned(), false), ("module".to_owned(), true)]);
    assert_eq!(attributes("terraform"), [("workspace".to_owned(), true)]);
    assert!(roots.get("tool").unwrap().deep_marks().is_ephemeral());
    assert!(roots.get("ephemeral").unwrap().marks().is_ephemeral());
    assert!(!roots.get("each").unwrap().is_known());
}

#[test]
fn secrecy_follows_local_values_and_calls() {
    let fixture = Fixture::new();
    let definitions = fixture.definitions(&[
        ("open", "1"),
        ("user", "[local.secret]"),
        ("secret", "nonsensitive(sensitive(\"x\"))"),
        ("loop", "[local.loop, local.user]"),
    ]);
    let secrets = Secrets::default();
    let secrecy = LocalSecrecy::new(&definitions, &secrets, &fixture.forest);
    let of = |text: &str| secrecy.expression(fixture.parse(text));
    assert_eq!(of("local.open"), Secrecy::Open);
    assert_eq!(of("local.user"), Secrecy::Sensitive);
    assert_eq!(of("[for x in local.loop : x]"), Secrecy::Sensitive);
}

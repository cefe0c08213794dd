//! What is certain about an expression before it is evaluated. Most expressions of a body are so simple that nothing can
//! be found in them; they need not be evaluated where the value does not matter.

use std::borrow::Cow;

use super::names::Names;
use overfold_base::account;
use overfold_model::config::ObjectAddr;
use overfold_model::language::references::{ResourceMode, Subject};
use overfold_model::scope::References;
use overfold_syntax::ExprAt;
use overfold_syntax::tree::{Expr, ExprKind, Id, Step, StepKind, Tree};
use overfold_value::normalized;

/// How deeply expressions are looked at; deeper ones are evaluated.
const MAX_DEPTH: u32 = 16;

/// What is certain about the value of an expression in which nothing can be found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InfallibleValue {
    /// It may be any value.
    Any,
    /// It is a string, number or boolean, or unknown, so that it may be a part of a template, or a key in brackets.
    Plain,
    /// It is an unknown value of unknown type without marks, from which anything can be selected.
    Dynamic,
}

impl Names<'_> {
    /// Whether nothing can be found when an expression with these references is evaluated. Not every such expression is
    /// recognised.
    pub(super) fn never_fails(&self, expr: ExprAt, references: &References<'_>) -> bool {
        self.infallible_value(expr, references).is_some()
    }

    /// Whether the value of an expression with these references is unknown in every respect, and nothing can be found
    /// when it is evaluated: it is an attribute of a resource, for example.
    pub(super) fn is_unknown_attribute(&self, expr: ExprAt, references: &References<'_>) -> bool {
        self.infallible_value(expr, references) == Some(InfallibleValue::Dynamic)
    }

    fn infallible_value(&self, expr: ExprAt, references: &References<'_>) -> Option<InfallibleValue> {
        let ExprAt::Native(source, id) = expr else { return None };
        let tree = self.forest.native(source)?;
        if references.is_complete { InfallibleExpr { names: self, tree }.value_of(id, 0) } else { None }
    }
}

/// A look at an expression whose references are well-formed.
struct InfallibleExpr<'l, 'a> {
    names: &'l Names<'a>,
    tree: &'l Tree,
}

impl InfallibleExpr<'_, '_> {
    /// Returns what is certain about the value of an expression; `None` if something may be found in it.
    fn value_of(&self, id: Id<Expr>, depth: u32) -> Option<InfallibleValue> {
        account::work(1);
        if depth > MAX_DEPTH {
            return None;
        }
        let tree = self.tree;
        let inner = |id: Id<Expr>| self.value_of(id, depth + 1);
        let is_plain = |id: Id<Expr>| inner(id).is_some_and(|certain| certain != InfallibleValue::Any);
        let is_dynamic = |id: Id<Expr>| inner(id) == Some(InfallibleValue::Dynamic);
        let result = |holds: bool, certain: InfallibleValue| holds.then_some(certain);
        match tree.expr(id).kind {
            ExprKind::Number | ExprKind::Bool(_) | ExprKind::Text(_) => Some(InfallibleValue::Plain),
            ExprKind::Null => Some(InfallibleValue::Any),
            ExprKind::Traversal(steps) => self.reference(tree.steps(steps)),
            ExprKind::Parens(id) | ExprKind::TemplateWrap(id) => inner(id),
            // What is unknown makes the text unknown, whatever its type.
            ExprKind::Template { parts, .. } => {
                result(tree.list(parts).iter().all(|&part| is_plain(part)), InfallibleValue::Plain)
            }
            ExprKind::Tuple { items, .. } => {
                result(tree.list(items).iter().all(|&item| inner(item).is_some()), InfallibleValue::Any)
            }
            ExprKind::Object { items, .. } => {
                let mut items = tree.items(items).iter();
                result(
                    items.all(|item| item.literal_name.is_some() && inner(item.value).is_some()),
                    InfallibleValue::Any,
                )
            }
            ExprKind::RelativeTraversal { on, steps } => {
                result(are_selectors(tree.steps(steps)) && is_dynamic(on), InfallibleValue::Dynamic)
            }
            ExprKind::Splat(id) => result(is_dynamic(tree.splat(id).source), InfallibleValue::Dynamic),
            ExprKind::Index(id) => {
                let index = tree.index_expr(id);
                result(is_dynamic(index.collection) && is_plain(index.key), InfallibleValue::Dynamic)
            }
            ExprKind::Call(id) => {
                let call = tree.call(id);
                let name = tree.str(call.name);
                if call.expand_final || self.names.functions.get(name).is_none() {
                    return None;
                }
                match (name, tree.list(call.args)) {
                    // The first argument in which nothing is found is the result; if it is unknown, of unknown type.
                    ("try", &[first, ..]) if is_dynamic(first) => Some(InfallibleValue::Dynamic),
                    ("try", args) => result(args.iter().any(|&arg| inner(arg).is_some()), InfallibleValue::Any),
                    ("can", [_]) => Some(InfallibleValue::Plain),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn reference(&self, steps: &[Step]) -> Option<InfallibleValue> {
        let (root, steps) = steps.split_first()?;
        if !are_selectors(steps) {
            return None;
        }
        let name = match steps.first()?.kind {
            StepKind::Attr(name) => self.tree.slice(name),
            _ => "",
        };
        // A name that is not in normal form is not the one that is declared.
        if matches!(normalized(name), Cow::Owned(_)) {
            return None;
        }
        let root = self.tree.slice(root.range);
        let Some(subject) = self.names.words.named(root, Cow::Borrowed(name)) else {
            if self.is_typed(root, name, steps) {
                return None;
            }
            // The value of an ephemeral object has a mark.
            return Some(if root == "ephemeral" { InfallibleValue::Plain } else { InfallibleValue::Dynamic });
        };
        let (is_whole, definitions) = (steps.len() == 1, self.names.definitions);
        match subject {
            Subject::Each(name) if name == "value" => Some(InfallibleValue::Dynamic),
            Subject::Variable(_) if is_whole && definitions.variable_named(name).is_some() => {
                Some(InfallibleValue::Plain)
            }
            Subject::Local(_) if is_whole && definitions.local_named(name).is_some() => Some(InfallibleValue::Any),
            Subject::Each(_) | Subject::Count(_) | Subject::Path(_) | Subject::Terraform(_) if is_whole => {
                Some(InfallibleValue::Plain)
            }
            _ => None,
        }
    }
}

impl InfallibleExpr<'_, '_> {
    /// Whether a reference whose root is no keyword leads to a resource of which something is known.
    fn is_typed(&self, root: &str, first: &str, steps: &[Step]) -> bool {
        let second = match steps.get(1).map(|step| &step.kind) {
            Some(StepKind::Attr(name)) => self.tree.slice(*name),
            _ => "",
        };
        let (mode, type_name, name) = match root {
            "data" => (ResourceMode::Data, first, second),
            "resource" => (ResourceMode::Managed, first, second),
            _ => (ResourceMode::Managed, root, first),
        };
        self.names.resource_value(ObjectAddr::Resource { mode, type_name, name }).is_some()
    }
}

/// Whether steps select something from every value of unknown type: no key is null.
fn are_selectors(steps: &[Step]) -> bool {
    !steps.iter().any(|step| matches!(step.kind, StepKind::IndexOther(_)))
}

#[cfg(test)]
mod tests {

    use super::InfallibleValue;
    use overfold_base::account::{self, Cancel, Limits};
    use overfold_base::diag::Diagnostics;
    use overfold_base::files::{FileSet, ModulePath, SourceFile};
    use overfold_dialect as dialect;
    use overfold_load::loading::{self, Request, ToolStage};
    use overfold_syntax::Forest;
    use overfold_value::Value;

    /// What the expressions name.
    const MAIN: &str = "variable \"v\" {\n  type = list(string)\n}\nvariable \"secret\" {\n  sensitive = true\n}\nlocals {\n  list = [1]\n}\nresource \"a_b\" \"r\" {}\nephemeral \"a_b\" \"e\" {}\nmodule \"m\" {\n  source = \"a/b/c\"\n}\n";

    /// Returns for each expression what is certain about it, its value, and the titles of what is found in it.
    fn looked_at(expressions: &[&str]) -> Vec<(Option<InfallibleValue>, Value, Vec<String>)> {
        let numbered = expressions.iter().enumerate();
        let locals: Vec<String> = numbered.map(|(at, text)| format!("  e{at} = {text}\n")).collect();
        let text = format!("{MAIN}locals {{\n{}}}\n", locals.concat());
        let path = ModulePath::parse("main.tf").unwrap();
        let files = FileSet::new(vec![SourceFile { path, bytes: text.into_bytes().into() }], Vec::new());
        let request =
            Request { version: Some("1.11".to_owned()), stage: ToolStage::Validate, ..Request::new("terraform") };
        let table = dialect::find("terraform", Some("1.11")).unwrap();
        account::open(Limits::DEFAULT, &Cancel::new(), || {
            let forest = Forest::default();
            let mut report = loading::load(table, &forest, &files, &request, &mut |_| {}).unwrap();
            let mut all = Vec::new();
            crate::validate::run(&mut report, &files, &request, &mut |looked, _| {
                let evaluation = &looked.walked[0].evaluation;
                let names = evaluation.names();
                let one = |at: usize| {
                    let local = names.definitions.local(names.definitions.local_named(&format!("e{at}")).unwrap());
                    let references = names.references(&evaluation.evaluator.known.language, local.expr, &[]);
                    let mut out = Diagnostics::new();
                    let value = evaluation.value(local.expr, &references.well_formed(), None, &mut out);
                    let found = out.iter().map(|found| found.summary.to_string()).collect();
                    (names.infallible_value(local.expr, &references), value, found)
                };
                all = (0..expressions.len()).map(one).collect();
            });
            all
        })
        .unwrap()
    }

    const KNOWN: &[(&str, Option<InfallibleValue>)] = &[
        ("1", Some(InfallibleValue::Plain)),
        ("\"a ${var.v} b\"", Some(InfallibleValue::Plain)),
        ("null", Some(InfallibleValue::Any)),
        ("[1, null]", Some(InfallibleValue::Any)),
        ("{ a = var.v, b = [a_b.r.x] }", Some(InfallibleValue::Any)),
        ("a_b.r", Some(InfallibleValue::Dynamic)),
        ("a_b.r.x[0].y[\"z\"]", Some(InfallibleValue::Dynamic)),
        ("(a_b.r.x).y", Some(InfallibleValue::Dynamic)),
        ("a_b.r[*].x", Some(InfallibleValue::Dynamic)),
        ("a_b.r[var.v].x", Some(InfallibleValue::Dynamic)),
        ("local.list", Some(InfallibleValue::Any)),
        ("ephemeral.a_b.e.x", Some(InfallibleValue::Plain)),
        ("path.root", Some(InfallibleValue::Plain)),
        ("terraform.workspace", Some(InfallibleValue::Plain)),
        ("try(a_b.r.x, 1)", Some(InfallibleValue::Dynamic)),
        ("try([1][9], a_b.r.x)", Some(InfallibleValue::Any)),
        ("can([1][9])", Some(InfallibleValue::Plain)),
        ("\"${[1]}\"", Some(InfallibleValue::Any)),
        // Something may be found in these, or they are not looked at.
        ("local.list[9]", None),
        ("var.v.x", None),
        ("\"a${[1]}\"", None),
        ("\"a${null}\"", None),
        ("\"a${local.list}\"", None),
        ("[1][9]", None),
        ("[var.nothing]", None),
        ("a_b.r[null].x", None),
        ("a_b.r[local.list]", None),
        ("{ (var.v) = 1 }", None),
        ("{ \"b\" = 1 }", None),
        ("try([1][9])", None),
        ("upper(a_b.r.x)", None),
        ("nothing(1)", None),
        ("1 + 1", None),
        ("true ? 1 : 2", None),
        ("[for x in var.v : x]", None),
        ("module.m.x", None),
        ("path.nothing.x", None),
    ];

    #[test]
    fn simple_expressions_are_recognised() {
        let texts: Vec<&str> = KNOWN.iter().map(|(text, _)| *text).collect();
        let looked = KNOWN.iter().zip(looked_at(&texts));
        let wrong: Vec<&str> =
            looked.filter(|((_, wanted), (found, ..))| found != wanted).map(|((text, _), _)| *text).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn what_is_certain_holds_when_it_is_evaluated() {
        let texts: Vec<&str> = KNOWN.iter().map(|(text, _)| *text).collect();
        let mut wrong = 0;
        for (text, (certain, value, found)) in texts.iter().zip(looked_at(&texts)) {
            wrong += usize::from(!found.is_empty());
            let Some(certain) = certain else { continue };
            assert!(found.is_empty(), "{text}: {found:?}");
            match certain {
                InfallibleValue::Any => {}
                InfallibleValue::Plain => {
                    assert!(value.as_items().is_none() && value.as_entries().is_none() && !value.is_null(), "{text}");
                }
                InfallibleValue::Dynamic => assert!(value.same(&Value::dynamic()), "{text}: {value:?}"),
            }
        }
        assert!(wrong > 5, "{wrong}");
    }
}

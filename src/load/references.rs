//! What a traversal refers to: a resource, a variable, a module output …
//!
//! Titles and ranges as the tool's reference parser has them (asked through `depends_on`, `replace_triggered_by` and
//! conditions).

use super::leaf_codes as codes;
use super::traversal::{self, Step, StepKind, Traversal, error};
use crate::diag::{Diagnostics, Span, TextRange};
use crate::syntax::json::{JsonKind, JsonNode};
use crate::syntax::tree::{Expr, ExprKind, For, Id, Ids, Step as TreeStep, Tree};
use crate::syntax::{ExprAt, Forest};

/// Which words open an address of their own kind. Varies by version (terraform.md, section 10.1): a word that is not
/// known is an ordinary resource type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressWords {
    /// `ephemeral.TYPE.NAME`.
    pub ephemeral: bool,
    /// `action.TYPE.NAME`.
    pub action: bool,
}

/// Kinds of things with a type and a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ResourceMode {
    /// `resource`
    Managed,
    /// `data`
    Data,
    /// `ephemeral`
    Ephemeral,
    /// `action`
    Action,
}

impl ResourceMode {
    /// What the address begins with, with its dot; empty for managed resources.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Managed => "",
            Self::Data => "data.",
            Self::Ephemeral => "ephemeral.",
            Self::Action => "action.",
        }
    }
}

/// The key of an instance.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum InstanceKey {
    /// `[0]`
    Number(i64),
    /// `["text"]`
    Text(String),
}

impl std::fmt::Display for InstanceKey {
    /// With brackets, texts quoted as native syntax wants them.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "[{number}]"),
            Self::Text(text) => {
                f.write_str("[\"")?;
                let mut chars = text.chars().peekable();
                while let Some(c) = chars.next() {
                    match c {
                        '"' => f.write_str("\\\"")?,
                        '\\' => f.write_str("\\\\")?,
                        '\n' => f.write_str("\\n")?,
                        '\r' => f.write_str("\\r")?,
                        '\t' => f.write_str("\\t")?,
                        '$' | '%' if chars.peek() == Some(&'{') => write!(f, "{c}{c}")?,
                        c if c.is_control() => write!(f, "\\u{:04x}", c as u32)?,
                        c => write!(f, "{c}")?,
                    }
                }
                f.write_str("\"]")
            }
        }
    }
}

impl InstanceKey {
    /// The key that a step in brackets (or `.1`) holds; `None` for a name and for a number that is not whole or does
    /// not fit 64 bits.
    pub fn of(step: &Step) -> Option<Self> {
        match &step.kind {
            StepKind::Name(_) | StepKind::Odd => None,
            StepKind::Text(text) => {
                use unicode_normalization::UnicodeNormalization;
                Some(Self::Text(text.nfc().collect()))
            }
            StepKind::Number(digits) => whole_number(digits).map(Self::Number),
        }
    }
}

/// The value of a number as written (`12`, `1e3`, `2.0`), where it is whole and fits 64 bits.
fn whole_number(text: &str) -> Option<i64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix('+').unwrap_or(exponent).parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let mut digits = format!("{whole}{fraction}");
    let mut shift = i64::from(exponent) - fraction.len() as i64;
    if digits.trim_start_matches('0').is_empty() {
        return Some(0);
    }
    while shift < 0 && digits.ends_with('0') {
        digits.pop();
        shift += 1;
    }
    if !(0..=20).contains(&shift) {
        return None;
    }
    for _ in 0..shift {
        digits.push('0');
    }
    digits.parse().ok()
}

/// What is referred to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A resource of any mode, or one instance of it.
    Resource {
        /// Mode.
        mode: ResourceMode,
        /// Type.
        type_name: String,
        /// Name.
        name: String,
        /// Instance.
        key: Option<InstanceKey>,
    },
    /// A module call, one instance of it, or one of its outputs.
    Module {
        /// Name of the call.
        name: String,
        /// Instance.
        key: Option<InstanceKey>,
        /// Output.
        output: Option<String>,
    },
    /// `var.NAME`
    Variable(String),
    /// `local.NAME`
    Local(String),
    /// `path.NAME`
    Path(String),
    /// `terraform.NAME`
    Terraform(String),
    /// `count.NAME`
    Count(String),
    /// `each.NAME`
    Each(String),
    /// `self`
    This,
}

/// A reference: what it names, and how much of the traversal that took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// What is referred to.
    pub subject: Subject,
    /// The steps that name it.
    pub span: Span,
    /// How many steps of the traversal are left over.
    pub remaining: usize,
}

/// What a traversal refers to. Mistakes go to `out` and give `None`.
pub fn reference(traversal: &Traversal, words: AddressWords, out: &mut Diagnostics) -> Option<Reference> {
    let steps = traversal.steps.as_slice();
    let (root, rest) = steps.split_first()?;
    match root.name()? {
        "count" => single(steps, out, Subject::Count),
        "each" => single(steps, out, Subject::Each),
        "local" => single(steps, out, Subject::Local),
        "path" => single(steps, out, Subject::Path),
        "terraform" => single(steps, out, Subject::Terraform),
        "var" => single(steps, out, Subject::Variable),
        "self" => Some(Reference { subject: Subject::This, span: root.span, remaining: rest.len() }),
        "data" => prefixed(steps, ResourceMode::Data, out),
        "resource" => prefixed(steps, ResourceMode::Managed, out),
        "ephemeral" if words.ephemeral => prefixed(steps, ResourceMode::Ephemeral, out),
        "action" if words.action => prefixed(steps, ResourceMode::Action, out),
        "module" => module(steps, out),
        "template" | "lazy" | "arg" => {
            error(out, &codes::RESERVED_SYMBOL, root.span, "This name is reserved for the language.");
            None
        }
        _ => resource(steps, root.span, ResourceMode::Managed, out),
    }
}

fn span_of(first: Span, last: Span) -> Span {
    first.range().to(last.range()).in_source(first.source)
}

/// `root.NAME`
fn single(steps: &[Step], out: &mut Diagnostics, subject: fn(String) -> Subject) -> Option<Reference> {
    let (root, rest) = steps.split_first()?;
    let Some(second) = rest.first() else {
        error(out, &codes::INVALID_REFERENCE, root.span, "This object is only used through its attributes.");
        return None;
    };
    let Some(name) = second.name() else {
        error(out, &codes::INVALID_REFERENCE, second.span, "This object has attributes only, no keys.");
        return None;
    };
    Some(Reference {
        subject: subject(name.to_owned()),
        span: span_of(root.span, second.span),
        remaining: rest.len().saturating_sub(1),
    })
}

/// `word.TYPE.NAME`
fn prefixed(steps: &[Step], mode: ResourceMode, out: &mut Diagnostics) -> Option<Reference> {
    let (root, rest) = steps.split_first()?;
    if rest.len() < 2 {
        let last = rest.last().unwrap_or(root);
        error(
            out,
            &codes::INVALID_REFERENCE,
            span_of(root.span, last.span),
            "The word is followed by a type and a name.",
        );
        return None;
    }
    resource(rest, root.span, mode, out)
}

/// `TYPE.NAME` and an instance key. `start` is where the whole reference begins.
fn resource(steps: &[Step], start: Span, mode: ResourceMode, out: &mut Diagnostics) -> Option<Reference> {
    let (first, rest) = steps.split_first()?;
    let Some(second) = rest.first() else {
        error(
            out,
            &codes::INVALID_REFERENCE,
            first.span,
            "A resource type is followed by a dot and the name of a resource.",
        );
        return None;
    };
    // Too short and not a name are two mistakes with two places in the tool.
    let Some(type_name) = first.name() else {
        error(out, &codes::INVALID_REFERENCE, first.span, "A type is a name after a dot.");
        return None;
    };
    let Some(name) = second.name() else {
        error(out, &codes::INVALID_REFERENCE, second.span, "A resource type is followed by a dot and a name.");
        return None;
    };
    let mut span = span_of(start, second.span);
    let mut remaining = rest.len().saturating_sub(1);
    let mut key = None;
    if let Some(third) = rest.get(1)
        && third.name().is_none()
    {
        key = InstanceKey::of(third);
        if key.is_none() {
            error(out, &codes::INVALID_INDEX_KEY, third.span, "An instance key is a whole number or a text.");
            return None;
        }
        span = span_of(start, third.span);
        remaining = remaining.saturating_sub(1);
    }
    let subject = Subject::Resource { mode, type_name: type_name.to_owned(), name: name.to_owned(), key };
    Some(Reference { subject, span, remaining })
}

/// `module.NAME`, an instance key, an output.
fn module(steps: &[Step], out: &mut Diagnostics) -> Option<Reference> {
    let start = steps.first()?.span;
    let found = single(steps, out, Subject::Local)?;
    let Subject::Local(name) = found.subject else { return None };
    let mut span = found.span;
    let mut rest = steps.get(2..).unwrap_or_default();
    let mut key = None;
    if let Some(step) = rest.first()
        && step.name().is_none()
    {
        key = InstanceKey::of(step);
        if key.is_none() {
            error(out, &codes::INVALID_INDEX_KEY, step.span, "An instance key is a whole number or a text.");
            return None;
        }
        span = span_of(start, step.span);
        rest = rest.get(1..).unwrap_or_default();
    }
    let mut output = None;
    if let Some(step) = rest.first() {
        let Some(name) = step.name() else {
            error(out, &codes::INVALID_REFERENCE, step.span, "A module call is used through its outputs.");
            return None;
        };
        output = Some(name.to_owned());
        span = span_of(start, step.span);
        rest = rest.get(1..).unwrap_or_default();
    }
    Some(Reference { subject: Subject::Module { name, key, output }, span, remaining: rest.len() })
}

/// Every traversal that an expression refers to, in the order in which the tool walks it; names that a `for` brings
/// in are left out. Texts of the JSON syntax are read as templates, keys of its objects included. Mistakes inside them
/// are not told here.
pub fn traversals_in(forest: &Forest, expr: ExprAt) -> Vec<Traversal> {
    let mut found = Vec::new();
    match expr {
        ExprAt::Native(source, id) => {
            if let Some(tree) = forest.native(source) {
                Walk { tree, found: &mut found, scopes: Vec::new() }.run(id);
            }
        }
        ExprAt::Json(source, node) => json_traversals(forest, source, node, &mut found),
    }
    found
}

fn json_traversals(forest: &Forest, source: crate::diag::SourceId, node: Id<JsonNode>, found: &mut Vec<Traversal>) {
    let Some(tree) = forest.json(source) else { return };
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        match tree.node(node).kind {
            JsonKind::Text(_) => {
                let mut unheard = Diagnostics::new();
                let read = forest.parse_json_template(source, node, &mut unheard);
                if let Some(ExprAt::Native(inner, id)) = read
                    && let Some(tree) = forest.native(inner)
                {
                    Walk { tree, found, scopes: Vec::new() }.run(id);
                }
            }
            JsonKind::Array { items, .. } => waiting.extend(tree.list(items).iter().rev()),
            JsonKind::Object { properties, .. } => {
                waiting.extend(tree.properties(properties).iter().rev().map(|property| property.value));
            }
            _ => {}
        }
    }
}

/// A walk over a native expression without recursion: deep trees cost memory, not stack.
struct Walk<'t, 'f> {
    tree: &'t Tree,
    found: &'f mut Vec<Traversal>,
    scopes: Vec<String>,
}

enum Task {
    Visit(Id<Expr>),
    Enter(Id<For>),
    Leave(usize),
}

impl Walk<'_, '_> {
    fn run(&mut self, root: Id<Expr>) {
        let mut tasks = vec![Task::Visit(root)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(id) => self.visit(id, &mut tasks),
                Task::Enter(id) => {
                    let parts = self.tree.for_expr(id);
                    for name in parts.key_var.into_iter().chain([parts.value_var]) {
                        self.scopes.push(self.tree.slice(name).into_owned());
                    }
                }
                Task::Leave(depth) => self.scopes.truncate(depth),
            }
        }
    }

    fn visit(&mut self, id: Id<Expr>, tasks: &mut Vec<Task>) {
        let tree = self.tree;
        let expr = tree.expr(id);
        let mut children: Vec<Id<Expr>> = Vec::new();
        match expr.kind {
            ExprKind::Traversal(steps) => self.traversal(steps, expr.range),
            ExprKind::Template { parts, .. } => children.extend(tree.list(parts)),
            ExprKind::TemplateWrap(inner) | ExprKind::Parens(inner) | ExprKind::TemplateFor(inner) => {
                children.push(inner);
            }
            ExprKind::TemplateIf { cond, then, or_else } => {
                children.extend([cond, then]);
                children.extend(or_else);
            }
            ExprKind::RelativeTraversal { on, .. } => children.push(on),
            ExprKind::Call { args, .. } => children.extend(tree.list(args)),
            ExprKind::Conditional { cond, then, or_else } => children.extend([cond, then, or_else]),
            ExprKind::For(at) => {
                let parts = tree.for_expr(at);
                tasks.push(Task::Leave(self.scopes.len()));
                for child in [parts.cond, Some(parts.value), parts.key].into_iter().flatten() {
                    tasks.push(Task::Visit(child));
                }
                tasks.push(Task::Enter(at));
                tasks.push(Task::Visit(parts.collection));
            }
            ExprKind::Splat { source, each, .. } => children.extend([source, each]),
            ExprKind::Index { collection, key, .. } => children.extend([collection, key]),
            ExprKind::Object { items, .. } => {
                for item in tree.items(items) {
                    if item.literal_name.is_none() {
                        children.push(item.key);
                    }
                    children.push(item.value);
                }
            }
            ExprKind::Tuple { items, .. } => children.extend(tree.list(items)),
            ExprKind::Unary { operand, .. } => children.push(operand),
            ExprKind::Binary { lhs, rhs, .. } => children.extend([lhs, rhs]),
            ExprKind::Number
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::Text(_)
            | ExprKind::SplatItem
            | ExprKind::Placeholder
            | ExprKind::SyntaxError
            | ExprKind::BadNumber => {}
        }
        tasks.extend(children.into_iter().rev().map(Task::Visit));
    }

    fn traversal(&mut self, steps: Ids<TreeStep>, range: TextRange) {
        let steps = traversal::steps_of(self.tree, steps);
        let Some(root) = steps.first().and_then(Step::name) else { return };
        if !self.scopes.iter().any(|known| known == root) {
            self.found.push(Traversal { steps, span: self.tree.span(range) });
        }
    }
}

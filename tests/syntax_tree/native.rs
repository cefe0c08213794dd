//! Writes the tree of a native-syntax text, for `overfold parse` and the syntax cases.

use unicode_normalization::UnicodeNormalization;

use super::number::plain_decimal;
use super::{constant, range_text};
use overfold_cli::diag::TextRange;
use overfold_cli::output::{Container, JsonWriter};
use overfold_cli::syntax::stack;
use overfold_cli::syntax::tree::{
    Attribute, BinaryOp, Block, Body, Call, Expr, ExprKind, ExprRef, For, Id, Ids, Index, ObjectItem, Root, Splat,
    Step, StepKind, TemplateForm, Text, Tree, UnaryOp,
};
use overfold_cli::syntax::{ExprAt, Forest};

/// Writes a tree as one value: a body, or an expression.
pub(super) fn write_tree(json: &mut JsonWriter, forest: &Forest, tree: &Tree) {
    let mut writer = Writer { json, forest, tree };
    match tree.root {
        Root::Body(body) => writer.body(tree.body(body)),
        Root::Expr(expr) => writer.expr(expr),
    }
}

struct Writer<'w> {
    json: &'w mut JsonWriter,
    forest: &'w Forest,
    tree: &'w Tree,
}

impl Writer<'_> {
    fn range(&mut self, name: &str, range: TextRange) {
        let text = range_text(self.forest, self.tree.span(range));
        self.json.member(name, &text);
    }

    fn word(&mut self, name: &str, range: TextRange) {
        let text = self.tree.slice(range);
        self.json.member(name, text);
    }

    // ---- bodies

    fn body(&mut self, body: &Body) {
        self.json.begin(Container::Object);
        self.json.key("attributes");
        self.json.begin(Container::Array);
        for attribute in self.tree.attributes(body.attributes) {
            self.attribute(attribute);
        }
        self.json.end(Container::Array);
        self.json.key("blocks");
        self.json.begin(Container::Array);
        for block in self.tree.blocks(body.blocks) {
            stack::grow(|| self.block(block));
        }
        self.json.end(Container::Array);
        self.range("range", body.range);
        self.range("end_range", body.end_range);
        self.json.end(Container::Object);
    }

    fn attribute(&mut self, attribute: &Attribute) {
        self.json.begin(Container::Object);
        self.word("name", attribute.name_range);
        self.range("range", attribute.range);
        self.range("name_range", attribute.name_range);
        self.range("equals_range", attribute.equals_range);
        self.expr_range("expr_range", attribute.expr);
        self.json.key("expr");
        self.expr(attribute.expr);
        constant(self.json, self.forest, ExprAt::Native(self.tree.source, attribute.expr));
        self.json.end(Container::Object);
    }

    fn block(&mut self, block: &Block) {
        self.json.begin(Container::Object);
        self.word("type", block.type_range);
        self.json.key("labels");
        self.json.begin(Container::Array);
        for label in self.tree.labels(block.labels) {
            self.json.begin(Container::Object);
            self.json.member("label", self.tree.str(label.text));
            self.range("range", label.range);
            self.json.end(Container::Object);
        }
        self.json.end(Container::Array);
        self.range("type_range", block.type_range);
        self.range("def_range", block.def_range);
        self.range("range", block.range);
        self.range("open_brace_range", block.open_brace);
        self.range("close_brace_range", block.close_brace);
        self.json.key("body");
        self.body(self.tree.body(block.body));
        self.json.end(Container::Object);
    }

    // ---- expressions

    fn expr(&mut self, id: Id<Expr>) {
        stack::grow(|| {
            self.json.begin(Container::Object);
            self.inside(id);
            self.json.end(Container::Object);
        });
    }

    fn member(&mut self, name: &str, id: Id<Expr>) {
        self.json.key(name);
        self.expr(id);
    }

    fn list(&mut self, name: &str, ids: Ids<ExprRef>) {
        self.json.key(name);
        self.json.begin(Container::Array);
        for &id in self.tree.list(ids) {
            self.expr(id);
        }
        self.json.end(Container::Array);
    }

    /// Writes the range of an expression as the tool reports it: a call without an end position, and any expression
    /// that ends with such a call, ends at `0:0@0`.
    fn expr_range(&mut self, name: &str, id: Id<Expr>) {
        let mut last = id;
        while let ExprKind::Unary { operand, .. } = self.tree.expr(last).kind {
            last = operand;
        }
        let range = self.tree.expr(id).range;
        let text = range_text(self.forest, self.tree.span(range));
        if lacks_close_position(self.tree, self.tree.expr(last)) {
            let start = text.split('-').next().unwrap_or_default();
            self.json.member(name, &format!("{start}-0:0@0"));
        } else {
            self.json.member(name, &text);
        }
    }

    /// Writes the members of an expression's object.
    fn inside(&mut self, id: Id<Expr>) {
        let tree = self.tree;
        let expr = tree.expr(id);
        self.json.member("kind", kind_name(expr.kind));
        self.expr_range("range", id);
        match expr.kind {
            ExprKind::Number => {
                self.json.member("type", "number");
                self.word("text", expr.range);
                self.json.member("value", &plain_decimal(&tree.text, expr.range));
            }
            ExprKind::Bool(value) => {
                self.json.member("type", "bool");
                self.json.key("value");
                self.json.bool(value);
            }
            ExprKind::Null => {
                self.json.member("type", "null");
                self.json.key("value");
                self.json.null();
            }
            ExprKind::Text(text) | ExprKind::Interpolated(text) => {
                self.json.member("type", "string");
                self.text(text);
            }
            ExprKind::BadNumber => self.word("text", expr.range),
            ExprKind::Placeholder | ExprKind::SyntaxError | ExprKind::SplatItem => {}
            ExprKind::Template { form, parts } => {
                self.json.member("form", form_name(form));
                self.list("parts", parts);
            }
            ExprKind::TemplateWrap(inner) | ExprKind::Parens(inner) => self.member("expr", inner),
            ExprKind::TemplateIf { cond, then, or_else } => {
                self.member("cond", cond);
                self.member("then", then);
                if let Some(or_else) = or_else {
                    self.member("else", or_else);
                }
            }
            ExprKind::TemplateFor(inner) => {
                self.json.key("for");
                self.json.begin(Container::Object);
                self.json.member("kind", "for");
                self.range("range", tree.expr(inner).range);
                if let ExprKind::For(id) = tree.expr(inner).kind {
                    self.for_parts(tree.for_expr(id));
                }
                self.json.end(Container::Object);
            }
            ExprKind::Traversal(steps) => self.steps(tree.steps(steps)),
            ExprKind::RelativeTraversal { on, steps } => {
                self.member("source", on);
                self.steps(tree.steps(steps));
            }
            ExprKind::Call(id) => {
                let Call { name, name_range, args, expand_final, open, close } = *tree.call(id);
                self.json.member("name", tree.str(name));
                self.range("name_range", name_range);
                self.range("open_range", open);
                if lacks_close_position(tree, expr) {
                    self.json.member("close_range", "0:0@0-0:0@0");
                } else {
                    self.range("close_range", close);
                }
                self.json.key("expand_final");
                self.json.bool(expand_final);
                self.list("args", args);
            }
            ExprKind::Conditional { cond, then, or_else } => {
                self.member("cond", cond);
                self.member("then", then);
                self.member("else", or_else);
            }
            ExprKind::For(id) => {
                let parts = tree.for_expr(id);
                let object = tree.bytes(parts.open) == b"{";
                self.json.member("result", if object { "object" } else { "tuple" });
                self.for_parts(parts);
            }
            ExprKind::Splat(id) => {
                let Splat { source, each, attr_only, marker, .. } = *tree.splat(id);
                self.member("source", source);
                self.member("each", each);
                self.json.key("attr_only");
                self.json.bool(attr_only);
                self.range("marker_range", marker);
            }
            ExprKind::Index(id) => {
                let Index { collection, key, open, close } = *tree.index_expr(id);
                self.member("source", collection);
                self.member("key", key);
                self.range("bracket_range", TextRange::new(open.start, close.end));
            }
            ExprKind::Object { items, open } => {
                self.range("open_range", open);
                self.json.key("items");
                self.json.begin(Container::Array);
                for item in tree.items(items) {
                    self.item(item);
                }
                self.json.end(Container::Array);
            }
            ExprKind::Tuple { items, open } => {
                self.range("open_range", open);
                self.list("items", items);
            }
            ExprKind::Unary { op, operand, op_range } => {
                self.json.member(
                    "op",
                    match op {
                        UnaryOp::Negate => "-",
                        UnaryOp::Not => "!",
                    },
                );
                self.range("op_range", op_range);
                self.member("operand", operand);
            }
            ExprKind::Binary { op, lhs, rhs, .. } => {
                self.json.member("op", op_sign(op));
                self.member("lhs", lhs);
                self.member("rhs", rhs);
            }
        }
    }

    /// Writes the member `value` of literal text, normalised like values.
    fn text(&mut self, text: Text) {
        let text: String = self.tree.str(text).nfc().collect();
        self.json.member("value", &text);
    }

    fn for_parts(&mut self, parts: &For) {
        if let Some(key_var) = parts.key_var {
            self.word("key_var", key_var);
        }
        self.word("value_var", parts.value_var);
        self.member("in", parts.collection);
        for (name, part) in [("key", parts.key), ("value", Some(parts.value)), ("if", parts.cond)] {
            if let Some(part) = part {
                self.member(name, part);
            }
        }
        self.json.key("group");
        self.json.bool(parts.group);
        self.range("open_range", parts.open);
        self.range("close_range", parts.close);
    }

    fn item(&mut self, item: &ObjectItem) {
        self.json.begin(Container::Object);
        self.json.key("key");
        self.json.begin(Container::Object);
        self.json.member("kind", "object_key");
        self.range("range", item.key_range);
        self.json.key("parenthesised");
        self.json.bool(self.tree.bytes(item.key_range).starts_with(b"("));
        if let Some(name) = item.literal_name {
            self.word("literal_name", name);
        }
        self.member("expr", item.key);
        self.json.end(Container::Object);
        self.member("value", item.value);
        self.json.end(Container::Object);
    }

    fn steps(&mut self, steps: &[Step]) {
        self.json.key("steps");
        self.json.begin(Container::Array);
        for step in steps {
            self.json.begin(Container::Object);
            match step.kind {
                StepKind::Root => self.word("root", step.range),
                StepKind::Attr(name) => self.word("attr", name),
                StepKind::IndexText(text) => {
                    self.begin_index("string");
                    self.text(text);
                    self.json.end(Container::Object);
                }
                StepKind::IndexNumber(digits) => {
                    self.begin_index("number");
                    self.json.member("value", &plain_decimal(&self.tree.text, digits));
                    self.json.end(Container::Object);
                }
                StepKind::IndexOther(key) => self.other_index(self.tree.expr(key).kind),
            }
            self.range("range", step.range);
            self.json.end(Container::Object);
        }
        self.json.end(Container::Array);
    }

    fn begin_index(&mut self, of: &str) {
        self.json.key("index");
        self.json.begin(Container::Object);
        self.json.member("type", of);
    }

    fn other_index(&mut self, kind: ExprKind) {
        match kind {
            ExprKind::Bool(value) => {
                self.begin_index("bool");
                self.json.key("value");
                self.json.bool(value);
            }
            ExprKind::Null => {
                self.begin_index("null");
                self.json.key("value");
                self.json.null();
            }
            _ => {
                self.json.key("index");
                self.json.begin(Container::Object);
                self.json.key("unknown");
                self.json.bool(true);
            }
        }
        self.json.end(Container::Object);
    }
}

/// Whether an expression is a call for whose closing parenthesis the tool has no position.
fn lacks_close_position(tree: &Tree, expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Call(id) if tree.call(id).close == TextRange::default())
}

const fn kind_name(kind: ExprKind) -> &'static str {
    match kind {
        ExprKind::Number | ExprKind::Bool(_) | ExprKind::Null | ExprKind::Text(_) => "literal",
        ExprKind::Template { .. } | ExprKind::Interpolated(_) => "template",
        ExprKind::TemplateWrap(_) => "template_wrap",
        ExprKind::TemplateIf { .. } => "template_if",
        ExprKind::TemplateFor(_) => "template_for",
        ExprKind::Traversal(_) => "traversal",
        ExprKind::RelativeTraversal { .. } => "relative_traversal",
        ExprKind::Call(_) => "call",
        ExprKind::Conditional { .. } => "conditional",
        ExprKind::For(_) => "for",
        ExprKind::Splat(_) => "splat",
        ExprKind::SplatItem => "splat_item",
        ExprKind::Index(_) => "index",
        ExprKind::Object { .. } => "object",
        ExprKind::Tuple { .. } => "tuple",
        ExprKind::Unary { .. } => "unary",
        ExprKind::Binary { .. } => "binary",
        ExprKind::Parens(_) => "parens",
        ExprKind::Placeholder => "placeholder",
        ExprKind::SyntaxError => "syntax_error",
        ExprKind::BadNumber => "bad_number",
    }
}

const fn form_name(form: TemplateForm) -> &'static str {
    match form {
        TemplateForm::Quoted => "quoted",
        TemplateForm::Heredoc => "heredoc",
        TemplateForm::FlushHeredoc => "flush_heredoc",
        TemplateForm::Inner => "inner",
    }
}

const fn op_sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "||",
        BinaryOp::And => "&&",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::Greater => ">",
        BinaryOp::LessEqual => "<=",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Modulo => "%",
    }
}

//! The functions of the provider that is built into the tool: values as text of the language, and back (recorded with the
//! tool; plan.md, section 3).

use std::fmt::Write as _;
use std::sync::Arc;

use bytes::Bytes;

use super::functions::FunctionError;
use super::functions::Outcome;
use super::{Env, Evaluator, Scope};
use overfold_base::account;
use overfold_base::diag::Diagnostics;
use overfold_syntax::ExprAt;
use overfold_syntax::native::identifier_length;
use overfold_syntax::tree::Root;
use overfold_value::{Kind, Type, Value, is_printed, with_stack};

/// Calls a function by its own name with an argument without marks. `None` if there is no such function.
pub(crate) fn call(env: &Env<'_>, name: &str, argument: &Value) -> Option<Outcome> {
    Some(match name {
        "encode_expr" => Ok(expression(argument)),
        "encode_tfvars" => definitions(argument),
        "decode_tfvars" => decoded(env, argument),
        _ => return None,
    })
}

/// Returns a value as an expression. Of an unknown one, the first character is known.
fn expression(value: &Value) -> Value {
    if !value.is_wholly_known() {
        let text = Value::unknown_not_null(Type::String);
        return match value.ty() {
            Type::Object(_) | Type::Map(_) => text.refined_exact_prefix("{"),
            Type::Tuple(_) | Type::List(_) | Type::Set(_) => text.refined_exact_prefix("["),
            Type::String => text.refined_exact_prefix("\""),
            _ => text,
        };
    }
    let mut writer = Writer::default();
    writer.value(value);
    Value::text(writer.finish())
}

/// Returns the content of a variable definitions file that assigns the attributes of an object.
fn definitions(value: &Value) -> Outcome {
    // The tool does not call the function before it knows the whole argument.
    if !value.is_wholly_known() {
        return Ok(Value::unknown_not_null(Type::String));
    }
    let entries = match value.ty() {
        Type::Object(_) | Type::Map(_) => value.entries(),
        Type::Dynamic => &[],
        _ => return Err(FunctionError::new("the value must be an object, whose attributes are the variables")),
    };
    let mut writer = Writer::default();
    for (name, value) in entries {
        if !is_identifier(name) {
            return Err(FunctionError::new(format!("{name:?} is not a valid name of a variable")));
        }
        writer.assignment(name, value);
    }
    Ok(Value::text(writer.finish()))
}

/// Returns the object of what the text of a variable definitions file assigns.
fn decoded(env: &Env<'_>, value: &Value) -> Outcome {
    let Some(text) = value.as_shared_text() else { return Ok(Value::dynamic()) };
    let mut out = Diagnostics::new();
    let source = env.forest.parse_native("decode_tfvars", Bytes::copy_from_slice(text.as_bytes()), &mut out);
    let wrong = |what: &str| Err(FunctionError::new(format!("the text is not a variable definitions file: {what}")));
    if out.has_errors() {
        return wrong("it has syntax errors");
    }
    let Some(tree) = env.forest.native(source) else { return Ok(Value::dynamic()) };
    let Root::Body(body) = tree.root else { return Ok(Value::dynamic()) };
    let body = tree.body(body);
    if !tree.blocks(body.blocks).is_empty() {
        return wrong("it contains a block");
    }
    let constant = Env { forest: env.forest, scope: Scope::CONSTANT };
    let mut entries: Vec<(Arc<str>, Value)> = Vec::new();
    for attribute in tree.attributes(body.attributes) {
        let name = tree.slice(attribute.name_range);
        let value = Evaluator::new(&constant).expression(ExprAt::Native(source, attribute.expr), &mut out);
        if out.has_errors() {
            return wrong(&format!("the value of {name:?} is not a constant"));
        }
        entries.push((Arc::from(name), value));
    }
    Ok(Value::object(entries))
}

/// Whether a text is a name of the language.
fn is_identifier(text: &str) -> bool {
    !text.is_empty() && identifier_length(text) == text.len()
}

/// A line of the text that is being written.
#[derive(Default)]
struct Line {
    /// The name that is assigned to, if the line begins with one.
    name: String,
    /// What follows.
    rest: String,
    /// The number of brackets that the line opens, less those that it closes.
    brackets: i32,
}

/// Writes values as the tool formats them: an attribute in each line, with the equals signs of neighbouring lines below each
/// other.
#[derive(Default)]
struct Writer {
    lines: Vec<Line>,
    line: Line,
}

impl Writer {
    fn assignment(&mut self, name: &str, value: &Value) {
        name.clone_into(&mut self.line.name);
        self.value(value);
        self.end_line();
    }

    fn end_line(&mut self) {
        account::build(4, (self.line.name.len() + self.line.rest.len()) as u64 + 64);
        self.lines.push(std::mem::take(&mut self.line));
    }

    fn value(&mut self, value: &Value) {
        account::work(2);
        let rest = &mut self.line.rest;
        match value.kind() {
            Kind::Null(_) | Kind::Unknown { .. } => rest.push_str("null"),
            Kind::Bool(true) => rest.push_str("true"),
            Kind::Bool(false) => rest.push_str("false"),
            Kind::Number(number) if number.is_infinite() => rest.push_str(&number.to_text().unwrap_or_default()),
            Kind::Number(_) => rest.push_str(&value.to_json().unwrap_or_default()),
            Kind::Text(text) => quoted(text, rest),
            Kind::List(items) | Kind::Set(items) | Kind::Tuple(items) => with_stack(|| self.items(items.items())),
            Kind::Map(entries) | Kind::Object(entries) => with_stack(|| self.entries(entries.entries())),
        }
    }

    fn items(&mut self, items: &[Value]) {
        self.line.rest.push('[');
        self.line.brackets += 1;
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.line.rest.push_str(", ");
            }
            self.value(item);
        }
        self.line.rest.push(']');
        self.line.brackets -= 1;
    }

    fn entries(&mut self, entries: &[(Arc<str>, Value)]) {
        self.line.rest.push('{');
        if entries.is_empty() {
            self.line.rest.push('}');
            return;
        }
        self.line.brackets += 1;
        self.end_line();
        for (key, value) in entries {
            let mut name = String::new();
            if is_identifier(key) {
                name.push_str(key);
            } else {
                quoted(key, &mut name);
            }
            self.assignment(&name, value);
        }
        self.line.rest.push('}');
        self.line.brackets -= 1;
    }

    fn finish(mut self) -> String {
        if !self.line.rest.is_empty() || !self.line.name.is_empty() {
            self.end_line();
        } else {
            // The text ends with the end of a line.
            self.lines.push(Line::default());
        }
        let widths = widths(&self.lines);
        let mut text = String::new();
        let mut open: Vec<i32> = Vec::new();
        for (at, (line, width)) in self.lines.iter().zip(widths).enumerate() {
            if at > 0 {
                text.push('\n');
            }
            close(&mut open, line.brackets);
            if !(line.name.is_empty() && line.rest.is_empty()) {
                text.push_str(&"  ".repeat(open.len()));
            }
            if line.brackets > 0 {
                open.push(line.brackets);
            }
            if line.name.is_empty() {
                text.push_str(&line.rest);
            } else {
                let _ = write!(text, "{:width$} = {}", line.name, line.rest);
            }
            account::touch(text.len() / self.lines.len().max(1));
        }
        text
    }
}

/// Ends the levels of indentation whose brackets a line closes, on balance.
fn close(open: &mut Vec<i32>, brackets: i32) {
    let mut left = -brackets;
    while left > 0 {
        match open.last_mut() {
            Some(top) if *top > left => {
                *top -= left;
                return;
            }
            Some(top) => {
                left -= *top;
                open.pop();
            }
            None => return,
        }
    }
}

/// Returns the width of the names of each line. Neighbouring lines whose values end in the same line have the same one.
fn widths(lines: &[Line]) -> Vec<usize> {
    let mut widths = vec![0; lines.len()];
    let mut from = 0;
    while from < lines.len() {
        let is_whole = |line: &Line| !line.name.is_empty() && line.brackets == 0;
        let run = lines.iter().skip(from).take_while(|line| is_whole(line)).count();
        let width = lines.iter().skip(from).take(run).map(|line| line.name.chars().count()).max().unwrap_or(0);
        for own in widths.iter_mut().skip(from).take(run) {
            *own = width;
        }
        from += run.max(1);
    }
    widths
}

/// Writes a text in quotes.
fn quoted(text: &str, into: &mut String) {
    account::touch(text.len());
    into.push('"');
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' => into.push_str("\\n"),
            '\r' => into.push_str("\\r"),
            '\t' => into.push_str("\\t"),
            '"' => into.push_str("\\\""),
            '\\' => into.push_str("\\\\"),
            '$' | '%' if chars.peek() == Some(&'{') => {
                into.push(c);
                into.push(c);
            }
            ' ' => into.push(' '),
            c if is_printed(c) => into.push(c),
            c if (c as u32) < 0x1_0000 => {
                let _ = write!(into, "\\u{:04x}", c as u32);
            }
            c => {
                let _ = write!(into, "\\U{:08x}", c as u32);
            }
        }
    }
    into.push('"');
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{definitions, expression};
    use overfold_value::{Number, Value};

    fn object(entries: Vec<(&str, Value)>) -> Value {
        Value::object(entries.into_iter().map(|(name, value)| (Arc::from(name), value)).collect())
    }

    fn number(value: i64) -> Value {
        Value::number(Number::parse(&value.to_string()).unwrap())
    }

    /// Recorded with Terraform 1.11.4.
    #[test]
    fn values_are_written_as_the_tool_formats_them() {
        let inner = object(vec![
            ("0a", Value::bool(true)),
            ("a-b", number(3)),
            ("k y", Value::untyped_null()),
            ("x", Value::tuple(Vec::new())),
            ("y", object(Vec::new())),
        ]);
        let nested = Value::tuple(vec![
            object(vec![("a", number(1)), ("bb", number(2))]),
            Value::tuple(vec![object(vec![("c", number(3))])]),
        ]);
        let whole = object(vec![
            ("a", number(1)),
            ("bbb", inner),
            ("nest", nested),
            ("s", Value::text("q\"\\ \n\t${x} %{y} é\u{1} \u{2028}")),
            ("st", Value::tuple(vec![Value::text("a"), Value::text("b")])),
        ]);
        let expected = "a = 1\nbbb = {\n  \"0a\"  = true\n  a-b   = 3\n  \"k y\" = null\n  x     = []\n  y     = {}\n}\nnest = [{\n  a  = 1\n  bb = 2\n  }, [{\n    c = 3\n}]]\ns  = \"q\\\"\\\\ \\n\\t$${x} %%{y} é\\u0001 \\u2028\"\nst = [\"a\", \"b\"]\n";
        let written = definitions(&whole).unwrap();
        assert_eq!(written.as_text(), Some(expected));
        let indented: Vec<String> =
            expected.lines().map(|line| if line.is_empty() { String::new() } else { format!("  {line}") }).collect();
        let indented = format!("{{\n{}\n}}", indented.join("\n"));
        assert_eq!(expression(&whole).as_text(), Some(&*indented));
        assert_eq!(definitions(&object(Vec::new())).unwrap().as_text(), Some(""));
        let two = Value::tuple(vec![
            object(vec![("a", number(1)), ("bbb", Value::text("x"))]),
            object(vec![("a", number(2))]),
        ]);
        assert_eq!(expression(&two).as_text(), Some("[{\n  a   = 1\n  bbb = \"x\"\n  }, {\n  a = 2\n}]"));
    }
}

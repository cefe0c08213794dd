//! Values and blocks that both syntaxes can express, and how each writes them.

use std::fmt::Write as _;

/// An expression that both syntaxes can express.
#[derive(Clone)]
pub(super) enum Value {
    /// Literal text.
    Text(String),
    /// A literal number, `true`, `false` or `null`.
    Plain(&'static str),
    /// An expression in native syntax; `"${…}"` in JSON.
    Code(String),
    /// A reference, keyword or type; bare text in JSON.
    Bare(String),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
}

/// A block that both syntaxes can express.
#[derive(Clone, Default)]
pub(super) struct Block {
    pub(super) keyword: &'static str,
    pub(super) labels: Vec<String>,
    pub(super) arguments: Vec<(String, Value)>,
    pub(super) blocks: Vec<Block>,
}

impl Block {
    pub(super) fn new(keyword: &'static str, labels: &[&str]) -> Self {
        Self { keyword, labels: labels.iter().map(|&label| label.to_owned()).collect(), ..Self::default() }
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        // Setting an argument twice is a separate matter, covered by the damaged modules.
        if !self.arguments.iter().any(|(other, _)| other == name) {
            self.arguments.push((name.to_owned(), value));
        }
    }
}

pub(super) fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

pub(super) fn code(source: impl Into<String>) -> Value {
    Value::Code(source.into())
}

pub(super) fn bare(source: impl Into<String>) -> Value {
    Value::Bare(source.into())
}

pub(super) fn native(blocks: &[Block]) -> String {
    let mut out = String::new();
    for block in blocks {
        native_block(&mut out, block, 0);
        out.push('\n');
    }
    out
}

fn native_block(out: &mut String, block: &Block, depth: usize) {
    let indent = "  ".repeat(depth);
    write!(out, "{indent}{}", block.keyword).unwrap();
    for label in &block.labels {
        write!(out, " {}", quoted(label)).unwrap();
    }
    out.push_str(" {\n");
    for (name, value) in &block.arguments {
        write!(out, "{indent}  {name} = ").unwrap();
        native_value(out, value);
        out.push('\n');
    }
    for nested in &block.blocks {
        native_block(out, nested, depth + 1);
    }
    writeln!(out, "{indent}}}").unwrap();
}

fn native_value(out: &mut String, value: &Value) {
    match value {
        Value::Text(text) => out.push_str(&quoted(&text.replace("${", "$${").replace("%{", "%%{"))),
        Value::Plain(word) => out.push_str(word),
        Value::Code(source) | Value::Bare(source) => out.push_str(source),
        Value::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                native_value(out, item);
            }
            out.push(']');
        }
        Value::Map(items) => {
            out.push('{');
            for (at, (key, item)) in items.iter().enumerate() {
                out.push_str(if at == 0 { " " } else { ", " });
                write!(out, "{key} = ").unwrap();
                native_value(out, item);
            }
            out.push_str(" }");
        }
    }
}

pub(super) fn json(blocks: &[Block]) -> String {
    let mut out = String::new();
    json_body(&mut out, &[], blocks, 0);
    out.push('\n');
    out
}

fn json_body(out: &mut String, arguments: &[(String, Value)], blocks: &[Block], depth: usize) {
    let indent = "  ".repeat(depth + 1);
    let mut members: Vec<String> = Vec::new();
    for (name, value) in arguments {
        let mut member = format!("{indent}{}: ", quoted(name));
        json_value(&mut member, value);
        members.push(member);
    }
    let mut by_keyword: Vec<(&str, Vec<&Block>)> = Vec::new();
    for block in blocks {
        match by_keyword.iter_mut().find(|(keyword, _)| *keyword == block.keyword) {
            Some((_, list)) => list.push(block),
            None => by_keyword.push((block.keyword, vec![block])),
        }
    }
    for (keyword, list) in by_keyword {
        let mut member = format!("{indent}{}: [", quoted(keyword));
        for (at, block) in list.iter().enumerate() {
            member.push_str(if at == 0 { "" } else { ", " });
            for label in &block.labels {
                write!(member, "{{{}: ", quoted(label)).unwrap();
            }
            json_body(&mut member, &block.arguments, &block.blocks, depth + 1);
            member.push_str(&"}".repeat(block.labels.len()));
        }
        member.push(']');
        members.push(member);
    }
    write!(out, "{{\n{}\n{}}}", members.join(",\n"), "  ".repeat(depth)).unwrap();
}

fn json_value(out: &mut String, value: &Value) {
    match value {
        Value::Text(text) => out.push_str(&quoted(&text.replace("${", "$${").replace("%{", "%%{"))),
        Value::Plain(word) => out.push_str(word),
        Value::Code(source) => out.push_str(&quoted(&format!("${{{source}}}"))),
        Value::Bare(source) => out.push_str(&quoted(source.trim_matches('"'))),
        Value::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                json_value(out, item);
            }
            out.push(']');
        }
        Value::Map(items) => {
            out.push('{');
            for (at, (key, item)) in items.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                write!(out, "{}: ", quoted(key.trim_matches('"'))).unwrap();
                json_value(out, item);
            }
            out.push('}');
        }
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

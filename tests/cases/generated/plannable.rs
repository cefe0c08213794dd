//! Modules whose plans are compared.

use std::collections::BTreeMap;

use super::dice::Dice;
use super::forms::{Block, Value, bare, code, text};
use super::written;

/// Generates a module that needs no external provider and should be valid: it and its `tf-json` form must have the same
/// plan.
pub(crate) fn plannable(seed: u64) -> Vec<(String, Vec<u8>)> {
    let dice = &mut Dice::new(seed ^ 0xABCD);
    let mut files: BTreeMap<&str, Vec<Block>> = BTreeMap::new();
    let base = |dice: &mut Dice| dice.pick(&["main.tf", "more.tf", "net.tf.json"]);
    let over = |dice: &mut Dice| dice.pick(&["override.tf", "b_override.tf.json", "c_override.tf"]);
    for name in ["a", "b", "c"] {
        let mut variable = Block::new("variable", &[name]);
        let (kind, values): (&str, [Value; 3]) = match dice.below(5) {
            0 => ("string", [text("x ${y}"), Value::Plain("12"), Value::Plain("true")]),
            1 => (
                "list(string)",
                [Value::List(vec![]), Value::List(vec![text("p"), Value::Plain("2")]), Value::List(vec![text("q")])],
            ),
            2 => (
                "object({ k = optional(string, \"d\"), n = optional(number) })",
                [
                    Value::Map(vec![]),
                    Value::Map(vec![("k".to_owned(), text("given"))]),
                    Value::Map(vec![("n".to_owned(), text("5"))]),
                ],
            ),
            3 => (
                "set(number)",
                [
                    Value::List(vec![Value::Plain("2"), Value::Plain("1")]),
                    Value::List(vec![text("3")]),
                    Value::List(vec![]),
                ],
            ),
            _ => ("any", [Value::Plain("null"), code("1 + 2"), Value::Map(vec![("z".to_owned(), code("!true"))])]),
        };
        variable.set("type", bare(kind));
        let json_cannot = |value: &Value| matches!(value, Value::Code(_) | Value::Map(_)) && kind == "any";
        let default = values[dice.below(3)].clone();
        let at = if json_cannot(&default) { "main.tf" } else { base(dice) };
        variable.set("default", default);
        files.entry(at).or_default().push(variable);
        if dice.once_in(2) {
            let mut change = Block::new("variable", &[name]);
            let default = values[dice.below(3)].clone();
            let at = if json_cannot(&default) { "override.tf" } else { over(dice) };
            if !kind.starts_with("object") || dice.once_in(2) {
                change.set("default", default);
            }
            if kind.starts_with("object") && dice.once_in(2) {
                change.set(
                    "type",
                    bare(dice.pick(&[
                        "object({ k = optional(string, \"other\"), n = optional(string, \"9\") })",
                        "object({ k = string, n = optional(string, \"9\") })",
                        "object({ n = optional(number), m = optional(list(string), [\"m\"]) })",
                    ])),
                );
            }
            files.entry(at).or_default().push(change);
        }
        let mut output = Block::new("output", &[name]);
        output.set("value", code(format!("var.{name}")));
        files.entry(base(dice)).or_default().push(output);
    }
    let mut locals = Block::new("locals", &[]);
    for name in ["p", "q", "r"] {
        let value = sound(dice, 2);
        locals.set(name, value);
        let mut output = Block::new("output", &[&format!("local_{name}")]);
        output.set("value", code(format!("local.{name}")));
        files.entry(base(dice)).or_default().push(output);
    }
    files.entry(base(dice)).or_default().push(locals);
    if dice.once_in(2) {
        let mut locals = Block::new("locals", &[]);
        locals.set("q", sound(dice, 2));
        files.entry(over(dice)).or_default().push(locals);
    }
    for name in ["x", "y"] {
        let mut resource = Block::new("terraform_data", &[]);
        resource.keyword = "resource";
        resource.labels = vec!["terraform_data".to_owned(), name.to_owned()];
        data_body(dice, &mut resource, true);
        let header = Block { arguments: vec![], blocks: vec![], ..resource.clone() };
        files.entry(base(dice)).or_default().push(resource);
        for _ in 0..dice.below(3) {
            let mut change = header.clone();
            data_body(dice, &mut change, false);
            files.entry(over(dice)).or_default().push(change);
        }
    }
    files.iter().map(|(name, blocks)| written(name, blocks)).collect()
}

fn data_body(dice: &mut Dice, block: &mut Block, primary: bool) {
    if primary || dice.once_in(2) {
        let value = sound(dice, 2);
        block.set("input", value);
    }
    if dice.once_in(3) {
        let value = sound(dice, 1);
        block.set("triggers_replace", value);
    }
    match dice.below(10) {
        0 | 1 => block.set("count", Value::Plain(dice.pick(&["1", "2", "0"]))),
        2 => block.set("for_each", code("toset([\"m\", \"n\"])")),
        _ => {}
    }
    if dice.once_in(3) {
        let mut lifecycle = Block::new("lifecycle", &[]);
        lifecycle.set("ignore_changes", if dice.once_in(3) { bare("all") } else { Value::List(vec![bare("input")]) });
        block.blocks.push(lifecycle);
    }
    for _ in 0..dice.below(3) {
        let kind = dice.pick(&["local-exec", "file", "remote-exec"]);
        let mut provisioner = Block::new("provisioner", &[kind]);
        match kind {
            "local-exec" => provisioner.set("command", text("echo $HOME ${x}")),
            "file" => {
                provisioner.set("content", text("c"));
                provisioner.set("destination", text("/d"));
            }
            _ => provisioner.set("inline", Value::List(vec![text("a")])),
        }
        if kind != "local-exec" {
            let mut connection = Block::new("connection", &[]);
            connection.set("host", text("h"));
            provisioner.blocks.push(connection);
        }
        if dice.once_in(3) {
            provisioner.set("when", bare("destroy"));
        }
        block.blocks.push(provisioner);
    }
}

/// Returns a value that evaluates without errors, in one of many notations.
fn sound(dice: &mut Dice, depth: usize) -> Value {
    const CODES: &[&str] = &[
        "1 + 2 * 3",
        "upper(\"x\")",
        "[for x in [1, 2] : x + 1]",
        "true ? \"y\" : \"n\"",
        "\"a-${1 + 1}\"",
        "\"${\"x\"}\"",
        "\"${1}\"",
        "\"%{ if true }y%{ else }n%{ endif }z\"",
        "\"%{ for k, v in { a = 1 } }${k}=${v};%{ endfor }\"",
        "\"$${x}${1}%%{y}\"",
        "\"5\\u0024${1}\"",
        "\"100%${2}$\"",
        "\"${~ 1 ~}  x ${~ 2 }\"",
        "<<EOT\nfirst ${1 + 1}\n  second %{ if false }no%{ endif ~}\n\n$${kept} \\n\nEOT\n",
        "<<-EOT\n    deep ${\"x\"}\n      deeper\n    EOT\n",
        "<<EOT\n${1}\nEOT\n",
        "{ \"a b\" = 1, (\"c\") = 2, 3 = 4, null = 5 }",
        "{ (upper(\"k\")) = 1 }",
        "{ for k in [\"a\"] : k => 1 }",
        "{ \"$${k}\" = \"%%{v}\" }",
        "[1, \"${2}\", [], {}, null, true]",
        "{ a = [1, { b = null }], c = \"${true}\" }",
        "-5",
        "-0.50",
        "- 5",
        "!false",
        "(7)",
        "007",
        "1e3",
        "12345678901234567890.123",
        "1e-7",
        "jsonencode(<<EOT\nx\nEOT\n)",
        "[\n    1, # one\n    2,\n  ]",
        "{ \"//\" = \"kept\" }",
        "\"tab\\t quote\\\" back\\\\ é\"",
        "[1, 2][1]",
        "{ a = { b = 1 } }.a.b",
        "[{ a = 1 }, { a = 2 }][*].a",
        "\"x\" == \"x\" && 1 < 2",
        "path.module == \"\"",
        "can(1) ? 1 : 2",
    ];
    match dice.below(if depth == 0 { 8 } else { 11 }) {
        0 => Value::Plain(dice.pick(&["1", "3.50", "true", "null", "-2"])),
        1 => text(dice.pick(&["", "plain", "${not}", "%{no}", "a\"b\\c", "two\nlines", "5$", "$", "%"])),
        2..=7 => code(dice.pick(CODES)),
        8 => Value::List((0..dice.below(4)).map(|_| in_line(sound(dice, depth - 1))).collect()),
        _ => {
            let keys = ["k", "l", "\"m n\"", "o"];
            let items = keys.iter().take(dice.below(5)).map(|&key| (key.to_owned(), in_line(sound(dice, depth - 1))));
            Value::Map(items.collect())
        }
    }
}

/// A heredoc cannot be followed by a comma.
fn in_line(value: Value) -> Value {
    match value {
        Value::Code(source) if source.contains("<<") => Value::Plain("6"),
        other => other,
    }
}

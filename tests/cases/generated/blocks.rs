//! Blocks of every kind, valid and invalid.

use super::dice::Dice;
use super::forms::{Block, Value, bare, code, text};

pub(super) fn top_level(dice: &mut Dice) -> Block {
    let name = dice.pick(&["a", "b", "c"]);
    let mut block = match dice.below(22) {
        0..=6 => Block::new("resource", &[dice.pick(&["absent_thing", "absent_other", "terraform_data"]), name]),
        7 | 8 => Block::new("data", &["absent_thing", name]),
        9 | 10 => Block::new("module", &[name]),
        11..=13 => Block::new("variable", &[name]),
        14 | 15 => Block::new("output", &[name]),
        16 => Block::new("locals", &[]),
        17 => Block::new("provider", &[dice.pick(&["absent", "other"])]),
        18 => Block::new("terraform", &[]),
        19 => Block::new(dice.pick(&["moved", "import", "removed"]), &[]),
        20 => Block::new("check", &[name]),
        _ => Block::new("ephemeral", &["absent_thing", name]),
    };
    fill(dice, &mut block);
    block
}

pub(super) fn fill(dice: &mut Dice, block: &mut Block) {
    match block.keyword {
        "resource" | "data" | "ephemeral" => resource(dice, block),
        "module" => module(dice, block),
        "variable" => variable(dice, block),
        "output" => output(dice, block),
        "locals" => {
            for _ in 0..dice.below(4) {
                let name = dice.pick(&["p", "q", "r"]);
                let value = any_value(dice, 2);
                block.set(name, value);
            }
        }
        "provider" => {
            if dice.once_in(2) {
                block.set("alias", text(dice.pick(&["west", "east"])));
            }
            if dice.once_in(6) {
                block.set("version", text("~> 1.0"));
            }
            if dice.once_in(9) {
                block.set(dice.pick(&["count", "source"]), Value::Plain("1"));
            }
            open_body(dice, block);
        }
        "terraform" => terraform(dice, block),
        "moved" => {
            let ends = ["absent_thing.a", "absent_thing.b", "module.a", "absent_thing.c[0]", "module.b[\"x\"]"];
            block.set("from", bare(dice.pick(&ends)));
            if !dice.once_in(8) {
                block.set("to", bare(dice.pick(&ends)));
            }
        }
        "import" => {
            block.set(
                "to",
                bare(dice.pick(&[
                    "absent_thing.a",
                    "absent_thing.b",
                    "module.a.absent_thing.x",
                    "data.absent_thing.a",
                ])),
            );
            if !dice.once_in(6) {
                block.set("id", text("i-1"));
            }
        }
        "removed" => {
            block.set("from", bare(dice.pick(&["absent_thing.gone", "module.gone", "absent_thing.gone[0]"])));
            if dice.once_in(2) {
                let mut lifecycle = Block::new("lifecycle", &[]);
                lifecycle.set("destroy", Value::Plain(dice.pick(&["true", "false"])));
                block.blocks.push(lifecycle);
            }
        }
        "check" => {
            for _ in 0..dice.below(3) {
                block.blocks.push(condition(dice, "assert", "absent_thing.anchor.id != null"));
            }
            for _ in 0..dice.below(4) / 2 {
                let mut data = Block::new("data", &["absent_thing", dice.pick(&["a", "s"])]);
                open_body(dice, &mut data);
                block.blocks.push(data);
            }
        }
        _ => {}
    }
}

fn condition(dice: &mut Dice, keyword: &'static str, usual: &str) -> Block {
    let mut block = Block::new(keyword, &[]);
    if !dice.once_in(10) {
        block.set("condition", code(if dice.once_in(8) { "1 == 1" } else { usual }));
    }
    if !dice.once_in(10) {
        block.set("error_message", text("It must hold."));
    }
    block
}

fn any_value(dice: &mut Dice, depth: usize) -> Value {
    match dice.below(if depth == 0 { 10 } else { 14 }) {
        0 => Value::Plain(dice.pick(&["1", "-2", "3.50", "1e3", "12345678901234567890"])),
        1 => Value::Plain(dice.pick(&["true", "false", "null"])),
        2..=4 => text(dice.pick(&["x", "", "é ü", "${not}", "%{no}", "a\"b\\c", "line\nline", "5$", "100%"])),
        5 => code(dice.pick(&["var.a", "local.p", "1 + 2", "upper(\"x\")", "[for x in [1, 2] : x]", "true ? 1 : 2"])),
        6 => code(dice.pick(&[
            "\"a-${1 + 1}\"",
            "\"${\"x\"}\"",
            "\"%{ if true }y%{ else }n%{ endif }z\"",
            "\"$${x}${1}\"",
        ])),
        7..=9 => code(dice.pick(&[
            "absent_thing.anchor.id",
            "path.module",
            "{ for k in [\"a\"] : k => 1 }",
            "!true",
            "(1)",
        ])),
        10 | 11 => {
            let items = (0..dice.below(4)).map(|_| any_value(dice, depth - 1)).collect();
            Value::List(items)
        }
        _ => {
            let keys = ["k", "l", "\"m n\"", "o"];
            let items = keys.iter().take(dice.below(5)).map(|&key| (key.to_owned(), any_value(dice, depth - 1)));
            Value::Map(items.collect())
        }
    }
}

fn open_body(dice: &mut Dice, block: &mut Block) {
    for _ in 0..dice.below(4) {
        let name = dice.pick(&["ami", "size", "tags", "ports"]);
        let value = any_value(dice, 2);
        block.set(name, value);
    }
    for _ in 0..dice.below(4) {
        let mut nested = match dice.below(3) {
            0 => {
                let mut dynamic = Block::new("dynamic", &[dice.pick(&["disk", "rule"])]);
                dynamic.set("for_each", code("[1, 2]"));
                if dice.once_in(3) {
                    dynamic.set("iterator", bare("it"));
                }
                let mut content = Block::new("content", &[]);
                content.set("size", any_value(dice, 1));
                dynamic.blocks.push(content);
                dynamic
            }
            _ => Block::new(dice.pick(&["disk", "rule", "timeouts"]), &[]),
        };
        if nested.keyword != "dynamic" {
            nested.set("size", any_value(dice, 1));
            if dice.once_in(3) {
                let mut inner = Block::new("inner", &[]);
                inner.set("deep", any_value(dice, 1));
                nested.blocks.push(inner);
            }
        }
        block.blocks.push(nested);
    }
}

fn references(dice: &mut Dice) -> Value {
    let names = ["absent_thing.anchor", "absent_thing.a", "module.a", "data.absent_thing.b", "var.a"];
    Value::List((0..dice.below(3)).map(|_| bare(dice.pick(&names))).collect())
}

fn resource(dice: &mut Dice, block: &mut Block) {
    if dice.once_in(4) {
        block.set("count", Value::Plain(dice.pick(&["1", "2", "null"])));
    }
    if dice.once_in(6) {
        block.set("for_each", code("toset([\"x\"])"));
    }
    if dice.once_in(5) {
        block.set("provider", bare(dice.pick(&["absent", "absent.west", "other.east", "absent.a.b", "absent[0]"])));
    }
    if dice.once_in(5) {
        let list = references(dice);
        block.set("depends_on", list);
    }
    open_body(dice, block);
    for _ in 0..usize::from(dice.once_in(2)) + usize::from(dice.once_in(12)) {
        let mut lifecycle = Block::new("lifecycle", &[]);
        if dice.once_in(3) {
            lifecycle.set("prevent_destroy", Value::Plain(dice.pick(&["true", "false"])));
        }
        if dice.once_in(3) {
            let value = match dice.below(5) {
                0 => bare("all"),
                1 => Value::List(vec![]),
                2 => Value::List(vec![bare("\"*\"")]),
                _ => Value::List(vec![bare("ami"), bare("tags[\"x\"]")]),
            };
            lifecycle.set("ignore_changes", value);
        }
        if dice.once_in(5) {
            lifecycle
                .set("create_before_destroy", if dice.once_in(3) { code("var.a") } else { Value::Plain("true") });
        }
        if dice.once_in(5) {
            lifecycle.set("replace_triggered_by", Value::List(vec![bare("absent_thing.anchor.id")]));
        }
        if dice.once_in(12) {
            lifecycle.set("unheard_of", Value::Plain("1"));
        }
        for keyword in ["precondition", "postcondition"] {
            if dice.once_in(6) {
                lifecycle.blocks.push(condition(dice, keyword, "absent_thing.anchor.id != null"));
            }
        }
        block.blocks.push(lifecycle);
    }
    if dice.once_in(4) {
        let mut connection = Block::new("connection", &[]);
        connection.set("host", text("h"));
        block.blocks.push(connection);
    }
    for _ in 0..dice.below(4).saturating_sub(1) {
        let kind = dice.pick(&["local-exec", "file", "remote-exec", "chef"]);
        let mut provisioner = Block::new("provisioner", &[kind]);
        provisioner.set("command", text("echo"));
        if dice.once_in(3) {
            provisioner.set("when", bare(dice.pick(&["destroy", "create", "never"])));
        }
        if dice.once_in(4) {
            provisioner.set("on_failure", bare(dice.pick(&["continue", "fail", "explode"])));
        }
        if dice.once_in(5) {
            provisioner.set("environment", code("{ a = var.a }"));
        }
        block.blocks.push(provisioner);
    }
    if dice.once_in(10) {
        let mut escape = Block::new("_", &[]);
        escape.set("count", Value::Plain("5"));
        escape.set("other", Value::Plain("6"));
        block.blocks.push(escape);
    }
    if dice.once_in(25) {
        block.blocks.push(Block::new("locals", &[]));
    }
}

fn module(dice: &mut Dice, block: &mut Block) {
    if !dice.once_in(5) {
        block.set(
            "source",
            match dice.below(7) {
                0 => text("hashicorp/consul/aws"),
                1 => text("hello"),
                2 => code("var.a"),
                _ => text("./sub"),
            },
        );
    }
    if dice.once_in(7) {
        block.set("version", text(dice.pick(&["1.0", "~> 2", "bad"])));
    }
    if dice.once_in(5) {
        block.set("count", Value::Plain("2"));
    }
    if dice.once_in(6) {
        block.set("for_each", code("{}"));
    }
    if dice.once_in(5) {
        let list = references(dice);
        block.set("depends_on", list);
    }
    if dice.once_in(5) {
        let map = if dice.once_in(3) { vec![] } else { vec![("absent".to_owned(), bare("absent.west"))] };
        block.set("providers", Value::Map(map));
    }
    for _ in 0..dice.below(3) {
        let name = dice.pick(&["ami", "size", "tags"]);
        let value = any_value(dice, 2);
        block.set(name, value);
    }
}

fn variable(dice: &mut Dice, block: &mut Block) {
    const TYPES: &[&str] = &[
        "string",
        "number",
        "bool",
        "any",
        "list(string)",
        "set(number)",
        "map(any)",
        "object({ k = string, l = optional(number) })",
        "object({ k = optional(string, \"d\"), o = optional(list(string), []) })",
        "tuple([string, number])",
        "list",
        "\"string\"",
        "strnig",
        "list(strnig)",
        "object({ k = optional(number, \"no\") })",
    ];
    if dice.once_in(2) {
        block.set("type", bare(dice.pick(TYPES)));
    }
    if !dice.once_in(3) {
        let value = match dice.below(8) {
            0 => text("12"),
            1 => text("true"),
            2 => Value::Plain(dice.pick(&["1", "3.50", "null", "true"])),
            3 => Value::List(vec![Value::Plain("1"), text("b"), Value::Plain("1")]),
            4 => Value::Map(vec![("k".to_owned(), text("1")), ("l".to_owned(), Value::Plain("2"))]),
            5 => Value::Map(vec![]),
            _ => constant(dice, 2),
        };
        block.set("default", value);
    }
    for flag in ["sensitive", "nullable", "ephemeral"] {
        if dice.once_in(5) {
            block.set(flag, Value::Plain(dice.pick(&["true", "false"])));
        }
    }
    if dice.once_in(4) {
        block.set("description", text(dice.pick(&["", "about it", "${x}"])));
    }
    if dice.once_in(15) {
        block.set("unheard_of", Value::Plain("1"));
    }
    if dice.once_in(5) {
        let usual = format!("length(var.{}) > 0", block.labels.first().map_or("a", |label| label));
        block.blocks.push(condition(dice, "validation", &usual));
    }
}

/// Returns a value that both syntaxes can express without an expression.
fn constant(dice: &mut Dice, depth: usize) -> Value {
    match any_value(dice, depth) {
        Value::Code(_) => Value::Plain("7"),
        Value::Text(text) => Value::Text(text.replace(['$', '%'], "_")),
        Value::List(items) => Value::List(items.into_iter().map(|item| constant_of(dice, item)).collect()),
        Value::Map(items) => {
            Value::Map(items.into_iter().map(|(key, item)| (key, constant_of(dice, item))).collect())
        }
        other => other,
    }
}

fn constant_of(dice: &mut Dice, value: Value) -> Value {
    match value {
        Value::Plain(_) => value,
        _ => constant(dice, 0),
    }
}

fn output(dice: &mut Dice, block: &mut Block) {
    if !dice.once_in(5) {
        let value = any_value(dice, 2);
        block.set("value", value);
    }
    for flag in ["sensitive", "ephemeral"] {
        if dice.once_in(4) {
            block.set(flag, Value::Plain(dice.pick(&["true", "false"])));
        }
    }
    if dice.once_in(3) {
        block.set("description", text(dice.pick(&["", "about it"])));
    }
    if dice.once_in(6) {
        let list = references(dice);
        block.set("depends_on", list);
    }
    if dice.once_in(7) {
        block.blocks.push(condition(dice, "precondition", "absent_thing.anchor.id != null"));
    }
}

fn terraform(dice: &mut Dice, block: &mut Block) {
    if dice.once_in(3) {
        block.set("required_version", text(dice.pick(&[">= 1.0", "< 99", "~> 1.1", "bad"])));
    }
    if dice.once_in(3) {
        let mut backend = Block::new("backend", &[dice.pick(&["s3", "gcs"])]);
        backend.set("bucket", text("b"));
        block.blocks.push(backend);
    }
    if dice.once_in(4) {
        let mut cloud = Block::new("cloud", &[]);
        cloud.set("organization", text("o"));
        cloud.blocks.push(Block::new("workspaces", &[]));
        block.blocks.push(cloud);
    }
    if dice.once_in(2) {
        let mut providers = Block::new("required_providers", &[]);
        for name in ["absent", "other"] {
            if dice.once_in(2) {
                let mut entry = vec![("source".to_owned(), text(dice.pick(&["acme/absent", "hashicorp/other"])))];
                if dice.once_in(2) {
                    entry.push(("version".to_owned(), text(dice.pick(&["~> 5.0", ">= 1"]))));
                }
                providers.set(name, Value::Map(entry));
            }
        }
        block.blocks.push(providers);
    }
    if dice.once_in(10) {
        block.set("unheard_of", Value::Plain("1"));
    }
}

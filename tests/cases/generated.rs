//! Modules made up at random, the same ones in every run: several files, override files, both syntaxes, some of them
//! damaged. The real tool, where it is on the machine, must find the same; the properties of every module must hold
//! without it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A small generator of numbers (splitmix64): a seed gives the same module for ever.
pub(crate) struct Dice(u64);

impl Dice {
    /// The dice of a module.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 up to, not including, `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True once in `times`.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of a list.
    pub(crate) fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// An expression that both syntaxes can say.
#[derive(Clone)]
enum Value {
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

/// A block that both syntaxes can say.
#[derive(Clone, Default)]
struct Block {
    keyword: &'static str,
    labels: Vec<String>,
    arguments: Vec<(String, Value)>,
    blocks: Vec<Block>,
}

impl Block {
    fn new(keyword: &'static str, labels: &[&str]) -> Self {
        Self { keyword, labels: labels.iter().map(|&label| label.to_owned()).collect(), ..Self::default() }
    }

    fn set(&mut self, name: &str, value: Value) {
        // Twice in one block is a matter of its own, left to the damaged modules.
        if !self.arguments.iter().any(|(other, _)| other == name) {
            self.arguments.push((name.to_owned(), value));
        }
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn code(source: impl Into<String>) -> Value {
    Value::Code(source.into())
}

fn bare(source: impl Into<String>) -> Value {
    Value::Bare(source.into())
}

// ---- writing ------------------------------------------------------------------------------------------------

fn native(blocks: &[Block]) -> String {
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

fn json(blocks: &[Block]) -> String {
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

// ---- modules whose loading is compared ----------------------------------------------------------------------

const FILES: &[&str] = &[
    "main.tf",
    "main-b.tf",
    "net.tf.json",
    "10_x.tf",
    "override.tf",
    "a_override.tf",
    "b_override.tf.json",
    "z_override.tf",
];

/// A module for the loader: it may be wrong in any way, and holds a resource of a provider that is not installed, so
/// that the tool stops where loading ends.
pub(crate) fn loading(seed: u64) -> Vec<(String, Vec<u8>)> {
    let dice = &mut Dice::new(seed);
    let mut files: BTreeMap<&str, Vec<Block>> = BTreeMap::new();
    files.entry("anchor.tf").or_default().push(Block::new("resource", &["absent_thing", "anchor"]));
    for _ in 0..3 + dice.below(14) {
        let name = dice.pick(FILES);
        let block = top_level(dice);
        files.entry(name).or_default().push(block);
    }
    // Most overrides should meet a base.
    let bases: Vec<Block> =
        files.iter().filter(|(name, _)| name.contains("override")).flat_map(|(_, blocks)| blocks.clone()).collect();
    for base in bases {
        if !dice.once_in(4) && !matches!(base.keyword, "moved" | "import" | "removed" | "check") {
            let again = remake(dice, &base);
            files.entry(if dice.once_in(3) { "net.tf.json" } else { "main.tf" }).or_default().push(again);
        }
    }
    let mut out: Vec<(String, Vec<u8>)> = files.iter().map(|(name, blocks)| written(name, blocks)).collect();
    if dice.once_in(3) {
        let at = dice.below(out.len());
        if !out[at].0.starts_with("anchor") {
            damage(dice, &mut out[at].1);
        }
    }
    out
}

fn written(name: &str, blocks: &[Block]) -> (String, Vec<u8>) {
    let content = if name.ends_with("json") { json(blocks) } else { native(blocks) };
    (name.to_owned(), content.into_bytes())
}

fn damage(dice: &mut Dice, bytes: &mut Vec<u8>) {
    const CRUMBS: &[&str] = &[
        "{", "}", "[", "]", "(", ")", "\"", "\n", "=", ",", ".", "${", "%{", "<<EOT\n", "'", "$", "?", ":", "-", "!",
        "#", "/*", "//", "é", "\t", " ", "x", "1", "null", "for", "\\", "&&", "...", "*", "%{ if", "~}", "`", ";",
        "\r\n",
    ];
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len() + 1);
        match dice.below(4) {
            0 => {
                let end = (at + 1 + dice.below(6)).min(bytes.len());
                bytes.drain(at..end);
            }
            1 => bytes.truncate(at),
            _ => {
                let crumb = dice.pick(CRUMBS).as_bytes().to_vec();
                bytes.splice(at..at, crumb);
            }
        }
        if bytes.is_empty() {
            return;
        }
    }
}

/// Another block of the same header.
fn remake(dice: &mut Dice, block: &Block) -> Block {
    let mut again = Block { keyword: block.keyword, labels: block.labels.clone(), ..Block::default() };
    fill(dice, &mut again);
    if block.keyword == "provider" {
        again.arguments.retain(|(name, _)| name != "alias");
        again.arguments.extend(block.arguments.iter().filter(|(name, _)| name == "alias").cloned());
    }
    again
}

fn top_level(dice: &mut Dice) -> Block {
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

fn fill(dice: &mut Dice, block: &mut Block) {
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

/// A value that both syntaxes say without an expression.
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

// ---- modules whose plan is compared -------------------------------------------------------------------------

/// A module that needs no provider from elsewhere and should be sound: its plan, and that of its `tf-json` form, are
/// the same.
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

/// A value that evaluates without trouble, in many spellings.
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

/// A here document cannot stand before a comma.
fn in_line(value: Value) -> Value {
    match value {
        Value::Code(source) if source.contains("<<") => Value::Plain("6"),
        other => other,
    }
}

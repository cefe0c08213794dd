//! Trees of modules in which objects are imported, moved, replaced and checked: everything that is about more than the
//! values of expressions. Much of it is wrong on purpose.

use std::collections::BTreeMap;

use super::dice::Dice;
use super::forms::{Block, Value, bare, code, text};
use super::written;

/// A resource as others name it.
struct Made {
    name: String,
    /// `""`, `count` or `for_each`.
    repetition: &'static str,
}

/// Generates a tree; the root module is at the top.
pub(crate) fn upkeep(seed: u64) -> Vec<(String, Vec<u8>)> {
    let dice = &mut Dice::new(seed ^ 0x1_D0C5);
    let wrong = dice.once_in(2);
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let with_inner = dice.once_in(2);
    let inner = if with_inner { module(dice, wrong, "inner", &[], &mut files) } else { Vec::new() };
    let calls: &[&str] = if with_inner { &["inner"] } else { &[] };
    let child = module(dice, wrong, "child", calls, &mut files);
    let mut blocks = Vec::new();
    let known = [
        ("known", code("\"k\"")),
        ("nothing", Value::Plain("null")),
        ("secret", code("\"s\"")),
        ("empty", code("\"\"")),
        ("two", Value::Plain("2")),
        ("keys", code("[\"a\", \"b\"]")),
        ("pairs", code("{ a = \"ia\", b = \"ib\" }")),
    ];
    for (name, default) in known {
        let mut variable = Block::new("variable", &[name]);
        variable.set("default", default);
        match name {
            "secret" => variable.set("sensitive", Value::Plain("true")),
            "nothing" => variable.set("type", bare("string")),
            "keys" => variable.set("type", bare("list(string)")),
            "pairs" => variable.set("type", bare("map(string)")),
            _ => {}
        }
        if dice.once_in(8) {
            validation(dice, wrong, &mut variable, name);
        }
        blocks.push(variable);
    }
    let mut source = Block::new("resource", &["terraform_data", "source"]);
    source.set("input", code("\"in\""));
    blocks.push(source);
    let own = resources(dice, wrong, &mut blocks, &["var.known", "terraform_data.source.id"]);
    let repetition = dice.pick(&["", "count", "count", "for_each", "for_each"]);
    blocks.push(call(dice, wrong, "child", repetition));
    let targets = Targets { wrong, own: &own, child: (&child, repetition), inner: with_inner.then_some(&inner) };
    for _ in 0..dice.below(5) {
        let import = targets.import(dice);
        // Two imports into one constant target cannot be loaded.
        let is_same = |other: &Block| other.keyword == "import" && target_of(other) == target_of(&import);
        if wrong && dice.once_in(9) || !blocks.iter().any(is_same) {
            blocks.push(import);
        }
    }
    if dice.once_in(if wrong { 4 } else { 20 }) {
        for _ in 0..=dice.below(2) {
            blocks.push(targets.moved(dice));
        }
    }
    if wrong && dice.once_in(12) {
        let mut removed = Block::new("removed", &[]);
        removed.set(
            "from",
            bare(dice.pick(&["terraform_data.gone", "module.gone", "module.child", "terraform_data.r0"])),
        );
        let mut lifecycle = Block::new("lifecycle", &[]);
        lifecycle.set("destroy", Value::Plain("false"));
        removed.blocks.push(lifecycle);
        blocks.push(removed);
    }
    for at in 0..dice.below(2) {
        blocks.push(check(dice, wrong, &format!("c{at}"), &own));
    }
    for (at, made) in own.iter().enumerate() {
        if dice.once_in(3) {
            let mut output = Block::new("output", &[&format!("o{at}")]);
            output.set("value", code(format!("terraform_data.{}", made.name)));
            if dice.once_in(4) {
                output.blocks.push(condition(dice, wrong, "precondition", "var.known"));
            }
            output.set("sensitive", Value::Plain("true"));
            blocks.push(output);
        }
    }
    put(dice, "", blocks, &mut files);
    files.into_iter().collect()
}

/// The target of an `import` block as it is written.
fn target_of(block: &Block) -> Option<&String> {
    block.arguments.iter().find_map(|(name, value)| match value {
        Value::Bare(target) if name == "to" => Some(target),
        _ => None,
    })
}

/// Divides blocks among files of both syntaxes.
fn put(dice: &mut Dice, dir: &str, blocks: Vec<Block>, files: &mut BTreeMap<String, Vec<u8>>) {
    let mut by_name: BTreeMap<&str, Vec<Block>> = BTreeMap::new();
    for block in blocks {
        // The default of a variable is no expression in JSON.
        let name = if block.keyword == "variable" || !dice.once_in(5) { "main.tf" } else { "more.tf.json" };
        by_name.entry(name).or_default().push(block);
    }
    for (name, blocks) in by_name {
        let (name, bytes) = written(name, &blocks);
        files.insert(if dir.is_empty() { name } else { format!("{dir}/{name}") }, bytes);
    }
}

fn module(
    dice: &mut Dice,
    wrong: bool,
    dir: &str,
    calls: &[&str],
    files: &mut BTreeMap<String, Vec<u8>>,
) -> Vec<Made> {
    let mut blocks = Vec::new();
    let mut variable = Block::new("variable", &["in"]);
    variable.set("default", code("\"d\""));
    if dice.once_in(3) {
        validation(dice, wrong, &mut variable, "in");
    }
    blocks.push(variable);
    let mut variable = Block::new("variable", &["other"]);
    variable.set("default", code("\"e\""));
    if dice.once_in(4) {
        let mut rule = Block::new("validation", &[]);
        rule.set("condition", code("var.other != var.in || true"));
        rule.set("error_message", text("They are the same."));
        variable.blocks.push(rule);
    }
    blocks.push(variable);
    let made = resources(dice, wrong, &mut blocks, &["var.in", "var.other"]);
    for name in calls {
        let repetition = dice.pick(&["", "count", "for_each"]);
        let mut block = call(dice, wrong, name, repetition);
        block.arguments.retain(|(name, _)| name != "source");
        block.set("source", text(&format!("../{name}")));
        blocks.push(block);
    }
    let mut output = Block::new("output", &["out"]);
    output.set("value", code(format!("terraform_data.{}", made[0].name)));
    if dice.once_in(4) {
        output.blocks.push(condition(dice, wrong, "precondition", "var.in"));
    }
    blocks.push(output);
    if dice.once_in(3) {
        blocks.push(check(dice, wrong, "own", &made));
    }
    if dice.once_in(if wrong { 5 } else { 20 }) {
        let mut moved = Block::new("moved", &[]);
        moved.set("from", bare(format!("terraform_data.{}", dice.pick(&["r0", "old", "r1", "r0[0]"]))));
        moved.set("to", bare(format!("terraform_data.{}", dice.pick(&["new", "r1", "r2", "r0[1]"]))));
        blocks.push(moved);
    }
    put(dice, dir, blocks, files);
    made
}

fn call(dice: &mut Dice, wrong: bool, name: &str, repetition: &str) -> Block {
    let mut block = Block::new("module", &[name]);
    block.set("source", text(&format!("./{name}")));
    match repetition {
        "count" => block.set("count", Value::Plain(dice.pick(&["0", "1", "2", "2"]))),
        "for_each" => {
            block.set("for_each", code(dice.pick(&["toset([\"a\", \"b\"])", "toset([])", "toset([\"a\"])"])));
        }
        _ => {}
    }
    if dice.once_in(2) {
        let value = ["\"given\"", "terraform_data.r0", "path.module", "\"\"", "tonumber(\"x\")"];
        let value = value[if wrong && dice.once_in(10) { 4 } else { dice.below(4) }];
        block.set("in", code(value));
    }
    block
}

fn resources(dice: &mut Dice, wrong: bool, blocks: &mut Vec<Block>, names: &[&str]) -> Vec<Made> {
    let mut made: Vec<Made> = Vec::new();
    for at in 0..2 + dice.below(3) {
        let name = format!("r{at}");
        let repetition = dice.pick(&["", "", "count", "for_each"]);
        let mut block = Block::new("resource", &["terraform_data", &name]);
        match repetition {
            "count" => block.set("count", Value::Plain(dice.pick(&["0", "1", "2", "2"]))),
            "for_each" => {
                block.set("for_each", code(dice.pick(&["toset([\"a\", \"b\"])", "toset([])", "toset([\"b\"])"])));
            }
            _ => {}
        }
        let value = |dice: &mut Dice| {
            let mut values: Vec<String> = vec![
                "\"x\"".to_owned(),
                "null".to_owned(),
                "{ k = 1, l = [2] }".to_owned(),
                "tomap({ k = 1, l = 2 })".to_owned(),
                "[1, 2]".to_owned(),
                "sensitive(\"y\")".to_owned(),
                "tostring(null)".to_owned(),
                "{ k = sensitive(1) }".to_owned(),
                "sensitive(null)".to_owned(),
            ];
            values.extend(names.iter().map(|&name| name.to_owned()));
            values.extend(made.iter().map(|made| format!("terraform_data.{}", made.name)));
            let at = dice.below(values.len());
            values.swap_remove(at)
        };
        if !dice.once_in(3) {
            block.set("input", code(value(dice)));
        }
        if dice.once_in(3) {
            block.set("triggers_replace", code(value(dice)));
        }
        if wrong && dice.once_in(25) {
            let own = ["", "[0]", "[\"a\"]", "[1]"][dice.below(4)];
            block.set("input", code(format!("terraform_data.{name}{own}")));
        }
        if dice.once_in(6)
            && let Some(other) = made.last()
        {
            block.set("depends_on", Value::List(vec![bare(format!("terraform_data.{}", other.name))]));
        }
        if dice.once_in(2) {
            block.blocks.push(lifecycle(dice, wrong, &made, repetition, names[0]));
        }
        blocks.push(block);
        made.push(Made { name, repetition });
    }
    made
}

fn lifecycle(dice: &mut Dice, wrong: bool, made: &[Made], repetition: &str, name: &str) -> Block {
    let mut block = Block::new("lifecycle", &[]);
    if dice.once_in(3) {
        let ignored = match dice.below(6) {
            0 => bare("all"),
            1 => Value::List(vec![bare("input[\"k\"]")]),
            2 => Value::List(vec![bare("input.k")]),
            3 => Value::List(vec![bare("triggers_replace"), bare("input")]),
            4 => Value::List(vec![bare("triggers_replace")]),
            _ => Value::List(vec![bare("input")]),
        };
        block.set("ignore_changes", ignored);
    }
    if dice.once_in(3)
        && let Some(other) = made.last()
    {
        let key = match other.repetition {
            "count" => dice.pick(&["", "[0]", "[1]", "[count.index]"]),
            "for_each" => dice.pick(&["", "[\"a\"]", "[\"b\"]", "[each.key]"]),
            _ => "",
        };
        // Which instances there are depends on the dice.
        let key = if wrong || dice.once_in(6) { key } else { "" };
        let key = match (key, repetition) {
            ("[count.index]", "count") | ("[each.key]", "for_each") => key,
            ("[count.index]" | "[each.key]", _) => "",
            _ => key,
        };
        let rest = dice.pick(&["", "", ".id", ".input", ".output", ".nothing", ".input.k", ".input[\"k\"]"]);
        let rest =
            if key.is_empty() && !other.repetition.is_empty() && !(wrong && dice.once_in(4)) { "" } else { rest };
        block.set(
            "replace_triggered_by",
            Value::List(vec![bare(format!("terraform_data.{}{key}{rest}", other.name))]),
        );
    }
    if dice.once_in(if wrong { 4 } else { 12 }) {
        block.set("prevent_destroy", Value::Plain("true"));
    }
    if dice.once_in(5) {
        block.set("create_before_destroy", Value::Plain("true"));
    }
    if dice.once_in(3) {
        block.blocks.push(condition(dice, wrong, "precondition", name));
    }
    if dice.once_in(3) {
        block.blocks.push(condition(dice, wrong, "postcondition", "self.input"));
    }
    block
}

fn condition(dice: &mut Dice, wrong: bool, keyword: &'static str, name: &str) -> Block {
    let mut block = Block::new(keyword, &[]);
    let found = match dice.below(if wrong { 12 } else { 40 }) {
        0 => format!("{name} == \"never\""),
        1 => format!("tobool({name})"),
        2 => format!("{name} == null ? null : true"),
        _ => format!("{name} != \"never\""),
    };
    block.set("condition", code(found));
    block.set("error_message", code(dice.pick(&["\"It is not so.\"", "\"Not ${1 + 1}.\"", "\"  blanks \""])));
    block
}

fn validation(dice: &mut Dice, wrong: bool, variable: &mut Block, name: &str) {
    let mut rule = Block::new("validation", &[]);
    let found = match dice.below(if wrong { 8 } else { 40 }) {
        0 => format!("var.{name} == \"never\""),
        1 => format!("tobool(var.{name})"),
        2 => format!("var.{name} == \"never\" ? true : null"),
        3 => format!("var.{name} == \"never\" ? \"x\" : \"y\""),
        _ => format!("can(var.{name})"),
    };
    rule.set("condition", code(found));
    rule.set("error_message", text("It is not valid."));
    variable.blocks.push(rule);
}

fn check(dice: &mut Dice, wrong: bool, name: &str, made: &[Made]) -> Block {
    let mut block = Block::new("check", &[name]);
    for _ in 0..=dice.below(2) {
        let made = &made[dice.below(made.len())];
        let mut assert = Block::new("assert", &[]);
        let name = format!("terraform_data.{}", made.name);
        let found = match dice.below(if wrong { 6 } else { 40 }) {
            0 => format!("{name} == null"),
            1 => format!("length(keys({name})) > 1"),
            2 => format!("tobool({name})"),
            _ => format!("{name} != null"),
        };
        assert.set("condition", code(found));
        assert.set("error_message", text("Something is wrong."));
        block.blocks.push(assert);
    }
    block
}

/// What can be imported and moved.
struct Targets<'t> {
    wrong: bool,
    own: &'t [Made],
    child: (&'t [Made], &'static str),
    inner: Option<&'t Vec<Made>>,
}

impl Targets<'_> {
    fn key(&self, dice: &mut Dice, repetition: &str) -> &'static str {
        match (repetition, dice.below(12)) {
            (_, 0) if self.wrong => dice.pick(&["", "[0]", "[\"a\"]", "[\"z\"]", "[7]"]),
            ("count", 0..9) => "[0]",
            ("count", _) => "[1]",
            ("for_each", 0..8) => "[\"a\"]",
            ("for_each", _) => "[\"b\"]",
            _ => "",
        }
    }

    fn address(&self, dice: &mut Dice) -> String {
        let pick = |dice: &mut Dice, made: &[Made]| {
            let made = &made[dice.below(made.len())];
            (made.name.clone(), made.repetition)
        };
        let (child, repetition) = self.child;
        let of = |dice: &mut Dice, made: &[Made]| {
            let (name, repetition) = pick(dice, made);
            format!("terraform_data.{name}{}", self.key(dice, repetition))
        };
        match (dice.below(8), self.inner) {
            (0, _) if self.wrong && dice.once_in(2) => {
                format!("terraform_data.absent{}", dice.pick(&["", "", "[0]"]))
            }
            (1..=3, _) => {
                let key = self.key(dice, repetition);
                format!("module.child{key}.{}", of(dice, child))
            }
            (4, Some(inner)) => {
                let (key, own) = (self.key(dice, repetition), dice.pick(&["", "[0]", "[\"a\"]"]));
                format!("module.child{key}.module.inner{own}.{}", of(dice, inner))
            }
            _ => of(dice, self.own),
        }
    }

    fn import(&self, dice: &mut Dice) -> Block {
        let mut block = Block::new("import", &[]);
        let mut to = self.address(dice);
        let mut each = false;
        if dice.once_in(3) {
            each = !(self.wrong && dice.once_in(20));
            let keys = [
                "each.key",
                "each.key",
                "each.key",
                "each.value",
                "\"${each.key}\"",
                "var.known",
                "upper(each.key)",
                "each.nothing",
                "null",
            ];
            let key = keys[dice.below(if self.wrong { keys.len() } else { 3 })];
            for constant in ["[0]", "[1]", "[\"a\"]", "[\"b\"]"] {
                if dice.once_in(2) {
                    to = to.replacen(constant, &format!("[{key}]"), 1);
                }
            }
            let collection = [
                "toset([\"a\", \"b\"])",
                "{ a = \"b\", b = \"ib\" }",
                "var.pairs",
                "toset(var.keys)",
                "[\"x\", \"y\"]",
                "[\"x\"]",
                "toset([\"a\", \"z\"])",
                "var.nothing",
                "toset([])",
                "sensitive({ a = \"sa\", b = \"sb\" })",
                "{ a = terraform_data.source.id }",
                "var.known",
                "{ a = \"\", b = \"\" }",
                "{ a = null, b = \"x\" }",
                "toset([\"b\"])",
            ];
            if each {
                block.set("for_each", code(collection[dice.below(if self.wrong { collection.len() } else { 4 })]));
            }
        }
        block.set("to", bare(to));
        let ids = [
            "\"id\"",
            "var.known",
            "var.secret",
            "terraform_data.source.input",
            "7",
            "module.child",
            "terraform_data.source.id",
            "var.nothing",
            "var.empty",
            "[\"x\"]",
            "tonumber(var.known)",
            "{}[var.known]",
            "var.undeclared",
            "terraform_data.r0.input",
        ];
        let id = match dice.below(4) {
            0..=2 if each => {
                let ids = ["each.value", "each.key", "\"i-${each.key}\"", "each.value.x"];
                ids[dice.below(if self.wrong { 4 } else { 3 })]
            }
            0 | 1 => "\"an-id\"",
            2 => ids[dice.below(5)],
            _ => ids[dice.below(if self.wrong { ids.len() } else { 5 })],
        };
        block.set("id", code(id));
        if self.wrong && dice.once_in(15) {
            block.set("provider", bare("terraform"));
        }
        block
    }

    fn moved(&self, dice: &mut Dice) -> Block {
        let mut block = Block::new("moved", &[]);
        let end = |dice: &mut Dice| match dice.below(5) {
            0 => format!("terraform_data.{}", dice.pick(&["old", "older", "new"])),
            1 => dice
                .pick(&["module.old", "module.child", "module.child[0]", "module.child[\"a\"]", "module.new"])
                .to_owned(),
            _ => self.address(dice),
        };
        block.set("from", bare(end(dice)));
        block.set("to", bare(end(dice)));
        block
    }
}

//! The objects of a generated module.

use std::collections::BTreeMap;

use super::super::Dice;
use super::super::forms::{Block, Value, bare, code, text};
use super::expressions::expression;
use super::module::{Input, Made, Module};
use super::scope::{Repetition, Scope, Taint, part};
use super::types::{self, Attribute, Presence, Ty, list, literal, map, set};

/// Generates the objects of a module, and writes its files.
pub(super) fn fill(
    dice: &mut Dice,
    mut module: Module,
    made: &[Made],
    level: usize,
    files: &mut BTreeMap<String, Vec<u8>>,
) -> Made {
    let module_mut = &mut module;
    for at in 0..=dice.below(3) {
        variable(dice, module_mut, &format!("v{at}"));
    }
    let callable: Vec<&Made> = made.iter().filter(|made| made.level > level).collect();
    let objects = if level == 0 { 4 + dice.below(7) } else { 2 + dice.below(4) };
    for at in 0..objects {
        match dice.below(12) {
            0..=2 => local(dice, module_mut, &format!("l{at}")),
            3..=6 => resource(dice, module_mut, &format!("r{at}")),
            7 if dice.once_in(2) => data(dice, module_mut, &format!("d{at}")),
            8 if dice.once_in(2) => check(dice, module_mut, &format!("c{at}")),
            _ => match callable.len() {
                0 => resource(dice, module_mut, &format!("r{at}")),
                count => {
                    let called = callable[dice.below(count)];
                    call(dice, module_mut, called, &format!("m{at}"));
                }
            },
        }
    }
    let most = if level == 0 { 6 } else { 3 };
    for at in 0..=dice.below(most) {
        output(dice, module_mut, &format!("o{at}"));
    }
    if dice.once_in(6) {
        history(dice, module_mut);
    }
    module.write(level, files)
}

/// Pushes a block; sometimes part of it is in an override file, or is overridden.
fn push(dice: &mut Dice, module: &mut Module, mut block: Block, can_move: &[&str], other: Option<(&str, Value)>) {
    if dice.once_in(7) && !block.labels.is_empty() {
        let mut change = Block { keyword: block.keyword, labels: block.labels.clone(), ..Block::default() };
        if let Some((name, value)) = other
            && dice.once_in(2)
        {
            change.set(name, value);
        } else if let Some(at) = block.arguments.iter().position(|(name, _)| can_move.contains(&name.as_str())) {
            change.arguments.push(block.arguments.remove(at));
        }
        if !change.arguments.is_empty() {
            module.push_override(dice, change);
        }
    }
    module.push(dice, block);
}

fn variable(dice: &mut Dice, module: &mut Module, name: &str) {
    let ty = if dice.once_in(9) { Ty::Any } else { types::any(dice, 2) };
    let is_root = module.dir.is_empty();
    let mut block = Block::new("variable", &[name]);
    if ty != Ty::Any || dice.once_in(2) {
        block.set("type", bare(ty.declared()));
    }
    let secret = dice.once_in(7);
    let ephemeral = dice.once_in(16);
    let plain = dice.once_in(2);
    let value = if dice.once_in(25) { "null".to_owned() } else { literal(dice, &ty) };
    let required = if is_root { dice.once_in(4) } else { dice.once_in(2) };
    if !required {
        block.set("default", code(value.clone()));
    } else if is_root && !dice.once_in(60) {
        module.values.push(format!("{name} = {value}"));
    }
    if is_root && !required && dice.once_in(6) {
        let value = literal(dice, &ty);
        module.values.push(format!("{name} = {value}"));
    }
    if secret {
        block.set("sensitive", Value::Plain("true"));
    }
    if ephemeral {
        block.set("ephemeral", Value::Plain("true"));
    }
    if value != "null" && dice.once_in(6) {
        block.set("nullable", Value::Plain("false"));
    }
    if dice.once_in(6) {
        block.set("description", text(dice.pick(&["", "about <it>"])));
    }
    let own = Taint { secret, unknown: false, ephemeral };
    let taint = if is_root || plain { own } else { own.and(Taint { ephemeral, ..Taint::EVERYTHING }) };
    if dice.once_in(4) {
        let scope =
            Scope { names: Vec::new(), wrong: module.scope.wrong }.with(format!("var.{name}"), ty.clone(), taint);
        block.blocks.push(condition(dice, &scope, "validation"));
    }
    module.scope.add(format!("var.{name}"), ty.clone(), taint);
    let takes = if plain { Taint { ephemeral, ..Taint::NOTHING } } else { Taint { ephemeral, ..Taint::EVERYTHING } };
    module.variables.push(Input { name: name.to_owned(), ty: ty.clone(), required, takes });
    let other = (!required).then(|| ("default", code(literal(dice, &ty))));
    push(dice, module, block, &["description", "sensitive"], other);
}

/// Returns a type that is likely to be met again.
fn some_type(dice: &mut Dice, module: &Module) -> Ty {
    if !module.scope.names.is_empty() && dice.once_in(2) {
        return module.scope.names[dice.below(module.scope.names.len())].ty.clone();
    }
    types::any(dice, 2)
}

fn local(dice: &mut Dice, module: &mut Module, name: &str) {
    let ty = some_type(dice, module);
    let allowed = if dice.once_in(4) { Taint::KNOWN } else { Taint::EVERYTHING };
    let value = expression(dice, &module.scope, &ty, allowed);
    let mut block = Block::new("locals", &[]);
    block.set(name, code(value.text));
    module.push(dice, block);
    if dice.once_in(9) {
        let mut change = Block::new("locals", &[]);
        let other = expression(dice, &module.scope, &ty, value.taint);
        change.set(name, code(other.text));
        module.push_override(dice, change);
    }
    module.scope.add(format!("local.{name}"), ty, value.taint);
}

/// A condition, which mostly holds.
fn condition(dice: &mut Dice, scope: &Scope, keyword: &'static str) -> Block {
    let mut block = Block::new(keyword, &[]);
    let found = expression(dice, scope, &Ty::Bool, Taint::EVERYTHING).text;
    // A condition has to name something.
    let name = if scope.names.is_empty() {
        "path.module".to_owned()
    } else {
        scope.names[dice.below(scope.names.len())].text.clone()
    };
    let found = if scope.names.iter().any(|named| found.contains(&named.text)) {
        found
    } else {
        format!("({found}) == can({name})")
    };
    let found = match dice.below(8) {
        0 => found,
        1..=3 => format!("({found}) || true"),
        4 => format!("can({found})"),
        _ => format!("try({found}, true) || 1 == 1"),
    };
    block.set("condition", code(found));
    let message = match dice.below(3) {
        0 => expression(dice, scope, &Ty::Text, Taint { unknown: true, ..Taint::NOTHING }).text,
        _ => format!("\"It does not hold: {}.\"", dice.below(9)),
    };
    block.set("error_message", code(message));
    block
}

/// Repeats a block, and returns what its expressions can name.
fn repeat(dice: &mut Dice, module: &Module, block: &mut Block) -> (Repetition, Scope) {
    const KEYS: [&str; 4] = ["k", "on", "a b", "é"];
    match dice.below(7) {
        0 | 1 => {
            let (value, count) = match dice.below(5) {
                0..=2 => {
                    let count = dice.below(4);
                    (count.to_string(), count)
                }
                3 => {
                    let ty = list(types::simple(dice));
                    (format!("length({})", expression(dice, &module.scope, &ty, Taint::KNOWN).text), 1)
                }
                _ => {
                    let unknown = if module.scope.wrong > 0 { Taint::LASTING } else { Taint::KNOWN };
                    let found = expression(dice, &module.scope, &Ty::Number, unknown).text;
                    (format!("max(0, min(floor({found}), 2))"), 0)
                }
            };
            block.set("count", code(value));
            (Repetition::Count(count), module.scope.with("count.index", Ty::Number, Taint::NOTHING))
        }
        2 | 3 => {
            let allowed = match dice.below(if module.scope.wrong > 0 { 3 } else { 30 }) {
                0 => Taint::LASTING,
                _ => Taint::NOTHING,
            };
            let ty = some_type(dice, module);
            let (value, keys, ty, taint) = match dice.below(5) {
                0 | 1 => {
                    let keys: Vec<&str> = KEYS.iter().copied().take(dice.below(4)).collect();
                    let mut items = Vec::new();
                    let mut taint = Taint::NOTHING;
                    for key in &keys {
                        let item = expression(dice, &module.scope, &ty, Taint::LASTING);
                        taint = taint.and(item.taint);
                        items.push(format!("\"{key}\" = {}", item.text));
                    }
                    (format!("{{ {} }}", items.join(", ")), keys, ty, taint)
                }
                2 | 3 => {
                    let keys: Vec<&str> = KEYS.iter().copied().take(dice.below(4)).collect();
                    let items: Vec<String> = keys.iter().map(|key| format!("\"{key}\"")).collect();
                    (format!("toset([{}])", items.join(", ")), keys, Ty::Text, Taint::NOTHING)
                }
                _ => {
                    let wanted = if dice.once_in(3) { set(Ty::Text) } else { map(ty.clone()) };
                    let found = expression(dice, &module.scope, &wanted, allowed);
                    let ty = if matches!(wanted, Ty::Set(_)) { Ty::Text } else { ty };
                    (found.text, vec![], ty, found.taint)
                }
            };
            block.set("for_each", code(value));
            let scope = module.scope.with("each.key", Ty::Text, Taint::NOTHING).with("each.value", ty, taint);
            (Repetition::Keys(keys), scope)
        }
        _ => (Repetition::None, module.scope.clone()),
    }
}

fn depends_on(dice: &mut Dice, module: &Module, block: &mut Block) {
    if dice.once_in(7) && !module.resources.is_empty() {
        let one = module.resources[dice.below(module.resources.len())].clone();
        block.set("depends_on", Value::List(vec![bare(one)]));
    }
}

fn resource(dice: &mut Dice, module: &mut Module, name: &str) {
    let mut block = Block::new("resource", &["terraform_data", name]);
    let (repetition, scope) = repeat(dice, module, &mut block);
    let ty = some_type(dice, module);
    let mut taint = Taint::NOTHING;
    let has_input = !dice.once_in(7);
    if has_input {
        let input = expression(dice, &scope, &ty, Taint::LASTING);
        taint = input.taint;
        block.set("input", code(input.text));
    }
    if dice.once_in(4) {
        let ty = some_type(dice, module);
        block.set("triggers_replace", code(expression(dice, &scope, &ty, Taint::LASTING).text));
    }
    depends_on(dice, module, &mut block);
    if dice.once_in(5) {
        let mut lifecycle = Block::new("lifecycle", &[]);
        match dice.below(5) {
            0 => lifecycle.set("ignore_changes", Value::List(vec![bare("input")])),
            1 => lifecycle.set("create_before_destroy", Value::Plain("true")),
            _ => {}
        }
        if dice.once_in(2) {
            lifecycle.blocks.push(condition(dice, &scope, "precondition"));
        }
        if dice.once_in(2) {
            let scope = scope.with("self.input", ty.clone(), taint).with("self.id", Ty::Text, Taint::LASTING);
            lifecycle.blocks.push(condition(dice, &scope, "postcondition"));
        }
        block.blocks.push(lifecycle);
    }
    if dice.once_in(10) {
        let mut provisioner = Block::new("provisioner", &["local-exec"]);
        provisioner.set("command", code(expression(dice, &scope, &Ty::Text, Taint::EVERYTHING).text));
        block.blocks.push(provisioner);
    }
    if module.scope.wrong > 0 && dice.once_in(25) {
        let mut dynamic = Block::new("dynamic", &["thing"]);
        dynamic.set("for_each", code("[1]"));
        dynamic.blocks.push(Block::new("content", &[]));
        block.blocks.push(dynamic);
    }
    let other = has_input.then(|| ("input", code(expression(dice, &scope, &ty, taint).text)));
    push(dice, module, block, &["input", "triggers_replace", "count"], other);
    let address = format!("terraform_data.{name}");
    let unknown = Taint { unknown: true, ..Taint::NOTHING };
    part(&mut module.scope, &address, &repetition, ".id", &Ty::Text, unknown);
    if has_input {
        part(&mut module.scope, &address, &repetition, ".input", &ty, taint);
        part(&mut module.scope, &address, &repetition, ".output", &ty, unknown);
    }
    if dice.once_in(3) {
        module.scope.add(address.clone(), Ty::Any, taint.and(unknown));
    }
    module.resources.push(address);
}

/// The type of the outputs in the state of the other configuration.
fn state_type() -> Ty {
    let attribute = |name, ty| Attribute { name, ty, presence: Presence::Required };
    let one = vec![attribute("k", Ty::Bool), attribute("l", Ty::Tuple(vec![Ty::Number, Ty::Text]))];
    Ty::Object(vec![
        attribute("name", Ty::Text),
        attribute("size", Ty::Number),
        attribute("zones", list(Ty::Text)),
        attribute("tags", map(Ty::Text)),
        attribute("one", Ty::Object(one)),
    ])
}

fn data_block(dice: &mut Dice, module: &Module, name: &str) -> (Block, Repetition, Taint) {
    let mut block = Block::new("data", &["terraform_remote_state", name]);
    let (repetition, scope) =
        if dice.once_in(3) { repeat(dice, module, &mut block) } else { (Repetition::None, module.scope.clone()) };
    block.set("backend", text("local"));
    let unknown = dice.once_in(4);
    let path = match dice.below(if module.scope.wrong > 0 { 8 } else { 40 }) {
        0 => "\"absent.tfstate\"",
        1..=4 => "\"${path.root}/net.tfstate\"",
        _ => "\"net.tfstate\"",
    };
    let path = if unknown {
        let found = expression(dice, &scope, &Ty::Text, Taint::LASTING);
        format!("length({}) >= 0 ? {path} : {path}", found.text)
    } else {
        path.to_owned()
    };
    block.set("config", code(format!("{{ path = {path} }}")));
    if dice.once_in(4) {
        let ty = Ty::Object(vec![Attribute { name: "k", ty: Ty::Text, presence: Presence::Required }]);
        block.set("defaults", code(expression(dice, &scope, &ty, Taint::LASTING).text));
    }
    (block, repetition, Taint { unknown, ..Taint::NOTHING })
}

fn data(dice: &mut Dice, module: &mut Module, name: &str) {
    let (mut block, repetition, taint) = data_block(dice, module, name);
    depends_on(dice, module, &mut block);
    let taint = taint.and(Taint { unknown: block.arguments.iter().any(|(name, _)| name == "depends_on"), ..taint });
    if dice.once_in(8) {
        let mut lifecycle = Block::new("lifecycle", &[]);
        lifecycle.blocks.push(condition(dice, &module.scope, dice_keyword(name)));
        block.blocks.push(lifecycle);
    }
    push(dice, module, block, &["config", "defaults"], None);
    let address = format!("data.terraform_remote_state.{name}");
    part(&mut module.scope, &address, &repetition, ".outputs", &state_type(), taint);
    if dice.once_in(4) {
        module.scope.add(address, Ty::Any, taint);
    }
}

fn dice_keyword(name: &str) -> &'static str {
    if name.len().is_multiple_of(2) { "precondition" } else { "postcondition" }
}

fn check(dice: &mut Dice, module: &mut Module, name: &str) {
    let mut block = Block::new("check", &[name]);
    let mut scope = module.scope.clone();
    if dice.once_in(3) {
        let (data, repetition, taint) = data_block(dice, module, &format!("in_{name}"));
        let is_single = matches!(repetition, Repetition::None);
        if is_single {
            scope = scope.with(format!("data.terraform_remote_state.in_{name}.outputs"), state_type(), taint);
            block.blocks.push(data);
        }
    }
    for _ in 0..=dice.below(2) {
        block.blocks.push(condition(dice, &scope, "assert"));
    }
    module.push(dice, block);
}

fn call(dice: &mut Dice, module: &mut Module, made: &Made, name: &str) {
    let mut block = Block::new("module", &[name]);
    let up = if module.dir.is_empty() { "./" } else { "../" };
    block.set("source", text(&format!("{up}{}", made.dir)));
    let (repetition, scope) = repeat(dice, module, &mut block);
    let mut other = None;
    for input in &made.variables {
        if !input.required && dice.once_in(2) {
            continue;
        }
        if module.scope.wrong > 0 && dice.once_in(80) {
            continue;
        }
        let value = expression(dice, &scope, &input.ty, input.takes);
        if dice.once_in(3) {
            other = Some(expression(dice, &scope, &input.ty, input.takes).text);
        }
        block.set(&input.name, code(value.text));
    }
    depends_on(dice, module, &mut block);
    let first = made.variables.first().map(|input| input.name.as_str());
    let is_set = first.is_some_and(|first| block.arguments.iter().any(|(name, _)| name == first));
    let other = if is_set { other.map(|other| (first.unwrap_or_default(), code(other))) } else { None };
    push(dice, module, block, first.as_slice(), other);
    let address = format!("module.{name}");
    for (output, ty, taint) in &made.outputs {
        part(&mut module.scope, &address, &repetition, &format!(".{output}"), ty, *taint);
    }
    if dice.once_in(3) {
        module.scope.add(address.clone(), Ty::Any, Taint::EVERYTHING);
    }
    module.resources.push(address);
}

fn output(dice: &mut Dice, module: &mut Module, name: &str) {
    let mut block = Block::new("output", &[name]);
    let ty = some_type(dice, module);
    let is_root = module.dir.is_empty();
    let allowed = if is_root || dice.once_in(2) { Taint::LASTING } else { Taint::EVERYTHING };
    let value = expression(dice, &module.scope, &ty, allowed);
    block.set("value", code(value.text));
    if value.taint.ephemeral {
        block.set("ephemeral", Value::Plain("true"));
    }
    if (value.taint.secret && is_root && !dice.once_in(30)) || dice.once_in(9) {
        block.set("sensitive", Value::Plain("true"));
    }
    if dice.once_in(8) {
        block.set("description", text("what comes out"));
    }
    if dice.once_in(12) {
        depends_on(dice, module, &mut block);
    }
    if dice.once_in(9) {
        block.blocks.push(condition(dice, &module.scope, "precondition"));
    }
    let other = expression(dice, &module.scope, &ty, value.taint).text;
    push(dice, module, block, &["description"], Some(("value", code(other))));
    module.outputs.push((name.to_owned(), ty, value.taint));
}

/// What was elsewhere before: moved, removed, imported.
fn history(dice: &mut Dice, module: &mut Module) {
    let known = module.resources.iter().find(|address| address.starts_with("terraform_data")).cloned();
    match dice.below(3) {
        0 => {
            let mut block = Block::new("moved", &[]);
            block.set("from", bare(dice.pick(&["terraform_data.gone", "terraform_data.gone[\"k\"]", "module.gone"])));
            let to = known.unwrap_or_else(|| "terraform_data.absent".to_owned());
            block.set("to", bare(to));
            module.push(dice, block);
        }
        1 => {
            let mut block = Block::new("removed", &[]);
            block.set("from", bare(dice.pick(&["terraform_data.gone", "module.gone"])));
            let mut lifecycle = Block::new("lifecycle", &[]);
            lifecycle.set("destroy", Value::Plain(dice.pick(&["true", "false"])));
            block.blocks.push(lifecycle);
            module.push(dice, block);
        }
        _ => {
            let Some(to) = known.filter(|_| module.dir.is_empty()) else { return };
            let mut block = Block::new("import", &[]);
            block.set("to", bare(to));
            block.set("id", code(expression(dice, &module.scope, &Ty::Text, Taint::KNOWN).text));
            module.push(dice, block);
        }
    }
}

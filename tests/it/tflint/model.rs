//! A second implementation of the rules of tflint.md, sections 3 and 4, as plain as possible, compared with the product
//! on random modules: several primary files, several override files, native syntax, no expansion.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;

// ---- blocks as the model has them --------------------------------------------------------------------------------

/// `FILE:LINE` and the text there.
type Placed = (String, String);

#[derive(Clone, Debug)]
struct Block {
    kind: String,
    labels: Vec<String>,
    at: String,
    arguments: BTreeMap<String, Placed>,
    blocks: Vec<Block>,
}

impl Block {
    fn key(&self) -> String {
        let mut parts = vec![self.kind.clone()];
        parts.extend(self.labels.clone());
        parts.join(".")
    }

    fn kinds(&self) -> BTreeSet<String> {
        self.blocks.iter().map(|inner| inner.kind.clone()).collect()
    }

    fn show(&self, depth: usize, out: &mut String) {
        let blank = "  ".repeat(depth);
        writeln!(out, "{blank}{} {:?} at {}", self.kind, self.labels, self.at).unwrap();
        for (name, (at, text)) in &self.arguments {
            writeln!(out, "{blank}  {name} = {text} at {at}").unwrap();
        }
        for inner in &self.blocks {
            inner.show(depth + 1, out);
        }
    }
}

/// Applies one override file (tflint.md, section 3).
fn apply(list: &mut Vec<Block>, over: Vec<Block>) {
    let keys: Vec<String> = list.iter().map(Block::key).collect();
    let mut at_the_end = Vec::new();
    for over in over {
        let same: Vec<usize> = (0..keys.len()).filter(|&at| keys[at] == over.key()).collect();
        if same.is_empty() {
            continue;
        }
        match over.kind.as_str() {
            "locals" => at_the_end.extend(locals(list, &same, over)),
            "terraform" => at_the_end.extend(terraform(list, &same, over)),
            "resource" => resource(&mut list[same[0]], over),
            _ => general(&mut list[same[0]], over),
        }
    }
    list.extend(at_the_end);
}

fn general(base: &mut Block, over: Block) {
    let kinds = over.kinds();
    base.arguments.extend(over.arguments);
    base.blocks.retain(|inner| !kinds.contains(&inner.kind));
    base.blocks.extend(over.blocks);
}

fn resource(base: &mut Block, mut over: Block) {
    for inner in base.blocks.iter_mut().filter(|inner| inner.kind == "lifecycle") {
        for lifecycle in over.blocks.iter().filter(|inner| inner.kind == "lifecycle") {
            inner.arguments.extend(lifecycle.arguments.clone());
        }
    }
    over.blocks.retain(|inner| inner.kind != "lifecycle");
    general(base, over);
}

/// Merges locals (tflint.md, section 4).
fn locals(list: &mut [Block], same: &[usize], over: Block) -> Option<Block> {
    if let [only] = same {
        list[*only].arguments.extend(over.arguments);
        return None;
    }
    let mut rest = BTreeMap::new();
    for (name, value) in over.arguments {
        let mut found = false;
        for &at in same {
            if let Some(place) = list[at].arguments.get_mut(&name) {
                *place = value.clone();
                found = true;
            }
        }
        if !found {
            rest.insert(name, value);
        }
    }
    (!rest.is_empty()).then(|| Block { arguments: rest, blocks: Vec::new(), ..over })
}

fn terraform(list: &mut [Block], same: &[usize], over: Block) -> Option<Block> {
    let mut gone = over.kinds();
    gone.remove("required_providers");
    if gone.contains("backend") || gone.contains("cloud") {
        gone.extend(["backend".to_owned(), "cloud".to_owned()]);
    }
    for &at in same {
        list[at].arguments.extend(over.arguments.clone());
        list[at].blocks.retain(|inner| !gone.contains(&inner.kind));
        list[at].blocks.extend(over.blocks.iter().filter(|inner| inner.kind != "required_providers").cloned());
    }
    let requirements: Vec<(usize, usize)> = same
        .iter()
        .flat_map(|&at| (0..list[at].blocks.len()).map(move |inner| (at, inner)))
        .filter(|&(at, inner)| list[at].blocks[inner].kind == "required_providers")
        .collect();
    let mut wanted: Vec<Block> =
        over.blocks.iter().filter(|inner| inner.kind == "required_providers").cloned().collect();
    match requirements.as_slice() {
        [] => None,
        [(at, inner)] => {
            for block in wanted {
                list[*at].blocks[*inner].arguments.extend(block.arguments);
            }
            None
        }
        _ => {
            for (at, inner) in requirements {
                let base = &mut list[at].blocks[inner].arguments;
                let names: Vec<String> = base.keys().cloned().collect();
                for name in names {
                    if let Some(first) = wanted.iter().position(|block| block.arguments.contains_key(&name)) {
                        base.insert(name.clone(), wanted[first].arguments[&name].clone());
                        for block in &mut wanted {
                            block.arguments.remove(&name);
                        }
                    }
                }
            }
            wanted.retain(|block| !block.arguments.is_empty());
            (!wanted.is_empty()).then_some(Block { blocks: wanted, ..over })
        }
    }
}

// ---- random modules ------------------------------------------------------------------------------------------------

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }
}

/// One file: its text, and the model's blocks.
struct File {
    name: &'static str,
    text: String,
    line: usize,
    blocks: Vec<Block>,
}

const NAMES: &[&str] = &["a", "b", "c", "disk", "depends_on"];
const NESTED: &[&str] = &["disk", "nic", "lifecycle", "provisioner", "dynamic", "connection"];

impl File {
    fn new(name: &'static str, random: &mut Random) -> Self {
        let mut file = Self { name, text: String::new(), line: 1, blocks: Vec::new() };
        for _ in 0..random.below(7) {
            let block = file.top(random);
            file.blocks.push(block);
        }
        file
    }

    fn write(&mut self, depth: usize, line: &str) -> String {
        writeln!(self.text, "{}{line}", "  ".repeat(depth)).unwrap();
        self.line += 1;
        format!("{}:{}", self.name, self.line - 1)
    }

    fn top(&mut self, random: &mut Random) -> Block {
        let (kind, labels): (&str, Vec<&str>) = match random.below(14) {
            0..=2 => ("resource", vec![random.one(&["t", "t.u", "v"]), random.one(&["x", "y", "u.x"])]),
            3 => ("data", vec!["t", random.one(&["x", "y"])]),
            4 => ("module", vec![random.one(&["x", "y"])]),
            5 => ("provider", vec!["p"]),
            6..=7 => ("locals", vec![]),
            8..=10 => ("terraform", vec![]),
            11 => (random.one(&["moved", "import", "removed"]), vec![]),
            12 => ("variable", vec![random.one(&["x", "y"])]),
            _ => ("widget", [vec![], vec!["x"], vec!["x", "y"], vec!["x.y"]][random.below(4)].clone()),
        };
        let nested: &[&str] = match kind {
            "locals" => &[],
            "terraform" => &["required_providers", "required_providers", "backend", "cloud", "provider_meta"],
            "variable" => &["validation"],
            _ => NESTED,
        };
        self.block(0, kind, &labels, nested, random)
    }

    fn block(&mut self, depth: usize, kind: &str, labels: &[&str], nested: &[&str], random: &mut Random) -> Block {
        let header: Vec<String> = labels.iter().map(|label| format!(" \"{label}\"")).collect();
        let header = header.concat();
        let at = self.write(depth, &format!("{kind}{header} {{"));
        let mut block = Block {
            kind: kind.to_owned(),
            labels: labels.iter().map(|&label| label.to_owned()).collect(),
            at,
            arguments: BTreeMap::new(),
            blocks: Vec::new(),
        };
        for name in NAMES {
            if random.below(3) == 0 {
                let text = format!("{}", random.next());
                let at = self.write(depth + 1, &format!("{name} = {text}"));
                block.arguments.insert((*name).to_owned(), (at, text));
            }
        }
        if !nested.is_empty() {
            for _ in 0..random.below(4) {
                let kind = random.one(nested);
                let labels: &[&str] = match kind {
                    "provisioner" | "backend" | "provider_meta" => &[random.one(&["k", "l"])],
                    "dynamic" => &[random.one(&["disk", "nic"])],
                    _ => &[],
                };
                let inside: &[&str] = match kind {
                    "lifecycle" => &["precondition"],
                    "dynamic" => &["content"],
                    "cloud" => &["workspaces"],
                    _ => &[],
                };
                let inner = self.block(depth + 1, kind, labels, inside, random);
                block.blocks.push(inner);
            }
        }
        self.write(depth, "}");
        block
    }
}

// ---- the product -----------------------------------------------------------------------------------------------------

fn product(files: &[File]) -> (String, Value) {
    let files: serde_json::Map<String, Value> =
        files.iter().map(|file| (file.name.to_owned(), Value::from(file.text.clone()))).collect();
    let answer = super::directly(false, &Value::from(files));
    let mut shown = String::new();
    for block in answer["module"]["content"].as_array().unwrap() {
        block_of(block).show(0, &mut shown);
    }
    (shown, answer)
}

fn place(range: &Value) -> String {
    format!("{}:{}", range["filename"].as_str().unwrap(), range["start"]["line"])
}

fn block_of(block: &Value) -> Block {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    Block {
        kind: text(&block["type"]),
        labels: block["labels"].as_array().unwrap().iter().map(text).collect(),
        at: place(&block["header"]),
        arguments: block["attributes"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, argument)| (name.clone(), (place(&argument["range"]), text(&argument["expression"]))))
            .collect(),
        blocks: block["blocks"].as_array().unwrap().iter().map(block_of).collect(),
    }
}

#[test]
fn the_merge_agrees_with_the_model_on_random_modules() {
    // In order of application: by bytes.
    const PRIMARY: &[&str] = &["a.tf", "b.tf", "main.tf"];
    const OVER: &[&str] = &["B_override.tf", "a-1_override.tf", "a_override.tf", "override.tf"];
    let modules = std::env::var("OVERFOLD_LIST_MODULES").ok().and_then(|count| count.parse().ok()).unwrap_or(1_500);
    let mut dropped = 0;
    for seed in 1..=modules {
        let mut random = Random(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed));
        let mut files = Vec::new();
        for names in [PRIMARY, OVER] {
            let first = random.below(names.len());
            let count = 1 + random.below(names.len() - first);
            for name in names.iter().skip(first).take(count) {
                files.push(File::new(name, &mut random));
            }
        }
        let mut list: Vec<Block> = Vec::new();
        for file in &files {
            if file.name.ends_with("override.tf") {
                apply(&mut list, file.blocks.clone());
            } else {
                list.extend(file.blocks.clone());
            }
        }
        let mut wanted = String::new();
        for block in &list {
            block.show(0, &mut wanted);
        }
        let (found, answer) = product(&files);
        let text: Vec<String> = files.iter().map(|file| format!("--- {}\n{}", file.name, file.text)).collect();
        let text = text.concat();
        assert_eq!(found, wanted, "seed {seed}\n{text}");
        assert_eq!(answer["valid"], true, "seed {seed}\n{text}{:#}", answer["diagnostics"]);
        dropped += answer["diagnostics"].as_array().unwrap().len();
    }
    assert!(dropped as u64 > modules, "random modules should drop something now and then: {dropped}");
}

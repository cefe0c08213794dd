//! Which input variables and outputs contain secrets, according to their declarations.
//!
//! A variable is secret if any declaration of it, in a primary or an override file, has a flag that is not plainly
//! `false`: a flag that an override resets may have protected a secret, and a flag that cannot be read may have been
//! meant to be true. The syntax trees are examined, not the merged module, because the flags of a declaration count
//! even if loading refuses it (a duplicate, a declaration without a name). The declarations of a file with a syntax
//! error are read from its text ([`damaged_declarations`]).

pub mod damaged_declarations;

use foldhash::HashMap;
use overfold_base::account;
use overfold_base::diag::{Secrecy, SourceId};
use overfold_base::files::{Source, SourceKind, SourceRole};
use overfold_dialect::words;
use overfold_syntax::json::{JsonKind, JsonNode, JsonTree};
use overfold_syntax::tree::{Block, ExprKind, Id, Root, Tree};
use overfold_syntax::{Forest, Parsed, hcl1};
use overfold_value::normalized;

/// The flags that make a variable secret.
const FLAGS: [(&str, Secrecy); 2] = [(words::SENSITIVE, Secrecy::Sensitive), (words::EPHEMERAL, Secrecy::Ephemeral)];

/// The declared variables, with how secret each of them is.
#[derive(Clone, Default, Debug)]
pub struct Secrets {
    declared: HashMap<Box<str>, Secrecy>,
    /// Names in damaged JSON, where any key may be the name of a variable.
    suspected: HashMap<Box<str>, Secrecy>,
    strongest: Secrecy,
    /// The outputs that are declared secret.
    outputs: HashMap<Box<str>, Secrecy>,
    /// The arguments that are passed to secret variables, by the name of the call.
    passed: HashMap<Box<str>, HashMap<Box<str>, Secrecy>>,
    /// Whether the language has flags for secrets. If it does not, a flag is a mistake, but still shows what was
    /// meant.
    flags_exist: bool,
}

impl Secrets {
    /// Collects the declarations from all parsed configuration. `flags_exist`: whether the language has flags for
    /// secrets.
    pub fn new(forest: &Forest, flags_exist: bool) -> Self {
        Self::since(forest, 0, flags_exist)
    }

    /// Like [`Self::new`], but only from the sources from this index on: those of the module that was read last, if there
    /// are others in the forest.
    pub fn since(forest: &Forest, first: usize, flags_exist: bool) -> Self {
        let mut secrets = Self { flags_exist, ..Self::default() };
        for index in first..forest.sources.len() {
            let id = SourceId::new(u32::try_from(index).unwrap_or(u32::MAX));
            let Some(source) = forest.sources.get(id).filter(|source| is_configuration(source)) else { continue };
            account::touch(source.text.len());
            let is_json = is_json(source, forest.native(id));
            if source.damaged {
                secrets.damaged(&source.text, is_json);
            }
            match forest.parsed(id) {
                _ if source.damaged && is_json => {}
                Some(Parsed::Native(tree)) => secrets.native(tree),
                Some(Parsed::Json(tree)) => secrets.json(tree),
                None => {}
            }
        }
        secrets
    }

    /// Returns how secret the values of a variable are.
    pub fn variable(&self, name: &str) -> Secrecy {
        let declared = self.declared.get(name).copied().unwrap_or_else(|| self.undeclared());
        self.suspected.get(name).map_or(declared, |suspected| declared.max(*suspected))
    }

    /// Returns how secret a value for an undeclared name is: it may be for a variable of another module, or misspelt.
    pub fn undeclared(&self) -> Secrecy {
        if self.flags_exist { self.strongest.max(Secrecy::Sensitive) } else { self.strongest }
    }

    /// Returns how secret the values of a variable are, if the module declares it or may do so.
    pub fn declared_variable(&self, name: &str) -> Option<Secrecy> {
        (self.declares(name) || self.suspected.contains_key(name)).then(|| self.variable(name))
    }

    /// Whether the module declares the variable.
    pub fn declares(&self, name: &str) -> bool {
        self.declared.contains_key(name)
    }

    /// Returns how secret the most secret declared variable is.
    pub fn strongest(&self) -> Secrecy {
        self.strongest
    }

    /// Returns how secret what is written for the value of an output is: it is part of the configuration, so at most
    /// sensitive.
    pub fn output(&self, name: &str) -> Secrecy {
        self.outputs.get(name).copied().unwrap_or_default()
    }

    /// Records that a call passes an argument to a variable of this secrecy.
    pub fn pass(&mut self, call: &str, argument: &str, secrecy: Secrecy) {
        let secrecy = secrecy.min(Secrecy::Sensitive);
        if secrecy > Secrecy::Open {
            account::grow((call.len() + argument.len() + 64) as u64);
            let held = self.passed.entry(Box::from(call)).or_default().entry(Box::from(argument)).or_default();
            *held = secrecy.max(*held);
        }
    }

    /// Records that calls pass what they pass in the same configuration in other words.
    pub fn pass_as(&mut self, other: &Self) {
        account::work(other.passed.len() as u64 * 4);
        self.passed.clone_from(&other.passed);
    }

    /// Returns how secret what a call passes for an argument is.
    pub fn argument(&self, call: &str, name: &str) -> Secrecy {
        self.passed.get(call).and_then(|arguments| arguments.get(name)).copied().unwrap_or_default()
    }

    /// Returns how secret the most secret place in the configuration can be, other than the declaration of a variable.
    pub fn elsewhere(&self) -> Secrecy {
        if self.outputs.is_empty() && self.passed.is_empty() { Secrecy::Open } else { Secrecy::Sensitive }
    }

    fn declare_output(&mut self, name: &str, secrecy: Secrecy) {
        let secrecy = secrecy.min(Secrecy::Sensitive);
        if secrecy > Secrecy::Open {
            account::grow(name.len() as u64 + 32);
            self.outputs.insert(Box::from(&*normalized(name)), secrecy);
        }
    }

    fn raise(&mut self, secrecy: Secrecy) {
        self.strongest = self.strongest.max(secrecy);
    }

    fn declare(&mut self, name: &str, secrecy: Secrecy) {
        self.raise(secrecy);
        let held = self.declared.entry(Box::from(&*normalized(name))).or_default();
        *held = secrecy.max(*held);
    }

    fn native(&mut self, tree: &Tree) {
        let Root::Body(body) = tree.root else { return };
        for block in tree.blocks(tree.body(body).blocks) {
            if tree.name(block.type_range) == words::VARIABLE {
                let secrecy = flagged_block(tree, block);
                self.raise(secrecy);
                if let Some(name) = name_of(tree, block) {
                    self.declare(name, secrecy);
                }
            } else if tree.name(block.type_range) == words::OUTPUT
                && let Some(name) = name_of(tree, block)
            {
                self.declare_output(name, flagged_block(tree, block));
            }
        }
        // HCL 1 accepts an object that is assigned as a block.
        for attribute in tree.attributes(tree.body(body).attributes) {
            if tree.hcl1 && tree.name(attribute.name_range) == words::VARIABLE {
                self.damaged(tree.bytes(attribute.range), true);
            }
        }
    }

    /// Examines text that could not be parsed, or only in part.
    fn damaged(&mut self, text: &[u8], is_json: bool) {
        for fragment in damaged_declarations::fragments(text, is_json) {
            self.raise(fragment.flagged);
            for name in fragment.names {
                if is_json {
                    let held = self.suspected.entry(Box::from(&*normalized(&name))).or_default();
                    *held = fragment.flagged.max(*held);
                } else {
                    self.declare(&name, fragment.flagged);
                }
            }
        }
    }

    fn json(&mut self, tree: &JsonTree) {
        json_declarations(tree, words::VARIABLE, &mut |name, body| {
            let secrecy = flagged_body(tree, body);
            self.raise(secrecy);
            if let Some(name) = name {
                self.declare(name, secrecy);
            }
        });
        json_declarations(tree, words::OUTPUT, &mut |name, body| {
            if let Some(name) = name {
                self.declare_output(name, flagged_body(tree, body));
            }
        });
    }
}

/// Whether a source may contain declarations: it must be a file, not a text inside or outside a file.
fn is_configuration(source: &Source) -> bool {
    source.role.get() == SourceRole::Configuration && matches!(source.kind, SourceKind::Native | SourceKind::Json)
}

/// Whether a file is in JSON syntax; for HCL 1, this is recognised by its content.
pub fn is_json(source: &Source, tree: Option<&Tree>) -> bool {
    match source.kind {
        SourceKind::Json => true,
        _ => tree.is_some_and(|tree| tree.hcl1) && hcl1::is_json(&source.text),
    }
}

/// Returns the name in the header of a declaration.
pub fn name_of<'t>(tree: &'t Tree, block: &Block) -> Option<&'t str> {
    tree.labels(block.labels).first().map(|label| tree.str(label.text))
}

/// Returns the secrecy that the flags in the body of a declaration express.
pub fn flagged_block(tree: &Tree, block: &Block) -> Secrecy {
    let body = tree.body(block.body);
    let flag =
        |name: &str| FLAGS.iter().find(|(flag, _)| *flag == name).map_or(Secrecy::Open, |(_, secrecy)| *secrecy);
    let by_attribute = tree
        .attributes(body.attributes)
        .iter()
        .filter(|attribute| !matches!(tree.expr(attribute.expr).kind, ExprKind::Bool(false)))
        .map(|attribute| flag(tree.name(attribute.name_range)));
    let by_block = tree.blocks(body.blocks).iter().map(|inner| flag(tree.name(inner.type_range)));
    by_attribute.chain(by_block).max().unwrap_or_default()
}

/// Returns the secrecy that the flags in the body of a declaration express, for JSON syntax.
pub fn flagged_body(tree: &JsonTree, body: Id<JsonNode>) -> Secrecy {
    let JsonKind::Object { properties, .. } = tree.node(body).kind else { return Secrecy::Open };
    tree.properties(properties)
        .iter()
        .filter(|property| !matches!(tree.node(property.value).kind, JsonKind::Bool(false)))
        .filter_map(|property| FLAGS.iter().find(|(flag, _)| *flag == tree.str(property.name)))
        .map(|(_, secrecy)| *secrecy)
        .max()
        .unwrap_or_default()
}

/// Calls `found` with the name and body of each declaration in a JSON file: of each block with this keyword, which has one
/// label. A body in the place of a name has no name.
pub fn json_declarations<'t>(
    tree: &'t JsonTree,
    keyword: &str,
    found: &mut dyn FnMut(Option<&'t str>, Id<JsonNode>),
) {
    for root in objects(tree, tree.root) {
        for (name, value) in members(tree, root) {
            if name == keyword {
                for by_name in objects(tree, value) {
                    let is_body = members(tree, by_name).any(|(name, value)| {
                        let flag = FLAGS.iter().any(|(flag, _)| *flag == name);
                        flag && !matches!(tree.node(value).kind, JsonKind::Object { .. } | JsonKind::Array { .. })
                    });
                    if is_body {
                        found(None, by_name);
                    }
                    for (name, value) in members(tree, by_name) {
                        for body in objects(tree, value) {
                            found(Some(name), body);
                        }
                    }
                }
            }
        }
    }
}

/// Returns the value itself if it is an object, or the objects in it if it is an array.
pub fn objects(tree: &JsonTree, id: Id<JsonNode>) -> Vec<Id<JsonNode>> {
    let is_object = |id: &Id<JsonNode>| matches!(tree.node(*id).kind, JsonKind::Object { .. });
    match tree.node(id).kind {
        JsonKind::Array { items, .. } => tree.list(items).iter().copied().filter(is_object).collect(),
        JsonKind::Object { .. } => vec![id],
        _ => Vec::new(),
    }
}

/// Returns the members of an object.
pub fn members(tree: &JsonTree, id: Id<JsonNode>) -> impl Iterator<Item = (&str, Id<JsonNode>)> {
    let properties = match tree.node(id).kind {
        JsonKind::Object { properties, .. } => tree.properties(properties),
        _ => &[],
    };
    properties.iter().map(|property| (tree.str(property.name), property.value))
}

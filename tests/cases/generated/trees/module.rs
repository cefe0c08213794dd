//! A module while it is generated, and what others see of it.

use std::collections::BTreeMap;

use super::super::Dice;
use super::super::forms::Block;
use super::super::written;
use super::scope::{Scope, Taint};
use super::types::Ty;

/// A module while it is generated.
pub(super) struct Module {
    /// Its directory; empty for the root module.
    pub(super) dir: String,
    pub(super) scope: Scope,
    pub(super) variables: Vec<Input>,
    pub(super) outputs: Vec<(String, Ty, Taint)>,
    /// The addresses of its resources.
    pub(super) resources: Vec<String>,
    /// Values for `terraform.tfvars`.
    pub(super) values: Vec<String>,
    files: BTreeMap<&'static str, Vec<Block>>,
}

/// A variable as a caller sees it.
#[derive(Clone)]
pub(super) struct Input {
    pub(super) name: String,
    pub(super) ty: Ty,
    pub(super) required: bool,
    pub(super) takes: Taint,
}

/// A module that others can call.
pub(super) struct Made {
    pub(super) dir: String,
    pub(super) level: usize,
    pub(super) variables: Vec<Input>,
    pub(super) outputs: Vec<(String, Ty, Taint)>,
}

impl Module {
    pub(super) fn new(dir: String, wrong: usize) -> Self {
        Self {
            dir,
            scope: Scope { names: Vec::new(), wrong },
            variables: Vec::new(),
            outputs: Vec::new(),
            resources: Vec::new(),
            values: Vec::new(),
            files: BTreeMap::new(),
        }
    }

    /// Puts a block into one of the files.
    pub(super) fn push(&mut self, dice: &mut Dice, block: Block) {
        let name = match dice.below(9) {
            // The default of a variable is no expression in JSON.
            0 if block.keyword != "variable" => "net.tf.json",
            1..=3 => "more.tf",
            _ => "main.tf",
        };
        self.files.entry(name).or_default().push(block);
    }

    /// Puts a block into one of the override files.
    pub(super) fn push_override(&mut self, dice: &mut Dice, block: Block) {
        let name = match block.keyword {
            "variable" => dice.pick(&["override.tf", "a_override.tf"]),
            _ => dice.pick(&["override.tf", "a_override.tf", "b_override.tf.json"]),
        };
        self.files.entry(name).or_default().push(block);
    }

    /// Writes the files of the module.
    pub(super) fn write(self, level: usize, into: &mut BTreeMap<String, Vec<u8>>) -> Made {
        let path = |name: &str| if self.dir.is_empty() { name.to_owned() } else { format!("{}/{name}", self.dir) };
        for (name, blocks) in &self.files {
            let (name, bytes) = written(name, blocks);
            into.insert(path(&name), bytes);
        }
        into.insert(path("t.tftpl"), b"<${v}>%{ if v == \"a\" }yes%{ endif }\n".to_vec());
        if !self.values.is_empty() {
            into.insert(path("terraform.tfvars"), self.values.join("\n").into_bytes());
        }
        Made { dir: self.dir, level, variables: self.variables, outputs: self.outputs }
    }
}

//! Whole trees of modules with values: local modules with repetitions, up to three calls deep, override files, both
//! syntaxes, values that are unknown, sensitive or ephemeral, conditions, and in some trees errors. They need nothing but
//! what is built into the tool.

mod expressions;
mod module;
mod objects;
mod scope;
mod types;

use std::collections::BTreeMap;

use super::Dice;
use module::{Made, Module};

/// Generates a tree; the root module is at the top.
pub(crate) fn tree(seed: u64) -> Vec<(String, Vec<u8>)> {
    let dice = &mut Dice::new(seed ^ 0x7EE);
    let wrong = match dice.below(8) {
        0 => 40,
        1 | 2 => 200,
        _ => 0,
    };
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut made: Vec<Made> = Vec::new();
    // The deepest modules come first, so that others can call them.
    for (level, most) in [(3, 2), (2, 2), (1, 3)] {
        if level > 1 && dice.once_in(level) {
            continue;
        }
        for at in 0..dice.below(most + 1) {
            let module = Module::new(format!("m{level}{}", ["a", "b", "c"][at]), wrong);
            made.push(objects::fill(dice, module, &made, level, &mut files));
        }
    }
    objects::fill(dice, Module::new(String::new(), wrong), &made, 0, &mut files);
    files.insert("net.tfstate".to_owned(), STATE.as_bytes().to_vec());
    files.into_iter().collect()
}

/// The state of another configuration.
const STATE: &str = r#"{
  "version": 4,
  "terraform_version": "1.11.4",
  "serial": 1,
  "lineage": "c3a0a9a0-0f0a-4a55-8a34-9d3b3f0d6a01",
  "outputs": {
    "name": { "value": "net", "type": "string" },
    "size": { "value": 3, "type": "number" },
    "zones": { "value": ["a", "b"], "type": ["list", "string"] },
    "tags": { "value": { "k": "v", "on": "w" }, "type": ["map", "string"], "sensitive": true },
    "one": { "value": { "k": true, "l": [1, "x"] }, "type": ["object", { "k": "bool", "l": ["tuple", ["number", "string"]] }] }
  },
  "resources": []
}
"#;

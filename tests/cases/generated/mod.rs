//! Pseudo-random modules, the same ones in every run: several files, override files, both syntaxes, some of them
//! damaged. The real tool, where it is installed, must report the same findings; the properties of every module must
//! hold in any case.

mod blocks;
mod dice;
mod forms;
mod plannable;
#[expect(clippy::needless_pass_by_value, clippy::match_same_arms, reason = "a generator reads as a list of choices")]
mod trees;
pub(crate) mod yaml;
mod upkeep;

use std::collections::BTreeMap;

use blocks::{fill, top_level};
pub(crate) use dice::Dice;
use forms::{Block, json, native};
pub(crate) use plannable::plannable;
pub(crate) use trees::tree;
pub(crate) use upkeep::upkeep;

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

/// Generates a module for the loader: it may be wrong in any way, and contains a resource of a provider that is not
/// installed, so that the tool stops after loading.
pub(crate) fn loading(seed: u64) -> Vec<(String, Vec<u8>)> {
    let dice = &mut Dice::new(seed);
    let mut files: BTreeMap<&str, Vec<Block>> = BTreeMap::new();
    files.entry("anchor.tf").or_default().push(Block::new("resource", &["absent_thing", "anchor"]));
    for _ in 0..3 + dice.below(14) {
        let name = dice.pick(FILES);
        let block = top_level(dice);
        files.entry(name).or_default().push(block);
    }
    // Most overrides should have a base.
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

/// Returns another block with the same header.
fn remake(dice: &mut Dice, block: &Block) -> Block {
    let mut again = Block { keyword: block.keyword, labels: block.labels.clone(), ..Block::default() };
    fill(dice, &mut again);
    if block.keyword == "provider" {
        again.arguments.retain(|(name, _)| name != "alias");
        again.arguments.extend(block.arguments.iter().filter(|(name, _)| name == "alias").cloned());
    }
    again
}

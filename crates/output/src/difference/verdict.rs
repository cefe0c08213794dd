//! What a difference comes to, in a few words.

use super::findings::errors;
use super::renames::MOVED;
use super::{Change, Difference, DifferenceKind, PartKind, overridden};
use crate::comment::{Weight, code, counted};
use overfold_dialect::ObjectKind;
use overfold_module::pipeline::Report;

/// The maximum number of characters of the name of a backend.
const MAX: usize = 40;

/// Counts of what weighs most in a difference of configurations.
#[derive(Default)]
pub(super) struct ConfigVerdict {
    /// Objects that are gone, except those that say where the state is.
    removed: usize,
    /// Arguments that are gone from objects that are still there.
    arguments: usize,
    /// Blocks that are gone from objects that are still there.
    blocks: usize,
    /// Where the state is now, of each module in which that has changed; `None` if only the settings have.
    states: Vec<Option<String>>,
    changed: usize,
    /// Objects that blocks have moved to another address, and in which nothing differs.
    pub(super) renamed: usize,
    /// Objects that are new, except for the blocks that move those that are renamed.
    added: usize,
    /// Edits without an effect.
    overridden: usize,
    /// Errors that were not there before.
    errors: usize,
    /// Modules that are gone.
    pub(super) modules_removed: usize,
    /// Modules that could not be compared.
    pub(super) not_compared: usize,
}

impl ConfigVerdict {
    pub(super) fn of(difference: &Difference<'_>) -> Self {
        let mut verdict = Self {
            overridden: difference.overridden.len(),
            errors: errors(difference.after, &difference.findings.appeared),
            ..Self::default()
        };
        let moves_objects = difference.changes.iter().any(|change| change.previous_address.is_some());
        for change in &difference.changes {
            if is_state(change) {
                if change.act != DifferenceKind::Moved && verdict.states.is_empty() {
                    let [was, is] = [difference.before, difference.after].map(state);
                    verdict.states.push((was != is).then(|| is.to_owned()));
                }
                continue;
            }
            match change.act {
                DifferenceKind::Removed => verdict.removed += 1,
                DifferenceKind::Added if moves_objects && change.kind == MOVED => {}
                DifferenceKind::Added => verdict.added += 1,
                DifferenceKind::Changed | DifferenceKind::Reordered => verdict.changed += 1,
                DifferenceKind::Moved => verdict.renamed += usize::from(change.previous_address.is_some()),
            }
            for part in change.parts.iter().filter(|part| part.act == DifferenceKind::Removed) {
                match part.what {
                    PartKind::Block => verdict.blocks += 1,
                    PartKind::Argument | PartKind::Label => verdict.arguments += 1,
                }
            }
        }
        verdict
    }

    /// Adds that of another module.
    pub(super) fn add(&mut self, other: Self) {
        self.removed += other.removed;
        self.arguments += other.arguments;
        self.blocks += other.blocks;
        self.states.extend(other.states);
        self.changed += other.changed;
        self.renamed += other.renamed;
        self.added += other.added;
        self.overridden += other.overridden;
        self.errors += other.errors;
    }

    /// Returns it as Markdown, without an end.
    pub(super) fn sentence(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        let mut say = |count: usize, what: &str, did: &str| {
            words.extend((count > 0).then(|| format!("{} {did}", counted(count, what))));
        };
        say(self.modules_removed, "module", "removed");
        say(self.removed, "object", "removed");
        match (self.arguments, self.blocks) {
            (arguments, 0) => say(arguments, "argument", "lost"),
            (0, blocks) => say(blocks, "block", "lost"),
            (arguments, blocks) => {
                words.push(format!("{} and {} lost", counted(arguments, "argument"), counted(blocks, "block")));
            }
        }
        match self.states.as_slice() {
            [] => {}
            [Some(to)] => words.push(format!("state moves to {}", code(to, MAX))),
            [None] => words.push("settings of the state change".to_owned()),
            states => words.push(format!("state of {} moves", counted(states.len(), "module"))),
        }
        let is_light = words.is_empty();
        let mut say = |count: usize, what: &str, did: &str| {
            words.extend((count > 0).then(|| format!("{} {did}", counted(count, what))));
        };
        if is_light {
            say(self.changed, "object", "changed");
            say(self.renamed, "object", "renamed");
            say(self.added, "object", "added");
        }
        say(self.not_compared, "module", "not compared");
        if words.is_empty() {
            words.push(overridden::NOTHING.to_owned());
        }
        overridden::add_to_verdict(self.overridden, &mut words);
        if self.errors > 0 {
            words.push(counted(self.errors, "new error"));
        }
        words.join(", ")
    }
}

/// Whether an object says where the state is.
pub(super) fn is_state(change: &Change) -> bool {
    is_state_kind(&change.kind)
}

fn is_state_kind(kind: &str) -> bool {
    kind == ObjectKind::Backend.name() || kind == ObjectKind::Cloud.name()
}

/// Returns where a module has its state: the type of the backend, or `cloud`.
pub(super) fn state<'r>(report: &'r Report<'_>) -> &'r str {
    let element = report.module.elements.iter().find(|element| is_state_kind(element.kind.name()));
    match element {
        Some(element) if element.kind == ObjectKind::Cloud => "cloud",
        Some(element) => element.block.labels.first().map_or("local", |label| label.text),
        None => "local",
    }
}

/// Returns what an object weighs for a reviewer.
pub(super) fn weight(change: &Change) -> Weight {
    let is_all = |act: DifferenceKind| !change.parts.is_empty() && change.parts.iter().all(|part| part.act == act);
    match change.act {
        DifferenceKind::Moved => Weight::WithoutEffect,
        _ if is_state(change) => Weight::State,
        DifferenceKind::Removed => Weight::Lost,
        DifferenceKind::Added => Weight::Added,
        _ if change.parts.iter().any(|part| part.act == DifferenceKind::Removed) => Weight::Lost,
        _ if is_all(DifferenceKind::Added) => Weight::Added,
        _ => Weight::Changed,
    }
}

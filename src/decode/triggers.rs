//! Action triggers (terraform.md, section 10.3.2).

use crate::config::{Block, Decoded};
use crate::decode::{Decoder, codes};
use crate::diag::{Diagnostic, Diagnostics};
use crate::dialect::KeywordRule;
use crate::language::references;
use crate::language::references::{Reference, ResourceMode, Subject};
use crate::syntax::{ExprAt, statics};

impl Decoder<'_, '_> {
    /// Reads a list of keywords, each of which may occur once.
    pub(super) fn events(&mut self, rule: KeywordRule, expr: ExprAt) -> Decoded {
        let items = statics::static_list(self.forest, expr, self.out).unwrap_or_default();
        let mut seen: Vec<String> = Vec::new();
        let mut valid = Vec::new();
        for item in items {
            let at = self.forest.expr_span(item);
            let word = statics::keyword(self.forest, item).map(String::from).unwrap_or_default();
            if !rule.words.contains(&word.as_str()) {
                let detail = format!("An event must be one of these keywords: {}.", rule.words.join(", "));
                let title = rule.title.replace("{0}", &word);
                self.out.push(Diagnostic::tool(&crate::language::codes::KEYWORD, at, detail).titled(title));
                continue;
            }
            if seen.contains(&word) {
                let title = format!("Duplicate \"{word}\" event");
                let detail = format!("The event `{word}` is already in this list. Remove the repetition.");
                self.out.push(Diagnostic::tool(&codes::DUPLICATE_KEYWORD, at, detail).titled(title));
                continue;
            }
            seen.push(word);
            valid.push(at);
        }
        Decoded::Items(valid)
    }

    /// Reads a list of references to actions of this module.
    pub(super) fn actions(&mut self, expr: ExprAt) -> Decoded {
        let items = statics::static_list(self.forest, expr, self.out).unwrap_or_default();
        let mut valid = Vec::new();
        let empty = items.is_empty();
        for item in items {
            if self.action(item) {
                valid.push(self.forest.expr_span(item));
            }
        }
        if empty {
            return Decoded::Items(Vec::new());
        }
        // Invalid items have been reported one by one; they do not make the list empty.
        if valid.is_empty() { Decoded::Wrong } else { Decoded::Items(valid) }
    }

    fn action(&mut self, item: ExprAt) -> bool {
        let at = self.forest.expr_span(item);
        let words = self.words();
        let mut found: Vec<Reference> = Vec::new();
        for traversal in statics::references(self.forest, item) {
            // Something that is not a reference at all is reported by a later stage.
            if let Some(reference) = references::reference(&traversal, words, &mut Diagnostics::new()) {
                found.push(reference);
            }
        }
        let mut actions = 0;
        let mut reported = false;
        for reference in &found {
            match &reference.subject {
                Subject::Resource { mode: ResourceMode::Action, .. } => actions += 1,
                Subject::Resource { .. } => {
                    let detail = "Only actions can be triggered, but this refers to a resource. Refer to an action in the form `action.TYPE.NAME`.";
                    self.out.push(Diagnostic::tool(&codes::NOT_AN_ACTION, at, detail));
                    reported = true;
                }
                Subject::Module { .. } => {
                    let detail =
                        "Only actions of the same module can be triggered, but this refers to another module.";
                    self.out.push(Diagnostic::tool(&codes::FOREIGN_ACTION, at, detail));
                    if self.dialect.rules.triggers.foreign_action_alone {
                        return false;
                    }
                    reported = true;
                }
                _ => {}
            }
        }
        if actions == 0 {
            let detail = "This item does not refer to an action. Refer to one in the form `action.TYPE.NAME`.";
            self.out.push(Diagnostic::tool(&codes::NO_ACTIONS, at, detail));
        } else if actions > 1 {
            let detail = "Each item must refer to exactly one action. Write one item for each action.";
            self.out.push(Diagnostic::tool(&codes::SEVERAL_ACTIONS, at, detail));
            reported = true;
        }
        actions == 1 && !reported
    }

    /// Checks that a trigger names at least one event and one action.
    pub(super) fn trigger_is_complete(&mut self, block: &Block<'_>) {
        let items = |name: &str| {
            block.arguments.iter().find(|argument| argument.name == name).map(|argument| &argument.decoded)
        };
        let none = |decoded: Option<&Decoded>| match decoded {
            None => true,
            Some(Decoded::Items(items)) => items.is_empty(),
            _ => false,
        };
        if none(items("events")) {
            let detail = "An action trigger must list at least one event in `events`. Without one it never runs.";
            self.out.push(Diagnostic::tool(&codes::NO_EVENTS, block.header, detail));
        }
        if none(items("actions")) {
            let detail =
                "An action trigger must list at least one action in `actions`. Without one it has nothing to run.";
            self.out.push(Diagnostic::tool(&codes::NO_ACTIONS, block.header, detail));
        }
    }
}

//! Action triggers (terraform.md, section 10.3.2).

use crate::decode::{Decoder, codes};
use overfold_base::account::List;
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting};
use overfold_dialect::KeywordRule;
use overfold_model::body::traversal;
use overfold_model::config::{Block, DecodedArgument};
use overfold_model::language::references;
use overfold_model::language::references::{AddressWords, ResourceMode, Subject};
use overfold_syntax::{ExprAt, Forest, statics};

impl<'f> Decoder<'f, '_> {
    /// Reads a list of keywords, each of which may occur once.
    pub(super) fn events(&mut self, rule: KeywordRule, expr: ExprAt) -> DecodedArgument<'f> {
        let items = statics::static_list(self.forest, expr, self.out);
        let mut seen: Vec<String> = Vec::new();
        let mut valid = Vec::new();
        for item in items {
            let at = self.forest.expr_span(item);
            let word = statics::keyword(self.forest, item).map(String::from).unwrap_or_default();
            if !rule.words.contains(&word.as_str()) {
                let detail = format!("An event must be one of these keywords: {}.", rule.words.join(", "));
                let title = rule.title.replace("{0}", &word);
                self.out.push(Diagnostic::tool(&overfold_model::language::codes::KEYWORD, at, detail).titled(title));
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
        self.items(valid.into_iter())
    }

    /// Reads a list of references to actions of this module. After an error in one item, the tool only parses the
    /// strings of the others, if they are in JSON, and does not look at native items.
    pub(super) fn actions(&mut self, expr: ExprAt) -> DecodedArgument<'f> {
        let (forest, words) = (self.forest, self.words());
        let alone = self.dialect.rules.triggers.other_reference_alone;
        let items = statics::static_list(forest, expr, self.out);
        if items.is_empty() {
            return DecodedArgument::Items(&[]);
        }
        let mut valid = List::new();
        let mut failed = false;
        for item in items {
            let (read, verdict) = self.out.watch(|out| traversal::reference_expression(forest, item, out));
            failed |= verdict.failed() || read.is_none();
            let Some(read) = read.filter(|_| !failed) else { continue };
            let (is_action, verdict) = self.out.watch(|out| is_action(forest, read, words, alone, out));
            failed |= verdict.failed();
            if is_action {
                valid.push(forest.expr_span(item));
            }
        }
        // Invalid items have been reported one by one; they do not make the list empty.
        if valid.is_empty() { DecodedArgument::Wrong } else { self.items(valid.into_iter()) }
    }

    /// Checks that a trigger names at least one event and one action.
    pub(super) fn trigger_is_complete(&mut self, block: &Block<'_>) {
        let items = |name: &str| block.argument(name).map(|argument| &argument.decoded);
        let none = |decoded: Option<&DecodedArgument<'_>>| match decoded {
            None => true,
            Some(DecodedArgument::Items(items)) => items.is_empty(),
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

/// Whether an item refers to exactly one action; reports it if not. `alone`: whether the first reference to anything
/// else is the only error.
fn is_action(forest: &Forest, item: ExprAt, words: AddressWords, alone: bool, out: &mut Diagnostics) -> bool {
    let at = forest.expr_span(item);
    let mut subjects = List::new();
    let mut bad = false;
    for traversal in statics::references(forest, item) {
        let mut own = Diagnostics::new();
        match references::reference(&traversal, words, &mut own) {
            Some(reference) => subjects.push(reference.subject),
            None => bad = true,
        }
        for mut diagnostic in own.into_vec() {
            // The tool reports these at the whole item.
            diagnostic.span = Some(at);
            out.push(diagnostic);
        }
    }
    if bad {
        return false;
    }
    let mut actions = 0;
    let mut only_actions = true;
    for subject in subjects {
        match subject {
            Subject::Resource { mode: ResourceMode::Action, .. } => {
                actions += 1;
                continue;
            }
            Subject::Count(_) | Subject::Each(_) => continue,
            Subject::Module { .. } => {
                let detail = "Only actions of the same module can be triggered, but this refers to another module.";
                out.push(Diagnostic::tool(&codes::FOREIGN_ACTION, at, detail));
            }
            Subject::Resource { .. } => {
                let detail = "Only actions can be triggered, but this refers to a resource. Refer to an action in the form `action.TYPE.NAME`.";
                out.push(Diagnostic::tool(&codes::NOT_AN_ACTION, at, detail));
            }
            _ if alone => {
                let detail = "Only actions can be triggered, but this refers to a value. Refer to an action in the form `action.TYPE.NAME`.";
                out.push(Diagnostic::tool(&codes::NOT_AN_ACTION, at, detail));
            }
            _ => continue,
        }
        if alone {
            return false;
        }
        only_actions = false;
    }
    if actions == 0 {
        let detail = "This item does not refer to an action. Refer to one in the form `action.TYPE.NAME`.";
        out.push(Diagnostic::tool(&codes::NO_ACTIONS, at, detail));
    } else if actions > 1 {
        let detail = "Each item must refer to exactly one action. Write one item for each action.";
        out.push(Diagnostic::tool(&codes::SEVERAL_ACTIONS, at, detail));
    }
    actions == 1 && only_actions
}

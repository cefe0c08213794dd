//! Arguments of backends and of encryption. OpenTofu evaluates them before it plans, and goes no further if one is wrong;
//! `validate` looks at encryption alone (opentofu.md, section 4).

use std::collections::HashSet;

use crate::early_eval::values::{EarlyEvaluation, EvaluatedExpr, EvaluationMode};
use crate::early_eval::{Inputs, codes};
use overfold_base::account::{self, ChargedIterator, List, Worklist};
use overfold_base::diag::{Diagnostic, Diagnostics, Phase, Severity, Span};
use overfold_dialect::{Behaviour, ObjectKind, words};
use overfold_model::config::{Argument, Block, Element, ObjectAddr};
use overfold_model::scope::Definitions;
use overfold_syntax::Forest;
use overfold_syntax::statics::{self, Traversal, TraversalKey};
use overfold_value::{Marks, with_stack};

/// The block of the encryption.
const ENCRYPTION: &str = "encryption";

/// The blocks that say what is encrypted, by their keywords. One of them only contains others.
const TARGETS: &[&str] = &["state", "plan", "default", "remote_state_data_source"];

/// The block that contains the targets for other states.
const OTHER_STATES: &str = "remote_state_data_sources";

/// The method that does not encrypt.
const UNENCRYPTED_METHOD: &str = "unencrypted";

/// Checks the encryption of a root module and, for a plan, its backend, if the encryption has no error.
pub(crate) fn check(inputs: &Inputs<'_>, is_planned: bool) -> Diagnostics {
    let mut out = Diagnostics::in_phase(Phase::Checking);
    let settings = || inputs.module.elements.iter().filter(|element| is_setting(element));
    if settings().next().is_none() {
        return out;
    }
    let definitions = Definitions::from_module(inputs.module);
    let mut evaluation = EarlyEvaluation::new(inputs, &definitions);
    for element in settings().filter(|element| element.block.keyword == ENCRYPTION) {
        let mut found = Diagnostics::new();
        Encryption { block: element.block, address: element.address }.check(&mut evaluation, &mut found);
        out.extend(found.into_vec().into_iter().filter(|found| is_planned || found.severity == Severity::Error));
    }
    if !is_planned || out.has_errors() || !inputs.dialect.has(Behaviour::SettingsAreEvaluated) {
        return out;
    }
    for element in settings().filter(|element| element.block.keyword != ENCRYPTION) {
        backend(&mut evaluation, element, &mut out);
    }
    out
}

fn is_setting(element: &Element<'_>) -> bool {
    account::work(1);
    matches!(element.kind, ObjectKind::Backend | ObjectKind::Cloud) || element.block.keyword == ENCRYPTION
}

/// Evaluates the arguments of a backend: all references first, and the values only if they lead somewhere.
fn backend(evaluation: &mut EarlyEvaluation<'_>, element: &Element<'_>, out: &mut Diagnostics) {
    let marks = evaluate(evaluation, element.block, element.address, out);
    let why = if marks.is_sensitive() {
        ("Backend config contains sensitive values", "a sensitive value")
    } else if marks.is_ephemeral() {
        ("Backend config contains ephemeral values", "an ephemeral value")
    } else {
        return;
    };
    let (title, what) = why;
    let detail = format!(
        "The configuration of a backend is stored as it is, but it contains {what}. Give it in the environment of the backend instead."
    );
    let found = Diagnostic::tool(&codes::SENSITIVE_VALUE, element.block.header, detail);
    out.push(found.titled(title).about(element.address));
}

/// Evaluates all arguments of a block. Returns the marks of their values, if there is no error.
fn evaluate(
    evaluation: &mut EarlyEvaluation<'_>,
    block: &Block<'_>,
    address: ObjectAddr<'_>,
    out: &mut Diagnostics,
) -> Marks {
    let mut arguments = List::new();
    collect(block, &mut arguments);
    let names_key_provider = |root: &str| root == words::KEY_PROVIDER;
    let mut evaluated: List<(&Argument<'_>, EvaluatedExpr)> = List::new();
    for argument in arguments {
        let forest = evaluation.inputs.forest;
        let found =
            evaluation.evaluate_beside(argument, EvaluationMode::EvaluatorTitles, address, names_key_provider);
        // The value of a key provider is not known here.
        if found.failed_itself
            && statics::references(forest, argument.expr).iter().any(|at| names_key_provider(&at.root))
        {
            continue;
        }
        evaluated.push((argument, found));
    }
    let is_lost = |found: &EvaluatedExpr| found.failed && !found.failed_itself;
    let any_lost = evaluated.iter().any(|(_, found)| is_lost(found));
    let mut marks = Marks::NONE;
    for (argument, found) in &evaluated {
        if is_lost(found) || !any_lost {
            let at = evaluation.inputs.forest.expr_span(argument.expr);
            evaluation.report(found, at, Some(address), out);
            marks = marks.and(found.value.deep_marks());
        }
    }
    if out.has_errors() { Marks::NONE } else { marks }
}

/// Collects the arguments of a block and of those in it.
fn collect<'b, 'f>(block: &'b Block<'f>, into: &mut List<&'b Argument<'f>>) {
    for argument in block.arguments.iter().filter(|argument| !argument.broken) {
        into.push(argument);
    }
    for inner in block.blocks.charged(1) {
        with_stack(|| collect(inner, into));
    }
}

/// The encryption of a module.
#[derive(Clone, Copy)]
struct Encryption<'b, 'f> {
    block: &'b Block<'f>,
    address: ObjectAddr<'b>,
}

impl<'b, 'f> Encryption<'b, 'f> {
    /// Checks what the tool sets up, for each target in turn.
    fn check(&self, evaluation: &mut EarlyEvaluation<'_>, out: &mut Diagnostics) {
        let dialect = evaluation.inputs.dialect;
        let targets = self.targets();
        if !dialect.has(Behaviour::EncryptionIsSetUpWhereUsed) {
            for _ in targets {
                self.set_up_all(evaluation, out);
                if out.has_errors() {
                    return;
                }
            }
            return;
        }
        for _ in self.all(words::METHOD).filter(|block| is_unencrypted(block)) {
            out.push(unencrypted(Some(self.block.header)).about(self.address));
        }
        for target in targets {
            let forest = evaluation.inputs.forest;
            let named = target.usable_argument(words::METHOD);
            let named = named.and_then(|argument| statics::references(forest, argument.expr).into_iter().next());
            if let Some(method) = named.and_then(|named| self.named(words::METHOD, &named)) {
                self.set_up(evaluation, method, out);
            }
        }
    }

    /// Checks all key providers and, if they are right, all methods.
    fn set_up_all(&self, evaluation: &mut EarlyEvaluation<'_>, out: &mut Diagnostics) {
        let evaluates = evaluation.inputs.dialect.has(Behaviour::SettingsAreEvaluated);
        for keyword in [words::KEY_PROVIDER, words::METHOD] {
            for block in self.all(keyword) {
                if evaluates {
                    evaluate(evaluation, block, self.address, out);
                } else {
                    only_key_providers(evaluation.inputs.forest, block, self.address, out);
                }
                if keyword == words::METHOD && is_unencrypted(block) && !out.has_errors() {
                    out.push(unencrypted(None).about(self.address));
                }
            }
            if out.has_errors() {
                return;
            }
        }
    }

    /// Checks a method after the key providers that it needs.
    fn set_up(&self, evaluation: &mut EarlyEvaluation<'_>, method: &'b Block<'f>, out: &mut Diagnostics) {
        let forest = evaluation.inputs.forest;
        let mut order: List<&Block<'_>> = List::new();
        let mut seen: HashSet<*const Block<'_>> = HashSet::new();
        let mut open: Worklist<(&'b Block<'f>, bool)> = Worklist::new(8, [(method, false)]);
        while let Some((block, is_done)) = open.pop() {
            if is_done {
                order.push(block);
                continue;
            }
            if !seen.insert(std::ptr::from_ref(block)) {
                continue;
            }
            open.push((block, true));
            let mut arguments = List::new();
            collect(block, &mut arguments);
            let named = arguments.iter().flat_map(|argument| statics::references(forest, argument.expr));
            for provider in named.filter_map(|named| self.named(words::KEY_PROVIDER, &named)) {
                open.push((provider, false));
            }
        }
        for block in order {
            evaluate(evaluation, block, self.address, out);
            if out.has_errors() {
                return;
            }
        }
    }

    /// Returns the blocks that say what is encrypted, in the order in which the tool looks at them.
    fn targets(&self) -> Vec<&'b Block<'f>> {
        let others = self.all(OTHER_STATES).flat_map(|block| block.blocks);
        let all: Vec<&Block<'_>> = self.block.blocks.iter().chain(others).collect();
        let of = |keyword: &&'static str| {
            let keyword = *keyword;
            all.iter().copied().filter(move |block| block.keyword == keyword)
        };
        account::work(4 * all.len() as u64);
        TARGETS.iter().flat_map(of).collect()
    }

    fn all(&self, keyword: &'static str) -> impl Iterator<Item = &'b Block<'f>> {
        self.block.blocks.iter().charged_at_once(1).filter(move |block| block.keyword == keyword)
    }

    fn named(&self, keyword: &'static str, reference: &Traversal<'_>) -> Option<&'b Block<'f>> {
        let (type_name, name) = key_provider(reference, keyword)?;
        self.all(keyword).find(|block| {
            let mut labels = block.labels.iter().map(|label| label.text);
            labels.next() == Some(type_name) && labels.next() == Some(name)
        })
    }
}

/// Returns the type and the name in a reference of the form KEYWORD.TYPE.NAME.
fn key_provider<'t>(reference: &'t Traversal<'_>, keyword: &str) -> Option<(&'t str, &'t str)> {
    let [first, second] = reference.steps.as_slice() else { return None };
    match (&first.key, &second.key) {
        (TraversalKey::Attr(type_name), TraversalKey::Attr(name)) if reference.root == keyword => {
            Some((type_name, name))
        }
        _ => None,
    }
}

/// Reports every reference that is not to a key provider.
fn only_key_providers(forest: &Forest, block: &Block<'_>, address: ObjectAddr<'_>, out: &mut Diagnostics) {
    let mut arguments = List::new();
    collect(block, &mut arguments);
    for reference in arguments.iter().flat_map(|argument| statics::references(forest, argument.expr)).charged(4) {
        if key_provider(&reference, words::KEY_PROVIDER).is_none() {
            let detail = "Only key providers may be named here: key_provider.TYPE.NAME.";
            out.push(Diagnostic::tool(&codes::KEY_PROVIDER_REFERENCE, reference.span, detail).about(address));
        }
    }
}

fn is_unencrypted(block: &Block<'_>) -> bool {
    block.labels.first().is_some_and(|label| label.text == UNENCRYPTED_METHOD)
}

fn unencrypted(at: Option<Span>) -> Diagnostic {
    let detail = "The method `unencrypted` encrypts nothing. Remove it once a migration is done.";
    Diagnostic::tool(&codes::UNENCRYPTED, at, detail)
}

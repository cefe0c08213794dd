//! Follows the `moved` blocks of the second side: which object of the first side has which address now.
//!
//! Instances are not told apart: a block that moves single instances leads from the object to the object.

use foldhash::{HashMap, HashSet};

use overfold_base::account::{self, ChargedIterator, ChargedText};
use overfold_base::diag::{Diagnostics, Span};
use overfold_dialect::words;
use overfold_model::config::{Block, ObjectAddr};
use overfold_model::language::addresses::{self, Target};
use overfold_model::language::references::{AddressWords, Subject, reference};
use overfold_module::pipeline::Report;
use overfold_syntax::ExprAt;
use overfold_syntax::statics::{self, Traversal};

/// The keyword of the blocks, and their kind.
pub(super) const MOVED: &str = "moved";

/// Where `moved` blocks have moved the objects of the first side that are there no longer.
pub(super) struct Renames {
    by_address: HashMap<String, String>,
    /// The addresses to which several objects have been moved, as instances of one.
    shared: HashSet<String>,
}

impl Renames {
    /// Finds the objects whose address is only on the first side, and the one to which a block moves them only on the
    /// second.
    pub(super) fn between(before: &Report<'_>, after: &Report<'_>) -> Self {
        let blocks = Blocks::of(after);
        let (mut by_address, mut shared, mut taken) = (HashMap::default(), HashSet::default(), HashSet::default());
        if !blocks.by_from.is_empty() {
            let (was, is) = (addresses_of(before), addresses_of(after));
            for text in was.iter().charged(4) {
                let to = blocks.follow(text).filter(|to| is.contains(*to) && !was.contains(*to));
                if let Some(to) = to.filter(|_| !is.contains(text)) {
                    account::grow((text.len() + 3 * to.len()) as u64 + 192);
                    by_address.insert(text.clone(), to.to_owned());
                    if !taken.insert(to) {
                        shared.insert(to.to_owned());
                    }
                }
            }
        }
        Self { by_address, shared }
    }

    /// Returns the address on the second side of an object of the first one, if it has been moved.
    pub(super) fn address(&self, address: &str) -> Option<&str> {
        self.by_address.get(address).map(String::as_str)
    }

    /// Returns the source text of an expression of the first side with the new addresses of what has been moved; `None` if it
    /// refers to nothing that has, or if the text is JSON with escapes, in which nothing can be replaced.
    pub(super) fn with_new_addresses(&self, report: &Report<'_>, expr: ExprAt) -> Option<String> {
        if self.by_address.is_empty() {
            return None;
        }
        let (forest, words) = (report.forest, AddressWords::for_dialect(report.dialect));
        let sources = &forest.sources;
        let whole = sources.in_file(forest.expr_span(expr));
        let text = sources.text(whole);
        account::touch(text.len());
        if matches!(expr, ExprAt::Json(..)) && text.contains('\\') {
            return None;
        }
        let references = statics::references(forest, expr);
        let mut places: Vec<(Span, &str)> = references
            .iter()
            .charged(4)
            .filter_map(|reference| {
                let (span, address) = self.moved_object(reference, words)?;
                Some((sources.in_file(span), address))
            })
            .collect();
        places.sort_by_key(|(span, _)| span.start);
        let (mut out, mut done) = (String::new(), whole.start);
        for (span, address) in &places {
            out.push_str(sources.text(Span { start: done, end: span.start, ..whole }).as_ref().touched());
            out.push_str(address.touched());
            done = span.end;
        }
        out.push_str(sources.text(Span { start: done, ..whole }).as_ref().touched());
        account::grow(out.len() as u64);
        (!places.is_empty()).then_some(out)
    }

    /// Returns where a reference names an object that has been moved alone, and the address of that now.
    fn moved_object(&self, written: &Traversal<'_>, words: AddressWords) -> Option<(Span, &str)> {
        let read = reference(written, words, &mut Diagnostics::new())?;
        let (address, last) = match &read.subject {
            Subject::Resource { mode, type_name, name, .. } => {
                let last = usize::from(written.root != *type_name);
                (ObjectAddr::Resource { mode: *mode, type_name, name }.to_string(), last)
            }
            Subject::Module { name, .. } => (ObjectAddr::ModuleCall(name).to_string(), 0),
            _ => return None,
        };
        account::text(address.len());
        let last = written.steps.get(last)?.span;
        let address = self.address(&address).filter(|address| !self.shared.contains(*address))?;
        Some((Span { end: last.end, ..written.root_span }, address))
    }
}

/// Returns the addresses of what blocks can move of a module.
fn addresses_of(report: &Report<'_>) -> HashSet<String> {
    let addresses = report.module.elements.iter().charged(4).map(|element| element.address);
    let addresses =
        addresses.filter(|address| matches!(address, ObjectAddr::Resource { .. } | ObjectAddr::ModuleCall(_)));
    let mut found = HashSet::default();
    for address in addresses {
        let text = address.to_string();
        account::grow(text.len() as u64 + 64);
        found.insert(text);
    }
    found
}

/// The `moved` blocks of a module that move one of its own objects to another address in it.
struct Blocks {
    by_from: HashMap<String, String>,
}

impl Blocks {
    fn of(report: &Report<'_>) -> Self {
        let mut by_from = HashMap::default();
        for element in report.module.elements.iter().charged(1) {
            if element.block.keyword != MOVED {
                continue;
            }
            let end = |name| own_address(&end_of(report, element.block, name)?);
            let (Some(from), Some(to)) = (end(words::FROM), end(words::TO)) else { continue };
            if from != to {
                account::grow((from.len() + to.len()) as u64 + 64);
                by_from.entry(from).or_insert(to);
            }
        }
        Self { by_from }
    }

    /// Returns where an object is after all blocks; `None` if none moves it.
    fn follow(&self, address: &str) -> Option<&str> {
        let mut moved = self.by_from.get(address)?;
        // Blocks that lead in a circle are an error.
        for _ in 1..self.by_from.len() {
            account::work(4);
            account::touch(moved.len());
            match self.by_from.get(moved) {
                Some(next) => moved = next,
                None => break,
            }
        }
        Some(moved)
    }
}

fn end_of(report: &Report<'_>, block: &Block<'_>, argument: &str) -> Option<Target> {
    let found = block.usable_argument(argument)?;
    let words = AddressWords::for_dialect(report.dialect);
    addresses::moved(report.forest, found.expr, words, &mut Diagnostics::new())
}

/// Returns the address, without keys, of a resource or a call of the module itself.
fn own_address(target: &Target) -> Option<String> {
    let steps = target.modules.len() + usize::from(target.resource.is_some());
    (steps == 1).then(|| target.without_keys().to_string())
}

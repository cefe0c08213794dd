//! Where the arguments of a planned resource stand, and what they refer to.

use std::sync::Arc;

use foldhash::HashMap;

use super::configuration::references::named;
use overfold_base::account::{self, List};
use overfold_base::written::written;
use overfold_load::plan::PlannedArgument;
use overfold_model::config::{Argument, Block};
use overfold_model::language::references::AddressWords;
use overfold_syntax::Forest;
use overfold_value::with_stack;

/// Returns the arguments of a resource that the language does not reserve for itself, and those of the blocks in it, in
/// order. What dynamic blocks generate is not among them.
pub(super) fn planned(forest: &Forest, words: AddressWords, block: &Block<'_>) -> Arc<[PlannedArgument]> {
    let mut list = List::new();
    let reader = Reader { forest, words, base: block };
    reader.body(block, "", &mut list);
    list.into()
}

struct Reader<'r, 'f> {
    forest: &'r Forest,
    words: AddressWords,
    /// The whole block.
    base: &'r Block<'f>,
}

impl Reader<'_, '_> {
    fn body(&self, block: &Block<'_>, pointer: &str, list: &mut List<PlannedArgument>) {
        account::work(2 + block.arguments.len() as u64 * 4);
        for argument in block.arguments.iter().filter(|argument| argument.spec.is_none()) {
            let pointer = written(format_args!("{pointer}/{}", escaped(argument.name)));
            account::grow(size_of::<PlannedArgument>() as u64);
            list.push(self.argument(argument, pointer));
        }
        let mut counts: HashMap<&str, usize> = HashMap::default();
        for inner in block.blocks.iter().filter(|inner| inner.spec.is_none() && inner.keyword != "dynamic") {
            let count = counts.entry(inner.keyword).or_default();
            let at = *count;
            *count += 1;
            account::work(4);
            let pointer = written(format_args!("{pointer}/{}/{at}", escaped(inner.keyword)));
            with_stack(|| self.body(inner, &pointer, list));
        }
    }

    fn argument(&self, argument: &Argument<'_>, pointer: String) -> PlannedArgument {
        let references = named(self.forest, argument.expr, self.words);
        PlannedArgument {
            pointer: pointer.into(),
            span: argument.range,
            references: references.iter().map(|reference| reference.text().into()).collect(),
            overridden: self.base.is_overridden() && argument.range.source != self.base.header.source,
        }
    }
}

/// Returns a name as a part of a JSON Pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

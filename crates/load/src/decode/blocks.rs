//! Reads the bodies of blocks according to their rows.

use crate::decode::checks::Verdicts;
use crate::decode::schemas::Schemas;
use crate::decode::{Decoder, Owner, codes, schemas};
use foldhash::HashMap;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting as _, Span, Verdict};
use overfold_dialect::{AddressRule, AttrKind, BlockSpec, BodyRule, DuplicatePolicy, Repeat, WholeCheck};
use overfold_model::body::content::{ConsumedNames, Content, ContentAttribute, ContentBlock, ContentBlocks, Schema};
use overfold_model::body::{content, traversal};
use overfold_model::config::{Argument, Block, ESCAPE, ObjectAddr, Part, open_block};
use overfold_syntax::KeptList;
use overfold_value::with_stack;
use std::collections::hash_map::Entry;

impl<'f> Decoder<'f, '_> {
    /// Reads a block according to its row. Returns `None` if the block is dropped, which has been reported.
    pub(super) fn block(
        &mut self,
        spec: &'static BlockSpec,
        block: &ContentBlock<'f>,
        owner: Owner<'f>,
    ) -> Option<Block<'f>> {
        self.with_titles(spec.titles, owner.labels, |decoder| {
            let decoded = decoder.block_here(spec, block, owner);
            if let Some(decoded) = &decoded {
                for check in spec.whole_checks() {
                    match check {
                        WholeCheck::NothingInterpolated(title) => decoder.nothing_interpolated(title, decoded),
                    }
                }
            }
            decoded
        })
    }

    fn block_here(
        &mut self,
        spec: &'static BlockSpec,
        block: &ContentBlock<'f>,
        owner: Owner<'f>,
    ) -> Option<Block<'f>> {
        let (read, structure) = self.watch(|decoder| {
            let read = decoder.read(spec, block)?;
            for (row, label) in spec.labels.iter().zip(block.labels) {
                if let Some(title) = row.identifier {
                    decoder.identifier(title, label.text, label.span);
                }
            }
            Some(read)
        });
        let (content, rest) = read?;
        let (stays, header) = self.watch(|decoder| decoder.header_rules(spec, block, &content));
        if !stays {
            return None;
        }
        let opened = structure.and(header);
        let mut decoded = Block { labels: block.labels, range: block.range, ..Block::bare(spec, block.header) };
        if spec.traits.whole_or_unread && self.is_unreadable(spec, &content, opened) {
            decoded.arguments = self.unread_arguments(spec, &content);
            return Some(decoded);
        }
        let address_first = spec.traits.address_first;
        if address_first && self.address_ends_reading(spec, &content, opened) {
            decoded.arguments = self.unread_arguments(spec, &content);
            return Some(decoded);
        }
        let (kept, body) = self.watch(|decoder| {
            let mut arguments = decoder.forest.list(content.attributes.len());
            for attribute in &content.attributes {
                arguments.extend(match spec.attr(attribute.name) {
                    Some(row) => decoder.argument(row, attribute, &content, block.header),
                    None => Some(decoder.plain_argument(attribute)),
                });
            }
            decoded.arguments = arguments.into_bump_slice();
            if !address_first {
                decoder.read_targets(spec, &content);
            }
            let (blocks, kept) = decoder.nested(spec, &content, owner, &decoded);
            decoded.blocks = blocks;
            kept
        });
        let before = Verdicts { structure, whole: opened.and(body) };
        let whole = self.block_rules(spec, &content, rest.as_ref(), owner, &mut decoded, before);
        if spec.traits.whole_or_nothing {
            if whole.failed() {
                return None;
            }
            let ((), labels) = self.watch(|decoder| decoder.label_rules(spec, &decoded));
            if labels.failed() {
                return None;
            }
        }
        if let Some(rest) = rest {
            let arguments = rest.attributes.iter().map(|attribute| self.plain_argument(attribute));
            decoded.arguments = self.joined(decoded.arguments, arguments, |argument| argument.range.start);
            let blocks = rest.blocks.into_iter().map(|block| open_block(self.forest, &block));
            decoded.blocks = self.joined(decoded.blocks, blocks, |block| block.header.start);
        }
        // The tool appends the content of the escape block to the rest of the body.
        if let Some(escape) = content.blocks.iter().find(|block| block.keyword == ESCAPE) {
            self.escape(spec, escape, &mut decoded);
        }
        kept.then_some(decoded)
    }

    /// Returns one list of what has been read and the rest, in the order of the source.
    fn joined<T: Copy>(
        &self,
        read: &'f [T],
        rest: impl ExactSizeIterator<Item = T>,
        start: fn(&T) -> u32,
    ) -> &'f [T] {
        if rest.len() == 0 && read.is_sorted_by_key(start) {
            return read;
        }
        let mut list = self.forest.list(read.len() + rest.len());
        list.extend_from_slice_copy(read);
        list.extend(rest);
        list.sort_by_key(start);
        list.into_bump_slice()
    }

    /// Returns the arguments as expressions.
    fn unread_arguments(&self, spec: &'static BlockSpec, content: &Content<'f>) -> &'f [Argument<'f>] {
        self.forest.keep_each(
            content
                .attributes
                .iter()
                .map(|attribute| Argument { spec: spec.attr(attribute.name), ..self.plain_argument(attribute) }),
        )
    }

    /// Whether a body that contains its address has a mistake, in the address or in what was read before, that
    /// prevents reading the rest. In JSON, the text of the address is examined first.
    fn is_unreadable(&mut self, spec: &'static BlockSpec, content: &Content<'f>, before: Verdict) -> bool {
        let (addressed, addresses) = self.watch(|decoder| {
            let is_address = |name| spec.attr(name).is_some_and(|row| matches!(row.kind, AttrKind::Address(_)));
            let mut addressed = false;
            for attribute in content.attributes.iter().filter(|attribute| is_address(attribute.name)) {
                addressed = true;
                traversal::reference_expression(decoder.forest, attribute.expr, decoder.out);
            }
            addressed
        });
        addressed && before.and(addresses).failed()
    }

    /// Returns the schemas of a row's body. Each file looks up a row only once in the shared store.
    fn schemas(&mut self, spec: &'static BlockSpec) -> &'static Schemas {
        account::work(1 + self.schemas.len() as u64 / 8);
        if let Some((_, known)) = self.schemas.iter().find(|(known, _)| std::ptr::eq(*known, spec)) {
            return known;
        }
        let schemas = schemas::for_block(spec, self.over);
        self.schemas.push((spec, schemas));
        schemas
    }

    /// Reads what the rows name and, for an open body, the rest.
    fn read(
        &mut self,
        spec: &'static BlockSpec,
        block: &ContentBlock<'f>,
    ) -> Option<(Content<'f>, Option<Content<'f>>)> {
        let schemas = self.schemas(spec);
        let schema = Schema { arguments: &schemas.arguments, blocks: &schemas.blocks };
        match spec.body {
            BodyRule::Strict => {
                Some((content::strict(self.forest, block.body, &ConsumedNames::NONE, schema, self.out), None))
            }
            BodyRule::Open { .. } => {
                let mut hidden = ConsumedNames::NONE;
                // The tool does not examine a body of which nothing is known (backend, cloud, connection) while
                // loading, so nothing is reported about it.
                let mut silence = Diagnostics::new();
                let unread = schema.arguments.is_empty() && schema.blocks.is_empty() && !spec.traits.requires_body;
                let out = if unread { &mut silence } else { &mut *self.out };
                let content = content::partial(self.forest, block.body, &mut hidden, schema, out);
                let rest = content::open(self.forest, block.body, &hidden, &|_| None);
                Some((content, Some(rest)))
            }
            BodyRule::Arguments { drop_when_wrong } => {
                let (attributes, verdict) = self
                    .out
                    .watch(|out| content::attributes_only(self.forest, block.body, &ConsumedNames::NONE, out));
                if drop_when_wrong && verdict.failed() {
                    return None;
                }
                let missing_item = block.body.missing_item(self.forest);
                Some((Content { attributes, blocks: ContentBlocks::new(), missing_item }, None))
            }
            BodyRule::Refused { .. } | BodyRule::Dropped | BodyRule::LikeParent => None,
        }
    }

    /// Reads the nested blocks that have rows. Returns them, and whether the enclosing block may be kept.
    fn nested(
        &mut self,
        spec: &'static BlockSpec,
        content: &Content<'f>,
        owner: Owner<'f>,
        into: &Block<'f>,
    ) -> (&'f [Block<'f>], bool) {
        if content.blocks.is_empty() {
            return (&[], true);
        }
        let mut blocks: KeptList<'f, Block<'f>> = self.forest.list(content.blocks.len());
        let mut kept = true;
        let mut escaped = false;
        let mut several = several(spec, content);
        let mut firsts: HashMap<&str, Span> = HashMap::default();
        for block in &content.blocks {
            let first = match firsts.entry(block.keyword) {
                Entry::Occupied(first) => Some(*first.get()),
                Entry::Vacant(place) => {
                    place.insert(block.header);
                    None
                }
            };
            if block.keyword == ESCAPE {
                if escaped {
                    let title = match spec.body {
                        BodyRule::Open { escape: Some(title), .. } => title,
                        _ => "",
                    };
                    let detail =
                        "A block can contain only one escape block (`_`). Move these arguments into the first one.";
                    self.report(&codes::DUPLICATE_INNER, title, block.header, detail);
                    continue;
                }
                escaped = true;
                continue;
            }
            let Some(row) = spec.block(block.keyword) else { continue };
            if row.traits.unknown_yet_listed {
                let code = if block.body.is_json() {
                    &content::codes::EXTRANEOUS_PROPERTY
                } else {
                    &content::codes::UNSUPPORTED_BLOCK_TYPE
                };
                let detail = format!(
                    "This version of {} does not support {:?} blocks here. Remove the block, or use a later version.",
                    self.dialect.tool, block.keyword
                );
                self.out.push(Diagnostic::tool(code, block.type_span, detail));
                blocks.push(open_block(self.forest, block));
                continue;
            }
            if let Repeat::NoneOfSeveral { title } = row.repeat
                && let Some(reported) = several.get_mut(block.keyword)
            {
                if let Some([first, second]) = reported.take() {
                    let detail = format!(
                        "Only one `{}` block is allowed here. Because there are several, all of them are ignored; keep only one.",
                        block.keyword
                    );
                    let title = self.dialect.title(codes::DUPLICATE_INNER.id, title);
                    self.out.push(
                        Diagnostic::tool(&codes::DUPLICATE_INNER, second, detail)
                            .titled(title)
                            .and("the first one", first),
                    );
                }
                continue;
            }
            let row = if row.body == BodyRule::LikeParent { spec } else { row };
            if self.is_unread(row) {
                let named = Block { labels: owner.labels, ..Block::bare(owner.spec, into.header) };
                let address = ObjectAddr::from_block(self.forest, owner.spec, &named);
                self.push_ignored(Part::Block(row.keyword), address, row, into.header, block.range);
            }
            if self.is_refused(row, block)
                || self.refuses_nested(spec, owner, row, block, &Block { blocks: &blocks, ..*into })
            {
                continue;
            }
            if let Repeat::Error { title, keeps } = row.repeat
                && row.labels.is_empty()
                && let Some(first) = first
            {
                let title = self.dialect.title(codes::DUPLICATE_INNER.id, title);
                let detail = format!(
                    "Only one `{}` block is allowed here. Merge this block into the first one, or remove it.",
                    block.keyword
                );
                self.out.push(
                    Diagnostic::tool(&codes::DUPLICATE_INNER, block.header, detail)
                        .titled(title)
                        .and("the first one", first),
                );
                match keeps {
                    DuplicatePolicy::First => continue,
                    DuplicatePolicy::DropsParent => {
                        kept = false;
                        continue;
                    }
                    DuplicatePolicy::Last => {
                        account::work(blocks.len() as u64);
                        blocks.retain(|earlier| earlier.keyword != block.keyword);
                    }
                    DuplicatePolicy::BothListed => {
                        blocks.push(open_block(self.forest, block));
                        continue;
                    }
                }
            }
            let owner = if is_object(row) {
                Owner { spec: row, labels: block.labels, outer: Some(owner.spec) }
            } else {
                owner
            };
            let (decoded, verdict) = self.watch(|decoder| {
                let decoded = with_stack(|| decoder.block(row, block, owner));
                // A variable in a test file: only what is reported about its payload matters here.
                if let Some(variable) = decoded.as_ref().filter(|_| row.traits.default_fits_type) {
                    decoder.payload(row, variable, block.body);
                }
                decoded
            });
            if first.is_none() && row.traits.counts_only_if_valid && verdict.failed() {
                firsts.remove(block.keyword);
            }
            if let Some(inner) = decoded
                && self.accepts_nested(spec, &inner, &Block { blocks: &blocks, ..*into }, verdict)
            {
                blocks.push(inner);
            }
        }
        (blocks.into_bump_slice(), kept)
    }

    /// Adds the content of `_ {}` to the open body; arguments named like one of the block's own arguments are kept
    /// separately. An argument that is also set outside of it keeps its outer value; the tool reports this only once
    /// it knows the schema.
    fn escape(&mut self, spec: &'static BlockSpec, block: &ContentBlock<'f>, into: &mut Block<'f>) {
        let content = content::open(self.forest, block.body, &ConsumedNames::NONE, &|_| None);
        let outside: HashMap<&str, Span> =
            into.arguments.iter().map(|argument| (argument.name, argument.name_span)).collect();
        let mut arguments = self.forest.list(into.arguments.len() + content.attributes.len());
        arguments.extend_from_slice_copy(into.arguments);
        let mut escaped = Vec::new();
        for attribute in &content.attributes {
            let argument = self.plain_argument(attribute);
            if spec.attr(attribute.name).is_some() {
                escaped.push(argument);
            } else if let Some(outer) = outside.get(attribute.name) {
                let detail = format!(
                    "{:?} is set both inside and outside of the escape block, and the value outside is used. This is rejected once the provider's schema is known; keep only one of the two.",
                    attribute.name
                );
                let found = Diagnostic::ours(&codes::ESCAPED_TWICE, attribute.name_span, detail);
                self.out.push(found.and("the value that is used", *outer));
            } else {
                arguments.push(argument);
            }
        }
        into.arguments = arguments.into_bump_slice();
        into.escaped = self.forest.keep_list(&escaped);
        let mut blocks = self.forest.list(into.blocks.len() + content.blocks.len());
        blocks.extend_from_slice_copy(into.blocks);
        blocks.extend(content.blocks.iter().map(|block| open_block(self.forest, block)));
        into.blocks = blocks.into_bump_slice();
    }

    /// Returns an argument that is kept as an expression.
    pub(super) fn plain_argument(&self, attribute: &ContentAttribute<'f>) -> Argument<'f> {
        Argument { broken: self.is_broken(attribute.range, attribute.expr), ..Argument::plain(attribute) }
    }
}

/// Returns the headers of the first two blocks of each type that may occur only once but occurs several times, if none
/// of them is read in that case.
fn several<'c>(spec: &BlockSpec, content: &'c Content<'_>) -> HashMap<&'c str, Option<[Span; 2]>> {
    let mut several = HashMap::default();
    for row in spec.blocks.iter().filter(|row| matches!(row.repeat, Repeat::NoneOfSeveral { .. })) {
        let mut found = content.blocks.iter().filter(|block| block.keyword == row.keyword);
        if let (Some(first), Some(second)) = (found.next(), found.next()) {
            several.insert(first.keyword, Some([first.header, second.header]));
        }
    }
    several
}

/// Returns the object inside a check. It is also an element of the module, and is kept in the check as it was written.
pub(super) fn scoped<'f>(block: &Block<'f>) -> Option<&'f Block<'f>> {
    block.blocks.iter().find(|inner| inner.spec.is_some_and(is_object))
}

/// Whether a row describes an object with an address.
pub(super) fn is_object(row: &BlockSpec) -> bool {
    !matches!(row.address, AddressRule::None)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use crate::decode::load;
    use overfold_base::diag::Diagnostics;
    use overfold_base::files::{FileSet, ModulePath, SourceFile};
    use overfold_dialect::find;
    use overfold_model::config::Block;
    use overfold_syntax::{Forest, SyntaxLimits};

    fn depth(mut block: &Block<'_>) -> usize {
        let mut depth = 0;
        while let Some(inner) = block.blocks.first() {
            block = inner;
            depth += 1;
        }
        depth
    }

    #[test]
    fn thousands_of_nested_blocks_fit_a_small_stack() {
        let (levels, module) = (3_900, "check \"c\" {\n data \"a\" \"b\" {\n");
        let text = format!("{module}{}{}}}\n}}\n", "x {\n".repeat(levels), "}\n".repeat(levels));
        let path = ModulePath::parse("main.tf").unwrap();
        let files = FileSet::new(vec![SourceFile { path, bytes: Bytes::from(text) }], Vec::new());
        let dialect = find("terraform", Some("1.11")).unwrap();
        let forest = Forest::with_grammar(SyntaxLimits::default(), dialect.grammar());
        let loaded = load(
            &files,
            "",
            crate::discover::entries(&files, "", dialect),
            dialect,
            &forest,
            &mut Diagnostics::new(),
        );
        let addresses: Vec<String> = loaded.base.elements.iter().map(|element| element.address.to_string()).collect();
        assert_eq!(addresses, ["data.a.b", "check.c"]);
        for (element, around) in loaded.base.elements.iter().zip([0, 1]) {
            assert_eq!(depth(element.block), levels + around);
        }
    }
}

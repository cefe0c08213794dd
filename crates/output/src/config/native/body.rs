//! Writes blocks: those of native files as they are, with the effects of overriding folded in; all others in our own
//! formatting.

use super::super::super::redaction::LEFT_OUT;
use super::super::quoting::quoted_literal;
use super::super::tf_json::{Surroundings, escapes, is_json_object};
use super::NativeText;
use super::patch::{Patch, Text, apply};
use super::values::name;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::Span;
use overfold_model::config::effective::EffectiveBody;
use overfold_model::config::{Argument, Block, ESCAPE};
use overfold_syntax::tree::{self, Tree};
use overfold_value::with_stack;

const DYNAMIC: &str = super::super::DYNAMIC;

/// The escape block of a body.
struct Escape<'t> {
    node: &'t tree::Block,
    content: &'t tree::Body,
    is_one_line: bool,
}

/// A body whose changes are being collected.
struct Body<'a, 't> {
    tree: &'t Tree,
    text: &'t Text,
    node: &'t tree::Block,
    block: &'a Block<'a>,
    around: Surroundings,
    /// Whether the file is a primary one: content unknown to the effective view is then kept, unless it is known to be
    /// gone.
    is_primary: bool,
}

impl<'a> NativeText<'a> {
    /// Returns a block as text, without the indentation of its first line. `indent` is the indentation of the other
    /// lines in text that we format.
    pub(super) fn block(&self, block: &'a Block<'a>, around: Surroundings, indent: &str) -> String {
        with_stack(|| {
            let found = self.native_tree(block.header.source).and_then(|tree| Some((tree, self.node(tree, block)?)));
            match found {
                Some((tree, node)) if !self.is_expanded => {
                    let mut patches = Vec::new();
                    self.content(tree, node, block, around, &mut patches);
                    let cuts = self.redaction.masks(tree.source).cuts(node.range);
                    let text = apply(&tree.text, node.range.indexes(), patches, cuts);
                    String::from_utf8_lossy(&text).into_owned()
                }
                _ => self.format_block(block, around, indent),
            }
        })
    }

    /// Returns the node of a block in its tree.
    pub(super) fn node<'t>(&self, tree: &'t Tree, block: &Block<'_>) -> Option<&'t tree::Block> {
        let at = *self.nodes(tree).get(&block.header.start)?;
        tree.blocks.get(at).filter(|node| tree.span(node.def_range) == block.header)
    }

    /// Collects the changes to a block of a native file.
    pub(super) fn content(
        &self,
        tree: &Tree,
        node: &tree::Block,
        block: &'a Block<'a>,
        around: Surroundings,
        out: &mut Vec<Patch>,
    ) {
        with_stack(|| {
            let text = self.lines_of(tree.source, &tree.text);
            let body = Body { tree, text, node, block, around, is_primary: self.folding.is_primary(tree.source) };
            self.content_here(&body, out);
        });
    }

    fn content_here(&self, body: &Body<'a, '_>, out: &mut Vec<Patch>) {
        let Body { tree, text: file, node, block: written, around, is_primary } = *body;
        let EffectiveBody { block, mut arguments, blocks, idle } = self.config.body(written, around.idle);
        if tree.hcl1 {
            // Values under one name accumulate.
            arguments = block.arguments.iter().map(|argument| (argument.name, argument)).collect();
        }
        let around = Surroundings { idle, ..Surroundings::of(block, around) };
        let id = if tree.hcl1 { tree.body_after_labels(node, block.labels.len()) } else { node.body };
        let content = tree.body(id);
        let nested = tree.blocks(content.blocks);
        let escape = nested.iter().find(|node| is_escape(tree, block, node)).map(|node| Escape {
            node,
            content: tree.body(node.body),
            is_one_line: file.is_one_line(node.open_brace, node.close_brace),
        });
        let inside = escape.as_ref().map(|escape| (tree.attributes(escape.content.attributes), escape));
        let outside = tree.attributes(content.attributes);
        let attributes = || {
            let inside = inside.iter().flat_map(|&(all, escape)| all.iter().map(move |one| (one, Some(escape))));
            outside.iter().map(|attribute| (attribute, None)).chain(inside)
        };
        account::work((attributes().count() + nested.len() + arguments.len() + blocks.len()) as u64);
        let place = |at: Span| (at.source, at.start);
        let mut here: foldhash::HashMap<_, &Argument<'_>> = foldhash::HashMap::default();
        for &(_, argument) in &arguments {
            here.insert(place(argument.range), argument);
        }
        let held: foldhash::HashSet<_> = block.arguments.iter().map(|argument| place(argument.range)).collect();
        let escaped: foldhash::HashSet<_> = block.escaped.iter().map(|argument| place(argument.range)).collect();
        let mut found: foldhash::HashSet<(overfold_base::diag::SourceId, u32)> = foldhash::HashSet::default();
        let mut free = Vec::new();
        let (mut breaks, mut escape_breaks) = (false, false);
        for (attribute, around) in attributes() {
            let span = tree.span(attribute.range);
            if let Some(argument) = here.get(&place(span)) {
                found.insert(place(span));
                if let Some(text) = self.merged_value(block, argument) {
                    *(if around.is_some() { &mut escape_breaks } else { &mut breaks }) |= text.contains('\n');
                    out.push(Patch::new(tree.expr(attribute.expr).range.indexes(), text));
                }
            } else if escaped.contains(&place(span)) {
                found.insert(place(span));
            } else if !is_primary || self.folding.is_gone(span) || held.contains(&place(span)) {
                free.push((attribute, around));
            }
        }
        let (open, close) = match tree.hcl1.then(|| tree.body(id).range) {
            Some(range) if !range.is_empty() => (
                overfold_base::diag::TextRange::new(range.start, range.start.saturating_add(1)),
                overfold_base::diag::TextRange::new(range.end.saturating_sub(1), range.end),
            ),
            _ => (node.open_brace, node.close_brace),
        };
        let is_one_line = file.is_one_line(open, close);
        let is_new = |argument: &&Argument<'_>| !found.contains(&place(argument.range));
        let mut fresh = ByName::of(
            in_order(block, &arguments)
                .into_iter()
                .filter(is_new)
                .filter(|argument| !is_inside_block(tree, nested, argument)),
        );
        let mut fresh_inside = ByName::of(block.escaped.iter().filter(is_new));
        for (attribute, inside) in free {
            let name = tree.name(attribute.name_range);
            // An argument in the escape block can be one of the block's own name, or any other.
            let replacement =
                inside.and_then(|_| fresh_inside.take(name)).map(|new| (new, Surroundings::EXPRESSIONS));
            match replacement.or_else(|| Some((fresh.take(name)?, around))) {
                Some((argument, _)) if self.redaction.leaves_out(argument) => {
                    out.push(Patch::new(attribute.range.indexes(), LEFT_OUT));
                }
                Some((argument, around)) => {
                    let text = self.value(block, argument, around);
                    let range = tree.expr(attribute.expr).range.indexes();
                    let (is_one_line, close, breaks) = match inside {
                        Some(escape) => (escape.is_one_line, escape.node.close_brace, &mut escape_breaks),
                        None => (is_one_line, close, &mut breaks),
                    };
                    *breaks |= text.contains('\n');
                    out.push(file.in_place(range, is_one_line, close.indexes().start, text));
                }
                None => out.push(file.removal(attribute.range)),
            }
        }
        let mut items: Vec<String> = fresh.rest().map(|argument| self.assignment(block, argument, around)).collect();
        let mut items_inside: Vec<String> =
            fresh_inside.rest().map(|argument| self.assignment(block, argument, Surroundings::EXPRESSIONS)).collect();
        let nodes: Vec<(&tree::Block, bool)> = nested
            .iter()
            .filter(|node| !is_escape(tree, block, node))
            .map(|node| (node, false))
            .chain(escape.iter().flat_map(|escape| tree.blocks(escape.content.blocks)).map(|node| (node, true)))
            .collect();
        self.nested(body, block, &blocks, &nodes, around, [&mut items, &mut items_inside], out);
        match escape {
            Some(Escape { node, .. }) => {
                out.extend(file.append(node.open_brace, node.close_brace, &items_inside, escape_breaks));
            }
            None if items_inside.is_empty() => {}
            None => {
                let indent = format!("{}  ", file.indent(node.range.indexes().start));
                let deeper = format!("{indent}  ");
                items.push(format!("{ESCAPE} {{{}\n{indent}}}", lines(&items_inside, &deeper)));
            }
        }
        if !close.is_empty() && close.start >= open.end {
            out.extend(file.append(open, close, &items, breaks));
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the two halves of one function")]
    fn nested(
        &self,
        body: &Body<'a, '_>,
        block: &'a Block<'a>,
        blocks: &[&'a Block<'a>],
        nodes: &[(&tree::Block, bool)],
        around: Surroundings,
        [items, items_inside]: [&mut Vec<String>; 2],
        out: &mut Vec<Patch>,
    ) {
        let Body { tree, text, is_primary, .. } = *body;
        let by_header: foldhash::HashMap<Span, &'a Block<'a>> =
            blocks.iter().map(|&inner| (inner.header, inner)).collect();
        let held: foldhash::HashSet<Span> = block.blocks.iter().map(|inner| inner.header).collect();
        let arguments: foldhash::HashSet<Span> = block.arguments.iter().map(|argument| argument.range).collect();
        let mut kept = foldhash::HashSet::default();
        let mut gone = Vec::new();
        let mut unknown = Vec::new();
        for &(node, is_inside) in nodes {
            let header = tree.span(node.def_range);
            let range = tree.span(node.range);
            if let Some(&inner) = by_header.get(&header) {
                kept.insert(inner.header);
                self.content(tree, node, inner, around, out);
            } else if is_primary && !self.folding.is_gone(range) && !held.contains(&header) {
                unknown.push(node);
            } else if !arguments.contains(&range) {
                gone.push((node, is_inside));
            }
        }
        let mut fresh: Vec<&'a Block<'a>> =
            blocks.iter().copied().filter(|inner| !kept.contains(&inner.header)).collect();
        // Blocks merged into their base; their header is that of the last override.
        fresh.retain(|inner| {
            if inner.spec.is_none() || !inner.is_overridden() {
                return true;
            }
            let base = unknown.iter().skimmed(2).find(|node| tree.name(node.type_range) == inner.keyword);
            if let Some(node) = base {
                self.content(tree, node, inner, around, out);
            }
            base.is_none()
        });
        let kept_types: foldhash::HashSet<&str> =
            blocks.iter().filter(|inner| kept.contains(&inner.header)).map(|inner| generated_type(inner)).collect();
        let own_indent = |node: &tree::Block| text.indent(node.range.indexes().start);
        let mut by_type: foldhash::HashMap<&str, Vec<&'a Block<'a>>> = foldhash::HashMap::default();
        for &inner in &fresh {
            by_type.entry(generated_type(inner)).or_default().push(inner);
        }
        let must_be_inside = |inner: &&Block<'_>| escapes(block, inner);
        for (node, is_inside) in gone {
            let its_type = type_of_node(tree, node);
            let fits = |new: &Vec<&Block<'_>>| is_inside || !new.iter().any(must_be_inside);
            let takes = !kept_types.contains(its_type) && by_type.get(its_type).is_some_and(fits);
            let new = if takes { by_type.remove(its_type) } else { None };
            let Some(new) = new else {
                out.push(text.removal(node.range));
                continue;
            };
            // All blocks of this type are new: they replace the first old one.
            let indent = own_indent(node);
            let texts: Vec<String> = new.into_iter().map(|inner| self.block(inner, around, &indent)).collect();
            out.push(Patch::new(node.range.indexes(), texts.join(&format!("\n{indent}"))));
        }
        fresh.retain(|inner| by_type.contains_key(generated_type(inner)));
        let indent = format!("{}  ", own_indent(body.node));
        let mut types_inside: foldhash::HashSet<&str> = foldhash::HashSet::default();
        for inner in fresh {
            // Blocks that are generated after one inside the escape block belong there as well.
            let is_inside = escapes(block, inner) || types_inside.contains(generated_type(inner));
            if is_inside {
                types_inside.insert(generated_type(inner));
                items_inside.push(self.block(inner, around, &format!("{indent}  ")));
            } else {
                items.push(self.block(inner, around, &indent));
            }
        }
    }

    /// Returns a block in our own formatting.
    fn format_block(&self, written: &'a Block<'a>, around: Surroundings, indent: &str) -> String {
        let EffectiveBody { block, mut arguments, blocks, idle } = self.config.body(written, around.idle);
        if self.is_hcl1 {
            arguments = block.arguments.iter().map(|argument| (argument.name, argument)).collect();
        }
        arguments.retain(|(_, argument)| !self.redaction.hides_text(argument.name_span));
        let around = Surroundings { idle, ..Surroundings::of(block, around) };
        let deeper = format!("{indent}  ");
        let mut items: Vec<String> = Vec::new();
        let mut inside: Vec<String> = Vec::new();
        let is_dynamic = block.keyword == DYNAMIC && block.spec.is_none();
        for argument in in_order(block, &arguments) {
            if is_dynamic && argument.name == "content" && is_json_object(self.forest, argument) {
                for inner in overfold_model::config::blocks_of_property(self.forest, argument) {
                    items.push(self.format_without_schema("content", &inner, &deeper));
                }
                continue;
            }
            items.push(self.assignment(block, argument, around));
        }
        inside
            .extend(block.escaped.iter().map(|argument| self.assignment(block, argument, Surroundings::EXPRESSIONS)));
        let mut types_inside: foldhash::HashSet<&str> = foldhash::HashSet::default();
        for nested in blocks.into_iter().filter(|nested| !self.redaction.hides_text(nested.header)) {
            if escapes(block, nested) || types_inside.contains(generated_type(nested)) {
                types_inside.insert(generated_type(nested));
                inside.push(self.block(nested, around, &format!("{deeper}  ")));
            } else {
                items.push(self.block(nested, around, &deeper));
            }
        }
        if !inside.is_empty() {
            items.push(format!("{ESCAPE} {{{}\n{deeper}}}", lines(&inside, &format!("{deeper}  "))));
        }
        let mut text = name(block.keyword);
        for label in block.labels {
            text.push(' ');
            text.push_str(&quoted_literal(label.text));
        }
        text.push_str(" {");
        text.push_str(&lines(&items, &deeper));
        if !items.is_empty() {
            text.push('\n');
            text.push_str(indent);
        }
        text.push('}');
        account::grow(text.len() as u64);
        text
    }

    /// Returns a block of a JSON file that no schema describes.
    fn format_without_schema(&self, header: &str, block: &Block<'_>, indent: &str) -> String {
        with_stack(|| {
            let deeper = format!("{indent}  ");
            let arguments = block.arguments.iter().map(|argument| {
                let value = self.value(block, argument, Surroundings::EXPRESSIONS);
                format!("{} = {value}", name(argument.name))
            });
            let blocks = block.blocks.iter().map(|inner| {
                let labels = inner.label_texts().map(quoted_literal);
                let header: Vec<String> = std::iter::once(name(inner.keyword)).chain(labels).collect();
                self.format_without_schema(&header.join(" "), inner, &deeper)
            });
            let items: Vec<String> = arguments.chain(blocks).collect();
            format!("{header} {{{}\n{indent}}}", lines(&items, &deeper))
        })
    }
}

/// Whether a nested block is the escape block.
fn is_escape(tree: &Tree, block: &Block<'_>, node: &tree::Block) -> bool {
    tree.name(node.type_range) == ESCAPE && block.must_escape(ESCAPE)
}

/// Puts each item on its own line with this indentation.
pub(super) fn lines(items: &[String], indent: &str) -> String {
    items.iter().flat_map(|item| ["\n", indent, item]).collect()
}

/// Whether an argument is a block in the tree, as may happen in HCL 1.
fn is_inside_block(tree: &Tree, nested: &[tree::Block], argument: &Argument<'_>) -> bool {
    if !tree.hcl1 || argument.range.source != tree.source {
        return false;
    }
    let behind = nested.partition_point(|node| node.range.start <= argument.range.start);
    let around = behind.checked_sub(1).and_then(|at| nested.get(at));
    around.is_some_and(|node| argument.range.end <= node.range.end)
}

/// Arguments that can be taken by name, one at a time; among equal names the first comes first.
struct ByName<'b> {
    all: Vec<Option<&'b Argument<'b>>>,
    /// Indexes into `all`, in reverse order.
    places: foldhash::HashMap<&'b str, Vec<usize>>,
}

impl<'b> ByName<'b> {
    fn of(arguments: impl Iterator<Item = &'b Argument<'b>>) -> Self {
        let all: Vec<Option<&Argument<'_>>> = arguments.map(Some).collect();
        let mut places: foldhash::HashMap<&str, Vec<usize>> = foldhash::HashMap::default();
        for (at, argument) in all.iter().enumerate().rev() {
            if let Some(argument) = argument {
                places.entry(argument.name).or_default().push(at);
            }
        }
        Self { all, places }
    }

    fn take(&mut self, name: &str) -> Option<&'b Argument<'b>> {
        let at = self.places.get_mut(name)?.pop()?;
        self.all.get_mut(at)?.take()
    }

    /// Returns the arguments that were not taken, in order.
    fn rest(self) -> impl Iterator<Item = &'b Argument<'b>> {
        self.all.into_iter().flatten()
    }
}

/// Returns the effective arguments of a block, in order of declaration.
fn in_order<'b>(block: &'b Block<'b>, effective: &[(&'b str, &'b Argument<'b>)]) -> Vec<&'b Argument<'b>> {
    let wanted: foldhash::HashSet<*const Argument<'_>> =
        effective.iter().map(|(_, argument)| std::ptr::from_ref(*argument)).collect();
    block.arguments.iter().filter(|argument| wanted.contains(&std::ptr::from_ref(*argument))).collect()
}

/// The block type that a block contributes to: the generated type for `dynamic`.
fn generated_type<'b>(block: &'b Block<'b>) -> &'b str {
    match block.labels.first() {
        Some(label) if block.keyword == DYNAMIC && block.spec.is_none() => label.text,
        _ => block.keyword,
    }
}

fn type_of_node<'t>(tree: &'t Tree, node: &tree::Block) -> &'t str {
    let keyword = tree.name(node.type_range);
    match tree.labels(node.labels).first() {
        Some(label) if keyword == DYNAMIC => tree.str(label.text),
        _ => keyword,
    }
}

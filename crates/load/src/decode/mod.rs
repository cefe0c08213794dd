//! Decodes the tree of a file into elements, according to the rows of the dialect (terraform.md, sections 4 and 5).
//!
//! Errors are reported, and whatever can be understood is kept. A body is read as many times as the tool reads it,
//! because an error in it is reported once for each reading.

mod append;
mod arguments;
mod blocks;
mod checks;
pub mod codes;
pub mod default_lint;
mod labels;
mod module;
mod own_version;
mod record_checks;
mod schemas;
mod settings;
mod hcl1_values;
mod test_files;
mod triggers;
mod variables;

use smallvec::SmallVec;
use std::sync::Arc;

use self::schemas::{Schemas, block_schema};
use crate::wording;
use overfold_base::account::{self, List};
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting, SourceId, Span};
use overfold_dialect::{
    AddressRule, BlockSpec, BodyRule, Check, DialectSpec, Kinds, NestedCheck, OverrideRule, Repeat, TitleRow,
};
use overfold_model::body::content;
use overfold_model::body::content::{BlockSchema, BodyAt, ConsumedNames, ContentBlock, ContentLabel, Schema};
use overfold_model::config::{
    Argument, Block, Change, ChangeKind, Element, MergeRule, ObjectAddr, OwnVersion, Part, Payload,
};
use overfold_model::language::addresses::Target;
use overfold_syntax::{ExprAt, Forest};

pub(crate) use append::duplicate;
pub(crate) use module::load;

/// A top-level part of a file, with the elements that it declares: a block, or a part of a settings block.
#[derive(Debug)]
pub(super) struct Item<'f> {
    /// Its row.
    pub(super) spec: &'static BlockSpec,
    /// Its header.
    pub(super) header: Span,
    /// The elements in source order; a check comes after the data source inside it.
    pub(super) elements: SmallVec<[Element<'f>; 1]>,
    /// The addresses in the block, for rules across items; few blocks have any.
    pub(super) targets: Option<Box<Targets>>,
}

/// The addresses in a block.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct Targets {
    /// `moved.from`, `removed.from`.
    pub(super) from: Option<Target>,
    /// `moved.to`, `import.to`.
    pub(super) to: Option<Target>,
    /// The location of the expression of `to`.
    pub(super) to_span: Option<Span>,
    /// `import.id`, if it is a constant.
    pub(super) id: Option<Arc<str>>,
}

/// The result of decoding one file.
#[derive(Debug)]
pub(super) struct Decoding<'f> {
    /// The items in source order, except that constraints on the tool's version come first.
    pub(super) items: List<Item<'f>>,
    /// The experiments that the file opts into.
    pub(super) experiments: Vec<String>,
    /// Constraints on the tool's version that are not kept as elements.
    pub(super) own_versions: Vec<OwnVersion>,
    /// Blocks of an override file that change nothing.
    pub(super) ignored: List<Change<'f>>,
}

/// Decodes one file.
pub(super) struct Decoder<'f, 'o> {
    forest: &'f Forest,
    dialect: &'static DialectSpec,
    source: SourceId,
    /// Whether the file is an override file.
    over: bool,
    /// The offsets at which errors inside expressions of the file begin ([`overfold_base::files::Source::expression_errors`]).
    broken: &'f [u32],
    experiments: Vec<String>,
    own_versions: Vec<OwnVersion>,
    ignored: List<Change<'f>>,
    items: List<Item<'f>>,
    targets: Targets,
    /// The schemas of the rows that have been needed so far.
    schemas: Vec<(&'static BlockSpec, &'static Schemas)>,
    out: &'o mut Diagnostics,
}

/// The object that is being read, as the owner of the nested blocks in it.
#[derive(Clone, Copy)]
struct Owner<'a> {
    /// The row of the object.
    spec: &'static BlockSpec,
    /// The labels of the object.
    labels: &'a [ContentLabel<'a>],
    /// The row of the block that contains the object, if it is inside another one.
    outer: Option<&'static BlockSpec>,
}

/// Decodes a file.
pub(super) fn file<'f>(
    forest: &'f Forest,
    dialect: &'static DialectSpec,
    source: SourceId,
    over: bool,
    out: &mut Diagnostics,
) -> Decoding<'f> {
    let mut decoder = Decoder {
        forest,
        dialect,
        source,
        over,
        broken: broken(forest, source),
        experiments: Vec::new(),
        own_versions: Vec::new(),
        ignored: List::new(),
        items: List::new(),
        targets: Targets::default(),
        schemas: Vec::new(),
        out,
    };
    if let Some(body) = BodyAt::of_file(forest, source) {
        decoder.root(body);
    }
    let Decoder { items, experiments, own_versions, ignored, .. } = decoder;
    Decoding { items, experiments, own_versions, ignored }
}

/// Reads and checks a test file, which is not part of the module. Returns its content as one block.
pub fn test_file<'f>(
    forest: &'f Forest,
    dialect: &'static DialectSpec,
    row: &'static BlockSpec,
    source: SourceId,
    out: &mut Diagnostics,
) -> Option<Block<'f>> {
    let body = BodyAt::of_file(forest, source)?;
    let mut decoder = Decoder {
        forest,
        dialect,
        source,
        over: false,
        broken: &[],
        experiments: Vec::new(),
        own_versions: Vec::new(),
        ignored: List::new(),
        items: List::new(),
        targets: Targets::default(),
        schemas: Vec::new(),
        out,
    };
    let nowhere = body.missing_item(forest);
    let whole = ContentBlock {
        keyword: row.keyword,
        type_span: nowhere,
        labels: &[],
        header: nowhere,
        open_brace: nowhere,
        range: nowhere,
        body,
    };
    decoder.block(row, &whole, Owner { spec: row, labels: &[], outer: None })
}

impl Reporting for Decoder<'_, '_> {
    fn sink(&mut self) -> &mut Diagnostics {
        self.out
    }
}

impl<'f> Decoder<'f, '_> {
    fn root(&mut self, body: BodyAt) {
        self.scan_settings(body);
        let rows: Vec<BlockSchema<'static>> = self.dialect.blocks.iter().map(block_schema).collect();
        if self.dialect.rules.reading.stops_at_first_error {
            self.root_by_type(body, &rows);
            return;
        }
        let schema = Schema { arguments: &[], blocks: &rows };
        let content = content::strict(self.forest, body, &ConsumedNames::NONE, schema, self.out);
        for block in &content.blocks {
            if let Some(spec) = self.dialect.block(block.keyword) {
                self.top(spec, block);
            }
        }
    }

    /// Reads one block type after the other, in the order of the table, so that the first error reported is the one at
    /// which the tool stops. Unknown names are looked for last.
    fn root_by_type(&mut self, body: BodyAt, rows: &[BlockSchema<'static>]) {
        let mut hidden = ConsumedNames::default();
        for (row, spec) in rows.iter().zip(self.dialect.blocks) {
            let schema = Schema { arguments: &[], blocks: std::slice::from_ref(row) };
            let content = content::partial(self.forest, body, &mut hidden, schema, self.out);
            if let (Repeat::OnePerFile { title }, AddressRule::None, [first, others @ ..]) =
                (spec.repeat, spec.address, content.blocks.as_slice())
            {
                for other in others {
                    let detail = format!(
                        "A file can contain only one `{}` block, but this one is read as well. Merge it into the first one.",
                        spec.keyword
                    );
                    let found = Diagnostic::tool(&codes::DUPLICATE, other.header, detail).titled(title);
                    self.out.push(found.and("the first one", first.header));
                }
            }
            for block in &content.blocks {
                self.top(spec, block);
            }
        }
        let (_, unknown) =
            self.collect(|decoder| content::strict(decoder.forest, body, &hidden, Schema::default(), decoder.out));
        for found in unknown {
            self.out.push_existing(Diagnostic { code: &codes::UNKNOWN_KEY, ..found });
        }
        self.items.sort_by_key(|item| item.header.start);
    }

    /// Does some work whose diagnostics get the titles of these rows.
    fn with_titles<T>(
        &mut self,
        rows: &'static [TitleRow],
        labels: &[ContentLabel<'_>],
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if rows.is_empty() {
            return work(self);
        }
        let (result, found) = self.collect(work);
        for mut found in found {
            wording::reword(self.forest, rows, labels, &mut found);
            self.out.push_existing(found);
        }
        result
    }

    /// Reads a top-level block, or a block inside one that only contains others.
    fn top(&mut self, spec: &'static BlockSpec, block: &ContentBlock<'f>) {
        let Some(spec) = self.kind(spec, block) else { return };
        if self.is_refused(spec, block) {
            if self.is_unread(spec) {
                self.record_ignored(spec, block);
            }
            return;
        }
        match spec.address {
            AddressRule::None => self.container(spec, block),
            AddressRule::EachArgument { prefix, identifier } => self.each_argument(spec, block, prefix, identifier),
            _ => self.element(spec, block),
        }
    }

    /// Returns the row that the block's first label selects, or `None` if there is none, which has been reported.
    fn kind(&mut self, spec: &'static BlockSpec, block: &ContentBlock<'f>) -> Option<&'static BlockSpec> {
        let Kinds::ByFirstLabel { rows, title } = spec.kinds else { return Some(spec) };
        let label = block.labels.first()?;
        let found = rows.iter().find(|row| *row.label == *label.text);
        if found.is_none() {
            let known: Vec<&str> = rows.iter().map(|row| row.label).collect();
            let detail = format!(
                "{1:?} is not a known kind of {0}. The known kinds are: {2}.",
                spec.keyword,
                label.text,
                known.join(", ")
            );
            self.report(&codes::UNKNOWN_KIND, title, label.span, detail);
        }
        found.map(|row| &row.spec)
    }

    /// Whether the block is not allowed here at all, which is then reported.
    fn is_refused(&mut self, spec: &'static BlockSpec, block: &ContentBlock<'f>) -> bool {
        match (spec.body, spec.over) {
            (BodyRule::Refused { title, at_header }, _) => {
                let at = if at_header { block.header } else { block.type_span };
                let detail = format!("Blocks of type {:?} are not allowed here. Remove the block.", spec.keyword);
                self.report(&codes::REFUSED_BLOCK, title, at, detail);
                true
            }
            (BodyRule::Dropped, _) => {
                let detail = format!(
                    "This version of {} accepts {:?} blocks but ignores them.",
                    self.dialect.tool, spec.keyword
                );
                self.out.push(Diagnostic::ours(&codes::DROPPED_BLOCK, block.header, detail));
                true
            }
            (_, OverrideRule::Refused { title, .. }) if self.is_unread(spec) => {
                let detail = format!(
                    "`{}` blocks in override files are not read, so those of the primary files still apply. Move this block to a primary file.",
                    spec.keyword
                );
                self.report(&codes::CONDITION_IN_OVERRIDE, title, block.header, detail);
                true
            }
            _ => false,
        }
    }

    /// Whether blocks with this row are not read because the file is an override file.
    const fn is_unread(&self, spec: &BlockSpec) -> bool {
        let is_known = !matches!(spec.body, BodyRule::Refused { .. } | BodyRule::Dropped);
        self.over && is_known && matches!(spec.over, OverrideRule::Refused { unread: true, .. })
    }

    /// Records that a block of an override file that would declare an object changes nothing.
    fn record_ignored(&mut self, spec: &'static BlockSpec, block: &ContentBlock<'f>) {
        let named = Block { labels: block.labels, ..Block::bare(spec, block.header) };
        let address = ObjectAddr::from_block(self.forest, spec, &named);
        self.push_ignored(Part::Object, address, spec, block.header, block.range);
    }

    fn push_ignored(
        &mut self,
        part: Part<'f>,
        address: ObjectAddr<'f>,
        spec: &'static BlockSpec,
        within: Span,
        cause: Span,
    ) {
        let rule = MergeRule::Block(&spec.over);
        let change = Change { address, part, act: ChangeKind::Ignored, within, before: None, cause, rule };
        self.ignored.push(change);
    }

    /// Reads a block that declares one element, or two if there is an object inside it.
    fn element(&mut self, spec: &'static BlockSpec, block: &ContentBlock<'f>) {
        account::work(16);
        let owner = Owner { spec, labels: block.labels, outer: None };
        self.targets = Targets::default();
        let Some(decoded) = self.block(spec, block, owner) else { return };
        let targets = std::mem::take(&mut self.targets);
        let targets = (targets != Targets::default()).then(|| Box::new(targets));
        let scoped =
            if spec.checks(Check::Nested(NestedCheck::OneScopedData)) { blocks::scoped(&decoded) } else { None };
        let payload = self.payload(spec, &decoded, block.body);
        match spec.over {
            OverrideRule::Refused { title, .. } if self.over => {
                let detail = format!(
                    "`{}` blocks are allowed only in primary files. Move this one to a primary file.",
                    spec.keyword
                );
                self.report(&codes::REFUSED_OVERRIDE, title, block.header, detail);
                self.record_ignored(spec, block);
                return;
            }
            OverrideRule::Ignored if self.over => {
                let detail = format!(
                    "This `{}` block is silently ignored, because it is in an override file. Move it to a primary file.",
                    spec.keyword
                );
                self.out.push(Diagnostic::ours(&codes::IGNORED_BLOCK, block.header, detail));
                self.record_ignored(spec, block);
                return;
            }
            _ => {}
        }
        let mut elements = SmallVec::new();
        if let Some(inner) = scoped
            && let Some(row) = inner.spec
        {
            elements.push(Element {
                address: ObjectAddr::from_block(self.forest, row, inner),
                kind: row.kind,
                block: inner,
                payload: Payload::None,
            });
        }
        elements.push(Element {
            address: ObjectAddr::from_block(self.forest, spec, &decoded),
            kind: spec.kind,
            block: self.forest.keep_one(decoded),
            payload,
        });
        self.items.push(Item { spec, header: block.header, elements, targets });
    }

    /// Reads a block whose arguments are the elements.
    fn each_argument(
        &mut self,
        spec: &'static BlockSpec,
        block: &ContentBlock<'f>,
        prefix: &'static str,
        identifier: Option<&'static str>,
    ) {
        let (attributes, verdict) = self.watch(|decoder| {
            decoder.with_titles(spec.titles, &[], |decoder| {
                content::attributes_only(decoder.forest, block.body, &ConsumedNames::NONE, decoder.out)
            })
        });
        if verdict.failed() && matches!(spec.body, BodyRule::Arguments { drop_when_wrong: true }) {
            if spec.traits.counts_if_invalid {
                let (elements, targets) = (SmallVec::new(), None);
                self.items.push(Item { spec, header: block.header, elements, targets });
            }
            return;
        }
        let mut elements = Vec::with_capacity(attributes.len());
        if let Some(registry) = spec.traits.requirements_of {
            self.requirements(spec, prefix, registry, &attributes, &mut elements);
        } else {
            for attribute in &attributes {
                if let Some(title) = identifier {
                    self.identifier(title, attribute.name, attribute.name_span);
                }
                let argument = Argument { name: "value", ..self.plain_argument(attribute) };
                elements.push(Element {
                    address: ObjectAddr::of_argument(spec.kind, prefix, attribute.name),
                    kind: spec.kind,
                    block: self.made_block(spec, attribute.range, &[argument]),
                    payload: Payload::None,
                });
            }
        }
        self.items.push(Item { spec, header: block.header, elements: elements.into(), targets: None });
    }

    /// Returns the block of an element that is made from an argument.
    fn made_block(&self, spec: &'static BlockSpec, whole: Span, arguments: &[Argument<'f>]) -> &'f Block<'f> {
        let arguments = self.forest.keep_list(arguments);
        self.forest.keep_one(Block { arguments, ..Block::bare(spec, whole) })
    }

    /// Reports an error or warning of the tool, with the title that this version uses.
    fn report(
        &mut self,
        code: &'static overfold_base::diag::Code,
        title: &'static str,
        at: impl Into<Option<Span>>,
        detail: impl Into<std::borrow::Cow<'static, str>>,
    ) {
        let title = self.dialect.title(code.id, title);
        self.out.push(Diagnostic::tool(code, at, detail).titled(title));
    }

    /// Reports a string that is not an identifier.
    fn identifier(&mut self, title: &'static str, text: &str, at: Span) {
        if !overfold_model::language::names::is_identifier(text) {
            let detail = format!(
                "{text:?} is not a valid name. A name must start with a letter or an underscore and contain only letters, digits, underscores and dashes."
            );
            self.report(&codes::INVALID_NAME, title, at, detail);
        }
    }

    fn is_broken(&self, argument: Span, expr: ExprAt) -> bool {
        is_broken(self.forest, self.broken, argument, expr)
    }
}

/// Whether the expression of an argument has a syntax error. `broken` are the offsets at which such errors begin in
/// the argument's file, ascending; in a broken JSON file, every expression may have one.
pub(super) fn is_broken(forest: &Forest, broken: &[u32], argument: Span, expr: ExprAt) -> bool {
    if forest.json(argument.source).is_some() {
        return !broken.is_empty();
    }
    // After an error, the argument may end before its expression does.
    let end = argument.end.max(forest.expr_span(expr).end);
    let first = broken.partition_point(|&at| at < argument.start);
    broken.get(first).is_some_and(|&at| at <= end)
}

/// Returns the offsets at which errors inside expressions of a file begin, ascending.
pub(super) fn broken(forest: &Forest, source: SourceId) -> &[u32] {
    forest.sources.get(source).map_or(&[], |source| &source.expression_errors)
}

//! Reads settings: blocks that only contain others, the tool's version, experiments and editions.

use crate::decode::schemas::block_schema;
use crate::decode::{Decoder, Item, codes};
use overfold_base::diag::Diagnostic;
use overfold_dialect::{AddressRule, AttrKind, AttrSpec, Behaviour, BlockSpec, BodyRule, words};
use overfold_model::body::content::{
    ArgumentSchema, BlockSchema, BodyAt, ConsumedNames, Content, ContentAttribute, ContentBlock, Repeated, Schema,
};
use overfold_model::body::{content, traversal};
use overfold_model::config::{Argument, DecodedArgument, Element, ObjectAddr, Payload, Requirement};
use overfold_model::language::required_providers::SourceRules;
use overfold_model::language::{constants, keywords, required_providers};
use overfold_syntax::{ExprAt, statics};
use smallvec::smallvec;

/// Whether a reading looks for arguments of this kind.
type KindFilter = fn(&AttrKind) -> bool;

impl<'f> Decoder<'f, '_> {
    /// Reads a block that only contains others. Its own arguments have been read by the scans, or are read now.
    pub(super) fn container(&mut self, spec: &'static BlockSpec, block: &ContentBlock<'f>) {
        let arguments: Vec<_> = spec.attrs.iter().map(|row| self.container_argument(row)).collect();
        let blocks: Vec<BlockSchema<'static>> = spec.blocks.iter().map(block_schema).collect();
        let schema = Schema { arguments: &arguments, blocks: &blocks };
        let content = match spec.body {
            BodyRule::Open { .. } => self.read_leniently(spec, block, schema),
            _ => content::strict(self.forest, block.body, &ConsumedNames::NONE, schema, self.out),
        };
        for attribute in &content.attributes {
            let Some(kind) = spec.attr(attribute.name).map(|row| row.kind) else { continue };
            match kind {
                AttrKind::Edition(_) | AttrKind::Experiments(_) if !self.dialect.rules.reading.experiment_scan => {
                    self.setting(kind, attribute);
                }
                AttrKind::Forgotten => {
                    let detail = format!(
                        "This version of {} accepts {:?} here but ignores it.",
                        self.dialect.tool, attribute.name
                    );
                    self.out.push(Diagnostic::ours(&codes::FORGOTTEN_ARGUMENT, attribute.range, detail));
                }
                AttrKind::OwnVersion { files } if !self.is_one_of(files) => {
                    let detail = format!(
                        "{:?} is read only in files whose names end with {}. In this file it has no effect.",
                        attribute.name,
                        files.join(" or ")
                    );
                    self.out.push(Diagnostic::ours(&codes::FORGOTTEN_ARGUMENT, attribute.range, detail));
                }
                _ => {}
            }
        }
        let own = self.states_own_version(spec, block, &content);
        for inner in content.blocks.iter().filter(|inner| Some(inner.keyword) != own) {
            if let Some(row) = spec.block(inner.keyword) {
                self.top(row, inner);
            }
        }
    }

    /// Reads what the rows name; everything else is ignored, with a note.
    fn read_leniently(
        &mut self,
        spec: &'static BlockSpec,
        block: &ContentBlock<'f>,
        schema: Schema<'_>,
    ) -> Content<'f> {
        let mut hidden = ConsumedNames::default();
        let content = content::partial(self.forest, block.body, &mut hidden, schema, self.out);
        let rest = content::open(self.forest, block.body, &hidden, &|_| None);
        let blocks = rest.blocks.iter().map(|block| (&block.keyword, block.header));
        for (name, at) in rest.attributes.iter().map(|argument| (&argument.name, argument.range)).chain(blocks) {
            let detail = format!(
                "{name:?} in a `{}` block is silently ignored. Check the spelling, or remove it.",
                spec.keyword
            );
            self.out.push(Diagnostic::ours(&codes::FORGOTTEN_ARGUMENT, at, detail));
        }
        content
    }

    /// Whether the name of the current file ends in one of these suffixes. If there are none, every name matches.
    fn is_one_of(&self, suffixes: &[&str]) -> bool {
        let name = self.forest.sources.name(self.source);
        suffixes.is_empty() || suffixes.iter().any(|suffix| name.ends_with(suffix))
    }

    fn setting(&mut self, kind: AttrKind, attribute: &ContentAttribute<'f>) {
        match kind {
            AttrKind::Edition(editions) => keywords::edition(self.forest, attribute.expr, editions, self.out),
            AttrKind::Experiments(rule) => {
                let found = keywords::experiments(self.forest, attribute.expr, attribute.name_span, rule, self.out);
                self.experiments.extend(found);
            }
            _ => {}
        }
    }

    /// Makes the passes over the whole file that come before it is decoded.
    pub(super) fn scan_settings(&mut self, body: BodyAt) {
        for scanned in self.scans().into_iter().flatten() {
            self.scan(body, scanned);
        }
    }

    /// The arguments that each of these readings looks for.
    fn scans(&self) -> [Option<KindFilter>; 2] {
        let rules = &self.dialect.rules;
        let versions: KindFilter = |kind| matches!(kind, AttrKind::RequiredVersion(_) | AttrKind::OwnVersion { .. });
        let experiments: KindFilter = |kind| matches!(kind, AttrKind::Experiments(_) | AttrKind::Edition(_));
        [
            rules.required_version.separate_pass.then_some(versions),
            rules.reading.experiment_scan.then_some(experiments),
        ]
    }

    fn container_argument(&self, row: &'static AttrSpec) -> ArgumentSchema<'static> {
        let scanned = self.scans().into_iter().flatten().any(|wanted| wanted(&row.kind));
        let repeated = if scanned { Repeated::ReportedElsewhere } else { Repeated::FirstApplies };
        ArgumentSchema { repeated, ..ArgumentSchema::optional(row.name) }
    }

    fn scan(&mut self, body: BodyAt, wanted: KindFilter) {
        let rows: Vec<&'static BlockSpec> = self.dialect.blocks.iter().filter(|row| leads_to(row, wanted)).collect();
        self.scan_blocks(body, &[], &rows, wanted);
    }

    /// Reads only the parts of a block that lead to the wanted arguments, at any depth of the table.
    fn scan_block(&mut self, spec: &'static BlockSpec, body: BodyAt, wanted: KindFilter) {
        let here = |row: &&AttrSpec| match row.kind {
            AttrKind::OwnVersion { files } => wanted(&row.kind) && self.is_one_of(files),
            _ => wanted(&row.kind),
        };
        let arguments: Vec<&'static AttrSpec> = spec.attrs.iter().filter(here).collect();
        let blocks: Vec<&'static BlockSpec> = spec.blocks.iter().filter(|row| leads_to(row, wanted)).collect();
        if !(arguments.is_empty() && blocks.is_empty()) {
            self.scan_blocks(body, &arguments, &blocks, wanted);
        }
    }

    fn scan_blocks(
        &mut self,
        body: BodyAt,
        attrs: &[&'static AttrSpec],
        rows: &[&'static BlockSpec],
        wanted: KindFilter,
    ) {
        let arguments: Vec<ArgumentSchema<'static>> = attrs
            .iter()
            .map(|row| ArgumentSchema { repeated: Repeated::LastApplies, ..ArgumentSchema::optional(row.name) })
            .collect();
        let blocks: Vec<BlockSchema<'static>> = rows.iter().map(|row| block_schema(row)).collect();
        let schema = Schema { arguments: &arguments, blocks: &blocks };
        let content = content::partial(self.forest, body, &mut ConsumedNames::NONE.clone(), schema, self.out);
        for attribute in &content.attributes {
            let Some(row) = attrs.iter().find(|row| *row.name == *attribute.name) else { continue };
            match row.kind {
                AttrKind::RequiredVersion(element) => self.required_version(row, element, attribute),
                AttrKind::OwnVersion { .. } => self.own_version(attribute),
                kind => self.setting(kind, attribute),
            }
        }
        for block in &content.blocks {
            if let Some(row) = rows.iter().find(|row| *row.keyword == *block.keyword) {
                self.scan_block(row, block.body, wanted);
            }
        }
    }

    fn required_version(
        &mut self,
        row: &'static AttrSpec,
        element: &'static BlockSpec,
        attribute: &ContentAttribute<'f>,
    ) {
        let text = match self.stored_own_version(row.name, attribute.expr) {
            Some(DecodedArgument::Text(text)) => Some(text),
            Some(_) => None,
            None => constants::version_constraint(self.forest, attribute.expr, self.out)
                .map(|text| self.forest.keep(&text)),
        };
        let Some(text) = text else { return };
        let argument =
            Argument { spec: Some(row), decoded: DecodedArgument::Text(text), ..self.plain_argument(attribute) };
        let AddressRule::Fixed(address) = element.address else { return };
        let block = self.made_block(element, attribute.range, &[argument]);
        self.items.push(Item {
            spec: element,
            header: attribute.range,
            elements: smallvec![Element {
                address: ObjectAddr::Setting(address),
                kind: element.kind,
                block,
                payload: Payload::None
            }],
            targets: None,
        });
    }
}

impl<'f> Decoder<'f, '_> {
    /// Reads the entries of a block of provider requirements. Valid entries become elements, with their parts as
    /// arguments.
    pub(super) fn requirements(
        &mut self,
        spec: &'static BlockSpec,
        prefix: &'static str,
        registry: &'static str,
        attributes: &[ContentAttribute<'f>],
        elements: &mut Vec<Element<'f>>,
    ) {
        let underscores = self.dialect.has(Behaviour::NamespacesMayHaveUnderscores);
        let rules = SourceRules { registry, underscores };
        for attribute in attributes {
            let entry = required_providers::entry(self.forest, attribute.name, attribute.expr, rules, self.out);
            let Some(entry) = entry else { continue };
            let mut arguments = Vec::new();
            let pairs = statics::written_map(self.forest, attribute.expr);
            for (key, value) in pairs.into_iter().flatten() {
                // In JSON, a property name is a literal string; in native syntax, a key may be a bare word.
                let word = matches!(key, ExprAt::Native(..))
                    .then(|| statics::keyword(self.forest, key))
                    .flatten()
                    .map(|word| self.forest.keep(&word));
                let name =
                    word.or_else(|| traversal::plain_text(self.forest, key).map(|text| self.forest.keep(&text)));
                let (Some(name), name_span) = (name, self.forest.expr_span(key)) else { continue };
                let range = name_span.range().to(self.forest.expr_span(value).range()).in_source(name_span.source);
                arguments.push(Argument { name, name_span, range, expr: value, ..self.plain_argument(attribute) });
            }
            if arguments.is_empty() && !self.is_map(attribute.expr) {
                // A plain string is the version.
                arguments.push(Argument { name: words::VERSION, ..self.plain_argument(attribute) });
            }
            elements.push(Element {
                address: ObjectAddr::of_argument(spec.kind, prefix, attribute.name),
                kind: spec.kind,
                block: self.made_block(spec, attribute.range, &arguments),
                payload: Payload::Requirement(Box::new(Requirement {
                    source: entry.source,
                    value: self.forest.expr_span(attribute.expr),
                    registry,
                })),
            });
        }
    }

    fn is_map(&self, expr: ExprAt) -> bool {
        statics::written_map(self.forest, expr).is_some()
    }
}

/// Whether a block has, at any depth, an argument that is wanted.
fn leads_to(spec: &BlockSpec, wanted: KindFilter) -> bool {
    spec.attrs.iter().any(|row| wanted(&row.kind)) || spec.blocks.iter().any(|row| leads_to(row, wanted))
}

//! Rules that a block must meet after all overrides.

use crate::decode::codes::VERSION_WITHOUT_REGISTRY;
use crate::module_checks::codes;
use crate::wording;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting as _, SourceId, Span};
use overfold_dialect::words;
use overfold_dialect::{
    AddressRule, AttrKind, AttrSpec, BlockSpec, DialectSpec, LiteralShape, MergedCheck, MissingCheck, Required,
};
use overfold_model::body::content::codes::MISSING_REQUIRED_ARGUMENT;
use overfold_model::config::{
    Argument, Block, DecodedArgument, Element, Module, ObjectAddr, idle_repetition, repeated_by,
};
use overfold_model::language::module_source;
use overfold_model::language::module_source::SourceKind;
use overfold_syntax::tree::ExprKind;
use overfold_syntax::{ExprAt, Forest};
use smallvec::SmallVec;

/// Checks every block of the merged module that has a row, and reports each error at its own location: a missing
/// argument at the header of the block, a wrong value at the value.
pub(crate) fn check(module: &Module<'_>, dialect: &DialectSpec, forest: &Forest, out: &mut Diagnostics) {
    let registry = dialect.rules.modules.version_needs_registry_source;
    for element in &module.elements {
        let mut checker = Checker { forest, address: element.address, registry, out };
        checker.block(element.block);
        checker.check_json_lists(element);
        // Deeper blocks have rows only as far as the table goes, and no table has such rules at a deeper level.
        for inner in element.block.blocks {
            checker.block(inner);
        }
    }
}

struct Checker<'a> {
    forest: &'a Forest,
    address: ObjectAddr<'a>,
    /// Whether a source that is not a registry address, in the same block as a version, has already been refused.
    registry: bool,
    out: &'a mut Diagnostics,
}

impl Checker<'_> {
    fn block(&mut self, block: &Block<'_>) {
        let Some(spec) = block.spec else { return };
        if spec.titles.is_empty() {
            self.check_rows(spec, block);
            self.check_two_forms(block);
            return;
        }
        let ((), found) = self.out.collect(|out| {
            let mut checker = Checker { out, ..*self };
            checker.check_rows(spec, block);
            checker.check_two_forms(block);
        });
        for mut found in found {
            wording::reword(self.forest, spec.titles, block.labels, &mut found);
            self.out.push_existing(found);
        }
    }

    fn check_rows(&mut self, spec: &'static BlockSpec, block: &Block<'_>) {
        for row in spec.attrs {
            match block.argument(row.name) {
                Some(argument) => self.check_value(row, argument),
                None if row.required == Required::AfterMerge && !self.may_be_missing(spec, block, row.name) => {
                    let detail = format!(
                        "The argument {:?} is required, but neither this block nor an override of it sets it.",
                        row.name
                    );
                    self.report(Diagnostic::tool(&MISSING_REQUIRED_ARGUMENT, block.header, detail));
                }
                None => {}
            }
        }
        for name in idle_repetition(block) {
            if let Some(idle) = repeated_by(block, name) {
                let detail = format!(
                    "{name:?} has no effect here, because another argument already decides how many instances there are. Remove one of them."
                );
                self.report(Diagnostic::ours(&codes::IDLE_REPETITION, idle.range, detail));
            }
        }
        for check in spec.merged_checks() {
            match check {
                MergedCheck::MayNotHave { argument: name, names, title } => {
                    if let (Some(label), Some(argument)) = (last_label(block), block.argument(name))
                        && names.contains(&label)
                    {
                        let at = self.forest.expr_span(argument.expr);
                        let detail = format!(
                            "{label:?} is the name of a built-in {}, which cannot be replaced. Choose another name.",
                            spec.keyword
                        );
                        self.report(Diagnostic::tool(&codes::NAME_TAKEN, at, detail).titled(title));
                    }
                }
                MergedCheck::NotBoth { argument: name, block: keyword, title } => {
                    let inner = block.blocks.iter().find(|inner| *inner.keyword == *keyword);
                    if let (Some(argument), Some(inner)) = (block.argument(name), inner) {
                        let detail = format!(
                            "The argument `{name}` and a `{keyword}` block exclude each other. Remove one of them."
                        );
                        let found = Diagnostic::tool(&codes::NOT_BOTH, block.header, detail).titled(title);
                        self.report(found.and("the argument", argument.range).and("the block", inner.header));
                    }
                }
                MergedCheck::VersionFromRegistry => self.version_from_registry(block),
            }
        }
    }

    /// Whether a check allows a required argument to be missing from the merged block. It may report a warning
    /// instead.
    fn may_be_missing(&mut self, spec: &'static BlockSpec, block: &Block<'_>, missing: &str) -> bool {
        spec.missing_checks().any(|check| match check {
            MissingCheck::MayLack { argument, names } => {
                argument == missing && last_label(block).is_some_and(|label| names.contains(&label))
            }
            MissingCheck::ImpliedFile { argument, suffix } => {
                let implied = argument == missing && !block.is_overridden();
                if implied {
                    let name = last_label(block).unwrap_or_default();
                    let detail = format!(
                        "This block does not set {missing:?}. Older documentation leaves it out where the file {name}{suffix} in the same directory is meant, but the command line requires it. Set it explicitly."
                    );
                    self.report(Diagnostic::ours(&codes::IMPLIED_FILE, block.header, detail));
                }
                implied
            }
        })
    }

    /// Reports a version with a source that is not a registry address, after an override replaced one of the two.
    fn version_from_registry(&mut self, block: &Block<'_>) {
        let (Some(source), Some(version)) = (block.argument(words::SOURCE_ARGUMENT), block.argument(words::VERSION))
        else {
            return;
        };
        let DecodedArgument::Text(address) = &source.decoded else { return };
        let at = self.forest.expr_span(source.expr);
        let place = match module_source::parse(address) {
            Ok(SourceKind::Local) => "a local directory",
            Ok(SourceKind::Remote) => "an address from which it is downloaded directly",
            Ok(SourceKind::Registry) | Err(_) => return,
        };
        let together = || {
            let mut versions = version.previous.newest_first().chain([version]);
            let of = own_header(block, source.range);
            versions.any(|version| own_header(block, version.range) == of)
        };
        if self.registry && together() {
            return;
        }
        let detail = format!(
            "After merging, this module call has a version, but its source is {place}, not a registry. The configuration can be loaded, but the module cannot be installed. Remove the version where it is set; an override file cannot remove an argument of the primary file."
        );
        let found = Diagnostic::ours(&VERSION_WITHOUT_REGISTRY, block.header, detail);
        self.report(found.and("the source", at).and("the version", version.range));
    }

    fn check_value(&mut self, row: &AttrSpec, argument: &Argument<'_>) {
        if let (AttrKind::Literal(LiteralShape::OneOf(rule)), DecodedArgument::Text(text)) =
            (row.kind, &argument.decoded)
            && !rule.words.contains(&&**text)
        {
            let at = self.forest.expr_span(argument.expr);
            let detail = format!(
                "{:?} is not a supported value. The supported values are: {}.",
                &**text,
                rule.words.join(", ")
            );
            self.report(Diagnostic::tool(&crate::decode::codes::UNLISTED_VALUE, at, detail).titled(rule.title));
        }
    }

    /// Reports an argument and a block of the same name, between which only a provider's schema can decide.
    fn check_two_forms(&mut self, block: &Block<'_>) {
        account::work((block.arguments.len() + block.blocks.len()) as u64);
        let open = block.blocks.iter().filter(|inner| inner.spec.is_none());
        let mut blocks: SmallVec<[(&str, &Block<'_>); 4]> = open.map(|inner| (inner.keyword, inner)).collect();
        blocks.sort_by_key(|(keyword, _)| *keyword);
        for argument in block.arguments.iter().filter(|argument| argument.spec.is_none() && !blocks.is_empty()) {
            // If there are several blocks of one type, the last one.
            let upto = blocks.partition_point(|(keyword, _)| *keyword <= argument.name);
            let last = upto.checked_sub(1).and_then(|at| blocks.get(at));
            let Some((_, inner)) = last.filter(|(keyword, _)| *keyword == argument.name) else { continue };
            if matches!(argument.expr, ExprAt::Native(source, _) if self.is_hcl1(source)) {
                // In HCL 1, both forms mean the same.
                continue;
            }
            let (later, earlier) = if argument.range.source == block.header.source {
                (inner.header, argument.range)
            } else {
                (argument.range, inner.header)
            };
            let detail = format!(
                "{:?} is set both as an argument and as a block. The provider's schema decides which form is used; `config` can show only this one.",
                argument.name
            );
            self.report(Diagnostic::ours(&codes::TWO_FORMS, later, detail).and("the other form", earlier));
        }
    }

    /// Reports lists that HCL 1 would read differently from JSON, where it reads an array that contains only objects
    /// as one value for each of them.
    fn check_json_lists(&mut self, element: &Element<'_>) {
        let each_is_one = matches!(element.block.spec.map(|row| row.address), Some(AddressRule::EachArgument { .. }));
        for argument in element.block.arguments {
            let ExprAt::Native(source, id) = argument.expr else { continue };
            let Some(tree) = self.forest.native(source).filter(|_| self.is_hcl1(source)) else { continue };
            let ExprKind::Tuple { items, .. } = tree.expr(id).kind else { continue };
            let items = tree.list(items);
            let only_maps =
                items.iter().charged_at_once(1).all(|&item| matches!(tree.expr(item).kind, ExprKind::Object { .. }));
            let is_default = argument.spec.is_some_and(|row| matches!(row.kind, AttrKind::Hcl1Default));
            let lost = match items.len() {
                0 => false,
                1 => each_is_one || is_default,
                _ => each_is_one,
            };
            if only_maps && lost {
                let detail = "In JSON syntax a list that contains only maps is read as the maps themselves, so loading `config` again does not produce this list.";
                self.report(Diagnostic::ours(&codes::NO_JSON_FORM, argument.range, detail));
            }
        }
    }

    fn is_hcl1(&self, source: SourceId) -> bool {
        self.forest.native(source).is_some_and(|tree| tree.hcl1)
    }

    fn report(&mut self, found: Diagnostic) {
        self.out.push(found.about(self.address));
    }
}

/// Returns the header of the block in which a part of the merged block was written.
fn own_header(block: &Block<'_>, part: Span) -> Option<Span> {
    let overrides = block.overridden_by().newest_first().map(|over| over.header);
    let headers = overrides.chain([block.header]);
    let before = headers.filter(|header| header.source == part.source && header.start <= part.start);
    before.max_by_key(|header| header.start)
}

fn last_label<'b>(block: &'b Block<'b>) -> Option<&'b str> {
    block.labels.last().map(|label| label.text)
}

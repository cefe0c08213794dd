//! What a form of the configuration cannot say about a module: values that are hidden, and properties of JSON files that
//! may be blocks.

use foldhash::HashMap;

use super::answer::ConfigFormat;
use super::codes;
use super::redaction::Redaction;
use overfold_base::account::{self, ChargedIterator, ChargedSort, List};
use overfold_base::diag::{Diagnostic, SourceId, TextRange};
use overfold_dialect::BodyRule;
use overfold_model::config::blocks_of_property;
use overfold_model::config::effective::Object;
use overfold_model::config::folding::Folding;
use overfold_model::config::{Argument, Block, EffectiveConfig};
use overfold_module::pipeline::Report;
use overfold_syntax::ExprAt;
use overfold_syntax::json::{JsonKind, JsonNode, JsonTree};
use overfold_syntax::tree::Id;
use overfold_value::with_stack;

/// The number of findings per code; one more says how many there would be.
const MOST: usize = 50;

/// Returns what a form of `config` cannot say about a module, at most 102 findings. They belong to an answer that
/// contains `config` in this form; whoever writes it adds them to the diagnostics first.
pub fn form_notes(report: &Report<'_>, format: ConfigFormat) -> Vec<Diagnostic> {
    let redaction = Redaction::of(report);
    let config = EffectiveConfig::from_module(&report.module, report.dialect, &report.experiments);
    let folding = Folding::new(&config, &report.module, report.forest);
    let mut notes = Notes {
        report,
        redaction: &redaction,
        config: &config,
        folding: &folding,
        hidden: Bounded::default(),
        blocks: Bounded::default(),
        known: HashMap::default(),
    };
    for object in config.objects() {
        notes.object(&object, format);
    }
    if format != ConfigFormat::TfJson {
        notes.rest_of_files();
    }
    let Notes { hidden, blocks, .. } = notes;
    let more =
        |count: usize, what: &str| format!("{what} This is so in {count} further places, which are not listed.");
    let mut list = hidden.list;
    if hidden.more > 0 {
        let detail = more(hidden.more, "Sensitive values are hidden.");
        list.push(Diagnostic::ours(&codes::VALUE_HIDDEN, None, detail));
    }
    list.extend(blocks.list);
    if blocks.more > 0 {
        let detail = more(blocks.more, "Properties of JSON files that may be blocks are written as arguments.");
        list.push(Diagnostic::ours(&codes::MAY_BE_BLOCK, None, detail));
    }
    list.into_vec()
}

/// A list with a maximum length.
#[derive(Default)]
struct Bounded {
    list: List<Diagnostic>,
    more: usize,
}

impl Bounded {
    fn push(&mut self, note: impl FnOnce() -> Diagnostic) {
        if self.list.len() < MOST {
            self.list.push(note());
        } else {
            self.more += 1;
        }
    }
}

struct Notes<'a> {
    report: &'a Report<'a>,
    redaction: &'a Redaction<'a>,
    config: &'a EffectiveConfig<'a>,
    folding: &'a Folding<'a>,
    hidden: Bounded,
    blocks: Bounded,
    /// The places of hidden arguments, and of arguments that overrides replaced, by source.
    known: HashMap<SourceId, Vec<TextRange>>,
}

impl<'a> Notes<'a> {
    fn object(&mut self, object: &Object<'a>, format: ConfigFormat) {
        if let Some(argument) = object.part.and_then(|part| object.block.arguments.get(part)) {
            account::work(1);
            return self.hidden(object.block, argument);
        }
        let home = self.folding.home(object.block.header);
        let is_json = |source: SourceId| self.report.forest.json(source).is_some();
        let is_native = match format {
            ConfigFormat::TfJson | ConfigFormat::Hcl2Json => false,
            ConfigFormat::Hcl => true,
            ConfigFormat::Files => !home.is_some_and(is_json),
        };
        let is_entry = object.container.is_some();
        self.block(object.block, is_native && !is_entry && object.block.keyword != MODULE);
    }

    fn block(&mut self, block: &'a Block<'a>, is_native: bool) {
        with_stack(|| {
            let body = self.config.body(block, &[]);
            let is_open = body.block.spec.is_none_or(|spec| matches!(spec.body, BodyRule::Open { .. }));
            for (_, argument) in body.arguments.charged(1) {
                self.hidden(body.block, argument);
                if is_native && is_open && argument.spec.is_none() {
                    self.may_be_block(body.block, argument);
                }
            }
            for nested in body.blocks.charged(2) {
                self.block(nested, is_native);
            }
        });
    }

    fn hidden(&mut self, block: &Block<'_>, argument: &Argument<'_>) {
        for replaced in argument.previous.newest_first().charged(1) {
            self.known.entry(replaced.range.source).or_default().push(replaced.range.range());
        }
        if !self.redaction.hides_argument(argument) {
            return;
        }
        self.known.entry(argument.range.source).or_default().push(argument.range.range());
        let name = block.labels.first().map_or("", |label| label.text);
        self.hidden.push(|| {
            let detail = if self.redaction.leaves_out(argument) {
                format!("The default of the variable {name:?} is left out of `config` because it is sensitive. The files are not changed by this; loaded from `config`, the variable is required.")
            } else {
                format!("The argument {:?} of {name:?} is written without the values in it because they are sensitive.", argument.name)
            };
            Diagnostic::ours(&codes::VALUE_HIDDEN, argument.name_span, detail)
        });
    }

    /// Notes hidden parts of the primary files that are no arguments of the module.
    fn rest_of_files(&mut self) {
        for file in &self.folding.files {
            let known = self.known.entry(file.source).or_default();
            known.charged_sort_by_key(4, |range| range.start);
            let damaged = self.report.forest.sources.get(file.source).is_some_and(|source| source.damaged);
            for cut in self.redaction.masks(file.source).cuts(TextRange::new(0, u32::MAX)).charged(1) {
                let behind = known.partition_point(|range| range.start <= cut.range.start);
                let around = behind.checked_sub(1).and_then(|at| known.get(at));
                if around.is_some_and(|range| cut.range.end <= range.end) {
                    continue;
                }
                self.hidden.push(|| {
                    let detail = if damaged {
                        "The file has a syntax error, so it is not certain which text is sensitive. All text that might be is hidden in `config`."
                    } else {
                        "Text that might be sensitive is hidden in `config`."
                    };
                    Diagnostic::ours(&codes::VALUE_HIDDEN, cut.range.in_source(file.source), detail)
                });
            }
        }
    }

    fn may_be_block(&mut self, block: &Block<'_>, argument: &Argument<'_>) {
        let ExprAt::Json(source, node) = argument.expr else { return };
        let Some(tree) = self.report.forest.json(source) else { return };
        if block.spec.is_none() && block.keyword == DYNAMIC {
            if argument.name == CONTENT {
                // Of a block that generates others, only the content is a body.
                for inner in blocks_of_property(self.report.forest, argument) {
                    for argument in inner.arguments {
                        self.may_be_block(&inner, argument);
                    }
                }
            }
            return;
        }
        if looks_like_blocks(tree, node) {
            let detail = || {
                format!(
                    "The property {:?} of a JSON file is written as an argument, since nothing in the module shows whether it is a block. If the provider defines it as a block, it is rejected in native syntax; use the form `tf-json`, or a block of this type in a file in native syntax.",
                    argument.name
                )
            };
            self.blocks.push(|| Diagnostic::ours(&codes::MAY_BE_BLOCK, argument.name_span, detail()));
        }
    }
}

/// The kind of block whose open content consists of arguments only.
const MODULE: &str = "module";
const DYNAMIC: &str = "dynamic";
const CONTENT: &str = "content";

/// Whether a value may be the body of a block, or a list of bodies.
fn looks_like_blocks(tree: &JsonTree, node: Id<JsonNode>) -> bool {
    let is_body = |id: Id<JsonNode>| matches!(tree.node(id).kind, JsonKind::Object { .. });
    match tree.node(node).kind {
        JsonKind::Object { .. } => true,
        JsonKind::Array { items, .. } => {
            let items = tree.list(items);
            !items.is_empty() && items.iter().charged_at_once(1).all(|&item| is_body(item))
        }
        _ => false,
    }
}

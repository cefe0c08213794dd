//! Terraform's JSON configuration syntax: keys sorted, every block an array of bodies, so that the
//! tool loads it and gets the merged module.
//!
//! The shape never depends on the mix of blocks: a body is one object, a block type in it an array of bodies. Among
//! provisioners the order counts whatever their kinds, so they are always an array of `{kind: [body]}`. `arrangement`
//! keeps static and generated blocks of one type in order.

use foldhash::{HashMap, HashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::json::JsonWriter;
use super::super::objects::in_order;
use super::super::redaction::Redaction;
use super::arrangement::{Arrangement, is_dynamic};
use super::expr::Form;
use super::{expr, type_text};
use crate::config::{Argument, Block, Element, Payload, Variable, idle_repetition};
use crate::diag::{SourceId, Span};
use crate::dialect::{AddressRule, AttrKind, AttrMerge, AttrSpec, BlockSpec, Check, CheckRow, DialectSpec};
use crate::pipeline::Report;
use crate::syntax::json::JsonKind;
use crate::syntax::{ExprAt, Forest};
use crate::value::with_stack;

/// Nested blocks with a label among which the order counts.
const PROVISIONER: &str = "provisioner";
/// The block in which one of the arguments about repetition stands.
const LIFECYCLE: &str = "lifecycle";

/// Writes the whole module.
pub(in crate::output) fn write(json: &mut JsonWriter, report: &Report<'_>, redaction: &Redaction<'_>) {
    if report.dialect.reads_hcl1() {
        super::unfolding::write(json, report, redaction);
        return;
    }
    let writer = Writer::new(report, redaction);
    if let Some(blocks) = &report.content {
        writer.list(json, blocks);
        return;
    }
    let mut top: BTreeMap<&str, Vec<&Element<'_>>> = BTreeMap::new();
    for element in report.module.elements.iter().filter(|element| !redaction.hides_labels(&element.block)) {
        match place(report.dialect, element) {
            Place::Top(keyword) if !writer.scoped.contains(element.address.0) => {
                top.entry(keyword).or_default().push(element);
            }
            Place::Inside(holder) => top.entry(holder).or_default().push(element),
            Place::Top(_) => {}
        }
    }
    let experiments = writer.experiments.map(|(holder, _)| holder);
    if let Some(holder) = experiments {
        top.entry(holder).or_default();
    }
    json.object(|json| {
        for (keyword, elements) in top {
            json.key(keyword);
            if experiments == Some(keyword)
                || elements.iter().any(|element| matches!(place(report.dialect, element), Place::Inside(_)))
            {
                writer.holder(json, &elements);
            } else {
                writer.elements(json, &elements);
            }
        }
    });
}

/// Where an element is written.
enum Place {
    /// As a block of its own at the top.
    Top(&'static str),
    /// In a block at the top that only holds others (`terraform`).
    Inside(&'static str),
}

fn place(dialect: &DialectSpec, element: &Element<'_>) -> Place {
    let Some(spec) = element.block.spec else { return Place::Top(element.kind) };
    let is_it = |row: &BlockSpec| row.keyword == spec.keyword && row.address == spec.address;
    let holds = |row: &BlockSpec| {
        row.blocks.iter().any(is_it)
            || row.attrs.iter().any(|attr| matches!(attr.kind, AttrKind::RequiredVersion(row) if is_it(row)))
    };
    if dialect.blocks.iter().any(is_it) {
        return Place::Top(spec.keyword);
    }
    match dialect.blocks.iter().find(|row| row.address == AddressRule::None && holds(row)) {
        Some(holder) => Place::Inside(holder.keyword),
        None => Place::Top(spec.keyword),
    }
}

/// What a block holds that only holds others.
enum Inside<'a> {
    Elements(Vec<&'a Element<'a>>),
    Setting(&'a Argument<'a>),
    Experiments,
}

struct Writer<'a> {
    forest: &'a Forest,
    redaction: &'a Redaction<'a>,
    /// The block and the name of the argument that opts into experiments, where the module does.
    experiments: Option<(&'static str, &'static str)>,
    opted: &'a [Arc<str>],
    /// Defaults of variables as values, by the header of their block.
    held: BTreeMap<Span, &'a Variable<'a>>,
    /// Elements whose block stands inside another element's block, by address.
    inner: BTreeMap<&'a str, &'a Element<'a>>,
    /// Addresses in `inner` that are really there.
    scoped: BTreeSet<String>,
}

impl<'a> Writer<'a> {
    fn new(report: &'a Report<'a>, redaction: &'a Redaction<'a>) -> Self {
        let elements = &report.module.elements;
        let inside = || {
            let nested = elements.iter().flat_map(|outer| outer.block.blocks.iter().map(move |inner| (outer, inner)));
            nested.filter_map(|(outer, inner)| Some((outer, own_address(inner)?)))
        };
        // Few modules hold one object inside another.
        let by_address: BTreeMap<&str, &Element<'_>> = match inside().next() {
            Some(_) => elements.iter().map(|element| (element.address.0, element)).collect(),
            None => BTreeMap::new(),
        };
        // What an override made of an object can be more than its place allows: then it stands by itself.
        let scoped: BTreeSet<String> = inside()
            .filter(|(outer, address)| {
                let plain = outer.block.spec.is_some_and(|row| row.checks(Check::ScopedDataIsPlain));
                !plain || by_address.get(&**address).is_none_or(|element| is_plain(&element.block))
            })
            .map(|(_, address)| address)
            .collect();
        let inner =
            scoped.iter().filter_map(|address| by_address.get_key_value(&**address)).map(|(k, v)| (*k, *v)).collect();
        let experiments = report.dialect.blocks.iter().find_map(|row| {
            let attr = row.attrs.iter().find(|attr| matches!(attr.kind, AttrKind::Experiments(..)))?;
            Some((row.keyword, attr.name))
        });
        let opted = &report.experiments;
        let experiments = experiments.filter(|_| !opted.is_empty());
        let held = elements.iter().filter_map(|element| match &element.payload {
            Payload::Variable(variable) if !element.block.overridden.is_empty() => {
                Some((element.block.header, &**variable))
            }
            _ => None,
        });
        Self { forest: report.forest, redaction, experiments, opted, held: held.collect(), inner, scoped }
    }

    /// A module that is a list of blocks. Blocks of one header stand one after another.
    fn list(&self, json: &mut JsonWriter, blocks: &[Block<'_>]) {
        let mut top: BTreeMap<&str, Vec<&Block<'_>>> = BTreeMap::new();
        for block in blocks.iter().filter(|block| !self.redaction.hides_labels(block)) {
            top.entry(block.keyword).or_default().push(block);
        }
        json.object(|json| {
            for (keyword, mut blocks) in top {
                json.key(keyword);
                blocks.sort_by(|a, b| label_texts(a).cmp(label_texts(b)));
                self.by_labels(json, &blocks, 0, Surroundings::EXPRESSIONS);
            }
        });
    }

    /// The value of a top-level key: elements grouped by their labels, or one body of arguments.
    fn elements(&self, json: &mut JsonWriter, elements: &[&Element<'_>]) {
        if let Some(prefix) = elements.iter().find_map(|element| argument_prefix(element)) {
            return json.array(|json| self.named_arguments(json, elements, prefix));
        }
        let mut blocks: Vec<&Block<'_>> = elements.iter().map(|element| &element.block).collect();
        blocks.sort_by(|a, b| label_texts(a).cmp(label_texts(b)));
        self.by_labels(json, &blocks, 0, Surroundings::EXPRESSIONS);
    }

    /// One body whose arguments are elements: `locals`, `required_providers`.
    fn named_arguments(&self, json: &mut JsonWriter, elements: &[&Element<'_>], prefix: &str) {
        let sorted: BTreeMap<&str, &Element<'_>> =
            elements.iter().filter_map(|element| Some((element.address.0.strip_prefix(prefix)?, *element))).collect();
        json.object(|json| {
            for (name, element) in sorted {
                json.key(name);
                let around = Surroundings::of(&element.block, Surroundings::EXPRESSIONS);
                match element.block.arguments.as_slice() {
                    [value] if value.name == "value" => self.argument(json, value, around),
                    _ => self.body(json, &element.block, around),
                }
            }
        });
    }

    /// The value of a block that only holds others. A setting that is given several times takes a block each.
    fn holder(&self, json: &mut JsonWriter, elements: &[&Element<'_>]) {
        let mut settings: Vec<&Argument<'_>> = Vec::new();
        let mut inside: BTreeMap<&str, Vec<&Element<'_>>> = BTreeMap::new();
        for &element in elements {
            let keyword = element.block.spec.map_or(element.kind, |spec| spec.keyword);
            if element.block.arguments.first().is_some_and(is_setting) {
                settings.extend(&element.block.arguments);
            } else {
                inside.entry(keyword).or_default().push(element);
            }
        }
        let mut settings = settings.into_iter();
        let first = settings.next();
        let mut keys: BTreeMap<&str, Inside<'_>> =
            inside.into_iter().map(|(keyword, elements)| (keyword, Inside::Elements(elements))).collect();
        if let Some(setting) = first {
            keys.insert(setting.name, Inside::Setting(setting));
        }
        if let Some((_, name)) = self.experiments {
            keys.insert(name, Inside::Experiments);
        }
        let around = Surroundings { form: Form::Literal, ..Surroundings::EXPRESSIONS };
        json.array(|json| {
            json.object(|json| {
                for (key, inside) in keys {
                    json.key(key);
                    match inside {
                        Inside::Elements(elements) => self.elements(json, &elements),
                        Inside::Setting(setting) => self.argument(json, setting, around),
                        Inside::Experiments => json.array(|json| self.opted.iter().for_each(|name| json.str(name))),
                    }
                }
            });
            for setting in settings {
                json.object(|json| {
                    json.key(setting.name);
                    self.argument(json, setting, around);
                });
            }
        });
    }

    /// Bodies under nested objects, one level a label. `blocks` are sorted by their labels from `depth` on.
    fn by_labels(&self, json: &mut JsonWriter, blocks: &[&Block<'_>], depth: usize, around: Surroundings) {
        /// No type of block has more labels; what comes after that many is left out.
        const MOST: usize = 100;
        if depth == MOST || blocks.iter().all(|block| block.labels.len() <= depth) {
            return json.array(|json| {
                for block in blocks {
                    self.body(json, block, around);
                }
            });
        }
        json.object(|json| {
            let mut rest = blocks;
            while let Some(name) = rest.first().map(|block| label_at(block, depth)) {
                let same = rest.iter().take_while(|block| label_at(block, depth) == name).count();
                let (group, others) = rest.split_at(same);
                json.key(name);
                self.by_labels(json, group, depth + 1, around);
                rest = others;
            }
        });
    }

    /// One block's body.
    fn body(&self, json: &mut JsonWriter, block: &Block<'_>, around: Surroundings) {
        with_stack(|| self.body_here(json, block, around));
    }

    fn body_here(&self, json: &mut JsonWriter, block: &Block<'_>, around: Surroundings) {
        let inner = if self.inner.is_empty() { None } else { own_address(block) };
        let block = inner.and_then(|address| self.inner.get(&*address)).map_or(block, |element| &element.block);
        let idle = idle_repetition(block);
        let mut arguments = effective(block, if block.keyword == LIFECYCLE { around.idle } else { idle });
        arguments.retain(|(_, argument)| !self.redaction.hides_text(argument.name_span));
        let around = Surroundings { idle, ..Surroundings::of(block, around) };
        let mut blocks = in_order(block);
        blocks.retain(|nested| own_address(nested).is_none_or(|address| self.scoped.contains(&address)));
        blocks.retain(|nested| !self.redaction.hides_text(nested.header));
        one_form_each(block, &mut arguments, &mut blocks);
        let arrangement = Arrangement::of(&arguments, &blocks);
        let all = Members { said: self.said(block), arguments, escaped: &block.escaped, blocks, arrangement };
        json.object(|json| self.members(json, &all, around));
    }

    /// Arguments and nested blocks, keys sorted.
    fn members(&self, json: &mut JsonWriter, members: &Members<'_>, around: Surroundings) {
        let mut keys: Vec<(&str, Member<'_>)> = Vec::with_capacity(
            members.arguments.len() + members.blocks.len() + usize::from(!members.escaped.is_empty()),
        );
        if !members.escaped.is_empty() {
            keys.push(("_", Member::Escaped));
        }
        keys.extend(members.arguments.iter().map(|&(name, argument)| (name, Member::Argument(argument))));
        for (at, &nested) in members.blocks.iter().enumerate() {
            let (key, made) = members.arrangement.place(at, nested);
            keys.push((key, Member::Block(made, nested)));
        }
        // Stable: blocks of one key keep their order, and stand behind an argument of that name, which hides them.
        keys.sort_by(|(a, _), (b, _)| members.arrangement.compare(a, b));
        let hidden: Vec<&str> = members
            .arguments
            .iter()
            .filter(|(name, argument)| !members.said.contains_key(name) && self.hides(argument))
            .map(|(name, _)| *name)
            .collect();
        if !hidden.is_empty() {
            // A comment in this syntax: the tools pass over it.
            json.member("//", &format!("redacted: {}", hidden.join(", ")));
        }
        for group in keys.chunk_by(|(a, _), (b, _)| a == b) {
            let Some(&(name, member)) = group.first() else { continue };
            json.key(name);
            match member {
                Member::Argument(argument) => match members.said.get(name) {
                    Some(Said::Text(text)) => json.str(text),
                    Some(Said::Json(value)) => json.raw(value),
                    // Of a JSON file; in a block that generates others this is a block.
                    None if around.dynamic && name == "content" && self.is_json_object(argument) => {
                        json.array(|json| self.argument(json, argument, around));
                    }
                    None => self.argument(json, argument, around),
                },
                Member::Block(..) => {
                    let blocks = group.iter().filter_map(|&(_, member)| match member {
                        Member::Block(made, block) => Some((made, block)),
                        Member::Argument(_) | Member::Escaped => None,
                    });
                    self.blocks(json, name, blocks.collect(), around);
                }
                Member::Escaped => json.array(|json| {
                    let arguments = members.escaped.iter().map(|argument| (argument.name, argument)).collect();
                    let inside = Members { arguments, ..Members::default() };
                    json.object(|json| self.members(json, &inside, around));
                }),
            }
        }
    }

    /// The blocks of one key, each with the type that it makes where it stands for a generated one.
    fn blocks(
        &self,
        json: &mut JsonWriter,
        key: &str,
        mut blocks: Vec<(Option<&str>, &Block<'_>)>,
        around: Surroundings,
    ) {
        if key == PROVISIONER {
            return json.array(|json| blocks.iter().for_each(|(_, block)| self.by_labels(json, &[block], 0, around)));
        }
        if blocks.iter().all(|(made, _)| made.is_none()) {
            let mut blocks: Vec<&Block<'_>> = blocks.into_iter().map(|(_, block)| block).collect();
            blocks.sort_by(|a, b| label_texts(a).cmp(label_texts(b)));
            return self.by_labels(json, &blocks, 0, around);
        }
        let kind =
            |&(made, block): &(Option<&str>, &Block<'_>)| made.unwrap_or_else(|| label_at(block, 0)).to_owned();
        blocks.sort_by_cached_key(kind);
        json.object(|json| {
            for group in blocks.chunk_by(|a, b| kind(a) == kind(b)) {
                json.key(&group.first().map(kind).unwrap_or_default());
                json.array(|json| {
                    for &(made, block) in group {
                        match made {
                            Some(_) => self.generated_once(json, block, around),
                            None => self.body(json, block, around),
                        }
                    }
                });
            }
        });
    }

    /// A block as the one that a generating block makes from a single element.
    fn generated_once(&self, json: &mut JsonWriter, block: &Block<'_>, around: Surroundings) {
        json.object(|json| {
            json.key("content");
            json.array(|json| self.body(json, block, around));
            json.key("for_each");
            json.array(|json| json.bool(true));
            // No reference begins with this name, so that none inside changes its meaning.
            json.member("iterator", "_");
            if !block.labels.is_empty() {
                json.key("labels");
                json.array(|json| label_texts(block).for_each(|label| json.str(label)));
            }
        });
    }

    fn said(&self, block: &Block<'_>) -> BTreeMap<&'static str, Said> {
        let mut said = BTreeMap::new();
        if block.overridden.is_empty() && !block.arguments.iter().any(|argument| self.hides(argument)) {
            return said;
        }
        for argument in &block.arguments {
            let Some(spec) = argument.spec else { continue };
            if self.hides(argument) {
                // The type itself is no secret, the defaults in it are.
                if matches!(spec.kind, AttrKind::TypeConstraint(_))
                    && !self.redaction.hides_damaged(argument.range)
                    && let Some(text) = type_text::without_defaults(self.forest, argument)
                {
                    said.insert(spec.name, Said::Text(text));
                }
                continue;
            }
            if spec.merge == AttrMerge::VariableType
                && let Some(text) = type_text::merged(self.forest, block, argument)
            {
                said.insert(spec.name, Said::Text(text));
            }
            // Every override may have converted it, each step from where the last one ended.
            if matches!(spec.kind, AttrKind::Default)
                && let Some(value) =
                    self.held.get(&block.header).and_then(|variable| variable.default()?.to_json().ok())
            {
                said.insert(spec.name, Said::Json(value));
            }
        }
        said
    }

    /// Whether an argument, or what it replaced and still counts in part, holds a secret.
    fn hides(&self, argument: &Argument<'_>) -> bool {
        let all = argument.overrode.iter().chain([argument]);
        all.into_iter().any(|argument| self.redaction.hides_expression(argument.expr))
    }

    fn is_json_object(&self, argument: &Argument<'_>) -> bool {
        let ExprAt::Json(source, id) = argument.expr else { return false };
        self.forest.json(source).is_some_and(|tree| matches!(tree.node(id).kind, JsonKind::Object { .. }))
    }

    fn argument(&self, json: &mut JsonWriter, argument: &Argument<'_>, around: Surroundings) {
        if self.hides(argument) {
            json.null();
            return;
        }
        // Where an expansion has bound a value, its names mean nothing outside of its step.
        let bound = argument.value.as_deref().filter(|value| !self.redaction.hides_value(value));
        if let Some(value) = bound.and_then(expr::template_json) {
            json.raw(&value);
            return;
        }
        expr::write(json, self.forest, argument.expr, around.form(argument));
    }
}

/// What stands in one body.
#[derive(Default)]
struct Members<'a> {
    /// Arguments whose merged value is not that of one expression.
    said: BTreeMap<&'static str, Said>,
    arguments: Vec<(&'a str, &'a Argument<'a>)>,
    escaped: &'a [Argument<'a>],
    blocks: Vec<&'a Block<'a>>,
    arrangement: Arrangement<'a>,
}

/// A merged value, ready to be written.
enum Said {
    /// Bare text.
    Text(String),
    /// A JSON value.
    Json(String),
}

#[derive(Clone, Copy)]
enum Member<'a> {
    Argument(&'a Argument<'a>),
    /// With the type that it makes, where it is written as a generated one.
    Block(Option<&'a str>, &'a Block<'a>),
    Escaped,
}

/// How the arguments of a body are read where no row says it.
#[derive(Clone, Copy)]
struct Surroundings {
    form: Form,
    /// The body of a `dynamic` block: its `iterator` is a bare name.
    dynamic: bool,
    /// The requirement of a provider: its `configuration_aliases` are references.
    requirement: bool,
    /// What the block around says about repetition and does not take effect.
    idle: &'static [&'static str],
}

impl Surroundings {
    /// Where nothing is said: a body of expressions.
    const EXPRESSIONS: Self = Self { form: Form::Template, dynamic: false, requirement: false, idle: &[] };

    fn of(block: &Block<'_>, around: Self) -> Self {
        match block.spec {
            Some(spec) if spec.constant => {
                let is_requirement = |row: &CheckRow| matches!(row.check, Check::EntriesAreRequirements { .. });
                let requirement = spec.checks.iter().any(is_requirement);
                Self { form: Form::Literal, requirement, ..Self::EXPRESSIONS }
            }
            Some(_) => Self::EXPRESSIONS,
            None => Self { dynamic: is_dynamic(block), ..around },
        }
    }

    fn form(self, argument: &Argument<'_>) -> Form {
        match argument.spec {
            Some(spec) => form_of(spec),
            None if self.dynamic && argument.name == "iterator" => Form::Bare,
            None if self.requirement && argument.name == "configuration_aliases" => Form::Bare,
            None => self.form,
        }
    }
}

fn form_of(spec: &AttrSpec) -> Form {
    if spec.bare_in_json() {
        Form::Bare
    } else if spec.constant_in_json() {
        Form::Literal
    } else {
        Form::Template
    }
}

/// The arguments that take effect, with the names under which they are written. An override may add what one block may
/// not hold side by side: several kinds of repetition (`idle` are those without effect).
fn effective<'b>(block: &'b Block<'b>, idle: &[&str]) -> Vec<(&'b str, &'b Argument<'b>)> {
    let mut arguments: Vec<(&str, &Argument<'_>)> = Vec::with_capacity(block.arguments.len());
    for argument in &block.arguments {
        if argument.spec.is_some() && idle.contains(&argument.name) {
            continue;
        }
        arguments.push((argument.spec.map_or(argument.name, |spec| spec.name), argument));
    }
    arguments.sort_by_key(|(name, _)| *name);
    // Of those of one name the last one counts.
    arguments.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 = later.1;
        }
        same
    });
    arguments
}

/// Keeps one of an argument and the blocks of one name, which an override can bring together: the later one, and of one
/// file the blocks. Which of them the tool takes depends on the provider's schema (`checks::merged` notes it).
fn one_form_each<'b>(
    block: &'b Block<'b>,
    arguments: &mut Vec<(&'b str, &'b Argument<'b>)>,
    blocks: &mut Vec<&'b Block<'b>>,
) {
    let is_argument = |name: &str| arguments.binary_search_by_key(&name, |(name, _)| name).is_ok();
    if !blocks.iter().any(|nested| nested.spec.is_none() && is_argument(nested.keyword)) {
        return;
    }
    let mut blocks_of: HashMap<&str, SourceId> = HashMap::default();
    for nested in blocks.iter().filter(|nested| nested.spec.is_none()) {
        blocks_of.insert(nested.keyword, nested.header.source);
    }
    let order: HashMap<SourceId, usize> =
        block.overridden.iter().enumerate().map(|(at, header)| (header.source, at + 1)).collect();
    let step = |source: SourceId| order.get(&source).copied().unwrap_or_default();
    let mut gone: HashSet<&str> = HashSet::default();
    arguments.retain(|&(name, argument)| {
        let Some(&source) = blocks_of.get(name) else { return true };
        let later = step(argument.range.source) > step(source);
        if later {
            gone.insert(name);
        }
        later
    });
    blocks.retain(|nested| nested.spec.is_some() || !gone.contains(nested.keyword));
}

/// The address of a block inside another element that is an element itself (data sources of checks).
fn own_address(block: &Block<'_>) -> Option<String> {
    let AddressRule::Labels(prefix) = block.spec?.address else { return None };
    let labels: Vec<&str> = label_texts(block).collect();
    Some(format!("{prefix}{}", labels.join(".")))
}

/// Whether an object is neither repeated nor has a life of its own.
fn is_plain(block: &Block<'_>) -> bool {
    let repeated = block
        .arguments
        .iter()
        .any(|argument| argument.spec.is_some() && matches!(argument.name, "count" | "for_each"));
    !repeated && !block.blocks.iter().any(|inner| inner.spec.is_some_and(|row| row.keyword == "lifecycle"))
}

fn is_setting(argument: &Argument<'_>) -> bool {
    argument.spec.is_some_and(|spec| matches!(spec.kind, AttrKind::RequiredVersion(_)))
}

/// The prefix of the addresses of elements that are arguments of one block.
fn argument_prefix(element: &Element<'_>) -> Option<&'static str> {
    match element.block.spec?.address {
        AddressRule::EachArgument { prefix, .. } => Some(prefix),
        _ => None,
    }
}

fn label_texts<'b>(block: &'b Block<'b>) -> impl Iterator<Item = &'b str> {
    block.labels.iter().map(|label| label.text)
}

fn label_at<'b>(block: &'b Block<'b>, depth: usize) -> &'b str {
    block.labels.get(depth).map_or("", |label| label.text)
}

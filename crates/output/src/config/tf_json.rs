//! Writes Terraform's JSON configuration syntax, with sorted keys and every block as an array of bodies, so that the
//! tool loads it as the merged module.
//!
//! The shape never depends on which blocks occur together: a body is one object, and a block type in it an array of
//! bodies. The order of provisioners matters across types, so they are always an array of `{type: [body]}`.
//! `arrangement` keeps static and generated blocks of one type in order.

use std::collections::BTreeMap;

use foldhash::HashMap;
use smallvec::SmallVec;

use super::super::json::JsonWriter;
use super::super::redaction::Redaction;
use super::arrangement::{Arrangement, generated_type, is_dynamic};
use super::expr::Form;
use super::locator::{Locator, Pointers};
use super::sink::{ArgumentOrigin, ArgumentValue, ConfigSink};
use super::{DYNAMIC, type_text};
use overfold_base::account::{self, List};
use overfold_base::diag::Span;
use overfold_dialect::{AttrKind, AttrSpec};
use overfold_model::config::effective::{
    ContainerBlock, EffectiveBody, EffectiveValue, NamedArguments, Object, Section, SectionContent,
};
use overfold_model::config::{Argument, Block, Blocks, ESCAPE, EffectiveConfig, Element};
use overfold_module::pipeline::Report;
use overfold_syntax::json::JsonKind;
use overfold_syntax::{ExprAt, Forest};
use overfold_value::with_stack;

/// The labelled nested blocks whose order matters across labels.
const PROVISIONER: &str = "provisioner";

/// Walks the whole module.
pub(crate) fn walk<'a, S: ConfigSink<'a>>(sink: &mut S, report: &'a Report<'a>, redaction: &Redaction<'_>) {
    let config = EffectiveConfig::from_module(&report.module, report.dialect, &report.experiments);
    walk_selected(sink, report, redaction, &config, |_| true);
}

/// Walks the whole module, writes it if `json` is given, and returns where each of its parts is.
pub(crate) fn locate(json: Option<&mut JsonWriter>, report: &Report<'_>, redaction: &Redaction<'_>) -> Pointers {
    let mut locator = Locator::new(json);
    walk(&mut locator, report, redaction);
    locator.finish()
}

/// Walks the objects whose block satisfies `shown`.
pub(super) fn walk_selected<'a, S: ConfigSink<'a>>(
    sink: &mut S,
    report: &'a Report<'a>,
    redaction: &Redaction<'_>,
    config: &EffectiveConfig<'a>,
    shown: impl Fn(&Block<'_>) -> bool,
) {
    let sections = config.sections(|block| shown(block) && !redaction.hides_labels(block));
    if report.dialect.reads_hcl1() {
        super::unfolding::walk(sink, report, redaction, sections);
        return;
    }
    let walker = Walker { forest: report.forest, redaction, config, compared: S::IS_COMPARED };
    sink.object(|sink| walker.sections(sink, &sections));
}

/// Writes the effective body of one object.
pub(super) fn write_body<'a>(
    json: &mut JsonWriter,
    report: &Report<'a>,
    redaction: &Redaction<'a>,
    config: &EffectiveConfig<'a>,
    block: &'a Block<'a>,
) {
    let walker = Walker { forest: report.forest, redaction, config, compared: false };
    walker.body(json, block, Surroundings::EXPRESSIONS);
}

/// Writes the value of an object that is an argument, and returns its name. `None` if the object is not an argument;
/// nothing is written then.
pub(super) fn write_entry<'a>(
    json: &mut JsonWriter,
    report: &Report<'a>,
    redaction: &Redaction<'a>,
    config: &EffectiveConfig<'a>,
    object: &Object<'a>,
) -> Option<&'a str> {
    let walker = Walker { forest: report.forest, redaction, config, compared: false };
    if let Some(part) = object.part {
        let setting = object.block.arguments.get(part)?;
        walker.argument(json, setting, Surroundings { form: Form::Literal, ..Surroundings::EXPRESSIONS });
        return Some(setting.name);
    }
    object.container?;
    walker.entry(json, object.block);
    Some(object.name)
}

/// Returns the address and the effective body of each object, sorted by address, and by order of declaration within one
/// address. A block inside an object that is an object itself appears both there and on its own.
pub(crate) fn each(report: &Report<'_>, redaction: &Redaction<'_>) -> Vec<(String, String)> {
    let config = EffectiveConfig::from_module(&report.module, report.dialect, &report.experiments);
    let walker = Walker { forest: report.forest, redaction, config: &config, compared: false };
    let mut objects = List::new();
    for element in report.module.elements.iter().filter(|element| !redaction.hides_labels(element.block)) {
        let mut json = JsonWriter::default();
        walker.body(&mut json, element.block, Surroundings::EXPRESSIONS);
        let Ok(body) = String::from_utf8(json.into_bytes()) else { continue };
        let address = element.address.to_string();
        account::touch(address.len());
        objects.push((address, body));
    }
    objects.sort_by(|(a, _), (b, _)| a.cmp(b));
    objects.into_vec()
}

struct Walker<'a, 'c> {
    forest: &'a Forest,
    redaction: &'c Redaction<'c>,
    config: &'c EffectiveConfig<'a>,
    /// As [`ConfigSink::IS_COMPARED`].
    compared: bool,
}

impl<'a> Walker<'a, '_> {
    fn sections<S: ConfigSink<'a>>(&self, sink: &mut S, sections: &[Section<'a>]) {
        for section in sections {
            sink.key(section.keyword);
            self.section(sink, &section.content);
        }
    }

    fn section<S: ConfigSink<'a>>(&self, sink: &mut S, content: &SectionContent<'a>) {
        match content {
            SectionContent::Blocks(_) | SectionContent::Listed(_) => {
                let blocks = content.blocks().unwrap_or_default();
                self.by_labels(sink, &blocks, 0, Surroundings::EXPRESSIONS);
            }
            SectionContent::Arguments(named) => sink.array(|sink| self.named_arguments(sink, named)),
            SectionContent::Holder(holder) => self.holder(sink, holder),
        }
    }

    /// Writes one body whose arguments are elements: `locals`, `required_providers`.
    fn named_arguments<S: ConfigSink<'a>>(&self, sink: &mut S, named: &[(&'a str, &'a Element<'a>)]) {
        sink.object(|sink| {
            for (name, element) in named {
                sink.key(name);
                sink.place(element.block.range);
                self.entry(sink, element.block);
            }
        });
    }

    /// Writes the value of an argument that is an element.
    fn entry<S: ConfigSink<'a>>(&self, sink: &mut S, block: &'a Block<'a>) {
        let around = Surroundings::of(block, Surroundings::EXPRESSIONS);
        match block.arguments {
            [value] if value.name == "value" => self.argument(sink, value, around),
            _ => self.body(sink, block, around),
        }
    }

    /// Writes the value of a block that only holds others. A setting with several values takes one block for each.
    fn holder<S: ConfigSink<'a>>(&self, sink: &mut S, holder: &ContainerBlock<'a>) {
        let around = Surroundings { form: Form::Literal, ..Surroundings::EXPRESSIONS };
        let mut settings = holder.settings.iter();
        let first = settings.next();
        let mut keys: Vec<(&str, Inside<'_, 'a>)> =
            holder.sections.iter().map(|section| (section.keyword, Inside::Section(&section.content))).collect();
        keys.extend(first.map(|setting| (setting.name, Inside::Setting(setting))));
        keys.extend(holder.experiments.map(|experiments| (experiments.name, Inside::Experiments)));
        keys.sort_by_key(|(key, _)| *key);
        sink.array(|sink| {
            sink.object(|sink| {
                for (key, inside) in keys {
                    sink.key(key);
                    match inside {
                        Inside::Section(content) => self.section(sink, content),
                        Inside::Setting(setting) => self.setting(sink, setting, around),
                        Inside::Experiments => {
                            let names = holder.experiments.map_or(&[][..], |experiments| experiments.opted);
                            sink.argument(self.forest, ArgumentOrigin::names, ArgumentValue::Names(names));
                        }
                    }
                }
            });
            for setting in settings {
                sink.object(|sink| {
                    sink.key(setting.name);
                    self.setting(sink, setting, around);
                });
            }
        });
    }

    fn setting<S: ConfigSink<'a>>(&self, sink: &mut S, setting: &'a Argument<'a>, around: Surroundings) {
        sink.place(setting.range);
        self.argument(sink, setting, around);
    }

    /// Writes bodies under nested objects, one level for each label. `blocks` are sorted by their labels from `depth`
    /// on.
    fn by_labels<S: ConfigSink<'a>>(
        &self,
        sink: &mut S,
        blocks: &[&'a Block<'a>],
        depth: usize,
        around: Surroundings,
    ) {
        /// No block type has more labels; any beyond this number are left out.
        const MAX: usize = 100;
        if depth == MAX || blocks.iter().all(|block| block.labels.len() <= depth) {
            return sink.array(|sink| {
                for block in blocks {
                    self.body(sink, block, around);
                }
            });
        }
        sink.object(|sink| {
            let mut rest = blocks;
            while let Some(name) = rest.first().map(|block| label_at(block, depth)) {
                let same = rest.iter().take_while(|block| label_at(block, depth) == name).count();
                let (group, others) = rest.split_at(same);
                sink.key(name);
                self.by_labels(sink, group, depth + 1, around);
                rest = others;
            }
        });
    }

    /// Writes the body of one block.
    fn body<S: ConfigSink<'a>>(&self, sink: &mut S, block: &'a Block<'a>, around: Surroundings) {
        with_stack(|| self.body_here(sink, block, around));
    }

    fn body_here<S: ConfigSink<'a>>(&self, sink: &mut S, block: &'a Block<'a>, around: Surroundings) {
        let EffectiveBody { block, mut arguments, mut blocks, idle } = self.config.body(block, around.idle);
        arguments.retain(|(_, argument)| !self.redaction.hides_text(argument.name_span));
        blocks.retain(|nested| !self.redaction.hides_text(nested.header));
        let around = Surroundings { idle, ..Surroundings::of(block, around) };
        let escaped = take_escaped(block, &mut arguments, &mut blocks);
        let arrangement = Arrangement::of(&arguments, &blocks);
        let all = Members { merged: self.merged_values(block), arguments, escaped, blocks, arrangement };
        sink.block(block);
        sink.object(|sink| self.members(sink, &all, around));
    }

    /// Writes arguments and nested blocks, with sorted keys.
    fn members<S: ConfigSink<'a>>(&self, sink: &mut S, members: &Members<'a>, around: Surroundings) {
        let mut keys: SmallVec<[(&str, Member<'_>); 8]> = SmallVec::with_capacity(
            members.arguments.len() + members.blocks.len() + usize::from(members.escaped.is_some()),
        );
        if members.escaped.is_some() {
            keys.push((ESCAPE, Member::Escaped));
        }
        let shown =
            members.arguments.iter().filter(|(_, argument)| self.compared || !self.redaction.leaves_out(argument));
        keys.extend(shown.map(|&(name, argument)| (name, Member::Argument(argument))));
        for (at, &nested) in members.blocks.iter().enumerate() {
            let (key, made) = members.arrangement.place(at, nested);
            keys.push((key, Member::Block(made, nested)));
        }
        // The sort is stable: blocks under one key keep their order and follow an argument of that name, which hides
        // them.
        keys.sort_by(|(a, _), (b, _)| members.arrangement.compare(a, b));
        let hidden: Vec<&str> = members
            .arguments
            .iter()
            .filter(|(name, argument)| !members.merged.contains_key(name) && self.hides(argument))
            .map(|(name, _)| *name)
            .collect();
        if !hidden.is_empty() {
            // A comment in this syntax: the tools ignore it.
            sink.key("//");
            sink.str(&format!("redacted: {}", hidden.join(", ")));
        }
        for group in keys.chunk_by(|(a, _), (b, _)| a == b) {
            let Some(&(name, member)) = group.first() else { continue };
            sink.key(name);
            if let Member::Argument(argument) = member {
                sink.place(argument.range);
            }
            match member {
                Member::Argument(argument) => match members.merged.get(name) {
                    Some(merged) => self.value(sink, argument, around, merged.clone()),
                    // From a JSON file; in a block that generates others this is a block.
                    None if around.dynamic && name == "content" && is_json_object(self.forest, argument) => {
                        sink.array(|sink| self.argument(sink, argument, around));
                    }
                    None => self.argument(sink, argument, around),
                },
                Member::Block(..) => {
                    let blocks = group.iter().filter_map(|&(_, member)| match member {
                        Member::Block(made, block) => Some((made, block)),
                        Member::Argument(_) | Member::Escaped => None,
                    });
                    self.blocks(sink, name, blocks.collect(), around);
                }
                Member::Escaped => sink.array(|sink| {
                    if let Some(inside) = &members.escaped {
                        sink.object(|sink| self.members(sink, inside, around));
                    }
                }),
            }
        }
    }

    /// Writes the blocks of one key; each has its type if it is written as a generated one.
    fn blocks<S: ConfigSink<'a>>(
        &self,
        sink: &mut S,
        key: &str,
        mut blocks: SmallVec<[(Option<&str>, &'a Block<'a>); 4]>,
        around: Surroundings,
    ) {
        if key == PROVISIONER {
            return sink.array(|sink| blocks.iter().for_each(|(_, block)| self.by_labels(sink, &[block], 0, around)));
        }
        if blocks.iter().all(|(made, _)| made.is_none()) {
            let mut blocks: SmallVec<[&'a Block<'a>; 4]> = blocks.into_iter().map(|(_, block)| block).collect();
            blocks.sort_by(|a, b| a.label_texts().cmp(b.label_texts()));
            return self.by_labels(sink, &blocks, 0, around);
        }
        let kind =
            |&(made, block): &(Option<&str>, &Block<'_>)| made.unwrap_or_else(|| label_at(block, 0)).to_owned();
        blocks.sort_by_cached_key(kind);
        sink.object(|sink| {
            for group in blocks.chunk_by(|a, b| kind(a) == kind(b)) {
                sink.key(&group.first().map(kind).unwrap_or_default());
                sink.array(|sink| {
                    for &(made, block) in group {
                        match made {
                            Some(_) => self.single_dynamic(sink, block, around),
                            None => self.body(sink, block, around),
                        }
                    }
                });
            }
        });
    }

    /// Writes a block as one that a `dynamic` block generates from a single element.
    fn single_dynamic<S: ConfigSink<'a>>(&self, sink: &mut S, block: &'a Block<'a>, around: Surroundings) {
        sink.object(|sink| {
            sink.key("content");
            sink.array(|sink| self.body(sink, block, around));
            sink.key("for_each");
            sink.array(|sink| sink.bool(true));
            // No reference begins with this name, so no reference inside changes its meaning.
            sink.key("iterator");
            sink.str("_");
            if !block.labels.is_empty() {
                sink.key("labels");
                sink.array(|sink| block.label_texts().for_each(|label| sink.str(label)));
            }
        });
    }

    fn merged_values(&self, block: &'a Block<'a>) -> BTreeMap<&'static str, ArgumentValue<'a>> {
        let mut merged = BTreeMap::new();
        if !block.is_overridden() && !block.arguments.iter().any(|argument| self.hides(argument)) {
            return merged;
        }
        for argument in block.arguments {
            let Some(spec) = argument.spec else { continue };
            if self.hides(argument) {
                // The type itself is not secret, but the defaults in it are.
                if matches!(spec.kind, AttrKind::TypeConstraint(_))
                    && !self.redaction.hides_damaged(argument.range)
                    && let Some(text) = type_text::without_defaults(self.forest, argument)
                {
                    merged.insert(spec.name, ArgumentValue::Text(text.into()));
                }
                continue;
            }
            let value = match self.config.effective_value(block, argument) {
                EffectiveValue::Itself => None,
                EffectiveValue::MergedType => {
                    type_text::merged(self.forest, block, argument).map(|text| ArgumentValue::Text(text.into()))
                }
                EffectiveValue::Default(variable) => {
                    variable.default().and_then(|default| ArgumentValue::known(default, Form::Literal))
                }
            };
            merged.extend(value.map(|value| (spec.name, value)));
        }
        merged
    }

    /// Whether an argument is left out because of a secret.
    fn hides(&self, argument: &Argument<'_>) -> bool {
        !self.compared && self.is_secret(argument)
    }

    /// Whether an argument, or one that it replaced and that is still partly in effect, contains a secret.
    fn is_secret(&self, argument: &Argument<'_>) -> bool {
        self.redaction.hides_argument(argument)
    }

    fn argument<S: ConfigSink<'a>>(&self, sink: &mut S, argument: &'a Argument<'a>, around: Surroundings) {
        // Once expansion has bound a value, the names in the expression mean nothing outside of its step.
        let bound = argument.value.filter(|value| self.compared || !self.redaction.hides_value(value));
        let value = if self.hides(argument) {
            ArgumentValue::Hidden
        } else if let Some(value) = bound.and_then(|value| ArgumentValue::known(value, Form::Template)) {
            value
        } else {
            ArgumentValue::Expression(argument.expr, around.form(argument))
        };
        self.value(sink, argument, around, value);
    }

    fn value<S: ConfigSink<'a>>(
        &self,
        sink: &mut S,
        argument: &Argument<'_>,
        around: Surroundings,
        value: ArgumentValue<'a>,
    ) {
        let origin = || ArgumentOrigin::of(argument, self.is_secret(argument), around.form(argument));
        sink.argument(self.forest, origin, value);
    }
}

/// The content of a block that only holds others.
enum Inside<'s, 'a> {
    Section(&'s SectionContent<'a>),
    Setting(&'a Argument<'a>),
    Experiments,
}

/// The content of one body.
#[derive(Default)]
struct Members<'a> {
    /// Arguments whose merged value is not that of a single expression.
    merged: BTreeMap<&'static str, ArgumentValue<'a>>,
    arguments: NamedArguments<'a>,
    /// The content of the escape block, if one is needed.
    escaped: Option<Box<Self>>,
    blocks: Blocks<'a, 'a>,
    arrangement: Arrangement<'a>,
}

#[derive(Clone, Copy)]
enum Member<'a> {
    Argument(&'a Argument<'a>),
    /// With its type, if it is written as a generated block.
    Block(Option<&'a str>, &'a Block<'a>),
    Escaped,
}

/// How the arguments of a body are read if no table row determines it.
#[derive(Clone, Copy)]
pub(super) struct Surroundings {
    pub(super) form: Form,
    /// Whether this is the body of a `dynamic` block, whose `iterator` is a bare name.
    pub(super) dynamic: bool,
    /// Whether this is the requirement of a provider, whose `configuration_aliases` are references.
    pub(super) requirement: bool,
    /// The repetition arguments of the enclosing block that take no effect.
    pub(super) idle: &'static [&'static str],
}

impl Surroundings {
    /// The default: a body of expressions.
    pub(super) const EXPRESSIONS: Self = Self { form: Form::Template, dynamic: false, requirement: false, idle: &[] };

    pub(super) fn of(block: &Block<'_>, around: Self) -> Self {
        match block.spec {
            Some(spec) if spec.constant => {
                let requirement = spec.traits.requirements_of.is_some();
                Self { form: Form::Literal, requirement, ..Self::EXPRESSIONS }
            }
            Some(_) => Self::EXPRESSIONS,
            None => Self { dynamic: is_dynamic(block), ..around },
        }
    }

    pub(super) fn form(self, argument: &Argument<'_>) -> Form {
        match argument.spec {
            Some(spec) => form_of(spec),
            None if self.dynamic && argument.name == "iterator" => Form::Bare,
            None if self.requirement && argument.name == "configuration_aliases" => Form::Bare,
            None => self.form,
        }
    }
}

/// Takes from the content of a block what must be written inside its escape block, if anything must.
fn take_escaped<'a>(
    block: &'a Block<'a>,
    arguments: &mut NamedArguments<'a>,
    blocks: &mut Blocks<'a, 'a>,
) -> Option<Box<Members<'a>>> {
    let mut inside = Members::default();
    // The types of which something is inside, and where that is if it is a property of a JSON file.
    let mut types: HashMap<&str, Option<Span>> = HashMap::default();
    inside.arguments.extend(block.escaped.iter().map(|argument| (argument.name, argument)));
    arguments.retain(|&mut (name, argument)| {
        let escapes = argument.spec.is_none() && block.must_escape(name);
        if escapes {
            inside.arguments.push((name, argument));
            if matches!(argument.expr, ExprAt::Json(..)) {
                types.insert(name, Some(argument.range));
            }
        }
        !escapes
    });
    if !types.is_empty() || blocks.iter().any(|nested| escapes(block, nested)) {
        // The tool appends the content of the escape block to the rest, so blocks that are generated after one inside
        // belong there as well.
        blocks.retain(|nested| {
            let escapes = escapes(block, nested);
            if escapes {
                types.insert(nested.keyword, None);
            }
            let follows = |at: &Option<Span>| {
                at.is_none_or(|at| at.source == nested.header.source && at.start < nested.header.start)
            };
            let moves = escapes || is_dynamic(nested) && types.get(generated_type(nested)).is_some_and(follows);
            if moves {
                inside.blocks.push(*nested);
            }
            !moves
        });
    }
    if inside.arguments.is_empty() && inside.blocks.is_empty() {
        return None;
    }
    inside.arguments.sort_by_key(|(name, _)| *name);
    inside.arrangement = Arrangement::of(&inside.arguments, &inside.blocks);
    Some(Box::new(inside))
}

/// Whether a nested block must be written inside the escape block.
pub(super) fn escapes(block: &Block<'_>, nested: &Block<'_>) -> bool {
    nested.spec.is_none() && nested.keyword != DYNAMIC && block.must_escape(nested.keyword)
}

/// Whether an argument is an object in a JSON file, and could be a block.
pub(super) fn is_json_object(forest: &Forest, argument: &Argument<'_>) -> bool {
    let ExprAt::Json(source, id) = argument.expr else { return false };
    forest.json(source).is_some_and(|tree| matches!(tree.node(id).kind, JsonKind::Object { .. }))
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

fn label_at<'b>(block: &'b Block<'b>, depth: usize) -> &'b str {
    block.labels.get(depth).map_or("", |label| label.text)
}

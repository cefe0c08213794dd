//! Where the resources and outputs of a plan come from, for a comparison with another plan: the places of what sets their
//! values, and what those that are not known depend on in the end.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::{FoundReference, LastPlace, Search};
use crate::planning::configuration::references::{ParsedReference, subject};
use crate::planning::module::UnplannedArguments;
use overfold_base::account;
use overfold_base::diag::SourceId;
use overfold_base::written::{shared, written};
use overfold_check::validate::instances::Instances;
use overfold_dialect::words;
use overfold_dialect::words::DYNAMIC;
use overfold_load::plan::{
    ModuleAddress, ModuleStep, Origins, PartOrigin, PlannedOutput, PlannedResource, ResourceOrigin, Source,
    UnplannedCall,
};
use overfold_model::config::{Argument, Block, ObjectAddr};
use overfold_model::language::references::{ResourceMode, Subject};
use overfold_syntax::ExprAt;
use overfold_value::with_stack;

/// The number of references of one expression up to which it is compared without them.
const MAX_REFERENCES: usize = 16;

/// What stands for a reference in an expression without them.
const REFERENCE: char = '\u{1}';

/// A resource: the container of its module, mode, type and name.
type ResourceKey<'r> = (usize, ResourceMode, &'r str, &'r str);

/// Returns the origins of resources, outputs and calls. The `moved` and `removed` blocks are not among them.
pub(in crate::planning) fn origins<'a>(
    instances: &Instances<'_, 'a>,
    resources: &[PlannedResource],
    outputs: &[PlannedOutput],
    calls: Vec<UnplannedArguments<'a>>,
) -> Origins {
    let mut reader = OriginReader { search: Search::new(instances), followed: HashMap::new() };
    let mut known: HashMap<ResourceKey<'_>, (bool, Arc<ResourceOrigin>)> = HashMap::new();
    let mut last = LastPlace::default();
    let nothing: Arc<ResourceOrigin> = Arc::default();
    let mut found = Vec::with_capacity(resources.len());
    for resource in resources {
        account::work(4);
        account::touch(resource.type_name.len() + resource.name.len());
        let Some(place) = last.find(&mut reader.search, &resource.module) else {
            found.push(Arc::clone(&nothing));
            continue;
        };
        let needs_skeleton = !resource.change.after.is_wholly_known();
        let (mode, type_name, name) = (resource.mode, &*resource.type_name, &*resource.name);
        let origin = match known.get(&(place, mode, type_name, name)) {
            Some((has_skeleton, origin)) if *has_skeleton || !needs_skeleton => Arc::clone(origin),
            _ => {
                let address = ObjectAddr::Resource { mode, type_name, name };
                let origin = Arc::new(reader.resource(place, address, needs_skeleton));
                known.insert((place, mode, type_name, name), (needs_skeleton, Arc::clone(&origin)));
                origin
            }
        };
        found.push(origin);
    }
    let outputs = outputs.iter().map(|output| reader.output(output)).collect();
    let mut last = LastPlace::default();
    let places: Vec<Option<usize>> = calls.iter().map(|call| last.find(&mut reader.search, &call.caller)).collect();
    let calls = calls.into_iter().zip(places).map(|(call, place)| reader.call(call, place)).collect();
    Origins { resources: found, outputs, calls, ..Origins::default() }
}

struct OriginReader<'s, 'w, 'a> {
    search: Search<'s, 'w, 'a>,
    /// What expressions that have been followed depend on, by container.
    followed: HashMap<(usize, ExprAt), Arc<[Source]>>,
}

/// What is the same for all parts of an object.
struct ObjectContext<'a> {
    container: usize,
    /// The address of the resource within its module, if it is one.
    resource: Option<Rc<str>>,
    block: &'a Block<'a>,
    needs_skeleton: bool,
}

impl<'a> OriginReader<'_, '_, 'a> {
    fn resource(&mut self, container: usize, address: ObjectAddr<'_>, needs_skeleton: bool) -> ResourceOrigin {
        let Some(block) = self.search.block(container, address) else { return ResourceOrigin::default() };
        let resource = Some(written(format_args!("{address}")).into());
        let context = ObjectContext { container, resource, block, needs_skeleton };
        let mut parts = Vec::new();
        self.body(&context, block, "", &mut parts);
        account::work(parts.len() as u64 * 8);
        parts.sort_by(|own, other| own.pointer.cmp(&other.pointer));
        ResourceOrigin { header: Some(block.header), parts }
    }

    fn call(&mut self, call: UnplannedArguments<'a>, place: Option<usize>) -> UnplannedCall {
        let UnplannedArguments { block, caller, step, arguments } = call;
        account::grow(((caller.0.len() + 1) * size_of::<ModuleStep>()) as u64);
        let address = ModuleAddress(caller.0.iter().cloned().chain([step]).collect());
        let needs_skeleton = place.is_some() && !arguments.is_wholly_known();
        let context = ObjectContext { container: place.unwrap_or_default(), resource: None, block, needs_skeleton };
        let mut parts = Vec::new();
        self.body(&context, block, "", &mut parts);
        let context = ObjectContext { needs_skeleton: false, ..context };
        for argument in [words::SOURCE_ARGUMENT, words::VERSION].into_iter().filter_map(|name| block.argument(name)) {
            let pointer = written(format_args!("/{}", argument.name));
            let part = self.argument(&context, argument, pointer);
            add(&mut parts, part);
        }
        account::work(parts.len() as u64 * 8);
        parts.sort_by(|own, other| own.pointer.cmp(&other.pointer));
        UnplannedCall { address, arguments, origin: ResourceOrigin { header: Some(block.header), parts } }
    }

    fn output(&mut self, output: &PlannedOutput) -> PartOrigin {
        let Some(block) = self.search.output_block(0, &output.name) else { return PartOrigin::unknown() };
        let needs_skeleton = !output.value.is_wholly_known();
        let context = ObjectContext { container: 0, resource: None, block, needs_skeleton };
        let value = block.arguments.iter().find(|argument| argument.name == words::VALUE);
        match value {
            Some(argument) => self.argument(&context, argument, String::new()),
            None => PartOrigin { span: Some(block.header), ..PartOrigin::unknown() },
        }
    }

    /// Adds the arguments and nested blocks of a body. What a dynamic block generates stands under its type alone, as do the
    /// blocks of that type beside it, whose positions are not known.
    fn body(&mut self, context: &ObjectContext<'a>, block: &Block<'a>, pointer: &str, parts: &mut Vec<PartOrigin>) {
        account::work(2 + block.arguments.len() as u64 * 4 + block.blocks.len() as u64 * 4);
        for argument in block.arguments.iter().filter(|argument| argument.spec.is_none()) {
            let pointer = written(format_args!("{pointer}/{}", escaped(argument.name)));
            let part = self.argument(context, argument, pointer);
            add(parts, part);
        }
        let type_of = |inner: &Block<'a>| match inner.labels.first() {
            Some(label) if inner.keyword == DYNAMIC => Some(label.text),
            _ => None,
        };
        let dynamic: HashSet<&str> = block.blocks.iter().filter_map(type_of).collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for inner in block.blocks.iter().filter(|inner| inner.spec.is_none()) {
            let keyword = type_of(inner).unwrap_or(inner.keyword);
            let count = counts.entry(keyword).or_default();
            let at = *count;
            *count += 1;
            let all = written(format_args!("{pointer}/{}", escaped(keyword)));
            if dynamic.contains(keyword) {
                let mut sources = BTreeSet::new();
                for expr in expressions(inner) {
                    sources.extend(self.sources(context, expr).iter().cloned());
                }
                let sources = sources.into_iter().collect();
                add(parts, PartOrigin { sources, ..block_origin(context, inner, all) });
                continue;
            }
            let one = written(format_args!("{all}/{at}"));
            if at == 0 {
                add(parts, block_origin(context, inner, all));
            }
            with_stack(|| self.body(context, inner, &one, parts));
            add(parts, block_origin(context, inner, one));
        }
    }

    fn argument(&mut self, context: &ObjectContext<'a>, argument: &Argument<'a>, pointer: String) -> PartOrigin {
        // What is known depends on variables, too.
        let sources = self.sources(context, argument.expr);
        let skeleton = context.needs_skeleton.then(|| self.skeleton(context.container, argument)).flatten();
        PartOrigin {
            pointer: pointer.into(),
            span: Some(argument.range),
            is_overridden: is_overridden(context.block, argument.range.source),
            sources,
            skeleton,
        }
    }

    /// Returns an expression without references and white space; `None` if there is nothing else.
    fn skeleton(&mut self, container: usize, argument: &Argument<'a>) -> Option<Arc<str>> {
        let references = self.search.read(container, argument.expr);
        let forest = self.search.walked(container)?.module.report.forest;
        let text = forest.sources.text(argument.range);
        account::touch(text.len() * 2);
        account::grow(text.len() as u64);
        let value = text.split_once(['=', ':']).map_or(&*text, |(_, value)| value);
        let mut text = with_brackets(&value.split_whitespace().collect::<String>());
        if references.len() > MAX_REFERENCES {
            return Some(text.into());
        }
        let mut names: Vec<&str> = references.iter().map(|reference| &*reference.text).collect();
        names.sort_unstable_by_key(|name| std::cmp::Reverse(name.len()));
        for name in names {
            account::touch(text.len());
            text = text.replace(name, REFERENCE.encode_utf8(&mut [0; 4]));
        }
        let bare = text.trim_matches('"');
        let bare = bare.strip_prefix("${").and_then(|bare| bare.strip_suffix('}')).unwrap_or(bare);
        (bare.strip_prefix(REFERENCE) != Some("")).then(|| text.into())
    }

    /// Returns what an expression depends on in the end.
    fn sources(&mut self, context: &ObjectContext<'a>, expr: ExprAt) -> Arc<[Source]> {
        if self.search.read(context.container, expr).is_empty() {
            return Arc::default();
        }
        if let Some(known) = self.followed.get(&(context.container, expr)) {
            return Arc::clone(known);
        }
        let mut found = BTreeSet::new();
        let mut seen: HashSet<(usize, ExprAt)> = HashSet::default();
        let mut open = vec![(context.container, context.resource.clone(), expr)];
        while let Some((container, resource, expr)) = open.pop() {
            account::work(4);
            if !seen.insert((container, expr)) {
                continue;
            }
            account::grow(64);
            for reference in self.search.read(container, expr).iter() {
                account::work(4);
                let next = self.next(container, resource.as_deref(), &reference.named);
                match next {
                    Some(next) => open.extend(next.into_iter().map(|(place, expr)| (place, None, expr))),
                    None => drop(found.insert(self.source(container, reference))),
                }
            }
        }
        let sources: Arc<[Source]> = found.into_iter().collect();
        account::grow(sources.len() as u64 * 64);
        self.followed.insert((context.container, expr), Arc::clone(&sources));
        sources
    }

    /// Returns the expressions to which a reference leads; `None` if it leads no further.
    fn next(
        &mut self,
        container: usize,
        resource: Option<&str>,
        reference: &ParsedReference<'a>,
    ) -> Option<Vec<(usize, ExprAt)>> {
        let search = &mut self.search;
        match &reference.subject {
            Subject::Variable(name) => search.argument_expr(container, name).map(|found| vec![found]),
            Subject::Local(name) => search.local_expr(container, name).map(|expr| vec![(container, expr)]),
            Subject::Module { name, key, output } => {
                let child = search.child(container, name, key.as_ref())?;
                let blocks = match output {
                    Some(output) => search.output_block(child, output).into_iter().collect::<Vec<_>>(),
                    None => search.output_blocks(child),
                };
                let values = blocks.iter().flat_map(|block| block.arguments.iter());
                let values = values.filter(|argument| argument.name == words::VALUE);
                Some(values.map(|argument| (child, argument.expr)).collect())
            }
            Subject::Count(_) | Subject::Each(_) => {
                let expr = resource.and_then(|resource| search.repetition_expr(container, resource));
                Some(expr.into_iter().map(|expr| (container, expr)).collect())
            }
            Subject::Path(_) | Subject::Terraform(_) | Subject::This | Subject::Caller => Some(Vec::new()),
            Subject::Resource { .. } => None,
        }
    }

    fn source(&self, container: usize, reference: &FoundReference<'a>) -> Source {
        let module = self.search.address(container).map_or("", |address| address);
        let dot = if module.is_empty() { "" } else { "." };
        // The call of a module may be moved, its outputs are not.
        let named = match &reference.named.subject {
            Subject::Module { name, key, .. } => {
                subject(&Subject::Module { name: name.clone(), key: key.clone(), output: None })
            }
            named => subject(named),
        };
        let steps = reference.text.strip_prefix(named.as_str()).unwrap_or_default();
        account::copy(steps.len());
        account::grow(64);
        Source { address: shared(format_args!("{module}{dot}{named}")), steps: steps.into() }
    }
}

/// Returns an expression with `[0]` in place of `.0`, as references have it, and `[*]` in place of `.*`.
fn with_brackets(text: &str) -> String {
    let mut pieces = text.split('.');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        account::work(1);
        let digits = |c: char| c.is_ascii_digit();
        let rest = piece.strip_prefix('*').unwrap_or_else(|| piece.trim_start_matches(digits));
        let digits = piece.strip_suffix(rest).unwrap_or_default();
        let is_index = !digits.is_empty() && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let (opening, closing) = if is_index { ("[", "]") } else { (".", "") };
        out.extend([opening, digits, closing, rest]);
    }
    out
}

fn add(parts: &mut Vec<PartOrigin>, part: PartOrigin) {
    account::grow(size_of::<PartOrigin>() as u64);
    account::push(parts, part);
}

fn block_origin(context: &ObjectContext<'_>, block: &Block<'_>, pointer: String) -> PartOrigin {
    let is_overridden = is_overridden(context.block, block.header.source);
    PartOrigin { pointer: pointer.into(), span: Some(block.header), is_overridden, ..PartOrigin::unknown() }
}

/// Whether what stands in a file was added to a block by an override file.
fn is_overridden(base: &Block<'_>, source: SourceId) -> bool {
    base.is_overridden() && source != base.header.source
}

/// Returns the expressions of a block and of all blocks in it.
fn expressions(block: &Block<'_>) -> Vec<ExprAt> {
    let mut found = Vec::new();
    let mut open = vec![block];
    while let Some(block) = open.pop() {
        account::work(2 + (block.arguments.len() + block.blocks.len()) as u64);
        for argument in block.arguments {
            account::push(&mut found, argument.expr);
        }
        for inner in block.blocks {
            account::push(&mut open, inner);
        }
    }
    found
}

/// Returns a name as a part of a JSON Pointer.
fn escaped(name: &str) -> String {
    account::touch(name.len());
    name.replace('~', "~0").replace('/', "~1")
}

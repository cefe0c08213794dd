//! A plan for people: the instances of each module, the outputs, and counts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::extent::verdict;
use super::super::plain::TextWriter;
use super::checks;
use super::missing;
use super::tree::ModuleNode;
use overfold_base::account::{self, ChargedIterator, ChargedSort, List};
use overfold_base::diag::{Secrecy, Span};
use overfold_base::echo;
use overfold_module::pipeline::Report;
use overfold_module::plan::{Action, CheckStatus, Missing, Plan, PlannedOutput, PlannedResource, module_remedy};
use overfold_value::{Kind, Marks, Value, with_stack};

/// The length from which on a value is cut, in bytes.
const MAX_VALUE: usize = 160;

/// Stands for a value that is known only when the plan is applied.
const UNKNOWN: &str = "(known after apply)";

/// Stands for a value that may not be shown, or before one that may.
const SENSITIVE: &str = "(sensitive)";

/// Returns the plan for people; a sentence if there is none. Diagnostics are not part of it.
pub fn plan_text(report: &Report<'_>) -> Vec<u8> {
    let mut out = TextWriter::default();
    let Some(plan) = &report.plan else {
        out.push(&verdict(report, None));
        out.push("; there is no plan\n");
        return out.into_bytes();
    };
    let shown = if report.reveal_sensitive { Secrecy::Sensitive } else { Secrecy::Open };
    let mut writer = Writer { out, report, values: ValueWriter { shown, most: MAX_VALUE } };
    writer.module(0, &ModuleNode::sorted_tree(&plan.resources, |resource| Some(&resource.change.after)));
    writer.outputs(plan);
    writer.checks(plan);
    writer.summary(plan);
    writer.out.into_bytes()
}

/// What is done with how many objects.
#[derive(Clone, Copy, Default)]
pub(super) struct Totals {
    create: usize,
    update: usize,
    replace: usize,
    read_later: usize,
    unchanged: usize,
    read: usize,
    outputs: usize,
}

impl Totals {
    pub(super) fn of(plan: &Plan) -> Self {
        let mut totals = Self { outputs: plan.outputs.len(), ..Self::default() };
        for resource in plan.resources.iter().charged(1) {
            *match resource.change.action {
                Action::Create => &mut totals.create,
                Action::Update => &mut totals.update,
                Action::Replace | Action::ReplaceAfterCreation => &mut totals.replace,
                Action::Read => &mut totals.read_later,
                Action::NoOp => &mut totals.unchanged,
                Action::AlreadyRead => &mut totals.read,
                Action::Open => continue,
            } += 1;
        }
        totals
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self {
            create: self.create + other.create,
            update: self.update + other.update,
            replace: self.replace + other.replace,
            read_later: self.read_later + other.read_later,
            unchanged: self.unchanged + other.unchanged,
            read: self.read + other.read,
            outputs: self.outputs + other.outputs,
        }
    }

    /// Says it in one line.
    pub(super) fn line(self) -> String {
        let counts = [
            (self.create, "to create"),
            (self.update, "to update"),
            (self.replace, "to replace"),
            (self.read_later, "to read"),
            (self.unchanged, "unchanged"),
            (self.read, "read"),
        ];
        let mut parts: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        if parts.is_empty() {
            parts.push("no resources".to_owned());
        }
        match self.outputs {
            0 => {}
            1 => parts.push("1 output".to_owned()),
            more => parts.push(format!("{more} outputs")),
        }
        parts.join(", ")
    }
}

struct Writer<'r> {
    out: TextWriter,
    report: &'r Report<'r>,
    values: ValueWriter,
}

/// Writes values in one line.
#[derive(Clone, Copy)]
struct ValueWriter {
    shown: Secrecy,
    /// The length from which on a value is cut, in bytes.
    most: usize,
}

/// Returns a value in one line. One that is longer than this is cut.
pub(crate) fn value_line(value: &Value, shown: Secrecy, most: usize) -> String {
    ValueWriter { shown, most }.line(value, None)
}

impl Writer<'_> {
    /// Writes a line that may quote names and values of the request.
    fn line(&mut self, depth: usize, text: &str) {
        account::touch(text.len());
        for _ in 0..depth {
            self.out.push("  ");
        }
        self.out.push(&echo::line(text));
        self.out.push("\n");
    }

    /// Writes the instances of a module, then the modules below it.
    fn module(&mut self, depth: usize, node: &ModuleNode<'_>) {
        for (address, resource, value) in &node.resources {
            self.resource(depth, address, resource, value);
        }
        for (name, child) in &node.children {
            self.line(depth, name);
            with_stack(|| self.module(depth + 1, child));
        }
    }

    fn resource(&mut self, depth: usize, address: &str, resource: &PlannedResource, value: &Value) {
        let mut head = format!("{address}: {}", word(resource.change.action));
        if let Some(reason) = resource.change.reason {
            let _ = write!(head, " ({})", reason.replace('_', " "));
        }
        if let Some(id) = &resource.change.importing {
            let _ = write!(head, ", imported as {}", self.value(id));
        }
        self.line(depth, &head);
        let overridden = self.overridden(resource);
        for (name, value) in value.entries().charged(4) {
            let needs = resource.needs.binary_search_by(|(own, _)| own.cmp(name)).ok();
            let needs = needs.and_then(|at| resource.needs.get(at)).map(|(_, needs)| &**needs);
            let mut line = format!("{name} = {}", self.value_needing(value, needs));
            let from = overridden.partition_point(|(argument, _)| *argument < &**name);
            if let Some((argument, place)) = overridden.get(from)
                && *argument == &**name
            {
                let _ = write!(line, "  # overridden in {place}");
            }
            self.line(depth + 1, &line);
        }
    }

    /// Returns the arguments of the body that an override file set, or set a part of, with one of the places, sorted by
    /// name.
    fn overridden<'p>(&self, resource: &'p PlannedResource) -> Vec<(&'p str, String)> {
        let mut found: List<(&str, String)> = List::new();
        for argument in resource.arguments.iter().filter(|argument| argument.overridden) {
            let name = argument.pointer.split('/').nth(1).unwrap_or_default();
            if found.last().is_none_or(|(last, _)| *last != name) {
                found.push((name, self.place(argument.span)));
            }
        }
        // The first place of a name stays first.
        found.charged_sort_by_key(8, |(name, _)| *name);
        found.into_vec()
    }

    /// Returns `FILE:LINE`.
    fn place(&self, span: Span) -> String {
        let sources = &self.report.forest.sources;
        format!("{}:{}", sources.name(span.source), sources.range(span).start.line)
    }

    fn outputs(&mut self, plan: &Plan) {
        if plan.outputs.is_empty() {
            return;
        }
        self.line(0, "outputs");
        for output in &plan.outputs {
            let value = self.output(output);
            self.line(1, &format!("{} = {value}", output.name));
        }
    }

    fn output(&self, output: &PlannedOutput) -> String {
        let declared = if output.sensitive { Marks::SENSITIVE } else { Marks::NONE };
        self.value_needing(&output.value.clone().with_marks(declared), output.needs.as_deref())
    }

    /// Writes what does not simply hold.
    fn checks(&mut self, plan: &Plan) {
        let mut found = plan.checks.iter().filter(|object| object.status != CheckStatus::Pass).peekable();
        if found.peek().is_none() {
            return;
        }
        self.line(0, "conditions");
        for object in found {
            self.line(1, &format!("{}: {}", object.display(), checks::status(object.status)));
            for message in object.instances.iter().flat_map(|instance| &instance.problems) {
                let message = self.value(message);
                self.line(2, &message);
            }
        }
    }

    fn summary(&mut self, plan: &Plan) {
        self.line(0, &Totals::of(plan).line());
        if plan.errored {
            self.line(0, "the plan is incomplete: there were errors while it was made");
        }
        let is_listed = |missing: &&Missing| !matches!(missing, Missing::Instances { .. });
        let mut listed = plan.missing.iter().filter(is_listed).peekable();
        if listed.peek().is_some() {
            self.line(0, "not exact; missing:");
            for missing in listed {
                let remedy = missing::remedy(missing).map_or_else(String::new, |remedy| format!("; {remedy}"));
                self.line(1, &format!("{}{remedy}", missing::sentence(missing)));
            }
        }
        self.left_out(plan);
    }

    /// Says what is left out, and what would have to be given: first because of modules, then because of instances that
    /// are not known.
    fn left_out(&mut self, plan: &Plan) {
        let tool = self.report.dialect.rules.references.tool_word.unwrap_or("terraform");
        let mut modules: BTreeMap<(bool, Option<&str>), Vec<&str>> = BTreeMap::new();
        let mut objects: BTreeMap<&str, (Vec<&str>, Vec<&str>)> = BTreeMap::new();
        for missing in plan.missing.iter().charged(8) {
            match missing {
                Missing::Module { address, source, is_found, .. } => {
                    modules.entry((*is_found, source.as_deref())).or_default().push(address);
                }
                Missing::Instances { address, needs, is_resource } => {
                    let (resources, calls) = objects.entry(needs).or_default();
                    if *is_resource { resources.push(address) } else { calls.push(address) }
                }
                _ => {}
            }
        }
        for ((is_found, source), calls) in modules {
            let what = format!("the resources of {} could not be planned", counted(calls.len(), "module"));
            let remedy =
                if is_found { "calls are not followed further".to_owned() } else { module_remedy(source, tool) };
            self.line(0, &format!("{what}: {}; {remedy}", some(&calls)));
        }
        for (needs, (resources, calls)) in objects {
            let (what, list) = match (resources.len(), calls.len()) {
                (0, count) => (counted(count, "module"), &calls),
                (count, 0) => (counted(count, "resource"), &resources),
                (count, calls) => {
                    (format!("{} and {}", counted(count, "resource"), counted(calls, "module")), &resources)
                }
            };
            self.line(0, &format!("{what} could not be planned: {}; needs {needs}", some(list)));
        }
    }

    /// Returns a value in one line, cut if it is long.
    fn value(&self, value: &Value) -> String {
        self.value_needing(value, None)
    }

    /// Returns a value in one line, cut if it is long. What is not known here needs what the words say.
    fn value_needing(&self, value: &Value, needs: Option<&str>) -> String {
        self.values.line(value, needs)
    }
}

impl ValueWriter {
    fn line(self, value: &Value, needs: Option<&str>) -> String {
        let mut out = String::new();
        self.push_value(value, needs, &mut out);
        if out.len() > self.most {
            out.truncate(out.floor_char_boundary(self.most));
            out.push('…');
        }
        account::touch(out.len());
        out
    }

    /// Appends a value, or enough of it to cut it. Every level writes at least a character, so the depth is limited.
    fn push_value(self, value: &Value, needs: Option<&str>, out: &mut String) {
        account::work(1);
        if out.len() > self.most {
            return;
        }
        if !value.marks().without(Marks::INEXACT.and(Marks::OPEN)).is_empty() {
            out.push_str(SENSITIVE);
            if value.marks().secrecy() > self.shown {
                return;
            }
            out.push(' ');
        }
        match value.kind() {
            Kind::Null(_) => out.push_str("null"),
            Kind::Unknown { .. } if value.marks().is_inexact() => match needs {
                Some(needs) => {
                    let _ = write!(out, "(not known here: needs {needs})");
                }
                None => out.push_str("(not known here)"),
            },
            Kind::Unknown { .. } => out.push_str(UNKNOWN),
            Kind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Kind::Number(number) => out.push_str(&number.to_text().unwrap_or_else(|_| "…".to_owned())),
            Kind::Text(text) => quote(text, self.most, out),
            Kind::List(sequence) | Kind::Set(sequence) | Kind::Tuple(sequence) => {
                out.push('[');
                for (index, item) in sequence.items().iter().enumerate() {
                    if out.len() > self.most {
                        return;
                    }
                    out.push_str(if index == 0 { "" } else { ", " });
                    self.push_value(item, needs, out);
                }
                out.push(']');
            }
            Kind::Map(mapping) | Kind::Object(mapping) => {
                out.push('{');
                for (index, (key, item)) in mapping.entries().iter().enumerate() {
                    if out.len() > self.most {
                        return;
                    }
                    out.push_str(if index == 0 { " " } else { ", " });
                    quote(key, self.most, out);
                    out.push_str(" = ");
                    self.push_value(item, needs, out);
                }
                out.push_str(if mapping.entries().is_empty() { "}" } else { " }" });
            }
        }
    }
}

/// Returns a number of things.
fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Returns the first of these, and how many more there are.
fn some(list: &[&str]) -> String {
    const SHOWN: usize = 5;
    let shown = list.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    account::touch(shown.len());
    if list.len() > SHOWN { format!("{shown} and {} more", list.len() - SHOWN) } else { shown }
}

/// Appends a text in quotes, or its beginning if it is long.
fn quote(text: &str, most: usize, out: &mut String) {
    overfold_value::json::write_text(echo::beginning(text, most + 1), out);
}

/// Returns what is done, in words.
const fn word(action: Action) -> &'static str {
    match action {
        Action::NoOp => "no change",
        Action::Create => "create",
        Action::Update => "update",
        Action::Replace | Action::ReplaceAfterCreation => "replace",
        Action::Read => "read when applied",
        Action::Open => "open",
        Action::AlreadyRead => "read",
    }
}

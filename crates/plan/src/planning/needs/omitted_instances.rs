//! What is left out of a plan because its instances are not known here, and why.

use std::collections::BTreeMap;
use std::sync::Arc;

use foldhash::HashMap;

use super::super::codes;
use super::super::walk::Walk;
use super::{Need, Needs, listed};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Quotes, Secrecy, Span};
pub(crate) use overfold_check::validate::nodes::NodeKind;
use overfold_load::plan::{Missing, ResourceMode, module_remedy};
use overfold_model::config::ObjectAddr;

/// The most places that a finding lists beside its own.
const MAX_RELATED: usize = 20;

/// The most entries of `missing` if something is left out because there would be too many instances.
const MAX_REFUSED: usize = 1000;

/// What is left out so far.
#[derive(Default)]
pub(in super::super) struct LeftOut<'a> {
    /// What the instances of a resource need: by the path of calls, the module instance, and the address.
    resources: HashMap<(usize, usize, ObjectAddr<'a>), Needs>,
    /// What the instances of a called module need: by its path of calls, and the calling instance.
    calls: HashMap<(usize, usize), Needs>,
    /// What is needed, and by what.
    causes: BTreeMap<Option<Need>, Cause>,
    /// The modules that are not there, by source and version; without a source, by address.
    modules: BTreeMap<AbsentModule, Calls>,
    /// The number of entries of `missing`.
    count: usize,
}

/// A module that is not there: its source, its version, and without a source the address of the call.
type AbsentModule = (Option<Arc<str>>, Option<Arc<str>>, Option<Arc<str>>);

/// What needs one thing that was not given.
struct Cause {
    /// The first `count` or `for_each`, and where it is.
    argument: Arc<str>,
    at: Span,
    /// The address of its object.
    address: Arc<str>,
    /// The number of others.
    others: usize,
    /// Some of the others.
    related: Vec<(Arc<str>, Span)>,
}

/// The calls of a module that is not there.
struct Calls {
    /// The address of the first, and where it is.
    address: Arc<str>,
    at: Span,
    /// What its source may show.
    secrecy: Secrecy,
    /// The number of others, and some of them.
    others: usize,
    related: Vec<(Arc<str>, Span)>,
}

/// A `count` or `for_each` whose value is not known here.
#[derive(Debug)]
pub(in super::super) struct Unknown {
    /// Its name.
    pub(in super::super) argument: Arc<str>,
    /// Its expression.
    pub(in super::super) at: Span,
    /// What it needs.
    pub(in super::super) needs: Needs,
}

impl<'a> LeftOut<'a> {
    /// Returns what the instances of a resource need, if they are left out.
    pub(super) fn of_resource(&self, path: usize, instance: usize, address: ObjectAddr<'a>) -> Option<&Needs> {
        self.resources.get(&(path, instance, address))
    }

    /// Returns what the instances of a called module need, if they are left out.
    pub(super) fn of_call(&self, child: usize, caller: usize) -> Option<&Needs> {
        self.calls.get(&(child, caller))
    }

    /// Notes a call of a module that is not there.
    pub(in super::super) fn note_module(
        &mut self,
        address: &Arc<str>,
        (source, version): (Option<&Arc<str>>, Option<&Arc<str>>),
        (at, secrecy): (Span, Secrecy),
    ) {
        account::build(8, 256);
        let own = if source.is_none() { Some(Arc::clone(address)) } else { None };
        match self.modules.get_mut(&(source.cloned(), version.cloned(), own.clone())) {
            Some(calls) => {
                calls.others += 1;
                calls.secrecy = calls.secrecy.max(secrecy);
                if calls.related.len() < MAX_RELATED {
                    calls.related.push((Arc::clone(address), at));
                }
            }
            None => {
                let calls = Calls { address: Arc::clone(address), at, secrecy, others: 0, related: Vec::new() };
                self.modules.insert((source.cloned(), version.cloned(), own), calls);
            }
        }
    }

    /// Notes an object and what it needs.
    fn note(&mut self, unknown: &Unknown, address: &Arc<str>) {
        let needs = unknown.needs.iter().cloned().map(Some);
        let needs: Vec<Option<Need>> = if unknown.needs.is_empty() { vec![None] } else { needs.collect() };
        for need in needs.charged(8) {
            account::grow(128 + need.as_ref().map_or(0, Need::size));
            match self.causes.get_mut(&need) {
                Some(cause) => {
                    cause.others += 1;
                    // Instances of one resource in several modules have one place.
                    let is_new =
                        cause.at != unknown.at && cause.related.last().is_none_or(|(_, at)| *at != unknown.at);
                    if is_new && cause.related.len() < MAX_RELATED {
                        cause.related.push((Arc::clone(address), unknown.at));
                    }
                }
                None => {
                    let (argument, address) = (Arc::clone(&unknown.argument), Arc::clone(address));
                    let cause = Cause { argument, at: unknown.at, address, others: 0, related: Vec::new() };
                    self.causes.insert(need, cause);
                }
            }
        }
    }
}

impl<'a> Walk<'_, '_, 'a> {
    /// Leaves the instances of a resource out of the plan.
    pub(in super::super) fn leave_out_resource(
        &mut self,
        (path, at): (usize, usize),
        resource: ObjectAddr<'a>,
        address: Arc<str>,
        unknown: &Unknown,
    ) {
        self.left_out.note(unknown, &address);
        self.left_out.resources.insert((path, at, resource), Needs::clone(&unknown.needs));
        let is_ephemeral = matches!(resource, ObjectAddr::Resource { mode: ResourceMode::Ephemeral, .. });
        if !is_ephemeral {
            self.miss(address, &listed(&unknown.needs, self.command()).into(), true);
        }
    }

    /// Leaves the instances of a called module out of the plan, with all that is in them.
    pub(in super::super) fn leave_out_call(
        &mut self,
        child: Option<usize>,
        at: usize,
        address: Arc<str>,
        unknown: &Unknown,
    ) {
        self.left_out.note(unknown, &address);
        let words: Arc<str> = listed(&unknown.needs, self.command()).into();
        self.miss(Arc::clone(&address), &words, false);
        let Some(child) = child else { return };
        self.left_out.calls.insert((child, at), Needs::clone(&unknown.needs));
        let mut open = vec![(child, address)];
        while let Some((path, prefix)) = open.pop() {
            let (Some(walked), Some(own)) = (self.walked(path), self.instances.list.get(path)) else { continue };
            for node in walked.nodes.iter().charged(4) {
                let ObjectAddr::Resource { mode: ResourceMode::Managed | ResourceMode::Data, .. } = node.address
                else {
                    continue;
                };
                if matches!(node.kind, NodeKind::Resource(_)) {
                    self.miss(format!("{prefix}.{}", node.address).into(), &words, true);
                }
            }
            for (call, child) in walked.module.calls.iter().zip(&own.called).charged(4) {
                if let Some(child) = child {
                    account::grow(prefix.len() as u64 + 64);
                    open.push((*child, format!("{prefix}.module.{}", call.call.name).into()));
                }
            }
        }
    }

    /// Notes an object that is left out because there would be too many instances.
    pub(in super::super) fn leave_out_for_limit(&mut self, address: Arc<str>, is_resource: bool) {
        if self.left_out.count < MAX_REFUSED {
            self.miss(address, &listed(&[Need::Limit], self.command()).into(), is_resource);
        }
    }

    /// Adds an object that is left out to what is missing. There are no more entries than there may be instances.
    fn miss(&mut self, address: Arc<str>, needs: &Arc<str>, is_resource: bool) {
        if self.left_out.count >= self.options.max_instances {
            return;
        }
        self.left_out.count += 1;
        account::grow(address.len() as u64 + size_of::<Missing>() as u64);
        self.missing.push(Missing::Instances { address, needs: Arc::clone(needs), is_resource });
    }

    /// The name of the tool's command.
    pub(in super::super) fn command(&self) -> &'static str {
        self.report.dialect.rules.references.tool_word.unwrap_or("terraform")
    }

    /// Reports what is left out: one finding for each thing that was not given.
    pub(in super::super) fn report_left_out(&mut self) {
        let (command, tool) = (self.command(), self.report.dialect.tool);
        self.report_modules(command);
        for (need, cause) in std::mem::take(&mut self.left_out.causes).charged(32) {
            let Cause { argument, at, address, others, related } = cause;
            let also = match others {
                0 => String::new(),
                1 => " and one other object".to_owned(),
                others => format!(" and {others} other objects"),
            };
            let detail = match need {
                None => format!(
                    "The instances of {address}{also} are not known here, because `{argument}` depends on something that was not given. {tool} may know them."
                ),
                Some(need) => {
                    let remedy = need.remedy(command).map_or_else(
                        || "No option says what it is.".to_owned(),
                        |remedy| format!("To plan them, {remedy}."),
                    );
                    format!(
                        "The instances of {address}{also} are not known here, because `{argument}` depends on {}: {}. {tool} may know them. {remedy}",
                        need.what(),
                        need.why(),
                    )
                }
            };
            let mut finding = Diagnostic::ours(&codes::NOT_KNOWN_HERE, at, detail).about(&*address);
            for (address, at) in related {
                finding = finding.and(format!("so do the instances of {address}"), at);
            }
            self.out.push(finding);
        }
    }

    /// Reports the modules that are not there: one finding for each source and version.
    fn report_modules(&mut self, command: &str) {
        for ((source, version, _), calls) in std::mem::take(&mut self.left_out.modules).charged(32) {
            let Calls { address, at, secrecy, others, related } = calls;
            let (also, verb) = match others {
                0 => (String::new(), "calls"),
                1 => (" and one other call".to_owned(), "call"),
                others => (format!(" and {others} other calls"), "call"),
            };
            let version = version.map_or_else(String::new, |version| format!(", version {version}"));
            let module = match &source {
                Some(source) => format!("the module {source}{version}"),
                None => "a module whose source is not known here".to_owned(),
            };
            let lost = "which was not given, so its outputs are unknown and its resources are missing";
            let remedy = module_remedy(source.as_deref(), command);
            let detail = format!("{address}{also} {verb} {module}, {lost}. To plan them, {remedy}.");
            let redacted = format!("{address}{also} {verb} a module, {lost}.");
            let mut finding = Diagnostic::ours(&codes::MODULE_MISSING, at, detail).about(&*address);
            if secrecy != Secrecy::Open {
                finding = finding.quoting(Quotes::Values(secrecy)).with_redacted_detail(redacted);
            }
            for (address, at) in related {
                finding = finding.and(format!("{address} calls it, too"), at);
            }
            self.out.push(finding);
        }
    }
}

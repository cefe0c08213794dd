//! The answer about every root module of a tree. Each plan is written as soon as it has been made; only text is kept of it.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::super::diagnostics::DiagnosticList;
use super::super::json::{JsonText, JsonWriter};
use super::super::redaction::Redaction;
use super::answer::{PlanAnswerOptions, is_exact, missing_inputs, write_parts};
use super::missing::MissingInputs;
use crate::answer::dropped;
use crate::repository::skipped_record;
use crate::view::{PlanAnswer, RootPlan, VersionFrom};
use overfold_base::account;
use overfold_module::pipeline::Report;
use overfold_module::repository::RootModules;

/// Answers about root modules as JSON, by the path of the root module.
pub(crate) type AnswersByPath = BTreeMap<Box<str>, Cell<JsonText<'static>>>;

/// An answer that grows plan by plan.
#[derive(Default)]
pub struct RootPlansAnswer {
    plans: AnswersByPath,
    has_errors: bool,
    is_inexact: bool,
}

impl RootPlansAnswer {
    /// Adds the plan of the root module in a directory.
    pub fn take(&mut self, path: &str, report: &Report<'_>, include: PlanAnswerOptions) {
        let missing = &*missing_inputs(report);
        let redaction = Redaction::of(report);
        let view = RootPlan {
            valid: !report.diagnostics.has_errors(),
            exact: is_exact(report, missing),
            missing: MissingInputs(missing),
            plan: include.plan.then_some(super::answer::PLAN),
            instances: include.instances.then_some(super::answer::INSTANCES),
            diagnostics: DiagnosticList::of(report, &redaction),
            diagnostics_dropped: dropped(report.dropped()),
        };
        self.has_errors |= !view.valid;
        self.is_inexact |= !view.exact;
        let mut json = JsonWriter::with_capacity(4096);
        json.view_with(&view, &mut |json, part| write_parts(json, part, report));
        account::grow((path.len() + size_of::<JsonText<'static>>()) as u64 + 32);
        self.plans.insert(path.into(), Cell::new(json.into_text()));
    }

    /// Returns the answer as JSON. The same plans yield the same bytes.
    pub fn finish(self, roots: &RootModules) -> Vec<u8> {
        let severities = &roots.module.severities;
        let left_out = roots.left_out.iter().filter_map(|(path, finding)| skipped_record(path, finding, severities));
        let left_out: Vec<_> = left_out.collect();
        let is_whole = roots.left_out.is_empty();
        let mut json = JsonWriter::with_capacity(1024);
        json.view(&PlanAnswer {
            valid: is_whole && !self.has_errors,
            dialect: roots.dialect.name,
            version: roots.version(),
            version_from: roots.module.version_from.as_deref().map(VersionFrom::new),
            exact: is_whole && !self.is_inexact,
            missing: MissingInputs(&[]),
            plan: None,
            instances: None,
            plans: Some(WrittenPlans(&self.plans)),
            diagnostics: DiagnosticList::written(&left_out),
            diagnostics_dropped: None,
        });
        json.into_bytes()
    }
}

/// Answers by the path of their root modules. What is written of them is dropped.
pub struct WrittenPlans<'a>(pub(crate) &'a AnswersByPath);

impl Serialize for WrittenPlans<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(path, plan)| (path, plan.take())))
    }
}

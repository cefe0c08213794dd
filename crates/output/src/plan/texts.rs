//! The plans of the root modules of a tree, for people.

use std::collections::BTreeMap;

use super::text::{Totals, plan_text};
use overfold_base::{account, echo};
use overfold_module::pipeline::Report;

/// The texts about the plans of root modules, which grow root module by root module.
#[derive(Default)]
pub struct RootPlansText {
    /// The texts by path.
    texts: BTreeMap<Box<str>, Vec<u8>>,
    totals: Totals,
    /// How many root modules have no plan.
    without_plan: usize,
}

impl RootPlansText {
    /// Adds the root module at this path.
    pub fn take(&mut self, path: &str, report: &Report<'_>) {
        let text = plan_text(report);
        account::text(path.len() + text.len());
        match &report.plan {
            Some(plan) => self.totals = self.totals.and(Totals::of(plan)),
            None => self.without_plan += 1,
        }
        self.texts.insert(path.into(), text);
    }

    /// Returns each text below the path of its root module; of several, a line at the end says what is done in all.
    pub fn finish(self) -> Vec<u8> {
        let mut all = Vec::with_capacity(self.texts.iter().map(|(path, text)| path.len() + text.len() + 4).sum());
        for (path, text) in &self.texts {
            all.extend_from_slice(b"== ");
            all.extend_from_slice(echo::line(path).as_bytes());
            all.push(b'\n');
            all.extend_from_slice(text);
        }
        let count = self.texts.len();
        if count > 1 {
            let without = match self.without_plan {
                0 => String::new(),
                without => format!(", {without} of them without a plan"),
            };
            all.extend_from_slice(format!("{count} root modules{without}: {}\n", self.totals.line()).as_bytes());
        }
        all
    }
}

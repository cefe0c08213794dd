//! The plan of a tree of modules: the document that the tool prints with `show -json` (plan.md, sections 13 to 18), the
//! answer of `POST /v1/plan` around it, and a text for people.

mod answer;
mod changes;
mod checks;
mod configuration;
mod document;
mod instances;
mod masks;
mod missing;
mod roots;
mod resource;
mod policy_mock;
mod sink;
mod state;
mod text;
mod texts;
mod tree;

pub use answer::{PlanAnswerOptions, plan_answer};
pub(crate) use answer::{is_exact, missing_inputs};
pub(crate) use checks::status as check_status;
pub use document::plan_document;
pub(crate) use instances::{InstanceArguments, InstanceNeeds};
pub(crate) use missing::MissingInputs;
pub use policy_mock::policy_mock;
pub(crate) use resource::{charged, mode};
pub use roots::RootPlansAnswer;
pub(crate) use roots::{AnswersByPath, WrittenPlans};
pub(crate) use sink::{push_step, value_text};
pub use text::plan_text;
pub(crate) use text::value_line;
pub use texts::RootPlansText;

#[cfg(test)]
mod tests;

//! Data-driven cases: every recorded folder is a test of its own. To run one by name:
//! `cargo test --test cases -- terraform/dup-backend-in-base`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test that cannot go on says so by panicking"
)]

mod cases {
    pub(crate) mod acts;
    pub(crate) mod compatibility;
    pub(crate) mod conversions;
    pub(crate) mod differences;
    pub(crate) mod endpoint;
    pub(crate) mod folder;
    pub(crate) mod forms;
    pub(crate) mod generated;
    pub(crate) mod json;
    pub(crate) mod module_suites;
    pub(crate) mod mutants;
    pub(crate) mod outputs;
    pub(crate) mod peers;
    pub(crate) mod plan_trees;
    pub(crate) mod plan;
    pub(crate) mod plan_resolved;
    pub(crate) mod plan_written;
    pub(crate) mod probes;
    pub(crate) mod properties;
    pub(crate) mod real_tool;
    pub(crate) mod recorded;
    pub(crate) mod rules;
    pub(crate) mod runner;
    pub(crate) mod syntax_json;
    pub(crate) mod syntax_mutants;
    pub(crate) mod syntax_native;
    pub(crate) mod tricky;
    pub(crate) mod upgrades;
    pub(crate) mod validate;
    pub(crate) mod values;
    pub(crate) mod versions;
    pub(crate) mod versions_record;
    pub(crate) mod yamldecode;
}
mod syntax_tree;

#[global_allocator]
static ALLOCATOR: overfold_cli::account::Allocator = overfold_cli::account::Allocator;

fn main() -> std::process::ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    let mut trials = Vec::new();
    for suite in ["terraform", "terraform-versions"] {
        cases::module_suites::add(suite, &mut trials);
        cases::properties::add(suite, &mut trials);
        cases::real_tool::add(suite, &mut trials);
    }
    for suite in ["opentofu", "opentofu-versions"] {
        cases::module_suites::add(suite, &mut trials);
        cases::properties::add(suite, &mut trials);
    }
    for suite in ["terraform-versions", "opentofu-versions", "terraform", "opentofu"] {
        cases::compatibility::add(suite, &mut trials);
    }
    for suite in ["sentinel", "tflint"] {
        cases::module_suites::add(suite, &mut trials);
    }
    cases::properties::add_views("tflint", &mut trials);
    for suite in cases::module_suites::DOCUMENTS {
        cases::module_suites::add(suite, &mut trials);
    }
    cases::properties::add("documents/terraform-override-files", &mut trials);
    cases::properties::add("documents/opentofu-override-files", &mut trials);
    cases::real_tool::add("documents/terraform-override-files", &mut trials);
    for suite in cases::values::SUITES {
        cases::module_suites::add(suite, &mut trials);
    }
    for suite in ["variables", "expressions"] {
        cases::properties::add(suite, &mut trials);
    }
    for suite in ["terraform", "terraform-versions", "opentofu", "opentofu-versions", "sentinel", "tflint"] {
        cases::forms::add(suite, &mut trials);
    }
    for suite in cases::module_suites::DOCUMENTS.into_iter().chain(cases::values::SUITES) {
        cases::forms::add(suite, &mut trials);
    }
    cases::forms::add_generated(100, &mut trials);
    for suite in ["terraform", "terraform-versions", "opentofu", "opentofu-versions", "sentinel", "tflint"]
        .into_iter()
        .chain(cases::module_suites::DOCUMENTS)
        .chain(cases::values::SUITES)
    {
        cases::acts::add(suite, &mut trials);
    }
    cases::validate::add(&mut trials);
    cases::forms::add("validate", &mut trials);
    cases::acts::add("validate", &mut trials);
    cases::plan::add(&mut trials);
    cases::plan_written::add(&mut trials);
    cases::plan_resolved::add(&mut trials);
    cases::peers::add(&mut trials);
    cases::tricky::add(&mut trials);
    cases::syntax_json::add(&mut trials);
    cases::probes::add(&mut trials);
    cases::properties::add_generated(100, &mut trials);
    cases::real_tool::add_generated(300, 400, &mut trials);
    cases::syntax_native::add(&mut trials);
    let each = std::env::var("OVERFOLD_MUTANTS").ok().and_then(|each| each.parse().ok()).unwrap_or(4);
    cases::real_tool::add_mutants("terraform", each, &mut trials);
    cases::syntax_mutants::add(&mut trials);
    cases::conversions::add(4, &mut trials);
    cases::plan_trees::add(&mut trials);
    cases::yamldecode::add(&mut trials);
    cases::versions::add(&mut trials);
    cases::versions_record::add(&mut trials);
    cases::upgrades::add(&mut trials);
    cases::rules::add(&mut trials);
    let code = cases::runner::run(&arguments, trials);
    if !arguments.list {
        eprintln!("{}", cases::real_tool::summary());
        eprintln!("{}", cases::forms::summary());
        eprintln!("{}", cases::plan_trees::summary());
        eprintln!("{}", cases::plan_resolved::summary());
        eprintln!("{}", cases::yamldecode::summary());
    }
    code
}

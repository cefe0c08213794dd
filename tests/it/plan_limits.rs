//! Plans of trees with more instances and deeper calls than are planned: one error, and an answer about the rest.

use std::fmt::Write as _;

use overfold_cli::account;
use overfold_cli::files::{FileSet, ModulePath, SourceFile};
use overfold_cli::pipeline::{Request, ToolStage, VariableInputs, run};
use overfold_cli::plan::{Missing, Plan, PlanOptions, PlannedResource};
use overfold_cli::syntax::{Forest, SyntaxLimits};

type Files = Vec<(String, String)>;

/// Plans within the limits of a request. Returns the codes of what is found, and what `look` says of the plan.
fn planned<T>(files: &Files, options: PlanOptions, look: impl FnOnce(&Plan) -> T) -> (Vec<&'static str>, T) {
    let files = files.iter().map(|(path, text)| SourceFile {
        path: ModulePath::parse(path).unwrap(),
        bytes: text.clone().into_bytes().into(),
    });
    let files = FileSet::new(files.collect(), Vec::new());
    let request = Request {
        version: Some("1.11.4".to_owned()),
        variables: Some(VariableInputs::default().into()),
        stage: ToolStage::Validate,
        plan: Some(options.into()),
        ..Request::new("terraform")
    };
    account::open(account::Limits::DEFAULT, &account::Cancel::new(), || {
        let forest = Forest::new(SyntaxLimits::default());
        let report = run(&forest, &files, &request).unwrap();
        let codes = report.diagnostics.iter().map(|found| found.code.id).collect();
        (codes, look(report.plan.as_ref().unwrap()))
    })
    .unwrap()
}

fn addresses(plan: &Plan) -> Vec<String> {
    plan.resources.iter().map(PlannedResource::address).collect()
}

fn at_most(max_instances: usize) -> PlanOptions {
    PlanOptions { max_instances, ..PlanOptions::default() }
}

/// A chain of modules, each with a resource and a call with `more`.
fn chain(depth: usize, more: &str) -> Files {
    let module = |at: usize| {
        let mut text = "resource \"terraform_data\" \"r\" {}\n".to_owned();
        if at < depth {
            let folder = if at == 0 { "." } else { ".." };
            let source = format!("{folder}/m{}", at + 1);
            writeln!(text, "module \"m\" {{\n  source = \"{source}\"\n  {more}\n}}").unwrap();
            writeln!(text, "output \"o\" {{\n  value = module.m\n}}").unwrap();
        }
        text
    };
    let path = |at: usize| if at == 0 { "main.tf".to_owned() } else { format!("m{at}/main.tf") };
    (0..=depth).map(|at| (path(at), module(at))).collect()
}

const OTHER: &str = "resource \"terraform_data\" \"other\" {}\noutput \"o\" {\n  value = 1\n}\n";

#[test]
fn what_is_refused_leaves_room_for_the_rest() {
    for repetition in [
        "count = 1000000000",
        "count = 101",
        "for_each = toset([for pair in setproduct(range(20), range(20)) : \"${pair[0]}-${pair[1]}\"])",
    ] {
        let many = format!("resource \"terraform_data\" \"many\" {{\n  {repetition}\n}}\n");
        let text = format!("{many}output \"many\" {{\n  value = terraform_data.many\n}}\n{OTHER}");
        let (codes, (addresses, outputs, errored)) =
            planned(&vec![("main.tf".to_owned(), text)], at_most(100), |plan| {
                (addresses(plan), plan.outputs.len(), plan.errored)
            });
        assert_eq!(codes, ["plan/too-many-instances"], "{repetition}");
        assert_eq!(addresses, ["terraform_data.other"], "{repetition}");
        assert_eq!((outputs, errored), (1, true), "{repetition}");
    }
}

#[test]
fn every_instance_counts() {
    let two = "resource \"terraform_data\" \"a\" {}\nresource \"terraform_data\" \"b\" {}\n";
    let main = "module \"m\" {\n  source = \"./m\"\n  count = 50\n}\n".to_owned() + OTHER;
    let files = vec![("main.tf".to_owned(), main), ("m/main.tf".to_owned(), two.to_owned())];
    let (codes, count) = planned(&files, at_most(120), |plan| plan.resources.len());
    assert_eq!(codes, ["plan/too-many-instances"]);
    assert!((1..=70).contains(&count), "{count}");
    let (codes, count) = planned(&files, at_most(151), |plan| plan.resources.len());
    assert!(codes.is_empty(), "{codes:?}");
    assert_eq!(count, 101);
}

#[test]
fn trees_that_double_at_each_level_end() {
    let files = chain(50, "count = 2");
    for options in [at_most(100), PlanOptions::default()] {
        let most = options.max_instances;
        let (codes, count) = planned(&files, options, |plan| plan.resources.len());
        assert_eq!(codes, ["plan/too-many-instances"]);
        assert!((most / 16..=most).contains(&count), "{count}");
    }
    // The calls themselves may be as many.
    let twice = |(at, (path, mut text)): (usize, (String, String))| {
        if at < 50 {
            let folder = if at == 0 { "." } else { ".." };
            writeln!(text, "module \"other\" {{\n  source = \"{folder}/m{}\"\n}}", at + 1).unwrap();
        }
        (path, text)
    };
    let files: Files = chain(50, "").into_iter().enumerate().map(twice).collect();
    let (codes, (count, is_exact)) =
        planned(&files, PlanOptions::default(), |plan| (plan.resources.len(), plan.missing.is_empty()));
    assert_eq!(codes, ["validate/too-many-calls"]);
    assert!((10_000..=20_001).contains(&count), "{count}");
    assert!(!is_exact);
}

#[test]
fn calls_below_the_greatest_depth_are_left_out() {
    let options = || PlanOptions { max_depth: 3, ..PlanOptions::default() };
    let (codes, (addresses, missing)) =
        planned(&chain(6, ""), options(), |plan| (addresses(plan), plan.missing.clone()));
    assert_eq!(codes, ["plan/modules-too-deep"]);
    assert_eq!(addresses.len(), 4);
    let address = "module.m.module.m.module.m.module.m".into();
    assert_eq!(missing, [Missing::Module { address, source: Some("../m4".into()), version: None, is_found: true }]);
    let (codes, count) = planned(&chain(3, ""), options(), |plan| plan.resources.len());
    assert!(codes.is_empty(), "{codes:?}");
    assert_eq!(count, 4);
}

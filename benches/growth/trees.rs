//! Requests whose options multiply: trees of modules with many variables or paths, and options alone.

use std::sync::Arc;

use overfold_cli::api::v1::MergeOptions;
use overfold_cli::files::FileSet;
use overfold_cli::output::{AnswerOptions, DifferenceForm, RepositoryAnswer, Shape, TreeDifference};
use overfold_cli::pipeline::{Request, VariableArg, VariableInputs};
use overfold_cli::repository;
use overfold_cli::syntax::SyntaxLimits;

use super::blocks::axes;
use super::make::{Axis, Files, files, text, word};

/// In place of a dialect: answers about every module of a tree.
pub(crate) const TREE: &str = "tree";
/// In place of a dialect: compares a tree with itself.
pub(crate) const PAIR: &str = "pair of trees";
/// In place of a dialect: reads the options of a request.
pub(crate) const OPTIONS: &str = "options";

/// The file that contains the variables instead of configuration, one in each line.
const VARIABLES: &str = "variables";
/// The same for the paths.
const PATHS: &str = "paths";

pub(crate) static TREES: &[Axis] = axes! { "tree":
    "tree: modules" |size| modules(size);
    "tree: modules and variables" |size| with(size, VARIABLES, text(size / 2, |n| format!("{}=1\n", word(n))));
    "tree: modules and a long variable" |size| with(size, VARIABLES, format!("a={}", "x".repeat(size / 2)));
    "tree: modules and paths" |size| with(size, PATHS, text(size / 2, |n| format!("{}/{}/main.tf\n", word(n), word(n))));
    "tree: calls" |size| files(size, |n| (
        format!("{}/main.tf", word(n)), format!("module \"a\" {{\n  source = \"../{}\"\n}}\n", word(n / 2))));
};

pub(crate) static PAIRS: &[Axis] = axes! { "pair of trees":
    "pair of trees: modules and variables" |size| with(size, VARIABLES, text(size / 2, |n| format!("{}=1\n", word(n))));
    "pair of trees: modules and paths" |size| with(size, PATHS, text(size / 2, |n| format!("{}/main.tf\n", word(n))));
};

pub(crate) static OPTION_LISTS: &[Axis] = axes! { "options":
    "options: paths" |size| option(&format!("\"paths\":[{}\"\"]", text(size, |n| format!("\"{}\",", word(n)))));
    "options: parts" |size| option(&format!("\"include\":[{}\"files\"]", text(size, |_| "\"config\",".to_owned())));
    "options: a long root" |size| option(&format!("\"root\":\"{}\"", "a".repeat(size)));
    "options: environment" |size| option(&format!("\"variables\":{{\"env\":{{{}\"z\":\"\"}}}}", text(size, |n| format!("\"{}\":\"a\",", word(n)))));
    "options: values" |size| option(&format!("\"variables\":{{\"args\":[{}{{\"var\":\"z=1\"}}]}}", text(size, |n| format!("{{\"name\":\"{}\",\"value\":[]}},", word(n)))));
};

fn modules(size: usize) -> Files {
    files(size, |n| (format!("{}/main.tf", word(n)), "locals {\n}\n".to_owned()))
}

fn with(size: usize, name: &str, content: String) -> Files {
    let mut files = modules(size / 2);
    files.push((name.to_owned(), content));
    files
}

fn option(members: &str) -> Files {
    vec![(String::new(), format!("{{{members}}}"))]
}

/// Reads options as the service does.
pub(crate) fn read_options(text: &[u8]) {
    std::hint::black_box(serde_json::from_slice::<MergeOptions>(text).unwrap());
}

/// Answers about a tree, or compares it with itself.
pub(crate) fn answer(kind: &str, files: &FileSet) {
    let lines = |name: &str| {
        let text = files.get(name).map(|file| String::from_utf8(file.bytes.to_vec()).unwrap());
        text.map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
    };
    let args = lines(VARIABLES).unwrap_or_default().into_iter().map(VariableArg::Var).collect();
    let module =
        Request { variables: Some(Arc::new(VariableInputs { env: Vec::new(), args })), ..Request::new("terraform") };
    let request =
        repository::Request { module, paths: lines(PATHS).map(Arc::from), top: String::new(), prefix: String::new() };
    let limits = SyntaxLimits::default();
    if kind == PAIR {
        let mut difference = TreeDifference::new(DifferenceForm::Json, [None, None]);
        let sides = [(files, &request), (files, &request)];
        let outcomes = repository::run_pairs(sides, limits, &mut |_| {}, &mut |pair| difference.take(pair));
        std::hint::black_box(difference.finish(&outcomes.unwrap(), ["", ""]));
        return;
    }
    let mut answer = RepositoryAnswer::new(AnswerOptions::default(), Shape::Answer, true);
    let outcome = repository::run(files, &request, limits, &mut |_| {}, &mut |done| answer.take(done)).unwrap();
    std::hint::black_box(answer.finish(&outcome));
}

//! Files that are read when something asks for them are read once, and the module that names them is evaluated once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use overfold_cli::engine::options::{MergeOptions, PlanOptions};
use overfold_cli::engine::{Context, Input, Merge, Observer, Plan, RequestLimits, UseCase, merge, plan};
use overfold_cli::files::{FileSet, FileSource, Listing, Node, SourceError};
use overfold_cli::pipeline::Report;
use serde_json::Value;

/// Files in memory that count what is asked of them.
#[derive(Debug, Default)]
struct Counted {
    files: BTreeMap<String, String>,
    asked: Arc<Mutex<BTreeMap<String, u32>>>,
}

impl Counted {
    fn note(&self, what: &str, path: &str) {
        *self.asked.lock().unwrap().entry(format!("{what} {path}")).or_default() += 1;
    }

    fn below<'c>(&'c self, folder: &str) -> impl Iterator<Item = &'c str> + use<'c> {
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        self.files.keys().filter_map(move |path| path.strip_prefix(&start))
    }
}

impl FileSource for Counted {
    fn node(&self, path: &str) -> Result<Node, SourceError> {
        self.note("node", path);
        let is_folder = self.below(path).next().is_some();
        Ok(if self.files.contains_key(path) {
            Node::File
        } else if is_folder {
            Node::Folder
        } else {
            Node::Nothing
        })
    }

    fn list(&self, folder: &str) -> Result<Vec<(String, Node)>, SourceError> {
        self.note("list", folder);
        let names = self.below(folder).map(|below| match below.split_once('/') {
            Some((name, _)) => (name.to_owned(), true),
            None => (below.to_owned(), false),
        });
        let names: BTreeSet<(String, bool)> = names.collect();
        let node = |is_folder| if is_folder { Node::Folder } else { Node::File };
        Ok(names.into_iter().map(|(name, is_folder)| (name, node(is_folder))).collect())
    }

    fn tree(&self, folder: &str) -> Result<Listing, SourceError> {
        self.note("tree", folder);
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let paths = self.files.keys().filter(|path| path.starts_with(&start)).cloned().collect();
        Ok(Listing { paths, is_partial: false })
    }

    fn read(&self, path: &str) -> Result<Bytes, SourceError> {
        self.note("read", path);
        Ok(self.files[path].clone().into())
    }

    fn is_wanted(&self, name: &str) -> bool {
        name.ends_with(".tf")
    }
}

/// Counts how often modules are run.
#[derive(Default)]
struct Runs {
    stages: BTreeMap<&'static str, u32>,
    modules: u32,
}

impl Observer for Runs {
    fn stage(&mut self, name: &'static str) {
        *self.stages.entry(name).or_default() += 1;
    }

    fn module(&mut self, _: usize, _: &Report<'_>) {
        self.modules += 1;
    }
}

const MODULES: usize = 300;
const TEXTS: usize = 500;

/// A root module at `envs/prod` that calls 300 local modules above it and reads 500 files, each named by the one before.
fn configuration() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut root = "locals {\n  t0 = file(\"../../texts/0\")\n".to_owned();
    for at in 0..TEXTS {
        files.insert(format!("texts/{at}"), format!("../../texts/{}", at + 1));
        writeln!(root, "  t{} = file(local.t{at})", at + 1).unwrap();
    }
    files.insert(format!("texts/{TEXTS}"), "end".to_owned());
    root += "}\n";
    for at in 0..MODULES {
        files.insert(format!("modules/m{at}/main.tf"), format!("output \"o\" {{\n  value = {at}\n}}\n"));
        writeln!(root, "module \"m{at}\" {{\n  source = \"../../modules/m{at}\"\n}}").unwrap();
    }
    writeln!(root, "output \"last\" {{\n  value = local.t{TEXTS}\n}}").unwrap();
    files.insert("envs/prod/main.tf".to_owned(), root);
    files.insert("elsewhere/main.tf".to_owned(), "nobody reads this".to_owned());
    files
}

fn asked<U: UseCase<1>>(options: U::Options, form: U::Form) -> (Value, Runs, BTreeMap<String, u32>) {
    let source = Counted { files: configuration(), ..Counted::default() };
    let asked = Arc::clone(&source.asked);
    let files = FileSet::lazy(Box::new(source), "envs/prod");
    let mut prepared = U::prepare(options, &RequestLimits::for_testing()).unwrap();
    "envs/prod".clone_into(&mut prepared.request.root);
    let mut runs = Runs::default();
    let limits = overfold_cli::syntax::SyntaxLimits::default();
    let mut context = Context { limits, observer: &mut runs, is_complete: false, with_findings: false };
    let input = Input { files: &files, prepared: &prepared, root: "" };
    let bytes = U::run([input], form, &mut context).unwrap().answer.unwrap();
    assert!(files.take_failure().is_none());
    let asked = asked.lock().unwrap().clone();
    (serde_json::from_slice(&bytes).unwrap(), runs, asked)
}

#[test]
fn a_plan_is_made_in_one_pass() {
    let (answer, runs, asked) = asked::<Plan>(PlanOptions::default(), plan::Form::Answer);
    assert_eq!(answer["plan"]["planned_values"]["outputs"]["last"]["value"], "end", "{}", answer["diagnostics"]);
    assert_eq!(runs.modules, 1);
    assert!(runs.stages.len() > 3 && runs.stages.values().all(|count| *count == 1), "{:?}", runs.stages);
    assert!(asked.values().all(|count| *count == 1), "{asked:?}");
    let reads = asked.keys().filter(|what| what.starts_with("read ")).count();
    assert_eq!(reads, 1 + MODULES + TEXTS + 1);
    assert!(asked.keys().all(|what| !what.contains("elsewhere")), "{asked:?}");
}

#[test]
fn a_merge_reads_what_its_functions_name() {
    let variables = serde_json::from_str("{}").unwrap();
    let options = MergeOptions { variables: Some(variables), resolve: true, ..MergeOptions::default() };
    let (answer, runs, asked) = asked::<Merge>(options, merge::Form::Answer);
    let config = &answer["module"]["config"]["output"]["last"];
    assert_eq!(config[0]["value"], "end", "{config} {}", answer["diagnostics"]);
    assert_eq!(runs.modules, 1);
    assert!(asked.values().all(|count| *count == 1), "{asked:?}");
}

//! The inputs that are measured: the pinned modules of `benches/modules` and synthetic ones.

use std::fs;
use std::path::Path;

use bytes::Bytes;
use overfold_cli::files::{FileSet, ModulePath, SourceFile};
use overfold_cli::output::{AnswerOptions, Include};
use overfold_cli::pipeline::{Request, ToolStage, VariableInputs};
use overfold_cli::plan::PlanOptions;

#[path = "../configuration/mod.rs"]
mod configuration;

/// A module.
pub(crate) struct Input {
    /// The name on the command line and in tables.
    pub(crate) name: &'static str,
    /// The files.
    pub(crate) files: FileSet,
    /// The number of bytes in all files.
    pub(crate) bytes: usize,
}

/// Returns the pinned modules, then synthetic ones with an override.
pub(crate) fn inputs() -> Vec<Input> {
    let pinned = ["eks", "vpc", "gke", "aks", "ecs-web-app"].map(|name| (name, folder(name)));
    let synthetic = [("synthetic-10k", 10_000), ("synthetic-1m", 1_000_000)].map(|(name, size)| {
        let over = "resource \"aws_instance\" \"service_0\" {\n  instance_type = \"t3.nano\"\n}\n";
        let files = vec![file("main.tf", configuration::native(size)), file("override.tf", over)];
        (name, FileSet::new(files, Vec::new()))
    });
    let input = |(name, files): (&'static str, FileSet)| {
        let bytes = files.files().iter().map(|file| file.bytes.len()).sum();
        Input { name, files, bytes }
    };
    pinned.into_iter().chain(synthetic).map(input).collect()
}

fn folder(name: &str) -> FileSet {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/modules").join(name);
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let native = entries.filter(|path| path.extension().is_some_and(|end| end == "tf"));
    let files = native.map(|path| file(path.file_name().unwrap().to_str().unwrap(), fs::read(&path).unwrap()));
    FileSet::new(files.collect(), Vec::new())
}

fn file(path: &str, text: impl Into<Vec<u8>>) -> SourceFile {
    SourceFile { path: ModulePath::parse(path).unwrap(), bytes: Bytes::from(text.into()) }
}

/// Returns the request: the newest Terraform, and no values for variables.
pub(crate) fn request() -> Request {
    Request::new("terraform")
}

/// Returns the request for a plan in which variables without a value are unknown.
pub(crate) fn plan_request() -> Request {
    Request {
        variables: Some(VariableInputs::default().into()),
        stage: ToolStage::Validate,
        plan: Some(PlanOptions { unset_is_unknown: true, ..PlanOptions::default() }.into()),
        ..request()
    }
}

/// Returns the options for an answer with `objects` and nothing else of the module.
pub(crate) fn objects() -> AnswerOptions {
    AnswerOptions { include: Include { objects: true, ..Include::default() }, ..AnswerOptions::default() }
}

//! The folders of cases: `tests/conformance/<suite>/<case>/{case.json,input/,expected.json}`, and likewise below
//! `tests/documents`, where a suite is named `documents/<document>`, and in `tests/peers/cases`, the suite `peers`.

use std::fs;
use std::path::{Path, PathBuf};

use overfold_cli::files::{FileSet, ModulePath, SourceFile};

use super::json::Json;

/// The prefix of suites whose cases are the examples of a document.
const DOCUMENTS: &str = "documents/";

/// The suite of questions that other evaluators are asked, too.
pub(crate) const PEERS: &str = "peers";

/// The keys that `case.json` may contain in that suite beside the others.
const ASKED_OF_PEERS: &[&str] = &["number", "threads", "asks", "errors_about"];

/// The keys that `case.json` may contain.
const ASKED: &[&str] = &[
    "dialect",
    "tool_version",
    "about",
    "topic",
    "root",
    "config_file",
    "expand",
    "env",
    "args",
    "provider_schemas",
    // Whether the tool's directory was initialised before it was asked.
    "init",
    // Of questions to many versions: what was run, what the case is about, how documents are compared.
    "kind",
    "source",
    "strict",
    "provider_checks",
];

/// The file with what the tool did, and with what many versions of it did.
const EXPECTED: [&str; 2] = ["expected.json", "answers.json"];

/// One case.
#[derive(Clone)]
pub(crate) struct Case {
    /// `<suite>/<case>`.
    pub(crate) name: String,
    /// The content of `case.json`.
    pub(crate) asked: Json,
    /// What the real tool did; or the answers of many versions of it.
    pub(crate) expected: Json,
    /// The paths and contents of all input files, sorted.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

impl Case {
    /// Returns the input as a file set.
    pub(crate) fn file_set(&self) -> FileSet {
        file_set(&self.files)
    }

    /// The module directory, `""` for the top.
    pub(crate) fn root(&self) -> String {
        match self.asked.find("root").map_or(".", Json::text) {
            "." => String::new(),
            root => root.to_owned(),
        }
    }

    /// Returns what the provider gave that only it can know, by address: the values of the data sources that were read and
    /// of the objects that were imported, from the recorded prior state.
    pub(crate) fn given_by_provider(&self) -> Vec<(String, Json)> {
        let mut found = Vec::new();
        if self.asked.find("provider_schemas").is_some() {
            given_in(self.expected.get("plan").get("prior_state").get("values").get("root_module"), &mut found);
        }
        found
    }

    /// Reads the schemas of providers that the case names, a file below the folder of its suite; under the names that
    /// providers have for the dialect.
    pub(crate) fn provider_schemas(&self) -> Option<String> {
        let path = self.asked.find("provider_schemas")?.text();
        let suite = self.name.rsplit_once('/').expect("the name of a suite").0;
        let text =
            fs::read_to_string(suite_folder(suite).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let is_opentofu = self.asked.get("dialect").text() == "opentofu";
        Some(if is_opentofu { text.replace("registry.terraform.io/", "registry.opentofu.org/") } else { text })
    }
}

fn given_in(module: &Json, into: &mut Vec<(String, Json)>) {
    // What is built in needs no provider.
    let of_provider = |found: &&Json| !found.get("provider_name").text().starts_with("terraform.io/builtin/");
    let resources = module.get("resources").items().iter().filter(of_provider);
    into.extend(resources.map(|found| (found.get("address").text().to_owned(), found.get("values").clone())));
    module.get("child_modules").items().iter().for_each(|inner| given_in(inner, into));
}

/// Creates a file set from paths and contents.
pub(crate) fn file_set(files: &[(String, Vec<u8>)]) -> FileSet {
    let files = files.iter().map(|(path, bytes)| SourceFile {
        path: ModulePath::parse(path).expect("a path of a recorded case"),
        bytes: bytes.clone().into(),
    });
    FileSet::new(files.collect(), Vec::new())
}

/// Returns the folder of a suite.
pub(crate) fn suite_folder(suite: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    match suite {
        PEERS => tests.join("peers/cases"),
        _ if suite.starts_with(DOCUMENTS) => tests.join(suite),
        _ => tests.join("conformance").join(suite),
    }
}

/// Returns the names of a suite's cases, sorted. A folder whose name starts with an underscore holds what cases share.
pub(crate) fn names(suite: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(suite_folder(suite))
        .expect("the suite's folder")
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().expect("a case's name in UTF-8"))
        .filter(|name| !name.starts_with('_'))
        .collect();
    names.sort();
    assert!(!names.is_empty(), "the suite {suite} is empty");
    names
}

/// Reads one case.
pub(crate) fn read(suite: &str, case: &str) -> Case {
    let folder = suite_folder(suite).join(case);
    let document = |name: &str| {
        let text = fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        Json::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let mut files = Vec::new();
    collect(&folder.join("input"), "", &mut files);
    let asked = document("case.json");
    for key in asked.properties().keys() {
        let is_known = ASKED.contains(&key.as_str()) || suite == PEERS && ASKED_OF_PEERS.contains(&key.as_str());
        assert!(is_known, "{suite}/{case}: nothing reads the key {key:?} of case.json");
    }
    for entry in fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name();
        let known = ["case.json", "input"].iter().chain(&EXPECTED).any(|known| name == *known);
        assert!(known, "{suite}/{case}: nothing reads {}", name.display());
    }
    files.sort();
    let [one, many] = EXPECTED;
    let expected = document(if folder.join(one).exists() { one } else { many });
    Case { name: format!("{suite}/{case}"), asked, expected, files }
}

fn collect(folder: &Path, prefix: &str, into: &mut Vec<(String, Vec<u8>)>) {
    // A folder without files does not exist in a clone.
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
        entries => entries.expect("the files of a case"),
    };
    for entry in entries {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().into_string().expect("a file name in UTF-8"));
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), into);
        } else {
            into.push((name, fs::read(entry.path()).unwrap()));
        }
    }
}

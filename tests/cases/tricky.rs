//! Modules whose override files are hard to fold in: text on the surrounding lines, comments, line ends, both syntaxes,
//! several override files for one object. `tricky.json` contains them by name; each is valid and needs no provider.

use std::path::Path;

use super::folder::Case;
use super::forms::hold;
use super::json::Json;
use super::real_tool::{check, made_up_of, trial, version};
use super::runner::Trial;

/// Adds two trials for each module: every form loads again and yields the same module; the installed tool plans the
/// same from each.
pub(crate) fn add(trials: &mut Vec<Trial>) {
    for case in cases() {
        let name = case.name.clone();
        trials.push(Trial::test(format!("forms/tricky/{name}"), move || hold(&case)));
    }
    for case in cases() {
        trials.push(trial(format!("real/tricky/{}", case.name), false, move || check(&case)));
    }
}

fn cases() -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/tricky.json");
    let all = Json::parse(&std::fs::read_to_string(path).unwrap()).unwrap();
    let modules = all.properties().iter().map(|(name, files)| {
        let files = files.properties().iter();
        let files = files.map(|(path, text)| (path.clone(), text.text().as_bytes().to_vec())).collect();
        made_up_of(name.clone(), files, version())
    });
    modules.collect()
}

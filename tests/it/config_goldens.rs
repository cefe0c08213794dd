//! The default answer, `config`, for recorded cases as golden files, byte for byte. `tests/golden/verify_config.py`
//! verifies with the real tool that each means the same as the files of the case: see
//! `tests/golden/config/RECORDED.md`.

use std::fs;
use std::path::{Path, PathBuf};

use overfold_cli::files::{FileSet, ModulePath, SourceFile};
use overfold_cli::output::{AnswerOptions, answer};
use overfold_cli::pipeline::{Request, run};
use overfold_cli::syntax::Forest;

/// The suites whose answers are golden.
const SUITES: &[&str] = &["conformance/terraform", "documents/terraform-override-files", "golden/config-inputs"];

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn collect(folder: &Path, prefix: &str, into: &mut Vec<SourceFile>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        let name = format!("{prefix}{}", entry.file_name().into_string().unwrap());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), into);
        } else {
            let bytes = fs::read(entry.path()).unwrap();
            into.push(SourceFile { path: ModulePath::parse(&name).unwrap(), bytes: bytes.into() });
        }
    }
}

/// Returns the part `config` of the answer for the files of a case, with a final line break.
fn config(input: &Path) -> String {
    let mut files = Vec::new();
    collect(input, "", &mut files);
    let request = Request { version: Some("1.11.4".to_owned()), reveal_sensitive: true, ..Request::new("terraform") };
    let options = AnswerOptions::default();
    let forest = Forest::default();
    let bytes = answer(&run(&forest, &FileSet::new(files, Vec::new()), &request).unwrap(), options);
    let text = std::str::from_utf8(&bytes).unwrap();
    let (_, after) = text.split_once("\"config\":").unwrap();
    let (config, _) = after.rsplit_once("},\"diagnostics\":").unwrap();
    format!("{config}\n")
}

/// With `OVERFOLD_GOLDEN=write` in the environment the files are rewritten; each one that changes must be verified with
/// the real tool again.
#[test]
fn golden_answers_match_byte_for_byte() {
    let folder = tests().join("golden/config");
    let write = std::env::var("OVERFOLD_GOLDEN").is_ok_and(|mode| mode == "write");
    let (mut count, mut wrong) = (0, Vec::new());
    for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
        let Some(case) = path.file_name().unwrap().to_str().unwrap().strip_suffix(".json") else {
            assert_eq!(path.file_name().unwrap(), "RECORDED.md");
            continue;
        };
        let inputs = SUITES.iter().map(|suite| tests().join(suite).join(case).join("input"));
        let input = inputs.into_iter().find(|input| input.exists()).unwrap_or_else(|| panic!("no case {case}"));
        let found = config(&input);
        count += 1;
        if write {
            fs::write(&path, found).unwrap();
        } else if fs::read_to_string(&path).unwrap() != found {
            wrong.push(format!("{case}\n  {}  {found}", fs::read_to_string(&path).unwrap()));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} answers are not the golden ones\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 90, "only {count} answers are golden");
}

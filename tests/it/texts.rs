//! What the commands print for people about five modules in the shape of public ones (`tests/golden/texts`): for each, the files,
//! a change of them, and every output, each line of which was read before it was accepted.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::overfold;
use crate::difference::is_golden;

const FOLDER: &str = "tests/golden/texts";

/// Copies the files below a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let copied = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &copied);
        } else {
            fs::copy(&path, copied).unwrap();
        }
    }
}

/// Runs the commands in the folder of a module, next to which `changed` is the module after a change, and compares what they
/// print with the golden.
fn are_golden(name: &str, commands: &[&str]) {
    let module = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(FOLDER).join(name);
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join(name);
    copy(&module.join("files"), &place);
    copy(&module.join("files"), &folder.path().join("changed"));
    copy(&module.join("change"), &folder.path().join("changed"));
    let mut text = String::new();
    for command in commands {
        let arguments = command.split(' ').map(|word| word.trim_matches('\''));
        let mut program = overfold();
        let output = program.env_remove("OVERFOLD_STAGE").current_dir(&place).args(arguments).output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let code = output.status.code().unwrap();
        write!(text, "$ overfold {command}\n{out}").unwrap();
        // They come one after the other on a terminal, too.
        if !err.is_empty() {
            write!(text, "-- on standard error --\n{err}").unwrap();
        }
        write!(text, "-- exit code {code} --\n\n").unwrap();
    }
    is_golden(&format!("{FOLDER}/{name}.txt"), &text);
}

#[test]
fn a_cluster_with_submodules_and_examples() {
    are_golden(
        "cluster",
        &[
            "merge modules/node-group --format text",
            "merge --recursive --format text",
            "merge --recursive --format text --fail-on warning --paths modules/node-group/main.tf",
            "merge examples/complete --values --format text",
            "plan examples/complete --format text",
            "plan examples/complete --unset-variables --format text",
            "plan --recursive --unset-variables --format text",
            "diff . ../changed --recursive --format text",
            "plan-diff . ../changed examples/complete --unset-variables --format text",
            "compatibility modules/node-group",
            "upgrade examples/complete --from 1.5 --to 1.15 --unset-variables --format text",
            "explain override/content-lost",
        ],
    );
}

#[test]
fn a_stack_for_localstack() {
    are_golden(
        "localstack",
        &[
            "merge --format text",
            "merge --recursive --format text",
            "merge --values --format text --version 1.9",
            "plan --format text",
            "plan ../changed --format text",
            "diff . ../changed --format text",
            "plan-diff . ../changed --format text",
            "compatibility",
            "compatibility ../changed --stage validate",
            "upgrade --from 1.9 --to 1.15 --format text",
            "upgrade ../changed --from 1.9 --to-dialect opentofu --format text",
            "explain override/missing-base",
        ],
    );
}

#[test]
fn a_vendored_module_with_a_local_override() {
    are_golden(
        "vendored",
        &[
            "merge vendor/database --format text",
            "merge vendor/database --format text --severity override/content-lost=error",
            "merge --recursive --format text",
            "merge --values --var database_password=hunter2 --format text",
            "plan --format text",
            "plan --var database_password=hunter2 --format text",
            "diff vendor/database ../changed/vendor/database --format text",
            "plan-diff . ../changed --format text",
            "plan-diff . ../changed --var database_password=hunter2 --format text",
            "compatibility vendor/database --version 1.2",
            "upgrade --from 1.3 --to 1.9 --var database_password=hunter2 --format text",
            "upgrade --recursive --from 1.3 --to 1.9 --format text",
            "explain override/content-losst",
        ],
    );
}

#[test]
fn a_generated_tree() {
    are_golden(
        "generated",
        &[
            "merge live/network --format text",
            "merge live/network --values --format text",
            "merge live/network --version 1.5 --format text",
            "merge --recursive --format text",
            "merge --recursive --format text --fail-on info",
            "plan live/network --format text",
            "plan --recursive --format text",
            "plan-diff . ../changed --recursive --format text",
            "diff . ../changed --recursive --format text",
            "compatibility live/service",
            "upgrade --recursive --from 1.5 --to 1.15 --format text",
            "upgrade --recursive --to-dialect opentofu --to 1.10 --format text",
            "explain override/provider-source-lost",
        ],
    );
}

#[test]
fn a_module_in_json_that_is_patched() {
    are_golden(
        "patched",
        &[
            "merge --format text",
            "merge --recursive --format text",
            "merge --values --var project=example --var max_instances=many --format text",
            "merge --values --var project=example --format text",
            "plan --format text",
            "plan --var project=example --format text",
            "diff . ../changed --format text",
            "plan-diff . ../changed --var project=example --format text",
            "compatibility",
            "upgrade --from 1.5 --to 1.15 --var project=example --format text",
            "upgrade --from 1.5 --to 1.15 --format text",
            "upgrade --to 1.99 --format text",
            "explain override/block-dropped",
        ],
    );
}

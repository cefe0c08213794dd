//! The tables of the dialects as golden files, so that a change of rules shows up as a difference between tables.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Checks that `tests/golden/dialects/<name>.txt` is the output of `overfold dialects <name>`. With
/// `OVERFOLD_GOLDEN=write` in the environment the files are rewritten instead.
#[test]
fn the_tables_match_the_golden_files() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/dialects");
    let write = std::env::var("OVERFOLD_GOLDEN").is_ok_and(|mode| mode == "write");
    let mut wrong = Vec::new();
    let mut files = Vec::new();
    for name in overfold_cli::dialect::names() {
        let output = Command::new(env!("CARGO_BIN_EXE_overfold")).args(["dialects", name]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let table = String::from_utf8(output.stdout).unwrap();
        let file = format!("{name}.txt");
        let path = folder.join(&file);
        files.push(file);
        if write {
            fs::create_dir_all(&folder).unwrap();
            fs::write(path, table).unwrap();
            continue;
        }
        let golden = fs::read_to_string(&path).unwrap_or_default();
        if golden != table {
            wrong.push(format!("{name}:\n{}", differences(&golden, &table).join("\n")));
        }
    }
    for entry in fs::read_dir(&folder).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        if !files.contains(&file) {
            wrong.push(format!("{file}: no dialect of that name"));
        }
    }
    assert!(
        wrong.is_empty(),
        "tables differ from tests/golden/dialects; if that is meant, run\n  \
         OVERFOLD_GOLDEN=write cargo test --test it golden\n{}",
        wrong.join("\n")
    );
}

/// Returns the lines that only one of the two texts has, between a common beginning and a common end.
fn differences(golden: &str, table: &str) -> Vec<String> {
    let (golden, table): (Vec<&str>, Vec<&str>) = (golden.lines().collect(), table.lines().collect());
    let start = golden.iter().zip(&table).take_while(|(a, b)| a == b).count();
    let most = golden.len().min(table.len()) - start;
    let end = golden.iter().rev().zip(table.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let part = |lines: &[&str], sign: &str| -> Vec<String> {
        lines[start..lines.len() - end].iter().map(|line| format!("{sign} {line}")).collect()
    };
    part(&golden, "-").into_iter().chain(part(&table, "+")).take(60).collect()
}

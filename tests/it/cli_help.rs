//! The help of the commands: `-h` fits a screen, `--help` speaks of the command line, and both are goldens, each line of
//! which was read before it was accepted.

use crate::cli::{overfold, run};
use crate::difference::is_golden;

const COMMANDS: [&str; 13] = [
    "serve",
    "merge",
    "diff",
    "plan",
    "plan-diff",
    "upgrade",
    "compatibility",
    "dialects",
    "versions",
    "explain",
    "schemas",
    "token",
    "healthcheck",
];

/// The lines that a small terminal shows.
const SCREEN: usize = 40;

fn help(args: &[&str]) -> String {
    let output = overfold().env_remove("OVERFOLD_STAGE").env_remove("COLUMNS").args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn help_of_commands_is_as_accepted() {
    for command in COMMANDS {
        let (short, long) = (help(&[command, "-h"]), help(&[command, "--help"]));
        is_golden(&format!("tests/golden/help/{command}.txt"), &format!("{short}\n-- --help --\n\n{long}"));
    }
}

#[test]
fn short_help_fits_a_screen() {
    for args in COMMANDS.iter().map(|command| vec![*command, "-h"]).chain([vec!["-h"]]) {
        let shown = help(&args);
        assert!(shown.lines().count() <= SCREEN, "{args:?} has {} lines", shown.lines().count());
        assert!(shown.lines().all(|line| line.chars().count() <= 100), "{shown}");
    }
}

#[test]
fn help_has_no_words_of_the_api() {
    for command in COMMANDS.iter().filter(|command| !matches!(**command, "serve" | "token" | "healthcheck")) {
        let shown = help(&[command, "--help"]);
        let (options, _) = shown.split_once("Limits of a request:").unwrap_or((&shown, ""));
        for word in ["status 4", "query parameter", "upload", "`Accept`", "POST ", "request object"] {
            assert!(!options.contains(word), "{command}: {word}");
        }
    }
}

#[test]
fn limits_stand_last() {
    for command in ["merge", "diff", "plan", "plan-diff", "upgrade", "compatibility"] {
        let shown = help(&[command, "--help"]);
        let headings: Vec<&str> =
            shown.lines().filter(|line| line.ends_with(':') && !line.starts_with(' ')).collect();
        let limits = headings.iter().position(|heading| *heading == "Limits of a request:").unwrap();
        assert_eq!(headings.get(limits + 1..).unwrap(), ["Examples:", "Exit codes:"], "{command}: {headings:?}");
    }
}

#[test]
fn shells_complete_versions_codes_and_dialects() {
    let (code, script, _) = run(&["completions", "bash"]);
    assert_eq!(code, 0);
    for word in ["override/content-lost", " 1.15", "terraform-0.11"] {
        assert!(script.contains(word), "{word}");
    }
    // Any text is still accepted, and refused where that has always been done.
    let (code, _, message) = run(&["explain", "override/content-lsot"]);
    assert!(code == 2 && message.contains("override/content-lost"), "{message}");
}

//! Whatever a module contains, no line of a text of ours is a command to the log of a code host, and nothing in it acts on
//! a terminal.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// What would be obeyed: at the start of a line, after any kind of line end, or anywhere in a line.
const PLANTED: &str = "no\n::error file=x::pwned\r::add-mask::a\r\n  ::stop-commands::zz\u{2028}::debug::b\u{2029}::c::\u{b}::d::\
                       \u{c}::e::\u{85}::f::\u{1b}[31m\u{202e}##[add-mask]g##vso[task.setvariable variable=h]i##teamcity[j]\
                       \n##[group]\n\n";

/// Returns the text in the syntax of both JSON and native strings.
fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        c if c.is_control() || ('\u{2028}'..='\u{202e}').contains(&c) => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// Returns modules that have the text wherever a text can be.
fn modules() -> Vec<(&'static str, Vec<(String, String)>)> {
    let at = quoted(PLANTED);
    let rule = format!(
        "variable \"x\" {{\n  default = 1\n  validation {{\n    condition     = var.x > 5\n    error_message = {at}\n  }}\n}}\n"
    );
    let names = format!(
        "resource \"::error::a\" {at} {{\n}}\nresource \"::error::a\" {at} {{\n}}\nvariable {at} {{\n}}\nlocals {{\n  a = {at}\n  a = 1\n}}\n\
         module {at} {{\n  source = {at}\n}}\nfoo {at} {{\n}}\nterraform {{\n  required_version = {at}\n}}\n\
         output \"o\" {{\n  value = nope[{at}]\n  sensitive = {at}\n}}\n"
    );
    let raw = "locals {\n  a = <<E\n::set-output name=a::b ##[error]\n${nope.\nE\n}\n::error::x\n##[add-mask]y = 1\n\u{2028}::z::\n";
    let json = format!(
        "{{\"resource\": {{\"::error::a\": {{{at}: {{{at}: 1, \"::b::\": {at}}}}}}}, {at}: 1, \"::c::\": 2, \
         \"variable\": {{{at}: {{\"type\": {at}}}, \"y\": {{\"default\": 1, \"validation\": {{\"condition\": \"${{var.y > 1}}\", \
         \"error_message\": {at}}}}}}}}}"
    );
    let again =
        format!("{{\"resource\": {{\"::error::a\": {{{at}: {{{at}: 2, \"::b::\": 3, \"::new::\": {at}}}}}}}}}");
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let named = PLANTED.replace('/', "");
    vec![
        ("rule", vec![file("main.tf", &rule)]),
        ("names", vec![file("main.tf", &names), file("override.tf", &names.replace("locals", "locals \"x\""))]),
        ("raw", vec![file("main.tf", raw), file("x_override.tf", raw)]),
        ("json", vec![file("main.tf.json", &json), file("override.tf.json", &again)]),
        (
            "file",
            vec![file(&format!("{named}.tf"), "a = 1\n"), file("::error::b_override.tf", "locals {\n  b = 1\n}\n")],
        ),
        (
            "folder",
            vec![file(&format!("{named}/main.tf"), "a = 1\n"), file("::error::c/main.tf", "output \"o\" {\n}\n")],
        ),
        (
            "values",
            vec![
                file("main.tf", "variable \"x\" {\n  type = number\n}\n"),
                file("terraform.tfvars", &format!("x = {at}\n")),
            ],
        ),
    ]
}

fn written(files: &[(String, String)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_overfold"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("OVERFOLD_")) {
        command.env_remove(name);
    }
    command.current_dir(folder).args(args).output().unwrap()
}

/// Checks the lines of a text, in the widest sense of a line.
fn check(context: &str, text: &[u8], has_commands: bool) {
    let text = std::str::from_utf8(text).unwrap();
    let own = ["::error file=", "::warning file=", "::notice file="];
    for line in text.split(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']) {
        let start = line.trim_start();
        let is_own = has_commands && own.iter().any(|own| line.starts_with(own));
        assert!(is_own || !start.starts_with("::"), "{context}: {line:?} in\n{text}");
        let is_safe = |rest: &str| !rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).starts_with('[');
        assert!(is_own || line.split("##").skip(1).all(is_safe), "{context}: {line:?} in\n{text}");
        let acts = |c: char| c != '\t' && (c.is_control() || c == '\u{202e}');
        assert!(!line.contains(acts), "{context}: {line:?} in\n{text}");
    }
}

#[test]
fn no_line_of_a_text_is_a_command() {
    let base = written(&[("main.tf".to_owned(), "locals {\n}\n".to_owned())]);
    let base = base.path().to_str().unwrap();
    for (name, files) in modules() {
        let folder = written(&files);
        let mut seen = 0;
        for dialect in ["terraform", "tflint", "terraform-0.11"] {
            for args in [
                &["merge", ".", "--format", "text"][..],
                &["merge", ".", "--format", "text", "--values"],
                &["merge", ".", "--format", "text", "--recursive"],
                &["merge", ".", "--format", "json", "--var", &format!("x={PLANTED}")],
                &["merge", ".", "--format", "github", "--values"],
                &["merge", ".", "--format", "github", "--recursive"],
                &["diff", base, ".", "--format", "text"],
                &["diff", ".", base, "--format", "text"],
                &["diff", base, ".", "--format", "text", "--recursive"],
                &["diff", base, ".", "--format", "markdown"],
                &["diff", ".", base, "--format", "markdown", "--recursive"],
                &["compatibility", ".", "--format", "text"],
            ] {
                let all = [args, &["--dialect", dialect]].concat();
                let Output { stdout, stderr, .. } = run(folder.path(), &all);
                let context = format!("{name}: {all:?}");
                seen += stdout.len() + stderr.len();
                if !args.contains(&"json") {
                    check(&context, &stdout, args.contains(&"github"));
                }
                check(&context, &stderr, false);
            }
        }
        assert!(seen > 5000, "{name}");
    }
}

#[test]
fn no_line_of_a_complaint_is_a_command() {
    let folder = written(&[("main.tf".to_owned(), "locals {\n}\n".to_owned())]);
    for args in [
        &["merge", PLANTED][..],
        &["merge", ".", "--root", PLANTED],
        &["merge", ".", "--format", PLANTED],
        &["merge", ".", "--dialect", PLANTED],
        &["merge", ".", "--version", PLANTED],
        &["merge", ".", "--env", &PLANTED.replace('=', "")],
        &["merge", ".", "--var-file", PLANTED],
        &["merge", ".", &format!("--{PLANTED}")],
        &["diff", ".", PLANTED],
        &["compatibility", PLANTED],
        &["explain", PLANTED],
        &["dialects", PLANTED],
        &["token", PLANTED],
        &["serve", "--log", PLANTED],
        &["serve", "--listen", PLANTED],
        &[PLANTED],
    ] {
        let Output { stdout, stderr, status } = run(folder.path(), args);
        assert!(!stderr.is_empty() || args.contains(&"--var-file"), "{args:?}");
        assert!(!status.success(), "{args:?}");
        check(&format!("{args:?}"), &stderr, false);
        assert!(stdout.is_empty() || args.contains(&"--var-file"), "{args:?}");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_overfold"));
    command.current_dir(folder.path()).args(["merge", "."]);
    let named = command.env(format!("OVERFOLD_{PLANTED}"), "1").output().unwrap();
    assert!(String::from_utf8_lossy(&named.stderr).contains("warning"));
    check("a setting", &named.stderr, false);
    let valued = command.env("OVERFOLD_FORMAT", PLANTED).output().unwrap();
    check("a value", &valued.stderr, false);
}

/// The texts are all there, line by line, behind a bar.
#[test]
fn a_message_of_several_lines_is_shown_behind_bars() {
    let message = "One.\\n::error::two\\r\\n\\n  three\\n";
    let folder = written(&[(
        "main.tf".to_owned(),
        format!(
            "variable \"x\" {{\n  default = 1\n  validation {{\n    condition     = var.x > 5\n    error_message = \"{message}\"\n  }}\n}}\n"
        ),
    )]);
    let shown =
        String::from_utf8(run(folder.path(), &["merge", ".", "--values", "--format", "text"]).stderr).unwrap();
    assert!(shown.contains(": One.\n    | ::error::two\n    |\n    |   three\n"), "{shown}");
}

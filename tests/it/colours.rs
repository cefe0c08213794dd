//! Colours and progress: only on a terminal that wants them, and nothing but colours is added.

use crate::cli::{folder, overfold, path};

/// Returns what a command prints to both streams with variables of the environment.
fn printed(arguments: &[&str], variables: &[(&str, &str)]) -> [String; 2] {
    let mut command = overfold();
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    let output = command.args(arguments).envs(variables.iter().copied()).output().unwrap();
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
}

/// Returns a text without escape sequences.
fn plain(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('m').unwrap().1)
}

#[test]
fn texts_are_coloured_where_that_is_forced_and_nowhere_else() {
    let files = [
        (
            "main.tf",
            "resource \"aws_instance\" \"web\" {\n  ami = \"a\"\n  root_block_device {\n    encrypted = true\n  }\n}\n",
        ),
        (
            "x_override.tf",
            "resource \"aws_instance\" \"web\" {\n  ami = \"b\"\n  root_block_device {\n    volume_size = 8\n  }\n}\n",
        ),
    ];
    let (folder, before) = (folder(&files), self::folder(&files[..1]));
    let (here, before) = (path(&folder), path(&before));
    let commands: [&[&str]; 9] = [
        &["merge", here, "--format", "text"],
        &["merge", here, "--recursive", "--format", "text"],
        &["plan", here, "--format", "text"],
        &["plan", here, "--recursive", "--format", "text"],
        &["diff", before, here, "--format", "text"],
        &["plan-diff", before, here, "--format", "text"],
        &["compatibility", here],
        &["upgrade", here, "--from", "1.5", "--to", "1.15", "--format", "text"],
        &["explain", "override/content-lost"],
    ];
    for arguments in commands {
        let [out, err] = printed(arguments, &[]);
        assert!(!out.contains('\u{1b}') && !err.contains('\u{1b}'), "{arguments:?}");
        let forced = printed(arguments, &[("CLICOLOR_FORCE", "1")]);
        assert!(forced.iter().any(|text| text.contains('\u{1b}')), "{arguments:?}: {forced:?}");
        assert_eq!(forced.map(|text| plain(&text)), [out.clone(), err.clone()], "{arguments:?}");
        assert_eq!(printed(arguments, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), [out, err], "{arguments:?}");
    }
    let [out, err] = printed(&["merge", here, "--format", "text"], &[("CLICOLOR_FORCE", "1")]);
    assert!(out.contains("\u{1b}[31m  encrypted = true (main.tf:4) is lost"), "{out}");
    assert!(err.starts_with("\u{1b}[1m\u{1b}[33mwarning: "), "{err}");
    let [_, err] = printed(&["merge", "no/such/folder"], &[("CLICOLOR_FORCE", "1")]);
    assert!(err.starts_with("\u{1b}[1m\u{1b}[31moverfold:\u{1b}[0m "), "{err}");
}

#[test]
fn what_programs_read_has_no_colours() {
    let folder = folder(&[("main.tf", "locals {\n  a = 1\n  a = 2\n}\n")]);
    for format in ["json", "config", "sarif", "github-commands"] {
        let [out, _] = printed(&["merge", path(&folder), "--format", format], &[("CLICOLOR_FORCE", "1")]);
        assert!(!out.contains('\u{1b}'), "{format}: {out}");
    }
}

//! Rules about rooms that the compiler cannot enforce: which may use which, and which words may appear where.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the rooms in the order of `src/lib.rs`: each may use only those before it.
fn rooms() -> Vec<String> {
    let lib = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    lib.lines()
        .filter_map(|line| line.strip_prefix("pub mod ").or_else(|| line.strip_prefix("mod ")))
        .filter_map(|rest| rest.strip_suffix(';'))
        .map(str::to_owned)
        .collect()
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

/// Returns the path of each source file below `src/`, with `/` as the separator, and its text.
fn sources() -> Vec<(String, String)> {
    let src = root().join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
            (name, text)
        })
        .collect()
}

fn room_of(name: &str) -> &str {
    name.split('/').next().unwrap().trim_end_matches(".rs")
}

#[test]
fn each_room_uses_only_the_rooms_above_it() {
    let rooms = rooms();
    assert!(rooms.len() > 10, "the list of rooms in src/lib.rs was not found");
    let mut wrong = Vec::new();
    for (name, text) in sources() {
        let room = room_of(&name);
        if room == "lib" || room == "main" {
            continue;
        }
        let Some(own) = rooms.iter().position(|r| r == room) else {
            wrong.push(format!("{name}: room {room} is not listed in src/lib.rs"));
            continue;
        };
        for (line_number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for (at, _) in code.match_indices("crate::") {
                let rest = code.get(at + "crate::".len()..).unwrap_or_default();
                let used: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if let Some(other) = rooms.iter().position(|r| *r == used)
                    && other > own
                {
                    wrong.push(format!(
                        "{name}:{}: {room} may not use {used}, which comes after it in src/lib.rs",
                        line_number + 1
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_api_uses_web_crates() {
    let mut wrong = Vec::new();
    for (name, text) in sources() {
        if matches!(room_of(&name), "api" | "cli") {
            continue;
        }
        for word in ["axum::", "utoipa::", "tower_http::"] {
            if text.contains(word) {
                wrong.push(format!("{name} uses {word}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn core_rooms_deny_side_effects() {
    let core = [
        "diag",
        "files",
        "syntax",
        "value",
        "eval",
        "dialect",
        "hcl",
        "language",
        "config",
        "scope",
        "discover",
        "decode",
        "block_list",
        "merge",
        "checks",
        "vars",
        "early_eval",
        "repository",
    ];
    for room in core {
        let text = fs::read_to_string(root().join(format!("src/{room}/mod.rs"))).unwrap();
        assert!(
            text.contains("#![deny(clippy::disallowed_methods, clippy::disallowed_types)]"),
            "src/{room}/mod.rs does not deny the banned calls of .clippy.toml"
        );
    }
}

/// Checks that the tables of docs/settings.md and docs/limits.md list every setting of the service with its variable
/// and default, and nothing else.
#[test]
fn the_documents_list_every_setting() {
    let pages =
        ["docs/settings.md", "docs/limits.md"].map(|page| fs::read_to_string(root().join(page)).unwrap()).concat();
    let output =
        std::process::Command::new(env!("CARGO_BIN_EXE_overfold")).args(["serve", "--help"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let flags: Vec<&str> =
        help.lines().filter_map(|line| line.trim_start().strip_prefix("--")?.split(' ').next()).collect();
    assert!(flags.len() > 10, "the flags were not found in:\n{help}");
    let rows: Vec<&str> = pages.lines().filter(|line| line.starts_with("| `--")).collect();
    for flag in &flags {
        let variable = format!("`OVERFOLD_{}`", flag.to_uppercase().replace('-', "_"));
        let row = rows.iter().find(|row| row.starts_with(&format!("| `--{flag}`")));
        assert!(row.is_some_and(|row| row.contains(&variable)), "the documents have no row for --{flag}, {variable}");
        let after = help.split(&format!("--{flag}")).skip(1).find(|after| after.starts_with([' ', '\n'])).unwrap();
        let default = after.split("\n      --").next().unwrap().split_once("[default: ");
        if let Some((_, default)) = default {
            let default = default.split(']').next().unwrap().replace("the ", "");
            let default = default.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(row.unwrap().contains(&default), "the documents do not give --{flag} the default {default}");
        }
    }
    assert_eq!(rows.len(), flags.len(), "the documents list a flag that does not exist");
}

/// `room::item` and `folder/file.rs` in the documents for developers name something that exists in the room.
#[test]
fn the_documents_name_existing_items() {
    let (rooms, sources) = (rooms(), sources());
    let mut checked = 0;
    let mut wrong = Vec::new();
    for page in [
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "benches/README.md",
        "src/api/README.md",
        "src/dialect/README.md",
        "src/eval/README.md",
        "src/output/README.md",
    ] {
        let text = fs::read_to_string(root().join(page)).unwrap();
        for quoted in text.split('`').skip(1).step_by(2) {
            let path: Vec<&str> = quoted.split("::").collect();
            let exists = match path.as_slice() {
                [room, .., item] if rooms.iter().any(|known| known == room) => {
                    sources.iter().any(|(name, text)| room_of(name) == *room && declares(text, item))
                }
                [file] if file.ends_with(".rs") && !file.contains(['<', ' ']) => {
                    ["", "src/", "src/api/", "tests/"].iter().any(|folder| root().join(folder).join(file).exists())
                        || sources.iter().any(|(name, _)| name.ends_with(&format!("/{file}")))
                }
                _ => continue,
            };
            checked += 1;
            if !exists {
                wrong.push(format!("{page}: {quoted}"));
            }
        }
    }
    assert!(checked > 30, "only {checked} names were found");
    assert!(wrong.is_empty(), "the documents name what does not exist:\n{}", wrong.join("\n"));
}

/// Whether a source file declares an item of this name.
fn declares(text: &str, item: &str) -> bool {
    let keywords = ["fn", "struct", "enum", "trait", "mod", "type", "const", "static"];
    keywords.iter().any(|keyword| {
        let declaration = format!("{keyword} {item}");
        text.split(&declaration)
            .skip(1)
            .any(|after| !after.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
    })
}

/// Stages follow table rows; only the tables and the wire types may name dialects. This includes messages, the unit
/// tests within `src/`, and every spelling of a name. Comments may name a tool or its rule document.
#[test]
fn only_tables_and_wire_types_name_dialects() {
    let mut wrong = Vec::new();
    for (name, text) in sources() {
        if room_of(&name) == "dialect" || name == "api/v1.rs" || name.starts_with("api/v1/") {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            if let Some(word) = dialect_named_in(code_of(line)) {
                wrong.push(format!("src/{name}:{}: {word}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "running code may not ask which dialect it serves:\n{}", wrong.join("\n"));
}

/// Returns the line without its comment. A comment after code has a space on either side of `//`, which no URL has.
fn code_of(line: &str) -> &str {
    if line.trim_start().starts_with("//") { "" } else { line.split(" // ").next().unwrap_or_default() }
}

fn dialect_named_in(line: &str) -> Option<&'static str> {
    let line: String =
        line.chars().filter(|c| !matches!(c, '-' | '_' | '.' | ' ')).flat_map(char::to_lowercase).collect();
    ["opentofu", "tflint", "sentinel", "terraform011"].into_iter().find(|word| line.contains(word))
}

#[test]
fn every_spelling_of_a_dialect_is_found() {
    for line in [
        "opentofu",
        "OpenTofu",
        "open_tofu",
        "TfLint::new",
        "tf-lint",
        "SENTINEL",
        "terraform-0.11",
        "Terraform 0.11",
        "terraform_0_11",
        "Terraform011",
    ] {
        assert!(dialect_named_in(line).is_some(), "{line}");
    }
    for line in ["terraform 1.11", "a.tofu", "terraform.md", "sentry", "the fork"] {
        assert!(dialect_named_in(line).is_none(), "{line}");
    }
    for (line, found) in [
        ("/// As in OpenTofu.", false),
        ("    //! (tflint.md, section 3)", false),
        ("run(); // of Sentinel", false),
        ("let name = \"tflint\"; // of the tool", true),
        ("let page = \"https://sentinel.example\";", true),
    ] {
        assert_eq!(dialect_named_in(code_of(line)).is_some(), found, "{line}");
    }
}

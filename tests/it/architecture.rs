//! Rules about crates and modules that the compiler cannot enforce: which module of a crate may use which other, and
//! which words may appear where.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the folders of the crates: those under `crates/`, and `src` of the service.
fn crates() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src")).collect();
    folders.sort();
    folders.push(root().join("src"));
    folders
}

/// Returns the modules in the order of the `lib.rs` of this crate: each may use only those before it.
fn modules(folder: &Path) -> Vec<String> {
    declared(&folder.join("lib.rs"))
}

/// Returns the modules that a file declares, in order.
fn declared(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    text.lines()
        .filter_map(|line| line.strip_suffix(';')?.split_once("mod "))
        .filter(|(before, _)| before.is_empty() || before.starts_with("pub"))
        .map(|(_, name)| name.to_owned())
        .collect()
}

/// Returns the crates whose modules are stages, in whose `lib.rs` the order of the modules therefore counts.
fn layered() -> Vec<PathBuf> {
    [
        "crates/base/src",
        "crates/server/src",
        "crates/model/src",
        "crates/load/src",
        "crates/tree/src",
        "crates/engine/src",
        "src",
    ]
    .map(|folder| root().join(folder))
    .to_vec()
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

/// Returns the path of each source file below this folder, with `/` as the separator, and its text.
fn sources_below(folder: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    rust_files(folder, &mut files);
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
            (name, text)
        })
        .collect()
}

/// Returns the path of each source file of every crate from the root, and its text.
fn sources() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for folder in crates() {
        let below = folder.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
        all.extend(sources_below(&folder).into_iter().map(|(name, text)| (format!("{below}/{name}"), text)));
    }
    all
}

fn module_of(name: &str) -> &str {
    name.split('/').next().unwrap().trim_end_matches(".rs")
}

#[test]
fn each_module_uses_only_the_modules_above_it() {
    let mut wrong = Vec::new();
    for folder in layered() {
        let modules = modules(&folder);
        assert!(modules.len() > 3, "the list of modules in {}/lib.rs was not found", folder.display());
        for (name, text) in sources_below(&folder) {
            let module = module_of(&name);
            if module == "lib" || module == "main" {
                continue;
            }
            let Some(own) = modules.iter().position(|known| known == module) else {
                wrong.push(format!("{name}: module {module} is not listed in {}/lib.rs", folder.display()));
                continue;
            };
            for (line_number, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                for (index, _) in code.match_indices("crate::") {
                    let rest = code.get(index + "crate::".len()..).unwrap_or_default();
                    let used: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    if let Some(other) = modules.iter().position(|known| *known == used)
                        && other > own
                    {
                        wrong.push(format!(
                            "{name}:{}: {module} may not use {used}, which comes after it in lib.rs",
                            line_number + 1
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Within `api`, a layer uses only those above it in `src/api/mod.rs`, and a module of a layer only those above it in the
/// list of the layer. Paths to another module of `api` are written from `crate` on.
#[test]
fn each_part_of_the_api_uses_only_the_parts_above_it() {
    let api = root().join("src/api");
    let parts_of = |layer: &String| declared(&api.join(layer).join("mod.rs"));
    let modules: Vec<[String; 2]> = declared(&api.join("mod.rs"))
        .iter()
        .flat_map(|layer| parts_of(layer).into_iter().map(|module| [layer.clone(), module]))
        .collect();
    assert!(modules.len() > 30, "the modules of the layers were not found");
    let position = |layer: &str, module: &str| modules.iter().position(|[l, m]| l == layer && m == module);
    let (mut found, mut wrong) = (0, Vec::new());
    for (name, text) in sources_below(&root().join("src")) {
        let parts: Vec<&str> = name.trim_end_matches(".rs").split('/').collect();
        let ["api", layer, module, inner @ ..] = parts.as_slice() else { continue };
        if *module == "mod" {
            continue;
        }
        let own = position(layer, module);
        let depth = inner.iter().filter(|part| **part != "mod").count();
        // A file reaches the module that it is in through as many `super` as it is deep, its unit tests one more.
        let is_far = |line: &&str| {
            let most = depth + usize::from(line.starts_with("    "));
            code_of(line).contains(&"super::".repeat(most + 1))
        };
        wrong.extend(
            text.lines().filter(is_far).map(|line| format!("{name}: write the path from `crate` on: {line}")),
        );
        let code: String = text.lines().map(code_of).collect();
        for path in code.split("crate::api::").skip(1) {
            let (used_layer, rest) = path.split_once("::").unwrap_or((path, ""));
            // One module, or a list of modules in braces.
            let list = rest.strip_prefix('{').map_or(rest, |list| list.split('}').next().unwrap());
            let names = list.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty());
            for used in names.take(if list.len() < rest.len() { usize::MAX } else { 1 }) {
                let other = position(used_layer, used);
                found += 1;
                if other.is_none() || other > own {
                    wrong.push(format!("{name} may not use {used_layer}::{used}, which is not above it"));
                }
            }
        }
    }
    assert!(found > 100, "only {found} paths were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the service answers is no business of the crate that knows HTTP.
#[test]
fn the_server_knows_nothing_of_the_stages() {
    let manifest = fs::read_to_string(root().join("crates/server/Cargo.toml")).unwrap();
    let own: Vec<_> = manifest.lines().filter(|line| line.starts_with("overfold-")).collect();
    assert_eq!(own, [r#"overfold-account = { workspace = true, features = ["allocator"] }"#]);
    let manifest = fs::read_to_string(root().join("crates/account/Cargo.toml")).unwrap();
    let own: Vec<_> = manifest.lines().filter(|line| line.starts_with("overfold-")).collect();
    assert_eq!(own, ["overfold-heap = { workspace = true, optional = true }"]);
}

#[test]
fn only_the_api_uses_web_crates() {
    let mut wrong = Vec::new();
    for (name, text) in sources() {
        if ["src/api/", "src/cli/", "crates/server/"].iter().any(|folder| name.starts_with(folder)) {
            continue;
        }
        for word in ["axum::", "utoipa::", "tower_http::"] {
            // What can be asked and answered, and every choice among names, is described where it is declared.
            let described = [
                "crates/engine/src/options",
                "crates/engine/src/compatibility/json.rs",
                "crates/output/src/view/",
                "crates/base/src/openapi.rs",
            ];
            let is_description = word == "utoipa::" && described.iter().any(|start| name.starts_with(start));
            if text.contains(word) && !is_description {
                wrong.push(format!("{name} uses {word}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Nothing between a request's bytes and its answer reads a disk, a clock, the environment or randomness, except where
/// an exception says why.
#[test]
fn every_crate_but_the_server_denies_side_effects() {
    let exempt = ["src", "crates/server/src"].map(|folder| root().join(folder));
    for folder in crates().into_iter().filter(|folder| !exempt.contains(folder)) {
        let text = fs::read_to_string(folder.join("lib.rs")).unwrap();
        assert!(
            text.contains("\n#![deny(clippy::disallowed_methods, clippy::disallowed_types)]\n"),
            "{}/lib.rs does not deny the banned calls of .clippy.toml",
            folder.display()
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

/// Returns the source files of what the documents call a module: a crate of that name, or a module of any crate.
fn files_of<'s>(module: &str, sources: &'s [(String, String)]) -> Vec<&'s str> {
    let as_crate = format!("crates/{module}/src/");
    let is_of = |name: &str| {
        let (_, inner) = name.split_once("src/").unwrap();
        name.starts_with(&as_crate) || module_of(inner) == module
    };
    sources.iter().filter(|(name, _)| is_of(name)).map(|(_, text)| text.as_str()).collect()
}

/// `module::item` and `folder/file.rs` in the documents for developers name something that exists in the module.
#[test]
fn the_documents_name_existing_items() {
    let sources = sources();
    let mut checked = 0;
    let mut wrong = Vec::new();
    for page in [
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "benches/README.md",
        "src/api/README.md",
        "crates/server/README.md",
        "crates/dialect/README.md",
        "crates/eval/README.md",
        "crates/output/README.md",
    ] {
        let text = fs::read_to_string(root().join(page)).unwrap();
        for quoted in text.split('`').skip(1).step_by(2) {
            let path: Vec<&str> = quoted.split("::").collect();
            let exists = match path.as_slice() {
                [module, .., item] if !files_of(module, &sources).is_empty() => {
                    files_of(module, &sources).iter().any(|text| declares(text, item))
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
        let may = [
            "crates/dialect/",
            "crates/load/src/loading/dialects.rs",
            "crates/engine/src/options/",
            "src/api/wire/v1.rs",
            "src/api/wire/v1/",
            // Texts that explain options and the service, to people.
            "src/cli/help.rs",
            "src/api/routes/openapi/mod.rs",
        ];
        if may.iter().any(|start| name.starts_with(start)) {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            if let Some(word) = dialect_named_in(code_of(line)) {
                wrong.push(format!("{name}:{}: {word}: {}", number + 1, line.trim()));
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

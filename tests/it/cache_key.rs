//! The key under which the action keeps a program that it built: it covers everything that the build reads.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files and folders whose content makes the key.
fn covered() -> Vec<PathBuf> {
    let script = fs::read_to_string(root().join("examples/github-action/find")).unwrap();
    let (_, found) = script.split_once("digest=$(find ").unwrap();
    let (list, _) = found.split_once(" -type f").unwrap();
    list.split(' ').map(PathBuf::from).collect()
}

/// Adds all Rust files below a folder.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}

/// Returns a path without `..`, relative to the top.
fn relative(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.strip_prefix(root()).unwrap().components() {
        match part {
            Component::ParentDir => assert!(clean.pop()),
            part => clean.push(part),
        }
    }
    clean
}

#[test]
fn the_key_of_the_action_covers_all_sources() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let folders = manifest.lines().filter_map(|line| line.split_once("path = \"")?.1.split('"').next());
    let is_source = |path: &&str| root().join(path).join("Cargo.toml").is_file();
    let folders = folders.filter(|path| path.starts_with("crates/"));
    let mut read: BTreeSet<PathBuf> = folders.filter(is_source).map(PathBuf::from).collect();
    assert!(read.len() > 5, "{read:?}");
    let mut files = Vec::new();
    for folder in read.iter().map(|folder| root().join(folder)).chain([root().join("src")]) {
        sources(&folder.join(if folder.ends_with("src") { "" } else { "src" }), &mut files);
    }
    files.push(root().join("build.rs"));
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        for word in ["include_str!(\"", "include_bytes!(\"", "include!(\""] {
            for (_, behind) in text.match_indices(word).map(|(at, _)| text.split_at(at + word.len())) {
                let path = file.parent().unwrap().join(behind.split('"').next().unwrap());
                let path = path.exists().then(|| relative(&path));
                // What only tests of a crate read is no part of the program, nor are the documents whose examples are tests.
                read.extend(
                    path.filter(|path| !path.starts_with("tests") && path.extension().is_none_or(|end| end != "md")),
                );
            }
        }
    }
    read.extend(files.iter().map(|file| relative(file)));
    read.extend(["Cargo.toml", "Cargo.lock", "build.rs"].map(PathBuf::from));
    let covered = covered();
    for path in &covered {
        assert!(root().join(path).exists(), "{} is not there", path.display());
    }
    for path in read {
        assert!(covered.iter().any(|folder| path.starts_with(folder)), "{} is not in the key", path.display());
    }
}

//! What README.md and the pages of `docs/` say is true: their links lead somewhere, and their commands run.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::service::Service;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages for people, from the root: those at the top, those of `docs/`, and that of the examples.
fn pages() -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "examples/README.md"]
            .map(PathBuf::from)
            .into();
    let names = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().file_name());
    all.extend(
        names
            .filter(|name| Path::new(name).extension().is_some_and(|end| end == "md"))
            .map(|name| Path::new("docs").join(name)),
    );
    all.sort();
    all
}

/// The anchors of a page, as code hosts make them from its headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let slug = |heading: &str| -> String {
        let kept = heading.to_lowercase().replace(' ', "-");
        kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
    };
    headings.map(slug).collect()
}

#[test]
fn links_lead_to_files_and_headings() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for page in pages() {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.contains("://") {
                continue;
            }
            count += 1;
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = if path.is_empty() { page.clone() } else { page.parent().unwrap().join(path) };
            let found = fs::read_to_string(root().join(&file)).unwrap_or_default();
            if !root().join(&file).exists() || !anchor.is_empty() && !anchors(&found).contains(anchor) {
                wrong.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "these links lead nowhere:\n{}", wrong.join("\n"));
    assert!(count > 40, "only {count} links were found");
}

/// Every page of `docs/` can be reached from the front door.
#[test]
fn the_readme_leads_to_every_page() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    for page in pages().iter().filter(|page| page.starts_with("docs")) {
        assert!(readme.contains(&format!("({}", page.display())), "README.md does not lead to {}", page.display());
    }
}

/// The commands in the blocks ```` ```sh ```` of README.md and `docs/`, continued lines joined, without comments.
fn commands() -> Vec<(PathBuf, String)> {
    let mut all = Vec::new();
    for page in pages().into_iter().filter(|page| page == Path::new("README.md") || page.starts_with("docs")) {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        for block in text.split("```sh\n").skip(1).filter_map(|rest| rest.split("\n```").next()) {
            for line in block.replace("\\\n", " ").replace("|\n", "| ").lines() {
                let command = line.split(" #").next().unwrap_or(line).trim().to_owned();
                all.push((page.clone(), command));
            }
        }
    }
    all
}

/// Each command runs in a folder that has what the pages speak of. What `overfold diff` and `overfold compatibility`
/// find may make their exit code 1, as their pages say; 2 and more is a failure.
#[test]
fn commands_run() {
    let service = Service::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let (work, base, bin) = (folder.path().join("work"), folder.path().join("base"), folder.path().join("bin"));
    for new in [&work, &base, &bin] {
        fs::create_dir(new).unwrap();
    }
    symlink(env!("CARGO_BIN_EXE_overfold"), bin.join("overfold")).unwrap();
    symlink(root().join("examples"), work.join("examples")).unwrap();
    symlink(root().join("tests"), work.join("tests")).unwrap();
    for infra in [work.join("infra"), base.join("infra")] {
        symlink(root().join("examples/web"), infra).unwrap();
    }
    let has_curl = Command::new("curl").arg("--version").output().is_ok();
    let mut ran = 0;
    for (page, command) in commands() {
        let command = command
            .replace("cargo run --release -- ", "overfold ")
            .replace("127.0.0.1:8080/v1", &format!("{}/v1", service.address));
        // The service itself runs above; the others need a repository, or say "…" where the reader fills in.
        let elsewhere = ["cargo ", "git ", "overfold serve "].iter().any(|start| command.starts_with(start));
        if elsewhere || command.contains('…') || command.contains("curl") && !has_curl {
            continue;
        }
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
        let output = Command::new("sh").args(["-c", &command]).current_dir(&work).env("PATH", path).output().unwrap();
        let finds = ["overfold diff", "overfold compatibility"].iter().any(|start| command.starts_with(start));
        let code = output.status.code();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(code == Some(0) || finds && code == Some(1), "{}: {command}\n{code:?}\n{said}", page.display());
        if command.contains("/v1/merge") {
            let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(answer["valid"], true, "{command}: {answer}");
        }
        ran += 1;
    }
    assert!(ran >= 8, "only {ran} commands were found");
}

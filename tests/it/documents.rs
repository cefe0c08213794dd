//! README.md and the pages of `docs/` are accurate: their links are valid, and their commands run.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::Ipv4Addr;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::issuer::{Signer, changed, jwks};
use crate::service::Service;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the pages for people, relative to the root: those at the top, those of `docs/`, and that of the examples.
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

/// Returns the anchors of a page, as code hosts derive them from its headings.
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

/// Every page of `docs/` can be reached from README.md.
#[test]
fn the_readme_leads_to_every_page() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    for page in pages().iter().filter(|page| page.starts_with("docs")) {
        assert!(readme.contains(&format!("({}", page.display())), "README.md does not lead to {}", page.display());
    }
}

/// A page and a command that it contains.
type Shown = (PathBuf, String);

/// Returns the commands in the ```` ```sh ```` blocks of README.md and `docs/`, with continued lines joined and without
/// comments.
fn commands() -> Vec<Shown> {
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

/// Returns the commands within the prose of README.md.
fn inline_commands() -> Vec<Shown> {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let prose: String = text.split("```").step_by(2).collect();
    let spans = prose.split('`').skip(1).step_by(2).map(|span| span.replace('\n', " "));
    let is_command = |span: &String| {
        let words = ["overfold ", "cargo ", "docker ", "git ", ".ci/", "release/"];
        words.iter().any(|start| span.starts_with(start))
    };
    spans.filter(is_command).map(|span| (PathBuf::from("README.md"), span)).collect()
}

/// Commands that take too long for a test, or that this test is part of: the file that runs the same command, and the
/// text in it.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    ("cargo test --quiet", ".ci/run", "\n    cargo test --quiet --locked\n"),
    (".ci/run", "CONTRIBUTING.md", "then `.ci/run`"),
    (".ci/examples target/debug/overfold", ".ci/run", "\n    .ci/examples \"$target/debug/overfold\"\n"),
    ("cargo install --locked --path .", "action.yml", "install --locked --path "),
    ("docker compose up --build", "docker-compose.yml", "# docker compose up --build\n"),
];

/// The environment of the commands: a repository with a main branch, in which `infra` is a module that has since
/// changed.
struct Stage {
    folder: tempfile::TempDir,
    has_git: bool,
    has_curl: bool,
    /// The service that answers: the one that was started last.
    service: Service,
    /// The last output of `overfold token`.
    token: String,
    /// An identity of the issuer.
    identity: String,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (work, bin) = (folder.path().join("work"), folder.path().join("bin"));
        for new in [&work, &bin] {
            fs::create_dir_all(new).unwrap();
        }
        symlink(env!("CARGO_BIN_EXE_overfold"), bin.join("overfold")).unwrap();
        for part in ["examples", "tests"] {
            symlink(root().join(part), work.join(part)).unwrap();
        }
        // An issuer of identities, as in docs/deployment.md.
        let signer = Signer::usual();
        fs::write(work.join("jwks.json"), jwks(&[signer.jwk()])).unwrap();
        let claims = serde_json::json!({"iss": "https://issuer.example.com/", "aud": "overfold"});
        let identity = signer.token(&changed(&claims));
        let has = |program: &str| Command::new(program).arg("--version").output().is_ok();
        let service = Service::start(&[]);
        let stage =
            Self { folder, has_git: has("git"), has_curl: has("curl"), service, token: String::new(), identity };
        stage.must("cp -R examples/web infra");
        if stage.has_git {
            let identity = "-c user.name=test -c user.email=test@example.com -c commit.gpgsign=false";
            stage.must(&format!(
                "git init --quiet && git add infra && git {identity} commit --quiet -m x && \
                 git update-ref refs/remotes/origin/main HEAD"
            ));
        }
        let change = "locals {\n  changed = true\n}\n";
        fs::write(work.join("infra/changed.tf"), change).unwrap();
        stage
    }

    /// Runs the command in a shell, in the repository, with `overfold` in the path.
    fn shell(&self, command: &str) -> Command {
        let bin = self.folder.path().join("bin");
        let mut shell = Command::new("sh");
        shell
            .args(["-c", command])
            .current_dir(self.folder.path().join("work"))
            .env("PATH", format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default()))
            .env("TOKEN", &self.token)
            .env("JWT", &self.identity);
        shell
    }

    fn must(&self, command: &str) {
        let output = self.shell(command).output().unwrap();
        assert!(output.status.success(), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Starts a command that serves, and requests the page at `/`.
    fn serve(&mut self, command: &str) {
        let command = self.shell(&format!("exec {}", command.replace(":8080", ":0")));
        self.service = Service::start_as(command);
        self.service.address.set_ip(Ipv4Addr::LOCALHOST.into());
        let mut stream = self.service.connect();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("<title>overfold"), "{answer}");
    }

    /// Runs a command, and returns whether it could be run. `overfold diff`, `overfold compatibility`, `overfold plan` and `overfold upgrade` may
    /// exit with code 1 because of what they find, as their pages explain; 2 and higher is a failure.
    fn run(&mut self, page: &Path, command: &str) -> bool {
        let place = page.display();
        let command = command.replace("cargo run -- ", "overfold ");
        if command == "cargo run" {
            self.serve("overfold");
            return true;
        }
        if command.starts_with("overfold serve ") {
            self.serve(&command);
            return true;
        }
        if command.contains("curl") && !self.has_curl || command.starts_with("git ") && !self.has_git {
            return false;
        }
        assert!(!command.contains('…'), "{place}: {command}: only the reader could run it");
        let command = command.replace("127.0.0.1:8080", &self.service.address.to_string());
        let output = self.shell(&command).output().unwrap();
        let finds = ["overfold diff", "overfold compatibility", "overfold plan", "overfold upgrade"]
            .iter()
            .any(|start| command.starts_with(start));
        let code = output.status.code();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(code == Some(0) || finds && code == Some(1), "{place}: {command}\n{code:?}\n{said}");
        if command.starts_with("overfold diff ../base") {
            assert!(String::from_utf8_lossy(&output.stdout).contains("`local.changed`"), "{place}: {command}");
        }
        if command.contains("/v1/merge") {
            let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(answer["valid"], true, "{command}: {answer}");
        } else if command.starts_with("curl") {
            let answer = String::from_utf8_lossy(&output.stdout);
            assert!(answer.starts_with('{') && !answer.contains("\"status\":"), "{place}: {command}: {answer}");
        }
        if command.starts_with("overfold token ") {
            let words = said.split_whitespace().map(str::to_owned);
            self.token = words.filter(|word| word.len() > 20).max_by_key(String::len).unwrap();
        }
        true
    }
}

/// Whether this command is run elsewhere; that file is checked.
fn runs_elsewhere(command: &str) -> bool {
    let Some((_, file, words)) = ELSEWHERE.iter().find(|(known, ..)| *known == command) else { return false };
    let text = fs::read_to_string(root().join(file)).unwrap();
    assert!(text.contains(words), "{command}: {file} does not run it");
    true
}

#[test]
fn commands_run() {
    let mut stage = Stage::new();
    if !stage.has_git || !stage.has_curl {
        eprintln!("SKIPPED: commands that need git or curl have NOT been run: one of them is not installed");
    }
    let mut ran = 0;
    for (page, command) in commands() {
        let is_possible = stage.has_git || !command.contains("diff ../base");
        if is_possible && !runs_elsewhere(&command) {
            ran += usize::from(stage.run(&page, &command));
        }
    }
    for (page, command) in inline_commands() {
        if runs_elsewhere(&command) {
            continue;
        }
        let command = command.replace(" CODE", " override/content-lost");
        // A bare name, such as `overfold diff`, refers to a page of its own.
        let is_name = ["diff", "plan-diff", "upgrade", "compatibility"]
            .iter()
            .any(|name| command == format!("overfold {name}"));
        ran += usize::from(stage.run(&page, &if is_name { command + " --help" } else { command }));
    }
    assert!(ran >= 15 || !stage.has_curl || !stage.has_git, "only {ran} commands were found");
}

//! `version: "auto"`: the version that a repository means. And `GET /v1/versions`, `overfold versions`, docs/versions.md.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli::{folder, path, run};
use crate::http::{get, post_to};

/// Asks for the version that these files mean.
async fn ask(route: &str, dialect: &str, root: &str, files: Value) -> Value {
    let request = json!({"dialect": dialect, "version": "auto", "root": root, "files": files});
    let answer = post_to(route, "application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// Returns the version, what says so, and the file and line in which it is said.
fn found(answer: &Value) -> (String, String, String) {
    let from = &answer["version_from"];
    let place = from["range"]["filename"].as_str().map_or_else(String::new, |file| {
        format!("{file}:{}:{}", from["range"]["start"]["line"], from["range"]["start"]["column"])
    });
    (answer["version"].as_str().unwrap().to_owned(), from["source"].as_str().unwrap().to_owned(), place)
}

/// The release that a dialect follows by default.
pub(crate) fn newest(dialect: &str) -> &'static str {
    overfold_cli::dialect::versions(dialect).unwrap().1
}

/// The last release that a dialect knows, which may be a candidate.
pub(crate) fn last(dialect: &str) -> String {
    overfold_cli::dialect::versions(dialect).unwrap().0.pop().unwrap()
}

fn expected(version: &str, source: &str, place: &str) -> (String, String, String) {
    (version.to_owned(), source.to_owned(), place.to_owned())
}

#[tokio::test]
async fn constraints_of_the_whole_tree_count() {
    let files = json!({
        "main.tf": "terraform {\n  required_version = \">= 1.2\"\n}\nmodule \"a\" {\n  source = \"./a\"\n}\n",
        "a/main.tf": "module \"b\" {\n  source = \"../b\"\n}\n",
        "b/main.tf": "terraform {\n  required_version = \"< 1.9, != 1.8.5\"\n}\n",
        "c/main.tf": "terraform {\n  required_version = \"< 1.1\"\n}\n",
    });
    for route in ["/v1/merge", "/v1/plan", "/v1/compatibility"] {
        let answer = ask(route, "terraform", ".", files.clone()).await;
        assert_eq!(found(&answer), expected("1.8.4", "required-version", "main.tf:2:3"), "{route}");
    }
    let impossible = json!({"main.tf": "terraform {\n  required_version = \"> 9\"\n}\n"});
    let answer = ask("/v1/merge", "terraform", ".", impossible).await;
    assert_eq!(found(&answer), expected(newest("terraform"), "default", ""));
    assert_eq!(answer["valid"], json!(false));
}

#[tokio::test]
async fn each_side_of_a_difference_finds_its_own() {
    let request = json!({"before": {"version": "auto", "files": {"main.tf": "", ".terraform-version": "1.5.7"}},
        "after": {"version": "auto", "files": {"main.tf": "", ".terraform-version": "1.9.8"}}});
    let answer = post_to("/v1/diff", "application/json", request.to_string()).await.json();
    assert_eq!((&answer["before"]["version"], &answer["after"]["version"]), (&json!("1.5.7"), &json!("1.9.8")));
    assert_eq!(answer["after"]["version_from"]["range"]["filename"], ".terraform-version");
    let request =
        json!({"recursive": true, "version": "auto", "files": {"m/main.tf": "", ".terraform-version": "1.6.1"}});
    let answer = post_to("/v1/merge", "application/json", request.to_string()).await.json();
    assert_eq!(found(&answer), expected("1.6.1", "version-file", ".terraform-version:1:1"));
}

#[test]
fn the_command_looks_up_to_the_top_of_the_repository() {
    let files = [("top/.terraform-version", "1.4.1\n"), ("top/repo/.git/HEAD", ""), ("top/repo/a/b/main.tf", "")];
    let folder = folder(&files);
    let version = |place: &str, args: &[&str]| {
        let dir = format!("{}/{place}", path(&folder));
        let (code, out, err) = run(&[&["merge", &dir, "--format", "json"], args].concat());
        assert_eq!(code, 0, "{err}");
        serde_json::from_str::<Value>(&out).unwrap()["version"].clone()
    };
    assert_eq!(version("top/repo/a/b", &[]), newest("terraform"));
    fs::write(folder.path().join("top/repo/.terraform-version"), "1.5.2\n").unwrap();
    assert_eq!(version("top/repo/a/b", &[]), "1.5.2");
    assert_eq!(version("top/repo/a", &["--root", "b"]), "1.5.2");
    assert_eq!(version("top/repo/a/b", &["--version", "1.7"]), "1.7");
    let (_, out, _) = run(&["plan", &format!("{}/top/repo/a/b", path(&folder)), "--format", "json"]);
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap()["version"], "1.5.2");
}

#[test]
fn the_command_knows_a_folder_of_opentofu() {
    for (name, text) in [
        ("x.tofu", ""),
        (".opentofu-version", "1.10.0"),
        (".tool-versions", "opentofu 1.10.0"),
        (".terraform.lock.hcl", "provider \"registry.opentofu.org/hashicorp/aws\" {\n}\n"),
    ] {
        let folder = folder(&[("main.tf", ""), (name, text)]);
        let (code, out, err) = run(&["merge", path(&folder), "--format", "json"]);
        assert_eq!((code, serde_json::from_str::<Value>(&out).unwrap()["dialect"].as_str()), (0, Some("opentofu")));
        assert!(err.contains("following OpenTofu, because of") && err.contains(name), "{err}");
        let (_, out, err) = run(&["merge", path(&folder), "--format", "json", "--dialect", "terraform"]);
        assert_eq!(serde_json::from_str::<Value>(&out).unwrap()["dialect"], "terraform");
        assert!(!err.contains("following OpenTofu"), "{err}");
    }
}

#[tokio::test]
async fn versions_are_listed_with_what_was_recorded() {
    let list = get("/v1/versions").await.json();
    let terraform = &list["tools"][0];
    assert_eq!(
        (&terraform["dialect"], &terraform["default_version"]),
        (&json!("terraform"), &json!(newest("terraform")))
    );
    let line = terraform["lines"].as_array().unwrap().iter().find(|line| line["line"] == "1.10").unwrap();
    assert_eq!(line["recorded"], json!(["1.10.4", "1.10.5"]));
    let moved = list["differences"].as_array().unwrap().iter().find(|row| row["id"] == "block:moved").unwrap();
    assert_eq!(moved["ranges"]["terraform"], json!([{"from": "1.1.0"}]));
    let (code, out, _) = run(&["versions"]);
    assert!(code == 0 && out.contains("1.11  newest 1.11.4"), "{out}");
}

/// docs/versions.md is what `overfold versions --format markdown` prints; with `OVERFOLD_GOLDEN=write` in the environment it
/// is written.
#[test]
fn golden_page_of_versions() {
    let (_, page, _) = run(&["versions", "--format", "markdown"]);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/versions.md");
    if std::env::var("OVERFOLD_GOLDEN").is_ok_and(|value| value == "write") {
        fs::write(&file, &page).unwrap();
    }
    assert!(
        fs::read_to_string(&file).unwrap() == page,
        "docs/versions.md is out of date; run\n  OVERFOLD_GOLDEN=write cargo test --test it golden"
    );
}

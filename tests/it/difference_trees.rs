//! `POST /v1/diff` and `overfold diff` with `recursive`: every module of two repositories.

use std::fs;

use serde_json::{Value, json};

use crate::difference::{are_golden, diff, diff_as, form, lines};
use crate::http::post_to;

/// Describes what happened to each module, and within it.
fn modules(answer: &Value) -> Vec<String> {
    let modules = answer["modules"].as_object().unwrap().iter();
    let line = |(path, module): (&String, &Value)| {
        let inside = lines(module["changes"].as_array().unwrap()).join("; ");
        format!("{} {path}: {inside}", module["change"].as_str().unwrap()).trim_end().to_owned()
    };
    modules.map(line).collect()
}

async fn answer(body: &Value) -> Value {
    let answer = diff(body).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

fn pair(before: &Value, after: &Value) -> Value {
    json!({"before": {"stage": "load", "files": before, "recursive": true}, "after": {"stage": "load", "files": after, "recursive": true}})
}

/// Returns two states of a repository that together contain every kind of difference.
fn example() -> Value {
    let mut body = pair(
        &json!({
            "main.tf": "module \"net\" {\n  source = \"./modules/net\"\n}\n",
            "modules/net/main.tf": "variable \"cidr\" {\n  default = \"10.0.0.0/8\"\n}\n",
            "modules/old/main.tf": "locals {\n  gone = 1\n}\n",
            "modules/same/main.tf": "locals {\n  a = 1\n}\n",
            "modules/warned/main.tf": "resource \"a\" \"b\" {\n  depends_on = [\"a.c\"]\n}\n",
            "modules/walks/a.tf": "locals {\n  a = 1\n}\n",
        }),
        &json!({
            "main.tf": "module \"net\" {\n  source = \"./modules/net\"\n}\n",
            "modules/net/main.tf": "variable \"cidr\" {\n  type = string\n}\n",
            "modules/net/override.tf": "variable \"cidr\" {\n  description = \"`|@team\"\n}\n",
            "modules/new|`x`/main.tf": "locals {\n  come = 1\n}\n",
            "modules/same/main.tf": "locals { a = 1 }\n",
            "modules/warned/main.tf": "resource \"a\" \"b\" {\n  depends_on = [\"a.c\"]\n}\n",
            "modules/walks/b.tf": "locals {\n  a = 1\n}\n",
        }),
    );
    for side in ["before", "after"] {
        body[side]["path_prefix"] = json!("infra");
        body[side]["version"] = json!("1.11.4");
    }
    body
}

#[tokio::test]
async fn golden_answers() {
    are_golden("recursive", &example()).await;
}

#[tokio::test]
async fn modules_are_paired_by_their_path_below_the_root() {
    let answered = answer(&example()).await;
    assert_eq!(
        modules(&answered),
        [
            "unchanged .:",
            "changed modules/net: changed var.cidr removed default, added description, added type",
            "added modules/new|`x`: added local.come",
            "removed modules/old: removed local.gone",
            "unchanged modules/walks: moved local.a",
            "unchanged modules/warned:",
        ],
        "{answered:#}"
    );
    let counts = json!({"added": 1, "removed": 1, "changed": 1, "unchanged": 4, "not_compared": 0});
    assert_eq!((&answered["different"], &answered["module_counts"]), (&json!(true), &counts));
    let added = &answered["modules"]["modules/new|`x`"];
    assert_eq!((&added["before"], &added["after"]["path"]), (&Value::Null, &json!("modules/new|`x`")));
    // The call now lacks an argument, which can only be seen with the whole tree.
    let root = &answered["modules"]["."]["diagnostics"];
    assert_eq!(root["appeared"], json!([0]), "{root:#}");
    assert_eq!(root["after"][0]["summary"], "Missing required argument");
    assert_eq!(root["after"][0]["range"]["filename"], "infra/main.tf");
    assert_eq!((&answered["before"]["valid"], &answered["after"]["valid"]), (&json!(true), &json!(false)));
    // Two folders of the same upload.
    let files = json!({"v1/main.tf": "locals {\n  a = 1\n}\n", "v2/main.tf": "locals {\n  a = 2\n}\n",
                       "v1/m/main.tf": "", "v2/m/main.tf": ""});
    let body = json!({"before": {"stage": "load", "files": files, "root": "v1", "recursive": true}, "after": {"stage": "load", "root": "v2", "recursive": true}});
    let answered = answer(&body).await;
    assert_eq!(modules(&answered), ["changed .: changed local.a changed value"], "{answered:#}");
    let root = &answered["modules"]["."];
    assert_eq!((&root["before"]["path"], &root["after"]["path"]), (&json!("v1"), &json!("v2")));
    assert_eq!(root["changes"][0]["after"]["range"]["filename"], "v2/main.tf");
    assert_eq!(answered["after"]["path"], "v2");
}

#[tokio::test]
async fn equal_trees_and_empty_ones() {
    let files = json!({"a/main.tf": "locals {\n  a = 1\n}\n", "b/main.tf": ""});
    let answered = answer(&pair(&files, &files)).await;
    assert_eq!((&answered["different"], &answered["modules"]), (&json!(false), &json!({})), "{answered:#}");
    assert_eq!(answered["module_counts"]["unchanged"], 2);
    let text = String::from_utf8(diff_as("text/markdown", &pair(&files, &files)).await.body).unwrap();
    assert!(text.starts_with("### No effective changes\n\n2 modules unchanged.\n\n<sub>overfold "), "{text}");
    // A root without configuration is not listed as a module next to the modules of the other side.
    let none = json!({"readme.md": ""});
    assert_eq!(modules(&answer(&pair(&none, &files)).await), ["added a: added local.a", "added b:"]);
    assert_eq!(modules(&answer(&pair(&files, &none)).await), ["removed a: removed local.a", "removed b:"]);
    let answered = answer(&pair(&none, &none)).await;
    assert_eq!((&answered["different"], &answered["module_counts"]["unchanged"]), (&json!(false), &json!(1)));
}

#[tokio::test]
async fn paths_of_either_side_limit_the_answer() {
    let files = |a: &str, b: &str| json!({"main.tf": "module \"a\" {\n  source = \"./a\"\n}\n", "a/main.tf": a, "b/main.tf": b, "c/main.tf": "x =\n"});
    let (was, is) = (files("locals {\n  a = 1\n}\n", "locals {\n  b = 1\n}\n"), files("variable \"v\" {}\n", ""));
    for (side, paths, expected) in [
        ("before", json!(["b/main.tf"]), vec!["changed b: removed local.b"]),
        ("after", json!(["b/main.tf"]), vec!["changed b: removed local.b"]),
        ("after", json!(["a/gone.tf"]), vec!["unchanged .:", "changed a: removed local.a; added var.v"]),
        ("after", json!(["c/main.tf"]), vec!["unchanged c:"]),
        ("after", json!([]), vec![]),
    ] {
        let mut body = pair(&was, &is);
        body[side]["paths"] = paths.clone();
        assert_eq!(modules(&answer(&body).await), expected, "{side} {paths}");
    }
}

#[tokio::test]
async fn values_apply_only_to_the_root_and_secrets_stay_hidden() {
    let files = |secret: &str| {
        let text = format!("variable \"p\" {{\n  sensitive = true\n  default = \"{secret}\"\n}}\n");
        json!({"main.tf": text, "m/main.tf": text})
    };
    let mut body = pair(&files("hunter2a"), &files("hunter2b"));
    body["after"]["variables"] = json!({"env": {"TF_VAR_p": "hunter2c"}});
    for accept in ["application/json", "text/markdown", "text/plain"] {
        let answer = diff_as(accept, &body).await;
        let text = String::from_utf8(answer.body).unwrap();
        assert!(answer.status == 200 && text.contains("var.p") && !text.contains("hunter2"), "{text}");
    }
    body["after"]["variables"] = json!({"args": [{"var_file": "nowhere.tfvars"}]});
    let problem = diff(&body).await.problem(422, "var-file-not-found");
    assert_eq!(problem["pointer"], "/after/variables/args");
}

/// A module that cannot be run is neither added nor changed.
#[tokio::test]
async fn a_directory_that_cannot_be_run_is_not_compared() {
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    header.set_cksum();
    builder.append_link(&mut header, "a/main.tf", "/etc/hostname").unwrap();
    let mut header = tar::Header::new_ustar();
    header.set_size(0);
    header.set_mode(0o644);
    builder.append_data(&mut header, "a/other.tf", &b""[..]).unwrap();
    let broken = builder.into_inner().unwrap();
    let fine = crate::difference::tar(&[("a/main.tf", "locals {\n  a = 1\n}\n")]);
    let options = br#"{"before": {"recursive": true, "strip_components": 0}, "after": {"recursive": true, "strip_components": 0}}"#;
    let parts: [(&str, &[u8]); 3] = [("before", &broken), ("after", &fine), ("options", options)];
    let answered = post_to("/v1/diff", "multipart/form-data; boundary=XX", form(&parts)).await.json();
    assert_eq!(modules(&answered), ["not-compared a:"], "{answered:#}");
    let found = &answered["modules"]["a"]["diagnostics"]["before"][0];
    assert_eq!(found["code"], "calls/unreadable-file", "{answered:#}");
    assert_eq!((&answered["different"], &answered["before"]["valid"]), (&json!(true), &json!(false)));
}

/// The comment stays within its length over all modules, and says how much is missing.
#[tokio::test]
async fn a_comment_about_many_modules_is_cut() {
    let files = |value: usize| -> Value {
        let file = |at: usize| {
            let lines = (0..15).map(|line| format!("  a{line} = \"{value}{}\"\n", "x".repeat(80)));
            (format!("m/{at:03}/main.tf"), json!(format!("locals {{\n{}}}\n", lines.collect::<String>())))
        };
        Value::Object((0..45).map(file).collect())
    };
    let text = String::from_utf8(diff_as("text/markdown", &pair(&files(1), &files(2))).await.body).unwrap();
    assert!(text.chars().count() <= 65_536 && text.chars().count() > 60_000, "{}", text.chars().count());
    assert!(
        text.starts_with("### 675 objects changed\n\n45 modules changed; 675 objects changed.\n\n| Module | Changes |\n| --- | --- |\n| `m/000` | 15 changed |\n"),
        "{text}"
    );
    let rows = text.lines().filter(|line| line.starts_with("  - `value`: ")).count();
    assert!(text.contains(&format!("\n{} more entries are not shown.\n\n<sub>", 675 - rows)), "{rows}");
    let text = String::from_utf8(diff_as("text/plain", &pair(&files(1), &files(2))).await.body).unwrap();
    assert!(text.ends_with("\n0 objects added, 0 removed, 675 changed\n"), "{text}");
}

#[tokio::test]
async fn every_dialect_is_compared() {
    for (dialect, name, text) in [
        ("terraform", "main.tf", "locals {\n  a = VALUE\n}\n"),
        ("opentofu", "main.tofu", "locals {\n  a = VALUE\n}\n"),
        ("tflint", "main.tf.json", "{\"locals\": {\"a\": VALUE}}"),
        ("terraform-0.11", "main.tf", "variable \"a\" {\n  default = \"VALUE\"\n}\n"),
        ("sentinel", "sentinel.hcl", "policy \"a\" {\n  source = \"VALUE\"\n}\n"),
    ] {
        let files = |value: &str| json!({format!("m/{name}"): text.replace("VALUE", value)});
        let mut body = pair(&files("1"), &files("2"));
        body["before"]["dialect"] = json!(dialect);
        body["after"]["dialect"] = json!(dialect);
        let answered = answer(&body).await;
        assert_eq!(answered["modules"]["m"]["change"], "changed", "{dialect}: {answered:#}");
    }
}

#[test]
fn the_command_compares_trees() {
    let folder = |value: &str, name: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("main.tf"), format!("locals {{\n  a = {value}\n}}\n")).unwrap();
        folder
    };
    let (one, same, other, away) = (folder("1", "m"), folder("1", "m"), folder("2", "m"), folder("1", "n"));
    let [one, same, other, away] = [&one, &same, &other, &away].map(|folder| folder.path().to_str().unwrap());
    let run = |args: &[&str]| crate::cli::run(&[&["diff", "--recursive"], args].concat());
    assert_eq!(run(&[one, same]).0, 0);
    let (code, out, _) = run(&[one, other]);
    let answered: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, modules(&answered)), (1, vec!["changed m: changed local.a changed value".to_owned()]));
    let (code, out, _) = run(&[one, away, "--format", "text", "--path-prefix", "infra"]);
    assert_eq!(code, 1);
    assert_eq!(
        out,
        "== infra/m (removed)\n- local.a (infra/m/main.tf:2)\n== infra/n (added)\n+ local.a (infra/n/main.tf:2)\n\
         1 module added, 1 removed, 0 changed, 0 unchanged\n1 object added, 1 removed, 0 changed\n"
    );
    let (code, out, _) = run(&[one, other, "--format", "markdown", "--paths", "x/main.tf"]);
    assert_eq!((code, out.starts_with("### No effective changes\n\n<sub>")), (0, true), "{out}");
    let (code, out, _) = run(&[one, "--after-dialect", "opentofu", "--format", "markdown"]);
    assert_eq!((code, out.contains("`opentofu")), (0, true), "{out}");
}

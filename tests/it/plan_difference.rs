//! `POST /v1/plan-diff` and `overfold plan-diff`: the answer as JSON, what is refused, limits, and exit codes. What differs is
//! in tests/rules/plan-diff.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::cli::{overfold, path, run};
use crate::difference::{form, is_golden, tar};
use crate::http::{Answer, app, post_to, send};
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;

async fn plan_diff(body: &Value) -> Answer {
    post_to("/v1/plan-diff", "application/json", body.to_string()).await
}

async fn answer(before: Value, after: Value) -> Value {
    let answer = plan_diff(&json!({"before": before, "after": after})).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

const VPC: &str = "resource \"aws_vpc\" \"main\" {\n  cidr_block = \"10.0.0.0/16\"\n}\n";

/// The examples in the OpenAPI document are valid requests with their answers.
#[tokio::test]
async fn golden_examples_of_the_document() {
    let document: Value = serde_json::from_str(&overfold_cli::api::openapi_json()).unwrap();
    let [operation, report] = ["/v1/plan-diff", "/v1/plan-diff/report"].map(|path| &document["paths"][path]["post"]);
    assert_eq!(operation["requestBody"]["content"], report["requestBody"]["content"]);
    let requests = operation["requestBody"]["content"]["application/json"]["examples"].as_object().unwrap();
    let validator = crate::openapi::validator("PlanDiffAnswer");
    let mut patch = json!({});
    for (name, request) in requests {
        let answered = plan_diff(&request["value"]).await;
        assert_eq!(answered.status, 200, "{}", String::from_utf8_lossy(&answered.body));
        let answered = answered.json();
        crate::openapi::check(&validator, &answered, name);
        let mut set = |path: &str, media: &str, value: Value| {
            patch["paths"][path]["post"]["responses"]["200"]["content"][media]["examples"][name]["value"] = value;
        };
        set("/v1/plan-diff", "application/json", answered);
        for (format, media) in [("markdown", "text/markdown"), ("text", "text/plain")] {
            let route = format!("/v1/plan-diff/report?format={format}");
            let answer = post_to(&route, "application/json", request["value"].to_string()).await;
            set("/v1/plan-diff/report", media, json!(String::from_utf8(answer.body).unwrap()));
        }
    }
    is_golden("src/api/routes/openapi/answers/plan_diff.json", &format!("{patch:#}\n"));
}

#[tokio::test]
async fn a_refactoring_without_effect_is_empty() {
    let both =
        answer(json!({"files": {"main.tf": VPC}}), json!({"files": {"other.tf": format!("# Moved\n\n{VPC}")}})).await;
    assert_eq!(both["different"], false);
    for list in ["instances", "outputs", "checks", "suggested_moves"] {
        assert_eq!(both[list], json!([]), "{list}");
    }
    assert_eq!(both["counts"], json!({"added": 0, "removed": 0, "changed": 0, "moved": 0, "unchanged": 1}));
    assert_eq!((&both["before"]["path"], &both["before"]["exact"]), (&json!("."), &json!(false)));
    assert_eq!(both["after"]["missing"][0]["kind"], "provider-schema");
}

#[tokio::test]
async fn a_moved_instance_has_both_addresses_places_and_values() {
    let after = "resource \"aws_vpc\" \"this\" {\n  cidr_block = aws_eip.a.id\n}\nresource \"aws_eip\" \"a\" {}\n\
                 moved {\n  from = aws_vpc.main\n  to   = aws_vpc.this\n}\n";
    let before = format!("{VPC}resource \"aws_eip\" \"a\" {{}}\n");
    let over = "resource \"aws_vpc\" \"this\" {\n  tags = { a = 1 }\n}\n";
    let found =
        answer(json!({"files": {"main.tf": before}}), json!({"files": {"main.tf": after, "dev_override.tf": over}}))
            .await;
    let moved = &found["instances"][0];
    assert_eq!((&moved["address"], &moved["previous_address"]), (&json!("aws_vpc.this"), &json!("aws_vpc.main")));
    assert_eq!(
        (&moved["change"], &moved["mode"], &moved["type"]),
        (&json!("moved"), &json!("managed"), &json!("aws_vpc"))
    );
    assert_eq!(moved["before"]["range"]["start"]["line"], 1);
    let [cidr, tags] = [&moved["values"][0], &moved["values"][1]];
    assert_eq!((&cidr["pointer"], &cidr["change"]), (&json!("/cidr_block"), &json!("changed")));
    assert_eq!((&cidr["before"]["value"], &cidr["after"]["unknown"]), (&json!("10.0.0.0/16"), &json!(true)));
    assert!(cidr["after"]["value"].is_null() && cidr["override"].is_null(), "{cidr}");
    assert_eq!((&tags["change"], &tags["after"]["value"]), (&json!("added"), &json!({"a": 1})));
    assert_eq!(tags["override"], json!({"after": "dev_override.tf"}));
    assert_eq!(tags["after"]["range"]["filename"], "dev_override.tf");
    assert_eq!(found["suggested_moves"], json!([]));
}

#[tokio::test]
async fn secrets_are_shown_only_if_both_sides_say_so() {
    let with = |secret: &str, reveal: bool| {
        let main = format!(
            "variable \"p\" {{\n  sensitive = true\n  default   = \"{secret}\"\n}}\nresource \"a_b\" \"c\" {{\n  p = var.p\n}}\n"
        );
        json!({"files": {"main.tf": main}, "reveal_sensitive": reveal})
    };
    for (was, is) in [(false, false), (true, false), (false, true)] {
        let found = answer(with("secret-one", was), with("secret-two", is)).await;
        let value = &found["instances"][0]["values"][0];
        assert_eq!((&value["before"]["redacted"], &value["after"]["redacted"]), (&json!(true), &json!(true)));
        assert!(!found["instances"].to_string().contains("secret-"), "{found}");
    }
    let found = answer(with("secret-one", true), with("secret-two", true)).await;
    assert_eq!(found["instances"][0]["values"][0]["after"]["value"], "secret-two");
}

#[tokio::test]
async fn diagnostics_appear_and_vanish_without_being_a_difference() {
    let check = "check \"c\" {\n  assert {\n    condition     = true\n    error_message = \"No.\"\n  }\n}\n";
    let old = format!("{VPC}{check}");
    let found =
        answer(json!({"files": {"main.tf": old}}), json!({"files": {"main.tf": format!("{VPC}locals {{\n")}})).await;
    assert_eq!((&found["different"], &found["compared"]), (&json!(true), &json!(false)));
    assert_eq!(found["diagnostics"]["appeared"][0], 0, "{found}");
    assert_eq!(found["after"]["valid"], false);
}

#[tokio::test]
async fn impossible_comparisons_are_refused_with_their_place() {
    let files = json!({"main.tf": VPC});
    for (before, after, status, code, pointer) in [
        (json!({"files": files}), json!({"include": ["plan"]}), 400, "bad-option", "/after/include"),
        (json!({"files": files, "dialect": "tflint"}), json!({}), 422, "plan-not-for-dialect", "/before/dialect"),
        (json!({"files": files}), json!({"root": "nowhere"}), 422, "root-not-found", "/after/root"),
        (json!({"files": files}), json!({"timestamp": "now"}), 400, "bad-timestamp", "/after/timestamp"),
        (json!({"files": files}), json!({"recursive": true}), 400, "bad-option", "/after/recursive"),
        (
            json!({"files": files, "recursive": true}),
            json!({"recursive": true, "roots": [{"path": "x"}]}),
            422,
            "root-not-found",
            "/after/roots/0/path",
        ),
        (json!({}), json!({}), 400, "bad-option", "/before"),
    ] {
        let answer = plan_diff(&json!({"before": before, "after": after})).await;
        let problem = answer.problem(status, code);
        assert_eq!(problem["pointer"], pointer, "{problem}");
    }
    post_to("/v1/plan-diff/report?format=sarif", "application/json", "{}").await.problem(400, "bad-option");
}

#[tokio::test]
async fn two_archives_come_in_a_form() {
    let (was, is) = (tar(&[("main.tf", VPC)]), tar(&[("main.tf", &VPC.replace("10.0", "10.9"))]));
    let body = form(&[("before", &was), ("after", &is), ("options", b"{\"before\": {}, \"after\": {}}")]);
    let answer = post_to("/v1/plan-diff", "multipart/form-data; boundary=XX", body).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    assert_eq!(answer.json()["counts"]["changed"], 1);
}

#[tokio::test]
async fn a_tiny_account_stops_a_comparison() {
    let main = |count: u32| {
        let mut main = String::new();
        for at in 0..20 {
            let set = format!("toset([for i in range({count}) : i * {at}])");
            writeln!(main, "resource \"a_b\" \"r{at}\" {{\n  count = 20\n  x = {set}\n}}").unwrap();
        }
        main
    };
    let body = json!({"before": {"files": {"main.tf": main(10)}}, "after": {"files": {"main.tf": main(11)}}});
    let mut settings = Settings::for_testing();
    settings.limits.cost.max_work_units = 20_000;
    let request = Request::post("/v1/plan-diff").header("content-type", "application/json");
    let answer = send(&router(&AppState::new(settings)), request.body(Body::from(body.to_string())).unwrap()).await;
    answer.problem(413, "over-limit");
    let request = Request::post("/v1/plan-diff").header("content-type", "application/json");
    let answer = send(&app(), request.body(Body::from(body.to_string())).unwrap()).await;
    assert_eq!(answer.json()["counts"]["changed"], 400 - 20);
}

#[tokio::test]
async fn hostile_depth_and_keys_are_compared() {
    let nested =
        |inner: &str| format!("resource \"a_b\" \"c\" {{\n  x = {}{inner}{}\n}}\n", "[".repeat(150), "]".repeat(150));
    let found = answer(json!({"files": {"main.tf": nested("1")}}), json!({"files": {"main.tf": nested("2")}})).await;
    assert_eq!(found["instances"][0]["values"][0]["pointer"], format!("/x{}", "/0".repeat(150)));
    let keyed =
        |name: &str| format!("resource \"a_b\" \"{name}\" {{\n  for_each = toset([\"```\\n|<b>\\\"\"])\n}}\n");
    let body = json!({"before": {"files": {"main.tf": keyed("c")}}, "after": {"files": {"main.tf": keyed("d")}}});
    for format in ["text", "markdown"] {
        let route = format!("/v1/plan-diff/report?format={format}");
        let answer = post_to(&route, "application/json", body.to_string()).await;
        let text = String::from_utf8(answer.body).unwrap();
        assert!(text.contains("moved {\n  from = a_b.c\n  to   = a_b.d\n}\n"), "{text}");
    }
}

#[test]
fn the_command_reports_differences_by_its_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a", VPC.to_owned()), ("b", format!("# new\n{VPC}")), ("c", VPC.replace("main", "this"))] {
        fs::create_dir_all(folder.path().join(name).join("live")).unwrap();
        fs::write(folder.path().join(name).join("live/main.tf"), text).unwrap();
    }
    let at = |name: &str| format!("{}/{name}", path(&folder));
    let (code, out, err) = run(&["plan-diff", &at("a"), &at("b"), "live", "--format", "text"]);
    assert_eq!((code, out.as_str()), (0, "0 instances added, 0 removed, 0 changed, 1 unchanged\n"), "{err}");
    let (code, out, _) = run(&["plan-diff", &at("a/live"), &at("c/live"), "--format", "text"]);
    assert!(code == 1 && out.contains("  from = aws_vpc.main\n  to   = aws_vpc.this\n"), "{out}");
    let (code, out, _) = run(&["plan-diff", &at("a"), &at("c"), "live"]);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &answer["different"]), (1, &json!(true)));
    let archive = folder.path().join("c.tar");
    fs::write(&archive, tar(&[("c/live/main.tf", VPC)])).unwrap();
    let (code, out, err) = run(&["plan-diff", &at("b"), archive.to_str().unwrap(), "live", "--format", "markdown"]);
    assert!(code == 0 && out.starts_with("### No effective changes\n\n1 instance unchanged.\n"), "{out}{err}");
    fs::write(folder.path().join("a/live/x.tfvars"), "").unwrap();
    let (code, out, err) = run(&["plan-diff", &at("a"), &at("c"), "--recursive", "--format", "text"]);
    assert!(code == 1 && out.starts_with("== live (changed)\n"), "{out}{err}");
    assert!(out.contains("\n1 root module changed\n"), "{out}");
    assert_eq!(run(&["plan-diff", &at("a"), &at("b"), "--recursive"]).0, 0);
    let (code, _, said) = run(&["plan-diff", &at("a"), &at("c"), "--recursive", "--paths", "other.tf"]);
    assert_eq!((code, said.contains("none of the files of --paths belongs to a module")), (0, true), "{said}");
    assert_eq!(run(&["plan-diff", &at("a"), &at("nowhere")]).0, 2);
    assert_eq!(run(&["plan-diff", &at("a")]).0, 2);
    assert_eq!(run(&["plan-diff", &at("a"), "-"]).0, 2);
    assert_eq!(run(&["plan-diff", &at("a"), &at("b"), "live", "--include", "plan"]).0, 2);
}

/// Runs git in a folder; `None` if it is not installed.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]);
    let output = command.args(arguments).current_dir(folder).output().ok()?;
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).ok()
}

#[test]
fn revisions_of_the_repository_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    if git(root, &["init", "-q"]).is_none() {
        eprintln!("SKIPPED: git is not installed");
        return;
    }
    let commit = |text: &str| {
        fs::write(root.join("modules/net/main.tf"), text).unwrap();
        git(root, &["add", "-A"]).unwrap();
        git(root, &["commit", "-q", "-m", "a"]).unwrap();
    };
    for name in ["live", "modules/net"] {
        fs::create_dir_all(root.join(name)).unwrap();
    }
    fs::write(root.join("live/main.tf"), "module \"net\" {\n  source = \"../modules/net\"\n}\n").unwrap();
    std::os::unix::fs::symlink("../modules/net/main.tf", root.join("live/linked.tf")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", root.join("live/outside.txt")).unwrap();
    fs::write(root.join(".gitattributes"), "*.tf filter=evil\n").unwrap();
    commit(VPC);
    git(root, &["config", "filter.evil.smudge", "false"]).unwrap();
    git(root, &["branch", "base"]).unwrap();
    commit(&VPC.replace("10.0", "10.9"));
    git(root, &["branch", "side", "base"]).unwrap();
    let plan_diff = |at: &str, arguments: &[&str]| {
        let output = overfold().arg("plan-diff").args(arguments).current_dir(root.join(at)).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text)
    };
    let changed =
        "~ cidr_block: \"10.0.0.0/16\" (../modules/net/main.tf:2) -> \"10.9.0.0/16\" (../modules/net/main.tf:2)";
    for (at, arguments) in [
        ("", &["base", "HEAD", "live"][..]),
        ("live", &["base", "git:main"]),
        ("live", &["side...main"]),
        ("", &["base...main", "live"]),
        ("", &["base", ".", "live"]),
    ] {
        let (code, text) = plan_diff(at, &[arguments, &["--format", "text"]].concat());
        assert_eq!(code, Some(1), "{arguments:?}: {text}");
        assert!(text.contains(changed) || arguments.contains(&"."), "{arguments:?}: {text}");
        assert!(text.contains("module.net.aws_vpc.main"), "{arguments:?}: {text}");
    }
    assert_eq!(plan_diff("live", &["HEAD", "main", "--format", "text"]).0, Some(0));
    for wrong in
        [&["git:nothing", "HEAD"][..], &["nothing...HEAD"], &["HEAD", "main", "../.."], &["base...main", "live", "x"]]
    {
        let (code, text) = plan_diff("", wrong);
        assert_eq!(code, Some(2), "{wrong:?}: {text}");
    }
    // Likewise from the folder in which the command runs.
    for (at, arguments) in [
        ("", &["base...main", "--root", "modules/net"][..]),
        ("modules", &["base...main", "net"]),
        ("modules/net", &["base", "main"]),
        ("modules/net", &["base", "."]),
    ] {
        let mut command = overfold();
        command.arg("diff").args(arguments).args(["--format", "text"]).current_dir(root.join(at));
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("~ cidr_block") && text.contains("(main.tf:2)"), "{at}: {output:?}");
    }
    let mut command = overfold();
    command.args(["diff", "base", "main", "--recursive", "--format", "text"]).current_dir(root.join("modules"));
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("== net (changed)\n") && text.contains("(net/main.tf:2)"), "{output:?}");
    assert!(text.ends_with("1 changed\n") && !text.contains("live"), "{text}");
}

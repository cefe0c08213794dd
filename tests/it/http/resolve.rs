//! The option `resolve` of `POST /v1/merge` and of the lines of a batch, in every form of a request.

use serde_json::{Value, json};

use super::archives::{bodies, tar};
use super::bodies::form;
use super::{Answer, post, post_to};

const MAIN: &str = "variable \"env\" {\n  type = string\n}\nresource \"aws_instance\" \"web\" {\n  tags = { env = var.env, id = \"${terraform.workspace}-${aws_x.y.id}\" }\n}\nresource \"aws_x\" \"y\" {\n}\n";

fn with(options: Value) -> Value {
    let mut request = options;
    request["files"] = json!({"main.tf": MAIN, ".terraform/environment": "chosen\n"});
    request
}

async fn merge(options: Value) -> Answer {
    post("application/json", with(options).to_string()).await
}

fn tags(answer: &Value) -> &Value {
    &answer["module"]["config"]["resource"]["aws_instance"]["web"][0]["tags"]
}

#[tokio::test]
async fn values_take_the_place_of_expressions() {
    let plain = merge(json!({"variables": {"args": [{"var": "env=prod"}]}})).await.json();
    assert_eq!(tags(&plain)["env"], "${var.env}");
    assert!(plain["module"]["replacements"].is_null());
    let answer = merge(json!({"variables": {"args": [{"var": "env=prod"}]}, "resolve": true})).await.json();
    assert_eq!(tags(&answer), &json!({"env": "prod", "id": "chosen-${aws_x.y.id}"}));
    assert_eq!(
        answer["module"]["replacements"][0],
        json!({
            "address": "aws_instance.web", "pointer": "/resource/aws_instance/web/0/tags", "argument": "tags",
            "before": {"expression": "var.env", "range": {"filename": "main.tf",
                "start": {"line": 5, "column": 18, "byte": 84}, "end": {"line": 5, "column": 25, "byte": 91}}},
            "after": {"expression": "\"prod\"", "value": "prod"},
        })
    );
    assert_eq!(answer["valid"], true);
}

#[tokio::test]
async fn the_workspace_is_the_first_that_is_named() {
    let env = json!({"env": {"TF_VAR_env": "e", "TF_WORKSPACE": "given"}});
    for (options, workspace) in [
        (json!({"variables": env, "workspace": "asked"}), "asked"),
        (json!({"variables": env}), "given"),
        (json!({"variables": {"env": {"TF_VAR_env": "e", "TF_WORKSPACE": ""}}}), "chosen"),
        (json!({"variables": {"env": {"TF_VAR_env": "e"}}}), "chosen"),
    ] {
        let mut options = options;
        options["resolve"] = json!(true);
        let answer = merge(options.clone()).await.json();
        assert_eq!(tags(&answer)["id"], format!("{workspace}-${{aws_x.y.id}}"), "{options}");
    }
    let bad = json!({"resolve": true, "variables": {"env": {"TF_WORKSPACE": "a b"}}});
    let answer = merge(bad).await;
    assert_eq!(answer.json()["pointer"], "/variables/env/TF_WORKSPACE");
    answer.problem(400, "bad-option");
}

#[tokio::test]
async fn what_has_no_values_is_refused() {
    for options in [
        json!({"resolve": true}),
        json!({"resolve": true, "variables": {}, "dialect": "tflint"}),
        json!({"resolve": true, "variables": {}, "dialect": "sentinel"}),
        json!({"resolve": true, "variables": {}, "dialect": "terraform-0.11"}),
        json!({"resolve": 1, "variables": {}}),
    ] {
        let answer = merge(options.clone()).await;
        assert_eq!(answer.json()["pointer"], "/resolve", "{options}");
        answer.problem(400, "bad-option");
    }
    let answer = merge(json!({"resolve": true, "variables": {}, "workspace": "a/b"})).await;
    assert_eq!(answer.json()["pointer"], "/workspace");
    answer.problem(400, "bad-option");
    let side = with(json!({"resolve": true, "variables": {}}));
    let answer = post_to("/v1/diff", "application/json", json!({"before": side, "after": side}).to_string()).await;
    assert_eq!(answer.json()["pointer"], "/before/resolve");
    answer.problem(400, "bad-option");
    let answer = post_to("/v1/compatibility", "application/json", side.to_string()).await;
    assert_eq!(answer.json()["pointer"], "/resolve");
    answer.problem(400, "bad-option");
    for dialect in ["terraform", "opentofu"] {
        let options = json!({"resolve": true, "variables": {"args": [{"var": "env=a"}]}, "dialect": dialect});
        assert_eq!(tags(&merge(options).await.json())["env"], "a", "{dialect}");
    }
}

#[tokio::test]
async fn the_same_request_is_the_same_in_every_form() {
    let entries = [("main.tf", MAIN.as_bytes())];
    let options =
        json!({"resolve": true, "workspace": "w", "variables": {"args": [{"var": "env=a"}]}, "config_format": "hcl"});
    let mut request = options.clone();
    request["files"] = json!({"main.tf": MAIN});
    let same = post("application/json", request.to_string()).await;
    assert_eq!(same.status, 200);
    assert!(same.json()["module"]["config"].as_str().unwrap().contains("{ env = \"a\", id = \"w-${aws_x.y.id}\" }"));
    let query = "/v1/merge?resolve=true&workspace=w&config_format=hcl&variables=%7B%22args%22%3A%5B%7B%22var%22%3A%22env%3Da%22%7D%5D%7D";
    let mut answers = Vec::new();
    for (content_type, body) in bodies(&entries) {
        answers.push(post_to(query, content_type, body).await);
    }
    let archive = tar(&entries);
    let text = options.to_string();
    let (content_type, body) =
        form(&[("archive", Some("m.tar"), archive.as_slice()), ("options", None, text.as_bytes())]);
    answers.push(post_to("/v1/merge", &content_type, body).await);
    for answer in answers {
        assert_eq!(String::from_utf8_lossy(&answer.body), String::from_utf8_lossy(&same.body));
        assert_eq!(answer.header("etag"), same.header("etag"));
    }
    let other = post(
        "application/json",
        json!({"files": {"main.tf": MAIN}, "variables": {"args": [{"var": "env=a"}]}, "config_format": "hcl"})
            .to_string(),
    )
    .await;
    assert_ne!(other.header("etag"), same.header("etag"));
    request["id"] = json!("x");
    let line = post_to("/v1/batch", "application/x-ndjson", request.to_string()).await.json();
    assert_eq!(line["answer"], same.json());
}

#[tokio::test]
async fn in_a_tree_each_module_is_resolved_as_its_own() {
    let files = json!({
        "main.tf": "variable \"a\" {\n  default = 1\n}\nlocals {\n  x = var.a\n}\nmodule \"m\" {\n  source = \"./m\"\n  b      = var.a\n}\n",
        "m/main.tf": "variable \"b\" {\n  default = 2\n}\nlocals {\n  c = 3\n  x = var.b\n  y = local.c\n  z = path.module\n}\n",
    });
    let request =
        json!({"files": files, "variables": {}, "resolve": true, "recursive": true, "config_format": "files"});
    let modules = post("application/json", request.to_string()).await.json()["modules"].take();
    assert_eq!(modules["."]["config"]["main.tf"], files["main.tf"].as_str().unwrap().replace("= var.a", "= 1"));
    // Only whoever calls the module knows the value of its variable, and where it is.
    let child = files["m/main.tf"].as_str().unwrap().replace("= local.c", "= 3");
    assert_eq!(modules["m"]["config"]["m/main.tf"], child);
    assert_eq!(modules["m"]["replacements"][0]["before"]["range"]["filename"], "m/main.tf");
    assert_eq!(modules["m"]["replacements"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_stage_decides_what_is_reported() {
    let files = json!({"main.tf": "variable \"a\" {\n}\nlocals {\n  x = var.a\n  y = local.z\n}\n"});
    for (stage, count) in [("load", 0), ("validate", 1)] {
        let request =
            json!({"files": files, "variables": {"args": [{"var": "a=b"}]}, "resolve": true, "stage": stage});
        let answer = post("application/json", request.to_string()).await.json();
        assert_eq!(answer["diagnostics"].as_array().unwrap().len(), count, "{answer}");
        assert_eq!(answer["module"]["config"]["locals"][0]["x"], "b", "{stage}");
    }
}

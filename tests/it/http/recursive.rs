//! Whole repositories: every module directory in one answer, the calls between them, and what a change affects. The
//! findings about calls were verified with Terraform 1.11.4 (`terraform init -backend=false`, then `validate -json`)
//! for the same files.

use serde_json::{Value, json};

use super::{post, post_to};

async fn answer(request: Value) -> Value {
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status.as_u16(), 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

async fn recursive(files: Value) -> Value {
    answer(json!({"stage": "load", "files": files, "recursive": true, "version": "1.11.4", "include": ["files", "calls"]})).await
}

/// The paths of the modules.
fn modules(answer: &Value) -> Vec<&str> {
    answer["modules"].as_object().unwrap().keys().map(String::as_str).collect()
}

/// Origin, title, file and first byte of each finding.
fn found(answer: &Value) -> Vec<String> {
    let line = |found: &Value| {
        let at = &found["range"];
        let place =
            at["filename"].as_str().map(|name| format!(" {name}:{}", at["start"]["byte"])).unwrap_or_default();
        format!("{} {}{place}", found["origin"].as_str().unwrap(), found["summary"].as_str().unwrap())
    };
    answer["diagnostics"].as_array().unwrap().iter().map(line).collect()
}

#[tokio::test]
async fn the_file_rules_are_those_of_the_dialect() {
    let files = json!({"a/main.tofu": "", "b/sentinel.hcl": "", "c/main.tf": "", "d/policy.hcl": ""});
    for (dialect, expected) in [
        ("terraform", vec!["c"]),
        ("opentofu", vec!["a", "c"]),
        ("tflint", vec!["c"]),
        ("sentinel", vec!["b", "d"]),
        ("terraform-0.11", vec!["c"]),
    ] {
        let answer = answer(json!({"stage": "load", "files": files, "recursive": true, "dialect": dialect})).await;
        assert_eq!(modules(&answer), expected, "{dialect}");
    }
}

/// The reason why a value does not fit may quote its keys.
#[tokio::test]
async fn a_sensitive_value_that_does_not_fit_is_not_quoted() {
    for (given, flag) in
        [("n = { SECRET = [] }", "sensitive = true"), ("n = { (nonsensitive(sensitive(\"SECRET\"))) = [] }", "")]
    {
        let files = json!({
            "main.tf": format!("variable \"s\" {{\n  type = string\n  sensitive = true\n}}\nmodule \"x\" {{\n  source = \"./m\"\n  {given}\n}}\n"),
            "m/main.tf": format!("variable \"n\" {{\n  type = map(string)\n  {flag}\n}}\n"),
        });
        let answer = recursive(files).await;
        let details: Vec<&str> =
            answer["diagnostics"].as_array().unwrap().iter().map(|found| found["detail"].as_str().unwrap()).collect();
        assert_eq!(details.len(), 1, "{details:?}");
        assert!(!details[0].contains("SECRET") && details[0].contains("not shown"), "{details:?}");
    }
}

#[tokio::test]
async fn the_graph_has_every_call() {
    let files = json!({
        "ex/main.tf": "module \"l\" {\n  source = \"../m\"\n}\nmodule \"r\" {\n  source  = \"a/b/c\"\n  version = \"1.0\"\n}\n\
                       module \"g\" {\n  source = \"git::https://example.com/x.git\"\n}\nmodule \"o\" {\n  source = \"../../up\"\n}\n",
        "m/main.tf": ""
    });
    for dialect in ["terraform", "opentofu", "tflint", "terraform-0.11"] {
        let answer = answer(
            json!({"stage": "load", "files": files, "recursive": true, "dialect": dialect, "include": ["calls"]}),
        )
        .await;
        let calls: Vec<Value> = answer["calls"].as_array().unwrap().clone();
        let row = |call: &Value| json!([call["from"], call["address"], call["source"], call["kind"], call["to"]]);
        assert_eq!(
            calls.iter().map(row).collect::<Vec<_>>(),
            [
                json!(["ex", "module.l", "../m", "local", "m"]),
                json!(["ex", "module.r", "a/b/c", "registry", null]),
                json!(["ex", "module.g", "git::https://example.com/x.git", "remote", null]),
                json!(["ex", "module.o", "../../up", "local", null]),
            ],
            "{dialect}"
        );
        assert_eq!(calls[0]["range"]["filename"], "ex/main.tf", "{dialect}");
    }
    let policies =
        json!({"a/sentinel.hcl": "policy \"p\" {\n  source = \"./p.sentinel\"\n}\n", "b/sentinel.hcl": ""});
    let answer = answer(
        json!({"stage": "load", "files": policies, "recursive": true, "dialect": "sentinel", "include": ["calls"]}),
    )
    .await;
    assert_eq!((modules(&answer), &answer["calls"]), (vec!["a", "b"], &json!([])));
}

#[tokio::test]
async fn nothing_sensitive_gets_into_the_answer() {
    let files = json!({
        "a/main.tf": "variable \"s\" {\n  sensitive = true\n  default   = \"SECRET\"\n  bad = \"SECRET\"\n}\n\
                      variable \"m\" {\n  sensitive = true\n  default   = \"./SECRET\"\n}\n\
                      module \"x\" {\n  source = var.m\n}\nmodule \"y\" {\n  source = \"../b\"\n  z = \"SECRE\"\n}\n",
        "b/main.tf": ""
    });
    for dialect in ["terraform", "opentofu"] {
        let request = json!({"stage": "load", "files": files, "recursive": true, "dialect": dialect,
            "include": ["config", "objects", "variables", "files", "calls"]});
        let answer = answer(request).await;
        let calls = serde_json::to_string(&answer["calls"]).unwrap();
        assert!(!calls.contains("SECRET"), "{dialect} {calls}");
        let variables = serde_json::to_string(&answer["modules"]["a"]["variables"]).unwrap();
        assert!(!variables.contains("SECRET"), "{dialect} {variables}");
        let unreadable = answer["diagnostics"].as_array().unwrap().iter();
        let texts: Vec<String> =
            unreadable.filter(|found| found["code"] != "load/unsupported-argument").map(Value::to_string).collect();
        assert!(!texts.iter().any(|text| text.contains("SECRET")), "{dialect} {texts:#?}");
    }
}

#[tokio::test]
async fn an_archive_takes_the_options_as_parameters() {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, text) in
        [("repo-abc/m/main.tf", ""), ("repo-abc/x/main.tf", "module \"m\" {\n  source = \"../m\"\n}\n")]
    {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        tar.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    let body = tar.into_inner().unwrap();
    let path = "/v1/merge?recursive=true&include=calls&paths=m/main.tf&paths=n/main.tf";
    let first = post_to(path, "application/x-tar", body.clone()).await;
    assert_eq!(modules(&first.json()), ["m", "x"]);
    let second = post_to(path, "application/x-tar", body).await;
    assert_eq!((first.header("etag"), &first.body), (second.header("etag"), &second.body));
}

#[tokio::test]
async fn every_form_of_the_configuration_is_available_for_each_module() {
    let (base, over) = ("# kept\nresource \"a\" \"b\" {\n  x = 1\n}\n", "resource \"a\" \"b\" {\n  x = 2\n}\n");
    let folded = base.replace('1', "2");
    let files = json!({
        "main.tf": base, "override.tf": over,
        "mods/a/main.tf": base, "mods/a/a_override.tf": over,
        "mods/b/main.tf.json": "{\"resource\": {\"a\": {\"b\": {\"x\": 1}}}}", "mods/b/override.tf": over
    });
    for dialect in ["terraform", "opentofu", "tflint", "terraform-0.11"] {
        let ask = async |form: &str| {
            answer(json!({"stage": "load", "files": files, "recursive": true, "dialect": dialect, "config_format": form})).await
        };
        let hcl = ask("hcl").await;
        let in_files = ask("files").await;
        let hcl2json = ask("hcl2json").await;
        let modules = |answer: &Value, module: &str| answer["modules"][module]["config"].clone();
        for (module, folder) in [(".", ""), ("mods/a", "mods/a/")] {
            assert_eq!(modules(&hcl, module), folded, "{dialect} {module}");
            let own = json!({format!("{folder}main.tf"): folded});
            assert_eq!(modules(&in_files, module), own, "{dialect} {module}");
            assert_eq!(modules(&hcl2json, module), json!({"resource": {"a": {"b": [{"x": 2}]}}}), "{dialect}");
        }
        let text = modules(&in_files, "mods/b")["mods/b/main.tf.json"].as_str().unwrap().to_owned();
        let read: Value = serde_json::from_str(&text).unwrap();
        let body = &read["resource"]["a"]["b"];
        // JSON of the older grammar is rewritten as a whole.
        assert!(body["x"] == 2 || body[0]["x"] == 2, "{dialect}: {text}");
    }
    let sentinel = json!({
        "stage": "load", "files": {
            "p/sentinel.hcl": "policy \"a\" {\n  source = \"./a.sentinel\" # kept\n}\n",
            "p/override.hcl": "policy \"a\" {\n  enforcement_level = \"advisory\"\n}\n"
        },
        "recursive": true, "dialect": "sentinel", "config_format": "files"
    });
    let text = "policy \"a\" {\n  source = \"./a.sentinel\" # kept\n  enforcement_level = \"advisory\"\n}\n";
    assert_eq!(answer(sentinel).await["modules"]["p"]["config"], json!({"p/sentinel.hcl": text}));
    let expanded = |form: &str| {
        json!({
            "stage": "load", "files": {"a/main.tf": "resource \"x\" \"y\" {\n  count = 2\n  z = count.index\n}\n"},
            "recursive": true, "dialect": "tflint", "expand": true, "config_format": form
        })
    };
    assert_eq!(post("application/json", expanded("files").to_string()).await.status.as_u16(), 422);
    for form in ["hcl", "hcl2json", "tf-json"] {
        let answer = answer(expanded(form)).await;
        assert!(answer["modules"]["a"]["config"].to_string().contains('z'), "{form}: {answer}");
    }
}

/// Returns what the tool would say of every directory of these files, at the stage `validate`.
async fn validated(files: Value, recursive: bool, root: &str) -> Vec<String> {
    let mut request = json!({"files": files, "recursive": recursive, "version": "1.11.4"});
    if !root.is_empty() {
        request["root"] = root.into();
    }
    let mut lines = found(&answer(request).await);
    // Not what is only noted about the answer itself.
    lines.retain(|line| line.starts_with("tool "));
    lines.sort();
    lines
}

/// A module that needs a caller: it asks for a provider configuration, and has outputs that a root module must not have.
const NEEDS_CALLER: &str = r#"
terraform {
  required_providers {
    terraform = {
      source                = "terraform.io/builtin/terraform"
      configuration_aliases = [terraform.far]
    }
  }
}
resource "terraform_data" "x" {
  provider = terraform.far
}
module "inner" {
  source    = "./inner"
  providers = { terraform.near = terraform.far }
}
output "short" {
  value     = "short-lived"
  ephemeral = true
}
variable "secret" {
  sensitive = true
}
output "secret" {
  value = var.secret
}
output "wrong" {
  value = local.none
}
"#;

const INNER: &str = r#"
terraform {
  required_providers {
    terraform = {
      source                = "terraform.io/builtin/terraform"
      configuration_aliases = [terraform.near]
    }
  }
}
data "terraform_remote_state" "y" {
  provider = terraform.near
  backend  = "local"
}
"#;

const CALLER: &str = r#"
terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}
provider "terraform" {
  alias = "two"
}
module "m" {
  source    = "../m"
  secret    = "s"
  providers = { terraform.far = terraform.two }
}
"#;

#[tokio::test]
async fn a_called_directory_is_not_held_to_what_only_a_root_module_needs() {
    let called = json!({"m/main.tf": NEEDS_CALLER, "m/inner/main.tf": INNER, "use/main.tf": CALLER});
    let wrong = format!("m/main.tf:{}", NEEDS_CALLER.find("local.none").unwrap());
    assert_eq!(
        validated(called.clone(), true, "").await,
        [
            format!("tool Reference to undeclared local value {wrong}"),
            format!(
                "tool Value not allowed in ephemeral output m/main.tf:{}",
                NEEDS_CALLER.find("\"short-l").unwrap()
            ),
        ]
    );
    // Asked for by itself, or called by nothing, it is a root module.
    let passes_on = "tool missing provider provider[\"terraform.io/builtin/terraform\"].far".to_owned();
    let alone = validated(called, false, "m").await;
    assert!(alone.contains(&passes_on), "{alone:?}");
    for (recursive, root) in [(true, ""), (false, "m/inner")] {
        let uncalled = json!({"m/inner/main.tf": INNER});
        assert_eq!(validated(uncalled, recursive, root).await, ["tool Provider configuration not present"]);
    }
}

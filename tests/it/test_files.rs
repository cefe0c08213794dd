//! Test files in versions and dialects whose tool is not available here; the results of 1.11.4 are recorded in cases.

use std::fmt::Write as _;

use serde_json::json;

use crate::http::post;

/// Returns `FILE:LINE:COLUMN TITLE` for every diagnostic of the tool, one per line, in order.
async fn says(at: &str, name: &str, text: &str) -> String {
    let (dialect, version) = at.split_once(' ').unwrap();
    let request = json!({"stage": "load", "files": {name: text}, "dialect": dialect, "version": version});
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let mut out = String::new();
    for found in answer.json()["diagnostics"].as_array().unwrap().iter().filter(|found| found["origin"] == "tool") {
        let start = &found["range"]["start"];
        writeln!(out, "{}:{} {}", start["line"], start["column"], found["summary"].as_str().unwrap()).unwrap();
    }
    out
}

const PROVIDER: &str = "provider \"aws\" {\n  version = \"1.0\"\n}\nprovider \"aws\" {\n}\n";

#[tokio::test]
async fn a_version_of_a_provider_is_an_error_since_1_9() {
    assert_eq!(
        says("terraform 1.8", "a.tftest.hcl", PROVIDER).await,
        "2:13 Version constraints inside provider configuration blocks are deprecated\n4:1 Duplicate provider block\n"
    );
    assert_eq!(
        says("terraform 1.9", "a.tftest.hcl", PROVIDER).await,
        "2:13 Version constraints are not allowed in test files\n4:1 Duplicate provider block\n"
    );
    assert_eq!(
        says("opentofu 1.12", "a.tftest.hcl", PROVIDER).await,
        "2:13 Version constraints inside provider configuration blocks are deprecated\n"
    );
}

#[tokio::test]
async fn the_phase_of_an_override_can_be_given_since_1_11() {
    let text = "override_resource {\n  target          = a.b\n  override_during = never\n}\n";
    assert_eq!(says("terraform 1.10", "a.tftest.hcl", text).await, "3:3 Unsupported argument\n");
    assert_eq!(says("terraform 1.11", "a.tftest.hcl", text).await, "3:3 Invalid override_during value\n");
}

const VARIABLES: &str = "variable \"a b\" {\n  type    = nonsense\n  default = local.x\n  other   = 1\n}\n\
    variable \"c\" {\n  type    = number\n  default = \"many\"\n  validation {\n    condition     = true\n    error_message = \"No.\"\n  }\n}\n\
    variable \"d\" {\n  type    = string\n  default = \"fine\"\n}\n";

/// The syntax is that of a variable of the module.
#[tokio::test]
async fn variables_are_read_like_those_of_the_module() {
    let in_module = says("terraform 1.13", "main.tf", VARIABLES).await;
    assert_eq!(
        in_module,
        "1:10 Invalid variable name\n2:13 Invalid type specification\n3:13 Variables not allowed\n4:3 Unsupported argument\n\
         8:13 Invalid default value for variable\n10:21 Invalid validation expression\n10:21 Invalid variable validation condition\n"
    );
    assert_eq!(says("terraform 1.13", "a.tftest.hcl", VARIABLES).await, in_module);
    assert_eq!(
        says("terraform 1.12", "a.tftest.hcl", VARIABLES).await,
        "1:1 Unsupported block type\n6:1 Unsupported block type\n14:1 Unsupported block type\n"
    );
    let json = r#"{"variable": {"c": {"type": "number", "default": "many"}, "d": {"default": 1}}}"#;
    let in_module = says("terraform 1.13", "main.tf.json", json).await;
    assert!(in_module.contains("Invalid default value for variable"), "{in_module}");
    assert_eq!(says("terraform 1.13", "a.tftest.json", json).await, in_module);
}

#[tokio::test]
async fn modules_of_runs_are_downloaded_since_opentofu_1_10() {
    let text = "run \"a\" {\n  module {\n    source = \"git::https://host/x\"\n  }\n}\nrun \"b\" {\n  module {\n    source  = \"./x\"\n    version = \"1.0\"\n  }\n  module {\n    source = \"./y\"\n  }\n}\n";
    let always = "8:5 Invalid registry module source address\n";
    let before = format!("3:5 Invalid module source address\n{always}");
    assert_eq!(says("opentofu 1.9", "a.tofutest.hcl", text).await, before);
    assert_eq!(says("opentofu 1.10", "a.tofutest.hcl", text).await, always);
    assert_eq!(says("terraform 1.15", "a.tftest.hcl", text).await, before);
}

#[tokio::test]
async fn options_and_mocks_of_opentofu() {
    let text = "run \"a\" {\n  plan_options {\n    mode    = refresh-only\n    refresh = false\n  }\n  plan_options {\n  }\n}\nrun \"a\" {\n}\n\
        mock_provider \"p\" {\n  nonsense = 1\n}\nmock_provider \"p\" {\n}\nmock_provider \"p\" {\n}\n\
        mock_provider \"q\" {\n  mock_data \"x\" {\n  }\n  mock_data \"x\" {\n  }\n  mock_resource \"x\" {\n  }\n}\n";
    assert_eq!(
        says("opentofu 1.11", "a.tofutest.hcl", text).await,
        "4:5 Incompatible plan options\n12:3 Unsupported argument\n16:1 Duplicated `mock_provider` block\n\
         18:1 Duplicated `mock_data` block\n"
    );
}

#[tokio::test]
async fn types_that_imply_no_provider() {
    let text = "resource \"_x\" \"y\" {\n}\n";
    for at in ["terraform 1.2.7", "terraform 1.15", "opentofu 1.12"] {
        assert_eq!(says(at, "main.tf", text).await, "1:1 Invalid provider local name\n", "{at}");
    }
    assert_eq!(says("terraform 1.2.6", "main.tf", text).await, "");
    assert_eq!(says("terraform-0.11 0.11.15", "main.tf", text).await, "");
}

/// Returns `LINE:COLUMN TITLE` of the tool's findings in the test file of a module (Terraform 1.11.4).
async fn says_about(module: &str, name: &str, text: &str) -> String {
    let request =
        json!({"stage": "load", "files": {"main.tf": module, name: text}, "dialect": "terraform", "version": "1.11"});
    let answer = post("application/json", request.to_string()).await.json();
    let mut out = String::new();
    for found in answer["diagnostics"].as_array().unwrap().iter().filter(|found| found["origin"] == "tool") {
        let start = &found["range"]["start"];
        writeln!(out, "{}:{} {}", start["line"], start["column"], found["summary"].as_str().unwrap()).unwrap();
    }
    out
}

#[tokio::test]
async fn only_checkable_objects_are_expected_to_fail() {
    let run = |list: &str| format!("run \"a\" {{\n  expect_failures = [{list}]\n}}\n");
    for item in [
        "output.x",
        "var.v",
        "check.c",
        "terraform_data.x",
        "terraform_data.x[0]",
        "data.a.b",
        "ephemeral.a.b",
        "resource.a.b",
        "var.v.x",
    ] {
        assert_eq!(says_about("", "a.tftest.hcl", &run(item)).await, "", "{item}");
    }
    for item in [
        "local.l",
        "module.m",
        "module.m.x",
        "module.m[0]",
        "path.module",
        "terraform.workspace",
        "each.key",
        "self",
        "run.a",
        "count.index",
    ] {
        let wanted = "2:22 Invalid `expect_failures` reference\n";
        assert_eq!(says_about("", "a.tftest.hcl", &run(item)).await, wanted, "{item}");
        let json = format!("{{\"run\": {{\"a\": {{\n  \"expect_failures\": [\"{item}\"]}}}}}}");
        let found = says_about("", "a.tftest.json", &json).await;
        assert!(found.ends_with("Invalid `expect_failures` reference\n"), "{item}: {found}");
    }
    for item in ["foo", "output", "check", "run"] {
        assert_eq!(says_about("", "a.tftest.hcl", &run(item)).await, "2:22 Invalid reference\n", "{item}");
    }
}

#[tokio::test]
async fn a_local_name_stands_for_one_provider() {
    let module = "terraform {\n  required_providers {\n    foo = { source = \"acme/foo\" }\n    bar = { source = \"acme/bar\", configuration_aliases = [bar.x] }\n  }\n}\n";
    let blocks = "provider \"foo\" {}\nprovider \"bar\" {}\nprovider \"baz\" {}\n";
    let run = |name: &str, pair: &str| format!("run \"{name}\" {{\n  providers = {{\n    {pair}\n  }}\n}}\n");
    for (runs, wanted) in [
        (run("a", "foo = bar"), ""),
        (run("a", "foo = foo") + &run("b", "bar = bar"), ""),
        (run("a", "foo = bar") + &run("b", "qux = bar"), "11:11 Provider type mismatch\n"),
        (run("a", "foo = bar") + "run \"b\" {}\n", "2:1 Provider type mismatch\n"),
        (
            run("a", "foo = bar") + "run \"b\" {}\nrun \"c\" {}\n",
            "2:1 Provider type mismatch\n2:1 Provider type mismatch\n",
        ),
        ("run \"b\" {}\n".to_owned() + &run("a", "foo = bar"), "7:11 Provider type mismatch\n"),
        (run("a", "foo = nowhere") + &run("b", "bar = nowhere"), ""),
        ("run \"m\" {\n  module {\n    source = \"./m\"\n  }\n}\nrun \"b\" {}\n".to_owned(), ""),
    ] {
        let text = format!("{blocks}{runs}");
        assert_eq!(says_about(module, "a.tftest.hcl", &text).await, wanted, "{runs}");
    }
    let aliased = "provider \"bar\" {\n  alias = \"x\"\n}\n".to_owned() + &run("a", "foo = bar.x") + "run \"b\" {}\n";
    assert_eq!(says_about(module, "a.tftest.hcl", &aliased).await, "1:1 Provider type mismatch\n");
    let mocked = "mock_provider \"bar\" {}\n".to_owned() + &run("a", "foo = bar") + "run \"b\" {}\n";
    assert_eq!(says_about(module, "a.tftest.hcl", &mocked).await, "1:1 Provider type mismatch\n");
}

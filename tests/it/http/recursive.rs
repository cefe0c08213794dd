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

/// Returns the findings for a root that calls `m` with this body, and for `m`.
async fn calling(body: &str, rest: &str, called: &str) -> Vec<String> {
    let main = format!("module \"x\" {{\n  source = \"./m\"\n{body}}}\n{rest}");
    found(&recursive(json!({"main.tf": main, "m/main.tf": called})).await)
}

const M: &str = "variable \"r\" {}\nvariable \"o\" { default = 1 }\noutput \"yes\" { value = 1 }\n";

#[tokio::test]
async fn every_module_directory_is_answered_with_paths_of_the_upload() {
    let answer = answer(json!({
        "stage": "load", "files": {
            "main.tf": "locals {\n  a = 1\n}\n",
            "mods/a/main.tf": "locals {\n  a = 1\n}\n",
            "mods/a/a_override.tf": "locals {\n  a = 2\n}\n",
            "mods/b/main.tf": "variable \"v\" {\n  foo = 1\n}\n",
            "mods/.hidden/main.tf": "x",
            ".terraform/modules/x/main.tf": "x",
            "docs/readme.md": "x"
        },
        "recursive": true, "include": ["config", "objects", "files"]
    }))
    .await;
    assert_eq!(modules(&answer), [".", "mods/a", "mods/b"]);
    assert_eq!(answer["valid"], false);
    assert_eq!(answer["module"], Value::Null);
    let a = &answer["modules"]["mods/a"];
    assert_eq!(a["path"], "mods/a");
    assert_eq!(a["config"], json!({"locals": [{"a": 2}]}));
    assert_eq!(a["files"][0]["path"], "mods/a/main.tf");
    assert_eq!(a["objects"]["local.a"]["range"]["filename"], "mods/a/a_override.tf");
    assert_eq!(found(&answer), ["tool Unsupported argument mods/b/main.tf:17"]);
    assert_eq!(answer["diagnostics"][0]["module"], "mods/b");
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

#[tokio::test]
async fn each_module_is_answered_as_if_alone() {
    let files = json!({
        "main.tf": "module \"b\" {\n  source = \"./m\"\n}\n",
        "m/main.tf": "resource \"terraform_data\" \"web\" {\n  input = \"blue\"\n}\n",
        "m/override.tf": "resource \"terraform_data\" \"web\" {\n  input = \"green\"\n}\n"
    });
    let include = json!(["config", "variables"]);
    let all = answer(json!({"stage": "load", "files": files, "recursive": true, "include": include})).await;
    for (root, path) in [(".", "."), ("m", "m")] {
        let one = answer(json!({"stage": "load", "files": files, "root": root, "include": include})).await;
        assert_eq!(one["module"], all["modules"][path]);
    }
}

#[tokio::test]
async fn diagnostics_are_sorted_by_file_and_place_over_all_modules() {
    let bad = "variable \"v\" {\n  foo = 1\n}\nvariable \"w\" {\n  foo = 1\n}\n";
    let answer = recursive(json!({"a/b/m.tf": bad, "a/z.tf": bad, "a/a.tf": "", "a-/x.tf": bad})).await;
    let places: Vec<String> = found(&answer);
    let mut sorted = places.clone();
    sorted.sort_by_key(|line| {
        let (name, byte) = line.rsplit(' ').next().unwrap().split_once(':').unwrap();
        (name.to_owned(), byte.parse::<u32>().unwrap())
    });
    assert_eq!(places, sorted);
    assert_eq!(places.len(), 6, "{places:#?}");
}

#[tokio::test]
async fn arguments_are_checked_against_the_called_module() {
    assert_eq!(calling("", "", M).await, ["tool Missing required argument main.tf:11"]);
    assert_eq!(calling("  r = 1\n  o = 2\n", "", M).await, [] as [&str; 0]);
    assert_eq!(
        calling("  r = 1\n  extra = 1\n  blk {\n  }\n", "", M).await,
        ["tool Unsupported argument main.tf:40", "tool Unsupported block type main.tf:52"]
    );
    // A directory without configuration is an empty module.
    let empty = json!({"main.tf": "module \"x\" {\n  source = \"./m\"\n  extra = 1\n}\n", "m/a.txt": ""});
    assert_eq!(found(&recursive(empty).await), ["tool Unsupported argument main.tf:32"]);
}

#[tokio::test]
async fn arguments_added_by_an_override_do_not_count_as_required_ones() {
    let main = "module \"x\" {\n  source = \"./m\"\n  a = 1\n}\n";
    let over = "module \"x\" {\n  r = 2\n  b = 2\n}\n";
    let answer = recursive(json!({"main.tf": main, "override.tf": over, "m/main.tf": M})).await;
    assert_eq!(found(&answer), ["tool Missing required argument main.tf:11"]);
    let main = "module \"x\" {\n  source = \"./gone\"\n  r = 1\n}\n";
    let over = "module \"x\" {\n  source = \"./m\"\n  b = 2\n}\n";
    let answer = recursive(json!({"main.tf": main, "override.tf": over, "m/main.tf": M})).await;
    assert_eq!(found(&answer), [] as [&str; 0]);
}

#[tokio::test]
async fn calls_in_json_are_checked_at_their_places() {
    let main = r#"{"module":{"x":{"source":"./m","extra":1}}}"#;
    let answer = recursive(json!({"main.tf.json": main, "m/main.tf": M})).await;
    assert_eq!(
        found(&answer),
        ["tool Extraneous JSON object property main.tf.json:31", "tool Missing required argument main.tf.json:40"]
    );
}

#[tokio::test]
async fn references_name_outputs_of_the_called_module() {
    let rest = "output \"a\" { value = module.x.nope }\noutput \"b\" { value = try(module.x.nope, 1) }\n\
                output \"c\" { value = false ? module.x.nope : 1 }\noutput \"d\" { value = module.x.yes.more }\n\
                output \"e\" {\n  value      = 1\n  depends_on = [module.x.nope]\n}\n";
    assert_eq!(calling("  r = 1\n", rest, M).await, ["tool Unsupported attribute main.tf:69"]);
    // Addresses are not evaluated.
    let moved = "moved {\n  from = module.x.terraform_data.a\n  to   = module.x.terraform_data.b\n}\n";
    assert_eq!(calling("  r = 1\n", moved, M).await, [] as [&str; 0]);
    let checked =
        "check \"c\" {\n  assert {\n    condition     = module.x.nope\n    error_message = \"no\"\n  }\n}\n";
    assert_eq!(calling("  r = 1\n", checked, M).await, [] as [&str; 0]);
    let repeated = "output \"a\" { value = module.x.nope }\noutput \"b\" { value = module.x[0].nope }\n";
    assert_eq!(
        calling("  r = 1\n  count = 2\n", repeated, M).await,
        ["tool Unsupported attribute main.tf:81", "tool Unsupported attribute main.tf:121"]
    );
    // The tool checks references only once the arguments are right.
    assert_eq!(
        calling("", "output \"a\" { value = module.x.nope }\n", M).await,
        ["tool Missing required argument main.tf:11", "tool-later Unsupported attribute main.tf:61"]
    );
}

#[tokio::test]
async fn providers_are_checked_against_the_called_module() {
    let terraform = |aliases: &str| {
        format!(
            "terraform {{\n  required_providers {{\n    terraform = {{\n      source = \"terraform.io/builtin/terraform\"{aliases}\n    }}\n  }}\n}}\n"
        )
    };
    let (own, none) = (terraform(""), [] as [&str; 0]);
    let aliases = terraform("\n      configuration_aliases = [terraform.a, terraform.b]");
    assert_eq!(calling("", &own, &aliases).await, ["tool Missing required provider configuration main.tf:0"; 2]);
    let pass = "  providers = {\n    terraform = terraform\n  }\n";
    assert_eq!(calling(pass, &own, &own).await, none);
    assert_eq!(
        calling(pass, &own, &format!("{own}provider \"terraform\" {{\n  foo = 1\n}}\n")).await,
        ["tool Cannot override provider configuration main.tf:50"]
    );
    // An undeclared name refers to a provider other than the built-in one.
    assert_eq!(
        calling(pass, &own, "locals {}\n").await,
        ["tool Reference to undefined provider main.tf:50", "tool Provider type mismatch main.tf:62"]
    );
    let configured = "provider \"terraform\" {\n  foo = 1\n}\n";
    let title = "tool Module is incompatible with count, for_each, and depends_on main.tf";
    assert_eq!(calling("  count = 1\n", &own, configured).await, [format!("{title}:40")]);
    assert_eq!(calling("  depends_on = [terraform_data.a]\n", &own, configured).await, [format!("{title}:46")]);
}

fn requires(name: &str, source: &str) -> String {
    format!("terraform {{\n  required_providers {{\n    {name} = {{\n      source = \"{source}\"\n    }}\n  }}\n}}\n")
}

#[tokio::test]
async fn passed_providers_match_the_required_provider() {
    let pass = |inner: &str, outer: &str| format!("  providers = {{\n    {inner} = {outer}\n  }}\n");
    let none = [] as [&str; 0];
    let mismatch = ["tool Provider type mismatch main.tf:54"];
    for (inner, outer, expected) in [
        ("a/b", "a/c", &mismatch[..]),
        ("hashicorp/t", "x/t", &mismatch),
        ("A/b", "registry.terraform.io/a/B", &none),
        ("terraform.io/builtin/terraform", "terraform.io/builtin/terraform", &none),
    ] {
        let found = calling(&pass("t", "u"), &requires("u", outer), &requires("t", inner)).await;
        assert_eq!(found, expected, "{inner} {outer}");
    }
    // Without a source, or without any entry, a name refers to a provider in the tool's own namespace.
    let by_version = "terraform {\n  required_providers {\n    t = \">= 1\"\n  }\n}\n";
    assert_eq!(calling(&pass("t", "u"), &requires("u", "a/t"), by_version).await, mismatch);
    assert_eq!(calling(&pass("t", "u"), &requires("u", "hashicorp/t"), by_version).await, none);
    assert_eq!(
        calling(&pass("t", "u"), &requires("u", "a/t"), "provider \"t\" {}\n").await,
        ["tool Redundant empty provider block m/main.tf:0", mismatch[0]]
    );
    // An alias that the called module does not request.
    assert_eq!(
        calling(&pass("t.q", "u"), &requires("u", "a/b"), &requires("t", "a/b")).await,
        ["tool Reference to undefined provider main.tf:50"]
    );
    // The tool reports this without a position, once the arguments are right.
    let nope = pass("t", "u.nope");
    assert_eq!(
        calling(&nope, &requires("u", "a/b"), &format!("{}{M}", requires("t", "a/b"))).await,
        ["tool Missing required argument main.tf:11", "overfold Passed provider configuration missing main.tf:54"]
    );
    let there = format!("{}provider \"u\" {{\n  alias = \"nope\"\n}}\n", requires("u", "a/b"));
    assert_eq!(calling(&nope, &there, &requires("t", "a/b")).await, none);
    // A configuration that a caller passes exists, declared or not.
    let files = json!({
        "main.tf": "module \"m\" {\n  source = \"./m\"\n  providers = {\n    aws.x = aws.y\n  }\n}\nprovider \"aws\" {\n  alias = \"y\"\n}\n",
        "m/main.tf": "module \"n\" {\n  source = \"../n\"\n  providers = {\n    aws = aws.x\n  }\n}\n",
        "n/main.tf": requires("aws", "hashicorp/aws"),
    });
    assert_eq!(found(&recursive(files).await), ["tool Reference to undefined provider main.tf:50"]);
}

#[tokio::test]
async fn values_are_checked_against_the_variables_of_the_called_module() {
    let misfit = ["tool Invalid value for input variable main.tf:39"];
    let none = [] as [&str; 0];
    for (given, ty, rest, expected) in [
        ("\"abc\"", "number", "", &misfit[..]),
        ("\"12\"", "number", "", &none),
        ("[1]", "string", "", &misfit),
        ("{ a = 1 }", "object({a = number, b = string})", "", &misfit),
        ("{ a = 1, z = 2 }", "object({a = number, b = optional(string, 1)})", "", &none),
        ("{ a = [1], b = {} }", "map(list(string))", "", &misfit),
        ("[1, {}]", "list(any)", "", &misfit),
        ("jsonencode({})", "number", "", &misfit),
        ("local.a", "number", "locals {\n  a = local.b\n  b = [var.z]\n}\nvariable \"z\" {}\n", &misfit),
        // A default is not yet a value, but the type is known.
        ("var.z", "number", "variable \"z\" {\n  default = \"abc\"\n}\n", &none),
        ("var.z", "number", "variable \"z\" {\n  type = list(string)\n}\n", &misfit),
        ("\"a-${var.z}\"", "number", "variable \"z\" {}\n", &none),
        ("[for x in var.z : x]", "string", "variable \"z\" {\n  type = list(string)\n}\n", &none),
        ("terraform_data.x.id", "list(string)", "resource \"terraform_data\" \"x\" {}\n", &none),
        ("{ a = terraform_data.x.id }", "string", "resource \"terraform_data\" \"x\" {}\n", &misfit),
        ("path.module", "number", "", &misfit),
    ] {
        let called = format!("variable \"n\" {{\n  type = {ty}\n}}\n");
        let found = calling(&format!("  n    = {given}\n"), rest, &called).await;
        assert_eq!(found, expected, "{given} for {ty}");
        let repeated = calling(&format!("  n    = {given}\n  count = 0\n"), rest, &called).await;
        assert_eq!(repeated, expected, "{given} for {ty}");
    }
}

#[tokio::test]
async fn null_and_ephemeral_values_need_a_variable_that_takes_them() {
    let none = [] as [&str; 0];
    let null = ["tool Required variable not set main.tf:39"];
    let ephemeral = ["tool Ephemeral value not allowed main.tf:39"];
    let e = "variable \"e\" {\n  ephemeral = true\n}\nlocals {\n  l = \"a${var.e}\"\n}\n";
    for (given, flags, rest, expected) in [
        ("null", "", "", &none[..]),
        ("null", "nullable = false", "", &null),
        ("null", "nullable = false\n  default = 1", "", &none),
        ("var.e", "", e, &ephemeral),
        ("{ a = [local.l] }", "", e, &ephemeral),
        ("var.e", "ephemeral = true", e, &none),
        // The type is checked first.
        ("[var.e]", "type = string", e, &["tool Invalid value for input variable main.tf:39"]),
    ] {
        let called = format!("variable \"n\" {{\n  {flags}\n}}\n");
        assert_eq!(calling(&format!("  n    = {given}\n"), rest, &called).await, expected, "{given} {flags}");
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

/// The tool checks values once the arguments are right, and stops at a call with a wrong value.
#[tokio::test]
async fn values_are_checked_after_arguments() {
    let called = "variable \"n\" {\n  type = number\n}\nvariable \"r\" {}\n";
    assert_eq!(
        calling("  n    = \"x\"\n", "", called).await,
        ["tool Missing required argument main.tf:11", "tool-later Invalid value for input variable main.tf:39"]
    );
    assert_eq!(
        calling("  n    = \"x\"\n  r    = 1\n", "output \"o\" {\n  value = module.x.none\n}\n", called).await,
        ["tool Invalid value for input variable main.tf:39", "tool-later Unsupported attribute main.tf:87"]
    );
}

#[tokio::test]
async fn missing_directories_and_cycles_are_found() {
    let files = json!({
        "main.tf": "module \"x\" {\n  source = \"./gone\"\n}\nmodule \"y\" {\n  source = \"../outside\"\n}\n",
        "a/main.tf": "module \"b\" {\n  source = \"../b\"\n}\n",
        "b/main.tf": "module \"a\" {\n  source = \"../a\"\n}\n",
        "self/main.tf": "module \"s\" {\n  source = \"./.\"\n}\n",
        "c/main.tf": "module \"a\" {\n  source = \"../a\"\n  extra = 1\n}\n"
    });
    let answer = recursive(files).await;
    assert_eq!(
        found(&answer),
        [
            "overfold Module calls form a cycle a/main.tf:24",
            "overfold Module calls form a cycle b/main.tf:24",
            "tool-later Unsupported argument c/main.tf:33",
            "overfold Unreadable module directory main.tf:24",
            "overfold Module calls form a cycle self/main.tf:24",
        ]
    );
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
async fn changed_files_select_their_modules_and_dependents() {
    let files = json!({
        "top/main.tf": "module \"x\" {\n  source = \"../mid\"\n}\n",
        "mid/main.tf": "module \"x\" {\n  source = \"../low\"\n}\n",
        "low/main.tf": "",
        "low/templates/a.tpl": "",
        "alone/main.tf": "",
        "broken/main.tf": "module \"x\" {\n  source = \"../removed\"\n}\n"
    });
    let limited = |paths: Value| {
        let request =
            json!({"stage": "load", "files": files, "recursive": true, "paths": paths, "include": ["calls"]});
        async { answer(request).await }
    };
    for (paths, expected) in [
        (json!(["low/main.tf"]), vec!["low", "mid", "top"]),
        (json!(["low/templates/a.tpl"]), vec!["low", "mid", "top"]),
        (json!(["./mid/new.tf"]), vec!["mid", "top"]),
        (json!(["alone/main.tf", "top/x.tf"]), vec!["alone", "top"]),
        (json!(["removed/main.tf"]), vec!["broken"]),
        (json!(["docs/readme.md"]), vec![]),
        (json!([]), vec![]),
    ] {
        let answer = limited(paths.clone()).await;
        assert_eq!(modules(&answer), expected, "{paths}");
        assert_eq!(answer["valid"], !expected.contains(&"broken"), "{paths}");
        let from = answer["calls"].as_array().unwrap().iter().map(|call| call["from"].as_str().unwrap());
        assert!(from.into_iter().all(|from| expected.contains(&from)), "{paths}");
    }
}

#[tokio::test]
async fn values_apply_only_to_the_root() {
    let variable = "variable \"v\" {}\n";
    let files = json!({"main.tf": variable, "m/main.tf": variable, "m/terraform.tfvars": "v = 1\n"});
    let request = |root: &str| {
        json!({"stage": "load", "files": files, "root": root, "recursive": true, "variables": {"args": [{"var": "v=x"}]},
            "include": ["variables"]})
    };
    let all = answer(request(".")).await;
    assert_eq!(all["modules"]["."]["variables"]["v"]["value"], "x");
    assert_eq!(all["modules"]["m"]["variables"]["v"].get("state"), None);
    assert_eq!(all["valid"], true);
    let missing = json!({"stage": "load", "files": files, "recursive": true, "variables": {"args": [{"var_file": "no.tfvars"}]}});
    post("application/json", missing.to_string()).await.problem(422, "var-file-not-found");
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
async fn without_any_module_the_root_is_answered() {
    let answer = recursive(json!({"docs/readme.md": ""})).await;
    assert_eq!(modules(&answer), ["."]);
    assert_eq!(found(&answer), ["overfold No configuration files"]);
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

#[tokio::test]
async fn a_called_directory_gets_what_its_callers_pass() {
    let module = "resource \"null_resource\" \"x\" {\n  provider = null.far\n}\n";
    let caller = "provider \"null\" {\n  alias = \"two\"\n}\nmodule \"m\" {\n  source    = \"./m\"\n  providers = { null.far = null.two }\n}\n";
    let files = json!({"m/main.tf": module, "main.tf": caller});
    let inner = caller.find("null.far").unwrap();
    assert_eq!(validated(files, true, "").await, [format!("tool Reference to undefined provider main.tf:{inner}")]);
    let alone = json!({"m/main.tf": module});
    assert_eq!(validated(alone, true, "").await, ["tool Provider configuration not present"]);
}

#[tokio::test]
async fn a_called_directory_must_not_have_what_only_a_root_module_has() {
    let child = "import {\n  to = terraform_data.x\n  id = \"x\"\n}\nresource \"terraform_data\" \"x\" {}\nterraform {\n  backend \"local\" {}\n}\n";
    let files = json!({"main.tf": "module \"m\" {\n  source = \"./m\"\n}\n", "m/main.tf": child});
    assert_eq!(
        validated(files, true, "").await,
        ["tool Backend configuration ignored m/main.tf:93", "tool Invalid import configuration m/main.tf:0"]
    );
    let alone = json!({"m/main.tf": child});
    assert_eq!(validated(alone, true, "").await, [""; 0]);
}

//! Plans that depend on files, functions of providers, the working directory or the time, which nobody has given.

use serde_json::{Value, json};

use crate::http::post_to;

/// Returns the answer about a plan of one file, with more members of the request.
async fn plan(main: &str, more: &Value) -> Value {
    let mut request = json!({"files": {"main.tf": main, "x.txt": "x"}, "version": "1.11.4"});
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = post_to("/v1/plan", "application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

fn output(value: &str) -> String {
    format!("output \"o\" {{\n  value = {value}\n}}\n")
}

#[tokio::test]
async fn files_elsewhere_are_missing() {
    for (value, path) in [
        ("file(\"../y.txt\")", "../y.txt"),
        ("file(\"/etc/y.txt\")", "/etc/y.txt"),
        ("filebase64(\"~/y.txt\")", "~/y.txt"),
        ("filesha256(\"../y.txt\")", "../y.txt"),
        ("fileexists(\"../y.txt\") ? 1 : 2", "../y.txt"),
        ("fileset(\"..\", \"*\")", ".."),
        ("templatefile(\"../y.tpl\", {})", "../y.tpl"),
        ("upper(file(\"../y.txt\"))", "../y.txt"),
        ("jsondecode(file(\"../y.txt\")).a.b", "../y.txt"),
        ("pathexpand(\"~/y\")", "~"),
        ("abspath(\"y\")", "."),
        ("path.cwd", "."),
        ("\"${path.cwd}/y\"", "."),
    ] {
        let answer = plan(&output(value), &json!({})).await;
        assert_eq!(answer["diagnostics"], json!([]), "{value}");
        assert_eq!(answer["exact"], json!(false), "{value}");
        assert_eq!(answer["missing"], json!([{"kind": "file", "path": path}]), "{value}");
        assert_eq!(answer["plan"]["overfold"]["missing"], answer["missing"], "{value}");
        let change = &answer["plan"]["output_changes"]["o"];
        assert_eq!((change.get("after"), &change["after_unknown"]), (None, &json!(true)), "{value}");
    }
    // What is there, or what does not depend on it, is exact.
    for value in ["file(\"x.txt\")", "abspath(\"/a/../b\")", "pathexpand(\"y\")", "path.root"] {
        let answer = plan(&output(value), &json!({})).await;
        assert_eq!((&answer["exact"], &answer["missing"]), (&json!(true), &json!([])), "{value}: {answer}");
    }
    // All files of the module are given, so one that is not there is an error.
    let answer = plan(&output("file(\"y.txt\")"), &json!({})).await;
    assert_eq!((&answer["valid"], &answer["missing"]), (&json!(false), &json!([])));
}

#[tokio::test]
async fn files_that_are_not_there_yet_are_unknown_on_request() {
    let unknown = json!({"missing_files": "unknown"});
    for (value, path) in [
        ("file(\"y.txt\")", "y.txt"),
        ("filebase64sha256(\"./build/app.zip\")", "./build/app.zip"),
        ("filemd5(\"${path.module}/app.zip\")", "./app.zip"),
        ("templatefile(\"y.tpl\", {})", "y.tpl"),
        ("jsondecode(file(\"y.json\")).a", "y.json"),
    ] {
        let answer = plan(&output(value), &unknown).await;
        assert_eq!(answer["diagnostics"], json!([]), "{value}");
        assert_eq!((&answer["valid"], &answer["exact"]), (&json!(true), &json!(false)), "{value}");
        assert_eq!(answer["missing"], json!([{"kind": "file", "path": path}]), "{value}");
        assert_eq!(answer["plan"]["output_changes"]["o"]["after_unknown"], json!(true), "{value}");
        // As for the tool, unless it is asked for.
        for options in [json!({}), json!({"missing_files": "error"})] {
            let answer = plan(&output(value), &options).await;
            assert_eq!((&answer["valid"], &answer["missing"]), (&json!(false), &json!([])), "{value}");
        }
    }
    // Whether a file is there is known, and what is there is read.
    for value in ["fileexists(\"y.txt\")", "length(fileset(\".\", \"*.zip\"))", "file(\"x.txt\")"] {
        let answer = plan(&output(value), &unknown).await;
        assert_eq!((&answer["exact"], &answer["missing"]), (&json!(true), &json!([])), "{value}: {answer}");
    }
    // In rules of variables, and in called modules.
    let rule = "variable \"v\" {\n  default = \"x\"\n  validation {\n    condition     = var.v == file(\"y.txt\")\n    error_message = \"No.\"\n  }\n}\n";
    assert_eq!(plan(rule, &unknown).await["valid"], json!(true));
    let call = "module \"m\" {\n  source = \"./m\"\n}\n";
    let files = json!({"main.tf": call, "m/main.tf": output("filesha1(\"${path.module}/y.zip\")")});
    let answer = plan("", &json!({"missing_files": "unknown", "files": files})).await;
    assert_eq!((&answer["valid"], &answer["missing"][0]["path"]), (&json!(true), &json!("m/y.zip")));
}

#[tokio::test]
async fn secret_paths_are_not_shown() {
    let main = "variable \"p\" {\n  default = \"../secret\"\n  sensitive = true\n}\noutput \"o\" {\n  value = file(var.p)\n  sensitive = true\n}\n";
    let answer = plan(main, &json!({})).await;
    assert_eq!(answer["missing"], json!([{"kind": "file", "path": "(sensitive value)"}]));
}

#[tokio::test]
async fn functions_of_providers_are_missing() {
    let settings = "terraform {\n  required_providers {\n    x = {\n      source = \"a/x\"\n    }\n    terraform = {\n      source = \"terraform.io/builtin/terraform\"\n    }\n  }\n}\n";
    let main = settings.to_owned()
        + &output("provider::x::f(1)")
        + "resource \"terraform_data\" \"r\" {\n  count = provider::x::g() ? 1 : 0\n}\n";
    let answer = plan(&main, &json!({})).await;
    let functions = json!([
        {"kind": "provider-function", "name": "provider::x::f"}, {"kind": "provider-function", "name": "provider::x::g"},
        {"kind": "instances", "address": "terraform_data.r", "needs": "provider::x::g(…)"},
    ]);
    assert_eq!(answer["missing"], functions, "{answer}");
    assert_eq!(answer["diagnostics"][0]["code"], json!("plan/instances-not-known-here"));
    assert_eq!(answer["diagnostics"].as_array().unwrap().len(), 1);
    let main = settings.to_owned() + &output("provider::terraform::encode_expr([1])");
    let answer = plan(&main, &json!({})).await;
    assert_eq!((&answer["exact"], &answer["missing"]), (&json!(true), &json!([])), "{answer}");
}

#[tokio::test]
async fn the_number_of_instances_may_depend_on_what_is_missing() {
    for (value, is_there) in
        [("file(\"../y\") == \"\"", true), ("plantimestamp() == \"\"", true), ("timestamp() == \"\"", false)]
    {
        let main = format!("resource \"terraform_data\" \"r\" {{\n  count = {value} ? 1 : 2\n}}\n");
        let answer = plan(&main, &json!({})).await;
        let origin = if is_there { "overfold" } else { "tool" };
        assert_eq!(answer["diagnostics"][0]["origin"], json!(origin), "{value}: {answer}");
        // What is missing, and the instances that are left out.
        assert_eq!(answer["missing"].as_array().unwrap().len(), 2 * usize::from(is_there), "{value}");
    }
    let main = "# plantimestamp()\noutput \"o\" {\n  value = 1\n}\n";
    assert_eq!(plan(main, &json!({})).await["exact"], json!(true));
    let main = output("plantimestamp()");
    assert_eq!(plan(&main, &json!({})).await["missing"], json!([{"kind": "timestamp"}]));
    let given = plan(&main, &json!({"timestamp": "2025-03-01T12:00:00Z"})).await;
    assert_eq!(given["exact"], json!(true));
}

#[tokio::test]
async fn no_plan_is_not_exact() {
    for version in ["1.11.4", "1.9.0"] {
        let answer = plan("}", &json!({"version": version})).await;
        assert_eq!((&answer["plan"], &answer["exact"]), (&Value::Null, &json!(false)));
        assert_eq!(answer["missing"], json!([]), "{answer}");
    }
}

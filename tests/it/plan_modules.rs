//! Plans of trees with modules that are not local: those that the request names, and those that the tool has installed.

use serde_json::{Value, json};

use crate::http::post_to;

/// Returns the answer about a plan.
async fn plan(files: &Value, sources: &Value, root: &str) -> Value {
    let request = json!({
        "files": files, "module_sources": sources, "root": root, "version": "1.11.4",
        "timestamp": "2025-03-01T12:00:00Z",
    });
    let answer = post_to("/v1/plan", "application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// Returns the values of the outputs of a plan that must be exact, and without findings.
async fn outputs(files: &Value, sources: &Value) -> Value {
    let answer = plan(files, sources, ".").await;
    assert_eq!(answer["diagnostics"], json!([]), "{answer}");
    assert_eq!(answer["exact"], json!(true), "{answer}");
    values(&answer)
}

fn values(answer: &Value) -> Value {
    let outputs = answer["plan"]["planned_values"]["outputs"].as_object().cloned().unwrap_or_default();
    outputs.into_iter().map(|(name, output)| (name, output["value"].clone())).collect()
}

/// A call, and an output with the output `o` of the called module.
fn call(name: &str, source: &str, more: &str) -> String {
    let call = format!("module \"{name}\" {{\n  source = \"{source}\"\n  {more}\n}}\n");
    format!("{call}output \"{name}\" {{\n  value = module.{name}.o\n}}\n")
}

const O: &str = "output \"o\" {\n  value = path.module\n}\n";
const FILE: &str = "output \"o\" {\n  value = [path.module, file(\"${path.module}/x.txt\")]\n}\n";

#[tokio::test]
async fn calls_lead_where_the_request_says() {
    let vpc = "terraform-aws-modules/vpc/aws";
    let main = [
        call("a", vpc, "version = \"~> 5.0\""),
        call("b", &format!("registry.terraform.io/{vpc}//modules/sub"), ""),
        call("c", "git::https://example.com/m.git//in?ref=v1", ""),
    ];
    let inner = "module \"n\" {\n  source = \"../up\"\n}\noutput \"o\" {\n  value = module.n.o\n}\n";
    let files = json!({
        "main.tf": main.concat(), "v5/main.tf": FILE, "v5/x.txt": "five", "v4/main.tf": O,
        "v6/modules/sub/main.tf": FILE, "v6/modules/sub/x.txt": "six",
        "git/main.tf": inner, "up/main.tf": O,
    });
    let sources = json!([
        {"source": vpc, "version": "4.9.0", "path": "v4"},
        {"source": vpc, "version": "5.1.2", "path": "v5"},
        {"source": format!("registry.terraform.io/{vpc}"), "version": "6.0.0", "path": "v6"},
        {"source": "git::https://example.com/m.git//in?ref=v1", "path": "git"},
        {"source": "git::https://example.com/m.git//in?ref=v2", "path": "v4"},
    ]);
    let wanted = json!({
        "a": [".terraform/modules/a", "five"],
        "b": [".terraform/modules/b/modules/sub", "six"],
        "c": ".terraform/modules/c/up",
    });
    assert_eq!(outputs(&files, &sources).await, wanted);
}

#[tokio::test]
async fn each_path_of_calls_has_its_own_directory() {
    let both = [call("a", "./local", ""), call("b", "./local", "")].concat();
    let local = call("m", "example.com/o/m/x", "") + "output \"o\" {\n  value = module.m.o\n}\n";
    let files = json!({"main.tf": both, "local/main.tf": local, "vendor/main.tf": FILE, "vendor/x.txt": "x"});
    let files_of = |name: &str| json!([format!(".terraform/modules/{name}.m"), "x"]);
    let wanted = json!({"a": files_of("a"), "b": files_of("b")});
    assert_eq!(outputs(&files, &json!([{"source": "EXAMPLE.com/o/m/x", "path": "vendor"}])).await, wanted);
    // The root module may be anywhere.
    let files = files.as_object().unwrap().iter();
    let mut below: Value = files.map(|(name, text)| (format!("r/{name}"), text.clone())).collect();
    below["other/main.tf"] = json!(FILE);
    below["other/x.txt"] = json!("x");
    let answer = plan(&below, &json!([{"source": "example.com/o/m/x", "path": "other"}]), "r").await;
    assert_eq!(values(&answer), wanted, "{answer}");
}

#[tokio::test]
async fn installed_modules_are_found() {
    let list = json!({"Modules": [
        {"Key": "", "Source": "", "Dir": "."},
        {"Key": "a", "Source": "registry.terraform.io/x/y/z", "Version": "1.2.3", "Dir": ".terraform/modules/a"},
        {"Key": "a.n", "Source": "./sub", "Dir": ".terraform/modules/a/sub"},
        {"Key": "g", "Source": "git::https://github.com/o/r.git//in?ref=v1", "Dir": ".terraform/modules/g/in"},
        {"Key": "old", "Source": "registry.terraform.io/x/y/z", "Version": "1.2.3", "Dir": ".terraform/modules/a"},
        {"Key": "other", "Source": "git::https://github.com/o/r.git?ref=v1", "Dir": ".terraform/modules/a"},
    ]});
    let main = [call("a", "x/y/z", "version = \"~> 1.0\""), call("g", "github.com/o/r//in?ref=v1", "")];
    let inner = "module \"n\" {\n  source = \"./sub\"\n}\noutput \"o\" {\n  value = module.n.o\n}\n";
    let mut files = json!({
        "main.tf": main.concat(), ".terraform/modules/modules.json": list.to_string(),
        ".terraform/modules/a/main.tf": inner,
        ".terraform/modules/a/sub/main.tf": FILE, ".terraform/modules/a/sub/x.txt": "a",
        ".terraform/modules/g/in/main.tf": FILE, ".terraform/modules/g/in/x.txt": "g", "here/main.tf": O,
    });
    let answer = plan(&files, &json!([]), ".").await;
    let g = json!([".terraform/modules/g/in", "g"]);
    assert_eq!(values(&answer), json!({"a": [".terraform/modules/a/sub", "a"], "g": g}), "{answer}");
    assert_eq!(answer["missing"], json!([]));
    // Calls that have changed since are errors of the tool.
    let changed = [call("old", "x/y/z", "version = \"~> 2.0\""), call("other", "github.com/o/r?ref=v2", "")];
    files["more.tf"] = json!(changed.concat());
    let answer = plan(&files, &json!([]), ".").await;
    let titles: Vec<&Value> =
        answer["diagnostics"].as_array().unwrap().iter().map(|found| &found["summary"]).collect();
    assert_eq!(titles, ["Module version requirements have changed", "Module source has changed"]);
    assert_eq!(answer["plan"], Value::Null);
    // What the request names comes first.
    let sources = json!([{"source": "x/y/z", "path": "here"}, {"source": "github.com/o/r?ref=v2", "path": "here"}]);
    let given = plan(&files, &sources, ".").await;
    let wanted = json!({
        "a": ".terraform/modules/a", "g": g, "old": ".terraform/modules/old", "other": ".terraform/modules/other",
    });
    assert_eq!(values(&given), wanted, "{given}");
}

#[tokio::test]
async fn a_module_found_nowhere_is_a_warning() {
    let later = "output \"later\" {\n  value = \"a-${module.m.o}\"\n}\n";
    let resource = "resource \"terraform_data\" \"r\" {\n  input = module.m.o\n}\n";
    let main = [call("m", "x/y/z", "version = \"2.0.0\"").as_str(), later, resource].concat();
    let files = json!({"main.tf": main, "v/main.tf": O});
    let answer = plan(&files, &json!([{"source": "x/y/z", "version": "1.9.0", "path": "v"}]), ".").await;
    let codes: Vec<&Value> = answer["diagnostics"].as_array().unwrap().iter().map(|found| &found["code"]).collect();
    assert_eq!(codes, [&json!("plan/module-missing")]);
    let module = json!({"kind": "module", "address": "module.m", "source": "x/y/z", "version": "2.0.0"});
    assert_eq!(answer["missing"], json!([module]));
    assert_eq!(answer["plan"]["resource_changes"][0]["address"], json!("terraform_data.r"));
    assert_eq!(answer["plan"]["output_changes"]["later"]["after_unknown"], json!(true));
}

#[tokio::test]
async fn findings_in_a_module_are_in_its_files() {
    let wrong = "output \"o\" {\n  value = [1][7]\n}\n";
    let files = json!({"r/main.tf": call("m", "x/y/z", ""), "v/main.tf": wrong});
    let answer = plan(&files, &json!([{"source": "x/y/z", "path": "v"}]), "r").await;
    assert_eq!(answer["diagnostics"][0]["range"]["filename"], json!("../v/main.tf"), "{answer}");
}

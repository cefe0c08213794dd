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

const FILE: &str = "output \"o\" {\n  value = [path.module, file(\"${path.module}/x.txt\")]\n}\n";

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

//! Resources that refer to themselves, as Terraform 1.11.4 reports them.

use serde_json::{Value, json};

use crate::http::post_to;

async fn plan(files: &Value) -> Value {
    let request = json!({"files": files, "version": "1.11.4"});
    let answer = post_to("/v1/plan", "application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// Returns the titles of the findings with their lines.
fn found(answer: &Value) -> Vec<String> {
    let one = |found: &Value| {
        assert_eq!(found["origin"], json!("tool"));
        let line = found["range"]["start"]["line"].as_u64().map_or_else(String::new, |line| format!("{line} "));
        format!("{line}{}", found["summary"].as_str().unwrap())
    };
    answer["diagnostics"].as_array().unwrap().iter().map(one).collect()
}

fn changes(answer: &Value) -> Vec<&str> {
    let all = answer["plan"]["resource_changes"].as_array().into_iter().flatten();
    all.map(|change| change["address"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn instances_that_need_each_other_are_a_cycle() {
    const CYCLE: &str = "Cycle: terraform_data.s[0], terraform_data.s[1]";
    const ITSELF: &str = "3 Self-referential block";
    let s = "terraform_data.s";
    for (repetition, argument, wanted, planned) in [
        ("count = 2", "depends_on = [terraform_data.s]", vec![CYCLE], vec![]),
        ("count = 2", "depends_on = [terraform_data.s[0], terraform_data.s[1]]", vec![CYCLE], vec![]),
        ("count = 3", "depends_on = [terraform_data.s[0], terraform_data.s[1]]", vec![CYCLE], vec![]),
        (
            "count = 2",
            "depends_on = [terraform_data.s[0]]",
            vec![],
            vec!["terraform_data.s[0]", "terraform_data.s[1]"],
        ),
        ("count = 1", "depends_on = [terraform_data.s]", vec![], vec!["terraform_data.s[0]"]),
        ("", "depends_on = [terraform_data.s]", vec![], vec![s]),
        ("count = 0", "depends_on = [terraform_data.s]", vec![], vec![]),
        (
            "for_each = toset([\"a\", \"b\"])",
            "depends_on = [terraform_data.s]",
            vec!["Cycle: terraform_data.s[\"a\"], terraform_data.s[\"b\"]"],
            vec![],
        ),
        ("count = 2", "input = terraform_data.s[*].id", vec![CYCLE], vec![]),
        ("count = 2", "input = terraform_data.s[count.index].id", vec![CYCLE], vec![]),
        ("count = 1", "input = terraform_data.s", vec![ITSELF], vec![]),
        ("count = 0", "input = terraform_data.s", vec![], vec![]),
        ("", "input = terraform_data.s", vec![ITSELF, ITSELF], vec![]),
    ] {
        let main = format!("resource \"terraform_data\" \"s\" {{\n  {repetition}\n  {argument}\n}}\n");
        let answer = plan(&json!({"main.tf": main})).await;
        assert_eq!(found(&answer), wanted, "{repetition} {argument}");
        assert_eq!(changes(&answer), planned, "{repetition} {argument}");
        assert_eq!(answer["plan"]["errored"], json!(!wanted.is_empty()));
    }
}

#[tokio::test]
async fn each_module_instance_has_its_own_cycle() {
    let main = "module \"m\" {\n  source = \"./m\"\n  count = 2\n}\nresource \"terraform_data\" \"ok\" {}\n";
    let child = "variable \"n\" {\n  default = 1\n}\nresource \"terraform_data\" \"a\" {\n  count = 2\n  depends_on = [terraform_data.a]\n  lifecycle {\n    precondition {\n      condition = var.n > 0\n      error_message = \"It is not positive.\"\n    }\n  }\n}\nresource \"terraform_data\" \"b\" {\n  input = terraform_data.a[0].id\n}\nresource \"terraform_data\" \"c\" {}\n";
    let answer = plan(&json!({"main.tf": main, "m/main.tf": child})).await;
    assert_eq!(
        found(&answer),
        [
            "Cycle: module.m[0].terraform_data.a[0], module.m[0].terraform_data.a[1]",
            "Cycle: module.m[1].terraform_data.a[0], module.m[1].terraform_data.a[1]",
        ]
    );
    assert_eq!(
        changes(&answer),
        ["terraform_data.ok", "module.m[0].terraform_data.c", "module.m[1].terraform_data.c"]
    );
    let check = &answer["plan"]["checks"][0];
    assert_eq!((&check["status"], check.get("instances")), (&json!("unknown"), None), "{check}");
}

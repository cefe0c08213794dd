//! Messages of conditions in plans that cannot be shown, as Terraform 1.11.4 reports them.

use serde_json::{Value, json};

use crate::http::post_to;

async fn plan(main: &str) -> Value {
    let request = json!({"files": {"main.tf": main}, "version": "1.11.4"});
    let answer = post_to("/v1/plan", "application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// Returns the titles of the findings with their lines.
fn found(answer: &Value) -> Vec<String> {
    let one = |found: &Value| format!("{} {}", found["range"]["start"]["line"], found["summary"].as_str().unwrap());
    answer["diagnostics"].as_array().unwrap().iter().map(one).collect()
}

const NULL: &str = "var.v > 1 ? \"a\" : null";

fn condition(keyword: &str, condition: &str) -> String {
    format!("{keyword} {{\n  condition = {condition}\n  error_message = {NULL}\n}}\n")
}

#[tokio::test]
async fn a_message_must_not_be_null() {
    let main = [
        "variable \"v\" {\n  default = 1\n".to_owned() + &condition("validation", "var.v > 0") + "}\n",
        "resource \"terraform_data\" \"a\" {\n  lifecycle {\n".to_owned()
            + &condition("precondition", "var.v > 3")
            + "}\n}\n",
        "resource \"terraform_data\" \"b\" {\n  lifecycle {\n".to_owned()
            + &condition("postcondition", "var.v > 0")
            + "}\n}\n",
        "output \"o\" {\n  value = 1\n".to_owned() + &condition("precondition", "var.v > 3") + "}\n",
        "check \"c\" {\n".to_owned() + &condition("assert", "var.v > 0") + "}\n",
    ];
    let answer = plan(&main.concat()).await;
    let wanted = [12, 20, 28, 34].map(|line| format!("{line} Invalid error message"));
    assert_eq!(found(&answer), wanted, "{answer}");
    assert_eq!(answer["plan"]["resource_changes"].as_array().unwrap().len(), 1);
    assert_eq!(answer["plan"]["resource_changes"][0]["address"], json!("terraform_data.b"));
    assert_eq!(answer["plan"].get("output_changes"), None);
    for (checked, status) in
        answer["plan"]["checks"].as_array().unwrap().iter().zip(["error", "error", "error", "error", "pass"])
    {
        assert_eq!((&checked["status"], &checked["instances"][0]["status"]), (&json!(status), &json!(status)));
        assert_eq!(checked["instances"][0].get("problems"), None);
    }
}

#[tokio::test]
async fn messages_of_validations_have_a_replacement() {
    for (message, problem, title) in [
        (NULL, "Failed to evaluate condition error message.", None),
        (
            "var.s",
            "The error message included a sensitive value, so it will not be displayed.",
            Some("12 Error message refers to sensitive values"),
        ),
    ] {
        let main = format!(
            "variable \"s\" {{\n  default = \"q\"\n  sensitive = true\n}}\n\n\n\nvariable \"v\" {{\n  default = 1\n  validation {{\n    condition = var.v > 3\n    error_message = {message}\n  }}\n}}\n"
        );
        let answer = plan(&main).await;
        let found = found(&answer);
        assert!(found.contains(&"8 Invalid value for variable".to_owned()), "{found:?}");
        assert_eq!(found.len(), 1 + usize::from(title.is_some()), "{found:?}");
        assert_eq!(
            answer["plan"]["checks"][0]["instances"][0]["problems"],
            json!([{"message": problem}]),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn messages_of_validations_are_evaluated_in_any_case() {
    const INDEX: &str = "5 Invalid index";
    for (condition, titles, status) in
        [("==", &[INDEX][..], "pass"), (">", &["5 Invalid error message", INDEX][..], "error")]
    {
        let main = format!(
            "variable \"v\" {{\n  default = 1\n  validation {{\n    condition = var.v {condition} 1\n    error_message = {{ a = \"x\" }}[tostring(var.v)]\n  }}\n}}\n"
        );
        let answer = plan(&main).await;
        assert_eq!(found(&answer), titles, "{answer}");
        assert_eq!(answer["plan"]["errored"], json!(true));
        assert_eq!(answer["plan"]["checks"][0]["status"], json!(status));
    }
}

#[tokio::test]
async fn a_message_in_json_that_cannot_be_evaluated_is_text() {
    let rule = json!({"condition": "${var.v > 1}", "error_message": "${{ a = \"x\" }[tostring(var.v)]}"});
    let main = json!({"variable": {"v": {"default": 1, "validation": [rule]}}});
    let request = json!({"files": {"main.tf.json": main.to_string()}, "version": "1.11.4"});
    let answer = post_to("/v1/plan", "application/json", request.to_string()).await.json();
    assert_eq!(
        found(&answer),
        ["1 Invalid value for variable", "1 Validation error message expression is invalid"],
        "{answer}"
    );
    let problem = &answer["plan"]["checks"][0]["instances"][0]["problems"][0]["message"];
    assert_eq!(problem, &json!("${{ a = \"x\" }[tostring(var.v)]}"));
}

#[tokio::test]
async fn blanks_around_a_message_are_no_part_of_a_document() {
    let assertion =
        |message: &str| format!("  assert {{\n    condition = 1 > var.v\n    error_message = {message}\n  }}\n");
    let main = format!(
        "variable \"v\" {{\n  default = 1\n}}\ncheck \"c\" {{\n{}{}}}\n",
        assertion("\"\\n A word. \\n\""),
        assertion("\" \"")
    );
    let answer = plan(&main).await;
    assert_eq!(answer["plan"]["checks"][0]["instances"][0]["problems"], json!([{"message": "A word."}]), "{answer}");
}

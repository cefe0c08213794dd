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

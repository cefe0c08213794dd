//! What a difference shows beyond places: bodies of blocks that exist on one side only, items of lists that differ, and
//! modules that call what differs.

use serde_json::{Value, json};

use crate::http::post_to;

async fn diff(before: &Value, after: &Value, more: &Value) -> Value {
    let mut sides = [json!({"files": before}), json!({"files": after})];
    for side in &mut sides {
        side.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    }
    let request = json!({"before": sides[0], "after": sides[1]}).to_string();
    let answer = post_to("/v1/diff", "application/json", request).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

async fn report(format: &str, before: &Value, after: &Value, more: &Value) -> String {
    let mut sides = [json!({"files": before}), json!({"files": after})];
    for side in &mut sides {
        side.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    }
    let request = json!({"before": sides[0], "after": sides[1]}).to_string();
    let answer = post_to(&format!("/v1/diff/report?format={format}"), "application/json", request).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    String::from_utf8(answer.body).unwrap()
}

/// Returns name and expression of each part of a body.
fn body(of: &Value) -> Vec<(String, String)> {
    let side = |part: &Value| if part["after"].is_null() { part["before"].clone() } else { part["after"].clone() };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = of["body"].as_array().unwrap().iter();
    all.map(|part| (text(&part["name"]), text(&side(part)["expression"]))).collect()
}

const BLOCKS: &str = r#"
resource "aws_instance" "web" {
  ami = "a"
  tags = {
    Name = "web"
  }

  ebs {
    size = 1

    inner {
      deep = var.x
    }
  }

  ebs {
    size = 2
  }
}

variable "x" {
}

variable "secret" {
  default   = "hidden"
  sensitive = true
}
"#;

#[tokio::test]
async fn a_block_on_one_side_is_shown_with_its_body() {
    let (none, files) = (json!({"main.tf": ""}), json!({"main.tf": BLOCKS}));
    let wanted: Vec<(String, String)> = [
        ("ami", "\"a\""),
        ("ebs", ""),
        ("ebs.inner", ""),
        ("ebs.inner.deep", "var.x"),
        ("ebs.size", "1"),
        ("ebs", ""),
        ("ebs.size", "2"),
    ]
    .iter()
    .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
    .collect();
    for (before, after, act) in [(&none, &files, "added"), (&files, &none, "removed")] {
        let answer = diff(before, after, &json!({})).await;
        let changes = answer["changes"].as_array().unwrap();
        let web = changes.iter().find(|change| change["address"] == "aws_instance.web").unwrap();
        let mut found = body(web);
        found.retain(|(name, _)| name != "tags");
        assert_eq!(found, wanted, "{web}");
        assert!(web["body"].as_array().unwrap().iter().all(|part| part["change"] == act), "{web}");
        let secret = changes.iter().find(|change| change["address"] == "var.secret").unwrap();
        let default = secret["body"].as_array().unwrap().iter().find(|part| part["name"] == "default").unwrap();
        let side = if act == "added" { &default["after"] } else { &default["before"] };
        assert_eq!((&side["expression"], &side["redacted"]), (&Value::Null, &json!(true)), "{secret}");
        assert!(!answer.to_string().contains("hidden"), "{answer}");
        for format in ["text", "markdown"] {
            let text = report(format, before, after, &json!({})).await;
            assert!(text.contains("ebs.inner.deep") && text.contains("var.x") && !text.contains("hidden"), "{text}");
        }
    }
    // A nested block of an object that both sides have.
    let less = BLOCKS.replace("  ebs {\n    size = 2\n  }\n", "");
    let answer = diff(&json!({"main.tf": less}), &files, &json!({})).await;
    let part = &answer["changes"][0]["parts"][0];
    assert_eq!((&part["name"], &part["change"]), (&json!("ebs"), &json!("added")), "{answer}");
    assert_eq!(body(part), [("ebs.size".to_owned(), "2".to_owned())]);
}

#[tokio::test]
async fn a_module_that_calls_what_differs_is_affected() {
    let call = |source: &str| format!("module \"m\" {{\n  source = \"{source}\"\n}}\n");
    let files = |value: &str| {
        json!({
            "live/main.tf": call("../modules/app"), "modules/app/main.tf": call("../net"),
            "modules/net/main.tf": format!("output \"o\" {{\n  value = {value}\n}}\n"), "other/main.tf": "",
        })
    };
    let more = json!({"recursive": true});
    let answer = diff(&files("1"), &files("2"), &more).await;
    let wanted = json!({
        "live": [{"address": "module.m", "path": "modules/app"}],
        "modules/app": [{"address": "module.m", "path": "modules/net"}],
    });
    assert_eq!((&answer["affected"], &answer["different"]), (&wanted, &json!(true)), "{answer}");
    assert_eq!(answer["module_counts"]["changed"], 1);
    let text = report("text", &files("1"), &files("2"), &more).await;
    assert!(text.contains("== live (affected)\n  module.m calls modules/app, which differs\n"), "{text}");
    let text = report("markdown", &files("1"), &files("2"), &more).await;
    assert!(text.contains("- `live`: `module.m` (`modules/app`)\n"), "{text}");
    let answer = diff(&files("1"), &files("1"), &more).await;
    assert_eq!((&answer["affected"], &answer["different"]), (&json!({}), &json!(false)), "{answer}");
}

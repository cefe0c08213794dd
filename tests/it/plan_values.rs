//! Numbers and sets in plans, as Terraform 1.11.4 writes them.

use serde_json::{Value, json};

use crate::http::post_to;

/// Returns the document and its text.
async fn document(main: &str) -> (Value, String) {
    let request = json!({"files": {"main.tf": main}, "version": "1.11.4"});
    let answer = post_to("/v1/plan", "application/json", request.to_string()).await;
    let text = String::from_utf8(answer.body.clone()).unwrap();
    (serde_json::from_str::<Value>(&text).unwrap()["plan"].clone(), text)
}

/// Returns the list that follows the first place at which a text stands.
fn list_after<'t>(text: &'t str, before: &str) -> &'t str {
    let (_, rest) = text.split_once(before).unwrap();
    rest.split_inclusive(']').next().unwrap()
}

#[tokio::test]
async fn only_what_a_plan_stores_has_whole_numbers() {
    let numbers = "[-0, 0 * -1, pow(2, 62), pow(2, 63), pow(2, 70), pow(2, 70) * 1, 1180591620717411303424, 18446744073709551616, 1e-7]";
    let main = format!("output \"o\" {{\n  value = {numbers}\n}}\n");
    let (_, text) = document(&main).await;
    let rest = "9223372036854776000,1180591620717411300000,1180591620717411303424,1180591620717411303424,18446744073709551616,0.0000001]";
    let stored = format!("[0,0,4611686018427387904,{rest}");
    assert_eq!(list_after(&text, "\"after\":"), stored);
    let values = text.split_once("\"planned_values\":").unwrap().1;
    assert_eq!(list_after(values, "\"value\":"), stored);
    let prior = text.split_once("\"prior_state\":").unwrap().1;
    assert_eq!(list_after(prior, "\"value\":"), format!("[-0,-0,4611686018427388000,{rest}"));
}

#[tokio::test]
async fn the_configuration_has_numbers_as_written() {
    let main = "variable \"v\" {\n  default = -0\n}\nresource \"terraform_data\" \"r\" {\n  input = [-0, 1]\n}\n";
    let (_, text) = document(main).await;
    assert!(text.contains("\"variables\":{\"v\":{\"value\":-0}}"), "{text}");
    assert!(text.contains("{\"default\":-0}"), "{text}");
    assert!(text.contains("{\"constant_value\":[-0,1]}"), "{text}");
    assert!(text.contains("\"input\":[0,1]"), "{text}");
}

#[tokio::test]
async fn structures_of_booleans_have_the_order_of_the_tool() {
    let main = "resource \"terraform_data\" \"x\" {}\noutput \"a\" {\n  value = toset([{ a = terraform_data.x.id == \"\", b = 1 }, { a = true, b = 2 }, { a = false, b = 3 }, { a = null, b = 4 }])\n}\noutput \"b\" {\n  value = toset([[true], [false], [true, false], [false, true], [true, true], [false, false], []])\n}\noutput \"c\" {\n  value = toset([toset([true]), toset([false]), toset([true, false])])\n}\noutput \"d\" {\n  value = toset([[null], [true], [false]])\n}\n";
    let (document, _) = document(main).await;
    let after = |name: &str| &document["output_changes"][name]["after"];
    assert_eq!(after("a"), &json!([{"b": 1}, {"a": false, "b": 3}, {"a": true, "b": 2}, {"a": null, "b": 4}]));
    assert_eq!(after("b"), &json!([[false, false], [false, true], [false], [true, false], [true, true], [true], []]));
    assert_eq!(after("c"), &json!([[false, true], [false], [true]]));
    assert_eq!(after("d"), &json!([[false], [true], [null]]));
}

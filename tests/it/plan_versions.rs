//! The plan documents of other releases than the recorded one (docs/versions.md).

use serde_json::{Value, json};

use crate::http::post_to;

/// Returns the answer about a module in a version.
async fn plan(dialect: &str, version: &str, main: &str) -> Value {
    let request = json!({
        "dialect": dialect, "version": version, "files": {"main.tf": main}, "timestamp": "2025-03-01T12:00:00Z",
    });
    let answer = post_to("/v1/plan", "application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// Returns the names of the members of an object, in order.
fn keys(object: &Value) -> String {
    object.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>().join(" ")
}

const MAIN: &str = "variable \"v\" {\n  default = 1\n  validation {\n    condition = var.v > 0\n    error_message = \"It is not positive.\"\n  }\n}\nresource \"null_resource\" \"r\" {\n  lifecycle {\n    precondition {\n      condition = var.v > 0\n      error_message = \"It is not positive.\"\n    }\n  }\n}\noutput \"o\" {\n  value = var.v\n}\noutput \"id\" {\n  value = null_resource.r.id\n}\n";

#[tokio::test]
async fn documents_have_the_parts_of_their_release() {
    let always = "configuration format_version output_changes overfold planned_values prior_state resource_changes terraform_version variables";
    for (dialect, version, format, added) in [
        ("terraform", "1.2.9", "1.1", "condition_results relevant_attributes"),
        ("terraform", "1.3.10", "1.1", "checks condition_results relevant_attributes"),
        ("terraform", "1.5.7", "1.2", "checks relevant_attributes timestamp"),
        ("terraform", "1.7.5", "1.2", "checks errored relevant_attributes timestamp"),
        ("terraform", "1.8.5", "1.2", "applyable checks complete errored relevant_attributes timestamp"),
        ("terraform", "1.11.4", "1.2", "applyable checks complete errored relevant_attributes timestamp"),
        ("terraform", "1.15.9", "1.2", "applyable checks complete errored relevant_attributes timestamp"),
        ("opentofu", "1.6.3", "1.2", "checks errored relevant_attributes timestamp"),
        ("opentofu", "1.11.0", "1.2", "checks errored relevant_attributes timestamp"),
    ] {
        let answer = plan(dialect, version, MAIN).await;
        let document = &answer["plan"];
        assert_eq!(document["format_version"], json!(format), "{dialect} {version}");
        assert_eq!(document["terraform_version"], json!(version));
        let mut wanted: Vec<&str> = always.split(' ').chain(added.split(' ')).collect();
        wanted.sort_unstable();
        assert_eq!(
            keys(document).split(' ').collect::<std::collections::BTreeSet<_>>(),
            wanted.into_iter().collect(),
            "{dialect} {version}"
        );
        let kinds: Vec<&Value> =
            answer["missing"].as_array().unwrap().iter().map(|missing| &missing["kind"]).collect();
        assert!(!kinds.contains(&&json!("version-unrecorded")), "{dialect} {version}");
    }
}

#[tokio::test]
async fn checks_list_what_their_release_lists() {
    for (version, shown) in [("1.5.7", 1), ("1.6.6", 2)] {
        let answer = plan("terraform", version, MAIN).await;
        assert_eq!(answer["plan"]["checks"].as_array().unwrap().len(), shown, "{version}");
    }
    for (version, has_note) in [("1.3.0", true), ("1.4.7", true), ("1.5.0", false)] {
        let answer = plan("terraform", version, MAIN).await;
        assert_eq!(answer["plan"]["checks"][0].get("//").is_some(), has_note, "{version}");
    }
}

//! Findings about what override files change.

use serde_json::json;

use super::{answer, found};

const TWO_FORMS: &str = "info overfold Argument and blocks with the same name";

#[tokio::test]
async fn the_later_of_an_argument_and_a_block_of_one_name_is_reported() {
    let (argument, block) = ("resource \"a\" \"t\" {\n  n = 1\n}\n", "resource \"a\" \"t\" {\n  n {}\n}\n");
    let wanted = [format!("override.tf:2:3 {TWO_FORMS} -> main.tf:2:3")];
    assert_eq!(found("terraform", &[("main.tf", argument), ("override.tf", block)]).await, wanted);
    assert_eq!(found("terraform", &[("main.tf", block), ("override.tf", argument)]).await, wanted);
    // A block type with a table row does not belong to a provider.
    let known = "resource \"a\" \"t\" {\n  count = 1\n  count {}\n}\n";
    assert!(found("terraform", &[("main.tf", known)]).await.is_empty());
}

/// The two are in blocks of different override files.
#[tokio::test]
async fn a_source_and_a_version_of_two_override_files() {
    let files = [
        ("main.tf", "module \"a\" {\n  source = \"hashicorp/x/aws\"\n}\n"),
        ("a_override.tf", "module \"a\" {\n  source = \"./n\"\n}\n"),
        ("b_override.tf", "module \"a\" {\n  version = \"1.0.0\"\n}\n"),
    ];
    assert_eq!(
        found("terraform 1.11", &files).await,
        ["main.tf:1:1 warning overfold Invalid version constraint -> a_override.tf:2:12 -> b_override.tf:2:3"]
    );
}

#[tokio::test]
async fn providers_without_an_alias_may_come_from_an_override_file() {
    let of = async |line: &str| {
        let over = format!("provider \"b\" {{\n  {line}\n}}\n");
        let found = found("terraform", &[("main.tf", "provider \"a\" {}\n"), ("override.tf", &over)]).await;
        found.iter().any(|line| line.contains("Missing base provider configuration"))
    };
    assert!(!of("region = \"r\"").await && !of("version = \"1.0\"").await);
    assert!(of("alias = \"x\"").await);
}

#[tokio::test]
async fn an_empty_alias_of_an_override_is_added_like_any_argument() {
    let files = [("main.tf", "provider \"a\" {}\n"), ("override.tf", "provider \"a\" {\n  alias = \"\"\n}\n")];
    let answer = answer("terraform", &files).await;
    assert_eq!(answer["module"]["config"]["provider"], json!({"a": [{"alias": ""}]}));
}

#[tokio::test]
async fn contents_lost_with_a_replaced_block() {
    let title = "warning overfold Override loses part of the base";
    // An argument replaces a block of the same name.
    let base = "resource \"a\" \"t\" {\n  disk {\n    n {}\n    o {}\n  }\n}\n";
    let over = "resource \"a\" \"t\" {\n  disk {\n    n = 1\n  }\n}\n";
    assert_eq!(
        found("terraform", &[("main.tf", base), ("override.tf", over)]).await,
        [format!("override.tf:2:3 {title} -> main.tf:4:5")]
    );
    // A block is identified by what it represents: for `dynamic` the generated type, otherwise its own type, not its
    // label.
    let base = "resource \"a\" \"t\" {\n  disk {\n    dynamic \"n\" {\n      for_each = []\n      content {}\n    }\n    foo \"x\" {}\n    \
        foo \"y\" {}\n  }\n}\n";
    let over = "resource \"a\" \"t\" {\n  disk {\n    foo \"x\" {}\n  }\n}\n";
    let answer = answer("terraform", &[("main.tf", base), ("override.tf", over)]).await;
    let details: Vec<&str> =
        answer["diagnostics"].as_array().unwrap().iter().map(|found| found["detail"].as_str().unwrap()).collect();
    assert_eq!(details.len(), 2, "{details:?}");
    assert!(details[0].contains("this `n` block") && details[1].contains("this `foo` block"), "{details:?}");
}

/// Each file is judged by its own blocks.
#[tokio::test]
async fn files_accidentally_named_like_override_files() {
    let files = [
        ("main.tf", "variable \"v\" {}\n"),
        ("a_override.tf", "variable \"a\" {}\n"),
        ("b_override.tf", "variable \"b\" {}\n"),
        ("c_override.tf", "variable \"c\" {}\nvariable \"v\" {\n  default = 1\n}\n"),
    ];
    let found = found("terraform", &files).await;
    let named: Vec<&String> = found.iter().filter(|line| line.contains("Override file matches nothing")).collect();
    let title = "info overfold Override file matches nothing";
    assert_eq!(named, [&format!("a_override.tf:1:1 {title}"), &format!("b_override.tf:1:1 {title}")]);
}

/// The second override changes only the default; the type is that of the first.
#[tokio::test]
async fn defaults_are_checked_against_the_type_of_an_earlier_override() {
    let title = "error tool Invalid default value for variable";
    let files = [
        ("main.tf", "variable \"v\" {\n  default = \"a\"\n}\n"),
        ("a_override.tf", "variable \"v\" {\n  type = string\n}\n"),
        ("b_override.tf", "variable \"v\" {\n  default = [\"x\"]\n}\n"),
    ];
    assert_eq!(found("terraform", &files).await, [format!("b_override.tf:1:1 {title}")]);
}

#[tokio::test]
async fn the_type_of_an_output_can_be_added() {
    let files =
        [("main.tf", "output \"o\" {\n  value = 1\n}\n"), ("override.tf", "output \"o\" {\n  type = number\n}\n")];
    let answer = answer("terraform 1.15", &files).await;
    assert_eq!(answer["module"]["objects"]["output.o"]["type"], "number");
}

/// The two are combined with "or": only a false over a true has no effect.
#[tokio::test]
async fn encryption_stays_enforced_and_nothing_else_is_ignored() {
    let text = |enforced: &str| {
        format!("terraform {{\n  encryption {{\n    state {{\n      enforced = {enforced}\n    }}\n  }}\n}}\n")
    };
    for (base, over, ignored) in
        [("true", "false", true), ("true", "true", false), ("false", "false", false), ("false", "true", false)]
    {
        let found = found("opentofu", &[("main.tf", &text(base)), ("override.tf", &text(over))]).await;
        let note = "override.tf:4:7 info overfold Override has no effect -> main.tf:4:7".to_owned();
        assert_eq!(found.contains(&note), ignored, "{base} {over}: {found:?}");
    }
}

/// Blocks next to the new entries of a block are a mistake and are not added.
#[tokio::test]
async fn new_entries_are_added_without_blocks() {
    let base = "locals {\n  a = 1\n}\nlocals {\n  b = 1\n}\nterraform {\n  required_providers {\n    a = \"1\"\n  }\n  \
        required_providers {\n    b = \"1\"\n  }\n}\n";
    let over = "locals {\n  c = 1\n  x {}\n}\nterraform {\n  required_providers {\n    c = \"1\"\n    y {}\n  }\n}\n";
    let files = [("main.tf", base), ("override.tf", over)];
    let answer = answer("tflint", &files).await;
    let config = &answer["module"]["config"];
    assert_eq!(config["locals"], json!([{"a": 1}, {"b": 1}, {"c": 1}]));
    assert_eq!(config["terraform"][1], json!({"required_providers": [{"c": "1"}]}));
}

// The dialect `terraform-0.11`.

#[tokio::test]
async fn a_count_of_one_does_not_override() {
    let text = |count: &str| format!("resource \"a\" \"t\" {{\n  count = {count}\n}}\n");
    let of = async |over: &str| {
        answer("terraform-0.11", &[("main.tf", &text("3")), ("override.tf", &text(over))]).await["module"]["config"]
            ["resource"]["a"]["t"]["count"]
            .clone()
    };
    assert_eq!(of("1").await, 3);
    assert_eq!(of("2").await, 2);
}

#[tokio::test]
async fn ignored_blocks_are_recorded() {
    let files = [
        ("main.tf", "resource \"a\" \"u\" {\n  lifecycle {}\n}\n"),
        ("override.tf", "resource \"a\" \"u\" {\n  lifecycle {\n    prevent_destroy = true\n  }\n}\n"),
    ];
    let answer = answer("terraform-0.11", &files).await;
    assert!(answer["module"]["overrides"].to_string().contains("\"ignored\""), "{}", answer["module"]["overrides"]);
}

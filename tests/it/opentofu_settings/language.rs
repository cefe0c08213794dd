//! Language blocks, and the older arguments that they replace (opentofu.md, section 2).

use serde_json::json;

use super::{answer, reported, says};

#[tokio::test]
async fn language_blocks_are_judged() {
    for (body, wanted) in [
        ("edition = tofu2024", ""),
        ("edition = \"tofu2024\"", "2:11 Invalid language edition"),
        ("edition = tofu2025", "2:11 Unsupported language edition"),
        ("edition = TF2021", "2:11 Unsupported language edition"),
        ("edition = a.b", "2:11 Invalid language edition"),
        ("experiments = []", ""),
        (
            "experiments = [a, module_variable_optional_attrs]",
            "2:16 Unknown experiment keyword; 2:19 Unknown experiment keyword",
        ),
        ("experiments = [\"a\", b.c]", "2:16 Invalid experiment keyword; 2:21 Invalid experiment keyword"),
        ("experiments = a", "2:15 Invalid expression"),
        ("colour = 1", "2:1 Unsupported argument"),
        ("colour {}", "2:1 Unsupported block type"),
        ("compatible_with {\n opentofu = \">= 1.12\"\n a = b\n c {}\n}", ""),
        ("compatible_with {\n opentofu = \"> 2\"\n}", "3:2 Incompatible module"),
        ("compatible_with {\n opentofu = \">= 1.11\"\n}", "3:2 Ineffective version constraint"),
        ("compatible_with {\n opentofu = \">= 0\"\n}", "3:2 Ineffective version constraint"),
        ("compatible_with {\n opentofu = null\n}", "3:2 Ineffective version constraint"),
        (
            "compatible_with {\n opentofu = \"x\"\n}",
            "3:13 Invalid version constraint; 3:13 Invalid version constraint",
        ),
        ("compatible_with {\n opentofu = \"> 2.0-rc1\"\n}", "3:2 Invalid required_version constraint"),
        (
            "compatible_with \"x\" {\n}",
            "2:17 Extraneous label for compatible_with; 2:17 Extraneous label for compatible_with",
        ),
        (
            "compatible_with {\n opentofu = \">= 1.12\"\n}\ncompatible_with {\n opentofu = \">= 1.12\"\n}\ncompatible_with {\n}",
            "1:1 Duplicate compatible_with block; 1:1 Duplicate compatible_with block",
        ),
        // A block that cannot be read is not treated as the first.
        (
            "compatible_with {\n opentofu = \"x\"\n}\ncompatible_with {\n opentofu = \">= 1.12\"\n}",
            "3:13 Invalid version constraint; 3:13 Invalid version constraint",
        ),
    ] {
        let files = json!({"main.tf": format!("language {{\n{body}\n}}\n")});
        let says = says("1.12", files).await;
        assert_eq!(says.trim_end().replace("main.tf:", "").replace('\n', "; "), wanted, "{body}");
    }
}

#[tokio::test]
async fn several_language_blocks_are_no_error_and_json_reads_alike() {
    let files = json!({"main.tf": "language {\n  edition = tofu2024\n}\nlanguage {\n  edition = tofu2024\n}\n"});
    assert_eq!(says("1.12", files).await, "");
    let files = json!({"main.tf.json":
        "{\"language\": {\"edition\": \"TF2021\", \"experiments\": [\"x\"], \"compatible_with\": [{\"opentofu\": \"> 1\"}]}}"});
    assert_eq!(
        says("1.12", files).await,
        "main.tf.json:1:26 Unsupported language edition\nmain.tf.json:1:52 Unknown experiment keyword\n\
         main.tf.json:1:79 Ineffective version constraint\n"
    );
}

#[tokio::test]
async fn tool_crashes_are_answered_normally() {
    let answer = answer("1.12", json!({"main.tf": "language {\n  compatible_with {\n    other = 1\n  }\n}\n"})).await;
    assert_eq!(reported(&answer, "tool"), "");
    assert_eq!(
        reported(&answer, "overfold"),
        "main.tf:2:3 The tool crashes here\nmain.tf:3:5 Argument has no effect\n"
    );
    assert_eq!(answer["valid"], false);
}

#[tokio::test]
async fn only_constraints_are_read_from_a_language_block_in_an_override_file() {
    let files = |constraint: &str| {
        json!({"main.tf": "", "override.tf": format!(
            "language {{\n  edition = x\n  compatible_with {{\n    opentofu = {constraint}\n  }}\n}}\n")})
    };
    assert_eq!(says("1.12", files("\"> 1\"")).await, "override.tf:1:1 Language selections in override file\n");
    assert_eq!(says("1.12", files("\"> 2\"")).await, "override.tf:4:5 Incompatible module\n");
    assert_eq!(
        says("1.12", files("\"x\"")).await,
        "override.tf:1:1 Language selections in override file\noverride.tf:4:16 Invalid version constraint\n"
    );
}

#[tokio::test]
async fn old_language_arguments_are_judged_up_to_1_11_and_noted_since() {
    for (body, wanted) in [
        ("language = TF2021", ""),
        ("language = tofu2024", "main.tf:2:12 Unsupported language edition\n"),
        ("language = \"TF2021\"", "main.tf:2:12 Invalid language edition\n"),
        ("experiments = []", "main.tf:2:1 Module uses experimental features\n"),
        ("experiments = x", "main.tf:2:1 Module uses experimental features\n"),
        ("experiments = [variable_validation]", "main.tf:2:1 Module uses experimental features\n"),
        (
            "experiments = [module_variable_optional_attrs, loops]",
            "main.tf:2:16 Experiment has concluded\nmain.tf:2:48 Unknown experiment keyword\n",
        ),
    ] {
        let files = json!({"main.tf": format!("terraform {{\n{body}\n}}\n")});
        for version in ["1.6", "1.11"] {
            assert_eq!(says(version, files.clone()).await, wanted, "{version} {body}");
        }
        let newer = answer("1.12", files).await;
        assert_eq!(reported(&newer, "tool"), "");
        assert_eq!(reported(&newer, "overfold"), "main.tf:2:1 Argument has no effect\n");
    }
}

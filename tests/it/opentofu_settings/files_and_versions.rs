//! Which files are read, and version constraints (opentofu.md, sections 1 and 2).

use serde_json::{Value, json};

use super::{answer, object, reported, says};

#[tokio::test]
async fn each_file_has_its_role() {
    let empty = |names: &[&str]| -> Value { names.iter().map(|name| ((*name).to_owned(), json!(""))).collect() };
    let answer = answer(
        "1.12",
        empty(&[
            "a.tf",
            "a.tofu.json",
            "b.tf.json",
            "b.tofu",
            "c.tf",
            "c.tofu",
            ".d.tofu",
            "e.tofu~",
            "#f.tofu#",
            "g.TOFU",
            "override.tofu",
            "x_override.tf",
            "x_override.tofu.json",
            "xoverride.tofu",
            "override.tofu.json",
            "override.tofutest.hcl",
            "t.tftest.json",
            "tests/t.tofutest.json",
            "tests/u.tftest.hcl",
            "tests/u.tofutest.hcl",
            "tests/deep/v.tofutest.hcl",
            "tests/main.tofu",
            "u.tftest.hcl",
        ]),
    )
    .await;
    let of = |role: &str| -> Vec<String> {
        let files = answer["module"]["files"].as_array().unwrap().iter();
        files.filter(|file| file["role"] == role).map(|file| file["path"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(of("primary"), ["a.tf", "a.tofu.json", "b.tf.json", "b.tofu", "c.tofu", "xoverride.tofu"]);
    assert_eq!(of("override"), ["override.tofu", "override.tofu.json", "x_override.tf", "x_override.tofu.json"]);
    // A file in tests/ hides none next to the module, nor the other way round.
    assert_eq!(
        of("test"),
        ["tests/t.tofutest.json", "tests/u.tofutest.hcl", "override.tofutest.hcl", "t.tftest.json", "u.tftest.hcl"]
    );
    let hidden: Vec<&str> = answer["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|found| found["code"] == "load/file-replaced")
        .map(|found| found["detail"].as_str().unwrap())
        .collect();
    assert_eq!(
        hidden,
        [
            "\"tests/u.tftest.hcl\" is not read: \"tests/u.tofutest.hcl\", the file of the same name with OpenTofu's own suffix, replaces it.",
            "\"c.tf\" is not read: \"c.tofu\", the file of the same name with OpenTofu's own suffix, replaces it.",
        ]
    );
}

#[tokio::test]
async fn a_broken_partner_file_still_hides_the_other() {
    let files = json!({"a.tf": "locals {\n a = 1\n}\n", "a.tofu": "locals {\n", "b.tf": "}}", "b.tofu": ""});
    assert_eq!(says("1.12", files).await, "a.tofu:1:8 Unclosed configuration block\n");
}

#[tokio::test]
async fn run_names_are_names_since_a_patch_release() {
    let files = json!({
        "a.tftest.hcl": "run \"not fine\" {\n}\n",
        "tests/b.tftest.json": "{\"run\": {\"1st\": {\"command\": \"plan\"}}}",
        "tests/deeper/c.tftest.hcl": "run \"not read\" {\n}\n",
    });
    assert_eq!(says("1.7.0", files.clone()).await, "");
    for version in ["1.7.1", "1.12"] {
        let wanted = "a.tftest.hcl:1:5 Invalid run block name\ntests/b.tftest.json:1:10 Invalid run block name\n";
        assert_eq!(says(version, files.clone()).await, wanted);
    }
}

#[tokio::test]
async fn test_files_are_no_part_of_the_module() {
    let files = json!({"main.tf": "", "a.tofutest.hcl": "variables {\n  x = 1\n}\nvariables {\n}\nlocals {\n}\nrun \"r\" {\n  command = \"plan\"\n  module {\n  }\n}\n"});
    let answer = answer("1.12", files).await;
    assert_eq!(
        reported(&answer, "tool"),
        "a.tofutest.hcl:4:1 Multiple \"variables\" blocks\na.tofutest.hcl:6:1 Unsupported block type\n\
         a.tofutest.hcl:9:13 Invalid \"command\" keyword\na.tofutest.hcl:10:3 Missing \"source\" attribute for module block\n"
    );
    assert_eq!(answer["module"]["objects"], json!({}));
}

#[tokio::test]
async fn an_unmet_constraint_hides_everything_else() {
    let files = json!({
        "a.tofu": "terraform {\n  required_version = \">= 2\"\n}\n",
        "b_override.tofu": "terraform {\n  required_version = \"< 1.0\"\n}\n",
        "broken.tf": "locals {\n  a = \n}\nvariable \"v\" {\n  type = nonsense\n}\n",
        "c.tofu": "terraform {\n  required_version = \"rather new\"\n}\n",
        "t.tftest.hcl": "run \"a b\" {}\n",
    });
    let answer = answer("1.12", files).await;
    assert_eq!(
        reported(&answer, "tool"),
        "a.tofu:2:3 Incompatible module\nb_override.tofu:2:3 Incompatible module\n"
    );
    // Hidden findings would come next, so they are kept.
    let later = reported(&answer, "tool-later");
    for title in ["c.tofu:2:22 Invalid version constraint", "Invalid expression", "Invalid run block name"] {
        assert!(later.contains(title), "{later}");
    }
    assert_eq!(answer["valid"], false);
    assert!(!object(&answer, "var.v").is_null());
}

#[tokio::test]
async fn constraints_are_read_in_files_of_the_own_suffix() {
    let text = |constraint: &str| format!("terraform {{\n  required_version = {constraint}\n}}\n");
    for (constraint, wanted) in [
        ("\">= 1.12.0, < 1.13\"", ""),
        ("\"= 1.12.6\"", ""),
        ("\"!= 1.12.6\"", "main.tofu:2:3 Incompatible module\n"),
        ("\"~> 1.11.0\"", "main.tofu:2:3 Incompatible module\n"),
        ("\"nope\"", "main.tofu:2:22 Invalid version constraint\n"),
        ("[1]", "main.tofu:2:22 Invalid version constraint\n"),
        ("local.x", "main.tofu:2:22 Variables not allowed\n"),
        ("null", ""),
        // Not tested in that case.
        ("\"< 1.0.0-beta1\"", "main.tofu:2:3 Invalid required_version constraint\n"),
        (
            "\"< 1.0.0-beta1, > 2.0.0-rc1\"",
            "main.tofu:2:3 Invalid required_version constraint\nmain.tofu:2:3 Invalid required_version constraint\n",
        ),
    ] {
        let own = answer("1.12", json!({"main.tofu": text(constraint)})).await;
        assert_eq!(reported(&own, "tool"), wanted, "{constraint}");
        assert!(object(&own, "terraform.required_version").is_null());
        let other = answer("1.12", json!({"main.tf": text(constraint)})).await;
        assert_eq!(reported(&other, "tool"), "", "{constraint}");
        assert_eq!(reported(&other, "overfold"), "main.tf:2:3 Argument has no effect\n");
    }
}

#[tokio::test]
async fn up_to_1_11_every_file_counts_and_none_is_hidden() {
    let files = json!({
        "a.tf": "terraform {\n  required_version = \"> 3\"\n}\nlocals {\n  x = 1\n  x = 2\n}\n",
        "b.tofu": "terraform {\n  required_version = \"> 4.0.0-rc1\"\n}\n",
    });
    assert_eq!(
        says("1.11", files.clone()).await,
        "a.tf:2:3 Unsupported OpenTofu Core version\na.tf:6:3 Attribute redefined\n\
         b.tofu:2:3 Invalid required_version constraint\n"
    );
    let mut files = files;
    files["override.tofu"] =
        json!("terraform {\n  required_version = \"< 5\"\n}\nterraform {\n  required_version = \"> 5\"\n}\n");
    assert_eq!(
        says("1.11", files).await,
        "a.tf:6:3 Attribute redefined\noverride.tofu:5:3 Unsupported OpenTofu Core version\n"
    );
}

#[tokio::test]
async fn header_faults_are_reported_by_every_pass() {
    let label = json!({"main.tofu": "terraform \"x\" {\n}\n"});
    let json = |name: &str| json!({name: "{\"terraform\": 5}"});
    let line = "main.tofu:1:11 Extraneous label for terraform\n";
    assert_eq!(says("1.12", label.clone()).await, line.repeat(2));
    assert_eq!(says("1.11", label).await, line.repeat(3));
    let line = "main.tf.json:1:15 Incorrect JSON value type\n";
    assert_eq!(says("1.12", json("main.tf.json")).await, line.repeat(2));
    assert_eq!(says("1.11", json("main.tf.json")).await, line.repeat(3));
    // The body of the block is only checked beforehand if its constraint is in effect. Decoding walks it twice.
    let body = |name: &str| json!({name: "{\"terraform\": [[5]]}"});
    let times = |reported: String| reported.matches("Incorrect JSON value type").count();
    assert_eq!(times(says("1.12", body("main.tofu.json")).await), 3);
    assert_eq!(times(says("1.12", body("main.tf.json")).await), 2);
}

//! Settings of the dialect `opentofu` that no recorded case shows (opentofu.md, sections 1 to 4,
//! and the requirements of opentofu.md, section 7.6).

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::http::post;

async fn answer(version: &str, files: Value) -> Value {
    let request = json!({"files": files, "dialect": "opentofu", "version": version,
        "include": ["config", "objects", "files"]});
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// `FILE:LINE:COLUMN TITLE` of the diagnostics of one origin, one a line, in order.
fn reported(answer: &Value, origin: &str) -> String {
    let mut out = String::new();
    for found in answer["diagnostics"].as_array().unwrap().iter().filter(|found| found["origin"] == origin) {
        let (range, title) = (&found["range"], found["summary"].as_str().unwrap());
        match range["filename"].as_str() {
            Some(name) => {
                writeln!(out, "{name}:{}:{} {title}", range["start"]["line"], range["start"]["column"]).unwrap();
            }
            None => writeln!(out, "{title}").unwrap(),
        }
    }
    out
}

/// What the tool says.
async fn says(version: &str, files: Value) -> String {
    reported(&answer(version, files).await, "tool")
}

fn object<'a>(answer: &'a Value, address: &str) -> &'a Value {
    &answer["module"]["objects"][address]
}

/// The expression of each argument of the one block of a type, `name = expression`, and of its nested blocks in brackets.
fn outline(block: &Value) -> String {
    let mut parts: Vec<String> = block["attributes"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, argument)| format!("{name} = {}", argument["expression"].as_str().unwrap_or("?")))
        .collect();
    for inner in block["blocks"].as_array().unwrap() {
        let mut header = inner["type"].as_str().unwrap().to_owned();
        for label in inner["labels"].as_array().unwrap() {
            write!(header, " {}", label.as_str().unwrap()).unwrap();
        }
        parts.push(format!("{header} {{{}}}", outline(inner)));
    }
    parts.join("; ")
}

/// A module of a base file and override files in order: the merged encryption and what the tool says.
async fn encryption(version: &str, base: &str, over: &[&str]) -> (String, String) {
    let (answer, _) = encryption_answer(version, base, over).await;
    let object = object(&answer, "terraform.encryption");
    (if object.is_null() { "none".to_owned() } else { outline(object) }, reported(&answer, "tool"))
}

async fn encryption_answer(version: &str, base: &str, over: &[&str]) -> (Value, String) {
    let mut files = json!({"main.tf": format!("terraform {{\nencryption {{\n{base}\n}}\n}}\n")});
    for (at, text) in over.iter().enumerate() {
        files[format!("{at}_override.tf")] = json!(format!("terraform {{\nencryption {{\n{text}\n}}\n}}\n"));
    }
    let answer = answer(version, files).await;
    let ours = reported(&answer, "overfold");
    (answer, ours)
}

// ---- opentofu.md, section 1 -----------------------------------------------------------------------------------

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
    // A file of tests/ hides none beside the module, nor the other way round.
    assert_eq!(
        of("test"),
        ["tests/t.tofutest.json", "tests/u.tofutest.hcl", "override.tofutest.hcl", "t.tftest.json", "u.tftest.hcl"]
    );
    let hidden: Vec<&str> = answer["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|found| found["code"] == "load/file-hidden")
        .map(|found| found["detail"].as_str().unwrap())
        .collect();
    assert_eq!(
        hidden,
        [
            "\"tests/u.tftest.hcl\" is not read, because \"tests/u.tofutest.hcl\" replaces it.",
            "\"c.tf\" is not read, because \"c.tofu\" replaces it.",
        ]
    );
}

#[tokio::test]
async fn a_broken_partner_hides_all_the_same() {
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

// ---- opentofu.md, section 2 -----------------------------------------------------------------------------------

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
    // What is hidden would come next, so it is kept as ours.
    let ours = reported(&answer, "overfold");
    for title in ["c.tofu:2:22 Invalid version constraint", "Invalid expression", "Invalid run block name"] {
        assert!(ours.contains(title), "{ours}");
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
        // Not tested then.
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
async fn up_to_1_11_every_file_counts_and_nothing_is_hidden() {
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
async fn header_faults_are_reported_by_every_reading() {
    let label = json!({"main.tofu": "terraform \"x\" {\n}\n"});
    let json = |name: &str| json!({name: "{\"terraform\": 5}"});
    let line = "main.tofu:1:11 Extraneous label for terraform\n";
    assert_eq!(says("1.12", label.clone()).await, line.repeat(2));
    assert_eq!(says("1.11", label).await, line.repeat(3));
    let line = "main.tf.json:1:15 Incorrect JSON value type\n";
    assert_eq!(says("1.12", json("main.tf.json")).await, line.repeat(2));
    assert_eq!(says("1.11", json("main.tf.json")).await, line.repeat(3));
    // The body of the block is looked at before only where the constraint in it counts. The decoding walks it twice.
    let body = |name: &str| json!({name: "{\"terraform\": [[5]]}"});
    let times = |reported: String| reported.matches("Incorrect JSON value type").count();
    assert_eq!(times(says("1.12", body("main.tofu.json")).await), 3);
    assert_eq!(times(says("1.12", body("main.tf.json")).await), 2);
}

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
        // One that cannot be read does not count as the first.
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
async fn where_the_tool_crashes_there_is_an_orderly_answer() {
    let answer = answer("1.12", json!({"main.tf": "language {\n  compatible_with {\n    other = 1\n  }\n}\n"})).await;
    assert_eq!(reported(&answer, "tool"), "");
    assert_eq!(
        reported(&answer, "overfold"),
        "main.tf:2:3 The tool crashes here\nmain.tf:3:5 Argument has no effect\n"
    );
    assert_eq!(answer["valid"], false);
}

#[tokio::test]
async fn a_language_block_in_an_override_file_is_looked_through_for_constraints_alone() {
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

// ---- opentofu.md, section 3 -----------------------------------------------------------------------------------

#[tokio::test]
async fn backend_and_cloud_follow_their_precedence() {
    let backend = |path: &str| format!("terraform {{\n  backend \"local\" {{\n    path = \"{path}\"\n  }}\n}}\n");
    let cloud = |name: &str| format!("terraform {{\n  cloud {{\n    organization = \"{name}\"\n  }}\n}}\n");
    for version in ["1.6", "1.12"] {
        // One override with both: cloud wins, whatever the order.
        for text in [backend("o") + &cloud("o"), cloud("o") + &backend("o")] {
            let answer = answer(version, json!({"main.tf": backend("b"), "override.tf": text})).await;
            assert_eq!(reported(&answer, "tool"), "");
            assert!(object(&answer, "terraform.backend").is_null());
            assert_eq!(outline(object(&answer, "terraform.cloud")), "organization = \"o\"");
        }
        // Two of one kind in one override file: neither applies; the other kind of the same file does.
        let files = json!({"main.tf": backend("b"), "override.tf": cloud("x") + &cloud("y")});
        let two = answer(version, files).await;
        assert_eq!(reported(&two, "tool"), "override.tf:7:3 Duplicate cloud configurations\n");
        assert_eq!(outline(object(&two, "terraform.backend")), "path = \"b\"");
        let files = json!({"main.tf": cloud("b"), "override.tf": backend("x") + &backend("y") + &backend("z")});
        let three = answer(version, files).await;
        assert_eq!(reported(&three, "tool"), "override.tf:7:3 Duplicate backend configuration\n");
        assert_eq!(outline(object(&three, "terraform.cloud")), "organization = \"b\"");
        // A later file beats an earlier one.
        let files = json!({"main.tf": "", "a_override.tf": cloud("a"), "b_override.tf": backend("z")});
        let later = answer(version, files).await;
        assert!(object(&later, "terraform.cloud").is_null());
        assert_eq!(outline(object(&later, "terraform.backend")), "path = \"z\"");
        // A base with both is an error, reported once for each file from there on; the override's is the result.
        let files = json!({"a.tf": backend("b"), "b.tf": cloud("b"), "c.tf": "", "override.tf": cloud("o")});
        let both = answer(version, files).await;
        let line = "a.tf:2:3 Both a backend and a cloud configuration are present\n";
        assert_eq!(reported(&both, "tool"), line.repeat(2));
        assert_eq!(outline(object(&both, "terraform.cloud")), "organization = \"o\"");
        assert!(object(&both, "terraform.backend").is_null());
    }
}

#[tokio::test]
async fn backend_arguments_are_templates_since_1_8() {
    // What is text in native syntax has to be written in JSON as the release reads it there.
    let files = json!({"main.tf": "terraform {\n  backend \"s3\" {\n    bucket = \"$${x}\"\n  }\n}\n"});
    for (version, wanted) in [("1.7", "${x}"), ("1.8", "$${x}")] {
        let answer = answer(version, files.clone()).await;
        assert_eq!(answer["module"]["config"]["terraform"][0]["backend"]["s3"][0]["bucket"], wanted, "{version}");
    }
}

// ---- opentofu.md, section 4 -----------------------------------------------------------------------------------

#[tokio::test]
async fn key_providers_and_methods_merge_like_bodies() {
    let base = "key_provider \"a\" \"k\" {\n one = 1\n two = 2\n login {\n  x = 1\n }\n other {\n }\n}\n\
                method \"m\" \"k\" {\n keys = 1\n}";
    let over = "key_provider \"b\" \"k\" {\n}\nkey_provider \"a\" \"k\" {\n two = null\n three = 3\n dynamic \"login\" {\n \
                 for_each = []\n  content {\n  }\n }\n}\nmethod \"m\" \"l\" {\n keys = 2\n}";
    let (merged, reported) = encryption("1.12", base, &[over]).await;
    assert_eq!(reported, "");
    assert_eq!(
        merged,
        "; key_provider a k {one = 1; three = 3; two = null; other {}; dynamic login {for_each = []; content {}}}; \
         key_provider b k {}; method m k {keys = 1}; method m l {keys = 2}"
            .trim_start_matches("; ")
    );
}

#[tokio::test]
async fn several_overrides_fold_one_after_the_other() {
    let base = "key_provider \"a\" \"k\" {\n v = 0\n}\nstate {\n method = method.m.a\n enforced = true\n}";
    let first = "key_provider \"a\" \"k\" {\n v = 1\n}\nkey_provider \"a\" \"new\" {\n v = 1\n}\nstate {\n enforced = false\n}";
    let second = "key_provider \"a\" \"new\" {\n v = 2\n}\nkey_provider \"a\" \"k\" {\n v = 2\n}\nstate {\n method = method.m.c\n fallback {\n }\n}";
    let (answer, ours) = encryption_answer("1.12", base, &[first, second]).await;
    let merged = object(&answer, "terraform.encryption");
    assert_eq!(
        outline(merged),
        "key_provider a k {v = 2}; key_provider a new {v = 2}; \
         state {enforced = true; method = method.m.c; fallback {}}"
    );
    let overrode = |block: usize, name: &str| -> Vec<&str> {
        let list = merged["blocks"][block]["attributes"][name]["overrode"].as_array().unwrap();
        list.iter().map(|earlier| earlier["expression"].as_str().unwrap()).collect()
    };
    assert_eq!(overrode(0, "v"), ["0", "1"]);
    assert_eq!(overrode(1, "v"), ["1"]);
    // The second override gave back what the first had taken.
    assert_eq!(overrode(2, "method"), ["method.m.a"]);
    assert_eq!(ours, "0_override.tf:9:1 Override removes an argument\n0_override.tf:10:2 Override has no effect\n");
    assert_eq!(merged["overridden"].as_array().unwrap().len(), 2);
    let config = answer["module"]["config"]["terraform"].to_string();
    for part in ["\"v\":2", "\"enforced\":true", "${method.m.c}"] {
        assert!(config.contains(part), "{config}");
    }
}

#[tokio::test]
async fn a_target_loses_its_method_when_both_sides_have_it() {
    let target = |inner: &str| format!("plan {{\n{inner}\n}}");
    for (base, over, wanted) in [
        ("method = a.b", "", "plan {}"),
        ("method = a.b", "method = null", "plan {method = null}"),
        ("method = a.b", "enforced = true", "plan {enforced = true}"),
        (
            "method = a.b\nfallback {\n method = c.d\n}",
            "method = x.y",
            "plan {method = x.y; fallback {method = c.d}}",
        ),
        ("enforced = true", "enforced = false", "plan {enforced = true}"),
        ("enforced = false", "enforced = true", "plan {enforced = true}"),
        ("enforced = \"true\"", "", "plan {enforced = \"true\"}"),
        (
            "method = a.b\nfallback {\n fallback {\n  method = q\n }\n}",
            "method = a.b\nfallback {\n method = r\n}",
            "plan {method = a.b; fallback {method = r}}",
        ),
        (
            "method = a.b",
            "method = a.b\nfallback {\n fallback {\n  fallback {\n   method = q\n  }\n }\n}",
            "plan {method = a.b; fallback {fallback {fallback {method = q}}}}",
        ),
    ] {
        let (merged, reported) = encryption("1.12", &target(base), &[&target(over)]).await;
        assert_eq!((merged.as_str(), reported.as_str()), (wanted, ""), "{base} / {over}");
    }
    // Only one side has the block: nothing is lost.
    let (merged, _) = encryption("1.12", "state {\n method = a.b\n}", &["plan {\n enforced = true\n}"]).await;
    assert_eq!(merged, "state {method = a.b}; plan {enforced = true}");
    // The same in the remote targets.
    let (merged, _) = encryption(
        "1.12",
        "remote_state_data_sources {\n default {\n  method = a.b\n }\n remote_state_data_source \"n\" {\n  method = a.b\n }\n}",
        &["remote_state_data_sources {\n default {\n }\n remote_state_data_source \"n\" {\n }\n}"],
    )
    .await;
    assert_eq!(merged, "remote_state_data_sources {default {}; remote_state_data_source n {}}");
}

#[tokio::test]
async fn what_is_lost_stays_on_record() {
    let (answer, ours) = encryption_answer("1.12", "state {\n method = a.b\n}", &["state {\n}"]).await;
    assert_eq!(ours, "0_override.tf:3:1 Override removes an argument\n");
    let state = &object(&answer, "terraform.encryption")["blocks"][0];
    assert_eq!(state["overrode_blocks"][0]["range"]["start"]["line"], 3);
    assert_eq!(answer["module"]["config"]["terraform"][0]["encryption"][0]["state"], json!([{}]));
}

#[tokio::test]
async fn the_alias_of_a_key_provider_stays_since_1_9() {
    let base = "key_provider \"a\" \"k\" {\n}\nkey_provider \"a\" \"l\" {\n encrypted_metadata_alias = \"base\"\n}";
    let over = "key_provider \"a\" \"k\" {\n encrypted_metadata_alias = \"over\"\n}\nkey_provider \"a\" \"l\" {\n \
                encrypted_metadata_alias = \"over\"\n}\nkey_provider \"a\" \"new\" {\n encrypted_metadata_alias = \"over\"\n}";
    let (merged, _) = encryption("1.8", base, &[over]).await;
    assert_eq!(merged.matches("\"over\"").count(), 3);
    let (answer, ours) = encryption_answer("1.9", base, &[over]).await;
    assert_eq!(
        outline(object(&answer, "terraform.encryption")),
        "key_provider a k {}; key_provider a l {encrypted_metadata_alias = \"base\"}; \
         key_provider a new {encrypted_metadata_alias = \"over\"}"
    );
    assert_eq!(ours, "0_override.tf:4:2 Override has no effect\n0_override.tf:7:2 Override has no effect\n");
    // It is a text to be known at once since then.
    let (merged, reported) =
        encryption("1.12", "key_provider \"a\" \"k\" {\n encrypted_metadata_alias = [1]\n}", &[]).await;
    assert_eq!((merged.as_str(), reported.as_str()), ("none", "main.tf:4:29 Unsuitable value type\n"));
    let (merged, reported) =
        encryption("1.8", "key_provider \"a\" \"k\" {\n encrypted_metadata_alias = [1]\n}", &[]).await;
    assert_eq!((merged.as_str(), reported.as_str()), ("key_provider a k {encrypted_metadata_alias = [1]}", ""));
}

#[tokio::test]
async fn repeated_addresses_are_reported_once_a_copy_at_the_header() {
    let twice = |block: &str, count: usize| format!("{block} {{\n}}\n").repeat(count);
    for (base, wanted) in [
        (twice("key_provider \"a\" \"k\"", 2), "main.tf:2:1 Duplicate key_provider\n".repeat(2)),
        (twice("method \"a\" \"k\"", 3), "main.tf:2:1 Duplicate method\n".repeat(3)),
        (
            format!("remote_state_data_sources {{\n{}}}", twice("remote_state_data_source \"a\"", 2)),
            "main.tf:2:1 Duplicate remote_data_source\n".repeat(2),
        ),
        (
            twice("method \"a\" \"k\"", 2) + &twice("key_provider \"a\" \"k\"", 2),
            "main.tf:2:1 Duplicate key_provider\n".repeat(2) + &"main.tf:2:1 Duplicate method\n".repeat(2),
        ),
        // Another mistake comes first, and these are not looked for then.
        (twice("method \"a\" \"k\"", 2) + "colour = 1", "main.tf:7:1 Unsupported argument\n".to_owned()),
        // Of several targets none is read.
        (twice("state", 3), "main.tf:5:1 Duplicate state block\n".to_owned()),
        ("plan {\n x = 1\n}\nplan {\n y = 1\n}".to_owned(), "main.tf:6:1 Duplicate plan block\n".to_owned()),
        (format!("state {{\n{}}}", twice("fallback", 2)), "main.tf:6:1 Duplicate fallback block\n".to_owned()),
        (
            format!("state {{\nfallback {{\n{}}}\n}}", twice("fallback", 2)),
            "main.tf:7:1 Duplicate fallback block\n".to_owned(),
        ),
        (
            format!("remote_state_data_sources {{\n{}}}", twice("default", 2)),
            "main.tf:6:1 Duplicate default block\n".to_owned(),
        ),
        (twice("remote_state_data_sources", 2), "main.tf:5:1 Duplicate remote_state_data_sources block\n".to_owned()),
        ("state {\n enforced = var.x\n}".to_owned(), String::from("main.tf:4:13 Variables not allowed\n")),
        (
            "state {\n fallback {\n  enforced = true\n }\n}".to_owned(),
            "main.tf:5:3 Unsupported argument\n".to_owned(),
        ),
        (
            "state {\n fallback {\n  fallback {\n   x = 1\n  }\n }\n}".to_owned(),
            "main.tf:6:4 Unsupported argument\n".to_owned(),
        ),
        ("key_provider \"a\" {\n}".to_owned(), "main.tf:3:18 Missing name for key_provider\n".to_owned()),
    ] {
        let (merged, reported) = encryption("1.12", &base, &[]).await;
        assert_eq!((merged.as_str(), reported.as_str()), ("none", wanted.as_str()), "{base}");
        // In an override file the same block is dropped and the base's stays.
        let (merged, _) = encryption("1.12", "method \"base\" \"b\" {\n}", &[&base]).await;
        assert_eq!(merged, "method base b {}", "{base}");
    }
}

#[tokio::test]
async fn labels_are_words_since_1_10() {
    let base = "key_provider \"a b\" \"1-k\" {\n}\nmethod \"\" \"é\" {\n}\nremote_state_data_sources {\n remote_state_data_source \"a b\" {\n }\n}";
    let (merged, reported) = encryption("1.9", base, &[]).await;
    assert!(reported.is_empty() && merged.starts_with("key_provider a b 1-k {}"), "{merged} {reported}");
    let (merged, reported) = encryption("1.10", base, &[]).await;
    assert_eq!(merged, "none");
    let mut reported: Vec<&str> = reported.lines().collect();
    reported.sort_unstable();
    assert_eq!(
        reported,
        [
            "The provided encryption method name is invalid",
            "The provided encryption method type is invalid",
            "The provided key provider type is invalid",
        ]
    );
}

#[tokio::test]
async fn encryption_reads_alike_in_json() {
    let body = |text: &str| json!({"main.tf.json": format!("{{\"terraform\": {{\"encryption\": {text}}}}}")});
    for (text, wanted, reported_wanted) in [
        ("{\"method\": {\"a\": {\"b\": {}}}}", "method a b {}", ""),
        (
            "[{\"method\": {\"a\": {\"b\": {}}}}, {\"state\": {}}]",
            "method a b {}",
            "30 Duplicate encryption configuration",
        ),
        ("{\"state\": [{}, {}, {}]}", "none", "40 Duplicate state block"),
        ("{\"state\": {\"enforced\": \"true\"}}", "state {enforced = \"true\"}", ""),
        ("{\"state\": {\"enforced\": \"${true}\"}}", "none", "53 Unsuitable value type"),
        ("{\"method\": {\"a\": {\"b\": [{}, {}]}}}", "none", "30 Duplicate method; 30 Duplicate method"),
        ("{\"method\": {\"a\": {\"b\": [5]}}}", "none", "54 Incorrect JSON value type"),
        ("{\"method\": {\"a\": {\"b\": 5}}}", "none", "53 Incorrect JSON value type"),
        ("{\"x\": 1}", "none", "31 Extraneous JSON object property"),
    ] {
        let answer = answer("1.12", body(text)).await;
        let found = object(&answer, "terraform.encryption");
        let outline = if found.is_null() { "none".to_owned() } else { outline(found) };
        let reported = reported(&answer, "tool").trim_end().replace("main.tf.json:1:", "").replace('\n', "; ");
        assert_eq!((outline.as_str(), reported.as_str()), (wanted, reported_wanted), "{text}");
    }
}

#[tokio::test]
async fn deep_fallbacks_and_long_chains_merge() {
    // Deeper than the reader of this test goes, so the bytes are looked at.
    let depth = 900;
    let nested = "fallback {\n".repeat(depth) + &"}\n".repeat(depth);
    let text = format!("terraform {{\nencryption {{\nstate {{\n{nested}}}\n}}\n}}\n");
    let request =
        json!({"files": {"main.tf": text, "override.tf": text}, "dialect": "opentofu", "include": ["config"]});
    let answer = post("application/json", request.to_string()).await;
    let text = String::from_utf8(answer.body.clone()).unwrap();
    assert!(answer.status == 200 && text.ends_with("\"diagnostics\":[]}"));
    assert_eq!(text.matches("\"fallback\"").count(), depth);

    let many = 900;
    let sources = |value: &str| {
        let mut text = String::from("remote_state_data_sources {\n");
        for at in 0..many {
            writeln!(text, "remote_state_data_source \"n{at}\" {{\n method = {value}\n}}").unwrap();
        }
        text + "}\n"
    };
    let one = "remote_state_data_sources {\nremote_state_data_source \"n7\" {\n method = last\n}\n}\n";
    let overs: Vec<&str> = std::iter::repeat_n(one, 90).collect();
    let (merged, reported) = encryption("1.12", &sources("x.y"), &overs).await;
    assert_eq!(reported, "");
    assert_eq!(merged.matches("method = last").count(), 1);
    assert_eq!(merged.matches("method = x.y").count(), many - 1);
}

// ---- opentofu.md, section 7 -------------------------------------------------------------------------------------

#[tokio::test]
async fn a_faulty_required_providers_block_counts_since_patch_releases() {
    let files = json!({
        "a.tf": "terraform {\n  required_providers {\n    x = \"1.0\"\n    y {}\n  }\n}\n",
        "b.tf": "terraform {\n  required_providers {\n    z = \"1.0\"\n  }\n}\n",
    });
    for (version, counts) in [
        ("1.6", false),
        ("1.7.7", false),
        ("1.7.8", true),
        ("1.8.8", false),
        ("1.8.9", true),
        ("1.9.0", false),
        ("1.9.1", true),
        ("1.10.0", true),
        ("1.12", true),
    ] {
        let answer = answer(version, files.clone()).await;
        let mut wanted = "a.tf:4:5 Unexpected \"y\" block\n".to_owned();
        if counts {
            wanted += "b.tf:2:3 Duplicate required providers configuration\n";
        }
        assert_eq!(reported(&answer, "tool"), wanted, "{version}");
        assert!(object(&answer, "terraform.required_providers.x").is_null());
        assert_eq!(object(&answer, "terraform.required_providers.z").is_null(), counts, "{version}");
    }
}

#[tokio::test]
async fn a_faulty_provider_meta_block_is_dropped_since_1_10() {
    let files = json!({"main.tf": "terraform {\n  provider_meta \"a\" {\n    x = var.y\n  }\n  provider_meta \"B\" {\n  }\n  provider_meta \"c\" {\n    z {}\n  }\n}\n"});
    let wanted = "main.tf:3:9 Variables not allowed\nmain.tf:5:3 Invalid provider local name\nmain.tf:8:5 Unexpected \"z\" block\n";
    for (version, kept) in [("1.9", true), ("1.10", false)] {
        let answer = answer(version, files.clone()).await;
        assert_eq!(reported(&answer, "tool"), wanted, "{version}");
        for name in ["a", "B"] {
            let address = format!("terraform.provider_meta.{name}");
            assert_eq!(!object(&answer, &address).is_null(), kept, "{version} {name}");
        }
        assert!(object(&answer, "terraform.provider_meta.c").is_null());
    }
}

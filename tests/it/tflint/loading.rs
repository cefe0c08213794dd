//! Files, and the checks made during loading (tflint.md, section 1).

use serde_json::json;

use super::{merged, plain, reported, shown};

#[tokio::test]
async fn names_decide_what_is_read_and_bytes_decide_the_order() {
    let block = |n: u32| format!("widget \"a\" {{\n  n = {n}\n}}\n");
    let answer = merged(json!({
        "main.tf": block(0), "_override.tf": block(1), "B_override.tf": block(2), "a-1_override.tf": block(3),
        "a_override.tf": block(4), "a_override.tf.json": "{\"widget\": {\"a\": {\"n\": 5}}}",
        "my-override.tf": block(9), "x_Override.tf": block(9), "OVERRIDE.tf": block(9), "override.tf.bak": "",
        "z_override.tofu": block(9), "y.tofu.json": "{}", "t.tftest.hcl": "", ".x_override.tf": block(9),
        "sub/override.tf": block(9), "terraform.tfvars": "n = 3\n",
    }))
    .await;
    let files = answer["module"]["files"].as_array().unwrap();
    let of = |role: &str| -> Vec<&str> {
        let found = files.iter().filter(|file| file["role"] == role);
        found.map(|file| file["path"].as_str().unwrap()).collect()
    };
    assert_eq!(
        of("override"),
        ["B_override.tf", "_override.tf", "a-1_override.tf", "a_override.tf", "a_override.tf.json"]
    );
    assert_eq!(of("primary"), ["OVERRIDE.tf", "main.tf", "my-override.tf", "x_Override.tf"]);
    assert_eq!(
        of("ignored"),
        [".x_override.tf", "override.tf.bak", "t.tftest.hcl", "y.tofu.json", "z_override.tofu"]
    );
    // Each override is merged into the first of the four blocks.
    assert!(
        shown(&answer)
            .starts_with("widget a @OVERRIDE.tf:1 { n=5 @a_override.tf.json:1; }\nwidget a @main.tf:1 { n=0")
    );
    assert_eq!(reported(&answer, "overfold").matches("info File not read\n").count(), 3, "{answer:#}");
    assert_eq!(reported(&answer, "tool"), "");
}

#[tokio::test]
async fn headers_are_counted_for_four_block_types_in_both_kinds_of_files() {
    let text = "resource {}\nresource \"a\" {}\nresource \"a\" \"b\" \"c\" {}\nvariable {}\nvariable \"a\" \"b\" {}\n\
                module {}\nmodule \"a\" \"b\" {}\nlocals \"x\" {}\nlocals {\n  a = 1\n  t {}\n  u {}\n}\n";
    // No other type is checked, known or not.
    let free = "data \"a\" {}\nprovider {}\noutput \"a\" \"b\" {}\nterraform \"x\" {}\ncheck {}\nwhatever \"a\" \"b\" \"c\" \"d\" {}\n\
                data \"a\" \"b\" {\n  depends_on = 1\n  count = 1\n  for_each = 2\n}\nbackend \"x\" {}\n";
    let answer = merged(json!({"main.tf": free, "override.tf": text})).await;
    assert_eq!(
        reported(&answer, "tool"),
        "override.tf:1:10 error Missing type for resource\n\
         override.tf:2:14 error Missing name for resource\n\
         override.tf:3:18 error Extraneous label for resource\n\
         override.tf:4:10 error Missing name for variable\n\
         override.tf:5:14 error Extraneous label for variable\n\
         override.tf:6:8 error Missing name for module\n\
         override.tf:7:12 error Extraneous label for module\n\
         override.tf:8:8 error Extraneous label for locals\n\
         override.tf:11:3 error Unexpected \"t\" block\n"
    );
    assert_eq!(answer["valid"], false);
    let same = merged(json!({"main.tf": text})).await;
    assert_eq!(reported(&same, "tool"), reported(&answer, "tool").replace("override.tf", "main.tf"));
    let fine = merged(json!({"main.tf": free})).await;
    assert_eq!(fine["diagnostics"], json!([]));
    assert_eq!(fine["module"]["content"].as_array().unwrap().len(), 8);
}

#[tokio::test]
async fn each_step_is_taken_only_when_the_one_before_found_nothing() {
    let variable = "variable \"v\" {\n  default = max(1)\n}\n";
    let first = merged(json!({"main.tf": variable})).await;
    assert_eq!(reported(&first, "tool"), "main.tf:2:13 error Function calls not allowed\n");
    let second = merged(json!({"main.tf": variable, "b.tf": "module {}\n"})).await;
    assert_eq!(reported(&second, "tool"), "b.tf:1:8 error Missing name for module\n");
    assert_eq!(reported(&second, "tool-later"), "main.tf:2:13 error Function calls not allowed\n");
    let third =
        merged(json!({"main.tf": variable, "b.tf": "module {}\n", "c.tf": "x = \n", "d.tf": "y = ]\n"})).await;
    assert_eq!(
        reported(&third, "tool").matches("error Invalid expression").count(),
        2,
        "all files are parsed: {third:#}"
    );
    assert!(!reported(&third, "tool").contains("Missing name"));
    assert!(reported(&third, "tool-later").contains("b.tf:1:8 error Missing name for module\n"));
    // A broken file affects only itself.
    assert_eq!(plain(&third), "module { }\nvariable v { default=max(1); }\n");
}

#[tokio::test]
async fn native_files_decide_what_is_a_block_in_json() {
    // A native base, overridden in JSON: `disk` is a block type there, `tags` an argument, and `nic` both and therefore
    // an argument.
    let base =
        "resource \"a\" \"b\" {\n  tags = {}\n  disk {\n    size = 1\n  }\n  nic = 1\n  nic {}\n}\nwidget \"w\" {}\n";
    let over = r#"{"resource": {"a": {"b": {"tags": {"x": 1}, "disk": [{"size": 2}, {"size": 3}], "nic": {"y": 1},
        "unknown": {"z": 1}, "provisioner": {"p": {"q": 1}}}}}, "widget": {"w": {"v": 1}}, "gadget": {"g": {"v": 1}}}"#;
    let answer = merged(json!({"main.tf": base, "override.tf.json": over})).await;
    assert_eq!(
        plain(&answer),
        "resource a b { nic={\"y\": 1}; tags={\"x\": 1}; unknown={\"z\": 1}; nic { } disk { size=2; } disk { size=3; } \
         provisioner p { q=1; } }\nwidget w { v=1; }\n"
    );
    assert_eq!(reported(&answer, "overfold"), "override.tf.json:2:102 info Override block has no effect\n");
}

#[tokio::test]
async fn dynamic_blocks_in_json_hold_what_they_make() {
    let text =
        r#"{"resource": {"a": {"b": {"dynamic": {"disk": {"for_each": [1], "content": {"size": {"x": 1}}}}}}}}"#;
    let written =
        merged(json!({"main.tf.json": text, "m.tf": "resource \"a\" \"c\" {\n  disk {\n    size {}\n  }\n}\n"}))
            .await;
    let json = "resource a b { dynamic disk { for_each=[1]; content { size { x=1; } } } }\n";
    assert!(plain(&written).contains(json), "{}", plain(&written));
}

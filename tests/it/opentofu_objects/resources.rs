//! Resources: repetition, lifecycle, ephemeral resources, provisioners (opentofu.md, section 7).

use serde_json::json;

use super::{SERIES, ask, ask_as, expression, lifecycle, notes, of_json, of_main, reported};

#[tokio::test]
async fn enabled_of_an_override_is_dropped_with_a_note() {
    let main = "resource \"a_b\" \"r\" {\n  lifecycle {\n    enabled = var.on\n  }\n}\ndata \"a_b\" \"d\" {}\nephemeral \"a_b\" \"e\" {}\nmodule \"m\" {\n  source = \"./m\"\n}\n";
    let over = "{\"resource\": {\"a_b\": {\"r\": {\"lifecycle\": {\n\"enabled\": false, \"ignore_changes\": [\"x\"]}}}},\n \"data\": {\"a_b\": {\"d\": {\"lifecycle\": {\n\"enabled\": false}}}},\n \"ephemeral\": {\"a_b\": {\"e\": {\"lifecycle\": {\n\"enabled\": false}}}},\n \"module\": {\"m\": {\"lifecycle\": {\n\"enabled\": false}}}}";
    for version in ["1.11", "1.12"] {
        let answer =
            ask(version, &[("main.tf", main), ("a_override.tf.json", over), ("b_override.tf", "resource \"a_b\" \"r\" {\n  lifecycle {\n    enabled = false\n    create_before_destroy = true\n  }\n}\n")]).await;
        assert_eq!(reported(&answer), [""; 0]);
        assert_eq!(
            notes(&answer),
            [
                "a_override.tf.json:2:1-17 Override has no effect",
                "a_override.tf.json:4:1-17 Override has no effect",
                "a_override.tf.json:6:1-17 Override has no effect",
                "a_override.tf.json:8:1-17 Override has no effect",
                "b_override.tf:3:5-20 Override has no effect",
            ]
        );
        assert_eq!(
            lifecycle(&answer, "a_b.r"),
            ["create_before_destroy=true", "enabled=var.on", "ignore_changes=[\"x\"]"]
        );
        for address in ["data.a_b.d", "ephemeral.a_b.e", "module.m"] {
            assert_eq!(lifecycle(&answer, address), [""; 0], "{address}");
        }
    }
}

#[tokio::test]
async fn one_repetition_argument_per_block() {
    let titles = [
        "Invalid combination of \"count\" and \"for_each\"",
        "Invalid combination of \"count\" and \"enabled\"",
        "Invalid combination of \"enabled\" and \"for_each\"",
        "Invalid combination of \"count\", \"enabled\", and \"for_each\"",
    ];
    let on = "  lifecycle {\n    enabled = true\n  }\n";
    for (body, at, title) in [
        ("  count = 1\n  for_each = {}\n", "2:3-3:11", 0),
        ("  for_each = {}\n  count = 1\n", "2:3-3:8", 0),
        (&*format!("  count = 1\n{on}"), "2:3-4:12", 1),
        (&*format!("{on}  for_each = {{}}\n"), "3:5-5:11", 2),
        (&*format!("  for_each = {{}}\n{on}  count = 1\n"), "2:3-6:8", 3),
    ] {
        for header in ["resource \"a_b\" \"x\"", "data \"a_b\" \"x\"", "ephemeral \"a_b\" \"x\"", "module \"x\""] {
            let source = if header.starts_with("module") { "  source = \"./m\"\n" } else { "" };
            let main = format!("{header} {{\n{body}{source}}}\n");
            for version in ["1.11", "1.12"] {
                let wanted = format!("main.tf:{at} {}", titles[title]);
                assert_eq!(of_main(version, &main).await, [wanted], "{version}\n{main}");
            }
        }
    }
    // Older releases check two of them, and report the name of the second.
    for version in ["1.6", "1.10"] {
        let main = "module \"x\" {\n  for_each = {}\n  count = 1\n  source = \"./m\"\n}\n";
        assert_eq!(of_main(version, main).await, [format!("main.tf:2:3-11 {}", titles[0])], "{version}");
    }
    let json = "{\"resource\": {\"a_b\": {\"x\": {\"lifecycle\": {\"enabled\": true}, \"count\": 1}}}}";
    assert_eq!(of_json("1.11", json).await, [format!("main.tf.json:1:43-68 {}", titles[1])]);
    // What an override brings together is not checked; within one override block it is.
    let base = "resource \"a_b\" \"x\" {\n  lifecycle {\n    enabled = true\n  }\n}\n";
    let answer =
        ask("1.11", &[("main.tf", base), ("override.tf", "resource \"a_b\" \"x\" {\n  count = 2\n}\n")]).await;
    assert_eq!(reported(&answer), [""; 0]);
    assert_eq!(expression(&answer, "a_b.x", "count"), "2");
    assert_eq!(lifecycle(&answer, "a_b.x"), ["enabled=true"]);
    // The configuration in the answer can be loaded by the tool: evaluation follows the count.
    let body = &answer["module"]["config"]["resource"]["a_b"]["x"][0];
    assert_eq!(*body, json!({"count": 2, "lifecycle": [{}]}));
    assert_eq!(notes(&answer), ["main.tf:3:5-19 Argument has no effect"]);
    let answer = ask(
        "1.11",
        &[
            ("main.tf", "resource \"a_b\" \"x\" {}\n"),
            ("override.tf", "resource \"a_b\" \"x\" {\n  count = 2\n  lifecycle {\n    enabled = false\n  }\n}\n"),
        ],
    )
    .await;
    assert_eq!(reported(&answer), [format!("override.tf:2:3-4:12 {}", titles[1])]);
    // Each part comes from a different file.
    for (over, config) in [
        ("  for_each = {}\n", json!({"lifecycle": [{"enabled": "${var.on}"}]})),
        ("  for_each = {}\n  count = 1\n", json!({"count": 1, "lifecycle": [{}]})),
    ] {
        let over = over.replace("  count", "}\nresource \"a_b\" \"x\" {\n  count");
        let base = "resource \"a_b\" \"x\" {\n  lifecycle {\n    enabled = var.on\n  }\n}\n";
        let over = format!("resource \"a_b\" \"x\" {{\n{over}}}\n");
        let answer = ask("1.12", &[("main.tf", base), ("override.tf", &over)]).await;
        assert_eq!(reported(&answer), [""; 0]);
        assert_eq!(answer["module"]["config"]["resource"]["a_b"]["x"][0], config);
        assert_eq!(notes(&answer).len(), 1 + over.matches("count").count(), "{:?}", notes(&answer));
    }
    // A module is repeated by for_each even if there is an enabled.
    let base = "module \"x\" {\n  source = \"./m\"\n  lifecycle {\n    enabled = true\n  }\n}\n";
    let answer = ask("1.12", &[("main.tf", base), ("override.tf", "module \"x\" {\n  for_each = {}\n}\n")]).await;
    assert_eq!(
        answer["module"]["config"]["module"]["x"][0],
        json!({"for_each": {}, "lifecycle": [{}], "source": "./m"})
    );
}

#[tokio::test]
async fn a_checks_data_source_is_neither_repeated_nor_switched() {
    let main = "check \"c\" {\n  data \"a_b\" \"d\" {\n    count = 1\n    for_each = {}\n    lifecycle {\n      enabled = true\n    }\n  }\n  assert {\n    condition = data.a_b.d.x\n    error_message = \"m\"\n  }\n}\n";
    let old = [
        "main.tf:3:5-10 Invalid \"count\" attribute",
        "main.tf:4:5-13 Invalid \"for_each\" attribute",
        "main.tf:5:5-14 Invalid lifecycle block",
    ];
    assert_eq!(of_main("1.11", main).await, old);
    assert_eq!(of_main("1.12", main).await, old);
    assert_eq!(of_main("1.10", main).await, [&old[..], &["main.tf:6:7-14 Unsupported argument"]].concat());
}

#[tokio::test]
async fn lifecycle_arguments_by_kind_and_version() {
    let body = "  lifecycle {\n    create_before_destroy = true\n    prevent_destroy = true\n    ignore_changes = all\n    replace_triggered_by = [a_b.y]\n    enabled = true\n    destroy = true\n  }\n";
    for version in SERIES {
        let minor: u32 = version.split('.').nth(1).unwrap().parse().unwrap();
        let unsupported = |wanted: &mut Vec<String>| {
            if minor < 11 {
                wanted.push("main.tf:7:5-12 Unsupported argument".to_owned());
            }
            if minor < 12 {
                wanted.push("main.tf:8:5-12 Unsupported argument".to_owned());
            }
        };
        let mut wanted = Vec::new();
        unsupported(&mut wanted);
        let main = format!("resource \"a_b\" \"x\" {{\n{body}}}\n");
        assert_eq!(of_main(version, &main).await, wanted, "{version}");

        let mut wanted: Vec<String> = ["3:5-26", "4:5-20", "5:5-19", "6:5-25"]
            .iter()
            .map(|at| format!("main.tf:{at} Invalid data resource lifecycle argument"))
            .collect();
        unsupported(&mut wanted);
        if minor >= 12 {
            wanted.push("main.tf:8:5-12 Invalid data resource lifecycle argument".to_owned());
        }
        let main = format!("data \"a_b\" \"x\" {{\n{body}}}\n");
        assert_eq!(of_main(version, &main).await, wanted, "{version}");

        let main = format!("ephemeral \"a_b\" \"x\" {{\n{body}}}\n");
        let mut wanted = Vec::new();
        if minor < 11 {
            wanted.push("main.tf:1:1-10 Unsupported block type".to_owned());
        } else {
            let refused = "main.tf:2:3-12 Invalid lifecycle configuration for ephemeral resource".to_owned();
            wanted.extend(vec![refused; if minor < 12 { 4 } else { 5 }]);
            unsupported(&mut wanted);
        }
        assert_eq!(of_main(version, &main).await, wanted, "{version}");

        let main = "module \"x\" {\n  source = \"./m\"\n  lifecycle {\n    enabled = true\n    destroy = true\n  }\n  lifecycle {}\n}\n";
        let wanted = if minor < 11 {
            [
                "main.tf:3:3-12 Reserved block type name in module block",
                "main.tf:7:3-12 Reserved block type name in module block",
            ]
        } else {
            ["main.tf:5:5-12 Unsupported argument", "main.tf:7:3-12 Duplicate lifecycle block"]
        };
        assert_eq!(of_main(version, main).await, wanted, "{version}");
    }
}

#[tokio::test]
async fn prevent_destroy_and_destroy_merge_when_stated() {
    let main =
        "resource \"a_b\" \"x\" {\n  lifecycle {\n    prevent_destroy = var.keep\n    destroy = false\n  }\n}\n";
    let over = "{\"resource\": {\"a_b\": {\"x\": {\"lifecycle\": {\"destroy\": \"${local.d}\"}}}}}";
    let answer = ask("1.12", &[("main.tf", main), ("override.tf.json", over)]).await;
    assert_eq!(reported(&answer), [""; 0]);
    assert_eq!(lifecycle(&answer, "a_b.x"), ["destroy=\"${local.d}\"", "prevent_destroy=var.keep"]);
    let old = ask("1.11", &[("main.tf", main), ("override.tf.json", over)]).await;
    assert_eq!(
        reported(&old),
        [
            "main.tf:3:23-26 Variables not allowed",
            "main.tf:4:5-12 Unsupported argument",
            "override.tf.json:1:43-52 Extraneous JSON object property",
        ]
    );
}

#[tokio::test]
async fn ephemeral_resources_have_titles_of_their_own() {
    for (main, wanted) in [
        (
            "ephemeral \"1a\" \"2b\" {}\n",
            "main.tf:1:11-15 Invalid ephemeral resource type name\nmain.tf:1:16-20 Invalid ephemeral resource name",
        ),
        ("ephemeral \"a\" {}\n", "main.tf:1:15-16 Missing name for ephemeral"),
        ("ephemeral \"a_b\" \"x\" {\n  locals {}\n}\n", "main.tf:2:3-9 Reserved block type name in ephemeral block"),
        (
            "ephemeral \"a_b\" \"x\" {\n  connection {\n    host = 1\n  }\n  provisioner \"local-exec\" {}\n  provisioner \"chef\" {}\n}\n",
            "main.tf:2:3-13 C\nmain.tf:5:3-27 C\nmain.tf:6:3-21 C",
        ),
        ("ephemeral \"a_b\" \"x\" {\n  provisioner {}\n}\n", "main.tf:2:15-16 Missing type for provisioner"),
        (
            "ephemeral \"a_b\" \"x\" {\n  lifecycle {}\n  lifecycle {}\n  _ {}\n  _ {}\n}\n",
            "main.tf:3:3-12 Duplicate lifecycle block\nmain.tf:5:3-4 Duplicate escaping block",
        ),
        (
            "ephemeral \"a_b\" \"x\" {}\nephemeral \"a_b\" \"x\" {}\nresource \"a_b\" \"x\" {}\ndata \"a_b\" \"x\" {}\n",
            "main.tf:2:1-20 Duplicate ephemeral resource \"a_b\" configuration",
        ),
        (
            "ephemeral \"a_b\" \"x\" {\n  lifecycle {\n    precondition {\n      condition = ephemeral.a_b.x.y\n      error_message = \"m\"\n    }\n  }\n}\n",
            "main.tf:4:19-36 Invalid reference in precondition",
        ),
    ] {
        let wanted = wanted.replace(" C", " Invalid configuration block for ephemeral resource");
        assert_eq!(of_main("1.11", main).await.join("\n"), wanted, "{main}");
    }
    let json = "{\"ephemeral\": {\"a_b\": {\"x\": {\"connection\": {}, \"lifecycle\": {\"destroy\": 1, \"ignore_changes\": []}}}}}";
    assert_eq!(
        of_json("1.12", json).await,
        [
            "main.tf.json:1:44-45 Invalid configuration block for ephemeral resource",
            "main.tf.json:1:61-62 Invalid lifecycle configuration for ephemeral resource",
            "main.tf.json:1:61-62 Invalid lifecycle configuration for ephemeral resource",
        ]
    );
}

#[tokio::test]
async fn ephemeral_resources_merge_as_resources_do() {
    let answer = ask(
        "1.11",
        &[
            ("main.tf", "ephemeral \"a_b\" \"x\" {\n  one = 1\n  inner {\n    a = 1\n  }\n}\n"),
            ("a_override.tf", "ephemeral \"a_b\" \"x\" {\n  two = 2\n  inner {\n    b = 1\n  }\n  depends_on = [a_b.y]\n}\nephemeral \"a_b\" \"z\" {}\n"),
            ("b_override.tf.json", "{\"ephemeral\": {\"a_b\": {\"x\": {\"one\": 3, \"provider\": \"a.w\"}}}}"),
        ],
    )
    .await;
    assert_eq!(
        reported(&answer),
        ["a_override.tf:6:17-22 Unsupported override", "a_override.tf:8:1-20 Missing ephemeral resource to override"]
    );
    assert_eq!(
        answer["module"]["config"]["ephemeral"],
        json!({"a_b": {"x": [{"inner": [{"b": 1}], "one": 3, "provider": "a.w", "two": 2}]}})
    );
}

#[tokio::test]
async fn destroy_provisioners_may_use_the_newer_name_of_the_tool_since_1_9() {
    let main = "resource \"a_b\" \"x\" {\n  provisioner \"local-exec\" {\n    when = destroy\n    command = \"${tofu.workspace}${terraform.workspace}\"\n  }\n}\n";
    for version in SERIES {
        let old = ["1.6", "1.7", "1.8"].contains(&version);
        let wanted = if old { vec!["main.tf:4:15-56 Invalid reference from destroy provisioner"] } else { vec![] };
        assert_eq!(of_main(version, main).await, wanted, "{version}");
    }
}

#[tokio::test]
async fn triggers_are_judged_one_by_one() {
    let main = "resource \"a_b\" \"x\" {\n  lifecycle {\n    replace_triggered_by = [var.x, a_b.y, data.z, tofu.workspace]\n  }\n}\n";
    let found = of_main("1.12", main).await;
    assert_eq!(
        found,
        [
            "main.tf:3:29-34 Invalid reference in replace_triggered_by expression",
            "main.tf:3:29-34 Invalid replace_triggered_by expression",
            "main.tf:3:43-49 Invalid reference",
            "main.tf:3:51-65 Invalid reference in replace_triggered_by expression",
            "main.tf:3:51-65 Invalid replace_triggered_by expression",
        ]
    );
    // Before 1.9 `tofu` is an ordinary resource type.
    assert_eq!(of_main("1.8", main).await, found[..3]);
    let json = "{\"resource\": {\"a_b\": {\"x\": {\"lifecycle\": {\"replace_triggered_by\": [\"var.x\", \"var.y\", 5, \"a b\"]}}}}}";
    assert_eq!(
        of_json("1.11", json).await,
        [
            "main.tf.json:1:68-73 Invalid reference in replace_triggered_by expression",
            "main.tf.json:1:68-73 Invalid replace_triggered_by expression",
            "main.tf.json:1:86-87 Expected string expression",
            "main.tf.json:1:91-92 Extra characters after expression",
        ]
    );
    // Terraform does not read the others in a native list; its JSON behaves as here, with its own wording.
    let native = reported(&ask_as("terraform", "1.11", &[("main.tf", main)]).await);
    assert_eq!(native, found[..2]);
    let texts = reported(&ask_as("terraform", "1.11", &[("main.tf.json", json)]).await);
    assert_eq!(
        texts[2..],
        [
            "main.tf.json:1:86-87 Invalid reference expression",
            "main.tf.json:1:91-92 Extra characters after expression"
        ]
    );
}

//! Records of the dialect `opentofu` that no recorded case covers: moves, imports, removals (opentofu.md, sections 8, 9
//! and 10; details missing there were taken from the tool's code).

use crate::opentofu_objects::{SERIES, ask, notes, of_json, of_main, reported};

fn minor(version: &str) -> u32 {
    version.split('.').nth(1).unwrap().parse().unwrap()
}

// ---- moved ----------------------------------------------------------------------------------------------------

#[tokio::test]
async fn both_ends_of_a_move_must_be_movable_since_1_11() {
    // What every version reports, and the number of invalid ends.
    for (body, reported, bad) in [
        ("  from = a.b\n  to = a.c\n", "", 0),
        ("  from = data.a.b\n  to = data.a.c\n", "", 0),
        ("  from = module.a[\"k\"]\n  to = module.b\n", "", 0),
        ("  from = a.b\n", "main.tf:1:7-8 Missing required argument", 1),
        ("", "main.tf:1:7-8 Missing required argument|main.tf:1:7-8 Missing required argument", 2),
        ("  from = 1\n  to = a.b\n", "main.tf:2:10-11 Invalid expression", 1),
        ("  from = a.b[each.key]\n  to = a\n", "main.tf:2:10-23 Invalid expression|main.tf:3:8-9 Invalid address", 2),
        ("  from = a.b\n  to = a.c\n  id = 1\n", "main.tf:4:3-5 Unsupported argument", 0),
        // Few words are special in an address.
        ("  from = var.x\n  to = each.y\n", "", 0),
        ("  from = a.b\n  to = resource.a.b\n", "main.tf:3:18-20 Invalid address", 1),
    ] {
        let main = format!("moved {{\n{body}}}\n");
        for version in SERIES {
            let mut wanted = vec!["main.tf:1:1-6 Invalid \"moved\" address".to_owned(); bad];
            if minor(version) < 11 {
                wanted.clear();
            }
            wanted.extend(reported.split('|').filter(|line| !line.is_empty()).map(str::to_owned));
            assert_eq!(of_main(version, &main).await, wanted, "{version}\n{main}");
        }
    }
}

#[tokio::test]
async fn ephemeral_resources_do_not_move() {
    let main = "moved {\n  from = ephemeral.a.b\n  to = module.m.ephemeral.a.c[0]\n}\n";
    for version in SERIES {
        let wanted = if minor(version) < 11 {
            ["main.tf:2:21-23 Invalid address", "main.tf:3:30-33 Invalid address"]
        } else {
            ["main.tf:1:1-6 Invalid \"moved\" address"; 2]
        };
        assert_eq!(of_main(version, main).await, wanted, "{version}");
    }
    let json = "{\"moved\": [{\"from\": \"ephemeral.a.b\", \"to\": \"a.b\"}, {\"from\": \"a.b\"}]}";
    assert_eq!(
        of_json("1.12", json).await,
        [
            "main.tf.json:1:11-12 Invalid \"moved\" address",
            "main.tf.json:1:11-12 Invalid \"moved\" address",
            "main.tf.json:1:66-67 Missing required argument",
        ]
    );
}

#[tokio::test]
async fn ends_of_different_kinds_are_reported_only_where_nothing_else_is_wrong() {
    for version in SERIES {
        assert_eq!(
            of_main(version, "moved {\n  from = a.b\n  to = module.m\n}\n").await,
            ["main.tf:1:1-6 Invalid \"moved\" addresses"],
            "{version}"
        );
    }
    assert_eq!(
        of_main("1.11", "moved {\n  from = ephemeral.a.b\n  to = module.m\n}\n").await,
        ["main.tf:1:1-6 Invalid \"moved\" address"]
    );
}

#[tokio::test]
async fn records_in_override_files_are_refused_but_read() {
    let over = "moved {\n  from = a.b\n}\nimport {\n  id = 1\n}\nremoved {\n  from = a.b[0]\n}\nremoved {\n  from = a.c\n}\ncheck \"1\" {\n  nonsense = 1\n}\n";
    for version in SERIES {
        let minor = minor(version);
        let mut wanted = vec!["override.tf:1:1-6 Cannot override 'moved' blocks"];
        if minor >= 11 {
            wanted.push("override.tf:1:1-6 Invalid \"moved\" address");
        }
        wanted.push("override.tf:1:7-8 Missing required argument");
        wanted.push("override.tf:4:1-7 Cannot override 'import' blocks");
        wanted.push("override.tf:4:8-9 Missing required argument");
        if minor < 7 {
            wanted.extend(["override.tf:7:1-8 Unsupported block type", "override.tf:10:1-8 Unsupported block type"]);
        } else {
            wanted.push("override.tf:7:1-8 Cannot override 'Removed' blocks");
            wanted.push("override.tf:8:13-16 Resource instance address with keys is not allowed");
            wanted.push("override.tf:10:1-8 Cannot override 'Removed' blocks");
        }
        if minor >= 10 {
            wanted.push("override.tf:10:1-8 warning: Missing lifecycle from the removed block");
        }
        wanted.push("override.tf:13:1-10 Can't override check blocks");
        let answer = ask(version, &[("main.tf", ""), ("override.tf", over)]).await;
        assert_eq!(reported(&answer), wanted, "{version}");
        assert_eq!(answer["module"]["objects"], serde_json::json!({}), "{version}");
    }
}

#[tokio::test]
async fn provider_meta_in_an_override_vanishes_with_a_note() {
    let main = "terraform {\n  provider_meta \"a\" {\n    x = 1\n  }\n}\n";
    let over = "terraform {\n  provider_meta \"a\" {\n    x = 2\n  }\n}\n";
    for version in SERIES {
        let answer = ask(version, &[("main.tf", main), ("override.tf", over)]).await;
        assert_eq!(reported(&answer), [""; 0], "{version}");
        assert_eq!(notes(&answer), ["override.tf:2:3-20 Block in override file has no effect"], "{version}");
        let kept = &answer["module"]["objects"]["terraform.provider_meta.a"]["attributes"]["x"]["expression"];
        assert_eq!(*kept, "1", "{version}");
    }
}

// ---- removed --------------------------------------------------------------------------------------------------

#[tokio::test]
async fn addresses_of_what_is_removed() {
    for (from, until_1_11, since_1_11) in [
        ("a.b", "", ""),
        ("module.m.module.n.a.b", "", ""),
        ("var.x", "", ""),
        ("module.m[\"k\"]", "main.tf:2:18-23 M", "main.tf:2:18-23 M"),
        ("module.m[0].a.b", "main.tf:2:18-21 M", "main.tf:2:18-21 M"),
        ("a.b[\"k\"]", "main.tf:2:13-18 R", "main.tf:2:13-18 R"),
        ("a.b.c", "main.tf:2:13-15 R", "main.tf:2:13-15 R"),
        ("a.b[0].c", "main.tf:2:16-18 Invalid address", "main.tf:2:16-18 Invalid address"),
        ("a", "main.tf:2:10-11 Invalid address", "main.tf:2:10-11 Invalid address"),
        ("module", "main.tf:2:10-16 Invalid address operator", "main.tf:2:10-16 Invalid address operator"),
        ("module.m.data.a.b", "main.tf:2:10-27 D", "main.tf:2:10-27 D"),
        ("ephemeral.a.b", "main.tf:2:21-23 R", "main.tf:2:10-23 E"),
        ("resource.a.b", "main.tf:2:20-22 R", "main.tf:2:20-22 R"),
        ("1", "main.tf:2:10-11 Invalid expression", "main.tf:2:10-11 Invalid expression"),
        ("\"a.b\"", "main.tf:2:10-15 Invalid expression", "main.tf:2:10-15 Invalid expression"),
    ] {
        let main = format!("removed {{\n  from = {from}\n}}\n");
        for version in &SERIES[1..] {
            let mut wanted = if minor(version) < 11 { until_1_11 } else { since_1_11 }
                .replace(" M", " Module instance address with keys is not allowed")
                .replace(" R", " Resource instance address with keys is not allowed")
                .replace(" D", " Data source address is not allowed")
                .replace(" E", " Ephemeral resource address is not allowed");
            if wanted.is_empty() && minor(version) >= 10 {
                wanted = "main.tf:1:1-8 warning: Missing lifecycle from the removed block".to_owned();
            }
            assert_eq!(of_main(version, &main).await.join("\n"), wanted, "{version}\n{main}");
        }
    }
    let json = "{\"removed\": [{\"from\": \"a.b[0]\"}, {\"from\": 1}, {\"from\": \"a.b\", \"lifecycle\": {\"destroy\": true}}]}";
    assert_eq!(
        of_json("1.12", json).await,
        [
            "main.tf.json:1:26-29 Resource instance address with keys is not allowed",
            "main.tf.json:1:43-44 Invalid expression",
        ]
    );
}

#[tokio::test]
async fn what_a_removed_block_may_hold_since_1_10() {
    let lifecycle = |text: &str| format!("  lifecycle {{\n    destroy = {text}\n  }}\n");
    let at_destroy = "  provisioner \"local-exec\" {\n    when = destroy\n  }\n";
    for (body, wanted) in [
        (format!("  from = a.b\n{}{at_destroy}", lifecycle("true")), ""),
        (
            format!("  from = a.b\n{}{at_destroy}", lifecycle("\"false\"")),
            "main.tf:1:1-8 warning: Removed block provisioners will not be executed",
        ),
        (format!("  from = a.b\n{at_destroy}"), "main.tf:1:1-8 warning: Missing lifecycle from the removed block"),
        (format!("  from = module.m\n{}", lifecycle("false")), ""),
        // No warning next to an error, wherever it is in the block.
        (format!("  from = a.b\n  id = 1\n{at_destroy}"), "main.tf:3:3-5 Unsupported argument"),
        (
            format!("  from = a.b\n{}  connection {{}}\n{at_destroy}", lifecycle("false")),
            "main.tf:6:3-13 Unsupported block type",
        ),
        (
            format!(
                "  from = a.b\n  provisioner \"local-exec\" {{\n    when = destroy\n    command = a.b.c\n  }}\n{}",
                lifecycle("false")
            ),
            "main.tf:5:15-20 Invalid reference from destroy provisioner",
        ),
        (
            "  from = a.b\n  lifecycle {\n    prevent_destroy = true\n  }\n".to_owned(),
            "main.tf:4:5-20 Unsupported argument",
        ),
        (
            format!("  from = a.b\n{}  lifecycle {{}}\n{at_destroy}", lifecycle("false")),
            "main.tf:6:3-12 Duplicate lifecycle block",
        ),
        (format!("  from = a.b\n{}", lifecycle("null")), "main.tf:4:15-19 Unsuitable value type"),
        // Provisioners that cannot run: one for creation, in any case; those of a module, each once.
        (
            "  from = a.b\n  provisioner \"x\" {\n    when = create\n  }\n  provisioner \"y\" {}\n".to_owned(),
            "main.tf:3:3-18 P\nmain.tf:6:3-18 P",
        ),
        ("  from = module.m\n  provisioner \"x\" {}\n".to_owned(), "main.tf:3:3-18 P"),
        (
            format!("  from = module.m\n{at_destroy}{at_destroy}"),
            "main.tf:1:1-8 Invalid \"removed\" block\nmain.tf:1:1-8 Invalid \"removed\" block",
        ),
        (
            "  from = a.b\n  provisioner \"x\" {\n    when = never\n  }\n".to_owned(),
            "main.tf:3:3-18 P\nmain.tf:4:12-17 Invalid \"when\" keyword",
        ),
        (
            "  from = a.b\n  provisioner \"chef\" {}\n".to_owned(),
            "main.tf:3:15-21 The \"chef\" provisioner has been removed",
        ),
    ] {
        let wanted = wanted.replace(" P", " Invalid \"removed.provisioner\" block");
        let main = format!("removed {{\n{body}}}\n");
        for version in ["1.10", "1.11", "1.12"] {
            assert_eq!(of_main(version, &main).await.join("\n"), wanted, "{version}\n{main}");
        }
    }
}

#[tokio::test]
async fn tool_failures_are_answered() {
    // A destroy-time provisioner without a target.
    for (from, wanted) in [
        ("", "main.tf:1:9-10 Missing required argument"),
        ("  from = data.a.b\n", "main.tf:2:10-18 Data source address is not allowed"),
    ] {
        let main = format!(
            "removed {{\n{from}  provisioner \"x\" {{\n    when = destroy\n  }}\n}}\nlocals {{\n  a = 1\n}}\n"
        );
        let answer = ask("1.12", &[("main.tf", &main)]).await;
        assert_eq!(reported(&answer), [wanted]);
        assert_eq!(notes(&answer).len(), 1, "{:?}", notes(&answer));
        assert!(notes(&answer)[0].ends_with("The tool fails here"));
        assert_eq!(answer["module"]["config"]["locals"][0]["a"], 1);
    }
    // A JSON import target that is not a string.
    for version in ["1.7", "1.8", "1.9", "1.10", "1.11", "1.12"] {
        for target in ["5", "null", "[\"a.b\"]", "{\"a\": \"b\"}", "true"] {
            let json = format!("{{\"import\": {{\"to\": {target}, \"id\": \"i\"}}}}");
            let wanted = format!("main.tf.json:1:19-{} Expected string expression", 19 + target.len());
            assert_eq!(of_json(version, &json).await, [wanted], "{version}");
        }
    }
}

// ---- import ---------------------------------------------------------------------------------------------------

#[tokio::test]
async fn targets_of_imports_by_version() {
    let import = |to: &str| format!("import {{\n  to = {to}\n  id = \"i\"\n}}\n");
    for (to, in_1_6, since_1_7) in [
        ("a.b", "", ""),
        ("module.m[0].a.b[\"k\"]", "", ""),
        ("data.a.b", "", ""),
        ("var.x", "", ""),
        ("a.b[each.key]", "8-21 Invalid expression", ""),
        ("module.m[var.x].a.b[local.y].c", "8-38 Invalid expression", "36-38 Invalid address"),
        ("module.m[var.x]", "8-23 Invalid expression", "8-16 Invalid address"),
        ("module.m", "8-16 Invalid address", "8-16 Invalid address"),
        ("a.b[true]", "11-17 Invalid address", "11-17 Invalid address"),
        ("a", "8-9 Invalid address", "8-9 Invalid address"),
        ("resource.a.b", "18-20 Invalid address", "18-20 Invalid address"),
        ("\"a.b\"", "8-13 Invalid expression", "8-13 E"),
        ("1", "8-9 Invalid expression", "8-9 E"),
        ("true", "8-12 Invalid address", "8-12 E"),
        ("(a.b)", "8-13 Invalid expression", "8-13 E"),
        ("a.b[*]", "8-14 Invalid expression", "8-14 E"),
        ("f(a)[var.x].c", "8-21 Invalid expression", "8-12 E"),
    ] {
        let main = import(to);
        for version in SERIES {
            let wanted = if minor(version) < 7 { in_1_6 } else { since_1_7 };
            let wanted = wanted.replace(" E", " Invalid import address expression");
            let wanted: Vec<String> = wanted.lines().map(|line| format!("main.tf:2:{line}")).collect();
            assert_eq!(of_main(version, &main).await, wanted, "{version} {to}");
        }
    }
    for version in SERIES {
        let main = "import {\n  for_each = {}\n  to = a.b\n  id = var.x\n}\n";
        let wanted: &[&str] = if minor(version) < 7 { &["main.tf:2:3-11 Unsupported argument"] } else { &[] };
        assert_eq!(of_main(version, main).await, wanted, "{version}");
    }
}

#[tokio::test]
async fn imports_of_one_target_are_reported_at_the_later_block() {
    let import = |to: &str| format!("import {{\n  to = {to}\n  id = \"i\"\n}}\n");
    let main = format!("{}{}{}{}", import("a.b[\"k\"]"), import("a.b[\"k\"]"), import("a.b"), import("a.b[\"k\"]"));
    for version in SERIES {
        let title = "Duplicate import configuration for \"a.b[\\\"k\\\"]\"";
        let answer = ask(version, &[("main.tf", &main)]).await;
        let wanted =
            [format!("main.tf:5:1-7 {title}"), format!("main.tf:13:1-7 {title}"), format!("main.tf:13:1-7 {title}")];
        assert_eq!(reported(&answer), wanted, "{version}");
        for kept in ["import[0]", "import[1]", "import[2]", "import[3]"] {
            assert!(answer["module"]["objects"][kept].is_object(), "{version} {kept}");
        }
    }
    // A target that needs evaluation is not a duplicate of anything; neither is one that cannot be read, except in 1.6.
    let main = import("a.b[each.key]").repeat(2);
    assert_eq!(of_main("1.7", &main).await, [""; 0]);
    let main = import("1").repeat(2);
    assert_eq!(
        of_main("1.7", &main).await,
        ["main.tf:2:8-9 Invalid import address expression", "main.tf:6:8-9 Invalid import address expression"]
    );
    assert_eq!(
        of_main("1.6", &main).await,
        [
            "main.tf:2:8-9 Invalid expression",
            "main.tf:5:1-7 Duplicate import configuration for \"<invalid>..\"",
            "main.tf:6:8-9 Invalid expression",
        ]
    );
}

#[tokio::test]
async fn only_1_6_checks_imports_against_moves() {
    let main = "moved {\n  from = a.b\n  to = a.c\n}\nimport {\n  to = a.b\n  id = \"i\"\n}\n";
    for version in SERIES {
        let wanted: &[&str] =
            if minor(version) < 7 { &["main.tf:5:1-7 Cannot import to a move source"] } else { &[] };
        assert_eq!(of_main(version, main).await, wanted, "{version}");
    }
}

#[tokio::test]
async fn json_targets_are_bare_texts_that_1_7_0_and_1_7_1_cannot_read() {
    let json = "{\"import\": [{\"to\": \"a.b\", \"id\": \"i\"}, {\"to\": \"module.m[each.key].a.b[var.x]\", \"id\": \"i\"}]}";
    let (first, second) = ("main.tf.json:1:20-25", "main.tf.json:1:46-77");
    for (version, title) in [
        ("1.7.0", "Invalid import address expression"),
        ("1.7.1", "Invalid import address expression"),
        ("1.7.2", ""),
        ("1.10", ""),
        ("1.12", ""),
    ] {
        let wanted: Vec<String> =
            if title.is_empty() { vec![] } else { vec![format!("{first} {title}"), format!("{second} {title}")] };
        assert_eq!(of_json(version, json).await, wanted, "{version}");
    }
    assert_eq!(of_json("1.6", json).await, [format!("{second} Invalid expression")]);
    for version in ["1.7.0", "1.7.1"] {
        let wanted = ["main.tf.json:1:19-20 Invalid import address expression"];
        assert_eq!(of_json(version, "{\"import\": {\"to\": 5, \"id\": \"i\"}}").await, wanted, "{version}");
    }
}

#[tokio::test]
async fn a_bad_target_stops_the_decoding_of_an_import() {
    let main = "import {\n  to = 1\n  id = \"i\"\n  identity = {}\n  provider = 5\n}\n";
    assert_eq!(of_main("1.12", main).await, ["main.tf:2:8-9 Invalid import address expression"]);
    // A valid one does not, whatever else is wrong.
    let main = "import {\n  to = module.m.a.b\n  bogus = 1\n  provider = a.b.c\n  id = 1\n  identity = {}\n}\n";
    assert_eq!(
        of_main("1.12", main).await,
        [
            "main.tf:3:3-8 Unsupported argument",
            "main.tf:4:3-19 Invalid import provider argument",
            "main.tf:4:17-19 Invalid provider configuration reference",
            "main.tf:5:3-6:16 Conflicting import arguments",
        ]
    );
    // In JSON any mistake in the structure does.
    let json = "{\"import\": {\"to\": \"a.b\", \"bogus\": 1}}";
    assert_eq!(of_json("1.12", json).await, ["main.tf.json:1:26-33 Extraneous JSON object property"]);
    let json = "{\"import\": {\"to\": \"a.b\", \"identity\": {}, \"id\": 1}}";
    assert_eq!(of_json("1.12", json).await, ["main.tf.json:1:26-49 Conflicting import arguments"]);
    let json = "{\"import\": {\"to\": \"a.b\"}}";
    assert_eq!(of_json("1.12", json).await, ["main.tf.json:1:12-13 Missing required import argument"]);
    assert_eq!(of_json("1.11", json).await, ["main.tf.json:1:24-25 Missing required argument"]);
    // Without a target the rest is checked.
    assert_eq!(
        of_main("1.12", "import {\n  provider = 1\n}\n").await,
        [
            "main.tf:1:1-7 Missing required import argument",
            "main.tf:1:8-9 Missing required argument",
            "main.tf:2:14-15 Invalid provider configuration reference",
        ]
    );
}

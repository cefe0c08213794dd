//! Objects of the dialect `opentofu` that no recorded case shows (opentofu.md, sections 5, 7 and 10;
//! details that are not there were read in the tool's code).

use serde_json::{Value, json};

use crate::http::post;

/// The last release of each series.
pub(crate) const SERIES: [&str; 7] = ["1.6", "1.7", "1.8", "1.9", "1.10", "1.11", "1.12"];

pub(crate) async fn ask(version: &str, files: &[(&str, &str)]) -> Value {
    ask_as("opentofu", version, files).await
}

async fn ask_as(dialect: &str, version: &str, files: &[(&str, &str)]) -> Value {
    let files: serde_json::Map<String, Value> =
        files.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text))).collect();
    let request =
        json!({"files": files, "dialect": dialect, "version": version, "include": ["config", "objects", "files"]});
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

fn lines(answer: &Value, origin: &str) -> Vec<String> {
    let mut out = Vec::new();
    for found in answer["diagnostics"].as_array().unwrap() {
        if found["origin"] != *origin {
            continue;
        }
        let (range, title) = (&found["range"], found["summary"].as_str().unwrap());
        let warning = if found["severity"] == "warning" { "warning: " } else { "" };
        let Some(name) = range["filename"].as_str() else {
            out.push(format!("{warning}{title}"));
            continue;
        };
        let (start, end) = (&range["start"], &range["end"]);
        let end = if start["line"] == end["line"] {
            end["column"].to_string()
        } else {
            format!("{}:{}", end["line"], end["column"])
        };
        out.push(format!("{name}:{}:{}-{end} {warning}{title}", start["line"], start["column"]));
    }
    out
}

/// `FILE:LINE:COLUMN-END TITLE` of everything that the tool reports, in order.
pub(crate) fn reported(answer: &Value) -> Vec<String> {
    lines(answer, "tool")
}

/// The same of our notes.
pub(crate) fn notes(answer: &Value) -> Vec<String> {
    lines(answer, "overfold")
}

/// What the tool reports of one primary file.
pub(crate) async fn of_main(version: &str, main: &str) -> Vec<String> {
    reported(&ask(version, &[("main.tf", main)]).await)
}

/// The same of one JSON file.
pub(crate) async fn of_json(version: &str, main: &str) -> Vec<String> {
    reported(&ask(version, &[("main.tf.json", main)]).await)
}

fn expression<'a>(answer: &'a Value, address: &str, name: &str) -> &'a str {
    answer["module"]["objects"][address]["attributes"][name]["expression"].as_str().unwrap_or("none")
}

/// Expressions of the lifecycle block, `NAME=EXPRESSION`.
fn lifecycle(answer: &Value, address: &str) -> Vec<String> {
    let blocks = answer["module"]["objects"][address]["blocks"].as_array().cloned().unwrap_or_default();
    blocks
        .iter()
        .filter(|block| block["type"] == "lifecycle")
        .flat_map(|block| block["attributes"].as_object().unwrap().clone())
        .map(|(name, attribute)| format!("{name}={}", attribute["expression"].as_str().unwrap()))
        .collect()
}

// ---- opentofu.md, section 5 -----------------------------------------------------------------------------------

#[tokio::test]
async fn arguments_of_variables_and_outputs_come_with_their_versions() {
    let main = "variable \"v\" {\n  deprecated = \"d\"\n  ephemeral = true\n  const = true\n  default = 1\n}\noutput \"o\" {\n  value = 1\n  deprecated = \"d\"\n  ephemeral = true\n}\n";
    let over = "{\"variable\": {\"v\": {\n \"deprecated\": \"d\",\n \"ephemeral\": true,\n \"const\": true}},\n \"output\": {\"o\": {\n \"deprecated\": \"d\", \n \"ephemeral\": true}}}";
    for version in SERIES {
        let minor: u32 = version.split('.').nth(1).unwrap().parse().unwrap();
        let mut wanted = Vec::new();
        let mut add = |since: u32, line: &str| {
            if minor < since {
                wanted.push(line.to_owned());
            }
        };
        add(10, "main.tf:2:3-13 Unsupported argument");
        add(11, "main.tf:3:3-12 Unsupported argument");
        add(12, "main.tf:4:3-8 Unsupported argument");
        add(10, "main.tf:9:3-13 Unsupported argument");
        add(11, "main.tf:10:3-12 Unsupported argument");
        add(10, "override.tf.json:2:2-14 Extraneous JSON object property");
        add(11, "override.tf.json:3:2-13 Extraneous JSON object property");
        add(12, "override.tf.json:4:2-9 Extraneous JSON object property");
        add(10, "override.tf.json:6:2-14 Extraneous JSON object property");
        add(11, "override.tf.json:7:2-13 Extraneous JSON object property");
        let answer = ask(version, &[("main.tf", main), ("override.tf.json", over)]).await;
        assert_eq!(reported(&answer), wanted, "{version}");
    }
}

#[tokio::test]
async fn an_override_that_states_an_argument_wins_and_others_stay() {
    let answer = ask(
        "1.12",
        &[
            (
                "main.tf",
                "variable \"v\" {\n  deprecated = \"one\"\n  ephemeral = true\n  const = true\n}\noutput \"o\" {\n  value = 1\n  deprecated = \"one\"\n  ephemeral = true\n}\n",
            ),
            ("a_override.tf", "variable \"v\" {\n  ephemeral = false\n}\noutput \"o\" {\n  deprecated = \"two\"\n}\n"),
            (
                "b_override.tf.json",
                "{\"variable\": {\"v\": {\"deprecated\": \"three\", \"const\": false}}, \"output\": {\"o\": {\"sensitive\": true}}}",
            ),
        ],
    )
    .await;
    assert_eq!(reported(&answer), [""; 0]);
    for (address, name, wanted) in [
        ("var.v", "deprecated", "\"three\""),
        ("var.v", "ephemeral", "false"),
        ("var.v", "const", "false"),
        ("output.o", "deprecated", "\"two\""),
        ("output.o", "ephemeral", "true"),
        ("output.o", "sensitive", "true"),
    ] {
        assert_eq!(expression(&answer, address, name), wanted, "{address} {name}");
    }
}

#[tokio::test]
async fn a_blank_deprecation_is_an_error() {
    for (main, wanted) in [
        ("variable \"v\" {\n  deprecated = \"\"\n}\n", "main.tf:1:10-13 Invalid `deprecated` value"),
        ("variable v {\n  deprecated = \" \\t\"\n}\n", "main.tf:1:10-11 Invalid `deprecated` value"),
        (
            "output \"o\" {\n  value = 1\n  deprecated = \"\\u00a0\"\n}\n",
            "main.tf:3:16-24 Invalid `deprecated` attribute",
        ),
        // A later mistake of the output does not keep it back.
        (
            "output \"o\" {\n  value = 1\n  deprecated = \"\"\n  ephemeral = var.x\n}\n",
            "main.tf:3:16-18 Invalid `deprecated` attribute\nmain.tf:4:15-18 Variables not allowed",
        ),
        (
            "output \"o\" {\n  depends_on = 1\n  value = 1\n  deprecated = \"\"\n}\n",
            "main.tf:2:16-17 Invalid expression\nmain.tf:4:16-18 Invalid `deprecated` attribute",
        ),
        // An earlier one does: of the structure, the name, or an argument that is read before.
        ("output \"o\" {\n  deprecated = \"\"\n}\n", "main.tf:1:12-13 Missing required argument"),
        (
            "output \"o\" {\n  value = 1\n  deprecated = \"\"\n  type = string\n}\n",
            "main.tf:4:3-7 Unsupported argument",
        ),
        ("output \"1\" {\n  value = 1\n  deprecated = \"\"\n}\n", "main.tf:1:8-11 Invalid output name"),
        (
            "output \"o\" {\n  value = 1\n  deprecated = \"\"\n  sensitive = var.x\n}\n",
            "main.tf:4:15-18 Variables not allowed",
        ),
        (
            "output \"o\" {\n  value = 1\n  description = null\n  deprecated = \"\"\n}\n",
            "main.tf:3:17-21 Unsuitable value type",
        ),
        // A variable's is not kept back by anything else.
        (
            "variable \"v\" {\n  sensitive = var.x\n  deprecated = \"\"\n}\n",
            "main.tf:1:10-13 Invalid `deprecated` value\nmain.tf:2:15-18 Variables not allowed",
        ),
        ("variable \"v\" {\n  deprecated = null\n}\n", "main.tf:2:16-20 Unsuitable value type"),
        ("variable \"v\" {\n  deprecated = local.x\n}\n", "main.tf:2:16-21 Variables not allowed"),
        ("variable \"v\" {\n  deprecated = 12\n}\n", ""),
    ] {
        let version = if main.contains("ephemeral") { "1.11" } else { "1.10" };
        assert_eq!(of_main(version, main).await.join("\n"), wanted, "{main}");
    }
    let json =
        "{\"variable\": {\"v\": {\"deprecated\": \"\"}}, \"output\": {\"o\": {\"value\": 1, \"deprecated\": \" \"}}}";
    assert_eq!(
        of_json("1.12", json).await,
        ["main.tf.json:1:15-18 Invalid `deprecated` value", "main.tf.json:1:84-87 Invalid `deprecated` attribute",]
    );
}

#[tokio::test]
async fn an_empty_deprecation_does_not_clear_one_of_blanks_replaces_it() {
    let main =
        "variable \"v\" {\n  deprecated = \"base\"\n}\noutput \"o\" {\n  value = 1\n  deprecated = \"base\"\n}\n";
    for (text, stays) in [("\"\"", "\"base\""), ("\"  \"", "\"  \""), ("var.x", "\"base\""), ("null", "\"base\"")] {
        let over =
            format!("variable \"v\" {{\n  deprecated = {text}\n}}\noutput \"o\" {{\n  deprecated = {text}\n}}\n");
        let answer = ask("1.11", &[("main.tf", main), ("override.tf", &over)]).await;
        assert_eq!(reported(&answer).len(), 2, "{:?}", reported(&answer));
        for address in ["var.v", "output.o"] {
            assert_eq!(expression(&answer, address, "deprecated"), stays, "{text} {address}");
        }
        let silent = notes(&answer);
        assert_eq!(silent.len(), if text == "\"\"" { 2 } else { 0 }, "{silent:?}");
    }
}

#[tokio::test]
async fn what_is_no_constant_is_reported_twice_up_to_1_8() {
    for (main, until_1_8, since_1_9) in [
        (
            "variable \"v\" {\n  nullable = upper(\"x\")\n}\n",
            "main.tf:2:14-24 Function calls not allowed\nmain.tf:2:14-20 Unsuitable value type",
            "main.tf:2:14-24 Function calls not allowed",
        ),
        (
            "output \"o\" {\n  value = 1\n  description = \"a ${var.b}\"\n}\n",
            "main.tf:3:18-20 Unsuitable value type\nmain.tf:3:22-25 Variables not allowed",
            "main.tf:3:22-25 Variables not allowed",
        ),
        (
            "resource \"a_b\" \"c\" {\n  lifecycle {\n    create_before_destroy = each.value\n    prevent_destroy = !var.x\n  }\n}\n",
            "main.tf:3:29-33 Variables not allowed\nmain.tf:3:29-39 Unsuitable value type\nmain.tf:4:23-24 Unsuitable value type\nmain.tf:4:24-27 Variables not allowed",
            "main.tf:3:29-33 Variables not allowed\nmain.tf:4:24-27 Variables not allowed",
        ),
        (
            "provider \"a\" {\n  alias = var.x\n}\n",
            "Invalid provider configuration alias\nmain.tf:2:11-14 Variables not allowed\nmain.tf:2:11-16 Unsuitable value type",
            "Invalid provider configuration alias\nmain.tf:2:11-14 Variables not allowed",
        ),
        // A constant of the wrong type is reported once in every version.
        (
            "variable \"v\" {\n  sensitive = \"maybe\"\n}\n",
            "main.tf:2:16-21 Unsuitable value type",
            "main.tf:2:16-21 Unsuitable value type",
        ),
        ("variable \"v\" {\n  sensitive = \"true\"\n}\n", "", ""),
    ] {
        for version in SERIES {
            let sorted = |text: &str| {
                let mut all: Vec<String> = text.lines().map(str::to_owned).collect();
                all.sort();
                all
            };
            let wanted = if ["1.6", "1.7", "1.8"].contains(&version) { until_1_8 } else { since_1_9 };
            if version == "1.12" && main.contains("prevent_destroy") {
                continue;
            }
            let mut found = of_main(version, main).await;
            found.sort();
            assert_eq!(found, sorted(wanted), "{version}\n{main}");
        }
    }
    // In JSON a text is no template where a constant is needed, so nothing has to be computed.
    let json = "{\"variable\": {\"v\": {\"sensitive\": \"${var.x}\"}}}";
    for version in SERIES {
        assert_eq!(of_json(version, json).await, ["main.tf.json:1:34-44 Unsuitable value type"], "{version}");
    }
}

#[tokio::test]
async fn validations_refer_to_anything_since_1_9_but_always_to_their_variable() {
    let rule = |condition: &str, message: &str| {
        format!(
            "variable \"v\" {{\n  validation {{\n    condition     = {condition}\n    error_message = {message}\n  }}\n}}\n"
        )
    };
    for (condition, message, old, new) in [
        ("var.v > 1 && local.x", "\"a ${data.b.c.d}\"", "main.tf:3:34-41 F\nmain.tf:4:26-36 F", ""),
        ("var.w > 1", "\"x\"", "main.tf:3:21-30 O\nmain.tf:3:21-26 F", "main.tf:3:21-30 O"),
        ("true", "\"x\"", "main.tf:3:21-25 E\nmain.tf:3:21-25 O", "main.tf:3:21-25 E\nmain.tf:3:21-25 O"),
        ("var.v > 1", "var.v", "", ""),
        ("can(var.v)", "join(\", \", [for v in var.w : v])", "main.tf:4:42-47 F", ""),
        (
            "self.x == var.v",
            "\"${tofu.workspace}${terraform.workspace}\"",
            "main.tf:3:21-27 F\nmain.tf:4:24-38 F\nmain.tf:4:41-60 F",
            "",
        ),
    ] {
        for version in SERIES {
            let wanted = if ["1.6", "1.7", "1.8"].contains(&version) { old } else { new };
            let mut wanted: Vec<String> = wanted
                .lines()
                .map(|line| {
                    line.replace(" F", " Invalid reference in variable validation")
                        .replace(" O", " Invalid variable validation condition")
                        .replace(" E", " Invalid validation expression")
                })
                .collect();
            let mut found = of_main(version, &rule(condition, message)).await;
            wanted.sort();
            found.sort();
            assert_eq!(found, wanted, "{version}: {condition}, {message}");
        }
    }
}

#[tokio::test]
async fn attributes_that_a_default_would_lose_are_reported_at_their_names() {
    let variable =
        |ty: &str, default: &str| format!("variable \"v\" {{\n  type    = {ty}\n  default = {default}\n}}\n");
    for (ty, default, wanted) in [
        ("object({ a = optional(string) })", "{ b = 1, \"c\" = 2, a = 3 }", "3:15-16 3:22-25"),
        ("object({ a = object({ b = string }) })", "{ a = { b = 1, c = 2 } }", "3:28-29"),
        ("map(object({ a = string }))", "{ x = { a = 1, b = 2 }, y = { a = 1 } }", "3:28-29"),
        ("list(object({ a = string }))", "[{ a = 1 }, { a = 1, b = 2 }]", "3:34-35"),
        ("set(object({ a = string }))", "[{ a = 1, b = 2 }]", "3:23-24"),
        ("tuple([object({ a = string }), string])", "[{ a = 1, b = 2 }, \"x\"]", "3:23-24"),
        ("list(object({ a = string }))", "[for x in [1] : { a = x, b = x }]", "3:38-39"),
        ("map(object({ a = string }))", "{ for x in [\"k\"] : x => { a = x, b = x } }", "3:46-47"),
        // A key computed from a constant is a name, too.
        ("object({ a = string })", "{ a = 1, (\"b\") = 2 }", "3:22-27"),
        ("object({ a = string })", "{ a = 1, \"${\"b\"}\" = 2 }", "3:22-30"),
        ("object({ a = string })", "{ a = 1, 2 = 2 }", "3:22-23"),
        // Not looked into.
        ("object({ a = string })", "({ a = 1, b = 2 })", ""),
        ("object({ a = string })", "true ? { a = 1, b = 2 } : { a = 1, b = 2 }", ""),
        ("any", "{ b = 2 }", ""),
        ("map(string)", "{ b = 2 }", ""),
        ("object({ a = any })", "{ a = { b = 2 } }", ""),
    ] {
        let wanted: Vec<String> = wanted
            .split_whitespace()
            .map(|at| format!("main.tf:{at} warning: Object attribute is ignored"))
            .collect();
        let main = variable(ty, default);
        assert_eq!(of_main("1.11", &main).await, wanted, "{main}");
        assert_eq!(of_main("1.12", &main).await, wanted, "{main}");
        assert_eq!(of_main("1.10", &main).await, [""; 0], "{main}");
    }
    // A default that does not fit is looked at, too.
    assert_eq!(
        of_main("1.11", &variable("object({ a = string })", "{ b = 2 }")).await,
        [
            "main.tf:3:13-22 Invalid default value for variable",
            "main.tf:3:15-16 warning: Object attribute is ignored"
        ]
    );
    // JSON is not.
    let json =
        "{\"variable\": {\"v\": {\"type\": \"object({a=string})\", \"default\": {\"a\": \"x\", \"b\": \"y\"}}}}";
    assert_eq!(of_json("1.12", json).await, [""; 0]);
    // An override with only a default has no type of its own.
    let base = variable("object({ a = string })", "{ a = 1 }");
    let answer =
        ask("1.12", &[("main.tf", &base), ("override.tf", "variable \"v\" {\n  default = { a = 1, b = 2 }\n}\n")])
            .await;
    assert_eq!(reported(&answer), [""; 0]);
}

// ---- opentofu.md, section 7 -----------------------------------------------------------------------------------

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
async fn one_repetition_a_block() {
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
    // Older ones look at two, at the name of the second.
    for version in ["1.6", "1.10"] {
        let main = "module \"x\" {\n  for_each = {}\n  count = 1\n  source = \"./m\"\n}\n";
        assert_eq!(of_main(version, main).await, [format!("main.tf:2:3-11 {}", titles[0])], "{version}");
    }
    let json = "{\"resource\": {\"a_b\": {\"x\": {\"lifecycle\": {\"enabled\": true}, \"count\": 1}}}}";
    assert_eq!(of_json("1.11", json).await, [format!("main.tf.json:1:43-68 {}", titles[1])]);
    // What an override brings together is not compared; in one override block it is.
    let base = "resource \"a_b\" \"x\" {\n  lifecycle {\n    enabled = true\n  }\n}\n";
    let answer =
        ask("1.11", &[("main.tf", base), ("override.tf", "resource \"a_b\" \"x\" {\n  count = 2\n}\n")]).await;
    assert_eq!(reported(&answer), [""; 0]);
    assert_eq!(expression(&answer, "a_b.x", "count"), "2");
    assert_eq!(lifecycle(&answer, "a_b.x"), ["enabled=true"]);
    // The answer's configuration is one that the tool loads: an evaluation goes by the count.
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
    // Each part comes from a file of its own.
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
    // A module is repeated by for_each where an enabled stands beside it.
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
async fn provider_references_by_version() {
    let reference = |text: &str| format!("resource \"a_b\" \"x\" {{\n  provider = {text}\n}}\n");
    // Where the mistake stands up to 1.8 and since 1.9; "ok" for none.
    for (text, old, new) in [
        ("aws", "ok", "ok"),
        ("aws.west", "ok", "ok"),
        ("aws.west[\"a\"]", "14-27", "ok"),
        ("aws.west[0]", "14-25", "ok"),
        ("aws.west[each.key]", "14-32", "ok"),
        ("aws.west[\"a-${each.key}\"]", "14-39", "ok"),
        ("aws.west[true]", "14-28", "ok"),
        ("aws[\"a\"]", "17-22", "17-22"),
        ("aws[each.key]", "14-27", "14-17"),
        ("aws.west.more", "14-27", "22-27"),
        ("aws.west.more.yet", "14-31", "14-31"),
        ("aws.west[\"a\"].b", "14-29", "14-29"),
        ("aws.west.more[each.key]", "14-37", "14-27"),
        ("aws.west[each.key][0]", "14-35", "14-35"),
        ("aws.west[each.key][each.key]", "14-42", "14-32"),
        ("1", "14-15", "14-15"),
        ("null", "ok", "ok"),
    ] {
        for version in SERIES {
            let at = if ["1.6", "1.7", "1.8"].contains(&version) { old } else { new };
            let wanted = match at {
                "ok" => Vec::new(),
                _ => vec![format!("main.tf:2:{at} Invalid provider configuration reference")],
            };
            assert_eq!(of_main(version, &reference(text)).await, wanted, "{version} {text}");
        }
    }
    // Quoted ones warn, and may hold a key too.
    assert_eq!(
        of_main("1.9", &reference("\"aws.west[0]\"")).await,
        ["main.tf:2:14-27 warning: Quoted references are deprecated"]
    );
}

#[tokio::test]
async fn provider_references_in_json_are_expressions_since_1_11() {
    let reference = |text: &str| format!("{{\"resource\": {{\"a_b\": {{\"x\": {{\"provider\": {text}}}}}}}}}");
    for (text, up_to_1_8, up_to_1_10, later) in [
        ("\"aws.west\"", "ok", "ok", "ok"),
        ("\"aws.west[0]\"", "41-54 R", "ok", "ok"),
        ("\"aws.west[each.key]\"", "41-61 R", "41-61 R", "ok"),
        ("5", "41-42 R", "41-42 R", "41-42 Expected string expression"),
        ("null", "41-45 R", "41-45 R", "41-45 Expected string expression"),
        ("[\"aws\"]", "41-48 R", "41-48 R", "41-48 Expected string expression"),
        ("\"aws west\"", "41-51 R", "41-51 R", "45-49 Extra characters after expression"),
    ] {
        for version in SERIES {
            let minor: u32 = version.split('.').nth(1).unwrap().parse().unwrap();
            let wanted = if minor < 9 {
                up_to_1_8
            } else if minor < 11 {
                up_to_1_10
            } else {
                later
            };
            let wanted = match wanted {
                "ok" => Vec::new(),
                _ => vec![format!(
                    "main.tf.json:1:{}",
                    wanted.replace(" R", " Invalid provider configuration reference")
                )],
            };
            assert_eq!(of_json(version, &reference(text)).await, wanted, "{version} {text}");
        }
    }
}

#[tokio::test]
async fn provider_references_are_replaced_whole_and_kept_behind_a_mistake() {
    let main = "resource \"a_b\" \"x\" {\n  provider = aws.west[\"a\"]\n}\nmodule \"m\" {\n  source = \"./m\"\n  providers = {\n    aws = aws.west[each.key]\n    b = b.c.d\n    aws = aws.east\n  }\n}\n";
    let over = "resource \"a_b\" \"x\" {\n  provider = aws.east.more\n}\n";
    let answer = ask("1.12", &[("main.tf", main), ("override.tf", over)]).await;
    assert_eq!(
        reported(&answer),
        [
            "main.tf:8:12-14 Invalid provider configuration reference",
            "main.tf:9:11-19 Duplicate provider address",
            "override.tf:2:22-27 Invalid provider configuration reference",
        ]
    );
    assert_eq!(expression(&answer, "a_b.x", "provider"), "aws.east.more");
    // What a module calls its providers has no keys that would have to be computed, except in JSON.
    let main =
        "module \"m\" {\n  source = \"./m\"\n  providers = {\n    a.b[each.key] = a\n    a.c[\"k\"] = a\n  }\n}\n";
    assert_eq!(of_main("1.12", main).await, ["main.tf:4:5-18 Invalid provider configuration reference"]);
    let json = "{\"module\": {\"m\": {\"source\": \"./m\", \"providers\": {\"a.b[each.key]\": \"a\"}}}}";
    assert_eq!(of_json("1.12", json).await, ["main.tf.json:1:67-68 warning: Reference to undefined provider"]);
    // Up to 1.8 such a reference is dropped, so the base's stays.
    let main = "resource \"a_b\" \"x\" {\n  provider = aws.west\n}\n";
    let answer = ask("1.8", &[("main.tf", main), ("override.tf", over)]).await;
    assert_eq!(reported(&answer), ["override.tf:2:14-27 Invalid provider configuration reference"]);
    assert_eq!(expression(&answer, "a_b.x", "provider"), "aws.west");
}

#[tokio::test]
async fn destroy_provisioners_may_ask_the_tool_by_its_newer_name_since_1_9() {
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
    // Before 1.9 `tofu` is a resource type like any other.
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
    // Terraform leaves the others of a native list unread; its JSON is as here, in its own words.
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

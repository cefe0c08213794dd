//! Variables and outputs: arguments by version, deprecations, constants, validations, defaults (opentofu.md, section 5).

use super::{SERIES, ask, expression, notes, of_json, of_main, reported};

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
async fn overridden_arguments_win_and_others_stay() {
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
        // A later mistake in the output does not suppress it.
        (
            "output \"o\" {\n  value = 1\n  deprecated = \"\"\n  ephemeral = var.x\n}\n",
            "main.tf:3:16-18 Invalid `deprecated` attribute\nmain.tf:4:15-18 Variables not allowed",
        ),
        (
            "output \"o\" {\n  depends_on = 1\n  value = 1\n  deprecated = \"\"\n}\n",
            "main.tf:2:16-17 Invalid expression\nmain.tf:4:16-18 Invalid `deprecated` attribute",
        ),
        // An earlier one does: in the structure, the name, or an argument that is read before.
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
        // For a variable nothing else suppresses it.
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
async fn an_empty_deprecation_does_not_override_but_a_blank_one_does() {
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
async fn values_that_are_not_constant_are_reported_twice_up_to_1_8() {
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
    // In JSON a string is not a template where a constant is required, so nothing needs evaluation.
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
        // A key computed from a constant is also a name.
        ("object({ a = string })", "{ a = 1, (\"b\") = 2 }", "3:22-27"),
        ("object({ a = string })", "{ a = 1, \"${\"b\"}\" = 2 }", "3:22-30"),
        ("object({ a = string })", "{ a = 1, 2 = 2 }", "3:22-23"),
        // Not examined.
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
    // A default that does not fit is checked as well.
    assert_eq!(
        of_main("1.11", &variable("object({ a = string })", "{ b = 2 }")).await,
        [
            "main.tf:3:13-22 Invalid default value for variable",
            "main.tf:3:15-16 warning: Object attribute is ignored"
        ]
    );
    // JSON is not checked.
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

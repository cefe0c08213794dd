//! Input variables through the HTTP layer: values given as JSON, secrets, and inputs designed to be costly.

use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;
use serde_json::{Value, json};

use crate::http::{Answer, post, send};

async fn ask(main: &str, extra: &Value) -> Value {
    let mut body = json!({"stage": "load", "files": {"main.tf": main}, "include": ["variables"], "variables": {}});
    for (key, value) in extra.as_object().unwrap() {
        match value.as_object() {
            Some(files) if key == "files" => body["files"].as_object_mut().unwrap().extend(files.clone()),
            _ => body[key] = value.clone(),
        }
    }
    ask_text(&body.to_string()).await
}

async fn ask_text(body: &str) -> Value {
    let answer = post("application/json", body.to_owned()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

fn variable<'a>(answer: &'a Value, name: &str) -> &'a Value {
    &answer["module"]["variables"][name]
}

fn titles(answer: &Value) -> Vec<&str> {
    answer["diagnostics"].as_array().unwrap().iter().map(|reported| reported["summary"].as_str().unwrap()).collect()
}

// Values given as JSON.

// References in validation rules: each variable stops at its own first kind of mistake.

#[tokio::test]
async fn references_of_rules_have_to_exist() {
    let rule = |name: &str, conditions: &[&str]| {
        let rules = conditions.iter().map(|condition| {
            format!(
                "  validation {{\n    condition = var.{name} == 1 || {condition}\n    error_message = \"x\"\n  }}\n"
            )
        });
        format!("variable \"{name}\" {{\n  default = 1\n{}}}\n", rules.collect::<String>())
    };
    let main = [
        rule("a", &["local", "foo.bar", "var.nope"]),
        rule("b", &["foo.bar[0].x", "module.nope.x", "data.foo.bar.x", "self.x", "nope(1)", "local.nope"]),
        rule("c", &["var.nope", "local.nope.x", "count.index", "each.key", "path.nope", "terraform.nope"]),
        rule("d", &["nope(1)", "1 + \"x\" == 1"]),
    ];
    let answer = ask(&main.concat(), &json!({"version": "1.11.4"})).await;
    let mut reported: Vec<(&str, &str)> = Vec::new();
    for diagnostic in answer["diagnostics"].as_array().unwrap().iter().filter(|reported| reported["origin"] == "tool")
    {
        let snippet = &diagnostic["snippet"];
        let at = |name: &str| usize::try_from(snippet[name].as_u64().unwrap()).unwrap();
        let code = snippet["code"].as_str().unwrap();
        let range = at("highlight_start_offset")..at("highlight_end_offset");
        reported.push((diagnostic["summary"].as_str().unwrap(), code.get(range).unwrap()));
    }
    reported.sort_unstable();
    assert_eq!(
        reported,
        [
            ("Call to unknown function", "nope"),
            ("Invalid \"path\" attribute", "path.nope"),
            ("Invalid \"self\" reference", "self"),
            ("Invalid \"terraform\" attribute", "terraform.nope"),
            ("Invalid operand", "\"x\""),
            ("Invalid reference", "local"),
            ("Reference to \"count\" in non-counted context", "count.index"),
            ("Reference to \"each\" in context without for_each", "each.key"),
            ("Reference to undeclared input variable", "var.nope"),
            ("Reference to undeclared local value", "local.nope"),
            ("Reference to undeclared module", "module.nope.x"),
            ("Reference to undeclared resource", "data.foo.bar"),
            ("Reference to undeclared resource", "foo.bar[0]"),
        ]
    );
}

// Secrets.

const SECRET: &str = "hunter2-never-shown";

/// Returns a request that covers every way in which a secret could leak.
fn secret_request(reveal: bool) -> String {
    let main = format!(
        r#"
variable "shown" {{
  type      = string
  default   = "{SECRET}-default"
  sensitive = true
  validation {{
    condition     = length(var.shown) < 3
    error_message = "no: ${{var.shown}}"
  }}
  validation {{
    condition     = tonumber(var.shown) > 1
    error_message = "no number"
  }}
  validation {{
    condition     = {{ a = 1 }}[var.shown] == 1
    error_message = "no key"
  }}
  validation {{
    condition     = regex("${{var.shown}}[", "x") == "x"
    error_message = "no pattern"
  }}
  validation {{
    condition     = file(var.shown) == jsondecode(var.shown)
    error_message = "no file"
  }}
}}
variable "misfit" {{
  type      = map(number)
  sensitive = true
}}
variable "lost" {{
  sensitive = true
}}
variable "keys" {{
  type      = object({{ a = number }})
  sensitive = true
}}
variable "other" {{
  default = 1
  validation {{
    condition     = var.other == 2 && var.shown == "x"
    error_message = "other: ${{var.shown}} ${{var.other}}"
  }}
}}
locals {{
  copied = var.shown
}}
variable "third" {{
  default = 1
  validation {{
    condition     = "${{var.third}}" == local.copied
    error_message = "third: ${{local.copied}}"
  }}
}}
"#
    );
    json!({
        "stage": "load", "files": {"main.tf": main, "terraform.tfvars": format!("shown = \"{SECRET}-file\"\nmisfit = {{ x = \"{SECRET}-in-file\" }}\nlost = {{ \"{SECRET}\" = nope, k = {{}}[\"{SECRET}\"] }}\n")},
        "include": ["variables"], "reveal_sensitive": reveal,
        "variables": {
            "env": {"TF_VAR_shown": format!("{SECRET}-env"), "TF_VAR_unknown": format!("{SECRET}-unknown")},
            "args": [
                {"var": format!("shown={SECRET}-var")}, {"name": "shown", "value": format!("{SECRET}-value")},
                {"var": format!("keys={{ \"{SECRET}\" = {SECRET} }}")},
                {"name": "undeclared", "value": format!("{SECRET}-undeclared")},
            ],
        },
    })
    .to_string()
}

#[tokio::test]
async fn a_secret_is_in_no_part_of_the_answer() {
    let answer = post("application/json", secret_request(false)).await;
    assert_eq!(answer.status, 200);
    let text = String::from_utf8(answer.body.clone()).unwrap();
    assert!(!text.contains("hunter2"), "{text}");
    let answer = answer.json();
    let shown = variable(&answer, "shown");
    for hidden in shown["superseded"].as_array().unwrap() {
        assert_eq!((&hidden["value"], &hidden["redacted"]), (&Value::Null, &json!(true)));
    }
    assert_eq!((&shown["value"], &shown["redacted"], &shown["default"]), (&Value::Null, &json!(true), &Value::Null));
    assert_eq!(shown["superseded"].as_array().unwrap().len(), 4);
    for hidden in shown["superseded"].as_array().unwrap() {
        assert_eq!(hidden["value"], Value::Null);
    }
    assert!(titles(&answer).contains(&"Invalid value for variable"), "{text}");
}

/// The flag may be in an override, and the wrong default in either file.
#[tokio::test]
async fn a_wrong_sensitive_default_is_reported_without_its_source() {
    let body = json!({"stage": "load", "files": {
        "main.tf": "variable \"a\" {\n  type = number\n  default = \"hunter2\"\n}\nvariable \"open\" {\n  type = number\n  default = \"shown\"\n}\n",
        "override.tf": "variable \"a\" {\n  sensitive = true\n}\n",
    }, "include": ["variables"]});
    let answer = ask_text(&body.to_string()).await;
    assert_eq!(titles(&answer), ["Invalid default value for variable", "Invalid default value for variable"]);
    let text = answer["diagnostics"].to_string();
    assert!(!text.contains("hunter2") && text.contains("shown"), "{text}");
}

#[tokio::test]
async fn objects_do_not_show_the_value_of_a_secret_default() {
    let files = json!({"main.tf": "variable \"s\" {\n  sensitive = true\n  default = \"x\"\n}\nvariable \"t\" {\n  sensitive = true\n  default = 40 + 2\n}\n"});
    for (reveal, wanted) in [(false, (Value::Null, json!(true))), (true, (json!(42), Value::Null))] {
        let request = json!({"stage": "load", "files": files, "include": ["objects"], "reveal_sensitive": reveal});
        let answer = ask_text(&request.to_string()).await;
        let object = &answer["module"]["objects"]["var.t"];
        assert_eq!((object["default"].clone(), object["redacted"].clone()), wanted);
    }
}

#[tokio::test]
async fn secrets_are_shown_on_request() {
    let answer = ask_text(&secret_request(true)).await;
    let shown = variable(&answer, "shown");
    assert_eq!(shown["value"], format!("{SECRET}-value"));
    assert_eq!(shown["default"], format!("{SECRET}-default"));
    assert_eq!(shown["superseded"][0]["value"], format!("{SECRET}-var"));
    assert_eq!(shown.get("redacted"), None);
}

// Costly inputs: if processing one of them took quadratic time, it would not end within the time of a test run.

async fn costly(body: String) -> Answer {
    let mut settings = Settings::for_testing();
    settings.limits.body.max_request_bytes = 64 << 20;
    settings.limits.body.max_unpacked_bytes = 64 << 20;
    settings.limits.request.max_file_bytes = 64 << 20;
    settings.limits.request.max_syntax_tokens = 10_000_000;
    settings.work.timeout_seconds = 120;
    let app = router(&AppState::new(settings));
    let request = axum::http::Request::post("/v1/merge").header("content-type", "application/json");
    send(&app, request.body(body.into()).unwrap()).await
}

async fn answered(body: &Value) -> Value {
    let answer = costly(body.to_string()).await;
    let start = String::from_utf8_lossy(answer.body.get(..2000).unwrap_or(&answer.body)).into_owned();
    assert_eq!(answer.status, 200, "{start}");
    answer.json()
}

#[tokio::test]
async fn a_definitions_file_of_ten_megabytes_is_read() {
    let mut text = String::from("a = {\n");
    let mut count = 0;
    while text.len() < 10 << 20 {
        text += "  key";
        text += &count.to_string();
        text += " = \"";
        text += &"some text ".repeat(30);
        text += "\"\n";
        count += 1;
    }
    text.push_str("}\nb = nope\n");
    let main = "variable \"a\" {\n  type = map(string)\n}\nvariable \"b\" {}\n";
    let body = json!({"stage": "load", "files": {"main.tf": main, "terraform.tfvars": text}, "include": ["variables"], "variables": {}});
    let answer = answered(&body).await;
    assert_eq!(titles(&answer), ["No value for required variable", "Variables not allowed"]);
    assert_eq!(variable(&answer, "a")["value"].as_object().unwrap().len(), count);
}

#[tokio::test]
async fn a_type_of_five_hundred_levels_is_read_and_converts() {
    let nested = |open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(500), close.repeat(500));
    let main = format!(
        "variable \"a\" {{\n  type = {}\n  default = {}\n}}\nvariable \"b\" {{\n  type = {}\n}}\nvariable \"c\" {{\n  type = {}\n  default = {{}}\n}}\n",
        nested("list(", "any", ")"),
        nested("[", "1, \"x\"", "]"),
        nested("map(", "number", ")"),
        nested("object({ a = optional(", "number, 1", ", {}) })").replacen("1, {}", "1", 1),
    );
    let value = nested("{ k = ", "\"x\"", "}");
    let body = format!(
        r#"{{"stage": "load", "files": {{"main.tf": {}}}, "include": ["variables"], "variables": {{"args": [{{"var": {}}}]}}}}"#,
        json!(main),
        json!(format!("b={value}")),
    );
    let answer = costly(body).await;
    let text = String::from_utf8(answer.body).unwrap();
    assert_eq!(answer.status, 200, "{text}");
    assert!(text.contains(&format!("\"value\":{}", nested("[", "\"1\",\"x\"", "]"))), "{text}");
    assert!(text.contains("Invalid value for input variable") && text.contains("this must be a number"), "{text}");
}

#[tokio::test]
async fn a_number_of_a_million_digits_is_a_number_or_a_clear_refusal() {
    let digits = "7".repeat(1_000_000);
    let main = format!(
        "variable \"a\" {{\n  type = number\n  default = {digits}\n}}\nvariable \"b\" {{\n  type = number\n}}\nvariable \"c\" {{\n  type = number\n}}\nvariable \"d\" {{}}\nvariable \"e\" {{\n  type = string\n}}\nvariable \"f\" {{\n  type = number\n}}\n"
    );
    let body = format!(
        r#"{{"stage": "load", "files": {{"main.tf": {}, "terraform.tfvars": {}}}, "include": ["variables"], "variables": {{"args": [
            {{"var": "c={digits}"}}, {{"name": "d", "value": {digits}}}, {{"name": "e", "value": {digits}}}, {{"name": "f", "value": "{digits}"}}]}}}}"#,
        json!(main),
        json!(format!("b = {digits}\n")),
    );
    let answer = costly(body).await;
    assert_eq!(answer.status, 200);
    let answer = answer.json();
    assert_eq!(titles(&answer), Vec::<&str>::new());
    // Digits beyond the tool's precision of 512 bits are those of the rounded binary number, not the given ones.
    for name in ["a", "b", "c", "d", "f"] {
        let value = variable(&answer, name)["value"].to_string();
        assert_eq!((value.len(), value.get(..150)), (digits.len(), digits.get(..150)), "{name}");
    }
    assert!(variable(&answer, "e")["value"].is_string());
}

#[tokio::test]
async fn a_value_nests_as_deep_as_a_file_may() {
    let request = |levels: usize| {
        let value = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        format!(
            r#"{{"stage": "load", "files": {{"main.tf": "variable \"a\" {{}}"}}, "include": ["variables"], "variables": {{"args": [{{"name": "a", "value": {value}}}]}}}}"#
        )
    };
    let answer = post("application/json", request(900)).await;
    let text = String::from_utf8(answer.body).unwrap();
    assert_eq!(answer.status, 200, "{text}");
    assert!(text.contains(&"[".repeat(900)), "{text}");
}

// Provider functions.

#[tokio::test]
async fn a_rule_that_calls_a_function_of_a_provider_is_not_decided() {
    let main = "terraform {\n  required_providers {\n    aws = {\n      source = \"hashicorp/aws\"\n    }\n  }\n}\nvariable \"x\" {\n  default = 1\n  validation {\n    condition     = provider::aws::ok(var.x) == 2\n    error_message = \"no\"\n  }\n}\n";
    let answer = ask(main, &json!({})).await;
    assert_eq!(titles(&answer), ["Validation rule not checked"]);
    let argument = main.replace("ok(var.x)", "ok(var.x, parseint(\"z\", 10))");
    assert_eq!(titles(&ask(&argument, &json!({})).await), ["Invalid function argument"]);
    let other = main.replace("::aws::", "::gcp::");
    let before = json!({"version": "1.14"});
    assert_eq!(titles(&ask(&other, &before).await), ["Call to unknown function"]);
    assert_eq!(titles(&ask(&other, &json!({"version": "1.15"})).await), ["Unknown provider function"]);
    let alias = main.replace("aws::ok", "aws::west::ok");
    assert_eq!(titles(&ask(&alias, &before).await), ["Call to unknown function"]);
    assert_eq!(titles(&ask(&alias, &json!({"dialect": "opentofu"})).await), ["Validation rule not checked"]);
}

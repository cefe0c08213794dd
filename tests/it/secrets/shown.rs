//! What is shown in place of a secret, part by part.

use serde_json::{Value, json};

use super::Service;

const ALL: [&str; 4] = ["config", "objects", "variables", "files"];

fn answer(request: Value) -> Value {
    let mut request = request;
    request["include"] = json!(ALL);
    let (status, seen) = Service::new().ask(&request);
    let text = String::from_utf8(seen).unwrap();
    assert_eq!(status, 200, "{text}");
    serde_json::from_str(text.split_once('\n').unwrap().1).unwrap()
}

fn sensitive_default() -> Value {
    json!({"files": {
        "main.tf": "variable \"p\" {\n  type = object({a = optional(string, \"Inside1\")})\n  default = { a = \"Secret1\" }\n  sensitive = true\n}\nvariable \"o\" {\n  default = \"open\"\n}\n",
        "x_override.tf": "variable \"p\" {\n  default = { a = \"Secret2\" }\n}\n",
    }})
}

#[test]
fn hidden_defaults_are_null_in_every_part_and_marked() {
    let answer = answer(sensitive_default());
    let text = answer.to_string();
    assert!(!text.contains("Secret") && !text.contains("Inside"), "{text}");
    let object = &answer["module"]["objects"]["var.p"];
    assert_eq!((&object["default"], &object["redacted"]), (&Value::Null, &json!(true)));
    let default = &object["attributes"]["default"];
    assert_eq!((&default["expression"], &default["redacted"]), (&Value::Null, &json!(true)));
    assert_eq!(
        (&default["previous"][0]["expression"], &default["previous"][0]["redacted"]),
        (&Value::Null, &json!(true))
    );
    assert_eq!(default["range"]["filename"], "x_override.tf");
    let config = &answer["module"]["config"]["variable"]["p"][0];
    assert_eq!(config["default"], Value::Null);
    assert_eq!(config["//"], "redacted: default");
    assert_eq!(config["type"], "object({a = optional(string)})");
    assert_eq!(config["sensitive"], true);
    assert_eq!(answer["module"]["variables"]["p"]["redacted"], true);
    assert_eq!(answer["module"]["objects"]["var.o"]["attributes"]["default"]["expression"], "\"open\"");
    assert_eq!(answer["module"]["config"]["variable"]["o"][0], json!({"default": "open"}));
}

#[test]
fn everything_is_shown_on_request() {
    let mut request = sensitive_default();
    request["reveal_sensitive"] = json!(true);
    let answer = answer(request);
    let default = &answer["module"]["objects"]["var.p"]["attributes"]["default"];
    assert_eq!(default["expression"], "{ a = \"Secret2\" }");
    assert_eq!(default["previous"][0]["expression"], "{ a = \"Secret1\" }");
    assert_eq!(answer["module"]["config"]["variable"]["p"][0]["default"], json!({"a": "Secret2"}));
    assert_eq!(answer["module"]["variables"]["p"]["default"], json!({"a": "Secret2"}));
    assert!(!answer.to_string().contains("redacted"));
}

#[test]
fn ephemeral_values_are_never_shown() {
    let answer = answer(json!({
        "files": {
            "main.tf": "variable \"e\" {\n  ephemeral = true\n  default = \"Secret1\"\n  validation {\n    condition = tonumber(var.e) > 0\n    error_message = \"bad ${var.e}\"\n  }\n}\n",
            "terraform.tfvars": "e = \"Secret2\" 1\n",
        },
        "variables": {"env": {"TF_VAR_e": "Secret3"}}, "reveal_sensitive": true,
    }));
    assert!(!answer.to_string().contains("Secret"), "{answer}");
    let variable = &answer["module"]["variables"]["e"];
    assert_eq!((&variable["value"], &variable["redacted"]), (&Value::Null, &json!(true)));
}

/// Returns the snippet of the first finding in a definitions file, for a module with a secret `p` and an open `o`.
fn snippet(name: &str, text: &str) -> Value {
    let files = json!({
        "main.tf": "variable \"p\" {\n  sensitive = true\n  default = null\n}\nvariable \"o\" {\n  default = null\n}\n",
        name: text,
    });
    let answer = answer(json!({"files": files, "variables": {}}));
    let all = answer["diagnostics"].as_array().unwrap().clone();
    let found = all.iter().find(|found| found["range"]["filename"] == name).ok_or(&answer).unwrap();
    let snippet = found["snippet"].clone();
    let code = snippet["code"].as_str().unwrap();
    let [start, end] =
        ["highlight_start_offset", "highlight_end_offset"].map(|key| snippet[key].as_u64().unwrap() as usize);
    assert!(start <= end && code.get(start..end).is_some(), "{snippet}");
    json!([code, code.get(start..end), snippet["start_line"], found["range"]["start"]["line"]])
}

#[test]
fn snippets_keep_what_is_not_secret() {
    let snippet = |text| snippet("terraform.tfvars", text);
    assert_eq!(snippet("p = upper(\"Secret\")\n"), json!(["p = (redacted)", "(redacted)", 1, 1]));
    assert_eq!(snippet("o = upper(\"open\")\n"), json!(["o = upper(\"open\")", "upper(\"open\")", 1, 1]));
    assert_eq!(snippet("o = 1\np = {\n  a = \"Secret\"\n  b = x\n}\n"), json!(["(redacted)", "(redacted)", 4, 4]));
    assert_eq!(snippet("p = \"Secret1\"\np = \"Secret2\"\n"), json!(["p = (redacted)", "p", 2, 2]));
    assert_eq!(snippet("p = \"Secret\n"), json!(["p = (redacted)", "", 1, 1]));
    assert_eq!(
        snippet("variable \"p\" {\n  default = \"Secret\"\n}\n"),
        json!(["variable \"p\" {", "variable", 1, 1])
    );
    assert_eq!(snippet("unknown { a = \"Secret\" }\n"), json!(["unknown(redacted)", "unknown", 1, 1]));
}

#[test]
fn json_snippets_keep_what_is_not_secret() {
    let snippet = |text| snippet("terraform.tfvars.json", text);
    let twice = "{\"p\": \"Secret\", \"o\": [\"open\"], \"o\": 2}";
    assert_eq!(snippet(twice)[0], "{\"p\": (redacted), \"o\": [\"open\"], \"o\": 2}");
    assert_eq!(snippet("{\"o\": 1, \"p\": \"Secret\" x}")[0], "(redacted)");
    assert_eq!(snippet("{\n  \"p\": \"Secret\n}\n")[0], "  \"p\": (redacted)\n}");
}

#[test]
fn without_secrets_a_broken_definitions_file_is_shown() {
    let files = json!({
        "main.tf": "variable \"o\" {\n  default = null\n}\n",
        "terraform.tfvars": "o = \"open\nsomebodys = \"Secret\n",
    });
    let answer = answer(json!({"files": files, "variables": {}}));
    let text = answer["diagnostics"].to_string();
    assert!(text.contains("o = \\\"open") && !text.contains("Secret"), "{text}");
}

#[test]
fn retracted_and_unreadable_flags_hide_values() {
    for (flag, over) in [("true", "false"), ("false", "true"), ("\"yes\"", ""), ("region", ""), ("var.x", "")] {
        let over =
            if over.is_empty() { String::new() } else { format!("variable \"p\" {{\n  sensitive = {over}\n}}\n") };
        let main = format!("variable \"p\" {{\n  default = \"Secret\"\n  sensitive = {flag}\n}}\n");
        let answer = answer(json!({"files": {"main.tf": main, "x_override.tf": over}, "variables": {}}));
        assert!(!answer.to_string().contains("Secret"), "{flag}: {answer}");
    }
    let main = "variable \"p\" {\n  default = \"Secret\"\n  sensitive = false\n}\n";
    assert!(answer(json!({"files": {"main.tf": main}})).to_string().contains("Secret"));
}

/// The older language has no such flag, but anyone who writes it means it.
#[test]
fn hcl1_hides_flagged_values() {
    let main = "variable \"p\" {\n  sensitive = true\n  default {\n    Secret1 = \"Secret2\"\n  }\n}\n";
    let definitions = "p = { k = \"Secret3\" }\np = { k = \"Secret4\" }\n";
    let answer = answer(json!({
        "files": {"main.tf": main, "terraform.tfvars": definitions}, "dialect": "terraform-0.11",
        "variables": {"env": {"TF_VAR_p": "{ a = Secret5"}, "args": [{"var": "p={ Secret6"}]},
    }));
    assert!(!answer.to_string().contains("Secret"), "{answer}");
}

#[test]
fn a_problem_quotes_no_value() {
    for variables in [
        json!({"args": "Secret"}),
        json!({"env": {"TF_VAR_p": ["Secret"]}, "args": [{"var": 1}]}),
        json!({"env": "Secret"}),
        json!("Secret"),
    ] {
        let (status, seen) = Service::new().ask(&json!({"files": {}, "variables": variables}));
        let text = String::from_utf8(seen).unwrap();
        assert!(status == 400 && !text.contains("Secret"), "{status} {text}");
    }
    let missing = json!({
        "files": {"main.tf": "variable \"p\" {\n  sensitive = true\n}\n", "terraform.tfvars": "p = \"Secret\n"},
        "variables": {"args": [{"var_file": "gone.tfvars"}]},
    });
    let (status, seen) = Service::new().ask(&missing);
    let text = String::from_utf8(seen).unwrap();
    assert!(status == 422 && text.contains("diagnostics") && !text.contains("Secret"), "{text}");
}

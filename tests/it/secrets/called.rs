//! Secrets of called modules: what is found in their files, and what is said about their variables.

use serde_json::{Value, json};

use super::{Hunt, Service};

const CHILD: &str = r#"variable "kept" {
  sensitive = true
  default   = "kx91-vq27-zp"
  validation {
    condition     = length(var.kept) > 99
    error_message = "It is ${var.kept}."
  }
  validation {
    condition     = { a = 1 }[var.kept] == 1
    error_message = "No."
  }
}
variable "open" {
  default = "shown-in-the-clear"
  validation {
    condition     = length(var.open) > 99
    error_message = "It is ${var.open}."
  }
}
variable "one_line" { sensitive = true, default = "wj83-tt46-hb" }
"#;

const MAIN: &str = r#"variable "one_line" {
  default = "not a secret here"
}
module "m" {
  source = "./m"
}
"#;

fn answer(child: &str, reveals: bool) -> (u16, Vec<u8>) {
    let files = json!({"main.tf": MAIN, "m/main.tf": child});
    let request = json!({"files": files, "stage": "validate", "reveal_sensitive": reveals, "include": ["variables"]});
    Service::new().ask(&request)
}

#[test]
fn rules_of_called_modules_do_not_quote_sensitive_variables() {
    let sound = CHILD.lines().filter(|line| !line.contains("one_line")).map(|line| format!("{line}\n"));
    let sound: String = sound.collect();
    let hunt = Hunt::of(&["kx91-vq27-zp".to_owned()]);
    let (status, hidden) = answer(&sound, false);
    assert_eq!((status, hunt.find(&hidden)), (200, None));
    let body: Value = serde_json::from_slice(hidden.split(|byte| *byte == b'\n').next_back().unwrap()).unwrap();
    let found = body["diagnostics"].as_array().unwrap();
    let titles: Vec<&str> = found.iter().map(|found| found["summary"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Invalid value for variable", "Invalid value for variable", "Invalid index"], "{body}");
    assert!(String::from_utf8_lossy(&hidden).contains("shown-in-the-clear"));
    let (_, shown) = answer(&sound, true);
    assert!(hunt.find(&shown).is_some());
}

/// The block on one line is a syntax error, whose snippet would show the default.
#[test]
fn snippets_of_called_modules_are_masked() {
    let hunt = Hunt::of(&["wj83-tt46-hb".to_owned()]);
    let (status, hidden) = answer(CHILD, false);
    assert_eq!((status, hunt.find(&hidden)), (200, None));
    let text = String::from_utf8_lossy(&hidden).into_owned();
    assert!(text.contains("m/main.tf"), "{text}");
    // What a called module calls a secret is none in the module that calls it.
    assert!(text.contains("not a secret here"), "{text}");
}

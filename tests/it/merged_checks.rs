//! Findings about the merged configuration: checks that the tool makes only later, and notes about what it does
//! silently.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::http::post;

/// Returns the answer for these files; `at` is `DIALECT` or `DIALECT VERSION`.
async fn ask(at: &str, files: &[(&str, &str)], variables: Option<Value>) -> Value {
    let files: serde_json::Map<String, Value> =
        files.iter().map(|(name, text)| ((*name).to_owned(), json!(text))).collect();
    let (dialect, version) = at.split_once(' ').map_or((at, None), |(dialect, version)| (dialect, Some(version)));
    let mut request = json!({"stage": "load", "files": files, "dialect": dialect, "include": ["config", "objects"]});
    if let Some(version) = version {
        request["version"] = json!(version);
    }
    if let Some(variables) = variables {
        request["variables"] = variables;
    }
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// Returns `FILE:LINE:COLUMN SEVERITY ORIGIN TITLE -> RELATED…` for every diagnostic, one per line, in order.
fn lines(answer: &Value) -> String {
    let place = |range: &Value| {
        let start = &range["start"];
        format!("{}:{}:{}", range["filename"].as_str().unwrap_or("-"), start["line"], start["column"])
    };
    let mut out = String::new();
    for found in answer["diagnostics"].as_array().unwrap() {
        let text = |field: &str| found[field].as_str().unwrap().to_owned();
        write!(out, "{} {} {} {}", place(&found["range"]), text("severity"), text("origin"), text("summary"))
            .unwrap();
        for related in found["related"].as_array().into_iter().flatten() {
            write!(out, " -> {}", place(&related["range"])).unwrap();
        }
        out.push('\n');
    }
    out
}

async fn found(at: &str, files: &[(&str, &str)]) -> String {
    lines(&ask(at, files, None).await)
}

#[tokio::test]
async fn providers_that_lose_their_source() {
    let base = "terraform {\n  required_providers {\n    google = {\n      source  = \"foo/google\"\n      version = \"2.0\"\n    }\n  }\n}\n";
    let over = "terraform {\n  required_providers {\n    google = { version = \"9.0\" }\n  }\n}\n";
    for dialect in ["terraform", "terraform 1.0", "opentofu"] {
        let answer = ask(dialect, &[("main.tf", base), ("override.tf", over)], None).await;
        let wanted = "override.tf:3:5 warning overfold Override changes where a provider comes from -> main.tf:4:7\n";
        assert_eq!(lines(&answer), wanted, "{dialect}");
        assert_eq!(answer["valid"], true);
        let detail = answer["diagnostics"][0]["detail"].as_str().unwrap();
        assert!(detail.contains("hashicorp/google") && detail.contains("foo/google"), "{detail}");
    }
    let json = r#"{"terraform":{"required_providers":{"google":"9.0"}}}"#;
    let reported = found("terraform", &[("main.tf", base), ("override.tf.json", json)]).await;
    assert!(
        reported.contains("warning overfold Override changes where a provider comes from -> main.tf:4:7"),
        "{reported}"
    );
    // A source equal to the one that the local name implies is no change, and a version is lost without a change of
    // source.
    let implied = base.replace("foo/google", "hashicorp/google");
    assert_eq!(found("terraform", &[("main.tf", &implied), ("override.tf", over)]).await, "");
    let over = "terraform {\n  required_providers {\n    google = { source = \"foo/google\" }\n  }\n}\n";
    let reported = found("terraform", &[("main.tf", base), ("override.tf", over)]).await;
    assert_eq!(
        reported,
        "override.tf:3:5 warning overfold Override loses part of the original block -> main.tf:5:7\n"
    );
}

const LOSES: &str = "warning overfold Override loses part of the original block";

/// However much is lost, the number of notes is limited.
#[tokio::test]
async fn notes_about_losses_are_bounded() {
    let mut base = String::from("resource \"a_b\" \"c\" {\n  disk {\n");
    for number in 0..1000 {
        writeln!(base, "    a{number} = 1").unwrap();
    }
    base.push_str("  }\n}\n");
    let over = "resource \"a_b\" \"c\" {\n  disk {\n  }\n}\n";
    let reported = found("terraform", &[("main.tf", &base), ("override.tf", over)]).await;
    assert_eq!(reported.matches(LOSES).count(), 200);
    assert_eq!(reported.matches("Further notes about lost content omitted").count(), 1);
}

#[tokio::test]
async fn a_module_call_that_passes_on_a_provider_nothing_declares() {
    let undefined = "warning tool Reference to undefined provider";
    let module = "module \"m\" {\n  source = \"./m\"\n  providers = {\n    aws = aws\n    b   = aws.x\n    n   = null\n    q   = mine\n  }\n}\n";
    let rest = "provider \"aws\" {}\nprovider \"null\" {\n  a = 1\n}\nterraform {\n  required_providers {\n    mine = { source = \"x/aws\" }\n  }\n}\n";
    let main = format!("{module}{rest}");
    for at in ["terraform 1.11.4", "terraform", "opentofu"] {
        assert_eq!(found(at, &[("main.tf", &main)]).await, format!("main.tf:4:11 {undefined}\n"), "{at}");
    }
    let reported = found("terraform 1.11.4", &[("main.tf", module)]).await;
    let wanted = format!("main.tf:4:11 {undefined}\nmain.tf:6:11 {undefined}\nmain.tf:7:11 {undefined}\n");
    assert_eq!(reported, wanted);
    let json = r#"{"module":{"m":{"source":"./m","providers":{"x":"null"}}}}"#;
    assert_eq!(
        found("terraform 1.11.4", &[("main.tf.json", json)]).await,
        format!("main.tf.json:1:49 {undefined}\n")
    );
}

#[tokio::test]
async fn names_that_are_almost_those_of_override_files() {
    let near = "- info overfold File is not an override file\n".replace("- ", "-:null:null ");
    for name in ["overrides.tf", "main_overrides.tf", "app-override.tf", "Override.tf", "x_OVERRIDES.tf.json"] {
        let text = if name.ends_with("json") { "{}" } else { "" };
        for dialect in ["terraform", "opentofu", "terraform-0.11", "tflint"] {
            assert_eq!(found(dialect, &[("main.tf", ""), (name, text)]).await, near, "{dialect} {name}");
        }
    }
    for name in
        ["override.tf", "main_override.tf", "_override.tf", "override_x.tf", "overriding.tf", "x_overridess.tf"]
    {
        assert_eq!(found("terraform", &[("main.tf", ""), (name, "")]).await, "", "{name}");
    }
    assert_eq!(found("sentinel", &[("main.hcl", ""), ("overrides.hcl", "")]).await, near);
    let names: Vec<String> = (0..30).map(|number| format!("a{number}_overrides.tf")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    assert_eq!(found("terraform", &files).await, near.repeat(10));
}

//! The forms of `config` loaded again, for modules that no recorded case covers: each form must be valid and yield the
//! same module.

use overfold_cli::files::{FileSet, ModulePath, SourceFile};
use overfold_cli::output::{ConfigFormat, config_only, form_notes};
use overfold_cli::pipeline::{Report, Request, run};
use overfold_cli::syntax::Forest;
use serde_json::Value;

/// The names and contents of files.
pub(crate) type Files<'a> = &'a [(&'a str, &'a str)];

pub(crate) fn loaded<T>(at: &str, files: &[(String, String)], read: impl FnOnce(&Report<'_>) -> T) -> T {
    let files = files.iter().map(|(path, text)| SourceFile {
        path: ModulePath::parse(path).unwrap(),
        bytes: text.as_bytes().to_vec().into(),
    });
    let (dialect, version) = at.split_once(' ').map_or((at, None), |(name, at)| (name, Some(at)));
    let request = Request { version: version.map(str::to_owned), ..Request::new(dialect) };
    let forest = Forest::default();
    let report = run(&forest, &FileSet::new(files.collect(), Vec::new()), &request).unwrap();
    read(&report)
}

pub(crate) fn form(report: &Report<'_>, form: ConfigFormat) -> String {
    String::from_utf8(config_only(report, form)).unwrap()
}

pub(crate) fn owned(files: Files<'_>) -> Vec<(String, String)> {
    files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

/// Returns what each form is when it is written to files.
pub(crate) fn forms(at: &str, files: Files<'_>) -> [(&'static str, Vec<(String, String)>); 3] {
    loaded(at, &owned(files), |report| {
        let texts: Value = serde_json::from_str(&form(report, ConfigFormat::Files)).unwrap();
        let texts = texts.as_object().unwrap().iter();
        let texts = texts.map(|(name, text)| (name.clone(), text.as_str().unwrap().to_owned()));
        [
            ("tf-json", vec![("main.tf.json".to_owned(), form(report, ConfigFormat::TfJson))]),
            ("hcl", vec![("main.tf".to_owned(), form(report, ConfigFormat::Hcl))]),
            ("files", texts.collect()),
        ]
    })
}

/// Checks that every form is valid and yields the same module when it is loaded instead of the files; returns it.
#[track_caller]
pub(crate) fn same_again(at: &str, files: Files<'_>) -> Value {
    let first = loaded(at, &owned(files), |report| {
        assert!(!report.diagnostics.has_errors(), "{files:?}: {:?}", report.diagnostics.iter().collect::<Vec<_>>());
        form(report, ConfigFormat::TfJson)
    });
    for (name, written) in forms(at, files) {
        let again = loaded(at, &written, |report| {
            let found: Vec<_> = report.diagnostics.iter().map(|found| (found.code.id, &found.detail)).collect();
            assert!(!report.diagnostics.has_errors(), "{name} of {files:?}: {found:?}\n{written:?}");
            form(report, ConfigFormat::TfJson)
        });
        assert_eq!(again, first, "{name} of {files:?}\n{written:#?}");
    }
    serde_json::from_str(&first).unwrap()
}

/// The tool parses the strings of `actions` itself, so they are bare, like those of every other list of addresses.
#[test]
fn actions_of_triggers_are_bare_addresses() {
    const NATIVE: &str = "action \"t_act\" \"a\" {\n  count = 2\n}\naction \"t_act\" \"b\" {}\nresource \"t_obj\" \"b\" {\n  for_each = { x = 1 }\n  \
        lifecycle {\n    action_trigger {\n      events    = [after_create, before_update]\n      condition = 1 < 2\n      \
        actions   = [action.t_act.a[0], action.t_act.b, action.t_act.a[each.value]]\n    }\n  }\n}\n";
    const JSON: &str = r#"{"action":{"t_act":{"a":{}}},"resource":{"t_obj":{"b":{"lifecycle":{"action_trigger":{
        "events":["after_create"],"actions":["action.t_act.a"]}}}}}}"#;
    const OVER: &str = "resource \"t_obj\" \"b\" {\n  lifecycle {\n    action_trigger {\n      events = [after_update]\n      actions = [action.t_act.a]\n    }\n  }\n}\n";
    for version in ["terraform 1.14.0", "terraform 1.15.9", "terraform 1.16.0-rc2"] {
        let config = same_again(version, &[("main.tf", NATIVE)]);
        let trigger = &config["resource"]["t_obj"]["b"][0]["lifecycle"][0]["action_trigger"][0];
        let bare = ["action.t_act.a[0]", "action.t_act.b", "action.t_act.a[each.value]"];
        assert_eq!(trigger["actions"], serde_json::json!(bare));
        let config = same_again(version, &[("main.tf.json", JSON)]);
        let trigger = &config["resource"]["t_obj"]["b"]["lifecycle"];
        assert!(trigger.is_null(), "bodies are arrays");
        let trigger = &config["resource"]["t_obj"]["b"][0]["lifecycle"][0]["action_trigger"][0];
        assert_eq!(trigger["actions"], serde_json::json!(["action.t_act.a"]));
        same_again(version, &[("main.tf.json", JSON), ("over_override.tf", OVER)]);
        same_again(
            version,
            &[
                ("main.tf", NATIVE),
                (
                    "x_override.tf.json",
                    r#"{"resource":{"t_obj":{"b":{"lifecycle":{"action_trigger":{
            "events":["after_create"],"actions":["action.t_act.b"]}}}}}}"#,
                ),
            ],
        );
    }
}

/// Facts from the source of each release.
#[test]
fn items_of_actions_are_judged_one_by_one_until_the_first_error() {
    const NO_ACTIONS: &str = "No actions specified";
    const NO_ACTION: &str = "Invalid action argument inside action_triggers";
    const ELSEWHERE: &str = "Invalid reference to action outside this module";
    let titles = |version: &str, syntax: &str, items: &str| -> Vec<String> {
        let text = match syntax {
            "native" => format!(
                "resource \"t\" \"b\" {{\n  lifecycle {{\n    action_trigger {{\n      events = [after_create]\n      actions = [{items}]\n    }}\n  }}\n}}\n"
            ),
            _ => format!(
                r#"{{"resource":{{"t":{{"b":{{"lifecycle":{{"action_trigger":{{"events":["after_create"],"actions":[{items}]}}}}}}}}}}}}"#
            ),
        };
        let name = if syntax == "native" { "main.tf" } else { "main.tf.json" };
        loaded(&format!("terraform {version}"), &[(name.to_owned(), text)], |report| {
            report
                .diagnostics
                .iter()
                .filter(|found| found.severity == overfold_cli::diag::Severity::Error)
                .map(|found| found.summary.to_string())
                .collect()
        })
    };
    for (native, json, old, new) in [
        ("action.t.a, action.t.b", r#""action.t.a","action.t.b""#, &[][..], &[][..]),
        ("aws_vpc.v", r#""aws_vpc.v""#, &[NO_ACTION, NO_ACTIONS], &[NO_ACTION]),
        ("data.aws_vpc.v", r#""data.aws_vpc.v""#, &[NO_ACTION, NO_ACTIONS], &[NO_ACTION]),
        ("module.m.a", r#""module.m.a""#, &[ELSEWHERE, NO_ACTIONS], &[ELSEWHERE]),
        ("var.a", r#""var.a""#, &[NO_ACTIONS], &[NO_ACTION]),
        ("action.t.a[count.index]", r#""action.t.a[count.index]""#, &[], &[]),
        ("action.t.a[var.x]", r#""action.t.a[var.x]""#, &[], &[NO_ACTION]),
        ("aws_vpc.v, aws_vpc.w", r#""aws_vpc.v","aws_vpc.w""#, &[NO_ACTION, NO_ACTIONS], &[NO_ACTION]),
        ("template.x", r#""template.x""#, &["Reserved symbol name"], &["Reserved symbol name"]),
        (
            "true ? action.t.a : action.t.b",
            r#""true ? action.t.a : action.t.b""#,
            &["Invalid action expression"],
            &["Invalid action expression"],
        ),
    ] {
        for (syntax, items) in [("native", native), ("JSON", json)] {
            assert_eq!(titles("1.14.9", syntax, items), old, "{items}");
            assert_eq!(titles("1.15.9", syntax, items), old, "{items}");
            assert_eq!(titles("1.16.0-rc2", syntax, items), new, "{items}");
        }
    }
    assert_eq!(titles("1.15.9", "JSON", "3"), ["Invalid reference expression"]);
    assert!(!titles("1.15.9", "JSON", r#""${action.t.a}""#).is_empty());
    assert_eq!(titles("1.15.9", "JSON", ""), [NO_ACTIONS]);
}

/// OpenTofu reads the methods of encryption as references, which are bare in JSON.
#[test]
fn methods_of_encryption_are_bare_addresses() {
    const NATIVE: &str = "terraform {\n  encryption {\n    key_provider \"pbkdf2\" \"k\" {\n      passphrase = \"0123456789abcdef\"\n    }\n    \
        method \"aes_gcm\" \"m\" {\n      keys = key_provider.pbkdf2.k\n    }\n    state {\n      method = method.aes_gcm.m\n      \
        fallback {\n        method = method.aes_gcm.m\n      }\n    }\n    remote_state_data_sources {\n      default {\n        \
        method = method.aes_gcm.m\n      }\n    }\n  }\n}\n";
    let config = same_again("opentofu", &[("main.tf", NATIVE)]);
    let encryption = &config["terraform"][0]["encryption"][0];
    assert_eq!(encryption["state"][0]["method"], "method.aes_gcm.m");
    assert_eq!(encryption["state"][0]["fallback"][0]["method"], "method.aes_gcm.m");
    assert_eq!(encryption["method"]["aes_gcm"]["m"][0]["keys"], "${key_provider.pbkdf2.k}");
    let json = config.to_string();
    assert_eq!(same_again("opentofu", &[("main.tf.json", &json)]), config);
}

/// A name outside of the escape block means something to the language; inside, it belongs to the provider.
#[test]
fn what_an_escape_block_protects_stays_inside() {
    const INSIDE: &str = "  _ {\n    lifecycle {\n      foo = 1\n    }\n    connection {\n      host = \"h\"\n    }\n    provisioner \"x\" {\n      \
        a = 1\n    }\n    dynamic \"lifecycle\" {\n      for_each = [1]\n      content {\n        z = 1\n      }\n    }\n    lifecycle {\n      \
        foo = 2\n    }\n    plain {\n      a = 1\n    }\n    _ {\n      q = 1\n    }\n    count = 7\n    arg   = 3\n  }\n";
    let block = |header: &str, outside: &str, inside: &str| format!("{header} {{\n{outside}{inside}}}\n");
    let base = block("resource \"t\" \"a\"", "  x = 1\n  blk {\n    a = 1\n  }\n", INSIDE);
    let config = same_again("terraform 1.11.4", &[("main.tf", &base)]);
    let body = &config["resource"]["t"]["a"][0];
    let inside = &body["_"][0];
    assert_eq!(inside["count"], 7);
    assert!(inside["connection"].is_array() && inside["provisioner"][0]["x"].is_array(), "{inside}");
    assert_eq!(body["lifecycle"], Value::Null);
    assert_eq!(body["arg"], 3);
    for over in [
        "  y = 2\n  arg = 4\n",
        "  _ {\n    count = 8\n    arg = 5\n    more = 6\n    lifecycle {\n      foo = 3\n    }\n    plain {\n      a = 2\n    }\n  }\n",
        "  dynamic \"plain\" {\n    for_each = []\n    content {}\n  }\n",
        "  plain {\n    a = 9\n  }\n  lifecycle {\n    prevent_destroy = true\n  }\n",
        "  _ {\n    dynamic \"lifecycle\" {\n      for_each = []\n      content {}\n    }\n  }\n",
        "  _ {\n    lifecycle { foo = 4 }\n  }\n",
    ] {
        let over = block("resource \"t\" \"a\"", over, "");
        same_again("terraform 1.11.4", &[("main.tf", &base), ("override.tf", &over)]);
        let none = block("resource \"t\" \"a\"", "  x = 1\n", "");
        same_again("terraform 1.11.4", &[("main.tf", &none), ("override.tf", &over)]);
        let compact = block("resource \"t\" \"a\"", "", "  _ {\n    lifecycle { foo = 1 }\n  }\n");
        same_again("terraform 1.11.4", &[("main.tf", &compact), ("override.tf", &over)]);
        let outside = block(
            "resource \"t\" \"a\"",
            "  dynamic \"lifecycle\" {\n    for_each = []\n    content {}\n  }\n",
            "  _ { foo = 1 }\n",
        );
        same_again("terraform 1.11.4", &[("main.tf", &outside), ("override.tf", &over)]);
    }
    for header in ["data \"t\" \"a\"", "provider \"p\"", "ephemeral \"t\" \"a\""] {
        let text = block(
            header,
            "",
            "  _ {\n    lifecycle {\n      foo = 1\n    }\n    count = 1\n    for_each {\n      a = 1\n    }\n  }\n",
        );
        let config = same_again("terraform 1.11.4", &[("main.tf", &text)]);
        let text = config.to_string();
        assert!(text.contains("\"_\":[{"), "{text}");
    }
}

/// In JSON nothing says whether the content of an escape block is an argument or a block.
#[test]
fn an_escape_block_in_json_keeps_its_content_inside() {
    let json = r#"{"resource":{"t":{"c":{"_":{"lifecycle":{"foo":1},"count":3,"plain":{"a":1}}}}}}"#;
    let config = loaded("terraform 1.11.4", &[("main.tf.json".to_owned(), json.to_owned())], |report| {
        form(report, ConfigFormat::TfJson)
    });
    let config: Value = serde_json::from_str(&config).unwrap();
    let inside = &config["resource"]["t"]["c"][0]["_"][0];
    assert_eq!(*inside, serde_json::json!({"count": 3, "lifecycle": {"foo": 1}}));
}

/// A module with these files has no secret in any form, loads again from each, and a second round changes nothing.
#[track_caller]
fn loads_without_secrets(at: &str, files: Files<'_>) {
    for (name, written) in forms(at, files) {
        let text = written.iter().map(|(_, text)| text.as_str()).collect::<String>();
        assert!(!text.contains("s3cret"), "{name} of {files:?}\n{text}");
        let borrowed: Vec<(&str, &str)> = written.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        loaded(at, &written, |report| {
            let found: Vec<_> = report.diagnostics.iter().map(|found| (found.code.id, &found.detail)).collect();
            assert!(!report.diagnostics.has_errors(), "{name} of {files:?}: {found:?}\n{text}");
        });
        let [tf_json, hcl, files_again] = forms(at, &borrowed);
        let second = match name {
            "tf-json" => tf_json,
            "hcl" => hcl,
            _ => files_again,
        };
        assert_eq!(without_comments(&second.1), without_comments(&written), "{name} of {files:?}, a second time");
    }
}

/// Comments in the JSON syntax are not part of a module.
fn without_comments(files: &[(String, String)]) -> Vec<(String, String)> {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.remove("//");
                members.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let stripped = files.iter().map(|(name, text)| match serde_json::from_str::<Value>(text) {
        Ok(mut value) => {
            strip(&mut value);
            (name.clone(), value.to_string())
        }
        Err(_) => (name.clone(), text.clone()),
    });
    stripped.collect()
}

const HIDDEN: &str = "output/value-hidden";
const MAY_BE_BLOCK: &str = "output/may-be-block";

/// Returns the codes and lines of the notes about a form.
fn notes(at: &str, files: Files<'_>, format: ConfigFormat) -> Vec<(&'static str, String)> {
    loaded(at, &owned(files), |report| {
        let line = |found: &overfold_cli::diag::Diagnostic| {
            let span = found.span?;
            let sources = &report.forest.sources;
            Some(format!("{}:{}", sources.name(span.source), sources.range(span).start.line))
        };
        form_notes(report, format).iter().map(|found| (found.code.id, line(found).unwrap_or_default())).collect()
    })
}

#[test]
fn hidden_defaults_are_left_out_and_reported() {
    const FLAGS: [(&str, &str); 2] = [("sensitive = true", "sensitive"), ("ephemeral = true", "ephemeral")];
    const BODIES: [&str; 11] = [
        "type = string\n  default = \"s3cret\"\n  nullable = false",
        "default = \"s3cret\" # kept",
        "type = number\n  default = 4711\n  validation {\n    condition = var.p > 5\n    error_message = \"small\"\n  }",
        "type = map(string)\n  default = {\n    a = \"s3cret\"\n  }",
        "type = list(any)\n  default = [\n    \"s3cret\", # one\n  ]",
        "default = <<-EOT\n    s3cret\n  EOT",
        "type = object({ a = optional(string, \"s3cret\"), b = optional(list(string), [\"s3cret\"]) })\n  default = {}",
        "type = object({ a = optional(object({ b = optional(string, \"s3cret\") }), { b = \"s3cret\" }) })",
        "default = \"\"",
        "default = {}\n  description = \"d\"",
        "nullable = false\n  default = file(\"s3cret\")",
    ];
    for (flag, name) in FLAGS {
        for body in BODIES {
            if body.contains("file(") {
                continue;
            }
            let native = format!("variable \"p\" {{\n  {body}\n  {flag}\n}}\n");
            loads_without_secrets("terraform 1.11.4", &[("main.tf", &native)]);
            loads_without_secrets("opentofu", &[("main.tofu", &native)]);
            let json = loaded("terraform 1.11.4", &owned(&[("main.tf", &native.replace(flag, ""))]), |report| {
                form(report, ConfigFormat::TfJson).replace("\"p\":[{", &format!("\"p\":[{{\"{name}\":true,"))
            });
            loads_without_secrets("terraform 1.11.4", &[("main.tf.json", &json)]);
            let override_of = "variable \"p\" {\n  description = \"more\"\n}\n";
            loads_without_secrets("terraform 1.11.4", &[("main.tf", &native), ("override.tf", override_of)]);
            loads_without_secrets("terraform 1.11.4", &[("main.tf.json", &json), ("override.tf", override_of)]);
            let json_override = r#"{"variable":{"p":{"description":"more"}}}"#;
            loads_without_secrets("terraform 1.11.4", &[("main.tf", &native), ("override.tf.json", json_override)]);
            let bare = format!("variable \"p\" {{\n  {flag}\n}}\n");
            if !body.contains("4711") {
                loads_without_secrets("terraform 1.11.4", &[("main.tf", &bare), ("override.tf", &native)]);
                loads_without_secrets("terraform 1.11.4", &[("main.tf", &bare), ("override.tf.json", &json)]);
            }
            if body.contains("default") {
                for form in [ConfigFormat::TfJson, ConfigFormat::Hcl, ConfigFormat::Files, ConfigFormat::Hcl2Json] {
                    let found = notes("terraform 1.11.4", &[("main.tf", &native)], form);
                    assert!(
                        !found.is_empty()
                            && found.iter().all(|(code, at)| *code == HIDDEN && at.starts_with("main.tf:")),
                        "{body}: {found:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn null_is_nothing_to_hide() {
    const NATIVE: &str = "variable \"p\" {\n  type      = string\n  default   = null # none\n  sensitive = true\n}\n\nvariable \"q\" {\n  default = null\n  ephemeral = true\n}\n";
    const JSON: &str = "{\n  \"variable\": { \"p\": { \"default\": null, \"sensitive\": true } }\n}\n";
    for (name, text) in [("main.tf", NATIVE), ("main.tf.json", JSON)] {
        let [tf_json, _, files] = forms("terraform 1.11.4", &[(name, text)]);
        assert_eq!(files.1, owned(&[(name, text)]));
        let config: Value = serde_json::from_str(&tf_json.1[0].1).unwrap();
        assert_eq!(config["variable"]["p"][0]["default"], Value::Null);
        assert!(config["variable"]["p"][0].as_object().unwrap().contains_key("default"));
        assert!(!config.to_string().contains("redacted"), "{config}");
        assert!(notes("terraform 1.11.4", &[(name, text)], ConfigFormat::Files).is_empty());
        same_again("terraform 1.11.4", &[(name, text)]);
    }
    // An override takes the value away, or gives one.
    let secret = "variable \"p\" {\n  default = \"s3cret\"\n  sensitive = true\n}\n";
    let none = "variable \"p\" {\n  default = null\n}\n";
    let [tf_json, hcl, files] = forms("terraform 1.11.4", &[("main.tf", secret), ("override.tf", none)]);
    assert!(tf_json.1[0].1.contains("\"default\":null"), "{tf_json:?}");
    assert!(hcl.1[0].1.contains("default = null\n"), "{hcl:?}");
    assert_eq!(files.1, hcl.1);
    loads_without_secrets("terraform 1.11.4", &[("main.tf", secret), ("override.tf", none)]);
    let given = "variable \"p\" {\n  default = \"s3cret\"\n}\n";
    loads_without_secrets("terraform 1.11.4", &[("main.tf", NATIVE), ("override.tf", given)]);
}

#[test]
fn a_secret_in_a_json_file_leaves_a_comment_and_the_rest_as_it_is() {
    let sent = "{ \"variable\": { \"p\": { \"sensitive\": true, \"default\": \"s3cret\" },\n  \"q\": { \"default\": 1, \"//\": \"s3cret\", \"ephemeral\": true } } }\n";
    let [_, _, files] = forms("terraform 1.11.4", &[("main.tf.json", sent)]);
    let expected = "{ \"variable\": { \"p\": { \"sensitive\": true, \"//\": \"redacted: default\" },\n  \"q\": {  \"//\": null, \"ephemeral\": true } } }\n";
    assert_eq!(files.1[0].1, expected);
    loads_without_secrets("terraform 1.11.4", &[("main.tf.json", sent)]);
}

#[test]
fn old_declarations_lose_their_hidden_defaults_as_well() {
    for text in [
        "variable \"p\" {\n  default = \"s3cret\"\n  sensitive = true\n}\n",
        "variable \"p\" { default = \"s3cret\", sensitive = true }\n",
        "variable \"p\" { sensitive = true, default = \"s3cret\" }\n",
        r#"{"variable": {"p": {"default": "s3cret", "sensitive": true}}}"#,
        r#"{"variable": {"p": {"sensitive": true, "default": {"a": "s3cret"}}}}"#,
    ] {
        let name = if text.starts_with('{') { "main.tf.json" } else { "main.tf" };
        for (form, written) in forms("terraform-0.11", &[(name, text)]) {
            assert!(!written[0].1.contains("s3cret"), "{form}: {written:?}");
            if form == "tf-json" || form == "hcl" && name.ends_with(".json") {
                // What is written anew contains no arguments that the tool does not know.
                continue;
            }
            let codes = |files: &[(String, String)]| {
                loaded("terraform-0.11", files, |report| {
                    report.diagnostics.iter().map(|found| found.code.id).collect::<Vec<_>>()
                })
            };
            assert_eq!(codes(&written), codes(&owned(&[(name, text)])), "{form}: {written:?}");
        }
    }
}

#[test]
fn what_an_invalid_declaration_hides_stays_invalid() {
    for body in ["defualt = \"s3cret\"", "default {\n    a = \"s3cret\"\n  }", "type = \"s3cret\""] {
        let text = format!("variable \"p\" {{\n  {body}\n  sensitive = true\n}}\n");
        for (form, written) in forms("terraform 1.11.4", &[("main.tf", &text)]) {
            assert!(!written[0].1.contains("s3cret"), "{form}: {written:?}");
            if form != "tf-json" {
                loaded("terraform 1.11.4", &written, |report| {
                    assert!(report.diagnostics.has_errors(), "{form}: {written:?}");
                });
            }
        }
        let found = notes("terraform 1.11.4", &[("main.tf", &text)], ConfigFormat::Files);
        assert_eq!(found.len(), 1, "{body}: {found:?}");
    }
}

#[test]
fn notes_about_a_form_are_bounded() {
    let variable = |at| format!("variable \"p{at}\" {{\n  default = 1\n  sensitive = true\n}}\n");
    let native = (0..300).map(variable).collect::<Vec<_>>().concat();
    let members: Vec<String> = (0..300).map(|at| format!("\"b{at}\": {{\"c\": 1}}")).collect();
    let json = format!("{{\"resource\": {{\"t\": {{\"a\": {{{}}}}}}}}}", members.join(","));
    let files: Files<'_> = &[("main.tf", &native), ("more.tf.json", &json)];
    let found = notes("terraform 1.11.4", files, ConfigFormat::Hcl);
    assert_eq!(found.len(), 102);
    assert_eq!(found.iter().filter(|(code, _)| *code == HIDDEN).count(), 51);
    assert_eq!(notes("terraform 1.11.4", files, ConfigFormat::TfJson).len(), 51);
}

#[test]
fn properties_of_json_files_that_may_be_blocks_are_reported() {
    const JSON: &str = "{\"resource\": {\"mock_thing\": {\"web\": {\"ami\": \"x\",\n\"network_interface\": [{\"device_index\": 7}],\n\"tags\": {\"a\": 1},\n\
        \"names\": [\"a\"], \"none\": [], \"mixed\": [{}, 1],\n\"lifecycle\": {\"prevent_destroy\": true},\n\"dynamic\": {\"blk\": {\"for_each\": {\"a\": 1}, \"content\": {\n\
        \"deep\": {\"b\": 1}}}}}}},\n\"module\": {\"m\": {\"source\": \"./m\", \"given\": {\"a\": 1}}}, \"locals\": {\"l\": {\"a\": 1}}, \"output\": {\"o\": {\"value\": {\"a\": 1}}}}";
    let expected = ["main.tf.json:2", "main.tf.json:3", "main.tf.json:7"].map(|at| (MAY_BE_BLOCK, at.to_owned()));
    assert_eq!(notes("terraform 1.11.4", &[("main.tf.json", JSON)], ConfigFormat::Hcl), expected);
    for form in [ConfigFormat::TfJson, ConfigFormat::Files, ConfigFormat::Hcl2Json] {
        assert_eq!(notes("terraform 1.11.4", &[("main.tf.json", JSON)], form), []);
    }
    // An override in JSON of a native resource.
    let base = "resource \"mock_thing\" \"web\" {\n  ami = \"x\"\n}\n";
    let over = r#"{"resource":{"mock_thing":{"web":{"network_interface":{"device_index":7}}}}}"#;
    for form in [ConfigFormat::Files, ConfigFormat::Hcl] {
        let files = [("main.tf", base), ("override.tf.json", over)];
        assert_eq!(notes("terraform 1.11.4", &files, form), [(MAY_BE_BLOCK, "override.tf.json:1".to_owned())]);
    }
    // The base shows that it is a block.
    let base = "resource \"mock_thing\" \"web\" {\n  network_interface {\n    device_index = 1\n  }\n}\n";
    let files = [("main.tf", base), ("override.tf.json", over)];
    assert_eq!(notes("terraform 1.11.4", &files, ConfigFormat::Files), []);
    let [_, hcl, files] = forms("terraform 1.11.4", &files);
    assert!(hcl.1[0].1.contains("network_interface {\n") && files.1 == hcl.1, "{hcl:?}");
}

#[test]
fn syntax_errors_do_not_vanish_from_native_forms() {
    const GOOD: &str = "resource \"t\" \"good\" {\n  a = 1\n}\n";
    for (broken, more) in [
        ("resource \"t\" \"b\" {\n  a = 1\n", ""),
        ("resource \"t\" \"b\" {\n  a = 1\n", "}\n"),
        ("locals {\n  a = <<EOT\n  x\n", "EOT\n}\n"),
        ("/* open\n", "resource \"t\" \"c\" {\n}\n*/\n"),
        ("locals {\n  a = \"${1\n}\n", "}\"\n"),
        ("locals {\n  a = (1\n}\n", ")\n"),
        ("resource \"t\" \"b\" {\n  a = \n}\n", ""),
        ("variable \"p\" {\n  default = \"s3cret\n  sensitive = true\n}\n", ""),
        ("variable \"p\" {\n  default = [\"s3cret\"\n  sensitive = true\n}\n", ""),
        ("variable \"p\" {\n  default = \"s3cret\"\n  default = \"s3cret2\"\n  sensitive = true\n}\n", ""),
    ] {
        let over = "resource \"t\" \"b\" {\n  a = 2\n}\nlocals {\n  z = 1\n}\n";
        let json = "{\"locals\": {\"j\": 1}";
        let sets: [Files<'_>; 7] = [
            &[("a.tf", broken), ("m.tf", GOOD)],
            &[("a.tf", broken), ("b.tf", more), ("m.tf", GOOD)],
            &[("a.tf", GOOD), ("z_override.tf", broken)],
            &[("a.tf", broken), ("m.tf", GOOD), ("z_override.tf", over)],
            &[("a.tf", GOOD), ("j.tf.json", json)],
            &[("a.tf", GOOD), ("j_override.tf.json", json)],
            &[("a.tf", broken)],
        ];
        for files in sets {
            loaded("terraform 1.11.4", &owned(files), |report| assert!(report.diagnostics.has_errors(), "{files:?}"));
            for (form, written) in forms("terraform 1.11.4", files) {
                if form == "tf-json" {
                    continue;
                }
                let text =
                    written.iter().map(|(name, text)| format!("--- {name}\n{text}")).collect::<Vec<_>>().concat();
                assert!(!text.contains("s3cret"), "{form} of {files:?}\n{text}");
                loaded("terraform 1.11.4", &written, |report| {
                    let is_syntax = |found: &overfold_cli::diag::Diagnostic| found.code.id.starts_with("syntax/");
                    assert!(report.diagnostics.iter().any(is_syntax), "{form} of {files:?} is healed:\n{text}");
                    let good = files.iter().any(|(_, text)| *text == GOOD);
                    let config = self::form(report, ConfigFormat::TfJson);
                    assert!(
                        !good || config.contains("\"good\""),
                        "{form} of {files:?} loses what is whole:\n{text}\n{config}"
                    );
                });
            }
        }
    }
}

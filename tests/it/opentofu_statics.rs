//! Static evaluation in the dialect `opentofu`: every statement of opentofu.md, section 6, and of its version
//! boundaries, that no recorded case covers.

mod model;

use std::fmt::Write as _;

use serde_json::{Value, json};

use overfold::api::{AppState, router};
use overfold::settings::Settings;

use crate::http::{post, send};

async fn ask(version: &str, files: Value, more: Value) -> Value {
    let mut request = json!({"stage": "load", "files": files, "dialect": "opentofu", "version": version, "include": ["objects", "variables"]});
    for (name, value) in more.as_object().unwrap() {
        request[name] = value.clone();
    }
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

async fn main(version: &str, text: &str) -> Value {
    ask(version, json!({"main.tf": text}), json!({})).await
}

/// Returns `LINE:COLUMN TITLE` for every diagnostic of the tool, one per line, in order.
fn reported(answer: &Value) -> String {
    let mut out = String::new();
    for found in answer["diagnostics"].as_array().unwrap() {
        if found["origin"] != "tool" {
            continue;
        }
        if let Some(start) = found["range"].get("start") {
            write!(out, "{}:{} ", start["line"], start["column"]).unwrap();
        }
        writeln!(out, "{}", found["summary"].as_str().unwrap()).unwrap();
    }
    out
}

fn resolved<'a>(answer: &'a Value, name: &str) -> &'a Value {
    &answer["module"]["objects"][format!("module.{name}")]["evaluated"]
}

fn instances<'a>(answer: &'a Value, alias: &str) -> &'a Value {
    &answer["module"]["objects"][format!("provider.p.{alias}")]["instance_keys"]
}

/// The newest release, and every one at a possible boundary.
const VERSIONS: [&str; 9] = ["1.6.3", "1.7.10", "1.8.0", "1.8.2", "1.8.3", "1.8.11", "1.9.4", "1.10.10", "1.11.14"];

const VARIABLE: &str =
    "variable \"where\" {\n  default = \"a\"\n}\nmodule \"m\" {\n  source = \"./${var.where}\"\n}\n";

#[tokio::test]
async fn values_of_the_request_change_a_source() {
    for (variables, source, why) in [
        (json!({"args": [{"var": "where=b"}]}), "./b", "an option"),
        (json!({"args": [{"name": "where", "value": "c"}]}), "./c", "a JSON value"),
        (json!({"args": [{"var_file": "x.tfvars"}]}), "./e", "a definitions file"),
        (json!({}), "./f", "an automatic definitions file"),
        (json!({"env": {"TF_VAR_where": "d"}, "args": [{"var": "where=b"}]}), "./b", "the higher source"),
    ] {
        let files =
            json!({"main.tf": VARIABLE, "x.tfvars": "where = \"e\"\n", "terraform.tfvars": "where = \"f\"\n"});
        let answer = ask("1.12", files, json!({ "variables": variables })).await;
        assert_eq!(resolved(&answer, "m"), &json!({ "source": source }), "{why}");
        assert_eq!(reported(&answer), "", "{why}");
    }
    let environment = json!({"variables": {"env": {"TF_VAR_where": "d"}}});
    let answer = ask("1.12", json!({ "main.tf": VARIABLE }), environment).await;
    assert_eq!(resolved(&answer, "m"), &json!({"source": "./d"}));
    // Unless values are requested, definitions files are not read.
    let files = json!({"main.tf": VARIABLE, "terraform.tfvars": "where = \"f\"\n"});
    assert_eq!(resolved(&ask("1.12", files, json!({})).await, "m"), &json!({"source": "./a"}));
}

#[tokio::test]
async fn json_syntax_is_evaluated_like_native() {
    let files = json!({"main.tf.json": json!({
        "variable": {"where": {"default": "a"}},
        "locals": {"dir": "./${var.where}/${upper(\"x\")}", "keys": {"k1": 1, "${var.where}2": 2}},
        "module": {
            "m": {"source": "${local.dir}", "version": null},
            "plain": {"source": "./p"},
            "bad": {"source": "${aws_x.y.z}"},
            "r": {"source": "acme/r/aws", "version": "~> ${1 + 1}.0"}},
        "provider": {"p": {"alias": "many", "for_each": "${local.keys}"}},
    }).to_string()});
    let answer = ask("1.12", files, json!({"variables": {"args": [{"var": "where=b"}]}})).await;
    assert_eq!(resolved(&answer, "m"), &json!({"source": "./b/X"}));
    assert_eq!(resolved(&answer, "plain"), &json!({"source": "./p"}));
    assert_eq!(resolved(&answer, "r"), &json!({"source": "acme/r/aws", "version": "~> 2.0"}));
    assert_eq!(instances(&answer, "many"), &json!(["b2", "k1"]));
    assert_eq!(answer["diagnostics"].as_array().unwrap().len(), 1, "{answer:#}");
    assert!(reported(&answer).ends_with("Dynamic value in static context\n"));
    // Up to 1.7 the string is literal.
    let files = json!({"main.tf.json": "{\"module\": {\"m\": {\"source\": \"./${var.x}\"}}}"});
    let answer = ask("1.7", files, json!({})).await;
    assert_eq!(resolved(&answer, "m"), &json!({"source": "./${var.x}"}));
    assert_eq!(reported(&answer), "");
}

#[tokio::test]
async fn each_reference_that_is_not_static_has_its_title() {
    for (source, wanted) in [
        ("data.a.b.c", "Dynamic value in static context"),
        ("ephemeral.a.b.c", "Dynamic value in static context"),
        ("resource.a.b.c", "Dynamic value in static context"),
        ("a.b[0].c", "Dynamic value in static context"),
        ("count.index", "Dynamic value in static context"),
        ("each.value", "Dynamic value in static context"),
        ("self.x", "Dynamic value in static context"),
        ("module.x", "Dynamic value in static context"),
        ("module.x[0]", "Dynamic value in static context"),
        ("module.x[0].out", "Module output not supported in static context"),
        ("provider::a::b::c()", "Provider function in static context"),
        ("provider::a()", "Unable to parse provider function"),
        ("nowhere::a()", "Unknown function namespace"),
        ("core::nothing()", "Call to unknown function"),
        ("nothing()", "Call to unknown function"),
        ("path.nothing", "Invalid \"path\" attribute"),
        ("terraform.nothing", "Invalid \"terraform\" attribute"),
        ("tofu.env", "Invalid \"terraform\" attribute"),
        ("tofu.applying", "Invalid attribute in static context"),
        ("template.x", "Reserved symbol name"),
        ("var", "Invalid reference"),
        ("try(a.b.c, \"./x\")", "Dynamic value in static context"),
        ("true ? \"./x\" : var.nowhere", "Undefined variable"),
    ] {
        let text = format!("module \"m\" {{\n  source = {source}\n}}\n");
        let answer = main("1.12", &text).await;
        let found = reported(&answer);
        assert!(found.ends_with(&format!(" {wanted}\n")) && found.lines().count() == 1, "{source}: {found}");
        assert!(resolved(&answer, "m").is_null(), "{source}");
    }
    // A reference that is never static is reported alone; undefined names only in its absence.
    let answer = main("1.12", "module \"m\" {\n  source = \"${var.a}${local.b}${x.y.z}\"\n}\n").await;
    assert_eq!(reported(&answer), "2:33 Dynamic value in static context\n");
    let answer = main("1.12", "module \"m\" {\n  source = \"${var.a}${local.b}${var}\"\n}\n").await;
    assert_eq!(reported(&answer), "2:15 Undefined variable\n2:23 Undefined local\n2:33 Invalid reference\n");
}

#[tokio::test]
async fn a_fault_is_reported_again_at_each_level_for_each_user() {
    let text = "locals {\n  a = local.b\n  b = local.c\n  c = x.y.z\n}\n\
                module \"m\" {\n  source = local.a\n}\nmodule \"n\" {\n  source = \"${local.b}${local.b}\"\n}\n";
    let unable = "Unable to compute static value";
    assert_eq!(
        reported(&main("1.12", text).await),
        format!(
            "2:3 {unable}\n3:3 {unable}\n3:3 {unable}\n3:3 {unable}\n\
             4:7 Dynamic value in static context\n4:7 Dynamic value in static context\n\
             4:7 Dynamic value in static context\n7:12 {unable}\n10:12 {unable}\n10:12 {unable}\n"
        )
    );
    // An undeclared name is not a level of the chain; a mistake in a variable's value is one only where the tool
    // reports it.
    let text =
        "variable \"n\" {\n  type = number\n}\nlocals {\n  a = var.n\n}\nmodule \"m\" {\n  source = local.a\n}\n";
    let bad = json!({"variables": {"args": [{"var": "n=many"}]}});
    let answer = ask("1.12", json!({ "main.tf": text }), bad).await;
    assert_eq!(reported(&answer), format!("Invalid value for input variable\n8:12 {unable}\n"));
    // For the version of a module, the whole argument is reported.
    let text = "locals {\n  a = nothing()\n}\nmodule \"m\" {\n  source  = \"a/b/c\"\n  version = local.a\n}\n";
    let answer = main("1.12", text).await;
    assert_eq!(reported(&answer), format!("2:7 Call to unknown function\n6:3 {unable}\n"));
    assert_eq!(resolved(&answer, "m"), &json!({"source": "a/b/c"}));
}

#[tokio::test]
async fn definitions_that_depend_on_themselves_are_reported_where_the_circle_closes() {
    let unable = "Unable to compute static value";
    let circle = "Circular reference";
    let text = "locals {\n  a = local.b\n  b = local.a\n}\nmodule \"m\" {\n  source = local.a\n}\n";
    assert_eq!(reported(&main("1.12", text).await), format!("2:3 {circle}\n2:3 {unable}\n6:12 {unable}\n"));
    let text = "locals {\n  a = local.b\n  b = local.a\n}\nmodule \"m\" {\n  source = local.b\n}\n";
    assert_eq!(reported(&main("1.12", text).await), format!("3:3 {circle}\n3:3 {unable}\n6:12 {unable}\n"));
    let text = "locals {\n  a = \"${local.a}\"\n}\nmodule \"m\" {\n  source = local.a\n}\n";
    assert_eq!(reported(&main("1.12", text).await), format!("2:3 {circle}\n5:12 {unable}\n"));
    // A reference that is never static keeps a cycle from being followed.
    let text = "locals {\n  a = \"${local.a}${x.y}\"\n}\nmodule \"m\" {\n  source = local.a\n}\n";
    assert_eq!(reported(&main("1.12", text).await), format!("2:20 Dynamic value in static context\n5:12 {unable}\n"));
    // A cycle that nothing static uses is a matter for a later stage.
    assert_eq!(reported(&main("1.12", "locals {\n  a = local.a\n}\n").await), "");
}

#[tokio::test]
async fn types_defaults_and_nulls_apply_since_1_9() {
    let text = "variable \"o\" {\n  type = object({ dir = optional(string, \"std\") })\n  default = {}\n}\n\
                variable \"n\" {\n  default = \"fallback\"\n  nullable = false\n}\n\
                variable \"v\" {\n  type = number\n  default = 1\n}\n\
                module \"o\" {\n  source = \"./${var.o.dir}\"\n}\nmodule \"n\" {\n  source = \"./${var.n}\"\n}\n\
                module \"v\" {\n  source = \"./${var.v}\"\n}\n";
    let given = json!({"variables": {"args": [
        {"name": "o", "value": {}}, {"name": "n", "value": null}, {"name": "v", "value": "007"}]}});
    for (version, o, n, v) in [
        ("1.9.0", json!({"source": "./std"}), json!({"source": "./fallback"}), json!({"source": "./7"})),
        ("1.12", json!({"source": "./std"}), json!({"source": "./fallback"}), json!({"source": "./7"})),
        // A given value is used as given.
        ("1.8", Value::Null, Value::Null, json!({"source": "./007"})),
    ] {
        let answer = ask(version, json!({ "main.tf": text }), given.clone()).await;
        assert_eq!(
            (resolved(&answer, "o"), resolved(&answer, "n"), resolved(&answer, "v")),
            (&o, &n, &v),
            "{version}"
        );
    }
    // Validation rules are not evaluated.
    let text = "variable \"x\" {\n  default = \"a\"\n  validation {\n    condition = var.x == \"b\"\n    error_message = \"No.\"\n  }\n}\n\
                module \"m\" {\n  source = \"./${var.x}\"\n}\n";
    let answer = main("1.12", text).await;
    assert_eq!((reported(&answer), resolved(&answer, "m")), (String::new(), &json!({"source": "./a"})));
}

#[tokio::test]
async fn a_null_version_is_none_since_1_10() {
    let text = "variable \"v\" {\n  default = null\n}\nmodule \"m\" {\n  source  = \"./m\"\n  version = var.v\n}\n";
    for version in ["1.10", "1.12"] {
        let answer = main(version, text).await;
        assert_eq!(
            (reported(&answer), resolved(&answer, "m")),
            (String::new(), &json!({"source": "./m"})),
            "{version}"
        );
    }
    for version in ["1.8.0", "1.8", "1.9"] {
        assert_eq!(
            reported(&main(version, text).await),
            "5:13 Invalid registry module source address\n",
            "{version}"
        );
    }
    // A version that could not be evaluated is still a version.
    let text = "module \"m\" {\n  source  = \"./m\"\n  version = local.v\n}\n";
    assert_eq!(
        reported(&main("1.12", text).await),
        "2:13 Invalid registry module source address\n3:13 Undefined local\n"
    );
}

#[tokio::test]
async fn marks_are_checked_by_version() {
    let text = "variable \"s\" {\n  default = \"1.0.0\"\n  sensitive = true\n}\nlocals {\n  s = var.s\n}\n\
                module \"m\" {\n  source = \"./${local.s}\"\n}\n\
                module \"v\" {\n  source = \"a/b/c\"\n  version = var.s\n}\n";
    let used = "6:7 Sensitive value used in static context\n13:13 Sensitive value used in static context\n";
    for (version, wanted) in [
        ("1.8.0", ""),
        ("1.8.2", ""),
        ("1.8.3", used),
        ("1.8.11", used),
        ("1.9", "9:12 Sensitive value not allowed\n13:13 Invalid version constraint\n"),
        ("1.12", "9:12 Sensitive value not allowed\n13:13 Invalid version constraint\n"),
    ] {
        let answer = main(version, text).await;
        assert_eq!(reported(&answer), wanted, "{version}");
        assert_eq!(answer["valid"] == true, version.starts_with("1.8"), "{version}");
    }
    // The function's mark takes effect as soon as marks do; a mark on any part of the value suffices.
    for (source, wanted) in [
        ("sensitive(\"./x\")", "2:12 Sensitive value not allowed\n"),
        ("[sensitive(\"./x\")]", "2:12 Sensitive value not allowed\n"),
        ("nonsensitive(sensitive(\"./x\"))", ""),
    ] {
        let text = format!("module \"m\" {{\n  source = {source}\n}}\n");
        assert_eq!(reported(&main("1.12", &text).await), wanted, "{source}");
        assert_eq!(reported(&main("1.8.3", &text).await), wanted, "{source}");
    }
}

#[tokio::test]
async fn secrets_that_come_with_the_request_are_not_shown() {
    let text = "variable \"s\" {\n  sensitive = true\n  type = string\n}\nmodule \"m\" {\n  source = \"./${var.s}\"\n}\n\
                module \"n\" {\n  source = \"${var.s}\"\n}\nlocals {\n  n = parseint(var.s, 10)\n}\n\
                module \"o\" {\n  source = local.n\n}\n";
    let given = |reveal: bool| json!({"variables": {"args": [{"var": "s=hunter2"}]}, "reveal_sensitive": reveal});
    for version in ["1.8.0", "1.8.11", "1.9", "1.12"] {
        let answer = ask(version, json!({ "main.tf": text }), given(false)).await;
        assert!(!answer.to_string().contains("hunter2"), "{version}: {answer:#}");
    }
    let answer = ask("1.8.0", json!({ "main.tf": text }), given(false)).await;
    assert_eq!(resolved(&answer, "m"), &json!({"source": null, "redacted": true}));
    let answer = ask("1.8.0", json!({ "main.tf": text }), given(true)).await;
    assert_eq!(resolved(&answer, "m"), &json!({"source": "./hunter2"}));
}

#[tokio::test]
async fn the_first_releases_evaluate_and_decode_in_one_step() {
    let fault = "module \"m\" {\n  source = null[0]\n}\n";
    let both = "module \"m\" {\n  source = \"${var}${local.x}\"\n}\n";
    for (version, wanted_fault, wanted_both) in [
        ("1.8.2", 2, "2:15 Invalid reference\n"),
        ("1.8.3", 1, "2:15 Invalid reference\n2:21 Undefined local\n"),
        ("1.12", 1, "2:15 Invalid reference\n2:21 Undefined local\n"),
    ] {
        let found = reported(&main(version, fault).await);
        assert_eq!(found.lines().count(), wanted_fault, "{version}: {found}");
        assert_eq!(found.contains("Unsuitable value type"), version == "1.8.2", "{version}: {found}");
        assert_eq!(reported(&main(version, both).await), wanted_both, "{version}");
    }
}

#[tokio::test]
async fn wording_depends_on_the_version() {
    let text = "module \"m\" {\n  source = \"./${tofu.workspace}\"\n}\nmodule \"n\" {\n  source = \"./${terraform.applying}\"\n}\n";
    let dynamic = "2:17 Dynamic value in static context\n";
    let attribute = "5:17 Invalid \"terraform\" attribute\n";
    let constant = "2:17 Variables not allowed\n2:13 Unsuitable value type\n5:17 Variables not allowed\n5:13 Unsuitable value type\n";
    for version in VERSIONS {
        let wanted = match version {
            "1.6.3" | "1.7.10" => constant.to_owned(),
            _ if version.starts_with("1.8") => format!("{dynamic}{attribute}"),
            "1.9.4" | "1.10.10" => attribute.to_owned(),
            _ => "5:17 Invalid attribute in static context\n".to_owned(),
        };
        let found = reported(&main(version, text).await);
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&found), sorted(&wanted), "{version}");
    }
}

#[tokio::test]
async fn a_required_variable_without_a_value_is_reported_with_its_chain() {
    let text =
        "variable \"x\" {\n  type = string\n}\nlocals {\n  x = var.x\n}\nmodule \"m\" {\n  source = local.x\n}\n";
    let chain = "5:3 Unable to compute static value\n8:12 Unable to compute static value\n";
    for more in [json!({}), json!({"variables": {}})] {
        let answer = ask("1.12", json!({ "main.tf": text }), more.clone()).await;
        assert_eq!(
            reported(&answer),
            format!("1:1 Failed to request input from user for variable var.x\n{chain}"),
            "{more}"
        );
        let answer = ask("1.8", json!({ "main.tf": text }), more).await;
        assert_eq!(reported(&answer), format!("1:1 Variable not provided via -var, tfvars files, or env\n{chain}"));
    }
    // Nothing static needs it: nothing is reported, except for a constant variable.
    assert_eq!(reported(&main("1.12", "variable \"x\" {\n  type = string\n}\n").await), "");
    assert_eq!(
        reported(&main("1.12", "variable \"x\" {\n  const = true\n}\n").await),
        "0:0 Unable to compute static value\n1:1 Failed to request input from user for variable var.x\n"
    );
}

#[tokio::test]
async fn only_constant_variables_are_evaluated() {
    // A variable with `const = false` is rejected at the reference, wherever that is; one without `const` is neither
    // rejected nor constant.
    let text = "variable \"x\" {\n  default = \"./x\"\n  const = false\n}\nvariable \"y\" {\n  default = \"./y\"\n}\n\
                locals {\n  x = var.x\n}\nmodule \"m\" {\n  source = local.x\n}\nmodule \"y\" {\n  source = var.y\n}\n\
                provider \"p\" {\n  alias = \"a\"\n  for_each = toset([var.x])\n}\n";
    assert_eq!(
        reported(&main("1.12", text).await),
        "9:7 Unable to use variable in static context\n12:12 Unable to compute static value\n\
         19:21 Unable to use variable in static context\n"
    );
    // A constant variable that is used fails once for each use and once for itself; its own level is in no file.
    let text = "variable \"x\" {\n  type = string\n  nullable = false\n  const = true\n}\nmodule \"m\" {\n  source = var.x\n}\n";
    let given = json!({"variables": {"args": [{"name": "x", "value": null}]}});
    let answer = ask("1.12", json!({ "main.tf": text }), given).await;
    assert_eq!(
        reported(&answer),
        "0:0 Unable to compute static value\n1:1 Required variable not set\n1:1 Required variable not set\n\
         7:12 Unable to compute static value\n"
    );
    let nowhere = &answer["diagnostics"][0]["range"];
    assert_eq!(nowhere["filename"], "");
    assert_eq!(nowhere["end"], json!({"line": 0, "column": 1, "byte": 1}));
}

#[tokio::test]
async fn provider_instances() {
    let every = |value: &str| {
        format!(
            "provider \"p\" {{\n  alias    = \"a\"\n  for_each = {value}\n}}\nvariable \"e\" {{\n  default = {{}}\n  ephemeral = true\n}}\n"
        )
    };
    let wrong = "3:14 Invalid for_each argument\n";
    for (value, keys, old, new) in [
        ("{ b = 1, a = nothing }", None, "3:27 Invalid reference\n", "3:27 Invalid reference\n"),
        ("{ b = 1, a = sensitive(2) }", Some(json!(["a", "b"])), "", ""),
        ("toset([])", Some(json!([])), "", ""),
        ("toset([1])", None, "3:14 Invalid for_each set argument\n", wrong),
        ("toset([null])", None, "3:14 Invalid for_each set argument\n", wrong),
        ("toset([\"x\", null])", None, "3:14 Invalid for_each set argument\n", wrong),
        ("\"x\"", None, wrong, wrong),
        ("5", None, wrong, wrong),
        ("tolist([\"x\"])", None, wrong, wrong),
        ("sensitive([\"x\"])", None, &format!("{wrong}{wrong}"), &format!("{wrong}{wrong}")),
        ("sensitive({ x = 1 })", None, wrong, wrong),
        ("tomap({})", Some(json!([])), "", ""),
        // From 1.10 on, a value that cannot be computed is reported as not being a map as well.
        (
            "nothing()",
            None,
            "3:14 Call to unknown function\n",
            "3:14 Call to unknown function\n3:14 Invalid for_each argument\n",
        ),
        // Unless values are requested, the default applies.
        ("toset(keys(var.e))", Some(json!([])), "", ""),
    ] {
        let (old, new): (&str, &str) = (old, new);
        for (version, wanted) in [("1.9", old), ("1.10", new), ("1.12", new)] {
            let text = every(value);
            let text = if version == "1.12" { text } else { text.replace("  ephemeral = true\n", "") };
            if version == "1.12" && value.contains("var.e") {
                assert_eq!(reported(&main(version, &text).await), wrong, "ephemeral");
                continue;
            }
            let answer = main(version, &text).await;
            assert_eq!(reported(&answer), wanted, "{version}: {value}");
            assert_eq!(instances(&answer, "a"), &keys.clone().unwrap_or(Value::Null), "{version}: {value}");
        }
    }
}

#[tokio::test]
async fn a_faulty_for_each_of_an_override_is_dropped() {
    let base =
        "provider \"p\" {\n  alias    = \"a\"\n  for_each = { x = 1 }\n}\nprovider \"p\" {\n  alias = \"b\"\n}\n";
    let over = "provider \"p\" {\n  alias    = \"a\"\n  for_each = x.y.z\n}\nprovider \"p\" {\n  alias    = \"b\"\n  for_each = { y = 1 }\n}\n";
    let answer = ask("1.12", json!({"main.tf": base, "override.tf": over}), json!({})).await;
    assert_eq!(reported(&answer), "");
    assert_eq!(instances(&answer, "a"), &json!(["x"]));
    assert!(instances(&answer, "b").is_null());
    let object = &answer["module"]["objects"]["provider.p.b"];
    assert!(object["attributes"].get("for_each").is_none(), "{object:#}");
    // In an override it needs an alias next to it too; without a base of that name the block is adopted.
    let over = "provider \"p\" {\n  for_each = { y = 1 }\n}\n";
    let answer = ask("1.12", json!({"main.tf": base, "override.tf": over}), json!({})).await;
    assert_eq!(reported(&answer), "2:14 Alias required when using \"for_each\"\n");
    assert_eq!(answer["module"]["objects"]["provider.p"]["instance_keys"], json!(["y"]));
}

#[tokio::test]
async fn backend_and_encryption_are_not_evaluated() {
    let text = "terraform {\n  backend \"s3\" {\n    bucket = x.y.z\n  }\n}\n";
    for version in ["1.8", "1.12"] {
        assert_eq!(reported(&main(version, text).await), "", "{version}");
    }
}

#[tokio::test]
async fn values_known_only_on_the_users_machine_are_a_note() {
    for source in ["\"./${path.cwd}\"", "\"./${timestamp()}\"", "\"./${uuid()}\""] {
        let text = format!("module \"m\" {{\n  source = {source}\n}}\n");
        let answer = main("1.12", &text).await;
        assert_eq!(reported(&answer), "", "{source}");
        assert_eq!(answer["diagnostics"][0]["code"], "static/undecided", "{source}");
        assert_eq!(answer["valid"], true);
        assert!(resolved(&answer, "m").is_null());
    }
    // A default that does not fit has no value in the tool either.
    let text = "variable \"x\" {\n  type = number\n  default = \"x\"\n}\nmodule \"m\" {\n  source = var.x\n}\n";
    assert_eq!(
        reported(&main("1.12", text).await),
        "3:13 Invalid default value for variable\n6:12 Unsuitable value type\n"
    );
}

#[tokio::test]
async fn files_of_the_request_can_be_read() {
    let files = json!({
        "main.tf": "module \"m\" {\n  source = \"./${trimspace(file(\"where.txt\"))}\"\n}\n\
                    module \"n\" {\n  source = jsondecode(file(\"${path.module}/n.json\")).source\n}\n",
        "where.txt": "there\n",
        "n.json": "{\"source\": \"./n\"}",
    });
    let answer = ask("1.12", files, json!({})).await;
    assert_eq!(reported(&answer), "");
    assert_eq!(resolved(&answer, "m"), &json!({"source": "./there"}));
    assert_eq!(resolved(&answer, "n"), &json!({"source": "./n"}));
}

/// Returns the answer for a large input, for the newest release.
async fn costly(text: &str) -> Value {
    let mut settings = Settings::for_testing();
    settings.limits.body.max_request_bytes = 64 << 20;
    settings.limits.body.max_unpacked_bytes = 64 << 20;
    settings.limits.request.max_file_bytes = 64 << 20;
    settings.limits.request.max_syntax_tokens = 10_000_000;
    settings.work.timeout_seconds = 120;
    let app = router(&AppState::new(settings));
    let body = json!({"stage": "load", "files": {"main.tf": text}, "dialect": "opentofu", "version": "1.12", "include": ["objects"]});
    let request = axum::http::Request::post("/v1/merge").header("content-type", "application/json");
    let answer = send(&app, request.body(body.to_string().into()).unwrap()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

#[tokio::test]
async fn long_chains_and_many_users_stay_linear_and_bounded() {
    // A chain far deeper than any stack.
    let chain = |first: &str, length: usize| {
        let mut text = format!("locals {{\n  l0 = {first}\n");
        for n in 1..length {
            writeln!(text, "  l{n} = local.l{}", n - 1).unwrap();
        }
        write!(text, "}}\nmodule \"m\" {{\n  source = local.l{}\n}}\n", length - 1).unwrap();
        text
    };
    let answer = costly(&chain("\"./end\"", 100_000)).await;
    assert_eq!((reported(&answer), resolved(&answer, "m")), (String::new(), &json!({"source": "./end"})));
    let answer = costly(&chain("x.y.z", 20_000)).await;
    assert!(answer["diagnostics"].as_array().unwrap().len() < 11_000);
    assert_eq!(answer["diagnostics"][0]["code"], "static/repeats-cut");
    let answer = costly(&chain("local.l19999", 20_000)).await;
    assert_eq!(answer["valid"], false);

    // Each uses the previous one twice: the tool doubles its work and its findings with every line.
    let mut text = String::from("locals {\n  l0 = \"x\"\n");
    for n in 1..200 {
        writeln!(text, "  l{n} = length([local.l{0}, local.l{0}])", n - 1).unwrap();
    }
    text.push_str("}\nmodule \"m\" {\n  source = \"./${local.l199}\"\n}\n");
    assert_eq!(resolved(&costly(&text).await, "m"), &json!({"source": "./2"}));
    let answer = costly(&text.replace("l0 = \"x\"", "l0 = nothing()")).await;
    assert!(answer["diagnostics"].as_array().unwrap().len() < 11_000);

    // Everything refers to everything.
    let all: Vec<String> = (0..60).map(|n| format!("local.l{n}")).collect();
    let mut text = String::from("locals {\n");
    for n in 0..60 {
        writeln!(text, "  l{n} = [{}]", all.join(", ")).unwrap();
    }
    text.push_str("}\nmodule \"m\" {\n  source = local.l0\n}\n");
    let answer = costly(&text).await;
    assert!(answer["diagnostics"].as_array().unwrap().len() < 11_000);
}

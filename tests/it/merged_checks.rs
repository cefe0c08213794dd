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

const SOURCES: &str = "module \"a\" {\n  source = \"m\"\n}\nmodule \"b\" {\n  source  = \"./m\"\n  version = \"1.0\"\n}\nmodule \"c\" {\n  source = \"./${var.nope}\"\n}\nmodule \"d\" {\n  source  = \"hashicorp/x/aws\"\n  version = \"abc\"\n}\n";

/// Releases whose loader no longer checks them reject them when modules are installed.
#[tokio::test]
async fn module_sources_that_cannot_be_installed() {
    let wanted = "main.tf:2:12 error tool Invalid module source address\n\
        main.tf:5:13 error tool Invalid registry module source address\n\
        main.tf:9:17 error tool Reference to undeclared input variable\n\
        main.tf:13:13 error tool Invalid version constraint\n";
    let answer = ask("terraform", &[("main.tf", SOURCES)], None).await;
    assert_eq!(lines(&answer), wanted);
    assert_eq!(answer["valid"], false);
    let json =
        r#"{"module":{"a":{"source":"m"},"b":{"source":"./m","version":"1.0"},"c":{"source":"./${var.nope}"}}}"#;
    let reported = found("terraform 1.15", &[("main.tf.json", json)]).await;
    let titles =
        ["Invalid module source address", "Invalid registry module", "Reference to undeclared input variable"];
    assert!(titles.iter().all(|title| reported.contains(title)) && !reported.contains("tool-later"), "{reported}");
    let reported = found("terraform 1.14", &[("main.tf", SOURCES)]).await;
    assert!(
        !reported.contains("later")
            && !reported.contains("overfold")
            && reported.contains("main.tf:2:12 error tool Invalid module source address"),
        "{reported}"
    );
}

#[tokio::test]
async fn module_sources_made_of_variables() {
    let main = "variable \"c\" {\n  type  = string\n  const = true\n}\nvariable \"v\" {\n  default = \"x\"\n}\nlocals {\n  l = \"./${var.c}\"\n}\nmodule \"a\" {\n  source = local.l\n}\nmodule \"b\" {\n  source = \"./${var.v}\"\n}\nmodule \"c\" {\n  source  = \"a/b/c\"\n  version = aws_vpc.x.id\n}\nmodule \"d\" {\n  source = null\n}\n";
    let wanted = "main.tf:1:1 error tool No value for required variable\n\
        main.tf:15:12 error tool Unknown module source\n\
        main.tf:19:13 error tool Invalid module version\n\
        main.tf:22:12 error tool Unsuitable module source\n";
    let reported = found("terraform", &[("main.tf", main)]).await;
    assert_eq!(reported, wanted);
    let given = json!({"args": [{"var": "c=x"}]});
    let reported = lines(&ask("terraform", &[("main.tf", main)], Some(given)).await);
    assert!(!reported.contains("main.tf:12"), "{reported}");
    // A value is only missing in a run, which the tool does not begin before modules are installed.
    let reported = lines(&ask("terraform", &[("main.tf", main)], Some(json!({}))).await);
    assert!(reported.contains("main.tf:1:1 error tool-later No value for required variable"), "{reported}");
}

/// `init` of 1.11.4 reports `Invalid version constraint` at the module's header, for local and remote sources alike.
#[tokio::test]
async fn a_version_left_over_beside_a_source_that_is_not_a_registry() {
    let base = "module \"m\" {\n  source  = \"a/b/c\"\n  version = \"1.0\"\n}\n";
    for source in ["./m", "git::https://example.com/m.git"] {
        let over = format!("module \"m\" {{\n  source = \"{source}\"\n}}\n");
        let files = [("main.tf", base), ("override.tf", over.as_str())];
        let answer = ask("terraform 1.11.4", &files, None).await;
        let wanted = "main.tf:1:1 warning overfold Invalid version constraint -> override.tf:2:12 -> main.tf:3:3\n";
        assert_eq!(lines(&answer), wanted, "{source}");
        assert_eq!(answer["module"]["config"]["module"]["m"], json!([{"source": source, "version": "1.0"}]));
        let reported = found("opentofu 1.7", &files).await;
        assert_eq!(reported, wanted, "{source}");
        let reported = found("terraform 1.15", &files).await;
        assert_eq!(reported, "override.tf:2:12 error tool Invalid registry module source address\n", "{source}");
    }
    // In reverse order, and within one block: reported once, by the loader.
    let files = [
        ("main.tf", "module \"m\" {\n  source = \"./m\"\n}\n"),
        ("override.tf", "module \"m\" {\n  version = \"1.0\"\n}\n"),
    ];
    let reported = found("terraform 1.11.4", &files).await;
    assert_eq!(
        reported,
        "main.tf:1:1 warning overfold Invalid version constraint -> main.tf:2:12 -> override.tf:2:3\n"
    );
    let reported =
        found("terraform 1.11.4", &[("main.tf", "module \"m\" {\n  source  = \"./m\"\n  version = \"1.0\"\n}\n")])
            .await;
    assert_eq!(reported, "main.tf:2:13 error tool Invalid registry module source address\n");
    // A registry on both sides is fine.
    let files = [("main.tf", base), ("override.tf", "module \"m\" {\n  source = \"x/y/z\"\n}\n")];
    assert_eq!(found("terraform 1.11.4", &files).await, "");
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
    assert_eq!(reported, "override.tf:3:5 warning overfold Override loses part of the base -> main.tf:5:7\n");
}

#[tokio::test]
async fn a_list_together_with_ignore_changes_all() {
    let block =
        |list: &str| format!("resource \"a_b\" \"c\" {{\n  lifecycle {{\n    ignore_changes = {list}\n  }}\n}}\n");
    let note = "info overfold Override has no effect";
    let (all, list) = (block("all"), block("[x]"));
    let reported = found("terraform", &[("a.tf", &all), ("a_override.tf", &list), ("b_override.tf", &list)]).await;
    assert_eq!(reported, format!("a_override.tf:3:5 {note} -> a.tf:3:5\nb_override.tf:3:5 {note} -> a.tf:3:5\n"));
    let reported = found("terraform", &[("a.tf", &list), ("a_override.tf", &all), ("b_override.tf", &list)]).await;
    assert_eq!(reported, format!("b_override.tf:3:5 {note} -> a_override.tf:3:5\n"));
    assert_eq!(found("terraform", &[("a.tf", &list), ("a_override.tf", &list)]).await, "");
}

#[tokio::test]
async fn defaults_of_optional_attributes_that_are_ignored() {
    let variable = |ty: &str| format!("variable \"v\" {{\n  type = object({{ a = {ty} }})\n  default = {{}}\n}}\n");
    let note = "override.tf:2:3 info overfold Defaults of the base's type still apply -> main.tf:2:3\n";
    for (base, over, wanted) in [
        ("optional(string, \"base\")", "optional(string, \"over\")", note),
        ("optional(string, \"base\")", "optional(string)", note),
        ("optional(string)", "optional(string, \"over\")", note),
        ("optional(string, \"same\")", "optional(string, \"same\")", ""),
        ("optional(string)", "optional(number)", ""),
    ] {
        for dialect in ["terraform", "opentofu"] {
            let files = [("main.tf", variable(base)), ("override.tf", variable(over))];
            let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
            assert_eq!(found(dialect, &files).await, wanted, "{dialect} {base} {over}");
        }
    }
    // The base's defaults stay in force through a chain.
    let files = [
        variable("optional(string, \"base\")"),
        variable("optional(string, \"a\")"),
        variable("optional(string, \"base\")"),
    ];
    let reported =
        found("terraform", &[("main.tf", &files[0]), ("a_override.tf", &files[1]), ("b_override.tf", &files[2])])
            .await;
    assert_eq!(reported, "a_override.tf:2:3 info overfold Defaults of the base's type still apply -> main.tf:2:3\n");
}

const LOSES: &str = "warning overfold Override loses part of the base";

#[tokio::test]
async fn arguments_and_blocks_that_an_override_loses() {
    let base = "resource \"a_b\" \"c\" {\n  disk {\n    size      = 1\n    encrypted = true\n    tags {\n    }\n  }\n  disk {\n    size = 2\n  }\n}\n";
    let over = "resource \"a_b\" \"c\" {\n  disk {\n    size = 3\n  }\n}\n";
    let wanted = format!(
        "override.tf:2:3 {LOSES} -> main.tf:4:5\noverride.tf:2:3 {LOSES} -> main.tf:5:5\noverride.tf:2:3 {LOSES} -> main.tf:8:3\n"
    );
    for dialect in ["terraform", "opentofu"] {
        let answer = ask(dialect, &[("main.tf", base), ("override.tf", over)], None).await;
        assert_eq!(lines(&answer), wanted, "{dialect}");
        assert_eq!(answer["valid"], true);
    }
    let json = r#"{"resource":{"a_b":{"c":{"disk":[{"size":3}]}}}}"#;
    let reported = found("terraform", &[("main.tf", base), ("override.tf.json", json)]).await;
    assert_eq!(reported.matches(LOSES).count(), 3, "{reported}");
    // A `dynamic` block is compared with what it generates.
    let dynamic = "resource \"a_b\" \"c\" {\n  dynamic \"disk\" {\n    for_each = []\n    content {\n      size = 1\n    }\n  }\n}\n";
    let reported = found("terraform", &[("main.tf", over), ("override.tf", dynamic)]).await;
    assert_eq!(reported, "");
    let reported = found("terraform", &[("main.tf", dynamic), ("override.tf", over)]).await;
    assert_eq!(reported, "");
}

#[tokio::test]
async fn settings_and_blocks_with_rows_lose_content_too() {
    let block = |inner: &str| format!("resource \"a_b\" \"c\" {{\n  {inner}\n}}\n");
    let base = block(
        "provisioner \"local-exec\" {\n    command = \"a\"\n    quiet = true\n  }\n  connection {\n    host = \"h\"\n    user = \"u\"\n  }",
    );
    let over = block("provisioner \"local-exec\" {\n    command = \"b\"\n  }\n  connection {\n    host = \"i\"\n  }");
    let reported = found("terraform", &[("main.tf", &base), ("override.tf", &over)]).await;
    assert_eq!(reported, format!("override.tf:2:3 {LOSES} -> main.tf:4:5\noverride.tf:5:3 {LOSES} -> main.tf:8:5\n"));
    let backend = |kind: &str, inner: &str| format!("terraform {{\n  backend \"{kind}\" {{\n{inner}  }}\n}}\n");
    let base = backend("s3", "    bucket = \"b\"\n    encrypt = true\n");
    let reported =
        found("terraform", &[("main.tf", &base), ("override.tf", &backend("s3", "    bucket = \"c\"\n"))]).await;
    assert_eq!(reported, format!("override.tf:2:3 {LOSES} -> main.tf:4:5\n"));
    let reported = found("terraform", &[("main.tf", &base), ("override.tf", &backend("local", ""))]).await;
    assert_eq!(reported, "", "another kind of backend is not compared");
}

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
async fn version_constraints_that_are_lost() {
    let text = "terraform {\n  required_version = \">= 1.2\"\n}\n";
    let note = "info overfold Version constraint not kept";
    let reported = found("opentofu", &[("main.tofu", text), ("override.tofu", text)]).await;
    assert_eq!(reported, format!("main.tofu:2:3 {note}\noverride.tofu:2:3 {note}\n"));
    assert_eq!(found("opentofu 1.11", &[("main.tofu", text)]).await, "");
}

/// Each line was verified with 1.11.4, except that it visits the entries in random order.
#[tokio::test]
async fn providers_named_in_several_ways() {
    let required = |entries: &str| format!("terraform {{\n  required_providers {{\n{entries}  }}\n}}\n");
    let twice = "warning tool Duplicate required provider";
    let mine = "    mine = { source = \"hashicorp/aws\" }\n";
    let main = required(mine) + "resource \"aws_vpc\" \"v\" {}\nresource \"aws_vpc\" \"w\" {\n  provider = mine\n}\n";
    let answer = ask("terraform 1.11.4", &[("main.tf", &main)], None).await;
    assert_eq!(lines(&answer), format!("main.tf:6:1 {twice} -> main.tf:3:12\n"));
    assert_eq!(answer["valid"], true);
    let main = required(
        "    b = { source = \"hashicorp/aws\" }\n    a = { source = \"HashiCorp/AWS\" }\n    aws = \"1.0\"\n",
    );
    let reported = found("terraform 1.11.4", &[("main.tf", &main)]).await;
    assert_eq!(reported, format!("main.tf:4:9 {twice} -> main.tf:3:9\nmain.tf:5:11 {twice} -> main.tf:3:9\n"));
    let main = required(mine) + "provider \"aws\" {}\nprovider \"aws\" {\n  alias = \"x\"\n}\n";
    assert_eq!(found("terraform 1.11.4", &[("main.tf", &main)]).await, format!("main.tf:3:12 {twice}\n"));
    let main = required(mine)
        + "check \"c\" {\n  data \"aws_x\" \"y\" {}\n  assert {\n    condition = data.aws_x.y.x\n    error_message = \"a.\"\n  }\n}\nephemeral \"aws_vpc\" \"v\" {}\n";
    let reported = found("terraform 1.11.4", &[("main.tf", &main)]).await;
    assert_eq!(reported, format!("main.tf:7:3 {twice} -> main.tf:3:12\n"));
    let main = required("    terr = { source = \"terraform.io/builtin/terraform\" }\n")
        + "data \"terraform_remote_state\" \"x\" {}\n";
    let reported = found("terraform 1.11.4", &[("main.tf", &main)]).await;
    assert_eq!(reported, format!("main.tf:6:1 {twice} -> main.tf:3:12\n"));
    let json = r#"{"terraform":{"required_providers":{"mine":{"source":"hashicorp/aws"}}},"provider":{"aws":{}}}"#;
    assert_eq!(found("terraform 1.11.4", &[("main.tf.json", json)]).await, format!("main.tf.json:1:44 {twice}\n"));
    // An override may contribute either side.
    let over = required(mine);
    let files = [("main.tf", "resource \"aws_vpc\" \"v\" {}\n"), ("override.tf", over.as_str())];
    let reported = found("terraform 1.11.4", &files).await;
    assert_eq!(reported, format!("main.tf:1:1 {twice} -> override.tf:3:12\n"));
    // An error hides it, and it does not concern other providers.
    let main = required(mine) + "resource \"aws_vpc\" \"v\" {}\nvariable \"v\" {\n  type = nope\n}\n";
    assert!(!found("terraform 1.11.4", &[("main.tf", &main)]).await.contains("Duplicate"));
    let main = required("    aws = { source = \"x/aws\" }\n    b = { source = \"x/b\" }\n")
        + "resource \"aws_vpc\" \"v\" {}\n";
    assert_eq!(found("terraform 1.11.4", &[("main.tf", &main)]).await, "");
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
async fn interpolations_refer_to_what_exists() {
    let main = "variable \"a\" {}\nmodule \"m\" {\n  source = \"./m\"\n  x = \"${var.a} ${var.b}\"\n}\nprovider \"p\" {\n  y = [\"${var.c}\", { k = \"${upper(\"${var.c}\")}\" }]\n}\n\
        resource \"a_b\" \"c\" {\n  count = \"${var.d}\"\n  x = \"${data.e.f.g} ${h.i.j} ${a_b.c.k} $${var.no} ${local.l} ${count.index} ${var.a.key} ${length(a_b.*.id)}\"\n  inner {\n    y = \"${a_b.n.*.id[0]}\"\n  }\n  connection {\n    z = \"${var.no}\"\n  }\n  provisioner \"local-exec\" {\n    command = \"${module.q.out}\"\n  }\n}\n\
        output \"o\" {\n  value = \"${module.m.x} ${module.n.x}\" // ${var.no}\n}\nlocals {\n  l = \"${var.no}\"\n}\n";
    let tool = "error tool";
    let variable = |name: &str| format!("unknown variable referenced: '{name}'; define it with a 'variable' block");
    let wanted = [
        format!("main.tf:4:7 {tool} module 'm': {}", variable("b")),
        format!("main.tf:7:8 {tool} provider config 'p': {}", variable("c")),
        format!("main.tf:10:11 {tool} resource 'a_b.c' count: {}", variable("d")),
        format!(
            "main.tf:11:7 {tool} resource 'a_b.c' config: unknown resource 'data.e.f' referenced in variable data.e.f.g"
        ),
        format!("main.tf:11:7 {tool} resource 'a_b.c' config: unknown resource 'h.i' referenced in variable h.i.j"),
        format!(
            "main.tf:11:7 {tool} resource 'a_b.c' config: unknown resource 'a_b.*' referenced in variable a_b.*.id"
        ),
        format!(
            "main.tf:13:9 {tool} resource 'a_b.c' config: unknown resource 'a_b.n' referenced in variable a_b.n.*.id"
        ),
        format!("main.tf:19:15 {tool} resource 'a_b.c' provisioner local-exec (#1): unknown module referenced: q"),
        format!("main.tf:23:11 {tool} output 'o': unknown module referenced: n"),
    ];
    let reported = found("terraform-0.11", &[("main.tf", main)]).await;
    let mut got: Vec<&str> = reported.lines().collect();
    let mut wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
    got.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(got, wanted);
    // JSON, and a variable that an override file adds.
    let json = r#"{"output":{"o":{"value":"${var.nope} ${var.over}"}}}"#;
    let reported =
        found("terraform-0.11", &[("main.tf.json", json), ("override.tf", "variable \"over\" {}\n")]).await;
    assert_eq!(reported, format!("main.tf.json:1:25 {tool} output 'o': {}\n", variable("nope")));
}

#[tokio::test]
async fn a_policy_without_a_source() {
    let policy = "policy \"tags\" {\n  enforcement_level = \"soft-mandatory\"\n}\n";
    let warning = "sentinel.hcl:1:1 warning overfold Source is implied by the name\n";
    for version in ["sentinel", "sentinel 0.18.13", "sentinel 0.40"] {
        let answer = ask(version, &[("sentinel.hcl", policy)], None).await;
        assert_eq!(lines(&answer), warning, "{version}");
        assert_eq!(answer["valid"], true);
    }
    // Override files are a matter of the command line.
    let reported = found("sentinel", &[("sentinel.hcl", policy), ("override.hcl", policy)]).await;
    assert_eq!(reported, "sentinel.hcl:1:1 error tool Missing required argument\n");
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

#[tokio::test]
async fn an_override_file_of_later_versions() {
    let policy = "policy \"m\" {\n  source = \"x\"\n}\n";
    let later = "-:null:null info overfold Override file of a later version\n";
    for name in ["override.hcl", "x_override.json"] {
        let files = [("sentinel.hcl", policy), (name, policy)];
        let answer = ask("sentinel 0.18", &files, None).await;
        assert_eq!(lines(&answer), later, "{name}");
        assert!(answer["diagnostics"][0]["detail"].as_str().unwrap().contains("since version 0.19"));
    }
    assert_eq!(found("sentinel", &[("sentinel.hcl", policy), ("override.hcl", policy)]).await, "");
    assert_eq!(found("opentofu 1.7", &[("main.tf", ""), ("override.tofu", "")]).await, later);
    assert_eq!(found("terraform", &[("main.tf", ""), ("override.tofu", "")]).await, "");
}

#[tokio::test]
async fn a_file_whose_name_made_it_an_override_file() {
    let text = "resource \"cloudflare_zone_settings_override\" \"z\" {\n}\n";
    let note = "info overfold Override file matches nothing";
    let reported = found("terraform", &[("main.tf", ""), ("cloudflare_zone_settings_override.tf", text)]).await;
    let at = "cloudflare_zone_settings_override.tf:1:1";
    assert_eq!(reported, format!("{at} error tool Missing resource to override\n{at} {note}\n"));
    // If part of the file has a base, or the name is the plain one, it was intended.
    let base = "resource \"a_b\" \"c\" {}\n";
    let reported = found("terraform", &[("main.tf", base), ("x_override.tf", &format!("{text}{base}"))]).await;
    assert!(!reported.contains(note), "{reported}");
    assert!(!found("terraform", &[("main.tf", base), ("override.tf", text)]).await.contains(note));
}

/// In a list of blocks, nested blocks are replaced by type as well.
#[tokio::test]
async fn a_list_of_blocks_loses_content_too() {
    let base = "resource \"a_b\" \"c\" {\n  disk {\n    size      = 1\n    encrypted = true\n  }\n  disk {\n    size = 2\n  }\n}\n";
    let over = "resource \"a_b\" \"c\" {\n  disk {\n    size = 3\n  }\n}\n";
    let wanted = format!("override.tf:2:3 {LOSES} -> main.tf:4:5\noverride.tf:2:3 {LOSES} -> main.tf:6:3\n");
    assert_eq!(found("tflint", &[("main.tf", base), ("override.tf", over)]).await, wanted);
}

//! The forms of `config`: golden texts for every dialect, recorded results of hcl2json, secrets, and how a form is
//! requested.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use overfold_cli::files::{FileSet, ModulePath, SourceFile};
use overfold_cli::output::{ConfigFormat, config_only};
use overfold_cli::pipeline::{Request, run};
use overfold_cli::syntax::Forest;
use serde_json::{Value, json};

const FORMS: [(&str, ConfigFormat); 4] = [
    ("tf-json", ConfigFormat::TfJson),
    ("hcl2json", ConfigFormat::Hcl2Json),
    ("hcl", ConfigFormat::Hcl),
    ("files", ConfigFormat::Files),
];

fn written(dialect: &str, files: &[(&str, &str)], form: ConfigFormat, reveal_sensitive: bool) -> String {
    let files = files.iter().map(|(path, text)| SourceFile {
        path: ModulePath::parse(path).unwrap(),
        bytes: text.as_bytes().to_vec().into(),
    });
    let request = Request { reveal_sensitive, ..Request::new(dialect) };
    let forest = Forest::default();
    let report = run(&forest, &FileSet::new(files.collect(), Vec::new()), &request).unwrap();
    String::from_utf8(config_only(&report, form)).unwrap()
}

fn json_of(dialect: &str, files: &[(&str, &str)], form: ConfigFormat) -> Value {
    serde_json::from_str(&written(dialect, files, form, false)).unwrap()
}

const TERRAFORM: &[(&str, &str)] = &[
    (
        "main.tf",
        "# The web tier.\nterraform {\n  required_version = \">= 1.0\"\n  backend \"s3\" {\n    bucket = \"a\"\n  }\n}\n\n\
         resource \"aws_instance\" \"web\" {\n  # chosen by the platform team\n  ami           = \"ami-1\" # pinned\n  \
         instance_type = \"t2.micro\"\n\n  ebs_block_device {\n    size = 1\n  }\n\n  lifecycle {\n    \
         create_before_destroy = true\n  }\n}\n\nvariable \"size\" { default = 5 }\n\nlocals {\n  a = 1\n  b = 2 # two\n}\n",
    ),
    ("other.tf", "output \"a\" {\n\tvalue = local.a // kept as it is\n}\n"),
    (
        "main_override.tf",
        "terraform {\n  backend \"local\" {\n    path = \"state\"\n  }\n}\n\nresource \"aws_instance\" \"web\" {\n  ami  = \
         <<-EOT\n    ami-2\n  EOT\n  tags = {\n    Name = \"web\"\n  }\n  ebs_block_device {\n    size = 2\n  }\n  \
         ebs_block_device {\n    size = 3\n  }\n  lifecycle {\n    prevent_destroy = true\n  }\n}\n\nvariable \"size\" {\n  type = \
         string\n}\n",
    ),
    (
        "z_override.tf.json",
        "{\"locals\": {\"b\": \"${local.a}-\\\"two\\\"\"}, \"output\": {\"a\": {\"description\": \"It costs 5$ {x}\"}}}",
    ),
];

const SENTINEL: &[(&str, &str)] = &[
    (
        "sentinel.hcl",
        "policy \"tags\" {\n  source            = \"./tags.sentinel\"\n  enforcement_level = \"advisory\"\n}\n",
    ),
    ("override.hcl", "policy \"tags\" {\n  enforcement_level = \"hard-mandatory\"\n}\n"),
];

const TFLINT: &[(&str, &str)] = &[
    ("main.tf", "locals {\n  a = 1\n}\n\nresource \"a\" \"b\" {\n  c = 1\n}\n"),
    ("override.tf", "locals {\n  a = 3\n  b = 2\n}\n\nresource \"a\" \"b\" {\n  d = 1\n}\n"),
];

const OLD: &[(&str, &str)] = &[
    (
        "main.tf",
        "resource \"aws_instance\" \"web\" {\n  ami = \"ami-1\" # pinned\n  tags { Name = \"${var.name}\" }\n}\n\nvariable \"name\" {}\n",
    ),
    ("override.tf", "resource \"aws_instance\" \"web\" {\n  ami = \"ami-2\"\n  count = 2\n}\n"),
    ("b_override.tf.json", "{\"variable\": {\"name\": {\"default\": \"x\"}}}"),
];

#[test]
fn golden_forms_of_every_dialect() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/forms");
    let modules = [
        ("terraform", TERRAFORM),
        ("opentofu", TERRAFORM),
        ("sentinel", SENTINEL),
        ("tflint", TFLINT),
        ("terraform-0.11", OLD),
    ];
    let write = std::env::var("OVERFOLD_GOLDEN").is_ok_and(|mode| mode == "write");
    for (dialect, files) in modules {
        let mut text = String::new();
        for (name, form) in FORMS {
            writeln!(text, "=== {name}").unwrap();
            let form = written(dialect, files, form, false);
            if name == "files" {
                let files: Value = serde_json::from_str(&form).unwrap();
                for (path, content) in files.as_object().unwrap() {
                    write!(text, "--- {path}\n{}", content.as_str().unwrap()).unwrap();
                }
            } else if name == "hcl" {
                text.push_str(&form);
            } else {
                let value: Value = serde_json::from_str(&form).unwrap();
                text.push_str(&serde_json::to_string_pretty(&value).unwrap());
                text.push('\n');
            }
        }
        let path = root.join(format!("{dialect}.txt"));
        if write {
            fs::create_dir_all(&root).unwrap();
            fs::write(path, text).unwrap();
            continue;
        }
        let committed = fs::read_to_string(&path).unwrap();
        assert!(committed == text, "{dialect}: run OVERFOLD_GOLDEN=write cargo test --test it golden\n{text}");
    }
}

/// Each pair was recorded with hcl2json itself (the WebAssembly build of @cdktf/hcl2json 0.21.0).
#[test]
fn hcl2json_matches_the_tool() {
    let source = r#"locals {
  a = "x ${var.y} %{ if true }%%{hi}%{ endif }"
  b = <<-EOT
    hi ${1 + 2}
      $${x}
  EOT
  m = 1e3
  k = { "a" = 1, (b) = 2, c.d = 3, "${x}" = 4, null = 5, 1.50 = 6 }
  l = "${true}"
  c = "${a ? "x" : "y"}z"
  p = (1 + 2)
  q = ("x")
  f = !true
  g = -(1)
  h = f(1)
  i = { for k, v in m : k => v }
}
"#;
    let expected = json!({"locals": [{
        "a": "x ${var.y} %{if true}%%{hi}%{endif}",
        "b": "hi ${1 + 2}\n  $${x}\n",
        "c": "%{if a}x%{else}y%{endif}z",
        "f": false,
        "g": "${-(1)}",
        "h": "${f(1)}",
        "i": "${{ for k, v in m : k => v }}",
        "k": {"${(b)}": 2, "${x}": 4, "1.5": 6, "a": 1, "c.d": 3, "null": 5},
        "l": true,
        "m": 1000,
        "p": "${(1 + 2)}",
        "q": "${(\"x\")}",
    }]});
    assert_eq!(json_of("terraform", &[("main.tf", source)], ConfigFormat::Hcl2Json), expected);
}

#[test]
fn no_form_shows_a_secret() {
    let modules: [&[(&str, &str)]; 4] = [
        &[
            (
                "main.tf",
                "variable \"v\" {\n  type = object({ a = optional(string, \"hush-a\") })\n  default = { a = \"hush-b\" }\n}\n",
            ),
            (
                "override.tf",
                "variable \"v\" {\n  sensitive = true\n  type = object({ a = optional(string, \"hush-c\") })\n  default = { a = \"hush-d\" }\n}\n",
            ),
        ],
        &[
            (
                "main.tf.json",
                "{\"variable\": {\"v\": {\"type\": \"string\", \"default\": \"hush-a\", \"sensitive\": true}}}",
            ),
            ("override.tf", "variable \"v\" {\n  default = \"hush-b\"\n}\n"),
        ],
        &[
            ("main.tf", "variable \"v\" {\n  default = \"hush-a\"\n  sensitive = true\n}\n"),
            ("override.tf.json", "{\"variable\": {\"v\": {\"default\": \"hush-b\", \"description\": \"d\"}}}"),
        ],
        // A module with a syntax error.
        &[
            ("main.tf", "variable \"v\" {\n  sensitive = true\n  default = \"hush-a\" \"hush-b\"\n}\n"),
            ("override.tf", "locals {}\n"),
        ],
    ];
    for files in modules {
        for dialect in ["terraform", "opentofu", "tflint"] {
            for (name, form) in FORMS {
                let text = written(dialect, files, form, false);
                assert!(!text.contains("hush"), "{dialect} {name}: {text}");
                if name == "files" || name == "hcl" {
                    let text = written(dialect, files, form, true);
                    assert!(text.contains("hush"), "{dialect} {name}: {text}");
                }
            }
        }
    }
}

#[test]
fn an_object_without_a_primary_file_gets_a_new_one() {
    let files =
        [("override.tf", "terraform {\n  required_providers {\n    a = {\n      source = \"x/a\"\n    }\n  }\n}\n")];
    let folded = json_of("terraform", &files, ConfigFormat::Files);
    assert!(folded["main.tf"].as_str().unwrap().contains("required_providers"), "{folded}");
    assert!(folded.get("override.tf").is_none(), "{folded}");
}

#[test]
fn an_added_entry_is_placed_with_the_others() {
    let files = [
        ("main.tf", "terraform {\n  required_providers {\n    a = { source = \"x/a\" }\n  }\n}\n"),
        ("z.tf", "# nothing\n"),
        ("override.tf", "terraform {\n  required_providers {\n    b = { source = \"x/b\" }\n  }\n}\n"),
    ];
    let folded = json_of("terraform", &files, ConfigFormat::Files);
    assert_eq!(
        folded["main.tf"],
        "terraform {\n  required_providers {\n    a = { source = \"x/a\" }\n    b = { source = \"x/b\" }\n  }\n}\n"
    );
    assert_eq!(folded["z.tf"], "# nothing\n");
}

#[test]
fn unchanged_files_are_returned_byte_for_byte() {
    let untouched = [
        ("a.tf", "\u{feff}locals {\r\n  a = 1 \t\r\n}"),
        ("b.tf", "# only a comment, no line end"),
        ("c.tf", "locals {\n\n\n  c=<<E\r\nx\nE\n}\n\n\n"),
        ("d.tf.json", "\u{feff}{ \"//\": \"why\",\r\n\t\"locals\": [ {\"d\": 1.50 }] }"),
        ("e.tf", ""),
    ];
    let touched = ("main.tf", "\u{feff}resource \"a\" \"b\" {\r\n  x = 1 # one\r\n  y = 2\r\n}\r\n# end");
    let json = (
        "main.tf.json",
        "{\n\t\"//\": \"top\",\n\t\"resource\": {\"a\": {\n\t\t\"c\": {\n\t\t\t\"//\": \"why\",\n\t\t\t\"x\": 1\n\t\t},\n\t\t\
         \"d\": { \"x\" : 1 }\n\t}}\n}",
    );
    let over = ("override.tf", "resource \"a\" \"b\" {\n  y = 3\n}\nresource \"a\" \"c\" {\n  x = 2\n}\n");
    let files: Vec<(&str, &str)> = untouched.into_iter().chain([touched, json, over]).collect();
    for dialect in ["terraform", "opentofu", "tflint"] {
        let folded = json_of(dialect, &files, ConfigFormat::Files);
        for (name, text) in untouched {
            assert_eq!(folded[name], text, "{dialect}: {name}");
        }
        assert_eq!(folded["main.tf"], touched.1.replace("y = 2", "y = 3"), "{dialect}");
        assert_eq!(folded["main.tf.json"], json.1.replace("\"x\": 1\n", "\"x\": 2\n"), "{dialect}");
        assert_eq!(folded.as_object().unwrap().len(), files.len() - 1, "{dialect}");
    }
}

#[test]
fn unreadable_parts_stay_in_place() {
    let files = [
        ("main.tf", "resource \"a\" \"b\" {\n  x = 1\n  y = \n}\nbogus \"x\" {\n  q = 1\n}\nlocals {\n  a = 1\n}\n"),
        ("main.tf.json", "{\"bogus\": {\"q\": 1}, \"variable\": {\"v\": {\"nope\": 1, \"default\": 1}}}"),
        ("override.tf", "locals {\n  a = 2\n}\nvariable \"v\" {\n  default = 2\n}\n"),
    ];
    let folded = json_of("terraform", &files, ConfigFormat::Files);
    assert_eq!(folded["main.tf"], files[0].1.replace("a = 1\n", "a = 2\n"));
    assert_eq!(folded["main.tf.json"], "{\"bogus\": {\"q\": 1}, \"variable\": {\"v\": {\"nope\":1,\"default\":2}}}");
}

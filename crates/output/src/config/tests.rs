//! Tests of the JSON form, with small example modules.

use crate::{AnswerOptions, answer};
use overfold_base::files::{FileSet, ModulePath, SourceFile};
use overfold_module::pipeline::{Request, run};
use overfold_syntax::Forest;

/// Returns the part `config` of a module with these files.
fn config(files: &[(&str, &str)]) -> String {
    let files = files.iter().map(|(path, text)| SourceFile {
        path: ModulePath::parse(path).unwrap(),
        bytes: bytes::Bytes::copy_from_slice(text.as_bytes()),
    });
    let request = Request { version: Some("1.11.4".to_owned()), ..Request::new("terraform") };
    let forest = Forest::default();
    let report = run(&forest, &FileSet::new(files.collect(), Vec::new()), &request).unwrap();
    let text = String::from_utf8(answer(&report, AnswerOptions::default())).unwrap();
    assert!(!report.diagnostics.has_errors(), "{text}");
    let (_, after) = text.split_once("\"config\":").unwrap();
    after.rsplit_once("},\"diagnostics\"").unwrap().0.to_owned()
}

#[test]
fn blocks_are_arrays_under_their_labels() {
    let text = config(&[(
        "main.tf",
        "resource \"a_b\" \"x\" {\n  n = 1.50\n  disk {\n    size = var.s\n  }\n  disk {}\n}\nmoved {\n  from = a_b.w\n  to = a_b.x\n}\nvariable \"s\" {}\nlocals {\n  z = 1\n  a = \"${1}-$${x}\"\n}\nprovider \"a\" {\n  alias = \"w\"\n}\nprovider \"a\" {}\n",
    )]);
    assert_eq!(
        text,
        concat!(
            r#"{"locals":[{"a":"${1}-$${x}","z":1}],"moved":[{"from":"a_b.w","to":"a_b.x"}],"#,
            r#""provider":{"a":[{"alias":"w"},{}]},"#,
            r#""resource":{"a_b":{"x":[{"disk":[{"size":"${var.s}"},{}],"n":1.50}]}},"variable":{"s":[{}]}}"#
        )
    );
}

#[test]
fn settings_of_the_tool_stand_in_one_block_and_a_repeated_one_in_more() {
    let text = config(&[
        (
            "a.tf",
            "terraform {\n  required_version = \">= 1\"\n  backend \"s3\" {\n    path = \"$${x}\"\n  }\n  required_providers {\n    q = {\n      source = \"a/q\"\n      configuration_aliases = [q.w]\n    }\n  }\n}\n",
        ),
        ("b.tf", "terraform {\n  required_version = \"< 9\"\n}\n"),
    ]);
    assert_eq!(
        text,
        concat!(
            r#"{"terraform":[{"backend":{"s3":[{"path":"${x}"}]},"#,
            r#""required_providers":[{"q":{"configuration_aliases":["q.w"],"source":"a/q"}}],"#,
            r#""required_version":">= 1"},{"required_version":"< 9"}]}"#
        )
    );
}

#[test]
fn bare_text_is_used_where_the_tool_requires_it() {
    let text = config(&[(
        "main.tf",
        "resource \"a_b\" \"x\" {\n  provider = a.w\n  depends_on = [a_b.y]\n  lifecycle {\n    ignore_changes = [tags[\"x\"]]\n  }\n  provisioner \"local-exec\" {\n    when = destroy\n    command = \"c\"\n  }\n}\nresource \"a_b\" \"y\" {}\nprovider \"a\" {\n  alias = \"w\"\n}\nvariable \"v\" {\n  type = list(string)\n  default = [\"$${x}\", \"a\"]\n}\n",
    )]);
    assert_eq!(
        text,
        concat!(
            r#"{"provider":{"a":[{"alias":"w"}]},"resource":{"a_b":{"x":[{"depends_on":["a_b.y"],"#,
            r#""lifecycle":[{"ignore_changes":["tags[\"x\"]"]}],"provider":"a.w","#,
            r#""provisioner":[{"local-exec":[{"command":"c","when":"destroy"}]}]}],"y":[{}]}},"#,
            r#""variable":{"v":[{"default":["${x}","a"],"type":"list(string)"}]}}"#
        )
    );
}

#[test]
fn order_is_kept_where_it_counts() {
    let text = config(&[(
        "main.tf",
        "resource \"a_b\" \"x\" {\n  provisioner \"local-exec\" {}\n  provisioner \"file\" {}\n  provisioner \"local-exec\" {}\n}\n",
    )]);
    assert_eq!(
        text,
        r#"{"resource":{"a_b":{"x":[{"provisioner":[{"local-exec":[{}]},{"file":[{}]},{"local-exec":[{}]}]}]}}}"#
    );
    let text = config(&[(
        "main.tf",
        "resource \"a_b\" \"x\" {\n  n = 1\n  rule {}\n  dynamic \"rule\" {\n    for_each = []\n    iterator = it\n    content {}\n  }\n  rule {}\n}\n",
    )]);
    assert_eq!(
        text,
        concat!(
            r#"{"resource":{"a_b":{"x":[{"rule":[{}],"dynamic":{"rule":[{"content":[{}],"for_each":[],"iterator":"it"},"#,
            r#"{"content":[{}],"for_each":[true],"iterator":"_"}]},"n":1}]}}}"#
        )
    );
    // Static blocks that come first or last stay static; `dynamic` is moved.
    let text = config(&[(
        "main.tf",
        "resource \"a_b\" \"x\" {\n  dynamic \"disk\" {\n    for_each = []\n    content {}\n  }\n  disk {\n    n = 1\n  }\n  dynamic \"zone\" {\n    for_each = []\n    content {}\n  }\n  zone {}\n  ebs {}\n}\n",
    )]);
    assert_eq!(
        text,
        concat!(
            r#"{"resource":{"a_b":{"x":[{"dynamic":{"disk":[{"content":[{}],"for_each":[]}],"#,
            r#""zone":[{"content":[{}],"for_each":[]}]},"disk":[{"n":1}],"ebs":[{}],"zone":[{}]}]}}}"#
        )
    );
    // Nothing special is needed for static blocks before generated ones if the name of the type sorts before `dynamic`.
    let text = config(&[(
        "main.tf",
        "resource \"a_b\" \"x\" {\n  disk {}\n  dynamic \"disk\" {\n    for_each = []\n    content {}\n  }\n}\n",
    )]);
    assert_eq!(
        text,
        r#"{"resource":{"a_b":{"x":[{"disk":[{}],"dynamic":{"disk":[{"content":[{}],"for_each":[]}]}}]}}}"#
    );
}

#[test]
fn references_never_look_like_literal_texts() {
    let text = config(&[(
        "main.tf",
        "terraform {\n  backend \"gcs\" {\n    credentials = var.c\n    list = [local.a, \"b\"]\n  }\n  required_providers {\n    null = {\n      source = \"hashicorp/null\"\n      configuration_aliases = [null.b, null.a]\n    }\n  }\n}\nmodule \"m\" {\n  source = \"./m\"\n  providers = {\n    null.x = null\n    null = null.b\n  }\n  depends_on = [a_b.y.0]\n}\nresource \"a_b\" \"y\" {\n  count = 1\n}\nvariable \"c\" {}\n",
    )]);
    assert_eq!(
        text,
        concat!(
            r#"{"module":{"m":[{"depends_on":["a_b.y[0]"],"providers":{"null":"null.b","null.x":"null"},"source":"./m"}]},"#,
            r#""resource":{"a_b":{"y":[{"count":1}]}},"#,
            r#""terraform":[{"backend":{"gcs":[{"credentials":"${var.c}","list":["${local.a}","b"]}]},"#,
            r#""required_providers":[{"null":{"configuration_aliases":["null.b","null.a"],"source":"hashicorp/null"}}]}],"#,
            r#""variable":{"c":[{}]}}"#
        )
    );
}

#[test]
fn one_form_of_an_argument_and_blocks_of_its_name_stays() {
    let text = config(&[
        ("main.tf", "provider \"a\" {\n  endpoints = { b = 1 }\n  zone {}\n}\n"),
        ("override.tf", "provider \"a\" {\n  endpoints {\n    c = 2\n  }\n  zone = []\n}\n"),
    ]);
    assert_eq!(text, r#"{"provider":{"a":[{"endpoints":[{"c":2}],"zone":[]}]}}"#);
}

#[test]
fn what_one_block_cannot_hold_is_reduced_to_what_takes_effect() {
    let text = config(&[
        (
            "main.tf",
            "resource \"a_b\" \"x\" {\n  count = 1\n  lifecycle {\n    ignore_changes = [n]\n  }\n}\nvariable \"v\" {\n  type = object({ k = optional(string, \"base\") })\n  default = {}\n}\nvariable \"w\" {\n  type = bool\n  default = true\n}\n",
        ),
        (
            "override.tf",
            "resource \"a_b\" \"x\" {\n  for_each = {}\n  lifecycle {\n    ignore_changes = all\n  }\n}\nvariable \"v\" {\n  type = object({ k = optional(string, \"lost\"), l = optional(number) })\n}\nvariable \"w\" {\n  type = string\n}\n",
        ),
    ]);
    assert_eq!(
        text,
        concat!(
            r#"{"resource":{"a_b":{"x":[{"count":1,"lifecycle":[{"ignore_changes":"all"}]}]}},"#,
            r#""variable":{"v":[{"default":{"k":"base","l":null},"#,
            r#""type":"object({k = optional(string, \"base\"), l = optional(number)})"}],"#,
            r#""w":[{"default":"true","type":"string"}]}}"#
        )
    );
}

#[test]
fn an_escape_block_stays_one() {
    let text = config(&[("main.tf", "resource \"a_b\" \"x\" {\n  _ {\n    count = \"a\"\n    own = 1\n  }\n}\n")]);
    assert_eq!(text, r#"{"resource":{"a_b":{"x":[{"_":[{"count":"a"}],"own":1}]}}}"#);
}

#[test]
fn json_sources_are_given_back_as_they_are() {
    let text = config(&[(
        "main.tf.json",
        r#"{"//":"c","locals":{"a":"$${x} ${1}","b":[1.50,{"k":null}]},"variable":{"v":{"default":"${x}","//":"c"}},"resource":{"a_b":{"x":{"depends_on":["a_b.y"],"disk":[{"size":1e3}]},"y":{}}}}"#,
    )]);
    assert_eq!(
        text,
        concat!(
            r#"{"locals":[{"a":"$${x} ${1}","b":[1.50,{"k":null}]}],"#,
            r#""resource":{"a_b":{"x":[{"depends_on":["a_b.y"],"disk":[{"size":1e3}]}],"y":[{}]}},"#,
            r#""variable":{"v":[{"default":"${x}"}]}}"#
        )
    );
}

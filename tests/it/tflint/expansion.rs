//! Expansion (tflint.md, section 5).

use serde_json::json;

use super::{answer, ask, expanded, plain, reported};

async fn of(text: &str) -> String {
    plain(&expanded(json!({"main.tf": text})).await)
}

#[tokio::test]
async fn dynamic_blocks_are_expanded_at_any_depth() {
    assert_eq!(
        of("data \"a\" \"b\" {\n  disk {}\n  dynamic \"disk\" {\n    for_each = { k = \"v\" }\n    iterator = it\n    content {\n      \
            n = \"${it.key}-${it.value}\"\n      dynamic \"part\" {\n        for_each = [1, 2]\n        content {\n          p = \"${it.key}${part.value}\"\n        }\n      }\n    }\n  }\n  nic {}\n}\n").await,
        "data a b { disk { } disk { n=\"${it.key}-${it.value}\" -> \"k-v\"; part { p=\"${it.key}${part.value}\" -> \"k1\"; } \
         part { p=\"${it.key}${part.value}\" -> \"k2\"; } } nic { } }\n"
    );
    assert_eq!(
        of("resource \"a\" \"b\" {\n  dynamic \"provisioner\" {\n    for_each = [\"x\"]\n    labels = [provisioner.value]\n    content {}\n  }\n}\n").await,
        "resource a b { provisioner x { } }\n"
    );
    assert_eq!(
        of("locals {\n  l = [1]\n}\nvariable \"v\" {\n  default = [2]\n}\ndata \"a\" \"b\" {\n  dynamic \"d\" {\n    for_each = concat(local.l, var.v)\n    content {\n      n = d.value\n    }\n  }\n}\n").await.lines().last().unwrap(),
        "data a b { d { n=d.value -> 1; } d { n=d.value -> 2; } }"
    );
}

#[tokio::test]
async fn values_come_from_defaults_or_the_request() {
    let files = json!({
        "main.tf": "variable \"n\" {\n  default = 1\n}\nvariable \"s\" {\n  type = list(string)\n}\nresource \"a\" \"b\" {\n  count = var.n\n}\n\
                    data \"a\" \"b\" {\n  dynamic \"d\" {\n    for_each = var.s\n    content {\n      v = d.value\n    }\n  }\n}\n",
        "override.tf": "variable \"n\" {\n  default = 2\n}\n",
        "terraform.tfvars": "s = [\"x\"]\nunused = 1\n",
    });
    let copies = |answer: &serde_json::Value| plain(answer).matches("resource a b").count();
    let defaults = expanded(files.clone()).await;
    assert_eq!(copies(&defaults), 2, "the merged default: {}", plain(&defaults));
    assert!(plain(&defaults).contains("data a b { }"), "not known: {}", plain(&defaults));
    let given = answer(files.clone(), json!({"expand": true, "variables": {"args": [{"var": "n=3"}]}})).await;
    assert_eq!(copies(&given), 3);
    assert!(plain(&given).contains("data a b { d { v=d.value -> \"x\"; } }"), "{}", plain(&given));
    assert_eq!(reported(&given, "tool"), "");
    // A variable without a value is not a mistake here.
    let unset =
        answer(json!({"main.tf": "variable \"v\" {}\n"}), json!({"variables": {}, "include": ["variables"]})).await;
    assert_eq!(unset["valid"], true);
    assert_eq!(unset["module"]["variables"]["v"]["state"], "unknown");
}

#[tokio::test]
async fn unknown_values_are_not_errors() {
    let text = "resource \"a\" \"b\" {\n  count = data.x.y.n\n}\nresource \"a\" \"c\" {\n  count = 1\n  i = a.b[0].id\n  \
                p = path.module\n  w = terraform.workspace\n  f = provider::x::f(1)\n  s = self.z\n  lifecycle {\n    ignore_changes = [i]\n  }\n  provider = aws.x\n}\n";
    let answer = expanded(json!({"main.tf": text})).await;
    assert_eq!(reported(&answer, "tool"), "");
    assert_eq!(
        plain(&answer),
        "resource a c { count=1 -> 1; f=provider::x::f(1); i=a.b[0].id; p=path.module -> \".\"; provider=aws.x; s=self.z; \
         w=terraform.workspace -> \"default\"; lifecycle { ignore_changes=[i]; } }\n"
    );
}

#[tokio::test]
async fn secrets_are_not_substituted() {
    let text = "variable \"s\" {\n  default = [\"hush\"]\n  sensitive = true\n}\nresource \"a\" \"b\" {\n  count = 1\n  x = var.s\n  y = 1\n}\n\
                data \"a\" \"b\" {\n  dynamic \"d\" {\n    for_each = var.s\n    content {\n      v = d.value\n      w = 1\n      in {\n        u = 1\n      }\n    }\n  }\n}\n";
    let answer = ask(json!({"main.tf": text}), json!({"expand": true, "include": ["objects", "config"]})).await;
    assert_eq!(answer.status, 200);
    let shown = plain(&answer.json());
    assert!(shown.contains("resource a b { count=1 -> 1; x=var.s; y=1 -> 1; }"), "{shown}");
    assert!(shown.contains("data a b { d { v=d.value; w=1; in { u=1 -> 1; } } }"), "{shown}");
    let wrong = "variable \"s\" {\n  default = \"hush\"\n  sensitive = true\n}\nresource \"a\" \"b\" {\n  count = 1\n  x = var.s + 1\n}\n\
                 resource \"a\" \"c\" {\n  for_each = [var.s]\n}\nresource \"a\" \"d\" {\n  for_each = var.s\n}\n";
    let answer = expanded(json!({"main.tf": wrong})).await;
    assert_eq!(
        reported(&answer, "tool"),
        "main.tf:7:7 error Invalid operand\nmain.tf:13:14 error The `for_each` value is not iterable\n"
    );
    let body = answer["diagnostics"].to_string();
    assert!(!body.contains("hush"), "{body}");
}

#[tokio::test]
async fn what_cannot_be_expanded_is_reported_and_left_out() {
    for (body, wanted) in [
        ("count = null", "2:11 error Invalid count argument\n"),
        ("count = -1", "2:11 error Invalid count argument\n"),
        ("count = 1.5", "2:11 error Invalid count argument\n"),
        ("count = 1e30", "2:11 error Invalid count argument\n"),
        ("count = []", "2:11 error Incorrect value type\n"),
        ("count = \"x\"", "2:11 error Incorrect value type\n"),
        ("count = var.nope", "2:11 error Reference to undeclared input variable\n"),
        ("count = local.nope", "2:11 error Reference to undeclared local value\n"),
        ("count = local.a", "13:7 error circular reference found\n"),
        ("count = path.nope", "2:11 error Invalid \"path\" attribute\n"),
        ("count = terraform.nope", "2:11 error Invalid \"terraform\" attribute\n"),
        ("count = nope", "2:11 error Invalid reference\n"),
        ("for_each = 1", "2:14 error The `for_each` value is not iterable\n"),
        ("for_each = null", "2:14 error Invalid for_each argument\n"),
    ] {
        let text = format!(
            "resource \"a\" \"b\" {{\n  {body}\n}}\nwidget {{}}\n\n\n\n\n\nlocals {{\n  a = local.b\n  \n  b = local.a\n}}\n"
        );
        let answer = expanded(json!({"main.tf": text})).await;
        assert_eq!(reported(&answer, "tool").replace("main.tf:", ""), wanted, "{body}");
        assert!(!plain(&answer).contains("resource") && plain(&answer).contains("widget"), "{body}");
        // Without expansion it is not checked.
        assert_eq!(super::merged(json!({"main.tf": text})).await["diagnostics"], json!([]), "{body}");
    }
    for (body, wanted) in [
        ("content {}", "3:15 error Missing required argument\n"),
        ("for_each = 1\n    content {}", "4:16 error Invalid dynamic for_each value\n"),
        ("for_each = null\n    content {}", "4:16 error Invalid dynamic for_each value\n"),
        ("for_each = [1]", "3:15 error Missing dynamic content block\n"),
        ("for_each = [1]\n    content {}\n    content {}", "6:5 error Extraneous dynamic content block\n"),
        ("for_each = [1]\n    iterator = a.b\n    content {}", "5:16 error Invalid dynamic iterator name\n"),
        ("for_each = [1]\n    iterator = 1\n    content {}", "5:16 error Invalid expression\n"),
        (
            "for_each = [1]\n    x = 1\n    y {}\n    content {}",
            "5:5 error Unsupported argument\n6:5 error Unsupported block type\n",
        ),
    ] {
        let text = format!("data \"a\" \"b\" {{\n  n = 1\n  dynamic \"d\" {{\n    {body}\n  }}\n}}\n");
        let answer = expanded(json!({"main.tf": text})).await;
        assert_eq!(reported(&answer, "tool").replace("main.tf:", ""), wanted, "{body}");
        assert_eq!(plain(&answer), "data a b { n=1; }\n");
    }
    for (labels, wanted) in [
        ("labels = [\"x\", \"y\"]", "5:20 error Extraneous dynamic block label\n"),
        ("labels = []", "5:14 error Insufficient dynamic block labels\n"),
        ("labels = [null]", "5:15 error Invalid dynamic block label\n"),
        ("labels = [[]]", "5:15 error Invalid dynamic block label\n"),
        ("", "3:25 error Missing required argument\n"),
    ] {
        let text = format!(
            "resource \"a\" \"b\" {{\n  n = 1\n  dynamic \"provisioner\" {{\n    for_each = [1]\n    {labels}\n    content {{}}\n  }}\n}}\n"
        );
        let answer = expanded(json!({"main.tf": text})).await;
        assert_eq!(reported(&answer, "tool").replace("main.tf:", ""), wanted, "{labels}");
    }
    // Lists of references are bound if they are known; if not, nothing is reported about them.
    let lists = "resource \"a\" \"b\" {\n  count = 1\n  depends_on = []\n  lifecycle {\n    ignore_changes = [tags]\n  }\n}\n";
    let answer = expanded(json!({"main.tf": lists})).await;
    assert_eq!(reported(&answer, "tool"), "");
    assert_eq!(
        plain(&answer),
        "resource a b { count=1 -> 1; depends_on=[] -> []; lifecycle { ignore_changes=[tags]; } }\n"
    );
    // The tool does not expand a module that cannot be loaded: mistakes in its copies would be reported later.
    let broken = "resource \"a\" \"b\" {\n  count = []\n}\nlocals {\n  more {}\n}\n";
    let answer = expanded(json!({"main.tf": broken})).await;
    assert_eq!(reported(&answer, "tool"), "main.tf:5:3 error Unexpected \"more\" block\n");
    assert_eq!(reported(&answer, "tool-later"), "main.tf:2:11 error Incorrect value type\n");
    // An argument inside a copy that cannot be evaluated keeps its expression.
    let answer = expanded(json!({"main.tf": "resource \"a\" \"b\" {\n  count = 1\n  x = 1 + []\n}\n"})).await;
    assert_eq!(reported(&answer, "tool"), "main.tf:3:11 error Invalid operand\n");
    assert_eq!(plain(&answer), "resource a b { count=1 -> 1; x=1 + []; }\n");
}

#[tokio::test]
async fn other_dialects_are_not_expanded() {
    for dialect in ["terraform", "opentofu", "sentinel"] {
        let answer = ask(json!({"main.tf": ""}), json!({"dialect": dialect, "expand": true})).await;
        assert_eq!(answer.problem(400, "bad-option")["pointer"], "/expand");
    }
}

#[tokio::test]
async fn json_is_expanded_too() {
    let text = r#"{"resource": {"a": {"b": {"count": 2, "x": "${count.index}",
        "dynamic": {"disk": {"for_each": ["p", "q"], "content": {"v": "${disk.value}-${count.index}"}}}}}}}"#;
    let answer = expanded(json!({"main.tf.json": text})).await;
    let copy = |i: usize| {
        let disk = |of: &str| format!("disk {{ v=\"${{disk.value}}-${{count.index}}\" -> \"{of}-{i}\"; }}");
        format!("resource a b {{ count=2 -> 2; x=\"${{count.index}}\" -> {i}; {} {} }}\n", disk("p"), disk("q"))
    };
    assert_eq!(plain(&answer), copy(0) + &copy(1));
}

//! variables.md, sections B2 and B4: which definitions files are read, and how.

use serde_json::{Value, json};

use super::{Run, check};

/// Returns the value that a definitions file gives to `x`, whatever its type, and what is reported.
async fn given(text: &str) -> (Value, String) {
    let mut reported = String::new();
    for (ty, default) in [("string", "\"d\""), ("list", "[\"d\"]"), ("map", "{ d = 1 }")] {
        let declaration = format!("variable \"x\" {{\n type = \"{ty}\"\n default = {default}\n}}\n");
        let files = [("main.tf", declaration.as_str()), ("some.values", text)];
        let answer = Run { files: &files, args: &["@some.values"], ..Run::default() }.answer().await;
        reported = super::findings(&answer);
        if answer["valid"] == true {
            return (answer["module"]["variables"]["x"]["value"].clone(), reported);
        }
    }
    (Value::Null, reported)
}

#[tokio::test]
async fn both_forms_are_reported_by_their_content() {
    for (text, value) in [
        ("x = 1.50", json!("1.5")),
        ("\"x\" = true", json!("1")),
        ("x = \"${y} $${z}\"", json!("${y} $${z}")),
        ("x = <<E\na\nE\n", json!("a\n")),
        ("# only\nx = \"a\" // a\n/* and */ y = 2", json!("a")),
        ("x = \"a\"\nx = \"b\"", json!("b")),
        ("x = [1]\nx = [2]", json!(["1", "2"])),
        ("x = \"a\", y = \"b\"", json!("a")),
        ("x { a = 1 }", json!({"a": "1", "d": "1"})),
        ("x = { a = { b = 1 } }", json!({"a": {"b": "1"}, "d": "1"})),
        ("x \"a\" { b = 1 }", json!({"a": {"b": "1"}, "d": "1"})),
        ("x = { a = 1 a = 2 }", json!({"a": "2", "d": "1"})),
        ("x = { a { b = 1 } a { c = 2 } }", json!({"a": {"b": "1", "c": "2"}, "d": "1"})),
        ("x = [{ a = 1 }, [2, [3]], 4]", json!([{"a": "1"}, ["2", ["3"]], "4"])),
        ("x = \"a\\r\"\r\n", json!("a\r")),
        ("", json!("d")),
        ("# nothing", json!("d")),
        // A name without a value at the very end is dropped.
        ("x = \"a\"\ny =", json!("a")),
        ("x =\n# nothing\n", json!("d")),
        // JSON.
        (" \n\t{\"x\": 1.50}", json!("1.5")),
        ("{\"x\": true}", json!("1")),
        ("{\"x\": \"\\u00e9 \\\"q\\\" ${y}\"}", json!("\u{e9} \"q\" ${y}")),
        ("{\"x\": [\"a\", 1, {\"b\": true}]}", json!(["a", "1", {"b": "1"}])),
        ("{\"x\": {\"a\": [], \"b\": {\"c\": {}}}}", json!({"a": [], "b": {"c": {}}, "d": "1"})),
        ("{\"x\": {}}", json!({"d": "1"})),
        ("{\"x\": []}", json!([])),
        ("{}", json!("d")),
        ("{\"x\": \"a\", \"x\": \"b\"}", json!("b")),
        // An array with one object is a map.
        ("{\"x\": [{\"a\": 1}]}", json!({"a": "1", "d": "1"})),
        // A map that contains one map is a map, too.
        ("{\"x\": {\"a\": {\"b\": 1}}}", json!({"a": {"b": "1"}, "d": "1"})),
    ] {
        let (found, reported) = given(text).await;
        assert_eq!(found, value, "{text}\n{reported}");
        assert!(!reported.contains("error"), "{text}\n{reported}");
    }
}

#[tokio::test]
async fn json_loses_what_the_tool_loses_and_notes_it() {
    for (text, value, notes) in [
        ("{\"x\": null}", json!(""), 1),
        ("{\"x\": [true, \"a\", false]}", json!(["a"]), 2),
        (
            "{\"x\": {\"a\": null, \"b\": [true, 1, {\"c\": false}]}}",
            json!({"a": "", "b": ["1", {"c": "0"}], "d": "1"}),
            2,
        ),
        // The remainder is an array with one object, which is a map.
        ("{\"x\": [true, {\"a\": 1}]}", json!({"a": "1", "d": "1"}), 1),
    ] {
        let (found, reported) = given(text).await;
        assert_eq!(found, value, "{text}\n{reported}");
        let infos = reported.lines().filter(|line| line.starts_with("info !some.values:1:")).count();
        assert_eq!(infos, notes, "{text}\n{reported}");
    }
}

#[tokio::test]
async fn a_broken_file_yields_no_values_and_its_error_has_a_position() {
    for (text, wanted) in [
        ("x = bare", "error some.values:1:5 Error parsing some.values: At 1:5: Unknown token: 1:5 IDENT bare"),
        ("\u{feff}x = 1", "error some.values:1:1 Error parsing some.values: At 1:1: illegal char"),
        ("x = {\n a =", "error some.values:1:5 Error parsing some.values: object expected closing RBRACE got: EOF"),
        ("x = null", "error some.values:1:5 Error parsing some.values: At 1:5: Unknown token: 1:5 IDENT null"),
        (
            "x = [null]",
            "error some.values:1:6 Error parsing some.values: At 1:6: unexpected token while parsing list: IDENT",
        ),
        (
            "x",
            "error some.values:1:1 Error parsing some.values: key 'x' expected start of object ('{') or assignment ('=')",
        ),
        (
            "x = {\n a = 1\n}\nx = {\n b = 2\n}",
            "error some.values:4:5 multiple map declarations not supported for variables",
        ),
        ("x { a = 1 }\nx { b = 1 }", "error some.values:2:3 multiple map declarations not supported for variables"),
        ("y {}\ny {}\nx = 1", "error some.values:2:3 multiple map declarations not supported for variables"),
        (
            "{\"x\": [{\"a\": 1}, {\"b\": 2}]}",
            "error some.values:1:18 multiple map declarations not supported for variables",
        ),
        // An object that contains only objects is unfolded.
        (
            "{\"x\": {\"a\": {\"k\": 1}, \"b\": {\"k\": 2}}}",
            "error some.values:1:28 multiple map declarations not supported for variables",
        ),
        ("x = \"a\"\nx = [1]", "error some.values:2:5 Error decoding Terraform vars file"),
        ("x = \"a\"\nx = 1.5", "error some.values:2:5 Error decoding Terraform vars file"),
        ("x = 1\nx = true", "error some.values:2:5 Error decoding Terraform vars file"),
        ("x = {}\nx = \"a\"", "error some.values:2:5 Error decoding Terraform vars file"),
        ("x = { a = \"b\" a { c = 1 } }", "error some.values:1:17 Error decoding Terraform vars file"),
        ("x \"a\" { b = 1 }\nx { c = 1 }", "error some.values:2:3 Error decoding Terraform vars file"),
        (
            "{\"x\": [null]}",
            "error some.values:1:8 Error parsing some.values: unexpected token while parsing list: NULL",
        ),
    ] {
        let (found, reported) = given(text).await;
        assert_eq!(found, Value::Null, "{text}\n{reported}");
        assert!(reported.lines().any(|line| line == wanted), "{text}\n--- reported\n{reported}--- wanted\n{wanted}");
    }
}

#[tokio::test]
async fn automatic_files_are_read_in_order_and_others_ignored() {
    let main = "variable \"x\" { default = [] }\nvariable \"y\" { default = {} }\n";
    let names = [
        "#.auto.tfvars",
        "#a.auto.tfvars#",
        ".auto.tfvars",
        ".b.auto.tfvars",
        "10.auto.tfvars",
        "9.auto.tfvars.json",
        "A.auto.tfvars",
        "a-b.auto.tfvars",
        "a.auto.tfvars",
        "a.auto.tfvars.json",
        "a.auto.tfvars~",
        "a.AUTO.tfvars",
        "sub/b.auto.tfvars",
        "terraform.tfvars",
        "terraform.tfvars.json",
        "x.tfvars",
        "z.auto.tfvars/inner",
        "terraform.tfvars~",
        "auto.tfvars",
    ];
    let texts: Vec<String> =
        names.iter().map(|name| format!("x = [\"{name}\"]\ny = {{ \"{name}\" = 1 }}\n")).collect();
    let files: Vec<(&str, &str)> = std::iter::once(("main.tf", main))
        .chain(names.iter().copied().zip(texts.iter().map(String::as_str)))
        .collect();
    let answer = Run { files: &files, ..Run::default() }.answer().await;
    assert_eq!(answer["valid"], true, "{}", answer["diagnostics"]);
    let order = [
        "terraform.tfvars",
        "terraform.tfvars.json",
        "#.auto.tfvars",
        "10.auto.tfvars",
        "9.auto.tfvars.json",
        "A.auto.tfvars",
        "a-b.auto.tfvars",
        "a.auto.tfvars",
        "a.auto.tfvars.json",
    ];
    let (x, y) = (&answer["module"]["variables"]["x"], &answer["module"]["variables"]["y"]);
    assert_eq!((&x["value"], &x["from"]["path"]), (&json!(["a.auto.tfvars.json"]), &json!("a.auto.tfvars.json")));
    let paths = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().filter_map(|from| Some(from["path"].as_str()?.to_owned())).collect()
    };
    assert_eq!(paths(&y["from"]), order);
    let mut hidden = paths(&x["superseded"]);
    hidden.reverse();
    assert_eq!(hidden, order[..8]);
    assert_eq!(y["value"].as_object().unwrap().len(), order.len());
}

#[tokio::test]
async fn named_files_are_found_from_the_module_directory() {
    let files = [
        ("m/main.tf", "variable \"x\" {}\n"),
        ("m/terraform.tfvars", "x = \"m\"\n"),
        ("terraform.tfvars", "x = \"top\"\n"),
        ("up.tfvars", "x = \"up\"\n"),
    ];
    let mut request = json!({
        "files": {}, "dialect": "terraform-0.11", "root": "m", "include": ["variables"],
        "variables": {"args": [{"var_file": "../up.tfvars"}, {"var_file": "./terraform.tfvars"}]},
    });
    for (path, text) in files {
        request["files"][path] = json!(text);
    }
    let answer = crate::http::post("application/json", request.to_string()).await.json();
    let x = &answer["module"]["variables"]["x"];
    assert_eq!((&x["value"], &x["from"]["index"]), (&json!("m"), &json!(1)), "{answer}");
}

#[tokio::test]
async fn files_that_cannot_be_read_are_reported() {
    let files = [("main.tf", "variable \"x\" {}\n"), ("d/x.tfvars", "x = 1"), ("terraform.tfvars/y", "x = 1")];
    for (option, title) in [
        ("@no.tfvars", "Error reading no.tfvars: open no.tfvars: no such file or directory"),
        ("@d", "Error reading d: read d: is a directory"),
        ("@d/", "Error reading d/: read d/: is a directory"),
        ("@../x.tfvars", "Error reading ../x.tfvars: open ../x.tfvars: no such file or directory"),
        ("@/etc/passwd", "Error reading /etc/passwd: open /etc/passwd: no such file or directory"),
        ("@", "Error reading : open : no such file or directory"),
    ] {
        let answer = Run { files: &files[..2], args: &[option], ..Run::default() }.post().await;
        let problem = answer.problem(422, "var-file-not-found");
        assert_eq!(problem["diagnostics"][0]["summary"], title, "{problem}");
    }
    // A folder in place of an automatic file is reported as the tool reports it.
    let answer = Run { files: &files, ..Run::default() }.post().await;
    assert_eq!(answer.status, 200);
    let answer = answer.json();
    let reported: Vec<&Value> = answer["diagnostics"].as_array().unwrap().iter().map(|d| &d["summary"]).collect();
    assert_eq!(reported, ["Error reading terraform.tfvars: read terraform.tfvars: is a directory"]);
    // A folder whose name merely ends like one is not reported.
    let files = [("main.tf", "variable \"x\" { default = 1 }\n"), ("a.auto.tfvars/y", "x = 2")];
    check(Run { files: &files, ..Run::default() }, "x: string \"1\" < default").await;
}

#[tokio::test]
async fn invalid_utf8_is_reported() {
    let request = json!({
        "files": {"main.tf": "variable \"x\" { default = 1 }\n", "terraform.tfvars": {"base64": "eCA9ICL/Ig=="}},
        "dialect": "terraform-0.11", "include": ["variables"], "variables": {},
    });
    let answer = crate::http::post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200);
    let found = &answer.json()["diagnostics"][0];
    assert_eq!(
        (&found["severity"], &found["range"]["filename"]),
        (&json!("error"), &json!("terraform.tfvars")),
        "{found}"
    );
}

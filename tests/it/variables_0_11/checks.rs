//! variables.md, section B5: final checks, and which mistakes the tool itself would show.

use serde_json::json;

use super::Run;

fn joined(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().concat()
}

/// Adversarial inputs: every text below yields an answer in reasonable time.
#[tokio::test]
async fn odd_inputs_are_answered() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(5_000), close.repeat(5_000));
    let texts = [
        deep("[", "]"),
        deep("{a=", "}"),
        deep("a {", "}"),
        deep("{\"a\":", "}"),
        "[".repeat(30_000),
        "{".repeat(30_000),
        "\"${".repeat(10_000),
        "a = 1\n".repeat(10_000),
        "a = [1]\n".repeat(5_000),
        "a \"b\" { c = 1 }\n".repeat(5_000),
        joined(5_000, |n| format!("a{n} \"b\" {{ c = 1 }}\n")),
        "{\"a\":[".repeat(3_000),
        format!("{{\"a\": [{}]}}", "{\"b\": 1},".repeat(5_000)),
        "a = \u{0}".to_owned(),
        "a = \"\\u{10ffff}\"".to_owned(),
        "x = 1 }".to_owned(),
        "x = ".to_owned(),
        "= 1".to_owned(),
        "{".to_owned(),
        "{\"x\"".to_owned(),
        "{\"x\":".to_owned(),
        "<<EOF".to_owned(),
        "x = <<EOF".to_owned(),
        "x = <<-\n".to_owned(),
        "/*".to_owned(),
    ];
    for text in &texts {
        let start: String = text.chars().take(40).collect();
        let files = [("main.tf", "variable \"x\" { default = { k = 1 } }\n"), ("terraform.tfvars", text.as_str())];
        let option = format!("x={text}");
        for run in [
            Run { files: &files, ..Run::default() },
            Run { files: &files[..1], args: &[&option], ..Run::default() },
            Run { files: &files[..1], env: &[("TF_VAR_x", text)], ..Run::default() },
        ] {
            let answer = run.post().await;
            assert_eq!(answer.status, 200, "{start}");
        }
        let declared = format!("variable \"x\" {{\n default = {text}\n}}\n");
        let answer = Run { files: &[("main.tf", declared.as_str())], ..Run::default() }.post().await;
        assert_eq!(answer.status, 200, "{start}");
    }
}

#[tokio::test]
async fn many_sources_cost_no_more_than_their_size() {
    let names: Vec<String> = (0..300).map(|n| format!("{n:03}.auto.tfvars")).collect();
    let texts: Vec<String> =
        (0..300).map(|n| format!("m = {{ {} }}\n", joined(100, |k| format!("k{n}_{k} = {k}, ")))).collect();
    let main: String = joined(2_000, |n| format!("variable \"v{n}\" {{ default = {{}} }}\n"));
    let main = format!("variable \"m\" {{ default = {{}} }}\n{main}");
    let files: Vec<(&str, &str)> = std::iter::once(("main.tf", main.as_str()))
        .chain(names.iter().map(String::as_str).zip(texts.iter().map(String::as_str)))
        .collect();
    let answer = Run { files: &files, ..Run::default() }.answer().await;
    assert_eq!(answer["valid"], true, "{}", answer["diagnostics"]);
    let m = &answer["module"]["variables"]["m"];
    assert_eq!((m["value"].as_object().unwrap().len(), m["from"].as_array().unwrap().len()), (30_000, 301));
}

/// Values of options come from the client, and messages may quote them, but no log and no other variable does.
#[tokio::test]
async fn nothing_is_sensitive_here() {
    let files = [("main.tf", "variable \"x\" {}\n")];
    let answer = Run { files: &files, args: &["x=1"], ..Run::default() }.answer().await;
    let x = &answer["module"]["variables"]["x"];
    assert_eq!(
        (&x["sensitive"], &x["value"], &x["state"], &x["value_type"]),
        (&json!(false), &json!("1"), &json!("known"), &json!("string"))
    );
    assert!(x.get("redacted").is_none() && x.get("nullable").is_none(), "{x}");
}

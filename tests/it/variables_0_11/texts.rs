//! variables.md, section B3: values given as text.

use super::{Run, check};

/// Checks the effect of the option `-var x=TEXT` on a variable of the type; `wanted` is in the format of `reported`.
async fn option(ty: &str, text: &str, wanted: &str) {
    let declaration = format!("variable \"x\" {{ type = \"{ty}\" }}\n");
    let (files, option) = ([("main.tf", declaration.as_str())], format!("x={text}"));
    check(Run { files: &files, args: &[&option], ..Run::default() }, wanted).await;
}

/// Checks the same for the environment.
async fn environment(ty: &str, text: &str, wanted: &str) {
    let declaration = format!("variable \"x\" {{ type = \"{ty}\" }}\n");
    let files = [("main.tf", declaration.as_str())];
    check(Run { files: &files, env: &[("TF_VAR_x", text)], ..Run::default() }, wanted).await;
}

#[tokio::test]
async fn numbers_and_booleans_of_an_option_stay_as_written() {
    for text in [
        "1",
        " 1 ",
        "007",
        "+5",
        "-0",
        "1.50",
        " 1e3",
        "1e-400",
        ".5",
        "5.",
        "0x1f",
        "0x-1F",
        "inf",
        "-Infinity",
        "NaN",
        "t",
        "T",
        "TRUE",
        "true",
        "True",
        "0",
        "f",
        "F",
        "FALSE",
        "false",
        "False",
        "99999999999999999999",
        "\u{a0}7\u{3000}",
    ] {
        option("string", text, &format!("x: string {} < -var 0", serde_json::json!(text))).await;
    }
}

#[tokio::test]
async fn parsable_text_is_parsed_and_other_text_stays_raw() {
    for (text, value) in [
        // Parsed: quotes and comments are removed, numbers in other notations are rewritten.
        ("\"a\"", "a"),
        ("  \"a\"  # why", "a"),
        ("\"\"", ""),
        ("\"${var.y}\"", "${var.y}"),
        ("\"a\\tb\"", "a\tb"),
        ("0X1F", "31"),
        ("-0x10", "-16"),
        ("1 // one", "1"),
        ("true /* yes */", "1"),
        ("\"a\",", "a"),
        // Not parsed.
        ("word", "word"),
        ("two words", "two words"),
        (" padded ", " padded "),
        ("a=b", "a=b"),
        ("tRUE", "tRUE"),
        ("1_000", "1_000"),
        ("1 2", "1 2"),
        ("${var.y}", "${var.y}"),
        ("null", "null"),
        ("a\nb", "a\nb"),
        ("it's", "it's"),
        ("0x", "0x"),
        ("08x", "08x"),
        ("x = 1", "x = 1"),
        ("<<E\nline", "<<E\nline"),
        // A heredoc needs the end of its last line, which is trimmed away.
        ("<<E\nline\nE\n", "<<E\nline\nE\n"),
        ("\u{e9}", "\u{e9}"),
        // A bare word in place of a value keeps even text that looks like a map as it is.
        ("{a = b}", "{a = b}"),
        ("[{a = b}]", "[{a = b}]"),
        ("{a = \"x\", b = y}", "{a = \"x\", b = y}"),
        // Nothing at all.
        ("", ""),
        (" \t\n", ""),
    ] {
        option("string", text, &format!("x: string {} < -var 0", serde_json::json!(value))).await;
    }
}

#[tokio::test]
async fn unclosed_text_is_an_error() {
    for (text, why) in [
        ("\"a", "At 1:7: literal not terminated"),
        ("[1", "At 1:7: error parsing list, expected comma or list end, got: EOF"),
        ("[a]", "At 1:6: unexpected token while parsing list: IDENT"),
        ("{a}", "key 'a' expected start of object ('{') or assignment ('=')"),
        ("{\"a\": 1}", "At 1:9: illegal char"),
        ("{a = 1", "object expected closing RBRACE got: EOF"),
        ("[\"a\" \"b\"]", "At 1:10: error parsing list, expected comma or list end, got: STRING"),
    ] {
        let wanted = format!(
            "x: list null < nothing\nerror Cannot parse value for variable ({}) as valid HCL: {why}",
            serde_json::json!(text)
        );
        option("list", text, &wanted).await;
    }
    for (text, wanted) in [
        (
            "\"a\"\nbar = 1",
            "error Cannot parse value for variable (\"\\\"a\\\"\\nbar = 1\") as valid HCL: Only one value may be specified.",
        ),
        ("{a = 1}\nfoo = {b = 2}", "error multiple map declarations not supported for variables"),
    ] {
        option("string", text, &format!("x: string null < nothing\n{wanted}")).await;
    }
}

#[tokio::test]
async fn unrepresentable_values_are_lost() {
    for text in ["0xFFFFFFFFFFFFFFFFFF", "1e999", "-1e999", "# only a comment", "/* so */"] {
        option("string", text, "x: string \"\" < -var 0\ninfo !Option value becomes an empty string").await;
    }
    let wanted = "x: list null < -var 0\ninfo !Option value becomes an empty string\nerror main.tf:1:1 variable x should be type list, got string";
    option("list", "[99999999999999999999]", wanted).await;
}

#[tokio::test]
async fn an_option_is_read_whatever_the_type() {
    for (ty, text, wanted) in [
        ("list", "[\"a\", true, 1.50,]", "x: list [\"a\",\"1\",\"1.5\"] < -var 0"),
        ("map", "{ a = 1, b { c = [] } }", "x: map {\"a\":\"1\",\"b\":{\"c\":[]}} < -var 0"),
        ("map", "{}", "x: map {} < -var 0"),
        ("list", "[]", "x: list [] < -var 0"),
        ("list", "a", "x: list null < -var 0\nerror main.tf:1:1 variable x should be type list, got string"),
        ("list", "{}", "x: list null < -var 0\nerror main.tf:1:1 variable x should be type list, got map"),
        ("list", "5", "x: list null < -var 0\nerror main.tf:1:1 variable x should be type list, got string"),
        ("list", "-0x5", "x: list null < -var 0\nerror main.tf:1:1 variable x should be type list, got number"),
        ("map", "a", "x: map null < -var 0\nerror main.tf:1:1 variable x should be type map, got string"),
        ("map", "[]", "x: map null < -var 0\nerror main.tf:1:1 variable x should be type map, got list"),
        ("map", "[{a = 1}]", "x: map null < -var 0\nerror main.tf:1:1 variable x should be type map, got list"),
        ("map", "", "x: map null < -var 0\nerror main.tf:1:1 variable x should be type map, got string"),
        ("string", "[]", "x: string null < -var 0\nerror main.tf:1:1 variable x should be type string, got list"),
    ] {
        option(ty, text, wanted).await;
    }
}

#[tokio::test]
async fn the_name_of_an_option_is_trimmed() {
    for (text, wanted) in [
        ("\t x\u{a0} =1", "x: string \"1\" < -var 0"),
        ("x==1", "x: string \"=1\" < -var 0"),
        ("x", "x: string null < nothing\nerror No '=' value in arg: x"),
        ("=1", "x: string null < nothing\nerror No key to left '=' in arg: =1"),
        ("  =1", "x: string null < nothing\nerror No key to left '=' in arg:   =1"),
    ] {
        check(Run { files: &[("main.tf", "variable \"x\" {}\n")], args: &[text], ..Run::default() }, wanted).await;
    }
}

#[tokio::test]
async fn the_environment_gives_a_text_verbatim_without_quotes_at_its_ends() {
    for (text, value) in [
        ("", ""),
        ("\"", ""),
        ("\"\"\"a\" \"b\"\"", "a\" \"b"),
        (" \"a\" ", " \"a\" "),
        ("0X1F", "0X1F"),
        ("a # b", "a # b"),
        ("\"a\\nb\"", "a\\nb"),
        ("{a = 1}", "{a = 1}"),
        ("true", "true"),
        ("e\u{301}", "e\u{301}"),
    ] {
        environment("string", text, &format!("x: string {} < env TF_VAR_x", serde_json::json!(value))).await;
    }
}

#[tokio::test]
async fn the_environment_gives_lists_and_maps_in_the_syntax() {
    let broken = |ty: &str, text: &str, why: &str| {
        format!(
            "x: {ty} null < env TF_VAR_x\nerror Cannot parse value for variable x ({}) as valid HCL: {why}",
            serde_json::json!(text)
        )
    };
    for (ty, text, wanted) in [
        ("list", "", "x: list [] < env TF_VAR_x".to_owned()),
        ("list", " \n", "x: list [] < env TF_VAR_x".to_owned()),
        ("map", "\t", "x: map {} < env TF_VAR_x".to_owned()),
        ("list", "[1, [true], {a = 2}]", "x: list [\"1\",[\"1\"],{\"a\":\"2\"}] < env TF_VAR_x".to_owned()),
        (
            "map",
            "{ a = [1], b { c = 2 } } # so",
            "x: map {\"a\":[\"1\"],\"b\":{\"c\":\"2\"}} < env TF_VAR_x".to_owned(),
        ),
        // Any value is accepted for a list here, to be rejected later; to the program, braces are a list of maps.
        (
            "list",
            "5",
            "x: list null < env TF_VAR_x\nerror main.tf:1:1 variable x should be type list, got number".to_owned(),
        ),
        (
            "list",
            "true",
            "x: list null < env TF_VAR_x\nerror main.tf:1:1 variable x should be type list, got boolean".to_owned(),
        ),
        (
            "list",
            "\"a\"",
            "x: list null < env TF_VAR_x\nerror main.tf:1:1 variable x should be type list, got string".to_owned(),
        ),
        (
            "list",
            "{a = 1}",
            "x: list null < env TF_VAR_x\nerror main.tf:1:1 variable x should be type list, got list".to_owned(),
        ),
        ("map", "[{a = 1}]", broken("map", "[{a = 1}]", "One value must be specified.")),
        ("map", "\"a\"", broken("map", "\"a\"", "One value must be specified.")),
        ("map", "{a = 1}\nb = 2", broken("map", "{a = 1}\nb = 2", "Only one value may be specified.")),
        ("map", "{\"a\": 1}", broken("map", "{\"a\": 1}", "At 1:43: illegal char")),
        ("map", "a", broken("map", "a", "At 1:39: Unknown token: 1:39 IDENT a")),
        ("list", "[1", broken("list", "[1", "At 1:41: error parsing list, expected comma or list end, got: EOF")),
    ] {
        environment(ty, text, &wanted).await;
    }
}

#[tokio::test]
async fn names_in_the_environment_are_exact() {
    let files = [("main.tf", "variable \"x-y\" {}\nvariable \"0\" {}\nvariable \"A\" { default = \"d\" }\n")];
    let env = [("TF_VAR_x-y", "1"), ("TF_VAR_0", "2"), ("TF_VAR_a", "3"), ("tf_var_A", "4"), ("TF_VAR_", "5")];
    check(
        Run { files: &files, env: &env, ..Run::default() },
        r#"
        0: string "2" < env TF_VAR_0
        A: string "d" < default
        x-y: string "1" < env TF_VAR_x-y
        info !Value for undeclared variable ignored
        info !Value for undeclared variable ignored
        "#,
    )
    .await;
}

#[tokio::test]
async fn long_texts_are_cut_in_titles() {
    let text = format!("x=[{}", "a".repeat(100_000));
    let answer =
        Run { files: &[("main.tf", "variable \"x\" {}\n")], args: &[&text], ..Run::default() }.answer().await;
    let found = &answer["diagnostics"][0];
    assert_eq!(found["code"], "variable/text-unreadable", "{found}");
    assert!(found["summary"].as_str().unwrap().chars().count() < 400, "{found}");
}

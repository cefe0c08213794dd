//! Findings about values of typed variables and about validation rules.

use super::{Run, lines};

fn run<'a>(files: &'a [(&'a str, &'a str)]) -> Run<'a> {
    Run { at: "terraform", files, values: true, ..Run::default() }
}

/// Up to two values for undeclared variables are reported individually, further ones as a number.
#[tokio::test]
async fn undeclared_values_are_summarized() {
    for (given, rest) in [(2, None), (3, Some("1 more value is given")), (5, Some("3 more values are given"))] {
        let file = (0..given).map(|at| format!("a{at} = {at}\n")).collect::<Vec<_>>().concat();
        let files = [("main.tf", ""), ("terraform.tfvars", file.as_str())];
        let found = run(&files).found().await;
        let one = "- warning tool Value for undeclared variable";
        assert_eq!(found.iter().filter(|line| *line == one).count(), 2, "{found:?}");
        assert_eq!(found.len(), 2 + usize::from(rest.is_some()), "{found:?}");
        let details = run(&files).details().await;
        assert!(rest.is_none_or(|words| details.contains(words)), "{details}");
    }
}

#[tokio::test]
async fn option_names_cannot_end_with_a_space() {
    let files = [("main.tf", "variable \"v\" {\n  default = 1\n}\n")];
    let of = async |option: &str| Run { args: &[option], ..run(&files) }.found().await;
    assert_eq!(of("v =1").await, ["- error tool Invalid -var option"]);
    assert!(of("v=1").await.is_empty());
}

/// TFLint continues with an unknown value if none is given, but not if the given value cannot be read.
#[tokio::test]
async fn a_value_that_cannot_be_read_leaves_a_required_variable_unset() {
    let files = [("main.tf", "variable \"v\" {\n  type = list(string)\n}\n")];
    let unset = Run { at: "tflint", ..run(&files) };
    assert!(unset.found().await.is_empty());
    let found = Run { args: &["v=["], ..unset }.found().await;
    assert!(found.contains(&"main.tf:1:1 error tool No value for required variable".to_owned()), "{found:?}");
}

/// A null given for a non-nullable variable is replaced by the default, which does not help if the default is null too.
/// A default without a given value is used unchecked.
#[tokio::test]
async fn a_null_default_does_not_replace_null() {
    let files = [
        ("main.tf", "variable \"v\" {\n  type     = string\n  default  = null\n  nullable = false\n}\n"),
        ("terraform.tfvars", "v = null\n"),
    ];
    let answer = Run { at: "tflint", ..run(&files) }.answer().await;
    assert_eq!(lines(&answer), ["terraform.tfvars:1:5 error tool Required variable not set -> main.tf:1:1"]);
    assert_eq!(answer["module"]["variables"]["v"]["state"], "error");
}

#[tokio::test]
async fn errors_about_secret_values_give_no_reason() {
    let main = |more: &str| format!("variable \"v\" {{\n  type = object({{ a = number }})\n{more}}}\n");
    let (open, secret) = (main(""), main("  sensitive = true\n"));
    let of = async |text: &str| {
        let files = [("main.tf", text)];
        Run { args: &["v={a=\"hunter2\"}"], ..run(&files) }.details().await
    };
    assert!(of(&open).await.contains("(at .a): this must be a number"));
    let withheld = of(&secret).await;
    assert!(withheld.contains("so the reason is not shown") && !withheld.contains("a number"), "{withheld}");
}

// Values while a module is loaded.

/// The value may have been in the file that cannot be read, so nothing is reported about the variable.
#[tokio::test]
async fn a_broken_file_may_have_held_the_value() {
    let main = "variable \"v\" {}\nmodule \"m\" {\n  source = var.v\n}\n";
    let of = async |file: &str| {
        let files = [("main.tf", main), ("terraform.tfvars", file)];
        Run { at: "opentofu", ..run(&files) }.found().await
    };
    let broken = of("v = [(\n").await;
    assert_eq!(broken.len(), 2, "{broken:?}");
    assert_eq!(broken[0], "main.tf:3:12 info overfold Not evaluated");
    assert!(broken[1].starts_with("terraform.tfvars:2:1 error tool "), "{broken:?}");
    assert!(of("").await[0].starts_with("main.tf:1:1 error tool Failed to request input from user"));
}

// Validation rules.

fn rule(condition: &str) -> String {
    format!(
        "variable \"a\" {{\n  default = 1\n  validation {{\n    condition     = {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
    )
}

async fn found_of(main: &str) -> Vec<String> {
    run(&[("main.tf", main)]).found().await
}

/// The tool stops at the reference; what it would report next is marked as later.
#[tokio::test]
async fn an_unknown_function_beside_an_unknown_name() {
    assert_eq!(
        found_of(&rule("nosuch(var.nope) && var.a > 0")).await,
        [
            "main.tf:4:21 error tool-later Call to unknown function",
            "main.tf:4:28 error tool Reference to undeclared input variable",
        ]
    );
    // The arguments of an unknown function are not evaluated; what is beside the call is.
    assert_eq!(
        found_of(&rule("nosuch(1 + \"a\") && var.a > \"x\"")).await,
        ["main.tf:4:21 error tool Call to unknown function", "main.tf:4:48 error tool Invalid operand"]
    );
}

/// A local value with an invalid reference is a mistake of the module and has no value in a rule.
#[tokio::test]
async fn a_faulty_local_value_leaves_rules_undecided() {
    let main = rule("local.l > var.a") + "locals {\n  l = [data]\n}\n";
    assert_eq!(found_of(&main).await, ["main.tf:4:21 info overfold Validation rule not checked"]);
}

#[tokio::test]
async fn functions_of_a_provider_that_is_part_of_the_tool_are_known() {
    let main = |source: &str| {
        format!(
            "terraform {{\n  required_providers {{\n    x = {{\n      version = \"1.0\"\n      source  = \"{source}\"\n    }}\n  }}\n}}\n{}",
            rule("provider::x::nosuch({}) == var.a")
        )
    };
    assert_eq!(
        found_of(&main("terraform.io/builtin/terraform")).await,
        ["main.tf:12:21 error tool Unknown provider function"]
    );
    assert_eq!(found_of(&main("a/x")).await, ["main.tf:12:21 info overfold Validation rule not checked"]);
}

/// The tool does not check a variable whose rules refer, directly or indirectly, to one that failed.
#[tokio::test]
async fn rules_behind_a_failed_variable_come_later() {
    let main = |between: &str, used: &str| {
        format!(
            "variable \"a\" {{\n  default = 1\n  validation {{\n    condition     = var.a > 5\n    error_message = \"No.\"\n  }}\n}}\n\
             variable \"c\" {{\n  default = 1\n  validation {{\n    condition     = var.c > 100 ? {used} == 1 : false\n    \
             error_message = \"No.\"\n  }}\n}}\n{between}"
        )
    };
    let failed = |origin: &str| {
        ["main.tf:1:1 error tool", &format!("main.tf:8:1 error {origin}")]
            .map(|start| start.to_owned() + " Invalid value for variable")
    };
    let ways = [
        ("var.a", ""),
        ("local.l", "locals {\n  l = var.a\n}\n"),
        ("x.y.r", "resource \"x\" \"y\" {\n  p = 1\n  q = 2\n  r = var.a\n}\n"),
        ("data.x.y.r", "data \"x\" \"y\" {\n  r = var.a\n}\n"),
        ("module.m.o", "module \"m\" {\n  source = \"./m\"\n  p = 1\n  r = var.a\n}\n"),
    ];
    let starts = async |main: &str| {
        let answer = run(&[("main.tf", main)]).answer().await;
        let lines = lines(&answer).into_iter().map(|line| line.split(" -> ").next().unwrap().to_owned());
        lines.collect::<Vec<_>>()
    };
    for (used, between) in ways {
        assert_eq!(starts(&main(between, used)).await, failed("tool-later"), "{used}");
        let apart = between.replace("var.a", "1");
        if !apart.is_empty() {
            assert_eq!(starts(&main(&apart, used)).await, failed("tool"), "{used}");
        }
    }
}

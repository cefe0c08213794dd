//! Findings about values of plain variables, in the dialect `terraform-0.11`.

use super::Run;

fn run<'a>(files: &'a [(&'a str, &'a str)]) -> Run<'a> {
    Run { at: "terraform-0.11", files, values: true, ..Run::default() }
}

#[tokio::test]
async fn empty_texts_of_the_environment_are_empty_lists_and_maps() {
    let main = "variable \"m\" {\n  type = \"map\"\n}\nvariable \"l\" {\n  type = \"list\"\n}\n";
    let files = [("main.tf", main)];
    let answer = Run { env: &[("TF_VAR_l", " "), ("TF_VAR_m", " ")], ..run(&files) }.answer().await;
    assert_eq!(super::lines(&answer), Vec::<String>::new());
    let variables = &answer["module"]["variables"];
    assert_eq!(
        (&variables["l"]["value"], &variables["m"]["value"]),
        (&serde_json::json!([]), &serde_json::json!({}))
    );
}

#[tokio::test]
async fn replacements_of_a_map_are_named() {
    let files = [("main.tf", "variable \"m\" {\n  type = \"map\"\n}\n"), ("terraform.tfvars", "m {\n  b = 2\n}\n")];
    let details = Run { args: &["m={c=1}"], ..run(&files) }.details().await;
    assert!(details.starts_with("Option 1 ") && details.contains(" sets var.m, so the map"), "{details}");
}

#[tokio::test]
async fn where_the_type_of_a_variable_comes_from() {
    let files = [("main.tf", "variable \"n\" {}\nvariable \"o\" {\n  default = []\n}\n")];
    let details = Run { args: &["n=[1]", "o=\"x\""], ..run(&files) }.details().await;
    assert!(details.contains("var.n has neither a type nor a default, so its type is string."), "{details}");
    assert!(details.contains("var.o has no declared type; the type of its default is list."), "{details}");
}

/// The release crashes on a string in place of a map only if something is to be merged into it.
#[tokio::test]
async fn a_default_of_another_type_from_an_override() {
    let files = [
        ("main.tf", "variable \"m\" {\n  type = \"map\"\n}\n"),
        ("override.tf", "variable \"m\" {\n  default = \"x\"\n}\n"),
    ];
    let title = "variable m should be type map, got string -> main.tf:1:1";
    assert_eq!(run(&files).found().await, [format!("main.tf:1:1 error tool {title}")]);
    let merged = Run { args: &["m={a=1}"], ..run(&files) };
    assert_eq!(merged.found().await, [format!("main.tf:1:1 error overfold {title}")]);
}

#[tokio::test]
async fn which_mistake_of_a_text_is_reported() {
    let files = [("main.tf", "variable \"m\" {}\n")];
    let of = async |option: &str| Run { args: &[option], ..run(&files) }.found().await;
    let illegal = of("m={a=0x}").await;
    assert!(illegal.len() == 1 && illegal[0].contains("illegal hexadecimal number"), "{illegal:?}");
    // A bare word as a value turns the whole text into a plain string.
    assert!(of("m={a = b}").await.is_empty());
    // The same mistake is reported by the release itself.
    let ends = of("m=[\"a\n\"]").await;
    assert!(ends.len() == 1 && ends[0].contains("At 2:3: literal not terminated"), "{ends:?}");
}

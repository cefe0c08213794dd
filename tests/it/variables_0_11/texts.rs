//! variables.md, section B3: values given as text.

use super::Run;

#[tokio::test]
async fn long_texts_are_cut_in_titles() {
    let text = format!("x=[{}", "a".repeat(100_000));
    let answer =
        Run { files: &[("main.tf", "variable \"x\" {}\n")], args: &[&text], ..Run::default() }.answer().await;
    let found = &answer["diagnostics"][0];
    assert_eq!(found["code"], "variable/text-unreadable", "{found}");
    assert!(found["summary"].as_str().unwrap().chars().count() < 400, "{found}");
}

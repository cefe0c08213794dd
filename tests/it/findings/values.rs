//! Findings about values of typed variables and about validation rules.

use super::Run;

fn run<'a>(files: &'a [(&'a str, &'a str)]) -> Run<'a> {
    Run { at: "terraform", files, values: true, ..Run::default() }
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

// Validation rules.

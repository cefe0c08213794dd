//! Unusual values in place of bodies, in whole JSON modules. Expectations were recorded with the tool (1.11.4).

use overfold_cli::diag::Origin;
use overfold_cli::files::{FileSet, ModulePath, Position, SourceFile};
use overfold_cli::pipeline::{Request, run};
use overfold_cli::syntax::Forest;

/// Returns what the tool would report for a module with one file, in order of position.
fn reported(text: &str) -> Vec<String> {
    let file = SourceFile { path: ModulePath::parse("main.tf.json").unwrap(), bytes: text.to_owned().into() };
    let request = Request { version: Some("1.11.4".to_owned()), ..Request::new("terraform") };
    let forest = Forest::default();
    let report = run(&forest, &FileSet::new(vec![file], Vec::new()), &request).unwrap();
    let mut list: Vec<(u32, String)> = report
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.origin == Origin::Tool)
        .map(|diagnostic| {
            let range = report.forest.sources.range(diagnostic.span.unwrap()).widened();
            let at = |at: Position| format!("{}:{}@{}", at.line, at.column, at.byte);
            (range.start.byte, format!("{} {}-{}", diagnostic.summary, at(range.start), at(range.end)))
        })
        .collect();
    list.sort();
    list.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn unknown_bodies_are_ignored() {
    assert_eq!(
        reported(r#"{"terraform":{"backend":{"local":[{"path":"x"},1]}}}"#),
        ["Duplicate backend configuration 1:34@33-1:35@34"]
    );
    assert_eq!(reported(r#"{"terraform":{"cloud":[1]}}"#), [""; 0]);
    assert_eq!(reported(r#"{"resource":{"terraform_data":{"x":{"connection":[1]}}}}"#), [""; 0]);
    // A block with arguments defined by the tool is checked.
    assert_eq!(
        reported(r#"{"resource":{"terraform_data":{"x":{"provisioner":{"local-exec":[1]}}}}}"#),
        ["Incorrect JSON value type 1:66@65-1:67@66"]
    );
}

#[test]
fn an_unreadable_nullable_is_false() {
    assert_eq!(
        reported(r#"{"variable":{"v":{"type":"number","default":null,"nullable":{}}}}"#),
        ["Invalid default value for variable 1:45@44-1:49@48", "Unsuitable value type 1:61@60-1:62@61"]
    );
    assert_eq!(reported(r#"{"variable":{"v":{"type":"number","default":null,"nullable":"true"}}}"#), [""; 0]);
}

#[test]
fn a_wrong_import_has_no_target() {
    assert_eq!(
        reported(r#"{"import":[{"to":"terraform_data.a"},{"to":"terraform_data.a","id":"x"}]}"#),
        ["Missing required argument 1:36@35-1:37@36"]
    );
    assert_eq!(
        reported(r#"{"import":{"to":"data.x.a","provider":1}}"#),
        ["Missing required argument 1:40@39-1:41@40"]
    );
    // Without an address, however, the rest is read.
    assert_eq!(
        reported(r#"{"import":{"id":"x","provider":1}}"#),
        ["Invalid provider configuration reference 1:32@31-1:33@32", "Missing required argument 1:33@32-1:34@33"]
    );
    // In JSON the address begins at the quote and is as long as it is without quotes.
    assert_eq!(
        reported(r#"{"import":[{"to":"terraform_data.a","id":"x"},{"to":"terraform_data.a","id":"x"}]}"#),
        ["Duplicate import configuration for \"terraform_data.a\" 1:53@52-1:69@68"]
    );
    // A block with a target but no source does not become an import because of that.
    assert_eq!(
        reported(r#"{"moved":[{"to":"terraform_data.y"},{"to":"terraform_data.y"}]}"#),
        ["Missing required argument 1:35@34-1:36@35", "Missing required argument 1:61@60-1:62@61"]
    );
}

//! The lessons of the explorer (`explorer/lessons.json`): each module loads as it says, what the lesson promises is in the answer,
//! and the section of the rules that it cites exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::http::post;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Whether the entry has all members of the promise, with their values.
fn keeps(entry: &Value, promise: &Value) -> bool {
    promise.as_object().unwrap().iter().all(|(name, value)| entry[name] == *value)
}

#[tokio::test]
async fn lessons_show_what_they_promise() {
    let lessons: Value = serde_json::from_str(&read("explorer/lessons.json")).unwrap();
    let lessons = lessons.as_array().unwrap();
    let names: BTreeSet<&str> = lessons.iter().map(|lesson| lesson["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), lessons.len(), "each name once");
    for lesson in lessons {
        let name = lesson["name"].as_str().unwrap();
        let request = json!({"files": lesson["files"], "include": ["config", "overrides"]});
        let answer = post("application/json", request.to_string()).await.json();
        // Loading is what a lesson about an error cannot do.
        assert_eq!(
            answer["valid"],
            *lesson.get("loads").unwrap_or(&json!(true)),
            "{name}: {}",
            answer["diagnostics"]
        );
        let promises = lesson["shows"].as_array().unwrap();
        assert!(!promises.is_empty(), "{name} shows nothing");
        for promise in promises {
            let (kind, expected) = promise.as_object().unwrap().iter().next().unwrap();
            let entries = match kind.as_str() {
                "override" => &answer["module"]["overrides"],
                "diagnostic" => &answer["diagnostics"],
                other => panic!("{name}: {other}"),
            };
            let found = entries.as_array().unwrap().iter().filter(|entry| keeps(entry, expected)).count();
            assert_eq!(found, 1, "{name}: {promise} in {entries:#}");
        }
        let merged = lesson["merged"].as_object().unwrap();
        assert!(!merged.is_empty(), "{name} says nothing of the result");
        for (pointer, value) in merged {
            assert_eq!(answer["module"]["config"].pointer(pointer), Some(value), "{name}: {pointer}");
        }
    }
}

#[test]
fn lessons_cite_sections_and_are_brief() {
    let lessons: Value = serde_json::from_str(&read("explorer/lessons.json")).unwrap();
    for lesson in lessons.as_array().unwrap() {
        let name = &lesson["name"];
        let [document, section] = ["document", "section"].map(|part| lesson["rule"][part].as_str().unwrap());
        let text = read(&format!("docs/rules/{document}"));
        let heading = format!("{section} ");
        let headings = text.lines().filter(|line| line.starts_with("##"));
        let cited = headings.filter(|line| line.trim_start_matches('#').trim().starts_with(&heading)).count();
        assert_eq!(cited, 1, "{name}: {document}, section {section}");
        // What to look at, and why.
        let text = lesson["text"].as_str().unwrap();
        let sentences = text.matches(". ").count() + usize::from(text.ends_with('.'));
        assert_eq!(sentences, 2, "{name}: {text}");
    }
}

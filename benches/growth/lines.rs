//! Files with few line feeds: everything that looks for the line of a place could look through all of it.

use super::blocks::axes;
use super::make::{Axis, Files, file, main_tf, text, word};

/// Returns a primary file of JSON on one line and an override file, each of half the size.
fn json(size: usize, head: &str, item: impl Fn(usize, &str) -> String, tail: &str) -> Files {
    let mut made = file("main.tf.json", size / 2, head, |n| item(n, "1"), tail);
    made.extend(file("override.tf.json", size / 2, head, |n| item(n, "2"), tail));
    made
}

/// Returns a primary file whose first line is long, and an override file.
fn after_long_line(size: usize, head: &str, item: impl Fn(usize, &str) -> String, tail: &str) -> Files {
    let long = format!("/*{}*/ {head}", "x".repeat(size / 3));
    let mut made = file("main.tf", size / 3, &long, |n| item(n, "1"), tail);
    made.extend(file("override.tf", size / 3, head, |n| item(n, "2"), tail));
    made
}

pub(crate) static LINES: &[Axis] = axes! { "terraform":
    "one line: JSON: resources" |size| json(size, "{\"resource\": {\"a\": {", |n, x| format!("\"{}\": {{\"x\": {x}}}, ", word(n)), "\"z\": {}}}}");
    "one line: JSON: arguments" |size| json(size, "{\"resource\": {\"a\": {\"b\": {", |n, x| format!("\"{}\": {x}, ", word(n)), "\"z\": 1}}}}");
    "one line: JSON: locals" |size| json(size, "{\"locals\": {", |n, x| format!("\"{}\": {x}, ", word(n)), "\"z\": 1}}");
    "one line: JSON: variables" |size| json(size, "{\"variable\": {", |n, x| format!("\"{}\": {{\"default\": {x}}}, ", word(n)), "\"z\": {}}}");
    "one line: JSON: a list of resources" |size| json(size, "{\"resource\": [", |n, x| format!("{{\"a\": {{\"{}\": {{\"x\": {x}}}}}}}, ", word(n)), "{}]}");
    "one line: JSON: providers" |size| json(size, "{\"terraform\": {\"required_providers\": {", |n, x| format!("\"{}\": \"{x}.0\", ", word(n)), "\"z\": \"1.0\"}}}");
    "long line: JSON, then a line feed" |size| {
        let mut made = json(size, "{\"resource\": {\"a\": {", |n, x| format!("\"{}\": {{\"x\": {x}}}, ", word(n)), "\"z\": {}}}}\n");
        made.reverse();
        made
    };
    "long line: resources" |size| after_long_line(size, "", |n, x| format!("resource \"a\" \"{}\" {{\n  x = {x}\n}}\n", word(n)), "");
    "long line: resources on one line each" |size| after_long_line(size, "", |n, x| format!("resource \"a\" \"{}\" {{ x = {x} }}\n", word(n)), "");
    "long line: arguments" |size| after_long_line(size, "resource \"a\" \"b\" {\n", |n, x| format!("  {} = {x}\n", word(n)), "}\n");
    "long line: locals" |size| after_long_line(size, "locals {\n", |n, x| format!("  {} = {x}\n", word(n)), "}\n");
    "long line: nested blocks" |size| after_long_line(size, "resource \"a\" \"b\" {\n", |n, x| format!("  x{} {{\n    y = {x}\n  }}\n", n % 7), "}\n");
    "long indentation" |size| {
        let base = format!("locals {{\n  a = [\n  ]\n{}b = 1\n}}\n", " ".repeat(size / 2));
        let mut made = vec![("main.tf".to_owned(), base)];
        made.extend(file("override.tf", size / 2, "locals {\n", |n| format!("  {} = 2\n", word(n)), "}\n"));
        made
    };
};

pub(crate) static FINDINGS: &[Axis] = axes! { "terraform":
    "findings" |size| main_tf(size, |n| format!("{} \"a\" {{\n}}\n", word(n)));
    "findings of a line" |size| file("main.tf.json", size, "{", |n| format!("\"{}\": {{}}, ", word(n)), "\"z\": {}}");
    "findings after a long line" |size| {
        let long = format!("/*{}*/ ", "x".repeat(size / 2));
        file("main.tf", size / 2, &long, |n| format!("{} \"a\" {{\n}}\n", word(n)), "")
    };
    "findings of a line that is not ASCII" |size| {
        file("main.tf", size, "resource \"a\" \"b\" {\n  x = [", |n| format!("\"e\u{301}\", self.{}, ", word(n)), "]\n}\n")
    };
    "findings in files" |size| super::make::files(size, |n| (format!("{}.tf", word(n)), "a {\n}\n".to_owned()));
    "findings in long texts" |size| {
        let long = text(size / 64, |_| "lorem ".to_owned());
        file("main.tf", size, "", |n| format!("{} \"{long}\" {{\n}}\n", word(n)), "")
    };
    "findings with two places" |size| main_tf(size, |_| "output \"a\" {\n  value = 1\n}\n".to_owned());
};

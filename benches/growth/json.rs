//! JSON syntax.

use super::blocks::axes;
use super::make::{Axis, Files, depth, file, files, word};

fn json(size: usize, head: &str, item: impl Fn(usize) -> String, tail: &str) -> Files {
    file("main.tf.json", size, head, item, tail)
}

fn argument(size: usize, head: &str, item: impl Fn(usize) -> String, tail: &str) -> Files {
    json(size, &format!("{{\"resource\": {{\"a\": {{\"b\": {{\"x\": {head}"), item, &format!("{tail}}}}}}}}}"))
}

pub(crate) static JSON: &[Axis] = axes! { "terraform":
    "JSON: resources" |size| json(size, "{\"resource\": {\"a\": {", |n| format!("\"{}\": {{\"x\": {n}}},\n", word(n)), "\"z\": {}}}}");
    "JSON: resources of many types" |size| json(size, "{\"resource\": {", |n| format!("\"{}\": {{\"b\": {{}}}},\n", word(n)), "\"z\": {}}}");
    "JSON: a list of resources" |size| json(size, "{\"resource\": [", |n| format!("{{\"a\": {{\"{}\": {{}}}}}},\n", word(n)), "{}]}");
    "JSON: arguments" |size| json(size, "{\"resource\": {\"a\": {\"b\": {", |n| format!("\"{}\": {n},\n", word(n)), "\"z\": 1}}}}");
    "JSON: variables" |size| json(size, "{\"variable\": {", |n| format!("\"{}\": {{\"type\": \"list(string)\", \"default\": []}},\n", word(n)), "\"z\": {}}}");
    "JSON: a wide type" |size| json(size, "{\"variable\": {\"v\": {\"type\": \"object({", |n| format!("{} = string, ", word(n)), "})\"}}}");
    "JSON: a wide default" |size| json(size, "{\"variable\": {\"v\": {\"default\": {", |n| format!("\"{}\": [{n}],\n", word(n)), "\"z\": 1}}}}");
    "JSON: locals" |size| json(size, "{\"locals\": {", |n| format!("\"{}\": \"${{local.{}}}\",\n", word(n), word(n + 1)), "\"z\": 1}}");
    "JSON: outputs" |size| json(size, "{\"output\": {", |n| format!("\"{}\": {{\"value\": \"${{var.{}}}\"}},\n", word(n), word(n)), "\"z\": {\"value\": 1}}}");
    "JSON: comments" |size| json(size, "{", |n| format!("\"//\": \"{n}\",\n"), "\"locals\": {}}");
    "JSON: elements of a list" |size| argument(size, "[", |n| format!("{n}, "), "1]");
    "JSON: keys of an object" |size| argument(size, "{", |n| format!("\"{}\": {n}, ", word(n)), "\"z\": 1}");
    "JSON: one key many times" |size| argument(size, "{", |n| format!("\"k\": {n}, "), "\"z\": 1}");
    "JSON: letters of a string" |size| argument(size, "\"", |_| "lorem ipsum ".to_owned(), "\"");
    "JSON: escapes" |size| argument(size, "\"", |_| "\\n\\\"\\u00e9\\ud83d\\ude00".to_owned(), "\"");
    "JSON: interpolations" |size| argument(size, "\"", |n| format!("${{var.{}}}-", word(n)), "\"");
    "JSON: escapes in interpolations" |size| argument(size, "\"", |n| format!("${{x[\\\"{}\\\"]}}", word(n)), "\"");
    "JSON: strings" |size| argument(size, "[", |n| format!("\"${{var.{}}}\", ", word(n)), "1]");
    "JSON: lists, deeper and deeper" |size| argument(size, "[", |_| format!("{}1{},", "[".repeat(depth(size)), "]".repeat(depth(size))), "1]");
    "JSON: objects, deeper and deeper" |size| argument(size, "[", |_| format!("{}1{},", "{\"a\":".repeat(depth(size)), "}".repeat(depth(size))), "1]");
    "JSON: blanks" |size| argument(size, "", |_| " \n".to_owned(), "1");
    "JSON: digits" |size| argument(size, "1", |_| "3".repeat(64), "");
    "JSON: open lists" |size| argument(size, "", |_| "[".to_owned(), "");
    "JSON: open objects" |size| argument(size, "", |_| "{\"a\":".to_owned(), "");
    "JSON: missing commas" |size| argument(size, "[", |n| format!("{n} "), "1]");
    "JSON: bad escapes" |size| argument(size, "\"", |_| "\\q".to_owned(), "\"");
    "JSON: bad templates" |size| argument(size, "[", |_| "\"${a b}\", ".to_owned(), "1]");
    "JSON: bad templates in a string" |size| argument(size, "\"", |_| "${a b}".to_owned(), "\"");
    "JSON: unknown kinds of blocks" |size| json(size, "{", |n| format!("\"{}\": {{}},\n", word(n)), "\"locals\": {}}");
    "JSON: unknown arguments in a line" |size| json(size, "{\"terraform\": {", |n| format!("\"{}\": 1, ", word(n)), "\"z\": 1}}");
    "JSON: values that are not blocks" |size| json(size, "{\"resource\": {\"a\": {", |n| format!("\"{}\": {n}, ", word(n)), "\"z\": 1}}}");
    "JSON: one resource many times" |size| json(size, "{\"resource\": {\"a\": {\"b\": [", |_| "{\"x\": 1}, ".to_owned(), "{}]}}}");
    "JSON: files" |size| files(size, |n| (format!("{}.tf.json", word(n)), format!("{{\"locals\": {{\"{}\": 1}}}}", word(n))));
};

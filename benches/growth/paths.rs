//! Paths: given to functions, of directories, of links.

use super::blocks::axes;
use super::make::{Axis, Files, files, main_tf, text, word};
use super::requests::LINK;

/// A validation rule that is evaluated, with a condition.
fn rule(condition: &str) -> String {
    format!(
        "variable \"v\" {{\n  default = 1\n  validation {{\n    condition     = {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
    )
}

fn main_with_links(main: String, links: usize) -> Files {
    let mut made = vec![("main.tf".to_owned(), main), ("t/x.txt".to_owned(), String::new())];
    made.extend((0..links).map(|n| (format!("l{n}"), format!("{LINK}t"))));
    made
}

/// A folder with a path of 990 bytes.
fn far() -> String {
    vec!["p".repeat(32); 30].join("/")
}

fn call(name: &str, source: &str) -> String {
    format!("module \"{name}\" {{\n  source = \"{source}\"\n}}\n")
}

pub(crate) static IN_FUNCTIONS: &[Axis] = axes! { "terraform":
    "segments of a path" |size| main_with_links(rule(&format!("!fileexists(\"{}b\")", text(size, |_| "a/".to_owned()))), 0);
    "segments of a path beside links" |size| main_with_links(rule(&format!("!fileexists(\"{}b\")", text(size, |_| "a/".to_owned()))), 100);
    "segments of a path through links" |size| main_with_links(rule(&format!("!fileexists(\"{}b\")", text(size, |_| "l0/../".to_owned()))), 100);
    "segments of a path up and down" |size| main_with_links(rule(&format!("fileexists(\"{}t/x.txt\")", text(size, |_| "a/../".to_owned()))), 1);
    "files looked up" |size| main_with_links(rule(&format!("!alltrue([{}])", text(size, |n| format!("fileexists(\"{}/x\"), ", word(n))))), 100);
    "files looked up through links" |size| main_with_links(rule(&format!("alltrue([{}])", text(size, |n| format!("fileexists(\"l{}/x.txt\"), ", n % 100)))), 100);
    "paths as a source" |size| vec![("main.tf".to_owned(), call("m", &format!("./{}", text(size, |_| "a/".to_owned()))))];
};

pub(crate) static DIRECTORIES: &[Axis] = axes! { "terraform":
    "directories" |size| files(size, |n| (format!("{}/main.tf", word(n)), "locals {\n  a = 1\n}\n".to_owned()));
    "directories far down" |size| files(size, |n| (format!("{}/{}/main.tf", far(), word(n)), "locals {\n}\n".to_owned()));
    "directories, deeper and deeper" |size| files(size, |n| (format!("{}{}/main.tf", "d/".repeat(n % 50), word(n)), "locals {\n}\n".to_owned()));
    "directories without configuration" |size| files(size, |n| (format!("{}/a.txt", word(n)), String::new()));
    "files below a directory" |size| {
        let mut made = files(size, |n| (format!("{}{}.txt", "d/".repeat(50), word(n)), String::new()));
        made.extend((0..40).map(|n| (format!("{}main.tf", "d/".repeat(n)), String::new())));
        made
    };
    "calls of one directory" |size| {
        let mut made = main_tf(size, |n| call(&word(n), "./m"));
        made.push(("m/main.tf".to_owned(), String::new()));
        made
    };
    "calls of one directory far down" |size| {
        let mut made = vec![(format!("{}/main.tf", far()), text(size, |n| call(&word(n), "./m")))];
        made.push((format!("{}/m/main.tf", far()), String::new()));
        made.extend((0..100).map(|n| (format!("{}/{}.txt", far(), word(n)), String::new())));
        made
    };
    "calls of directories that are missing" |size| main_tf(size, |n| call(&word(n), &format!("./{}", word(n))));
    "calls of directories" |size| {
        let mut made = files(size / 2, |n| (format!("{}/main.tf", word(n)), String::new()));
        let called = made.len();
        made.extend(main_tf(size / 2, |n| call(&format!("m{n}"), &format!("./{}", word(n % called)))));
        made
    };
    "calls through links" |size| {
        let mut made = main_with_links(text(size, |n| call(&word(n), &format!("./l{}/t", n % 100))), 100);
        made.push(("t/t/main.tf".to_owned(), String::new()));
        made
    };
    "chain of directories" |size| files(size, |n| (format!("d{n}/main.tf"), call("m", &format!("../d{}", n + 1))));
    "circle of directories" |size| {
        let count = size / 48;
        files(size, |n| (format!("d{n}/main.tf"), call("m", &format!("../d{}", if n < count { n + 1 } else { 0 }))))
    };
    "arguments of calls" |size| {
        let mut made = main_tf(size, |n| format!("module \"{}\" {{\n  source = \"./m\"\n  a = {n}\n  b = 1\n}}\n", word(n)));
        made.push(("m/main.tf".to_owned(), "variable \"a\" {\n}\n\nvariable \"c\" {\n}\n".to_owned()));
        made
    };
};

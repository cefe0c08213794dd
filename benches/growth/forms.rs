//! Cases that only the output forms that fold override files into texts can make expensive.

use super::blocks::axes;
use super::make::{Axis, file, main_tf, over, resource, word};

pub(crate) static FORMS: &[Axis] = axes! { "terraform":
    "arguments replaced in other orders" |size| {
        let mut made = resource(size / 2, |n| format!("  {} = {n}\n", word(n)));
        made.extend(file("override.tf", size / 2, "resource \"a\" \"b\" {\n", |n| {
            format!("  {} = 0\n", word((size / 36).saturating_sub(n)))
        }, "}\n"));
        made
    };
    "locals of one block" |size| {
        let mut made = file("main.tf", size / 2, "locals {\n", |n| format!("  {} = {n}\n", word(n)), "}\n");
        made.extend(file("override.tf", size / 2, "locals {\n", |n| format!("  {} = <<E\n{n}\nE\n", word(n)), "}\n"));
        made
    };
    "providers added to one" |size| {
        let mut made = main_tf(size / 2, |n| format!("resource \"a\" \"{}\" {{\n}}\n", word(n)));
        made.extend(file("a.tf", 1, "", |_| "terraform {\n  required_providers {\n    z = \"1.0\"\n  }\n}\n".to_owned(), ""));
        made.extend(file("override.tf", size / 2, "terraform {\n  required_providers {\n", |n| {
            format!("    {} = \"1.{n}\"\n", word(n))
        }, "  }\n}\n"));
        made
    };
    "bodies of JSON files" |size| {
        let mut made = file("main.tf.json", size / 2, "{\"resource\": {\"a\": {", |n| {
            format!("\n\"{}\": {{\"//\": \"c\", \"x\": {n}}}, ", word(n))
        }, "\"z\": {}}}}");
        made.extend(file("override.tf", size / 2, "", |n| format!("resource \"a\" \"{}\" {{\n  x = 1\n}}\n", word(n)), ""));
        made
    };
    "one body of a JSON file" |size| {
        let mut made = file("main.tf.json", size / 2, "{\"resource\": {\"a\": {\"b\": {", |n| {
            format!("\"{}\": {n}, ", word(n))
        }, "\"z\": {}}}}}");
        made.extend(file("override.tf", size / 2, "resource \"a\" \"b\" {\n", |n| format!("  {} = 1\n", word(n)), "}\n"));
        made
    };
    "heredocs replacing values" |size| over(size,
        |n| format!("variable \"{}\" {{\n  default = 1\n}}\n", word(n)),
        |n| format!("variable \"{}\" {{\n  default = <<E\n{n}\nE\n}}\n", word(n)));
};

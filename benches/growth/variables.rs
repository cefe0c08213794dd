//! Variables: types, defaults, definitions files, validation.

use super::blocks::axes;
use super::make::{Axis, Files, depth, file, files, main_tf, text, word};

fn with_values(base: &str, path: &str, size: usize, head: &str, item: impl Fn(usize) -> String, tail: &str) -> Files {
    let mut made = vec![("main.tf".to_owned(), base.to_owned())];
    made.extend(file(path, size, head, item, tail));
    made
}

fn variable(size: usize, head: &str, item: impl Fn(usize) -> String, tail: &str) -> Files {
    file("main.tf", size, &format!("variable \"v\" {{\n{head}"), item, &format!("{tail}\n}}\n"))
}

fn object_of(size: usize, name: &str) -> String {
    format!(
        "variable \"{name}\" {{\n  type = object({{\n{}  }})\n}}\n",
        text(size, |n| format!("    {} = string\n", word(n)))
    )
}

pub(crate) static VARIABLES: &[Axis] = axes! { "terraform":
    "variables" |size| main_tf(size, |n| format!("variable \"{}\" {{\n}}\n", word(n)));
    "variables with types" |size| main_tf(size, |n| format!("variable \"{}\" {{\n  type = list(string)\n  default = []\n}}\n", word(n)));
    "variables with defaults" |size| main_tf(size, |n| format!("variable \"{}\" {{\n  default = {{ a = [{n}, \"x\"] }}\n}}\n", word(n)));
    "attributes of a type" |size| variable(size, "  type = object({\n", |n| format!("    {} = string\n", word(n)), "  })");
    "optional attributes of a type" |size| variable(size, "  default = {}\n  type = object({\n", |n| {
        format!("    {} = optional(list(string), [\"{n}\"])\n", word(n))
    }, "  })");
    "optional objects" |size| variable(size, "  default = {}\n  type = object({\n", |n| {
        format!("    {} = optional(object({{ a = optional(number, {n}) }}), {{}})\n", word(n))
    }, "  })");
    "elements of a tuple type" |size| variable(size, "  type = tuple([", |_| "string, ".to_owned(), "])");
    "types, deeper and deeper" |size| main_tf(size, |n| {
        format!("variable \"{}\" {{\n  type = {}string{}\n}}\n", word(n), "list(".repeat(depth(size)), ")".repeat(depth(size)))
    });
    "object types, deeper and deeper" |size| main_tf(size, |n| {
        let (head, tail) = ("object({ a = optional(".repeat(depth(size)), ", {}) })".repeat(depth(size)));
        format!("variable \"{}\" {{\n  default = {{}}\n  type = {head}object({{}}){tail}\n}}\n", word(n))
    });
    "elements of a default" |size| variable(size, "  type = list(number)\n  default = [", |n| format!("{n}, "), "]");
    "objects of a default" |size| variable(size,
        "  type = list(object({ a = number, b = optional(string, \"x\") }))\n  default = [\n",
        |n| format!("    {{ a = {n} }},\n"), "  ]");
    "objects of a default without a type" |size| variable(size, "  default = [\n", |n| format!("    {{ {} = {n} }},\n", word(n)), "  ]");
    "keys of a default" |size| variable(size, "  type = map(number)\n  default = {\n", |n| format!("    {} = {n}\n", word(n)), "  }");
    "members of a set" |size| variable(size, "  type = set(string)\n  default = [\n", |n| format!("    \"{}\",\n", word(n)), "  ]");
    "members of a set of objects" |size| variable(size,
        "  type = set(object({ a = string, b = number }))\n  default = [\n",
        |n| format!("    {{ a = \"{}\", b = {n} }},\n", word(n)), "  ]");
    "validations" |size| variable(size, "", |n| {
        format!("  validation {{\n    condition = var.v != {n}\n    error_message = \"No.\"\n  }}\n")
    }, "");
    "defaults of the wrong type" |size| main_tf(size, |n| format!("variable \"{}\" {{\n  type = number\n  default = \"x\"\n}}\n", word(n)));
    "elements of the wrong type" |size| variable(size, "  type = list(number)\n  default = [", |n| format!("\"{}\", ", word(n)), "]");
    "sensitive variables" |size| main_tf(size, |n| {
        format!("variable \"{}\" {{\n  sensitive = true\n  default = \"secret {n}\"\n}}\noutput \"{}\" {{\n  value = var.{}\n}}\n", word(n), word(n), word(n))
    });
    "values of a definitions file" |size| {
        let mut made = main_tf(size / 2, |n| format!("variable \"{}\" {{\n}}\n", word(n)));
        made.extend(file("terraform.tfvars", size / 2, "", |n| format!("{} = {n}\n", word(n)), ""));
        made
    };
    "values of undeclared variables" |size| with_values("", "terraform.tfvars", size, "", |n| format!("{} = {n}\n", word(n)), "");
    "one value many times" |size| with_values("variable \"v\" {\n}\n", "terraform.tfvars", size, "", |n| format!("v = {n}\n"), "");
    "a large value" |size| with_values("variable \"v\" {\n  type = map(list(string))\n}\n", "terraform.tfvars", size, "v = {\n",
        |n| format!("  {} = [\"{n}\", \"x\"]\n", word(n)), "}\n");
    "a large value of any type" |size| with_values("variable \"v\" {\n  type = any\n}\n", "terraform.tfvars", size, "v = [\n",
        |n| format!("  {{ {} = {n} }},\n", word(n)), "]\n");
    "a large JSON value" |size| with_values("variable \"v\" {\n  type = map(object({ a = number, b = optional(string, \"x\") }))\n}\n",
        "terraform.tfvars.json", size, "{\"v\": {", |n| format!("\"{}\": {{\"a\": {n}}}, ", word(n)), "\"z\": {\"a\": 1}}}");
    "JSON values of undeclared variables" |size| with_values("", "terraform.tfvars.json", size, "{", |n| format!("\"{}\": {n}, ", word(n)), "\"z\": 1}");
    "definitions files" |size| {
        let mut made = files(size, |n| (format!("{}.auto.tfvars", word(n)), format!("v = {n}\n")));
        made.push(("main.tf".to_owned(), "variable \"v\" {\n}\n".to_owned()));
        made
    };
    "a value for a wide type" |size| {
        let mut made = vec![("main.tf".to_owned(), object_of(size / 2, "v"))];
        made.extend(file("terraform.tfvars", size / 2, "v = {\n", |n| format!("  {} = \"{n}\"\n", word(n)), "}\n"));
        made
    };
    "a value that fits no wide type" |size| {
        let mut made = vec![("main.tf".to_owned(), object_of(size / 2, "v"))];
        made.extend(file("terraform.tfvars", size / 2, "v = {\n", |n| format!("  x{} = \"{n}\"\n", word(n)), "}\n"));
        made
    };
};

//! Names and expressions that are looked up and evaluated: within a module, and in a tree of modules with a document of
//! schemas.

use super::blocks::axes;
use super::make::{Axis, Files, depth, expression, file, files, main_tf, resource, text, word};

/// The file that contains the document of schemas; no dialect reads it as configuration.
pub(crate) const SCHEMAS: &str = "schemas.json";

/// The number of the item on which another one depends: an earlier one, not its neighbour.
pub(crate) fn before(n: usize) -> usize {
    n / 2
}

/// Concatenates this many items.
pub(crate) fn times(count: usize, item: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    (0..count).for_each(|n| text.push_str(&item(n)));
    text
}

pub(crate) fn call(name: &str, source: &str, rest: &str) -> String {
    format!("module \"{name}\" {{\n  source = \"{source}\"\n{rest}}}\n")
}

pub(crate) fn reference(name: &str, value: &str) -> String {
    format!("output \"{name}\" {{\n  value = {value}\n}}\n")
}

/// Returns the files of a root module and of the module `m`.
pub(crate) fn with_called(root: String, called: String) -> Files {
    vec![("main.tf".to_owned(), root), ("m/main.tf".to_owned(), called)]
}

/// The levels of blocks within each other.
const LEVELS: usize = 40;

/// Returns a root module that calls the first of a chain of modules, each of which calls the next one.
pub(crate) fn chain(size: usize, item: impl Fn(usize) -> String) -> Files {
    let levels = size / 64 + 1;
    let mut made = vec![("main.tf".to_owned(), call("a", "./d0", ""))];
    made.extend((0..levels).map(|n| {
        let next = if n + 1 < levels { call("a", &format!("../d{}", n + 1), "") } else { String::new() };
        (format!("d{n}/main.tf"), format!("{next}{}", item(n)))
    }));
    made
}

/// Returns a root module with a provider of these types, whose schemas are given.
fn provided(root: &str, types: &str) -> Files {
    let provider = "terraform {\n  required_providers {\n    a = {\n      source = \"x/a\"\n    }\n  }\n}\n";
    let schemas = format!(
        "{{\"format_version\": \"1.0\", \"provider_schemas\": {{\"registry.terraform.io/x/a\": {{\"resource_schemas\": {{{types}}}}}}}}}"
    );
    vec![("main.tf".to_owned(), format!("{provider}{root}")), (SCHEMAS.to_owned(), schemas)]
}

/// Returns a type whose block has these attributes and types of blocks.
fn kind(name: &str, attributes: &str, blocks: &str) -> String {
    format!(
        "\"{name}\": {{\"version\": 0, \"block\": {{\"attributes\": {{{attributes}\"id\": {{\"type\": \"string\", \"computed\": true}}}}, \"block_types\": {{{blocks}}}}}}}"
    )
}

fn attribute(name: &str) -> String {
    format!("\"{name}\": {{\"type\": \"string\", \"optional\": true}}, ")
}

/// Returns a type with blocks within blocks.
fn nested_kind(levels: usize) -> String {
    let head = "\"c\": {\"nesting_mode\": \"list\", \"block\": {\"attributes\": {\"x\": {\"type\": \"string\", \"optional\": true}}, \"block_types\": {".repeat(levels);
    kind("a_b", "", &format!("{head}{}", "}}}".repeat(levels)))
}

/// Returns dynamic blocks within each other around an argument that refers to the innermost iterator.
fn dynamics(levels: usize, collection: &str) -> String {
    let head = format!("  dynamic \"c\" {{\n    for_each = {collection}\n    content {{\n").repeat(levels);
    format!("{head}      x = c.value\n{}", "    }\n  }\n".repeat(levels))
}

pub(crate) static VALIDATION: &[Axis] = axes! { "terraform":
    "references between resources" |size| main_tf(size, |n| {
        format!("resource \"a\" \"b{n}\" {{\n  x = a.b{}.id\n  y = [a.b{}.id, a.b0]\n}}\n", before(n), n.saturating_sub(1))
    });
    "references to instances" |size| main_tf(size, |n| {
        format!("resource \"a\" \"b{n}\" {{\n  for_each = toset([\"a\"])\n  x = each.key\n  y = a.b{}[each.value].id\n}}\n", before(n))
    });
    "references from one resource" |size| resource(size, |n| format!("  x{n} = [var.a, local.a, a.b.id, data.a.c.id, module.m.x]\n"));
    "a chain of resources" |size| main_tf(size, |n| format!("resource \"a\" \"b{n}\" {{\n  x = a.b{}.id\n}}\n", n + 1));
    "a ring of locals" |size| {
        let last = size / 20;
        file("main.tf", size, "locals {\n", |n| format!("  l{n} = local.l{}\n", if n < last { n + 1 } else { 0 }), "}\n")
    };
    "a ring of resources" |size| {
        let last = size / 46;
        main_tf(size, |n| format!("resource \"a\" \"b{n}\" {{\n  x = a.b{}.id\n}}\n", if n < last { n + 1 } else { 0 }))
    };
    "locals of locals" |size| file("main.tf", size, "locals {\n", |n| {
        format!("  l{n} = {}\n", if n == 0 { "1".to_owned() } else { format!("{{ a = local.l{}, b = \"${{var.x}}\" }}.a", before(n)) })
    }, "}\nvariable \"x\" {\n}\n");
    "lists of locals" |size| {
        let all = text(size / 2, |n| format!("local.l{n}, "));
        let count = all.matches(',').count();
        vec![("main.tf".to_owned(), format!("locals {{\n  a = [{all}]\n{}}}\n", times(count, |n| format!("  l{n} = {n}\n"))))]
    };
    "dependencies that exist" |size| {
        let all = text(size / 2, |n| format!("a.b{n}, "));
        let count = all.matches(',').count();
        let others = times(count, |n| format!("resource \"a\" \"b{n}\" {{\n}}\n"));
        vec![("main.tf".to_owned(), format!("{others}resource \"a\" \"b\" {{\n  depends_on = [{all}]\n}}\n"))]
    };
    "one dependency many times" |size| file("main.tf", size, "resource \"a\" \"c\" {\n}\nresource \"a\" \"b\" {\n  depends_on = [", |_| "a.c, ".to_owned(), "]\n}\n");
    "each in a resource" |size| resource(size, |n| format!("  x{n} = each.value\n"));
    "each of a collection" |size| file("main.tf", size, "resource \"a\" \"b\" {\n  for_each = {}\n", |n| format!("  x{n} = each.value.a\n"), "}\n");
    "instances of a known collection" |size| file("main.tf", size, "resource \"a\" \"b\" {\n  for_each = {\n", |n| format!("    {} = {n}\n", word(n)), "  }\n  x = each.value\n}\n");
    "references to self" |size| file("main.tf", size, "resource \"a\" \"b\" {\n  provisioner \"local-exec\" {\n    command = \"", |_| "${self.id}".to_owned(), "\"\n  }\n}\n");
    "undeclared names" |size| {
        let declared = times(20, |n| format!("variable \"{}\" {{\n}}\n", word(n)));
        file("main.tf", size, &declared, |n| reference(&word(n), &format!("[var.x{0}, local.x{0}, a.x{0}, module.x{0}, x{0}]", word(n))), "")
    };
    "undeclared names in a list" |size| expression(size, "[", |n| format!("a.{}.id, ", word(n)), "]");
    "what depends on an undeclared name" |size| {
        let head = "locals {\n  l0 = a.b.c\n}\n";
        file("main.tf", size, head, |n| format!("locals {{\n  l{} = local.l{n}\n}}\n", n + 1), "")
    };
    "wrong types" |size| main_tf(size, |n| reference(&word(n), "1 + \"a\""));
    "references to keys" |size| main_tf(size, |n| format!("resource \"a\" \"b{n}\" {{\n  count = 1\n  x = a.b{}.id\n}}\n", before(n)));
    "assertions" |size| main_tf(size, |n| {
        format!("check \"c{n}\" {{\n  data \"a\" \"b{n}\" {{\n  }}\n  assert {{\n    condition = data.a.b{n}.id == \"\"\n    error_message = \"${{data.a.b{n}.id}}\"\n  }}\n}}\n")
    });
    "conditions of outputs" |size| main_tf(size, |n| {
        format!("output \"{}\" {{\n  value = 1\n  precondition {{\n    condition = false\n    error_message = \"No.\"\n  }}\n}}\n", word(n))
    });
    "imports of resources" |size| main_tf(size, |n| {
        format!("resource \"a\" \"b{n}\" {{\n}}\nimport {{\n  to = a.b{n}\n  id = a.b{}.id\n}}\n", before(n))
    });
    "dynamic blocks within each other" |size| resource(size, |_| dynamics(LEVELS, "var.x"));
    "dynamic blocks within each other, of known collections" |size| resource(size, |_| dynamics(LEVELS, "[1]"));
    "blocks of a known collection" |size| file("main.tf", size, "resource \"a\" \"b\" {\n  dynamic \"c\" {\n    for_each = [", |n| format!("{n}, "), "]\n    content {\n      x = c.value\n    }\n  }\n}\n");
    "loops within each other" |size| expression(size, "[\n", |_| {
        let levels = depth(size / 8);
        let head = times(levels, |n| format!("[for x{n} in var.a : "));
        format!("{head}x0{},\n", "]".repeat(levels))
    }, "]");
    "loops over a literal" |size| expression(size, "[for x in [", |n| format!("{n}, "), "] : x + var.x]");
};

pub(crate) static TREES: &[Axis] = axes! { "terraform":
    "calls in a chain" |size| chain(size, |_| String::new());
    "resources in a chain of calls" |size| chain(size, |n| format!("resource \"a_b\" \"b{n}\" {{\n}}\n"));
    "calls of one module" |size| with_called(text(size, |n| call(&word(n), "./m", "")), String::new());
    "calls of one module with an argument" |size| {
        let root = text(size, |n| call(&word(n), "./m", &format!("  v = {n}\n")));
        with_called(root, "variable \"v\" {\n  type = string\n}\n".to_owned())
    };
    "calls of one module with a rule" |size| {
        let root = text(size, |n| call(&word(n), "./m", &format!("  v = {n}\n")));
        let rule = "  validation {\n    condition = var.v != 3\n    error_message = \"No.\"\n  }\n";
        with_called(root, format!("variable \"v\" {{\n  type = number\n{rule}}}\n"))
    };
    "calls of one module with an error" |size| {
        with_called(text(size, |n| call(&word(n), "./m", "")), reference("o", "1 + \"a\""))
    };
    "calls of different modules" |size| {
        let mut made = files(size / 2, |n| (format!("{}/main.tf", word(n)), reference("o", "1")));
        let calls = times(made.len(), |n| call(&word(n), &format!("./{}", word(n)), ""));
        made.push(("main.tf".to_owned(), calls));
        made
    };
    "calls that refer to each other" |size| {
        let root = text(size, |n| call(&format!("m{n}"), "./m", &format!("  v = module.m{}.o\n", if n == 0 { 1 } else { before(n) })));
        with_called(root, format!("variable \"v\" {{\n}}\n{}", reference("o", "var.v")))
    };
    "arguments of one call" |size| {
        let called = text(size / 2, |n| format!("variable \"{}\" {{\n}}\n", word(n)));
        let count = called.matches("variable").count();
        let arguments = times(count, |n| format!("  {} = {n}\n", word(n)));
        with_called(call("m", "./m", &arguments), called)
    };
    "arguments that a module does not have" |size| {
        with_called(call("m", "./m", &text(size, |n| format!("  {} = {n}\n", word(n)))), "variable \"v\" {\n}\n".to_owned())
    };
    "a ring through a called module" |size| {
        let count = size / 130;
        let root = times(count, |n| format!("  v{n} = module.m.o{n}\n"));
        let called = times(count, |n| {
            format!("variable \"v{n}\" {{\n}}\n{}", reference(&format!("o{n}"), &format!("var.v{}", (n + 1) % count)))
        });
        with_called(call("m", "./m", &root), called)
    };
    "outputs of a module that is called 20 times" |size| {
        let root = times(20, |n| call(&format!("m{n}"), "./m", ""));
        with_called(root, text(size, |n| reference(&word(n), "1")))
    };
    "references to outputs" |size| {
        let outputs = text(size / 2, |n| reference(&word(n), "1"));
        let count = outputs.matches("output").count();
        let root = times(count, |n| reference(&word(n), &format!("module.m.{}", word(n))));
        with_called(format!("{}{root}", call("m", "./m", "")), outputs)
    };
    "references to outputs that are missing" |size| {
        let root = text(size, |n| reference(&word(n), &format!("module.m.{}", word(n))));
        with_called(format!("{}{root}", call("m", "./m", "")), reference("o", "1"))
    };
    "users of a called module" |size| {
        let root = text(size, |n| format!("resource \"a\" \"{}\" {{\n  depends_on = [module.m]\n}}\n", word(n)));
        with_called(format!("{}{root}", call("m", "./m", "")), reference("o", "1"))
    };
    "providers of a call" |size| {
        let root = text(size / 2, |n| format!("provider \"a\" {{\n  alias = \"x{n}\"\n}}\n"));
        let count = root.matches("provider").count();
        let passed = times(count, |n| format!("    a.x{n} = a.x{n}\n"));
        let asked = times(count, |n| format!("a.x{n}, "));
        let called = format!("terraform {{\n  required_providers {{\n    a = {{\n      source = \"x/a\"\n      configuration_aliases = [{asked}]\n    }}\n  }}\n}}\n");
        let called_users = times(count, |n| format!("resource \"a_b\" \"b{n}\" {{\n  provider = a.x{n}\n}}\n"));
        with_called(format!("{root}{}", call("m", "./m", &format!("  providers = {{\n{passed}  }}\n"))), called + &called_users)
    };
    "providers that a called module inherits" |size| {
        let required = text(size / 2, |n| format!("    {0} = {{\n      source = \"x/{0}\"\n    }}\n", word(n)));
        let count = required.matches("source").count();
        let required = format!("terraform {{\n  required_providers {{\n{required}  }}\n}}\n");
        let users = times(count, |n| format!("resource \"{}_b\" \"b\" {{\n}}\n", word(n)));
        with_called(format!("{}{required}", call("m", "./m", "")), required + &users)
    };
};

pub(crate) static PROVIDED: &[Axis] = axes! { "terraform":
    "attributes of a schema" |size| provided(
        "resource \"a_b\" \"b\" {\n  x = 1\n}\n", &kind("a_b", &format!("{}{}", attribute("x"), text(size, |n| attribute(&word(n)))), ""));
    "attributes of a schema, all given" |size| {
        let attributes = text(size / 2, |n| attribute(&word(n)));
        let count = attributes.matches("optional").count();
        let given = times(count, |n| format!("  {} = {n}\n", word(n)));
        provided(&format!("resource \"a_b\" \"b\" {{\n{given}}}\n"), &kind("a_b", &attributes, ""))
    };
    "attributes that a schema does not have" |size| provided(
        &format!("resource \"a_b\" \"b\" {{\n{}}}\n", text(size, |n| format!("  {} = {n}\n", word(n)))), &kind("a_b", &attribute("x"), ""));
    "references by a schema" |size| provided(
        &text(size, |n| format!("resource \"a_b\" \"b{n}\" {{\n  x = a_b.b{}.x\n  y = a_b.b0.z\n}}\n", n + 1)), &kind("a_b", &format!("{}{}", attribute("x"), attribute("y")), ""));
    "types of a schema" |size| provided(
        "resource \"a_b\" \"b\" {\n}\n", &format!("{}{}", text(size, |n| format!("{}, ", kind(&format!("a_{}", word(n)), "", ""))), kind("a_b", "", "")));
    "types of a schema, all used" |size| {
        let types = text(size / 2, |n| format!("{}, ", kind(&format!("a_{}", word(n)), "", "")));
        let count = types.matches("version").count();
        let root = times(count, |n| format!("resource \"a_{}\" \"b\" {{\n}}\n", word(n)));
        provided(&root, &format!("{types}{}", kind("a_b", "", "")))
    };
    "types that a schema does not have" |size| provided(
        &text(size, |n| format!("resource \"a_{}\" \"b\" {{\n}}\n", word(n))), &kind("a_b", "", ""));
    "resources with a schema" |size| provided(
        &text(size, |n| format!("resource \"a_b\" \"{}\" {{\n  x = \"{n}\"\n}}\n", word(n))), &kind("a_b", &attribute("x"), ""));
    "blocks within blocks of a schema" |size| provided(
        &text(size, |n| {
            format!("resource \"a_b\" \"{}\" {{\n{}{}}}\n", word(n), "c {\n".repeat(LEVELS), "}\n".repeat(LEVELS))
        }),
        &nested_kind(LEVELS));
    "blocks of a schema" |size| provided(
        &format!("resource \"a_b\" \"b\" {{\n{}}}\n", text(size, |n| format!("  c {{\n    x = {n}\n  }}\n"))), &nested_kind(1));
    "generated blocks of a schema" |size| provided(
        &format!("resource \"a_b\" \"b\" {{\n{}}}\n", text(size, |_| dynamics(1, "[1, 2]"))), &nested_kind(1));
    "generated blocks of a schema within each other" |size| provided(
        &text(size, |n| format!("resource \"a_b\" \"{}\" {{\n{}}}\n", word(n), dynamics(LEVELS, "[1]"))), &nested_kind(LEVELS));
    "ephemeral values of a schema" |size| {
        let attributes = text(size / 2, |n| attribute(&word(n)));
        let count = attributes.matches("optional").count();
        let given = times(count, |n| format!("  {} = var.v\n", word(n)));
        let variable = "variable \"v\" {\n  ephemeral = true\n}\n";
        provided(&format!("{variable}resource \"a_b\" \"b\" {{\n{given}}}\n"), &kind("a_b", &attributes, ""))
    };
    "ignored changes of a schema" |size| provided(
        &format!("resource \"a_b\" \"b\" {{\n  lifecycle {{\n    ignore_changes = [{}]\n  }}\n}}\n", text(size, |_| "id, ".to_owned())), &kind("a_b", "", ""));
    "types of blocks of a schema" |size| {
        let blocks = |n: usize| format!("\"{}\": {{\"nesting_mode\": \"list\", \"block\": {{}}}}", word(n));
        let types = text(size / 2, |n| format!("{}, ", blocks(n)));
        let count = types.matches("nesting").count();
        let given = times(count, |n| format!("  {} {{\n  }}\n", word(n)));
        provided(&format!("resource \"a_b\" \"b\" {{\n{given}}}\n"), &kind("a_b", "", &format!("{types}{}", blocks(count))))
    };
};

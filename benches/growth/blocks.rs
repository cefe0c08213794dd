//! Blocks, their arguments, and the content of particular kinds of blocks.

use super::make::{Axis, depth, expression, file, files, main_tf, resource, text, word};

macro_rules! axes {
    ($dialect:literal: $($name:literal $make:expr;)*) => {
        &[$(Axis { name: $name, dialect: $dialect, make: $make }),*]
    };
}
pub(crate) use axes;

pub(crate) static BLOCKS: &[Axis] = axes! { "terraform":
    "resources" |size| main_tf(size, |n| format!("resource \"a\" \"{}\" {{\n  x = {n}\n}}\n", word(n)));
    "resources of many types" |size| main_tf(size, |n| format!("resource \"{}\" \"b\" {{\n}}\n", word(n)));
    "data sources" |size| main_tf(size, |n| format!("data \"a\" \"{}\" {{\n}}\n", word(n)));
    "arguments of a block" |size| resource(size, |n| format!("  {} = {n}\n", word(n)));
    "nested blocks of one type" |size| resource(size, |n| format!("  x {{\n    y = {n}\n  }}\n"));
    "nested blocks of many types" |size| resource(size, |n| format!("  {} {{\n    y = {n}\n  }}\n", word(n)));
    "nested blocks of alternating types" |size| resource(size, |n| format!("  x{} {{\n    y = {n}\n  }}\n", n % 7));
    "nested blocks with labels" |size| resource(size, |n| format!("  x \"{}\" \"l\" {{\n  }}\n", word(n)));
    "labels of a block" |size| file("main.tf", size, "resource", |n| format!(" \"{}\"", word(n)), " {\n}\n");
    "alternating arguments and blocks" |size| resource(size, |n| format!("  {} = 1\n  x {{\n  }}\n", word(n)));
    "dynamic blocks" |size| resource(size, |n| {
        format!("  dynamic \"{}\" {{\n    for_each = var.x\n    content {{\n      y = {n}\n    }}\n  }}\n", word(n))
    });
    "dynamic blocks of one type" |size| resource(size, |_| {
        "  dynamic \"x\" {\n    for_each = var.x\n    content {\n      y = x.value\n    }\n  }\n".to_owned()
    });
    "blocks, deeper and deeper" |size| main_tf(size, |n| {
        format!("resource \"a\" \"{}\" {{\n{}{}}}\n", word(n), "x {\n".repeat(depth(size)), "}\n".repeat(depth(size)))
    });
    "outputs" |size| main_tf(size, |n| format!("output \"{}\" {{\n  value = var.{}\n}}\n", word(n), word(n)));
    "locals" |size| file("main.tf", size, "locals {\n", |n| format!("  {} = {n}\n", word(n)), "}\n");
    "blocks of locals" |size| main_tf(size, |n| format!("locals {{\n  {} = {n}\n}}\n", word(n)));
    "chain of locals" |size| file("main.tf", size, "locals {\n  l0 = 1\n", |n| format!("  l{} = local.l{n}\n", n + 1), "}\n");
    "chain of locals backwards" |size| {
        let count = size / 20;
        file("main.tf", size, "locals {\n", |n| {
            format!("  l{} = local.l{}\n", count.saturating_sub(n), count.saturating_sub(n + 1))
        }, "}\n")
    };
    "locals that use all others" |size| main_tf(size, |n| {
        let uses = text(400, |m| format!("local.{}, ", word(n * 7 + m)));
        format!("locals {{\n  {} = [{uses}]\n}}\n", word(n))
    });
    "modules" |size| main_tf(size, |n| format!("module \"{}\" {{\n  source = \"./m\"\n  x = {n}\n}}\n", word(n)));
    "modules with providers" |size| file("main.tf", size,
        "module \"m\" {\n  source = \"./m\"\n  providers = {\n", |n| format!("    {} = aws.{}\n", word(n), word(n)), "  }\n}\n");
    "providers" |size| main_tf(size, |n| format!("provider \"{}\" {{\n  x = {n}\n}}\n", word(n)));
    "aliases of a provider" |size| main_tf(size, |n| format!("provider \"a\" {{\n  alias = \"{}\"\n}}\n", word(n)));
    "users of a provider" |size| main_tf(size, |n| format!("resource \"a_b\" \"{}\" {{\n  provider = a.{}\n}}\n", word(n), word(n)));
    "required providers" |size| file("main.tf", size, "terraform {\n  required_providers {\n", |n| {
        format!("    {} = {{\n      source = \"x/{}\"\n      version = \"~> 1.{n}\"\n    }}\n", word(n), word(n))
    }, "  }\n}\n");
    "required versions" |size| main_tf(size, |n| format!("terraform {{\n  required_version = \">= 1.0.{n}\"\n}}\n"));
    "parts of a version" |size| file("main.tf", size, "terraform {\n  required_version = \"", |n| format!(">= 1.0.{n}, "), "> 1\"\n}\n");
    "ignored changes" |size| file("main.tf", size, "resource \"a\" \"b\" {\n  lifecycle {\n    ignore_changes = [", |n| {
        format!("{}, ", word(n))
    }, "]\n  }\n}\n");
    "dependencies" |size| file("main.tf", size, "resource \"a\" \"b\" {\n  depends_on = [", |n| format!("a.{}, ", word(n)), "]\n}\n");
    "triggers of a replacement" |size| file("main.tf", size,
        "resource \"a\" \"b\" {\n  lifecycle {\n    replace_triggered_by = [", |n| format!("a.{}.x, ", word(n)), "]\n  }\n}\n");
    "conditions" |size| file("main.tf", size, "resource \"a\" \"b\" {\n  lifecycle {\n", |n| {
        format!("    precondition {{\n      condition = self.x > {n}\n      error_message = \"No.\"\n    }}\n")
    }, "  }\n}\n");
    "checks" |size| main_tf(size, |n| {
        format!("check \"{}\" {{\n  assert {{\n    condition = var.x > 1\n    error_message = \"No.\"\n  }}\n}}\n", word(n))
    });
    "moves" |size| main_tf(size, |n| format!("moved {{\n  from = a.{}\n  to = a.{}\n}}\n", word(n), word(n + 1)));
    "moves in one module" |size| main_tf(size, |n| format!("moved {{\n  from = module.m.a.x[{n}]\n  to = a.b\n}}\n"));
    "imports" |size| main_tf(size, |n| format!("import {{\n  to = a.{}\n  id = \"{n}\"\n}}\n", word(n)));
    "removals" |size| main_tf(size, |n| {
        format!("removed {{\n  from = a.{}\n  lifecycle {{\n    destroy = false\n  }}\n}}\n", word(n))
    });
    "provisioners" |size| resource(size, |n| format!("  provisioner \"local-exec\" {{\n    command = \"{n}\"\n  }}\n"));
    "connections" |size| resource(size, |n| format!("  provisioner \"file\" {{\n    connection {{\n      host = \"{n}\"\n    }}\n  }}\n"));
    "backend arguments" |size| file("main.tf", size, "terraform {\n  backend \"s3\" {\n", |n| format!("    {} = {n}\n", word(n)), "  }\n}\n");
    "files" |size| files(size, |n| (format!("{}.tf", word(n)), format!("resource \"a\" \"{}\" {{\n}}\n", word(n))));
    "empty files" |size| files(size, |n| (format!("{}.tf", word(n)), String::new()));
    "irrelevant files" |size| files(size, |n| (format!("{}.txt", word(n)), "x".to_owned()));
    "folders" |size| files(size, |n| (format!("d{}/e{}/{}.tf", n % 7, word(n), word(n)), "locals {\n}\n".to_owned()));
    "test files" |size| files(size, |n| (format!("{}.tftest.hcl", word(n)), "run \"a\" {\n  command = plan\n}\n".to_owned()));
    "runs of a test file" |size| {
        let mut made = main_tf(20, |_| "locals {\n}\n".to_owned());
        made.extend(file("a.tftest.hcl", size, "", |n| format!("run \"{}\" {{\n  command = plan\n}}\n", word(n)), ""));
        made
    };
};

pub(crate) static EXPRESSIONS: &[Axis] = axes! { "terraform":
    "elements of a list" |size| expression(size, "[", |n| format!("{n}, "), "]");
    "lines of a list" |size| expression(size, "[\n", |n| format!("    {n},\n"), "  ]");
    "keys of an object" |size| expression(size, "{\n", |n| format!("    {} = {n}\n", word(n)), "  }");
    "keys of an object in one line" |size| expression(size, "{", |n| format!("{} = {n}, ", word(n)), "}");
    "keys that are expressions" |size| expression(size, "{\n", |n| format!("    (var.{}) = {n}\n", word(n)), "  }");
    "one key repeated" |size| expression(size, "{\n", |n| format!("    k = {n}\n"), "  }");
    "short decimals" |size| expression(size, "[", |n| format!("{n}.5, "), "]");
    "long decimals" |size| expression(size, "[", |n| format!("0.{n}{}, ", "3".repeat(60)), "]");
    "digits of a number" |size| expression(size, "1", |_| "3".repeat(64), "");
    "exponents" |size| expression(size, "[", |n| format!("{n}e{}, ", n % 300), "]");
    "letters of a string" |size| expression(size, "\"", |_| "lorem ipsum ".to_owned(), "\"");
    "strings" |size| expression(size, "[", |n| format!("\"{}\", ", word(n)), "]");
    "escapes" |size| expression(size, "\"", |_| "\\n\\\"\\u00e9".to_owned(), "\"");
    "letters to normalise" |size| expression(size, "\"", |_| "e\u{301}".to_owned(), "\"");
    "marks on a letter" |size| expression(size, "\"a", |_| "\u{316}\u{300}".to_owned(), "\"");
    "ideographs" |size| expression(size, "\"", |_| "\u{65e5}\u{672c}".to_owned(), "\"");
    "interpolations" |size| expression(size, "\"", |n| format!("${{var.{}}}-", word(n)), "\"");
    "conditions in a template" |size| expression(size, "\"", |n| format!("%{{if var.x == {n}}}x%{{else}}y%{{endif}}"), "\"");
    "loops in a template" |size| expression(size, "\"", |_| "%{for x in var.x}${x}%{endfor}".to_owned(), "\"");
    "dollars" |size| expression(size, "\"", |_| "$$${a}%%{b".to_owned(), "\"");
    "lines of a heredoc" |size| expression(size, "<<E\n", |n| format!("line {n}\n"), "E");
    "lines of an indented heredoc" |size| expression(size, "<<-E\n", |n| format!("    line {n} ${{var.x}}\n"), "    E");
    "heredocs" |size| main_tf(size, |n| format!("locals {{\n  {} = <<-E\n    x\n  E\n}}\n", word(n)));
    "marks of a heredoc" |size| main_tf(size, |n| {
        let mark = "E".repeat(200);
        format!("locals {{\n  {} = <<{mark}\n{}{mark}\n}}\n", word(n), format!("{}\n", "E".repeat(199)).repeat(10))
    });
    "comments" |size| main_tf(size, |n| format!("# {n}\n"));
    "letters of a comment" |size| file("main.tf", size, "/*", |_| " lorem * ipsum".to_owned(), "*/\n");
    "comments in a line" |size| file("main.tf", size, "", |_| "/**/".to_owned(), "\n");
    "blank lines" |size| main_tf(size, |_| "\n".to_owned());
    "blanks" |size| file("main.tf", size, "", |_| "  \t ".to_owned(), "\n");
    "carriage returns" |size| main_tf(size, |n| format!("locals {{\r\n  {} = 1\r\n}}\r\n", word(n)));
    "parentheses, deeper and deeper" |size| expression(size, "[\n", |_| format!("{}1{},\n", "(".repeat(depth(size)), ")".repeat(depth(size))), "]");
    "lists, deeper and deeper" |size| expression(size, "[\n", |_| format!("{}1{},\n", "[".repeat(depth(size)), "]".repeat(depth(size))), "]");
    "objects, deeper and deeper" |size| expression(size, "[\n", |_| format!("{}1{},\n", "{a = ".repeat(depth(size)), "}".repeat(depth(size))), "]");
    "conditionals, deeper and deeper" |size| expression(size, "[\n", |_| format!("{}2,\n", "var.x ? 1 : ".repeat(depth(size))), "]");
    "templates, deeper and deeper" |size| expression(size, "[\n", |_| format!("{}1{},\n", "\"${".repeat(depth(size)), "}\"".repeat(depth(size))), "]");
    "calls, deeper and deeper" |size| expression(size, "[\n", |_| format!("{}1{},\n", "max(".repeat(depth(size)), ")".repeat(depth(size))), "]");
    "sums, longer and longer" |size| expression(size, "[\n", |n| format!("{}{n},\n", "1 + ".repeat(depth(size))), "]");
    "negations, deeper and deeper" |size| expression(size, "[\n", |_| format!("{}true,\n", "!".repeat(depth(size))), "]");
    "calls" |size| expression(size, "[\n", |n| format!("lower(var.{}),\n", word(n)), "]");
    "calls of unknown functions" |size| expression(size, "[\n", |n| format!("{}(1),\n", word(n)), "]");
    "arguments of a call" |size| expression(size, "max(", |n| format!("{n}, "), "1)");
    "loops" |size| expression(size, "[\n", |n| format!("[for x in var.{} : x if x > 1],\n", word(n)), "]");
    "steps of a reference" |size| expression(size, "var.x", |n| format!(".{}", word(n)), "");
    "indexes of a reference" |size| expression(size, "var.x", |n| format!("[{n}]"), "");
    "splats of a reference" |size| expression(size, "var.x", |_| "[*].a".to_owned(), "");
    "old splats of a reference" |size| expression(size, "var.x", |_| ".*.a".to_owned(), "");
    "indexes that are expressions" |size| expression(size, "var.x", |_| "[var.y]".to_owned(), "");
    "references" |size| expression(size, "[\n", |n| format!("a.{}.x,\n", word(n)), "]");
    "references to variables" |size| {
        let mut made = main_tf(size / 2, |n| format!("variable \"{}\" {{\n}}\n", word(n)));
        made.push(("b.tf".to_owned(), format!("locals {{\n  a = [{}]\n}}\n", text(size / 2, |n| format!("var.{}, ", word(n))))));
        made
    };
};

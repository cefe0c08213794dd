//! Features that only other dialects than the usual one have.

use super::blocks::axes;
use super::make::{Axis, depth, file, files, main_tf, over, resource, word};

pub(crate) static OPENTOFU: &[Axis] = axes! { "opentofu":
    "OpenTofu: files that hide others" |size| files(size, |n| {
        (format!("{}.{}", word(n / 2), if n % 2 == 0 { "tf" } else { "tofu" }), format!("locals {{\n  l{n} = 1\n}}\n"))
    });
    "OpenTofu: sources from variables" |size| main_tf(size, |n| {
        format!("variable \"{}\" {{\n  default = \"{n}\"\n}}\nmodule \"{}\" {{\n  source = \"./${{var.{}}}\"\n}}\n", word(n), word(n), word(n))
    });
    "OpenTofu: sources from a chain of locals" |size| file("main.tf", size,
        "module \"m\" {\n  source = local.l0\n}\nlocals {\n", |n| format!("  l{n} = local.l{}\n", n + 1), "}\n");
    "OpenTofu: sources that cannot be known" |size| main_tf(size, |n| format!("module \"{}\" {{\n  source = a.b\n}}\n", word(n)));
    "OpenTofu: instances of providers" |size| main_tf(size, |n| {
        format!("provider \"a\" {{\n  alias = \"{}\"\n  for_each = toset([\"a\", \"b\"])\n}}\n", word(n))
    });
    "OpenTofu: instances of a provider" |size| file("main.tf", size,
        "provider \"a\" {\n  alias = \"b\"\n  for_each = {\n", |n| format!("    {} = {n}\n", word(n)), "  }\n}\n");
    "OpenTofu: key providers" |size| file("main.tf", size, "terraform {\n  encryption {\n", |n| {
        format!("    key_provider \"pbkdf2\" \"{}\" {{\n      passphrase = var.x\n    }}\n", word(n))
    }, "  }\n}\n");
    "OpenTofu: overrides of resources" |size| over(size,
        |n| format!("resource \"a\" \"{}\" {{\n  x = 1\n}}\n", word(n)),
        |n| format!("resource \"a\" \"{}\" {{\n  x = {n}\n}}\n", word(n)));
};

pub(crate) static TFLINT: &[Axis] = axes! { "tflint":
    "TFLint: resources" |size| main_tf(size, |n| format!("resource \"a\" \"{}\" {{\n  x = {n}\n}}\n", word(n)));
    "TFLint: nested blocks of many types" |size| resource(size, |n| format!("  {} {{\n    y = {n}\n  }}\n", word(n)));
    "TFLint: arguments" |size| resource(size, |n| format!("  {} = {n}\n", word(n)));
    "TFLint: overrides of resources" |size| over(size,
        |n| format!("resource \"a\" \"{}\" {{\n  x = 1\n}}\n", word(n)),
        |n| format!("resource \"a\" \"{}\" {{\n  x = {n}\n}}\n", word(n)));
    "TFLint: overrides of one resource" |size| {
        let mut made = main_tf(1, |_| "resource \"a\" \"b\" {\n}\n".to_owned());
        made.extend(file("override.tf", size, "", |n| format!("resource \"a\" \"b\" {{\n  {} = 1\n}}\n", word(n)), ""));
        made
    };
    "TFLint: overrides of locals" |size| over(size,
        |n| format!("locals {{\n  {} = {n}\n}}\n", word(n)),
        |n| format!("locals {{\n  {} = 0\n}}\n", word(n)));
    "TFLint: overrides of nested blocks" |size| {
        let mut made = resource(size / 2, |n| format!("  {} {{\n  }}\n", word(n)));
        made.extend(file("override.tf", size / 2, "resource \"a\" \"b\" {\n", |n| format!("  {} {{\n  }}\n", word(n)), "}\n"));
        made
    };
    "TFLint: counts" |size| main_tf(size, |n| format!("resource \"a\" \"{}\" {{\n  count = 3\n  x = count.index\n}}\n", word(n)));
    "TFLint: repetitions" |size| main_tf(size, |n| format!("resource \"a\" \"{}\" {{\n  for_each = toset([\"a\", \"b\"])\n  x = each.key\n}}\n", word(n)));
    "TFLint: one repetition" |size| file("main.tf", size, "resource \"a\" \"b\" {\n  x = each.value\n  for_each = {\n", |n| format!("    {} = {n}\n", word(n)), "  }\n}\n");
    "TFLint: dynamic blocks" |size| resource(size, |n| {
        format!("  dynamic \"x{}\" {{\n    for_each = [1, 2]\n    content {{\n      y = x{}.value\n    }}\n  }}\n", n % 7, n % 7)
    });
    "TFLint: one dynamic block" |size| file("main.tf", size,
        "resource \"a\" \"b\" {\n  dynamic \"x\" {\n    content {\n      y = x.value\n    }\n    for_each = [", |n| format!("{n}, "), "]\n  }\n}\n");
    "TFLint: counts from variables" |size| main_tf(size, |n| {
        format!("variable \"{}\" {{\n  default = 2\n}}\nresource \"a\" \"{}\" {{\n  count = var.{}\n}}\n", word(n), word(n), word(n))
    });
    "TFLint: counts from locals" |size| main_tf(size, |n| {
        format!("locals {{\n  {} = 2\n}}\nresource \"a\" \"{}\" {{\n  count = local.{}\n}}\n", word(n), word(n), word(n))
    });
    "TFLint: counts from a chain of locals" |size| file("main.tf", size, "resource \"a\" \"b\" {\n  count = local.l0\n}\nlocals {\n", |n| {
        format!("  l{n} = local.l{}\n", n + 1)
    }, "}\n");
};

pub(crate) static SENTINEL: &[Axis] = axes! { "sentinel":
    "Sentinel: policies" |size| file("sentinel.hcl", size, "", |n| format!("policy \"{}\" {{\n  source = \"./{n}.sentinel\"\n}}\n", word(n)), "");
    "Sentinel: imports" |size| file("sentinel.hcl", size, "", |n| format!("import \"module\" \"{}\" {{\n  source = \"./{n}.sentinel\"\n}}\n", word(n)), "");
    "Sentinel: mocks" |size| file("sentinel.hcl", size, "", |n| format!("mock \"{}\" {{\n  data = {{ a = {n} }}\n}}\n", word(n)), "");
    "Sentinel: parameters" |size| file("sentinel.hcl", size, "", |n| format!("param \"{}\" {{\n  value = [{n}]\n}}\n", word(n)), "");
    "Sentinel: a large parameter" |size| file("sentinel.hcl", size, "param \"p\" {\n  value = {\n", |n| format!("    {} = {n}\n", word(n)), "  }\n}\n");
    "Sentinel: overrides of policies" |size| {
        let mut made = file("sentinel.hcl", size / 2, "", |n| format!("policy \"{}\" {{\n  source = \"./a.sentinel\"\n}}\n", word(n)), "");
        made.extend(file("override.hcl", size / 2, "", |n| format!("policy \"{}\" {{\n  enforcement_level = \"advisory\"\n}}\n", word(n)), ""));
        made
    };
    "Sentinel: one policy many times" |size| file("sentinel.hcl", size, "", |_| "policy \"p\" {\n  source = \"./p.sentinel\"\n}\n".to_owned(), "");
    "Sentinel: JSON policies" |size| file("sentinel.json", size, "{\"policy\": {", |n| format!("\"{}\": {{\"source\": \"./{n}.sentinel\"}},\n", word(n)), "\"z\": {\"source\": \"./z\"}}}");
};

pub(crate) static OLD: &[Axis] = axes! { "terraform-0.11":
    "0.11: resources" |size| main_tf(size, |n| format!("resource \"a\" \"{}\" {{\n  x = \"{n}\"\n}}\n", word(n)));
    "0.11: arguments" |size| resource(size, |n| format!("  {} = {n}\n", word(n)));
    "0.11: nested blocks of many types" |size| resource(size, |n| format!("  {} {{\n    y = {n}\n  }}\n", word(n)));
    "0.11: one argument many times" |size| resource(size, |n| format!("  x = {n}\n"));
    "0.11: variables" |size| main_tf(size, |n| format!("variable \"{}\" {{\n  default = \"{n}\"\n}}\n", word(n)));
    "0.11: keys of a map" |size| file("main.tf", size, "variable \"v\" {\n  default = {\n", |n| format!("    {} = \"{n}\"\n", word(n)), "  }\n}\n");
    "0.11: blocks of a map" |size| file("main.tf", size, "variable \"v\" {\n", |n| format!("  default {{\n    {} = \"{n}\"\n  }}\n", word(n)), "}\n");
    "0.11: elements of a list" |size| file("main.tf", size, "variable \"v\" {\n  default = [", |n| format!("\"{n}\", "), "]\n}\n");
    "0.11: objects of a list" |size| file("main.tf", size, "variable \"v\" {\n  default = [", |n| format!("{{ {} = \"{n}\" }}, ", word(n)), "]\n}\n");
    "0.11: maps, deeper and deeper" |size| main_tf(size, |n| format!("variable \"{}\" {{\n  default = {}1{}\n}}\n", word(n), "{ a = ".repeat(depth(size)), " }".repeat(depth(size))));
    "0.11: interpolations" |size| file("main.tf", size, "locals {\n  a = \"", |n| format!("${{var.{}}}-", word(n)), "\"\n}\n");
    "0.11: locals" |size| file("main.tf", size, "locals {\n", |n| format!("  {} = \"${{local.{}}}\"\n", word(n), word(n + 1)), "}\n");
    "0.11: overrides of resources" |size| over(size,
        |n| format!("resource \"a\" \"{}\" {{\n  x = 1\n}}\n", word(n)),
        |n| format!("resource \"a\" \"{}\" {{\n  x = {n}\n}}\n", word(n)));
    "0.11: overrides of one resource" |size| {
        let mut made = main_tf(1, |_| "resource \"a\" \"b\" {\n}\n".to_owned());
        made.extend(file("override.tf", size, "", |n| format!("resource \"a\" \"b\" {{\n  {} = 1\n}}\n", word(n)), ""));
        made
    };
    "0.11: values" |size| {
        let mut made = main_tf(size / 2, |n| format!("variable \"{}\" {{\n}}\n", word(n)));
        made.extend(file("terraform.tfvars", size / 2, "", |n| format!("{} = {n}\n", word(n)), ""));
        made
    };
    "0.11: a map of many files" |size| {
        let mut made = files(size, |n| (format!("{}.auto.tfvars", word(n)), format!("v = {{ {} = {n} }}\n", word(n))));
        made.push(("main.tf".to_owned(), "variable \"v\" {\n  type = \"map\"\n}\n".to_owned()));
        made
    };
    "0.11: comments" |size| main_tf(size, |n| format!("// {n}\n"));
    "0.11: heredocs" |size| main_tf(size, |n| format!("output \"{}\" {{\n  value = <<E\nx\nE\n}}\n", word(n)));
    "0.11: open maps" |size| main_tf(size, |_| "a = {\n".to_owned());
    "0.11: JSON resources" |size| file("main.tf.json", size, "{\"resource\": {\"a\": {", |n| format!("\"{}\": {{\"x\": {n}}},\n", word(n)), "\"z\": {}}}}");
};

//! Overrides: of one thing, of many things, by one file and by many.

use super::blocks::axes;
use super::make::{Axis, Files, file, files, main_tf, over, resource, word};

fn base_and(base: &str, mut made: Files) -> Files {
    made.push(("main.tf".to_owned(), base.to_owned()));
    made
}

const BASE: &str = "resource \"a\" \"b\" {\n  x = 1\n  y {\n    z = 1\n  }\n}\n";

pub(crate) static OVERRIDES: &[Axis] = axes! { "terraform":
    "overrides of one resource" |size| base_and(BASE, file("override.tf", size, "", |n| {
        format!("resource \"a\" \"b\" {{\n  x = {n}\n}}\n")
    }, ""));
    "overrides of one resource with new arguments" |size| base_and(BASE, file("override.tf", size, "", |n| {
        format!("resource \"a\" \"b\" {{\n  {} = 1\n}}\n", word(n))
    }, ""));
    "overrides of one resource with new blocks" |size| base_and(BASE, file("override.tf", size, "", |n| {
        format!("resource \"a\" \"b\" {{\n  {} {{\n  }}\n}}\n", word(n))
    }, ""));
    "overrides of one nested block" |size| base_and(BASE, file("override.tf", size, "", |n| {
        format!("resource \"a\" \"b\" {{\n  y {{\n    z = {n}\n  }}\n}}\n")
    }, ""));
    "override files of one resource" |size| base_and(BASE, files(size, |n| {
        (format!("{}_override.tf", word(n)), format!("resource \"a\" \"b\" {{\n  x = {n}\n}}\n"))
    }));
    "empty override files" |size| base_and(BASE, files(size, |n| (format!("{}_override.tf", word(n)), String::new())));
    "an override of many arguments" |size| {
        let mut made = resource(size / 2, |n| format!("  {} = {n}\n", word(n)));
        made.extend(file("override.tf", size / 2, "resource \"a\" \"b\" {\n", |n| format!("  {} = 0\n", word(n)), "}\n"));
        made
    };
    "an override of many blocks of one type" |size| {
        let mut made = resource(size / 2, |n| format!("  y {{\n    z = {n}\n  }}\n"));
        made.extend(file("override.tf", size / 2, "resource \"a\" \"b\" {\n", |n| format!("  y {{\n    z = -{n}\n  }}\n"), "}\n"));
        made
    };
    "an override of many types of blocks" |size| {
        let mut made = resource(size / 2, |n| format!("  {} {{\n  }}\n", word(n)));
        made.extend(file("override.tf", size / 2, "resource \"a\" \"b\" {\n", |n| format!("  {} {{\n  }}\n", word(n)), "}\n"));
        made
    };
    "an override of dynamic blocks" |size| {
        let block = |n: usize| format!("  dynamic \"{}\" {{\n    for_each = var.x\n    content {{\n    }}\n  }}\n", word(n));
        let mut made = resource(size / 2, block);
        made.extend(file("override.tf", size / 2, "resource \"a\" \"b\" {\n", |n| format!("  {} {{\n  }}\n", word(n)), "}\n"));
        made
    };
    "overrides of resources" |size| over(size,
        |n| format!("resource \"a\" \"{}\" {{\n  x = 1\n}}\n", word(n)),
        |n| format!("resource \"a\" \"{}\" {{\n  x = {n}\n}}\n", word(n)));
    "overrides without a base" |size| base_and(BASE, file("override.tf", size, "", |n| {
        format!("resource \"a\" \"{}\" {{\n}}\n", word(n))
    }, ""));
    "overrides of variables" |size| over(size,
        |n| format!("variable \"{}\" {{\n  type = number\n  default = {n}\n}}\n", word(n)),
        |n| format!("variable \"{}\" {{\n  default = \"{n}\"\n}}\n", word(n)));
    "overrides of one variable" |size| base_and("variable \"v\" {\n  type = string\n}\n", file("override.tf", size, "", |n| {
        format!("variable \"v\" {{\n  default = {n}\n}}\n")
    }, ""));
    "overrides of locals" |size| over(size,
        |n| format!("locals {{\n  {} = {n}\n}}\n", word(n)),
        |n| format!("locals {{\n  {} = 0\n}}\n", word(n)));
    "overrides of one local" |size| base_and("locals {\n  a = 1\n}\n", file("override.tf", size, "", |n| {
        format!("locals {{\n  a = {n}\n}}\n")
    }, ""));
    "overrides of outputs" |size| over(size,
        |n| format!("output \"{}\" {{\n  value = 1\n}}\n", word(n)),
        |n| format!("output \"{}\" {{\n  value = {n}\n}}\n", word(n)));
    "overrides of modules" |size| over(size,
        |n| format!("module \"{}\" {{\n  source = \"./a\"\n}}\n", word(n)),
        |n| format!("module \"{}\" {{\n  source = \"./b\"\n}}\n", word(n)));
    "overrides of one module" |size| base_and("module \"m\" {\n  source = \"./a\"\n}\n", file("override.tf", size, "", |n| {
        format!("module \"m\" {{\n  {} = {n}\n}}\n", word(n))
    }, ""));
    "overrides of providers" |size| over(size,
        |n| format!("provider \"{}\" {{\n}}\n", word(n)),
        |n| format!("provider \"{}\" {{\n  x = 1\n}}\n", word(n)));
    "overrides of required providers" |size| over(size,
        |n| format!("terraform {{\n  required_providers {{\n    {} = \"{n}.0\"\n  }}\n}}\n", word(n)),
        |n| format!("terraform {{\n  required_providers {{\n    {} = \"1.{n}\"\n  }}\n}}\n", word(n)));
    "overrides of settings" |size| base_and("terraform {\n  backend \"a\" {\n  }\n}\n", file("override.tf", size, "", |n| {
        format!("terraform {{\n  backend \"{}\" {{\n  }}\n}}\n", word(n))
    }, ""));
    "override files of one backend" |size| base_and("terraform {\n  backend \"a\" {\n    x = 1\n    y = 1\n  }\n}\n", files(size, |n| {
        (format!("{}_override.tf", word(n)), format!("terraform {{\n  backend \"a\" {{\n    x = {n}\n  }}\n}}\n"))
    }));
    "overrides of lifecycles" |size| over(size,
        |n| format!("resource \"a\" \"{}\" {{\n  lifecycle {{\n    prevent_destroy = true\n  }}\n}}\n", word(n)),
        |n| format!("resource \"a\" \"{}\" {{\n  lifecycle {{\n    ignore_changes = [x]\n  }}\n}}\n", word(n)));
    "overrides of one lifecycle" |size| base_and(BASE, file("override.tf", size, "", |n| {
        format!("resource \"a\" \"b\" {{\n  lifecycle {{\n    ignore_changes = [{}]\n  }}\n}}\n", word(n))
    }, ""));
    "overrides of provisioners" |size| base_and(BASE, file("override.tf", size, "", |n| {
        format!("resource \"a\" \"b\" {{\n  provisioner \"local-exec\" {{\n    command = \"{n}\"\n  }}\n}}\n")
    }, ""));
    "moves in an override" |size| base_and(BASE, file("override.tf", size, "", |n| {
        format!("moved {{\n  from = a.{}\n  to = a.b\n}}\n", word(n))
    }, ""));
    "overrides in JSON" |size| {
        let mut made = main_tf(size / 2, |n| format!("resource \"a\" \"{}\" {{\n  x = 1\n}}\n", word(n)));
        made.extend(file("override.tf.json", size / 2, "{\"resource\": {\"a\": {", |n| format!("\"{}\": {{\"x\": {n}}}, ", word(n)), "\"z\": {}}}}"));
        made
    };
    "overrides in JSON of one resource" |size| base_and(BASE, file("override.tf.json", size, "{\"resource\": [", |n| {
        format!("{{\"a\": {{\"b\": {{\"{}\": {n}}}}}}}, ", word(n))
    }, "{}]}"));
};

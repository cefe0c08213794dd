//! Findings about files while they are read.

use serde_json::json;

use super::{Run, answer, found};

#[tokio::test]
async fn a_repeated_declaration_says_which_one_is_used() {
    let files = [("main.tf", "variable \"v\" {}\nvariable \"v\" {}\nprovider \"p\" {}\nprovider \"p\" {}\n")];
    let run = Run { at: "terraform", files: &files, ..Run::default() };
    let details = run.details().await;
    assert!(
        details.contains("`var.v` is declared more than once in the primary files; the last declaration is used.")
    );
    assert!(
        details
            .contains("`provider.p` is declared more than once in the primary files; the first declaration is used.")
    );
}

/// The position of a repeated local value is that of the remaining one after overriding.
#[tokio::test]
async fn a_repeated_local_value_is_reported_at_the_one_that_is_kept() {
    let base = ("main.tf", "locals {\n  x = 1\n}\nlocals {\n  x = 2\n}\n");
    let title = "error tool Duplicate local value definition";
    assert_eq!(found("terraform", &[base]).await, [format!("main.tf:5:3 {title} -> main.tf:2:3")]);
    let over = ("override.tf", "locals {\n  x = 3\n}\n");
    assert_eq!(found("terraform", &[base, over]).await, [format!("override.tf:2:3 {title} -> main.tf:2:3")]);
}

/// With very many imports of one address, each is compared with the first 64.
#[tokio::test]
async fn imports_of_one_address_name_a_bounded_number_of_others() {
    let text = "import {\n  to = a.b\n  id = \"i\"\n}\n".repeat(67) + "resource \"a\" \"b\" {}\n";
    let pairs = |found: Vec<String>| found.iter().filter(|line| line.contains(" -> ")).count();
    // The second to the 64th have 1 to 63 earlier ones; the other three are compared with 64.
    assert_eq!(pairs(found("terraform", &[("main.tf", &text)]).await), 63 * 64 / 2 + 3 * 64);
    let each = |at: usize| format!("import {{\n  to = a.b{at}\n  id = \"i\"\n}}\nresource \"a\" \"b{at}\" {{}}\n");
    let text: String = (0..67).map(each).collect();
    assert_eq!(pairs(found("terraform 1.5.0", &[("main.tf", &text)]).await), 63 * 64 / 2 + 3 * 64);
}

#[tokio::test]
async fn attributes_that_a_default_loses_are_found_at_any_depth() {
    let main = "variable \"v\" {\n  type = object({\n    m = map(object({ a = string }))\n    l = list(object({ a = string }))\n    \
        t = tuple([object({ a = string })])\n    e = list(object({ a = string }))\n    f = map(object({ a = string }))\n  })\n  \
        default = {\n    m = { k = { a = \"1\", b = 2 } }\n    l = [{ a = \"1\", c = 2 }]\n    t = [{ a = \"1\", d = 2 }]\n    \
        e = [for k in [\"x\"] : { a = \"1\", e = 2 }]\n    f = { for k in [\"x\"] : k => { a = \"1\", f = 2 } }\n  }\n}\n";
    let title = "warning tool Object attribute is ignored";
    let wanted = ["10:26", "11:21", "12:21", "13:38", "14:44"].map(|at| format!("main.tf:{at} {title}"));
    assert_eq!(found("opentofu", &[("main.tf", main)]).await, wanted);
    // A `for` that yields a list is not a map: that is a different mistake, and its elements are not checked.
    let main = "variable \"v\" {\n  type    = map(object({ a = string }))\n  default = [for k in [\"x\"] : { a = \"1\", b = 2 }]\n}\n";
    assert_eq!(
        found("opentofu", &[("main.tf", main)]).await,
        ["main.tf:3:13 error tool Invalid default value for variable"]
    );
}

#[tokio::test]
async fn all_three_ways_to_repeat_are_named() {
    let three =
        "resource \"a\" \"t\" {\n  count    = 1\n  for_each = {}\n  lifecycle {\n    enabled = true\n  }\n}\n";
    assert_eq!(
        found("opentofu", &[("main.tf", three)]).await,
        ["main.tf:2:3 error tool Invalid combination of \"count\", \"enabled\", and \"for_each\""]
    );
    // `enabled` only has this meaning in a lifecycle block.
    let other =
        "resource \"a\" \"t\" {\n  count = 1\n  connection {\n    host    = \"h\"\n    enabled = true\n  }\n}\n";
    assert!(found("opentofu", &[("main.tf", other)]).await.is_empty());
}

#[tokio::test]
async fn an_entry_without_arguments_requires_no_version() {
    let main = "terraform {\n  required_providers {\n    a = {}\n    c = \"1.0\"\n  }\n}\n";
    let answer = answer("terraform", &[("main.tf", main)]).await;
    let required = &answer["module"]["config"]["terraform"][0]["required_providers"][0];
    assert_eq!(*required, json!({"a": {}, "c": {"version": "1.0"}}));
}

#[tokio::test]
async fn a_repeated_provider_needs_a_valid_alias() {
    let provider = |line: &str| format!("provider \"a\" {{\n  for_each = toset([\"x\"])\n  {line}\n}}\n");
    let title = "error tool Alias required when using \"for_each\"";
    let of = async |line: &str| found("opentofu", &[("main.tf", &provider(line))]).await;
    assert!(of("version = \"1.0\"").await.contains(&format!("main.tf:2:14 {title}")));
    assert!(!of("alias = \"x\"").await.iter().any(|line| line.contains(title)));
}

/// An empty alias is a mistake, not an address with an empty end.
#[tokio::test]
async fn an_empty_alias_names_nothing() {
    let answer = answer("terraform", &[("main.tf", "provider \"a\" {\n  alias = \"\"\n}\n")]).await;
    let names: Vec<&String> = answer["module"]["objects"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["provider.a"]);
}

#[tokio::test]
async fn only_provisioners_at_destruction_have_limited_references() {
    let main = |when: &str| {
        format!(
            "variable \"h\" {{}}\nresource \"a\" \"t\" {{\n  connection {{\n    host = var.h\n  }}\n  provisioner \"local-exec\" {{\n    \
             when    = {when}\n    command = var.h\n  }}\n}}\n"
        )
    };
    assert!(found("terraform", &[("main.tf", &main("create"))]).await.is_empty());
    let title = "error tool Invalid reference from destroy provisioner";
    let wanted = ["4:12", "8:15"].map(|at| format!("main.tf:{at} {title}"));
    assert_eq!(found("terraform", &[("main.tf", &main("destroy"))]).await, wanted);
}

#[tokio::test]
async fn only_removed_managed_resources_have_provisioners() {
    let main = |from: &str| {
        format!(
            "removed {{\n  from = {from}\n  lifecycle {{\n    destroy = true\n  }}\n  provisioner \"local-exec\" {{\n    when    = destroy\n    \
             command = \"x\"\n  }}\n}}\n"
        )
    };
    assert_eq!(
        found("terraform", &[("main.tf", &main("module.x"))]).await,
        ["main.tf:6:3 error tool Invalid provisioner block"]
    );
    assert!(found("terraform", &[("main.tf", &main("a.x"))]).await.is_empty());
}

#[tokio::test]
async fn findings_about_repeated_mocks_and_blank_texts_name_the_other_place() {
    let test = "mock_provider \"a\" {\n  mock_resource \"r\" {}\n  mock_resource \"r\" {}\n}\n";
    assert_eq!(
        found("opentofu", &[("main.tf", ""), ("x.tftest.hcl", test)]).await,
        ["x.tftest.hcl:1:1 error tool Duplicated `mock_resource` block -> x.tftest.hcl:2:3 -> x.tftest.hcl:3:3"]
    );
    let main =
        "variable \"v\" {\n  deprecated = \" \"\n}\noutput \"o\" {\n  value      = 1\n  deprecated = \" \"\n}\n";
    assert_eq!(
        found("opentofu", &[("main.tf", main)]).await,
        [
            "main.tf:1:10 error tool Invalid `deprecated` value -> main.tf:2:3",
            "main.tf:6:16 error tool Invalid `deprecated` attribute",
        ]
    );
}

/// The later of two `module` blocks applies; the other blocks of the run stay (verified against Terraform 1.11.4).
#[tokio::test]
async fn a_repeated_module_block_leaves_the_rest_of_a_run_as_it_is() {
    let target = "  override_resource {\n    target = a.b\n  }\n";
    let modules = "  module {\n    source = \"./a\"\n  }\n  module {\n    source = \"./b\"\n  }\n";
    let run = format!("run \"a\" {{\n{target}{modules}{target}}}\n");
    assert_eq!(
        found("terraform", &[("main.tf", ""), ("t.tftest.hcl", &run)]).await,
        [
            "t.tftest.hcl:8:3 error tool Multiple \"module\" blocks -> t.tftest.hcl:5:3",
            "t.tftest.hcl:11:3 error tool Duplicate override_resource block -> t.tftest.hcl:2:3",
        ]
    );
}

/// A constraint that cannot be evaluated is an ordinary error; only an unmet one hides other errors.
#[tokio::test]
async fn a_constraint_that_cannot_be_judged_hides_nothing() {
    let main = |text: &str| format!("terraform {{\n  required_version = \"{text}\"\n}}\nvariable \"1\" {{}}\n");
    let name = |found: Vec<String>| found.into_iter().find(|line| line.contains("Invalid variable name")).unwrap();
    let unclear = found("opentofu 1.12", &[("main.tofu", &main("> 1.0.0-beta1"))]).await;
    assert_eq!(name(unclear), "main.tofu:4:10 error tool Invalid variable name");
    let unmet = found("opentofu 1.12", &[("main.tofu", &main("< 0.1"))]).await;
    assert_eq!(name(unmet), "main.tofu:4:10 error tool-later Invalid variable name");
}

/// A broken `moved` block is kept as written, with its addresses as addresses.
#[tokio::test]
async fn arguments_of_a_block_that_is_not_read_keep_their_meaning() {
    let main = "moved {\n  from = a.b\n  to   = a.c\n  x    = 1\n}\nimport {\n  to = a.b\n  id = \"x\"\n  x  = 1\n}\n\
        removed {\n  from = a.z\n  x    = 1\n}\nresource \"a\" \"b\" {}\n";
    let answer = answer("terraform", &[("main.tf", main)]).await;
    let config = &answer["module"]["config"];
    assert_eq!(config["moved"], json!([{"from": "a.b", "to": "a.c"}]));
    assert_eq!(config["import"], json!([{"to": "a.b", "id": "x"}]));
    assert_eq!(config["removed"], json!([{"from": "a.z"}]));
}

/// Provider names are compared without regard to case.
#[tokio::test]
async fn a_type_in_capital_letters_implies_the_same_provider() {
    let main = "terraform {\n  required_providers {\n    foo = { source = \"hashicorp/bar\" }\n  }\n}\nresource \"BAR_x\" \"t\" {}\n\
        resource \"bar_x\" \"u\" {}\n";
    let wanted =
        [6, 7].map(|line| format!("main.tf:{line}:1 warning tool Duplicate required provider -> main.tf:3:11"));
    assert_eq!(found("terraform", &[("main.tf", main)]).await, wanted);
}

/// A file with many kinds of blocks is read like one with few.
#[tokio::test]
async fn every_kind_of_block_in_one_file() {
    let main = "resource \"a\" \"b\" {\n  lifecycle {\n    precondition {\n      condition     = a.b\n      error_message = \"\"\n    }\n  }\n  \
        connection {}\n  provisioner \"x\" {}\n}\ndata \"a\" \"c\" {}\nmodule \"m\" {\n  source = \"./m\"\n}\nvariable \"v\" {\n  default = 1\n  \
        validation {\n    condition     = var.v\n    error_message = \"\"\n  }\n}\noutput \"o\" {\n  value = 1\n}\nprovider \"p\" {}\nterraform {\n  \
        backend \"b\" {}\n}\nmoved {\n  from = a.x\n  to   = a.y\n}\nimport {\n  to = a.b\n  id = \"x\"\n}\nremoved {\n  from = a.z\n}\n\
        ephemeral \"e\" \"f\" {}\naction \"g\" \"h\" {}\ncheck \"d\" {\n  data \"x\" \"y\" {}\n  assert {\n    condition     = a.b\n    \
        error_message = \"\"\n  }\n}\n";
    assert_eq!(
        found("terraform", &[("main.tf", main)]).await,
        ["main.tf:4:23 error tool Invalid reference in precondition"]
    );
}

// The dialect `terraform-0.11`.

#[tokio::test]
async fn references_in_maps_of_lists_are_looked_up() {
    let main = "resource \"a\" \"t\" {\n  x = [{ k = \"${var.nope}\" }]\n}\n";
    assert_eq!(
        found("terraform-0.11", &[("main.tf", main)]).await,
        [
            "main.tf:2:14 error tool resource 'a.t' config: unknown variable referenced: 'nope'; define it with a 'variable' block"
        ]
    );
}

#[tokio::test]
async fn lists_of_only_maps_have_no_json_form() {
    let main = "locals {\n  e = []\n  o = [{}]\n  n = [1]\n}\n";
    assert_eq!(
        found("terraform-0.11", &[("main.tf", main)]).await,
        ["main.tf:3:3 info overfold Value has no JSON form"]
    );
}

#[tokio::test]
async fn whole_numbers_are_strings_and_fractions_are_not() {
    let main = |number: &str| format!("resource \"a\" \"t\" {{\n  provider = {number}\n}}\n");
    let of = async |number: &str| found("terraform-0.11", &[("main.tf", &main(number))]).await;
    assert_eq!(of("1.5").await, ["main.tf:2:14 error tool Error reading provider for a[t]"]);
    assert!(!of("15").await.iter().any(|line| line.contains("Error reading")));
}

#[tokio::test]
async fn types_of_plain_variables() {
    let main = "variable \"v\" {\n  type = \"\"\n}\nvariable \"w\" {\n  type = [\"x\"]\n}\nvariable \"x\" {\n  type = \"number\"\n}\n";
    let found = found("terraform-0.11", &[("main.tf", main)]).await;
    assert_eq!(
        found,
        [
            "main.tf:5:10 error tool The value cannot be decoded",
            "main.tf:8:10 error tool-later Variable 'x' type must be one of [string, list, map] - 'number' is not a valid type",
        ]
    );
}

#[tokio::test]
async fn settings_cannot_contain_interpolations_at_any_depth() {
    let main = "terraform {\n  required_version = \"${var.x}\"\n  backend \"s3\" {\n    a = \"${var.x}\"\n    l = [\"${var.x}\"]\n    \
        m = { k = \"${var.x}\" }\n  }\n}\n";
    let backend = "error tool terraform.backend: configuration cannot contain interpolations";
    assert_eq!(
        found("terraform-0.11", &[("main.tf", main)]).await,
        [
            "main.tf:2:22 error tool terraform.required_version: cannot contain interpolations".to_owned(),
            format!("main.tf:4:9 {backend}"),
            format!("main.tf:5:10 {backend}"),
            format!("main.tf:6:15 {backend}"),
        ]
    );
}

/// The release reads the whole block as one structure, so the later of two constraints applies.
#[tokio::test]
async fn the_later_constraint_of_a_block_is_judged() {
    let main = "terraform {\n  required_version = \"> 0.1\"\n  required_version = \"> 99\"\n}\n";
    let found = found("terraform-0.11", &[("main.tf", main)]).await;
    assert!(
        found.iter().any(|line| line.starts_with("main.tf:3:3 error tool The currently running version")),
        "{found:?}"
    );
}

/// Bodies that are read argument by argument use the first of two arguments, those that are read as a whole the last.
#[tokio::test]
async fn which_of_two_arguments_counts() {
    let main = "resource \"a\" \"t\" {\n  count = 2\n  count = 3\n  lifecycle {\n    create_before_destroy = true\n    \
        create_before_destroy = false\n  }\n}\nvariable \"v\" {\n  description = \"a\"\n  description = \"b\"\n}\n";
    let answer = answer("terraform-0.11", &[("main.tf", main)]).await;
    let config = &answer["module"]["config"];
    assert_eq!(config["resource"]["a"]["t"], json!({"count": 2, "lifecycle": [{"create_before_destroy": false}]}));
    assert_eq!(config["variable"]["v"], json!({"description": "b"}));
}

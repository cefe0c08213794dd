use std::sync::Arc;

use super::*;
use crate::language::references::ResourceMode;
use overfold_base::diag::Diagnostics;
use overfold_syntax::{Forest, SyntaxLimits, statics};
use overfold_value::Type;

const DOCUMENT: &str = r#"{"format_version": "1.0", "provider_schemas": {"example.org/a/b": {
  "provider": {"version": 0, "block": {"attributes": {"token": {"type": "string", "optional": true, "sensitive": true}}}},
  "resource_schemas": {
    "b_wrong": {"block": {"attributes": {"x": {"type": ["list"]}}}},
    "b_thing": {"version": 3, "block": {
      "attributes": {
        "id": {"type": "string", "computed": true},
        "name": {"type": "string", "required": true},
        "old": {"type": "bool", "optional": true, "deprecated": true},
        "tags": {"type": ["map", "string"], "optional": true},
        "ports": {"type": ["list", ["object", {"from": "number", "to": "number"}, ["to"]]], "optional": true},
        "limits": {"nested_type": {"nesting_mode": "list", "attributes": {
          "cpu": {"type": "number", "required": true}, "burst": {"type": "number", "computed": true}}}, "optional": true}
      },
      "block_types": {
        "disk": {"nesting_mode": "list", "min_items": 1, "max_items": 2, "block": {
          "attributes": {"size": {"type": "number", "optional": true}},
          "block_types": {"snapshot": {"nesting_mode": "set", "block": {"attributes": {"at": {"type": "string"}}}}}}},
        "place": {"nesting_mode": "single", "block": {"deprecated": true, "attributes": {"zone": {"type": "dynamic"}}}},
        "tag": {"nesting_mode": "map", "block": {"attributes": {"any": {"type": "dynamic"}}}}
      }}}
  },
  "functions": {"sum": {"parameters": [{"name": "first", "type": "number"}], "return_type": "number",
    "variadic_parameter": {"name": "rest", "type": "number", "is_nullable": true}}}
}}}"#;

fn document() -> ProviderSchemas {
    ProviderSchemas::read(DOCUMENT).unwrap()
}

fn thing(document: &ProviderSchemas) -> Arc<BodySchema> {
    document.provider("example.org/a/b").unwrap().object(ResourceMode::Managed, "b_thing").unwrap()
}

#[test]
fn a_type_is_read_with_everything_inside_it() {
    let document = document();
    let provider = document.provider("example.org/a/b").unwrap();
    assert_eq!(provider.type_names(ResourceMode::Managed).collect::<Vec<_>>(), ["b_thing", "b_wrong"]);
    assert!(provider.has(ResourceMode::Managed, "b_wrong") && !provider.has(ResourceMode::Data, "b_thing"));
    assert!(provider.object(ResourceMode::Managed, "b_wrong").is_none());
    assert!(provider.configuration().unwrap().attributes["token"].sensitive);
    let schema = thing(&document);
    assert!(schema.attributes["name"].required && schema.attributes["old"].deprecated);
    assert!(schema.blocks["place"].body.deprecated);
    let disk = &schema.blocks["disk"];
    assert_eq!((disk.nesting, disk.min_items, disk.max_items), (Nesting::List, 1, 2));
    assert_eq!(disk.body.blocks["snapshot"].nesting, Nesting::Set);
}

#[test]
fn the_type_of_a_body_has_all_parts() {
    let schema = thing(&document());
    let of = |name: &str| schema.implied_type().attribute(name).unwrap().ty.to_json();
    assert_eq!(of("limits"), r#"["list",["object",{"burst":"number","cpu":"number"}]]"#);
    assert_eq!(of("ports"), r#"["list",["object",{"from":"number","to":"number"}]]"#);
    let limits = schema.attributes["limits"].constraint().to_json();
    assert_eq!(limits, r#"["list",["object",{"burst":"number","cpu":"number"},["burst"]]]"#);
    assert_eq!(of("disk"), r#"["list",["object",{"size":"number","snapshot":["set",["object",{"at":"string"}]]}]]"#);
    assert_eq!(of("place"), r#"["object",{"zone":"dynamic"}]"#);
    // Every element may have a type of its own.
    assert_eq!(of("tag"), r#""dynamic""#);
}

#[test]
fn attributes_may_be_blocks_where_no_type_is_new() {
    let schema = thing(&document());
    assert!(!schema.takes_attributes_as_blocks());
    assert!(schema.blocks["disk"].body.takes_attributes_as_blocks());
    let element = schema.attributes["ports"].element_body().unwrap();
    assert_eq!(element.names().collect::<Vec<_>>(), ["from", "to"]);
    assert!(element.attributes["from"].optional && schema.attributes["tags"].element_body().is_none());
}

#[test]
fn functions_have_parameters_and_a_result() {
    let document = document();
    let sum = document.provider("example.org/a/b").unwrap().function("sum").unwrap();
    let names = [0, 1, 5].map(|at| sum.parameter(at).map(|parameter| (&*parameter.name, parameter.takes_null)));
    assert_eq!(names, [Some(("first", false)), Some(("rest", true)), Some(("rest", true))]);
    assert_eq!(sum.result, Type::Number);
}

#[test]
fn what_belongs_to_the_tool_is_always_known() {
    assert!(document().provider(BUILTIN_PROVIDER).is_none());
    let dialect = |version| overfold_dialect::find("terraform", Some(version)).unwrap();
    let types = |version| builtin(dialect(version)).type_names(ResourceMode::Managed).count();
    assert_eq!([types("1.3.10"), types("1.4.7"), types("1.11.4")], [0, 1, 1]);
    let functions = |version| builtin(dialect(version)).function_names().count();
    assert_eq!([functions("1.7.5"), functions("1.8.5")], [0, 3]);
    let data = builtin(dialect("1.16.0-rc2")).object(ResourceMode::Managed, "terraform_data").unwrap();
    assert!(data.blocks["store"].body.attributes["input"].write_only);
    let data = builtin(dialect("1.11.4")).object(ResourceMode::Managed, "terraform_data").unwrap();
    assert!(data.attributes["id"].computed && !data.attributes["id"].optional);
    for (name, arguments) in [("local-exec", 5), ("remote-exec", 3), ("file", 3)] {
        assert_eq!(provisioner(name).unwrap().attributes.len(), arguments, "{name}");
    }
    assert!(provisioner("chef").is_none());
    assert!(connection().attributes["host"].required && connection().attributes.len() > 20);
}

#[test]
fn a_document_of_another_form_is_refused() {
    let refused = |text: &str| ProviderSchemas::read(text).unwrap_err().to_string();
    assert!(refused("{").contains("not valid JSON"));
    assert!(refused("[]").contains("providers schema -json"));
    assert!(refused("{}").contains("provider_schemas"));
    assert!(refused(r#"{"provider_schemas": {"a": 1}}"#).contains(r#"provider "a""#));
    assert!(ProviderSchemas::read(r#"{"provider_schemas": {}}"#).is_ok());
}

/// Returns the schema of a type with this many levels of nested blocks.
fn nested(levels: usize) -> Option<Arc<BodySchema>> {
    let text = format!(
        r#"{{"provider_schemas": {{"a": {{"resource_schemas": {{"x": {{"block": {}{{}}{} }}}}}}}}}}"#,
        r#"{"block_types": {"b": {"nesting_mode": "single", "block": "#.repeat(levels),
        "}}}".repeat(levels)
    );
    let document = ProviderSchemas::read(text).unwrap();
    document.provider("a").unwrap().object(ResourceMode::Managed, "x")
}

#[test]
fn schemas_may_be_nested_deeply_but_not_without_limit() {
    let schema = nested(250).unwrap();
    let mut depth = 0;
    let mut at = &*schema;
    while let Some(block) = at.blocks.get("b") {
        (at, depth) = (&block.body, depth + 1);
    }
    assert_eq!(depth, 250);
    assert!(schema.takes_attributes_as_blocks() && schema.implied_type().depth() == 251);
    assert!(nested(251).is_none());
}

/// Returns the titles and texts of what is reported about a reference to the attributes of an object.
fn found(path: &str) -> Vec<String> {
    let forest = Forest::new(SyntaxLimits::default());
    let mut out = Diagnostics::new();
    let source = forest.parse_detached_expression("x", format!("o{path}").into(), &mut out);
    let overfold_syntax::tree::Root::Expr(expr) = forest.native(source).unwrap().root else { panic!() };
    let expr = overfold_syntax::ExprAt::Native(source, expr);
    let references = statics::references(&forest, expr);
    check_path(
        &thing(&document()),
        &references[0].steps,
        PathRules { warns_of_deprecated: true, ..PathRules::default() },
        &mut out,
    );
    out.iter().map(|found| format!("{} {}", found.summary, forest.sources.text(found.span.unwrap()))).collect()
}

#[test]
fn paths_are_followed_as_far_as_they_are_written_out() {
    for fine in [
        "",
        ".name",
        ".tags[\"x\"]",
        ".tags.x",
        ".limits[0].cpu",
        ".disk",
        ".disk[0].size",
        ".disk.0.size",
        ".disk[*].nope",
        ".disk[0].snapshot",
        ".place.zone.anything[5].x",
        ".tag[\"x\"].any.y",
        ".tag.x.any",
        ".disk[o.x].nope",
    ] {
        assert_eq!(found(fine), [""; 0], "{fine}");
    }
    assert_eq!(found(".nam"), ["Unsupported attribute .nam"]);
    assert_eq!(found(".name.x"), ["Unsupported attribute .x"]);
    assert_eq!(found(".tags[\"x\"].y"), ["Unsupported attribute .y"]);
    assert_eq!(found(".name[0]"), ["Invalid index [0]"]);
    assert_eq!(found(".limits.cpu"), ["Unsupported attribute .cpu"]);
    assert_eq!(found(".limits[0].gpu"), ["Unsupported attribute .gpu"]);
    assert_eq!(found(".disk.size"), ["Invalid operation .size"]);
    assert_eq!(found(".disk[0][\"size\"]"), ["Invalid index operation [\"size\"]"]);
    assert_eq!(found(".disk[0].snapshot[0]"), ["Cannot index a set value [0]"]);
    assert_eq!(found(".place[0]"), ["Invalid index operation [0]"]);
    assert_eq!(found(".tag.x.nope"), ["Unsupported attribute .nope"]);
    assert_eq!(found(".old"), ["Deprecated attribute .old"]);
    assert_eq!(found(".old.x"), ["Deprecated attribute .old", "Unsupported attribute .x"]);
}

/// Returns what a document contains, or what is wrong with it.
fn content(read: Result<ProviderSchemas, SchemaError>) -> String {
    let document = match read {
        Ok(document) => document,
        Err(error) => return format!("refused: {error}"),
    };
    let modes = [ResourceMode::Managed, ResourceMode::Data, ResourceMode::Ephemeral, ResourceMode::Action];
    let provider = |address| {
        let provider = document.provider(address).unwrap();
        let types =
            |mode| provider.type_names(mode).map(|name| (name, provider.object(mode, name))).collect::<Vec<_>>();
        let functions: Vec<_> = provider.function_names().map(|name| (name, provider.function(name))).collect();
        format!("{address} {:?} {:?} {functions:?}", provider.configuration(), modes.map(types))
    };
    document.addresses().map(provider).collect()
}

#[test]
fn one_pass_finds_what_reading_piece_by_piece_finds() {
    let same = |text: &str| {
        let found = content(ProviderSchemas::read(text));
        assert_eq!(found, content(ProviderSchemas::read_piece_by_piece(text.into())), "{text}");
        found.starts_with("refused")
    };
    let text = r#" {"a": 1, "provider_schemas": {"x": {"provider": {"block": {}}, "resource_schemas": {"r": {"block": {"attributes": {"a": {"type": "bool"}}}}, "r\u0061": {}}, "data_source_schemas": {"d": {}}, "ephemeral_resource_schemas": {"e": {}}, "action_schemas": {"t": {}}, "functions": {"f": {"return_type": "string"}}, "new": {}}, "y": {"provider": null}}} "#;
    assert!(serde_json::from_str::<SchemaIndex<'_>>(text).is_ok() && !same(text));
    let mut refused = 0;
    for at in 0..text.len() {
        let (head, tail) = text.split_at(at);
        let (_, rest) = tail.split_at(1);
        refused += usize::from(same(head)) + usize::from(same(&format!("{head}{rest}")));
        for with in
            ["\"", "{", "}", "[", "]", ",", ":", "\\", "0", " ", "null", "{}", "\"provider\": 1, ", "\"x\": {}, "]
        {
            refused +=
                usize::from(same(&format!("{head}{with}{rest}"))) + usize::from(same(&format!("{head}{with}{tail}")));
        }
    }
    assert!(refused > 10 * text.len(), "{refused}");
    for odd in [
        "[{}]",
        r#"[{"x": {}}]"#,
        r#"{"provider_schemas": null}"#,
        r#"{"provider_schemas": {"x": {"functions": null}}}"#,
    ] {
        assert!(serde_json::from_str::<SchemaIndex<'_>>(odd).is_err(), "{odd}");
        same(odd);
    }
}

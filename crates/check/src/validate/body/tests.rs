use std::rc::Rc;
use std::sync::Arc;

use bytes::Bytes;

use super::*;
use overfold_base::account::{self, Cancel, Limits};
use overfold_base::files::{FileSet, ModulePath, SourceFile};
use overfold_dialect as dialect;
use overfold_eval::{JsonStrings, LogicRule, Scope};
use overfold_load::loading::{self, Request};
use overfold_model::language::references::ResourceMode;
use overfold_model::schema::{ProviderSchemas, builtin, provisioner};
use overfold_syntax::SyntaxLimits;
use overfold_value::{Marks, Type};

const SCHEMAS: &str = r#"{"provider_schemas": {"a": {"resource_schemas": {
  "thing": {"block": {
    "attributes": {
      "name": {"type": "string", "required": true}, "size": {"type": "number", "optional": true},
      "secret": {"type": "string", "optional": true, "write_only": true},
      "limits": {"nested_type": {"nesting_mode": "list", "attributes": {
        "cpu": {"type": "number", "required": true}, "ram": {"type": "number", "optional": true}}}, "optional": true}},
    "block_types": {
      "disk": {"nesting_mode": "list", "min_items": 1, "max_items": 2, "block": {
        "attributes": {"size": {"type": "number", "required": true}},
        "block_types": {"snapshot": {"nesting_mode": "set", "block": {
          "attributes": {"at": {"type": "string", "optional": true}}}}}}},
      "place": {"nesting_mode": "single", "block": {"attributes": {"zone": {"type": "string", "optional": true}}}},
      "watch": {"nesting_mode": "group", "block": {"attributes": {"every": {"type": "number", "optional": true}}}},
      "tag": {"nesting_mode": "map", "block": {"attributes": {"value": {"type": "string", "optional": true}}}}}}},
  "old": {"block": {"attributes": {
    "rule": {"type": ["set", ["object", {"port": "number", "note": "string"}]], "optional": true}}}},
  "deep": {"block": {"block_types": {"a": {"nesting_mode": "list", "block": {"block_types": {
    "b": {"nesting_mode": "list", "block": {"attributes": {"x": {"type": "number", "optional": true}}}}}}}}}}
}}}}"#;

/// Evaluates with a few names.
struct Names<'f> {
    forest: &'f Forest,
}

impl Evaluate for Names<'_> {
    fn evaluate(&mut self, expr: ExprAt, iterators: Option<&Rc<Roots>>, out: &mut Diagnostics) -> Value {
        let variables = [
            ("any", Value::dynamic()),
            ("list", Value::unknown(Type::list(Type::String))),
            ("once", Value::unknown(Type::String).with_marks(Marks::EPHEMERAL)),
        ];
        let mut roots = Roots::within(iterators.cloned());
        roots.insert(Arc::from("var"), Value::object(variables.map(|(name, value)| (Arc::from(name), value)).into()));
        let scope = Scope {
            roots: Some(&roots),
            functions: Some(dialect::functions(dialect::find("terraform", Some("1.11")).unwrap())),
            providers: None,
            assumes_functions: false,
            files: None,
            json: JsonStrings::Templates,
            logic: LogicRule::BothSides,
            plan_time: None,
            clock: None,
            absent: None,
        };
        overfold_eval::evaluate(self.forest, expr, &scope, out)
    }
}

/// Calls `job` with the body of the first resource of a module.
fn with_body<R>(files: &[(&str, &str)], known: bool, job: impl FnOnce(&Body<'_, '_>, &mut Names<'_>) -> R) -> R {
    let file = |&(name, text): &(&str, &str)| SourceFile {
        path: ModulePath::parse(name).unwrap(),
        bytes: Bytes::copy_from_slice(text.as_bytes()),
    };
    let request = Request { version: Some("1.11".to_owned()), ..Request::new("terraform") };
    let forest = Forest::new(SyntaxLimits::default());
    let files = FileSet::new(files.iter().map(file).collect(), Vec::new());
    let report =
        loading::load(dialect::find("terraform", Some("1.11")).unwrap(), &forest, &files, &request, &mut |_| {})
            .unwrap();
    assert!(!report.diagnostics.has_errors(), "{:?}", report.diagnostics);
    let resource = report.module.elements.iter().find(|element| element.block.labels.len() == 2).unwrap();
    let schemas = ProviderSchemas::read(SCHEMAS).unwrap();
    let type_name = resource.block.labels[0].text;
    let modes = [ResourceMode::Managed, ResourceMode::Data];
    let own = modes
        .into_iter()
        .find_map(|mode| builtin(overfold_dialect::find("terraform", None).unwrap()).object(mode, type_name));
    let schema = own.or_else(|| schemas.provider("a").unwrap().object(ResourceMode::Managed, type_name));
    let mut body = Body::new(&forest, resource.block, schema.as_deref().filter(|_| known));
    body.refuses_ephemeral = true;
    job(&body, &mut Names { forest: &forest })
}

/// Returns the titles and places of what is found, sorted.
fn titles(forest: &Forest, out: &Diagnostics) -> Vec<String> {
    let title = |found: &overfold_base::diag::Diagnostic| {
        let at = found.span.map(|span| forest.sources.text(span).into_owned()).unwrap_or_default();
        format!("{} {at}", found.summary).trim().to_owned()
    };
    let mut titles: Vec<String> = out.iter().map(title).collect();
    titles.sort();
    titles
}

fn found_in(files: &[(&str, &str)], known: bool) -> Vec<String> {
    with_body(files, known, |body, names| {
        let mut out = Diagnostics::new();
        check(body, names, &mut out);
        titles(body.forest, &out)
    })
}

/// Checks the body of a resource in native syntax.
#[track_caller]
fn assert_found(type_name: &str, body: &str, expected: &[&str]) {
    let text = format!("resource \"{type_name}\" \"x\" {{\n{body}\n}}\n");
    assert_eq!(found_in(&[("main.tf", &text)], true), expected, "{body}");
}

#[test]
fn names_types_and_numbers_of_blocks() {
    assert_found("thing", "name = 1\ndisk { size = \"2\" }\nlimits = [{ cpu = 1, more = 2 }]", &[]);
    assert_found(
        "thing",
        "size = []\nsise = var.none\nplaces {}\nlimits = [{ ram = 1 }]\ndisk {\n size = var.list\n x = 1\n}",
        &[
            "Incorrect attribute value type []",
            "Incorrect attribute value type [{ ram = 1 }]",
            "Incorrect attribute value type var.list",
            "Missing required argument",
            "Unsupported argument sise",
            "Unsupported argument x",
            "Unsupported block type places",
        ],
    );
    assert_found(
        "thing",
        "name = null\nplace {}\nplace { zone = [] }\nwatch {}\nwatch {}\ntag \"a\" {}\ntag \"a\" {}\ntag {}",
        &[
            "Duplicate place block place",
            "Duplicate tag block tag \"a\"",
            "Duplicate watch block watch",
            "Insufficient disk blocks",
            "Missing key for tag {",
        ],
    );
    let disk = "disk { size = 1 }\n";
    assert_found("thing", &format!("name = 1\n{}", disk.repeat(3)), &["Too many disk blocks"]);
}

#[test]
fn a_known_collection_generates_a_block_for_each_element() {
    let body = "name = 1\ndynamic \"disk\" {\n for_each = [1, \"b\", \"c\"]\n iterator = d\n content {\n size = d.value\n x = 1\n dynamic \"snapshot\" {\n for_each = [d.key]\n content { at = [snapshot.value] }\n }\n }\n}";
    let mut expected = vec!["Incorrect attribute value type [snapshot.value]"; 3];
    expected.extend(["Incorrect attribute value type d.value"; 2]);
    expected.push("Too many disk blocks");
    expected.extend(["Unsupported argument x"; 3]);
    assert_found("thing", body, &expected);
}

#[test]
fn an_unknown_collection_stands_for_a_block_of_which_nothing_is_known() {
    assert_found(
        "thing",
        "name = 1\ndynamic \"disk\" {\n for_each = var.list\n content {\n x = 1\n size = []\n dynamic \"snapshot\" {\n for_each = 5\n content {}\n }\n }\n}\ndisk { size = [] }\ndynamic \"tag\" {\n for_each = var.any\n labels = [\"a\"]\n content { y = 1 }\n}",
        &["Invalid dynamic for_each value 5", "Unsupported argument x"],
    );
}

#[test]
fn what_is_wrong_with_dynamic_blocks() {
    let dynamic =
        |made: &str, content: &str| format!("name = 1\ndisk {{ size = 1 }}\ndynamic \"{made}\" {{\n{content}\n}}");
    for (made, content, expected) in [
        ("disc", "for_each = []\ncontent {}", "Unsupported block type \"disc\""),
        ("name", "for_each = []\ncontent {}", "Unsupported block type \"name\""),
        ("disk", "for_each = null\ncontent {}", "Invalid dynamic for_each value null"),
        ("disk", "for_each = 1\niterator = \"d\"\ncontent {}", "Invalid expression \"d\""),
        ("disk", "for_each = []\niterator = a.b\ncontent {}", "Invalid dynamic iterator name a.b"),
        ("disk", "for_each = []", "Missing dynamic content block"),
        ("disk", "for_each = []\ncontent {}\ncontent {}", "Extraneous dynamic content block content"),
        ("disk", "for_each = []\nlabels = []\ncontent {}", "Unsupported argument labels"),
        ("tag", "for_each = [1]\ncontent {}", "Missing required argument"),
        ("tag", "for_each = [1]\nlabels = [1, 2]\ncontent {}", "Extraneous dynamic block label 2"),
        ("tag", "for_each = [1]\nlabels = [null]\ncontent {}", "Invalid dynamic block label null"),
        ("tag", "for_each = [1]\nlabels = [var.any]\ncontent {}", "Invalid dynamic block label var.any"),
        ("tag", "for_each = [1]\nlabels = [sensitive(1)]\ncontent {}", "Invalid dynamic block label sensitive(1)"),
        ("tag", "for_each = [1, 2]\nlabels = [\"a\"]\ncontent {}", "Duplicate tag block dynamic \"tag\""),
    ] {
        assert_found("thing", &dynamic(made, content), &[expected]);
    }
}

#[test]
fn attributes_of_objects_may_be_blocks() {
    assert_found(
        "old",
        "rule {\n port = []\n x = 1\n}\ndynamic \"rule\" {\n for_each = [1]\n content { note = {} }\n}",
        &["Incorrect attribute value type []", "Incorrect attribute value type {}", "Unsupported argument x"],
    );
    assert_found("old", "rule = []\nrule {}", &["Unsupported block type rule"]);
}

#[test]
fn blocks_in_json_syntax() {
    let text = r#"{"resource": {"thing": {"x": {"name": "1", "//": 1, "z": "${var.none}", "place": null, "tag": {"a": {}},
        "disk": [{"size": "${var.list}"}, [{"size": 1, "y": 2}]], "watch": 5,
        "dynamic": {"tag": {"for_each": ["b"], "labels": ["${tag.value}"], "content": {"value": []}}}}}}}"#;
    assert_eq!(
        found_in(&[("main.tf.json", text)], true),
        [
            "Extraneous JSON object property \"y\"",
            "Extraneous JSON object property \"z\"",
            "Incorrect JSON value type 5",
            "Incorrect attribute value type \"${var.list}\"",
            "Incorrect attribute value type []",
        ]
    );
}

#[test]
fn an_override_may_not_give_what_is_required_and_unknown_names_are_dropped() {
    let base = "resource \"thing\" \"x\" {\n nope = 1\n disk { size = [] }\n}\n";
    let over = "resource \"thing\" \"x\" {\n name = {}\n nope2 = 1\n nope {}\n disk {\n size = 1\n y = 1\n }\n}\n";
    assert_eq!(
        found_in(&[("main.tf", base), ("override.tf", over)], true),
        ["Incorrect attribute value type {}", "Missing required argument", "Unsupported argument y"]
    );
}

#[test]
fn an_escape_block_is_read_like_the_rest() {
    let text = "name = 1\nsize = 2\ndisk { size = 1 }\n_ {\n size = 3\n count = 4\n disk { size = [] }\n}";
    assert_found(
        "thing",
        text,
        &["Duplicate argument size", "Incorrect attribute value type []", "Unsupported argument count"],
    );
    assert_found("thing", "_ {\n disk { size = 1 }\n}", &["Missing required argument"]);
}

#[test]
fn without_a_schema_everything_is_evaluated_and_no_name_is_judged() {
    let native = "resource \"other\" \"x\" {\n a = upper()\n b {\n c = [].d\n }\n dynamic \"e\" {\n for_each = [1, 2]\n content { f = e.value.g }\n }\n dynamic \"h\" {\n for_each = var.list\n content { i = h.value.j.k }\n }\n}\n";
    assert_eq!(
        found_in(&[("main.tf", native)], false),
        [
            "Not enough function arguments )",
            "Unsupported attribute .d",
            "Unsupported attribute .g",
            "Unsupported attribute .g"
        ]
    );
    let json = r#"{"resource": {"other": {"x": {"a": {"b": [{"//": "${none.x}", "c": "${upper()}", "dynamic": {
        "d": {"for_each": [1], "content": {"e": "${d.value}"}}}}]}}}}}"#;
    assert_eq!(found_in(&[("main.tf.json", json)], false), ["Not enough function arguments )"]);
}

#[test]
fn ephemeral_values_are_refused_once_for_each() {
    assert_found(
        "thing",
        "name = var.once\nsecret = var.once\nlimits = [{ cpu = length(var.once) }]\ndisk { size = length(var.once) }\ntag \"a\" { value = var.once }",
        &[
            "Invalid use of ephemeral value",
            "Invalid use of ephemeral value",
            "Invalid use of ephemeral value [{ cpu = length(var.once) }]",
            "Invalid use of ephemeral value var.once",
        ],
    );
}

#[test]
fn the_value_of_a_body_has_the_type_of_its_schema() {
    let text = "resource \"thing\" \"x\" {\n name = 1\n disk { size = 2 }\n tag \"a\" {}\n}\n";
    let value = with_body(&[("main.tf", text)], true, |body, names| {
        let checked = check(body, names, &mut Diagnostics::new());
        assert!(checked.is_sound && *checked.value.ty() == body.schema.unwrap().implied_type());
        checked.value
    });
    let part = |name: &str| value.get(name).unwrap();
    assert_eq!(part("name").as_text(), Some("1"));
    assert_eq!((part("disk").length(), part("tag").length()), (Some(1), Some(1)));
    assert!(part("place").is_null() && part("size").is_null());
    assert!(part("watch").get("every").unwrap().is_null());
}

/// Returns the expressions of a body with the names bound there, and how often they are searched.
fn listed(body: &Body<'_, '_>, list: &[BodyExpr]) -> Vec<String> {
    let show = |item: &BodyExpr| {
        let text = body.forest.sources.text(body.forest.expr_span(item.expr)).into_owned();
        let role = match item.role {
            Role::Argument => "",
            Role::DynamicForEach => " for_each",
            Role::DynamicLabels => " labels",
            Role::HiddenForEach => " hidden for_each",
        };
        let inside = if item.in_dynamic { " inside" } else { "" };
        format!("{text} [{}]{role}{inside} x{}", item.bound.join(" "), item.times)
    };
    list.iter().map(show).collect()
}

#[test]
fn expressions_are_searched_as_written_and_as_generated() {
    let text = "resource \"thing\" \"x\" {\n name = a\n nope = b\n dynamic \"disk\" {\n for_each = [c, d]\n iterator = i\n content {\n size = e\n dynamic \"snapshot\" {\n for_each = [1, 2, 3]\n content { at = f }\n }\n }\n }\n dynamic \"tag\" {\n for_each = var.any\n labels = [g]\n content { value = h }\n }\n dynamic \"other\" {\n for_each = j\n content { x = k }\n }\n}\n";
    with_body(&[("main.tf", text)], true, |body, names| {
        assert_eq!(
            listed(body, &expressions(body)),
            [
                "a [] x1",
                "[c, d] [] for_each x1",
                "e [i] inside x1",
                "[1, 2, 3] [i] for_each inside x1",
                "f [i snapshot] inside x1",
                "var.any [] for_each x1",
                "[g] [tag] labels x1",
                "h [tag] inside x1",
                "j [] for_each x1",
            ]
        );
        assert_eq!(listed(body, &expanded_expressions(body, names)), ["a [] x1"]);
    });
    let known = text.replace("[c, d]", "[4, 5]");
    with_body(&[("main.tf", &known)], true, |body, names| {
        assert_eq!(
            listed(body, &expanded_expressions(body, names)),
            ["a [] x1", "e [i] inside x2", "f [i snapshot] inside x6"]
        );
    });
}

#[test]
fn provisioners_refuse_more_than_their_schema_does() {
    let value = |set: &[&str]| {
        let schema = provisioner("file").unwrap();
        let part =
            |name: &Arc<str>| if set.contains(&&**name) { Value::text("x") } else { Value::null(Type::String) };
        Value::object(schema.attributes.keys().map(|name| (Arc::clone(name), part(name))).collect())
    };
    let found = |value: &Value| {
        let mut out = Diagnostics::new();
        let dialect = dialect::find("terraform", Some("1.11")).unwrap();
        check_provisioner("file", value, dialect, &mut out);
        titles(&Forest::new(SyntaxLimits::default()), &out)
    };
    assert_eq!(found(&value(&["destination"])), ["Must provide one of 'source' or 'content'"]);
    assert_eq!(found(&value(&["source"])), [""; 0]);
    assert_eq!(found(&value(&["source", "content"])), ["Cannot set both 'source' and 'content'"]);
    // Nothing is known to be null.
    assert_eq!(found(&Value::dynamic()), ["Cannot set both 'source' and 'content'"]);
}

#[test]
fn the_built_in_provider_refuses_more_than_its_schemas_do() {
    let found = |kind: &str, type_name: &str, body: &str| {
        let text = format!("{kind} \"{type_name}\" \"x\" {{\n{body}\n}}\n");
        with_body(&[("main.tf", &text)], true, |body, names| {
            let mut out = Diagnostics::new();
            let checked = check(body, names, &mut out);
            assert!(checked.is_sound, "{out:?}");
            let dialect = dialect::find("terraform", Some("1.11")).unwrap();
            check_builtin_object(body, dialect, type_name, &checked.value, &mut out);
            titles(body.forest, &out)
        })
    };
    assert_eq!(found("resource", "terraform_data", "id = var.any"), ["\"id\" attribute is read-only"]);
    assert_eq!(found("resource", "terraform_data", "output = null\ninput = 1"), [""; 0]);
    for (body, expected) in [
        ("backend = \"nowhere\"", &["Invalid backend configuration \"nowhere\""][..]),
        ("backend = \"local\"\nconfig = { path = 1 }", &[]),
        ("backend = \"local\"\nconfig = { pat = 1 }", &["Invalid backend configuration { pat = 1 }"]),
        ("backend = \"local\"\nconfig = { pat = var.any }", &[]),
        ("backend = \"s3\"\nconfig = 1", &["Invalid backend configuration 1"]),
        ("backend = var.any\nconfig = var.list", &["Invalid backend configuration var.list"]),
        ("backend = \"s3\"\nconfig = { a = 1 }\ndefaults = []", &["Invalid default values []"]),
    ] {
        assert_eq!(found("data", "terraform_remote_state", body), expected, "{body}");
    }
}

/// An expansion without end stops before the request does.
#[test]
fn generated_blocks_take_from_the_share_of_expressions() {
    let level = |made: &str, inside: &str| {
        format!("dynamic \"{made}\" {{\n for_each = range(1024)\n content {{\n{inside}\n }}\n}}\n")
    };
    let many = level("a", &(level("b", "x = 1").repeat(50)));
    let text = format!("resource \"deep\" \"x\" {{\n{many}}}\n");
    with_body(&[("main.tf", &text)], true, |body, names| {
        account::open(Limits::DEFAULT, &Cancel::new(), || {
            expanded_expressions(body, names);
            assert!(check(body, names, &mut Diagnostics::new()).is_sound);
            assert!(account::evaluation_is_over());
        })
        .unwrap();
    });
}

//! Mock data for tests of Sentinel policies: what the import `tfplan/v2` would show of a plan (developer.hashicorp.com,
//! "Import: tfplan/v2"), as a module of Sentinel.
//!
//! It is made of the plan document, in which sensitive values are null unless they are to be revealed. What the document leaves
//! out because it is not known is `undefined` where the import has a value for it: of outputs and variables. In the values of a
//! resource it is left out, as it is in the import.

mod literal;
mod tree;

use overfold_base::account;
use overfold_module::pipeline::Report;
use overfold_value::with_stack;

use super::document::plan_document;
use literal::Literal;
use tree::Json;

/// Returns the mock data; `None` where there is no plan.
pub fn policy_mock(report: &Report<'_>) -> Option<Vec<u8>> {
    let document = plan_document(report)?;
    let text = String::from_utf8(document).ok()?;
    Some(mock(&Json::read(&text)).into_bytes())
}

/// The text that stands for what is not there.
const UNDEFINED: &str = "undefined";

fn mock(document: &Json<'_>) -> String {
    let planned = document.member("planned_values");
    let mut resources = Vec::new();
    if let Some(root) = planned.and_then(|planned| planned.member("root_module")) {
        add_resources(root, &mut resources);
    }
    let outputs = planned.and_then(|planned| planned.member("outputs"));
    let outputs = entries(outputs).map(|(name, output)| {
        let given = |key| (key, output.member(key).map_or(Literal::Word(UNDEFINED), Literal::Json));
        let sensitive = output.member("sensitive").map_or(Literal::Word("false"), Literal::Json);
        (name, Literal::Members(vec![("name", Literal::Key(name)), ("sensitive", sensitive), given("value")]))
    });
    let planned =
        Literal::Members(vec![("outputs", Literal::Map(outputs.collect())), ("resources", Literal::Map(resources))]);
    let variables = entries(document.member("variables")).map(|(name, variable)| {
        let value = variable.member("value").map_or(Literal::Word(UNDEFINED), Literal::Json);
        (name, Literal::Members(vec![("name", Literal::Key(name)), ("value", value)]))
    });
    let changes = document.member("resource_changes").into_iter().flat_map(Json::items);
    let changes = changes.filter_map(|change| Some((change.member("address")?.as_key()?, resource_change(change))));
    let outputs = entries(document.member("output_changes")).map(|(name, change)| {
        (name, Literal::Members(vec![("change", changed(change)), ("name", Literal::Key(name))]))
    });
    let version = document.member("terraform_version").map_or(Literal::Word("\"\""), Literal::Json);
    let parts = [
        ("terraform_version", version),
        ("planned_values", planned),
        ("variables", Literal::Map(variables.collect())),
        ("resource_changes", Literal::Map(changes.collect())),
        ("resource_drift", Literal::Map(Vec::new())),
        ("output_changes", Literal::Map(outputs.collect())),
        ("raw", Literal::Json(document)),
    ];
    let mut out = String::new();
    for (at, (name, value)) in parts.into_iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        out.push_str(name);
        out.push_str(" = ");
        value.write(0, &mut out);
        out.push('\n');
    }
    out
}

/// Iterates over the entries of an object that may be absent.
fn entries<'j, 't>(object: Option<&'j Json<'t>>) -> impl Iterator<Item = (&'t str, &'j Json<'t>)> {
    object.into_iter().flat_map(Json::entries)
}

/// Adds the resources of a module and of those below it, by their addresses.
fn add_resources<'j, 't>(module: &'j Json<'t>, resources: &mut Vec<(&'t str, Literal<'j, 't>)>) {
    let address = module.member("address").map_or(Literal::Word("\"\""), Literal::Json);
    for resource in module.member("resources").into_iter().flat_map(Json::items) {
        account::work(16);
        let Some(own) = resource.member("address").and_then(Json::as_key) else { continue };
        let given = |key, absent| (key, resource.member(key).map_or(Literal::Word(absent), Literal::Json));
        let members = vec![
            given("address", "\"\""),
            given("depends_on", "[]"),
            given("deposed_key", "\"\""),
            given("index", "null"),
            given("mode", "\"\""),
            ("module_address", address.clone()),
            given("name", "\"\""),
            given("provider_name", "\"\""),
            given("tainted", "false"),
            given("type", "\"\""),
            given("values", "{}"),
        ];
        account::push(resources, (own, Literal::Members(members)));
    }
    for child in module.member("child_modules").into_iter().flat_map(Json::items) {
        with_stack(|| add_resources(child, resources));
    }
}

/// Returns a change of a resource, with a value for every key that a policy may ask for.
fn resource_change<'j, 't>(resource: &'j Json<'t>) -> Literal<'j, 't> {
    let mut members = vec![("change", resource.member("change").map_or(Literal::Word("{}"), changed))];
    for (key, absent) in [
        ("address", "\"\""),
        ("deposed", "\"\""),
        ("index", "null"),
        ("mode", "\"\""),
        ("module_address", "\"\""),
        ("name", "\"\""),
        ("provider_name", "\"\""),
        ("type", "\"\""),
    ] {
        members.push((key, resource.member(key).map_or(Literal::Word(absent), Literal::Json)));
    }
    for key in ["action_reason", "previous_address"] {
        members.extend(resource.member(key).map(|value| (key, Literal::Json(value))));
    }
    members.sort_by_key(|(key, _)| *key);
    Literal::Members(members)
}

/// Returns a change, in which what is not known as a whole is undefined.
fn changed<'j, 't>(change: &'j Json<'t>) -> Literal<'j, 't> {
    let mut map: Vec<(&'t str, Literal<'j, 't>)> =
        change.entries().map(|(key, value)| (key, Literal::Json(value))).collect();
    if change.member("after").is_none() {
        map.push(("\"after\"", Literal::Word(UNDEFINED)));
    }
    Literal::Map(map)
}

#[cfg(test)]
mod tests {
    use super::{Json, mock};

    #[test]
    fn what_is_not_there_has_the_value_of_the_import() {
        let document = r#"{"terraform_version":"1.11.4","planned_values":{"outputs":{"a":{"sensitive":false},
            "b":{"sensitive":true,"value":null}},"root_module":{"child_modules":[{"address":"module.m",
            "resources":[{"address":"module.m.a_b.c[\"x\"]","index":"x","mode":"managed","type":"a_b","name":"c",
            "provider_name":"p","values":{"n":1.50,"s":"\u003cb\u003e\n\"\u0001"}}]}]}},
            "resource_changes":[{"address":"a_b.d","change":{"actions":["create"],"before":null,"after":{}}}],
            "output_changes":{"a":{"actions":["create"],"before":null,"after_unknown":true}}}"#;
        let found = mock(&Json::read(document));
        for part in [
            "terraform_version = \"1.11.4\"\n\nplanned_values = {\n\t\"outputs\": {\n\t\t\"a\": {\n\t\t\t\"name\":      \"a\",\n\t\t\t\"sensitive\": false,\n\t\t\t\"value\":     undefined,\n\t\t},\n",
            "\t\t\"module.m.a_b.c[\\\"x\\\"]\": {\n",
            "\t\t\t\"index\":          \"x\",\n\t\t\t\"mode\":           \"managed\",\n\t\t\t\"module_address\": \"module.m\",\n",
            "\t\t\t\t\"n\": 1.50,\n\t\t\t\t\"s\": \"<b>\\n\\\"\\u0001\",\n",
            "variables = {}\n\n",
            "\t\t\"deposed\":        \"\",\n\t\t\"index\":          null,\n",
            "\t\t\t\"after\":         undefined,\n\t\t\t\"after_unknown\": true,\n\t\t\t\"before\":        null,\n",
            "\nresource_drift = {}\n",
            "\nraw = {\n",
        ] {
            assert!(found.contains(part), "{part}\n{found}");
        }
    }
}

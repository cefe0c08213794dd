//! What every route can answer in addition to its own answers: refusals, failures, and the headers of all answers.

use serde_json::{Value, json};

use super::tree::Node;
use crate::api::routes::needs::NEEDS;
use crate::api::routes::paths::role;
use crate::api::routes::problems::{PROBLEMS, example};
use crate::api::wire::kind;
use overfold_server::auth::Need;
use overfold_server::error::Kind;
use overfold_server::problem::PROBLEM_JSON;

/// Describes the requirements and answers of the layers around the routes.
pub(super) fn complete(document: &mut Node) {
    let shared: Vec<String> = document.at(&["components", "headers"]).members().keys().cloned().collect();
    let common = || PROBLEMS.iter().filter_map(|(kind, _, about)| Some((*kind, (*about)?)));
    for (kind, about) in common() {
        let schema = json!({"schema": {"$ref": "#/components/schemas/Problem"}});
        let mut response = Node::from(json!({"description": about, "content": {PROBLEM_JSON: schema}}));
        finish(kind.status().as_str(), &mut response, &shared);
        document.at(&["components", "responses"]).set(kind.code(), response);
    }
    for (path, item) in document.at(&["paths"]).members() {
        let is_open = role(path).is_open();
        for (method, operation) in item.members() {
            if is_open {
                operation.set("security", json!([]));
            }
            if let Some((_, Need::Scope(scope))) = NEEDS.iter().find(|(route, _)| route == path)
                && let Node::Plain(Value::String(about)) = operation.at(&["description"])
            {
                *about = format!("{about}\n\nScope of an identity: `{}`.", scope.name());
            }
            if method == "post" {
                let id = json!({"$ref": "#/components/parameters/X-Request-Id"});
                operation.at(&["parameters"]).items().push(id.into());
            }
            let responses = operation.at(&["responses"]);
            for (status, response) in responses.members() {
                finish(status, response, &shared);
            }
            let needs_token = |kind: Kind| matches!(kind, kind::TOKEN_NEEDED | kind::CALLER_RATE);
            for (kind, _) in common().filter(|(kind, _)| !(is_open && needs_token(*kind))) {
                let reference = json!({"$ref": format!("#/components/responses/{}", kind.code())});
                responses.members().entry(kind.status().as_str().to_owned()).or_insert_with(|| reference.into());
            }
            responses.members().sort_keys();
        }
    }
}

/// Adds headers and an example to an answer. `shared` are the headers that are described once.
fn finish(status: &str, response: &mut Node, shared: &[String]) {
    let headers = response.at(&["headers"]).members();
    let mut names: Vec<&str> = headers
        .keys()
        .filter_map(|own| Some(shared.iter().find(|name| name.eq_ignore_ascii_case(own))?.as_str()))
        .collect();
    headers.clear();
    // Only what is computed for a request has a digest of its own.
    if names.contains(&"Repr-Digest") {
        names.push("Cache-Status");
    }
    if status == "304" || names.contains(&"ETag") {
        names.extend(["ETag", "Vary"]);
        names.extend((status == "200").then_some("Content-Encoding"));
    }
    names.extend(["Cache-Control", "X-Request-Id"]);
    names.extend(match status {
        "401" | "403" => Some("WWW-Authenticate"),
        "405" => Some("Allow"),
        "415" => Some("Accept-Encoding"),
        "429" | "503" => Some("Retry-After"),
        _ => None,
    });
    for name in names {
        headers.insert(name.to_owned(), json!({"$ref": format!("#/components/headers/{name}")}).into());
    }
    if let Some(content) = response.at(&["content"]).members().get_mut(PROBLEM_JSON)
        && let Some(example) = example(status)
    {
        content.set("example", example);
    }
    response.members().retain(|name, value| name != "content" || !value.members().is_empty());
}

//! The head of the OpenAPI document, and what every route shares; paths and schemas come from the routes.

use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{ContentBuilder, OpenApi as Document, Ref, ResponseBuilder};
use utoipa::{Modify, OpenApi};

use super::auth::is_open;
use super::layers::PROBLEM_JSON;

/// Title, licence and groups.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "overfold",
        description = "A configuration directory of the Terraform family in, the merged configuration and every \
                       diagnostic out. Nothing is executed, fetched or written to disk.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    servers((url = "/", description = "This service")),
    tags(
        (name = "merge", description = "Merging configurations"),
        (name = "dialects", description = "The rules that are followed, as data"),
        (name = "service", description = "The service itself"),
    ),
    modifiers(&Tokens),
)]
pub(crate) struct ApiDoc;

/// The name of the security scheme.
const BEARER: &str = "bearer";

/// How requests show their token.
struct Tokens;

impl Modify for Tokens {
    fn modify(&self, document: &mut Document) {
        let mut bearer = Http::new(HttpAuthScheme::Bearer);
        bearer.description = Some("A token of the service, where it asks for one (`--token-file`).".to_owned());
        let components = document.components.get_or_insert_default();
        components.add_security_scheme(BEARER, SecurityScheme::Http(bearer));
    }
}

/// Adds what the layers around the routes ask for and answer: the token, and the refusals of those who may not call.
pub(crate) fn add_access(document: &mut Document) {
    for (path, item) in &mut document.paths.paths {
        let open = is_open(path);
        for operation in [&mut item.get, &mut item.post].into_iter().flatten() {
            // Without tokens everybody may call, hence the empty alternative.
            let none = SecurityRequirement::default();
            let needed = SecurityRequirement::new(BEARER, [""; 0]);
            operation.security = Some(if open { vec![none] } else { vec![none, needed] });
            refusal(operation, "400", "The request does not say which host it is for.");
            if !open {
                refusal(operation, "401", "The service asks for a token, and this is none of its tokens.");
            }
            refusal(operation, "403", "A page of another origin sent it, or it is addressed to another host.");
        }
    }
}

fn refusal(operation: &mut Operation, status: &str, description: &str) {
    let problem = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    let response = ResponseBuilder::new().description(description).content(PROBLEM_JSON, problem);
    operation.responses.responses.entry(status.to_owned()).or_insert_with(|| response.into());
}

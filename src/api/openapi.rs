//! The head of the OpenAPI document; paths and schemas come from the routes.

use utoipa::OpenApi;

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
)]
pub(crate) struct ApiDoc;

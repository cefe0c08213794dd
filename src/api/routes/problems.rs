//! The problems of every route that does work for a request, described once.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::response::Response;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, ResponseBuilder};

use overfold_server::problem::PROBLEM_JSON;

/// Statuses and descriptions. Each route describes 400, 413 and 422 itself.
const SHARED: &[(&str, &str)] = &[
    ("406", "The service offers no format that `Accept` allows."),
    ("408", "There was no answer within the time that a request may take."),
    ("415", "The Content-Type or Content-Encoding is not supported."),
    ("500", "The service failed internally."),
    ("503", "The service is overloaded; `Retry-After` says when to try again."),
];

/// Adds the problems to the document: a line `WorkProblems` among the `responses` of a route.
pub(super) struct WorkProblems;

impl IntoResponses for WorkProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let problem = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
        let response =
            |about: &str| ResponseBuilder::new().description(about).content(PROBLEM_JSON, problem.clone()).build();
        SHARED.iter().map(|(status, about)| ((*status).to_owned(), response(about).into())).collect()
    }
}

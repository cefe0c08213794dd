//! The smallest request that there is: limits that do not even let it be answered are a mistake.

use bytes::Bytes;

use super::{Failure, ask};
use crate::settings::LimitSettings;
use overfold_engine::merge::Form;
use overfold_engine::options::MergeOptions;
use overfold_engine::{Input, Merge, UseCase as _};
use overfold_source::{self as source, Payload};

/// The name and the text of a file, and the body of a request to merge the module that consists of it.
const FILE: (&str, &str) = ("main.tf", "");
const BODY: &str = r#"{"files":{"main.tf":""}}"#;

/// Answers the smallest request within the limits of a service that is about to start.
///
/// # Errors
/// Fails if that is impossible. The message names the limit.
pub(super) fn check(limits: &LimitSettings) -> Result<(), Failure> {
    answer(limits).map_err(|why| Failure::Message(format!("with these limits, no request can be answered: {why}")))
}

fn answer(limits: &LimitSettings) -> Result<(), Failure> {
    let size = BODY.len() as u64;
    let body = limits.body;
    for (name, max) in
        [("max-request-bytes", body.max_request_bytes), ("max-unpacked-bytes", body.max_unpacked_bytes)]
    {
        if size > max {
            return Err(Failure::Message(format!("the smallest body has {size} bytes, and {name} is {max}")));
        }
    }
    let (name, text) = FILE;
    let payload = Payload::files(vec![(name.to_owned(), Bytes::from_static(text.as_bytes()))]);
    let read = source::read(payload, &limits.source()).map_err(|error| Failure::Message(error.to_string()))?;
    let prepared = Merge::prepare(MergeOptions::default(), &limits.request)?;
    let input = Input { files: &read.files, prepared: &prepared, root: "" };
    ask::<Merge, 1>([input], Form::Answer, false, limits)?.answer?;
    Ok(())
}

//! Requests that are read in one pass, against the same ones that are not.

use axum::body::Bytes;

use crate::api::wire::one_pass::{OnePass, read, text};
use crate::api::wire::reading::{Side, read_one};
use crate::api::wire::sides::read_pair;
use crate::api::wire::upload::Payload;
use crate::settings::Settings;
use overfold_engine::{Plan, PlanDiff};
use overfold_model::language::references::ResourceMode;
use overfold_server::error::ApiError;

/// How the name of the schemas is written: `@` in the tests. With the second, a request is not read in one pass, and
/// everything else is in the same places.
const NAMES: [&str; 2] = ["\"provider_schemas\"     ", r#""provider\u005fschemas""#];

const ONE: &str = r#"{"version": "1.9", "files": {"main.tf": "locals {\n}\n"}, @: {"format_version": "1.0", @: {"a/b/c": {"provider": {"block": {}}, "resource_schemas": {"c_d": {"block": {"attributes": {"e": {"type": "string"}}}}, "c_\u0066": {}}, "functions": {}, "new": [1]}, "g/h/i": {"data_source_schemas": {"i": {"version": 1}}}} , "end": 1.5e3} , "provider_defaults": "none"}"#;

/// Returns what is read of a request, or why it is refused.
fn said<const N: usize>(sides: Result<[Side; N], ApiError>) -> String {
    let sides = match sides {
        Ok(sides) => sides,
        Err(ApiError { kind, detail, pointer, limit, .. }) => {
            return format!("{kind:?} {detail} {pointer:?} {limit:?}");
        }
    };
    let side = |side: &Side| {
        let files = side.files.files();
        let Some(schemas) = side.prepared.request.provider_schemas.as_deref() else {
            return format!("{files:?}");
        };
        let modes = [ResourceMode::Managed, ResourceMode::Data];
        let provider = |address| {
            let provider = schemas.provider(address)?;
            let names = modes.map(|mode| provider.type_names(mode).collect::<Vec<_>>());
            let read =
                provider.type_names(ResourceMode::Managed).map(|name| provider.object(ResourceMode::Managed, name));
            Some(format!("{names:?} {:?} {:?}", provider.configuration(), read.collect::<Vec<_>>()))
        };
        let providers: Vec<_> = schemas.addresses().map(|address| (address, provider(address))).collect();
        format!("{files:?} {} {providers:?}", schemas.text().len())
    };
    sides.each_ref().map(side).concat()
}

fn one(body: Bytes) -> String {
    said(read_one::<Plan>(Payload::Json(body), &Settings::for_testing().limits))
}

fn line(body: Bytes) -> String {
    said(read_one::<Plan>(Payload::Line(body), &Settings::for_testing().limits))
}

fn pair(body: Bytes) -> String {
    said(read_pair::<PlanDiff>(Payload::Json(body), &Settings::for_testing().limits))
}

fn pair_line(body: Bytes) -> String {
    said(read_pair::<PlanDiff>(Payload::Line(body), &Settings::for_testing().limits))
}

/// Checks that a request is answered as one that is not read in one pass. Returns the answer.
fn checked(template: &[u8], read: fn(Bytes) -> String) -> String {
    let [quick, slow] = NAMES.map(|name| {
        let parts: Vec<&[u8]> = template.split(|byte| *byte == b'@').collect();
        read(parts.join(name.as_bytes()).into())
    });
    assert_eq!(quick, slow, "{}", String::from_utf8_lossy(template));
    quick
}

/// Checks a request, and with every byte of it left out, replaced or repeated, and up to every byte.
fn checked_with_faults(template: &str, read: fn(Bytes) -> String) {
    let whole = checked(template.as_bytes(), read);
    assert!(whole.starts_with("[SourceFile"), "{whole}");
    let mut refused = 0;
    for at in (0..template.len()).filter(|at| template.as_bytes()[*at] != b'@') {
        let (head, tail) = template.as_bytes().split_at(at);
        let mut faults = vec![head.to_vec(), [head, &tail[1..]].concat(), [head, &tail[..1], tail].concat()];
        faults.extend(b"\"{}[],:\\0 x\xff".map(|byte| [head, &[byte], &tail[1..]].concat()));
        refused += faults.iter().filter(|fault| !checked(fault, read).starts_with("[SourceFile")).count();
    }
    assert!(refused > 4 * template.len(), "{refused}");
}

#[test]
fn a_request_is_read_in_one_pass() {
    let request = text(&Bytes::from(ONE.replace('@', NAMES[0]))).unwrap();
    let OnePass { files, options, .. } =
        read::<OnePass<'_, overfold_engine::options::PlanOptions>>(&request).unwrap().complete(&request).unwrap();
    assert!(files.is_some());
    // The document is a part of the request, from brace to brace.
    let schemas = options.provider_schemas.unwrap();
    let begin = schemas.text().as_ptr() as usize - request.as_ptr() as usize;
    let (before, rest) = request.split_at(begin);
    let (document, after) = rest.split_at(schemas.text().len());
    assert!(before.ends_with("     : ") && document.starts_with("{\"format_version"), "{before}");
    assert!(document.ends_with("1.5e3}") && after.starts_with(" , \"provider_defaults"), "{after}");
    assert!(text(&Bytes::from(ONE.replace('@', NAMES[1]))).is_none());
}

#[test]
fn what_is_wrong_is_said_as_of_any_other_request() {
    checked_with_faults(ONE, one);
    checked_with_faults(&ONE.replacen('{', "{\"id\": 7, \"operation\": \"plan\", ", 1), line);
    let two = format!("{{\"before\": {ONE}, \"after\": {{@: {{@: {{\"j\": {{}}}}}}}}}}");
    checked_with_faults(&two, pair);
    checked_with_faults(&two.replacen('{', "{\"operation\": \"plan-diff\", ", 1), pair_line);
}

#[test]
fn documents_of_other_forms_are_judged_alike() {
    let mut answers = std::collections::BTreeSet::new();
    for document in [
        "[]",
        "null",
        "7",
        "\"x\"",
        "true",
        "{}",
        "[{@: {}}]",
        "{@: null}",
        "{@: []}",
        "{@: {}}",
        "{ @ :{ } , \"x\":{}}",
        "{@: {}, @: {}}",
        "{@: {\"a\": 1}}",
        "{@: {\"b\": {}, \"a\": []}}",
        "{@: {\"a\": {}}}",
        "{@: {\"a\": null}}",
        "{@: {\"a\": {\"resource_schemas\": null}}}",
        "{@: {\"a\": {\"resource_schemas\": [1]}}}",
        "{@: {\"a\": {\"resource_schemas\": {\"x\": 1, \"x\": {}}}}}",
        "{@: {\"a\": {\"provider\": null}}}",
        "{@: {\"a\": {\"provider\": {}, \"provider\": {}}}}",
        "{@: {\"a\": {\"functions\": {}, \"functions\": {}}}}",
        "{@: {\"a\": {\"resource_schemas\": {\"x\": {}}}, \"a\": {\"resource_schemas\": {\"y\": {}}}}}",
        "{@: {\"\\ud800\": {}}}",
        "{@: {\"a\": {\"resource_schemas\": {\"\\ud800\": {}}}}}",
        "{\"\\u0061\": 1, @: {}}",
        "{@: {\"a\": {\"resource_schemas\": {\"x\": {\"block\": 7}, \"y\": {\"block\": {}}}}}}",
        "{@: {\"a\": 1e999}}",
        "{@: {\"a\": {\"data_source_schemas\": {\"x\": \"\\ud800\"}}}}",
        "{@: {\"a\": {}}} {",
        "{@: {\"a\": {},}}",
    ] {
        for end in ["", " ", ", \"files\": {}", ", @: {}", ", \"nope\": 1", ", \"variables\": 1"] {
            answers.insert(checked(format!("{{\"files\": {{}}, @: {document}{end}}}").as_bytes(), one));
        }
        answers.insert(checked(format!("{{@: {document}}}").as_bytes(), one));
        answers.insert(checked(format!("{{@: {document}, \"files\": null}}").as_bytes(), one));
        let sides = format!("{{\"before\": {{\"files\": {{}}, @: {document}}}, \"after\": {{@: {document}}}}}");
        answers.insert(checked(sides.as_bytes(), pair));
    }
    assert!(answers.len() > 40, "{answers:#?}");
}

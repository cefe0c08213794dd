//! Reads a body with two sides: the files of each, and its options.

use std::sync::Arc;

use axum::body::Bytes;
use bytestring::ByteString;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::api::wire::form::PairForm;
use crate::api::wire::kind;
use crate::api::wire::one_pass::{self, TwoSides};
use crate::api::wire::problems::{read_problem, refusal_problem};
use crate::api::wire::reading::{Side, schemas_part, set_schemas};
use crate::api::wire::upload::{Pair, Payload};
use crate::api::wire::v1::{BatchLine, DiffRequest, PairOptions};
use crate::settings::LimitSettings;
use overfold_base::account;
use overfold_base::files::FileSet;
use overfold_engine::diff::SIDES;
use overfold_engine::options::RequestOptions;
use overfold_engine::{PreparedRequest, UseCase, json};
use overfold_model::schema::ProviderSchemas;
use overfold_server::error::ApiError;
use overfold_source::{self as source, ArchiveFormat, JsonFiles, ReadError};

/// The request object of a side.
type Request<'a, U> = <<U as UseCase<2>>::Options as RequestOptions>::Request<'a>;

/// Adds the side to the pointer of a problem.
fn of_side(problem: ApiError, name: &str) -> ApiError {
    let pointer = format!("/{name}{}", problem.pointer.as_deref().unwrap_or_default());
    problem.at(pointer)
}

/// Reads the files and the options of both sides.
///
/// # Errors
/// The problem of a side, with the side in its pointer.
pub(crate) fn read_pair<U: UseCase<2>>(
    payload: Payload<Pair>,
    limits: &LimitSettings,
) -> Result<[Side; 2], ApiError> {
    let sides = match payload {
        Payload::Json(body) => {
            let text = one_pass::text(&body);
            let sides = text.as_ref().and_then(|text| {
                let json::Object(sides) = one_pass::read(text)?;
                one_pass_sides::<U>(sides, text, limits)
            });
            sides.unwrap_or_else(|| {
                let json::Object(request) = json::parse(&body, "").map_err(refusal_problem)?;
                json_sides::<U>(request, limits)
            })?
        }
        Payload::Line(body) => {
            let text = one_pass::text(&body);
            let sides = text.as_ref().and_then(|text| {
                let BatchLine(sides) = one_pass::read(text)?;
                one_pass_sides::<U>(sides, text, limits)
            });
            sides.unwrap_or_else(|| {
                let BatchLine(request) = json::parse(&body, "").map_err(refusal_problem)?;
                json_sides::<U>(request, limits)
            })?
        }
        Payload::Form(form) => pair::<U>(form, limits)?,
        Payload::Archive(_, _, never) => match never {},
    };
    let [before, after] = &sides;
    if before.prepared.tree.is_some() != after.prepared.tree.is_some() {
        let why = "recursive: must be set for both sides or for neither";
        return Err(of_side(ApiError::new(kind::BAD_OPTION, why).at("/recursive"), "after"));
    }
    Ok(sides)
}

/// Reads the sides of a request object.
fn json_sides<U: UseCase<2>>(
    DiffRequest { before, after }: DiffRequest<'_>,
    limits: &LimitSettings,
) -> Result<[Side; 2], ApiError> {
    let before = json_side::<U>(before, "before", limits, None)?;
    let after = json_side::<U>(after, "after", limits, Some(&before))?;
    Ok([before, after])
}

/// Reads the sides of a request object that has been read in one pass; `None` if something is missing in it.
fn one_pass_sides<U: UseCase<2>>(
    TwoSides { before, after }: TwoSides<'_, U::Options>,
    text: &ByteString,
    limits: &LimitSettings,
) -> Option<Result<[Side; 2], ApiError>> {
    let before_files = before.files?;
    let (before, after) = (before.complete(text)?, after.complete(text)?);
    let before = side_with_files::<U>(before_files, before.options, "before", limits, None);
    Some(before.and_then(|before| {
        let after = match after.files {
            Some(files) => side_with_files::<U>(files, after.options, "after", limits, Some(&before))?,
            None => side_without_files::<U>(&before, after.options, "after", limits)?,
        };
        Ok([before, after])
    }))
}

/// Reads a side of a request object; `first` is the side before it.
fn json_side<U: UseCase<2>>(
    text: &RawValue,
    name: &str,
    limits: &LimitSettings,
    first: Option<&Side>,
) -> Result<Side, ApiError> {
    #[derive(Deserialize)]
    struct Files<'a> {
        #[serde(borrow, default)]
        files: Option<&'a RawValue>,
    }
    let prefix = format!("/{name}");
    // If it cannot be parsed, the strict reader reports the error.
    account::touch(text.get().len());
    let has_files = serde_json::from_str::<Files<'_>>(text.get()).map_or(true, |side| side.files.is_some());
    if let (Some(first), false) = (first, has_files) {
        let json::Object(options): json::Object<U::Options> =
            json::parse(text.get().as_bytes(), &prefix).map_err(refusal_problem)?;
        return side_without_files::<U>(first, options, name, limits);
    }
    let json::Object(request): json::Object<Request<'_, U>> =
        json::parse(text.get().as_bytes(), &prefix).map_err(refusal_problem)?;
    let (files, options) = U::Options::split(request);
    side_with_files::<U>(files, options, name, limits, first)
}

/// Reads the files of a side, and prepares its options; `first` is the side before it.
fn side_with_files<U: UseCase<2>>(
    files: &RawValue,
    options: U::Options,
    name: &str,
    limits: &LimitSettings,
    first: Option<&Side>,
) -> Result<Side, ApiError> {
    let pointer = format!("/{name}/files");
    let most = limits.source();
    let files =
        json::parse_seed(JsonFiles::seed(&most), files.get().as_bytes(), &pointer).map_err(refusal_problem)?;
    let schemas = first.and_then(|first| first.prepared.request.provider_schemas.as_ref());
    let prepared = prepared_side::<U>(options, limits, name, schemas)?;
    let first = first.map(|first| &*first.files);
    let files = unpacked(source::Payload::json(files), &prepared, limits, &pointer, first)?;
    Ok(Side { files: Arc::new(files), prepared })
}

/// Prepares the options of a side that has the files of the side before it, `first`.
fn side_without_files<U: UseCase<2>>(
    first: &Side,
    options: U::Options,
    name: &str,
    limits: &LimitSettings,
) -> Result<Side, ApiError> {
    let schemas = first.prepared.request.provider_schemas.as_ref();
    let prepared = prepared_side::<U>(options, limits, name, schemas)?;
    Ok(Side { files: Arc::clone(&first.files), prepared })
}

fn pair<U: UseCase<2>>(form: PairForm, limits: &LimitSettings) -> Result<[Side; 2], ApiError> {
    let PairForm { before, after, options, provider_schemas } = form;
    let PairOptions::<U::Options> { before: first, after: second } = match options {
        Some(text) => json::parse(&text, "").map(|json::Object(options)| options).map_err(refusal_problem)?,
        None => PairOptions { before: None, after: None },
    };
    if after.is_none() && second.is_none() {
        let detail = "the form has no part after, which can be left out only if options has a member after";
        return Err(ApiError::new(kind::MALFORMED_BODY, detail));
    }
    let mut sides = [first.unwrap_or_default(), second.unwrap_or_default()];
    if let Some(text) = provider_schemas {
        let schemas = schemas_part(&text)?;
        for (options, name) in sides.iter_mut().zip(SIDES) {
            set_schemas(options, schemas.clone(), &format!("/{name}/provider_schemas"))?;
        }
    }
    let [first, second] = sides;
    let prepared = prepared_side::<U>(first, limits, "before", None)?;
    let files = Arc::new(archive(before, &prepared, limits, "before", None)?);
    let schemas = prepared.request.provider_schemas.as_ref();
    let second_prepared = prepared_side::<U>(second, limits, "after", schemas)?;
    let second_files = match after {
        Some(bytes) => Arc::new(archive(bytes, &second_prepared, limits, "after", Some(&files))?),
        None => Arc::clone(&files),
    };
    Ok([Side { files, prepared }, Side { files: second_files, prepared: second_prepared }])
}

/// Reads the files of one part of a form.
fn archive(
    bytes: Bytes,
    prepared: &PreparedRequest,
    limits: &LimitSettings,
    name: &str,
    first: Option<&FileSet>,
) -> Result<FileSet, ApiError> {
    let format =
        ArchiveFormat::sniff(&bytes).ok_or_else(|| of_side(read_problem(&ReadError::UnknownFormat), name))?;
    let upload = source::Payload::archive(format, bytes);
    unpacked(upload, prepared, limits, &format!("/{name}"), first)
}

/// Prepares the options of a side. If its schemas are the same text as those of the side before it, `first`, both sides
/// share them.
fn prepared_side<U: UseCase<2>>(
    mut options: U::Options,
    limits: &LimitSettings,
    name: &str,
    first: Option<&Arc<ProviderSchemas>>,
) -> Result<PreparedRequest, ApiError> {
    let shared = first.filter(|first| {
        account::touch(first.text().len());
        options.schemas().as_ref().is_some_and(|schemas| schemas.text() == first.text())
    });
    if shared.is_some() {
        *options.schemas() = None;
    }
    let prepared = U::prepare(options, &limits.request);
    let mut prepared = prepared.map_err(|refusal| refusal_problem(refusal.of_side(name)))?;
    if let Some(shared) = shared {
        prepared.request.provider_schemas = Some(Arc::clone(shared));
    }
    Ok(prepared)
}

/// Reads the files of an upload that is at `pointer` in the request. The files of the side before it count towards the
/// limits, too.
fn unpacked(
    upload: source::Payload,
    prepared: &PreparedRequest,
    limits: &LimitSettings,
    pointer: &str,
    first: Option<&FileSet>,
) -> Result<FileSet, ApiError> {
    let all = limits.source();
    let bytes: u64 = first.iter().flat_map(|first| first.files()).map(|file| file.bytes.len() as u64).sum();
    let entries = first.map_or(0, |first| first.files().len() as u64);
    let most = source::Limits {
        unpacked_bytes: all.unpacked_bytes.saturating_sub(bytes),
        entries: all.entries.saturating_sub(entries),
        ..all
    };
    let error = match source::read(upload.strip_components(prepared.strip_components), &most) {
        Ok(upload) => return Ok(upload.files),
        Err(error) => error,
    };
    let mut pointer = pointer.to_owned();
    // A longer path has been truncated.
    if let Some(path) = error.path().filter(|path| pointer.ends_with("/files") && path.len() < source::MAX_NAME_BYTES)
    {
        json::push_key(&mut pointer, path);
    }
    let problem = match &error {
        ReadError::OverLimit { limit: source::Limit::UnpackedBytes, .. } if first.is_some() => {
            ApiError::over_limit("the content of both sides together", "max-unpacked-bytes", all.unpacked_bytes)
        }
        ReadError::OverLimit { limit: source::Limit::Entries, .. } if first.is_some() => {
            ApiError::over_limit("the number of entries of both sides together", "max-entries", all.entries)
        }
        _ => read_problem(&error),
    };
    Err(problem.at(pointer))
}

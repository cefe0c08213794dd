//! Reads a body with two sides: the files of each, and its options for [`crate::task`].

use std::sync::Arc;

use axum::body::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::api::http::error::{ApiError, Kind};
use crate::api::wire::form::PairForm;
use crate::api::wire::json;
use crate::api::wire::prepare::{prepare, refuse_parts};
use crate::api::wire::reading::{schemas_part, set_schemas};
use crate::api::wire::upload::Payload;
use crate::api::wire::v1::{
    BatchLine, DiffOptions, DiffRequest, MergeOptions, MergeRequest, SchemaText, UploadOptions as _,
};
use crate::settings::LimitSettings;
use crate::task::PreparedRequest;
use overfold_base::account;
use overfold_base::files::FileSet;
use overfold_model::schema::ProviderSchemas;
use overfold_transport::{self as transport, ArchiveFormat, JsonFiles, TransportError};

/// The names of the sides: members of the request object and parts of the form.
pub(crate) const SIDES: [&str; 2] = ["before", "after"];

/// One side: its files and its plan. `files` is `None` if it uses the files of the other side.
pub(crate) struct Side {
    pub(crate) files: Option<FileSet>,
    pub(crate) prepared: PreparedRequest,
}

/// Adds the side to the pointer of a problem.
pub(crate) fn of_side(problem: ApiError, name: &str) -> ApiError {
    let pointer = format!("/{name}{}", problem.pointer.as_deref().unwrap_or_default());
    problem.at(pointer)
}

/// Reads the files and the options of both sides.
///
/// # Errors
/// The problem of a side, with the side in its pointer.
pub(crate) fn read_sides(payload: Payload, limits: &LimitSettings) -> Result<[Side; 2], ApiError> {
    match payload {
        Payload::Json(body) => {
            let json::Object(request) = json::parse(&body, "")?;
            json_sides(request, limits)
        }
        Payload::Line(body) => {
            let BatchLine(request) = json::parse(&body, "")?;
            json_sides(request, limits)
        }
        Payload::Pair(form) => pair(form, limits),
        // These payloads belong to other routes.
        Payload::Archive(..) | Payload::Form(_) => Err(ApiError::internal()),
    }
}

/// Reads the sides of a request object.
fn json_sides(DiffRequest { before, after }: DiffRequest<'_>, limits: &LimitSettings) -> Result<[Side; 2], ApiError> {
    let before = json_side(before, "before", limits, None)?;
    let after = json_side(after, "after", limits, Some(&before))?;
    Ok([before, after])
}

/// Reads a side of a request object; `first` is the side before it.
fn json_side(text: &RawValue, name: &str, limits: &LimitSettings, first: Option<&Side>) -> Result<Side, ApiError> {
    #[derive(Deserialize)]
    struct Files<'a> {
        #[serde(borrow, default)]
        files: Option<&'a RawValue>,
    }
    let prefix = format!("/{name}");
    let schemas = first.and_then(|first| first.prepared.request.provider_schemas.as_ref());
    let first = first.and_then(|first| first.files.as_ref());
    // If it cannot be parsed, the strict reader reports the error.
    account::touch(text.get().len());
    let has_files = serde_json::from_str::<Files<'_>>(text.get()).map_or(true, |side| side.files.is_some());
    if first.is_some() && !has_files {
        let json::Object(options): json::Object<MergeOptions> = json::parse(text.get().as_bytes(), &prefix)?;
        return Ok(Side { files: None, prepared: prepared_side(options, limits, name, schemas)? });
    }
    let json::Object(request): json::Object<MergeRequest<'_>> = json::parse(text.get().as_bytes(), &prefix)?;
    let (files, options) = MergeOptions::split(request);
    let most = limits.transport();
    let files = json::parse_seed(JsonFiles::seed(&most), files.get().as_bytes(), &format!("{prefix}/files"))?;
    let prepared = prepared_side(options, limits, name, schemas)?;
    let files = unpacked(transport::Payload::json(files), &prepared, limits, &format!("{prefix}/files"), first)?;
    Ok(Side { files: Some(files), prepared })
}

fn pair(form: PairForm, limits: &LimitSettings) -> Result<[Side; 2], ApiError> {
    let PairForm { before, after, options, provider_schemas } = form;
    let DiffOptions { before: first, after: second } = match options {
        Some(text) => json::parse(&text, "").map(|json::Object(options)| options)?,
        None => DiffOptions::default(),
    };
    if after.is_none() && second.is_none() {
        let detail = "the form has no part after, which can be left out only if options has a member after";
        return Err(ApiError::new(Kind::MalformedBody, detail));
    }
    let mut sides = [first.unwrap_or_default(), second.unwrap_or_default()];
    if let Some(text) = provider_schemas {
        let schemas = schemas_part(&text)?;
        for (options, name) in sides.iter_mut().zip(SIDES) {
            set_schemas(options, schemas.clone(), &format!("/{name}/provider_schemas"))?;
        }
    }
    let [first, second] = sides;
    let prepared = prepared_side(first, limits, "before", None)?;
    let files = archive(before, &prepared, limits, "before", None)?;
    let schemas = prepared.request.provider_schemas.as_ref();
    let second_prepared = prepared_side(second, limits, "after", schemas)?;
    let second_files =
        after.map(|bytes| archive(bytes, &second_prepared, limits, "after", Some(&files))).transpose()?;
    Ok([Side { files: Some(files), prepared }, Side { files: second_files, prepared: second_prepared }])
}

/// Reads the files of one part of a form.
fn archive(
    bytes: Bytes,
    prepared: &PreparedRequest,
    limits: &LimitSettings,
    name: &str,
    first: Option<&FileSet>,
) -> Result<FileSet, ApiError> {
    let format = ArchiveFormat::sniff(&bytes).ok_or_else(|| of_side(TransportError::UnknownFormat.into(), name))?;
    let upload = transport::Payload::archive(format, bytes);
    unpacked(upload, prepared, limits, &format!("/{name}"), first)
}

/// Prepares the options of a side. If its schemas are the same text as those of the side before it, `first`, both sides
/// share them.
fn prepared_side(
    mut options: MergeOptions,
    limits: &LimitSettings,
    name: &str,
    first: Option<&Arc<ProviderSchemas>>,
) -> Result<PreparedRequest, ApiError> {
    refuse_parts(&options, "a difference").map_err(|problem| of_side(problem, name))?;
    let shared = first.filter(|first| {
        account::touch(first.text().len());
        options.provider_schemas.as_ref().is_some_and(|SchemaText(text)| **text == *first.text())
    });
    if shared.is_some() {
        options.provider_schemas = None;
    }
    let mut prepared = prepare(options, limits).map_err(|problem| of_side(problem, name))?;
    if let Some(shared) = shared {
        prepared.request.provider_schemas = Some(Arc::clone(shared));
    }
    Ok(prepared)
}

/// Reads the files of an upload that is at `pointer` in the request. The files of the side before it count towards the
/// limits, too.
fn unpacked(
    upload: transport::Payload,
    prepared: &PreparedRequest,
    limits: &LimitSettings,
    pointer: &str,
    first: Option<&FileSet>,
) -> Result<FileSet, ApiError> {
    let all = limits.transport();
    let bytes: u64 = first.iter().flat_map(|first| first.files()).map(|file| file.bytes.len() as u64).sum();
    let entries = first.map_or(0, |first| first.files().len() as u64);
    let most = transport::Limits {
        unpacked_bytes: all.unpacked_bytes.saturating_sub(bytes),
        entries: all.entries.saturating_sub(entries),
        ..all
    };
    let error = match transport::read(upload.strip_components(prepared.strip_components), &most) {
        Ok(upload) => return Ok(upload.files),
        Err(error) => error,
    };
    let mut pointer = pointer.to_owned();
    // A longer path has been truncated.
    if let Some(path) =
        error.path().filter(|path| pointer.ends_with("/files") && path.len() < transport::MAX_NAME_BYTES)
    {
        json::push_key(&mut pointer, path);
    }
    let problem = match &error {
        TransportError::OverLimit { limit: transport::Limit::UnpackedBytes, .. } if first.is_some() => {
            ApiError::over_limit("the content of both sides together", "max-unpacked-bytes", all.unpacked_bytes)
        }
        TransportError::OverLimit { limit: transport::Limit::Entries, .. } if first.is_some() => {
            ApiError::over_limit("the number of entries of both sides together", "max-entries", all.entries)
        }
        _ => ApiError::from(error),
    };
    Err(problem.at(pointer))
}

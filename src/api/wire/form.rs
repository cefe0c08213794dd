//! `multipart/form-data`: an archive or files, and the options, each in its own part.

use axum::body::Bytes;
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest as _, Multipart, Request};

use crate::api::http::body::{BodyOverLimit, body_problem};
use crate::api::http::error::{ApiError, Kind};
use crate::api::http::gate::Collected;
use crate::api::http::reading::{DISCARD_TIMEOUT, Room};
use crate::settings::LimitSettings;
use overfold_base::echo::short;

/// The parts of a form, as received.
#[derive(Debug, Default)]
pub(crate) struct Form {
    /// The part `archive`.
    pub(crate) archive: Option<Bytes>,
    /// The parts `files`: pairs of path and content.
    pub(crate) files: Vec<(String, Bytes)>,
    /// The part `options`: JSON text.
    pub(crate) options: Option<Bytes>,
    /// The part `provider_schemas`: JSON text.
    pub(crate) provider_schemas: Option<Bytes>,
}

/// The parts of a form with two uploads, as received.
#[derive(Debug)]
pub(crate) struct PairForm {
    /// The part `before`: an archive.
    pub(crate) before: Bytes,
    /// The part `after`: an archive.
    pub(crate) after: Option<Bytes>,
    /// The part `options`: JSON text.
    pub(crate) options: Option<Bytes>,
    /// The part `provider_schemas`, for both uploads: JSON text.
    pub(crate) provider_schemas: Option<Bytes>,
}

/// The memory, in bytes, that a part of a form takes in addition to its content: name, path and handles.
const PART: u64 = 256;

/// Reads the parts of a form, each up to its limit.
///
/// # Errors
/// 400 for a form that cannot be parsed, or for a part that is unknown or occurs twice; 413 for too many or too large
/// parts; 503 if there is no room for the form.
pub(crate) async fn read(request: Request, limits: &LimitSettings, room: &mut Room<'_>) -> Result<Form, ApiError> {
    let mut parts =
        Multipart::from_request(request, &()).await.map_err(|rejection| malformed(rejection.body_text()))?;
    let form = read_parts(&mut parts, limits, room).await;
    if form.as_ref().is_err_and(|problem| problem.kind == Kind::Overloaded) {
        // The rest is read so that the sender gets to read the answer.
        let rest = async { while let Ok(Some(_)) = parts.next_field().await {} };
        let _ = tokio::time::timeout(DISCARD_TIMEOUT, rest).await;
    }
    form
}

/// Reads the parts of a form with two uploads.
///
/// # Errors
/// As [`read`].
pub(crate) async fn read_pair(request: Request, room: &mut Room<'_>) -> Result<PairForm, ApiError> {
    let mut parts =
        Multipart::from_request(request, &()).await.map_err(|rejection| malformed(rejection.body_text()))?;
    let form = read_pair_parts(&mut parts, room).await;
    if form.as_ref().is_err_and(|problem| problem.kind == Kind::Overloaded) {
        // The rest is read so that the sender gets to read the answer.
        let rest = async { while let Ok(Some(_)) = parts.next_field().await {} };
        let _ = tokio::time::timeout(DISCARD_TIMEOUT, rest).await;
    }
    form
}

async fn read_pair_parts(parts: &mut Multipart, room: &mut Room<'_>) -> Result<PairForm, ApiError> {
    let (mut before, mut after, mut options, mut provider_schemas) = (None, None, None, None);
    while let Some(field) = parts.next_field().await.map_err(|error| unreadable(&error))? {
        room.grow(PART)?;
        let name = field.name().unwrap_or_default().to_owned();
        let place = match name.as_str() {
            "before" => &mut before,
            "after" => &mut after,
            "options" => &mut options,
            "provider_schemas" => &mut provider_schemas,
            _ => {
                let text = format!(
                    "the form has an unknown part {:?}; its parts are before, after, options and provider_schemas",
                    short(&name)
                );
                return Err(ApiError::new(Kind::UnknownOption, text));
            }
        };
        set(place, &name, content(field, None, room).await?)?;
    }
    let before = before.ok_or_else(|| malformed("the form has no part before".to_owned()))?;
    Ok(PairForm { before, after, options, provider_schemas })
}

fn malformed(text: String) -> ApiError {
    ApiError::new(Kind::MalformedBody, text)
}

async fn read_parts(parts: &mut Multipart, limits: &LimitSettings, room: &mut Room<'_>) -> Result<Form, ApiError> {
    let mut form = Form::default();
    while let Some(field) = parts.next_field().await.map_err(|error| unreadable(&error))? {
        room.grow(PART)?;
        let name = field.name().unwrap_or_default().to_owned();
        match name.as_str() {
            "archive" => set(&mut form.archive, &name, content(field, None, room).await?)?,
            "options" => set(&mut form.options, &name, content(field, None, room).await?)?,
            "provider_schemas" => set(&mut form.provider_schemas, &name, content(field, None, room).await?)?,
            "files" => {
                if form.files.len() as u64 >= limits.max_entries {
                    return Err(ApiError::over_limit("the number of files", "max-entries", limits.max_entries));
                }
                let path = field.file_name().map(str::to_owned).ok_or_else(|| {
                    malformed("a part named files has no file name, which must be the path of the file".to_owned())
                })?;
                let over = BodyOverLimit { what: "a file", name: "max-file-bytes", limit: limits.max_file_bytes };
                if path.len() as u64 > limits.max_path_bytes {
                    return Err(ApiError::over_limit(
                        "the length of a path",
                        "max-path-bytes",
                        limits.max_path_bytes,
                    ));
                }
                form.files.push((path, content(field, Some(over), room).await?));
            }
            _ => {
                let text = format!(
                    "the form has an unknown part {:?}; its parts are archive, files, options and provider_schemas",
                    short(&name)
                );
                return Err(ApiError::new(Kind::UnknownOption, text));
            }
        }
    }
    if form.archive.is_some() != form.files.is_empty() {
        return Err(malformed("the form must have either one part archive or one or more parts files".to_owned()));
    }
    Ok(form)
}

fn set(place: &mut Option<Bytes>, name: &str, content: Bytes) -> Result<(), ApiError> {
    match place.replace(content) {
        None => Ok(()),
        Some(_) => Err(ApiError::new(Kind::DuplicateKey, format!("the form has two parts {name}"))),
    }
}

async fn content(mut field: Field<'_>, over: Option<BodyOverLimit>, room: &mut Room<'_>) -> Result<Bytes, ApiError> {
    let mut bytes = Collected::new(None, over.map_or(u64::MAX, |over| over.limit));
    while let Some(chunk) = field.chunk().await.map_err(|error| unreadable(&error))? {
        if let Some(over) = over
            && (bytes.len() + chunk.len()) as u64 > over.limit
        {
            return Err(over.problem());
        }
        room.push(&chunk, &mut bytes)?;
    }
    Ok(bytes.finish())
}

fn unreadable(error: &MultipartError) -> ApiError {
    let problem = body_problem(error);
    match problem.kind {
        Kind::OverLimit | Kind::Timeout => problem,
        _ => ApiError::new(Kind::MalformedBody, format!("the form cannot be read: {}", error.body_text())),
    }
}

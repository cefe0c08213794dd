//! `multipart/form-data`: an archive or files, and the options, each a part.

use axum::body::Bytes;
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest as _, Multipart, Request};

use super::error::{ApiError, Kind};
use super::layers::{BodyOverLimit, body_problem};
use crate::settings::LimitSettings;

/// The parts of a form as received.
#[derive(Debug, Default)]
pub(crate) struct Form {
    /// The part `archive`.
    pub(crate) archive: Option<Bytes>,
    /// The parts `files`: path and content.
    pub(crate) files: Vec<(String, Bytes)>,
    /// The part `options`: JSON text.
    pub(crate) options: Option<Bytes>,
}

/// Reads the parts of a form, each up to its limit.
///
/// # Errors
/// 400 for a form that cannot be read, a part that nobody asked for or that is there twice; 413 for too many or too
/// large ones.
pub(crate) async fn read(request: Request, limits: &LimitSettings) -> Result<Form, ApiError> {
    let malformed = |text: String| ApiError::new(Kind::MalformedBody, text);
    let mut parts =
        Multipart::from_request(request, &()).await.map_err(|rejection| malformed(rejection.body_text()))?;
    let mut form = Form::default();
    while let Some(field) = parts.next_field().await.map_err(|error| unreadable(&error))? {
        let name = field.name().unwrap_or_default().to_owned();
        match name.as_str() {
            "archive" => set(&mut form.archive, &name, content(field, None).await?)?,
            "options" => set(&mut form.options, &name, content(field, None).await?)?,
            "files" => {
                if form.files.len() as u64 >= limits.max_entries {
                    return Err(ApiError::over_limit("the number of files", "max-entries", limits.max_entries));
                }
                let path = field.file_name().map(str::to_owned).ok_or_else(|| {
                    malformed("a part named files has no file name; it is the path of the file".to_owned())
                })?;
                let over = BodyOverLimit { what: "a file", name: "max-file-bytes", limit: limits.max_file_bytes };
                form.files.push((path, content(field, Some(over)).await?));
            }
            _ => {
                let text = format!("the form has a part {name:?}; parts are archive, files and options");
                return Err(ApiError::new(Kind::UnknownOption, text));
            }
        }
    }
    if form.archive.is_some() != form.files.is_empty() {
        return Err(malformed("the form needs either one part archive, or parts files".to_owned()));
    }
    Ok(form)
}

fn set(place: &mut Option<Bytes>, name: &str, content: Bytes) -> Result<(), ApiError> {
    match place.replace(content) {
        None => Ok(()),
        Some(_) => Err(ApiError::new(Kind::DuplicateKey, format!("the form has two parts {name}"))),
    }
}

async fn content(mut field: Field<'_>, over: Option<BodyOverLimit>) -> Result<Bytes, ApiError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|error| unreadable(&error))? {
        if let Some(over) = over
            && (bytes.len() + chunk.len()) as u64 > over.limit
        {
            return Err(over.problem());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes.into())
}

fn unreadable(error: &MultipartError) -> ApiError {
    let problem = body_problem(error);
    match problem.kind {
        Kind::OverLimit => problem,
        _ => ApiError::new(Kind::MalformedBody, format!("the form cannot be read: {}", error.body_text())),
    }
}

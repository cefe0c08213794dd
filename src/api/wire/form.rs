//! `multipart/form-data`: an archive or files, and the options, each in its own part.

use axum::body::Bytes;
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest as _, Multipart, Request};

use crate::api::wire::kind;
use overfold_base::echo::short;
use overfold_engine::RequestLimits;
use overfold_server::body::{BodyOverLimit, body_problem};
use overfold_server::class::Weight;
use overfold_server::error::ApiError;
use overfold_server::gate::Collected;
use overfold_server::reading::{DISCARD_TIMEOUT, Room};
use overfold_source::ArchiveFormat;

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

/// The parts of a form that a route reads.
pub(crate) trait Parts: Sized + Send + 'static {
    /// Reads the parts, each up to its limit.
    ///
    /// # Errors
    /// 400 for a form that cannot be parsed, or for a part that is unknown or occurs twice; 413 for too many or too large
    /// parts; 503 if there is no room for the form.
    fn read(
        request: Request,
        limits: &RequestLimits,
        room: &mut Room<'_>,
    ) -> impl Future<Output = Result<Self, ApiError>> + Send;

    /// Returns the expected amount of work.
    fn weight(&self) -> Weight;
}

impl Parts for Form {
    async fn read(request: Request, limits: &RequestLimits, room: &mut Room<'_>) -> Result<Self, ApiError> {
        let mut parts = multipart(request).await?;
        let form = read_parts(&mut parts, limits, room).await;
        finish(parts, form).await
    }

    fn weight(&self) -> Weight {
        let (bytes, packed) = match &self.archive {
            Some(body) => (body.len(), ArchiveFormat::sniff(body).is_some_and(|format| format != ArchiveFormat::Tar)),
            None => (self.files.iter().map(|(_, file)| file.len()).sum(), false),
        };
        Weight::from_size(bytes as u64, packed).and(self.provider_schemas.as_ref().map_or(0, Bytes::len) as u64)
    }
}

impl Parts for PairForm {
    async fn read(request: Request, _: &RequestLimits, room: &mut Room<'_>) -> Result<Self, ApiError> {
        let mut parts = multipart(request).await?;
        let form = read_pair_parts(&mut parts, room).await;
        finish(parts, form).await
    }

    fn weight(&self) -> Weight {
        let both = [Some(&self.before), self.after.as_ref()].into_iter().flatten();
        let packed = both.clone().any(|body| ArchiveFormat::sniff(body) != Some(ArchiveFormat::Tar));
        let bytes: usize = both.map(Bytes::len).sum();
        Weight::from_size(bytes as u64, packed).and(self.provider_schemas.as_ref().map_or(0, Bytes::len) as u64)
    }
}

async fn multipart(request: Request) -> Result<Multipart, ApiError> {
    Multipart::from_request(request, &()).await.map_err(|rejection| malformed(rejection.body_text()))
}

/// Returns the form, or what is wrong with it. If there is no room for it, the rest is read so that the sender gets to read
/// the answer.
async fn finish<F>(mut parts: Multipart, form: Result<F, ApiError>) -> Result<F, ApiError> {
    if form.as_ref().is_err_and(|problem| problem.kind == kind::OVERLOADED) {
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
                return Err(ApiError::new(kind::UNKNOWN_OPTION, text));
            }
        };
        set(place, &name, content(field, None, room).await?)?;
    }
    let before = before.ok_or_else(|| malformed("the form has no part before".to_owned()))?;
    Ok(PairForm { before, after, options, provider_schemas })
}

fn malformed(text: String) -> ApiError {
    ApiError::new(kind::MALFORMED_BODY, text)
}

async fn read_parts(parts: &mut Multipart, limits: &RequestLimits, room: &mut Room<'_>) -> Result<Form, ApiError> {
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
                return Err(ApiError::new(kind::UNKNOWN_OPTION, text));
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
        Some(_) => Err(ApiError::new(kind::DUPLICATE_KEY, format!("the form has two parts {name}"))),
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
        kind::OVER_LIMIT | kind::TIMEOUT => problem,
        _ => ApiError::new(kind::MALFORMED_BODY, format!("the form cannot be read: {}", error.body_text())),
    }
}

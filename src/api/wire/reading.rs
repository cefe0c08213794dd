//! Reads a body with one set of files: the files, and their options.

use std::sync::Arc;

use axum::body::Bytes;
use serde_json::value::RawValue;

use crate::api::wire::form::Form;
use crate::api::wire::kind;
use crate::api::wire::one_pass::{self, OnePass};
use crate::api::wire::problems::{read_problem, refusal_problem};
use crate::api::wire::upload::{One, Payload};
use crate::api::wire::v1::BatchLine;
use crate::settings::LimitSettings;
use overfold_base::files::FileSet;
use overfold_engine::options::{RequestOptions, SchemaText};
use overfold_engine::{Input, PreparedRequest, UseCase, json};
use overfold_server::error::ApiError;
use overfold_source::{self as source, ArchiveFormat, JsonFiles, ReadError};

/// Files, and what is asked about them.
pub(crate) struct Side {
    /// The files; both sides of a comparison may have the same.
    pub(crate) files: Arc<FileSet>,
    /// What is asked.
    pub(crate) prepared: PreparedRequest,
}

impl Side {
    /// Returns the input of a use case.
    pub(crate) fn input(&self) -> Input<'_> {
        Input { files: &self.files, prepared: &self.prepared, root: &self.prepared.request.root }
    }
}

/// The request object of a use case.
type Request<'a, U> = <<U as UseCase<1>>::Options as RequestOptions>::Request<'a>;

/// Reads the files and the options of a request.
///
/// # Errors
/// Any problem with the request that only reading its body reveals.
pub(crate) fn read_one<U: UseCase<1>>(
    payload: Payload<One<U::Options>>,
    limits: &LimitSettings,
) -> Result<[Side; 1], ApiError> {
    let most = limits.source();
    let is_json = matches!(payload, Payload::Json(_) | Payload::Line(_));
    let (upload, options) = match payload {
        Payload::Json(body) => {
            let text = one_pass::text(&body);
            match text.as_ref().and_then(|text| one_pass::read::<OnePass<'_, U::Options>>(text)?.complete(text)) {
                Some(OnePass { files: Some(files), options, .. }) => (uploaded(files, &most)?, options),
                _ => {
                    let json::Object(request): json::Object<Request<'_, U>> =
                        json::parse(&body, "").map_err(refusal_problem)?;
                    request_object(request, &most)?
                }
            }
        }
        Payload::Line(body) => {
            let text = one_pass::text(&body);
            let line = text.as_ref().and_then(|text| {
                let BatchLine(line): BatchLine<OnePass<'_, U::Options>> = one_pass::read(text)?;
                line.complete(text)
            });
            match line {
                Some(OnePass { files: Some(files), options, .. }) => (uploaded(files, &most)?, options),
                _ => {
                    let BatchLine(request) = json::parse(&body, "").map_err(refusal_problem)?;
                    request_object(request, &most)?
                }
            }
        }
        Payload::Archive(bytes, format, options) => (source::Payload::archive(format, bytes), *options),
        Payload::Form(Form { archive, files, options, provider_schemas }) => {
            let mut options = options.map_or_else(
                || Ok(U::Options::default()),
                |text| json::parse(&text, "").map(|json::Object(options)| options).map_err(refusal_problem),
            )?;
            if let Some(text) = provider_schemas {
                set_schemas(&mut options, schemas_part(&text)?, "/provider_schemas")?;
            }
            let upload = match archive {
                Some(bytes) => {
                    let format =
                        ArchiveFormat::sniff(&bytes).ok_or_else(|| read_problem(&ReadError::UnknownFormat))?;
                    source::Payload::archive(format, bytes)
                }
                None => source::Payload::files(files),
            };
            (upload, options)
        }
    };
    let prepared = U::prepare(options, &limits.request).map_err(refusal_problem)?;
    match source::read(upload.strip_components(prepared.strip_components), &most) {
        Ok(upload) => Ok([Side { files: Arc::new(upload.files), prepared }]),
        Err(error) => {
            let mut problem = read_problem(&error);
            if let (true, Some(path)) = (is_json, error.path()) {
                let pointer = problem.pointer.insert("/files".to_owned());
                // A longer path has been truncated.
                if path.len() < source::MAX_NAME_BYTES {
                    json::push_key(pointer, path);
                }
            }
            Err(problem)
        }
    }
}

/// Reads the part `provider_schemas` of a form.
///
/// # Errors
/// 400 if it is not a JSON object.
pub(crate) fn schemas_part(text: &Bytes) -> Result<SchemaText, ApiError> {
    one_pass::document(text).map_or_else(|| json::parse(text, "/provider_schemas").map_err(refusal_problem), Ok)
}

/// Sets the schemas that are a part of a form; `pointer` is their place in the options.
///
/// # Errors
/// 400 if the options contain schemas, too.
pub(crate) fn set_schemas(
    options: &mut impl RequestOptions,
    schemas: SchemaText,
    pointer: &str,
) -> Result<(), ApiError> {
    if options.schemas().replace(schemas).is_none() {
        return Ok(());
    }
    let why = "provider_schemas is both a part of the form and in the part options";
    Err(ApiError::new(kind::DUPLICATE_KEY, why).at(pointer))
}

/// Splits a request object into its files and its options.
fn request_object<O: RequestOptions>(
    request: O::Request<'_>,
    most: &source::Limits,
) -> Result<(source::Payload, O), ApiError> {
    let (files, options) = O::split(request);
    Ok((uploaded(files, most)?, options))
}

/// Reads the files of a request object.
fn uploaded(files: &RawValue, most: &source::Limits) -> Result<source::Payload, ApiError> {
    let files = json::parse_seed(JsonFiles::seed(most), files.get().as_bytes(), "/files").map_err(refusal_problem)?;
    Ok(source::Payload::json(files))
}

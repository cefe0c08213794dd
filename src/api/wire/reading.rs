//! Reads a body that has arrived: its files, and its options for [`crate::task`].

use crate::api::http::error::{ApiError, Kind};
use crate::api::wire::form::Form;
use crate::api::wire::json;
use crate::api::wire::prepare::prepare;
use crate::api::wire::upload::Payload;
use crate::api::wire::v1::{BatchLine, SchemaText, UploadOptions};
use crate::settings::LimitSettings;
use crate::task::PreparedRequest;
use overfold_base::files::FileSet;
use overfold_transport::{self as transport, ArchiveFormat, JsonFiles, TransportError};

/// Reads the files and the options of a request.
///
/// # Errors
/// Any problem with the request that only reading its body reveals.
pub(crate) fn read(payload: Payload, limits: &LimitSettings) -> Result<(FileSet, PreparedRequest), ApiError> {
    read_with(payload, limits, &prepare)
}

/// Checks the options of a request.
pub(crate) type Prepare<'p, O> = &'p dyn Fn(O, &LimitSettings) -> Result<PreparedRequest, ApiError>;

/// Like [`read`], but with other options, which `prepare` checks.
///
/// # Errors
/// As [`read`], and those of `prepare`.
pub(crate) fn read_with<O: UploadOptions>(
    payload: Payload<O>,
    limits: &LimitSettings,
    prepare: Prepare<'_, O>,
) -> Result<(FileSet, PreparedRequest), ApiError> {
    let most = limits.transport();
    let is_json = matches!(payload, Payload::Json(_) | Payload::Line(_));
    let (upload, options) = match payload {
        Payload::Json(body) => {
            let json::Object(request): json::Object<O::Request<'_>> = json::parse(&body, "")?;
            request_object(request, &most)?
        }
        Payload::Line(body) => {
            let BatchLine(request) = json::parse(&body, "")?;
            request_object(request, &most)?
        }
        // This payload belongs to another route.
        Payload::Pair(_) => return Err(ApiError::internal()),
        Payload::Archive(bytes, format, options) => (transport::Payload::archive(format, bytes), *options),
        Payload::Form(Form { archive, files, options, provider_schemas }) => {
            let mut options = options.map_or_else(
                || Ok(O::default()),
                |text| json::parse(&text, "").map(|json::Object(options)| options),
            )?;
            if let Some(text) = provider_schemas {
                set_schemas(&mut options, schemas_part(&text)?, "/provider_schemas")?;
            }
            let upload = match archive {
                Some(bytes) => {
                    let format = ArchiveFormat::sniff(&bytes).ok_or(TransportError::UnknownFormat)?;
                    transport::Payload::archive(format, bytes)
                }
                None => transport::Payload::files(files),
            };
            (upload, options)
        }
    };
    let prepared = prepare(options, limits)?;
    match transport::read(upload.strip_components(prepared.strip_components), &most) {
        Ok(upload) => Ok((upload.files, prepared)),
        Err(error) => {
            let mut problem = ApiError::from(error.clone());
            if let (true, Some(path)) = (is_json, error.path()) {
                let pointer = problem.pointer.insert("/files".to_owned());
                // A longer path has been truncated.
                if path.len() < transport::MAX_NAME_BYTES {
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
pub(crate) fn schemas_part(text: &[u8]) -> Result<SchemaText, ApiError> {
    json::parse(text, "/provider_schemas")
}

/// Sets the schemas that are a part of a form; `pointer` is their place in the options.
///
/// # Errors
/// 400 if the options contain schemas, too.
pub(crate) fn set_schemas(
    options: &mut impl UploadOptions,
    schemas: SchemaText,
    pointer: &str,
) -> Result<(), ApiError> {
    if options.schemas().replace(schemas).is_none() {
        return Ok(());
    }
    let why = "provider_schemas is both a part of the form and in the part options";
    Err(ApiError::new(Kind::DuplicateKey, why).at(pointer))
}

/// Splits a request object into its files and its options.
fn request_object<O: UploadOptions>(
    request: O::Request<'_>,
    most: &transport::Limits,
) -> Result<(transport::Payload, O), ApiError> {
    let (files, options) = O::split(request);
    let files = json::parse_seed(JsonFiles::seed(most), files.get().as_bytes(), "/files")?;
    Ok((transport::Payload::json(files), options))
}

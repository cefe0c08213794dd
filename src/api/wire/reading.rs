//! Reads a body that has arrived: its files, and its options for [`crate::task`].

use crate::api::http::error::ApiError;
use crate::api::wire::form::Form;
use crate::api::wire::json;
use crate::api::wire::prepare::prepare;
use crate::api::wire::upload::Payload;
use crate::api::wire::v1::{BatchLine, MergeOptions, MergeRequest};
use crate::settings::LimitSettings;
use crate::task::PreparedRequest;
use overfold_base::files::FileSet;
use overfold_transport::{self as transport, ArchiveFormat, JsonFiles, TransportError};

/// Reads the files and the options of a request.
///
/// # Errors
/// Any problem with the request that only reading its body reveals.
pub(crate) fn read(payload: Payload, limits: &LimitSettings) -> Result<(FileSet, PreparedRequest), ApiError> {
    read_with(payload, limits, &|_| Ok(()))
}

/// Like [`read`], but for a request whose options have to pass a check.
///
/// # Errors
/// As [`read`], and those of the check.
pub(crate) fn read_with(
    payload: Payload,
    limits: &LimitSettings,
    check: &dyn Fn(&MergeOptions) -> Result<(), ApiError>,
) -> Result<(FileSet, PreparedRequest), ApiError> {
    let most = limits.transport();
    let is_json = matches!(payload, Payload::Json(_) | Payload::Line(_));
    let (upload, options) = match payload {
        Payload::Json(body) => {
            let json::Object(request): json::Object<MergeRequest<'_>> = json::parse(&body, "")?;
            request_object(request, &most)?
        }
        Payload::Line(body) => {
            let BatchLine(request) = json::parse(&body, "")?;
            request_object(request, &most)?
        }
        // This payload belongs to another route.
        Payload::Pair(_) => return Err(ApiError::internal()),
        Payload::Archive(bytes, format, options) => (transport::Payload::archive(format, bytes), *options),
        Payload::Form(Form { archive, files, options }) => {
            let options = options.map_or_else(
                || Ok(MergeOptions::default()),
                |text| json::parse(&text, "").map(|json::Object(options)| options),
            )?;
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
    check(&options)?;
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

/// Splits a request object into its files and its options.
fn request_object(
    request: MergeRequest<'_>,
    most: &transport::Limits,
) -> Result<(transport::Payload, MergeOptions), ApiError> {
    let (files, options) = request.split();
    let files = json::parse_seed(JsonFiles::seed(most), files.get().as_bytes(), "/files")?;
    Ok((transport::Payload::json(files), options))
}

//! The body of a merge request: which form it has, read up to the limits, not yet understood.

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use http_body_util::BodyExt as _;
use mime::Mime;

use super::accept::{Coding, Format};
use super::error::{ApiError, Kind};
use super::form::{self, Form};
use super::layers::{BodyOverLimit, body_problem, cap};
use super::query;
use super::state::{Admitted, AppState};
use super::v1::MergeOptions;
use crate::transport::ArchiveFormat;

/// The media types that `POST /v1/merge` reads.
const SUPPORTED: &str = "application/json, application/x-tar, application/gzip, application/zstd, application/zip, \
                         multipart/form-data";

/// A merge request whose body has arrived.
pub(crate) struct MergeCall {
    /// Its place among the requests that hold memory.
    pub(crate) admitted: Admitted,
    /// The form of the answer.
    pub(crate) wanted: Wanted,
    /// The body.
    pub(crate) payload: Payload,
}

/// The form of an answer: what it says and how it is packed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) format: Format,
    pub(crate) coding: Coding,
}

/// A body as received. What costs time to read is read where the work is done.
pub(crate) enum Payload {
    /// The request object.
    Json(Bytes),
    /// An archive, and the options beside it.
    Archive(Bytes, ArchiveFormat, Box<MergeOptions>),
    /// The parts of a form.
    Form(Form),
}

impl FromRequest<AppState> for MergeCall {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        let headers = request.headers();
        let wanted = Wanted { format: Format::negotiate(headers)?, coding: Coding::negotiate(headers) };
        let media = media(headers)?;
        let options = match media {
            Media::Archive(_) => query::options(request.uri().query())?,
            Media::Json | Media::Form => {
                query::none(request.uri().query())?;
                MergeOptions::default()
            }
        };
        let admitted = state.admit()?;
        let limit = state.settings().limits.max_unpacked_bytes;
        let over = BodyOverLimit { what: "the request body without its encoding", name: "max-unpacked-bytes", limit };
        let request = request.map(|body| cap(body, over));
        let payload = match media {
            Media::Json => Payload::Json(collect(request.into_body()).await?),
            Media::Archive(kind) => Payload::Archive(collect(request.into_body()).await?, kind, Box::new(options)),
            Media::Form => Payload::Form(form::read(request, &state.settings().limits).await?),
        };
        Ok(Self { admitted, wanted, payload })
    }
}

#[derive(Clone, Copy)]
enum Media {
    Json,
    Archive(ArchiveFormat),
    Form,
}

fn media(headers: &HeaderMap) -> Result<Media, ApiError> {
    let unsupported = |what: String| {
        Err(ApiError::new(Kind::UnsupportedMediaType, format!("{what}; this route reads: {SUPPORTED}")))
    };
    let Some(value) = headers.get(CONTENT_TYPE) else {
        return unsupported("the request has no Content-Type".to_owned());
    };
    let Some(mime) = value.to_str().ok().and_then(|text| text.parse::<Mime>().ok()) else {
        return unsupported("the Content-Type cannot be read".to_owned());
    };
    match mime.essence_str() {
        "application/json" => match mime.get_param("charset") {
            None => Ok(Media::Json),
            Some(charset) if charset == "utf-8" => Ok(Media::Json),
            Some(charset) => unsupported(format!("JSON comes as UTF-8, not as {charset}")),
        },
        "multipart/form-data" => Ok(Media::Form),
        "application/x-tar" => Ok(Media::Archive(ArchiveFormat::Tar)),
        "application/gzip" | "application/x-gzip" | "application/x-tar+gzip" => {
            Ok(Media::Archive(ArchiveFormat::TarGzip))
        }
        "application/zstd" => Ok(Media::Archive(ArchiveFormat::TarZstd)),
        "application/zip" => Ok(Media::Archive(ArchiveFormat::Zip)),
        other => unsupported(format!("the Content-Type is {other}")),
    }
}

/// A whole body.
async fn collect(body: Body) -> Result<Bytes, ApiError> {
    let body = body.collect().await.map_err(|error| body_problem(&error))?;
    Ok(body.to_bytes())
}

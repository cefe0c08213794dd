//! Receives the body of a request: determines its format and reads it up to the limits, without parsing it yet.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::time::Instant;

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use mime::Mime;

use crate::api::wire::form::{Form, PairForm, Parts};
use crate::api::wire::kind;
use crate::api::wire::query;
use crate::state::AppState;
use overfold_base::echo::short;
use overfold_engine::options::RequestOptions;
use overfold_server::body::{BodyOverLimit, cap};
use overfold_server::class::Weight;
use overfold_server::error::ApiError;
use overfold_server::gate::{Collected, Share};
use overfold_server::layers::Deadline;
use overfold_server::quota::Quota;
use overfold_server::reading::{Room, WINDOW, collect, refuse};
use overfold_server::traces::Trace;
use overfold_server::watch::Watch;
use overfold_source::ArchiveFormat;

/// The media types that a route with one set of files reads.
const SUPPORTED: &str = "application/json, application/x-tar, application/gzip, application/zstd, application/zip, \
                         multipart/form-data";

/// What a route reads: one set of files, or two.
pub(crate) trait Upload: 'static {
    /// What comes with an archive. Of a route that reads none, there is no value of this type.
    type WithArchive: Send + 'static;
    /// The parts of a form.
    type Form: Parts;
    /// The number of sets of files.
    const SIDES: u64;

    /// Returns what a query string says of an archive.
    ///
    /// # Errors
    /// 400 for a query that is not valid; 415 if the route reads no archives.
    fn with_archive(query: Option<&str>) -> Result<Self::WithArchive, ApiError>;
}

/// One set of files with the options `O`.
pub(crate) struct One<O>(PhantomData<O>);

impl<O: RequestOptions> Upload for One<O> {
    type WithArchive = Box<O>;
    type Form = Form;
    const SIDES: u64 = 1;

    fn with_archive(query: Option<&str>) -> Result<Box<O>, ApiError> {
        query::options(query).map(Box::new)
    }
}

/// Two sets of files.
pub(crate) enum Pair {}

impl Upload for Pair {
    type WithArchive = Infallible;
    type Form = PairForm;
    const SIDES: u64 = 2;

    fn with_archive(_: Option<&str>) -> Result<Infallible, ApiError> {
        let detail = "two archives must be sent as the parts before and after of multipart/form-data; this route reads: application/json, multipart/form-data";
        Err(ApiError::new(kind::UNSUPPORTED_MEDIA_TYPE, detail))
    }
}

/// A body as received. Anything that takes time to parse is parsed where the work is done.
pub(crate) enum Payload<U: Upload> {
    /// A request object.
    Json(Bytes),
    /// The request object in a line of a batch.
    Line(Bytes),
    /// An archive, and what came with it.
    Archive(Bytes, ArchiveFormat, U::WithArchive),
    /// The parts of a form.
    Form(U::Form),
}

/// A body that has arrived.
pub(crate) struct Received<U: Upload> {
    /// The size of the work, as far as the body shows it.
    pub(crate) weight: Weight,
    /// The body's share of the room for bodies.
    pub(crate) share: Share,
    /// The time by which the request must be answered.
    pub(crate) deadline: Instant,
    /// The body itself.
    pub(crate) payload: Payload<U>,
    /// The connection on which the answer will be read, if there is one.
    pub(crate) reader: Option<Watch>,
    /// The trace of the request.
    pub(crate) trace: Trace,
}

/// The format of a body, and what comes with it.
enum Media<A> {
    Json,
    Archive(ArchiveFormat, A),
    Form,
}

impl<A> Media<A> {
    /// Whether the content is compressed, apart from Content-Encoding. A form may contain a compressed archive; that
    /// shows later.
    fn is_packed(&self) -> bool {
        matches!(self, Self::Archive(format, _) if *format != ArchiveFormat::Tar)
    }
}

/// Returns the format of a body. The options of an archive are in the query string; with other media types, there may be
/// none. `beside` is what the query of a route for reports contains beside the format.
fn media<U: Upload>(request: &Request, beside: Option<&str>) -> Result<Media<U::WithArchive>, ApiError> {
    let query = request.uri().query();
    let media = match known_media(request.headers())? {
        Media::Archive(format, ()) => {
            return U::with_archive(beside.or(query)).map(|with| Media::Archive(format, with));
        }
        Media::Json => Media::Json,
        Media::Form => Media::Form,
    };
    match beside {
        Some(others) => query::refuse_beside_format(others)?,
        None => query::refuse_options(query)?,
    }
    Ok(media)
}

/// Reads a body up to the limits, as far as there is room for it. `beside` is what the query of a route for reports
/// contains beside the format.
///
/// # Errors
/// Any problem with the request that its head shows; 413 for a body over a limit; 503 if there is no room for it.
pub(crate) async fn receive<U: Upload>(
    request: Request,
    state: &AppState,
    beside: Option<&str>,
) -> Result<Received<U>, ApiError> {
    let media = media::<U>(&request, beside)?;
    let headers = request.headers();
    let deadline = request
        .extensions()
        .get::<Deadline>()
        .map_or_else(|| Instant::now() + state.settings().work.timeout(), |deadline| deadline.0);
    let reader = request.extensions().get::<Watch>().cloned();
    let caller = request.extensions().get::<Quota>().cloned();
    let trace = Trace::of(request.extensions());
    let reading = trace.begin("body");
    // Without the header, the length is unknown, or only the compressed length was given.
    let stated = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if let Some(stated) = stated {
        let class = Weight::from_size(stated, media.is_packed()).class;
        let own = caller.as_ref().map_or(Ok(()), Quota::would_admit);
        if let Err(shed) = own.and_then(|()| state.gate().would_admit(class, deadline)) {
            refuse(request).await;
            return Err(shed);
        }
    }
    let limit = state.settings().body.max_unpacked_bytes;
    let over = BodyOverLimit { what: "the request body without its encoding", name: "max-unpacked-bytes", limit };
    let request = request.map(|body| cap(body, over));
    let window = if stated.is_some() { 0 } else { WINDOW };
    let mut room = Room::new(state.gate(), window, caller);
    let collected = Collected::new(stated, limit);
    let payload = match media {
        Media::Json => Payload::Json(collect(request.into_body(), collected, &mut room).await?),
        Media::Archive(format, with) => {
            Payload::Archive(collect(request.into_body(), collected, &mut room).await?, format, with)
        }
        Media::Form => Payload::Form(U::Form::read(request, &state.limits().request, &mut room).await?),
    };
    let share = room.finish();
    drop(reading);
    Ok(Received { weight: payload.weight(), share, deadline, payload, reader, trace })
}

impl<U: Upload> Payload<U> {
    /// Returns the expected amount of work.
    fn weight(&self) -> Weight {
        match self {
            // Both sides may have the same files.
            Self::Json(body) | Self::Line(body) => Weight::from_size(U::SIDES * body.len() as u64, false),
            Self::Archive(body, format, _) => Weight::from_size(body.len() as u64, *format != ArchiveFormat::Tar),
            Self::Form(parts) => parts.weight(),
        }
    }
}

fn known_media(headers: &HeaderMap) -> Result<Media<()>, ApiError> {
    let unsupported = |what: String| {
        Err(ApiError::new(kind::UNSUPPORTED_MEDIA_TYPE, format!("{what}; this route reads: {SUPPORTED}")))
    };
    let Some(value) = headers.get(CONTENT_TYPE) else {
        return unsupported("the request has no Content-Type".to_owned());
    };
    let Some(mime) = value.to_str().ok().and_then(|text| text.parse::<Mime>().ok()) else {
        return unsupported("the Content-Type is not valid".to_owned());
    };
    match mime.essence_str() {
        "application/json" => match mime.get_param("charset") {
            None => Ok(Media::Json),
            Some(charset) if charset == "utf-8" => Ok(Media::Json),
            Some(charset) => {
                unsupported(format!("JSON must be encoded as UTF-8, not as {:?}", short(charset.as_str())))
            }
        },
        "multipart/form-data" => Ok(Media::Form),
        "application/x-gzip" | "application/x-tar+gzip" => Ok(Media::Archive(ArchiveFormat::TarGzip, ())),
        other => match ArchiveFormat::with_media_type(other) {
            Some(format) => Ok(Media::Archive(format, ())),
            None => unsupported(format!("the Content-Type is {:?}", short(other))),
        },
    }
}

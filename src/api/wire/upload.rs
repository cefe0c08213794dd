//! Receives the body of a merge request: determines its format and reads it up to the limits, without parsing it yet.

use std::time::Instant;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use mime::Mime;

use crate::api::http::accept::Coding;
use crate::api::http::body::{BodyOverLimit, cap};
use crate::api::http::class::Weight;
use crate::api::http::error::{ApiError, Kind};
use crate::api::http::gate::{Collected, Share};
use crate::api::http::layers::Deadline;
use crate::api::http::quota::Quota;
use crate::api::http::reading::{Room, WINDOW, collect, refuse};
use crate::api::http::state::AppState;
use crate::api::http::traces::Trace;
use crate::api::http::watch::Watch;
use crate::api::wire::form::{self, Form, PairForm};
use crate::api::wire::formats::{self, Format, PlanFormat, negotiate_diff};
use crate::api::wire::query;
use crate::api::wire::v1::{MergeOptions, PlanOptions, UploadOptions};
use overfold_base::echo::short;
use overfold_output::DifferenceForm;
use overfold_transport::ArchiveFormat;

/// The media types that `POST /v1/merge` reads.
const SUPPORTED: &str = "application/json, application/x-tar, application/gzip, application/zstd, application/zip, \
                         multipart/form-data";

/// A merge request whose body has arrived.
pub(crate) struct MergeCall {
    /// The body.
    pub(crate) call: Received,
    /// The form of the answer.
    pub(crate) wanted: AnswerForm,
}

/// The form of an answer: its format and its compression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnswerForm {
    pub(crate) format: Format,
    pub(crate) coding: Coding,
}

/// A body as received. Anything that takes time to parse is parsed where the work is done.
pub(crate) enum Payload<O = MergeOptions> {
    /// A request object.
    Json(Bytes),
    /// The request object in a line of a batch.
    Line(Bytes),
    /// An archive, and the options sent with it.
    Archive(Bytes, ArchiveFormat, Box<O>),
    /// The parts of a form.
    Form(Form),
    /// The parts of a form with two uploads.
    Pair(PairForm),
}

/// A request for a comparison whose body has arrived: [`Payload::Json`] or [`Payload::Pair`].
pub(crate) struct DiffCall {
    /// The body, as in a merge request.
    pub(crate) call: Received,
    /// The form of the answer.
    pub(crate) format: DifferenceForm,
    /// How the answer is compressed.
    pub(crate) coding: Coding,
}

impl FromRequest<AppState> for DiffCall {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        let format = negotiate_diff(request.headers())?;
        Self::read(request, state, format, None).await
    }
}

/// A request to `POST /v1/diff/report` whose body has arrived.
pub(crate) struct DiffReportCall(pub(crate) DiffCall);

impl FromRequest<AppState> for DiffReportCall {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        let (format, others) = formats::of_diff(request.uri().query())?;
        DiffCall::read(request, state, format, Some(others)).await.map(Self)
    }
}

impl DiffCall {
    /// Reads a request; `beside` is what the query of a route for reports contains beside the format.
    async fn read(
        request: Request,
        state: &AppState,
        format: DifferenceForm,
        beside: Option<String>,
    ) -> Result<Self, ApiError> {
        let headers = request.headers();
        let coding = Coding::negotiate(headers);
        let media = match media(headers)? {
            Media::Json => Media::Json,
            Media::Form | Media::Pair => Media::Pair,
            Media::Archive(_) => {
                let detail = "two archives must be sent as the parts before and after of multipart/form-data; this route reads: application/json, multipart/form-data";
                return Err(ApiError::new(Kind::UnsupportedMediaType, detail));
            }
        };
        match beside {
            Some(others) => query::refuse_beside_format(&others)?,
            None => query::refuse_options(request.uri().query())?,
        }
        let mut call = receive(request, state, media, MergeOptions::default()).await?;
        if let Payload::Json(body) = &call.payload {
            // Both sides may have the same files.
            call.weight = Weight::of(2 * body.len() as u64, false);
        }
        Ok(Self { call, format, coding })
    }
}

/// A body that has arrived.
pub(crate) struct Received<O = MergeOptions> {
    /// The size of the work, as far as the body shows it.
    pub(crate) weight: Weight,
    /// The body's share of the room for bodies.
    pub(crate) share: Share,
    /// The time by which the request must be answered.
    pub(crate) deadline: Instant,
    /// The body itself.
    pub(crate) payload: Payload<O>,
    /// The connection on which the answer will be read, if there is one.
    pub(crate) reader: Option<Watch>,
    /// The trace of the request.
    pub(crate) trace: Trace,
}

impl FromRequest<AppState> for MergeCall {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        let format = Format::negotiate(request.headers())?;
        Self::read(request, state, format, None).await
    }
}

/// A request to `POST /v1/merge/report` whose body has arrived.
pub(crate) struct ReportCall(pub(crate) MergeCall);

impl FromRequest<AppState> for ReportCall {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        let (format, others) = formats::of_merge(request.uri().query())?;
        MergeCall::read(request, state, Format::Diagnostics(format), Some(others)).await.map(Self)
    }
}

/// A merge request to a route that answers only with JSON.
pub(crate) struct JsonCall(pub(crate) MergeCall);

impl FromRequest<AppState> for JsonCall {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        let format = Format::negotiate_json(request.headers())?;
        MergeCall::read(request, state, format, None).await.map(Self)
    }
}

impl MergeCall {
    /// Reads a request; `beside` is what the query of a route for reports contains beside the format.
    async fn read(
        request: Request,
        state: &AppState,
        format: Format,
        beside: Option<String>,
    ) -> Result<Self, ApiError> {
        let headers = request.headers();
        let wanted = AnswerForm { format, coding: Coding::negotiate(headers) };
        let media = media(headers)?;
        let options = query_options(media, request.uri().query(), beside.as_deref())?;
        let call = receive(request, state, media, options).await?;
        Ok(Self { call, wanted })
    }
}

/// Returns the options in a query string: those of an archive; with other media types, there may be none. `beside` is
/// what the query of a route for reports contains beside the format.
fn query_options<O: UploadOptions>(media: Media, query: Option<&str>, beside: Option<&str>) -> Result<O, ApiError> {
    match (media, beside) {
        (Media::Archive(_), beside) => query::options(beside.or(query)),
        (Media::Json | Media::Form | Media::Pair, Some(others)) => {
            query::refuse_beside_format(others).map(|()| O::default())
        }
        (Media::Json | Media::Form | Media::Pair, None) => query::refuse_options(query).map(|()| O::default()),
    }
}

/// A request for a plan whose body has arrived.
pub(crate) struct PlanCall {
    /// The body.
    pub(crate) call: Received<PlanOptions>,
    /// The form of the answer.
    pub(crate) format: PlanFormat,
    /// How the answer is compressed.
    pub(crate) coding: Coding,
}

impl FromRequest<AppState> for PlanCall {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        Format::negotiate_json(request.headers())?;
        Self::read(request, state, PlanFormat::Answer, None).await
    }
}

/// A request to `POST /v1/plan/report` whose body has arrived.
pub(crate) struct PlanReportCall(pub(crate) PlanCall);

impl FromRequest<AppState> for PlanReportCall {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        let (format, others) = formats::of_plan(request.uri().query())?;
        PlanCall::read(request, state, format, Some(others)).await.map(Self)
    }
}

impl PlanCall {
    /// Reads a request; `beside` is what the query of a route for reports contains beside the format.
    async fn read(
        request: Request,
        state: &AppState,
        format: PlanFormat,
        beside: Option<String>,
    ) -> Result<Self, ApiError> {
        let headers = request.headers();
        let coding = Coding::negotiate(headers);
        let media = media(headers)?;
        let options = query_options(media, request.uri().query(), beside.as_deref())?;
        let call = receive(request, state, media, options).await?;
        Ok(Self { call, format, coding })
    }
}

/// Reads a body up to the limits, as far as there is room for it.
async fn receive<O: UploadOptions>(
    request: Request,
    state: &AppState,
    media: Media,
    options: O,
) -> Result<Received<O>, ApiError> {
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
        let class = Weight::of(stated, media.is_packed()).class;
        let own = caller.as_ref().map_or(Ok(()), Quota::would_admit);
        if let Err(shed) = own.and_then(|()| state.gate().would_admit(class, deadline)) {
            refuse(request).await;
            return Err(shed);
        }
    }
    let limit = state.settings().limits.max_unpacked_bytes;
    let over = BodyOverLimit { what: "the request body without its encoding", name: "max-unpacked-bytes", limit };
    let request = request.map(|body| cap(body, over));
    let window = if stated.is_some() { 0 } else { WINDOW };
    let mut room = Room::new(state.gate(), window, caller);
    let collected = Collected::new(stated, limit);
    let payload = match media {
        Media::Json => Payload::Json(collect(request.into_body(), collected, &mut room).await?),
        Media::Archive(kind) => {
            Payload::Archive(collect(request.into_body(), collected, &mut room).await?, kind, Box::new(options))
        }
        Media::Form => Payload::Form(form::read(request, &state.settings().limits, &mut room).await?),
        Media::Pair => Payload::Pair(form::read_pair(request, &mut room).await?),
    };
    let share = room.finish();
    drop(reading);
    Ok(Received { weight: payload.weight(), share, deadline, payload, reader, trace })
}

impl<O> Payload<O> {
    /// Returns the expected amount of work.
    fn weight(&self) -> Weight {
        let (bytes, packed) = match self {
            Self::Json(body) | Self::Line(body) => (body.len(), false),
            Self::Archive(body, format, _) => (body.len(), *format != ArchiveFormat::Tar),
            Self::Form(Form { archive: Some(body), .. }) => {
                (body.len(), ArchiveFormat::sniff(body).is_some_and(|format| format != ArchiveFormat::Tar))
            }
            Self::Pair(PairForm { before, after, .. }) => {
                let both = [Some(before), after.as_ref()].into_iter().flatten();
                let packed = both.clone().any(|body| ArchiveFormat::sniff(body) != Some(ArchiveFormat::Tar));
                (both.map(Bytes::len).sum::<usize>(), packed)
            }
            Self::Form(Form { files, .. }) => (files.iter().map(|(_, file)| file.len()).sum(), false),
        };
        let beside = match self {
            Self::Form(Form { provider_schemas, .. }) | Self::Pair(PairForm { provider_schemas, .. }) => {
                provider_schemas.as_ref().map_or(0, Bytes::len)
            }
            Self::Json(_) | Self::Line(_) | Self::Archive(..) => 0,
        };
        Weight::of(bytes as u64, packed).and(beside as u64)
    }
}

#[derive(Clone, Copy)]
enum Media {
    Json,
    Archive(ArchiveFormat),
    Form,
    /// A form with two uploads.
    Pair,
}

impl Media {
    /// Whether the content is compressed, apart from Content-Encoding. A form may contain a compressed archive; that
    /// shows later.
    fn is_packed(self) -> bool {
        matches!(self, Self::Archive(format) if format != ArchiveFormat::Tar)
    }
}

fn media(headers: &HeaderMap) -> Result<Media, ApiError> {
    let unsupported = |what: String| {
        Err(ApiError::new(Kind::UnsupportedMediaType, format!("{what}; this route reads: {SUPPORTED}")))
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
        "application/x-gzip" | "application/x-tar+gzip" => Ok(Media::Archive(ArchiveFormat::TarGzip)),
        other => match ArchiveFormat::with_media_type(other) {
            Some(format) => Ok(Media::Archive(format)),
            None => unsupported(format!("the Content-Type is {:?}", short(other))),
        },
    }
}

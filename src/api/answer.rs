//! The work for a merge request: the body becomes files, the pipeline processes them, the report becomes bytes. No
//! async code here.

use std::io::Write as _;
use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use super::accept::{Coding, Format};
use super::error::{ApiError, Kind};
use super::fingerprint;
use super::form::Form;
use super::json;
use super::layers::KeepBody;
use super::metrics::Metrics;
use super::prepare::prepare;
use super::upload::{AnswerForm, Payload};
use super::v1::{BatchLine, MergeOptions, MergeRequest};
use crate::settings::LimitSettings;
use crate::task::{self, Facts, Input, Observer, PreparedRequest};
use overfold_base::account;
use overfold_base::echo::short;
use overfold_base::files::FileSet;
use overfold_eval::{Entry, FileAccess};
use overfold_module::pipeline::{self, Report};
use overfold_output as output;
use overfold_transport::{self as transport, ArchiveFormat, JsonFiles, TransportError};

/// RFC 9530.
const REPR_DIGEST: HeaderName = HeaderName::from_static("repr-digest");
/// Says of a report what `valid` says in the answer as JSON; of a comparison, whether both sides are valid.
const VALID: HeaderName = HeaderName::from_static("overfold-valid");
/// Answers shorter than this, in bytes, are not worth compressing.
pub(crate) const PACKED_FROM: usize = 1024;

/// An answer to a request.
pub(crate) struct Answer {
    /// The body, compressed with the coding named in the head.
    pub(crate) body: Vec<u8>,
    /// The data for its status and headers.
    pub(crate) head: Head,
}

/// The status and headers of an answer.
pub(crate) struct Head {
    /// 200, or 422 if the request asks for it.
    status: StatusCode,
    content_type: String,
    /// How the body is compressed.
    coding: Coding,
    /// A digest of the normalised request and the program's version, in hexadecimal.
    fingerprint: String,
    /// SHA-256 of the body as sent.
    digest: [u8; 32],
    /// The outcome, for the log.
    facts: Facts,
    /// Whether it is a report, whose form the query names: nothing in its body says whether the configuration is valid.
    is_report: bool,
}

impl Head {
    /// Returns the status.
    pub(crate) const fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the response with this body.
    pub(crate) fn with(self, body: Bytes) -> Response {
        let Self { status, content_type, coding, fingerprint, digest, facts, is_report } = self;
        // A compressed body consists of other bytes, so it needs another strong tag (RFC 9110, 8.8.3.3).
        let tag = coding
            .name()
            .map_or_else(|| format!("\"{fingerprint}\""), |coding| format!("\"{fingerprint}-{coding}\""));
        let headers = [
            (CONTENT_TYPE, content_type),
            (ETAG, tag),
            (REPR_DIGEST, format!("sha-256=:{}:", BASE64_STANDARD.encode(digest))),
            (VARY, if is_report { "accept-encoding" } else { "accept, accept-encoding" }.to_owned()),
        ];
        let valid = is_report.then(|| [(VALID, facts.valid.to_string())]);
        let encoding = coding.name().map(|name| [(CONTENT_ENCODING, name)]);
        (status, Extension(facts), Extension(KeepBody), headers, valid, encoding, body).into_response()
    }
}

/// Does the work for one merge request.
///
/// # Errors
/// Any problem with the request that only reading its body reveals.
pub(crate) fn make(
    payload: Payload,
    wanted: AnswerForm,
    limits: &LimitSettings,
    metrics: &Metrics,
) -> Result<Answer, ApiError> {
    let mut clock = metrics.stage_clock();
    clock.begin("transport");
    let (files, prepared) = read(payload, limits)?;
    metrics.read(files.files().len(), files.content_bytes());
    let fingerprint = fingerprint::of(&files, &prepared, wanted.format.media_type(), limits);
    let input = Input { files: &files, prepared: &prepared, root: &prepared.request.root };
    let form = match wanted.format {
        Format::Json => task::Form::Answer,
        Format::Diagnostics(format) => task::Form::Diagnostics(format),
    };
    let mut watch = Watching::of(vec![input], metrics, |stage| clock.begin(stage));
    let merged = task::merge(input, form, false, limits.syntax(), &mut watch)?;
    watch.finish().map_err(|(_, problem)| problem)?;
    let status = if input.fails(merged.facts.tally) { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    // This frees their memory before the answer is compressed.
    drop(files);
    Answer::of(merged.bytes, wanted.coding, status, wanted.format.content_type(), fingerprint, merged.facts)
}

/// Watches a use case for the metrics, and for variable definitions files that are not there.
pub(super) struct Watching<'w, F> {
    sides: Vec<Input<'w>>,
    metrics: &'w Metrics,
    on_stage: F,
    /// The first problem, with its side.
    problem: Option<(usize, ApiError)>,
}

impl<'w, F: FnMut(&'static str)> Watching<'w, F> {
    /// Watches a use case with these sides.
    pub(super) const fn of(sides: Vec<Input<'w>>, metrics: &'w Metrics, on_stage: F) -> Self {
        Self { sides, metrics, on_stage, problem: None }
    }

    /// Ends the watch.
    ///
    /// # Errors
    /// Returns the problem of a side that names a variable definitions file which is not among its files.
    pub(super) fn finish(self) -> Result<(), (usize, ApiError)> {
        self.problem.map_or(Ok(()), Err)
    }
}

impl<F: FnMut(&'static str)> Observer for Watching<'_, F> {
    fn stage(&mut self, name: &'static str) {
        (self.on_stage)(name);
    }

    fn module(&mut self, side: usize, report: &Report<'_>) {
        self.metrics.found(&report.diagnostics);
        if let (None, Some(Input { files, prepared, .. })) = (&self.problem, self.sides.get(side))
            // In a tree, values are given to the root alone.
            && (report.variables.is_some() || prepared.tree.is_none())
        {
            self.problem = missing_var_files(report, files, &prepared.request).err().map(|problem| (side, problem));
        }
    }
}

impl Answer {
    /// Returns an answer with this body, compressed if that is worthwhile.
    ///
    /// # Errors
    /// 500 if it cannot be compressed.
    pub(crate) fn of(
        plain: Vec<u8>,
        coding: Coding,
        status: StatusCode,
        content_type: String,
        fingerprint: String,
        facts: Facts,
    ) -> Result<Self, ApiError> {
        let (mut body, coding) = pack(plain, coding)?;
        body.shrink_to_fit();
        let digest = Sha256::digest(&body).into();
        let head = Head { status, content_type, coding, fingerprint, digest, facts, is_report: false };
        Ok(Self { body, head })
    }

    /// Returns the same as the answer of a route for reports.
    pub(crate) fn into_report(mut self) -> Self {
        self.head.is_report = true;
        self
    }
}

/// Fails if the request names a variable definitions file that is not among its files: such a request is impossible.
/// The tool would report it, so the problem carries the diagnostics. Something else at the path of an automatic
/// definitions file is only a diagnostic.
pub(crate) fn missing_var_files(
    report: &Report<'_>,
    files: &FileSet,
    request: &pipeline::Request,
) -> Result<(), ApiError> {
    let access = FileAccess { files, root: &request.root };
    let named = request.variables.iter().flat_map(|variables| &variables.args).filter_map(|arg| match arg {
        pipeline::VariableArg::VarFile(path) => Some(path),
        _ => None,
    });
    let mut missing = named.filter(|path| !matches!(access.entry(path), Entry::File(_)));
    let Some(first) = missing.next() else { return Ok(()) };
    let others = match missing.count() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let detail = format!("the variable definitions file {:?} is not in the files{others}", short(first));
    let problem = ApiError::new(Kind::VarFileNotFound, detail).at("/variables/args");
    let diagnostics =
        String::from_utf8(output::diagnostics_only(report)).ok().and_then(|text| RawValue::from_string(text).ok());
    Err(ApiError { diagnostics: diagnostics.map(Arc::from), ..problem })
}

/// Compresses a body if that is worthwhile; returns it with the coding actually used.
pub(crate) fn pack(plain: Vec<u8>, coding: Coding) -> Result<(Vec<u8>, Coding), ApiError> {
    account::touch(plain.len());
    let packed = match coding {
        _ if plain.len() < PACKED_FROM => return Ok((plain, Coding::Identity)),
        Coding::Identity => return Ok((plain, Coding::Identity)),
        Coding::Zstd => zstd::encode_all(&*plain, 3),
        Coding::Gzip => {
            let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            writer.write_all(&plain).and_then(|()| writer.finish())
        }
    };
    // Writing to memory cannot fail.
    packed.map(|packed| (packed, coding)).map_err(|_| ApiError::internal())
}

/// Reads the files and the plan of a request.
pub(super) fn read(payload: Payload, limits: &LimitSettings) -> Result<(FileSet, PreparedRequest), ApiError> {
    read_with(payload, limits, &|_| Ok(()))
}

/// Like [`read`], but for a request whose options have to pass a check.
pub(super) fn read_with(
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

/// Converts bytes to lower-case hexadecimal.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from_digit(u32::from(digit), 16).unwrap_or('0')).collect()
}

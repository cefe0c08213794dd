//! The work behind a merge request: body to files, files through the pipeline, report to bytes. No async here.

use std::io::Write as _;

use axum::http::HeaderName;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use sha2::{Digest as _, Sha256};

use super::accept::{Coding, Format};
use super::error::{ApiError, Kind};
use super::json;
use super::plan::{Plan, plan};
use super::upload::{Payload, Wanted};
use super::v1::{FileContent, Files, MergeOptions, MergeRequest};
use crate::files::{FileSet, ModulePath, SourceFile};
use crate::output;
use crate::pipeline;
use crate::settings::LimitSettings;

/// RFC 9530.
const REPR_DIGEST: HeaderName = HeaderName::from_static("repr-digest");
/// Answers shorter than this are not worth packing.
const PACKED_FROM: usize = 1024;

/// What is sent back.
pub(crate) struct Answer {
    body: Vec<u8>,
    format: Format,
    /// How the body is packed.
    coding: Coding,
    /// A digest of the normalised request and the product's version, in hexadecimal.
    fingerprint: String,
    /// SHA-256 of the body as sent.
    digest: [u8; 32],
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let Self { body, format, coding, fingerprint, digest } = self;
        // Other bytes need another strong tag (RFC 9110, 8.8.3.3).
        let tag = coding.name().map_or_else(
            || format!("\"{fingerprint}\""),
            |coding| format!("\"{fingerprint}-{coding}\""),
        );
        let headers = [
            (CONTENT_TYPE, format.media_type().to_owned()),
            (ETAG, tag),
            (REPR_DIGEST, format!("sha-256=:{}:", BASE64_STANDARD.encode(digest))),
            (VARY, "accept, accept-encoding".to_owned()),
        ];
        let encoding = coding.name().map(|name| [(CONTENT_ENCODING, name)]);
        (headers, encoding, body).into_response()
    }
}

/// Does the work of one merge request.
///
/// # Errors
/// Any request problem that only reading the body shows.
pub(crate) fn make(payload: Payload, wanted: Wanted, limits: &LimitSettings) -> Result<Answer, ApiError> {
    let (files, plan) = read(payload, limits)?;
    let fingerprint = fingerprint(&files, &plan, wanted.format);
    let report = pipeline::run(&files, &plan.request)?;
    let plain = match wanted.format {
        Format::Json => output::answer(&report, plan.answer),
    };
    let (body, coding) = pack(plain, wanted.coding)?;
    let digest = Sha256::digest(&body).into();
    Ok(Answer { body, format: wanted.format, coding, fingerprint, digest })
}

fn pack(plain: Vec<u8>, coding: Coding) -> Result<(Vec<u8>, Coding), ApiError> {
    let packed = match coding {
        _ if plain.len() < PACKED_FROM => return Ok((plain, Coding::Identity)),
        Coding::Identity => return Ok((plain, Coding::Identity)),
        Coding::Zstd => zstd::encode_all(&*plain, 3),
        Coding::Gzip => {
            let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            writer.write_all(&plain).and_then(|()| writer.finish())
        }
    };
    // Writing to memory does not fail.
    packed.map(|packed| (packed, coding)).map_err(|_| ApiError::internal())
}

/// The files and the plan of a request.
fn read(payload: Payload, limits: &LimitSettings) -> Result<(FileSet, Plan), ApiError> {
    let _ = limits;
    match payload {
        Payload::Json(body) => {
            let request: MergeRequest = json::parse(&body, "")?;
            let (files, options) = request.split();
            Ok((file_set(files)?, plan(options)?))
        }
        Payload::Archive(_, kind, _) => Err(ApiError::not_yet(&format!("reading an archive ({kind:?})"))),
        Payload::Form(form) => {
            let options: MergeOptions = match &form.options {
                Some(text) => json::parse(text, "")?,
                None => MergeOptions::default(),
            };
            if form.archive.is_some() {
                return Err(ApiError::not_yet("reading an archive"));
            }
            let files = form.files.into_iter().map(|(path, bytes)| (path, FileContent::Text(String::from_utf8_lossy(&bytes).into_owned())));
            Ok((file_set(Files(files.collect()))?, plan(options)?))
        }
    }
}

fn file_set(files: Files) -> Result<FileSet, ApiError> {
    let mut list: Vec<SourceFile> = Vec::with_capacity(files.0.len());
    for (name, content) in files.0 {
        let mut pointer = "/files".to_owned();
        json::push_key(&mut pointer, &name);
        let path = ModulePath::parse(&name)
            .map_err(|error| ApiError::new(Kind::BadPath, format!("{name:?}: {error}")).at(&pointer))?;
        let bytes = match content {
            FileContent::Text(text) => Bytes::from(text),
            FileContent::Bytes { base64 } => {
                let bytes = BASE64_STANDARD.decode(base64);
                Bytes::from(bytes.map_err(|_| ApiError::new(Kind::BadOption, "not base64").at(&pointer))?)
            }
        };
        if list.iter().any(|file| file.path == path) {
            return Err(ApiError::new(Kind::DuplicatePath, format!("{path} is given twice")).at(&pointer));
        }
        list.push(SourceFile { path, bytes });
    }
    Ok(FileSet::new(list, Vec::new()))
}

/// A digest of everything that the answer depends on: two requests with one fingerprint get the same bytes.
fn fingerprint(files: &FileSet, plan: &Plan, format: Format) -> String {
    let mut digest = Sha256::new();
    let mut add = |part: &[u8]| {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    };
    add(env!("CARGO_PKG_VERSION").as_bytes());
    add(format.media_type().as_bytes());
    // The derived Debug form writes every field with its name and escapes texts, so no two requests share it.
    add(format!("{:?} {:?}", plan.answer, plan.request).as_bytes());
    for file in files.files() {
        add(file.path.as_str().as_bytes());
        add(&file.bytes);
    }
    for entry in files.special() {
        add(entry.path.as_str().as_bytes());
        add(format!("{:?}", entry.kind).as_bytes());
    }
    let mut text = String::with_capacity(64);
    for byte in digest.finalize() {
        text.extend([byte >> 4, byte & 15].map(|digit| char::from_digit(u32::from(digit), 16).unwrap_or('0')));
    }
    text
}

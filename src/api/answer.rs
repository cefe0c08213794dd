//! The work behind a merge request: body to files, files through the pipeline, report to bytes. No async here.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use sha2::{Digest as _, Sha256};

use super::accept::Format;
use super::error::{ApiError, Kind};
use super::json;
use super::plan::{Plan, plan};
use super::upload::Payload;
use super::v1::{FileContent, Files, MergeOptions, MergeRequest};
use crate::files::{FileSet, ModulePath, SourceFile};
use crate::output;
use crate::pipeline;
use crate::settings::LimitSettings;

/// What is sent back.
pub(crate) struct Answer {
    pub(crate) body: Vec<u8>,
    /// Strong entity tag, with its quotes.
    pub(crate) etag: String,
    /// Value of `Repr-Digest`, RFC 9530.
    pub(crate) repr_digest: String,
}

/// Does the work of one merge request.
///
/// # Errors
/// Any request problem that only reading the body shows.
pub(crate) fn make(payload: Payload, format: Format, limits: &LimitSettings) -> Result<Answer, ApiError> {
    let _ = limits;
    let (files, plan) = match payload {
        Payload::Json(body) => {
            let request: MergeRequest = json::parse(&body, "")?;
            let (files, options) = request.split();
            (file_set(files)?, plan(options)?)
        }
        Payload::Archive(_, kind, _) => {
            return Err(ApiError::not_yet(&format!("reading an archive ({kind:?})")));
        }
        Payload::Form(form) => {
            let options: MergeOptions = match &form.options {
                Some(text) => json::parse(text, "")?,
                None => MergeOptions::default(),
            };
            if form.archive.is_some() {
                return Err(ApiError::not_yet("reading an archive"));
            }
            let files = form.files.into_iter().map(|(path, bytes)| (path, FileContent::Text(String::from_utf8_lossy(&bytes).into_owned())));
            (file_set(Files(files.collect()))?, plan(options)?)
        }
    };
    let tag = fingerprint(&files, &plan, format);
    let report = pipeline::run(&files, &plan.request)?;
    let body = output::answer(&report, plan.answer);
    let repr_digest = format!("sha-256=:{}:", BASE64_STANDARD.encode(Sha256::digest(&body)));
    Ok(Answer { body, etag: format!("\"{tag}\""), repr_digest })
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

//! Documents that are the same in every answer of a build: created and compressed once, sent with an entity tag.

use std::sync::OnceLock;

use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::accept::{Coding, members};
use crate::error::ApiError;
use crate::packing::{Effort, compressed, hexadecimal, pack, tag};

/// How long documents may be cached: five minutes if a newer build may change them, for good if their name would
/// change, too.
const FIVE_MINUTES: &str = "public, max-age=300";
const FOREVER: &str = "public, max-age=31536000, immutable";

/// A document, with its compressed forms once they have been requested.
#[derive(Debug)]
pub struct Document {
    media_type: &'static str,
    /// A digest of the uncompressed bytes, in hexadecimal.
    digest: String,
    caching: &'static str,
    plain: Bytes,
    zstd: OnceLock<Bytes>,
    gzip: OnceLock<Bytes>,
}

impl Document {
    /// Creates a document of these bytes.
    pub fn new(media_type: &'static str, plain: impl Into<Bytes>) -> Self {
        let plain = plain.into();
        let digest = hexadecimal(&Sha256::digest(&plain));
        Self { media_type, digest, caching: FIVE_MINUTES, plain, zstd: OnceLock::new(), gzip: OnceLock::new() }
    }

    /// Returns the same document, to be cached for good: its name changes with its bytes.
    #[must_use]
    pub fn immutable(self) -> Self {
        Self { caching: FOREVER, ..self }
    }

    /// Returns the answer to a request with these headers: the document, compressed if that is allowed, or "not
    /// modified".
    pub fn answer(&self, headers: &HeaderMap) -> Response {
        let coding = Coding::negotiate(headers).worthwhile(self.plain.len());
        let tag = tag(&self.digest, coding);
        if has_current_tag(headers, &tag) {
            return (StatusCode::NOT_MODIFIED, caching(tag, self.caching)).into_response();
        }
        let body = match coding {
            Coding::Identity => self.plain.clone(),
            Coding::Zstd => self.packed(&self.zstd, coding),
            Coding::Gzip => self.packed(&self.gzip, coding),
        };
        let encoding = coding.name().map(|name| [(CONTENT_ENCODING, name)]);
        (caching(tag, self.caching), [(CONTENT_TYPE, self.media_type)], encoding, body).into_response()
    }

    fn packed(&self, form: &OnceLock<Bytes>, coding: Coding) -> Bytes {
        form.get_or_init(|| compressed(&self.plain, coding, Effort::Often).unwrap_or_default().into()).clone()
    }
}

/// Returns an answer with a value that is the same for every request to this path of this build.
///
/// # Errors
/// 500 if the value cannot be written as JSON.
pub fn answer(headers: &HeaderMap, value: &impl Serialize) -> Result<Response, ApiError> {
    // Plain structs cannot fail to serialize.
    let plain = serde_json::to_vec(value).map_err(|_| ApiError::internal())?;
    let digest = hexadecimal(&Sha256::digest(&plain));
    let (body, coding) = pack(plain, Coding::negotiate(headers))?;
    let tag = tag(&digest, coding);
    if has_current_tag(headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, caching(tag, FIVE_MINUTES)).into_response());
    }
    let encoding = coding.name().map(|name| [(CONTENT_ENCODING, name)]);
    Ok((caching(tag, FIVE_MINUTES), [(CONTENT_TYPE, "application/json")], encoding, body).into_response())
}

/// Whether the client already has the bytes with this tag.
fn has_current_tag(headers: &HeaderMap, tag: &str) -> bool {
    members(headers, &IF_NONE_MATCH).any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

fn caching(tag: String, how_long: &str) -> [(HeaderName, String); 3] {
    [(ETAG, tag), (CACHE_CONTROL, how_long.to_owned()), (VARY, "accept-encoding".to_owned())]
}

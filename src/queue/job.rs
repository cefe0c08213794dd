//! A request as a message.

use async_nats::HeaderMap;
use bytes::Bytes;

use crate::api::JobRoute;
use crate::build_info::VERSION;

/// The largest body that travels in a message, in bytes: half of what a server takes by default. Larger ones go through the
/// object store.
pub(super) const MAX_IN_MESSAGE: usize = 512 << 10;

// The header fields of a message.
const DIGEST: &str = "Overfold-Digest";
const ROUTE: &str = "Overfold-Route";
const QUERY: &str = "Overfold-Query";
const CONTENT_TYPE: &str = "Overfold-Content-Type";
const SUBMITTER: &str = "Overfold-Build";
const BUNDLE: &str = "Overfold-Bundle";
const REPLACES: &str = "Overfold-Replaces";

/// A request that waits, without its body.
#[derive(Clone, Debug)]
pub(super) struct Job {
    /// What identifies the request and its answer: see [`digest`].
    pub(super) digest: String,
    pub(super) route: JobRoute,
    /// The query string, without its question mark.
    pub(super) query: String,
    /// The media type of the body.
    pub(super) content_type: String,
    /// The build of the program that submitted it.
    pub(super) build: String,
    /// The name of the body in the object store, if it is not in the message.
    pub(super) bundle: Option<String>,
    /// The version of the entry of an earlier answer that the new one replaces.
    pub(super) replaces: Option<u64>,
}

impl Job {
    /// Returns the header of the message.
    pub(super) fn header(&self, run: &str) -> HeaderMap {
        let mut header = HeaderMap::new();
        // Within its window, the server takes a message with this id only once. A further run is further work, and so is a
        // request whose answer is to be replaced.
        let replaces = self.replaces.map(|revision| revision.to_string());
        let id = format!("{}.{run}.{}", self.digest, replaces.as_deref().unwrap_or("0"));
        header.insert(async_nats::header::NATS_MESSAGE_ID, id);
        if let Some(revision) = replaces {
            header.insert(REPLACES, revision);
        }
        header.insert(DIGEST, self.digest.as_str());
        header.insert(ROUTE, self.route.path());
        header.insert(QUERY, self.query.as_str());
        header.insert(CONTENT_TYPE, self.content_type.as_str());
        header.insert(SUBMITTER, self.build.as_str());
        if let Some(bundle) = &self.bundle {
            header.insert(BUNDLE, bundle.as_str());
        }
        header
    }

    /// Reads the header of a message.
    ///
    /// # Errors
    /// Returns which field is missing or wrong. `digest_in` may still say which request it is.
    pub(super) fn read(header: Option<&HeaderMap>) -> Result<Self, &'static str> {
        let field = |name: &str| header.and_then(|header| header.get(name)).map(|value| value.as_str().to_owned());
        Ok(Self {
            digest: digest_in(header).ok_or("it has no digest")?,
            route: field(ROUTE).and_then(|path| JobRoute::with_path(&path)).ok_or("it is for no route")?,
            query: field(QUERY).unwrap_or_default(),
            content_type: field(CONTENT_TYPE).ok_or("its body has no media type")?,
            build: field(SUBMITTER).ok_or("it does not say which build submitted it")?,
            bundle: field(BUNDLE),
            replaces: field(REPLACES).and_then(|revision| revision.parse().ok()),
        })
    }

    /// Whether this is the digest of the request with this body.
    pub(super) fn is_of(&self, body: &[u8]) -> bool {
        self.digest == digest(&self.build, self.route, &self.query, &self.content_type, body)
    }
}

/// Returns the digest that a message claims to have, if it is one.
pub(super) fn digest_in(header: Option<&HeaderMap>) -> Option<String> {
    let text = header?.get(DIGEST)?.as_str();
    let is_digest = text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_digest.then(|| text.to_owned())
}

/// Returns the digest of a request: BLAKE3 over everything that determines its answer, in 64 hexadecimal digits.
pub(super) fn digest(build: &str, route: JobRoute, query: &str, content_type: &str, body: &[u8]) -> String {
    let mut digest = blake3::Hasher::new();
    for part in [build.as_bytes(), route.path().as_bytes(), query.as_bytes(), content_type.as_bytes(), body] {
        digest.update(&(part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    digest.finalize().to_hex().to_string()
}

/// A request with its body, as it is submitted.
#[derive(Clone, Debug)]
pub(super) struct PreparedRequest {
    pub(super) job: Job,
    pub(super) body: Bytes,
}

impl PreparedRequest {
    /// Returns the request with this body, for a run. The build that submits is part of its digest: another one may answer
    /// something else.
    pub(super) fn new(route: JobRoute, query: &str, content_type: &str, body: Bytes, run: &str) -> Self {
        let digest = digest(VERSION, route, query, content_type, &body);
        // A bundle belongs to one message, with which it is deleted.
        let bundle = (body.len() > MAX_IN_MESSAGE).then(|| format!("{digest}.{run}"));
        let job = Job {
            digest,
            route,
            query: query.to_owned(),
            content_type: content_type.to_owned(),
            build: VERSION.to_owned(),
            bundle,
            replaces: None,
        };
        Self { job, body }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared() -> PreparedRequest {
        PreparedRequest::new(JobRoute::Merge, "stage=load", "application/x-tar", Bytes::from_static(b"x"), "night")
    }

    #[test]
    fn a_message_says_what_was_submitted() {
        let PreparedRequest { job, body } = prepared();
        let read = Job::read(Some(&job.header("night"))).unwrap();
        assert_eq!(
            (&*read.query, &*read.content_type, read.route, read.bundle.as_deref()),
            ("stage=load", "application/x-tar", JobRoute::Merge, None)
        );
        assert!(read.is_of(&body));
    }

    #[test]
    fn every_part_of_a_request_is_in_its_digest() {
        let PreparedRequest { job, body } = prepared();
        assert!(!job.is_of(b"y"));
        for other in [
            Job { route: JobRoute::Plan, ..job.clone() },
            Job { query: String::new(), ..job.clone() },
            Job { content_type: "application/zip".to_owned(), ..job.clone() },
            Job { build: "0".to_owned(), ..job.clone() },
            Job { query: "stage=loadapplication/x-tar".to_owned(), content_type: String::new(), ..job },
        ] {
            assert!(!other.is_of(&body), "{other:?}");
        }
    }

    #[test]
    fn a_message_that_is_no_request_says_why() {
        assert!(Job::read(None).is_err());
        let job = prepared().job;
        for field in [DIGEST, ROUTE, CONTENT_TYPE, SUBMITTER] {
            let mut header = HeaderMap::new();
            for (name, values) in job.header("night").iter().filter(|(name, _)| name.to_string() != field) {
                header.insert(name.clone(), values[0].clone());
            }
            assert!(Job::read(Some(&header)).is_err(), "{field}");
        }
        let mut header = job.header("night");
        header.insert(DIGEST, "A".repeat(64));
        assert!(Job::read(Some(&header)).is_err());
    }

    #[test]
    fn only_a_large_body_goes_through_the_object_store() {
        let of = |bytes| {
            let body = Bytes::from(vec![0; bytes]);
            PreparedRequest::new(JobRoute::Plan, "", "application/x-tar", body, "night").job.bundle.is_some()
        };
        assert_eq!((of(MAX_IN_MESSAGE), of(MAX_IN_MESSAGE + 1)), (false, true));
    }
}

//! Content negotiation: matches `Accept` and `Accept-Encoding` with the offered forms of an answer.

use axum::http::header::{ACCEPT, ACCEPT_ENCODING};
use axum::http::{HeaderMap, HeaderName};
use mime::Mime;

use crate::error::{ApiError, kind};

/// Returns the members of a header that is a list, without blanks around them; none of a value that is not a text.
pub(crate) fn members<'h>(headers: &'h HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'h str> {
    let texts = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim)
}

/// Checks that the request's `Accept` allows the one media type that a route offers.
///
/// # Errors
/// 406 if that is not acceptable, or if the header cannot be parsed.
pub fn negotiate_only(headers: &HeaderMap, media_type: &'static str) -> Result<(), ApiError> {
    choose(headers, std::iter::once(((), media_type)), ())
}

/// Returns the offered value that the request's `Accept` prefers; without one, `default`.
pub fn choose<T: Copy>(
    headers: &HeaderMap,
    offered: impl Iterator<Item = (T, &'static str)> + Clone,
    default: T,
) -> Result<T, ApiError> {
    // An empty header expresses no preference, just like a missing one.
    if headers.get_all(ACCEPT).iter().all(|value| value.as_bytes().trim_ascii().is_empty()) {
        return Ok(default);
    }
    let ranges = members(headers, &ACCEPT).filter_map(|range| range.parse::<Mime>().ok()).collect::<Vec<_>>();
    let mut best: Option<(T, f32)> = None;
    for (format, name) in offered.clone() {
        let weight = weight(&ranges, name);
        if weight > best.map_or(0.0, |(_, best)| best) {
            best = Some((format, weight));
        }
    }
    best.map(|(format, _)| format).ok_or_else(|| {
        let offered = offered.map(|(_, name)| name).collect::<Vec<_>>().join(", ");
        ApiError::new(kind::NOT_ACCEPTABLE, format!("this route can answer only with: {offered}"))
    })
}

/// Returns the weight (0 to 1) that the ranges assign to a media type; the most specific matching range decides.
fn weight(ranges: &[Mime], name: &str) -> f32 {
    let (top, sub) = name.split_once('/').unwrap_or((name, ""));
    let mut best = (0, 0.0);
    for range in ranges {
        let range_sub = range
            .suffix()
            .map_or_else(|| range.subtype().as_str().to_owned(), |suffix| format!("{}+{}", range.subtype(), suffix));
        let specific = match (range.type_().as_str(), range_sub.as_str()) {
            ("*", "*") => 1,
            (t, "*") if t == top => 2,
            (t, s) if t == top && s == sub => 3,
            _ => continue,
        };
        let q = range.get_param("q").map_or(Some(1.0), |q| q.as_str().parse::<f32>().ok());
        let q = q.filter(|q| (0.0..=1.0).contains(q)).unwrap_or(0.0);
        if specific > best.0 {
            best = (specific, q);
        }
    }
    best.1
}

/// A content coding of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coding {
    /// Not compressed.
    Identity,
    /// RFC 8878.
    Zstd,
    /// RFC 1952.
    Gzip,
}

impl Coding {
    /// Returns the name in `Content-Encoding`; `None` if there is none to send.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Zstd => Some("zstd"),
            Self::Gzip => Some("gzip"),
        }
    }

    /// Returns the best coding that the request's `Accept-Encoding` allows. If it allows none of those offered, the
    /// answer is not compressed.
    pub fn negotiate(headers: &HeaderMap) -> Self {
        let mut best = (Self::Identity, 0.0);
        for coding in [Self::Zstd, Self::Gzip] {
            let (mut own, mut any) = (None, 0.0);
            for part in members(headers, &ACCEPT_ENCODING) {
                let (name, parameters) = part.split_once(';').unwrap_or((part, "q=1"));
                let q = parameters.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok()).unwrap_or(0.0);
                match name.trim() {
                    "*" => any = q,
                    name if coding.name().is_some_and(|own| own.eq_ignore_ascii_case(name)) => own = Some(q),
                    _ => {}
                }
            }
            let q = own.unwrap_or(any);
            if q > best.1 {
                best = (coding, q);
            }
        }
        best.0
    }
}

//! Content negotiation: matches `Accept` and `Accept-Encoding` with the offered forms of an answer.

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, ACCEPT_ENCODING};
use mime::Mime;

use super::error::{ApiError, Kind};
use overfold_output::{DiagnosticFormat, DifferenceForm, FORMATS};

/// A form that the answer of `/v1/merge` and its reports can have.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Format {
    /// The whole answer as JSON.
    Json,
    /// The diagnostics alone.
    Diagnostics(&'static DiagnosticFormat),
}

/// The forms offered by `/v1/diff`, the default first, with their media types.
const DIFF_FORMS: &[(DifferenceForm, &str)] = &[
    (DifferenceForm::Json, "application/json"),
    (DifferenceForm::Markdown, "text/markdown"),
    (DifferenceForm::Text, "text/plain"),
];

/// Like [`Format::negotiate`], but for the forms of a difference.
///
/// # Errors
/// As [`Format::negotiate`].
pub(crate) fn difference_form(headers: &HeaderMap) -> Result<DifferenceForm, ApiError> {
    choose(headers, DIFF_FORMS.iter().copied(), DifferenceForm::Json)
}

impl Format {
    /// Iterates over the offered formats, the default first. Those for diagnostics alone are the rows of [`FORMATS`].
    pub(crate) fn offered() -> impl Iterator<Item = Self> + Clone {
        std::iter::once(Self::Json).chain(FORMATS.iter().map(Self::Diagnostics))
    }

    /// Returns the media type, without parameters.
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Diagnostics(format) => format.media_type,
        }
    }

    /// Returns the value of `Content-Type`.
    pub(crate) fn content_type(self) -> String {
        match self {
            Self::Json => self.media_type().to_owned(),
            Self::Diagnostics(format) => format.content_type(),
        }
    }

    /// Returns the format that the request's `Accept` asks for, or the default if it has none. Among formats with equal
    /// weight, the one offered first is chosen (RFC 9110, 12.5.1: the most specific range decides a type's weight).
    ///
    /// # Errors
    /// 406 if no offered format is acceptable, or if the header cannot be parsed.
    pub(crate) fn negotiate(headers: &HeaderMap) -> Result<Self, ApiError> {
        let offered = Self::offered().map(|format| (format, format.media_type()));
        choose(headers, offered, Self::Json)
    }

    /// Like [`Format::negotiate`], but where only JSON is offered.
    ///
    /// # Errors
    /// As [`Format::negotiate`].
    pub(crate) fn negotiate_json(headers: &HeaderMap) -> Result<Self, ApiError> {
        choose(headers, std::iter::once((Self::Json, Self::Json.media_type())), Self::Json)
    }
}

/// Checks that the request's `Accept` allows the one media type that a route offers.
///
/// # Errors
/// As [`Format::negotiate`].
pub(crate) fn negotiate_only(headers: &HeaderMap, media_type: &'static str) -> Result<(), ApiError> {
    choose(headers, std::iter::once(((), media_type)), ())
}

/// Returns the offered value that the request's `Accept` prefers; without one, `default`.
fn choose<T: Copy>(
    headers: &HeaderMap,
    offered: impl Iterator<Item = (T, &'static str)> + Clone,
    default: T,
) -> Result<T, ApiError> {
    // An empty header expresses no preference, just like a missing one.
    if headers.get_all(ACCEPT).iter().all(|value| value.as_bytes().trim_ascii().is_empty()) {
        return Ok(default);
    }
    let ranges = headers
        .get_all(ACCEPT)
        .iter()
        .flat_map(|value| value.to_str().unwrap_or_default().split(','))
        .filter_map(|range| range.trim().parse::<Mime>().ok())
        .collect::<Vec<_>>();
    let mut best: Option<(T, f32)> = None;
    for (format, name) in offered.clone() {
        let weight = weight(&ranges, name);
        if weight > best.map_or(0.0, |(_, best)| best) {
            best = Some((format, weight));
        }
    }
    best.map(|(format, _)| format).ok_or_else(|| {
        let offered = offered.map(|(_, name)| name).collect::<Vec<_>>().join(", ");
        ApiError::new(Kind::NotAcceptable, format!("this route can answer only with: {offered}"))
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
pub(crate) enum Coding {
    /// Not compressed.
    Identity,
    /// RFC 8878.
    Zstd,
    /// RFC 1952.
    Gzip,
}

impl Coding {
    /// Returns the name in `Content-Encoding`; `None` if there is none to send.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Zstd => Some("zstd"),
            Self::Gzip => Some("gzip"),
        }
    }

    /// Returns the best coding that the request's `Accept-Encoding` allows. If it allows none of those offered, the
    /// answer is not compressed.
    pub(crate) fn negotiate(headers: &HeaderMap) -> Self {
        let mut best = (Self::Identity, 0.0);
        for coding in [Self::Zstd, Self::Gzip] {
            let (mut own, mut any) = (None, 0.0);
            for part in headers
                .get_all(ACCEPT_ENCODING)
                .iter()
                .flat_map(|value| value.to_str().unwrap_or_default().split(','))
            {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(accept: &str) -> Option<&'static str> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, accept.parse().unwrap());
        Format::negotiate(&headers).ok().map(Format::media_type)
    }

    #[test]
    fn json_is_the_default_and_ranges_are_understood() {
        assert_eq!(Format::negotiate(&HeaderMap::new()).ok().map(Format::media_type), Some("application/json"));
        for accept in [
            "",
            " ",
            "*/*",
            "application/*",
            "application/json",
            "text/html, */*;q=0.1",
            "APPLICATION/JSON;q=0.5",
            "application/json, text/plain, */*",
            "text/plain;q=0.9, application/json",
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        ] {
            assert_eq!(asked(accept), Some("application/json"), "{accept}");
        }
    }

    #[test]
    fn every_form_of_the_diagnostics_is_offered() {
        for format in FORMATS {
            let name = format.media_type;
            assert_eq!(asked(name), Some(name));
            assert_eq!(asked(&name.to_uppercase()), Some(name));
            assert_eq!(asked(&format!("{name}; charset=utf-8")), Some(name));
            assert_eq!(asked(&format!("application/json;q=0.4, {name};q=0.5, */*;q=0.1")), Some(name));
            assert_eq!(asked(&format!("{name};q=0")), None);
        }
    }

    #[test]
    fn a_range_takes_the_first_form_of_its_type() {
        assert_eq!(asked("text/*"), Some("text/plain"));
        assert_eq!(asked("text/*, text/plain;q=0"), Some("text/vnd.github.workflow-commands"));
        assert_eq!(asked("application/*, application/json;q=0"), Some("application/sarif+json"));
        assert_eq!(asked("application/json;q=0, */*"), Some("application/sarif+json"));
        assert_eq!(asked("application/sarif+json;q=0.1, text/plain;q=0.2"), Some("text/plain"));
    }

    #[test]
    fn names_and_media_types_are_unique() {
        let unique = |names: Vec<&str>| names.iter().collect::<std::collections::BTreeSet<_>>().len() == names.len();
        assert!(unique(Format::offered().map(Format::media_type).collect()));
        assert!(unique(FORMATS.iter().map(|format| format.name).collect()));
    }

    #[test]
    fn what_is_not_offered_is_refused() {
        for accept in ["text/html", "application/json;q=0", "*/*;q=0", "nonsense"] {
            assert_eq!(asked(accept), None, "{accept}");
        }
    }
}

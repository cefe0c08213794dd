//! The forms of answers: those that `Accept` chooses, and those of the routes for reports, which the query parameter
//! `format` names.

use axum::http::HeaderMap;

use crate::api::http::accept::choose;
use crate::api::http::error::{ApiError, Kind};
use crate::api::wire::query;
use crate::task::PlanForm;
use overfold_base::echo::short;
use overfold_base::nearest::{did_you_mean, nearest};
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

/// Returns the value of `Content-Type` for a form of a difference.
pub(crate) const fn diff_content_type(form: DifferenceForm) -> &'static str {
    match form {
        DifferenceForm::Json => "application/json",
        DifferenceForm::Markdown => "text/markdown; charset=utf-8",
        DifferenceForm::Text => "text/plain; charset=utf-8",
    }
}

/// Like [`Format::negotiate`], but for the forms of a difference.
///
/// # Errors
/// As [`Format::negotiate`].
pub(crate) fn negotiate_diff(headers: &HeaderMap) -> Result<DifferenceForm, ApiError> {
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

/// The formats of `POST /v1/diff/report`.
pub(crate) const DIFF_REPORTS: &[(&str, DifferenceForm)] =
    &[("markdown", DifferenceForm::Markdown), ("text", DifferenceForm::Text)];

/// A form that the answer about a plan and its reports can have.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PlanFormat {
    /// The whole answer as JSON.
    Answer,
    /// The plan document alone.
    Document,
    /// The plan and the diagnostics as text.
    Text,
    /// The diagnostics alone.
    Diagnostics(&'static DiagnosticFormat),
}

impl PlanFormat {
    /// Returns the form for the use case.
    pub(crate) const fn form(self) -> PlanForm {
        match self {
            Self::Answer => PlanForm::Answer,
            Self::Document => PlanForm::Document,
            Self::Text => PlanForm::Text,
            Self::Diagnostics(format) => PlanForm::Diagnostics(format),
        }
    }

    /// Returns the value of `Content-Type`.
    pub(crate) fn content_type(self) -> String {
        match self {
            Self::Answer | Self::Document => "application/json".to_owned(),
            Self::Text => DiagnosticFormat::text().content_type(),
            Self::Diagnostics(format) => format.content_type(),
        }
    }

    /// Returns a text that tells the forms apart, for the tag of an answer.
    pub(crate) const fn digested(self) -> &'static str {
        match self {
            Self::Answer => "plan",
            Self::Document => "plan/document",
            Self::Text => "plan/text",
            Self::Diagnostics(format) => format.media_type,
        }
    }

    /// Iterates over the formats of `POST /v1/plan/report` with their names, except those that do not exist yet.
    pub(crate) fn reports() -> impl Iterator<Item = (&'static str, Self)> + Clone {
        let form = |format: &'static DiagnosticFormat| match format.name {
            "text" => Self::Text,
            _ => Self::Diagnostics(format),
        };
        std::iter::once(("document", Self::Document))
            .chain(FORMATS.iter().map(move |format| (format.name, form(format))))
    }
}

/// The name of the format of a plan that is part of the contract but not of this release.
pub(crate) const SENTINEL_MOCK: &str = "sentinel-mock";

/// Like [`of_merge`], but for `POST /v1/plan/report`.
///
/// # Errors
/// As [`of_merge`]; 422 for a format that is not implemented yet.
pub(crate) fn of_plan(query: Option<&str>) -> Result<(PlanFormat, String), ApiError> {
    if query::without_format(query)?.0.as_deref() == Some(SENTINEL_MOCK) {
        return Err(ApiError::not_implemented(&format!("the format {SENTINEL_MOCK}")).at("/format"));
    }
    chosen(query, &PlanFormat::reports(), |given| {
        if let Some(format) = FORMATS.iter().find(|format| format.media_type.eq_ignore_ascii_case(given)) {
            return did_you_mean(Some(format.name));
        }
        elsewhere(given, "/v1/plan", DIFF_REPORTS.iter().map(|(name, _)| *name), "/v1/diff/report")
    })
}

/// Returns the format that the query of `POST /v1/merge/report` names, and the other parameters as they were written.
///
/// # Errors
/// 400 if the parameter is missing, repeated, or names no format of this route.
pub(crate) fn of_merge(query: Option<&str>) -> Result<(&'static DiagnosticFormat, String), ApiError> {
    chosen(query, &FORMATS.iter().map(|format| (format.name, format)), |given| {
        if let Some(format) = FORMATS.iter().find(|format| format.media_type.eq_ignore_ascii_case(given)) {
            return did_you_mean(Some(format.name));
        }
        elsewhere(given, "/v1/merge", DIFF_REPORTS.iter().map(|(name, _)| *name), "/v1/diff/report")
    })
}

/// Like [`of_merge`], but for `POST /v1/diff/report`.
///
/// # Errors
/// As [`of_merge`].
pub(crate) fn of_diff(query: Option<&str>) -> Result<(DifferenceForm, String), ApiError> {
    chosen(query, &DIFF_REPORTS.iter().copied(), |given| {
        if let Some((name, _)) =
            DIFF_REPORTS.iter().find(|(_, form)| diff_content_type(*form).split(';').next() == Some(given))
        {
            return did_you_mean(Some(name));
        }
        elsewhere(given, "/v1/diff", FORMATS.iter().map(|format| format.name), "/v1/merge/report")
    })
}

/// Says which route has the format that was asked for; empty if none has.
fn elsewhere(given: &str, json: &str, mut others: impl Iterator<Item = &'static str>, route: &str) -> String {
    if given == "json" {
        return format!(" The answer of POST {json} is JSON.");
    }
    others
        .find(|name| *name == given)
        .map_or_else(String::new, |name| format!(" POST {route} has the format {name}."))
}

fn chosen<T: Copy>(
    query: Option<&str>,
    offered: &(impl Iterator<Item = (&'static str, T)> + Clone),
    suggestion: impl Fn(&str) -> String,
) -> Result<(T, String), ApiError> {
    let (given, others) = query::without_format(query)?;
    let names = || offered.clone().map(|(name, _)| name);
    let problem = |what: String, suggestion: String| {
        let list = names().collect::<Vec<_>>().join(", ");
        Err(ApiError::new(Kind::BadOption, format!("{what} must be one of: {list}.{suggestion}")).at("/format"))
    };
    let Some(given) = given else {
        return problem("the query parameter format is missing; it".to_owned(), String::new());
    };
    if let Some((_, form)) = offered.clone().find(|(name, _)| *name == given) {
        return Ok((form, others));
    }
    // Part of a name, such as `gitlab`, is usually more than three letters away from it.
    let mut longer = names().filter(|name| !given.is_empty() && name.starts_with(&given));
    let alone = longer.next().filter(|_| longer.next().is_none());
    let hint = match nearest(&given, names()).or(alone) {
        Some(name) => did_you_mean(Some(name)),
        None => suggestion(&given),
    };
    problem(format!("format is {:?} but", short(&given)), hint)
}

#[cfg(test)]
mod tests {
    use axum::http::header::ACCEPT;

    use super::*;

    fn merge(query: &str) -> Result<(&'static str, String), String> {
        let found = of_merge(Some(query)).map(|(format, others)| (format.name, others));
        found.map_err(|problem| problem.detail.into_owned())
    }

    #[test]
    fn the_format_may_stand_anywhere_and_the_rest_is_kept() {
        assert_eq!(merge("format=sarif"), Ok(("sarif", String::new())));
        assert_eq!(merge("root=a%2Fb&format=junit&&include=x"), Ok(("junit", "root=a%2Fb&include=x".to_owned())));
        assert_eq!(merge("%66ormat=te%78t"), Ok(("text", String::new())));
        assert_eq!(of_diff(Some("format=markdown")).unwrap().0, DifferenceForm::Markdown);
        for format in FORMATS {
            assert_eq!(merge(&format!("format={}", format.name)).unwrap().0, format.name);
        }
    }

    #[test]
    fn what_was_meant_is_suggested() {
        for (given, hint) in [
            ("sarf", "Did you mean \"sarif\"?"),
            ("SARIF", "Did you mean \"sarif\"?"),
            ("gitlab", "Did you mean \"gitlab-codequality\"?"),
            ("github-anotations", "Did you mean \"github-annotations\"?"),
            ("application/sarif%2Bjson", "Did you mean \"sarif\"?"),
            ("text/plain", "Did you mean \"text\"?"),
            ("json", "The answer of POST /v1/merge is JSON."),
            ("markdown", "POST /v1/diff/report has the format markdown."),
        ] {
            let problem = merge(&format!("format={given}")).unwrap_err();
            assert!(problem.ends_with(hint), "{given}: {problem}");
        }
        // Two formats begin like this.
        for given in ["github", "", "%00", "x"] {
            let problem = merge(&format!("format={given}")).unwrap_err();
            assert!(problem.ends_with("github-commands."), "{given}: {problem}");
        }
        for (given, hint) in [
            ("md", "text."),
            ("mardown", "Did you mean \"markdown\"?"),
            ("text/markdown", "Did you mean \"markdown\"?"),
            ("sarif", "POST /v1/merge/report has the format sarif."),
            ("json", "The answer of POST /v1/diff is JSON."),
        ] {
            let problem = of_diff(Some(&format!("format={given}"))).unwrap_err().detail;
            assert!(problem.ends_with(hint), "{given}: {problem}");
        }
    }

    #[test]
    fn a_missing_or_repeated_format_is_a_problem() {
        for query in [None, Some(""), Some("root=a"), Some("Format=sarif"), Some("formats=sarif")] {
            let problem = of_merge(query).unwrap_err();
            assert_eq!((problem.kind, problem.pointer.as_deref()), (Kind::BadOption, Some("/format")));
            assert!(problem.detail.starts_with("the query parameter format is missing"), "{}", problem.detail);
        }
        assert_eq!(of_merge(Some("format=sarif&format=sarif")).unwrap_err().kind, Kind::DuplicateKey);
        assert_eq!(of_merge(Some("format=%ff")).unwrap_err().kind, Kind::NotUtf8);
    }

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

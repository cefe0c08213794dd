//! The forms of answers: those that `Accept` chooses, and those of the routes for reports, which the query parameter
//! `format` names.

use axum::http::HeaderMap;

use crate::api::wire::kind;
use crate::api::wire::query;
use overfold_base::echo::short;
use overfold_base::nearest::{did_you_mean, nearest};
use overfold_engine::{AnswerForm, merge, plan};
use overfold_output::{DiagnosticFormat, DifferenceForm, FORMATS};
use overfold_server::accept::choose;
use overfold_server::error::ApiError;

/// The forms of `POST /v1/diff`, the default first.
const DIFF_FORMS: [DifferenceForm; 3] = [DifferenceForm::Json, DifferenceForm::Markdown, DifferenceForm::Text];

/// The formats of `POST /v1/diff/report`, `POST /v1/plan-diff/report` and `POST /v1/upgrade/report`.
pub(crate) const DIFF_REPORTS: [(&str, DifferenceForm); 2] =
    [("markdown", DifferenceForm::Markdown), ("text", DifferenceForm::Text)];

/// Iterates over the forms that `POST /v1/merge` offers, the default first.
pub(crate) fn merge_forms() -> impl Iterator<Item = merge::Form> + Clone {
    std::iter::once(merge::Form::Answer).chain(FORMATS.iter().map(merge::Form::Diagnostics))
}

/// Returns the form that the request's `Accept` asks for, or the default, `first`, if it has none. Among forms with equal
/// weight, the one offered first is chosen (RFC 9110, 12.5.1: the most specific range decides a type's weight).
///
/// # Errors
/// 406 if no offered form is acceptable, or if the header cannot be parsed.
fn negotiated<F: AnswerForm>(
    headers: &HeaderMap,
    offered: impl Iterator<Item = F> + Clone,
    first: F,
) -> Result<F, ApiError> {
    choose(headers, offered.map(|form| (form, form.media_type())), first)
}

/// Returns the form of an answer of `POST /v1/merge`.
///
/// # Errors
/// 406 if no form is acceptable.
pub(crate) fn negotiate_merge(headers: &HeaderMap) -> Result<merge::Form, ApiError> {
    negotiated(headers, merge_forms(), merge::Form::Answer)
}

/// Returns the form of an answer of `POST /v1/diff`.
///
/// # Errors
/// 406 if no form is acceptable.
pub(crate) fn negotiate_diff(headers: &HeaderMap) -> Result<DifferenceForm, ApiError> {
    negotiated(headers, DIFF_FORMS.into_iter(), DifferenceForm::Json)
}

/// Returns the one form of a route that answers only with JSON.
///
/// # Errors
/// 406 if it is not acceptable.
pub(crate) fn negotiate_only<F: AnswerForm>(headers: &HeaderMap, form: F) -> Result<F, ApiError> {
    negotiated(headers, std::iter::once(form), form)
}

/// Returns the form that the query of `POST /v1/merge/report` names, and the other parameters as they were written.
///
/// # Errors
/// 400 if the parameter is missing, repeated, or names no format of this route.
pub(crate) fn of_merge(query: Option<&str>) -> Result<(merge::Form, String), ApiError> {
    chosen(query, &FORMATS.iter().map(|format| (format.name, merge::Form::Diagnostics(format))), |given| {
        if let Some(format) = with_media_type(given) {
            return did_you_mean(Some(format.name));
        }
        elsewhere(given, "/v1/merge", DIFF_REPORTS.iter().map(|(name, _)| *name), "/v1/diff/report")
    })
}

/// Like [`of_merge`], but for `POST /v1/plan/report`.
///
/// # Errors
/// As [`of_merge`].
pub(crate) fn of_plan(query: Option<&str>) -> Result<(plan::Form, String), ApiError> {
    chosen(query, &plan::Form::reports(), |given| {
        if let Some(format) = with_media_type(given) {
            return did_you_mean(Some(format.name));
        }
        elsewhere(given, "/v1/plan", DIFF_REPORTS.iter().map(|(name, _)| *name), "/v1/diff/report")
    })
}

/// Like [`of_merge`], but for `POST /v1/diff/report`.
///
/// # Errors
/// As [`of_merge`].
pub(crate) fn of_diff(query: Option<&str>) -> Result<(DifferenceForm, String), ApiError> {
    difference(query, "/v1/diff", "/v1/merge/report")
}

/// Like [`of_merge`], but for `POST /v1/plan-diff/report`.
///
/// # Errors
/// As [`of_merge`].
pub(crate) fn of_plan_diff(query: Option<&str>) -> Result<(DifferenceForm, String), ApiError> {
    difference(query, "/v1/plan-diff", "/v1/plan/report")
}

/// Like [`of_merge`], but for `POST /v1/upgrade/report`.
///
/// # Errors
/// As [`of_merge`].
pub(crate) fn of_upgrade(query: Option<&str>) -> Result<(DifferenceForm, String), ApiError> {
    difference(query, "/v1/upgrade", "/v1/plan/report")
}

/// Returns the form of a difference that the query names; `diagnostics` is the route that has the formats for diagnostics.
fn difference(query: Option<&str>, json: &str, diagnostics: &str) -> Result<(DifferenceForm, String), ApiError> {
    chosen(query, &DIFF_REPORTS.iter().copied(), |given| {
        if let Some((name, _)) = DIFF_REPORTS.iter().find(|(_, form)| form.media_type() == given) {
            return did_you_mean(Some(name));
        }
        elsewhere(given, json, FORMATS.iter().map(|format| format.name), diagnostics)
    })
}

fn with_media_type(given: &str) -> Option<&'static DiagnosticFormat> {
    FORMATS.iter().find(|format| format.media_type.eq_ignore_ascii_case(given))
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
        Err(ApiError::new(kind::BAD_OPTION, format!("{what} must be one of: {list}.{suggestion}")).at("/format"))
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
        let found = of_merge(Some(query)).map(|(form, others)| (form.name(), others));
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
            assert_eq!((problem.kind, problem.pointer.as_deref()), (kind::BAD_OPTION, Some("/format")));
            assert!(problem.detail.starts_with("the query parameter format is missing"), "{}", problem.detail);
        }
        assert_eq!(of_merge(Some("format=sarif&format=sarif")).unwrap_err().kind, kind::DUPLICATE_KEY);
        assert_eq!(of_merge(Some("format=%ff")).unwrap_err().kind, kind::NOT_UTF8);
    }

    fn asked(accept: &str) -> Option<&'static str> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, accept.parse().unwrap());
        negotiate_merge(&headers).ok().map(AnswerForm::media_type)
    }

    #[test]
    fn json_is_the_default_and_ranges_are_understood() {
        assert_eq!(negotiate_merge(&HeaderMap::new()).ok().map(AnswerForm::media_type), Some("application/json"));
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
        assert!(unique(merge_forms().map(AnswerForm::media_type).collect()));
        assert!(unique(FORMATS.iter().map(|format| format.name).collect()));
    }

    #[test]
    fn what_is_not_offered_is_refused() {
        for accept in ["text/html", "application/json;q=0", "*/*;q=0", "nonsense"] {
            assert_eq!(asked(accept), None, "{accept}");
        }
    }
}

//! The routes for reports: which format the query parameter `format` names, and what it was probably meant to be.

use super::error::{ApiError, Kind};
use super::query;
use overfold_base::echo::short;
use overfold_base::nearest::{did_you_mean, nearest};
use overfold_output::{DiagnosticFormat, DifferenceForm, FORMATS};

/// The formats of `POST /v1/diff/report`.
pub(crate) const DIFF_REPORTS: &[(&str, DifferenceForm)] =
    &[("markdown", DifferenceForm::Markdown), ("text", DifferenceForm::Text)];

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
            DIFF_REPORTS.iter().find(|(_, form)| form.content_type().split(';').next() == Some(given))
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
}

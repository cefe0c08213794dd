//! Parses options from query parameters: strictly, one field at a time, with the same meaning as in the request object.
//!
//! serde_html_form cannot do it: a value may be an object as JSON text (`variables`), or a list with commas (`include`).

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::api::wire::kind;
use crate::api::wire::problems::refusal_problem;
use overfold_base::echo::short;
use overfold_engine::options::RequestOptions;
use overfold_server::error::ApiError;

/// Parses the options in a query string.
///
/// # Errors
/// 400 for an unknown name, a repeated name (except `include`, `paths` and `severities`), an invalid value, or text that is not
/// UTF-8.
pub(crate) fn options<O: RequestOptions>(query: Option<&str>) -> Result<O, ApiError> {
    let mut options = O::default();
    let mut seen = Vec::new();
    for (_, name, value) in parameters(query) {
        let (name, value) = (decoded(name)?, decoded(value)?);
        if !matches!(&*name, "include" | "paths" | "severities") && seen.contains(&name) {
            return Err(ApiError::new(
                kind::DUPLICATE_KEY,
                format!("the query parameter {:?} occurs twice", short(&name)),
            ));
        }
        if !options.set(&name, &value).map_err(refusal_problem)? {
            let hint = if name == "format" { REPORTS } else { "" };
            return Err(ApiError::new(
                kind::UNKNOWN_OPTION,
                format!("there is no query parameter {:?} here{hint}", short(&name)),
            ));
        }
        seen.push(name);
    }
    Ok(options)
}

/// Takes the parameter `format` out of a query string. Returns its value, `None` if it is missing, and the other
/// parameters as they were written.
///
/// # Errors
/// 400 if it is repeated, or if a name or its value is not UTF-8.
pub(crate) fn without_format(query: Option<&str>) -> Result<(Option<String>, String), ApiError> {
    let (mut format, mut others) = (None, String::new());
    for (pair, name, value) in parameters(query) {
        if decoded(name)? != "format" {
            others.push_str(if others.is_empty() { "" } else { "&" });
            others.push_str(pair);
        } else if format.replace(decoded(value)?).is_some() {
            return Err(ApiError::new(kind::DUPLICATE_KEY, "the query parameter format occurs twice"));
        }
    }
    Ok((format, others))
}

/// Returns the parameter `version` of a query string that may contain nothing else.
///
/// # Errors
/// 400 for another name, a repeated name, or text that is not UTF-8.
pub(crate) fn version(query: Option<&str>) -> Result<Option<String>, ApiError> {
    let mut version = None;
    for (_, name, value) in parameters(query) {
        let name = decoded(name)?;
        if name != "version" {
            return Err(ApiError::new(
                kind::UNKNOWN_OPTION,
                format!("there is no query parameter {:?} here", short(&name)),
            ));
        }
        if version.replace(decoded(value)?).is_some() {
            return Err(ApiError::new(kind::DUPLICATE_KEY, "the query parameter version occurs twice"));
        }
    }
    Ok(version)
}

/// Returns the names and values in a query string.
///
/// # Errors
/// 400 for text that is not UTF-8.
#[cfg_attr(
    not(feature = "nats"),
    expect(dead_code, reason = "only a queue has options for a body in a query string")
)]
pub(crate) fn decoded_parameters(query: Option<&str>) -> Result<Vec<(String, String)>, ApiError> {
    parameters(query).map(|(_, name, value)| Ok((decoded(name)?, decoded(value)?))).collect()
}

/// Returns the parameters of a query string as they are written: the whole, the name and the value.
fn parameters(query: Option<&str>) -> impl Iterator<Item = (&str, &str, &str)> {
    let pairs = query.into_iter().flat_map(|query| query.split('&')).filter(|pair| !pair.is_empty());
    pairs.map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (pair, name, value)
    })
}

/// Refuses any query string.
///
/// # Errors
/// 400 if there is one.
pub(crate) fn refuse_any(query: Option<&str>) -> Result<(), ApiError> {
    if query.is_none_or(str::is_empty) {
        return Ok(());
    }
    Err(ApiError::new(kind::UNKNOWN_OPTION, "this route takes no query parameters"))
}

/// Refuses a query string on a route whose options are in the body.
///
/// # Errors
/// 400 if there is one.
pub(crate) fn refuse_options(query: Option<&str>) -> Result<(), ApiError> {
    if query.is_none_or(str::is_empty) {
        return Ok(());
    }
    let hint = if matches!(without_format(query), Ok((None, _))) { "" } else { REPORTS };
    let detail =
        "query parameters are allowed only with an archive; with this Content-Type the options belong in the body";
    Err(ApiError::new(kind::UNKNOWN_OPTION, format!("{detail}{hint}")))
}

/// Refuses what a query string contains beside the format, on a route for reports whose options are in the body.
///
/// # Errors
/// 400 if there is anything.
pub(crate) fn refuse_beside_format(others: &str) -> Result<(), ApiError> {
    if others.is_empty() {
        return Ok(());
    }
    Err(ApiError::new(
        kind::UNKNOWN_OPTION,
        "query parameters other than format are allowed only with an archive; with this Content-Type the options \
         belong in the body",
    ))
}

/// What to add if a query names a format where there are none.
const REPORTS: &str = "; formats belong to POST /v1/merge/report, POST /v1/diff/report and POST /v1/plan/report";

fn decoded(text: &str) -> Result<String, ApiError> {
    let text = text.replace('+', " ");
    percent_decode_str(&text)
        .decode_utf8()
        .map(Cow::into_owned)
        .map_err(|_| ApiError::new(kind::NOT_UTF8, "a query parameter is not valid UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::wire::v1::{MergeOptions, Part};
    use overfold_base::diag::Severity;

    fn code(query: &str) -> &'static str {
        options::<MergeOptions>(Some(query)).map_or_else(|error| error.kind.code(), |_| "fine")
    }

    #[test]
    fn every_option_can_stand_in_the_query() {
        let read: MergeOptions = options(Some(
            "dialect=terraform&version=1.11&root=a%2Fb&recursive=false&variables=%7B%22env%22:%7B%22TF_VAR_a\
             %22:%22x+y%22%7D%7D&include=config,files&include=objects&config_format=tf-json&expand=true\
             &config_file=f&reveal_sensitive=true&path_prefix=p&fail_on=warning&strip_components=1",
        ))
        .unwrap();
        assert_eq!(read.root.as_deref(), Some("a/b"));
        assert_eq!(read.include.as_deref(), Some(&[Part::Config, Part::Files, Part::Objects][..]));
        assert_eq!(read.variables.unwrap().env.0, [("TF_VAR_a".to_owned(), "x y".to_owned())].into());
        assert!(read.expand && read.reveal_sensitive && !read.recursive);
        assert_eq!((read.strip_components, read.fail_on), (Some(1), Some(Severity::Warning)));
    }

    #[test]
    fn the_query_is_strict() {
        assert_eq!(code("nonsense=1"), "unknown-option");
        assert_eq!(code("files=x"), "unknown-option");
        assert_eq!(code("root=a&root=b"), "duplicate-key");
        assert_eq!(code("recursive=1"), "bad-option");
        assert_eq!(code("recursive"), "bad-option");
        assert_eq!(code("dialect=Terraform"), "bad-option");
        assert_eq!(code("include=config,nothing"), "bad-option");
        assert_eq!(code("strip_components=-1"), "bad-option");
        assert_eq!(code("fail_on=note"), "bad-option");
        assert_eq!(code("root=%ff"), "not-utf8");
        assert_eq!(code("variables=%7B"), "malformed-body");
        assert_eq!(code("variables=%7B%22env%22:%7B%22a%22:%221%22,%22a%22:%222%22%7D%7D"), "duplicate-key");
        assert_eq!(code(""), "fine");
    }
}

//! Messages in the words of the command line: an option of a request is named as it is typed here, and with a limit comes the
//! option that raises it.

use overfold_engine::{Refusal, RefusalKind};

/// Options whose name here is another than in a request, or that are part of another one there; by their JSON pointers.
const OTHER_NAMES: [(&str, &str); 10] = [
    ("/variables/env/TF_WORKSPACE", "env"),
    ("/variables/env", "env"),
    ("/variables/args", "var"),
    ("/module_sources", "module-source"),
    ("/severities", "severity"),
    ("/after/version", "after-version"),
    ("/after/dialect", "after-dialect"),
    ("/to/version", "to"),
    ("/to/dialect", "to-dialect"),
    ("/to", "to"),
];

/// What messages that are also those of the service say, in its words and in those of the command line.
const OTHER_WORDS: [(&str, &str); 4] = [
    ("`GET /v1/diagnostics` and `overfold explain` list the codes", "`overfold explain` lists the codes"),
    ("send variables, even as {} (on the command line: --values)", "give --values, --var or --var-file"),
    ("but expand creates", "but --expand creates"),
    ("or leave expand out", "or leave --expand out"),
];

/// What comes before the name of a limit in a message.
const OVER_LIMIT: &str = " over the limit ";

/// Returns what a refusal says, with the option that it is about.
pub(super) fn of_refusal(refusal: Refusal) -> String {
    let detail =
        OTHER_WORDS.iter().fold(refusal.detail.into_owned(), |text, (theirs, ours)| text.replace(theirs, ours));
    let Some(pointer) = refusal.pointer else { return detail };
    if refusal.kind == RefusalKind::FormImpossible && pointer == "/recursive" {
        return "a plan document covers one root module; with --recursive, use --format json for everything, or --format text for people"
            .to_owned();
    }
    let Some((name, option)) = option(&pointer) else { return detail };
    let flag = format!("--{option}");
    // A message begins with the name that the option has in a request.
    let rest = detail.strip_prefix(&*name).filter(|rest| rest.starts_with([' ', ':']));
    match rest {
        Some(rest) => format!("{flag}{rest}"),
        None if detail.contains(&flag) || refusal.limit.is_some() => detail,
        None => format!("{flag}: {}", detail.strip_prefix("compatibility: ").unwrap_or(&detail)),
    }
}

/// Returns the name of an option in a request, and on the command line; `None` if there is none at that place.
fn option(pointer: &str) -> Option<(String, String)> {
    let is_below =
        |start: &str| pointer.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let other = OTHER_NAMES.iter().find(|(start, _)| is_below(start));
    let mut steps = pointer.split('/').skip(1);
    let mut name = steps.next()?;
    if matches!(name, "before" | "after" | "to") {
        name = steps.next().unwrap_or(name);
    }
    if matches!(name, "files" | "archive" | "roots") || name.is_empty() {
        return None;
    }
    Some((name.to_owned(), other.map_or_else(|| name.replace('_', "-"), |(_, option)| (*option).to_owned())))
}

/// Returns a message with the option that raises the limit of which it speaks, if there is one.
pub(super) fn with_limit(message: &str) -> String {
    let message = message.replace("strip_components=", "--strip-components ");
    let name =
        message.split_once(OVER_LIMIT).map(|(_, rest)| rest.split([' ', ',', ';', ')']).next().unwrap_or_default());
    match name {
        Some(name) if name.starts_with("max-") => format!("{message}; --{name} raises it"),
        _ => message,
    }
}

#[cfg(test)]
mod tests {
    use super::{of_refusal, with_limit};
    use overfold_engine::{Refusal, RefusalKind};

    #[test]
    fn options_are_named_as_they_are_typed() {
        let said = |detail: &'static str, pointer: &str| {
            of_refusal(Refusal::new(RefusalKind::BadOption, detail).at(pointer))
        };
        assert_eq!(said("path_prefix is \"..\": no", "/path_prefix"), "--path-prefix is \"..\": no");
        assert_eq!(said("severities: no such code", "/severities/a"), "--severity: no such code");
        assert_eq!(
            said("dialect terraform has no version", "/version"),
            "--version: dialect terraform has no version"
        );
        assert_eq!(said("dialect terraform has no version", "/to/version"), "--to: dialect terraform has no version");
        assert_eq!(said("root \"x\" is not in the files", "/before/root"), "--root \"x\" is not in the files");
        assert_eq!(said("a link", "/files"), "a link");
    }

    #[test]
    fn a_limit_comes_with_the_option_that_raises_it() {
        let message = "the work is over the limit max-work-units of 5";
        assert_eq!(with_limit(message), format!("{message}; --max-work-units raises it"));
        assert_eq!(with_limit("no limit"), "no limit");
    }
}

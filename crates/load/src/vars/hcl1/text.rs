//! Reads values given as text (variables.md, section B3).

use bytes::Bytes;

use overfold_base::diag::{Diagnostics, Origin, Severity, Span};
use overfold_eval::hcl1;
use overfold_eval::hcl1::{DecodeError, Entry};
use overfold_syntax::{self as syntax, Forest};
use overfold_value::{Hcl1Map, Hcl1Type, Hcl1Value, quoted};

/// The prefix of the text of an option; as long as the one that the tool adds, since its messages count columns.
const OPTION_PREFIX: &str = "foo=";
/// The prefix of the text of an environment variable; likewise as long as the tool's.
const ENVIRONMENT_PREFIX: &str = "value_of_the_environment_entry_here = ";
/// The name of a source that is not a file.
const NOWHERE: &str = "<value>";
/// The end of the title of the error about a number that the tool cannot represent.
const OUT_OF_RANGE: &str = "out of range";

/// The tool's message about a text that cannot be read as a value.
pub(super) struct Unreadable {
    pub(super) message: String,
}

/// The value of an option, and whether it was lost.
pub(super) struct OptionValue {
    pub(super) value: Hcl1Value,
    /// Whether the text has the right syntax, but no value that the tool can represent: it silently becomes an empty
    /// string.
    pub(super) lost: bool,
}

/// Reads the text of a `-var` option, whatever the type of the variable.
pub(super) fn parse_option(forest: &Forest, text: &str) -> Result<OptionValue, Unreadable> {
    let fine = |value| Ok(OptionValue { value, lost: false });
    let raw = || Hcl1Value::Text(text.into());
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return fine(Hcl1Value::Text("".into()));
    }
    if is_simple(trimmed) {
        return fine(raw());
    }
    let wrapped = match parse(forest, OPTION_PREFIX, trimmed) {
        Ok(wrapped) => wrapped,
        Err(problem) => {
            // With a bare word in the place of a value, any text is a plain string, even `{a = b}`.
            let structured = trimmed.starts_with(['"', '[', '{']) && !problem.bare_word;
            return if structured { Err(unreadable("", text, &problem.message)) } else { fine(raw()) };
        }
    };
    let Ok(mut entries) = wrapped else {
        return Ok(OptionValue { value: Hcl1Value::Text("".into()), lost: true });
    };
    let Some(entry) = entries.pop() else {
        return Ok(OptionValue { value: Hcl1Value::Text("".into()), lost: true });
    };
    if !entries.is_empty() {
        return Err(unreadable("", text, "Only one value may be specified."));
    }
    match entry.value {
        Hcl1Value::Bodies(bodies) if bodies.len() > 1 => Err(Unreadable { message: super::MAP_TWICE.to_owned() }),
        value => fine(value.flattened()),
    }
}

/// Reads the text of an environment variable for a variable of this type.
pub(super) fn parse_environment(
    forest: &Forest,
    name: &str,
    text: &str,
    ty: Hcl1Type,
) -> Result<Hcl1Value, Unreadable> {
    match ty {
        Hcl1Type::String => return Ok(Hcl1Value::Text(text.trim_matches('"').into())),
        Hcl1Type::List if text.trim().is_empty() => return Ok(Hcl1Value::List(Vec::new())),
        Hcl1Type::Map if text.trim().is_empty() => return Ok(Hcl1Value::Map(Hcl1Map::new())),
        Hcl1Type::List | Hcl1Type::Map => {}
    }
    let name = format!("{name} ");
    let mut entries = match parse(forest, ENVIRONMENT_PREFIX, text) {
        Ok(Ok(entries)) => entries,
        Ok(Err(error)) => return Err(unreadable(&name, text, &error.why)),
        Err(problem) => return Err(unreadable(&name, text, &problem.message)),
    };
    let Some(entry) = entries.pop() else { return Err(unreadable(&name, text, "One value must be specified.")) };
    if !entries.is_empty() {
        return Err(unreadable(&name, text, "Only one value may be specified."));
    }
    match (ty, entry.value) {
        (Hcl1Type::Map, Hcl1Value::Bodies(bodies)) => {
            Ok(Hcl1Value::Map(bodies.into_iter().next().unwrap_or_default()))
        }
        (Hcl1Type::Map, _) => Err(unreadable(&name, text, "One value must be specified.")),
        (_, value) => Ok(value),
    }
}

/// Whether a text is a number or a boolean. These are never read as values of the syntax, which would change how they
/// are written.
fn is_simple(trimmed: &str) -> bool {
    /// The words for booleans.
    const WORDS: [&str; 12] = ["1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"];
    let hexadecimal = |digits| i64::from_str_radix(digits, 16).is_ok();
    // A decimal number that is too large for a double is not a number here, but the words for infinity are.
    let float = |text: &str| {
        text.parse::<f64>().is_ok_and(|number| number.is_finite() || !text.contains(|c: char| c.is_ascii_digit()))
    };
    trimmed.parse::<i64>().is_ok()
        || float(trimmed)
        || trimmed.strip_prefix("0x").is_some_and(hexadecimal)
        || WORDS.contains(&trimmed)
}

/// Why a text is not a value of the syntax.
struct Problem {
    message: String,
    /// Whether there is a bare word in the place of a value.
    bare_word: bool,
}

/// Parses `key` followed by `text`, and decodes the result.
fn parse(forest: &Forest, key: &str, text: &str) -> Result<Result<Vec<Entry>, DecodeError>, Problem> {
    let mut found = Diagnostics::new();
    let source = forest.parse_detached_hcl1(NOWHERE, Bytes::from(format!("{key}{text}")), &mut found);
    let errors = || found.iter().filter(|found| found.severity == Severity::Error);
    let first = errors().find(|error| error.origin == Origin::Tool).or_else(|| errors().next());
    let Some(first) = first else { return Ok(hcl1::decode_file(forest, source, &mut Diagnostics::new())) };
    if first.code == &syntax::hcl1::codes::ILLEGAL_NUMBER && first.summary.ends_with(OUT_OF_RANGE) {
        let at = first.span.unwrap_or(Span { source, start: 0, end: 0 });
        return Ok(Err(DecodeError { at, why: "the number does not fit into 64 bits".to_owned(), reported: true }));
    }
    let message = first.summary.strip_prefix("Error parsing ").unwrap_or(&first.summary);
    let message = message.strip_prefix(NOWHERE).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(message);
    // These words are followed by the location and the kind of the token.
    let bare_word = message
        .split("Unknown token: ")
        .skip(1)
        .any(|rest| rest.split(' ').nth(1).is_some_and(|kind| kind == "IDENT"));
    Err(Problem { message: message.to_owned(), bare_word })
}

fn unreadable(name: &str, text: &str, why: &str) -> Unreadable {
    Unreadable { message: format!("Cannot parse value for variable {name}({}) as valid HCL: {why}", quoted(text)) }
}

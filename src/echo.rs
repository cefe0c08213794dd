//! What a message quotes of a request: short, and nothing that a terminal or a log would obey.

use std::borrow::Cow;

/// Most characters that [`short`] leaves of a text.
pub const MOST: usize = 96;
/// How many of them come from the end: of a path that is the part that tells it from others.
const TAIL: usize = 32;
/// Most characters of a message. Those of ours are shorter; this holds where another's words quote the request.
const MOST_OF_MESSAGE: usize = 1000;

/// A text of the request, with its middle left out where it has more than [`MOST`] characters. Control characters are
/// still in it: a message quotes it with `{:?}`, or passes through [`message`].
pub fn short(text: &str) -> Cow<'_, str> {
    middle_out(text, MOST, TAIL)
}

/// A whole message: at most a thousand characters, with control characters and those that turn the direction of text
/// written as escapes.
pub fn message(text: Cow<'static, str>) -> Cow<'static, str> {
    let text = match middle_out(&text, MOST_OF_MESSAGE, MOST_OF_MESSAGE / 2) {
        Cow::Owned(short) => Cow::Owned(short),
        Cow::Borrowed(_) => text,
    };
    if !text.contains(commands) {
        return text;
    }
    let escaped = text.chars().fold(String::with_capacity(text.len() + 16), |mut escaped, character| {
        if commands(character) {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
        escaped
    });
    Cow::Owned(escaped)
}

/// The words of a reader of JSON, `unknown field …, expected …`: what it quotes is the request's own and as long as
/// the client likes.
pub fn reader_message(text: String) -> String {
    let quoted = text.find(['`', '"']).map(|open| open + 1);
    let close = text.rfind(", expected ").and_then(|at| at.checked_sub(1)).unwrap_or(text.len());
    let parts = quoted.and_then(|open| Some((text.get(..open)?, text.get(open..close)?, text.get(close..)?)));
    match parts {
        Some((before, quoted, after)) if quoted.len() > MOST => format!("{before}{}{after}", short(quoted)),
        _ => text,
    }
}

/// Whether a character does something where text is shown: control characters, line separators, and those of
/// bidirectional text.
fn commands(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// At most `most` characters, `tail` of them from the end and one for what is left out.
fn middle_out(text: &str, most: usize, tail: usize) -> Cow<'_, str> {
    // Fewer bytes than that cannot be more characters.
    if text.len() <= most || text.chars().nth(most).is_none() {
        return Cow::Borrowed(text);
    }
    let head = text.char_indices().nth(most - tail - 1).and_then(|(at, _)| text.get(..at));
    let tail = text.char_indices().nth_back(tail - 1).and_then(|(at, _)| text.get(at..));
    Cow::Owned(format!("{}…{}", head.unwrap_or_default(), tail.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_stay_and_long_ones_lose_their_middle() {
        for text in ["", "a", &"x".repeat(MOST), &"é".repeat(MOST)] {
            assert_eq!(short(text), text);
        }
        let long = format!("{}é{}", "é".repeat(90), "z".repeat(100_000));
        let shown = short(&long);
        assert_eq!(shown.chars().count(), MOST);
        assert!(shown.starts_with(&"é".repeat(63)) && shown.ends_with(&format!("…{}", "z".repeat(32))), "{shown}");
        assert_eq!(short(&"x".repeat(MOST + 1)).chars().count(), MOST);
    }

    #[test]
    fn messages_command_nothing() {
        assert_eq!(message("plain".into()), "plain");
        assert_eq!(message("a\u{1b}[31m\u{202e}b\nc\u{9b}".into()), "a\\u{1b}[31m\\u{202e}b\\nc\\u{9b}");
        assert_eq!(message("x".repeat(1 << 20).into()).chars().count(), MOST_OF_MESSAGE);
    }

    #[test]
    fn what_a_reader_quotes_is_shortened() {
        let long = "`, expected ".repeat(1000);
        for (text, whole) in [
            ("unknown field `a`, expected one of `b`, `c`".to_owned(), true),
            ("trailing comma at line 1 column 2".to_owned(), true),
            (format!("unknown field `{long}`, expected one of `b`, `c`"), false),
            (format!("invalid type: string \"{long}\", expected a boolean"), false),
        ] {
            let tail = text.get(text.len() - 8..).unwrap().to_owned();
            let shown = reader_message(text.clone());
            assert_eq!(shown == text, whole, "{shown}");
            assert!(shown.len() < 200 && shown.ends_with(&tail), "{shown}");
        }
    }
}

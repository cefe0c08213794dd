//! Quotes parts of a request in messages: shortened, and without anything that a terminal or a log would interpret.

use std::borrow::Cow;

use memchr::memmem;

/// The maximum number of characters that [`short`] leaves of a text.
pub const MAX: usize = 96;
/// How many of them are taken from the end; in a path, the end is the part that distinguishes it from others.
const TAIL: usize = 32;
/// The maximum number of characters in a message. Our own messages are shorter; the limit matters where a message from
/// a library quotes the request.
const MAX_MESSAGE: usize = 1000;

/// Returns the beginning of a text, of at most `max` bytes, which cuts no character in two.
pub fn beginning(text: &str, max: usize) -> &str {
    text.split_at(text.floor_char_boundary(max)).0
}

/// Shortens a text from the request to at most [`MAX`] characters by leaving out its middle. Control characters
/// remain: a message quotes the result with `{:?}`, or passes through [`message`].
pub fn short(text: &str) -> Cow<'_, str> {
    shorten_middle(text, MAX, TAIL)
}

/// Returns a text for one line of output in which nothing is obeyed: control characters (a line end is one), line
/// separators and the controls of bidirectional text are shown as U+FFFD, except the tab, and so is one character of what
/// the log of a code host would take for a command. Such logs obey `::name::` at the start of a line (GitHub), and
/// `##[name]`, `##vso[…]` or `##teamcity[…]` anywhere (GitHub, Azure Pipelines, TeamCity). Invisible tags, which can hold a
/// text of their own, are spelled out.
///
/// But for these, the number of characters stays the same; marks below a line are aligned with what this returns for the
/// part before them.
pub fn line(text: &str) -> Cow<'_, str> {
    let is_shown = |c: char| c == '\t' || !affects_display(c);
    let start = text.trim_start();
    let colon = start.starts_with("::").then(|| text.len() - start.len() + 1);
    if colon.is_none() && memmem::find(text.as_bytes(), b"##").is_none() && text.chars().all(is_shown) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut previous = None;
    for (at, c) in text.char_indices() {
        // The letters between `##` and `[` are looked at only once: `#` is none of them.
        let is_hash = c == '#' && previous == Some('#');
        let is_command = is_hash && {
            let (_, rest) = text.split_at(at + 1);
            rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).starts_with('[')
        };
        let is_obeyed = is_command || colon == Some(at) || !is_shown(c);
        if is_tag(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(if is_obeyed { char::REPLACEMENT_CHARACTER } else { c });
        }
        previous = Some(c);
    }
    Cow::Owned(shown)
}

/// Spells out the invisible tags in a text; everything else stays.
pub fn without_tags(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains(is_tag) {
        return text;
    }
    let mut shown = String::with_capacity(text.len() * 2);
    for c in text.chars() {
        if is_tag(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Whether a character is an invisible tag or selector of the plane that Unicode has for them. A sequence of tags is a text
/// that a program reads and nobody sees.
pub const fn is_tag(character: char) -> bool {
    matches!(character, '\u{E0000}'..='\u{E0FFF}')
}

/// Limits a whole message to a thousand characters, and escapes control characters and those that change the direction
/// of text.
pub fn message(text: Cow<'static, str>) -> Cow<'static, str> {
    let text = match shorten_middle(&text, MAX_MESSAGE, MAX_MESSAGE / 2) {
        Cow::Owned(short) => Cow::Owned(short),
        Cow::Borrowed(_) => text,
    };
    if !text.contains(affects_display) {
        return text;
    }
    let escaped = text.chars().fold(String::with_capacity(text.len() + 16), |mut escaped, character| {
        if affects_display(character) {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
        escaped
    });
    Cow::Owned(escaped)
}

/// Shortens the part of a JSON reader's message (`unknown field …, expected …`) that quotes the request and is
/// therefore as long as the client likes.
pub fn reader_message(text: String) -> String {
    let quoted = text.find(['`', '"']).map(|open| open + 1);
    let close = text.rfind(", expected ").and_then(|at| at.checked_sub(1)).unwrap_or(text.len());
    let parts = quoted.and_then(|open| Some((text.get(..open)?, text.get(open..close)?, text.get(close..)?)));
    match parts {
        Some((before, quoted, after)) if quoted.len() > MAX => format!("{before}{}{after}", short(quoted)),
        _ => text,
    }
}

/// Whether a character has an effect where text is shown, or none that is seen: control characters, line separators, the
/// controls of bidirectional text, and tags.
pub fn affects_display(character: char) -> bool {
    character.is_control()
        || is_tag(character)
        || matches!(character, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Keeps at most `max` characters: `tail` from the end, one for the ellipsis, and the rest from the start.
fn shorten_middle(text: &str, max: usize, tail: usize) -> Cow<'_, str> {
    // A text of at most `max` bytes has at most `max` characters.
    if text.len() <= max || text.chars().nth(max).is_none() {
        return Cow::Borrowed(text);
    }
    let head = text.char_indices().nth(max - tail - 1).map_or("", |(at, _)| text.split_at(at).0);
    let tail = text.char_indices().nth_back(tail - 1).map_or("", |(at, _)| text.split_at(at).1);
    Cow::Owned(format!("{head}…{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_stay_and_long_ones_lose_their_middle() {
        for text in ["", "a", &"x".repeat(MAX), &"é".repeat(MAX)] {
            assert_eq!(short(text), text);
        }
        let long = format!("{}é{}", "é".repeat(90), "z".repeat(100_000));
        let shown = short(&long);
        assert_eq!(shown.chars().count(), MAX);
        assert!(shown.starts_with(&"é".repeat(63)) && shown.ends_with(&format!("…{}", "z".repeat(32))), "{shown}");
        assert_eq!(short(&"x".repeat(MAX + 1)).chars().count(), MAX);
    }

    #[test]
    fn tags_are_spelled_out() {
        assert_eq!(line("a\u{e0041}\u{e007f}b"), "a\\u{e0041}\\u{e007f}b");
        assert_eq!(message("a\u{e0041}".into()), "a\\u{e0041}");
        assert_eq!(without_tags("é\n\u{e0020}".into()), "é\n\\u{e0020}");
    }

    #[test]
    fn messages_contain_no_controls() {
        assert_eq!(message("plain".into()), "plain");
        assert_eq!(message("a\u{1b}[31m\u{202e}b\nc\u{9b}".into()), "a\\u{1b}[31m\\u{202e}b\\nc\\u{9b}");
        assert_eq!(message("x".repeat(1 << 20).into()).chars().count(), MAX_MESSAGE);
    }

    #[test]
    fn no_log_obeys_a_line() {
        for plain in
            ["", "a", "a :: b", "x::y", ":", "a\té\u{200D}", "# #[a]", "#[a]", "##", "## [a]", "##a b[", "# ::"]
        {
            assert_eq!(line(plain), plain);
        }
        for (text, shown) in [
            ("::error::x", ":\u{FFFD}error::x"),
            (" \t::add-mask::x ::y", " \t:\u{FFFD}add-mask::x ::y"),
            ("\u{2003}::a::", "\u{2003}:\u{FFFD}a::"),
            ("a ##[add-mask]b", "a #\u{FFFD}[add-mask]b"),
            ("##[##vso[###teamcity[", "#\u{FFFD}[#\u{FFFD}vso[##\u{FFFD}teamcity["),
            ("::##[", ":\u{FFFD}#\u{FFFD}["),
            ("a\n::b\r\u{b}\u{c}\u{85}\u{2028}\u{2029}\u{1b}[0m\0", "a\u{FFFD}::b\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("\n::b", "\u{FFFD}:\u{FFFD}b"),
        ] {
            let found = line(text);
            assert!(found.starts_with(shown), "{text:?}: {found:?}");
            assert_eq!(found.chars().count(), text.chars().count(), "{text:?}");
            assert!(!found.chars().any(|c| c != '\t' && affects_display(c)), "{found:?}");
            assert_eq!(line(&found), found, "{text:?}");
        }
    }

    #[test]
    fn quotes_in_parser_messages_are_shortened() {
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

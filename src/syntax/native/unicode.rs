//! The Unicode rules of the language. They are consulted only where a byte above 0x7F turns up.

use std::sync::LazyLock;

use regex::Regex;

/// Characters that may begin an identifier: ID_Start of Unicode 9.0, as the tool's own tables.
static START: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\A[\p{ID_Start}&&\p{Age:9.0}]").ok());
/// Characters that an identifier may go on with: ID_Continue of Unicode 9.0. Four older characters became so in 15.1.
static CONTINUE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\A[\p{ID_Continue}&&\p{Age:9.0}--\x{200C}\x{200D}\x{30FB}\x{FF65}]").ok());

/// The properly encoded character above 0x7F that `bytes` begin with.
fn first_char(bytes: &[u8]) -> Option<&str> {
    let len = match bytes.first()? {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    std::str::from_utf8(bytes.get(..len)?).ok()
}

/// Length in bytes of the character that may begin an identifier, at the start of `bytes`.
pub(super) fn identifier_start(bytes: &[u8]) -> Option<usize> {
    first_char(bytes).filter(|c| START.as_ref().is_some_and(|class| class.is_match(c))).map(str::len)
}

/// Length in bytes of the character that an identifier may go on with, at the start of `bytes`.
pub(super) fn identifier_continue(bytes: &[u8]) -> Option<usize> {
    first_char(bytes).filter(|c| CONTINUE.as_ref().is_some_and(|class| class.is_match(c))).map(str::len)
}

/// Length in bytes of the identifier at the start of `text`, 0 for none: a letter or `_`, then letters, digits, marks,
/// `_` and `-` (syntax.md, section 1). Texts that are not parsed, such as labels, are held against it.
pub fn identifier_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = match bytes.first() {
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => 1,
        Some(0x80..) => identifier_start(bytes).unwrap_or(0),
        _ => return 0,
    };
    while at > 0 {
        at += match bytes.get(at) {
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-') => 1,
            Some(0x80..) => match identifier_continue(bytes.get(at..).unwrap_or_default()) {
                Some(length) => length,
                None => break,
            },
            _ => break,
        };
    }
    at
}

/// Length in bytes of what counts as one character at the start of `bytes`: only the shape is looked at, so overlong
/// forms and encoded surrogates pass (syntax.md, section 1). `None`: the first byte is no character.
pub(super) fn shaped(bytes: &[u8]) -> Option<usize> {
    let len = match bytes.first()? {
        0x00..=0x7F => return Some(1),
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        _ => return None,
    };
    let rest = bytes.get(1..len)?;
    rest.iter().all(|b| (0x80..=0xBF).contains(b)).then_some(len)
}

/// Number of bytes of white space (Unicode) at the start of `bytes`.
pub(super) fn leading_space(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let len = match byte {
            b'\t'..=b'\r' | b' ' => 1,
            0x80.. => match first_char(bytes.get(at..).unwrap_or_default()) {
                Some(c) if c.chars().all(char::is_whitespace) => c.len(),
                _ => break,
            },
            _ => break,
        };
        at += len;
    }
    at
}

/// Number of bytes of `bytes` without the white space (Unicode) at their end.
pub(super) fn without_trailing_space(bytes: &[u8]) -> usize {
    let mut end = bytes.len();
    while let Some(&byte) = end.checked_sub(1).and_then(|last| bytes.get(last)) {
        let len = match byte {
            b'\t'..=b'\r' | b' ' => 1,
            0x80.. => {
                let found = (2..=3).find(|&len| {
                    end.checked_sub(len)
                        .and_then(|from| bytes.get(from..end))
                        .and_then(|tail| std::str::from_utf8(tail).ok())
                        .is_some_and(|tail| tail.chars().count() == 1 && tail.chars().all(char::is_whitespace))
                });
                match found {
                    Some(len) => len,
                    None => break,
                }
            }
            _ => break,
        };
        end -= len;
    }
    end
}

//! The Unicode rules of the language. They are consulted only for bytes above 0x7F.

use std::sync::LazyLock;

use regex_syntax::hir::HirKind;

/// Characters that may begin an identifier: ID_Start of Unicode 9.0. Characters that gained the property later are
/// excluded by their age, or by the list given here.
static START: LazyLock<Class> = LazyLock::new(|| Class::new("ID_Start", r"\u1CF2\u1CF3"));
/// Characters that may continue an identifier: ID_Continue of Unicode 9.0.
static CONTINUE: LazyLock<Class> = LazyLock::new(|| Class::new("ID_Continue", r"\u200C\u200D\u30FB\uFF65\U000111C9"));

/// The general categories that have separate ranges in the tool's tables; the last entry covers all others.
const CATEGORIES: [&str; 9] = [
    r"\p{LC}",
    r"\p{Lm}",
    r"\p{Lo}",
    r"\p{Nl}",
    r"\p{Mn}",
    r"\p{Mc}",
    r"\p{Nd}",
    r"\p{Pc}",
    r"[^\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]",
];

/// A class of characters above 0x7F as the tool's scanner has it: ranges of byte strings. All byte strings of the same
/// length between the first and the last character of a range belong to the class, even those that are not characters.
struct Class {
    /// The first and last byte string of each range, as big-endian numbers, in ascending order.
    ranges: Vec<(u32, u32)>,
}

impl Class {
    fn new(property: &str, except: &str) -> Self {
        let mut ranges = Vec::new();
        for category in CATEGORIES {
            let pattern = format!(r"[\p{{{property}}}&&\p{{Age:9.0}}&&{category}&&[^\x00-\x7F{except}]]");
            let Ok(parsed) = regex_syntax::parse(&pattern) else { continue };
            match parsed.kind() {
                HirKind::Class(regex_syntax::hir::Class::Unicode(class)) => {
                    for range in class.ranges() {
                        // A range of the tables contains encodings of only one length.
                        for (first, last) in
                            [('\u{80}', '\u{7FF}'), ('\u{800}', '\u{FFFF}'), ('\u{10000}', char::MAX)]
                        {
                            let (start, end) = (range.start().max(first), range.end().min(last));
                            if start <= end {
                                ranges.push((number_of(start), number_of(end)));
                            }
                        }
                    }
                }
                HirKind::Literal(literal) => {
                    let character = std::str::from_utf8(&literal.0).ok().and_then(|text| text.chars().next());
                    ranges.extend(character.map(|c| (number_of(c), number_of(c))));
                }
                _ => {}
            }
        }
        ranges.sort_unstable();
        Self { ranges }
    }

    /// Returns the length of the member of the class that `bytes` begins with.
    fn first(&self, bytes: &[u8]) -> Option<usize> {
        let number = match *bytes {
            [a @ 0xC2..=0xDF, b, ..] => [0, 0, a, b],
            [a @ 0xE0..=0xEF, b, c, ..] => [0, a, b, c],
            [a @ 0xF0..=0xF4, b, c, d, ..] => [a, b, c, d],
            _ => return None,
        };
        let length = match number {
            [0, 0, ..] => 2,
            [0, ..] => 3,
            _ => 4,
        };
        let number = u32::from_be_bytes(number);
        let after = self.ranges.partition_point(|(first, _)| *first <= number);
        let (_, last) = after.checked_sub(1).and_then(|at| self.ranges.get(at))?;
        (number <= *last).then_some(length)
    }
}

/// Returns the encoding of a character as a number.
fn number_of(character: char) -> u32 {
    character.encode_utf8(&mut [0; 4]).bytes().fold(0, |number, byte| number << 8 | u32::from(byte))
}

/// Returns the correctly encoded character above 0x7F that `bytes` begins with.
fn first_char(bytes: &[u8]) -> Option<&str> {
    let len = match bytes.first()? {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    std::str::from_utf8(bytes.get(..len)?).ok()
}

/// Returns the length in bytes of the character at the start of `bytes` if it may begin an identifier.
pub(super) fn identifier_start(bytes: &[u8]) -> Option<usize> {
    START.first(bytes)
}

/// Returns the length in bytes of the character at the start of `bytes` if it may continue an identifier.
pub(super) fn identifier_continue(bytes: &[u8]) -> Option<usize> {
    CONTINUE.first(bytes)
}

/// Returns the length in bytes of the identifier at the start of `text`, 0 if there is none: a letter or `_`, then
/// letters, digits, marks, `_` and `-` (syntax.md, section 1). Used for texts that are not parsed, such as labels.
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

/// Returns the length in bytes of what the tool treats as one character at the start of `bytes`. Only the shape is
/// checked, so overlong forms and encoded surrogates pass (syntax.md, section 1). Returns `None` if no character begins
/// there.
pub(super) fn character_length(bytes: &[u8]) -> Option<usize> {
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

/// Returns the number of bytes of (Unicode) white space at the start of `bytes`.
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

/// Returns the length of `bytes` without the (Unicode) white space at its end.
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

//! The patterns of `fileset` (expressions.md, section 10): each part of a path is matched on its own, so braces and
//! classes never reach beyond a slash.

use overfold_base::account::{self, ChargedText, List};

/// A pattern is malformed at a place that a name reached.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// Splits a pattern at its slashes. A slash behind a backslash stays in its part, which then matches no name.
pub(super) fn parts(pattern: &str) -> Vec<&str> {
    split(pattern.touched(), b'/')
}

/// Returns whether a part of a pattern is more than a name.
pub(super) fn is_pattern(part: &str) -> bool {
    part.contains(['*', '?', '[', '{', '\\'])
}

/// Splits at each separator that is not behind a backslash.
fn split(text: &str, separator: u8) -> Vec<&str> {
    let mut parts = List::new();
    let mut rest = text;
    while let Some((part, behind)) = split_first(rest, separator) {
        parts.push(part);
        rest = behind;
    }
    parts.push(rest);
    parts.into_vec()
}

/// Splits at the first ASCII character `wanted` that is not behind a backslash.
fn split_first(text: &str, wanted: u8) -> Option<(&str, &str)> {
    account::work(text.len() as u64 / 64 + 1);
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        let at = from + memchr::memchr(wanted, bytes.get(from..)?)?;
        // The first byte of what is left to search is never taken for one behind a backslash.
        if at == from || bytes.get(at - 1) != Some(&b'\\') {
            return Some((text.get(..at)?, text.get(at + 1..)?));
        }
        from = at + 1;
    }
}

/// Returns whether a part of a pattern matches a name without slashes.
///
/// # Errors
/// The pattern is malformed at a place that the name reached; a pattern whose faults are not reached has none.
pub(super) fn matches(part: &str, name: &str) -> Result<bool, Malformed> {
    matches_bytes(part, name.as_bytes())
}

/// Returns the first character of a text and its length in bytes. A byte that does not begin one counts as U+FFFD; a name
/// is cut there because a star is as wide as the character that it stands before.
fn first(text: &[u8]) -> (char, usize) {
    let width = match text.first() {
        Some(0..0x80) => 1,
        Some(0xC0..0xE0) => 2,
        Some(0xE0..0xF0) => 3,
        Some(0xF0..) => 4,
        _ => 0,
    };
    let whole = text.get(..width).and_then(|bytes| std::str::from_utf8(bytes).ok());
    whole.and_then(|text| text.chars().next()).map_or((char::REPLACEMENT_CHARACTER, 1), |c| (c, width))
}

/// Splits a text behind its first character.
fn split_char(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    Some((chars.next()?, chars.as_str()))
}

fn matches_bytes(pattern: &str, name: &[u8]) -> Result<bool, Malformed> {
    overfold_value::with_stack(|| step_through(pattern, name))
}

fn step_through(mut pattern: &str, mut name: &[u8]) -> Result<bool, Malformed> {
    account::work(2);
    if name.is_empty() {
        return Ok(pattern.is_empty() || pattern == "*");
    }
    while let Some((wanted, rest)) = split_char(pattern)
        && !name.is_empty()
    {
        account::work(1);
        let (found, width) = first(name);
        match wanted {
            '\\' => {
                let (literal, behind) = split_char(rest).ok_or(Malformed)?;
                if literal == char::REPLACEMENT_CHARACTER {
                    return Err(Malformed);
                }
                if literal != found {
                    return Ok(false);
                }
                pattern = behind;
            }
            '*' => {
                if rest.is_empty() {
                    return Ok(true);
                }
                // As in the tool, all steps are as wide as the first character, whatever follows it.
                while !name.is_empty() {
                    if matches_bytes(rest, name) == Ok(true) {
                        return Ok(true);
                    }
                    name = name.get(width..).unwrap_or_default();
                }
                return Ok(false);
            }
            '[' => {
                let (inside, behind) = split_first(rest, b']').ok_or(Malformed)?;
                if inside.is_empty() {
                    return Err(Malformed);
                }
                if !class(inside, found)? {
                    return Ok(false);
                }
                pattern = behind;
            }
            '{' => {
                let (inside, behind) = split_first(rest, b'}').ok_or(Malformed)?;
                for option in split(inside, b',') {
                    account::touch(option.len() + behind.len());
                    if matches_bytes(&format!("{option}{behind}"), name)? {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            '?' => pattern = rest,
            literal if literal == found => pattern = rest,
            _ => return Ok(false),
        }
        name = name.get(width..).unwrap_or_default();
    }
    Ok(name.is_empty() && matches!(pattern, "" | "*" | "**"))
}

/// Returns whether a character is in a class, the text between its brackets. Only `^` negates; a range whose ends are the
/// wrong way round holds nothing.
fn class(class: &str, wanted: char) -> Result<bool, Malformed> {
    account::touch(class.len());
    let negated = class.starts_with('^');
    let mut chars = class.chars().skip(usize::from(negated)).peekable();
    let mut found = false;
    let character = |first: char, chars: &mut dyn Iterator<Item = char>| match first {
        '-' => Err(Malformed),
        '\\' => chars.next().ok_or(Malformed),
        first => Ok(first),
    };
    while let Some(low) = chars.next() {
        let low = character(low, &mut chars)?;
        let high = match chars.next_if_eq(&'-') {
            Some(_) => {
                let high = chars.next().ok_or(Malformed)?;
                character(high, &mut chars)?
            }
            None => low,
        };
        found |= (low..=high).contains(&wanted);
    }
    Ok(found != negated)
}

#[cfg(test)]
mod tests {
    use super::{Malformed, matches, parts};

    /// Recorded with Terraform 1.11.4.
    #[test]
    fn names_are_matched_by_characters() {
        for (pattern, name, wanted) in [
            ("*.txt", "a.txt", Ok(true)),
            ("?.txt", "\u{e9}.txt", Ok(true)),
            ("[!_]*", "_a", Ok(true)),
            ("[^_]*", "_a", Ok(false)),
            ("[^]", "a", Ok(true)),
            ("[c-a]*", "b", Ok(false)),
            ("{a,b}.txt", "b.txt", Ok(true)),
            ("{a", "a", Err(Malformed)),
            ("[]a]", "a", Err(Malformed)),
            ("[a-]", "a", Err(Malformed)),
            ("\\", "a", Err(Malformed)),
            ("b[", "a", Ok(false)),
            ("*[", "a", Ok(false)),
            // A star goes on by the width of the first character.
            ("*b.txt", "\u{e9}ab.txt", Ok(false)),
        ] {
            assert_eq!(matches(pattern, name), wanted, "{pattern} {name}");
        }
        assert_eq!(parts("a/{b,c/d}/e\\/f"), ["a", "{b,c", "d}", "e\\/f"]);
    }
}

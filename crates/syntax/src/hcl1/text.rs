//! The values of tokens: decoded strings and heredocs, numbers, interpolations.

use std::borrow::Cow;

/// A number of the grammar.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// Decimal, hexadecimal (`0x1F`) or octal (`017`).
    Whole(i64),
    /// With a fraction or an exponent.
    Fraction(f64),
}

/// Returns the number written in a token; `None` if it is not a number or does not fit 64 bits.
pub fn number(text: &str) -> Option<Number> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (base, digits) = match hexadecimal {
        Some(digits) => (16, digits),
        None if digits.contains(['.', 'e', 'E']) => {
            let value: f64 = text.parse().ok()?;
            return value.is_finite().then_some(Number::Fraction(value));
        }
        None if digits.len() > 1 && digits.starts_with('0') => (8, digits),
        None => (10, digits),
    };
    let value = i128::from(u64::from_str_radix(digits, base).ok()?);
    i64::try_from(if negative { -value } else { value }).ok().map(Number::Whole)
}

/// Returns whether a text contains an interpolation, `${`. A doubled dollar is an escape.
pub fn is_interpolated(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'$', bytes.get(at..).unwrap_or_default()) {
        at += found;
        match bytes.get(at + 1) {
            Some(b'{') => return true,
            Some(b'$') => at += 2,
            _ => at += 1,
        }
    }
    false
}

/// Returns the names that the interpolations of a text refer to, in order and with their dots: `var.a`, `a_b.c.*.id`.
/// Function names are omitted.
pub fn interpolated_names(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut names = Vec::new();
    // The open levels from the outermost: `true` for an interpolation, `false` for a string.
    let mut open: Vec<bool> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied();
        if open.last() != Some(&true) {
            match (byte, next) {
                (b'$', Some(b'{')) => {
                    open.push(true);
                    at += 2;
                }
                (b'$', Some(b'$')) => at += 2,
                (b'\\', Some(_)) if !open.is_empty() => at += 2,
                (b'"', _) if !open.is_empty() => {
                    open.pop();
                    at += 1;
                }
                _ => at += 1,
            }
        } else if is_name_start(byte) {
            let end = name_end(bytes, at);
            let is_function = bytes.get(end) == Some(&b'(');
            names.extend(text.get(at..end).filter(|_| !is_function));
            at = end;
        } else {
            match byte {
                b'}' => {
                    open.pop();
                }
                b'"' => open.push(false),
                _ => {}
            }
            // A number contains no name.
            at = if byte.is_ascii_digit() { name_end(bytes, at) } else { at + 1 };
        }
    }
    names
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii()
}

/// Returns the end of the name that begins at `at`. A `*` after a dot is part of the name.
fn name_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(&byte) = bytes.get(end) {
        let part = is_name_start(byte) || byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
        let splat = byte == b'*' && bytes.get(end - 1) == Some(&b'.');
        if !part && !splat {
            break;
        }
        end += 1;
    }
    end
}

/// Decodes the text between the quotes of a string. Interpolations stay as written. Returns `None` for an invalid
/// escape.
pub(super) fn unquoted(raw: &[u8], json: bool) -> Option<Cow<'_, str>> {
    let plain = memchr::memchr2(b'\\', b'\r', raw).is_none();
    if plain && let Ok(text) = std::str::from_utf8(raw) {
        return Some(Cow::Borrowed(text));
    }
    let mut text: Vec<u8> = Vec::with_capacity(raw.len());
    let mut braces = 0_usize;
    let mut at = 0;
    let mut fine = true;
    while let Some(&byte) = raw.get(at) {
        at += 1;
        match byte {
            b'$' if braces == 0 && !json && raw.get(at) == Some(&b'{') => {
                braces = 1;
                text.extend_from_slice(b"${");
                at += 1;
                continue;
            }
            b'{' if braces > 0 => braces += 1,
            b'}' if braces > 0 => braces -= 1,
            b'\r' if raw.get(at) == Some(&b'\n') => continue,
            b'\\' if braces == 0 => {
                fine &= unescape(raw, &mut at, &mut text).is_some();
                continue;
            }
            _ => {}
        }
        text.push(byte);
    }
    fine.then(|| Cow::Owned(String::from_utf8_lossy(&text).into_owned()))
}

/// Decodes what follows a backslash.
fn unescape(raw: &[u8], at: &mut usize, text: &mut Vec<u8>) -> Option<()> {
    let &letter = raw.get(*at)?;
    *at += 1;
    let single = match letter {
        b'a' => 0x07,
        b'b' => 0x08,
        b'f' => 0x0C,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 0x0B,
        b'\\' => b'\\',
        b'"' => b'"',
        b'0'..=b'7' => {
            *at -= 1;
            u8::try_from(digits(raw, at, 8, 3)?).ok()?
        }
        b'x' => u8::try_from(digits(raw, at, 16, 2)?).ok()?,
        b'u' | b'U' => {
            let code = digits(raw, at, 16, if letter == b'u' { 4 } else { 8 })?;
            if code > 0x0010_FFFF {
                return None;
            }
            // A lone surrogate becomes the replacement character.
            let found = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
            text.extend_from_slice(found.encode_utf8(&mut [0; 4]).as_bytes());
            return Some(());
        }
        _ => return None,
    };
    text.push(single);
    Some(())
}

fn digits(raw: &[u8], at: &mut usize, base: u32, count: usize) -> Option<u32> {
    let mut value = 0_u32;
    for _ in 0..count {
        let digit = char::from(*raw.get(*at)?).to_digit(base)?;
        value = value.checked_mul(base)?.checked_add(digit)?;
        *at += 1;
    }
    Some(value)
}

/// Returns the text of a heredoc token. For a plain heredoc this is everything between the first line and the closing
/// word, including blanks before that word. For a flush one (`<<-`) the blanks before the closing word are removed from
/// every line, provided every line begins with them; if any line does not, even an empty one, only the trailing blanks
/// are removed.
pub(super) fn heredoc(raw: &[u8]) -> Cow<'_, str> {
    let flush = raw.get(2) == Some(&b'-');
    let (opening, body) = match memchr::memchr(b'\n', raw) {
        Some(first) => (raw.split_at(first).0, raw.split_at(first + 1).1),
        None => (raw, &[][..]),
    };
    let word = opening.strip_suffix(b"\r").unwrap_or(opening).len().saturating_sub(if flush { 3 } else { 2 });
    let body = body.strip_suffix(b"\n").unwrap_or(body);
    let body = body.strip_suffix(b"\r").unwrap_or(body);
    let (body, _) = body.split_at(body.len().saturating_sub(word));
    let text = String::from_utf8_lossy(body);
    let text = if text.contains("\r\n") { Cow::Owned(text.replace("\r\n", "\n")) } else { text };
    if !flush {
        return text;
    }
    let indent = text.rsplit_once('\n').map_or(&*text, |(_, last)| last).to_owned();
    if !text.split('\n').all(|line| line.starts_with(&indent)) {
        return Cow::Owned(text.trim_end_matches([' ', '\t']).to_owned());
    }
    let mut lines: Vec<&str> = text.split('\n').map(|line| line.strip_prefix(&indent).unwrap_or(line)).collect();
    if let Some(last) = lines.last_mut() {
        *last = "";
    }
    Cow::Owned(lines.join("\n"))
}

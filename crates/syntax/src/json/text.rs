//! The text of strings and numbers: decoding and validation.

/// Why a string could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BadString {
    /// The number of bytes read up to and including the wrong one, counted from the opening quote.
    pub(super) seen: u32,
}

/// The decoded text of a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DecodedText {
    /// The bytes from 1 up to, not including, this offset, as written.
    AsWritten(u32),
    /// The text was appended to the decoded texts.
    Added,
}

/// Decodes a string, given with its quotes, and appends the result to `into`. Lone surrogates and bytes that are not
/// UTF-8 become U+FFFD. Appends nothing if the text between the quotes can be used as written.
pub(super) fn decode(string: &[u8], into: &mut String) -> Result<DecodedText, BadString> {
    let end = check(string)?;
    let inner = string.get(1..end).unwrap_or_default();
    if memchr::memchr(b'\\', inner).is_none() && std::str::from_utf8(inner).is_ok() {
        return Ok(DecodedText::AsWritten(end as u32));
    }
    into.reserve(inner.len());
    let mut rest = inner;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (before, escape) = rest.split_at_checked(at).unwrap_or((rest, &[]));
        push_lossy(before, into);
        rest = push_escape(escape, into);
    }
    push_lossy(rest, into);
    Ok(DecodedText::Added)
}

/// Checks that a string is valid JSON: known escapes and no control bytes. Returns the offset of its closing quote.
fn check(string: &[u8]) -> Result<usize, BadString> {
    let mut at = 1;
    let bad = |at: usize| Err(BadString { seen: at as u32 + 1 });
    loop {
        match string.get(at) {
            None => return Err(BadString { seen: string.len() as u32 }),
            Some(b'"') => {
                // Anything follows only if a preceding character absorbed a quote into its cluster.
                let (_, rest) = string.split_at(at + 1);
                let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
                return rest.iter().position(|byte| !blank(byte)).map_or(Ok(at), |odd| bad(at + 1 + odd));
            }
            Some(0..=0x1F) => return bad(at),
            Some(b'\\') => match string.get(at + 1) {
                None => return Err(BadString { seen: string.len() as u32 }),
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at += 2,
                Some(b'u') => {
                    for digit in at + 2..at + 6 {
                        match string.get(digit) {
                            None => return Err(BadString { seen: string.len() as u32 }),
                            Some(byte) if byte.is_ascii_hexdigit() => {}
                            Some(_) => return bad(digit),
                        }
                    }
                    at += 6;
                }
                Some(_) => return bad(at + 1),
            },
            Some(_) => at += 1,
        }
    }
}

/// Decodes the escape that `text` begins with, and returns the rest of the text. The text has been checked.
fn push_escape<'t>(text: &'t [u8], into: &mut String) -> &'t [u8] {
    let after = |length: usize| text.get(length..).unwrap_or_default();
    let letter = match text.get(1) {
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => {
            let first = code_unit(text).unwrap_or_default();
            if let Some(second) = code_unit(after(6))
                && let Some(Ok(letter)) = char::decode_utf16([first, second]).next()
                && letter.len_utf16() == 2
            {
                into.push(letter);
                return after(12);
            }
            into.push(char::from_u32(u32::from(first)).unwrap_or(char::REPLACEMENT_CHARACTER));
            return after(6);
        }
        Some(&other) => char::from(other),
        None => return &[],
    };
    into.push(letter);
    after(2)
}

/// Returns the code unit of the `\uXXXX` that `text` begins with.
fn code_unit(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Appends the bytes as text; every byte that is not UTF-8 becomes one U+FFFD.
fn push_lossy(bytes: &[u8], into: &mut String) {
    for chunk in bytes.utf8_chunks() {
        into.push_str(chunk.valid());
        into.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
}

/// Returns whether a number is valid JSON and has an exponent that the tools can represent.
pub(super) fn is_number(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let rest = text.strip_prefix(b"-").unwrap_or(text);
    let whole = digits(rest);
    let (integer, mut rest) = rest.split_at_checked(whole).unwrap_or((rest, &[]));
    if integer.is_empty() || (integer.first() == Some(&b'0') && integer.len() > 1) {
        return false;
    }
    let mut fraction: &[u8] = &[];
    if let Some(after) = rest.strip_prefix(b".") {
        (fraction, rest) = after.split_at_checked(digits(after)).unwrap_or((after, &[]));
        if fraction.is_empty() {
            return false;
        }
    }
    let mut exponent: i64 = 0;
    if let Some(after) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) {
        let (negative, after) = match after.split_first() {
            Some((b'-', after)) => (true, after),
            Some((b'+', after)) => (false, after),
            _ => (false, after),
        };
        if after.is_empty() || digits(after) != after.len() {
            return false;
        }
        let magnitude = std::str::from_utf8(after).ok().and_then(|text| text.parse::<i64>().ok());
        let Some(magnitude) = magnitude else { return false };
        exponent = if negative { -magnitude } else { magnitude };
    } else if !rest.is_empty() {
        return false;
    }
    is_readable(integer, fraction, exponent)
}

/// Returns whether the tools can represent a number. They read it as a binary mantissa times a power of ten, and fail
/// if the sum of the mantissa's binary exponent and the decimal exponent does not fit 32 bits.
fn is_readable(integer: &[u8], fraction: &[u8], exponent: i64) -> bool {
    let mut digits = integer.iter().chain(fraction).skip_while(|&&digit| digit == b'0').peekable();
    if digits.peek().is_none() {
        return true;
    }
    // The number of bits in the mantissa. Up to 128 bits it is exact; each further digit counts as 3.322 bits, so only
    // a number at the very edge could be misjudged.
    let mut mantissa: u128 = 0;
    let mut beyond: i64 = 0;
    for digit in digits {
        match mantissa.checked_mul(10).and_then(|m| m.checked_add(u128::from(digit - b'0'))) {
            Some(more) if beyond == 0 => mantissa = more,
            _ => beyond += 1,
        }
    }
    let bits = i64::from(u128::BITS - mantissa.leading_zeros()) + beyond.saturating_mul(3322) / 1000;
    let decimal = exponent.saturating_sub(i64::try_from(fraction.len()).unwrap_or(i64::MAX));
    let sum = bits.saturating_add(decimal);
    (i64::from(i32::MIN)..=i64::from(i32::MAX)).contains(&sum)
}

/// Returns the length of the character at the start of `bytes`, which is not ASCII, and whether it is of the grapheme
/// class Prepend (Unicode 15.0), which absorbs the next character into its cluster. A byte that begins no character is
/// treated as a character of its own, except ED, the first byte of encoded surrogates: the tools read it together with
/// the next two bytes, whatever their values.
pub(super) fn character(bytes: &[u8]) -> (usize, bool) {
    let length = match bytes.first() {
        Some(0xC0..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xF7) => 4,
        _ => 1,
    };
    let character = bytes.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok());
    match character.and_then(|text| text.chars().next()) {
        Some(character) => (length, is_prepend(character)),
        None if bytes.first() == Some(&0xED) && bytes.len() >= 3 => (3, false),
        None => (1, false),
    }
}

fn is_prepend(character: char) -> bool {
    matches!(
        character,
        '\u{600}'..='\u{605}'
            | '\u{6DD}'
            | '\u{70F}'
            | '\u{890}'..='\u{891}'
            | '\u{8E2}'
            | '\u{D4E}'
            | '\u{110BD}'
            | '\u{110CD}'
            | '\u{111C2}'..='\u{111C3}'
            | '\u{1193F}'
            | '\u{11941}'
            | '\u{11A3A}'
            | '\u{11A84}'..='\u{11A89}'
            | '\u{11D46}'
            | '\u{11F02}'
    )
}

//! The meaning of YAML words without quotes: YAML 1.1 words, numbers, timestamps.

use overfold_value::{Number, Value};

/// The meaning of a word.
pub(super) enum Word {
    /// A value.
    Value(Value),
    /// A timestamp, in canonical form.
    Time(String),
    /// Plain text.
    Text,
}

/// Returns the meaning of `text`. Fails for a number that is out of range, or for `.nan`.
pub(super) fn resolve(text: &str) -> Result<Word, &'static str> {
    const RANGE: &str = "a number is out of range";
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Word::Value(Value::untyped_null()),
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "true" | "True" | "TRUE" => {
            Word::Value(Value::bool(true))
        }
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "false" | "False" | "FALSE" => {
            Word::Value(Value::bool(false))
        }
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => infinity(false),
        "-.inf" | "-.Inf" | "-.INF" => infinity(true),
        ".nan" | ".NaN" | ".NAN" => return Err("a value that is not a number (.nan) is not supported"),
        _ => match text.bytes().next() {
            Some(b'0'..=b'9' | b'+' | b'-' | b'.') => {
                if is_decimal(text) {
                    Word::Value(Value::number(
                        Number::parse(text.strip_prefix('+').unwrap_or(text)).map_err(|_| RANGE)?,
                    ))
                } else if let Some(digits) = text.strip_prefix("0x") {
                    whole(digits, 16)?
                } else if let Some(digits) = text.strip_prefix("0o") {
                    whole(digits, 8)?
                } else {
                    timestamp(text).map_or(Word::Text, Word::Time)
                }
            }
            _ => Word::Text,
        },
    })
}

fn infinity(negative: bool) -> Word {
    let value = if negative { f64::NEG_INFINITY } else { f64::INFINITY };
    Number::from_f64(value).map_or(Word::Text, |number| Word::Value(Value::number(number)))
}

/// Matches `[-+]? (digits [. digits*] | . digits) ([eE] [-+]? digits)?`, without underscores.
fn is_decimal(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let mantissa_fits = match mantissa.split_once('.') {
        Some((whole, part)) => digits(whole) && digits(part) && !(whole.is_empty() && part.is_empty()),
        None => digits(mantissa) && !mantissa.is_empty(),
    };
    mantissa_fits
        && exponent.is_none_or(|exponent| {
            let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
            digits(exponent) && !exponent.is_empty()
        })
}

fn whole(digits: &str, base: u32) -> Result<Word, &'static str> {
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
        return Ok(Word::Text);
    }
    let number = u64::from_str_radix(digits, base).map_err(|_| "a number does not fit into 64 bits")?;
    Number::parse(&number.to_string())
        .map(|number| Word::Value(Value::number(number)))
        .map_err(|_| "a number is out of range")
}

/// Returns a date, or a date with time, in RFC 3339 form without a fraction: `2001-2-3`, `2001-2-3 4:5:6.7`,
/// `2001-2-3T4:5:6.7Z`, `2001-2-3t4:5:6+08:00`.
fn timestamp(text: &str) -> Option<String> {
    let mut rest = text;
    let year = number(&mut rest, 4, 4)?;
    let month = part(&mut rest, "-")?;
    let day = part(&mut rest, "-")?;
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=days).contains(&day) {
        return None;
    }
    let date = format!("{year:04}-{month:02}-{day:02}");
    if rest.is_empty() {
        return Some(format!("{date}T00:00:00Z"));
    }
    let zoned = match rest.strip_prefix(['T', 't']) {
        Some(after) => {
            rest = after;
            true
        }
        None => {
            rest = rest.strip_prefix(' ')?.trim_start_matches(' ');
            false
        }
    };
    let hour = number(&mut rest, 1, 2)?;
    let minute = part(&mut rest, ":")?;
    let second = part(&mut rest, ":")?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    if let Some(fraction) = rest.strip_prefix(['.', ',']) {
        let after = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        if after.len() == fraction.len() {
            return None;
        }
        rest = after;
    }
    let zone = if zoned { zone(rest)? } else { rest.is_empty().then(|| "Z".to_owned())? };
    Some(format!("{date}T{hour:02}:{minute:02}:{second:02}{zone}"))
}

/// Returns a zone, `Z` or `±hh:mm`, in canonical form.
fn zone(text: &str) -> Option<String> {
    if text == "Z" {
        return Some(text.to_owned());
    }
    let sign = if text.starts_with('-') { '-' } else { '+' };
    let mut rest = text.strip_prefix(['+', '-'])?;
    let hours = number(&mut rest, 2, 2)?;
    rest = rest.strip_prefix(':')?;
    let minutes = number(&mut rest, 2, 2)?;
    if hours > 24 || minutes > 60 || !rest.is_empty() {
        return None;
    }
    let minutes = hours * 60 + minutes;
    Some(if minutes == 0 { "Z".to_owned() } else { format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60) })
}

fn part(rest: &mut &str, before: &str) -> Option<u32> {
    *rest = rest.strip_prefix(before)?;
    number(rest, 1, 2)
}

/// Parses a number with between `least` and `most` digits that is not followed by a digit.
fn number(rest: &mut &str, least: usize, most: usize) -> Option<u32> {
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let count = rest.len() - after.len();
    let (digits, after) = rest.split_at_checked(count)?;
    if !(least..=most).contains(&count) {
        return None;
    }
    *rest = after;
    digits.parse().ok()
}

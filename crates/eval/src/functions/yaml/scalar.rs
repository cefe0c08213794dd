//! The meaning of YAML scalars: words, numbers, timestamps, tags (expressions.md, section 8.2).

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::YamlRules;
use overfold_value::{Number, Value, normalized};

/// What the tags of YAML itself begin with.
pub(super) const TAGS: &str = "tag:yaml.org,2002:";

/// A tag that a scalar may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tag {
    Text,
    Binary,
    Bool,
    /// `!!int` and `!!float`, which accept the same.
    Number,
    Null,
    Timestamp,
}

impl Tag {
    /// Returns the tag of this name; `None` if no scalar may have it.
    pub(super) fn named(tag: &str) -> Option<Self> {
        Some(match tag.strip_prefix(TAGS)? {
            "str" => Self::Text,
            "binary" => Self::Binary,
            "bool" => Self::Bool,
            "int" | "float" => Self::Number,
            "null" => Self::Null,
            "timestamp" => Self::Timestamp,
            _ => return None,
        })
    }
}

/// The tool ignores what is left over of the bits of the last character.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

const NO_NUMBER: &str = "a number is out of range, or a value tagged as a number is none";

/// Returns the value of a scalar. Its first character decides whether it may be a word, a number or a timestamp; if so,
/// quotes make it text whatever its tag, and a word means the same with every tag but `!!str` and `!!binary`.
pub(super) fn resolve(
    text: &str,
    is_quoted: bool,
    tag: Option<Tag>,
    rules: YamlRules,
) -> Result<Value, &'static str> {
    let as_text = || Value::text(normalized(text));
    let is_text = matches!(tag, Some(Tag::Text | Tag::Binary));
    let first = text.bytes().next();
    let may_mean_more = first.is_none_or(|first| {
        matches!(first, b'0'..=b'9' | b'+' | b'-' | b'.' | b'~' | b'y' | b'Y' | b'n' | b'N')
            || matches!(first, b't' | b'T' | b'f' | b'F' | b'o' | b'O')
    });
    if may_mean_more && !is_text {
        if is_quoted {
            return Ok(as_text());
        }
        if let Some(value) = word(text) {
            return Ok(value);
        }
        if tag.is_none() && matches!(text, ".nan" | ".NaN" | ".NAN") {
            return Err("a value that is not a number (.nan) is not supported");
        }
        match first {
            Some(b'.') => {
                if let Ok(number) = Number::parse(text) {
                    return Ok(Value::number(number));
                }
            }
            Some(b'0'..=b'9' | b'+' | b'-') => {
                if matches!(tag, None | Some(Tag::Timestamp))
                    && let Some(time) = timestamp(text)
                {
                    return Ok(Value::text(time));
                }
                if is_whole(text, rules.loose_integers) || is_decimal(text) {
                    return number_of(text).ok_or(NO_NUMBER);
                }
            }
            _ => {}
        }
    }
    match tag {
        None | Some(Tag::Text) => Ok(as_text()),
        Some(Tag::Binary) => {
            let plain: String = text.chars().filter(|c| !matches!(c, '\n' | '\r')).collect();
            BASE64.decode(plain).map(|_| as_text()).map_err(|_| "a value tagged !!binary is not valid Base64")
        }
        Some(Tag::Number) => number_of(text).ok_or(NO_NUMBER),
        Some(Tag::Null) => Ok(Value::untyped_null()),
        Some(Tag::Timestamp) => timestamp(text).map(Value::text).ok_or("a value tagged !!timestamp is none"),
        Some(Tag::Bool) => Err("a value tagged !!bool is none"),
    }
}

/// Returns the meaning of a word.
fn word(text: &str) -> Option<Value> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Some(Value::untyped_null()),
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "true" | "True" | "TRUE" => Some(Value::bool(true)),
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "false" | "False" | "FALSE" => {
            Some(Value::bool(false))
        }
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => infinity(false),
        "-.inf" | "-.Inf" | "-.INF" => infinity(true),
        _ => None,
    }
}

fn infinity(is_negative: bool) -> Option<Value> {
    Number::from_f64(if is_negative { f64::NEG_INFINITY } else { f64::INFINITY }).map(Value::number)
}

/// Matches `[-+]? digits`, `0o` and octal digits, `0x` and hexadecimal digits. If `is_loose`, digits may be underscores,
/// every form may have a sign, and a sign alone matches, too.
fn is_whole(text: &str, is_loose: bool) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (digits, radix) = match unsigned.split_at_checked(2) {
        Some(("0o", digits)) if is_loose || unsigned.len() == text.len() => (digits, 8),
        Some(("0x", digits)) if is_loose || unsigned.len() == text.len() => (digits, 16),
        _ if unsigned.is_empty() => return is_loose,
        _ => (unsigned, 10),
    };
    !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix) || (is_loose && c == '_'))
}

/// Reads a number without regard to underscores: a decimal one with or without fraction and exponent, infinity, or a
/// whole one with a prefix (`0b`, `0o`, `0x`) that fits into 64 bits.
fn number_of(text: &str) -> Option<Value> {
    let plain = text.replace('_', "");
    let unsigned = plain.strip_prefix(['-', '+']).unwrap_or(&plain);
    if matches!(unsigned, "inf" | "Inf") {
        return infinity(plain.starts_with('-'));
    }
    if let Ok(number) =
        Number::parse(plain.strip_prefix('+').filter(|_| !unsigned.starts_with('-')).unwrap_or(&plain))
    {
        return Some(Value::number(number));
    }
    let (prefix, digits) = unsigned.split_at_checked(2)?;
    let radix = match prefix {
        "0b" | "0B" => 2,
        "0o" | "0O" => 8,
        "0x" | "0X" => 16,
        _ => return None,
    };
    if !digits.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let magnitude = u64::from_str_radix(digits, radix).ok()?;
    let number = match plain.as_bytes().first() {
        Some(b'-') => Number::from_i64(0_i64.checked_sub_unsigned(magnitude)?),
        Some(b'+') => Number::from_i64(i64::try_from(magnitude).ok()?),
        _ => Number::from_usize(usize::try_from(magnitude).ok()?),
    };
    Some(Value::number(number))
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

/// Parses a number with between `min` and `max` digits that is not followed by a digit.
fn number(rest: &mut &str, min: usize, max: usize) -> Option<u32> {
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let count = rest.len() - after.len();
    let (digits, after) = rest.split_at_checked(count)?;
    if !(min..=max).contains(&count) {
        return None;
    }
    *rest = after;
    digits.parse().ok()
}

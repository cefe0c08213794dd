//! Parses decimal text with the tool's roundings: the power of five is itself rounded (to 64 bits more than the
//! result), which makes very long and very large numbers cheap.

use dashu_base::BitTest;
use dashu_int::UBig;

use super::{LITERAL_PRECISION, Magnitude, Number, Repr, digits_cost};
use overfold_base::account;

/// The reason why a text is not a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NumberError {
    /// The text does not have the form of a number.
    #[error("the string is not a decimal number")]
    Form,
    /// The exponent is beyond about two billion.
    #[error("the number's exponent is out of range")]
    Exponent,
    /// The text spells infinity, which cannot be written as a value.
    #[error("the number must be finite")]
    Infinite,
}

/// The number of digits above which a mantissa is read in two parts, because exact conversion from decimal is not
/// linear.
const EXACT_DIGITS: usize = 20_000;
/// The number of digits of a longer mantissa that are read exactly.
const LEADING_DIGITS: usize = 4_000;
/// The precision at which the rest of a long mantissa is included.
const LONG_PRECISION: u32 = 12_000;

pub(super) fn parse(text: &str) -> Result<Number, NumberError> {
    if let Some(number) = small(text) {
        return Ok(number);
    }
    account::touch(text.len() * 2);
    let (negative, rest) = split_sign(text);
    if matches!(rest, "inf" | "Inf") {
        return Err(NumberError::Infinite);
    }
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
    let (mantissa, exponent) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() || fraction.contains('.') {
        return Err(NumberError::Form);
    }
    let (base, power) = read_exponent(exponent)?;
    let mut digits = String::with_capacity(whole.len() + fraction.len());
    digits.push_str(whole);
    digits.push_str(fraction);
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Ok(Number::zero(negative, LITERAL_PRECISION));
    }
    let (mantissa, shift, sticky) = read_digits(digits)?;

    let point = -i64::try_from(fraction.len()).map_err(|_| NumberError::Exponent)?;
    let mut five = point;
    if base == Base::Ten {
        five = five.checked_add(power).ok_or(NumberError::Exponent)?;
    }
    let two = point.checked_add(power).ok_or(NumberError::Exponent)?;
    let top = i64::try_from(mantissa.bit_len()).map_err(|_| NumberError::Exponent)? + shift;
    let total = two.checked_add(top).ok_or(NumberError::Exponent)?;
    if total > i64::from(i32::MAX) || total < i64::from(i32::MIN) {
        return Err(NumberError::Exponent);
    }
    let factor = power_of_five(five.unsigned_abs(), LITERAL_PRECISION + 64);
    Ok(apply(negative, mantissa, two + shift, sticky, &factor, five))
}

/// Whether a number is negative, and what follows its sign.
fn split_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Parses plain whole numbers of few digits.
fn small(text: &str) -> Option<Number> {
    let bytes = text.as_bytes();
    if bytes.is_empty() || bytes.len() > 18 || !bytes.iter().all(u8::is_ascii_digit) {
        return None;
    }
    text.parse().ok().map(|value| Number(Repr::Small { value, precision: LITERAL_PRECISION }))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    Two,
    Ten,
}

fn read_exponent(text: &str) -> Result<(Base, i64), NumberError> {
    if text.is_empty() {
        return Ok((Base::Ten, 0));
    }
    let (base, rest) = match (text.strip_prefix(['e', 'E']), text.strip_prefix(['p', 'P'])) {
        (Some(rest), _) => (Base::Ten, rest),
        (None, Some(rest)) => (Base::Two, rest),
        (None, None) => return Err(NumberError::Form),
    };
    let (negative, digits) = split_sign(rest);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NumberError::Form);
    }
    let power: i64 = digits.parse().map_err(|_| NumberError::Exponent)?;
    Ok((base, if negative { -power } else { power }))
}

/// Reads the digits as `mantissa * 2^shift`; `sticky` (the last value) means that the exact number is slightly larger.
fn read_digits(digits: &str) -> Result<(UBig, i64, bool), NumberError> {
    account::work(digits_cost(digits.len().min(EXACT_DIGITS)));
    let read = |text: &str| UBig::from_str_radix(text, 10).map_err(|_| NumberError::Form);
    if digits.len() <= EXACT_DIGITS {
        return Ok((read(digits)?, 0, false));
    }
    let (head, tail) = digits.split_at_checked(LEADING_DIGITS).ok_or(NumberError::Form)?;
    let more = tail.bytes().any(|b| b != b'0');
    let head = Number::round(false, read(head)?, 0, LONG_PRECISION * 2, false);
    let factor = power_of_five(tail.len() as u64, LONG_PRECISION);
    let product = head.multiply_at(&factor, LONG_PRECISION).map_err(|_| NumberError::Form)?;
    match product.magnitude() {
        Magnitude::Finite { mantissa, exponent } => {
            let shift = exponent + i64::try_from(tail.len()).map_err(|_| NumberError::Exponent)?;
            if !more {
                return Ok((mantissa, shift, false));
            }
            // Extra bits below the last one, so that a sticky mantissa is long enough to be rounded.
            let room = (LONG_PRECISION as usize).saturating_sub(mantissa.bit_len());
            Ok((mantissa << room, shift - i64::try_from(room).unwrap_or(0), true))
        }
        _ => Err(NumberError::Exponent),
    }
}

fn apply(negative: bool, mantissa: UBig, exponent: i64, sticky: bool, factor: &Number, five: i64) -> Number {
    // One more set bit far below represents what is not in the mantissa.
    let mantissa = if sticky { (mantissa << 1usize) + UBig::ONE } else { mantissa };
    let exponent = if sticky { exponent - 1 } else { exponent };
    if five == 0 {
        return Number::round(negative, mantissa, exponent, LITERAL_PRECISION, false);
    }
    let bits = u32::try_from(mantissa.bit_len()).unwrap_or(u32::MAX);
    let exact = Number::round(negative, mantissa, exponent, bits, false);
    let result = if five < 0 {
        exact.divide_at(factor, LITERAL_PRECISION)
    } else {
        exact.multiply_at(factor, LITERAL_PRECISION)
    };
    result.unwrap_or_else(|_| Number::zero(negative, LITERAL_PRECISION))
}

/// Returns `5^power` at `precision`, computed by squaring; each step is rounded.
pub(super) fn power_of_five(mut power: u64, precision: u32) -> Number {
    const TABLE: u64 = 27;
    account::work(
        1 + super::product_cost(precision as usize, precision as usize)
            * u64::from(u64::BITS - power.leading_zeros()),
    );
    let of = |n: u64, precision| Number::round(false, UBig::from(5u8).pow(n as usize), 0, precision, false);
    if power <= TABLE {
        return of(power, precision);
    }
    let mut result = of(TABLE, precision);
    power -= TABLE;
    let inner = precision + 64;
    let mut factor = of(1, inner);
    while power > 0 {
        if power & 1 == 1 {
            result = result.multiply_at(&factor, precision).unwrap_or(result);
        }
        factor = factor.multiply_at(&factor, inner).unwrap_or_else(|_| factor.clone());
        power >>= 1;
    }
    result
}

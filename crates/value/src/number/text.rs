//! Numbers to decimal text: the shortest text that reads back, and the verbs of `format`.

use std::fmt::Write as _;

use dashu_base::BitTest;
use dashu_int::UBig;

use super::parse::power_of_five;
use super::{LITERAL_PRECISION, Magnitude, Number, Repr};
use super::{digits_cost, product_cost};
use overfold_base::account;

/// The error for a number whose plain decimal text would be longer than [`Number::TEXT_LIMIT`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the number is too long to be written in decimal")]
pub struct TextTooLong;

/// The layout of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    /// `-123.456`, never an exponent.
    Fixed,
    /// `-1.23456e+02`.
    Exponent,
    /// One or the other depending on the exponent, as in Go's `%g`.
    General,
}

/// The binary exponent up to which all digits are computed exactly when only leading digits are needed; beyond it, only
/// the leading digits are computed.
const FEW_DIGITS: usize = 1 << 13;
/// The same limit when all digits are needed.
const ALL_DIGITS: usize = 1 << 16;
/// The number of bits, in addition to the mantissa's, used to compute leading digits.
const LEADING_BITS: usize = 1_024;

/// Converts a length into a distance.
fn distance(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// Converts a distance into a length; a negative one becomes 0.
fn length(distance: i64) -> usize {
    usize::try_from(distance).unwrap_or(0)
}

/// Decimal digits without leading or trailing zeros, and the position of the decimal point: `0.d1d2d3… * 10^point`.
struct Decimal {
    digits: Vec<u8>,
    point: i64,
}

impl Number {
    /// The maximum length in bytes of a plain decimal text; longer ones are refused.
    pub const TEXT_LIMIT: usize = 2_000_000;

    /// Returns the shortest plain decimal text that reads back as this number at its precision: never an exponent, `-0`
    /// keeps its sign (expressions.md, section 2). Infinities are `+Inf` and `-Inf`.
    ///
    /// # Errors
    /// Fails if the text would exceed [`Self::TEXT_LIMIT`].
    pub fn to_text(&self) -> Result<String, TextTooLong> {
        // If the last digits are beyond the precision, not all of them are needed to read the number back.
        if let Repr::Small { value, precision } = &self.0
            && u64::BITS - value.unsigned_abs().leading_zeros() <= *precision
        {
            return Ok(value.to_string());
        }
        match self.short_text() {
            Some(text) => Ok(text),
            None => self.format(Verb::Fixed, None),
        }
    }

    /// Returns the text of a number that has an exact representation with few decimal digits, such as a literal `12.5`
    /// or `0.1`. At this precision no other text of so few digits reads back as the same number, so it is the shortest.
    fn short_text(&self) -> Option<String> {
        let Magnitude::Finite { mantissa, exponent } = self.magnitude() else { return None };
        if self.precision() < LITERAL_PRECISION {
            return None;
        }
        account::work(8);
        let shift = usize::try_from(-exponent).ok().filter(|shift| (1..=27).contains(shift));
        if let (Some(shift), Ok(mantissa)) = (shift, u64::try_from(&mantissa)) {
            // mantissa / 2^n = mantissa * 5^n / 10^n, in at most 39 digits.
            let digits = (u128::from(mantissa) * 5_u128.pow(shift as u32)).to_string();
            let sign = if self.is_negative() { "-" } else { "" };
            let digits = format!("{digits:0>width$}", width = shift + 1);
            let (whole, fraction) = digits.split_at(digits.len() - shift);
            return Some(format!("{sign}{whole}.{fraction}"));
        }
        let near = self.to_f64();
        if !(1e-6..1e15).contains(&near.abs()) {
            return None;
        }
        let text = near.to_string();
        (Self::parse(&text).is_ok_and(|read| read == *self)).then_some(text)
    }

    /// Returns the number in one of the layouts of Go's `big.Float`: with `precision` digits after the point (`Fixed`,
    /// `Exponent`) or in total (`General`); without `precision`, the shortest text that reads back. Ties go to even.
    ///
    /// # Errors
    /// Fails if the text would exceed [`Self::TEXT_LIMIT`].
    pub fn format(&self, verb: Verb, precision: Option<usize>) -> Result<String, TextTooLong> {
        let mut out = String::new();
        if self.is_infinite() {
            out.push_str(if self.is_negative() { "-Inf" } else { "+Inf" });
            return Ok(out);
        }
        if precision.is_some_and(|places| places > Self::TEXT_LIMIT) {
            return Err(TextTooLong);
        }
        if self.is_negative() {
            out.push('-');
        }
        let shortest = precision.is_none();
        let mut places = precision.unwrap_or(0);
        let mut decimal;
        if shortest {
            decimal = self.shortest();
            places = match verb {
                Verb::Exponent => decimal.digits.len().saturating_sub(1),
                Verb::Fixed => length(distance(decimal.digits.len()) - decimal.point),
                Verb::General => decimal.digits.len(),
            };
        } else {
            decimal = self.exact(if verb == Verb::Fixed || places > 200 { ALL_DIGITS } else { FEW_DIGITS });
            match verb {
                Verb::Exponent => decimal.round(distance(places) + 1),
                Verb::Fixed => {
                    let keep = decimal.point + distance(places);
                    decimal.round(keep);
                }
                Verb::General => {
                    places = places.max(1);
                    decimal.round(distance(places));
                }
            }
        }
        match verb {
            Verb::Exponent => decimal.write_exponent(places, &mut out),
            Verb::Fixed => decimal.write_fixed(places, &mut out)?,
            Verb::General => {
                let count = decimal.digits.len();
                let mut switch = places;
                if switch > count && distance(count) >= decimal.point {
                    switch = count;
                }
                if shortest {
                    switch = 6;
                }
                let exponent = decimal.point - 1;
                if !decimal.digits.is_empty() && (exponent < -4 || exponent >= distance(switch)) {
                    decimal.write_exponent(places.min(count).saturating_sub(1), &mut out);
                } else {
                    if distance(places) > decimal.point {
                        places = count;
                    }
                    let after = length(distance(places) - decimal.point);
                    decimal.write_fixed(after, &mut out)?;
                }
            }
        }
        Ok(out)
    }

    /// Returns the approximate length in bytes of the plain decimal text, if it is not refused.
    pub(crate) fn text_length(&self) -> u64 {
        match &self.0 {
            Repr::Big(big) => match &big.magnitude {
                Magnitude::Finite { mantissa, exponent } => {
                    let top = exponent + distance(mantissa.bit_len());
                    // 2^10 is about 10^3.
                    (exponent.unsigned_abs().max(top.unsigned_abs()) / 3).min(Self::TEXT_LIMIT as u64)
                }
                _ => 1,
            },
            Repr::Small { .. } => 1,
        }
    }

    /// Returns what two numbers with the same text have in common: the decimal point and the digits.
    pub(super) fn text_key(&self) -> (i64, Vec<u8>) {
        let decimal = self.shortest();
        (decimal.point, decimal.digits)
    }

    /// Returns the digits: all of them if the exponent is within `exact_bits`, otherwise the leading ones.
    fn exact(&self, exact_bits: usize) -> Decimal {
        match self.magnitude() {
            Magnitude::Finite { mantissa, exponent } => Decimal::new(mantissa, exponent, exact_bits),
            _ => Decimal { digits: Vec::new(), point: 0 },
        }
    }

    /// Returns the fewest digits that read back as this number at its precision.
    fn shortest(&self) -> Decimal {
        let Magnitude::Finite { mantissa, exponent } = self.magnitude() else { return self.exact(0) };
        let bits = mantissa.bit_len();
        let precision = self.precision() as usize;
        // A whole number whose digits all fit its precision has no shorter text.
        if exponent >= 0 && bits.saturating_add(length(exponent)) <= precision {
            return Decimal::from_integer(&(mantissa << length(exponent)), 0);
        }
        let mut decimal = Decimal::new(mantissa.clone(), exponent, FEW_DIGITS);
        // The mantissa with exactly one bit more than the precision: its last bit is half a step.
        let wanted = precision + 1;
        let (scaled, exponent) = if bits <= wanted {
            (mantissa << (wanted - bits), exponent - distance(wanted - bits))
        } else {
            (mantissa >> (bits - wanted), exponent + distance(bits - wanted))
        };
        // If ties round to this number, a text exactly half a step away still reads back as this number.
        let inclusive = !scaled.bit(1);
        let lower = Decimal::new(scaled.clone() - UBig::ONE, exponent, FEW_DIGITS);
        let upper = Decimal::new(scaled + UBig::ONE, exponent, FEW_DIGITS);
        decimal.shorten(&lower, &upper, inclusive);
        decimal
    }
}

impl Decimal {
    fn new(mantissa: UBig, exponent: i64, exact_bits: usize) -> Self {
        let size = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX);
        if size > exact_bits {
            Self::leading(mantissa, exponent)
        } else if exponent >= 0 {
            Self::from_integer(&(mantissa << size), 0)
        } else {
            // mantissa / 2^n = mantissa * 5^n / 10^n
            account::work(product_cost(size * 3, size * 3));
            Self::from_integer(&(mantissa * UBig::from(5u8).pow(size)), -distance(size))
        }
    }

    fn from_integer(value: &UBig, shift: i64) -> Self {
        account::work(digits_cost(value.bit_len() * 3 / 10));
        let mut digits = value.to_string().into_bytes();
        let point = distance(digits.len()) + shift;
        digits.truncate(digits.iter().rposition(|&d| d != b'0').map_or(0, |last| last + 1));
        Self { digits, point }
    }

    /// Returns the leading digits of a number with a large exponent: far more than its mantissa can distinguish.
    fn leading(mantissa: UBig, exponent: i64) -> Self {
        // x = m * 2^e is divided by 10^scale, so that a whole number of about the wanted bit length is left.
        let bits = mantissa.bit_len() + LEADING_BITS;
        let precision = u32::try_from(bits).unwrap_or(u32::MAX).saturating_add(64);
        let top = exponent + distance(mantissa.bit_len());
        let scale = (top - distance(bits)) * 30_103 / 100_000;
        let value = Number::round(false, mantissa, exponent, precision, false);
        let factor = power_of_five(scale.unsigned_abs(), precision);
        let scaled =
            if scale < 0 { value.multiply_at(&factor, precision) } else { value.divide_at(&factor, precision) };
        match scaled.map(|scaled| scaled.magnitude()) {
            Ok(Magnitude::Finite { mantissa, exponent }) => {
                let exponent = exponent - scale;
                let whole = if exponent >= 0 { mantissa << length(exponent) } else { mantissa >> length(-exponent) };
                Self::from_integer(&whole, scale)
            }
            // Cannot happen: a factor of that size stays finite.
            _ => Self { digits: Vec::new(), point: 0 },
        }
    }

    fn at(&self, index: usize) -> u8 {
        self.digits.get(index).copied().unwrap_or(b'0')
    }

    /// Drops digits as long as the rest remains between `lower` and `upper`.
    fn shorten(&mut self, lower: &Self, upper: &Self, inclusive: bool) {
        for index in 0..self.digits.len() {
            let (m, l, u) = (self.at(index), lower.at(index), upper.at(index));
            let down = l != m || inclusive && index + 1 == lower.digits.len();
            let up = m != u && (inclusive || m + 1 < u || index + 1 < upper.digits.len());
            let keep = index + 1;
            match (down, up) {
                (true, true) => return self.round(distance(keep)),
                (true, false) => return self.cut(keep),
                (false, true) => return self.raise(keep),
                (false, false) => {}
            }
        }
    }

    /// Rounds to `keep` digits, ties to even.
    fn round(&mut self, keep: i64) {
        let Ok(keep) = usize::try_from(keep) else {
            self.digits.clear();
            self.point = 0;
            return;
        };
        if keep >= self.digits.len() {
            return;
        }
        let next = self.at(keep);
        let tie = next == b'5' && keep + 1 == self.digits.len();
        let up = if tie { keep > 0 && self.at(keep - 1) & 1 == 1 } else { next >= b'5' };
        if up { self.raise(keep) } else { self.cut(keep) }
    }

    fn cut(&mut self, keep: usize) {
        self.digits.truncate(keep);
        while self.digits.last() == Some(&b'0') {
            self.digits.pop();
        }
        if self.digits.is_empty() {
            self.point = 0;
        }
    }

    fn raise(&mut self, keep: usize) {
        if keep >= self.digits.len() {
            return;
        }
        self.digits.truncate(keep);
        while self.digits.last() == Some(&b'9') {
            self.digits.pop();
        }
        if let Some(last) = self.digits.last_mut() {
            *last += 1;
        } else {
            self.digits.push(b'1');
            self.point += 1;
        }
    }

    fn write_fixed(&self, places: usize, out: &mut String) -> Result<(), TextTooLong> {
        if places > Number::TEXT_LIMIT || self.point > distance(Number::TEXT_LIMIT) {
            return Err(TextTooLong);
        }
        let written = places + length(self.point);
        account::touch(written * 8);
        account::grow(written as u64);
        out.reserve(written + 2);
        if self.point > 0 {
            out.extend((0..length(self.point)).map(|index| char::from(self.at(index))));
        } else {
            out.push('0');
        }
        if places > 0 {
            out.push('.');
            for place in 0..distance(places) {
                let index = usize::try_from(self.point + place).ok();
                out.push(index.map_or('0', |index| char::from(self.at(index))));
            }
        }
        Ok(())
    }

    fn write_exponent(&self, places: usize, out: &mut String) {
        account::touch(places * 8);
        account::grow(places as u64);
        out.push(char::from(self.at(0)));
        if places > 0 {
            out.push('.');
            out.extend((1..=places).map(|index| char::from(self.at(index))));
        }
        let exponent = if self.digits.is_empty() { 0 } else { self.point - 1 };
        let sign = if exponent < 0 { '-' } else { '+' };
        // Writing to a String cannot fail.
        let _ = write!(out, "e{sign}{:02}", exponent.unsigned_abs());
    }
}

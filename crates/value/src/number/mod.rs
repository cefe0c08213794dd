//! Numbers as the tool computes with them: binary floating point with a precision per value (expressions.md, section
//! 2).

mod arithmetic;
mod parse;
mod text;

use std::cmp::Ordering;
use std::sync::Arc;

use dashu_base::BitTest;
use dashu_int::{IBig, Sign, UBig};

use overfold_base::account;
pub use parse::NumberError;
pub use text::{TextTooLong, Verb};

/// The precision of number literals, of numbers parsed from text and of JSON numbers, in bits.
pub const LITERAL_PRECISION: u32 = 512;
/// The precision of counts and other machine integers, in bits.
pub const COUNT_PRECISION: u32 = 64;
/// The precision of results that pass through a double, in bits.
pub const DOUBLE_PRECISION: u32 = 53;

/// A number: a binary float with its own precision, a signed zero or an infinity.
///
/// Rust's `==` and ordering compare the exact values, regardless of precision; `-0` equals `0`. The language's `<` does
/// the same, but its `==` does not: see [`Number::equals`].
#[derive(Clone, Debug)]
pub struct Number(Repr);

#[derive(Clone, Debug)]
enum Repr {
    /// A whole number that fits an `i64`, except `-0`; it never has more bits than `precision`.
    Small { value: i64, precision: u32 },
    /// Everything else.
    Big(Arc<Big>),
}

#[derive(Clone, Debug)]
struct Big {
    negative: bool,
    magnitude: Magnitude,
    precision: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Magnitude {
    Zero,
    /// `mantissa * 2^exponent`, with an odd mantissa.
    Finite {
        mantissa: UBig,
        exponent: i64,
    },
    Infinite,
}

/// The error for an operation without a result: infinity minus infinity, zero divided by zero and so on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the operation has no result for these numbers")]
pub struct NoResult;

/// Returns the work units that multiplying two numbers of these bit lengths costs: some tens of nanoseconds, growing
/// faster than linearly with their length.
fn product_cost(a: usize, b: usize) -> u64 {
    let (long, short) = (a.max(b) as u64 / 64 + 1, a.min(b) as u64 / 64 + 1);
    2 + long * short.isqrt() / 8
}

/// Charges for writing a whole number of this bit length in decimal.
pub fn charge_decimal(bits: usize) {
    account::build(digits_cost(bits / 10 * 3 + 1), bits as u64);
}

/// Returns the work units that converting this many decimal digits to bits, or back, costs.
fn digits_cost(digits: usize) -> u64 {
    let digits = digits as u64;
    4 + digits * digits.isqrt() / 64
}

impl Number {
    /// Creates a number from a machine integer, with the precision of counts.
    pub const fn from_i64(value: i64) -> Self {
        Self(Repr::Small { value, precision: COUNT_PRECISION })
    }

    /// Creates a number from a count.
    pub fn from_usize(value: usize) -> Self {
        i64::try_from(value).map_or_else(|_| Self::from_integer(&IBig::from(value)), Self::from_i64)
    }

    /// Creates a whole number of any size, represented exactly: the precision is its bit length, but at least 64.
    pub fn from_integer(value: &IBig) -> Self {
        let (sign, mantissa) = value.clone().into_parts();
        let precision = u32::try_from(mantissa.bit_len()).unwrap_or(u32::MAX).max(COUNT_PRECISION);
        Self::round(sign == Sign::Negative, mantissa, 0, precision, false)
    }

    /// Creates a number from a double, represented exactly with 53 bits. Returns `None` for NaN.
    pub fn from_f64(value: f64) -> Option<Self> {
        if value.is_nan() {
            return None;
        }
        let negative = value.is_sign_negative();
        if value.is_infinite() {
            return Some(Self::infinity(negative, DOUBLE_PRECISION));
        }
        let bits = value.to_bits();
        let field = (bits >> 52) & 0x7ff;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) =
            if field == 0 { (fraction, -1074) } else { (fraction | (1 << 52), field.cast_signed() - 1075) };
        Some(Self::round(negative, UBig::from(mantissa), exponent, DOUBLE_PRECISION, false))
    }

    /// Parses a decimal text at [`LITERAL_PRECISION`]: optional sign, digits with an optional dot on either side, an
    /// optional decimal exponent after `e` or binary exponent after `p` (variables.md, section A5). Very large numbers
    /// become infinite and very small ones zero, as in the tool.
    ///
    /// # Errors
    /// Fails if the text has any other form (including `inf`, which the tool can read but not write), or if the
    /// exponent is beyond the tool's limits.
    pub fn parse(text: &str) -> Result<Self, NumberError> {
        parse::parse(text)
    }

    fn infinity(negative: bool, precision: u32) -> Self {
        Self(Repr::Big(Arc::new(Big { negative, magnitude: Magnitude::Infinite, precision })))
    }

    fn zero(negative: bool, precision: u32) -> Self {
        if negative {
            Self(Repr::Big(Arc::new(Big { negative, magnitude: Magnitude::Zero, precision })))
        } else {
            Self(Repr::Small { value: 0, precision })
        }
    }

    /// Rounds `mantissa * 2^exponent` to nearest, ties to even; `sticky` means that there is more below the mantissa's
    /// last bit. A sticky mantissa must have at least `precision + 2` bits.
    fn round(negative: bool, mut mantissa: UBig, mut exponent: i64, precision: u32, sticky: bool) -> Self {
        if mantissa.is_zero() {
            return Self::zero(negative, precision);
        }
        let bits = mantissa.bit_len();
        let extra = bits.saturating_sub(precision as usize);
        if extra > 0 {
            let half = mantissa.bit(extra - 1);
            let below = sticky || mantissa.trailing_zeros().is_some_and(|zeros| zeros < extra - 1);
            mantissa >>= extra;
            exponent = exponent.saturating_add(i64::try_from(extra).unwrap_or(i64::MAX));
            if half && (below || mantissa.bit(0)) {
                mantissa += UBig::ONE;
            }
        }
        if let Some(zeros) = mantissa.trailing_zeros()
            && zeros > 0
        {
            mantissa >>= zeros;
            exponent = exponent.saturating_add(i64::try_from(zeros).unwrap_or(i64::MAX));
        }
        let top = exponent.saturating_add(i64::try_from(mantissa.bit_len()).unwrap_or(i64::MAX));
        if top > i64::from(i32::MAX) {
            return Self::infinity(negative, precision);
        }
        if top < i64::from(i32::MIN) {
            return Self::zero(negative, precision);
        }
        if (0..63).contains(&exponent) && top < 63 {
            let value = u64::try_from(&mantissa).ok().map(|m| (m << exponent).cast_signed());
            if let Some(value) = value {
                return Self(Repr::Small { value: if negative { -value } else { value }, precision });
            }
        }
        Self(Repr::Big(Arc::new(Big { negative, magnitude: Magnitude::Finite { mantissa, exponent }, precision })))
    }

    /// Returns the number at another precision, rounded if bits are lost.
    #[must_use]
    pub fn with_precision(&self, precision: u32) -> Self {
        match self.magnitude() {
            Magnitude::Zero => Self::zero(self.is_negative(), precision),
            Magnitude::Infinite => Self::infinity(self.is_negative(), precision),
            Magnitude::Finite { mantissa, exponent } => {
                Self::round(self.is_negative(), mantissa, exponent, precision, false)
            }
        }
    }

    fn magnitude(&self) -> Magnitude {
        match &self.0 {
            Repr::Small { value: 0, .. } => Magnitude::Zero,
            Repr::Small { value, .. } => {
                let zeros = value.trailing_zeros();
                Magnitude::Finite { mantissa: UBig::from(value.unsigned_abs() >> zeros), exponent: i64::from(zeros) }
            }
            Repr::Big(big) => big.magnitude.clone(),
        }
    }

    /// Returns the bit length of the mantissa.
    fn bits(&self) -> usize {
        match &self.0 {
            Repr::Small { .. } => 64,
            Repr::Big(big) => match &big.magnitude {
                Magnitude::Finite { mantissa, .. } => mantissa.bit_len(),
                _ => 1,
            },
        }
    }

    /// Returns the precision in bits.
    pub fn precision(&self) -> u32 {
        match &self.0 {
            Repr::Small { precision, .. } => *precision,
            Repr::Big(big) => big.precision,
        }
    }

    /// Returns whether the sign is minus, including `-0`.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small { value, .. } => *value < 0,
            Repr::Big(big) => big.negative,
        }
    }

    /// Returns whether the number is `0` or `-0`.
    pub fn is_zero(&self) -> bool {
        match &self.0 {
            Repr::Small { value, .. } => *value == 0,
            Repr::Big(big) => big.magnitude == Magnitude::Zero,
        }
    }

    /// Returns whether the number is an infinity.
    pub fn is_infinite(&self) -> bool {
        matches!(&self.0, Repr::Big(big) if big.magnitude == Magnitude::Infinite)
    }

    /// Returns whether the number is whole (infinities are not).
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small { .. } => true,
            Repr::Big(big) => match &big.magnitude {
                Magnitude::Zero => true,
                Magnitude::Finite { exponent, .. } => *exponent >= 0,
                Magnitude::Infinite => false,
            },
        }
    }

    /// Returns minus one, zero or one.
    pub fn signum(&self) -> i64 {
        if self.is_zero() {
            0
        } else if self.is_negative() {
            -1
        } else {
            1
        }
    }

    /// Returns the value if it is a whole number that fits 64 bits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small { value, .. } => Some(*value),
            Repr::Big(big) => match &big.magnitude {
                Magnitude::Zero => Some(0),
                // The only 64-bit number that is not stored as a small one.
                Magnitude::Finite { mantissa, exponent: 63 } if big.negative && mantissa.is_one() => Some(i64::MIN),
                Magnitude::Finite { .. } => self.to_integer(64).and_then(|value| i64::try_from(&value).ok()),
                Magnitude::Infinite => None,
            },
        }
    }

    /// Returns the value if it is a non-negative whole number that fits.
    pub fn to_usize(&self) -> Option<usize> {
        self.to_i64().and_then(|value| usize::try_from(value).ok())
    }

    /// Returns the value if it is a whole number of at most `limit` bits.
    pub fn to_integer(&self, limit: usize) -> Option<IBig> {
        account::work(2 + (self.bits() as u64 + self.text_length() * 4) / 512);
        if let Repr::Small { value, .. } = &self.0 {
            return Some(IBig::from(*value));
        }
        let magnitude = match self.magnitude() {
            Magnitude::Zero => UBig::ZERO,
            Magnitude::Infinite => return None,
            Magnitude::Finite { mantissa, exponent } => {
                let shift = usize::try_from(exponent).ok()?;
                if mantissa.bit_len().saturating_add(shift) > limit {
                    return None;
                }
                mantissa << shift
            }
        };
        Some(IBig::from_parts(if self.is_negative() { Sign::Negative } else { Sign::Positive }, magnitude))
    }

    /// Returns the nearest double, ties to even; infinite if the number is too large.
    pub fn to_f64(&self) -> f64 {
        account::work(1 + self.bits() as u64 / 2048);
        let absolute = match self.magnitude() {
            Magnitude::Zero => 0.0,
            Magnitude::Infinite => f64::INFINITY,
            Magnitude::Finite { mantissa, exponent } => {
                let top = exponent + i64::try_from(mantissa.bit_len()).unwrap_or(i64::MAX);
                if top > 1024 {
                    f64::INFINITY
                } else if top < -1074 {
                    0.0
                } else {
                    // Denormal doubles have fewer bits; half of the smallest one is a tie that goes to even, which is
                    // zero.
                    let bits = u32::try_from((top + 1074).clamp(0, 53)).unwrap_or(0);
                    if bits == 0 {
                        if mantissa.is_one() { 0.0 } else { f64::from_bits(1) }
                    } else {
                        match Self::round(false, mantissa, exponent, bits, false).magnitude() {
                            Magnitude::Finite { mantissa, exponent } => {
                                #[expect(clippy::cast_precision_loss, reason = "it has 53 bits at most")]
                                let whole = u64::try_from(&mantissa).unwrap_or(u64::MAX) as f64;
                                scale(whole, exponent)
                            }
                            _ => f64::INFINITY,
                        }
                    }
                }
            }
        };
        if self.is_negative() { -absolute } else { absolute }
    }
}

/// Returns `value * 2^exponent`, if the result is exactly a double (or overflows).
fn scale(mut value: f64, mut exponent: i64) -> f64 {
    while exponent > 1000 {
        value *= 2f64.powi(1000);
        exponent -= 1000;
    }
    while exponent < -1000 {
        value *= 2f64.powi(-1000);
        exponent += 1000;
    }
    value * 2f64.powi(exponent as i32)
}

/// Equality as the language defines it.
impl Number {
    /// Evaluates the language's `==`: whole numbers are compared by value, others by their decimal text, so that a
    /// 64-bit quotient equals the literal it prints as, and the same value at two precisions may be unequal.
    pub fn equals(&self, other: &Self) -> bool {
        self.precision() == other.precision() && self == other || self.equality_order(other) == Ordering::Equal
    }

    /// Like [`Self::equals`], but compares whole numbers, too, by the decimal text that their precision gives them.
    pub fn equals_as_text(&self, other: &Self) -> bool {
        if self.is_infinite() || other.is_infinite() || self.signum() == 0 || other.signum() == 0 {
            return self == other;
        }
        self.is_negative() == other.is_negative() && self.text_key() == other.text_key()
    }

    /// An arbitrary total order in which exactly those numbers are equal that [`Self::equals`] considers equal.
    pub(super) fn equality_order(&self, other: &Self) -> Ordering {
        if self.is_integer() && other.is_integer() {
            return self.cmp(other);
        }
        let key = |number: &Self| {
            if number.is_integer() {
                (0, false, (0, Vec::new()))
            } else if number.is_infinite() {
                (2, number.is_negative(), (0, Vec::new()))
            } else {
                (1, number.is_negative(), number.text_key())
            }
        };
        key(self).cmp(&key(other))
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self::from_i64(value)
    }
}

impl From<usize> for Number {
    fn from(value: usize) -> Self {
        Self::from_usize(value)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (Repr::Small { value: a, .. }, Repr::Small { value: b, .. }) = (&self.0, &other.0) {
            return a.cmp(b);
        }
        account::work(2 + (self.bits() + other.bits()) as u64 / 2048);
        match self.signum().cmp(&other.signum()) {
            Ordering::Equal => {
                let order = compare_magnitudes(&self.magnitude(), &other.magnitude());
                if self.is_negative() { order.reverse() } else { order }
            }
            unequal => unequal,
        }
    }
}

fn compare_magnitudes(a: &Magnitude, b: &Magnitude) -> Ordering {
    match (a, b) {
        (Magnitude::Finite { mantissa: ma, exponent: ea }, Magnitude::Finite { mantissa: mb, exponent: eb }) => {
            let top = |m: &UBig, e: i64| e + i64::try_from(m.bit_len()).unwrap_or(i64::MAX / 2);
            match top(ma, *ea).cmp(&top(mb, *eb)) {
                // Both have the same top bit, so the shift is no more than the length of the longer mantissa.
                Ordering::Equal if ea >= eb => (ma << ((ea - eb).cast_unsigned() as usize)).cmp(mb),
                Ordering::Equal => ma.cmp(&(mb << ((eb - ea).cast_unsigned() as usize))),
                unequal => unequal,
            }
        }
        (Magnitude::Zero, Magnitude::Zero) | (Magnitude::Infinite, Magnitude::Infinite) => Ordering::Equal,
        (Magnitude::Zero, _) | (_, Magnitude::Infinite) => Ordering::Less,
        (_, Magnitude::Zero) | (Magnitude::Infinite, _) => Ordering::Greater,
    }
}

#[cfg(test)]
mod tests;

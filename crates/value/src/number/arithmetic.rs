//! Arithmetic: results have the greater of the operands' precisions and are rounded to nearest, ties to even
//! (expressions.md, section 2).

use dashu_base::{BitTest, DivRem};
use dashu_int::{IBig, Sign, UBig};

use super::{LITERAL_PRECISION, Magnitude, NoResult, Number, Repr, product_cost};
use overfold_base::account;

/// Returns whether a whole number needs at most `precision` bits.
fn fits(value: i64, precision: u32) -> bool {
    precision >= 64 || value.unsigned_abs() >> precision.min(63) == 0
}

impl Number {
    /// Returns the sum.
    ///
    /// # Errors
    /// Fails for infinities of opposite sign.
    pub fn add(&self, other: &Self) -> Result<Self, NoResult> {
        let precision = self.precision().max(other.precision());
        if let (Repr::Small { value: a, .. }, Repr::Small { value: b, .. }) = (&self.0, &other.0)
            && let Some(value) = a.checked_add(*b)
            && fits(value, precision)
            && value != i64::MIN
        {
            return Ok(Self(Repr::Small { value, precision }));
        }
        self.add_at(other, precision)
    }

    /// Returns the difference.
    ///
    /// # Errors
    /// Fails for an infinity minus the same infinity.
    pub fn subtract(&self, other: &Self) -> Result<Self, NoResult> {
        self.add(&other.negate())
    }

    /// Returns the number with the opposite sign; zero changes its sign, too.
    #[must_use]
    pub fn negate(&self) -> Self {
        match &self.0 {
            Repr::Small { value, precision } if *value != 0 => {
                Self(Repr::Small { value: -value, precision: *precision })
            }
            Repr::Small { precision, .. } => Self::zero(true, *precision),
            Repr::Big(big) if big.magnitude == Magnitude::Zero => Self::zero(!big.negative, big.precision),
            Repr::Big(big) => {
                let mut big = (**big).clone();
                big.negative = !big.negative;
                Self(Repr::Big(std::sync::Arc::new(big)))
            }
        }
    }

    /// Returns the number without its sign.
    #[must_use]
    pub fn absolute(&self) -> Self {
        if self.is_negative() { self.negate() } else { self.clone() }
    }

    /// Returns the product. It has more bits than the operands' precision (up to 512) if it needs them to be exact.
    ///
    /// # Errors
    /// Fails for zero times an infinity.
    pub fn multiply(&self, other: &Self) -> Result<Self, NoResult> {
        let precision = self.precision().max(other.precision());
        if let (Repr::Small { value: a, .. }, Repr::Small { value: b, .. }) = (&self.0, &other.0)
            && *a != 0
            && *b != 0
            && let Some(value) = a.checked_mul(*b)
            && fits(value, precision)
            && value != i64::MIN
        {
            return Ok(Self(Repr::Small { value, precision }));
        }
        let product = self.multiply_at(other, LITERAL_PRECISION)?;
        let needed = match product.magnitude() {
            Magnitude::Finite { mantissa, .. } => mantissa.bit_len() as u32,
            _ => 0,
        };
        Ok(product.with_precision(precision.max(needed)))
    }

    /// Returns the quotient; a nonzero number divided by zero is infinite.
    ///
    /// # Errors
    /// Fails for zero divided by zero and for infinity divided by infinity.
    pub fn divide(&self, other: &Self) -> Result<Self, NoResult> {
        self.divide_at(other, self.precision().max(other.precision()))
    }

    /// Returns the remainder of a division whose quotient is truncated to a whole number: it has the sign of the left
    /// operand. For a division by zero it is the left operand itself.
    ///
    /// # Errors
    /// Fails if either side is an infinity (except for an infinity divided by zero).
    pub fn modulo(&self, other: &Self) -> Result<Self, NoResult> {
        if other.is_zero() {
            return Ok(self.clone());
        }
        if self.is_infinite() || other.is_infinite() {
            return Err(NoResult);
        }
        let precision = self.precision();
        let quotient = self.divide(other)?.truncate().with_precision(precision);
        let whole = other.multiply_at(&quotient, precision)?;
        self.add_at(&whole.negate(), precision)
    }

    /// Returns the number without its fraction, at the same precision; a zero has no sign. Infinities are returned
    /// unchanged.
    #[must_use]
    pub fn truncate(&self) -> Self {
        account::work(4 + self.bits() as u64 / 512);
        match self.magnitude() {
            Magnitude::Finite { mantissa, exponent } if exponent < 0 => {
                let cut = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX);
                let whole = if cut >= mantissa.bit_len() { UBig::ZERO } else { mantissa >> cut };
                let negative = self.is_negative() && !whole.is_zero();
                Self::round(negative, whole, 0, self.precision(), false)
            }
            Magnitude::Zero => Self::zero(false, self.precision()),
            _ => self.clone(),
        }
    }

    /// Returns the greatest whole number that is not greater than this one.
    #[must_use]
    pub fn floor(&self) -> Self {
        let whole = self.truncate();
        if self.is_negative() && !self.is_integer() && !self.is_infinite() {
            whole.add_at(&Self::from_i64(-1), self.precision()).unwrap_or(whole)
        } else {
            whole
        }
    }

    /// Returns the least whole number that is not less than this one.
    #[must_use]
    pub fn ceil(&self) -> Self {
        let whole = self.truncate();
        if !self.is_negative() && !self.is_integer() && !self.is_infinite() {
            whole.add_at(&Self::from_i64(1), self.precision()).unwrap_or(whole)
        } else {
            whole
        }
    }

    pub(super) fn add_at(&self, other: &Self, precision: u32) -> Result<Self, NoResult> {
        account::work(4 + (self.bits() + other.bits() + precision as usize) as u64 / 1024);
        let (na, nb) = (self.is_negative(), other.is_negative());
        match (self.magnitude(), other.magnitude()) {
            (Magnitude::Infinite, Magnitude::Infinite) if na != nb => Err(NoResult),
            (Magnitude::Infinite, _) => Ok(Self::infinity(na, precision)),
            (_, Magnitude::Infinite) => Ok(Self::infinity(nb, precision)),
            (Magnitude::Zero, Magnitude::Zero) => Ok(Self::zero(na && nb, precision)),
            (Magnitude::Zero, _) => Ok(other.with_precision(precision)),
            (_, Magnitude::Zero) => Ok(self.with_precision(precision)),
            (Magnitude::Finite { mantissa: ma, exponent: ea }, Magnitude::Finite { mantissa: mb, exponent: eb }) => {
                Ok(if ea >= eb {
                    add_finite(&(na, ma, ea), &(nb, mb, eb), precision)
                } else {
                    add_finite(&(nb, mb, eb), &(na, ma, ea), precision)
                })
            }
        }
    }

    pub(super) fn multiply_at(&self, other: &Self, precision: u32) -> Result<Self, NoResult> {
        account::work(product_cost(self.bits(), other.bits()));
        let negative = self.is_negative() != other.is_negative();
        match (self.magnitude(), other.magnitude()) {
            (Magnitude::Infinite, Magnitude::Zero) | (Magnitude::Zero, Magnitude::Infinite) => Err(NoResult),
            (Magnitude::Infinite, _) | (_, Magnitude::Infinite) => Ok(Self::infinity(negative, precision)),
            (Magnitude::Zero, _) | (_, Magnitude::Zero) => Ok(Self::zero(negative, precision)),
            (Magnitude::Finite { mantissa: ma, exponent: ea }, Magnitude::Finite { mantissa: mb, exponent: eb }) => {
                Ok(Self::round(negative, ma * mb, ea + eb, precision, false))
            }
        }
    }

    pub(super) fn divide_at(&self, other: &Self, precision: u32) -> Result<Self, NoResult> {
        account::work(2 * product_cost(self.bits().max(precision as usize), other.bits().min(precision as usize)));
        let negative = self.is_negative() != other.is_negative();
        match (self.magnitude(), other.magnitude()) {
            (Magnitude::Infinite, Magnitude::Infinite) | (Magnitude::Zero, Magnitude::Zero) => Err(NoResult),
            (Magnitude::Infinite, _) | (_, Magnitude::Zero) => Ok(Self::infinity(negative, precision)),
            (Magnitude::Zero, _) | (_, Magnitude::Infinite) => Ok(Self::zero(negative, precision)),
            (Magnitude::Finite { mantissa: ma, exponent: ea }, Magnitude::Finite { mantissa: mb, exponent: eb }) => {
                // Enough bits for the rounding bit and one more below it.
                let wanted = precision as usize + 2 + mb.bit_len();
                let shift = wanted.saturating_sub(ma.bit_len());
                let (quotient, rest) = (ma << shift).div_rem(&mb);
                let exponent = ea - eb - i64::try_from(shift).unwrap_or(i64::MAX / 4);
                Ok(Self::round(negative, quotient, exponent, precision, !rest.is_zero()))
            }
        }
    }
}

type Signed = (bool, UBig, i64);

/// Returns the sum of two finite numbers; the first has the greater exponent.
fn add_finite(high: &Signed, low: &Signed, precision: u32) -> Number {
    let signed = |(negative, mantissa, _): &Signed| {
        IBig::from_parts(if *negative { Sign::Negative } else { Sign::Positive }, mantissa.clone())
    };
    let distance = high.2 - low.2;
    let reach = i64::try_from(low.1.bit_len()).unwrap_or(i64::MAX / 4) + i64::from(precision) + 4;
    let (sum, exponent) = if distance > reach {
        // The lower operand is too small to change the leading bits; a bit far below preserves its sign for rounding.
        let shift = precision as usize + 4;
        let nudge = if low.0 { IBig::NEG_ONE } else { IBig::ONE };
        ((signed(high) << shift) + nudge, high.2 - i64::try_from(shift).unwrap_or(0))
    } else {
        ((signed(high) << usize::try_from(distance).unwrap_or(0)) + signed(low), low.2)
    };
    let (sign, mantissa) = sum.into_parts();
    if mantissa.is_zero() {
        return Number::zero(false, precision);
    }
    Number::round(sign == Sign::Negative, mantissa, exponent, precision, false)
}

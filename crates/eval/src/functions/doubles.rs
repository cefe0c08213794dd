//! `log` and `pow` on doubles, identical to the tool's down to the last bit.
//!
//! The platform's functions are correct to less than one unit in the last place, but not to the bit, and neither are
//! the tool's: its logarithm is that of FreeBSD's `msun`; its power multiplies squares for the whole part of the
//! exponent and uses `exp(y * log(x))` for the fraction; its exponential is a Taylor series of an argument divided by
//! 16, with fused multiplications. The order of all roundings matters.

#![expect(
    clippy::cast_sign_loss,
    clippy::excessive_precision,
    clippy::float_cmp,
    reason = "every bit of a constant and every exact comparison is part of the algorithm; what is cast is positive"
)]

/// Returns the natural logarithm: NaN below zero, minus infinity at zero.
pub(super) fn log(x: f64) -> f64 {
    /// ln 2 in two parts; the first has trailing zeros, so that its product with an exponent is exact.
    const LN2: (f64, f64) = (6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10);
    /// Coefficients of `ln((1 + s) / (1 - s)) - 2s` over `s³`, lowest power of `s²` first.
    const SERIES: [f64; 7] = [
        6.666_666_666_666_735e-1,
        3.999_999_999_940_942e-1,
        2.857_142_874_366_239e-1,
        2.222_219_843_214_978_4e-1,
        1.818_357_216_161_805e-1,
        1.531_383_769_920_937_3e-1,
        1.479_819_860_511_658_6e-1,
    ];
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    if !x.is_finite() {
        return x;
    }
    // x = 2^k * (1 + f), sqrt(1/2) < 1 + f <= sqrt(2). Denormal numbers are split like all others, as in the tool.
    let bits = x.to_bits();
    let mut exponent = f64::from(((bits >> 52) as i32) - 0x3FE);
    let mut fraction = f64::from_bits((bits & 0x000F_FFFF_FFFF_FFFF) | 0.5_f64.to_bits());
    if fraction <= std::f64::consts::FRAC_1_SQRT_2 {
        exponent -= 1.0;
        fraction *= 2.0;
    }
    let f = fraction - 1.0;
    let s = f / (2.0 + f);
    let square = s * s;
    let fourth = square * square;
    let [c1, c2, c3, c4, c5, c6, c7] = SERIES;
    let odd = square * (c1 + fourth * (c3 + fourth * (c5 + fourth * c7)));
    let even = fourth * (c2 + fourth * (c4 + fourth * c6));
    let half = 0.5 * f * f;
    exponent * LN2.0 - ((half - (s * (half + (odd + even)) + exponent * LN2.1)) - f)
}

/// Returns the exponential of a number of moderate size, which is all that a fractional exponent needs.
fn exp(x: f64) -> f64 {
    /// ln 2 in two parts.
    const LN2: (f64, f64) = (0.693_147_180_559_662_956_511_601_805_686_950_683_593_75, 0.282_352_905_630_315_77e-12);
    /// 1/8!, 1/7!, … 1/3!.
    const TAYLOR: [f64; 6] = [
        2.480_158_730_158_730_2e-5,
        1.984_126_984_126_984e-4,
        1.388_888_888_888_889e-3,
        8.333_333_333_333_333e-3,
        4.166_666_666_666_666_4e-2,
        1.666_666_666_666_666_6e-1,
    ];
    let power = (x * std::f64::consts::LOG2_E).round_ties_even();
    let rest = (-LN2.1).mul_add(power, (-LN2.0).mul_add(power, x)) * 0.0625;
    let [first, others @ ..] = TAYLOR;
    let series = others.iter().fold(first, |sum, coefficient| sum.mul_add(rest, *coefficient));
    let series = series.mul_add(rest, 0.5).mul_add(rest, 1.0);
    // exp(r) - 1, then four steps from exp(r) - 1 to exp(2r) - 1; the last step adds the one.
    let mut less_one = rest * series;
    for _ in 0..3 {
        less_one *= less_one + 2.0;
    }
    let whole = less_one.mul_add(less_one + 2.0, 1.0);
    libm::scalbn(whole, power as i32)
}

fn is_odd(x: f64) -> bool {
    x.abs() < 9_007_199_254_740_992.0 && x.fract() == 0.0 && x % 2.0 != 0.0
}

/// Returns `x` to the power of `y`: NaN for a negative number to a fractional power.
pub(super) fn power(x: f64, y: f64) -> f64 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if y == 1.0 {
        return x;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if x == 0.0 {
        let magnitude = if y < 0.0 { f64::INFINITY } else { 0.0 };
        return if is_odd(y) { magnitude.copysign(x) } else { magnitude };
    }
    // The limit for numbers whose power grows or shrinks without bound.
    let limit = |grows: bool| if grows { f64::INFINITY } else { 0.0 };
    if y.is_infinite() {
        return if x == -1.0 { 1.0 } else { limit((x.abs() > 1.0) == (y > 0.0)) };
    }
    if x == f64::NEG_INFINITY {
        return power(-0.0, -y);
    }
    if x == f64::INFINITY {
        return limit(y > 0.0);
    }
    if y == 0.5 {
        return x.sqrt();
    }
    if y == -0.5 {
        return 1.0 / x.sqrt();
    }
    let (mut whole, mut fraction) = (y.abs().trunc(), y.abs().fract());
    if fraction != 0.0 && x < 0.0 {
        return f64::NAN;
    }
    if whole >= 9_223_372_036_854_775_808.0 {
        return if x == -1.0 { 1.0 } else { limit((x.abs() > 1.0) == (y > 0.0)) };
    }
    let mut result = 1.0;
    if fraction != 0.0 {
        if fraction > 0.5 {
            fraction -= 1.0;
            whole += 1.0;
        }
        result = exp(fraction * log(x));
    }
    // The result is `result * 2^exponent`; the squares of x are `square * 2^shift`, 1/2 <= |square| < 1.
    let mut exponent = 0_i32;
    let (mut square, mut shift) = libm::frexp(x);
    let mut left = whole as u64;
    while left != 0 {
        if shift.abs() > 1 << 12 {
            // Beyond all doubles already.
            exponent = exponent.saturating_add(shift);
            break;
        }
        if left & 1 == 1 {
            result *= square;
            exponent += shift;
        }
        square *= square;
        shift *= 2;
        if square < 0.5 {
            square += square;
            shift -= 1;
        }
        left >>= 1;
    }
    if y < 0.0 {
        result = 1.0 / result;
        exponent = -exponent;
    }
    libm::scalbn(result, exponent)
}

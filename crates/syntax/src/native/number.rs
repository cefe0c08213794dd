//! Number tokens: where they end, and which of them are valid numbers.

use dashu_int::UBig;
use smallvec::SmallVec;

/// Returns the end of the number that begins with the digit at `start`: digits, dots and exponents in any mix, not
/// ending in a dot.
#[inline]
pub(super) fn number_end(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    let mut end = at;
    loop {
        match text.get(at) {
            Some(b'0'..=b'9') => {
                at += 1;
                end = at;
            }
            Some(b'.') => at += 1,
            Some(b'e' | b'E') => {
                let digit = if matches!(text.get(at + 1), Some(b'+' | b'-')) { at + 2 } else { at + 1 };
                if !matches!(text.get(digit), Some(b'0'..=b'9')) {
                    return end;
                }
                at = digit + 1;
                end = at;
            }
            _ => return end,
        }
    }
}

/// Returns whether a number token is a number the tool can represent: digits, at most one dot, at most one exponent,
/// which comes last, and a binary exponent that fits 32 bits (syntax.md, section 1).
pub(super) fn is_number(text: &[u8]) -> bool {
    if text.iter().all(u8::is_ascii_digit) {
        return true;
    }
    let mut parts = text.splitn(2, |b| matches!(b, b'e' | b'E'));
    let (mantissa, exponent) = (parts.next().unwrap_or(text), parts.next());
    let mut dots = mantissa.iter().enumerate().filter(|(_, b)| **b == b'.').map(|(at, _)| at);
    let dot = dots.next();
    if dots.next().is_some() {
        return false;
    }
    let exponent = match exponent {
        None => 0,
        Some(digits) => {
            let unsigned = digits.strip_prefix(b"+").or_else(|| digits.strip_prefix(b"-")).unwrap_or(digits);
            if unsigned.is_empty() || !unsigned.iter().all(u8::is_ascii_digit) {
                return false;
            }
            let Some(exponent) = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<i64>().ok())
            else {
                return false;
            };
            exponent
        }
    };
    let fraction = dot.map_or(0, |dot| mantissa.len() - dot - 1);
    let significant: SmallVec<[u8; 32]> =
        mantissa.iter().copied().filter(u8::is_ascii_digit).skip_while(|digit| *digit == b'0').collect();
    if significant.is_empty() {
        return true;
    }
    let Some(scale) = i64::try_from(fraction).ok().and_then(|fraction| exponent.checked_sub(fraction)) else {
        return false;
    };
    fits(&significant, scale)
}

/// Returns whether the bit length of `digits` plus `scale` is in the range of 32-bit exponents.
fn fits(digits: &[u8], scale: i64) -> bool {
    let range = i64::from(i32::MIN)..=i64::from(i32::MAX);
    // log2(10) lies between 3.3 and 3.4.
    let Ok(count) = i64::try_from(digits.len()) else { return false };
    let (min, max) = ((count - 1) * 33 / 10, count * 34 / 10 + 1);
    let (lowest, highest) = (scale.saturating_add(min), scale.saturating_add(max));
    if range.contains(&lowest) && range.contains(&highest) {
        return true;
    }
    if highest < *range.start() || lowest > *range.end() {
        return false;
    }
    let bits = std::str::from_utf8(digits)
        .ok()
        .and_then(|digits| UBig::from_str_radix(digits, 10).ok())
        .and_then(|number| i64::try_from(dashu_base::BitTest::bit_len(&number)).ok())
        .unwrap_or(0);
    range.contains(&scale.saturating_add(bits))
}

#[cfg(test)]
mod tests {
    use super::is_number;

    #[test]
    fn numbers_and_others() {
        for good in
            ["0", "007", "1.5", "1.e5", "1e5", "1E+5", "1e-5", "1e2147483646", "0e3000000000", "0.0e-9999999999"]
        {
            assert!(is_number(good.as_bytes()), "{good}");
        }
        for bad in
            ["1.2.3", "1..2", "1e5e5", "1e5.5", "1e2147483647", "1e99999999999999999999", "0e99999999999999999999"]
        {
            assert!(!is_number(bad.as_bytes()), "{bad}");
        }
    }
}

//! The expected values were recorded from the tool (`terraform console`).

use super::*;

fn n(text: &str) -> Number {
    Number::parse(text).unwrap()
}

fn text(number: &Number) -> String {
    number.to_text().unwrap()
}

#[test]
fn reads_and_writes_plain_decimals() {
    for (given, expected) in [
        ("0", "0"),
        ("-0", "-0"),
        ("007", "7"),
        ("+5", "5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("1e21", "1000000000000000000000"),
        ("1e-7", "0.0000001"),
        ("1.50", "1.5"),
        ("1p3", "8"),
        ("3p-2", "0.75"),
        ("9223372036854775807", "9223372036854775807"),
        ("9223372036854775808", "9223372036854775808"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("0.1", "0.1"),
        ("100", "100"),
        ("1e400", &format!("1{}", "0".repeat(400))),
    ] {
        assert_eq!(text(&n(given)), expected, "{given}");
    }
    for bad in ["", "-", ".", "1.2.3", "1e", "1e+", "0x10", "1_0", " 1", "1 ", "e5", "--1", "1e5e5", "١"] {
        assert_eq!(Number::parse(bad).unwrap_err(), NumberError::Form, "{bad}");
    }
    assert_eq!(Number::parse("-inf").unwrap_err(), NumberError::Infinite);
}

#[test]
fn adds_and_subtracts_in_binary() {
    let sum = n("0.1").add(&n("0.2")).unwrap();
    assert_eq!(text(&sum), "0.3");
    assert_eq!(sum, n("0.3"));
    let difference = text(&n("0.3").subtract(&n("0.1")).unwrap());
    assert_eq!(difference, format!("0.2{}2", "0".repeat(153)));
    assert_eq!(difference.len(), 157);
    assert_eq!(text(&n("1").divide(&n("3")).unwrap()), format!("0.{}5", "3".repeat(154)));
    assert_eq!(text(&n("1").divide(&n("3")).unwrap().multiply(&n("3")).unwrap()), "1");
    assert_eq!(text(&n("123456789012345678901234567890").add(&n("1")).unwrap()), "123456789012345678901234567891");
    assert_eq!(
        text(&n("99999999999999999999").multiply(&n("99999999999999999999")).unwrap()),
        "9999999999999999999800000000000000000001"
    );
}

#[test]
fn counts_divide_at_64_bits() {
    let third = Number::from_i64(1).divide(&Number::from_i64(3)).unwrap();
    assert_eq!(text(&third), "0.33333333333333333334");
    assert_eq!(text(&Number::from_i64(1).modulo(&n("0.3")).unwrap()), "0.10000000000000000002");
}

#[test]
fn doubles_keep_53_bits_until_they_meet_more() {
    let power = Number::from_f64(2f64.powi(100)).unwrap();
    assert_eq!(text(&power), "1267650600228229400000000000000");
    assert_eq!(text(&power.add(&n("0")).unwrap()), "1267650600228229401496703205376");
    let root = Number::from_f64(2f64.sqrt()).unwrap();
    assert_eq!(text(&root), "1.4142135623730951");
    assert_eq!(text(&root.multiply(&n("1")).unwrap()), "1.4142135623730951454746218587388284504413604736328125");
    assert_ne!(Number::from_f64(1e23).unwrap(), n("1e23"));
    assert_eq!(text(&Number::from_f64(0.1).unwrap()), "0.1");
}

#[test]
fn equality_is_by_value_or_by_text() {
    let third = Number::from_i64(1).divide(&Number::from_i64(3)).unwrap();
    assert!(third.equals(&n("0.33333333333333333334")));
    assert!(third != n("0.33333333333333333334"));
    let tenth = Number::from_f64(0.1).unwrap();
    assert!(tenth.equals(&n("0.1")));
    assert!(!tenth.equals(&tenth.with_precision(LITERAL_PRECISION)));
    assert!(Number::from_f64(2f64.powi(100)).unwrap().equals(&n("1267650600228229401496703205376")));
    assert!(!Number::from_f64(2f64.powi(100)).unwrap().equals(&n("1267650600228229400000000000000")));
    assert!(n("-0").equals(&n("0")));
    assert!(!n("1e-600000000").equals(&n("2e-600000000")));
    let infinite = n("1").divide(&n("0")).unwrap();
    assert!(infinite.equals(&infinite) && !infinite.equals(&infinite.negate()) && !infinite.equals(&n("0.5")));
}

#[test]
fn signed_zero_and_infinity() {
    assert_eq!(text(&n("0").negate()), "-0");
    assert_eq!(text(&n("0").multiply(&n("-1")).unwrap()), "-0");
    assert_eq!(text(&n("5").subtract(&n("5")).unwrap()), "0");
    assert_eq!(n("-0"), n("0"));
    assert!(n("1").divide(&n("0")).unwrap().is_infinite());
    assert!(n("-1").divide(&n("0")).unwrap() < n("-1e1000"));
    assert_eq!(n("0").divide(&n("0")).unwrap_err(), NoResult);
    let infinite = n("1").divide(&n("0")).unwrap();
    assert!(infinite.subtract(&infinite).is_err());
    assert!(infinite.multiply(&n("0")).is_err());
    assert_eq!(text(&n("1").divide(&infinite).unwrap()), "0");
}

#[test]
fn modulo_has_the_sign_of_the_left_operand() {
    for (a, b, expected) in [
        ("5", "3", "2"),
        ("-5", "3", "-2"),
        ("5", "-3", "2"),
        ("5.5", "2", "1.5"),
        ("1e30", "7", "1"),
        ("5", "0", "5"),
        ("-5", "0", "-5"),
        ("-0", "2", "-0"),
        ("-0", "-2", "0"),
        ("6", "3", "0"),
    ] {
        assert_eq!(text(&n(a).modulo(&n(b)).unwrap()), expected, "{a} % {b}");
    }
    let infinite = n("1").divide(&n("0")).unwrap();
    assert!(n("5").modulo(&infinite).is_err());
    assert!(infinite.modulo(&n("2")).is_err());
    assert!(infinite.modulo(&n("0")).unwrap().is_infinite());
}

#[test]
fn orders_exactly() {
    assert!(n("1e-400") > n("0"));
    assert!(n("10000000000000000000000000000000000000001") > n("1e40"));
    assert!(n("-3") < n("2.5") && n("2.5") < n("3"));
    assert_eq!(n("1.0"), Number::from_i64(1));
}

#[test]
fn far_apart_operands() {
    assert_eq!(n("1e600000000").add(&n("1")).unwrap(), n("1e600000000"));
    assert_eq!(n("1e600000000").subtract(&n("1e-600000000")).unwrap(), n("1e600000000"));
}

#[test]
fn exponents_are_bounded() {
    assert!(!n("1e646456992").is_infinite());
    assert!(n("1e646456993").is_infinite());
    assert!(n("1e-646456994").is_zero());
    assert_eq!(Number::parse("1e2147483648").unwrap_err(), NumberError::Exponent);
    assert_eq!(Number::parse("1e99999999999999999999").unwrap_err(), NumberError::Exponent);
    assert_eq!(n("1e600000000").to_text(), Err(TextTooLong));
    assert_eq!(n("1e-600000000").to_text(), Err(TextTooLong));
    assert_eq!(n("1.25e-600000000").format(Verb::General, Some(10)).as_deref(), Ok("1.25e-600000000"));
    assert_eq!(n("7e640000000").format(Verb::Exponent, None).as_deref(), Ok("7e+640000000"));
    assert_eq!(n("-3e-3000").to_text().unwrap(), format!("-0.{}3", "0".repeat(2999)));
    assert_eq!(n("123456.789e100000").format(Verb::General, None).as_deref(), Ok("1.23456789e+100005"));
}

#[test]
fn long_numbers_read_and_write_in_bounded_time() {
    let long = format!("1{}", "0".repeat(100_000));
    let number = n(&long);
    assert_eq!(text(&number), long);
    let digits = "123456789".repeat(100_000);
    let number = n(&digits);
    let written = text(&number);
    assert_eq!(written.len(), digits.len());
    assert_eq!(written.get(..150), digits.get(..150));
    assert!(written.bytes().skip(160).all(|b| b == b'0'));
    // The same value written in short form, as the tool reads it.
    assert_eq!(n(&format!("0.{digits}e900000")), number);
    let fraction = format!("0.{}", "3".repeat(30_000));
    assert_eq!(n(&fraction), n("1").divide(&n("3")).unwrap());
}

#[test]
fn to_integers_and_doubles() {
    assert_eq!(n("12").to_i64(), Some(12));
    assert_eq!(n("-9223372036854775808").to_i64(), Some(i64::MIN));
    assert_eq!(n("9223372036854775808").to_i64(), None);
    assert_eq!(n("1.5").to_i64(), None);
    assert_eq!(n("1e3").to_i64(), Some(1000));
    for value in [0.1, 1.0, -2.5, 5e-324, 2.225_073_858_507_201e-308, f64::MAX, 1e-310, 123_456_789.125] {
        assert_eq!(Number::from_f64(value).unwrap().to_f64().to_bits(), value.to_bits(), "{value}");
    }
    for literal in ["0.1", "0.3", "1e23", "2.2250738585072011e-308", "4.9e-324", "2e-324", "1e309", "8.5"] {
        let expected: f64 = literal.parse().unwrap();
        assert_eq!(n(literal).to_f64().to_bits(), expected.to_bits(), "{literal}");
    }
}

#[test]
fn whole_parts() {
    for (given, floor, ceil) in
        [("1.5", "1", "2"), ("-1.5", "-2", "-1"), ("3", "3", "3"), ("-0.5", "-1", "0"), ("0.2", "0", "1")]
    {
        assert_eq!(text(&n(given).floor()), floor, "{given}");
        assert_eq!(text(&n(given).ceil()), ceil, "{given}");
    }
}

#[test]
fn layouts() {
    let general = |t: &str, p| n(t).format(Verb::General, p).unwrap();
    assert_eq!(general("999999", None), "999999");
    assert_eq!(general("1000000", None), "1e+06");
    assert_eq!(general("1234567", None), "1.234567e+06");
    assert_eq!(general("0.0001", None), "0.0001");
    assert_eq!(general("0.00001", None), "1e-05");
    assert_eq!(general("100000", None), "100000");
    assert_eq!(general("0", None), "0");
    assert_eq!(general("0.333333333333333", Some(10)), "0.3333333333");
    assert_eq!(general("12345678901234", Some(10)), "1.23456789e+13");
    let fixed = |t: &str, p| n(t).format(Verb::Fixed, Some(p)).unwrap();
    assert_eq!(fixed("0.5", 0), "0");
    assert_eq!(fixed("1.5", 0), "2");
    assert_eq!(fixed("2.5", 0), "2");
    assert_eq!(fixed("1.005", 2), "1.00");
    assert_eq!(fixed("-3", 2), "-3.00");
    assert_eq!(fixed("99.999", 1), "100.0");
    assert_eq!(n("1234.5").format(Verb::Exponent, Some(2)).unwrap(), "1.23e+03");
    assert_eq!(n("0").format(Verb::Exponent, Some(2)).unwrap(), "0.00e+00");
}

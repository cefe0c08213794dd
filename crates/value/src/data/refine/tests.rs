use super::*;

#[test]
fn a_value_stays_small() {
    assert_eq!(size_of::<Value>(), 32);
}

#[test]
fn a_prefix_ends_where_nothing_can_change_it() {
    for (given, safe) in [
        ("x-", "x-"),
        ("x", ""),
        ("xe", "x"),
        ("x- ", "x- "),
        ("é-", "é-"),
        ("-e\u{301}", "-"),
        ("a=", "a"),
        ("a`", "a"),
        ("a\r\n", "a"),
        ("a\nb ", "a"),
        ("a\nbc", "a\nb"),
        ("a\rb ", "a"),
        ("a\r\nb ", "a\r\nb "),
        ("a\u{600} ", "a"),
        ("a\u{200d} ", "a\u{200d} "),
        ("a\t", "a\t"),
        ("9", ""),
        ("a👍🏽", "a"),
        ("-🇩🇪🇫🇷", "-🇩🇪"),
        ("\u{1112}", ""),
        ("한", ""),
    ] {
        assert_eq!(Value::unknown(Type::String).refined_prefix(given).known_prefix(), safe, "{given}");
    }
}

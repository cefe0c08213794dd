//! `format`, `formatlist`, times and marks, checked against the tool's results.

use super::text::yields;
use super::{finds, run, unknown};

const ARGUMENT: &str = "Invalid function argument";
const CALL: &str = "Error in function call";

#[test]
fn formats() {
    for (args, text) in [
        (r#""%[2]d %d", 1, 2, 3"#, "2 3"),
        (r#""%[1]d %d", 1, 2"#, "1 2"),
        (r#""%%""#, "%"),
        (r#""%d%%", 5"#, "5%"),
        (r#""%v|%#v", null_text, null_text"#, "null|null"),
        (r#""%05s|%-05s|%+s|% s", "a", "b", "c", "d""#, "0000a|b0000|c|d"),
        (r#""%05t|%10t|%t|%t", true, false, "true", "1""#, "true|false|true|true"),
        (r#""%#x|%#X|%#o|%#b", 255, 255, 8, 5"#, "0xff|0XFF|010|0b101"),
        (r#""%+x|% x|%08x|%-8x|", 255, 255, -255, 255"#, "+ff| ff|-00000ff|ff      |"),
        (r#""%.5d|%8.5d|%-8.5d|%08.5d|%.5x", 42, 42, 42, 42, 42"#, "00042|   00042|00042   |   00042|0002a"),
        (r#""%+v|% v|%10v|%-10v|%010v", 1.5, 1.5, 1.5, 1.5, 1.5"#, "1.5|1.5|       1.5|1.5       |00000001.5"),
        (r#""%+v|%10v|%-10v|%010v", "a", "a", "a", "a""#, "a|         a|a         |000000000a"),
        (r#""%10v|%#10v|%010v", [1], [1], true"#, "       [1]|       [1]|000000true"),
        (r#""%.1v|%.3v|%.3v|%.3v", "abc", true, [1], 2.71828"#, "abc|true|[1]|2.71828"),
        (r#""%10s|%.2s|%5.1s|%.0s|%.s", "abc", "abc", "abc", "abc", "abc""#, "       abc|ab|    a|abc|abc"),
        (r#""%5s|%-5s|%05s|", "👍🏽", "👍🏽", "👍🏽""#, "    👍🏽|👍🏽    |0000👍🏽|"),
        (r#""%e|%.0e|%#.0e|%#.0f|%#g", 1.5, 1.5, 1.5, 2.5, 1"#, "1.500000e+00|2e+00|2e+00|2|1"),
        (
            r#""%g|%.3g|%.10g|%#.3g|%G", 123456789, 123456, 123456, 1, 1e-10"#,
            "1.23456789e+08|1.23e+05|123456|1|1E-10",
        ),
        (
            r#""%f|%.3f|%10.2f|%-10.2f|%+.2f|% .2f", 1, 2.5, 3.14159, 3.14159, 1, 1"#,
            "1.000000|2.500|      3.14|3.14      |+1.00| 1.00",
        ),
        (r#""%e|%g|%f|%s|%.2d|%d", 0, 0, -0, -0, -0, -0"#, "0.000000e+00|0|-0.000000|-0|00|0"),
        (r#""%d|%d|%s", 1e3, "1e3", true"#, "1000|1000|true"),
        (r#""%.f|%5[1]d|%.2[1]f", 5"#, "5|    5|5.00"),
        (r#""%-+ #05d|%--5d|%-05d|%+05d|% 05d", 5, 5, 5, 5, 5"#, "+5   |5    |5    |+0005| 0005"),
        (r#""%v|%s|%05f", 1/0, 1/0, 1/0"#, "+Inf|+Inf| +Inf"),
        (r#""%-010v|%010v", 1.5, -1.5"#, "1.50000000|000000-1.5"),
        (r#""%#v|%#+v", 1000000, 1"#, "1000000|1"),
        (r#""%#010x|%#-10x|%#10b|%#010o", 255, 255, 5, 8"#, "0x000000ff|0xff      |     0b101|0000000010"),
        (r#""%#.5x|%#10.5x|%#.5o|%#.1o", 255, 255, 8, 8"#, "0x000ff|   0x000ff|000010|010"),
        (r#""%#x|%#x|%#o", 0, -255, 0"#, "0x0|-0xff|00"),
        (r#""%010.3d|%+.3d", 5, 5"#, "       005|+005"),
        (r#""%06.1f|%+06.1f|%-06.1f|% 06.1f", -1.25, 1.25, 1.25, 1.25"#, "-001.2|+001.2|0001.2| 001.2"),
        (r#""%.0e|%.0g|%.0f|%.0d|%.0d", 15, 15, 0.5, 0, 5"#, "2e+01|2e+01|0||5"),
        (r#""%10s|%5s|%.2s|%.2s|%05s", 12.5, true, 12.5, true, -1.5"#, "      12.5| true|12|tr|0-1.5"),
        (r#""%v|%v", 123456.789, 1234567"#, "123456.789|1.234567e+06"),
        (r#""%b %o %x", -5, -8, 1e30"#, "-101 -10 c9f2c9cd04674edea40000000"),
        (r#""%1000000000d", 5"#, "%!(NOVERB)%!(EXTRA *big.Int=5)"),
        (r#""%.99999999999999999999f", 5"#, "%!(NOVERB)%!(EXTRA *big.Float=5)"),
    ] {
        let (value, found) = run(&format!("format({args})"));
        assert!(found.is_empty(), "{args}: {found:?}");
        assert_eq!(value.as_text(), Some(text), "{args}");
    }
    for (args, text) in [
        (r#""%10q|%.2q|%-10q|%010q", "abc", "abc", "abc", "abc""#, r#"     "abc"|"ab"|"abc"     |00000"abc""#),
        (r#""%q|%q|%.1q", 1, true, "<a>""#, r#""1"|"true"|"\u003c""#),
        (r#""%#5v|%#v", "👍🏽", ["a\u2028<"]"#, r#"  "👍🏽"|["a\u2028\u003c"]"#),
        (r#""%v", {a = 1, b = null}"#, r#"{"a":1,"b":null}"#),
    ] {
        let (value, found) = run(&format!("format({args})"));
        assert!(found.is_empty(), "{args}: {found:?}");
        assert_eq!(value.as_text(), Some(text), "{args}");
    }
}

#[test]
fn formats_that_fail() {
    for args in [
        r#""%""#,
        r#""%d %", 1"#,
        r#""%[3]d", 1"#,
        r#""%[0]d", 1"#,
        r#""%[2]d %d", 1, 2"#,
        r#""%5%""#,
        r#""%[1]%", 1"#,
        r#""%s", null_text"#,
        r#""%t", 1"#,
        r#""%d", true"#,
        r#""%x", 1.5"#,
        r#""%x", "ff""#,
        r#""%z", 1"#,
        r#""%!", 1"#,
        r#""%5", 1"#,
        r#""%*d", 5, 42"#,
        r#""%-", 5"#,
        r#""%[1]5d", 5"#,
        r#""%é", 5"#,
        r#""%c", 65"#,
        r#""%s", [1]"#,
        r#""%d", [1]"#,
        r#""%d", 1/0"#,
        r#""%#v", 1/0"#,
        r#""%v", [1/0]"#,
        r#""%s""#,
        r#""%[a]s", "a""#,
        r#""%[1s", "a""#,
        r#""%[]s", "a""#,
        r#""%[-1]s", "a""#,
        r#""%[01]s", "a""#,
        r#""%999999999999999999999999s", "a""#,
    ] {
        finds(&format!("format({args})"), &[(CALL, "format(")]);
    }
    finds(r#"format("x", 1)"#, &[(ARGUMENT, "1")]);
    finds(r#"format("%[1]s %[1]s", "a", 7)"#, &[(ARGUMENT, "7")]);
    finds(r#"formatlist("%s%s", [], ["c"])"#, &[(ARGUMENT, "[")]);
    for args in
        [r#""x", ["a"]"#, r#""%s", ["a", null]"#, r#""%s", null_list"#, r#""%s-%s", ["a"]"#, r#""%s", ["a"], "b""#]
    {
        finds(&format!("formatlist({args})"), &[(CALL, "formatlist(")]);
    }
}

#[test]
fn lists_of_formats() {
    for (args, json) in [
        (r#""%v", null_text"#, r#"["null"]"#),
        (r#""%v-%v", object, ["x", "y"]"#, r#"["{\"a\":1,\"b\":\"x\"}-x","{\"a\":1,\"b\":\"x\"}-y"]"#),
        (r#""x""#, r#"["x"]"#),
        (r#""x", []"#, "[]"),
        (r#""%z", []"#, "[]"),
        (r#""%v", [[1, 2], [3]]"#, r#"["[1,2]","[3]"]"#),
        (r#""%s", set"#, r#"["a","b"]"#),
    ] {
        yields(&format!("formatlist({args})"), json);
    }
    unknown(r#"format("%z", unknown_text)"#, "string");
    unknown(r#"format("%s", [unknown_text])"#, "string");
    unknown(r#"formatlist("%s", unknown_list)"#, "list(string)");
    yields(r#"formatlist("%s", [unknown_text, "a"])[1]"#, r#""a""#);
    finds(r#"formatlist("%s%s", [unknown_text], ["a", "b"])"#, &[(ARGUMENT, "[")]);
}

#[test]
fn formats_do_not_eat_memory() {
    let (_, found) = run(&format!("format(\"{}\", \"a\")", "%[1]10000000s".repeat(1000)));
    assert!(!found.is_empty());
}

#[test]
fn times() {
    for (expression, json) in [
        (r#"timeadd("2026-05-14T00:00:00Z", "1.5h30.5s")"#, r#""2026-05-14T01:30:30Z""#),
        (r#"timeadd("2026-05-14T00:00:00+02:00", "-.5h")"#, r#""2026-05-13T23:30:00+02:00""#),
        (r#"timeadd("2026-05-14T00:00:00.9Z", "100ms")"#, r#""2026-05-14T00:00:01Z""#),
        (r#"timeadd("2026-05-14T00:00:00.9+00:00", "0")"#, r#""2026-05-14T00:00:00Z""#),
        (r#"timeadd("2026-05-14T00:00:00-00:00", "+0")"#, r#""2026-05-14T00:00:00Z""#),
        (r#"timeadd("9999-12-31T23:59:59Z", "1s")"#, r#""10000-01-01T00:00:00Z""#),
        (r#"timeadd("0000-01-01T00:00:00Z", "-1s")"#, r#""-0001-12-31T23:59:59Z""#),
        (r#"timeadd("2024-02-28T23:59:59+23:59", "1s")"#, r#""2024-02-29T00:00:00+23:59""#),
        (r#"formatdate("Z ZZZ ZZZZ ZZZZZ", "2026-05-14T00:00:00+00:00")"#, r#""Z UTC +0000 +00:00""#),
        (r#"formatdate("HH H hh h aa", "2026-05-14T00:00:00Z")"#, r#""12 12 00 0 am""#),
        (r#"formatdate("é-'x''y'''", "2026-05-14T00:00:00Z")"#, r#""é-x'y'""#),
        (r#"formatdate("''", "2026-05-14T00:00:00Z")"#, r#""'""#),
        (r#"formatdate("YY EEE", "0005-05-14T00:00:00Z")"#, r#""05 Sat""#),
        (r#"timecmp("2026-05-14T00:00:00Z", "2026-05-14T02:00:00+02:00")"#, "0"),
        (r#"timecmp("2026-05-14T00:00:00.1Z", "2026-05-14T00:00:00Z")"#, "1"),
        (r#"timecmp("2026-05-13T00:00:00Z", "2026-05-14T00:00:00Z")"#, "-1"),
    ] {
        yields(expression, json);
    }
    for length in ["", "1d", "5", "9999999999h", "1h 2m", "1.h.", ".s", "-", "1..5s"] {
        let call = format!(r#"timeadd("2026-05-14T00:00:00Z", "{length}")"#);
        finds(&call, &[(CALL, "timeadd(")]);
    }
    for time in [
        "2026-05-14",
        "2026-05-14T00:00:00,5Z",
        "2026-05-14T24:00:00Z",
        "2026-05-14T00:00:60Z",
        "2026-02-30T00:00:00Z",
        "2026-05-14T00:00:00+24:00",
        "2026-05-14T00:00:00+12:60",
        "2026-05-14t00:00:00z",
        "2026-05-14T0:00:00Z",
        "2026-05-14T00:00:00",
        "2026-05-14T00:00:00.Z",
        "2026-05-14T00:00:00+1:00",
        "2026-05-14T00:00:00é",
    ] {
        finds(&format!(r#"timeadd("{time}", "1s")"#), &[(CALL, "timeadd(")]);
        finds(&format!(r#"timecmp("2026-05-14T00:00:00Z", "{time}")"#), &[(ARGUMENT, time)]);
    }
    for letters in ["ZZ", "A", "MMMMM", "YYY", "T", "'abc", "EE"] {
        finds(&format!(r#"formatdate("{letters}", "2026-05-14T00:00:00Z")"#), &[(ARGUMENT, letters)]);
    }
    for call in ["timestamp()", "plantimestamp()", "uuid()", r#"bcrypt("a")"#, r#"bcrypt("a", 99)"#] {
        unknown(call, "string");
        yields(&format!("{call} == null"), "false");
    }
}

#[test]
fn marks() {
    for (expression, json) in [
        ("issensitive({a = sensitive(1)})", "false"),
        ("issensitive(sensitive({a = 1}))", "true"),
        ("issensitive(sensitive(null))", "true"),
        ("issensitive(null)", "false"),
        ("issensitive(nonsensitive(secret))", "false"),
        ("issensitive(nonsensitive({a = secret}).a)", "true"),
        ("issensitive(nonsensitive(fresh))", "false"),
        ("ephemeralasnull(fresh)", "null"),
        ("ephemeralasnull({a = fresh, b = [1, fresh]})", r#"{"a":null,"b":[1,null]}"#),
        ("issensitive(ephemeralasnull(sensitive(fresh)))", "true"),
        ("ephemeralasnull(secret_number) == 7", "true"),
    ] {
        yields(expression, json);
    }
    unknown("issensitive(unknown_text)", "bool");
    // Unlike comparisons, logical operations and negations lose the marks of what is unknown.
    yields("issensitive(sensitive(unknown_text) == \"x\")", "true");
    unknown("issensitive(sensitive(true) || unknown_text == \"x\")", "bool");
    unknown("issensitive(sensitive(false) && unknown_text == \"x\")", "bool");
    unknown("issensitive(!(sensitive(unknown_text) == \"x\"))", "bool");
    yields("issensitive(!sensitive(true))", "true");
    unknown("sensitive(unknown_text)", "string");
    unknown("ephemeralasnull(unknown_list)", "list(string)");
}

#[test]
fn templates_from_elsewhere() {
    let call =
        |template: &str, variables: &str| format!(r#"[for t in ["{template}"] : templatestring(t, {variables})][0]"#);
    yields(&call("$${a}-$${b}", r#"{a = 1, b = "x"}"#), r#""1-x""#);
    yields(&call("$${n}", "{n = 5}"), r#""5""#);
    yields(&format!("issensitive({})", call("$${n}", "{n = secret}")), "true");
    unknown(&call("$${n}", "{n = unknown_text}"), "string");
    unknown("templatestring(unknown_text, {})", "string");
    finds(r#"templatestring("plain", {})"#, &[(ARGUMENT, "plain")]);
    finds("templatestring((secret), {})", &[(ARGUMENT, "secret")]);
    finds("templatestring(upper(secret), {})", &[(ARGUMENT, "upper(")]);
    finds("templatestring(list, {})", &[(ARGUMENT, "list")]);
    finds("templatestring(null_text, {})", &[(ARGUMENT, "null_text")]);
    finds("templatestring(secret, {a = 1 + true})", &[("Invalid operand", "true")]);
    finds("templatestring(list[7], {})", &[(ARGUMENT, "list[7]")]);
    finds("templatestring(secret, null)", &[(ARGUMENT, "null")]);
    finds(&call("$${a}", "{b = 1}"), &[(ARGUMENT, "{")]);
    finds(&call("a", r#"{"a b" = 1}"#), &[(ARGUMENT, "{")]);
    finds(&call("a $${", "{}"), &[(ARGUMENT, "t")]);
    finds(&call("$${n}", "{n = null}"), &[(CALL, "templatestring(")]);
    finds(&call("$${n}", "{n = []}"), &[(CALL, "templatestring(")]);
    finds(&call(r#"$${file(\"x\")}"#, "{}"), &[(CALL, "templatestring(")]);
}

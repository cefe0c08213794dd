//! Functions on text and patterns, checked against the tool's results.

use super::{Diagnostics, FunctionSet, Lineage, Scope, evaluate, finds, run};
use overfold_base::account;

/// Asserts the value, as JSON, without diagnostics.
#[track_caller]
pub(super) fn yields(text: &str, json: &str) {
    let (value, found) = run(text);
    assert!(found.is_empty(), "{text}: {found:?}");
    assert_eq!(value.to_json().as_deref(), Ok(json), "{text}");
}

#[test]
fn texts() {
    for (expression, json) in [
        (r#"substr("abc", -5, 2)"#, r#""ab""#),
        (r#"substr("abcdef", 2, -9)"#, r#""cdef""#),
        (r#"substr("abcdef", -2, 1)"#, r#""e""#),
        (r#"substr("abcdef", 9, 1)"#, r#""""#),
        (r#"substr("a👍🏽c", 1, 1)"#, r#""👍🏽""#),
        (r#"join(1, [1, true], toset(["z"]))"#, r#""11true1z""#),
        (r#"join(",", [])"#, r#""""#),
        (r#"split(",", "")"#, r#"[""]"#),
        (r#"split("", "")"#, "[]"),
        (r#"split("", "aé")"#, r#"["a","é"]"#),
        (r#"indent(3, "a\nb\n\nc")"#, r#""a\n   b\n   \n   c""#),
        (r#"chomp("a\r\r\n\n")"#, r#""a""#),
        (r#"trimspace("\u0085 a\u200b\u3000")"#, "\"a\u{200b}\""),
        (r#"trim("  ab ", "")"#, r#""  ab ""#),
        (r#"trim("xayx", "yx")"#, r#""a""#),
        (r#"strrev("ab\u0301c👍🏽")"#, "\"👍🏽cb\u{301}a\""),
        (r#"title("foo—bar it's ǆabc 3d x_y ß ნინო")"#, r#""Foo—bar It'S ǅabc 3d X_y ß ნინო""#),
        (r#"upper("ᾳ ǆ ნ ŉ ß")"#, r#""ᾼ Ǆ Ნ ŉ ß""#),
        (r#"lower("İΣ ᾼ")"#, r#""iσ ᾳ""#),
        (r#"replace("aé", "", "-")"#, r#""-a-é-""#),
        (r#"replace("a/b", "/", ":")"#, r#""a:b""#),
    ] {
        yields(expression, json);
    }
}

#[test]
fn blame() {
    const ARGUMENT: &str = "Invalid function argument";
    const CALL: &str = "Error in function call";
    for (expression, summary, place) in [
        (r#"substr("abcdef", 1.5, 2)"#, CALL, "substr("),
        (r#"substr("abcdef", 99999999999999999999, 1)"#, CALL, "substr("),
        (r#"indent(-1, "a")"#, CALL, "indent("),
        (r#"join(",")"#, CALL, "join("),
        (r#"join(",", ["a"], ["b", null])"#, ARGUMENT, "["),
        (r#"replace("abc", "/(/", "x")"#, CALL, "replace("),
        (r#"regex("z", "abc")"#, CALL, "regex("),
        (r#"regex("(", unknown_text)"#, ARGUMENT, "("),
    ] {
        finds(expression, &[(summary, place)]);
    }
}

#[test]
fn patterns() {
    for (expression, json) in [
        (r#"regex("(?<1n>a)", "a")"#, r#"{"1n":"a"}"#),
        (r#"regex("a(?i)*", "aaa")"#, r#""aaa""#),
        (r#"regex("a*(?i)*", "aaa")"#, r#""aaa""#),
        (r#"regex("\\Qa.b\\E+", "a.bbb")"#, r#""a.bbb""#),
        (r#"regex("(?ii)A", "a")"#, r#""a""#),
        (r#"regex("(?)A", "A")"#, r#""A""#),
        (r#"regex("a(?i:B)c", "abc")"#, r#""abc""#),
        (r#"regex("a{,2}", "a{,2}")"#, r#""a{,2}""#),
        (r#"regex("a{01}", "a{01}")"#, r#""a{01}""#),
        (r#"regex("\\_", "_")"#, r#""_""#),
        (r#"regex("\\101", "A")"#, r#""A""#),
        (r#"regex("[\\s\\S]", "\n")"#, r#""\n""#),
        (r#"regex("(?i)\\w+", "ſK")"#, r#""ſK""#),
        (r#"regex("\\B", "é")"#, r#""""#),
        (r#"regexall("\\B", "éé")"#, r#"["","",""]"#),
        (r#"regexall("", "éa")"#, r#"["","",""]"#),
        (r#"regexall("x*", "axb")"#, r#"["","x",""]"#),
        (r#"replace("éa", "//", "-")"#, r#""-é-a-""#),
        (r#"regex("[a&&b]+", "a&b")"#, r#""a&b""#),
        (r#"regex("[a-b-c]+", "-c")"#, r#""-c""#),
        (r#"regex("[]a]+", "]a")"#, r#""]a""#),
        (r#"regex("[^]a]+", "]ab")"#, r#""b""#),
        (r#"regex("[[:word:]]+[[:^alpha:]]", "ab_1")"#, r#""ab_1""#),
        (r#"regex("(?U)a+?", "aaa")"#, r#""aaa""#),
        (r#"regex("(?U:a+)", "aaa")"#, r#""a""#),
        (r#"regex("(|a)*", "aa")"#, r#"[""]"#),
        (r#"regex("(|a)+", "aa")"#, r#"[""]"#),
        (r#"regex("(?s).", "\n")"#, r#""\n""#),
        (r#"regex("(?m)^b$", "a\nb\nc")"#, r#""b""#),
        (r#"regex("(a)|(b)", "b")"#, r#"[null,"b"]"#),
        (r#"regex("(?P<b>a)|(?P<a>b)", "b")"#, r#"{"a":"b","b":null}"#),
        (r#"regex("(?P<a>x)(?P<a>y)", "xy")"#, r#"{"a":"y"}"#),
        (r#"regex("\\p{Any}", "\u0378")"#, "\"\u{378}\""),
        (r#"regexall("\\P{^Greek}", "aλ")"#, r#"["λ"]"#),
        (r#"can(regex("\\pC", "\u0378"))"#, "false"),
        (r#"can(regex("\\x{d800}", "A"))"#, "false"),
        (r#"can(regex("[^\\x00-\\x{10FFFF}]", "A"))"#, "false"),
        (r#"replace("abc", "/b/", "$${x")"#, r#""a${xc""#),
        (r#"replace("abc", "/b/", "$")"#, r#""a$c""#),
        (r#"replace("abc", "/(?P<n>b)/", "<$${n}$nx$01$0>")"#, r#""a<bb>c""#),
    ] {
        yields(expression, json);
    }
}

#[test]
fn patterns_that_are_refused() {
    for pattern in [
        "a{1001}",
        "(a{100}){11}",
        "a{2,1}",
        "a**",
        "a+*",
        "a|*",
        "(*)",
        "*",
        r"\\Q\\E*",
        r"\\pX",
        r"\\p{greek}",
        r"\\p{Zzzz}",
        r"\\p{Letter}",
        r"\\p{sc=Greek}",
        r"\\p{L",
        "[[:foo:]]",
        "[a--b]",
        "[b-a]",
        "[",
        "[a",
        "(",
        ")",
        "(?P<a",
        "(?P<>a)",
        "(?P<a-b>a)",
        "(?=a)",
        "(?<=a)",
        "(?!a)",
        "(?x)a",
        "(?i-)",
        "(?#a)",
        "(?P=n)",
        r"\\y",
        r"\\1",
        r"(a)\\1",
        r"\\x",
        r"\\x{}",
        r"\\x{110000}",
        r"\\xg0",
        r"\\E",
        r"\\Z",
        r"\\C",
        r"[\\b]",
        r"\\",
        r"\\é",
        "(?P<a>x)(y)",
    ] {
        let expression = format!(r#"regex("{pattern}", "a")"#);
        let (_, found) = run(&expression);
        let summaries: Vec<&str> = found.iter().map(|(summary, _)| &**summary).collect();
        assert_eq!(summaries, ["Invalid function argument"], "{expression}");
    }
}

#[test]
fn patterns_do_not_eat_memory_or_time() {
    let deep = format!("{}a{}", "(".repeat(990), ")".repeat(990));
    yields(&format!(r#"length(regex("{deep}", "a"))"#), "990");
    for expression in [
        format!(r#"regex("{}a{}", "a")"#, "(".repeat(2000), ")".repeat(2000)),
        format!(r#"regex("{}", "a")"#, "(a)".repeat(20_000)),
        r#"regex("(\\pL{100}){10}{2}", "a")"#.to_owned(),
        format!(r#"regex("{}", "a")"#, r"\\pL{1000}".repeat(100)),
    ] {
        let (_, found) = run(&expression);
        assert!(!found.is_empty());
    }
}

#[test]
fn matches_that_each_look_at_all_the_text_are_accounted_for() {
    let forest = super::forest();
    let text = "a".repeat(100_000);
    let expr = super::parse(&forest, &format!(r#"regexall("(?s)a.*z|a", "{text}")"#));
    let functions = FunctionSet::all(Lineage::Mainline);
    let scope = Scope { functions: Some(&functions), ..Scope::CONSTANT };
    let limits = account::Limits { work: 5_000_000, memory: u64::MAX };
    let value = account::open(limits, &account::Cancel::new(), || {
        let value = evaluate(&forest, expr, &scope, &mut Diagnostics::new());
        assert!(account::evaluation_is_over());
        value
    });
    assert!(!value.unwrap().is_known());
}

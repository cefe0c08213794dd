//! Values of all kinds, in any size.

use std::io::Write as _;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dashu_int::{IBig, UBig};
use overfold_cli::value::{Marks, Number, Type, Value};

/// A family of values: `make` creates the value of a given size (elements, bytes or digits), up to `largest`.
pub(crate) struct Kind {
    /// The name shown in the table.
    pub(crate) name: &'static str,
    /// The largest size that is created.
    pub(crate) largest: usize,
    /// Creates the value of a given size.
    pub(crate) make: fn(usize) -> Value,
}

const MANY: usize = 1_000_000;
/// For values that take a hundred bytes per element.
const SOME: usize = 100_000;
/// For values whose cost grows quadratically.
const FEW: usize = 1_000;

macro_rules! kinds {
    ($($name:literal $largest:ident $make:expr;)*) => {
        &[$(Kind { name: $name, largest: $largest, make: $make }),*]
    };
}

fn repeated(pattern: &str, size: usize) -> Value {
    Value::text(pattern.repeat(size / pattern.len() + 1))
}

fn lines(line: impl Fn(usize) -> String, size: usize) -> Value {
    let mut text = String::new();
    for index in 0.. {
        text.push_str(&line(index));
        if text.len() > size {
            break;
        }
    }
    Value::text(text)
}

fn number(n: usize) -> Value {
    Value::number(Number::from_usize(n))
}

fn name(n: usize) -> Arc<str> {
    format!("key-{n:07}").into()
}

fn word(n: usize) -> Value {
    Value::text(name(n))
}

fn each(size: usize, of: impl Fn(usize) -> Value) -> Vec<Value> {
    (0..size).map(of).collect()
}

fn keyed(size: usize, of: impl Fn(usize) -> Value) -> Vec<(Arc<str>, Value)> {
    (0..size).map(|n| (name(n), of(n))).collect()
}

fn digits(size: usize) -> Number {
    Number::from_integer(&IBig::from(UBig::from(10u8).pow(size) - UBig::ONE))
}

fn exponent(sign: &str, size: usize) -> Value {
    Value::number(Number::parse(&format!("1e{sign}{size}")).expect("a number"))
}

fn object(n: usize) -> Value {
    Value::object(vec![(name(1), number(n)), (name(2), word(n)), (name(3), Value::bool(true))])
}

fn nested(size: usize, outer: fn(Value) -> Value) -> Value {
    (0..size).fold(Value::text("x"), |inner, _| outer(inner))
}

/// All kinds. What a text or structure means to a function does not matter here: each is passed to all functions.
pub(crate) static KINDS: &[Kind] = kinds! {
    "text: words" MANY |n| repeated("lorem ipsum ", n);
    "text: one letter" MANY |n| repeated("x", n);
    "text: ideographs" MANY |n| repeated("日本語", n);
    "text: accents" MANY |n| repeated("éa\u{308}\u{323}", n);
    "text: one cluster" MANY |n| repeated("\u{316}\u{300}", n);
    "text: family" MANY |n| repeated("👩\u{200d}👩\u{200d}👧", n);
    "text: digits" MANY |n| repeated("9", n);
    "text: exponent" MANY |n| Value::text(format!("1e{n}"));
    "text: fraction" MANY |n| Value::text(format!("0.{}", "3".repeat(n)));
    "text: blanks" MANY |n| repeated(" ", n);
    "text: lines" MANY |n| repeated("a\n", n);
    "text: line feeds" MANY |n| repeated("\n", n);
    "text: carriage returns" MANY |n| repeated("\r\n", n);
    "text: quotes" MANY |n| repeated("\"", n);
    "text: backslashes" MANY |n| repeated("\\", n);
    "text: controls" MANY |n| repeated("\u{1}", n);
    "text: commas" MANY |n| repeated("a,", n);
    "text: columns" MANY |n| lines(|n| format!("c{n},"), n);
    "text: table" MANY |n| Value::text(format!("a,b\n{}", "x,\"y\"\n".repeat(n / 6)));
    "text: wide table" SOME |n| Value::text(format!("{}z\n{}", (0..n / 20).map(|n| format!("c{n},")).collect::<String>(), format!("{}z\n", "x,".repeat(n / 20)).repeat(10)));
    "text: bad table" MANY |n| Value::text(format!("a,b\n{}x,\"", "x,y\n".repeat(n / 4)));
    "text: slashes" MANY |n| repeated("a/", n);
    "text: parents" MANY |n| repeated("../", n);
    "text: dots" MANY |n| repeated("1.", n);
    "text: date" MANY |n| repeated("YYYY-MM", n);
    "text: duration" MANY |n| repeated("1h", n);
    "text: JSON list" MANY |n| Value::text(format!("[{}1]", "1,".repeat(n / 2)));
    "text: JSON texts" MANY |n| Value::text(format!("[{}\"\"]", "\"ab\",".repeat(n / 5)));
    "text: JSON escapes" MANY |n| Value::text(format!("\"{}\"", "\\u00e9\\ud83d".repeat(n / 12)));
    "text: JSON object" MANY |n| Value::text(format!("{{{}\"z\":1}}", (0..n / 12).map(|n| format!("\"k{n}\":{n},")).collect::<String>()));
    "text: JSON one key" MANY |n| Value::text(format!("{{{}\"z\":1}}", "\"z\":1,".repeat(n / 6)));
    "text: JSON objects" MANY |n| Value::text(format!("[{}{{}}]", "{\"a\":1,\"b\":{\"c\":null}},".repeat(n / 24)));
    "text: JSON numbers" MANY |n| Value::text(format!("[{}1]", "1e99999,".repeat(n / 8)));
    "text: JSON digits" MANY |n| Value::text(format!("[{}]", "7".repeat(n)));
    "text: JSON nested" SOME |n| Value::text(format!("{}{}", "[".repeat(n), "]".repeat(n)));
    "text: JSON broken" MANY |n| Value::text(format!("[{}x", "1,".repeat(n / 2)));
    "text: JSON open" MANY |n| repeated("[{\"a\":", n);
    "text: YAML list" MANY |n| repeated("- a\n", n);
    "text: YAML map" MANY |n| lines(|n| format!("k{n}: {n}\n"), n);
    "text: YAML nested" SOME |n| Value::text("[".repeat(n) + &"]".repeat(n));
    "text: YAML indented" SOME |n| Value::text((0..n.isqrt()).map(|n| format!("{}a:\n", " ".repeat(n))).collect::<String>());
    "text: YAML aliases" SOME |n| Value::text(format!("- &a [{}]\n{}", "x,".repeat(n / 20), "- *a\n".repeat(10)));
    "text: YAML merges" SOME |n| Value::text(format!("- &a {{{}}}\n{}", (0..n / 100).map(|n| format!("k{n}: 1,")).collect::<String>(), "- {<<: *a}\n".repeat(20)));
    "text: YAML quoted" MANY |n| Value::text(format!("\"{}\"", "a \\u00e9\n".repeat(n / 9)));
    "text: YAML block" MANY |n| Value::text(format!("a: |\n{}", "  x\n".repeat(n / 4)));
    "text: YAML binary" MANY |n| Value::text(format!("!!binary {}", "AAAA".repeat(n / 4)));
    "text: YAML broken" MANY |n| Value::text(format!("{}- a: b: c\n", "- a\n".repeat(n / 4)));
    "text: YAML dashes" SOME |n| repeated("- ", n);
    "text: Base64" MANY |n| Value::text(STANDARD.encode("lorem ipsum ".repeat(n / 16 + 1)));
    "text: Base64 of bytes" MANY |n| repeated("////", n);
    "text: gzip" MANY |n| {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        writer.write_all(&vec![b'0'; n]).expect("writing to memory never fails");
        Value::text(STANDARD.encode(writer.finish().expect("writing to memory never fails")))
    };
    "text: percent signs" MANY |n| repeated("%%", n);
    "text: percent codes" MANY |n| repeated("%41", n);
    "text: directives" MANY |n| repeated("%s", n);
    "text: one directive" MANY |n| repeated("%[1]v", n);
    "text: width" MANY |n| Value::text(format!("%{n}v"));
    "text: precision" MANY |n| Value::text(format!("%.{n}f"));
    "text: interpolations" SOME |n| repeated("${a}", n);
    "text: template loop" SOME |n| Value::text(format!("%{{ for x in a }}{}%{{ endfor }}", "y".repeat(n)));
    "text: bad template" SOME |n| repeated("${", n);
    "text: expression" SOME |n| Value::text(format!("${{[{}]}}", "a,".repeat(n / 2)));
    "text: groups" MANY |n| repeated("(a|b)?", n);
    "text: open groups" MANY |n| repeated("(", n);
    "text: posix sets" MANY |n| Value::text("[".to_owned() + &"[:".repeat(n / 2));
    "text: classes" MANY |n| repeated("[a-z\\pL]", n);
    "text: counted" MANY |n| Value::text(format!("{}a{{1000}}", "x".repeat(n)));
    "text: counts" SOME |n| repeated("a{100}", n);
    "text: alternatives" MANY |n| lines(|n| format!("a{n}|"), n);
    "text: slashed" MANY |n| Value::text(format!("/{}/", "a*".repeat(n / 2)));
    "text: bad pattern" MANY |n| Value::text(format!("{}[", "a".repeat(n)));
    "text: fold case" SOME |n| Value::text(format!("(?i){}", "k\\w".repeat(n / 3)));
    "text: glob" MANY |n| repeated("{a,*", n);
    "text: stars" MANY |n| repeated("**/", n);
    "number: digits" MANY |n| Value::number(digits(n));
    "number: exponent" MANY |n| exponent("", n * 2);
    "number: small exponent" MANY |n| exponent("-", n * 2);
    "number: far exponent" FEW |n| exponent("", n * 500_000);
    "number: third" SOME |n| Value::number(digits(n).divide(&Number::from_usize(7)).expect("a number"));
    "number: count" MANY number;
    "list: numbers" SOME |n| Value::list(Type::Number, each(n, number));
    "list: fractions" SOME |n| Value::list(Type::Number, each(n, |n| Value::number(Number::from_usize(1).with_precision(512).divide(&Number::from_usize(n + 3)).expect("a number"))));
    "list: exponents" SOME |n| Value::list(Type::Number, each(n, |n| exponent("", 100 + n % 1000)));
    "list: words" SOME |n| Value::list(Type::String, each(n, word));
    "list: one word" SOME |n| Value::list(Type::String, vec![word(1); n]);
    "list: backwards" SOME |n| Value::list(Type::String, each(n, |at| word(n - at)));
    "list: bools" SOME |n| Value::list(Type::Bool, vec![Value::bool(true); n]);
    "list: digits" SOME |n| Value::list(Type::String, each(n, |n| Value::text(n.to_string())));
    "list: nulls" SOME |n| Value::list(Type::String, vec![Value::null(Type::String); n]);
    "list: unknown" SOME |n| Value::list(Type::String, vec![Value::unknown(Type::String); n]);
    "list: secret" SOME |n| Value::list(Type::String, each(n, |n| word(n).with_marks(Marks::SENSITIVE)));
    "list: one long text" SOME |n| Value::list(Type::String, vec![repeated("y", n)]);
    "list: long texts" SOME |n| Value::list(Type::String, each(n / 1000 + 1, |at| Value::text(format!("{}{at}", "z".repeat(999)))));
    "list: lists" SOME |n| Value::list(Type::list(Type::Number), vec![Value::list(Type::Number, each(2, number)); n]);
    "list: large lists" SOME |n| Value::list(Type::list(Type::Number), vec![Value::list(Type::Number, each(n / 20, number)); 20]);
    "list: objects" SOME |n| { let items = each(n, object); Value::list(object(0).ty().clone(), items) };
    "list: long numbers" SOME |n| Value::list(Type::Number, vec![Value::number(digits(n / 10)); 10]);
    "set: numbers" SOME |n| Value::set(Type::Number, each(n, number));
    "set: words" SOME |n| Value::set(Type::String, each(n, word));
    "set: objects" SOME |n| { let items = each(n, object); Value::set(object(0).ty().clone(), items) };
    "set: tuples" SOME |n| Value::set_of(each(n, |n| Value::tuple(vec![number(n), number(n / 2)])));
    "tuple: numbers" SOME |n| Value::tuple(each(n, number));
    "tuple: mixed" SOME |n| Value::tuple(each(n, |n| if n % 2 == 0 { number(n) } else { word(n) }));
    "tuple: structures" SOME |n| Value::tuple(each(n, |n| if n % 2 == 0 { object(n) } else { Value::tuple(vec![]) }));
    "tuple: triangle" FEW |n| Value::tuple(each(n, |n| Value::tuple(each(n, number))));
    "tuple: unlike objects" SOME |n| Value::tuple(each(n, |n| Value::object(keyed(1, number).into_iter().chain([(name(n), word(n))]).collect())));
    "tuple: objects" SOME |n| Value::tuple(each(n, object));
    "tuple: lists and tuples" SOME |n| Value::tuple(each(n, |n| if n % 2 == 0 { Value::list(Type::Number, vec![number(1)]) } else { Value::tuple(vec![word(1)]) }));
    "tuple: depths" FEW |n| Value::tuple(each(n, |n| nested(n, |inner| Value::list_of(vec![inner]))));
    "tuple: nulls" SOME |n| Value::tuple(vec![Value::untyped_null(); n]);
    "map: numbers" SOME |n| Value::map(Type::Number, keyed(n, number));
    "map: words" SOME |n| Value::map(Type::String, keyed(n, word));
    "map: lists" SOME |n| Value::map(Type::list(Type::String), keyed(n, |n| Value::list(Type::String, vec![word(n), word(1)])));
    "map: one large list" SOME |n| Value::map(Type::list(Type::String), vec![(name(1), Value::list(Type::String, each(n, word)))]);
    "map: objects" SOME |n| { let entries = keyed(n, object); Value::map(object(0).ty().clone(), entries) };
    "map: long keys" SOME |n| Value::map(Type::Number, (0..=n / 1000).map(|at| (format!("{}{at}", "k".repeat(999)).into(), number(at))).collect());
    "object: numbers" SOME |n| Value::object(keyed(n, number));
    "object: mixed" SOME |n| Value::object(keyed(n, |n| if n % 2 == 0 { number(n) } else { word(n) }));
    "object: structures" SOME |n| Value::object(keyed(n, |n| if n % 2 == 0 { object(n) } else { Value::tuple(vec![number(n)]) }));
    "object: objects" SOME |n| Value::object(keyed(n, object));
    "object: one long text" SOME |n| Value::object(vec![("a".into(), repeated("y", n))]);
    "object: long keys" SOME |n| Value::object((0..=n / 1000).map(|at| (format!("{}{at}", "k".repeat(999)).into(), number(at))).collect());
    "deep list" FEW |n| nested(n * 9, |inner| Value::list_of(vec![inner]));
    "deep tuple" FEW |n| nested(n * 9, |inner| Value::tuple(vec![inner]));
    "deep object" FEW |n| nested(n * 9, |inner| Value::object(vec![("a".into(), inner)]));
    "deep shared" FEW |n| (0..n.ilog2() as usize * 2).fold(word(1), |inner, _| Value::tuple(vec![inner.clone(), inner]));
    "null" FEW |_| Value::untyped_null();
    "unknown" FEW |_| Value::dynamic();
};

//! Text: `join`, `split`, `substr`, `upper`, … (expressions.md, section 6).

use unicode_segmentation::UnicodeSegmentation as _;

use super::{CallContext, Function, FunctionError, Outcome, Returns, Variation, argument, param, regex, text_case};
use overfold_base::account::{self, ChargedText};
use overfold_value::{Number, Type, Value};

pub(super) fn rows() -> Vec<Function> {
    let text = |name| param(name, Type::String);
    let returns = || Returns::Fixed(Type::String);
    let tests = || Returns::Fixed(Type::Bool);
    vec![
        Function::new("chomp", [text("str")], returns(), |args, _, cx| {
            part_of_text(args, cx, |text, _| text.trim_end_matches(['\r', '\n']))
        }),
        Function::new("endswith", [text("str"), text("suffix")], tests(), |args, _, _| {
            Ok(Value::bool(argument(args, 0).ends_with(argument(args, 1).touched())))
        }),
        Function::new("startswith", [text("str").unknown(), text("prefix")], tests(), starts_with),
        Function::new("strcontains", [text("str"), text("substr")], tests(), |args, _, _| {
            account::touch(argument(args, 0).len().saturating_add(argument(args, 1).len()) * 4);
            Ok(Value::bool(argument(args, 0).contains(argument(args, 1))))
        })
        .may_be_null(),
        Function::new("indent", [param("spaces", Type::Number), text("str")], returns(), indent),
        Function::new("join", [text("separator")], returns(), join)
            .variadic(param("lists", Type::list(Type::String))),
        Function::new("lower", [text("str")], returns(), |args, _, cx| {
            map_text(args, cx, |text| text.chars().map(text_case::lower).collect())
        }),
        Function::new("upper", [text("str")], returns(), |args, _, cx| {
            map_text(args, cx, |text| text.chars().map(text_case::upper).collect())
        }),
        Function::new("title", [text("str")], returns(), |args, _, cx| map_text(args, cx, text_case::titled)),
        Function::new("replace", [text("str"), text("substr"), text("replace")], returns(), replace),
        Function::new("split", [text("separator"), text("str")], Returns::Fixed(Type::list(Type::String)), split),
        Function::new("strrev", [text("str")], returns(), |args, _, cx| {
            map_text(args, cx, |text| text.graphemes(true).rev().collect())
        }),
        Function::new(
            "substr",
            [text("str"), param("offset", Type::Number), param("length", Type::Number)],
            returns(),
            substr,
        ),
        Function::new("trim", [text("str"), text("cutset")], returns(), trim),
        Function::new("trimprefix", [text("str"), text("prefix")], returns(), |args, _, cx| {
            part_of_text(args, cx, |text, prefix| text.strip_prefix(prefix).unwrap_or(text))
        }),
        Function::new("trimsuffix", [text("str"), text("suffix")], returns(), |args, _, cx| {
            part_of_text(args, cx, |text, suffix| text.strip_suffix(suffix).unwrap_or(text))
        }),
        Function::new("trimspace", [text("str")], returns(), |args, _, cx| {
            part_of_text(args, cx, |text, _| text.trim())
        }),
    ]
}

/// Of a text that is not known yet, the known beginning may decide (plan.md, section 3).
fn starts_with(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let (text, prefix) = (args.first(), argument(args, 1));
    account::touch(prefix.len());
    let known = text.map(Value::known_prefix).unwrap_or_default();
    let whole = text.is_some_and(Value::is_known);
    Ok(if known.starts_with(prefix) {
        Value::bool(true)
    } else if whole || !known.is_empty() && known.len() >= prefix.len() {
        Value::bool(false)
    } else {
        Value::unknown_not_null(Type::Bool)
    })
}

/// Returns a part of the first argument, which may depend on the second.
fn part_of_text(args: &[Value], _: &CallContext<'_, '_>, part: for<'a> fn(&'a str, &str) -> &'a str) -> Outcome {
    let text = argument(args, 0);
    Ok(Value::text(part(text.scanned(32), argument(args, 1))))
}

/// Returns a text derived from the first argument, of about the same length.
fn map_text(args: &[Value], _: &CallContext<'_, '_>, change: fn(&str) -> String) -> Outcome {
    let text = argument(args, 0);
    Ok(Value::text(change(text.scanned(8))))
}

/// Returns an argument as a whole number that fits 64 bits.
pub(super) fn whole(args: &[Value], index: usize) -> Result<i64, FunctionError> {
    let number = args.get(index).and_then(Value::as_number).and_then(Number::to_i64);
    number.ok_or_else(|| FunctionError::new("it must be a whole number that fits into 64 bits"))
}

fn trim(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let (text, set) = (argument(args, 0), argument(args, 1));
    account::work(text.len() as u64 / 8 + set.len() as u64);
    // Each character of the text may be looked up among all characters of the set.
    let mut set: Vec<char> = set.chars().collect();
    set.sort_unstable();
    Ok(Value::text(text.trim_matches(|c| set.binary_search(&c).is_ok())))
}

/// The largest number of spaces for which the tool asks for memory at all: that of an address space of 48 bits.
const MOST_SPACES: usize = 1 << 48;

fn indent(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let spaces = whole(args, 0)?;
    let spaces =
        usize::try_from(spaces).map_err(|_| FunctionError::new("the number of spaces must not be negative"))?;
    // The tool writes the spaces first, whether the text has lines to indent or not.
    if spaces > MOST_SPACES {
        return Err(FunctionError::new("the number of spaces is larger than any memory"));
    }
    let text = argument(args, 1);
    let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let length = (spaces as u64).saturating_mul(breaks as u64).saturating_add(text.len() as u64);
    account::build(length / 32, length);
    if breaks == 0 {
        return Ok(Value::text(text));
    }
    let mut between = String::with_capacity(spaces + 1);
    between.push('\n');
    between.extend(std::iter::repeat_n(' ', spaces));
    Ok(Value::text(text.replace('\n', &between)))
}

fn join(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let separator = argument(args, 0);
    let lists = match args {
        [_, lists @ ..] if !lists.is_empty() => lists,
        _ => return Err(FunctionError::new("at least one list is required")),
    };
    // A null element is an error only when all elements are known.
    if !lists.iter().all(Value::is_wholly_known) {
        return Ok(Value::unknown_not_null(Type::String));
    }
    let mut texts: Vec<&str> = Vec::new();
    for (index, list) in lists.iter().enumerate() {
        account::work(list.length().unwrap_or(0) as u64 / 8);
        for (position, item) in list.items().iter().enumerate() {
            if item.is_null() {
                let message = format!("element {position} is null, which cannot be joined");
                return Err(FunctionError::argument(index + 1, message));
            }
            texts.extend(item.as_text());
        }
    }
    let length = texts.iter().map(|text| text.len() as u64).sum::<u64>();
    let between = (texts.len() as u64).saturating_mul(separator.len() as u64);
    account::build(length.saturating_add(between) / 32, length.saturating_add(between));
    Ok(Value::text(texts.join(separator)))
}

fn split(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let (separator, text) = (argument(args, 0), argument(args, 1));
    account::work(text.len() as u64 / 32 + separator.len() as u64 / 8);
    let mut parts = Vec::new();
    let mut add = |part: &str| {
        account::work(1);
        parts.push(Value::text(part));
        Ok::<(), FunctionError>(())
    };
    if separator.is_empty() {
        let mut buffer = [0; 4];
        for c in text.chars() {
            add(c.encode_utf8(&mut buffer))?;
        }
    } else {
        for part in text.split(separator) {
            add(part)?;
        }
    }
    Ok(Value::list(Type::String, parts))
}

/// With an offset from the end, a length of 0 means all that follows, as a negative one does.
fn substr(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let text = argument(args, 0);
    let (offset, length) = (whole(args, 1)?, whole(args, 2)?);
    // The text is walked cluster by cluster, and once more from the start if the offset is one from the end: walking back
    // would look at the same characters again and again.
    let walks = if offset < 0 { 2 } else { 1 };
    account::work(text.len() as u64 * walks / 4);
    let clusters = || text.grapheme_indices(true);
    let from = match usize::try_from(offset) {
        Ok(offset) => offset,
        Err(_) => {
            let back = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
            clusters().count().saturating_sub(back)
        }
    };
    let rest = clusters().nth(from).map_or("", |(at, _)| text.split_at(at).1);
    let length = usize::try_from(length).ok().filter(|length| offset >= 0 || *length > 0);
    let end = length.and_then(|length| rest.grapheme_indices(true).nth(length)).map_or(rest.len(), |(at, _)| at);
    Ok(Value::text(rest.split_at(end).0))
}

fn replace(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let (text, search, with) = (argument(args, 0), argument(args, 1), argument(args, 2));
    if let Some(pattern) = search.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
        return regex::replace(text, pattern, with, context.has(Variation::LooseUnicodeNames));
    }
    account::work((text.len() + search.len() * 4) as u64 / 16);
    let count = text.matches(search).count() as u64;
    let replaced = count.saturating_mul(with.len() as u64);
    account::build(replaced / 32 + count / 4, text.len() as u64 + replaced);
    Ok(Value::text(text.replace(search, with)))
}

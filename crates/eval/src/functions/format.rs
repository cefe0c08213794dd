//! `format` and `formatlist` (expressions.md, section 6.3).

use dashu_base::BitTest as _;
use unicode_segmentation::UnicodeSegmentation as _;

use super::{CallContext, Function, FunctionError, Outcome, Returns, Variation, argument, param};
use overfold_base::account::{self, ChargedIterator};
use overfold_value::{Kind, Number, Type, Value, Verb as Layout, charge_decimal, convert};

pub(super) fn rows() -> Vec<Function> {
    let args = || param("args", Type::Dynamic).null().unknown();
    let text = || Function::new("format", [param("format", Type::String)], Returns::Fixed(Type::String), format);
    let list = Returns::Fixed(Type::list(Type::String));
    let texts = || Function::new("formatlist", [param("format", Type::String)], list.clone(), format_list);
    let null = Variation::FormatsUntypedNull;
    vec![
        text().variadic(args()).without(null),
        text().variadic(args().dynamic()).with(null),
        texts().variadic(args()).without(null),
        texts().variadic(args().dynamic()).with(null),
    ]
}

fn format(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    if !args.iter().skip(1).all(Value::is_wholly_known) {
        // What precedes the first directive is known.
        let prefix = argument(args, 0).split_once('%').map_or("", |(before, _)| before);
        return Ok(Value::unknown_not_null(Type::String).refined_prefix(prefix));
    }
    let values: Vec<&Value> = args.iter().skip(1).collect();
    write(argument(args, 0), &values, context).map(Value::text)
}

fn format_list(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let unknown = || Ok(Value::unknown_not_null(Type::list(Type::String)));
    if args.first().is_none_or(|format| !format.is_known()) {
        return unknown();
    }
    let values = args.get(1..).unwrap_or_default();
    let mut length: Option<(usize, usize)> = None;
    let mut waiting = false;
    for (index, value) in values.iter().enumerate() {
        if value.ty().is_dynamic() && !value.is_known() {
            waiting = true;
            continue;
        }
        let this = match (value.ty(), value.as_items()) {
            (Type::Set(_), Some(items)) if items.len() > 1 && !value.is_wholly_known() => {
                waiting = true;
                continue;
            }
            (_, Some(items)) => items.len(),
            // The length of a tuple is known even if its value is not.
            (Type::Tuple(_), None) if !value.is_null() => {
                waiting = true;
                value.ty().tuple_elements().len()
            }
            (Type::List(_) | Type::Set(_), None) if !value.is_null() => {
                waiting = true;
                continue;
            }
            _ => continue,
        };
        match length {
            None => length = Some((this, index)),
            Some((length, chosen)) if length != this => {
                let (place, other) = (index + 1, chosen + 1);
                let message = format!(
                    "the length of list {place} is {this}, but the length of list {other} is {length}; they \
                             must be equal"
                );
                return Err(FunctionError::argument(index + 1, message));
            }
            Some(_) => {}
        }
    }
    if waiting {
        return unknown();
    }
    let mut texts = Vec::new();
    for round in 0..length.map_or(1, |(length, _)| length) {
        let row: Vec<&Value> = values
            .iter()
            .charged_at_once(1)
            .filter_map(|value| value.as_items().map_or(Some(value), |items| items.get(round)))
            .collect();
        texts.push(if row.iter().all(|value| value.is_wholly_known()) {
            let text = write(argument(args, 0), &row, context);
            Value::text(text.map_err(|problem| FunctionError::new(format!("{} (row {round})", problem.message)))?)
        } else {
            Value::unknown_not_null(Type::String)
        });
    }
    Ok(Value::list(Type::String, texts))
}

/// One `%…` directive of a format.
struct Directive<'f> {
    /// The directive as written.
    raw: &'f str,
    minus: bool,
    plus: bool,
    sharp: bool,
    space: bool,
    zero: bool,
    width: Option<Count>,
    precision: Option<Count>,
    /// The number of its argument, 1-based, if it is given.
    argument: Option<Count>,
    verb: char,
}

/// A number written in a directive.
#[derive(Clone, Copy)]
struct Count {
    value: usize,
    /// Whether the number has too many digits for the number verbs.
    excessive: bool,
}

/// The maximum width and precision.
const WIDTH_LIMIT: usize = 10_000_009;

fn write(format: &str, values: &[&Value], context: &CallContext<'_, '_>) -> Result<String, FunctionError> {
    account::work(format.len() as u64 / 16);
    let mut out = String::new();
    let mut rest = format;
    let mut next = 1;
    let mut highest = 0;
    while let Some((before, after)) = rest.split_once('%') {
        account::work(1);
        out.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            out.push('%');
            rest = after;
            continue;
        }
        let (directive, after) = directive(after)?;
        rest = after;
        let number = directive.argument.map_or(next, |count| count.value);
        next = number.saturating_add(1);
        highest = highest.max(number);
        let raw = directive.raw;
        let Some(value) = values.get(number - 1) else {
            let count = values.len();
            return Err(FunctionError::new(format!(
                "\"%{raw}\" uses argument {number}, but the number of arguments is \
                {count}"
            )));
        };
        let text = directive.text(value, context)?.map_err(|problem| {
            FunctionError::new(format!(
                "argument {number} cannot be used with \"%{raw}\": \
                {problem}"
            ))
        })?;
        account::build(text.len() as u64 / 8 + 1, text.len() as u64);
        out.push_str(&text);
    }
    out.push_str(rest);
    if highest < values.len() {
        let message = format!("the format string uses only {highest} of the arguments");
        return Err(FunctionError::argument(highest + 1, message));
    }
    Ok(out)
}

/// Parses what follows a `%`; returns the directive and the text after it.
fn directive(text: &str) -> Result<(Directive<'_>, &str), FunctionError> {
    let mut directive = Directive {
        raw: "",
        minus: false,
        plus: false,
        sharp: false,
        space: false,
        zero: false,
        width: None,
        precision: None,
        argument: None,
        verb: 'v',
    };
    let mut rest = text.trim_start_matches(['-', '+', '#', ' ', '0']);
    for flag in text.bytes().take(text.len() - rest.len()) {
        match flag {
            b'-' => directive.minus = true,
            b'+' => directive.plus = true,
            b'#' => directive.sharp = true,
            b' ' => directive.space = true,
            _ => directive.zero = true,
        }
    }
    (directive.width, rest) = count(rest);
    if let Some(after) = rest.strip_prefix('.') {
        let (precision, after) = count(after);
        directive.precision = Some(precision.unwrap_or(Count { value: 0, excessive: false }));
        rest = after;
    }
    if let Some(after) = rest.strip_prefix('[') {
        let (number, after) = count(after);
        directive.argument = number.filter(|number| number.value > 0 && !after.is_empty());
        rest = match (directive.argument, after.strip_prefix(']')) {
            (Some(_), Some(rest)) if !text_starts_with_zero(text) => rest,
            _ => {
                return Err(FunctionError::new(
                    "brackets after a percent sign must contain the number of an \
                argument, starting at 1",
                ));
            }
        };
    }
    let mut chars = rest.chars();
    match chars.next() {
        Some(verb) if verb.is_ascii_alphabetic() => directive.verb = verb,
        Some(other) => return Err(FunctionError::new(format!("{other:?} is not allowed after a percent sign here"))),
        None => {
            return Err(FunctionError::new(
                "the format string ends after a percent sign; write %% for a literal \
            one",
            ));
        }
    }
    let rest = chars.as_str();
    (directive.raw, _) = text.split_at(text.len() - rest.len());
    Ok((directive, rest))
}

/// Returns whether the number in the brackets begins with a zero.
fn text_starts_with_zero(text: &str) -> bool {
    text.split_once('[').is_some_and(|(_, number)| number.starts_with('0'))
}

fn count(text: &str) -> (Option<Count>, &str) {
    const FEW: usize = 1_000_000;
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let Some((digits, rest)) = text.split_at_checked(end).filter(|(digits, _)| !digits.is_empty()) else {
        return (None, text);
    };
    let mut value = 0usize;
    let mut excessive = false;
    for digit in digits.bytes() {
        excessive |= value > FEW;
        value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
    }
    (Some(Count { value, excessive }), rest)
}

impl Directive<'_> {
    /// Formats a value. The outer error stops the evaluation, the inner one describes what is wrong with the value.
    fn text(&self, value: &Value, _: &CallContext<'_, '_>) -> Result<Result<String, String>, FunctionError> {
        let number_verb = matches!(self.verb, 'b' | 'd' | 'o' | 'x' | 'X' | 'e' | 'E' | 'f' | 'g' | 'G');
        let sizes = [self.width, self.precision];
        let excessive = sizes.iter().flatten().any(|count| count.excessive);
        let max = sizes.iter().flatten().map(|count| count.value).max().unwrap_or(0);
        if !(number_verb && excessive) {
            if self.verb != 't' && self.width.is_some_and(|width| width.value > WIDTH_LIMIT) {
                return Ok(Err("the width is too large".to_owned()));
            }
            if number_verb || self.width.is_some() {
                account::build(max.min(WIDTH_LIMIT) as u64 / 8, max.min(WIDTH_LIMIT) as u64);
            }
        }
        if self.verb == 'v' || value.ty().is_primitive() {
            account::work(value.weight());
        }
        Ok(self.format_value(value, excessive))
    }

    fn format_value(&self, value: &Value, excessive: bool) -> Result<String, String> {
        if value.is_null() && self.verb != 'v' {
            return Err("it must not be null".to_owned());
        }
        let number = || match convert(value, &Type::Number) {
            Ok(number) => number.as_number().cloned().ok_or_else(|| "it must be a number".to_owned()),
            Err(_) => Err("it must be a number".to_owned()),
        };
        match self.verb {
            'v' => self.default_format(value),
            't' => match convert(value, &Type::Bool).ok().and_then(|value| value.as_bool()) {
                Some(value) => Ok(value.to_string()),
                None => Err("it must be a bool".to_owned()),
            },
            'b' | 'd' | 'o' | 'x' | 'X' => self.integer(&number()?, excessive),
            'e' | 'E' | 'f' | 'g' | 'G' => self.float(&number()?, excessive),
            's' | 'q' => {
                let text = convert(value, &Type::String).map_err(|_| "it must be a string".to_owned())?;
                let mut text = text.as_text().unwrap_or_default();
                if let Some(Count { value: max @ 1.., .. }) = self.precision
                    && let Some((end, _)) = text.grapheme_indices(true).nth(max)
                {
                    text = text.get(..end).unwrap_or(text);
                }
                if self.verb == 's' {
                    return Ok(self.padded(text.to_owned()));
                }
                let mut quoted = String::new();
                super::json::write_text(text, &mut quoted);
                Ok(self.padded(quoted))
            }
            verb => Err(format!("unknown verb {verb:?}")),
        }
    }

    fn default_format(&self, value: &Value) -> Result<String, String> {
        let text = match value.kind() {
            Kind::Text(text) if !self.sharp => text.to_string(),
            Kind::Number(number) if !self.sharp => {
                number.format(Layout::General, None).map_err(|error| error.to_string())?
            }
            _ => {
                let mut json = String::new();
                value.write_json(&mut json, super::json::write_text).map_err(|error| error.to_string())?;
                json
            }
        };
        Ok(self.padded(text))
    }

    /// Pads the text to the width, which is counted in grapheme clusters.
    fn padded(&self, text: String) -> String {
        let Some(width) = self.width else { return text };
        let missing = width.value.saturating_sub(text.graphemes(true).count());
        let filling = if self.zero { "0" } else { " " }.repeat(missing);
        if self.minus { text + &filling } else { filling + &text }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    fn padding_length(&self, length: usize) -> usize {
        self.width.map_or(0, |width| width.value.saturating_sub(length))
    }

    fn integer(&self, number: &Number, excessive: bool) -> Result<String, String> {
        let whole = || "it must be a whole number".to_owned();
        if !number.is_integer() {
            return Err(whole());
        }
        let integer =
            number.to_integer(Number::TEXT_LIMIT).ok_or("the number is too long to be written in decimal")?;
        if excessive || self.verb == 'd' {
            charge_decimal(integer.bit_len());
        } else {
            account::text(integer.bit_len());
        }
        if excessive {
            // The tool's output when the layout exceeds what its number formatter accepts.
            return Ok(format!("%!(NOVERB)%!(EXTRA *big.Int={integer})"));
        }
        let (sign, magnitude) = integer.into_parts();
        let (radix, prefix) = match self.verb {
            'b' => (2, "0b"),
            'o' => (8, "0"),
            'x' => (16, "0x"),
            'X' => (16, "0X"),
            _ => (10, ""),
        };
        let mut digits = magnitude.in_radix(radix).to_string();
        if self.verb == 'X' {
            digits.make_ascii_uppercase();
        }
        let mut zeros = 0;
        if let Some(precision) = self.precision {
            if precision.value == 0 && digits == "0" {
                return Ok(String::new());
            }
            zeros = precision.value.saturating_sub(digits.len());
        }
        let sign = self.sign(sign == dashu_base::Sign::Negative && digits != "0");
        let prefix = if self.sharp { prefix } else { "" };
        let missing = self.padding_length(sign.len() + prefix.len() + zeros + digits.len());
        let (mut left, mut right) = (0, 0);
        match (self.minus, self.zero && self.precision.is_none()) {
            (true, _) => right = missing,
            (_, true) => zeros = missing,
            _ => left = missing,
        }
        let (left, zeros, right) = (" ".repeat(left), "0".repeat(zeros), " ".repeat(right));
        Ok(format!("{left}{sign}{prefix}{zeros}{digits}{right}"))
    }

    fn float(&self, number: &Number, excessive: bool) -> Result<String, String> {
        let long = |error: overfold_value::TextTooLong| error.to_string();
        if excessive {
            let text = number.format(Layout::General, None).map_err(long)?;
            return Ok(format!("%!(NOVERB)%!(EXTRA *big.Float={text})"));
        }
        let precision = self.precision.map(|count| count.value);
        let text = match self.verb {
            'e' | 'E' => number.format(Layout::Exponent, Some(precision.unwrap_or(6))),
            'f' => number.format(Layout::Fixed, Some(precision.unwrap_or(6))),
            _ => number.format(Layout::General, precision),
        };
        let mut text = text.map_err(long)?;
        if self.verb.is_ascii_uppercase() {
            text = text.replace('e', "E");
        }
        let (sign, digits) = match (text.strip_prefix('-'), text.strip_prefix('+')) {
            (Some(digits), _) => ("-", digits),
            (_, Some(digits)) => (if self.space { " " } else { "+" }, digits),
            _ => (self.sign(false), text.as_str()),
        };
        let missing = self.padding_length(sign.len() + digits.len());
        Ok(match (self.zero && !number.is_infinite(), self.minus) {
            (true, _) => format!("{sign}{}{digits}", "0".repeat(missing)),
            (_, true) => format!("{sign}{digits}{}", " ".repeat(missing)),
            _ => format!("{}{sign}{digits}", " ".repeat(missing)),
        })
    }
}

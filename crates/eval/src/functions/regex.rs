//! Regular expressions: `regex`, `regexall`, and `replace` with a pattern (expressions.md, section 6).

use std::sync::Arc;

use regex::{Captures, Regex};

use super::re2::{self, Pattern};
use super::{CallContext, Function, FunctionError, Outcome, Returns, Variation, argument, param};
use overfold_base::account;
use overfold_value::{AttributeType, Type, Value};

pub(super) fn rows() -> Vec<Function> {
    let params = || [param("pattern", Type::String), param("string", Type::String)];
    vec![
        Function::new("regex", params(), Returns::Rule(match_type), first),
        Function::new("regexall", params(), Returns::Rule(|args| match_type(args).map(Type::list)), all),
        Function::new("regex", params(), Returns::Rule(loose_match_type), first).with(Variation::LooseUnicodeNames),
        Function::new("regexall", params(), Returns::Rule(|args| loose_match_type(args).map(Type::list)), all)
            .with(Variation::LooseUnicodeNames),
    ]
}

/// Returns the type of one match; unknown while the pattern is unknown.
fn match_type(args: &[Value]) -> Result<Type, FunctionError> {
    let Some(pattern) = args.first().and_then(Value::as_text) else { return Ok(Type::Dynamic) };
    Ok(Shape::from_pattern(&read(pattern, false)?)?.ty())
}

/// Like [`match_type`], where names of properties may be written differently.
fn loose_match_type(args: &[Value]) -> Result<Type, FunctionError> {
    let Some(pattern) = args.first().and_then(Value::as_text) else { return Ok(Type::Dynamic) };
    Ok(Shape::from_pattern(&read(pattern, true)?)?.ty())
}

fn read(pattern: &str, loose_names: bool) -> Result<Pattern, FunctionError> {
    re2::read(pattern, loose_names)
        .map_err(|problem| FunctionError::argument(0, format!("it is not a valid regular expression: {problem}")))
}

/// The form of the value of a match.
enum Shape {
    /// The matching text; there are no groups.
    Text,
    /// A tuple with this number of unnamed groups.
    Tuple(usize),
    /// The name and number of each group, sorted by name; a later group replaces an earlier one with the same name.
    Object(Vec<(Arc<str>, usize)>),
}

impl Shape {
    fn from_pattern(pattern: &Pattern) -> Result<Self, FunctionError> {
        let groups = &pattern.groups;
        if groups.is_empty() {
            return Ok(Self::Text);
        }
        if groups.iter().all(Option::is_none) {
            return Ok(Self::Tuple(groups.len()));
        }
        if groups.iter().any(Option::is_none) {
            return Err(FunctionError::argument(0, "named and unnamed groups cannot be mixed"));
        }
        let named = groups.iter().enumerate().filter_map(|(index, name)| Some((name.as_deref()?, index + 1)));
        let last: std::collections::BTreeMap<&str, usize> = named.collect();
        Ok(Self::Object(last.into_iter().map(|(name, index)| (Arc::from(name), index)).collect()))
    }

    fn ty(&self) -> Type {
        match self {
            Self::Text => Type::String,
            Self::Tuple(count) => Type::tuple(vec![Type::String; *count]),
            Self::Object(names) => {
                Type::object(names.iter().map(|(name, _)| AttributeType::new(name.clone(), Type::String)).collect())
            }
        }
    }

    /// Returns the number of parts in the value of one match.
    fn parts(&self) -> u64 {
        match self {
            Self::Text => 1,
            Self::Tuple(count) => *count as u64 + 1,
            Self::Object(names) => names.len() as u64 + 1,
        }
    }

    fn value(&self, found: &Captures<'_>) -> Value {
        let group = |index: usize| match found.get(index) {
            Some(group) => Value::text(group.as_str()),
            None => Value::null(Type::String),
        };
        match self {
            Self::Text => group(0),
            Self::Tuple(count) => Value::tuple((1..=*count).map(group).collect()),
            Self::Object(names) => {
                Value::object(names.iter().map(|(name, index)| (name.clone(), group(*index))).collect())
            }
        }
    }
}

/// The work units that compiling the smallest pattern costs.
const COMPILE_COST: u64 = 600;

/// The number of states above which compiling a pattern allocates additional memory.
const LARGE_PATTERN: u64 = 10_000;

/// Compiles a pattern for searching in `text`, and charges for compiling and searching.
fn compile(pattern: &Pattern, text: &str) -> Result<Regex, String> {
    account::build(COMPILE_COST + pattern.cost(), pattern.size * if pattern.size > LARGE_PATTERN { 512 } else { 64 });
    // In the worst case every state is visited for every byte.
    account::work(pattern.size.saturating_mul(text.len() as u64) / 8 + text.len() as u64 / 32);
    pattern.build()
}

/// Charges for one more match, whose search may have read all the rest of the text before it was certain.
fn next_match(pattern: &Pattern, rest: usize, parts: u64) {
    account::work(parts + pattern.max_bytes_read(rest) / 64);
}

fn first(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let text = argument(args, 1);
    let pattern = read(argument(args, 0), context.has(Variation::LooseUnicodeNames))?;
    let shape = Shape::from_pattern(&pattern)?;
    let regex = compile(&pattern, text).map_err(|problem| FunctionError::argument(0, problem))?;
    account::work(shape.parts());
    match regex.captures(text) {
        Some(found) => Ok(shape.value(&found)),
        None => Err(FunctionError::new("the pattern does not match the string")),
    }
}

fn all(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let text = argument(args, 1);
    let pattern = read(argument(args, 0), context.has(Variation::LooseUnicodeNames))?;
    let shape = Shape::from_pattern(&pattern)?;
    let regex = compile(&pattern, text).map_err(|problem| FunctionError::argument(0, problem))?;
    let mut matches = Vec::new();
    for found in regex.captures_iter(text) {
        let from = found.get(0).map_or(0, |whole| whole.start());
        next_match(&pattern, text.len() - from, shape.parts());
        matches.push(shape.value(&found));
    }
    Ok(Value::list(shape.ty(), matches))
}

/// Replaces every match of `pattern` in `text` by `with`, in which `$1`, `$name` and `${name}` refer to groups.
pub(super) fn replace(text: &str, pattern: &str, with: &str, loose_names: bool) -> Outcome {
    let problem = |problem: String| FunctionError::new(format!("the pattern is not valid: {problem}"));
    let pattern = re2::read(pattern, loose_names).map_err(problem)?;
    let regex = compile(&pattern, text).map_err(problem)?;
    let template = template(with, &pattern.groups);
    let mut out = String::new();
    let mut end = 0;
    let mut charged = 0;
    for found in regex.captures_iter(text) {
        let Some(whole) = found.get(0) else { continue };
        next_match(&pattern, text.len() - whole.start(), template.len() as u64 + 1);
        out.push_str(text.get(end..whole.start()).unwrap_or_default());
        end = whole.end();
        for piece in &template {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Groups(groups) => {
                    let group = groups.iter().find_map(|group| found.get(*group));
                    out.push_str(group.map_or("", |group| group.as_str()));
                }
            }
        }
        account::text(out.len() - charged);
        charged = out.len();
    }
    out.push_str(text.get(end..).unwrap_or_default());
    Ok(Value::text(out))
}

/// A part of the replacement of a match.
enum Piece<'t> {
    Text(&'t str),
    /// The first of these groups that matched.
    Groups(Vec<usize>),
}

fn template<'t>(text: &'t str, groups: &[Option<String>]) -> Vec<Piece<'t>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        pieces.push(Piece::Text(before));
        if let Some(after) = after.strip_prefix('$') {
            pieces.push(Piece::Text("$"));
            rest = after;
        } else if let Some((name, after)) = reference(after) {
            pieces.push(Piece::Groups(referenced(name, groups)));
            rest = after;
        } else {
            pieces.push(Piece::Text("$"));
            rest = after;
        }
    }
    pieces.push(Piece::Text(rest));
    pieces.retain(|piece| !matches!(piece, Piece::Text("")));
    pieces
}

/// Returns the name after a `$`, in braces or not, and what follows.
fn reference(text: &str) -> Option<(&str, &str)> {
    let braced = text.strip_prefix('{');
    let inner = braced.unwrap_or(text);
    let end = inner.find(|c: char| !(c == '_' || c.is_alphanumeric())).unwrap_or(inner.len());
    let (name, rest) = inner.split_at_checked(end).filter(|(name, _)| !name.is_empty())?;
    Some((name, if braced.is_some() { rest.strip_prefix('}')? } else { rest }))
}

fn referenced(name: &str, groups: &[Option<String>]) -> Vec<usize> {
    let number = name.bytes().all(|byte| byte.is_ascii_digit()) && (name.len() == 1 || !name.starts_with('0'));
    if number {
        return name.parse().ok().filter(|number| *number <= groups.len()).into_iter().collect();
    }
    let named = groups.iter().enumerate().filter(|(_, group)| group.as_deref() == Some(name));
    named.map(|(index, _)| index + 1).collect()
}

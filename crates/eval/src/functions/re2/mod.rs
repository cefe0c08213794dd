//! Translates patterns of the language (RE2 as implemented by Go; expressions.md, section 6) for the `regex` crate.
//!
//! Every pattern is parsed completely here, so that exactly the language's own rules decide which patterns are
//! accepted. The translation uses only explicit forms: no flags, characters by number, sets by ranges.
//!
//! Using `regex` alone was considered: it accepts patterns that RE2 refuses (`\b{start}`) and interprets others
//! differently (`[a&&b]`), which would go unnoticed until a plan.

mod sets;

use std::fmt::Write as _;

use overfold_base::account;
use overfold_value::excerpt;
use sets::{Class, NOTHING};

/// The maximum number of repetitions of one part, multiplied by those around it.
const REPEAT_LIMIT: u32 = 1_000;
/// The maximum nesting depth.
const HEIGHT_LIMIT: u32 = 1_000;
/// The maximum size of a pattern, as a rough count of its states.
const SIZE_LIMIT: u64 = 1_000_000;
/// The maximum memory of a search, as a rough count of states times groups.
const MEMORY_LIMIT: u64 = 4_000_000;
/// The number of states from which on a set is assumed to contain multi-byte characters.
const WIDE: u64 = 10;
/// The work units that the first such set costs.
const FIRST_WIDE: u64 = 1_000;
/// The maximum size in bytes of a compiled pattern.
const BYTES_LIMIT: usize = 64 << 20;

/// A parsed pattern.
#[derive(Debug)]
pub(super) struct Pattern {
    /// The translation for the `regex` crate: groups in the same order, without names.
    text: String,
    /// The name of each group, in the order of their opening parentheses.
    pub(super) groups: Vec<Option<String>>,
    /// The approximate number of states that a search visits.
    pub(super) size: u64,
    height: u32,
    unbounded: bool,
    /// The work units that the sets of characters cost in addition to their states.
    set_cost: u64,
}

impl Pattern {
    /// Returns the work units for compiling this pattern, in addition to the fixed cost of every pattern.
    pub(super) fn cost(&self) -> u64 {
        self.size.saturating_mul(4).saturating_add(self.set_cost).saturating_add(self.text.len() as u64 / 4)
    }

    /// Returns the maximum number of bytes a search may read before a match is certain.
    pub(super) fn max_bytes_read(&self, rest: usize) -> u64 {
        let rest = rest as u64;
        if self.unbounded { rest } else { rest.min(self.size.saturating_mul(4)) }
    }

    /// Compiles the pattern.
    pub(super) fn build(&self) -> Result<regex::Regex, String> {
        let build = || {
            regex::RegexBuilder::new(&self.text)
                .size_limit(BYTES_LIMIT)
                .nest_limit(HEIGHT_LIMIT * 8)
                .build()
                .map_err(|_| "the pattern is too large".to_owned())
        };
        // The crate compiles patterns recursively.
        if self.height > 50 { stacker::grow(16 << 20, build) } else { build() }
    }
}

/// Parses a pattern; `loose_names`: whether names of properties ignore case, spaces, hyphens and underscores. The error describes the problem in this service's words.
pub(super) fn read(pattern: &str, loose_names: bool) -> Result<Pattern, String> {
    account::work(8 + pattern.len() as u64);
    let mut reader = Reader {
        rest: pattern,
        out: String::with_capacity(pattern.len() * 2),
        groups: Vec::new(),
        flags: Flags::default(),
        branch: Branch::default(),
        open: Vec::new(),
        repeated: false,
        unbounded: false,
        no_named_sets: false,
        loose_names,
        set_cost: 0,
    };
    reader.read()?;
    let (size, height) = (reader.branch.total_size(), reader.branch.total_height());
    if size.saturating_mul(reader.groups.len() as u64 + 1) > MEMORY_LIMIT.max(size) {
        return Err("the pattern has too many groups for its size".to_owned());
    }
    Ok(Pattern {
        text: reader.out,
        groups: reader.groups,
        size,
        height,
        unbounded: reader.unbounded,
        set_cost: reader.set_cost,
    })
}

#[derive(Clone, Copy, Default)]
struct Flags {
    fold_case: bool,
    lines: bool,
    dot_all: bool,
    lazy: bool,
}

/// A complete part of a pattern that may be followed by a repetition.
#[derive(Clone, Copy)]
struct Piece {
    /// Its start in the translation.
    start: usize,
    size: u64,
    height: u32,
    /// How often its most repeated part may occur.
    repeats: u32,
    repeated: bool,
}

/// The content of an alternative of a group, and of the preceding alternatives in the same group.
#[derive(Default)]
struct Branch {
    last: Option<Piece>,
    pieces: u32,
    size: u64,
    height: u32,
    repeats: u32,
    alternatives: bool,
}

impl Branch {
    fn push(&mut self, piece: Piece) -> Result<(), String> {
        self.settle();
        self.pieces += 1;
        self.last = Some(piece);
        if self.total_size() > SIZE_LIMIT {
            return Err("the pattern is too large".to_owned());
        }
        Ok(())
    }

    /// Completes the last piece, which cannot be repeated any more.
    fn settle(&mut self) {
        if let Some(last) = self.last.take() {
            self.size = self.size.saturating_add(last.size);
            self.height = self.height.max(last.height);
            self.repeats = self.repeats.max(last.repeats);
        }
    }

    fn total_size(&self) -> u64 {
        self.size.saturating_add(self.last.map_or(0, |piece| piece.size)).saturating_add(1)
    }

    fn total_height(&self) -> u32 {
        let inner = self.height.max(self.last.map_or(0, |piece| piece.height));
        inner + u32::from(inner > 1 && self.pieces > 1) + u32::from(self.alternatives)
    }
}

struct Open {
    start: usize,
    branch: Branch,
    flags: Flags,
    captures: bool,
}

struct Reader<'p> {
    rest: &'p str,
    out: String,
    groups: Vec<Option<String>>,
    flags: Flags,
    branch: Branch,
    open: Vec<Open>,
    /// Whether the preceding token was a repetition.
    repeated: bool,
    /// Whether there is an unbounded repetition.
    unbounded: bool,
    /// Whether it is known that no `:]`, which would end the name of a set, follows.
    no_named_sets: bool,
    /// Whether names of properties ignore case, spaces, hyphens and underscores.
    loose_names: bool,
    set_cost: u64,
}

impl<'p> Reader<'p> {
    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next();
        self.rest = chars.as_str();
        c
    }

    fn take(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn read(&mut self) -> Result<(), String> {
        loop {
            let before = std::mem::take(&mut self.repeated);
            let whole = self.rest;
            let Some(c) = self.next() else { break };
            match c {
                '(' => self.group()?,
                '|' => {
                    self.branch.settle();
                    self.branch.alternatives = true;
                    self.branch.pieces = 0;
                    self.out.push('|');
                }
                ')' => self.close()?,
                '^' => self.assertion(if self.flags.lines { "(?m:^)" } else { r"\A" })?,
                '$' => self.assertion(if self.flags.lines { "(?m:$)" } else { r"\z" })?,
                '.' => {
                    let set = if self.flags.dot_all { "(?s:.)" } else { r"[^\n]" };
                    self.piece(set, 10)?;
                }
                '[' => {
                    let class = self.class()?;
                    self.class_piece(&class)?;
                }
                '*' => self.repeat(0, None, before)?,
                '+' => self.repeat(1, None, before)?,
                '?' => self.repeat(0, Some(1), before)?,
                '{' => match counts(whole) {
                    Some((min, max, rest)) => {
                        if min > REPEAT_LIMIT || max.is_some_and(|max| max > REPEAT_LIMIT || max < min) {
                            return Err(format!(
                                "the limits of a repetition must be in ascending order and at most \
                                {REPEAT_LIMIT}"
                            ));
                        }
                        self.rest = rest;
                        self.repeat(min, max, before)?;
                    }
                    None => self.literal('{')?,
                },
                '\\' => self.escape()?,
                c => self.literal(c)?,
            }
        }
        if self.open.is_empty() { Ok(()) } else { Err("a closing parenthesis is missing".to_owned()) }
    }

    fn piece(&mut self, text: &str, size: u64) -> Result<(), String> {
        if size >= WIDE && self.set_cost < FIRST_WIDE {
            self.set_cost += FIRST_WIDE;
        }
        let start = self.out.len();
        self.out.push_str(text);
        self.branch.push(Piece { start, size, height: 1, repeats: 1, repeated: false })
    }

    fn assertion(&mut self, text: &str) -> Result<(), String> {
        self.piece(text, 1)
    }

    fn literal(&mut self, c: char) -> Result<(), String> {
        let start = self.out.len();
        let size = if self.flags.fold_case {
            // Writing to a String cannot fail.
            let _ = write!(self.out, r"(?i:\x{{{:x}}})", c as u32);
            self.set_cost += 80;
            4 * c.len_utf8() as u64
        } else {
            let _ = write!(self.out, r"\x{{{:x}}}", c as u32);
            c.len_utf8() as u64
        };
        self.branch.push(Piece { start, size, height: 1, repeats: 1, repeated: false })
    }

    fn class_piece(&mut self, class: &Class) -> Result<(), String> {
        if self.flags.fold_case {
            self.set_cost += 300;
        }
        let folded = if self.flags.fold_case { format!("(?i:{})", class.text) } else { class.text.clone() };
        self.piece(&folded, class.size)
    }

    fn group(&mut self) -> Result<(), String> {
        let start = self.out.len();
        let flags = self.flags;
        let mut captures = true;
        if self.rest.starts_with('?') {
            if self.take("?P<") || self.take("?<") {
                let (name, rest) = self.rest.split_once('>').ok_or("the name of a group is not closed")?;
                if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                    return Err(format!("{:?} is not a valid group name", excerpt(name)));
                }
                self.rest = rest;
                self.groups.push(Some(name.to_owned()));
            } else {
                self.next();
                if !self.flags()? {
                    return Ok(());
                }
                captures = false;
            }
        } else {
            self.groups.push(None);
        }
        if self.open.len() as u32 >= HEIGHT_LIMIT {
            return Err("groups are nested too deeply".to_owned());
        }
        self.out.push_str(if captures { "(" } else { "(?:" });
        self.open.push(Open { start, branch: std::mem::take(&mut self.branch), flags, captures });
        Ok(())
    }

    /// Parses the flags after `(?`. Returns true if a group follows, false if they apply from here on.
    fn flags(&mut self) -> Result<bool, String> {
        let mut on = true;
        let mut seen = false;
        loop {
            let c = self.next();
            let flag = match c {
                Some('i') => &mut self.flags.fold_case,
                Some('m') => &mut self.flags.lines,
                Some('s') => &mut self.flags.dot_all,
                Some('U') => &mut self.flags.lazy,
                Some('-') if on => {
                    on = false;
                    seen = false;
                    continue;
                }
                Some(c @ (':' | ')')) if on || seen => return Ok(c == ':'),
                _ => return Err("unknown group syntax after \"(?\" (look-around is not supported)".to_owned()),
            };
            *flag = on;
            seen = true;
        }
    }

    fn close(&mut self) -> Result<(), String> {
        let Some(Open { start, branch, flags, captures }) = self.open.pop() else {
            return Err("a closing parenthesis has no matching opening one".to_owned());
        };
        let mut inner = std::mem::replace(&mut self.branch, branch);
        inner.settle();
        let height = inner.total_height() + u32::from(captures);
        if height > HEIGHT_LIMIT {
            return Err("the pattern is nested too deeply".to_owned());
        }
        self.flags = flags;
        self.out.push(')');
        let (size, repeats) = (inner.total_size() + 2, inner.repeats.max(1));
        self.branch.push(Piece { start, size, height, repeats, repeated: false })
    }

    /// Parses the rest of a repetition; unbounded if `max` is `None`.
    fn repeat(&mut self, min: u32, max: Option<u32>, before: bool) -> Result<(), String> {
        let lazy = self.take("?") != self.flags.lazy;
        if before {
            return Err("a repetition operator follows another one".to_owned());
        }
        self.repeated = true;
        self.unbounded |= max.is_none();
        let missing = "a repetition operator has nothing to repeat";
        let last = self.branch.last.as_mut().ok_or(missing)?;
        if last.repeated {
            self.out.insert_str(last.start, "(?:");
            self.out.push(')');
        }
        last.height += 1;
        if last.height > HEIGHT_LIMIT {
            return Err("the pattern is nested too deeply".to_owned());
        }
        let factor = max.unwrap_or(min);
        last.repeats = last.repeats.saturating_mul(factor.max(1));
        if last.repeats > REPEAT_LIMIT && factor >= 2 {
            return Err(format!("nested repetitions exceed {REPEAT_LIMIT} in total"));
        }
        if factor == 0 && max.is_some() {
            last.repeats = 1;
        }
        last.repeated = true;
        last.size = last.size.saturating_mul(u64::from(factor.max(1))).saturating_add(2);
        match (min, max) {
            (0, None) => self.out.push('*'),
            (1, None) => self.out.push('+'),
            (0, Some(1)) => self.out.push('?'),
            // Writing to a String cannot fail.
            (min, None) => drop(write!(self.out, "{{{min},}}")),
            (min, Some(max)) => drop(write!(self.out, "{{{min},{max}}}")),
        }
        if lazy {
            self.out.push('?');
        }
        if self.branch.total_size() > SIZE_LIMIT {
            return Err("the pattern is too large".to_owned());
        }
        Ok(())
    }

    /// Parses what follows a backslash outside sets.
    fn escape(&mut self) -> Result<(), String> {
        if self.take("A") {
            return self.assertion(r"\A");
        }
        if self.take("z") {
            return self.assertion(r"\z");
        }
        if self.take("b") {
            return self.assertion(r"(?-u:\b)");
        }
        if self.take("B") {
            return self.assertion(r"(?-u:\B)");
        }
        if self.take("Q") {
            let (text, rest) = self.rest.split_once(r"\E").unwrap_or((self.rest, ""));
            self.rest = rest;
            return text.chars().try_for_each(|c| self.literal(c));
        }
        match self.escaped_set()? {
            Some(class) => self.class_piece(&class),
            None => {
                let c = self.escaped_character()?;
                match char::from_u32(c) {
                    Some(c) => self.literal(c),
                    None => self.piece(NOTHING, 1),
                }
            }
        }
    }

    /// Parses one escaped character, after the backslash, to its code point, which may be a surrogate.
    fn escaped_character(&mut self) -> Result<u32, String> {
        let wrong = || "unknown escape sequence (back references are not supported)".to_owned();
        let c = self.next().ok_or("the pattern ends with a backslash")?;
        let octal = |rest: &'p str| rest.chars().next().and_then(|c| c.to_digit(8));
        match c {
            '0'..='7' => {
                if c != '0' && octal(self.rest).is_none() {
                    return Err(wrong());
                }
                let mut value = c.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(digit) = octal(self.rest) else { break };
                    value = value * 8 + digit;
                    self.next();
                }
                Ok(value)
            }
            'x' => {
                let digits = if self.take("{") {
                    let (digits, rest) = self.rest.split_once('}').ok_or_else(wrong)?;
                    self.rest = rest;
                    digits
                } else {
                    let (digits, rest) = self.rest.split_at_checked(2).ok_or_else(wrong)?;
                    self.rest = rest;
                    digits
                };
                if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) || digits.is_empty() {
                    return Err(wrong());
                }
                let digits = digits.trim_start_matches('0');
                let value = if digits.is_empty() { Ok(0) } else { u32::from_str_radix(digits, 16) };
                value.ok().filter(|value| *value <= 0x0010_FFFF).ok_or_else(wrong)
            }
            'a' => Ok(7),
            'f' => Ok(12),
            'n' => Ok(10),
            'r' => Ok(13),
            't' => Ok(9),
            'v' => Ok(11),
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => Ok(c as u32),
            _ => Err(wrong()),
        }
    }
}

/// Parses `{n}`, `{n,}` or `{n,m}` at the start of `text`. Returns the counts (the second is `None` if unbounded) and
/// what follows, or `None` if the brace is literal.
fn counts(text: &str) -> Option<(u32, Option<u32>, &str)> {
    let (min, rest) = count(text.strip_prefix('{')?)?;
    if let Some(rest) = rest.strip_prefix('}') {
        return Some((min, Some(min), rest));
    }
    let rest = rest.strip_prefix(',')?;
    if let Some(rest) = rest.strip_prefix('}') {
        return Some((min, None, rest));
    }
    let (max, rest) = count(rest)?;
    Some((min, Some(max), rest.strip_prefix('}')?))
}

/// Parses the digits at the start of `text`, without leading zeros; a number that is too large becomes the maximum.
fn count(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    if digits.is_empty() || digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    Some((digits.parse().unwrap_or(u32::MAX), rest))
}

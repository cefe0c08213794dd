//! Writes values as YAML text: block style throughout, text in double quotes or as literal blocks.
//!
//! The output must be byte-for-byte that of the tool's own writer (where it folds, when it quotes), because
//! configurations compare and hash it. No existing crate allows that control.

use super::FunctionError;
use overfold_base::account;
use overfold_value::{Kind, Value, with_stack};

/// The number of spaces per level.
const STEP: usize = 2;
/// The column after which quoted text is folded at the first single space.
const WIDTH: usize = 80;
/// The length in bytes above which a key is written after a `?`.
const SIMPLE_KEY: usize = 128;

/// Writes a known value as a document. Every line is charged.
pub(super) fn document(value: &Value) -> Result<String, FunctionError> {
    let mut writer = Writer { out: String::new(), column: 0 };
    writer.inline(value, 0)?;
    writer.end_line();
    let is_plain = matches!(value.kind(), Kind::Null(_) | Kind::Bool(_) | Kind::Number(_));
    if is_plain {
        // A lone plain word does not mark its own end.
        writer.out.push_str("...\n");
    }
    Ok(writer.out)
}

struct Writer {
    out: String,
    /// The number of characters on the current line.
    column: usize,
}

impl Writer {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn push_char(&mut self, c: char) {
        self.out.push(c);
        self.column += 1;
    }

    /// Ends the line unless it is still empty.
    fn end_line(&mut self) {
        if self.column > 0 {
            self.out.push('\n');
            self.column = 0;
        }
    }

    /// Starts a new line with `indent` spaces.
    fn line(&mut self, indent: usize) -> Result<(), FunctionError> {
        account::work(2);
        account::touch(indent);
        account::grow(indent as u64 + 2);
        self.end_line();
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
        Ok(())
    }

    /// Writes a value that begins on the current line; further entries of a structure are at `indent`.
    fn inline(&mut self, value: &Value, indent: usize) -> Result<(), FunctionError> {
        with_stack(|| match value.kind() {
            Kind::List(items) | Kind::Set(items) | Kind::Tuple(items) if !items.items().is_empty() => {
                self.sequence(items.items(), indent, true)
            }
            Kind::Map(map) | Kind::Object(map) if !map.entries().is_empty() => {
                for (index, (key, value)) in map.entries().iter().enumerate() {
                    if index > 0 {
                        self.line(indent)?;
                    }
                    self.entry(key, value, indent)?;
                }
                Ok(())
            }
            // A scalar that is the whole document is indented, too.
            _ => self.scalar(value, indent.max(STEP)),
        })
    }

    /// Writes items after dashes at `indent`, the first on the current line if `begun`.
    fn sequence(&mut self, items: &[Value], indent: usize, begun: bool) -> Result<(), FunctionError> {
        for (index, item) in items.iter().enumerate() {
            if index > 0 || !begun {
                self.line(indent)?;
            }
            self.push("- ");
            self.inline(item, indent + STEP)?;
        }
        Ok(())
    }

    /// Writes a key, at `indent` on the current line, and its value.
    fn entry(&mut self, key: &str, value: &Value, indent: usize) -> Result<(), FunctionError> {
        if key.len() > SIMPLE_KEY || key.contains(is_break) {
            self.push("? ");
            self.text(key, indent + STEP)?;
            self.line(indent)?;
            self.push(": ");
            return self.inline(value, indent + STEP);
        }
        self.quoted(key, None)?;
        self.push(":");
        match value.kind() {
            Kind::List(items) | Kind::Set(items) | Kind::Tuple(items) if !items.items().is_empty() => {
                with_stack(|| self.sequence(items.items(), indent, false))
            }
            Kind::Map(map) | Kind::Object(map) if !map.entries().is_empty() => {
                self.line(indent + STEP)?;
                self.inline(value, indent + STEP)
            }
            _ => {
                self.push(" ");
                self.scalar(value, indent + STEP)
            }
        }
    }

    /// Writes a value without parts; its further lines are at `indent`.
    fn scalar(&mut self, value: &Value, indent: usize) -> Result<(), FunctionError> {
        match value.kind() {
            Kind::Null(_) | Kind::Unknown { .. } => self.push("null"),
            Kind::Bool(value) => self.push(if *value { "true" } else { "false" }),
            Kind::Number(number) if number.is_infinite() => {
                self.push(if number.is_negative() { "-Inf" } else { "+Inf" });
            }
            Kind::Number(number) => {
                let text = number
                    .to_text()
                    .map_err(|_| FunctionError::new("a number is too long to be written in decimal"))?;
                account::touch(text.len() * 2);
                account::grow(text.len() as u64);
                self.push(&text);
            }
            Kind::Text(text) => self.text(text, indent)?,
            Kind::List(_) | Kind::Set(_) | Kind::Tuple(_) => self.push("[]"),
            Kind::Map(_) | Kind::Object(_) => self.push("{}"),
        }
        Ok(())
    }

    fn text(&mut self, text: &str, indent: usize) -> Result<(), FunctionError> {
        account::build(text.len() as u64 / 8, text.len() as u64);
        if text.contains('\n') && fits_block(text) {
            self.literal(text, indent)
        } else {
            self.quoted(text, Some(indent))
        }
    }

    /// Writes text in double quotes; if `fold` is given, it is folded into lines with this indentation.
    fn quoted(&mut self, text: &str, fold: Option<usize>) -> Result<(), FunctionError> {
        // A known quirk of the tool: everything after a byte order mark is escaped.
        let escape_all = text.starts_with('\u{feff}');
        let mut after_space = false;
        let mut chars = text.chars().peekable();
        let mut is_first = true;
        self.push_char('"');
        while let Some(c) = chars.next() {
            let folds = c == ' ' && !after_space && !is_first && chars.peek().is_some() && self.column > WIDTH;
            is_first = false;
            if escape_all || !is_printable(c) || is_break(c) || matches!(c, '"' | '\\') {
                self.escaped(c);
                after_space = false;
                continue;
            }
            after_space = c == ' ';
            match fold {
                Some(indent) if folds => {
                    self.line(indent)?;
                    if chars.peek() == Some(&' ') {
                        self.push_char('\\');
                    }
                }
                _ => self.push_char(c),
            }
        }
        self.push_char('"');
        Ok(())
    }

    fn escaped(&mut self, c: char) {
        let before = self.out.len();
        let out = &mut self.out;
        out.push('\\');
        match c {
            '\0' => out.push('0'),
            '\u{7}' => out.push('a'),
            '\u{8}' => out.push('b'),
            '\t' => out.push('t'),
            '\n' => out.push('n'),
            '\u{b}' => out.push('v'),
            '\u{c}' => out.push('f'),
            '\r' => out.push('r'),
            '\u{1b}' => out.push('e'),
            '"' => out.push('"'),
            '\\' => out.push('\\'),
            '\u{85}' => out.push('N'),
            '\u{a0}' => out.push('_'),
            '\u{2028}' => out.push('L'),
            '\u{2029}' => out.push('P'),
            c => {
                let code = u32::from(c);
                let (letter, digits) = match code {
                    0..=0xFF => ('x', 2),
                    0x100..=0xFFFF => ('u', 4),
                    _ => ('U', 8),
                };
                out.push(letter);
                let digit = |at: u32| char::from_digit(code >> (4 * at) & 0xF, 16);
                out.extend((0..digits).rev().filter_map(digit).map(|digit| digit.to_ascii_uppercase()));
            }
        }
        // Escapes are ASCII, so bytes and columns are equal.
        self.column += self.out.len() - before;
    }

    /// Writes text as a literal block whose lines are at `indent`.
    fn literal(&mut self, text: &str, indent: usize) -> Result<(), FunctionError> {
        self.push("|");
        if text.starts_with(|c| c == ' ' || is_break(c)) {
            self.push("2");
        }
        let mut from_end = text.chars().rev();
        match (from_end.next().is_some_and(is_break), from_end.next().is_none_or(is_break)) {
            (false, _) => self.push("-"),
            (true, true) => self.push("+"),
            (true, false) => {}
        }
        self.end_line();
        for line in text.split_inclusive(is_break) {
            if !line.starts_with(is_break) {
                self.line(indent)?;
            }
            self.push(line);
            if line.ends_with(is_break) {
                self.column = 0;
            }
        }
        Ok(())
    }
}

/// Returns whether text may be written as a block: no space before a break or at the end, nothing that needs an escape.
fn fits_block(text: &str) -> bool {
    let mut after_space = false;
    for c in text.chars() {
        if !is_printable(c) || (is_break(c) && after_space) {
            return false;
        }
        after_space = c == ' ';
    }
    !after_space
}

fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns whether a character needs no escape (letters beyond the basic multilingual plane do).
fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}') && c != '\u{feff}'
}

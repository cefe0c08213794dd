//! The small grammar of references inside texts: a name, then `.name`, `[1]` and `["text"]`. Blanks, newlines and
//! comments may stand between the tokens; nothing else may. Mistakes are those that the tool tells for quoted
//! references (asked with odd texts); what was read before one stays.

use super::leaf_codes as codes;
use super::traversal::error;
use crate::diag::{Diagnostics, SourceId, TextRange};
use crate::syntax::Forest;
use crate::syntax::native::identifier_length;
use crate::syntax::statics::{Traversal, TraversalKey, TraversalStep};

/// Reads the whole text of the source `at`. `None` where it does not begin with a name.
pub(super) fn read(forest: &Forest, at: SourceId, out: &mut Diagnostics) -> Option<Traversal> {
    let source = forest.sources.get(at)?;
    let text = String::from_utf8_lossy(&source.text);
    let mut reader = Reader { text: &text, at: 0, source: at, out };
    reader.stray_characters();
    reader.traversal()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Name,
    Number,
    Dot,
    Open,
    Close,
    Star,
    Quote,
    Other,
    End,
}

struct Token {
    kind: Kind,
    range: TextRange,
}

struct Reader<'a, 'd> {
    text: &'a str,
    at: usize,
    source: SourceId,
    out: &'d mut Diagnostics,
}

impl Reader<'_, '_> {
    fn traversal(&mut self) -> Option<Traversal> {
        let root = self.next();
        if root.kind != Kind::Name {
            self.fail(&codes::REFERENCE_NO_NAME, root.range, "A reference begins with a name.");
            return None;
        }
        let span = root.range.in_source(self.source);
        let mut found = Traversal { root: self.slice(root.range).into(), root_span: span, steps: Vec::new(), span };
        while let Some(step) = self.step() {
            found.span.end = step.span.end;
            found.steps.push(step);
        }
        Some(found)
    }

    /// The next step; `None` at the end and after a mistake.
    fn step(&mut self) -> Option<TraversalStep> {
        let token = self.next();
        let (key, last) = match token.kind {
            Kind::End => return None,
            Kind::Dot => {
                let name = self.next();
                if name.kind != Kind::Name {
                    self.fail(&codes::REFERENCE_NO_ATTRIBUTE, name.range, "A dot is followed by a name.");
                    return None;
                }
                (TraversalKey::Attr(self.slice(name.range).into()), name.range)
            }
            Kind::Open => {
                let key = self.key()?;
                let close = self.next();
                if close.kind != Kind::Close {
                    self.fail(&codes::REFERENCE_OPEN_INDEX, close.range, "The key is followed by a closing bracket.");
                    return None;
                }
                (key, close.range)
            }
            _ => {
                self.fail(
                    &codes::REFERENCE_CHARACTER,
                    token.range,
                    "Only a dot with a name or a key in brackets may follow here.",
                );
                return None;
            }
        };
        Some(TraversalStep { key, span: token.range.to(last).in_source(self.source) })
    }

    /// What stands between brackets.
    fn key(&mut self) -> Option<TraversalKey> {
        let token = self.next();
        match token.kind {
            Kind::Number => Some(TraversalKey::IndexNumber(self.slice(token.range).into())),
            Kind::Quote => self.quoted(token.range),
            Kind::Star => {
                self.fail(&codes::REFERENCE_NO_ATTRIBUTE, token.range, "A splat may not be used here.");
                None
            }
            _ => {
                self.fail(&codes::REFERENCE_NO_INDEX, token.range, "The brackets take a number or a text in quotes.");
                None
            }
        }
    }

    /// The rest of a text after its opening quote.
    fn quoted(&mut self, open: TextRange) -> Option<TraversalKey> {
        let start = self.at;
        let mut text = String::new();
        let mut chars = self.text.get(start..).unwrap_or_default().char_indices().peekable();
        while let Some((offset, c)) = chars.next() {
            match c {
                '"' => {
                    self.at = start + offset + 1;
                    return Some(TraversalKey::IndexText(text.into()));
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 'r')) => text.push('\r'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, c @ ('"' | '\\'))) => text.push(c),
                    Some((_, c @ ('u' | 'U'))) => {
                        let digits = if c == 'u' { 4 } else { 8 };
                        let mut code = 0u32;
                        for _ in 0..digits {
                            let digit = chars.next().and_then(|(_, c)| c.to_digit(16));
                            code = code.wrapping_mul(16).wrapping_add(digit.unwrap_or(u32::MAX));
                        }
                        text.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                    }
                    _ => break,
                },
                '$' | '%' if chars.peek().is_some_and(|&(_, next)| next == '{') => break,
                '\n' => break,
                _ => text.push(c),
            }
        }
        self.at = self.text.len();
        self.fail(&codes::REFERENCE_TEXT, open, "The text in the brackets cannot be read.");
        None
    }

    /// Characters that are no part of the language at all are told first, wherever they stand.
    fn stray_characters(&mut self) {
        if self.text.contains(['\'', '`', ';', '$', '@', '\\']) {
            loop {
                let token = self.next();
                match token.kind {
                    Kind::End => break,
                    Kind::Quote => {
                        let rest = self.text.get(self.at..).unwrap_or_default();
                        self.at += rest.find('"').map_or(rest.len(), |offset| offset + 1);
                    }
                    Kind::Other if matches!(self.slice(token.range).as_str(), "'" | "`" | ";" | "$" | "@" | "\\") => {
                        self.fail(
                            &codes::REFERENCE_CHARACTER,
                            token.range,
                            "The language does not use this character.",
                        );
                    }
                    _ => {}
                }
            }
            self.at = 0;
        }
    }

    fn next(&mut self) -> Token {
        self.skip_blanks();
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or_default();
        let Some(first) = rest.chars().next() else { return Self::token(Kind::End, start, start) };
        let (kind, length) = match first {
            '.' => (Kind::Dot, 1),
            '[' => (Kind::Open, 1),
            ']' => (Kind::Close, 1),
            '*' => (Kind::Star, 1),
            '"' => (Kind::Quote, 1),
            '0'..='9' => (Kind::Number, number_length(rest)),
            _ => match identifier_length(rest) {
                0 => (Kind::Other, first.len_utf8()),
                length => (Kind::Name, length),
            },
        };
        self.at = start + length;
        Self::token(kind, start, self.at)
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let blank = rest.bytes().take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')).count();
            let rest = rest.get(blank..).unwrap_or_default();
            self.at += blank;
            if rest.starts_with('#') || rest.starts_with("//") {
                self.at += rest.find('\n').map_or(rest.len(), |offset| offset + 1);
            } else if let Some(end) = rest.strip_prefix("/*").and_then(|inner| inner.find("*/")) {
                self.at += end + 4;
            } else {
                return;
            }
        }
    }

    fn token(kind: Kind, start: usize, end: usize) -> Token {
        Token { kind, range: TextRange::new(start as u32, end as u32) }
    }

    fn slice(&self, range: TextRange) -> String {
        self.text.get(range.start as usize..range.end as usize).unwrap_or_default().to_owned()
    }

    fn fail(&mut self, code: &'static crate::diag::Code, range: TextRange, detail: &'static str) {
        error(self.out, code, range.in_source(self.source), detail);
    }
}

/// Digits, dots and an exponent, not ending in a dot (syntax.md, section 1).
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut length = 0;
    while let Some(&byte) = bytes.get(length) {
        let next = bytes.get(length + 1).copied().unwrap_or(0);
        let after = bytes.get(length + 2).copied().unwrap_or(0);
        match byte {
            b'0'..=b'9' => length += 1,
            b'.' if next.is_ascii_digit() => length += 1,
            b'e' | b'E' if next.is_ascii_digit() => length += 2,
            b'e' | b'E' if matches!(next, b'+' | b'-') && after.is_ascii_digit() => length += 3,
            _ => break,
        }
    }
    length
}

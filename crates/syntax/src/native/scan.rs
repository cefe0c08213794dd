//! The scanner: one pass over the bytes of a text, all tokens at once (syntax.md, section 1).
//!
//! A byte loop with one dispatch per token; Unicode tables are consulted only for bytes above 0x7F. The modes (normal,
//! quoted template, heredoc, bare template) are kept on an explicit stack, so nesting uses no call stack.

use memchr::{memchr, memchr_iter};

use super::number::number_end;
use super::token::{Kind, Token};
use super::unicode::{
    character_length, identifier_continue, identifier_start, leading_space, without_trailing_space,
};
use crate::Grammar;
use overfold_base::account::{self, List};

/// How the text is scanned at the current position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// Items and expressions.
    Normal,
    /// Between the quotes of a template.
    Quoted,
    /// The lines of a heredoc.
    Heredoc,
    /// A text that is one template.
    Bare,
}

/// The result of scanning a text.
pub(super) struct Scanned {
    /// The tokens; the last one is [`Kind::Eof`].
    pub(super) tokens: List<Token>,
    /// The offsets where a column begins regardless of the grapheme rules (see [`overfold_base::files::Source::breaks`]).
    pub(super) breaks: List<u32>,
    /// Whether the text has more tokens than allowed; the rest was not scanned.
    pub(super) too_many: bool,
}

struct Heredoc {
    marker: (usize, usize),
    at_line_start: bool,
}

/// The number of tokens charged at a time.
const TOKENS_PER_CHARGE: usize = 1024;

struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
    tokens: List<Token>,
    breaks: List<u32>,
    /// Whether no byte is above 0x7F, so that neither breaks nor character shapes need checking.
    ascii: bool,
    /// Whether the text is valid UTF-8, so that every character is well-formed.
    utf8: bool,
    mode: Mode,
    /// Whether two colons are one token.
    namespaces: bool,
    callers: Vec<Mode>,
    /// The number of open braces; may drop below zero.
    braces: i64,
    /// The value of `braces` inside each open `${` or `%{`.
    sequences: Vec<i64>,
    heredocs: Vec<Heredoc>,
    /// Whether no `*/` follows the current position.
    no_comment_end: bool,
}

/// Scans all tokens of `text`, but not more than about `limit`.
pub(super) fn scan(text: &[u8], mode: Mode, limit: u32, grammar: Grammar) -> Scanned {
    let ascii = text.is_ascii();
    let mut scanner = Scanner {
        text,
        at: if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 },
        tokens: List::with_capacity(text.len() / 6 + 2),
        breaks: List::new(),
        ascii,
        utf8: ascii || std::str::from_utf8(text).is_ok(),
        mode,
        namespaces: grammar.namespaced_calls,
        callers: Vec::new(),
        braces: 0,
        sequences: Vec::new(),
        heredocs: Vec::new(),
        no_comment_end: false,
    };
    let mut too_many = false;
    while scanner.at < text.len() {
        if scanner.tokens.len() >= limit as usize {
            too_many = true;
            break;
        }
        if scanner.tokens.len().is_multiple_of(TOKENS_PER_CHARGE) {
            account::work(TOKENS_PER_CHARGE as u64 / 4);
        }
        match scanner.mode {
            Mode::Normal => scanner.normal(),
            Mode::Quoted => scanner.quoted(),
            Mode::Heredoc => scanner.heredoc_line(),
            Mode::Bare => scanner.bare(),
        }
    }
    scanner.at = scanner.at.min(text.len());
    scanner.push(Kind::Eof, scanner.at, scanner.at);
    Scanned { tokens: scanner.tokens, breaks: scanner.breaks, too_many }
}

impl<'t> Scanner<'t> {
    /// Returns the byte `ahead` bytes after the current position; 0 past the end.
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn rest(&self, from: usize) -> &'t [u8] {
        self.between(from, self.text.len())
    }

    fn between(&self, start: usize, end: usize) -> &'t [u8] {
        self.text.get(start..end).unwrap_or_default()
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        self.tokens.push(Token { start: start as u32, end: end as u32, kind });
        self.boundaries(start, end);
    }

    /// Adds the token of `len` bytes at the current position, and advances past it.
    fn take(&mut self, kind: Kind, len: usize) {
        let start = self.at;
        self.at += len;
        self.push(kind, start, self.at);
    }

    fn newline(&mut self, start: usize, end: usize) {
        self.at = end;
        self.push(Kind::Newline, start, end);
    }

    /// Adds column breaks at both ends of a token. Columns are counted token by token: a grapheme cluster never extends
    /// past the end of a token.
    fn boundaries(&mut self, start: usize, end: usize) {
        if self.ascii {
            return;
        }
        for at in [start, end] {
            let joins = |at: Option<usize>| at.and_then(|at| self.text.get(at)).is_some_and(|b| *b >= 0x80);
            let later = self.breaks.last().is_none_or(|last| (*last as usize) < at);
            if at > 0 && later && (joins(at.checked_sub(1)) || joins(Some(at))) {
                self.breaks.push(at as u32);
            }
        }
    }

    fn push_mode(&mut self, mode: Mode) {
        self.callers.push(self.mode);
        self.mode = mode;
    }

    fn pop_mode(&mut self) {
        self.mode = self.callers.pop().unwrap_or(Mode::Normal);
    }

    /// Scans in normal mode until another mode begins.
    fn normal(&mut self) {
        let text = self.text;
        // Returns to the caller now and then, so that it can check the number of tokens.
        for _ in 0..512 {
            let Some(&byte) = text.get(self.at) else { return };
            match byte {
                b' ' | b'\t' => {
                    self.at += 1;
                    while matches!(text.get(self.at), Some(b' ' | b'\t')) {
                        self.at += 1;
                    }
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                    let end = self.identifier_end(self.at + 1);
                    self.take(Kind::Ident, end - self.at);
                }
                b'\n' => self.newline(self.at, self.at + 1),
                b'\r' if self.peek(1) == b'\n' => self.newline(self.at, self.at + 2),
                b'"' => {
                    self.take(Kind::OQuote, 1);
                    self.push_mode(Mode::Quoted);
                    return;
                }
                b'0'..=b'9' => {
                    let end = number_end(text, self.at);
                    self.take(Kind::Number, end - self.at);
                }
                b'=' => match self.peek(1) {
                    b'=' => self.take(Kind::EqualEqual, 2),
                    b'>' => self.take(Kind::FatArrow, 2),
                    _ => self.take(Kind::Equal, 1),
                },
                b'{' => {
                    self.take(Kind::OBrace, 1);
                    self.braces += 1;
                }
                b'}' => {
                    if self.close_brace(Kind::CBrace, 1) {
                        return;
                    }
                }
                b'.' => {
                    if self.peek(1) == b'.' && self.peek(2) == b'.' {
                        self.take(Kind::Ellipsis, 3);
                    } else {
                        self.take(Kind::Dot, 1);
                    }
                }
                b',' => self.take(Kind::Comma, 1),
                b'[' => self.take(Kind::OBrack, 1),
                b']' => self.take(Kind::CBrack, 1),
                b'(' => self.take(Kind::OParen, 1),
                b')' => self.take(Kind::CParen, 1),
                b'#' => self.line_comment(),
                b'/' => match self.peek(1) {
                    b'/' => self.line_comment(),
                    b'*' => self.inline_comment(),
                    _ => self.take(Kind::Slash, 1),
                },
                b':' if self.namespaces && self.peek(1) == b':' => self.take(Kind::DoubleColon, 2),
                b':' => self.take(Kind::Colon, 1),
                b'?' => self.take(Kind::Question, 1),
                b'-' => self.take(Kind::Minus, 1),
                b'+' => self.take(Kind::Plus, 1),
                b'*' => self.take(Kind::Star, 1),
                b'%' => self.take(Kind::Percent, 1),
                b'!' => self.one_or_two(Kind::Bang, b'=', Kind::NotEqual),
                b'>' => self.one_or_two(Kind::Greater, b'=', Kind::GreaterEqual),
                b'&' => self.one_or_two(Kind::Bitwise, b'&', Kind::And),
                b'|' => self.one_or_two(Kind::Bitwise, b'|', Kind::Or),
                b'<' => {
                    if self.heredoc_opener() {
                        return;
                    }
                    self.one_or_two(Kind::Less, b'=', Kind::LessEqual);
                }
                b'^' => self.take(Kind::Bitwise, 1),
                b'~' => {
                    if self.peek(1) != b'}' {
                        self.take(Kind::Bitwise, 1);
                    } else if self.close_brace(Kind::SeqEnd, 2) {
                        return;
                    }
                }
                b';' => self.take(Kind::Semicolon, 1),
                b'`' => self.take(Kind::Backtick, 1),
                b'\'' => self.take(Kind::Apostrophe, 1),
                0x80.. => {
                    let rest = self.rest(self.at);
                    if let Some(len) = identifier_start(rest) {
                        let end = self.identifier_end(self.at + len);
                        self.take(Kind::Ident, end - self.at);
                    } else {
                        self.stray();
                    }
                }
                _ => self.take(Kind::Invalid, 1),
            }
        }
    }

    fn one_or_two(&mut self, one: Kind, next: u8, two: Kind) {
        if self.peek(1) == next {
            self.take(two, 2);
        } else {
            self.take(one, 1);
        }
    }

    /// Adds a token for a character that has no meaning here, or for a byte that is not part of a character.
    fn stray(&mut self) {
        match character_length(self.rest(self.at)) {
            Some(len) => self.take(Kind::Invalid, len),
            None => self.take(Kind::BadUtf8, 1),
        }
    }

    /// Returns the end of the identifier that contains everything before `from`.
    fn identifier_end(&self, mut from: usize) -> usize {
        loop {
            match self.text.get(from) {
                Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-') => from += 1,
                Some(0x80..) => match identifier_continue(self.rest(from)) {
                    Some(len) => from += len,
                    None => return from,
                },
                _ => return from,
            }
        }
    }

    /// Scans `}` or `~}`; `plain` is its kind if it does not end the innermost sequence. Returns whether the mode
    /// changed.
    fn close_brace(&mut self, plain: Kind, len: usize) -> bool {
        let ends = self.sequences.last() == Some(&self.braces);
        self.take(if ends { Kind::SeqEnd } else { plain }, len);
        self.braces -= 1;
        if ends {
            self.sequences.pop();
            self.pop_mode();
        }
        ends
    }

    fn line_comment(&mut self) {
        let start = self.at;
        if let Some(len) = memchr(b'\n', self.rest(start)) {
            self.newline(start, start + len + 1);
        } else {
            self.at = self.text.len();
            self.boundaries(start, self.at);
        }
    }

    fn inline_comment(&mut self) {
        let start = self.at;
        let inside = self.rest(start + 2);
        let end = if self.no_comment_end {
            None
        } else {
            memchr_iter(b'*', inside).find(|&star| inside.get(star + 1) == Some(&b'/'))
        };
        if let Some(star) = end {
            self.at = start + 2 + star + 2;
            self.boundaries(start, self.at);
        } else {
            self.no_comment_end = true;
            self.take(Kind::Slash, 1);
        }
    }

    /// Scans `<<NAME` or `<<-NAME` if it is directly followed by a line end.
    fn heredoc_opener(&mut self) -> bool {
        if self.peek(1) != b'<' {
            return false;
        }
        let start = if self.peek(2) == b'-' { self.at + 3 } else { self.at + 2 };
        let first = match self.text.get(start) {
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => 1,
            Some(0x80..) => match identifier_start(self.rest(start)) {
                Some(len) => len,
                None => return false,
            },
            _ => return false,
        };
        let end = self.identifier_end(start + first);
        let behind = self.rest(end);
        let line_end = match behind {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => return false,
        };
        self.take(Kind::OHeredoc, end + line_end - self.at);
        self.heredocs.push(Heredoc { marker: (start, end), at_line_start: true });
        self.push_mode(Mode::Heredoc);
        true
    }

    /// Scans `${` or `%{`; the current byte is the `$` or `%`.
    fn sequence(&mut self) {
        let kind = if self.peek(0) == b'$' { Kind::Interp } else { Kind::Control };
        let len = if self.peek(2) == b'~' { 3 } else { 2 };
        self.take(kind, len);
        self.braces += 1;
        self.sequences.push(self.braces);
        if let Some(heredoc) = self.heredocs.last_mut() {
            heredoc.at_line_start = false;
        }
        self.push_mode(Mode::Normal);
    }

    /// Classifies the `$` or `%` at `at`. A single marker before a brace opens a sequence; in a longer run the last two
    /// make a literal marker.
    fn marker(&self, at: usize, byte: u8) -> Marker {
        let mut end = at + 1;
        while self.text.get(end) == Some(&byte) {
            end += 1;
        }
        match self.text.get(end) {
            Some(b'{') if end - at == 1 => Marker::Sequence,
            Some(b'{') => Marker::Escape(end + 1),
            Some(_) => Marker::Literal(end),
            None => Marker::Unfinished(end - 1),
        }
    }

    fn quoted(&mut self) {
        let start = self.at;
        let mut at = start;
        let mut escaped = false;
        let next = loop {
            let Some(&byte) = self.text.get(at) else { break Next::End };
            match byte {
                b'"' => break Next::Quote,
                b'\\' => match self.text.get(at + 1) {
                    None | Some(b'\r' | b'\n') => break Next::Invalid,
                    Some(0x80..) => match character_length(self.rest(at + 1)) {
                        Some(len) => {
                            escaped = true;
                            at += 1 + len;
                        }
                        None => break Next::Invalid,
                    },
                    Some(_) => {
                        escaped = true;
                        at += 2;
                    }
                },
                b'$' | b'%' => match self.marker(at, byte) {
                    Marker::Sequence => break Next::Sequence,
                    Marker::Escape(end) => {
                        escaped = true;
                        at = end;
                    }
                    Marker::Literal(end) => {
                        // In the tool a literal marker ends a token.
                        self.boundaries(start, end);
                        at = end;
                    }
                    Marker::Unfinished(end) => {
                        at = end;
                        break Next::Invalid;
                    }
                },
                b'\n' | b'\r' => {
                    // Consecutive line ends are one error.
                    let run = self.rest(at).iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
                    break Next::Newline(run);
                }
                0x80.. if !self.utf8 => match character_length(self.rest(at)) {
                    Some(len) => at += len,
                    None => break Next::BadUtf8,
                },
                _ => at += 1,
            }
        };
        if at > start {
            self.take(if escaped { Kind::QuotedEscaped } else { Kind::Quoted }, at - start);
        }
        match next {
            Next::Quote => {
                self.take(Kind::CQuote, 1);
                self.pop_mode();
            }
            Next::Sequence => self.sequence(),
            Next::Newline(len) => self.take(Kind::QuotedNewline, len),
            Next::Invalid => self.take(Kind::Invalid, 1),
            Next::BadUtf8 => self.take(Kind::BadUtf8, 1),
            Next::End => {}
        }
    }

    /// Scans one literal of a heredoc (at most a line) and what ends it.
    fn heredoc_line(&mut self) {
        let start = self.at;
        let mut at = start;
        let mut escaped = false;
        let next = loop {
            let Some(&byte) = self.text.get(at) else { break Next::End };
            match byte {
                b'\n' => break Next::Newline(1),
                b'\r' if self.text.get(at + 1) == Some(&b'\n') => break Next::Newline(2),
                b'\r' => break Next::Invalid,
                b'$' | b'%' => match self.marker(at, byte) {
                    Marker::Sequence => break Next::Sequence,
                    Marker::Escape(end) => {
                        escaped = true;
                        at = end;
                    }
                    Marker::Literal(end) => {
                        // In the tool a literal marker ends a token.
                        self.boundaries(start, end);
                        at = end;
                    }
                    Marker::Unfinished(end) => {
                        at = end;
                        break Next::Invalid;
                    }
                },
                0x80.. if !self.utf8 => match character_length(self.rest(at)) {
                    Some(len) => at += len,
                    None => break Next::BadUtf8,
                },
                _ => at += 1,
            }
        };
        let kind = if escaped { Kind::PlainEscaped } else { Kind::Plain };
        if let Next::Newline(len) = next {
            if !self.heredoc_end(start, at, len) {
                self.take(kind, at + len - start);
                self.set_line_start(true);
            }
            return;
        }
        if at > start {
            self.take(kind, at - start);
            self.set_line_start(false);
        }
        match next {
            Next::Sequence => self.sequence(),
            Next::BadUtf8 => self.take(Kind::BadUtf8, 1),
            // Anything in a heredoc that cannot be scanned turns the rest of the text into one invalid token.
            Next::Invalid => self.take(Kind::Invalid, self.text.len() - self.at),
            Next::Quote | Next::Newline(_) | Next::End => {}
        }
    }

    fn set_line_start(&mut self, yes: bool) {
        if let Some(heredoc) = self.heredocs.last_mut() {
            heredoc.at_line_start = yes;
        }
    }

    /// Ends the heredoc if the line from `start` to `end` (followed by a line end of `newline` bytes) is its marker.
    fn heredoc_end(&mut self, start: usize, end: usize, newline: usize) -> bool {
        let Some(heredoc) = self.heredocs.last() else { return false };
        if !heredoc.at_line_start {
            return false;
        }
        let marker = self.between(heredoc.marker.0, heredoc.marker.1);
        let line = self.between(start, end);
        let (_, line) = line.split_at(leading_space(line));
        let (line, _) = line.split_at(without_trailing_space(line));
        if line != marker {
            return false;
        }
        self.take(Kind::CHeredoc, end - start);
        self.heredocs.pop();
        self.pop_mode();
        self.newline(end, end + newline);
        true
    }

    fn bare(&mut self) {
        let start = self.at;
        let mut at = start;
        let mut escaped = false;
        let next = loop {
            let Some(&byte) = self.text.get(at) else { break Next::End };
            match byte {
                // As in heredocs, each line is a separate literal: strip markers act within a line.
                b'\n' => {
                    at += 1;
                    break Next::Newline(1);
                }
                b'$' | b'%' => match self.marker(at, byte) {
                    Marker::Sequence => break Next::Sequence,
                    Marker::Escape(end) => {
                        escaped = true;
                        at = end;
                    }
                    // At the very end of a bare template a lone marker is literal.
                    Marker::Literal(end) => {
                        // In the tool a literal marker ends a token.
                        self.boundaries(start, end);
                        at = end;
                    }
                    Marker::Unfinished(end) => at = end + 1,
                },
                0x80.. if !self.utf8 => match character_length(self.rest(at)) {
                    Some(len) => at += len,
                    None => break Next::BadUtf8,
                },
                _ => at += 1,
            }
        };
        if at > start {
            self.take(if escaped { Kind::PlainEscaped } else { Kind::Plain }, at - start);
        }
        match next {
            Next::Sequence => self.sequence(),
            Next::BadUtf8 => self.take(Kind::BadUtf8, 1),
            _ => {}
        }
    }
}

/// What ends a literal.
enum Next {
    Quote,
    Sequence,
    Newline(usize),
    Invalid,
    BadUtf8,
    End,
}

/// The meaning of a run of `$` or `%`.
enum Marker {
    /// Opens an interpolation or a directive.
    Sequence,
    /// Literal up to this offset, including the brace.
    Escape(usize),
    /// Literal up to this offset.
    Literal(usize),
    /// The text ends before the meaning of the last marker, at this offset, is decided.
    Unfinished(usize),
}

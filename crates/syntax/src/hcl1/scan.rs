//! Splits a text into tokens, in both forms of HCL 1.
//!
//! This is the same as in the tool, except for a token without an end: the tool stops there, whereas this scanner
//! continues after the line (a string) or stops at the end of the text (a comment, a heredoc).

use std::borrow::Cow;

use super::codes;
use super::letters::{is_digit, is_letter};
use super::problem::{Problem, Problems};
use super::token::{Kind, Token};
use overfold_base::diag::{Code, TextRange};

/// Scans the tokens of a text; the last one is its end. At most `limit` tokens are produced; the second value is
/// whether there were more.
pub(super) fn scan(text: &[u8], json: bool, limit: u32, problems: &mut Problems) -> (Vec<Token>, bool) {
    let mut scanner =
        Scanner { text, json, at: 0, line_began: 0, tokens: Vec::new(), problems, strings_end_with_lines: false };
    let mut too_many = false;
    loop {
        if scanner.tokens.len() >= limit as usize {
            too_many = true;
            let end = scanner.at as u32;
            scanner.tokens.push(Token { kind: Kind::Eof, start: end, end, leads: true });
            break;
        }
        scanner.skip_blanks();
        let start = scanner.at;
        let kind = scanner.token();
        let Some(kind) = kind else { continue };
        let leads = scanner.tokens.last().is_none_or(|last| (last.end as usize) <= scanner.line_began);
        scanner.tokens.push(Token { kind, start: start as u32, end: scanner.at as u32, leads });
        if kind == Kind::Eof {
            break;
        }
    }
    (scanner.tokens, too_many)
}

struct Scanner<'t, 'p> {
    text: &'t [u8],
    json: bool,
    /// The offset of the next byte.
    at: usize,
    /// The offset at which the token's line begins.
    line_began: usize,
    tokens: Vec<Token>,
    problems: &'p mut Problems,
    /// Whether a string has run on to the end of the text. If so, further strings end with their lines, so that the
    /// text is not rescanned again and again.
    strings_end_with_lines: bool,
}

impl<'t> Scanner<'t, '_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    /// Returns the text between two offsets.
    fn between(&self, start: usize, end: usize) -> &'t [u8] {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Returns the text from an offset on.
    fn rest(&self, from: usize) -> &'t [u8] {
        self.between(from, self.text.len())
    }

    /// Returns the character at the next byte and its length; `None` at the end and if the bytes are not UTF-8.
    fn character(&self) -> Option<(char, usize)> {
        let rest = self.text.get(self.at..)?;
        let head = rest.get(..4).unwrap_or(rest);
        let text = match std::str::from_utf8(head) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(head.get(..error.valid_up_to())?).ok()?,
        };
        text.chars().next().map(|found| (found, found.len_utf8()))
    }

    fn problem(
        &mut self,
        code: &'static Code,
        from: usize,
        words: impl Into<Cow<'static, str>>,
        detail: impl Into<Cow<'static, str>>,
    ) {
        let end = self.text.len();
        let from = from.min(end);
        let to =
            self.text.get(from).map_or(from, |_| (from + 1..end).find(|&at| !is_inner(self.text, at)).unwrap_or(end));
        let at = TextRange::new(from as u32, to as u32);
        if self.problems.of_scanner.len() < overfold_base::diag::Diagnostics::CAP {
            self.problems.of_scanner.push((self.tokens.len(), Problem::new(code, at, words, detail)));
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b'\n') => {
                    self.at += 1;
                    self.line_began = self.at;
                }
                Some(b' ' | b'\t' | b'\r') => self.at += 1,
                _ => return,
            }
        }
    }

    /// Scans one token; `None` for a comment.
    fn token(&mut self) -> Option<Kind> {
        let Some(byte) = self.peek() else { return Some(Kind::Eof) };
        let single = |kind| (kind, 1);
        let (kind, length) = match byte {
            b'[' => single(Kind::LeftBracket),
            b']' => single(Kind::RightBracket),
            b'{' => single(Kind::LeftBrace),
            b'}' => single(Kind::RightBrace),
            b',' => single(Kind::Comma),
            b':' if self.json => single(Kind::Colon),
            b'=' if !self.json => single(Kind::Assign),
            b'+' if !self.json => single(Kind::Add),
            b'#' | b'/' if !self.json => return self.comment(byte),
            b'<' if !self.json => return Some(self.heredoc()),
            b'"' => return Some(self.string()),
            b'0'..=b'9' => return Some(self.number()),
            b'-' if self.peek_at(1).is_some_and(|next| next.is_ascii_digit()) => {
                self.at += 1;
                return Some(self.number());
            }
            b'-' if !self.json => single(Kind::Sub),
            b'.' => {
                self.at += 1;
                if !self.peek().is_some_and(|next| next.is_ascii_digit()) {
                    return Some(Kind::Period);
                }
                self.digits();
                self.exponent();
                return Some(Kind::Float);
            }
            _ => return Some(self.word()),
        };
        self.at += length;
        Some(kind)
    }

    fn word(&mut self) -> Kind {
        let start = self.at;
        match self.character() {
            Some((first, length)) if is_letter(first) => self.at += length,
            Some((first, length)) => {
                // The tool treats a null character at the very end as the end.
                if first == '\0' && self.at + 1 == self.text.len() {
                    self.at = self.text.len();
                    return Kind::Eof;
                }
                self.at += length;
                let words = match first {
                    '\0' => Cow::Borrowed("unexpected null character (0x00)"),
                    _ if self.json => Cow::Owned(format!("illegal char: {first}")),
                    _ => Cow::Borrowed("illegal char"),
                };
                let shown = match first {
                    '\0' => "A null character".to_owned(),
                    '\u{feff}' => "A byte order mark".to_owned(),
                    _ => format!("The character {first:?}"),
                };
                let detail = format!("{shown} is not allowed here. Remove it, or put the text in quotes.");
                self.problem(&codes::ILLEGAL_CHARACTER, start, words, detail);
                return Kind::Illegal;
            }
            None => {
                self.at += 1;
                let detail = "The file is not valid UTF-8 here. Save it in that encoding.";
                self.problem(&codes::ILLEGAL_CHARACTER, start, "illegal UTF-8 encoding", detail);
                return Kind::Illegal;
            }
        }
        while let Some((next, length)) = self.character() {
            if !(is_letter(next) || is_digit(next) || next == '-' || (next == '.' && !self.json)) {
                break;
            }
            self.at += length;
        }
        match self.between(start, self.at) {
            b"true" | b"false" => Kind::Bool,
            b"null" if self.json => Kind::Null,
            _ if self.json => {
                self.problem(
                    &codes::ILLEGAL_CHARACTER,
                    start,
                    "illegal char",
                    "The only JSON keywords are true, false and null. Put a string in double quotes.",
                );
                Kind::Illegal
            }
            _ => Kind::Ident,
        }
    }

    fn comment(&mut self, first: u8) -> Option<Kind> {
        let start = self.at;
        match (first, self.peek_at(1)) {
            (b'/', Some(b'*')) => {
                let rest = self.rest(start + 2);
                match memchr::memmem::find(rest, b"*/") {
                    Some(length) => {
                        let end = start + 2 + length + 2;
                        if let Some(last) = memchr::memrchr(b'\n', self.between(start, end)) {
                            self.line_began = start + last + 1;
                        }
                        self.at = end;
                    }
                    None => {
                        self.at = self.text.len();
                        self.problem(
                            &codes::NOT_TERMINATED,
                            start,
                            "comment not terminated",
                            "This comment is never closed. End it with */.",
                        );
                    }
                }
                None
            }
            (b'#', _) | (b'/', Some(b'/')) => {
                let rest = self.rest(start);
                self.at = start + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                None
            }
            _ => {
                self.at += 1;
                self.problem(
                    &codes::ILLEGAL_CHARACTER,
                    start,
                    "expected '/' for comment",
                    "A single slash is not allowed here. A comment begins with #, // or /*.",
                );
                Some(Kind::Illegal)
            }
        }
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|next| next.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    /// Scans an exponent if one begins here.
    fn exponent(&mut self) {
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits();
        }
    }

    /// Scans a number, starting at its first digit.
    fn number(&mut self) -> Kind {
        let start = self.at;
        if self.peek() == Some(b'0') && !self.json && matches!(self.peek_at(1), Some(b'x' | b'X')) {
            self.at += 2;
            while self.peek().is_some_and(|next| next.is_ascii_hexdigit()) {
                self.at += 1;
            }
            if self.at == start + 2 {
                self.problem(
                    &codes::ILLEGAL_NUMBER,
                    start,
                    "illegal hexadecimal number",
                    "Expected hexadecimal digits after 0x.",
                );
            }
            return Kind::Number;
        }
        self.digits();
        let whole = self.at;
        match self.peek() {
            Some(b'.') => {
                self.at += 1;
                self.digits();
                self.exponent();
                return Kind::Float;
            }
            Some(b'e' | b'E') => {
                self.exponent();
                return Kind::Float;
            }
            _ => {}
        }
        let digits = self.between(start, whole);
        if let [b'0', rest @ ..] = digits
            && !rest.is_empty()
        {
            if self.json {
                self.problem(
                    &codes::ILLEGAL_NUMBER,
                    start,
                    "numbers cannot start with 0",
                    "A JSON number cannot have a leading zero.",
                );
            } else if rest.iter().any(|digit| matches!(digit, b'8' | b'9')) {
                self.problem(
                    &codes::ILLEGAL_NUMBER,
                    start,
                    "illegal octal number",
                    "A number with a leading zero is octal, so it cannot contain 8 or 9.",
                );
            }
        }
        Kind::Number
    }

    /// Scans a quoted string. Braces of interpolations are counted; in the native form quotes and line ends inside them
    /// are part of the string.
    fn string(&mut self) -> Kind {
        let start = self.at;
        let first_problem = self.problems.of_scanner.len();
        self.at += 1;
        let mut braces = 0_usize;
        loop {
            let at = self.at;
            match self.peek() {
                None => return self.unterminated(start, first_problem, braces > 0),
                Some(b'\n') if braces == 0 || self.json || self.strings_end_with_lines => {
                    self.problem(
                        &codes::NOT_TERMINATED,
                        at,
                        "literal not terminated",
                        "This string has no closing quote on its line. Close it, or use a heredoc for several lines.",
                    );
                    return Kind::String;
                }
                Some(b'"') if braces == 0 || self.json => {
                    self.at += 1;
                    return Kind::String;
                }
                Some(b'$') if braces == 0 && self.peek_at(1) == Some(b'{') => {
                    braces = 1;
                    self.at += 2;
                }
                Some(b'{') if braces > 0 => {
                    braces += 1;
                    self.at += 1;
                }
                Some(b'}') if braces > 0 => {
                    braces -= 1;
                    self.at += 1;
                }
                Some(b'\\') => {
                    self.at += 1;
                    self.escape();
                }
                Some(0) => {
                    self.at += 1;
                    self.problem(
                        &codes::ILLEGAL_CHARACTER,
                        at,
                        "unexpected null character (0x00)",
                        "A null character is not allowed in a string. Remove it.",
                    );
                }
                Some(byte) if byte < 0x80 => self.at += 1,
                Some(_) => match self.character() {
                    Some((_, length)) => self.at += length,
                    None => {
                        self.at += 1;
                        let detail = "The file is not valid UTF-8 here. Save it in that encoding.";
                        self.problem(&codes::ILLEGAL_CHARACTER, at, "illegal UTF-8 encoding", detail);
                    }
                },
            }
        }
    }

    /// Handles a text that ends inside a string. If an interpolation was still open, the string is assumed to end with
    /// its line.
    fn unterminated(&mut self, start: usize, first_problem: usize, ran_on: bool) -> Kind {
        let end = self.text.len();
        if ran_on && !self.strings_end_with_lines {
            self.strings_end_with_lines = true;
            self.problems.of_scanner.truncate(first_problem);
            let rest = self.rest(start);
            self.at = start + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        }
        self.problem(
            &codes::NOT_TERMINATED,
            if ran_on { start } else { end },
            "literal not terminated",
            "The file ends inside this string or inside an interpolation in it.",
        );
        Kind::String
    }

    /// Scans what follows a backslash.
    fn escape(&mut self) {
        let (base, count) = match self.peek() {
            Some(b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'\\' | b'"') => {
                self.at += 1;
                return;
            }
            Some(b'0'..=b'7') => (8, 3),
            Some(b'x') => (16, 2),
            Some(b'u') => (16, 4),
            Some(b'U') => (16, 8),
            _ => {
                self.problem(
                    &codes::ILLEGAL_ESCAPE,
                    self.at,
                    "illegal char escape",
                    "A backslash here does not begin a known escape sequence. Write two backslashes for a literal one.",
                );
                // A quote or line end still ends the string.
                return;
            }
        };
        if base == 16 {
            self.at += 1;
        }
        for _ in 0..count {
            match self.peek() {
                Some(digit) if char::from(digit).is_digit(base) => self.at += 1,
                _ => {
                    self.problem(
                        &codes::ILLEGAL_ESCAPE,
                        self.at,
                        "illegal char escape",
                        "This escape sequence does not have enough digits.",
                    );
                    return;
                }
            }
        }
    }

    /// Scans a heredoc up to and including the line end of its last line.
    fn heredoc(&mut self) -> Kind {
        let start = self.at;
        if self.peek_at(1) != Some(b'<') {
            self.at += 1;
            self.problem(
                &codes::HEREDOC_ANCHOR,
                self.at,
                "heredoc expected second '<', didn't see it",
                "A heredoc must begin with <<.",
            );
            return Kind::Illegal;
        }
        self.at += 2;
        let anchor = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let marker = self.at;
        while let Some((next, length)) = self.character() {
            if !(is_letter(next) || is_digit(next)) {
                break;
            }
            self.at += length;
        }
        let end = self.at;
        if self.peek() == Some(b'\r') && self.peek_at(1) == Some(b'\n') {
            self.at += 1;
        }
        let all = self.text.len();
        match self.peek() {
            None => {
                self.problem(
                    &codes::NOT_TERMINATED,
                    all,
                    "heredoc not terminated",
                    "The file ends at the beginning of a heredoc.",
                );
                return Kind::Illegal;
            }
            Some(b'\n') => {}
            Some(_) => {
                self.problem(
                    &codes::HEREDOC_ANCHOR,
                    self.at,
                    "invalid characters in heredoc anchor",
                    "The marker of a heredoc can contain only letters, digits and underscores, and must be followed by a line break.",
                );
                return Kind::Illegal;
            }
        }
        if marker == end {
            self.problem(
                &codes::HEREDOC_ANCHOR,
                end,
                "zero-length heredoc anchor",
                "A heredoc needs a marker after <<, which is repeated at its end.",
            );
            return Kind::Illegal;
        }
        self.at += 1;
        let word = self.between(marker, end);
        // The dash is included, so a flush heredoc does not end at a line that consists of its word alone.
        let shortest = end - anchor;
        loop {
            let rest = self.rest(self.at);
            let Some(length) = memchr::memchr(b'\n', rest) else {
                self.at = all;
                self.problem(
                    &codes::NOT_TERMINATED,
                    start,
                    "heredoc not terminated",
                    "This heredoc is never closed. End it with a line that contains only its marker and ends with a line break.",
                );
                return Kind::Heredoc;
            };
            let (line, _) = rest.split_at(length);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            self.at += length + 1;
            if line.len() >= shortest && line.ends_with(word) {
                self.line_began = self.at;
                return Kind::Heredoc;
            }
        }
    }
}

/// Returns whether the byte continues a character.
fn is_inner(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80)
}

//! Splits bytes into tokens. Accepts more than JSON allows, so that the parser can report what is wrong.

use super::text::character;
use overfold_base::diag::TextRange;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    Colon,
    Comma,
    Equals,
    /// A run of digits and the other characters of numbers.
    Number,
    /// A run of letters and underscores.
    Keyword,
    /// From the opening quote to the closing quote, or to the control byte or the end of the text that cuts the string
    /// off.
    Text,
    /// A byte that cannot begin a token. The end follows it.
    Invalid,
    /// The end of the text; repeated indefinitely.
    End,
}

/// A token and its range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) range: TextRange,
}

/// Produces the tokens of a text one by one.
pub(super) struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
    left: u32,
    stopped: bool,
}

impl<'t> Scanner<'t> {
    /// Creates a scanner that produces at most `limit` tokens.
    pub(super) fn new(text: &'t [u8], limit: u32) -> Self {
        Self { text, at: 0, left: limit, stopped: false }
    }

    /// Returns whether the token limit is used up.
    pub(super) fn is_exhausted(&self) -> bool {
        self.left == 0
    }

    /// Returns the next token; at the end this is always [`TokenKind::End`].
    pub(super) fn next(&mut self) -> Token {
        use TokenKind as Kind;
        if !self.stopped {
            self.at += count(self.rest(), |byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        }
        let Some(&first) = self.rest().first().filter(|_| !self.stopped) else {
            return self.token(Kind::End, 0);
        };
        let Some(left) = self.left.checked_sub(1) else {
            self.stopped = true;
            return self.token(Kind::End, 0);
        };
        self.left = left;
        match first {
            b'{' => self.token(Kind::OpenBrace, 1),
            b'}' => self.token(Kind::CloseBrace, 1),
            b'[' => self.token(Kind::OpenBracket, 1),
            b']' => self.token(Kind::CloseBracket, 1),
            b':' => self.token(Kind::Colon, 1),
            b',' => self.token(Kind::Comma, 1),
            b'=' => self.token(Kind::Equals, 1),
            b'"' => self.token(Kind::Text, string_length(self.rest())),
            b'0'..=b'9' | b'-' | b'+' | b'.' => {
                let length =
                    count(self.rest(), |byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'));
                self.token(Kind::Number, length)
            }
            b'a'..=b'z' | b'A'..=b'Z' => {
                let length = count(self.rest(), |byte| byte.is_ascii_alphabetic() || byte == b'_');
                self.token(Kind::Keyword, length)
            }
            _ => {
                self.stopped = true;
                self.token(Kind::Invalid, 1)
            }
        }
    }

    fn rest(&self) -> &'t [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn token(&mut self, kind: TokenKind, length: usize) -> Token {
        let start = self.at;
        self.at += length;
        Token { kind, range: TextRange::new(start as u32, self.at as u32) }
    }
}

fn count(bytes: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|&byte| !wanted(byte)).unwrap_or(bytes.len())
}

/// Returns the length of the string that `text` begins with, quotes included.
fn string_length(text: &[u8]) -> usize {
    let mut at = 1;
    let mut escaped = false;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' if !escaped => return at + 1,
            b'\\' => {
                escaped = !escaped;
                at += 1;
            }
            0..=0x1F => return at,
            0x20..=0x7F => {
                escaped = false;
                at += 1;
            }
            _ => {
                escaped = false;
                let (length, prepend) = character(text.get(at..).unwrap_or_default());
                at += length;
                // The tools use grapheme clusters here, and a few characters absorb the next one into their cluster,
                // even a quote or a backslash.
                if prepend && matches!(text.get(at), Some(b'"' | b'\\')) {
                    at += 1;
                }
            }
        }
    }
    text.len()
}

//! Tokens: what the scanner hands to the parser.

use crate::diag::TextRange;

/// Kinds of tokens. Blanks and comments are no tokens; a comment up to the end of its line is the line's newline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Kind {
    OBrace,
    CBrace,
    OBrack,
    CBrack,
    OParen,
    CParen,
    OQuote,
    CQuote,
    OHeredoc,
    CHeredoc,
    /// `${` or `${~`.
    Interp,
    /// `%{` or `%{~`.
    Control,
    /// The `}` or `~}` that ends `${` or `%{`.
    SeqEnd,
    /// Literal text of a quoted template, as it stands.
    Quoted,
    /// The same, with a backslash or a doubled marker in it.
    QuotedEscaped,
    /// Literal text of a heredoc (at most one line) or of a bare template.
    Plain,
    /// The same, with a doubled marker in it.
    PlainEscaped,
    Number,
    Ident,
    /// A line end, with the comment before it.
    Newline,
    Star,
    Slash,
    Plus,
    Minus,
    Percent,
    Equal,
    EqualEqual,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    Bang,
    Dot,
    Comma,
    Ellipsis,
    FatArrow,
    Question,
    Colon,
    DoubleColon,
    /// `&`, `|`, `^` or `~`.
    Bitwise,
    Semicolon,
    Backtick,
    Apostrophe,
    /// A line end inside a quoted template.
    QuotedNewline,
    /// A character that begins no token.
    Invalid,
    /// A byte that begins no character.
    BadUtf8,
    Eof,
}

impl Kind {
    /// The bracket that closes what this one opens, or opens what this one closes.
    pub(super) const fn opposite(self) -> Option<Self> {
        Some(match self {
            Self::OBrace => Self::CBrace,
            Self::CBrace => Self::OBrace,
            Self::OBrack => Self::CBrack,
            Self::CBrack => Self::OBrack,
            Self::OParen => Self::CParen,
            Self::CParen => Self::OParen,
            Self::OQuote => Self::CQuote,
            Self::CQuote => Self::OQuote,
            Self::OHeredoc => Self::CHeredoc,
            Self::CHeredoc => Self::OHeredoc,
            Self::Interp | Self::Control => Self::SeqEnd,
            Self::SeqEnd => Self::Interp,
            _ => return None,
        })
    }
}

/// One token: its kind and its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) kind: Kind,
}

impl Token {
    pub(super) const fn range(self) -> TextRange {
        TextRange::new(self.start, self.end)
    }

    pub(super) const fn len(self) -> u32 {
        self.end - self.start
    }
}

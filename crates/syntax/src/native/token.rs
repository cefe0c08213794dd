//! Tokens: what the scanner passes to the parser.

use overfold_base::diag::TextRange;

/// The kinds of tokens. Blanks and comments are not tokens; a comment that runs to the end of its line is part of the
/// newline token.
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
    /// Literal text of a quoted template, as written.
    Quoted,
    /// Literal text of a quoted template that contains a backslash or a doubled marker.
    QuotedEscaped,
    /// Literal text of a heredoc (at most one line) or of a bare template.
    Plain,
    /// Literal text of a heredoc or of a bare template that contains a doubled marker.
    PlainEscaped,
    Number,
    Ident,
    /// A line end, including a comment before it.
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
    /// A character that cannot begin a token.
    Invalid,
    /// A byte that cannot begin a character.
    BadUtf8,
    Eof,
}

impl Kind {
    /// Returns the bracket that closes what this one opens, or opens what this one closes.
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

/// One token: its kind and its byte range.
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

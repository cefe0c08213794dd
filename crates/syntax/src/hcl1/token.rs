//! Tokens of HCL 1.

use overfold_base::diag::TextRange;

/// The kinds of tokens. Comments are not tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Eof,
    Illegal,
    Ident,
    Bool,
    Null,
    Number,
    Float,
    String,
    Heredoc,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    Comma,
    Period,
    Colon,
    Assign,
    Add,
    Sub,
}

impl Kind {
    /// Returns the tool's name for this kind.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Eof => "EOF",
            Self::Illegal => "ILLEGAL",
            Self::Ident => "IDENT",
            Self::Bool => "BOOL",
            Self::Null => "NULL",
            Self::Number => "NUMBER",
            Self::Float => "FLOAT",
            Self::String => "STRING",
            Self::Heredoc => "HEREDOC",
            Self::LeftBracket => "LBRACK",
            Self::RightBracket => "RBRACK",
            Self::LeftBrace => "LBRACE",
            Self::RightBrace => "RBRACE",
            Self::Comma => "COMMA",
            Self::Period => "PERIOD",
            Self::Colon => "COLON",
            Self::Assign => "ASSIGN",
            Self::Add => "ADD",
            Self::Sub => "SUB",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// The first byte.
    pub(super) start: u32,
    /// The first byte after the token. A heredoc ends after the line end of its last line.
    pub(super) end: u32,
    /// Whether the token is the first on its line.
    pub(super) leads: bool,
}

impl Token {
    pub(super) const fn range(self) -> TextRange {
        TextRange::new(self.start, self.end)
    }
}

//! Tokens of HCL 1.

use crate::diag::TextRange;

/// Kinds of tokens. Comments are none.
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
    /// What the tool calls it.
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

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// First byte.
    pub(super) start: u32,
    /// First byte after it. A heredoc ends after the line end of its last line.
    pub(super) end: u32,
    /// It is the first on its line.
    pub(super) leads: bool,
}

impl Token {
    pub(super) const fn range(self) -> TextRange {
        TextRange::new(self.start, self.end)
    }
}

//! Errors, collected while a text is read and reported at the end. The tool stops at its first error and reports only
//! that one; errors found after it are reported as this service's own.

use std::borrow::Cow;
use std::fmt::Write;

use super::token::Token;
use overfold_base::diag::{Code, Diagnostic, Diagnostics, SourceId, TextRange};

/// An error in the text.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) code: &'static Code,
    pub(super) at: TextRange,
    /// The tool's message.
    pub(super) words: Cow<'static, str>,
    /// The token that the tool shows after its message, if any.
    pub(super) shown: Option<Token>,
    /// Whether the tool's message includes the position.
    pub(super) placed: bool,
    /// Whether the error is about the next token, which has not been consumed.
    pub(super) ahead: bool,
    /// Whether the error is about a token that is itself invalid: the tool's parser stops there, too.
    pub(super) echo: bool,
    /// The enclosing lists: the tool names each of them before its message.
    pub(super) inside: Vec<(u32, &'static str)>,
    pub(super) detail: Cow<'static, str>,
}

impl Problem {
    pub(super) fn new(
        code: &'static Code,
        at: TextRange,
        words: impl Into<Cow<'static, str>>,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            code,
            at,
            words: words.into(),
            shown: None,
            placed: true,
            ahead: false,
            echo: false,
            inside: Vec::new(),
            detail: detail.into(),
        }
    }

    /// Marks the error as one that the tool reports without a position.
    pub(super) fn unplaced(self) -> Self {
        Self { placed: false, ..self }
    }

    /// Records which token the error is about.
    pub(super) fn about(self, token: Token) -> Self {
        Self { echo: token.kind == super::token::Kind::Illegal, ..self }
    }

    /// Marks the error as one about the next token.
    pub(super) fn ahead(self) -> Self {
        Self { ahead: true, ..self }
    }
}

/// The errors of a text.
#[derive(Debug, Default)]
pub(super) struct Problems {
    /// The errors inside tokens, each with the index of its token, in ascending order.
    pub(super) of_scanner: Vec<(usize, Problem)>,
    /// The structural errors in order, each with the number of tokens that had been read.
    pub(super) of_parser: Vec<(usize, Problem)>,
    /// Notes about text that the tool silently ignores.
    pub(super) notes: Vec<(TextRange, &'static str)>,
}

impl Problems {
    /// Reports everything. The tool's own error is the last one inside a token before the first structural error, or,
    /// if there is none, the first structural error.
    pub(super) fn report(self, name: &str, source: SourceId, text: &[u8], json: bool, out: &mut Diagnostics) {
        let seen = self.of_parser.first().map_or(usize::MAX, |&(seen, _)| seen);
        let inside = self.of_scanner.iter().rposition(|&(token, _)| token < seen);
        let mut places = Places { text, json, at: 0, line: 1, column: 1 };
        let mut all: Vec<(bool, Problem)> = Vec::with_capacity(self.of_scanner.len() + self.of_parser.len());
        for (index, (_, problem)) in self.of_scanner.into_iter().enumerate() {
            all.push((inside == Some(index), problem));
        }
        for (index, (_, problem)) in self.of_parser.into_iter().enumerate() {
            all.push((inside.is_none() && index == 0, problem));
        }
        // An invalid token has already been reported.
        all.retain(|(_, problem)| !problem.echo);
        all.sort_by_key(|(_, problem)| problem.at.start);
        for (of_tool, problem) in all {
            let words = places.words(name, &problem);
            let at = problem.at.in_source(source);
            let reported = if of_tool {
                Diagnostic::tool(problem.code, at, problem.detail)
            } else {
                Diagnostic::ours(problem.code, at, problem.detail)
            };
            out.push(reported.titled(words));
        }
        for (at, detail) in self.notes {
            out.push(Diagnostic::ours(&super::codes::NOT_READ, at.in_source(source), detail));
        }
    }
}

/// Computes positions as the tool counts them: lines and code points, both 1-based. If it is queried in ascending
/// order, it reads the text only once.
struct Places<'t> {
    text: &'t [u8],
    json: bool,
    at: usize,
    line: u32,
    column: u32,
}

impl Places<'_> {
    fn words(&mut self, name: &str, problem: &Problem) -> String {
        let mut words = format!("Error parsing {name}: ");
        let prefix = if self.json { "" } else { "At " };
        // The position of the token comes first, since its enclosing lists begin before it.
        let (line, column) = self.place(problem.at.start);
        for &(start, what) in &problem.inside {
            let (line, column) = self.place(start);
            write!(words, "{prefix}{line}:{column}: error while trying to parse {what} within list: ")
                .unwrap_or_default();
        }
        if problem.placed {
            write!(words, "{prefix}{line}:{column}: ").unwrap_or_default();
        }
        words.push_str(&problem.words);
        if let Some(token) = problem.shown {
            let text = token.range().bytes_of(self.text);
            let text: String = String::from_utf8_lossy(text).chars().take(80).collect();
            write!(words, ": {line}:{column} {} {text}", token.kind.name()).unwrap_or_default();
        }
        words
    }

    fn place(&mut self, offset: u32) -> (u32, u32) {
        let offset = (offset as usize).min(self.text.len());
        if offset < self.at {
            // Needed only for enclosing lists: restart at the beginning of the line.
            let (before, _) = self.text.split_at(offset);
            let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
            let (_, line) = self.text.split_at(self.at).0.split_at(start);
            let lines = memchr::memchr_iter(b'\n', line).count();
            return (self.line.saturating_sub(lines as u32), 1 + columns(before.split_at(start).1));
        }
        let (_, between) = self.text.split_at(offset).0.split_at(self.at);
        self.line += memchr::memchr_iter(b'\n', between).count() as u32;
        match memchr::memrchr(b'\n', between) {
            Some(last) => self.column = 1 + columns(between.split_at(last + 1).1),
            None => self.column += columns(between),
        }
        self.at = offset;
        (self.line, self.column)
    }
}

/// Returns the number of code points, which is the number of bytes that do not continue one.
fn columns(text: &[u8]) -> u32 {
    text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32
}

//! Mistakes, gathered while a text is read and reported at the end. The tool stops at its first mistake and says no more
//! than that one; what is found after it is ours.

use std::borrow::Cow;
use std::fmt::Write;

use super::token::Token;
use crate::diag::{Code, Diagnostic, Diagnostics, SourceId, TextRange};

/// A mistake.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) code: &'static Code,
    pub(super) at: TextRange,
    /// The tool's words.
    pub(super) words: Cow<'static, str>,
    /// The tool shows the token after its words.
    pub(super) shown: Option<Token>,
    /// Whether the tool names the place.
    pub(super) placed: bool,
    /// It is about the next token, which has not been taken.
    pub(super) ahead: bool,
    /// It is about a token that is wrong in itself: the tool's parser stops at it, too.
    pub(super) echo: bool,
    /// Lists that stand around the place: the tool says so in front, for each one.
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

    /// The tool says it without a place.
    pub(super) fn unplaced(self) -> Self {
        Self { placed: false, ..self }
    }

    /// It is about this token.
    pub(super) fn of(self, token: Token) -> Self {
        Self { echo: token.kind == super::token::Kind::Illegal, ..self }
    }

    /// It is about the next token.
    pub(super) fn ahead(self) -> Self {
        Self { ahead: true, ..self }
    }
}

/// The mistakes of a text.
#[derive(Debug, Default)]
pub(super) struct Problems {
    /// Mistakes inside tokens, by the index of the token, ascending.
    pub(super) of_scanner: Vec<(usize, Problem)>,
    /// Mistakes of the structure, in order; each with the number of tokens looked at until then.
    pub(super) of_parser: Vec<(usize, Problem)>,
    /// Notes.
    pub(super) notes: Vec<(TextRange, &'static str)>,
}

impl Problems {
    /// Reports everything. The tool's own is the last mistake inside a token before the first mistake of the structure,
    /// or else the latter.
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
        // A token that is wrong in itself has been reported.
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

/// Works out places as the tool counts them: lines and code points, both from 1. Asked in ascending order it goes over
/// the text once.
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
        // The token's own place first, since its enclosing lists begin before it.
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
            let text = self.text.get(token.start as usize..token.end as usize).unwrap_or_default();
            let text: String = String::from_utf8_lossy(text).chars().take(80).collect();
            write!(words, ": {line}:{column} {} {text}", token.kind.name()).unwrap_or_default();
        }
        words
    }

    fn place(&mut self, offset: u32) -> (u32, u32) {
        let offset = (offset as usize).min(self.text.len());
        if offset < self.at {
            // Only for what encloses a mistake: begin anew at the start of its line.
            let before = self.text.get(..offset).unwrap_or_default();
            let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
            let line = self.text.get(start..self.at).unwrap_or_default();
            let lines = memchr::memchr_iter(b'\n', line).count();
            return (self.line.saturating_sub(lines as u32), 1 + columns(self.text.get(start..offset)));
        }
        let between = self.text.get(self.at..offset).unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', between).count() as u32;
        match memchr::memrchr(b'\n', between) {
            Some(last) => self.column = 1 + columns(between.get(last + 1..)),
            None => self.column += columns(Some(between)),
        }
        self.at = offset;
        (self.line, self.column)
    }
}

/// Code points: bytes that do not continue one.
fn columns(text: Option<&[u8]>) -> u32 {
    text.unwrap_or_default().iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32
}

//! Splits a YAML text into tokens as the tool's scanner does, whose rules are looser here and stricter there than those
//! of YAML (expressions.md, section 8.1).
//!
//! A key that is not introduced by `?` is only recognised at the `:` behind it. Until then its first token is held back:
//! the token for the key, and if need be the one for the mapping, are put in front of it.

mod block;
mod plain;
mod quoted;
mod words;

use std::collections::VecDeque;

use super::cursor::{Cursor, Mark};
use super::token::{Fault, Scanned, Style, Token};
use overfold_base::account::{self, List};

/// The number of characters after which a text can no longer be a key.
const LONGEST_KEY: usize = 1024;

/// What may turn out to be a key once a `:` follows.
#[derive(Clone, Copy, Debug)]
struct PossibleKey {
    /// The number of its first token, counted from the start of the text; what is taken repeatedly counts once.
    number: usize,
    /// Where it begins.
    mark: Mark,
    /// Whether only a key may stand there.
    is_required: bool,
}

/// A token that has been scanned and not been taken yet.
struct PendingToken<'t> {
    token: Token<'t>,
    mark: Mark,
    /// If the token may begin a key: the number of brackets around it.
    begins_key: Option<usize>,
    /// How often the token is still to be taken: a line can end any number of blocks.
    times: usize,
}

impl<'t> PendingToken<'t> {
    fn once(token: Token<'t>, mark: Mark) -> Self {
        Self { token, mark, begins_key: None, times: 1 }
    }
}

pub(super) struct Scanner<'t> {
    cursor: Cursor<'t>,
    waiting: VecDeque<PendingToken<'t>>,
    /// The number of tokens that have been taken as often as they are there.
    taken: usize,
    /// The possible key outside of all brackets, then the one inside each open bracket.
    keys: List<Option<PossibleKey>>,
    /// Whether a key may begin here.
    allows_key: bool,
    /// The column of the innermost block; `None` outside of all blocks.
    indent: Option<usize>,
    /// The columns of the blocks around it.
    outer: List<Option<usize>>,
    is_finished: bool,
    /// Where the lines end whose first character is skipped (see [`skipped_until`]).
    skipped_until: usize,
}

impl<'t> Scanner<'t> {
    /// Starts scanning a text without NUL, which may begin with a byte order mark.
    pub(super) fn new(text: &'t str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self {
            cursor: Cursor::new(text),
            waiting: VecDeque::new(),
            taken: 0,
            keys: List::from(vec![None]),
            allows_key: true,
            indent: None,
            outer: List::new(),
            is_finished: false,
            skipped_until: skipped_until(text),
        }
    }

    /// Returns the next token without taking it. Behind the end, that is [`Token::End`].
    pub(super) fn peek(&mut self) -> Scanned<&Token<'t>> {
        while !self.is_finished && self.waiting.front().is_none_or(|first| self.may_become_key(first)) {
            self.scan()?;
        }
        Ok(self.waiting.front().map_or(&Token::End, |first| &first.token))
    }

    /// Takes the token that [`Self::peek`] returned.
    pub(super) fn take(&mut self) -> Token<'t> {
        if let Some(first) = self.waiting.front_mut().filter(|first| first.times > 1) {
            first.times -= 1;
            return first.token.clone();
        }
        self.taken += 1;
        self.waiting.pop_front().map_or(Token::End, |first| first.token)
    }

    /// Returns the place of the next token.
    pub(super) fn mark(&self) -> Mark {
        self.waiting.front().map_or_else(|| self.cursor.mark(), |first| first.mark)
    }

    fn may_become_key(&self, first: &PendingToken<'t>) -> bool {
        let key = first.begins_key.and_then(|brackets| self.keys.get(brackets).copied().flatten());
        key.is_some_and(|key| key.number == self.taken && !self.is_too_late_for(key))
    }

    /// Whether a `:` here is too far behind the start of a key.
    fn is_too_late_for(&self, key: PossibleKey) -> bool {
        let here = self.cursor.mark();
        key.mark.line < here.line || key.mark.index + LONGEST_KEY < here.index
    }

    fn in_brackets(&self) -> bool {
        self.keys.len() > 1
    }

    /// Returns the least column of text that continues in the next line of the innermost block.
    fn least_column(&self) -> usize {
        self.indent.map_or(0, |indent| indent + 1)
    }

    fn push(&mut self, token: Token<'t>, mark: Mark, begins_key: Option<usize>) {
        account::work(8);
        self.waiting.push_back(PendingToken { begins_key, ..PendingToken::once(token, mark) });
    }

    /// Scans the next token.
    fn scan(&mut self) -> Scanned<()> {
        self.skip_to_token();
        self.close_blocks(Some(self.cursor.mark().column));
        let start = self.cursor.mark();
        let brackets = self.in_brackets();
        match self.cursor.byte(0) {
            0 => self.end(),
            b'%' if start.column == 0 => self.directive(),
            first if self.cursor.is_document_mark() => {
                self.document_mark(if first == b'-' { Token::DocumentStart } else { Token::DocumentEnd })
            }
            b'[' => self.open_bracket(Token::FlowSequence),
            b'{' => self.open_bracket(Token::FlowMapping),
            b']' => self.close_bracket(Token::FlowSequenceEnd),
            b'}' => self.close_bracket(Token::FlowMappingEnd),
            b',' => {
                self.drop_key()?;
                self.allows_key = true;
                self.indicator(Token::Comma);
                Ok(())
            }
            b'-' if self.cursor.is_gap(1) => self.entry(),
            b'?' if brackets || self.cursor.is_gap(1) => self.key(),
            b':' if brackets || self.cursor.is_gap(1) => self.value(),
            b'*' => self.name(Token::Alias),
            b'&' => self.name(Token::Anchor),
            b'!' => self.tag(),
            b'|' | b'>' if !brackets => self.block_scalar(),
            b'\'' => self.quoted_scalar(b'\''),
            b'"' => self.quoted_scalar(b'"'),
            b'#' | b'|' | b'>' | b'%' | b'@' | b'`' | b'\t' => {
                Err(Fault::at(start, "no value begins with this character"))
            }
            _ => self.plain_scalar(),
        }
    }

    /// Moves to the next token. A tab before it is skipped where no key may begin.
    fn skip_to_token(&mut self) {
        loop {
            let here = self.cursor.mark();
            if here.column == 0 && here.at < self.skipped_until {
                self.cursor.skip(1);
            }
            while self.cursor.is(b' ') || (self.cursor.is(b'\t') && (self.in_brackets() || !self.allows_key)) {
                self.cursor.skip(1);
            }
            self.cursor.skip_comment();
            if self.cursor.line_break().is_none() {
                return;
            }
            if !self.in_brackets() {
                self.allows_key = true;
            }
        }
    }

    fn end(&mut self) -> Scanned<()> {
        self.cursor.end_line();
        self.close_blocks(None);
        self.drop_key()?;
        self.allows_key = false;
        self.push(Token::End, self.cursor.mark(), None);
        self.is_finished = true;
        Ok(())
    }

    fn document_mark(&mut self, token: Token<'t>) -> Scanned<()> {
        self.close_blocks(None);
        self.drop_key()?;
        self.allows_key = false;
        let mark = self.cursor.mark();
        self.cursor.skip(3);
        self.push(token, mark, None);
        Ok(())
    }

    /// Adds the token of one character.
    fn indicator(&mut self, token: Token<'t>) {
        let mark = self.cursor.mark();
        self.cursor.skip(1);
        self.push(token, mark, None);
    }

    fn open_bracket(&mut self, token: Token<'t>) -> Scanned<()> {
        let begins_key = self.note_key()?;
        self.keys.push(None);
        self.allows_key = true;
        let mark = self.cursor.mark();
        self.cursor.skip(1);
        self.push(token, mark, begins_key);
        Ok(())
    }

    fn close_bracket(&mut self, token: Token<'t>) -> Scanned<()> {
        self.drop_key()?;
        if self.in_brackets() {
            self.keys.pop();
        }
        self.allows_key = false;
        self.indicator(token);
        Ok(())
    }

    fn entry(&mut self) -> Scanned<()> {
        // The parser refuses an entry in brackets.
        if !self.in_brackets() {
            self.needs_line("an entry of a sequence cannot begin here")?;
            self.open_block(Token::BlockSequence);
        }
        self.drop_key()?;
        self.allows_key = true;
        self.indicator(Token::Entry);
        Ok(())
    }

    fn key(&mut self) -> Scanned<()> {
        if !self.in_brackets() {
            self.needs_line("a key cannot begin here")?;
            self.open_block(Token::BlockMapping);
        }
        self.drop_key()?;
        self.allows_key = !self.in_brackets();
        self.indicator(Token::Key);
        Ok(())
    }

    fn value(&mut self) -> Scanned<()> {
        match self.keys.last_mut().and_then(Option::take) {
            Some(key) if !self.is_too_late_for(key) => {
                let place = key.number.saturating_sub(self.taken).min(self.waiting.len());
                account::work(8 + place.min(self.waiting.len() - place) as u64 / 2);
                self.waiting.insert(place, PendingToken::once(Token::Key, key.mark));
                if !self.in_brackets() && self.indent < Some(key.mark.column) {
                    self.indent_to(key.mark.column);
                    self.waiting.insert(place, PendingToken::once(Token::BlockMapping, key.mark));
                }
                self.allows_key = false;
            }
            Some(key) if key.is_required => return Err(no_colon(key)),
            _ => {
                if !self.in_brackets() {
                    self.needs_line("the value of a key cannot begin here")?;
                    self.open_block(Token::BlockMapping);
                }
                self.allows_key = !self.in_brackets();
            }
        }
        self.indicator(Token::Value);
        Ok(())
    }

    /// Fails unless only indentation and other indicators stand before this place on its line.
    fn needs_line(&self, what: &'static str) -> Scanned<()> {
        if self.allows_key { Ok(()) } else { Err(Fault::at(self.cursor.mark(), what)) }
    }

    /// Begins a block in this column, unless this is the column of the innermost one.
    fn open_block(&mut self, token: Token<'t>) {
        let mark = self.cursor.mark();
        if self.indent < Some(mark.column) {
            self.indent_to(mark.column);
            self.push(token, mark, None);
        }
    }

    fn indent_to(&mut self, column: usize) {
        self.outer.push(self.indent);
        self.indent = Some(column);
    }

    /// Ends the blocks that begin behind this column, or all of them. Inside brackets, indentation does not count.
    fn close_blocks(&mut self, column: Option<usize>) {
        let mut times = 0;
        while !self.in_brackets() && self.indent > column {
            account::work(1);
            times += 1;
            self.indent = self.outer.pop().flatten();
        }
        if times > 0 {
            account::work(8);
            self.waiting.push_back(PendingToken { times, ..PendingToken::once(Token::BlockEnd, self.cursor.mark()) });
        }
    }

    /// Notes that a key may begin with the token that is pushed next. Returns the number of brackets around it then.
    fn note_key(&mut self) -> Scanned<Option<usize>> {
        if !self.allows_key {
            return Ok(None);
        }
        self.drop_key()?;
        let mark = self.cursor.mark();
        let is_required = !self.in_brackets() && self.indent == Some(mark.column);
        let key = PossibleKey { number: self.taken + self.waiting.len(), mark, is_required };
        let brackets = self.keys.len() - 1;
        if let Some(last) = self.keys.last_mut() {
            *last = Some(key);
        }
        Ok(Some(brackets))
    }

    /// Forgets the possible key inside the innermost bracket.
    fn drop_key(&mut self) -> Scanned<()> {
        match self.keys.last_mut().and_then(Option::take) {
            Some(key) if key.is_required => Err(no_colon(key)),
            _ => Ok(()),
        }
    }

    /// Adds a scalar. Behind it, a key can only begin in another line.
    fn scalar(&mut self, text: String, style: Style, mark: Mark, begins_key: Option<usize>) {
        account::touch(text.len());
        self.push(Token::Scalar(text, style), mark, begins_key);
    }
}

fn no_colon(key: PossibleKey) -> Fault {
    Fault::at(key.mark, "a key is not followed by ':' in the same line")
}

/// Returns the place up to which the first character of a line is skipped where a token may begin: the tool skips one
/// character there for as long as a byte order mark (not counting one at the very start of the file, which is not part
/// of `text`) is at the start of the part of the text that it has read so far.
fn skipped_until(text: &str) -> usize {
    /// What the tool reads at once, without the first mark.
    const READ_AT_ONCE: usize = 512 - 3;
    if !text.starts_with('\u{feff}') {
        return 0;
    }
    let mut ends = text.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= READ_AT_ONCE);
    let last = ends.by_ref().last().unwrap_or(0);
    let before = text.get(..last).and_then(|read| read.char_indices().next_back());
    before.map_or(0, |(at, _)| at.max(1))
}

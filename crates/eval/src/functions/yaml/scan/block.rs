//! Block scalars: the lines below `|` or `>`.

use super::Scanner;
use crate::functions::yaml::cursor::Mark;
use crate::functions::yaml::token::{Fault, Scanned, Style};

/// What happens to the line breaks at the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

impl Scanner<'_> {
    pub(super) fn block_scalar(&mut self) -> Scanned<()> {
        self.drop_key()?;
        self.allows_key = true;
        let start = self.cursor.mark();
        let is_literal = self.cursor.is(b'|');
        self.cursor.skip(1);
        let (chomping, increment) = self.block_header(start)?;
        let column = increment.map(|increment| self.indent.unwrap_or(0) + increment);

        let mut text = String::new();
        // The break behind the last line, and those of the empty lines behind that one.
        let (mut last_break, mut empty) = (None, String::new());
        let column = self.empty_lines(column, &mut empty, start)?;
        let mut was_indented = false;
        while self.cursor.mark().column == column && !self.cursor.is_end() {
            let is_indented = self.cursor.is_blank(0);
            let is_folded = !is_literal && !was_indented && !is_indented;
            match last_break.take() {
                Some('\n') if is_folded && empty.is_empty() => text.push(' '),
                Some('\n') if is_folded => {}
                last => text.extend(last),
            }
            text.push_str(&empty);
            empty.clear();
            was_indented = is_indented;
            while !self.cursor.is_line_end() {
                self.cursor.copy_while(|byte| !matches!(byte, b'\r' | b'\n'), &mut text);
                if !self.cursor.is_line_end() {
                    self.cursor.copy(&mut text);
                }
            }
            last_break = self.cursor.line_break();
            self.empty_lines(Some(column), &mut empty, start)?;
        }
        if chomping != Chomping::Strip {
            text.extend(last_break);
        }
        if chomping == Chomping::Keep {
            text.push_str(&empty);
        }
        self.scalar(text, Style::Block, start, None);
        Ok(())
    }

    /// Reads what follows `|` or `>` in the same line: both indicators, in any order.
    fn block_header(&mut self, start: Mark) -> Scanned<(Chomping, Option<usize>)> {
        let mut chomping = self.chomping();
        let increment = match self.cursor.byte(0) {
            b'0' => return Err(Fault::at(start, "the indentation of a block cannot be 0")),
            digit @ b'1'..=b'9' => {
                self.cursor.skip(1);
                Some(usize::from(digit - b'0'))
            }
            _ => None,
        };
        if chomping.is_none() && increment.is_some() {
            chomping = self.chomping();
        }
        self.cursor.skip_blanks();
        self.cursor.skip_comment();
        if !self.cursor.is_line_end() {
            return Err(Fault::at(start, "a block begins in the line of its indicator"));
        }
        self.cursor.line_break();
        Ok((chomping.unwrap_or(Chomping::Clip), increment))
    }

    fn chomping(&mut self) -> Option<Chomping> {
        let chomping = match self.cursor.byte(0) {
            b'+' => Chomping::Keep,
            b'-' => Chomping::Strip,
            _ => return None,
        };
        self.cursor.skip(1);
        Some(chomping)
    }

    /// Moves behind empty lines and the indentation of the next one, and adds their breaks to `empty`. Returns the
    /// column of the block: if it is not given, the greatest one reached here, but one behind the block around it.
    fn empty_lines(&mut self, column: Option<usize>, empty: &mut String, start: Mark) -> Scanned<usize> {
        let mut reached = 0;
        loop {
            let is_before = |scanner: &Self| column.is_none_or(|column| scanner.cursor.mark().column < column);
            while is_before(self) && self.cursor.is(b' ') {
                self.cursor.skip(1);
            }
            reached = reached.max(self.cursor.mark().column);
            if is_before(self) && self.cursor.is(b'\t') {
                return Err(Fault::at(start, "a block is indented with a tab"));
            }
            match self.cursor.line_break() {
                Some(last) => empty.push(last),
                None => break,
            }
        }
        Ok(column.unwrap_or_else(|| reached.max(self.least_column()).max(1)))
    }
}

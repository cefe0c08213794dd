//! A place in a YAML text that moves forward, and the classes of characters that the scanner tells apart.

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Mark {
    /// The byte offset.
    pub(super) at: usize,
    /// The number of characters before it.
    pub(super) index: usize,
    /// The line, 0-based.
    pub(super) line: usize,
    /// The characters before it on its line. A tab is one.
    pub(super) column: usize,
}

/// Reads a text from its start to its end. The text holds no NUL: that byte stands for its end.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    here: Mark,
}

impl<'t> Cursor<'t> {
    /// Starts before the first character.
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, here: Mark::default() }
    }

    /// Returns the place of the next character.
    pub(super) fn mark(&self) -> Mark {
        self.here
    }

    /// Returns the text between an earlier place and this one.
    pub(super) fn since(&self, start: Mark) -> &'t str {
        self.text.get(start.at..self.here.at).unwrap_or_default()
    }

    /// Returns the byte that is `ahead` bytes ahead; NUL behind the end.
    #[inline]
    pub(super) fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.here.at + ahead).copied().unwrap_or(0)
    }

    /// Whether the next byte is this one.
    pub(super) fn is(&self, byte: u8) -> bool {
        self.byte(0) == byte
    }

    /// Whether everything has been read.
    pub(super) fn is_end(&self) -> bool {
        self.byte(0) == 0
    }

    /// Whether the byte `ahead` bytes ahead is a space or a tab.
    #[inline]
    pub(super) fn is_blank(&self, ahead: usize) -> bool {
        matches!(self.byte(ahead), b' ' | b'\t')
    }

    /// Whether a line break begins `ahead` bytes ahead: CR, LF, NEL, LS or PS.
    #[inline]
    pub(super) fn is_break(&self, ahead: usize) -> bool {
        match self.byte(ahead) {
            b'\r' | b'\n' => true,
            0xc2 => self.byte(ahead + 1) == 0x85,
            0xe2 => self.byte(ahead + 1) == 0x80 && matches!(self.byte(ahead + 2), 0xa8 | 0xa9),
            _ => false,
        }
    }

    /// Whether a line break or the end of the text is here.
    #[inline]
    pub(super) fn is_line_end(&self) -> bool {
        self.is_end() || self.is_break(0)
    }

    /// Whether a space, a tab, a line break or the end of the text is `ahead` bytes ahead: what separates words.
    #[inline]
    pub(super) fn is_gap(&self, ahead: usize) -> bool {
        self.byte(ahead) == 0 || self.is_blank(ahead) || self.is_break(ahead)
    }

    /// Whether a line begins here with a mark between documents: `---` or `...`, alone.
    #[inline]
    pub(super) fn is_document_mark(&self) -> bool {
        let first = self.byte(0);
        self.here.column == 0
            && matches!(first, b'-' | b'.')
            && self.byte(1) == first
            && self.byte(2) == first
            && self.is_gap(3)
    }

    /// Moves behind the next character and returns it. It must not be a line break.
    #[inline]
    pub(super) fn advance(&mut self) -> Option<char> {
        let byte = self.byte(0);
        if byte.is_ascii() && byte != 0 {
            self.here.at += 1;
            self.here.index += 1;
            self.here.column += 1;
            return Some(char::from(byte));
        }
        let c = self.text.get(self.here.at..)?.chars().next()?;
        self.here.at += c.len_utf8();
        self.here.index += 1;
        self.here.column += 1;
        Some(c)
    }

    /// Moves behind this many characters of the line.
    pub(super) fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.advance();
        }
    }

    /// Copies the next character, which must not be a line break.
    #[inline]
    pub(super) fn copy(&mut self, to: &mut String) {
        to.extend(self.advance());
    }

    /// Copies ASCII characters for as long as `is_part` holds. It must not hold for line breaks.
    pub(super) fn copy_while(&mut self, is_part: impl Fn(u8) -> bool, to: &mut String) {
        let rest = self.text.as_bytes().get(self.here.at..).unwrap_or_default();
        let count = rest.iter().take_while(|byte| byte.is_ascii() && is_part(**byte)).count();
        let start = self.here;
        self.here.at += count;
        self.here.index += count;
        self.here.column += count;
        to.push_str(self.since(start));
    }

    /// Moves behind spaces and tabs.
    pub(super) fn skip_blanks(&mut self) {
        while self.is_blank(0) {
            self.skip(1);
        }
    }

    /// Moves to the end of the line if a comment begins here.
    pub(super) fn skip_comment(&mut self) {
        if self.is(b'#') {
            while !self.is_line_end() {
                self.skip(1);
            }
        }
    }

    /// Moves to the next line if a line break is here, and returns the break: LS and PS are kept, all others are LF.
    pub(super) fn line_break(&mut self) -> Option<char> {
        if !self.is_break(0) {
            return None;
        }
        let is_pair = self.is(b'\r') && self.byte(1) == b'\n';
        let c = self.advance();
        if is_pair {
            self.advance();
        }
        self.here.line += 1;
        self.here.column = 0;
        Some(c.filter(|c| matches!(c, '\u{2028}' | '\u{2029}')).unwrap_or('\n'))
    }

    /// Begins a line behind the end of the text, unless the text ends with one.
    pub(super) fn end_line(&mut self) {
        if self.here.column != 0 {
            self.here.line += 1;
            self.here.column = 0;
        }
    }
}

/// Whether a byte may be part of the name of an anchor, a directive or a tag's handle.
pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

//! Positions as other programs expect them: the file as the upload names it, and columns in two units in addition to
//! our own.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use overfold_base::account;
use overfold_base::diag::{SourceId, Span, TextRange};
use overfold_base::files::{Range, SourceKind, Sources};

/// The byte order mark, which is not part of the text where columns count characters.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// One end of a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Endpoint {
    /// The line, 1-based; lines end with a line feed.
    pub(super) line: u32,
    /// The column in bytes of the file, 1-based.
    pub(super) bytes: u32,
    /// The column in UTF-16 code units, 1-based. A byte order mark has no column; each byte sequence that is not UTF-8
    /// has one.
    pub(super) utf16: u32,
}

/// A half-open range of a file, at character boundaries. An empty range is only possible at the end of a line or of the
/// file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Region {
    /// First position.
    pub(super) start: Endpoint,
    /// First position after the range.
    pub(super) end: Endpoint,
}

impl Region {
    /// Whether the region is on one line.
    pub(super) const fn is_on_one_line(&self) -> bool {
        self.start.line == self.end.line
    }
}

/// The position of a diagnostic.
#[derive(Clone, Debug)]
pub(super) struct DiagnosticPlace {
    /// The file relative to the upload, after the prefix; a source that is not a file has the name by which it is
    /// reported, which may be empty.
    pub(super) name: Arc<str>,
    /// The range as in the answer: in grapheme clusters, with an empty range widened as the tools print it.
    pub(super) shown: Range,
    /// The region, if it is in a file that can be referred to.
    pub(super) region: Option<Region>,
}

/// Computes the positions for one report.
pub(super) struct Places<'r> {
    sources: &'r Sources,
    /// The prefix of the name of each file, `""` or ending with `/`.
    prefix: String,
    /// The prefix of the name of a file of the module directory.
    folder: String,
    names: RefCell<BTreeMap<SourceId, Name>>,
    /// The UTF-16 units between the start of a line and some of its offsets, so that a long line is counted once,
    /// whatever the order of the positions on it.
    counted: RefCell<BTreeMap<(SourceId, u32), u32>>,
}

#[derive(Clone)]
struct Name {
    text: Arc<str>,
    is_file: bool,
}

/// The number of bytes after which the units counted so far are noted.
const STRIDE: u32 = 4096;

impl<'r> Places<'r> {
    /// Prepares the positions for the module directory `root` (`""` for the top) of an upload whose file names are
    /// prefixed with `prefix` (`""` for none).
    pub(super) fn new(sources: &'r Sources, prefix: &str, root: &str) -> Self {
        let folder = |path: &str| if path.is_empty() { String::new() } else { format!("{path}/") };
        // If the names of files are reported with a folder, it already includes both.
        let (prefix, folder) = match sources.folder() {
            "" => (folder(prefix) + &folder(root), folder(prefix) + &folder(root)),
            given => (String::new(), given.to_owned()),
        };
        Self { sources, prefix, folder, names: RefCell::default(), counted: RefCell::default() }
    }

    /// Returns the name of a file of the module directory; `None` if it is above the folder that names are relative to.
    pub(super) fn file(&self, name: &str) -> Option<Arc<str>> {
        normalize(&format!("{}{name}", self.folder)).map(Arc::from)
    }

    fn reported(&self, name: &str) -> Option<Arc<str>> {
        normalize(&format!("{}{name}", self.prefix)).map(Arc::from)
    }

    /// Computes the position of a span.
    pub(super) fn of(&self, span: Span) -> DiagnosticPlace {
        let shown = self.sources.range(span).widened();
        let span = self.sources.in_file(span);
        let Name { text, is_file } = self.name(span.source);
        let region = is_file.then(|| self.region(span));
        DiagnosticPlace { name: text, shown, region }
    }

    /// Computes the exact region of a span that is to be replaced, without widening.
    pub(super) fn exact_region(&self, span: Span) -> Option<Region> {
        let span = self.sources.in_file(span);
        let text = &self.sources.get(span.source)?.text;
        let is_exact = |offset: u32| floor(text, offset) == offset;
        (self.name(span.source).is_file && is_exact(span.start) && is_exact(span.end)).then(|| Region {
            start: self.endpoint(span.source, span.start),
            end: self.endpoint(span.source, span.end),
        })
    }

    fn name(&self, id: SourceId) -> Name {
        if let Some(name) = self.names.borrow().get(&id) {
            return name.clone();
        }
        account::work(8);
        let own = self.sources.name(id);
        let is_text = self.sources.get(id).is_none_or(|source| matches!(source.kind, SourceKind::Detached));
        let file = if is_text || own.is_empty() { None } else { self.reported(own) };
        let name = Name { is_file: file.is_some(), text: file.unwrap_or_else(|| Arc::from(own)) };
        self.names.borrow_mut().insert(id, name.clone());
        name
    }

    fn region(&self, span: Span) -> Region {
        let Some(source) = self.sources.get(span.source) else {
            let start = Endpoint { line: 1, bytes: 1, utf16: 1 };
            return Region { start, end: start };
        };
        let text = &source.text;
        let start = floor(text, span.start);
        let mut end = ceil(text, span.end.max(start));
        if end == start {
            // Widened by one character, as the tools do with an empty range; there is none at the end of a line.
            if text.get(start as usize).is_some_and(|byte| !matches!(byte, b'\n' | b'\r')) {
                end = ceil(text, start + 1);
            }
        }
        Region { start: self.endpoint(span.source, start), end: self.endpoint(span.source, end) }
    }

    /// Computes the position of an offset between two characters.
    fn endpoint(&self, id: SourceId, offset: u32) -> Endpoint {
        let (line, line_start) = self.sources.line(id, offset);
        let mut counted = self.counted.borrow_mut();
        let before = counted.range((id, line_start)..=(id, offset)).next_back();
        let (mut at, mut units) = before.map_or((line_start, 0), |(&(_, at), &units)| (at, units));
        account::work(4);
        while at < offset {
            let all = self.sources.get(id).map_or(&[][..], |source| &source.text);
            // A stride that ends inside a character of the text would count it twice.
            let stop = floor(all, at.saturating_add(STRIDE)).min(offset);
            let stop = if stop > at { stop } else { offset };
            let text = TextRange::new(at, stop).bytes_of(all);
            account::touch(text.len());
            units += utf16(if at == 0 { text.strip_prefix(BOM).unwrap_or(text) } else { text });
            at = stop;
            counted.insert((id, at), units);
        }
        Endpoint { line, bytes: offset - line_start + 1, utf16: units + 1 }
    }
}

/// Counts the UTF-16 code units of a text; a byte sequence that is not UTF-8 counts as the one character that replaces
/// it.
fn utf16(text: &[u8]) -> u32 {
    if text.is_ascii() {
        return text.len() as u32;
    }
    let units = text.utf8_chunks().map(|chunk| {
        let valid = chunk.valid().chars().map(char::len_utf16).sum::<usize>();
        valid + usize::from(!chunk.invalid().is_empty())
    });
    units.sum::<usize>() as u32
}

const fn continues(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Returns the character boundary at or before an offset; the end of the text for an offset beyond it.
fn floor(text: &[u8], offset: u32) -> u32 {
    let mut at = (offset as usize).min(text.len());
    // A character has at most three continuation bytes.
    let least = at.saturating_sub(3);
    while at > least && text.get(at).is_some_and(|&byte| continues(byte)) {
        at -= 1;
    }
    at as u32
}

/// Returns the character boundary at or after an offset.
fn ceil(text: &[u8], offset: u32) -> u32 {
    let mut at = (offset as usize).min(text.len());
    let most = at + 3;
    while at < most && text.get(at).is_some_and(|&byte| continues(byte)) {
        at += 1;
    }
    at as u32
}

/// Normalises a relative path by resolving `.` and `..`; `None` if it is absolute or leads above its base folder.
fn normalize(path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                kept.pop()?;
            }
            _ => kept.push(segment),
        }
    }
    Some(kept.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use overfold_base::files::Source;

    /// The columns of a range of a text, in bytes and in UTF-16.
    fn columns(text: &[u8], start: u32, end: u32) -> [(u32, u32, u32); 2] {
        let sources = Sources::new();
        let id = sources.add(Source::new("main.tf", bytes::Bytes::copy_from_slice(text), SourceKind::Native));
        let place = Places::new(&sources, "", "").of(Span { source: id, start, end });
        let region = place.region.unwrap();
        [region.start, region.end].map(|spot| (spot.line, spot.bytes, spot.utf16))
    }

    #[test]
    fn each_unit_counts_for_itself() {
        // An e with a combining accent, a wide character, one outside of the first plane, a family.
        let text = "a = \"e\u{301}漢😀👩\u{200D}👩\u{200D}👧\" x\r\n\tb";
        let at = |what: &str| text.find(what).unwrap() as u32;
        assert_eq!(columns(text.as_bytes(), 4, at(" x")), [(1, 5, 5), (1, 35, 20)]);
        assert_eq!(columns(text.as_bytes(), at("漢"), at("😀")), [(1, 9, 8), (1, 12, 9)]);
        assert_eq!(columns(text.as_bytes(), at("😀"), at("😀") + 4), [(1, 12, 9), (1, 16, 11)]);
        // A tab is one column in both units; a carriage return belongs to its line.
        assert_eq!(columns(text.as_bytes(), at("b"), at("b") + 1), [(2, 2, 2), (2, 3, 3)]);
        assert_eq!(columns(text.as_bytes(), at("\r"), at("\t")), [(1, 37, 22), (2, 1, 1)]);
    }

    #[test]
    fn a_byte_order_mark_has_bytes_and_no_character() {
        assert_eq!(columns(b"\xEF\xBB\xBFa = 1", 3, 4), [(1, 4, 1), (1, 5, 2)]);
        assert_eq!(columns(b"\xEF\xBB\xBFa\n\xEF\xBB\xBFb", 8, 9), [(2, 4, 2), (2, 5, 3)]);
    }

    #[test]
    fn an_empty_range_takes_the_character_behind_it_but_no_line_end() {
        assert_eq!(columns("a = 😀".as_bytes(), 4, 4), [(1, 5, 5), (1, 9, 7)]);
        assert_eq!(columns(b"a\nb", 1, 1), [(1, 2, 2), (1, 2, 2)]);
        assert_eq!(columns(b"a\r\nb", 1, 1), [(1, 2, 2), (1, 2, 2)]);
        assert_eq!(columns(b"ab", 2, 2), [(1, 3, 3), (1, 3, 3)]);
        assert_eq!(columns(b"", 0, 0), [(1, 1, 1), (1, 1, 1)]);
        assert_eq!(columns(b"ab", 7, 9), [(1, 3, 3), (1, 3, 3)]);
    }

    #[test]
    fn a_range_never_cuts_a_character() {
        assert_eq!(columns("é😀".as_bytes(), 1, 3), [(1, 1, 1), (1, 7, 4)]);
        assert_eq!(columns(b"a\xFF\xC3b", 1, 3), [(1, 2, 2), (1, 4, 4)]);
    }

    /// Columns do not depend on the order of the queries.
    #[test]
    fn the_order_of_questions_changes_nothing() {
        let text = "é漢\n😀é漢😀 é\n";
        let sources = Sources::new();
        let id = sources.add(Source::new("a", bytes::Bytes::copy_from_slice(text.as_bytes()), SourceKind::Native));
        let places = Places::new(&sources, "", "");
        let offsets: Vec<u32> = text.char_indices().map(|(at, _)| at as u32).collect();
        let fresh = |at: u32| Places::new(&sources, "", "").endpoint(id, at);
        // A long line is counted in steps, in any order.
        let long = "é漢😀a".repeat(3000);
        let id_of_long = sources.add(Source::new("b", bytes::Bytes::from(long.clone()), SourceKind::Native));
        for (at, _) in long.char_indices().step_by(97).chain(long.char_indices().rev().step_by(89)) {
            let units = long.get(..at).unwrap().encode_utf16().count() as u32;
            assert_eq!(places.endpoint(id_of_long, at as u32).utf16, units + 1, "{at}");
        }
        for &first in &offsets {
            for &second in &offsets {
                assert_eq!(places.endpoint(id, first), fresh(first));
                assert_eq!(places.endpoint(id, second), fresh(second), "{second} after {first}");
            }
        }
    }

    #[test]
    fn files_are_named_below_the_prefix_and_the_root() {
        let sources = Sources::new();
        let name = |prefix: &str, root: &str, name: &str| {
            Places::new(&sources, prefix, root).file(name).map(|name| name.to_string())
        };
        assert_eq!(name("", "", "main.tf").as_deref(), Some("main.tf"));
        assert_eq!(name("infra", "a/b", "main.tf").as_deref(), Some("infra/a/b/main.tf"));
        assert_eq!(name("infra", "a", "../common.tfvars").as_deref(), Some("infra/common.tfvars"));
        assert_eq!(name("infra", "", "./x/./y.tf").as_deref(), Some("infra/x/y.tf"));
        assert_eq!(name("", "", "../common.tfvars"), None);
        assert_eq!(name("", "", "/etc/passwd"), None);
    }
}

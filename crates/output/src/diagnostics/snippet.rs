//! The source lines around a diagnostic, in the form of `terraform validate -json`: whole lines without empty ones, and
//! byte offsets into them. One deviation: the offsets refer to the lines as shown. The tool's offsets are wrong if
//! there are empty lines or carriage returns, because it counts those too.

use std::fmt::Write as _;

use super::super::redaction::{MARKER, Masks, Redaction};
pub(super) use crate::view::Snippet;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Span, TextRange};
use overfold_base::echo;
use overfold_base::files::{SourceKind, SourceRole, Sources};
use overfold_syntax::json::{JsonKind, JsonNode, JsonTree};
use overfold_syntax::tree::{Root, Tree};
use overfold_syntax::{Forest, Parsed};

/// The maximum number of bytes of code that are shown: a file on one line must not be repeated by each of its
/// diagnostics.
const CODE_CAP: usize = 1024;
/// The maximum number of bytes of the description of what encloses a position: labels and keys may be of any length, and
/// each diagnostic within them has the description.
const CONTEXT_CAP: usize = 1024;

impl Snippet {
    /// Creates the snippet for `span`, showing all of `around` if that is given and is in the same file. `None` if the
    /// span is in no file.
    pub(super) fn of(redaction: &Redaction<'_>, forest: &Forest, span: Span, around: Option<Span>) -> Option<Self> {
        let highlight = widened(forest.sources.in_file(span));
        let shown = around
            .map(|around| widened(forest.sources.in_file(around)))
            .filter(|around| around.source == highlight.source)
            .map_or(highlight, |around| around.range().to(highlight.range()).in_source(highlight.source));
        let source = forest.sources.get(highlight.source)?;
        if matches!(source.kind, SourceKind::Detached) || source.role.get() == SourceRole::Given {
            // The value of an option may be a secret, and the reader knows what was sent.
            return None;
        }
        account::work(CODE_CAP as u64 / 32);
        let masks = redaction.masks(highlight.source);
        let lines = Lines::around(&source.text, masks, shown.range(), highlight.range());
        Some(Self {
            context: context(forest, masks, highlight),
            highlight_start_offset: lines.offset(highlight.start, Edge::Start),
            highlight_end_offset: lines.offset(highlight.end, Edge::End),
            start_line: line_of(&forest.sources, highlight, lines.start),
            code: lines.code,
            values: Vec::new(),
        })
    }
}

fn widened(span: Span) -> Span {
    Span { end: span.end.max(span.start.saturating_add(1)), ..span }
}

fn line_of(sources: &Sources, span: Span, start: usize) -> u32 {
    sources.position(span.source, start as u32).line
}

/// Whole lines of a text, with line ends normalised and hidden parts replaced.
struct Lines {
    code: String,
    /// The byte offset in the text of the first byte of `code`.
    start: usize,
    /// The runs in order, without gaps in the text.
    runs: Vec<Run>,
    /// Whether a line end is pending; it is written only if something follows it.
    line_end: bool,
}

/// A line or part of one, or a part that is shown as a different text: a hidden part, which may span many lines, or a
/// byte that is not UTF-8.
struct Run {
    /// The start in the text.
    text: usize,
    /// The start in the code.
    code: usize,
    /// The end in the code, without the line end.
    end: usize,
    replaced: bool,
}

/// The start or the end of a range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    Start,
    End,
}

impl Lines {
    /// Returns the lines that contain `shown`, cut to a window around `highlight` if they are too long.
    fn around(text: &[u8], masks: &Masks, shown: TextRange, highlight: TextRange) -> Self {
        let (mut first, mut last) = whole_lines(text, shown);
        if last - first > CODE_CAP {
            (first, last) = whole_lines(text, highlight);
        }
        if last - first > CODE_CAP {
            first = boundary(text, first.max((highlight.start as usize).saturating_sub(CODE_CAP / 4)));
            last = boundary(text, last.min(first + CODE_CAP));
        }
        let code = String::with_capacity(last.saturating_sub(first));
        let mut lines = Self { code, start: first, runs: Vec::new(), line_end: false };
        let mut at = first;
        for mask in masks.within(TextRange::new(first as u32, last as u32)) {
            let (from, to) = ((mask.start as usize).max(first), (mask.end as usize).min(last));
            lines.push_text(at, text.get(at..from).unwrap_or_default());
            lines.push(from, MARKER, true);
            at = to;
        }
        lines.push_text(at, text.get(at..last).unwrap_or_default());
        while lines.code.ends_with(['\n', '\r']) {
            lines.code.pop();
        }
        lines
    }

    fn push_text(&mut self, mut at: usize, text: &[u8]) {
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let content = line.strip_suffix(b"\n").map_or(line, |line| line.strip_suffix(b"\r").unwrap_or(line));
            if content.is_empty() && (self.line_end || self.runs.is_empty()) {
                at += line.len();
                continue;
            }
            self.push_line(at, content);
            self.line_end = line.ends_with(b"\n");
            at += line.len();
        }
    }

    /// Appends a line. Every byte that is not UTF-8 is shown as U+FFFD, which is longer, and becomes a run of its own.
    fn push_line(&mut self, mut at: usize, content: &[u8]) {
        if let Ok(text) = std::str::from_utf8(content) {
            return self.push(at, text, false);
        }
        for chunk in content.utf8_chunks() {
            self.push(at, chunk.valid(), false);
            at += chunk.valid().len();
            for _ in chunk.invalid() {
                self.push(at, "\u{FFFD}", true);
                at += 1;
            }
        }
    }

    fn push(&mut self, at: usize, shown: &str, replaced: bool) {
        if std::mem::take(&mut self.line_end) {
            self.code.push('\n');
        }
        let code = self.code.len();
        self.code.push_str(shown);
        self.runs.push(Run { text: at, code, end: self.code.len(), replaced });
    }

    /// Converts a byte offset of the text to an offset in the code, clamped to the code. An offset within a hidden part
    /// becomes the start or the end of its replacement, depending on `edge`.
    fn offset(&self, byte: u32, edge: Edge) -> u32 {
        let byte = byte as usize;
        let after = self.runs.partition_point(|run| run.text <= byte);
        let Some(run) = self.runs.get(after.saturating_sub(1)) else { return 0 };
        let offset = match edge {
            Edge::End if run.replaced && byte > run.text => run.end,
            _ if run.replaced => run.code,
            _ => (run.code + byte.saturating_sub(run.text)).min(run.end),
        };
        offset.min(self.code.len()) as u32
    }
}

/// Returns start and end (without the line end) of the lines that a range touches. As in the tool, a range that ends at
/// the start of a line touches that line. At most the part of a line that can be shown is examined, so that the cost
/// does not grow with its length.
fn whole_lines(text: &[u8], range: TextRange) -> (usize, usize) {
    let from = (range.start as usize).min(text.len());
    let to = (range.end as usize).min(text.len());
    let reach = from.saturating_sub(CODE_CAP);
    let (before, _) = text.split_at(from);
    let (_, before) = before.split_at(reach);
    let first = memchr::memrchr(b'\n', before).map_or(reach, |at| reach + at + 1);
    let (_, after) = text.split_at(to);
    let (after, _) = after.split_at(CODE_CAP.min(after.len()));
    let last = to + memchr::memchr(b'\n', after).unwrap_or(after.len());
    (first, last)
}

/// Returns the nearest start of a character at or before `at`.
fn boundary(text: &[u8], mut at: usize) -> usize {
    while at > 0 && text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80) {
        at -= 1;
    }
    at
}

/// Describes what encloses the byte before a position: the header of the top-level block in native syntax, the path of
/// objects and arrays in JSON.
fn context(forest: &Forest, masks: &Masks, span: Span) -> Option<String> {
    let before = span.start.checked_sub(1)?;
    match forest.parsed(span.source)? {
        Parsed::Native(tree) => header(tree, masks, before),
        Parsed::Json(tree) => path(tree, masks, before),
    }
}

fn contains(range: TextRange, byte: u32) -> bool {
    (range.start..range.end).contains(&byte)
}

fn header(tree: &Tree, masks: &Masks, byte: u32) -> Option<String> {
    let Root::Body(body) = tree.root else { return None };
    let blocks = tree.blocks(tree.body(body).blocks);
    // Blocks are in source order and do not overlap.
    let after = blocks.partition_point(|block| block.range.start <= byte);
    let block = blocks.get(after.checked_sub(1)?).filter(|block| contains(block.range, byte))?;
    if masks.intersect(block.def_range) {
        return None;
    }
    let mut text = echo::beginning(tree.slice(block.type_range), CONTEXT_CAP).to_owned();
    for label in tree.labels(block.labels).charged(2) {
        if text.len() > CONTEXT_CAP {
            break;
        }
        let _ = write!(text, " {:?}", echo::beginning(tree.str(label.text), CONTEXT_CAP));
    }
    Some(capped(text))
}

/// Shortens a context that is too long.
fn capped(mut text: String) -> String {
    account::touch(text.len());
    if text.len() > CONTEXT_CAP {
        text.truncate(text.floor_char_boundary(CONTEXT_CAP));
        text.push('…');
    }
    text
}

fn path(tree: &JsonTree, masks: &Masks, byte: u32) -> Option<String> {
    let mut text = String::new();
    let mut node = tree.root;
    // The keys of a hidden value are hidden as well: a value whose start is hidden has no path.
    let is_hidden = |id| masks.intersect(TextRange::new(tree.node(id).range.start, tree.node(id).range.start));
    loop {
        account::work(1);
        let step = match tree.node(node).kind {
            JsonKind::Object { properties, .. } => {
                let properties = tree.properties(properties);
                let after = properties.partition_point(|p| tree.node(p.value).range.start <= byte);
                let property = after.checked_sub(1).and_then(|at| properties.get(at));
                property.map(|property| {
                    (property.value, format!(".{}", echo::beginning(tree.str(property.name), CONTEXT_CAP)))
                })
            }
            JsonKind::Array { items, .. } => {
                let items = tree.list(items);
                let after = items.partition_point(|&item| tree.node(item).range.start <= byte);
                after.checked_sub(1).and_then(|at| items.get(at).map(|&item| (item, format!("[{at}]"))))
            }
            _ => None,
        };
        let Some((next, name)) = step.filter(|(next, _)| {
            is_container(tree.node(*next)) && contains(tree.node(*next).range, byte) && !is_hidden(*next)
        }) else {
            let text = text.strip_prefix('.').unwrap_or(&text);
            return (!text.is_empty()).then(|| capped(text.to_owned()));
        };
        // What is deeper would not be shown.
        if text.len() > CONTEXT_CAP {
            return Some(capped(text.strip_prefix('.').unwrap_or(&text).to_owned()));
        }
        text.push_str(&name);
        node = next;
    }
}

fn is_container(node: &JsonNode) -> bool {
    matches!(node.kind, JsonKind::Object { .. } | JsonKind::Array { .. })
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::{CODE_CAP, Redaction, Snippet};
    use overfold_base::diag::{Diagnostics, SourceId, Span};
    use overfold_model::config::Secrets;
    use overfold_syntax::{Forest, SyntaxLimits};

    fn native(text: &str) -> (Forest, SourceId) {
        let forest = Forest::new(SyntaxLimits::default());
        let id = forest.parse_native("main.tf", Bytes::copy_from_slice(text.as_bytes()), &mut Diagnostics::new());
        (forest, id)
    }

    fn json(text: &str) -> (Forest, SourceId) {
        let forest = Forest::new(SyntaxLimits::default());
        let id = forest.parse_json("main.tf.json", Bytes::copy_from_slice(text.as_bytes()), &mut Diagnostics::new());
        (forest, id)
    }

    fn of((forest, source): &(Forest, SourceId), start: u32, end: u32) -> (Option<String>, String, u32, (u32, u32)) {
        let secrets = Secrets::new(forest, true);
        let redaction = Redaction::new(forest, &secrets, false);
        let snippet = Snippet::of(&redaction, forest, Span { source: *source, start, end }, None).unwrap();
        let highlight = (snippet.highlight_start_offset, snippet.highlight_end_offset);
        (snippet.context, snippet.code, snippet.start_line, highlight)
    }

    const MODULE: &str =
        "variable \"a\" {\n  validation {\n    bogus = 1\n\n  }\n}\nbad \"x\" {}\nlocals { a = 1\n}\n";

    #[test]
    fn the_context_is_the_header_of_the_block_at_the_top() {
        let file = native(MODULE);
        let header = Some("variable \"a\"".to_owned());
        assert_eq!(of(&file, 34, 39), (header, "    bogus = 1".to_owned(), 3, (4, 9)));
        assert_eq!(of(&file, 51, 54), (None, "bad \"x\" {}".to_owned(), 7, (0, 3)));
        assert_eq!(of(&file, 55, 58), (Some("bad \"x\"".to_owned()), "bad \"x\" {}".to_owned(), 7, (4, 7)));
    }

    #[test]
    fn a_place_that_ends_at_the_start_of_a_line_shows_that_line() {
        let file = native(MODULE);
        assert_eq!(of(&file, 76, 77).1, "locals { a = 1\n}");
        assert_eq!(of(&file, 76, 77).3, (14, 15));
        let open = native("foo = \"bar\n\n");
        assert_eq!(of(&open, 10, 12), (None, "foo = \"bar".to_owned(), 1, (10, 10)));
        assert_eq!(of(&open, 12, 12), (None, String::new(), 3, (0, 0)));
        assert_eq!(of(&native(""), 0, 0), (None, String::new(), 1, (0, 0)));
    }

    #[test]
    fn in_json_the_context_is_the_path_of_objects_and_arrays() {
        let file = json(
            "{\"resource\":{\"a\":{\"b\":{\"count\":1,\"for_each\":2}}},\n\"variable\":[{\"x\":{\"type\":\"foo\"}}], \"foo\":1}",
        );
        assert_eq!(of(&file, 33, 43).0.as_deref(), Some("resource.a.b"));
        assert_eq!(of(&file, 75, 80).0.as_deref(), Some("variable[0].x"));
        assert_eq!(of(&file, 86, 91).0, None);
        assert_eq!(of(&file, 86, 91).2, 2);
    }

    #[test]
    fn blank_lines_and_carriage_returns_do_not_shift_the_place() {
        let file = native("a = [\r\n\r\n  1,\r\n]\r\n");
        assert_eq!(of(&file, 4, 16), (None, "a = [\n  1,\n]".to_owned(), 1, (4, 12)));
        assert_eq!(of(&native("a = [\n\n\n  1,\n]\n"), 4, 15).1, "a = [\n  1,\n]");
        let blank = native("a = \"b\n\n\nc\n");
        assert_eq!(of(&blank, 6, 9), (None, "a = \"b\nc".to_owned(), 1, (6, 7)));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_shown_by_the_replacement_character() {
        let forest = Forest::new(SyntaxLimits::default());
        let text = Bytes::from_static(b"a = \xEB\xC3b\n");
        let id = forest.parse_native("main.tf", text, &mut Diagnostics::new());
        let file = (forest, id);
        assert_eq!(of(&file, 5, 6), (None, "a = \u{FFFD}\u{FFFD}b".to_owned(), 1, (7, 10)));
        assert_eq!(of(&file, 6, 7).3, (10, 11));
    }

    #[test]
    fn a_long_line_is_shown_in_part() {
        let long = format!("a = \"{}\"\nb = 2\n", "é".repeat(20_000));
        let file = native(&long);
        let (_, code, line, (start, end)) = of(&file, 30_005, 30_007);
        assert!(code.len() <= CODE_CAP && code.len() > CODE_CAP / 2, "{}", code.len());
        assert_eq!((line, code.get(start as usize..end as usize)), (1, Some("é")));
        assert_eq!(of(&file, 40_007, 40_008).1, "b = 2");
    }
}

//! Declarations in the text of a file that cannot be parsed. Its tree is a recovered one: which byte belongs to which
//! variable, and whether a flag was lost, it cannot say. So the text is cut at the lines that certainly begin another
//! block at the top, and each piece is judged as a whole.

use memchr::memmem;

use crate::config::secrets::VARIABLE;
use crate::diag::{Secrecy, TextRange};

/// Words that begin a block in which no variable is declared.
const OTHER_BLOCKS: [&str; 22] = [
    "action",
    "check",
    "data",
    "ephemeral",
    "global",
    "import",
    "language",
    "locals",
    "mock",
    "module",
    "moved",
    "output",
    "override_data",
    "override_module",
    "override_resource",
    "plugin",
    "policy",
    "provider",
    "removed",
    "resource",
    "rule",
    "terraform",
];

/// A piece of a damaged file that may declare variables, or give them values.
#[derive(Debug)]
pub struct Stretch {
    /// Where it stands.
    pub range: TextRange,
    /// What the flags in it say, whomever they belong to.
    pub flagged: Secrecy,
    /// The names that it may declare.
    pub names: Vec<String>,
    /// It may assign values, as a test file does.
    pub assigns: bool,
}

/// The pieces of a text that may declare or set variables.
pub fn stretches(text: &[u8], is_json: bool) -> Vec<Stretch> {
    if is_json {
        return vec![json(text)];
    }
    let starts = starts(text);
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).filter_map(|(&start, end)| native(text, start, end)).collect()
}

/// JSON has no lines to rely on: everything from the first declaration on.
fn json(text: &[u8]) -> Stretch {
    // Any letter may be written as an escape.
    let escaped = memmem::find(text, b"\\u").is_some();
    let start = if escaped { 0 } else { memmem::find(text, VARIABLE.as_bytes()).unwrap_or(0) };
    let flagged = if escaped { Secrecy::Ephemeral } else { flagged(text.get(start..).unwrap_or_default()) };
    Stretch { range: range(start, text.len()), flagged, names: keys(text), assigns: holds(text, "variables") }
}

fn native(text: &[u8], start: usize, end: usize) -> Option<Stretch> {
    let piece = text.get(start..end)?;
    let declares = holds(piece, VARIABLE);
    if !declares && OTHER_BLOCKS.iter().any(|word| word.as_bytes() == leading_word(piece)) {
        return None;
    }
    let flagged = flagged(piece);
    let mut names = Vec::new();
    for at in memmem::find_iter(piece, VARIABLE) {
        let after = piece.get(at + VARIABLE.len()..).unwrap_or_default().trim_ascii_start();
        let name = match after.strip_prefix(b"\"") {
            Some(quoted) => quoted.split(|&byte| matches!(byte, b'"' | b'\n')).next().unwrap_or_default(),
            None => leading_word(after),
        };
        if !name.is_empty() {
            names.push(String::from_utf8_lossy(name).into_owned());
        }
    }
    Some(Stretch { range: range(start, end), flagged, names, assigns: holds(piece, "variables") })
}

fn flagged(text: &[u8]) -> Secrecy {
    if holds(text, "ephemeral") {
        Secrecy::Ephemeral
    } else if holds(text, "sensitive") {
        Secrecy::Sensitive
    } else {
        Secrecy::Open
    }
}

fn holds(text: &[u8], word: &str) -> bool {
    memmem::find(text, word.as_bytes()).is_some()
}

fn range(start: usize, end: usize) -> TextRange {
    TextRange::new(u32::try_from(start).unwrap_or(u32::MAX), u32::try_from(end).unwrap_or(u32::MAX))
}

/// The word that a text begins with; empty where it begins with something else.
pub fn leading_word(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|&byte| !is_word(byte)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || byte >= 0x80
}

/// The lines with their line ends, each with the offset of its first byte.
pub fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    text.split_inclusive(|&byte| byte == b'\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line)
    })
}

/// Where the pieces begin: at the top, and at each line whose first column begins a block header, unless the line may
/// belong to a heredoc or a comment of several lines.
fn starts(text: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut closes: Option<Vec<u8>> = None;
    let mut in_comment = false;
    for (start, line) in lines(text) {
        if let Some(marker) = &closes {
            if line.trim_ascii() == marker.as_slice() {
                closes = None;
            }
            continue;
        }
        if in_comment {
            in_comment = !holds(line, "*/");
            continue;
        }
        if start > 0 && is_header(line) {
            starts.push(start);
        }
        if let Some(at) = memmem::find(line, b"<<") {
            let marker = line.get(at + 2..).unwrap_or_default();
            let marker = leading_word(marker.strip_prefix(b"-").unwrap_or(marker));
            closes = (!marker.is_empty()).then(|| marker.to_vec());
        }
        if let Some(at) = memmem::rfind(line, b"/*") {
            in_comment = !line.get(at..).is_some_and(|rest| holds(rest, "*/"));
        }
    }
    starts
}

/// Whether a line begins a block at the top: a word that does, a blank, and a label or the body.
fn is_header(line: &[u8]) -> bool {
    let word = leading_word(line);
    let after = line.get(word.len()..).unwrap_or_default();
    let body = after.trim_ascii_start();
    let declares = [VARIABLE, "variables", "run"];
    let mut words = declares.iter().chain(&OTHER_BLOCKS);
    body.len() < after.len()
        && matches!(body.first(), Some(b'"' | b'{'))
        && words.any(|known| known.as_bytes() == word)
}

/// The names of properties in what is left of a JSON text.
pub fn keys(text: &[u8]) -> Vec<String> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(open) = memchr::memchr(b'"', rest) {
        let Some(inside) = rest.get(open + 1..) else { break };
        let Some(close) = memchr::memchr2(b'"', b'\n', inside) else { break };
        let after = inside.get(close + 1..).unwrap_or_default();
        if after.trim_ascii_start().starts_with(b":")
            && let Some(name) = inside.get(..close)
        {
            keys.push(String::from_utf8_lossy(name).into_owned());
            rest = after;
        } else {
            // A quote may be lost, so the closing one is looked at as an opening one, too.
            rest = inside.get(close..).unwrap_or_default();
        }
    }
    keys
}

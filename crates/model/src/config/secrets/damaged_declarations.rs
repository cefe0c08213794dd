//! Declarations in the text of a file that cannot be parsed. The tree of such a file is a result of error recovery, so
//! it does not show to which variable each byte belongs, or whether a flag was lost. The text is therefore split at
//! the lines that certainly begin another top-level block, and each piece is examined as a whole.

use memchr::memmem;

use overfold_base::diag::{Secrecy, TextRange};
use overfold_dialect::{self as dialect, words};

/// Types of blocks that declare variables or give them values.
const DECLARING: [&str; 3] = [words::VARIABLE, words::VARIABLES, words::RUN];

/// A piece of a damaged file that may declare variables, or assign values to them.
#[derive(Debug)]
pub struct Fragment {
    /// The range of the piece in the text.
    pub range: TextRange,
    /// The secrecy that the flags in it express, whichever variable they belong to.
    pub flagged: Secrecy,
    /// The names of the variables that it may declare.
    pub names: Vec<String>,
    /// Whether it may assign values, as a test file does.
    pub assigns: bool,
}

/// Returns the pieces of a text that may declare or set variables.
pub fn fragments(text: &[u8], is_json: bool) -> Vec<Fragment> {
    if is_json {
        return vec![json(text)];
    }
    let starts = starts(text);
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).filter_map(|(&start, end)| native(text, start, end)).collect()
}

/// Returns the text from the first declaration to the end as one piece, because JSON has no reliable lines.
fn json(text: &[u8]) -> Fragment {
    // Any letter may be written as an escape sequence.
    let escaped = memmem::find(text, b"\\u").is_some();
    let start = if escaped { 0 } else { memmem::find(text, words::VARIABLE.as_bytes()).unwrap_or(0) };
    let flagged = if escaped { Secrecy::Ephemeral } else { flagged(text.split_at(start).1) };
    Fragment {
        range: range(start, text.len()),
        flagged,
        names: keys(text),
        assigns: contains(text, words::VARIABLES),
    }
}

fn native(text: &[u8], start: usize, end: usize) -> Option<Fragment> {
    let piece = text.get(start..end)?;
    let word = leading_word(piece);
    if !contains(piece, words::VARIABLE)
        && is_block_type(word)
        && !DECLARING.iter().any(|known| known.as_bytes() == word)
    {
        return None;
    }
    let flagged = flagged(piece);
    let mut names = Vec::new();
    for at in memmem::find_iter(piece, words::VARIABLE) {
        let after = piece.split_at(at + words::VARIABLE.len()).1.trim_ascii_start();
        let name = match after.strip_prefix(b"\"") {
            Some(quoted) => beginning(quoted, |byte| !matches!(byte, b'"' | b'\n')),
            None => leading_word(after),
        };
        if !name.is_empty() {
            names.push(String::from_utf8_lossy(name).into_owned());
        }
    }
    Some(Fragment { range: range(start, end), flagged, names, assigns: contains(piece, words::VARIABLES) })
}

fn flagged(text: &[u8]) -> Secrecy {
    if contains(text, words::EPHEMERAL) {
        Secrecy::Ephemeral
    } else if contains(text, words::SENSITIVE) {
        Secrecy::Sensitive
    } else {
        Secrecy::Open
    }
}

fn contains(text: &[u8], word: &str) -> bool {
    memmem::find(text, word.as_bytes()).is_some()
}

fn range(start: usize, end: usize) -> TextRange {
    TextRange::new(u32::try_from(start).unwrap_or(u32::MAX), u32::try_from(end).unwrap_or(u32::MAX))
}

/// Returns the word at the beginning of a text; empty if it begins with something else.
pub fn leading_word(text: &[u8]) -> &[u8] {
    beginning(text, is_word)
}

/// Returns the beginning of a text, up to the first byte that is not part of it.
fn beginning(text: &[u8], is_part: impl Fn(u8) -> bool) -> &[u8] {
    text.split(|&byte| !is_part(byte)).next().unwrap_or(text)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || byte >= 0x80
}

/// Returns the lines with their line ends, each with the offset of its first byte.
pub fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    text.split_inclusive(|&byte| byte == b'\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line)
    })
}

/// Returns the offsets at which the pieces begin: the start of the text, and each line that begins with a block header
/// in its first column, unless the line may be in a heredoc or in a comment of several lines.
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
            in_comment = !contains(line, "*/");
            continue;
        }
        if start > 0 && is_header(line) {
            starts.push(start);
        }
        if let Some(at) = memmem::find(line, b"<<") {
            let (_, marker) = line.split_at(at + 2);
            let marker = leading_word(marker.strip_prefix(b"-").unwrap_or(marker));
            closes = (!marker.is_empty()).then(|| marker.to_vec());
        }
        if let Some(at) = memmem::rfind(line, b"/*") {
            in_comment = !line.get(at..).is_some_and(|rest| contains(rest, "*/"));
        }
    }
    starts
}

/// Whether a line begins a top-level block: it has a keyword, white space, and a label or the opening brace.
fn is_header(line: &[u8]) -> bool {
    let word = leading_word(line);
    let (_, after) = line.split_at(word.len());
    let body = after.trim_ascii_start();
    body.len() < after.len() && matches!(body.first(), Some(b'"' | b'{')) && is_block_type(word)
}

/// Whether some tool reads blocks of this type at the top of a file.
fn is_block_type(word: &[u8]) -> bool {
    dialect::block_types().binary_search_by(|known| known.as_bytes().cmp(word)).is_ok()
}

/// Returns the names of the properties in what is left of a JSON text.
pub fn keys(text: &[u8]) -> Vec<String> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(open) = memchr::memchr(b'"', rest) {
        let Some(inside) = rest.get(open + 1..) else { break };
        let Some(close) = memchr::memchr2(b'"', b'\n', inside) else { break };
        let (name, quote) = inside.split_at(close);
        let (_, after) = quote.split_at(1);
        if after.trim_ascii_start().starts_with(b":") {
            keys.push(String::from_utf8_lossy(name).into_owned());
            rest = after;
        } else {
            // A quote may be missing, so the closing quote is also tried as an opening one.
            rest = quote;
        }
    }
    keys
}

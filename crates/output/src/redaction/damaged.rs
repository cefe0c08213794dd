//! Hides parts of a file with a syntax error. Where secrets are possible, a line shows only what is certainly not one:
//! a keyword or the name of a declared variable at its beginning, up to the `=` or `:`, and brackets.

use super::native::SAFE_PARTS;
use super::{JSON_VALUE, Redaction, VALUE};
use overfold_base::account::List;
use overfold_base::diag::TextRange;
use overfold_base::files::SourceRole;
use overfold_dialect::words::VARIABLE;
use overfold_model::config::secrets::damaged_declarations;

/// Words that may begin a line, in addition to those of a declaration.
const LINE_STARTS: [&str; 7] = ["default", "condition", "error_message", "variables", "run", "command", "module"];
/// Values that reveal nothing.
const SAFE_VALUES: [&[u8]; 9] =
    [b"true", b"false", b"null", b"string", b"number", b"bool", b"any", b"[", VALUE.as_bytes()];

/// Collects the ranges to hide.
pub(super) fn collect(
    redaction: &Redaction<'_>,
    text: &[u8],
    is_json: bool,
    role: SourceRole,
    out: &mut List<TextRange>,
) {
    if role == SourceRole::Definitions {
        definitions(redaction, text, is_json, out);
        return;
    }
    for fragment in damaged_declarations::fragments(text, is_json) {
        let named =
            fragment.names.iter().any(|name| redaction.secrets.declares(name) && redaction.hides_variable(name));
        if fragment.assigns || named || redaction.hides(fragment.flagged) {
            mask_lines(redaction, text, fragment.range.start as usize, fragment.range.end as usize, out);
        }
    }
}

/// In a module with secrets every value is hidden. Otherwise the values of undeclared names are hidden and, since it is
/// uncertain where they end, everything after them.
fn definitions(redaction: &Redaction<'_>, text: &[u8], is_json: bool, out: &mut List<TextRange>) {
    let from = if redaction.hides(redaction.secrets.strongest()) {
        Some(0)
    } else if is_json {
        damaged_declarations::keys(text).iter().any(|name| !redaction.secrets.declares(name)).then_some(0)
    } else {
        let mut open = false;
        damaged_declarations::lines(text)
            .find(|(_, line)| !is_open(redaction, line, &mut open))
            .map(|(start, _)| start)
    };
    if let Some(from) = from {
        mask_lines(redaction, text, from, text.len(), out);
    }
}

/// Whether a line assigns to a declared variable, continues such an assignment, or is empty.
fn is_open(redaction: &Redaction<'_>, line: &[u8], open: &mut bool) -> bool {
    let name = damaged_declarations::leading_word(line.strip_prefix(b"\"").unwrap_or(line));
    if !name.is_empty() {
        *open = std::str::from_utf8(name).is_ok_and(|name| redaction.secrets.declares(name) || name == VARIABLE);
    }
    *open || matches!(line.trim_ascii().first(), None | Some(b'#'))
}

/// Hides everything that is not certainly harmless, line by line. Adjacent whole lines become one range.
fn mask_lines(redaction: &Redaction<'_>, text: &[u8], from: usize, to: usize, out: &mut List<TextRange>) {
    let mut last_end = None;
    for (start, line) in damaged_declarations::lines(text.get(from..to).unwrap_or_default()) {
        let start = from + start;
        let shown = line.strip_suffix(b"\n").unwrap_or(line);
        let shown = shown.strip_suffix(b"\r").unwrap_or(shown);
        let prefix = safe_prefix_length(redaction, shown);
        let end = start + shown.len();
        let begin = start + prefix;
        if begin < end {
            let joined = last_end.filter(|_| prefix == 0).unwrap_or(begin);
            let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            out.push(TextRange::new(offset(joined), offset(end)));
            last_end = Some(end);
        } else if !shown.trim_ascii().is_empty() {
            last_end = None;
        }
    }
}

/// The number of bytes at the beginning of a line that certainly belong to no value.
fn safe_prefix_length(redaction: &Redaction<'_>, line: &[u8]) -> usize {
    let rest = line.trim_ascii_start();
    let indent = line.len() - rest.len();
    let trimmed = line.trim_ascii();
    if trimmed.len() <= 3 && trimmed.iter().all(|byte| b"{}[](),".contains(byte)) {
        return line.len();
    }
    if trimmed == VALUE.as_bytes() || trimmed == JSON_VALUE.as_bytes() {
        return line.len();
    }
    let quote = usize::from(rest.starts_with(b"\""));
    let word = damaged_declarations::leading_word(rest.strip_prefix(b"\"").unwrap_or(rest));
    let after_word = indent + quote + word.len();
    let closing = usize::from(quote == 1 && line.get(after_word) == Some(&b'"'));
    if quote != closing || !is_known(redaction, word) {
        return 0;
    }
    let end = after_word + closing;
    let (_, after) = line.split_at(end);
    let blanks = after.len() - after.trim_ascii_start().len();
    let value = after.trim_ascii();
    match value.split_first() {
        None | Some((b'{', b"")) => line.len(),
        Some((b'=' | b':', value)) => {
            let gap = value.len() - value.trim_ascii_start().len();
            let value = value.trim_ascii();
            let value = value.strip_suffix(b",").unwrap_or(value);
            if value.is_empty() || SAFE_VALUES.contains(&value) { line.len() } else { end + blanks + 1 + gap }
        }
        Some((b'"', label)) => {
            let name = damaged_declarations::leading_word(label);
            let header = label.split_at(name.len()).1.strip_prefix(b"\"");
            let whole = header.is_some_and(|rest| matches!(rest.trim_ascii(), b"" | b"{"));
            let is_declaration = word == VARIABLE.as_bytes() && is_declared(redaction, name);
            if whole && is_declaration { line.len() } else { end }
        }
        Some(_) => end,
    }
}

fn is_known(redaction: &Redaction<'_>, word: &[u8]) -> bool {
    let Ok(word) = std::str::from_utf8(word) else { return false };
    SAFE_PARTS.contains(&word) || LINE_STARTS.contains(&word) || word == VARIABLE || redaction.secrets.declares(word)
}

fn is_declared(redaction: &Redaction<'_>, name: &[u8]) -> bool {
    std::str::from_utf8(name).is_ok_and(|name| redaction.secrets.declares(name))
}

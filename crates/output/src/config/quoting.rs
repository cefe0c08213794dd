//! Strings in native syntax.

use overfold_value::json::push_escape;

/// Returns literal text as a quoted string of the native syntax.
pub(crate) fn quoted_literal(text: &str) -> String {
    format!("\"{}\"", quoted(text, false))
}

/// Escapes literal text for use within the quotes of the native syntax. `followed` means that an interpolation or a
/// directive comes right after it.
pub(crate) fn quoted(text: &str, followed: bool) -> String {
    let kept = if followed { text.trim_end_matches(['$', '%']) } else { text };
    let mut out = String::with_capacity(text.len());
    let mut letters = kept.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '$' | '%' if letters.peek() == Some(&'{') => out.extend([letter, letter]),
            control if u32::from(control) < 0x20 => push_escape(control, &mut out),
            plain => out.push(plain),
        }
    }
    if kept.len() < text.len() {
        let (_, signs) = text.split_at(kept.len());
        out.push_str("${\"");
        out.push_str(signs);
        out.push_str("\"}");
    }
    out
}

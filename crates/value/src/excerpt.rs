//! Texts of a request quoted in messages.

use std::borrow::Cow;

use overfold_base::{account, echo};

/// Returns the part of `text` that a message quotes: all of a short text, the beginning of a longer one.
pub fn excerpt(text: &str) -> Cow<'_, str> {
    const MAX_BYTES: usize = 256;
    let start = echo::beginning(text, MAX_BYTES);
    // Characters that are not ASCII may need a table lookup when they are quoted.
    account::work(if start.is_ascii() { 8 } else { start.len() as u64 });
    if text.len() <= MAX_BYTES {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{start}…"))
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(excerpt("short"), "short");
        let long = excerpt(&"ü".repeat(5_000)).into_owned();
        assert_eq!(long, format!("{}…", "ü".repeat(128)));
    }
}

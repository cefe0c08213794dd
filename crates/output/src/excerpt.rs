//! Two texts in one line each, cut so that a reader sees what differs.

use unicode_segmentation::UnicodeSegmentation;

use overfold_base::{account, echo};

/// The number of characters after the first difference that are shown at least, if there are as many.
const AFTER: usize = 24;

/// The number of characters by which a cut is moved at most, so that it does not separate what belongs together.
const SLACK: usize = 16;

/// Returns both texts in one line of at most `most` characters each, plus `… ` and ` …` where something is left out.
/// Both begin at the same character, shortly before the first visible difference, or at the beginning if the
/// difference is near it. `shown` returns what a reader will see of a line: if two different texts would look the same,
/// white space and invisible characters are replaced by symbols.
pub(super) fn distinct(texts: [&str; 2], most: usize, shown: impl Fn(&str) -> String) -> [String; 2] {
    let [before, after] = texts;
    // The texts are read once to compare them, and once more up to where they are cut.
    account::touch(2 * (before.len() + after.len()));
    let plain = cut([collapsed(before), collapsed(after)], most);
    let [was, is] = plain.each_ref().map(|line| shown(line));
    if was != is || before == after {
        return plain;
    }
    account::touch(2 * (before.len() + after.len()));
    cut([spelled_out(before), spelled_out(after)], most)
}

/// Whether a terminal or a reader of Markdown would interpret a character or not show it: control characters, and those
/// that change the direction of text.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
        )
}

/// Returns the characters of a text without line breaks: each run of white space is one blank.
fn collapsed(text: &str) -> impl Iterator<Item = char> + Clone {
    text.split_whitespace()
        .enumerate()
        .flat_map(|(at, word)| (at > 0).then_some(' ').into_iter().chain(word.chars()))
        .map(|c| if is_invisible(c) { char::REPLACEMENT_CHARACTER } else { c })
}

/// Returns the characters of a text with symbols for white space and codes for what is invisible.
fn spelled_out(text: &str) -> impl Iterator<Item = char> + Clone {
    text.chars().flat_map(|c| {
        let symbol = match c {
            ' ' => Some('␣'),
            '\0'..='\u{1f}' => char::from_u32(u32::from('␀') + u32::from(c)),
            _ => None,
        };
        let is_spelled_out = symbol.is_none() && (is_invisible(c) || echo::is_tag(c) || c.is_whitespace());
        let code = is_spelled_out.then(|| c.escape_unicode());
        let whole = (!is_spelled_out).then(|| symbol.unwrap_or(c));
        whole.into_iter().chain(code.into_iter().flatten())
    })
}

fn cut<I: Iterator<Item = char> + Clone>(lines: [I; 2], most: usize) -> [String; 2] {
    let [was, is] = &lines;
    let difference = first_difference(was.clone(), is.clone());
    let is_long = |line: &I| line.clone().nth(most).is_some();
    let is_near = difference.saturating_add(AFTER) <= most;
    let start = if is_near || !is_long(was) && !is_long(is) { 0 } else { difference.saturating_sub(most / 3) };
    lines.map(|line| window(line, start, difference, most))
}

/// Returns the index of the first character that differs; of the end of the shorter one if it is the beginning of the
/// longer one.
fn first_difference(mut one: impl Iterator<Item = char>, mut other: impl Iterator<Item = char>) -> usize {
    let mut at = 0;
    loop {
        match (one.next(), other.next()) {
            (Some(a), Some(b)) if a == b => at += 1,
            _ => return at,
        }
    }
}

/// Returns about `most` characters from `start` on. `difference` is between the two ends.
fn window(line: impl Iterator<Item = char>, start: usize, difference: usize, most: usize) -> String {
    let back = start.min(SLACK);
    let near: Vec<char> = line.skip(start - back).take(back + most + SLACK).collect();
    let is_boundary = boundaries(&near);
    let boundary = |at: usize| is_boundary.get(at).copied().unwrap_or_default();
    let difference = difference.saturating_sub(start - back);
    // Not in the middle of a cluster or of an escape sequence, unless that is where the difference is.
    let from = if start == 0 { 0 } else { (1..=back).rev().find(|at| boundary(*at)).unwrap_or(back) };
    let end = from + most;
    let to = if near.len() <= end {
        near.len()
    } else {
        (difference + 1..=end).rev().find(|at| boundary(*at)).unwrap_or(end)
    };
    let shown: String = near.iter().take(to).skip(from).collect();
    let (left, right) = (if start > 0 { "… " } else { "" }, if to < near.len() { " …" } else { "" });
    format!("{left}{shown}{right}")
}

/// Returns for each character whether a cut before it separates nothing: neither a grapheme cluster nor an escape
/// sequence like `\n` or `\u00e9`.
fn boundaries(characters: &[char]) -> Vec<bool> {
    let text: String = characters.iter().collect();
    let mut boundaries = Vec::with_capacity(characters.len());
    for cluster in text.graphemes(true) {
        boundaries.push(true);
        boundaries.extend(cluster.chars().skip(1).map(|_| false));
    }
    let mut escape = 0_usize;
    for (at, boundary) in boundaries.iter_mut().enumerate() {
        if escape > 0 {
            *boundary = false;
            escape -= 1;
        } else if characters.get(at) == Some(&'\\') {
            escape = match characters.get(at + 1) {
                Some('u') => 5,
                Some('U') => 9,
                _ => 1,
            };
        }
    }
    boundaries
}

#[cfg(test)]
mod tests {
    use super::distinct;

    fn shown(before: &str, after: &str) -> [String; 2] {
        distinct([before, after], 30, str::to_owned)
    }

    #[test]
    fn short_texts_are_whole() {
        assert_eq!(shown("a", "b"), ["a", "b"]);
        assert_eq!(shown("[\n  1,\n  2\n]", ""), ["[ 1, 2 ]", ""]);
        let whole = "x".repeat(29);
        assert_eq!(shown(&format!("{whole}1"), &format!("{whole}2")), [format!("{whole}1"), format!("{whole}2")]);
    }

    #[test]
    fn the_first_difference_is_in_both() {
        let long = "0123456789".repeat(100);
        assert_eq!(
            shown(&format!("{long}a{long}"), &format!("{long}b{long}")),
            ["… 0123456789a0123456789012345678 …", "… 0123456789b0123456789012345678 …"]
        );
        // At the end, of one or of both.
        assert_eq!(shown(&format!("{long}a"), &format!("{long}b")), ["… 0123456789a", "… 0123456789b"]);
        assert_eq!(shown(&long, &format!("{long}b")), ["… 0123456789", "… 0123456789b"]);
        // Near the beginning.
        assert_eq!(
            shown(&format!("a{long}"), &format!("b{long}")),
            ["a01234567890123456789012345678 …", "b01234567890123456789012345678 …"]
        );
        // One is short.
        assert_eq!(shown(&long, "0123"), ["012345678901234567890123456789 …", "0123"]);
    }

    #[test]
    fn what_would_look_the_same_is_spelled_out() {
        assert_eq!(shown("a  b", "a b"), ["a␣␣b", "a␣b"]);
        assert_eq!(shown("<<E\r\nx\r\nE", "<<E\nx\nE"), ["<<E␍␊x␍␊E", "<<E␊x␊E"]);
        assert_eq!(shown("a\u{200b}b", "a\u{202e}b"), [r"a\u{200b}b", r"a\u{202e}b"]);
        assert_eq!(shown("a\u{a0}b", "a b"), [r"a\u{a0}b", "a␣b"]);
        let blank = |text: &str| text.replace("\\|", "\\ |");
        assert_eq!(distinct(["a\\|", "a\\ |"], 30, blank), ["a\\|", "a\\␣|"]);
        assert_eq!(shown("a  b", "a  b"), ["a b", "a b"]);
    }

    #[test]
    fn nothing_is_torn_apart() {
        let flags = "🇦🇹".repeat(50);
        let [before, after] = shown(&format!("{flags}a"), &format!("{flags}b"));
        assert_eq!((before.as_str(), after.as_str()), ("… 🇦🇹🇦🇹🇦🇹🇦🇹🇦🇹a", "… 🇦🇹🇦🇹🇦🇹🇦🇹🇦🇹b"));
        let accents = "e\u{301}".repeat(50);
        let [before, _] = shown(&format!("{accents}a"), &format!("{accents}b"));
        assert_eq!(before, format!("… {}a", "e\u{301}".repeat(5)));
        let escapes = r"\u00e9".repeat(50);
        let [before, _] = shown(&format!("{escapes}a{escapes}"), &format!("{escapes}b{escapes}"));
        assert_eq!(before, r"… \u00e9\u00e9a\u00e9\u00e9 …");
        // A cluster that is longer than a line.
        let one = format!("e{}", "\u{301}".repeat(500));
        let [before, after] = shown(&format!("{one}\u{302}"), &format!("{one}\u{303}"));
        assert!(before.contains('\u{302}') && after.contains('\u{303}'), "{before} {after}");
    }
}

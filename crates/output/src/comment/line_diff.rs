//! What differs between two texts of many lines.

use super::spans::MAX_SPAN;
use crate::align::{Aligned, align};
use crate::excerpt::distinct;
use crate::plain::sanitized;
use overfold_base::account;

/// The number of equal lines that are shown before and after a change.
const CONTEXT: usize = 2;

/// The maximum number of lines that are shown.
const MAX_LINES: usize = 40;

/// The maximum number of characters of a line.
const MAX_LINE: usize = 200;

/// The maximum number of bytes of a text that is compared line by line.
const MAX_TEXT: usize = 1 << 18;

/// Whether a text is better shown line by line than in a code span.
pub(crate) fn is_long(text: &str) -> bool {
    text.len() > MAX_SPAN && text.chars().nth(MAX_SPAN).is_some() || text.contains('\n')
}

/// Returns two texts of which at least one is long as a fenced block of the lines that differ, each line indented by `indent`;
/// `None` if they are too long for that, or if no line differs. JSON on a single line is taken apart.
pub(crate) fn line_diff(texts: [&str; 2], indent: &str) -> Option<String> {
    if texts.iter().any(|text| is_long(text)) { changed_lines(texts, indent) } else { None }
}

/// Like [`line_diff`], but also of short texts.
pub(crate) fn changed_lines([before, after]: [&str; 2], indent: &str) -> Option<String> {
    if before.len().max(after.len()) > MAX_TEXT {
        return None;
    }
    account::touch(8 * (before.len() + after.len()));
    let spread = [before, after].map(spread);
    let [was, is] = match &spread {
        [Some(was), Some(is)] if was != is => [was.as_str(), is.as_str()],
        _ => [before, after],
    };
    let [was, is] = [was, is].map(|text| text.split('\n').collect::<Vec<_>>());
    let [own, other] = [&was, &is].map(|lines| lines.iter().map(|line| line.as_bytes()).collect::<Vec<_>>());
    let pairs = align(&own, &other);
    let mut body = Body { lines: Vec::new(), equal: Vec::new(), has_changes: false, left_out: 0 };
    // Of a run of changed lines, all that went come before all that came.
    let mut came: Vec<String> = Vec::new();
    for pair in pairs {
        account::work(4);
        let (old, new) = match pair {
            Aligned::Both(x, y) => (was.get(x).copied(), is.get(y).copied()),
            Aligned::First(x) => (was.get(x).copied(), None),
            Aligned::Second(y) => (None, is.get(y).copied()),
        };
        if old == new {
            body.changed(came.drain(..));
            body.equal(old.unwrap_or_default());
            continue;
        }
        let [was, is] = shown([old.unwrap_or_default(), new.unwrap_or_default()]);
        body.changed(old.map(|_| format!("- {was}")).into_iter());
        came.extend(new.map(|_| format!("+ {is}")));
    }
    body.changed(came.drain(..));
    body.finish(indent)
}

/// Returns JSON on a single line with one line for each part.
fn spread(text: &str) -> Option<String> {
    let is_json = text.starts_with(['{', '[']) && !text.contains('\n');
    let value: serde_json::Value = is_json.then(|| serde_json::from_str(text).ok())??;
    serde_json::to_string_pretty(&value).ok()
}

/// Returns what is shown of two lines; what differs looks different.
fn shown([before, after]: [&str; 2]) -> [String; 2] {
    let clean = |line: &str| sanitized(&line.replace('\t', "    "));
    let is_short = |line: &str| line.chars().nth(MAX_LINE).is_none();
    let lines = [before, after].map(clean);
    if lines.iter().all(|line| is_short(line)) && lines[0] != lines[1] {
        return lines;
    }
    distinct([before, after], MAX_LINE, str::to_owned).map(|line| sanitized(&line))
}

/// The lines of a block.
struct Body {
    lines: Vec<String>,
    /// Equal lines since the last change.
    equal: Vec<String>,
    has_changes: bool,
    left_out: usize,
}

impl Body {
    fn equal(&mut self, line: &str) {
        let short: String = line.chars().take(MAX_LINE).collect();
        account::copy(short.len());
        self.equal.push(format!("  {}", sanitized(&short.replace('\t', "    "))));
    }

    fn changed(&mut self, lines: impl Iterator<Item = String>) {
        let mut lines = lines.peekable();
        if lines.peek().is_none() {
            return;
        }
        let equal = std::mem::take(&mut self.equal);
        let head = if self.has_changes { CONTEXT } else { 0 };
        self.context(equal, head, CONTEXT);
        self.has_changes = true;
        for line in lines {
            self.push(line);
        }
    }

    /// Adds the first and the last ones of some equal lines.
    fn context(&mut self, lines: Vec<String>, head: usize, tail: usize) {
        let hidden = lines.len().saturating_sub(head + tail);
        // A line that says that one line is left out would be no shorter.
        let hidden = if hidden == 1 { 0 } else { hidden };
        for (at, line) in lines.into_iter().enumerate() {
            if hidden == 0 || at < head || at >= head + hidden {
                self.push(line);
            } else if at == head {
                self.push(format!("@@ {hidden} lines the same @@"));
            }
        }
    }

    fn push(&mut self, line: String) {
        if self.lines.len() < MAX_LINES {
            self.lines.push(line);
        } else {
            self.left_out += 1;
        }
    }

    fn finish(mut self, indent: &str) -> Option<String> {
        if !self.has_changes {
            return None;
        }
        let equal = std::mem::take(&mut self.equal);
        let hidden = equal.len() > CONTEXT + 1;
        for line in equal.into_iter().take(if hidden { CONTEXT } else { CONTEXT + 1 }) {
            self.push(line);
        }
        if self.left_out > 0 {
            self.lines.push(format!("@@ {} more lines @@", self.left_out));
        }
        let longest = |line: &String| line.split(|c| c != '`').map(str::len).max().unwrap_or_default();
        let fence = "`".repeat(self.lines.iter().map(longest).max().unwrap_or_default().max(2) + 1);
        let mut block = format!("{indent}{fence}diff\n");
        for line in &self.lines {
            account::text(line.len());
            block.push_str(indent);
            block.push_str(line);
            block.push('\n');
        }
        block.push_str(indent);
        block.push_str(&fence);
        block.push('\n');
        Some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::line_diff;

    #[test]
    fn only_changed_lines_and_their_neighbours_are_shown() {
        let lines = |change: &str| {
            let mut lines: Vec<String> = (0..12).map(|at| format!("line {at}")).collect();
            change.clone_into(&mut lines[6]);
            lines.join("\n")
        };
        let found = line_diff([&lines("old"), &lines("new")], "  ").unwrap();
        assert_eq!(
            found,
            "  ```diff\n  @@ 4 lines the same @@\n    line 4\n    line 5\n  - old\n  + new\n    line 7\n    line 8\n  ```\n"
        );
        assert_eq!(line_diff([&lines("x"), &lines("x")], ""), None);
        assert_eq!(line_diff(["short", "other"], ""), None);
    }

    #[test]
    fn runs_of_changes_are_not_interleaved() {
        assert_eq!(line_diff(["a\nb\nc", "a\nx\ny\nc"], "").unwrap(), "```diff\n  a\n- b\n+ x\n+ y\n  c\n```\n");
        assert_eq!(line_diff(["a\nb\nc\n", "a\nx\nz\n"], "").unwrap(), "```diff\n  a\n- b\n- c\n+ x\n+ z\n  \n```\n");
    }

    #[test]
    fn json_is_taken_apart() {
        let policy = |action: &str| {
            format!(r#"{{"Statement":[{{"Action":"{action}","Effect":"Allow","Resource":"{}"}}]}}"#, "x".repeat(90))
        };
        let found = line_diff([&policy("s3:Get"), &policy("s3:*")], "").unwrap();
        assert!(found.contains("\n-       \"Action\": \"s3:Get\",\n+       \"Action\": \"s3:*\",\n"), "{found}");
        // What differs only in the text is compared as text.
        let number = |digits: &str| format!("{{\"a\": {digits}, \"b\": \"{}\"}}", "x".repeat(120));
        let found = line_diff([&number("1.0"), &number("1.00")], "").unwrap();
        assert!(found.contains("1.00"), "{found}");
    }

    #[test]
    fn nothing_ends_the_block_and_nothing_is_obeyed() {
        let text = |word: &str| format!("```\n{word}\n`````\n\u{202e}</details>\r\n::error::x");
        let found = line_diff([&text("a"), &text("b")], "    ").unwrap();
        assert!(found.starts_with("    ``````diff\n") && found.ends_with("\n    ``````\n"), "{found}");
        for line in found.lines().skip(1) {
            assert!(
                line.starts_with("      ")
                    || line.starts_with("    - ")
                    || line.starts_with("    + ")
                    || line == "    ``````",
                "{line}"
            );
        }
        assert!(!found.contains(['\u{202e}', '\r']), "{found}");
    }

    #[test]
    fn what_differs_looks_different() {
        let pad = "x".repeat(150);
        for (was, is) in [("a\t", "a    "), ("a", "a "), ("a\u{200b}", "a\u{200d}"), ("a\r", "a")] {
            let found = line_diff([&format!("{was}\n{pad}"), &format!("{is}\n{pad}")], "").unwrap();
            let lines: Vec<&str> = found.lines().collect();
            assert_ne!(lines[1].trim_start_matches("- "), lines[2].trim_start_matches("+ "), "{found}");
        }
        let long = "y".repeat(500);
        let found = line_diff([&format!("{long}a{long}"), &format!("{long}b{long}")], "").unwrap();
        assert!(found.lines().all(|line| line.chars().count() < 220) && found.contains("ya"), "{found}");
    }

    #[test]
    fn a_long_difference_is_cut_and_says_so() {
        let lines = |word: &str| (0..100).map(|at| format!("{word}{at}")).collect::<Vec<_>>().join("\n");
        let found = line_diff([&lines("a"), &lines("b")], "").unwrap();
        assert_eq!(found.lines().count(), 43);
        assert!(found.ends_with("@@ 160 more lines @@\n```\n"), "{found}");
    }
}

//! What is coloured how in texts for people. Only this module writes colours, into texts that are complete without them, and
//! only on a terminal that shows them: not with NO_COLOR, and always with CLICOLOR_FORCE, as `anstream` decides.
//!
//! | What | Colour |
//! | --- | --- |
//! | `error`, what is lost, what a version does not take | red |
//! | `warning`, what changes, where an override sets something | yellow |
//! | `note`, what moved | cyan |
//! | `-->`, and the bar beside a source line | blue |
//! | what is new, what a version takes | green |
//! | what is gone | red |
//! | headings: a path, an object, a tool | bold |

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use super::Failure;

const ERROR: Style = bold(AnsiColor::Red);
const WARNING: Style = bold(AnsiColor::Yellow);
const NOTE: Style = bold(AnsiColor::Cyan);
const PLACE: Style = bold(AnsiColor::Blue);
const HEADING: Style = Style::new().bold();
const GOOD: Style = plain(AnsiColor::Green);
const BAD: Style = plain(AnsiColor::Red);
const CHANGED: Style = plain(AnsiColor::Yellow);
const MOVED: Style = plain(AnsiColor::Cyan);

const fn plain(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(anstyle::Color::Ansi(colour)))
}

const fn bold(colour: AnsiColor) -> Style {
    plain(colour).bold()
}

/// The words that begin a diagnostic.
const SEVERITIES: [(&str, Style); 3] = [("error: ", ERROR), ("warning: ", WARNING), ("note: ", NOTE)];

/// The signs that begin a line about a difference.
const SIGNS: [(&str, Style); 6] =
    [("+ ", GOOD), ("- ", BAD), ("~ ", CHANGED), ("> ", MOVED), ("^ ", MOVED), ("! ", ERROR)];

/// What stands before a diagnostic in a line about a difference.
const ABOUT: [&str; 4] = ["appeared: ", "vanished: ", "on both sides: ", "with both: "];

/// What one version or another does with a configuration, in the words of a text.
const VERDICTS: [(&str, Style); 8] = [
    (": breaks", BAD),
    (": something changes", CHANGED),
    (": nothing changes", GOOD),
    ("does not load", BAD),
    ("does not validate", BAD),
    ("loads the module", GOOD),
    ("validates the module", GOOD),
    ("not compared", BAD),
];

/// What a line of the text of `merge` says that has to be seen.
const LOSSES: [&str; 5] = [
    " is lost: nothing in ",
    " is lost in ",
    " are lost in ",
    "the configuration has errors ",
    " could not be loaded: ",
];

/// What is done with a planned object, in the words of a plan.
const ACTIONS: [(&str, Style); 5] =
    [(": create", GOOD), (": update", CHANGED), (": replace", BAD), (": read when applied", NOTE), (": read", NOTE)];

/// The kinds of texts, which tell what a line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TextKind {
    /// Diagnostics with their source lines.
    Diagnostics,
    /// What overriding did.
    Merge,
    /// A plan.
    Plan,
    /// What differs between two states, versions or tools.
    Difference,
    /// What a code means.
    Explanation,
}

/// Prints a text to standard output.
///
/// # Errors
/// Fails if standard output cannot be written.
pub(super) fn print(kind: TextKind, text: &[u8]) -> Result<(), Failure> {
    match std::str::from_utf8(text) {
        Ok(text) if shows_colours(&io::stdout()) => {
            super::print_to(anstream::stdout().lock(), coloured(kind, text).as_bytes())
        }
        _ => super::print(text),
    }
}

/// Prints a text to standard error.
pub(super) fn print_beside(kind: TextKind, text: &str) {
    // If this fails, there is nowhere left to report it.
    let _ = if shows_colours(&io::stderr()) {
        anstream::stderr().lock().write_all(coloured(kind, text).as_bytes())
    } else {
        io::stderr().lock().write_all(text.as_bytes())
    };
}

/// Returns a line of a message of the program on standard error, with the colour of its beginning.
pub(super) fn message(line: &str) -> String {
    let start = [("overfold: warning:", WARNING), ("overfold:", ERROR)];
    match start.into_iter().find_map(|(start, style)| Some((start, style, line.strip_prefix(start)?))) {
        Some((start, style, rest)) if shows_colours(&io::stderr()) => format!("{style}{start}{style:#}{rest}"),
        _ => line.to_owned(),
    }
}

/// Whether colours are wanted there, and shown.
fn shows_colours(stream: &impl anstream::stream::RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}

/// Returns a text with colours, in lines as they were.
fn coloured(kind: TextKind, text: &str) -> String {
    let mut out = Painter { out: String::with_capacity(text.len() + text.len() / 4), severity: ERROR };
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        match kind {
            _ if line.starts_with("== ") => out.styled(HEADING, line),
            TextKind::Diagnostics => out.diagnostic(line),
            TextKind::Merge => out.merged(line),
            TextKind::Plan => out.planned(line),
            TextKind::Difference => out.difference(line),
            TextKind::Explanation => out.explanation(line),
        }
        out.out.push_str(end);
    }
    out.out
}

fn is_severity(line: &str) -> bool {
    SEVERITIES.iter().any(|(word, _)| line.starts_with(word))
}

struct Painter {
    out: String,
    /// The colour of the diagnostic to which the line belongs.
    severity: Style,
}

impl Painter {
    fn plain(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn styled(&mut self, style: Style, text: &str) {
        self.out.push_str(&style.render().to_string());
        self.out.push_str(text);
        self.out.push_str(&style.render_reset().to_string());
    }

    /// A word of a severity at the beginning of a line, then its title. Returns whether there is one.
    fn severity(&mut self, line: &str) -> bool {
        let Some((word, style)) = SEVERITIES.into_iter().find(|(word, _)| line.starts_with(word)) else {
            return false;
        };
        self.severity = style;
        let (word, rest) = line.split_at(word.len());
        self.styled(style, word);
        // The title; the code is in brackets behind it.
        let (title, rest) = rest.split_at(rest.rfind(" [").unwrap_or(rest.len()));
        self.styled(HEADING, title);
        self.plain(rest);
        true
    }

    fn diagnostic(&mut self, line: &str) {
        if self.severity(line) {
            return;
        }
        let text = line.trim_start_matches(' ');
        let (indent, _) = line.split_at(line.len() - text.len());
        if let Some(rest) = text.strip_prefix("-->") {
            self.plain(indent);
            self.styled(PLACE, "-->");
            self.plain(rest);
            return;
        }
        let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let bar = number.trim_start_matches(' ');
        if indent.is_empty() || !bar.starts_with('|') {
            return self.plain(line);
        }
        let (before, source) = line.split_at(line.len() - bar.len() + 1);
        self.styled(PLACE, before);
        let marks = source.trim_start();
        if !marks.is_empty() && marks.bytes().all(|byte| byte == b'^') {
            let (space, marks) = source.split_at(source.len() - marks.len());
            self.plain(space);
            return self.styled(self.severity, marks);
        }
        self.plain(source);
    }

    fn merged(&mut self, line: &str) {
        let is_failing = line.starts_with("it does not ") || (line.contains(" of them do") && line.contains(" not "));
        if is_failing || LOSSES.iter().any(|what| line.contains(what)) {
            return self.styled(BAD, line);
        }
        if !line.is_empty() && !line.contains(' ') {
            return self.styled(HEADING, line);
        }
        // The counts: `1 overridden, 2 lost`.
        let is_count = |part: &str| {
            part.split_once(' ')
                .is_some_and(|(count, what)| what == "lost" && count.bytes().all(|byte| byte.is_ascii_digit()))
        };
        for (at, part) in line.split(", ").enumerate() {
            self.plain(if at == 0 { "" } else { ", " });
            if is_count(part) { self.styled(BAD, part) } else { self.plain(part) }
        }
    }

    fn planned(&mut self, line: &str) {
        let text = line.trim_start_matches(' ');
        if !text.is_empty() && !text.contains(' ') {
            return self.styled(HEADING, line);
        }
        if let Some((before, place)) = line.rsplit_once("  # overridden in ") {
            self.plain(before);
            return self.styled(CHANGED, &format!("  # overridden in {place}"));
        }
        let action = ACTIONS.iter().find_map(|(action, style)| Some((line.find(action)?, action, style)));
        match action {
            Some((at, action, style)) if !text.contains(" = ") => {
                let (address, rest) = line.split_at(at + 2);
                let (word, rest) = rest.split_at(action.len() - 2);
                self.styled(HEADING, address);
                self.styled(*style, word);
                self.plain(rest);
            }
            _ if line.starts_with("not exact") || line.starts_with("the plan is incomplete") => {
                self.styled(CHANGED, line);
            }
            _ => self.plain(line),
        }
    }

    fn difference(&mut self, line: &str) {
        let text = line.trim_start_matches(' ');
        let (indent, _) = line.split_at(line.len() - text.len());
        if !text.is_empty() && (!line.contains(' ') || text == "Behind this:") {
            return self.styled(HEADING, line);
        }
        if let Some(rest) = ABOUT.iter().find_map(|about| text.strip_prefix(about)) {
            let (about, _) = line.split_at(line.len() - rest.len());
            self.plain(about);
            if !self.severity(rest) {
                self.plain(rest);
            }
            return;
        }
        if let Some((sign, style)) = SIGNS.into_iter().find(|(sign, _)| text.starts_with(sign)) {
            let (_, rest) = text.split_at(sign.len());
            self.plain(indent);
            if is_severity(rest) {
                self.styled(style, sign);
                self.severity(rest);
                return;
            }
            // What differs; where, and how, comes behind it.
            let end = text.find(": ").into_iter().chain(text.find(" (")).min().unwrap_or(text.len());
            let (name, rest) = text.split_at(end);
            self.styled(style, name);
            return self.plain(rest);
        }
        if is_severity(text) {
            self.plain(indent);
            self.severity(text);
            return;
        }
        match VERDICTS.into_iter().find_map(|(words, style)| Some((line.find(words)?, words, style))) {
            Some((at, words, style)) => {
                let colon = if words.starts_with(": ") { 2 } else { 0 };
                let (before, rest) = line.split_at(at + colon);
                let (words, rest) = rest.split_at(words.len() - colon);
                self.plain(before);
                self.styled(style, words);
                self.plain(rest);
            }
            None => self.plain(line),
        }
    }

    fn explanation(&mut self, line: &str) {
        match line.split_once(": ") {
            Some((code, title)) if !code.contains(' ') && code.contains('/') => {
                self.styled(HEADING, code);
                self.plain(": ");
                self.plain(title);
            }
            _ => self.plain(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{TextKind, coloured};

    /// Returns a text with colours in which each escape sequence is shown as a word.
    fn shown(kind: TextKind, text: &str) -> String {
        let painted = coloured(kind, text);
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), text, "nothing but colours is added");
        let words = [
            ("\u{1b}[1m\u{1b}[31m", "<RED "),
            ("\u{1b}[1m\u{1b}[33m", "<YELLOW "),
            ("\u{1b}[1m\u{1b}[36m", "<CYAN "),
            ("\u{1b}[1m\u{1b}[34m", "<BLUE "),
            ("\u{1b}[1m", "<BOLD "),
            ("\u{1b}[32m", "<green "),
            ("\u{1b}[31m", "<red "),
            ("\u{1b}[33m", "<yellow "),
            ("\u{1b}[36m", "<cyan "),
            ("\u{1b}[0m", ">"),
        ];
        words.iter().fold(painted, |text, (escape, word)| text.replace(escape, word))
    }

    #[test]
    fn diagnostics_are_coloured_by_severity() {
        let text = "warning: A title [a/code]\n  --> main.tf:6:5 (a.b)\n    |\n  6 |     ebs {\n    |     ^^^\n    = Why: |\n\n0 errors\n";
        assert_eq!(
            shown(TextKind::Diagnostics, text),
            "<YELLOW warning: ><BOLD A title> [a/code]\n  <BLUE -->> main.tf:6:5 (a.b)\n<BLUE     |>\n<BLUE   6 |>     ebs {\n<BLUE     |>     <YELLOW ^^^>\n    = Why: |\n\n0 errors\n"
        );
    }

    #[test]
    fn what_is_lost_is_red() {
        let text = "1 overridden, 2 lost\naws_instance.web\n  a = 1 (m.tf:1) is lost: nothing in o.tf:2 takes its place\n  b (o.tf:1) is added\n";
        assert_eq!(
            shown(TextKind::Merge, text),
            "1 overridden, <red 2 lost>\n<BOLD aws_instance.web>\n<red   a = 1 (m.tf:1) is lost: nothing in o.tf:2 takes its place>\n  b (o.tf:1) is added\n"
        );
        assert_eq!(shown(TextKind::Merge, "== modules/web\n"), "<BOLD == modules/web>\n");
        assert_eq!(shown(TextKind::Merge, "nothing is overridden"), "nothing is overridden");
    }

    #[test]
    fn differences_are_coloured_by_sign() {
        let text = "+ a.b (m.tf:1)\n    ~ /c: 1 -> 2\n- error: T [a/b] (m.tf:1)\n    note: T [a/b], until 1.5.0\nappeared: warning: T [a/b]\n1 object added\n";
        assert_eq!(
            shown(TextKind::Difference, text),
            "<green + a.b> (m.tf:1)\n    <yellow ~ /c>: 1 -> 2\n<red - ><RED error: ><BOLD T> [a/b] (m.tf:1)\n    <CYAN note: ><BOLD T> [a/b], until 1.5.0\nappeared: <YELLOW warning: ><BOLD T> [a/b]\n1 object added\n"
        );
        assert_eq!(
            shown(TextKind::Difference, "Terraform 1.9.8 -> Terraform 1.15.9: breaks (1 error)"),
            "Terraform 1.9.8 -> Terraform 1.15.9: <red breaks> (1 error)"
        );
    }

    #[test]
    fn plans_show_what_is_done_and_what_overrides_set() {
        let text = "module.a\n  b.c: create\n    d = 1\n    e = \": create\"\n    f = 2  # overridden in o.tf:3\n";
        assert_eq!(
            shown(TextKind::Plan, text),
            "<BOLD module.a>\n<BOLD   b.c: ><green create>\n    d = 1\n    e = \": create\"\n    f = 2<yellow   # overridden in o.tf:3>\n"
        );
    }
}

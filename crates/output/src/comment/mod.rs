//! A comment for a pull request, in GitHub Flavored Markdown, in the shape that all comments here have: a title with the
//! verdict, what weighs most first, what is only added folded, and a footer with the version of this program.
//!
//! Text of a file comes in only by `spans` and `line_diff`. What is folded has a summary of our own words alone, because code
//! spans are not recognised there. Whatever is opened is closed, however early the comment ends: the room for it is
//! reserved.

mod line_diff;
mod links;
mod list;
mod spans;

use std::fmt::Write as _;

use crate::bounded::Bounded;
pub(crate) use line_diff::{changed_lines, is_long, line_diff};
pub use links::LinkBase;
pub(crate) use list::{Weight, WeightedList};
pub(crate) use spans::{MAX_SPAN, cell, code, code_of_place, counted, counts};

/// The maximum number of characters (Unicode scalar values) in a comment: GitHub's limit for the body of a comment.
pub const MAX_MARKDOWN: usize = 65_536;

/// The number of entries that are shown before the rest is folded.
const MAX_OPEN: usize = 20;

/// The number of rows of a summary.
const MAX_ROWS: usize = 10;

const FOLDED_END: &str = "\n</details>\n";

/// A comment that grows from top to bottom.
pub(crate) struct Comment {
    text: Bounded,
    footer: String,
    /// How many more entries are shown before the rest is folded.
    open: usize,
}

/// The words for what is in a list.
pub(crate) struct ListTitles {
    /// Above what is lost.
    pub(crate) lost: &'static str,
    /// After a number of what is lost.
    pub(crate) lost_word: &'static str,
    /// Above what has changed.
    pub(crate) changed: &'static str,
    /// Of what is folded because it is only added.
    pub(crate) added: &'static str,
    /// Of what is folded because it has no effect.
    pub(crate) without_effect: &'static str,
}

impl Comment {
    /// Starts a comment with its title, a sentence, which may be empty or say no more than that, and the tools that are followed.
    /// All are Markdown.
    pub(crate) fn new(verdict: &str, totals: &str, tools: &str) -> Self {
        let footer = format!(
            "\n<sub>overfold {}: from the files alone, without state and providers, by the rules of {tools}</sub>\n",
            env!("CARGO_PKG_VERSION")
        );
        let mut text = Bounded::new(MAX_MARKDOWN);
        text.reserve(&footer);
        text.push(&format!("### {}\n", capitalized(verdict)));
        if !totals.is_empty() && totals != verdict {
            text.push(&format!("\n{totals}.\n"));
        }
        Self { text, footer, open: MAX_OPEN }
    }

    /// Adds a list of blocks of code to paste. No line of them begins with a backtick.
    pub(crate) fn code(&mut self, title: &str, blocks: &WeightedList) {
        const END: &str = "```\n";
        let opening = format!("\n**{title}**\n\n```hcl\n");
        let entries: Vec<&list::Entry> = blocks.entries().iter().collect();
        let Some(first) = entries.first().and_then(|entry| entry.parts().next()) else { return };
        if !self.text.has_room(opening.chars().count() + END.len() + first.chars().count()) {
            self.text.skip(blocks.len());
            return;
        }
        self.text.push(&opening);
        self.text.reserve(END);
        self.all(&entries);
        self.text.end(END);
        self.text.skip(blocks.left_out(Weight::Changed));
    }

    /// Adds a table of how many entries there are of each list or, if there is only one, of each group in it, if there are
    /// more than are shown.
    pub(crate) fn summary(&mut self, lists: &[(&str, &WeightedList)], what: &str, titles: &ListTitles) {
        if lists.iter().map(|(_, list)| list.len()).sum::<usize>() <= MAX_OPEN {
            return;
        }
        let rows = list::rows(lists, titles.lost_word);
        let more = rows.len().saturating_sub(MAX_ROWS);
        let mut table = format!("\n| {what} | Changes |\n| --- | --- |\n");
        for (group, totals) in rows.iter().take(MAX_ROWS) {
            // Writing to a string never fails.
            let _ = writeln!(table, "| {} | {totals} |", cell(&code(group, MAX_SPAN)));
        }
        if more > 0 {
            let _ = writeln!(table, "| {more} more | |");
        }
        self.text.entry(&table);
    }

    /// Adds lines of a list, in Markdown, after a heading.
    pub(crate) fn plain(&mut self, lines: impl Iterator<Item = String>) {
        for (at, line) in lines.enumerate() {
            self.text.entry(&if at == 0 { format!("\n{line}") } else { line });
        }
    }

    /// Adds a heading of a part of the comment, in Markdown, and what is below it, with the number of entries in that.
    pub(crate) fn part(&mut self, heading: &str, entries: usize, inside: impl FnOnce(&mut Self)) {
        let heading = format!("\n#### {heading}\n");
        if self.text.has_room(heading.chars().count()) {
            self.text.push(&heading);
            inside(self);
        } else {
            self.text.skip(entries.max(1));
        }
    }

    /// Adds what has an effect and is more than an addition: the first entries openly, the others folded.
    pub(crate) fn weighty(&mut self, list: &WeightedList, titles: &ListTitles) {
        let mut entries = list.entries().iter().filter(|entry| entry.weight <= Weight::Changed).peekable();
        let mut last = None;
        while let Some(entry) = entries.next_if(|_| self.open > 0) {
            self.open -= 1;
            if last != Some(entry.weight) {
                last = Some(entry.weight);
                let title = match entry.weight {
                    Weight::State => "Place of the state",
                    Weight::Lost => titles.lost,
                    _ => titles.changed,
                };
                let heading = format!("\n**{title}**\n\n");
                let first = entry.parts().next().map_or(0, |part| part.chars().count());
                if !self.text.has_room(heading.chars().count() + first) {
                    self.text.skip(entry.len());
                    continue;
                }
                self.text.push(&heading);
            }
            self.entry(entry);
        }
        let rest: Vec<&list::Entry> = entries.collect();
        self.folded("More changes", &rest, list.left_out(Weight::Changed));
    }

    /// Adds what is only added, and what has no effect, folded.
    pub(crate) fn light(&mut self, list: &WeightedList, titles: &ListTitles) {
        for (weight, title) in [(Weight::Added, titles.added), (Weight::WithoutEffect, titles.without_effect)] {
            let entries: Vec<&list::Entry> = list.entries().iter().filter(|entry| entry.weight == weight).collect();
            self.folded(title, &entries, list.left_out(weight));
        }
    }

    /// Adds lines below a title, which are folded if they are many, or if that is asked for.
    pub(crate) fn lines(&mut self, title: &'static str, list: &WeightedList, is_folded: bool) {
        let entries: Vec<&list::Entry> = list.entries().iter().collect();
        if is_folded || list.len() > MAX_OPEN {
            self.folded(title, &entries, list.left_out(Weight::Changed));
            return;
        }
        let heading = format!("\n**{title}**\n\n");
        let Some(first) = entries.first().and_then(|entry| entry.parts().next()) else { return };
        if !self.text.has_room(heading.chars().count() + first.chars().count()) {
            self.text.skip(entries.len());
            return;
        }
        self.text.push(&heading);
        self.all(&entries);
    }

    /// Adds entries that a reader has to open; `more` entries were not kept.
    fn folded(&mut self, title: &str, entries: &[&list::Entry], more: usize) {
        let count = entries.len() + more;
        if count == 0 {
            return;
        }
        let opening = format!("\n<details><summary>{title} ({count})</summary>\n\n");
        let least = entries.first().and_then(|entry| entry.parts().next()).map_or(0, |part| part.chars().count());
        if self.text.has_room(opening.chars().count() + FOLDED_END.chars().count() + least) {
            self.text.reserve(FOLDED_END);
            self.text.push(&opening);
            self.all(entries);
            self.text.end(FOLDED_END);
        } else {
            self.text.skip(entries.iter().map(|entry| entry.len()).sum());
        }
        self.text.skip(more);
    }

    fn all(&mut self, entries: &[&list::Entry]) {
        for entry in entries {
            self.entry(entry);
        }
    }

    fn entry(&mut self, entry: &list::Entry) {
        for part in entry.parts() {
            self.text.entry(&part);
        }
        self.text.skip(entry.more);
    }

    /// Returns the whole comment.
    pub(crate) fn finish(self) -> String {
        self.text.finish_with(&self.footer)
    }
}

/// Begins a sentence.
fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// Names the tools of both sides, once if they are the same.
pub(crate) fn tools(before: (&str, &str), after: (&str, &str)) -> String {
    let tool = |(name, version): (&str, &str)| code(&format!("{name} {version}"), MAX_SPAN);
    if before == after { tool(after) } else { format!("{} → {}", tool(before), tool(after)) }
}

#[cfg(test)]
mod tests;

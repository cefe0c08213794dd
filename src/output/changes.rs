//! What overriding changed, as text for people: which objects, what won, and what was lost.

use std::fmt::Write as _;

use super::redaction::{MARKER, Redaction};
use crate::account;
use crate::config::{Argument, Block, Merged};
use crate::diag::Span;
use crate::pipeline::Report;

/// A line for each object that override files changed, and below it each argument that was replaced and each nested block
/// that was lost, with the places. Empty where nothing was overridden.
pub fn changes(report: &Report<'_>) -> String {
    let redaction = Redaction::of(report);
    let context = Context { report, redaction: &redaction };
    let mut text = String::new();
    let elements = report.merged.elements().iter().map(|element| (element.address.0, &element.block));
    let listed: &[Block<'_>] = match &report.merged {
        Merged::BlockList { blocks, .. } => blocks,
        Merged::Objects(_) => &[],
    };
    for (name, block) in elements.chain(listed.iter().map(|block| (block.keyword, block))) {
        if !redaction.hides_labels(block) {
            // Writing to a string does not fail.
            let _ = context.object(&mut text, name, block);
        }
    }
    text
}

struct Context<'a> {
    report: &'a Report<'a>,
    redaction: &'a Redaction<'a>,
}

impl Context<'_> {
    fn object(&self, text: &mut String, name: &str, block: &Block<'_>) -> std::fmt::Result {
        let replaced = block.arguments.iter().any(|argument| !argument.overrode.is_empty());
        if block.overridden.is_empty() && block.overrode_blocks.is_empty() && !replaced {
            return Ok(());
        }
        account::work(8);
        write!(text, "{name}")?;
        if matches!(self.report.merged, Merged::BlockList { .. }) {
            block.labels.iter().try_for_each(|label| write!(text, " {:?}", label.text))?;
        }
        let places: Vec<String> = block.overridden.iter().map(|span| self.place(*span)).collect();
        match &*places {
            [] => writeln!(text)?,
            places => writeln!(text, " is overridden by {}", places.join(", "))?,
        }
        for argument in block.arguments.iter().filter(|argument| !argument.overrode.is_empty()) {
            if self.redaction.hides_text(argument.name_span) {
                continue;
            }
            let (now, place) = (self.expression(argument), self.place(argument.range));
            writeln!(text, "  {} = {now} ({place})", argument.name)?;
            for earlier in &argument.overrode {
                writeln!(text, "    replaces {} ({})", self.expression(earlier), self.place(earlier.range))?;
            }
        }
        for gone in &block.overrode_blocks {
            writeln!(text, "  loses the block {} ({})", gone.keyword, self.place(gone.header))?;
        }
        Ok(())
    }

    /// The source text in one line, shortened where it is long.
    fn expression(&self, argument: &Argument<'_>) -> String {
        const MOST: usize = 60;
        if argument.broken {
            return "(syntax error)".to_owned();
        }
        if self.redaction.hides_expression(argument.expr) {
            return MARKER.to_owned();
        }
        let forest = &self.report.forest;
        let source = forest.sources.text(forest.sources.in_file(forest.expr_span(argument.expr)));
        account::touch(source.len());
        let line = source.split_whitespace().collect::<Vec<_>>().join(" ");
        match line.char_indices().nth(MOST) {
            Some((end, _)) => format!("{} …", line.get(..end).unwrap_or_default()),
            None => line,
        }
    }

    fn place(&self, span: Span) -> String {
        let sources = &self.report.forest.sources;
        format!("{}:{}", sources.name(span.source), sources.position(span.source, span.start).line)
    }
}

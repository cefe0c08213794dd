//! References inside quoted texts: a name, then `.name`, `[1]` and `["text"]`. Only blanks, line ends and comments are
//! allowed between the tokens. The errors and their order were recorded by running the tools on malformed texts.

use std::borrow::Cow;

use bytes::Bytes;

use super::parser::Parser;
use super::scan::{self, Mode};
use super::token::Kind;
use super::{check, empty};
use crate::statics::{Traversal, TraversalKey, TraversalStep};
use crate::{Grammar, SyntaxLimits, codes};
use overfold_base::diag::{Diagnostics, SourceId, TextRange};

/// Parses a text that is one reference. After an error the part parsed before it is returned; `None` if the text does
/// not begin with a name.
pub fn reference(
    source: SourceId,
    text: &Bytes,
    limits: SyntaxLimits,
    grammar: Grammar,
    out: &mut Diagnostics,
) -> Option<Traversal<'static>> {
    let scanned = scan::scan(text, Mode::Normal, limits.tokens, grammar);
    check::check(source, text, &scanned.tokens, out);
    let tree = empty(source, text.clone(), 0);
    let mut parser = Parser::new(text, &scanned.tokens, tree, limits, grammar, scanned.too_many);
    parser.set_newlines(false);
    let found = parser.quoted_reference();
    parser.finish(out);
    found
}

impl Parser<'_> {
    fn quoted_reference(&mut self) -> Option<Traversal<'static>> {
        let root = self.read();
        if root.kind != Kind::Ident {
            self.error(&codes::REFERENCE_NO_NAME, root.range(), "A reference must begin with a name.");
            return None;
        }
        let span = self.span(root.range());
        let mut found = Traversal { root: self.written(root.range()), root_span: span, steps: Vec::new(), span };
        while let Some(step) = self.quoted_step() {
            found.span.end = step.span.end;
            found.steps.push(step);
            if self.reported_since(0) {
                break;
            }
        }
        Some(found)
    }

    /// Returns the next step; `None` at the end and after an error that leaves nothing of the step.
    fn quoted_step(&mut self) -> Option<TraversalStep<'static>> {
        let token = self.read();
        let (key, last) = match token.kind {
            Kind::Eof => return None,
            Kind::Dot => {
                let name = self.read();
                if name.kind != Kind::Ident {
                    self.error(&codes::REFERENCE_NO_ATTRIBUTE, name.range(), "Expected a name after the dot.");
                    return None;
                }
                (TraversalKey::Attr(self.written(name.range())), name)
            }
            Kind::OBrack => {
                let key = self.quoted_key()?;
                let close = self.read();
                if close.kind != Kind::CBrack {
                    let detail = "Expected a closing bracket after the key.";
                    self.error(&codes::REFERENCE_OPEN_INDEX, close.range(), detail);
                }
                (key, close)
            }
            _ => {
                let detail = "Expected a dot and a name, or a key in brackets, after this part of the reference.";
                self.error(&codes::REFERENCE_CHARACTER, token.range(), detail);
                return None;
            }
        };
        let range = super::parser::between(token.range(), last.range());
        Some(TraversalStep { key, span: self.span(range) })
    }

    /// Parses the key between brackets.
    fn quoted_key(&mut self) -> Option<TraversalKey<'static>> {
        let token = self.peek();
        match token.kind {
            Kind::Number => {
                self.read();
                self.checked_number(token);
                Some(TraversalKey::IndexNumber(self.written(token.range())))
            }
            Kind::OQuote => {
                let text = self.quoted_label().text;
                Some(TraversalKey::IndexText(String::from_utf8_lossy(self.text_bytes(text)).into_owned().into()))
            }
            Kind::Star => {
                self.error(
                    &codes::REFERENCE_NO_ATTRIBUTE,
                    token.range(),
                    "A splat is not allowed in a reference. Use a constant index instead.",
                );
                None
            }
            _ => {
                let detail = "Expected a number or a quoted string in the brackets.";
                self.error(&codes::REFERENCE_NO_INDEX, token.range(), detail);
                None
            }
        }
    }

    fn written(&self, range: TextRange) -> Cow<'static, str> {
        let bytes = range.bytes_of(self.text);
        String::from_utf8_lossy(bytes).into_owned().into()
    }
}

//! Reports what the scanner could not recognise, before the parser runs (syntax.md, section 1).

use super::token::{Kind, Token};
use crate::codes;
use overfold_base::diag::{Code, Diagnostic, Diagnostics, SourceId};

/// Reports stray characters, invalid bytes and line ends in strings, in file order. Some kinds are reported only a
/// limited number of times.
pub(super) fn check(source: SourceId, text: &[u8], tokens: &[Token], out: &mut Diagnostics) {
    let mut bitwise = 0;
    let mut backticks = 0;
    let mut apostrophes = 0;
    let mut semicolons = 0;
    let mut bad_utf8 = 0;
    for token in tokens {
        let (code, detail): (&'static Code, &'static str) = match token.kind {
            Kind::Bitwise => {
                bitwise += 1;
                if bitwise > 4 {
                    continue;
                }
                let byte = text.get(token.start as usize);
                (
                    &codes::UNSUPPORTED_OPERATOR,
                    match byte {
                        Some(b'&') => "Bitwise \"and\" is not supported. Use && for a logical \"and\".",
                        Some(b'|') => "Bitwise \"or\" is not supported. Use || for a logical \"or\".",
                        Some(b'~') => "Bitwise \"not\" is not supported. Use ! for a logical \"not\".",
                        _ => {
                            "There is no ^ operator: the language has neither a bitwise \"exclusive or\" nor a power operator. Use pow() to raise a number to a power."
                        }
                    },
                )
            }
            Kind::Backtick => {
                backticks += 1;
                // Only the first of each pair is reported, and only for the first two pairs.
                if !matches!(backticks, 1 | 3) {
                    continue;
                }
                (
                    &codes::INVALID_CHARACTER,
                    "Backticks cannot quote a string. Use double quotes, or a heredoc for several lines.",
                )
            }
            Kind::Apostrophe => {
                apostrophes += 1;
                if !matches!(apostrophes, 1 | 3) {
                    continue;
                }
                (&codes::INVALID_CHARACTER, "Single quotes cannot quote a string. Use double quotes.")
            }
            Kind::Semicolon => {
                semicolons += 1;
                if semicolons > 1 {
                    continue;
                }
                (&codes::INVALID_CHARACTER, "Semicolons are not allowed. Write the next item on its own line.")
            }
            Kind::BadUtf8 => {
                bad_utf8 += 1;
                if bad_utf8 > 1 {
                    continue;
                }
                (
                    &codes::INVALID_ENCODING,
                    "The file contains bytes that are not valid UTF-8. Save it in that encoding.",
                )
            }
            Kind::QuotedNewline => (
                &codes::MULTI_LINE_STRING,
                "A quoted string cannot continue on the next line. Close it here, use \\n for a line break, or use a \
                 heredoc.",
            ),
            Kind::Invalid => match text.get(token.start as usize..token.end as usize) {
                Some(b"\xE2\x80\x9C" | b"\xE2\x80\x9D") => (
                    &codes::INVALID_CHARACTER,
                    "Typographic quotes cannot quote a string. Replace them with plain double quotes.",
                ),
                _ => (
                    &codes::INVALID_CHARACTER,
                    "This character is not allowed outside of strings and comments. Remove it, or put the text in quotes.",
                ),
            },
            _ => continue,
        };
        out.push(Diagnostic::tool(code, token.range().in_source(source), detail));
    }
}

//! Names: identifiers, and the local names of providers.

use std::borrow::Cow;

use idna::uts46::{AsciiDenyList, Hyphens, Uts46};

use overfold_syntax::native::identifier_length;

/// Whether the text is an identifier: a Unicode letter or `_`, then letters, digits, marks, `_` or `-`
/// (terraform.md, section 4; syntax.md, section 1).
pub fn is_identifier(text: &str) -> bool {
    !text.is_empty() && identifier_length(text) == text.len()
}

/// What is wrong with a part of a provider's address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadPart {
    /// The part is empty.
    Empty,
    /// The part contains a dot.
    Dot,
    /// The part contains two consecutive dashes.
    DoubleDash,
    /// The part contains something other than letters, digits and inner dashes.
    Characters,
}

impl BadPart {
    /// Returns the reason in words that follow "the name".
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Empty => "must not be empty",
            Self::Dot => "must not contain a dot",
            Self::DoubleDash => "must not contain two consecutive dashes",
            Self::Characters => "can contain only letters, digits and dashes, and cannot start or end with a dash",
        }
    }
}

/// Returns the normal form of a part of a provider's address (a namespace, a name, a local name): lower case, with
/// composed letters, according to the rules of internationalised domain names.
///
/// # Errors
/// [`BadPart`] if the part is not valid.
pub fn normalize_provider_part(text: &str) -> Result<Cow<'_, str>, BadPart> {
    if text.is_empty() {
        return Err(BadPart::Empty);
    }
    if text.contains('.') {
        return Err(BadPart::Dot);
    }
    if text.contains("--") {
        return Err(BadPart::DoubleDash);
    }
    let (normal, outcome) = Uts46::new().to_unicode(text.as_bytes(), AsciiDenyList::STD3, Hyphens::Check);
    match outcome {
        Ok(()) if !normal.is_empty() && !normal.contains('.') => Ok(normal),
        _ => Err(BadPart::Characters),
    }
}

/// Returns a sentence about what is wrong with the local name of a provider (terraform.md, section 4), or `None` for a
/// valid name.
pub fn bad_provider_local_name(name: &str) -> Option<String> {
    match normalize_provider_part(name) {
        Ok(normal) if normal == name => None,
        Ok(normal) => {
            Some(format!("Local names of providers must be in lower case: use {normal:?} instead of {name:?}."))
        }
        Err(bad) => Some(format!("The local name {name:?} is not valid: it {}.", bad.reason())),
    }
}
/// Whether a text is a valid name for the tool that uses HCL 1: ASCII letters, digits, `_` and `-`, without a dash at
/// the beginning.
pub fn is_plain_name(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    !text.is_empty() && !text.starts_with('-') && text.bytes().all(inner)
}

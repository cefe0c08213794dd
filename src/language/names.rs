//! Names: identifiers, and the local names of providers.

use std::borrow::Cow;

use idna::uts46::{AsciiDenyList, Hyphens, Uts46};

use crate::syntax::native::identifier_length;

/// Whether the text is an identifier: a Unicode letter or `_`, then letters, digits, marks, `_` or `-`
/// (terraform.md, section 4; syntax.md, section 1).
pub fn is_identifier(text: &str) -> bool {
    !text.is_empty() && identifier_length(text) == text.len()
}

/// Why a part of a provider's address is not valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadPart {
    /// No characters.
    Empty,
    /// Dots are not allowed.
    Dot,
    /// Two dashes in a row.
    DoubleDash,
    /// Something other than letters, digits and inner dashes.
    Characters,
}

impl BadPart {
    /// In words, to follow "the name".
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Empty => "is empty",
            Self::Dot => "contains a dot",
            Self::DoubleDash => "contains two consecutive dashes",
            Self::Characters => "can contain only letters, digits and dashes, and cannot start or end with a dash",
        }
    }
}

/// The normal form of a part of a provider's address (a namespace, a name, a local name): lower case, composed
/// letters, by the rules of internationalised domain names.
///
/// # Errors
/// [`BadPart`] says what is wrong with it.
pub fn normal_provider_part(text: &str) -> Result<Cow<'_, str>, BadPart> {
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

/// What is wrong with the local name of a provider (terraform.md, section 4): a sentence, or `None` for a good name.
pub fn bad_provider_local_name(name: &str) -> Option<String> {
    match normal_provider_part(name) {
        Ok(normal) if normal == name => None,
        Ok(normal) => {
            Some(format!("Local names of providers must be in lower case: use {normal:?} instead of {name:?}."))
        }
        Err(bad) => Some(format!("The local name {name:?} is not valid: it {}.", bad.reason())),
    }
}
/// Whether a text is a name as HCL 1's tool has them: ASCII letters, digits, `_` and `-`, no dash first.
pub fn is_plain_name(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    !text.is_empty() && !text.starts_with('-') && text.bytes().all(inner)
}

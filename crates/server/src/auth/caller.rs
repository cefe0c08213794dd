//! Callers as they are logged and told apart.

use std::sync::{Arc, OnceLock};

use sha2::{Digest as _, Sha256};

use super::scopes::Scopes;
use crate::packing::hexadecimal;
use crate::quota::CallerKey;

/// Holds who sent a request, so that it can be logged even if the request gets no answer. The code that writes the log
/// line puts an empty one into the request's extensions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller(Arc<Notes>);

#[derive(Debug, Default)]
struct Notes {
    caller: OnceLock<(Arc<str>, Option<String>)>,
    refused: OnceLock<&'static str>,
}

impl Caller {
    /// Returns the name, if there is one and it is already known.
    pub(crate) fn name(&self) -> Option<&str> {
        self.0.caller.get().map(|(name, _)| &**name)
    }

    /// Returns the scopes that the caller's identity has here, separated by spaces; `None` for tokens of our own.
    pub(crate) fn scope(&self) -> Option<&str> {
        self.0.caller.get().and_then(|(_, scope)| scope.as_deref())
    }

    /// Returns why the token of the request was refused, if it was.
    pub(crate) fn refused(&self) -> Option<&'static str> {
        self.0.refused.get().copied()
    }

    /// Notes who sent the request.
    pub(super) fn set_identity(&self, known: &KnownCaller) {
        let scope = known.scoped.then(|| known.scopes.names());
        // Nothing else sets it.
        let _ = self.0.caller.set((Arc::clone(&known.name), scope));
    }

    /// Notes why the token of the request is refused.
    pub(super) fn set_refusal(&self, reason: &'static str) {
        // Nothing else sets it.
        let _ = self.0.refused.set(reason);
    }
}

/// A caller that may call.
#[derive(Clone, Debug)]
pub(super) struct KnownCaller {
    /// A name that can be logged.
    name: Arc<str>,
    /// What tells it apart from others.
    pub(super) key: CallerKey,
    pub(super) scopes: Scopes,
    /// Whether the scopes are those of an identity.
    pub(super) scoped: bool,
}

impl KnownCaller {
    /// Returns the owner of a token of our own, who may do everything.
    pub(super) fn token(name: Arc<str>) -> Self {
        let key = key_of(b"token", name.as_bytes());
        Self { name, key, scopes: Scopes::ALL, scoped: false }
    }

    /// Returns the owner of a certificate with this subject, who may do everything.
    pub(super) fn certificate(subject: Arc<str>) -> Self {
        let key = key_of(b"certificate", subject.as_bytes());
        Self { name: subject, key, scopes: Scopes::ALL, scoped: false }
    }

    /// Returns the subject of an identity with these scopes.
    pub(super) fn identity(subject: &str, scopes: Scopes) -> Self {
        let key = key_of(b"subject", subject.as_bytes());
        Self { name: loggable(subject, &key).into(), key, scopes, scoped: true }
    }
}

/// Returns what identifies a caller among those of its kind and of others.
fn key_of(kind: &[u8], name: &[u8]) -> CallerKey {
    Sha256::new().chain_update(kind).chain_update([0]).chain_update(name).finalize().into()
}

/// Returns a subject as it is logged: if it is long or has unusual characters, an excerpt that the beginning of its
/// digest distinguishes from others.
fn loggable(subject: &str, key: &CallerKey) -> String {
    const LONGEST: usize = 64;
    const DIGITS: usize = 8;
    let usual = |c: char| c.is_ascii_alphanumeric() || "-_.@:/|+=".contains(c);
    if subject.len() <= LONGEST && subject.chars().all(usual) {
        return subject.to_owned();
    }
    let excerpt: String = subject.chars().take(LONGEST).map(|c| if usual(c) { c } else { '?' }).collect();
    let digest: String = hexadecimal(key).chars().take(DIGITS).collect();
    format!("{excerpt}#{digest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_the_log_are_harmless_and_distinct() {
        let name = |subject: &str| loggable(subject, &key_of(b"subject", subject.as_bytes()));
        for usual in ["ci", "team-a@example.com", "system:serviceaccount:ci:runner", "auth0|1234", &"a".repeat(64)] {
            assert_eq!(name(usual), usual);
        }
        let unusual =
            ["a b", "a\nb", "a\"b", "\u{1b}[31m", "é", "a\u{202e}b", "token=x y", &"a".repeat(65), &"é".repeat(9000)];
        for subject in unusual {
            let name = name(subject);
            assert!(name.len() <= 64 + 9 && name.is_ascii() && name.contains('#'), "{name}");
            assert!(!name.contains(|c: char| c.is_ascii_control() || " \"\\".contains(c)), "{name}");
        }
        assert_ne!(name("a b"), name("a\tb"));
        assert_ne!(name(&"a".repeat(65)), name(&"a".repeat(66)));
    }

    #[test]
    fn a_token_and_a_subject_of_the_same_name_are_two_callers() {
        assert_ne!(key_of(b"token", b"ci"), key_of(b"subject", b"ci"));
    }
}

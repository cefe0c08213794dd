//! Tokens of our own: creates them, reads a file of their digests, and recognises them.
//!
//! A token is 256 random bits, so its plain SHA-256 digest is as hard to invert as the token is to guess; slow hashes
//! are for passwords that people choose.

use std::collections::BTreeSet;
use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use super::watched::{Content, Fault};
use crate::packing::hexadecimal;

/// Whether a token may have this name: 1 to 64 ASCII letters, digits, `-`, `_` and `.`.
pub fn is_token_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// A newly created token.
pub struct NewToken {
    /// The token for the client: `ovf_` and 43 characters of base64url.
    pub token: String,
    /// The line for the token file: `name:sha256:…`, without a line feed. The token cannot be derived from it.
    pub line: String,
}

impl NewToken {
    /// Creates a token of 256 bits from the system's random source. `name` must be [a valid name](is_token_name).
    ///
    /// # Errors
    /// Fails if the system returns no random bytes.
    pub fn generate(name: &str) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        // The prefix lets scanners for leaked secrets find it.
        let token = format!("ovf_{}", BASE64_URL_SAFE_NO_PAD.encode(bytes));
        let line = format!("{name}:sha256:{}", hexadecimal(&Sha256::digest(&token)));
        Ok(Self { token, line })
    }
}

#[derive(Debug)]
struct Token {
    name: Arc<str>,
    digest: [u8; 32],
}

/// The tokens of a file.
#[derive(Debug, Default)]
pub(super) struct Tokens(Vec<Token>);

impl Tokens {
    /// Returns the name of a token, if it is one of these.
    pub(super) fn find(&self, token: &[u8]) -> Option<Arc<str>> {
        let digest: [u8; 32] = Sha256::digest(token).into();
        let mut found = None;
        for known in &self.0 {
            // The time this takes reveals neither how much of a digest matches nor which token it is.
            if bool::from(known.digest.ct_eq(&digest)) {
                found = Some(Arc::clone(&known.name));
            }
        }
        found
    }
}

impl Content for Tokens {
    const SETTING: &'static str = "token-file";
    const FILE: &'static str = "token file";
    const ITEM: &'static str = "token";
    const HINT: &'static str = "`overfold token NAME` creates one";
    /// Some ten thousand tokens.
    const MOST_BYTES: u64 = 1 << 20;

    fn parse(content: &[u8]) -> Result<Self, Fault> {
        let mut tokens: Vec<Token> = Vec::new();
        let (mut names, mut digests) = (BTreeSet::new(), BTreeSet::new());
        for (index, line) in content.split(|byte| *byte == b'\n').enumerate() {
            let line = line.trim_ascii();
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            let wrong =
                |problem: &'static str| Fault { place: format!("line {}", index + 1), problem: problem.into() };
            let token = token(line).map_err(wrong)?;
            if !names.insert(Arc::clone(&token.name)) {
                return Err(wrong("its name is already used in a line above"));
            }
            if !digests.insert(token.digest) {
                return Err(wrong("its digest is already used in a line above"));
            }
            tokens.push(token);
        }
        Ok(Self(tokens))
    }

    fn count(&self) -> usize {
        self.0.len()
    }
}

fn token(line: &[u8]) -> Result<Token, &'static str> {
    const FORM: &str = "a line must be `name:sha256:` and 64 hexadecimal digits, as `overfold token NAME` prints it";
    let line = std::str::from_utf8(line).map_err(|_| FORM)?;
    let mut parts = line.split(':');
    let (Some(name), Some(algorithm), Some(digits), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(FORM);
    };
    if !is_token_name(name) {
        return Err("the name must consist of 1 to 64 letters, digits, `-`, `_` or `.`");
    }
    if algorithm != "sha256" {
        return Err("the digest must be sha256");
    }
    let digest = bytes(digits).ok_or("the digest must consist of 64 hexadecimal digits")?;
    Ok(Token { name: name.into(), digest })
}

/// Parses 32 bytes written in hexadecimal.
fn bytes(digits: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    let pairs = digits.as_bytes().chunks(2);
    if digits.len() != 2 * bytes.len() {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(pairs) {
        for &digit in pair {
            *byte = (*byte << 4) | u8::try_from(char::from(digit).to_digit(16)?).ok()?;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(content: &str) -> Fault {
        Tokens::parse(content.as_bytes()).unwrap_err()
    }

    #[test]
    fn a_generated_token_matches_only_its_own_line() {
        let (a, b) = (NewToken::generate("a").unwrap(), NewToken::generate("b").unwrap());
        assert_ne!(a.token, b.token);
        assert_eq!(a.token.len(), 47);
        assert!(!a.line.contains(&a.token));
        let file = format!("# tokens\r\n\n  {}  \r\n{}", a.line, b.line);
        let tokens = Tokens::parse(file.as_bytes()).unwrap().0;
        assert_eq!(tokens.iter().map(|token| &*token.name).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(tokens[0].digest, <[u8; 32]>::from(Sha256::digest(&a.token)));
    }

    #[test]
    fn faults_of_a_file_are_reported_with_their_line() {
        let digits = "0".repeat(64);
        let good = format!("a:sha256:{digits}");
        assert_eq!(Tokens::parse(b"").unwrap().count(), 0);
        assert!(Tokens::parse(good.to_uppercase().replace("SHA", "sha").as_bytes()).is_ok());
        for (content, line, problem) in [
            ("secret".to_owned(), 1, "a line must be"),
            (format!("# c\n\n{good}:"), 3, "a line must be"),
            (format!(":sha256:{digits}"), 1, "the name"),
            (format!("a b:sha256:{digits}"), 1, "the name"),
            (format!("{}:sha256:{digits}", "a".repeat(65)), 1, "the name"),
            (format!("a:md5:{digits}"), 1, "sha256"),
            (format!("{good}0"), 1, "64 hexadecimal"),
            (format!("a:sha256:{}", "g".repeat(64)), 1, "64 hexadecimal"),
            (format!("a:sha256:{}", "é".repeat(32)), 1, "64 hexadecimal"),
            (format!("{good}\n{good}"), 2, "its name"),
            (format!("{good}\nb:sha256:{digits}"), 2, "its digest"),
        ] {
            let found = wrong(&content);
            assert!(found.place == format!("line {line}") && found.problem.contains(problem), "{content}: {found:?}");
            assert!(!found.problem.contains("secret") && !found.problem.contains(&digits), "{found:?}");
        }
    }
}

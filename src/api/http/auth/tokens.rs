//! Bearer tokens: creates them, reads a file of their digests, and recognises them.
//!
//! A token is 256 random bits, so its plain SHA-256 digest is as hard to invert as the token is to guess; slow hashes
//! are for passwords that people choose.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use crate::api::http::packing::hexadecimal;

/// How often the file is checked for changes.
const CHECK_EVERY: Duration = Duration::from_secs(2);
/// The most bytes in a token file: some ten thousand tokens.
const MAX_BYTES: u64 = 1 << 20;

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
    pub fn make(name: &str) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        // The prefix lets scanners for leaked secrets find it.
        let token = format!("ovf_{}", BASE64_URL_SAFE_NO_PAD.encode(bytes));
        let line = format!("{name}:sha256:{}", hexadecimal(&Sha256::digest(&token)));
        Ok(Self { token, line })
    }
}

/// Why a token file cannot be used. None of its content is included.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TokenFileError {
    /// The file cannot be read.
    #[error("the token file {file}: {problem}")]
    Unreadable {
        /// The path of the file.
        file: String,
        /// The system's message.
        problem: String,
    },
    /// A line is not valid.
    #[error("the token file {file}, line {line}: {problem}")]
    Line {
        /// The path of the file.
        file: String,
        /// The line number, 1-based.
        line: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// When the service starts, the file contains no token, so nobody could call.
    #[error("the token file {file} contains no token; `overfold token NAME` creates one")]
    Empty {
        /// The path of the file.
        file: String,
    },
}

#[derive(Debug)]
struct Token {
    name: Arc<str>,
    digest: [u8; 32],
}

/// What a request presented instead of a known token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenProblem {
    /// No token.
    Nothing,
    /// Something that is not a token in the file.
    Unknown,
    /// More than one header.
    Several,
}

/// The tokens of a file.
#[derive(Debug)]
pub(super) struct Tokens {
    file: PathBuf,
    known: RwLock<Known>,
}

#[derive(Debug, Default)]
struct Known {
    tokens: Arc<[Token]>,
    /// The digest of the file as last read, whether it was usable or not.
    digest: Option<[u8; 32]>,
}

impl Tokens {
    /// Returns the tokens of this file before it has been read: none.
    pub(super) fn unloaded(file: PathBuf) -> Self {
        Self { file, known: RwLock::default() }
    }

    /// Reads the file for the first time.
    pub(super) fn load(&self) -> Result<(), TokenFileError> {
        self.reload()?;
        if self.known().is_empty() {
            return Err(TokenFileError::Empty { file: self.file.display().to_string() });
        }
        Ok(())
    }

    /// Reads the file if it has changed, and returns the number of tokens in it in that case. A file that cannot be
    /// used changes nothing; an empty one takes effect: nobody may call any more.
    pub(super) fn reload(&self) -> Result<Option<usize>, TokenFileError> {
        let content = read(&self.file)?;
        let digest = Sha256::digest(&content).into();
        if self.known.read().unwrap_or_else(PoisonError::into_inner).digest == Some(digest) {
            return Ok(None);
        }
        let parsed = parse(&self.file, &content);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.digest = Some(digest);
        known.tokens = parsed?.into();
        Ok(Some(known.tokens.len()))
    }

    /// Checks the file periodically.
    pub(super) async fn watch(self: &Arc<Self>) {
        let mut last = None;
        loop {
            tokio::time::sleep(CHECK_EVERY).await;
            let tokens = Arc::clone(self);
            // This fails only while the runtime is shutting down.
            let Ok(result) = tokio::task::spawn_blocking(move || tokens.reload()).await else { return };
            match result {
                Ok(Some(0)) => {
                    tracing::warn!("the token file no longer contains a token, so nobody can call the service");
                }
                Ok(Some(count)) => tracing::info!(count, "the token file has been read again"),
                Ok(None) => {}
                Err(error) if last.as_ref() != Some(&error) => {
                    tracing::error!(%error, "the token file cannot be read again; the previous tokens stay valid");
                    last = Some(error);
                    continue;
                }
                Err(_) => continue,
            }
            last = None;
        }
    }

    /// Returns the name of the token that a request comes with (RFC 6750, 2.1).
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<Arc<str>, TokenProblem> {
        let mut sent = headers.get_all(AUTHORIZATION).iter();
        let (Some(value), more) = (sent.next(), sent.next()) else { return Err(TokenProblem::Nothing) };
        if more.is_some() {
            return Err(TokenProblem::Several);
        }
        let value = value.as_bytes();
        let scheme = value.split(|byte| *byte == b' ').next().unwrap_or_default();
        if !scheme.eq_ignore_ascii_case(b"bearer") {
            return Err(TokenProblem::Nothing);
        }
        let token = value.get(scheme.len()..).unwrap_or_default().trim_ascii();
        let digest: [u8; 32] = Sha256::digest(token).into();
        let mut found = None;
        for known in &*self.known() {
            // The time this takes reveals neither how much of a digest matches nor which token it is.
            if bool::from(known.digest.ct_eq(&digest)) {
                found = Some(Arc::clone(&known.name));
            }
        }
        found.ok_or(TokenProblem::Unknown)
    }

    fn known(&self) -> Arc<[Token]> {
        Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner).tokens)
    }
}

fn read(file: &Path) -> Result<Vec<u8>, TokenFileError> {
    let unreadable = |problem: String| TokenFileError::Unreadable { file: file.display().to_string(), problem };
    let found = std::fs::metadata(file).map_err(|error| unreadable(error.to_string()))?;
    if !found.is_file() || found.len() > MAX_BYTES {
        return Err(unreadable(format!("not a regular file of at most {MAX_BYTES} bytes")));
    }
    std::fs::read(file).map_err(|error| unreadable(error.to_string()))
}

fn parse(file: &Path, content: &[u8]) -> Result<Vec<Token>, TokenFileError> {
    let mut tokens: Vec<Token> = Vec::new();
    let (mut names, mut digests) = (BTreeSet::new(), BTreeSet::new());
    for (index, line) in content.split(|byte| *byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let wrong = |problem| TokenFileError::Line { file: file.display().to_string(), line: index + 1, problem };
        let token = token(line).map_err(wrong)?;
        if !names.insert(Arc::clone(&token.name)) {
            return Err(wrong("its name is already used in a line above"));
        }
        if !digests.insert(token.digest) {
            return Err(wrong("its digest is already used in a line above"));
        }
        tokens.push(token);
    }
    Ok(tokens)
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

    fn wrong(content: &str) -> String {
        parse(Path::new("tokens"), content.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_generated_token_matches_only_its_own_line() {
        let (a, b) = (NewToken::make("a").unwrap(), NewToken::make("b").unwrap());
        assert_ne!(a.token, b.token);
        assert_eq!(a.token.len(), 47);
        assert!(!a.line.contains(&a.token));
        let file = format!("# tokens\r\n\n  {}  \r\n{}", a.line, b.line);
        let tokens = parse(Path::new("tokens"), file.as_bytes()).unwrap();
        assert_eq!(tokens.iter().map(|token| &*token.name).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(tokens[0].digest, <[u8; 32]>::from(Sha256::digest(&a.token)));
    }

    #[test]
    fn faults_of_a_file_are_reported_with_their_line() {
        let digits = "0".repeat(64);
        let good = format!("a:sha256:{digits}");
        assert!(parse(Path::new("tokens"), b"").unwrap().is_empty());
        assert!(parse(Path::new("tokens"), good.to_uppercase().replace("SHA", "sha").as_bytes()).is_ok());
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
            let text = wrong(&content);
            assert!(text.contains(&format!("tokens, line {line}: ")) && text.contains(problem), "{content}: {text}");
            assert!(!text.contains("secret") && !text.contains(&digits), "{text}");
        }
    }
}

//! Answers that were computed before, as entries of the cache.
//!
//! Only whole answers with status 200 are kept, and none to a request that may see sensitive values. An entry is the facts
//! about an answer and its bytes as sent, with their digest: what is damaged is not taken for an answer.

use axum::http::StatusCode;
use bytes::Bytes;
use sha2::{Digest as _, Sha256};

use crate::api::routes::answer::{Answer, Head, WorkContext};
use crate::api::wire::kind;
use crate::build_info::{BUILD, COMMIT};
use overfold_base::account;
use overfold_base::diag::Tally;
use overfold_engine::Facts;
use overfold_server::accept::Coding;
use overfold_server::cache::{CacheStatus, Key};
use overfold_server::error::ApiError;

/// What determines an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CacheKeyParts<'a> {
    /// The digest of the normalised request, of the use case and of the form of the answer.
    pub(crate) fingerprint: &'a str,
    /// The media type of the answer, which follows from its form.
    pub(crate) content_type: &'a str,
    /// The wanted compression.
    pub(crate) coding: Coding,
    /// Whether the answer may show sensitive values.
    pub(crate) reveals: bool,
}

impl CacheKeyParts<'_> {
    fn key(&self) -> Key {
        let mut digest = blake3::Hasher::new();
        let coding = self.coding.name().unwrap_or_default();
        for part in [COMMIT, BUILD, coding, self.fingerprint] {
            digest.update(&(part.len() as u64).to_be_bytes());
            digest.update(part.as_bytes());
        }
        Key::new(digest.finalize().into())
    }
}

impl WorkContext {
    /// Returns the answer from the cache, or has it made and kept.
    ///
    /// # Errors
    /// Returns the error of `run`; 400 if the answer would show sensitive values to those who read it later.
    pub(crate) fn answer(
        &self,
        asked: CacheKeyParts<'_>,
        run: impl FnOnce() -> Result<Answer, ApiError>,
    ) -> Result<Answer, ApiError> {
        if self.is_stored && asked.reveals {
            let detail = "sensitive values are never stored, and the answers to requests from a queue are";
            return Err(ApiError::new(kind::BAD_OPTION, detail).at("/reveal_sensitive"));
        }
        let Some(cache) = &self.cache else { return run() };
        if asked.reveals {
            return run().map(|answer| answer.with_cache_status(CacheStatus::Bypassed));
        }
        let key = asked.key();
        if let Some(answer) = cache.get(&key).and_then(|entry| read(&entry, asked)) {
            return Ok(answer.with_cache_status(CacheStatus::Hit));
        }
        let answer = run()?;
        let is_stored = answer.head.status() == StatusCode::OK && cache.put(&key, written(&answer));
        Ok(answer.with_cache_status(if is_stored { CacheStatus::Stored } else { CacheStatus::Missed }))
    }
}

/// The number of the form of an entry. Another form is not read.
const FORM: u8 = 1;
/// The bytes before the body: the form, the coding, the facts, the digest.
const HEAD_BYTES: usize = 1 + 1 + 1 + 4 * 8 + 32;

fn written(answer: &Answer) -> Vec<u8> {
    let Facts { valid, tally: Tally { errors, warnings, infos }, files } = *answer.head.facts();
    account::grow((HEAD_BYTES + answer.body.len()) as u64);
    let mut entry = Vec::with_capacity(HEAD_BYTES + answer.body.len());
    entry.extend([FORM, answer.head.coding() as u8, u8::from(valid)]);
    for number in [errors, warnings, infos, files] {
        entry.extend(number.to_be_bytes());
    }
    entry.extend(answer.head.digest());
    entry.extend(&answer.body);
    entry
}

/// Reads an entry; `None` if it is not one, or damaged.
fn read(entry: &Bytes, asked: CacheKeyParts<'_>) -> Option<Answer> {
    let (head, body) = entry.split_at_checked(HEAD_BYTES)?;
    let (&[form, coding, valid], rest) = head.split_first_chunk::<3>()?;
    let coding = [Coding::Identity, Coding::Zstd, Coding::Gzip].into_iter().find(|known| *known as u8 == coding)?;
    let (numbers, digest) = rest.as_chunks::<8>().0.split_at_checked(4)?;
    let [errors, warnings, infos, files] = *<&[[u8; 8]; 4]>::try_from(numbers).ok()?;
    account::text(body.len());
    let own: [u8; 32] = Sha256::digest(body).into();
    if form != FORM || digest.as_flattened() != own {
        return None;
    }
    let number = u64::from_be_bytes;
    let tally = Tally { errors: number(errors), warnings: number(warnings), infos: number(infos) };
    let facts = Facts { valid: valid == 1, tally, files: number(files) };
    let head = Head::of(asked.content_type.to_owned(), coding, asked.fingerprint.to_owned(), own, facts);
    Some(Answer { body: body.to_vec(), head })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: CacheKeyParts<'_> = CacheKeyParts {
        fingerprint: "f00",
        content_type: "application/json",
        coding: Coding::Identity,
        reveals: false,
    };

    fn answer() -> Answer {
        let facts = Facts { valid: false, tally: Tally { errors: 1, warnings: 2, infos: 3 }, files: 4 };
        Answer::of(
            b"{}".to_vec(),
            Coding::Identity,
            StatusCode::OK,
            "application/json".to_owned(),
            "f00".to_owned(),
            facts,
        )
        .unwrap()
    }

    #[test]
    fn an_entry_is_read_as_it_was_written() {
        let entry = Bytes::from(written(&answer()));
        let read = read(&entry, ASKED).unwrap();
        assert_eq!(read.body, b"{}");
        let facts = read.head.facts();
        assert_eq!(
            (facts.valid, facts.tally.errors, facts.tally.warnings, facts.tally.infos, facts.files),
            (false, 1, 2, 3, 4)
        );
    }

    #[test]
    fn what_is_damaged_is_no_entry() {
        let entry = written(&answer());
        for at in (0..2).chain(HEAD_BYTES - 32..entry.len()) {
            let mut damaged = entry.clone();
            damaged[at] ^= 64;
            assert!(read(&Bytes::from(damaged), ASKED).is_none(), "{at}");
        }
        for length in 0..HEAD_BYTES {
            assert!(read(&Bytes::from(entry[..length].to_vec()), ASKED).is_none());
        }
    }

    #[test]
    fn every_part_of_what_is_asked_is_in_the_key() {
        let keys = [
            ASKED.key(),
            CacheKeyParts { fingerprint: "f01", ..ASKED }.key(),
            CacheKeyParts { coding: Coding::Gzip, ..ASKED }.key(),
        ];
        for (at, key) in keys.iter().enumerate() {
            assert!(!keys[..at].contains(key), "{at}");
        }
    }
}

//! The hash by which GitHub recognises the line of an alert, `primaryLocationLineHash` (github/codeql-action,
//! src/fingerprints.ts). If it is absent, the action that uploads SARIF computes it from the checked-out files; if it
//! differs, the action warns. An upload through the API must contain it, or each upload would create every alert again.
//!
//! It consists of a rolling hash of the next hundred characters other than spaces and tabs, with every kind of line end
//! treated as one line feed, and the number of equal hashes so far. It is not cryptographic, so a file with hidden
//! parts has no hashes.

use std::collections::{BTreeMap, HashMap};

use crate::redaction::Redaction;
use overfold_base::account::{ChargedText, List};
use overfold_base::diag::{SourceId, TextRange};
use overfold_base::files::Sources;

/// The number of characters that are hashed.
const WINDOW: usize = 100;
const FACTOR: u64 = 37;
/// Follows the last character.
const END: u16 = 0xFFFF;

/// The hashes of all lines of the requested files.
#[derive(Default)]
pub(super) struct LineHashes(BTreeMap<SourceId, Vec<(u64, u32)>>);

impl LineHashes {
    /// Returns the hash of a line (1-based), a colon, and the 1-based number of its occurrence.
    pub(super) fn of(
        &mut self,
        redaction: &Redaction<'_>,
        sources: &Sources,
        source: SourceId,
        line: u32,
    ) -> Option<String> {
        let hashes = self.0.entry(source).or_insert_with(|| {
            let Some(found) = sources.get(source) else { return Vec::new() };
            let whole = TextRange::new(0, u32::MAX);
            if redaction.masks(source).intersect(whole) {
                return Vec::new();
            }
            hashes(found.text.scanned(4))
        });
        let (hash, count) = hashes.get(line.checked_sub(1)? as usize)?;
        Some(format!("{hash:x}:{count}"))
    }
}

struct Rolling {
    window: [u16; WINDOW],
    /// Whether a line begins with the character at this index of the window.
    begins: [bool; WINDOW],
    at: usize,
    hash: u64,
    /// `FACTOR` to the power of `WINDOW`.
    first: u64,
    counts: HashMap<u64, u32>,
    lines: List<(u64, u32)>,
}

impl Rolling {
    /// Records the hash of the line that began a whole window ago, if one did.
    fn emit(&mut self) {
        if self.begins.get_mut(self.at).is_some_and(std::mem::take) {
            let count = self.counts.entry(self.hash).or_insert(0);
            *count += 1;
            let line = (self.hash, *count);
            self.lines.push(line);
        }
    }

    fn take(&mut self, unit: u16) {
        let Some(place) = self.window.get_mut(self.at) else { return };
        let oldest = u64::from(std::mem::replace(place, unit));
        self.hash = (self.hash.wrapping_mul(FACTOR))
            .wrapping_add(u64::from(unit))
            .wrapping_sub(self.first.wrapping_mul(oldest));
        self.at = (self.at + 1) % WINDOW;
    }
}

fn hashes(text: &[u8]) -> Vec<(u64, u32)> {
    let mut rolling = Rolling {
        window: [0; WINDOW],
        begins: [false; WINDOW],
        at: 0,
        hash: 0,
        first: FACTOR.wrapping_pow(WINDOW as u32),
        counts: HashMap::new(),
        lines: List::new(),
    };
    let text = String::from_utf8_lossy(text);
    let (mut is_line_start, mut after_return) = (true, false);
    for unit in text.encode_utf16().chain([END]) {
        let is_return = unit == u16::from(b'\r');
        let is_feed = unit == u16::from(b'\n');
        if unit == u16::from(b' ') || unit == u16::from(b'\t') || (after_return && is_feed) {
            after_return = false;
            continue;
        }
        after_return = is_return;
        rolling.emit();
        if std::mem::take(&mut is_line_start)
            && let Some(begins) = rolling.begins.get_mut(rolling.at)
        {
            *begins = true;
        }
        is_line_start = is_return || is_feed;
        rolling.take(if is_return { u16::from(b'\n') } else { unit });
    }
    for _ in 0..WINDOW {
        rolling.emit();
        rolling.take(0);
    }
    rolling.lines.into_vec()
}

#[cfg(test)]
mod tests {
    use super::hashes;

    fn of(text: &str) -> Vec<String> {
        hashes(text.as_bytes()).iter().map(|(hash, count)| format!("{hash:x}:{count}")).collect()
    }

    /// The values that the action computes (github/codeql-action, src/fingerprints.test.ts).
    #[test]
    fn hashes_are_those_of_the_action() {
        assert_eq!(of(""), ["c129715d7a2bc9a3:1"]);
        assert_eq!(
            of(" a\nb\n  \t\tc\n d"),
            ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"]
        );
        let greeting = [
            "e9496ae3ebfced30:1",
            "fb7c023a8b9ccb3f:1",
            "ce8ba1a563dcdaca:1",
            "e20e36e16fcb0cc8:1",
            "b3edc88f2938467e:1",
            "c8e28b0b4002a3a0:1",
            "c129715d7a2bc9a3:1",
        ];
        for text in [
            " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n",
            " hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r",
            " hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n",
            " hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n",
        ] {
            assert_eq!(of(text), greeting);
        }
        let lorem = of(&"Lorem ipsum dolor sit amet.\n".repeat(10));
        assert_eq!(lorem[5..8], ["a7f2ff13bc495cf2:6", "a7f2ff1481e87703:1", "a9cf91f7bbf1862b:1"]);
        assert_eq!(lorem.len(), 11);
    }
}

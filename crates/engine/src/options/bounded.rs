//! Readers for options that are bounded while they are read: whatever a request contains, no more is kept of it than a
//! check of the limits needs to see. The limits are checked when the options are prepared; none of them can be set above
//! what is kept here.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};

use crate::limits::RequestLimits;
use overfold_base::account::{self, ChargedText};
use overfold_base::echo;

/// The most environment variables, or options, that are kept.
pub(super) const MAX_VARIABLES: usize = highest(RequestLimits::HIGHEST_VARIABLES);
/// The most paths in a list that are kept.
pub(super) const MAX_PATHS: usize = highest(RequestLimits::HIGHEST_ENTRIES);
/// The most bytes of a path or name that are kept.
const MAX_TEXT_BYTES: usize = highest(RequestLimits::HIGHEST_PATH_BYTES);

#[expect(clippy::cast_possible_truncation, reason = "all of them are far below 2^32")]
const fn highest(value: u64) -> usize {
    value as usize
}

/// A text of which at most `MOST` bytes are kept.
pub(super) struct Text<const MOST: usize>(pub(super) String);

impl<'de, const MOST: usize> Deserialize<'de> for Text<MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Cut<const MOST: usize>;
        impl<const MOST: usize> Visitor<'_> for Cut<MOST> {
            type Value = Text<MOST>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E>(self, text: &str) -> Result<Text<MOST>, E> {
                Ok(Text(echo::beginning(text, MOST).touched().to_owned()))
            }
        }
        deserializer.deserialize_str(Cut)
    }
}

/// A path or a name. One of more than [`MAX_TEXT_BYTES`] stays longer than that, whatever character the cut falls into.
pub(super) type Name = Text<{ MAX_TEXT_BYTES + 4 }>;

/// Deserializes a path or a name that may be missing, but not `null`.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Name::deserialize(deserializer).map(|Text(text)| Some(text))
}

/// Deserializes a path or a name.
pub(super) fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Name::deserialize(deserializer).map(|Text(text)| text)
}

/// Deserializes a list of paths that may be missing, but not `null`. At most [`MAX_PATHS`] plus one are kept.
pub(super) fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    at_most(deserializer, MAX_PATHS, "a list of strings", |Text(text): Name| text).map(Some)
}

/// Deserializes a list of `what`. At most `most` plus one are kept.
pub(super) fn at_most<'de, T: Deserialize<'de>, U, D: Deserializer<'de>>(
    deserializer: D,
    most: usize,
    what: &'static str,
    convert: fn(T) -> U,
) -> Result<Vec<U>, D::Error> {
    struct List<T, U> {
        most: usize,
        what: &'static str,
        convert: fn(T) -> U,
    }
    impl<'de, T: Deserialize<'de>, U> Visitor<'de> for List<T, U> {
        type Value = Vec<U>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.what)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<U>, A::Error> {
            let mut kept = account::List::new();
            while kept.len() <= self.most {
                let Some(next) = list.next_element()? else { return Ok(kept.into_vec()) };
                account::work(1);
                kept.push((self.convert)(next));
            }
            while list.next_element::<IgnoredAny>()?.is_some() {
                account::work(1);
            }
            Ok(kept.into_vec())
        }
    }
    deserializer.deserialize_seq(List { most, what, convert })
}

/// Deserializes a list of names that may be missing, but not `null`. Repeated names are kept once.
pub(super) fn names<'de, T, D>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    T: Deserialize<'de> + PartialEq,
    D: Deserializer<'de>,
{
    struct Names<T>(Vec<T>);
    impl<'de, T: Deserialize<'de> + PartialEq> Visitor<'de> for Names<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of names")
        }

        fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Vec<T>, A::Error> {
            while let Some(next) = list.next_element()? {
                account::work(1);
                if !self.0.contains(&next) {
                    self.0.push(next);
                }
            }
            Ok(self.0)
        }
    }
    deserializer.deserialize_seq(Names(Vec::new())).map(Some)
}

//! Choices among names, such as the values of an option: each is declared once, with the names that requests and answers
//! have for it, and other words that people use.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserializer, Error, Visitor};

use crate::echo::short;
use crate::nearest::{did_you_mean, nearest};

/// Declares a choice among names once: the names as written in requests and answers, and their meanings. After `or` stand
/// other words for a name, without case and punctuation, which are suggestions only.
#[macro_export]
macro_rules! named {
    (
        $(#[$meta:meta])*
        pub enum $choice:ident {
            $($(#[$about:meta])* $variant:ident = $name:tt $(or $other:literal)*,)*
        }
    ) => {
        #[derive(serde::Serialize, $crate::openapi::ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
        $(#[$meta])*
        pub enum $choice {
            $($(#[$about])* #[serde(rename = $name)] $variant,)*
        }

        impl $choice {
            /// Names as written in requests and answers.
            pub const NAMES: &'static [(&'static str, Self)] = &[$(($name, Self::$variant),)*];

            /// Returns the name as written in requests and answers.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }

        impl $crate::choice::Choice for $choice {
            const ALL: &'static [(&'static str, Self)] = Self::NAMES;
            const SYNONYMS: &'static [(&'static str, &'static str)] = &[$($(($other, $name),)*)*];
        }

        impl<'de> serde::Deserialize<'de> for $choice {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::choice::deserialize(deserializer)
            }
        }
    };
}

/// A choice among names; [`named!`](crate::named) implements it.
pub trait Choice: Copy + 'static {
    /// The names as written in requests and answers.
    const ALL: &'static [(&'static str, Self)];
    /// Other words, and the name that each stands for.
    const SYNONYMS: &'static [(&'static str, &'static str)];

    /// Returns what has this name.
    fn with_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// Returns all names in a text, with commas between them.
    fn listed() -> String {
        Self::ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }
}

/// The maximum length of a word that is compared, in bytes.
const MAX: usize = 64;

/// Returns the name that was probably meant by a word that is none; `None` if that is not clear.
pub fn likely<T: Choice>(word: &str) -> Option<&'static str> {
    likely_of(&T::ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>(), T::SYNONYMS, word)
}

/// Does the same for these names and other words.
fn likely_of(
    names: &[&'static str],
    synonyms: &'static [(&'static str, &'static str)],
    word: &str,
) -> Option<&'static str> {
    if word.len() > MAX {
        return None;
    }
    let plain = plain(word);
    let names = || names.iter().copied();
    let same = names().find(|name| self::plain(name) == plain);
    let synonym = || synonyms.iter().find(|(other, _)| *other == plain).map(|(_, name)| *name);
    // Such as a dialect together with a version.
    let start = || {
        let is_number = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit());
        let starts = names().filter(|name| plain.strip_prefix(&self::plain(name)).is_some_and(is_number));
        starts.max_by_key(|name| name.len())
    };
    same.or_else(synonym).or_else(start).or_else(|| nearest(&word.to_lowercase(), names()))
}

/// Returns a word without case and punctuation.
fn plain(word: &str) -> String {
    word.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Deserializes a name. Written by hand because a derived reader reports `null` and numbers as malformed JSON.
///
/// # Errors
/// Fails for what is not a string, and with a suggestion for a string that is no name.
pub fn deserialize<'de, T: Choice, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    struct Name<T>(PhantomData<T>);
    impl<T: Choice> Visitor<'_> for Name<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }

        fn visit_str<E: Error>(self, name: &str) -> Result<T, E> {
            T::with_name(name).ok_or_else(|| {
                let (known, hint) = (T::listed(), did_you_mean(likely::<T>(name)));
                E::custom(format_args!("{:?} is not one of: {known}.{hint}", short(name)))
            })
        }
    }
    deserializer.deserialize_str(Name(PhantomData))
}

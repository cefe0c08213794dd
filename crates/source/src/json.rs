//! The member `files` of a request object: maps each path to text, or to `{"base64": …}`.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use super::error::{ReadError, shortened};
use super::limits::{Limit, Limits};

/// The files of a request object as written, repeated names included (a map would silently keep the last one):
/// [`super::read`] refuses them.
///
/// A problem with the files is kept until [`super::read`] instead of failing the deserialization of the object, so that
/// it remains a [`ReadError`] with its code.
#[derive(Debug, Default)]
pub struct JsonFiles {
    files: Vec<(String, Bytes)>,
    problem: Option<ReadError>,
}

impl JsonFiles {
    /// Returns a seed that enforces limits while deserializing, not only once the files are in memory.
    pub fn seed(limits: &Limits) -> JsonFilesSeed<'_> {
        JsonFilesSeed { limits: Some(limits) }
    }

    /// Returns name and content of each file, in the given order.
    pub(super) fn into_files(self) -> Result<Vec<(String, Bytes)>, ReadError> {
        match self.problem {
            None => Ok(self.files),
            Some(problem) => Err(problem),
        }
    }
}

impl<'de> Deserialize<'de> for JsonFiles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        JsonFilesSeed { limits: None }.deserialize(deserializer)
    }
}

/// Deserializes [`JsonFiles`] within limits.
#[derive(Clone, Copy, Debug)]
pub struct JsonFilesSeed<'a> {
    limits: Option<&'a Limits>,
}

impl<'de> DeserializeSeed<'de> for JsonFilesSeed<'_> {
    type Value = JsonFiles;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<JsonFiles, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for JsonFilesSeed<'_> {
    type Value = JsonFiles;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of paths and contents")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonFiles, A::Error> {
        let mut files = JsonFiles::default();
        let mut bytes = 0_u64;
        while let Some(name) = map.next_key::<String>()? {
            if files.problem.is_some() {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let content: Content = map.next_value()?;
            let Some(content) = content.0 else {
                files.problem = Some(ReadError::BadBase64 { path: shortened(name.as_bytes()) });
                continue;
            };
            bytes += content.len() as u64;
            files.problem = self.limits.and_then(|limits| {
                let over = |limit| Some(ReadError::over_limit(limit, limits, Some(name.as_bytes())));
                match () {
                    () if files.files.len() as u64 >= limits.entries => over(Limit::Entries),
                    () if content.len() as u64 > limits.file_bytes => over(Limit::FileBytes),
                    () if bytes > limits.unpacked_bytes => over(Limit::UnpackedBytes),
                    () => None,
                }
            });
            files.files.push((name, content));
        }
        Ok(files)
    }
}

/// The content of one file; `None` if it is not valid base64.
struct Content(Option<Bytes>);

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or {\"base64\": …}")
    }

    fn visit_str<E>(self, text: &str) -> Result<Content, E> {
        Ok(Content(Some(Bytes::copy_from_slice(text.as_bytes()))))
    }

    fn visit_string<E>(self, text: String) -> Result<Content, E> {
        Ok(Content(Some(Bytes::from(text))))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Content, A::Error> {
        let mut content = None;
        while let Some(field) = map.next_key::<Field>()? {
            let Field = field;
            if content.is_some() {
                return Err(A::Error::duplicate_field("base64"));
            }
            content = Some(map.next_value::<Base64>()?);
        }
        match content {
            Some(Base64(bytes)) => Ok(Content(bytes)),
            None => Err(A::Error::missing_field("base64")),
        }
    }
}

/// The only field that is allowed.
struct Field;

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Field;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("base64")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Field, E> {
                if name == "base64" { Ok(Field) } else { Err(E::unknown_field(name, &["base64"])) }
            }
        }
        deserializer.deserialize_identifier(Name)
    }
}

/// Base64 text, decoded in place so that it is not copied first (RFC 4648, section 4, with padding).
struct Base64(Option<Bytes>);

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Base64;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a Base64 string")
            }

            fn visit_str<E>(self, text: &str) -> Result<Base64, E> {
                Ok(Base64(BASE64_STANDARD.decode(text).ok().map(Bytes::from)))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

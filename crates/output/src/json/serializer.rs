//! Writes views of an answer, which are types with `Serialize`, with a [`JsonWriter`]: with its charges, and with two
//! kinds of values that serde has not: a text that is JSON already, and a value that a writer of its own streams.

use serde::ser::{Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use serde_json::Error;
use std::borrow::Cow;
use std::fmt::Display;

use super::{Container, JsonWriter};
use overfold_value::Value;

/// The names by which the serializer recognises its own kinds of values.
const TEXT: &str = "overfold::JsonText";
const STREAMED: &str = "overfold::Streamed";

/// A text that is one JSON value, which is written as it is: a number has all its digits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct JsonText<'a>(pub Cow<'a, str>);

impl JsonText<'_> {
    /// The text of null.
    pub const NULL: Self = Self(Cow::Borrowed("null"));

    /// Writes a view.
    pub(crate) fn of_view(view: &(impl Serialize + ?Sized)) -> Self {
        let mut json = JsonWriter::with_capacity(256);
        json.view(view);
        json.into_text()
    }

    /// Writes what `write` writes.
    pub(crate) fn streamed(write: impl FnOnce(&mut JsonWriter)) -> Self {
        let mut json = JsonWriter::with_capacity(32);
        write(&mut json);
        json.into_text()
    }

    /// Returns a value as JSON; `None` if it cannot be represented, because it is not wholly known.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        value.to_json().ok().map(|text| Self(text.into()))
    }
}

impl Serialize for JsonText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(TEXT, &*self.0)
    }
}

/// Stands in a view for a value with this name, which a writer of its own streams.
#[derive(Clone, Copy, Debug)]
pub struct Streamed(pub(crate) &'static str);

impl Serialize for Streamed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(STREAMED, self.0)
    }
}

/// Writes one value of a view.
struct ViewSerializer<'w> {
    json: &'w mut JsonWriter,
    stream: Stream<'w>,
    text: TextKind,
}

/// Writes a streamed value, whose name it is given.
type Stream<'w> = &'w mut dyn FnMut(&mut JsonWriter, &str);

/// What the next string is.
#[derive(Clone, Copy)]
enum TextKind {
    /// A string.
    String,
    /// JSON.
    Json,
    /// The name of a streamed value.
    Streamed,
}

impl JsonWriter {
    /// Writes a view. It must consist of what answers consist of: structs, lists, maps by name, strings, whole numbers,
    /// booleans and null.
    pub fn view(&mut self, view: &(impl Serialize + ?Sized)) {
        self.view_with(view, &mut |json, _| json.null());
    }

    /// As [`Self::view`]; `stream` writes the value in the place of each [`Streamed`], whose name it is given.
    pub(crate) fn view_with(&mut self, view: &(impl Serialize + ?Sized), stream: Stream<'_>) {
        let written = view.serialize(ViewSerializer { json: self, stream, text: TextKind::String });
        debug_assert!(written.is_ok(), "views have no other shapes");
    }
}

/// Writes the values of an object or array.
struct Members<'w> {
    inner: ViewSerializer<'w>,
    container: Container,
}

impl<'w> ViewSerializer<'w> {
    fn begin(self, container: Container) -> Members<'w> {
        self.json.begin(container);
        Members { inner: self, container }
    }
}

impl Members<'_> {
    fn value(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        let ViewSerializer { json, stream, .. } = &mut self.inner;
        value.serialize(ViewSerializer { json, stream: &mut **stream, text: TextKind::String })
    }

    fn finish(self) {
        self.inner.json.end(self.container);
    }
}

impl SerializeSeq for Members<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.value(value)
    }

    fn end(self) -> Result<(), Error> {
        self.finish();
        Ok(())
    }
}

impl SerializeMap for Members<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.value(key)?;
        self.inner.json.end_key();
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.value(value)
    }

    fn end(self) -> Result<(), Error> {
        self.finish();
        Ok(())
    }
}

impl SerializeStruct for Members<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.inner.json.plain_key(name);
        self.value(value)
    }

    fn end(self) -> Result<(), Error> {
        self.finish();
        Ok(())
    }
}

/// The error about what no view has.
fn is_not_used() -> Error {
    serde::ser::Error::custom("no view has such a value")
}

/// Numbers that are written by their text.
macro_rules! numbers {
    ($($method:ident: $type:ty),*) => {$(
        fn $method(self, number: $type) -> Result<(), Error> {
            self.json.raw(&number.to_string());
            Ok(())
        }
    )*};
}

impl<'w> Serializer for ViewSerializer<'w> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Members<'w>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Members<'w>;
    type SerializeStruct = Members<'w>;
    type SerializeStructVariant = Impossible<(), Error>;

    numbers! { serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_u64: u64 }

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.json.bool(value);
        Ok(())
    }

    fn serialize_u8(self, number: u8) -> Result<(), Error> {
        self.serialize_u32(number.into())
    }

    fn serialize_u16(self, number: u16) -> Result<(), Error> {
        self.serialize_u32(number.into())
    }

    fn serialize_u32(self, number: u32) -> Result<(), Error> {
        self.json.uint(number);
        Ok(())
    }

    fn serialize_f32(self, _number: f32) -> Result<(), Error> {
        Err(is_not_used())
    }

    fn serialize_f64(self, _number: f64) -> Result<(), Error> {
        Err(is_not_used())
    }

    fn serialize_char(self, character: char) -> Result<(), Error> {
        self.json.str(character.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        match self.text {
            TextKind::String => self.json.str(text),
            TextKind::Json => self.json.raw(text),
            TextKind::Streamed => (self.stream)(self.json, text),
        }
        Ok(())
    }

    fn serialize_bytes(self, _bytes: &[u8]) -> Result<(), Error> {
        Err(is_not_used())
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.json.null();
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<(), Error> {
        let text = match name {
            TEXT => TextKind::Json,
            STREAMED => TextKind::Streamed,
            _ => TextKind::String,
        };
        value.serialize(Self { text, ..self })
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<(), Error> {
        Err(is_not_used())
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Members<'w>, Error> {
        Ok(self.begin(Container::Array))
    }

    fn serialize_tuple(self, _length: usize) -> Result<Impossible<(), Error>, Error> {
        Err(is_not_used())
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Impossible<(), Error>, Error> {
        Err(is_not_used())
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Impossible<(), Error>, Error> {
        Err(is_not_used())
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Members<'w>, Error> {
        Ok(self.begin(Container::Object))
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Members<'w>, Error> {
        Ok(self.begin(Container::Object))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Impossible<(), Error>, Error> {
        Err(is_not_used())
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Error> {
        self.serialize_str(&value.to_string())
    }
}

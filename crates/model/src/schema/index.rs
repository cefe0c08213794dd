//! One pass over a document of schemas, which finds where each type is written and reads none of them.
//!
//! The pass knows the expected form only. A document of another form is read again, piece by piece, by what says what is
//! wrong with it ([`super::document`]); the errors of this reader mean no more than that.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::read::PROPERTY;
use overfold_base::account;

/// Where the schemas of a document are, borrowed from the text that contains the document.
///
/// Deserialising fails for anything but the expected form; the errors are not for people.
#[derive(Debug)]
pub struct SchemaIndex<'t> {
    /// The providers, in the order of the document.
    pub(super) providers: Vec<(Cow<'t, str>, ProviderIndex<'t>)>,
    extent: Extent<'t>,
}

/// Where the schemas of one provider are.
#[derive(Debug, Default)]
pub(super) struct ProviderIndex<'t> {
    pub(super) configuration: Option<&'t str>,
    pub(super) resources: Properties<'t>,
    pub(super) data_sources: Properties<'t>,
    pub(super) ephemeral_resources: Properties<'t>,
    pub(super) actions: Properties<'t>,
    pub(super) functions: Properties<'t>,
}

/// The properties of an object, with the texts of their values, in the order of the document.
pub(super) type Properties<'t> = Vec<(Cow<'t, str>, &'t str)>;

/// What the place of an object follows from.
#[derive(Clone, Copy, Debug, Default)]
struct Extent<'t> {
    /// The first name; `None` if there is none, or if it is written with escapes.
    first: Option<&'t str>,
    last: Last<'t>,
}

/// The last value of an object that is not taken apart itself, and how many objects end behind it; `None` if an object
/// that ends there is empty.
type Last<'t> = Option<(&'t str, usize)>;

impl SchemaIndex<'_> {
    /// Returns the part of `text` that is the document, from brace to brace; `None` if that cannot be told. The index has
    /// to be one of a document in `text`.
    pub(super) fn document<'d>(&self, text: &'d str) -> Option<&'d str> {
        let offset = |part: &str| (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize);
        let before_name = text.get(..offset(self.extent.first?)?)?;
        let begin = before_name.strip_suffix('"')?.trim_end().strip_suffix('{')?.len();
        let (last, ends) = self.extent.last?;
        let mut rest = text.get(offset(last)?.checked_add(last.len())?..)?;
        for _ in 0..ends {
            rest = rest.trim_start().strip_prefix('}')?;
        }
        text.get(begin..text.len() - rest.len())
    }
}

impl<'de> Deserialize<'de> for SchemaIndex<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut providers = None;
        let extent = Object(&mut Document(&mut providers)).deserialize(deserializer)?;
        let providers = providers.ok_or_else(|| D::Error::missing_field("provider_schemas"))?;
        Ok(Self { providers, extent })
    }
}

/// What takes the members of an object.
trait Taker<'de> {
    /// Takes a member, of which the value is next.
    fn take<A: MapAccess<'de>>(&mut self, name: Cow<'de, str>, map: &mut A) -> Result<Last<'de>, A::Error>;
}

/// An object, of which each member goes to a taker.
struct Object<'m, T>(&'m mut T);

impl<'de, T: Taker<'de>> DeserializeSeed<'de> for Object<'_, T> {
    type Value = Extent<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Extent<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: Taker<'de>> Visitor<'de> for Object<'_, T> {
    type Value = Extent<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Extent<'de>, A::Error> {
        let mut extent = Extent::default();
        let mut is_first = true;
        while let Some(name) = map.next_key_seed(Name)? {
            if let (true, Cow::Borrowed(name)) = (is_first, &name) {
                extent.first = Some(name);
            }
            is_first = false;
            extent.last = self.0.take(name, &mut map)?;
        }
        extent.last = extent.last.map(|(last, ends)| (last, ends + 1));
        Ok(extent)
    }
}

/// The name of a member, copied only if it is written with escapes.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cow<'de, str>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(name))
    }

    fn visit_str<E>(self, name: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}

/// Reads the next value of an object without taking it apart.
fn whole<'de, A: MapAccess<'de>>(map: &mut A) -> Result<&'de str, A::Error> {
    map.next_value::<&'de RawValue>().map(RawValue::get)
}

/// Takes the members of a document.
struct Document<'m, 'de>(&'m mut Option<Vec<(Cow<'de, str>, ProviderIndex<'de>)>>);

impl<'de> Taker<'de> for Document<'_, 'de> {
    fn take<A: MapAccess<'de>>(&mut self, name: Cow<'de, str>, map: &mut A) -> Result<Last<'de>, A::Error> {
        if name != "provider_schemas" {
            return whole(map).map(|value| Some((value, 0)));
        }
        if self.0.is_some() {
            return Err(A::Error::duplicate_field("provider_schemas"));
        }
        map.next_value_seed(Object(&mut Providers(self.0.insert(Vec::new())))).map(|extent| extent.last)
    }
}

/// Takes providers.
struct Providers<'m, 'de>(&'m mut Vec<(Cow<'de, str>, ProviderIndex<'de>)>);

impl<'de> Taker<'de> for Providers<'_, 'de> {
    fn take<A: MapAccess<'de>>(&mut self, address: Cow<'de, str>, map: &mut A) -> Result<Last<'de>, A::Error> {
        account::build(2, (address.len() + PROPERTY + size_of::<ProviderIndex<'_>>()) as u64);
        let mut provider = Provider::default();
        let extent = map.next_value_seed(Object(&mut provider))?;
        self.0.push((address, provider.index));
        Ok(extent.last)
    }
}

/// Takes the members of a provider.
#[derive(Default)]
struct Provider<'de> {
    index: ProviderIndex<'de>,
    /// Which members there were.
    seen: [bool; 6],
}

impl<'de> Taker<'de> for Provider<'de> {
    fn take<A: MapAccess<'de>>(&mut self, name: Cow<'de, str>, map: &mut A) -> Result<Last<'de>, A::Error> {
        let index = &mut self.index;
        let [provider, resources, data_sources, ephemeral_resources, actions, functions] = &mut self.seen;
        let (properties, seen) = match &*name {
            "provider" => {
                let value = whole(map)?;
                index.configuration = Some(value).filter(|value| *value != "null");
                return if std::mem::replace(provider, true) {
                    Err(A::Error::duplicate_field("provider"))
                } else {
                    Ok(Some((value, 0)))
                };
            }
            "resource_schemas" => (&mut index.resources, resources),
            "data_source_schemas" => (&mut index.data_sources, data_sources),
            "ephemeral_resource_schemas" => (&mut index.ephemeral_resources, ephemeral_resources),
            "action_schemas" => (&mut index.actions, actions),
            "functions" => (&mut index.functions, functions),
            _ => return whole(map).map(|value| Some((value, 0))),
        };
        if std::mem::replace(seen, true) {
            return Err(A::Error::custom("a member is there twice"));
        }
        map.next_value_seed(Object(&mut Types(properties))).map(|extent| extent.last)
    }
}

/// Takes types, or functions.
struct Types<'m, 'de>(&'m mut Properties<'de>);

impl<'de> Taker<'de> for Types<'_, 'de> {
    fn take<A: MapAccess<'de>>(&mut self, name: Cow<'de, str>, map: &mut A) -> Result<Last<'de>, A::Error> {
        let value = whole(map)?;
        // Before the next one is read: a document may have millions.
        account::build(2, (name.len() + PROPERTY) as u64);
        self.0.push((name, value));
        Ok(Some((value, 0)))
    }
}

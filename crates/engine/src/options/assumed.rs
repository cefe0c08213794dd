//! What is known of resources and data sources.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::options::bounded::{MAX_PATHS, Name, Text};
use overfold_base::account;
use overfold_base::echo::short;

/// Addresses, and for each the JSON text of the attributes, neither of which has been checked; a repeated address is an
/// error. One more than a request may have are kept at most.
#[derive(Clone, Debug, Default)]
pub struct Assumed(pub BTreeMap<String, Box<RawValue>>);

impl<'de> Deserialize<'de> for Assumed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Assumed;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of attributes by address")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Assumed, A::Error> {
                let mut entries = BTreeMap::new();
                while let Some(Text(address)) = map.next_key::<Name>()? {
                    account::work(2);
                    if entries.contains_key(&address) {
                        return Err(A::Error::custom(format_args!("duplicate key {:?}", short(&address))));
                    }
                    if entries.len() > MAX_PATHS {
                        map.next_value::<IgnoredAny>()?;
                        continue;
                    }
                    let attributes: Box<RawValue> = map.next_value()?;
                    account::touch(address.len() + attributes.get().len());
                    account::grow((2 * address.len() + attributes.get().len() + 64) as u64);
                    entries.insert(address, attributes);
                }
                Ok(Assumed(entries))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

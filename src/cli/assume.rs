//! `--assume`: what is known of resources and data sources, in files and attribute by attribute.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;

use super::{Failure, schemas};
use crate::settings::LimitSettings;
use overfold_engine::options::Assumed;
use overfold_model::language::addresses;

/// What one `--assume` says.
#[derive(Clone, Debug)]
pub(super) enum Assumption {
    /// A file with a JSON object of addresses, each with an object of attributes.
    File(PathBuf),
    /// One attribute.
    Attribute {
        /// The address of the resource or data source, in canonical form.
        address: String,
        /// The attribute.
        name: String,
        /// Its value.
        json: Box<RawValue>,
    },
}

/// Reads the argument of an option: `ADDRESS.ATTRIBUTE=JSON`, or else the name of a file.
///
/// # Errors
/// Says what is wrong with what is not the name of a file either.
pub(super) fn assumption(text: &str) -> Result<Assumption, String> {
    let Some((left, json)) = split_outside(text, b'=', true) else { return Ok(Assumption::File(text.into())) };
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let parts = split_outside(left.trim(), b'.', false).filter(|(_, name)| !name.is_empty() && is_name(name));
    let read = parts.and_then(|(address, name)| Some((addresses::of_text(address)?, name)));
    let Some((target, name)) = read.filter(|(target, _)| target.resource.is_some()) else {
        if Path::new(text).is_file() {
            return Ok(Assumption::File(text.into()));
        }
        return Err(
            "it is neither a file nor ADDRESS.ATTRIBUTE=JSON, such as 'data.aws_ami.base.id=\"ami-1\"'".to_owned()
        );
    };
    let json = serde_json::from_str(json).map_err(|error| {
        format!("the value of {left} is not JSON ({error}); a text needs quotes, as in '{left}=\"text\"'")
    })?;
    Ok(Assumption::Attribute { address: target.to_string(), name: name.to_owned(), json })
}

/// Splits a text at the first or the last separator that is in no brackets and no quotes.
fn split_outside(text: &str, separator: u8, first: bool) -> Option<(&str, &str)> {
    let (mut depth, mut quoted, mut escaped, mut found) = (0_usize, false, false, None);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            _ if byte == separator && depth == 0 => {
                found = Some(at);
                if first {
                    break;
                }
            }
            _ => {}
        }
    }
    let at = found?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Returns all that is said. Of several values of one attribute, the last counts, and what is given attribute by attribute
/// comes before files.
///
/// # Errors
/// Fails if a file cannot be read.
pub(super) fn all(given: &[Assumption], limits: &LimitSettings) -> Result<Option<Assumed>, Failure> {
    let mut all: BTreeMap<String, Box<RawValue>> = BTreeMap::new();
    for assumption in given {
        if let Assumption::File(path) = assumption {
            for (address, attributes) in file(path, limits)?.0 {
                // One that is no address is refused later.
                let address = addresses::of_text(&address).map_or(address, |target| target.to_string());
                add(&mut all, address, attributes);
            }
        }
    }
    for assumption in given {
        if let Assumption::Attribute { address, name, json } = assumption {
            let object = BTreeMap::from([(name.clone(), json.clone())]);
            if let Ok(object) = serde_json::value::to_raw_value(&object) {
                add(&mut all, address.clone(), object);
            }
        }
    }
    Ok((!all.is_empty()).then_some(Assumed(all)))
}

/// Adds attributes of an object.
fn add(all: &mut BTreeMap<String, Box<RawValue>>, address: String, attributes: Box<RawValue>) {
    type Attributes = BTreeMap<String, Box<RawValue>>;
    let both = all.get(&address).and_then(|known| {
        let mut known: Attributes = serde_json::from_str(known.get()).ok()?;
        known.extend(serde_json::from_str::<Attributes>(attributes.get()).ok()?);
        serde_json::value::to_raw_value(&known).ok()
    });
    all.insert(address, both.unwrap_or(attributes));
}

/// Reads a file.
fn file(path: &Path, limits: &LimitSettings) -> Result<Assumed, Failure> {
    let bytes = schemas::read_file("--assume", path, limits)?;
    let reader = || serde_json::from_slice(&bytes);
    super::under_account(limits, reader)?
        .map_err(|error| Failure::Message(format!("--assume {}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::{Assumption, assumption};

    #[test]
    fn an_attribute_of_an_address_is_told_from_a_file() {
        for (text, address, name) in [
            ("data.a_b.c.id=\"x=y\"", "data.a_b.c", "id"),
            ("a_b.c[0].n=1", "a_b.c[0]", "n"),
            ("module.m[\"k=.]\"].a_b.c[\"x\"].ids=[]", "module.m[\"k=.]\"].a_b.c[\"x\"]", "ids"),
        ] {
            match assumption(text) {
                Ok(Assumption::Attribute { address: found, name: own, .. }) => {
                    assert_eq!((&*found, &*own), (address, name));
                }
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(matches!(assumption("known.json"), Ok(Assumption::File(_))));
        for text in ["a_b.c.id=ami-1", "a_b.id=1", "module.m.id=1", "a=b", "a_b.c.id="] {
            assert!(assumption(text).is_err(), "{text}");
        }
    }
}

//! Schemas in JSON.
//!
//! A block is read level by level: what is inside of nested blocks stays text until they are read, so that schemas may be
//! nested deeper than `serde_json` recurses.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::body::{AttributeSchema, BodySchema, NestedBlock, NestedObject, Nesting, Shape};
use super::function::{FunctionParameter, FunctionSignature};
use overfold_base::account::{self, ChargedText};
use overfold_value::{AttributeType, Type, with_stack};

/// How deep blocks and nested objects may be inside each other: deeper than in any schema, but not so deep that a schema
/// could not be dropped on any thread.
const MAX_DEPTH: u32 = 250;

/// The properties of a JSON object, whose values are not read yet.
#[derive(Default)]
pub(super) struct Properties<'t>(pub(super) BTreeMap<String, &'t RawValue>);

/// The bytes that a property costs beside its name.
pub(super) const PROPERTY: usize = size_of::<(String, &RawValue)>() + 32;

impl<'t, 'de: 't> Deserialize<'de> for Properties<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = BTreeMap<String, &'de RawValue>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = BTreeMap::new();
                while let Some((name, value)) = map.next_entry::<String, &'de RawValue>()? {
                    // Before the next one is read: a document may have millions.
                    account::build(2, (name.len() + PROPERTY) as u64);
                    pairs.insert(name, value);
                }
                Ok(pairs)
            }
        }
        deserializer.deserialize_map(Pairs).map(Self)
    }
}

#[derive(Deserialize)]
struct SchemaDocument<'t> {
    #[serde(borrow)]
    block: Option<&'t RawValue>,
    #[serde(default)]
    version: u64,
}

#[derive(Deserialize)]
struct BlockDocument<'t> {
    #[serde(borrow, default)]
    attributes: Properties<'t>,
    #[serde(borrow, default)]
    block_types: Properties<'t>,
    #[serde(default)]
    deprecated: bool,
}

#[derive(Deserialize)]
struct NestedBlockDocument<'t> {
    nesting_mode: NestingDocument,
    #[serde(default)]
    min_items: u64,
    #[serde(default)]
    max_items: u64,
    #[serde(borrow)]
    block: Option<&'t RawValue>,
}

#[derive(Deserialize)]
struct AttributeDocument<'t> {
    #[serde(rename = "type")]
    ty: Option<TypeDocument>,
    #[serde(borrow)]
    nested_type: Option<&'t RawValue>,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    optional: bool,
    #[serde(default)]
    computed: bool,
    #[serde(default)]
    sensitive: bool,
    #[serde(default)]
    deprecated: bool,
    #[serde(default)]
    write_only: bool,
}

#[derive(Deserialize)]
struct NestedTypeDocument<'t> {
    nesting_mode: NestingDocument,
    #[serde(borrow, default)]
    attributes: Properties<'t>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum NestingDocument {
    Single,
    Group,
    List,
    Set,
    Map,
}

impl From<NestingDocument> for Nesting {
    fn from(nesting: NestingDocument) -> Self {
        match nesting {
            NestingDocument::Single => Self::Single,
            NestingDocument::Group => Self::Group,
            NestingDocument::List => Self::List,
            NestingDocument::Set => Self::Set,
            NestingDocument::Map => Self::Map,
        }
    }
}

#[derive(Deserialize)]
struct FunctionDocument {
    #[serde(default)]
    parameters: Vec<ParameterDocument>,
    variadic_parameter: Option<ParameterDocument>,
    return_type: TypeDocument,
}

#[derive(Deserialize)]
struct ParameterDocument {
    #[serde(default)]
    name: String,
    #[serde(rename = "type")]
    ty: TypeDocument,
    #[serde(default)]
    is_nullable: bool,
}

/// Reads the schema of a provider block or of a type: an object with the property `block`.
pub(super) fn schema(text: &str) -> Result<BodySchema, serde_json::Error> {
    let document: SchemaDocument<'_> = serde_json::from_str(text.scanned(21))?;
    let mut schema = body(document.block, 0)?;
    schema.version = document.version;
    Ok(schema)
}

/// Reads the schema of a function.
pub(super) fn function(text: &str) -> Result<FunctionSignature, serde_json::Error> {
    let document: FunctionDocument = serde_json::from_str(text.scanned(32))?;
    Ok(FunctionSignature {
        parameters: document.parameters.into_iter().map(parameter).collect(),
        variadic: document.variadic_parameter.map(parameter),
        result: document.return_type.0,
    })
}

fn parameter(document: ParameterDocument) -> FunctionParameter {
    FunctionParameter { name: document.name, ty: document.ty.0, takes_null: document.is_nullable }
}

fn body(block: Option<&RawValue>, depth: u32) -> Result<BodySchema, serde_json::Error> {
    let Some(block) = block else { return Ok(BodySchema::default()) };
    within_limit(depth)?;
    account::touch(block.get().len() * 3);
    let document: BlockDocument<'_> = serde_json::from_str(block.get())?;
    with_stack(|| {
        let mut blocks = BTreeMap::new();
        for (name, text) in document.block_types.0 {
            charge(&name, text);
            let document: NestedBlockDocument<'_> = serde_json::from_str(text.get())?;
            let body = body(document.block, depth + 1)?;
            let nesting = document.nesting_mode.into();
            let (min_items, max_items) = (document.min_items, document.max_items);
            blocks.insert(Arc::from(name), NestedBlock { nesting, min_items, max_items, body });
        }
        Ok(BodySchema::new(attributes(document.attributes, depth)?, blocks, document.deprecated))
    })
}

fn attributes(
    documents: Properties<'_>,
    depth: u32,
) -> Result<BTreeMap<Arc<str>, AttributeSchema>, serde_json::Error> {
    let mut attributes = BTreeMap::new();
    for (name, text) in documents.0 {
        charge(&name, text);
        let document: AttributeDocument<'_> = serde_json::from_str(text.get())?;
        let shape = match (document.nested_type, document.ty) {
            (Some(nested), _) => Shape::Nested(with_stack(|| nested_type(nested, depth + 1))?),
            (None, Some(ty)) => Shape::Type(ty.0),
            (None, None) => return Err(de::Error::missing_field("type")),
        };
        let attribute = AttributeSchema {
            required: document.required,
            optional: document.optional,
            computed: document.computed,
            sensitive: document.sensitive,
            deprecated: document.deprecated,
            write_only: document.write_only,
            ..AttributeSchema::new(shape)
        };
        attributes.insert(Arc::from(name), attribute);
    }
    Ok(attributes)
}

fn nested_type(text: &RawValue, depth: u32) -> Result<NestedObject, serde_json::Error> {
    within_limit(depth)?;
    account::touch(text.get().len());
    let document: NestedTypeDocument<'_> = serde_json::from_str(text.get())?;
    let nesting = match document.nesting_mode.into() {
        // No attribute is always there.
        Nesting::Group => Nesting::Single,
        nesting => nesting,
    };
    Ok(NestedObject::new(nesting, attributes(document.attributes, depth)?))
}

fn within_limit(depth: u32) -> Result<(), serde_json::Error> {
    if depth > MAX_DEPTH { Err(de::Error::custom("the schema is nested too deeply")) } else { Ok(()) }
}

/// Charges for a named part of a schema: reading its text, and what is made of it.
fn charge(name: &str, text: &RawValue) {
    account::touch(text.get().len());
    account::build(4, (name.len() + size_of::<AttributeSchema>() + size_of::<NestedBlock>()) as u64);
}

/// A type, written as a word or as an array that begins with one.
struct TypeDocument(Type);

impl<'de> Deserialize<'de> for TypeDocument {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TypeVisitor).map(TypeDocument)
    }
}

struct TypeVisitor;

impl<'de> Visitor<'de> for TypeVisitor {
    type Value = Type;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a type, such as \"string\" or [\"list\", \"string\"]")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<Type, E> {
        match word {
            "string" => Ok(Type::String),
            "number" => Ok(Type::Number),
            "bool" => Ok(Type::Bool),
            "dynamic" => Ok(Type::Dynamic),
            other => Err(E::invalid_value(de::Unexpected::Str(other), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Type, A::Error> {
        let wrong = |seen| de::Error::invalid_length(seen, &"a type constructor and what it needs");
        let word: String = parts.next_element()?.ok_or_else(|| wrong(0))?;
        let ty = match &*word {
            "list" | "set" | "map" => {
                let TypeDocument(element) = parts.next_element()?.ok_or_else(|| wrong(1))?;
                match &*word {
                    "list" => Type::list(element),
                    "set" => Type::set(element),
                    _ => Type::map(element),
                }
            }
            "tuple" => {
                let elements: Vec<TypeDocument> = parts.next_element()?.ok_or_else(|| wrong(1))?;
                Type::tuple(elements.into_iter().map(|element| element.0).collect())
            }
            "object" => {
                let attributes: BTreeMap<String, TypeDocument> = parts.next_element()?.ok_or_else(|| wrong(1))?;
                let optional: Vec<String> = parts.next_element()?.unwrap_or_default();
                account::work((attributes.len() * (optional.len() + 1)) as u64);
                let attributes = attributes.into_iter().map(|(name, ty)| AttributeType {
                    optional: optional.contains(&name),
                    ..AttributeType::new(name, ty.0)
                });
                Type::object(attributes.collect())
            }
            other => return Err(de::Error::invalid_value(de::Unexpected::Str(other), &self)),
        };
        match parts.next_element::<de::IgnoredAny>()? {
            None => Ok(ty),
            Some(_) => Err(wrong(4)),
        }
    }
}

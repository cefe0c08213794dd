//! Types of values, and type constraints (types in which [`Type::Dynamic`] means "any").

use std::fmt::{self, Write as _};
use std::sync::{Arc, OnceLock};

use super::data::sorting;
use super::with_stack;
use overfold_base::account;

/// The type of a value, or a constraint on types.
#[derive(Clone, Debug)]
pub enum Type {
    /// Not known yet; in a constraint, any type.
    Dynamic,
    /// Text.
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// A sequence of elements of one type.
    List(Arc<ElementType>),
    /// Elements of one type, without duplicates, in set order.
    Set(Arc<ElementType>),
    /// A mapping from text keys to elements of one type.
    Map(Arc<ElementType>),
    /// A sequence with a type for each position.
    Tuple(Arc<TupleType>),
    /// A mapping from names to values, with a type for each name.
    Object(Arc<ObjectType>),
}

/// Facts about a type that are available without walking it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Facts {
    depth: u32,
    dynamic: bool,
    optional: bool,
    /// A hash that is equal for equal types.
    hash: u64,
}

/// Charges for a type with this number of parts.
fn charge_parts(parts: usize) {
    account::build(parts as u64 + 1, (parts as u64 + 1) * size_of::<AttributeType>() as u64);
}

const fn mix(hash: u64, with: u64) -> u64 {
    (hash.rotate_left(5) ^ with).wrapping_mul(0x517c_c1b7_2722_0a95)
}

fn mix_text(hash: u64, text: &str) -> u64 {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let hash = words.iter().fold(mix(hash, text.len() as u64), |hash, word| mix(hash, u64::from_le_bytes(*word)));
    rest.iter().fold(hash, |hash, byte| mix(hash, u64::from(*byte)))
}

impl Facts {
    fn new<'a>(kind: u64, types: impl Iterator<Item = &'a Type>) -> Self {
        let mut facts = Self { hash: kind, ..Self::default() };
        for ty in types {
            let inner = ty.facts();
            facts.depth = facts.depth.max(inner.depth);
            facts.dynamic |= inner.dynamic;
            facts.optional |= inner.optional;
            facts.hash = mix(facts.hash, inner.hash);
        }
        facts.depth += 1;
        facts
    }
}

/// The type with every attribute required, computed on first use and shared by the types that contain it.
type Required = OnceLock<Type>;

/// The element type of a list, set or map.
#[derive(Debug)]
pub struct ElementType {
    element: Type,
    facts: Facts,
    required: Required,
}

/// The types of the positions of a tuple.
#[derive(Debug)]
pub struct TupleType {
    elements: Vec<Type>,
    facts: Facts,
    required: Required,
}

/// The attributes of an object type, sorted by name (bytes), without duplicate names.
#[derive(Debug)]
pub struct ObjectType {
    attributes: Vec<AttributeType>,
    facts: Facts,
    required: Required,
}

/// An attribute of an object type.
#[derive(Clone, Debug)]
pub struct AttributeType {
    /// The name, NFC-normalised.
    pub name: Arc<str>,
    /// The type of the attribute.
    pub ty: Type,
    /// Whether a value may lack the attribute. Only in constraints; the type of a value has no optional attributes.
    pub optional: bool,
}

impl AttributeType {
    /// Creates an attribute that every value must have.
    pub fn new(name: impl Into<Arc<str>>, ty: Type) -> Self {
        Self { name: name.into(), ty, optional: false }
    }
}

impl ObjectType {
    /// Returns the attributes, sorted by name.
    pub fn attributes(&self) -> &[AttributeType] {
        &self.attributes
    }

    /// Returns the attribute with this name.
    pub fn get(&self, name: &str) -> Option<&AttributeType> {
        let at = self.attributes.binary_search_by(|attribute| (*attribute.name).cmp(name)).ok()?;
        self.attributes.get(at)
    }
}

impl Type {
    /// Creates the type of a list of `element`.
    pub fn list(element: Self) -> Self {
        Self::List(ElementType::new(5, element))
    }

    /// Creates the type of a set of `element`.
    pub fn set(element: Self) -> Self {
        Self::Set(ElementType::new(6, element))
    }

    /// Creates the type of a map of `element`.
    pub fn map(element: Self) -> Self {
        Self::Map(ElementType::new(7, element))
    }

    /// Creates a tuple type.
    pub fn tuple(elements: Vec<Self>) -> Self {
        charge_parts(elements.len());
        let facts = Facts::new(8, elements.iter());
        Self::Tuple(Arc::new(TupleType { elements, facts, required: Required::new() }))
    }

    /// Creates an object type; attributes may come in any order, and of two with the same name the later one wins.
    pub fn object(mut attributes: Vec<AttributeType>) -> Self {
        charge_parts(attributes.len());
        account::work(attributes.iter().map(|attribute| attribute.name.len() as u64 / 24).sum());
        if !attributes.is_sorted_by(|a, b| a.name < b.name) {
            account::work(sorting(attributes.len()));
            // A stable sort, then only the last of each run of equal names is kept.
            attributes.sort_by(|a, b| a.name.cmp(&b.name));
            attributes.reverse();
            attributes.dedup_by(|a, b| a.name == b.name);
            attributes.reverse();
        }
        let mut facts = Facts::new(9, attributes.iter().map(|attribute| &attribute.ty));
        for attribute in &attributes {
            facts.optional |= attribute.optional;
            facts.hash = mix_text(mix(facts.hash, u64::from(attribute.optional)), &attribute.name);
        }
        Self::Object(Arc::new(ObjectType { attributes, facts, required: Required::new() }))
    }

    /// Returns the element type of a list, set or map.
    pub fn element(&self) -> Option<&Self> {
        match self {
            Self::List(of) | Self::Set(of) | Self::Map(of) => Some(&of.element),
            _ => None,
        }
    }

    /// Returns the types of the positions, if this is a tuple type.
    pub fn as_tuple(&self) -> Option<&[Self]> {
        match self {
            Self::Tuple(tuple) => Some(&tuple.elements),
            _ => None,
        }
    }

    /// Returns the types of the positions of a tuple. No other type has any.
    pub fn tuple_elements(&self) -> &[Self] {
        self.as_tuple().unwrap_or_default()
    }

    /// Returns the attributes, sorted by name, if this is an object type.
    pub fn as_object(&self) -> Option<&[AttributeType]> {
        match self {
            Self::Object(object) => Some(&object.attributes),
            _ => None,
        }
    }

    /// Returns the attributes of an object type, sorted by name. No other type has any.
    pub fn attributes(&self) -> &[AttributeType] {
        self.as_object().unwrap_or_default()
    }

    /// Returns the attribute with this name, if this is an object type.
    pub fn attribute(&self, name: &str) -> Option<&AttributeType> {
        match self {
            Self::Object(object) => object.get(name),
            _ => None,
        }
    }

    /// Returns whether this is a string, number or bool.
    pub const fn is_primitive(&self) -> bool {
        matches!(self, Self::String | Self::Number | Self::Bool)
    }

    /// Returns whether this is a list, set or map.
    pub const fn is_collection(&self) -> bool {
        matches!(self, Self::List(_) | Self::Set(_) | Self::Map(_))
    }

    /// Returns whether this is dynamic: not known yet, or any.
    pub const fn is_dynamic(&self) -> bool {
        matches!(self, Self::Dynamic)
    }

    /// Returns whether this is dynamic or has a dynamic part.
    pub fn has_dynamic(&self) -> bool {
        self.facts().dynamic
    }

    /// Returns whether any object type in it has optional attributes.
    pub fn has_optional(&self) -> bool {
        self.facts().optional
    }

    /// Returns the number of nesting levels: 0 for a primitive type.
    pub fn depth(&self) -> u32 {
        self.facts().depth
    }

    /// Returns a hash that is equal for equal types, and the same in every run.
    pub(super) fn shape_hash(&self) -> u64 {
        self.facts().hash
    }

    fn facts(&self) -> Facts {
        match self {
            Self::Dynamic => Facts { dynamic: true, hash: 1, ..Facts::default() },
            Self::String => Facts { hash: 2, ..Facts::default() },
            Self::Number => Facts { hash: 3, ..Facts::default() },
            Self::Bool => Facts { hash: 4, ..Facts::default() },
            Self::List(of) | Self::Set(of) | Self::Map(of) => of.facts,
            Self::Tuple(tuple) => tuple.facts,
            Self::Object(object) => object.facts,
        }
    }

    /// Returns the type with every attribute required, which is the type of the values converted to this constraint.
    #[must_use]
    pub fn without_optional(&self) -> Self {
        if !self.has_optional() {
            return self.clone();
        }
        let required = match self {
            Self::List(of) | Self::Set(of) | Self::Map(of) => &of.required,
            Self::Tuple(tuple) => &tuple.required,
            Self::Object(object) => &object.required,
            other => return other.clone(),
        };
        let build = || {
            with_stack(|| match self {
                Self::List(of) => Self::list(of.element.without_optional()),
                Self::Set(of) => Self::set(of.element.without_optional()),
                Self::Map(of) => Self::map(of.element.without_optional()),
                Self::Tuple(tuple) => Self::tuple(tuple.elements.iter().map(Self::without_optional).collect()),
                Self::Object(object) => Self::object(
                    object
                        .attributes
                        .iter()
                        .map(|a| AttributeType { name: a.name.clone(), ty: a.ty.without_optional(), optional: false })
                        .collect(),
                ),
                other => other.clone(),
            })
        };
        required.get_or_init(build).clone()
    }

    /// Returns whether values of this type satisfy `constraint`, whose dynamic parts accept anything.
    pub fn conforms_to(&self, constraint: &Self) -> bool {
        account::work(1);
        if constraint.is_dynamic() {
            return true;
        }
        with_stack(|| match (self, constraint) {
            (Self::List(a), Self::List(b)) | (Self::Set(a), Self::Set(b)) | (Self::Map(a), Self::Map(b)) => {
                a.element.conforms_to(&b.element)
            }
            (Self::Tuple(a), Self::Tuple(b)) => {
                a.elements.len() == b.elements.len()
                    && a.elements.iter().zip(&b.elements).all(|(a, b)| a.conforms_to(b))
            }
            (Self::Object(a), Self::Object(b)) => {
                a.attributes.iter().all(|attribute| b.get(&attribute.name).is_some())
                    && b.attributes.iter().all(|wanted| {
                        a.get(&wanted.name).map_or(wanted.optional, |given| given.ty.conforms_to(&wanted.ty))
                    })
            }
            _ => self == constraint,
        })
    }

    /// Returns the name used in messages: `string`, `list of number`, `object`.
    pub fn friendly_name(&self) -> String {
        let mut out = String::new();
        let mut ty = self;
        for _ in 0..8 {
            out.push_str(match ty {
                Self::Dynamic => "a value of any type",
                Self::String => "string",
                Self::Number => "number",
                Self::Bool => "bool",
                Self::List(_) => "list of ",
                Self::Set(_) => "set of ",
                Self::Map(_) => "map of ",
                Self::Tuple(_) => "tuple",
                Self::Object(_) => "object",
            });
            match ty.element() {
                Some(element) => ty = element,
                None => return out,
            }
        }
        out.push('…');
        out
    }

    /// Returns the type in cty's JSON form: `"string"`, `["list","number"]`, `["object",{…}]`,
    /// `["object",{…},["optional"]]`.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }

    /// Appends the type in cty's JSON form.
    pub fn write_json(&self, out: &mut String) {
        account::build(1, 8);
        let mut one = |kind: &str, element: &Self| {
            let _ = write!(out, "[\"{kind}\",");
            with_stack(|| element.write_json(out));
            out.push(']');
        };
        match self {
            Self::Dynamic => out.push_str("\"dynamic\""),
            Self::String => out.push_str("\"string\""),
            Self::Number => out.push_str("\"number\""),
            Self::Bool => out.push_str("\"bool\""),
            Self::List(of) => one("list", &of.element),
            Self::Set(of) => one("set", &of.element),
            Self::Map(of) => one("map", &of.element),
            Self::Tuple(tuple) => {
                out.push_str("[\"tuple\",[");
                for (index, element) in tuple.elements.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    with_stack(|| element.write_json(out));
                }
                out.push_str("]]");
            }
            Self::Object(object) => {
                out.push_str("[\"object\",{");
                for (index, attribute) in object.attributes.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    super::json::write_text(&attribute.name, out);
                    out.push(':');
                    with_stack(|| attribute.ty.write_json(out));
                }
                out.push('}');
                let mut optional = object.attributes.iter().filter(|attribute| attribute.optional).peekable();
                if optional.peek().is_some() {
                    out.push_str(",[");
                    for (index, attribute) in optional.enumerate() {
                        if index > 0 {
                            out.push(',');
                        }
                        super::json::write_text(&attribute.name, out);
                    }
                    out.push(']');
                }
                out.push(']');
            }
        }
    }
}

/// Formats the constraint as the tool prints it: `list(string)`, `object({a=number,b=optional(string)})`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        account::build(1, 8);
        with_stack(|| match self {
            Self::Dynamic => f.write_str("any"),
            Self::String => f.write_str("string"),
            Self::Number => f.write_str("number"),
            Self::Bool => f.write_str("bool"),
            Self::List(of) => write!(f, "list({})", of.element),
            Self::Set(of) => write!(f, "set({})", of.element),
            Self::Map(of) => write!(f, "map({})", of.element),
            Self::Tuple(tuple) => {
                f.write_str("tuple([")?;
                for (index, element) in tuple.elements.iter().enumerate() {
                    if index > 0 {
                        f.write_str(",")?;
                    }
                    element.fmt(f)?;
                }
                f.write_str("])")
            }
            Self::Object(object) => {
                f.write_str("object({")?;
                for (index, attribute) in object.attributes.iter().enumerate() {
                    if index > 0 {
                        f.write_str(",")?;
                    }
                    f.write_str(&attribute.name)?;
                    f.write_str("=")?;
                    if attribute.optional {
                        write!(f, "optional({})", attribute.ty)?;
                    } else {
                        attribute.ty.fmt(f)?;
                    }
                }
                f.write_str("})")
            }
        })
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Self) -> bool {
        account::work(1);
        match (self, other) {
            (Self::Dynamic, Self::Dynamic)
            | (Self::String, Self::String)
            | (Self::Number, Self::Number)
            | (Self::Bool, Self::Bool) => true,
            (Self::List(a), Self::List(b)) | (Self::Set(a), Self::Set(b)) | (Self::Map(a), Self::Map(b)) => {
                Arc::ptr_eq(a, b) || a.facts == b.facts && with_stack(|| a.element == b.element)
            }
            (Self::Tuple(a), Self::Tuple(b)) => {
                Arc::ptr_eq(a, b) || a.facts == b.facts && with_stack(|| a.elements == b.elements)
            }
            (Self::Object(a), Self::Object(b)) => {
                Arc::ptr_eq(a, b)
                    || a.facts == b.facts
                        && a.attributes.len() == b.attributes.len()
                        && with_stack(|| {
                            a.attributes
                                .iter()
                                .zip(&b.attributes)
                                .all(|(a, b)| a.name == b.name && a.optional == b.optional && a.ty == b.ty)
                        })
            }
            _ => false,
        }
    }
}

impl Eq for Type {}

impl ElementType {
    fn new(kind: u64, element: Type) -> Arc<Self> {
        charge_parts(1);
        let facts = Facts::new(kind, std::iter::once(&element));
        Arc::new(Self { element, facts, required: Required::new() })
    }
}

/// The depth beyond which types are dropped level by level, without recursion.
const DROP_DEPTH: u32 = 64;

fn dismantle(mut todo: Vec<Type>) {
    while let Some(ty) = todo.pop() {
        match ty {
            Type::List(of) | Type::Set(of) | Type::Map(of) => {
                if let Some(mut of) = Arc::into_inner(of) {
                    todo.push(std::mem::replace(&mut of.element, Type::Dynamic));
                }
            }
            Type::Tuple(tuple) => {
                if let Some(mut tuple) = Arc::into_inner(tuple) {
                    todo.append(&mut tuple.elements);
                }
            }
            Type::Object(object) => {
                if let Some(mut object) = Arc::into_inner(object) {
                    todo.extend(std::mem::take(&mut object.attributes).into_iter().map(|attribute| attribute.ty));
                }
            }
            Type::Dynamic | Type::String | Type::Number | Type::Bool => {}
        }
    }
}

impl Drop for ElementType {
    fn drop(&mut self) {
        if self.facts.depth > DROP_DEPTH {
            dismantle(vec![std::mem::replace(&mut self.element, Type::Dynamic)]);
        }
    }
}

impl Drop for TupleType {
    fn drop(&mut self) {
        if self.facts.depth > DROP_DEPTH {
            dismantle(std::mem::take(&mut self.elements));
        }
    }
}

impl Drop for ObjectType {
    fn drop(&mut self) {
        if self.facts.depth > DROP_DEPTH {
            dismantle(std::mem::take(&mut self.attributes).into_iter().map(|attribute| attribute.ty).collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(attributes: &[(&str, Type, bool)]) -> Type {
        Type::object(
            attributes
                .iter()
                .map(|(name, ty, optional)| AttributeType {
                    name: (*name).into(),
                    ty: ty.clone(),
                    optional: *optional,
                })
                .collect(),
        )
    }

    #[test]
    fn prints_constraints_and_json() {
        let ty = object(&[
            ("b", Type::list(Type::String), true),
            ("a", Type::tuple(vec![Type::Number, Type::Dynamic]), false),
        ]);
        assert_eq!(ty.to_string(), "object({a=tuple([number,any]),b=optional(list(string))})");
        assert_eq!(ty.to_json(), r#"["object",{"a":["tuple",["number","dynamic"]],"b":["list","string"]},["b"]]"#);
        assert_eq!(ty.without_optional().to_string(), "object({a=tuple([number,any]),b=list(string)})");
        assert!(ty.has_dynamic() && ty.has_optional());
        assert_eq!(Type::map(Type::set(Type::Bool)).friendly_name(), "map of set of bool");
    }

    #[test]
    fn later_attribute_of_a_name_counts() {
        let ty = object(&[("b", Type::Bool, false), ("a", Type::String, false), ("b", Type::Number, false)]);
        assert_eq!(ty.to_string(), "object({a=string,b=number})");
    }

    #[test]
    fn deep_types_do_not_need_a_deep_stack() {
        let deep = |levels: usize| (0..levels).fold(Type::String, |ty, _| Type::list(Type::tuple(vec![ty])));
        let (a, b) = (deep(100_000), deep(100_000));
        assert_eq!(a, b);
        assert!(a.conforms_to(&b));
        assert_eq!(a.to_json().len(), b.to_json().len());
    }
}

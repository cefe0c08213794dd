//! What the body of a block may contain, and the types of the values that it is made of.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use overfold_base::account::{self, ChargedIterator};
use overfold_value::{AttributeType, Type, with_stack};

/// The schema of a body: of a resource, a provider block, or a nested block.
#[derive(Debug, Default)]
pub struct BodySchema {
    /// The attributes, by name.
    pub attributes: BTreeMap<Arc<str>, AttributeSchema>,
    /// The types of nested blocks, by keyword. None has the name of an attribute.
    pub blocks: BTreeMap<Arc<str>, NestedBlock>,
    /// Whether the block is deprecated.
    pub deprecated: bool,
    /// The version of the schema of a type; 0 for a nested block.
    pub version: u64,
    constraint: OnceLock<Type>,
    takes_blocks: OnceLock<bool>,
    deprecations: OnceLock<Deprecations>,
}

/// What a schema has that is deprecated, at any depth.
#[derive(Clone, Copy, Default, Debug)]
pub struct Deprecations {
    /// Whether there are attributes.
    pub attributes: bool,
    /// Whether the block itself is, or one inside of it.
    pub blocks: bool,
}

/// How values of a nested object or of a block type are collected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nesting {
    /// One, or null.
    Single,
    /// One that is always there, with nulls if it is not written. Blocks only.
    Group,
    /// A list.
    List,
    /// A set.
    Set,
    /// A map; the keys of blocks are their labels.
    Map,
}

/// An attribute.
#[derive(Debug)]
pub struct AttributeSchema {
    /// What its values look like.
    pub shape: Shape,
    /// Whether it must be set.
    pub required: bool,
    /// Whether it may be set.
    pub optional: bool,
    /// Whether the provider may choose the value.
    pub computed: bool,
    /// Whether the value is sensitive.
    pub sensitive: bool,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// Whether the value is given to the provider but never stored.
    pub write_only: bool,
    /// The schema of the blocks as which the attribute may be written.
    pub(super) element_body: OnceLock<Option<Box<BodySchema>>>,
}

/// What the values of an attribute look like.
#[derive(Debug)]
pub enum Shape {
    /// Values of a type.
    Type(Type),
    /// Objects whose attributes have schemas of their own.
    Nested(NestedObject),
}

/// The shape of an attribute whose objects have attributes with schemas of their own.
#[derive(Debug)]
pub struct NestedObject {
    /// How the objects are collected; never [`Nesting::Group`].
    pub nesting: Nesting,
    /// The attributes, by name.
    pub attributes: BTreeMap<Arc<str>, AttributeSchema>,
    pub(super) constraint: OnceLock<Type>,
}

/// A type of nested blocks.
#[derive(Debug)]
pub struct NestedBlock {
    /// How the blocks are collected.
    pub nesting: Nesting,
    /// The number of blocks that there must be at least.
    pub min_items: u64,
    /// The number of blocks that there may be at most; 0 is no limit.
    pub max_items: u64,
    /// The schema of their bodies.
    pub body: BodySchema,
}

impl BodySchema {
    /// Creates a schema. A block type with the name of an attribute is left out, as the tool never looks at it.
    pub fn new(
        attributes: BTreeMap<Arc<str>, AttributeSchema>,
        mut blocks: BTreeMap<Arc<str>, NestedBlock>,
        deprecated: bool,
    ) -> Self {
        account::work(blocks.len() as u64);
        blocks.retain(|name, _| !attributes.contains_key(name));
        Self { attributes, blocks, deprecated, ..Self::default() }
    }

    /// Returns the type of the values that bodies with this schema become: an object of all attributes and block types
    /// (plan-schema.md, section 2).
    pub fn implied_type(&self) -> Type {
        self.constraint().without_optional()
    }

    /// Returns the type with the attributes that may be left out in an object written as an expression.
    pub(super) fn constraint(&self) -> &Type {
        self.constraint.get_or_init(|| {
            let attributes = self.attributes.iter().map(|(name, attribute)| (name, attribute.constraint()));
            let blocks = self.blocks.iter().map(|(name, block)| (name, block.constraint()));
            let all = attributes.chain(blocks);
            Type::object(all.map(|(name, ty)| AttributeType::new(Arc::clone(name), ty)).collect())
        })
    }

    /// Whether attributes of bodies with this schema may be written as blocks, and those of blocks inside them: no part
    /// of the schema has a type that older providers could not have (plan-schema.md, section 2 (rule 8)).
    pub fn takes_attributes_as_blocks(&self) -> bool {
        *self.takes_blocks.get_or_init(|| {
            with_stack(|| {
                self.attributes.values().charged_at_once(1).all(|attribute| match &attribute.shape {
                    Shape::Nested(_) => false,
                    Shape::Type(ty) => is_of_old_provider(ty),
                }) && self.blocks.values().all(|block| block.body.takes_attributes_as_blocks())
            })
        })
    }

    /// Returns what is deprecated in bodies with this schema.
    pub fn deprecations(&self) -> Deprecations {
        *self.deprecations.get_or_init(|| {
            account::work((self.attributes.len() + self.blocks.len()) as u64 + 1);
            with_stack(|| {
                let mut inside =
                    Deprecations { attributes: has_deprecated(&self.attributes), blocks: self.deprecated };
                for block in self.blocks.values() {
                    let found = block.body.deprecations();
                    inside.attributes |= found.attributes;
                    inside.blocks |= found.blocks;
                }
                inside
            })
        })
    }

    /// Returns the names of all attributes and block types, for suggestions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.attributes.keys().chain(self.blocks.keys()).map(|name| &**name)
    }
}

/// Whether attributes are deprecated, or those of nested objects.
fn has_deprecated(attributes: &BTreeMap<Arc<str>, AttributeSchema>) -> bool {
    attributes.values().charged_at_once(1).any(|attribute| {
        attribute.deprecated
            || matches!(&attribute.shape, Shape::Nested(nested) if with_stack(|| has_deprecated(&nested.attributes)))
    })
}

/// Whether an attribute of this type can be in a schema in which attributes may be written as blocks.
fn is_of_old_provider(ty: &Type) -> bool {
    match (ty, ty.element()) {
        (Type::Tuple(_) | Type::Object(_), _) | (Type::Map(_), Some(Type::Object(_))) => false,
        (_, Some(element)) => element.element().is_none_or(Type::is_primitive),
        _ => true,
    }
}

impl AttributeSchema {
    /// Creates the schema of an attribute with no properties.
    pub const fn new(shape: Shape) -> Self {
        Self {
            shape,
            required: false,
            optional: false,
            computed: false,
            sensitive: false,
            deprecated: false,
            write_only: false,
            element_body: OnceLock::new(),
        }
    }

    /// Creates the schema of an attribute that may be set.
    pub fn optional(ty: Type) -> Self {
        Self { optional: true, ..Self::new(Shape::Type(ty)) }
    }

    /// Returns the type to which values are converted. Parts of nested objects that need not be written are optional.
    pub fn constraint(&self) -> Type {
        match &self.shape {
            Shape::Type(ty) => ty.clone(),
            Shape::Nested(object) => object.constraint(),
        }
    }

    /// Returns the type of values.
    pub fn implied_type(&self) -> Type {
        self.constraint().without_optional()
    }

    /// Returns the schema of the blocks as which the attribute may be written, if its type is a list or a set of
    /// objects: every attribute of these is optional (plan-schema.md, section 2 (rule 8)).
    pub fn element_body(&self) -> Option<&BodySchema> {
        let body = self.element_body.get_or_init(|| {
            let Shape::Type(ty @ (Type::List(_) | Type::Set(_))) = &self.shape else { return None };
            let object = ty.element()?.as_object()?;
            let attributes = object
                .iter()
                .charged_at_once(4)
                .map(|part| (Arc::clone(&part.name), Self::optional(part.ty.clone())));
            Some(Box::new(BodySchema::new(attributes.collect(), BTreeMap::new(), false)))
        });
        body.as_deref()
    }
}

impl NestedObject {
    /// Creates the shape of objects with these attributes.
    pub const fn new(nesting: Nesting, attributes: BTreeMap<Arc<str>, AttributeSchema>) -> Self {
        Self { nesting, attributes, constraint: OnceLock::new() }
    }

    fn constraint(&self) -> Type {
        let build = || {
            let attributes = self.attributes.iter().map(|(name, attribute)| AttributeType {
                name: Arc::clone(name),
                ty: attribute.constraint(),
                optional: attribute.optional || attribute.computed,
            });
            let object = with_stack(|| Type::object(attributes.collect()));
            match self.nesting {
                Nesting::Single | Nesting::Group => object,
                Nesting::List => Type::list(object),
                Nesting::Set => Type::set(object),
                Nesting::Map => Type::map(object),
            }
        };
        self.constraint.get_or_init(build).clone()
    }
}

impl NestedBlock {
    /// Returns the type of all blocks of this type in one body. It is dynamic where each block may have a type of its
    /// own.
    fn constraint(&self) -> Type {
        with_stack(|| {
            let body = self.body.constraint().clone();
            match self.nesting {
                Nesting::Single | Nesting::Group => body,
                Nesting::List | Nesting::Map if body.has_dynamic() => Type::Dynamic,
                Nesting::List => Type::list(body),
                Nesting::Map => Type::map(body),
                Nesting::Set => Type::set(body),
            }
        })
    }

    /// Returns the type of all blocks of this type in one body.
    pub fn implied_type(&self) -> Type {
        self.constraint().without_optional()
    }
}

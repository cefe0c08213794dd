//! Types of the values in generated trees.

use std::fmt::Write as _;

use super::super::Dice;

/// The type of a value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Ty {
    Text,
    Number,
    Bool,
    List(Box<Ty>),
    Set(Box<Ty>),
    Map(Box<Ty>),
    Tuple(Vec<Ty>),
    Object(Vec<Attribute>),
    /// Not known to the generator.
    Any,
}

/// An attribute of an object type.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Attribute {
    pub(super) name: &'static str,
    pub(super) ty: Ty,
    pub(super) presence: Presence,
}

/// Whether a value may lack an attribute.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Presence {
    Required,
    Optional,
    /// With the text of its default.
    Defaulted(String),
}

/// The names of attributes, and the keys of maps.
pub(super) const KEYS: [&str; 4] = ["k", "l", "n", "on"];

pub(super) fn list(of: Ty) -> Ty {
    Ty::List(Box::new(of))
}

pub(super) fn set(of: Ty) -> Ty {
    Ty::Set(Box::new(of))
}

pub(super) fn map(of: Ty) -> Ty {
    Ty::Map(Box::new(of))
}

impl Ty {
    /// Whether a value of this type can be used where `wanted` is.
    pub(super) fn serves(&self, wanted: &Self) -> bool {
        match (self, wanted) {
            (_, Self::Any) => true,
            (Self::Number | Self::Bool, Self::Text) => true,
            (Self::List(own) | Self::Set(own), Self::List(other)) | (Self::Map(own), Self::Map(other)) => {
                own.serves(other)
            }
            (Self::Set(own), Self::Set(other)) => own.serves(other),
            (Self::Tuple(items), Self::List(other)) => items.iter().all(|own| own.serves(other)),
            (Self::Object(attributes), Self::Map(other)) => attributes.iter().all(|own| own.ty.serves(other)),
            _ => self == wanted,
        }
    }

    /// Writes the type as a declaration has it.
    pub(super) fn declared(&self) -> String {
        match self {
            Self::Text => "string".to_owned(),
            Self::Number => "number".to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::List(of) => format!("list({})", of.declared()),
            Self::Set(of) => format!("set({})", of.declared()),
            Self::Map(of) => format!("map({})", of.declared()),
            Self::Tuple(items) => {
                format!("tuple([{}])", items.iter().map(Self::declared).collect::<Vec<_>>().join(", "))
            }
            Self::Object(attributes) => {
                let mut text = String::from("object({ ");
                for Attribute { name, ty, presence } in attributes {
                    let ty = ty.declared();
                    match presence {
                        Presence::Required => write!(text, "{name} = {ty}, "),
                        Presence::Optional => write!(text, "{name} = optional({ty}), "),
                        Presence::Defaulted(default) => write!(text, "{name} = optional({ty}, {default}), "),
                    }
                    .unwrap();
                }
                text.push_str("})");
                text
            }
            Self::Any => "any".to_owned(),
        }
    }
}

/// Returns a simple type.
pub(super) fn simple(dice: &mut Dice) -> Ty {
    match dice.below(7) {
        0..=2 => Ty::Text,
        3..=4 => Ty::Number,
        _ => Ty::Bool,
    }
}

/// Returns a type.
pub(super) fn any(dice: &mut Dice, depth: usize) -> Ty {
    if depth == 0 || dice.once_in(3) {
        return simple(dice);
    }
    match dice.below(11) {
        0..=2 => list(any(dice, depth - 1)),
        3 | 4 => set(if dice.once_in(4) { any(dice, depth - 1) } else { simple(dice) }),
        5..=7 => map(any(dice, depth - 1)),
        8 => Ty::Tuple((0..=dice.below(3)).map(|_| any(dice, depth - 1)).collect()),
        _ => object(dice, depth - 1),
    }
}

/// Returns an object type.
pub(super) fn object(dice: &mut Dice, depth: usize) -> Ty {
    let count = 1 + dice.below(KEYS.len());
    let attributes = KEYS.iter().take(count).map(|&name| {
        let ty = any(dice, depth);
        let presence = match dice.below(6) {
            0 => Presence::Optional,
            1 => Presence::Defaulted(literal(dice, &ty)),
            _ => Presence::Required,
        };
        Attribute { name, ty, presence }
    });
    Ty::Object(attributes.collect())
}

/// Returns a constant of a type, without functions.
pub(super) fn literal(dice: &mut Dice, ty: &Ty) -> String {
    let few = |dice: &mut Dice| if dice.once_in(12) { 0 } else { 1 + dice.below(3) };
    match ty {
        Ty::Text => dice
            .pick(&[
                "\"\"",
                "\"a\"",
                "\"b\"",
                "\"k\"",
                "\"x y\"",
                "\"12\"",
                "\"true\"",
                "\"é<&>\"",
                "\"$${q}\"",
                "\"a,b\"",
                "\"A-b_C\"",
                "\"0x1f\"",
                "\"line\\nline\"",
                "\"tab\\t\\\"q\\\"\"",
                "\"%%{z}\"",
                "\"e\\u0301\"",
                "\"😀\"",
            ])
            .to_owned(),
        Ty::Number => dice
            .pick(&[
                "0",
                "1",
                "2",
                "3",
                "-1",
                "7",
                "10",
                "1.5",
                "-0.25",
                "1e3",
                "12345678901234567890",
                "0.1",
                "1e-7",
                "99999999999999999999.5",
                "100",
            ])
            .to_owned(),
        Ty::Bool => dice.pick(&["true", "false"]).to_owned(),
        Ty::List(of) | Ty::Set(of) => {
            let items: Vec<String> = (0..few(dice)).map(|_| literal(dice, of)).collect();
            format!("[{}]", items.join(", "))
        }
        Ty::Map(of) => {
            let count = few(dice);
            let items: Vec<String> =
                KEYS.iter().take(count).map(|key| format!("{key} = {}", literal(dice, of))).collect();
            format!("{{ {} }}", items.join(", "))
        }
        Ty::Tuple(items) => {
            let items: Vec<String> = items.iter().map(|ty| literal(dice, ty)).collect();
            format!("[{}]", items.join(", "))
        }
        Ty::Object(attributes) => {
            let mut items = Vec::new();
            for Attribute { name, ty, presence } in attributes {
                if *presence == Presence::Required || !dice.once_in(8) {
                    items.push(format!("{name} = {}", literal(dice, ty)));
                }
            }
            format!("{{ {} }}", items.join(", "))
        }
        Ty::Any => {
            let ty = any(dice, 2);
            literal(dice, &ty)
        }
    }
}

//! What expressions of a generated module can name.

use super::super::Dice;
use super::types::{Ty, list, literal, map};

/// What rests on a value, so that some places cannot take it.
#[derive(Clone, Copy, Default)]
pub(super) struct Taint {
    pub(super) secret: bool,
    pub(super) unknown: bool,
    pub(super) ephemeral: bool,
}

impl Taint {
    pub(super) const EVERYTHING: Self = Self { secret: true, unknown: true, ephemeral: true };
    pub(super) const LASTING: Self = Self { secret: true, unknown: true, ephemeral: false };
    pub(super) const KNOWN: Self = Self { secret: true, unknown: false, ephemeral: false };
    pub(super) const NOTHING: Self = Self { secret: false, unknown: false, ephemeral: false };

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            secret: self.secret || other.secret,
            unknown: self.unknown || other.unknown,
            ephemeral: self.ephemeral || other.ephemeral,
        }
    }

    fn fits(self, allowed: Self) -> bool {
        (allowed.secret || !self.secret)
            && (allowed.unknown || !self.unknown)
            && (allowed.ephemeral || !self.ephemeral)
    }
}

/// Something that expressions can name.
#[derive(Clone)]
pub(super) struct Named {
    pub(super) text: String,
    pub(super) ty: Ty,
    pub(super) taint: Taint,
}

/// The names of a module, or of a place in it.
#[derive(Clone, Default)]
pub(super) struct Scope {
    pub(super) names: Vec<Named>,
    /// How seldom an expression is wrong; 0 for never.
    pub(super) wrong: usize,
}

impl Scope {
    pub(super) fn add(&mut self, text: impl Into<String>, ty: Ty, taint: Taint) {
        self.names.push(Named { text: text.into(), ty, taint });
    }

    /// Returns this scope with another name, which is chosen often.
    pub(super) fn with(&self, text: impl Into<String>, ty: Ty, taint: Taint) -> Self {
        let mut inner = self.clone();
        let text = text.into();
        for _ in 0..=inner.names.len() / 3 {
            inner.add(text.clone(), ty.clone(), taint);
        }
        inner
    }

    /// Returns something of a type that a place can take, if a few tries find it.
    pub(super) fn find(&self, dice: &mut Dice, wanted: &Ty, allowed: Taint) -> Option<Named> {
        if self.names.is_empty() {
            return None;
        }
        for _ in 0..12 {
            let mut found = self.names[dice.below(self.names.len())].clone();
            if !found.taint.fits(allowed) {
                continue;
            }
            for _ in 0..4 {
                if found.ty.serves(wanted) && (*wanted != Ty::Any || dice.once_in(2)) {
                    return Some(found);
                }
                found = step(dice, found)?;
            }
        }
        None
    }
}

/// Goes one step into a value, or around it.
fn step(dice: &mut Dice, from: Named) -> Option<Named> {
    let Named { text, ty, taint } = from;
    let (text, ty) = match ty {
        Ty::Object(attributes) => {
            let found = attributes[dice.below(attributes.len())].clone();
            let text = match dice.below(8) {
                0 => format!("{text}[\"{}\"]", found.name),
                _ => format!("{text}.{}", found.name),
            };
            (text, found.ty)
        }
        Ty::List(of) => match (dice.below(9), *of) {
            (0, Ty::Object(attributes)) => {
                let found = attributes[dice.below(attributes.len())].clone();
                (format!("{text}[*].{}", found.name), list(found.ty))
            }
            (1, of) => (format!("element({text}, 1)"), of),
            (2, of) => (format!("one([for it in {text} : it if it == {text}[0]])"), of),
            (3, of) => (format!("try({text}[1], {text}[0])"), of),
            (4, of) => (format!("try({text}[0], {text}[1])"), of),
            (5, of) => (format!("{text}[0]"), of),
            (_, of) => (format!("try({text}[0], {})", literal(dice, &of)), of),
        },
        Ty::Set(of) if dice.once_in(3) => (format!("tolist({text})[0]"), *of),
        Ty::Set(of) => (format!("try(tolist({text})[0], {})", literal(dice, &of)), *of),
        Ty::Map(of) => match dice.below(8) {
            0 => (format!("values({text})"), list(*of)),
            1 => (format!("keys({text})"), list(Ty::Text)),
            2 => (format!("{text}.k"), *of),
            3 => (format!("{text}[\"k\"]"), *of),
            _ => (format!("try({text}.k, {})", literal(dice, &of)), *of),
        },
        Ty::Tuple(items) => {
            let at = dice.below(items.len());
            (format!("{text}[{at}]"), items[at].clone())
        }
        Ty::Text | Ty::Number | Ty::Bool | Ty::Any => return None,
    };
    Some(Named { text, ty, taint })
}

/// Adds the names of a part, such as `.id`, of an object that may be repeated.
pub(super) fn part(scope: &mut Scope, object: &str, repetition: &Repetition, part: &str, ty: &Ty, taint: Taint) {
    match repetition {
        Repetition::None => scope.add(format!("{object}{part}"), ty.clone(), taint),
        Repetition::Count(count) => {
            scope.add(format!("{object}[*]{part}"), list(ty.clone()), taint);
            for at in 0..*count {
                scope.add(format!("{object}[{at}]{part}"), ty.clone(), taint);
            }
        }
        Repetition::Keys(keys) => {
            scope.add(format!("{{ for key, one in {object} : key => one{part} }}"), map(ty.clone()), taint);
            scope.add(format!("values({object})[*]{part}"), list(ty.clone()), taint);
            for key in keys {
                scope.add(format!("{object}[\"{key}\"]{part}"), ty.clone(), taint);
            }
        }
    }
}

/// How an object is repeated, as far as the generator knows.
#[derive(Clone)]
pub(super) enum Repetition {
    None,
    Count(usize),
    Keys(Vec<&'static str>),
}

//! What the values of a row are called on the wire and mean. The name and the sentence are written once, beside the
//! variant: the doc comment of a variant *is* the sentence that the tables show.

use super::{BlockSpec, KeywordRule, Release};
use crate::eval::Lineage;

/// A value of a row, as the tables show it.
#[derive(Clone, Debug)]
pub struct Description {
    /// The field in which its meaning is listed.
    pub field: &'static str,
    /// Its name on the wire. It stays, whatever the variant is called.
    pub id: &'static str,
    /// What it means, a sentence or two.
    pub about: &'static str,
    /// What it is given, by name.
    pub given: Vec<(&'static str, Given)>,
}

/// What a value of a row is given.
#[derive(Clone, Debug)]
pub enum Given {
    /// Yes or no.
    Flag(bool),
    /// A title, a name.
    Text(&'static str),
    /// A release.
    Release(Release),
    /// Several names.
    Words(&'static [&'static str]),
    /// One of a closed set of words.
    Word(Description),
    /// A rule inside the rule.
    Rule(Description),
    /// The row of an object.
    Block(&'static BlockSpec),
}

impl Description {
    /// The description of something without parameters.
    ///
    /// `doc` is a doc comment, so it begins with a space.
    pub(in crate::dialect) fn new(field: &'static str, id: &'static str, doc: &'static str) -> Self {
        Self { field, id, about: doc.trim_ascii(), given: Vec::new() }
    }

    /// The same with one more parameter.
    pub(in crate::dialect) fn given(mut self, name: &'static str, parameter: impl Parameter) -> Self {
        parameter.give(name, &mut self.given);
        self
    }
}

/// What a table can describe.
pub trait Described {
    /// Its description.
    fn described(&self) -> Description;
}

/// What a variant may hold.
pub(in crate::dialect) trait Parameter {
    /// Adds it to `given`, as `name` or as the names of its parts.
    fn give(self, name: &'static str, given: &mut Vec<(&'static str, Given)>);
}

impl Parameter for bool {
    fn give(self, name: &'static str, given: &mut Vec<(&'static str, Given)>) {
        given.push((name, Given::Flag(self)));
    }
}

impl Parameter for &'static str {
    fn give(self, name: &'static str, given: &mut Vec<(&'static str, Given)>) {
        given.push((name, Given::Text(self)));
    }
}

impl Parameter for Option<&'static str> {
    fn give(self, name: &'static str, given: &mut Vec<(&'static str, Given)>) {
        given.extend(self.map(|text| (name, Given::Text(text))));
    }
}

impl Parameter for &'static [&'static str] {
    fn give(self, name: &'static str, given: &mut Vec<(&'static str, Given)>) {
        given.push((name, Given::Words(self)));
    }
}

impl Parameter for Release {
    fn give(self, name: &'static str, given: &mut Vec<(&'static str, Given)>) {
        given.push((name, Given::Release(self)));
    }
}

impl Parameter for &'static BlockSpec {
    fn give(self, name: &'static str, given: &mut Vec<(&'static str, Given)>) {
        given.push((name, Given::Block(self)));
    }
}

impl Parameter for KeywordRule {
    fn give(self, _: &'static str, given: &mut Vec<(&'static str, Given)>) {
        let Self { words, title } = self;
        words.give("words", given);
        title.give("title", given);
    }
}

impl Described for Lineage {
    fn described(&self) -> Description {
        let (id, about) = match self {
            Self::Mainline => ("mainline", "The functions of Terraform."),
            Self::Fork => ("fork", "The functions of OpenTofu."),
        };
        Description::new("functions", id, about)
    }
}

/// Declares an enum of the tables. Of each variant it takes the doc comment, which is the sentence on the wire, the
/// name on the wire after `=`, and for a tuple the name of what is inside; `as` renames a parameter on the wire.
/// Comments for maintainers (where a rule comes from, why) are plain `//` comments.
///
/// `rule`: the wire shows an object with parameters; `word`: a bare word. `in` names the field under which the table
/// lists the meanings.
macro_rules! described {
    (
        $(#[$meta:meta])*
        pub enum $name:ident: $form:ident in $field:literal {
            $(
                $(#[doc = $about:literal])+
                $variant:ident
                    $(( $inner:ident $(as $inner_wire:literal)? : $inner_type:ty ))?
                    $({ $( $(#[doc = $part_about:literal])+ $part:ident $(as $part_wire:literal)? : $part_type:ty, )+ })?
                    = $id:literal,
            )+
        }
    ) => {
        $(#[$meta])*
        pub enum $name {
            $(
                $(#[doc = $about])+
                $variant $(($inner_type))? $({ $( $(#[doc = $part_about])+ $part: $part_type, )+ })?,
            )+
        }

        impl $crate::dialect::spec::described::Described for $name {
            fn described(&self) -> $crate::dialect::spec::described::Description {
                match *self {
                    $(
                        Self::$variant $(($inner))? $({ $($part),+ })? =>
                            $crate::dialect::spec::described::Description::new($field, $id, concat!($($about),+))
                                $(.given($crate::dialect::spec::described::described!(@wire $inner $($inner_wire)?), $inner))?
                                $($(.given($crate::dialect::spec::described::described!(@wire $part $($part_wire)?), $part))+)?,
                    )+
                }
            }
        }

        impl $crate::dialect::spec::described::Parameter for $name {
            fn give(
                self,
                name: &'static str,
                given: &mut Vec<(&'static str, $crate::dialect::spec::described::Given)>,
            ) {
                use $crate::dialect::spec::described::Described as _;
                given.push((name, $crate::dialect::spec::described::described!(@given $form self.described())));
            }
        }
    };
    (@wire $name:ident) => { stringify!($name) };
    (@wire $name:ident $wire:literal) => { $wire };
    (@given rule $description:expr) => { $crate::dialect::spec::described::Given::Rule($description) };
    (@given word $description:expr) => { $crate::dialect::spec::described::Given::Word($description) };
}
pub(in crate::dialect) use described;

/// Declares an enum of the tables as [`described!`] does, whose variants say something that holds or does not, and the
/// struct of fields that a flattened table has instead of its rows: a `bool` for each variant, or an `Option` of what is
/// inside. A stage reads the field after `=>`. The fields are private to the crate, so one that no stage reads does not
/// pass the lints.
macro_rules! flags {
    (
        $(#[$meta:meta])*
        pub enum $name:ident in $field:literal;
        $(#[$set_meta:meta])*
        pub struct $set:ident;
        {
            $(
                $(#[doc = $about:literal])+
                $variant:ident $(( $inner:ident $(as $wire:literal)? : $type:ty ))? = $id:literal => $flag:ident,
            )+
        }
    ) => {
        $crate::dialect::spec::described::described! {
            $(#[$meta])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub enum $name: rule in $field {
                $( $(#[doc = $about])+ $variant $(($inner $(as $wire)? : $type))? = $id, )+
            }
        }

        $(#[$set_meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct $set {
            $( $(#[doc = $about])+ pub(crate) $flag: $crate::dialect::spec::described::flags!(@type $($type)?), )+
        }

        impl $set {
            /// Nothing holds.
            pub(in crate::dialect) const NONE: Self = Self { $( $flag: $crate::dialect::spec::described::flags!(@none $($type)?), )+ };

            /// The same, and what one row says.
            pub(in crate::dialect) fn with(self, holds: $name) -> Self {
                match holds {
                    $(
                        $name::$variant $(($inner))? =>
                            Self { $flag: $crate::dialect::spec::described::flags!(@set $($inner)?), ..self },
                    )+
                }
            }
        }
    };
    (@type) => { bool };
    (@type $type:ty) => { Option<$type> };
    (@none) => { false };
    (@none $type:ty) => { None };
    (@set) => { true };
    (@set $inner:ident) => { Some($inner) };
}
pub(in crate::dialect) use flags;

//! Names and meanings of the values of rows, as the API shows them. Both are written once, next to the variant: the
//! doc comment of a variant *is* the sentence that the API shows.

use super::{BlockSpec, KeywordRule, ObjectKind, Release};
use overfold_eval::Lineage;

/// A value of a row, as the API shows it.
#[derive(Clone, Debug)]
pub struct Description {
    /// The field of the table under which its meaning is listed.
    pub field: &'static str,
    /// Its name in the API, which does not change even if the variant is renamed.
    pub id: &'static str,
    /// Its meaning, in one or two sentences.
    pub about: &'static str,
    /// Its parameters, by name.
    pub given: Vec<(&'static str, ParameterValue)>,
}

/// A parameter of a value of a row.
#[derive(Clone, Debug)]
pub enum ParameterValue {
    /// A boolean.
    Flag(bool),
    /// A title or a name.
    Text(&'static str),
    /// A release.
    Release(Release),
    /// Several names.
    Words(&'static [&'static str]),
    /// Several kinds of objects.
    Kinds(&'static [ObjectKind]),
    /// One of a closed set of words.
    Word(Description),
    /// A rule with its own parameters.
    Rule(Description),
    /// The row of a block type.
    Block(&'static BlockSpec),
}

impl Description {
    /// Creates a description without parameters.
    ///
    /// `doc` is a doc comment, so it begins with a space.
    pub(crate) fn new(field: &'static str, id: &'static str, doc: &'static str) -> Self {
        Self { field, id, about: doc.trim_ascii(), given: Vec::new() }
    }

    /// Adds a parameter.
    pub(crate) fn given(mut self, name: &'static str, parameter: impl Parameter) -> Self {
        parameter.add_to(name, &mut self.given);
        self
    }
}

/// A value that the API can describe.
pub trait Described {
    /// Returns the description of the value.
    fn described(&self) -> Description;
}

/// A value that a variant may hold as a parameter.
pub(crate) trait Parameter {
    /// Adds the value to `given`, either as `name` or under the names of its parts.
    fn add_to(self, name: &'static str, given: &mut Vec<(&'static str, ParameterValue)>);
}

impl Parameter for bool {
    fn add_to(self, name: &'static str, given: &mut Vec<(&'static str, ParameterValue)>) {
        given.push((name, ParameterValue::Flag(self)));
    }
}

impl Parameter for &'static str {
    fn add_to(self, name: &'static str, given: &mut Vec<(&'static str, ParameterValue)>) {
        given.push((name, ParameterValue::Text(self)));
    }
}

impl Parameter for Option<&'static str> {
    fn add_to(self, name: &'static str, given: &mut Vec<(&'static str, ParameterValue)>) {
        given.extend(self.map(|text| (name, ParameterValue::Text(text))));
    }
}

impl Parameter for &'static [&'static str] {
    fn add_to(self, name: &'static str, given: &mut Vec<(&'static str, ParameterValue)>) {
        given.push((name, ParameterValue::Words(self)));
    }
}

impl Parameter for &'static [ObjectKind] {
    fn add_to(self, name: &'static str, given: &mut Vec<(&'static str, ParameterValue)>) {
        given.push((name, ParameterValue::Kinds(self)));
    }
}

impl Parameter for Release {
    fn add_to(self, name: &'static str, given: &mut Vec<(&'static str, ParameterValue)>) {
        given.push((name, ParameterValue::Release(self)));
    }
}

impl Parameter for &'static BlockSpec {
    fn add_to(self, name: &'static str, given: &mut Vec<(&'static str, ParameterValue)>) {
        given.push((name, ParameterValue::Block(self)));
    }
}

impl Parameter for KeywordRule {
    fn add_to(self, _: &'static str, given: &mut Vec<(&'static str, ParameterValue)>) {
        let Self { words, title } = self;
        words.add_to("words", given);
        title.add_to("title", given);
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

/// Declares an enum of the tables. For each variant it takes the doc comment, which is the sentence that the API
/// shows, the variant's name in the API (after `=`) and, for a tuple variant, the name of its parameter; `as` renames
/// a parameter in the API. Comments for maintainers (the source of a rule, the reason for it) are plain `//` comments.
///
/// With `rule`, the API shows an object with parameters; with `word`, a bare word. `in` names the field under which
/// the table lists the meanings.
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

        impl $crate::spec::described::Described for $name {
            fn described(&self) -> $crate::spec::described::Description {
                match *self {
                    $(
                        Self::$variant $(($inner))? $({ $($part),+ })? =>
                            $crate::spec::described::Description::new($field, $id, concat!($($about),+))
                                $(.given($crate::spec::described::described!(@wire $inner $($inner_wire)?), $inner))?
                                $($(.given($crate::spec::described::described!(@wire $part $($part_wire)?), $part))+)?,
                    )+
                }
            }
        }

        impl $crate::spec::described::Parameter for $name {
            fn add_to(
                self,
                name: &'static str,
                given: &mut Vec<(&'static str, $crate::spec::described::ParameterValue)>,
            ) {
                use $crate::spec::described::Described as _;
                given.push((name, $crate::spec::described::described!(@given $form self.described())));
            }
        }
    };
    (@wire $name:ident) => { stringify!($name) };
    (@wire $name:ident $wire:literal) => { $wire };
    (@given rule $description:expr) => { $crate::spec::described::ParameterValue::Rule($description) };
    (@given word $description:expr) => { $crate::spec::described::ParameterValue::Word($description) };
}
pub(crate) use described;

/// Declares an enum of the tables like [`described!`], for variants that are properties which hold or do not hold. It
/// also declares the struct that a flattened table has instead of the rows, with one field for each variant: a `bool`,
/// or an `Option` of the variant's parameter. Stages read the field named after `=>`. The fields are private to the
/// crate, so the lints report a field that no stage reads.
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
        $crate::spec::described::described! {
            $(#[$meta])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub enum $name: rule in $field {
                $( $(#[doc = $about])+ $variant $(($inner $(as $wire)? : $type))? = $id, )+
            }
        }

        $(#[$set_meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct $set {
            $( $(#[doc = $about])+ pub $flag: $crate::spec::described::flags!(@type $($type)?), )+
        }

        impl $set {
            /// The set in which no property holds.
            pub(crate) const NONE: Self = Self { $( $flag: $crate::spec::described::flags!(@none $($type)?), )+ };

            /// Returns the set with the property added.
            pub(crate) fn with(mut self, holds: $name) -> Self {
                match holds {
                    $(
                        $name::$variant $(($inner))? =>
                            self.$flag = $crate::spec::described::flags!(@set $($inner)?),
                    )+
                }
                self
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
pub(crate) use flags;

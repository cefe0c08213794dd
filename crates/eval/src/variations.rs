//! What releases of the tools do differently when they evaluate expressions. The dialect decides which of it holds; without
//! any, expressions are evaluated as in Terraform 1.11.4.

/// One thing that some releases do differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variation {
    /// Nothing is known of an unknown value but its type.
    Unrefined,
    /// The result of a conditional has the marks of the result that is taken only, unless the condition is unknown.
    ConditionalsMarkTaken,
    /// The result of a conditional whose condition is unknown has no marks.
    UnknownConditionsLoseMarks,
    /// What loops, splats, steps and functions make of something unknown has no marks.
    UnknownsLoseMarks,
    /// `try` and `can` are undecided as long as an expression refers to something that is not wholly known.
    GuardsFollowReferences,
    /// A splat over a single unknown value has one element, even if that may turn out to be null.
    UnknownSplatsHaveLength,
    /// An attribute in brackets is looked up in the type of an object that is unknown.
    ObjectsIndexedByType,
    /// `format` and `formatlist` write a null without a type.
    FormatsUntypedNull,
    /// `element` counts from the end of a tuple, too, if the index is negative.
    TuplesWrapBackwards,
    /// `element` refuses a negative index.
    NegativeElementRefused,
    /// Whole numbers are equal if their decimal texts are.
    NumbersComparedAsText,
    /// `issensitive` is false for an unknown value without the mark.
    UnknownIsNotSensitive,
    /// `nonsensitive` refuses what is not sensitive.
    NonsensitiveRefusesPlain,
    /// `contains` looks for null.
    ContainsNull,
    /// `merge` of nulls of one object type is an empty object.
    MergesTypedNulls,
    /// `transpose` reports a null in a list at the argument.
    TransposeNamesArgument,
    /// Timestamps may have hours of one digit, and a comma before the fraction.
    LooseTimestamps,
    /// `sum` refuses texts that are numbers.
    SumRefusesText,
    /// `flatten` refuses a null whose type is that of a sequence.
    FlattenRefusesNull,
    /// A set with an unknown element is unknown as a whole.
    SetsOfUnknownAreUnknown,
    /// Templates may be rendered inside of templates.
    TemplatesNest,
    /// `jsondecode` refuses properties of one name and different types.
    JsonRejectsMixedDuplicates,
    /// Names of Unicode properties in regular expressions ignore case, spaces, hyphens and underscores; more of them exist.
    LooseUnicodeNames,
    /// A template whose parts are known keeps the text behind a part with an error.
    TextBehindErrorsStays,
}

/// The variations that hold.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Variations(u64);

impl Variations {
    /// None of them.
    pub const NONE: Self = Self(0);

    /// Returns these and one more.
    #[must_use]
    pub const fn with(self, variation: Variation) -> Self {
        Self(self.0 | 1 << variation as u64)
    }

    /// Returns whether one of them holds.
    pub const fn has(self, variation: Variation) -> bool {
        self.0 & 1 << variation as u64 != 0
    }
}

impl FromIterator<Variation> for Variations {
    fn from_iter<I: IntoIterator<Item = Variation>>(variations: I) -> Self {
        variations.into_iter().fold(Self::NONE, Self::with)
    }
}

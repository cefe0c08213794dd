//! How the expressions of a release are evaluated: which of its behaviours concern evaluation.

use overfold_eval::{Variation, Variations};

use super::behaviours::Behaviour;
use super::spec::DialectSpec;

/// The behaviours that concern the evaluation of expressions, and what they mean there.
const VARIATIONS: &[(Behaviour, Variation)] = &[
    (Behaviour::UnknownsAreUnrefined, Variation::Unrefined),
    (Behaviour::ConditionalsMarkTaken, Variation::ConditionalsMarkTaken),
    (Behaviour::UnknownConditionsLoseMarks, Variation::UnknownConditionsLoseMarks),
    (Behaviour::UnknownsLoseMarks, Variation::UnknownsLoseMarks),
    (Behaviour::GuardsFollowReferences, Variation::GuardsFollowReferences),
    (Behaviour::UnknownSplatsHaveLength, Variation::UnknownSplatsHaveLength),
    (Behaviour::ObjectsIndexedByType, Variation::ObjectsIndexedByType),
    (Behaviour::FormatsUntypedNull, Variation::FormatsUntypedNull),
    (Behaviour::TuplesWrapBackwards, Variation::TuplesWrapBackwards),
    (Behaviour::NegativeElementRefused, Variation::NegativeElementRefused),
    (Behaviour::NumbersComparedAsText, Variation::NumbersComparedAsText),
    (Behaviour::UnknownIsNotSensitive, Variation::UnknownIsNotSensitive),
    (Behaviour::NonsensitiveRefusesPlain, Variation::NonsensitiveRefusesPlain),
    (Behaviour::ContainsNull, Variation::ContainsNull),
    (Behaviour::MergesTypedNulls, Variation::MergesTypedNulls),
    (Behaviour::TransposeNamesArgument, Variation::TransposeNamesArgument),
    (Behaviour::LooseTimestamps, Variation::LooseTimestamps),
    (Behaviour::SumRefusesText, Variation::SumRefusesText),
    (Behaviour::FlattenRefusesNull, Variation::FlattenRefusesNull),
    (Behaviour::SetsOfUnknownAreUnknown, Variation::SetsOfUnknownAreUnknown),
    (Behaviour::TemplatesNest, Variation::TemplatesNest),
    (Behaviour::LooseUnicodeNames, Variation::LooseUnicodeNames),
    (Behaviour::JsonRejectsMixedDuplicates, Variation::JsonRejectsMixedDuplicates),
    (Behaviour::TextBehindErrorsStays, Variation::TextBehindErrorsStays),
];

/// Returns what is evaluated differently in a release.
pub(super) fn variations(spec: &DialectSpec) -> Variations {
    VARIATIONS.iter().filter(|(behaviour, _)| spec.has(*behaviour)).map(|(_, variation)| *variation).collect()
}

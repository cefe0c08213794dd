//! What differs between versions of the tools and is no row of a block type, an argument or a function: one row for each
//! difference. Other code asks whether a table has a [`Behaviour`]; only this crate compares versions.

#[macro_use]
mod load;
#[macro_use]
mod validate;
#[macro_use]
mod plan;

use super::registry::Moment;
use super::spec::When;

/// The first kind of answer in which a behaviour can show; it can show in the later ones, too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ShowsIn {
    /// Loading a module.
    Load,
    /// Validating a tree of modules.
    Validate,
    /// Planning it.
    Plan,
}

/// The row of a behaviour.
#[derive(Clone, Copy, Debug)]
pub struct BehaviourRow {
    /// The behaviour.
    pub behaviour: Behaviour,
    /// Its name in lists, which does not change even if the variant is renamed.
    pub id: &'static str,
    /// What it is, in a sentence or two for those who use the tool.
    pub summary: &'static str,
    /// The releases of Terraform that have it, as ranges that do not touch each other.
    pub terraform: &'static [When],
    /// The releases of OpenTofu that have it.
    pub opentofu: &'static [When],
    /// Where it can show.
    pub shows_in: ShowsIn,
    /// Where it is known from: a recorded case, or the change of the tool.
    pub source: &'static str,
}

impl BehaviourRow {
    /// Returns the ranges of releases of a dialect that have the behaviour; none for other dialects.
    pub fn ranges(&self, dialect: &str) -> &'static [When] {
        match dialect {
            _ if dialect == super::terraform::TABLE.spec.name => self.terraform,
            _ if dialect == super::opentofu::TABLE.spec.name => self.opentofu,
            _ => &[],
        }
    }
}

/// The behaviours that one version of a tool has.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Behaviours([u64; 4]);

impl Behaviours {
    /// No behaviours.
    pub const NONE: Self = Self([0; 4]);

    /// Returns those of a release of a dialect.
    pub(super) fn of(dialect: &str, moment: &Moment<'_>) -> Self {
        let mut set = Self::NONE;
        let holds = |row: &&BehaviourRow| {
            let in_ranges = || row.ranges(dialect).iter().any(|&when| moment.holds(when, || row.id.to_owned()));
            moment.held(row.id).unwrap_or_else(in_ranges)
        };
        for row in BEHAVIOURS.iter().filter(holds) {
            let (word, bit) = place(row.behaviour);
            if let Some(word) = set.0.get_mut(word) {
                *word |= bit;
            }
        }
        set
    }

    /// Whether a behaviour is among them.
    pub fn has(&self, behaviour: Behaviour) -> bool {
        let (word, bit) = place(behaviour);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }
}

/// Returns the word and the bit of a behaviour in a set.
const fn place(behaviour: Behaviour) -> (usize, u64) {
    let at = behaviour as usize;
    (at / 64, 1 << (at % 64))
}

/// Declares behaviours and their rows, in groups by what they show in. The doc comment of a variant is the summary.
macro_rules! behaviours {
    ( ; $( $shows_in:ident { $(
        $(#[doc = $about:literal])+
        $variant:ident = $id:literal {
            terraform: $terraform:expr,
            opentofu: $opentofu:expr,
            source: $source:literal $(,)?
        }
    )+ } )+ ) => {
        /// Something that not every version of a tool does.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Behaviour {
            $( $( $(#[doc = $about])+ $variant, )+ )+
        }

        /// All rows.
        pub static BEHAVIOURS: &[BehaviourRow] = &[
            $( $( BehaviourRow {
                behaviour: Behaviour::$variant,
                id: $id,
                summary: concat!($($about),+).trim_ascii(),
                terraform: $terraform,
                opentofu: $opentofu,
                shows_in: ShowsIn::$shows_in,
                source: $source,
            }, )+ )+
        ];
    };
}

/// All releases.
const ALL: &[When] = &[When::ALWAYS];
/// No release.
const NEVER: &[When] = &[];

// The rows are in a file for each group, as macros that hand them on.
load_rows! { validate_rows plan_rows behaviours; }

#[cfg(test)]
mod tests {
    use super::{BEHAVIOURS, Behaviour, Behaviours};
    use crate::registry::Moment;
    use crate::spec::Release;

    fn of(dialect: &str, release: Release) -> Behaviours {
        Behaviours::of(dialect, &Moment::at_release(release))
    }

    #[test]
    fn rows_are_complete_and_in_order() {
        for (at, row) in BEHAVIOURS.iter().enumerate() {
            assert_eq!(row.behaviour as usize, at);
            assert_eq!(BEHAVIOURS.iter().filter(|other| other.id == row.id).count(), 1, "{}", row.id);
            assert!(row.summary.ends_with('.') && !row.source.is_empty(), "{}", row.id);
            for ranges in [row.terraform, row.opentofu] {
                assert!(
                    ranges.windows(2).all(|pair| pair[0].until.is_some_and(|until| until < pair[1].since)),
                    "{}",
                    row.id
                );
            }
        }
        assert!(BEHAVIOURS.len() <= 256);
    }

    #[test]
    fn a_set_has_what_holds_in_the_release() {
        let cut = Behaviour::RelevantAttributesEndBeforeDynamic;
        assert!(!of("terraform", Release(1, 12, 2)).has(cut));
        assert!(of("terraform", Release(1, 13, 0)).has(cut));
        assert!(!of("opentofu", Release(1, 12, 6)).has(cut));
        assert!(!of("tflint", Release(1, 13, 0)).has(cut));
    }
}

//! What the plan document of a release contains (docs/versions.md).

use super::behaviours::{Behaviour, Behaviours};
use super::spec::DialectSpec;

/// What the documents of one release contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlanDocument(Behaviours);

/// `format_version` of documents, and of the states in them; without any of them, it is that of the first release.
const FORMATS: [(Behaviour, &str); 4] = [
    (Behaviour::DocumentFormat0_2, "0.2"),
    (Behaviour::DocumentFormat1_0, "1.0"),
    (Behaviour::DocumentFormat1_1, "1.1"),
    (Behaviour::DocumentFormat1_2, "1.2"),
];
const STATE_FORMATS: [(Behaviour, &str); 2] =
    [(Behaviour::StateFormat0_2, "0.2"), (Behaviour::StateFormat1_0, "1.0")];
const FIRST_FORMAT: &str = "0.1";

impl PlanDocument {
    /// Returns the description for a dialect and its version.
    pub const fn for_dialect(dialect: &DialectSpec) -> Self {
        Self(dialect.behaviours)
    }

    /// Whether documents have a part.
    pub fn has(self, part: Behaviour) -> bool {
        self.0.has(part)
    }

    /// Returns `format_version` of the document.
    pub fn format(self) -> &'static str {
        self.first_of(&FORMATS)
    }

    /// Returns `format_version` of the state in the document.
    pub fn state_format(self) -> &'static str {
        self.first_of(&STATE_FORMATS)
    }

    fn first_of(self, formats: &[(Behaviour, &'static str)]) -> &'static str {
        formats.iter().find(|(behaviour, _)| self.has(*behaviour)).map_or(FIRST_FORMAT, |&(_, format)| format)
    }
}

#[cfg(test)]
mod tests {
    use super::PlanDocument;
    use crate::Behaviour;
    use crate::registry::{find, lines};

    #[test]
    fn releases_have_the_formats_of_their_time() {
        let lines = lines("terraform");
        let last = &*lines.last().unwrap().newest;
        for (dialect, version, format, state) in [
            ("terraform", "1.0.0", "0.1", "0.1"),
            ("terraform", "1.0.11", "0.2", "0.2"),
            ("terraform", "1.1.9", "1.0", "1.0"),
            ("terraform", "1.2.0", "1.1", "1.0"),
            ("terraform", "1.4.7", "1.1", "1.0"),
            ("terraform", last, "1.2", "1.0"),
            ("opentofu", "1.6.0", "1.2", "1.0"),
            ("opentofu", "1.12.6", "1.2", "1.0"),
        ] {
            let document = PlanDocument::for_dialect(find(dialect, Some(version)).unwrap());
            assert_eq!((document.format(), document.state_format()), (format, state), "{dialect} {version}");
            assert_eq!(document.has(Behaviour::DocumentApplyable), version == last);
        }
    }
}

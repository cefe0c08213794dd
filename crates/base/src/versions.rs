//! Versions, and version constraints as configurations write them.
//!
//! The rules of constraints (terraform.md, section 5.13, verified with unusual texts):
//! - A version is one or more numbers separated by dots, then optionally a pre-release (`-beta.1`; the dash may be
//!   missing if it begins with a letter) and metadata (`+build`), with an optional leading `v`. Missing numbers are 0.
//! - A constraint is a comma-separated list; each item is an operator (`=` if omitted) and a version. All must hold.
//! - `>`, `>=`, `<`, `<=`, `~>`: a pre-release version only meets a constraint that names a pre-release of the same
//!   numbers. `=` and `!=` compare without this rule. `~>` lets only the last written number grow; if the constraint
//!   names a pre-release, it accepts only pre-releases.
//! - Metadata is always ignored.
//!
//! The semver crate was considered: its versions have exactly three numbers, and its `~` and its comparison of
//! pre-releases follow other rules, so every text would have to be parsed here before it is handed over, and compared
//! here afterwards.

use crate::account;
use std::cmp::Ordering;
use std::fmt;

/// A version of a tool, a provider or a module.
#[derive(Clone, Debug)]
pub struct Version {
    /// At least three numbers, padded with zeros.
    segments: Vec<u64>,
    /// How many numbers were written.
    written: usize,
    /// Pre-release text without its dash (`rc2`), empty for a release.
    pre: String,
    /// Metadata without its plus sign.
    meta: String,
}

impl Version {
    /// The release `major.minor.patch`.
    pub fn release(major: u64, minor: u64, patch: u64) -> Self {
        Self { segments: vec![major, minor, patch], written: 3, pre: String::new(), meta: String::new() }
    }

    /// Parses a version. `None` if the text is not a version, or if a number does not fit into 63 bits.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut segments = Vec::new();
        let mut rest = text;
        loop {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (number, after) = rest.split_at_checked(digits)?;
            if number.is_empty() {
                return None;
            }
            segments.push(u64::try_from(number.parse::<i64>().ok()?).ok()?);
            rest = after;
            match after.strip_prefix('.') {
                Some(next) if next.starts_with(|c: char| c.is_ascii_digit()) => rest = next,
                _ => break,
            }
        }
        let (pre, meta) = match rest.split_once('+') {
            Some((pre, meta)) => (pre, Some(meta)),
            None => (rest, None),
        };
        let pre = match pre.strip_prefix('-') {
            // A single dash is a pre-release named "-": the dash before a name is optional.
            Some("") => "-",
            Some(name) => name,
            None if pre.starts_with(|c: char| c.is_ascii_digit()) => return None,
            None => pre,
        };
        let good = |text: &str| text.split('.').all(is_version_word);
        if !(pre.is_empty() || good(pre)) || meta.is_some_and(|meta| !good(meta)) {
            return None;
        }
        let written = segments.len();
        while segments.len() < 3 {
            segments.push(0);
        }
        Some(Self { segments, written, pre: pre.to_owned(), meta: meta.unwrap_or_default().to_owned() })
    }

    /// The numbers; at least three.
    pub fn segments(&self) -> &[u64] {
        &self.segments
    }

    /// How many numbers were written.
    pub const fn written(&self) -> usize {
        self.written
    }

    /// The metadata, empty if there is none.
    pub fn metadata(&self) -> &str {
        &self.meta
    }

    /// The pre-release text, empty for a release.
    pub fn pre_release(&self) -> &str {
        &self.pre
    }

    /// Whether this is a pre-release.
    pub fn is_pre_release(&self) -> bool {
        !self.pre.is_empty()
    }

    fn compare_segments(&self, other: &Self) -> Ordering {
        let length = self.segments.len().max(other.segments.len());
        let padded = |list: &[u64], at: usize| list.get(at).copied().unwrap_or(0);
        (0..length)
            .map(|at| padded(&self.segments, at).cmp(&padded(&other.segments, at)))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Version {}
impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Version {
    /// Numbers are compared first, with missing ones as 0; a pre-release comes before its release. Metadata is ignored.
    fn cmp(&self, other: &Self) -> Ordering {
        self.compare_segments(other).then_with(|| compare_pre_releases(&self.pre, &other.pre))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, segment) in self.segments.iter().enumerate() {
            write!(f, "{}{segment}", if at == 0 { "" } else { "." })?;
        }
        if !self.pre.is_empty() {
            write!(f, "-{}", self.pre)?;
        }
        if self.meta.is_empty() { Ok(()) } else { write!(f, "+{}", self.meta) }
    }
}

/// Whether a text may appear between the dots of a pre-release: letters, digits, `-` and `~`.
fn is_version_word(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'~'))
}

fn compare_pre_releases(a: &str, b: &str) -> Ordering {
    match (a.is_empty(), b.is_empty()) {
        (true, true) => return Ordering::Equal,
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    let (mut left, mut right) = (a.split('.'), b.split('.'));
    loop {
        let order = match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(a), Some(b)) => match (a.parse::<i64>(), b.parse::<i64>()) {
                (Ok(a), Ok(b)) => a.cmp(&b),
                (Ok(_), Err(_)) => Ordering::Less,
                (Err(_), Ok(_)) => Ordering::Greater,
                (Err(_), Err(_)) => a.cmp(b),
            },
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// The operator of a constraint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `=`, or no operator.
    Equal,
    /// `!=`
    NotEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `~>`
    Pessimistic,
}

impl Operator {
    /// Splits a constraint into its operator and the rest of the text.
    fn split(text: &str) -> (Self, &str) {
        const TABLE: [(&str, Operator); 7] = [
            (">=", Operator::GreaterOrEqual),
            ("<=", Operator::LessOrEqual),
            ("!=", Operator::NotEqual),
            ("~>", Operator::Pessimistic),
            ("=", Operator::Equal),
            (">", Operator::Greater),
            ("<", Operator::Less),
        ];
        TABLE
            .iter()
            .find_map(|&(sign, operator)| Some((operator, text.strip_prefix(sign)?)))
            .unwrap_or((Self::Equal, text))
    }
}

/// One constraint of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// The operator.
    pub operator: Operator,
    /// The version on the right-hand side.
    pub version: Version,
}

impl Constraint {
    fn parse(text: &str) -> Option<Self> {
        let (operator, version) = Operator::split(trim(text));
        Some(Self { operator, version: Version::parse(trim(version))? })
    }

    /// Whether `version` meets this constraint.
    pub fn allows(&self, version: &Version) -> bool {
        account::work(1 + self.version.segments.len().min(version.segments.len()) as u64 / 8);
        account::touch(self.version.pre.len().min(version.pre.len()));
        let order = version.cmp(&self.version);
        match self.operator {
            Operator::Equal => order.is_eq(),
            Operator::NotEqual => order.is_ne(),
            Operator::Greater => self.comparable(version) && order.is_gt(),
            Operator::GreaterOrEqual => self.comparable(version) && order.is_ge(),
            Operator::Less => self.comparable(version) && order.is_lt(),
            Operator::LessOrEqual => self.comparable(version) && order.is_le(),
            Operator::Pessimistic => self.comparable(version) && order.is_ge() && self.matches_pessimistic(version),
        }
    }

    /// Whether the two versions may be compared: a pre-release only with a pre-release of the same numbers.
    fn comparable(&self, version: &Version) -> bool {
        !version.is_pre_release() || (self.version.is_pre_release() && self.version.segments == version.segments)
    }

    /// Checks what `~>` requires beyond its lower bound.
    fn matches_pessimistic(&self, version: &Version) -> bool {
        if self.version.is_pre_release() && !version.is_pre_release() {
            return false;
        }
        let fixed = self.version.written.saturating_sub(1);
        self.version.segments.len() <= version.segments.len()
            && self.version.segments.iter().zip(&version.segments).take(fixed).all(|(own, other)| own == other)
            && self.version.segments.last() <= version.segments.get(self.version.segments.len() - 1)
    }
}

/// A list of constraints; all of them must hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Constraints {
    /// The constraints, in source order.
    pub list: Vec<Constraint>,
}

impl Constraints {
    /// Parses a list. `None` if the text is not a valid list; an empty text is not.
    pub fn parse(text: &str) -> Option<Self> {
        account::touch(text.len() * 16);
        Some(Self { list: text.split(',').map(Constraint::parse).collect::<Option<_>>()? })
    }

    /// Returns the versions below and above which none meets the constraints, as far as these say so.
    pub fn bounds(&self) -> (Option<&Version>, Option<&Version>) {
        let (mut lowest, mut highest): (Option<&Version>, Option<&Version>) = (None, None);
        for Constraint { operator, version } in &self.list {
            account::work(1 + version.segments.len() as u64 / 8);
            let (is_lowest, is_highest) = match operator {
                Operator::Equal => (true, true),
                Operator::Greater | Operator::GreaterOrEqual | Operator::Pessimistic => (true, false),
                Operator::Less | Operator::LessOrEqual => (false, true),
                Operator::NotEqual => (false, false),
            };
            if is_lowest && lowest.is_none_or(|lowest| version > lowest) {
                lowest = Some(version);
            }
            if is_highest && highest.is_none_or(|highest| version < highest) {
                highest = Some(version);
            }
        }
        (lowest, highest)
    }

    /// Whether `version` meets every constraint.
    pub fn allow(&self, version: &Version) -> bool {
        self.list.iter().all(|constraint| constraint.allows(version))
    }

    /// Whether `text`, from which these constraints were parsed, is also accepted for provider versions: at most three
    /// numbers, no leading `v`, a dash before a pre-release, no `~` inside one.
    pub fn are_valid_for_providers(&self, text: &str) -> bool {
        self.list.iter().all(|constraint| constraint.version.written <= 3)
            && text.split(',').all(|item| {
                let (_, version) = Operator::split(trim(item));
                let version = trim(version);
                let numbers = version.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
                (numbers.is_empty() || numbers.starts_with(['-', '+'])) && !version.contains('~')
            })
    }

    /// Whether any constraint names a pre-release.
    pub fn names_pre_release(&self) -> bool {
        self.list.iter().any(|constraint| constraint.version.is_pre_release())
    }
}

/// Trims white space at both ends, as the constraint parser defines it.
fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r', '\x0c'])
}

#[cfg(test)]
mod tests {
    use super::{Constraints, Version};

    /// How Terraform 1.11.4 reads a constraint: `met` and `unmet` by its own version, `pre` if it names a pre-release,
    /// `bad` if it is invalid; and whether it is also accepted for provider versions.
    const TABLE: &[(&str, &str, bool)] = &[
        ("", "bad", false),
        ("1", "unmet", true),
        (">= 1", "met", true),
        ("v1", "unmet", false),
        (">=v1.0", "met", false),
        ("> 1.0.0-beta", "pre", true),
        ("1.0beta", "pre", false),
        ("1.0.0-", "pre", true),
        (">=1.0.0--a", "pre", true),
        (">=1.2.3.4.5", "met", false),
        ("~> 1", "met", true),
        ("~>1.11", "met", true),
        ("~> 1.11.0", "met", true),
        ("~>1.11.4.0", "unmet", false),
        ("~> 2", "unmet", true),
        ("~> 1.10.0", "unmet", true),
        (" >= 1 , < 2 ", "met", true),
        (">= 1,", "bad", false),
        (">= 1;", "bad", false),
        (">= 1 < 2", "bad", false),
        ("=> 1", "bad", false),
        ("== 1", "bad", false),
        ("!= 1.11.4", "unmet", true),
        ("!=1.11", "met", true),
        ("1.11.4", "met", true),
        ("=1.11.4", "met", true),
        ("1.11.4+x", "met", true),
        (">=1.0+", "bad", false),
        ("*", "bad", false),
        ("1.x", "bad", false),
        ("1.*", "bad", false),
        ("^1", "bad", false),
        (">= 99999999999999999999", "bad", false),
        (">= 9223372036854775807", "unmet", true),
        ("\t>= 1\n", "met", true),
        (">= 1.", "bad", false),
        (">=.1", "bad", false),
        ("01.011", "unmet", true),
        (">= 1.0.0-beta.1+x.y", "pre", true),
        (">= 1.11.4-alpha", "pre", true),
        ("~1", "bad", false),
        (">= 1.0.0-~x", "pre", false),
        ("1.11.4.0", "met", false),
        ("1.11.4.1", "unmet", false),
        (">=1.11.3.9", "met", false),
        ("~> 1.11.4.1", "unmet", false),
        ("~> 0", "met", true),
        (">= 1.0.0_1", "bad", false),
        ("\u{a0}>= 1", "bad", false),
        (">= v", "bad", false),
        (">= V1", "bad", false),
        ("-1", "bad", false),
        (">= 1.0.0-01", "pre", true),
        (">= 1.0.0-0a", "pre", true),
        ("<= 1.11", "unmet", true),
        ("1.0.0.0.0.0.0.0", "unmet", false),
        (">= 1.0.0-a..b", "bad", false),
        (">=1.0.0+a..b", "bad", false),
        ("!= 1.0-x", "pre", true),
        (">1 , 2", "unmet", true),
        (">= 1.0.0-beta+", "bad", false),
        ("1-1", "pre", true),
        ("1-a", "pre", true),
        ("1a", "pre", false),
        ("1~", "pre", false),
        ("~>1.11.4-beta", "pre", true),
        (">=\u{a0}1", "bad", false),
    ];

    #[test]
    fn constraints_mean_what_they_mean_to_the_tool() {
        let version = Version::release(1, 11, 4);
        let mut wrong = Vec::new();
        for &(text, verdict, fits) in TABLE {
            let read = Constraints::parse(text);
            let ours = match &read {
                None => "bad",
                Some(constraints) if constraints.names_pre_release() => "pre",
                Some(constraints) if constraints.allow(&version) => "met",
                Some(_) => "unmet",
            };
            let ours_fits = read.is_some_and(|constraints| constraints.are_valid_for_providers(text));
            if (ours, ours_fits) != (verdict, fits) {
                wrong.push(format!("{text:?}: {verdict} {fits}, ours {ours} {ours_fits}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn versions_are_ordered() {
        // The examples of the semantic versioning document, and versions with more than three numbers.
        let sorted = [
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "1.0.0.1",
            "1.0.1",
            "1.2",
            "1.10",
            "2-a",
            "2",
        ];
        let versions: Vec<Version> = sorted.iter().map(|text| Version::parse(text).unwrap()).collect();
        assert!(versions.is_sorted_by(|a, b| a < b));
        assert_eq!(Version::parse("1"), Version::parse("v1.0.0.0+build"));
    }

    #[test]
    fn nothing_outside_of_the_bounds_is_allowed() {
        let bounds = |text: &str| {
            let constraints = Constraints::parse(text).unwrap();
            let (lowest, highest) = constraints.bounds();
            (lowest.map(ToString::to_string), highest.map(ToString::to_string))
        };
        let found = |lowest: &str, highest: &str| {
            let of = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            (of(lowest), of(highest))
        };
        assert_eq!(bounds("1.2.3"), found("1.2.3", "1.2.3"));
        assert_eq!(bounds(">= 1.2, > 1.3, < 3, != 2"), found("1.3.0", "3.0.0"));
        assert_eq!(bounds("~> 1.2, <= 1.9"), found("1.2.0", "1.9.0"));
        assert_eq!(bounds("!= 2"), found("", ""));
        for (text, ..) in TABLE {
            let Some(constraints) = Constraints::parse(text) else { continue };
            let (lowest, highest) = constraints.bounds();
            for version in ["0.1.0", "1.0.0-beta", "1.0.0", "1.11.4", "1.11.5", "2.0.0", "9.0.0"] {
                let version = Version::parse(version).unwrap();
                let is_within = lowest.is_none_or(|lowest| version >= *lowest)
                    && highest.is_none_or(|highest| version <= *highest);
                assert!(is_within || !constraints.allow(&version), "{text} and {version}");
            }
        }
    }
}

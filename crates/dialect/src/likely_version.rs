//! The version that was probably meant by one that a dialect does not know.

use super::registry::{Line, Table, release};

/// Words for the newest version.
const NEWEST: &[&str] = &["latest", "newest", "current", "stable", "default", "any", "*", ""];

/// Returns a sentence that names the version that was probably meant, or the dialect that knows it; empty if that is not
/// clear.
pub(super) fn hint(table: &Table, all: &[&Table], asked: &str) -> String {
    const MAX: usize = 32;
    if asked.len() > MAX {
        return String::new();
    }
    let plain = asked.trim().to_ascii_lowercase();
    if NEWEST.contains(&&*plain) {
        return format!(" Leave the version out to follow the newest, {}.", table.newest);
    }
    let number = plain.trim_start_matches(['v', '=', '~', '>', '<', '^', ' ']);
    let number = number.trim_end_matches(['x', '*', '.', ' ']);
    // Terraform 0.11 has a dialect of its own.
    let relative = all.iter().find(|other| {
        other.spec.tool == table.spec.tool
            && other.spec.name != table.spec.name
            && (release(other.lines, number).is_some() || minor(other.lines, number).is_some())
    });
    if release(table.lines, number).is_some() {
        return format!(" Did you mean {number:?}?");
    }
    if let Some(line) = minor(table.lines, number) {
        return format!(
            " Did you mean \"{}.{}\"? Its last known release is {}.",
            line.major,
            line.minor,
            line.newest()
        );
    }
    if let Some(other) = relative {
        return format!(" Did you mean the dialect {:?}, which follows that version?", other.spec.name);
    }
    match number.parse::<u16>().ok().and_then(|major| table.lines.iter().rfind(|line| line.is_stable(major))) {
        Some(line) => format!(" Did you mean \"{}.{}\"?", line.major, line.minor),
        None => String::new(),
    }
}

/// Returns the line with the major and minor number of a version with an unknown patch number.
fn minor(lines: &[Line], number: &str) -> Option<Line> {
    let mut parts = number.split(['.', '-', '+']);
    let (major, minor) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    lines.iter().copied().find(|line| (line.major, line.minor) == (major, minor))
}

impl Line {
    /// Whether it belongs to this major version, and not only to a candidate of it.
    fn is_stable(&self, major: u16) -> bool {
        self.major == major && self.candidate.is_empty()
    }

    fn newest(&self) -> String {
        let Self { major, minor, last, candidate, recorded: _ } = self;
        let separator = if candidate.is_empty() { "" } else { "-" };
        format!("{major}.{minor}.{last}{separator}{candidate}")
    }
}

#[cfg(test)]
mod tests {
    use crate::{NotFound, find};

    fn hint(dialect: &str, asked: &str) -> String {
        let Err(NotFound::Version { hint, .. }) = find(dialect, Some(asked)) else { return "known".to_owned() };
        hint
    }

    #[test]
    fn the_version_or_the_dialect_that_a_person_would_name() {
        for (dialect, asked, said) in [
            ("terraform", "0.11", "the dialect \"terraform-0.11\""),
            ("terraform", "v0.11.14", "the dialect \"terraform-0.11\""),
            ("terraform", "0.11.99", "the dialect \"terraform-0.11\""),
            ("terraform-0.11", "1.5", "the dialect \"terraform\""),
            ("terraform", "latest", "newest, 1."),
            ("opentofu", "LATEST", "newest, 1."),
            ("terraform", " 1.5 ", "mean \"1.5\"?"),
            ("terraform", "~> 1.5", "mean \"1.5\"?"),
            ("terraform", "1.5.x", "mean \"1.5\"?"),
            ("terraform", "1.5.99", "mean \"1.5\"?"),
            ("tflint", "v0.60.77", "mean \"0.60\"?"),
            ("terraform", "1", "mean \"1."),
            ("terraform", "v1.5", "known"),
        ] {
            assert!(hint(dialect, asked).contains(said), "{dialect} {asked}: {}", hint(dialect, asked));
        }
        for (dialect, asked) in
            [("terraform", "0.12"), ("terraform", "2.0"), ("opentofu", "0.11"), ("terraform", "x")]
        {
            assert_eq!(hint(dialect, asked), "", "{dialect} {asked}");
        }
    }
}

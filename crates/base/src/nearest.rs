//! "Did you mean …?": finds the known name that a misspelt one most likely stands for.

use crate::account;

/// The maximum length, in bytes, of names that are compared.
const MAX_LENGTH: usize = 64;

/// Returns the name in `known` that is most similar to `name`; `None` if there is none, if several are equally similar,
/// or if the request has spent its share of the work for suggestions.
///
/// Two names are similar if they differ in case alone, or by at most one edit for every three letters: a letter
/// inserted, removed or replaced, or two neighbouring letters swapped.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if name.is_empty() || name.len() > MAX_LENGTH {
        return None;
    }
    let max = name.chars().count().max(3) / 3;
    let mut best: Option<(usize, &str)> = None;
    let mut several = false;
    for candidate in known {
        if !account::work_on_suggestion(1) {
            return None;
        }
        if candidate.len() > MAX_LENGTH || candidate.len().abs_diff(name.len()) > 4 * max || candidate == name {
            continue;
        }
        if !account::work_on_suggestion((name.len() * candidate.len()) as u64 / 16) {
            return None;
        }
        let distance = if candidate.eq_ignore_ascii_case(name) { 0 } else { strsim::osa_distance(name, candidate) };
        if distance > max {
            continue;
        }
        match best {
            Some((least, _)) if distance > least => {}
            Some((least, other)) if distance == least => several |= other != candidate,
            _ => (best, several) = (Some((distance, candidate)), false),
        }
    }
    best.filter(|_| !several).map(|(_, candidate)| candidate)
}

/// Returns the question to append to a message about an unknown name, with a leading space; empty if no name is
/// similar.
pub fn hint<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    did_you_mean(nearest(name, known))
}

/// Returns the question whether a name found by [`nearest`] was meant, with a leading space; empty without a name.
pub fn did_you_mean(like: Option<&str>) -> String {
    like.map(|name| format!(" Did you mean {name:?}?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_found() {
        let types = ["string", "number", "bool", "list", "map", "set"];
        for (name, meant) in [
            ("numbr", Some("number")),
            ("Number", Some("number")),
            ("LIST", Some("list")),
            ("lsit", Some("list")),
            ("boolean", None),
            ("tuple", None),
            ("string", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, types), meant, "{name}");
        }
        assert_eq!(hint("strin", types), " Did you mean \"string\"?");
        assert_eq!(hint("x", types), "");
    }

    #[test]
    fn no_suggestion_among_equally_near_names() {
        assert_eq!(nearest("subnet_c", ["subnet_a", "subnet_b"]), None);
        assert_eq!(nearest("subnet_c", ["subnet_a", "subnet_b", "subnets_c"]), None);
        assert_eq!(nearest("subnet_aa", ["subnet_a", "subnet_a", "bb"]), Some("subnet_a"));
    }

    #[test]
    fn long_names_cost_nothing() {
        let long = "x".repeat(1 << 20);
        assert_eq!(nearest(&long, [&*long, "x"]), None);
    }
}

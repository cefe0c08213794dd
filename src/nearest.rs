//! "Did you mean …?": the known name that a misspelt one most likely stands for.

use crate::account;

/// Names longer than this are not compared, in bytes.
const LONGEST: usize = 64;

/// The one of `known` that `name` is most like. `None`: none is like it, several are equally so,
/// or the request has little work left.
///
/// Alike are names that differ in case alone, and those that one edit in three letters makes the same: a letter put in,
/// left out, exchanged, or two neighbours swapped.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if name.is_empty() || name.len() > LONGEST || !account::has_spare_work() {
        return None;
    }
    let most = name.chars().count().max(3) / 3;
    let mut best: Option<(usize, &str)> = None;
    let mut several = false;
    for candidate in known {
        account::work(1);
        if candidate.len() > LONGEST || candidate.len().abs_diff(name.len()) > 4 * most || candidate == name {
            continue;
        }
        account::work((name.len() * candidate.len()) as u64 / 16);
        let distance = if candidate.eq_ignore_ascii_case(name) { 0 } else { strsim::osa_distance(name, candidate) };
        if distance > most {
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

/// The question after a message about an unknown name, with a blank before it; empty where no name is like it.
pub fn hint<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    question(nearest(name, known))
}

/// The question whether the name that was found by [`nearest`] is meant, with a blank before it; empty without one.
pub fn question(like: Option<&str>) -> String {
    like.map(|name| format!(" Did you mean {name:?}?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nearly_the_same_is_found() {
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
    fn of_several_that_are_equally_near_none_is_meant() {
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

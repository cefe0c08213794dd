//! The table's titles stand beside codes that exist: a title row whose code nobody says would never be used.

use crate::dialect::{find, names, versions};
use crate::{load, merge};

#[test]
fn every_title_row_names_a_code() {
    let known: Vec<&str> = [load::codes::ALL, load::leaf_codes::ALL, merge::codes::ALL, super::codes::ALL]
        .into_iter()
        .flatten()
        .map(|code| code.id)
        .collect();
    for name in names() {
        let (all, _) = versions(name).unwrap();
        for version in all {
            for row in find(name, Some(&version)).unwrap().titles {
                assert!(known.contains(&row.code), "{name} {version}: no code {:?}", row.code);
            }
        }
    }
}

//! The table's titles stand beside codes that exist: a title row whose code nobody says would never be used.

use crate::dialect::{find, names, versions};
use crate::{load, merge, syntax, vars};

#[test]
fn every_title_row_names_a_code() {
    let tables = [
        syntax::codes::ALL,
        syntax::hcl1::codes::ALL,
        load::codes::ALL,
        load::leaf_codes::ALL,
        load::content::codes::ALL,
        merge::codes::ALL,
        vars::codes::ALL,
        super::codes::ALL,
    ];
    let known: Vec<&str> = tables.into_iter().flatten().map(|code| code.id).collect();
    for name in names() {
        let (all, _) = versions(name).unwrap();
        for version in all {
            for row in find(name, Some(&version)).unwrap().titles {
                assert!(known.contains(&row.code), "{name} {version}: no code {:?}", row.code);
            }
        }
    }
}

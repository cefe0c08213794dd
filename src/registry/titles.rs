//! The table's titles stand beside codes that exist: a title row whose code nobody says would never be used.

use crate::dialect::{find, names, versions};

#[test]
fn every_title_row_names_a_code() {
    let known: Vec<&str> = crate::registry::all().map(|code| code.id).collect();
    for name in names() {
        let (all, _) = versions(name).unwrap();
        for version in all {
            for row in find(name, Some(&version)).unwrap().titles {
                assert!(known.contains(&row.code), "{name} {version}: no code {:?}", row.code);
            }
        }
    }
}

//! Every row of titles in the dialect tables names a code that exists; a row for an unknown code would never be used.

use overfold_dialect::{find, names, versions};

#[test]
fn every_title_row_names_a_code() {
    let known: Vec<&str> = crate::codes::all().map(|code| code.id).collect();
    for name in names() {
        let (all, _) = versions(name).unwrap();
        for version in all {
            for row in find(name, Some(&version)).unwrap().titles {
                assert!(known.contains(&row.code), "{name} {version}: no code {:?}", row.code);
            }
        }
    }
}

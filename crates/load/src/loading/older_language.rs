//! Recognises a module that was written for a version of the tool with the older grammar: read by the newer one, nearly
//! everything in it is a finding, and one hint says more than all of them.

use memchr::memmem;

use crate::discover::codes;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_base::files::FileSet;
use overfold_base::versions::{Constraints, Version};
use overfold_dialect::{self as dialect, DialectSpec};
use overfold_eval::codes as eval_codes;

/// The fewest signs of the older grammar that are worth a hint.
const FEWEST: usize = 3;

/// Adds a hint if the findings look as if the module was written for the older grammar. `constraints` are those of the
/// module on the tool's own version.
pub(super) fn hint<'t>(
    constraints: impl Iterator<Item = &'t str>,
    (files, root): (&FileSet, &str),
    dialect: &DialectSpec,
    out: &mut Diagnostics,
) {
    if dialect.reads_hcl1() || !out.has_errors() {
        return;
    }
    let Some(older) = dialect::with_older_grammar() else { return };
    let of = |id: &str| out.iter().filter(|found| found.code.id == id).count();
    account::work(out.iter().len() as u64);
    let quoted = of(eval_codes::QUOTED_TYPE.id);
    let wants_older = are_for(constraints.take(MAX_CONSTRAINTS), older);
    let wrapped = if quoted > 0 { interpolations(files, root) } else { 0 };
    if !wants_older && (quoted == 0 || quoted + wrapped < FEWEST) {
        return;
    }
    let mut signs = Vec::new();
    if wants_older {
        signs.push("its version constraint".to_owned());
    }
    if quoted > 0 {
        signs.push(format!("quoted types ({quoted})"));
    }
    if wrapped > 0 {
        signs.push(format!("expressions wrapped in \"${{…}}\" ({wrapped})"));
    }
    let (signs, name, version) = (signs.join(", "), older.name, older.version);
    let detail = format!(
        "The module seems to be written for {} {version}: {signs}. To read it by the rules of that version, ask for the dialect {name:?} (on the command line: --dialect {name}); most of the other findings then disappear. To use it with {} {}, it has to be upgraded first.",
        older.tool, dialect.tool, dialect.version
    );
    out.push(Diagnostic::ours(&codes::OLDER_LANGUAGE, None, detail));
}

/// The number of constraints that are looked at.
const MAX_CONSTRAINTS: usize = 16;

/// Whether the constraints admit the older version, but not the first one with the newer grammar.
fn are_for<'t>(constraints: impl Iterator<Item = &'t str>, older: &DialectSpec) -> bool {
    let mut numbers = older.version.split('.').map(str::parse::<u16>);
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else { return false };
    let newer = Version::parse(&format!("{major}.{}.0", minor.saturating_add(1)));
    let (Some(older), Some(newer)) = (Version::parse(older.version), newer) else { return false };
    let mut excludes_newer = false;
    for text in constraints.touched_by(|text| text.len()) {
        let Some(constraint) = Constraints::parse(text).filter(|constraint| constraint.allow(&older)) else {
            return false;
        };
        excludes_newer |= !constraint.allow(&newer);
    }
    excludes_newer
}

/// Counts the arguments whose expression starts with an interpolation.
fn interpolations(files: &FileSet, root: &str) -> usize {
    let each = files
        .in_folder(root)
        .touched_by(|file| file.bytes.len())
        .map(|file| memmem::find_iter(&file.bytes, b"= \"${").count());
    each.sum()
}

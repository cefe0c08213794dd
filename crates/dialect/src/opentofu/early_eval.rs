//! Arguments and behaviours that are evaluated when a module is loaded, after the merge. Source: opentofu.md, sections
//! 6, 7 and 10 (1.8 to 1.11); whatever those sections do not state was read in the tool's code, and is marked as such.

use super::super::spec::{
    AttrKind, AttrMerge, AttrSpec, BlockSpec, BodyCheck, HeaderCheck, Required, StaticUse, TitleRow, VersionUse, When,
};
use super::super::terraform;
use super::super::terraform::RESERVED_IN_PROVIDER;
use super::V1_8;

const UNTIL_1_8: When = When::until(1, 8, 0);
const UNTIL_1_9: When = When::until(1, 9, 0);
const V1_9: When = When::since(1, 9, 0);

/// `source` of a module call before 1.8.
pub(super) const SOURCE_CONSTANT: AttrSpec =
    AttrSpec::new("source", AttrKind::ModuleSource { checked: true }).when(UNTIL_1_8).required(Required::InPrimary);
/// `source` of a module call since 1.8.
pub(super) const SOURCE_STATIC: AttrSpec =
    AttrSpec::new("source", AttrKind::Static(StaticUse::ModuleSource)).when(V1_8).required(Required::InPrimary);

/// `version` of a module call before 1.8.
pub(super) const VERSION_CONSTANT: AttrSpec =
    AttrSpec::new("version", AttrKind::VersionConstraint(VersionUse::Module)).when(UNTIL_1_8);
/// `version` of a module call since 1.8.
pub(super) const VERSION_STATIC: AttrSpec =
    AttrSpec::new("version", AttrKind::Static(StaticUse::ModuleVersion)).when(V1_8);

/// opentofu.md, section 7.5: `for_each` exists since 1.9 and is not merged from an override.
pub(super) const PROVIDER: BlockSpec = BlockSpec {
    attrs: &[
        AttrSpec::new("version", AttrKind::VersionConstraint(VersionUse::Provider)),
        AttrSpec::new("alias", AttrKind::Alias).merge(AttrMerge::Key),
        AttrSpec::new("count", AttrKind::Reserved(RESERVED_IN_PROVIDER)),
        AttrSpec::new("depends_on", AttrKind::Reserved(RESERVED_IN_PROVIDER)),
        AttrSpec::new("for_each", AttrKind::Reserved(RESERVED_IN_PROVIDER)).when(UNTIL_1_9),
        AttrSpec::new("for_each", AttrKind::Static(StaticUse::Instances)).when(V1_9).merge(AttrMerge::Never),
        AttrSpec::new("source", AttrKind::Reserved(RESERVED_IN_PROVIDER)),
    ],
    checks: &[HeaderCheck::LocalName.always(), BodyCheck::ForEachNeedsAlias.when(V1_9)],
    source: "sections 7, 10 (1.9); terraform.md, sections 4 to 7",
    ..terraform::PROVIDER
};

/// A title that changed in 1.11.
pub(super) const APPLYING: TitleRow = TitleRow {
    code: "static/applying",
    title: "Invalid attribute in static context",
    says: "Invalid \"terraform\" attribute",
    when: When::until(1, 11, 0),
};

/// Before 1.9, the tool does not prompt for a value (read in its code).
pub(super) const NOT_SET: TitleRow = TitleRow {
    code: "static/not-set",
    title: "Failed to request input from user for variable NAME",
    says: "Variable not provided via -var, tfvars files, or env",
    when: UNTIL_1_9,
};

/// In 1.9, sets of anything but strings had a separate title (read in the tool's code).
pub(super) const INSTANCE_KEY: TitleRow = TitleRow {
    code: "static/instance-key",
    title: "Invalid for_each argument",
    says: "Invalid for_each set argument",
    when: When::until(1, 10, 0),
};

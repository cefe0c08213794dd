//! Records of moved, imported and removed objects. Source of every row: opentofu.md, section 8; where that is silent,
//! terraform.md.

use super::super::spec::{
    AddressRule, AddressUse, AttrKind, AttrSpec, BlockSpec, BlockTrait, BodyCheck, DuplicatePolicy, NestedCheck,
    ObjectKind, OverrideRule, Repeat, Required, When,
};
use super::super::terraform::{self as base, PROVIDER_REFERENCE, PROVISIONER};
use super::{V1_7, V1_10, V1_11, V1_12};

const UNTIL_1_7: When = When::until(1, 7, 0);
const UNTIL_1_12: When = When::until(1, 12, 0);
const V1_7_2: When = When::since(1, 7, 2);

const fn refused(title: &'static str) -> OverrideRule {
    OverrideRule::Refused { title, unread: false }
}

pub(super) const MOVED: BlockSpec = BlockSpec {
    when: When::ALWAYS,
    checks: &[BodyCheck::MoveEndsMovable.when(V1_11), BodyCheck::MoveEndsAgree.always()],
    source: "sections 8, 10 (1.11); terraform.md, sections 5 to 7",
    ..base::MOVED
};

pub(super) const REMOVED: BlockSpec = BlockSpec {
    keyword: "removed",
    kind: ObjectKind::Named("removed"),
    when: V1_7,
    address: AddressRule::Numbered("removed"),
    attrs: &[AttrSpec::new("from", AttrKind::Address(AddressUse::Removed)).required(Required::Always)],
    blocks: &[
        BlockSpec {
            keyword: "lifecycle",
            kind: ObjectKind::Named("lifecycle"),
            when: V1_10,
            attrs: &[AttrSpec::new("destroy", AttrKind::ConstBool)],
            // The tool uses the first block, but its output about the enclosing block lists all of them.
            repeat: Repeat::Error { title: "Duplicate lifecycle block", keeps: DuplicatePolicy::BothListed },
            source: "sections 8, 10 (1.10)",
            ..BlockSpec::PLAIN
        },
        BlockSpec { when: V1_10, ..PROVISIONER },
    ],
    over: refused("Cannot override 'Removed' blocks"),
    checks: &[
        NestedCheck::RemovedProvisioners {
            creating: "Invalid \"removed.provisioner\" block",
            of_module: "Invalid \"removed\" block",
        }
        .when(V1_10),
        BodyCheck::RemovedSaysDestroy.when(V1_10),
    ],
    source: "sections 8, 9, 10 (1.7, 1.10)",
    ..BlockSpec::PLAIN
};

pub(super) const IMPORT: BlockSpec = BlockSpec {
    when: When::ALWAYS,
    attrs: &[
        to(AddressUse::ImportTarget).when(UNTIL_1_7),
        to(AddressUse::KeyedImportTargetNotJson).when(V1_7.but_until(1, 7, 2)),
        to(AddressUse::KeyedImportTarget).when(V1_7_2),
        AttrSpec::new("id", AttrKind::Any).when(UNTIL_1_12).required(Required::Always),
        AttrSpec::new("id", AttrKind::Any).when(V1_12),
        AttrSpec::new("identity", AttrKind::Any).when(V1_12),
        AttrSpec::new("for_each", AttrKind::Any).when(V1_7),
        PROVIDER_REFERENCE,
    ],
    checks: &[
        BlockTrait::AddressFirst.when(V1_7),
        BodyCheck::IdOrIdentity { neither: "Missing required import argument", both: "Conflicting import arguments" }
            .when(V1_12),
        BodyCheck::NoProviderForModuleTarget.always(),
    ],
    source: "sections 8, 9, 10 (1.7, 1.7.2, 1.12); terraform.md, sections 5 to 7",
    ..base::IMPORT
};

const fn to(usage: AddressUse) -> AttrSpec {
    AttrSpec::new("to", AttrKind::Address(usage)).required(Required::Always)
}

//! `moved`, `removed`, `import` and `check`. Source: terraform.md, sections 4 to 7 and 10.

use super::super::spec::{
    AddressRule, AddressUse, AttrKind, AttrSpec, BlockSpec, BlockTrait, BodyCheck, NestedCheck, ObjectKind,
    OverrideRule, Required, When,
};
use super::objects::{ASSERT, CONNECTION, DATA, PROVIDER_REFERENCE, PROVISIONER};
use super::{V1_1, V1_5, V1_7, V1_9, V1_12, first, named};

pub(in super::super) const MOVED: BlockSpec = BlockSpec {
    keyword: "moved",
    kind: ObjectKind::Named("moved"),
    when: V1_1,
    address: AddressRule::Numbered("moved"),
    attrs: &[
        AttrSpec::new("from", AttrKind::Address(AddressUse::Moved)).required(Required::Always),
        AttrSpec::new("to", AttrKind::Address(AddressUse::Moved)).required(Required::Always),
    ],
    over: OverrideRule::Refused { title: "Cannot override 'moved' blocks", unread: false },
    checks: &[BodyCheck::MoveEndsAgree.always()],
    source: "sections 5, 6, 7, 10.1 (1.1)",
    ..BlockSpec::PLAIN
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
            attrs: &[AttrSpec::new("destroy", AttrKind::ConstBool)],
            source: "section 10.1 (1.7)",
            ..BlockSpec::PLAIN
        },
        BlockSpec { when: V1_9, ..CONNECTION },
        BlockSpec {
            when: V1_7.but_until(1, 9, 0),
            checks: &[BlockTrait::UnknownYetListed.always()],
            source: "section 10.1 (1.9); suite terraform-versions, removed-with-provisioner",
            ..PROVISIONER
        },
        BlockSpec { when: V1_9, ..PROVISIONER },
    ],
    over: OverrideRule::Ignored,
    unlisted: &["connection"],
    checks: &[NestedCheck::OnlyDestroyProvisioners.when(V1_9)],
    source: "sections 5, 6, 7, 10.1 (1.7, 1.9)",
    ..BlockSpec::PLAIN
};

pub(in super::super) const IMPORT: BlockSpec = BlockSpec {
    keyword: "import",
    kind: ObjectKind::Named("import"),
    when: V1_5,
    address: AddressRule::Numbered("import"),
    attrs: &[
        AttrSpec::new("to", AttrKind::Address(AddressUse::ImportTarget)).required(Required::Always),
        AttrSpec::new("id", AttrKind::ConstText).when(V1_5.but_until(1, 6, 0)).required(Required::Always),
        AttrSpec::new("id", AttrKind::Any).when(When::since(1, 6, 0).but_until(1, 12, 0)).required(Required::Always),
        AttrSpec::new("id", AttrKind::Any).when(V1_12),
        AttrSpec::new("identity", AttrKind::Any).when(V1_12),
        AttrSpec::new("for_each", AttrKind::Any).when(V1_7),
        PROVIDER_REFERENCE,
    ],
    over: OverrideRule::Refused { title: "Cannot override 'import' blocks", unread: false },
    checks: &[
        BlockTrait::WholeOrUnread.when(V1_7),
        BodyCheck::OneImportIdentity.when(V1_12),
        BodyCheck::NoProviderForModuleTarget.always(),
    ],
    source: "sections 5, 6, 7, 10.1 (1.5, 1.6, 1.7, 1.12), 10.2",
    ..BlockSpec::PLAIN
};

pub(in super::super) const CHECK: BlockSpec = BlockSpec {
    keyword: "check",
    kind: ObjectKind::Check,
    when: V1_5,
    labels: &[named("name", "Invalid check block name")],
    address: AddressRule::Labels("check."),
    blocks: &[DATA, ASSERT],
    repeat: first("Duplicate check \"{0}\" configuration"),
    over: OverrideRule::Refused { title: "Can't override check blocks", unread: true },
    checks: &[
        NestedCheck::ChecksNeedAsserts.always(),
        NestedCheck::OneScopedData.always(),
        BlockTrait::ScopedDataIsPlain.always(),
    ],
    source: "sections 4, 5, 6, 7, 10.1 (1.5)",
    ..BlockSpec::PLAIN
};

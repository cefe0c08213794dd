//! The `terraform` block and its content. Source: terraform.md, sections 4 to 7 and 10.

use super::super::spec::{
    AddressRule, AttrKind, AttrSpec, BlockSpec, BlockTrait, BodyRule, ExperimentRule, HeaderCheck, Missing,
    NestedRule, ObjectKind, OverrideRule, Repeat, When,
};
use super::{V1_1, V1_14, first, label, last};

pub(super) const TERRAFORM: BlockSpec = BlockSpec {
    keyword: "terraform",
    kind: ObjectKind::Named("terraform"),
    attrs: &[
        AttrSpec::new("required_version", AttrKind::RequiredVersion(&REQUIRED_VERSION)),
        AttrSpec::new(
            "experiments",
            AttrKind::Experiments(ExperimentRule::Listed { active: &[OPTIONAL_ATTRS], concluded: CONCLUDED }),
        )
        .when(When::until(1, 3, 0)),
        AttrSpec::new(
            "experiments",
            AttrKind::Experiments(ExperimentRule::RefusedUnless { only: OPTIONAL_ATTRS, concluded: CONCLUDED }),
        )
        .when(When::since(1, 3, 0).but_until(1, 8, 0)),
        AttrSpec::new("experiments", AttrKind::Experiments(ExperimentRule::Refused)).when(When::since(1, 8, 0)),
        AttrSpec::new("language", AttrKind::Edition(&["TF2021"])),
    ],
    blocks: &[BACKEND, CLOUD, STATE_STORE_LABELS, REQUIRED_PROVIDERS, PROVIDER_META],
    source: "sections 4, 5",
    ..BlockSpec::PLAIN
};

pub(in super::super) const OPTIONAL_ATTRS: &str = "module_variable_optional_attrs";

const CONCLUDED: &[&str] = &[
    "variable_validation",
    "suppress_provider_sensitive_attrs",
    "provider_sensitive_attrs",
    "config_driven_move",
    "preconditions_postconditions",
    OPTIONAL_ATTRS,
];

pub(in super::super) static REQUIRED_VERSION: BlockSpec = BlockSpec {
    keyword: "required_version",
    kind: ObjectKind::Named("required_version"),
    address: AddressRule::Fixed("terraform.required_version"),
    over: OverrideRule::AllOfFileReplace,
    source: "sections 6, 7",
    ..BlockSpec::PLAIN
};

const BACKEND: BlockSpec = BlockSpec {
    keyword: "backend",
    kind: ObjectKind::Backend,
    labels: &[label("type")],
    address: AddressRule::Fixed("terraform.backend"),
    body: BodyRule::Open { escape: None, nested: NestedRule::ByTypeAndDynamic },
    repeat: first("Duplicate backend configuration"),
    over: OverrideRule::OnePerFile { title: "Duplicate backend configuration", displaces: &[ObjectKind::Cloud] },
    constant: true,
    source: "sections 5, 6, 7, 10.2 (1.13)",
    ..BlockSpec::PLAIN
};

const CLOUD: BlockSpec = BlockSpec {
    keyword: "cloud",
    kind: ObjectKind::Cloud,
    when: V1_1,
    address: AddressRule::Fixed("terraform.cloud"),
    body: BodyRule::Open { escape: None, nested: NestedRule::ByTypeAndDynamic },
    repeat: first("Duplicate HCP Terraform configurations"),
    over: OverrideRule::OnePerFile {
        title: "Duplicate HCP Terraform configurations",
        displaces: &[ObjectKind::Backend],
    },
    constant: true,
    source: "sections 5, 6, 7, 10.1 (1.1), 10.2 (1.8.2)",
    ..BlockSpec::PLAIN
};

/// Releases do not accept this block, but since 1.14 they check its labels first.
const STATE_STORE_LABELS: BlockSpec = BlockSpec {
    keyword: "state_store",
    kind: ObjectKind::Named("state_store"),
    when: V1_14,
    labels: &[label("type")],
    body: BodyRule::Refused { title: "Unsupported block type", at_header: false },
    source: "section 10.3, state_store",
    ..BlockSpec::PLAIN
};

pub(in super::super) const REQUIRED_PROVIDERS: BlockSpec = BlockSpec {
    keyword: "required_providers",
    kind: ObjectKind::RequiredProvider,
    address: AddressRule::EachArgument { prefix: "terraform.required_providers.", identifier: None },
    body: BodyRule::Arguments { drop_when_wrong: true },
    repeat: Repeat::WholeBlock { title: "Duplicate required providers configuration" },
    over: OverrideRule::ReplaceWhole { missing: Missing::Adopt },
    checks: &[BlockTrait::EntriesAreRequirements("registry.terraform.io").always()],
    constant: true,
    source: "sections 5, 6, 7",
    ..BlockSpec::PLAIN
};

/// The block is allowed only inside `terraform`.
pub(in super::super) const REQUIRED_PROVIDERS_OUTSIDE: BlockSpec = BlockSpec {
    keyword: "required_providers",
    kind: ObjectKind::Named("required_providers"),
    body: BodyRule::Refused { title: "Invalid required_providers block", at_header: false },
    source: "section 4",
    ..BlockSpec::PLAIN
};

pub(in super::super) const PROVIDER_META: BlockSpec = BlockSpec {
    keyword: "provider_meta",
    kind: ObjectKind::Named("provider_meta"),
    labels: &[label("provider")],
    address: AddressRule::Labels("terraform.provider_meta."),
    body: BodyRule::Arguments { drop_when_wrong: true },
    repeat: last("Duplicate provider_meta block"),
    over: OverrideRule::Ignored,
    checks: &[HeaderCheck::ValuesAreConstant.always(), HeaderCheck::LocalName.always()],
    source: "sections 5, 6, 7, 10.2 (1.9.8)",
    ..BlockSpec::PLAIN
};

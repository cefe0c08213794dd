//! Settings: the `terraform` block and its content, `language`, and the files. Source: opentofu.md, sections 1 to 4.

use super::super::spec::{
    AddressRule, AttrKind, AttrMerge, AttrSpec, BlockSpec, BlockTrait, BodyRule, CleanCheck, ExperimentRule,
    FileRules, FileSyntax, HeaderCheck, Missing, NestedRule, ObjectKind, OverrideRule, OwnVersionHolder, Release,
    Repeat, SuffixRow, SuffixUse, TestRules, UniqueWithin, When,
};
use super::super::terraform::{self, OPTIONAL_ATTRS, REQUIRED_VERSION, first, label};
use super::{V1_7, V1_8, V1_9, V1_10, V1_12};

const UNTIL_1_8: When = When::until(1, 8, 0);
const UNTIL_1_12: When = When::until(1, 12, 0);

/// opentofu.md, section 1; variable definitions files: variables.md, section A1.
pub(super) const FILES: FileRules = FileRules {
    suffixes: &[
        hidden(".tf", FileSyntax::Native, SuffixUse::Config, ".tofu"),
        hidden(".tf.json", FileSyntax::Json, SuffixUse::Config, ".tofu.json"),
        hidden(".tftest.hcl", FileSyntax::Native, SuffixUse::Test, ".tofutest.hcl"),
        hidden(".tftest.json", FileSyntax::Json, SuffixUse::Test, ".tofutest.json"),
        since_1_8(".tofu", FileSyntax::Native, SuffixUse::Config),
        since_1_8(".tofu.json", FileSyntax::Json, SuffixUse::Config),
        since_1_8(".tofutest.hcl", FileSyntax::Native, SuffixUse::Test),
        since_1_8(".tofutest.json", FileSyntax::Json, SuffixUse::Test),
    ],
    tests: Some(TestRules { folder: "tests", file: super::tests::FILE, mocks: None }),
    ..terraform::FILES
};

const fn hidden(suffix: &'static str, syntax: FileSyntax, usage: SuffixUse, by: &'static str) -> SuffixRow {
    SuffixRow { suffix, syntax, usage, hidden_by: Some(by), when: When::ALWAYS }
}

/// Creates the row of a suffix that the tool reads since 1.8. Before that, a file with the suffix belongs to other
/// software: it is not read and cannot hide another file.
const fn since_1_8(suffix: &'static str, syntax: FileSyntax, usage: SuffixUse) -> SuffixRow {
    SuffixRow { suffix, syntax, usage, hidden_by: None, when: V1_8 }
}

pub(super) const TERRAFORM: BlockSpec = BlockSpec {
    keyword: "terraform",
    kind: ObjectKind::Named("terraform"),
    attrs: &[
        AttrSpec::new("required_version", AttrKind::RequiredVersion(&REQUIRED_VERSION)).when(UNTIL_1_12),
        AttrSpec::new("required_version", AttrKind::OwnVersion { files: &[".tofu", ".tofu.json"] }).when(V1_12),
        AttrSpec::new(
            "experiments",
            AttrKind::Experiments(ExperimentRule::RefusedUnless { only: OPTIONAL_ATTRS, concluded: CONCLUDED }),
        )
        .when(UNTIL_1_12),
        AttrSpec::new("experiments", AttrKind::Forgotten).when(V1_12),
        AttrSpec::new("language", AttrKind::Edition(&["TF2021"])).when(UNTIL_1_12),
        AttrSpec::new("language", AttrKind::Forgotten).when(V1_12),
    ],
    blocks: &[
        BlockSpec { when: UNTIL_1_8, constant: true, ..BACKEND },
        BlockSpec { when: V1_8, ..BACKEND },
        BlockSpec { when: UNTIL_1_8, constant: true, ..CLOUD },
        BlockSpec { when: V1_8, ..CLOUD },
        REQUIRED_PROVIDERS,
        PROVIDER_META,
        ENCRYPTION,
    ],
    source: "sections 2, 3, 4",
    ..BlockSpec::PLAIN
};

/// Keywords of the experiments that the fork inherited; all were concluded by then.
const CONCLUDED: &[&str] = &[
    "variable_validation",
    "provider_sensitive_attrs",
    "config_driven_move",
    "preconditions_postconditions",
    OPTIONAL_ATTRS,
];

/// The whole block is read when a file is decoded; its version constraints are read before that, in a separate pass.
pub(super) const LANGUAGE: BlockSpec = BlockSpec {
    keyword: "language",
    kind: ObjectKind::Named("language"),
    when: V1_12,
    attrs: &[
        AttrSpec::new("edition", AttrKind::Edition(&["tofu2024"])),
        AttrSpec::new("experiments", AttrKind::Experiments(ExperimentRule::Listed { active: &[], concluded: &[] })),
    ],
    blocks: &[BlockSpec {
        keyword: "compatible_with",
        kind: ObjectKind::Named("compatible_with"),
        body: BodyRule::Open { escape: None, nested: NestedRule::ByTypeAndDynamic },
        attrs: &[AttrSpec::new("opentofu", AttrKind::OwnVersion { files: &[] })],
        source: "section 2",
        ..BlockSpec::PLAIN
    }],
    over: OverrideRule::Refused { title: "Language selections in override file", unread: true },
    checks: &[BlockTrait::StatesOwnVersion(OwnVersionHolder {
        block: "compatible_with",
        argument: "opentofu",
        before: Release(1, 11, 0),
    })
    .always()],
    source: "section 2",
    ..BlockSpec::PLAIN
};

/// Arguments may use variables since 1.8, so strings in the JSON syntax are templates from then on.
const BACKEND: BlockSpec = BlockSpec {
    keyword: "backend",
    kind: ObjectKind::Backend,
    labels: &[label("type")],
    address: AddressRule::Fixed("terraform.backend"),
    body: BodyRule::Open { escape: None, nested: NestedRule::ByTypeAndDynamic },
    repeat: first("Duplicate backend configuration"),
    over: OverrideRule::OnePerFile { title: "Duplicate backend configuration", displaces: &[ObjectKind::Cloud] },
    source: "section 3",
    ..BlockSpec::PLAIN
};

const CLOUD: BlockSpec = BlockSpec {
    keyword: "cloud",
    kind: ObjectKind::Cloud,
    address: AddressRule::Fixed("terraform.cloud"),
    body: BodyRule::Open { escape: None, nested: NestedRule::ByTypeAndDynamic },
    repeat: first("Duplicate cloud configurations"),
    over: OverrideRule::OnePerFile { title: "Duplicate cloud configurations", displaces: &[ObjectKind::Backend] },
    source: "section 3",
    ..BlockSpec::PLAIN
};

/// opentofu.md, sections 7.6 and 10: since these patch releases, a block whose body cannot be read still counts.
const REQUIRED_PROVIDERS: BlockSpec = BlockSpec {
    checks: &[
        BlockTrait::EntriesAreRequirements("registry.opentofu.org").always(),
        BlockTrait::CountsIfInvalid.when(When::since(1, 7, 8).but_until(1, 8, 0)),
        BlockTrait::CountsIfInvalid.when(When::since(1, 8, 9).but_until(1, 9, 0)),
        BlockTrait::CountsIfInvalid.when(When::since(1, 9, 1)),
    ],
    source: "sections 7, 10",
    ..terraform::REQUIRED_PROVIDERS
};

/// opentofu.md, sections 7.6, 8 and 10: before 1.10, a block with errors is kept.
const PROVIDER_META: BlockSpec = BlockSpec {
    checks: &[
        HeaderCheck::ValuesAreConstant.always(),
        HeaderCheck::LocalNameKept.when(When::until(1, 10, 0)),
        HeaderCheck::LocalName.when(V1_10),
        BlockTrait::WholeOrNothing.when(V1_10),
    ],
    source: "sections 7, 8, 10",
    ..terraform::PROVIDER_META
};

// ---- encryption ---------------------------------------------------------------------------------------------

const ENCRYPTION: BlockSpec = BlockSpec {
    keyword: "encryption",
    kind: ObjectKind::Named("encryption"),
    when: V1_7,
    address: AddressRule::Fixed("terraform.encryption"),
    blocks: &[
        BlockSpec { when: When::until(1, 9, 0), ..KEY_PROVIDER },
        BlockSpec {
            when: V1_9,
            attrs: &[AttrSpec::new("encrypted_metadata_alias", AttrKind::ConstText).merge(AttrMerge::BaseStays)],
            ..KEY_PROVIDER
        },
        METHOD,
        BlockSpec {
            keyword: "state",
            kind: ObjectKind::Named("state"),
            repeat: several("Duplicate state block"),
            ..ENFORCEABLE
        },
        BlockSpec {
            keyword: "plan",
            kind: ObjectKind::Named("plan"),
            repeat: several("Duplicate plan block"),
            ..ENFORCEABLE
        },
        REMOTE,
    ],
    repeat: first("Duplicate encryption configuration"),
    over: OverrideRule::OnePerFileMerged { title: "Duplicate encryption configuration" },
    checks: &[
        BlockTrait::WholeOrNothing.always(),
        CleanCheck::LabelsDiffer {
            among: UniqueWithin { block: "key_provider", inside: None },
            title: "Duplicate key_provider",
        }
        .always(),
        CleanCheck::LabelsDiffer { among: UniqueWithin { block: "method", inside: None }, title: "Duplicate method" }
            .always(),
        CleanCheck::LabelsDiffer {
            among: UniqueWithin { block: "remote_state_data_source", inside: Some("remote_state_data_sources") },
            title: "Duplicate remote_data_source",
        }
        .always(),
        CleanCheck::LabelsAreWords {
            block: "key_provider",
            titles: &["The provided key provider type is invalid", "The provided key provider name is invalid"],
        }
        .when(V1_10),
        CleanCheck::LabelsAreWords {
            block: "method",
            titles: &[
                "The provided encryption method type is invalid",
                "The provided encryption method name is invalid",
            ],
        }
        .when(V1_10),
    ],
    source: "sections 4, 10",
    ..BlockSpec::PLAIN
};

const fn several(title: &'static str) -> Repeat {
    Repeat::NoneOfSeveral { title }
}

const KEY_PROVIDER: BlockSpec =
    BlockSpec { keyword: "key_provider", kind: ObjectKind::Named("key_provider"), ..METHOD };

/// The schema of its body belongs to the plug-in that its label names.
const METHOD: BlockSpec = BlockSpec {
    keyword: "method",
    kind: ObjectKind::Named("method"),
    labels: &[label("type"), label("name")],
    body: BodyRule::Open { escape: None, nested: NestedRule::ByTypeAndDynamic },
    checks: &[BlockTrait::RequiresBody.always()],
    source: "section 4",
    ..BlockSpec::PLAIN
};

/// Something to be encrypted. To the tool, an absent method is null, and null in an override takes effect.
const TARGET: BlockSpec =
    BlockSpec { attrs: &[TARGET_METHOD], blocks: &[FALLBACK], source: "section 4", ..BlockSpec::PLAIN };

const TARGET_METHOD: AttrSpec = AttrSpec::new("method", AttrKind::Reference).merge(AttrMerge::EvenIfUnset);

const ENFORCEABLE: BlockSpec = BlockSpec {
    attrs: &[AttrSpec::new("enforced", AttrKind::ConstBool).merge(AttrMerge::Or), TARGET_METHOD],
    ..TARGET
};

const FALLBACK: BlockSpec = BlockSpec {
    keyword: "fallback",
    kind: ObjectKind::Named("fallback"),
    attrs: &[AttrSpec::new("method", AttrKind::Reference)],
    blocks: &[BlockSpec {
        keyword: "fallback",
        kind: ObjectKind::Named("fallback"),
        body: BodyRule::LikeParent,
        repeat: several("Duplicate fallback block"),
        source: "section 4",
        ..BlockSpec::PLAIN
    }],
    repeat: several("Duplicate fallback block"),
    over: OverrideRule::ReplaceWhole { missing: Missing::Adopt },
    source: "section 4",
    ..BlockSpec::PLAIN
};

const REMOTE: BlockSpec = BlockSpec {
    keyword: "remote_state_data_sources",
    kind: ObjectKind::Named("remote_state_data_sources"),
    blocks: &[
        BlockSpec {
            keyword: "default",
            kind: ObjectKind::Named("default"),
            repeat: several("Duplicate default block"),
            ..TARGET
        },
        BlockSpec {
            keyword: "remote_state_data_source",
            kind: ObjectKind::Named("remote_state_data_source"),
            labels: &[label("name")],
            ..TARGET
        },
    ],
    repeat: several("Duplicate remote_state_data_sources block"),
    source: "section 4",
    ..BlockSpec::PLAIN
};

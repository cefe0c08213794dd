//! Test files (since 1.6): what `validate` reports about their structure, verified against 1.11.4 (terraform.md,
//! section 12), and the files with the data of mock providers. The values of mocks and overrides since 1.15 are not checked
//! here.

use super::super::spec::{
    AttrKind, AttrSpec, BlockSpec, BlockTrait, BodyCheck, BodyRule, CheckRow, ClashPlace, DuplicatePolicy,
    FileSyntax, HeaderCheck, Identity, KeywordRule, MockRules, NamedFile, ObjectKind, Overridden, Repeat, VersionUse,
    When,
};
use super::{ASSERT, V1_7, V1_12, V1_14, label, last, named};

const V1_11: When = When::since(1, 11, 0);
const V1_13: When = When::since(1, 13, 0);

const SOURCE: &str = "section 10.1 (1.6); runs of validate";

/// The content of a whole test file.
pub(super) const FILE: BlockSpec = BlockSpec {
    keyword: "test file",
    kind: ObjectKind::Named("test file"),
    blocks: &[
        TEST,
        BlockSpec { when: When::until(1, 7, 0), labels: &[label("name")], ..RUN },
        BlockSpec { when: V1_7, ..RUN },
        VARIABLE,
        VARIABLES,
        PROVIDER_WITH_VERSION,
        PROVIDER,
        MOCK_PROVIDER,
        OVERRIDE_RESOURCE,
        OVERRIDE_DATA,
        OVERRIDE_MODULE,
    ],
    checks: &[
        runs_differ(ClashPlace::Header).when(When::until(1, 14, 0)),
        runs_differ(ClashPlace::Label).when(V1_14),
        // A mock replaces a provider, so the two share one set of names.
        differ(
            &["provider", "mock_provider"],
            Identity::LabelAndAlias,
            "Duplicate provider block",
            ClashPlace::Header,
        ),
        OVERRIDE_RESOURCES_DIFFER,
        OVERRIDE_DATA_DIFFER,
        OVERRIDE_MODULES_DIFFER,
    ],
    source: SOURCE,
    ..BlockSpec::PLAIN
};

const fn differ(blocks: &'static [&'static str], by: Identity, title: &'static str, place: ClashPlace) -> CheckRow {
    BodyCheck::BlocksDiffer { blocks, by, title, place }.always()
}

const fn runs_differ(place: ClashPlace) -> BodyCheck {
    BodyCheck::BlocksDiffer { blocks: &["run"], by: Identity::Labels, title: "Duplicate \"run\" block names", place }
}

const OVERRIDE_RESOURCES_DIFFER: CheckRow = differ(
    &["override_resource"],
    Identity::Argument("target"),
    "Duplicate override_resource block",
    ClashPlace::Header,
);
const OVERRIDE_DATA_DIFFER: CheckRow =
    differ(&["override_data"], Identity::Argument("target"), "Duplicate override_data block", ClashPlace::Header);
const OVERRIDE_MODULES_DIFFER: CheckRow =
    differ(&["override_module"], Identity::Argument("target"), "Duplicate override_module block", ClashPlace::Header);

const PARALLEL: AttrSpec = AttrSpec::new("parallel", AttrKind::ConstBool).when(V1_12);
/// Allowed only in experimental builds.
const SKIP_CLEANUP: AttrSpec = AttrSpec::new("skip_cleanup", AttrKind::Refused("Invalid attribute")).when(V1_14);

const TEST: BlockSpec = BlockSpec {
    keyword: "test",
    kind: ObjectKind::Named("test"),
    when: V1_12,
    attrs: &[PARALLEL, SKIP_CLEANUP],
    source: SOURCE,
    ..BlockSpec::PLAIN
};

const RUN: BlockSpec = BlockSpec {
    keyword: "run",
    kind: ObjectKind::Named("run"),
    labels: &[named("name", "Invalid run block name")],
    attrs: &[
        AttrSpec::new(
            "command",
            AttrKind::BareKeyword(KeywordRule { words: &["apply", "plan"], title: "Invalid \"command\" keyword" }),
        ),
        AttrSpec::new("providers", AttrKind::ProviderMap),
        AttrSpec::new("expect_failures", AttrKind::References { action: None }),
        AttrSpec::new("state_key", AttrKind::ConstText).when(V1_11),
        PARALLEL,
        SKIP_CLEANUP,
    ],
    blocks: &[
        PLAN_OPTIONS,
        ASSERT,
        VARIABLES,
        MODULE,
        OVERRIDE_RESOURCE,
        OVERRIDE_DATA,
        OVERRIDE_MODULE,
        BlockSpec {
            keyword: "backend",
            kind: ObjectKind::Named("backend"),
            when: V1_14,
            labels: &[label("type")],
            body: BodyRule::Refused { title: "Invalid block", at_header: true },
            source: SOURCE,
            ..BlockSpec::PLAIN
        },
    ],
    checks: &[OVERRIDE_RESOURCES_DIFFER, OVERRIDE_DATA_DIFFER, OVERRIDE_MODULES_DIFFER],
    source: SOURCE,
    ..BlockSpec::PLAIN
};

pub(in super::super) const PLAN_OPTIONS_CHECKS: &[CheckRow] = &[
    BlockTrait::CountsOnlyIfValid.always(),
    BodyCheck::WordForbidsFalse {
        argument: "mode",
        word: "refresh-only",
        flag: "refresh",
        title: "Incompatible plan options",
    }
    .always(),
];

const PLAN_OPTIONS: BlockSpec = BlockSpec {
    keyword: "plan_options",
    kind: ObjectKind::Named("plan_options"),
    attrs: &[
        AttrSpec::new(
            "mode",
            AttrKind::BareKeyword(KeywordRule {
                words: &["refresh-only", "normal"],
                title: "Invalid \"mode\" keyword",
            }),
        ),
        AttrSpec::new("refresh", AttrKind::ConstBool),
        AttrSpec::new("replace", AttrKind::References { action: None }),
        AttrSpec::new("target", AttrKind::References { action: None }),
    ],
    repeat: Repeat::Error { title: "Multiple \"plan_options\" blocks", keeps: DuplicatePolicy::First },
    checks: PLAN_OPTIONS_CHECKS,
    source: SOURCE,
    ..BlockSpec::PLAIN
};

const VARIABLES: BlockSpec = BlockSpec {
    keyword: "variables",
    kind: ObjectKind::Named("variables"),
    body: BodyRule::Arguments { drop_when_wrong: false },
    repeat: Repeat::Error { title: "Multiple \"variables\" blocks", keeps: DuplicatePolicy::First },
    source: SOURCE,
    ..BlockSpec::PLAIN
};

/// The tool's documentation says that these are the same as in the module. It does not say whether two may have the
/// same name.
const VARIABLE: BlockSpec = BlockSpec { when: V1_13, source: SOURCE, ..super::VARIABLE };

pub(in super::super) const MODULE_OF_RUN_CHECKS: &[CheckRow] = &[
    BlockTrait::CountsOnlyIfValid.always(),
    BodyCheck::Needs { argument: "source", title: "Missing \"source\" attribute for module block" }.always(),
];

const MODULE: BlockSpec = BlockSpec {
    keyword: "module",
    kind: ObjectKind::Named("module"),
    attrs: &[
        AttrSpec::new("source", AttrKind::TestedModuleSource { downloaded: false }),
        AttrSpec::new("version", AttrKind::VersionConstraint(VersionUse::Module)),
    ],
    repeat: last("Multiple \"module\" blocks"),
    checks: MODULE_OF_RUN_CHECKS,
    source: SOURCE,
    ..BlockSpec::PLAIN
};

/// As in the module: a version is a warning.
const PROVIDER_WITH_VERSION: BlockSpec =
    BlockSpec { when: When::until(1, 9, 0), repeat: Repeat::Accumulate, source: SOURCE, ..super::PROVIDER };

/// A version is an error, according to the change log of 1.9.
const PROVIDER: BlockSpec = BlockSpec {
    when: When::since(1, 9, 0),
    attrs: super::PROVIDER_ATTRS_OF_TESTS,
    repeat: Repeat::Accumulate,
    source: SOURCE,
    ..super::PROVIDER
};

const DURING: AttrSpec = AttrSpec::new(
    "override_during",
    AttrKind::BareKeywordAtArgument(KeywordRule {
        words: &["plan", "apply"],
        title: "Invalid override_during value",
    }),
)
.when(V1_11);

const fn target(of: Overridden) -> AttrSpec {
    AttrSpec::new("target", AttrKind::OverrideTarget { of, title: "Invalid override target" })
}

/// The values of mocks and overrides are constants before 1.15.
const fn constant(name: &'static str) -> AttrSpec {
    AttrSpec::new(name, AttrKind::Constant).when(When::until(1, 15, 0))
}

/// Since 1.15, they may call functions (hashicorp/terraform#34672).
const fn evaluated(name: &'static str) -> AttrSpec {
    AttrSpec::new(name, AttrKind::Any).when(When::since(1, 15, 0))
}

const NEEDS_TARGET: CheckRow = BodyCheck::Needs { argument: "target", title: "Missing target attribute" }.always();

const OVERRIDE_RESOURCE: BlockSpec = BlockSpec {
    keyword: "override_resource",
    kind: ObjectKind::Named("override_resource"),
    when: V1_7,
    attrs: &[target(Overridden::Resource), constant("values"), evaluated("values"), DURING],
    checks: &[NEEDS_TARGET],
    source: SOURCE,
    ..BlockSpec::PLAIN
};

const OVERRIDE_DATA: BlockSpec = BlockSpec {
    keyword: "override_data",
    kind: ObjectKind::Named("override_data"),
    attrs: &[target(Overridden::Data), constant("values"), evaluated("values"), DURING],
    ..OVERRIDE_RESOURCE
};

const OVERRIDE_MODULE: BlockSpec = BlockSpec {
    keyword: "override_module",
    kind: ObjectKind::Named("override_module"),
    attrs: &[target(Overridden::Module), constant("outputs"), evaluated("outputs"), DURING],
    ..OVERRIDE_RESOURCE
};

const MOCK_PROVIDER: BlockSpec = BlockSpec {
    keyword: "mock_provider",
    kind: ObjectKind::Named("mock_provider"),
    when: V1_7,
    labels: &[label("name")],
    attrs: &[AttrSpec::new("alias", AttrKind::Alias), AttrSpec::new("source", AttrKind::ConstText), DURING],
    blocks: &[
        MOCK_RESOURCE,
        BlockSpec { keyword: "mock_data", kind: ObjectKind::Named("mock_data"), ..MOCK_RESOURCE },
        OVERRIDE_RESOURCE,
        OVERRIDE_DATA,
    ],
    checks: &[
        HeaderCheck::LocalName.always(),
        differ(&["mock_resource"], Identity::Labels, "Duplicate mock_resource block", ClashPlace::Label),
        differ(&["mock_data"], Identity::Labels, "Duplicate mock_data block", ClashPlace::Label),
        OVERRIDE_RESOURCES_DIFFER,
        OVERRIDE_DATA_DIFFER,
    ],
    source: SOURCE,
    ..BlockSpec::PLAIN
};

const MOCK_RESOURCE: BlockSpec = BlockSpec {
    keyword: "mock_resource",
    kind: ObjectKind::Named("mock_resource"),
    labels: &[label("type")],
    attrs: &[constant("defaults"), evaluated("defaults"), DURING],
    source: SOURCE,
    ..BlockSpec::PLAIN
};

/// The files in the directory that `source` of a mock provider names. They contain what could also be in the mock provider.
pub(super) const MOCKS: MockRules = MockRules {
    names: &[
        NamedFile { name: ".tfmock.hcl", syntax: FileSyntax::Native, when: V1_7 },
        NamedFile { name: ".tfmock.json", syntax: FileSyntax::Json, when: V1_7 },
    ],
    file: BlockSpec {
        labels: &[],
        attrs: &[],
        checks: &[
            differ(&["mock_resource"], Identity::Labels, "Duplicate mock_resource block", ClashPlace::Label),
            differ(&["mock_data"], Identity::Labels, "Duplicate mock_data block", ClashPlace::Label),
            OVERRIDE_RESOURCES_DIFFER,
            OVERRIDE_DATA_DIFFER,
        ],
        ..MOCK_PROVIDER
    },
};

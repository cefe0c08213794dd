//! Test files (since 1.6): what `validate` says of their structure. Which addresses are targets, whether mocks and overrides
//! are given twice, and what their values have to be is not judged here.

use super::super::spec::{
    AttrKind, AttrSpec, BlockSpec, BodyRule, Check, CheckRow, Keeps, KeywordRule, NestedRule, Repeat, VersionUse,
    When,
};
use super::{ASSERT, V1_7, V1_12, V1_14, label, last, named};

const V1_11: When = When::since(1, 11, 0);
const V1_13: When = When::since(1, 13, 0);

const SOURCE: &str = "section 10.1 (1.6); runs of validate";

/// The whole file.
pub(super) const FILE: BlockSpec = BlockSpec {
    keyword: "test file",
    kind: "test file",
    blocks: &[
        TEST,
        BlockSpec { when: When::until(1, 7, 0), labels: &[label("name")], ..RUN },
        BlockSpec { when: V1_7, ..RUN },
        VARIABLE,
        VARIABLES,
        PROVIDER,
        MOCK_PROVIDER,
        OVERRIDE_RESOURCE,
        OVERRIDE_DATA,
        OVERRIDE_MODULE,
    ],
    source: SOURCE,
    ..BlockSpec::PLAIN
};

const UNREAD: BodyRule = BodyRule::Open { escape: None, nested: NestedRule::ByTypeAndDynamic };

const PARALLEL: AttrSpec = AttrSpec::new("parallel", AttrKind::ConstBool).when(V1_12);
/// Only for experimental builds.
const SKIP_CLEANUP: AttrSpec = AttrSpec::new("skip_cleanup", AttrKind::Refused("Invalid attribute")).when(V1_14);

const TEST: BlockSpec = BlockSpec {
    keyword: "test",
    kind: "test",
    when: V1_12,
    attrs: &[PARALLEL, SKIP_CLEANUP],
    source: SOURCE,
    ..BlockSpec::PLAIN
};

const RUN: BlockSpec = BlockSpec {
    keyword: "run",
    kind: "run",
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
            kind: "backend",
            when: V1_14,
            labels: &[label("type")],
            body: BodyRule::Refused { title: "Invalid block", at_header: true },
            source: SOURCE,
            ..BlockSpec::PLAIN
        },
    ],
    source: SOURCE,
    ..BlockSpec::PLAIN
};

const PLAN_OPTIONS: BlockSpec = BlockSpec {
    keyword: "plan_options",
    kind: "plan_options",
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
    repeat: Repeat::Error { title: "Multiple \"plan_options\" blocks", keeps: Keeps::First },
    source: SOURCE,
    ..BlockSpec::PLAIN
};

const VARIABLES: BlockSpec = BlockSpec {
    keyword: "variables",
    kind: "variables",
    body: BodyRule::Arguments { drop_when_wrong: false },
    repeat: Repeat::Error { title: "Multiple \"variables\" blocks", keeps: Keeps::First },
    source: SOURCE,
    ..BlockSpec::PLAIN
};

/// What is wrong inside is not reported here.
const VARIABLE: BlockSpec = BlockSpec {
    keyword: "variable",
    kind: "variable",
    when: V1_13,
    labels: &[label("name")],
    body: UNREAD,
    source: SOURCE,
    ..BlockSpec::PLAIN
};

const MODULE: BlockSpec = BlockSpec {
    keyword: "module",
    kind: "module",
    attrs: &[
        AttrSpec::new("source", AttrKind::ConstText),
        AttrSpec::new("version", AttrKind::VersionConstraint(VersionUse::Module)),
    ],
    repeat: last("Multiple \"module\" blocks"),
    checks: &[CheckRow::new(Check::Needs {
        argument: "source",
        title: "Missing \"source\" attribute for module block",
    })],
    source: SOURCE,
    ..BlockSpec::PLAIN
};

/// As in the module, but a version is another mistake, which is not reported here.
const PROVIDER: BlockSpec = BlockSpec {
    attrs: super::PROVIDER_ATTRS_WITHOUT_VERSION,
    repeat: Repeat::Accumulate,
    source: SOURCE,
    ..super::PROVIDER
};

const DURING: AttrSpec = AttrSpec::new("override_during", AttrKind::Any).when(V1_11);
const TARGET: AttrSpec = AttrSpec::new("target", AttrKind::Any);
const NEEDS_TARGET: CheckRow = CheckRow::new(Check::Needs { argument: "target", title: "Missing target attribute" });

const OVERRIDE_RESOURCE: BlockSpec = BlockSpec {
    keyword: "override_resource",
    kind: "override_resource",
    when: V1_7,
    attrs: &[TARGET, AttrSpec::new("values", AttrKind::Any), DURING],
    checks: &[NEEDS_TARGET],
    source: SOURCE,
    ..BlockSpec::PLAIN
};

const OVERRIDE_DATA: BlockSpec = BlockSpec { keyword: "override_data", kind: "override_data", ..OVERRIDE_RESOURCE };

const OVERRIDE_MODULE: BlockSpec = BlockSpec {
    keyword: "override_module",
    kind: "override_module",
    attrs: &[TARGET, AttrSpec::new("outputs", AttrKind::Any), DURING],
    ..OVERRIDE_RESOURCE
};

const MOCK_PROVIDER: BlockSpec = BlockSpec {
    keyword: "mock_provider",
    kind: "mock_provider",
    when: V1_7,
    labels: &[label("name")],
    attrs: &[AttrSpec::new("alias", AttrKind::Alias), AttrSpec::new("source", AttrKind::Any), DURING],
    blocks: &[
        MOCK_RESOURCE,
        BlockSpec { keyword: "mock_data", kind: "mock_data", ..MOCK_RESOURCE },
        OVERRIDE_RESOURCE,
        OVERRIDE_DATA,
    ],
    checks: &[CheckRow::new(Check::LocalName)],
    source: SOURCE,
    ..BlockSpec::PLAIN
};

const MOCK_RESOURCE: BlockSpec = BlockSpec {
    keyword: "mock_resource",
    kind: "mock_resource",
    labels: &[label("type")],
    attrs: &[AttrSpec::new("defaults", AttrKind::Any), DURING],
    source: SOURCE,
    ..BlockSpec::PLAIN
};

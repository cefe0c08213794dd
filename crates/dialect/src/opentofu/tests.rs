//! Test files: the name of a run (opentofu.md, section 1), and what else a test file may contain according to the
//! tool's code. The values of targets, mocks and the like are not checked here. Runs, providers and overrides may be
//! declared twice; the tool checks some of that only when it runs tests.

use super::super::spec::{
    AttrKind, AttrSpec, BlockSpec, BlockTrait, BodyCheck, BodyRule, CheckRow, ClashPlace, DuplicatePolicy,
    HeaderCheck, Identity, KeywordRule, LabelSpec, ObjectKind, Repeat, Required, VersionUse, When,
};
use super::super::terraform;
use super::super::terraform::{MODULE_OF_RUN_CHECKS, PLAN_OPTIONS_CHECKS, label, last, named};
use super::{V1_8, V1_9, V1_11};

/// The content of a whole test file.
pub(super) const FILE: BlockSpec = BlockSpec {
    keyword: "test file",
    kind: ObjectKind::Named("test file"),
    blocks: &[
        BlockSpec { when: When::until(1, 7, 1), labels: &[label("name")], ..RUN },
        BlockSpec { when: When::since(1, 7, 1), ..RUN },
        VARIABLES,
        super::early_eval::PROVIDER,
        OVERRIDE_RESOURCE,
        OVERRIDE_DATA,
        OVERRIDE_MODULE,
        MOCK_PROVIDER,
    ],
    checks: &[differ(
        &["mock_provider"],
        Identity::LabelAndAlias,
        "Duplicated `mock_provider` block",
        ClashPlace::Header,
    )],
    source: "section 1",
    ..BlockSpec::PLAIN
};

const fn differ(blocks: &'static [&'static str], by: Identity, title: &'static str, place: ClashPlace) -> CheckRow {
    BodyCheck::BlocksDiffer { blocks, by, title, place }.always()
}

const NAME: LabelSpec = named("name", "Invalid run block name");

const RUN: BlockSpec = BlockSpec {
    keyword: "run",
    kind: ObjectKind::Named("run"),
    labels: &[NAME],
    attrs: &[
        AttrSpec::new(
            "command",
            AttrKind::BareKeyword(KeywordRule { words: &["apply", "plan"], title: "Invalid \"command\" keyword" }),
        ),
        AttrSpec::new("providers", AttrKind::ProviderMap),
        AttrSpec::new("expect_failures", AttrKind::References { action: None }),
    ],
    blocks: &[PLAN_OPTIONS, terraform::ASSERT, VARIABLES, MODULE, OVERRIDE_RESOURCE, OVERRIDE_DATA, OVERRIDE_MODULE],
    source: "section 1",
    ..BlockSpec::PLAIN
};

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
    source: "section 1",
    ..BlockSpec::PLAIN
};

const VARIABLES: BlockSpec = BlockSpec {
    keyword: "variables",
    kind: ObjectKind::Named("variables"),
    body: BodyRule::Arguments { drop_when_wrong: false },
    repeat: Repeat::Error { title: "Multiple \"variables\" blocks", keeps: DuplicatePolicy::First },
    source: "section 1",
    ..BlockSpec::PLAIN
};

const MODULE: BlockSpec = BlockSpec {
    keyword: "module",
    kind: ObjectKind::Named("module"),
    attrs: &[
        AttrSpec::new("source", AttrKind::TestedModuleSource { downloaded: false }).when(When::until(1, 10, 0)),
        AttrSpec::new("source", AttrKind::TestedModuleSource { downloaded: true }).when(When::since(1, 10, 0)),
        AttrSpec::new("version", AttrKind::VersionConstraint(VersionUse::Module)),
    ],
    repeat: last("Multiple \"module\" blocks"),
    checks: MODULE_OF_RUN_CHECKS,
    source: "section 1",
    ..BlockSpec::PLAIN
};

const TARGET: AttrSpec = AttrSpec::new("target", AttrKind::Any).required(Required::Always);

const OVERRIDE_RESOURCE: BlockSpec = BlockSpec {
    keyword: "override_resource",
    kind: ObjectKind::Named("override_resource"),
    when: V1_8,
    attrs: &[TARGET, AttrSpec::new("values", AttrKind::Any)],
    source: "section 1",
    ..BlockSpec::PLAIN
};

const OVERRIDE_DATA: BlockSpec =
    BlockSpec { keyword: "override_data", kind: ObjectKind::Named("override_data"), ..OVERRIDE_RESOURCE };

const OVERRIDE_MODULE: BlockSpec = BlockSpec {
    keyword: "override_module",
    kind: ObjectKind::Named("override_module"),
    attrs: &[TARGET, AttrSpec::new("outputs", AttrKind::Any)],
    ..OVERRIDE_RESOURCE
};

const MOCK_PROVIDER: BlockSpec = BlockSpec {
    keyword: "mock_provider",
    kind: ObjectKind::Named("mock_provider"),
    when: V1_8,
    labels: &[label("name")],
    attrs: &[AttrSpec::new("alias", AttrKind::Any), AttrSpec::new("for_each", AttrKind::Any).when(V1_11)],
    blocks: &[
        MOCK_RESOURCE,
        BlockSpec { keyword: "mock_data", kind: ObjectKind::Named("mock_data"), ..MOCK_RESOURCE },
        BlockSpec { when: V1_9, ..OVERRIDE_RESOURCE },
        BlockSpec { when: V1_9, ..OVERRIDE_DATA },
    ],
    checks: &[
        HeaderCheck::LocalName.always(),
        differ(&["mock_resource"], Identity::Labels, "Duplicated `mock_resource` block", ClashPlace::Around),
        differ(&["mock_data"], Identity::Labels, "Duplicated `mock_data` block", ClashPlace::Around),
        BlockTrait::WholeOrNothing.always(),
    ],
    source: "section 1",
    ..BlockSpec::PLAIN
};

const MOCK_RESOURCE: BlockSpec = BlockSpec {
    keyword: "mock_resource",
    kind: ObjectKind::Named("mock_resource"),
    labels: &[label("type")],
    attrs: &[AttrSpec::new("defaults", AttrKind::Any)],
    checks: &[BlockTrait::WholeOrNothing.always()],
    source: "section 1",
    ..BlockSpec::PLAIN
};

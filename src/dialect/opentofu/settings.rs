//! Settings: the `terraform` block and what stands in it, `language`, and the files. Source: opentofu.md, sections 1 to 4.

use super::super::spec::{
    AddressRule, AttrKind, AttrSpec, BlockSpec, BodyRule, ExperimentRule, FileRules, FileSyntax, NestedRule,
    OverrideRule, SuffixRow, SuffixUse, When,
};
use super::super::terraform::{
    self, CONCLUDED, OPTIONAL_ATTRS, PROVIDER_META, REQUIRED_PROVIDERS, REQUIRED_VERSION, first, label,
};
use super::V1_8;

/// Section 1; values files: variables.md, A1.
pub(super) const FILES: FileRules = FileRules {
    suffixes: &[
        hidden(".tf", FileSyntax::Native, SuffixUse::Config, ".tofu"),
        hidden(".tf.json", FileSyntax::Json, SuffixUse::Config, ".tofu.json"),
        hidden(".tftest.hcl", FileSyntax::Native, SuffixUse::Test, ".tofutest.hcl"),
        hidden(".tftest.json", FileSyntax::Json, SuffixUse::Test, ".tofutest.json"),
        own(".tofu", FileSyntax::Native, SuffixUse::Config),
        own(".tofu.json", FileSyntax::Json, SuffixUse::Config),
        own(".tofutest.hcl", FileSyntax::Native, SuffixUse::Test),
        own(".tofutest.json", FileSyntax::Json, SuffixUse::Test),
    ],
    ..terraform::FILES
};

const fn hidden(suffix: &'static str, syntax: FileSyntax, usage: SuffixUse, by: &'static str) -> SuffixRow {
    SuffixRow { suffix, syntax, usage, hidden_by: Some(by), when: When::ALWAYS }
}

/// Before 1.8 such a file is other software's: neither read nor able to hide anything.
const fn own(suffix: &'static str, syntax: FileSyntax, usage: SuffixUse) -> SuffixRow {
    SuffixRow { suffix, syntax, usage, hidden_by: None, when: V1_8 }
}

pub(super) const TERRAFORM: BlockSpec = BlockSpec {
    keyword: "terraform",
    kind: "terraform",
    attrs: &[
        AttrSpec::new("required_version", AttrKind::RequiredVersion(&REQUIRED_VERSION)),
        AttrSpec::new(
            "experiments",
            AttrKind::Experiments(ExperimentRule::RefusedUnless { only: OPTIONAL_ATTRS, concluded: CONCLUDED }),
        ),
        AttrSpec::new("language", AttrKind::Edition(&["TF2021"])),
    ],
    blocks: &[
        BlockSpec { when: When::until(1, 8, 0), constant: true, ..BACKEND },
        BlockSpec { when: V1_8, ..BACKEND },
        BlockSpec { when: When::until(1, 8, 0), constant: true, ..CLOUD },
        BlockSpec { when: V1_8, ..CLOUD },
        REQUIRED_PROVIDERS,
        PROVIDER_META,
    ],
    source: "sections 2, 3",
    ..BlockSpec::PLAIN
};

/// Arguments may use variables since 1.8, so that strings of the JSON syntax are templates from then on.
const BACKEND: BlockSpec = BlockSpec {
    keyword: "backend",
    kind: "backend",
    labels: &[label("type")],
    address: AddressRule::Fixed("terraform.backend"),
    body: BodyRule::Open { escape: None, nested: NestedRule::ByTypeAndDynamic },
    repeat: first("Duplicate backend configuration"),
    over: OverrideRule::OnePerFile { title: "Duplicate backend configuration", displaces: &["cloud"] },
    source: "section 3",
    ..BlockSpec::PLAIN
};

const CLOUD: BlockSpec = BlockSpec {
    keyword: "cloud",
    kind: "cloud",
    address: AddressRule::Fixed("terraform.cloud"),
    body: BodyRule::Open { escape: None, nested: NestedRule::ByTypeAndDynamic },
    repeat: first("Duplicate cloud configurations"),
    over: OverrideRule::OnePerFile { title: "Duplicate cloud configurations", displaces: &["backend"] },
    source: "section 3",
    ..BlockSpec::PLAIN
};

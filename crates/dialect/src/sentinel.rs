//! Sentinel's command line, 0.16 to 0.41. Source of every row: sentinel.md; `source` names the sections.
//!
//! The tool is closed source, and none of this was verified by running it: whatever the document marks as inferred or
//! open is a decision of this service, listed in `DECISIONS`.

use super::behaviours::Behaviours;
use super::registry::{Line, Table};
use super::spec::{
    AddressRule, AttrKind, AttrSpec, BlockSpec, DialectSpec, DuplicatePolicy, FileRules, FileSyntax, KeywordRule,
    KindRow, Kinds, LabelSpec, LiteralShape, MergedCheck, Missing, MissingCheck, NamedFile, ObjectKind, OverrideRule,
    Repeat, Required, Rules, SuffixRow, SuffixUse, View, When,
};
use super::terraform::VARIABLES;
use super::variables::VariableRules;

const V0_19: When = When::since(0, 19, 0);
const UNTIL_0_19: When = When::until(0, 19, 0);
const V0_26: When = When::since(0, 26, 0);

/// Decisions about what the document marks as inferred or open.
const DECISIONS: &[&str] = &[
    "Section 1: hidden and backup files, letter case and the order of primary files follow the rules of \
     Terraform, whose page has the same wording; \"x-override.hcl\" is primary; \"sentinel.json\" is ignored, with a note, if \
     there are .hcl files.",
    "Section 1: a file that is read on its own (-config, a test case) has no override files.",
    "Section 2: a value that is not a constant is kept as source text and not checked; a string in JSON is used \
     literally.",
    "Section 3: unknown block types, arguments and kinds of import, a constant of the wrong type and an unknown \
     enforcement level are errors, as in other HCL decoders; as there, a number or a boolean is accepted where a \
     string is expected.",
    "Section 3: the value of a param or global is required; a mock may omit both forms but must not have both; \
     \"test\" and \"sentinel\" may be empty; the names of features are not checked.",
    "Section 3: a policy that no override file changes may omit its source, with a warning: older documents of HCP \
     Terraform show that form, and mean the file NAME.sentinel in the same directory. Override files belong to the \
     command line, which requires a source.",
    "Section 3: the same header twice among primary files is an error, and the first block is used.",
    "Section 3: a custom import of any kind must not use the name of a standard import. Imports of the feature \
     \"terraform\" may be configured without a source, and their names may be used.",
    "Section 3: the block \"module\" is supported in every version.",
    "Section 5: files are sorted by the bytes of the whole name, .hcl and .json in one list.",
    "Section 5: an override may correct an incomplete or invalid base, so whole blocks are checked after the merge; \
     every error is reported.",
    "Section 5: module \"x\" is not the base of import \"module\" \"x\".",
    "Section 6: values of params and globals from outside are not supported yet.",
    "Section 7: the import with one label is supported before 0.19 and an error from then on. The layout of 0.15 and \
     older is not supported, and neither is the argument form of \"module\" in a mock, in any version.",
];

/// The table of the dialect. Releases: the tool's release notes.
pub(super) static TABLE: Table = Table {
    spec: DialectSpec {
        name: "sentinel",
        tool: "Sentinel",
        validate: None,
        version: "",
        version_file: None,
        files: FILES,
        // There are no input variables. Values for params and globals from outside are not supported yet (sentinel.md,
        // section 6).
        variables: VariableRules { sources: &[], ..VARIABLES },
        view: View::ByAddress,
        blocks: &[POLICY, IMPORT, IMPORT_OLD, MOCK, PARAM, GLOBAL, TEST, SENTINEL, MODULE],
        rules: Rules::NONE,
        behaviours: Behaviours::NONE,
        rule_rows: &[],
        builtins: &[],
        titles: &[],
        decisions: DECISIONS,
    },
    newest: "0.41.0",
    lines: &[
        Line::new(0, 16, 1),
        Line::new(0, 17, 4),
        Line::new(0, 18, 13),
        Line::new(0, 19, 5),
        Line::new(0, 20, 0),
        Line::new(0, 21, 1),
        Line::new(0, 22, 1),
        Line::new(0, 23, 1),
        Line::new(0, 24, 4),
        Line::new(0, 25, 1),
        Line::new(0, 26, 3),
        Line::new(0, 27, 0),
        Line::new(0, 28, 0),
        Line::new(0, 29, 0),
        Line::new(0, 30, 0),
        Line::new(0, 40, 0),
        Line::new(0, 41, 0),
    ],
};

/// sentinel.md, section 1. Directories and override files are read since 0.19; before that, only the one file with the
/// default name.
const FILES: FileRules = FileRules {
    suffixes: &[
        SuffixRow {
            suffix: ".hcl",
            syntax: FileSyntax::Native,
            usage: SuffixUse::Config,
            hidden_by: None,
            when: V0_19,
        },
        SuffixRow {
            suffix: ".json",
            syntax: FileSyntax::Json,
            usage: SuffixUse::OverrideOnly,
            hidden_by: None,
            when: V0_19,
        },
    ],
    values: &[],
    override_stem: "override",
    override_tail: "_override",
    alone: &[
        NamedFile { name: "sentinel.hcl", syntax: FileSyntax::Native, when: UNTIL_0_19 },
        NamedFile { name: "sentinel.json", syntax: FileSyntax::Json, when: When::ALWAYS },
    ],
    by_request: &[
        NamedFile { name: ".hcl", syntax: FileSyntax::Native, when: When::ALWAYS },
        NamedFile { name: ".json", syntax: FileSyntax::Json, when: When::ALWAYS },
    ],
    tests: None,
};

const NAME: LabelSpec = LabelSpec { name: "name", identifier: None };

/// sentinel.md, section 5: every block except `test` needs a base, arguments are replaced one by one, and nothing is
/// required in an override. sentinel.md, section 2: literals.
const fn row(keyword: &'static str, duplicate: &'static str, missing: &'static str) -> BlockSpec {
    BlockSpec {
        keyword,
        kind: ObjectKind::Named(keyword),
        repeat: Repeat::Error { title: duplicate, keeps: DuplicatePolicy::First },
        over: OverrideRule::Merge { missing: Missing::Error(missing) },
        constant: true,
        source: "sections 3, 5",
        ..BlockSpec::PLAIN
    }
}

const fn text(name: &'static str) -> AttrSpec {
    AttrSpec::new(name, AttrKind::Literal(LiteralShape::Text))
}

const fn map(name: &'static str) -> AttrSpec {
    AttrSpec::new(name, AttrKind::Literal(LiteralShape::Map))
}

/// Required in the merged block (sentinel.md, section 5 (rule 6)).
const SOURCE: AttrSpec = text("source").required(Required::AfterMerge);
const ARGS: AttrSpec = AttrSpec::new("args", AttrKind::Literal(LiteralShape::List));
const ENV: AttrSpec = AttrSpec::new("env", AttrKind::Literal(LiteralShape::TextMap));

const LEVEL: AttrSpec = AttrSpec::new(
    "enforcement_level",
    AttrKind::Literal(LiteralShape::OneOf(KeywordRule {
        words: &["advisory", "soft-mandatory", "hard-mandatory"],
        title: "Unsupported enforcement level",
    })),
);

const POLICY: BlockSpec = BlockSpec {
    labels: &[NAME],
    address: AddressRule::Labels("policy."),
    attrs: &[
        SOURCE,
        LEVEL.when(When::until(0, 18, 11)).required(Required::AfterMerge),
        LEVEL.when(When::since(0, 18, 11)),
        map("params").when(When::since(0, 21, 0)),
    ],
    checks: &[MissingCheck::ImpliedFile { argument: "source", suffix: ".sentinel" }.always()],
    ..row("policy", "Duplicate policy block", "Missing base policy block to override")
};

// ---- imports --------------------------------------------------------------------------------------------------

const STANDARD: &[&str] =
    &["base64", "decimal", "http", "json", "runtime", "sockaddr", "strings", "time", "types", "units", "version"];

/// Standard imports since 0.26.
const COLLECTIONS: &[&str] = &["collection", "collection/lists", "collection/maps"];

/// Imports that the feature `terraform` provides.
const OF_FEATURE: &[&str] = &["tfplan/v1", "tfplan/v2", "tfconfig/v1", "tfconfig/v2", "tfstate/v1", "tfstate/v2"];

const fn not_replaceable(names: &'static [&'static str]) -> MergedCheck {
    MergedCheck::MayNotHave { argument: "source", names, title: "Standard import cannot be replaced" }
}

const fn built_in(names: &'static [&'static str]) -> MissingCheck {
    MissingCheck::MayLack { argument: "source", names }
}

/// The common parts of the three kinds of imports.
const IMPORT_ANY: BlockSpec = BlockSpec {
    when: V0_19,
    labels: &[LabelSpec { name: "kind", identifier: None }, NAME],
    address: AddressRule::Labels("import."),
    ..row("import", "Duplicate import block", "Missing base import block to override")
};

const IMPORT: BlockSpec = BlockSpec {
    kinds: Kinds::ByFirstLabel {
        rows: &[
            KindRow { label: "module", spec: IMPORT_MODULE },
            KindRow { label: "plugin", spec: IMPORT_PLUGIN },
            KindRow { label: "static", spec: IMPORT_STATIC },
        ],
        title: "Unsupported import kind",
    },
    ..IMPORT_ANY
};

const IMPORT_MODULE: BlockSpec = BlockSpec {
    attrs: &[SOURCE],
    checks: &[not_replaceable(STANDARD).always(), not_replaceable(COLLECTIONS).when(V0_26)],
    ..IMPORT_ANY
};

const IMPORT_PLUGIN: BlockSpec = BlockSpec {
    attrs: &[SOURCE, ARGS, ENV, map("config")],
    checks: &[
        not_replaceable(STANDARD).always(),
        not_replaceable(COLLECTIONS).when(V0_26),
        built_in(STANDARD).always(),
        built_in(COLLECTIONS).when(V0_26),
        built_in(OF_FEATURE).always(),
    ],
    ..IMPORT_ANY
};

const IMPORT_STATIC: BlockSpec = BlockSpec {
    attrs: &[
        SOURCE,
        AttrSpec::new(
            "format",
            AttrKind::Literal(LiteralShape::OneOf(KeywordRule {
                words: &["json"],
                title: "Unsupported static import format",
            })),
        )
        .required(Required::AfterMerge),
    ],
    checks: &[not_replaceable(STANDARD).always(), not_replaceable(COLLECTIONS).when(V0_26)],
    ..IMPORT_ANY
};

/// sentinel.md, section 7.
const IMPORT_OLD: BlockSpec = BlockSpec {
    when: UNTIL_0_19,
    labels: &[NAME],
    address: AddressRule::Labels("import."),
    attrs: &[text("path").required(Required::AfterMerge), ARGS, ENV, map("config")],
    source: "section 7",
    ..row("import", "Duplicate import block", "Missing base import block to override")
};

// ---- the others -----------------------------------------------------------------------------------------------

const MOCK: BlockSpec = BlockSpec {
    labels: &[NAME],
    address: AddressRule::Labels("mock."),
    attrs: &[AttrSpec::new("data", AttrKind::Any)],
    blocks: &[BlockSpec {
        keyword: "module",
        kind: ObjectKind::Named("module"),
        attrs: &[SOURCE],
        repeat: Repeat::Error { title: "Duplicate module block", keeps: DuplicatePolicy::First },
        over: OverrideRule::AllReplace,
        constant: true,
        source: "sections 3, 5 (rule 5)",
        ..BlockSpec::PLAIN
    }],
    checks: &[MergedCheck::NotBoth { argument: "data", block: "module", title: "Conflicting mock forms" }.always()],
    ..row("mock", "Duplicate mock block", "Missing base mock block to override")
};

const VALUE: AttrSpec = AttrSpec::new("value", AttrKind::Any).required(Required::AfterMerge);

const PARAM: BlockSpec = BlockSpec {
    labels: &[NAME],
    address: AddressRule::Labels("param."),
    attrs: &[VALUE],
    ..row("param", "Duplicate param block", "Missing base param block to override")
};

const GLOBAL: BlockSpec = BlockSpec {
    labels: &[NAME],
    address: AddressRule::Labels("global."),
    attrs: &[VALUE],
    ..row("global", "Duplicate global block", "Missing base global block to override")
};

/// The only block that an override file may add (sentinel.md, section 5 (rule 2)).
const TEST: BlockSpec = BlockSpec {
    address: AddressRule::Fixed("test"),
    attrs: &[map("rules")],
    over: OverrideRule::Merge { missing: Missing::Adopt },
    ..row("test", "Duplicate test block", "")
};

const SENTINEL: BlockSpec = BlockSpec {
    when: When::since(0, 22, 0),
    address: AddressRule::Fixed("sentinel"),
    attrs: &[map("features")],
    ..row("sentinel", "Duplicate sentinel block", "Missing base sentinel block to override")
};

const MODULE: BlockSpec = BlockSpec {
    labels: &[NAME],
    address: AddressRule::Labels("module."),
    attrs: &[SOURCE],
    ..row("module", "Duplicate module block", "Missing base module block to override")
};

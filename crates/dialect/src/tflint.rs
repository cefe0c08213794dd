//! The configuration as TFLint's rules see it, 0.54 to 0.64: a list of blocks. Source of every row: tflint.md;
//! `source` names the sections. All of these releases produce the same blocks.
//!
//! A rule of the tool sees only what it requests; here, everything is requested. Where rows contain more than the tool
//! itself checks, they determine how the JSON syntax is read: which properties are blocks, and which strings are not
//! templates.

use super::behaviours::Behaviours;
use super::registry::{Line, Table};
use super::spec::{
    AddressUse, AttrKind, AttrSpec, BlockSpec, BodyRule, DialectSpec, ExpressionRule, FileRules, FileSyntax,
    LabelSpec, ListRule, ModuleRule, NestedRule, ObjectKind, OverrideRule, ReadingRule, ReferenceRule, Rules,
    SuffixUse, TypeForm, View, When,
};
use super::terraform::{BUILTINS, FILES as LANGUAGE_FILES, label, suffix};
use super::variables::{TextRule, Undeclared, Unset, ValueModel, ValueSource, VariableRules};
use overfold_eval::Lineage;

/// Decisions where the document is silent.
const DECISIONS: &[&str] = &[
    "If there is an error, TFLint shows nothing; the answer contains everything that could be read all the same.",
    "In JSON, a property is read as blocks if a row or a native file declares its name as a block type, and as an \
     argument if a native file has an argument of that name or if nothing declares it. At the top level, every \
     object or list is read as blocks.",
    "Expansion reports what is wrong with what it evaluates: count, for_each, dynamic, and arguments in copies. \
     References in other arguments are not checked, nor are lists of references and keywords in copies.",
    "The workspace is always \"default\".",
];

/// The table of the dialect. Releases: the tool's release list.
pub(super) static TABLE: Table = Table {
    spec: DialectSpec {
        name: "tflint",
        tool: "TFLint",
        validate: None,
        version: "",
        version_file: None,
        files: FILES,
        variables: VARIABLES,
        view: View::BlockList { multiplied: &["resource", "module"] },
        blocks: &[
            TERRAFORM, PROVIDER, VARIABLE, LOCALS, OUTPUT, MODULE, RESOURCE, DATA, EPHEMERAL, MOVED, REMOVED, IMPORT,
            CHECK,
        ],
        rules: Rules::NONE,
        behaviours: Behaviours::NONE,
        rule_rows: &[
            ModuleRule::AreDirectories.always(),
            ReferenceRule::EphemeralObjects.always(),
            ExpressionRule::NamespacedFunctions.always(),
            ReadingRule::UnclosedBlocksAreNamed.always(),
            // A behaviour of the library that evaluates expressions, not of the tool; it matters only for expansion.
            ExpressionRule::LogicShortCircuits.when(When::since(0, 58, 0)),
        ],
        builtins: BUILTINS,
        titles: &[],
        decisions: DECISIONS,
    },
    newest: "0.64.0",
    lines: &[
        Line::new(0, 54, 0),
        Line::new(0, 55, 1),
        Line::new(0, 56, 0),
        Line::new(0, 57, 0),
        Line::new(0, 58, 1),
        Line::new(0, 59, 1),
        Line::new(0, 60, 0),
        Line::new(0, 61, 0),
        Line::new(0, 62, 1),
        Line::new(0, 63, 1),
        Line::new(0, 64, 0),
    ],
};

/// tflint.md, section 1.
const FILES: FileRules = FileRules {
    suffixes: &[
        suffix(".tf", FileSyntax::Native, SuffixUse::Config),
        suffix(".tf.json", FileSyntax::Json, SuffixUse::Config),
        suffix(".tofu", FileSyntax::Native, SuffixUse::NotRead),
        suffix(".tofu.json", FileSyntax::Json, SuffixUse::NotRead),
        suffix(".tftest.hcl", FileSyntax::Native, SuffixUse::NotRead),
    ],
    tests: None,
    ..LANGUAGE_FILES
};

/// tflint.md, sections 1 and 5: values matter only for expansion, and a variable without a value is unknown.
const VARIABLES: VariableRules = VariableRules {
    sources: &[
        ValueSource::Default,
        ValueSource::Environment { prefix: "TF_VAR_", rule: TextRule::ByType, undeclared: Undeclared::Silent },
        ValueSource::Files { undeclared: Undeclared::Silent, unless_options: false },
        ValueSource::Options {
            rule: TextRule::ByType,
            undeclared: Undeclared::Error,
            undeclared_in_file: Undeclared::Silent,
        },
    ],
    model: ValueModel::Typed,
    functions: Lineage::Mainline,
    functions_of: Some((1, 11)),
    unset: Unset::Unknown,
};

/// tflint.md, section 3.1: what holds for every block type, including those without a row.
const fn row(keyword: &'static str, labels: &'static [LabelSpec]) -> BlockSpec {
    BlockSpec {
        keyword,
        kind: ObjectKind::Named(keyword),
        labels,
        body: BodyRule::Open { escape: None, nested: NestedRule::ByType },
        over: OverrideRule::InList(ListRule::First { joined: &[] }),
        source: "section 3",
        ..BlockSpec::PLAIN
    }
}

/// Creates the row of a nested block type: the blocks of an override replace all blocks of the type.
const fn nested(keyword: &'static str, labels: &'static [LabelSpec]) -> BlockSpec {
    BlockSpec { over: OverrideRule::AllReplace, ..row(keyword, labels) }
}

/// Creates the row of a nested block type whose body contains no expressions.
const fn constant(keyword: &'static str, labels: &'static [LabelSpec]) -> BlockSpec {
    BlockSpec { constant: true, ..nested(keyword, labels) }
}

const DEPENDS_ON: AttrSpec = AttrSpec::new("depends_on", AttrKind::References { action: None });
const PROVIDER_CHOICE: AttrSpec = AttrSpec::new("provider", AttrKind::ProviderReference);
const CONNECTION: BlockSpec = nested("connection", &[]);
const PROVISIONER: BlockSpec = BlockSpec { blocks: &[CONNECTION], ..nested("provisioner", &[label("type")]) };
const CONDITIONS: &[BlockSpec] = &[nested("precondition", &[]), nested("postcondition", &[])];

const LIFECYCLE: BlockSpec = BlockSpec {
    attrs: &[
        AttrSpec::new("ignore_changes", AttrKind::IgnoreChanges),
        AttrSpec::new("replace_triggered_by", AttrKind::ReplaceTriggers),
    ],
    blocks: CONDITIONS,
    ..nested("lifecycle", &[])
};

const TERRAFORM: BlockSpec = BlockSpec {
    over: OverrideRule::InList(ListRule::Every { rivals: &["backend", "cloud"], entries: "required_providers" }),
    blocks: &[
        constant("required_providers", &[]),
        constant("backend", &[label("type")]),
        BlockSpec { blocks: &[constant("workspaces", &[])], ..constant("cloud", &[]) },
        constant("provider_meta", &[label("provider")]),
    ],
    source: "section 4",
    ..constant("terraform", &[])
};

const PROVIDER: BlockSpec = row("provider", &[label("name")]);

/// tflint.md, section 1: `type`, `default` and the flags are checked after the merge.
const VARIABLE: BlockSpec = BlockSpec {
    attrs: &[
        AttrSpec::new("type", AttrKind::TypeConstraint(TypeForm::WithLegacy)),
        AttrSpec::new("default", AttrKind::Default),
        AttrSpec::new("sensitive", AttrKind::ConstBool),
        AttrSpec::new("ephemeral", AttrKind::ConstBool),
        AttrSpec::new("nullable", AttrKind::ConstBool),
    ],
    blocks: &[nested("validation", &[])],
    labels_are_counted: true,
    source: "sections 1, 3",
    ..row("variable", &[label("name")])
};

/// tflint.md, section 1: the only block type that may contain nothing but arguments.
const LOCALS: BlockSpec = BlockSpec {
    body: BodyRule::Arguments { drop_when_wrong: false },
    labels_are_counted: true,
    over: OverrideRule::InList(ListRule::Entries),
    source: "sections 1, 4",
    ..row("locals", &[])
};

const OUTPUT: BlockSpec = BlockSpec { attrs: &[DEPENDS_ON], blocks: CONDITIONS, ..row("output", &[label("name")]) };

const MODULE: BlockSpec = BlockSpec {
    labels_are_counted: true,
    attrs: &[DEPENDS_ON, AttrSpec::new("providers", AttrKind::ProviderMap)],
    ..row("module", &[label("name")])
};

const OF_TYPE: &[LabelSpec] = &[label("type"), label("name")];

/// tflint.md, section 3.2.
const RESOURCE: BlockSpec = BlockSpec {
    labels_are_counted: true,
    over: OverrideRule::InList(ListRule::First { joined: &["lifecycle"] }),
    attrs: &[DEPENDS_ON, PROVIDER_CHOICE],
    blocks: &[LIFECYCLE, CONNECTION, PROVISIONER],
    ..row("resource", OF_TYPE)
};

const DATA: BlockSpec =
    BlockSpec { attrs: &[DEPENDS_ON, PROVIDER_CHOICE], blocks: &[LIFECYCLE], ..row("data", OF_TYPE) };
const EPHEMERAL: BlockSpec =
    BlockSpec { attrs: &[DEPENDS_ON, PROVIDER_CHOICE], blocks: &[LIFECYCLE], ..row("ephemeral", OF_TYPE) };

const fn address(name: &'static str, of: AddressUse) -> AttrSpec {
    AttrSpec::new(name, AttrKind::Address(of))
}

const MOVED: BlockSpec =
    BlockSpec { attrs: &[address("from", AddressUse::Moved), address("to", AddressUse::Moved)], ..row("moved", &[]) };
const REMOVED: BlockSpec = BlockSpec {
    attrs: &[address("from", AddressUse::Removed)],
    blocks: &[LIFECYCLE, CONNECTION, PROVISIONER],
    ..row("removed", &[])
};
const IMPORT: BlockSpec =
    BlockSpec { attrs: &[address("to", AddressUse::ImportTarget), PROVIDER_CHOICE], ..row("import", &[]) };
const CHECK: BlockSpec = BlockSpec {
    blocks: &[BlockSpec { blocks: &[LIFECYCLE], ..nested("data", OF_TYPE) }, nested("assert", &[])],
    ..row("check", &[label("name")])
};

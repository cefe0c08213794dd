//! Terraform 0.11. Source of every row: variables.md, section B; `source` names the sections.

use super::behaviours::Behaviours;
use super::registry::{Line, Table};
use super::spec::{
    AddressRule, AttrKind, AttrMerge, AttrSpec, BlockSpec, BodyRule, DialectSpec, DuplicatePolicy, ExtraLabels,
    FileRules, FileSyntax, HeaderCheck, KeywordRule, Missing, ModuleRule, NestedRule, ObjectKind, OverrideRule,
    ReadingRule, ReferenceRule, Repeat, Required, RequiredVersionRule, RuleRow, Rules, StoredShape, SuffixUse,
    TitleRow, ValuesName, ValuesRow, View, When, WholeCheck,
};
use super::terraform::{VARIABLES as TYPED, label, suffix};
use super::variables::{TextRule, Undeclared, ValueModel, ValueSource, VariableRules};

/// The table of the dialect.
pub(super) static TABLE: Table = Table {
    spec: DialectSpec {
        name: "terraform-0.11",
        tool: "Terraform",
        validate: None,
        version: "",
        version_file: None,
        files: FILES,
        variables: VARIABLES,
        view: View::ByAddress,
        // In the order in which the program reads the blocks of a file.
        blocks: &[TERRAFORM, VARIABLE, LOCALS, ATLAS, MODULE, PROVIDER, RESOURCE, DATA, OUTPUT],
        rule_rows: RULES,
        rules: Rules::NONE,
        behaviours: Behaviours::NONE,
        builtins: &[],
        titles: TITLES,
        decisions: &[],
    },
    newest: "0.11.15",
    lines: &[Line::new(0, 11, 15)],
};

const FILES: FileRules = FileRules {
    suffixes: &[
        suffix(".tf", FileSyntax::Hcl1, SuffixUse::Config),
        suffix(".tf.json", FileSyntax::Hcl1, SuffixUse::Config),
    ],
    values: &[
        values("terraform.tfvars", ValuesName::Whole),
        values("terraform.tfvars.json", ValuesName::Whole),
        values(".auto.tfvars", ValuesName::EndOfVisible),
        values(".auto.tfvars.json", ValuesName::EndOfVisible),
    ],
    override_stem: "override",
    override_tail: "_override",
    alone: &[],
    by_request: &[],
    tests: None,
};

const fn values(name: &'static str, name_is: ValuesName) -> ValuesRow {
    ValuesRow { name, name_is, syntax: FileSyntax::Hcl1 }
}

/// variables.md, sections B2 and B3.
const VARIABLES: VariableRules = VariableRules {
    sources: &[
        ValueSource::Default,
        ValueSource::Environment {
            prefix: "TF_VAR_",
            rule: TextRule::TrimmedOrValue,
            undeclared: Undeclared::Silent,
        },
        ValueSource::Files { undeclared: Undeclared::Silent, unless_options: true },
        ValueSource::Options {
            rule: TextRule::ValueOrRaw,
            undeclared: Undeclared::Silent,
            undeclared_in_file: Undeclared::Silent,
        },
    ],
    model: ValueModel::Hcl1,
    ..TYPED
};

// ---- rows -----------------------------------------------------------------------------------------------------
//
// Where variables.md is silent, the rows follow the program itself, release 0.11.11 (terraform-0.11.md): what it
// reads, what it reports, and how it merges. `source` is then "program". Arguments that the program treats specially
// (`count`, `source`) are never merged unless stated otherwise; everything else in a body is replaced by name.

/// Creates a title that was used before 0.11.1.
const fn once(code: &'static str, old: &'static str, says: &'static str) -> TitleRow {
    TitleRow { when: When::until(0, 11, 1), ..title(code, old, says) }
}

const fn title(code: &'static str, title: &'static str, says: &'static str) -> TitleRow {
    TitleRow { code, title, says, when: When::ALWAYS }
}

const OUTPUT_TWICE: &str = "output \"{0}\": an output of this name was already defined";
const MODULE_TWICE: &str = "module \"{0}\": module repeated multiple times";

const NO_NAME: &str = "load/block-without-name";
const NO_BLOCK: &str = "load/not-a-block";
const EXTRA_LABEL: &str = "load/extraneous-label";
const TOO_FEW: &str = "load/missing-label";
const UNKNOWN: &str = "load/unsupported-argument";
const MISSING: &str = "load/missing-required-argument";
const CONSTRAINT: &str = "load/invalid-version-constraint";
const NO_CONSTANT: &str = "load/interpolated-constant";
const UNDECODABLE: &str = "load/undecodable";

const TITLES: &[TitleRow] = &[
    once("load/duplicate", OUTPUT_TWICE, "{0}: duplicate output. output names must be unique."),
    once("load/duplicate", MODULE_TWICE, "{0}: module repeated multiple times"),
    title("load/unknown-root-key", "Unsupported argument", "Unknown root level key: {key}"),
    title(NO_NAME, "variable has to have a name", "{place}: \"variable\" must be followed by a name"),
    title(NO_NAME, "output has to have a name", "{place}: \"output\" must be followed by a name"),
    title(NO_NAME, "module has to have a name", "{place}: \"module\" must be followed by a name"),
    title(NO_NAME, "provider has to have a name", "{place}: \"provider\" must be followed by a name"),
    title(NO_NAME, "data has to have a name", "{place}: \"data\" must be followed by a name"),
    title(NO_BLOCK, "variable has to be a block", "{place}: \"variable\" must be a configuration block"),
    title(NO_BLOCK, "output has to be a block", "{place}: \"output\" must be a configuration block"),
    title(NO_BLOCK, "module has to be a block", "{place}: \"module\" must be a configuration block"),
    title(NO_BLOCK, "provider has to be a block", "{place}: \"provider\" must be a configuration block"),
    title(NO_BLOCK, "data has to be a block", "{place}: \"data\" must be a configuration block"),
    title(NO_BLOCK, "locals has to be a block", "locals value at {place} should be a block"),
    title(NO_BLOCK, "terraform has to be a block", "terraform block: should be an object"),
    title(
        EXTRA_LABEL,
        "Extraneous label for variable",
        "position {place}: 'variable' must be followed by exactly one strings: a name",
    ),
    title(
        EXTRA_LABEL,
        "Extraneous label for resource",
        "position {place}: resource must be followed by exactly two strings, a type and a name",
    ),
    title(
        TOO_FEW,
        "Missing name for resource",
        "position {place}: resource must be followed by exactly two strings, a type and a name",
    ),
    title(
        EXTRA_LABEL,
        "Extraneous label for data",
        "position {place}: 'data' must be followed by exactly two strings: a type and a name",
    ),
    title(
        TOO_FEW,
        "Missing name for data",
        "position {place}: 'data' must be followed by exactly two strings: a type and a name",
    ),
    title(EXTRA_LABEL, "Extraneous label for locals", "locals block at {place} should not have label {key}"),
    title(CONSTRAINT, "Invalid version constraint", "terraform.required_version: invalid syntax: {key}"),
    title(
        NO_CONSTANT,
        "required_version cannot contain interpolations",
        "terraform.required_version: cannot contain interpolations",
    ),
    title(
        "load/unsupported-tool-version",
        "Unsupported Terraform Core version",
        "The currently running version of Terraform doesn't meet the version requirements explicitly specified by the configuration.",
    ),
];

const RULES: &[RuleRow] = &[
    RequiredVersionRule::SeparatePass.always(),
    RequiredVersionRule::CheckedWhenClean.always(),
    ReadingRule::StopsAtFirstError.always(),
    ReadingRule::SecondInOverrideIsAdded.always(),
    ReferenceRule::InterpolationsAreLookedUp.always(),
    ModuleRule::AreDirectories.always(),
];

const fn stored(name: &'static str, shape: StoredShape) -> AttrSpec {
    AttrSpec::new(name, AttrKind::Stored(shape))
}

const MERGED: OverrideRule = OverrideRule::Merge { missing: Missing::Adopt };
const BY_NAME: BodyRule = BodyRule::Open { escape: None, nested: NestedRule::ByName };

const fn first(title: &'static str) -> Repeat {
    Repeat::Error { title, keeps: DuplicatePolicy::First }
}

// ---- terraform, atlas ---------------------------------------------------------------------------------------------

const TERRAFORM: BlockSpec = BlockSpec {
    keyword: "terraform",
    kind: ObjectKind::Named("terraform"),
    extra_labels: ExtraLabels::Inside,
    // Unknown arguments and blocks are ignored, so that a later version may define them.
    body: BY_NAME,
    attrs: &[AttrSpec::new("required_version", AttrKind::RequiredVersion(&REQUIRED_VERSION))],
    blocks: &[BACKEND],
    repeat: Repeat::OnePerFile { title: "only one 'terraform' block allowed per module" },
    source: "program",
    ..BlockSpec::PLAIN
};

static REQUIRED_VERSION: BlockSpec = BlockSpec {
    keyword: "required_version",
    kind: ObjectKind::Named("required_version"),
    address: AddressRule::Fixed("terraform.required_version"),
    repeat: Repeat::OnePerFile { title: "only one 'terraform' block allowed per module" },
    over: OverrideRule::ReplaceWhole { missing: Missing::Adopt },
    source: "program",
    ..BlockSpec::PLAIN
};

const BACKEND: BlockSpec = BlockSpec {
    keyword: "backend",
    kind: ObjectKind::Backend,
    labels: &[label("type")],
    address: AddressRule::Fixed("terraform.backend"),
    body: BY_NAME,
    repeat: Repeat::OnePerFile { title: "only one 'backend' block allowed" },
    over: OverrideRule::ReplaceWhole { missing: Missing::Adopt },
    checks: &[
        WholeCheck::NothingInterpolated("terraform.backend: configuration cannot contain interpolations").always()
    ],
    constant: true,
    source: "program",
    ..BlockSpec::PLAIN
};

const ATLAS: BlockSpec = BlockSpec {
    keyword: "atlas",
    kind: ObjectKind::Named("atlas"),
    extra_labels: ExtraLabels::Unread,
    address: AddressRule::Fixed("atlas"),
    body: BY_NAME,
    repeat: Repeat::OnePerFile { title: "only one 'atlas' block allowed" },
    over: OverrideRule::ReplaceWhole { missing: Missing::Adopt },
    source: "program",
    ..BlockSpec::PLAIN
};

// ---- variable, locals, output -------------------------------------------------------------------------------------

const VARIABLE: BlockSpec = BlockSpec {
    keyword: "variable",
    kind: ObjectKind::Variable,
    labels: &[label("name")],
    extra_labels: ExtraLabels::InsideInJson,
    address: AddressRule::Labels("var."),
    attrs: &[
        AttrSpec::new("type", AttrKind::Hcl1Type).merge(AttrMerge::ReplaceUnlessEmptyText),
        AttrSpec::new("default", AttrKind::Hcl1Default),
        stored("description", StoredShape::Text).merge(AttrMerge::ReplaceUnlessEmptyText),
    ],
    repeat: first("Variable '{0}': duplicate found. Variable names must be unique."),
    over: MERGED,
    checks: &[
        HeaderCheck::PlainName(r"'variable' name must match regular expression: (?i)\A[A-Z0-9_][A-Z0-9\-\_]*\z")
            .always(),
        HeaderCheck::NameKeptByModules(&["source", "version", "providers"]).always(),
    ],
    titles: &[
        title(UNKNOWN, "Unsupported argument", "variable[{0}]: invalid key: {key}"),
        title(UNDECODABLE, "description: unknown type", "variable[{0}]: description: unknown type for string"),
    ],
    source: "B1",
    ..BlockSpec::PLAIN
};

/// Never merged: the program adds the blocks of an override to the others and then finds duplicates.
const LOCALS: BlockSpec = BlockSpec {
    keyword: "locals",
    kind: ObjectKind::Local,
    address: AddressRule::EachArgument { prefix: "local.", identifier: None },
    body: BodyRule::Arguments { drop_when_wrong: false },
    repeat: first("{name}: duplicate local. local value names must be unique"),
    over: OverrideRule::Added,
    titles: &[title("load/unexpected-block", "Unexpected block", "local declaration at {place} may not be a block")],
    source: "program",
    ..BlockSpec::PLAIN
};

const OUTPUT: BlockSpec = BlockSpec {
    keyword: "output",
    kind: ObjectKind::Output,
    labels: &[label("name")],
    extra_labels: ExtraLabels::Unread,
    address: AddressRule::Labels("output."),
    attrs: &[
        AttrSpec::new("value", AttrKind::Any).required(Required::AfterMerge),
        stored("sensitive", StoredShape::Truth),
        stored("description", StoredShape::Text).merge(AttrMerge::EvenIfUnset),
        stored("depends_on", StoredShape::Texts).merge(AttrMerge::EvenIfUnset),
    ],
    repeat: first(OUTPUT_TWICE),
    over: MERGED,
    titles: &[
        once(UNKNOWN, "Unsupported argument", "{0}: output has invalid keys: {key}"),
        title(UNKNOWN, "Unsupported argument", "output \"{0}\": invalid keys: {key}"),
        once(MISSING, "Missing required argument", "{0}: output is missing required 'value' key"),
        title(MISSING, "Missing required argument", "output \"{0}\": missing required 'value' argument"),
        once(UNDECODABLE, "sensitive: unknown type", "{0}: value for 'sensitive' must be boolean"),
        title(UNDECODABLE, "sensitive: unknown type", "output \"{0}\": value for 'sensitive' must be boolean"),
        title(UNDECODABLE, "description: unknown type", "output \"{0}\": value for 'description' must be string"),
        title(UNDECODABLE, "depends_on: unknown type", "Error reading depends_on for output \"{0}\""),
    ],
    source: "program",
    ..BlockSpec::PLAIN
};

// ---- module, provider ---------------------------------------------------------------------------------------------

const MODULE: BlockSpec = BlockSpec {
    keyword: "module",
    kind: ObjectKind::ModuleCall,
    labels: &[label("name")],
    extra_labels: ExtraLabels::Unread,
    address: AddressRule::Labels("module."),
    body: BY_NAME,
    attrs: &[
        stored("source", StoredShape::Constant).merge(AttrMerge::ReplaceUnlessEmptyText),
        stored("version", StoredShape::Text).merge(AttrMerge::Never),
        stored("providers", StoredShape::TextMap).merge(AttrMerge::Never),
    ],
    repeat: first(MODULE_TWICE),
    over: MERGED,
    checks: &[HeaderCheck::PlainName(
        "module \"{0}\": module name must be a letter or underscore followed by only letters, numbers, dashes, and underscores",
    ).always()],
    titles: &[
        once(NO_CONSTANT, "source cannot contain interpolations", "{0}: module source cannot contain interpolations"),
        title(
            NO_CONSTANT,
            "source cannot contain interpolations",
            "module \"{0}\": module source cannot contain interpolations",
        ),
        title(UNDECODABLE, "source: unknown type", "Error parsing source for {0}"),
        title(UNDECODABLE, "version: unknown type", "Error parsing version for {0}"),
        title(UNDECODABLE, "providers: unknown type", "Error parsing providers for {0}"),
    ],
    source: "program",
    ..BlockSpec::PLAIN
};

/// The base is found by name alone: it is the first block of that name, regardless of aliases.
const PROVIDER: BlockSpec = BlockSpec {
    keyword: "provider",
    kind: ObjectKind::Provider,
    labels: &[label("name")],
    extra_labels: ExtraLabels::Unread,
    address: AddressRule::LabelAndAlias("provider."),
    body: BY_NAME,
    attrs: &[
        stored("alias", StoredShape::Text).merge(AttrMerge::ReplaceUnlessEmptyText),
        stored("version", StoredShape::Version).merge(AttrMerge::Never),
    ],
    repeat: first("{address}: multiple configurations present; only one configuration is allowed per provider"),
    over: OverrideRule::MergeIntoNamesake,
    titles: &[
        title(CONSTRAINT, "Invalid version constraint", "Invalid provider version constraint"),
        title(UNDECODABLE, "alias: unknown type", "Error reading alias for provider[{0}]"),
        title(UNDECODABLE, "version: unknown type", "Error reading version for provider[{0}]"),
    ],
    source: "program",
    ..BlockSpec::PLAIN
};

// ---- resource, data -----------------------------------------------------------------------------------------------

const COUNT: AttrSpec = stored("count", StoredShape::Count).merge(AttrMerge::ReplaceUnlessOne);
const DEPENDS_ON: AttrSpec = stored("depends_on", StoredShape::Constants).merge(AttrMerge::Never);
const PROVIDER_OF: AttrSpec = stored("provider", StoredShape::Text).merge(AttrMerge::Never);

const OBJECT_TITLES: &[TitleRow] = &[
    title(
        "load/count-no-whole-number",
        "resource count must be an integer",
        "{0}.{1}: resource count must be an integer",
    ),
    title(UNDECODABLE, "count: unknown type", "Error parsing count for {0}[{1}]"),
    title(UNDECODABLE, "depends_on: unknown type", "Error reading depends_on for {0}[{1}]"),
    title(UNDECODABLE, "provider: unknown type", "Error reading provider for {0}[{1}]"),
    title(
        NO_CONSTANT,
        "depends_on cannot contain interpolations",
        "{0}.{1}: depends on value cannot contain interpolations: {key}",
    ),
    title(
        NO_CONSTANT,
        "ignore_changes cannot contain interpolations",
        "{0}.{1}: lifecycle ignore_changes cannot contain interpolations",
    ),
    title(UNKNOWN, "Unsupported argument", "{0}[{1}]: invalid key: {key}"),
    title(UNDECODABLE, "ignore_changes: unknown type", "Error parsing lifecycle for {0}[{1}]"),
    title(UNDECODABLE, "create_before_destroy: unknown type", "Error parsing lifecycle for {0}[{1}]"),
    title(UNDECODABLE, "prevent_destroy: unknown type", "Error parsing lifecycle for {0}[{1}]"),
    title(
        "load/duplicate-nested-block",
        "Multiple lifecycle blocks found, expected one",
        "{0}[{1}]: Multiple lifecycle blocks found, expected one",
    ),
    title(NO_NAME, "provisioner has to have a name", "{place}: \"provisioner\" must be followed by a name"),
    title(NO_BLOCK, "provisioner has to be a block", "{place}: \"provisioner\" must be a configuration block"),
    title("load/unlisted-value", "when", "position {place}: 'provisioner' when must be 'create' or 'destroy'"),
    title(
        "load/unlisted-value",
        "on_failure",
        "position {place}: 'provisioner' on_failure must be 'continue' or 'fail'",
    ),
];

const RESOURCE: BlockSpec = BlockSpec {
    keyword: "resource",
    kind: ObjectKind::Resource,
    labels: &[label("type"), label("name")],
    extra_labels: ExtraLabels::InsideInJson,
    ignore_unlabeled: true,
    address: AddressRule::Labels(""),
    body: BY_NAME,
    attrs: &[COUNT, DEPENDS_ON, PROVIDER_OF],
    blocks: &[LIFECYCLE, CONNECTION, PROVISIONER],
    repeat: first("{address}: resource repeated multiple times"),
    over: MERGED,
    titles: OBJECT_TITLES,
    source: "program",
    ..BlockSpec::PLAIN
};

/// A data source has no `lifecycle`, `connection` or `provisioner`: they are treated as parts of an unknown schema,
/// and `provisioner` is refused.
const DATA: BlockSpec = BlockSpec {
    keyword: "data",
    kind: ObjectKind::Data,
    labels: &[label("type"), label("name")],
    address: AddressRule::Labels("data."),
    body: BY_NAME,
    attrs: &[COUNT, DEPENDS_ON, PROVIDER_OF],
    blocks: &[BlockSpec {
        keyword: "provisioner",
        kind: ObjectKind::Named("provisioner"),
        extra_labels: ExtraLabels::Unread,
        body: BodyRule::Refused { title: "data sources cannot have provisioners", at_header: false },
        source: "program",
        ..BlockSpec::PLAIN
    }],
    repeat: first("{address}: resource repeated multiple times"),
    over: MERGED,
    titles: OBJECT_TITLES,
    source: "program",
    ..BlockSpec::PLAIN
};

/// An override cannot change this block.
const LIFECYCLE: BlockSpec = BlockSpec {
    keyword: "lifecycle",
    kind: ObjectKind::Named("lifecycle"),
    extra_labels: ExtraLabels::Unread,
    attrs: &[
        stored("create_before_destroy", StoredShape::TruthOrText),
        stored("ignore_changes", StoredShape::Constants),
        stored("prevent_destroy", StoredShape::TruthOrText),
    ],
    repeat: first("Multiple lifecycle blocks found, expected one"),
    over: OverrideRule::BaseStays,
    source: "program",
    ..BlockSpec::PLAIN
};

/// While the file is read, its content is copied into each provisioner next to it.
const CONNECTION: BlockSpec = BlockSpec {
    keyword: "connection",
    kind: ObjectKind::Named("connection"),
    extra_labels: ExtraLabels::Unread,
    body: BY_NAME,
    over: OverrideRule::GoesWith("provisioner"),
    source: "program",
    ..BlockSpec::PLAIN
};

const fn words(words: &'static [&'static str], title: &'static str) -> AttrKind {
    AttrKind::Stored(StoredShape::OneOf(KeywordRule { words, title }))
}

const PROVISIONER: BlockSpec = BlockSpec {
    keyword: "provisioner",
    kind: ObjectKind::Named("provisioner"),
    labels: &[label("type")],
    extra_labels: ExtraLabels::Unread,
    body: BY_NAME,
    attrs: &[
        AttrSpec::new("when", words(&["create", "destroy"], "when")),
        AttrSpec::new("on_failure", words(&["continue", "fail"], "on_failure")),
    ],
    over: OverrideRule::AllReplace,
    source: "program",
    ..BlockSpec::PLAIN
};

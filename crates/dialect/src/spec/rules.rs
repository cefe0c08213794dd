//! Behaviours that belong to no block type, grouped by subject. Stages read the fields of [`Rules`], which a flattened
//! table has instead of its rows.

use super::When;
use super::described::{Described, Description, Parameter, ParameterValue, flags};

/// A behaviour of the module as a whole, with the releases in which it holds.
#[derive(Clone, Copy, Debug)]
pub struct RuleRow {
    /// The behaviour.
    pub rule: Rule,
    /// The releases in which it holds.
    pub when: When,
}

/// Declares the groups: the enum that contains them, constructors of rows for their rules, and the struct of the
/// behaviours that hold.
macro_rules! groups {
    ($( $(#[$meta:meta])* $group:ident($rules:ident) => $field:ident: $holds:ident, )+) => {
        /// A behaviour that belongs to no block type, by its subject.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Rule {
            $( $(#[$meta])* $group($rules), )+
        }

        impl Described for Rule {
            fn described(&self) -> Description {
                match self {
                    $( Self::$group(rule) => rule.described(), )+
                }
            }
        }

        $(
            impl $rules {
                /// Returns the row of a rule that holds in every release.
                pub const fn always(self) -> RuleRow {
                    self.when(When::ALWAYS)
                }

                /// Returns the row of a rule that holds in these releases.
                pub const fn when(self, when: When) -> RuleRow {
                    RuleRow { rule: Rule::$group(self), when }
                }
            }
        )+

        /// The behaviours that hold; filled in when the table is flattened.
        #[derive(Clone, Copy, Debug)]
        pub struct Rules {
            $( $(#[$meta])* pub $field: $holds, )+
        }

        impl Rules {
            /// No behaviours.
            pub(crate) const NONE: Self = Self { $( $field: $holds::NONE, )+ };

            /// Collects the behaviours from the rows.
            pub(crate) fn of(rows: &[RuleRow]) -> Self {
                let mut rules = Self::NONE;
                for row in rows {
                    match row.rule {
                        $( Rule::$group(rule) => rules.$field = rules.$field.with(rule), )+
                    }
                }
                rules
            }
        }
    };
}

groups! {
    /// How files are read and combined.
    Reading(ReadingRule) => reading: Reading,
    /// How expressions are parsed and evaluated.
    Expressions(ExpressionRule) => expressions: Expressions,
    /// What references and addresses may contain.
    References(ReferenceRule) => references: References,
    /// The module's constraints on the tool's own version.
    RequiredVersion(RequiredVersionRule) => required_version: RequiredVersion,
    /// Import blocks.
    Imports(ImportRule) => imports: Imports,
    /// References to providers, and their names.
    Providers(ProviderRule) => providers: Providers,
    /// Module calls.
    Modules(ModuleRule) => modules: Modules,
    /// Values that are evaluated while the module is loaded.
    EarlyEval(EarlyEvalRule) => early_eval: EarlyEval,
    /// Triggers of resources and actions.
    Triggers(TriggerRule) => triggers: Triggers,
    /// Removed blocks.
    Removals(RemovalRule) => removals: Removals,
}

flags! {
    /// How files are read and combined.
    pub enum ReadingRule in "rules";
    /// How files are read and combined.
    pub struct Reading;
    {
        /// Reading files stops at the first error, and the module is checked as a whole only if there
        /// is none; anything reported beyond that is reported only by this service.
        StopsAtFirstError = "stops-while-reading" => stops_at_first_error,
        /// A second block with the same address in one override file is added instead of merged, and is therefore a
        /// duplicate.
        SecondInOverrideIsAdded = "second-in-override-is-added" => second_in_override_is_added,
        /// If a file ends inside a block, the error is reported at the opening brace of the block.
        UnclosedBlocksAreNamed = "unclosed-blocks-are-named" => unclosed_blocks_are_named,
        /// Experiments and editions are read in a separate pass.
        ExperimentScan = "experiment-scan" => experiment_scan,
        /// Objects with the addresses `reported` and `other` are mutually exclusive in primary files; the error is
        /// reported at `reported`.
        // The error is repeated for every primary file, starting with the one that declares the second of the two.
        Exclude(pair: Exclusion) = "exclude" => exclusion,
    }
}

flags! {
    /// How expressions are parsed and evaluated.
    pub enum ExpressionRule in "rules";
    /// How expressions are parsed and evaluated.
    pub struct Expressions;
    {
        /// `&&` and `||` drop an error on one side if the other side decides the result.
        LogicShortCircuits = "logic-short-circuits" => logic_short_circuits,
        /// Function names may have namespaces: `provider::name::fn()`.
        NamespacedFunctions = "namespaced-functions" => namespaced_functions,
        /// In YAML, digits of whole numbers may be underscores, and octal and hexadecimal ones may have a sign.
        YamlIntegersAreLoose = "yaml-integers-are-loose" => yaml_integers_are_loose,
        /// In YAML, `<<` merges the mappings of a list, too, and may be written with the tag `!!merge`.
        YamlListsAreMerged = "yaml-lists-are-merged" => yaml_lists_are_merged,
        /// A YAML document that is null as a whole is unknown.
        YamlNullIsUnknown = "yaml-null-is-unknown" => yaml_null_is_unknown,
        /// An expression that cannot be evaluated, in a place where a constant is required, is not also reported as
        /// having an unsuitable type.
        FailedConstantsReportedOnce = "failed-constants-reported-once" => failed_constants_reported_once,
    }
}

flags! {
    /// What references and addresses may contain.
    pub enum ReferenceRule in "rules";
    /// What references and addresses may contain.
    pub struct References;
    {
        /// Addresses of ephemeral objects are supported.
        EphemeralObjects = "ephemeral-addresses" => ephemeral_objects,
        /// Addresses of actions are supported.
        Actions = "action-addresses" => actions,
        /// References may also begin with this word.
        // It has the same meaning as `terraform`.
        ToolWord(word: &'static str) = "tool-word" => tool_word,
        /// In addresses of removed blocks, what may not be there is what may not be in any address.
        FewReservedWords = "few-address-words" => few_reserved_words,
        /// The names of primitive types alone are not references.
        // They are type arguments of `convert` (terraform.md, section 13).
        TypeWords = "type-words" => type_words,
        /// Variables, modules and resources that interpolations refer to must exist in the merged module.
        InterpolationsAreLookedUp = "interpolations-are-looked-up" => interpolations_are_looked_up,
    }
}

flags! {
    /// The module's constraints on the tool's own version.
    pub enum RequiredVersionRule in "rules";
    /// How the module's constraints on the tool's own version are read and checked.
    pub struct RequiredVersion;
    {
        /// The constraints on the product's version are read in a separate pass.
        // An invalid header is reported by every pass (terraform.md, section 4).
        SeparatePass = "version-scan" => separate_pass,
        /// A constraint on the product's version must not contain a pre-release.
        IsRelease = "required-version-is-release" => is_release,
        /// The product's own version is checked against the merged constraints, if there are no other errors.
        // terraform.md, section 1.5.
        CheckedWhenClean = "required-version-when-clean" => checked_when_clean,
        /// The product's own version is checked against the merged constraints, even if there are other errors.
        CheckedAlways = "required-version-always" => checked_always,
        /// An unmet constraint in an argument of the kind `own-version` hides all other diagnostics of the module.
        UnmetHidesOthers = "unmet-version-hides-others" => unmet_hides_others,
        /// Every version meets the constraints on it. This is used to compare versions.
        AlwaysMet = "required-version-always-met" => always_met,
    }
}

flags! {
    /// Import blocks.
    pub enum ImportRule in "rules";
    /// Which imports clash, and what their targets may be.
    pub struct Imports;
    {
        /// Two imports into the same static target are an error, reported at the target expression.
        ClashAtTarget = "imports-clash-at-target" => clash_at_target,
        /// Two imports into the same target are an error, reported at the header of the later one.
        ClashAtHeader = "imports-clash-at-header" => clash_at_header,
        /// An object that is moved away cannot be the target of an import.
        ClashWithMoves = "imports-clash-with-moves" => clash_with_moves,
        /// An id cannot be imported into two targets of the same resource type.
        IdsClash = "import-ids-clash" => ids_clash,
        /// The keys of import targets may be expressions; only managed resources can be targets.
        ComputedKeys = "computed-import-keys" => computed_keys,
        /// The keys of import targets may use only `each.key` and `each.value`, and without `for_each` they are constant.
        KeysOfEach = "import-keys-of-each" => keys_of_each,
    }
}

flags! {
    /// References to providers, and their names.
    pub enum ProviderRule in "rules";
    /// How providers are referred to, and which of their names are compared.
    pub struct Providers;
    {
        /// If there are no errors, providers to which the module refers by several names are compared; a mismatch is a
        /// warning.
        // Verified against Terraform 1.11.4: `Duplicate required provider`, `Reference to undefined provider`.
        NamesAreCompared = "provider-names-are-compared" => names_are_compared,
        /// If there are no errors, the first part of the type of a resource or data source without the argument
        /// `provider` must be a valid local name of a provider.
        // Verified against Terraform 1.11.4: `Invalid provider local name`.
        ImpliedNamesAreChecked = "implied-providers-are-named" => implied_names_are_checked,
        /// A reference to a provider configuration may end with an instance key.
        InstanceKeys = "provider-instance-keys" => instance_keys,
        /// In JSON, a string that refers to a provider configuration is parsed as an expression of the native syntax.
        TextsAreExpressions = "provider-texts-are-expressions" => texts_are_expressions,
    }
}

flags! {
    /// Module calls.
    pub enum ModuleRule in "rules";
    /// What module calls must meet, and what is reported about them.
    pub struct Modules;
    {
        /// The version of a module requires a source that is a registry address.
        VersionNeedsRegistrySource = "version-needs-registry-source" => version_needs_registry_source,
        /// A module version whose value is null is treated as absent.
        NullVersionIsNone = "null-version-is-none" => null_version_is_none,
        /// A module call is listed with the values of its source and version.
        SourcesAreReported = "module-sources-are-reported" => sources_are_reported,
        /// A module is a directory, and a module call whose source begins with `./` or `../` names one.
        AreDirectories = "modules-are-directories" => are_directories,
        /// With `recursive`, module calls are checked against the modules that they call: their arguments, outputs and
        /// providers.
        CallsAreChecked = "calls-are-checked" => calls_are_checked,
    }
}

flags! {
    /// Values that are evaluated while the module is loaded.
    pub enum EarlyEvalRule in "rules";
    /// How values are evaluated while the module is loaded.
    pub struct EarlyEval;
    {
        /// Static evaluation uses the values of variables converted to their declared types; without this rule, it
        /// uses the values as they were provided.
        // Attributes that are missing get the defaults of the type, and the value is marked as the variable is.
        ValuesAreConverted = "static-values-are-converted" => values_are_converted,
        /// A sensitive variable may be used in static evaluation, with a warning at each reference.
        SecretsWarn = "static-secrets-warn" => secrets_warn,
        /// A module source is evaluated and decoded in one step, so a malformed reference is reported first.
        // That is, before the other references are looked up. An error in the evaluation is also reported as a value
        // of the wrong type, and marks are not checked.
        SourcesDecodedAtOnce = "static-sources-decoded-at-once" => sources_decoded_at_once,
        /// Static sources and versions of modules are checked when modules are installed, so problems with them are
        /// reported with origin tool-later. They may use only variables that are declared with `const = true`.
        SourcesCheckedAtInstall = "static-sources-judged-at-install" => sources_checked_at_install,
        /// The arguments of a backend must be constants, which is checked before a plan and not while the module is loaded.
        BackendsAreConstant = "backends-are-constant" => backends_are_constant,
        /// All problems in the `for_each` of a provider are reported, not only the first.
        // Including those of a value that could not be evaluated.
        InstanceFaultsAddUp = "instance-faults-add-up" => instance_faults_add_up,
    }
}

flags! {
    /// Triggers of resources and actions.
    pub enum TriggerRule in "rules";
    /// What is reported about triggers.
    pub struct Triggers;
    {
        /// In an item of `actions`, the first reference to anything but an action, `count` or `each` is the only error.
        /// Without this, a reference to a value is no error, and an item without an action is one as well.
        OtherReferenceAlone = "other-reference-alone" => other_reference_alone,
        /// After an error in one item of `replace_triggered_by` the other items are still checked, except in JSON.
        CheckedOneByOne = "triggers-checked-one-by-one" => checked_one_by_one,
    }
}

flags! {
    /// Removed blocks.
    pub enum RemovalRule in "rules";
    /// What removed blocks do.
    pub struct Removals;
    {
        /// An object that a removed block names is not destroyed, unless the block has `destroy = true`. Without this, it is
        /// destroyed, unless the block has `destroy = false`.
        ObjectsAreKept = "removed-objects-are-kept" => objects_are_kept,
    }
}

/// Two settings of which a module may have only one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exclusion {
    /// The address at which the error is reported.
    pub reported: &'static str,
    /// The address of the other setting.
    pub other: &'static str,
    /// Title of the error.
    pub title: &'static str,
}

impl Parameter for Exclusion {
    fn add_to(self, _: &'static str, given: &mut Vec<(&'static str, ParameterValue)>) {
        let Self { reported, other, title } = self;
        reported.add_to("reported", given);
        other.add_to("other", given);
        title.add_to("title", given);
    }
}

//! What differs between versions in plans alone.

/// Hands these rows to the next macro, behind those that it was given.
macro_rules! plan_rows {
    ($next:ident $($more:ident)*; $($before:tt)*) => { $next! { $($more)*; $($before)* Plan {
    /// Plan documents have `sensitive_values` of resources in `planned_values` and `prior_state`.
    DocumentSensitiveValues = "document-sensitive-values" {
        terraform: &[When::since(1, 0, 1)],
        opentofu: ALL,
        source: "jsonplan/resource.go, jsonstate/state.go",
    }

    /// Plan documents have the `type` of outputs in `planned_values` and `prior_state`.
    DocumentOutputTypes = "document-output-types" {
        terraform: &[When::since(1, 2, 0)],
        opentofu: ALL,
        source: "changelog of 1.2.0; jsonplan/plan.go, jsonstate/state.go",
    }

    /// Plan documents list the resources of each module in `prior_state` by mode, type, name and key; before, by the text
    /// of their addresses.
    DocumentPriorStateByKey = "document-prior-state-by-key" {
        terraform: &[When::since(1, 4, 0)],
        opentofu: ALL,
        source: "jsonstate/state.go",
    }

    /// A data source whose reading is deferred has what is not set inside of maps of blocks and objects as null; before,
    /// computed attributes there are unknown.
    DeferredReadsLeaveMaps = "deferred-reads-leave-maps" {
        terraform: &[When::since(1, 4, 0)],
        opentofu: ALL,
        source: "plans/objchange/objchange.go",
    }

    /// Plan documents have the `full_name` of provider configurations.
    DocumentProviderFullNames = "document-provider-full-names" {
        terraform: &[When::since(1, 2, 0)],
        opentofu: ALL,
        source: "changelog of 1.2.0; jsonconfig/config.go",
    }

    /// Plan documents tell which parts of an output are unknown; before, an output is unknown as a whole if any part is.
    DocumentUnknownParts = "document-unknown-parts" {
        terraform: &[When::since(1, 3, 0)],
        opentofu: ALL,
        source: "hashicorp/terraform#31235; case versions/all-document-unknown-masks",
    }

    /// Plan documents have an `action_reason` of data sources that are read later.
    DocumentReadReasons = "document-read-reasons" {
        terraform: &[When::since(1, 2, 0)],
        opentofu: ALL,
        source: "jsonplan/plan.go",
    }

    /// Plan documents have `relevant_attributes`.
    DocumentRelevantAttributes = "document-relevant-attributes" {
        terraform: &[When::since(1, 2, 0)],
        opentofu: ALL,
        source: "jsonplan/plan.go",
    }

    /// Plan documents have `condition_results`, of resources, data sources and outputs.
    DocumentConditionResults = "document-condition-results" {
        terraform: &[When::since(1, 2, 0).but_until(1, 4, 0)],
        opentofu: NEVER,
        source: "jsonplan/condition.go; case versions/all-document-checks",
    }

    /// Each entry of `condition_results` has the member `//`, which says that the form is an experiment.
    DocumentConditionResultsNote = "document-condition-results-note" {
        terraform: &[When::since(1, 3, 0).but_until(1, 4, 0)],
        opentofu: NEVER,
        source: "jsonplan/condition.go; case versions/all-document-checks",
    }

    /// Plan documents have `checks`, of resources, data sources and outputs.
    DocumentChecks = "document-checks" {
        terraform: &[When::since(1, 3, 0)],
        opentofu: ALL,
        source: "jsonplan/plan.go, jsonchecks",
    }

    /// Each entry of `checks` has the member `//`, which says that the form is an experiment.
    DocumentChecksNote = "document-checks-note" {
        terraform: &[When::since(1, 3, 0).but_until(1, 5, 0)],
        opentofu: NEVER,
        source: "jsonchecks/checks.go",
    }

    /// A plan is written although there were errors.
    DocumentWrittenOnErrors = "document-written-on-errors" {
        terraform: &[When::since(1, 4, 0)],
        opentofu: ALL,
        source: "backend/local/backend_plan.go",
    }

    /// Plan documents have check blocks in `checks`.
    DocumentCheckBlocks = "document-check-blocks" {
        terraform: &[When::since(1, 5, 0)],
        opentofu: ALL,
        source: "jsonchecks/objects.go",
    }

    /// Plan documents have an `action_reason` of data sources inside of checks.
    DocumentNestedReadReason = "document-nested-read-reason" {
        terraform: &[When::since(1, 5, 0)],
        opentofu: ALL,
        source: "jsonplan/plan.go",
    }

    /// Plan documents have the `timestamp`.
    DocumentTimestamp = "document-timestamp" {
        terraform: &[When::since(1, 5, 0)],
        opentofu: ALL,
        source: "jsonplan/plan.go",
    }

    /// Plan documents have variables with validations in `checks`.
    DocumentVariableChecks = "document-variable-checks" {
        terraform: &[When::since(1, 6, 0)],
        opentofu: ALL,
        source: "jsonchecks/objects.go",
    }

    /// Plan documents have `errored`.
    DocumentErrored = "document-errored" {
        terraform: &[When::since(1, 6, 0)],
        opentofu: ALL,
        source: "changelog of 1.6.0; jsonplan/plan.go",
    }

    /// Plan documents have `applyable` and `complete`.
    DocumentApplyable = "document-applyable" {
        terraform: &[When::since(1, 8, 0)],
        opentofu: NEVER,
        source: "changelog of 1.8.0; jsonplan/plan.go of both tools",
    }

    /// Plan documents have `deprecated` of variables and outputs in `configuration`.
    DocumentDeprecations = "document-deprecations" {
        terraform: NEVER,
        opentofu: &[When::since(1, 10, 0)],
        source: "OpenTofu's jsonconfig/config.go",
    }

    /// Plan documents have `type`, `required` and `ephemeral` of variables, and `ephemeral` of outputs, in
    /// `configuration`.
    DocumentVariableTypes = "document-variable-types" {
        terraform: NEVER,
        opentofu: &[When::since(1, 11, 0)],
        source: "changelog of OpenTofu 1.11.0; its jsonconfig/config.go",
    }

    /// `format_version` of plan documents is 0.2.
    DocumentFormat0_2 = "document-format-0.2" {
        terraform: &[When::since(1, 0, 1).but_until(1, 1, 0)],
        opentofu: NEVER,
        source: "jsonplan/plan.go",
    }

    /// `format_version` of plan documents is 1.0.
    DocumentFormat1_0 = "document-format-1.0" {
        terraform: &[When::since(1, 1, 0).but_until(1, 2, 0)],
        opentofu: NEVER,
        source: "jsonplan/plan.go",
    }

    /// `format_version` of plan documents is 1.1.
    DocumentFormat1_1 = "document-format-1.1" {
        terraform: &[When::since(1, 2, 0).but_until(1, 5, 0)],
        opentofu: NEVER,
        source: "jsonplan/plan.go",
    }

    /// `format_version` of plan documents is 1.2.
    DocumentFormat1_2 = "document-format-1.2" {
        terraform: &[When::since(1, 5, 0)],
        opentofu: ALL,
        source: "jsonplan/plan.go",
    }

    /// `format_version` of states in plan documents is 0.2.
    StateFormat0_2 = "state-format-0.2" {
        terraform: &[When::since(1, 0, 1).but_until(1, 1, 0)],
        opentofu: NEVER,
        source: "jsonstate/state.go",
    }

    /// `format_version` of states in plan documents is 1.0.
    StateFormat1_0 = "state-format-1.0" {
        terraform: &[When::since(1, 1, 0)],
        opentofu: ALL,
        source: "jsonstate/state.go",
    }

    /// `relevant_attributes` of a plan end before the first step into a value that has no fixed type, and name each place
    /// once.
    RelevantAttributesEndBeforeDynamic = "relevant-attributes-end-before-dynamic" {
        terraform: &[When::since(1, 13, 0)],
        opentofu: NEVER,
        source: "case versions-plan/relevant-through-outputs",
    }

    /// A value of an option, the environment or a prompt that does not fit the type of its variable is reported without a place.
    MisfitsWithoutPlace = "misfits-without-place" {
        terraform: &[When::until(1, 2, 0)],
        opentofu: NEVER,
        source: "hashicorp/terraform#30552; case versions/tf-1.2-sensitive-invalid-value",
    }

    /// The rules of a variable of the root module that is not nullable see its default instead of a null that is given.
    RootNullsBecomeDefaults = "root-nulls-become-defaults" {
        terraform: &[When::since(1, 2, 0)],
        opentofu: ALL,
        source: "hashicorp/terraform#29959; case versions/tf-1.2-root-variable-null",
    }

    /// A call with `count` or `for_each` is a list or a map, if all outputs of the called module have types.
    TypedModulesAreCollections = "typed-modules-are-collections" {
        terraform: &[When::since(1, 15, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.15-typed-module-count-is-list",
    }

    /// An import without a target is reported at its header, not at its argument `to`.
    ImportsWithoutTargetAtHeader = "imports-without-target-at-header" {
        terraform: &[When::until(1, 7, 0)],
        opentofu: &[When::ALWAYS],
        source: "case versions-plan/import-no-target",
    }

    /// A resource whose `count` or `for_each` refers to the resource itself is reported as such.
    RepetitionIsNotItsOwn = "repetition-is-not-its-own" {
        terraform: &[When::since(1, 9, 1)],
        opentofu: NEVER,
        source: "case versions-reports-plan/count-refers-to-itself",
    }

    /// What is created triggers a replacement, too: the reason of a creation is then that it was triggered.
    CreationsTrigger = "creations-trigger" {
        terraform: NEVER,
        opentofu: &[When::since(1, 12, 0)],
        source: "case versions/tf-1.15-replace-triggered-by-good",
    }

    /// An import with an empty identifier is an import; otherwise the object is created.
    EmptyImportIdsImport = "empty-import-ids-import" {
        terraform: &[When::since(1, 6, 0).but_until(1, 7, 0)],
        opentofu: &[When::until(1, 7, 0)],
        source: "case versions/tf-1.7-import-empty-id",
    }

    /// A deprecated output of a called module is a warning where a plan uses its value first.
    DeprecatedOutputsWarnInPlans = "deprecated-outputs-warn-in-plans" {
        terraform: NEVER,
        opentofu: &[When::since(1, 10, 0)],
        source: "case versions-more/deprecated-output-in-arguments",
    }

    /// In a plan, a call that passes anything for a deprecated variable is a warning.
    DeprecatedVariablesWarnInPlans = "deprecated-variables-warn-in-plans" {
        terraform: NEVER,
        opentofu: &[When::since(1, 10, 0)],
        source: "case versions-more/deprecated-variable-two-levels",
    }

    /// A deprecated variable of the root module is a warning at its `deprecated` if it gets a value.
    DeprecatedRootVariablesAtArgument = "deprecated-root-variables-at-argument" {
        terraform: &[When::since(1, 15, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.15-deprecated-root-variable",
    }

    /// A target of an import that is not declared has the title `Import block target does not exist`.
    ImportTargetTitleOfFirstRelease = "import-target-title-of-first-release" {
        terraform: &[When::until(1, 6, 0)],
        opentofu: NEVER,
        source: "case versions-plan/import-no-target",
    }

    /// A `for_each` that cannot be evaluated is reported as unknown, too.
    FailedForEachIsUnknown = "failed-for-each-is-unknown" {
        terraform: NEVER,
        opentofu: &[When::since(1, 10, 0)],
        source: "case versions/tf-1.9-self-reference-instance",
    }

    /// The same error at the same place, found twice in one object or once in each of its instances, is told once.
    EqualErrorsToldOnce = "equal-errors-told-once" {
        terraform: &[When::since(1, 12, 0)],
        opentofu: NEVER,
        source: "case versions-plan/refs-self-block",
    }

    /// A module that has no outputs has no instances in the value of its call.
    ModulesWithoutOutputsHaveNoInstances = "modules-without-outputs-have-no-instances" {
        terraform: &[When::until(1, 8, 0)],
        opentofu: &[When::ALWAYS],
        source: "case versions/tf-1.15-module-without-outputs-is-list",
    }

    /// The rules of a variable that are not reached have no instance in `checks`.
    UnreachedRulesHaveNoInstance = "unreached-rules-have-no-instance" {
        terraform: NEVER,
        opentofu: &[When::ALWAYS],
        source: "case versions-trees/tree-0041",
    }

    /// Nothing is known of a value that is unknown but its type: not that it is not null, how it begins or how long it
    /// is, so that comparisons with it are unknown.
    UnknownsAreUnrefined = "unknowns-are-unrefined" {
        terraform: &[When::until(1, 6, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.6-refined-not-null",
    }

    /// Of a template in which a part has an error, the text behind that part is kept; otherwise the text ends there. That
    /// shows in the `constant_value` of `configuration`, which is evaluated without names.
    TextBehindErrorsStays = "text-behind-errors-stays" {
        terraform: &[When::until(1, 6, 0)],
        opentofu: NEVER,
        source: "case versions-trees/tree-0077",
    }

    /// An expression that needs names has no `constant_value` in `configuration`, even if it is the same whatever they
    /// are, unless `&&` or `||` decide it.
    ConstantsHaveNoErrors = "constants-have-no-errors" {
        terraform: NEVER,
        opentofu: &[When::since(1, 11, 0)],
        source: "cases versions-trees/tree-0049, versions-trees/tree-0178",
    }

    /// `try` and `can` are undecided exactly if an expression in them refers to something that is not wholly known; what
    /// functions leave unknown does not count.
    GuardsFollowReferences = "guards-follow-references" {
        terraform: &[When::until(1, 6, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.6-try-unknown",
    }

    /// A splat over a single unknown value has one element, even if that may turn out to be null.
    UnknownSplatsHaveLength = "unknown-splats-have-length" {
        terraform: &[When::until(1, 1, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.1-splat-unknown-single",
    }

    /// `format` and `formatlist` write `null` for a null without a type; otherwise their result is unknown then.
    FormatsUntypedNull = "formats-untyped-null" {
        terraform: &[When::until(1, 6, 0), When::since(1, 10, 5).but_until(1, 11, 0), When::since(1, 12, 0)],
        opentofu: &[When::since(1, 10, 0)],
        source: "cases versions/D11-opentofu-format-null, versions/tf-1.12-formatlist-null",
    }

    /// Whole numbers are equal if their decimal texts are, which depends on how precisely they were computed: a power of
    /// two may differ from the same number written out.
    NumbersComparedAsText = "numbers-compared-as-text" {
        terraform: &[When::until(1, 8, 0)],
        opentofu: &[When::until(1, 7, 0)],
        source: "case versions/tf-1.8-number-equality",
    }

    /// `issensitive` is false for an unknown value that is not marked; otherwise it is unknown.
    UnknownIsNotSensitive = "unknown-is-not-sensitive" {
        terraform: &[When::until(1, 10, 0)],
        opentofu: &[When::until(1, 11, 0)],
        source: "case versions/D21-opentofu-issensitive-of-unknown",
    }

    /// `merge` of nothing but nulls of one object type is an empty object; otherwise that is an error.
    MergesTypedNulls = "merges-typed-nulls" {
        terraform: &[When::since(1, 16, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.16-merge-nulls-of-one-object-type",
    }

    /// A set with an unknown element is unknown as a whole.
    SetsOfUnknownAreUnknown = "sets-of-unknown-are-unknown" {
        terraform: &[When::until(1, 3, 0)],
        opentofu: NEVER,
        source: "cases versions/tf-1.0-setproduct-unknown, versions/all-document-unknown-masks",
    }

    /// The value of an output of a called module that is declared sensitive is sensitive for the caller.
    SensitiveOutputsAreMarked = "sensitive-outputs-are-marked" {
        terraform: &[When::until(1, 8, 0), When::since(1, 13, 0)],
        opentofu: &[When::ALWAYS],
        source: "cases versions/D06-sensitive-output-of-nested-module-1.13, versions/tf-1.4-partly-sensitive-declared-output",
    }

    /// The value of a sensitive variable is sensitive in its own validation rules, too, so that a message that quotes it
    /// is an error.
    RulesSeeOwnMark = "rules-see-own-mark" {
        terraform: &[When::since(1, 13, 3)],
        opentofu: &[When::since(1, 11, 0)],
        source: "cases versions/tf-1.13-validation-message-of-sensitive, versions-expressions/sensitive-and-ephemeral-variables",
    }

    /// The check results of a plan say of the message of a validation rule that it refers to an ephemeral value, not a
    /// sensitive one.
    MessagesNameEphemeralValues = "messages-name-ephemeral-values" {
        terraform: NEVER,
        opentofu: &[When::since(1, 11, 0)],
        source: "case versions-found-plan/ephemeral-value-in-own-message",
    }

    /// What is wrong with the value of an ephemeral variable from a variable definitions file is reported at its
    /// declaration.
    EphemeralValuesBlamedAtDeclaration = "ephemeral-values-blamed-at-declaration" {
        terraform: NEVER,
        opentofu: &[When::since(1, 11, 0)],
        source: "case versions-variables/ephemeral-variable",
    }

    /// In `checks`, a rule of a variable whose message is unknown has failed, and is not itself wrong.
    UnknownRuleMessageIsFailure = "unknown-rule-message-is-failure" {
        terraform: NEVER,
        opentofu: &[When::ALWAYS],
        source: "case versions/tf-1.10-validation-unknown-message-plan",
    }

    /// A remote state that cannot be read is told a second time, with the address of the data source.
    UnreadStateToldWithAddress = "unread-state-told-with-address" {
        terraform: NEVER,
        opentofu: &[When::since(1, 7, 0)],
        source: "case versions/all-document-check-data",
    }

    /// The `references` of an expression name the functions of providers that it calls.
    ReferencesNameProviderFunctions = "references-name-provider-functions" {
        terraform: NEVER,
        opentofu: &[When::since(1, 7, 0)],
        source: "case versions/tofu-1.10-functions-tfvars",
    }

    /// `provider_config` of a plan has what the configuration writes down: no providers that are merely used, and none
    /// that modules get from their callers, under whose own names resources in modules are listed.
    OnlyWrittenProvidersListed = "only-written-providers-listed" {
        terraform: &[When::until(1, 2, 0)],
        opentofu: NEVER,
        source: "case versions/all-document-provider-aliases",
    }

    /// `jsondecode` refuses an object with several properties of one name whose values have different types.
    JsonRejectsMixedDuplicates = "json-rejects-mixed-duplicates" {
        terraform: &[When::since(1, 10, 5).but_until(1, 11, 0), When::since(1, 12, 0)],
        opentofu: &[When::since(1, 10, 0)],
        source: "case versions-reports-plan/jsondecode-duplicates-reversed",
    }

    /// An `import` block in a called module imports into each instance of the module.
    ImportsOfCalledModulesImport = "imports-of-called-modules-import" {
        terraform: &[When::since(1, 16, 0)],
        opentofu: NEVER,
        source: "cases versions/D03-import-in-child-module, versions/tf-1.16-import-in-child-repeated",
    }

    /// The arguments of a backend and those of encryption may refer to variables and local values. They are evaluated before
    /// anything is planned.
    SettingsAreEvaluated = "settings-are-evaluated" {
        terraform: NEVER,
        opentofu: &[When::since(1, 8, 0)],
        source: "opentofu/opentofu#1718, #1728; cases versions-more/static-backend-local-wrong, static-encryption-resource",
    }

    /// Only the method of encryption that a target names first is set up at the start; before, all methods and key
    /// providers are, once for each target. The warning about `unencrypted` is told once, at the block of the encryption;
    /// before, for each target and without a place.
    EncryptionIsSetUpWhereUsed = "encryption-is-set-up-where-used" {
        terraform: NEVER,
        opentofu: &[When::since(1, 10, 0)],
        source: "OpenTofu's encryption/base.go; case versions-more/static-encryption-from-locals",
    }

    /// `timestamp()` has a value where sources, versions and instances of providers are evaluated while a module is loaded.
    TimestampsWhileLoading = "timestamps-while-loading" {
        terraform: NEVER,
        opentofu: &[When::since(1, 8, 0)],
        source: "case versions-more/static-timestamp-in-source",
    }

    /// The key of an instance of a provider configuration may be a number or a truth value, which becomes a text.
    ProviderKeysBecomeTexts = "provider-keys-become-texts" {
        terraform: NEVER,
        opentofu: &[When::since(1, 10, 0)],
        source: "opentofu/opentofu#2378; case versions/tofu-1.10-provider-instance-key-number",
    }

    /// A resource cannot be moved to one of another type.
    MovesKeepTypes = "moves-keep-types" {
        terraform: &[When::since(1, 1, 0).but_until(1, 8, 0)],
        opentofu: &[When::until(1, 10, 0)],
        source: "refactoring/move_validate.go; case versions-more/moved-to-another-type-in-state",
    }

    /// `validate` does not refuse an ephemeral `for_each` whose type is not known; a plan does.
    EphemeralForEachOnlyInPlans = "ephemeral-for-each-only-in-plans" {
        terraform: NEVER,
        opentofu: &[When::since(1, 11, 0)],
        source: "cases versions-more/ephemeral-for-each, versions-validate/meta-for-each-wrong",
    }

    /// An import that is repeated by its own target sees no instances of it.
    ImportsSeeNoInstancesOfTheirTarget = "imports-see-no-instances-of-their-target" {
        terraform: NEVER,
        opentofu: ALL,
        source: "case versions-reports-plan/import-refers-to-its-target",
    }

    /// Each part of an argument of an object that comes from a deprecated output is a warning of its own; one deep inside of the
    /// argument is reported at the beginning of the object.
    DeprecatedPartsOfArguments = "deprecated-parts-of-arguments" {
        terraform: NEVER,
        opentofu: &[When::since(1, 10, 6)],
        source: "opentofu/opentofu#3105; case versions/tofu-1.10-deprecated-nested-marks",
    }

    /// Plan documents list ephemeral resources in `configuration`, behind the others.
    DocumentConfiguresEphemeralResources = "document-configures-ephemeral-resources" {
        terraform: NEVER,
        opentofu: ALL,
        source: "case versions-plan-schema/ephemeral-into-write-only",
    }

    /// Plan documents list ephemeral resources in `planned_values` and `resource_changes`, with the action `open`.
    DocumentOpensEphemeralResources = "document-opens-ephemeral-resources" {
        terraform: NEVER,
        opentofu: &[When::until(1, 12, 0)],
        source: "case versions-plan-schema/ephemeral-into-write-only",
    }

    /// In `planned_values`, only the values of data sources are sensitive, not what their schema says.
    PlannedDataLacksSchemaMarks = "planned-data-lacks-schema-marks" {
        terraform: NEVER,
        opentofu: ALL,
        source: "cases versions-plan-schema/for-each-with-unknown-values, versions-plan-real/eks-kubernetes-helm",
    }

    /// The attributes of ephemeral resources that their schema calls sensitive are so where they are used.
    EphemeralAttributesAreSensitive = "ephemeral-attributes-are-sensitive" {
        terraform: NEVER,
        opentofu: ALL,
        source: "cases versions-plan-schema/ephemeral-into-write-only, versions-plan-schema/tree-functions",
    }
    } } };
}

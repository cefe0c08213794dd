//! What differs between versions once a tree of modules is validated, and in plans.

/// Hands these rows to the next macro, behind those that it was given.
macro_rules! validate_rows {
    ($next:ident $($more:ident)*; $($before:tt)*) => { $next! { $($more)*; $($before)* Validate {
    /// An ephemeral part of an object in an argument is reported at the body, one of a list at the part, if that is written out.
    EphemeralPartsAtBody = "ephemeral-parts-at-body" {
        terraform: &[When::since(1, 10, 0).but_until(1, 11, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.15-nested-diagnostic-place",
    }

    /// If the root module cannot be loaded, the modules that it calls are loaded all the same, and what is wrong with them is
    /// said as well.
    CalledModulesBesideWrongRoot = "called-modules-beside-wrong-root" {
        terraform: &[When::since(1, 9, 0)],
        opentofu: &[When::since(1, 7, 0)],
        source: "case versions-more/const-two-levels",
    }

    /// An output has the type that it declares: its value is converted to it, and attributes that are missing get their defaults.
    OutputTypes = "output-types" {
        terraform: &[When::since(1, 15, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.15-output-type-defaults",
    }

    /// `validate` evaluates what imports say: their identifiers and what repeats them.
    ImportsAreValidated = "imports-are-validated" {
        terraform: &[When::since(1, 10, 0)],
        opentofu: &[When::since(1, 11, 0)],
        source: "case versions/tofu-1.11-import-id-unknown",
    }

    /// `validate` looks for the targets of imports, compares their keys with the repetition of the target, and refuses an
    /// identifier that depends on the target.
    ImportTargetsAreValidated = "import-targets-are-validated" {
        terraform: &[When::since(1, 10, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.10-import-validation",
    }

    /// The identifier of an import must not be an empty text.
    ImportIdsAreNotEmpty = "import-ids-are-not-empty" {
        terraform: &[When::since(1, 7, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.7-import-empty-id",
    }

    /// The `for_each` of an import must not refer to the target of the import.
    ImportsAreNotRepeatedByTheirTarget = "imports-are-not-repeated-by-their-target" {
        terraform: &[When::since(1, 12, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.12-import-for-each-self",
    }

    /// The `for_each` of an import must be a map, an object or a set of texts.
    ImportsAreRepeatedLikeResources = "imports-are-repeated-like-resources" {
        terraform: NEVER,
        opentofu: &[When::since(1, 11, 0)],
        source: "case versions-validate/import-targets",
    }

    /// An output of a called module that is declared ephemeral must have an ephemeral value.
    EphemeralOutputsTakeOnlyEphemeralValues = "ephemeral-outputs-take-only-ephemeral-values" {
        terraform: &[When::since(1, 10, 0).but_until(1, 12, 2)],
        opentofu: NEVER,
        source: "case versions/tf-1.12-ephemeral-output-of-plain-value",
    }

    /// The value of `count` must not be ephemeral.
    CountIsNotEphemeral = "count-is-not-ephemeral" {
        terraform: &[When::since(1, 10, 0)],
        opentofu: &[When::since(1, 12, 0)],
        source: "case versions/tofu-1.12-count-ephemeral",
    }

    /// `validate` checks that there is a backend of the type that the root module names.
    BackendTypesAreChecked = "backend-types-are-checked" {
        terraform: &[When::since(1, 15, 0)],
        opentofu: NEVER,
        source: "case versions/D05-backend-type-checked",
    }

    /// The members of a cycle are listed on lines of their own, below the title.
    CyclesAreListedOnLines = "cycles-are-listed-on-lines" {
        terraform: &[When::since(1, 16, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.16-cycle-message",
    }

    /// A function of a provider that the module does not require is reported before anything is evaluated.
    ProvidersOfFunctionsAreRequired = "providers-of-functions-are-required" {
        terraform: NEVER,
        opentofu: &[When::since(1, 7, 0)],
        source: "case versions/tf-1.8-unknown-namespace",
    }

    /// Before anything else is checked, arguments of calls that no variable takes are reported, those of all calls, and cycles
    /// of local values.
    CallsAreCheckedAtInstallation = "calls-are-checked-at-installation" {
        terraform: &[When::since(1, 15, 0)],
        opentofu: NEVER,
        source: "case versions-validate/module-arguments",
    }

    /// Names of providers are checked in called modules that cannot be loaded, too.
    ProviderNamesOfWrongModules = "provider-names-of-wrong-modules" {
        terraform: &[When::until(1, 15, 0)],
        opentofu: &[When::until(1, 12, 0)],
        source: "case versions-validate/implied-provider-name",
    }

    /// An `import` block in a called module is an error.
    ImportsOnlyInRoot = "imports-only-in-root" {
        terraform: &[When::until(1, 15, 0), When::since(1, 15, 5).but_until(1, 16, 0)],
        opentofu: &[When::ALWAYS],
        source: "case versions/D03-import-in-child-module",
    }

    /// The backend of a called module is a warning, because it has no effect.
    BackendsOfCalledModulesWarn = "backends-of-called-modules-warn" {
        terraform: &[When::until(1, 15, 0), When::since(1, 15, 5)],
        opentofu: &[When::ALWAYS],
        source: "case versions/tf-1.13-backend-in-child-wording",
    }

    /// A `cloud` block in a called module is a warning, because it has no effect.
    CloudOfCalledModulesWarns = "cloud-of-called-modules-warns" {
        terraform: &[When::since(1, 13, 0).but_until(1, 15, 0), When::since(1, 15, 5)],
        opentofu: NEVER,
        source: "case versions/D09-cloud-in-child-module",
    }

    /// A value that does not have the type of the variable is reported at the declaration of the variable, not where a call
    /// or a file passes it.
    WrongArgumentsAtDeclaration = "wrong-arguments-at-declaration" {
        terraform: NEVER,
        opentofu: &[When::since(1, 11, 0)],
        source: "cases versions-validate/module-argument-types, versions/tf-1.4-defaults-into-wrong-type",
    }

    /// A connection of the type `winrm` is a warning.
    WinrmIsDeprecated = "winrm-is-deprecated" {
        terraform: NEVER,
        opentofu: &[When::since(1, 12, 0)],
        source: "case versions/tofu-1.12-winrm-warning",
    }

    /// `validate` checks the attributes and keys that `replace_triggered_by` names.
    TriggersAreValidated = "triggers-are-validated" {
        terraform: NEVER,
        opentofu: &[When::since(1, 12, 0)],
        source: "case versions/D08-replace-triggered-by-missing-attribute-1.15",
    }

    /// `validate` looks for the resources that `replace_triggered_by` names.
    TriggersAreDeclared = "triggers-are-declared" {
        terraform: NEVER,
        opentofu: &[When::since(1, 12, 1)],
        source: "case versions/tf-1.15-replace-triggered-by-undeclared",
    }

    /// A variable in a cycle is named as one that is referred to.
    VariablesInCyclesAreReferences = "variables-in-cycles-are-references" {
        terraform: NEVER,
        opentofu: &[When::since(1, 9, 0)],
        source: "case versions/tofu-1.9-validation-cycle",
    }

    /// A function whose name has a namespace counts as one of a provider wherever it is evaluated.
    QualifiedFunctionsAreOfProviders = "qualified-functions-are-of-providers" {
        terraform: &[When::since(1, 15, 0)],
        opentofu: NEVER,
        source: "case versions-expressions/refused-early-call-to-unknown-function",
    }

    /// An attribute of an object that a variable drops is reported where a call passes it, too.
    LostAttributesOfArguments = "lost-attributes-of-arguments" {
        terraform: NEVER,
        opentofu: &[When::since(1, 11, 0)],
        source: "case versions/tofu-1.11-object-literal-extra-attribute",
    }

    /// `validate`, too, reads the definitions files that need not be named, and warns about values of variables that the root
    /// module does not declare.
    ValidateReadsValues = "validate-reads-values" {
        terraform: &[When::since(1, 15, 0)],
        opentofu: NEVER,
        source: "case versions-validate/fine-many-files-and-dirs",
    }

    /// A deprecated output of a called module marks its value: each expression that uses it is a warning, in a plan also where
    /// `validate` evaluates it, and the mark is passed on to variables.
    DeprecatedOutputsMarkValues = "deprecated-outputs-mark-values" {
        terraform: &[When::since(1, 15, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.15-deprecated-output-used",
    }

    /// A deprecated attribute of a resource marks its value: each expression that uses it is a warning. Before, each reference
    /// that names the attribute is.
    DeprecatedAttributesMarkValues = "deprecated-attributes-mark-values" {
        terraform: &[When::since(1, 15, 0)],
        opentofu: &[When::since(1, 12, 0)],
        source: "cases versions-validate/warnings-only, versions-validate/json-fine",
    }

    /// A deprecated type of blocks, or of resources, marks its values, too.
    DeprecatedBlocksMarkValues = "deprecated-blocks-mark-values" {
        terraform: &[When::since(1, 15, 0)],
        opentofu: NEVER,
        source: "case versions-validate/json-fine",
    }

    /// A call that passes a value other than null for a deprecated variable is a warning.
    DeprecatedVariablesWarn = "deprecated-variables-warn" {
        terraform: &[When::since(1, 15, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.15-deprecated-child-variable",
    }

    /// `validate`, too, warns about a call that passes anything for a deprecated variable.
    DeprecatedVariablesWarnInValidate = "deprecated-variables-warn-in-validate" {
        terraform: NEVER,
        opentofu: &[When::since(1, 12, 0)],
        source: "case versions/tf-1.15-deprecated-child-variable",
    }

    /// An output of the root module must not be deprecated.
    RootOutputsAreNotDeprecated = "root-outputs-are-not-deprecated" {
        terraform: &[When::since(1, 15, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.15-deprecated-root-output",
    }

    /// An output of a called module passes deprecated parts of its value on: they are warnings where they are used.
    DeprecatedPartsWarnWhenUsed = "deprecated-parts-warn-when-used" {
        terraform: &[When::since(1, 16, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.16-deprecated-output-in-unused-part",
    }

    /// A `terraform_data` may keep a value in a block `store`, which every object has, null if it is not written.
    TerraformDataHasStore = "terraform-data-store" {
        terraform: &[When::since(1, 16, 0)],
        opentofu: NEVER,
        source: "case versions-more/store-in-modules",
    }

    /// The identifier of an import must not be sensitive.
    ImportIdIsShown = "import-id-is-shown" {
        terraform: NEVER,
        opentofu: &[When::ALWAYS],
        source: "opentofu/opentofu internal/tofu/eval_import.go",
    }

    /// An identifier that is ephemeral is refused even while its value is unknown.
    UnknownEphemeralImportIdRefused = "unknown-ephemeral-import-id-refused" {
        terraform: NEVER,
        opentofu: &[When::ALWAYS.but_until(1, 12, 0)],
        source: "case versions-validate/import-targets",
    }

    /// What is wrong with the elements of a set in `for_each` has the title of every other wrong `for_each`.
    ForEachSetHasNoTitleOfItsOwn = "for-each-set-has-no-title-of-its-own" {
        terraform: NEVER,
        opentofu: &[When::since(1, 10, 0)],
        source: "case versions-validate/meta-for-each-wrong",
    }

    /// An import by identity needs a type whose provider describes identities.
    ImportIdentityNeedsSchema = "import-identity-needs-schema" {
        terraform: NEVER,
        opentofu: &[When::since(1, 12, 0)],
        source: "case versions/tf-1.12-import-identity",
    }

    /// The result of a conditional is sensitive only if the result that is taken is, unless the condition is unknown; the
    /// condition and the other result do not count.
    ConditionalsMarkTaken = "conditionals-mark-result-taken" {
        terraform: &[When::until(1, 10, 0)],
        opentofu: &[When::until(1, 10, 0)],
        source: "case versions/tf-1.10-conditional-marks",
    }

    /// The result of a conditional whose condition is unknown is not sensitive, and nor is a splat over an unknown list.
    UnknownConditionsLoseMarks = "unknown-conditions-lose-marks" {
        terraform: &[When::until(1, 6, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.10-conditional-marks-unknown",
    }

    /// What `for`, splats, attributes, indexes and functions make of something unknown is not sensitive.
    UnknownsLoseMarks = "unknowns-lose-marks" {
        terraform: &[When::until(1, 10, 0)],
        opentofu: &[When::until(1, 10, 0)],
        source: "cases versions/tf-1.10-for-marks-unknown, versions/tf-1.10-function-unknown-marks",
    }

    /// An attribute in brackets is looked up in the type of an object that is not known yet, as one after a dot is; a
    /// name that is missing is an error at once.
    ObjectsIndexedByType = "objects-indexed-by-type" {
        terraform: &[When::since(1, 13, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.13-index-unknown-object",
    }

    /// `element` counts from the end of a tuple if the index is negative, as it does in a list.
    TuplesWrapBackwards = "element-of-tuple-from-end" {
        terraform: &[When::since(1, 10, 5).but_until(1, 11, 0), When::since(1, 12, 0)],
        opentofu: &[When::since(1, 10, 0)],
        source: "case versions-values/value-34-element",
    }

    /// `element` refuses a negative index.
    NegativeElementRefused = "negative-element-refused" {
        terraform: &[When::until(1, 10, 0)],
        opentofu: &[When::until(1, 10, 0)],
        source: "change zclconf/go-cty#200",
    }

    /// `nonsensitive` refuses a value that is not sensitive.
    NonsensitiveRefusesPlain = "nonsensitive-refuses-plain" {
        terraform: &[When::until(1, 7, 0)],
        opentofu: &[When::until(1, 7, 0)],
        source: "case versions/tf-1.7-nonsensitive-plain",
    }

    /// `contains` may look for null; otherwise that is an error.
    ContainsNull = "contains-null" {
        terraform: &[When::since(1, 16, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.16-contains-null-absent",
    }

    /// `transpose` reports a null list or element at the argument, not at the call.
    TransposeNamesArgument = "transpose-names-argument" {
        terraform: NEVER,
        opentofu: &[When::since(1, 10, 0)],
        source: "case versions/tofu-1.10-transpose-null",
    }

    /// `formatdate` and `timeadd` accept times that have an hour of one digit, or a comma before the fraction of a
    /// second.
    LooseTimestamps = "loose-timestamps" {
        terraform: &[When::until(1, 6, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.6-strict-timestamps",
    }

    /// `sum` refuses texts that are numbers.
    SumRefusesText = "sum-refuses-text" {
        terraform: &[When::until(1, 1, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.1-sum-strings",
    }

    /// `flatten` refuses a null list, set or tuple; otherwise it stays an element.
    FlattenRefusesNull = "flatten-refuses-null" {
        terraform: &[When::until(1, 2, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.2-flatten-null",
    }

    /// A template file may render others with `templatefile`.
    TemplatesNest = "templates-nest" {
        terraform: NEVER,
        opentofu: &[When::since(1, 10, 0)],
        source: "case versions-expressions/errors-file-2",
    }

    /// Names of Unicode properties in regular expressions ignore case, spaces, hyphens and underscores, and `Letter`,
    /// `ASCII` and the like are names, too.
    LooseUnicodeNames = "loose-unicode-names" {
        terraform: &[When::since(1, 14, 0)],
        opentofu: &[When::since(1, 11, 0)],
        source: "cases versions/tf-1.14-regex-names-ignore-case, versions/tofu-1.11-regexall-negated-property",
    }

    /// `validate` knows a resource or data source without `count` and `for_each` as an object of its attributes, which
    /// are unknown values of their types: it is not null, it can be iterated over, and `try` and `can` decide whether it
    /// has an attribute.
    SingleResourcesAreObjects = "single-resources-are-objects" {
        terraform: &[When::since(1, 15, 0)],
        opentofu: NEVER,
        source: "cases versions/tf-1.15-validate-resource-null, versions-more/validate-index-of-resource",
    }

    /// `validate` knows the type of a resource or data source without `count` and `for_each`, whose value is unknown.
    SingleResourcesAreTyped = "single-resources-are-typed" {
        terraform: NEVER,
        opentofu: &[When::since(1, 12, 0)],
        source: "case versions/tf-1.15-validate-resource-is-typed",
    }

    /// `validate` knows a module that is called once as an object of its outputs: it is not null, and it can be iterated
    /// over.
    SingleModulesAreObjects = "single-modules-are-objects" {
        terraform: &[When::since(1, 15, 0)],
        opentofu: NEVER,
        source: "cases versions/tf-1.15-validate-module-for, versions/tf-1.15-validate-module-null",
    }

    /// A reference to an output that a called module does not have is reported even if something in that module has an
    /// error.
    MissingOutputsWaitForNothing = "missing-outputs-wait-for-nothing" {
        terraform: &[When::until(1, 8, 0)],
        opentofu: &[When::ALWAYS],
        source: "case versions-validate/module-three-levels",
    }

    /// A validation rule whose message is not known yet is reported as broken, without the message.
    UnknownRuleMessagesLeftOut = "unknown-rule-messages-left-out" {
        terraform: &[When::since(1, 9, 0).but_until(1, 9, 3)],
        opentofu: NEVER,
        source: "case versions/tf-1.10-validation-unknown-message",
    }

    /// The message of a broken validation rule that is not known yet is an error in `validate`, too.
    UnknownRuleMessagesWrong = "unknown-rule-messages-wrong" {
        terraform: &[When::since(1, 9, 3).but_until(1, 10, 0)],
        opentofu: NEVER,
        source: "case versions/tf-1.10-validation-unknown-message",
    }

    /// The `for_each` of a dynamic block must not be sensitive.
    MarkedDynamicsRefused = "marked-dynamics-refused" {
        terraform: &[When::until(1, 10, 0)],
        opentofu: &[When::until(1, 10, 0)],
        source: "cases versions-found-plan/dynamic-over-sensitive-list, versions-validate/sensitive-fine",
    }

    /// An import without a configuration of its target that names no provider is one of the provider that the type suggests,
    /// whatever the module requires under this name. If no module requires that one, nothing else is looked at.
    ImportsImplyProviders = "imports-imply-providers" {
        terraform: &[When::since(1, 16, 0)],
        opentofu: NEVER,
        source: "case versions-validate/import-elsewhere",
    }

    /// While a configuration is validated, `plantimestamp` returns the beginning of year 1.
    PlanTimestampOfYearOne = "plan-timestamp-of-year-one" {
        terraform: &[When::until(1, 10, 0)],
        opentofu: &[
            When::until(1, 7, 8),
            When::since(1, 8, 0).but_until(1, 8, 9),
            When::since(1, 9, 0).but_until(1, 9, 1),
        ],
        source: "case versions-validate/plantimestamp-in-range; internal/lang/funcs/datetime.go",
    }

    /// Functions of providers are not found in an expression that is in parentheses as a whole.
    ProviderFunctionsOutsideOfParentheses = "provider-functions-outside-of-parentheses" {
        terraform: NEVER,
        opentofu: &[When::since(1, 7, 0).but_until(1, 10, 7)],
        source: "case versions/tofu-1.10-provider-function-in-parentheses",
    }

    /// A key after the name of a provider configuration that has no `for_each` and no content is reported at the name, not
    /// at the key.
    ProviderKeysOfNothingAtName = "provider-keys-of-nothing-at-name" {
        terraform: NEVER,
        opentofu: &[When::since(1, 10, 0)],
        source: "case versions-more/provider-for-each-without-key",
    }

    /// `validate` accepts a root module that requests provider configurations from a caller with `configuration_aliases`.
    RootModulesRequestProviders = "root-modules-request-providers" {
        terraform: NEVER,
        opentofu: &[When::since(1, 11, 0)],
        source: "opentofu/opentofu#2905; case versions/D19-opentofu-validate-configuration-aliases",
    }

    /// A `local-exec` provisioner refuses an empty command, and a `file` provisioner an empty destination.
    ProvisionersRefuseEmptyTexts = "provisioners-refuse-empty-texts" {
        terraform: NEVER,
        opentofu: &[When::since(1, 12, 0)],
        source: "cases versions-validate/provisioners-wrong, versions-plan/config-provisioner-bad-argument",
    }

    /// `validate` says nothing about the `for_each` of a resource that has no known value, not even what is wrong with the
    /// expression; a plan does.
    UnknownForEachWaitsForPlan = "unknown-for-each-waits-for-plan" {
        terraform: NEVER,
        opentofu: &[When::since(1, 10, 0)],
        source: "case versions/tf-1.9-count-unknown-type-in-validate",
    }

    /// Of the validation rules of a variable, those after one with an error are not looked at.
    RulesEndAtFirstError = "rules-end-at-first-error" {
        terraform: NEVER,
        opentofu: &[When::since(1, 7, 2)],
        source: "cases versions-validate/validate-module-arguments, versions-expressions/ephemeralasnull-core-namespace",
    }

    /// An output whose value is partly unknown, and not secret as a whole, may contain something ephemeral. Outputs with other
    /// errors are not searched for it.
    PartlyUnknownOutputsMayBeEphemeral = "partly-unknown-outputs-may-be-ephemeral" {
        terraform: NEVER,
        opentofu: &[When::since(1, 11, 0)],
        source: "case versions-trees-validate/invalid-0207; OpenTofu's tofu/node_output.go",
    }

    /// `validate` refuses an import whose `for_each` is not known.
    ImportsAreRepeatedByKnownValues = "imports-are-repeated-by-known-values" {
        terraform: NEVER,
        opentofu: &[When::since(1, 11, 0).but_until(1, 11, 1)],
        source: "opentofu/opentofu#3564; case versions/tofu-1.11-import-id-variable",
    }

    /// `validate` takes it that a provider that the module requires has every function that is called; a plan looks for them.
    FunctionsAreLookedUpInPlans = "functions-are-looked-up-in-plans" {
        terraform: NEVER,
        opentofu: &[When::since(1, 7, 0)],
        source: "case versions/tofu-1.10-provider-function-in-parentheses; OpenTofu's tofu/context_functions.go",
    }

    /// A call of a function of a provider depends on the configuration of the provider, which can make a cycle.
    FunctionsWaitForProviders = "functions-wait-for-providers" {
        terraform: NEVER,
        opentofu: ALL,
        source: "case versions-validate/provider-aliases-fine; OpenTofu's tofu/transform_provider.go",
    }

    /// Provider configurations and names of providers are compared only if every module of the tree can be loaded.
    ProvidersAreCheckedInSoundTrees = "providers-are-checked-in-sound-trees" {
        terraform: NEVER,
        opentofu: &[When::since(1, 12, 0)],
        source: "case versions-validate/implied-provider-names-of-children; OpenTofu's configs/config_build.go",
    }

    /// An ephemeral value in a nested block is reported at the argument that has it, not at the object as a whole.
    EphemeralValuesInBlocksAtArgument = "ephemeral-values-in-blocks-at-argument" {
        terraform: NEVER,
        opentofu: &[When::since(1, 11, 0)],
        source: "case versions-validate/ephemeral-into-arguments",
    }
    } } };
}

//! Codes of what is found while a plan is made.

overfold_base::codes! {
    CONDITION_FAILED = "plan/condition-failed", Error, "Resource precondition failed",
        "A condition of a resource, an output or a check is false.";
    CHECK_UNKNOWN = "plan/check-unknown", Warning, "Check block assertion known after apply",
        "An assertion of a check depends on something that is known only when the plan is applied.";
    SELF_REFERENCE = "plan/self-reference", Error, "Self-referential block",
        "A resource refers to itself, so it can never be evaluated.";
    REMOTE_STATE = "plan/remote-state-missing", Error, "Unable to find remote state",
        "The state that a `terraform_remote_state` names is not there.";
    NOT_KNOWN_HERE = "plan/instances-not-known-here", Error ours, "Number of instances not known here",
        "The value of `count` or `for_each` depends on something that was not given, such as a data source, a module or the attribute of a resource. A real plan may know it.";
    INFINITE_NUMBER = "plan/infinite-number", Error, "Failed to write plan file",
        "A resource or an output of the root module contains an infinite number, which cannot be written to a state or plan file.";
    DEPRECATED_ROOT_VARIABLE = "plan/deprecated-root-variable", Warning, "Deprecated variable used from the root module",
        "A variable of the root module that is declared as deprecated gets a value.";
    ENABLED = "plan/invalid-enabled", Error, "Invalid enabled argument",
        "The value of `enabled` must be true or false, known, and neither sensitive nor ephemeral.";
    TOO_MANY_INSTANCES = "plan/too-many-instances", Error ours, "Too many instances",
        "The tree has more instances of modules, resources and data sources than may be planned.";
    KEY_TOO_LONG = "plan/key-too-long", Error ours, "Instance key too long",
        "A key of for_each is longer than this service accepts, because keys are parts of addresses. The object is not planned.";
    TOO_DEEP = "plan/modules-too-deep", Error ours, "Module calls nested too deeply",
        "Module calls are nested more deeply than they may be in a plan.";
    ASSUMPTION_UNUSED = "plan/assumption-unused", Warning ours, "Assumption about nothing",
        "`assume` names an address that no resource or data source has.";
    ASSUMPTION_IGNORED = "plan/assumption-ignored", Warning ours, "Assumption contradicts the configuration",
        "`assume` gives a value for an argument that the configuration sets to another value, which is used; or for an attribute that does not exist.";
    MODULE_MISSING = "plan/module-missing", Warning ours, "Module not available",
        "The source of a module call leads to nothing that was given. Its outputs are unknown, and its resources are missing.";
    IMPORT_UNKNOWN = "plan/import-id-unknown", Error, "Invalid import id argument",
        "The identifier in an `import` block must be known while planning.";
    PROVIDER_CONFIGURATION = "plan/provider-block-missing", Error, "Invalid provider configuration",
        "A provider requires arguments or blocks, but the root module has no block that configures it.";
    PROVIDER_INSTANCE = "plan/provider-instance-missing", Error, "Provider instance not present",
        "A resource uses an instance of a provider configuration that its `for_each` does not have.";
    DESTROY_EXPRESSION = "plan/invalid-destroy", Error, "Invalid lifecycle destroy expression",
        "The argument `destroy` of a lifecycle must be a constant that is true or false.";
    PREVENT_DESTROY_REFERENCE = "plan/prevent-destroy-reference", Error, "Invalid reference in prevent_destroy",
        "The argument `prevent_destroy` must not depend on the instance, because it also counts for instances that are gone.";
    PREVENT_DESTROY = "plan/prevent-destroy", Error, "Instance cannot be destroyed",
        "An imported object would be replaced, but the lifecycle of the resource forbids destroying it.";
    NO_CHANGE = "plan/no-change-found", Error, "no change found for ADDRESS in MODULE",
        "An item of `replace_triggered_by` names an instance that is not there, or an attribute of a resource that has several instances.";
    MOVE_REDUNDANT = "plan/move-redundant", Error, "Redundant move statement",
        "A `moved` block moves an object to its own address.";
    MOVE_TYPES = "plan/move-types", Error, "Resource type mismatch",
        "A `moved` block moves a resource to one of another type.";
    MOVE_AMBIGUOUS = "plan/move-ambiguous", Error, "Ambiguous move statements",
        "Two `moved` blocks move the same object to different addresses, or different objects to the same address.";
    MOVED_EXISTS = "plan/moved-object-exists", Error, "Moved object still exists",
        "What a `moved` block moves is still declared.";
    MOVE_CYCLE = "plan/move-cycle", Error, "Cyclic dependency in move statements",
        "Several `moved` blocks form a cycle.";
    REMOVED_RESOURCE = "plan/removed-resource-exists", Error, "Removed resource still exists",
        "A resource is declared although a `removed` block says that it is gone.";
    REMOVED_MODULE = "plan/removed-module-exists", Error, "Removed module still exists",
        "A module is called although a `removed` block says that it is gone.";
}

//! Names of blocks and arguments about which a stage has a rule of its own.

/// The argument of a provider configuration with its second name.
pub const ALIAS: &str = "alias";
/// A condition of a check or of a test run.
pub const ASSERT: &str = "assert";
/// The block of a check.
pub const CHECK: &str = "check";
/// The argument of a rule with its condition.
pub const CONDITION: &str = "condition";
/// The argument of a required provider that declares configurations which the caller passes.
pub const CONFIGURATION_ALIASES: &str = "configuration_aliases";
/// The block that says how provisioners reach a machine.
pub const CONNECTION: &str = "connection";
/// The flag of a variable that is known while the module is loaded.
pub const CONST: &str = "const";
/// The block in a `dynamic` block with the body of each generated block.
pub const CONTENT: &str = "content";
/// The argument with the number of instances, and the object with the position of the current one.
pub const COUNT: &str = "count";
/// The argument of a variable with the value that it has if none is given.
pub const DEFAULT: &str = "default";
/// The argument with dependencies that no expression shows.
pub const DEPENDS_ON: &str = "depends_on";
/// The value of `when` for a provisioner that runs when the object is destroyed; and the argument of `lifecycle` in `removed`.
pub const DESTROY: &str = "destroy";
/// The block that generates other blocks.
pub const DYNAMIC: &str = "dynamic";
/// The object with the key and value of the current element.
pub const EACH: &str = "each";
/// The argument of `lifecycle` that decides whether there is an instance (OpenTofu).
pub const ENABLED: &str = "enabled";
/// The flag of values that are never stored, and the block of an ephemeral resource.
pub const EPHEMERAL: &str = "ephemeral";
/// The argument of a rule with what is reported if its condition does not hold.
pub const ERROR_MESSAGE: &str = "error_message";
/// The argument of a test run with the checks that must fail.
pub const EXPECT_FAILURES: &str = "expect_failures";
/// The argument with a collection, for each element of which there is an instance.
pub const FOR_EACH: &str = "for_each";
/// The argument with the address that an object had.
pub const FROM: &str = "from";
/// The argument of `lifecycle` with attributes whose changes are ignored.
pub const IGNORE_CHANGES: &str = "ignore_changes";
/// The argument of `import` with the identifier of the object.
pub const ID: &str = "id";
/// The block that adopts an existing object.
pub const IMPORT: &str = "import";
/// The argument of a `dynamic` block that names the object with the current element.
pub const ITERATOR: &str = "iterator";
/// The block of a key provider.
pub const KEY_PROVIDER: &str = "key_provider";
/// The argument of a `dynamic` block with the labels of each generated block.
pub const LABELS: &str = "labels";
/// The block of a resource with settings of its life cycle.
pub const LIFECYCLE: &str = "lifecycle";
/// The block of an encryption method.
pub const METHOD: &str = "method";
/// The block of a test file with a provider that is replaced.
pub const MOCK_PROVIDER: &str = "mock_provider";
/// The block of a module call.
pub const MODULE: &str = "module";
/// The flag of a variable that may be null.
pub const NULLABLE: &str = "nullable";
/// The block of an output value.
pub const OUTPUT: &str = "output";
/// The block of a resource or an output with a condition that is checked before.
pub const PRECONDITION: &str = "precondition";
/// The block of a resource with a condition that is checked after.
pub const POSTCONDITION: &str = "postcondition";
/// The block of a provider configuration, and the argument that names one.
pub const PROVIDER: &str = "provider";
/// The argument with the provider configurations that are passed.
pub const PROVIDERS: &str = "providers";
/// The block of a provisioner.
pub const PROVISIONER: &str = "provisioner";
/// The argument of `lifecycle` with references whose changes replace the object.
pub const REPLACE_TRIGGERED_BY: &str = "replace_triggered_by";
/// The block of a test run.
pub const RUN: &str = "run";
/// The flag of values that are not shown.
pub const SENSITIVE: &str = "sensitive";
/// The argument that says where something comes from.
pub const SOURCE_ARGUMENT: &str = "source";
/// The argument with the address that an object gets.
pub const TO: &str = "to";
/// The type constraint of an input variable.
pub const TYPE: &str = "type";
/// The block of a rule of a variable.
pub const VALIDATION: &str = "validation";
/// The block that declares an input variable.
pub const VARIABLE: &str = "variable";
/// The block of a test file, or of a test run, that gives variables values.
pub const VARIABLES: &str = "variables";
/// The argument of an output with its value.
pub const VALUE: &str = "value";
/// The argument with a version constraint.
pub const VERSION: &str = "version";
/// The argument of a provisioner that says when it runs.
pub const WHEN: &str = "when";
/// `deprecated`
pub const DEPRECATED: &str = "deprecated";

//! Every code of evaluation.

crate::codes! {
    VARIABLES_NOT_ALLOWED = "evaluation/variables-not-allowed", Error, "Variables not allowed",
        "The place takes a constant, but the expression refers to a name. Write the value itself.";
    UNKNOWN_VARIABLE = "evaluation/unknown-variable", Error, "Unknown variable",
        "The expression refers to a name that does not exist where it stands.";
    FUNCTIONS_NOT_ALLOWED = "evaluation/functions-not-allowed", Error, "Function calls not allowed",
        "The place takes a constant, but the expression calls a function. Write the result itself.";
    UNKNOWN_FUNCTION = "evaluation/unknown-function", Error, "Call to unknown function",
        "No function of that name exists in the version of the tool that is followed.";
    NOT_ENOUGH_ARGUMENTS = "evaluation/not-enough-arguments", Error, "Not enough function arguments",
        "A function is called with fewer arguments than it needs.";
    TOO_MANY_ARGUMENTS = "evaluation/too-many-arguments", Error, "Too many function arguments",
        "A function is called with more arguments than it takes.";
    INVALID_ARGUMENT = "evaluation/invalid-argument", Error, "Invalid function argument",
        "One argument of a function call has a type or value that the function does not take.";
    CALL_FAILED = "evaluation/call-failed", Error, "Error in function call",
        "A function cannot give a result for its arguments taken together.";
    INVALID_EXPANSION = "evaluation/invalid-expansion", Error, "Invalid expanding argument value",
        "Only a list, tuple or set that is not null can be spread over a function's arguments with `...`.";
    INVALID_OPERAND = "evaluation/invalid-operand", Error, "Invalid operand",
        "An operator is given a value that cannot be made a number or a bool, as it needs.";
    OPERATION_FAILED = "evaluation/operation-failed", Error, "Operation failed",
        "An operator has no result for its operands: a null, zero by zero, infinities against each other.";
    INCONSISTENT_CONDITIONAL = "evaluation/inconsistent-conditional", Error, "Inconsistent conditional result types",
        "The two results of a conditional have no type in common.";
    NULL_CONDITION = "evaluation/null-condition", Error, "Null condition",
        "The condition of a conditional is null. It must be true or false.";
    INCORRECT_CONDITION = "evaluation/incorrect-condition-type", Error, "Incorrect condition type",
        "The condition of a conditional is neither a bool nor text of one.";
    ITERATION_OVER_NULL = "evaluation/iteration-over-null", Error, "Iteration over null value",
        "A `for` expression runs over a null.";
    ITERATION_OVER_SCALAR = "evaluation/iteration-over-non-iterable", Error, "Iteration over non-iterable value",
        "A `for` expression runs over something that has no elements, such as text or a number.";
    FOR_CONDITION_NULL = "evaluation/for-condition-null", Error, "Condition is null",
        "The `if` clause of a `for` expression is null whatever the elements are.";
    INVALID_FOR_CONDITION = "evaluation/invalid-for-condition", Error, "Invalid 'for' condition",
        "The `if` clause of a `for` expression gives something else than true or false.";
    INVALID_FOR_KEY = "evaluation/invalid-for-key", Error, "Invalid object key",
        "The key of a `for` expression is null or cannot be made text.";
    DUPLICATE_FOR_KEY = "evaluation/duplicate-for-key", Error, "Duplicate object key",
        "Two elements of a `for` expression give the same key. Group them with `...` after the value if that is meant.";
    NULL_KEY = "evaluation/null-key", Error, "Null value as key",
        "The key of an object is null.";
    INCORRECT_KEY = "evaluation/incorrect-key-type", Error, "Incorrect key type",
        "The key of an object cannot be made text.";
    AMBIGUOUS_KEY = "evaluation/ambiguous-key", Error, "Ambiguous attribute key",
        "A bare reference stands as the key of an object. Put it in parentheses, or in quotes if it is a name.";
    INVALID_INDEX = "evaluation/invalid-index", Error, "Invalid index",
        "The key in brackets selects nothing in the value before it.";
    INDEX_OF_NULL = "evaluation/index-of-null", Error, "Attempt to index null value",
        "Brackets are applied to a null.";
    UNSUPPORTED_ATTRIBUTE = "evaluation/unsupported-attribute", Error, "Unsupported attribute",
        "The value before the dot has no attribute of that name.";
    MISSING_MAP_ELEMENT = "evaluation/missing-map-element", Error, "Missing map element",
        "The map before the dot has no element of that key.";
    ATTRIBUTE_OF_NULL = "evaluation/attribute-of-null", Error, "Attempt to get attribute from null value",
        "A dot is applied to a null.";
    INVALID_INTERPOLATION = "evaluation/invalid-interpolation", Error, "Invalid template interpolation value",
        "A null, list or object stands where text is put together. Only text, numbers and bools can.";
    SPLAT_OF_NULL = "evaluation/splat-of-null", Error, "Splat of null value",
        "A splat runs over a null list, set or tuple.";
    MIXED_SPLAT = "evaluation/mixed-splat", Error, "Invalid nested splat expressions",
        "A splat over a list gives elements of different types, which no list can hold. Use a `for` expression.";
    INVALID_JSON_KEY = "evaluation/invalid-json-key", Error, "Invalid object key expression",
        "The name of a JSON property is a template whose result cannot be a key.";
    DUPLICATE_JSON_KEY = "evaluation/duplicate-json-key", Error, "Duplicate object attribute",
        "Two properties of a JSON object have the same name.";
    INVALID_TYPE = "evaluation/invalid-type", Error, "Invalid type specification",
        "A type constraint is not one of the keywords or constructors of the type language.";
    INVALID_OPTIONAL_DEFAULT = "evaluation/invalid-optional-default", Error,
        "Invalid default value for optional attribute",
        "The default inside `optional(…)` cannot be converted to the attribute's type.";
    QUOTED_TYPE = "evaluation/quoted-type", Error, "Invalid quoted type constraints",
        "A type is written in quotes, as before version 0.12. Take the quotes away.";
    LEGACY_TYPE_HINT = "evaluation/legacy-type-hint", Error, "Invalid legacy variable type hint",
        "A type is written in quotes and is none of those that ever were.";
    TOO_MUCH_WORK = "evaluation/too-much-work", Error ours, "Expression takes too much work",
        "Evaluating the expression would take more time or memory than one request may use. The tool itself may be able to.";
    NULL_IS_EMPTY = "evaluation/null-is-empty", Info, "Null read as the empty text",
        "The tool has no null here and takes it for the empty text.";
}

//! All diagnostic codes of evaluation.

overfold_base::codes! {
    VARIABLES_NOT_ALLOWED = "evaluation/variables-not-allowed", Error, "Variables not allowed",
        "A constant is required, but the expression refers to a name. Write the value itself.";
    UNKNOWN_VARIABLE = "evaluation/unknown-variable", Error, "Unknown variable",
        "The expression refers to a name that is not defined in its scope.";
    FUNCTIONS_NOT_ALLOWED = "evaluation/functions-not-allowed", Error, "Function calls not allowed",
        "A constant is required, but the expression calls a function. Write the result itself.";
    UNKNOWN_FUNCTION = "evaluation/unknown-function", Error, "Call to unknown function",
        "The version followed here has no function with this name.";
    NOT_ENOUGH_ARGUMENTS = "evaluation/not-enough-arguments", Error, "Not enough function arguments",
        "A function is called with fewer arguments than it requires.";
    TOO_MANY_ARGUMENTS = "evaluation/too-many-arguments", Error, "Too many function arguments",
        "A function is called with more arguments than it accepts.";
    INVALID_ARGUMENT = "evaluation/invalid-argument", Error, "Invalid function argument",
        "An argument of a function call has a type or value that the function does not accept.";
    CALL_FAILED = "evaluation/call-failed", Error, "Error in function call",
        "A function failed for this combination of arguments.";
    INVALID_EXPANSION = "evaluation/invalid-expansion", Error, "Invalid expanding argument value",
        "Only a list, tuple or set that is not null can be expanded into function arguments with `...`.";
    INVALID_OPERAND = "evaluation/invalid-operand", Error, "Invalid operand",
        "An operand does not have the type that the operator needs, and cannot be converted to it.";
    OPERATION_FAILED = "evaluation/operation-failed", Error, "Operation failed",
        "An operation has no result for its operands: one of them is null, or the numbers have no result, as with zero divided by zero.";
    INCONSISTENT_CONDITIONAL = "evaluation/inconsistent-conditional", Error, "Inconsistent conditional result types",
        "The two results of a conditional expression have no common type.";
    NULL_CONDITION = "evaluation/null-condition", Error, "Null condition",
        "The condition of a conditional expression is null. It must be true or false.";
    INCORRECT_CONDITION = "evaluation/incorrect-condition-type", Error, "Incorrect condition type",
        "The condition of a conditional expression is not a boolean and cannot be converted to one.";
    ITERATION_OVER_NULL = "evaluation/iteration-over-null", Error, "Iteration over null value",
        "A `for` expression iterates over null.";
    ITERATION_OVER_SCALAR = "evaluation/iteration-over-non-iterable", Error, "Iteration over non-iterable value",
        "A `for` expression iterates over a value without elements, such as a string or a number.";
    FOR_CONDITION_NULL = "evaluation/for-condition-null", Error, "Condition is null",
        "The `if` clause of a `for` expression is null. It must be true or false.";
    INVALID_FOR_CONDITION = "evaluation/invalid-for-condition", Error, "Invalid 'for' condition",
        "The `if` clause of a `for` expression is neither true nor false for an element.";
    INVALID_FOR_KEY = "evaluation/invalid-for-key", Error, "Invalid object key",
        "The key of a `for` expression is null or cannot be converted to a string.";
    DUPLICATE_FOR_KEY = "evaluation/duplicate-for-key", Error, "Duplicate object key",
        "Two elements of a `for` expression have the same key. Make the keys unique, or add `...` after the value to group the values of each key.";
    NULL_KEY = "evaluation/null-key", Error, "Null value as key",
        "The key of an object attribute is null.";
    INCORRECT_KEY = "evaluation/incorrect-key-type", Error, "Incorrect key type",
        "The key of an object attribute cannot be converted to a string.";
    AMBIGUOUS_KEY = "evaluation/ambiguous-key", Error, "Ambiguous attribute key",
        "A bare reference is used as an object key. Put it in parentheses, or in quotes if it is a name.";
    INVALID_INDEX = "evaluation/invalid-index", Error, "Invalid index",
        "The key in brackets does not select an element of the value before it.";
    INDEX_OF_NULL = "evaluation/index-of-null", Error, "Attempt to index null value",
        "An index in brackets is applied to null.";
    UNSUPPORTED_ATTRIBUTE = "evaluation/unsupported-attribute", Error, "Unsupported attribute",
        "The value before the dot has no attribute with this name.";
    MISSING_MAP_ELEMENT = "evaluation/missing-map-element", Error, "Missing map element",
        "The map before the dot has no element with this key.";
    ATTRIBUTE_OF_NULL = "evaluation/attribute-of-null", Error, "Attempt to get attribute from null value",
        "An attribute is requested from null.";
    INVALID_INTERPOLATION = "evaluation/invalid-interpolation", Error, "Invalid template interpolation value",
        "A null, list or object is interpolated into a string. Only strings, numbers and booleans are allowed.";
    SPLAT_OF_NULL = "evaluation/splat-of-null", Error, "Splat of null value",
        "A splat is applied to a null list, set or tuple.";
    MIXED_SPLAT = "evaluation/mixed-splat", Error, "Invalid nested splat expressions",
        "A splat over a list produces elements of different types, which a list cannot contain. Use a `for` \
         expression.";
    INVALID_JSON_KEY = "evaluation/invalid-json-key", Error, "Invalid object key expression",
        "A JSON property name is a template whose result cannot be used as a key.";
    DUPLICATE_JSON_KEY = "evaluation/duplicate-json-key", Error, "Duplicate object attribute",
        "Two properties of a JSON object have the same name.";
    INVALID_TYPE = "evaluation/invalid-type", Error, "Invalid type specification",
        "A type constraint is not a valid type expression, such as string or list(number).";
    INVALID_OPTIONAL_DEFAULT = "evaluation/invalid-optional-default", Error,
        "Invalid default value for optional attribute",
        "The default inside `optional(…)` cannot be converted to the attribute's type.";
    QUOTED_TYPE = "evaluation/quoted-type", Error, "Invalid quoted type constraints",
        "A type is written in quotes, as before version 0.12. Remove the quotes.";
    LEGACY_TYPE_HINT = "evaluation/legacy-type-hint", Error, "Invalid legacy variable type hint",
        "A type is written in quotes and is not one of the types of earlier versions. Remove the quotes.";
    TOO_MUCH_WORK = "evaluation/too-much-work", Error ours, "Expression takes too much work",
        "Evaluating the expression would exceed the time or memory limit of one request. A real run, which has no \
         such limit, may be able to evaluate it.";
    NULL_IS_EMPTY = "evaluation/null-is-empty", Info, "Null read as an empty string",
        "The value null is not supported here and is read as an empty string.";
}

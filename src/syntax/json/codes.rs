//! Codes of the JSON reader.

crate::codes! {
    MISSING_VALUE = "syntax/json-missing-value", Error, "Missing value",
        "The JSON text ends where a value or a property name has to stand.";
    MISSING_JSON_VALUE = "syntax/json-missing-property-value", Error, "Missing JSON value",
        "A closing brace stands where a value has to begin.";
    MISSING_ELEMENT = "syntax/json-missing-element", Error, "Missing array element value",
        "A closing bracket stands where an element of an array has to begin.";
    INVALID_START = "syntax/json-invalid-start-of-value", Error, "Invalid start of value",
        "A character stands where a JSON value has to begin, and none begins with it.";
    INVALID_KEYWORD = "syntax/json-invalid-keyword", Error, "Invalid JSON keyword",
        "JSON knows the words true, false and null, in lower case, and no other.";
    INVALID_NUMBER = "syntax/json-invalid-number", Error, "Invalid JSON number",
        "A number is not written as JSON wants it, or its exponent is too large to be read.";
    INVALID_STRING = "syntax/json-invalid-string", Error, "Invalid JSON string",
        "A string has an escape that JSON does not know, holds a control character, or is not closed.";
    INVALID_NAME = "syntax/json-invalid-property-name", Error, "Invalid object property name",
        "The name of a property has to be a string in double quotes.";
    MISSING_OBJECT_VALUE = "syntax/json-missing-object-value", Error, "Missing object value",
        "A property has a name and no value. Perhaps an array was meant.";
    MISSING_COLON = "syntax/json-missing-colon", Error, "Missing property value colon",
        "Between the name of a property and its value stands a colon.";
    TRAILING_COMMA_OBJECT = "syntax/json-trailing-comma-in-object", Error, "Trailing comma in object",
        "JSON does not allow a comma after the last property.";
    TRAILING_COMMA_ARRAY = "syntax/json-trailing-comma-in-array", Error, "Trailing comma in array",
        "JSON does not allow a comma after the last element.";
    UNCLOSED_OBJECT = "syntax/json-unclosed-object", Error, "Unclosed object",
        "An object is opened and the text ends before its closing brace.";
    UNCLOSED_ARRAY = "syntax/json-unclosed-array", Error, "Unclosed object",
        "An array is opened and the text ends before its closing bracket. (The tool's title speaks of an object.)";
    MISMATCHED_BRACES = "syntax/json-mismatched-braces", Error, "Mismatched braces",
        "An object is closed by a bracket instead of a brace.";
    MISMATCHED_BRACKETS = "syntax/json-mismatched-brackets", Error, "Mismatched brackets",
        "An array is closed by a brace instead of a bracket.";
    INVALID_ARRAY_VALUE = "syntax/json-invalid-array-value", Error, "Invalid array value",
        "A colon stands between two elements of an array: perhaps an object was meant.";
    MISSING_COMMA = "syntax/json-missing-comma", Error, "Missing attribute seperator comma",
        "Two properties of an object, or two elements of an array, stand side by side without a comma between them.";
    EXTRANEOUS_DATA = "syntax/json-extraneous-data", Error, "Extraneous data after value",
        "More text follows after the end of the JSON value.";
    NO_OBJECT = "syntax/json-root-not-object", Error, "Root value must be object",
        "A JSON file has to hold one object, or an array of objects; after some mistakes nothing of it is left.";
    TOO_DEEP = "syntax/json-too-deep", Error ours, "JSON nested too deeply",
        "Objects and arrays are nested deeper than this service reads. What lies deeper is left out.";
    TOO_LONG = "syntax/json-too-many-tokens", Error ours, "JSON text too long",
        "The text has more parts than this service reads. The rest is left out.";
}

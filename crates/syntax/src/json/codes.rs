//! Diagnostic codes of the JSON parser.

overfold_base::codes! {
    reach Expression;
    MISSING_VALUE = "syntax/json-missing-value", Error, "Missing value",
        "The JSON input ends where a value or a property name was expected.";
    MISSING_JSON_VALUE = "syntax/json-missing-property-value", Error, "Missing JSON value",
        "A closing brace was found where a value was expected.";
    MISSING_ELEMENT = "syntax/json-missing-element", Error, "Missing array element value",
        "A closing bracket was found where an array element was expected.";
    INVALID_START = "syntax/json-invalid-start-of-value", Error, "Invalid start of value",
        "A JSON value cannot begin with this character.";
    INVALID_KEYWORD = "syntax/json-invalid-keyword", Error, "Invalid JSON keyword",
        "The only JSON keywords are true, false and null, in lower case.";
    INVALID_NUMBER = "syntax/json-invalid-number", Error, "Invalid JSON number",
        "A number does not follow the JSON syntax, or its exponent is too large.";
    INVALID_STRING = "syntax/json-invalid-string", Error, "Invalid JSON string",
        "A string contains an invalid escape sequence or a control character, or is not closed.";
    INVALID_NAME = "syntax/json-invalid-property-name", Error, "Invalid object property name",
        "A property name must be a string in double quotes.";
    MISSING_OBJECT_VALUE = "syntax/json-missing-object-value", Error, "Missing object value",
        "A property has a name but no value. For a list of values, use square brackets.";
    MISSING_COLON = "syntax/json-missing-colon", Error, "Missing property value colon",
        "A property name must be followed by a colon and a value.";
    TRAILING_COMMA_OBJECT = "syntax/json-trailing-comma-in-object", Error, "Trailing comma in object",
        "JSON does not allow a comma after the last property.";
    TRAILING_COMMA_ARRAY = "syntax/json-trailing-comma-in-array", Error, "Trailing comma in array",
        "JSON does not allow a comma after the last element.";
    UNCLOSED_OBJECT = "syntax/json-unclosed-object", Error, "Unclosed object",
        "The input ends before the closing brace of an object.";
    UNCLOSED_ARRAY = "syntax/json-unclosed-array", Error, "Unclosed object",
        "The input ends before the closing bracket of an array. (The title mentions an object because the original one does.)";
    MISMATCHED_BRACES = "syntax/json-mismatched-braces", Error, "Mismatched braces",
        "An object is closed by a bracket instead of a brace.";
    MISMATCHED_BRACKETS = "syntax/json-mismatched-brackets", Error, "Mismatched brackets",
        "An array is closed by a brace instead of a bracket.";
    INVALID_ARRAY_VALUE = "syntax/json-invalid-array-value", Error, "Invalid array value",
        "An array element is followed by a colon. For properties with names, use an object in braces.";
    MISSING_COMMA = "syntax/json-missing-comma", Error, "Missing attribute seperator comma",
        "Two properties of an object, or two elements of an array, are not separated by a comma.";
    EXTRANEOUS_DATA = "syntax/json-extraneous-data", Error, "Extraneous data after value",
        "The JSON value is followed by more text.";
    NO_OBJECT = "syntax/json-root-not-object", Error, "Root value must be object",
        "A JSON file must contain one object or an array of objects. Some syntax errors also leave the file without \
         a usable value.";
    TOO_DEEP = "syntax/json-too-deep", Error ours, "JSON nested too deeply",
        "Objects and arrays are nested too deeply for this service. Anything below this level is ignored.";
    TOO_LONG = "syntax/json-too-many-tokens", Error ours, "Too many JSON tokens",
        "The input has too many parts for this service. The rest is ignored.";
}

//! Codes of references to attributes that a schema does not have, or not there.

overfold_base::codes! {
    INVALID_OPERATION = "validate/list-block-without-index", Error, "Invalid operation",
        "Nested blocks of this type are a list, so an index must select one of them before its attributes.";
    INVALID_INDEX_OPERATION = "validate/index-instead-of-name", Error, "Invalid index operation",
        "An attribute or a nested block is named after a dot here, not in brackets.";
    SET_INDEX = "validate/index-of-set-block", Error, "Cannot index a set value",
        "Nested blocks of this type are a set, whose elements have no indexes. Use a for expression instead.";
    DEPRECATED_ATTRIBUTE = "validate/deprecated-attribute", Warning, "Deprecated attribute",
        "A reference names an attribute that the provider has deprecated.";
}

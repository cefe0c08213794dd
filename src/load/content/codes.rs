//! Codes of the schema-driven reader.

crate::codes! {
    UNSUPPORTED_ARGUMENT = "load/unsupported-argument", Error, "Unsupported argument",
        "An argument stands in a block that does not know it. Check its spelling, or whether it has to be a block.";
    UNSUPPORTED_BLOCK_TYPE = "load/unsupported-block-type", Error, "Unsupported block type",
        "A block stands where its type is not known. Check its spelling, or whether it has to be an argument.";
    MISSING_REQUIRED_ARGUMENT = "load/missing-required-argument", Error, "Missing required argument",
        "A block lacks an argument that it cannot do without.";
    EXTRANEOUS_LABEL = "load/extraneous-label", Error, "Extraneous label for BLOCK",
        "A block has more labels than its type takes. The block is left out.";
    MISSING_LABEL = "load/missing-label", Error, "Missing LABEL for BLOCK",
        "A block has fewer labels than its type needs. The block is left out.";
    UNEXPECTED_BLOCK = "load/unexpected-block", Error, "Unexpected \"BLOCK\" block",
        "A block stands in a body that may hold arguments only.";
    EXTRANEOUS_PROPERTY = "load/extraneous-json-property", Error, "Extraneous JSON object property",
        "A JSON object that is read as a block has a property that is neither an argument nor a block type there.";
    DUPLICATE_ARGUMENT = "load/duplicate-argument", Error, "Duplicate argument",
        "A JSON object that is read as a block sets an argument twice. The first one counts.";
    DUPLICATE_ATTRIBUTE = "load/duplicate-attribute-definition", Error, "Duplicate attribute definition",
        "A JSON object that may hold any argument sets one of them twice. The first one counts.";
    MISSING_BLOCK_LABEL = "load/missing-block-label", Error, "Missing block label",
        "In JSON each label of a block is the name of a property; here there is none.";
    INCORRECT_VALUE_TYPE = "load/incorrect-json-value-type", Error, "Incorrect JSON value type",
        "A JSON value stands where only an object, or an array of objects, can be read as a block.";
    WITHOUT_NAME = "load/block-without-name", Error, "BLOCK has to have a name",
        "A block needs labels between its type and the opening brace and has none. The block is left out.";
    NOT_A_BLOCK = "load/not-a-block", Error, "BLOCK has to be a block",
        "A value is assigned to a name that is a block type here.";
    NAMELESS = "load/nameless-block-not-read", Info, "Block without a label is not read",
        "The tool passes over a block of this type that has no label, without a word.";
    LABEL_NOT_READ = "load/label-not-read", Info, "Label is not read",
        "A block has more labels than its type needs, and the tool passes over them without a word.";
    GIVEN_AGAIN = "load/given-again", Info, "Argument is given again",
        "One block gives an argument several times; the tool takes one of them without a word.";
}

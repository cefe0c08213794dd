//! Codes of the schema-driven reader.

overfold_base::codes! {
    UNSUPPORTED_ARGUMENT = "load/unsupported-argument", Error file, "Unsupported argument",
        "The block has no argument with this name. Check the spelling, or whether it should be a block.";
    UNSUPPORTED_BLOCK_TYPE = "load/unsupported-block-type", Error, "Unsupported block type",
        "Blocks of this type are not allowed here. Check the spelling, or whether it should be an argument.";
    MISSING_REQUIRED_ARGUMENT = "load/missing-required-argument", Error, "Missing required argument",
        "The block does not set an argument that it must set.";
    EXTRANEOUS_LABEL = "load/extraneous-label", Error file, "Extraneous label for BLOCK",
        "The block has more labels than its type allows. The block is ignored.";
    MISSING_LABEL = "load/missing-label", Error file, "Missing LABEL for BLOCK",
        "The block has fewer labels than its type requires. The block is ignored.";
    UNEXPECTED_BLOCK = "load/unexpected-block", Error file, "Unexpected \"BLOCK\" block",
        "Only arguments are allowed here, not blocks.";
    EXTRANEOUS_PROPERTY = "load/extraneous-json-property", Error, "Extraneous JSON object property",
        "A JSON object that represents a block has a property that is neither an argument nor a block type.";
    DUPLICATE_ARGUMENT = "load/duplicate-argument", Error, "Duplicate argument",
        "A JSON object that represents a block sets an argument twice. The first value is used.";
    DUPLICATE_ATTRIBUTE = "load/duplicate-attribute-definition", Error, "Duplicate attribute definition",
        "A JSON object that represents arguments sets one of them twice. The first value is used.";
    MISSING_BLOCK_LABEL = "load/missing-block-label", Error, "Missing block label",
        "In JSON syntax the labels of a block are property names; one is missing here.";
    INCORRECT_VALUE_TYPE = "load/incorrect-json-value-type", Error, "Incorrect JSON value type",
        "A block must be a JSON object or an array of objects.";
    WITHOUT_NAME = "load/block-without-name", Error file, "BLOCK has to have a name",
        "The block has no labels between its type and the opening brace. The block is ignored.";
    NOT_A_BLOCK = "load/not-a-block", Error file, "BLOCK has to be a block",
        "A value is assigned to the name of a block type. Write a block in braces instead.";
    NAMELESS = "load/nameless-block-not-read", Info, "Block without a label is ignored",
        "A block of this type without a label is silently ignored.";
    LABEL_NOT_READ = "load/label-not-read", Info, "Label is ignored",
        "The block has more labels than its type requires. They are silently ignored.";
    GIVEN_AGAIN = "load/argument-set-twice", Info, "Argument set more than once",
        "A block sets an argument more than once. One of the values is silently used.";
}

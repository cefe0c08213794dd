//! Every code of this stage. Titles are the tool's own; upper-case words stand for the parts that vary.

crate::codes! {
    // The scanner.
    INVALID_CHARACTER = "syntax/invalid-character", Error, "Invalid character",
        "A character that the language does not use stands outside of strings and comments.";
    INVALID_ENCODING = "syntax/invalid-encoding", Error, "Invalid character encoding",
        "The text is not UTF-8. Save the file with that encoding.";
    UNSUPPORTED_OPERATOR = "syntax/unsupported-operator", Error, "Unsupported operator",
        "Bitwise operators are no part of the language; the logical ones are written && and ||.";
    MULTI_LINE_STRING = "syntax/multi-line-string", Error, "Invalid multi-line string",
        "A quoted string ends on the line it begins on. Close it, write \\n, or use a heredoc.";

    // Bodies, arguments, blocks.
    ITEM_REQUIRED = "syntax/item-required", Error, "Argument or block definition required",
        "An item of a body is an argument (a name and =) or a block (a type, labels and {).";
    INVALID_ARGUMENT_NAME = "syntax/invalid-argument-name", Error, "Invalid argument name",
        "Names of arguments are written without quotes.";
    ARGUMENT_REDEFINED = "syntax/argument-redefined", Error, "Attribute redefined",
        "The same argument is set twice in one body. The first one counts; remove the others.";
    MISSING_NEWLINE_AFTER_ARGUMENT = "syntax/missing-newline-after-argument", Error, "Missing newline after argument",
        "An argument ends with its line. Something else follows on the same line.";
    COMMA_AFTER_ARGUMENT = "syntax/comma-after-argument", Error, "Unexpected comma after argument",
        "Arguments are separated by line ends, not commas.";
    MISSING_NEWLINE_AFTER_BLOCK = "syntax/missing-newline-after-block", Error, "Missing newline after block definition",
        "A block ends with the line of its closing brace. Something else follows on the same line.";
    UNCLOSED_BLOCK = "syntax/unclosed-block", Error, "Unclosed configuration block",
        "A block is opened but the file ends before its closing brace.";
    INVALID_BLOCK = "syntax/invalid-block", Error, "Invalid block definition",
        "A block header is a type, labels and an opening brace, all on one line.";
    INVALID_ONE_LINE_BLOCK = "syntax/invalid-one-line-block", Error, "Invalid single-argument block definition",
        "A block written on one line holds at most one argument.";
    ONE_LINE_ARGUMENT_REQUIRED = "syntax/one-line-argument-required", Error, "Argument definition required",
        "A block written on one line can hold an argument, not another block.";
    INVALID_LABEL = "syntax/invalid-label", Error, "Invalid string literal",
        "A quoted label, or a quoted key in a quoted reference, is plain text: no interpolation and no line end.";
    UNTERMINATED_LABEL = "syntax/unterminated-label", Error, "Unterminated string literal",
        "A quoted label, or a quoted key in a quoted reference, has no closing quote.";

    // Expressions.
    INVALID_EXPRESSION = "syntax/invalid-expression", Error, "Invalid expression",
        "Something stands where an expression has to begin.";
    MISSING_EXPRESSION = "syntax/missing-expression", Error, "Missing expression",
        "The text ends where an expression has to begin.";
    EXTRA_AFTER_EXPRESSION = "syntax/extra-after-expression", Error, "Extra characters after expression",
        "The text is one expression, but something follows it.";
    INVALID_NUMBER = "syntax/invalid-number", Error, "Invalid number literal",
        "A number is decimal digits with at most one dot and one exponent, and its exponent must be in range.";
    MISSING_FALSE_EXPRESSION = "syntax/missing-false-expression", Error, "Missing false expression in conditional",
        "A conditional has three parts, condition ? then : else.";
    UNBALANCED_PARENTHESES = "syntax/unbalanced-parentheses", Error, "Unbalanced parentheses",
        "A parenthesis is opened and something other than its end follows the expression in it.";
    INVALID_ATTRIBUTE_NAME = "syntax/invalid-attribute-name", Error, "Invalid attribute name",
        "A dot is followed by a name.";
    INVALID_LEGACY_INDEX = "syntax/invalid-legacy-index", Error, "Invalid legacy index syntax",
        "Two indexes written with dots read as one fraction. Write them in brackets.";
    NESTED_SPLAT = "syntax/nested-splat", Error, "Nested splat expression not allowed",
        "An attribute-only splat cannot hold another one. Use [*].";
    MISSING_INDEX_CLOSE = "syntax/missing-index-close", Error, "Missing close bracket on index",
        "An index has no closing bracket.";
    MISSING_SPLAT_CLOSE = "syntax/missing-splat-close", Error, "Missing close bracket on splat index",
        "A splat has no closing bracket.";
    MISSING_FUNCTION_NAME = "syntax/missing-function-name", Error, "Missing function name",
        "A double colon is followed by the name of a function.";
    MISSING_OPEN_PARENTHESIS = "syntax/missing-open-parenthesis", Error, "Missing open parenthesis",
        "A name with a double colon is a function and has to be called.";
    MISSING_CLOSE_PARENTHESIS = "syntax/missing-close-parenthesis", Error, "Missing closing parenthesis",
        "The ellipsis belongs to the last argument; only the closing parenthesis may follow it.";
    MISSING_ARGUMENT_SEPARATOR = "syntax/missing-argument-separator", Error, "Missing argument separator",
        "Arguments of a call are separated by commas.";
    UNTERMINATED_CALL = "syntax/unterminated-call", Error, "Unterminated function call",
        "A call has no closing parenthesis.";
    UNTERMINATED_TUPLE = "syntax/unterminated-tuple", Error, "Unterminated tuple constructor expression",
        "A tuple has no closing bracket.";
    MISSING_ITEM_SEPARATOR = "syntax/missing-item-separator", Error, "Missing item separator",
        "Items of a tuple are separated by commas.";
    UNTERMINATED_OBJECT = "syntax/unterminated-object", Error, "Unterminated object constructor expression",
        "An object has no closing brace.";
    MISSING_ATTRIBUTE_VALUE = "syntax/missing-attribute-value", Error, "Missing attribute value",
        "An attribute of an object has a name but no value.";
    MISSING_KEY_SEPARATOR = "syntax/missing-key-separator", Error, "Missing key/value separator",
        "Name and value of an object's attribute are joined by = or a colon.";
    MISSING_ATTRIBUTE_SEPARATOR = "syntax/missing-attribute-separator", Error, "Missing attribute separator",
        "Attributes of an object are separated by line ends or commas.";
    INVALID_FOR = "syntax/invalid-for", Error, "Invalid 'for' expression",
        "A for-expression is [for value in collection : result] or {for value in collection : key => result}.";

    // Templates.
    INVALID_ESCAPE = "syntax/invalid-escape", Error, "Invalid escape sequence",
        "Known escapes are \\n, \\r, \\t, \\\", \\\\, \\uNNNN and \\UNNNNNNNN.";
    UNTERMINATED_TEMPLATE = "syntax/unterminated-template", Error, "Unterminated template string",
        "A string or heredoc has no end. A heredoc ends with its marker alone on a line.";
    UNCLOSED_INTERPOLATION = "syntax/unclosed-interpolation", Error, "Unclosed template interpolation sequence",
        "An interpolation has no closing brace.";
    EXTRA_AFTER_INTERPOLATION = "syntax/extra-after-interpolation", Error,
        "Extra characters after interpolation expression",
        "An interpolation holds one expression. To get a literal ${ write $${.";
    INVALID_DIRECTIVE = "syntax/invalid-directive", Error, "Invalid template directive",
        "A template directive begins with a word: if, else, endif, for or endfor.";
    INVALID_DIRECTIVE_KEYWORD = "syntax/invalid-directive-keyword", Error, "Invalid template control keyword",
        "Template directives are if, else, endif, for and endfor.";
    INVALID_FOR_DIRECTIVE = "syntax/invalid-for-directive", Error, "Invalid 'for' directive",
        "A for directive is %{ for value in collection } or %{ for key, value in collection }.";
    EXTRA_IN_DIRECTIVE = "syntax/extra-in-directive", Error, "Extra characters in NAME marker",
        "Something follows inside the braces of a template directive.";
    UNEXPECTED_DIRECTIVE = "syntax/unexpected-directive", Error, "Unexpected NAME directive",
        "A template directive stands where no directive is open that it belongs to.";
    UNEXPECTED_TEMPLATE_END = "syntax/unexpected-template-end", Error, "Unexpected end of template",
        "A template directive is opened but not ended.";

    // Limits of ours.
    TOO_DEEP = "syntax/too-deep", Error, "Text nested too deeply",
        "The text nests deeper than this service reads. What lies beyond was not looked at.";
    TOO_MANY_TOKENS = "syntax/too-many-tokens", Error ours, "Text too long",
        "The text holds more tokens than this service reads. What lies beyond was not looked at.";

    REFERENCE_NO_NAME = "syntax/reference-without-name", Error, "Variable name required",
        "A quoted reference does not begin with a name.";
    REFERENCE_NO_ATTRIBUTE = "syntax/reference-without-attribute", Error, "Attribute name required",
        "A dot of a quoted reference is not followed by a name.";
    REFERENCE_NO_INDEX = "syntax/reference-without-index", Error, "Index value required",
        "The brackets of a quoted reference hold neither a number nor a text.";
    REFERENCE_OPEN_INDEX = "syntax/reference-open-index", Error, "Unclosed index brackets",
        "A bracket of a quoted reference is not closed.";
    REFERENCE_CHARACTER = "syntax/reference-stray-character", Error, "Invalid character",
        "Something stands in a quoted reference that does not belong there.";
}

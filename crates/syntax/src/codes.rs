//! All diagnostic codes of this stage. Titles are the tool's; upper-case words in them are placeholders.

overfold_base::codes! {
    reach Expression;

    // The scanner.
    INVALID_CHARACTER = "syntax/invalid-character", Error structure, "Invalid character",
        "A character is not allowed outside of strings and comments.";
    INVALID_ENCODING = "syntax/invalid-encoding", Error, "Invalid character encoding",
        "The file is not valid UTF-8. Save it in that encoding.";
    UNSUPPORTED_OPERATOR = "syntax/unsupported-operator", Error, "Unsupported operator",
        "The language has no bitwise operators. The logical operators are &&, || and !.";
    MULTI_LINE_STRING = "syntax/multi-line-string", Error, "Invalid multi-line string",
        "A quoted string must end on the line it begins on. Close it, use \\n, or use a heredoc.";

    // Bodies, arguments, blocks.
    ITEM_REQUIRED = "syntax/item-required", Error structure, "Argument or block definition required",
        "A body contains arguments (a name and =) and blocks (a type, labels and {).";
    INVALID_ARGUMENT_NAME = "syntax/invalid-argument-name", Error structure, "Invalid argument name",
        "Argument names are written without quotes. Remove the quotes.";
    ARGUMENT_REDEFINED = "syntax/argument-redefined", Error structure, "Attribute redefined",
        "The same argument is set more than once in one body. Only the first one is used; remove the others.";
    MISSING_NEWLINE_AFTER_ARGUMENT = "syntax/missing-newline-after-argument", Error structure, "Missing newline after argument",
        "An argument must be followed by a new line, but something else follows it on the same line.";
    COMMA_AFTER_ARGUMENT = "syntax/comma-after-argument", Error structure, "Unexpected comma after argument",
        "Arguments are separated by new lines, not by commas.";
    MISSING_NEWLINE_AFTER_BLOCK = "syntax/missing-newline-after-block", Error structure, "Missing newline after block definition",
        "A block must be followed by a new line, but something else follows its closing brace on the same line.";
    UNCLOSED_BLOCK = "syntax/unclosed-block", Error structure, "Unclosed configuration block",
        "The file ends before the closing brace of a block.";
    INVALID_BLOCK = "syntax/invalid-block", Error structure, "Invalid block definition",
        "A block header consists of a type, optional labels and an opening brace, all on one line.";
    INVALID_ONE_LINE_BLOCK = "syntax/invalid-one-line-block", Error structure, "Invalid single-argument block definition",
        "A block written on one line can contain at most one argument.";
    ONE_LINE_ARGUMENT_REQUIRED = "syntax/one-line-argument-required", Error structure, "Argument definition required",
        "A block written on one line can contain an argument, but not another block.";
    INVALID_LABEL = "syntax/invalid-label", Error, "Invalid string literal",
        "A quoted label, or a quoted key in a quoted reference, must be a plain string without interpolations or \
         line breaks.";
    UNTERMINATED_LABEL = "syntax/unterminated-label", Error, "Unterminated string literal",
        "A quoted label, or a quoted key in a quoted reference, has no closing quote.";

    // Expressions.
    INVALID_EXPRESSION = "syntax/invalid-expression", Error, "Invalid expression",
        "An expression was expected, but something else was found.";
    MISSING_EXPRESSION = "syntax/missing-expression", Error, "Missing expression",
        "The input ends where an expression was expected.";
    EXTRA_AFTER_EXPRESSION = "syntax/extra-after-expression", Error, "Extra characters after expression",
        "Only a single expression is allowed here, but something follows it.";
    INVALID_NUMBER = "syntax/invalid-number", Error, "Invalid number literal",
        "A number consists of decimal digits, with at most one decimal point and one exponent. The exponent must be \
         in range.";
    MISSING_FALSE_EXPRESSION = "syntax/missing-false-expression", Error, "Missing false expression in conditional",
        "A conditional expression has three parts: condition ? then : else.";
    UNBALANCED_PARENTHESES = "syntax/unbalanced-parentheses", Error, "Unbalanced parentheses",
        "The expression in parentheses is not followed by a closing parenthesis.";
    INVALID_ATTRIBUTE_NAME = "syntax/invalid-attribute-name", Error, "Invalid attribute name",
        "A dot must be followed by the name of an attribute.";
    INVALID_LEGACY_INDEX = "syntax/invalid-legacy-index", Error, "Invalid legacy index syntax",
        "Two consecutive indexes with dots, such as .0.1, are read as one fraction. Use brackets instead.";
    NESTED_SPLAT = "syntax/nested-splat", Error, "Nested splat expression not allowed",
        "An attribute-only splat (.*) cannot contain another one. Use [*] instead.";
    MISSING_INDEX_CLOSE = "syntax/missing-index-close", Error, "Missing close bracket on index",
        "An index in brackets has no closing bracket.";
    MISSING_SPLAT_CLOSE = "syntax/missing-splat-close", Error, "Missing close bracket on splat index",
        "A splat ([*]) has no closing bracket.";
    MISSING_FUNCTION_NAME = "syntax/missing-function-name", Error, "Missing function name",
        "A double colon must be followed by the name of a function.";
    MISSING_OPEN_PARENTHESIS = "syntax/missing-open-parenthesis", Error, "Missing open parenthesis",
        "A name with a double colon is the name of a function, so it must be followed by arguments in parentheses.";
    MISSING_CLOSE_PARENTHESIS = "syntax/missing-close-parenthesis", Error, "Missing closing parenthesis",
        "An ellipsis is allowed after the last argument only and must be followed by the closing parenthesis.";
    MISSING_ARGUMENT_SEPARATOR = "syntax/missing-argument-separator", Error, "Missing argument separator",
        "The arguments of a function call must be separated by commas.";
    UNTERMINATED_CALL = "syntax/unterminated-call", Error, "Unterminated function call",
        "A function call has no closing parenthesis.";
    UNTERMINATED_TUPLE = "syntax/unterminated-tuple", Error, "Unterminated tuple constructor expression",
        "A tuple has no closing bracket.";
    MISSING_ITEM_SEPARATOR = "syntax/missing-item-separator", Error, "Missing item separator",
        "The items of a tuple must be separated by commas.";
    UNTERMINATED_OBJECT = "syntax/unterminated-object", Error, "Unterminated object constructor expression",
        "An object has no closing brace.";
    MISSING_ATTRIBUTE_VALUE = "syntax/missing-attribute-value", Error, "Missing attribute value",
        "An attribute of an object has a name but no value.";
    MISSING_KEY_SEPARATOR = "syntax/missing-key-separator", Error, "Missing key/value separator",
        "The name and the value of an object attribute must be separated by an equals sign or a colon.";
    MISSING_ATTRIBUTE_SEPARATOR = "syntax/missing-attribute-separator", Error, "Missing attribute separator",
        "The attributes of an object must be separated by new lines or commas.";
    INVALID_FOR = "syntax/invalid-for", Error, "Invalid 'for' expression",
        "The syntax of a for expression is [for value in collection : result] or {for value in collection : key => \
         result}.";

    // Templates.
    INVALID_ESCAPE = "syntax/invalid-escape", Error, "Invalid escape sequence",
        "The escape sequences are \\n, \\r, \\t, \\\", \\\\, \\uNNNN and \\UNNNNNNNN.";
    UNTERMINATED_TEMPLATE = "syntax/unterminated-template", Error, "Unterminated template string",
        "A string or heredoc is never closed. A heredoc ends with a line that contains only its marker.";
    UNCLOSED_INTERPOLATION = "syntax/unclosed-interpolation", Error, "Unclosed template interpolation sequence",
        "An interpolation has no closing brace.";
    EXTRA_AFTER_INTERPOLATION = "syntax/extra-after-interpolation", Error,
        "Extra characters after interpolation expression",
        "An interpolation contains a single expression. Use $${ for a literal ${.";
    INVALID_DIRECTIVE = "syntax/invalid-directive", Error, "Invalid template directive",
        "A template directive must begin with if, else, endif, for or endfor.";
    INVALID_DIRECTIVE_KEYWORD = "syntax/invalid-directive-keyword", Error, "Invalid template control keyword",
        "The template directives are if, else, endif, for and endfor.";
    INVALID_FOR_DIRECTIVE = "syntax/invalid-for-directive", Error, "Invalid 'for' directive",
        "The syntax of a for directive is %{ for value in collection } or %{ for key, value in collection }.";
    EXTRA_IN_DIRECTIVE = "syntax/extra-in-directive", Error, "Extra characters in NAME marker",
        "A template directive is not followed by its closing brace.";
    UNEXPECTED_DIRECTIVE = "syntax/unexpected-directive", Error, "Unexpected NAME directive",
        "A template directive does not belong to any open directive. Remove it, or add the directive that it belongs to.";
    UNEXPECTED_TEMPLATE_END = "syntax/unexpected-template-end", Error, "Unexpected end of template",
        "The template ends before a directive is closed with its end directive.";

    // This service's own limits.
    TOO_DEEP = "syntax/too-deep", Error ours, "Text nested too deeply",
        "The input is nested too deeply for this service. Anything below this level is ignored.";
    TOO_MANY_TOKENS = "syntax/too-many-tokens", Error ours, "Too many tokens",
        "The input has too many tokens for this service. The rest is ignored.";
    NAME_TOO_LONG = "syntax/name-too-long", Error ours structure, "Name too long",
        "The name of an argument, a label or an instance key is longer than this service accepts. The block that it belongs to is left out.";

    REFERENCE_NO_NAME = "syntax/reference-without-name", Error, "Variable name required",
        "A quoted reference must begin with a name.";
    REFERENCE_NO_ATTRIBUTE = "syntax/reference-without-attribute", Error, "Attribute name required",
        "A dot in a quoted reference must be followed by a name.";
    REFERENCE_NO_INDEX = "syntax/reference-without-index", Error, "Index value required",
        "The brackets in a quoted reference must contain a number or a quoted string.";
    REFERENCE_OPEN_INDEX = "syntax/reference-open-index", Error, "Unclosed index brackets",
        "A bracket in a quoted reference is not closed.";
    REFERENCE_CHARACTER = "syntax/reference-stray-character", Error, "Invalid character",
        "A quoted reference contains something other than names, dots and indexes.";
}

//! Codes of the reader of the first grammar. Their titles are made of the tool's words and the place, since that tool
//! says both in one line.

crate::codes! {
    ILLEGAL_CHARACTER = "syntax/illegal-character", Error, "Error parsing FILE: At LINE:COLUMN: illegal char",
        "A character that the language does not use stands outside of strings and comments, or the text is not UTF-8.";
    ILLEGAL_ESCAPE = "syntax/illegal-escape", Error, "Error parsing FILE: At LINE:COLUMN: illegal char escape",
        "A backslash in a quoted string begins no known escape. Inside ${…} a backslash of the expression counts too.";
    ILLEGAL_NUMBER = "syntax/illegal-number", Error, "Error parsing FILE: At LINE:COLUMN: illegal number",
        "A number is decimal, hexadecimal (0x…), octal (a leading 0) or a fraction, and fits into 64 bits.";
    NOT_TERMINATED = "syntax/not-terminated", Error, "Error parsing FILE: At LINE:COLUMN: literal not terminated",
        "A string, heredoc or comment has no end. A quoted string ends on its line, except inside ${…}.";
    HEREDOC_ANCHOR = "syntax/heredoc-anchor", Error, "Error parsing FILE: At LINE:COLUMN: invalid heredoc anchor",
        "A heredoc begins with << or <<-, a word, and the end of the line.";
    UNEXPECTED_TOKEN = "syntax/unexpected-token", Error, "Error parsing FILE: At LINE:COLUMN: PROBLEM",
        "Something stands where the language allows only something else: a key, a value, an opening or closing brace.";
    UNCLOSED_OBJECT = "syntax/unclosed-object", Error, "Error parsing FILE: object expected closing RBRACE got: TOKEN",
        "A brace is opened and nothing closes it.";
    NOT_READ = "syntax/not-read", Info, "Part of the text is not read",
        "The tool passes over this part of a text without a word.";
}

//! Diagnostic codes of the HCL 1 parser. Their titles consist of the tool's message and the position, since that tool
//! puts both on one line.

overfold_base::codes! {
    reach Expression;
    ILLEGAL_CHARACTER = "syntax/illegal-character", Error, "Error parsing FILE: At LINE:COLUMN: illegal char",
        "A character is not allowed outside of strings and comments, or the file is not valid UTF-8.";
    ILLEGAL_ESCAPE = "syntax/illegal-escape", Error, "Error parsing FILE: At LINE:COLUMN: illegal char escape",
        "A quoted string contains an unknown escape sequence. This also applies to backslashes inside ${…}.";
    ILLEGAL_NUMBER = "syntax/illegal-number", Error, "Error parsing FILE: At LINE:COLUMN: illegal number",
        "A number must be decimal, hexadecimal (0x…), octal (a leading 0) or a fraction, and must fit into 64 bits.";
    NOT_TERMINATED = "syntax/not-terminated", Error, "Error parsing FILE: At LINE:COLUMN: literal not terminated",
        "A string, heredoc or comment is never closed. A quoted string must end on its line, except inside ${…}.";
    HEREDOC_ANCHOR = "syntax/heredoc-anchor", Error, "Error parsing FILE: At LINE:COLUMN: invalid heredoc anchor",
        "A heredoc must begin with << or <<-, followed by a word and a line break.";
    UNEXPECTED_TOKEN = "syntax/unexpected-token", Error, "Error parsing FILE: At LINE:COLUMN: PROBLEM",
        "A key, a value, an opening brace or a closing brace was expected, but something else was found.";
    UNCLOSED_OBJECT = "syntax/unclosed-object", Error, "Error parsing FILE: object expected closing RBRACE got: TOKEN",
        "A brace is never closed.";
    NOT_READ = "syntax/not-read", Info, "Part of the file is ignored",
        "Part of the file is silently ignored.";
}

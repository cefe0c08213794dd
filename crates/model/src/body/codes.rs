//! Codes of traversals.

overfold_base::codes! {
    REFERENCE_EXPRESSION = "load/reference-no-text", Error, "Invalid reference expression",
        "In JSON syntax a reference must be a string.";
    QUOTED_REFERENCE = "load/quoted-reference", Warning, "Quoted references are deprecated",
        "References are written without quotes. Remove the quotes.";
    QUOTED_KEYWORD = "load/quoted-keyword", Warning, "Quoted keywords are deprecated",
        "Keywords are written without quotes. Remove the quotes.";
}

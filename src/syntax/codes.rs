//! Every code of this stage.

crate::codes! {
    INVALID_EXPRESSION = "syntax/invalid-expression", Error, "Invalid expression",
        "Something stands where an expression has to begin.";
}

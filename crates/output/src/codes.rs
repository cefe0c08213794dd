//! Codes about what a form of the configuration cannot say.

overfold_base::codes! {
    VALUE_HIDDEN = "output/value-hidden", Info, "Sensitive value hidden",
        "A part of `config` differs from the files because it could reveal a sensitive value. A default is left out, so that nobody takes another value for it; loaded from `config`, the variable is required.";
    MAY_BE_BLOCK = "output/may-be-block", Info, "Argument that may be a block",
        "JSON does not say whether a property is an argument or a block; only the provider's schema does. In native syntax it is written as an argument here, which is rejected if it is a block. The form `tf-json` keeps both meanings.";
}

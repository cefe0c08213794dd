//! The merged configuration in the forms that a request can ask for.

mod expr;
mod first_grammar;
mod tf_json;
mod type_text;
mod unfolding;

#[cfg(test)]
mod tests;

pub(super) use tf_json::write as write_tf_json;

//! Derives that derive nothing. In a build without the OpenAPI document, they stand for those of utoipa, which takes half a
//! minute to build, and accept the same attributes.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use proc_macro::TokenStream;

/// Derives nothing; accepts `#[schema(…)]`.
#[proc_macro_derive(ToSchema, attributes(schema))]
pub fn to_schema(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Derives nothing; accepts `#[into_params(…)]` and `#[param(…)]`.
#[proc_macro_derive(IntoParams, attributes(into_params, param))]
pub fn into_params(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}

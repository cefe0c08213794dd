//! Options that are fields of a request object, query parameters and command-line flags at once.

use overfold_base::openapi::ToSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::SchemaText;
use crate::refusal::Refusal;

/// The options of a request that can come with an upload of any form.
pub trait RequestOptions: Default + for<'de> Deserialize<'de> + Send + 'static {
    /// The request object: the options and the files.
    type Request<'a>: Deserialize<'a>;

    /// Returns the JSON text of the files, which is still to be read within the limits, and the options.
    fn split(request: Self::Request<'_>) -> (&RawValue, Self);

    /// Sets an option from a query parameter. Returns `Ok(false)` if there is no option with that name.
    ///
    /// # Errors
    /// Refuses a value that is not valid.
    fn set(&mut self, name: &str, value: &str) -> Result<bool, Refusal>;

    /// Returns the schemas of the providers, which may also be a part of a form.
    fn schemas(&mut self) -> &mut Option<SchemaText>;
}

/// Declares the options of a request once: the request object, the options sent with an archive, the query parameters
/// and the command-line flags all have the same fields. The attributes in braces apply only to the options alone.
macro_rules! options {
    (
        $(#[$request_meta:meta])* pub struct $request:ident;
        $(#[$options_meta:meta])* pub struct $options:ident;
        $($(#[$meta:meta])* pub $field:ident: $type:ty { $(#[param $param:tt])? $(#[arg $arg:tt])? })*
    ) => {
        #[derive(serde::Deserialize, overfold_base::openapi::ToSchema, Debug)]
        $(#[$request_meta])*
        #[serde(deny_unknown_fields, bound(deserialize = "'de: 'a"))]
        pub struct $request<'a> {
            /// The files by path: text, or `{"base64": …}` for bytes. Paths are relative, `/`-separated, and without
            /// `..`.
            #[serde(borrow)]
            #[schema(value_type = BTreeMap<String, FileContent>)]
            pub files: &'a serde_json::value::RawValue,
            $($(#[$meta])* pub $field: $type,)*
        }

        #[derive(serde::Deserialize, overfold_base::openapi::ToSchema, overfold_base::openapi::IntoParams, Clone, Debug, Default)]
        #[cfg_attr(feature = "program", derive(clap::Args))]
        $(#[$options_meta])*
        #[serde(deny_unknown_fields)]
        #[into_params(parameter_in = Query)]
        pub struct $options {
            $($(#[$meta])* $(#[param $param])? $(#[cfg_attr(feature = "program", arg $arg)])? pub $field: $type,)*
        }

        impl $crate::options::RequestOptions for $options {
            type Request<'a> = $request<'a>;

            fn split(request: Self::Request<'_>) -> (&serde_json::value::RawValue, Self) {
                let $request { files, $($field,)* } = request;
                (files, Self { $($field,)* })
            }

            fn set(&mut self, name: &str, value: &str) -> Result<bool, $crate::refusal::Refusal> {
                match name {
                    $(stringify!($field) => {
                        $crate::options::query_value::QueryValue::read(&mut self.$field, name, value)?;
                    })*
                    _ => return Ok(false),
                }
                Ok(true)
            }

            fn schemas(&mut self) -> &mut Option<$crate::options::SchemaText> {
                &mut self.provider_schemas
            }
        }
    };
}
pub(super) use options;

/// A file's content: text, or bytes as base64.
#[derive(Serialize, ToSchema, Debug)]
#[serde(untagged)]
pub enum FileContent {
    /// UTF-8 text.
    Text(String),
    /// Bytes that need not be UTF-8.
    Bytes {
        /// The bytes in base64 (RFC 4648, section 4), padded.
        base64: String,
    },
}

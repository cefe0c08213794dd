//! What the options of different routes have in common: choices among names, and options that are fields of a request
//! object, query parameters and command-line flags at once.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::SchemaText;
use crate::api::http::error::ApiError;

/// Declares a choice among names once: the names as written in requests, and their meanings.
macro_rules! named {
    ($(#[$meta:meta])* pub enum $choice:ident { $($(#[$about:meta])* $variant:ident = $name:tt,)* }) => {
        $(#[$meta])*
        #[derive(serde::Serialize, utoipa::ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $choice {
            $($(#[$about])* #[serde(rename = $name)] $variant,)*
        }

        impl $choice {
            /// Names as written in requests.
            pub const NAMES: &'static [(&'static str, Self)] = &[$(($name, Self::$variant),)*];

            /// Returns the name as written in requests.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $choice {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                super::bounded::one_of(deserializer, Self::NAMES)
            }
        }
    };
}
pub(super) use named;

/// The options of a request that can come with an upload of any form.
pub(crate) trait UploadOptions: Default + for<'de> Deserialize<'de> + Send + 'static {
    /// The request object: the options and the files.
    type Request<'a>: Deserialize<'a>;

    /// Returns the JSON text of the files, which is still to be read within the limits, and the options.
    fn split(request: Self::Request<'_>) -> (&RawValue, Self);

    /// Sets an option from a query parameter. Returns `Ok(false)` if there is no option with that name.
    ///
    /// # Errors
    /// 400 for an invalid value.
    fn set(&mut self, name: &str, value: &str) -> Result<bool, ApiError>;

    /// Returns the schemas of the providers, which may also be a part of a form.
    fn schemas(&mut self) -> &mut Option<SchemaText>;
}

/// Declares the options of a request once: the request object, the options sent with an archive, the query parameters
/// and the command-line flags all have the same fields. The attributes in braces apply only to the options alone.
macro_rules! options {
    (
        $(#[$request_meta:meta])* pub struct $request:ident;
        $(#[$options_meta:meta])* pub struct $options:ident;
        $($(#[$meta:meta])* pub $field:ident: $type:ty { $(#[$own:meta])* })*
    ) => {
        #[derive(serde::Deserialize, utoipa::ToSchema, Debug)]
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

        #[derive(serde::Deserialize, utoipa::ToSchema, utoipa::IntoParams, clap::Args, Clone, Debug, Default)]
        $(#[$options_meta])*
        #[serde(deny_unknown_fields)]
        #[into_params(parameter_in = Query)]
        pub struct $options {
            $($(#[$meta])* $(#[$own])* pub $field: $type,)*
        }

        impl $crate::api::wire::v1::UploadOptions for $options {
            type Request<'a> = $request<'a>;

            fn split(request: Self::Request<'_>) -> (&serde_json::value::RawValue, Self) {
                let $request { files, $($field,)* } = request;
                (files, Self { $($field,)* })
            }

            fn set(&mut self, name: &str, value: &str) -> Result<bool, $crate::api::http::error::ApiError> {
                match name {
                    $(stringify!($field) => {
                        $crate::api::wire::v1::query_value::QueryValue::read(&mut self.$field, name, value)?;
                    })*
                    _ => return Ok(false),
                }
                Ok(true)
            }

            fn schemas(&mut self) -> &mut Option<$crate::api::wire::v1::SchemaText> {
                &mut self.provider_schemas
            }
        }
    };
}
pub(super) use options;

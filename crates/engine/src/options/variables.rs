//! Values for input variables.

use std::collections::BTreeMap;
use std::fmt;

use overfold_base::openapi::ToSchema;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::bounded::{self, MAX_VARIABLES};
use super::present;
use crate::json::Object;
use overfold_base::account;
use overfold_base::echo::short;

/// Values for input variables. If this is present, even as `{}`, values are processed: the module is then treated as
/// the root module of a run.
#[derive(Deserialize, ToSchema, Clone, Debug, Default)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "env": {"TF_VAR_region": "eu-west-1"},
    "args": [{"var_file": "prod.tfvars"}, {"var": "size=3"}, {"name": "tags", "value": {"team": "net"}}]
}))]
pub struct Variables {
    /// Environment variables: names such as `TF_VAR_…`, and their texts.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, String>, required = false)]
    pub env: Env,
    /// Options in order, as on a command line; if two of them set the same variable, the later one wins.
    #[serde(default, deserialize_with = "some_args")]
    pub args: Vec<VariableArg>,
}

/// Environment variables by name; a repeated name is an error. At most `MAX_VARIABLES` plus one are kept.
#[derive(Clone, Debug, Default)]
pub struct Env(pub BTreeMap<String, String>);

impl<'de> Deserialize<'de> for Env {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Env;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of environment variables")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Env, A::Error> {
                let mut pairs = BTreeMap::new();
                while let Some(name) = map.next_key::<String>()? {
                    if pairs.contains_key(&name) {
                        return Err(A::Error::custom(format_args!("duplicate key {:?}", short(&name))));
                    }
                    account::touch(name.len());
                    if pairs.len() > MAX_VARIABLES {
                        map.next_value::<IgnoredAny>()?;
                    } else {
                        let text: String = map.next_value()?;
                        account::touch(text.len());
                        pairs.insert(name, text);
                    }
                }
                Ok(Env(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

/// Deserializes options in order. At most [`MAX_VARIABLES`] plus one are kept.
fn some_args<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<VariableArg>, D::Error> {
    bounded::at_most(deserializer, MAX_VARIABLES, "a list of options", |Object(arg)| arg)
}

/// One option: exactly one of `var`, `var_file`, or `name` together with `value`.
#[derive(Deserialize, ToSchema, Clone, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct VariableArg {
    /// The text `NAME=TEXT`, as after `-var`.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, nullable = false, example = "size=3")]
    pub var: Option<String>,
    /// The path of a variable definitions file among the files, relative to `root`.
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub var_file: Option<String>,
    /// The name of a variable whose value is given as JSON in `value`.
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub name: Option<String>,
    /// The value as JSON; no text in it is parsed, and numbers keep all their digits.
    #[serde(default, deserialize_with = "raw")]
    #[schema(value_type = Option<serde_json::Value>)]
    pub value: Option<Box<RawValue>>,
}

/// Deserializes a JSON text that may be missing; `null` is a text.
fn raw<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(Some)
}

//! The options of an upgrade: those of a plan, and the version that it goes to.

use std::fmt;
use std::marker::PhantomData;

use overfold_base::openapi::ToSchema;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IntoDeserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

#[cfg(feature = "program")]
use super::names;
use super::{Dialect, PlanOptions, PlanRequest, RequestOptions, SchemaText, bounded, present};
use crate::json::{self, Object};
use crate::refusal::Refusal;

/// The new version.
#[derive(Deserialize, ToSchema, Clone, Debug, Default)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"version": "1.11"}))]
pub struct TargetVersion {
    /// The dialect to follow: `terraform` or `opentofu`. Default: that of the request.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Dialect>, nullable = false)]
    #[cfg_attr(feature = "program", arg(long = "to-dialect", id = "to_dialect", env = "OVERFOLD_TO_DIALECT", value_parser = names::<Dialect>(), value_name = "NAME"))]
    pub dialect: Option<Dialect>,
    /// The version: `1.11` (its last patch release) or `1.11.4`. Default: the newest version known for the dialect.
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false, example = "1.11")]
    #[cfg_attr(
        feature = "program",
        arg(long = "to", id = "to_version", env = "OVERFOLD_TO", value_name = "VERSION")
    )]
    pub version: Option<String>,
}

/// The body of `POST /v1/upgrade` as `application/json`: that of `POST /v1/plan`, and `to`.
#[derive(Debug)]
pub struct UpgradeRequest<'a> {
    plan: PlanRequest<'a>,
    to: Option<TargetVersion>,
}

/// The request object of `POST /v1/upgrade` without `files`.
#[derive(Clone, Debug, Default)]
pub struct UpgradeOptions {
    /// The options of the plans; `dialect` and `version` are the old version.
    pub plan: PlanOptions,
    /// The new version.
    pub to: Option<TargetVersion>,
}

impl RequestOptions for UpgradeOptions {
    type Request<'a> = UpgradeRequest<'a>;

    fn split(request: Self::Request<'_>) -> (&RawValue, Self) {
        let (files, plan) = PlanOptions::split(request.plan);
        (files, Self { plan, to: request.to })
    }

    fn set(&mut self, name: &str, value: &str) -> Result<bool, Refusal> {
        if name != "to" {
            return self.plan.set(name, value);
        }
        let Object(to) = json::parse(value.as_bytes(), "/to")?;
        self.to = Some(to);
        Ok(true)
    }

    fn schemas(&mut self) -> &mut Option<SchemaText> {
        &mut self.plan.provider_schemas
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for UpgradeRequest<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let WithTarget { rest, to } = WithTarget::<PlanRequest<'a>>::deserialize(deserializer)?;
        Ok(Self { plan: rest, to })
    }
}

impl<'de> Deserialize<'de> for UpgradeOptions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let WithTarget { rest, to } = WithTarget::<PlanOptions>::deserialize(deserializer)?;
        Ok(Self { plan: rest, to })
    }
}

/// An object `R` with the member `to`, of which `R` knows nothing.
struct WithTarget<R> {
    rest: R,
    to: Option<TargetVersion>,
}

impl<'de, R: Deserialize<'de>> Deserialize<'de> for WithTarget<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<R>(PhantomData<R>);
        impl<'de, R: Deserialize<'de>> Visitor<'de> for Members<R> {
            type Value = WithTarget<R>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<WithTarget<R>, A::Error> {
                let mut to = None;
                let rest = R::deserialize(MapAccessDeserializer::new(WithoutTarget { map, to: &mut to }))?;
                Ok(WithTarget { rest, to })
            }
        }
        deserializer.deserialize_map(Members(PhantomData))
    }
}

/// The members of an object without `to`, which is kept.
struct WithoutTarget<'t, A> {
    map: A,
    to: &'t mut Option<TargetVersion>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithoutTarget<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let mut seed = seed;
        loop {
            match self.map.next_key_seed(KeySeed(seed))? {
                None => return Ok(None),
                Some(Key::Other(key)) => return Ok(Some(key)),
                Some(Key::Target(again)) => {
                    let Object(to) = self.map.next_value()?;
                    if self.to.replace(to).is_some() {
                        return Err(A::Error::duplicate_field("to"));
                    }
                    seed = again;
                }
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// A member's name: `to`, or another one as parsed by the seed.
enum Key<S, T> {
    Target(S),
    Other(T),
}

struct KeySeed<S>(S);

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for KeySeed<S> {
    type Value = Key<S, S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for KeySeed<S> {
    type Value = Key<S, S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
        match name {
            "to" => Ok(Key::Target(self.0)),
            name => self.0.deserialize(name.into_deserializer()).map(Key::Other),
        }
    }
}

#[cfg(feature = "program")]
mod documentation {
    //! What the document says of these options: what it says of those of a plan, and `to`.

    use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
    use utoipa::openapi::schema::{ObjectBuilder, Ref, Schema};
    use utoipa::openapi::{RefOr, Required, Type};
    use utoipa::{IntoParams, PartialSchema, ToSchema};

    use super::{PlanOptions, PlanRequest, TargetVersion, UpgradeOptions, UpgradeRequest};

    /// Returns a schema with the member `to`, without the parts of a plan.
    fn with_target(schema: RefOr<Schema>, about: &str, example: serde_json::Value) -> RefOr<Schema> {
        let RefOr::T(Schema::Object(mut object)) = schema else { return schema };
        object.properties.shift_remove("include");
        object.properties.insert("to".to_owned(), RefOr::Ref(Ref::from_schema_name("TargetVersion")));
        object.required.push("to".to_owned());
        object.description = Some(about.to_owned());
        object.example = Some(example);
        RefOr::T(Schema::Object(object))
    }

    impl PartialSchema for UpgradeRequest<'_> {
        fn schema() -> RefOr<Schema> {
            let example = serde_json::json!({
                "files": {"main.tf": "terraform {\n  required_version = \"~> 1.3.0\"\n}\n\noutput \"id\" {\n  value = 1\n}\n"},
                "version": "1.3",
                "to": {"version": "1.9"}
            });
            with_target(PlanRequest::schema(), "The body of `POST /v1/upgrade` as `application/json`.", example)
        }
    }

    impl ToSchema for UpgradeRequest<'_> {
        fn name() -> std::borrow::Cow<'static, str> {
            "UpgradeRequest".into()
        }

        fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
            PlanRequest::schemas(schemas);
            schemas.push(("TargetVersion".to_owned(), TargetVersion::schema()));
            TargetVersion::schemas(schemas);
        }
    }

    impl PartialSchema for UpgradeOptions {
        fn schema() -> RefOr<Schema> {
            let about = "The request object of `POST /v1/upgrade` without `files`: the options sent with an archive.";
            with_target(PlanOptions::schema(), about, serde_json::json!({"version": "1.3", "to": {"version": "1.9"}}))
        }
    }

    impl ToSchema for UpgradeOptions {
        fn name() -> std::borrow::Cow<'static, str> {
            "UpgradeOptions".into()
        }

        fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
            PlanOptions::schemas(schemas);
            schemas.push(("TargetVersion".to_owned(), TargetVersion::schema()));
            TargetVersion::schemas(schemas);
        }
    }

    impl IntoParams for UpgradeOptions {
        fn into_params(place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
            let mut parameters = PlanOptions::into_params(place);
            parameters.retain(|parameter| parameter.name != "include");
            let to = ParameterBuilder::new()
                .name("to")
                .parameter_in(ParameterIn::Query)
                .required(Required::False)
                .description(Some("The new version: the object as JSON text, such as `{\"version\":\"1.11\"}`. It\nmust be given, unless the body is a request object, which has it."))
                .schema(Some(ObjectBuilder::new().schema_type(Type::String)));
            parameters.push(to.build());
            parameters
        }
    }
}

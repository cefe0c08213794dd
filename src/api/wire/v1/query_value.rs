//! Options as the values of query parameters: one field at a time, with the same meaning as in the request object.

use serde::{Deserialize, Deserializer};

use super::{
    Assumed, ConfigFormat, Dialect, FailOn, Later, ModuleSource, Part, PlanPart, ProviderChecks, SchemaText,
    SeverityRule, Stage, UnsetVariables, Variables, likely, module_sources, severity_rules,
};
use crate::api::http::error::{ApiError, Kind};
use crate::api::wire::json;
use overfold_base::echo::short;
use overfold_base::nearest::did_you_mean;

/// An option that can be parsed from a query string.
pub(crate) trait QueryValue {
    /// Sets the option to the value of the parameter `name`.
    ///
    /// # Errors
    /// 400 for an invalid value.
    fn read(&mut self, name: &str, value: &str) -> Result<(), ApiError>;
}

impl QueryValue for Option<String> {
    fn read(&mut self, _: &str, value: &str) -> Result<(), ApiError> {
        *self = Some(value.to_owned());
        Ok(())
    }
}

impl QueryValue for bool {
    fn read(&mut self, name: &str, value: &str) -> Result<(), ApiError> {
        *self = boolean(name, value)?;
        Ok(())
    }
}

impl QueryValue for Option<u32> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), ApiError> {
        let count = value.parse().map_err(|_| bad(name, value, "a whole number, 0 or more"))?;
        *self = Some(count);
        Ok(())
    }
}

impl QueryValue for Option<Dialect> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), ApiError> {
        *self = Some(one_of(name, value, Dialect::NAMES)?);
        Ok(())
    }
}

impl QueryValue for Option<FailOn> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), ApiError> {
        *self = Some(one_of(name, value, FailOn::NAMES)?);
        Ok(())
    }
}

impl QueryValue for Option<Stage> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), ApiError> {
        *self = Some(one_of(name, value, Stage::NAMES)?);
        Ok(())
    }
}

impl QueryValue for Option<UnsetVariables> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), ApiError> {
        *self = Some(one_of(name, value, UnsetVariables::NAMES)?);
        Ok(())
    }
}

impl QueryValue for Option<ProviderChecks> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), ApiError> {
        *self = Some(one_of(name, value, ProviderChecks::NAMES)?);
        Ok(())
    }
}

impl QueryValue for Option<Later> {
    fn read(&mut self, _: &str, _: &str) -> Result<(), ApiError> {
        *self = Some(Later);
        Ok(())
    }
}

impl QueryValue for Option<SchemaText> {
    fn read(&mut self, name: &str, _: &str) -> Result<(), ApiError> {
        let why =
            "is too long for a query; send a form (multipart/form-data) with the archive and a part of this name";
        Err(ApiError::new(Kind::UnknownOption, format!("{name} {why}")))
    }
}

impl QueryValue for ConfigFormat {
    fn read(&mut self, name: &str, value: &str) -> Result<(), ApiError> {
        *self = one_of(name, value, Self::NAMES)?;
        Ok(())
    }
}

impl QueryValue for Option<Vec<Part>> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), ApiError> {
        let parts = self.get_or_insert_default();
        for part in value.split(',').filter(|part| !part.is_empty()) {
            parts.push(one_of(name, part, Part::NAMES)?);
        }
        Ok(())
    }
}

impl QueryValue for Option<Vec<PlanPart>> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), ApiError> {
        let parts = self.get_or_insert_default();
        for part in value.split(',').filter(|part| !part.is_empty()) {
            parts.push(one_of(name, part, PlanPart::NAMES)?);
        }
        Ok(())
    }
}

impl QueryValue for Option<Vec<ModuleSource>> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), ApiError> {
        struct Sources(Option<Vec<ModuleSource>>);
        impl<'de> Deserialize<'de> for Sources {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                module_sources(deserializer).map(Self)
            }
        }
        let Sources(sources) = json::parse(value.as_bytes(), &format!("/{name}"))?;
        *self = sources;
        Ok(())
    }
}

impl QueryValue for Option<Assumed> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), ApiError> {
        *self = Some(json::parse(value.as_bytes(), &format!("/{name}"))?);
        Ok(())
    }
}

impl QueryValue for Option<Vec<String>> {
    fn read(&mut self, _: &str, value: &str) -> Result<(), ApiError> {
        self.get_or_insert_default().push(value.to_owned());
        Ok(())
    }
}

impl QueryValue for Option<Variables> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), ApiError> {
        let json::Object(variables) = json::parse(value.as_bytes(), &format!("/{name}"))?;
        *self = Some(variables);
        Ok(())
    }
}

impl QueryValue for Option<Vec<SeverityRule>> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), ApiError> {
        struct Rules(Vec<SeverityRule>);
        impl<'de> Deserialize<'de> for Rules {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                severity_rules(deserializer).map(Self)
            }
        }
        let rules = self.get_or_insert_default();
        if value.trim_start().starts_with('{') {
            let Rules(more) = json::parse(value.as_bytes(), &format!("/{name}"))?;
            rules.extend(more);
            return Ok(());
        }
        for part in value.split(',').filter(|part| !part.is_empty()) {
            let expected = "a JSON object, or CODE=LEVEL such as override/content-lost=error";
            rules.push(part.parse().map_err(|_| bad(name, part, expected))?);
        }
        Ok(())
    }
}

fn boolean(name: &str, value: &str) -> Result<bool, ApiError> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(bad(name, value, "true or false")),
    }
}

fn one_of<T: Copy>(name: &str, value: &str, known: &[(&str, T)]) -> Result<T, ApiError> {
    let found = known.iter().find(|(known, _)| *known == value).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let names = known.iter().map(|(name, _)| *name);
        let known = names.clone().collect::<Vec<_>>().join(", ");
        let hint = did_you_mean(likely(value, names));
        bad(name, value, &format!("one of: {known}.{hint}"))
    })
}

fn bad(name: &str, value: &str, expected: &str) -> ApiError {
    ApiError::new(Kind::BadOption, format!("{name} is {:?} but must be {expected}", short(value)))
        .at(format!("/{name}"))
}

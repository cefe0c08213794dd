//! Options as the values of query parameters: one field at a time, with the same meaning as in the request object.

use serde::{Deserialize, Deserializer};

use super::{
    Assumed, ConfigFormat, Dialect, EmulatedDataSource, MissingFiles, ModuleSource, Part, PlanPart, ProviderChecks,
    ProviderDefaults, RootModule, SchemaText, SeverityRule, UnsetVariables, Variables, module_sources, root_modules,
    severity_rules,
};
use crate::json;
use crate::refusal::{Refusal, RefusalKind};
use overfold_base::choice::{Choice, likely};
use overfold_base::diag::Severity;
use overfold_base::echo::short;
use overfold_base::nearest::did_you_mean;
use overfold_module::pipeline::ToolStage;

/// An option that can be parsed from a query string.
pub(crate) trait QueryValue {
    /// Sets the option to the value of the parameter `name`.
    ///
    /// # Errors
    /// Refuses an invalid value.
    fn read(&mut self, name: &str, value: &str) -> Result<(), Refusal>;
}

impl QueryValue for Option<String> {
    fn read(&mut self, _: &str, value: &str) -> Result<(), Refusal> {
        *self = Some(value.to_owned());
        Ok(())
    }
}

impl QueryValue for bool {
    fn read(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        *self = boolean(name, value)?;
        Ok(())
    }
}

impl QueryValue for Option<u16> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        let count = value.parse().map_err(|_| bad(name, value, "a whole number, 0 or more"))?;
        *self = Some(count);
        Ok(())
    }
}

/// Implements it for one of a list of names.
macro_rules! one {
    ($($choice:ty),*) => {$(
        impl QueryValue for Option<$choice> {
            fn read(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
                *self = Some(one_of(name, value)?);
                Ok(())
            }
        }
    )*};
}
one!(Dialect, MissingFiles, ProviderChecks, ProviderDefaults, Severity, ToolStage, UnsetVariables);

/// Implements it for any number of a list of names.
macro_rules! several {
    ($($choice:ty),*) => {$(
        impl QueryValue for Option<Vec<$choice>> {
            fn read(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
                let choices = self.get_or_insert_default();
                for choice in value.split(',').filter(|choice| !choice.is_empty()) {
                    choices.push(one_of(name, choice)?);
                }
                Ok(())
            }
        }
    )*};
}
several!(Part, PlanPart, EmulatedDataSource);

impl QueryValue for Option<Vec<RootModule>> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        struct Roots(Option<Vec<RootModule>>);
        impl<'de> Deserialize<'de> for Roots {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                root_modules(deserializer).map(Self)
            }
        }
        let Roots(roots) = json::parse(value.as_bytes(), &format!("/{name}"))?;
        *self = roots;
        Ok(())
    }
}

impl QueryValue for Option<SchemaText> {
    fn read(&mut self, name: &str, _: &str) -> Result<(), Refusal> {
        let why =
            "is too long for a query; send a form (multipart/form-data) with the archive and a part of this name";
        Err(Refusal::new(RefusalKind::UnknownOption, format!("{name} {why}")))
    }
}

impl QueryValue for ConfigFormat {
    fn read(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        *self = one_of(name, value)?;
        Ok(())
    }
}

impl QueryValue for Option<Vec<ModuleSource>> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
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
    fn read(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        *self = Some(json::parse(value.as_bytes(), &format!("/{name}"))?);
        Ok(())
    }
}

impl QueryValue for Option<Vec<String>> {
    fn read(&mut self, _: &str, value: &str) -> Result<(), Refusal> {
        self.get_or_insert_default().push(value.to_owned());
        Ok(())
    }
}

impl QueryValue for Option<Variables> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        let json::Object(variables) = json::parse(value.as_bytes(), &format!("/{name}"))?;
        *self = Some(variables);
        Ok(())
    }
}

impl QueryValue for Option<Vec<SeverityRule>> {
    fn read(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
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

fn boolean(name: &str, value: &str) -> Result<bool, Refusal> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(bad(name, value, "true or false")),
    }
}

fn one_of<T: Choice>(name: &str, value: &str) -> Result<T, Refusal> {
    T::with_name(value).ok_or_else(|| {
        let (known, hint) = (T::listed(), did_you_mean(likely::<T>(value)));
        bad(name, value, &format!("one of: {known}.{hint}"))
    })
}

fn bad(name: &str, value: &str, expected: &str) -> Refusal {
    Refusal::new(RefusalKind::BadOption, format!("{name} is {:?} but must be {expected}", short(value)))
        .at(format!("/{name}"))
}

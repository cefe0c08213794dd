//! Options with a fixed list of names: the command line's parser.

use std::marker::PhantomData;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};

use overfold_base::choice::{Choice, likely};

/// Returns a command-line parser for the values of an option that is one of a list of names.
pub fn names<T: Choice + Send + Sync>() -> impl TypedValueParser<Value = T> {
    NameParser(PhantomData)
}

/// Parses a value of a command-line option that is one of a list of names.
#[derive(Clone)]
struct NameParser<T>(PhantomData<T>);

impl<T: Choice + Send + Sync> TypedValueParser for NameParser<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<T, clap::Error> {
        let word = value.to_string_lossy();
        if let Some(found) = T::with_name(&word) {
            return Ok(found);
        }
        let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
        if let Some(arg) = arg {
            error.insert(ContextKind::InvalidArg, ContextValue::String(arg.to_string()));
        }
        error.insert(ContextKind::InvalidValue, ContextValue::String(word.clone().into_owned()));
        let all = T::ALL.iter().map(|(name, _)| (*name).to_owned()).collect();
        error.insert(ContextKind::ValidValue, ContextValue::Strings(all));
        if let Some(name) = likely::<T>(&word) {
            error.insert(ContextKind::SuggestedValue, ContextValue::String(name.to_owned()));
        }
        Err(error)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(T::ALL.iter().map(|(name, _)| PossibleValue::new(*name))))
    }
}

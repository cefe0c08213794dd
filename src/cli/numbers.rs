//! What is said about a number on the command line that is none, or is out of bounds. The library of the command line
//! speaks of digits in strings.

use std::error::Error as _;
use std::num::{IntErrorKind, ParseIntError};

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Returns the error in words that say which numbers are accepted; any other error is returned as it is.
pub(super) fn in_words(error: clap::Error, program: &clap::Command) -> clap::Error {
    match message(&error) {
        Some(message) => {
            let message = format!("{message}\n\nFor more information, try '--help'.\n");
            clap::Error::raw(error.kind(), message).with_cmd(program)
        }
        None => error,
    }
}

fn message(error: &clap::Error) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    if error.kind() != ErrorKind::ValueValidation {
        return None;
    }
    let (argument, value) = (text(ContextKind::InvalidArg)?, text(ContextKind::InvalidValue)?);
    let source = error.source()?;
    let wanted = match source.downcast_ref::<ParseIntError>() {
        Some(error) if *error.kind() == IntErrorKind::PosOverflow => "the number is too large".to_owned(),
        Some(_) => format!("it must be {}", kind_of_number(argument)),
        None => format!("it must be {}", bounds(&source.to_string())?),
    };
    Some(format!("invalid value '{value}' for '{argument}': {wanted}"))
}

/// Says what is counted by an option, such as `--timeout-seconds <SECONDS>`.
fn kind_of_number(argument: &str) -> &'static str {
    let unit = argument.rsplit_once('<').map_or("", |(_, unit)| unit.trim_end_matches(['>', '.']));
    match unit {
        "BYTES" => "a number of bytes without a unit, such as 1048576 for 1 MiB",
        "SECONDS" => "a number of seconds without a unit, such as 30",
        "DAYS" => "a number of days, such as 30",
        "PERCENT" => "a percentage without its sign, such as 50",
        _ => "a whole number, such as 10",
    }
}

/// Returns the numbers that are accepted according to the library's `0 is not in 1..=65535`; `None` if that is no such
/// text.
fn bounds(text: &str) -> Option<String> {
    let (_, range) = text.split_once(" is not in ")?;
    let (low, high) = range.split_once("..")?;
    let low: i128 = low.parse().ok()?;
    match high.trim_start_matches('=').parse::<i128>() {
        Ok(high) if high < i128::from(u32::MAX) => Some(format!("from {low} to {high}")),
        _ => Some(format!("at least {low}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_read_from_the_message_of_the_library() {
        let said = |text| bounds(text);
        assert_eq!(said("0 is not in 1..18446744073709551615").as_deref(), Some("at least 1"));
        assert_eq!(said("0 is not in 1..=1024").as_deref(), Some("from 1 to 1024"));
        assert_eq!(said("0 is not in 1..").as_deref(), Some("at least 1"));
        assert_eq!(said("not a host name"), None);
    }
}

//! `overfold token NAME`: creates a bearer token.

use std::io::{self, Write as _};

use clap::Args;

use super::{Failure, Outcome, print};
use crate::api::{NewToken, is_token_name};

/// Whose token to create.
#[derive(Args, Debug)]
pub(super) struct TokenArgs {
    /// Name that the log uses for requests with this token: letters, digits, `-`, `_` and `.`
    #[arg(value_parser = name)]
    name: String,
}

fn name(text: &str) -> Result<String, String> {
    if is_token_name(text) {
        return Ok(text.to_owned());
    }
    Err("a name must consist of 1 to 64 letters, digits, `-`, `_` or `.`".to_owned())
}

/// Prints the line for the token file to standard output, so that `>>` appends it, and the token to standard error, so
/// that it does not end up in that file. The token is not stored anywhere.
///
/// # Errors
/// Fails if the system returns no random bytes.
pub(super) fn run(args: &TokenArgs) -> Result<Outcome, Failure> {
    let NewToken { token, line } = NewToken::generate(&args.name)
        .map_err(|error| Failure::Message(format!("the system cannot provide random bytes: {error}")))?;
    print(format!("{line}\n").as_bytes())?;
    let shown = writeln!(io::stderr().lock(), "{token}");
    shown.map_err(|error| Failure::Io { what: "standard error".to_owned(), error })?;
    Ok(Outcome::Fine)
}

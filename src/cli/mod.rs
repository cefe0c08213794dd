//! The command-line door: commands, what they print, exit codes.

mod dialects;
mod healthcheck;
mod log;
mod merge;
mod parse;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::api;
use crate::settings::Settings;
use crate::stack;

/// Merges the override files of a Terraform-family configuration directory.
#[derive(Parser, Debug)]
#[command(name = "overfold", version, about, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Serve the HTTP API (the default command)
    Serve(Settings),
    /// Merge the module directory in a folder or an archive file
    Merge(Box<merge::MergeArgs>),
    /// Print the syntax tree of one file and its diagnostics as JSON
    Parse(parse::ParseArgs),
    /// Print the dialects, or the table of rules of one
    Dialects(dialects::DialectArgs),
    /// Print the OpenAPI document
    Openapi,
    /// Ask a running service whether it is alive; for containers
    Healthcheck(healthcheck::HealthcheckArgs),
}

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// All is well.
    Fine,
    /// The configuration has errors, or the service is not well.
    Errors,
}

/// Why a command could not be carried out, in words for people.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// A message.
    #[error("{0}")]
    Message(String),
    /// Something with the system.
    #[error("{what}: {error}")]
    Io {
        /// What was tried.
        what: String,
        /// What the system says.
        error: io::Error,
    },
}

/// Runs the program with the process's arguments and gives its exit code: 0; 1 when a configuration has errors; 2
/// for a wrong command line, an impossible request, or input that cannot be read.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command.unwrap_or(Command::Serve(cli.settings)) {
        Command::Serve(settings) => serve(settings),
        Command::Merge(args) => stack::with_room(|| merge::run(*args)),
        Command::Parse(args) => stack::with_room(|| parse::run(&args)),
        Command::Dialects(args) => dialects::run(args),
        Command::Openapi => print(api::openapi_json().as_bytes()).map(|()| Outcome::Fine),
        Command::Healthcheck(args) => Ok(healthcheck::run(&args)),
    };
    match result {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Errors) => ExitCode::from(1),
        Err(failure) => {
            // Nobody is left to tell if this fails.
            let _ = writeln!(io::stderr().lock(), "overfold: {failure}");
            ExitCode::from(2)
        }
    }
}

/// Writes to standard output. A reader that has heard enough (`| head`) is no failure.
fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Io { what: "standard output".to_owned(), error })
        }
        _ => Ok(()),
    }
}

fn serve(settings: Settings) -> Result<Outcome, Failure> {
    log::start(&settings.log)?;
    let what = format!("cannot serve on {}", settings.listen.listen);
    // Threads with enough stack from the start, so that none has to be made for each request.
    let stack = stack::NEEDED + (2 << 20);
    let runtime = tokio::runtime::Builder::new_multi_thread().thread_stack_size(stack).enable_all().build();
    let result = runtime.and_then(|runtime| runtime.block_on(api::serve(settings)));
    result.map(|()| Outcome::Fine).map_err(|error| Failure::Io { what, error })
}

//! The command-line door: commands, what they print, exit codes.

mod compatibility;
mod dialects;
mod diff;
mod environment;
mod explain;
mod healthcheck;
mod log;
mod memory;
mod merge;
mod merge_tree;
mod outside;
mod parse;
mod token;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::api::{self, Stopped};
use crate::settings::Settings;
use crate::stack;

/// What `--version` prints: the version, and the commit that the program was built from, `unknown` where nobody said.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("OVERFOLD_COMMIT"), ")");

/// Merges the override files of a Terraform-family configuration directory.
#[derive(Parser, Debug)]
#[command(name = "overfold", version, long_version = VERSION, about, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Serve the HTTP API (the default command)
    Serve(Box<Settings>),
    /// Merge the module directory in a folder or an archive file
    Merge(Box<merge::MergeArgs>),
    /// Compare two module directories after merging: what differs in effect
    Diff(Box<diff::DiffArgs>),
    /// Print which versions of the tools load the module in a folder or an archive file
    Compatibility(Box<compatibility::CompatibilityArgs>),
    /// Print the syntax tree of one file and its diagnostics as JSON
    Parse(parse::ParseArgs),
    /// Print the dialects, or the table of rules of one
    Dialects(dialects::DialectArgs),
    /// Print what the code of a diagnostic means
    Explain(explain::ExplainArgs),
    /// Make a token: its line for the token file to standard output, the token itself to standard error
    Token(token::TokenArgs),
    /// Print the OpenAPI document
    Openapi,
    /// Print the completions of a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
    /// Ask a running service whether it is alive; for containers
    Healthcheck(healthcheck::HealthcheckArgs),
}

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// All is well.
    Fine,
    /// The configuration has errors, the service is not well, or it was made to stop at once.
    Errors,
    /// Two configurations differ.
    Differs,
    /// A comparison was made, and one side has findings that were asked to make it fail.
    Fails,
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

/// Runs the program with the process's arguments and gives its exit code: 0; 1 when a configuration has errors or two differ; 2
/// for a wrong command line, an impossible request, or input that cannot be read; 3 when a comparison was made and has findings
/// that were asked to make it fail.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let strangers = environment::strangers(&Cli::command());
    let serves = matches!(cli.command, None | Some(Command::Serve(_)));
    if !serves {
        for name in &strangers {
            // Nobody is left to report it to if this fails.
            let _ = writeln!(io::stderr().lock(), "overfold: warning: {}", environment::warning(name));
        }
    }
    let result = match cli.command.unwrap_or(Command::Serve(Box::new(cli.settings))) {
        Command::Serve(settings) => serve(&settings, &strangers),
        Command::Merge(args) => stack::with_room(|| merge::run(*args)),
        Command::Diff(args) => stack::with_room(|| diff::run(*args)),
        Command::Compatibility(args) => stack::with_room(|| compatibility::run(*args)),
        Command::Parse(args) => stack::with_room(|| parse::run(&args)),
        Command::Dialects(args) => dialects::run(args),
        Command::Explain(args) => explain::run(&args),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "overfold", &mut script);
            print(&script).map(|()| Outcome::Fine)
        }
        Command::Man => manual(),
        Command::Token(args) => token::run(&args),
        Command::Openapi => print(api::openapi_json().as_bytes()).map(|()| Outcome::Fine),
        Command::Healthcheck(args) => Ok(healthcheck::run(&args)),
    };
    match result {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Errors | Outcome::Differs) => ExitCode::from(1),
        Ok(Outcome::Fails) => ExitCode::from(3),
        Err(failure) => {
            // Nobody is left to report it to if this fails.
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

/// The manual: a page for the program and each command, one after the other.
fn manual() -> Result<Outcome, Failure> {
    let failure = |error| Failure::Io { what: "the manual page".to_owned(), error };
    let mut program = Cli::command();
    program.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(program.clone()).render(&mut page).map_err(failure)?;
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        clap_mangen::Man::new(command.clone()).render(&mut page).map_err(failure)?;
    }
    print(&page)?;
    Ok(Outcome::Fine)
}

fn serve(settings: &Settings, strangers: &[String]) -> Result<Outcome, Failure> {
    log::start(&settings.log)?;
    for name in strangers {
        tracing::warn!("{}", environment::warning(name));
    }
    let what = format!("cannot serve on {}", settings.listen.listen);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let stopped = runtime.and_then(|runtime| {
        // The first line of the log says where the service listens.
        let need = async { memory::report(settings) };
        let stopped = runtime.block_on(async { tokio::join!(api::serve(settings.clone()), need).0 });
        // Work that is still running, cancelled and with no one waiting for it, must not hold the process.
        runtime.shutdown_background();
        stopped
    });
    match stopped {
        Ok(Stopped::InGoodOrder) => Ok(Outcome::Fine),
        Ok(Stopped::AtOnce) => Ok(Outcome::Errors),
        Err(error) => Err(Failure::Io { what, error }),
    }
}

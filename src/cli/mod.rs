//! The command-line door.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::api;
use crate::settings::{LogFormat, Settings};

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
    /// Serve the HTTP API (the default)
    Serve(Settings),
    /// Print the OpenAPI document
    Openapi,
}

/// Runs the program with the process's arguments and gives its exit code: 0; 1 when a configuration has errors; 2
/// for a wrong command line or an impossible request.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    match cli.command.unwrap_or(Command::Serve(cli.settings)) {
        Command::Serve(settings) => serve(settings),
        Command::Openapi => print(api::openapi_json().as_bytes()),
    }
}

fn print(bytes: &[u8]) -> ExitCode {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_ok() { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

fn serve(settings: Settings) -> ExitCode {
    start_log(&settings);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let result = runtime.and_then(|runtime| runtime.block_on(api::serve(settings)));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "cannot serve");
            ExitCode::from(2)
        }
    }
}

fn start_log(settings: &Settings) {
    use tracing_subscriber::EnvFilter;
    let filter = EnvFilter::try_new(&settings.log.log).unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match settings.log.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
    std::panic::set_hook(Box::new(|panic| {
        // The message of a panic may quote what was worked on, so the place alone is logged.
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a task panicked");
    }));
}

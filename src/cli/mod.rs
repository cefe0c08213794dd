//! The command line: commands, their output, and exit codes.

mod colour;
mod compatibility;
mod dialects;
mod diff;
mod environment;
mod explain;
mod git;
mod healthcheck;
mod help;
mod likely;
mod log;
mod memory;
mod merge;
mod numbers;
mod plan;
mod plan_diff;
mod progress;
mod remedies;
mod upgrade;
mod revision;
mod schema_store;
mod schemas;
mod smallest;
mod token;
mod version_files;
mod versions;
#[cfg(feature = "nats")]
mod archive;
mod assume;
#[cfg(feature = "nats")]
mod submit;
#[cfg(feature = "nats")]
mod collect;
#[cfg(feature = "nats")]
mod worker;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use self::progress::Progress;
use crate::api::{self, Stopped};
use crate::build_info;
use crate::settings::{LimitSettings, Settings};
use overfold_base::account::{self, Cancel};
use overfold_base::echo;
use overfold_base::stack;
use overfold_engine::{Compatibility, Context, Input, Outcome as Answered, Refusal, UseCase};

/// What override files do to a Terraform or OpenTofu configuration, and what a plan of it would be.
#[derive(Parser, Debug)]
#[command(name = "overfold", version, long_version = build_info::VERSION, args_conflicts_with_subcommands = true)]
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
    /// Answer requests from a queue on a NATS server
    #[cfg(feature = "nats")]
    Worker(Box<worker::WorkerArgs>),
    /// Fill the queue with the module directories in folders and archive files
    #[cfg(feature = "nats")]
    Submit(Box<submit::SubmitArgs>),
    /// Print the answers to what was submitted, and a summary
    #[cfg(feature = "nats")]
    Collect(Box<collect::CollectArgs>),
    /// Merge the module directory in a folder or an archive file
    Merge(Box<merge::MergeArgs>),
    /// Compare two merged module directories: what differs in effect
    Diff(Box<diff::DiffArgs>),
    /// Plan the root module in a folder as Terraform or OpenTofu would without a state
    Plan(Box<plan::PlanArgs>),
    /// Compare the plans of a root module before and after a change, instance by instance
    PlanDiff(Box<plan_diff::PlanDiffArgs>),
    /// Print what another version of Terraform or OpenTofu would do with the root module in a folder
    Upgrade(Box<upgrade::UpgradeArgs>),
    /// Print which versions of Terraform and OpenTofu load the module in a folder or an archive file
    Compatibility(Box<compatibility::CompatibilityArgs>),
    /// Print the list of dialects, or the table of rules of one
    Dialects(dialects::DialectArgs),
    /// Print the known versions of Terraform and OpenTofu, and how they differ
    Versions(versions::VersionArgs),
    /// Print what a diagnostic code means
    Explain(explain::ExplainArgs),
    /// Add provider schemas to a folder, or list them
    Schemas(schema_store::SchemasArgs),
    /// Create a token: prints its line for the token file to standard output, and the token itself to standard error
    Token(token::TokenArgs),
    /// Print the OpenAPI document
    Openapi,
    /// Print the completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
    /// Ask a running service whether it is alive (for containers)
    Healthcheck(healthcheck::HealthcheckArgs),
}

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// Success.
    Fine,
    /// The configuration has errors, the service is not healthy, or it was told to stop immediately.
    Errors,
    /// Two configurations differ.
    Differs,
    /// A comparison was made, and one side has diagnostics that the options treat as a failure.
    Fails,
}

/// Why a command could not be carried out, in a message for people.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// A message.
    #[error("{0}")]
    Message(String),
    /// An error from the system.
    #[error("{what}: {error}")]
    Io {
        /// What was attempted.
        what: String,
        /// The error that the system reports.
        error: io::Error,
    },
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Message(remedies::of_refusal(refusal))
    }
}

/// Does work under the account of a request.
///
/// # Errors
/// Fails if a limit is exceeded.
fn under_account<T>(limits: &LimitSettings, work: impl FnOnce() -> T) -> Result<T, Failure> {
    account::open(limits.cost.account(), &Cancel::new(), work).map_err(|stop| Failure::Message(stop.to_string()))
}

/// Runs a use case on files from a disk, which need not be all there are. `with_findings` says whether the diagnostics are
/// shown beside the answer.
///
/// # Errors
/// Fails if a limit is exceeded, the options do not fit the files, or a file cannot be read.
fn ask<U: UseCase<SIDES>, const SIDES: usize>(
    sides: [Input<'_>; SIDES],
    form: U::Form,
    with_findings: bool,
    limits: &LimitSettings,
) -> Result<Answered<U::Verdict>, Failure> {
    let mut progress = Progress::new(if U::NAME == Compatibility::NAME { "tables of versions" } else { "modules" });
    let mut context =
        Context { limits: limits.request.syntax(), observer: &mut progress, is_complete: false, with_findings };
    let outcome = under_account(limits, || U::run(sides, form, &mut context));
    drop(progress);
    if let Some(failure) = sides.iter().find_map(|input| input.files.take_failure()) {
        return Err(Failure::Message(failure.to_string()));
    }
    Ok(outcome??)
}

/// Runs the program with the process's arguments and returns its exit code: 0 for success; 1 if a configuration has
/// errors or two configurations differ; 2 for a wrong command line, an impossible request, or input that cannot be
/// read; 3 if a comparison was made and has diagnostics that the options treat as a failure.
pub fn run() -> ExitCode {
    let program = help::arranged(Cli::command(), help::Form::of(std::env::args_os()));
    let parsed = program.clone().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return misused(error, &program),
    };
    let serves = match &cli.command {
        None | Some(Command::Serve(_)) => true,
        #[cfg(feature = "nats")]
        Some(Command::Worker(_)) => true,
        Some(_) => false,
    };
    let environment::Unknown { warnings, refusals } = environment::unknown(&program, serves);
    for refusal in &refusals {
        complain(&format!("overfold: {refusal}"));
    }
    if !refusals.is_empty() {
        return ExitCode::from(2);
    }
    if !serves {
        for warning in &warnings {
            complain(&format!("overfold: warning: {warning}"));
        }
    }
    let result = match cli.command.unwrap_or(Command::Serve(Box::new(cli.settings))) {
        Command::Serve(settings) => serve(*settings, &warnings),
        #[cfg(feature = "nats")]
        Command::Worker(args) => worker::run(*args, &warnings),
        #[cfg(feature = "nats")]
        Command::Submit(args) => submit::run(*args),
        #[cfg(feature = "nats")]
        Command::Collect(args) => collect::run(&args),
        Command::Merge(args) => stack::ensure_sufficient(|| merge::run(*args)),
        Command::Diff(args) => stack::ensure_sufficient(|| diff::run(*args)),
        Command::Plan(args) => stack::ensure_sufficient(|| plan::run(*args)),
        Command::PlanDiff(args) => stack::ensure_sufficient(|| plan_diff::run(*args)),
        Command::Upgrade(args) => stack::ensure_sufficient(|| upgrade::run(*args)),
        Command::Compatibility(args) => stack::ensure_sufficient(|| compatibility::run(*args)),
        Command::Dialects(args) => dialects::run(args),
        Command::Versions(args) => versions::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(
                shell,
                &mut help::arranged(Cli::command(), help::Form::Long),
                "overfold",
                &mut script,
            );
            print(&script).map(|()| Outcome::Fine)
        }
        Command::Man => manual(),
        Command::Schemas(args) => schema_store::run(args),
        Command::Token(args) => token::run(&args),
        Command::Openapi => print(api::openapi_json().as_bytes()).map(|()| Outcome::Fine),
        Command::Healthcheck(args) => Ok(healthcheck::run(&args)),
    };
    match result {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Errors | Outcome::Differs) => ExitCode::from(1),
        Ok(Outcome::Fails) => ExitCode::from(3),
        Err(failure) => {
            complain(&format!("overfold: {}", remedies::with_limit(&failure.to_string())));
            ExitCode::from(2)
        }
    }
}

/// Writes a message to standard error. It may quote anything, such as a path with line ends, so the lines after the first
/// have a bar before them: none of them looks like a message of ours, or like a command to the log of a code host.
fn complain(message: &str) {
    let mut err = io::stderr().lock();
    for (at, line) in message.split('\n').enumerate() {
        let bar = if at == 0 { "" } else { "  | " };
        // If this fails, there is nowhere left to report it.
        let line = echo::line(line);
        let line = if at == 0 { colour::message(&line) } else { line.into_owned() };
        let _ = writeln!(err, "{bar}{line}");
    }
}

/// Reports a wrong command line, or prints the help that was asked for.
fn misused(error: clap::Error, program: &clap::Command) -> ExitCode {
    let origin = environment::origin(&error, program);
    let error = numbers::in_words(error, program);
    let text = error.render().to_string();
    let safe: String = text.split_inclusive('\n').map(echo_line).collect();
    if !error.use_stderr() || safe == text {
        // In colours, if it is a terminal. If this fails, there is nowhere left to report it.
        let _ = error.print();
    } else {
        let _ = io::stderr().lock().write_all(safe.as_bytes());
    }
    if let Some(hint) = likely::after(&error) {
        // A path may contain line ends.
        let _ = writeln!(io::stderr().lock(), "\n{}", echo::line(&hint.replace('\n', " ")));
    }
    if let Some(origin) = origin {
        let _ = writeln!(io::stderr().lock(), "\n{origin}");
    }
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}

/// Like [`echo::line`], but for a line with its line end.
fn echo_line(line: &str) -> String {
    let (text, end) = line.strip_suffix('\n').map_or((line, ""), |text| (text, "\n"));
    format!("{}{end}", echo::line(text))
}

/// Writes to standard output. A reader that closes early (`| head`) is not an error.
fn print(bytes: &[u8]) -> Result<(), Failure> {
    print_to(io::stdout().lock(), bytes)
}

/// Writes to what stands for standard output, as [`print()`] does.
fn print_to(mut out: impl io::Write, bytes: &[u8]) -> Result<(), Failure> {
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Io { what: "standard output".to_owned(), error })
        }
        _ => Ok(()),
    }
}

/// Prints the manual: a page for the program and for each command, one after the other.
fn manual() -> Result<Outcome, Failure> {
    let failure = |error| Failure::Io { what: "the manual page".to_owned(), error };
    let mut program = help::arranged(Cli::command(), help::Form::Long);
    program.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(program.clone()).render(&mut page).map_err(failure)?;
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        clap_mangen::Man::new(command.clone()).render(&mut page).map_err(failure)?;
    }
    print(&page)?;
    Ok(Outcome::Fine)
}

fn serve(settings: Settings, warnings: &[String]) -> Result<Outcome, Failure> {
    let what = format!("cannot serve on {}", settings.listen.listen);
    run_service(settings, warnings, what, api::serve)
}

/// Starts the log, and runs a service with these settings until it is told to stop. `what` says in a failure what could not
/// be done.
fn run_service<F: Future<Output = io::Result<Stopped>>>(
    mut settings: Settings,
    warnings: &[String],
    what: String,
    service: impl FnOnce(Settings) -> F,
) -> Result<Outcome, Failure> {
    log::start(&settings.log)?;
    smallest::check(&settings.limits)?;
    let standard = |name: &str| std::env::var(name).ok();
    settings.traces = settings.traces.with_standard_variables(standard).map_err(Failure::Message)?;
    for warning in warnings {
        tracing::warn!("{warning}");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let stopped = runtime.and_then(|runtime| {
        // The first line of the log has to say where the service listens.
        let need = async { memory::report(&settings.server()) };
        let stopped = runtime.block_on(async { tokio::join!(service(settings.clone()), need).0 });
        // Work that is still running, although cancelled and no longer awaited, must not keep the process alive.
        runtime.shutdown_background();
        stopped
    });
    match stopped {
        Ok(Stopped::Graceful) => Ok(Outcome::Fine),
        Ok(Stopped::AtOnce) => Ok(Outcome::Errors),
        Err(error) => Err(Failure::Io { what, error }),
    }
}

/// Returns what runs a command that talks to a queue.
#[cfg(feature = "nats")]
fn queue_runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let failure = |error| Failure::Io { what: "the threads for the queue".to_owned(), error };
    tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failure)
}

//! The program: parses the command line, runs a command and exits with its code.

#[global_allocator]
static ALLOCATOR: overfold_cli::account::Allocator = overfold_cli::account::Allocator;

fn main() -> std::process::ExitCode {
    overfold_cli::cli::run()
}

//! The program: parses the command line, runs a command and exits with its code.

#[global_allocator]
static ALLOCATOR: overfold::account::Allocator = overfold::account::Allocator;

fn main() -> std::process::ExitCode {
    overfold::cli::run()
}

//! The program: parses the command line, runs a command, exits with its code.

fn main() -> std::process::ExitCode {
    overfold::cli::run()
}

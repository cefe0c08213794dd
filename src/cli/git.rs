//! git as a program that reads: it runs nothing that a repository names, fetches nothing and changes nothing.

use std::io::{self, Read};
use std::process::{Child, Command, Stdio};
use std::thread;

use overfold_base::echo::short;

/// The bytes up to which an answer of one line, and what git complains about, are kept.
const MAX_LINE: u64 = 64 << 10;

/// What is so whatever the configuration of a repository says. Even looking up a path in the index starts a monitor of files.
const SETTINGS: [&str; 6] =
    ["--no-replace-objects", "--literal-pathspecs", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/// What a release of git does not know of these, another of them forbids. No transport may be used; objects that a server would
/// send stay missing; parents are those that commits name.
const VARIABLES: [(&str, &str); 6] = [
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_GRAFT_FILE", "/dev/null"),
    ("LC_ALL", "C"),
];

/// Returns git with these arguments, with nothing on its standard input, and silent.
pub(super) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.args(SETTINGS).args(arguments).envs(VARIABLES);
    command.stdin(Stdio::null()).stderr(Stdio::null());
    command
}

/// Why git gives no answer: what it says, for a message; `None` if it is silent, as it is where something does not exist.
#[derive(Debug)]
pub(super) struct Complaint(Option<String>);

impl Complaint {
    /// Of nothing.
    pub(super) const SILENT: Self = Self(None);

    /// Whether git says nothing.
    pub(super) const fn is_silent(&self) -> bool {
        self.0.is_none()
    }

    /// Whether git finds no repository at all.
    pub(super) fn is_without_repository(&self) -> bool {
        self.0.as_ref().is_some_and(|text| text.starts_with("not a git repository"))
    }

    /// Returns a sentence with what git says behind it.
    pub(super) fn behind(&self, sentence: &str) -> String {
        match &self.0 {
            Some(text) => format!("{sentence} (git: {})", short(text)),
            None => sentence.to_owned(),
        }
    }
}

impl From<io::Error> for Complaint {
    fn from(error: io::Error) -> Self {
        Self(Some(error.to_string()))
    }
}

/// Returns the line that git prints.
///
/// # Errors
/// Fails if git does, or prints something else.
pub(super) fn line(arguments: &[&str]) -> Result<String, Complaint> {
    let text = output(arguments, |output| {
        let mut text = Vec::new();
        output.take(MAX_LINE).read_to_end(&mut text).map(|_| text)
    })??;
    let text = String::from_utf8(text).map_err(|_| Complaint(None))?;
    Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
}

/// Has what git prints read by `read`, which may stop early if it fails.
///
/// # Errors
/// Fails if git does; what `read` returns is inside.
pub(super) fn output<T, E>(
    arguments: &[&str],
    read: impl FnOnce(&mut dyn Read) -> Result<T, E>,
) -> Result<Result<T, E>, Complaint> {
    let mut process = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (output, errors) = (process.stdout.take(), process.stderr.take());
    let (Some(mut output), Some(errors)) = (output, errors) else { return Err(Complaint(None)) };
    thread::scope(|scope| {
        let mut process = Process(process);
        // At the same time: git waits for whoever does not read.
        let said = scope.spawn(|| said(errors));
        let found = read(&mut output);
        drop(output);
        if found.is_err() || process.0.wait()?.success() {
            return Ok(found);
        }
        Err(Complaint(said.join().ok().flatten()))
    })
}

/// Returns the first thing that git calls fatal or an error.
fn said(mut errors: impl Read) -> Option<String> {
    let mut text = Vec::new();
    (&mut errors).take(MAX_LINE).read_to_end(&mut text).ok()?;
    io::copy(&mut errors, &mut io::sink()).ok()?;
    let text = String::from_utf8_lossy(&text);
    let found = text.lines().find_map(|line| line.strip_prefix("fatal: ").or_else(|| line.strip_prefix("error: ")));
    found.map(str::to_owned)
}

/// A process that ends with this value.
#[derive(Debug)]
pub(super) struct Process(pub(super) Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may still be printing what nobody wants.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

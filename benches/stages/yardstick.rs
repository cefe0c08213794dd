//! serde_json in a separate process: `benches/yardstick`, built without any feature that this build enables.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// The running program, with the bytes of one answer.
pub(crate) struct Yardstick {
    process: Child,
    asked: ChildStdin,
    reported: BufReader<ChildStdout>,
}

/// Builds the program.
pub(crate) fn build() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/yardstick/Cargo.toml");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let built = Command::new(cargo)
        .args(["build", "--release", "--locked", "--quiet", "--manifest-path"])
        .arg(manifest)
        .arg("--target-dir")
        .arg(folder())
        .status()
        .unwrap();
    assert!(built.success(), "the yardstick cannot be built");
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/yardstick"))
}

impl Yardstick {
    pub(crate) fn start(name: &str, answer: &[u8]) -> Self {
        let path = folder().join(format!("{name}.json"));
        std::fs::write(&path, answer).unwrap();
        let mut process = Command::new(folder().join("release/yardstick"))
            .arg(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (asked, reported) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
        Self { process, asked, reported }
    }

    /// Runs one round, timed by the program's own clock.
    pub(crate) fn round(&mut self) -> Duration {
        let mut line = String::new();
        self.asked.write_all(b"\n").unwrap();
        self.reported.read_line(&mut line).unwrap();
        Duration::from_nanos(line.trim().parse().unwrap())
    }
}

impl Drop for Yardstick {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

//! Instruction counts by valgrind's callgrind. They hardly depend on the machine, and not at all on its other load.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs `job` as a section counted by [`counts`].
pub(crate) fn section<T>(job: impl FnOnce() -> T) -> T {
    let (mut job, mut made) = (Some(job), None);
    counted_section(&mut || made = job.take().map(|job| job()));
    made.expect("the job has run")
}

/// The function that callgrind counts between entry and exit; the options passed to callgrind name its full path.
#[inline(never)]
fn counted_section(job: &mut dyn FnMut()) {
    job();
    std::hint::black_box(());
}

/// Returns whether valgrind is installed.
pub(crate) fn is_there() -> bool {
    Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Runs this program with other arguments and returns the instruction count of each [`section`], in order.
pub(crate) fn counts(arguments: &[String]) -> Result<Vec<u64>, String> {
    static RUNS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let run = RUNS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("callgrind-{}-{run}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let done = Command::new("valgrind")
        .args(["--tool=callgrind", concat!("--toggle-collect=", module_path!(), "::counted_section")])
        .arg(concat!("--dump-after=", module_path!(), "::counted_section"))
        .arg(format!("--callgrind-out-file={}", folder.join("out").display()))
        .arg(std::env::current_exe().map_err(|error| error.to_string())?)
        .args(arguments)
        .output()
        .map_err(|error| error.to_string());
    let totals = done.and_then(|done| {
        if !done.status.success() {
            return Err(String::from_utf8_lossy(&done.stderr).into_owned());
        }
        (1..)
            .map(|part| folder.join(format!("out.{part}")))
            .take_while(|path| path.exists())
            .map(|path| total(&path))
            .collect()
    });
    fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    totals
}

fn total(path: &Path) -> Result<u64, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let line = text.lines().find_map(|line| line.strip_prefix("totals: ").or(line.strip_prefix("summary: ")));
    let number = line.and_then(|line| line.split(' ').next()).and_then(|number| number.parse().ok());
    number.ok_or_else(|| format!("{}: no total", path.display()))
}

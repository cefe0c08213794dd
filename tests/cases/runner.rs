//! Runs trials. A run of all of them prints a line for each suite, what fails, and the totals: more than ten thousand lines
//! that say `ok` would hide the rest. With a filter or any other argument, `libtest_mimic` does what the harness of Rust does.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Instant;

use libtest_mimic::{Arguments, Failed};

/// A named test.
pub(crate) struct Trial {
    name: String,
    is_ignored: bool,
    run: Box<dyn FnOnce() -> Result<(), Failed> + Send>,
}

impl Trial {
    pub(crate) fn test(name: impl Into<String>, run: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Self {
        Self { name: name.into(), is_ignored: false, run: Box::new(run) }
    }

    pub(crate) fn with_ignored_flag(self, is_ignored: bool) -> Self {
        Self { is_ignored, ..self }
    }

    /// Returns what precedes the first slash, or the second if one suite is tested in several ways.
    fn suite(&self) -> &str {
        let mut slashes = self.name.match_indices('/').map(|(at, _)| at);
        let first = slashes.next().unwrap_or(self.name.len());
        self.name.split_at(slashes.next().unwrap_or(first)).0
    }
}

/// Runs the trials that the arguments select.
pub(crate) fn run(arguments: &Arguments, trials: Vec<Trial>) -> ExitCode {
    let plain = Arguments { test_threads: arguments.test_threads, quiet: arguments.quiet, ..Arguments::default() };
    if format!("{arguments:?}") == format!("{plain:?}") {
        return run_all(arguments.test_threads, trials);
    }
    let trials = trials
        .into_iter()
        .map(|trial| libtest_mimic::Trial::test(trial.name, trial.run).with_ignored_flag(trial.is_ignored));
    libtest_mimic::run(arguments, trials.collect()).exit_code()
}

/// The trials of a suite that are yet to come, and those that ended.
#[derive(Default)]
struct Suite {
    name: String,
    left: usize,
    passed: usize,
    failed: usize,
    ignored: usize,
}

#[expect(clippy::print_stdout, reason = "this is what a harness prints")]
fn run_all(threads: Option<usize>, trials: Vec<Trial>) -> ExitCode {
    let start = Instant::now();
    let mut suites: Vec<Suite> = Vec::new();
    let mut queue = Vec::new();
    for trial in trials {
        let at = suites.iter().position(|suite| suite.name == trial.suite()).unwrap_or(suites.len());
        if at == suites.len() {
            suites.push(Suite { name: trial.suite().to_owned(), ..Suite::default() });
        }
        if trial.is_ignored {
            suites[at].ignored += 1;
        } else {
            suites[at].left += 1;
            queue.push((at, trial));
        }
    }
    println!("\nrunning {} tests", queue.len());
    queue.reverse();
    let queue = Mutex::new(queue);
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let (sender, results) = mpsc::channel();
    let mut failures = Vec::new();
    std::thread::scope(|scope| {
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads.unwrap_or_else(available) {
            let sender = sender.clone();
            scope.spawn(move || {
                while let Some((at, trial)) = next() {
                    let Trial { name, run, .. } = trial;
                    let result = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Err(message_of(&*panic)));
                    sender.send((at, name, result)).expect("somebody receives");
                }
            });
        }
        drop(sender);
        for (at, name, result) in results {
            let suite = &mut suites[at];
            suite.left -= 1;
            match result {
                Ok(()) => suite.passed += 1,
                Err(why) => {
                    suite.failed += 1;
                    println!("test {name} ... FAILED");
                    failures.push((name, why));
                }
            }
            if suite.left == 0 {
                let Suite { name, passed, failed, .. } = suite;
                println!(
                    "{name}: {passed} passed{}",
                    if *failed > 0 { format!(", {failed} FAILED") } else { String::new() }
                );
            }
        }
    });
    for (name, why) in &failures {
        println!("\n---- {name} ----\n{}", why.message().unwrap_or_default());
    }
    let sum = |count: fn(&Suite) -> usize| suites.iter().map(count).sum::<usize>();
    println!(
        "\ntest result: {}. {} passed; {} failed; {} ignored; 0 measured; 0 filtered out; finished in {:.2}s\n",
        if failures.is_empty() { "ok" } else { "FAILED" },
        sum(|suite| suite.passed),
        failures.len(),
        sum(|suite| suite.ignored),
        start.elapsed().as_secs_f64()
    );
    // As `libtest_mimic` ends.
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(101) }
}

fn message_of(panic: &(dyn Any + Send)) -> Failed {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("the test panicked").into()
}

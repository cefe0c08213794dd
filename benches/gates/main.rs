//! Checks the cost of an answer against `limits.txt`: `cargo bench --profile measure --bench gates`
//!
//! Only counts, no times: allocations, peak bytes held, and instructions if valgrind is installed. They are the same in
//! every run of a build, whatever else the machine does; the limits are some 10 % above the recorded counts. Exits with
//! 1 if one is exceeded. `-- --write` rewrites the limits.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::panic,
    reason = "a measurement that cannot go on says so by panicking, and prints what it found"
)]

#[path = "../callgrind/mod.rs"]
mod callgrind;
#[path = "../inputs/mod.rs"]
mod inputs;

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use counting::{Counting, count};
use inputs::{Input, objects, request};
use overfold_cli::account::{self, Allocator, Cancel, Limits};
use overfold_cli::diag::Diagnostics;
use overfold_cli::output::{AnswerOptions, PlanAnswerOptions, answer, plan_answer};
use overfold_cli::pipeline::{Request, ToolStage, run};
use overfold_cli::syntax::Forest;

#[global_allocator]
static ALLOCATOR: Counting<Allocator> = Counting(Allocator);

/// What is counted for each module.
const METRICS: [&str; 3] = ["allocations/KB", "peak bytes/byte", "instructions/byte"];
/// The factor between a recorded count and its limit.
const MARGIN: f64 = 1.1;
const MODULES: [&str; 3] = ["eks", "vpc", "synthetic-1m"];

/// A job on a module, with limits of its own.
struct Job {
    name: &'static str,
    run: fn(&Input),
}

const JOBS: [Job; 5] = [
    Job { name: "parse", run: parse },
    Job { name: "config, validated", run: validated },
    Job { name: "plan", run: planned },
    Job { name: "config", run: |input| whole(input, AnswerOptions::default()) },
    Job { name: "objects", run: |input| whole(input, objects()) },
];

fn parse(input: &Input) {
    let forest = Forest::default();
    let mut out = Diagnostics::new();
    for file in input.files.files() {
        forest.parse_native(file.path.as_str(), file.bytes.clone(), &mut out);
    }
    black_box((forest, out));
}

fn whole(input: &Input, options: AnswerOptions) {
    let forest = Forest::default();
    let report = run(&forest, &input.files, &request()).unwrap();
    black_box(answer(&report, options));
}

/// Like the job `config`, with names and expressions looked at.
fn validated(input: &Input) {
    let forest = Forest::default();
    let request = Request { stage: ToolStage::Validate, ..request() };
    // As in the service: suggestions share a part of the request's work, and the synthetic module has few names that exist.
    let limits = Limits::DEFAULT.for_files(input.bytes as u64);
    let answered = account::open(limits, &Cancel::new(), || {
        let report = run(&forest, &input.files, &request).unwrap();
        answer(&report, AnswerOptions::default())
    });
    black_box(answered.unwrap());
}

/// From the files to the plan document.
fn planned(input: &Input) {
    let forest = Forest::default();
    let request = inputs::plan_request();
    let answered = account::open(Limits::DEFAULT.for_plan(input.bytes as u64), &Cancel::new(), || {
        let report = run(&forest, &input.files, &request).unwrap();
        plan_answer(&report, PlanAnswerOptions::default())
    });
    black_box(answered.unwrap());
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let asked = |option: &str| arguments.iter().any(|argument| argument == option);
    let (child, write) = (asked("--child"), asked("--write"));
    // The stack is large enough for every stage, so none has to move to another.
    let work = move || if child { under_callgrind() } else { check_limits(write) };
    thread::Builder::new().stack_size(2 * overfold_cli::stack::REQUIRED).spawn(work).unwrap().join().unwrap()
}

fn modules() -> Vec<Input> {
    inputs::inputs().into_iter().filter(|input| MODULES.contains(&input.name)).collect()
}

fn under_callgrind() -> ExitCode {
    for input in modules() {
        for job in &JOBS {
            // A first run, so that one-time work of the process is not counted.
            (job.run)(&input);
            callgrind::section(|| (job.run)(&input));
        }
    }
    ExitCode::SUCCESS
}

fn check_limits(write: bool) -> ExitCode {
    let modules = modules();
    let instructions = if callgrind::is_there() {
        callgrind::counts(&["--child".to_owned()]).expect("callgrind counts")
    } else {
        println!("SKIPPED: instructions have NOT been counted: valgrind is not installed");
        Vec::new()
    };
    let mut instructions = instructions.into_iter();
    let mut found = Vec::new();
    for input in &modules {
        for job in &JOBS {
            (job.run)(input);
            let ((), counts) = count(|| (job.run)(input));
            let bytes = input.bytes as f64;
            let figures = [
                Some(counts.calls as f64 * 1024.0 / bytes),
                Some(counts.peak as f64 / bytes),
                instructions.next().map(|count| count as f64 / bytes),
            ];
            found.push((format!("{} {}", input.name, job.name), figures));
        }
    }
    if write {
        fs::write(path(), limits(&found)).unwrap();
        return ExitCode::SUCCESS;
    }
    let fine = found.iter().map(|(name, figures)| judge(name, figures)).filter(|fine| !fine).count() == 0;
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/gates/limits.txt")
}

fn limits(found: &[(String, [Option<f64>; METRICS.len()])]) -> String {
    let mut text = format!(
        "# The most that benches/gates accepts: module, answer, {}.\n\
         # Counted plus 10 %; `cargo bench --profile measure --bench gates -- --write` writes it. Lower is better.\n",
        METRICS.join(", ")
    );
    for (name, figures) in found {
        text.push_str(name);
        for figure in figures {
            let _ = write!(text, " {:.2}", figure.expect("all figures, instructions included") * MARGIN);
        }
        text.push('\n');
    }
    text
}

/// Prints a row; returns whether each figure is within its limit.
fn judge(name: &str, figures: &[Option<f64>; METRICS.len()]) -> bool {
    let text = fs::read_to_string(path()).unwrap();
    let row = text.lines().find_map(|line| line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' ')));
    let limits = row.unwrap_or_else(|| panic!("limits.txt has no row {name}")).split(' ');
    let mut fine = true;
    for ((metric, figure), limit) in METRICS.iter().zip(figures).zip(limits) {
        let Some(figure) = figure else { continue };
        let limit: f64 = limit.parse().unwrap();
        let word = if *figure > limit {
            fine = false;
            "  OVER THE LIMIT"
        } else if *figure < limit / MARGIN * 0.9 {
            "  (the limit can be lowered)"
        } else {
            ""
        };
        println!("{name:<22} {metric:<18} {figure:>9.2} of {limit:>9.2}{word}");
    }
    fine
}

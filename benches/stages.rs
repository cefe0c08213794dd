//! What each stage costs on real and made-up modules, in one run: `cargo bench --bench stages`.
//!
//! Every figure is the least of many runs, taken in turns so that a busy moment of the machine hits all stages alike.
//! `serde` is serde_json reading the answer into a `Value` and writing it again; `held` is what the finished report and its
//! answer hold, by the allocator's own count. With `--test` every stage runs once and nothing is measured; names of modules
//! pick rows.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on says so by panicking")]
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]
#![expect(clippy::cast_precision_loss, reason = "no figure has more than a few digits")]

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use bytes::Bytes;
use overfold::diag::Diagnostics;
use overfold::files::{FileSet, ModulePath, SourceFile};
use overfold::output::{AnswerOptions, Include, answer};
use overfold::pipeline::{Request, run};
use overfold::syntax::Forest;
use tikv_jemalloc_ctl::thread::{allocatedp, deallocatedp};

mod configuration;

/// The stages, in the order of the columns.
const STAGES: [&str; 6] = ["parse", "load+merge", "config", "objects", "drop", "serde"];

/// What one run of every stage took.
type Times = [Duration; STAGES.len()];

fn main() {
    let once = std::env::args().any(|arg| arg == "--test");
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    println!("nanoseconds per byte of input; ratios to the parser, and of load+merge+config to serde_json\n");
    print!("{:<12}{:>9}", "module", "bytes");
    for stage in STAGES {
        print!("{stage:>12}");
    }
    println!("{:>10}{:>10}{:>10}", "engine", "/ serde", "held");
    for (name, files) in
        inputs().into_iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|w| w == name))
    {
        row(name, &files, if once { 1 } else { 200 });
    }
}

fn row(name: &str, files: &FileSet, runs: u32) {
    let bytes: usize = files.files().iter().map(|file| file.bytes.len()).sum();
    let mut least = [Duration::MAX; STAGES.len()];
    let begun = Instant::now();
    for done in 0..runs {
        let times = measure(files);
        least.iter_mut().zip(times).for_each(|(least, time)| *least = time.min(*least));
        if begun.elapsed() > Duration::from_secs(4) && done > 5 {
            break;
        }
    }
    let per_byte = |time: Duration| time.as_nanos() as f64 / bytes as f64;
    let [parse, load, config, _, drop, serde] = least.map(per_byte);
    print!("{name:<12}{bytes:>9}");
    for time in least {
        print!("{:>12.2}", per_byte(time));
    }
    let engine = (load + config + drop) / parse;
    println!("{engine:>10.2}{:>10.2}{:>10.1}", (load + config) / serde, held(files) as f64 / bytes as f64);
}

fn measure(files: &FileSet) -> Times {
    let mut times = [Duration::ZERO; STAGES.len()];
    let mut timed = |stage: usize, begun: Instant| {
        if let Some(time) = times.get_mut(stage) {
            *time = begun.elapsed();
        }
    };
    let begun = Instant::now();
    let forest = Forest::default();
    let mut out = Diagnostics::new();
    for file in files.files() {
        forest.parse_native(file.path.as_str(), file.bytes.clone(), &mut out);
    }
    timed(0, begun);
    drop(black_box((forest, out)));
    let request = request();
    let begun = Instant::now();
    let forest = Forest::default();
    let report = run(&forest, files, &request).unwrap();
    timed(1, begun);
    let begun = Instant::now();
    let config = answer(&report, AnswerOptions::default());
    timed(2, begun);
    let begun = Instant::now();
    black_box(answer(&report, objects()));
    timed(3, begun);
    let begun = Instant::now();
    drop(black_box(report));
    drop(black_box(forest));
    timed(4, begun);
    let begun = Instant::now();
    let value: serde_json::Value = serde_json::from_slice(&config).unwrap();
    black_box(serde_json::to_vec(&value).unwrap());
    timed(5, begun);
    times
}

/// Bytes that a report and its answer hold when both are finished.
fn held(files: &FileSet) -> u64 {
    let count = || allocatedp::read().unwrap().get().wrapping_sub(deallocatedp::read().unwrap().get());
    let before = count();
    let forest = Forest::default();
    let report = run(&forest, files, &request()).unwrap();
    let config = answer(&report, AnswerOptions::default());
    let held = count().wrapping_sub(before);
    drop(black_box(config));
    held
}

fn objects() -> AnswerOptions {
    AnswerOptions { include: Include { objects: true, ..Include::default() }, ..AnswerOptions::default() }
}

fn request() -> Request {
    Request {
        dialect: "terraform".to_owned(),
        version: None,
        root: String::new(),
        config_file: None,
        variables: None,
        expand: false,
        reveal_sensitive: false,
    }
}

/// The pinned modules, then made-up ones.
fn inputs() -> Vec<(&'static str, FileSet)> {
    let mut inputs: Vec<(&'static str, FileSet)> =
        ["eks", "vpc", "gke", "aks", "ecs-web-app"].map(|name| (name, folder(name))).into();
    for (name, size) in [("made-up 10k", 10_000), ("made-up 1m", 1_000_000)] {
        let over = "resource \"aws_instance\" \"service_0\" {\n  instance_type = \"t3.nano\"\n}\n";
        let files = vec![file("main.tf", configuration::native(size)), file("override.tf", over)];
        inputs.push((name, FileSet::new(files, Vec::new())));
    }
    inputs
}

fn folder(name: &str) -> FileSet {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/modules").join(name);
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let native = entries.filter(|path| path.extension().is_some_and(|end| end == "tf"));
    let files = native.map(|path| file(path.file_name().unwrap().to_str().unwrap(), fs::read(&path).unwrap()));
    FileSet::new(files.collect(), Vec::new())
}

fn file(path: &str, text: impl Into<Vec<u8>>) -> SourceFile {
    SourceFile { path: ModulePath::parse(path).unwrap(), bytes: Bytes::from(text.into()) }
}

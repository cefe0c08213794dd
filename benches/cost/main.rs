//! Checks that every operation charges what it costs: `cargo bench --profile measure --bench cost [-- PART OF A NAME…]`
//!
//! Every function of the table, every form of expression, every conversion and writer runs over values of all kinds in
//! growing sizes, each call on a separate account. A row is wrong if a call takes more processor time or more memory
//! than its charge allows, or charges many times what it takes. Exits with 1 if a row is wrong.
//!
//! A unit of `account::work` is supposed to be 50 ns. The bounds are wider, to allow for other machines and busy ones;
//! short calls are not judged.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::format_collect,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a measurement that cannot go on says so by panicking, and prints what it found"
)]

mod calls;
mod kinds;
mod measure;
mod others;

use std::collections::HashSet;
use std::process::ExitCode;
use std::time::Instant;

use measure::Sample;
use overfold_cli::account::Limits;

#[global_allocator]
static ALLOCATOR: overfold_cli::account::Allocator = overfold_cli::account::Allocator;

/// The maximum processor time per unit.
const NANOSECONDS_PER_UNIT: f64 = 250.0;
/// The minimum processor time per unit, if many are charged: anything less would refuse ordinary requests. Operations
/// that only copy bytes take little more.
const LEAST_NANOSECONDS_PER_UNIT: f64 = 0.5;
/// The maximum number of bytes allocated, whether freed or not, per byte charged.
const BYTES_PER_BYTE: f64 = 4.0;
/// The duration in nanoseconds below which calls are not judged as slow.
const SHORT: u64 = 20_000;
/// The number of units below which a call is not judged as overcharged, unless it took long.
const UNITS: u64 = 1_000_000;
/// The duration in nanoseconds above which a call took long.
const MUCH: u64 = 1_000_000;
/// Calls that are charged for their worst case.
const GENEROUS: &[&str] = &["regex", "replace(", "fileset("];
/// The number of allocated bytes below which memory is not judged: what is held at the end is also limited by the
/// allocator's own count.
const BYTES: u64 = 32 << 20;
/// The number of bytes per unit below which the account notices them in time when it checks the allocator.
const BYTES_PER_UNIT: u64 = 1024;
/// The duration in nanoseconds above which a call is not repeated with a larger value.
const LONG: u64 = 2_000_000;
/// The limits for one call.
const LIMITS: Limits = Limits { work: 4_000_000, memory: 1 << 30 };
/// The sizes: elements, bytes or digits.
const SIZES: [usize; 4] = [1, 1_000, 30_000, 1_000_000];

/// Returns the sizes to create for a kind with a largest size: that size, and all below it.
fn sizes(largest: usize) -> impl Iterator<Item = usize> {
    SIZES.into_iter().filter(move |size| *size < largest).chain([largest])
}

/// A sample and what it was taken from.
struct Row {
    name: String,
    kind: &'static str,
    size: usize,
    sample: Sample,
}

impl Row {
    fn is_slow(&self) -> bool {
        self.sample.nanoseconds >= SHORT && self.sample.per_unit() > NANOSECONDS_PER_UNIT
    }

    fn is_overcharged(&self) -> bool {
        let sample = self.sample;
        let much = sample.units >= UNITS || sample.nanoseconds >= MUCH;
        let generous = GENEROUS.iter().any(|name| self.name.contains(name));
        much && !generous && !sample.stopped && sample.per_unit() < LEAST_NANOSECONDS_PER_UNIT
    }

    fn is_heavy(&self) -> bool {
        let sample = self.sample;
        let between_looks = sample.taken / sample.units.max(1) > BYTES_PER_UNIT;
        sample.taken >= BYTES && between_looks && sample.per_byte() > BYTES_PER_BYTE
    }

    fn is_wrong(&self) -> bool {
        self.sample.panicked || self.is_slow() || self.is_overcharged() || self.is_heavy()
    }

    fn print(&self) {
        let Sample { nanoseconds, units, taken, charged, stopped, panicked } = self.sample;
        let what = [
            (panicked, "PANIC "),
            (self.is_slow(), "SLOW "),
            (self.is_overcharged(), "OVER "),
            (self.is_heavy(), "HEAVY "),
        ];
        let what: String = what.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
        println!(
            "{:<52.52} {:<24} {:>8} {nanoseconds:>11} {units:>9} {:>8.1} {taken:>11} {charged:>11} {:>6.1} {what}{}",
            self.name,
            self.kind,
            self.size,
            self.sample.per_unit(),
            self.sample.per_byte(),
            if stopped { "stopped" } else { "" },
        );
    }
}

/// Collects rows, and remembers which calls have become too slow to continue with.
struct Table {
    wanted: Vec<String>,
    ended: HashSet<(String, &'static str)>,
    rows: Vec<Row>,
    begun: Instant,
}

impl Table {
    /// Reports progress on standard error.
    fn begin(&mut self, part: &str) {
        eprintln!("{:>6.1} s, {:>6} rows: {part}", self.begun.elapsed().as_secs_f64(), self.rows.len());
    }

    /// Measures `job` unless it was too slow at a smaller size. If the result looks wrong, the job is measured again,
    /// and the minimum is used.
    fn add<T>(&mut self, name: &str, kind: &'static str, size: usize, job: impl Fn() -> T) {
        let matches = |text: &String| name.contains(text.as_str()) || kind.contains(text.as_str());
        let unwanted = !self.wanted.is_empty() && !self.wanted.iter().any(matches);
        if unwanted || self.ended.contains(&(name.to_owned(), kind)) {
            return;
        }
        let mut row = Row { name: name.to_owned(), kind, size, sample: measure::once(LIMITS, &job) };
        for _ in 0..if row.sample.nanoseconds > LONG * 5 { 2 } else { 6 } {
            if !row.is_slow() && !row.is_heavy() {
                break;
            }
            let again = measure::once(LIMITS, &job);
            row.sample.nanoseconds = row.sample.nanoseconds.min(again.nanoseconds);
            row.sample.taken = row.sample.taken.min(again.taken);
        }
        if row.sample.stopped || row.sample.panicked || row.sample.nanoseconds > LONG {
            self.ended.insert((row.name.clone(), kind));
        }
        self.rows.push(row);
    }

    /// Prints the results; returns whether nothing is wrong.
    fn report(mut self, whole: bool) -> bool {
        println!(
            "{:<52} {:<24} {:>8} {:>11} {:>9} {:>8} {:>11} {:>11} {:>6}",
            "call", "kind", "size", "ns", "units", "ns/unit", "taken", "charged", "bytes"
        );
        if whole {
            self.rows.iter().for_each(Row::print);
        }
        let count = self.rows.len();
        println!("\nSlowest for what they charge:");
        self.rows.sort_by(|a, b| b.sample.per_unit().total_cmp(&a.sample.per_unit()));
        self.rows.iter().filter(|row| row.sample.nanoseconds >= SHORT).take(15).for_each(Row::print);
        println!("\nMost memory for what they charge:");
        self.rows.sort_by(|a, b| b.sample.per_byte().total_cmp(&a.sample.per_byte()));
        self.rows.iter().filter(|row| row.sample.taken >= BYTES).take(15).for_each(Row::print);
        self.rows.retain(Row::is_wrong);
        self.rows.sort_by(|a, b| a.name.cmp(&b.name).then(a.kind.cmp(b.kind)).then(a.size.cmp(&b.size)));
        println!("\nWrong, of {count} rows: {}", self.rows.len());
        self.rows.iter().for_each(Row::print);
        self.rows.is_empty()
    }
}

fn main() -> ExitCode {
    // cargo adds `--bench`.
    let (options, wanted): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let mut table = Table { wanted, ended: HashSet::new(), rows: Vec::new(), begun: Instant::now() };
    // A panic message may be as long as the value.
    std::panic::set_hook(Box::new(|panic| eprintln!("a panic at {:?}", panic.location())));
    others::values(&mut table);
    others::literals(&mut table);
    others::requests(&mut table);
    let fine = table.report(options.iter().any(|option| option == "--all"));
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

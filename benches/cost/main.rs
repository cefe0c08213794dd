//! Does every operation charge what it costs? `cargo bench --profile measure --bench cost [-- PART OF A NAME…]`
//!
//! Every function of the table, every form of expression, every conversion and writer runs over values of every kind in
//! growing sizes, on an account of its own. A row is wrong when a call takes more processor time, or more memory, than
//! what it charged stands for, or charges many times what it takes. Exits with 1 when a row is wrong.
//!
//! A unit of `account::work` is meant to be 50 ns. Bounds are wider, for other machines and busy ones; what is short is
//! not looked at.

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
use overfold::account::Limits;

#[global_allocator]
static ALLOCATOR: overfold::account::Allocator = overfold::account::Allocator;

/// Processor time that one unit may take at most.
const NANOSECONDS_PER_UNIT: f64 = 250.0;
/// Processor time that one unit takes at least, where many are charged: otherwise usual requests are refused. What only
/// copies bytes takes little more.
const LEAST_NANOSECONDS_PER_UNIT: f64 = 0.5;
/// Bytes taken from the allocator, given back or not, for each byte charged.
const BYTES_PER_BYTE: f64 = 4.0;
/// Calls that are shorter, or charge less, are not judged.
const SHORT: u64 = 20_000;
/// Fewer units are not too many, unless much was done for them.
const UNITS: u64 = 1_000_000;
/// Calls that are longer have done much.
const MUCH: u64 = 1_000_000;
/// What is charged for the worst that may come of it.
const GENEROUS: &[&str] = &["regex", "replace(", "fileset("];
/// Less memory is not judged: what is held in the end is bounded by the allocator's own count, too.
const BYTES: u64 = 32 << 20;
/// Fewer bytes for each unit are seen in time when the account looks at the allocator.
const BYTES_PER_UNIT: u64 = 1024;
/// A call that takes longer is not made with a larger value.
const LONG: u64 = 2_000_000;
/// What one call may use.
const LIMITS: Limits = Limits { work: 4_000_000, memory: 1 << 30 };
/// Sizes: elements, bytes or digits.
const SIZES: [usize; 4] = [1, 1_000, 30_000, 1_000_000];

/// The sizes that are made of what has a largest one: that one, and all below.
fn sizes(largest: usize) -> impl Iterator<Item = usize> {
    SIZES.into_iter().filter(move |size| *size < largest).chain([largest])
}

/// A sample with what it is a sample of.
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

/// Collects rows; knows which ones have become too long to go on with.
struct Table {
    wanted: Vec<String>,
    ended: HashSet<(String, &'static str)>,
    rows: Vec<Row>,
    begun: Instant,
}

impl Table {
    /// Says on the error stream how far the work is.
    fn begin(&mut self, part: &str) {
        eprintln!("{:>6.1} s, {:>6} rows: {part}", self.begun.elapsed().as_secs_f64(), self.rows.len());
    }

    /// Measures `job` unless it was too long with a smaller size. What looks wrong is measured again: the shortest counts.
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

    /// Prints what was found; whether nothing is wrong.
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
    // What a panic says may be as long as the value.
    std::panic::set_hook(Box::new(|panic| eprintln!("a panic at {:?}", panic.location())));
    others::values(&mut table);
    others::literals(&mut table);
    others::requests(&mut table);
    let fine = table.report(options.iter().any(|option| option == "--all"));
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

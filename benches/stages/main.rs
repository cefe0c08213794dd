//! The cost of each part of the work on a request, on real and synthetic modules, in one run:
//! `cargo bench --bench stages`.
//!
//! Every time is the minimum of many runs, taken in turns so that a busy moment of the machine affects all parts alike.
//! Allocations are counted in a separate run. serde_json, the yardstick, is a separate program that takes its turn.
//!
//! - `-- --markdown` prints the tables of docs/speed.md, `-- --docs` writes them there.
//! - `-- --test` runs every part once and reports no times; module names select some of the modules.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on says so by panicking")]
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]
#![expect(clippy::cast_precision_loss, reason = "no figure has more than a few digits")]

mod http;
#[path = "../inputs/mod.rs"]
mod inputs;
mod parts;
mod recorder;
mod table;
mod yardstick;

use std::time::{Duration, Instant};

use counting::Counting;
use http::HttpClient;
use inputs::Input;
use overfold_cli::account::Allocator;
use overfold_cli::output::{AnswerOptions, answer};
use overfold_cli::pipeline::run;
use overfold_cli::syntax::Forest;
use parts::{Part, run_all};
use recorder::{Counter, Watch};
use table::Measured;
use yardstick::Yardstick;

#[global_allocator]
static ALLOCATOR: Counting<Allocator> = Counting(Allocator);

/// The time spent measuring one module.
const PATIENCE: Duration = Duration::from_secs(6);

fn main() {
    let (options, wanted): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    let asked = |option: &str| options.iter().any(|given| given == option);
    yardstick::build();
    let inputs = inputs::inputs().into_iter();
    let measured: Vec<Measured> = inputs
        .filter(|input| wanted.is_empty() || wanted.iter().any(|name| name == input.name))
        .map(|input| {
            let measured = measure(&input, if asked("--test") { 1 } else { 500 });
            println!("{}", table::plain(&measured));
            measured
        })
        .collect();
    if asked("--markdown") {
        println!("{}", table::markdown(&measured));
    }
    if asked("--docs") {
        table::put_into_document(&measured);
    }
}

fn measure(input: &Input, runs: u32) -> Measured {
    let forest = Forest::default();
    let config = answer(&run(&forest, &input.files, &inputs::request()).unwrap(), AnswerOptions::default());
    let mut yardstick = Yardstick::start(input.name, &config);
    let mut client = HttpClient::new(input);
    let mut watch = Watch::new();
    let begun = Instant::now();
    for done in 0..runs {
        run_all(input, &mut client, &mut watch);
        // Twice, since its first round finds the caches full of other data.
        for _ in 0..2 {
            watch.add(Part::Yardstick, yardstick.round());
        }
        if begun.elapsed() > PATIENCE && done > 10 {
            break;
        }
    }
    let mut counter = Counter::start();
    run_all(input, &mut client, &mut counter);
    Measured { name: input.name, bytes: input.bytes, times: watch.least, counts: counter.counts }
}

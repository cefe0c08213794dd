//! What the schemas of providers cost, in one run: `cargo bench --bench schemas`.
//!
//! The same plan is asked for without schemas, with those that the service keeps, and with the document in the request, per
//! byte of configuration and per instance; and what a document costs when it is first used. Every request is answered in
//! process, with all layers; every time is the minimum of many runs, taken in turns.
//!
//! The document has a provider with the size of the largest real ones, made here. With `OVERFOLD_SCHEMAS=DIR`, a folder with
//! `aws.json.xz` (what `terraform providers schema -json` prints for hashicorp/aws), that provider is measured, too.
//!
//! - `-- --docs` writes the tables of docs/speed.md; `-- --test` runs everything once and reports no times.
//! - `-- INPUT CASE RUNS` answers one request that often, for a profiler.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on says so by panicking")]
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]
#![expect(clippy::cast_precision_loss, reason = "no figure has more than a few digits")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock and writes files")]

mod made;
mod service;
mod table;

use std::path::Path;
use std::time::{Duration, Instant};

use made::{Configuration, Provider};
use overfold_cli::account::Allocator;
use service::{Case, Service};

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// The time spent measuring one configuration.
const PATIENCE: Duration = Duration::from_secs(12);

/// The times of one configuration, in the order of [`Case::ALL`].
pub(crate) struct Measured {
    pub(crate) provider: &'static str,
    pub(crate) configuration: Configuration,
    pub(crate) times: [Duration; Case::ALL.len()],
}

fn main() {
    let (options, wanted): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let asked = |option: &str| options.iter().any(|given| given == option);
    let mut providers = vec![Provider::made()];
    match std::env::var_os("OVERFOLD_SCHEMAS") {
        Some(folder) => providers.push(Provider::aws(Path::new(&folder))),
        None => println!("SKIPPED: hashicorp/aws, since OVERFOLD_SCHEMAS does not name a folder with aws.json.xz"),
    }
    if let [input, case, runs] = &*wanted {
        return repeat(&providers, input, case, runs.parse().unwrap());
    }
    let mut measured = Vec::new();
    for provider in &providers {
        for configuration in provider.configurations() {
            let found = measure(provider, configuration, asked("--test"));
            println!("{}", table::plain(&found));
            measured.push(found);
        }
    }
    if asked("--docs") {
        table::put_into_document(&measured);
    }
}

fn measure(provider: &Provider, configuration: Configuration, only_once: bool) -> Measured {
    let mut service = Service::new(provider, &configuration);
    let mut times = [Duration::MAX; Case::ALL.len()];
    let begun = Instant::now();
    loop {
        for (least, case) in times.iter_mut().zip(Case::ALL) {
            *least = (*least).min(service.ask(case));
        }
        if only_once || begun.elapsed() > PATIENCE {
            return Measured { provider: provider.name, configuration, times };
        }
    }
}

/// Answers one request many times.
fn repeat(providers: &[Provider], input: &str, case: &str, runs: u32) {
    let named = |provider: &Provider| {
        let name = provider.name;
        let found = provider.configurations().into_iter();
        found.map(move |configuration| (format!("{name}/{}", configuration.name), configuration)).collect::<Vec<_>>()
    };
    for provider in providers {
        for (name, configuration) in named(provider) {
            if name == input {
                let case = Case::ALL.into_iter().find(|known| known.name() == case).unwrap();
                let mut service = Service::new(provider, &configuration);
                let least = (0..runs).map(|_| service.ask(case)).min();
                println!("{name} {}: {least:?}", case.name());
            }
        }
    }
}

//! Coverage-guided fuzzing with libFuzzer. One program contains every target, so that it is built and linked once; the
//! environment variable `FUZZ_TARGET` selects the one to run. `fuzz/run` builds it, creates the corpus and starts it.
//!
//! A panic, an abort, a violated guarantee, or too much memory (`-rss_limit_mb`) or time (`-timeout`) ends the run, and
//! libFuzzer saves the input.

#![no_main]

mod http;
mod module;
mod parsers;

use std::sync::OnceLock;

#[global_allocator]
static ALLOCATOR: overfold_cli::account::Allocator = overfold_cli::account::Allocator;

type Target = fn(&[u8]);

/// The name and function of each target, as listed in `fuzz/run`.
const TARGETS: [(&str, Target); 14] = [
    ("native", parsers::native),
    ("json", parsers::json),
    ("hcl1", parsers::hcl1),
    ("tar", parsers::tar),
    ("tar-gz", parsers::tar_gz),
    ("tar-zst", parsers::tar_zst),
    ("zip", parsers::zip),
    ("form", http::form),
    ("body", http::body),
    ("query", http::query),
    ("module", module::module),
    ("type", module::type_constraint),
    ("expression", module::expression),
    ("values", module::values),
];

fn target() -> Target {
    static CHOSEN: OnceLock<Target> = OnceLock::new();
    *CHOSEN.get_or_init(|| {
        let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
        let found = TARGETS.iter().find(|(known, _)| *known == name);
        let known = TARGETS.map(|(name, _)| name).join(" ");
        found.unwrap_or_else(|| panic!("FUZZ_TARGET is {name:?}; known: {known}")).1
    })
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| target()(data));

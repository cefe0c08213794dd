//! Parsing native syntax to a tree, compared with hcl-edit on the same text in the same run:
//! `cargo bench --bench parse`.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on says so by panicking")]

use bytes::Bytes;
use divan::{Bencher, counter::BytesCount};
use overfold_cli::diag::Diagnostics;
use overfold_cli::syntax::{Forest, SyntaxLimits};

mod configuration;

#[global_allocator]
static ALLOCATOR: overfold_cli::account::Allocator = overfold_cli::account::Allocator;

const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];

fn main() {
    divan::main();
}

#[divan::bench(args = SIZES)]
fn overfold(bencher: Bencher<'_, '_>, size: usize) {
    let text = Bytes::from(configuration::native(size));
    bencher.counter(BytesCount::new(text.len())).bench(|| {
        let forest = Forest::new(SyntaxLimits::default());
        let mut out = Diagnostics::new();
        forest.parse_native("main.tf", text.clone(), &mut out);
        assert!(!out.has_errors());
        forest
    });
}

#[divan::bench(args = SIZES)]
fn hcl_edit(bencher: Bencher<'_, '_>, size: usize) {
    let text = configuration::native(size);
    bencher.counter(BytesCount::new(text.len())).bench(|| hcl_edit::parser::parse_body(&text).unwrap());
}

//! A whole answer, from files to bytes, compared with serde_json reading and writing the same bytes:
//! `cargo bench --bench answer`.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on says so by panicking")]

use divan::{Bencher, counter::BytesCount};
use overfold_cli::files::{FileSet, ModulePath, SourceFile};
use overfold_cli::output::{AnswerOptions, answer};
use overfold_cli::pipeline::{Request, run};
use overfold_cli::syntax::Forest;

mod configuration;

#[global_allocator]
static ALLOCATOR: overfold_cli::account::Allocator = overfold_cli::account::Allocator;

const SIZES: [usize; 2] = [10_000, 1_000_000];

fn main() {
    divan::main();
}

fn files(size: usize) -> FileSet {
    let file = |path: &str, text: String| SourceFile {
        path: ModulePath::parse(path).unwrap(),
        bytes: text.into_bytes().into(),
    };
    let over = "resource \"aws_instance\" \"service_0\" {\n  instance_type = \"t3.nano\"\n}\n".to_owned();
    FileSet::new(vec![file("main.tf", configuration::native(size)), file("override.tf", over)], Vec::new())
}

fn request() -> Request {
    Request::new("terraform")
}

#[divan::bench(args = SIZES)]
fn whole_answer(bencher: Bencher<'_, '_>, size: usize) {
    let (files, request) = (files(size), request());
    bencher
        .counter(BytesCount::new(size))
        .bench(|| answer(&run(&Forest::default(), &files, &request).unwrap(), AnswerOptions::default()));
}

#[divan::bench(args = SIZES)]
fn serde_json_round_trip(bencher: Bencher<'_, '_>, size: usize) {
    let bytes = answer(&run(&Forest::default(), &files(size), &request()).unwrap(), AnswerOptions::default());
    bencher.counter(BytesCount::new(size)).bench(|| {
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        serde_json::to_vec(&value).unwrap()
    });
}

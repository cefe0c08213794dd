//! serde_json reading the JSON of a file into a `Value` and writing it again. Each line on standard input runs one
//! round and prints its nanoseconds, so that the caller can alternate it with other work.

use std::hint::black_box;
use std::io::{BufRead as _, Write as _};
use std::time::Instant;

/// The same allocator as overfold's, since allocators are not what is compared.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let bytes = std::fs::read(path)?;
    for line in std::io::stdin().lock().lines() {
        line?;
        let begun = Instant::now();
        let value: serde_json::Value = serde_json::from_slice(&bytes)?;
        black_box(serde_json::to_vec(&value)?);
        drop(value);
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", begun.elapsed().as_nanos())?;
        out.flush()?;
    }
    Ok(())
}

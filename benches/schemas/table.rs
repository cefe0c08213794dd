//! The tables, as text and as Markdown.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::Measured;
use crate::service::Case;

/// Formats one configuration for the terminal.
pub(crate) fn plain(measured: &Measured) -> String {
    let Measured { provider, configuration, times } = measured;
    let (bytes, instances) = (configuration.bytes(), configuration.instances);
    let mut text = format!("{provider}/{}: {bytes} bytes, {instances} instances", configuration.name);
    for (case, time) in Case::ALL.into_iter().zip(times) {
        let _ = write!(
            text,
            "\n  {:<8}{:>9.2} ms{:>9.1} ns/byte{:>9.2} us/instance",
            case.name(),
            milliseconds(*time),
            time.as_nanos() as f64 / bytes as f64,
            time.as_nanos() as f64 / 1000.0 / instances as f64,
        );
    }
    text
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Formats the table of docs/speed.md.
fn markdown(all: &[Measured]) -> String {
    let mut text = String::from(
        "| Provider, configuration | Bytes | Instances | Without schemas, ms | Kept, ms | At the first use, ms | In the request, ms \
         | Without, ns/byte | Kept, ns/byte | Without, µs/instance | Kept, µs/instance |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for Measured { provider, configuration, times } in all {
        let (bytes, instances) = (configuration.bytes(), configuration.instances);
        let _ = write!(text, "| {provider}, {} | {bytes} | {instances} |", configuration.name);
        for time in times {
            let _ = write!(text, " {:.1} |", milliseconds(*time));
        }
        let [without, kept, ..] = times;
        for time in [without, kept] {
            let _ = write!(text, " {:.1} |", time.as_nanos() as f64 / bytes as f64);
        }
        for time in [without, kept] {
            let _ = write!(text, " {:.1} |", time.as_nanos() as f64 / 1000.0 / instances as f64);
        }
        text.push('\n');
    }
    text
}

const BEGIN: &str = "<!-- Written by `OVERFOLD_SCHEMAS=DIR cargo bench --bench schemas -- --docs`. -->\n";
const END: &str = "<!-- End of what is written about schemas. -->";

/// Writes the table between the two markers in docs/speed.md.
pub(crate) fn put_into_document(all: &[Measured]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/speed.md");
    let page = fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once(BEGIN).unwrap();
    let (_, tail) = rest.split_once(END).unwrap();
    fs::write(path, format!("{head}{BEGIN}\n{}\n{END}{tail}", markdown(all))).unwrap();
}

//! The tables, as text and as Markdown.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use counting::Counts;

use crate::parts::Part;

/// The measurements of one module.
pub(crate) struct Measured {
    pub(crate) name: &'static str,
    pub(crate) bytes: usize,
    pub(crate) times: [Duration; Part::COUNT],
    pub(crate) counts: [Counts; Part::COUNT],
}

impl Measured {
    /// Returns nanoseconds per byte of the module.
    fn time(&self, part: Part) -> f64 {
        let time = self.times.get(part as usize).copied().unwrap_or_default();
        time.as_nanos() as f64 / self.bytes as f64
    }

    fn counts(&self, part: Part) -> Counts {
        self.counts.get(part as usize).copied().unwrap_or_default()
    }

    /// Returns allocations per 1,024 bytes of the module.
    fn allocations(&self, part: Part) -> f64 {
        self.counts(part).calls as f64 * 1024.0 / self.bytes as f64
    }

    /// Returns peak bytes held per byte of the module.
    fn peak(&self, part: Part) -> f64 {
        self.counts(part).peak as f64 / self.bytes as f64
    }

    /// Returns the time for load, merge, checks and `config` relative to serde_json.
    fn to_yardstick(&self) -> f64 {
        let parts = [Part::Load, Part::Merge, Part::Checks, Part::Config];
        parts.iter().map(|part| self.time(*part)).sum::<f64>() / self.time(Part::Yardstick)
    }

    fn row(&self, part: Part) -> [String; 5] {
        let time = self.time(part);
        let elsewhere = matches!(part, Part::Http | Part::Yardstick);
        let counted = |figure: f64| if elsewhere { "–".to_owned() } else { format!("{figure:.1}") };
        [
            format!("{time:.2}"),
            format!("{:.2}", time / self.time(Part::Parse)),
            format!("{:.2}", time / self.time(Part::Yardstick)),
            counted(self.allocations(part)),
            counted(self.peak(part)),
        ]
    }
}

const COLUMNS: [&str; 5] = ["ns/byte", "× parse", "× serde_json", "allocations/KB", "peak bytes/byte"];

/// Formats one module for the terminal.
pub(crate) fn plain(measured: &Measured) -> String {
    let mut text = format!("{:<46}", format!("{}, {} bytes", measured.name, measured.bytes));
    for column in COLUMNS {
        let _ = write!(text, "{column:>17}");
    }
    for part in Part::ALL {
        let _ = write!(text, "\n  {:<44}", part.words());
        for cell in measured.row(*part) {
            let _ = write!(text, "{cell:>17}");
        }
    }
    let _ = writeln!(text, "\n  load to `config` against serde_json: {:.2}", measured.to_yardstick());
    text
}

/// Formats the tables of docs/speed.md.
pub(crate) fn markdown(all: &[Measured]) -> String {
    let mut text = String::from(
        "| Module | Bytes | Parse | Load | Merge and checks | Write `config` | Engine | Engine ÷ parse | Load to `config` ÷ serde_json | \
         Allocations/KB | Peak bytes/byte | Validate | Plan | Plan ÷ engine |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for one in all {
        let engine = one.time(Part::Engine);
        let _ = writeln!(
            text,
            "| {} | {} | {:.1} | {:.1} | {:.1} | {:.1} | {engine:.1} | {:.1} | {:.1} | {:.0} | {:.1} | {:.1} | {:.1} | {:.1} |",
            one.name,
            thousands(one.bytes),
            one.time(Part::Parse),
            one.time(Part::Load),
            one.time(Part::Merge) + one.time(Part::Checks),
            one.time(Part::Config),
            engine / one.time(Part::Parse),
            one.to_yardstick(),
            one.allocations(Part::Engine),
            one.peak(Part::Engine),
            one.time(Part::Validate),
            one.time(Part::Plan),
            one.time(Part::Plan) / engine,
        );
    }
    for one in all.iter().filter(|one| matches!(one.name, "eks" | "synthetic-1m")) {
        let _ = write!(
            text,
            "\n| {}, each part | {} |\n|{}\n",
            one.name,
            COLUMNS.join(" | "),
            " --- |".repeat(COLUMNS.len() + 1)
        );
        for part in Part::ALL {
            let _ = writeln!(text, "| {} | {} |", part.words(), one.row(*part).join(" | "));
        }
    }
    text
}

fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    groups.join(",")
}

const BEGIN: &str = "<!-- Written by `cargo bench --bench stages -- --docs`. -->\n";
const END: &str = "<!-- End of what is written. -->";

/// Writes the tables between the two markers in docs/speed.md.
pub(crate) fn put_into_document(all: &[Measured]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/speed.md");
    let page = fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once(BEGIN).unwrap();
    let (_, tail) = rest.split_once(END).unwrap();
    fs::write(path, format!("{head}{BEGIN}\n{}\n{END}{tail}", markdown(all))).unwrap();
}

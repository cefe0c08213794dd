//! Checks that the cost of an answer grows in proportion to the request:
//! `cargo bench --profile measure --bench growth [-- PART OF A NAME…]`.
//!
//! Each axis is a way for a module to grow: in bytes, files, overrides, arguments, blocks of many types, nesting,
//! errors. It is answered in growing sizes with everything an answer can contain; some axes are also answered in the
//! other forms of `config`, in the formats of diagnostics, as a difference, directory by directory, or with a plan. When
//! the size doubles, the cost per byte, without that of the smallest module of the axis, may grow by a factor of [`MAX`] in bytes allocated and in units of work charged, and by [`MAX_INSTRUCTIONS`] in
//! instructions if valgrind is installed. A unit of work may take [`MAX_PER_UNIT`] instructions; more have not been
//! charged. None of these depends on the machine. Exits with 1 if an axis grows faster, or is not charged.
//!
//! - `--sizes 64k,256k`: different sizes for allocations and units.
//! - `--instructions 8k,32k`: different sizes for instructions; `none` counts no instructions.
//! - `--full`: from 1 to 32 MB, and instructions from 256 KB to 1 MB. Nanoseconds are printed, too, but not judged.
//! - `--list`: only names.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a measurement that cannot go on says so by panicking, and prints what it found"
)]

mod blocks;
mod broken;
#[path = "../callgrind/mod.rs"]
mod callgrind;
mod dialects;
mod forms;
mod json;
mod lines;
mod make;
mod overrides;
mod paths;
mod plan;
mod requests;
mod trees;
mod validate;
mod variables;

use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use bytes::Bytes;
use counting::{Counting, count};
use make::Axis;
use overfold_cli::account::{self, Allocator, Cancel, Limits};
use overfold_cli::files::{FileSet, ModulePath, SourceFile};
use overfold_cli::output::{
    AnswerOptions, ConfigFormat, DiagnosticFormat, Difference, DifferenceForm, FORMATS, Include, PlanAnswerOptions,
    ReportOptions, RepositoryAnswer, Shape, answer, config_only, diagnostics_only, plan_answer,
};
use overfold_cli::pipeline::{Request, ToolStage, VariableInputs, run};
use overfold_cli::plan::PlanOptions;
use overfold_cli::repository;
use overfold_cli::schema::ProviderSchemas;
use overfold_cli::syntax::{Forest, SyntaxLimits};
use rustix::time::{ClockId, clock_gettime};

#[global_allocator]
static ALLOCATOR: Counting<Allocator> = Counting(Allocator);

/// The maximum growth of the cost per byte when the size doubles: sorting is logarithmic, and lists and tables double.
const MAX: f64 = 1.25;
/// The same for instructions, which grow evenly: the observed maximum is 3 % where a byte costs hundreds.
const MAX_INSTRUCTIONS: f64 = 1.1;
/// The number of instructions per byte below which [`MAX`] holds for them, too: where little else is done, sorting and
/// searching show.
const SOME_INSTRUCTIONS: f64 = 250.0;
/// The number of instructions per byte up to which growth is not judged.
const FEW_INSTRUCTIONS: f64 = 12.0;
/// The maximum number of instructions for a unit of work, of which an ordinary one takes a few hundred.
const MAX_PER_UNIT: f64 = 1600.0;
/// The units of work for each byte of a module that is validated.
const UNITS_PER_BYTE: u64 = 1024;
/// The number of processes that count instructions at the same time.
const PROCESSES: usize = 2;
/// The duration in nanoseconds above which an axis is not measured at larger sizes.
const LONG: u64 = 20_000_000_000;

/// The cost of one answer.
#[derive(Clone, Copy, Default)]
struct Sample {
    bytes: u64,
    allocated: u64,
    units: u64,
    nanoseconds: u64,
    instructions: u64,
}

/// An axis, and what is asked about it.
#[derive(Clone, Copy)]
struct Row {
    axis: &'static Axis,
    wanted: Wanted,
}

/// What an answer contains.
#[derive(Clone, Copy)]
enum Wanted {
    /// Everything about one module.
    Everything,
    /// The merged configuration in another form.
    Config(ConfigFormat),
    /// The diagnostics alone.
    Diagnostics(&'static DiagnosticFormat),
    /// The effect of the override files, as a difference.
    Difference(DifferenceForm),
    /// Everything about each directory.
    Recursive,
    /// What is wrong with the names and expressions of the tree below the module.
    Validation,
    /// What the tree below the module would create, with the origin of every argument.
    Plan,
    /// The merged configuration, with expressions replaced by their values, and the list of what was replaced.
    Resolved(ConfigFormat),
}

impl Wanted {
    /// Whether the whole tree below the module is looked at.
    fn is_of_the_tree(self) -> bool {
        matches!(self, Self::Validation | Self::Plan | Self::Resolved(_))
    }
}

impl Row {
    /// The name of the axis, and of what is asked.
    fn name(self) -> String {
        let what = match self.wanted {
            Wanted::Everything => return self.axis.name.to_owned(),
            Wanted::Config(ConfigFormat::TfJson) => "as tf-json",
            Wanted::Config(ConfigFormat::Hcl2Json) => "as hcl2json",
            Wanted::Config(ConfigFormat::Hcl) => "as hcl",
            Wanted::Config(ConfigFormat::Files) => "as files",
            Wanted::Diagnostics(format) => return format!("{} as {}", self.axis.name, format.name),
            Wanted::Difference(DifferenceForm::Json) => "as diff",
            Wanted::Difference(DifferenceForm::Markdown) => "as diff in Markdown",
            Wanted::Difference(DifferenceForm::Text) => "as diff in text",
            Wanted::Recursive => "by directory",
            Wanted::Validation => "validated",
            Wanted::Plan => "planned",
            Wanted::Resolved(ConfigFormat::Files) => "resolved as files",
            Wanted::Resolved(_) => "resolved",
        };
        format!("{} {what}", self.axis.name)
    }
}

/// Everything that is measured.
fn rows() -> impl Iterator<Item = Row> {
    let all = [
        blocks::BLOCKS,
        blocks::EXPRESSIONS,
        variables::VARIABLES,
        overrides::OVERRIDES,
        broken::BROKEN,
        json::JSON,
        dialects::OPENTOFU,
        dialects::TFLINT,
        dialects::SENTINEL,
        dialects::OLD,
        requests::JSON_BODIES,
        requests::TARS,
        lines::LINES,
        paths::IN_FUNCTIONS,
        trees::TREES,
        trees::PAIRS,
        trees::OPTION_LISTS,
    ];
    let of = |axes: &'static [Axis], wanted: Wanted| axes.iter().map(move |axis| Row { axis, wanted });
    // `hcl` is left out where its text is part of `hcl2json`.
    let forms = [ConfigFormat::Hcl2Json, ConfigFormat::Files].into_iter().flat_map(move |form| {
        let all = [blocks::BLOCKS, overrides::OVERRIDES, forms::FORMS, json::JSON, dialects::OLD, lines::LINES];
        all.into_iter().flat_map(move |axes| of(axes, Wanted::Config(form)))
    });
    let hcl = of(forms::FORMS, Wanted::Config(ConfigFormat::Hcl));
    let formats = FORMATS.iter().chain([DiagnosticFormat::text()]).enumerate();
    let formats =
        formats.filter(|(at, format)| *at < FORMATS.len() || FORMATS.iter().all(|one| one.name != format.name));
    let diagnostics = formats.flat_map(move |(_, format)| of(lines::FINDINGS, Wanted::Diagnostics(format)));
    let differences =
        [DifferenceForm::Json, DifferenceForm::Markdown, DifferenceForm::Text].into_iter().flat_map(move |form| {
            of(forms::FORMS, Wanted::Difference(form)).chain(of(lines::LINES, Wanted::Difference(form)))
        });
    let effects = of(overrides::OVERRIDES, Wanted::Difference(DifferenceForm::Json));
    let recursive = of(paths::DIRECTORIES, Wanted::Recursive);
    let validated = [
        validate::VALIDATION,
        validate::TREES,
        validate::PROVIDED,
        blocks::BLOCKS,
        blocks::EXPRESSIONS,
        variables::VARIABLES,
        overrides::OVERRIDES,
    ];
    let validated = validated.into_iter().flat_map(move |axes| of(axes, Wanted::Validation));
    let planned = [plan::PLANS, plan::STATES, validate::TREES, blocks::BLOCKS, blocks::EXPRESSIONS];
    let planned = planned.into_iter().flat_map(move |axes| of(axes, Wanted::Plan));
    let resolved = [ConfigFormat::TfJson, ConfigFormat::Files].into_iter().flat_map(move |form| {
        [plan::PLANS, blocks::EXPRESSIONS, overrides::OVERRIDES]
            .into_iter()
            .flat_map(move |axes| of(axes, Wanted::Resolved(form)))
    });
    let everything = all.into_iter().flat_map(move |axes| of(axes, Wanted::Everything));
    everything
        .chain(forms)
        .chain(hcl)
        .chain(diagnostics)
        .chain(differences)
        .chain(effects)
        .chain(recursive)
        .chain(validated)
        .chain(planned)
        .chain(resolved)
}

#[derive(Clone)]
struct Options {
    sizes: Vec<usize>,
    instructions: Vec<usize>,
    full: bool,
    /// Under callgrind: the number of this process, which handles its share of the axes, and the number of processes.
    child: Option<(usize, usize)>,
    list: bool,
    names: Vec<String>,
}

impl Options {
    fn of(arguments: impl Iterator<Item = String>) -> Self {
        let mut options = Self {
            sizes: vec![64 << 10, 256 << 10],
            instructions: vec![8 << 10, 32 << 10],
            full: false,
            child: None,
            list: false,
            names: Vec::new(),
        };
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                // cargo adds this option.
                "--bench" => {}
                "--full" => {
                    options.full = true;
                    options.sizes = (20..=25).map(|power| 1 << power).collect();
                    options.instructions = vec![256 << 10, 1 << 20];
                }
                "--child" => {
                    let number = arguments.next().and_then(|number| number.parse().ok());
                    options.child = number.map(|number| (number, PROCESSES));
                }
                "--list" => options.list = true,
                "--sizes" => options.sizes = sizes(&arguments.next().expect("sizes")),
                "--instructions" => options.instructions = sizes(&arguments.next().expect("sizes")),
                _ => options.names.push(argument),
            }
        }
        options
    }

    fn rows(&self) -> Vec<Row> {
        let wanted =
            |row: &Row| self.names.is_empty() || self.names.iter().any(|name| row.name().contains(name.as_str()));
        rows().filter(wanted).collect()
    }
}

/// Parses sizes such as `64k,1m`.
fn sizes(text: &str) -> Vec<usize> {
    let size = |text: &str| {
        let digits = text.trim_end_matches(['k', 'm']);
        let unit = if text.ends_with('m') {
            20
        } else if text.ends_with('k') {
            10
        } else {
            0
        };
        digits.parse::<usize>().expect("a size") << unit
    };
    if text == "none" { Vec::new() } else { text.split(',').map(size).collect() }
}

/// A module, or the bytes of a request.
enum Made {
    Module(FileSet),
    Request(Bytes),
}

/// Creates an axis in a given size, and returns its number of bytes.
fn make(axis: &Axis, size: usize) -> (Made, u64) {
    let made = (axis.make)(size);
    if [requests::JSON_BODY, requests::TAR].contains(&axis.dialect) {
        let body = requests::body(axis.dialect, &made);
        let bytes = body.len() as u64;
        return (Made::Request(body), bytes);
    }
    if axis.dialect == trees::OPTIONS {
        let body: Vec<u8> = made.into_iter().flat_map(|(_, text)| text.into_bytes()).collect();
        let bytes = body.len() as u64;
        return (Made::Request(body.into()), bytes);
    }
    let bytes = made.iter().map(|(path, text)| path.len() + text.len()).sum::<usize>() as u64;
    if made.iter().any(|(_, text)| text.starts_with(requests::LINK)) {
        return (Made::Module(requests::read_tar(&requests::body(requests::TAR, &made))), bytes);
    }
    let file = |(path, text): (String, String)| SourceFile {
        path: ModulePath::parse(&path).unwrap(),
        bytes: Bytes::from(text.into_bytes()),
    };
    (Made::Module(FileSet::new(made.into_iter().map(file).collect(), Vec::new())), bytes)
}

/// Reads the schemas of providers that an axis provides.
fn schemas(files: &FileSet) -> Option<Arc<ProviderSchemas>> {
    let document = files.get(validate::SCHEMAS)?;
    let text = String::from_utf8(document.bytes.to_vec()).unwrap();
    Some(Arc::new(ProviderSchemas::read(text).unwrap()))
}

/// A plan of everything that a growing module contains.
fn plan_options(files: &FileSet) -> PlanOptions {
    PlanOptions {
        unset_is_unknown: true,
        max_instances: usize::MAX,
        with_arguments: true,
        assumed: plan::assumed(files),
        module_sources: plan::module_sources(files),
        ..PlanOptions::default()
    }
}

/// Does all the work on a module, up to the bytes of its answer and including freeing the memory.
fn work(row: Row, made: &Made) {
    let axis = row.axis;
    let files = match made {
        Made::Module(files) => files,
        Made::Request(body) if axis.dialect == trees::OPTIONS => return trees::read_options(body),
        Made::Request(body) => return requests::decode(axis.dialect, body),
    };
    if [trees::TREE, trees::PAIR].contains(&axis.dialect) {
        return trees::answer(axis.dialect, files);
    }
    let request = Request {
        variables: (axis.dialect != "sentinel").then(|| VariableInputs::default().into()),
        expand: axis.dialect == "tflint",
        stage: if row.wanted.is_of_the_tree() { ToolStage::Validate } else { ToolStage::Load },
        provider_schemas: schemas(files),
        resolve: matches!(row.wanted, Wanted::Resolved(_)).then(|| plan_options(files).into()),
        plan: matches!(row.wanted, Wanted::Plan).then(|| plan_options(files).into()),
        ..Request::new(axis.dialect)
    };
    let include = Include { config: true, objects: true, variables: true, files: true, overrides: true };
    let everything = AnswerOptions { include, ..AnswerOptions::default() };
    let limits = SyntaxLimits { tokens: u32::MAX, name_bytes: u32::MAX, ..SyntaxLimits::default() };
    let forest = Forest::new(limits);
    let bytes = match row.wanted {
        Wanted::Everything => answer(&run(&forest, files, &request).unwrap(), everything),
        Wanted::Config(form) => config_only(&run(&forest, files, &request).unwrap(), form),
        Wanted::Diagnostics(format) => {
            format.write(&run(&forest, files, &request).unwrap(), &ReportOptions::default())
        }
        Wanted::Difference(form) => {
            let is_base = |file: &&SourceFile| !file.path.name().starts_with("override.");
            let base = FileSet::new(files.files().iter().filter(is_base).cloned().collect(), Vec::new());
            let other = Forest::new(limits);
            let (before, after) = (run(&other, &base, &request).unwrap(), run(&forest, files, &request).unwrap());
            Difference::of(&before, &after).write(form, [None, None])
        }
        Wanted::Validation => diagnostics_only(&run(&forest, files, &request).unwrap()),
        Wanted::Resolved(config_format) => {
            let include = Include { config: true, ..Include::default() };
            answer(&run(&forest, files, &request).unwrap(), AnswerOptions { include, config_format })
        }
        Wanted::Plan => {
            let include = PlanAnswerOptions { plan: true, instances: true };
            plan_answer(&run(&forest, files, &request).unwrap(), include)
        }
        Wanted::Recursive => {
            let request =
                repository::Request { module: request, paths: None, top: String::new(), prefix: String::new() };
            let mut answer = RepositoryAnswer::new(everything, Shape::Answer, true);
            let outcome =
                repository::run(files, &request, limits, &mut |_| {}, &mut |done| answer.take(done)).unwrap();
            answer.finish(&outcome)
        }
    };
    std::hint::black_box(bytes);
}

fn clock() -> u64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec.cast_unsigned() * 1_000_000_000 + now.tv_nsec.cast_unsigned()
}

fn sample(row: Row, size: usize) -> Sample {
    let (made, bytes) = make(row.axis, size);
    let begun = clock();
    let (units, counts) = count(|| charged(row, &made, bytes));
    Sample { bytes, allocated: counts.bytes, units, nanoseconds: clock() - begun, instructions: 0 }
}

/// Does the work within an account, and returns what was charged to it.
fn charged(row: Row, made: &Made, bytes: u64) -> u64 {
    let limits = match row.wanted {
        // Suggestions share a part of the request's work. Here that grows with the request, so that all that is searched
        // for similar names does not count as growth.
        wanted if wanted.is_of_the_tree() => {
            Limits { work: bytes.saturating_mul(UNITS_PER_BYTE).max(1 << 20), ..Limits::NONE }
        }
        _ => Limits::NONE,
    };
    account::open(limits, &Cancel::new(), || {
        work(row, made);
        account::spent().work
    })
    .expect("the limits are so high that nothing is stopped")
}

/// A metric that is counted.
struct Metric {
    name: &'static str,
    of: fn(&Sample) -> u64,
    /// The maximum growth factor; `None` if the metric is only printed.
    most: Option<f64>,
}

const METRICS: [Metric; 4] = [
    Metric { name: "bytes allocated", of: |sample| sample.allocated, most: Some(MAX) },
    Metric { name: "units", of: |sample| sample.units, most: Some(MAX) },
    Metric { name: "nanoseconds", of: |sample| sample.nanoseconds, most: None },
    Metric { name: "instructions", of: |sample| sample.instructions, most: Some(MAX_INSTRUCTIONS) },
];

/// Prints the cost per byte at each size; returns whether it grows no faster than allowed. The first sample is of the
/// smallest module, whose cost is subtracted from the others.
fn judge(row: Row, samples: &[Sample], metric: &Metric, full: bool) -> bool {
    let Some((least, samples)) = samples.split_first() else { return true };
    let per_byte = |sample: &Sample| {
        (metric.of)(sample).saturating_sub((metric.of)(least)) as f64 / (sample.bytes - least.bytes).max(1) as f64
    };
    let mut worst = 1.0_f64;
    for pair in samples.windows(2) {
        if let [small, large] = pair {
            let doublings = (large.bytes as f64 / small.bytes as f64).log2().max(1.0);
            // Instructions vary a little from run to run, with the seeds of hashes: what is small beside the cost of the
            // smallest module says nothing.
            let is_clear = (metric.of)(small) > (metric.of)(least) + (metric.of)(least) / 5;
            let (small, large) = (per_byte(small), per_byte(large));
            if metric.name != "instructions" || (is_clear && large > FEW_INSTRUCTIONS) {
                worst = worst.max((large / small.max(0.001)).powf(1.0 / doublings));
            }
        }
    }
    let is_small = metric.name == "instructions" && samples.iter().all(|sample| per_byte(sample) < SOME_INSTRUCTIONS);
    let fine = worst <= if is_small { MAX } else { metric.most.unwrap_or(MAX) };
    if full || (!fine && metric.most.is_some()) {
        print!("{:<46} {:<16}", row.name(), metric.name);
        for sample in samples {
            print!("{:>11.2}", per_byte(sample));
        }
        let word = match (fine, metric.most.is_some()) {
            (true, _) => "",
            (false, true) => "  GROWS",
            (false, false) => "  ?",
        };
        println!("  x{worst:.2}{word}");
    }
    fine || metric.most.is_none()
}

/// Whether the work on the largest module was charged. The first sample is of the smallest module.
fn is_charged(row: Row, samples: &[Sample], full: bool) -> bool {
    let (Some(least), Some(most)) = (samples.first(), samples.last()) else { return true };
    let instructions = most.instructions.saturating_sub(least.instructions) as f64;
    // What is done once with every byte of a body need not be charged: its size is limited.
    let units = most.units.saturating_sub(least.units) + (most.bytes - least.bytes) / 16;
    let each = instructions / units.max(1) as f64;
    let fine = each <= MAX_PER_UNIT;
    if full || !fine {
        println!(
            "{:<46} instructions for each unit: {each:.0}{}",
            row.name(),
            if fine { "" } else { "  NOT CHARGED" }
        );
    }
    fine
}

fn main() -> ExitCode {
    let options = Options::of(std::env::args().skip(1));
    if options.list {
        options.rows().iter().for_each(|row| println!("{} ({})", row.name(), row.axis.dialect));
        return ExitCode::SUCCESS;
    }
    // The stack is large enough for every stage, so none has to move to another.
    let work = move || match options.child {
        Some(share) => child(&options, share),
        None => parent(&options),
    };
    thread::Builder::new().stack_size(2 * overfold_cli::stack::REQUIRED).spawn(work).unwrap().join().unwrap()
}

/// Under callgrind: runs every axis in every size, the smallest first.
fn child(options: &Options, (number, of): (usize, usize)) -> ExitCode {
    for row in options.rows().into_iter().skip(number).step_by(of) {
        for size in [1].iter().chain(&options.instructions) {
            let (made, bytes) = make(row.axis, *size);
            if *size == 1 {
                // A first run, so that one-time work of the process is not counted.
                charged(row, &made, bytes);
            }
            callgrind::section(|| _ = std::hint::black_box(charged(row, &made, bytes)));
        }
    }
    ExitCode::SUCCESS
}

fn parent(options: &Options) -> ExitCode {
    let axes = options.rows();
    let mut wrong = 0;
    for &axis in &axes {
        sample(axis, 1);
        let mut samples = Vec::new();
        for size in [1].iter().chain(&options.sizes) {
            let sample = sample(axis, *size);
            samples.push(sample);
            if sample.nanoseconds > LONG {
                break;
            }
        }
        for metric in METRICS.iter().filter(|metric| metric.name != "instructions") {
            if !judge(axis, &samples, metric, options.full) {
                wrong += 1;
            }
        }
    }
    println!("{} axes in bytes allocated and units", axes.len());
    match judged_by_instructions(options, &axes) {
        Ok(again) if again.is_empty() => println!("{} axes in instructions", axes.len()),
        // Instructions vary with the seeds of hashes, and a few axes are near the limit: what fails is counted once more,
        // in other processes, and that counts.
        Ok(again) => {
            println!("{} axes in instructions; once more:", axes.len());
            let names = again.iter().map(|row| row.name()).collect();
            let once_more = Options { names, full: true, ..options.clone() };
            match judged_by_instructions(&once_more, &once_more.rows()) {
                // A name may be a part of another one, which was fine.
                Ok(failed) => wrong += failed.iter().filter(|row| once_more.names.contains(&row.name())).count(),
                Err(why) => println!("SKIPPED: instructions have NOT been counted: {why}"),
            }
        }
        Err(why) => println!("SKIPPED: instructions have NOT been counted: {why}"),
    }
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Counts the instructions of each axis, and returns those whose instructions grow, or were not charged.
fn judged_by_instructions(options: &Options, axes: &[Row]) -> Result<Vec<Row>, String> {
    let samples = instructions(options, axes)?;
    let metrics: Vec<_> = METRICS.iter().filter(|metric| metric.name == "instructions").collect();
    let is_wrong = |(row, samples): &(&Row, &Vec<Sample>)| {
        let is_charged = is_charged(**row, samples, options.full);
        metrics.iter().fold(!is_charged, |wrong, metric| !judge(**row, samples, metric, options.full) || wrong)
    };
    Ok(axes.iter().zip(&samples).filter(is_wrong).map(|(row, _)| *row).collect())
}

/// Returns samples of each axis that contain only instructions.
fn instructions(options: &Options, axes: &[Row]) -> Result<Vec<Vec<Sample>>, String> {
    if options.instructions.is_empty() {
        return Err("not asked for".to_owned());
    }
    if !callgrind::is_there() {
        return Err("valgrind is not installed".to_owned());
    }
    let sizes: Vec<String> = options.instructions.iter().map(usize::to_string).collect();
    let share = |number: usize| -> Result<Vec<u64>, String> {
        let mut arguments = ["--instructions".to_owned(), sizes.join(","), "--child".to_owned()].to_vec();
        arguments.push(number.to_string());
        arguments.extend(options.names.iter().cloned());
        callgrind::counts(&arguments)
    };
    let shares: Vec<_> = thread::scope(|scope| {
        let begun: Vec<_> = (0..PROCESSES)
            .map(|number| {
                scope.spawn({
                    let share = &share;
                    move || share(number)
                })
            })
            .collect();
        begun.into_iter().map(|share| share.join().unwrap()).collect::<Result<_, _>>()
    })?;
    let each = sizes.len() + 1;
    let row = |(number, axis): (usize, &Row)| {
        let counts = shares.get(number % PROCESSES).and_then(|share| share.chunks(each).nth(number / PROCESSES));
        let counts = counts.ok_or_else(|| format!("{}: callgrind has not counted it", axis.name()))?;
        let sizes = [1].into_iter().chain(options.instructions.iter().copied());
        let sample = |(size, count): (usize, &u64)| Sample { instructions: *count, ..sample(*axis, size) };
        Ok(sizes.zip(counts).map(sample).collect())
    };
    axes.iter().enumerate().map(row).collect()
}

//! The parts that are measured, and one run through all of them.

use std::hint::black_box;

use overfold_cli::account::{self, Cancel, Limits};
use overfold_cli::diag::Diagnostics;
use overfold_cli::output::ConfigFormat;
use overfold_cli::output::{
    AnswerOptions, Include, PlanAnswerOptions, answer, config_only, diagnostics_only, plan_answer,
};
use overfold_cli::pipeline::{Request, Stage, ToolStage, VariableInputs, run, run_watched};
use overfold_cli::syntax::native::count_tokens;
use overfold_cli::syntax::{Forest, Grammar, SyntaxLimits};

use crate::http::HttpClient;
use crate::inputs::{Input, objects, plan_request, request};
use crate::recorder::Recorder;

macro_rules! parts {
    ($($part:ident $words:literal,)*) => {
        /// A part of the work on a request, in the order of the table.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Part { $($part),* }

        impl Part {
            pub(crate) const ALL: &[Self] = &[$(Self::$part),*];
            pub(crate) const COUNT: usize = Self::ALL.len();

            pub(crate) const fn words(self) -> &'static str {
                match self { $(Self::$part => $words),* }
            }
        }
    };
}

parts! {
    Scan "scan",
    Parse "parse, scan included",
    Load "load: discover and decode, parse included",
    Merge "merge",
    Checks "early evaluation and checks",
    Config "write `config`",
    Hcl2Json "write `config` as hcl2json",
    Hcl "write `config` as hcl",
    Files "write `config` as files",
    Diagnostics "write diagnostics",
    DropReport "drop the report",
    DropForest "drop the trees",
    Engine "the engine: load to `config` and drop",
    Validate "the stage `validate`: names and expressions",
    Plan "a plan, from load to the document",
    Objects "write `objects`",
    Values "values of variables",
    Variables "write `variables`",
    JsonBody "decode a request, JSON",
    TarBody "decode a request, tar.gz",
    InProcess "whole request in process, JSON",
    InProcessTar "whole request in process, tar.gz",
    Http "whole request over HTTP, loopback",
    Yardstick "serde_json, `config` to `Value` and back",
}

/// Runs every part once, except the yardstick.
pub(crate) fn run_all(input: &Input, client: &mut HttpClient, recorder: &mut impl Recorder) {
    recorder.skip();
    for file in input.files.files() {
        black_box(count_tokens(&file.bytes, SyntaxLimits::default(), Grammar::default()));
    }
    recorder.lap(Part::Scan);
    let forest = Forest::default();
    let mut out = Diagnostics::new();
    for file in input.files.files() {
        forest.parse_native(file.path.as_str(), file.bytes.clone(), &mut out);
    }
    recorder.lap(Part::Parse);
    drop(black_box((forest, out)));
    stages(input, recorder);
    engine(input, recorder);
    validate(input, recorder);
    plan(input, recorder);
    values(input, recorder);
    client.decode(recorder);
    client.in_process(recorder);
    client.over_http(recorder);
}

fn stages(input: &Input, recorder: &mut impl Recorder) {
    let request = request();
    recorder.skip();
    let forest = Forest::default();
    let report = run_watched(&forest, &input.files, &request, &mut |stage| match stage {
        Stage::Load => recorder.skip(),
        Stage::Merge => recorder.lap(Part::Load),
        Stage::Checks => recorder.lap(Part::Merge),
        Stage::Variables => recorder.lap(Part::Checks),
        // Not asked for here, see `validate`.
        Stage::Validate | Stage::Plan => {}
    })
    .unwrap();
    recorder.skip();
    let config = config_only(&report, ConfigFormat::TfJson);
    recorder.lap(Part::Config);
    drop(black_box(config));
    let forms = [
        (Part::Hcl2Json, ConfigFormat::Hcl2Json),
        (Part::Hcl, ConfigFormat::Hcl),
        (Part::Files, ConfigFormat::Files),
    ];
    for (part, form) in forms {
        recorder.skip();
        let config = config_only(&report, form);
        recorder.lap(part);
        drop(black_box(config));
    }
    recorder.skip();
    let diagnostics = diagnostics_only(&report);
    recorder.lap(Part::Diagnostics);
    drop(black_box(diagnostics));
    recorder.skip();
    let objects = answer(&report, objects());
    recorder.lap(Part::Objects);
    drop(black_box(objects));
    recorder.skip();
    drop(black_box(report));
    recorder.lap(Part::DropReport);
    drop(black_box(forest));
    recorder.lap(Part::DropForest);
}

fn engine(input: &Input, recorder: &mut impl Recorder) {
    let request = request();
    recorder.skip();
    let forest = Forest::default();
    let report = run(&forest, &input.files, &request).unwrap();
    black_box(answer(&report, AnswerOptions::default()));
    drop(report);
    drop(forest);
    recorder.lap(Part::Engine);
}

/// A separate run, of which only the last stage is recorded.
fn validate(input: &Input, recorder: &mut impl Recorder) {
    let request = Request { stage: ToolStage::Validate, ..request() };
    let forest = Forest::default();
    // As in the service: suggestions share a part of the request's work, and the synthetic module has few names that exist.
    let limits = Limits::DEFAULT.for_files(input.bytes as u64);
    let report = account::open(limits, &Cancel::new(), || {
        run_watched(&forest, &input.files, &request, &mut |_| recorder.skip()).unwrap()
    });
    recorder.lap(Part::Validate);
    drop(black_box(report.unwrap()));
}

/// Everything that a plan needs.
fn plan(input: &Input, recorder: &mut impl Recorder) {
    let request = plan_request();
    let limits = Limits::DEFAULT.for_plan(input.bytes as u64);
    recorder.skip();
    let made = account::open(limits, &Cancel::new(), || {
        let forest = Forest::default();
        let report = run(&forest, &input.files, &request).unwrap();
        plan_answer(&report, PlanAnswerOptions::default())
    });
    recorder.lap(Part::Plan);
    drop(black_box(made.unwrap()));
}

/// A separate run, since values of variables cost something only if they are requested.
fn values(input: &Input, recorder: &mut impl Recorder) {
    let request = Request { variables: Some(VariableInputs::default().into()), ..request() };
    let forest = Forest::default();
    let report = run_watched(&forest, &input.files, &request, &mut |_| recorder.skip()).unwrap();
    recorder.lap(Part::Values);
    let include = Include { variables: true, ..Include::default() };
    recorder.skip();
    let variables = answer(&report, AnswerOptions { include, ..AnswerOptions::default() });
    recorder.lap(Part::Variables);
    drop(black_box(variables));
}

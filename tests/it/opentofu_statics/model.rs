//! A second implementation of the rules of opentofu.md, section 6, as plain as possible and as wasteful as the tool:
//! everything is recomputed for each use. It is compared with the product on small random modules with cycles, mistakes
//! and variables of every kind, for releases on both sides of each boundary.

use std::collections::HashMap;
use std::fmt::Write as _;

use overfold_cli::diag::{Origin, Severity};
use overfold_cli::files::{FileSet, ModulePath, SourceFile};
use overfold_cli::pipeline::{Report, Request, VariableArg, VariableInputs, run};
use overfold_cli::syntax::Forest;

type Release = (u32, u32, u32);

/// The line (0 for no position in a file) and the title.
type Found = (u32, String);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Plain,
    Sensitive,
    Ephemeral,
    NotConst,
    Const,
    Required,
    Misfit,
    ConstMisfit,
    NullNotNullable,
}

const KINDS: [Kind; 9] = [
    Kind::Plain,
    Kind::Sensitive,
    Kind::Ephemeral,
    Kind::NotConst,
    Kind::Const,
    Kind::Required,
    Kind::Misfit,
    Kind::ConstMisfit,
    Kind::NullNotNullable,
];

#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Text,
    Local(usize),
    Variable(usize),
    NoLocal,
    NoVariable,
    Resource,
    Output,
    ProviderFunction,
    NoFunction,
    NoPath,
    Reserved,
}

impl Part {
    fn text(&self) -> String {
        match self {
            Self::Text => "\"k\"".to_owned(),
            Self::Local(index) => format!("local.l{index}"),
            Self::Variable(index) => format!("var.v{index}"),
            Self::NoLocal => "local.none".to_owned(),
            Self::NoVariable => "var.none".to_owned(),
            Self::Resource => "x.y".to_owned(),
            Self::Output => "module.a.b".to_owned(),
            Self::ProviderFunction => "provider::a::b()".to_owned(),
            Self::NoFunction => "nothing()".to_owned(),
            Self::NoPath => "path.none".to_owned(),
            Self::Reserved => "template.x".to_owned(),
        }
    }
}

/// A string template with these parts.
type Text = Vec<Part>;

#[derive(Debug)]
struct Module {
    variables: Vec<Kind>,
    locals: Vec<Text>,
    /// The source and the version of each call.
    calls: Vec<(Text, Option<Text>)>,
    /// The `for_each` of provider configurations.
    for_each: Vec<Text>,
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn part(&mut self, locals: usize, variables: usize) -> Part {
        match self.below(20) {
            0..=9 => Part::Local(self.below(locals)),
            10..=14 if variables > 0 => Part::Variable(self.below(variables)),
            15 => [
                Part::NoLocal,
                Part::NoVariable,
                Part::Resource,
                Part::Output,
                Part::ProviderFunction,
                Part::NoFunction,
                Part::NoPath,
                Part::Reserved,
            ][self.below(8)]
            .clone(),
            _ => Part::Text,
        }
    }

    fn module(&mut self) -> Module {
        let (locals, variables) = (1 + self.below(6), self.below(5));
        let text = |dice: &mut Self, most: usize| -> Text {
            (0..=dice.below(most)).map(|_| dice.part(locals, variables)).collect()
        };
        Module {
            locals: (0..locals).map(|_| text(self, 2)).collect(),
            calls: (0..=self.below(3))
                .map(|_| {
                    let version = (self.below(5) < 2).then(|| text(self, 1));
                    (text(self, 2), version)
                })
                .collect(),
            for_each: (0..self.below(2)).map(|_| text(self, 2)).collect(),
            variables: (0..variables).map(|_| KINDS[self.below(KINDS.len())]).collect(),
        }
    }
}

/// The lines of the definitions.
#[derive(Default)]
struct Lines {
    variables: Vec<u32>,
    locals: Vec<u32>,
    sources: Vec<u32>,
    versions: Vec<u32>,
    for_each: Vec<u32>,
}

fn parts(text: &Text) -> String {
    text.iter().fold(String::new(), |mut out, part| {
        write!(out, "${{{}}}", part.text()).unwrap();
        out
    })
}

/// Writes the module as a file, and returns it with its lines and the options that give its variables their values.
fn write_out(module: &Module, release: Release) -> (String, Lines, Vec<VariableArg>) {
    let mut out = String::new();
    let mut line = 0;
    let mut add = |text: String| {
        out.push_str(&text);
        out.push('\n');
        line += 1;
        line
    };
    let mut lines = Lines::default();
    let mut options = Vec::new();
    for (index, kind) in module.variables.iter().enumerate() {
        lines.variables.push(add(format!("variable \"v{index}\" {{")));
        let rows: &[&str] = match kind {
            Kind::Sensitive => &["default = \"d\"", "sensitive = true"],
            Kind::Ephemeral if release >= (1, 11, 0) => &["default = \"d\"", "ephemeral = true"],
            Kind::NotConst if release >= (1, 12, 0) => &["default = \"d\"", "const = false"],
            Kind::Const if release >= (1, 12, 0) => &["default = \"d\"", "const = true"],
            Kind::Plain | Kind::Ephemeral | Kind::NotConst | Kind::Const => &["default = \"d\""],
            Kind::Required => &[],
            Kind::ConstMisfit if release >= (1, 12, 0) => &["type = number", "const = true"],
            Kind::Misfit | Kind::ConstMisfit => &["type = number"],
            Kind::NullNotNullable => &["type = list(string)", "nullable = false"],
        };
        for row in rows {
            add(format!("  {row}"));
        }
        add("}".to_owned());
        match kind {
            Kind::Misfit | Kind::ConstMisfit => options.push(VariableArg::Var(format!("v{index}=many"))),
            Kind::NullNotNullable => options.push(VariableArg::Var(format!("v{index}=null"))),
            _ => {}
        }
    }
    add("locals {".to_owned());
    for (index, text) in module.locals.iter().enumerate() {
        lines.locals.push(add(format!("  l{index} = \"z{}\"", parts(text))));
    }
    add("}".to_owned());
    for (index, (source, version)) in module.calls.iter().enumerate() {
        add(format!("module \"m{index}\" {{"));
        lines.sources.push(add(format!("  source = \"./{}\"", parts(source))));
        let version = version.as_ref().map(|version| add(format!("  version = \"1.{}\"", parts(version))));
        lines.versions.push(version.unwrap_or_default());
        add("}".to_owned());
    }
    for (index, text) in module.for_each.iter().enumerate() {
        add("provider \"p\" {".to_owned());
        add(format!("  alias = \"p{index}\""));
        lines.for_each.push(add(format!("  for_each = toset([\"z{}\"])", parts(text))));
        add("}".to_owned());
    }
    (out, lines, options)
}

/// The result of an evaluation: a value (`None` if there is none), marks, and what is reported.
#[derive(Default)]
struct Outcome {
    value: Option<Value>,
    sensitive: bool,
    ephemeral: bool,
    errors: Vec<Found>,
    warnings: Vec<Found>,
    /// Whether the errors occurred in evaluating the text itself.
    itself: bool,
}

enum Value {
    Known,
    Null,
}

impl Outcome {
    fn wrong(errors: Vec<Found>) -> Self {
        Self { errors, ..Self::default() }
    }
}

struct Model<'m> {
    module: &'m Module,
    lines: &'m Lines,
    release: Release,
    reported: Vec<Found>,
    warned: Vec<Found>,
}

fn found(line: u32, title: &str) -> Found {
    (line, title.to_owned())
}

fn unable(line: u32) -> Found {
    found(line, "Unable to compute static value")
}

impl Model<'_> {
    fn run(&mut self) {
        for (index, (source, version)) in self.module.calls.iter().enumerate() {
            if let Some(version) = version {
                let line = self.lines.versions[index];
                let outcome = self.text(version, line, line, &mut Vec::new(), false);
                if self.report(&outcome) {
                    // With or without a mark: letters after `1.` are not a valid constraint.
                    self.reported.push(found(line, "Invalid version constraint"));
                }
            }
            let line = self.lines.sources[index];
            let at_once = self.release < (1, 8, 3);
            let outcome = self.text(source, line, line, &mut Vec::new(), at_once);
            if !self.report(&outcome) {
                if at_once && outcome.itself {
                    self.reported.push(found(line, "Unsuitable value type"));
                }
            } else if outcome.sensitive {
                self.reported.push(found(line, "Sensitive value not allowed"));
            } else if outcome.ephemeral {
                self.reported.push(found(line, "Ephemeral value not allowed"));
            } else if version.is_some() {
                self.reported.push(found(line, "Invalid registry module source address"));
            }
        }
        for (index, for_each) in self.module.for_each.iter().enumerate() {
            let line = self.lines.for_each[index];
            if self.release < (1, 9, 0) {
                self.reported.push(found(line, "Reserved argument name in provider block"));
                continue;
            }
            let outcome = self.text(for_each, line, line, &mut Vec::new(), false);
            let wrong = found(line, "Invalid for_each argument");
            if self.report(&outcome) {
                self.reported.extend(outcome.sensitive.then(|| wrong.clone()));
                self.reported.extend(outcome.ephemeral.then(|| wrong.clone()));
            } else if outcome.itself && self.release >= (1, 10, 0) {
                self.reported.push(wrong);
            }
        }
        for index in 0..self.module.variables.len() {
            let constant = matches!(self.module.variables[index], Kind::Const | Kind::ConstMisfit);
            if constant && self.release >= (1, 12, 0) {
                let outcome = self.variable(index, 0, 0);
                self.report(&outcome);
            }
        }
    }

    /// Records the findings, and returns whether there is a value.
    fn report(&mut self, outcome: &Outcome) -> bool {
        self.reported.extend(outcome.errors.iter().cloned());
        self.warned.extend(outcome.warnings.iter().cloned());
        outcome.errors.is_empty()
    }

    /// Evaluates a text at `line` whose definition is at `own`; `way` holds the locals between here and the argument.
    fn text(&self, text: &Text, line: u32, own: u32, way: &mut Vec<usize>, stops: bool) -> Outcome {
        let mut errors = Vec::new();
        let mut never = Vec::new();
        for part in text {
            match part {
                Part::Reserved => errors.push(found(line, "Reserved symbol name")),
                Part::Resource => never.push(found(line, "Dynamic value in static context")),
                Part::Output => never.push(found(line, "Module output not supported in static context")),
                Part::ProviderFunction => never.push(found(line, "Provider function in static context")),
                _ => {}
            }
        }
        if stops && !errors.is_empty() {
            return Outcome::wrong(errors);
        }
        if !never.is_empty() {
            errors.extend(never);
            return Outcome::wrong(errors);
        }
        let mut outcome = Outcome::wrong(errors);
        let mut nulls = 0;
        for part in text {
            let used = match part {
                Part::NoLocal => Outcome::wrong(vec![found(line, "Undefined local")]),
                Part::NoVariable => Outcome::wrong(vec![found(line, "Undefined variable")]),
                Part::NoPath => Outcome::wrong(vec![found(line, "Invalid \"path\" attribute")]),
                Part::Variable(index) => self.variable(*index, line, own),
                Part::Local(index) if way.contains(index) => {
                    Outcome::wrong(vec![found(self.lines.locals[*index], "Circular reference")])
                }
                Part::Local(index) => {
                    let place = self.lines.locals[*index];
                    way.push(*index);
                    let mut used = self.text(&self.module.locals[*index], place, place, way, false);
                    way.pop();
                    if !used.errors.is_empty() {
                        used.errors.push(unable(own));
                    }
                    used
                }
                _ => continue,
            };
            nulls += usize::from(matches!(used.value, Some(Value::Null)));
            outcome.errors.extend(used.errors);
            outcome.warnings.extend(used.warnings);
            outcome.sensitive |= used.sensitive;
            outcome.ephemeral |= used.ephemeral;
        }
        if outcome.errors.is_empty() {
            for _ in 0..nulls {
                outcome.errors.push(found(line, "Invalid template interpolation value"));
            }
            for _ in text.iter().filter(|part| **part == Part::NoFunction) {
                outcome.errors.push(found(line, "Call to unknown function"));
            }
            outcome.itself = !outcome.errors.is_empty();
            outcome.value = outcome.errors.is_empty().then_some(Value::Known);
        }
        outcome
    }

    /// Evaluates a variable that the definition at `own` uses at `line`.
    fn variable(&self, index: usize, line: u32, own: u32) -> Outcome {
        let declared = self.lines.variables[index];
        let converted = self.release >= (1, 9, 0);
        let mut outcome = Outcome { value: Some(Value::Known), ..Outcome::default() };
        match self.module.variables[index] {
            Kind::NotConst if self.release >= (1, 12, 0) => {
                return Outcome::wrong(vec![found(line, "Unable to use variable in static context")]);
            }
            Kind::Required => {
                let title = if converted {
                    format!("Failed to request input from user for variable var.v{index}")
                } else {
                    "Variable not provided via -var, tfvars files, or env".to_owned()
                };
                return Outcome::wrong(vec![(declared, title), unable(own)]);
            }
            Kind::Misfit | Kind::ConstMisfit if converted => {
                return Outcome::wrong(vec![found(0, "Invalid value for input variable")]);
            }
            Kind::NullNotNullable if converted => {
                return Outcome::wrong(vec![found(declared, "Required variable not set"), unable(own)]);
            }
            Kind::NullNotNullable => outcome.value = Some(Value::Null),
            Kind::Sensitive if converted => outcome.sensitive = true,
            Kind::Sensitive if self.release >= (1, 8, 3) => {
                outcome.warnings.push(found(line, "Sensitive value used in static context"));
            }
            Kind::Ephemeral if self.release >= (1, 11, 0) => outcome.ephemeral = true,
            _ => {}
        }
        outcome
    }
}

fn report<'f>(forest: &'f Forest, text: &str, version: &str, args: Vec<VariableArg>) -> Report<'f> {
    let file = SourceFile { path: ModulePath::parse("main.tf").unwrap(), bytes: text.to_owned().into() };
    let request = Request {
        version: Some(version.to_owned()),
        variables: Some(VariableInputs { env: Vec::new(), args }.into()),
        reveal_sensitive: true,
        ..Request::new("opentofu")
    };
    run(forest, &FileSet::new(vec![file], Vec::new()), &request).unwrap()
}

fn count(found: impl IntoIterator<Item = Found>) -> HashMap<Found, usize> {
    found.into_iter().fold(HashMap::new(), |mut all, found| {
        *all.entry(found).or_default() += 1;
        all
    })
}

#[test]
fn random_modules_are_reported_as_the_model_says() {
    let versions = [
        ("1.8.2", (1, 8, 2)),
        ("1.8.11", (1, 8, 11)),
        ("1.9.4", (1, 9, 4)),
        ("1.10.10", (1, 10, 10)),
        ("1.11.14", (1, 11, 14)),
        ("1.12.6", (1, 12, 6)),
    ];
    let (mut circles, mut clean) = (0, 0);
    for seed in 0..1_500 {
        let mut dice = Dice(seed);
        let module = dice.module();
        let (version, release) = versions[dice.below(versions.len())];
        let (text, lines, options) = write_out(&module, release);
        let mut model = Model { module: &module, lines: &lines, release, reported: Vec::new(), warned: Vec::new() };
        model.run();
        let forest = Forest::default();
        let report = report(&forest, &text, version, options);
        // If nothing else is wrong, values are checked after this, by another stage.
        let of_this_stage = report.diagnostics.iter().filter(|found| !found.code.id.starts_with("variable/"));
        let place = |found: &overfold_cli::diag::Diagnostic| {
            let line = found.span.map_or(0, |span| report.forest.sources.position(span.source, span.start).line);
            (line, found.summary.clone().into_owned())
        };
        let by = |wanted: Severity| {
            let tool = of_this_stage.clone().filter(move |f| f.origin == Origin::Tool && f.severity == wanted);
            count(tool.map(place))
        };
        circles += usize::from(model.reported.iter().any(|(_, title)| title == "Circular reference"));
        clean += usize::from(model.reported.is_empty());
        assert_eq!(by(Severity::Error), count(model.reported), "seed {seed}, {version}:\n{text}");
        assert_eq!(by(Severity::Warning), count(model.warned), "seed {seed}, {version}:\n{text}");
    }
    assert!(circles > 100 && clean > 30, "too few of either kind: {circles} circles, {clean} clean");
}

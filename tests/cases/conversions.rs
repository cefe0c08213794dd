//! Converts generated values to generated types: the installed tool must convert each to the same value, or reject it
//! as we do. Runs only where `terraform` is installed, and is ignored unless requested: `cargo test --test cases --
//! --ignored`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use libtest_mimic::Failed;
use overfold_cli::output::{AnswerOptions, Include, answer};
use overfold_cli::pipeline::{Request, VariableInputs, run};
use overfold_cli::syntax::Forest;

use super::folder::file_set;
use super::json::Json;
use super::module_suites::EVERYTHING;
use super::real_tool::{terraform, trial, version};
use super::runner::Trial;
use super::values::same;

/// The number of conversions in one module.
const EACH: usize = 300;

/// Adds `count` trials of [`EACH`] conversions.
pub(crate) fn add(count: u64, trials: &mut Vec<Trial>) {
    for seed in 0..count {
        trials.push(trial(format!("real/conversion/{seed}"), true, move || check(seed, version())));
    }
}

struct Conversion {
    name: String,
    ty: String,
    value: String,
}

fn check(seed: u64, version: &str) -> Result<(), Failed> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d);
    let all: Vec<Conversion> = (0..EACH)
        .map(|at| {
            let ty = dice.ty(3);
            let value = if dice.below(3) == 0 { dice.value(3) } else { dice.value_of(&ty) };
            Conversion { name: format!("v{at}"), ty: ty.text(), value }
        })
        .collect();
    let ours = ours(&all, version)?;
    let refused = refused(&all)?;
    let taken: Vec<&Conversion> = all.iter().filter(|one| !refused.contains(&one.name)).collect();
    assert!(
        refused.len() > EACH / 10 && taken.len() > EACH / 3,
        "{} of {EACH} refused: the generator is unbalanced",
        refused.len()
    );
    let planned = planned(&taken)?;
    let mut wrong = String::new();
    for one in &all {
        let found = ours.get(&one.name);
        let (value, ty) = (found.get("value"), found.get("value_type"));
        let said = if refused.contains(&one.name) {
            (found.get("state").text() != "error").then(|| format!("refused by the tool; here {ty} {value}"))
        } else {
            // Each output is a one-element tuple, because a null output would not be shown.
            let output = planned.get(&one.name);
            let (Some(wanted), Some(wanted_ty)) = (
                output.get("value").items().first(),
                output.get("type").items().get(1).and_then(|ty| ty.items().first()),
            ) else {
                return Err(format!("no output {}", one.name).into());
            };
            let fits = found.get("state").text() == "known" && ty == wanted_ty && same(wanted, value, ty);
            (!fits).then(|| format!("- {wanted_ty} {wanted}\n  + {ty} {value}"))
        };
        if let Some(said) = said {
            write!(wrong, "\n{} for {}\n  {said}", one.value, one.ty)?;
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.into()) }
}

/// Returns the module and its definitions file, with one variable per line.
fn texts<'a>(all: impl Iterator<Item = &'a Conversion>) -> (String, String) {
    let (mut declarations, mut values) = (String::new(), String::new());
    for Conversion { name, ty, value } in all {
        writeln!(declarations, "variable \"{name}\" {{\n  type = {ty}\n}}").unwrap();
        writeln!(declarations, "output \"{name}\" {{\n  value = [var.{name}]\n}}").unwrap();
        writeln!(values, "{name} = {value}").unwrap();
    }
    (declarations, values)
}

fn ours(all: &[Conversion], version: &str) -> Result<Json, Failed> {
    let (declarations, values) = texts(all.iter());
    let files = file_set(&[
        ("main.tf".to_owned(), declarations.into_bytes()),
        ("terraform.tfvars".to_owned(), values.into_bytes()),
    ]);
    let request = Request {
        version: Some(version.to_owned()),
        variables: Some(VariableInputs::default().into()),
        ..Request::new("terraform")
    };
    let options = AnswerOptions { include: Include { variables: true, ..Include::default() }, ..EVERYTHING };
    let text = answer(&run(&Forest::default(), &files, &request)?, options);
    Ok(Json::parse(std::str::from_utf8(text.as_ref())?)?.get("module").get("variables").clone())
}

fn write<'a>(folder: &Path, all: impl Iterator<Item = &'a Conversion>) -> Result<(), Failed> {
    let (declarations, values) = texts(all);
    fs::write(folder.join("main.tf"), declarations)?;
    fs::write(folder.join("terraform.tfvars"), values)?;
    Ok(())
}

/// Returns the variables whose values the tool rejects; it reports the line of each.
fn refused(all: &[Conversion]) -> Result<BTreeSet<String>, Failed> {
    let folder = tempfile::tempdir()?;
    write(folder.path(), all.iter())?;
    let output = terraform(folder.path(), &["plan", "-input=false", "-refresh=false", "-lock=false", "-json"])?;
    let mut refused = BTreeSet::new();
    for line in std::str::from_utf8(&output.stdout)?.lines() {
        let line = Json::parse(line)?;
        let Some(diagnostic) = line.find("diagnostic") else { continue };
        let range = diagnostic.get("range");
        if diagnostic.get("summary").text() != "Invalid value for input variable"
            || range.get("filename").text() != "terraform.tfvars"
        {
            return Err(format!("not about a value: {diagnostic}").into());
        }
        let at: usize = range.get("start").get("line").to_string().parse()?;
        refused.insert(all[at - 1].name.clone());
    }
    Ok(refused)
}

fn planned(taken: &[&Conversion]) -> Result<Json, Failed> {
    let folder = tempfile::tempdir()?;
    write(folder.path(), taken.iter().copied())?;
    let output = terraform(folder.path(), &["plan", "-input=false", "-refresh=false", "-lock=false", "-out=plan"])?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let shown = terraform(folder.path(), &["show", "-json", "plan"])?;
    Ok(Json::parse(std::str::from_utf8(&shown.stdout)?.trim())?.get("planned_values").get("outputs").clone())
}

enum Ty {
    Word(&'static str),
    Collection(&'static str, Box<Ty>),
    Tuple(Vec<Ty>),
    /// For each attribute its name and its type, and if it is optional the default.
    Object(Vec<(&'static str, Ty, Option<&'static str>)>),
}

impl Ty {
    fn text(&self) -> String {
        match self {
            Self::Word(word) => (*word).to_owned(),
            Self::Collection(kind, of) => format!("{kind}({})", of.text()),
            Self::Tuple(items) => format!("tuple([{}])", items.iter().map(Self::text).collect::<Vec<_>>().join(", ")),
            Self::Object(attributes) => {
                let attributes = attributes.iter().map(|(name, ty, optional)| match optional {
                    None => format!("{name} = {}", ty.text()),
                    Some("") => format!("{name} = optional({})", ty.text()),
                    Some(default) => format!("{name} = optional({}, {default})", ty.text()),
                });
                format!("object({{{}}})", attributes.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

const NAMES: [&str; 3] = ["a", "b", "c"];

/// Pseudo-random numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % u64::try_from(sides).unwrap()).unwrap()
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn ty(&mut self, depth: usize) -> Ty {
        match self.below(if depth == 0 { 5 } else { 13 }) {
            at @ 0..5 => Ty::Word(["string", "number", "bool", "any", "string"][at]),
            5..10 => {
                let kind = self.of(&["list", "set", "map"]);
                Ty::Collection(kind, Box::new(self.ty(depth - 1)))
            }
            10 => Ty::Tuple((0..self.below(3)).map(|_| self.ty(depth - 1)).collect()),
            _ => {
                let count = self.below(4);
                let attribute = |name, dice: &mut Self| {
                    let ty = dice.ty(depth - 1);
                    let default = match (&ty, dice.below(3)) {
                        (_, 0) => None,
                        (Ty::Word("string"), 1) => Some("\"d\""),
                        (Ty::Word("number"), 1) => Some("\"7\""),
                        (Ty::Word("bool"), 1) => Some("true"),
                        (Ty::Collection("list" | "set", _), 1) => Some("[]"),
                        (Ty::Collection("map", _), 1) => Some("{}"),
                        _ => Some(""),
                    };
                    (name, ty, default)
                };
                Ty::Object(NAMES.iter().take(count).map(|name| attribute(*name, self)).collect())
            }
        }
    }

    fn scalar(&mut self) -> String {
        const SCALARS: [&str; 22] = [
            "\"a\"",
            "\"b\"",
            "\"true\"",
            "\"false\"",
            "\"1\"",
            "\"0\"",
            "\"1.50\"",
            "\"1e3\"",
            "\"\"",
            "\"-0\"",
            "\" 1\"",
            "\"0x1\"",
            "\"e\\u0301\"",
            "0",
            "1",
            "1.5",
            "-2",
            "1e21",
            "0.1",
            "true",
            "false",
            "null",
        ];
        self.of(&SCALARS).to_owned()
    }

    /// Returns any value.
    fn value(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 1 } else { 4 }) {
            0 | 1 => self.scalar(),
            2 => {
                let items: Vec<String> = (0..self.below(4)).map(|_| self.value(depth - 1)).collect();
                format!("[{}]", items.join(", "))
            }
            _ => {
                let count = self.below(4);
                let items: Vec<String> =
                    NAMES.iter().take(count).map(|name| format!("{name} = {}", self.value(depth - 1))).collect();
                format!("{{{}}}", items.join(", "))
            }
        }
    }

    /// Returns a value that is likely to fit the type.
    fn value_of(&mut self, ty: &Ty) -> String {
        if self.below(25) == 0 {
            return self.value(1);
        }
        match ty {
            Ty::Word("string") => self.scalar(),
            Ty::Word("number") => self.of(&["1", "\"1\"", "2.50", "\"1e3\"", "-0", "null", "\"-1.0\""]).to_owned(),
            Ty::Word("bool") => self.of(&["true", "false", "\"true\"", "\"0\"", "\"1\"", "null"]).to_owned(),
            Ty::Word(_) => self.value(2),
            Ty::Collection("map", of) => {
                let count = self.below(4);
                let items: Vec<String> =
                    NAMES.iter().take(count).map(|name| format!("{name} = {}", self.value_of(of))).collect();
                format!("{{{}}}", items.join(", "))
            }
            Ty::Collection(_, of) => {
                let items: Vec<String> = (0..self.below(4)).map(|_| self.value_of(of)).collect();
                format!("[{}]", items.join(", "))
            }
            Ty::Tuple(items) => {
                let items: Vec<String> = items.iter().map(|ty| self.value_of(ty)).collect();
                format!("[{}]", items.join(", "))
            }
            Ty::Object(attributes) => {
                let mut items = Vec::new();
                for (name, ty, optional) in attributes {
                    if optional.is_none() || self.below(2) == 0 {
                        items.push(format!("{name} = {}", self.value_of(ty)));
                    }
                }
                if self.below(6) == 0 {
                    items.push(format!("z = {}", self.value(1)));
                }
                format!("{{{}}}", items.join(", "))
            }
        }
    }
}

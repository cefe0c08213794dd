//! An answer as text: its findings, a line each, then the parts that a case shows.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// The width that a line of JSON should not exceed.
const WIDTH: usize = 116;

/// The parts of the module, which the request has to include.
const INCLUDED: [&str; 6] = ["config", "objects", "variables", "files", "overrides", "edits"];

/// What is shown of an answer: of findings `detail` and `address`, in addition to severity, code, place and title;
/// `ranges`, where parts of the answer are in their files; and members of the answer by their path, those of
/// the module without `module.`.
#[derive(Default)]
pub(super) struct Shown {
    detail: bool,
    address: bool,
    ranges: bool,
    paths: Vec<String>,
}

impl Shown {
    pub(super) fn of(names: Option<&Value>) -> Self {
        let mut shown = Self::default();
        for name in names.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            match name {
                "detail" => shown.detail = true,
                "address" => shown.address = true,
                "ranges" => shown.ranges = true,
                path => shown.paths.push(path.to_owned()),
            }
        }
        shown
    }

    /// Returns the parts of the module that are shown. A list of blocks is what its objects are.
    pub(super) fn included(&self) -> Vec<&str> {
        let roots = self.roots().into_iter().map(|(root, _)| if root == "content" { "objects" } else { root });
        roots.filter(|root| INCLUDED.contains(root)).collect()
    }

    /// Returns the members of the answer or its module that are shown, with the paths of what is shown of them.
    fn roots(&self) -> Vec<(&str, Vec<Vec<&str>>)> {
        let mut roots: Vec<(&str, Vec<Vec<&str>>)> = Vec::new();
        for path in &self.paths {
            let mut names = path.split('.');
            let root = names.next().unwrap_or_default();
            match roots.iter_mut().find(|(name, _)| *name == root) {
                Some((_, paths)) => paths.push(names.collect()),
                None => roots.push((root, vec![names.collect()])),
            }
        }
        roots
    }
}

/// Returns what is left of a value if only these paths are shown; `*` is any name or index.
fn projected(value: &Value, paths: &[Vec<&str>]) -> Option<Value> {
    if paths.iter().any(Vec::is_empty) {
        return Some(value.clone());
    }
    let below = |name: &str| -> Vec<Vec<&str>> {
        let paths = paths.iter().filter(|path| path[0] == "*" || path[0] == name);
        paths.map(|path| path[1..].to_vec()).collect()
    };
    match value {
        Value::Object(members) => {
            let mut kept = Map::new();
            for (name, member) in members {
                let paths = below(name);
                if let Some(member) = projected(member, &paths).filter(|_| !paths.is_empty()) {
                    kept.insert(name.clone(), member);
                }
            }
            (!kept.is_empty()).then_some(Value::Object(kept))
        }
        Value::Array(items) => {
            let paths = below("*");
            (!paths.is_empty())
                .then(|| items.iter().map(|item| projected(item, &paths).unwrap_or_default()).collect())
        }
        _ => None,
    }
}

/// Returns the lines of an answer; of JSON on one line each in a table.
pub(super) fn render(status: u16, answer: &Value, shown: &Shown, in_table: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if status != 200 {
        let mut line = format!("status {status} {}", answer["code"].as_str().unwrap_or_default());
        for name in ["pointer", "option", "detail"] {
            if let Some(text) = answer[name].as_str().filter(|_| name != "detail" || shown.detail) {
                write!(line, " {name}: {text}").expect("writing to a string never fails");
            }
        }
        lines.push(line.trim_end().to_owned());
    }
    let findings = answer["diagnostics"].as_array().into_iter().flatten();
    lines.extend(findings.filter_map(|found| finding(found, shown)));
    for (root, paths) in shown.roots() {
        let module = answer.get("module").filter(|module| module.get(root).is_some());
        let value = module.unwrap_or(answer).get(root).and_then(|value| projected(value, &paths));
        let Some(value) = value.map(|value| shortened(&value, shown)) else { continue };
        let written = if in_table { spaced(&value) } else { fitted(&value, root.len() + 2, 0) };
        lines.push(format!("{root}: {written}"));
    }
    lines
}

/// Returns `SEVERITY CODE PLACE: TITLE -> OTHER PLACES`; what the tool does not report is marked.
fn finding(found: &Value, shown: &Shown) -> Option<String> {
    let text = |name: &str| found.get(name)?.as_str();
    let mut line = format!("{} {}", text("severity")?, text("code")?);
    let summary = text("summary")?;
    match text("origin")? {
        "tool" => {}
        origin => write!(line, " ({origin})").ok()?,
    }
    if let Some(place) = place(&found["range"]) {
        write!(line, " {place}").ok()?;
    }
    if let Some(address) = text("address").filter(|_| shown.address) {
        write!(line, " [{address}]").ok()?;
    }
    write!(line, ": {summary}").ok()?;
    for related in found["related"].as_array().into_iter().flatten() {
        write!(line, " -> {}", place(&related["range"]).unwrap_or_default()).ok()?;
    }
    if let Some(detail) = text("detail").filter(|_| shown.detail) {
        write!(line, " — {}", detail.replace('\n', "\\n")).ok()?;
    }
    Some(line)
}

/// Returns `FILE:LINE:COLUMN-COLUMN`, or `FILE:LINE:COLUMN-LINE:COLUMN`.
fn place(range: &Value) -> Option<String> {
    let number = |end: &str, unit: &str| range.get(end)?.get(unit)?.as_u64();
    let (line, last) = (number("start", "line")?, number("end", "line")?);
    let end = if line == last { String::new() } else { format!("{last}:") };
    let name = range.get("filename")?.as_str()?;
    Some(format!("{name}:{line}:{}-{end}{}", number("start", "column")?, number("end", "column")?))
}

/// Returns a value with findings and places as text. Places are left out unless they are shown.
fn shortened(value: &Value, shown: &Shown) -> Value {
    match value {
        Value::Object(members) => match (place(value), finding(value, shown)) {
            (Some(text), _) | (None, Some(text)) => text.into(),
            (None, None) => {
                let kept = members.iter().filter(|(_, member)| shown.ranges || !is_of_places(member));
                Value::Object(
                    kept.map(|(name, member)| (name.clone(), shortened(member, shown))).collect::<Map<_, _>>(),
                )
            }
        },
        Value::Array(items) => items.iter().map(|item| shortened(item, shown)).collect(),
        other => other.clone(),
    }
}

fn is_of_places(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty() && items.iter().all(|item| place(item).is_some()),
        other => place(other).is_some(),
    }
}

fn sorted(members: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut members: Vec<_> = members.iter().collect();
    members.sort_unstable_by_key(|(name, _)| *name);
    members
}

/// Returns JSON text on one line.
fn spaced(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let part =
                |(name, member): (&String, &Value)| format!("{}: {}", Value::from(name.as_str()), spaced(member));
            format!("{{{}}}", sorted(members).into_iter().map(part).collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// Returns JSON text in lines that are filled up to a width; `used` characters precede it.
fn fitted(value: &Value, used: usize, depth: usize) -> String {
    let plain = spaced(value);
    if used + plain.chars().count() <= WIDTH {
        return plain;
    }
    let indent = "  ".repeat(depth + 1);
    let (open, parts, close): (_, Vec<String>, _) = match value {
        Value::Object(members) if !members.is_empty() => {
            let part = |(name, member): (&String, &Value)| {
                let name = Value::from(name.as_str()).to_string();
                let written = fitted(member, indent.len() + name.chars().count() + 2, depth + 1);
                format!("{name}: {written}")
            };
            ('{', sorted(members).into_iter().map(part).collect(), '}')
        }
        Value::Array(items) if !items.is_empty() => {
            ('[', items.iter().map(|item| fitted(item, indent.len() + 1, depth + 1)).collect(), ']')
        }
        _ => return plain,
    };
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut().filter(|line| !line.contains('\n') && !part.contains('\n')) {
            Some(line) if indent.len() + line.chars().count() + part.chars().count() + 3 <= WIDTH => {
                line.push_str(", ");
                line.push_str(&part);
            }
            _ => lines.push(part),
        }
    }
    let between = format!(",\n{indent}");
    format!("{open}\n{indent}{}\n{}{close}", lines.join(&between), "  ".repeat(depth))
}

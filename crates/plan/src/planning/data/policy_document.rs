//! The data source `aws_iam_policy_document`, which contacts no API: its `json` is computed from its arguments alone,
//! as hashicorp/aws 6.47 does (plan.md, section 5).
//!
//! What the provider refuses, and what depends on the order in which it keeps a set, has no answer here.

use std::collections::BTreeMap;

use foldhash::{HashMap, HashSet};
use overfold_base::account::{self, ChargedIterator};
use overfold_eval::write_json_text;
use overfold_value::{Type, Value, convert};
use serde_json::Value as Json;

/// What the data source computes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PolicyDocument {
    /// The policy on several lines: `json`.
    pub(super) json: String,
    /// The policy on one line: `minified_json`.
    pub(super) minified: String,
    /// The checksum of `json`: `id`.
    pub(super) id: String,
}

/// Returns the policy that these arguments describe. They must be known and without marks, and have the types of the
/// schema. `None` if the provider would refuse them, or if its result cannot be told.
pub(super) fn policy_document(arguments: &Value) -> Option<PolicyDocument> {
    let mut policy = Policy::default();
    let mut sids = HashSet::default();
    for source in strings(arguments.get("source_policy_documents")?)? {
        let source = Policy::parse(&source)?;
        if !source.statements.iter().all(|statement| statement.sid.is_empty() || sids.insert(statement.sid.clone())) {
            return None;
        }
        policy.merge(source);
    }
    policy.merge(Policy::configured(arguments)?);
    for over in strings(arguments.get("override_policy_documents")?)? {
        policy.merge(Policy::parse(&over)?);
    }
    let tree = policy.tree();
    let (mut json, mut minified) = (String::new(), String::new());
    tree.write(&mut json, Some(0));
    tree.write(&mut minified, None);
    let id = crc32fast::hash(json.as_bytes()).to_string();
    Some(PolicyDocument { json, minified, id })
}

/// The version of a policy that names none.
pub(super) const DEFAULT_VERSION: &str = "2012-10-17";
/// The version in which policies have no variables.
const OLD_VERSION: &str = "2008-10-17";

#[derive(Default)]
struct Policy {
    version: String,
    id: String,
    statements: Vec<Statement>,
    /// The positions of the statements with a name, as far as others have been merged.
    by_sid: HashMap<String, usize>,
}

#[derive(Default)]
struct Statement {
    sid: String,
    effect: String,
    /// Those that are given, by the name of the property: `Action` and so on.
    lists: [Option<OneOrMany>; 4],
    principals: [Option<Principals>; 2],
    conditions: Conditions,
}

/// The names of [`Statement::lists`] and [`Statement::principals`] in a policy and as arguments.
const LISTS: [(&str, &str); 4] = [
    ("Action", "actions"),
    ("NotAction", "not_actions"),
    ("Resource", "resources"),
    ("NotResource", "not_resources"),
];
const PRINCIPALS: [(&str, &str); 2] = [("Principal", "principals"), ("NotPrincipal", "not_principals")];

/// The values of conditions, by test and variable.
type Conditions = BTreeMap<String, BTreeMap<String, Vec<String>>>;
/// Who a statement is about, by type.
type Principals = BTreeMap<String, OneOrMany>;

#[derive(Clone)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    /// Returns the values of a set of strings: a single one, or all in descending order.
    fn from_set(mut values: Vec<String>) -> Self {
        match <[String; 1]>::try_from(values) {
            Ok([only]) => Self::One(only),
            Err(all) => {
                values = all;
                account::work(values.len() as u64 * 8);
                values.sort_unstable_by(|a, b| b.cmp(a));
                Self::Many(values)
            }
        }
    }

    fn tree(&self) -> PolicyJson<'_> {
        match self {
            Self::One(value) => PolicyJson::Text(value),
            Self::Many(values) => PolicyJson::List(values.iter().map(|value| PolicyJson::Text(value)).collect()),
        }
    }
}

impl Policy {
    /// Returns the policy of the arguments themselves.
    fn configured(arguments: &Value) -> Option<Self> {
        let version = text(arguments.get("version")?)?.unwrap_or_else(|| DEFAULT_VERSION.to_owned());
        if !matches!(&*version, OLD_VERSION | DEFAULT_VERSION) {
            return None;
        }
        let id = text(arguments.get("policy_id")?)?.unwrap_or_default();
        let mut sids = HashSet::default();
        let mut statements = Vec::new();
        for block in arguments.get("statement")?.items() {
            let statement = Statement::configured(block, &version)?;
            if !statement.sid.is_empty() && !sids.insert(statement.sid.clone()) {
                return None;
            }
            account::push(&mut statements, statement);
        }
        Some(Self { version, id, statements, ..Self::default() })
    }

    /// Reads a policy in JSON. Names of properties count in any case, as in Go.
    fn parse(text: &str) -> Option<Self> {
        account::touch(text.len() * 4);
        account::grow(text.len() as u64 * 4);
        let document: Json = serde_json::from_str(text).ok()?;
        let mut policy = Self::default();
        for (name, value) in document.as_object()? {
            if name.eq_ignore_ascii_case("Version") {
                policy.version = string(value)?;
            } else if name.eq_ignore_ascii_case("Id") {
                policy.id = string(value)?;
            } else if name.eq_ignore_ascii_case("Statement") && !value.is_null() {
                policy.statements = value.as_array()?.iter().map(Statement::parse).collect::<Option<_>>()?;
            }
        }
        Some(policy)
    }

    /// Adds another policy: a statement replaces an earlier one with the same `Sid`.
    fn merge(&mut self, other: Self) {
        if !other.id.is_empty() {
            self.id = other.id;
        }
        if other.version > self.version {
            self.version = other.version;
        }
        for statement in other.statements.charged(8) {
            let place = self.by_sid.get(&statement.sid).and_then(|&at| self.statements.get_mut(at));
            if let Some(place) = place {
                *place = statement;
                continue;
            }
            if !statement.sid.is_empty() {
                self.by_sid.insert(statement.sid.clone(), self.statements.len());
            }
            self.statements.push(statement);
        }
    }

    fn tree(&self) -> PolicyJson<'_> {
        let mut members = Vec::new();
        push_text(&mut members, "Version", &self.version);
        push_text(&mut members, "Id", &self.id);
        if !self.statements.is_empty() {
            members.push(("Statement", PolicyJson::List(self.statements.iter().map(Statement::tree).collect())));
        }
        PolicyJson::Object(members)
    }
}

impl Statement {
    fn configured(block: &Value, version: &str) -> Option<Self> {
        account::work(32);
        let part = |name: &str| block.get(name);
        let effect = text(part("effect")?)?.unwrap_or_else(|| "Allow".to_owned());
        if !matches!(&*effect, "Allow" | "Deny") {
            return None;
        }
        let sid = text(part("sid")?)?.unwrap_or_default();
        if !sid.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let mut statement = Self { sid, effect, ..Self::default() };
        for (place, (_, argument)) in statement.lists.iter_mut().zip(LISTS) {
            let values = strings(part(argument)?)?;
            if values.is_empty() {
                continue;
            }
            let values = if argument.ends_with("resources") { with_variables(values, version)? } else { values };
            *place = Some(OneOrMany::from_set(values));
        }
        for (place, (_, argument)) in statement.principals.iter_mut().zip(PRINCIPALS) {
            let mut principals = Principals::new();
            for block in part(argument)?.items() {
                account::work(8);
                let identifiers = with_variables(strings(block.get("identifiers")?)?, version)?;
                let of_type = text(block.get("type")?)?.unwrap_or_default();
                // The identifiers of blocks of one type come in the order of a set that is not known here.
                if principals.insert(of_type, OneOrMany::from_set(identifiers)).is_some() {
                    return None;
                }
            }
            *place = (!principals.is_empty()).then_some(principals);
        }
        for block in part("condition")?.items() {
            account::work(8);
            let values = with_variables(strings(block.get("values")?)?, version)?;
            let test = text(block.get("test")?)?.unwrap_or_default();
            let variable = text(block.get("variable")?)?.unwrap_or_default();
            if statement.conditions.entry(test).or_default().insert(variable, values).is_some() {
                return None;
            }
        }
        Some(statement)
    }

    fn parse(value: &Json) -> Option<Self> {
        account::work(32);
        let mut statement = Self::default();
        for (name, value) in value.as_object()? {
            let is = |other: &str| name.eq_ignore_ascii_case(other);
            if value.is_null() {
                continue;
            }
            if is("Sid") {
                statement.sid = string(value)?;
            } else if is("Effect") {
                statement.effect = string(value)?;
            } else if is("Condition") {
                statement.conditions = conditions(value)?;
            } else if let Some(at) = LISTS.iter().position(|(property, _)| is(property)) {
                *statement.lists.get_mut(at)? = Some(one_or_many(value)?);
            } else if let Some(at) = PRINCIPALS.iter().position(|(property, _)| is(property)) {
                *statement.principals.get_mut(at)? = Some(principals(value)?);
            }
        }
        Some(statement)
    }

    fn tree(&self) -> PolicyJson<'_> {
        let mut members = Vec::new();
        push_text(&mut members, "Sid", &self.sid);
        push_text(&mut members, "Effect", &self.effect);
        for (list, (property, _)) in self.lists.iter().zip(LISTS) {
            members.extend(list.as_ref().map(|list| (property, list.tree())));
        }
        for (principals, (property, _)) in self.principals.iter().zip(PRINCIPALS) {
            let shown = principals.as_ref().filter(|principals| !principals.is_empty());
            members.extend(shown.map(|principals| (property, principals_tree(principals))));
        }
        if !self.conditions.is_empty() {
            members.push(("Condition", conditions_tree(&self.conditions)));
        }
        PolicyJson::Object(members)
    }
}

/// Everyone, of every type, is a text; everyone of a type is not the same to every service.
fn principals_tree(principals: &Principals) -> PolicyJson<'_> {
    let everyone = |identifiers: &OneOrMany| match identifiers {
        OneOrMany::One(only) => only == "*",
        OneOrMany::Many(all) => matches!(&**all, [only] if only == "*"),
    };
    if principals.len() == 1 && principals.get("*").is_some_and(everyone) {
        return PolicyJson::Text("*");
    }
    PolicyJson::Object(principals.iter().map(|(of_type, identifiers)| (&**of_type, identifiers.tree())).collect())
}

/// A single value is not written as a list.
fn conditions_tree(conditions: &Conditions) -> PolicyJson<'_> {
    let mut tests = Vec::with_capacity(conditions.len());
    for (test, variables) in conditions {
        let mut members = Vec::with_capacity(variables.len());
        for (variable, values) in variables {
            account::work(8);
            let values = match &**values {
                [only] => PolicyJson::Text(only),
                values => PolicyJson::List(values.iter().map(|value| PolicyJson::Text(value)).collect()),
            };
            members.push((&**variable, values));
        }
        tests.push((&**test, PolicyJson::Object(members)));
    }
    PolicyJson::Object(tests)
}

fn push_text<'t>(members: &mut Vec<(&'t str, PolicyJson<'t>)>, name: &'t str, value: &'t str) {
    if !value.is_empty() {
        members.push((name, PolicyJson::Text(value)));
    }
}

/// Returns a string; `None` for anything else, `Some(None)` for null and for the empty string, which the provider takes for
/// an argument that is not set.
#[expect(clippy::option_option, reason = "what is not set is not what cannot be told")]
fn text(value: &Value) -> Option<Option<String>> {
    if value.is_null() {
        return Some(None);
    }
    let text = convert(value, &Type::String).ok()?.as_text()?.to_owned();
    account::touch(text.len());
    account::grow(text.len() as u64);
    Some(Some(text).filter(|text| !text.is_empty()))
}

/// Returns the strings of a list or a set; none for null. `None` if one is null.
fn strings(value: &Value) -> Option<Vec<String>> {
    if value.is_null() {
        return Some(Vec::new());
    }
    value
        .items()
        .iter()
        .map(|item| (!item.is_null()).then(|| text(item)).flatten().map(Option::unwrap_or_default))
        .collect()
}

/// Writes variables of the policy language, `&{…}`, as they are meant. `None` if the version has none.
fn with_variables(values: Vec<String>, version: &str) -> Option<Vec<String>> {
    let replaced = |value: String| {
        account::touch(value.len());
        match value.contains("&{") {
            false => Some(value),
            true if version == OLD_VERSION => None,
            true => Some(value.replace("&{", "${")),
        }
    };
    values.into_iter().map(replaced).collect()
}

/// Returns a string of a policy in JSON; the empty one for null.
fn string(value: &Json) -> Option<String> {
    if value.is_null() { Some(String::new()) } else { value.as_str().map(str::to_owned) }
}

fn list(values: &[Json]) -> Option<Vec<String>> {
    account::work(values.len() as u64);
    values.iter().map(|value| value.as_str().map(str::to_owned)).collect()
}

/// Reads what stays as it is written.
fn one_or_many(value: &Json) -> Option<OneOrMany> {
    match value {
        Json::String(only) => Some(OneOrMany::One(only.clone())),
        Json::Array(values) => list(values).map(OneOrMany::Many),
        _ => None,
    }
}

/// Reads principals: a text stands for everyone, and lists are sorted.
fn principals(value: &Json) -> Option<Principals> {
    match value {
        Json::String(_) => Some([("*".to_owned(), OneOrMany::Many(vec!["*".to_owned()]))].into()),
        Json::Object(types) => {
            let read = |(of_type, value): (&String, &Json)| {
                let identifiers = match one_or_many(value)? {
                    OneOrMany::Many(mut values) => {
                        account::work(values.len() as u64 * 8);
                        values.sort_unstable_by(|a, b| b.cmp(a));
                        OneOrMany::Many(values)
                    }
                    one @ OneOrMany::One(_) => one,
                };
                Some((of_type.clone(), identifiers))
            };
            types.iter().map(read).collect()
        }
        _ => None,
    }
}

/// Reads conditions. A number is none.
fn conditions(value: &Json) -> Option<Conditions> {
    let mut conditions = Conditions::new();
    for (test, variables) in value.as_object()? {
        for (variable, values) in variables.as_object()? {
            account::work(8);
            let values = match values {
                Json::String(only) => vec![only.clone()],
                Json::Bool(only) => vec![only.to_string()],
                Json::Array(values) => list(values)?,
                Json::Null | Json::Number(_) | Json::Object(_) => continue,
            };
            conditions.entry(test.clone()).or_default().insert(variable.clone(), values);
        }
    }
    Some(conditions)
}

/// A policy as JSON whose members keep their order.
enum PolicyJson<'t> {
    Text(&'t str),
    List(Vec<PolicyJson<'t>>),
    Object(Vec<(&'t str, PolicyJson<'t>)>),
}

impl PolicyJson<'_> {
    /// Appends the JSON: on one line, or indented by two spaces for each level from this one on.
    fn write(&self, out: &mut String, level: Option<usize>) {
        match self {
            PolicyJson::Text(text) => write_json_text(text, out),
            PolicyJson::List(items) => {
                let parts = items.iter().map(|item| move |out: &mut String, level| item.write(out, level));
                enclosed(out, ['[', ']'], parts, level);
            }
            PolicyJson::Object(members) => {
                let parts = members.iter().map(|(name, value)| {
                    move |out: &mut String, level: Option<usize>| {
                        write_json_text(name, out);
                        out.push_str(if level.is_some() { ": " } else { ":" });
                        value.write(out, level);
                    }
                });
                enclosed(out, ['{', '}'], parts, level);
            }
        }
    }
}

/// Appends parts between brackets; none are written as `[]` or `{}`.
fn enclosed<P: FnOnce(&mut String, Option<usize>)>(
    out: &mut String,
    [open, close]: [char; 2],
    parts: impl ExactSizeIterator<Item = P>,
    level: Option<usize>,
) {
    let is_empty = parts.len() == 0;
    let deeper = level.map(|level| level + 1);
    let line = |out: &mut String, level: Option<usize>| {
        if let Some(level) = level.filter(|_| !is_empty) {
            account::grow(level as u64 * 2 + 1);
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", level));
        }
    };
    out.push(open);
    for (at, part) in parts.enumerate() {
        account::work(1);
        if at > 0 {
            out.push(',');
        }
        line(out, deeper);
        part(out, deeper);
    }
    line(out, level);
    out.push(close);
}

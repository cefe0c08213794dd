//! Writes recorded plans again: a plan is made from a recorded document, without any evaluation, and the document that is
//! written from it has to be the recorded one, except for the part `configuration`. What the document does not tell of a
//! value, its type above all, is guessed.

use std::sync::Arc;

use libtest_mimic::Failed;
use overfold_cli::output::{PlanAnswerOptions, plan_answer};
use overfold_cli::pipeline::{ToolStage, run};
use overfold_cli::plan::{
    Action, AttributeStep, Change, CheckStatus, CheckedInstance, CheckedKind, CheckedObject, InstanceKey,
    ModuleAddress, ModuleStep, Plan, PlannedOutput, PlannedResource, PlannedVariable, RelevantAttribute,
    ResourceMode,
};
use overfold_cli::syntax::Forest;
use overfold_cli::value::{AttributeType, Marks, Number, Type, Value, convert};

use super::folder::{Case, names, read};
use super::json::Json;
use super::module_suites::request_at;
use super::plan::{SUITES, document};
use super::runner::Trial;
use super::validate::outcome;

/// Adds one trial for each case with a plan.
pub(crate) fn add(trials: &mut Vec<Trial>) {
    for suite in SUITES {
        for name in names(suite) {
            trials.push(Trial::test(format!("written/{suite}/{name}"), move || writes(&read(suite, &name))));
        }
    }
}

fn writes(case: &Case) -> Result<(), Failed> {
    let Some(expected) = case.expected.find("plan") else { return Ok(()) };
    let forest = Forest::default();
    let mut report = run(&forest, &case.file_set(), &request_at(case, ToolStage::Load))?;
    report.plan = Some(plan(expected));
    let bytes = plan_answer(&report, PlanAnswerOptions { plan: true, instances: true });
    let answer = Json::parse(std::str::from_utf8(&bytes)?)?;
    let mut wrong = Vec::new();
    document(expected, answer.get("plan"), &["configuration"], &mut wrong);
    outcome(case, &wrong)
}

fn plan(document: &Json) -> Plan {
    let mut prior = Vec::new();
    in_modules(document.get("prior_state").get("values").get("root_module"), &mut prior);
    let mut planned = Vec::new();
    in_modules(document.get("planned_values").get("root_module"), &mut planned);
    let changes = document.get("resource_changes").items();
    let address = |resource: &Json| resource.get("address").text().to_owned();
    let mut resources: Vec<PlannedResource> = changes
        .iter()
        .map(|found| {
            let mut resource = resource(found, &module_of(found.find("module_address")));
            resource.change = change(found);
            let in_tree = planned.iter().find(|(_, planned)| address(planned) == address(found));
            resource.schema_version = schema_version(in_tree.expect("a planned resource").1);
            let before = prior.iter().find(|(_, prior)| address(prior) == address(found));
            resource.change.prior = before.map(|(_, prior)| value_of(prior));
            let needs = before.map(|(_, prior)| prior.get("depends_on").items()).unwrap_or_default();
            resource.change.depends_on = needs.iter().map(|address| address.text().into()).collect();
            resource
        })
        .collect();
    for (place, (module, read)) in prior.iter().enumerate() {
        if changes.iter().all(|change| address(change) != address(read)) {
            let mut resource = resource(read, module);
            resource.schema_version = schema_version(read);
            resource.change.action = Action::AlreadyRead;
            resource.change.after = value_of(read);
            resource.change.prior = Some(value_of(read));
            // It comes before those that follow it there.
            let follows = |other: &PlannedResource| {
                prior.iter().skip(place + 1).any(|(_, later)| address(later) == other.address())
            };
            let at = resources.iter().position(follows).unwrap_or(resources.len());
            resources.insert(at, resource);
        }
    }
    Plan {
        provider_schemas: std::collections::BTreeMap::new(),
        variables: document
            .get("variables")
            .properties()
            .iter()
            .map(|(name, given)| PlannedVariable {
                name: name.as_str().into(),
                value: value(given.find("value"), &NOT, &NOT),
            })
            .collect(),
        outputs: outputs(document),
        resources,
        checks: document.get("checks").items().iter().map(checked).collect(),
        relevant_attributes: document.get("relevant_attributes").items().iter().map(relevant).collect(),
        configuration: overfold_cli::plan::configuration::Configuration::default(),
        timestamp: None,
        errored: document.get("errored") == &Json::Bool(true),
        missing: Vec::new(),
        emulated: Vec::new(),
        origins: None,
    }
}

static NOT: Json = Json::Bool(false);

/// Returns a value from its JSON form and its masks.
fn value(known: Option<&Json>, unknown: &Json, sensitive: &Json) -> Value {
    if sensitive == &Json::Bool(true) {
        return value(known, unknown, &NOT).with_marks(Marks::SENSITIVE);
    }
    if unknown == &Json::Bool(true) {
        return Value::unknown(match sensitive {
            Json::Array(_) => Type::list(Type::String),
            Json::Object(_) => Type::map(Type::String),
            _ => Type::String,
        });
    }
    let at = |mask: &Json, at: usize| match mask {
        Json::Array(items) => items.get(at).cloned().unwrap_or(NOT.clone()),
        _ => NOT.clone(),
    };
    match known {
        None | Some(Json::Null) => Value::untyped_null(),
        Some(Json::Bool(value)) => Value::bool(*value),
        Some(Json::Number(number)) => {
            Value::number(Number::parse(&Json::Number(number.clone()).to_string()).expect("a number"))
        }
        Some(Json::Text(text)) => Value::text(text),
        Some(Json::Array(items)) => {
            let items = items.iter().enumerate();
            Value::tuple(items.map(|(i, item)| value(Some(item), &at(unknown, i), &at(sensitive, i))).collect())
        }
        Some(Json::Object(entries)) => {
            let hidden = match unknown {
                Json::Object(mask) => mask.keys().filter(|name| !entries.contains_key(*name)).collect(),
                _ => Vec::new(),
            };
            let names = entries.keys().chain(hidden);
            Value::object(
                names
                    .map(|name| {
                        let mask = |mask: &Json| mask.find(name).cloned().unwrap_or(NOT.clone());
                        let entry = value(entries.get(name), &mask(unknown), &mask(sensitive));
                        (Arc::from(name.as_str()), entry)
                    })
                    .collect(),
            )
        }
    }
}

/// Returns the object of a resource in a state.
fn value_of(resource: &Json) -> Value {
    value(resource.find("values"), &NOT, resource.get("sensitive_values"))
}

/// Returns the resources of a module and those below it.
fn in_modules<'j>(module: &'j Json, out: &mut Vec<(ModuleAddress, &'j Json)>) {
    let address = module_of(module.find("address"));
    out.extend(module.get("resources").items().iter().map(|resource| (address.clone(), resource)));
    for child in module.get("child_modules").items() {
        in_modules(child, out);
    }
}

/// Reads `module.a["k"].module.b`.
fn module_of(address: Option<&Json>) -> ModuleAddress {
    let mut rest = address.map_or("", Json::text);
    let mut steps = Vec::new();
    while let Some(step) = rest.strip_prefix("module.") {
        let end = step.find(['.', '[']).unwrap_or(step.len());
        let (name, after) = step.split_at(end);
        let mut key = None;
        rest = after;
        if let Some(text) = after.strip_prefix("[\"") {
            // The recorded keys of modules need no escapes.
            let (text, after) = text.split_once("\"]").expect("the end of a key");
            key = Some(InstanceKey::Text(text.into()));
            rest = after;
        } else if let Some(number) = after.strip_prefix('[') {
            let (number, after) = number.split_once(']').expect("the end of a key");
            key = Some(InstanceKey::Number(number.parse().expect("a number")));
            rest = after;
        }
        rest = rest.strip_prefix('.').unwrap_or(rest);
        steps.push(ModuleStep { name: name.into(), key });
    }
    assert!(rest.is_empty(), "the address of a module was expected, not {address:?}");
    ModuleAddress(steps.into())
}

fn key(key: &Json) -> Option<InstanceKey> {
    match key {
        Json::Null => None,
        Json::Text(text) => Some(InstanceKey::Text(text.as_str().into())),
        number => Some(InstanceKey::Number(number.to_string().parse().expect("a number"))),
    }
}

fn mode(mode: &Json) -> ResourceMode {
    if mode.text() == "data" { ResourceMode::Data } else { ResourceMode::Managed }
}

fn schema_version(resource: &Json) -> u64 {
    resource.get("schema_version").to_string().parse().expect("a whole number")
}

fn resource(found: &Json, module: &ModuleAddress) -> PlannedResource {
    PlannedResource {
        module: module.clone(),
        mode: mode(found.get("mode")),
        type_name: found.get("type").text().into(),
        name: found.get("name").text().into(),
        key: key(found.get("index")),
        provider_name: found.get("provider_name").text().into(),
        schema_version: 0,
        unset: Vec::new().into(),
        planned: None,
        change: Change {
            action: Action::NoOp,
            before: None,
            after: Value::untyped_null(),
            replace_paths: Vec::new(),
            importing: None,
            reason: None,
            prior: None,
            depends_on: Vec::new().into(),
        },
        arguments: Vec::new().into(),
        needs: Vec::new().into(),
    }
}

fn change(found: &Json) -> Change {
    let change = found.get("change");
    let actions: Vec<&str> = change.get("actions").items().iter().map(Json::text).collect();
    let before = change.get("before");
    let paths = change.get("replace_paths").items().iter();
    Change {
        action: match actions.as_slice() {
            ["no-op"] => Action::NoOp,
            ["create"] => Action::Create,
            ["update"] => Action::Update,
            ["delete", "create"] => Action::Replace,
            ["create", "delete"] => Action::ReplaceAfterCreation,
            ["read"] => Action::Read,
            other => panic!("unknown actions {other:?}"),
        },
        before: (before != &Json::Null).then(|| value(Some(before), &NOT, change.get("before_sensitive"))),
        after: value(change.find("after"), change.get("after_unknown"), change.get("after_sensitive")),
        replace_paths: paths.map(|path| path.items().iter().map(|step| step.text().into()).collect()).collect(),
        importing: change.find("importing").map(|importing| value(importing.find("id"), &NOT, &NOT)),
        reason: match found.find("action_reason").map(Json::text) {
            None => None,
            Some("read_because_config_unknown") => Some("read_because_config_unknown"),
            Some("read_because_dependency_pending") => Some("read_because_dependency_pending"),
            Some("read_because_check_nested") => Some("read_because_check_nested"),
            Some("replace_because_cannot_update") => Some("replace_because_cannot_update"),
            Some("replace_by_triggers") => Some("replace_by_triggers"),
            Some(other) => panic!("unknown reason {other}"),
        },
        prior: None,
        depends_on: Vec::new().into(),
    }
}

fn outputs(document: &Json) -> Vec<PlannedOutput> {
    let planned = document.get("planned_values").get("outputs").properties();
    let of = |(name, output): (&String, &Json)| {
        let change = document.get("output_changes").get(name);
        let found = value(change.find("after"), change.get("after_unknown"), &NOT);
        // Most types follow from the value; sets are sorted again.
        let typed = output.find("type").filter(|_| !found.is_null()).map(ty);
        PlannedOutput {
            name: name.as_str().into(),
            sensitive: output.get("sensitive") == &Json::Bool(true),
            value: typed.map_or(found.clone(), |ty| convert(&found, &ty).expect("a value of its type")),
            needs: None,
        }
    };
    planned.iter().map(of).collect()
}

fn ty(json: &Json) -> Type {
    match json {
        Json::Text(name) => match name.as_str() {
            "string" => Type::String,
            "number" => Type::Number,
            "bool" => Type::Bool,
            "dynamic" => Type::Dynamic,
            other => panic!("unknown type {other}"),
        },
        Json::Array(parts) => match (parts[0].text(), &parts[1]) {
            ("list", of) => Type::list(ty(of)),
            ("set", of) => Type::set(ty(of)),
            ("map", of) => Type::map(ty(of)),
            ("tuple", of) => Type::tuple(of.items().iter().map(ty).collect()),
            ("object", of) => Type::object(
                of.properties().iter().map(|(name, of)| AttributeType::new(name.as_str(), ty(of))).collect(),
            ),
            (other, _) => panic!("unknown type {other}"),
        },
        other => panic!("a type was expected, not {other}"),
    }
}

fn status(status: &Json) -> CheckStatus {
    match status.text() {
        "pass" => CheckStatus::Pass,
        "unknown" => CheckStatus::Unknown,
        "fail" => CheckStatus::Fail,
        "error" => CheckStatus::Error,
        other => panic!("unknown status {other}"),
    }
}

fn checked(object: &Json) -> CheckedObject {
    let address = object.get("address");
    let module = module_of(address.find("module"));
    CheckedObject {
        kind: match address.get("kind").text() {
            "resource" => CheckedKind::Resource { mode: mode(address.get("mode")) },
            "output_value" => CheckedKind::Output,
            "check" => CheckedKind::Check,
            "var" => CheckedKind::Variable,
            other => panic!("unknown kind {other}"),
        },
        module: module.0.iter().map(|step| step.name.clone()).collect(),
        type_name: address.find("type").map(|name| name.text().into()),
        name: address.get("name").text().into(),
        status: status(object.get("status")),
        instances: object
            .get("instances")
            .items()
            .iter()
            .map(|instance| CheckedInstance {
                module: module_of(instance.get("address").find("module")),
                key: key(instance.get("address").get("instance_key")),
                status: status(instance.get("status")),
                problems: instance
                    .get("problems")
                    .items()
                    .iter()
                    .map(|problem| Value::text(problem.get("message").text()))
                    .collect(),
            })
            .collect(),
    }
}

fn relevant(found: &Json) -> RelevantAttribute {
    let step = |step: &Json| match step {
        Json::Text(name) => AttributeStep::Name(name.as_str().into()),
        number => AttributeStep::Index(number.to_string().parse().expect("a number")),
    };
    RelevantAttribute {
        resource: found.get("resource").text().into(),
        attribute: found.get("attribute").items().iter().map(step).collect(),
    }
}

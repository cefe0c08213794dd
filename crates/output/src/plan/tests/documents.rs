//! Whole documents, answers and texts.

use super::super::{PlanAnswerOptions, document, plan_answer, plan_document, plan_text};
use super::{empty, planned, written};
use overfold_module::plan::{
    Action, Change, CheckStatus, CheckedInstance, CheckedKind, CheckedObject, InstanceKey, Missing, ModuleAddress,
    ModuleStep, Plan, PlannedOutput, PlannedResource, PlannedVariable, ResourceMode,
};
use overfold_value::{Marks, Type, Value};

fn secret(text: &str) -> Value {
    Value::text(text).with_marks(Marks::SENSITIVE)
}

fn resource(module: &[&str], name: &str, key: Option<InstanceKey>, input: Value) -> PlannedResource {
    let step = |name: &&str| ModuleStep { name: (*name).into(), key: None };
    PlannedResource {
        module: ModuleAddress(module.iter().map(step).collect()),
        mode: ResourceMode::Managed,
        type_name: "terraform_data".into(),
        name: name.into(),
        key,
        provider_name: "terraform.io/builtin/terraform".into(),
        schema_version: 0,
        unset: Vec::new().into(),
        planned: None,
        change: Change {
            action: Action::Create,
            before: None,
            after: Value::object(vec![("id".into(), Value::unknown_not_null(Type::String)), ("input".into(), input)]),
            replace_paths: Vec::new(),
            importing: None,
            reason: None,
            prior: None,
            depends_on: std::sync::Arc::from([]),
        },
        arguments: Vec::new().into(),
        needs: Vec::new().into(),
    }
}

fn text(plan: &Plan, reveal: bool) -> String {
    written(reveal, |sink| document::write(sink, plan, "1.11.4")).0
}

#[test]
fn an_empty_plan_has_what_is_always_there() {
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!(
        concat!(
            r#"{{"format_version":"1.2","terraform_version":"1.11.4","planned_values":{{"root_module":{{}}}},"#,
            r#""configuration":{{"root_module":{{}}}},"applyable":false,"complete":true,"errored":false,"#,
            r#""overfold":{{"version":"{}","recorded":"1.11.4","exact":true,"complete":true,"missing":[],"redacted":[]}}}}"#
        ),
        version
    );
    assert_eq!(text(&empty(), false), expected);
    let errored = Plan { errored: true, timestamp: Some("2025-03-01T12:00:00Z".to_owned()), ..empty() };
    assert!(text(&errored, false).contains(
        r#""timestamp":"2025-03-01T12:00:00Z","applyable":false,"complete":false,"errored":true,"overfold""#
    ));
}

#[test]
fn resources_hang_below_their_modules_by_address_as_text() {
    let plan = Plan {
        resources: vec![
            resource(&[], "a", Some(InstanceKey::Number(2)), Value::text("x")),
            resource(&[], "a", Some(InstanceKey::Number(10)), Value::text("<&>")),
            resource(&["m"], "b", None, Value::text("z")),
            resource(&["m", "n"], "b", Some(InstanceKey::Text("k\"".into())), Value::untyped_null()),
        ],
        ..empty()
    };
    let text = text(&plan, false);
    let (tree, changes) = text.split_once(r#","resource_changes":"#).unwrap();
    let tree = tree.split_once(r#""planned_values":"#).unwrap().1;
    assert_eq!(
        tree,
        concat!(
            r#"{"root_module":{"resources":["#,
            r#"{"address":"terraform_data.a[10]","mode":"managed","type":"terraform_data","name":"a","index":10,"#,
            r#""provider_name":"terraform.io/builtin/terraform","schema_version":0,"#,
            r#""values":{"input":"\u003c\u0026\u003e"},"sensitive_values":{}},"#,
            r#"{"address":"terraform_data.a[2]","mode":"managed","type":"terraform_data","name":"a","index":2,"#,
            r#""provider_name":"terraform.io/builtin/terraform","schema_version":0,"#,
            r#""values":{"input":"x"},"sensitive_values":{}}],"#,
            r#""child_modules":[{"resources":["#,
            r#"{"address":"module.m.terraform_data.b","mode":"managed","type":"terraform_data","name":"b","#,
            r#""provider_name":"terraform.io/builtin/terraform","schema_version":0,"#,
            r#""values":{"input":"z"},"sensitive_values":{}}],"address":"module.m","child_modules":[{"resources":["#,
            r#"{"address":"module.m.module.n.terraform_data.b[\"k\\\"\"]","mode":"managed","#,
            r#""type":"terraform_data","name":"b","index":"k\"","provider_name":"terraform.io/builtin/terraform","#,
            r#""schema_version":0,"values":{"input":null},"sensitive_values":{}}],"address":"module.m.module.n"}]}]}}"#
        )
    );
    let order: Vec<usize> =
        ["data.a[2]\"", "data.a[10]", "module.m.terraform", "module.n.t"].map(|of| changes.find(of).unwrap()).into();
    assert!(order.is_sorted(), "{order:?}");
    assert!(changes.contains(concat!(
        r#""address":"module.m.terraform_data.b","module_address":"module.m","mode":"managed","#,
        r#""type":"terraform_data","name":"b","provider_name":"terraform.io/builtin/terraform","#,
        r#""change":{"actions":["create"],"before":null,"after":{"input":"z"},"after_unknown":{"id":true},"#,
        r#""before_sensitive":false,"after_sensitive":{}}}"#
    )));
}

/// Returns a plan with a secret wherever one can be.
fn with_secrets() -> Plan {
    let mut imported = resource(&["m"], "i", None, secret("hidden"));
    let whole = Value::object(vec![("id".into(), secret("hidden"))]);
    imported.change = Change {
        action: Action::Replace,
        before: Some(whole.clone()),
        replace_paths: vec![vec!["triggers_replace".into()]],
        importing: Some(secret("hidden")),
        reason: Some("replace_because_cannot_update"),
        prior: Some(whole),
        ..imported.change
    };
    let variable = |name: &str, value| PlannedVariable { name: name.into(), value };
    let output = |name: &str, sensitive, value| PlannedOutput { name: name.into(), sensitive, value, needs: None };
    Plan {
        variables: vec![
            variable("default", Value::text("hidden").with_marks(Marks::EPHEMERAL)),
            variable("open", Value::text("shown")),
            variable("~s/t", secret("hidden")),
        ],
        outputs: vec![
            output("declared", true, Value::text("hidden")),
            output("open", false, Value::text("shown")),
            output("unknown", true, Value::unknown(Type::String)),
        ],
        resources: vec![imported],
        checks: vec![CheckedObject {
            kind: CheckedKind::Variable,
            module: ["m".into()].into(),
            type_name: None,
            name: "v".into(),
            status: CheckStatus::Fail,
            instances: vec![CheckedInstance {
                module: ModuleAddress([ModuleStep { name: "m".into(), key: Some(InstanceKey::Number(1)) }].into()),
                key: None,
                status: CheckStatus::Fail,
                problems: vec![Value::text("shown"), secret("hidden")],
            }],
        }],
        missing: vec![
            Missing::ProviderSchema {
                provider: "registry.terraform.io/hashicorp/aws".into(),
                resources: 12,
                problem: None,
            },
            Missing::Module { address: "module.vpc".into(), source: None, version: None, is_found: false },
            Missing::Timestamp,
        ],
        ..empty()
    }
}

#[test]
fn secrets_are_null_and_their_places_are_listed() {
    let text = text(&with_secrets(), false);
    assert!(!text.contains("hidden"), "{text}");
    let (_, listed) = text.split_once(r#""redacted":["#).unwrap();
    let listed = listed.strip_suffix("]}}").unwrap();
    assert_eq!(
        listed.split(',').map(|place| place.trim_matches('"')).collect::<Vec<_>>(),
        [
            "/variables/default/value",
            "/variables/~0s~1t/value",
            "/planned_values/outputs/declared/type",
            "/planned_values/outputs/declared/value",
            "/planned_values/root_module/child_modules/0/resources/0/values/input",
            "/resource_changes/0/change/before/id",
            "/resource_changes/0/change/after/input",
            "/resource_changes/0/change/importing/id",
            "/output_changes/declared/after",
            "/prior_state/values/outputs/declared/value",
            "/prior_state/values/outputs/declared/type",
            "/prior_state/values/root_module/child_modules/0/resources/0/values/id",
            "/checks/0/instances/0/problems/1/message",
        ]
    );
    assert!(text.contains(concat!(
        r#""exact":false,"complete":false,"missing":[{"kind":"provider-schema","provider":"registry.terraform.io/hashicorp/aws","#,
        r#""resources":12},{"kind":"module","address":"module.vpc"},{"kind":"timestamp"}]"#
    )));
    assert!(text.contains(concat!(
        r#""checks":[{"address":{"kind":"var","module":"module.m","name":"v","to_display":"module.m.var.v"},"#,
        r#""status":"fail","instances":[{"address":{"module":"module.m[1]","to_display":"module.m[1].var.v"},"#,
        r#""status":"fail","problems":[{"message":"shown"},{"message":null}]}]}]"#
    )));
}

#[test]
fn secrets_that_may_be_shown_are_shown_with_the_same_masks() {
    let revealed = text(&with_secrets(), true);
    assert_eq!(revealed.matches("hidden").count(), 11, "{revealed}");
    assert!(revealed.ends_with(r#""redacted":[]}}"#));
    assert!(revealed.contains(concat!(
        r#""change":{"actions":["delete","create"],"before":{"id":"hidden"},"after":{"input":"hidden"},"#,
        r#""after_unknown":{"id":true},"before_sensitive":{"id":true},"after_sensitive":{"input":true},"#,
        r#""replace_paths":[["triggers_replace"]],"importing":{"id":"hidden"}},"#,
        r#""action_reason":"replace_because_cannot_update""#
    )));
    assert!(revealed.contains(concat!(
        r#""unknown":{"actions":["create"],"before":null,"after_unknown":true,"before_sensitive":true,"#,
        r#""after_sensitive":true}"#
    )));
    let masks = |text: &str| {
        let parts = text.split(r#""after_unknown""#).skip(1);
        parts.map(|part| part.split('}').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(masks(&revealed), masks(&text(&with_secrets(), false)));
}

const FILES: &[(&str, &str)] = &[
    (
        "main.tf",
        "variable \"p\" {\n  default = \"hidden\"\n  sensitive = true\n}\nmodule \"m\" {\n  source = \"./m\"\n  \
         count = 1\n  p = var.p\n}\nresource \"terraform_data\" \"a\" {\n  input = \"x\"\n}\noutput \"id\" {\n  value = \
         [terraform_data.a.id, 1]\n}\ncheck \"c\" {\n  assert {\n    condition = terraform_data.a.input == {}\n    error_message = \
         \"wrong\"\n  }\n}\n",
    ),
    ("a_override.tf", "resource \"terraform_data\" \"a\" {\n  input = { k = \"y\" }\n}\n"),
    ("m/main.tf", "variable \"p\" {}\nresource \"terraform_data\" \"b\" {\n  input = var.p\n}\n"),
];

#[test]
fn people_read_a_tree() {
    let text = planned(FILES, false, |report| String::from_utf8(plan_text(report)).unwrap());
    assert_eq!(
        text,
        r#"terraform_data.a: create
  id = (known after apply)
  input = { "k" = "y" }  # overridden in a_override.tf:2
  output = (known after apply)
  triggers_replace = null
module.m[0]
  terraform_data.b: create
    id = (known after apply)
    input = (sensitive)
    output = (known after apply)
    triggers_replace = null
outputs
  id = [(known after apply), 1]
conditions
  check.c: fail
    "wrong"
2 to create, 1 output
"#
    );
    let text = planned(FILES, true, |report| String::from_utf8(plan_text(report)).unwrap());
    assert!(text.contains("    input = (sensitive) \"hidden\"\n"), "{text}");
    let text = planned(&[("main.tf", "locals {\n  a = b\n}\n")], true, plan_text);
    assert_eq!(text, b"the configuration has errors for Terraform 1.11.4; there is no plan\n");
}

#[test]
fn instances_say_where_their_arguments_come_from() {
    let options = PlanAnswerOptions { plan: false, instances: true };
    let text = planned(FILES, false, |report| String::from_utf8(plan_answer(report, options)).unwrap());
    assert!(!text.contains("hidden"), "{text}");
    let expected = concat!(
        r#"{"valid":true,"dialect":"terraform","version":"1.11","exact":true,"missing":[],"instances":["#,
        r#"{"address":"terraform_data.a","mode":"managed","type":"terraform_data","name":"a","#,
        r#""provider_name":"terraform.io/builtin/terraform","actions":["create"],"#,
        r#""values":{"input":{"k":"y"},"triggers_replace":null},"after_unknown":{"id":true,"input":{},"output":true},"#,
        r#""after_sensitive":{"input":{},"output":{}},"arguments":{"/input":{"range":{"filename":"a_override.tf","#,
        r#""start":{"line":2,"column":3,"byte":34},"end":{"line":2,"column":22,"byte":53}},"references":[],"#,
        r#""overridden":true}}},"#,
        r#"{"address":"module.m[0].terraform_data.b","module_address":"module.m[0]","mode":"managed","#,
        r#""type":"terraform_data","name":"b","provider_name":"terraform.io/builtin/terraform","actions":["create"],"#,
        r#""values":{"input":null,"triggers_replace":null},"after_unknown":{"id":true,"output":true},"#,
        r#""after_sensitive":{"input":true},"arguments":{"/input":{"range":{"filename":"m/main.tf","#,
        r#""start":{"line":3,"column":3,"byte":50},"end":{"line":3,"column":16,"byte":63}},"references":["var.p"],"#,
        r#""overridden":false}}}],"diagnostics":["#,
    );
    assert!(text.starts_with(expected), "{text}\n{expected}");
}

#[test]
fn the_document_alone_is_the_one_in_the_answer() {
    planned(FILES, false, |report| {
        let document = String::from_utf8(plan_document(report).unwrap()).unwrap();
        assert!(!document.contains("hidden") && !document.contains('\n'), "{document}");
        assert!(document.starts_with(r#"{"format_version":"1.2","terraform_version":"1.11.4","variables":"#));
        let answer = String::from_utf8(plan_answer(report, PlanAnswerOptions::default())).unwrap();
        assert!(answer.contains(&format!(r#","plan":{document},"diagnostics":["#)));
    });
    planned(&[("main.tf", "locals {\n  a = b\n}\n")], false, |report| {
        assert!(plan_document(report).is_none());
        let answer = String::from_utf8(plan_answer(report, PlanAnswerOptions::default())).unwrap();
        assert!(answer.contains(r#""plan":null,"diagnostics":[{"#), "{answer}");
    });
}

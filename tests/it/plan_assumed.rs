//! Plans with what the caller knows of resources and data sources: the option `assume`.

use serde_json::{Value, json};

use crate::http::post_to;

/// Returns the answer about a plan of one file.
async fn plan(main: &str, assume: Value) -> Value {
    ask(&json!({"main.tf": main}), assume).await
}

async fn ask(files: &Value, assume: Value) -> Value {
    let request = json!({"files": files, "assume": assume, "version": "1.11.4"});
    let answer = post_to("/v1/plan", "application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// Returns the codes and the lines or addresses of the findings.
fn found(answer: &Value) -> Vec<String> {
    let one = |found: &Value| {
        let line = found["range"]["start"]["line"].as_u64().map(|line| line.to_string());
        let place = line.or_else(|| found["address"].as_str().map(str::to_owned));
        format!("{} {}", found["code"].as_str().unwrap(), place.unwrap_or_default())
    };
    answer["diagnostics"].as_array().unwrap().iter().map(one).collect()
}

fn nothing() -> Vec<String> {
    Vec::new()
}

fn changes(answer: &Value) -> Vec<&str> {
    let all = answer["plan"]["resource_changes"].as_array().into_iter().flatten();
    all.map(|change| change["address"].as_str().unwrap()).collect()
}

fn change<'a>(answer: &'a Value, address: &str) -> &'a Value {
    let mut all = answer["plan"]["resource_changes"].as_array().unwrap().iter();
    &all.find(|change| change["address"] == address).unwrap()["change"]
}

fn output<'a>(answer: &'a Value, name: &str) -> &'a Value {
    &answer["plan"]["planned_values"]["outputs"][name]["value"]
}

fn kinds(answer: &Value) -> Vec<&str> {
    answer["missing"].as_array().unwrap().iter().map(|missing| missing["kind"].as_str().unwrap()).collect()
}

const ZONES: &str = r#"
resource "terraform_data" "first" {}
data "aws_zones" "z" {
  state      = terraform_data.first.id
  depends_on = [terraform_data.first]
}
resource "aws_subnet" "s" {
  for_each = toset(data.aws_zones.z.names)
  zone     = each.key
}
resource "aws_subnet" "t" {
  count = length(terraform_data.first.input == null ? data.aws_zones.z.names : [])
}
output "o" {
  value = data.aws_zones.z.names
}
"#;

#[tokio::test]
async fn a_data_source_counts_as_read() {
    let answer = plan(ZONES, json!({"data.aws_zones.z": {"names": ["a", "b"], "id": "x"}})).await;
    assert_eq!(found(&answer), nothing(), "{answer}");
    assert_eq!(
        changes(&answer),
        ["aws_subnet.s[\"a\"]", "aws_subnet.s[\"b\"]", "aws_subnet.t[0]", "aws_subnet.t[1]", "terraform_data.first"]
    );
    let prior = &answer["plan"]["prior_state"]["values"]["root_module"]["resources"];
    assert_eq!(prior[0]["address"], json!("data.aws_zones.z"));
    assert_eq!(prior[0]["values"], json!({"id": "x", "names": ["a", "b"]}));
    assert_eq!(prior.as_array().unwrap().len(), 1);
    assert_eq!(output(&answer, "o"), &json!(["a", "b"]));
    assert_eq!(kinds(&answer), ["provider-schema"]);
}

const VPC: &str = r#"resource "aws_vpc" "v" {
  cidr = "10.0.0.0/8"
  name = null
  mtu  = 1500
}
output "o" {
  value = "${aws_vpc.v.id} ${aws_vpc.v.cidr}"
}
output "p" {
  value = aws_vpc.v.arn
}
"#;

#[tokio::test]
async fn computed_attributes_are_known_and_arguments_are_kept() {
    let given = json!({"id": "vpc-1", "cidr": "10.1.0.0/16", "name": "n", "mtu": "1500", "owner": null});
    let answer = plan(VPC, json!({"aws_vpc.v": given})).await;
    assert_eq!(found(&answer), ["plan/assumption-ignored 2"], "{answer}");
    assert_eq!(output(&answer, "o"), &json!("vpc-1 10.0.0.0/8"));
    let change = change(&answer, "aws_vpc.v");
    assert_eq!(change["actions"], json!(["create"]));
    let after = json!({"cidr": "10.0.0.0/8", "id": "vpc-1", "name": "n", "mtu": 1500, "owner": null});
    assert_eq!(change["after"], after);
    assert_eq!(answer["plan"]["output_changes"]["p"]["after_unknown"], json!(true));
    let same = plan(VPC, json!({"aws_vpc.v": {"cidr": "10.0.0.0/8"}})).await;
    assert_eq!(found(&same), nothing(), "{same}");
}

#[tokio::test]
async fn what_matches_nothing_is_told() {
    let main = "resource \"terraform_data\" \"a\" {\n  count = 1\n}\n";
    let assume = json!({
        "terraform_data.a[0]": {"id": "i"}, "terraform_data.a[1]": {"id": "j"}, "terraform_data.b": {},
        "module.m.a_b.c": {},
    });
    let answer = plan(main, assume).await;
    let wanted = ["module.m.a_b.c", "terraform_data.a[1]", "terraform_data.b"];
    assert_eq!(found(&answer), wanted.map(|address| format!("plan/assumption-unused {address}")), "{answer}");
    // What an error hides may be there.
    let wrong = "resource \"terraform_data\" \"a\" {\n  count = timestamp() == \"\" ? 1 : 2\n}\n";
    let hidden = plan(wrong, json!({"terraform_data.a[0]": {"id": "i"}})).await;
    assert_eq!(found(&hidden).len(), 1, "{hidden}");
}

//! Mock data for tests of Sentinel policies.

use serde_json::{Value, json};

use crate::difference::is_golden;
use crate::http::post_to;

const MAIN: &str = r##"variable "zones" {
  default = ["a", "b"]
}
variable "password" {
  sensitive = true
  default   = "hunter2"
}
resource "aws_instance" "web" {
  count         = 2
  ami           = "ami-1"
  subnet_id     = module.net["a"].id
  user_data     = "#!/bin/sh\necho \"hi\" \\ \u202e\n"
  price         = 12345678901234567890
  tags          = { Name = "web ${count.index}", "a|b" = null }
  root_block_device {
    encrypted = true
  }
}
resource "aws_db_instance" "main" {
  password = var.password
}
data "aws_region" "here" {
  name = aws_db_instance.main.id
}
module "net" {
  source   = "./net"
  for_each = toset(var.zones)
}
output "known" {
  value = var.zones
}
output "unknown" {
  value = aws_instance.web[0].id
}
output "secret" {
  value     = var.password
  sensitive = true
}
"##;

const NET: &str = "resource \"aws_subnet\" \"this\" {\n  cidr_block = \"10.0.0.0/24\"\n}\noutput \"id\" {\n  value = aws_subnet.this.id\n}\n";

/// Returns the mock data of a request.
async fn mock(more: &Value) -> String {
    let mut body = json!({"version": "1.11.4", "files": {"main.tf": MAIN, "net/main.tf": NET}});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = post_to("/v1/plan/report?format=sentinel-mock", "application/json", body.to_string()).await;
    let text = String::from_utf8(answer.body.clone()).unwrap();
    assert_eq!(answer.status, 200, "{text}");
    assert!(answer.header("content-type").starts_with("text/x-sentinel"));
    text
}

#[tokio::test]
async fn the_mock_data_is_golden() {
    let text = mock(&json!({})).await;
    assert!(!text.contains("hunter2") && !text.contains('\u{202e}'), "{text}");
    is_golden("tests/golden/sentinel/mock-tfplan-v2.sentinel", &text);
}

#[tokio::test]
async fn secrets_are_shown_only_on_request() {
    assert!(mock(&json!({"reveal_sensitive": true})).await.contains("\"value\":     \"hunter2\""));
}

#[tokio::test]
async fn what_has_no_plan_has_no_mock_data() {
    let body = json!({"files": {"main.tf": "resource \"a\" {\n}\n"}}).to_string();
    let answer = post_to("/v1/plan/report?format=sentinel-mock", "application/json", body).await;
    let problem = answer.problem(422, "no-plan");
    assert_eq!(problem["diagnostics"][0]["severity"], "error", "{problem}");
}

#[test]
fn the_command_prints_the_mock_data() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("main.tf"), "output \"o\" {\n  value = 1\n}\n").unwrap();
    let folder = folder.path().to_str().unwrap();
    let (code, out, err) = crate::cli::run(&["plan", folder, "--format", "sentinel-mock"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("\nplanned_values = {\n\t\"outputs\": {\n\t\t\"o\": {\n"), "{out}");
}

//! Comments for pull requests, as a reviewer reads them.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::difference::is_golden;
use crate::http::post_to;

const BASE: &str = "https://code.example.org/o/r/blob";

/// Returns the comment about two sides.
async fn comment(route: &str, before: &Value, after: &Value) -> String {
    let body = json!({"before": before, "after": after}).to_string();
    let answer = post_to(&format!("{route}/report?format=markdown"), "application/json", body).await;
    let text = String::from_utf8(answer.body).unwrap();
    assert_eq!(answer.status, 200, "{text}");
    assert!(text.chars().count() <= 65_536);
    text
}

/// Returns a side with links; its files are named as in the repository.
fn side(commit: &str, files: &Value) -> Value {
    json!({"version": "1.11.4", "files": files, "path_prefix": "infra", "link_base": format!("{BASE}/{commit}")})
}

const POLICY: &str = r#"resource "aws_iam_policy" "app" {
  name = "app"
  path = "/app/"
  policy = <<EOT
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Effect": "Allow",
      "Action": "s3:GetObject",
      "Resource": "*"
    }
  ]
}
EOT
}
"#;

#[tokio::test]
async fn what_is_lost_and_where_the_state_goes_come_first() {
    let before = json!({
        "main.tf": format!("terraform {{\n  backend \"s3\" {{\n    bucket = \"state\"\n  }}\n}}\n{POLICY}locals {{\n  a = 1\n}}\n"),
        "secret.tf": "variable \"password\" {\n  sensitive = true\n  default   = \"hunter2\"\n}\n",
    });
    let after = json!({
        "main.tf": POLICY.replace("  path = \"/app/\"\n", "").replace("s3:GetObject", "s3:*"),
        "locals.tf": "locals {\n  a = 2\n  b = 3\n}\n",
        "override.tf": "resource \"aws_iam_policy\" \"app\" {\n  name = \"App\"\n}\n",
        "secret.tf": "variable \"password\" {\n  sensitive = true\n  default   = \"hunter3\"\n}\n",
    });
    let text = comment("/v1/diff", &side("1a2b", &before), &side("3c4d", &after)).await;
    assert!(text.starts_with("### 1 argument lost, state moves to `local`\n"), "{text}");
    assert!(!text.contains("hunter"), "{text}");
    is_golden("tests/golden/comments/lost.md", &text);
}

#[tokio::test]
async fn a_change_of_a_plan_says_what_is_destroyed() {
    let before = json!({"main.tf": format!("{POLICY}resource \"aws_eip\" \"a\" {{\n  count = 2\n}}\nresource \"aws_vpc\" \"main\" {{\n  cidr_block = \"10.0.0.0/16\"\n}}\ndata \"aws_region\" \"r\" {{}}\noutput \"a\" {{\n  value = \"x\"\n}}\nvariable \"p\" {{\n  sensitive = true\n  default = \"hunter2\"\n}}\nresource \"aws_db\" \"d\" {{\n  password = var.p\n}}\n")});
    let after = json!({"main.tf": format!("{}resource \"aws_eip\" \"b\" {{\n  count = 2\n}}\nresource \"aws_lb\" \"new\" {{\n  name = \"n\"\n}}\noutput \"a\" {{\n  value = \"y\"\n}}\nvariable \"p\" {{\n  sensitive = true\n  default = \"hunter3\"\n}}\nresource \"aws_db\" \"d\" {{\n  password = var.p\n}}\n", POLICY.replace("s3:GetObject", "s3:*"))});
    let text = comment("/v1/plan-diff", &side("1a2b", &before), &side("3c4d", &after)).await;
    let title =
        "### Would destroy and create 2 objects: add `moved` blocks; would also destroy 1, create 1, change 2\n";
    assert!(text.starts_with(title), "{text}");
    assert!(!text.contains("hunter"), "{text}");
    is_golden("tests/golden/comments/plan.md", &text);
}

#[tokio::test]
async fn many_changes_have_a_summary() {
    let files = |value: usize| {
        let mut text = String::new();
        for at in 0..24 {
            let kind = ["aws_subnet", "aws_route", "aws_eip"][at % 3];
            writeln!(text, "resource \"{kind}\" \"r{at}\" {{\n  x = {value}\n}}").unwrap();
        }
        if value == 1 {
            text.push_str("resource \"aws_db\" \"z\" {}\nlocals {\n  gone = 1\n}\n");
        }
        json!({"main.tf": text})
    };
    let mut all = String::new();
    for route in ["/v1/diff", "/v1/plan-diff"] {
        let text = comment(route, &side("1a2b", &files(1)), &side("3c4d", &files(2))).await;
        assert!(text.find("aws_db.z") < text.find("aws_eip.r"), "{text}");
        writeln!(all, "<!-- {route} -->\n{text}").unwrap();
    }
    is_golden("tests/golden/comments/many.md", &all);
}

#[tokio::test]
async fn an_unchanged_effect_is_the_verdict() {
    let (before, after) = (json!({"main.tf": POLICY}), json!({"iam.tf": format!("# moved\n{POLICY}")}));
    let mut all = String::new();
    for (route, is_broken) in [("/v1/diff", false), ("/v1/plan-diff", false), ("/v1/plan-diff", true)] {
        let mut after = after.clone();
        if is_broken {
            after["broken.tf"] = json!("locals {\n  a = nowhere.x\n}\n");
        }
        let text = comment(route, &side("1a2b", &before), &side("3c4d", &after)).await;
        let title = if is_broken { "### Not compared: " } else { "### No effective changes\n" };
        assert!(text.starts_with(title), "{text}");
        writeln!(all, "<!-- {route} -->\n{text}").unwrap();
    }
    is_golden("tests/golden/comments/unchanged.md", &all);
}

#[tokio::test]
async fn the_heaviest_module_comes_first() {
    let before = json!({
        "a/main.tf": "locals {\n  a = 1\n}\n",
        "b/main.tf": "locals {\n  a = 1\n}\n",
        "live/main.tf": "terraform {\n  backend \"s3\" {}\n}\nmodule \"b\" {\n  source = \"../b\"\n}\n",
        "old/main.tf": "locals {\n  a = 1\n}\n",
        "user/main.tf": "module \"b\" {\n  source = \"../b\"\n}\n",
    });
    let after = json!({
        "a/main.tf": "locals {\n  a = 1\n  b = 2\n}\n",
        "b/main.tf": "locals {\n  a = 2\n}\n",
        "live/main.tf": "terraform {\n  cloud {}\n}\nmodule \"b\" {\n  source = \"../b\"\n}\n",
        "user/main.tf": "module \"b\" {\n  source = \"../b\"\n}\n",
    });
    let side = |commit: &str, files: &Value| {
        let mut side = side(commit, files);
        side["recursive"] = json!(true);
        side
    };
    let text = comment("/v1/diff", &side("1a2b", &before), &side("3c4d", &after)).await;
    assert!(text.starts_with("### 1 module removed, 1 object removed, state moves to `cloud`\n"), "{text}");
    is_golden("tests/golden/comments/recursive.md", &text);
}

/// Nothing that a file says ends what it is in, or is read as markup, a mention or a reference.
#[tokio::test]
async fn hostile_names_stay_names() {
    const NASTY: &str =
        "`|``@team #123 <!-- x --> </details></sub> [a](https://evil.example) ~~~\\n\\u202e\\u200b **b** \\\\";
    let raw = "`|``@team #123 <!-- x --> <details> [a](evil.example) ~~~ \u{202e}\u{200b} **b**.tf";
    let file = |value: &str, key: &str| {
        format!(
            "resource \"a_b\" \"c\" {{\n  for_each = toset([\"{NASTY}{key}\"])\n  x = \"{NASTY}{value}\"\n  y = <<EOT\n```\n</details>\n{value}\n@team\n  <!--\nEOT\n}}\n\
             output \"o\" {{\n  value = \"{NASTY}{value}\"\n}}\n"
        )
    };
    let side = |value: &str, key: &str| {
        let side = json!({raw: file(value, key), "z.tf": "resource \"d_e\" \"f\" {\n  for_each = toset([\"NASTY\\u202e\"])\n}\n".replace("NASTY", NASTY).replace("\"d_e\" \"f\"", &format!("\"d_e\" \"f{key}\""))});
        json!({"stage": "load", "version": "1.11.4", "files": side, "link_base": BASE})
    };
    for route in ["/v1/diff", "/v1/plan-diff"] {
        let (mut before, mut after) = (side("1", ""), side("2", "x"));
        if route == "/v1/plan-diff" {
            for side in [&mut before, &mut after] {
                side.as_object_mut().unwrap().remove("stage");
            }
        }
        let text = comment(route, &before, &after).await;
        assert!(text.contains("evil.example") && text.contains("@team"), "{text}");
        assert!(!text.contains(['\u{202e}', '\u{200b}']), "{text}");
        let mut fence = None;
        for line in text.lines() {
            let start = line.trim_start();
            let ticks = start.len() - start.trim_start_matches('`').len();
            if let Some(open) = fence {
                fence = (ticks != open || start.len() != ticks).then_some(open);
            } else if ticks >= 3 && !start.trim_start_matches('`').contains('`') {
                fence = Some(ticks);
            } else {
                // A link is its text and then its address, in which everything but letters and digits is encoded.
                let mut plain = String::new();
                for (at, part) in outside_of_code(line).split("](").enumerate() {
                    assert!(at == 0 || part.starts_with(BASE), "{line}");
                    plain.push_str(if at == 0 { part } else { part.split_once(')').unwrap().1 });
                }
                let is_own = plain == "</details>"
                    || ["<details><summary>", "<sub>overfold", "### ", "**"].iter().any(|own| plain.starts_with(own));
                assert!(is_own || !plain.contains(['<', '@', '*', '#', '~']), "{line}\n{plain}");
            }
        }
        assert_eq!(fence, None, "{text}");
        assert_eq!(
            text.lines().filter(|line| line.starts_with("<details>")).count(),
            text.lines().filter(|line| *line == "</details>").count()
        );
    }
}

/// Returns a line without its code spans (GitHub Flavored Markdown, 6.3).
fn outside_of_code(line: &str) -> String {
    let characters: Vec<char> = line.chars().collect();
    let run = |at: usize| characters.iter().skip(at).take_while(|c| **c == '`').count();
    let (mut plain, mut at) = (String::new(), 0);
    while let Some(character) = characters.get(at) {
        let ticks = run(at);
        if ticks == 0 {
            plain.push(*character);
            at += 1;
            continue;
        }
        let mut end = at + ticks;
        while end < characters.len() && run(end) != ticks {
            end += run(end).max(1);
        }
        assert!(end < characters.len(), "a code span has no end: {line}");
        at = end + ticks;
    }
    plain
}

#[tokio::test]
async fn only_addresses_are_taken_for_links() {
    let files = json!({"main.tf": ""});
    for route in ["/v1/diff", "/v1/plan-diff"] {
        for bad in ["javascript:alert(1)", "https://a b", "https://x)(", ""] {
            let body = json!({"before": {"files": files}, "after": {"files": files, "link_base": bad}});
            let problem = post_to(route, "application/json", body.to_string()).await.problem(400, "bad-option");
            assert_eq!(problem["pointer"], "/after/link_base", "{problem}");
        }
    }
}

#[test]
fn the_command_links_to_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    for (name, value) in [("a", "1"), ("b", "2")] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
        std::fs::write(folder.path().join(name).join("main.tf"), format!("output \"o\" {{\n  value = {value}\n}}\n"))
            .unwrap();
    }
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let [a, b] = [a.as_str(), b.as_str()];
    for command in ["diff", "plan-diff"] {
        let links = ["--link-base", "https://h.example/2", "--before-link-base", "https://h.example/1"];
        let args = [&[command, a, b, "--format", "markdown", "--path-prefix", "x"][..], &links].concat();
        let (code, out, err) = crate::cli::run(&args);
        assert_eq!(code, 1, "{err}");
        let args = [&[command, a, b, "--format", "json"][..], &links].concat();
        assert_eq!(crate::cli::run(&args).0, 1);
        let args = [&[command, b, a, "--format", "markdown", "--link-base", "x"][..]].concat();
        assert_eq!(crate::cli::run(&args).0, 2);
        if command == "diff" {
            assert!(out.contains("([`x/main.tf:2`](https://h.example/2/x/main.tf#L2))"), "{out}");
        }
    }
}

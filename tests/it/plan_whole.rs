//! A plan says what is not in it: objects that are left out, what would have to be known, and how to give it.

use serde_json::{Value, json};

use crate::http::post_to;

/// Returns the answer about a plan of these files, with more members of the request.
async fn plan(files: Value, more: Value) -> Value {
    let mut request = json!({"files": files, "version": "1.11.4"});
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = post_to("/v1/plan", "application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// Returns a plan of these files as text.
async fn text(files: Value) -> String {
    let request = json!({"files": files, "version": "1.11.4"});
    let answer = post_to("/v1/plan/report?format=text", "application/json", request.to_string()).await;
    assert_eq!(answer.status, 200);
    String::from_utf8(answer.body).unwrap()
}

/// Returns the addresses that are left out, each with what it needs.
fn left_out(answer: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let missing = answer["plan"]["overfold"]["missing"].as_array().unwrap().iter();
    let missing = missing.filter(|found| found["kind"] == "instances");
    missing.map(|found| (text(&found["address"]), text(&found["needs"]))).collect()
}

/// Returns the details of the findings with a code.
fn details<'v>(answer: &'v Value, code: &str) -> Vec<&'v str> {
    let all = answer["diagnostics"].as_array().unwrap().iter();
    all.filter(|found| found["code"] == code).map(|found| found["detail"].as_str().unwrap()).collect()
}

const ZONES: &str = r#"
data "aws_availability_zones" "all" {
}

locals {
  settings = {
    other = data.aws_caller_identity.me.id
    names = data.aws_availability_zones.all.names
  }
}

data "aws_caller_identity" "me" {
}

resource "aws_subnet" "a" {
  for_each = toset(local.settings.names)
}

resource "aws_subnet" "b" {
  count = length(local.settings.names)
}

resource "aws_route" "r" {
  count = length(aws_subnet.a)
}

module "m" {
  source   = "./m"
  for_each = toset(local.settings.names)
}
"#;

const INNER: &str = r#"
resource "terraform_data" "in" {
}

module "deep" {
  source = "../deep"
}
"#;

#[tokio::test]
async fn what_is_left_out_is_in_the_document_with_its_cause() {
    let files = json!({"main.tf": ZONES, "m/main.tf": INNER, "deep/main.tf": "data \"a_b\" \"c\" {\n}\n"});
    let answer = plan(files.clone(), json!({})).await;
    let needs = "data.aws_availability_zones.all.names (give --assume data.aws_availability_zones.all.names=JSON)";
    let addresses = [
        "aws_route.r",
        "aws_subnet.a",
        "aws_subnet.b",
        "module.m",
        "module.m.module.deep.data.a_b.c",
        "module.m.terraform_data.in",
    ];
    let wanted: Vec<(String, String)> =
        addresses.iter().map(|address| ((*address).to_owned(), needs.to_owned())).collect();
    assert_eq!(left_out(&answer), wanted);
    let document = &answer["plan"];
    assert_eq!((&document["complete"], &document["overfold"]["complete"]), (&json!(false), &json!(false)));
    assert_eq!(
        (&document["errored"], &answer["valid"], &answer["exact"]),
        (&json!(false), &json!(false), &json!(false))
    );
    // One finding for the cause, not one for each object.
    let found = details(&answer, "plan/instances-not-known-here");
    assert_eq!(found.len(), 1, "{found:?}");
    for part in [
        "aws_subnet.a and 3 other objects",
        "`for_each` depends on data.aws_availability_zones.all.names",
        "--assume data.aws_availability_zones.all.names=JSON",
    ] {
        assert!(found[0].contains(part), "{part}: {found:?}");
    }
    let shown = text(files.clone()).await;
    let last = shown.lines().find(|line| line.contains("could not be planned")).unwrap();
    for part in ["5 resources", "could not be planned: aws_route.r, aws_subnet.a", needs] {
        assert!(last.contains(part), "{part}: {shown}");
    }
    let given = json!({"assume": {"data.aws_availability_zones.all": {"names": ["x"]}}});
    let answer = plan(files, given).await;
    assert_eq!((left_out(&answer).len(), &answer["plan"]["complete"]), (0, &json!(true)), "{answer}");
}

#[tokio::test]
async fn a_cause_is_found_through_modules() {
    let main = "variable \"size\" {\n}\ndata \"a_zone\" \"z\" {\n}\nmodule \"net\" {\n  source = \"./net\"\n  cidrs = [for n in data.a_zone.z.names : n]\n}\nmodule \"use\" {\n  source = \"./use\"\n  ids = module.net.ids\n  size = var.size\n}\n";
    let net = "variable \"cidrs\" {\n}\nresource \"a_net\" \"n\" {\n  count = length(var.cidrs)\n}\nresource \"a_net\" \"one\" {\n  name = \"x\"\n}\noutput \"ids\" {\n  value = a_net.n[*].id\n}\noutput \"one\" {\n  value = a_net.one.computed\n}\n";
    let used = "variable \"ids\" {\n}\nvariable \"size\" {\n}\nresource \"terraform_data\" \"u\" {\n  for_each = toset(var.ids)\n}\nresource \"terraform_data\" \"s\" {\n  count = var.size\n}\n";
    let answer = plan(
        json!({"main.tf": main, "net/main.tf": net, "use/main.tf": used}),
        json!({"unset_variables": "unknown"}),
    )
    .await;
    let zone = "data.a_zone.z.names (give --assume data.a_zone.z.names=JSON)";
    let wanted = [
        ("module.net.a_net.n", zone),
        ("module.use.terraform_data.s", "var.size (give --var size=VALUE)"),
        ("module.use.terraform_data.u", zone),
    ];
    let wanted: Vec<(String, String)> = wanted.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    assert_eq!(left_out(&answer), wanted, "{answer}");
    // What a provider sets needs its schema, or an assumption that stands for all instances of the module.
    let main = "module \"net\" {\n  source = \"./net\"\n  for_each = toset([\"a\", \"b\"])\n  cidrs = []\n}\nresource \"terraform_data\" \"t\" {\n  count = module.net[\"a\"].one == \"x\" ? 1 : 2\n}\n";
    let answer = plan(json!({"main.tf": main, "net/main.tf": net}), json!({})).await;
    let needs = "module.net.a_net.one.computed (give --assume module.net.a_net.one.computed=JSON, or --provider-schemas FILE)";
    assert_eq!(left_out(&answer), [("terraform_data.t".to_owned(), needs.to_owned())], "{answer}");
    let given = json!({"assume": {"module.net.a_net.one": {"computed": "x"}}});
    let answer = plan(json!({"main.tf": main, "net/main.tf": net}), given).await;
    assert_eq!(left_out(&answer).len(), 0, "{answer}");
}

#[tokio::test]
async fn instances_say_what_their_values_need() {
    let main = "variable \"size\" {\n}\ndata \"aws_ami\" \"base\" {\n}\nresource \"terraform_data\" \"t\" {\n  count = 2\n  input = data.aws_ami.base.id\n  triggers_replace = terraform_data.other.id\n}\nresource \"terraform_data\" \"other\" {\n  input = [var.size, 1]\n}\n";
    let more = json!({"unset_variables": "unknown", "include": ["plan", "instances"]});
    let answer = plan(json!({"main.tf": main}), more).await;
    let instances = answer["instances"].as_array().unwrap();
    let needs = |address: &str| {
        let found = instances.iter().find(|instance| instance["address"] == address).unwrap();
        found.get("needs").cloned()
    };
    // What only exists once it is applied needs nothing that could be given.
    let base = json!({"/input": "data.aws_ami.base.id"});
    assert_eq!(needs("terraform_data.t[0]"), Some(base.clone()), "{answer}");
    assert_eq!(needs("terraform_data.t[1]"), Some(base), "{answer}");
    assert_eq!(needs("terraform_data.other"), Some(json!({"/input": "var.size"})), "{answer}");
    let known = plan(
        json!({"main.tf": "resource \"terraform_data\" \"t\" {\n  input = 1\n}\n"}),
        json!({"include": ["instances"]}),
    )
    .await;
    assert_eq!(known["instances"][0].get("needs"), None, "{known}");
    // Nobody asks for it where no instances are listed.
    let plain = plan(json!({"main.tf": main}), json!({"unset_variables": "unknown"})).await;
    assert_eq!(plain["plan"], answer["plan"]);
}

#[tokio::test]
async fn a_module_that_is_not_there_says_which_and_how_to_give_it() {
    let call =
        |name: &str| format!("module \"{name}\" {{\n  source  = \"acme/net/aws\"\n  version = \"~> 5.0\"\n}}\n");
    let main = format!(
        "{}{}resource \"terraform_data\" \"t\" {{\n  count = module.a.size\n  input = module.b.x\n}}\noutput \"x\" {{\n  value = module.b.x\n}}\n",
        call("a"),
        call("b")
    );
    let answer = plan(json!({"main.tf": main}), json!({})).await;
    let found = details(&answer, "plan/module-missing");
    assert_eq!(found.len(), 1, "{found:?}");
    for part in [
        "module.a and one other call",
        "acme/net/aws, version ~> 5.0",
        "`terraform get`",
        "--module-source acme/net/aws=FOLDER",
    ] {
        assert!(found[0].contains(part), "{part}: {found:?}");
    }
    let module = json!({"kind": "module", "address": "module.a", "source": "acme/net/aws", "version": "~> 5.0"});
    assert_eq!(answer["missing"][0], module);
    let needs = &left_out(&answer)[0].1;
    assert!(needs.starts_with("module.a (acme/net/aws, version ~> 5.0) (run `terraform get`"), "{needs}");
    // A module that is missing makes a plan incomplete, whatever else is known.
    let answer = plan(json!({"main.tf": call("a")}), json!({})).await;
    assert_eq!((&answer["plan"]["complete"], &answer["valid"]), (&json!(false), &json!(true)), "{answer}");
    let shown = text(json!({"main.tf": main})).await;
    assert!(shown.contains("x = (not known here: needs module.b)"), "{shown}");
    assert!(
        shown.contains("the resources of 2 modules could not be planned: module.a, module.b; run `terraform get`"),
        "{shown}"
    );
    let tofu = post_to(
        "/v1/plan",
        "application/json",
        json!({"files": {"main.tf": call("a")}, "dialect": "opentofu"}).to_string(),
    );
    let tofu = tofu.await.json();
    assert!(details(&tofu, "plan/module-missing")[0].contains("`tofu get`"), "{tofu}");
}

/// What a `terraform_data` passes on is not known to the tool either only if it is not known here for that reason.
#[tokio::test]
async fn an_input_that_is_not_known_here_is_no_error_of_the_tool() {
    let main = "data \"a_b\" \"c\" {\n}\nresource \"terraform_data\" \"a\" {\n  input = data.a_b.c.n\n}\nresource \"terraform_data\" \"b\" {\n  count = terraform_data.a.input\n}\n";
    let answer = plan(json!({"main.tf": main}), json!({})).await;
    assert_eq!(answer["diagnostics"][0]["code"], "plan/instances-not-known-here", "{answer}");
    assert_eq!(left_out(&answer)[0].1, "data.a_b.c.n (give --assume data.a_b.c.n=JSON)");
}

#[tokio::test]
async fn a_directory_is_absolute() {
    for cwd in ["", "a/b", "./a", "~/a", "/a\nb"] {
        let request = json!({"files": {"main.tf": ""}, "cwd": cwd}).to_string();
        let problem = post_to("/v1/plan", "application/json", request).await.problem(400, "bad-option");
        assert_eq!(problem["pointer"], "/cwd", "{cwd:?}");
    }
    for cwd in ["/", "/a", "C:/a"] {
        let answer = plan(json!({"main.tf": "output \"o\" {\n  value = path.cwd\n}\n"}), json!({"cwd": cwd})).await;
        assert_eq!(answer["plan"]["planned_values"]["outputs"]["o"]["value"], cwd);
    }
}

#[tokio::test]
async fn old_versions_say_it_in_their_own_member() {
    let mut request = json!({"files": {"main.tf": ZONES, "m/main.tf": ""}, "version": "1.5"});
    for version in ["1.5", "1.0"] {
        request["version"] = json!(version);
        let answer = post_to("/v1/plan", "application/json", request.to_string()).await.json();
        let document = &answer["plan"];
        assert_eq!((document.get("complete"), &document["overfold"]["complete"]), (None, &json!(false)), "{version}");
    }
}

//! The stage `validate` where a part of the tree is not in the upload, and where modules of test files call the root
//! module (validate.md, sections 1, 2 and 8). Terraform 1.11.4 says the same about these files with a stub in the place
//! of each absent module; what depends on the stub is `tool-later`.

use std::fmt::Write as _;

use serde_json::json;

use crate::http::post;

/// Returns `FILE:LINE ORIGIN TITLE` for every error, one per line, in order. `REMOTE` in a file is the source of a
/// module that is not in the upload.
async fn errors(files: &[(&str, &str)]) -> String {
    let files: serde_json::Map<String, serde_json::Value> = files
        .iter()
        .map(|(name, text)| ((*name).to_owned(), json!(text.replace("REMOTE", "git::https://example.com/m.git"))))
        .collect();
    let request = json!({"stage": "validate", "dialect": "terraform", "version": "1.11.4", "files": files});
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let mut out = String::new();
    for found in answer.json()["diagnostics"].as_array().unwrap().iter().filter(|found| found["severity"] == "error")
    {
        let file = found["range"]["filename"].as_str().unwrap_or("-");
        let line = &found["range"]["start"]["line"];
        let (origin, title) = (found["origin"].as_str().unwrap(), found["summary"].as_str().unwrap());
        writeln!(out, "{file}:{line} {origin} {title}").unwrap();
    }
    out
}

const AWS: &str = "registry.terraform.io/hashicorp/aws";
const NO_VARIABLE: &str = "Reference to undeclared input variable";
const NO_LOCAL: &str = "Reference to undeclared local value";

/// What stops the tool before it looks at the names of a root module in which line 1 is wrong.
fn missing(configuration: &str) -> String {
    format!("-:null tool missing provider {configuration}\nmain.tf:1 tool-later {NO_VARIABLE}\n")
}

const WRONG: &str = "output \"wrong\" { value = var.nope }\n";

fn root(text: &str) -> String {
    format!("{WRONG}{text}")
}

#[tokio::test]
async fn a_provider_configuration_that_is_passed_to_an_absent_module_has_to_exist() {
    let call =
        |passed: &str| root(&format!("module \"m\" {{\n  source = \"REMOTE\"\n  providers = {{ {passed} }}\n}}\n"));
    let (default, other) = (format!("provider[{AWS:?}]"), format!("provider[{AWS:?}].other"));
    assert_eq!(errors(&[("main.tf", &call("aws = aws.other"))]).await, missing(&other));
    assert_eq!(errors(&[("main.tf", &call("aws = aws"))]).await, missing(&default));
    assert_eq!(errors(&[("main.tf", &call("aws.q = aws"))]).await, missing(&default));
    let resource = "resource \"aws_x\" \"r\" {\n  provider = aws.third\n}\n";
    assert_eq!(
        errors(&[("main.tf", &(call("aws = aws.other") + resource))]).await,
        "-:null tool-later Provider configuration not present\n".to_owned() + &missing(&other)
    );
    let walked = format!("main.tf:1 tool {NO_VARIABLE}\n");
    for declared in [
        "provider \"aws\" {}\n",
        "terraform {\n  required_providers {\n    aws = { source = \"hashicorp/aws\" }\n  }\n}\n",
        "terraform {\n  required_providers {\n    amz = { source = \"hashicorp/aws\" }\n  }\n}\n",
    ] {
        assert_eq!(errors(&[("main.tf", &(call("aws = aws") + declared))]).await, walked, "{declared}");
    }
    let requested = "terraform {\n  required_providers {\n    aws = {\n      source = \"hashicorp/aws\"\n      configuration_aliases = [aws.other]\n    }\n  }\n}\n";
    assert_eq!(errors(&[("main.tf", &(call("aws = aws.other") + requested))]).await, missing(&other));
}

#[tokio::test]
async fn a_called_module_passes_on_only_what_it_has() {
    let main = root("provider \"aws\" {}\nmodule \"c\" {\n  source = \"./c\"\n}\n");
    let required = "terraform {\n  required_providers {\n    aws = { source = \"hashicorp/aws\" }\n  }\n}\n";
    let call = |source: &str, passed: &str| {
        format!("{required}module \"m\" {{\n  source = \"{source}\"\n  providers = {{ aws = {passed} }}\n}}\n")
    };
    let of_child = format!("module.c.provider[{AWS:?}]");
    for source in ["REMOTE", "../d"] {
        let files = |c: &str| [main.clone(), c.to_owned()];
        for (passed, name) in [("aws", of_child.clone()), ("aws.nowhere", format!("{of_child}.nowhere"))] {
            let [main, c] = files(&call(source, passed));
            let found = errors(&[("main.tf", &main), ("c/main.tf", &c), ("d/main.tf", required)]).await;
            assert_eq!(found, missing(&name), "{source} {passed}");
        }
        let passing = main.replace("./c\"\n", "./c\"\n  providers = { aws = aws }\n");
        let c = call(source, "aws");
        let found = errors(&[("main.tf", &passing), ("c/main.tf", &c), ("d/main.tf", required)]).await;
        assert_eq!(found, format!("main.tf:1 tool {NO_VARIABLE}\n"), "{source}");
    }
}

const CALL: &str = "module \"m\" {\n  source = \"REMOTE\"\n  a = var.nope\n}\n";

#[tokio::test]
async fn whoever_needs_an_absent_module_needs_its_arguments() {
    for (user, origin) in [
        ("local.nope\n  depends_on = [module.m]", "tool-later"),
        ("[module.m, local.nope]", "tool-later"),
        // This one may depend on the argument.
        ("[module.m.o, local.nope]", "tool-later"),
        ("[module.n.o, local.nope]", "tool"),
    ] {
        let user = format!("output \"o\" {{\n  value = {user}\n}}\n");
        let text = format!("{CALL}module \"n\" {{\n  source = \"REMOTE\"\n  a = 1\n}}\n{user}");
        let wanted = format!("main.tf:3 tool {NO_VARIABLE}\nmain.tf:10 {origin} {NO_LOCAL}\n");
        assert_eq!(errors(&[("main.tf", &text)]).await, wanted, "{user}");
    }
}

#[tokio::test]
async fn an_argument_is_silent_with_what_it_refers_to() {
    let text = "resource \"terraform_data\" \"y\" { input = local.nope }\nmodule \"m\" {\n  source = \"REMOTE\"\n  a = terraform_data.y.output\n}\nmodule \"n\" {\n  source = \"REMOTE\"\n  depends_on = [module.m]\n  a = local.nope\n}\n";
    let wanted = format!("main.tf:1 tool {NO_LOCAL}\nmain.tf:9 tool-later {NO_LOCAL}\n");
    assert_eq!(errors(&[("main.tf", text)]).await, wanted);
}

#[tokio::test]
async fn only_an_argument_that_needs_the_whole_of_its_module_is_a_cycle() {
    let text = "module \"m\" {\n  source = \"REMOTE\"\n  a = local.x\n}\nlocals {\n  x = module.m\n}\n";
    assert_eq!(
        errors(&[("main.tf", text)]).await,
        "-:null tool Cycle: local.x (expand), module.m (close), module.m.var.a (expand)\n"
    );
    let through_an_output = text.replace("= module.m\n", "= module.m.o\n");
    assert_eq!(errors(&[("main.tf", &through_an_output)]).await, "");
    // Absent modules may use outputs of each other.
    let each_other = "module \"n\" {\n  source = \"REMOTE\"\n  a = [module.o.b, local.nope]\n}\nmodule \"o\" {\n  source = \"REMOTE\"\n  a = module.n.b\n}\n";
    assert_eq!(errors(&[("main.tf", each_other)]).await, format!("main.tf:3 tool {NO_LOCAL}\n"));
}

#[tokio::test]
async fn a_provider_that_only_an_absent_module_may_use_is_not_certain() {
    let wrong = |alias: &str| format!("provider \"aws\" {{\n  x = var.nope\n{alias}}}\n");
    let users = "output \"o\" { value = [module.m.o, local.nope] }\noutput \"p\" { value = local.nope }\n";
    let call = "module \"m\" {\n  source = \"REMOTE\"\n}\n";
    let uncertain =
        format!("main.tf:2 tool-later {NO_VARIABLE}\nmain.tf:7 tool-later {NO_LOCAL}\nmain.tf:8 tool {NO_LOCAL}\n");
    assert_eq!(errors(&[("main.tf", &(wrong("") + call + users))]).await, uncertain);
    let passed = "module \"m\" {\n  source = \"./c\"\n  providers = { aws = aws.x }\n}\n";
    let child = format!("{}output \"o\" {{ value = module.m.o }}\n", call);
    let found = errors(&[("main.tf", &(wrong("  alias = \"x\"\n") + passed + users)), ("c/main.tf", &child)]).await;
    assert_eq!(
        found,
        format!("main.tf:2 tool-later {NO_VARIABLE}\nmain.tf:9 tool-later {NO_LOCAL}\nmain.tf:10 tool {NO_LOCAL}\n")
    );
    // The module gets another configuration instead, so nothing uses this one.
    let other = "module \"m\" {\n  source = \"REMOTE\"\n  providers = { aws = aws.y }\n}\nprovider \"aws\" {\n  alias = \"y\"\n}\n";
    assert_eq!(
        errors(&[("main.tf", &(wrong("") + other + users))]).await,
        format!("main.tf:11 tool {NO_LOCAL}\nmain.tf:12 tool {NO_LOCAL}\n")
    );
}

const RUN: &str = "run \"v\" {\n  command = plan\n  module {\n    source = \"./examples/e\"\n  }\n}\n";

#[tokio::test]
async fn a_module_of_a_test_file_may_call_the_root_module() {
    let tree = |main: &str, example: &str| {
        [("main.tf", main.to_owned()), ("examples/e/main.tf", example.to_owned()), ("tests/a.tftest.hcl", RUN.into())]
    };
    let ask = async |main: &str, example: &str| {
        let files = tree(main, example);
        errors(&files.each_ref().map(|(name, text)| (*name, text.as_str()))).await
    };
    let call = |argument: &str| format!("module \"m\" {{\n  source = \"../..\"\n{argument}}}\n");
    assert_eq!(ask("variable \"x\" {}\n", &call("  x = 1\n")).await, "");
    assert_eq!(ask("variable \"x\" {}\n", &call("")).await, "examples/e/main.tf:1 tool Missing required argument\n");
    assert_eq!(
        ask("variable \"x\" {\n  type = list(string)\n}\n", &call("  x = 7\n")).await,
        "examples/e/main.tf:3 tool Invalid value for input variable\n"
    );
    // Only in a root module is this output wrong.
    let sensitive = "variable \"x\" {\n  sensitive = true\n}\noutput \"o\" {\n  value = var.x\n}\n";
    let example = call("  x = 1\n") + "output \"p\" {\n  value = [module.m.o, local.nope]\n}\n";
    assert_eq!(
        ask(sensitive, &example).await,
        format!("examples/e/main.tf:6 tool {NO_LOCAL}\nmain.tf:4 tool Output refers to sensitive values\n")
    );
}

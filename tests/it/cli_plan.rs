//! `overfold plan`: options, formats, exit codes, and which files are read.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::{folder, overfold, path, run};

const MAIN: &str = "variable \"size\" {\n  type = number\n}\n\noutput \"size\" {\n  value = var.size\n}\n";

/// Runs the command in a folder below a new one, and returns its exit code, the answer and standard error.
fn answer(folder: &TempDir, dir: &str, args: &[&str]) -> (i32, Value, String) {
    let dir = format!("{}/{dir}", path(folder));
    let (code, out, err) = run(&[&["plan", &dir, "--format", "json"], args].concat());
    (code, serde_json::from_str(&out).unwrap_or(Value::Null), err)
}

/// Returns code, file and line of each finding.
fn findings(answer: &Value) -> Vec<(String, String)> {
    let all = answer["diagnostics"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    all.map(|found| (text(&found["code"]), text(&found["range"]["filename"]))).collect()
}

#[test]
fn values_come_from_options_and_files() {
    let folder = folder(&[("a/main.tf", MAIN), ("common.tfvars", "size = 1\n"), ("a/x.txt", "size = 2\n")]);
    let absolute = format!("{}/common.tfvars", path(&folder));
    for args in [
        &["--var", "size=3"][..],
        &["--env", "TF_VAR_size=3"],
        &["--var-file", "../common.tfvars"],
        &["--var-file", "x.txt"],
        &["--var-file", &absolute],
        &["--unset-variables"],
        &["--unset-variables", "unknown"],
        &["--unset-variables=unknown"],
    ] {
        let (code, answer, err) = answer(&folder, "a", args);
        assert_eq!((code, answer["valid"].as_bool()), (0, Some(true)), "{args:?}: {err}");
    }
    let (code, answer, err) = answer(&folder, "a", &["--unset-variables=error"]);
    assert_eq!((code, findings(&answer)), (1, vec![("variable/not-set".to_owned(), "main.tf".to_owned())]), "{err}");
    assert!(err.contains("main.tf:1:1"), "{err}");
    assert_eq!(err.matches("--unset-variables").count(), 1, "{err}");
}

#[test]
fn required_variables_are_listed_together() {
    let names: Vec<String> = (0..120).map(|n| format!("v{n}")).collect();
    let main: String = names.iter().flat_map(|name| ["variable \"", name, "\" {}\n"]).collect();
    let folder = folder(&[("a/main.tf", main.as_str())]);
    let (code, answer, err) = answer(&folder, "a", &[]);
    assert_eq!((code, findings(&answer).len()), (1, 120));
    assert_eq!(err.matches("[variable/not-set]").count(), 1, "{err}");
    assert_eq!((err.matches("  --> main.tf:").count(), err.matches("... and 20 more").count()), (100, 1), "{err}");
    for option in ["--var ", "--var-file ", "--unset-variables"] {
        assert_eq!(err.matches(option).count(), 1, "{option}: {err}");
    }
    assert!(err.contains("120 errors"), "{err}");
}

#[test]
fn modules_are_read_wherever_they_lie() {
    let folder = folder(&[
        (
            "live/prod/main.tf",
            "module \"a\" {\n  source = \"../../modules/a\"\n}\nmodule \"b\" {\n  source = \"./b\"\n}\n",
        ),
        ("live/prod/b/main.tf", ""),
        ("modules/a/main.tf", "module \"c\" {\n  source = \"../c\"\n}\n"),
        ("modules/c/main.tf", "output \"o\" {\n  value = var.none\n}\n"),
        // Nothing names these.
        ("modules/broken/main.tf", "}"),
        ("live/prod/other/main.tf", "}"),
    ]);
    let (code, answer, err) = answer(&folder, "live/prod", &[]);
    let found = findings(&answer);
    assert_eq!((code, found.len()), (1, 1), "{found:?} {err}");
    assert_eq!(found[0].1, "../../modules/c/main.tf");
    fs::write(folder.path().join("modules/c/main.tf"), "").unwrap();
    let (code, answer, err) = self::answer(&folder, "live/prod", &[]);
    assert_eq!((code, findings(&answer)), (0, vec![]), "{err}");
    // The folder may be named in any way.
    let output =
        overfold().arg("plan").args(["--format", "json"]).current_dir(folder.path().join("live/prod")).output();
    assert_eq!(output.unwrap().status.code(), Some(0));
    let output = overfold()
        .arg("plan")
        .args(["--format", "json", "../prod/."])
        .current_dir(folder.path().join("live/prod"))
        .output();
    assert_eq!(output.unwrap().status.code(), Some(0));
}

#[test]
fn a_module_that_is_not_there_is_reported() {
    let up = "../".repeat(40);
    for source in [&format!("{up}x/y"), "../nowhere", "../b", "./main.tf"] {
        let main = format!("module \"m\" {{\n  source = \"{source}\"\n}}\n");
        let folder = folder(&[("a/main.tf", &main), ("b", "a file")]);
        let (code, answer, err) = answer(&folder, "a", &[]);
        assert!(code < 2, "{source}: {err}");
        assert_eq!(findings(&answer).len(), 1, "{source}: {answer}");
    }
}

#[test]
fn an_empty_folder_is_a_mistake() {
    let folder = folder(&[("a/readme.txt", ""), ("b/main.tf", "")]);
    let (code, _, err) = answer(&folder, "a", &[]);
    assert_eq!(code, 1);
    assert!(err.contains("--allow-empty"), "{err}");
    assert_eq!(answer(&folder, "a", &["--allow-empty"]).0, 0);
    assert_eq!(answer(&folder, "b", &[]).0, 0);
}

#[test]
fn files_are_read_if_something_names_them() {
    // A validation shows what a function returns, and is checked without any plan.
    let rule = |condition: &str| {
        format!(
            "variable \"v\" {{\n  default = 1\n  validation {{\n    condition = {condition} && var.v == 1\n    \
             error_message = \"No.\"\n  }}\n}}\n"
        )
    };
    let holds = |condition: &str| {
        let folder = folder(&[
            ("a/main.tf", &rule(condition)),
            ("a/x.txt", "x"),
            ("up.txt", "${y}!"),
            ("a/deep/er/z.json", "{}"),
            ("a/deep/w.json", "{}"),
        ]);
        let (code, answer, err) = answer(&folder, "a", &[]);
        assert!(code < 2, "{err}");
        (code, answer["diagnostics"].as_array().unwrap().len())
    };
    for condition in [
        "file(\"x.txt\") == \"x\"",
        "file(\"${path.module}/../up.txt\") != \"\"",
        "templatefile(\"../up.txt\", {y = 1}) == \"1!\"",
        "fileexists(\"x.txt\")",
        "!fileexists(\"nowhere/x.txt\")",
        "!fileexists(\"../x.txt\")",
        "filemd5(\"x.txt\") == md5(\"x\")",
        "fileset(path.module, \"*.txt\") == toset([\"x.txt\"])",
        "fileset(\"deep\", \"*.json\") == toset([\"w.json\"])",
        "fileset(\"deep\", \"**/*.json\") == toset([\"w.json\", \"er/z.json\"])",
        "fileset(path.module, \"deep/*/*.json\") == toset([\"deep/er/z.json\"])",
        "fileset(\"..\", \"*.txt\") == toset([\"up.txt\"])",
    ] {
        assert_eq!(holds(condition), (0, 0), "{condition}");
        assert_eq!(holds(&format!("!({condition})")).0, 1, "not {condition}");
    }
}

#[test]
fn what_nothing_names_costs_nothing() {
    let folder = folder(&[("a/main.tf", ""), ("a/big.bin", &"x".repeat(10_000))]);
    for n in 0..50 {
        fs::create_dir_all(folder.path().join(format!("a/node_modules/{n}"))).unwrap();
        fs::write(folder.path().join(format!("a/node_modules/{n}/main.tf")), "}").unwrap();
    }
    let limits = ["--max-entries", "3", "--max-file-bytes", "100", "--max-unpacked-bytes", "1000"];
    let (code, answer, err) = answer(&folder, "a", &limits);
    assert_eq!((code, answer["valid"].as_bool()), (0, Some(true)), "{err}");
    fs::write(folder.path().join("a/main.tf"), "locals {\n}\n").unwrap();
    let (code, _, err) = run(&["plan", &format!("{}/a", path(&folder)), "--max-file-bytes", "1"]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("max-file-bytes"), "{err}");
}

#[test]
fn links_are_followed() {
    let folder = folder(&[
        ("a/main.tf", "module \"m\" {\n  source = \"./linked\"\n}\n"),
        ("else/where/main.tf", "module \"n\" {\n  source = \"../n\"\n}\n"),
        ("else/n/main.tf", "output \"o\" {\n  value = var.none\n}\n"),
        ("real.tf", "output \"p\" {\n  value = var.none\n}\n"),
    ]);
    symlink("../else/where", folder.path().join("a/linked")).unwrap();
    symlink("../real.tf", folder.path().join("a/linked.tf")).unwrap();
    let (code, answer, err) = answer(&folder, "a", &[]);
    assert_eq!((code, findings(&answer).len()), (1, 2), "{answer} {err}");
    // A broken link to a configuration file is what the tool cannot read either.
    symlink("nowhere", folder.path().join("a/broken.tf")).unwrap();
    let (code, _, err) = self::answer(&folder, "a", &[]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("broken.tf"), "{err}");
    fs::remove_file(folder.path().join("a/broken.tf")).unwrap();
    // The folder itself may be a link, and one may lead in a circle.
    symlink("a", folder.path().join("b")).unwrap();
    symlink("..", folder.path().join("a/up")).unwrap();
    let (code, answer, err) = self::answer(&folder, "b", &[]);
    assert_eq!((code, findings(&answer).len()), (1, 2), "{answer} {err}");
}

#[test]
fn formats_and_exit_codes() {
    let folder = folder(&[("main.tf", MAIN), ("broken/main.tf", "output \"o\" {")]);
    let broken = format!("{}/broken", path(&folder));
    // Standard output is not a terminal, so the document is the default; here there is none.
    let (code, out, err) = run(&["plan", &broken]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("main.tf:1"), "{err}");
    let (code, out, _) = run(&["plan", &broken, "--format", "sarif"]);
    assert_eq!(code, 1);
    assert!(out.contains("\"2.1.0\""), "{out}");
    let (code, out, _) = run(&["plan", path(&folder), "--format", "text", "--unset-variables"]);
    assert_eq!(code, 0);
    assert!(!out.is_empty());
    for wrong in [
        &["--format", "yaml"][..],
        &["--dialect", "tflint"],
        &["--timestamp", "now"],
        &["--workspace", "a b"],
        &["--module-source", "a/b/c"],
        &["--module-source", "./a=."],
        &["--module-source", "a/b/c=nowhere"],
        &["--assume", "nowhere.json"],
        &["--version", "0.9"],
        &["--env", "TF_WORKSPACE=a/b"],
    ] {
        let (code, out, err) = run(&[&["plan", path(&folder)], wrong].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{wrong:?}: {err}");
        assert!(!err.is_empty(), "{wrong:?}");
    }
    assert_eq!(run(&["plan", &format!("{}/nowhere", path(&folder))]).0, 2);
    let (code, _, err) = run(&["plan", &format!("{}/main.tf", path(&folder))]);
    assert_eq!(code, 2);
    assert!(err.contains("folder"), "{err}");
}

const CALLS: &str = r#"module "m" {
  source = "git::https://example.com/x?ref=v1"
}
data "a_b" "c" {}
output "path" {
  value = module.m.path
}
output "id" {
  value = data.a_b.c.id
}
"#;

/// Returns the planned value of an output.
fn output<'a>(answer: &'a Value, name: &str) -> &'a Value {
    &answer["plan"]["planned_values"]["outputs"][name]["value"]
}

/// Returns the kinds of what was not given.
fn missing(answer: &Value) -> Vec<&str> {
    answer["missing"].as_array().unwrap().iter().map(|missing| missing["kind"].as_str().unwrap()).collect()
}

#[test]
fn assumed_objects_and_places_of_modules_are_read() {
    let folder = folder(&[
        ("a/main.tf", CALLS),
        ("vendor/x/main.tf", "output \"path\" {\n  value = path.module\n}\n"),
        ("known.json", "{\"data.a_b.c\": {\"id\": \"x\"}}"),
        ("bad.json", "{\"data.a_b\": {}}"),
        ("list.json", "[]"),
    ]);
    let vendor = format!("git::https://example.com/x?ref=v1={}/vendor/x", path(&folder));
    let file = |name: &str| format!("{}/{name}", path(&folder));
    let (code, answer, err) =
        answer(&folder, "a", &["--version", "1.11.4", "--module-source", &vendor, "--assume", &file("known.json")]);
    assert!(code < 2 && answer["diagnostics"].is_array(), "{err}");
    // Both change the plan.
    let values = |answer: &Value| (output(answer, "path").clone(), output(answer, "id").clone());
    assert_eq!(values(&answer), (json!(".terraform/modules/m"), json!("x")), "{answer}");
    assert_eq!(missing(&answer), ["provider-schema"]);
    let (_, without, _) = self::answer(&folder, "a", &["--version", "1.11.4"]);
    assert_eq!(values(&without), (Value::Null, Value::Null), "{without}");
    assert_eq!(missing(&without), ["provider-schema", "module", "data-source"], "{without}");
    let (_, known, _) = self::answer(&folder, "a", &["--version", "1.11.4", "--assume", &file("known.json")]);
    assert_eq!(values(&known), (Value::Null, json!("x")), "{known}");
    let (_, found, _) = self::answer(&folder, "a", &["--version", "1.11.4", "--module-source", &vendor]);
    assert_eq!(values(&found), (json!(".terraform/modules/m"), Value::Null), "{found}");
    for (name, hint) in [("bad.json", "address"), ("list.json", "list.json")] {
        let (code, _, err) = self::answer(&folder, "a", &["--assume", &file(name)]);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains(hint), "{err}");
    }
}

const LINKED: &str = r#"module "s" {
  source = "./sub"
}
module "u" {
  source = "../up"
}
output "all" {
  value = [path.module, module.s.path, module.u.path, file("${path.module}/x.txt"), file("${path.module}/../up/x.txt")]
}
"#;

#[test]
fn modules_behind_links_are_named_by_where_they_are() {
    let of = |name: &str, source: &str| {
        format!(
            "module \"{name}\" {{\n  source = \"{source}\"\n}}\noutput \"{name}\" {{\n  value = module.{name}.all\n}}\n"
        )
    };
    let main =
        [of("file", "./link"), of("below", "./folder/link"), of("above", "./above/deep"), of("chain", "./chain")];
    let inside = of("inside", "./inside");
    let folder = folder(&[
        ("root/main.tf", &(main.concat() + &inside)),
        ("root/folder/other.txt", ""),
        ("root/own/main.tf", "output \"all\" {\n  value = path.module\n}\n"),
        ("real/deep/main.tf", LINKED),
        ("real/deep/x.txt", "x"),
        ("real/deep/sub/main.tf", "output \"path\" {\n  value = path.module\n}\n"),
        ("real/up/main.tf", "output \"path\" {\n  value = path.module\n}\n"),
        ("real/up/x.txt", "y"),
    ]);
    let link = |from: &str, to: &str| symlink(to, folder.path().join(from)).unwrap();
    link("root/link", "../real/deep");
    link("root/folder/link", "../../real/deep");
    link("root/above", "../real");
    link("root/chain", "folder/link");
    link("root/inside", "own");
    let (code, answer, err) = answer(&folder, "root", &["--version", "1.11.4"]);
    assert_eq!((code, &answer["exact"]), (0, &json!(true)), "{err} {answer}");
    let wanted = json!(["../real/deep", "../real/deep/sub", "../real/up", "x", "y"]);
    for name in ["file", "below", "above", "chain"] {
        assert_eq!(output(&answer, name), &wanted, "{name}");
    }
    assert_eq!(output(&answer, "inside"), &json!("own"));
}

#[test]
fn the_path_behind_an_absolute_link_is_not_known() {
    let folder = folder(&[
        ("root/main.tf", "module \"a\" {\n  source = \"./a\"\n}\noutput \"path\" {\n  value = module.a.path\n}\n"),
        ("real/main.tf", "output \"path\" {\n  value = path.module\n}\n"),
    ]);
    for target in [folder.path().join("real"), "../../".into()] {
        // The other way to the same folder leads up further than it has to.
        let target =
            if target.is_absolute() { target } else { target.join(folder.path().file_name().unwrap()).join("real") };
        symlink(target, folder.path().join("root/a")).unwrap();
        let (code, answer, err) = answer(&folder, "root", &["--version", "1.11.4"]);
        assert_eq!((code, output(&answer, "path")), (0, &Value::Null), "{err} {answer}");
        assert_eq!((&answer["exact"], missing(&answer)), (&json!(false), vec!["file"]), "{answer}");
        fs::remove_file(folder.path().join("root/a")).unwrap();
    }
}

#[test]
fn an_empty_folder_has_no_document() {
    let folder = folder(&[("a/readme.md", "")]);
    let dir = format!("{}/a", path(&folder));
    for format in ["document", "json", "text", "sarif"] {
        let (code, out, err) = run(&["plan", &dir, "--format", format]);
        assert_eq!((code, out.is_empty()), (1, format == "document"), "{format}: {out}");
        assert!(!err.is_empty(), "{format}");
        let (code, out, _) = run(&["plan", &dir, "--format", format, "--allow-empty"]);
        assert_eq!((code, out.is_empty()), (0, false), "{format}");
    }
}

/// Whatever path leads there: the environment of the process, its memory, the kernel's log, pipes.
#[cfg(target_os = "linux")]
#[test]
fn what_the_kernel_shows_is_not_read() {
    let outside = tempfile::tempdir().unwrap();
    let folder = folder(&[("a/b.txt", "")]);
    let dir = fs::canonicalize(folder.path().join("a")).unwrap();
    let up = "../".repeat(dir.components().count() - 1);
    for (name, target) in [
        ("link", "/proc/self"),
        ("environ", "/proc/self/environ"),
        ("fd", "/dev/fd"),
        ("system", "/sys/kernel"),
        ("stdin", "/dev/stdin"),
        ("inner", "link"),
    ] {
        symlink(target, dir.join(name)).unwrap();
    }
    symlink(dir.join("link"), outside.path().join("second")).unwrap();
    symlink(outside.path().join("second"), dir.join("chain")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(dir.join("pipe")).status().unwrap();
    assert!(made.success());
    // What is below the kernel's folders is as if it were not there; of what stands there itself but is no file,
    // nothing is known.
    let (missing, unknown) = (false, true);
    for (name, is_unknown) in [
        (&*format!("{up}proc/self/environ"), missing),
        (&format!("{up}proc/self/mem"), missing),
        (&format!("{up}proc/kmsg"), missing),
        (&format!("{up}sys/kernel/notes"), missing),
        (&format!("{up}dev/fd/0"), missing),
        ("link/environ", missing),
        ("inner/environ", missing),
        ("chain/environ", missing),
        ("fd/0", missing),
        ("system/notes", missing),
        (&format!("{up}dev/zero"), unknown),
        (&format!("{up}dev/stdin"), unknown),
        ("environ", unknown),
        ("stdin", unknown),
        ("pipe", unknown),
    ] {
        for call in [format!("file(\"{name}\")"), format!("try(filemd5(\"{name}\"), \"none\")")] {
            fs::write(dir.join("main.tf"), format!("output \"o\" {{\n  value = {call}\n}}\n")).unwrap();
            let mut command = overfold();
            let stdin = fs::File::open(dir.join("main.tf")).unwrap();
            command.args(["plan", "--format", "json"]).arg(&dir).env("CI_TOKEN", "SECRETenv9").stdin(stdin);
            let output = command.output().unwrap();
            let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
            assert!(!out.contains("SECRETenv9") && !err.contains("SECRETenv9"), "{call}");
            let answer: Value = serde_json::from_str(&out).unwrap();
            let change = &answer["plan"]["output_changes"]["o"];
            let is_tried = call.starts_with("try");
            let is_refused = out.contains("is not among the given files");
            assert_eq!(is_refused, !is_tried && !is_unknown, "{call}: {out}");
            // There is no plan after an error.
            let after_unknown = if is_refused { Value::Null } else { json!(is_unknown) };
            assert_eq!(change["after_unknown"], after_unknown, "{call}: {err}");
            assert_eq!(change["after"], if is_tried && !is_unknown { json!("none") } else { Value::Null }, "{call}");
            assert_eq!(output.status.code(), Some(i32::from(is_refused)), "{call}: {err}");
        }
    }
    let lists = format!(
        "output \"o\" {{\n  value = length(fileset(\"{up}proc\", \"**\")) + length(fileset(\"link\", \"*\"))\n}}\n"
    );
    fs::write(dir.join("main.tf"), lists).unwrap();
    let (code, answer, err) = answer(&folder, "a", &[]);
    // Nothing, or unknown because of the link.
    assert_eq!((code, output(&answer, "o").as_u64().unwrap_or(0)), (0, 0), "{answer} {err}");
    let (code, _, err) = run(&["plan", "/proc/self"]);
    assert_eq!(code, 2);
    assert!(err.contains("kernel"), "{err}");
}

/// What is read may name more again and again: the module is evaluated once all the same.
#[test]
fn a_chain_of_files_is_read_in_one_pass() {
    let mut files: Vec<(String, String)> = (0..400).map(|at| (format!("f{at}"), format!("f{}", at + 1))).collect();
    files.push(("f400".to_owned(), "end".to_owned()));
    let chain: String =
        (0..400).flat_map(|at| ["  l", &format!("{} = file(local.l{at})\n", at + 1)].map(str::to_owned)).collect();
    let costly = "length([for i in range(100) : [for j in range(100) : i * j]])";
    let outputs = format!("output \"o\" {{\n  value = \"${{local.l400}} ${{{costly}}}\"\n}}\n");
    files.push(("main.tf".to_owned(), format!("locals {{\n  l0 = file(\"f0\")\n{chain}}}\n{outputs}")));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = folder(&files);
    // Twice the work would be over the limit.
    let (code, answer, err) = answer(&folder, "", &["--max-work-units", "1000000"]);
    assert_eq!((code, output(&answer, "o")), (0, &json!("end 100")), "{err}");
}

#[test]
fn what_is_known_is_given_attribute_by_attribute() {
    let main = "data \"a_b\" \"c\" {\n}\noutput \"o\" {\n  value = [data.a_b.c.id, data.a_b.c.n, data.a_b.c.x]\n}\n";
    let known = r#"{"data.a_b.c": {"id": "file", "n": 1}}"#;
    let folder = folder(&[("a/main.tf", main), ("known.json", known)]);
    let file = format!("{}/known.json", path(&folder));
    let args = ["--assume", "data.a_b.c.id=\"x=y\"", "--assume", &file, "--assume", "data.a_b.c.x=[true]"];
    let (code, answer, err) = answer(&folder, "a", &args);
    assert_eq!(code, 0, "{err}");
    assert_eq!(answer["plan"]["planned_values"]["outputs"]["o"]["value"], json!(["x=y", 1, [true]]));
    for (wrong, hint) in [
        ("data.a_b.c.id=text", "a text needs quotes"),
        ("data.a_b=1", "ADDRESS.ATTRIBUTE=JSON"),
        ("nowhere.json", "nowhere.json"),
    ] {
        let (code, _, err) = self::answer(&folder, "a", &["--assume", wrong]);
        assert_eq!((code, err.contains(hint)), (2, true), "{wrong}: {err}");
    }
}

#[test]
fn the_folder_is_the_directory_of_the_tool() {
    let main = "output \"o\" {\n  value = [path.cwd, abspath(\"../x\"), file(\"${path.cwd}/../x.txt\")]\n}\n";
    let folder = folder(&[("a/main.tf", main), ("x.txt", "x")]);
    let real = fs::canonicalize(folder.path()).unwrap();
    let real = real.to_str().unwrap();
    let (code, answer, err) = answer(&folder, "a/../a", &["--version", "1.11.4"]);
    assert_eq!((code, &answer["exact"], &answer["missing"]), (0, &json!(true), &json!([])), "{err}");
    let value = &answer["plan"]["planned_values"]["outputs"]["o"]["value"];
    assert_eq!(value, &json!([format!("{real}/a"), format!("{real}/x"), "x"]));
    let (_, answer, err) = self::answer(&folder, "a", &["--cwd", "/srv/a"]);
    let value = &answer["plan"]["planned_values"]["outputs"]["o"]["value"];
    assert_eq!(value, &json!(["/srv/a", "/srv/x", "x"]), "{err}");
}

#[test]
fn every_root_module_of_a_repository_is_planned() {
    let backend = "terraform {\n  backend \"local\" {}\n}\n";
    let prod = format!(
        "{backend}module \"m\" {{\n  source = \"../modules/m\"\n}}\noutput \"o\" {{\n  value = module.m.o\n}}\n"
    );
    let folder = folder(&[
        ("prod/main.tf", &prod),
        ("dev/main.tf", &format!("{backend}output \"o\" {{\n  value = var.none\n}}\n")),
        ("modules/m/main.tf", "output \"o\" {\n  value = 1\n}\n"),
    ]);
    let (code, all, err) = answer(&folder, ".", &["--recursive"]);
    let plans = all["plans"].as_object().unwrap();
    assert!(code == 1 && plans.keys().eq(["dev", "prod"]), "{err}");
    assert_eq!(plans["prod"]["plan"]["output_changes"]["o"]["after"], 1);
    assert_eq!(plans["dev"]["diagnostics"][0]["range"]["filename"], "dev/main.tf");
    assert!(err.contains("dev/main.tf:5:11"), "{err}");
    let (code, some, _) = answer(&folder, ".", &["--recursive", "--paths", "modules/m/main.tf"]);
    assert_eq!((code, some["plans"].as_object().unwrap().len()), (0, 1));
    let (code, out, _) = run(&["plan", path(&folder), "--recursive", "--format", "text"]);
    assert!(code == 1 && out.starts_with("== dev\n") && out.contains("\n== prod\n"), "{out}");
    let (code, _, err) = run(&["plan", path(&folder), "--recursive", "--format", "document"]);
    assert!(code == 2 && err.contains("--format json for everything"), "{err}");
    let (code, _, err) = run(&["plan", &format!("{}/modules", path(&folder)), "--recursive", "--format", "json"]);
    assert!(code == 1 && err.contains("no root module"), "{err}");
}

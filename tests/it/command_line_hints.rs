//! What the command says when it cannot do what was typed: the suggestion that a person would give, and links, which it
//! follows wherever the person may read.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::cli::{folder, overfold, path, run};

const MAIN: &str = "locals {\n  a = 1\n}\n";

fn said(args: &[&str], at: &Path) -> (i32, String, String) {
    let output = overfold().args(args).current_dir(at).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn names_versions_and_paths_that_are_nearly_right() {
    let here = folder(&[("examples/web/main.tf", MAIN), ("main.tf", MAIN), ("prod.tfvars", "")]);
    for (args, wanted) in [
        (&["merge", ".", "--version", "0.11"][..], "dialect \"terraform-0.11\""),
        (&["merge", ".", "--version", "latest"], "Leave the version out"),
        (&["merge", ".", "--version", "1.5.x"], "Did you mean \"1.5\"?"),
        (&["merge", ".", "--dialect", "tofu"], "'opentofu'"),
        (&["merge", ".", "--dialect", "OpenTofu"], "'opentofu'"),
        (&["merge", ".", "--dialect", "terraform0.11"], "'terraform-0.11'"),
        (&["diff", ".", "--after-dialect", "tofu"], "'opentofu'"),
        (&["compatibility", ".", "--dialect", "Terraform"], "'terraform'"),
        (&["examples/web"], "overfold merge examples/web"),
        (&["main.tf"], "overfold merge ."),
        (&["merge", "main.tf"], "name the folder instead: ."),
        (&["merge", "examples/web/main.tf"], "name the folder instead: examples/web"),
        (&["compatibility", "examples/web/main.tf"], "name the folder instead: examples/web"),
        (&["diff", "examples/web/main.tf", "main.tf"], "name the folder instead: examples/web"),
        (&["merge", "prod.tfvars"], ". --var-file prod.tfvars"),
        (&["merge", "examples/web/main.tf", "main.tf"], "name the folder"),
        (&["explain", "content-lost"], "overfold explain override/content-lost"),
        (&["explain", "override/content-lots"], "overfold explain override/content-lost"),
        (&["explain", "Content_Lost"], "overfold explain override/content-lost"),
    ] {
        let (code, out, err) = said(args, here.path());
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(wanted), "{args:?}: {err}");
    }
    assert_eq!(said(&["merge", ".", "--version", "v1.5"], here.path()).0, 0);
    let (code, out, _) = run(&["explain", "override"]);
    assert!(code == 0 && out.contains("override/content-lost: ") && !out.contains("load/"), "{out}");
}

/// Whoever reads a message of the service knows its options by other names.
#[test]
fn messages_name_the_option_that_helps() {
    let here = folder(&[("main.tf", MAIN), ("called/main.tf", "variable \"v\" {}\n")]);
    for (args, wanted) in [
        (&["merge", ".", "--max-work-units", "5"][..], "max-work-units of 5; --max-work-units raises it"),
        (&["plan", ".", "--max-work-units", "5"], "--max-work-units raises it"),
        (&["merge", ".", "--root", "x"], "overfold: --root \"x\" is not in the files"),
        (&["merge", ".", "--path-prefix", ".."], "overfold: --path-prefix is \"..\""),
        (&["merge", ".", "--severity", "override/content-lots=error"], "overfold: --severity: "),
        (&["merge", ".", "--severity", "x=error"], " `overfold explain` lists the codes"),
        (&["merge", ".", "--resolve"], "give --values, --var or --var-file"),
        (&["merge", ".", "--provider-schemas", "no"], "overfold: --provider-schemas no: "),
        (&["merge", ".", "--provider-schemas", "main.tf"], "`terraform providers schema -json`"),
        (&["merge", ".", "--env", "NO_SUCH_VARIABLE"], "--env NO_SUCH_VARIABLE=VALUE gives one"),
        (&["plan", ".", "--assume", "no"], "overfold: --assume no: "),
        (&["plan", ".", "--module-source", "a/b/c=no"], "overfold: --module-source a/b/c=no: "),
        (&["plan", ".", "--recursive", "--format", "document"], "--format json"),
        (&["plan", "main.tf"], "name the folder instead: ."),
        (&["plan-diff", "."], "BASE...HEAD"),
        (&["diff", ".", "no/such"], "\"no/such\" is no path"),
        (&["upgrade", "."], "such as --to 1.15"),
        (&["upgrade", ".", "--to", "9.9"], "overfold: --to: "),
        (&["upgrade", ".", "--from", "9.9", "--to", "1.15"], "overfold: --from: "),
        (&["diff", ".", "--after-version", "9.9"], "overfold: --after-version: "),
    ] {
        let (code, _, err) = said(args, here.path());
        assert!(code == 2 && err.contains(wanted), "{args:?}: {err}");
    }
    let (code, text, err) = said(&["upgrade", ".", "--recursive", "--to", "1.15", "--format", "text"], here.path());
    assert!(code == 0 && err.contains("without --recursive"), "{text} {err}");
    let (_, text, _) = said(&["plan", "called", "--unset-variables", "--format", "text"], here.path());
    assert!(text.contains("the value of the variable v; give --var v=VALUE"), "{text}");
}

#[test]
fn a_folder_without_configuration_is_a_mistake_unless_allowed() {
    let empty = folder(&[("README.md", "x"), ("sub/notes.txt", "x")]);
    for args in [&["merge"][..], &["merge", "--recursive"], &["compatibility"], &["merge", "--dialect", "tflint"]] {
        let args = [args, &[path(&empty)]].concat();
        let (code, _, err) = run(&args);
        assert!(code == 1 && err.contains("--allow-empty"), "{args:?}: {err}");
        let (code, _, err) = run(&[&args[..], &["--allow-empty"]].concat());
        assert!(code == 0 && !err.contains("--allow-empty"), "{args:?}: {err}");
    }
    let below = folder(&[("modules/a/main.tf", MAIN)]);
    assert_eq!(run(&["merge", path(&below)]).0, 1);
    assert_eq!(run(&["merge", path(&below), "--recursive"]).0, 0);
    for command in ["diff", "plan-diff"] {
        let (code, _, err) = run(&[command, path(&below), path(&empty)]);
        assert!(code == 2 && err.contains("nothing was compared"), "{err}");
        assert_eq!(run(&[command, path(&below), path(&empty), "--allow-empty"]).0, 0);
    }
    assert_eq!(run(&["diff", path(&below), path(&empty), "modules/a"]).0, 2, "only one side has the folder");
    assert_eq!(run(&["diff", path(&below), path(&below), "modules/a"]).0, 0);
    assert_eq!(run(&["diff", path(&below), path(&empty), "--recursive"]).0, 1);
}

#[cfg(unix)]
#[test]
fn links_are_followed_wherever_they_lead() {
    use std::os::unix::fs::symlink;
    let top = folder(&[
        ("common/variables.tf", "variable \"size\" {\n  default = 3\n}\n"),
        ("common/net/main.tf", "variable \"a\" {}\n"),
        ("common/text.txt", "hello"),
        ("common/prod.tfvars", "size = 7\n"),
        (
            "envs/prod/main.tf",
            "module \"net\" {\n  source = \"./modules/net\"\n}\nvariable \"t\" {\n  default = \"x\"\n  validation {\n    condition     = file(\"text.txt\") == \"hello\" && var.t != \"\"\n    error_message = \"No.\"\n  }\n}\n",
        ),
    ]);
    let prod = top.path().join("envs/prod");
    let absolute = fs::canonicalize(top.path()).unwrap().join("common/text.txt");
    for (target, name) in [
        ("../../common/variables.tf", "variables.tf"),
        ("../../common", "modules"),
        (absolute.to_str().unwrap(), "text.txt"),
        ("../../common/prod.tfvars", "terraform.tfvars"),
        ("somebody@host.1234", ".#main.tf"),
        ("/dev/null", "disabled.tf"),
        ("../..", "up"),
        ("/", "disk"),
        ("gone", "gone.txt"),
        ("/dev/zero", "zero.bin"),
    ] {
        symlink(target, prod.join(name)).unwrap();
    }
    let (code, out, err) = said(&["merge", ".", "--values", "--include", "variables,files"], &prod);
    assert_eq!(code, 0, "{out} {err}");
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["module"]["variables"]["size"]["value"], 7, "{out}");
    assert!(!out.contains(".#main.tf\\\" is"), "{out}");
    let codes: Vec<_> = answer["diagnostics"].as_array().unwrap().iter().map(|one| &one["code"]).collect();
    assert!(codes.iter().all(|code| *code == "load/special-entry-skipped"), "{out}");
    // The call is checked against the module behind the link.
    let (code, _, err) = said(&["merge", ".", "--recursive"], &prod);
    assert!(code == 1 && err.contains("Missing required argument"), "{err}");
}

#[cfg(unix)]
#[test]
fn what_no_expression_names_is_never_read() {
    use std::os::unix::fs::symlink;
    let other = folder(&[("big.bin", &"x".repeat(5000)), ("seen.txt", "yes")]);
    let text = "variable \"v\" {\n  default = \"x\"\n  validation {\n    condition     = file(\"seen.txt\") == \"yes\" && var.v != \"\"\n    error_message = \"No.\"\n  }\n}\n";
    let here = folder(&[("main.tf", text), ("beside.bin", &"x".repeat(5000))]);
    for name in ["big.bin", "seen.txt"] {
        symlink(other.path().join(name), here.path().join(name)).unwrap();
    }
    let args = ["merge", path(&here), "--values", "--max-file-bytes", "1000", "--format", "text"];
    let (code, out, err) = run(&args);
    assert_eq!(code, 0, "{out} {err}");
    assert!(!err.contains("undecided"), "{err}");
    fs::write(here.path().join("main.tf"), text.replace("seen.txt", "big.bin")).unwrap();
    let (code, _, err) = run(&args);
    assert!(code == 2 && err.contains("max-file-bytes"), "{err}");
}

#[cfg(unix)]
#[test]
fn each_cause_has_its_own_message() {
    use std::os::unix::fs::symlink;
    for (target, wanted) in [
        ("gone.tf", "it is a link to \"gone.tf\", which cannot be read (No such file"),
        ("../gone.tf", "it is a link to \"../gone.tf\", which cannot be read (No such file"),
        ("main.tf", "it is a link to \"main.tf\", which cannot be read (Too many levels"),
    ] {
        let here = folder(&[("other.tf", MAIN)]);
        symlink(target, here.path().join("main.tf")).unwrap();
        let (code, _, err) = run(&["merge", path(&here)]);
        assert!(code == 2 && err.contains(wanted), "{err}");
    }
    let here = folder(&[("other.tf", MAIN)]);
    let socket = std::os::unix::net::UnixListener::bind(here.path().join("main.tf")).unwrap();
    let (code, _, err) = run(&["merge", path(&here)]);
    assert!(code == 2 && err.contains("it is a device, a pipe or a socket"), "{err}");
    drop(socket);
    // An archive has only what is in it.
    let archive = here.path().join("a.tar");
    let mut builder = tar::Builder::new(fs::File::create(&archive).unwrap());
    let mut header = tar::Header::new_ustar();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    builder.append_link(&mut header, "envs/main.tf", "../../common/main.tf").unwrap();
    builder.append_link(&mut header, "envs/there.txt", "x").unwrap();
    builder.append_link(&mut header, "top.txt", "x").unwrap();
    builder.into_inner().unwrap();
    let (code, _, err) = run(&["merge", archive.to_str().unwrap(), "--root", "envs"]);
    assert!(code == 2 && err.contains("which is outside of the files; send a directory that contains both"), "{err}");
}

#[test]
fn a_module_of_0_11_gets_one_hint_instead_of_a_wall() {
    let block = |n: u32| {
        format!(
            "variable \"v{n}\" {{\n  type = \"string\"\n}}\noutput \"o{n}\" {{\n  value = \"${{var.v{n}}}\"\n}}\n"
        )
    };
    let variables = (0..12).map(block).collect::<Vec<_>>().concat();
    let here = folder(&[("main.tf", &variables)]);
    for dialect in ["terraform", "opentofu"] {
        let (code, _, err) = run(&["merge", path(&here), "--dialect", dialect, "--format", "text"]);
        assert_eq!(code, 1);
        assert!(err.starts_with("note: Module for an older version of the tool [load/older-language]\n"), "{err}");
        assert!(err.contains("--dialect terraform-0.11") && err.contains("quoted types (12)"), "{err}");
        assert_eq!(err.matches("error: Invalid quoted type constraints").count(), 3, "{err}");
        assert!(err.contains("... and 9 more of these:") && err.contains("12 errors"), "{err}");
    }
    assert_eq!(run(&["merge", path(&here), "--dialect", "terraform-0.11"]).0, 0);
    let constrained = |constraint: &str| {
        let text = format!("terraform {{\n  required_version = \"{constraint}\"\n}}\n");
        run(&["merge", path(&folder(&[("main.tf", &text)]))]).2.contains("load/older-language")
    };
    assert!(constrained("~> 0.11.7") && constrained("< 0.12"));
    assert!(!constrained("< 1.0") && !constrained("< 0.12\"\n}\nterraform {\n  required_version = \">= 99"));
    assert!(!constrained(">= 0.11") && !constrained("~> 0.12.0") && !constrained("> 99"));
    // One quoted type is a mistake of its own.
    let one = folder(&[("main.tf", "variable \"a\" {\n  type = \"string\"\n}\n")]);
    assert!(!run(&["merge", path(&one)]).2.contains("load/older-language"));
}

#[test]
fn a_command_of_another_build_says_which_build_has_it() {
    if cfg!(feature = "nats") {
        return;
    }
    let here = folder(&[]);
    for command in ["worker", "submit", "collect"] {
        let (code, _, err) = said(&[command], here.path());
        assert_eq!((code, err.contains("--features nats")), (2, true), "{command}: {err}");
    }
}

/// Whoever types a command has folders and options, no requests and uploads.
#[test]
fn errors_speak_of_folders_and_options() {
    let main = "terraform {\n  required_version = \"> 99\"\n}\n";
    let here = folder(&[
        ("a/main.tf", main),
        ("b/main.tf", "output \"o\" {\n  value = file(\"none.txt\")\n}\n"),
        ("c/readme.txt", ""),
    ]);
    for args in [
        &["merge", "a"][..],
        &["merge", "a", "--var-file", "none.tfvars"],
        &["merge", "b", "--var-file", "../../none.tfvars"],
        &["plan", "b"],
        &["merge", "c"],
        &["merge", "none"],
        &["diff", "a", "none"],
    ] {
        let (code, _, err) = said(args, here.path());
        let err = err.replace("[request/", "[");
        assert!(code != 0 && !err.is_empty(), "{args:?}: {code} {err}");
        assert!(!err.contains("request") && !err.contains("upload"), "{args:?}: {err}");
    }
}

#[test]
fn a_service_whose_limits_let_it_answer_nothing_does_not_start() {
    for (limit, value) in [
        ("max-memory-bytes", "1"),
        ("max-work-units", "1"),
        ("max-request-bytes", "1"),
        ("max-unpacked-bytes", "23"),
        ("max-path-bytes", "1"),
    ] {
        let (code, _, err) = run(&["serve", "--listen", "127.0.0.1:0", &format!("--{limit}"), value]);
        assert_eq!(code, 2, "{limit}: {err}");
        assert!(err.contains("no request can be answered") && err.contains(limit), "{limit}: {err}");
    }
}

#[test]
fn a_number_that_is_none_is_explained_with_the_variable_that_has_it() {
    let serve = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = overfold();
        command.arg("serve").args(args).envs(variables.iter().copied());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    for (flag, value, wanted) in [
        ("--max-memory-bytes", "1MiB", "it must be a number of bytes without a unit, such as 1048576 for 1 MiB"),
        ("--max-answers-bytes", "-1", "it must be a number of bytes"),
        ("--max-request-bytes", "0", "it must be at least 1"),
        ("--max-request-bytes", "99999999999999999999", "the number is too large"),
        ("--timeout-seconds", "30s", "it must be a number of seconds without a unit"),
        ("--timeout-seconds", "0", "it must be from 1 to 86400"),
        ("--caller-share", "50%", "it must be a percentage without its sign"),
        ("--concurrency", "many", "it must be a whole number"),
    ] {
        let err = serve(&[&format!("{flag}={value}")], &[]);
        assert!(err.contains(wanted) && err.contains(flag) && err.contains("'--help'"), "{flag}={value}: {err}");
        assert!(!err.contains("environment") && !err.contains("digit"), "{err}");
        let name = format!("OVERFOLD_{}", flag.trim_start_matches("--").to_uppercase().replace('-', "_"));
        let err = serve(&[], &[(&name, value)]);
        let origin = format!("This is the value of the environment variable {name}.");
        assert!(err.contains(wanted) && err.contains(&origin), "{name}={value}: {err}");
    }
    let err = serve(&["--queue", "x"], &[("OVERFOLD_QUEUE", "x")]);
    assert!(!err.contains("environment"), "{err}");
    let err = serve(&[], &[("OVERFOLD_TOKEN_FILE", "")]);
    assert!(err.contains("environment variable OVERFOLD_TOKEN_FILE"), "{err}");
}

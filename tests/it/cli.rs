//! The command line: what the commands print, and their exit codes.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::meant_version::newest;

/// Returns the command, which reports only what is found while modules are loaded, unless a test asks for more.
pub(crate) fn overfold() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_overfold"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("OVERFOLD_")) {
        command.env_remove(name);
    }
    command.env("OVERFOLD_STAGE", "load");
    command
}

pub(crate) fn run(args: &[&str]) -> (i32, String, String) {
    reported(overfold().args(args).output().unwrap())
}

fn reported(output: Output) -> (i32, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

pub(crate) fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

const WEB: &[(&str, &str)] = &[
    ("main.tf", "resource \"terraform_data\" \"web\" {\n  input = \"blue\"\n}\n"),
    ("override.tf", "resource \"terraform_data\" \"web\" {\n  input = \"green\"\n}\n"),
    ("deep/er/main.tf", "locals {\n  a = 1\n}\n"),
];

pub(crate) fn path(folder: &TempDir) -> &str {
    folder.path().to_str().unwrap()
}

#[test]
fn the_form_of_config_is_chosen() {
    let folder = folder(WEB);
    let form = |form: &str| run(&["merge", path(&folder), "--format", "config", "--config-format", form]);
    assert_eq!(form("hcl").1, "resource \"terraform_data\" \"web\" {\n  input = \"green\"\n}\n");
    let files: Value = serde_json::from_str(&form("files").1).unwrap();
    assert_eq!(files["main.tf"], "resource \"terraform_data\" \"web\" {\n  input = \"green\"\n}\n");
    assert_eq!(files.as_object().unwrap().len(), 1);
    let web: Value = serde_json::from_str(&form("hcl2json").1).unwrap();
    assert_eq!(web["resource"]["terraform_data"]["web"][0]["input"], "green");
    assert_eq!(form("yaml").0, 2);
}

#[test]
fn a_folder_of_unrelated_files_costs_nothing() {
    let folder = folder(WEB);
    fs::create_dir(folder.path().join("node_modules")).unwrap();
    for n in 0..200 {
        fs::write(folder.path().join(format!("node_modules/{n}.js")), "x").unwrap();
    }
    let (code, out, err) = run(&["merge", path(&folder), "--max-entries", "3", "--include", "config,files"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    // Whatever way a function is spelled in, the file that it names is read.
    let hidden = r#"{"variable": {"v": {"default": "x", "validation": [{"condition":
        "${\u0066ile(\"node_modules/1.js\") == var.v}", "error_message": "No."}]}}}"#;
    fs::write(folder.path().join("v.tf.json"), hidden).unwrap();
    let (code, out, _) = run(&["merge", path(&folder), "--values", "--include", "variables"]);
    assert_eq!(code, 0, "{out}");
    assert!(!out.contains("undecided"), "{out}");
    fs::write(folder.path().join("node_modules/1.js"), "y").unwrap();
    let (code, out, _) = run(&["merge", path(&folder), "--values", "--include", "variables"]);
    assert!(code == 1 && out.contains("Invalid value for variable"), "{out}");
}

/// A folder of a tree that cannot be listed is an error: its modules must not be missing silently.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_listed_is_not_left_out() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = folder(WEB);
    let module = folder.path().join("modules/a");
    fs::create_dir_all(&module).unwrap();
    fs::write(module.join("main.tf"), "locals {\n  a = 1\n}\n").unwrap();
    let args = ["merge", path(&folder), "--recursive"];
    let (code, out, err) = run(&args);
    assert!(code == 0 && out.contains("modules/a"), "{out} {err}");
    if fs::write(module.join(OsStr::from_bytes(b"\xFF.txt")), "").is_ok() {
        let (code, _, err) = run(&args);
        assert!(code == 2 && err.contains("UTF-8"), "{err}");
    }
}

/// Links outside of the folder that lead back to where they are found end a search.
#[cfg(unix)]
#[test]
fn a_search_outside_of_the_folder_ends() {
    use std::os::unix::fs::symlink;
    let folder = folder(&[
        (
            "here/main.tf",
            "locals {\n  p = \"../other\"\n}\noutput \"o\" {\n  value = fileset(local.p, \"**/*.txt\")\n}\n",
        ),
        ("other/a/b/c.txt", ""),
    ]);
    let other = folder.path().join("other");
    for (link, target) in [("a/up", ".."), ("a/b/up", "../.."), ("a/b/here", "."), ("round", "a/b/up")] {
        symlink(target, other.join(link)).unwrap();
    }
    let here = folder.path().join("here");
    let args = ["merge", here.to_str().unwrap(), "--values", "--resolve", "--format", "config"];
    let (code, out, err) = run(&args);
    assert!(code == 0 && out.contains("a/b/c.txt") && out.len() < 10_000, "{out} {err}");
}

#[cfg(unix)]
#[test]
fn a_folder_may_have_any_name() {
    for name in ["a b", "ü", "a\\b", "-x", "a\nb", "..."] {
        let folder = folder(&[]);
        let dir = folder.path().join(name);
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join("main.tf"), "locals {\n  a = 1\n}\n").unwrap();
        let (code, out, err) = run(&["merge", dir.to_str().unwrap(), "--format", "config"]);
        assert!(code == 0 && out.contains("\"a\":1"), "{name:?}: {out} {err}");
    }
}

#[test]
fn merge_prints_the_answer_of_the_service() {
    let folder = folder(WEB);
    let (code, out, err) = run(&["merge", path(&folder), "--include", "config,files,objects"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["valid"], true);
    assert_eq!(answer["module"]["config"]["resource"]["terraform_data"]["web"][0]["input"], "green");
    assert_eq!(answer["module"]["files"].as_array().unwrap().len(), 2);
    assert!(answer["module"]["objects"]["terraform_data.web"].is_object());
}

#[test]
fn merge_prints_the_configuration_alone() {
    let folder = folder(WEB);
    let (code, out, _) = run(&["merge", path(&folder), "--format", "config", "--root", "deep/er/"]);
    assert_eq!(code, 0);
    let config: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(config, serde_json::json!({"locals": [{"a": 1}]}));
}

#[test]
fn merge_reads_an_archive() {
    let folder = folder(WEB);
    let archive = folder.path().join("web.tar");
    let mut out = tar::Builder::new(fs::File::create(&archive).unwrap());
    out.append_path_with_name(folder.path().join("main.tf"), "top/main.tf").unwrap();
    out.finish().unwrap();
    let (code, out, err) = run(&["merge", archive.to_str().unwrap(), "--format", "config"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("blue"), "{out}");
}

#[test]
fn configuration_errors_exit_with_1_and_show_their_position() {
    let folder = folder(&[("main.tf", "resource \"a_b\" \"c\" {\n\tx = 1\n\tx = 22\n}\n")]);
    let (code, out, err) = run(&["merge", path(&folder), "--format", "text"]);
    let wanted =
        format!("nothing is overridden\nthe configuration has errors for Terraform {}\n", newest("terraform"));
    assert_eq!((code, out), (1, wanted));
    let reported = err;
    assert!(
        reported.starts_with("error: Attribute redefined [syntax/argument-redefined]\n  --> main.tf:3:2\n"),
        "{reported}"
    );
    assert!(reported.contains("\n  3 | \tx = 22\n    | \t^\n"), "{reported}");
    assert!(reported.ends_with("1 error, 0 warnings, 0 notes (stage load)\n"), "{reported}");
    // Every format reports them on standard error, and a pipe gets JSON.
    let (code, out, err) = run(&["merge", path(&folder)]);
    assert_eq!((code, &err), (1, &reported));
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap()["valid"], false);
}

#[test]
fn invalid_calls_exit_with_2_and_a_reason() {
    let folder = folder(WEB);
    let here = path(&folder);
    let text = folder.path().join("main.tf");
    for (args, word) in [
        (&["merge", here, "--root", "nowhere"][..], "nowhere"),
        (&["merge", here, "--root", "../x"], "`..`"),
        (&["merge", here, "--version", "0.1"], "0.1"),
        (&["merge", here, "--dialect", "cobol"], "cobol"),
        (&["merge", here, "--stage", "plan"], "load, validate"),
        (&["merge", here, "--stage", "validate", "--dialect", "tflint"], "tflint"),
        (&["diff", here, here, "--stage", "validate", "--after-dialect", "sentinel"], "sentinel"),
        (&["compatibility", here, "--stage", "validate", "--dialect", "tflint"], "tflint"),
        (&["merge", here, "--provider-schemas", "/nowhere/at/all"], "/nowhere/at/all"),
        (&["merge", here, "--provider-schemas", text.to_str().unwrap()], "main.tf: "),
        (&["diff", here, "--provider-schemas", text.to_str().unwrap()], "main.tf: "),
        (&["compatibility", here, "--provider-schemas", text.to_str().unwrap()], "main.tf: "),
        (&["merge", here, "--max-file-bytes", "3"], "max-file-bytes"),
        (&["merge", here, "--env", "OVERFOLD_NOT_THERE"], "OVERFOLD_NOT_THERE"),
        (&["merge", "/nowhere/at/all"], "/nowhere/at/all"),
        (&["merge", text.to_str().unwrap()], "name the folder instead"),
        (&["explain", "no/such-code"], "no/such-code"),
        (&["serve", "--listen", "localhost:port"], "port"),
        (&["serve", "--listen", ":8080"], "token"),
        (&["merge", here, "--format", "yaml"], "yaml"),
        (&["merge", here, "--nonsense"], "--nonsense"),
        (&["nonsense"], "nonsense"),
        (&["serve", "--listen", "nowhere"], "nowhere"),
        (&["serve", "--log", "!!"], "!!"),
        (&["serve", "--timeout-seconds", "0"], "--timeout-seconds"),
        (&["serve", "--timeout-seconds", "18446744073709551615"], "--timeout-seconds"),
        (&["serve", "--drain-seconds", "18446744073709551615"], "--drain-seconds"),
        (&["serve", "--concurrency", "0"], "--concurrency"),
        (&["serve", "--concurrency", "1000000"], "--concurrency"),
        (&["serve", "--queue=-1"], "--queue"),
        (&["serve", "--max-request-bytes", "0"], "--max-request-bytes"),
        (&["serve", "--max-unpacked-bytes", "0"], "--max-unpacked-bytes"),
        (&["serve", "--max-entries", "0"], "--max-entries"),
        (&["serve", "--max-file-bytes", "0"], "--max-file-bytes"),
        (&["serve", "--max-path-bytes", "0"], "--max-path-bytes"),
        (&["serve", "--max-path-depth", "0"], "--max-path-depth"),
        (&["serve", "--max-name-bytes", "0"], "--max-name-bytes"),
        (&["serve", "--max-name-bytes", "65537"], "--max-name-bytes"),
        (&["serve", "--max-variables", "0"], "--max-variables"),
        (&["serve", "--max-syntax-depth", "0"], "--max-syntax-depth"),
        (&["serve", "--max-syntax-tokens", "0"], "--max-syntax-tokens"),
        (&["serve", "--max-work-units", "0"], "--max-work-units"),
        (&["serve", "--max-memory-bytes", "0"], "--max-memory-bytes"),
        (&["serve", "--allowed-host", "localhost:8080"], "without a port"),
        (&["serve", "--allowed-host", ""], "--allowed-host"),
        (&["serve", "--token-file", ""], "--token-file"),
        (&["token", "two words"], "a name must"),
        (&["token"], "NAME"),
    ] {
        let (code, out, err) = run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(word), "{args:?}: {err}");
    }
}

#[test]
fn every_command_takes_a_stage_and_a_file_of_schemas() {
    let folder = folder(WEB);
    let schemas = folder.path().join("schemas.json");
    fs::write(&schemas, " {\"format_version\": \"1.0\", \"provider_schemas\": {}}\n").unwrap();
    let (here, schemas) = (path(&folder), schemas.to_str().unwrap());
    for stage in ["load", "validate"] {
        for command in [&["merge", here][..], &["diff", here], &["compatibility", here]] {
            let args = [command, &["--stage", stage, "--provider-schemas", schemas]].concat();
            let (code, _, err) = run(&args);
            assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
        }
    }
    let (code, _, err) = run(&["merge", here, "--provider-schemas", schemas, "--max-unpacked-bytes", "20"]);
    assert!(code == 2 && err.contains("max-unpacked-bytes"), "{err}");
    let by_variables = |stage: &str| {
        let mut command = overfold();
        command.args(["compatibility", here]).env("OVERFOLD_STAGE", stage).env("OVERFOLD_PROVIDER_SCHEMAS", schemas);
        reported(command.output().unwrap())
    };
    assert!(by_variables("validate").1.contains("  validates the module\n"));
    assert!(by_variables("load").1.contains("  loads the module\n"));
    let (_, text, _) = run(&["compatibility", here]);
    assert!(text.contains("  loads the module\n"), "{text}");
}

#[test]
fn flags_can_be_set_in_the_environment() {
    let folder = folder(WEB);
    let output = overfold()
        .args(["merge", path(&folder)])
        .env("OVERFOLD_ROOT", "deep/er")
        .env("OVERFOLD_FORMAT", "config")
        .output()
        .unwrap();
    let (code, out, _) = reported(output);
    assert_eq!((code, out.as_str()), (0, "{\"locals\":[{\"a\":1}]}\n"));
    let output = overfold().arg("serve").env("OVERFOLD_CONCURRENCY", "many").output().unwrap();
    assert_eq!(reported(output).0, 2);
}

#[test]
fn openapi_prints_the_committed_document() {
    let committed = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/openapi.json")).unwrap();
    let (code, out, err) = run(&["openapi"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        out == committed,
        "openapi/openapi.json is out of date; run: cargo run -- openapi > openapi/openapi.json"
    );
}

#[test]
fn version_and_help_are_printed() {
    assert_eq!(run(&["-V"]).1, format!("overfold {}\n", env!("CARGO_PKG_VERSION")));
    // The commit that it was built from follows; the GitHub Action relies on it.
    let long = run(&["--version"]).1;
    let commit = long.strip_prefix(&format!("overfold {} (", env!("CARGO_PKG_VERSION"))).unwrap();
    let commit = commit.strip_suffix(")\n").unwrap();
    assert!(!commit.is_empty() && commit.chars().all(|c| c.is_ascii_alphanumeric()), "{long}");
    for command in ["serve", "merge", "openapi", "explain", "completions", "man", "healthcheck"] {
        assert!(run(&["--help"]).1.contains(command));
        assert_eq!(run(&[command, "--help"]).0, 0);
    }
}

/// A separate service, stopped at the end of the test.
pub(crate) struct Service {
    pub(crate) process: Child,
    pub(crate) address: SocketAddr,
}

impl Service {
    pub(crate) fn start(args: &[&str]) -> (Self, BufReader<std::process::ChildStderr>) {
        let mut process =
            overfold().args(args).args(["--log-format", "json"]).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(process.stderr.take().unwrap());
        let started = loop {
            let mut line = String::new();
            assert!(log.read_line(&mut line).unwrap() > 0, "the service ended before it listened");
            let line: Value = serde_json::from_str(&line).unwrap();
            if line["message"] == "listening" {
                break line;
            }
        };
        let address: SocketAddr = started["address"].as_str().unwrap().parse().unwrap();
        // What to open in a browser.
        let open = match address.ip() {
            ip if ip.is_unspecified() => format!("http://localhost:{}/", address.port()),
            _ => format!("http://{address}/"),
        };
        assert!(started["open"] == open.as_str() || args.iter().any(|arg| arg.starts_with("--tls")), "{started}");
        (Self { process, address }, log)
    }

    /// Sends a raw request, and returns the status line and the rest of the answer.
    pub(crate) fn ask(&self, request: &str) -> String {
        let mut stream = std::net::TcpStream::connect(self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        std::io::read_to_string(stream).unwrap()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_service_starts_answers_logs_without_secrets_and_stops_cleanly() {
    let (mut service, log) = Service::start(&["--listen", "127.0.0.1:0"]);
    let listen = service.address.to_string();
    assert_eq!(run(&["healthcheck", "--listen", &listen]).0, 0);
    let everywhere = format!("0.0.0.0:{}", service.address.port());
    assert_eq!(run(&["healthcheck", "--listen", &everywhere]).0, 0);

    let body = r#"{"files": {"main.tf": "locals {\n  s = \"hush-hush\"\n}\n"}}"#;
    let head = format!(
        "Host: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nX-Request-Id: id-1\r\nContent-Length: {}\r\n",
        body.len()
    );
    let answer = service.ask(&format!("POST /v1/merge HTTP/1.1\r\n{head}\r\n{body}"));
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("hush-hush"), "{answer}");
    let answer = service.ask(&format!("POST /v1/merge?nonsense=hush-hush HTTP/1.1\r\n{head}\r\n{body}"));
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");

    stop(&service.process);
    let status = service.process.wait().unwrap();
    assert!(status.success(), "{status}");
    let log = std::io::read_to_string(log).unwrap();
    assert!(!log.contains("hush"), "{log}");
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let merges: Vec<&Value> = lines.iter().filter(|line| line["route"] == "/v1/merge").collect();
    assert_eq!(merges.len(), 2, "{log}");
    // A request whose query makes it impossible is rejected before its body is read.
    for (line, (status, bytes_in)) in merges.iter().zip([(200, body.len()), (400, 0)]) {
        assert_eq!((&line["method"], &line["status"]), (&"POST".into(), &status.into()), "{line}");
        assert_eq!(line["request_id"], "id-1");
        assert_eq!(line["bytes_in"], bytes_in);
        assert_eq!(line["outcome"], "answered");
        assert!(line["bytes_out"].is_u64() && line["ms"].is_u64(), "{line}");
    }
    assert!(lines.iter().any(|line| line["message"] == "stopped"), "{log}");
    assert_eq!(run(&["healthcheck", "--listen", &listen]).0, 1, "the service has stopped");
}

#[cfg(unix)]
pub(crate) fn stop(process: &Child) {
    let status = Command::new("kill").args(["-TERM", &process.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn a_taken_address_is_reported() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap().to_string();
    let (code, _, err) = run(&["serve", "--listen", &listen]);
    assert_eq!(code, 2);
    assert!(err.contains(&listen), "{err}");
}

#[test]
fn dialects_prints_the_list_and_the_tables() {
    let (code, out, err) = run(&["dialects"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("terraform: ") && out.contains("1.11.0 to 1.11.4"), "{out}");
    let (code, out, _) = run(&["dialects", "terraform", "--version", "1.9"]);
    assert_eq!(code, 0);
    assert!(out.contains("\nversion 1.9.8\n") && !out.contains("\nblock ephemeral "), "{out}");
    let (code, out, _) = run(&["dialects", "terraform", "--format", "json"]);
    let table: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &table["name"]), (0, &Value::from("terraform")));
    let (code, out, err) = run(&["dialects", "pulumi"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("the dialects are terraform"), "{err}");
    let (code, _, err) = run(&["dialects", "terraform", "--version", "0.1"]);
    assert!(code == 2 && err.contains("1.11.0 to 1.11.4"), "{err}");
    assert_eq!(run(&["dialects", "--version", "1.1"]).0, 2);
}

#[test]
fn text_says_what_was_overridden_and_what_was_lost() {
    let folder = folder(&[
        ("main.tf", "resource \"a_b\" \"c\" {\n  x = 1\n  y {\n    w = 9\n  }\n}\n"),
        ("override.tf", "resource \"a_b\" \"c\" {\n  x = 2\n  y {\n    z = 3\n  }\n}\n"),
    ]);
    let (code, out, err) = run(&["merge", path(&folder), "--format", "text"]);
    assert_eq!(code, 0, "{err}");
    let wanted = format!(
        "2 overridden, 1 lost\na_b.c\n  x = 2 (override.tf:2) replaces x = 1 (main.tf:2)\n  \
                  block y (override.tf:3) replaces block y (main.tf:3)\n  \
                  w = 9 (main.tf:4) is lost: nothing in override.tf:3 takes its place\nthe configuration loads with Terraform {} (stage load; `terraform validate` may report more)\n",
        newest("terraform")
    );
    assert!(out.starts_with(&wanted), "{out}");
}

#[test]
fn merge_reads_this_folder_and_standard_input() {
    let folder = folder(WEB);
    let here = overfold().args(["merge", "--format", "config"]).current_dir(folder.path()).output().unwrap();
    let (code, out, _) = reported(here);
    assert!(code == 0 && out.contains("green"), "{out}");
    let mut archive = tar::Builder::new(Vec::new());
    archive.append_path_with_name(folder.path().join("main.tf"), "main.tf").unwrap();
    let mut process = overfold()
        .args(["merge", "-", "--format", "config"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    process.stdin.take().unwrap().write_all(&archive.into_inner().unwrap()).unwrap();
    let (code, out, err) = reported(process.wait_with_output().unwrap());
    assert!(code == 0 && out.contains("blue"), "{out}{err}");
}

#[test]
fn a_definitions_file_may_be_above_the_folder() {
    let folder = folder(&[
        ("common.tfvars", "size = 3\n"),
        ("env/prod/main.tf", "variable \"size\" {\n  type = number\n}\n"),
        ("env/shared.tfvars", "size = 4\n"),
    ]);
    let top = folder.path().join("env");
    let prod = top.join("prod");
    for (merged, root, file, size) in [
        (&prod, ".", "../shared.tfvars", 4),
        (&prod, ".", "../../common.tfvars", 3),
        (&top, "prod", "../shared.tfvars", 4),
        (&top, "prod", "../../common.tfvars", 3),
    ] {
        let args = ["merge", merged.to_str().unwrap(), "--root", root, "--var-file", file, "--include", "variables"];
        let (code, out, err) = run(&args);
        assert_eq!(code, 0, "{args:?}: {err}");
        let answer: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(answer["module"]["variables"]["size"]["value"], size, "{args:?}");
        assert_eq!(answer["module"]["path"], root);
    }
}

#[test]
fn explain_says_what_a_code_means() {
    let (code, out, err) = run(&["explain", "override/missing-base"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("override/missing-base: ") && out.contains("Example ("), "{out}");
    let (code, out, _) = run(&["explain"]);
    assert!(code == 0 && out.lines().count() > 300, "{out}");
}

#[test]
fn completions_and_the_manual_are_printed() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, out, err) = run(&["completions", shell]);
        assert!(code == 0 && out.contains("explain") && err.is_empty(), "{shell}: {err}");
    }
    let (code, out, _) = run(&["man"]);
    assert!(code == 0 && out.contains(".TH overfold") && out.contains("strip"), "{out}");
}

#[test]
fn an_unknown_environment_variable_is_a_warning() {
    let folder = folder(WEB);
    let ask = |name: &str| reported(overfold().args(["merge", path(&folder)]).env(name, "1.11").output().unwrap());
    let (code, _, err) = ask("OVERFOLD_DIALEKT");
    assert!(code == 0 && err.contains("warning") && err.contains("OVERFOLD_DIALEKT"), "{err}");
    assert!(err.contains("Did you mean \"OVERFOLD_DIALECT\"?"), "{err}");
    for name in ["OVERFOLD_VERSION", "OVERFOLD_SERVICE_HOST", "OVERFOLD_PORT_8080_TCP", "OVERFOLD_CI_DIRECTORY"] {
        let (code, out, err) = ask(name);
        assert_eq!((code, err.as_str()), (0, ""), "{name}");
        assert!(!out.contains("\"version\":\"1.11\""), "{name}: {out}");
    }
    assert!(ask("OVERFOLD_TOOL_VERSION").1.contains("\"version\":\"1.11\""));
    let (code, _, err) = ask("OVERFOLD_TOKENS_FILE");
    assert!(code == 0 && err.contains("warning"), "nobody can call this: {err}");
}

/// On a loopback address, everyone could call a service whose tokens are named by a misspelled variable.
#[test]
fn nothing_is_started_with_an_unknown_variable_that_seems_to_decide_who_may_call() {
    let serve = |name: &str| {
        let mut command = overfold();
        command.args(["serve", "--listen", "127.0.0.1:0"]).env(name, "/etc/overfold/overfold.tokens");
        command
    };
    let (code, _, err) = reported(serve("OVERFOLD_TOKENS_FILE").output().unwrap());
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("OVERFOLD_TOKENS_FILE") && err.contains("Did you mean \"OVERFOLD_TOKEN_FILE\"?"), "{err}");
    // What Kubernetes sets for services of these names.
    let mut command = overfold();
    command.arg("serve");
    for name in ["OVERFOLD_SERVICE_HOST", "OVERFOLD_TOKENS_SERVICE_HOST", "OVERFOLD_TOKENS_PORT_8080_TCP"] {
        command.env(name, "10.0.0.1");
    }
    let mut service = crate::service::Service::start_as(command);
    service.signal("TERM");
    assert!(service.end().0.success());
    let lines = service.rest_of_log();
    assert!(!lines.iter().any(|line| line.to_string().contains("not a known setting")), "{lines:?}");
}

#[test]
fn a_host_name_is_an_address_to_listen_on() {
    let (service, _log) = Service::start(&["--listen", "localhost:0"]);
    assert!(service.address.ip().is_loopback());
    assert_eq!(run(&["healthcheck", "--listen", &format!("localhost:{}", service.address.port())]).0, 0);
    assert_eq!(run(&["healthcheck", "--listen", &format!(":{}", service.address.port())]).0, 0);
}

#[test]
fn a_tree_of_modules_is_merged_at_once() {
    let folder = folder(&[
        ("main.tf", "module \"m\" {\n  source = \"./m\"\n  nope   = 1\n}\n"),
        ("m/main.tf", "locals {\n  a = 1\n}\n"),
        ("m/override.tf", "locals {\n  a = 2\n}\n"),
    ]);
    let (code, out, err) = run(&["merge", "--recursive", path(&folder), "--format", "config"]);
    let out: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &out["m"]["locals"][0]["a"]), (1, &Value::from(2)), "{err}");
    assert!(err.contains("main.tf:3:3") && err.ends_with("1 error, 0 warnings, 0 notes (stage load)\n"), "{err}");
    for (form, expected) in [
        ("hcl2json", json!({"locals": [{"a": 2}]})),
        ("hcl", json!("locals {\n  a = 2\n}\n")),
        ("files", json!({"m/main.tf": "locals {\n  a = 2\n}\n"})),
    ] {
        let args = ["merge", "--recursive", path(&folder), "--format", "config", "--config-format", form];
        let out: Value = serde_json::from_str(&run(&args).1).unwrap();
        assert_eq!(out["m"], expected, "{form}");
    }
    let (code, out, _) = run(&["merge", "--recursive", path(&folder), "--format", "text"]);
    assert_eq!(code, 1);
    assert!(out.contains("== .\n") && out.contains("== m\n") && out.contains("m/override.tf:2"), "{out}");
    let args = ["merge", "--recursive", path(&folder), "--format", "json", "--include", "calls", "--paths", "m/x.tf"];
    let (_, out, _) = run(&args);
    let out: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(out["calls"][0]["to"], "m");
}

#[test]
fn merge_puts_values_in_place_of_expressions() {
    let main = "variable \"env\" {\n}\nlocals {\n  a = \"${var.env}-${terraform.workspace}\"\n}\n";
    let folder = folder(&[("main.tf", main)]);
    let merge = ["merge", path(&folder), "--format", "config", "--config-format", "hcl", "--resolve"];
    let (code, out, err) = run(&[&merge[..], &["--var", "env=prod", "--workspace", "w"]].concat());
    assert_eq!(
        (code, out.as_str()),
        (0, &*main.replace("\"${var.env}-${terraform.workspace}\"", "\"prod-w\"")),
        "{err}"
    );
    let (code, out, err) = run(&merge);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert!(err.contains("--values"), "{err}");
    let (code, out, err) = run(&[&merge[..], &["--values"]].concat());
    assert_eq!((code, out.as_str()), (1, &*main.replace("${terraform.workspace}", "default")), "{err}");
}

/// A gate that looks at nothing says so, beside an answer that cannot.
#[test]
fn paths_that_belong_to_no_module_are_told() {
    let folder = folder(&[("a/main.tf", "resource \"a\" \"b\" {\n  x =\n}\n"), ("README.md", "")]);
    let folder = path(&folder);
    let wanted = "none of the files of --paths belongs to a module here";
    for format in ["json", "sarif", "config", "text"] {
        let arguments = ["merge", folder, "--recursive", "--fail-on", "error", "--format", format, "--paths"];
        let (code, out, said) = run(&[&arguments[..], &["README.md"]].concat());
        assert_eq!((code, said.contains(wanted)), (0, format != "text"), "{format}: {said}");
        assert_eq!(out.contains(wanted), format == "text", "{format}: {out}");
        let (code, _, said) = run(&[&arguments[..], &["a/main.tf"]].concat());
        assert_eq!((code, said.contains(wanted)), (1, false), "{format}: {said}");
    }
    for format in ["json", "text", "markdown"] {
        let arguments = ["diff", folder, folder, "--recursive", "--fail-on", "error", "--format", format, "--paths"];
        let (code, _, said) = run(&[&arguments[..], &["README.md"]].concat());
        assert_eq!((code, said.contains(wanted)), (0, true), "{format}: {said}");
        let (code, _, said) = run(&[&arguments[..], &["a/main.tf"]].concat());
        assert_eq!((code, said.contains(wanted)), (3, false), "{format}: {said}");
    }
}

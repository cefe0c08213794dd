//! The library as a program uses it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking")]

use std::fs;
use std::path::Path;
use std::thread;

use overfold::{
    Cancel, Diagnostic, Dialect, ErrorKind, Limits, Merge, Origin, Plan, Severity, Source, Stage, Value, ValueSource,
};

fn source(files: &[(&str, &str)]) -> Source {
    Source::from_files(files.iter().copied()).unwrap()
}

#[test]
fn a_report_says_what_takes_effect_and_what_is_lost() {
    let source = source(&[
        ("main.tf", "resource \"a_b\" \"r\" {\n  disk {\n    size      = 1\n    encrypted = true\n  }\n}\n"),
        ("override.tf", "resource \"a_b\" \"r\" {\n  disk {\n    size = 2\n  }\n}\n"),
    ]);
    let report = Merge::new().run(&source).unwrap();
    let [lost] = report.diagnostics() else { panic!("{:?}", report.diagnostics()) };
    assert_eq!((lost.severity, lost.origin), (Severity::Warning, Origin::Overfold));
    assert_eq!(lost.code, "override/content-lost");
    assert_eq!(lost.address.as_deref(), Some("a_b.r"));
    assert_eq!(lost.related[0].span.to_string(), "main.tf:4:5-21");
    let changes: Vec<_> = report.overrides().iter().map(|change| (&*change.change, &*change.rule)).collect();
    assert_eq!(changes, [("block-replaced", "by-type-and-dynamic"), ("removed", "by-type-and-dynamic")]);
    assert!(report.is_valid() && report.errors().next().is_none());
    let config: serde_json::Value = serde_json::from_str(report.config().unwrap()).unwrap();
    assert_eq!(config["resource"]["a_b"]["r"][0]["disk"], serde_json::json!([{"size": 2}]));
    let body = report.to_body().unwrap();
    let blocks: Vec<_> = body.blocks().map(overfold::hcl::Block::identifier).collect();
    assert_eq!(blocks, ["resource"]);
    assert!(report.to_hcl().unwrap().contains("size = 2"));
}

#[test]
fn what_is_wrong_is_in_the_report() {
    let main = ("main.tf", "locals {\n  a = var.nme\n}\nvariable \"name\" {}\n");
    let twice = source(&[main, ("twice.tf", "variable \"name\" {}\n")]);
    let report = Merge::new().stage(Stage::Load).run(&twice).unwrap();
    let found: Vec<_> = report.errors().map(ToString::to_string).collect();
    assert_eq!(found, ["twice.tf:1:1-16: error: Duplicate variable declaration [load/duplicate]"]);
    let report = Merge::new().run(&source(&[main])).unwrap();
    let error = report.errors().next().unwrap();
    assert_eq!(error.summary, "Reference to undeclared input variable");
    assert!(error.detail.contains("name"), "{}", error.detail);
    assert_eq!(error.span.as_ref().unwrap().start.line, 2);
    assert!(!report.is_valid() && Merge::new().stage(Stage::Load).run(&source(&[main])).unwrap().is_valid());
}

#[test]
fn variables_come_from_where_they_are_given() {
    let source = source(&[
        (
            "main.tf",
            "variable \"a\" {\n  type = number\n}\nvariable \"b\" {}\nvariable \"c\" {\n  sensitive = true\n}\n\
             variable \"d\" {\n  default = null\n}\nvariable \"e\" {}\n",
        ),
        ("env.tfvars", "b = [1]\n"),
    ]);
    let merge = Merge::new().variable("a", "3").variables_file("env.tfvars").environment("TF_VAR_c", "s3cret");
    let report = merge.run(&source).unwrap();
    let value = |name: &str| report.variables()[name].value.clone();
    assert_eq!(value("a"), Some(serde_json::json!(3).into()));
    assert_eq!(value("b"), Some(serde_json::json!([1]).into()));
    assert_eq!((value("c"), report.variables()["c"].is_sensitive), (Some(Value::Hidden), true));
    assert_eq!(value("d"), Some(Value::Null));
    assert_eq!(value("e"), None);
    assert!(!report.to_json().contains("s3cret"));
    let shown = merge.reveal_sensitive().run(&source).unwrap();
    assert_eq!(shown.variables()["c"].value.as_ref().and_then(Value::as_str), Some("s3cret"));
    // Without values, there are only declarations.
    let declared = Merge::new().run(&source).unwrap();
    assert_eq!((declared.variables().len(), declared.variables()["a"].value.clone()), (5, None));
}

#[test]
fn a_plan_tells_unknown_hidden_and_null_apart() {
    let source = source(&[(
        "main.tf",
        "variable \"p\" {\n  sensitive = true\n}\n\
         resource \"terraform_data\" \"a\" {\n  input = { \"x/y\" = var.p, n = null, big = 12345678901234567890 }\n}\n\
         output \"id\" {\n  value = [terraform_data.a.id, 1]\n}\n",
    )]);
    let plan = Plan::new().variable("p", "s3cret").run(&source).unwrap();
    assert!(plan.is_valid() && plan.is_exact() && plan.missing().is_empty(), "{:?}", plan.diagnostics());
    let [resource] = plan.resources() else { panic!("{:?}", plan.resources()) };
    assert_eq!(
        (&*resource.address, &*resource.mode, &*resource.actions[0]),
        ("terraform_data.a", "managed", "create")
    );
    let input = resource.values.get("input").unwrap();
    assert_eq!(input.get("x/y"), Some(&Value::Hidden));
    assert_eq!(input.get("n"), Some(&Value::Null));
    assert!(matches!(input.get("big"), Some(Value::Number(number)) if number.to_string() == "12345678901234567890"));
    assert_eq!(resource.values.get("id"), Some(&Value::Unknown));
    assert_eq!(plan.outputs()["id"], Value::List(vec![Value::Unknown, serde_json::json!(1).into()]));
    assert!(!input.is_whole() && !plan.to_json().contains("s3cret"));
    let document: serde_json::Value = serde_json::from_str(plan.document().unwrap()).unwrap();
    assert_eq!(document["resource_changes"][0]["address"], "terraform_data.a");
    let shown = Plan::new().variable("p", "s3cret").reveal_sensitive().run(&source).unwrap();
    let input = shown.resource("terraform_data.a").unwrap().values.get("input").unwrap();
    assert_eq!(input.get("x/y").and_then(Value::as_str), Some("s3cret"));
    assert!(input.is_whole());
}

#[test]
fn what_a_plan_lacks_is_listed() {
    let source = source(&[("main.tf", "data \"a_b\" \"d\" {}\noutput \"x\" {\n  value = data.a_b.d.id\n}\n")]);
    let plan = Plan::new().run(&source).unwrap();
    assert!(!plan.is_exact());
    let kinds: Vec<_> = plan.missing().iter().map(|part| &*part.kind).collect();
    assert_eq!(kinds, ["provider-schema", "data-source"]);
    assert_eq!(plan.outputs()["x"], Value::Unknown);
    let wrong = Plan::new().run(&self::source(&[("main.tf", "locals {\n  a = b\n}\n")])).unwrap();
    assert!(!wrong.is_valid() && wrong.document().is_none() && wrong.resources().is_empty());
}

#[test]
fn a_folder_is_read_when_something_asks() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "web/main.tf",
        "variable \"a\" {}\nlocals {\n  t = file(\"${path.module}/../text\")\n}\noutput \"t\" {\n  value = \"${local.t} ${var.a}\"\n}\n",
    );
    write("text", "from outside");
    write("common.tfvars", "a = \"given\"\n");
    let source = Source::folder(folder.path().join("web"));
    let plan = Plan::new().variables_file("../common.tfvars").run(&source).unwrap();
    assert_eq!(plan.outputs()["t"].as_str(), Some("from outside given"), "{:?}", plan.diagnostics());
    // The next question sees what has changed.
    write("text", "changed");
    let plan = Plan::new().variables_file("../common.tfvars").run(&source).unwrap();
    assert_eq!(plan.outputs()["t"].as_str(), Some("changed given"));
    let below =
        Plan::new().root("web").variables_file("../common.tfvars").run(&Source::folder(folder.path())).unwrap();
    assert_eq!(below.outputs()["t"].as_str(), Some("changed given"));
    let missing = Merge::new().run(&Source::folder(folder.path().join("none"))).unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::Source);
}

/// What the kernel shows of this process is none of a configuration's business.
#[test]
#[cfg(target_os = "linux")]
fn the_environment_is_not_read_through_files() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("main.tf"), "output \"e\" {\n  value = file(\"/proc/self/environ\")\n}\n").unwrap();
    let plan = Plan::new().run(&Source::folder(folder.path())).unwrap();
    assert_eq!(plan.outputs()["e"], Value::Unknown, "{}", plan.to_json());
    assert_eq!(plan.missing()[0].kind, "file");
}

/// The repository above a folder says which version is meant, as it does for the command.
#[test]
fn a_folder_means_the_version_of_its_repository() {
    let repository = tempfile::tempdir().unwrap();
    let module = repository.path().join("modules/web");
    fs::create_dir_all(&module).unwrap();
    fs::create_dir(repository.path().join(".git")).unwrap();
    fs::write(repository.path().join(".terraform-version"), "1.5.7\n").unwrap();
    fs::write(module.join("main.tf"), "locals {\n  a = 1\n}\n").unwrap();
    let version = |source: &Source| Merge::new().version("auto").run(source).unwrap().version().to_owned();
    assert_eq!(version(&Source::folder(&module)), "1.5.7");
    assert_eq!(Plan::new().version("auto").run(&Source::folder(&module)).unwrap().version(), "1.5.7");
    let inner = Merge::new().version("auto").root("modules/web").run(&Source::folder(repository.path())).unwrap();
    assert_eq!(inner.version(), "1.5.7");
    // Outside of a repository nothing above counts.
    fs::remove_dir(repository.path().join(".git")).unwrap();
    assert_ne!(version(&Source::folder(&module)), "1.5.7");
}

#[test]
fn a_plan_of_a_folder_has_its_working_directory() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("main.tf"), "output \"cwd\" {\n  value = path.cwd\n}\n").unwrap();
    let cwd = |plan: Plan| plan.run(&Source::folder(folder.path())).unwrap().outputs()["cwd"].clone();
    let real = folder.path().canonicalize().unwrap().to_str().unwrap().to_owned();
    assert_eq!(cwd(Plan::new()), Value::String(real));
    assert_eq!(cwd(Plan::new().working_directory("/srv/work")), Value::String("/srv/work".to_owned()));
}

#[test]
fn objects_have_their_blocks_and_what_happened_to_them() {
    let report = Merge::new()
        .run(&source(&[
            (
                "main.tf",
                "resource \"aws_instance\" \"web\" {\n  ami = \"a\"\n  root_block_device {\n    encrypted = true\n    size      = 8\n  }\n}\n",
            ),
            ("override.tf", "resource \"aws_instance\" \"web\" {\n  root_block_device {\n    size = 9\n  }\n}\n"),
        ]))
        .unwrap();
    let web = &report.objects()["aws_instance.web"];
    assert_eq!((&*web.kind, web.header.start.line, web.overridden_by.len()), ("resource", 1, 1));
    assert_eq!(web.arguments["ami"].expression.as_deref(), Some("\"a\""));
    let device = web.blocks_of("root_block_device").next().unwrap();
    assert_eq!(device.arguments["size"].span.to_string(), "override.tf:3:5-13");
    assert!(!device.arguments.contains_key("encrypted"));
    assert_eq!(web.removed_blocks[0].span.start.to_string(), "3:3");
    // What is lost in a nested block says in which.
    let lost = report.overrides().iter().find(|found| found.argument.as_deref() == Some("encrypted")).unwrap();
    assert_eq!((&*lost.change, lost.within.file.as_str(), lost.within.start.line), ("removed", "main.tf", 3));
    let before = lost.before.as_ref().unwrap();
    assert_eq!((before.expression.as_deref(), before.span.start.line), (Some("true"), 4));
    assert_eq!(lost.after, None);
}

#[test]
fn values_say_which_sources_they_have() {
    let source = source(&[
        (
            "main.tf",
            "variable \"a\" {\n  default = 1\n}\nvariable \"b\" {\n  sensitive = true\n  default = 2\n}\nvariable \"c\" {}\n",
        ),
        ("terraform.tfvars", "a = 3\n"),
    ]);
    let report = Merge::new().environment("TF_VAR_c", "x").variable("b", 4).run(&source).unwrap();
    let [a, b, c] = ["a", "b", "c"].map(|name| &report.variables()[name]);
    assert_eq!(a.sources, [ValueSource::File("terraform.tfvars".to_owned())]);
    assert_eq!((&a.default, &a.superseded), (&Some(Value::from(serde_json::json!(1))), &vec![ValueSource::Default]));
    assert_eq!(
        (&b.value, &b.default, &b.sources),
        (&Some(Value::Hidden), &Some(Value::Hidden), &vec![ValueSource::Question])
    );
    assert_eq!((&c.default, &c.sources), (&None, &vec![ValueSource::Environment("TF_VAR_c".to_owned())]));
}

#[test]
fn what_messages_advise_can_be_given() {
    let main = "module \"net\" {\n  source = \"acme/net/aws\"\n}\ndata \"aws_ami\" \"a\" {}\noutput \"o\" {\n  value = \"${module.net.name} ${data.aws_ami.a.id}\"\n}\n";
    let net = "output \"name\" {\n  value = \"net\"\n}\n";
    let memory = source(&[("main.tf", main), ("vendor/net/main.tf", net)]);
    let bare = Plan::new().run(&memory).unwrap();
    let module = bare.missing().iter().find(|missing| missing.kind == "module").unwrap();
    assert_eq!((module.source.as_deref(), module.address.as_deref()), (Some("acme/net/aws"), Some("module.net")));
    let given = |plan: Plan| plan.assume("data.aws_ami.a", serde_json::json!({"id": "ami-1"})).unwrap();
    let plan = given(Plan::new().module_source("acme/net/aws", "vendor/net")).run(&memory).unwrap();
    assert_eq!(plan.outputs()["o"].as_str(), Some("net ami-1"), "{:?}", plan.diagnostics());
    assert_eq!(Plan::new().assume("data.aws_ami.a", 1).unwrap_err().kind(), ErrorKind::Options);
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in [("root/main.tf", main), ("net/main.tf", net)] {
        fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
        fs::write(folder.path().join(path), text).unwrap();
    }
    let disk = Source::folder(folder.path().join("root"));
    for place in ["../net".to_owned(), folder.path().join("net").to_str().unwrap().to_owned()] {
        let plan = given(Plan::new().module_source("acme/net/aws", place)).run(&disk).unwrap();
        assert_eq!(plan.outputs()["o"].as_str(), Some("net ami-1"), "{:?}", plan.diagnostics());
    }
    assert_eq!(Plan::new().module_source("acme/net/aws", "../no").run(&disk).unwrap_err().kind(), ErrorKind::Source);
}

#[test]
fn folders_keep_limits_and_take_absolute_paths() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("main.tf"), "variable \"a\" {}\n").unwrap();
    fs::write(path("some.tfvars"), "a = 1\n").unwrap();
    let source = Source::folder(folder.path());
    let file = path("some.tfvars").to_str().unwrap().to_owned();
    let report = Merge::new().variables_file(&file).run(&source).unwrap();
    assert_eq!(report.variables()["a"].value, Some(Value::from(serde_json::json!(1))));
    for (limits, name) in [
        (Limits::new().with_bytes(3), "max-unpacked-bytes"),
        (Limits::new().with_file_bytes(3), "max-file-bytes"),
        (Limits::new().with_entries(1), "max-entries"),
    ] {
        let error = Merge::new().limits(limits).variables_file(&file).run(&source).unwrap_err();
        assert_eq!((error.kind(), error.limit().map(|(name, _)| name)), (ErrorKind::Limit, Some(name)), "{error}");
    }
    // Messages name files from the folder.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", path("broken.tf")).unwrap();
        let error = Merge::new().run(&source).unwrap_err();
        assert!(error.to_string().starts_with("\"broken.tf\""), "{error}");
    }
}

#[test]
fn values_and_places_have_a_text() {
    let value = serde_json::json!({"a": [1.50, "x\"", null, true]});
    assert_eq!(Value::from(value.clone()).to_string(), value.to_string());
    assert_eq!(Value::from(value.clone()).to_json(), Some(value));
    let plan = Plan::new()
        .run(&source(&[("main.tf", "resource \"terraform_data\" \"a\" {\n  for_each = { k = 1 }\n}\n")]))
        .unwrap();
    let only = &plan.resources()[0];
    assert_eq!((only.key.as_ref().unwrap().as_str(), &only.module), (Some("k"), &None));
    assert!(only.values.to_string().contains("\"id\":(unknown)"), "{}", only.values);
    assert_eq!(only.values.to_json(), None);
    let broken = Merge::new().run(&source(&[("main.tf", "locals {\n  a = var.b\n}\n")])).unwrap();
    let finding = &broken.diagnostics()[0];
    assert_eq!((finding.severity.to_string(), finding.severity > Severity::Warning), ("error".to_owned(), true));
    assert_eq!(finding.span.as_ref().unwrap().start.to_string(), "2:7");
    let kept: Diagnostic = serde_json::from_str(&serde_json::to_string(finding).unwrap()).unwrap();
    assert_eq!(kept, *finding);
}

/// A module behind a link is where it lies, so that what it calls is found from there.
#[cfg(unix)]
#[test]
fn a_plan_follows_links_to_modules() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["root", "shared/web", "shared/names"] {
        fs::create_dir_all(path(name)).unwrap();
    }
    fs::write(path("shared/names/main.tf"), "output \"name\" {\n  value = \"deep\"\n}\n").unwrap();
    let web = "module \"names\" {\n  source = \"../names\"\n}\noutput \"name\" {\n  value = module.names.name\n}\n";
    fs::write(path("shared/web/main.tf"), web).unwrap();
    std::os::unix::fs::symlink(path("shared/web"), path("root/web")).unwrap();
    let root = "module \"web\" {\n  source = \"./web\"\n}\noutput \"name\" {\n  value = module.web.name\n}\n";
    fs::write(path("root/main.tf"), root).unwrap();
    let plan = Plan::new().run(&Source::folder(path("root"))).unwrap();
    assert!(plan.is_valid(), "{:?}", plan.diagnostics());
    assert_eq!(plan.outputs()["name"], Value::String("deep".to_owned()));
}

#[test]
fn other_tools_have_their_rules() {
    let source = source(&[("main.tf", "locals {\n  a = 1\n}\n"), ("main.tofu", "locals {\n  a = 2\n}\n")]);
    let of = |dialect: Dialect| Merge::new().dialect(dialect).run(&source).unwrap();
    let value = |report: &overfold::Report| report.argument("local.a", "a").is_some();
    assert!(!value(&of(Dialect::Terraform)));
    let config = |dialect| serde_json::from_str::<serde_json::Value>(of(dialect).config().unwrap()).unwrap();
    assert_eq!(config(Dialect::Terraform)["locals"][0]["a"], 1);
    assert_eq!(config(Dialect::OpenTofu)["locals"][0]["a"], 2);
}

#[test]
fn impossible_questions_are_errors() {
    let files = source(&[("main.tf", "")]);
    let kind = |result: Result<overfold::Report, overfold::Error>| result.unwrap_err().kind();
    assert_eq!(kind(Merge::new().version("1.999").run(&files)), ErrorKind::Options);
    assert_eq!(kind(Merge::new().root("none").run(&files)), ErrorKind::Options);
    assert_eq!(kind(Merge::new().expand().run(&files)), ErrorKind::Options);
    assert_eq!(kind(Merge::new().variables_file("none.tfvars").run(&files)), ErrorKind::Options);
    assert_eq!(Merge::new().provider_schemas("[]").unwrap_err().kind(), ErrorKind::Options);
    let twice = Source::from_files([("main.tf", ""), ("main.tf", "")]).unwrap_err();
    assert_eq!(twice.kind(), ErrorKind::Source, "{twice}");
    assert_eq!(Source::from_files([("../main.tf", "")]).unwrap_err().kind(), ErrorKind::Source);
}

#[test]
fn limits_and_cancellation_end_a_run() {
    let text = "locals {\n  a = length(join(\"\", [for i in range(1000) : join(\"\", [for j in range(1000) : \"x\"])]))\n}\n\
                output \"o\" {\n  value = local.a\n}\n";
    let files = source(&[("main.tf", text)]);
    let mut limits = Limits::new();
    limits.work = 1000;
    let error = Plan::new().limits(limits.clone()).run(&files).unwrap_err();
    assert_eq!((error.kind(), error.limit()), (ErrorKind::Limit, Some(("max-work-units", 1000))));
    limits = Limits::new();
    limits.file_bytes = 10;
    let error = Source::from_files_within([("main.tf", text)], &limits).unwrap_err();
    assert_eq!((error.kind(), error.limit()), (ErrorKind::Limit, Some(("max-file-bytes", 10))));
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(Merge::new().cancel(&cancel).run(&files).unwrap_err().kind(), ErrorKind::Cancelled);
    let later = Cancel::new();
    let mut limits = Limits::new();
    limits.work = u64::MAX;
    let other = later.clone();
    let canceller = thread::spawn(move || other.cancel());
    let long = "output \"o\" {\n  value = [for i in range(1024) : [for j in range(1024) : [for k in range(1024) : [for l in range(1024) : i]]]]\n}\n";
    let plan = Plan::new().limits(limits).cancel(&later).run(&source(&[("main.tf", long)]));
    canceller.join().unwrap();
    assert_eq!(plan.unwrap_err().kind(), ErrorKind::Cancelled);
}

/// On a thread with a small stack, with text and values that are nested as deeply as they may be.
#[test]
fn deep_nesting_needs_no_stack_of_the_caller() {
    let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let text = format!("output \"o\" {{\n  value = {}\n}}\n", nested(3000));
    let run = move || {
        let plan = Plan::new().run(&Source::from_files([("main.tf", text.as_str())]).unwrap()).unwrap();
        let mut value = &plan.outputs()["o"];
        let mut depth = 0;
        while let Value::List(elements) = value {
            (value, depth) = (&elements[0], depth + 1);
        }
        assert_eq!((value, depth), (&Value::TooDeep, Value::MAX_DEPTH + 1));
        let deeper = Source::from_files([("main.tf", format!("locals {{\n  a = {}\n}}\n", nested(100_000)))]);
        Merge::new().run(&deeper.unwrap()).unwrap().is_valid()
    };
    assert!(!thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap());
}

/// The types can be shared and kept, as types of a program are.
#[test]
fn types_are_send_sync_and_clone() {
    fn check<T: Send + Sync + Clone + std::fmt::Debug>() {}
    check::<Source>();
    check::<Merge>();
    check::<Plan>();
    check::<overfold::Report>();
    check::<overfold::PlanReport>();
    check::<overfold::Error>();
    check::<Limits>();
    check::<Cancel>();
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("LICENSE").exists());
}

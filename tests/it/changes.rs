//! The record of what overriding changed: each act with its positions and the rule that caused it.

use overfold_cli::config::{Change, ChangeKind, MergeRule, Part};
use overfold_cli::diag::Span;
use overfold_cli::dialect::{AttrMerge, ListRule, NestedRule, OverrideRule};
use overfold_cli::files::{FileSet, ModulePath, SourceFile};
use overfold_cli::pipeline::{Report, Request, run};
use overfold_cli::syntax::Forest;

/// Runs the pipeline on some files and returns the result of `look`.
pub(crate) fn report<T>(dialect: &str, files: &[(&str, &str)], look: impl FnOnce(&Report<'_>) -> T) -> T {
    let files = files.iter().map(|(name, text)| SourceFile {
        path: ModulePath::parse(name).unwrap(),
        bytes: text.as_bytes().to_vec().into(),
    });
    let request = Request::new(dialect);
    let forest = Forest::default();
    look(&run(&forest, &FileSet::new(files.collect(), Vec::new()), &request).unwrap())
}

/// Returns `ADDRESS in LINE: PART ACT BEFORE by CAUSE, RULE` for each change. Positions are given as their text in one
/// line, shortened.
fn changes(dialect: &str, files: &[(&str, &str)]) -> Vec<String> {
    report(dialect, files, |report| {
        let shown = report.module.changes.iter().map(|change| shown(report, change));
        shown.collect()
    })
}

fn shown(report: &Report<'_>, change: &Change<'_>) -> String {
    let sources = &report.forest.sources;
    let text = |span: Span| {
        let text = sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
        format!("`{}`", text.chars().take(24).collect::<String>())
    };
    let part = match change.part {
        Part::Argument(name) => name.to_owned(),
        Part::Block(keyword) => format!("{keyword}{{}}"),
        Part::Object => "object".to_owned(),
    };
    let act = match change.act {
        ChangeKind::Replaced => "replaced",
        ChangeKind::Added => "added",
        ChangeKind::Removed => "removed",
        ChangeKind::Ignored => "ignored",
    };
    assert_eq!(
        change.after(),
        matches!(change.act, ChangeKind::Replaced | ChangeKind::Added).then_some(change.cause)
    );
    assert!(sources.name(change.file()).contains("override"), "{change:?}");
    let line = sources.position(change.within.source, change.within.start).line;
    let before = change.before.map_or_else(|| "-".to_owned(), text);
    let rule = match change.rule {
        MergeRule::Argument(rule) => format!("{rule:?}").split(['(', ' ']).next().unwrap().to_owned(),
        MergeRule::Block(rule) => format!("{rule:?}").split([' ', '(']).next().unwrap().to_owned(),
        MergeRule::Nested(rule) => format!("{rule:?}"),
        MergeRule::List(rule) => format!("{rule:?}").split(' ').next().unwrap().to_owned(),
    };
    format!("{} in {line}: {part} {act} {before} by {}, {rule}", change.address, text(change.cause))
}

#[test]
fn nothing_is_recorded_without_overrides() {
    for dialect in ["terraform", "tflint", "terraform-0.11"] {
        assert!(changes(dialect, &[("main.tf", "resource \"a\" \"t\" {\n  n = 1\n}\n")]).is_empty());
    }
}

#[test]
fn arguments_and_blocks_of_an_object() {
    let base = "resource \"a\" \"t\" {\n  n = 1\n  disk {\n    size = 5\n    zone {}\n  }\n  disk {}\n  nic {}\n}\n";
    let over =
        "resource \"a\" \"t\" {\n  n = 2\n  m = 3\n  depends_on = [a.u]\n  disk {\n    kind = 1\n  }\n  gpu {}\n}\n";
    assert_eq!(
        changes("terraform", &[("main.tf", base), ("override.tf", over)]),
        [
            "a.t in 1: n replaced `n = 1` by `n = 2`, Replace",
            "a.t in 1: m added - by `m = 3`, Replace",
            "a.t in 1: depends_on ignored - by `depends_on = [a.u]`, RefuseUnlessEmpty",
            "a.t in 1: disk{} replaced `disk { size = 5 zone {} ` by `disk { kind = 1 }`, ByTypeAndDynamic",
            "a.t in 3: size removed `size = 5` by `disk { kind = 1 }`, ByTypeAndDynamic",
            "a.t in 3: zone{} removed `zone {}` by `disk { kind = 1 }`, ByTypeAndDynamic",
            "a.t in 1: disk{} removed `disk {}` by `disk { kind = 1 }`, ByTypeAndDynamic",
            "a.t in 1: gpu{} added - by `gpu {}`, ByTypeAndDynamic",
        ]
    );
}

#[test]
fn nested_blocks_with_a_rule_of_their_own() {
    let base = "resource \"a\" \"t\" {\n  lifecycle {\n    prevent_destroy = true\n  }\n  connection {\n    host = 1\n  }\n  provisioner \"x\" {\n    a = 1\n  }\n}\nresource \"a\" \"u\" {}\n";
    let over = "resource \"a\" \"t\" {\n  lifecycle {\n    prevent_destroy = false\n  }\n  connection {\n    user = 1\n  }\n  provisioner \"y\" {}\n}\n\
                resource \"a\" \"u\" {\n  lifecycle {\n    prevent_destroy = true\n  }\n}\n";
    assert_eq!(
        changes("terraform", &[("main.tf", base), ("override.tf", over)]),
        [
            "a.t in 1: provisioner{} removed `provisioner \"x\" { a = 1 ` by `provisioner \"y\" {}`, AllReplace",
            "a.t in 1: provisioner{} added - by `provisioner \"y\" {}`, AllReplace",
            "a.t in 2: prevent_destroy replaced `prevent_destroy = true` by `prevent_destroy = false`, Replace",
            "a.t in 1: connection{} replaced `connection { host = 1 }` by `connection { user = 1 }`, ReplaceWhole",
            "a.t in 5: host removed `host = 1` by `connection { user = 1 }`, ReplaceWhole",
            "a.u in 12: lifecycle{} added - by `lifecycle { prevent_dest`, Merge",
        ]
    );
}

#[test]
fn objects_as_a_whole() {
    let base = "locals {\n  l = 1\n}\nterraform {\n  required_version = \">= 1.1\"\n  backend \"s3\" {\n    bucket = \"a\"\n    key = \"k\"\n  }\n  required_providers {\n    p = {\n      source = \"x/p\"\n      version = \"1\"\n    }\n  }\n}\n";
    let over = "locals {\n  l = 2\n}\nterraform {\n  required_version = \">= 1.0\"\n  backend \"s3\" {\n    bucket = \"b\"\n  }\n  required_providers {\n    p = {\n      version = \"2\"\n    }\n    q = \"1\"\n  }\n}\n";
    let cloud = "terraform {\n  cloud {}\n}\n";
    assert_eq!(
        changes("terraform", &[("main.tf", base), ("a_override.tf", over), ("b_override.tf", cloud)]),
        [
            "local.l in 2: object replaced `l = 1` by `l = 2`, ReplaceWhole",
            "terraform.required_providers.p in 10: object replaced `p = { source = \"x/p\" ver` by `p = { version = \"2\" }`, ReplaceWhole",
            "terraform.required_providers.p in 11: source removed `source = \"x/p\"` by `p = { version = \"2\" }`, ReplaceWhole",
            "terraform.required_providers.q in 13: object added - by `q = \"1\"`, ReplaceWhole",
            "terraform.backend in 6: object replaced `backend \"s3\" { bucket = ` by `backend \"s3\" { bucket = `, OnePerFile",
            "terraform.backend in 6: key removed `key = \"k\"` by `backend \"s3\" { bucket = `, OnePerFile",
            "terraform.required_version in 5: object replaced `required_version = \">= 1` by `required_version = \">= 1`, AllOfFileReplace",
            "terraform.backend in 2: object removed `backend \"s3\" { bucket = ` by `cloud {}`, OnePerFile",
            "terraform.cloud in 2: object added - by `cloud {}`, OnePerFile",
        ]
    );
    let over = "resource \"a\" \"n\" {}\nterraform {\n  cloud {}\n  cloud {}\n}\n";
    assert_eq!(
        changes("terraform", &[("main.tf", ""), ("override.tf", over)]),
        [
            "a.n in 1: object ignored - by `resource \"a\" \"n\" {}`, Merge",
            "terraform.cloud in 3: object ignored - by `cloud {}`, OnePerFile",
            "terraform.cloud in 4: object ignored - by `cloud {}`, OnePerFile",
        ]
    );
}

#[test]
fn later_overrides_replace_earlier_additions() {
    let files = [
        ("main.tf", "resource \"a\" \"t\" {}\n"),
        ("a_override.tf", "resource \"a\" \"t\" {\n  n = 1\n  disk {}\n}\n"),
        ("b_override.tf", "resource \"a\" \"t\" {\n  n = 2\n  disk {}\n}\n"),
    ];
    assert_eq!(
        changes("terraform", &files),
        [
            "a.t in 1: n added - by `n = 1`, Replace",
            "a.t in 1: disk{} added - by `disk {}`, ByTypeAndDynamic",
            "a.t in 1: n replaced `n = 1` by `n = 2`, Replace",
            "a.t in 1: disk{} replaced `disk {}` by `disk {}`, ByTypeAndDynamic",
        ]
    );
}

#[test]
fn losses_are_recorded_beyond_the_limit_of_notes() {
    let disks = "  disk {\n    size = 5\n  }\n".repeat(300);
    let base = format!("resource \"a\" \"t\" {{\n{disks}}}\n");
    let files = [("main.tf", &*base), ("override.tf", "resource \"a\" \"t\" {\n  disk {}\n}\n")];
    report("terraform", &files, |report| {
        let removed = report.module.changes.iter().filter(|change| change.act == ChangeKind::Removed).count();
        assert_eq!(removed, 300, "the argument of the first, and all others");
        let notes = |code: &str| report.diagnostics.iter().filter(|found| found.code.id == code).count();
        assert_eq!((notes("override/content-lost"), notes("override/losses-cut")), (200, 1));
    });
}

#[test]
fn an_object_that_is_renamed_is_recorded_under_its_name() {
    let base = "provider \"p\" {\n  x = 1\n}\nprovider \"p\" {\n  alias = \"a\"\n}\n";
    let over = "provider \"p\" {\n  alias = \"b\"\n  x = 2\n}\nprovider \"q\" {}\n";
    report("terraform-0.11", &[("main.tf", base), ("override.tf", over)], |report| {
        let addresses: Vec<String> =
            report.module.elements.iter().map(|element| element.address.to_string()).collect();
        assert_eq!(addresses, ["provider.p.b", "provider.p.a", "provider.q"]);
        let notes = report.diagnostics.iter().filter(|found| found.code.id == "override/first-of-name");
        assert_eq!(notes.map(|note| note.address.as_deref().unwrap()).collect::<Vec<_>>(), ["provider.p"]);
    });
    assert_eq!(
        changes("terraform-0.11", &[("main.tf", base), ("override.tf", over)]),
        [
            "provider.p.b in 1: alias added - by `alias = \"b\"`, ReplaceUnlessEmptyText",
            "provider.p.b in 1: x replaced `x = 1` by `x = 2`, Replace",
            "provider.q in 5: object added - by `provider \"q\" {}`, MergeIntoNamesake",
        ]
    );
    // Its name is taken, so the later one is removed.
    let over = "provider \"p\" {\n  alias = \"a\"\n}\n";
    report("terraform-0.11", &[("main.tf", base), ("override.tf", over)], |report| {
        let addresses: Vec<String> =
            report.module.elements.iter().map(|element| element.address.to_string()).collect();
        assert_eq!(addresses, ["provider.p.a"]);
        assert_eq!(report.module.elements[0].block.arguments[0].name, "x");
    });
    assert_eq!(
        changes("terraform-0.11", &[("main.tf", base), ("override.tf", over)]),
        [
            "provider.p.a in 1: alias added - by `alias = \"a\"`, ReplaceUnlessEmptyText",
            "provider.p.a in 1: object removed `provider \"p\" { alias = \"` by `provider \"p\"`, MergeIntoNamesake",
        ]
    );
}

#[test]
fn an_override_of_an_aliased_provider_has_no_first_of_name_note() {
    let base = "provider \"p\" {\n  alias = \"a\"\n  x = 1\n}\nprovider \"p\" {}\n";
    let over = "provider \"p\" {\n  alias = \"a\"\n  x = 2\n}\n";
    report("terraform-0.11", &[("main.tf", base), ("override.tf", over)], |report| {
        assert!(report.diagnostics.iter().all(|found| found.code.id != "override/first-of-name"));
        let addresses: Vec<String> =
            report.module.elements.iter().map(|element| element.address.to_string()).collect();
        assert_eq!(addresses, ["provider.p.a", "provider.p"]);
    });
}

#[test]
fn additions_and_ignored_repetitions_in_an_override() {
    let base = "output \"a\" {\n  value = 1\n}\n";
    let over = "output \"a\" {\n  value = 2\n}\noutput \"a\" {\n  value = 3\n}\noutput \"b\" {\n  value = 1\n}\n";
    let files = [("main.tf", base), ("override.tf", over)];
    report("terraform-0.11", &files, |report| {
        let addresses: Vec<String> =
            report.module.elements.iter().map(|element| element.address.to_string()).collect();
        assert_eq!(addresses, ["output.a", "output.b"]);
    });
    assert_eq!(
        changes("terraform-0.11", &files),
        [
            "output.a in 1: value replaced `value = 1` by `value = 2`, Replace",
            "output.a in 4: object ignored `output \"a\" { value = 1 }` by `output \"a\" { value = 3 }`, Added",
            "output.b in 7: object added - by `output \"b\" { value = 1 }`, Merge",
        ]
    );
}

#[test]
fn lists_of_blocks() {
    let base = "resource \"a\" \"t\" {\n  n = 1\n  disk {\n    size = 5\n  }\n  lifecycle {}\n}\nlocals {\n  a = 1\n}\nlocals {\n  b = 1\n}\nterraform {\n  backend \"x\" {}\n  required_providers {\n    p = \"1\"\n  }\n}\n";
    let over = "resource \"a\" \"t\" {\n  n = 2\n  disk {}\n  lifecycle {\n    prevent_destroy = true\n    x {}\n  }\n}\nlocals {\n  b = 2\n  c = 2\n}\nterraform {\n  cloud {}\n  required_providers {\n    p = \"2\"\n    q = \"2\"\n  }\n}\nprovider \"n\" {}\n";
    assert_eq!(
        changes("tflint", &[("main.tf", base), ("override.tf", over)]),
        [
            "resource.a.t in 1: n replaced `n = 1` by `n = 2`, First",
            "resource.a.t in 1: disk{} replaced `disk { size = 5 }` by `disk {}`, First",
            "resource.a.t in 3: size removed `size = 5` by `disk {}`, First",
            "resource.a.t in 1: x{} ignored - by `x {}`, First",
            "resource.a.t in 6: prevent_destroy added - by `prevent_destroy = true`, First",
            "locals in 11: b replaced `b = 1` by `b = 2`, Entries",
            "locals in 9: object added - by `locals { b = 2 c = 2 }`, Entries",
            "terraform in 14: cloud{} added - by `cloud {}`, Every",
            "terraform in 14: backend{} removed `backend \"x\" {}` by `cloud {}`, Every",
            "terraform in 16: p replaced `p = \"1\"` by `p = \"2\"`, Every",
            "terraform in 16: q added - by `q = \"2\"`, Every",
            "provider.n in 20: object ignored - by `provider \"n\" {}`, First",
        ]
    );
}

#[test]
fn arguments_and_blocks_that_replace_each_other() {
    let base = "resource \"a\" \"t\" {\n  x = 1\n  y {}\n  y {}\n  connection {}\n}\n";
    let over = "resource \"a\" \"t\" {\n  x {}\n  y = 2\n  provisioner \"p\" {}\n}\n";
    assert_eq!(
        changes("terraform-0.11", &[("main.tf", base), ("override.tf", over)]),
        [
            "a.t in 1: y{} removed `y {}` by `y = 2`, ByName",
            "a.t in 1: y{} removed `y {}` by `y = 2`, ByName",
            "a.t in 1: x removed `x = 1` by `x {}`, ByName",
            "a.t in 1: y added - by `y = 2`, Replace",
            "a.t in 1: x{} added - by `x {}`, ByName",
            "a.t in 1: provisioner{} added - by `provisioner \"p\" {}`, AllReplace",
            "a.t in 1: connection{} removed `connection {}` by `resource \"a\" \"t\" { x {} `, GoesWith",
        ]
    );
    let base = "output \"o\" {\n  value = 1\n  description = \"d\"\n}\n";
    assert_eq!(
        changes("terraform-0.11", &[("main.tf", base), ("override.tf", "output \"o\" {\n  value = 2\n}\n")]),
        [
            "output.o in 1: description removed `description = \"d\"` by `output \"o\" { value = 2 }`, EvenIfUnset",
            "output.o in 1: value replaced `value = 1` by `value = 2`, Replace",
        ]
    );
}

#[test]
fn merge_rules_come_from_the_dialect_table() {
    let files = [
        ("main.tf", "resource \"a\" \"t\" {\n  disk {}\n}\n"),
        ("override.tf", "resource \"a\" \"t\" {\n  n = 2\n  disk {}\n}\nlocals {\n  x = 1\n}\n"),
    ];
    let rules = |dialect: &str| -> Vec<MergeRule> {
        report(dialect, &files, |report| report.module.changes.iter().map(|change| change.rule).collect())
    };
    assert_eq!(
        rules("terraform")[..2],
        [MergeRule::Argument(&AttrMerge::Replace), MergeRule::Nested(NestedRule::ByTypeAndDynamic)]
    );
    assert!(matches!(rules("terraform")[2], MergeRule::Block(OverrideRule::ReplaceWhole { .. })));
    assert!(matches!(
        rules("tflint")[..],
        [
            MergeRule::List(ListRule::First { joined: ["lifecycle"] }),
            MergeRule::List(ListRule::First { .. }),
            MergeRule::List(ListRule::Entries),
        ]
    ));
}

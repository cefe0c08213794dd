//! No expression may take more time or memory than a request allows.

use super::*;
use overfold_base::diag::Severity;
use overfold_base::files::{FileSet, ModulePath, SourceFile, SpecialEntry, SpecialKind};

fn exhausts(text: &str) {
    let forest = forest();
    let expr = parse(&forest, text);
    let mut out = Diagnostics::new();
    let limits = account::Limits { work: 5_000_000, memory: 256 << 20 };
    let value =
        account::open(limits, &account::Cancel::new(), || evaluate(&forest, expr, &Scope::CONSTANT, &mut out));
    assert!(!value.unwrap().is_known());
    let found = findings(&forest, &out);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "Expression takes too much work");
}

#[test]
fn nested_loops_end() {
    let thousand = format!("[{}]", vec!["0"; 1000].join(","));
    exhausts(&format!("[for a in {thousand} : [for b in {thousand} : [for c in {thousand} : c]]]"));
    exhausts(&format!("{{for a in {thousand} : \"k\" => [for b in {thousand} : [for c in {thousand} : c]]...}}"));
}

#[test]
fn shared_values_that_would_be_huge_when_written() {
    let mut text = "a39".to_owned();
    for level in (0..40).rev() {
        let source = if level == 0 { "[1, 1]".to_owned() } else { format!("[a{0}, a{0}]", level - 1) };
        text = format!("[for a{level} in [{source}] : {text}]");
    }
    exhausts(&text);
}

#[test]
fn texts_that_double() {
    let mut text = "1".to_owned();
    for level in (0..60).rev() {
        let source = if level == 0 { "xxxxxxxx".to_owned() } else { format!("${{a{0}}}${{a{0}}}", level - 1) };
        text = format!("[for a{level} in [\"{source}\"] : {text}]");
    }
    exhausts(&text);
}

#[test]
fn deep_expressions_do_not_need_a_deep_stack() {
    let (value, _) = run(&format!("{}1{}", "[".repeat(1000), "]".repeat(1000)));
    assert_eq!(value.depth(), 1000);
    let sum = vec!["1"; 900].join("+");
    assert_value(&sum, "900", "number");
}

#[test]
fn the_share_of_expressions_is_reported_once() {
    let forest = forest();
    let expr = parse(&forest, "[for a in [1, 2, 3, 4] : [for b in [1, 2, 3, 4] : b]]");
    let mut out = Diagnostics::new();
    let limits = account::Limits { work: 40, memory: u64::MAX };
    let done = account::open(limits, &account::Cancel::new(), || {
        for _ in 0..3 {
            assert!(!evaluate(&forest, expr, &Scope::CONSTANT, &mut out).is_known());
        }
    });
    assert_eq!((done, out.iter().filter(|found| found.severity == Severity::Error).count()), (Ok(()), 1));
}

#[test]
fn numbers_with_huge_exponents_stay_cheap() {
    let many = (0..40).map(|n| format!("{n}.5e-600000{n}")).collect::<Vec<_>>().join(", ");
    let (value, found) = run(&format!("[toset([{many}])]"));
    assert!(found.is_empty(), "{found:?}");
    assert!(value.to_json().is_err());
    let (value, _) = run("[for x in [1e600000000, 1e-600000000] : x == 1e600000000]");
    assert_eq!(value.to_json().as_deref(), Ok("[true,false]"));
    finds("\"${1e600000000}x\"", &[("Invalid template interpolation value", "1e600000000")]);
}

/// Returns the value of an expression and the work charged for it, on an account of a few milliseconds.
fn on_little(text: &str, files: &FileSet) -> (Value, Vec<Finding>, u64) {
    let forest = forest();
    let expr = parse(&forest, text);
    let roots = roots();
    let functions = FunctionSet::all(Lineage::Mainline);
    let scope = Scope {
        roots: Some(&roots),
        functions: Some(&functions),
        providers: None,
        assumes_functions: false,
        files: Some(FileAccess::new(files, "")),
        json: JsonStrings::Templates,
        logic: LogicRule::BothSides,
        plan_time: None,
        clock: None,
        absent: None,
    };
    let limits = account::Limits { work: 200_000, memory: 16 << 20 };
    account::open(limits, &account::Cancel::new(), || {
        let mut out = Diagnostics::new();
        let value = evaluate(&forest, expr, &scope, &mut out);
        (value, findings(&forest, &out), account::spent().work)
    })
    .unwrap()
}

#[test]
fn a_product_with_an_empty_list_is_empty_and_free() {
    let files = FileSet::default();
    let many = vec!["[1, 2, 3, 4, 5, 6, 7, 8, 9]"; 40].join(", ");
    for text in [format!("setproduct({many}, [])"), format!("setproduct([], {many})")] {
        let (value, found, units) = on_little(&text, &files);
        assert_eq!((value.length(), found), (Some(0), vec![]));
        assert!(units < 10_000, "{units}");
    }
    let (value, found, _) = on_little(&format!("setproduct({many})"), &files);
    assert!(!value.is_known());
    assert_eq!(found[0].0, "Expression takes too much work");
    assert_value(
        "setproduct([\"a\", \"b\"], [1], [true, false])[2]",
        "[\"b\",1,true]",
        "tuple([string,number,bool])",
    );
}

#[test]
fn a_pattern_of_paths_is_no_longer_than_paths_are() {
    let (_, found, _) = on_little(&format!("fileset(\".\", \"{}\")", "{a,b}*".repeat(100_000)), &FileSet::default());
    assert_eq!(found[0].0, "Error in function call");
}

/// Each segment is looked up once, and nothing below a segment that does not exist.
#[test]
fn a_path_is_looked_up_in_proportion_to_its_length() {
    let folder = |path: &str| SpecialEntry {
        path: ModulePath::parse(path).unwrap(),
        kind: SpecialKind::Folder,
        target: None,
        problem: None,
    };
    let file = |path: &str| SourceFile { path: ModulePath::parse(path).unwrap(), bytes: bytes::Bytes::new() };
    let links = [("here".to_owned(), String::new()), ("there".to_owned(), "t".to_owned())];
    let files = FileSet::new(vec![file("t/x.txt")], vec![folder("here"), folder("there")])
        .with_linked_folders(links.into_iter().collect());
    let cost = |segment: &str, count: usize| {
        let (value, found, units) = on_little(&format!("fileexists(\"{}nothing\")", segment.repeat(count)), &files);
        assert_eq!((value.to_json().as_deref(), found), (Ok("false"), vec![]), "{segment}");
        units
    };
    for segment in ["a/", "here/", "there/../", "./"] {
        let (few, many) = (cost(segment, 100), cost(segment, 400));
        assert!(many < 5 * few, "{segment}: {few} and {many} units");
    }
    // Longer than any system accepts, whatever it names; segments that cancel each other out do not count.
    for call in ["fileexists", "file", "filesha256"] {
        let (_, found, _) = on_little(&format!("{call}(\"{}x.txt\")", "here/".repeat(10_000)), &files);
        assert_eq!(found.len(), 1, "{call}: {found:?}");
    }
    let (value, found, _) = on_little(&format!("fileexists(\"{}t/x.txt\")", "t/../".repeat(2000)), &files);
    assert_eq!((value.to_json().as_deref(), found), (Ok("true"), vec![]));
}

#[test]
fn what_fails_deep_inside_is_charged() {
    let (value, found, _) =
        on_little(&format!("jsondecode(\"{}\")", "[{\\\"a\\\":".repeat(20_000)), &FileSet::default());
    assert!(!value.is_known());
    assert_eq!(found[0].0, "Expression takes too much work");
}

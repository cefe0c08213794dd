//! No expression may take more time or memory than a request is worth.

use super::*;

fn exhausts(text: &str) {
    let forest = forest();
    let expr = parse(&forest, text);
    let mut out = Diagnostics::new();
    let value = evaluate(&forest, expr, &Scope::CONSTANT, &Budget::new(1_000_000), &mut out);
    assert!(!value.is_known());
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
    gives(&sum, "900", "number");
}

#[test]
fn a_shared_budget_is_reported_once() {
    let forest = forest();
    let expr = parse(&forest, "[for a in [1, 2, 3, 4] : [for b in [1, 2, 3, 4] : b]]");
    let budget = Budget::new(10);
    let mut out = Diagnostics::new();
    for _ in 0..3 {
        assert!(!evaluate(&forest, expr, &Scope::CONSTANT, &budget, &mut out).is_known());
    }
    assert_eq!(out.error_count(), 1);
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

use std::rc::Rc;
use std::sync::Arc;

use super::*;
use overfold_eval::Roots;
use overfold_value::{Marks, Number, Type, Value};

const EVERYTHING: &[ForEachFault] = &[
    ForEachFault::NotIterable,
    ForEachFault::NotStrings,
    ForEachFault::NullElement,
    ForEachFault::Unknown,
    ForEachFault::Null,
    ForEachFault::Sensitive,
    ForEachFault::Ephemeral,
];
const ALWAYS: ForEachRules = ForEachRules { order: &[EVERYTHING], sequences: false, types: TypeCheck::Always };
const OF_CONTENT: ForEachRules = ForEachRules { types: TypeCheck::OfContent, ..ALWAYS };

const LENIENT: ForEachRules =
    ForEachRules { order: &[&[ForEachFault::NotIterable, ForEachFault::Marked]], sequences: true, ..ALWAYS };

fn whole(number: i64) -> Value {
    Value::number(Number::from_i64(number))
}

fn faults(value: &Value, rules: &ForEachRules) -> Vec<ForEachFault> {
    Repetition::of_for_each(value, rules).err().unwrap_or_default()
}

fn keys(repetition: &Repetition) -> Vec<String> {
    repetition.instances().map(|instance| instance.key().map(|key| key.to_string()).unwrap_or_default()).collect()
}

#[test]
fn a_count_is_a_whole_number_that_is_not_negative() {
    let of = |value: &Value| Repetition::of_count(value);
    assert_eq!(keys(&of(&whole(2)).unwrap()), ["[0]", "[1]"]);
    assert_eq!(keys(&of(&Value::text("1").with_marks(Marks::SENSITIVE)).unwrap()), ["[0]"]);
    assert_eq!(of(&whole(0)).unwrap().count(), Some(0));
    assert!(matches!(of(&Value::dynamic()), Ok(Repetition::Unknown)));
    assert!(matches!(of(&Value::null(Type::Number)), Err(CountFault::Null)));
    assert!(matches!(of(&whole(-1)), Err(CountFault::Negative)));
    assert!(matches!(of(&Value::text("1.5")), Err(CountFault::NotWhole)));
    assert!(matches!(of(&Value::bool(true)), Err(CountFault::NotANumber(_))));
}

#[test]
fn a_type_may_be_judged_whether_or_not_there_is_content() {
    let unknown = Value::unknown(Type::String);
    assert_eq!(faults(&unknown, &ALWAYS), [ForEachFault::NotIterable, ForEachFault::Unknown]);
    assert_eq!(faults(&unknown, &OF_CONTENT), [ForEachFault::Unknown]);
    let null = Value::null(Type::Dynamic);
    assert_eq!(faults(&null, &ALWAYS), [ForEachFault::Null]);
    assert_eq!(faults(&null, &OF_CONTENT), [ForEachFault::NotIterable, ForEachFault::Null]);
    let numbers = Value::set(Type::Number, Vec::new());
    assert_eq!(faults(&numbers, &ALWAYS), [ForEachFault::NotStrings]);
    assert_eq!(faults(&numbers, &OF_CONTENT), []);
    let partly_known = Value::set(Type::Number, vec![whole(1), Value::unknown(Type::Number)]);
    assert_eq!(faults(&partly_known, &ALWAYS), [ForEachFault::NotStrings]);
    assert_eq!(faults(&partly_known, &OF_CONTENT), [ForEachFault::NotStrings, ForEachFault::Unknown]);
}

#[test]
fn only_the_first_group_with_faults_is_reported() {
    const IN_TURN: ForEachRules =
        ForEachRules { order: &[&[ForEachFault::Sensitive, ForEachFault::Ephemeral], EVERYTHING], ..ALWAYS };
    let null = Value::null(Type::map(Type::String));
    assert_eq!(faults(&null, &IN_TURN), [ForEachFault::Null]);
    assert_eq!(faults(&null.with_marks(Marks::EPHEMERAL), &IN_TURN), [ForEachFault::Ephemeral]);
}

#[test]
fn lists_and_unknown_values_are_accepted_where_rules_say_so() {
    let list = Value::tuple(vec![whole(7)]);
    assert_eq!(faults(&list, &ALWAYS), [ForEachFault::NotIterable]);
    assert_eq!(keys(&Repetition::of_for_each(&list, &LENIENT).unwrap()), ["[0]"]);
    assert_eq!(faults(&list.with_marks(Marks::SENSITIVE), &LENIENT), [ForEachFault::Marked]);
    let unknown = Value::dynamic().with_marks(Marks::SENSITIVE);
    assert!(matches!(Repetition::of_for_each(&unknown, &LENIENT), Ok(Repetition::Unknown)));
}

#[test]
fn instances_see_their_element_and_the_names_around_them() {
    let mut outer = Roots::new();
    outer.insert(Arc::from("count"), whole(1));
    let outer = Rc::new(outer);
    let collection = Value::object(vec![(Arc::from("b"), whole(2)), (Arc::from("a"), whole(1))]);
    let repetition = Repetition::of_for_each(&collection, &ALWAYS).unwrap();
    assert_eq!(keys(&repetition), ["[\"a\"]", "[\"b\"]"]);
    let last = repetition.instances().last().unwrap().scope(&Arc::from("setting"), Some(&outer));
    let setting = last.get("setting").unwrap();
    assert_eq!(setting.get("key").and_then(Value::as_text), Some("b"));
    assert!(setting.get("value").unwrap().same(&whole(2)));
    assert!(last.get("count").unwrap().same(&whole(1)));
}

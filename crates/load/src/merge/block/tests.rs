use super::{Arguments, BlockMerger, BlockType, Grouping, by_type, remember_by_name};
use overfold_base::diag::Diagnostics;
use overfold_model::body::content::{self, BodyAt, ConsumedNames};
use overfold_model::config;
use overfold_model::config::{Argument, Block};
use overfold_syntax::Forest;

/// Returns the blocks in a text, without any schema.
fn blocks<'f>(forest: &'f Forest, text: &'static str) -> Vec<Block<'f>> {
    let source = forest.parse_native("t", text.into(), &mut Diagnostics::new());
    let body = BodyAt::of_file(forest, source).unwrap();
    let content = content::open(forest, body, &ConsumedNames::NONE, &|_| None);
    content.blocks.iter().map(|block| config::open_block(forest, block)).collect()
}

fn block<'f>(forest: &'f Forest, text: &'static str) -> Block<'f> {
    blocks(forest, text).pop().unwrap()
}

fn merger<'f>(forest: &'f Forest, text: &'static str) -> BlockMerger<'f> {
    BlockMerger::new(block(forest, text), Grouping::ByRow, forest)
}

/// Shows each argument as `NAME=VALUE<OLDEST<OLDER`, then each nested block as `TYPE(…)`, then each removed block as
/// `-TYPE(…)`.
fn shown(forest: &Forest, block: &Block<'_>) -> String {
    let text = |argument: &Argument<'_>| forest.sources.text(forest.expr_span(argument.expr)).into_owned();
    let mut parts: Vec<String> = Vec::new();
    for argument in block.arguments.iter().chain(block.escaped) {
        assert!(argument.previous.list().iter().all(|earlier| earlier.previous.is_empty()));
        let values: Vec<String> = std::iter::once(argument).chain(argument.previous.list()).map(text).collect();
        parts.push(format!("{}={}", argument.name, values.join("<")));
    }
    parts.extend(block.blocks.iter().map(|inner| shown(forest, inner)));
    parts.extend(block.removed_blocks().list().into_iter().map(|gone| format!("-{}", shown(forest, gone))));
    format!("{}({})", block.keyword, parts.join(" "))
}

#[test]
fn unmerged_blocks_are_returned_unchanged() {
    let forest = Forest::default();
    let text = "b {\n x = 1\n c {\n  y = 2\n }\n}\n";
    assert_eq!(shown(&forest, &merger(&forest, text).close()), "b(x=1 c(y=2))");
    let mut opened = merger(&forest, text);
    assert!(opened.argument("z").is_none());
    assert_eq!(opened.arguments().count(), 1);
    assert_eq!(shown(&forest, &opened.close()), "b(x=1 c(y=2))");
}

#[test]
fn arguments_remember_what_they_replace() {
    let forest = Forest::default();
    let mut base = merger(&forest, "b {\n x = 1\n y = 1\n}\n");
    for (text, replaces) in [("b {\n x = 2\n}\n", true), ("b {\n z = 2\n}\n", false), ("b {\n x = 3\n}\n", true)] {
        let argument = block(&forest, text).arguments[0];
        let before = base.argument(argument.name).map(|before| before.range);
        assert_eq!(before.is_some(), replaces);
        assert_eq!(base.set(argument), before);
    }
    assert_eq!(shown(&forest, &base.close()), "b(x=3<1<2 y=1 z=2)");
}

#[test]
fn escaped_arguments_are_a_list_of_their_own() {
    let forest = Forest::default();
    let mut base = merger(&forest, "b {\n x = 1\n}\n");
    for text in ["b {\n x = 2\n}\n", "b {\n x = 3\n}\n"] {
        base.set_escaped(block(&forest, text).arguments[0]);
    }
    let merged = base.close();
    assert_eq!((merged.arguments.len(), merged.escaped.len()), (1, 1));
    assert_eq!(shown(&forest, &merged), "b(x=1 x=3<2)");
}

#[test]
fn what_is_lost_stays_on_record_until_it_comes_back() {
    let forest = Forest::default();
    let text = "b {\n x = 1\n y = 1\n}\n";
    let mut base = merger(&forest, text);
    let place = base.argument("x").unwrap().range;
    assert_eq!(base.remove_recorded("x"), Some(place));
    assert_eq!(base.remove_recorded("x"), None);
    assert!(base.argument("x").is_none());
    assert_eq!(shown(&forest, &base.close()), "b(y=1 -b(x=1))");
    let mut base = merger(&forest, text);
    base.remove_recorded("x");
    base.remove_recorded("y");
    assert_eq!(base.set(block(&forest, "b {\n x = 2\n}\n").arguments[0]), None);
    assert_eq!(shown(&forest, &base.close()), "b(x=2<1 -b(y=1))");
}

#[test]
fn arguments_are_taken_out_in_source_order() {
    let forest = Forest::default();
    let mut base = merger(&forest, "b {\n x = 1\n y = 1\n z = 1\n}\n");
    let taken = base.take_arguments(["z", "y", "x", "z", "n"], |argument| argument.name != "y");
    assert_eq!(taken.iter().map(|argument| argument.name).collect::<Vec<_>>(), ["x", "z"]);
    assert_eq!(shown(&forest, &base.close()), "b(y=1)");
}

#[test]
fn blocks_of_a_type_can_be_removed_and_added() {
    let forest = Forest::default();
    let mut base = merger(&forest, "b {\n c {}\n d {}\n c {\n  x = 1\n }\n e {}\n}\n");
    assert!(base.has(BlockType::named("c")) && !base.has(BlockType::with_row("c")));
    let gone = base.remove_blocks([BlockType::named("e"), BlockType::named("c"), BlockType::named("n")]);
    assert_eq!(gone.iter().map(|gone| gone.keyword).collect::<Vec<_>>(), ["c", "c", "e"], "as they stood");
    assert!(!base.has(BlockType::named("c")));
    base.push(block(&forest, "c {\n x = 2\n}\n"));
    assert_eq!(base.places(BlockType::named("c")), [4]);
    assert_eq!(base.remove_blocks([BlockType::named("c")]).len(), 1, "only what is gone now");
    base.push(block(&forest, "c {\n x = 3\n}\n"));
    assert_eq!(shown(&forest, &base.close()), "b(d() c(x=3) -c() -c(x=1) -e() -c(x=2))");
}

#[test]
fn nested_blocks_are_merged_in_their_place() {
    let forest = Forest::default();
    let mut base = merger(&forest, "b {\n c {\n  x = 1\n }\n d {}\n}\n");
    let place = base.places(BlockType::named("c"))[0];
    let over = block(&forest, "c {\n x = 2\n}\n");
    let inner = base.nested(place).unwrap();
    assert!(!inner.is_overridden_by(&over));
    inner.overridden_by(&over);
    inner.overridden_by(&over);
    assert!(inner.is_overridden_by(&over));
    inner.set(over.arguments[0]);
    let merged = base.close();
    assert_eq!(shown(&forest, &merged), "b(c(x=2<1) d())");
    assert_eq!(merged.blocks[0].overridden_by().list().len(), 1, "noted once for all copies of a block");
}

#[test]
fn generated_blocks_count_as_what_they_are_where_the_rule_says_so() {
    let forest = Forest::default();
    let text = "b {\n dynamic \"c\" {}\n c {}\n}\n";
    for grouping in [Grouping::ByRow, Grouping::ByKeyword] {
        let mut base = BlockMerger::new(block(&forest, text), grouping, &forest);
        assert_eq!(base.remove_blocks([BlockType::named("c")]).len(), 1);
        assert_eq!(base.remove_blocks([BlockType::named("dynamic")]).len(), 1);
    }
}

#[test]
fn blocks_that_take_a_place_remember_by_name() {
    let forest = Forest::default();
    let mut old = block(&forest, "b {\n x = 1\n y = 1\n z = 1\n}\n");
    for text in ["b {\n y = 2\n n = 2\n}\n", "b {\n y = 3\n z = 3\n}\n"] {
        let mut new = block(&forest, text);
        let (arguments, rest) = remember_by_name(new.arguments, old.arguments, &forest);
        new.arguments = arguments;
        assert!(rest.iter().all(|lost| new.arguments.iter().all(|argument| argument.name != lost.name)));
        assert_eq!(rest[0].name, if text.contains('n') { "x" } else { "n" });
        old = new;
    }
    assert_eq!(shown(&forest, &old), "b(y=3<1<2 z=3)");
}

#[test]
fn an_argument_remembers_all_that_it_replaces() {
    let forest = Forest::default();
    let mut all = block(&forest, "b {\n v = 3\n}\n").arguments[0];
    let mut earlier = Arguments::new(block(&forest, "b {\n x = 1\n y = 1\n}\n").arguments);
    earlier.set(block(&forest, "b {\n y = 2\n}\n").arguments[0], &forest);
    for old in earlier.close().0 {
        all.remember(&forest, old);
    }
    let values: Vec<String> =
        all.previous.list().iter().map(|old| forest.sources.text(forest.expr_span(old.expr)).to_string()).collect();
    assert_eq!(values, ["1", "1", "2"]);
}

#[test]
fn types_come_in_the_order_of_their_first_block() {
    let forest = Forest::default();
    let blocks = blocks(&forest, "d {}\nc {}\nd {}\n");
    let types = by_type(blocks.iter(), |block| BlockType::named(block.keyword));
    let counted: Vec<(&str, usize)> = types.iter().map(|(of_type, blocks)| (of_type.name(), blocks.len())).collect();
    assert_eq!(counted, [("d", 2), ("c", 1)]);
}

//! Every expectation was recorded by running the tool (1.11.4) on a module with the same text.

use crate::body::content::{
    ArgumentSchema, BlockSchema, BodyAt, ConsumedNames, Content, Schema, attributes_only, open, partial, strict,
};
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_syntax::{Forest, SyntaxLimits};

const fn argument(name: &str) -> ArgumentSchema<'_> {
    ArgumentSchema::optional(name)
}

const fn required(name: &str) -> ArgumentSchema<'_> {
    ArgumentSchema { required: true, ..ArgumentSchema::optional(name) }
}

const fn block<'n>(keyword: &'n str, labels: &'n [&'n str]) -> BlockSchema<'n> {
    BlockSchema::new(keyword, labels)
}

const ROOT: Schema<'static> = Schema {
    arguments: &[],
    blocks: &[
        block("terraform", &[]),
        block("locals", &[]),
        block("variable", &["name"]),
        block("output", &["name"]),
        block("provider", &["name"]),
        block("moved", &[]),
        block("resource", &["type", "name"]),
    ],
};
const OUTPUT: Schema<'static> =
    Schema { arguments: &[argument("description"), required("value")], blocks: &[block("precondition", &[])] };
const CONDITION: Schema<'static> =
    Schema { arguments: &[required("condition"), required("error_message")], blocks: &[] };
const TERRAFORM: Schema<'static> = Schema {
    arguments: &[argument("required_version")],
    blocks: &[block("backend", &["type"]), block("required_providers", &[]), block("cloud", &[])],
};
const MOVED: Schema<'static> = Schema { arguments: &[required("from"), required("to")], blocks: &[] };
const RESOURCE: Schema<'static> = Schema {
    arguments: &[argument("count")],
    blocks: &[block("lifecycle", &[]), block("provisioner", &["type"]), block("connection", &[]), block("_", &[])],
};

fn parse(forest: &Forest, text: &str) -> BodyAt {
    let mut out = Diagnostics::new();
    let text_bytes = text.to_owned().into();
    let json = text.starts_with(['{', '[']);
    let source = if json {
        forest.parse_json("x", text_bytes, &mut out)
    } else {
        forest.parse_native("x", text_bytes, &mut out)
    };
    assert!(!out.has_errors(), "{text}: {out:?}");
    BodyAt::of_file(forest, source).unwrap()
}

/// Reads a file like the tool's loader, as far as the schemas here allow, and returns the diagnostics, sorted.
fn reported(text: &str) -> Vec<String> {
    let forest = Forest::new(SyntaxLimits::default());
    let body = parse(&forest, text);
    let mut out = Diagnostics::new();
    let root = strict(&forest, body, &ConsumedNames::NONE, ROOT, &mut out);
    for block in &root.blocks {
        match block.keyword {
            "output" => {
                let output = strict(&forest, block.body, &ConsumedNames::NONE, OUTPUT, &mut out);
                for condition in output.blocks_of("precondition") {
                    strict(&forest, condition.body, &ConsumedNames::NONE, CONDITION, &mut out);
                }
            }
            "terraform" => {
                let terraform = strict(&forest, block.body, &ConsumedNames::NONE, TERRAFORM, &mut out);
                for providers in terraform.blocks_of("required_providers") {
                    attributes_only(&forest, providers.body, &ConsumedNames::NONE, &mut out);
                }
            }
            "locals" => {
                attributes_only(&forest, block.body, &ConsumedNames::NONE, &mut out);
            }
            "moved" => {
                strict(&forest, block.body, &ConsumedNames::NONE, MOVED, &mut out);
            }
            "resource" => {
                partial(&forest, block.body, &mut ConsumedNames::default(), RESOURCE, &mut out);
            }
            _ => {}
        }
    }
    let place = |diagnostic: &Diagnostic| {
        let range = forest.sources.range(diagnostic.span.unwrap()).widened();
        let at = |at: overfold_base::files::Position| format!("{}:{}@{}", at.line, at.column, at.byte);
        (range.start.byte, format!("{} {}-{}", diagnostic.summary, at(range.start), at(range.end)))
    };
    let mut list: Vec<_> = out.iter().map(place).collect();
    list.sort();
    list.into_iter().map(|(_, text)| text).collect()
}

#[track_caller]
fn assert_reported(text: &str, expected: &[&str]) {
    assert_eq!(reported(text), expected, "{text}");
}

#[test]
fn labels_in_native_syntax() {
    assert_reported("terraform \"x\" \"y\" {\n}\n", &["Extraneous label for terraform 1:11@10-1:14@13"]);
    assert_reported("variable {\n}\n", &["Missing name for variable 1:10@9-1:11@10"]);
    assert_reported("variable \"a\" \"b\" \"c\" {\n}\n", &["Extraneous label for variable 1:14@13-1:17@16"]);
    assert_reported("resource \"a\" {\n}\n", &["Missing name for resource 1:14@13-1:15@14"]);
    assert_reported("resource {\n}\n", &["Missing type for resource 1:10@9-1:11@10"]);
    assert_reported("resource a b c {\n}\n", &["Extraneous label for resource 1:14@13-1:15@14"]);
    assert_reported(
        "resource \"terraform_data\" \"x\" {\n lifecycle \"x\" {}\n provisioner {}\n connection \"y\" {}\n _ \"x\" {}\n count {}\n}",
        &[
            "Extraneous label for lifecycle 2:12@43-2:15@46",
            "Missing type for provisioner 3:14@63-3:15@64",
            "Extraneous label for connection 4:13@78-4:16@81",
            "Extraneous label for _ 5:4@88-5:7@91",
        ],
    );
}

#[test]
fn leftovers_and_missing_arguments_in_native_syntax() {
    assert_reported(
        "x = 1\nvariable = 2\nfoo \"a\" {\n}\n",
        &[
            "Unsupported argument 1:1@0-1:2@1",
            "Unsupported argument 2:1@6-2:9@14",
            "Unsupported block type 3:1@19-3:4@22",
        ],
    );
    assert_reported(
        "output \"x\" {\n  value {\n }\n precondition = 1\n foo = 1\n bar {\n }\n description \"x\" {\n}\n}",
        &[
            "Missing required argument 1:12@11-1:13@12",
            "Unsupported block type 2:3@15-2:8@20",
            "Unsupported argument 4:2@27-4:14@39",
            "Unsupported argument 5:2@45-5:5@48",
            "Unsupported block type 6:2@54-6:5@57",
            "Unsupported block type 8:2@64-8:13@75",
        ],
    );
    assert_reported(
        "moved {\n}",
        &["Missing required argument 1:7@6-1:8@7", "Missing required argument 1:7@6-1:8@7"],
    );
    // Only the first block is reported where no blocks are allowed.
    assert_reported("locals {\n a = 1\n b {\n }\n c \"x\" {\n }\n}", &["Unexpected \"b\" block 3:2@17-3:3@18"]);
    assert_reported(
        "terraform {\n required_providers {\n a {}\n b {}\n }\n}",
        &["Unexpected \"a\" block 3:2@35-3:3@36"],
    );
}

#[test]
fn values_that_are_no_bodies_in_json() {
    assert_reported(
        r#"[null,{"locals":[null]}]"#,
        &[
            "Incorrect JSON value type 1:2@1-1:6@5",
            "Incorrect JSON value type 1:2@1-1:6@5",
            "Incorrect JSON value type 1:18@17-1:22@21",
        ],
    );
    assert_reported(
        r#"{"locals":[1,[],{}]}"#,
        &["Incorrect JSON value type 1:12@11-1:13@12", "Incorrect JSON value type 1:14@13-1:15@14"],
    );
    assert_reported(r#"{"variable":[null,{"a":null}]}"#, &["Incorrect JSON value type 1:14@13-1:18@17"]);
    assert_reported(r#"{"variable":null}"#, &["Missing block label 1:13@12-1:17@16"]);
    assert_reported(
        r#"{"variable":[null]}"#,
        &["Missing block label 1:13@12-1:14@13", "Incorrect JSON value type 1:14@13-1:18@17"],
    );
    assert_reported(r#"{"resource":{"a":null}}"#, &["Missing block label 1:18@17-1:22@21"]);
    assert_reported(r#"{"resource":{"a":[]}}"#, &["Missing block label 1:18@17-1:19@18"]);
    assert_reported(r#"{"resource":{"a":[{}]}}"#, &["Missing block label 1:18@17-1:19@18"]);
    assert_reported(r#"{"resource":{"a":{"b":null}}}"#, &[]);
    assert_reported(r#"{"resource":{"a":[{"x":[]},{"x":{}}]}}"#, &[]);
    assert_reported(
        r#"{"terraform":[1,null,{"backend":1},{"backend":{"local":1}}]}"#,
        &[
            // Twice for the strict read; the tool reads the root twice before that, which adds two more.
            "Incorrect JSON value type 1:15@14-1:16@15",
            "Incorrect JSON value type 1:15@14-1:16@15",
            "Incorrect JSON value type 1:33@32-1:34@33",
            "Missing block label 1:33@32-1:34@33",
            "Incorrect JSON value type 1:56@55-1:57@56",
        ],
    );
    assert_reported(
        r#"{"terraform":{"required_providers":[{"a":"1"},2,[{"b":1}],null]}}"#,
        &[
            "Incorrect JSON value type 1:47@46-1:48@47",
            "Incorrect JSON value type 1:49@48-1:50@49",
            "Incorrect JSON value type 1:59@58-1:63@62",
        ],
    );
}

#[test]
fn arrays_of_bodies_at_every_level_in_json() {
    assert_reported(
        r#"{"output":{"x":[{"//":1},[{"value":1}],1,null,"s",[1,{"value":2}]]}}"#,
        &[
            "Missing required argument 1:24@23-1:25@24",
            "Incorrect JSON value type 1:40@39-1:41@40",
            "Incorrect JSON value type 1:40@39-1:41@40",
            "Missing required argument 1:40@39-1:41@40",
            "Missing required argument 1:42@41-1:46@45",
            "Incorrect JSON value type 1:47@46-1:50@49",
            "Incorrect JSON value type 1:47@46-1:50@49",
            "Missing required argument 1:47@46-1:50@49",
            "Incorrect JSON value type 1:52@51-1:53@52",
            "Incorrect JSON value type 1:52@51-1:53@52",
        ],
    );
    assert_reported(
        r#"{"output":{"x":{"precondition":[{"condition":1},[],3,{"x":1}],"foo":1,"value":1,"value":2}}}"#,
        &[
            "Missing required argument 1:47@46-1:48@47",
            "Missing required argument 1:49@48-1:50@49",
            "Missing required argument 1:49@48-1:50@49",
            "Incorrect JSON value type 1:52@51-1:53@52",
            "Incorrect JSON value type 1:52@51-1:53@52",
            "Missing required argument 1:52@51-1:53@52",
            "Missing required argument 1:52@51-1:53@52",
            "Extraneous JSON object property 1:55@54-1:58@57",
            "Missing required argument 1:60@59-1:61@60",
            "Missing required argument 1:60@59-1:61@60",
            "Extraneous JSON object property 1:63@62-1:68@67",
            "Duplicate argument 1:81@80-1:88@87",
        ],
    );
    assert_reported(
        r#"{"resource":{"terraform_data":{"x":{"_":[{"count":1},1],"count":1,"count":2,"foo":1,"foo":2}}}}"#,
        &["Duplicate argument 1:67@66-1:74@73"],
    );
    assert_reported(
        r#"{"terraform":{"required_providers":{"a":"1","a":"2"},"backend":{"x":null,"y":[]},"cloud":[1]}}"#,
        &["Duplicate attribute definition 1:45@44-1:48@47"],
    );
    assert_reported(
        r#"{"provider":[{"a":{"alias":"x"}},{"a":[{"alias":"y"}]},1,{}]}"#,
        &["Incorrect JSON value type 1:56@55-1:57@56"],
    );
    assert_reported(r#"[{"//":1},{"//":{"a":1},"locals":{"//":1,"x":1}},{"locals":[{"//":{}}]}]"#, &[]);
    assert_reported(r#"{"moved":{"from":"a.b","to":"a.c","to":1}}"#, &["Duplicate argument 1:35@34-1:39@38"]);
}

fn names(content: &Content<'_>) -> (Vec<String>, Vec<String>) {
    let blocks = content.blocks.iter().map(|block| {
        let labels: Vec<_> = block.labels.iter().map(|label| label.text).collect();
        format!("{} {}", block.keyword, labels.join(" "))
    });
    (content.attributes.iter().map(|attribute| attribute.name.to_string()).collect(), blocks.collect())
}

#[test]
fn a_remainder_holds_what_earlier_reads_left() {
    for (text, rest) in [
        ("count = 1\nami = 2\nlifecycle {}\nnic {}\nlifecycle {}\n", (vec!["ami"], vec!["nic "])),
        // In JSON, a block type is hidden only if it occurs, and each remaining property is an argument or blocks.
        (
            r#"[{"count":1,"ami":2,"ami":3},{"lifecycle":{},"//":1,"nic":[{},{}],"lifecycle":{}}]"#,
            (vec!["ami"], vec!["nic ", "nic "]),
        ),
    ] {
        let forest = Forest::new(SyntaxLimits::default());
        let body = parse(&forest, text);
        let mut out = Diagnostics::new();
        let mut hidden = ConsumedNames::default();
        let first = partial(&forest, body, &mut hidden, RESOURCE, &mut out);
        assert_eq!(names(&first), (vec!["count".to_owned()], vec!["lifecycle ".to_owned(); 2]), "{text}");
        let again = partial(&forest, body, &mut hidden, RESOURCE, &mut out);
        assert_eq!(names(&again), (vec![], vec![]), "{text}");
        let left = open(&forest, body, &hidden, &|name| (name == "nic").then_some(0));
        assert_eq!(
            names(&left),
            (rest.0.iter().map(|s| (*s).to_owned()).collect(), rest.1.iter().map(|s| (*s).to_owned()).collect())
        );
        assert!(!out.has_errors());
    }
}

#[test]
fn an_open_json_body_is_arguments_but_for_the_names_given_and_dynamic() {
    let forest = Forest::new(SyntaxLimits::default());
    let body = parse(
        &forest,
        r#"{"a":{"x":1},"nic":{"b":1},"dynamic":{"nic":{"for_each":[]},"disk":[{},{}]},"nic":3,"//":{}}"#,
    );
    let content = open(&forest, body, &ConsumedNames::NONE, &|name| (name == "nic").then_some(0));
    assert_eq!(
        names(&content),
        (
            vec!["a".to_owned(), "nic".to_owned()],
            ["nic ", "dynamic nic", "dynamic disk", "dynamic disk"].map(str::to_owned).to_vec()
        )
    );
}

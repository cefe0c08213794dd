//! Trees of modules that are planned: by instances, modules, references, depth, and what a document repeats.

use std::sync::Arc;

use overfold_cli::eval::json_value;
use overfold_cli::files::FileSet;
use overfold_cli::plan::ModuleSource;
use overfold_cli::value::Value;

use super::blocks::axes;
use super::make::{Axis, Files, file, main_tf, text, word};
use super::validate::{before, call, chain, reference, times, with_called};

/// Returns the text of a resource of the provider that is built in.
fn data(name: &str, body: &str) -> String {
    format!("resource \"terraform_data\" \"{name}\" {{\n{body}}}\n")
}

/// Returns a module that grows only in what it plans: a comment makes it as long as asked, so that a byte stands for a
/// share of `count(size)`.
fn padded(size: usize, content: String, called: Option<String>) -> Files {
    let root = content + &format!("# {}\n", "-".repeat(size));
    match called {
        Some(called) => with_called(root, called),
        None => vec![("main.tf".to_owned(), root)],
    }
}

/// The number of instances for a size.
fn instances(size: usize) -> usize {
    size / 64 + 1
}

/// An expression for a list of the numbers from 0 up to `count`, exclusive: `range` gives at most 1024 of them.
fn numbers(count: usize) -> String {
    let side = count.isqrt() + 1;
    format!("slice(flatten([for a in range({side}) : [for b in range({side}) : a * {side} + b]]), 0, {count})")
}

pub(crate) static PLANS: &[Axis] = axes! { "terraform":
    "resources" |size| main_tf(size, |n| data(&word(n), &format!("  input = \"{n}\"\n")));
    "resources of a provider" |size| main_tf(size, |n| format!("resource \"a_b\" \"{}\" {{\n  x = \"{n}\"\n  c {{\n    y = {n}\n  }}\n}}\n", word(n)));
    "data sources" |size| main_tf(size, |n| format!("data \"a_b\" \"{}\" {{\n  x = \"{n}\"\n}}\n", word(n)));
    "references between resources" |size| main_tf(size, |n| {
        data(&format!("b{n}"), &if n == 0 { "  input = 1\n".to_owned() } else { format!("  input = terraform_data.b{}.input\n", before(n)) })
    });
    "a chain of resources" |size| main_tf(size, |n| {
        data(&format!("b{n}"), &if n == 0 { "  input = 1\n".to_owned() } else { format!("  input = terraform_data.b{}.output\n", n - 1) })
    });
    "a chain of resources with triggers" |size| main_tf(size, |n| {
        data(&format!("b{n}"), &if n == 0 { "  input = 1\n".to_owned() } else { format!("  triggers_replace = [terraform_data.b{}.id]\n", n - 1) })
    });
    "a chain of locals" |size| file("main.tf", size, "locals {\n  l0 = 1\n", |n| format!("  l{} = local.l{n}\n", n + 1), "}\n");
    "instances by count" |size| padded(size, data("b", &format!("  count = {}\n  input = count.index\n", instances(size))), None);
    "instances of a provider's resource" |size| padded(size, format!("resource \"a_b\" \"b\" {{\n  count = {}\n  x = count.index\n  c {{\n    y = 1\n  }}\n}}\n", instances(size)), None);
    "instances by for_each" |size| padded(size, data("b", &format!("  for_each = toset([for n in {} : tostring(n)])\n  input = each.key\n", numbers(instances(size)))), None);
    "instances of instances" |size| padded(size, data("a", &format!("  count = {}\n", instances(size))) + &data("b", &format!("  count = {}\n  input = terraform_data.a[count.index].id\n", instances(size))), None);
    "a splat of instances" |size| padded(size, data("a", &format!("  count = {}\n", instances(size))) + &reference("o", "terraform_data.a[*].id"), None);
    "instances that depend on instances" |size| padded(size, data("a", &format!("  count = {}\n", instances(size))) + &data("b", &format!("  count = {}\n  depends_on = [terraform_data.a]\n", instances(size))), None);
    "data sources that depend on instances" |size| padded(size, data("a", &format!("  count = {}\n", instances(size))) + &format!("data \"a_b\" \"b\" {{\n  count = {}\n  depends_on = [terraform_data.a]\n}}\n", instances(size)), None);
    "conditions of instances" |size| padded(size, data("b", &format!("  count = {}\n  lifecycle {{\n    postcondition {{\n      condition = self.id != \"\"\n      error_message = \"No.\"\n    }}\n  }}\n", instances(size))), None);
    "failed conditions" |size| main_tf(size, |n| format!("check \"{}\" {{\n  assert {{\n    condition = false\n    error_message = \"No {n}.\"\n  }}\n}}\n", word(n)));
    "instances of a module" |size| padded(size, call("m", "./m", &format!("  count = {}\n  v = count.index\n", instances(size))), Some(format!("variable \"v\" {{\n}}\n{}{}", data("b", "  input = var.v\n"), reference("o", "var.v"))));
    "outputs of instances of a module" |size| padded(
        size,
        call("m", "./m", &format!("  count = {}\n", instances(size))) + &reference("o", "module.m[*].o"),
        Some(reference("o", "1")),
    );
    "instances of a module that is empty" |size| padded(size, call("m", "./m", &format!("  count = {}\n", instances(size))), Some(String::new()));
    "calls of one module" |size| {
        let root = text(size, |n| call(&word(n), "./m", &format!("  v = {n}\n")));
        with_called(root, format!("variable \"v\" {{\n}}\n{}", data("b", "  input = var.v\n")))
    };
    "modules in a chain" |size| chain(size.min(4000), |n| data("b", &format!("  input = {n}\n")));
    "a value through a chain of modules" |size| {
        // Depth is limited, so the value grows.
        let items = size / 16 + 1;
        let pass = |next: &str| format!("variable \"v\" {{\n}}\n{}{}", call("m", next, "  v = var.v\n"), reference("o", "module.m.o"));
        let mut made = vec![("main.tf".to_owned(), format!("{}{}", call("m", "./d0", &format!("  v = [{}]\n", times(items, |n| format!("\"{n:012}\",")))), reference("o", "module.m.o")))];
        made.extend((0..20).map(|n| (format!("d{n}/main.tf"), if n < 19 { pass(&format!("../d{}", n + 1)) } else { format!("variable \"v\" {{\n}}\n{}", reference("o", "var.v")) })));
        made
    };
    "calls that refer to each other" |size| {
        let root = text(size, |n| call(&format!("m{n}"), "./m", &if n == 0 { "  v = 1\n".to_owned() } else { format!("  v = module.m{}.o\n", before(n)) }));
        with_called(root, format!("variable \"v\" {{\n}}\n{}", reference("o", "var.v")))
    };
    "references to outputs" |size| {
        let outputs = text(size / 2, |n| reference(&word(n), "1"));
        let count = outputs.matches("output").count();
        let root = times(count, |n| reference(&word(n), &format!("module.m.{}", word(n))));
        with_called(format!("{}{root}", call("m", "./m", "")), outputs)
    };
    "references to a value that is large" |size| {
        let items = text(size, |n| format!("\"{n:012}\", "));
        file("main.tf", 1, &format!("locals {{\n  a = [{items}]\n}}\n"), |_| times(4, |n| reference(&format!("o{n}"), "local.a")), "")
    };
    "arguments of one resource" |size| file("main.tf", size, "resource \"a_b\" \"b\" {\n", |n| format!("  {} = [var.v, {n}]\n", word(n)), "}\nvariable \"v\" {\n  default = 1\n}\n");
    "blocks of one resource" |size| file("main.tf", size, "resource \"a_b\" \"b\" {\n", |n| format!("  c {{\n    x = {n}\n  }}\n"), "}\n");
    "blocks that a collection generates" |size| file("main.tf", size, "resource \"a_b\" \"b\" {\n  dynamic \"c\" {\n    for_each = [", |n| format!("{n}, "), "]\n    content {\n      x = c.value\n    }\n  }\n}\n");
    "sensitive values" |size| main_tf(size, |n| data(&word(n), "  input = { a = [sensitive(\"x\"), 1], b = { c = sensitive(2) } }\n"));
    "deep masks" |size| {
        let depth = (size / 4).min(40);
        main_tf(size, |n| data(&word(n), &format!("  input = {}terraform_data.z.id{}\n", "[".repeat(depth), "]".repeat(depth))))
    };
    "outputs" |size| main_tf(size, |n| reference(&word(n), "[1, \"a\", null]"));
    "variables" |size| main_tf(size, |n| format!("variable \"{}\" {{\n  default = [1, \"a\"]\n  type = list(string)\n}}\n", word(n)));
    "variables with rules" |size| main_tf(size, |n| format!("variable \"v{n}\" {{\n  default = 1\n  validation {{\n    condition = var.v{n} == 1\n    error_message = \"No.\"\n  }}\n}}\n"));
    "moved resources" |size| main_tf(size, |n| format!("{}moved {{\n  from = terraform_data.a{n}\n  to = terraform_data.b{n}\n}}\n", data(&format!("b{n}"), "")));
    "a chain of moves" |size| main_tf(size, |n| format!("moved {{\n  from = terraform_data.a{n}\n  to = terraform_data.a{}\n}}\n", n + 1));
    "removed resources" |size| main_tf(size, |n| format!("removed {{\n  from = terraform_data.a{n}\n}}\n"));
    "removed resources that are declared" |size| main_tf(size, |n| format!("{}removed {{\n  from = terraform_data.a{n}\n}}\n", data(&format!("a{n}"), "")));
    "moved instances of a module" |size| padded(
        size,
        call("m", "./m", &format!("  count = {}\n", instances(size))) + &times(size / 64 + 1, |n| format!("moved {{\n  from = module.m[{}]\n  to = module.n[{n}]\n}}\n", n + size)),
        Some(String::new()),
    );
    "moved instances in instances of a module" |size| padded(
        size,
        call("m", "./m", &format!("  count = {}\n", instances(size) / 4)) + &times(size / 64 + 1, |n| format!("moved {{\n  from = module.m[{n}].terraform_data.a[9]\n  to = terraform_data.b{n}\n}}\nmoved {{\n  from = module.m.terraform_data.a[{}]\n  to = terraform_data.c{n}\n}}\n", n + 9)),
        Some(data("a", "  count = 2\n")),
    );
    "instances of modules by key" |size| padded(
        size,
        call("m", "./m", &format!("  for_each = toset([for n in {} : tostring(n)])\n", numbers(instances(size)))) + &times(size / 64 + 1, |n| call(&format!("n{n}"), "./n", &format!("  v = module.m[\"{n}\"].o\n"))),
        Some(reference("o", "1")),
    ).into_iter().chain([("n/main.tf".to_owned(), "variable \"v\" {\n}\n".to_owned())]).collect();
    "long names" |size| main_tf(size, |n| data(&format!("{}{}", "n".repeat(2000), word(n)), "  input = 1\n"));
    "findings in a long name" |size| file("main.tf", size, &format!("resource \"terraform_data\" \"{}\" {{\n", "n".repeat(16_000)), |n| format!("  a{n} = 1\n"), "}\n");
    "conditions behind calls with long names" |size| {
        let name = "n".repeat(size / 256 + 1);
        let mut made = vec![("main.tf".to_owned(), call(&name, "./d0", ""))];
        made.extend((0..20).map(|n| (format!("d{n}/main.tf"), call(&name, &format!("../d{}", n + 1), ""))));
        let leaf = data("z", "") + &times(20, |n| format!("check \"c{n}\" {{\n  assert {{\n    condition = terraform_data.z.id != \"\"\n    error_message = \"No.\"\n  }}\n}}\n"));
        made.push(("d20/main.tf".to_owned(), leaf));
        made
    };
    "conditions in modules with long keys" |size| {
        let calls = call("m", "./m", "  for_each = toset([for n in range(8) : \"${file(\"k\")}${n}\"])\n");
        let leaf = data("z", "") + &times(20, |n| format!("check \"c{n}\" {{\n  assert {{\n    condition = terraform_data.z.id != \"\"\n    error_message = \"No.\"\n  }}\n}}\n"));
        with_called(calls, leaf).into_iter().chain([("k".to_owned(), "k".repeat(size / 16))]).collect()
    };
    "providers without a schema" |size| main_tf(size, |n| format!("resource \"p{n}_x\" \"a\" {{\n}}\n"));
    "instances of data sources and of resources" |size| padded(size, format!("data \"a_b\" \"c\" {{\n  count = {0}\n}}\nresource \"d_e\" \"f\" {{\n  count = {0}\n  depends_on = [data.a_b.c]\n}}\n", instances(size)), None);
    "modules that are missing" |size| main_tf(size, |n| call(&word(n), "a/b/c", ""));
    "imports" |size| main_tf(size, |n| format!("resource \"a_b\" \"b{n}\" {{\n}}\nimport {{\n  to = a_b.b{n}\n  id = \"{n}\"\n}}\n"));
    "imports of instances" |size| padded(size, format!("resource \"a_b\" \"b\" {{\n  for_each = toset([for n in {0} : tostring(n)])\n}}\nimport {{\n  for_each = toset([for n in {0} : tostring(n)])\n  to = a_b.b[each.value]\n  id = each.key\n}}\n", numbers(instances(size))), None);
    "providers" |size| main_tf(size, |n| format!("provider \"a\" {{\n  alias = \"{0}\"\n  x = {n}\n}}\nresource \"a_b\" \"{0}\" {{\n  provider = a.{0}\n}}\n", word(n)));
    "undecided instances" |size| main_tf(size, |n| data(&word(n), "  count = length(terraform_data.z.id)\n")) .into_iter().map(|(path, text)| (path, format!("{text}{}", data("z", "")))).collect();
    "replaced by overrides" |size| super::make::over(size, |n| data(&format!("b{n}"), "  input = 1\n"), |n| data(&format!("b{n}"), "  input = 2\n"));
};

/// The file of an axis that holds what is assumed: an object of addresses.
const ASSUMED: &str = "assumed.json";

/// The file of an axis that says where modules lead: source, version and path in each line.
const SOURCES: &str = "sources.txt";

/// Returns what the files of an axis say of objects.
pub(crate) fn assumed(files: &FileSet) -> Vec<(Arc<str>, Value)> {
    let Some(file) = files.get(ASSUMED) else { return Vec::new() };
    let value = json_value(std::str::from_utf8(&file.bytes).unwrap()).unwrap();
    value.entries().to_vec()
}

/// Returns where the files of an axis say that modules lead.
pub(crate) fn module_sources(files: &FileSet) -> Vec<ModuleSource> {
    let Some(file) = files.get(SOURCES) else { return Vec::new() };
    let words = |line: &str| line.split(' ').map(Arc::from).collect::<Vec<Arc<str>>>();
    let lines = std::str::from_utf8(&file.bytes).unwrap().lines().map(words);
    lines
        .map(|words| {
            let [source, version, path] = <[Arc<str>; 3]>::try_from(words).expect("source, version and path");
            ModuleSource { source, version: Some(version), path }
        })
        .collect()
}

/// What a request says beside the files.
pub(crate) static STATES: &[Axis] = axes! { "terraform":
    "arguments that are assumed to be others" |size| {
        let count = size / 32;
        let block = format!("resource \"a_b\" \"c\" {{\n{}}}\n", times(count, |n| format!("  {} = 1\n", word(n))));
        let assumed = times(count, |n| format!("\"{}\": 2, ", word(n)));
        vec![("main.tf".to_owned(), block), (ASSUMED.to_owned(), format!("{{\"a_b.c\": {{{assumed}\"z\": 1}}}}"))]
    };
    "instances of which something is assumed" |size| {
        let count = size / 32;
        let block = format!("resource \"a_b\" \"c\" {{\n  count = {count}\n}}\n");
        let assumed = times(count, |n| format!("\"a_b.c[{n}]\": {{\"d\": {n}}}, "));
        vec![("main.tf".to_owned(), block), (ASSUMED.to_owned(), format!("{{{assumed}\"a_b.c\": {{\"e\": 1}}}}"))]
    };
    "versions of modules" |size| {
        let count = size / 96;
        let calls = times(count, |n| call(&format!("m{n}"), "a/b/c", &format!("  version = \"{n}.0.0\"\n")));
        let sources = times(count, |n| format!("a/b/c {n}.0.0 m\n"));
        vec![("main.tf".to_owned(), calls), (SOURCES.to_owned(), sources), ("m/main.tf".to_owned(), String::new())]
    };
    "outputs of another state" |size| {
        let outputs = text(size, |n| format!("\"{}\": {{\"value\": [{n}, \"a\"], \"type\": [\"tuple\", [\"number\", \"string\"]]}}, ", word(n)));
        let state = format!("{{\"version\": 4, \"terraform_version\": \"1.11.4\", \"serial\": 1, \"lineage\": \"a\", \"outputs\": {{{outputs}\"z\": {{\"value\": 1, \"type\": \"number\"}}}}, \"resources\": []}}");
        let root = "data \"terraform_remote_state\" \"s\" {\n  backend = \"local\"\n  config = {\n    path = \"s.tfstate\"\n  }\n}\noutput \"o\" {\n  value = data.terraform_remote_state.s.outputs.z\n}\n";
        vec![("main.tf".to_owned(), root.to_owned()), ("s.tfstate".to_owned(), state)]
    };
    "resources of another state" |size| {
        let resources = text(size, |n| format!("{{\"mode\": \"managed\", \"type\": \"a\", \"name\": \"{}\", \"instances\": [{{\"attributes\": {{\"x\": {n}}}}}]}}, ", word(n)));
        let state = format!("{{\"version\": 4, \"terraform_version\": \"1.11.4\", \"serial\": 1, \"lineage\": \"a\", \"outputs\": {{}}, \"resources\": [{resources}{{}}]}}");
        let root = "data \"terraform_remote_state\" \"s\" {\n  backend = \"local\"\n  config = {\n    path = \"s.tfstate\"\n  }\n}\noutput \"o\" {\n  value = data.terraform_remote_state.s.outputs\n}\n";
        vec![("main.tf".to_owned(), root.to_owned()), ("s.tfstate".to_owned(), state)]
    };
};

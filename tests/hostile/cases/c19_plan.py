"""Plans: instances, trees of modules, values that travel through them, masks, states and imports."""

import json
import math

from harness import answered, call, expect, many, request

CASES = []


def still_planned(address, *codes):
    """Like `answered`, and the resource at this address must be planned nevertheless."""

    def check(answer, parsed):
        answered(*codes)(answer, parsed)
        planned = (parsed.get("plan") or {}).get("resource_changes") or []
        expect(any(one["address"] == address for one in planned), f"{address} is not planned")

    return check


def add(name, files, check=None, **options):
    """A case with one plan of a text, of files, or of what a function creates."""

    def body():
        made = files() if callable(files) else files
        return json.dumps({"files": {"main.tf": made} if isinstance(made, str) else made, **options}).encode()

    CASES.append(request(name, body, path="/v1/plan", packed=True, check=check))


def data(name, body=""):
    """Returns a resource of the built-in provider."""
    return f'resource "terraform_data" "{name}" {{\n{body}\n}}\n'


def output(value, name="o"):
    """Returns an output."""
    return f'output "{name}" {{\n value = {value}\n}}\n'


def variable(name="v"):
    """Returns a variable without a default."""
    return f'variable "{name}" {{\n}}\n'


def numbers(count):
    """An expression for a list of the numbers from 0: `range` gives at most 1024 of them."""
    if count <= 1024:
        return f"range({count})"
    side = math.isqrt(count - 1) + 1
    return f"slice(flatten([for a in range({side}) : [for b in range({side}) : a * {side} + b]]), 0, {count})"


def resolved(name, files, config_format="tf-json", check=None):
    """A case with one merge whose expressions are replaced by their values."""
    made = {"main.tf": files} if isinstance(files, str) else files
    body = json.dumps({"files": made, "resolve": True, "variables": {}, "config_format": config_format}).encode()
    CASES.append(request(f"{name}, as {config_format}", body, packed=True, check=check))


def cases():
    """All plans."""
    CASES.clear()
    instances()
    trees()
    fan_out()
    values()
    states()
    blocks()
    for config_format in ("tf-json", "hcl", "files"):
        replacements(config_format)
    return CASES


OTHER = data("other")


def instances():
    """More instances than there may be, in each way to ask for them."""
    refused = still_planned("terraform_data.other", "plan/too-many-instances")
    add("60000 instances", data("a", " count = 60000"), still_planned("terraform_data.a[59999]"))
    for count in (10**6, 10**9, 2**53, 10**18):
        add(f"count = {count}", data("a", f" count = {count}") + OTHER, refused)
    add("count = 1e9, of a provider", 'resource "a_b" "c" {\n count = 1e9\n x = count.index\n}\n' + OTHER, refused)
    add("count = 1e9, of a data source", 'data "a_b" "c" {\n count = 1e9\n}\n' + OTHER, refused)
    add("count = 1e9, of a module", lambda: {"main.tf": call("./m", rest=" count = 1e9\n") + OTHER, "m/main.tf": data("a")}, refused)
    add("count = 1e9, of a module that is empty", lambda: {"main.tf": call("./m", rest=" count = 1e9\n") + OTHER, "m/main.tf": ""}, refused)
    add("count = 1e9, of a module with a wrong output", lambda: {
        "main.tf": call("./m", rest=" count = 1e9\n") + OTHER, "m/main.tf": output('1 + "a"')})
    add("100 resources with count = 1e9", many(100, data("a@", " count = 1e9")) + OTHER, refused)
    add("90000 instances", data("a", " count = 90000\n input = count.index") + OTHER)
    add("90000 instances, a splat, and a splat of that", data("a", " count = 90000") + "locals {\n a = terraform_data.a[*].id\n b = [for x in local.a : x]\n}\n" + output("local.b"))
    add("10000 instances that refer to all others of a kind", data("a", " count = 10000") + data("b", " count = 10000\n input = terraform_data.a[*].id"))
    add("10000 instances that depend on 10000", data("a", " count = 10000") + data("b", " count = 10000\n depends_on = [terraform_data.a]"))
    add("10000 data sources that depend on 10000 instances", data("a", " count = 10000") + 'data "a_b" "c" {\n count = 10000\n depends_on = [terraform_data.a]\n}\n')
    add("10000 instances with a condition on all", data("a", " count = 10000\n lifecycle {\n  precondition {\n   condition = length(" + numbers(10000) + ") > 1\n   error_message = \"no\"\n  }\n }"))
    add("setproduct into for_each", data("a", " for_each = toset([for p in setproduct(range(400), range(400)) : join(\"-\", p)])") + OTHER)
    add("setproduct of eight into for_each", data("a", f" for_each = toset([for p in setproduct({', '.join(['range(100)'] * 8)}) : join(\"-\", p)])") + OTHER)
    add("for_each over 90000 keys of a kilobyte", data("a", " for_each = toset([for n in " + numbers(90000) + " : format(\"%01024d\", n)])") + OTHER)
    add("for_each over 50000 keys, each.value a large object", "locals {\n big = [for n in " + numbers(2000) + " : \"some text ${n}\"]\n}\n" + data("a", " for_each = { for n in " + numbers(50000) + " : n => local.big }\n input = each.value"))
    add("count of a count of a count", data("a", " count = 40000") + data("b", " count = length(terraform_data.a)") + data("c", " count = length(terraform_data.b)"))
    add("unknown counts", many(20000, data("a@", " count = length(terraform_data.z.id)")) + data("z"))


def trees():
    """Trees that multiply, are deep, or have no end."""
    double = {f"d{at}/main.tf": call(f"../d{at + 1}", rest=" count = 2\n") for at in range(50)}
    add("a tree 50 deep with count = 2", lambda: double | {"main.tf": call("./d0") + OTHER, "d50/main.tf": data("a")}, answered("plan/too-many-instances"))
    add("a tree 50 deep with count = 2, a resource in each", lambda: {
        path: text + data("a") for path, text in double.items()} | {"main.tf": call("./d0") + OTHER, "d50/main.tf": data("a")},
        answered("plan/too-many-instances"))
    add("a tree 16 deep with count = 2, values passed down and up", lambda: {
        f"d{at}/main.tf": variable() + call(f"../d{at + 1}", rest=" count = 2\n v = [var.v, count.index]\n") + output("[module.m[*].o, var.v]")
        for at in range(15)} | {"main.tf": call("./d0", rest=" v = 1\n") + output("module.m.o"), "d15/main.tf": variable() + output("var.v")})
    add("a tree that doubles 13 times by calls, a resource in each", lambda: {
        f"d{at}/main.tf": call(f"../d{at + 1}", "a") + call(f"../d{at + 1}", "b") + data("a") for at in range(13)} | {
        "main.tf": call("./d0"), "d13/main.tf": data("a")})
    for depth in (63, 64, 65, 5000):
        add(f"a chain of {depth} modules", lambda depth=depth: {
            f"d{at}/main.tf": call(f"../d{at + 1}") + data("a") for at in range(depth)} | {"main.tf": call("./d0") + OTHER, f"d{depth}/main.tf": data("a")},
            answered(*(["plan/modules-too-deep"] if depth > 64 else [])))
    add("a module that calls itself", call("./") + OTHER, answered("calls/cycle"))
    add("two modules that call each other", {"main.tf": call("./a") + OTHER, "a/main.tf": call("../b"), "b/main.tf": call("../a")}, answered("calls/cycle"))
    add("a ring of 5000 modules", lambda: {
        f"d{at}/main.tf": call(f"../d{(at + 1) % 5000}") for at in range(5000)} | {"main.tf": call("./d0") + OTHER})
    add("100 modules each of which calls all", lambda: {
        f"d{at}/main.tf": many(100, call("../d@", "m@")) for at in range(100)} | {"main.tf": call("./d0")})
    add("19000 calls of a module with a resource", lambda: {"main.tf": many(19000, call("./m", "m@")), "m/main.tf": data("a")})
    add("19000 calls of modules that are missing", many(19000, call("a/b/c", "m@")), answered("plan/module-missing"))
    add("5000 modules in manifests that lead to each other", lambda: {
        "main.tf": many(5000, call("a/b/c", "m@")), "m/main.tf": data("a"),
        ".terraform/modules/modules.json": json.dumps({"Modules": [{"Key": f"m{at}", "Source": "a/b/c", "Dir": "m"} for at in range(5000)]})})
    add("module sources that lead to the module itself", lambda: call("a/b/c") + OTHER, module_sources=[{"source": "a/b/c", "path": "."}])


def fan_out():
    """Values that many others use."""
    big = "locals {\n big = [for n in " + numbers(20000) + " : \"some text ${n}\"]\n}\n"
    add("1000 outputs of one large value", big + many(1000, output("local.big", "o@")))
    add("1000 resources with one large value", big + many(1000, data("a@", " input = local.big")))
    add("1000 instances with one large value", big + data("a", " count = 1000\n input = local.big"))
    add("outputs that fan out by levels", lambda: {
        f"d{at}/main.tf": call(f"../d{at + 1}") + many(20, output("[" + "module.m.o0, module.m.o1, " * 4 + "]", "o@")) for at in range(20)} | {
        "main.tf": call("./d0") + output("module.m"), "d20/main.tf": many(20, output('"some text"', "o@"))})
    add("locals that double 60 times", "locals {\n l0 = [\"some text\"]\n" + many(60, " l@+ = [local.l@, local.l@]\n") + "}\n" + output("local.l60"))
    add("strings that double 60 times", "locals {\n l0 = \"some text\"\n" + many(60, " l@+ = \"${local.l@}${local.l@}\"\n") + "}\n" + output("local.l60"))
    add("locals that double 60 times, around something unknown", data("z") + "locals {\n l0 = [terraform_data.z.id]\n" + many(60, " l@+ = [local.l@, local.l@]\n") + "}\n" + output("local.l60"))
    add("locals that double 60 times, around something sensitive", "locals {\n l0 = [sensitive(1)]\n" + many(60, " l@+ = [local.l@, local.l@]\n") + "}\noutput \"o\" {\n sensitive = true\n value = local.l60\n}\n")
    add("resources that double 60 times", data("a0", " input = [1]") + many(60, data("a@+", " input = [terraform_data.a@.input, terraform_data.a@.input]")))
    add("a chain of 100000 locals", "locals {\n l0 = 1\n" + many(100_000, " l@+ = local.l@\n") + "}\n" + output("local.l100000"))
    add("a chain of 20000 resources", data("a0") + many(20_000, data("a@+", " input = terraform_data.a@.id")))
    add("a chain of 20000 resources from an error", data("a0", " count = \"x\"") + many(20_000, data("a@+", " input = terraform_data.a@")))
    add("a chain of 10000 outputs and arguments", lambda: {
        "main.tf": call("./m", rest=" v0 = 1\n" + many(9999, " v@+ = module.m.o@\n")) + output("module.m.o9999"),
        "m/main.tf": many(10_000, variable("v@") + output("var.v@", "o@"))})
    add("long chains of locals over 50 modules", lambda: {
        f"d{at}/main.tf": variable() + call(f"../d{at + 1}", rest=" v = local.l200\n") + output("module.m.o")
        + "locals {\n l0 = var.v\n" + many(200, " l@+ = local.l@\n") + "}\n" for at in range(50)} | {
        "main.tf": call("./d0", rest=" v = 1\n") + output("module.m.o"), "d50/main.tf": variable() + output("var.v")})


def values():
    """Values with masks, and values that are deep."""
    for kind, text in (("unknown", "terraform_data.z.id"), ("sensitive", "sensitive(1)"), ("known", "1")):
        for depth in (200, 900, 5000):
            deep = "[" * depth + text + "]" * depth
            add(f"an {kind} value {depth} deep", data("z") + data("a", f" input = {deep}") + output(f"nonsensitive({deep})"))
        add(f"100000 {kind} values in a list", data("z") + data("a", f" input = [{f'{text}, ' * 100_000}]"))
        add(f"{kind} values by levels of locals, 500 deep", data("z") + "locals {\n l0 = " + text + "\n" + many(500, " l@+ = [local.l@]\n") + "}\n" + data("a", " input = local.l500"))
    add("1000 instances of a deep value with masks", data("z") + data("a", " count = 1000\n input = " + "[" * 200 + "terraform_data.z.id, sensitive(1)" + "]" * 200))
    add("a number of 100000 digits", data("a", f" input = {'9' * 100_000}"))
    add("sets of sets of unknown values", data("z") + data("a", " input = toset([for n in range(300) : toset([for m in range(300) : \"${terraform_data.z.id}${n}\"])])"))
    add("a set of 100000 strings", data("a", " input = toset([for n in " + numbers(100000) + " : \"a${n}\"])"))
    add("jsonencode of what is unknown", data("z") + data("a", " input = jsonencode([for n in " + numbers(20000) + " : terraform_data.z.id])"))
    add("a prefix of a megabyte before something unknown", data("z") + data("a", f" input = \"{'a' * 1_000_000}${{terraform_data.z.id}}\"") + output("terraform_data.a.input"))
    add("sensitive variables in 5000 modules", lambda: {
        "main.tf": "variable \"s\" {\n sensitive = true\n default = \"x\"\n}\n" + many(5000, call("./m", "m@", " v = var.s\n")), "m/main.tf": variable() + data("a", " input = var.v")})
    assumed = {f"terraform_data.a[{at}]": {"id": f"i-{at}"} for at in range(1000)}
    add("what is assumed of 1000 instances", data("a", " count = 1000") + output("terraform_data.a[*].id"), assume=assumed)
    add("what is assumed, a megabyte", data("a", " count = 100") + output("terraform_data.a[*].output"), assume={"terraform_data.a": {"output": ["a"] * 200_000}})
    add("what is assumed, deep", data("a"), assume={"terraform_data.a": {"output": json.loads("[" * 100 + "]" * 100)}})
    add("what is assumed of what is not there", data("a"), assume={f"terraform_data.b{at}": {"id": "x"} for at in range(1000)})


def states():
    """States of other configurations."""
    remote = 'data "terraform_remote_state" "s" {\n backend = "local"\n config = {\n  path = "s.tfstate"\n }\n}\n' + output("data.terraform_remote_state.s.outputs")

    def state(outputs, resources=()):
        return json.dumps({"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "a", "outputs": outputs, "resources": list(resources)})

    def with_state(text):
        return {"main.tf": remote, "s.tfstate": text}

    add("a state of 100000 outputs", lambda: with_state(state({f"o{at}": {"value": at, "type": "number"} for at in range(100_000)})))
    add("a state of 100000 resources", lambda: with_state(state({}, [{"mode": "managed", "type": "a", "name": f"b{at}", "instances": []} for at in range(100_000)])))
    add("a large state read by 5000 data sources", lambda: {
        "main.tf": many(5000, remote.replace('"s"', '"s@"').replace('"o"', '"o@"').replace("state.s.", "state.s@.")),
        "s.tfstate": state({f"o{at}": {"value": at, "type": "number"} for at in range(20_000)})})
    add("a large state read by 5000 instances", lambda: {
        "main.tf": remote.replace(' backend', ' count = 5000\n backend').replace(".s.outputs", ".s[*].outputs"),
        "s.tfstate": state({f"o{at}": {"value": at, "type": "number"} for at in range(20_000)})})
    add("a state with a value 5000 deep", lambda: with_state(state({}).replace('"outputs": {}', '"outputs": {"o": {"value": ' + "[" * 5000 + "]" * 5000 + ', "type": "dynamic"}}')))
    add("a state with a type 5000 deep", lambda: with_state(state({}).replace('"outputs": {}', '"outputs": {"o": {"value": null, "type": ' + '["list",' * 5000 + '"string"' + "]" * 5000 + "}}")))
    add("a state that is not JSON", with_state("{" * 100_000))
    add("a state with a number of 100000 digits", lambda: with_state(state({}).replace('"outputs": {}', '"outputs": {"o": {"value": ' + "9" * 100_000 + ', "type": "number"}}')))
    add("a state that is a megabyte of white space", with_state(" " * 1_000_000))


def blocks():
    """Blocks whose cost is not that of instances."""
    add("50000 imports", many(50_000, 'import {\n to = terraform_data.a@\n id = "x"\n}\n') + many(2000, data("a@")))
    add("5000 imports into as many instances", 'locals {\n all = toset([for n in ' + numbers(5000) + ' : "k${n}"])\n}\n' + data("a", " for_each = local.all") + 'import {\n for_each = local.all\n to = terraform_data.a[each.key]\n id = each.value\n}\n')
    add("5000 imports of instances, a block each", data("a", " count = 5000") + many(5000, 'import {\n to = terraform_data.a[@]\n id = "x"\n}\n'))
    add("a chain of 20000 moves", many(20_000, "moved {\n from = terraform_data.a@\n to = terraform_data.a@+\n}\n"))
    add("a ring of 20000 moves", many(20_000, "moved {\n from = terraform_data.a@\n to = terraform_data.a@+\n}\n") + "moved {\n from = terraform_data.a20000\n to = terraform_data.a0\n}\n")
    add("20000 moves to one place", many(20_000, "moved {\n from = terraform_data.a@\n to = terraform_data.z\n}\n") + data("z"))
    add("20000 removed resources that are there", many(20_000, data("a@") + "removed {\n from = terraform_data.a@\n}\n"))
    add("moves in 5000 modules", lambda: {"main.tf": many(5000, call("./m", "m@")), "m/main.tf": data("a") + "moved {\n from = terraform_data.b\n to = terraform_data.a\n}\n"})
    add("20000 checks that fail", many(20_000, 'check "c@" {\n assert {\n  condition = false\n  error_message = "no"\n }\n}\n'))
    add("a message of a megabyte, 1000 times", data("a", f" count = 1000\n lifecycle {{\n  precondition {{\n   condition = false\n   error_message = \"{'a' * 1_000_000}\"\n  }}\n }}"))
    add("dynamic blocks over 100000 elements", 'resource "a_b" "c" {\n dynamic "d" {\n  for_each = ' + numbers(100000) + '\n  content {\n   x = d.value\n  }\n }\n}\n')
    add("dynamic blocks within each other, 30 deep, two elements each", 'resource "a_b" "c" {\n' + 'dynamic "d" {\n for_each = [1, 2]\n content {\n' * 30 + "x = 1\n" + "}\n}\n" * 30 + "}\n")
    add("dynamic blocks over 100 elements, in 1000 instances", 'resource "a_b" "c" {\n count = 1000\n dynamic "d" {\n  for_each = range(100)\n  content {\n   x = d.value\n  }\n }\n}\n')
    add("replace_triggered_by of 5000 resources", many(5000, data("a@")) + data("z", " lifecycle {\n  replace_triggered_by = [" + many(5000, "terraform_data.a@, ") + "]\n }"))
    add("20000 references to relevant attributes", data("z") + many(20_000, data("a@", " input = terraform_data.z.output")))


def replacements(config_format):
    """Values that take the place of expressions."""
    big = "locals {\n big = [for n in " + numbers(20000) + " : \"some text ${n}\"]\n}\n"
    deep = "locals {\n d0 = 1\n" + many(1200, " d@+ = [local.d@]\n") + "}\n"
    for name, files in (
            ("1000 outputs of one large value", big + many(1000, output("local.big", "o@"))),
            ("one output of a large value", big + output("local.big")),
            ("100000 references in a template", "locals {\n a = \"x\"\n}\n" + output('"' + "${local.a}" * 100_000 + '"')),
            ("100000 references in a list", "locals {\n a = \"x\"\n}\n" + output("[" + "local.a, " * 100_000 + "]")),
            ("50000 locals of locals", "locals {\n l0 = 1\n" + many(50_000, " l@+ = local.l@\n") + "}\n"),
            ("locals that double 40 times", "locals {\n l0 = [\"a\"]\n" + many(40, " l@+ = [local.l@, local.l@]\n") + "}\n"),
            ("a value 1200 deep", deep + output("local.d1200")),
            ("a template around what is unknown, 100000 times", data("z") + "locals {\n a = \"x\"\n}\n" + output('"' + "${local.a}${terraform_data.z.id}" * 50_000 + '"')),
            ("a heredoc of 50000 lines", "locals {\n a = \"x\"\n}\n" + output("<<E\n" + "k = ${local.a}\n" * 50_000 + "E\n")),
            ("10000 dynamic blocks", "locals {\n a = [1]\n}\n" + 'resource "a_b" "c" {\n' + many(10_000, ' dynamic "d" {\n  for_each = local.a\n  content {\n   x = [d.value, local.a]\n  }\n }\n') + "}\n"),
            ("20000 resources that refer to each other", data("a0", " input = 1") + many(20_000, data("a@+", " input = terraform_data.a@.input"))),
            ("strings that double 60 times", "locals {\n l0 = \"some text\"\n" + many(60, " l@+ = \"${local.l@}${local.l@}\"\n") + "}\n")):
        resolved(name, files, config_format)

"""The stage `validate`: trees of module calls, names, expressions with everything unknown, and documents of schemas."""

import json

from harness import answered, call, many, merge_body, request

CASES = []


def add(name, files, check=None, **options):
    """A case with one upload: a text, files, or a function that creates them."""
    CASES.append(request(name, lambda: merge_body(
        files() if callable(files) else files, stage="validate", include=[], **options), packed=True, check=check))


def cases():
    """All modules."""
    CASES.clear()
    trees()
    multiplied()
    providers()
    names()
    expressions()
    schemas()
    return CASES


def binary(depth, content=""):
    """Returns directories each of which calls the next one twice: 2^depth instances of the last one."""
    files = {f"d{at}/main.tf": call(f"../d{at + 1}", "a") + call(f"../d{at + 1}", "b") + content for at in range(depth)}
    return files | {f"d{depth}/main.tf": content, "main.tf": call("./d0")}


def trees():
    """Trees that are deep, wide, many times themselves, or without an end."""
    add("a tree that doubles 13 times", lambda: binary(13), answered())
    for depth in (14, 20, 60, 1000):
        add(f"a tree that doubles {depth} times", lambda depth=depth: binary(depth), answered("validate/too-many-calls"))
    add("a tree that doubles 13 times, a resource in each module", lambda: binary(13, 'resource "a_b" "c" {\n}\n'))
    add("a tree that doubles 13 times, a wrong name in each module", lambda: binary(13, "locals {\n a = b.c\n}\n"))
    add("a tree that doubles 20 times, a wrong value in each module", lambda: binary(20, 'output "o" {\n value = 1+"a"\n}\n'))
    wide = {f"d{at}/main.tf": many(100, call(f"../d{at + 1}", "m@")) for at in range(4)}
    add("four levels of 100 calls", lambda: wide | {"main.tf": call("./d0"), "d4/main.tf": ""})
    for count in (19_000, 20_001, 100_000):
        add(f"{count} calls of a module", lambda count=count: {"main.tf": many(count, call("./m", "m@")), "m/main.tf": ""})
    add("19000 calls of a module that is missing", lambda: many(19_000, call("./m", "m@")))
    add("19000 calls of as many modules", lambda: {
        "main.tf": many(19_000, call("./d@", "m@")), **{f"d{at}/main.tf": "" for at in range(19_000)}})
    for count in (5_000, 19_000):
        chain = {f"d{at}/main.tf": call(f"../d{at + 1}") for at in range(count)}
        add(f"a chain of {count} calls", lambda chain=chain: chain | {"main.tf": call("./d0")})
        add(f"a chain of {count} calls, a resource in each module", lambda chain=chain: {
            path: text + 'resource "a_b" "c" {\n}\n' for path, text in chain.items()} | {"main.tf": call("./d0")})
        add(f"a chain of {count} calls, a wrong value in each module", lambda chain=chain: {
            path: text + 'output "o" {\n value = 1 + "a"\n}\n' for path, text in chain.items()} | {"main.tf": call("./d0")})
    add("a module that calls itself", call("./"), answered("calls/cycle"))
    add("a module that calls itself 19000 times", lambda: many(19_000, call("./", "m@")), answered("calls/cycle"))
    add("a called module that calls itself", {"main.tf": call("./m"), "m/main.tf": call("../m")}, answered("calls/cycle"))
    add("two modules that call each other", {"main.tf": call("./a"), "a/main.tf": call("../b"), "b/main.tf": call("../a")}, answered("calls/cycle"))
    ring = {f"d{at}/main.tf": call(f"../d{(at + 1) % 5000}") for at in range(5000)}
    add("a ring of 5000 modules", lambda: ring | {"main.tf": call("./d0")})
    each = {f"d{at}/main.tf": many(8, call("../d@", "m@")) for at in range(8)}
    add("8 modules each of which calls all", lambda: each | {"main.tf": call("./d0")})
    all_calls = {f"d{at}/main.tf": many(300, call("../d@", "m@")) for at in range(300)}
    add("300 modules each of which calls all", lambda: all_calls | {"main.tf": call("./d0")})


def multiplied():
    """What a module contains, times the calls of it."""
    variables, outputs = many(1000, 'variable "v@" {\n type = string\n}\n'), many(1000, 'output "o@" {\n value = 1\n}\n')
    add("1000 calls of 1000 variables", lambda: {"main.tf": many(1000, call("./m", "m@")), "m/main.tf": variables})
    passed = many(1000, " v@ = 1\n")
    add("1000 calls of 1000 variables, all passed", lambda: {
        "main.tf": "".join(call("./m", f"m{at}", passed) for at in range(1000)), "m/main.tf": variables})
    rule = many(1000, 'variable "v@" {\n default = 1\n validation {\n  condition = var.v@ > 1\n  error_message = "no"\n }\n}\n')
    add("1000 calls of 1000 rules", lambda: {"main.tf": many(1000, call("./m", "m@")), "m/main.tf": rule})
    add("1000 calls of 1000 rules, with values", lambda: {
        "main.tf": "".join(call("./m", f"m{at}", passed) for at in range(1000)), "m/main.tf": rule})
    add("1000 calls of 1000 outputs", lambda: {"main.tf": many(1000, call("./m", "m@")), "m/main.tf": outputs})
    add("10000 calls of 10000 outputs", lambda: {
        "main.tf": many(10_000, call("./m", "m@")), "m/main.tf": many(10_000, 'output "o@" {\n value = 1\n}\n')})
    add("10000 calls of 20000 resources", lambda: {
        "main.tf": many(10_000, call("./m", "m@")), "m/main.tf": many(20_000, 'resource "a" "b@" {\n}\n')})
    add("10000 calls of 20000 wrong resources", lambda: {
        "main.tf": many(10_000, call("./m", "m@")), "m/main.tf": many(20_000, 'resource "a" "b@" {\n x = a.c.d\n}\n')})
    add("1000 modules of 1000 variables", lambda: {
        "main.tf": many(1000, call("./d@", "m@")),
        **{f"d{at}/main.tf": many(1000, 'variable "v@" {\n}\n') for at in range(1000)}})
    add("one call of 100000 arguments", lambda: {
        "main.tf": call("./m", rest=many(100_000, " v@ = 1\n")), "m/main.tf": many(100_000, 'variable "v@" {\n}\n')})
    add("a ring of 20000 outputs and arguments", lambda: {
        "main.tf": call("./m", rest=many(20_000, " v@ = module.m.o@\n")),
        "m/main.tf": many(20_000, 'variable "v@" {\n}\noutput "o@+" {\n value = var.v@\n}\n') + 'output "o0" {\n value = var.v19999\n}\n'})
    add("100000 references to outputs that are missing", lambda: {
        "main.tf": call("./m") + many(100_000, 'output "o@" {\n value = module.m.x@\n}\n'), "m/main.tf": outputs})


def providers():
    """Provider configurations that are looked for in calling modules."""
    passed = "".join(f"  a.x{at} = a.x{at}\n" for at in range(5000))
    aliases = ",".join(f"a.x{at}" for at in range(5000))
    asked = f'terraform {{\n required_providers {{\n  a = {{\n   source = "x/a"\n   configuration_aliases = [{aliases}]\n  }}\n }}\n}}\n'
    users = many(5000, 'resource "a_b" "c@" {\n provider = a.x@\n}\n')
    add("5000 configurations passed by a call", lambda: {
        "main.tf": many(5000, 'provider "a" {\n alias = "x@"\n}\n') + call("./m", rest=f" providers = {{\n{passed} }}\n"),
        "m/main.tf": asked + users})
    chain = {f"d{at}/main.tf": asked + call(f"../d{at + 1}", rest=f" providers = {{\n{passed} }}\n") for at in range(40)}
    add("5000 configurations passed by a chain of 40 calls", lambda: chain | {"d40/main.tf": asked + users, "main.tf": call("./d0")})
    required = "terraform {\n required_providers {\n" + many(3000, '  p@ = {\n   source = "x/p@"\n  }\n') + " }\n}\n"
    add("3000 required providers in a chain of 20 calls", lambda: {
        f"d{at}/main.tf": required + call(f"../d{at + 1}") for at in range(20)} | {
        "d20/main.tf": required + many(3000, 'resource "p@_b" "c" {\n}\n'), "main.tf": call("./d0")})
    add("100000 resources of a provider", lambda: many(100_000, 'resource "a_b" "c@" {\n provider = a.x\n}\n'))


def names():
    """Chains, rings, and names that nothing declares."""
    chain = many(100_000, " l@ = local.l@+\n")
    add("a chain of 100000 locals", lambda: "locals {\n" + chain + " l100000 = 1\n}\n")
    add("a chain of 100000 locals to a wrong name", lambda: "locals {\n" + chain + " l100000 = a.b.c\n}\n")
    add("a ring of 100000 locals", lambda: "locals {\n" + chain + " l100000 = local.l0\n}\n", answered("validate/cycle"))
    add("50000 rings of two locals", lambda: "locals {\n" + many(50_000, " a@ = local.b@\n b@ = local.a@\n") + "}\n")
    add("a ring of 100000 resources", lambda: many(
        100_000, 'resource "a" "b@" {\n x = a.b@+.id\n}\n') + 'resource "a" "b100000" {\n x = a.b0.id\n}\n')
    add("1000 locals that refer to all", lambda: "locals {\n" + many(
        1000, " l@ = [" + many(1000, "local.l@,").replace("@", "#") + "]\n").replace("#", "@") + "}\n")
    for kind in ("var.x@", "a.x@", "module.x@", "x@", "f@()"):
        add(f"100000 undeclared names like {kind.replace('@', '1')}", lambda kind=kind: "locals {\n" + many(
            100_000, f" l@ = {kind}\n") + "}\n")
    declared = many(10_000, 'variable "abcdefghijklmnopqrstuvwxyz0123456789abcdefgh@" {\n}\nresource "a" "abcdefghijklmnopqrstuvwxyz01@" {\n}\n')
    add("50000 names that are almost right", lambda: declared + "locals {\n" + many(
        50_000, " l@ = [var.abcdefghijklmnopqrstuvwxyz0123456789abcdefghx@, a.abcdefghijklmnopqrstuvwxyz01x@]\n") + "}\n")
    add("a million references to one wrong name", lambda: "locals {\n a = [" + "a.b.c," * 1_000_000 + "]\n}\n")
    add("a reference of a million steps", lambda: 'resource "a" "b" {\n}\nlocals {\n a = a.b' + ".c" * 1_000_000 + "\n}\n")
    add("20 wrong names of 500 KB", lambda: "locals {\n" + many(20, " l@ = a." + "x" * 500_000 + "@\n") + "}\n")
    add("500000 dependencies", lambda: 'resource "a" "c" {\n}\nresource "a" "b" {\n depends_on = [' + "a.c," * 500_000 + "]\n}\n")
    add("100000 assertions", lambda: many(
        100_000, 'check "c@" {\n assert {\n  condition = true\n  error_message = "no ${a.b}"\n }\n}\n'))


def expressions():
    """Expressions with everything unknown, and blocks that are generated."""
    dynamic = ' dynamic "c" {{\n for_each = {}\n content {{\n'

    def nested(levels, each):
        return 'resource "a" "b" {\n' + dynamic.format(each) * levels + "x = c.value\n" + "}\n}\n" * levels + "}\n"

    for levels in (200, 2000, 100_000):
        add(f"dynamic blocks of {levels} levels", lambda levels=levels: nested(levels, "var.x") + 'variable "x" {\n}\n')
    add("dynamic blocks of 200 levels, of one element each", lambda: nested(200, "[1]"))
    add("dynamic blocks of 200 levels, of two elements each", lambda: nested(200, "[1,2]"))
    add("dynamic blocks of 6 levels, of 100 elements each", lambda: nested(6, "range(100)"))
    add("dynamic blocks of 200 levels with as many iterators", lambda: 'resource "a" "b" {\n' + many(
        200, ' dynamic "c@" {\n for_each = [1]\n content {\n') + " x = [" + many(200, "c@.value,") + "]\n" + "}\n}\n" * 200 + "}\n")
    add("20000 dynamic blocks of 1000 elements", lambda: 'resource "a" "b" {\n' + (
        dynamic.format("range(1000)") + "x = c.value\n}\n}\n") * 20_000 + "}\n")
    add("20000 dynamic blocks of a wrong collection", lambda: 'resource "a" "b" {\n' + (
        dynamic.format("a.b.c") + "x = c.value\n}\n}\n") * 20_000 + "}\n")
    add("20000 dynamic blocks with a wrong name, generated 100 times", lambda: 'resource "a" "b" {\n' + (
        dynamic.format("range(100)") + "x = a.b.c\n}\n}\n") * 20_000 + "}\n")
    for levels in (200, 1500):
        loops = many(levels, "[for x@ in var.a : ") + "x0" + "]" * levels
        add(f"loops of {levels} levels", lambda loops=loops: 'variable "a" {\n}\nlocals {\n a = ' + loops + "\n}\n")
        known = many(levels, "[for x@ in [1] : ") + "x0" + "]" * levels
        add(f"loops of {levels} levels over a list", lambda known=known: "locals {\n a = " + known + "\n}\n")
    million = "length([for i in range(1000) : [for j in range(1000) : i + j]])"
    add("1000 loops of a million turns", lambda: "locals {\n" + many(1000, f" l@ = {million}\n") + "}\n",
        answered("evaluation/too-much-work"))
    add("1000 counts of a million turns", lambda: many(1000, f'resource "a" "b@" {{\n count = {million}\n}}\n'))
    add("values that double 60 times", lambda: "locals {\n" + many(60, " l@ = [local.l@+, local.l@+]\n") + " l60 = 1\n}\n")
    add("texts that double 60 times", lambda: "locals {\n" + many(60, ' l@ = "${local.l@+}${local.l@+}"\n') + ' l60 = "x"\n}\n')
    add("objects that double 60 times, unknown", lambda: 'variable "v" {\n}\nlocals {\n' + many(
        60, " l@ = { a = local.l@+, b = local.l@+ }\n") + " l60 = var.v\n}\n")
    add("lists that double 60 times, passed to a call", lambda: {
        "main.tf": "locals {\n" + many(60, " l@ = [local.l@+, local.l@+]\n") + " l60 = 1\n}\n" + call("./m", rest=" v = local.l0\n"),
        "m/main.tf": 'variable "v" {\n type = any\n}\n'})
    add("a type of 100000 attributes, used 1000 times", lambda: 'variable "v" {\n type = object({'
        + many(100_000, "a@=string,") + "})\n}\nlocals {\n" + many(1000, " l@ = var.v\n") + "}\n")
    add("a value of 20000 elements, passed 1000 times", lambda: {
        "main.tf": f"locals {{\n l = [{'1,' * 20_000}]\n}}\n" + many(1000, call("./m", "m@", " v = local.l\n")),
        "m/main.tf": 'variable "v" {\n type = list(string)\n}\n'})


def document(types):
    """Returns a document of schemas with these resource types of one provider."""
    schemas_of = {name: {"version": 0, "block": block} for name, block in types.items()}
    return {"format_version": "1.0", "provider_schemas": {"registry.terraform.io/x/a": {"resource_schemas": schemas_of}}}


def with_provider(text):
    """Returns a module that requires the provider."""
    return 'terraform {\n required_providers {\n  a = {\n   source = "x/a"\n  }\n }\n}\n' + text


def schemas():
    """Documents of schemas, and a module that uses all of them."""

    def given(name, text, types):
        CASES.append(request("schemas: " + name, lambda: json.dumps({
            "stage": "validate", "include": [], "files": {"main.tf": with_provider(text())},
            "provider_schemas": document(types())}).encode(), packed=True))

    optional = {"type": "string", "optional": True}
    wide = {"attributes": {f"a{at}": optional for at in range(50_000)}}
    given("50000 attributes, given", lambda: 'resource "a_b" "c" {\n' + many(50_000, " a@ = 1\n") + "}\n", lambda: {"a_b": wide})
    given("50000 attributes, in 1000 resources", lambda: many(1000, 'resource "a_b" "c@" {\n}\n'), lambda: {"a_b": wide})
    given("50000 attributes, referred to 10000 times", lambda: 'resource "a_b" "c" {\n}\nlocals {\n' + many(
        10_000, " l@ = a_b.c\n") + "}\n", lambda: {"a_b": wide})
    given("50000 attributes, wrong names", lambda: 'resource "a_b" "c" {\n' + many(50_000, " x@ = a_b.c.y@\n") + "}\n", lambda: {"a_b": wide})
    required = {"attributes": {f"a{at}": {"type": "string", "required": True} for at in range(1000)}}
    given("1000 required attributes, missing in 1000 resources", lambda: many(1000, 'resource "a_b" "c@" {\n}\n'), lambda: {"a_b": required})
    small = {"attributes": {"x": optional}}
    given("50000 types, used", lambda: many(50_000, 'resource "a_b@" "c" {\n x = 1\n}\n'), lambda: {f"a_b{at}": small for at in range(50_000)})
    given("50000 types, others used", lambda: many(50_000, 'resource "a_x@" "c" {\n}\n'), lambda: {f"a_b{at}": small for at in range(50_000)})

    def nested(levels):
        block = small
        for _ in range(levels):
            block = {"attributes": {"x": optional}, "block_types": {"c": {"nesting_mode": "list", "block": block}}}
        return {"a_b": block}

    dynamic = ' dynamic "c" {\n for_each = [1, 2]\n content {\n'
    given("blocks of 100 levels", lambda: 'resource "a_b" "c" {\n' + "c {\n" * 100 + "}\n" * 100 + "}\n", lambda: nested(100))
    given("dynamic blocks of 100 levels, of two elements each",
          lambda: 'resource "a_b" "c" {\n' + dynamic * 100 + "x = c.value\n" + "}\n}\n" * 100 + "}\n", lambda: nested(100))
    given("100000 blocks", lambda: 'resource "a_b" "c" {\n' + "c {\n x = 1\n}\n" * 100_000 + "}\n", lambda: nested(1))
    given("1000 dynamic blocks of 1000 elements", lambda: 'resource "a_b" "c" {\n' + (
        dynamic.replace("[1, 2]", "range(1000)") + "x = 1\n}\n}\n") * 1000 + "}\n", lambda: nested(1))
    sets = {"a_b": {"block_types": {"c": {"nesting_mode": "set", "block": small}}}}
    given("50000 blocks of a set", lambda: 'resource "a_b" "c" {\n' + many(50_000, "c {\n x = @\n}\n") + "}\n", lambda: sets)
    given("50000 ephemeral values", lambda: 'variable "v" {\n ephemeral = true\n}\nresource "a_b" "c" {\n' + many(
        50_000, " a@ = var.v\n") + "}\n", lambda: {"a_b": wide})
    computed = {"attributes": {"id": {"type": "string", "computed": True}}}
    given("100000 ignored changes of a computed attribute", lambda: 'resource "a_b" "c" {\n lifecycle {\n  ignore_changes = ['
          + "id," * 100_000 + "]\n }\n}\n", lambda: {"a_b": computed})
    types = {"block_types": {f"b{at}": {"nesting_mode": "list", "block": {}} for at in range(50_000)}}
    given("50000 types of blocks, given", lambda: 'resource "a_b" "c" {\n' + many(50_000, " b@ {\n }\n") + "}\n", lambda: {"a_b": types})
    given("50000 types of blocks, as arguments", lambda: 'resource "a_b" "c" {\n' + many(50_000, " b@ = 1\n") + "}\n", lambda: {"a_b": types})
    CASES.append(request("schemas: 50000 attributes, given in JSON", lambda: json.dumps({
        "stage": "validate", "include": [], "provider_schemas": document({"a_b": wide}), "files": {
            "main.tf": with_provider(""),
            "a.tf.json": json.dumps({"resource": {"a_b": {"c": {f"a{at}": 1 for at in range(50_000)}}}})}}).encode(), packed=True))
    body = 'resource "a_b" "c" {\n' + many(50_000, " a@ = 1\n") + "}\n"
    CASES.append(request("schemas: 50000 attributes, overridden", lambda: json.dumps({
        "stage": "validate", "include": [], "provider_schemas": document({"a_b": wide}),
        "files": {"main.tf": with_provider(body), "override.tf": body}}).encode(), packed=True))

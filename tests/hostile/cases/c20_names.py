"""Long names, and many of one kind times many of another: what is written, compared or looked up once for each pair."""

import json
import random

from harness import answered, call, expect, many, merge_body, request

CASES = []

LIMIT = 16 << 10
LONG = "n" * 5_000_000
TOO_LONG = answered("syntax/name-too-long")


def sent(files, **options):
    """Returns the JSON of a request with these files; a text is the only one."""
    return json.dumps({"files": {"main.tf": files} if isinstance(files, str) else files, **options}).encode()



def add(name, files, path="/v1/plan", check=None, **options):
    """A case with one request for files, or for what a function creates."""
    body = (lambda: sent(files(), **options)) if callable(files) else (lambda: sent(files, **options))
    CASES.append(request(name, body, path=path, packed=True, check=check))


def data(name, body=""):
    """Returns a resource of the built-in provider."""
    return f'resource "terraform_data" "{name}" {{\n{body}\n}}\n'


def output(value, name="o", rest=""):
    """Returns an output."""
    return f'output "{name}" {{\n value = {value}\n{rest}}}\n'


def check_block(name):
    """Returns a check whose result is not known."""
    return f'check "{name}" {{\n assert {{\n  condition = terraform_data.z.id != "a"\n  error_message = "n"\n }}\n}}\n'


def chain(depth, name, leaf):
    """Returns a chain of calls, all of this name, with `leaf` at its end."""
    files = {"main.tf": call("./d0", name)}
    files |= {f"d{at}/main.tf": call(f"../d{at + 1}", name) for at in range(depth)}
    return files | {f"d{depth}/main.tf": leaf}


PRECONDITION = ' lifecycle {\n  precondition {\n   condition = terraform_data.z.id != "a"\n   error_message = "n"\n  }\n }\n'


def cases():
    """All of them."""
    CASES.clear()
    too_long()
    just_short_enough()
    chains()
    keys()
    variables()
    moves()
    assumptions()
    sources()
    missing()
    references()
    return CASES


def too_long():
    """Names over the limit, in every kind of block, syntax and route."""
    arguments = many(3000, " a@ = 1\n")
    add("a label of 5 MB, 3000 findings, merge", lambda: data(LONG, arguments), "/v1/merge", TOO_LONG)
    add("a label of 5 MB, 3000 findings, plan", lambda: data(LONG, arguments), check=TOO_LONG)
    add("a label of 5 MB, 3000 findings, recursive", lambda: data(LONG, arguments), "/v1/merge", recursive=True)
    for form in ("text", "sarif", "junit"):
        add(f"a label of 5 MB, 3000 wrong names, {form}", lambda: output(
            "[" + many(3000, "local.x@, ") + "]", LONG), f"/v1/merge/report?format={form}")
    CASES.append(request("a label of 5 MB, 3000 findings, diff", lambda: json.dumps({
        "before": {"files": {"main.tf": data(LONG, arguments)}}, "after": {"files": {"main.tf": ""}}}).encode(),
        path="/v1/diff", packed=True))
    add("a label of 5 MB, 3000 arguments, resolved", lambda: data(LONG, many(3000, " a@ = local.x\n")) + "locals {\n x = 1\n}\n",
        "/v1/merge", resolve=True, variables={})
    blocks = {
        "type": lambda n: f'resource "{n}" "a" {{\n}}\n', "variable": lambda n: f'variable "{n}" {{\n}}\n',
        "local": lambda n: f"locals {{\n {n} = 1\n}}\n", "output": lambda n: output("1", n), "module": lambda n: call("./m", n),
        "provider": lambda n: f'provider "{n}" {{\n alias = "a"\n}}\n', "check": check_block,
        "data source": lambda n: f'data "a_b" "{n}" {{\n}}\n', "ephemeral": lambda n: f'ephemeral "a_b" "{n}" {{\n}}\n',
        "keyword": lambda n: f"{n} {{\n}}\n", "nested block": lambda n: data("a", f" {n} {{\n }}"),
        "argument": lambda n: f'resource "a_b" "a" {{\n {n} = 1\n}}\n',
        "dynamic block": lambda n: f'resource "a_b" "a" {{\n dynamic "{n}" {{\n  for_each = []\n  content {{\n  }}\n }}\n}}\n',
        "required provider": lambda n: f"terraform {{\n required_providers {{\n  {n} = {{\n   source = \"a/b\"\n  }}\n }}\n}}\n",
        "backend": lambda n: f'terraform {{\n backend "{n}" {{\n }}\n}}\n',
        "argument of a call": lambda n: call("./m", rest=f" {n} = 1\n"),
    }
    for name, block in blocks.items():
        def files(block=block):
            return {"main.tf": block(LONG) + block("b" * (LIMIT + 1)) + data("z"), "m/main.tf": ""}

        add(f"5 MB as the name of a {name}, merge", files, "/v1/merge", TOO_LONG)
        add(f"5 MB as the name of a {name}, plan", files)
    add("5 MB as the name of a property", lambda: {"main.tf.json": json.dumps({
        "resource": {"terraform_data": {LONG: {f"a{at}": 1 for at in range(3000)}}}, "locals": {"b" * (LIMIT + 1): 1},
        "variable": {"c" * (LIMIT + 1): {"default": "${1 + }"}}, "output": {"o": {"value": 1, "d" * (LIMIT + 1): 1}}})},
        "/v1/merge", TOO_LONG)
    add("5 MB as the name of a property, plan", lambda: {"main.tf.json": json.dumps({
        "module": {LONG: {"source": "./m"}}, "resource": {"a_b": {"c": {LONG: 1}}}}), "m/main.tf": data("a")})
    add("5 MB as a key in a value of JSON", lambda: {"main.tf.json": json.dumps({"locals": {"a": {LONG: 1}}})}, "/v1/merge")
    for dialect, version in (("opentofu", None), ("terraform", "0.11.14"), ("tflint", None), ("sentinel", None)):
        chosen = {"dialect": dialect, **({"version": version} if version else {})}
        add(f"5 MB as names, {dialect} {version or ''}", lambda: {
            "main.tf": data(LONG, arguments) + f'variable "{LONG}" {{\n}}\n', "sentinel.hcl": f'policy "{LONG}" {{\n}}\n',
            ".tflint.hcl": f'rule "{LONG}" {{\n}}\n'}, "/v1/merge", **chosen)
    add("5 MB as the name of a variable with a value", lambda: {
        "main.tf": "", "terraform.tfvars": f"{LONG} = 1\n", "b.auto.tfvars.json": json.dumps({LONG: 1})})
    add("5 MB as names in addresses", lambda: "".join(
        f"moved {{\n from = terraform_data.{LONG}{at}\n to = terraform_data.b{at}\n}}\n" for at in range(3)) +
        f'import {{\n to = terraform_data.{LONG}\n id = "a"\n}}\nremoved {{\n from = terraform_data.{LONG}\n}}\n')
    add("5 MB in references", lambda: many(3, output(f"local.{LONG}@ + terraform_data.{LONG}.id", "o@")) + data("z", f" input = module.{LONG}.a"))
    for option, members in (
            ("var", {"variables": {"args": [{"var": "x" * (LIMIT + 1) + "=1"}]}}),
            ("assume", {"assume": {"a_b." + "x" * LIMIT: {}}}),
            ("module_sources", {"module_sources": [{"source": "a/b/" + "x" * LIMIT, "path": "."}]})):
        add(f"a name over the limit in {option}", "", check=over, **members)


def over(answer, parsed):
    """Checks that the limit on names is named."""
    expect(answer.status == 413 and parsed["limit"]["name"] == "max-name-bytes", f"{answer.status} {str(parsed)[:200]}")


def just_short_enough():
    """Names of 16 KB, which are accepted, with many findings, arguments and instances."""
    name = "n" * LIMIT
    for path in ("/v1/merge", "/v1/plan"):
        add(f"a label of 16 KB, 10000 findings, {path}", lambda: data(name, many(10000, " a@ = 1\n")), path)
        add(f"a label of 16 KB, 10000 wrong names, {path}", lambda: output("[" + many(10000, "local.x@, ") + "]", name), path)
    for form in ("text", "sarif", "junit", "rdjson", "gitlab"):
        add(f"a label of 16 KB, 10000 findings, {form}", lambda: data(name, many(10000, " a@ = 1\n")), f"/v1/merge/report?format={form}")
    add("a label of 16 KB, 20000 arguments, resolved", lambda: f'resource "a_b" "{name}" {{\n' + many(20000, " a@ = local.x\n") +
        "}\nlocals {\n x = 1\n}\n", "/v1/merge", resolve=True, variables={})
    add("a resource of 16 KB with 90000 instances", lambda: data(name, " count = 90000\n"))
    add("2000 resources of 16 KB", lambda: "".join(data(f"{name[:-6]}{at:06}") for at in range(2000)))
    add("2000 variables of 16 KB", lambda: "".join(f'variable "{name[:-6]}{at:06}" {{\n default = 1\n}}\n' for at in range(2000)))
    add("2000 variables of 16 KB, all wrong", lambda: "".join(
        f'variable "{name[:-6]}{at:06}" {{\n type = number\n default = "a"\n}}\n' for at in range(2000)), "/v1/merge")
    add("2000 calls of 16 KB that lead nowhere", lambda: "".join(call("a/b/c", f"{name[:-6]}{at:06}") for at in range(2000)))
    add("a call of 16 KB, 20000 resources with findings", lambda: {
        "main.tf": call("./m", name), "m/main.tf": many(20000, data("a@", " b = 1"))})
    add("a call of 16 KB, 20000 wrong outputs", lambda: {
        "main.tf": call("./m", name), "m/main.tf": many(20000, output("local.x", "o@"))})


def chains():
    """Chains of calls with long names, and much of one kind at their end."""
    for size, count in ((1000, 20_000), (4000, 5000), (4000, 40_000), (16_000, 90_000)):
        add(f"60 calls of {size} bytes, {count} instances with a condition",
            lambda size=size, count=count: chain(60, "m" * size, data("z") + data("a", f" count = {count}\n" + PRECONDITION)))
    for size in (200, 4000, 16_000):
        for what, leaf in (
                ("checks", lambda: many(5000, check_block("c@")) + data("z")),
                ("outputs with conditions", lambda: data("z") + many(
                    5000, output("1", "o@", ' precondition {\n  condition = terraform_data.z.id != "a"\n  error_message = "n"\n }\n'))),
                ("moved blocks", lambda: many(5000, "moved {\n from = terraform_data.a@\n to = terraform_data.b@\n}\n")),
                ("missing modules", lambda: many(5000, call("a/b/c", "m@"))),
                ("resources", lambda: many(5000, data("a@"))),
                ("resources with findings", lambda: many(5000, data("a@", " b = 1"))),
                ("providers", lambda: many(3000, 'resource "p@_x" "a" {\n}\n')),
                ("references", lambda: data("z") + many(5000, data("a@", " input = terraform_data.z.id"))),
                ("data sources", lambda: 'data "a_b" "c" {\n count = 5000\n}\n'),
                ("missing configurations", lambda: many(3000, 'resource "p_x" "a@" {\n provider = p.b\n}\n')),
                ("variables with rules", lambda: many(3000, 'variable "v@" {\n default = 1\n validation {\n  condition = var.v@ > 5\n  error_message = "n"\n }\n}\n'))):
            add(f"60 calls of {size} bytes, many {what}", lambda size=size, leaf=leaf: chain(60, "m" * size, leaf()))
    numbers = random.Random(1)
    for size, count in ((4000, 60), (16_000, 20)):
        add(f"60 calls of {size} bytes, 1000 resources with {count} instances", lambda size=size, count=count: chain(
            60, "m" * size, "".join(data(f"a{numbers.randrange(10**9)}", f" count = {count}\n") for _ in range(1000))))
    add("a cycle of 3000 outputs behind 60 calls of 16 KB", lambda: chain(
        60, "m" * 16_000, "locals {\n" + many(3000, " a@ = local.a@+\n") + " a3000 = local.a0\n}\n"))


def keys():
    """Long keys of instances, of modules and of resources."""
    for size in (2_000_000, LIMIT + 1, LIMIT - 8, 4000):
        for what, leaf in (("checks", data("z") + many(3000, check_block("c@"))), ("resources", many(3000, data("a@"))),
                           ("moved blocks", many(3000, "moved {\n from = terraform_data.a@\n to = terraform_data.b@\n}\n"))):
            add(f"5 module keys of {size} bytes, 3000 {what}", lambda size=size, leaf=leaf: {
                "main.tf": call("./m", rest=' for_each = toset([for i in range(5): "${file("k")}${i}"])\n'),
                "k": "k" * size, "m/main.tf": leaf})
        add(f"1000 keys of {size} bytes, a condition and a finding", lambda size=size: {
            "main.tf": data("z") + data("a", ' for_each = toset([for i in range(1000): "${file("k")}${i}"])\n' + PRECONDITION +
                                        " input = each.key\n"), "k": "k" * size})
    add("a key over the limit", {
        "main.tf": data("a", ' for_each = { (file("k")) = 1 }') + data("z"), "k": "k" * (LIMIT + 1)}, check=answered("plan/key-too-long"))
    add("20 levels of modules with keys of 16 KB, 1000 resources", lambda: {
        "main.tf": call("./d0", rest=' for_each = toset([file("k")])\n'), "k": "k" * LIMIT,
        **{f"d{at}/main.tf": call(f"../d{at + 1}", rest=' for_each = toset([file("k")])\n') for at in range(20)},
        "d20/main.tf": many(1000, data("a@"))})


def variables():
    """Many variables of the root module, and of a called one."""
    for count in (10_000, 50_000, 90_000):
        text = "".join(f'variable "v{at:06}" {{\n default = 1\n}}\n' for at in range(count))
        add(f"{count} variables", text)
        add(f"{count} variables, OpenTofu", text, dialect="opentofu")
        add(f"{count} variables, resolved", text, "/v1/merge", resolve=True, variables={})
    add("10000 variables with values", lambda: many(10_000, 'variable "v@" {\n}\n'),
        variables={"args": [{"name": f"v{at}", "value": at} for at in range(9999)]})
    add("3000 variables with rules, arguments and 30 instances", lambda: {
        "main.tf": call("./m", rest=" count = 30\n" + many(3000, " v@ = 1\n")),
        "m/main.tf": many(3000, 'variable "v@" {\n validation {\n  condition = var.v@ > 0\n  error_message = "n"\n }\n}\n')})
    add("20000 outputs that name 20000 variables", lambda: many(20_000, 'variable "v@" {\n default = 1\n}\n') + many(20_000, output("var.v@", "o@")))


def moves():
    """Many `moved` blocks times many instances."""
    for count in (1000, 15_000, 40_000):
        add(f"{count} moves of instances of a module with 90000", lambda count=count: {
            "main.tf": call("./m", rest=" count = 90000\n") + "".join(
                f"moved {{\n from = module.m[{at + 100_000}]\n to = module.n[{at}]\n}}\n" for at in range(count)), "m/main.tf": ""})
        for key in ("", "[@]"):
            add(f"{count} moves of instances of a resource in 20000 modules, {key or 'all'}", lambda count=count, key=key: {
                "main.tf": call("./m", rest=" count = 20000\n") + many(
                    count, f"moved {{\n from = module.m{key}.terraform_data.a[9@]\n to = terraform_data.b@\n}}\n"),
                "m/main.tf": data("a", " count = 2")})
    add("40000 moves in a chain", lambda: many(40_000, "moved {\n from = terraform_data.a@\n to = terraform_data.a@+\n}\n"))
    add("20000 moves to one place", lambda: many(20_000, "moved {\n from = terraform_data.a@\n to = terraform_data.z\n}\n"))
    add("10000 imports into 10000 instances", lambda: data("a", " count = 10000") + many(
        10_000, 'import {\n to = terraform_data.a[@]\n id = "a"\n}\n'))
    add("300 imports with computed keys into 10000 instances", lambda: data("a", " count = 10000") + many(
        300, 'import {\n for_each = toset(["1"])\n to = terraform_data.a[each.key]\n id = "a"\n}\n'))
    add("20000 `removed` blocks", lambda: many(20_000, "removed {\n from = terraform_data.a@\n}\n") + many(10_000, data("b@")))


def assumptions():
    """What is assumed of many arguments, instances and addresses."""
    for count in (10_000, 60_000):
        add(f"{count} arguments that differ from what is assumed", lambda count=count: 'resource "zz_x" "a" {\n' + many(
            count, " a@ = 1\n") + "}\n", assume={"zz_x.a": {f"a{at}": 2 for at in range(count)}})
    add("3000 arguments of 10000 differ, 40 instances", lambda: 'resource "zz_x" "a" {\n count = 40\n' + many(10_000, " a@ = 1\n") + "}\n",
        assume={"zz_x.a": {f"a{at}": 2 for at in range(7000, 10_000)}})
    add("20000 blocks, 20000 attributes are assumed", lambda: 'resource "zz_x" "a" {\n' + many(20_000, " b@ {\n }\n") + "}\n",
        assume={"zz_x.a": {f"b{at}": 2 for at in range(20_000)}})
    add("20000 addresses are assumed, of 20000 instances", lambda: 'resource "zz_x" "a" {\n count = 20000\n}\n',
        assume={f"zz_x.a[{at}]": {"b": at} for at in range(20_000)})
    add("20000 addresses are assumed that there are none of", lambda: 'resource "zz_x" "a" {\n count = 10\n}\n',
        assume={f"zz_x.b{at}": {"b": at} for at in range(20_000)})


def sources():
    """Many versions of a module, times many calls, times many clauses."""
    clauses = ", ".join([">= 0.1"] * 1000)
    different = ", ".join(f"!= 0.{at}.1" for at in range(1000))
    versions = [{"source": "a/b/c", "version": f"{at + 1}.0.0", "path": "m"} for at in range(20_000)]
    for name, text in (("alike", clauses), ("different", different), ("not met", clauses + ", < 0.5")):
        for count in (20, 300):
            add(f"{count} calls with 1000 clauses ({name}), 20000 versions", lambda count=count, text=text: {
                "main.tf": many(count, call("a/b/c", "m@", f' version = "{text}"\n')), "m/main.tf": ""}, module_sources=versions)
    add("15000 calls with versions of their own, 20000 versions", lambda: {
        "main.tf": many(15_000, call("a/b/c", "m@", ' version = "@.0.0"\n')), "m/main.tf": ""}, module_sources=versions)
    add("15000 calls with versions of their own, 20000 versions, 21 MB of other files", lambda: {
        "main.tf": many(15_000, call("a/b/c", "m@", ' version = "@.0.0"\n')), "m/main.tf": "",
        "pad.txt": ("#" + "x" * 998 + "\n") * 21_000}, module_sources=versions)
    add("15000 calls of 20000 folders", lambda: {
        "main.tf": many(15_000, call("a/b/c//m@", "m@")), "m/main.tf": ""},
        module_sources=[{"source": f"a/b/c//m{at}", "path": "m"} for at in range(20_000)])


def missing():
    """Many objects times many things that were not given."""
    for count in (20_000, 49_900):
        add(f"{count} instances of a data source, then of a resource", lambda count=count:
            f'data "aa_x" "a" {{\n count = {count}\n}}\nresource "zz_x" "b" {{\n count = {count}\n depends_on = [data.aa_x.a]\n}}\n')
    add("20000 providers without a schema", lambda: many(20_000, 'resource "p@_x" "a" {\n}\n'))
    add("200 providers, each with 200 instances", lambda: many(200, 'resource "p@_x" "a" {\n count = 200\n}\n'))
    add("20000 data sources of 20000 providers", lambda: many(20_000, 'data "p@_x" "a" {\n}\n'))
    add("300 modules with 60 providers each", lambda: {
        "main.tf": many(300, call("./m", "m@")), "m/main.tf": many(60, 'resource "p@_x" "a" {\n}\n')})
    add("300 modules with 60 provider configurations passed", lambda: {
        "main.tf": many(60, 'provider "p@" {\n}\n') + many(300, call("./m", "m@", " providers = {\n" + "".join(
            f"  p{at} = p{at}\n" for at in range(60)) + " }\n")),
        "m/main.tf": "terraform {\n required_providers {\n" + many(60, '  p@ = {\n   source = "a/p@"\n  }\n') + " }\n}\n"})


def references():
    """Many references times many instances, triggers and long steps."""
    add("5000 resources that 5000 others replace", lambda: many(5000, data("a@")) + many(
        5000, data("b@", " lifecycle {\n  replace_triggered_by = [terraform_data.a@]\n }")))
    add("1000 triggers in each of 20 resources with 50 instances", lambda: many(1000, data("a@")) + many(
        20, data("b@", " count = 50\n lifecycle {\n  replace_triggered_by = [" + "".join(f"terraform_data.a{at}, " for at in range(1000)) + "]\n }")))
    add("a reference with 10000 steps", lambda: data("a") + output("terraform_data.a.output" + ".x" * 10_000))
    add("100 references with steps of 100 KB", lambda: data("a") + "".join(
        output(f"terraform_data.a.output.{'x' * 100_000}{at}", f"o{at}") for at in range(100)))
    add("a data source of a check, 5000 checks, 20 instances", lambda: {
        "main.tf": call("./m", rest=" count = 20\n"), "m/main.tf": many(
            5000, 'check "c@" {\n data "terraform_remote_state" "s@" {\n  backend = "local"\n }\n assert {\n  condition = true\n  error_message = "n"\n }\n}\n')})
    for dialect, version in (("opentofu", "1.11"), ("opentofu", "1.12"), ("terraform", "1.15")):
        for what, value in (("items", "[" + "module.m.o, " * 30_000 + "]"), ("entries", "{\n" + many(30_000, "  k@ = module.m.o\n") + " }")):
            add(f"30000 deprecated {what} of an argument, {dialect} {version}", lambda value=value: {
                "main.tf": call("./m", "m") + data("a", f" input = {value}\n"),
                "m/main.tf": output('"x"', rest=' deprecated = "d"\n')}, dialect=dialect, version=version)
    add("10000 imports into nothing, 10000 resources of other providers", lambda: many(
        10_000, 'import {\n to = q@_x.a\n id = "a"\n}\n') + many(10_000, 'resource "p@_x" "a" {\n}\n'), version="1.16.0-rc2")
    add("10000 calls that depend on a chain of 10000 local values", lambda: {
        "main.tf": "locals {\n" + many(9999, "  a@ = local.a@+\n") + "  a9999 = provider::p::f()\n}\n" + many(
            10_000, call("./m", "m@", " v = local.a0\n")), "m/main.tf": 'variable "v" {\n}\n'}, version="1.15.0")
    CASES.append(request("merge of 3000 overridden arguments in a label of 16 KB", lambda: merge_body({
        "main.tf": data("n" * LIMIT, many(3000, " a@ = 1\n")), "override.tf": data("n" * LIMIT, many(3000, " a@ = 2\n"))}), packed=True))

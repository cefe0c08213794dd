"""Whole modules that are difficult for a stage: many items, long chains, duplicates, all dialects."""

from harness import merge_body, request
from terms import zeros

BOTH = ["config", "objects"]
CASES = []


def add(name, files, quick=True, **options):
    """A case with one module: a text, files, or a function that creates them."""
    CASES.append(request(
        name, lambda: merge_body(files() if callable(files) else files, **options), packed=True, quick=quick))


def many(count, text, **fixed):
    """Returns `text` once for each number, with `@` replaced by the number and `@+` by the next one."""
    return lambda: "".join(text.replace("@+", str(at + 1)).replace("@", str(at)) for at in range(count))


def cases():
    """All modules."""
    CASES.clear()
    overriding()
    declarations()
    variables()
    problems()
    json_syntax()
    files()
    opentofu()
    tflint()
    sentinel()
    terraform_0_11()
    return CASES


def overriding():
    """Many override files, blocks and arguments."""
    resource = 'resource "a" "b" {\n x = @\n}\n'
    base = resource.replace("@", "0")
    add("20000 override files of a resource", lambda: {"main.tf": base, **{
        f"z{at}_override.tf": resource.replace("@", str(at)) for at in range(20_000)}}, include=BOTH)
    add("200000 override blocks of a resource", lambda: {
        "main.tf": base, "override.tf": many(200_000, resource)()}, include=BOTH)
    add("200000 override blocks with nested blocks", lambda: {
        "main.tf": base, "override.tf": 'resource "a" "b" {\n c {\n }\n}\n' * 200_000}, include=BOTH)
    add("300000 nested blocks, overridden 1000 times", lambda: {
        "main.tf": 'resource "a" "b" {\n' + "c {\n}\n" * 300_000 + "}\n",
        "override.tf": 'resource "a" "b" {\n c {\n }\n}\n' * 1000}, include=BOTH)
    add("200000 overrides without a base", lambda: {
        "main.tf": "", "override.tf": many(200_000, 'resource "a" "b@" {\n}\n')()})
    add("200000 overridden locals", lambda: {
        "main.tf": "locals {\n" + many(200_000, "a@=1\n")() + "}\n",
        "override.tf": "locals {\n" + many(200_000, "a@=2\n")() + "}\n"}, include=BOTH)
    add("60000 arguments, overridden 10 times", lambda: {
        "main.tf": 'resource "a" "b" {\n' + many(60_000, "a@=1\n")() + "}\n",
        "override.tf": ('resource "a" "b" {\n' + many(60_000, "a@=2\n")() + "}\n") * 10}, include=BOTH)
    providers = "terraform {\n required_providers {\n" + many(50_000, 'a@={source="x/y@"}\n')() + "}\n}\n"
    add("50000 overridden required providers", lambda: {
        "main.tf": providers, "override.tf": providers.replace("x/y", "x/z")}, include=BOTH)


def declarations():
    """Many declarations of every kind."""
    add("100000 blocks of required providers",
        lambda: "terraform {\n" + 'required_providers {\n a={source="x/y"}\n}\n' * 100_000 + "}\n")
    add("200000 terraform blocks", lambda: 'terraform {\n required_version=">1"\n}\n' * 200_000)
    add("a version constraint of 500000 parts", lambda: 'terraform {\n required_version="' + ",".join(
        f">= 1.0.{at}" for at in range(500_000)) + '"\n}\n')
    add("a version of 3 million digits",
        lambda: 'terraform {\n required_version=">= ' + "9" * 3_000_000 + "." + "1." * 100_000 + '"\n}\n')
    add("a chain of 200000 moves", many(200_000, "moved {\n from = a.b@\n to = a.b@+\n}\n"))
    add("one move 200000 times", lambda: "moved {\n from = a.b\n to = a.c\n}\n" * 200_000)
    add("100000 moves to one place", many(100_000, "moved {\n from = a.b@\n to = a.c\n}\n"))
    add("one import 200000 times", lambda: 'import {\n id="x"\n to = a.c\n}\n' * 200_000)
    add("100000 removed resources that still exist",
        many(100_000, 'removed {\n from = a.b@\n}\nresource "a" "b@" {\n}\n'))
    add("100000 checks", many(100_000, 'check "c@" {\n assert {\n condition=true\n error_message="x"\n}\n}\n'))
    add("200000 providers", many(200_000, 'provider "a" {\n alias="x@"\n}\n'))
    add("one provider 300000 times", lambda: 'provider "a" {\n}\n' * 300_000)
    add("100000 resources with a provider each",
        many(100_000, 'provider "a" {\n alias="x@"\n}\nresource "a_b" "c@" {\n provider = a.x@\n}\n'))
    add("100000 modules with providers", many(100_000, 'module "m@" {\n source="./x"\n providers={a=a.x@,b=b}\n}\n'))
    add("a million dependencies", lambda: 'resource "a" "b" {\n depends_on=[' + "a.b," * 1_000_000 + "]\n}\n")
    add("a million ignored changes",
        lambda: 'resource "a" "b" {\n lifecycle {\n ignore_changes=[' + "a.b," * 1_000_000 + "]\n}\n}\n")


def variable(body):
    """Returns one variable."""
    return f'variable "x" {{\n {body}\n}}\n'


def doubling(depth):
    """Returns a type whose text and whose filled value double with every level."""
    kind = 'object({a=optional(string,"x"),b=optional(string,"y")})'
    for _ in range(depth - 1):
        kind = f"object({{a=optional({kind},{{}}),b=optional({kind},{{}})}})"
    return kind


def variables():
    """Types, defaults and rules."""
    values = ["variables"]
    add("a type of 2000 levels", lambda: variable("type=" + "object({a=" * 2000 + "string" + "})" * 2000),
        variables={})
    attributes = ",".join(f"a{at}=string" for at in range(500_000))
    add("a type of 500000 attributes", lambda: variable(f"type=object({{{attributes}}})"), variables={},
        include=["config", "variables"])
    add("a type of one attribute 500000 times",
        lambda: variable("type=object({" + ",".join(["a=string"] * 500_000) + "})"), variables={},
        include=["config", "variables"])
    add("optional attributes of 1500 levels", lambda: variable(
        "type=" + "object({a=optional(" * 1500 + "string" + ",{})})" * 1500 + "\n default={}"), variables={},
        include=values)
    add("optional attributes that double 14 times", lambda: variable(f"type={doubling(14)}\n default={{}}"),
        variables={}, include=values)
    wide = "list(object({" + ",".join(f'a{at}=optional(string,"v{at}")' for at in range(2000)) + "}))"
    for count in (20_000, 200_000):
        add(f"{count} objects of 2000 optional attributes",
            lambda count=count: variable(f"type={wide}\n default=[" + "{}," * count + "]"), variables={},
            include=values)
    add("10000 rules of 50 references", lambda: "".join(
        f'variable "x{at}" {{\n default=1\n validation {{\n condition = var.x{at}+'
        + "+".join(f"var.x{one}" for one in range(50)) + ' > 0\n error_message="no"\n}\n}\n'
        for at in range(10_000)), variables={})
    rule = ' validation {{\n condition = {}\n error_message="{}"\n}}\n'
    add("20000 rules in a cycle", lambda: "".join(
        f'variable "x{at}" {{\n default=1\n' + rule.format(f"var.x{at} > var.x{(at + 1) % 20_000}", "no") + "}\n"
        for at in range(20_000)), variables={})
    add("50000 rules that fail with a template",
        many(50_000, 'variable "x@" {\n default=1\n' + rule.format("var.x@ > 5", "no ${var.x@}") + "}\n"), variables={})
    add("100000 rules of a variable", lambda: variable(
        "default=1\n" + rule.format("var.x > 5", "no.") * 100_000), variables={})
    add("2000 error messages of 2 MB", lambda: variable(
        'default="' + "y" * 2_000_000 + '"\n' + rule.format("length(var.x) > 99999999", "${var.x}.") * 2000),
        variables={})
    add("one definition a million times", lambda: {"main.tf": variable(""), "terraform.tfvars": "x=1\n" * 1_000_000},
        variables={})
    add("a million definitions of nothing", lambda: {
        "main.tf": "", "terraform.tfvars": many(1_000_000, "x@=1\n")()}, variables={})
    loop = f"[for a in {zeros(100)}:[for b in {zeros(100)}:[for c in {zeros(100)}: 0]]]"
    add("9999 options of three loops", lambda: variable("type=any\n default=1"), variables={
        "args": [{"var": f"x={loop}"}] * 9999}, include=values)


def problems():
    """Many mistakes, long lines and long names."""
    add("300000 names that are almost right", many(300_000, 'resourc "a@" "b" {\n}\n'))
    add("5 resources of 3 MB names", lambda: f'resource "{"a" * 3_000_000}" "b" {{\n}}\n' * 5)
    add("150 resources of one name of 200 KB", lambda: f'resource "{"a" * 200_000}" "b" {{\n}}\n' * 150, include=BOTH)
    add("20000 problems after a long line", lambda: 'locals { a = "' + "x" * 1_000_000 + '" } ' + "; " * 100 + "\n"
        + f'foo "{"z" * 1000}" {{}}\n' * 20_000)
    add("100000 problems on a line", lambda: "foo {} " * 100_000)
    add("20000 problems on long lines", lambda: f'foo "{"z" * 1500}" {{}}\n' * 20_000)
    add("1.5 million wrong templates on a line", lambda: "locals {\n a = [" + '"${a.1b}",' * 1_500_000 + "]\n}\n")
    add("a million wrong references on a line", lambda: variable("default=[" + "y," * 1_000_000 + "]"))
    add("100000 wrong references behind 4 MB",
        lambda: variable('default=["' + "é" * 2_000_000 + '",' + "y," * 100_000 + "]"))


def json_syntax():
    """The JSON syntax."""
    add("JSON of 100000 levels", lambda: {"main.tf.json": '{"a":' * 100_000 + "1" + "}" * 100_000})
    add("one property a million times",
        lambda: {"main.tf.json": '{"locals":{' + ",".join(['"a":1'] * 1_000_000) + "}}"})
    add("300000 templates in JSON", lambda: {
        "main.tf.json": '{"locals":{' + ",".join(f'"a{at}":"${{b}}"' for at in range(300_000)) + "}}"}, include=BOTH)
    add("3 million escapes in JSON", lambda: {"main.tf.json": '{"locals":{"a":"' + "\\u0041" * 3_000_000 + '"}}'})
    add("a million problems in JSON", lambda: {"main.tf.json": '{"a":}' * 1_000_000})


def files():
    """Many files."""
    add("49000 files", lambda: {f"d{at}.tf": f"locals {{\n a{at} = 1\n}}\n" for at in range(49_000)},
        include=["config", "files"])
    add("one name in 49000 files", lambda: {f"d{at}.tf": "locals {\n a = 1\n}\n" for at in range(49_000)},
        include=["config", "files"])


def chain(count, last):
    """Returns locals that each refer to the next one."""
    return many(count, '  l@ = "${local.l@+}"\n')() + f"  l{count} = {last}\n"


def opentofu():
    """What OpenTofu evaluates while loading."""

    def tofu(name, locals_text, rest='module "m" {\n source = local.l0\n}\n', **options):
        def text():
            return "locals {\n" + (locals_text() if callable(locals_text) else locals_text) + "}\n" + rest
        add(f"OpenTofu, {name}", text, dialect="opentofu", **options)

    tofu("a chain of 100000 locals", lambda: chain(100_000, '"./x"'), include=["objects"])
    tofu("a ring of 100000 locals", lambda: chain(100_000, "local.l0"))
    tofu("a text that doubles 60 times",
         lambda: many(60, '  l@ = "${local.l@+}${local.l@+}"\n')() + '  l60 = "./xxxx"\n')
    tofu("a list that doubles 60 times", lambda: many(60, "  l@ = [local.l@+,local.l@+]\n")() + '  l60 = ["./xxxx"]\n',
         'module "m" {\n source = jsonencode(local.l0)\n}\n')
    tofu("20000 locals of 30 others each", lambda: "".join(
        f'  l{at} = "' + "".join(f"${{local.l{one}}}" for one in range(max(0, at - 30), at)) + 'x"\n'
        for at in range(20_000)), "".join(
        f'module "m{at}" {{\n source = "./${{local.l{at}}}"\n}}\n' for at in range(0, 20_000, 200)))
    tofu("20000 sources that fail in a chain", lambda: many(2000, "  l@ = local.l@+\n")() + "  l2000 = nope.x\n",
         many(20_000, 'module "m@" {\n source = local.l0\n}\n')())
    provider = 'provider "a" {\n alias="x@"\n for_each = '
    tofu("a provider for 1000 keys", "", many(1, provider + "toset([for i in range(1000): tostring(i)])\n}\n")(),
         include=["objects"])
    tofu("20 providers for a million keys",
         ' s = toset(flatten([for i in range(1000): [for j in range(1000): "${i}-${j}"]]))\n',
         many(20, provider + "local.s\n}\n")(), include=["objects"])


def tflint():
    """What TFLint expands."""

    def expanded(name, files, **options):
        add(f"TFLint, {name}", files, dialect="tflint", expand=True, include=["objects"], **options)

    repeated = 'resource "a" "b" {\n count = @\n'
    expanded("a count of 1000000000", repeated.replace("@", "1000000000") + " x = count.index\n}\n")
    expanded("a count of 1000000000 of dynamic blocks", repeated.replace("@", "1000000000") + ' dynamic "c" {\n '
             'for_each = range(1000)\n content {\n dynamic "d" {\n for_each=range(1000)\n content {\n '
             "v = d.value*c.value\n}\n}\n}\n}\n}\n")
    expanded("1000 counts of 1000", many(1000, 'resource "a" "b@" {\n count = 1000\n}\n'))
    expanded("100 arguments 1000 times", 'locals {\n big = [for i in range(1000): "aaaaaaaa"]\n}\n'
             + repeated.replace("@", "1000") + many(100, "x@ = count.index\n")() + "}\n")
    expanded("1000 keys of large values", 'resource "a" "b" {\n for_each = {for i in range(1000): "k${i}" => '
             "[for j in range(1000): j]}\n x = each.value\n}\n")
    expanded("300 expensive counts", many(300, 'resource "a" "b@" {\n count = length([for i in range(1000):'
                                               "[for j in range(1000): j]])>0?1:0\n}\n"))

    def listed(name, base, override):
        add(f"TFLint, {name}", lambda: {"main.tf": base(), "override.tf": override()}, dialect="tflint",
            include=["objects"])

    block = 'resource "a" "b" {\n c {\n }\n}\n'
    listed("one resource 20000 times, overridden as often", lambda: block * 20_000, lambda: block * 20_000)
    listed("100000 overridden resources", many(100_000, 'resource "a" "b@" {\n}\n'),
           many(100_000, 'resource "a" "b@" {\n x=1\n}\n'))
    nested = 'resource "a" "b" {\n' + "c {\n }\n" * 50_000 + "}\n"
    listed("50000 overridden nested blocks", lambda: nested, lambda: nested)


def sentinel():
    """Sentinel policies."""

    def policies(name, text, override=None, **options):
        add(f"Sentinel, {name}", lambda: {"sentinel.hcl": text()} | (
            {"override.hcl": override()} if override else {}), dialect="sentinel", **options)

    policies("100000 lists", lambda: 'policy "a" {\n source=' + "[" * 100_000 + "\n}\n")
    policies("50000 objects", lambda: 'import "a" "b" {\n x={' + "a={" * 50_000 + "\n}\n")
    policies("300000 policies", many(300_000, 'policy "p@" {\n source="./x"\n enforcement_level="advisory"\n}\n'),
             include=BOTH)
    policies("one policy 300000 times", lambda: 'policy "p" {\n source="./x"\n}\n' * 300_000, include=BOTH)
    policies("100000 overridden policies", many(100_000, 'policy "p@" {\n source="./x"\n}\n'),
             many(100_000, 'policy "p@" {\n source="./y"\n}\n'), include=BOTH)
    policies("a mock of 3000 levels",
             lambda: 'mock "a" {\n data = {\n' + "a = {\n" * 3000 + "}\n" * 3000 + "}\n}\n", include=BOTH)


def terraform_0_11():
    """The older grammar."""

    def old(name, files, **options):
        add(f"0.11, {name}", files, dialect="terraform-0.11", **options)

    old("200000 lists", lambda: 'resource "a" "b" {\n x=' + "[" * 200_000 + "\n}\n")
    old("200000 objects", lambda: 'resource "a" "b" {\n x=' + "{a=" * 200_000 + "\n}\n")
    old("200000 blocks", lambda: "a {\n" * 200_000)
    old("100000 templates", lambda: 'resource "a" "b" {\n x="' + '${"' * 100_000 + '"\n}\n')
    resource = 'resource "a" "b" {\n x=1\n}\n'
    old("one resource 200000 times", lambda: resource * 200_000, include=BOTH)
    old("one resource, overridden 100000 times", lambda: {"main.tf": resource, "override.tf": resource * 100_000},
        include=BOTH)

    def declared(count, head=""):
        return variable(head + "default={" + many(count, 'k@="1"\n')() + "}")

    old("a map of 100000, merged 1000 times", lambda: {
        "main.tf": declared(100_000).replace('"x"', '"m"'),
        "terraform.tfvars": "m={" + many(100_000, 'k@="2"\n')() + "}\n"},
        variables={"args": [{"var": 'm={a="1"}'}] * 1000}, include=["variables"])
    old("a map of 20000, merged 9999 times", lambda: declared(20_000, 'type="map"\n ').replace('"x"', '"m"'),
        variables={"args": [{"var": f'm={{a="{at}"}}'} for at in range(9999)]}, include=["variables"])

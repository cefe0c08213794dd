"""Error messages that quote large values, nested values, and numbers in every part of the answer."""

from cases.c15_optional_defaults import FILLED
from harness import merge_body, request
from terms import BIG, condition, turns, zeros

DIGITS = "1e1999990"


def cases():
    """Errors first, then defaults, then the parts."""
    wide = {"k" * 1_000_000 + str(at): 1 for at in range(20)}
    for name, term, value in (
            ("missing key", "{a=1}[var.b]", BIG), ("tonumber", "tonumber(var.b)", BIG),
            ("key twice", "{for x in [1,2]: var.b => x}", BIG), ("regex", 'regex(var.b,"x")', "(" + BIG),
            ("file", "file(var.b)", BIG), ("jsondecode", "jsondecode(var.b)", BIG),
            ("yamldecode", "yamldecode(var.b)", "%" + BIG), ("formatdate", 'formatdate(var.b,"2020")', BIG),
            ("format", "format(var.b,1)", "%" + BIG), ("templatefile", "templatefile(var.b,{})", BIG),
            ("cidrhost", "cidrhost(var.b,1)", BIG), ("textencodebase64", 'textencodebase64("x",var.b)', BIG),
            ("timeadd", 'timeadd(var.b,"1h")', BIG), ("missing attribute", "var.b.zz", wide),
            ("plain", "length(1)", 1)):
        yield condition(f"{name} error, 1000 turns", turns(1000, term), {"b": value})
        yield condition(f"{name} error in try, 1000 turns", turns(1000, f"try({term}, 1)"), {"b": value}, quick=False)

    def parts(name, files, **options):
        return request(name, lambda: merge_body(files() if callable(files) else files, **options), packed=True)

    shallow = f'variable "x" {{\n type=list({FILLED})\n default=[' + "{}," * 20_000 + "]\n}\n"
    yield parts("20000 objects of 2000 defaults", shallow, variables={}, include=["files"])
    yield parts("the same without values", shallow, include=["files"])
    yield parts("300 x 300 objects of 2000 defaults", f'variable "x" {{\n type=list(list({FILLED}))\n default=[for a in '
                f"{zeros(300)}: [for b in {zeros(300)}: {{}}]]\n}}\n", include=["files"])
    yield parts("9999 hidden values", 'variable "x" {\n type=any\n}\n',
                variables={"args": [{"var": f"x={DIGITS}"}] * 9999}, include=["variables"])
    many = "".join(f'variable "x{at}" {{\n default={DIGITS}\n}}\n' for at in range(2500))
    for part in ("objects", "config"):
        yield parts(f"2500 defaults in {part}", many, include=[part])
    both = ["config", "objects"]
    yield parts("2500 local numbers", "locals {\n" + "".join(f"x{at}={DIGITS}\n" for at in range(2500)) + "}\n",
                include=both)
    yield parts("2500 local numbers in JSON", {"main.tf.json": '{"locals":{' + ",".join(
        f'"x{at}":{DIGITS}' for at in range(2500)) + "}}"}, include=both)
    yield parts("2500 Sentinel parameters", {"sentinel.hcl": "".join(
        f'param "x{at}" {{\n value={DIGITS}\n}}\n' for at in range(2500))}, include=both, dialect="sentinel")
    yield parts("5000 TFLint instances", f'resource "a" "b" {{\n count=5000\n x = count.index*0+{DIGITS}\n}}\n',
                include=["objects"], dialect="tflint", expand=True)
    long = 'locals {\n k=join("",[for i in range(1000): "0123456789"])\n}\n'
    yield parts("50 providers for 1000 keys of 10 KB", long + "".join(
        f'provider "a" {{\n alias="x{at}"\n for_each=toset([for i in range(1000): "${{local.k}}${{i}}"])\n}}\n'
        for at in range(50)), include=["objects"], dialect="opentofu")
    yield parts("20000 module sources of 10 KB", long + "".join(
        f'module "m{at}" {{\n source="./${{local.k}}"\n}}\n' for at in range(20_000)), include=["objects"],
        dialect="opentofu")

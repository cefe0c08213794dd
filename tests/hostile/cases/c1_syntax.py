"""Texts that are difficult for a parser: depth, width, endless tokens, mistakes on every line."""

from harness import merge_body, request

PAIRS = [("parentheses", "(", ")"), ("lists", "[", "]"), ("objects", "{a=", "}"), ("templates", '"${', '}"'),
         ("not", "!", ""), ("minus", "-", ""), ("calls", "f(", ")"), ("conditionals", "true?1:", ""),
         ("indexes", "a[", "]"), ("loops", "[for x in [", "] : x]")]


def case(name, text, quick=True, **options):
    """A case with one file; `text` creates it."""
    return request(name, lambda: merge_body(text(), **options), quick=quick)


def local(name, value, quick=True):
    """A case with one local value."""
    return case(name, lambda: "locals {\n a = " + value() + "\n}\n", quick)


def default(name, value, quick=True):
    """A case with one default that is written out."""
    return case(name, lambda: 'variable "x" {\n default=' + value() + "\n}\n", quick, variables={},
                include=["config", "variables"])


def cases():
    """All texts."""
    for name, before, after in PAIRS:
        for depth in (3900, 5000, 1_000_000):
            yield local(f"{depth} {name}", lambda b=before, a=after, d=depth: b * d + "1" + a * d, depth != 5000)
    for depth in (3900, 100_000):
        yield case(f"{depth} nested blocks", lambda d=depth: "b {\n" * d + "}\n" * d)
        yield case(f"{depth} blocks in a resource",
                   lambda d=depth: 'resource "a" "b" {\n' + "b {\n" * d + "}\n" * d + "}\n",
                   include=["config", "objects"])
    yield local("100000 directives", lambda: '"' + "%{if true}" * 100_000 + "x" + "%{endif}" * 100_000 + '"')
    yield case("heredocs without end", lambda: "locals {\n" + "a = <<EOT\n" * 100_000)
    yield case("300000 heredocs", lambda: "locals {\n" + "".join(
        f"a{at} = <<EOT\nx\nEOT\n" for at in range(300_000)) + "}\n")
    yield local("heredoc of 6 million lines", lambda: "<<-EOT\n" + "  x\n" * 6_000_000 + "EOT")
    yield case("comment of 30 MB", lambda: "#" + "x" * 30_000_000)
    yield local("string of 30 MB", lambda: '"' + "x" * 30_000_000 + '"')
    yield case("name of 30 MB", lambda: "a" * 30_000_000)
    yield case("string of 30 MB without end", lambda: 'locals {\n a = "' + "x" * 30_000_000)
    yield case("6 million strings without end", lambda: 'a = "\n' * 6_000_000)
    yield local("list of 15 million", lambda: "[" + "1," * 15_000_000 + "]")
    yield local("list of 4.9 million", lambda: "[" + "1," * 4_900_000 + "]")
    yield local("sum of 4.9 million", lambda: "1+" * 4_900_000 + "1")
    for name, step, count in (("attributes", ".b", 4_900_000), ("full splats", "[*]", 3_300_000),
                              ("attribute splats", ".*", 4_900_000), ("indexes", "[0]", 3_300_000)):
        yield local(f"chain of {count} {name}", lambda step=step, count=count: "a" + step * count)
    yield local("chain of 3000 attribute splats", lambda: "a" + ".*" * 3000)
    yield case("a million resources", lambda: "".join(f'resource "a" "b{at}" {{\n}}\n' for at in range(1_000_000)))
    yield case("one resource a million times", lambda: 'resource "a" "b" {\n}\n' * 1_000_000)
    yield case("4 million unknown blocks", lambda: "b {}\n" * 4_000_000)
    yield case("2 million unknown arguments", lambda: "".join(f"a{at}=1\n" for at in range(2_000_000)))
    yield case("one argument 3 million times", lambda: "locals {\n" + "a=1\n" * 3_000_000 + "}\n")
    yield case("a million blocks of locals", lambda: "locals {\na=1\n}\n" * 1_000_000)
    yield case("30 million carriage returns", lambda: "\r" * 30_000_000)
    yield case("5 million NUL characters", lambda: "\0" * 5_000_000)
    yield case("15 million dollar signs", lambda: "$" * 15_000_000)
    yield case("10 million lines that are not valid", lambda: "`\n" * 10_000_000, quick=False)
    yield local("one character of 20 MB", lambda: '"' + "\u0301" * 10_000_000 + '" b')
    yield case("problems behind wide characters",
               lambda: 'a = "' + "e\u0301" * 5_000_000 + '" ; ' + "; " * 1000)
    yield case("7 million problems on a line", lambda: "; " * 7_000_000)
    yield local("number 1e999999999", lambda: "1e999999999\n b=1e-999999999\n c=-1e999999999")
    yield default("default 1e99999999999999999999", lambda: "1e99999999999999999999")
    yield default("default of a million digits", lambda: "9" * 1_000_000)
    yield default("default of 30 million digits", lambda: "9" * 30_000_000)
    yield default("default of a million decimals", lambda: "0." + "9" * 1_000_000 + "e-5")
    yield default("default 1e9999999", lambda: "1e9999999")
    yield default("default 1e99999", lambda: "1e99999")
    yield case("2000 defaults of 1e99999", lambda: "".join(
        f'variable "x{at}" {{\n default=1e99999\n}}\n' for at in range(2000)), variables={},
        include=["config", "variables"])
    # A body with as many arguments as block types, each with its own name.
    yield case("50000 arguments and 50000 block types", lambda: 'resource "a" "b" {\n' + "".join(
        f" a{at} = 1\n b{at} {{\n }}\n" for at in range(50_000)) + "}\n")
    yield request("50000 properties and 50000 block types in JSON", lambda: merge_body({"main.tf.json": (
        '{"resource":{"a":{"b":{' + ",".join(f'"a{at}":1,"b{at}":[{{}}]' for at in range(50_000)) + "}}}}")}))
    for inner in ("provisioner", "connection"):
        label = ' "x"' if inner == "provisioner" else ""
        yield case(f"50000 {inner} blocks, then 50000 lifecycle blocks", lambda inner=inner, label=label: (
            'resource "a" "b" {\n' + f" {inner}{label} {{\n }}\n" * 50_000 + " lifecycle {\n }\n" * 50_000 + "}\n"))

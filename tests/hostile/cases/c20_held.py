"""Memory that nobody charges: long names, many copies of them, in everything that names objects. What a request holds is
counted by the allocator, and a request that holds too much ends, also between two charges."""

import json

from harness import call, expect, many, request

CASES = []
LONG = 5_000_000
# A condition has to refer to something.
TRUE = 'variable "t" {\n default = true\n}\n'


def add(name, files, path="/v1/merge", **options):
    """A case with one request about a text or files, or what a function creates."""

    def body():
        made = files() if callable(files) else files
        return json.dumps({"files": {"main.tf": made} if isinstance(made, str) else made, **options}).encode()

    CASES.append(request(name, body, path=path, packed=True, check=names_the_limit))


def names_the_limit(answer, parsed):
    """A request that is over a limit is told which."""
    if answer.status == 413:
        expect("max-" in parsed["detail"], parsed["detail"])


def data(name, body=""):
    """Returns a resource of the built-in provider."""
    return f'resource "terraform_data" "{name}" {{\n{body}\n}}\n'


def chain(depth, name, leaf):
    """Returns directories that call each other by this name, and the last one's content."""
    between = {f"d{at}/main.tf": call(f"../d{at + 1}", name) for at in range(depth)}
    return {"main.tf": call("./d0", name), **between, f"d{depth}/main.tf": leaf}


def cases():
    """All shapes."""
    CASES.clear()
    for size, count in ((LONG // 5, 1000), (LONG, 3000)):
        label = "n" * size
        for path in ("/v1/merge", "/v1/plan", "/v1/merge/report?format=text"):
            add(f"a label of {size} bytes, {count} findings, {path}",
                lambda label=label, count=count: data(label, many(count, " a@ = 1\n")), path)
        add(f"a label of {size} bytes, {count} arguments, resolved",
            lambda label=label, count=count: data(label, many(count, " a@ = local.x\n")) + "locals {\n x = 1\n}\n",
            resolve=True, variables={})
        add(f"an output's name of {size} bytes, {count} wrong names",
            lambda label=label, count=count: f'output "{label}" {{\n value = [{many(count, "local.x@, ")}]\n}}\n')
        add(f"a module's name of {size} bytes, {count} checked outputs", lambda label=label, count=count: {
            "main.tf": call("./m", label),
            "m/main.tf": TRUE + many(count, 'output "o@" {\n value = 1\n precondition {\n  condition = var.t\n'
                                     '  error_message = "x"\n }\n}\n')}, "/v1/plan")
        add(f"a module's name of {size} bytes, {count} moved blocks", lambda label=label, count=count: {
            "main.tf": call("./m", label),
            "m/main.tf": many(count, data("b@") + "moved {\n from = terraform_data.a@\n to = terraform_data.b@\n}\n")},
            "/v1/plan")
        add(f"a module's name of {size} bytes, {count} missing modules", lambda label=label, count=count: {
            "main.tf": call("./m", label), "m/main.tf": many(count, call("a/b/c", "m@"))}, "/v1/plan")
    checked = ' lifecycle {\n  precondition {\n   condition = var.t\n   error_message = "x"\n  }\n }\n'
    for count in (5_000, 40_000):
        add(f"60 calls with names of 4 KB, a checked resource {count} times",
            lambda count=count: chain(60, "m" * 4000, TRUE + data("r", f" count = {count}\n{checked}")), "/v1/plan")
    add("60 calls with names of 20 KB, 20000 instances",
        lambda: chain(60, "m" * 20_000, data("r", " count = 20000\n")), "/v1/plan")
    key = 'for_each = { for i in range(1000) : "${i}${join("", [for j in range(1024) : "abcdefghijklmnop"])}" => i }'
    add("1000 keys of 16 KB, checked", lambda: TRUE + data("r", f" {key}\n{checked}"), "/v1/plan")
    add("1000 keys of 16 KB of a module, a checked resource", lambda: {
        "main.tf": call("./m", "m", f" {key}\n"), "m/main.tf": TRUE + data("r", checked)}, "/v1/plan")
    both = {"files": {"main.tf": data("n" * 1_000_000, many(1000, " a@ = 1\n"))}}
    CASES.append(request("a label of 1 MB, 1000 findings, compared", lambda: json.dumps(
        {"before": both, "after": {"files": {"main.tf": ""}}}).encode(), path="/v1/diff", packed=True, check=names_the_limit))
    return CASES

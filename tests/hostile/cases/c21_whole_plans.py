"""Routes that make several plans for one request: upgrades, differences of plans, every root module of a tree."""

import json

from harness import request

CASES = []


def upgrade(name, files, old="1.5", new="1.15"):
    """An upgrade of a text."""
    body = lambda: json.dumps({"files": {"main.tf": files()}, "version": old, "to": {"version": new}}).encode()
    CASES.append(request("upgrade: " + name, body, path="/v1/upgrade", packed=True))


def difference(name, before, after, **options):
    """A difference between the plans of two texts."""

    def body():
        sides = [{"files": {"main.tf": side()}, **options} for side in (before, after)]
        return json.dumps({"before": sides[0], "after": sides[1]}).encode()

    CASES.append(request("plan-diff: " + name, body, path="/v1/plan-diff", packed=True))
    CASES.append(request("plan-diff as a comment: " + name, body, path="/v1/plan-diff/report?format=markdown", packed=True))


def roots(name, files, **options):
    """Every root module of a tree."""
    body = lambda: json.dumps({"files": files(), "recursive": True, **options}).encode()
    CASES.append(request("roots: " + name, body, path="/v1/plan", packed=True))


def of_roots(name, files, others):
    """What a change, and what another version, does to every root module of a tree."""

    def change():
        sides = [{"files": side(), "recursive": True} for side in (files, others)]
        return json.dumps({"before": sides[0], "after": sides[1]}).encode()

    roots(name, files)
    for form in ("/v1/plan-diff", "/v1/plan-diff/report?format=markdown", "/v1/plan-diff/report?format=text"):
        CASES.append(request(f"{form[4:]} of roots: {name}", change, path=form, packed=True))
    body = lambda: json.dumps({"files": files(), "recursive": True, "version": "1.5", "to": {"version": "1.15"}}).encode()
    for form in ("/v1/upgrade", "/v1/upgrade/report?format=markdown", "/v1/upgrade/report?format=text"):
        CASES.append(request(f"{form[4:]} of roots: {name}", body, path=form, packed=True))


def instances(count, more="", name="a", value='"x"'):
    return f'resource "terraform_data" "{name}" {{\n count = {count}\n input = {value}\n{more}}}\n'


BACKEND = 'terraform {\n backend "local" {}\n}\n'

upgrade("20,000 instances", lambda: instances(20_000))
upgrade("2,000 instances whose documents differ throughout", lambda: instances(2_000), old="1.0")
upgrade("5,000 outputs that become unknown", lambda: "".join(
    f'output "o{at}" {{\n value = format("%v", null)\n}}\n' for at in range(5_000)))
upgrade("5,000 blocks that the old version lacks", lambda: "".join(
    f'check "c{at}" {{\n assert {{\n  condition = terraform.workspace == "x"\n  error_message = "no"\n }}\n}}\n'
    for at in range(5_000)), old="1.4")
upgrade("a deep value that changes", lambda:
    'output "o" {\n value = ' + "[" * 150 + 'format("%v", null)' + "]" * 150 + "\n}\n")
upgrade("a long value that is sensitive in one version", lambda:
    'variable "s" {\n sensitive = true\n default = "s"\n}\noutput "o" {\n value = true ? "' + "x" * 500_000 + '" : var.s\n}\n',
    old="1.9")
upgrade("every version lies between", lambda: instances(3, " lifecycle {\n  ignore_changes = all\n }\n"), old="1.0", new="1.16")
upgrade("a long constraint", lambda: 'terraform {\n required_version = "' + ", ".join(
    f"!= 1.{at}.0" for at in range(20_000)) + ', ~> 1.3.0"\n}\n')

difference("20,000 instances that change", lambda: instances(20_000), lambda: instances(20_000, value='"y"'))
difference("20,000 instances under another name", lambda: instances(20_000), lambda: instances(20_000, name="b"))
difference("3,000 alike that are removed and added",
           lambda: "".join(instances(1, name=f"a{at}") for at in range(3_000)),
           lambda: "".join(instances(1, name=f"b{at}") for at in range(3_000)))
difference("a chain of 3,000 moves", lambda: instances(1, name="r0"), lambda: instances(1, name="r3000") + "".join(
    f"moved {{\n from = terraform_data.r{at}\n to = terraform_data.r{at + 1}\n}}\n" for at in range(3_000)))
difference("a mask of 200,000 unknowns",
           lambda: instances(1, value="flatten([for i in range(200) : [for j in range(1000) : terraform_data.b.id]])") + 'resource "terraform_data" "b" {}\n',
           lambda: instances(1, value="flatten([for i in range(201) : [for j in range(1000) : terraform_data.b.id]])") + 'resource "terraform_data" "b" {}\n')
difference("a set of 5,000 that changes throughout",
           lambda: instances(1, value="toset(flatten([for i in range(5) : [for j in range(1000) : { a = 1000 * i + j }]]))"),
           lambda: instances(1, value="toset(flatten([for i in range(5) : [for j in range(1000) : { a = -1000 * i - j }]]))"))
difference("a line of 400,000 bytes that changes",
           lambda: instances(1, value='"' + "x" * 400_000 + '"'), lambda: instances(1, value='"' + "y" * 400_000 + '"'))
difference("a text of 20,000 lines that changes throughout",
           lambda: instances(1, value='join("\\n", flatten([for i in range(20) : range(1000)]))'),
           lambda: instances(1, value='join("\\n", flatten([for i in range(20) : [for j in range(1000) : 7 * j + i]]))'))
difference("names of markup", lambda: "", lambda: "".join(
    f'resource "terraform_data" "r{at}" {{\n for_each = toset(["</details>|`@all` #{at} <!--"])\n}}\n' for at in range(500)))

def trees(count, module, value):
    call = 'module "m" {\n source = "../m"\n}\n'
    return lambda: {**{f"r{at}/main.tf": BACKEND + call for at in range(count)}, "m/main.tf": instances(module, value=value)}


of_roots("3,000 root modules", lambda: {f"r{at}/main.tf": BACKEND for at in range(3_000)},
         lambda: {f"s{at}/main.tf": BACKEND for at in range(3_000)})
of_roots("500 that call one large module", trees(500, 200, '"x"'), trees(500, 200, '"y"'))
of_roots("100 that call one module", trees(100, 20, 'format("%v", null)'), trees(100, 20, '"y"'))
of_roots("names of markup", lambda: {f"</details>`@all` #{at}\u202e/main.tf": BACKEND + instances(1) for at in range(300)}, lambda: {})
roots("20,000 named twice over", lambda: {"main.tf": ""}, roots=[{"path": "." if at == 0 else f"x{at}"} for at in range(20_000)])
roots("a path each of 20,000", lambda: {f"r{at}/main.tf": BACKEND for at in range(200)},
      paths=[f"r{at % 200}/f{at}.tf" for at in range(20_000)])


def cases():
    return CASES

"""Secrets planted in every place that accepts a value: none appears in an answer, a problem or the log."""

import json
import urllib.parse

from harness import Case, Failure, Server, expect, merge_body
from shared import bounded

# Each contains a different letter, so that a leak identifies its source.
A, B, C, D = (f"S3CR3T{letter}X" for letter in "ABCD")
ALL = ["config", "objects", "variables", "files"]
VALUES = ["variables"]

LOGS = ({"OVERFOLD_LOG": "trace", "OVERFOLD_LOG_FORMAT": "json"},
        {"OVERFOLD_LOG": "debug,hyper=trace,tower_http=trace,h2=trace,tokio=trace,mio=trace"})


def sensitive(kind, more=""):
    """Returns a sensitive variable `p`."""
    return f'variable "p" {{\n type = {kind}\n sensitive = true\n{more}}}\n'


def ruled(condition, message="bad."):
    """Returns a rule for `p`."""
    return f' validation {{\n condition = {condition}\n error_message = "{message}"\n}}\n'


def env(value):
    """Returns `p` as an environment variable."""
    return {"env": {"TF_VAR_p": value}}


def var(text):
    """Returns a command-line option."""
    return {"args": [{"var": text}]}


def given(value):
    """Returns `p` as a JSON value."""
    return {"args": [{"name": "p", "value": value}]}


def hidden(name, files, secrets, variables=None, include=None, **options):
    """A case with one request; none of `secrets` may be in the answer."""
    files = {"main.tf": files} if isinstance(files, str) else files
    options |= {"include": include or VALUES} | ({} if variables is None else {"variables": variables})

    def attack(server, _measured):
        answer = server.post(merge_body(files, **options))
        found = answer.check()
        leaks = [secret for secret in secrets if secret.encode() in answer.body]
        if leaks:
            raise Failure(f"{', '.join(leaks)} in {places(found, leaks)}")
        logged = [secret for secret in (A, B, C, D) if secret in server.log()]
        expect(not logged, f"{logged} in the log")
        return answer.status, answer.brief()

    return bounded(name, attack)


def places(answer, secrets):
    """Returns the parts of an answer that contain one of these."""

    def holds(part):
        text = json.dumps(part, ensure_ascii=False)
        return any(secret in text for secret in secrets)

    parts = [name for name, part in answer.get("module", {}).items() if holds(part)]
    parts += [f"diagnostics of {one['code']}" for one in answer.get("diagnostics", []) if holds(one)]
    return ", ".join(parts) or "the problem"


def cases():
    """Values first, then requests at the most detailed log level."""
    yield from values()
    yield from definitions_files()
    yield from rules()
    yield from elsewhere()
    for filters in LOGS:
        yield Case(f"log of {filters['OVERFOLD_LOG'][:20]}", log(filters))


def values():
    """Sensitive values from every source, valid and invalid."""
    yield hidden("environment", sensitive("string"), (A,), env(A), ALL)
    yield hidden("JSON value", sensitive("string"), (A,), given(A), ALL)
    yield hidden("option", sensitive("string"), (A,), var("p=" + A), ALL)
    yield hidden("environment of another type", sensitive("number"), (A,), env(A), ALL)
    yield hidden("option of another type", sensitive("list(number)"), (A,), var(f'p=["{A}"]'), ALL)
    yield hidden("object of another type", sensitive("object({a=number})"), (A, B), given({"a": A, B: 1}), ALL)
    yield hidden("map of another type", sensitive("map(number)"), (A, B), given({B: A}), ALL)
    yield hidden("environment that does not parse", sensitive("list(string)"), (A,), env(f'["{A}", ['), ALL)
    yield hidden("option that does not parse", sensitive("list(string)"), (A,), var(f'p=["{A}" "x"'), ALL)
    yield hidden("default in variables", sensitive("string", f' default="{A}"\n'), (A,), {})
    yield hidden("default in config", sensitive("string", f' default="{A}"\n'), (A,), {}, ["config"])
    yield hidden("default in objects", sensitive("string", f' default="{A}"\n'), (A,), {}, ["objects"])
    yield hidden("default without values", sensitive("string", f' default="{A}"\n'), (A,), None, ALL)
    yield hidden("default of another type", sensitive("number", f' default="{A}"\n'), (A,), {})
    ephemeral = 'variable "p" {\n type=string\n ephemeral=true\n}\n'
    yield hidden("ephemeral", ephemeral, (A,), env(A), ALL)
    yield hidden("ephemeral, revealed", ephemeral, (A,), env(A), ALL, reveal_sensitive=True)
    plain = 'variable "p" {\n type=number\n'
    yield hidden("sensitive by an override", {"main.tf": plain + "}\n",
                                              "override.tf": 'variable "p" {\n sensitive=true\n}\n'}, (A,), env(A))
    yield hidden("sensitive as a text", plain + ' sensitive="true"\n}\n', (A,), env(A))
    yield hidden("sensitive that cannot be read", plain + " sensitive=yes\n}\n", (A,), env(A))
    yield hidden("sensitive in the second of two blocks", plain + "}\n" + plain + " sensitive=true\n}\n", (A,), env(A))


def definitions_files():
    """Files of values."""

    def file(name, text, secrets=(A,), kind="string", path="terraform.tfvars", include=None):
        return hidden(f"definitions file, {name}", {"main.tf": sensitive(kind), path: text}, secrets, {}, include)

    yield file("good", f'p = "{A}"\n', include=ALL)
    yield file("of another type", f'p = "{A}"\n', kind="number")
    yield file("of another type on three lines", f'p = {{\n a = "{A}"\n}}\n', kind="map(number)")
    yield file("with a reference", f"p = {A}\n")
    yield file("without end", f'p = "{A}\n')
    yield file("JSON that does not parse", f'{{"p": "{A}" x}}', path="terraform.tfvars.json")
    yield file("with a call", f'p = upper("{A}")\n')
    yield file("with an argument twice", f'p = "{A}"\np = "{B}"\n', (A, B))
    yield hidden("values behind values", {"main.tf": sensitive("string", f' default="{A}"\n'),
                                          "terraform.tfvars": f'p = "{B}"\n'}, (A, B, C, D),
                 {"env": {"TF_VAR_p": C}, "args": [{"var": "p=" + D}]})


def rules():
    """Rules that fail on a secret."""

    def rule(name, condition, value=A, kind="string", message="bad.", secrets=(A,), **options):
        variables = given(value) if isinstance(value, dict) else env(value)
        return hidden(f"rule, {name}", sensitive(kind, ruled(condition, message)), secrets, variables, **options)

    yield rule("message quotes it", 'var.p == "x"', message="bad ${var.p}")
    yield rule("tonumber", "tonumber(var.p) > 1")
    yield rule("regex", 'can(regex("x",var.p)) && regex(var.p,"x") == "x"', "((" + A)
    yield rule("jsondecode", "jsondecode(var.p) == 1")
    yield rule("file", 'file(var.p) == "x"')
    yield rule("cidrhost, timeadd, parseint, formatdate", 'cidrhost(var.p,1) == "x" || timeadd(var.p,"1h") == "" || '
               'parseint(var.p,10) == 1 || formatdate(var.p,"2020") == ""')
    yield rule("fileset", 'length(fileset(var.p, "*")) + length(fileset(".", var.p)) == 9', A + "[a-z]**")
    yield rule("missing key", 'var.p["zz"] == "x"', {B: A}, "map(string)", secrets=(A, B))
    yield rule("secret as key", "{a=1}[var.p] == 1")
    yield rule("secret as key twice", "{for x in [1,2]: var.p => x} == {}")
    yield rule("secret as template", 'templatestring(var.p,{}) == ""', "${" + A, dialect="opentofu")


def elsewhere():
    """Undeclared values, and values derived from others."""
    yield hidden("undeclared environment", "", (A, B), {"env": {"TF_VAR_zz": A, "AWS_SECRET": B}}, ALL)
    yield hidden("undeclared option", "", (A,), var("zz=" + A), ALL)
    yield hidden("option without a name", "", (A,), var(A), ALL)
    yield hidden("option of a wrong name", "", (B,), var(" x y =" + B), ALL)

    def tofu(name, text, value=A, dialect="opentofu", **options):
        return hidden(f"{dialect}, {name}", sensitive("string") + text, (A,), env(value),
                      ALL if dialect == "opentofu" else ["objects", "variables"], dialect=dialect, **options)

    yield tofu("local and source", 'locals {\n a = var.p\n}\nmodule "m" {\n source = "./${var.p}"\n}\n')
    yield tofu("source and version", 'module "m" {\n source = var.p\n version = var.p\n}\n', "::" + A)
    yield tofu("keys of a provider", 'provider "a" {\n alias="x"\n for_each=toset([var.p])\n}\n')
    yield tofu("backend", 'terraform {\n backend "s3" {\n key = var.p\n}\n}\n')
    yield tofu("expanded", 'resource "a" "b" {\n count=2\n x = "${var.p}${count.index}"\n dynamic "c" {\n '
               "for_each=[var.p]\n content {\n v=c.value\n}\n}\n}\n", dialect="tflint", expand=True)
    yield tofu("expanded keys", 'resource "a" "b" {\n for_each=toset([var.p])\n x = each.value\n}\n',
               dialect="tflint", expand=True)


def log(filters):
    """Secrets in bodies, queries, paths, headers and problems, at the most detailed log level."""

    def run(measured):
        marks = [f"S3CR3TREQ{at}X" for at in range(14)]
        tar, json_type = b"\0" * 1024, "application/json"
        merge = "/v1/merge"
        with Server(filters) as server:
            for body, kind, path, headers in (
                    (f'{{"files":{{"a":"{marks[0]}"}},"{marks[1]}":1}}', json_type, merge, {}),
                    (marks[2], json_type, merge, {}),
                    (tar, "application/x-tar", f"{merge}?variables="
                     + urllib.parse.quote(json.dumps(env(marks[3]))), {}),
                    (tar, "application/x-tar", f"{merge}?{marks[4]}=1", {}), ("{}", json_type, f"/{marks[5]}/path", {}),
                    ("{}", json_type, merge, {"Authorization": f"Bearer {marks[6]}", "Cookie": f"a={marks[7]}",
                                              "X-Api-Key": marks[8]}),
                    (f'{{"files":{{"{marks[9]}/..":"x"}}}}', json_type, merge, {}),
                    ("{}", f"application/{marks[10]}", merge, {}), ("{}", json_type, f"/v1/dialects/{marks[11]}", {}),
                    (merge_body(sensitive("number"), variables=env(marks[12])), json_type, merge, {}),
                    # The library for patterns logs them.
                    (merge_body(sensitive("string", ruled('length(fileset(".", var.p)) == 9')),
                                variables=env(marks[13] + "[a-z]**")), json_type, merge, {})):
                server.post(body if isinstance(body, bytes) else body.encode(), kind, path, headers)
            for request_id in ("ok-id", "a\tb", "x" * 129, '"}{"level":"ERROR"', "../../etc", "\x1b[31m", "é",
                               "<script>", "a b"):
                given_id = server.post(b"{}", headers={"X-Request-Id": request_id}).headers.get("x-request-id", "")
                expect(given_id == request_id or not set(given_id) - set(
                    "0123456789abcdefghijklmnopqrstuvwxyz-"), f"the request id {given_id!r}")
            split = server.post(b"{}", path="/a%0d%0aSet-Cookie:%20x")
            expect("set-cookie" not in split.headers, "a header injected by a path")
            preflight = server.post(None, None, headers={
                "Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}, method="OPTIONS")
            expect("access-control-allow-origin" not in preflight.headers, "other sites are allowed")
            docs = server.get("/docs/")
            expect("content-security-policy" in docs.headers, "/docs/ has no Content-Security-Policy")
            written = server.log()
            leaks = [mark for mark in marks if mark in written]
            measured.note = f"{len(written.splitlines())} lines"
            expect(not leaks, f"{leaks} in the log")
            expect("\x1b[31m" not in written.replace("\x1b[31mERROR", ""), "an escape sequence in the log")

    return run

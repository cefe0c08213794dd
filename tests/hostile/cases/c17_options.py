"""Options: many, long, and multiplied by the modules of a tree."""

import json

from harness import Case, at_stage, expect, merge_body, request, Server

# A module in each of this many folders, none of which contains anything.
FOLDERS = 9000


def tree(count=FOLDERS):
    """Returns the files of a tree of empty modules."""
    return {f"d{at}/main.tf": "" for at in range(count)}


def options(count=9999):
    """Returns values for variables that nothing declares."""
    return {"args": [{"var": f"x{at}=1"} for at in range(count)]}


def over(name):
    """Checks that the answer names this limit."""

    def check(answer, parsed):
        expect(answer.status == 413 and parsed["limit"]["name"] == name, f"{answer.status} {answer.problem}")

    return check


def body(**members):
    """Returns a request with one empty module and these options."""
    return lambda: merge_body("", **{name: one() if callable(one) else one for name, one in members.items()})


def gone(measured):
    """A client leaves while a long value becomes part of the entity tag."""
    content = merge_body("", variables={"env": {"TF_VAR_x": "\x7f" * 30_000_000}})
    head = (b"POST /v1/merge HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % len(content))
    with Server() as server, measured.over(server):
        with server.connect() as connection:
            connection.sendall(head + content)
        idle = server.settle(1)
        measured.status = "left"
        expect(idle is not None and idle < 0.5, f"idle after {idle} s")


def schemas():
    """Documents of schemas: long, wide, deep, as members and as parts of forms, once and for both sides."""
    types = '"a/b/c":{"resource_schemas":{"c_x":{"version":0,"block":{"attributes":{%s}}}}}'
    main = json.dumps({"main.tf": 'resource "c_x" "y" {\n  a1 = 1\n}\n', "p.tf": (
        'terraform {\n  required_providers {\n    c = { source = "a/b/c" }\n  }\n}\n')})
    for name, content in (
            ("a text of 25 MB", lambda: types % '"a1":{"type":"string","description":"%s"}' % ("y" * 25_000_000)),
            ("a million providers", lambda: ",".join(f'"h/n/p{at}":{{}}' for at in range(1_000_000))),
            ("a type of 300,000 attributes", lambda: types % ",".join(
                f'"a{at}":{{"type":"string","optional":true}}' for at in range(300_000))),
            ("types of 2 million levels", lambda: types % (
                '"a1":{"type":' + '["list",' * 2_000_000 + '"string"' + "]" * 2_000_000 + ',"optional":true}')),
            ("blocks of 200,000 levels", lambda: '"a/b/c":{"resource_schemas":{"c_x":{"version":0,"block":' +
             '{"block_types":{"b":{"nesting_mode":"list","block":' * 200_000 + "{}" + "}}}" * 200_000 + "}}}"),
            ("20 million opening brackets", lambda: '"x":' + "[" * 20_000_000),
            ("3 million equal names", lambda: types % ",".join(['"x":0'] * 3_000_000))):
        def document(content=content):
            return '{"format_version":"1.0","provider_schemas":{%s}}' % content()

        def side(document=document):
            return f'"stage":"validate","provider_schemas":{document()}'

        def form(document=document):
            part = '--X\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'
            return (part % ("files", '; filename="main.tf"', "") + part % ("provider_schemas", "", document()) + "--X--\r\n").encode()

        yield request(f"schemas: {name}", lambda side=side: f'{{"files":{main},{side()}}}'.encode(), packed=True)
        yield request(f"schemas: {name}, in a form", form, content_type="multipart/form-data; boundary=X", packed=True)
        yield request(f"schemas: {name}, on both sides", lambda side=side: (
            f'{{"before":{{"files":{main},{side()}}},"after":{{{side()}}}}}').encode(), path="/v1/diff", packed=True)


def cases():
    """All options."""
    for name, variables in (
            ("a variable of 10 MB", {"env": {"TF_VAR_x": "x" * (10 << 20)}}), ("9999 variables", options()),
            ("a value of 10 MB", {"args": [{"name": "x", "value": "x" * (10 << 20)}]})):
        side = at_stage({"recursive": True, "variables": variables})
        yield request(f"{FOLDERS} modules and {name}", merge_body(tree(), **side, include=[]), packed=True)
        yield request(f"{FOLDERS} modules twice and {name}", path="/v1/diff", packed=True, body=json.dumps(
            {"before": {"files": tree(), **side}, "after": side}).encode())
    for count in (1_000_000, 10_000_000):
        yield request(f"{count} paths", lambda count=count: b'{"files":{"main.tf":""},"recursive":true,"paths":[' +
                      b",".join([b'"a"'] * count) + b"]}", packed=True, check=over("max-entries"))
    deep = "a/" * 15_000_000 + "b"
    for name, members in (
            ("root", {"root": deep}), ("config_file", {"dialect": "sentinel", "config_file": deep}),
            ("path_prefix", {"path_prefix": deep}), ("paths", {"recursive": True, "paths": [deep]}),
            ("var_file", {"variables": {"args": [{"var_file": deep}]}})):
        yield request(f"30 MB as {name}", body(**members), packed=True, check=over("max-path-bytes"))
    for name, members in (
            ("the name in var", {"variables": {"args": [{"var": deep + "=1"}]}}),
            ("the name of a value", {"variables": {"args": [{"name": deep, "value": 1}]}})):
        yield request(f"30 MB as {name}", body(**members), packed=True, check=over("max-name-bytes"))
    long = "x" * 30_000_000
    for name, members in (
            ("version", {"version": long}), ("dialect", {"dialect": long}), ("include", {"include": [long]}),
            ("an unknown option", {long: 1}), ("a name in the environment", {"variables": {"env": {long: ""}}})):
        yield request(f"30 MB as {name}", body(**members), packed=True)
    yield request("5 million parts", body(include=lambda: ["config"] * 5_000_000), packed=True)
    yield request("a value with a million names", body(variables=lambda: {"args": [
        {"name": "x", "value": {f"{at:x}": 0 for at in range(1_000_000)}}]}), packed=True)
    for name, letter in (("DEL", "\x7f"), ("U+FFFE", "\ufffe"), ("quotes", '"')):
        text = letter * (25_000_000 // len(letter.encode()))
        for where, variables in (
                ("env", {"env": {"TF_VAR_x": text}}), ("var", {"args": [{"var": "x=" + text}]}),
                ("a value", {"args": [{"name": "x", "value": text}]})):
            yield request(f"25 MB of {name} as {where}", body(variables=variables), packed=True)
    yield from schemas()
    yield Case("30 MB of DEL, and the client leaves", gone)

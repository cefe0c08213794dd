"""Paths with many segments, links, and long common beginnings; files with few lines: whatever is looked up once for each
item of a request must not look through all of it."""

import gzip
import io
import json
import random
import tarfile

from harness import at_stage, expect, request

CASES = []
# A folder whose path is nearly as long as a path may be.
FAR = "/".join(["p" * 15] * 62)
VALUES = "/v1/merge?include=variables&variables=%7B%7D"
FORMATS = {
    "sarif": "application/sarif+json", "rdjson": "application/vnd.reviewdog.rdjson+json",
    "gitlab": "application/vnd.gitlab.codequality+json", "junit": "application/junit+xml", "text": "text/plain",
}


def cases():
    """All of them."""
    CASES.clear()
    in_functions()
    links()
    directories()
    one_line()
    long_lines()
    differences()
    findings()
    return CASES


def many(count, text):
    """Returns `text` once for each number, with `@` replaced by the number."""
    return "".join(text.replace("@", str(at)) for at in range(count))


def add(name, body, path="/v1/merge", headers=None, quick=True, check=None):
    """A case with a JSON body, which is built when the case runs."""
    def made():
        sides = body()
        whole = {side: at_stage(sides[side]) for side in sides} if "before" in sides else at_stage(sides)
        return json.dumps(whole, ensure_ascii=False).encode()

    CASES.append(request(name, made, path=path, packed=True, headers=headers, quick=quick, check=check))


def archive(*entries):
    """Returns a compressed tar of paths and contents; a content `-> TARGET` is a symbolic link."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as made:
        for path, content in entries:
            info = tarfile.TarInfo(path)
            if content is None:
                info.type = tarfile.DIRTYPE
            elif content.startswith("-> "):
                info.type, info.linkname = tarfile.SYMTYPE, content[3:]
            else:
                info.size = len(content)
            made.addfile(info, io.BytesIO((content or "").encode()))
    return gzip.compress(out.getvalue(), 1)


def packed(name, entries, path="/v1/merge", quick=True, check=None):
    """A case with an archive."""
    CASES.append(request(name, lambda: archive(*entries()), "application/gzip", path, quick=quick, check=check))


def rule(condition):
    """Returns a rule whose condition is evaluated."""
    return 'variable "b" {\n default = 1\n validation {\n condition = %s\n error_message = "no"\n}\n}\n' % condition


def in_functions():
    """Paths that a function is given."""
    def looked_up(segments, calls, count, segment="a/"):
        path = segment * segments + "b"
        if calls < 50:
            condition = " || ".join(f'fileexists("{path}")' for _ in range(calls))
        else:
            condition = f'length([for i in range({calls}) : fileexists("{path}${{i}}")]) > 0'
        return lambda: [("main.tf", rule(condition)), ("t/x.txt", ""), *((f"l{at:05}", "-> t") for at in range(count))]

    for links, segments, calls in ((0, 10_000, 5), (1, 10_000, 1), (300, 10_000, 6), (20_000, 2000, 20),
                                   (20_000, 200, 3000)):
        packed(f"{links} links, {calls} paths of {segments} segments", looked_up(segments, calls, links), VALUES)
    packed("paths back and forth through links", looked_up(5000, 20, 300, "l00001/../"), VALUES)
    packed("a set of files far above", lambda: [
        ("main.tf", rule(f'length(fileset("{"x/" * 2000}", "{"../" * 2000}*")) > 0')),
        *((f"f{at}.txt", "") for at in range(40_000))], VALUES)


def links():
    """Links that have to be followed to know what is in an upload."""
    def below(folder, entries, count, hops=39):
        walk = "d/../" * 202
        chain = [(f"{folder}/l{at}", f"-> {walk}" + (f"l{at + 1}" if at + 1 < hops else "z.tf")) for at in range(hops)]
        return lambda: [("main.tf", ""), (f"{folder}/d", None), (f"{folder}/z.tf", ""),
                        *((f"{folder}/e{at:05}", "") for at in range(entries)), *chain,
                        *((f"{folder}/x{at}", "-> l0") for at in range(count))]

    packed("400 links through a chain of links far down", below(FAR, 20_000, 400))
    packed("20000 links through a chain of links", below("a", 20_000, 20_000))
    packed("20000 links that walk back and forth", lambda: [
        ("m/a.tf", ""), *((f"x{at}", "-> " + "m/../" * 200 + "m/a.tf") for at in range(20_000))])
    packed("a chain of 40000 links", lambda: [
        ("m/a.tf", ""), ("l0", "-> m"), *((f"l{at}", f"-> l{at - 1}") for at in range(1, 40_000))])
    packed("a circle of 40000 links", lambda: [
        ("main.tf", ""), *((f"l{at}", f"-> l{(at + 1) % 40_000}/x") for at in range(40_000))])


def directories():
    """Modules that call each other, and files with long common beginnings."""
    call = 'module "m@" {\n source = "%s"\n}\n'
    for files, calls in ((10, 50_000), (20_000, 50_000)):
        add(f"{calls} calls below {files} files far down", lambda files=files, calls=calls: {
            "files": {**{f"{FAR}/e{at:05}": "" for at in range(files)}, f"{FAR}/x/main.tf": "",
                      f"{FAR}/main.tf": many(calls, call % "./x")}, "recursive": True, "root": FAR})
    add("20000 calls of missing directories with long paths", lambda: {
        "files": {"main.tf": many(20_000, call % ("./" + "x/" * 40 + "@"))}, "recursive": True})
    add("49999 directories", lambda: {
        "files": {f"d{at}/main.tf": "" for at in range(49_999)}, "recursive": True, "include": ["calls"]})
    add("a chain of 20000 directories", lambda: {
        "files": {f"d{at}/main.tf": (call % f"../d{at + 1}").replace("@", "") for at in range(20_000)},
        "recursive": True, "include": ["calls"]})
    add("40000 files below nested directories", lambda: {
        "files": {**{"/".join(["d"] * depth) + "/main.tf": "" for depth in range(1, 63)},
                  **{"/".join(["d"] * 63) + f"/f{at}.txt": "" for at in range(40_000)}},
        "recursive": True, "include": ["files"]})
    add("50000 paths far down in random order", lambda: {
        "files": {f"{FAR}/{at:06}.txt": "" for at in random.Random(7).sample(range(50_000), 50_000)}, "include": []})


def one_line():
    """JSON on one line, of which each part is rewritten."""
    def folded(head, item, tail, count):
        text = [head + ",".join(item.replace("@", str(at)).replace("#", value) for at in range(count)) + tail
                for value in "12"]
        return {"files": {"main.tf.json": text[0], "override.tf.json": text[1]}, "config_format": "files"}

    for name, head, item, tail, count in (
            ("resources", '{"resource":{"a":{', '"b@":{"x":#}', "}}}", 60_000),
            ("arguments", '{"resource":{"a":{"b":{', '"x@":#', "}}}}", 60_000),
            ("locals", '{"locals":{', '"x@":#', "}}", 60_000),
            ("variables", '{"variable":{', '"x@":{"default":#}', "}}", 20_000),
            ("a list of resources", '{"resource":[', '{"a":{"b@":{"x":#}}}', "]}", 20_000),
            ("resources of many types", '{"resource":{', '"a@":{"b":{"x":#}}', "}}", 20_000)):
        add(f"{count} {name} of one line", lambda args=(head, item, tail, count): folded(*args))
    add("locals after 10 MB of one line", lambda: folded(
        '{"//":"' + "x" * (10 << 20) + '","locals":{', '"a@":{"b":#}', "}}\n", 10_000))


def long_lines():
    """Native syntax with a long line."""
    def folded(before, head, item, tail, count=10_000, after=""):
        base, over = (head + many(count, item.replace("#", value)) + tail for value in "12")
        return {"files": {"main.tf": before + base + after, "override.tf": over}, "config_format": "files"}

    long = "/*" + "x" * (10 << 20) + "*/ "
    resource = 'resource "a" "b@" {\n x = #\n}\n'
    add("resources after 10 MB", lambda: folded(long, "", resource, ""))
    add("arguments after 10 MB", lambda: folded(long, 'resource "a" "b" {\n', " x@ = #\n", "}\n"))
    add("locals after 10 MB", lambda: folded(long, "locals {\n", " x@ = #\n", "}\n"))
    add("resources of one line before 10 MB", lambda: folded(
        "", "", 'resource "a" "b@" { x = # }\n', "", after=long))
    add("items added to a body with an indentation of 1 MB", lambda: {
        "files": {"main.tf": 'resource "a" "b" {\n' + " " * (1 << 20) + "x = 1\n}\n",
                  "override.tf": 'resource "a" "b" {\n' + many(10_000, " y@ = 1\n") + "}\n"},
        "config_format": "files"}, check=lambda answer, parsed: expect(answer.status == 200, f"{answer.status}"))


def differences():
    """Two modules."""
    def pair(before, after):
        return lambda: {"before": {"files": before()}, "after": {"files": after()}}

    def nested(order):
        return {"main.tf": 'resource "a" "b" {\n' + "".join(f" n {{\n  v = {at}\n }}\n" for at in order) + "}\n"}

    mixed = random.Random(7).sample(range(40_000), 40_000)
    add("diff: 40000 nested blocks in another order", pair(lambda: nested(range(40_000)), lambda: nested(mixed)),
        "/v1/diff")
    add("diff: nested blocks of few kinds", pair(
        lambda: nested(at % 7 for at in range(40_000)), lambda: nested(at % 5 for at in mixed)), "/v1/diff")
    for form, accept in {"Markdown": "text/markdown", "text": "text/plain"}.items():
        add(f"diff: arguments of one line in {form}", pair(
            lambda: {"main.tf.json": json.dumps({"locals": {f"x{at}": 1 for at in range(40_000)}})},
            lambda: {"main.tf.json": json.dumps({"locals": {f"x{at}": 2 for at in range(40_000)}})}),
            "/v1/diff", {"accept": accept})


def findings():
    """Findings with long surroundings, in each format."""
    texts = {
        "within a long label": lambda: 'resource "a" "%s" {\n%s}\n' % ("l" * 500_000, "x = 1\n" * 5000),
        "of one line": lambda: "locals {\n a = [" + "foo.é, " * 20_000 + "]\n}\n",
    }
    for what, text in texts.items():
        add(f"findings {what}", lambda text=text: {"files": {"main.tf": text()}})
        for form, accept in FORMATS.items():
            add(f"findings {what} as {form}", lambda text=text: {"files": {"main.tf": text()}},
                headers={"accept": accept})
    keys = lambda: '{"locals":{"a":' + '{"k":' * 1500 + "[" + ",".join('"${x y}"' for _ in range(10_000)) + "]" + \
        "}" * 1500 + "}}"
    add("findings deep in JSON", lambda: {"files": {"main.tf.json": keys()}})
    add("findings deep in JSON as sarif", lambda: {"files": {"main.tf.json": keys()}},
        headers={"accept": FORMATS["sarif"]})
    add("JSON objects with equal keys on one line", lambda: {"files": {"main.tf.json": '{"locals":{' + ",".join(
        '"é":1' for _ in range(40_000)) + "}}"}}, headers={"accept": FORMATS["sarif"]})

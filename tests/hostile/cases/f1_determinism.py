"""The same request yields the same bytes: repeated, in another process, in another order, in another form."""

import collections
import json
import os
import random
import urllib.parse

from cases.a1_archives import entry, tar, zipped
from corpus import folders
from harness import Case, Server, at_stage, expect, merge_body

COUNT = int(os.environ.get("DETERMINISM_CASES", "600"))


def compare(measured):
    """Sends recorded inputs in seven ways and compares bodies and tags."""
    chosen = random.Random(1)
    found = list(folders())
    chosen.shuffle(found)
    compared, different, statuses = 0, [], collections.Counter()
    with Server() as here, Server() as there:
        for case, files in found[:COUNT]:
            try:
                texts = {path: content.decode() for path, content in files.items()}
            except UnicodeDecodeError:
                continue
            dialect = case.get("dialect", "terraform")
            options = at_stage({"dialect": dialect, "include": ["objects", "files"]})
            if dialect != "tflint":
                options["include"].append("config")
            if isinstance(case.get("variables"), dict) and dialect != "sentinel":
                options["variables"] = case["variables"]
                options["include"].append("variables")
            first = here.post(merge_body(texts, **options))
            statuses[first.status] += 1
            if first.status != 200:
                continue
            compared += 1
            paths = list(texts)
            chosen.shuffle(paths)
            query = "/v1/merge?" + urllib.parse.urlencode([
                ("dialect", dialect), ("strip_components", "0"), ("include", ",".join(options["include"]))] + (
                [("variables", json.dumps(options["variables"]))] if "variables" in options else []) + (
                [("stage", options["stage"])] if "stage" in options else []))
            sorted_tar = tar(*[entry(path, files[path]) for path in sorted(files)])
            shuffled_tar = tar(*[entry(path, files[path]) for path in paths])
            for way, answer in (
                    ("again", here.post(merge_body(texts, **options))),
                    ("elsewhere", there.post(merge_body(texts, **options))),
                    ("in another order", there.post(merge_body({path: texts[path] for path in paths}, **options))),
                    ("as tar", here.post(sorted_tar, "application/x-tar", query)),
                    ("as shuffled tar", there.post(shuffled_tar, "application/x-tar", query)),
                    ("as zip", here.post(zipped(*[(path, files[path]) for path in paths]), "application/zip", query))):
                if answer.body != first.body or answer.headers.get("etag") != first.headers.get("etag"):
                    different.append(f"{way}: {sorted(paths)[:3]}")
    measured.status = ",".join(map(str, sorted(statuses)))
    measured.note = f"{compared} inputs compared, {dict(statuses)}"
    expect(compared > 0, "nothing was compared")
    expect(set(statuses) <= {200, 400, 413, 422}, measured.note)
    expect(not different, f"{len(different)} differ, such as {different[:2]}")


def cases():
    """One case."""
    yield Case("recorded inputs in seven ways", compare, quick=False)

#!/usr/bin/env python3
"""Creates the seeds of every fuzz target from the inputs under tests/, in one folder per target below FOLDER.

The same files in the same order produce the same seeds. Long ones are left out, because mutating short inputs is more
effective.
"""

import gzip
import hashlib
import json
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "hostile")]

from cases.a1_archives import cases as archives, entry, tar, zipped, zstd_frame  # noqa: E402
from cases.c1_syntax import PAIRS  # noqa: E402
from cases.c11_number_formats import TERMS  # noqa: E402

LONGEST = 4096
MOST = 600
DIALECTS = ["terraform", "opentofu", "tflint", "sentinel", "terraform-0.11"]


class Seeds:
    """Writes the inputs of targets, each only once."""

    def __init__(self, folder):
        self.folder, self.written = folder, {}

    def add(self, target, data, most=MOST):
        """Adds an input, unless it is too long, already known or one too many."""
        data = data.encode() if isinstance(data, str) else data
        known = self.written.setdefault(target, set())
        name = hashlib.sha256(data).hexdigest()[:16]
        if len(data) <= LONGEST and len(known) < most and name not in known:
            known.add(name)
            folder = self.folder / target
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)


def recorded():
    """Returns every recorded case: the content of `case.json`, and its files as path to bytes. Mixes all suites."""
    found = []
    for base in ("conformance", "documents"):
        for about in (ROOT / "tests" / base).rglob("case.json"):
            folder = about.parent / "input"
            files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
            if files:
                name = about.relative_to(ROOT).as_posix()
                content = {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
                found.append((hashlib.sha256(name.encode()).hexdigest(), json.loads(about.read_text()), content))
    found.sort(key=lambda one: one[0])
    return [(about, files) for _, about, files in found]


def short(archive):
    """Returns a tar without the tape padding at its end."""
    content = archive.rstrip(b"\0")
    return content + b"\0" * (-len(content) % 512 + 1024)


def module_seed(about, files):
    """Returns a module in the form that the target `module` reads."""
    dialect = about.get("dialect", "terraform")
    choice = DIALECTS.index(dialect) if dialect in DIALECTS else 0
    given = about.get("variables") if isinstance(about.get("variables"), dict) else None
    # The low bits are the dialect modulo five; the high ones request values, expansion and sensitive values.
    wanted = (0x20 if given is not None else 0) | (0x40 if dialect == "tflint" else 0)
    first = next(one for one in range(256) if one % 5 == choice and one & 0xE0 == wanted)
    pieces = []
    for path, content in list(files.items())[:6]:
        pieces += [path.encode(), content.replace(b"\0", b"")]
    for name, value in (given or {}).get("env", {}).items():
        pieces += [b"env:" + name.removeprefix("TF_VAR_").encode(), str(value).encode()]
    return bytes([first]) + b"\0".join(pieces)


def main():
    """Writes all seeds."""
    folder = pathlib.Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    seeds = Seeds(folder)
    for about, files in recorded():
        seeds.add("module", module_seed(about, files))
        texts = {}
        for path, content in files.items():
            kind = "json" if path.endswith(".json") else "native"
            seeds.add(kind, content)
            if about.get("dialect") in ("terraform-0.11", "sentinel"):
                seeds.add("hcl1", content)
            text = texts[path] = content.decode("utf-8", "replace")
            for found in re.findall(r"^\s*type\s*=\s*(.+)$", text, re.M):
                seeds.add("type", found + "\0{}")
            for found in re.findall(r"^\s*[\w-]+\s*=\s*(.+)$", text, re.M):
                seeds.add("expression", found)
                seeds.add("values", found)
        request = {"files": texts, "dialect": about.get("dialect", "terraform")}
        if isinstance(about.get("variables"), dict):
            request["variables"] = about["variables"]
        seeds.add("body", json.dumps(request), 300)
        entries = [entry(path, content) for path, content in files.items()]
        plain = short(tar(*entries))
        for target, data in (("tar", plain), ("tar-zst", zstd_frame(plain)), ("zip", zipped(*files.items()))):
            seeds.add(target, data, 100)
        seeds.add("form", b"".join(
            b'--XX\r\nContent-Disposition: form-data; name="files"; filename="%s"\r\n\r\n%s\r\n' % (
                path.encode(), content) for path, content in files.items()) + b"--XX--\r\n", 100)
    hostile(seeds)
    for query in ("dialect=terraform&version=1.11", "include=config,objects&strip_components=1", "root=a%2Fb&expand=true",
                  "variables=%7B%22env%22%3A%7B%22TF_VAR_a%22%3A%221%22%7D%7D&reveal_sensitive=true",
                  "config_format=tf-json&dialect=tflint", "stage=load&dialect=opentofu"):
        seeds.add("query", query)
    for target in sorted(seeds.written):
        print(f"{target}: {len(seeds.written[target])} seeds")


def hostile(seeds):
    """Adds small versions of what tests/hostile sends."""
    for _, before, after in PAIRS:
        seeds.add("expression", before * 20 + "1" + after * 20)
        seeds.add("native", "a = " + before * 150 + "1" + after * 150 + "\n")
    for term in TERMS:
        seeds.add("expression", term)
    kinds = {"application/x-tar": "tar", "application/gzip": "tar-gz", "application/zstd": "tar-zst",
             "application/zip": "zip"}
    for case in archives():
        sent = getattr(case, "sent", None)
        if sent and sent[0] in kinds and isinstance(sent[1], bytes):
            plain = sent[0] == "application/x-tar"
            seeds.add(kinds[sent[0]], short(sent[1]) if plain else sent[1])
    seeds.add("tar-gz", gzip.compress(tar(entry("main.tf", b"locals {\n a = 1\n}\n")), mtime=0))
    seeds.add("tar-gz", gzip.compress(tar(entry("a/main.tf", b""), entry("a/b.tf", b"x")), mtime=0))


if __name__ == "__main__":
    main()

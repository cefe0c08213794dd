#!/usr/bin/env python3
"""Runs the policies in `rules/` on every module in `modules/`, and on its twin in `merged/`, a single file that was merged by
hand.

Usage: run.py [--overfold PROGRAM] [--hcl2json COMMAND]

Each module and each twin is converted to both shapes of `config`, tf-json and hcl2json: four documents. A twin that is a
JSON file is also used unchanged. With --hcl2json (a command that takes the name of a native file and prints JSON), the twin is
converted by that tool, too, which must produce the same document. All documents must get the verdicts listed in the twin's
comments (`verdict: RULE ADDRESS`). Without its override files, the module must get different verdicts, and every rule must find
something somewhere. The exit code is 1 if any of this is not the case.
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from regopy import Interpreter

HERE = pathlib.Path(__file__).resolve().parent
SHAPES = ["tf-json", "hcl2json"]
# The dialect of each module that is not terraform.
DIALECTS = {"clean": "opentofu"}
# OpenTofu 1.12 checks `required_version` in each file and does not keep it, so tf-json has none; hcl2json, which is about
# syntax, has it.
ONLY_IN = {("clean", "tf-json"): {"required-version terraform"}}
OVERRIDE = re.compile(r"(^|_)override\.(tf|tofu)(\.json)?$")


def config(program, folder, shape, dialect):
    # The modules here are excerpts: names in them need not be declared.
    command = [program, "merge", folder, "--stage", "load", "--dialect", dialect, "--format", "config", "--config-format", shape]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"policies: overfold finds errors in {folder}:\n{done.stderr}")
    return json.loads(done.stdout)


def verdicts(rules, document):
    interpreter = Interpreter()
    for path, text in rules:
        interpreter.add_module(path.name, text)
    interpreter.set_input(document)
    output = interpreter.query("data.main.deny")
    if not output.ok():
        sys.exit(f"policies: the interpreter fails: {output}")
    found = json.loads(str(output))["expressions"][0]
    return {f"{finding['rule']} {finding['address']}" for finding in found}


def difference(name, found, expected):
    lines = [f"  - {verdict}" for verdict in sorted(expected - found)] + [f"  + {verdict}" for verdict in sorted(found - expected)]
    return [f"policies: {name}", *lines] if lines else []


def without_overrides(program, folder, dialect):
    with tempfile.TemporaryDirectory() as copy:
        for path in folder.iterdir():
            if not OVERRIDE.search(path.name):
                (pathlib.Path(copy) / path.name).write_bytes(path.read_bytes())
        return config(program, copy, "hcl2json", dialect)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--overfold", default="overfold")
    arguments.add_argument("--hcl2json")
    options = arguments.parse_args()

    rules = [(path, path.read_text()) for path in sorted((HERE / "rules").glob("*.rego"))]
    names = {name for _, text in rules for name in re.findall(r'finding\("([a-z-]+)"', text)}
    complaints, documents, fired = [], 0, set()
    modules = sorted(path for path in (HERE / "modules").iterdir() if path.is_dir())
    for module in modules:
        dialect = DIALECTS.get(module.name, "terraform")
        twin = HERE / "merged" / module.name
        [file] = twin.iterdir()
        expected = set(re.findall(r"verdict: ([a-z-]+ [^\n\"]+)", file.read_text()))
        seen = {}
        for shape in SHAPES:
            seen[f"merged by overfold, {shape}"] = config(options.overfold, module, shape, dialect)
            seen[f"merged by hand, {shape}"] = config(options.overfold, twin, shape, dialect)
        if file.suffix == ".json":
            seen["merged by hand, the file itself"] = json.loads(file.read_text())
        elif options.hcl2json:
            converted = subprocess.run([*shlex.split(options.hcl2json), file], check=True, capture_output=True, text=True)
            seen["merged by hand, converted by hcl2json"] = json.loads(converted.stdout)
            if seen["merged by hand, converted by hcl2json"] != seen["merged by hand, hcl2json"]:
                complaints.append(f"policies: {file.parent.name}/{file.name}: hcl2json itself gives another document")
        for name, document in seen.items():
            found = verdicts(rules, document)
            wanted = expected | ONLY_IN.get((module.name, name.rpartition(" ")[2]), set())
            complaints += difference(f"{module.name}, {name}: not the verdicts that {file.name} names", found, wanted)
            fired |= found
        documents += len(seen)
        if verdicts(rules, without_overrides(options.overfold, module, dialect)) == expected:
            complaints.append(f"policies: {module.name}: its override files change no verdict")

    silent = names - {verdict.split()[0] for verdict in fired}
    complaints += [f"policies: {name} finds nothing anywhere" for name in sorted(silent)]
    if complaints:
        sys.exit("\n".join(complaints))
    print(f"policies: {len(names)} rules, {len(modules)} modules, {documents} documents: the same verdicts")


main()

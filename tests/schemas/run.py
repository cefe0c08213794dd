#!/usr/bin/env python3
"""Plans generated modules under invented schemas of providers with Terraform and with overfold, and compares the documents.

Usage: tests/schemas/run.py PROGRAM

Needs `terraform` and a provider that answers from a schema file; without them it says that nothing was compared.
OVERFOLD_SCHEMA_PROVIDER is the command of that provider: it is called with the path of a document of `terraform providers schema
-json`, prints the value for TF_REATTACH_PROVIDERS as one line, and serves every provider of the document until its standard input
ends. A plan has the configuration, and as unknown what is computed and not set; a data source that is read has what the
provider makes up, which overfold is given (`--assume`).

OVERFOLD_SCHEMA_MODULES=1000 asks for so many modules [20], OVERFOLD_SCHEMA_SEED=7 for those from a seed on [1]; a seed always makes
the same module. What differs is printed, with the module, and kept in OVERFOLD_SCHEMA_KEEP [target/schemas]. The exit status is 1 if
anything differs.
"""

import collections
import concurrent.futures
import decimal
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import modules
from schemas import Schemas

RELEASE = "1.11.4"
# Seeds in a row that share a document of schemas, and so a provider.
TOGETHER = 4
# What only one of the two has.
APART = ["timestamp", "applyable", "overfold"]
# What the tool leaves in random order.
UNORDERED = ["child_modules", "relevant_attributes", "references"]
# The parts of a document with values.
VALUES = [".planned_values", ".resource_changes", ".output_changes", ".prior_state"]
LINES = 12


def number(name, default):
    return int(os.environ.get(name, default))


def read(text):
    return json.loads(text, parse_float=decimal.Decimal)


def written(value):
    """JSON with every digit of the numbers in it."""
    text = json.dumps(value, default=lambda number: f"\0{number}\0")
    return re.sub(r'"\\u0000([^"]*)\\u0000"', r"\1", text)


class Tool:
    """Terraform, without any settings of this machine, with the providers of a document."""

    def __init__(self, folder):
        settings = folder / "settings.tfrc"
        settings.write_text("")
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TF_")}
        self.environment = kept | {"CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1", "TF_CLI_CONFIG_FILE": str(settings)}

    def run(self, folder, *arguments, providers="{}"):
        return subprocess.run(["terraform", *arguments], cwd=folder, env=self.environment | {"TF_REATTACH_PROVIDERS": providers},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def release(self):
        try:
            return json.loads(self.run(None, "version", "-json").stdout)["terraform_version"]
        except (OSError, ValueError, KeyError):
            return None

    def planned(self, folder, providers):
        """The diagnostics, and the document if there is one; `None` if the tool crashed."""
        found = self.run(folder, "init", "-input=false", "-no-color", providers=providers)
        if found.returncode:
            sys.exit(f"schemas: {folder}: terraform init fails: {found.stderr}")
        found = self.run(folder, "plan", "-json", "-input=false", "-lock=false", "-parallelism=1", "-out=plan.bin", providers=providers)
        if found.returncode not in [0, 1]:
            return None
        events = [json.loads(line) for line in found.stdout.splitlines() if line.startswith("{")]
        said = [event["diagnostic"] for event in events if event.get("type") == "diagnostic"]
        if found.returncode and not said:
            return None
        shown = self.run(folder, "show", "-json", "plan.bin", providers=providers) if (folder / "plan.bin").exists() else None
        if shown and shown.returncode:
            return None
        return said, read(shown.stdout) if shown else None


def ours(program, folder, schemas, document):
    """The diagnostics that the tool should have too, and the document."""
    assumed = {}
    known(((document or {}).get("prior_state") or {}).get("values", {}).get("root_module", {}), assumed)
    (folder / "assumed.json").write_text(written(assumed))
    command = [program, "plan", folder, "--format", "json", "--dialect", "terraform", "--version", RELEASE, "--provider-schemas", schemas,
               "--provider-defaults", "none", "--provider-checks", "none", "--reveal-sensitive", "--assume", folder / "assumed.json"]
    found = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if found.returncode not in [0, 1]:
        return [{"severity": "error", "summary": f"exit code {found.returncode}: {found.stderr[-400:]}"}], None
    answer = read(found.stdout)
    return [one for one in answer["diagnostics"] if one.get("origin") == "tool"], answer.get("plan")


def known(module, found):
    for resource in module.get("resources", []):
        found[resource["address"]] = resource["values"]
    for child in module.get("child_modules", []):
        known(child, found)


def place(diagnostic):
    at = diagnostic.get("range")
    place = f"{at['filename']}:{at['start']['line']}:{at['start']['column']}-{at['end']['line']}:{at['end']['column']}" if at else "no place"
    return f"{diagnostic['severity']}: {diagnostic['summary']} ({place})"


def leaves(value, path=""):
    """What a document has, by its path; each value is text, since in Python `true` is 1."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            inner = sorted(inner, key=lambda one: json.dumps(one, sort_keys=True, default=str)) if name in UNORDERED and isinstance(inner, list) else inner
            yield from leaves(inner, f"{path}.{name}")
    elif isinstance(value, list) and value:
        for at, inner in enumerate(value):
            yield from leaves(inner, f"{path}[{at}]")
    else:
        is_number = isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool)
        yield path, f"{decimal.Decimal(value).normalize()}" if is_number else json.dumps(value, ensure_ascii=False)


def difference(wanted, found):
    """What differs in two documents, and how many known values are in both, as lines; wrong values are the first of them."""
    wanted, found = (dict(leaves({name: value for name, value in whole.items() if name not in APART})) for whole in (wanted, found))
    wrong, others, equal = [], [], 0
    for path in sorted(wanted.keys() | found.keys()):
        is_value = path.startswith(tuple(VALUES))
        if wanted.get(path) == found.get(path):
            equal += is_value
            continue
        line = f"{path}: {wanted.get(path, 'nothing')} of the tool, {found.get(path, 'nothing')} here"
        (wrong if is_value and path in found else others).append(line)
    return wrong, others, equal


class Trial:
    """A module in a folder of its own."""

    def __init__(self, seed, schemas, folder):
        self.seed, self.schemas, self.folder, self.values = seed, schemas, folder, 0
        self.files = modules.files(random.Random(f"module {seed}"), json.loads(schemas.read_text()))
        for path, text in self.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)

    def outcome(self, program, tool, providers):
        """A word for the count, and what differs."""
        planned = tool.planned(self.folder, providers)
        if planned is None:
            return "the tool crashed", []
        said, document = planned
        found_said, found = ours(program, self.folder, self.schemas, document)
        lines = [f"- {line}" for line in sorted((collections.Counter(map(place, said)) - collections.Counter(map(place, found_said))).elements())]
        lines += [f"+ {line}" for line in sorted((collections.Counter(map(place, found_said)) - collections.Counter(map(place, said))).elements())]
        if document is None or found is None:
            # Documents of plans that fail are compared where both are there.
            if (document is None) != (found is None):
                lines.append(f"only {'overfold' if document is None else 'the tool'} has a document")
            return ("other errors" if lines else "refused alike"), lines
        wrong, others, self.values = difference(document, found)
        if wrong:
            return "wrong values", wrong + others + lines
        if others:
            return "other documents", others + lines
        return ("other errors" if lines else "equal"), lines


def together(program, command, tool, seeds, folder):
    """The trials of some seeds that share their schemas, with their outcomes."""
    folder.mkdir()
    schemas = folder / "schemas.json"
    schemas.write_text(json.dumps(Schemas(random.Random(f"schemas {seeds[0] // TOGETHER}")).document(), indent=1))
    provider = subprocess.Popen([*command, str(schemas)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        providers = provider.stdout.readline().strip()
        if not providers:
            sys.exit(f"schemas: OVERFOLD_SCHEMA_PROVIDER does not start: {shlex.join(command)}")
        trials = [Trial(seed, schemas, folder / str(seed)) for seed in seeds]
        return [(trial, *trial.outcome(program, tool, providers)) for trial in trials]
    finally:
        provider.stdin.close()
        provider.wait(30)


def shown(trial, outcome, lines, keep):
    """Prints what differs, and keeps the module."""
    kept = keep / str(trial.seed)
    shutil.rmtree(kept, ignore_errors=True)
    for path, text in trial.files.items():
        (kept / path).parent.mkdir(parents=True, exist_ok=True)
        (kept / path).write_text(text)
    shutil.copy(trial.schemas, kept / "schemas.json")
    (kept / "differences.txt").write_text("".join(f"{line}\n" for line in lines))
    print(f"schemas: seed {trial.seed}: {outcome}, kept in {kept}")
    print("".join(f"    {line[:300]}\n" for line in lines[:LINES]), end="")
    for path, text in trial.files.items():
        print(f"  {path}:\n" + "".join(f"    {line}\n" for line in text.splitlines()), end="", flush=True)


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    first, count = number("OVERFOLD_SCHEMA_SEED", 1), number("OVERFOLD_SCHEMA_MODULES", 20)
    keep = pathlib.Path(os.environ.get("OVERFOLD_SCHEMA_KEEP", "target/schemas"))
    command = shlex.split(os.environ.get("OVERFOLD_SCHEMA_PROVIDER", ""))
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place).resolve()
        tool = Tool(folder)
        release = tool.release()
        if release != RELEASE or not command:
            there = "there is no terraform here" if release is None else f"terraform is {release}, not {RELEASE}"
            why = there if release != RELEASE else "OVERFOLD_SCHEMA_PROVIDER is not set"
            print(f"schemas: SKIPPED: {why}; NONE of {count} plans under invented schemas have been compared with the tool's")
            return
        groups = collections.defaultdict(list)
        for seed in range(first, first + count):
            groups[seed // TOGETHER].append(seed)
        counts, values = collections.Counter(), 0
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            runs = [pool.submit(together, program, command, tool, seeds, folder / f"group-{group}") for group, seeds in groups.items()]
            for run in runs:
                for trial, outcome, lines in run.result():
                    counts[outcome] += 1
                    values += trial.values
                    if lines:
                        shown(trial, outcome, lines, keep)
    different = sum(counts[outcome] for outcome in ["wrong values", "other documents", "other errors"])
    what = ", ".join(f"{times} {outcome}" for outcome, times in counts.most_common())
    print(f"schemas: {count} modules from seed {first}, terraform {RELEASE}: {different} differ ({what}); {values} values alike")
    if not counts["equal"]:
        print("schemas: not one document was compared")
    sys.exit(1 if different or not counts["equal"] else 0)


main()

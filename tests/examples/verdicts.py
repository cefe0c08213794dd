#!/usr/bin/env python3
"""Prints what a tool that reads plans says of plan documents: `verdicts.py TOOL FILE…`, a JSON object with a sorted list for each
of them. `consumers.py` starts this with a Python that has the tools of .ci/consumers.txt."""

import base64
import collections
import json
import logging
import multiprocessing
import os
import pathlib
import re
import sys
import tempfile

POLICIES = pathlib.Path(__file__).resolve().parents[2] / "examples/plan-policies"


class Failures(logging.Handler):
    """Collects the checks that fail with an exception, which reports leave out."""

    found = re.compile(r"Failed to run check (\S+) on \S+?:(\S+)")

    def __init__(self):
        super().__init__(logging.ERROR)
        self.seen = []

    def emit(self, record):
        failed = self.found.search(record.getMessage())
        self.seen.append([f"{failed[1]} {failed[2]}", "not decided"] if failed else [record.getMessage(), "not decided"])


def checkov(paths):
    """The plan framework, one run for each document as the command does; all in one process, since starting takes seconds."""
    from checkov.runner_filter import RunnerFilter
    from checkov.terraform.plan_runner import Runner

    failures = Failures()
    logging.getLogger().handlers = [failures]
    for path in paths:
        failures.seen = []
        report = Runner().run(files=[str(path)], runner_filter=RunnerFilter(framework=["terraform_plan"]))
        if report.parsing_errors:
            sys.exit(f"checkov cannot read {path}")
        # A check may say the same of one resource more than once.
        records = [*report.passed_checks, *report.failed_checks, *report.skipped_checks]
        said = [(f"{one.check_id} {one.resource_address or one.resource}", one.check_result["result"].value.lower()) for one in records]
        counts = collections.Counter([*said, *map(tuple, failures.seen)])
        yield path.stem, [[label, result if count == 1 else f"{result}, {count} times"] for (label, result), count in counts.items()]


def checkov_unknown(paths):
    """The same in checkov's other mode, in which what is known only after apply counts as set."""
    os.environ["EVAL_TF_PLAN_AFTER_UNKNOWN"] = "1"
    yield from checkov(paths)


def rego(paths):
    from regopy import Interpreter

    # The interpreter does not escape quotation marks in what it prints.
    query = "[[base64.encode(f.rule), base64.encode(f.address), base64.encode(f.msg)] | some f in data.main.deny]"
    rules = [(path.name, path.read_text()) for path in sorted((POLICIES / "rules").glob("*.rego"))]
    for path in paths:
        interpreter = Interpreter()
        for name, text in rules:
            interpreter.add_module(name, text)
        interpreter.set_input(json.loads(path.read_text()))
        output = interpreter.query(query)
        if not output.ok():
            sys.exit(f"the interpreter fails on {path}: {output}")
        findings = [[base64.b64decode(part).decode() for part in finding] for finding in json.loads(str(output))["expressions"][0]]
        yield path.stem, [[f"{rule} {address}".rstrip(), message] for rule, address, message in findings]


def scenarios(path):
    """What the command `terraform-compliance -p PATH -f features` says. It runs in a process of its own."""
    from terraform_compliance import main
    from terraform_compliance.common.defaults import Defaults

    with tempfile.TemporaryDirectory() as folder:
        printed, results = os.path.join(folder, "printed"), os.path.join(folder, "results")
        # Made when the module is imported, that is in the parent.
        Defaults.cache_dir = os.path.join(folder, "cache")
        os.dup2(os.open(printed, os.O_CREAT | os.O_WRONLY), 1)
        sys.argv = ["terraform-compliance", "-p", str(path), "-f", str(POLICIES / "features"), "--no-ansi", f"--cucumber-json={results}"]
        code = None
        try:
            code = main.cli()
        except SystemExit as end:
            code = end.code
        sys.stdout.flush()
        text = pathlib.Path(printed).read_text()
        if code not in [0, 1]:
            return path.stem, f"exit code {code}: {text}"
        features = json.loads(pathlib.Path(results).read_text())

    messages = {}
    for part in re.split(r"^    Scenario: ", text, flags=re.MULTILINE)[1:]:
        name, _, rest = part.partition("\n")
        messages[name] = re.findall(r"^\t+(?:\* )?([A-Z]\w+: \S.*)$", rest, re.MULTILINE)
    verdicts = []
    for scenario in [element for feature in features for element in feature["elements"]]:
        states = {step["result"]["status"] for step in scenario["steps"]}
        state = next((state for state in ["failed", "skipped", "pending", "untested"] if state in states), "passed")
        # The order of the messages is that of a set.
        verdicts += [[scenario["name"], said] for said in [state, *messages[scenario["name"]]]]
    return path.stem, verdicts


def terraform_compliance(paths):
    # Imported here once, for all processes: that takes most of the time.
    sys.argv = ["terraform-compliance", "--no-ansi"]
    stdout = os.dup(1)
    os.dup2(2, 1)
    import diskcache, IPython.terminal.embed, lxml.etree, netaddr, radish.main  # noqa
    from terraform_compliance import main  # noqa

    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        for name, verdicts in pool.imap(scenarios, paths, chunksize=1):
            if isinstance(verdicts, str):
                sys.exit(f"terraform-compliance fails on {name}: {verdicts}")
            yield name, verdicts
    sys.stdout.flush()
    os.dup2(stdout, 1)


TOOLS = {"checkov": checkov, "checkov-unknown": checkov_unknown, "terraform-compliance": terraform_compliance, "rego": rego}

if __name__ == "__main__":
    tool, paths = TOOLS[sys.argv[1]], [pathlib.Path(name) for name in sys.argv[2:]]
    json.dump({name: sorted(verdicts) for name, verdicts in tool(paths)}, sys.stdout)

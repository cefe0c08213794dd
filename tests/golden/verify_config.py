#!/usr/bin/env python3
"""Compares the golden answers of tests/golden/config with the tool: the files of each case, and the golden answer in
their place as main.tf.json, must load and plan alike. tests/golden/config/RECORDED.md says what is compared.

Usage: tests/golden/verify_config.py [--terraform PROGRAM] [--mirror DIRECTORY] [--jobs N] [NAME...]

Nothing is downloaded: providers come from the mirror (as created by `terraform providers mirror`), and without it a
case that needs one is only loaded; such cases are listed. If the tool is absent, or of another release, nothing is
verified and the last line says so. The exit status is 1 if anything differs.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = TESTS / "golden/config"
# The locations of the case folders, as in tests/it/config_goldens.rs.
SUITES = ["conformance/terraform", "documents/terraform-override-files", "golden/config-inputs"]
RELEASE = "1.11.4"
# The parts of a plan that must be the same.
PARTS = ["planned_values", "resource_changes", "resource_drift", "output_changes", "variables", "checks", "configuration"]
PLANNED, REFUSED, LOADED = "the same plan", "refused alike", "loaded alike, not planned: a provider is missing"


class Tool:
    """The program, started without any settings of this machine and without network access."""

    def __init__(self, program, settings):
        self.program = program
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TF_")}
        self.environment = dict(kept, CHECKPOINT_DISABLE="1", TF_IN_AUTOMATION="1", TF_CLI_CONFIG_FILE=str(settings))

    def run(self, folder, *arguments):
        return subprocess.run(
            [self.program, *arguments], cwd=folder, env=self.environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )

    def release(self):
        try:
            return json.loads(self.run(None, "version", "-json").stdout)["terraform_version"]
        except (OSError, ValueError, KeyError):
            return None


def named(value):
    """Returns the diagnostics of an answer: severities and titles."""
    return sorted((found["severity"], found["summary"]) for found in value)


def said(detail):
    """Returns the lines of a detail, except for the position of a rule, which differs in the answer; sorted, since the
    tool lists addresses in random order."""
    return sorted(detail.partition("\n\nThis was checked by")[0].splitlines())


def plan_diagnostics(lines):
    """Returns the diagnostics of `plan -json`, which writes each event in a line, with their details."""
    events = [json.loads(line) for line in lines.splitlines() if line.startswith("{")]
    found = (event["diagnostic"] for event in events if event.get("type") == "diagnostic")
    return sorted((one["severity"], one["summary"], *said(one["detail"])) for one in found)


def without_noise(value):
    """Removes the texts of expressions from a configuration: in JSON syntax the tool shows them next to their
    references."""
    if isinstance(value, dict):
        dropped = {"constant_value"} if "references" in value else set()
        return {key: without_noise(inner) for key, inner in value.items() if key not in dropped}
    if isinstance(value, list):
        return [without_noise(inner) for inner in value]
    return value


def judged(tool, folder, variables, broken):
    """Returns what the tool reports for a directory: its findings, its plan (None if it makes none), and whether a
    provider is missing. `broken` lists values files that violate conditions, each for a plan of its own."""
    installed = tool.run(folder, "init", "-backend=false", "-input=false", "-no-color")
    validated = json.loads(tool.run(folder, "validate", "-json").stdout)
    found = {"init": installed.returncode == 0, "validate": named(validated["diagnostics"])}
    missing = any(
        text in installed.stdout for text in ("Failed to query available provider packages", "Failed to install provider")
    )
    if missing:
        return found, None, True
    planned = tool.run(folder, "plan", "-json", "-refresh=false", "-input=false", "-out=plan", *variables)
    found["plan"] = plan_diagnostics(planned.stdout)
    for values in broken:
        again = tool.run(folder, "plan", "-json", "-refresh=false", "-input=false", f"-var-file={values}")
        found[f"plan with {values.name}"] = plan_diagnostics(again.stdout)
    if planned.returncode != 0:
        return found, None, False
    shown = json.loads(tool.run(folder, "show", "-json", "plan").stdout)
    return found, {part: without_noise(shown.get(part)) for part in PARTS}, False


def is_configuration(name):
    return name.endswith((".tf", ".tf.json", ".tftest.hcl", ".tftest.json"))


def undefined(config):
    """Returns the options that give a value to each variable without a default."""
    blocks = config.get("variable", {})
    names = set()
    for block in blocks if isinstance(blocks, list) else [blocks]:
        for name, bodies in block.items():
            bodies = bodies if isinstance(bodies, list) else [bodies]
            if name != "//" and not any("default" in body for body in bodies):
                names.add(name)
    return [f"-var={name}=7" for name in sorted(names)]


def verify(tool, name):
    """Verifies a golden answer: returns how far it could be compared, and the differences."""
    case = next(folder for folder in (TESTS / suite / name for suite in SUITES) if (folder / "input").is_dir())
    text = (GOLDEN / f"{name}.json").read_text()
    with tempfile.TemporaryDirectory() as place:
        before, after = pathlib.Path(place, "before"), pathlib.Path(place, "after")
        for folder in (before, after):
            shutil.copytree(case / "input", folder)
            if (case / "terraform.tfstate").exists():
                shutil.copy(case / "terraform.tfstate", folder)
        for path in after.iterdir():
            if path.is_file() and is_configuration(path.name):
                path.unlink()
        (after / "main.tf.json").write_text(text)
        variables = undefined(json.loads(text))
        broken = sorted(case.glob("*.tfvars"))
        wanted, wanted_plan, missing = judged(tool, before, variables, broken)
        found, found_plan, _ = judged(tool, after, variables, broken)
    wrong = [f"{key}: {wanted[key]} of the files, {found.get(key)} of the answer" for key in wanted if wanted[key] != found.get(key)]
    if (wanted_plan is None) != (found_plan is None):
        wrong.append("only one of them is planned")
    elif wanted_plan is not None:
        wrong += [
            f"plan, {part}:\n    {json.dumps(wanted_plan[part])}\n    {json.dumps(found_plan[part])}"
            for part in PARTS if wanted_plan[part] != found_plan[part]
        ]
    return LOADED if missing else REFUSED if wanted_plan is None else PLANNED, wrong


def main():
    parser = argparse.ArgumentParser(description="Holds the golden answers of tests/golden/config against the tool.")
    parser.add_argument("--terraform", default="terraform", metavar="PROGRAM", help="the tool [terraform]")
    parser.add_argument("--mirror", metavar="DIRECTORY", help="a mirror of providers [none]")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="cases at a time [2]")
    parser.add_argument("names", nargs="*", metavar="NAME", help="cases [all]")
    options = parser.parse_args()
    names = options.names or sorted(path.stem for path in GOLDEN.glob("*.json"))
    with tempfile.TemporaryDirectory() as place:
        mirror = pathlib.Path(options.mirror).resolve() if options.mirror else pathlib.Path(place, "mirror")
        mirror.mkdir(exist_ok=True)
        settings = pathlib.Path(place, "settings.tfrc")
        settings.write_text(f'provider_installation {{\n  filesystem_mirror {{\n    path = "{mirror}"\n  }}\n}}\n')
        tool = Tool(os.path.abspath(shutil.which(options.terraform) or options.terraform), settings)
        release = tool.release()
        if release != RELEASE:
            why = f"there is no {options.terraform} here" if release is None else f"{options.terraform} is {release}, not {RELEASE}"
            print(f"verify_config: SKIPPED: {why}; NONE of {len(names)} golden answers has been verified")
            return
        reached, failed = {PLANNED: [], REFUSED: [], LOADED: []}, 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for name, (outcome, wrong) in zip(names, pool.map(lambda name: verify(tool, name), names)):
                reached[outcome].append(name)
                failed += bool(wrong)
                for line in wrong:
                    print(f"{name}: {line}", flush=True)
    for outcome in (REFUSED, LOADED):
        for name in reached[outcome]:
            print(f"{name}: {outcome}")
    counts = ", ".join(f"{len(reached[outcome])} {outcome}" for outcome in reached)
    print(f"verify_config: {len(names)} golden answers, terraform {RELEASE}: {failed} differ; {counts}")
    sys.exit(1 if failed else 0)


main()

"""Tests of examples/checkov: the commands of its README run, and the verdicts are those of the table there."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import repository

EXAMPLE = repository.ROOT / "examples/checkov"


def test(program, folder):
    if not os.environ.get("CONSUMERS"):
        yield "SKIPPED: .ci/consumers.txt is not installed; examples/checkov has NOT been run"
        return
    place = folder / "checkov"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(EXAMPLE, place)
    bin = pathlib.Path(os.environ["CONSUMERS"]) / "bin"
    environment = os.environ | {"PATH": f"{bin}:{repository.path_with(program, folder)}"}

    def run(line):
        # checkov would ask its platform for texts.
        command = line + " --skip-download" if line.startswith("checkov ") else line
        done = subprocess.run(["bash", "-c", command], cwd=place, env=environment, capture_output=True, text=True)
        if done.returncode not in ([0, 1] if line.startswith("checkov ") else [0]):
            sys.exit(f"examples: {EXAMPLE.name}/README.md: {line}\n{done.stdout}{done.stderr}")
        return done.stdout

    readme = (EXAMPLE / "README.md").read_text()
    *commands, compare = re.findall(r"```sh\n(.*?)```", readme, re.DOTALL)[0].splitlines()
    for line in commands:
        said = run(line)
        if line.startswith("checkov ") and "Failed checks: " not in said:
            sys.exit(f"examples: {EXAMPLE.name}/README.md: {line} judges nothing:\n{said}")
    said = run(compare)
    if said not in readme:
        sys.exit(f"examples: {EXAMPLE.name}/README.md has another table than {compare} prints:\n{said}")
    yield f"checkov: wrong on the sources, {said.splitlines()[-1].partition(', ')[2]} in agreement"

    # The runner notices a merged file that says something else than the one that was merged by hand.
    changed = place / "merged/main.tf"
    changed.write_text(changed.read_text().replace("publicly_accessible = false", "publicly_accessible = true"))
    done = subprocess.run(["bash", "-c", compare], cwd=place, env=environment, capture_output=True, text=True)
    if done.returncode != 1 or "different verdicts" not in done.stderr:
        sys.exit(f"examples: compare.py passes over a difference:\n{done.stdout}{done.stderr}")
    yield "compare.py fails on a difference"

"""The YAML files match the published schemas, and shellcheck finds nothing in the shell scripts."""

import pathlib
import re
import subprocess
import sys

from ruamel.yaml import YAML

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = pathlib.Path(sys.executable).parent
SCHEMAS = {
    "action.yml": "vendor.github-actions",
    "examples/github-action/workflow.yml": "vendor.github-workflows",
    ".github/workflows/checks.yml": "vendor.github-workflows",
    ".github/workflows/release.yml": "vendor.github-workflows",
    ".github/dependabot.yml": "vendor.dependabot",
    "examples/gitlab/overfold.gitlab-ci.yml": "vendor.gitlab-ci",
}


def read(name):
    return YAML(typ="safe").load((ROOT / name).read_text())


def scripts():
    folders = [ROOT / "examples" / name for name in ["ci", "github-action", "atlantis"]] + [ROOT / "release"]
    files = [path for folder in folders for path in sorted(folder.iterdir()) if path.is_file()]
    return [path for path in files if path.read_bytes().startswith(b"#!/usr/bin/env bash\n")]


def checked(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode:
        sys.exit(f"examples: {' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def test(_program, _folder):
    for name, schema in SCHEMAS.items():
        checked(TOOLS / "check-jsonschema", "--builtin-schema", schema, ROOT / name)
    yield f"{len(SCHEMAS)} YAML files fit their schemas"

    found = scripts()
    assert len(found) == 10, found
    checked(TOOLS / "shellcheck", *found)
    lines = [step["run"] for step in read("action.yml")["runs"]["steps"] if "run" in step]
    lines.append("\n".join(read("examples/gitlab/overfold.gitlab-ci.yml")["overfold"]["script"]))
    for text in lines:
        checked(TOOLS / "shellcheck", "--shell", "bash", "-", input=f"set -eo pipefail\n{text}\n")
    yield f"shellcheck: {len(found)} scripts and {len(lines)} steps are clean"

    # Text that others can change must not become part of a command, and every action used is pinned to a commit.
    for step in read("action.yml")["runs"]["steps"]:
        assert "${{" not in step.get("run", ""), step
    used = [step["uses"] for step in read("action.yml")["runs"]["steps"] if "uses" in step]
    used += [step["uses"] for step in read("examples/github-action/workflow.yml")["jobs"]["overfold"]["steps"]]
    for name in ["checks", "release"]:
        steps = [step for job in read(f".github/workflows/{name}.yml")["jobs"].values() for step in job["steps"]]
        for text in (step["run"] for step in steps if "run" in step):
            checked(TOOLS / "shellcheck", "--shell", "bash", "-", input=f"set -eo pipefail\n{text}\n")
        assert not any("${{" in step.get("run", "") for step in steps), name
        used += [step["uses"] for step in steps if "uses" in step]
    loose = [name for name in used if not re.search("@([0-9a-f]{40}|COMMIT)$", name)]
    assert not loose, loose
    yield "every action is named by its commit, and no expression stands in a command"

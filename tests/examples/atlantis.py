"""Tests of the hook in examples/atlantis."""

import os
import subprocess
import sys

import forms
import repository


def test(program, folder):
    folder = folder / "atlantis"
    made = repository.Repository(folder)
    [repo] = forms.read("examples/atlantis/repos.yaml")["repos"]
    path = f"{repository.ROOT / 'examples/atlantis'}:{repository.path_with(program, folder)}"
    status = folder / "status"

    def run(commit, **more):
        checkout = made.checkout(commit)
        environment = {"PATH": path, "HOME": os.environ["HOME"], "DIR": str(checkout), "OUTPUT_STATUS_FILE": str(status)}
        command = ["sh", "-c", repo["pre_workflow_hooks"][0]["run"]]
        done = subprocess.run(
            command, cwd=checkout, env=environment | more, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        return done.returncode, done.stdout, status.read_text()

    def has(condition, what, log):
        if not condition:
            sys.exit(f"examples: overfold-hook: {what}\n{log}")

    code, log, said = run(made.merge)
    has(code == 0 and said == "overfold: no findings\n", f"a valid repository fails ({said})", log)
    broken = made.commit({"infra/override.tf": repository.BROKEN})
    code, log, said = run(broken)
    has(code == 1 and said == "overfold: 1 error, 0 warnings, 0 notes\n", f"a broken one passes ({said})", log)
    has("override/missing-base" in log and "infra/override.tf:1" in log, "the text does not name the place", log)
    code, log, said = run(made.merge, DIR="/nowhere")
    has(code == 2 and "cannot be read" in said, f"a missing directory is not a failure of its own ({said})", log)
    yield "overfold-hook: valid, broken, missing"

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
    has(code == 0 and said == "overfold: no diagnostics\n", f"a valid repository fails ({said})", log)
    broken = made.commit({"infra/override.tf": repository.BROKEN})
    code, log, said = run(broken)
    has(code == 1 and said == "overfold: 1 error, 0 warnings, 0 notes\n", f"a broken one passes ({said})", log)
    has("override/missing-base" in log and "infra/override.tf:1" in log, "the text does not name the place", log)
    code, log, said = run(made.merge, DIR="/nowhere")
    has(code == 2 and "cannot be read" in said, f"a missing directory is not a failure of its own ({said})", log)

    # With the scripts for code hosts, it says what the pull request changes, and posts it.
    path = f"{repository.ROOT / 'examples/ci'}:{path}"
    with repository.host("Bearer token-of-the-run") as server:
        more = {"BASE_BRANCH_NAME": "main", "BASE_REPO_OWNER": "o", "BASE_REPO_NAME": "r", "PULL_NUM": "7"}
        more |= {"GITHUB_SERVER_URL": "https://code.example.org", "GITHUB_API_URL": server.url, "GITHUB_TOKEN": "token-of-the-run"}
        lost = made.commit({"infra/main.tf": repository.MAIN.replace('  input = "blue"\n', ""), "infra/override.tf": "# empty\n"})
        made.git("branch", "--force", "topic", lost)
        made.git("reset", "--quiet", "--hard", made.merge)
        code, log, said = run(lost, **more)
        has(code == 0 and said == "overfold: no diagnostics; 1 argument lost\n", f"not the verdict ({said})", log)
        text = server.comments[-1]["body"]
        has(len(server.comments) == 4 and "### 1 argument lost\n" in text, "no comment is posted", log + text)
        link = f"(https://code.example.org/o/r/blob/{made.merge}/infra/override.tf#L2)"
        has(link in text, f"no link to {link}", text)
        code, log, said = run(made.merge, **more)
        has(code == 0 and said == "overfold: no diagnostics; no effective changes\n", f"not the verdict ({said})", log)
    yield "overfold-hook: valid, broken, missing, verdict and comment"

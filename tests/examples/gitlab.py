"""Tests of the job's commands in examples/gitlab, run as GitLab would run them."""

import json
import os
import subprocess
import sys

import forms
import repository

TOKEN = "token-of-the-project"


def test(program, folder):
    folder = folder / "gitlab"
    made = repository.Repository(folder)
    template = forms.read("examples/gitlab/overfold.gitlab-ci.yml")
    path = f"{repository.ROOT / 'examples/ci'}:{repository.path_with(program, folder)}"
    lines = "\n".join(template["overfold"]["script"])

    def run(server, commit, **more):
        checkout = made.checkout(commit)
        environment = {"PATH": path, "HOME": os.environ["HOME"], **template["variables"], "OVERFOLD_CI_DIRECTORY": "infra"}
        environment |= {"CI_API_V4_URL": server.url, "CI_PROJECT_ID": "5", "CI_PROJECT_URL": "https://gitlab.example.org/o/r"} | more
        command = ["bash", "-eo", "pipefail", "-c", lines]
        done = subprocess.run(command, cwd=checkout, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout, json.loads((checkout / "gl-code-quality-report.json").read_text())

    def has(condition, what, log):
        if not condition:
            sys.exit(f"examples: overfold.gitlab-ci.yml: {what}\n{log}")

    request = {"CI_MERGE_REQUEST_IID": "3", "CI_MERGE_REQUEST_DIFF_BASE_SHA": made.old_base, "OVERFOLD_CI_TOKEN": TOKEN}
    with repository.host(TOKEN) as server:
        code, log, report = run(server, made.head, **request)
        has(code == 0 and report == [], "a valid merge request fails", log)
        text = server.comments[-1]["body"]
        has(len(server.comments) == 4 and '"green"' in text and "`infra/new`" in text, "no note", log + text)
        link = f"https://gitlab.example.org/o/r/-/blob/{made.head}/infra/override.tf#L2)"
        has(link in text and "### 1 object changed" in text, f"no verdict, or no link to {link}", text)
        has(("POST", "/projects/5/merge_requests/3/notes") in server.seen, f"not the address: {server.seen}", log)
        # With merged results, the target branch is compared, although the merge request started earlier.
        code, log, _ = run(server, made.merge, **request, CI_MERGE_REQUEST_TARGET_BRANCH_SHA=made.base)
        updated = server.comments[-1]["body"].replace(made.merge, made.head).replace(made.base, made.old_base)
        has(len(server.comments) == 4 and updated == text, f"the note is not updated in place: {updated}", log)

        broken = made.commit({"infra/override.tf": repository.BROKEN})
        code, log, report = run(server, broken, **request)
        has(code == 1 and len(report) == 1, "findings do not fail the job", log)
        place = report[0]["location"]
        has(place["path"] == "infra/override.tf" and place["lines"]["begin"] == 1, f"not the place: {place}", log)
        code, log, report = run(server, broken, OVERFOLD_CI_FAIL_ON="never")
        has(code == 0 and len(report) == 1, "fail-on never fails", log)
        before = len(server.seen)
        code, log, _ = run(server, made.merge, **(request | {"OVERFOLD_CI_TOKEN": ""}))
        has(code == 0 and len(server.seen) == before, "a note without a token", log)
    yield "overfold.gitlab-ci.yml: a merge request, its update, merged results, findings, no token"

"""The steps of action.yml, run as GitHub would run them."""

import functools
import hashlib
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading

import forms
import repository

TOKEN = "token-of-the-job"
COMPARED = r"([a-z][\w.-]*) (==|!=) '([^']*)'"


class Run:
    """One run of the action: `outputs` by step, and in `used` the inputs that the `uses` steps would get."""

    def __init__(self, folder, checkout, path, server, inputs, pull_request, ref, sha):
        action = forms.read("action.yml")
        self.temporary = folder / "runner"
        self.temporary.mkdir(exist_ok=True)
        defaults = {name: entry["default"] for name, entry in action["inputs"].items()} | {"token": TOKEN}
        self.context = {f"inputs.{name}": value for name, value in (defaults | inputs).items()}
        self.context |= {f"github.event.pull_request.{name}": value for name, value in pull_request.items()}
        self.context |= {"runner.temp": str(self.temporary), "runner.os": "Linux", "runner.arch": "X64"}
        self.files = {name: folder / name for name in ["GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"]}
        self.environment = {
            "PATH": path, "HOME": os.environ["HOME"], "RUNNER_TEMP": str(self.temporary), "GITHUB_REF": ref, "GITHUB_SHA": sha,
            "GITHUB_ACTION_PATH": str(repository.ROOT), "GITHUB_REPOSITORY": "o/r", "GITHUB_API_URL": server.url,
            "GITHUB_SERVER_URL": "https://code.example.org",
            "GITHUB_ACTIONS": "true",
        }
        self.files["GITHUB_STEP_SUMMARY"].write_text("")
        self.used, self.log, self.code = {}, "", 0
        for step in action["runs"]["steps"]:
            if self.wanted(step.get("if")) and self.code == 0:
                self.step(step, checkout)
        self.summary = self.files["GITHUB_STEP_SUMMARY"].read_text()

    def value(self, name):
        return str(self.context.get(name, ""))

    def filled(self, text):
        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda found: self.value(found[1]), str(text))

    def wanted(self, condition):
        if condition is None:
            return True
        parts = [re.fullmatch(COMPARED, part) for part in condition.split(" && ")]
        assert all(parts), condition
        return all((self.value(part[1]) == part[3]) == (part[2] == "==") for part in parts)

    def step(self, step, checkout):
        if "uses" in step:
            self.used[step["uses"].partition("@")[0]] = {name: self.filled(value) for name, value in step["with"].items()}
            return
        for name in ["GITHUB_OUTPUT", "GITHUB_PATH"]:
            self.files[name].write_text("")
        own = {name: self.filled(value) for name, value in step.get("env", {}).items()}
        environment = self.environment | own | {name: str(path) for name, path in self.files.items()}
        # Like `shell: bash`.
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(command, cwd=checkout, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.log += f"==> {step['name']}\n{done.stdout}"
        self.code = done.returncode
        for line in self.files["GITHUB_OUTPUT"].read_text().splitlines():
            name, _, value = line.partition("=")
            self.context[f"steps.{step['id']}.outputs.{name}"] = value
        for line in self.files["GITHUB_PATH"].read_text().splitlines():
            self.environment["PATH"] = f"{line}:{self.environment['PATH']}"

    def sarif(self):
        return json.load(open(self.used["github/codeql-action/upload-sarif"]["sarif_file"]))["runs"][0]


def obeyed(log):
    """Returns the workflow commands in a log that the runner would obey."""
    token, commands = None, []
    for line in re.split("\r\n|\r|\n", log):
        found = re.match(r"\s*::([^ :]+)[^:]*::(.*)", line) or re.search(r"##\[([^\] ]+)[^\]]*\](.*)", line)
        if found and token is None:
            commands.append(found[0])
            token = found[2] if found[1] == "stop-commands" else None
        elif found and found[1] == token:
            token = None
    return commands


def has(run, condition, what):
    if not condition:
        sys.exit(f"examples: action.yml: {what}\n{run.log}\n{run.summary}")


def test(program, folder):
    folder = folder / "github"
    made = repository.Repository(folder)
    path = repository.path_with(program, folder)
    opened = {"number": 7, "base.sha": made.old_base}
    recursive = {"directory": "infra", "recursive": "true"}

    def run(server, commit, inputs, pull_request=opened, ref="refs/pull/7/merge", path=path):
        return Run(folder, made.checkout(commit), path, server, inputs, pull_request, ref, commit)

    with repository.host(f"Bearer {TOKEN}") as server:
        first = run(server, made.merge, recursive)
        has(first, first.code == 0, "a valid pull request fails")
        has(first, len(server.comments) == 4, "no comment is posted")
        text = server.comments[3]["body"]
        has(first, '"green"' in text and "`infra/new`" in text, f"the comment does not say what changed:\n{text}")
        title = "### 1 object changed"
        has(first, title in text and "<sub>overfold " in text, f"the comment does not begin with its verdict:\n{text}")
        link = f"/o/r/blob/{made.merge}/infra/override.tf#L2)"
        has(first, link in text and f"/o/r/blob/{made.base}/infra" in text, f"no links to both sides:\n{text}")
        has(first, "of others" not in text and "infra/other" not in text, f"the comment says what others changed:\n{text}")
        has(first, first.summary.strip() in text, "the summary is not the comment")
        has(first, first.sarif()["results"] == [], "findings where there are none")
        has(first, "no override" not in first.log and "Diagnostics" in first.log, "no diagnostics step")

        second = run(server, made.merge, recursive)
        has(second, len(server.comments) == 4 and server.comments[3]["body"] == text, "the comment is not updated in place")

        broken = made.commit({"infra/override.tf": repository.BROKEN})
        third = run(server, broken, recursive, ref="refs/heads/topic", pull_request=opened | {"base.sha": made.merge})
        has(third, third.code == 1, "findings do not fail the run")
        [result] = third.sarif()["results"]
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        has(third, result["level"] == "error" and place == "infra/override.tf", f"not the finding: {result}")
        has(third, "override/missing-base" in third.log, "the log does not show the finding")
        has(third, "override/missing-base" in server.comments[3]["body"], "the comment does not show the finding")

        never = run(server, broken, recursive | {"fail-on": "never", "format": "github", "comment": "false"})
        has(never, never.code == 0 and "::error file=infra/override.tf,line=1" in never.log, "no annotation")
        has(never, not never.used, "something is uploaded with format github")
        refused = run(server, broken, recursive | {"fail-on": "sometimes"})
        has(refused, refused.code == 2, "a wrong input is taken")

        # Texts of the module, first as overfold prints them, then from one that does not care.
        forged = "::add-mask::a\n##[add-mask]b\n\r::error::c\n"
        told = run(server, made.commit({"infra/forged.tf": forged}), recursive | {"format": "github", "comment": "false"})
        ours = re.compile("::(stop-commands::[0-9a-f]{32}|(error|warning|notice) file=infra/|error title=overfold::there are)")
        has(told, "add-mask" in told.log and all(ours.match(one) for one in obeyed(told.log)), f"obeyed: {obeyed(told.log)}")
        careless = folder / "careless-bin/overfold"
        careless.parent.mkdir(exist_ok=True)
        careless.write_text("#!/bin/sh\necho ::add-mask::a; echo ::error::b >&2; printf 'x ##[add-mask]c\\n ::d::'; exit ${CODE:-1}\n")
        careless.chmod(0o755)
        tokens = set()
        for code in (1, 2):
            environment = {"PATH": f"{careless.parent}:{os.environ['PATH']}", "GITHUB_ACTIONS": "true", "CODE": str(code)}
            report = [repository.ROOT / "examples/ci/overfold-report", "/dev/null", "sarif"]
            log = subprocess.run(report, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
            shields = obeyed(log + "\n::after::")
            has(told, len(shields) == 2 and shields[1] == "::after::" and "::error::b" in log, f"not shielded: {log}")
            tokens.add(shields[0])
        has(told, len(tokens) == 2, "the token can be guessed")
        made.commit({"infra/forged.tf": "# nothing\n"})

        same = run(server, made.merge, {"directory": "infra/other"}, ref="refs/heads/main", pull_request={})
        has(same, same.code == 0 and len(server.comments) == 4 and not same.summary, "a push comments")
        back = run(server, made.merge, recursive, ref="x", pull_request=opened | {"base.sha": made.merge})
        has(back, "No difference" in server.comments[3]["body"], "the comment stays though nothing changes any more")
        silent = run(server, made.merge, {"directory": "infra/other"}, ref="x", pull_request=opened | {"base.sha": made.base})
        has(silent, silent.code == 0 and len(server.comments) == 4, "a comment without anything to say")

        server.closed = True
        fork = run(server, made.merge, recursive)
        has(fork, fork.code == 0 and "::warning title=overfold" in fork.log, "a token that may not write fails the run")
        server.closed = False

        (folder / "docker-bin").mkdir(exist_ok=True)
        docker = folder / "docker-bin/docker"
        docker.write_text(
            '#!/usr/bin/env bash\necho "$@" >>"$RUNNER_TEMP/docker.log"\nwhile [[ "$1" != example/overfold ]]; do shift; done\n'
            f'shift\nexec "{program}" "$@"\n'
        )
        docker.chmod(0o755)
        (folder / "runner/docker.log").unlink(missing_ok=True)
        contained = run(
            server, made.merge, recursive | {"image": "example/overfold"}, path=f"{docker.parent}:{os.environ['PATH']}"
        )
        has(contained, contained.code == 0 and server.comments[3]["body"] == text, "the container says something else")
        calls = (folder / "runner/docker.log").read_text().splitlines()
        safe = [call for call in calls if "--network none --read-only" in call and f"{folder}/checkout:/work:ro" in call]
        has(contained, len(calls) == 3 and safe == calls, f"not every call is confined: {calls}")

        absent = {name: value for name, value in os.environ.items() if name == "PATH"}["PATH"]
        look = Run.step
        try:
            Run.step = lambda self, step, checkout: look(self, step, checkout) if step["name"] == "Look for overfold" else None
            unbuilt = run(server, made.merge, {}, path=absent)
        finally:
            Run.step = look
        has(unbuilt, unbuilt.value("steps.find.outputs.build") == "true", "it is not built where it is absent")
        has(unbuilt, re.fullmatch("[0-9a-f]{16}", unbuilt.value("steps.find.outputs.digest")), "no key for the cache")
    yield "action.yml: a pull request, its update, findings, no difference, a push, a fork, a container"

    odd = repository.Repository(folder / "odd", directory="in $(touch x) 'fra")
    with repository.host(f"Bearer {TOKEN}") as server:
        inputs = {"directory": odd.directory, "recursive": "true"}
        done = Run(folder / "odd", odd.checkout(odd.merge), path, server, inputs, opened, "refs/pull/7/merge", odd.merge)
        has(done, done.code == 0 and '"green"' in server.comments[3]["body"], "a directory with an odd name")
    yield "action.yml: a directory with an odd name"


COMMIT = "0123456789abcdef0123456789abcdef01234567"


def test_releases(_, folder):
    """Whether the first step of the action uses the program of a release or not."""
    folder = folder / "github-release"
    shutil.rmtree(folder, ignore_errors=True)
    [step] = [step for step in forms.read("action.yml")["runs"]["steps"] if step.get("id") == "find"]
    version = re.search(r'(?m)^version = "(.*)"$', (repository.ROOT / "Cargo.toml").read_text())[1]
    name = f"overfold-{version}-{os.uname().machine}-linux"
    served = folder / "site/o/overfold/releases/download" / f"v{version}"

    def release(commit, sums=None):
        """Creates a release whose program says that it was built from this commit."""
        shutil.rmtree(served, ignore_errors=True)
        served.mkdir(parents=True)
        program = folder / "overfold"
        program.write_text(f'#!/bin/sh\necho "overfold {version} ({commit})"\n')
        times = os.environ | {"SOURCE_DATE_EPOCH": "1700000000"}
        subprocess.run([repository.ROOT / "release/pack", served, version, f"{os.uname().machine}-linux", program], env=times, check=True)
        archive = (served / f"{name}.tar.gz").read_bytes()
        (served / "SHA256SUMS").write_text(f"{sums or hashlib.sha256(archive).hexdigest()}  {name}.tar.gz\n")

    def look(ref, what, code=0, taken=False, built=False):
        shutil.rmtree(folder / "runner", ignore_errors=True)
        files = {variable: folder / variable for variable in ["GITHUB_OUTPUT", "GITHUB_PATH"]}
        for path in files.values():
            path.write_text("")
        context = {"inputs.image": "", "github.action_repository": "o/overfold", "github.action_ref": ref}
        own = {key: context[re.fullmatch(r"\$\{\{ ([\w.]+) \}\}", value)[1]] for key, value in step["env"].items()}
        environment = {"PATH": os.environ["PATH"], "RUNNER_TEMP": str(folder / "runner"), "GITHUB_SERVER_URL": url,
                       "GITHUB_ACTION_PATH": str(repository.ROOT)} | own | {key: str(path) for key, path in files.items()}
        done = subprocess.run(["bash", "-eo", "pipefail", "-c", step["run"]], env=environment, capture_output=True, text=True)
        program = folder / "runner/overfold/bin/overfold"
        found = done.returncode, program.exists(), "build=true" in files["GITHUB_OUTPUT"].read_text()
        if found != (code, taken, built):
            sys.exit(f"examples: action.yml: {what}: {found}\n{done.stdout}{done.stderr}")

    (folder / "site").mkdir(parents=True)
    handler = functools.partial(Quiet, directory=folder / "site")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        look(f"v{version}", "without a release it is built", built=True)
        release(COMMIT)
        look(f"v{version}", "the tag's release is taken", taken=True)
        look(COMMIT, "the commit's release is taken", taken=True)
        look(COMMIT[::-1], "the release of another commit is not taken", built=True)
        look("main", "a branch is built", built=True)
        release(COMMIT, sums="0" * 64)
        look(f"v{version}", "a wrong checksum ends the run", code=2)
        server.shutdown()
    yield "action.yml: the program of a release, by tag and by commit; another one; a wrong checksum; none"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

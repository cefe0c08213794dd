"""Tests of the commands in the READMEs of examples/policies and examples/clients, exactly as written there."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import repository

INSTALLS = re.compile(r"pip install|npm install")
WHERE = "http://127.0.0.1:8080"


def copied(folder, name):
    """Copies a folder to run in; what an earlier run installed there is kept."""
    for part in [f"examples/{name}", "openapi"]:
        ignored = shutil.ignore_patterns("node_modules", "venv", "package-lock.json")
        shutil.copytree(repository.ROOT / part, folder / part, dirs_exist_ok=True, ignore=ignored)
    return folder / "examples" / name


def run(readme, place, environment, address=WHERE, after=lambda line: None):
    """Runs the command blocks, and returns their output; `after` is called after each command."""
    blocks = re.findall(r"```sh\n(.*?)```", readme.read_text(), re.DOTALL)
    assert blocks, readme
    for block in blocks:
        for line in block.replace(WHERE, address).splitlines():
            name = line.split()[0]
            if name in ["npm", "npx", "node"] and shutil.which(name) is None or "npm" in line and shutil.which("node") is None:
                yield f"SKIPPED: there is no {name} here; the rest of this part of {readme.relative_to(repository.ROOT)} has NOT been run"
                break
            command = ["bash", "-euo", "pipefail", "-c", line]
            done = subprocess.run(command, cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode and INSTALLS.search(line):
                yield f"SKIPPED: `{line}` fails; the rest of this part of {readme.relative_to(repository.ROOT)} has NOT been run"
                break
            if done.returncode:
                sys.exit(f"examples: {readme}: {line}\n{done.stdout}")
            after(line)
            yield from (said for said in done.stdout.splitlines() if re.match("(policies|python|typescript): ", said))


def test_policies(program, folder):
    place = copied(folder / "policies", "policies")
    environment = os.environ | {"PATH": repository.path_with(program, folder / "policies")}
    said = list(run(repository.ROOT / "examples/policies/README.md", place, environment))
    yield from said
    if not any("the same verdicts" in line for line in said):
        return

    # The runner notices a difference between what an override file says and what its twin does.
    changed = place / "modules/network/a_override.tf"
    text = changed.read_text()
    assert '"0.0.0.0/0"]' in text
    changed.write_text(text.replace('[var.office_cidr, "0.0.0.0/0"]', "[var.office_cidr]"))
    done = subprocess.run(["venv/bin/python", "run.py"], cwd=place, env=environment, capture_output=True, text=True)
    changed.write_text(text)
    missing = "- ssh-from-everywhere aws_security_group.web"
    if done.returncode != 1 or done.stderr.count(missing) != 2:
        sys.exit(f"examples: run.py passes over a difference:\n{done.stdout}{done.stderr}")
    yield "run.py fails on a difference"


class Calls:
    """Checks that each program calls every route of the document, with success."""

    def __init__(self, address):
        self.address, self.programs, self.before = address, [], {}
        document = json.loads((repository.ROOT / "openapi/openapi.json").read_text())
        operations = [(path, method.upper()) for path, item in document["paths"].items() for method in item if method in ["get", "post"]]
        # Redirections count, too.
        self.wanted = set(operations)
        self.missing = []

    def counted(self):
        text = urllib.request.urlopen(f"{self.address}/metrics", timeout=10).read().decode()
        rows = re.findall(r'^overfold_requests_total\{route="([^"]*)",method="([^"]*)",status="[23]..?"\} (\d+)', text, re.MULTILINE)
        return {(route, method): int(count) for route, method, count in rows}

    def __call__(self, line):
        if "routes." not in line or "mypy" in line:
            self.before = self.counted()
            return
        now = self.counted()
        self.programs.append(line)
        self.missing += [f"{line}: {method} {path}" for path, method in sorted(self.wanted) if now.get((path, method), 0) <= self.before.get((path, method), 0)]


def test_clients(program, folder):
    place = copied(folder / "clients", "clients")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    server = subprocess.Popen([program, "serve", "--listen", address.partition("//")[2], "--log", "error"])
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen(f"{address}/livez", timeout=1)
                break
            except OSError:
                time.sleep(0.1)
        calls = Calls(address)
        yield from run(repository.ROOT / "examples/clients/README.md", place, dict(os.environ), address, calls)
        if calls.missing:
            sys.exit("examples: not called with success:\n" + "\n".join(calls.missing))
        yield f"every route is called by {len(calls.programs)} generated clients"
    finally:
        server.terminate()
        server.wait(timeout=30)

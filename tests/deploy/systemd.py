"""The units of systemd: they can be loaded, their exposure is low, their memory limits follow from what the program needs, and
their filters let every system call through that the program makes."""

import http.client
import json
import re
import shutil
import signal
import time

import tools
import yaml
from queueing import Nats, has_workers, without
from service import Service

FOLDER = tools.DEPLOY / "systemd"
# The units, by the command of the program that they run.
UNITS = {"serve": "overfold.service", "worker": "overfold-worker.service"}
# By systemd-analyze, from 0 (nothing allowed) to 10. It has to listen on the network, which alone counts 0.8.
MOST_EXPOSED = 1.2


def directives(text):
    """Returns the lines `name=value`, in order."""
    return [tuple(line.split("=", 1)) for line in text.splitlines() if line and line[0] not in "#[;"]


def environment(text):
    """Returns what the unit sets in the environment of the program."""
    words = " ".join(value for name, value in directives(text) if name == "Environment").split()
    return dict(word.split("=", 1) for word in words)


def test_unit(program, folder, at_hand):
    belong = {name: [file for file in sorted(FOLDER.glob("*.conf")) if is_for(file, name)] for name in UNITS.values()}
    assert sorted(sum(belong.values(), [])) == sorted(FOLDER.glob("*.conf")), "a file says of no unit that it is for it"
    for command, name in UNITS.items():
        if command == "worker" and not has_workers(program):
            yield without(f"the memory limit of {name} has NOT been compared")
        else:
            yield check_settings(program, folder, command, name)
    yield check_small(program, folder)
    with tools.or_skipped("deploy/systemd has NOT been verified"):
        analyze = at_hand.system("systemd-analyze", "systemd")
    for name, files in belong.items():
        yield check_exposure(program, folder, analyze, name, files)


def is_for(file, name):
    """Whether a file says in its first line that it changes that unit."""
    return file.read_text().startswith(f"# /etc/systemd/system/{name}.d/{file.name}: ")


def check_settings(program, folder, command, name):
    """The unit sets what its file of settings says, and its limits follow from that."""
    text = (FOLDER / name).read_text()
    set_ = environment(text)
    file = name.replace(".service", ".env")
    for line in (FOLDER / file).read_text().splitlines():
        variable, _, value = line.lstrip("#").partition("=")
        if re.fullmatch("OVERFOLD_[A-Z_]+", variable) and variable in set_:
            assert set_[variable] == value, f"{file} says that the unit has {variable}={value}"

    # The defaults of the program hold for what the unit does not set.
    known = {variable.removeprefix("OVERFOLD_"): value for variable, value in set_.items()}
    port = known.pop("LISTEN").rpartition(":")[2]
    known.pop("TOKEN_FILE", None)
    if command == "worker":
        known["NATS"] = "nats://127.0.0.1:9"
    service = Service(program, folder / f"unit-{command}.log", command=command, **known)
    try:
        service.start()
    finally:
        service.end(signal.SIGKILL)
    one = dict(directives(text))
    need = service.need()
    assert one["ExecStart"] == f"/usr/local/bin/overfold {command}", one["ExecStart"]
    assert one["MemoryMax"] == f"{need + 64}M", f"MemoryMax={one['MemoryMax']}, the program needs {need} MiB"
    stop = int(known.get("DRAIN_SECONDS", 0)) + int(known["GRACE_SECONDS"]) + 5
    assert int(one["TimeoutStopSec"]) == stop, f"TimeoutStopSec={one['TimeoutStopSec']} instead of {stop}"
    assert ("SocketBindAllow", f"tcp:{port}") in directives(text), f"{name} may not listen on {port}"
    return f"{name}: MemoryMax is the {need} MiB that the program needs, and 64 MiB"


def check_small(program, folder):
    """small.conf, deploy/compose/small.yaml and docs/deployment.md have the settings of the chart for little memory,
    and the limits of memory follow from them."""
    text, settings = (FOLDER / "small.conf").read_text(), tools.small_settings()
    assert environment(text) == settings, f"small.conf: {environment(text)}"
    compose = yaml.safe_load((tools.DEPLOY / "compose/small.yaml").read_text())["services"]["overfold"]
    assert compose["environment"] == settings, f"compose/small.yaml: {compose['environment']}"
    page = (tools.ROOT / "docs/deployment.md").read_text()
    shown = re.search(r"```sh\n((?:OVERFOLD_\w+=\S+\n)+)```", page)[1]
    assert dict(line.split("=") for line in shown.split()) == settings, f"docs/deployment.md: {shown}"

    known = environment((FOLDER / UNITS["serve"]).read_text()) | settings
    known = {variable.removeprefix("OVERFOLD_"): value for variable, value in known.items()}
    service = Service(program, folder / "unit-small.log", **without_place(known))
    try:
        service.start()
    finally:
        service.end(signal.SIGKILL)
    need = service.need()
    limits = [dict(directives(text))["MemoryMax"], compose["mem_limit"].upper()]
    assert limits == [f"{need + 64}M"] * 2, f"the program needs {need} MiB, the limits are {limits}"
    assert f"{need} MiB" in page, f"docs/deployment.md does not say that {need} MiB are needed"
    return f"small.conf and compose/small.yaml: the limits are the {need} MiB that the program needs, and 64 MiB"


def without_place(settings):
    """Returns settings without those that only a unit can have: its port, and the file that systemd hands over."""
    return {name: value for name, value in settings.items() if name not in ("LISTEN", "TOKEN_FILE")}


def check_exposure(program, folder, analyze, name, files):
    text = (FOLDER / name).read_text()
    scores = []
    for extra in [[], *([file] for file in files), files]:
        # The unit with the program of this test, and with files that change it.
        place = folder / "units"
        shutil.rmtree(place, ignore_errors=True)
        (place / f"{name}.d").mkdir(parents=True)
        unit = place / name
        unit.write_text(text.replace("/usr/local/bin/overfold", str(program)))
        for file in extra:
            shutil.copy(file, place / f"{name}.d")
        done = tools.run(analyze, "verify", "--man=no", unit)
        assert done.returncode == 0 and not done.stdout.strip(), f"systemd-analyze verify: {done.stdout}"
        done = tools.run(analyze, "security", "--offline=true", "--no-pager", unit)
        score = re.search(rf"exposure level for {name}: (\S+)", done.stdout)
        assert score, f"systemd-analyze security: {done.stdout[-500:]}"
        scores.append(float(score[1]))
    # Without the file for other machines and with it; older versions of systemd-analyze do not read the folder of a unit.
    assert scores[0] <= MOST_EXPOSED, f"the exposure of {name} is {scores[0]}, more than {MOST_EXPOSED}"
    assert max(scores) <= MOST_EXPOSED + 0.3, f"the exposure of {name} with other files is {max(scores)}"
    names = ", ".join(file.name for file in files)
    return f"systemd-analyze: no complaint about {name}, exposure {scores[0]} of 10; with {names} at most {max(scores)}"


def allowed(analyze, text):
    """Returns the system calls that the unit allows."""
    calls = set()
    for name, value in directives(text):
        if name != "SystemCallFilter":
            continue
        named = set()
        for word in value.lstrip("~").split():
            named |= expand(analyze, word)
        calls = calls - named if value.startswith("~") else calls | named
    return calls


def expand(analyze, word):
    if not word.startswith("@"):
        return {word}
    lines = [line.strip() for line in tools.must(analyze, "syscall-filter", word, "--no-pager").splitlines()]
    found = set()
    for line in lines[1:]:
        if line and not line.startswith("#"):
            found |= expand(analyze, line)
    return found


def test_system_calls(program, folder, at_hand):
    """Starts the program, lets it work on a large request, and stops it, while every system call is recorded."""
    with tools.or_skipped("the filters of system calls in deploy/systemd have NOT been tried"):
        analyze, strace = at_hand.system("systemd-analyze", "systemd"), at_hand.system("strace", "strace")
    large = "".join(f'resource "null_resource" "r{at}" {{\n  triggers = {{ at = {at} }}\n}}\n' for at in range(20_000))
    tokens = folder / "calls.tokens"
    line, token = tools.new_token(program)
    tokens.write_text(line + "\n")

    def serve(service):
        body = json.dumps({"files": {"main.tf": large}})
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        for path in ["/v1/merge", "/v1/plan"]:
            connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200, f"{path}: {answer.status}"
            connection.close()
        # A file that changes is read again.
        tokens.write_text(line + "\n# changed\n")
        time.sleep(2.5)

    yield traced(program, folder, analyze, strace, "serve", serve, TOKEN_FILE=tokens)
    if not has_workers(program):
        yield without(f"the filter of system calls in {UNITS['worker']} has NOT been tried")
        return
    with tools.or_skipped(f"the filter of system calls in {UNITS['worker']} has NOT been tried"):
        nats = Nats(at_hand, folder / "calls-nats")

    def work(service):
        # One is too large for a message.
        nats.submit(program, "run", [large, "locals {}\n"])
        answers = nats.collect(program, "run")
        assert len(answers) == 2, answers

    try:
        nats.start()
        yield traced(program, folder, analyze, strace, "worker", work, NATS=nats.url)
    finally:
        nats.end()


def traced(program, folder, analyze, strace, command, work, **settings):
    """Compares the system calls of the program while it does some work with those that its unit allows."""
    unit = UNITS[command]
    record, script = folder / f"calls-{command}.txt", folder / f"traced-{command}"
    record.unlink(missing_ok=True)
    script.write_text(f'#!/bin/sh\nexec "{strace}" -f -qq -o "{record}" "{program}" "$@"\n')
    script.chmod(0o755)
    service = Service(script, folder / f"calls-{command}.log", command=command, **settings)
    try:
        try:
            service.start()
        except (AssertionError, OSError):
            if record.exists() and record.stat().st_size:
                raise
            return f"SKIPPED: no process may be traced here; the filter of system calls in {unit} has NOT been tried"
        work(service)
    finally:
        if service.process is not None:
            # strace passes no signal on, so the program itself is told.
            for child in tools.run("pgrep", "-P", service.process.pid).stdout.split():
                tools.run("kill", child)
            service.process.wait(30)
    calls = set(re.findall(r"^\d+ +(?:<\.\.\. )?([a-z_0-9]+)(?:\(| resumed)", record.read_text(), re.M))
    # What systemd itself does before the filter holds.
    calls -= {"execve"}
    missing = sorted(calls - allowed(analyze, (FOLDER / unit).read_text()))
    assert not missing, f"{unit} forbids system calls that the program makes: {missing}"
    assert {"accept4", "epoll_wait"} <= calls and len(calls) > 20, f"too few calls were recorded: {sorted(calls)}"
    families = set(re.findall(r"\bsocket\((AF_[A-Z0-9]+)", record.read_text()))
    assert families <= {"AF_INET", "AF_INET6"}, f"{unit} forbids sockets of {families}"
    return f"{unit} allows the {len(calls)} system calls that the program makes, and its sockets"

"""The unit of systemd: it can be loaded, its exposure is low, its memory limit follows from what the program needs, and its
filter lets every system call through that the program makes."""

import http.client
import json
import re
import shutil
import signal
import time

import tools
from service import Service

UNIT = tools.DEPLOY / "systemd"
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
    text = (UNIT / "overfold.service").read_text()
    files = sorted(UNIT.glob("*.conf"))
    set_ = environment(text)
    for line in (UNIT / "overfold.env").read_text().splitlines():
        name, _, value = line.lstrip("#").partition("=")
        if re.fullmatch("OVERFOLD_[A-Z_]+", name) and name in set_:
            assert set_[name] == value, f"overfold.env says that the unit has {name}={value}"

    # The defaults of the program hold for what the unit does not set.
    known = {name.removeprefix("OVERFOLD_"): value for name, value in set_.items()}
    for elsewhere in ["LISTEN", "TOKEN_FILE"]:
        del known[elsewhere]
    service = Service(program, folder / "unit.log", **known)
    try:
        service.start()
    finally:
        service.end(signal.SIGKILL)
    one = dict(directives(text))
    need = service.need()
    assert one["MemoryMax"] == f"{need + 64}M", f"MemoryMax={one['MemoryMax']}, the program needs {need} MiB"
    stop = int(known.get("DRAIN_SECONDS", 0)) + int(known["GRACE_SECONDS"]) + 5
    assert int(one["TimeoutStopSec"]) == stop, f"TimeoutStopSec={one['TimeoutStopSec']} instead of {stop}"
    yield f"overfold.service: MemoryMax is the {need} MiB that the program needs, and 64 MiB"

    with tools.or_skipped("deploy/systemd has NOT been verified"):
        analyze = at_hand.system("systemd-analyze", "systemd")
    scores = []
    for extra in [[], *([file] for file in files), files]:
        # The unit with the program of this test, and with files that change it.
        place = folder / "units"
        shutil.rmtree(place, ignore_errors=True)
        (place / "overfold.service.d").mkdir(parents=True)
        unit = place / "overfold.service"
        unit.write_text(text.replace("/usr/local/bin/overfold", str(program)))
        for file in extra:
            shutil.copy(file, place / "overfold.service.d")
        done = tools.run(analyze, "verify", "--man=no", unit)
        assert done.returncode == 0 and not done.stdout.strip(), f"systemd-analyze verify: {done.stdout}"
        done = tools.run(analyze, "security", "--offline=true", "--no-pager", unit)
        score = re.search(r"exposure level for overfold.service: (\S+)", done.stdout)
        assert score, f"systemd-analyze security: {done.stdout[-500:]}"
        scores.append(float(score[1]))
    # Without `other-machines.conf` and with it; older versions of systemd-analyze do not read the folder of a unit.
    assert scores[0] <= MOST_EXPOSED, f"the exposure of overfold.service is {scores[0]}, more than {MOST_EXPOSED}"
    assert max(scores) <= MOST_EXPOSED + 0.3, f"the exposure of overfold.service with other files is {max(scores)}"
    names = ", ".join(file.name for file in files)
    yield f"systemd-analyze: no complaint, exposure {scores[0]} of 10; with {names} at most {max(scores)}"


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
    with tools.or_skipped("the filter of system calls in overfold.service has NOT been tried"):
        analyze, strace = at_hand.system("systemd-analyze", "systemd"), at_hand.system("strace", "strace")
    record = folder / "calls.txt"
    tokens = folder / "calls.tokens"
    line, token = tools.new_token(program)
    tokens.write_text(line + "\n")
    script = folder / "traced"
    script.write_text(f'#!/bin/sh\nexec "{strace}" -f -qq -o "{record}" "{program}" "$@"\n')
    script.chmod(0o755)
    service = Service(script, folder / "calls.log", TOKEN_FILE=tokens)
    try:
        try:
            service.start()
        except (AssertionError, OSError):
            if record.exists() and record.stat().st_size:
                raise
            yield "SKIPPED: no process may be traced here; the filter of system calls in overfold.service has NOT been tried"
            return
        large = "".join(f'resource "null_resource" "r{at}" {{\n  triggers = {{ at = {at} }}\n}}\n' for at in range(20_000))
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
    finally:
        if service.process is not None:
            # strace passes no signal on, so the program itself is told.
            for child in tools.run("pgrep", "-P", service.process.pid).stdout.split():
                tools.run("kill", child)
            service.process.wait(30)
    calls = set(re.findall(r"^\d+ +(?:<\.\.\. )?([a-z_0-9]+)(?:\(| resumed)", record.read_text(), re.M))
    # What systemd itself does before the filter holds.
    calls -= {"execve"}
    text = (UNIT / "overfold.service").read_text()
    missing = sorted(calls - allowed(analyze, text))
    assert not missing, f"overfold.service forbids system calls that the program makes: {missing}"
    assert {"accept4", "epoll_wait"} <= calls and len(calls) > 20, f"too few calls were recorded: {sorted(calls)}"
    families = set(re.findall(r"\bsocket\((AF_[A-Z0-9]+)", record.read_text()))
    assert families <= {"AF_INET", "AF_INET6"}, f"overfold.service forbids sockets of {families}"
    yield f"overfold.service allows the {len(calls)} system calls that the program makes, and its sockets"

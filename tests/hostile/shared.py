"""One server for the many small requests that take milliseconds: the same bounds, without starting a server for
each."""

import time

from harness import CPU_SECONDS, MEMORY_MB, ORDERLY, Case, Failure, Server

_server = []


def server():
    """Returns the shared server, starting it when it is first needed and after it has ended."""
    if _server and not _server[0].alive():
        _server.pop().__exit__()
    if not _server:
        _server.append(Server())
    return _server[0]


def stop():
    """Stops the shared server."""
    while _server:
        _server.pop().__exit__()


def bounded(name, attack, quick=True):
    """A case whose `attack` takes the shared server and returns status and note for the report."""

    def run(measured):
        target = server()
        target.reset_peak()
        cpu, before, began = target.cpu(), target.rss_mb(), time.monotonic()
        try:
            measured.status, measured.note = attack(target, measured)
        finally:
            measured.seconds = time.monotonic() - began
            measured.cpu = target.cpu() - cpu
            measured.memory_mb = target.peak_mb() - before
            log = target.log() if not target.alive() else ""
        if log:
            raise Failure(f"the process ended: {log.strip().splitlines()[-1][:160]}")
        if measured.cpu > CPU_SECONDS:
            raise Failure(f"{measured.cpu:.2f} CPU seconds, at most {CPU_SECONDS:g}")
        if measured.memory_mb > MEMORY_MB:
            raise Failure(f"{measured.memory_mb:.0f} MB above idle, at most {MEMORY_MB}")
        alive = target.get("/livez")
        measured.livez_ms = alive.seconds * 1000
        if alive.status != 200:
            raise Failure(f"/livez: {alive.status} {alive.problem}")

    return Case(name, run, quick)


def small(name, body, content_type="application/json", path="/v1/merge", headers=None, statuses=ORDERLY, check=None,
          method="POST", media_type=True):
    """A case with one request to the shared server. `check` checks the answer further."""

    def attack(target, measured):
        answer = target.post(body() if callable(body) else body, content_type, path, headers, method)
        measured.status, measured.note = answer.status or "none", answer.brief()
        parsed = answer.check(statuses, media_type)
        if check:
            check(answer, parsed)
        return measured.status, measured.note

    case = bounded(name, attack)
    # The fuzz targets start from what is sent here.
    case.sent = (content_type, body)
    return case

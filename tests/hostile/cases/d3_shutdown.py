"""SIGTERM with connections in every state, and invalid settings."""

import contextlib
import os
import subprocess
import time

from harness import Case, Server, expect, free_port

STATES = {
    "no connection": None,
    "a connection without a byte": b"",
    "half a header": b"GET /livez HTTP/1.1\r\nHost",
    "an idle connection": b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "half a body": b"POST /v1/merge HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                   b"Content-Length: 100\r\n\r\n{"}

SETTINGS = [{"OVERFOLD_TIMEOUT_SECONDS": "0"}, {"OVERFOLD_CONCURRENCY": "0"}, {"OVERFOLD_MAX_SYNTAX_DEPTH": "4001"},
            {"OVERFOLD_LISTEN": "x"}, {"OVERFOLD_LOG": "((("},
            {"OVERFOLD_MAX_REQUEST_BYTES": "-1"}]


def terminated(sent):
    """The process ends well before the grace period: no connection is owed anything."""

    def run(measured):
        with Server() as server, contextlib.ExitStack() as connections:
            if sent is not None:
                connection = connections.enter_context(server.connect())
                connection.sendall(sent)
                if sent.endswith(b"\r\n\r\n"):
                    connection.recv(1000)
            time.sleep(0.3)
            code, measured.seconds = server.stop(wait=40)
            measured.status = code
            expect(code == 0, f"exit {code} after {measured.seconds:.1f} s")
            expect(measured.seconds < 10, f"{measured.seconds:.1f} s until it ended")

    return run


def refused(setting):
    """The program does not start, and says why."""

    def run(measured):
        env = dict(os.environ, OVERFOLD_LISTEN=f"127.0.0.1:{free_port()}") | setting
        with subprocess.Popen([Server.binary, "serve"], env=env, stderr=subprocess.PIPE,
                              stdout=subprocess.DEVNULL) as process:
            try:
                measured.status = process.wait(2)
            except subprocess.TimeoutExpired:
                process.kill()
                expect(False, "it started")
            said = process.stderr.read().decode("utf-8", "replace").strip()
            measured.note = said.splitlines()[0] if said else ""
            expect(measured.status != 0, "it ended without an error")
            expect(said, "it ended without a message")
            expect("panicked" not in said, "a panic")

    return run


def cases():
    """Connections, then settings."""
    for name, sent in STATES.items():
        yield Case(f"SIGTERM beside {name}", terminated(sent))
    for setting in SETTINGS:
        (name, value), = setting.items()
        yield Case(f"{name}={value}", refused(setting))

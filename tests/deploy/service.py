"""Runs the program as a service or as a worker for a test."""

import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import time


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def get(port, path, headers=None, scheme="http"):
    """Returns the status and the body of the answer to a GET request. Like the kubelet, it accepts any certificate."""
    if scheme == "https":
        any_ = ssl._create_unverified_context()
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=10, context=any_)
    else:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


# How many times longer everything may take on a machine that is busy with something else.
BUSY = 6


def wait_for(condition, seconds, what):
    """Waits until a condition holds, and returns how long that took."""
    start = time.monotonic()
    seconds *= BUSY
    while time.monotonic() < start + seconds:
        try:
            if condition():
                return time.monotonic() - start
        except OSError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"{what}: not within {seconds} s")


class Service:
    """A process of the program on a port of this machine; its log goes to a file."""

    def __init__(self, program, log, scheme="http", command="serve", **settings):
        self.program, self.log, self.scheme, self.command, self.settings = program, log, scheme, command, settings
        self.port = free_port()
        self.log.unlink(missing_ok=True)
        self.process = None

    def start(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("OVERFOLD_")}
        environment.update(OVERFOLD_LISTEN=f"127.0.0.1:{self.port}", OVERFOLD_LOG_FORMAT="json")
        environment.update({f"OVERFOLD_{name}": str(value) for name, value in self.settings.items()})
        with open(self.log, "a") as log:
            self.process = subprocess.Popen([self.program, self.command], env=environment, stderr=log)
        wait_for(lambda: self.get("/livez")[0] == 200, 20, f"{self.log.stem} starts")
        wait_for(lambda: self.said("needs at most "), 20, f"{self.log.stem} says what it needs")
        return self

    def get(self, path, headers=None):
        return get(self.port, path, headers, self.scheme)

    def said(self, start):
        """Returns the messages in the log that start so."""
        return [line["message"] for line in self.lines() if line["message"].startswith(start)]

    def end(self, how=signal.SIGTERM):
        """Sends a signal, and returns the exit code once there is one."""
        if self.process is None:
            return None
        self.process.send_signal(how)
        code = self.process.wait(40)
        self.process = None
        return code

    def lines(self):
        """Returns the lines of the log. The last one may have been cut off when the process was killed."""
        found = []
        for line in self.log.read_text().splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                pass
        return found

    def need(self):
        """Returns what the program says that it needs at most, in MiB."""
        return int(self.said("needs at most ")[-1].split()[3])

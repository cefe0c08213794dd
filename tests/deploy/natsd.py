"""Runs a NATS server with JetStream for a test."""

import json
import shutil
import signal
import subprocess

from service import free_port, get, wait_for


class NatsServer:
    """A process of the server on two ports of this machine; what it stores stays in a folder when it is restarted."""

    # Where to ask whether it is ready.
    health = "/healthz"

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.port, self.monitoring = free_port(), free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self.process = None

    def arguments(self):
        return ["-js", "-sd", self.folder / "data", "-m", self.monitoring]

    def start(self):
        command = [self.program, "-a", "127.0.0.1", "-p", self.port, *self.arguments()]
        with open(self.folder / "log", "a") as log:
            self.process = subprocess.Popen([str(part) for part in command], stdout=log, stderr=subprocess.STDOUT)
        wait_for(self.is_ready, 30, "the NATS server starts")
        return self

    def is_ready(self):
        # While it still reads what it has stored, it answers with 503.
        return get(self.monitoring, self.health)[0] == 200

    def ask(self, path):
        """Returns what the monitoring of the server says."""
        status, text = get(self.monitoring, path)
        assert status == 200, f"the NATS server answers {status} to {path}"
        return json.loads(text)

    def end(self, how=signal.SIGTERM):
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(60)
            self.process = None

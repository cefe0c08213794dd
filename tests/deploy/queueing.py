"""A NATS server with JetStream for a test, with the arguments that deploy/compose gives it, and requests for its queue."""

import json
import os
import shutil
import subprocess

import tools
import yaml
from service import free_port, get, wait_for

COMPOSE = yaml.safe_load((tools.DEPLOY / "compose/compose.yaml").read_text())["services"]["nats"]


def has_workers(program):
    """Whether the program was built with the queue, as that of the image is."""
    return tools.run(program, "worker", "--help").returncode == 0


def without(untested):
    """Returns what is said of a program without the queue."""
    return f"SKIPPED: this program has no command worker (the feature nats of its package); {untested}"


class Nats:
    """A process of the server on two ports of this machine; what it stores is in a folder."""

    def __init__(self, at_hand, folder):
        self.program, self.folder = at_hand.system("nats-server", "nats-server"), folder
        self.port, self.monitoring = free_port(), free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self.process = None

    def start(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        ours = {"/data": str(self.folder / "data"), "8222": str(self.monitoring)}
        command = [self.program, "-a", "127.0.0.1", "-p", str(self.port)]
        command += [ours.get(word, word) for word in COMPOSE["command"]]
        with open(self.folder / "log", "w") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        # As the health check of the container asks.
        path = COMPOSE["healthcheck"]["test"][-1].partition(":8222")[2]
        wait_for(lambda: self.ask(path) == {"status": "ok"}, 20, "the NATS server starts")
        return self

    def ask(self, path):
        status, text = get(self.monitoring, path)
        assert status == 200, f"the NATS server answers {status} to {path}"
        return json.loads(text)

    def end(self):
        if self.process is not None:
            self.process.terminate()
            self.process.wait(20)
            self.process = None

    def overfold(self, program, command, *arguments):
        """Runs a command of the program that uses the queue, and returns its standard output."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("OVERFOLD_")}
        environment["OVERFOLD_NATS"] = self.url
        return tools.must(program, command, *arguments, env=environment)

    def submit(self, program, run, texts):
        """Puts modules with one file each into the queue."""
        modules = []
        for at, text in enumerate(texts):
            module = self.folder / f"module-{at}"
            module.mkdir(exist_ok=True)
            (module / "main.tf").write_text(text)
            modules.append(module)
        self.overfold(program, "submit", "--run", run, *modules)

    def collect(self, program, run):
        """Waits for the answers, and returns them."""
        lines = self.overfold(program, "collect", "--run", run, "--wait-seconds", 60).splitlines()
        return [json.loads(line) for line in lines]

"""A NATS server with JetStream for a test, with the arguments that deploy/compose gives it, and requests for its queue."""

import json
import os

import tools
import yaml
from natsd import NatsServer

COMPOSE = yaml.safe_load((tools.DEPLOY / "compose/compose.yaml").read_text())["services"]["nats"]


def has_workers(program):
    """Whether the program was built with the queue, as that of the image is."""
    return tools.run(program, "worker", "--help").returncode == 0


def without(untested):
    """Returns what is said of a program without the queue."""
    return f"SKIPPED: this program has no command worker (the feature nats of its package); {untested}"


class Nats(NatsServer):
    """The server that Debian's package has, started as deploy/compose does."""

    # As the health check of the container asks.
    health = COMPOSE["healthcheck"]["test"][-1].partition(":8222")[2]

    def __init__(self, at_hand, folder):
        super().__init__(at_hand.system("nats-server", "nats-server"), folder)

    def arguments(self):
        ours = {"/data": self.folder / "data", "8222": self.monitoring}
        return [ours.get(word, word) for word in COMPOSE["command"]]

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
        lines = self.overfold(program, "collect", "--run", run, "--wait-seconds", 60).split("\n")
        return [json.loads(line) for line in lines if line]

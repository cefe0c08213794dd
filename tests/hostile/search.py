#!/usr/bin/env python3
"""Searches for the next attack: combines features of the language and options of a request at random, sends each
combination at one, two and four times its size, and reports what grows faster than its input and its answer, costs too
much, or is not answered in an orderly way. `search.py --help` says how; README.md says what it checks."""

import argparse
import contextlib
import gzip
import json
import pathlib
import random
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

import features  # noqa: E402
from harness import CPU_SECONDS, MEMORY_MB, ORDERLY, RUNAWAY_CPU_SECONDS, Failure, Probe, Server  # noqa: E402

# How much faster than what is repeated, or than input and answer together, a count may grow.
FASTER = 1.35
# Counts below these say nothing about growth: fixed costs decide.
FEW_UNITS, FEW_BYTES = 200_000, 16 << 20
# A client that is turned away asks again this often.
TRIES = 20


class Sent:
    """What one request cost, at a size."""

    def __init__(self, answer, sent, cpu, memory_mb, logged):
        self.factor = 1
        self.answer, self.sent, self.cpu, self.memory_mb = answer, sent, cpu, memory_mb
        self.units, self.bytes = logged.get("work_units"), logged.get("memory_bytes")

    def size(self):
        return self.sent + self.answer.length

    def __str__(self):
        return (f"{self.answer.status} {self.sent:>9} B in {self.answer.length:>9} B out  cpu {self.cpu:5.2f} s  "
                f"+{self.memory_mb:4.0f} MB  {self.units or '-':>9} units  {(self.bytes or 0) >> 20:>4} MB charged  "
                f"{self.answer.brief(60)}")


class Target:
    """A server that is replaced when it ends or has become large."""

    def __init__(self):
        self.server = None

    def ready(self):
        if self.server and self.server.alive() and self.server.rss_mb() < self.server.idle_mb + 300:
            return self.server
        self.close()
        self.server = Server(env={"OVERFOLD_LOG_FORMAT": "json"})
        return self.server

    def close(self):
        if self.server:
            self.server.__exit__()
        self.server = None

    def send(self, request):
        """Sends one request; raises `Failure` unless the answer is orderly and the server then idle and alive."""
        server = self.ready()
        body = json.dumps(request.body, ensure_ascii=False).encode("utf-8", "surrogatepass")
        packed = gzip.compress(body, 1)
        server.reset_peak()
        before, cpu, logged = server.rss_mb(), server.cpu(), len(server.log())
        with Probe(server, RUNAWAY_CPU_SECONDS * 2) as probe:
            for _ in range(TRIES):
                answer = server.post(packed, path=request.path, headers={"Content-Encoding": "gzip"})
                if answer.status not in (429, 503):
                    break
                time.sleep(float(answer.headers.get("retry-after", 1)))
            settled = server.settle(1.0)
        if probe.killed:
            raise Failure(f"killed after {RUNAWAY_CPU_SECONDS * 2:.0f} CPU seconds")
        if not server.alive():
            raise Failure(f"the process ended: {server.log()[-160:]}")
        lines = server.log()[logged:].splitlines()
        if any("panicked at" in line for line in lines):
            raise Failure("a panic is in the log")
        if "report" not in request.path or answer.status != 200:
            answer.check(ORDERLY)
        if settled is None:
            raise Failure("still at work a second after the answer")
        costs = {}
        for line in lines:
            with contextlib.suppress(ValueError):
                said = json.loads(line)
                costs = said if said.get("route") == request.path.partition("?")[0] else costs
        return Sent(answer, len(body), server.cpu() - cpu, max(0, server.peak_mb() - before), costs)


def faster(name, counts, allowed, few):
    """Describes how a count grew if that is faster than allowed; empty otherwise."""
    small, large = counts
    if None in counts or large < few:
        return ""
    growth = large / max(1, small)
    return f"{name} grew {growth:.1f} times where the sizes grew {allowed:.1f} times" if growth > allowed * FASTER else ""


def problems(sent):
    """Returns what is wrong with the costs of one combination at growing sizes."""
    found = []
    for one in sent:
        if one.memory_mb > MEMORY_MB:
            found.append(f"{one.memory_mb:.0f} MB above idle, at most {MEMORY_MB}")
        if one.cpu > CPU_SECONDS:
            found.append(f"{one.cpu:.2f} CPU seconds, at most {CPU_SECONDS:g}")
    answered = [one for one in sent if one.answer.status == 200 and one.units]
    if len(answered) >= 2:
        small, large = answered[0], answered[-1]
        allowed = max(large.factor / small.factor, large.size() / small.size())
        found.append(faster("work", (small.units, large.units), allowed, FEW_UNITS))
        found.append(faster("memory", (small.bytes, large.bytes), allowed, FEW_BYTES))
    return [one for one in found if one]


def trial(target, seed):
    """Runs the combination of a seed; returns its name, the three costs, and what is wrong."""
    combination = features.Combination(seed)
    sent = []
    try:
        for factor in (1, 2, 4):
            sent.append(target.send(combination.request(factor)))
            sent[-1].factor = factor
    except Failure as failure:
        return combination, sent, [str(failure)]
    return combination, sent, problems(sent)


def main():
    """Searches until the time is over; returns 1 if anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", help="the service's program")
    parser.add_argument("--seconds", type=float, default=30, help="how long to search [%(default)s]")
    parser.add_argument("--seed", type=int, help="where to begin; none: at random")
    parser.add_argument("--only", type=int, metavar="SEED", help="run this one combination and show its costs")
    parser.add_argument("--verbose", action="store_true", help="show every combination")
    options = parser.parse_args()
    Server.binary = str(pathlib.Path(options.binary).resolve())
    target, ending = Target(), time.monotonic() + options.seconds
    first = options.only if options.only is not None else options.seed
    seed = first if first is not None else random.SystemRandom().randrange(1 << 40)
    tried = found = 0
    try:
        while not tried or options.only is None and time.monotonic() < ending:
            combination, sent, wrong = trial(target, seed)
            if wrong:
                # Other work on the machine may have caused it; on a server of its own there is no excuse.
                target.close()
                combination, sent, wrong = trial(target, seed)
            if wrong or options.verbose or options.only is not None:
                print(f"{'FAIL' if wrong else 'ok  '} {seed} {combination}", flush=True)
                print("".join(f"       {one}\n" for one in sent), end="")
            if wrong:
                found += 1
                kept = pathlib.Path(tempfile.gettempdir()) / f"overfold-search-{seed}.json"
                factor = (1, 2, 4)[min(len(sent), 2)]
                kept.write_text(json.dumps(combination.request(factor).body))
                print("".join(f"       {one}\n" for one in wrong) + f"       the request is in {kept}", flush=True)
            tried, seed = tried + 1, seed + 1
    finally:
        target.close()
    print(f"search: {tried} combinations at three sizes, {found} found (from seed {seed - tried})")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

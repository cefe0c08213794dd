"""Memory goes back to the system: after large requests, one after another, the process holds what the documents promise."""

import gzip
import json
import time

from harness import Case, Server, expect, many


def references():
    """A plan of 22 KB that holds much of the memory that it may hold."""
    long = "terraform_data.z.input" + ".abcdefgh" * 4000
    files = {"main.tf": 'resource "terraform_data" "z" {\n}\n' + many(
        100, f'resource "terraform_data" "x@" {{\n input = {long}\n}}\n')}
    return "/v1/plan", {"files": files, "include": ["instances"]}


def findings():
    """A merge with many findings."""
    return "/v1/merge", {"files": {"main.tf": many(20_000, "locals {\n a@ = nothing.here.@\n}\n")}}


def instances():
    """A plan with a long answer."""
    return "/v1/plan", {"files": {"main.tf": 'resource "terraform_data" "a" {\n count = 20000\n input = "abcdefgh"\n}\n'}}


def case(name, make, rounds=20):
    """Many requests, one at a time."""

    def run(measured):
        path, body = make()
        packed = gzip.compress(json.dumps(body).encode(), 1)
        with Server() as server:
            server.reset_peak()
            began = time.monotonic()
            for _ in range(rounds):
                answer = server.post(packed, path=path, headers={"Content-Encoding": "gzip"}, timeout=90)
                measured.status = answer.status
                expect(answer.status in (200, 413), f"{answer.status} {answer.brief()}")
            measured.seconds = time.monotonic() - began
            # The process itself, one request, and what has been freed and not yet been given back.
            measured.memory_mb = server.peak_mb() - server.idle_mb
            peak = server.peak_mb()
            time.sleep(2.5)
            idle = server.rss_mb()
            measured.note = f"peak {peak:.0f} MB, idle {idle:.0f} MB, before {server.idle_mb:.0f} MB"
            expect(server.alive(), "the process has ended")
            expect(measured.memory_mb < 384, measured.note)
            expect(idle < server.idle_mb + 48, measured.note)

    return Case(name, run, quick=False)


def cases():
    """All kinds of large requests."""
    yield case("20 plans with long references", references)
    yield case("20 merges with many findings", findings)
    yield case("20 plans with long answers", instances)

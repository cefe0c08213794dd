#!/usr/bin/env python3
"""Four times what the service can do, for as long as asked.

    tests/hostile/load.py target/release/overfold --seconds 600

Starts the program on a free port, finds its capacity with a closed loop, measures each size without load (the same
senders at a tenth of the capacity), then offers four times the capacity. The exit code is 1 unless all of this holds:

- every answer with status 200 has the same bytes as without load, every other one is a 503 with Retry-After;
- in each size class the 99th percentile of answered requests is under ten times the median without load, with each
  request compared with the median of its own size;
- /livez answers within 100 ms;
- memory is flat: its median in the second half is at most a fifth above that of the first;
- SIGTERM in the middle: exit code 0 within the grace period, and no accepted request is lost.

Needs Linux and only the standard library of Python 3.
"""
import argparse
import asyncio
import collections
import hashlib
import json
import multiprocessing
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import time

# The sizes of modules in KiB, with the number of each; the classes are those of `overfold_work_queue`.
MIX = [(1, 24), (8, 16), (24, 8), (128, 6), (512, 3), (2048, 1)]
GRACE = 30


def size_class(body):
    """Returns the size class of a body, as the service defines it."""
    return "small" if len(body) <= 32 << 10 else "medium" if len(body) <= 1 << 20 else "large"


def module(kib, number):
    main, size, i = [], 0, 0
    while size < kib * 1024:
        text = (f'resource "aws_instance" "r{i}" {{\n  ami   = "ami-{i:06d}"\n  count = var.n\n'
                f'  tags  = {{ Name = "x${{var.n}}-{i}" }}\n  ebs_block_device {{\n    size = {i}\n  }}\n}}\n')
        main.append(text)
        size += len(text)
        i += 1
    override = "".join(f'resource "aws_instance" "r{j}" {{\n  ami = "override-{j}"\n}}\n' for j in range(0, i, 5))
    files = {"main.tf": "".join(main), "override.tf": override, "v.tf": 'variable "n" {\n  default = 3\n}\n',
             "id.tf": f"locals {{\n  id = {number}\n}}\n"}
    return json.dumps({"stage": "load", "files": files, "variables": {}}).encode()


SIZES = [kib for kib, count in MIX for _ in range(count)]
BODIES = [module(kib, number) for number, kib in enumerate(SIZES)]
CLASSES = [size_class(body) for body in BODIES]


async def ask(port, body, path="/v1/merge", timeout=60):
    """Returns status, headers in lower case and digest of one answer; raises if there is none, or only half of one."""
    method = "POST" if body is not None else "GET"
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    if body is not None:
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
    try:
        writer.write(head.encode() + b"\r\n" + (body or b""))
        answer = await asyncio.wait_for(reader.read(-1), timeout)
    finally:
        writer.close()
    head, blank, content = answer.partition(b"\r\n\r\n")
    if not blank:
        raise ConnectionError("no answer")
    lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    if len(content) != int(headers.get("content-length", len(content))):
        raise ConnectionError("half an answer")
    return int(lines[0].split()[1]), headers, hashlib.sha256(content).digest()


def memory(pid, field="VmRSS"):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(field)) // 1024


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


class Tally:
    """The outcomes of requests; one tally for each sending process, added up by the first."""

    def __init__(self):
        self.status = collections.Counter()
        self.times = collections.defaultdict(list)
        self.wrong = collections.Counter()
        self.retry_after = collections.Counter()
        self.late = []

    def note(self, number, expected, answer, took):
        status, headers, digest = answer
        self.status[CLASSES[number], status] += 1
        if status == 200:
            self.times[SIZES[number]].append(took)
            if digest != expected[number]:
                self.wrong["other bytes"] += 1
        elif status == 503:
            seconds = headers.get("retry-after", "")
            self.retry_after[seconds] += 1
            if not seconds.isdigit() or int(seconds) < 1:
                self.wrong["503 without Retry-After"] += 1
        else:
            self.wrong[f"status {status}"] += 1

    def add(self, other):
        self.status += other.status
        self.wrong += other.wrong
        self.retry_after += other.retry_after
        self.late += other.late
        for name, times in other.times.items():
            self.times[name] += times


async def open_loop(port, expected, rate, seconds, name=None):
    """Sends `rate` requests per second regardless of the answers: only those of class `name`, or all."""
    tally, tasks, chance = Tally(), set(), random.Random(name)
    numbers = [number for number in range(len(BODIES)) if name in (None, CLASSES[number])]
    rate *= len(numbers) / len(BODIES)

    async def shot(number):
        began = time.monotonic()
        try:
            answer = await ask(port, BODIES[number])
            tally.note(number, expected, answer, time.monotonic() - began)
        except Exception as error:
            tally.wrong[f"{type(error).__name__}: {error}"[:80]] += 1

    began = upcoming = time.monotonic()
    while upcoming < began + seconds:
        task = asyncio.create_task(shot(chance.choice(numbers)))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        upcoming += chance.expovariate(rate)
        await asyncio.sleep(max(0, upcoming - time.monotonic()))
        # A delay of the sender itself is not the service's, but it shows in the sender's times.
        tally.late.append(max(0, time.monotonic() - upcoming))
    if tasks:
        await asyncio.wait(tasks)
    return tally


def sender(port, expected, rate, seconds, name, results):
    # Large bodies cost the senders the most, and small requests would be delayed by them.
    os.nice({"small": 0, "medium": 5, "large": 10}[name])
    results.put(asyncio.run(open_loop(port, expected, rate, seconds, name)))


async def right_bytes(port, rounds):
    """Returns the digest of every answer, which must be the same in each round."""
    expected = []
    for body in BODIES:
        answers = {await ask_status_and_digest(port, body) for _ in range(rounds)}
        assert len(answers) == 1, "the same request gave different bytes"
        (status, digest), = answers
        assert status == 200, status
        expected.append(digest)
    return expected


async def ask_status_and_digest(port, body):
    status, _, digest = await ask(port, body)
    return status, digest


def send(port, expected, rate, seconds, beside=None):
    """Sends `rate` requests per second and runs `beside` meanwhile; returns the tally and the result of `beside`."""
    results = multiprocessing.Queue()
    # One process for each class, so that the sender's work for a large answer does not delay small ones.
    senders = [multiprocessing.Process(target=sender, args=(port, expected, rate, seconds, name, results))
               for name in ("small", "medium", "large")]
    for process in senders:
        process.start()
    seen = asyncio.run(beside) if beside else None
    tally = Tally()
    for _ in senders:
        tally.add(results.get())
    for process in senders:
        process.join()
    return tally, seen


async def closed_loop(port, expected, clients, seconds):
    """Returns the requests per second with this many clients, each of which waits for its answer."""
    tally, chance, began = Tally(), random.Random(5), time.monotonic()

    async def client():
        while time.monotonic() - began < seconds:
            number = chance.randrange(len(BODIES))
            tally.note(number, expected, await ask(port, BODIES[number]), 0)

    await asyncio.gather(*[client() for _ in range(clients)])
    assert not tally.wrong, tally.wrong
    return sum(count for (_, status), count in tally.status.items() if status == 200) / (time.monotonic() - began)


async def watch(port, pid, seconds):
    """Records probes and memory, every half second."""
    live, ready, rss, began = [], collections.Counter(), [], time.monotonic()
    while time.monotonic() - began < seconds:
        asked = time.monotonic()
        status, _, _ = await ask(port, None, "/livez")
        live.append((status, time.monotonic() - asked))
        ready[(await ask(port, None, "/readyz"))[0]] += 1
        rss.append(memory(pid))
        await asyncio.sleep(0.5)
    return live, ready, rss


async def stop_in_the_middle(server, port, expected, rate):
    """SIGTERM while requests are in progress: every accepted request gets its whole answer."""
    load = asyncio.create_task(open_loop(port, expected, rate, 3))
    await asyncio.sleep(1.5)
    began = time.monotonic()
    server.send_signal(signal.SIGTERM)
    while server.poll() is None and time.monotonic() - began < GRACE + 5:
        await asyncio.sleep(0.02)
    took = time.monotonic() - began
    tally = await load
    # A client that comes too late is refused, or its connection is closed before anything is answered.
    lost = {what: count for what, count in tally.wrong.items() if "half an answer" in what or "other bytes" in what
            or what.startswith("status")}
    return server.returncode, took, lost, tally


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("program")
    options.add_argument("--seconds", type=int, default=60)
    options.add_argument("--times", type=float, default=4, help="times the capacity")
    options.add_argument("--concurrency", type=int, help="of the service [default: its own]")
    given = options.parse_args()

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = dict(os.environ, OVERFOLD_LISTEN=f"127.0.0.1:{port}", OVERFOLD_LOG="warn")
    if given.concurrency:
        environment["OVERFOLD_CONCURRENCY"] = str(given.concurrency)
    # Half of the processors for the service, the others for the senders: if they competed, that would appear as delay
    # of the service.
    processors = sorted(os.sched_getaffinity(0))
    half = (len(processors) + 1) // 2
    os.sched_setaffinity(0, processors[:half])
    server = subprocess.Popen([given.program, "serve"], env=environment)
    if processors[half:]:
        os.sched_setaffinity(0, processors[half:])
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        failed = run(given, server, port)
    finally:
        if server.poll() is None:
            server.kill()
    for what in failed:
        print("FAILED:", what)
    sys.exit(1 if failed else 0)


def run(given, server, port):
    failed = []
    expected = asyncio.run(right_bytes(port, 3))
    clients = given.concurrency or len(os.sched_getaffinity(server.pid))
    capacity = asyncio.run(closed_loop(port, expected, clients, 10))
    calm, _ = send(port, expected, capacity / 10, 20)
    if calm.wrong:
        failed.append(f"answers in the quiet: {dict(calm.wrong)}")
    medians = {kib: statistics.median(times) for kib, times in calm.times.items()}
    for kib, _ in MIX:
        assert kib in medians, f"no answer of {kib} KiB in the quiet"
    print("quiet median (ms):", {f"{kib} KiB": round(1e3 * medians[kib], 2) for kib, _ in MIX})
    rate = given.times * capacity
    print(f"capacity {capacity:.0f}/s with {clients} clients; offering {rate:.0f}/s for {given.seconds} s")
    tally, (live, ready, rss) = send(port, expected, rate, given.seconds, watch(port, server.pid, given.seconds))

    for name in ("small", "medium", "large"):
        slower = []
        for kib in dict.fromkeys(kib for kib, of in zip(SIZES, CLASSES) if of == name):
            times = tally.times[kib]
            slower += [took / medians[kib] for took in times]
            print(f"  {kib:5} KiB: {len(times)} answered, p50 {1e3 * percentile(times, 0.5):.1f} ms, "
                  f"p99 {1e3 * percentile(times, 0.99):.1f} ms")
        p99 = percentile(slower, 0.99)
        print(f"{name}: 200: {tally.status[name, 200]}, 503: {tally.status[name, 503]}, "
              f"p50 {percentile(slower, 0.5):.1f}, p99 {p99:.1f} times the quiet median")
        if not slower:
            failed.append(f"no {name} request was answered")
        elif not p99 < 10:
            failed.append(f"p99 of {name} requests")
    print(f"the senders were late by {1e3 * percentile(tally.late, 0.5):.1f} ms (median), "
          f"{1e3 * percentile(tally.late, 0.99):.1f} ms (p99)")
    print("Retry-After:", dict(tally.retry_after))
    if tally.wrong:
        failed.append(f"answers: {dict(tally.wrong)}")
    worst = max(took for _, took in live)
    print(f"/livez: {collections.Counter(status for status, _ in live)}, slowest {1e3 * worst:.1f} ms, "
          f"p99 {1e3 * percentile([took for _, took in live], 0.99):.1f} ms; /readyz: {dict(ready)}")
    if any(status != 200 for status, _ in live) or worst > 0.1:
        failed.append("/livez")
    # The load varies over time, so the middle of each half is used, without the effect of the start.
    rss_half = len(rss) // 2
    print(f"memory (MiB): {rss[::max(1, len(rss) // 12)]}, most {memory(server.pid, 'VmHWM')}")
    if statistics.median(rss[rss_half:]) > 1.2 * statistics.median(rss[rss_half // 4:rss_half]):
        failed.append("memory grows")
    code, took, lost, tally = asyncio.run(stop_in_the_middle(server, port, expected, rate))
    print(f"SIGTERM: exit code {code} after {took:.2f} s; {dict(tally.status)}, {dict(tally.wrong)}")
    if code != 0 or took > GRACE or lost:
        failed.append(f"shutdown: {code}, {took:.1f} s, {lost}")
    return failed


if __name__ == "__main__":
    main()

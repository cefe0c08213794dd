"""A mixed load of modules of 1 KB to 1 MB, and its expected answers."""

import asyncio
import hashlib
import json
import random
import time

SIZES_KB = [1] * 20 + [4] * 15 + [16] * 10 + [64] * 8 + [256] * 4 + [1024]


def module(kilobytes):
    """Returns files of about this size, a fifth of which are overridden."""
    parts, length = [], 0
    while length < kilobytes * 1024:
        at = len(parts)
        parts.append(f'resource "aws_instance" "r{at}" {{\n  ami = "ami-{at:06d}"\n  count = var.n\n  tags = {{ Name = '
                     f'"x${{var.n}}-{at}" }}\n  ebs_block_device {{\n    size = {at}\n  }}\n}}\n')
        length += len(parts[-1])
    override = "".join(f'resource "aws_instance" "r{at}" {{\n  ami = "override-{at}"\n}}\n'
                       for at in range(0, len(parts), 5))
    return {"main.tf": "".join(parts), "override.tf": override, "v.tf": 'variable "n" {\n  default = 3\n}\n'}


def bodies():
    """Returns one request of each size in `SIZES_KB`, all different."""
    out = []
    for at, size in enumerate(SIZES_KB):
        files = module(size) | {f"id{at}.tf": f"locals {{\n  id = {at}\n}}\n"}
        out.append(json.dumps({"stage": "load", "files": files, "include": ["config", "objects", "variables", "files"],
                               "variables": {}}).encode())
    return out


async def post(port, body, patience=60):
    """Sends one request on a connection of its own; returns status, header text and body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
    try:
        writer.write(b"POST /v1/merge HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
                     b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        received = await asyncio.wait_for(reader.read(-1), patience)
    finally:
        writer.close()
    head, _, content = received.partition(b"\r\n\r\n")
    return (int(head[9:12]) if head else 0), head.lower(), content


def part_of(values, share):
    """Returns the value that this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else float("nan")


class Load:
    """Requests, their correct answers, and their durations without load."""

    def __init__(self, port):
        self.port, self.bodies, self.digests, self.quiet = port, bodies(), {}, {}
        # Status, seconds and size in KB of every answered request.
        self.answered, self.wrong, self.lost, self.no_retry = [], 0, [], 0

    async def learn(self):
        """Sends each request once, alone."""
        for at, body in enumerate(self.bodies):
            times = []
            for _ in range(3):
                began = time.monotonic()
                status, _, content = await post(self.port, body)
                times.append(time.monotonic() - began)
                assert status == 200, status
                assert self.digests.setdefault(at, hashlib.sha256(content).digest()) == hashlib.sha256(content).digest()
            self.quiet[at] = min(times)

    async def one(self, at=None):
        """Sends a request and checks its answer."""
        at = random.randrange(len(self.bodies)) if at is None else at
        began = time.monotonic()
        try:
            status, head, content = await post(self.port, self.bodies[at])
        except Exception as problem:
            self.lost.append(type(problem).__name__)
            return 0
        self.wrong += status == 200 and hashlib.sha256(content).digest() != self.digests[at]
        self.no_retry += status == 503 and b"\r\nretry-after:" not in head
        self.answered.append((status, time.monotonic() - began, SIZES_KB[at]))
        return status

    async def closed_loop(self, clients, seconds):
        """Runs this many clients that send again as soon as they are answered; returns the requests per second."""
        end, before = time.monotonic() + seconds, len(self.answered)

        async def client():
            while time.monotonic() < end:
                await self.one()

        await asyncio.gather(*[client() for _ in range(clients)])
        return (len(self.answered) - before) / seconds

    async def open_loop(self, rate, seconds):
        """Sends this many requests per second, answered or not."""
        end, due, tasks = time.monotonic() + seconds, time.monotonic(), []
        while time.monotonic() < end:
            tasks.append(asyncio.create_task(self.one()))
            due += 1 / rate
            await asyncio.sleep(max(0, due - time.monotonic()))
        await asyncio.gather(*tasks)

    def statuses(self):
        """Returns the number of answers with each status."""
        counts = {}
        for status, _, _ in self.answered:
            counts[status] = counts.get(status, 0) + 1
        return counts

    def slowdown(self, size):
        """Returns the p99 of the good answers of this size, relative to the median without load."""
        times = [seconds for status, seconds, kilobytes in self.answered if status == 200 and kilobytes == size]
        quiet = part_of([self.quiet[at] for at, one in enumerate(SIZES_KB) if one == size], 0.5)
        return part_of(times, 0.99) / quiet if times else 0.0

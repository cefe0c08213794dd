#!/usr/bin/env python3
"""Tests the memory formula of docs/deployment.md: bodies, work and answers up to their limits, all at the same time.

    tests/hostile/memory.py target/release/overfold

Starts the program on a free port with its default limits (`OVERFOLD_…` variables change them), reads from its first log
lines how much it says that it needs at most, and then holds as much as it is allowed to: unread answers, bodies that do
not end, and work on every worker. Before that, it sends each kind of large request alone. The exit code is 1 if the peak
memory of the process is above the formula, if a single request takes more than 256 MiB above idle, or if the service is
not healthy afterwards.

Needs Linux and only the standard library of Python 3.
"""
import gzip
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

SINGLE_MIB = 256


def request(files, **options):
    return json.dumps({"stage": "load", "files": files, **options}).encode()


def arguments(count):
    return "locals {\n" + "".join(f"a{i} = [{i}, {i}]\n" for i in range(count)) + "}\n"


EVERYTHING = {"include": ["config", "objects", "variables", "files"]}
# 36 MB of answer for 2 MB of body.
ANSWER = request({"main.tf": arguments(100_000)}, **EVERYTHING)
SINGLE = {
    "files that are no configuration": request({f"{i}.md": "x" * 31_000_000 for i in range(2)}),
    "comments": request({f"{i}.tf": ("#" * 99 + "\n") * 150_000 for i in range(4)}),
    "one text": request({"main.tf": 'locals {\n a = "' + "x" * 30_000_000 + '"\n}\n'}, **EVERYTHING),
    "escapes": request({"main.tf": 'locals {\n a = "' + '\\"' * 14_000_000 + '"\n}\n'}),
    "small blocks": request({"main.tf": "locals {\na=1\n}\n" * 1_000_000}, **EVERYTHING),
    "many arguments": request({"main.tf": arguments(400_000)}, **EVERYTHING),
    "nothing but errors": request({"main.tf": "@" * 5_000_000}),
    "small blocks beside a large file": request({"main.tf": "locals {\na=1\n}\n" * 100_000, "x.md": "x" * 31_000_000,
                                                 "y.md": "y" * 30_000_000}, **EVERYTHING),
}


class Service:
    def __init__(self, program):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log = tempfile.NamedTemporaryFile("rb")
        environment = dict(os.environ, OVERFOLD_LISTEN=f"127.0.0.1:{self.port}", OVERFOLD_LOG="info",
                           OVERFOLD_LOG_FORMAT="json")
        self.process = subprocess.Popen([program, "serve"], env=environment, stderr=open(self.log.name, "wb"))
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            time.sleep(0.05)
        time.sleep(0.2)
        self.idle = self.memory("VmRSS")

    def memory(self, field="VmHWM"):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(field)) // 1024

    def need(self):
        """Returns how much memory the service says that it needs at most, in MiB."""
        said = re.search(rb"needs at most (\d+) MiB[^\"]*", open(self.log.name, "rb").read())
        print(said[0].decode())
        return int(said[1])

    def open(self, body, length=None, gzipped=False, receive=None):
        """Sends the head and the given part of a body, and leaves the rest to the caller."""
        sock = socket.socket()
        if receive:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        sock.settimeout(60)
        sock.connect(("127.0.0.1", self.port))
        head = ("POST /v1/merge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                f"Content-Length: {length or len(body)}\r\n" + ("Content-Encoding: gzip\r\n" if gzipped else ""))
        sock.sendall(head.encode() + b"\r\n" + body)
        return sock

    def status(self, sock):
        try:
            return int(sock.recv(12)[9:12])
        except (OSError, ValueError):
            return 0

    def ask(self, body, gzipped=False):
        """Sends one request and reads its answer to the end."""
        try:
            with self.open(body, gzipped=gzipped) as sock:
                status = self.status(sock)
                sock.shutdown(socket.SHUT_WR)
                while sock.recv(1 << 20):
                    pass
                return status
        except OSError:
            return 0

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()


def alone(program, failed):
    for name, body in SINGLE.items():
        service = Service(program)
        status = service.ask(gzip.compress(body, 1), gzipped=True)
        above = service.memory() - service.idle
        print(f"{name}: {len(body) >> 20} MiB, status {status}, {above} MiB above idle ({service.idle} MiB)")
        if above > SINGLE_MIB or status not in (200, 413):
            failed.append(f"{name}: status {status}, {above} MiB")
        service.stop()


def together(program, failed):
    service = Service(program)
    need, held, answers = service.need(), [], []
    # Unread answers: as many as possible while every worker is busy.
    packed = gzip.compress(ANSWER, 1)
    for _ in range(7):
        held.append(service.open(packed, gzipped=True, receive=4096))
        answers.append(service.status(held[-1]))
    print(f"answers: {answers.count(200)} not read, {answers.count(503)} turned away, {service.memory('VmRSS')} MiB")
    # Bodies that do not end: large ones, with room left for those being processed, and small ones for the rest.
    half = gzip.compress(b" " * (60 << 20), 1)
    for _ in range(4):
        held.append(service.open(half, length=len(half) + 100, gzipped=True))
    time.sleep(3)
    for _ in range(800):
        held.append(service.open(b" " * 60_000, length=60_100))
    time.sleep(1)
    print(f"with bodies: {service.memory('VmRSS')} MiB")
    # The heaviest possible work on every worker.
    statuses, until = [], time.monotonic() + 15
    bodies = [gzip.compress(body, 1) for body in (SINGLE["small blocks"], SINGLE["many arguments"], ANSWER,
                                                  request({"main.tf": arguments(3000)}, **EVERYTHING))]

    def work(body):
        while time.monotonic() < until:
            statuses.append(service.ask(body, gzipped=True))

    threads = [threading.Thread(target=work, args=(body,)) for body in bodies * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("work:", {status: statuses.count(status) for status in sorted(set(statuses))})
    # More unread answers, until there is no room for work.
    for _ in range(60):
        held.append(service.open(packed, gzipped=True, receive=4096))
        answers.append(service.status(held[-1]))
        if answers[-3:] == [503] * 3:
            break
    print(f"answers: {answers.count(200)} not read, {answers.count(503)} turned away, {service.memory('VmRSS')} MiB")
    most = service.memory()
    print(f"most: {most} MiB of {need} MiB")
    if most > need:
        failed.append(f"{most} MiB, the formula says {need}")
    for sock in held:
        sock.close()
    time.sleep(2)
    after = service.ask(request({"main.tf": "locals {\n}\n"}))
    print(f"afterwards: status {after}, {service.memory('VmRSS')} MiB")
    if after != 200:
        failed.append(f"status {after} afterwards")
    service.stop()


def main():
    failed = []
    alone(sys.argv[1], failed)
    together(sys.argv[1], failed)
    for what in failed:
        print("FAILED:", what)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

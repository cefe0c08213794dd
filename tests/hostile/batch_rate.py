#!/usr/bin/env python3
"""Measures small modules in one batch and in as many requests: how many are answered per second.

    tests/hostile/batch_rate.py target/release/overfold [COUNT]

Requests are sent one after the other on one connection that is kept open, and over eight connections at a time; the
batch is sent over one connection. Each way is tried three times, and the best result is used. Needs only the standard
library of Python 3.
"""
import concurrent.futures
import http.client
import json
import pathlib
import sys
import threading
import time

from harness import Server, unchunk

CONNECTIONS = 8


def body(number):
    """Returns a request of about 400 bytes."""
    text = f'resource "terraform_data" "web" {{\n  input = "blue-{number}"\n}}\n\nvariable "size" {{\n  default = {number}\n}}\n'
    override = 'resource "terraform_data" "web" {\n  input = "green"\n}\n'
    return json.dumps({"stage": "load", "files": {"main.tf": text, "override.tf": override}}).encode()


def requests(server, bodies):
    """Sends them one after the other, on one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    for one in bodies:
        connection.request("POST", "/v1/merge", one, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 200 and b'"green"' in answer.read(), answer.status
    connection.close()


def at_a_time(server, bodies):
    """Sends them over several connections."""
    with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(lambda part: requests(server, part), [bodies[n::CONNECTIONS] for n in range(CONNECTIONS)]))


def batch(server, bodies):
    """Sends all as lines of one batch."""
    head = (b"POST /v1/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n")
    lines = b"\n".join(bodies)
    received = []
    with server.connect() as connection:
        def read():
            while piece := connection.recv(1 << 20):
                received.append(piece)
        reader = threading.Thread(target=read)
        reader.start()
        connection.sendall(head % len(lines) + lines)
        reader.join()
    answers = unchunk(b"".join(received).partition(b"\r\n\r\n")[2])
    assert answers.count(b'"status":200') == answers.count(b'"green"') == len(bodies), answers[-500:]


def main():
    """Prints one line for each way."""
    Server.binary = str(pathlib.Path(sys.argv[1]).resolve())
    bodies = [body(number) for number in range(int(sys.argv[2]) if len(sys.argv) > 2 else 1000)]
    ways = (("requests, one after the other", requests), (f"requests, {CONNECTIONS} at a time", at_a_time),
            ("one batch", batch))
    with Server(args=("--queue", "1000", "--queue-patience", "1000")) as server:
        for name, way in ways:
            best, used = float("inf"), 0.0
            for _ in range(3):
                began, before = time.monotonic(), server.cpu()
                way(server, bodies)
                took = time.monotonic() - began
                if took < best:
                    best, used = took, server.cpu() - before
            print(f"{name:<32} {len(bodies) / best:8.0f}/s   {best * 1000:6.0f} ms   service's processor time {used * 1000:5.0f} ms")


if __name__ == "__main__":
    main()

"""`POST /v1/batch`: endless lines, countless lines, nothing but line feeds, compressed bombs, clients that do not
read."""

import gzip
import json
import socket
import threading
import time
import zlib

from harness import MB, Case, Server, expect, parse_json, unchunk
from shared import bounded

NDJSON = "application/x-ndjson"
LINE = b'{"id":"a","files":{"main.tf":"locals {\\n}\\n"}}\n'
HEAD = (b"POST /v1/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n"
        b"Transfer-Encoding: chunked\r\n")


def lines(body):
    """Returns the lines of an answer: (id, status, code of the problem)."""
    found = [parse_json(line) for line in body.splitlines()]
    return [(line["id"], line["status"], line.get("problem", {}).get("code")) for line in found]


class Batch:
    """A batch whose answers are read while it is being sent."""

    def __init__(self, server, head=HEAD):
        self.connection = server.connect(60)
        self.received = b""
        self.reader = threading.Thread(target=self._read)
        self.connection.sendall(head + b"\r\n")
        self.reader.start()

    def _read(self):
        try:
            while piece := self.connection.recv(1 << 20):
                self.received += piece
        except OSError:
            pass

    def send(self, piece):
        """Sends a piece, and returns whether the server still accepts it."""
        try:
            self.connection.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
            return True
        except OSError:
            return False

    def end(self):
        """Ends the body, and returns status and body of the answer."""
        try:
            self.connection.sendall(b"0\r\n\r\n")
        except OSError:
            pass
        return self.answer()

    def answer(self):
        """Returns status and body of the answer, once it has ended."""
        self.reader.join(60)
        expect(not self.reader.is_alive(), "the answer does not end")
        self.connection.close()
        head, _, body = self.received.partition(b"\r\n\r\n")
        status = int(head[9:12] or 0)
        return status, unchunk(body) if b"chunked" in head.lower() else body


def endless(name, piece, first=b"", coding=b"", most=200):
    """A body that continues until the server ends it."""

    def attack(server, measured):
        with_coding = HEAD + (b"Content-Encoding: " + coding + b"\r\n" if coding else b"")
        batch = Batch(server, with_coding)
        if first:
            batch.send(first)
        sent = 0
        while batch.reader.is_alive() and sent < most * MB and batch.send(piece):
            sent += len(piece)
        expect(sent < most * MB, f"{sent // MB} MB were taken")
        status, body = batch.answer()
        if first:
            expect(status == 200, f"status {status}")
            got = lines(body)
            expect(got[0] == ("a", 200, None), f"the first line got {got[0]}")
            expect(got[-1] == (None, 413, "over-limit"), f"the last line is {got[-1]}")
        else:
            expect(status in (200, 413), f"status {status}")
        return status, f"ended after {sent // MB} MB: {body[-120:]}"

    return bounded(name, attack)


def one_long_line(server, measured):
    """A line of 64 MB between two small ones affects only itself."""
    batch = Batch(server)
    batch.send(LINE)
    for _ in range(64):
        batch.send(b"x" * MB)
    batch.send(b"\n" + LINE)
    status, body = batch.end()
    got = sorted(lines(body), key=str)
    expect(status == 200 and len(got) == 3, f"{status}: {got}")
    expect(got[0] == ("a", 200, None) and got[1] == ("a", 200, None), f"{got}")
    expect(got[2][1:] == (413, "over-limit"), f"{got}")
    return status, f"{len(body)} bytes"


def many_bad_lines(server, measured):
    """Lines that are not JSON: each yields a 400, until the answers are out of proportion."""
    for line, count in ((b"x\n", 200_000), (b"not a request\n", 20_000), (b'{"file": {"main.tf": ""}, "root": "."}\n', 2000)):
        batch = Batch(server)
        batch.send(line * count)
        status, body = batch.end()
        got = lines(body)
        expect(status == 200, f"status {status}")
        expect(all(one[1:] == (400, "malformed-body") or len(line) > 20 and one[1] == 400 for one in got), f"{got[:3]}")
        most = 70_000 + 17 * len(line) * count
        expect(len(body) < most, f"{len(body)} bytes for {len(line) * count}")
        if len(line) > 20:
            expect({one[0] for one in got} == set(range(1, count + 1)), "a line is missing")
    return status, f"{len(body)} bytes"


def bomb(server, measured):
    """A gigabyte of line feeds compressed with gzip, after a valid line."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = packer.compress(LINE)
    for _ in range(1024):
        packed += packer.compress(b"\n" * MB)
    packed += packer.flush()
    answer = server.post(packed, NDJSON, "/v1/batch", {"Content-Encoding": "gzip"})
    got = lines(answer.body)
    expect(answer.status == 200 and got[-1] == (None, 413, "over-limit"), f"{answer.status}: {got}")
    return answer.status, f"{len(packed)} bytes sent"


def long_id(server, measured):
    """An id of one megabyte is not sent back."""
    answer = server.post(b'{"id":"' + b"x" * MB + b'","files":{}}\n', NDJSON, "/v1/batch")
    expect(answer.status == 200 and len(answer.body) < 1000, f"{answer.status}: {len(answer.body)} bytes")
    expect(lines(answer.body) == [(1, 400, "bad-option")], answer.body)
    return answer.status, f"{len(answer.body)} bytes"


def deep_line(server, measured):
    """A line with a hundred thousand brackets, with and without an id."""
    deep = b"[" * 100_000
    body = b'{"id":1,"files":' + deep + b"\n" + deep + b"\n" + LINE
    answer = server.post(body, NDJSON, "/v1/batch")
    got = sorted(line[1] for line in lines(answer.body))
    expect(answer.status == 200 and got == [200, 400, 400], f"{answer.status}: {answer.body}")
    return answer.status, "3 lines"


def unread(measured):
    """30 clients send lines with large answers and never read: the data waiting for them is bounded, and other clients
    are served."""
    files = {"main.tf": "locals {\n" + "".join(f"a{n} = [{n}]\n" for n in range(20_000)) + "}\n"}
    line = json.dumps({"files": files, "include": ["objects", "config"]}).encode() + b"\n"
    chunk = b"%x\r\n%s\r\n" % (len(line), line)
    with Server() as server, measured.over(server, cpu=None, memory_mb=1500, free=60, runaway=200):
        connections = []
        for _ in range(30):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", server.port))
            connection.settimeout(0.2)
            connections.append(connection)
            try:
                connection.sendall(HEAD + b"\r\n")
                for _ in range(20):
                    connection.sendall(chunk)
            except OSError:
                pass
        began = time.monotonic()
        served = 0
        while time.monotonic() - began < 20:
            served += server.post(b'{"files":{}}').status == 200
            time.sleep(0.5)
        expect(served > 5, f"others were served {served} times in 20 s")
        for connection in connections:
            connection.close()


def soak(measured):
    """100,000 small lines in one batch: memory does not grow with their number."""
    with Server() as server, measured.over(server, cpu=None, memory_mb=64, runaway=400):
        batch = Batch(server)
        for _ in range(1000):
            if not batch.send(LINE * 100):
                break
        status, body = batch.end()
        expect(status == 200, f"status {status}")
        count = body.count(b"\n")
        expect(count == 100_000 and body.count(b'"status":200') == count, f"{count} lines")
        measured.note = f"{len(body) / MB:.0f} MB of answers"


def cases():
    """The short cases first."""
    yield bounded("a line of 64 MB", one_long_line)
    yield endless("a line without end", b"x" * MB, LINE)
    yield endless("a line without end and none before it", b"x" * MB)
    yield endless("nothing but line feeds", b"\n" * MB, LINE)
    yield endless("nothing but line feeds and none before them", b"\n" * MB)
    yield endless("nothing but spaces", b" " * MB, LINE)
    yield endless("gzip members without end", gzip.compress(b"\n" * 64 * MB, 9), gzip.compress(LINE), b"gzip")
    yield bounded("line feeds, compressed", bomb)
    yield bounded("many bad lines", many_bad_lines)
    yield bounded("a long id", long_id)
    yield bounded("deep lines", deep_line)
    yield Case("unread answers", unread, quick=False)
    yield Case("a hundred thousand lines", soak, quick=False)

"""Clients that are slow, idle or numerous: slow headers, bodies and readers, and endless connections."""

import gzip
import resource
import socket
import threading
import time

from harness import MB, SMALL, Case, Server, expect, merge_body

HEAD = b"POST /v1/merge HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
# No connection may stay open for longer than this without progress.
IDLE_SECONDS = 90
# The memory of the container.
IMAGE_MB = 2048


def closed(connection, wait=0.2):
    """Whether the server has ended this connection."""
    connection.settimeout(wait)
    try:
        while connection.recv(65536):
            pass
        return True
    except TimeoutError:
        return False
    except OSError:
        return True


def several(count, server, data):
    """Returns this many connections on which this has been sent."""
    connections = []
    for _ in range(count):
        connection = server.connect()
        connection.sendall(data)
        connections.append(connection)
    return connections


def unsent_bodies(measured):
    """Headers only, from more clients than can be processed and queued: other clients are served in the meantime."""
    with Server() as server, measured.over(server, memory_mb=64):
        connections = several(64, server, HEAD + b"Content-Length: 100\r\n\r\n")
        began = time.monotonic()
        while time.monotonic() - began < 10:
            answer = server.post(SMALL)
            expect(answer.status == 200, f"a small request got {answer.status} {answer.problem}")
            expect(server.get("/readyz").status == 200, "not ready")
            time.sleep(0.5)
        for connection in connections:
            connection.close()


def dripped_body(measured):
    """One byte every five seconds does not keep a request alive."""
    with Server() as server:
        connection = server.connect()
        connection.sendall(HEAD + b"Content-Length: 100\r\n\r\n")
        began = time.monotonic()
        while time.monotonic() - began < 60 and not closed(connection, 5):
            try:
                connection.sendall(b" ")
            except OSError:
                break
        measured.seconds = time.monotonic() - began
        expect(measured.seconds < 60, "open after a minute")


def idle_connections(measured):
    """Nothing sent, half a header, an idle connection: each is closed after a while, without any request about it."""
    with Server() as server:
        nothing = server.connect()
        partial, = several(1, server, b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nA: ")
        kept, = several(1, server, b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        kept.recv(1000)
        waiting, began = {"nothing sent": nothing, "half a header": partial, "kept alive": kept}, time.monotonic()
        while waiting and time.monotonic() - began < IDLE_SECONDS:
            waiting = {name: one for name, one in waiting.items() if not closed(one)}
            time.sleep(0.5)
        measured.seconds = time.monotonic() - began
        expect(not waiting, f"open after {IDLE_SECONDS} s: {', '.join(waiting)}")


def few_descriptors(measured):
    """3000 idle connections with a limit of 1024 descriptors: `/livez` answers, and so does everything afterwards."""
    with Server(descriptors=1024) as server, measured.over(server, memory_mb=64):
        connections = []
        for _ in range(3000):
            try:
                connections += several(1, server, b"G")
            except OSError:
                break  # Refused, which is permitted.
        time.sleep(1)
        answer = server.get("/livez", timeout=8)
        expect(answer.status == 200, f"/livez got {answer.status} {answer.problem}")
        before = server.cpu()
        time.sleep(2)
        expect(server.cpu() - before < 0.5, "uses CPU while idle")
        for connection in connections:
            connection.close()
        measured.note = f"{len(connections)} connections"


def ten_thousand(measured):
    """10,000 connections that have begun a request: other clients are served, and memory is bounded."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 20_000), most))
    with Server() as server, measured.over(server, cpu=5):
        connections = []
        for _ in range(10_000):
            try:
                connections += several(1, server, HEAD)
            except OSError:
                break
        measured.note = f"{len(connections)} connections"
        answer = server.get("/livez")
        expect(answer.status == 200, f"/livez got {answer.status} {answer.problem}")
        for connection in connections:
            connection.close()


def slow_readers(measured):
    """60 clients request an answer of 30 MB each and never read: memory stays bounded and the answers are dropped."""
    body = gzip.compress(merge_body('locals {\n a = "' + "x" * 30_000_000 + '"\n}\n'), 9)
    head = HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body)
    with Server() as server, measured.over(server, cpu=None, memory_mb=IMAGE_MB - 256, runaway=120):
        connections = []
        for _ in range(60):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", server.port))
            connection.sendall(head + body)
            connections.append(connection)
        time.sleep(IDLE_SECONDS)
        expect(server.post(SMALL).status == 200, "other clients are not served")
        # Either the answer was written to a client that does not read it, or the client was dropped.
        open_still = server.descriptors()
        expect(open_still < 40, f"{open_still} descriptors after {IDLE_SECONDS} s")
        for connection in connections:
            connection.close()


def unread_for_20_kb():
    """A request of some 20 KB whose answer has some 70 MB, as sent."""
    files = {name: 'resource "a" "b" {\n a = "' + letter * (10 << 20) + '"\n}\n'
             for name, letter in (("main.tf", "x"), ("override.tf", "y"))}
    body = gzip.compress(merge_body(files, include=["config", "objects", "overrides"]), 9)
    return HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def unread(sips, again):
    """Eight clients take `sips` bytes of their large answers every 5 s, and come again when they are cut off if `again`:
    small requests are always served, larger ones after a moment."""

    def run(measured):
        request, stop = unread_for_20_kb(), threading.Event()

        def client(server):
            while not stop.is_set():
                try:
                    with socket.socket() as connection:
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
                        connection.settimeout(5)
                        connection.connect(("127.0.0.1", server.port))
                        connection.sendall(request)
                        while connection.recv(max(sips, 1), 0 if sips else socket.MSG_PEEK) and not stop.wait(5):
                            pass
                except OSError:
                    pass
                if not again or stop.wait(0.5):
                    return

        with Server() as server, measured.over(server, cpu=None, memory_mb=IMAGE_MB - 256, runaway=120):
            clients = [threading.Thread(target=client, args=(server,), daemon=True) for _ in range(8)]
            for one in clients:
                one.start()
                time.sleep(0.7)
            began, medium, larger = time.monotonic(), merge_body('locals {\n a = "' + "x" * 100_000 + '"\n}\n'), []
            while time.monotonic() - began < 40:
                answer = server.post(SMALL)
                expect(answer.status == 200, f"a small request got {answer.status} {answer.problem}")
                expect(server.get("/readyz").status == 200, "not ready")
                larger.append(server.post(medium).status)
                time.sleep(0.5)
            served = larger.count(200)
            measured.note = f"{served} of {len(larger)} medium requests"
            expect(served * 2 > len(larger), f"only {measured.note} are served")
            stop.set()

    return run


def held_bodies(measured):
    """18 bodies of 120 MB, sent as 120 KB, that lack their last bytes."""
    body = gzip.compress(b" " * (120 * MB) + SMALL, 9)
    head = HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body)
    with Server() as server, measured.over(server, cpu=None, memory_mb=IMAGE_MB - 256, runaway=120):
        connections = several(18, server, head + body[:-20])
        time.sleep(6)
        for connection in connections:
            try:
                connection.sendall(body[-20:])
            except OSError:
                pass  # Already rejected.
        time.sleep(3)
        for connection in connections:
            connection.close()


def cases():
    """The short cases first."""
    yield Case("64 bodies that are not sent", unsent_bodies)
    yield Case("3000 connections, 1024 descriptors", few_descriptors)
    yield Case("18 bodies of 120 MB that do not end", held_bodies, quick=False)
    yield Case("10000 connections", ten_thousand, quick=False)
    yield Case("a body of a byte every 5 s", dripped_body, quick=False)
    yield Case("idle connections", idle_connections, quick=False)
    yield Case("60 clients that do not read", slow_readers, quick=False)
    yield Case("8 clients that sip 70 MB each", unread(66_000, again=False), quick=False)
    yield Case("8 clients that never read 70 MB, and come again", unread(0, again=True), quick=False)

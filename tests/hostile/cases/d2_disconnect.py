"""Clients that leave: their work ends, their slots become free, and the log records them."""

import time

from cases.c3_constant_budget import loops
from harness import MEMORY_MB, SMALL, Case, Server, expect


def gone(measured):
    """Thirty expensive requests, with each client leaving after a moment."""
    body = loops(60, 8, 10)
    head = (b"POST /v1/merge HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body))
    # A connection closed in one direction may still want its answer: who has left is noticed only after 100 ms, so up to
    # three of these requests are at work at once.
    with Server() as server, measured.over(server, cpu=None, memory_mb=2 * MEMORY_MB):
        lines = len(server.log().splitlines())
        for _ in range(30):
            with server.connect() as connection:
                connection.sendall(head + body)
                time.sleep(0.1)
        idle = server.settle(1)
        answer = server.post(SMALL)
        measured.status, measured.note = answer.status, f"idle {idle and round(idle, 2)} s after the last one left"
        expect(idle is not None, "still at work a second after the last client left")
        expect(answer.status == 200 and answer.seconds < 1, f"the next client waited {answer.seconds:.1f} s")
        logged = len(server.log().splitlines()) - lines
        expect(logged >= 30, f"{logged} log lines for 31 requests")


def cases():
    """One case."""
    yield Case("30 clients that leave", gone)

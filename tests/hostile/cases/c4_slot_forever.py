"""As many expensive requests as there are workers: other requests are answered soon, and SIGTERM takes effect."""

import gzip
import os
import threading
import time

from cases.c3_constant_budget import loops
from harness import SMALL, Case, Server, expect

WORKERS = os.cpu_count() or 1


def attack(measured):
    """Two expensive requests for every worker, with small ones in between, then SIGTERM while more of them are
    running."""
    body = gzip.compress(loops(60, 8, 10), 9)
    packed = {"Content-Encoding": "gzip"}
    with Server() as server:
        answers = []

        def expensive():
            answers.append(server.post(body, headers=packed))

        waits = []
        with measured.over(server, cpu=None, memory_mb=None, runaway=60):
            attackers = [threading.Thread(target=expensive) for _ in range(2 * WORKERS)]
            for attacker in attackers:
                attacker.start()
            while any(attacker.is_alive() for attacker in attackers):
                victim = server.post(SMALL)
                waits.append(victim.seconds)
                expect(victim.status == 200, f"a small request beside them got {victim.status} {victim.problem}")
                time.sleep(0.2)
        measured.status = ",".join(sorted({str(answer.status) for answer in answers}))
        measured.note = f"small requests waited {max(waits):.1f} s at most"
        for answer in answers:
            answer.check()
        expect(max(waits) < 5, measured.note)
        attackers = [threading.Thread(target=expensive) for _ in range(WORKERS)]
        for attacker in attackers:
            attacker.start()
        time.sleep(0.3)
        code, seconds = server.stop(wait=40)
        for attacker in attackers:
            attacker.join()
        expect(code == 0 and seconds < 35, f"SIGTERM beside them: exit {code} after {seconds:.1f} s")


def cases():
    """One case."""
    yield Case("every worker taken", attack)

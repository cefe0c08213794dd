"""Four times the machine's capacity: correct answers, well-formed rejections, and SIGTERM in the middle."""

import asyncio
import os
import signal
import time

from harness import Case, Measured, Server, expect
from mixed_load import SIZES_KB, Load

SECONDS = float(os.environ.get("OVERLOAD_SECONDS", "30"))


def overload(measured):
    """Every 200 has the same bytes as without load; everything else is a 503 with `Retry-After`."""
    with Server() as server:
        load = Load(server.port)
        with measured.over(server, cpu=None, memory_mb=1792, free=30, runaway=10_000):
            async def run():
                await load.learn()
                capacity = await load.closed_loop(2, 8)
                load.answered.clear()
                await load.open_loop(4 * capacity, SECONDS)
                return capacity

            capacity = asyncio.run(run())
        counts = load.statuses()
        slow = {size: round(load.slowdown(size), 1) for size in sorted(set(SIZES_KB))}
        measured.status = ",".join(f"{status}x{count}" for status, count in sorted(counts.items()))
        measured.note = f"capacity {capacity:.0f} a second; p99 over the quiet median by KB: {slow}"
        expect(load.wrong == 0, f"{load.wrong} answers differ from those without load")
        expect(not load.lost, f"{len(load.lost)} requests without an answer: {set(load.lost)}")
        expect(set(counts) <= {200, 503}, f"statuses {counts}")
        expect(load.no_retry == 0, f"{load.no_retry} refusals without Retry-After")
        # A measurement of time, like that of /livez: only if the machine is otherwise idle.
        if Measured.livez_limit_ms is not None:
            expect(max(slow.values()) < 10, measured.note)


def terminated(measured):
    """SIGTERM under load: every accepted request is answered, and the process exits cleanly and soon."""
    with Server() as server:
        load = Load(server.port)

        async def run():
            await load.learn()
            clients = asyncio.create_task(load.closed_loop(16, 5))
            await asyncio.sleep(2)
            server.process.send_signal(signal.SIGTERM)
            began = time.monotonic()
            while server.alive() and time.monotonic() - began < 35:
                await asyncio.sleep(0.02)
            measured.seconds = time.monotonic() - began
            await clients

        asyncio.run(run())
        measured.status, counts = server.process.returncode, load.statuses()
        measured.note = str(counts)
        expect(server.process.returncode == 0, f"exit {server.process.returncode} after {measured.seconds:.1f} s")
        # Once the listener is closed, connections are refused; nothing else may be lost.
        lost = [one for one in load.lost if one != "ConnectionRefusedError"]
        expect(load.wrong == 0, f"{load.wrong} answers differ from those without load")
        expect(set(counts) <= {200, 503}, f"statuses {counts}")
        expect(not lost, f"{len(lost)} requests without an answer: {set(lost)}")


def cases():
    """Both take a while."""
    yield Case("four times the capacity", overload, quick=False)
    yield Case("SIGTERM under load", terminated, quick=False)

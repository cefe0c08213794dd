"""Memory is freed after an overload."""

import asyncio
import time

from harness import Case, Server, expect
from mixed_load import Load


def rounds(measured):
    """Three rounds of thirty clients; idle memory does not rise from round to round."""
    with Server() as server:
        load, idle = Load(server.port), []

        async def run():
            await load.learn()
            for _ in range(3):
                await load.closed_loop(30, 15)
                await asyncio.sleep(4)
                idle.append(server.rss_mb())

        began = time.monotonic()
        asyncio.run(run())
        measured.seconds, measured.memory_mb = time.monotonic() - began, idle[-1] - server.idle_mb
        measured.note = "idle after each round: " + ", ".join(f"{one:.0f} MB" for one in idle)
        expect(load.wrong == 0, f"{load.wrong} answers differ from those without load")
        expect(idle[-1] < idle[0] + 64, measured.note)
        expect(measured.memory_mb < 256, measured.note)


def cases():
    """One case."""
    yield Case("three rounds of overload", rounds, quick=False)

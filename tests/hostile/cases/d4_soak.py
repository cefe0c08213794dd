"""A minute of small requests that are all different: memory does not grow."""

import http.client
import os
import random
import threading
import time

from harness import Case, Server, expect, merge_body

SECONDS = float(os.environ.get("SOAK_SECONDS", "60"))


def soak(measured):
    """Memory at the end is about the same as after a third of the time."""
    with Server() as server:
        began, count = time.monotonic(), [0, 0, 0]

        def client(number):
            connection = http.client.HTTPConnection("127.0.0.1", server.port)
            chosen = random.Random(number)
            while time.monotonic() - began < SECONDS:
                text = "".join(f'resource "a" "b{at}{chosen.random()}" {{\n x = {chosen.random()}\n}}\n'
                               for at in range(chosen.randint(1, 200)))
                body = merge_body({"main.tf": text, "o_override.tf": "locals {\n}\n"}, include=["config", "objects"])
                connection.request("POST", "/v1/merge", body=body, headers={"Content-Type": "application/json"})
                answer = connection.getresponse()
                answer.read()
                expect(answer.status == 200, f"status {answer.status}")
                count[number] += 1

        threads = [threading.Thread(target=client, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(SECONDS / 3)
        early = server.rss_mb()
        for thread in threads:
            thread.join()
        late = server.rss_mb()
        measured.seconds, measured.memory_mb = SECONDS, late - server.idle_mb
        measured.note = f"{sum(count)} requests; {early:.0f} MB early, {late:.0f} MB at the end"
        expect(server.alive() and min(count) > 0, "a client ended early")
        expect(late < early + 32, measured.note)


def cases():
    """One case."""
    yield Case("a minute of small requests", soak, quick=False)

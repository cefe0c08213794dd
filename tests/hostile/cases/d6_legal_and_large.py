"""Two large requests within every limit at once; a form sent by a page of another site."""

import gzip
import threading

from harness import Case, Server, expect, merge_body
from shared import bounded

# The memory of the container, minus what else uses it.
IMAGE_MB = 2048 - 128


def two_at_once(measured):
    """Together they fit into the memory of the container."""
    body = gzip.compress(merge_body("locals {\na=1\n}\n" * 1_000_000, include=["config", "objects"]), 9)
    answers = []
    with Server() as server:
        with measured.over(server, cpu=20, memory_mb=IMAGE_MB, runaway=60):
            threads = [threading.Thread(target=lambda: answers.append(
                server.post(body, headers={"Content-Encoding": "gzip"}))) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        measured.status = ",".join(str(answer.status) for answer in answers)
        for answer in answers:
            expect(answer.status in (200, 413, 503), f"status {answer.status} {answer.problem}")


def cross_site(headers, status):
    """A form as a browser sends it."""

    def attack(server, _measured):
        form = (b'--X\r\nContent-Disposition: form-data; name="files"; filename="a.tf"\r\n\r\n#\r\n--X--\r\n')
        answer = server.post(form, "multipart/form-data; boundary=X", headers=headers)
        expect(answer.status == status, f"answered with {answer.status}")
        return answer.status, answer.brief()

    return attack


def cases():
    """Both."""
    yield Case("two requests of a million blocks", two_at_once)
    for name, headers in (
            ("Origin", {"Origin": "https://evil.example"}), ("Sec-Fetch-Site", {"Sec-Fetch-Site": "cross-site"}),
            ("both", {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}),
            ("a null Origin", {"Origin": "null"})):
        yield bounded(f"form of another site, known by {name}", cross_site(headers, 403))
    yield bounded("form without a browser", cross_site({}, 200))

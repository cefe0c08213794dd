"""A cache server that answers slowly, too much, or wrongly costs every request a moment, and one warning."""

import contextlib
import socket
import threading
import time

from harness import SMALL, Case, Server, expect

# How long a cache is left alone after a failure, and a moment more.
PAUSE_SECONDS = 5.5


class Fake:
    """A server that answers every question in one way."""

    def __init__(self, answer):
        self.answer = answer
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.socket.listen(64)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.socket.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError), connection:
            while connection.recv(65536):
                self.answer(connection)

    def close(self):
        self.socket.close()


def trickle(head):
    """Sends a byte each 100 ms, without end."""

    def answer(connection):
        connection.sendall(head)
        while True:
            connection.sendall(b"x")
            time.sleep(0.1)

    return answer


def flood(head):
    """Sends as much as is taken."""

    def answer(connection):
        connection.sendall(head)
        while True:
            connection.sendall(b"x" * 1_000_000)

    return answer


def once(text):
    """Sends a text."""
    return lambda connection: connection.sendall(text)


ANSWERS = {
    "trickles an entry": trickle(b"$400\r\n"),
    "trickles a status": trickle(b"+"),
    "trickles a length": trickle(b"$"),
    "announces and sends 1.5 GB": flood(b"$1500000000\r\n"),
    "announces 8 EB": flood(b"$9223372036854775807\r\n"),
    "sends a line without an end": flood(b"+"),
    "announces a list of a billion items": flood(b"*1000000000\r\n"),
    "nests lists": lambda connection: [connection.sendall(b"*1\r\n" * 100_000) for _ in range(1000)],
    "sends a list of entries": once(b"*2\r\n$1\r\na\r\n$1\r\nb\r\n"),
    "says that it is loading": once(b"-LOADING Redis is loading the dataset in memory\r\n"),
    "sends nonsense": once(b"\x00\xff\r\n" * 10),
    "sends the next answers, too": once(b"$0\r\n\r\n" * 1000),
    "closes": lambda connection: connection.close(),
    "says nothing": lambda connection: time.sleep(60),
}


def case(name, answer, tls=False):
    """Several requests at a time, and one more."""

    def run(measured):
        fake = Fake(answer)
        scheme = "rediss" if tls else "redis"
        with Server(args=("--cache-redis", f"{scheme}://127.0.0.1:{fake.port}")) as server:
            # The first request of all has found out that the cache does not answer.
            time.sleep(PAUSE_SECONDS)
            results = []

            def ask():
                began = time.monotonic()
                got = server.post(SMALL, path="/v1/plan", timeout=20)
                results.append((got.status, time.monotonic() - began))

            with measured.over(server):
                asking = [threading.Thread(target=ask) for _ in range(3)]
                for thread in asking:
                    thread.start()
                for thread in asking:
                    thread.join()
                ask()
            measured.status = results[-1][0]
            slowest = max(seconds for _, seconds in results)
            warnings = server.log().count(" WARN ") + server.log().count('"level":"WARN"')
            measured.note = f"slowest {slowest:.2f} s, {warnings} warnings"
            expect(all(status == 200 for status, _ in results), f"{results}")
            # Two of them may wait for the same place one after the other, on a busy machine.
            expect(slowest < 1.5, measured.note)
            expect(warnings <= 2, measured.note)
        fake.close()

    return Case(name, run)


def cases():
    """All answers."""
    for name, answer in ANSWERS.items():
        yield case(f"a cache server that {name}", answer)
    for name in ("trickles an entry", "announces and sends 1.5 GB", "says nothing"):
        yield case(f"a cache server with TLS that {name}", ANSWERS[name], tls=True)

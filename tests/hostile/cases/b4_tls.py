"""TLS and HTTP/2: handshakes that do not end or do not stop, and the attacks on a protocol with many streams."""

import contextlib
import gzip
import os
import shutil
import socket
import ssl
import struct
import subprocess
import tempfile
import threading
import time

from harness import MB, SMALL, Case, Failure, Server, expect, merge_body

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 2, 3, 4, 6, 7, 8, 9
END_STREAM, END_HEADERS = 1, 4
# The beginning of a client's first message.
HALF_HELLO = bytes([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3])
LARGE = b"/docs/swagger-ui-bundle.js"


def frame(kind, flags, stream, payload=b""):
    """Returns a frame (RFC 9113, 4.1)."""
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def text(value):
    """Returns a string for a block of header fields, without Huffman code (RFC 7541, 5.2)."""
    length = len(value)
    if length < 127:
        return bytes([length]) + value
    rest, more = length - 127, [127]
    while rest >= 128:
        more.append(rest % 128 + 128)
        rest //= 128
    return bytes([*more, rest]) + value


def head(method=b"GET", path=b"/livez", more=b""):
    """Returns the block of header fields of a request."""
    # The scheme https is 7 in the static table; the names are 2, 4 and 1.
    return b"\x02" + text(method) + b"\x87\x04" + text(path) + b"\x01" + text(b"localhost") + more


# The Content-Type of a request whose body is JSON; the name is 31 in the static table.
JSON = b"\x5f" + text(b"application/json")


class TlsServer(Server):
    """A service with a certificate of its own. Requests of the harness are made with HTTP/1.1."""

    def __init__(self, env=None):
        if not shutil.which("openssl"):
            raise Failure("openssl, which makes the certificate, is not installed")
        self.folder = tempfile.TemporaryDirectory()
        certificate, key = (os.path.join(self.folder.name, name) for name in ("certificate", "key"))
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True)
        super().__init__({"OVERFOLD_TLS_CERTIFICATE": certificate, "OVERFOLD_TLS_KEY": key} | (env or {}))

    def plain(self, timeout=20, buffer=None):
        """Opens a connection without a handshake, which takes up to `buffer` bytes that nobody reads."""
        connection = socket.socket()
        if buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        connection.settimeout(timeout)
        connection.connect(("127.0.0.1", self.port))
        return connection

    def connect(self, timeout=20, protocol="http/1.1", buffer=None):
        """Opens a connection."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols([protocol])
        return context.wrap_socket(self.plain(timeout, buffer))

    def http2(self, settings=b""):
        """Opens a connection with HTTP/2."""
        connection = self.connect(protocol="h2")
        connection.sendall(PREFACE + frame(SETTINGS, 0, 0, settings))
        return connection


def frames(connection, wait=5.0):
    """Yields kind, flags, stream and payload of each frame that arrives, until none does for so long."""
    connection.settimeout(wait)
    received = b""
    with contextlib.suppress(OSError):
        while chunk := connection.recv(65536):
            received += chunk
            while len(received) >= 9 and len(received) >= 9 + int.from_bytes(received[:3], "big"):
                length = int.from_bytes(received[:3], "big")
                yield received[3], received[4], int.from_bytes(received[5:9], "big"), received[9:9 + length]
                received = received[9 + length:]


def sent(connection, pieces):
    """Sends pieces until the service refuses more; returns how many were sent."""
    count = 0
    with contextlib.suppress(OSError):
        for piece in pieces:
            connection.sendall(piece)
            count += 1
    return count


def half_handshakes(measured):
    """1500 clients that begin a handshake: probes are answered, and a while later everybody is."""
    with TlsServer({"OVERFOLD_HEADER_SECONDS": "6"}) as server, measured.over(server, cpu=4, memory_mb=128):
        held = []
        for _ in range(1500):
            with contextlib.suppress(OSError):
                connection = server.plain()
                connection.sendall(HALF_HELLO)
                held.append(connection)
            # Beyond the cap, whoever has said nothing for longest makes room; a probe needs two milliseconds to say something.
            time.sleep(0.002)
        expect(server.get("/livez").status == 200, "/livez is not answered")
        time.sleep(7)
        answer = server.post(SMALL)
        expect(answer.status == 200, f"afterwards, a small request got {answer.status} {answer.problem}")
        measured.note = f"{len(held)} connections"
        for connection in held:
            connection.close()


def handshake_flood(measured):
    """Handshakes from eight threads for five seconds, each connection dropped at once."""
    with TlsServer() as server, measured.over(server, cpu=None, memory_mb=64, runaway=60):
        ending, counts = time.monotonic() + 5, [0] * 8

        def knock(at):
            while time.monotonic() < ending:
                with contextlib.suppress(OSError):
                    server.connect().close()
                    counts[at] += 1

        threads = [threading.Thread(target=knock, args=(at,)) for at in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        measured.note = f"{sum(counts)} handshakes"


def noise(measured):
    """What is no handshake at all."""
    with TlsServer() as server, measured.over(server, memory_mb=64):
        for piece in (b"\x16\x03\x01\xff\xff" + b"\x01" * 70_000, bytes(range(256)) * 100, b"\x00" * 1000, b"\x15\x03\x03\x00\x02\x02\x28",
                      b"\x16\x03\x01\x00\x00" * 10_000, PREFACE + frame(SETTINGS, 0, 0), b"\x80\x2e\x01\x00\x02"):
            with server.plain(5) as connection:
                sent(connection, [piece])
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(65536):
                        pass


def over_http2(attack, cpu=2, memory_mb=64, env=None, ended=True, quick=True, settings=b""):
    """Returns a case with one connection: `attack` takes it and returns a note. Unless told otherwise, the service must
    have ended the connection afterwards."""

    def run(measured):
        with TlsServer(env) as server, measured.over(server, cpu=cpu, memory_mb=memory_mb):
            connection = server.http2(settings)
            measured.note = attack(connection, server) or ""
            if ended:
                last = [one for one in frames(connection) if one[0] == GOAWAY]
                connection.settimeout(5)
                try:
                    is_over = not connection.recv(1)
                except TimeoutError:
                    is_over = False
                except OSError:
                    is_over = True
                expect(last or is_over, "the connection goes on")
            connection.close()

    return Case(attack.__doc__.rstrip("."), run, quick)


def rapid_reset(connection, _):
    """50,000 streams that are reset as soon as they are opened."""
    block = head(b"POST", b"/v1/merge")
    both = (frame(HEADERS, END_HEADERS, at, block) + frame(RST_STREAM, 0, at, struct.pack(">I", 8)) for at in range(1, 100_001, 2))
    return f"{sent(connection, both)} sent"


def rapid_reset_by_mistakes(connection, _):
    """50,000 streams that the service itself has to reset."""
    wrong = (frame(HEADERS, END_HEADERS, at, head()) + frame(WINDOW_UPDATE, 0, at, struct.pack(">I", 0)) for at in range(1, 100_001, 2))
    return f"{sent(connection, wrong)} sent"


def endless_head(connection, _):
    """A head of 200,000 continuations."""
    start = frame(HEADERS, 0, 1, head())
    piece = frame(CONTINUATION, 0, 1, b"\x00" + text(b"a") + text(b"b" * 100)) * 10
    return f"{10 * sent(connection, [start, *[piece] * 20_000])} sent"


def empty_continuations(connection, _):
    """A head of 500,000 continuations with nothing in them."""
    return f"{100 * sent(connection, [frame(HEADERS, 0, 1, head()), *[frame(CONTINUATION, 0, 1) * 100] * 5000])} sent"


def bomb(connection, _):
    """A head that unpacks to 64 MB."""
    stored = b"\x40" + text(b"a") + text(b"b" * 4000)
    # The entry that has just been added is the first behind the static table.
    connection.sendall(frame(HEADERS, END_HEADERS | END_STREAM, 1, head(more=stored + b"\xbe" * 12_000)))
    answered = [payload for kind, _, _, payload in frames(connection, 2) if kind in (HEADERS, RST_STREAM, GOAWAY)]
    expect(answered, "nothing is answered")


def settings_flood(connection, _):
    """200,000 frames of settings, whose acknowledgements nobody reads."""
    return f"{100 * sent(connection, [frame(SETTINGS, 0, 0, struct.pack('>HI', 4, 65_535)) * 100] * 2000)} sent"


def ping_flood(connection, _):
    """200,000 pings, whose answers nobody reads."""
    return f"{100 * sent(connection, [frame(PING, 0, 0, b'12345678') * 100] * 2000)} sent"


def empty_data(connection, _):
    """A body of 200,000 frames with nothing in them."""
    connection.sendall(frame(HEADERS, END_HEADERS, 1, head(b"POST", b"/v1/merge")))
    return f"{100 * sent(connection, [frame(DATA, 0, 1) * 100] * 2000)} sent"


def priorities(connection, _):
    """300,000 frames of priority."""
    return f"{100 * sent(connection, [frame(PRIORITY, 0, 3, struct.pack('>IB', 5, 9)) * 100] * 3000)} sent"


def many_streams(connection, server):
    """400 requests at a time: no more than the cap is begun, and others are served."""
    for at in range(1, 801, 2):
        connection.sendall(frame(HEADERS, END_HEADERS, at, head(b"POST", b"/v1/merge", JSON)))
    refused = sum(1 for kind, _, _, _ in frames(connection, 2) if kind == RST_STREAM)
    expect(refused == 300, f"{refused} refused")
    expect(server.post(SMALL).status == 200, "others are not served")
    return f"{refused} refused"


def unread_streams(connection, server):
    """100 answers of a megabyte and a half that nobody reads."""
    for at in range(1, 201, 2):
        connection.sendall(frame(HEADERS, END_HEADERS | END_STREAM, at, head(path=LARGE)))
    time.sleep(4)
    reset = sum(1 for kind, _, _, _ in frames(connection, 2) if kind == RST_STREAM)
    expect(reset == 100, f"{reset} of 100 have been given up")
    expect(server.post(SMALL).status == 200, "others are not served")


def held_answers(server):
    """Returns the bytes of the answers that have not been sent yet."""
    return int(server.get("/metrics").body.decode().partition("\noverfold_answers_held_bytes ")[2].split("\n")[0])


def unread_small_answers(measured):
    """1600 answers of 60 KB on 16 connections, small enough to be handed over at once, that nobody reads."""
    body = gzip.compress(merge_body('locals {\n a = "' + "x" * 60_000 + '"\n}\n'))
    # Content-Encoding is 26 in the static table.
    block = head(b"POST", b"/v1/merge", JSON + b"\x5a" + text(b"gzip"))
    whole_windows = frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 2**31 - 1)) + frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 2**30))
    requests = b"".join(
        frame(HEADERS, END_HEADERS, at, block) + frame(DATA, END_STREAM, at, body) for at in range(1, 201, 2))
    # So little memory that these answers close all places but the one for small requests.
    patient = {"OVERFOLD_MAX_ANSWERS_BYTES": "2097152", "OVERFOLD_MAX_MEMORY_BYTES": "4194304", "OVERFOLD_QUEUE": "10000",
               "OVERFOLD_QUEUE_PATIENCE": "1000"}
    with TlsServer(patient) as server, measured.over(server, cpu=None, memory_mb=192, runaway=60):
        connections = []
        for _ in range(16):
            connection = server.connect(protocol="h2", buffer=4096)
            connection.sendall(PREFACE + whole_windows + requests)
            connections.append(connection)
        most = 0
        for _ in range(20):
            time.sleep(0.2)
            most = max(most, held_answers(server))
        # Whoever comes again is served before long, because the connections of those who do not read are ended.
        medium = merge_body('locals {\n a = "' + "x" * 100_000 + '"\n}\n')
        began = time.monotonic()
        while (answer := server.post(medium)).status == 503 and time.monotonic() - began < 15:
            time.sleep(0.2)
        waited = time.monotonic() - began
        expect(answer.status == 200, f"after {waited:.0f} s a request of medium size got {answer.status} {answer.problem}")
        measured.note = f"{most / MB:.0f} MB of answers were held; another client was served after {waited:.1f} s"
        for connection in connections:
            connection.close()


def stalled_bodies(connection, server):
    """100 bodies of which nothing more arrives."""
    for at in range(1, 201, 2):
        connection.sendall(frame(HEADERS, END_HEADERS, at, head(b"POST", b"/v1/merge", JSON)))
    answered = {stream for kind, _, stream, _ in frames(connection, 4) if kind in (HEADERS, RST_STREAM)}
    expect(len(answered) == 100, f"{len(answered)} of 100 are over")
    expect(server.post(SMALL).status == 200, "others are not served")


def silence(connection, _):
    """A connection on which nothing is asked."""
    time.sleep(4)


def cases():
    """The short cases first."""
    short = {"OVERFOLD_HEADER_SECONDS": "2", "OVERFOLD_WRITE_SECONDS": "2", "OVERFOLD_BODY_GAP_SECONDS": "2", "OVERFOLD_IDLE_SECONDS": "2"}
    yield Case("what is no handshake", noise)
    yield Case("1500 handshakes that do not end", half_handshakes)
    yield Case("handshakes for five seconds", handshake_flood)
    yield over_http2(rapid_reset)
    yield over_http2(rapid_reset_by_mistakes)
    yield over_http2(endless_head)
    yield over_http2(empty_continuations)
    yield over_http2(bomb, ended=False)
    yield over_http2(settings_flood, ended=False)
    yield over_http2(ping_flood, ended=False)
    yield over_http2(empty_data, ended=False)
    yield over_http2(priorities, ended=False)
    yield over_http2(many_streams, ended=False)
    # The window for each answer is one byte.
    yield over_http2(unread_streams, env=short, ended=False, memory_mb=128, settings=struct.pack(">HI", 4, 1))
    yield Case("1600 small answers that nobody reads", unread_small_answers)
    yield over_http2(stalled_bodies, env=short, ended=False)
    yield over_http2(silence, env=short)

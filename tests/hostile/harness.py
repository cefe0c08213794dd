"""What every hostile case needs: a server of its own, one measured request, and the bounds that an answer must keep.

Python's standard library only; Linux only (it reads `/proc`). See README.md in this folder.
"""

import contextlib
import gzip
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

MB = 1 << 20
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")

# The limits on the cost of a single request with the default settings.
CPU_SECONDS = 2.0
MEMORY_MB = 256
# The server is killed if a case exceeds its bounds by this much, so that a broken build cannot take the machine down.
RUNAWAY_CPU_SECONDS = 10.0
ADDRESS_SPACE = 8 << 30
# The maximum time from the answer (or the last byte of a client that left) until the processors are idle again.
FREE_SECONDS = 1.0
# The time that a client waits for an answer.
PATIENCE_SECONDS = 60.0
# The part of an answer that is kept and checked; the rest is only counted.
KEPT_BYTES = 256 * MB

# The statuses for a readable request, an unreadable one, and one beyond a limit.
ORDERLY = frozenset({200, 400, 413, 415, 422})
# Additional statuses, for attacks on the protocol.
PROTOCOL = ORDERLY | {403, 404, 405, 406, 408, 411, 414, 417, 421, 426, 431, 501, 505}

# How far the service looks for problems in the modules of a request, see `at_stage`; `--stage` of run.py sets it.
STAGE = {"name": "load"}

SMALL = b'{"files":{"main.tf":"locals {\\n a = 1\\n}\\n"}}'


class Failure(Exception):
    """A violated bound."""


def at_stage(request):
    """Returns a request object that asks for the stage of this run, unless its dialect has only one or it is asked for
    another."""
    if request.get("dialect", "terraform") not in ("terraform", "opentofu"):
        return request
    return {"stage": STAGE["name"], **request}


def merge_body(files, **options):
    """Returns a merge request as JSON bytes; a plain text becomes the only file, `main.tf`."""
    if isinstance(files, str):
        files = {"main.tf": files}
    request = at_stage({"files": files, **options})
    return json.dumps(request, ensure_ascii=False).encode("utf-8", "surrogatepass")


class Server:
    """One process of the service on a free loopback port."""

    binary = "overfold"

    def __init__(self, env=None, args=(), address_space=ADDRESS_SPACE, descriptors=None):
        self.port = free_port()
        self.log_file = tempfile.TemporaryFile()
        # The caller's settings do not reach the server: the bounds are those of the defaults.
        clean = {name: value for name, value in os.environ.items() if not name.startswith("OVERFOLD_")}
        clean |= {"OVERFOLD_LISTEN": f"127.0.0.1:{self.port}"} | (env or {})

        def limits():
            if address_space:
                resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
            if descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        self.process = subprocess.Popen(
            [self.binary, "serve", *args], env=clean, preexec_fn=limits,
            stdout=subprocess.DEVNULL, stderr=self.log_file)
        self.pid = self.process.pid
        for _ in range(500):
            with contextlib.suppress(OSError), self.connect(1):
                break
            if self.process.poll() is not None:
                raise Failure(f"the server did not start: {self.log()[-300:]}")
            time.sleep(0.01)
        else:
            raise Failure("the server does not listen")
        # The first request pages in code and fills pools, which is not part of the cost of a case.
        self.post(SMALL)
        self.idle_mb = self.rss_mb()

    def connect(self, timeout=PATIENCE_SECONDS):
        """Opens a new connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def cpu(self):
        """Returns the CPU seconds used so far, by all threads."""
        try:
            with open(f"/proc/{self.pid}/stat") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            return float("nan")
        return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS

    def _status_mb(self, name):
        with contextlib.suppress(OSError), open(f"/proc/{self.pid}/status") as status:
            for line in status:
                if line.startswith(name + ":"):
                    return int(line.split()[1]) / 1024
        return 0.0

    def rss_mb(self):
        """Returns the memory in use."""
        return self._status_mb("VmRSS")

    def peak_mb(self):
        """Returns the peak of memory use since the start or the last `reset_peak`."""
        return self._status_mb("VmHWM")

    def reset_peak(self):
        """Starts a new measurement of the peak."""
        with contextlib.suppress(OSError), open(f"/proc/{self.pid}/clear_refs", "w") as refs:
            refs.write("5")

    def descriptors(self):
        """Returns the number of open file descriptors."""
        with contextlib.suppress(OSError):
            return len(os.listdir(f"/proc/{self.pid}/fd"))
        return 0

    def alive(self):
        """Whether the process is still running."""
        return self.process.poll() is None

    def log(self):
        """Returns everything written to standard error so far."""
        self.log_file.seek(0)
        return self.log_file.read().decode("utf-8", "replace")

    def stop(self, wait=5, with_signal=signal.SIGTERM):
        """Asks the process to end; kills it after `wait` seconds. Returns the exit code and the seconds it took."""
        began = time.monotonic()
        if self.alive():
            self.process.send_signal(with_signal)
            try:
                self.process.wait(wait)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return self.process.returncode, time.monotonic() - began

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.alive():
            self.process.kill()
        self.process.wait()
        self.log_file.close()

    def settle(self, most):
        """Waits until the process is idle; returns the seconds until it was, or `None` if that takes longer than
        `most`. Idle means at most one clock tick in a fifth of a second, which is what `/livez` may cost."""
        began = quiet_from = time.monotonic()
        last = self.cpu()
        while self.alive():
            time.sleep(0.04)
            now, used = time.monotonic(), self.cpu()
            if used - last > 0.015:
                last, quiet_from = used, now
            if now - quiet_from >= 0.2:
                return quiet_from - began
            if now - began > most + 0.2:
                return None
        return None

    def raw(self, data, wait=3.0, half_close=False):
        """Sends bytes as they are and reads until the server closes the connection or sends nothing for `wait` seconds.
        Returns all bytes received, and whether the server closed."""
        received, closed = b"", True
        with self.connect(wait) as connection:
            try:
                connection.sendall(data)
                if half_close:
                    connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # It may answer and close before it has read everything.
            try:
                while chunk := connection.recv(65536):
                    received += chunk
            except TimeoutError:
                closed = False
            except OSError:
                pass
        return received, closed

    def post(self, body, content_type="application/json", path="/v1/merge", headers=None, method="POST",
             timeout=PATIENCE_SECONDS):
        """Sends one request on a connection of its own and reads the answer."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Connection: close"]
        if content_type is not None:
            lines.append(f"Content-Type: {content_type}")
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        head = "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n"
        began = time.monotonic()
        try:
            with self.connect(timeout) as connection:
                with contextlib.suppress(ConnectionError):
                    connection.sendall(head + (body or b""))
                return Answer.read(connection, began)
        except (OSError, ValueError) as problem:
            return Answer(0, {}, b"", 0, time.monotonic() - began, f"{type(problem).__name__}: {problem}")

    def get(self, path, headers=None, timeout=10):
        """Like `post`, for a page."""
        return self.post(None, None, path, headers, "GET", timeout)


def free_port():
    """Returns a port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Answer:
    """A status, headers (with lower-case names) and a body; the status is 0 if there was no answer."""

    def __init__(self, status, headers, body, length, seconds, problem=""):
        self.status, self.headers, self.body = status, headers, body
        self.length, self.seconds, self.problem = length, seconds, problem

    @classmethod
    def read(cls, connection, began):
        """Reads the answer to the only request on a connection that is then closed."""
        chunks, kept, total = [], 0, 0
        try:
            while chunk := connection.recv(1 << 20):
                total += len(chunk)
                if kept < KEPT_BYTES:
                    chunks.append(chunk)
                    kept += len(chunk)
        except ConnectionError:
            if not chunks:
                raise
        seconds = time.monotonic() - began
        head, blank, body = b"".join(chunks).partition(b"\r\n\r\n")
        if not blank:
            raise ConnectionError("closed without an answer")
        lines = head.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        if headers.get("transfer-encoding", "").lower() == "chunked":
            body = unchunk(body)
        return cls(int(lines[0].split()[1]), headers, body, total, seconds)

    def json(self):
        """Parses the body as JSON of any depth."""
        return parse_json(self.body)

    def brief(self, most=90):
        """Describes the answer in one line."""
        if not self.status:
            return self.problem
        try:
            parsed = _loads(self.body)
        except (ValueError, RecursionError):
            return repr(self.body[:most])
        if not isinstance(parsed, dict):
            return repr(self.body[:most])
        if "code" in parsed:
            return f"{parsed['code']}: {parsed.get('detail', '')}"[:most]
        found = parsed.get("diagnostics", [])
        if not isinstance(found, list):
            return repr(self.body[:most])
        codes = ", ".join(str(one.get("code", "")) if isinstance(one, dict) else "" for one in found[:3])
        return f"valid={parsed.get('valid')} diagnostics={len(found)} {codes}"[:most]

    def check(self, statuses=ORDERLY, media_type=True):
        """Checks that the answer is well-formed: an expected status, valid JSON, and a problem document for a
        problem."""
        if self.status not in statuses:
            raise Failure(f"status {self.status or self.problem}")
        if self.length > KEPT_BYTES:
            raise Failure(f"an answer of {self.length // MB} MB")
        kind = self.headers.get("content-type", "")
        if self.status < 400 and kind.partition(";")[0] in REPORTS:
            return {}
        try:
            parsed = self.json()
        except ValueError as problem:
            raise Failure(f"status {self.status}: the body is not JSON: {problem}") from None
        if self.status >= 400:
            if media_type and kind != "application/problem+json":
                raise Failure(f"status {self.status} as {kind!r}")
            missing = {"type", "title", "status", "detail", "code"} - set(parsed)
            if missing or parsed["status"] != self.status:
                raise Failure(f"status {self.status}: an incomplete problem, without {sorted(missing)}")
        elif media_type and kind != "application/json":
            raise Failure(f"status {self.status} as {kind!r}")
        return parsed


# The media types of reports, which only a request that asks for one of them gets.
REPORTS = {"text/markdown", "text/plain", "application/sarif+json", "application/vnd.reviewdog.rdjson+json",
           "application/vnd.gitlab.codequality+json", "application/xml", "text/xml", "application/junit+xml"}


def unchunk(body):
    """Returns the content of a chunked body; raises ValueError if it is cut off."""
    content, at = [], 0
    while True:
        end = body.index(b"\r\n", at)
        size = int(body[at:end].partition(b";")[0], 16)
        if size == 0:
            return b"".join(content)
        content.append(body[end + 2:end + 2 + size])
        at = end + 2 + size + 2


def _whole(digits):
    return int(digits) if len(digits) < 19 else digits


def _loads(text):
    return json.loads(text, parse_int=_whole, parse_float=str)


def parse_json(text):
    """Parses JSON of any depth: the answer to a deep module is deep. Long numbers stay text. Raises ValueError if the
    text is not valid."""
    try:
        return _loads(text)
    except RecursionError:
        pass
    result = []

    def deep():
        try:
            result.append(_loads(text))
        except ValueError as problem:
            result.append(problem)

    size, depth = threading.stack_size(512 * MB), sys.getrecursionlimit()
    sys.setrecursionlimit(1_000_000)
    thread = threading.Thread(target=deep)
    thread.start()
    thread.join()
    threading.stack_size(size)
    sys.setrecursionlimit(depth)
    if isinstance(result[0], ValueError):
        raise result[0]
    return result[0]


class Probe:
    """Requests `/livez` repeatedly while something else happens, and kills a runaway server."""

    def __init__(self, server, runaway=RUNAWAY_CPU_SECONDS):
        self.server, self.runaway = server, runaway
        self.slowest_ms, self.failed, self.killed = 0.0, 0, False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        cpu_before = self.server.cpu()
        while not self._ended.wait(0.02):
            if self.server.cpu() - cpu_before > self.runaway:
                self.killed = True
                self.server.process.kill()
                return
            answer = self.server.get("/livez", timeout=5)
            if not self.server.alive():
                return
            self.failed += answer.status != 200
            self.slowest_ms = max(self.slowest_ms, answer.seconds * 1000)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()


class Measured:
    """The cost of a case, for its line in the report."""

    livez_limit_ms = None

    def __init__(self):
        self.status, self.seconds, self.cpu, self.memory_mb, self.livez_ms = "-", 0.0, 0.0, 0.0, 0.0
        self.note = ""

    @contextlib.contextmanager
    def over(self, server, cpu=CPU_SECONDS, memory_mb=MEMORY_MB, free=FREE_SECONDS, runaway=RUNAWAY_CPU_SECONDS):
        """Measures what happens inside, then checks that the server is alive, within the bounds (`None` for an
        unchecked one), idle again, and able to answer the next request."""
        server.reset_peak()
        cpu_before, began = server.cpu(), time.monotonic()
        settled = 0.0
        with Probe(server, runaway) as probe:
            try:
                yield probe
                self.seconds = time.monotonic() - began
                settled = server.settle(free if free is not None else 60)
            finally:
                self.cpu = max(self.cpu, server.cpu() - cpu_before)
                self.memory_mb = max(self.memory_mb, server.peak_mb() - server.idle_mb)
                self.livez_ms = max(self.livez_ms, probe.slowest_ms)
                self.seconds = self.seconds or time.monotonic() - began
        self.livez_ms = max(self.livez_ms, probe.slowest_ms)
        if probe.killed:
            raise Failure(f"killed after {runaway:.0f} CPU seconds")
        if not server.alive():
            log = server.log().strip().splitlines()
            raise Failure(f"the process ended with {server.process.returncode}: {log[-1][:160] if log else ''}")
        if re.search(r"panicked at", server.log()):
            raise Failure("a panic is in the log")
        if cpu is not None and self.cpu > cpu:
            raise Failure(f"{self.cpu:.2f} CPU seconds, at most {cpu:g}")
        if memory_mb is not None and self.memory_mb > memory_mb:
            raise Failure(f"{self.memory_mb:.0f} MB above idle, at most {memory_mb}")
        if free is not None and settled is None:
            raise Failure(f"still at work {free:g} s after the answer")
        if probe.failed:
            raise Failure(f"/livez failed {probe.failed} times")
        if self.livez_limit_ms is not None and self.livez_ms > self.livez_limit_ms:
            raise Failure(f"/livez took {self.livez_ms:.0f} ms, at most {self.livez_limit_ms}")
        after = server.post(SMALL)
        if after.status != 200:
            raise Failure(f"the next small request got {after.status} {after.problem}")


class Case:
    """One attack. `run` takes a `Measured`, fills it in, and raises `Failure` if a bound is violated."""

    def __init__(self, name, run, quick=True):
        self.name, self.run, self.quick = name, run, quick


def request(name, body, content_type="application/json", path="/v1/merge", headers=None, env=None,
            statuses=ORDERLY, check=None, quick=True, cpu=CPU_SECONDS, memory_mb=MEMORY_MB, packed=False, method="POST"):
    """The usual case: one request to a server of its own, with the default limits. `body` is bytes or a function that
    creates them; `packed` sends it with `Content-Encoding: gzip`; `check` checks the answer further."""

    def run(measured):
        content = body() if callable(body) else body
        sent = dict(headers or {})
        if packed:
            content, sent["Content-Encoding"] = gzip.compress(content, 6), "gzip"
        with Server(env) as server:
            answer = None

            def look():
                measured.status, measured.note = answer.status or "none", answer.brief()
                parsed = answer.check(statuses)
                if check:
                    check(answer, parsed)

            try:
                with measured.over(server, cpu, memory_mb):
                    answer = server.post(content, content_type, path, sent, method)
                    measured.status, measured.note = answer.status or "none", answer.brief()
            finally:
                if answer:
                    measured.seconds = answer.seconds
            look()

    return Case(name, run, quick)


def expect(condition, problem):
    """Raises `Failure` unless the condition holds."""
    if not condition:
        raise Failure(problem)


def answered(*codes):
    """Checks that the module is answered, with a finding of each of these codes."""

    def check(answer, parsed):
        found = {one["code"] for one in parsed.get("diagnostics", [])}
        missing = [code for code in codes if code not in found]
        expect(answer.status == 200 and not missing, f"{answer.status} without {missing}: {sorted(found)[:5]}")

    return check


def many(count, text):
    """Returns `text` once for each number, with `@` replaced by the number and `@+` by the next one."""
    return "".join(text.replace("@+", str(at + 1)).replace("@", str(at)) for at in range(count))


def call(source, name="m", rest=""):
    """Returns a call of a module."""
    return f'module "{name}" {{\n source = "{source}"\n{rest}}}\n'

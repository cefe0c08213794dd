#!/usr/bin/env python3
"""Tests workers with the program named by the first argument; intermediate files stay in the folder named by the second.
`.ci/queue` installs what this needs and calls it."""

import collections
import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parent.parent / "deploy"))

import blake3
import measure
import modules
import routes
from natsd import NatsServer
from service import Service, free_port, get, wait_for
from stored import Stored, programs

MODULES = int(os.environ.get("QUEUE_MODULES", "600"))
# How often a request is given to a worker, and how long that may say nothing: so little that a test sees both, and so much
# that no request is given up because of two kills and a restart.
DELIVERIES, ACK_SECONDS = 3, 2
ENOUGH = 10
REQUESTS_AT_ONCE = 4


class Queue:
    """The commands of the program, for one queue."""

    def __init__(self, program, server, folder, name="nightly", deliveries=DELIVERIES):
        self.program, self.folder, self.name = program, folder, name
        self.stored = Stored(server, name)
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith("OVERFOLD_")}
        self.environment.update(
            OVERFOLD_NATS=server.url, OVERFOLD_NATS_QUEUE=name, OVERFOLD_NATS_DELIVERIES=str(deliveries),
            OVERFOLD_NATS_ACK_SECONDS=str(ACK_SECONDS),
        )

    def run(self, *command, environment=None):
        command = [str(part) for part in [self.program, *command]]
        return subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=1800,
            env={**self.environment, **(environment or {})},
        )

    def submit(self, run, paths, *more):
        """Submits folders by a list, whose ids are their names. Returns the command's result."""
        list_ = self.folder / f"{run}.list"
        lines = (json.dumps({"path": str(path), "id": path.name, "repository": path.parent.name}) for path in paths)
        list_.write_text("".join(line + "\n" for line in lines))
        return self.run("submit", "--run", run, "--list", list_, *more)

    def collect(self, run, *more):
        """Returns the command's result, the lines by id, and the summary."""
        summary = self.folder / f"{run}.summary"
        summary.unlink(missing_ok=True)
        done = self.run("collect", "--run", run, "--summary", summary, *more)
        # An answer may contain what Python takes for the end of a line.
        lines = [json.loads(line) for line in done.stdout.split("\n") if line]
        by_id = {line["id"]: line for line in lines}
        assert len(by_id) == len(lines), f"{run}: an answer was handed out twice"
        return done, by_id, json.loads(summary.read_text()) if summary.exists() else None


class Worker:
    """A process of the program that works; its log goes to a file."""

    def __init__(self, queue, name, **settings):
        self.queue, self.log = queue, queue.folder / f"{name}.log"
        self.port = free_port()
        self.environment = {
            **queue.environment, "OVERFOLD_LISTEN": f"127.0.0.1:{self.port}", "OVERFOLD_LOG_FORMAT": "json",
            **{f"OVERFOLD_{key}": str(value) for key, value in settings.items()},
        }
        self.process = None

    def start(self, is_ready=True):
        with open(self.log, "a") as log:
            self.process = subprocess.Popen([self.queue.program, "worker"], env=self.environment, stderr=log)
        wait_for(lambda: get(self.port, "/readyz" if is_ready else "/livez")[0] == 200, 20, "the worker starts")
        return self

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Stops it gracefully; returns the exit code."""
        self.process.terminate()
        return self.process.wait(40)

    def metrics(self):
        """Returns the values of the metrics, by name with labels."""
        found = {}
        for line in get(self.port, "/metrics")[1].splitlines():
            if not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                found[name] = float(value)
        return found

    def requests(self):
        """Returns how often each request was worked on, by its id."""
        counts = collections.Counter()
        for line in self.log.read_text().splitlines():
            try:
                line = json.loads(line)
            except ValueError:
                continue
            if line.get("message") == "request" and line.get("route", "").startswith("/v1/"):
                counts[line["request_id"]] += 1
        return counts


def test_documents(program):
    """docs/queue.md lists the settings of a queue, with their variables and defaults."""
    text = (pathlib.Path(__file__).resolve().parent.parent.parent / "docs/queue.md").read_text()
    rows = [line for line in text.splitlines() if line.startswith("| `--")]

    def flags(command):
        done = subprocess.run([program, command, "--help"], stdout=subprocess.PIPE, text=True, check=True)
        return {part.split()[0]: part for part in re.split(r"\n +(?:-\w, )?--", done.stdout)[1:]}

    service = flags("serve")
    own = {name: part for name, part in flags("worker").items() if name not in service}
    assert len(own) > 5, own
    for name, part in own.items():
        (row,) = [row for row in rows if f"`--{name}`" in row.split("|")[1]]
        variable = f"OVERFOLD_{name.upper().replace('-', '_')}"
        assert variable in part and f"`{variable}`" in row, f"--{name}: {row}"
        default = re.search(r"\[default: (\S+)\]", part)
        assert default is None or default[1] in row.split("|")[3], f"--{name} has the default {default[1]}: {row}"
    listed = {name for row in rows for name in re.findall(r"`--([-a-z]+)`", row.split("|")[1])}
    assert listed == own.keys(), f"only one of both has {listed ^ own.keys()}"
    print(f"queue: docs/queue.md has the {len(own)} settings of a queue", flush=True)


def expected(program, folder, paths):
    """Returns what `POST /v1/merge` answers to each module, by name."""
    service = Service(program, folder / "serve.log", MAX_CONNECTIONS=64, QUEUE=1000, QUEUE_PATIENCE=1000)
    service.start()

    def ask(part):
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
        answers = {}
        for path in part:
            body = json.dumps({"files": modules.files(path)})
            connection.request("POST", "/v1/merge", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
            assert answer.status == 200, text
            answers[path.name] = text
        connection.close()
        return answers

    try:
        with concurrent.futures.ThreadPoolExecutor(REQUESTS_AT_ONCE) as pool:
            parts = [paths[at::REQUESTS_AT_ONCE] for at in range(REQUESTS_AT_ONCE)]
            return {name: text for answers in pool.map(ask, parts) for name, text in answers.items()}
    finally:
        service.end(signal.SIGKILL)


def test_survival(program, server, folder, paths, answers):
    """Workers are killed and the server is restarted: every module has one answer, that of the service."""
    queue = Queue(program, server, folder, deliveries=ENOUGH)
    workers = [Worker(queue, f"worker-{number}").start() for number in range(3)]
    try:
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            submitting = pool.submit(submit_all, queue, "one", paths)
            answered = queue.stored.count_markers
            some = len(paths) // 5
            wait_for(lambda: answered() >= some, 600, "some are answered")
            workers[0].kill()
            wait_for(lambda: answered() >= 2 * some, 600, "more are answered")
            server.end()
            server.start()
            wait_for(lambda: answered() >= 3 * some, 600, "more are answered after the restart")
            workers[1].kill()
            done, again = submitting.result()
        assert sum(int(part.split()[0]) for part in done.stdout.split(", ")) == len(paths), done.stdout
        done, lines, summary = queue.collect("one")
        took = time.monotonic() - began
        assert done.returncode == 0, (done.stderr, summary)
        wait_for(lambda: queue.stored.waiting() == 0, 60, "nothing is left in the stream")
        same(lines, answers)
        markers = queue.stored.markers()
        digests = {line["digest"] for line in lines.values()}
        missing, superfluous = digests - markers.keys(), markers.keys() - digests
        assert not missing and not superfluous, f"missing {sorted(missing)}, superfluous {sorted(superfluous)}"
        assert len(digests) == len(paths), f"{len(digests)} requests of {len(paths)} modules"
        assert queue.stored.writes() == len(paths), "an answer was stored twice"
        objects = queue.stored.objects("answers")
        counting = {json.loads(text)["object"] for text in markers.values()}
        assert counting <= objects, "an entry names an object that is not there"
        # Whoever was killed between both has left an object without an entry.
        most = 2 * 2 * (os.cpu_count() + 1)
        assert len(objects - counting) <= most, f"{len(objects - counting)} answers that nobody can find"
        assert queue.stored.objects("bundles") == set(), "bundles are left"
        assert queue.stored.messages("nightly-lost") == 0, "something is lost"
        assert summary["requests"] == summary["answered"] == len(paths) and summary["waiting"] == 0, summary
        valid = sum(json.loads(text)["valid"] for text in answers.values())
        assert (summary["valid"], summary["problems"]) == (valid, 0), summary
        errors = sum(
            found["severity"] == "error" for text in answers.values() for found in json.loads(text)["diagnostics"]
        )
        assert sum(code["errors"] for code in summary["codes"].values()) == errors, summary
        assert len(summary["repositories"]) == min(50, len(paths)), summary
        counted = sum((worker.requests() for worker in workers), collections.Counter())
        twice = sum(1 for count in counted.values() if count > 1)
        yield (
            f"{len(paths)} modules, three workers, two killed, the server restarted: one answer each, that of /v1/merge, "
            f"in {took:.0f} s; the submission was repeated {again} times; {twice} were worked on twice, "
            f"{len(objects - counting)} objects are left over"
        )
        # Another run of the same: every answer is there already.
        before = workers[2].metrics()
        done = queue.submit("two", paths)
        nothing = "0 submitted, "
        assert done.stdout == f"{nothing}{len(paths)} already answered, 0 already submitted, 0 unreadable\n", done.stdout
        done, lines, _ = queue.collect("two", "--wait-seconds", "60")
        assert done.returncode == 0, done.stderr
        same(lines, answers)
        done = queue.submit("two", paths)
        assert done.stdout == f"{nothing}0 already answered, {len(paths)} already submitted, 0 unreadable\n", done.stdout
        # Somebody puts a request into the queue that has an answer.
        queue.stored.publish(b"", {"Overfold-Digest": min(digests)})
        known = 'overfold_jobs_total{outcome="known"}'
        wait_for(lambda: workers[2].metrics().get(known, 0) > before.get(known, 0), 30, "the request is known")
        assert queue.stored.markers() == markers, "an answer was replaced"
        yield f"another run of {len(paths)} equal requests: none was worked on again"
        code = workers[2].stop()
        assert code == 0, f"the worker ended with {code}"
    finally:
        for worker in workers:
            worker.kill()


def submit_all(queue, run, paths):
    """Submits until everything is submitted. Returns the last result, and how often the command was repeated."""
    for again in range(6):
        done = queue.submit(run, paths)
        if done.returncode == 0:
            return done, again
        # The server is gone: the same command goes on where it was.
        assert done.returncode == 2 and "overfold:" in done.stderr, done
        time.sleep(0.5)
    raise AssertionError(f"the submission does not end: {done.stderr}")


def same(lines, answers):
    assert lines.keys() == answers.keys(), f"{lines.keys() ^ answers.keys()}"
    for name, line in lines.items():
        assert line["status"] == 200, line
        # The line has the answer as it was, so its text must be in the line's.
        assert json.dumps(line["answer"]) == json.dumps(json.loads(answers[name])), f"{name} has another answer"


def test_poison(program, server, folder):
    """What cannot be answered has a problem as its answer, and does not stay in the queue."""
    queue = Queue(program, server, folder, "poison")
    bad = folder / "bad"
    shutil.rmtree(bad, ignore_errors=True)
    bad.mkdir()
    (bad / "truncated.tar.gz").write_bytes(bytes.fromhex("1f8b08000000000000ff") + b"\x01" * 50)
    (bad / "large.zip").write_bytes(b"PK\x03\x04" + os.urandom(3_000_000))
    (bad / "none.txt").write_text("no archive")
    paths = modules.write(folder / "few", 3)
    done = queue.run("submit", "--run", "r", *paths, *sorted(bad.iterdir()), folder / "absent")
    assert done.returncode == 1 and done.stdout == "5 submitted, 0 already answered, 0 already submitted, 2 unreadable\n", done
    assert "none.txt: it is neither a folder nor an archive" in done.stderr and "absent: No such file" in done.stderr, done
    # Sensitive values are refused where they are asked for, and where somebody asks all the same.
    done = queue.run("submit", "--run", "r", "--option", "reveal_sensitive=true", *paths)
    assert done.returncode == 2 and "reveal_sensitive" in done.stderr, done
    for option, word in [("dialect=cobol", "cobol"), ("dialekt=opentofu", "dialekt"), ("root", "NAME=VALUE")]:
        done = queue.run("submit", "--run", "r", "--option", option, *paths)
        assert done.returncode == 2 and word in done.stderr, done
    secret = json.dumps({"files": modules.files(paths[0]), "reveal_sensitive": True}).encode()
    headers = {
        "Overfold-Digest": digest("1", "/v1/merge", "", "application/json", secret), "Overfold-Route": "/v1/merge",
        "Overfold-Content-Type": "application/json", "Overfold-Build": "1",
    }
    queue.stored.publish(secret, headers)
    other = {**headers, "Overfold-Digest": "0" * 64}
    queue.stored.publish(secret, other)
    unroutable = {**headers, "Overfold-Digest": "1" * 64, "Overfold-Route": "/metrics"}
    queue.stored.publish(b"", unroutable)
    bundled = {**headers, "Overfold-Digest": "2" * 64, "Overfold-Bundle": "nothing"}
    queue.stored.publish(b"", bundled)
    bare = queue.stored.publish(b"hello").seq
    # Workers that never answer, until the server gives up.
    waiting = queue.stored.waiting()
    queue.stored.take(waiting, DELIVERIES - 1)
    # The last delivery is a worker's of ours: it does not try what may have ended the others.
    last = Worker(queue, "poison-last").start()
    try:
        wait_for(lambda: queue.stored.waiting() == 0, 120, "the queue is empty")
        markers = {key: json.loads(text) for key, text in queue.stored.markers().items()}
        assert len(markers) == waiting == 10, markers
        assert all(marker["problem"] and marker["delivery"] == DELIVERIES for marker in markers.values()), markers
        done, lines, summary = queue.collect("r")
        assert done.returncode == 1 and len(lines) == 5 and summary["problems"] == 5, (done, summary)
        for line in lines.values():
            problem = line["problem"]
            assert (line["status"], problem["code"]) == (500, "internal"), line
            assert f"given to workers {DELIVERIES} times" in problem["detail"], line
        # Perhaps another night is better.
        done = queue.run("submit", "--run", "again", *paths, bad / "truncated.tar.gz")
        assert done.stdout == "4 submitted, 0 already answered, 0 already submitted, 0 unreadable\n", done
        done, lines, summary = queue.collect("again")
        assert summary["statuses"] == {"200": 3, "400": 1}, summary
        # So is the same run.
        done = queue.run("submit", "--run", "r", *paths, bad / "truncated.tar.gz", bad / "large.zip")
        assert done.stdout == "1 submitted, 0 already answered, 4 already submitted, 0 unreadable\n", done
        done, lines, summary = queue.collect("r")
        assert summary["statuses"] == {"200": 3, "400": 2}, summary
        # What no further attempt can change is not asked again.
        done = queue.run("submit", "--run", "once-more", *paths, bad / "truncated.tar.gz")
        assert done.stdout == "0 submitted, 4 already answered, 0 already submitted, 0 unreadable\n", done
    finally:
        last.kill()
    yield f"{waiting} requests that {DELIVERIES - 1} workers left unanswered: the next worker stored that as a problem"
    yield "a run after that asks them again, once"

    check_gone(queue, paths)

    # The same, tried: each gets the problem that it deserves. With large.zip over a limit of the worker.
    queue = Queue(program, server, folder, "poison2")
    assert queue.run("submit", "--run", "r", *paths, bad / "truncated.tar.gz", bad / "large.zip").returncode == 0
    for more in [headers, other, unroutable, bundled]:
        queue.stored.publish(b"" if more in (unroutable, bundled) else secret, more)
    bare = queue.stored.publish(b"hello").seq
    worker = Worker(queue, "poison", MAX_REQUEST_BYTES=1_000_000).start()
    try:
        wait_for(lambda: queue.stored.waiting() == 0, 120, "the queue is empty")
        markers = {key: json.loads(text) for key, text in queue.stored.markers().items()}
        assert len(markers) == 10, markers
        done, lines, summary = queue.collect("r")
        assert done.returncode == 1 and summary["statuses"] == {"200": 3, "400": 1, "413": 1}, summary
        assert lines[str(bad / "large.zip")]["problem"]["limit"]["name"] == "max-request-bytes", lines
        answers = read_answers(queue, markers)
        text = answers[headers["Overfold-Digest"]]
        assert text["code"] == "bad-option" and "sensitive" in text["detail"], text
        for key, word in [("0" * 64, "digest"), ("1" * 64, "route"), (f"message-{bare}", "digest")]:
            assert answers[key]["status"] == 400 and word in answers[key]["detail"], answers[key]
        # A cluster may only be late with it.
        missing = "2" * 64
        assert answers[missing]["status"] == 500 and "object store" in answers[missing]["detail"], answers[missing]
        tries = {key: marker["delivery"] for key, marker in markers.items()}
        assert tries.pop(missing) == DELIVERIES - 1 and set(tries.values()) == {1}, tries
        assert queue.stored.objects("bundles") == set(), "bundles are left"
    finally:
        worker.kill()
    yield "requests that are none, too large, for no route, of another digest, or for sensitive values: a problem each, at once"


def check_gone(queue, paths):
    """An answer that is gone does not keep those who collect waiting, and is made again if it is asked for again."""
    line = queue.collect("once-more")[1][str(paths[0])]
    queue.stored.forget(line["digest"])
    done, lines, summary = queue.collect("once-more")
    assert done.returncode == 1 and summary["waiting"] == 1 and str(paths[0]) not in lines, (done, summary)
    worker = Worker(queue, "gone").start()
    try:
        done = queue.run("submit", "--run", "once-more", *paths)
        assert done.stdout == "1 submitted, 0 already answered, 2 already submitted, 0 unreadable\n", done
        done, lines, summary = queue.collect("once-more")
        assert summary["waiting"] == 0 and lines[str(paths[0])]["answer"] == line["answer"], summary
    finally:
        worker.kill()


def test_copies(program, server, folder):
    """Equal requests under several ids have one answer."""
    queue = Queue(program, server, folder, "copies")
    (path,) = modules.write(folder / "one", 1)
    copies = [shutil.copytree(path, folder / f"copy-{number}") for number in range(20)]
    assert queue.run("submit", "--run", "r", path, *copies).returncode == 0
    worker = Worker(queue, "copies").start()
    try:
        done, lines, summary = queue.collect("r")
        assert done.returncode == 0 and summary["answered"] == 21 == len(lines), (done, summary)
        assert len({line["digest"] for line in lines.values()}) == 1 == queue.stored.count_markers(), lines
        assert len(queue.stored.objects("answers")) == 1
    finally:
        worker.kill()
    yield "21 equal modules: one answer"


def test_lost(program, server, folder):
    """Nobody is left to answer on the last delivery: the server says so, and a worker reads it, even one that starts later."""
    queue = Queue(program, server, folder, "lost")
    paths = modules.write(folder / "lost-modules", 3, large=1)
    done = queue.run("submit", "--run", "r", *paths)
    assert done.returncode == 0, done
    queue.stored.take(len(paths), DELIVERIES)
    time.sleep(ACK_SECONDS + 1)
    assert queue.stored.waiting() == len(paths), "the server took the requests off the queue"
    worker = Worker(queue, "lost").start()
    try:
        wait_for(lambda: queue.stored.waiting() == 0, 60, "lost requests are taken off the queue")
        done, lines, _ = queue.collect("r", "--wait-seconds", "30")
        assert done.returncode == 1 and len(lines) == len(paths), done
        assert all(line["problem"]["code"] == "internal" for line in lines.values()), lines
        wait_for(lambda: queue.stored.messages("lost-lost") == 0, 30, "what the server said is taken off, too")
        assert queue.stored.objects("bundles") == set(), "bundles are left"
        assert worker.metrics()['overfold_jobs_total{outcome="lost"}'] == len(paths)
    finally:
        worker.kill()
    yield f"{len(paths)} requests that the server no longer gives to anybody: stored as problems, and taken off"


def test_busy(program, server, folder):
    """A request may take longer than a worker may say nothing; and who is told to stop ends what it has begun."""
    queue = Queue(program, server, folder, "busy")
    path = folder / "slow"
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    # Some seconds of work for a program without optimisation, much less for one with it.
    body = "".join(f'resource "terraform_data" "r{n}" {{\n  input = [for a in range(20) : upper("x${{a}}")]\n}}\n' for n in range(20000))
    (path / "main.tf").write_text(body)
    assert queue.run("submit", "--run", "r", path).returncode == 0
    worker = Worker(queue, "busy", TIMEOUT_SECONDS=120, MAX_WORK_UNITS=10**12, GRACE_SECONDS=60).start()
    try:
        time.sleep(1)
        code = worker.stop()
        assert code == 0, f"the worker ended with {code}"
        (marker,) = [json.loads(text) for text in queue.stored.markers().values()]
        assert (marker["status"], marker["delivery"]) == (200, 1), marker
        assert queue.stored.waiting() == 0, "the request is still there"
    finally:
        worker.kill()
    seconds = marker["microseconds"] / 1e6
    if seconds > ACK_SECONDS:
        yield f"a request of {seconds:.1f} s, longer than a worker may say nothing: given to one worker, which stopped after it"
    else:
        yield f"SKIPPED: a request takes only {seconds:.1f} s; longer ones than a worker may say nothing have NOT been tested"


def test_room(program, server, folder):
    """Bodies for which there is room one at a time only are answered one after the other."""
    queue = Queue(program, server, folder, "room")
    paths = modules.write(folder / "large-modules", 8, large=8)
    assert queue.run("submit", "--run", "r", *paths).returncode == 0
    # A body has some 700 kB as it is sent, and 920 kB as it is unpacked; three quarters of this are for large ones.
    limits = dict(MAX_BODIES_BYTES=3_000_000, MAX_REQUEST_BYTES=1_000_000, MAX_UNPACKED_BYTES=1_500_000, CONCURRENCY=4)
    worker = Worker(queue, "room", **limits).start()
    try:
        done, lines, summary = queue.collect("r")
        assert done.returncode == 0 and summary["statuses"] == {"200": len(paths)}, summary
    finally:
        worker.kill()
    yield f"{len(paths)} large requests with room for one: all answered"


def test_connection(program, server, folder):
    """A worker waits for the server, and is not ready without it."""
    server.end()
    queue = Queue(program, server, folder, "connection")
    for command in [["submit", folder], ["collect"]]:
        done = queue.run(*command, "--run", "r")
        assert done.returncode == 2 and "overfold: NATS: " in done.stderr, done
    worker = Worker(queue, "connection")

    def ready():
        return get(worker.port, "/readyz")[0] == 200

    try:
        worker.start(is_ready=False)
        assert get(worker.port, "/livez")[0] == 200 and not ready(), "it is ready without a queue"
        assert json.loads(get(worker.port, "/readyz")[1])["code"] == "not-ready"
        assert get(worker.port, "/v1/dialects")[0] == 404, "a worker answers requests"
        server.start()
        wait_for(ready, 30, "the worker is ready")
        server.end()
        wait_for(lambda: not ready(), 30, "the worker is no longer ready")
        server.start()
        wait_for(ready, 30, "the worker is ready again")
        done, lines, summary = queue.collect("r")
        assert done.returncode == 2 and 'there is no run "r"' in done.stderr and not lines, done
        assert worker.stop() == 0
    finally:
        worker.kill()
    yield "a worker is ready while it can reach the server"


def digest(build, path, query, media_type, body):
    """Returns the digest of a request, as docs/queue.md defines it."""
    hasher = blake3.blake3()
    for part in [build.encode(), path.encode(), query.encode(), media_type.encode(), body]:
        hasher.update(len(part).to_bytes(8, "big"))
        hasher.update(part)
    return hasher.hexdigest()


def read_answers(queue, markers):
    """Returns the answers in the object store, by the key of their entries."""

    async def read(js):
        store = await js.object_store(f"{queue.name}-answers")
        return {key: json.loads((await store.get(marker["object"])).data) for key, marker in markers.items()}

    return queue.stored.ask(read)


def main():
    program, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    test_documents(program)
    found = programs()
    if len(found) < 2:
        print("queue: SKIPPED: only one version of the NATS server can be had; the other one has NOT been tested")
    start = time.monotonic()
    paths = modules.write(folder / "modules", MODULES, large=min(5, MODULES // 10))
    answers = expected(program, folder, paths)
    print(f"queue: {MODULES} modules written and merged: {time.monotonic() - start:.1f} s", flush=True)
    for version, server_program in found.items():
        place = folder / version
        server = NatsServer(server_program, place).start()
        try:
            tests = [(test_survival, paths, answers), (test_poison,), (test_lost,), (test_copies,), (test_busy,), (test_room,), (test_connection,), (routes.test, Queue, Worker)]
            for test, *more in tests:
                start = time.monotonic()
                for line in test(program, server, place, *more):
                    print(f"queue: NATS {version}: {line}", flush=True)
                print(f"queue: NATS {version}: {test.__name__}: {time.monotonic() - start:.1f} s", flush=True)
            if os.environ.get("QUEUE_MEASURE"):
                for line in measure.all_of(program, server, place, paths, Queue, Worker):
                    print(f"queue: NATS {version}: {line}", flush=True)
        finally:
            server.end(signal.SIGKILL)


if __name__ == "__main__":
    main()

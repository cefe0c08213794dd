"""Two processes of the program behind haproxy, as deploy/compose/haproxy.cfg configures it: one is killed and started
again, the other is stopped and started again, while clients send requests. Every request is counted.

What must hold: a request is lost only if the connection that carried it broke, so at most those that were under way in
the process that was killed; none is lost by stopping; none is worked on twice."""

import http.client
import json
import os
import re
import signal
import subprocess
import threading
import time

import tools
from service import Service, free_port, get, wait_for

CLIENTS = 8
# So many of the clients send modules that are short and take some tenths of a second, so that something is under way when
# a replica is killed that could easily be sent again.
LONG_CLIENTS = 2
LONG = "  long = [for a in range(100) : length([for b in range(1000) : a * b])]\n"
# As in compose.yaml.
DRAIN = 10
LARGE = "".join(f'resource "null_resource" "r{at}" {{\n  triggers = {{ at = "{at}" }}\n}}\n' for at in range(8000))
LINE = re.compile(
    r"replicas/(?P<server>\S+) \S+ (?P<status>-?\d+) \S+ - - (?P<state>\S{4}) \S+ \S+ \{(?P<trace>[^}]*)\}"
)


def body(number, is_long):
    text = "locals {\n" + (LONG if is_long else "  long = []\n") + "}\n"
    text += f'output "number" {{\n  value = "{number} and ${{length(local.long)}}"\n}}\n'
    return json.dumps({"files": {"main.tf": text}, "variables": {}, "resolve": True, "include": ["config"]})


def trace(number):
    return f"00-{number + 1:032x}-00000000000000aa-01"


class Clients:
    """Threads that send numbered requests, one after the other, until they are told to stop."""

    def __init__(self, port):
        self.port, self.stopping = port, threading.Event()
        self.lock, self.next = threading.Lock(), 0
        # Of each request: the time from which it was under way, that of its end, and what became of it.
        self.outcomes = {}
        self.threads = [threading.Thread(target=self.work, args=[at < LONG_CLIENTS], daemon=True) for at in range(CLIENTS)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join(60)
            assert not thread.is_alive(), "a client waits for an answer that does not come"

    def work(self, is_long):
        connection = None
        while not self.stopping.is_set():
            with self.lock:
                number, self.next = self.next, self.next + 1
            connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=50)
            start = time.time()
            try:
                headers = {"Content-Type": "application/json", "traceparent": trace(number)}
                connection.request("POST", "/v1/merge", body(number, is_long), headers)
                answer = connection.getresponse()
                content = answer.read()
                outcome = judge(number, answer.status, content)
                if answer.will_close:
                    connection = None
            except (OSError, http.client.HTTPException) as error:
                outcome = f"broken: {type(error).__name__}"
                connection.close()
                connection = None
            self.outcomes[number] = (start, time.time(), outcome)
            time.sleep(0.005)


def judge(number, status, content):
    """Returns "answered" if this is the answer to that request."""
    if status != 200:
        return f"status {status}"
    value = json.loads(content)["module"]["config"]["output"]["number"][0]["value"]
    return "answered" if value in [f"{number} and 0", f"{number} and 100"] else f"the answer of another: {value}"


def known(statistics, server, column):
    """Returns what haproxy knows of a replica: its `status` is UP, DOWN, or one of them with how many checks are missing;
    `scur` is how many requests are under way there."""
    table = get(statistics, "/;csv")[1].splitlines()
    names = table[0].lstrip("# ").split(",")
    rows = [dict(zip(names, row.split(","))) for row in table[1:]]
    return next(row[column] for row in rows if (row["pxname"], row["svname"]) == ("replicas", server))


def lost(clients):
    return {number: outcome for number, outcome in clients.outcomes.items() if outcome[2] != "answered"}


def test(program, folder, at_hand):
    with tools.or_skipped("deploy/compose/haproxy.cfg has NOT been tested"):
        haproxy = at_hand.system("haproxy", "haproxy")
    # Requests are to wait rather than be turned away, however busy the machine that tests is.
    settings = dict(CONCURRENCY=2, DRAIN_SECONDS=DRAIN, GRACE_SECONDS=20, QUEUE_PATIENCE=1000)
    replicas = [Service(program, folder / f"replica-{at}.log", **settings) for at in (1, 2)]
    port, statistics = free_port(), free_port()
    log = folder / "haproxy.log"
    environment = dict(
        os.environ, LISTEN=f"127.0.0.1:{port}", STATISTICS=f"127.0.0.1:{statistics}",
        REPLICA_1=f"127.0.0.1:{replicas[0].port}", REPLICA_2=f"127.0.0.1:{replicas[1].port}",
    )
    balancer = None
    clients = Clients(port)
    try:
        for replica in replicas:
            replica.start()
        with open(log, "w") as out:
            command = [haproxy, "-db", "-f", tools.DEPLOY / "compose/haproxy.cfg"]
            balancer = subprocess.Popen(command, env=environment, stdout=out, stderr=subprocess.STDOUT)
        up = lambda server: known(statistics, server, "status") == "UP"
        wait_for(lambda: up("replica-1") and up("replica-2"), 10, "haproxy finds both replicas")
        exported = get(statistics, "/metrics")[1]
        assert 'haproxy_server_status{proxy="replicas",server="replica-1",state="UP"} 1' in exported, "no metrics of haproxy"
        clients.start()
        time.sleep(1.5)

        # Killed in the middle of its work: it is busy ten times in a row.
        busy = lambda: all(int(known(statistics, "replica-1", "scur")) > 0 for _ in range(10))
        wait_for(busy, 10, "a long request is under way")
        killed = time.time()
        replicas[0].end(signal.SIGKILL)
        noticed = wait_for(lambda: not up("replica-1"), 10, "haproxy notices that a replica is gone")
        time.sleep(1)
        replicas[0].start()
        back = wait_for(lambda: up("replica-1"), 10, "haproxy uses the replica again")
        time.sleep(1)

        # Told to stop, as for an update.
        before = lost(clients)
        told = time.time()
        process = replicas[1].process
        process.terminate()
        left = wait_for(lambda: not up("replica-2"), 10, "haproxy notices that a replica is about to stop")
        assert process.poll() is None and left < DRAIN, f"haproxy noticed only after {left:.1f} s"
        code = replicas[1].end(0)
        stopping = time.time() - told
        assert code == 0, f"a replica that was told to stop ended with {code}"
        replicas[1].start()
        wait_for(lambda: up("replica-2"), 10, "haproxy uses the other replica again")
        time.sleep(1)
        clients.stop()
    finally:
        clients.stopping.set()
        if balancer is not None:
            balancer.terminate()
            balancer.wait(20)
        for replica in replicas:
            replica.end()

    sent = clients.next
    assert sorted(clients.outcomes) == list(range(sent)), "some requests have no outcome"
    seen = passed_on(log.read_text())
    failed = lost(clients)
    new = sorted((number, failed[number][2]) for number in failed.keys() - before.keys())
    assert not new, f"{len(new)} requests were lost while a replica was told to stop: {new[:9]}"
    # Before the replica was killed no connection was refused, and to connect takes no time worth mentioning.
    again = [number for number in range(sent) if number not in failed and seen[trace(number)][3]]
    resent = [number for number in again if clients.outcomes[number][0] < killed - 0.1]
    assert failed, "killing a replica broke nothing, though something was under way: it must have been sent again"
    assert not resent, f"what was under way in a replica that was killed was sent again: {resent}"
    assert len(failed) <= CLIENTS, f"{len(failed)} were lost, but only {CLIENTS} can have been under way"
    for number, (start, end, outcome) in failed.items():
        assert start <= killed + 1 and end >= killed, f"request {number} was lost when nothing broke: {outcome}"
        if trace(number) in seen:
            server, status, ended, _ = seen[trace(number)]
            # Ended by the server while haproxy waited for the head of the answer or passed its body on. If it had still
            # been connecting (C), it should have gone to the other replica.
            is_broken = server == "replica-1" and ended[:2] in ["SH", "SD"]
            assert is_broken, f"request {number}: {outcome}, {server} {ended} {status}"
        else:
            # On a connection to a replica that had carried requests before, haproxy passes on that it broke, as
            # HTTP/1.1 demands, and logs nothing.
            assert outcome == "broken: RemoteDisconnected", f"request {number}, of which haproxy knows nothing: {outcome}"

    worked = {}
    for replica in replicas:
        for line in replica.lines():
            if line["message"] == "request" and line.get("route") == "/v1/merge":
                worked.setdefault(line["traceparent"], []).append(line["outcome"])
    elsewhere = [line["traceparent"] for line in replicas[1].lines() if "traceparent" in line]
    spared = [number for number in failed if trace(number) in elsewhere]
    assert not spared, f"these requests were lost, though the other replica had them: {spared}"
    twice = [one for one, outcomes in worked.items() if len(outcomes) > 1]
    assert not twice, f"{len(twice)} requests reached two replicas: {twice[:9]}"
    without = [number for number in range(sent) if number not in failed and worked.get(trace(number)) != ["answered"]]
    # The lines that a killed process had not written yet are lost with it.
    assert len(without) <= CLIENTS, f"{len(without)} answers that no replica knows of: {without[:9]}"

    shares = [sum(1 for server, *_ in seen.values() if server == f"replica-{at}") for at in (1, 2)]
    assert min(shares) > sent / 10, f"the load is not balanced: {shares}"
    yield (
        f"haproxy: {sent} requests to two replicas ({shares[0]} and {shares[1]}); killing one broke {len(failed)}, "
        f"{len(again)} found it gone and went to the other, haproxy took it out after {noticed:.1f} s and back {back:.1f} s "
        f"after its restart; stopping the other took {stopping:.1f} s, of which haproxy knew after {left:.1f} s, and lost "
        "none; none was worked on twice"
    )


def passed_on(log):
    """Returns, of each request in haproxy's log, the replica, the status, how it ended, and how often it was retried."""
    found = {}
    for line in log.splitlines():
        match = LINE.search(line)
        if match:
            counts = line.split(match["state"], 1)[1].split()[0]
            retried = int(counts.rsplit("/", 1)[1].lstrip("+"))
            found[match["trace"]] = (match["server"], int(match["status"]), match["state"], retried)
    return found

"""The NATS servers to test with, and what is stored in them."""

import asyncio
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import nats


def programs():
    """Returns the servers to test with: the newest from Python's registry, and an old one from Debian's, by version."""
    found = {}
    own = pathlib.Path(sys.executable).parent / "nats-server"
    old = shutil.which("nats-server", path="/usr/sbin:/usr/bin")
    if old is None and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive", RUNLEVEL="1")
        subprocess.run(["apt-get", "update", "-qq"], check=False, **quiet)
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "nats-server"]
        subprocess.run(install, check=False, env=environment, **quiet)
        old = shutil.which("nats-server", path="/usr/sbin:/usr/bin")
    for program in filter(None, [old, own if own.exists() else None]):
        version = subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
        found[version.split()[-1].lstrip("v")] = str(program)
    return found


class Stored:
    """What a queue holds, read with another client than the program's."""

    def __init__(self, server, queue):
        self.server, self.queue = server, queue

    def ask(self, question):
        """Runs a coroutine function, which is given the JetStream context, and returns its result."""

        async def run():
            client = await nats.connect(self.server.url, allow_reconnect=False)
            try:
                return await question(client.jetstream(timeout=20))
            finally:
                await client.close()

        return asyncio.run(run())

    def messages(self, stream):
        return self.ask(lambda js: js.stream_info(stream)).state.messages

    def waiting(self):
        return self.messages(self.queue)

    def newest(self, stream, prefix):
        """Returns the newest message of each subject of a stream that begins with the prefix, by the rest of the subject.

        The client's watchers read a stream through a consumer, and end when the server says that nothing is pending.
        They have ended early after a restart. Here the server names the subjects, and each is asked for.
        """

        async def read(js):
            state = (await js.stream_info(stream, subjects_filter=f"{prefix}>")).state
            subjects = sorted(state.subjects or {})
            return {subject[len(prefix) :]: await js.get_last_msg(stream, subject) for subject in subjects}

        return self.ask(read)

    def markers(self):
        """Returns the entries of the bucket of answers by key."""
        bucket = f"{self.queue}-answered"
        entries = self.newest(f"KV_{bucket}", f"$KV.{bucket}.")
        return {key: entry.data for key, entry in entries.items() if "KV-Operation" not in (entry.headers or {})}

    def writes(self):
        """Returns how often an entry was written to the bucket of answers. It keeps the last of each key only."""
        return self.ask(lambda js: js.stream_info(f"KV_{self.queue}-answered")).state.last_seq

    def count_markers(self):
        return self.messages(f"KV_{self.queue}-answered")

    def objects(self, bucket):
        """Returns the names of the objects in a bucket that are not deleted."""
        bucket = f"{self.queue}-{bucket}"
        infos = [json.loads(message.data) for message in self.newest(f"OBJ_{bucket}", f"$O.{bucket}.M.").values()]
        return {info["name"] for info in infos if not info.get("deleted")}

    def forget(self, digest):
        """Deletes the entry of an answer."""

        async def delete(js):
            store = await js.key_value(f"{self.queue}-answered")
            await store.purge(digest)

        self.ask(delete)

    def publish(self, payload, headers=None):
        return self.ask(lambda js: js.publish(f"{self.queue}.requests", payload, headers=headers))

    def take(self, count, times):
        """Takes messages as a worker does that never answers: each of `count` messages `times` times."""

        async def take(js):
            subscription = await js.pull_subscribe_bind("workers", stream=self.queue)
            taken, end = 0, time.monotonic() + 60
            while taken < count * times and time.monotonic() < end:
                try:
                    taken += len(await subscription.fetch(count, timeout=5))
                except nats.errors.TimeoutError:
                    pass
            assert taken == count * times, f"only {taken} of {count * times} deliveries"

        self.ask(take)

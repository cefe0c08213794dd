"""A headless Chromium controlled over its debugging pipe, for the browser checks of pages. Standard library only."""

import contextlib
import json
import os
import select
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

PATIENCE = 90.0  # seconds for one step, on a busy machine


def chromium():
    """Returns the path of a Chromium, installing it if possible; `None` if there is none. CHROMIUM names another
    program."""
    names = [os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome"]
    find = lambda: next((path for path in map(shutil.which, filter(None, names)) if path), None)
    if find() is None and shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(["apt-get", "update", "-qq"], **quiet)
        environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"]
        subprocess.run(install, env=environment, **quiet)
    return find()


class NotShown(TimeoutError):
    """The browser answers, but the page does not show what it should in time."""


class Browser:
    """One page of a headless Chromium, controlled over its debugging pipe."""

    def __init__(self, program, profile):
        down_read, down_write = os.pipe()
        up_read, up_write = os.pipe()
        # The browser expects the pipe at file descriptors 3 and 4; `sh` moves it there.
        command = f"exec 3<&{down_read} 4>&{up_write}; exec \"$@\""
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--window-size=1400,2000",
                 f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"]
        self.process = subprocess.Popen(["bash", "-c", command, "bash", program, *flags],
                                        pass_fds=(down_read, up_write),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(down_read)
        os.close(up_write)
        self.down, self.up = down_write, up_read
        self.buffer, self.number, self.session, self.events = b"", 0, None, []

    def read(self, until):
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.up], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.up, 1 << 16)
            if not piece:
                raise ConnectionError("the browser has ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.down, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            answer = self.read(until)
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def open(self, url):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Page.navigate", url=url)

    def value(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{result['exceptionDetails']}\n{script}")
        return result["result"].get("value")

    def wait(self, script, what, patience=PATIENCE):
        until = time.monotonic() + patience
        while time.monotonic() < until:
            found = self.value(script)
            if found:
                return found
            time.sleep(0.1)
        raise NotShown(f"the page does not show {what}")

    def close(self):
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def service(program, *arguments):
    """Starts a service on a free port of this machine, as `host:port`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host = "127.0.0.1:%d" % free.getsockname()[1]
    process = subprocess.Popen([program, "serve", "--listen", host, *arguments], stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://{host}/livez", timeout=1)
                break
            except OSError:
                time.sleep(0.1)
        yield host
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def browser(program):
    """Starts a browser with a fresh profile."""
    profile = tempfile.mkdtemp(prefix="overfold-browser-")
    page = None
    try:
        page = Browser(program, profile)
        yield page
    finally:
        if page:
            page.close()
        shutil.rmtree(profile, ignore_errors=True)

"""A repository with a base and a pull request, and a substitute for the API of a code host."""

import contextlib
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAIN = 'resource "terraform_data" "web" {\n  input = "blue"\n\n  lifecycle {\n    prevent_destroy = true\n  }\n}\n'
OVERRIDE = 'resource "terraform_data" "web" {\n  input = "%s"\n}\n'
BROKEN = 'resource "terraform_data" "nobody" {\n  input = "green"\n}\n'


class Repository:
    """`origin` as the code host has it: the commits `base`, `head`, and `merge`, which combines both. The base has
    advanced since the pull request was opened, by a change that must not be reported."""

    def __init__(self, folder, directory="infra"):
        shutil.rmtree(folder, ignore_errors=True)
        self.folder, self.directory = folder, directory
        self.origin = folder / "origin"
        self.origin.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch", "main")
        self.git("config", "uploadpack.allowAnySHA1InWant", "true")
        self.old_base = self.commit({f"{directory}/main.tf": MAIN, f"{directory}/other/main.tf": MAIN, "README.md": "x"})
        self.git("checkout", "--quiet", "-b", "topic")
        self.head = self.commit({f"{directory}/override.tf": OVERRIDE % "green", f"{directory}/new/main.tf": MAIN})
        self.git("checkout", "--quiet", "main")
        self.base = self.commit({f"{directory}/other/override.tf": OVERRIDE % "of others"})
        self.git("merge", "--quiet", "--no-ff", "--no-edit", "topic")
        self.merge = self.git("rev-parse", "HEAD")

    def git(self, *arguments, at=None):
        identity = ["-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"]
        command = ["git", *identity, *arguments]
        return subprocess.run(command, cwd=at or self.origin, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, files):
        for name, text in files.items():
            path = self.origin / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", "x")
        return self.git("rev-parse", "HEAD")

    def checkout(self, commit):
        """Creates the checkout of a job: this commit alone."""
        clone = self.folder / "checkout"
        shutil.rmtree(clone, ignore_errors=True)
        clone.mkdir()
        self.git("init", "--quiet", at=clone)
        self.git("remote", "add", "origin", self.origin.as_uri(), at=clone)
        self.git("fetch", "--quiet", "--depth=1", "origin", commit, at=clone)
        self.git("checkout", "--quiet", "--detach", commit, at=clone)
        return clone


def path_with(program, folder):
    """Returns a PATH on which `overfold` is the program."""
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    link = folder / "bin/overfold"
    link.unlink(missing_ok=True)
    link.symlink_to(program)
    return f"{folder / 'bin'}:{os.environ['PATH']}"


class Host(http.server.BaseHTTPRequestHandler):
    """Serves comments at any address that ends in `comments` or `notes`, two per page."""

    def do_GET(self):
        page = int((re.search(r"[?&]page=(\d+)", self.path) or [0, 1])[1])
        link = f'<{self.server.url}{self.path.partition("?")[0]}?page={page + 1}>; rel="next"'
        comments = self.server.comments
        self.answer(comments[2 * page - 2 : 2 * page], {"Link": link} if len(comments) > 2 * page else {})

    def do_POST(self):
        text = self.body()
        self.server.comments.append({"id": 100 + len(self.server.comments), "body": text})
        self.answer(self.server.comments[-1])

    def do_PATCH(self):
        number = int(self.path.rpartition("/")[2])
        [comment] = [comment for comment in self.server.comments if comment["id"] == number]
        comment["body"] = self.body()
        self.answer(comment)

    do_PUT = do_PATCH

    def body(self):
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]

    def answer(self, body, headers={}):
        self.server.seen.append((self.command, self.path))
        allowed = self.server.secret in self.headers.values() and not (self.server.closed and self.command != "GET")
        self.send_response(200 if allowed else 403)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(json.dumps(body if allowed else {"message": "no"}).encode())

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def host(secret):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host)
    server.url = f"http://127.0.0.1:{server.server_port}"
    server.secret, server.closed, server.seen = secret, False, []
    server.comments = [{"id": number, "body": "somebody else's"} for number in range(3)]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()

"""nginx and haproxy in front of the program, as docs/proxy.md configures them: the blocks of that page are what runs,
but for addresses and files.

What must hold, with TLS at the proxy and tokens at the service: bodies above a megabyte pass; the name and the port
that a client uses reach the service; a batch is answered line by line while it is sent; long heads pass; so does a path
below another site."""

import contextlib
import json
import os
import re
import signal
import socket
import ssl
import subprocess

import tools
from service import Service, free_port, wait_for

PAGE = tools.ROOT / "docs/proxy.md"
NAME = "overfold.example.com"
MODULE = {"files": {"main.tf": "locals {\n  a = 1\n}\n"}}


def block(heading):
    """Returns the configuration below a heading of the page."""
    section = PAGE.read_text().split(f"\n## {heading}\n")[1]
    return re.search(r"```\w+\n(.*?)```", section, re.S)[1]


def put(text, replacements):
    """Replaces what is different here, each of which the page must have."""
    for before, after in replacements.items():
        assert before in text, f"docs/proxy.md no longer has {before!r}"
        text = text.replace(before, after)
    return text


class Client:
    """Sends requests to a proxy, each on a connection of its own."""

    def __init__(self, port, certificate, token):
        self.port, self.token = port, token
        self.context = ssl.create_default_context(cafile=certificate)

    @contextlib.contextmanager
    def connection(self, protocols=("http/1.1",)):
        self.context.set_alpn_protocols(protocols)
        with socket.create_connection(("127.0.0.1", self.port), 30) as plain:
            with self.context.wrap_socket(plain, server_hostname=NAME) as encrypted:
                yield encrypted

    def head(self, method, path, *fields):
        fixed = [f"Host: {NAME}:{self.port}", f"Authorization: Bearer {self.token}", "Connection: close"]
        return "\r\n".join([f"{method} {path} HTTP/1.1", *fixed, *fields, "", ""]).encode()

    def ask(self, method, path, *fields, body=b""):
        """Returns the status and the whole answer; 0 and why if there is none."""
        fields = [*fields, f"Content-Length: {len(body)}"] if body else fields
        answer = b""
        try:
            with self.connection() as connection:
                connection.sendall(self.head(method, path, *fields) + body)
                while piece := connection.recv(65536):
                    answer += piece
        except OSError as error:
            return 0, f"{answer} {error!r}".encode()
        return int(answer[9:12] or 0), answer

    def merge(self, module, *fields):
        body = json.dumps(module).encode()
        return self.ask("POST", "/v1/merge", "Content-Type: application/json", *fields, body=body)

    def batch(self):
        """Sends the lines of a batch, each after the answer to the one before."""
        with self.connection() as connection:
            fields = "Content-Type: application/x-ndjson", "Transfer-Encoding: chunked"
            connection.sendall(self.head("POST", "/v1/batch", *fields))
            received = b""
            for number in range(3):
                line = json.dumps({"id": f"line-{number}", **MODULE}).encode() + b"\n"
                connection.sendall(b"%x\r\n%s\r\n" % (len(line), line))
                while f'"line-{number}"'.encode() not in received:
                    try:
                        piece = connection.recv(65536)
                    except TimeoutError:
                        piece = b""
                    assert piece, f"line {number} is not answered while the batch goes on: {received[-300:]}"
                    received += piece
            connection.sendall(b"0\r\n\r\n")


def check(client):
    """Checks what docs/proxy.md says that matters of a proxy."""
    status, answer = client.merge(MODULE)
    assert status == 200, answer[-500:]
    large = {"files": {"main.tf": "# " + "x" * (2 << 20) + "\n"}}
    status, answer = client.merge(large)
    assert status == 200, f"a body of 2 MiB: {answer[:300]}"
    # As the explorer does in a browser that sends no Sec-Fetch-Site.
    status, answer = client.merge(MODULE, f"Origin: https://{NAME}:{client.port}")
    assert status == 200, f"the name does not arrive as it was sent: {answer[-500:]}"
    status, answer = client.merge(MODULE, "Origin: https://elsewhere.example.com")
    assert status == 403 and b"cross-origin" in answer, answer[-500:]
    # The service refuses an unknown parameter with a problem; a proxy would say something of its own.
    status, answer = client.ask("GET", "/v1/dialects?" + "x" * 60_000)
    assert b"\r\nx-request-id: " in answer.lower(), f"a long head does not reach the service: {answer[:300]}"
    client.batch()
    with client.connection(("h2", "http/1.1")) as connection:
        assert connection.selected_alpn_protocol() == "h2", "the proxy does not offer HTTP/2"


def nginx(folder, service, port, files):
    text = put(block("nginx"), {
        "127.0.0.1:8080": f"127.0.0.1:{service.port}", "listen 443": f"listen 127.0.0.1:{port}",
        "/etc/nginx/overfold.pem": str(files["certificate"]), "/etc/nginx/overfold.key": str(files["key"]),
    })
    below = re.search(r"`(location /tools/overfold/ .*?\})`", PAGE.read_text(), re.S)[1]
    text = text.replace("    location / {", f"    {below}\n\n    location / {{", 1)
    places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    temporary = "\n".join(f"{name}_temp_path {folder}/{name};" for name in places)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user}\ndaemon off;\npid {folder}/nginx.pid;\nerror_log {folder}/nginx.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{temporary}\n{text}\n}}\n")
    return ["-e", f"{folder}/nginx.log", "-p", folder, "-c", f"{folder}/nginx.conf"]


def haproxy(folder, service, port, files):
    (folder / "both.pem").write_text(files["certificate"].read_text() + files["key"].read_text())
    text = put(block("haproxy"), {
        "127.0.0.1:8080": f"127.0.0.1:{service.port}", "bind :443": f"bind 127.0.0.1:{port}",
        "/etc/haproxy/overfold.pem": str(folder / "both.pem"),
    })
    (folder / "haproxy.cfg").write_text(text)
    return ["-db", "-f", f"{folder}/haproxy.cfg"]


def behind(name, configure, stop, program, folder, at_hand):
    with tools.or_skipped(f"the configuration of {name} in docs/proxy.md has NOT been tested"):
        proxy, openssl = at_hand.system(name, name), at_hand.system("openssl", "openssl")
    folder = folder / f"behind-{name}"
    folder.mkdir(exist_ok=True)
    certificate, key = tools.new_certificate(openssl, folder, NAME)
    line, token = tools.new_token(program)
    (folder / "tokens").write_text(line + "\n")
    settings = dict(TOKEN_FILE=folder / "tokens", ALLOWED_HOST=NAME, QUEUE_PATIENCE=1000)
    service, port, running = Service(program, folder / "service.log", **settings), free_port(), None
    try:
        service.start()
        arguments = configure(folder, service, port, {"certificate": certificate, "key": key})
        with open(folder / "output", "w") as output:
            running = subprocess.Popen([proxy, *arguments], stdout=output, stderr=subprocess.STDOUT)
        client = Client(port, certificate, token)
        wait_for(lambda: client.ask("GET", "/livez")[0] == 200, 10, f"{name} answers")
        check(client)
        if name == "nginx":
            status, answer = client.ask("GET", "/tools/overfold/livez")
            assert status == 200, f"a path below another site: {answer[:300]}"
        done = tools.run(proxy, "-v")
        version = re.search(r"\d+\.\d+\.\d+", done.stdout)[0]
        yield (
            f"{name} {version} as in docs/proxy.md: bodies, the name, lines of a batch, long heads and HTTP/2 pass as "
            "the page says"
        )
    finally:
        if running is not None:
            running.send_signal(stop)
            running.wait(40)
        service.end()


def test_nginx(program, folder, at_hand):
    yield from behind("nginx", nginx, signal.SIGTERM, program, folder, at_hand)


def test_haproxy(program, folder, at_hand):
    yield from behind("haproxy", haproxy, signal.SIGTERM, program, folder, at_hand)

"""A proxy that serves a service below a path, which it strips, for the browser checks of pages. Standard library
only."""

import http.client
import http.server
import threading

PREFIX = "/tools/overfold"


class Proxy(http.server.BaseHTTPRequestHandler):
    """Serves the service `host` below PREFIX, and records the requests."""

    protocol_version = "HTTP/1.1"
    host = ""
    asked = []

    def pass_on(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else None
        self.asked.append((self.command, self.path, self.headers.get("Content-Type"), length))
        connection = http.client.HTTPConnection(self.host, timeout=60)
        if self.path.startswith(PREFIX + "/"):
            headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "origin")}
            connection.request(self.command, self.path[len(PREFIX):], body, headers)
            answer = connection.getresponse()
            status, headers, content = self.changed(answer.status, answer.getheaders(), answer.read())
        else:
            status, headers, content = 404, [], b""
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = pass_on

    def changed(self, status, headers, content):
        """Returns what the browser gets in place of an answer."""
        return status, headers, content

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    """Ignores a browser that leaves before its answer."""

    def handle_error(self, request, client_address):
        pass


def before(host, kind=Proxy):
    """Starts a proxy for the service `host`; returns the address of its front page, and the server, which can be shut
    down."""
    kind.host = host
    server = Server(("127.0.0.1", 0), kind)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}{PREFIX}/", server

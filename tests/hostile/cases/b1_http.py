"""The JSON body, the query, forms, encodings, and HTTP itself: everything before the configuration is read."""

import base64
import gzip
import json
import re
import zlib

from harness import MB, PROTOCOL, Answer, Failure, expect, merge_body, parse_json, request
from shared import bounded, small

GOOD = b'{"files":{"main.tf":"a=1"}}'
# 1 GiB of spaces in Brotli (809 bytes), deflated.
BROTLI_BOMB = (
    "eNo7//9/PYOKw6ONDkXv///8/5+/gcVBRqzh3V/7////M05g6DjMdGHv/+f//9szCDEURjDs+v7/z///7A5MCnzcDt//zQeqYvBgOJLI+OLe/8//"
    "/8szcDZY6DDc/V3/7/9/ZgVGgXbWBdX/z4MtYXi0gaFk1JJRS4aiJfYAujavHg==")
SECRET = "S3CRETMARK"


def short_echo(answer, _parsed):
    """Checks that an unreadable option is not sent back in full."""
    expect(len(answer.body) < 4096, f"the problem has {len(answer.body)} bytes")


def refused(answer, _parsed):
    """Checks that the request is rejected."""
    expect(answer.status >= 400, f"accepted with {answer.status}")


def cases():
    """Bodies first, the protocol last."""
    yield from json_bodies()
    yield from json_large()
    yield from queries()
    yield from content_types()
    yield from forms()
    yield from encodings()
    yield from protocol()


def one_file(text):
    """Returns a body with one file of this JSON value."""
    return b'{"files":{"a.tf":' + text + b"}}"


def value(text):
    """Returns a body that gives this JSON value to a variable."""
    return (b'{"files":{"a.tf":"variable \\"a\\" {\\n}\\n"},"include":["variables"],"variables":{"args":'
            b'[{"name":"a","value":' + text + b"}]}}")


def json_bodies():
    """Small bodies."""
    for name, body in (
            ("nothing", b""), ("a word", b"hello"), ("a list", b"[]"), ("null", b"null"),
            ("null files", b'{"files":null}'), ("a list of files", b'{"files":[]}'), ("no files", b"{}"),
            ("a number as file", one_file(b"1")), ("null as file", one_file(b"null")),
            ("base64 with another key", one_file(b'{"base64":"YQ==","x":1}')),
            ("base64 twice", one_file(b'{"base64":"YQ==","base64":"Yg=="}')),
            ("base64 without padding", one_file(b'{"base64":"YQ"}')),
            ("base64 with a space", one_file(b'{"base64":"Y Q=="}')),
            ("files twice", b'{"files":{},"files":{"a.tf":"x=1"}}'),
            ("a file twice", b'{"files":{"a.tf":"","a.tf":"x"}}'),
            ("a file twice with ./", b'{"files":{"a.tf":"","./a.tf":"x"}}'),
            ("a file twice with an escape", b'{"files":{"a.tf":"","\\u0061.tf":"x"}}'),
            ("unknown field", b'{"files":{},"field":"x"}'),
            ("unknown field of variables", b'{"files":{},"variables":{"x":1}}'),
            ("byte order mark", b"\xef\xbb\xbf" + GOOD), ("UTF-16", GOOD.decode().encode("utf-16")),
            ("a file that is not UTF-8", one_file(b'"\xff\xfe"')),
            ("a path that is not UTF-8", b'{"files":{"\xff.tf":""}}'),
            ("half a surrogate pair", one_file(b'"\\ud800"')),
            ("half a surrogate pair as path", b'{"files":{"\\ud800.tf":""}}'),
            ("NUL in a file", one_file(b'"\\u0000"')), ("NUL in a path", b'{"files":{"a\\u0000.tf":""}}'),
            ("a byte after it", GOOD + b"x"), ("two documents", GOOD + GOOD), ("a comment", b"/*x*/" + GOOD),
            ("NaN", b'{"files":{},"strip_components":NaN}'),
            ("1e400", b'{"files":{},"strip_components":1e400}'),
            ("a million digits", b'{"files":{},"strip_components":' + b"9" * 1_000_000 + b"}"),
            ("NUL in an environment name", b'{"files":{},"variables":{"env":{"A=B\\u0000":"x"}}}'),
            ("an environment name twice", b'{"files":{},"variables":{"env":{"A":"x","A":"y"}}}'),
            ("value 1e999999999", value(b"1e999999999")), ("value 1e9999999999", value(b"1e9999999999")),
            ("value 1e1999990", value(b"1e1999990")), ("unknown part", b'{"files":{},"include":["nope"]}'),
            ("a part twice", b'{"files":{},"include":["config","config"]}'),
            ("root outside", b'{"files":{},"root":"../x"}'), ("absolute root", b'{"files":{},"root":"/etc"}')):
        yield small(f"json, {name}", body)
    for field in ("version", "dialect", "root", "config_format"):
        for length in (5000, 100_000):
            body = json.dumps({"files": {}, field: "9" * length})
            yield small(f"json, {field} of {length} bytes", body.encode(), check=short_echo)
    yield small("json, dialect of markup", json.dumps({"files": {}, "dialect": "<script>" * 1000}).encode(),
                check=short_echo)


def json_large():
    """Bodies at the limits."""
    options = [{"var": "a=1"}] * 10_001
    yield request("json, 10001 options", merge_body({}, variables={"args": options}))
    environment = {f"TF_VAR_{at}": "1" for at in range(10_001)}
    yield request("json, environment of 10001", merge_body({}, variables={"env": environment}))
    yield request("json, a million parts", lambda: b'{"files":{},"include":[' + b'"config",' * 999_999 + b'"config"]}')
    yield request("json, 10 million lists", lambda: b'{"files":{},"x":' + b"[" * 10_000_000)
    yield request("json, a value of a million levels", lambda: value(b"[" * 1_000_000 + b"]" * 1_000_000))
    yield request("json, a value of 3990 levels", lambda: value(b"[" * 3990 + b"]" * 3990))
    yield request("json, files of a million levels", lambda: b'{"files":' + b'{"a":' * 1_000_000)
    yield request("json, a million files", lambda: merge_body({f"{at}.tf": "" for at in range(1_000_000)}))
    yield request("json, a file of 33 MB", lambda: one_file(b'"' + b"#" * 33_000_000 + b'"'))
    yield request("json, a file of 33 MB of escapes", lambda: one_file(b'"' + b"\\u0023" * 5_500_000 + b'"'))
    yield request("json, 33 MB of spaces", lambda: b" " * 33_000_000 + GOOD)


def queries():
    """Options next to an archive."""
    tar = b"\0" * 1024
    for query in ("x=1", "dialect=a&dialect=b", "include=%zz", "include=%00", "variables={", "variables=%ff",
                  "a" * 60_000, "include=config&include=files", "root=..%2f", "variables=" + "%5B" * 20_000,
                  "strip_components=1e3", "version=" + "9" * 50_000):
        yield small(f"query {query[:30]}", tar, "application/x-tar", "/v1/merge?" + query, check=short_echo,
                    statuses=PROTOCOL)
    yield small("query with json", GOOD, path="/v1/merge?dialect=x")


def content_types():
    """Content types."""
    for kind in (None, "", "application/json; charset=latin1", "application/json;charset=UTF-8", "APPLICATION/JSON",
                 "text/plain", "multipart/form-data", "multipart/form-data; boundary=",
                 "multipart/form-data; boundary=" + "x" * 1000, "application/json, application/x-tar", "\x00",
                 "application/vnd.api+json"):
        yield small(f"content type {kind!r}"[:50], GOOD, kind, media_type=kind != "\x00", statuses=PROTOCOL)


def form(parts, boundary=b"XX", end=True):
    """Returns a form with these headers and contents."""
    out = b"".join(b"--" + boundary + b"\r\n" + head + b"\r\n\r\n" + data + b"\r\n" for head, data in parts)
    return out + (b"--" + boundary + b"--\r\n" if end else b"")


def part(name, file_name, data=b"a=1"):
    """Returns a file part of a form."""
    return b'Content-Disposition: form-data; name="%s"; filename="%s"' % (name, file_name), data


def forms():
    """Forms of every kind."""
    disposition = b'Content-Disposition: form-data; name="files"; filename="a.tf"'
    options = b'Content-Disposition: form-data; name="options"'
    good = [part(b"files", b"a.tf")]
    encoded = b"Content-Disposition: form-data; name=\"files\"; filename*=UTF-8''..%2fa.tf"
    for name, body in (
            ("good", form(good)), ("without end", form(good, end=False)), ("a file twice", form(good * 2)),
            ("a path outside", form([part(b"files", b"../a.tf")])), ("an encoded path outside", form([(encoded, b"x")])),
            ("without file name", form([(b'Content-Disposition: form-data; name="files"', b"x")])),
            ("without disposition", form([(b"X: y", b"x")])),
            ("without name", form([(b"Content-Disposition: form-data", b"x")])),
            ("unknown part", form([part(b"evil<script>", b"x")])),
            ("archive and files", form([*good, part(b"archive", b"a.tar")])),
            ("options twice", form([*good, (options, b"{}"), (options, b"{}")])),
            ("files in options", form([*good, (options, b'{"files":{}}')])),
            ("base64 content", form([(disposition + b"\r\nContent-Transfer-Encoding: base64", b"YT0x")])),
            ("line feeds only", form(good).replace(b"\r\n", b"\n")), ("empty", b"--XX--\r\n"),
            ("an option twice", form([*good, (options, b'{"root":".","root":"x"}')]))):
        yield small(f"form, {name}", body, "multipart/form-data; boundary=XX")
    for name, body in (
            ("options of a million levels", lambda: form([*good, (options, b"[" * 1_000_000)])),
            ("a header of 10 MB", lambda: form([(b"X-A: " + b"y" * 10_000_000 + b"\r\n" + disposition, b"x")])),
            ("500000 headers", lambda: form([(b"X-A: y\r\n" * 500_000 + disposition, b"x")])),
            ("60000 parts", lambda: form([part(b"files", b"%d.tf" % at, b"") for at in range(60_000)])),
            ("20 MB before it", lambda: b"p" * 20_000_000 + b"\r\n" + form(good)),
            ("4 million almost boundaries",
             lambda: b"--XX\r\n" + disposition + b"\r\n\r\n" + b"\r\n--X" * 4_000_000),
            ("4 MB after it", lambda: form(good) + b"junk" * 1_000_000)):
        yield request(f"form, {name}", body, "multipart/form-data; boundary=XX")


def encodings():
    """Compressed bodies."""
    pack = gzip.compress
    for name, encoding, body in (
            ("gzip of gzip", "gzip, gzip", pack(pack(GOOD))), ("identity", "identity", GOOD),
            ("deflate", "deflate", zlib.compress(GOOD)), ("unknown", "lzma", GOOD), ("not gzip", "gzip", GOOD),
            ("cut gzip", "gzip", pack(GOOD)[:-9]), ("empty", "", GOOD)):
        yield small(f"encoding, {name}", body, headers={"Content-Encoding": encoding})
    yield small("encoding, bytes after gzip", pack(GOOD) + b"xx", headers={"Content-Encoding": "gzip"}, check=refused)
    for name, encoding, body in (
            ("gzip of 1 GB", "gzip", lambda: pack(one_file(b'"' + b" " * (1 << 30) + b'"'), 1)),
            ("brotli of 1 GB", "br", lambda: zlib.decompress(base64.b64decode(BROTLI_BOMB))),
            ("gzip of 120 MB of spaces", "gzip", lambda: pack(b" " * (120 * MB) + GOOD, 6))):
        yield request(f"encoding, {name}", body, headers={"Content-Encoding": encoding})


def protocol():
    """HTTP itself, byte for byte."""
    host, merge = b"Host: 127.0.0.1\r\n", b"POST /v1/merge HTTP/1.1\r\n"
    kind = b"Content-Type: application/json\r\n"

    def post(body=GOOD, more=b""):
        return merge + host + kind + b"Content-Length: %d\r\n" % len(body) + more + b"\r\n" + body

    closing = b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    yield wire("pipeline of 5", post() * 5, [200] * 5)
    yield wire("pipeline of 200", post() * 200 + closing, [200] * 201)
    chunked = b"Transfer-Encoding: chunked\r\n"
    smuggled = b"1b\r\n" + GOOD + b"\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n" + host + b"\r\n"
    yield wire("length before chunks", merge + host + kind + b"Content-Length: 5\r\n" + chunked + b"\r\n" + smuggled)
    yield wire("chunks before length", merge + host + kind + chunked + b"Content-Length: 5\r\n\r\n0\r\n\r\n")
    for name, lengths in (("two lengths", b"Content-Length: 27\r\nContent-Length: 5\r\n"),
                          ("a list of lengths", b"Content-Length: 27, 27\r\n"), ("length +27", b"Content-Length: +27\r\n"),
                          ("length -1", b"Content-Length: -1\r\n"),
                          ("length of twenty digits", b"Content-Length: 99999999999999999999\r\n"),
                          ("unknown transfer encoding", b"Transfer-Encoding: xchunked\r\n"),
                          ("space before a colon", b"Transfer-Encoding : chunked\r\n"),
                          ("chunks that are not last", b"Transfer-Encoding: chunked, identity\r\n")):
        yield wire(name, merge + host + kind + lengths + b"\r\n" + GOOD, refused=True)
    yield wire("chunks in HTTP/1.0", b"POST /v1/merge HTTP/1.0\r\n" + host + chunked + b"\r\n0\r\n\r\n")
    for name, body in (("bad size", b"zz\r\nabc\r\n"), ("size overflow", b"fffffffffffffffff\r\n"),
                       ("negative size", b"-1\r\n"), ("no line end", b"3\r\nabcdef\r\n0\r\n\r\n"),
                       ("line feeds only", b"1b\n" + GOOD + b"\n0\n\n"),
                       ("extension of 1 MB", b"1b;" + b"x" * 1_000_000 + b"\r\n" + GOOD + b"\r\n0\r\n\r\n"),
                       ("trailers of 600 KB", b"1b\r\n" + GOOD + b"\r\n0\r\n" + b"a: b\r\n" * 100_000 + b"\r\n"),
                       ("100000 of one byte", b"1;xxxxxxxxxxxxxx\r\n \r\n" * 100_000 + b"0\r\n\r\n")):
        yield wire(f"chunks, {name}", merge + host + kind + chunked + b"\r\n" + body)
    livez = b"GET /livez HTTP/1.1\r\n"
    yield wire("no host", livez + b"\r\n", refused=True)
    yield wire("two hosts", livez + b"Host: a\r\nHost: b\r\n\r\n", refused=True)
    yield wire("folded header", livez + host + b"A: b\r\n c\r\n\r\n", refused=True)
    yield wire("NUL in a header", livez + host + b"A\0: b\r\n\r\n", refused=True)
    yield wire("line feeds only", b"GET /livez HTTP/1.1\nHost: 127.0.0.1\n\n")
    yield wire("absolute target", b"GET http://evil.example/livez HTTP/1.1\r\n" + host + b"\r\n")
    yield wire("HTTP/9.9", b"GET /livez HTTP/9.9\r\n" + host + b"\r\n", refused=True)
    yield wire("HTTP/0.9", b"GET /livez\r\n\r\n", refused=True)
    yield wire("method of 100 KB", b"G" * 100_000, answer=False)
    yield wire("header of 1 MB", livez + host + b"A: " + b"x" * 1_000_000 + b"\r\n\r\n", refused=True)
    yield wire("101 headers", livez + host + b"A: b\r\n" * 101 + b"\r\n")
    yield wire("target of 100 KB", b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + host + b"\r\n", refused=True)
    close = b"Connection: close\r\n"
    for method in (b"TRACE", b"OPTIONS", b"CONNECT", b"PUT", b"DELETE", b"HEAD", b"PATCH", b"FOO", b"GET"):
        yield wire(f"{method.decode()} /v1/merge", method + b" /v1/merge HTTP/1.1\r\n" + host + close
                   + b"X-Secret: " + SECRET.encode() + b"\r\n\r\n", refused=True)
    for name, data in (
            ("OPTIONS *", b"OPTIONS * HTTP/1.1\r\n" + host + b"\r\n"),
            ("CONNECT to elsewhere", b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n"),
            ("HTTP/2 at once", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"),
            ("HTTP/2 on request", livez + host + b"Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                                                 b"HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n"),
            ("websocket", livez + host + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n"),
            ("TLS", b"\x16\x03\x01\x02\x00\x01")):
        yield wire(name, data, answer=False)
    yield wire("continue, no body", post(more=b"Expect: 100-continue\r\n")[:-len(GOOD)], answer=False)
    yield wire("unknown expectation", post(more=b"Expect: 200-magic\r\n"), [417])
    for port in (b"99999", b"x", b"-1", b"80:80"):
        yield wire(f"port {port.decode()}", livez + b"Host: localhost:" + port + b"\r\n\r\n", [400])
    for coding, status in ((b"gzip, chunked", 501), (b"chunked, chunked", 400), (b"identity", 400)):
        yield wire(f"transfer coding {coding.decode()}", merge + host + kind + b"Transfer-Encoding: " + coding
                   + b"\r\n\r\n1b\r\n" + GOOD + b"\r\n0\r\n\r\n", [status])
    yield wire("closed after a body", post(), [200], half_close=True)
    yield wire("closed after a request", livez + host + b"\r\n", [200], half_close=True)
    yield wire("closed after a pipeline", post() * 5, [200] * 5, half_close=True)
    yield wire("continue, wrong type", merge + host + b"Content-Type: text/plain\r\nContent-Length: 30000000\r\n"
                                                      b"Expect: 100-continue\r\n\r\n", refused=True)
    yield wire("a body that ends early", merge + host + kind + b"Content-Length: 100\r\n\r\n{", half_close=True,
               answer=False)
    yield wire("accept html", post(more=b"Accept: text/html\r\n"), [406])
    yield wire("accept nothing", post(more=b"Accept: */*;q=0\r\n"), [406])
    yield wire("accept of 80 KB", post(more=b"Accept: " + b"a/b," * 20_000 + b"\r\n"), refused=True)
    yield wire("a weight that is not a number", post(more=b"Accept-Encoding: gzip;q=abc, br;q=1\r\n"))
    for path in (b"/docs/../../../etc/passwd", b"/docs/%2e%2e%2f%2e%2e%2fetc/passwd", b"/docs/", b"/v1/dialects/%2e%2e",
                 b"/v1/dialects/%ff", b"/metrics"):
        yield wire(f"GET {path.decode()}", b"GET " + path + b" HTTP/1.1\r\n" + host + close + b"\r\n", json_only=False)

    def nothing_logged(server, measured):
        log = server.log()
        expect(SECRET not in log, "a header's value is in the log")
        expect("panicked" not in log, "a panic is in the log")
        return "-", f"{len(log.splitlines())} lines"

    yield bounded("the log of these requests", nothing_logged)


def wire(name, data, statuses=None, *, refused=False, answer=True, half_close=False, json_only=True):
    """Sends bytes on a connection. Every answer must have a status of the protocol; `statuses` lists all permitted
    ones; `refused` means that none is a success; `answer` that there is at least one. A problem must be a problem
    document."""

    def attack(server, measured):
        received, closed = server.raw(data, 1.5, half_close)
        found = [int(one) for one in re.findall(rb"HTTP/1\.[01] (\d{3})", received)]
        measured.status = ",".join(map(str, found[:3])) or "none"
        kind = "closed" if closed else "open"
        head, _, body = received.partition(b"\r\n\r\n")
        expect(b"root:" not in received, "a file of the machine in the answer")
        expect(SECRET.encode() not in received, "a header's value in the answer")
        expect(all(one in PROTOCOL or one in (100, 101) for one in found), f"answered with {found[:5]}")
        if statuses is not None:
            expect(found == statuses, f"answered with {found[:5]} and {len(found)} in all")
        if answer:
            expect(bool(found), f"no answer, {kind}")
        if refused:
            expect(all(one >= 400 for one in found), f"accepted with {found[:5]}")
        if json_only and len(found) == 1 and found[0] >= 400 and not data.startswith(b"HEAD "):
            check_problem(found[0], head, body)
        return measured.status, f"{kind}, {len(received)} bytes"

    return bounded(f"wire, {name}", attack)


def check_problem(status, head, body):
    """Checks that a single rejected request got a problem document."""
    headers = dict(line.lower().split(": ", 1) for line in head.decode("latin-1").split("\r\n")[1:] if ": " in line)
    length = int(headers.get("content-length", len(body)))
    try:
        parse_json(body[:length])
    except ValueError:
        raise Failure(f"{status} with {body[:40]!r} in place of a problem document") from None
    Answer(status, headers, body[:length], length, 0).check(PROTOCOL)

"""Identities: tokens and key files that are made to be expensive or to pass for others, and callers that take too much.

The signatures here are never right, which costs the most: what comes before it is cheap."""

import base64
import hashlib
import json
import tempfile
import threading
import time

from harness import Case, Failure, Server, expect

ISSUER, AUDIENCE = "https://issuer.test/", "overfold-test"
# A public key for tests, of which nobody has kept the private part.
MODULUS = (
    "u_3Mh8sx4qjzdSjPn8HTUXYi7ROp8b3MMFOIRb8UKNBhb-XW-BH2JZC02RUqo3a0Tsj43jBIxBTkUq5aEzQyFnQUWHIvDc6Stc9R"
    "0rQQaPTiVSZqOVJkqggtjyrBKLIBpO2GVjpqQg58BehPYKZXO3B9v2OjZNpNPBiwwB-qMgsSHgvXLEnKn18k9ym_MwnLPn_xsZck"
    "Nfp11vMAkxq-kk9dLR4JFGWbeSmHX9n03rmNdu_f1uDMoLzAZxxy0Cx5uaJGBzMndeOmcKzLtYlDgP86F6EepQC3ROusnDEHxguL"
    "mDt5PhIOsqZ1kHYOY-JvcF2TXV3AHf2Gi5jwH8UW_Q")
RSA = {"kty": "RSA", "kid": "rsa", "alg": "RS256", "use": "sig", "n": MODULUS, "e": "AQAB"}
KEYS = json.dumps({"keys": [RSA]})


def b64(data):
    """Encodes as base64url."""
    data = data if isinstance(data, bytes) else json.dumps(data).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def claims(**changes):
    """Returns claims that would be accepted."""
    return {"iss": ISSUER, "aud": AUDIENCE, "sub": "a", "exp": int(time.time()) + 300, "scope": "overfold:merge"} | changes


def token(header=None, body=None, signature=b"\0" * 256):
    """Returns a token with this signature."""
    return ".".join((b64({"alg": "RS256", "kid": "rsa"} if header is None else header),
                     b64(claims() if body is None else body), b64(signature)))


def serving(keys=KEYS, args=(), tokens=None):
    """Starts a server that accepts identities."""
    folder = tempfile.TemporaryDirectory()
    with open(f"{folder.name}/jwks.json", "w") as file:
        file.write(keys)
    args = ["--jwks", f"{folder.name}/jwks.json", "--jwt-issuer", ISSUER, "--jwt-audience", AUDIENCE, *args]
    if tokens:
        with open(f"{folder.name}/tokens", "w") as file:
            file.write(tokens)
        args += ["--token-file", f"{folder.name}/tokens"]
    server = Server(args=args)
    server.folder = folder
    return server


def cases():
    """Tokens, then key files, then callers."""
    yield Case("tokens that nobody has signed", refused)
    yield Case("many signatures to check", flood)
    yield Case("files of keys", files)
    yield Case("a caller over its rate", over_rate)


TOKENS = {
    "nothing": lambda: "..",
    "alg none": lambda: token({"alg": "none", "kid": "rsa"}, signature=b""),
    "a wrong signature": token,
    "an empty signature": lambda: token(signature=b""),
    "a long signature": lambda: token(signature=b"\xff" * 8000),
    "a signature as large as the modulus": lambda: token(signature=base64.urlsafe_b64decode(MODULUS + "==")),
    "the key in the header": lambda: token({"alg": "RS256", "kid": "x", "jwk": RSA}),
    "an address of keys": lambda: token({"alg": "RS256", "kid": "rsa", "jku": "http://127.0.0.1:1/", "x5u": "http://127.0.0.1:1/"}),
    "crit": lambda: token({"alg": "RS256", "kid": "rsa", "crit": ["b64"], "b64": False}),
    "a deep header": lambda: b64(b'{"alg":' * 2000) + ".AA.AA",
    "a deep unknown member": lambda: b64(b'{"x":' + b"[" * 9000 + b"]" * 2000) + ".AA.AA",
    "a long kid": lambda: token({"alg": "RS256", "kid": "x" * 9000}),
    "many dots": lambda: "." * 16000,
    "20 KB": lambda: token(body=claims(x="x" * 15000)),
    "60 KB": lambda: "a." + "a" * 60000 + ".a",
    "not ASCII": lambda: "\u00e9.\u00e9.\u00e9",
}


def refused(measured):
    """Each is a 401 with the same body, at little cost; the log has the reason and nothing of the token."""
    with serving() as server:
        before, bodies = server.cpu(), set()
        for name, make in TOKENS.items():
            sent = make()
            answer = server.get("/v1/dialects/terraform", {"Authorization": f"Bearer {sent}"})
            expect(answer.status == 401, f"{name}: status {answer.status} {answer.problem}")
            problem = answer.check({401})
            problem.pop("instance")
            bodies.add(json.dumps(problem))
            expect(len(sent) < 100 or sent[:80] not in server.log(), f"{name} is in the log")
        expect(len(bodies) == 1, f"strangers can tell {len(bodies)} reasons apart")
        expect(server.log().count("token_refused") >= len(TOKENS), "a reason is not in the log")
        measured.cpu = server.cpu() - before
        expect(measured.cpu < 1, f"{measured.cpu:.2f} CPU seconds")
        measured.status, measured.note = 401, f"{len(TOKENS)} tokens"


def flood(measured):
    """Others are served while strangers have signatures checked on eight connections."""
    with serving() as server:
        bad, until, count = token(), time.monotonic() + 5, [0] * 8

        def ask(at):
            while time.monotonic() < until:
                if server.get("/v1/dialects/terraform", {"Authorization": f"Bearer {bad}"}).status == 401:
                    count[at] += 1

        threads = [threading.Thread(target=ask, args=(at,)) for at in range(8)]
        for thread in threads:
            thread.start()
        slowest = 0.0
        while time.monotonic() < until:
            answer = server.get("/livez")
            expect(answer.status == 200, f"/livez: {answer.status} {answer.problem}")
            slowest = max(slowest, answer.seconds)
            time.sleep(0.05)
        for thread in threads:
            thread.join()
        measured.livez_ms = slowest * 1000
        expect(slowest < 1, f"/livez took {slowest:.2f} s")
        expect(server.peak_mb() < server.idle_mb + 64, f"{server.peak_mb() - server.idle_mb:.0f} MB above idle")
        measured.status, measured.note = 401, f"{sum(count) / 5:.0f} refusals per second"


def files(measured):
    """Files of keys that cannot be used stop the start, quickly and with little memory."""
    bad = {
        "10 MB": json.dumps({"keys": [RSA | {"kid": str(at)} for at in range(30000)]}),
        "deep": '{"keys":' + "[" * 100000,
        "deep member": '{"keys":[],"x":' + "[" * 100000 + "]" * 100000 + "}",
        "the same kid": json.dumps({"keys": [RSA] * 2}),
        "a secret": json.dumps({"keys": [{"kty": "oct", "kid": "a", "k": "AAAA"}]}),
        "a huge modulus": json.dumps({"keys": [RSA | {"n": "_" * 200000}]}),
        "a huge exponent": json.dumps({"keys": [RSA | {"e": MODULUS}]}),
        "not JSON": "\0" * 1000,
    }
    began = time.monotonic()
    for name, keys in bad.items():
        try:
            server = serving(keys)
        except Failure:
            continue
        with server:
            raise Failure(f"the server starts with {name}")
    # As many keys as fit.
    many = json.dumps({"keys": [RSA | {"kid": str(at)} for at in range(580)]})
    with serving(many) as server:
        answer = server.get("/v1/dialects/terraform", {"Authorization": f"Bearer {token({'alg': 'RS256', 'kid': '579'})}"})
        expect(answer.status == 401, f"status {answer.status}")
    measured.seconds = time.monotonic() - began
    measured.status, measured.note = "none", f"{len(bad)} files"


def over_rate(measured):
    """A caller that sends what it can has its rate, and another one is served."""
    lines = "".join(f"{name}:sha256:{hashlib.sha256(name.encode() * 9).hexdigest()}\n" for name in "ab")
    with serving(args=("--caller-rate", "10", "--caller-burst", "10", "--caller-share", "50"), tokens=lines) as server:
        until, seen = time.monotonic() + 4, []

        def ask():
            while time.monotonic() < until:
                seen.append(server.get("/version", {"Authorization": f"Bearer {'a' * 9}"}))

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        others = 0
        while time.monotonic() < until:
            answer = server.get("/version", {"Authorization": f"Bearer {'b' * 9}"})
            expect(answer.status == 200, f"another caller: {answer.status}")
            others += 1
            time.sleep(0.15)
        for thread in threads:
            thread.join()
        served = sum(answer.status == 200 for answer in seen)
        limited = [answer for answer in seen if answer.status == 429]
        expect(served + len(limited) == len(seen), "an answer that is neither")
        expect(35 <= served <= 60, f"{served} requests in 4 s at a rate of 10 after a burst of 10")
        expect(all(answer.headers.get("retry-after") == "1" for answer in limited), "Retry-After is missing")
        expect(others > 10, "the other caller is hardly served")
        measured.status, measured.note = 429, f"{served} served, {len(limited)} limited, {others} of another caller"

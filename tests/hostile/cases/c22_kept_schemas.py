"""Schemas of providers that the service keeps: folders and documents that are absurd, damaged, or change while they are read."""

import gzip
import json
import lzma
import pathlib
import tempfile
import threading
import time

from harness import CPU_SECONDS, MEMORY_MB, Case, Server, expect

ADDRESS = "registry.terraform.io/x/a"
MODULE = (
    'terraform {\n required_providers {\n  a = {\n   source = "x/a"\n  }\n }\n}\nresource "a_b" "c" {\n name = "n"\n}\n')
TYPE = {"version": 0, "block": {"attributes": {"name": {"type": "string", "optional": True}}}}


def document(types):
    return json.dumps({"format_version": "1.0", "provider_schemas": {ADDRESS: {"resource_schemas": types}}}).encode()


def case(name, fill, memory_mb=MEMORY_MB, statuses=(200, 413), meanwhile=None, requests=3):
    """A folder that `fill` fills, and some plans that use it. `meanwhile` runs beside them."""

    def run(measured):
        with tempfile.TemporaryDirectory() as made:
            folder = pathlib.Path(made)
            place = folder / ADDRESS
            place.mkdir(parents=True)
            fill(place)
            ended = threading.Event()
            beside = threading.Thread(target=meanwhile, args=(place, ended)) if meanwhile else None
            with Server({"OVERFOLD_PROVIDER_SCHEMAS": str(folder)}) as server:
                if beside:
                    beside.start()
                try:
                    body = json.dumps({"files": {"main.tf": MODULE}}).encode()
                    for _ in range(requests):
                        with measured.over(server, CPU_SECONDS, memory_mb):
                            answer = server.post(body, "application/json", "/v1/plan")
                            measured.status, measured.note = answer.status or "none", answer.brief()
                        answer.check(statuses)
                        expect(answer.status in statuses, f"{answer.status}")
                finally:
                    ended.set()
                    if beside:
                        beside.join()

    return Case(name, run, True)


def one(content, name="1.0.0.json"):
    return lambda place: (place / name).write_bytes(content())


def deep(depth):
    block = {"attributes": {}}
    for _ in range(depth):
        block = {"block_types": {"b": {"nesting_mode": "list", "block": block}}}
    return '{"version":0,"block":' + json.dumps(block) + "}"


def many_versions(place):
    for at in range(15_000):
        (place / f"1.0.{at}.json").write_bytes(b"{}")


def many_folders(place):
    for at in range(15_000):
        (place.parent / f"p{at}").mkdir()


def loop(place):
    (place / "1.0.0.json").symlink_to("1.0.1.json")
    (place / "1.0.1.json").symlink_to("1.0.0.json")
    (place.parent / "round").symlink_to(place.parent)
    (place / "2.0.0.json").symlink_to("/dev/zero")


def rewritten(place, ended):
    at = 0
    while not ended.is_set():
        at += 1
        (place / "1.0.0.json").write_bytes(document({"a_b": TYPE} | {f"a_{at}_{n}": TYPE for n in range(2_000)}))
        time.sleep(0.001)


CASES = [
    case("kept schemas: a million types", one(lambda: document({f"a_{at}": 0 for at in range(1_000_000)})), memory_mb=320),
    case("kept schemas: a document of 100 MB", one(lambda: document({"a_b": TYPE, "a_c": "x" * 100_000_000}))),
    case("kept schemas: 60 MB of one type", one(lambda: document({"a_b": TYPE, "a_c": "x" * 60_000_000})), memory_mb=320),
    case("kept schemas: a hundred thousand attributes", one(lambda: document({"a_b": {"version": 0, "block": {"attributes": {
        f"n{at}": {"type": "string", "computed": True} for at in range(100_000)}}}}))),
    case("kept schemas: blocks 200 deep", one(lambda: document({"a_b": json.loads(deep(200))}))),
    case("kept schemas: blocks 3,000 deep", one(lambda: (
        '{"provider_schemas":{"' + ADDRESS + '":{"resource_schemas":{"a_b":{"version":0,"block":' +
        '{"block_types":{"b":{"nesting_mode":"list","block":' * 3_000 + "{}" + "}}}" * 3_000 + "}}}}}").encode())),
    case("kept schemas: absurd numbers of blocks", one(lambda: document({"a_b": {"version": 0, "block": {
        "attributes": {"name": {"type": "string", "optional": True}},
        "block_types": {"b": {"nesting_mode": "list", "min_items": 2**64 - 1, "max_items": 2**63, "block": {}}}}}}))),
    case("kept schemas: zeros that unpack to 300 MB", one(lambda: lzma.compress(b"\0" * 300_000_000), "1.0.0.json.xz")),
    case("kept schemas: another compression than it says", one(lambda: gzip.compress(b"{}"), "1.0.0.json.zst")),
    case("kept schemas: bytes that are no text", one(lambda: b"\xff" * 1_000_000)),
    case("kept schemas: 15,000 versions", many_versions),
    case("kept schemas: 15,000 providers", many_folders),
    case("kept schemas: links in a circle, and to a device", loop),
    case("kept schemas: a file that changes all the time", one(lambda: document({"a_b": TYPE})), meanwhile=rewritten, requests=10),
]


def cases():
    return CASES

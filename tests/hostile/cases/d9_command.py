"""The command `overfold plan` on a configuration of somebody else."""

import os
import pathlib
import resource
import subprocess
import tempfile
import time

from harness import CPU_SECONDS, Case, Failure, Server, expect, many

SECRET = "SECRETenv9"


def output(value):
    """Returns an output."""
    return f'output "o" {{\n value = {value}\n}}\n'


def plan(folder, seconds=90):
    """Runs the command; returns its exit code, everything printed, and the CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OVERFOLD_")}
    try:
        ended = subprocess.run([Server.binary, "plan", folder], capture_output=True, timeout=seconds,
                               env={**clean, "CI_TOKEN": SECRET}, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise Failure(f"not done after {seconds} s") from None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return ended.returncode, ended.stdout + ended.stderr, cpu


def case(name, make, codes=(0, 1), cpu=CPU_SECONDS, quick=True):
    """A folder that `make` fills, and what planning it may cost. `make` takes the folder and the way up to `/`."""

    def run(measured):
        with tempfile.TemporaryDirectory() as made:
            folder = pathlib.Path(made).resolve()
            make(folder, "../" * (len(folder.parts) - 1))
            began = time.monotonic()
            code, printed, measured.cpu = plan(folder)
            measured.status, measured.seconds = code, time.monotonic() - began
            measured.note = printed[-80:].decode("utf-8", "replace").strip()
            expect(code in codes, f"exit code {code}: {printed[-300:]!r}")
            expect(SECRET.encode() not in printed, "the environment is shown")
            expect(measured.cpu <= cpu, f"{measured.cpu:.1f} CPU seconds, at most {cpu}")

    return Case(name, run, quick)


def reads(place, links=(), call="file"):
    """A configuration that reads a place; `{up}` in it is the way to `/`."""

    def make(folder, up):
        for name, target in links:
            (folder / name).symlink_to(target)
        if place == "pipe":
            os.mkfifo(folder / "pipe")
        value = f'{call}("{place.format(up=up)}")'
        (folder / "main.tf").write_text(output(f'try({value}, "not read")'))

    return make


def chain_of_files(count, costly):
    """Files each of which names the next one, and an expression that costs something."""

    def make(folder, _):
        for at in range(count):
            (folder / f"f{at}").write_text(f"f{at + 1}")
        (folder / f"f{count}").write_text("end")
        chain = many(count, " l@+ = file(local.l@)\n")
        (folder / "main.tf").write_text(f'locals {{\n l0 = file("f0")\n{chain}}}\n' + output(costly))

    return make


def modules(folder, _):
    """Modules each of which calls the next one, with something costly in the first."""
    for at in range(300):
        (folder / f"m{at}").mkdir()
        (folder / f"m{at}" / "main.tf").write_text(f'module "m" {{\n source = "../m{at + 1}"\n}}\n')
    (folder / "m300").mkdir()
    (folder / "m300" / "main.tf").write_text("")
    (folder / "main.tf").write_text('module "m" {\n source = "./m0"\n}\n' + output(
        "length([for i in range(1000): [for j in range(250): i*j]])"))


def cases():
    """All places and loops."""
    for place in ("proc/self/environ", "proc/self/mem", "proc/kmsg", "proc/1/environ", "proc/self/fd/0",
                  "sys/kernel/notes", "dev/zero", "dev/random", "dev/fd/0", "dev/stdin", "dev/tty"):
        for call in ("file", "filemd5"):
            yield case(f"{call} of /{place}, from above", reads("{up}" + place, call=call))
    yield case("a link to the environment", reads("e", [("e", "/proc/self/environ")]))
    yield case("a link to a folder of the kernel", reads("p/environ", [("p", "/proc/self")]))
    yield case("a link to a link", reads("q/environ", [("p", "/proc/self"), ("q", "p")]))
    yield case("a link to open files", reads("d/0", [("d", "/dev/fd")]))
    yield case("a link whose name is that of a configuration file", reads("x", [("x.tf", "/proc/self/environ")]), codes=(0, 1, 2))
    yield case("a link whose name is that of values", reads("x", [("x.auto.tfvars", "/dev/zero")]), codes=(0, 1, 2))
    yield case("a pipe", reads("pipe"))
    yield case("everything below the kernel's folders", reads("{up}proc\", \"**", call="fileset"))
    yield case("everything below a link", reads("p\", \"**", [("p", "/proc")], call="fileset"))
    yield case("a chain of 400 files", chain_of_files(400, "1"), codes=(0, 1, 2), cpu=4)
    yield case("a chain of 400 files, something costly", chain_of_files(
        400, "length([for i in range(1000): [for j in range(250): i*j]])"), codes=(0,), cpu=2)
    # Calls are followed to a depth, which is reported.
    yield case("a chain of 300 modules, something costly", modules, codes=(1,), cpu=2)
    yield case("patterns over the whole disk", lambda folder, up: (folder / "main.tf").write_text(
        many(20, f'output "o@" {{\n value = length(fileset("{up}", "**/nothing@"))\n}}\n')), codes=(0, 1, 2), cpu=10, quick=False)

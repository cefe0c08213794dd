"""Tests of release/pack: the archive and the image of a built program. The build itself takes minutes and is not tested
here."""

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile

import repository

COMMIT = "0123456789abcdef0123456789abcdef01234567"
MOMENT = 1_700_000_000


def has(condition, what):
    if not condition:
        sys.exit(f"examples: release/pack: {what}")


def members(content):
    """Returns the files of a tar, by path; each must belong to user 0 and have the same time."""
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        entries = tar.getmembers()
        names = [entry.name for entry in entries]
        has(names == sorted(names), f"not in order: {names}")
        has({(entry.uid, entry.gid, entry.mtime) for entry in entries} == {(0, 0, MOMENT)}, "not as it is everywhere")
        return {entry.name: (tar.extractfile(entry).read(), entry.mode) for entry in entries if entry.isfile()}


def test(program, folder):
    folder = folder / "release"
    version = re.search(r'(?m)^version = "(.*)"$', (repository.ROOT / "Cargo.toml").read_text())[1]
    stem = f"overfold-{version}-x86_64-linux"
    # Only the beginning of the program: packing a whole debug build takes a minute.
    folder.mkdir(exist_ok=True)
    small = folder / "overfold"
    with open(program, "rb") as whole:
        small.write_bytes(whole.read(1_000_000))
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(MOMENT), "OVERFOLD_COMMIT": COMMIT}
    made = []
    for name in ["one", "again"]:
        licences = repository.ROOT / "explorer/LICENSES.txt"
        command = [repository.ROOT / "release/pack", folder / name, version, "x86_64-linux", small, licences]
        subprocess.run(command, env=environment, check=True)
        made.append({path.name: path.read_bytes() for path in (folder / name).iterdir()})
    has(made[0] == made[1], "the same input gives other bytes")
    has(sorted(made[0]) == [f"{stem}.oci.tar", f"{stem}.tar.gz"], f"other files: {sorted(made[0])}")

    # Where `cargo binstall` looks for the archive, and for the program in it.
    manifest = (repository.ROOT / "Cargo.toml").read_text()
    fields = {"{ repo }": "", "{ version }": version, "{ target-arch }": "x86_64", "{ os-name }": "linux", "{ bin }": "overfold", "{ binary-ext }": ""}
    for key, wanted in [("pkg-url", f"/releases/download/v{version}/{stem}.tar.gz"), ("bin-dir", f"{stem}/overfold")]:
        template = re.search(rf'(?m)^{key} = "(.*)"$', manifest)[1]
        filled = re.sub(r"\{ [a-z-]+ \}", lambda found: fields[found[0]], template)
        has(filled == wanted, f"{key} in Cargo.toml leads to {filled}, not {wanted}")

    packed = members(made[0][f"{stem}.tar.gz"])
    has(set(packed) == {f"{stem}/{name}" for name in ["overfold", "LICENSE", "LICENSES.txt", "README.md"]}, f"{set(packed)}")
    has(packed[f"{stem}/overfold"] == (small.read_bytes(), 0o755), "not the program")

    image = members(made[0][f"{stem}.oci.tar"])
    blob = lambda entry: image["blobs/sha256/" + entry["digest"].removeprefix("sha256:")][0]
    for name, (content, _) in image.items():
        if name.startswith("blobs/"):
            has(name == f"blobs/sha256/{hashlib.sha256(content).hexdigest()}", f"{name} is not named after its bytes")
    [manifest] = json.loads(image["index.json"][0])["manifests"]
    manifest = json.loads(blob(manifest))
    config = json.loads(blob(manifest["config"]))
    [layer] = manifest["layers"]
    has((layer["size"], manifest["config"]["size"]) == (len(blob(layer)), len(blob(manifest["config"]))), "a wrong size")
    root = members(blob(layer))
    has(root["overfold"] == (small.read_bytes(), 0o755), "not the program")
    has(set(root) == {"overfold", "licenses/LICENSE", "licenses/LICENSES.txt"}, f"{set(root)}")
    labels = config["config"].pop("Labels")
    has(labels["org.opencontainers.image.revision"] == COMMIT, f"{labels}")
    # As in the Dockerfile; keep both in step.
    has((config["architecture"], config["os"], config["config"]) == ("amd64", "linux", {
        "User": "65532:65532", "Entrypoint": ["/overfold"], "Cmd": ["serve"], "StopSignal": "SIGTERM",
        "ExposedPorts": {"8080/tcp": {}}, "Env": ["OVERFOLD_LISTEN=0.0.0.0:8080", "OVERFOLD_LOG_FORMAT=json"],
        "Healthcheck": {"Test": ["CMD", "/overfold", "healthcheck"], "Interval": 10 * 10**9, "Timeout": 3 * 10**9,
                        "StartPeriod": 5 * 10**9, "Retries": 3},
    }), f"{config}")
    schemas = folder / "schemas"
    kept = "registry.terraform.io/acme/cloud/1.0.0.json.zst"
    (schemas / kept).parent.mkdir(parents=True, exist_ok=True)
    (schemas / kept).write_bytes(b"schemas")
    command = [repository.ROOT / "release/pack", "--schemas", schemas, folder / "with", version, "x86_64-linux", small]
    subprocess.run(command, env=environment, check=True)
    image = members((folder / "with" / f"overfold-{version}-schemas-x86_64-linux.oci.tar").read_bytes())
    [listed] = json.loads(image["index.json"][0])["manifests"]
    has(listed["annotations"]["org.opencontainers.image.ref.name"] == f"{version}-schemas", "another tag")
    manifest = json.loads(blob(listed))
    has(members(blob(manifest["layers"][0]))[f"schemas/{kept}"] == (b"schemas", 0o644), "not the schemas")
    environment_of_image = json.loads(blob(manifest["config"]))["config"]["Env"]
    has("OVERFOLD_PROVIDER_SCHEMAS=/schemas" in environment_of_image, f"{environment_of_image}")
    yield "release/pack: the same bytes twice, an archive, an image as the Dockerfile says it"

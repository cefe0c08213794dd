#!/usr/bin/env python3
"""Measures how much of public configurations `overfold plan` knows without being told anything.

usage: known_rate.py [--overfold BINARY] [--most N] [--markdown docs/comparison.md] CHECKOUT...

A CHECKOUT is a folder with a repository, or FOLDER=COMMIT where it has no `.git`. Planned are its root modules: every
folder with configuration files that no local module call of the repository leads to, the top folder, and what lies
below a folder `examples`; at most N of a repository (40), evenly spread. Variables have their defaults and the values
of the definitions files that are loaded automatically; required ones without a value are unknown. No schemas, no
modules that are not local, no data.

A value is a leaf of what is configured for an instance of a managed resource: a string, number, bool or null, or
whatever is unknown as a whole; the attributes of terraform_data that only an apply sets are left out."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import sections

LOCAL = re.compile(r'^\s*"?source"?\s*[=:]\s*"(\.\.?/[^"]*)"', re.MULTILINE)
HERE = pathlib.Path(__file__).resolve().parent


def roots(checkout, most):
    """Returns the folders of root modules."""
    folders, called = [], set()
    for folder, below, files in os.walk(checkout):
        below[:] = sorted(name for name in below if not name.startswith("."))
        files = [name for name in files if name.endswith((".tf", ".tf.json")) and not name.startswith(".")]
        if files:
            folders.append(folder)
        for name in files:
            try:
                text = pathlib.Path(folder, name).read_text(errors="replace")
            except OSError:
                continue
            called.update(os.path.normpath(os.path.join(folder, source)) for source in LOCAL.findall(text))
    top = os.path.normpath(checkout)
    found = [folder for folder in map(os.path.normpath, folders)
             if folder not in called or folder == top or "examples" in os.path.relpath(folder, top).split(os.sep)]
    return [found[at * len(found) // most] for at in range(most)] if len(found) > most else found


def leaves(after, mask, count):
    """Counts what is known and unknown in a value and its mask."""
    if mask is True:
        count["unknown"] += 1
    elif isinstance(after, dict) or isinstance(mask, dict):
        after, mask = after or {}, mask or {}
        for key in after.keys() | mask.keys():
            leaves(after.get(key), mask.get(key, False), count)
    elif isinstance(after, list):
        masks = mask if isinstance(mask, list) else [False] * len(after)
        for value, inner in zip(after, masks):
            leaves(value, inner, count)
    else:
        count["known"] += 1


def measure(binary, folder):
    """Plans one root module."""
    command = [binary, "plan", folder, "--unset-variables", "--format", "json"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    count = Counter(folders=1)
    if run.returncode > 1:
        return count + Counter(impossible=1)
    answer = json.loads(run.stdout)
    count["errors of the tool"] = any(one["severity"] == "error" and one["origin"] == "tool" for one in answer["diagnostics"])
    count["repetitions unknown"] = sum(one["code"] == "plan/instances-not-known-here" for one in answer["diagnostics"])
    count["modules missing"] = sum(one["kind"] == "module" for one in answer["missing"])
    if answer["plan"] is None:
        return count
    count["plans"] = 1
    for change in answer["plan"].get("resource_changes", []):
        if change["mode"] != "managed":
            continue
        after, mask = change["change"]["after"], change["change"]["after_unknown"]
        if change["type"] == "terraform_data":
            after, mask = ({key: value for key, value in one.items() if key not in ("id", "output")} for one in (after, mask))
        before = count["unknown"]
        leaves(after, mask, count)
        count["instances"] += 1
        count["wholly known"] += count["unknown"] == before
    return count


def commit(checkout):
    run = subprocess.run(["git", "-C", checkout, "rev-parse", "HEAD"], capture_output=True, text=True)
    return run.stdout.strip() or "unknown"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--overfold", default=str(HERE.parent.parent / "target" / "release" / "overfold"))
    options.add_argument("--most", type=int, default=40)
    options.add_argument("--markdown", type=pathlib.Path)
    options.add_argument("checkouts", nargs="+")
    options = options.parse_args()
    rows, total = [], Counter()
    for checkout in options.checkouts:
        checkout, _, at = checkout.partition("=")
        with ThreadPoolExecutor(2) as workers:
            of_folder = workers.map(lambda folder: measure(options.overfold, folder), roots(checkout, options.most))
            count = sum(of_folder, Counter())
        name = pathlib.Path(checkout).resolve().name.replace("+", "/", 1)
        rows.append((name, at or commit(checkout), count))
        total += count
        print(f"{name}: {rate(count)} of values known; " + ", ".join(f"{n} {what}" for what, n in sorted(count.items())), flush=True)
    rows.sort(key=lambda row: row[0].lower())
    print(f"{len(rows)} repositories: {rate(total)} of values known; " + ", ".join(f"{n} {what}" for what, n in sorted(total.items())))
    if options.markdown:
        lines = ["| Repository | Commit | Root modules | Plans | Instances | Values | Known |", "| --- " * 7 + "|"]
        for name, at, count in [*rows, ("**all**", "", total)]:
            values = count["known"] + count["unknown"]
            short = f"`{at[:12]}`" if at else ""
            lines.append(f"| {name} | {short} | {count['folders']} | {count['plans']} | {count['instances']} | {values} | {rate(count)} |")
        sections.replace(options.markdown, "repositories", "\n".join(lines) + "\n")


def rate(count):
    values = count["known"] + count["unknown"]
    return f"{100 * count['known'] / values:.1f} %" if values else "–"


if __name__ == "__main__":
    sys.exit(main())

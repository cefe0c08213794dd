#!/usr/bin/env python3
"""Asks checkov about a module with override files three times: as it is, as overfold merges it, and as a person would. Prints
where the first differs from the second, as a table.

Usage: compare.py [--overfold PROGRAM] [--checkov PROGRAM]

The exit code is 1 if checkov says something else of overfold's file than of the one that was merged by hand.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def verdicts(checkov, folder):
    """What checkov says: for each check and resource, the verdicts with the files that they are about."""
    command = [checkov, "-d", folder, "--framework", "terraform", "--skip-download", "--compact", "--output", "json"]
    done = subprocess.run(command, capture_output=True, text=True)
    # 1 is what checkov ends with if a check fails.
    if done.returncode not in [0, 1]:
        sys.exit(f"checkov: {done.stderr}")
    said = collections.defaultdict(list)
    for records in json.loads(done.stdout)["results"].values():
        for one in records:
            said[one["check_id"], one["resource"]].append((one["check_result"]["result"].lower(), one["file_path"].lstrip("/")))
    return said


def alone(said):
    """The verdicts without the files."""
    return {key: sorted(verdict for verdict, _ in found) for key, found in said.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--overfold", default="overfold")
    parser.add_argument("--checkov", default="checkov")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as runs:
        command = [options.overfold, "merge", HERE / "module", "--format", "config", "--config-format", "hcl"]
        merged = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
        pathlib.Path(folder, "effective.tf").write_bytes(merged)
        asked = [HERE / "module", folder, HERE / "merged"]
        raw, ours, by_hand = runs.map(lambda place: verdicts(options.checkov, place), asked)

    print("| Check | Resource | Sources | Merged |\n| --- | --- | --- | --- |")
    for key in sorted(raw.keys() | ours.keys()):
        # The same verdict twice is left out here and counted below.
        if set(alone(raw).get(key, [])) != set(alone(ours).get(key, [])):
            sources = ", ".join(f"{verdict} ({file})" for verdict, file in sorted(raw[key], reverse=True))
            print(f"| {key[0]} | `{key[1]}` | {sources} | {', '.join(alone(ours).get(key, ['no verdict']))} |")
    counts = [sum(map(len, said.values())) for said in [raw, ours, by_hand]]
    print(f"\n{counts[0]} verdicts on the sources, {counts[1]} on the merged file, {counts[2]} on the one merged by hand")
    if alone(ours) != alone(by_hand):
        sys.exit("checkov: the merged file and the one merged by hand have different verdicts")


main()

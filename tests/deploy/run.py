#!/usr/bin/env python3
"""Tests what deploy/ holds, with the program named by the first argument; intermediate files and tools stay in the folder
named by the second. `.ci/deploy` installs what this needs from the Python registry and calls it. What else a test needs
(`tools.py`) is installed if that is possible; otherwise the test says that it is skipped."""

import concurrent.futures
import pathlib
import sys
import time
import traceback

import balanced
import compose
import kubernetes
import monitoring
import proxies
import systemd
import tools


def timed(test, *given):
    start, lines = time.monotonic(), []
    try:
        lines.extend(test(*given))
    except tools.Absent as why:
        lines.append(f"SKIPPED: {why}")
    return [*lines, f"{test.__module__}.{test.__name__}: {time.monotonic() - start:.1f} s"]


def main():
    program, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    at_hand = tools.Tools(folder)
    # Those first that wait most of their time.
    tests = [
        balanced.test, monitoring.test_metrics, monitoring.test_rules, proxies.test_nginx, proxies.test_haproxy,
        kubernetes.test_values, kubernetes.test_chart, kubernetes.test_overlays, kubernetes.test_pods,
        kubernetes.test_queue,
        systemd.test_unit, systemd.test_system_calls, compose.test,
    ]
    failed = False
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        running = [pool.submit(timed, test, program, folder, at_hand) for test in tests]
        for test, result in zip(tests, running):
            try:
                for line in result.result():
                    print(f"deploy: {line}", flush=True)
            except AssertionError as error:
                failed = True
                print(f"deploy: FAILED: {test.__module__}.{test.__name__}: {error}", flush=True)
            except Exception:
                failed = True
                print(f"deploy: FAILED: {test.__module__}.{test.__name__}:\n{traceback.format_exc()}", flush=True)
    sys.exit(1 if failed else 0)


main()

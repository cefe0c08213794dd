#!/usr/bin/env python3
"""Runs the hostile cases against a binary of the service. `run.py --help` says how; README.md says what they check."""

import argparse
import importlib
import multiprocessing.util
import pathlib
import random
import re
import sys
import traceback

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

import shared  # noqa: E402
from harness import STAGE, Failure, Measured, Server  # noqa: E402


def groups():
    """Returns the name of each group of cases and its module's name, in order."""
    names = [file.stem for file in (FOLDER / "cases").glob("*.py") if file.stem != "__init__"]
    return sorted(names, key=lambda name: (name[0], int(name[1:].partition("_")[0])))


def chosen(group, name, wanted):
    """Whether a filter selects this case: the number of a group (`c1`), or any part of `group/name`."""
    number = group.partition("_")[0]
    return not wanted or any(
        one == number if re.fullmatch(r"[a-z]\d+", one) else one in f"{group}/{name}" for one in wanted)


# The cases of this run, for the processes that share them.
WANTED = []


def report(at):
    """Runs one of `WANTED`; returns its name, its line in the report, and whether it passed."""
    name, case = WANTED[at]
    measured, problem = Measured(), ""
    try:
        case.run(measured)
    except Failure as failure:
        problem = str(failure)
    except Exception:  # A mistake in a case is a failed case, not the end of the run.
        problem = "the case itself broke: " + traceback.format_exc(limit=-2).replace("\n", " | ")
    line = (f"{'FAIL' if problem else 'ok  '} {name:<62} {measured.status!s:>4} {measured.seconds:6.2f} s "
            f"cpu {measured.cpu:5.2f} s  +{measured.memory_mb:4.0f} MB  livez {measured.livez_ms:4.0f} ms  "
            f"{problem or measured.note}")
    return name, line, not problem


def reports(jobs):
    """Returns the reports of all of `WANTED` in order, from this many processes."""
    if jobs <= 1:
        yield from map(report, range(len(WANTED)))
        shared.stop()
        return
    # Each process of the pool stops the server that it started for the small cases.
    ending = (None, shared.stop, (), None, 10)
    with multiprocessing.get_context("fork").Pool(jobs, multiprocessing.util.Finalize, ending) as pool:
        yield from pool.imap(report, range(len(WANTED)))
        pool.close()
        pool.join()


def main():
    """Runs the requested cases; returns 1 if a case failed or none was selected."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", help="the service's program")
    parser.add_argument("filter", nargs="*", help="a group (c1) or a part of a case's name; none: all")
    parser.add_argument("--quick", action="store_true", help="only the short cases: one request each, small to make")
    parser.add_argument("--list", action="store_true", help="only list the cases")
    parser.add_argument("--stage", choices=("load", "validate"), default=STAGE["name"],
                        help="how far problems in modules are looked for [%(default)s]")
    parser.add_argument("--livez-limit", type=float, metavar="MS",
                        help="fail where /livez took longer (for a release build on a quiet machine)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="cases that run at a time [1]; what fails is then run again alone, and that counts")
    options = parser.parse_intermixed_args()
    Server.binary = str(pathlib.Path(options.binary).resolve())
    Measured.livez_limit_ms = options.livez_limit
    STAGE["name"] = options.stage
    random.seed(1)
    wanted = []
    for group in groups():
        module = importlib.import_module(f"cases.{group}")
        for case in module.cases():
            if chosen(group, case.name, options.filter) and (case.quick or not options.quick):
                wanted.append((f"{group}/{case.name}", case))
    if options.list:
        print("\n".join(name for name, _ in wanted))
        return 0
    failed = []
    WANTED[:] = wanted
    for name, line, passed in reports(options.jobs):
        print(line, flush=True)
        if not passed:
            failed.append(name)
    if failed and options.jobs > 1:
        # Other cases running at the same time may have caused a violation; alone there is no excuse.
        print("\nonce more, one at a time:")
        again, failed = [pair for pair in wanted if pair[0] in failed], []
        WANTED[:] = again
        for name, line, passed in reports(1):
            print(line, flush=True)
            if not passed:
                failed.append(name)
    if failed:
        print("\nfailures:")
        print("\n".join(f"    {name}" for name in failed))
    print(f"{len(wanted) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())

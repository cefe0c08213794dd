#!/usr/bin/env python3
"""Runs everything that examples/ and action.yml show, with the program named by the first argument; intermediate files
stay in the folder named by the second. `.ci/examples` installs what this needs and calls it."""

import pathlib
import sys
import time

import atlantis
import consumers
import forms
import github
import gitlab
import readmes
import release
import sources


def main():
    program, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for test in [forms.test, github.test, github.test_releases, gitlab.test, atlantis.test, release.test, readmes.test_policies, sources.test, consumers.test, readmes.test_clients]:
        start = time.monotonic()
        for line in test(program, folder):
            print(f"examples: {line}", flush=True)
        print(f"examples: {test.__module__}.{test.__name__}: {time.monotonic() - start:.1f} s", flush=True)


main()

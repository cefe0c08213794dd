"""The hook of pre-commit: checks the modules of the given files, and the local modules that call them.

Usage: overfold-pre-commit [OPTION…] FILE… in the repository. Options are those of `overfold merge`; a value follows its
option after `=`, since every word without a dash is a file. Only diagnostics are printed, unless `--format` is among the
options. The exit code is 1 if there are errors, or whatever `--fail-on` says.
"""

import subprocess
import sys

from overfold import program


def main() -> int:
    """Runs the command on the files that pre-commit names."""
    words = sys.argv[1:]
    options = [word for word in words if word.startswith("-")]
    files = [word for word in words if not word.startswith("-")]
    if not files:
        return 0
    command = [program(), "merge", "--recursive", *options, *(f"--paths={name}" for name in files)]
    if any(option.startswith("--format=") for option in options):
        return subprocess.call([*command, "."], stdin=subprocess.DEVNULL)
    # Diagnostics go to standard error; what is overridden goes to standard output.
    return subprocess.call([*command, "--format=text", "."], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main())

"""The inputs of the recorded cases under `tests/conformance`, as material for requests."""

import json
import pathlib

CONFORMANCE = pathlib.Path(__file__).resolve().parent.parent / "conformance"


def folders():
    """Yields every recorded case as the content of `case.json` and its files, path to bytes, in a stable order."""
    for about in sorted(CONFORMANCE.rglob("case.json")):
        folder = about.parent / "input"
        if not folder.is_dir():
            continue
        found = [path for path in sorted(folder.rglob("*")) if path.is_symlink() or path.is_file()]
        if any(path.is_symlink() for path in found):
            continue
        yield json.loads(about.read_text()), {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def texts(most=20_000):
    """Yields the name and the text of every input file that is not longer than this."""
    for _, files in folders():
        for path, content in files.items():
            if len(content) <= most:
                try:
                    yield path.rpartition("/")[2], content.decode()
                except UnicodeDecodeError:
                    continue

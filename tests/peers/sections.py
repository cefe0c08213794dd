"""Generated parts of documents: what lies between two comments."""

import pathlib


def replace(document, name, text):
    """Replaces what lies between `<!-- NAME -->` and `<!-- end of NAME -->`."""
    path = pathlib.Path(document)
    before, found, rest = path.read_text().partition(f"<!-- {name} -->\n")
    _, end, after = rest.partition(f"<!-- end of {name} -->")
    if not found or not end:
        raise SystemExit(f"{document}: no part {name}")
    path.write_text(f"{before}{found}\n{text}\n{end}{after}")

"""Literals in loops: the copy in every iteration must be charged."""

from harness import request
from terms import default_body, zeros


def cases():
    """Longer and longer literals."""
    text = '"' + "x" * 10_000_000 + '"'
    for name, value in (
            ("10 MB, 100 turns", lambda: f"[for a in {zeros(100)}: {text}]"),
            ("10 MB, 1000 turns", lambda: f"[for a in {zeros(1000)}: {text}]"),
            ("10 KB, a million turns",
             lambda: f'[for a in {zeros(1000)}:[for b in {zeros(1000)}: "{"x" * 10_000}"]]'),
            ("a number of 1 MB, 1000 turns", lambda: f"[for a in {zeros(1000)}: {'9' * 1_000_000}]"),
            ("a number of 30 KB, a million turns",
             lambda: f"[for a in {zeros(1000)}:[for b in {zeros(1000)}: {'9' * 30_000}]]"),
            ("10 MB as a key, 1000 turns", lambda: f'{{for k,a in {zeros(1000)}: "${{k}}{text[1:-1]}" => 1}}')):
        yield request(f"literal of {name}", lambda value=value: default_body(value()), packed=True)

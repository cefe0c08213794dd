"""A literal with a million digits in a loop: a naive implementation parses it again in every iteration."""

from harness import request
from terms import default_body, zeros


def cases():
    """A thousand iterations and a million."""
    digits = "9" * 1_000_000
    yield request("a million digits, 1000 turns",
                  lambda: default_body(f"[for a in {zeros(1000)}: {digits} == 0]"), packed=True)
    yield request("a million digits, a million turns",
                  lambda: default_body(f"[for a in {zeros(1000)}: [for b in {zeros(1000)}: {digits} == 0]]"),
                  packed=True)

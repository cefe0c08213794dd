"""Loops in constants: the budget of one variable must not be granted to each of a thousand."""

from harness import merge_body, request
from terms import zeros


def loops(variables, depth, width):
    """Returns variables whose defaults are nested loops."""
    term = "0"
    for level in range(depth):
        term = f"[for v{level} in {zeros(width)}: {term}]"
    return merge_body("".join(f'variable "x{at}" {{\n default={term}\n}}\n' for at in range(variables)),
                      include=["files"])


def cases():
    """More and more iterations."""
    for variables, width, depth in ((1, 100, 3), (1, 250, 3), (1, 1000, 2), (1, 3000, 2), (4, 250, 3), (20, 250, 3),
                                    (300, 250, 3), (60, 10, 8)):
        yield request(f"{variables} defaults of {depth} loops over {width}",
                      lambda v=variables, d=depth, w=width: loops(v, d, w), packed=True)

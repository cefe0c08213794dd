"""Ten bytes of configuration that expand to two million digits, twice."""

from harness import merge_body, request


def cases():
    """Defaults with this many digits, in this many variables."""
    for count in (1, 100, 500, 1000):
        yield request(f"{count} defaults of 1e1999990", lambda count=count: merge_body(
            "".join(f'variable "x{at}" {{\n default=1e1999990\n}}\n' for at in range(count)), variables={},
            include=["variables"]), packed=True)

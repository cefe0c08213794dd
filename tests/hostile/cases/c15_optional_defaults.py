"""Objects that are filled from the defaults of their type: five kilobytes that would use up all memory."""

from harness import merge_body, request
from terms import zeros

# A type with two thousand attributes, each with a default.
FILLED = "object({" + ",".join(f'a{at}=optional(string,"v")' for at in range(2000)) + "})"


def nested(depth):
    """Returns a type with this many levels, each with an empty object as its default."""
    return "object({a=optional(" * depth + "object({})" + ", {})})" * depth


def cases():
    """Wide and deep types."""
    yield request("300 x 300 objects of 2000 attributes", lambda: merge_body(
        f'variable "x" {{\n type=list(list({FILLED}))\n default=[for a in {zeros(300)}: [for b in {zeros(300)}: '
        "{}]]\n}\n", include=["files"]), packed=True)
    yield request("20 types of 800 levels", lambda: merge_body("".join(
        f'variable "x{at}" {{\n type={nested(800)}\n default={{}}\n}}\n' for at in range(20)), variables={},
        include=["variables"]), packed=True)

"""Requests around one expression: as the condition of a validation, as a default, in loops."""

from harness import merge_body, request

BIG = "x" * 10_000_000
BIG_OTHER_END = "x" * 9_999_999 + "y"


def turns(count, term):
    """Returns a condition that evaluates `term` this many times."""
    return f"length([for i in range({count}) : {term}]) > 0"


def million(term):
    """Returns a condition that evaluates `term` a million times, in two loops."""
    return f"length([for i in range(1000) : [for j in range(1000) : {term}]]) > 0"


def zeros(count):
    """Returns the text of a list, without a function: a default may not call `range`."""
    return "[" + "0," * count + "]"


def condition_body(condition, values=None, files=None, more="", **options):
    """Returns a request with variables of these values; the first one is validated by `condition`."""
    values = values or {"b": "x"}
    if "var." not in condition:
        # A rule must refer to its variable.
        condition = f"var.{next(iter(values))} != null && ({condition})"
    text = ""
    for at, name in enumerate(values):
        check = f'  validation {{\n    condition = {condition}\n    error_message = "no"\n  }}\n' if at == 0 else ""
        text += f'variable "{name}" {{\n  type = any\n{check}}}\n'
    args = [{"name": name, "value": value} for name, value in values.items()]
    return merge_body({"main.tf": text + more, **(files or {})}, variables={"args": args}, include=["files"], **options)


def condition(name, text, values=None, quick=True, **options):
    """A case with one condition under the default limits. Large values are sent compressed."""
    return request(name, lambda: condition_body(text, values, **options), packed=True, quick=quick)


def default_body(value, **options):
    """Returns a request with one variable with this default."""
    return merge_body(f'variable "x" {{\n default={value}\n}}\n', **{"include": ["files"], **options})

"""Calls the installed module; release/try-packages runs this. The argument is the folder `examples`; ANSWER is what the
program prints for the merge of examples/web."""

from __future__ import annotations

import json
import os
import pathlib
import sys

import overfold

examples = pathlib.Path(sys.argv[1])


def refused(source: overfold.Source, **options: overfold.Option) -> str:
    """Returns why there is no answer."""
    try:
        overfold.merge(source, **options)
    except overfold.OverfoldError as error:
        return str(error)
    raise AssertionError(f"{source} {options} is answered")


web = overfold.merge(examples / "web", version="1.11")
assert web == json.loads(os.environ["ANSWER"])
lost: list[overfold.Diagnostic] = [found for found in web["diagnostics"] if found["code"] == "override/content-lost"]
assert [found["range"]["filename"] for found in lost] == ["sizes_override.tf.json"] * 2, lost

# A mapping, an archive's worth of options, and diagnostics that make the command fail but not the call.
files: dict[str, str | bytes] = {"main.tf": 'variable "n" {\n  type = number\n}\noutput "n" {\n  value = var.n + 1\n}\n', "sub/x.tf": b"locals {}\n"}
many = overfold.merge(files, recursive=True, paths=["sub/x.tf"], fail_on="info")
assert list(many["modules"]) == ["sub"], many
wrong = overfold.merge({"main.tf": "resource {}\n"})
assert not wrong["valid"] and wrong["diagnostics"][0]["severity"] == "error", wrong

planned = overfold.plan(files, var={"n": 41}, reveal_sensitive=False, workspace=None)
assert planned["valid"] and planned["plan"]["planned_values"]["outputs"]["n"]["value"] == 42, planned
missing = overfold.plan(files)
assert not missing["valid"], missing

change = overfold.diff(files, {**files, "override.tf": 'output "n" {\n  value = 1\n}\n'})
assert change["different"] and [found["address"] for found in change["changes"]] == ["output.n"], change
assert not overfold.diff(files, after_version="1.5")["different"]

assert "no-such-folder" in refused("no-such-folder")
assert "--no-such-option" in refused(files, no_such_option=True)
assert "leads out" in refused({"../main.tf": ""})
assert "--recursive" in refused("--recursive") or "such file" in refused("--recursive")

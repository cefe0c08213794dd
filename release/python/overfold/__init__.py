"""Runs overfold, which is part of this package, and returns its answers.

>>> import overfold
>>> answer = overfold.merge("infra/prod", version="1.11")
>>> answer["valid"], [found["code"] for found in answer["diagnostics"]]
(True, ['override/content-lost'])

A module is given as a folder, as an archive file, or as a mapping of paths to contents. Options are those of the
command, with `_` for `-`: `fail_on="warning"`, `recursive=True`, `paths=["a/main.tf"]`, `var={"size": 3}`. The answers
are described in the OpenAPI document (`overfold openapi`); the types here name the fields that are always there.
"""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from typing import Any, Mapping, Sequence, TypedDict, Union, cast

__all__ = ["DiffAnswer", "Diagnostic", "MergeAnswer", "Option", "OverfoldError", "PlanAnswer", "Position", "Range", "Source", "diff", "merge", "plan", "program"]

Source = Union[str, "os.PathLike[str]", Mapping[str, Union[str, bytes]]]
Option = Union[None, bool, str, int, "os.PathLike[str]", Sequence[str], Mapping[str, Any]]


class Position(TypedDict):
    """A place in a file: line and column count from 1, bytes from 0."""

    line: int
    column: int
    byte: int


class Range(TypedDict):
    """A part of a file; the end is not part of it."""

    filename: str
    start: Position
    end: Position


class _Diagnostic(TypedDict):
    severity: str
    code: str
    origin: str
    summary: str
    detail: str


class Diagnostic(_Diagnostic, total=False):
    """`severity` is error, warning or info; `code` is stable."""

    address: str
    range: Range
    module: str
    related: list[dict[str, Any]]
    snippet: dict[str, Any]
    rule: str


class _Answer(TypedDict):
    valid: bool
    dialect: str
    version: str
    diagnostics: list[Diagnostic]


class MergeAnswer(_Answer, total=False):
    """The merged configuration: `module`, or `modules` by path if `recursive` is set."""

    module: dict[str, Any]
    modules: dict[str, dict[str, Any]]
    calls: list[dict[str, Any]]
    version_from: dict[str, Any]


class PlanAnswer(_Answer, total=False):
    """A plan without a state: `plan` in the form of `terraform show -json`, or `plans` if `recursive` is set."""

    exact: bool
    missing: list[dict[str, Any]]
    plan: dict[str, Any]
    plans: dict[str, dict[str, Any]]
    version_from: dict[str, Any]


class _DiffAnswer(TypedDict):
    different: bool
    before: dict[str, Any]
    after: dict[str, Any]
    counts: dict[str, int]


class DiffAnswer(_DiffAnswer, total=False):
    """What differs in effect between two modules: `changes`, or `modules` by path if `recursive` is set."""

    changes: list[dict[str, Any]]
    modules: dict[str, Any]
    diagnostics: dict[str, Any]


class OverfoldError(Exception):
    """There is no answer; the message says why, in the program's words."""


def program() -> str:
    """Returns the path of the program: the one installed with this package, otherwise one on the PATH."""
    name = "overfold.exe" if sys.platform == "win32" else "overfold"
    package = pathlib.Path(__file__).resolve().parent
    folders = [pathlib.Path(sysconfig.get_path("scripts"))]
    # `pip install --user`, and `pip install --target`, which puts scripts beside the packages.
    folders.append(pathlib.Path(sysconfig.get_path("scripts", "nt_user" if os.name == "nt" else "posix_user")))
    folders.append(package.parent / "bin")
    for folder in folders:
        if (folder / name).is_file():
            return str(folder / name)
    found = shutil.which(name)
    if found is None:
        raise OverfoldError(f"the program overfold is not installed: looked in {', '.join(map(str, folders))} and on the PATH")
    return found


def merge(source: Source, **options: Option) -> MergeAnswer:
    """Merges the override files of a module. An answer with errors is returned, too: see `valid`.

    Raises OverfoldError if there is no answer, for example because an option is wrong."""
    return cast(MergeAnswer, _run("merge", [source], options))


def plan(source: Source, **options: Option) -> PlanAnswer:
    """Plans a root module without a state, as Terraform or OpenTofu would. Errors are as for `merge`."""
    return cast(PlanAnswer, _run("plan", [source], options))


def diff(before: Source, after: Source | None = None, **options: Option) -> DiffAnswer:
    """Compares two modules; `before` and `after` may also be revisions of the git repository here, such as
    `git:origin/main`. Without `after`, compares two dialects or versions of the same files (`after_version="1.12"`)."""
    return cast(DiffAnswer, _run("diff", [before] if after is None else [before, after], options))


def _run(command: str, sources: Sequence[Source], options: Mapping[str, Option]) -> Any:
    with tempfile.TemporaryDirectory(prefix="overfold-") as folder:
        paths = [_path(source, pathlib.Path(folder) / str(number)) for number, source in enumerate(sources)]
        words = [program(), command, *_words({**options, "format": "json"}), "--", *paths]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True)
    try:
        return json.loads(done.stdout)
    except ValueError:
        said = done.stderr.decode(errors="replace").strip()
        raise OverfoldError(said or f"overfold {command} ended with {done.returncode}") from None


def _path(source: Source, folder: pathlib.Path) -> str:
    if not isinstance(source, Mapping):
        return os.fspath(source)
    folder.mkdir()
    for name, content in source.items():
        path = folder / name
        if not path.resolve().is_relative_to(folder.resolve()):
            raise OverfoldError(f"the path {name!r} leads out of the module")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(folder)


def _words(options: Mapping[str, Option]) -> list[str]:
    words: list[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            words.append(flag)
        elif isinstance(value, Mapping):
            words += [f"{flag}={key}={item if isinstance(item, str) else json.dumps(item)}" for key, item in value.items()]
        elif isinstance(value, Sequence) and not isinstance(value, str):
            words += [f"{flag}={item}" for item in value]
        elif value is not None and value is not False:
            words.append(f"{flag}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    return words

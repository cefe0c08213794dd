#!/usr/bin/env python3
"""Asks evaluators of configurations the questions in cases/, and compares their answers with what the tool planned.

usage: run.py [--overfold BINARY] [--environments DIR] [--markdown docs/comparison.md] [--record] [CASE...]

Every case is a root module whose planned values are recorded from the real tool. Peers are installed from the package
registry into environments of their own (DIR, by default tests/peers/environments, which is ignored by git); one that
cannot be installed is named and left out. With `terraform` on the PATH, the record is checked, too (--record writes
it); two cases need the provider hashicorp/cloudinit for that, which `terraform init` must be able to install.

For each case and evaluator one word:
  right       every instance and every argument asked for is as planned, and nothing unknown is given a value
  unresolved  nothing is wrong, but something that the tool knows is left as an expression, unknown, or not expanded
  wrong       a value that the tool does not plan, an instance too many or too few, or no error where the tool has one
  failed      no answer
A number or a bool and its text count as equal. Peers are asked up to three times, and the best answer counts."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import sections

HERE = pathlib.Path(__file__).resolve().parent
# The versions that docs/comparison.md is about.
PEERS = {"checkov": "3.3.30", "tfparse": "0.6.22"}
WORDS = ("right", "unresolved", "wrong", "failed")


class Failed(Exception):
    """An evaluator gave no answer."""


# ---- the tool and overfold: documents of a plan

def planned(document, case, errors):
    """Returns what a plan document says about the arguments asked for. What a plan with errors still holds is left out."""
    if errors:
        return {"errors": sorted(errors), "instances": {}, "unknown": {}}
    instances, unknown = {}, {}
    for change in (document or {}).get("resource_changes", []):
        if change["mode"] != "managed":
            continue
        after, mask = change["change"]["after"] or {}, change["change"]["after_unknown"]
        known = {}
        for argument in case["asks"]:
            if argument == "input" and is_open(mask is True or mask.get(argument)):
                unknown.setdefault(change["address"], []).append(argument)
            elif argument in after:
                known[argument] = without_nulls(after[argument]) if argument == "part" else after[argument]
        instances[change["address"]] = known
    return {"errors": sorted(errors), "instances": instances, "unknown": unknown}


def is_open(mask):
    """Whether a mask marks anything as unknown."""
    if isinstance(mask, (dict, list)):
        return any(map(is_open, mask.values() if isinstance(mask, dict) else mask))
    return bool(mask)


def without_nulls(blocks):
    """Blocks without what is not set; what only a provider knows is not asked for."""
    return [{key: value for key, value in block.items() if value is not None} for block in blocks]


def terraform(folder, case):
    """Plans a copy of the folder."""
    with tempfile.TemporaryDirectory() as copy:
        copy = pathlib.Path(copy) / "root"
        shutil.copytree(folder, copy)
        environment = dict(os.environ, CHECKPOINT_DISABLE="1", TF_IN_AUTOMATION="1")

        def run(*args):
            return subprocess.run(["terraform", *args], cwd=copy, env=environment, capture_output=True, text=True, timeout=300)
        init = run("init", "-input=false", "-no-color")
        if init.returncode:
            raise Failed(init.stderr.strip().splitlines()[:3])
        lines = run("plan", "-input=false", "-json", "-out=plan.bin").stdout.splitlines()
        found = [json.loads(line)["diagnostic"] for line in lines if '"diagnostic"' in line]
        document = run("show", "-json", "plan.bin").stdout if (copy / "plan.bin").exists() else "null"
        return planned(json.loads(document), case, {one["summary"] for one in found if one["severity"] == "error"})


def overfold(folder, case, binary):
    """Asks the command for its whole answer."""
    run = subprocess.run([binary, "plan", folder, "--format", "json"], capture_output=True, text=True, timeout=60)
    if run.returncode > 1:
        raise Failed(run.stderr.strip())
    answer = json.loads(run.stdout)
    errors = {one["summary"] for one in answer["diagnostics"] if one["severity"] == "error" and one["origin"] == "tool"}
    return planned(answer["plan"], case, errors)


# ---- peers

def environment(name, folder):
    """Returns the Python of an environment that has the peer; creates it first where that is necessary."""
    python = folder / f"{name}-{PEERS[name]}" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", python.parent.parent], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", f"{name}=={PEERS[name]}"], check=True)
    return python


def peer(folder, name, python):
    run = subprocess.run([python, HERE / "ask_peer.py", name, folder], capture_output=True, text=True, timeout=120)
    if run.returncode:
        raise Failed((run.stderr.strip() or f"status {run.returncode}").splitlines()[-1])
    return {"errors": [], "unknown": {}} | json.loads(run.stdout)


# ---- judging

def scalar(value):
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def compare(truth, found):
    """Returns the word for one value."""
    if isinstance(found, dict) and "unresolved" in found:
        return "unresolved"
    if found is None and truth is not None:
        return "unresolved"
    if isinstance(truth, list) and isinstance(found, list) and len(truth) == len(found):
        return worst(compare(one, other) for one, other in zip(truth, found))
    if isinstance(truth, dict) and isinstance(found, dict) and truth.keys() == found.keys():
        return worst(compare(truth[key], found[key]) for key in truth)
    if isinstance(truth, (list, dict)) or isinstance(found, (list, dict)):
        return "wrong"
    return "right" if scalar(truth) == scalar(found) else "wrong"


def worst(words):
    return max(words, key=WORDS.index, default="right")


def has_unresolved(value):
    if isinstance(value, dict):
        return "unresolved" in value or any(map(has_unresolved, value.values()))
    return isinstance(value, list) and any(map(has_unresolved, value))


def without_keys(address):
    """Returns the address without any instance keys."""
    out, depth = [], 0
    for character in address:
        depth += character == "["
        if not depth:
            out.append(character)
        depth -= character == "]"
    return "".join(out)


def judge(case, truth, answer):
    """Returns a word and what was said about it."""
    found = answer["instances"]
    if truth["errors"]:
        if answer["errors"]:
            return ("right" if answer["errors"] == truth["errors"] else "wrong"), "error: " + ", ".join(answer["errors"])
        about = case["errors_about"]
        claimed = [address for address in found if without_keys(address) == about]
        if claimed == [about] and (has_unresolved(found[about]) or found[about].get("input") is None):
            return "unresolved", f"{about}.input = {short(found[about].get('input'))}; no error"
        return "wrong", f"no error; {', '.join(claimed) or 'no instance'}"
    if answer["errors"]:
        return "wrong", "error: " + ", ".join(answer["errors"])
    words, said = ["right"], []

    def say(word, text):
        words.append(word)
        if word != "right":
            said.append(text)
    expanded = {}
    for address in found:
        expanded.setdefault(without_keys(address), []).append(address)
    for address, arguments in truth["instances"].items():
        if address not in found:
            # An object that is there, but not in its instances, is not a claim about how many there are.
            plain = [other for other in expanded.get(without_keys(address), []) if fewer_keys(other, address)]
            say("unresolved" if plain else "wrong", f"{address} {'not expanded' if plain else 'missing'}")
            continue
        for argument in case["asks"]:
            value = found[address].get(argument)
            if argument in truth["unknown"].get(address, []):
                left = argument in answer["unknown"].get(address, []) or value is None or has_unresolved(value)
                say("right" if left else "wrong", f"{address}.{argument} = {short(value)}, which is unknown")
            elif argument in arguments:
                if argument == "part" and isinstance(value, list):
                    value = [{key: part.get(key) for key in ("content", "filename")} for part in value]
                word = compare(asked(argument, arguments[argument]), value)
                say(word, f"{address}.{argument} = {short(value)}")
    known = {without_keys(address) for address in truth["instances"]}
    for address in found:
        if address not in truth["instances"] and not (without_keys(address) in known and any(fewer_keys(address, other) for other in truth["instances"])):
            open_count = any(has_unresolved(found[address].get(key)) for key in ("count", "for_each"))
            say("unresolved" if open_count else "wrong", f"{address} is there")
    return worst(words), "; ".join(said)


def asked(argument, value):
    if argument != "part":
        return value
    return [{key: part.get(key) for key in ("content", "filename")} for part in value]


def fewer_keys(address, other):
    """Whether the first is the other with some instance keys left out."""
    return without_keys(address) == without_keys(other) and address.count("[") < other.count("[")


def short(value):
    text = value["unresolved"] if isinstance(value, dict) and "unresolved" in value else json.dumps(value)
    return text if len(text) <= 90 else text[:87] + "..."


# ---- the run

def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--overfold", default=str(HERE.parent.parent / "target" / "release" / "overfold"))
    options.add_argument("--environments", type=pathlib.Path, default=HERE / "environments")
    options.add_argument("--markdown", type=pathlib.Path)
    options.add_argument("--record", action="store_true")
    options.add_argument("cases", nargs="*")
    options = options.parse_args()
    ask = {"overfold": lambda folder, case: overfold(folder, case, options.overfold)}
    if shutil.which("terraform"):
        ask = {"terraform": terraform} | ask
    else:
        print("terraform is not there: SKIPPED; the recorded plans have NOT been checked", file=sys.stderr)
    for name in PEERS:
        try:
            python = environment(name, options.environments)
            ask[name] = lambda folder, case, name=name, python=python: peer(folder, name, python)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"{name} cannot be installed: SKIPPED: {error}", file=sys.stderr)
    folders = [path.parent for path in (HERE / "cases").glob("*/case.json")]
    folders = [folder for folder in folders if not options.cases or folder.name in options.cases]
    cases = sorted(((json.loads((folder / "case.json").read_text()), folder) for folder in folders), key=lambda one: one[0]["number"])
    table, totals = [], {name: dict.fromkeys(WORDS, 0) for name in ask}
    for case, folder in cases:
        recorded = folder / "expected.json"
        if options.record:
            truth = {"recorded_with": "terraform 1.11.4"} | terraform(folder / "input", case)
            recorded.write_text(json.dumps(truth, indent=2) + "\n")
        truth = json.loads(recorded.read_text())
        row = {}
        for name, evaluator in ask.items():
            # Not every answer is the same each time; the best of three counts.
            for _ in range(3 if name in PEERS else 1):
                try:
                    answer = judge(case, truth, evaluator(folder / "input", case))
                except (Failed, subprocess.TimeoutExpired, ValueError) as error:
                    answer = ("failed", str(error))
                row[name] = min(row.get(name, answer), answer, key=lambda one: WORDS.index(one[0]))
                if row[name][0] == "right":
                    break
            totals[name][row[name][0]] += 1
        table.append((case, folder.name, truth, row))
        print(f"{folder.name:28}" + "".join(f"{name} {word:12}" for name, (word, _) in row.items()))
        for name, (word, said) in row.items():
            if word != "right":
                print(f"    {name}: {said}")
    print()
    for name, counts in totals.items():
        print(f"{name:14}" + "".join(f"{count:4} {word}" for word, count in counts.items()))
    if options.markdown:
        sections.replace(options.markdown, "answers", markdown(table, list(ask)))
    wrong = [name for name in ("terraform", "overfold") if name in ask and totals[name]["right"] != len(table)]
    return 1 if wrong else 0


def markdown(table, names):
    """Returns the table of docs/comparison.md, and below it every answer that is not right."""
    names = [name for name in names if name != "terraform"]
    lines = ["| Case | What it asks | " + " | ".join(names) + " |", "| --- " * (len(names) + 2) + "|"]
    for case, name, _, row in table:
        threads = f" ({', '.join(case['threads'])})" if case["threads"] else ""
        lines.append(f"| [{name}](../tests/peers/cases/{name}) | {case['about']}{threads} | " + " | ".join(row[one][0] for one in names) + " |")
    lines.append("| **right** | | " + " | ".join(str(sum(row[one][0] == "right" for *_, row in table)) for one in names) + " |")
    for word in WORDS[1:]:
        lines.append(f"| {word} | | " + " | ".join(str(sum(row[one][0] == word for *_, row in table)) for one in names) + " |")
    for peer in names:
        if peer == "overfold":
            continue
        lines += ["", f"### {peer} {PEERS[peer]}", "", "| Case | | What it said | What Terraform plans |", "| --- | --- | --- | --- |"]
        for case, name, truth, row in table:
            word, said = row[peer]
            if word != "right":
                lines.append(f"| {name} | {word} | {cell(said)} | {cell(summary(truth))} |")
    return "\n".join(lines) + "\n"


def summary(truth):
    if truth["errors"]:
        return "error: " + ", ".join(truth["errors"])
    parts = []
    for address, arguments in truth["instances"].items():
        parts += [f"{address}.{argument} = {short(asked(argument, value))}" for argument, value in arguments.items()]
        parts += [f"{address}.{argument} is unknown" for argument in truth["unknown"].get(address, [])]
    return "; ".join(parts) or "no instance"


def cell(text):
    return "`" + text.replace("|", "\\|").replace("`", "'") + "`" if text else ""


if __name__ == "__main__":
    sys.exit(main())

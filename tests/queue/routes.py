"""Tests that a queue takes requests for each route as it takes those for `merge`; run.py calls it."""

import json
import shutil
import subprocess

import modules

TO = 'to={"version":"1.9"}'
OPTIONS = {"plan": ["version=1.9"], "plan-diff": ["version=1.9", "recursive=false"], "upgrade": ["version=1.5", TO]}


def command(program, route, before, path):
    """Returns the answer that the command of this name prints."""
    sides = [before, path] if route == "plan-diff" else [path]
    options = ["--to=1.9" if option == TO else f"--{option}" for option in OPTIONS[route] if option != "recursive=false"]
    done = subprocess.run([program, route, *sides, *options, "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert done.returncode in (0, 1), done
    return json.loads(done.stdout)


def changed(path, place):
    """Returns a copy of a module with something else in it, and, if it is not broken anyway, an error."""
    shutil.copytree(path, place)
    text = (place / "main.tf").read_text()
    (place / "main.tf").write_text(text.replace("input =", "triggers_replace =", 1))
    (place / "more.tf").write_text('output "more" {\n  value = var.nmae\n}\n' if path.name.endswith("1") else 'output "more" {\n  value = 1\n}\n')
    return place


def test(program, server, folder, Queue, Worker):
    """Every route that has something to plan answers as its command does."""
    queue = Queue(program, server, folder, "routes")
    paths = modules.write(folder / "routes", 3)
    pairs = [(path, changed(path, folder / "changed" / path.name)) for path in paths]
    list_ = folder / "pairs.list"
    list_.write_text("".join(json.dumps({"before": str(before), "path": str(after), "id": after.name}) + "\n" for before, after in pairs))
    single = folder / "single.list"
    single.write_text("".join(json.dumps({"path": str(after), "id": after.name}) + "\n" for _, after in pairs))

    def submit(route, run, list_=list_, options=None):
        chosen = [part for option in (OPTIONS[route] if options is None else options) for part in ("--option", option)]
        return queue.run("submit", "--run", run, "--route", route, "--list", list_, *chosen)

    for route, more, word in [
        ("plan-diff", {"list_": single}, "needs `before`"), ("upgrade", {}, "takes no `before`"), ("plan-diff", {"options": ["include=plan"]}, "include"),
        ("plan-diff", {"options": ["reveal_sensitive=true"]}, "reveal_sensitive"), ("plan-diff", {"options": [TO]}, "to"),
        ("upgrade", {"list_": single, "options": ["version=1.5"]}, "to"), ("upgrade", {"list_": single, "options": [TO, "reveal_sensitive=true"]}, "reveal_sensitive"),
    ]:
        done = submit(route, "wrong", **more)
        assert done.returncode == 2 and word in done.stderr, (route, more, done)
    worker = Worker(queue, "routes").start()
    try:
        for route in OPTIONS:
            chosen = list_ if route == "plan-diff" else single
            done = submit(route, route, chosen)
            assert done.stdout == "3 submitted, 0 already answered, 0 already submitted, 0 unreadable\n", done
            done, lines, summary = queue.collect(route)
            assert done.returncode == 0 and len(lines) == 3, (done, summary)
            for before, after in pairs:
                answer, wanted = lines[after.name]["answer"], command(program, route, before, after)
                assert lines[after.name]["status"] == 200, lines[after.name]
                assert answer == wanted, f"{route} of {after.name}:\n{answer}\n{wanted}"
            assert summary["versions"] == {"terraform 1.9": 3} and summary["valid"] == 1 and summary["invalid"] == 2, summary
            # An upgrade counts only what the new version adds.
            assert bool(summary["codes"]) == (route != "upgrade"), summary
            done = submit(route, f"{route}-again", chosen)
            assert done.stdout == "0 submitted, 3 already answered, 0 already submitted, 0 unreadable\n", done
        counted = {name: value for name, value in worker.metrics().items() if "requests_total" in name and "/v1/" in name}
        for route in OPTIONS:
            assert sum(value for name, value in counted.items() if f'"/v1/{route}"' in name) == 3, (route, counted)
    finally:
        worker.kill()
    yield f"3 requests each for {', '.join(OPTIONS)}: the answers of the commands, counted by version and code, and known the second time"

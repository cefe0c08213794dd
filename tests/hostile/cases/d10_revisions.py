"""The commands `overfold plan-diff` and `overfold diff` on revisions of a git repository of somebody else."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from git_repository import FILE, FOLDER, LINK, REPOSITORY, Repository
from harness import CPU_SECONDS, MEMORY_MB, Case, Failure, Server, expect, many

SECRET = "SECRETenv10"
MAIN = 'output "o" {\n  value = "before"\n}\n'
CHANGED = MAIN.replace("before", "after")
READS = 'output "o" {\n  value = try(file("x"), "not read")\n}\n'
LISTS = 'output "o" {\n  value = length(fileset(".", "**"))\n}\n'
# A process of its own, since what it measures begins with the memory of the one that starts it.
MEASURED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
began = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, 2, 1)])
_, status, usage = os.wait4(began, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""
# What the commands say of the two files above.
FINE, DIFFERENT, WRONG = {0}, {1}, {2}
ANY = FINE | DIFFERENT | WRONG


def asked(command, repository, arguments, environment, folder, seconds=60):
    """Runs the command; returns its exit code, what it printed, the CPU seconds and the megabytes of it and of each git."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("OVERFOLD_", "GIT_"))}
    # What the user set for all repositories is not what is tried here.
    clean |= {"CI_TOKEN": SECRET, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(repository.folder.parent), **environment}
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen([sys.executable, "-c", MEASURED, Server.binary, command, *arguments], cwd=folder, env=clean,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=printed, start_new_session=True)
        try:
            found = process.communicate(timeout=seconds)[0].split()
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Failure(f"{command}: not done after {seconds} s") from None
        printed.seek(0)
        return int(found[0]), printed.read(), float(found[1]), int(found[2]) / 1024


def case(name, make, codes, says="", arguments=("base...head",), environment=None, at=".", commands=("plan-diff", "diff"), cpu=CPU_SECONDS, memory_mb=MEMORY_MB):
    """A repository that `make` fills, and what comparing two revisions of it may cost. `make` may return other arguments."""

    def run(measured):
        with tempfile.TemporaryDirectory() as made:
            repository = Repository(pathlib.Path(made).resolve())
            asks = make(repository) or list(arguments)
            for command in commands:
                began = time.monotonic()
                code, printed, used, peak = asked(command, repository, asks, environment or {}, repository.folder / at)
                measured.status, measured.seconds, measured.cpu, measured.memory_mb = code, time.monotonic() - began, used, peak
                measured.note = printed[-120:].decode("utf-8", "replace").strip()
                expect(not repository.ran.exists(), f"{command} ran something")
                expect(code in codes, f"{command}: exit code {code}: {printed[-300:]!r}")
                expect(SECRET.encode() not in printed and b"root:" not in printed, f"{command} shows what is outside: {printed[-300:]!r}")
                expect(code != 2 or says.encode() in printed, f"{command} does not say {says!r}: {printed[-300:]!r}")
                expect(code != 2 or 0 < len(printed) < 4096, f"{command} prints {len(printed)} bytes")
                expect(used <= cpu, f"{command}: {used:.1f} CPU seconds, at most {cpu}")
                expect(peak <= memory_mb, f"{command}: {peak:.0f} MB, at most {memory_mb}")

    return Case(name, run)


def beside(*entries, ordered=True, main=MAIN):
    """Two revisions in which only `main.tf` differs; other entries are in the second."""

    def make(repository):
        found = [(mode, name, what(repository) if callable(what) else what) for mode, name, what in entries]
        repository.sides(repository.tree((FILE, "main.tf", MAIN)), repository.tree((FILE, "main.tf", main), *found, ordered=ordered))

    return make


def alike(change):
    """Two revisions of which the second has another output, in a repository that something was done to."""

    def make(repository):
        base, head = repository.sides(repository.tree((FILE, "main.tf", MAIN)), repository.tree((FILE, "main.tf", CHANGED)))
        return change(repository, base, head)

    return make


def folders(repository, depth, width=1, inner=None):
    """Returns a tree with so many folders in each other, and in each so many that are the same."""
    tree = inner or repository.tree((FILE, "main.tf", MAIN))
    for _ in range(depth):
        tree = repository.tree(*((FOLDER, f"d{at}", tree) for at in range(width)))
    return tree


def names():
    """Files and folders whose names no system would accept, or only one of them."""
    for title, name in (("a line break", "a\nb"), ("quotes", "a\"b'c`d"), ("backslashes", "..\\..\\x"), ("a tab", "a\tb.txt"), ("a dollar", "${a}"),
                        ("a drive", "C:x"), ("a control character", "\x1b[31mred"), ("4,000 bytes", "n" * 4000), ("a dash", "--root")):
        yield case(f"a file with {title} in its name", beside((FILE, name, "x"), main=LISTS), DIFFERENT | WRONG)
        yield case(f"a configuration with {title} in its name", beside((FILE, f"{name}.tf", "locals {}")), FINE | WRONG)
        yield case(f"a folder with {title} in its name", beside((FOLDER, name, folders_of_one), main=LISTS), DIFFERENT | WRONG)
    yield case("a configuration whose name is no UTF-8", beside((FILE, b"\xff.tf", CHANGED.replace('"o"', '"p"'))), WRONG, "UTF-8")
    yield case("a folder whose name is no UTF-8", beside((FOLDER, b"\xff", folders_of_one), main=CHANGED), DIFFERENT)
    for name in ("..", ".", "", "a/b.tf", "../x.tf", "/x.tf", "x/../main.tf"):
        # git itself refuses the empty name.
        says = "the revision has the path" if name else "git"
        yield case(f"a file with the name {name!r}", beside((FILE, name, CHANGED)), WRONG, says)
        yield case(f"a folder with the name {name!r}", beside((FOLDER, name, folders_of_one)), WRONG, says)
    yield case("two files of one name", beside((FILE, "main.tf", CHANGED)), WRONG, "twice")
    yield case("a file and a folder of one name", beside((FOLDER, "main.tf", folders_of_one)), WRONG, "twice")
    yield case("names in no order", beside((FILE, "z.tf", ""), (FILE, "a.tf", ""), main=CHANGED, ordered=False), DIFFERENT)
    yield case("a folder .git in the tree", beside((FOLDER, ".git", folders_of_one), (FOLDER, ".GIT", folders_of_one), main=CHANGED), DIFFERENT)
    for title, what, codes in (("a tree as a file", folders_of_one, WRONG), ("a commit as a file", lambda repository: repository.commit(folders_of_one(repository)), WRONG)):
        yield case(title, beside((FILE, "x.tf", what)), codes)
    yield case("a file as a folder", beside((FOLDER, "x", "text"), main=CHANGED), WRONG, "git")
    yield case("a mode that there is not", beside((b"170000", "x.tf", "locals {}"), (b"0", "y.tf", ""), main=CHANGED), DIFFERENT | WRONG)


def folders_of_one(repository):
    """Returns a tree with one file."""
    return folders(repository, 0)


def links():
    """Links that lead out, in circles, or to what nobody should read."""
    for target in ("/etc/passwd", "../../../../../../etc/passwd", "/proc/self/environ", "x", "./x", "y", ".", "..", "", "a\0b", "\n", "x/x/x",
                   ".git/config", "main.tf/..", "main.tf/x", "-x", "n" * 5000, b"\xff"):
        both = ((LINK, "x", target), (LINK, "y", "x"))
        yield case(f"a link to {target[:40]!r}", beside(*both, main=READS), DIFFERENT | WRONG)
        yield case(f"a configuration that is a link to {target[:40]!r}", beside((LINK, "x.tf", target), (LINK, "y.tf", "x.tf")), ANY)
        yield case(f"a module behind a link to {target[:40]!r}", beside(*both, main='module "m" {\n  source = "./x"\n}\n'), ANY)
    chain = [(LINK, f"l{at}", f"l{at + 1}") for at in range(200)]
    yield case("a chain of 200 links", beside(*chain, (LINK, "x", "l0"), (FILE, "l200", "end"), main=READS), DIFFERENT)
    winding = "/".join(["d0", ".."] * 600) + "/"
    turns = [(LINK, f"l{at}", f"{winding}l{at + 1}") for at in range(39)]
    many_links = [(LINK, f"m{at}", "l0") for at in range(20_000)]
    yield case("20,000 links through 39 winding ones", beside(*turns, *many_links, (FOLDER, "d0", folders_of_one), main=LISTS), ANY, cpu=10)
    yield case("a link to a huge file", beside((LINK, "x", "big"), (LINK, "y", "x"), (FILE, "big", huge), main=READS), ANY)
    yield case("a link whose target is huge", beside((LINK, "x", huge), (FILE, "y.tf", ""), main=READS), ANY)
    yield case("another repository as a module", beside((REPOSITORY, "x", "1" * 40), main='module "m" {\n  source = "./x"\n}\n'), DIFFERENT)
    yield case("a link into another repository", beside((REPOSITORY, "r", "1" * 40), (LINK, "x", "r/main.tf"), main=READS), DIFFERENT)


def huge(repository):
    """Returns a file of 200 MB that takes a megabyte."""
    return repository.blob(b"\0" * (200 << 20))


def sizes():
    """Files and trees that are larger than they look."""
    nines = lambda repository: repository.blob(b" " * (9 << 20))
    reads = 'output "o" {\n  value = [for n in fileset(".", "f*") : sha1(file(n))]\n}\n'
    yield case("a huge file that nobody reads", beside((FILE, "big", huge), main=CHANGED), DIFFERENT)
    yield case("a huge file that is read", beside((FILE, "x", huge), main=READS), WRONG, "max-file-bytes")
    yield case("a huge configuration", beside((FILE, "x.tf", huge)), WRONG, "max-file-bytes")
    yield case("200 files of 9 MB", beside(*((FILE, f"f{at}", nines) for at in range(200)), main=reads), WRONG, "max-unpacked-bytes", commands=("plan-diff",), cpu=4)
    for digits in (b"99999999999", b"99999999999999999999999999", b"-1", b"", b"1e3"):
        yield case(f"a file that says it has {digits.decode()} bytes", beside((FILE, "x.tf", lambda repository, digits=digits: repository.put(b"blob", b"", b"blob " + digits))), WRONG)
    for depth in (100, 1000, 5000):
        yield case(f"{depth} folders in each other", beside((FOLDER, "d", lambda repository, depth=depth: folders(repository, depth)), main=LISTS), DIFFERENT | WRONG)
    for depth, width in ((8, 32), (40, 2), (3, 400)):
        yield case(f"a tree of {width} to the power of {depth} files", beside((FOLDER, "d", lambda repository, depth=depth, width=width: folders(repository, depth, width)), main=LISTS), WRONG, cpu=8)
    yield case("a tree that has itself", alike(circle), WRONG, "git")
    yield case("200,000 files", beside(*((FILE, f"f{at}", "1" * 40) for at in range(200_000)), main=CHANGED), DIFFERENT, cpu=4)


def circle(repository, base, _):
    """A tree whose object has another name than its content: it is in itself."""
    name = "1" * 40
    repository.put(b"tree", b"40000 x\0" + bytes.fromhex(name), name=name)
    repository.commit(name, base, branch="head")


def missing():
    """Repositories of which a part is not there, or broken."""

    def without(kind):
        def change(repository, base, head):
            tree = repository.tree((FOLDER, "inner", repository.tree((FILE, "x", "y"))), (FILE, "main.tf", CHANGED))
            repository.commit(tree, base, branch="head")
            gone = {"file": repository.blob(CHANGED), "tree": tree, "folder": repository.tree((FILE, "x", "y")), "parent": base}[kind]
            repository.place(gone).unlink()
        return change

    for kind in ("file", "tree", "folder", "parent"):
        yield case(f"a {kind} that is not there", alike(without(kind)), WRONG, "git" if kind in ("tree", "folder") else "")

    def shallow(repository, base, head):
        (repository.git / "shallow").write_text(f"{head}\n")

    yield case("a shallow repository", alike(shallow), WRONG, "is shallow")
    for title, content in (("nothing", b""), ("noise", b"\x78\x01" + b"\xff" * 100), ("text", b"no object at all")):
        for part in ("file", "commit"):
            def broken(repository, base, head, content=content, part=part):
                repository.place(head if part == "commit" else repository.blob(CHANGED)).write_bytes(content)
            yield case(f"{title} where the {part} should be", alike(broken), WRONG)
    wrong_name = lambda repository, base, head: repository.put(b"blob", MAIN.encode(), name=repository.blob(CHANGED)) and None
    yield case("a file that is another one", alike(wrong_name), FINE | WRONG)

    def promised(repository, base, head):
        repository.configure('[extensions]\n partialclone = origin\n[remote "origin"]\n promisor = true\n url = "ext::sh -c RUN"\n'
                             '[protocol]\n allow = always\n[protocol "ext"]\n allow = always\n[core]\n sshCommand = RUN\n')
        repository.place(repository.blob(CHANGED)).unlink()

    yield case("a file that a server would send", alike(promised), WRONG)
    # Releases of git before 2.45 do not know the variable that forbids it.
    yield case("a folder that a server would send", alike(lambda repository, base, head: (promised(repository, base, head), without("folder")(repository, base, head)) and None), WRONG)

    for kind, url in (("ssh", "ssh://a@localhost/x"), ("helper", "odd::x"), ("proxy", "git://localhost/x")):
        def promised_by(repository, base, head, url=url):
            promised(repository, base, head)
            repository.configure(f'[remote "origin"]\n url = {url}\n vcs = odd\n[core]\n gitProxy = RUN\n')
        yield case(f"a file that a server would send, by {kind}", alike(promised_by), WRONG)


def running():
    """Whatever in a repository names a program."""

    def programs(repository, base, head):
        for hook in ("post-checkout", "pre-commit", "post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-auto-gc"):
            place = repository.git / "hooks" / hook
            place.write_text(f"#!/bin/sh\ntouch {repository.ran}\n")
            place.chmod(0o755)
        repository.configure(
            '[core]\n fsmonitor = RUN\n pager = RUN\n editor = RUN\n sshCommand = RUN\n askPass = RUN\n alternateRefsCommand = RUN\n gitProxy = RUN\n'
            '[pager]\n cat-file = RUN\n ls-tree = RUN\n rev-parse = RUN\n[alias]\n cat-file = !RUN\n ls-tree = !RUN\n rev-parse = !RUN\n merge-base = !RUN\n'
            '[diff]\n external = RUN\n[diff "x"]\n textconv = RUN\n command = RUN\n[filter "x"]\n smudge = RUN\n clean = RUN\n process = RUN\n required = true\n'
            '[merge "x"]\n driver = RUN\n[credential]\n helper = !RUN\n[gpg]\n program = RUN\n[log]\n showSignature = true\n[uploadpack]\n packObjectsHook = RUN\n'
            '[include]\n path = more\n[includeIf "gitdir:**"]\n path = more\n[gc]\n auto = 1\n[maintenance]\n auto = true\n')
        (repository.git / "more").write_text(f"[core]\n fsmonitor = touch {repository.ran}\n[include]\n path = {repository.git}/nothing\n")
        (repository.git / "info/attributes").write_text("* filter=x diff=x merge=x ident export-subst working-tree-encoding=UTF-16\n")
        tree = repository.tree((FILE, "main.tf", CHANGED), (FILE, ".gitattributes", "* filter=x diff=x text eol=crlf ident\n"), (FILE, ".gitmodules", '[submodule "x"]\n update = !touch ran\n'))
        repository.commit(tree, base, branch="head")
        return ["base...head"]

    yield case("programs in the configuration, hooks, attributes", alike(programs), DIFFERENT)
    yield case("programs for what the index has", alike(lambda *all: programs(*all) and ["base", "git::main.tf"]), WRONG)
    everything = {name: "false" for name in ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_EDITOR", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_PROXY_COMMAND", "GIT_SEQUENCE_EDITOR")}
    yield case("variables of git", alike(lambda *_: None), DIFFERENT, environment=everything | {
        "GIT_TRACE": "1", "GIT_TRACE_PACKET": "1", "GIT_TRACE2": "1", "GIT_TRACE_SETUP": "1", "GIT_FLUSH": "1", "GIT_GLOB_PATHSPECS": "0", "GIT_DEFAULT_HASH": "sha256"})
    yield case("a configuration that includes itself", alike(lambda repository, *_: repository.configure("[include]\n path = config\n")), WRONG, "git")
    yield case("a configuration on standard input", alike(lambda repository, *_: repository.configure("[include]\n path = /dev/stdin\n")), DIFFERENT | WRONG)
    yield case("a configuration that is none", alike(lambda repository, *_: repository.configure("[core\n")), WRONG, "git")
    yield case("a format that git does not know", alike(lambda repository, *_: repository.configure("[extensions]\n odd = true\n")), WRONG, "git")
    yield case("a work tree somewhere else", alike(lambda repository, *_: repository.configure("[core]\n worktree = /etc\n")), DIFFERENT | WRONG)


def elsewhere():
    """Objects and references that come from somewhere else, or are replaced."""

    def replaced(repository, base, head):
        for old, new in ((head, base), (repository.blob(CHANGED), repository.blob(MAIN))):
            repository.ref(f"replace/{old}", new)

    yield case("objects that are replaced", alike(replaced), DIFFERENT)

    def grafted(repository, base, head):
        (repository.git / "info/grafts").write_text(f"{head}\n")

    yield case("parents that are replaced", alike(grafted), DIFFERENT)
    for title, text in (("nowhere", "/nowhere\n"), ("itself", "../objects\n../objects\n"), ("the root", "/\n"), ("devices", "/dev\n/proc/self\n"), ("quotes", '"a\\qb\n"\n')):
        yield case(f"more objects in {title}", alike(lambda repository, base, head, text=text: (repository.git / "objects/info/alternates").write_text(text) and None), DIFFERENT)

    def pointer(text):
        def change(repository, *_):
            (repository.git).rename(repository.folder / "real")
            repository.git.write_text(text)
        return change

    yield case("a .git that points to the repository", alike(pointer("gitdir: real\n")), DIFFERENT)
    for title, text in (("nothing", "gitdir: nowhere\n"), ("itself", "gitdir: .git\n"), ("a device", "gitdir: /dev/zero\n"), ("no words", ""), ("a megabyte", "gitdir: " + "a/" * 500_000)):
        yield case(f"a .git that points to {title}", alike(pointer(text)), WRONG)
    yield case("a .git that is a link to itself", alike(lambda repository, *_: (pointer("x")(repository), repository.git.unlink(), repository.git.symlink_to(".git")) and None), WRONG)
    if os.getuid() == 0:
        yield case("a repository of somebody else", alike(lambda repository, *_: [os.chown(place, 12345, 12345) for place in (repository.folder, repository.git)] and None), WRONG, "dubious")

    def inner(repository, *_):
        (repository.folder / "bare.git").mkdir()
        for name in ("HEAD", "objects", "refs", "config"):
            (repository.git / name).rename(repository.folder / "bare.git" / name)
        repository.configure = None

    yield case("a bare repository", alike(inner), DIFFERENT | WRONG, at="bare.git")


def revisions():
    """Names that look like options, and arguments that are no commits."""

    def named(*branches):
        def change(repository, base, head):
            for branch in branches:
                repository.ref(f"heads/{branch}", head)
        return change

    odd = ("--upload-pack=touch$IFS-ran", "-x", "--exec=ran", "--help", "--git-dir=a/b")
    for branch in odd:
        place = named(branch)
        for arguments in (("base", f"git:{branch}"), ("--", f"base...{branch}"), (f"git:{branch}...base",), ("--", branch, "base")):
            yield case(f"{' '.join(arguments)} with such a branch", alike(place), WRONG, arguments=arguments)
        yield case(f"refs/heads/{branch} with such a branch", alike(place), DIFFERENT, arguments=("base", f"git:refs/heads/{branch}"))
    for revision in ("^head", "head:main.tf", "head..head", "head^@", "head^!", "head^{blob}", "head^{/(a+)+$}", ":/(a+)+$b", "@{-1}", "head@{upstream}",
                     "head@{yesterday}", "", "head:..", ":main.tf", "head --output=ran", "head\nbase", "\n", "$(touch ran)", "`touch ran`", "head;touch ran",
                     "0" * 40, "head~99999999999999999999", "head" + "^" * 20_000, "x" * 100_000, "..." * 1000, "base...head...base"):
        yield case(f"the revision {revision[:40]!r}", alike(named()), WRONG, arguments=("base", f"git:{revision}"))
        yield case(f"where {revision[:40]!r} left", alike(named()), WRONG | (DIFFERENT if revision in ("", "head^{/(a+)+$}", ":/(a+)+$b") else set()), arguments=("--", f"base...{revision}"))
    yield case("a tree", alike(named()), DIFFERENT, arguments=("git:base^{tree}", "git:head:"))
    for title, text in (("itself", "ref: refs/heads/x"), ("nothing", "ref: refs/heads/none"), ("noise", "\x00\xff noise"), ("a file", "1" * 40), ("outside", "ref: ../../../etc/passwd")):
        yield case(f"a branch that points to {title}", alike(lambda repository, base, head, text=text: repository.ref("heads/x", text)), WRONG, arguments=("base", "git:x"))
    yield case("100,000 branches", alike(lambda repository, base, head: (repository.git / "packed-refs").write_text(
        "# pack-refs with: peeled fully-peeled sorted \n" + many(100_000, f"{head} refs/heads/a@\n")) and None), DIFFERENT)
    yield case("a long history", alike(history), DIFFERENT, arguments=("base...side",), cpu=4)
    yield case("histories with nothing in common", alike(lambda repository, base, head: repository.commit(repository.tree(), branch="head") and None), WRONG, "no commit in common")


def history(repository, base, head):
    """Two branches of 1,000 commits each, every one with two parents."""
    tree = repository.tree((FILE, "main.tf", CHANGED))
    first, second = base, head
    for _ in range(1000):
        first, second = repository.commit(tree, first, second), repository.commit(tree, second, first)
    repository.ref("heads/side", second)


def cases():
    """All of them."""
    for group in (names, links, sizes, missing, running, elsewhere, revisions):
        yield from group()

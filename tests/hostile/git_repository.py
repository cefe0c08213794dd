"""Git repositories with whatever objects one likes, written byte by byte: git itself would refuse most of them."""

import hashlib
import zlib

FILE, RUNNABLE, LINK, FOLDER, REPOSITORY = b"100644", b"100755", b"120000", b"40000", b"160000"
NOBODY = b"a <a@example.org> 1700000000 +0000"


class Repository:
    """A work tree without files, with a `.git` in it. What something in it runs leaves the file `ran` beside the work tree."""

    def __init__(self, folder):
        self.folder, self.git, self.ran = folder / "work", folder / "work/.git", folder / "ran"
        for inner in ("objects/info", "objects/pack", "refs/heads", "info", "hooks"):
            (self.git / inner).mkdir(parents=True)
        (self.git / "HEAD").write_text("ref: refs/heads/head\n")
        self.configure("[core]\n repositoryformatversion = 1\n bare = false\n")

    def configure(self, text):
        """Adds to the configuration; `RUN` in it is a command that leaves a trace."""
        with open(self.git / "config", "a") as file:
            file.write(text.replace("RUN", f"touch {self.ran}"))

    def place(self, name):
        """Returns where the object of this name is."""
        return self.git / "objects" / name[:2] / name[2:]

    def put(self, kind, content, head=None, name=None):
        """Writes an object and returns its name. `head` is what stands before the content, if not its kind and length."""
        whole = (b"%s %d" % (kind, len(content)) if head is None else head) + b"\0" + content
        name = name or hashlib.sha1(whole).hexdigest()
        place = self.place(name)
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(zlib.compress(whole, 1))
        return name

    def blob(self, content):
        """Writes the content of a file or the target of a link."""
        return self.put(b"blob", content.encode() if isinstance(content, str) else content)

    def tree(self, *entries, ordered=True):
        """Writes a tree: modes, names and objects. A text instead of an object's name is the content of a new one."""
        def made(mode, name, what):
            what = what if len(what) == 40 and "\n" not in what else self.blob(what)
            return (name.encode() if isinstance(name, str) else name) + (b"/" if mode == FOLDER and ordered else b""), mode, name, what
        rows = [made(*entry) for entry in entries]
        rows = sorted(rows, key=lambda row: row[0]) if ordered else rows
        content = b"".join(
            mode + b" " + (name.encode() if isinstance(name, str) else name) + b"\0" + bytes.fromhex(what) for _, mode, name, what in rows)
        return self.put(b"tree", content)

    def commit(self, tree, *parents, branch=None):
        """Writes a commit, and a branch that points to it."""
        lines = [b"tree " + tree.encode(), *(b"parent " + parent.encode() for parent in parents)]
        lines += [b"author " + NOBODY, b"committer " + NOBODY, b"", b"a", b""]
        name = self.put(b"commit", b"\n".join(lines))
        if branch:
            self.ref(f"heads/{branch}", name)
        return name

    def ref(self, path, content):
        """Writes a reference."""
        place = self.git / "refs" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"{content}\n")

    def sides(self, before, after):
        """Makes the branches `base` and `head` of two trees."""
        base = self.commit(before, branch="base")
        return base, self.commit(after, base, branch="head")

"""Archives: bombs, overlapping and false entries, unusual names and kinds, damage of every sort."""

import bz2
import gzip
import io
import json
import lzma
import random
import struct
import tarfile
import zipfile
import zlib

from harness import MB, expect, request
from shared import small

GIB = 1 << 30
FILE = b"locals {\n a = 1\n}\n"
MEDIA_TYPES = {"tar": "application/x-tar", "tgz": "application/gzip", "zip": "application/zip",
               "zst": "application/zstd"}
ZEROS = b"\0" * MB

ZIP_LOCAL, ZIP_CENTRAL, ZIP_END = b"PK\3\4", b"PK\1\2", b"PK\5\6"


def entry(name, data=b"", **fields):
    """Returns a tar entry and its content."""
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, data


def tar(*entries, layout=tarfile.GNU_FORMAT, pax=None):
    """Builds a tar archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=layout) as archive:
        for info, data in entries:
            if pax:
                info.pax_headers = pax
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zipped(*entries, method=zipfile.ZIP_DEFLATED):
    """Builds a zip archive from names and contents."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return out.getvalue()


def gzip_zeros(size, prefix=b""):
    """Returns `prefix` and `size` zero bytes, compressed with gzip."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts = [packer.compress(prefix)]
    parts += [packer.compress(ZEROS) for _ in range(size // MB)]
    return b"".join(parts) + packer.flush()


def tgz_bomb(size):
    """Returns a tar.gz with one file of zeros."""
    info = tarfile.TarInfo("main.tf")
    info.size = size
    return gzip_zeros(size, info.tobuf(tarfile.GNU_FORMAT))


def zstd_frame(data, window=0x50, dictionary=b""):
    """Returns a Zstandard frame of raw blocks. `window` is the window descriptor: its upper five bits are the exponent
    above 1 KiB."""
    blocks = [data[at:at + 65536] for at in range(0, len(data), 65536)] or [b""]
    out = b"\x28\xb5\x2f\xfd" + bytes([0x01 if dictionary else 0x00, window]) + dictionary
    for number, block in enumerate(blocks):
        last = number + 1 == len(blocks)
        out += struct.pack("<I", len(block) << 3 | last)[:3] + block
    return out


def zstd_bomb(size):
    """Returns a Zstandard frame of run-length blocks: four bytes for every 128 KiB of zeros."""
    block, count = 128 << 10, size // (128 << 10)
    run = struct.pack("<I", block << 3 | 1 << 1)[:3] + b"\0"
    last = struct.pack("<I", block << 3 | 1 << 1 | 1)[:3] + b"\0"
    return b"\x28\xb5\x2f\xfd\x00\x50" + run * (count - 1) + last


def local_header(name, crc, packed, size):
    """Returns the local header of a zip entry."""
    return struct.pack("<4sHHHHHIIIHH", ZIP_LOCAL, 20, 0, 8, 0, 0x21, crc, packed, size, len(name), 0) + name


def central_header(name, crc, packed, size, offset):
    """Returns the entry in the central directory."""
    return struct.pack("<4sHHHHHHIIIHHHHHII", ZIP_CENTRAL, 20, 20, 0, 8, 0, 0x21, crc, packed, size, len(name),
                       0, 0, 0, 0, 0, offset) + name


def zip_end(count, size, offset):
    """Returns the end record of a zip archive."""
    count = min(count, 0xFFFF)
    return struct.pack("<4sHHHHIIH", ZIP_END, 0, 0, count, count, size, offset, 0)


def overlapping(count, size):
    """Returns a zip whose directory lists one compressed content `count` times."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = b"\0" * size
    packed, crc = packer.compress(data) + packer.flush(), zlib.crc32(data)
    content = local_header(b"f0.tf", crc, len(packed), size) + packed
    rows = b"".join(central_header(b"f%d.tf" % at, crc, len(packed), size, 0) for at in range(count))
    return content + rows + zip_end(count, len(rows), len(content))


def quoted_overlap(count, size):
    """Returns a zip after David Fifield: each entry quotes the header of the next one in a stored block, then shares
    its content."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    unpacked = b"\0" * size
    kernel, crc = packer.compress(unpacked) + packer.flush(), zlib.crc32(unpacked)
    name = b"f%05d.tf" % (count - 1)
    blob = local_header(name, crc, len(kernel), size) + kernel
    entries = [(name, crc, len(kernel), size, len(blob))]
    for at in range(count - 2, -1, -1):
        header = blob[:30 + len(entries[-1][0])]
        stored = b"\0" + struct.pack("<HH", len(header), len(header) ^ 0xFFFF) + header
        packed = stored + blob[len(header):]
        # The checksum of the header and the following text, without keeping that text.
        unpacked = header + unpacked
        crc = zlib.crc32(unpacked)
        name = b"f%05d.tf" % at
        blob = local_header(name, crc, len(packed), len(unpacked)) + packed
        entries.append((name, crc, len(packed), len(unpacked), len(blob)))
    rows = b"".join(central_header(name, crc, packed, size, len(blob) - length)
                    for name, crc, packed, size, length in reversed(entries))
    return blob + rows + zip_end(count, len(rows), len(blob))


def patched(archive, mark, offset, value):
    """Returns the archive with `value` written `offset` bytes after the first `mark`."""
    out, at = bytearray(archive), archive.find(mark)
    out[at + offset:at + offset + len(value)] = value
    return bytes(out)


def streamed_zip():
    """Returns a zip written to a pipe, with the sizes after the content."""

    class Pipe(io.RawIOBase):
        def __init__(self):
            self.written = bytearray()

        def write(self, data):
            self.written += data
            return len(data)

        def writable(self):
            return True

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("main.tf", FILE)
    return bytes(pipe.written)


def zip64():
    """Returns a zip with 64-bit sizes in an extra field."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive, archive.open("main.tf", "w", force_zip64=True) as file:
        file.write(FILE)
    return out.getvalue()


def nameless_zip():
    """Returns a zip with one entry that has no name."""
    packed = zlib.compress(FILE, wbits=-15)
    content = local_header(b"", zlib.crc32(FILE), len(packed), len(FILE)) + packed
    row = central_header(b"", zlib.crc32(FILE), len(packed), len(FILE), 0)
    return content + row + zip_end(1, len(row), len(content))


def zip_link():
    """Returns a zip with a symbolic link."""
    out, info = io.BytesIO(), zipfile.ZipInfo("main.tf")
    info.create_system, info.external_attr = 3, 0o120777 << 16
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(info, "/etc/passwd")
    return out.getvalue()


def pax_records(records):
    """Returns a tar header with raw extended records."""
    data = b"".join(records)
    info = tarfile.TarInfo("PaxHeaders/x")
    info.type, info.size = b"x", len(data)
    return info.tobuf(tarfile.USTAR_FORMAT) + data + b"\0" * (-len(data) % 512)


def inside(answer, parsed):
    """Checks that no path in the answer leaves the upload."""
    for file in parsed.get("module", {}).get("files", []) if answer.status == 200 else []:
        path = file["path"]
        expect(not path.startswith("/") and ".." not in path.split("/"), f"the answer has the path {path!r}")


def not_empty(answer, parsed):
    """Checks that an entry that another reader would find in the archive is either rejected or read."""
    expect(answer.status != 200 or parsed["module"]["files"], "read as an empty archive")


NAMES = ["../x.tf", "/etc/x.tf", "a/../../x.tf", "a\\..\\x.tf", "C:\\x.tf", "C:/x.tf", "a//b.tf", "./a.tf", "a/./b.tf",
         "..", ".", "", "a\0.tf", "a\nb.tf", "x\u202e.tf", "\u2024\u2024/x.tf", "\uff0e\uff0e/x.tf", "a/ /b.tf", "CON",
         "nul.tf", "a:b.tf", "~/.x.tf", "con.tf ", "a\u0301.tf", "%2e%2e/x.tf", "a" * 2000 + ".tf",
         "/".join("a" * 100) + ".tf", "\\\\server\\x.tf", "\x1b[31m.tf", "a\x7f.tf", "\ufeffa.tf"]

KINDS = [("symlink", tarfile.SYMTYPE), ("hard link", tarfile.LNKTYPE), ("character device", tarfile.CHRTYPE),
         ("block device", tarfile.BLKTYPE), ("fifo", tarfile.FIFOTYPE), ("contiguous file", tarfile.CONTTYPE),
         ("folder", tarfile.DIRTYPE), ("sparse file", b"S"), ("dump folder", b"D"), ("part of a volume", b"M"),
         ("unknown kind", b"Z")]


def big(name, kind, body, headers=None, query="?include=files", quick=True):
    """A case with a server of its own."""
    return request(name, body, MEDIA_TYPES[kind], "/v1/merge" + query, headers, check=inside, quick=quick)


def little(name, kind, body, query="?include=files", check=inside):
    """A case that takes milliseconds."""
    return small(name, body, MEDIA_TYPES.get(kind, kind), "/v1/merge" + query, check=check)


def cases():
    """All archives."""
    main = entry("main.tf", FILE)
    plain, plain_zip = tar(main), zipped(("main.tf", FILE))
    yield little("good tar", "tar", plain)
    yield little("good tar.gz", "tgz", gzip.compress(plain))
    yield little("good tar.zst", "zst", zstd_frame(plain))
    yield little("good zip", "zip", plain_zip)
    yield from bombs(plain)
    yield from zips(plain_zip)
    for name in NAMES:
        shown = f"name {name[:24]!r}"
        yield little(f"tar {shown}", "tar", lambda name=name: tar(entry(name, FILE), layout=tarfile.PAX_FORMAT))
        # The library itself refuses to write an empty name.
        yield little(f"zip {shown}", "zip", lambda name=name: zipped((name, FILE)) if name else nameless_zip())
        body = json.dumps({"files": {name: "a=1"}, "include": ["files"]}).encode()
        yield small(f"json {shown}", body, check=inside)
    yield from tars(main, plain)
    yield from streams(plain)
    yield from mistaken(plain, plain_zip)


def bombs(plain):
    """A few kilobytes that decompress to gigabytes."""
    yield big("gz bomb of 10 GB", "tgz", lambda: gzip_zeros(10 * GIB), quick=False)
    yield big("tar.gz bomb, one file of 2 GB", "tgz", lambda: tgz_bomb(2 * GIB), quick=False)
    yield big("tar.gz bomb, one file of 256 MB", "tgz", lambda: tgz_bomb(256 * MB))
    yield big("tar.gz of 31 MB of spaces", "tgz", lambda: gzip.compress(tar(entry("main.tf", b" " * (31 * MB))), 6))
    yield big("gz of gz of gz", "tgz", lambda: gzip.compress(gzip.compress(tgz_bomb(128 * MB), 9), 9))
    encoded = {"Content-Encoding": "gzip"}
    yield big("encoded tar.gz bomb", "tgz", lambda: gzip.compress(tgz_bomb(256 * MB), 9), encoded)
    yield big("zst bomb of 10 GB", "zst", lambda: zstd_bomb(10 * GIB))
    zstd = {"Content-Encoding": "zstd"}
    yield big("encoded zst bomb of 10 GB", "tar", lambda: zstd_bomb(10 * GIB), zstd)
    for name, window in (("2 GB", 0xA8), ("2 TB", 0xFF), ("128 MB", 17 << 3)):
        yield big(f"zst with a window of {name}", "zst", lambda window=window: zstd_frame(plain, window))
        yield big(f"encoded zst with a window of {name}", "tar", lambda window=window: zstd_frame(plain, window), zstd)
    skippable = b"\x50\x2a\x4d\x18\0\0\0\0"
    yield big("zst with 3.7 million skippable frames", "zst", lambda: skippable * 3_700_000 + zstd_frame(plain))
    yield little("zst in two frames", "zst", zstd_frame(plain[:512]) + zstd_frame(plain[512:]))
    yield little("zst with a dictionary", "zst", zstd_frame(plain, dictionary=b"\x07"))
    yield little("zst with bytes after it", "zst", zstd_frame(plain) + b"garbage")
    yield big("zip overlap, 1000 times 30 MB", "zip", lambda: overlapping(1000, 30 * MB))
    yield big("zip overlap, 4 times 30 MB", "zip", lambda: overlapping(4, 30 * MB))
    yield big("zip overlap, 50000 times 2 KB", "zip", lambda: overlapping(50_000, 2000))
    yield big("zip overlap, once 30 MB", "zip", lambda: overlapping(1, 30 * MB))
    yield big("zip quoted overlap, 100 of 1 MB", "zip", lambda: quoted_overlap(100, MB))
    yield big("zip quoted overlap, 2000 of 60 KB", "zip", lambda: quoted_overlap(2000, 60_000))
    yield big("zip of zips", "zip", lambda: zipped(
        *[(f"l{at}.zip", zipped(("l.zip", zipped(("z", b"\0" * (10 * MB)))))) for at in range(16)]))
    yield big("zip of 4 times 31 MB of spaces", "zip", lambda: zipped(
        *[(f"f{at}.tf", b" " * (31 * MB)) for at in range(4)]))
    for count in (60_000, 49_000):
        yield big(f"zip of {count} empty files", "zip",
                  lambda count=count: zipped(*[(f"d{at}.tf", "") for at in range(count)]))
    yield big("tar of 60000 empty files", "tar", lambda: tar(*[entry(f"d{at}.tf") for at in range(60_000)]))
    yield big("tar.gz of 260000 empty files", "tgz", lambda: gzip.compress(
        tar(*[entry(f"d{at}.tf") for at in range(260_000)]), 1), quick=False)
    folder = entry("d", type=tarfile.DIRTYPE)[0].tobuf()
    yield big("tar.gz of one folder 250000 times", "tgz", lambda: gzip.compress(folder * 250_000 + b"\0" * 1024, 1))
    comment = tarfile.TarInfo.create_pax_global_header({"comment": "x"})
    yield big("tar.gz with 80000 global headers", "tgz", lambda: gzip.compress(comment * 80_000 + plain, 1))
    main = entry("main.tf", FILE)
    yield big("tar with an extended header of 30 MB", "tar",
              lambda: tar(main, layout=tarfile.PAX_FORMAT, pax={"comment": "x" * 30_000_000}))
    yield big("tar with 2 million extended records", "tar", lambda: pax_records([b"10 cc=xxx\n"] * 2_000_000) + plain)
    yield big("tar with 2 million path records", "tar", lambda: pax_records([b"10 path=a\n"] * 2_000_000) + plain)
    yield big("tar with a name of 30 MB", "tar", lambda: tar(entry("a" * 30_000_000 + ".tf", FILE)))
    yield big("tar.gz of a million empty members", "tgz",
              lambda: gzip.compress(b"") * 1_000_000 + gzip.compress(plain))
    yield big("gz with a name of 30 MB", "tgz",
              lambda: b"\x1f\x8b\x08\x08" + b"\0" * 6 + b"n" * 30_000_000 + b"\0" + gzip.compress(plain)[10:])


def zips(good):
    """Zips that contradict themselves."""
    yield little("zip, one name twice", "zip", zipped_twice("main.tf", "main.tf"))
    yield little("zip, names differ in case", "zip", zipped_twice("main.tf", "Main.tf"))
    yield little("zip with 64-bit sizes", "zip", zip64())
    yield little("zip with sizes behind the content", "zip", streamed_zip())
    both = [(ZIP_CENTRAL, 8), (ZIP_LOCAL, 6)]
    yield little("zip, encrypted", "zip", patched(patched(good, *both[0], b"\1\0"), *both[1], b"\1\0"))
    for name, size in (("small", b"\1\0\0\0"), ("big", b"\xff\xff\xff\1")):
        yield little(f"zip, size too {name}", "zip",
                     patched(patched(good, ZIP_CENTRAL, 24, size), ZIP_LOCAL, 22, size))
    yield little("zip, wrong checksum", "zip",
                 patched(patched(good, ZIP_CENTRAL, 16, b"\1\1\1\1"), ZIP_LOCAL, 14, b"\1\1\1\1"))
    yield little("zip, two names for one entry", "zip", patched(good, ZIP_CENTRAL, 46, b"evil"))
    yield little("zip with bytes before it", "zip", b"#!/bin/sh\n" * 10 + good)
    yield little("zip with bytes after it", "zip", good + b"garbage")
    yield little("zip with a second end record in its comment", "zip",
                 good[:-2] + struct.pack("<H", 22) + ZIP_END + b"\0" * 18, check=not_empty)
    yield little("zip, wrong count of entries", "zip", patched(good, ZIP_END, 8, b"\xff" * 4))
    yield little("zip, directory outside", "zip", patched(good, ZIP_END, 16, b"\xff\xff\xff\x7f"))
    yield little("zip with a link", "zip", zip_link())
    yield little("zip in bzip2", "zip", zipped(("main.tf", FILE), method=zipfile.ZIP_BZIP2))
    yield little("zip in lzma", "zip", zipped(("main.tf", FILE), method=zipfile.ZIP_LZMA))


def zipped_twice(first, second):
    """Returns a zip whose second entry may have the name of the first."""
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return zipped((first, FILE), (second, b""))


def tars(main, plain):
    """Tars with unusual entries."""
    yield little("tar, name in Latin-1", "tar", plain.replace(b"main.tf", b"ma\xefn.tf"))
    for name, kind in KINDS:
        yield little(f"tar, {name} as configuration", "tar", tar(entry("main.tf", type=kind, linkname="/etc/passwd")))
        yield little(f"tar, {name} beside it", "tar",
                     tar(main, entry("other.txt", type=kind, linkname="../../../etc/passwd")))
    yield little("tar, a file below a link", "tar",
                 tar(entry("d", type=tarfile.SYMTYPE, linkname="/tmp"), entry("d/main.tf", FILE)))
    yield little("tar, one name twice", "tar", tar(main, entry("main.tf", b"x")))
    yield little("tar, one name with and without ./", "tar", tar(main, entry("./main.tf", b"x")))
    yield little("tar, names differ in case", "tar", tar(main, entry("MAIN.tf", FILE)))
    yield little("tar, names differ in normal form", "tar", tar(
        entry("\u00e9.tf", FILE), entry("e\u0301.tf", b"locals {\n b=1\n}\n"), layout=tarfile.PAX_FORMAT))
    yield little("tar, a file below a file", "tar", tar(entry("a", FILE), entry("a/b.tf", FILE)))
    yield little("tar, cut in a file", "tar", tar(entry("main.tf", FILE * 100))[:700])
    yield little("tar, cut in a header", "tar", plain[:300])
    yield little("tar without an end mark", "tar", plain[:1024])
    yield little("tar with bytes after it", "tar", plain + b"garbage" * 1000)
    yield little("tar after tar", "tar", plain + tar(entry("b.tf", b"locals {\n b=1\n}\n")))
    for name, pax in (("a size of twenty digits", {"size": "9" * 20}), ("size 0", {"size": "0"}),
                      ("a path outside", {"path": "../../etc/x.tf"}), ("a huge link", {"linkpath": "x" * 100_000}),
                      ("a sparse map", {"GNU.sparse.major": "1", "GNU.sparse.minor": "0",
                                        "GNU.sparse.realsize": "99999999999", "GNU.sparse.name": "main.tf"})):
        yield little(f"tar, extended header with {name}", "tar",
                     lambda pax=pax: tar(entry("main.tf", FILE), layout=tarfile.PAX_FORMAT, pax=pax))
    header = main[0].tobuf()
    yield little("tar, a missing file of 8 GB", "tar",
                 header[:124] + b"77777777777\0" + header[136:] + b"\0" * 2048)
    yield little("tar, wrong checksum", "tar", b"x" + plain[1:])


def streams(plain):
    """Damage to the compression around a tar."""
    packed = gzip.compress(plain)
    yield little("tar.gz, cut", "tgz", packed[:60])
    yield little("tar.gz with bytes after it", "tgz", packed + b"garbage")
    yield little("tar.gz in two members", "tgz", gzip.compress(plain[:512]) + gzip.compress(plain[512:]))
    yield little("tar.gz, wrong checksum", "tgz", packed[:-8] + b"\0\0\0\0" + packed[-4:])


def mistaken(plain, plain_zip):
    """One format declared as another, and options out of range."""
    noise = random.Random(1).randbytes(100_000)
    packed = gzip.compress(plain)
    for name, kind, body in (
            ("bz2", "application/x-bzip2", bz2.compress(plain)), ("xz", "application/x-xz", lzma.compress(plain)),
            ("bz2 as gz", "tgz", bz2.compress(plain)), ("xz as tar", "tar", lzma.compress(plain)),
            ("zip as tar", "tar", plain_zip), ("tar as zip", "zip", plain), ("gz as tar", "tar", packed),
            ("json as tar", "tar", b'{"files":{}}'), ("nothing as tar", "tar", b""), ("nothing as zip", "zip", b""),
            ("nothing as gz", "tgz", b""), ("nothing as zst", "zst", b""), ("noise as tar", "tar", noise),
            ("noise as zip", "zip", ZIP_LOCAL + noise), ("noise as gz", "tgz", b"\x1f\x8b\x08\0" + noise),
            ("noise as zst", "zst", b"\x28\xb5\x2f\xfd" + noise),
            ("7z", "application/x-7z-compressed", b"7z\xbc\xaf\x27\x1c" + b"\0" * 100)):
        yield little(name, kind, body)
    for value in ("99999999999", "-1", "1"):
        yield little(f"strip_components={value}", "tar", plain, f"?strip_components={value}")

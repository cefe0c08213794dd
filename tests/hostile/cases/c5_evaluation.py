"""One condition under the default limits, for every function and operator that seemed expensive."""

import base64
import gzip

from terms import BIG, BIG_OTHER_END, condition, million

WIDE = {f"k{at}": 1 for at in range(50_000)}
WIDE_TEXTS = {f"k{at}": "s" for at in range(50_000)}
TEXTS = [f"a{at:06d}" for at in range(100_000)]
MIXED = [at if at % 2 else str(at) for at in range(100_000)]
LONG = "x" * 1_000_000

# Name, expression for a loop with a million iterations, values.
LOOPS = [
    ("equal strings of 10 MB", "var.b == var.c", {"b": BIG, "c": BIG_OTHER_END}),
    ("equal lists of 100000", "var.b == var.c", {"b": TEXTS, "c": TEXTS[:-1] + ["z"]}),
    ("unified objects", "(true ? var.b : var.c).k1", {"b": WIDE, "c": WIDE_TEXTS}),
    ("unified tuples", "(true ? var.b : var.c)[0]", {"b": MIXED, "c": TEXTS}),
    ("attribute", "var.b.k40000", {"b": WIDE}),
    ("attribute by index", 'var.b["k40000"]', {"b": WIDE}),
    ("lookup", 'lookup(var.b,"k40000",1)', {"b": WIDE}),
    ("length of an object", "length(var.b)", {"b": WIDE}),
    ("length of 10 MB", "length(var.b)", {"b": BIG}),
    ("contains", 'contains(var.b,"zz")', {"b": TEXTS}),
    ("alltrue", "alltrue(var.b)", {"b": [True] * 100_000}),
    ("element", "element(var.b,7)", {"b": MIXED}),
    ("one", "one(var.b)", {"b": MIXED}),
    ("slice", "slice(var.b,0,0)", {"b": MIXED}),
    ("substr at the end", "substr(var.b,9999990,1)", {"b": BIG}),
    ("substr from the end", "substr(var.b,-1,1)", {"b": BIG}),
    ("startswith", "startswith(var.b,var.c)", {"b": BIG, "c": BIG_OTHER_END}),
    ("strcontains", "strcontains(var.b,var.c)", {"b": BIG, "c": "xxxxy"}),
    ("trimprefix", "trimprefix(var.b,var.c)", {"b": BIG, "c": BIG_OTHER_END}),
    ("upper", "upper(var.b)", {"b": BIG}),
    ("try", "try(var.b.zz, var.b.z, 1)", {"b": WIDE}),
    ("can", "can(var.b.k49999x)", {"b": WIDE}),
    ("keys", "length(keys(var.b))", {"b": WIDE}),
    ("merge", "length(merge(var.b,var.b))", {"b": WIDE}),
    ("join", 'join("",var.b)', {"b": MIXED}),
    ("coalesce", "coalesce(var.b,var.c)", {"b": WIDE, "c": WIDE_TEXTS}),
    ("coalescelist", "coalescelist(var.b,var.b)", {"b": MIXED}),
    ("tolist", "tolist(var.b)", {"b": MIXED}),
    ("toset", "toset(var.b)", {"b": TEXTS}),
    ("format to 10 MB", 'format("%9999999s","x")', None),
    ("format to a million decimals", 'format("%.999999f",1.5)', None),
    ("regex", 'regex("(a|b|c)+d?", "abcabc")', None),
    ("regex of a wide class", 'can(regex("(\\\\pL|[a-z]){20}", "a"))', None),
    ("cidrhost", 'cidrhost("10.0.0.0/8",j)', None),
    ("jsonencode", "jsonencode(var.b)", {"b": WIDE}),
    ("bcrypt", 'bcrypt("x",10)', None),
    ("1e999999 % 7", "1e999999 % 7", None),
    ("product of 2000 digits", "var.b*var.b", {"b": int("9" * 2000)}),
    ("sha512", "sha512(var.b)", {"b": "x" * 100_000}),
    ("base64gzip", "base64gzip(var.b)", {"b": "x" * 100_000}),
]

ALIASES = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"a{at}: &a{at} [{','.join([f'*a{at - 1}'] * 9)}]\n" for at in range(1, 20))
MERGES = "a0: &a0 {x: 1}\n" + "".join(
    f"a{at}: &a{at}\n  <<: [{','.join([f'*a{at - 1}'] * 9)}]\n  k{at}: *a{at - 1}\n" for at in range(1, 20))

YAML = [
    ("aliases of aliases", ALIASES), ("merges of merges", MERGES), ("a million lists", "[" * 1_000_000),
    ("4000 mappings", "".join(" " * at + "a:\n" for at in range(4000))), ("a million dashes", "- " * 1_000_000),
    ("a million anchors", "".join(f"- &a{at} x\n" for at in range(1_000_000))),
    ("a million keys", "".join(f"k{at}: 1\n" for at in range(1_000_000))), ("500000 complex keys", "? " * 500_000),
    ("a long quoted text", '"' + "\\n\n" * 3_000_000 + '"'), ("a mapping without end", "{a" + ",a" * 2_000_000),
    ("keys of keys in brackets", ("[" * 250 + "a" + "]:1" * 250 + "\n- ") * 1500),
    ("keys in long lines", ("[" + "a:," * 330 + "\n") * 2000), ("aliases of one list", "- &a [x]\n" + "- *a\n" * 1_000_000),
    ("merges in a row", "- &a {" + ",".join(f"k{at}: 1" for at in range(1000)) + "}\n- {"
     + ",".join(["<<: *a"] * 20_000) + "}"),
    ("a scalar of a million lines", "|\n" + " x\n" * 2_000_000), ("a million empty lines", ">\n" + "\n" * 3_000_000 + " x"),
    ("a million tags", "- !!str x\n" * 700_000), ("a long handle", "%TAG ! tag:" + "x" * 1_000_000 + "\n---\n" + "- !y x\n" * 5000),
    ("2 million keys on a line", "a: " * 2_000_000), ("a key of 2 million lines", "[" + "a\n" * 2_000_000)]

# Name, condition, values.
ONCE = [
    ("distinct of 580 long strings", 'length(distinct([for i in range(580): "${var.b}${i}"])) > 0', {"b": LONG}),
    ("toset of 580 long strings", 'length(toset([for i in range(580): "${var.b}${i}"])) > 0', {"b": LONG}),
    ("sort of 580 long strings", 'length(sort([for i in range(580): "${var.b}${i}"])) > 0', {"b": LONG}),
    ("sort of one string of 10 MB 1000 times", "length(sort([for i in range(1000): var.b])) > 0", {"b": BIG}),
    ("distinct of two strings of 10 MB", "length(distinct([for i in range(1000): i%2==0?var.b:var.c])) > 0",
     {"b": BIG, "c": BIG_OTHER_END}),
    ("toset of two strings of 10 MB", "length(toset([for i in range(1000): i%2==0?var.b:var.c])) > 0",
     {"b": BIG, "c": BIG_OTHER_END}),
    ("index of 10 MB", "index([for i in range(1000): var.b], var.c) > 0", {"b": BIG, "c": BIG_OTHER_END}),
    ("contains 10 MB", "contains([for i in range(1000): var.b], var.c)", {"b": BIG, "c": BIG_OTHER_END}),
    ("distinct of 100000", "length(distinct(var.b)) > 0", {"b": TEXTS}),
    ("format to 40 MB", 'length(format("%9999999s%9999999s%9999999s%9999999s","x","x","x","x")) > 0', None),
    ("replace every byte by a megabyte", 'length(replace(var.b,"x",var.b)) > 0', {"b": LONG}),
    ("replace between all bytes", 'length(replace(var.b,"",var.c)) > 0', {"b": LONG, "c": "y" * 100_000}),
    ("join by 10 MB", "length(join(var.b,range(1000))) > 0", {"b": BIG}),
    ("regex (a+)+", 'can(regex("^(a+)+$", var.b))', {"b": "a" * 1_000_000 + "b"}),
    ("regex of nested counts", 'can(regex("((((a{1,100}){1,100}){1,100}){1,100})", var.b))',
     {"b": "a" * 1_000_000 + "b"}),
    ("regex of letters of all scripts", 'can(regex("(\\\\pL{1,1000}){1,1}[^x]*\\\\pN{1000}", var.b))',
     {"b": "é" * 1_000_000}),
    ("regexall to the end", 'length(regexall("[^b]*b", var.b)) >= 0', {"b": "a" * 3_000_000}),
    ("regexall of all suffixes", 'length(regexall(".*[^A-Z]|[A-Z]", var.b)) >= 0', {"b": "A" * 300_000}),
    ("regex of 600 KB", 'can(regex(var.b, "x"))', {"b": "(a|b)*" * 100_000}),
    ("regex of 100000 alternatives", "can(regex(var.b, var.b))", {"b": "|".join(f"a{at}" for at in range(100_000))}),
    ("regex of 500000 groups in one another", 'can(regex(var.b, "x"))', {"b": "(" * 500_000 + ")" * 500_000}),
    ("regex of 50000 named groups", 'can(regex(var.b, "x"))',
     {"b": "".join(f"(?P<g{at}>a)" for at in range(50_000))}),
    ("cidrsubnets of 1000", 'length(cidrsubnets("10.0.0.0/8",[for i in range(1000):16]...)) > 0', None),
    ("cidrsubnets of a million",
     'length(cidrsubnets("fd00::/8",flatten([for i in range(1000):[for j in range(1000):1]])...)) > 0', None),
    ("jsondecode of a million levels", "length(jsondecode(var.b)) > 0", {"b": "[" * 1_000_000 + "]" * 1_000_000}),
    ("jsondecode of 9000 levels", "length(jsondecode(var.b)) > 0", {"b": "[" * 9000 + "]" * 9000}),
    ("jsondecode of 9 million numbers", "length(jsondecode(var.b)) > 0", {"b": "[" + "1," * 9_000_000 + "1]"}),
    ("csvdecode of 5 million rows", "length(csvdecode(var.b)) > 0", {"b": "a\n" + "1\n" * 5_000_000}),
    ("csvdecode of 500000 columns", "length(csvdecode(var.b)) > 0",
     {"b": ",".join(f"c{at}" for at in range(500_000)) + "\n" + "," * 499_999 + "\n"}),
    ("csvdecode of 1000 columns and 10000 rows", "length(csvdecode(var.b)) > 0",
     {"b": ",".join(f"c{at}" for at in range(1000)) + "\n" + ("," * 999 + "\n") * 10_000}),
    ("bcrypt of cost 31", 'length(bcrypt("x",31)) > 0', None),
    ("bcrypt of cost 14", 'length(bcrypt("x",14)) > 0', None),
    ("parseint of 9 MB", "parseint(var.b,62) > 0", {"b": "z" * 9_000_000}),
    ("parseint of 300 KB", "parseint(var.b,36) > 0", {"b": "z" * 300_000}),
    ("tonumber of 9 million digits", "tonumber(var.b) > 0", {"b": "9" * 9_000_000}),
    ("tonumber of 9 million decimals", "tonumber(var.b) > 0", {"b": "0." + "9" * 9_000_000}),
    ("tonumber of digits that cancel out", "tonumber(var.b) > 0", {"b": "9" * 9_000_000 + "e-4500000"}),
    ("pow(2,1000000000)", "pow(2,1000000000) > 0", None),
    ("pow of almost one", "pow(1.0000001,1000000000000) > 0", None),
    ("pow(2,0.5)", "pow(2,0.5) > 0", None),
    ("log", "log(1e300000,2) > 0", None),
    ("1e99999999 % 7", "1e99999999 % 7 == 1", None),
    ("1e9999999 / 3", "1e9999999 / 3 == 1", None),
    ("1e9999999 - 1", "1e9999999 - 1 == 1", None),
    ("floor(1e9999999+0.5)", "floor(1e9999999+0.5) == 1", None),
    ("formatdate of 5 MB", 'length(formatdate(var.b,"2020-01-01T00:00:00Z")) > 0', {"b": "EEEE " * 1_000_000}),
    ("strrev of one character of 10 MB", "length(strrev(var.b)) > 0", {"b": "\u0301" * 5_000_000}),
    ("title of 10 MB", "length(title(var.b)) > 0", {"b": "a " * 5_000_000}),
    ("chunklist", "length(chunklist(var.b,1)) > 0", {"b": MIXED}),
    ("transpose", "length(transpose(var.b)) > 0",
     {"b": {f"k{at}": [f"a{one}" for one in range(300)] for at in range(300)}}),
    ("flatten of 2 million", "length(flatten([for a in range(1000):[for b in range(1000):[1,1]]])) > 0", None),
    ("matchkeys", "length(matchkeys(var.b,var.b,var.b)) > 0", {"b": TEXTS}),
    ("setsubtract", "length(setsubtract(var.b,var.b)) >= 0", {"b": TEXTS}),
    ("zipmap", "length(zipmap(var.b,var.b)) > 0", {"b": TEXTS}),
    ("textdecodebase64", 'length(textdecodebase64(var.b,"gb18030")) > 0',
     {"b": base64.b64encode(b"\x81\x30\x81\x30" * 2_000_000).decode()}),
    ("templatestring", "length(templatestring(var.b,{x=1})) > 0", {"b": "${x}" * 1_000_000}),
    ("1000 unknown functions", "true && " + "||".join("uppr(1)" for _ in range(1000)), None),
    ("strings of strings", "length([for a in [for s in [for q in [\"${var.b}${var.b}${var.b}${var.b}\"]: "
     "\"${q}${q}${q}${q}\"]: \"${s}${s}${s}${s}\"]: \"${a}${a}${a}\"]) > 0", {"b": LONG}),
]


def cases():
    """Loops, single calls, YAML, and functions that read files."""
    for name, term, values in LOOPS:
        yield condition(f"{name}, a million turns", million(term), values)
    for name, text, values in ONCE:
        yield condition(name, text, values)
    for name, text in YAML:
        yield condition(f"yamldecode of {name}", "can(yamldecode(var.b))", {"b": text})
    bomb = base64.b64encode(gzip.compress(b"\0" * 100_000_000, 9)).decode()
    yield condition("base64gunzip of 100 MB", "length(base64gunzip(var.b)) > 0", {"b": bomb}, dialect="opentofu")
    yield condition("a template that calls itself", 'length(templatefile("${path.module}/t.tpl",{x=1})) > 0',
                    files={"t.tpl": '${templatefile("t.tpl",{x=1})}'})
    deep = {"a/" * 30 + f"f{at}": "" for at in range(20_000)}
    yield condition("fileset of many stars in 20000 files",
                    'length(fileset(path.module,"**/**/**/**/**/**/**/**/**/*x*x*x*x")) >= 0', files=deep)
    long = {"a" * 200 + str(at): "" for at in range(1000)}
    for name, pattern in (("nested braces", "{a,aa," * 50 + "}" * 50 + "*"), ("100 stars", "*a" * 100 + "b")):
        yield condition(f"fileset of {name}", f'length(fileset(path.module,"{pattern}")) >= 0', files=long)
    for function in ("file", "filesha512"):
        yield condition(f"{function} of 5 MB, a million turns", million(f'{function}("f")'),
                        files={"f": "x" * 5_000_000})

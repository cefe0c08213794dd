"""Operations that process a lot of data in one step of a loop."""

from terms import BIG, BIG_OTHER_END, condition, turns


def cases():
    """Each operation alone, in a loop with as many iterations as a budget of cheap steps would allow."""
    wide, wide_texts = {f"k{at}": 1 for at in range(50_000)}, {f"k{at}": "s" for at in range(50_000)}
    for name, term, values, count in (
            ("nothing", "1", {"b": wide}, 1000),
            ("unified objects", "(true ? var.b : var.c).k1", {"b": wide, "c": wide_texts}, 1000),
            ("try", "try(var.b.zz,1)", {"b": wide}, 1000),
            ("can", "can(var.b.zz)", {"b": wide}, 1000),
            ("strcontains", "strcontains(var.b,var.c)", {"b": BIG, "c": "xxxxy"}, 1000),
            ("startswith", "startswith(var.b,var.c)", {"b": BIG, "c": BIG_OTHER_END}, 1000),
            ("endswith", "endswith(var.b,var.c)", {"b": BIG, "c": "y" + BIG[1:]}, 1000),
            ("number of 100000 digits", "9" * 100_000, None, 1000),
            ("number of a million digits", "9" * 1_000_000, None, 1000),
            ("missing index", "try(var.b[100000000],1)", {"b": list(range(100_000))}, 1000),
            ("regex", 'regex("(a|b|c)+d?","abcabc")', None, 1000),
            ("1e999999 % 7", "1e999999 % 7", None, 1000),
            ("1e9999 % 1e-9999", "1e9999 % 1e-9999", None, 1000),
            ("far comparison", "1e999999999 > 1e-999999999", None, 1000),
            ("far sum", "1e999999999 + 1e-99999999", None, 1000),
            ("floor", "floor(1e9999999+0.5)", None, 1000),
            ("ceil", "ceil(1e-99999999)", None, 1000),
            ("format %d", 'format("%d",1e99999)', None, 1000),
            ("tostring", "tostring(1e1999990)", None, 1000),
            ("abs", "abs(1e99999)", None, 1000),
            ("parseint", f'parseint("{"z" * 20_000}",36)', None, 1000),
            ("pow", "pow(1.1,1e9)", None, 1000),
            ("log", "log(1e1000000,2)", None, 1000)):
        yield condition(f"{name}, {count} turns", turns(count, term), values)

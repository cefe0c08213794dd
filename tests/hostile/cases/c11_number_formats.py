"""Numbers of millions of digits in every function that writes, compares or counts with them: 250 bytes each."""

from terms import condition, turns

NUMBERS = ("1e1999990", "1e-1999990", "1e200000000", "1e-200000000")
VERBS = ("d", "x", "b", "o", "e", "f", "g", "s", "v", "#v", ".1000000f", ".1000000e", ".1f", "5d")
TERMS = (
    "1e200000000 == 1e200000000", "tostring(1e-1999990)", "jsonencode(1e1999990)", "1e600000 * 1e600000 % 7",
    "1e1000000 / 1e-1000000", "pow(10,1000000)", "pow(1e100000,100)", "floor(1e-1999990)", "1e2000000 - 1e1999999",
    "1e100000000 % 3", "123456789123456789e100000000 % 987654321987654321", "range(1e1000000,1e1000000+1)",
    'parseint(format("%d",1e99999),10)', 'cidrhost("10.0.0.0/8",1e1000000)', "element([1,2,3],1e1000000)",
    'substr("abc",1e1000000,1)', "signum(1e1000000)", "max(1e1000000,1e1000001)", "sum([1e1000000,1e-1000000])",
    "toset([1e1000000,1e-1000000,1e1000001])", '{"${1e1999990}"=1}', '"${1e-1999990}"')


def cases():
    """All verbs of `format` with all numbers, then the terms."""
    for verb in VERBS:
        yield condition(f'20 of format("%{verb}",1e99999)', turns(20, f'format("%{verb}",1e99999)'))
        for number in NUMBERS:
            term = f'format("%{verb}",{number})'
            yield condition(term, turns(1, term), quick=verb in "dfv")
    for term in TERMS:
        yield condition(term, turns(1, term))

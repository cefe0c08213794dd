"""Everything that one budget can buy, in requests of less than 400 bytes."""

from terms import condition, million


def cases():
    """A million iterations of each."""
    for term in ('format("%d",1e99999)', 'format("%5d",1e19999)', 'format("%.9999f",1e9999)',
                 'regex("(a|b|c)+d?","abcabc")', "1e999999 % 7", 'parseint("zzzzzzzzzzzzzzzzzzzzzzzzzzzz",36)',
                 'timeadd("2020-01-01T00:00:00Z","1h")'):
        yield condition(f"a million of {term}", million(term))
    yield condition("a product of a million", "length([for x in setproduct(range(1000),range(1000)): x]) > 0")
    yield condition("a product of a million, times none", "length(setproduct(range(1000),range(1000),[])) > 0")

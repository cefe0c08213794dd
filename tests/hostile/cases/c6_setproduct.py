"""A product with an empty factor is empty, and must not cost more than that."""

from terms import condition


def cases():
    """Products with and without an empty factor."""
    yield condition("product of a billion, times none",
                    "length(setproduct(range(1000),range(1000),range(1000),[])) >= 0")
    yield condition("product of none, times a billion",
                    "length(setproduct([],range(1000),range(1000),range(1000))) >= 0")
    yield condition("product of a billion", "length(setproduct(range(1000),range(1000),range(1000))) > 0")

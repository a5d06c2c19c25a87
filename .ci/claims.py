"""How the checks written in Python say what holds."""

import sys


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def hold(claims, hint=1):
    """Says of every claim, in order, whether it holds. Ends the process: with `hint` if one does not."""
    failed = 0
    for claim in claims:
        try:
            claim()
            print(f"ok   {claim.__name__}")
        except Exception as error:
            failed += 1
            print(f"FAIL {claim.__name__}: {type(error).__name__} {error}")
    sys.exit(hint if failed else 0)

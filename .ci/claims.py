"""A minimal test runner for the checks written in Python."""

import sys


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def hold(claims, hint=1):
    """Runs every claim in order, prints the result of each, and exits. If one failed, the exit status is 1,
    and `hint` is printed if it is a text."""
    failed = 0
    for claim in claims:
        try:
            claim()
            print(f"ok   {claim.__name__}")
        except Exception as error:
            failed += 1
            print(f"FAIL {claim.__name__}: {type(error).__name__} {error}")
    sys.exit(hint if failed else 0)

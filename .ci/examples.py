"""Runs the programs of examples/ against a running server, as their README says.

usage: examples.py LOCAL_JSON

Each must succeed with a key of the tier that it needs, and be refused with one of the tier below. Every address that it prints must
answer, and a list of companies must have as many as the line says.
"""

import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.request

from claims import check, hold

LOCAL = json.load(open(sys.argv[1]))
EXAMPLES = pathlib.Path("examples")
TIERS = ["free", "starter", "professional", "enterprise"]
# Lines that each must print: the start, and for lists what follows.
LINES = {
    "market_overview.py": ["Legal forms in ZG", "  All companies ", "  Aktiengesellschaft ", "Median capital", "Largest capital"],
    "audit_market.py": ["Audit firms in ZH", "  BDO AG ", "  (without an audit) ", "Companies that may change", "Companies that may need"],
    "due_diligence.py": ["Ostvera Energie AG ", "Officers", "Beneficial owners", "Sanctions", "  clear: 0 hits", "Risk ", "Newest changes"],
    "risk_watch.py": ["Watched companies: ", "low ", "  board: ", "Unread notifications: "],
}


def documented():
    """The arguments and the tier of each program."""
    rows = re.findall(r"^\| `(\S+) ([^`]*)` \|.*\| `(\w+)` \|$", (EXAMPLES / "README.md").read_text(), re.M)
    return {program: (arguments.replace("…", "").split(), tier) for program, arguments, tier in rows}


def below(tier):
    return TIERS[TIERS.index(tier) - 1]


def run(program, arguments, tier):
    environment = os.environ | {"GOTTHARD_URL": LOCAL["url"], "GOTTHARD_KEY": LOCAL["keys"][tier]}
    command = [sys.executable, EXAMPLES / program, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


# The lowest tier allows few analyses an hour.
@functools.cache
def answer(url, tier):
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {LOCAL['keys'][tier]}"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def check_addresses(line, tier):
    for url in re.findall(rf"{LOCAL['url']}\S+", line):
        body = answer(url, tier)
        count = re.search(r"  ([\d,]+)(?:\s+[\d.]+ %)?  http", line)
        if "/companies?" in url and count:
            check(body["total"] == int(count[1].replace(",", "")), f"{line}: {body['total']} companies")


def example(program):
    arguments, tier = documented()[program]
    result = run(program, arguments, tier)
    check(result.returncode == 0 and not result.stderr, result.stderr)
    lines = result.stdout.splitlines()
    for start in LINES[program]:
        check(any(it.startswith(start) for it in lines), f"no line starts with {start!r}:\n{result.stdout}")
    for line in lines:
        check_addresses(line, tier)
    refused = run(program, arguments, below(tier))
    check(refused.returncode != 0 and "Forbidden" in refused.stderr, f"with a key of a lower tier: {refused}")


def all_examples_are_documented():
    files = {it.name for it in EXAMPLES.glob("*.py")}
    check(files == documented().keys() == LINES.keys(), f"{files}, documented: {documented().keys()}")


def market_overview():
    example("market_overview.py")


def audit_market():
    example("audit_market.py")


def due_diligence():
    example("due_diligence.py")


def risk_watch():
    example("risk_watch.py")
    arguments, tier = documented()["risk_watch.py"]
    for each in (tier, below(tier)):
        stopped = run("risk_watch.py", ["--stop", *arguments], each)
        check(stopped.returncode == 0 and not any(it in stopped.stdout for it in arguments), f"{stopped.stdout}{stopped.stderr}")


hold([all_examples_are_documented, market_overview, audit_market, due_diligence, risk_watch])

"""Checks that COSTS.md is what benches/costs.py prints, and that each price says where it is to be checked.

usage: python3 .ci/costs_test.py
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benches"))

import costs
from claims import check, hold


def the_page_is_what_the_script_prints():
    page = (ROOT / "COSTS.md").read_text()
    check(page == "\n".join(costs.lines()) + "\n", "run `python3 benches/costs.py > COSTS.md`")


def every_price_has_a_page_and_a_date():
    for name, (price, page, source) in costs.PRICES.items():
        check(price > 0, name)
        check(re.fullmatch(r"https://aws\.amazon\.com/[a-z0-9/-]+/", page), (name, page))
        check(source == costs.REMEMBERED or re.fullmatch(r"\d{4}-\d\d-\d\d", source), (name, source))
        check(f"<{page}> | {source} |" in (ROOT / "COSTS.md").read_text(), name)


def every_price_is_used():
    used = {"request of an HTTP API"}
    for column in costs.COLUMNS.values():
        for quantities in [*costs.month(**column).values(), *costs.options(column["requests"]).values()]:
            check(all(it >= 0 for it in quantities.values()), quantities)
            used |= quantities.keys()
    check(used == costs.PRICES.keys(), used ^ costs.PRICES.keys())


def figures_have_two_significant_digits():
    expected = {0: "0", 0.0004: "< 0.001", 0.0087: "0.0087", 0.999: "1.0", 1.04: "1.0", 9.96: "10", 10.4: "10", 104: "100", 866: "870"}
    found = {it: costs.figure(it) for it in expected}
    check(found == expected, found)


def the_first_request_of_a_second_is_traced_and_a_twentieth_of_the_others():
    shares = [round(costs.traced(it * costs.SECONDS) / it / costs.SECONDS, 3) for it in (0.001, 1, 1_000)]
    check(shares == [1.0, 0.651, 0.051], shares)


def parts_of_the_template_are_counted():
    counted = costs.STACK
    text = (ROOT / "template.yaml").read_text()
    types = {"filters": "AWS::Logs::MetricFilter", "secrets": "AWS::SecretsManager::Secret", "queues": "AWS::Lambda::EventSourceMapping"}
    for name, of_type in types.items():
        check(counted[name] == text.count(f"Type: {of_type}\n") > 0, name)
    check(counted["alarms"] > text.count("Type: AWS::CloudWatch::Alarm\n"), "some alarms watch several metrics")


def functions_that_read_have_the_smallest_memory_that_reaches_the_goals():
    found = costs.STACK["readers"]
    check(set(found.values()) == {costs.smallest_memory()}, (found, costs.smallest_memory()))
    # A processor that is not whole takes longer; more than one does not help a single thread.
    check(costs.seconds(costs.PROCESSOR / 2, 1, 1) == 3, "half a processor")
    check(costs.seconds(costs.PROCESSOR * 2, 1, 1) == 2, "two processors")


hold(
    [
        the_page_is_what_the_script_prints,
        every_price_has_a_page_and_a_date,
        every_price_is_used,
        figures_have_two_significant_digits,
        the_first_request_of_a_second_is_traced_and_a_twentieth_of_the_others,
        parts_of_the_template_are_counted,
        functions_that_read_have_the_smallest_memory_that_reaches_the_goals,
    ]
)

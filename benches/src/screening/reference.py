"""Prints the seconds that nomenklatura's algorithm logic-v2 needs for a pair of names.

usage: reference.py PAIRS.csv      (the first three columns: kind, name, name)

The entities are made before the time is taken, and every pair has been compared once, so that caches are filled.
"""

import csv
import sys
import time

from followthemoney import model
from nomenklatura.matching import get_algorithm

SCHEMATA = {"person": "Person", "company": "Company", "organisation": "Organization", "vessel": "Vessel"}
ROUNDS = 5


def entity(kind, name, number):
    schema = SCHEMATA.get(kind.lower(), "LegalEntity")
    return model.get_proxy({"id": f"e{number}", "schema": schema, "properties": {"name": [name]}})


algorithm = get_algorithm("logic-v2")
config = algorithm.default_config()
with open(sys.argv[1], encoding="utf-8") as file:
    rows = [row[:3] for row in csv.reader(file)][1:]
pairs = [(entity(kind, one, 2 * at), entity(kind, other, 2 * at + 1)) for at, (kind, one, other) in enumerate(rows)]
for one, other in pairs:
    algorithm.compare(one, other, config)
started = time.perf_counter()
for _ in range(ROUNDS):
    for one, other in pairs:
        algorithm.compare(one, other, config)
print((time.perf_counter() - started) / (ROUNDS * len(pairs)))

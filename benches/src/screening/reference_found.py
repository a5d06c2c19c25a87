"""Prints the share of each group of names that nomenklatura's algorithm logic-v2 finds at 0.7.

usage: reference_found.py PAIRS.csv      (columns: group, name, listed name)

A name that has several rows is found if one of them has the score.
"""

import csv
import sys
from collections import defaultdict

from followthemoney import model
from nomenklatura.matching import get_algorithm

algorithm = get_algorithm("logic-v2")
config = algorithm.default_config()
entities = {}


def entity(name):
    if name not in entities:
        entities[name] = model.get_proxy({"id": f"e{len(entities)}", "schema": "Person", "properties": {"name": [name]}})
    return entities[name]


found = defaultdict(dict)
with open(sys.argv[1], encoding="utf-8") as file:
    for number, (group, name, listed) in enumerate(list(csv.reader(file))[1:]):
        # Of disturbed names, each row is a name of its own.
        key = name if group.startswith("unlisted") else number
        is_found = algorithm.compare(entity(name), entity(listed), config).score >= 0.7
        found[group][key] = found[group].get(key, False) or is_found
for group, names in found.items():
    print(f"{group}\t{sum(names.values()) / len(names)}")

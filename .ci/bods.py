"""Checks the statements that `shared/rules/ownership` writes with libcovebods, the reference implementation of the Beneficial
Ownership Data Standard: the schema of version 0.4, its further rules, and members that the schema does not know.

    pip install libcovebods==0.16.0
    python .ci/bods.py

libcovebods fetches the list of schemes of identifiers from org-id.guide. So that the check works offline, it gets a list with
the scheme that we use.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from libcovebods import additionalfields, config, data_reader, jsonschemavalidate, run_tasks, schema
from libcovebods.tasks.checks import legacy_checks, record_based_checks

ROOT = pathlib.Path(__file__).parent.parent
TEST = "bods::statements_are_written_for_libcovebods"
# The prefix of legal entity identifiers at org-id.guide.
SCHEMES = ["XI-LEI"]
for module in (legacy_checks, record_based_checks):
    module.get_orgids_prefixes = lambda: SCHEMES


def written(folder):
    """The documents that the test writes: lists of statements."""
    file = folder / "statements.json"
    subprocess.run(
        ["cargo", "test", "--quiet", "-p", "ownership", "--test", "it", "--", "--ignored", "--exact", TEST],
        cwd=ROOT, env=os.environ | {"BODS_FILE": str(file)}, check=True, stdout=subprocess.DEVNULL,
    )
    return json.loads(file.read_text())


def problems(file):
    """What is wrong with the statements in a file."""
    reader = data_reader.DataReader(str(file))
    settings = config.LibCoveBODSConfig()
    standard = schema.SchemaBODS(reader, settings)
    if standard.schema_version != "0.4":
        yield f"read as version {standard.schema_version}"
    for error in jsonschemavalidate.JSONSchemaValidator(standard).validate(reader):
        yield error.json()
    checked = run_tasks.process_additional_checks(reader, settings, standard, run_tasks.TASK_CLASSES)
    yield from checked["additional_checks"]
    yield from additionalfields.AdditionalFields(standard).process(reader)


def is_rejected(folder, documents):
    """Whether a statement with an unknown type of interest is rejected. Otherwise, nothing is checked."""
    wrong = json.loads(json.dumps(documents[0]))
    interests = [it["recordDetails"]["interests"] for it in wrong if it["recordDetails"].get("interests")]
    interests[0][0]["type"] = "unheardOf"
    file = folder / "wrong.json"
    file.write_text(json.dumps(wrong))
    return any(problems(file))


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    documents = written(folder)
    found = []
    for number, document in enumerate(documents):
        file = folder / f"{number}.json"
        file.write_text(json.dumps(document))
        found += [(number, problem) for problem in problems(file)]
    for number, problem in found:
        print(f"document {number}: {problem}")
    if found or not documents:
        sys.exit("libcovebods does not accept the statements")
    if not is_rejected(folder, documents):
        sys.exit("libcovebods accepts an unknown type of interest: the check does not work")
    print(f"{sum(map(len, documents))} statements in {len(documents)} documents are valid")

"""Copies all items of a restored table into a table of the stack, and checks that they arrived.

usage: python .ci/restore.py FROM TO [exact]      (needs boto3)

Backups of DynamoDB are restored as a new table, without the settings of the old one. The functions and their permissions
know only the tables of the stack, so the items are put there. Items of TO that FROM does not have are kept, except with `exact`.

The lists of erasures only grow, also with `exact`: what was erased must not come back. Entries of TO are never replaced, those that
only FROM has are added, and the search for what is left starts again. Afterwards, always run `cargo run -- apply-erasures`
(see DEPLOYING.md), whichever table was restored: the list of companies and persons is in the registry, and applies to the tenants too.
"""

import sys

import boto3

tables = boto3.resource("dynamodb")

# The list of erased companies and persons (registry), erasures that are not finished, and the search for them (tenants), as in
# shared/store/src/keys.rs.
ERASED, ERASING, SWEEP = "ERASED", "ERASING", "SWEEP"
# The key of the hashes in a list.
HASH_KEY = "HASH-KEY"


def items(name):
    pages = tables.meta.client.get_paginator("scan").paginate(TableName=name, ConsistentRead=True)
    return (item for page in pages for item in page["Items"])


def copy(source, target):
    """Returns the number of items. May be started again after a failure."""
    count, table = 0, tables.Table(target)
    check_hash_keys(source, target)
    # What was searched contains restored items now.
    table.delete_item(Key={"pk": ERASING, "sk": SWEEP})
    with table.batch_writer() as writer:
        for item in items(source):
            if not is_search(item) and not (is_erasure(item) and find(table, item)):
                writer.put_item(Item=item)
                count += 1
    return count


def key(item):
    return {"pk": item["pk"], "sk": item["sk"]}


def find(table, item):
    return table.get_item(Key=key(item), ConsistentRead=True).get("Item")


def is_erasure(item):
    """Whether an item is in a list of erasures, or says that one is not finished."""
    return item["pk"].startswith(f"{ERASED}#") or item["pk"] in (ERASED, ERASING)


def is_search(item):
    """Whether an item says how far the table was searched."""
    return item["pk"] == ERASING and item["sk"] == SWEEP


def check_hash_keys(source, target):
    """Entries that were hashed with another key would find nothing."""
    for pk in (ERASED, f"{ERASED}#KEY"):
        keys = [find(tables.Table(name), {"pk": pk, "sk": HASH_KEY}) for name in (source, target)]
        if all(keys) and keys[0]["document"] != keys[1]["document"]:
            sys.exit(f"{source} and {target} have lists of erasures with different keys, of which only one could be applied")


def delete_others(source, target):
    """Deletes the items of `target` that `source` does not have, except the list of erasures. Returns their number."""
    table, count = tables.Table(source), 0
    with tables.Table(target).batch_writer() as writer:
        for item in items(target):
            if not is_erasure(item) and not find(table, item):
                writer.delete_item(Key=key(item))
                count += 1
    return count


def missing(source, target):
    """Keys of items that are not in `target` as they are in `source`; of a list of erasures, those that are missing."""
    table = tables.Table(target)
    for item in items(source):
        found = find(table, item)
        if not is_search(item) and found != item and not (found and is_erasure(item)):
            yield key(item)


if __name__ == "__main__":
    source, target, *options = sys.argv[1:]
    assert options in ([], ["exact"]), __doc__
    print(copy(source, target), "items copied")
    if options:
        print(delete_others(source, target), "newer items deleted")
    lost = list(missing(source, target))
    print("what was erased since the backup is in the table again: run `cargo run -- apply-erasures` now (see DEPLOYING.md)")
    sys.exit(f"{len(lost)} items differ, such as {lost[0]}" if lost else 0)

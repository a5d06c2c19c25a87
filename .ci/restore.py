"""Copies all items of a restored table into a table of the stack, and checks that they arrived.

usage: python .ci/restore.py FROM TO [exact]      (needs boto3)

Backups of DynamoDB are restored as a new table, without the settings of the old one. The functions and their permissions
know only the tables of the stack, so the items are put there. Items of TO that FROM does not have are kept, except with `exact`.

The lists of erasures are never replaced by older ones, also with `exact`: what was erased after the backup must not come back. Erase it
again afterwards, with `cargo run -- apply-register-erasures` for the registry and `apply-erasures` for the tenants (see DEPLOYING.md).
"""

import sys

import boto3

tables = boto3.resource("dynamodb")

# The list of erased companies and persons (registry), and erasures that are not finished (tenants): shared/store/src/keys.rs.
ERASED, ERASING = "ERASED", "ERASING"


def items(name):
    pages = tables.meta.client.get_paginator("scan").paginate(TableName=name, ConsistentRead=True)
    return (item for page in pages for item in page["Items"])


def copy(source, target):
    """Returns the number of items. May be started again after a failure."""
    count, table = 0, tables.Table(target)
    with table.batch_writer() as writer:
        for item in items(source):
            is_older = item["pk"] == ERASED and "Item" in table.get_item(Key=key(item), ConsistentRead=True)
            # That of the target is newer: an erasure that was finished since would start again, with less.
            if not is_older and item["pk"] != ERASING:
                writer.put_item(Item=item)
                count += 1
    return count


def key(item):
    return {"pk": item["pk"], "sk": item["sk"]}


def is_erasure(item):
    """Whether an item is in a list of erasures, or says that one is not finished."""
    return item["pk"].startswith(f"{ERASED}#") or item["pk"] in (ERASED, ERASING)


def delete_others(source, target):
    """Deletes the items of `target` that `source` does not have, except the list of erasures. Returns their number."""
    table, count = tables.Table(source), 0
    with tables.Table(target).batch_writer() as writer:
        for item in items(target):
            if not is_erasure(item) and "Item" not in table.get_item(Key=key(item), ConsistentRead=True):
                writer.delete_item(Key=key(item))
                count += 1
    return count


def missing(source, target):
    """Keys of items that are not in `target` as they are in `source`."""
    table = tables.Table(target)
    for item in items(source):
        if item["pk"] in (ERASED, ERASING):
            continue
        if table.get_item(Key=key(item), ConsistentRead=True).get("Item") != item:
            yield key(item)


if __name__ == "__main__":
    source, target, *options = sys.argv[1:]
    assert options in ([], ["exact"]), __doc__
    print(copy(source, target), "items copied")
    if options:
        print(delete_others(source, target), "newer items deleted")
    lost = list(missing(source, target))
    if any(is_erasure(item) for item in items(target)):
        print("something was erased: run `cargo run -- apply-erasures` (tenants) or `apply-register-erasures` (registry) now")
    sys.exit(f"{len(lost)} items differ, such as {lost[0]}" if lost else 0)

"""Copies all items of a restored table into a table of the stack, and checks that they arrived.

usage: python .ci/restore.py FROM TO [exact]      (needs boto3)

Backups of DynamoDB are restored as a new table, without the settings of the old one. The functions and their permissions
know only the tables of the stack, so the items are put there. Items of TO that FROM does not have are kept, except with `exact`.

The list of erasures (partition `ERASED` of the registry) is not older than TO has it, also with `exact`: what was erased after the
backup must not come back. Apply it afterwards: `cargo run -- apply-register-erasures`.
"""

import sys

import boto3

tables = boto3.resource("dynamodb")

ERASED = "ERASED"


def items(name):
    pages = tables.meta.client.get_paginator("scan").paginate(TableName=name, ConsistentRead=True)
    return (item for page in pages for item in page["Items"])


def copy(source, target):
    """Returns the number of items. May be started again after a failure."""
    count, table = 0, tables.Table(target)
    with table.batch_writer() as writer:
        for item in items(source):
            if item["pk"] == ERASED and "Item" in table.get_item(Key=key(item), ConsistentRead=True):
                continue
            writer.put_item(Item=item)
            count += 1
    return count


def key(item):
    return {"pk": item["pk"], "sk": item["sk"]}


def delete_others(source, target):
    """Deletes the items of `target` that `source` does not have. Returns their number."""
    table, count = tables.Table(source), 0
    with tables.Table(target).batch_writer() as writer:
        for item in items(target):
            if item["pk"] != ERASED and "Item" not in table.get_item(Key=key(item), ConsistentRead=True):
                writer.delete_item(Key=key(item))
                count += 1
    return count


def missing(source, target):
    """Keys of items that are not in `target` as they are in `source`."""
    table = tables.Table(target)
    for item in items(source):
        if item["pk"] == ERASED:
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
    sys.exit(f"{len(lost)} items differ, such as {lost[0]}" if lost else 0)

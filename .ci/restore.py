"""Copies what a restored or retained table or secret contains into the present stack, and checks that it arrived.

usage: python .ci/restore.py FROM TO [exact]         (needs boto3; tables)
       python .ci/restore.py secrets OLD NEW         (stacks)

Backups of DynamoDB are restored as a new table, without the settings of the old one. The functions and their permissions
know only the tables of the stack, so the items are put there. Items of TO that FROM does not have are kept, except with `exact`.

The lists of erasures only grow, also with `exact`: what was erased must not come back. Entries of TO are never replaced, those that
only FROM has are added, and the search for what is left starts again. Afterwards, always run `cargo run -- apply-erasures`
(see DEPLOYING.md), whichever table was restored: the list of companies and persons is in the registry, and applies to the tenants too.

Several processes each read a part of the table (RESTORE_PROCESSES, 8 by default). Whatever fails may be started again: writing an
item twice changes nothing.

`secrets` puts the texts of the secrets of one stack, which remain when it is deleted, into those of another. OLD and NEW are names
or ids (arn:aws:cloudformation:…) of stacks, and may be the same name: then OLD is the deleted one. What a secret of NEW contained is
kept as its previous version.
"""

import json
import os
import random
import subprocess
import sys
import time

import boto3
import botocore.config
import botocore.exceptions

# A new table takes 4,000 writes a second, and more only after a while. Refused requests are repeated, and fewer are sent.
tables = boto3.resource("dynamodb", config=botocore.config.Config(retries={"mode": "adaptive", "max_attempts": 20}))

PROCESSES = int(os.environ.get("RESTORE_PROCESSES", 8))
# The most items that DynamoDB writes and reads with one request.
WRITTEN_AT_ONCE, READ_AT_ONCE = 25, 100
# How many items a process reads between two lines about its progress.
PROGRESS = 100_000

# The list of erased companies and persons (registry), erasures that are not finished, and the search for them (tenants), as in
# shared/data/store/src/keys.rs.
ERASED, ERASING, SWEEP = "ERASED", "ERASING", "SWEEP"
# The key of the hashes in a list.
HASH_KEY = "HASH-KEY"

# The tags of what CloudFormation has created.
STACK_NAME, STACK_ID, LOGICAL_ID = (f"aws:cloudformation:{it}" for it in ("stack-name", "stack-id", "logical-id"))


def items(name, part=0, parts=1):
    """The items of a table, or of one of several parts of it."""
    scan = tables.meta.client.get_paginator("scan")
    pages = scan.paginate(TableName=name, ConsistentRead=True, Segment=part, TotalSegments=parts)
    return (item for page in pages for item in page["Items"])


def key(item):
    return {"pk": item["pk"], "sk": item["sk"]}


def identity(item):
    return item["pk"], item["sk"]


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


def batches(these, size):
    batch = []
    for it in these:
        batch.append(it)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def completed(call, table, rest, left):
    """Repeats a request for many items until DynamoDB has left out none. Yields the answers."""
    pause = 0.05
    while rest:
        answer = call(RequestItems={table: rest})
        yield answer
        rest = answer[left].get(table)
        if rest:
            time.sleep(pause * random.random())
            pause = min(2 * pause, 5)


def write(table, requests):
    """Puts or deletes these items. Returns their number."""
    count = 0
    for batch in batches(requests, WRITTEN_AT_ONCE):
        for _ in completed(tables.batch_write_item, table, batch, "UnprocessedItems"):
            pass
        count += len(batch)
    return count


def with_found(table, these):
    """Each of the items with the one that the table has under its key, if any."""
    for batch in batches(these, READ_AT_ONCE):
        request = {"Keys": [key(it) for it in batch], "ConsistentRead": True}
        answers = completed(tables.batch_get_item, table, request, "UnprocessedKeys")
        found = {identity(it): it for answer in answers for it in answer["Responses"].get(table, [])}
        for item in batch:
            yield item, found.get(identity(item))


def add(table, item):
    """Puts an item unless the table has one under its key. Returns whether it did."""
    try:
        tables.Table(table).put_item(Item=item, ConditionExpression="attribute_not_exists(pk)")
        return True
    except tables.meta.client.exceptions.ConditionalCheckFailedException:
        return False


def copy_part(source, target, read):
    """Copies the items that were read from `source`. Yields how many."""
    added = 0

    def puts():
        nonlocal added
        for item in read(source):
            if is_erasure(item):
                added += not is_search(item) and add(target, item)
            else:
                yield {"PutRequest": {"Item": item}}

    count = write(target, puts())
    yield count + added


def delete_part(source, target, read):
    """Deletes the items that were read from `target` and are not in `source`. Yields how many."""
    others = (it for it, found in with_found(source, read(target)) if not found and not is_erasure(it))
    yield write(target, ({"DeleteRequest": {"Key": key(it)}} for it in others))


def compare_part(source, target, read):
    """Yields the keys of the items that were read from `source` and are not as they are in `target`."""
    for item, found in with_found(target, read(source)):
        if not is_search(item) and found != item and not (found and is_erasure(item)):
            yield key(item)


PARTS = {"copy": copy_part, "delete": delete_part, "compare": compare_part}


def run_part(job, source, target, part, parts):
    """What one of the processes does: prints what the job yields, as JSON, and its progress for the reader."""

    name = f"{job}, process {int(part) + 1} of {parts}"

    def read(table):
        for count, item in enumerate(items(table, int(part), int(parts)), 1):
            yield item
            if count % PROGRESS == 0:
                print(f"{name}: {count} items", file=sys.stderr)

    try:
        for it in PARTS[job](source, target, read):
            print(json.dumps(it))
    except (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError) as failure:
        sys.exit(f"{name}: {failure}")


def in_parts(job, source, target):
    """Runs a job in several processes, each for a part of the table that it reads. Yields what they yield."""
    command = [sys.executable, __file__, "part", job, source, target]
    running = [
        subprocess.Popen([*command, str(part), str(PROCESSES)], stdout=subprocess.PIPE, text=True)
        for part in range(PROCESSES)
    ]
    for process in running:
        yield from map(json.loads, process.stdout)
    if any([it.wait() for it in running]):
        sys.exit(f"{job}: not finished, start it again")


def copy(source, target):
    """Returns the number of items. May be started again after a failure."""
    check_hash_keys(source, target)
    # What was searched contains restored items now.
    tables.Table(target).delete_item(Key={"pk": ERASING, "sk": SWEEP})
    return sum(in_parts("copy", source, target))


def delete_others(source, target):
    """Deletes the items of `target` that `source` does not have, except the list of erasures. Returns their number."""
    return sum(in_parts("delete", source, target))


def missing(source, target):
    """Keys of items that are not in `target` as they are in `source`; of a list of erasures, those that are missing."""
    return in_parts("compare", source, target)


def secrets_by_stack(client):
    """The secrets that CloudFormation has created: the names of their stacks, and by stack their ARNs by their names in the template."""
    names, secrets = {}, {}
    pages = client.get_paginator("list_secrets").paginate()
    for secret in (it for page in pages for it in page["SecretList"]):
        tags = {it["Key"]: it["Value"] for it in secret.get("Tags", [])}
        if stack := tags.get(STACK_ID):
            names[stack] = tags[STACK_NAME]
            secrets.setdefault(stack, {})[tags[LOGICAL_ID]] = secret["ARN"]
    return names, secrets


def copy_secrets(old, new):
    """Puts the texts of the secrets of one stack into those of another. Returns their names in the template."""
    client = boto3.client("secretsmanager")
    # A name means the stack that exists, although deleted ones may have had it.
    new = boto3.client("cloudformation").describe_stacks(StackName=new)["Stacks"][0]["StackId"]
    names, secrets = secrets_by_stack(client)
    stacks = sorted(it for it, name in names.items() if old in (it, name) and it != new)
    if len(stacks) != 1:
        sys.exit("\n".join([f"{len(stacks)} other stacks with secrets are or were named {old}; if several, give the id of one:", *stacks]))
    old = secrets[stacks[0]]
    if unknown := sorted(old.keys() - secrets.get(new, {}).keys()):
        sys.exit(f"{new} has no secret {', '.join(unknown)}")
    for name, arn in old.items():
        text, target = client.get_secret_value(SecretId=arn)["SecretString"], secrets[new][name]
        if client.get_secret_value(SecretId=target)["SecretString"] != text:
            client.put_secret_value(SecretId=target, SecretString=text)
    return sorted(old)


def main(arguments):
    match arguments:
        case ["part", job, source, target, part, parts]:
            run_part(job, source, target, part, parts)
        case ["secrets", old, new]:
            print("secrets copied:", ", ".join(copy_secrets(old, new)))
            print("running processes may know the new texts: deploy once more, with another value of Release")
        case [source, target, *options] if options in ([], ["exact"]):
            print(copy(source, target), "items copied")
            if options:
                print(delete_others(source, target), "newer items deleted")
            lost = list(missing(source, target))
            print("what was erased since the backup is in the table again: run `cargo run -- apply-erasures` now (see DEPLOYING.md)")
            if lost:
                sys.exit(f"{len(lost)} items differ, such as {lost[0]}")
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])

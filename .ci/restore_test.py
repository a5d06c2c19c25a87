"""Tests restore.py with the second emulator.

usage: .ci/with-ministack target/ci/ministack/bin/python .ci/restore_test.py              (the tests)
       .ci/with-ministack target/ci/ministack/bin/python .ci/restore_test.py measure GB   (prints how long that much takes)

The test deployment (deploy.py) restores the tenants of a running stack.
"""

import json
import os
import pathlib
import random
import re
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

os.environ.setdefault("RESTORE_PROCESSES", "2")

import boto3
import restore
from claims import check, hold

dynamodb, cloudformation = boto3.client("dynamodb"), boto3.client("cloudformation")
secrets = boto3.client("secretsmanager")


# Of items of 1 kB: DynamoDB answers a scan with pages of 1 MB, of which each part has several.
NUMBER = 2_400


def table(name, content=()):
    """Creates a table like those of the stack."""
    dynamodb.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": it, "AttributeType": "S"} for it in ("pk", "sk")],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    )
    restore.write(name, ({"PutRequest": {"Item": it}} for it in content))
    return name


def company(serial, **more):
    return {"pk": f"COMPANY#{serial // 3}", "sk": f"EVENT#{serial % 3}", "document": "x" * 900} | more


def by_key(name):
    return {restore.identity(it): it for it in restore.items(name)}


def all_items_are_copied_as_they_are():
    values = {"list": [1, {"map": None}], "decimal": Decimal("1.50"), "bytes": b"\0\xff", "set": {"a", "b"}, "true": True}
    source = table("source", [*map(company, range(NUMBER)), company(NUMBER, **values)])
    target = table("target")
    check(restore.copy(source, target) == NUMBER + 1, "their number")
    check(by_key(target) == by_key(source), "they differ")
    check(not list(restore.missing(source, target)), "the comparison finds differences")


def each_item_is_in_one_part():
    parts = [set(map(restore.identity, restore.items("source", part, 7))) for part in range(7)]
    check(sum(map(len, parts)) == len(set().union(*parts)) == NUMBER + 1, "lost, or read twice")
    check(all(parts), "a part is empty")


def a_copy_that_was_interrupted_is_started_again():
    source, target = "source", table("interrupted")
    restore.write(target, ({"PutRequest": {"Item": it}} for it in restore.items(source, 1, 4)))
    lost = len(list(restore.missing(source, target)))
    check(0 < lost < NUMBER + 1, lost)
    check(restore.copy(source, target) == NUMBER + 1, "their number")
    check(not list(restore.missing(source, target)), "not all arrived")


def items_that_differ_are_found():
    target = restore.tables.Table("target")
    target.put_item(Item=company(5, document="newer"))
    target.delete_item(Key=restore.key(company(7)))
    target.put_item(Item=company(4_000))
    lost = sorted(restore.missing("source", "target"), key=str)
    check(lost == [restore.key(company(5)), restore.key(company(7))], lost)


def newer_items_are_kept_or_deleted():
    check(restore.copy("source", "target") == NUMBER + 1, "their number")
    check(len(by_key("target")) == NUMBER + 2, "the newer item is kept")
    check(restore.delete_others("source", "target") == 1, "and deleted")
    check(by_key("target") == by_key("source"), "the others are kept")


def a_failing_process_is_reported():
    try:
        restore.copy("source", "no-such-table")
    except (SystemExit, dynamodb.exceptions.ResourceNotFoundException):
        pass
    else:
        raise AssertionError("no failure")
    try:
        list(restore.missing("source", "no-such-table"))
    except SystemExit as failure:
        check("start it again" in str(failure), failure)
    else:
        raise AssertionError("no failure")


def lists_of_erasures_only_grow():
    entry = {"pk": "ERASED#hash", "sk": "ERASED", "document": "old"}
    search = {"pk": restore.ERASING, "sk": restore.SWEEP}
    source = table("erased-before", [entry, entry | {"pk": "ERASED#other"}, search, company(1)])
    later = entry | {"pk": "ERASED#later"}
    target = table("erased-now", [entry | {"document": "new"}, later, search])
    check(restore.copy(source, target) == 2, "the entry that was missing, and the company")
    check(restore.delete_others(source, target) == 0, "entries are kept")
    documents = {it["pk"]: it["document"] for it in restore.items(target) if restore.is_erasure(it)}
    check(documents == {"ERASED#hash": "new", "ERASED#other": "old", "ERASED#later": "old"}, documents)
    check(not list(restore.missing(source, target)), "entries may differ")


def lists_with_different_keys_are_refused():
    hash_key = {"pk": restore.ERASED, "sk": restore.HASH_KEY}
    source = table("one-key", [hash_key | {"document": "a"}, company(1)])
    target = table("another-key", [hash_key | {"document": "b"}])
    try:
        restore.copy(source, target)
    except SystemExit:
        check(len(by_key(target)) == 1, "nothing is copied")
    else:
        raise AssertionError("not refused")


def what_dynamodb_leaves_out_is_sent_again():
    sent = []

    def three_at_once(RequestItems):
        sent.extend(RequestItems["t"][:3])
        rest = RequestItems["t"][3:]
        return {"UnprocessedItems": {"t": rest} if rest else {}}

    answers = list(restore.completed(three_at_once, "t", list(range(10)), "UnprocessedItems"))
    check(sent == list(range(10)) and len(answers) == 4, sent)


def stack(name, *logical_ids):
    """Creates a stack with secrets that remain. Returns its id."""

    def secret():
        # The emulator would give the secrets of the next stack of this name the same names, other than CloudFormation.
        properties = {"Name": str(uuid.uuid4()), "GenerateSecretString": {"PasswordLength": 64}}
        return {"Type": "AWS::SecretsManager::Secret", "DeletionPolicy": "Retain", "Properties": properties}

    template = {"Resources": {it: secret() for it in logical_ids}}
    id = cloudformation.create_stack(StackName=name, TemplateBody=json.dumps(template))["StackId"]
    cloudformation.get_waiter("stack_create_complete").wait(StackName=id)
    return id


def arns(id):
    return restore.secrets_by_stack(secrets)[1][id]


def texts(id):
    return {name: secrets.get_secret_value(SecretId=arn)["SecretString"] for name, arn in arns(id).items()}


def retained_secrets_are_used_by_the_next_stack_of_the_same_name():
    old, unrelated = stack("gotthard", "SessionSecret", "SsoSecret"), stack("unrelated", "SessionSecret")
    before, others = texts(old), texts(unrelated)
    cloudformation.delete_stack(StackName=old)
    cloudformation.get_waiter("stack_delete_complete").wait(StackName=old)
    new = stack("gotthard", "SessionSecret", "SsoSecret", "LaterSecret")
    generated = texts(new)
    check(not before.items() & generated.items(), "new texts were generated")
    for _ in range(2):  # Again: nothing changes.
        check(restore.copy_secrets("gotthard", "gotthard") == ["SessionSecret", "SsoSecret"], "their names")
        check(texts(new) == generated | before, "texts of before, and those of secrets that are new")
    check(texts(old) == before and texts(unrelated) == others, "other secrets are as before")
    previous = secrets.get_secret_value(SecretId=arns(new)["SsoSecret"], VersionStage="AWSPREVIOUS")["SecretString"]
    check(previous == generated["SsoSecret"], "the text that was replaced can still be read")
    retained_secrets_of_several_stacks_are_not_guessed(old, new)


def retained_secrets_of_several_stacks_are_not_guessed(first, second):
    cloudformation.delete_stack(StackName=second)
    cloudformation.get_waiter("stack_delete_complete").wait(StackName=second)
    third = stack("gotthard", "SessionSecret", "SsoSecret", "LaterSecret")
    generated = texts(third)
    for unclear in ("gotthard", "no-such-stack"):
        try:
            restore.copy_secrets(unclear, "gotthard")
        except SystemExit as refusal:
            check((first in str(refusal)) == (second in str(refusal)) == (unclear == "gotthard"), refusal)
        else:
            raise AssertionError("not refused")
    check(texts(third) == generated, "nothing was copied")
    restore.copy_secrets(second, third)
    check(texts(third) == texts(second), "by their ids")


def secrets_of_the_template_remain_and_are_documented():
    resources = re.split(r"\n  (?=\w+:\n    Type: )", pathlib.Path("template.yaml").read_text())
    found = {it.split(":", 1)[0]: it for it in resources if "\n    Type: AWS::SecretsManager::Secret\n" in it}
    check(found, "no secrets")
    documented = re.search(r"\nWhen the stack is deleted, these remain: .*?\n\n", pathlib.Path("DEPLOYING.md").read_text(), re.S)[0]
    for name, resource in found.items():
        check("\n    DeletionPolicy: Retain\n    UpdateReplacePolicy: Retain\n" in resource, name)
        check(f"`{name}`" in documented, f"DEPLOYING.md does not say that {name} remains")


def measure(gigabytes):
    """Copies and compares items of 1 kB, as those of the registry are on average."""
    number = round(gigabytes * 1e6)
    source, target = table(f"large-source-{number}"), table(f"large-target-{number}")
    filler = [random.randbytes(450).hex() for _ in range(100)]
    content = lambda first: ({"PutRequest": {"Item": company(it, document=filler[it % 100])}} for it in range(first, number, 8))
    with ThreadPoolExecutor(8) as threads:
        written = sum(threads.map(lambda first: restore.write(source, content(first)), range(8)))
    for what, job in [("copied", restore.copy), ("compared", lambda *them: len(list(restore.missing(*them))))]:
        before, children = time.monotonic(), os.times()
        result = job(source, target)
        seconds, after = time.monotonic() - before, os.times()
        own = after.children_user + after.children_system - children.children_user - children.children_system
        print(f"{written} items {what} ({result}) in {seconds:.0f} s, of it {own:.0f} s of processor time of {restore.PROCESSES} processes")


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure(float(sys.argv[2]))
    else:
        hold(
            [
                all_items_are_copied_as_they_are,
                each_item_is_in_one_part,
                a_copy_that_was_interrupted_is_started_again,
                items_that_differ_are_found,
                newer_items_are_kept_or_deleted,
                a_failing_process_is_reported,
                lists_of_erasures_only_grow,
                lists_with_different_keys_are_refused,
                what_dynamodb_leaves_out_is_sent_again,
                retained_secrets_are_used_by_the_next_stack_of_the_same_name,
                secrets_of_the_template_remain_and_are_documented,
            ],
            hint="the emulator's log: target/ci/ministack.log",
        )

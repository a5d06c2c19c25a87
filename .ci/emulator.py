"""Starts ministack, tells its policy evaluation what requests to DynamoDB read and write, and its gateway how to read streamed answers.

template.yaml restricts what functions read and write of the table of tenants with the condition keys `dynamodb:LeadingKeys` (the
partitions of the items) and `dynamodb:Attributes` (of an update: the attributes it names). ministack evaluates conditions, but
does not set these keys; a condition on a missing key would always hold.

Its Lambda takes the answer of a function as it is. A streamed answer begins with a prelude of JSON, which eight zero bytes end;
the gateway gets it in the form of a buffered one.
"""

import json
import re
import types

from ministack.app import main
from ministack.core import iam_actions, lambda_runtime

context_of_ministack = iam_actions.dynamodb_service_context


def items(request):
    """The keys of the items that a request reads or writes, or the items."""
    for entry in request.get("TransactItems", []):
        yield from (detail.get("Item") or detail.get("Key") for detail in entry.values())
    for of_table in request.get("RequestItems", {}).values():
        if isinstance(of_table, dict):
            yield from of_table["Keys"]
    if item := request.get("Item") or request.get("Key"):
        yield item
    if partition := re.match(r"pk = (:\w+)", request.get("KeyConditionExpression", "")):
        yield {"pk": request["ExpressionAttributeValues"][partition[1]]}


def dynamodb_service_context(body):
    context = context_of_ministack(body)
    request = json.loads(body or b"{}")
    partitions = {it["pk"]["S"] for it in items(request) if "pk" in it}
    if partitions:
        context["dynamodb:LeadingKeys"] = sorted(partitions)
    if "UpdateExpression" in request:
        named = request.get("ExpressionAttributeNames", {}).values()
        context["dynamodb:Attributes"] = sorted({*request["Key"], *named})
    return context


def answer_of_function(text):
    """What ministack reads where a function posts its answer."""
    if isinstance(text, bytes) and b"\0" * 8 in text:
        prelude, body = text.split(b"\0" * 8, 1)
        prelude = json.loads(prelude)
        # The gateway takes text only. Bytes of a file that are no text are replaced, so that there may be more of them.
        headers = {name: [value] for name, value in prelude["headers"].items() if name.lower() != "content-length"}
        body = body.decode(errors="replace")
        return {"statusCode": prelude["statusCode"], "multiValueHeaders": headers, "body": body}
    return json.loads(text)


lambda_runtime.json = types.SimpleNamespace(**vars(json) | {"loads": answer_of_function})
iam_actions.dynamodb_service_context = dynamodb_service_context
main()

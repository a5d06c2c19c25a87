"""Starts ministack, and tells its policy evaluation what requests to DynamoDB write.

template.yaml restricts what functions write to the table of tenants with the condition keys `dynamodb:LeadingKeys` (the
partitions of the written items) and `dynamodb:Attributes` (of an update: the attributes it names). ministack evaluates
conditions, but does not set these keys for writes; a condition on a missing key would always hold.
"""

import json

from ministack.app import main
from ministack.core import iam_actions

context_of_ministack = iam_actions.dynamodb_service_context


def writes(request):
    """The keys or items that a request writes."""
    for entry in request.get("TransactItems", []):
        yield from (detail.get("Item") or detail.get("Key") for detail in entry.values())
    if written := request.get("Item") or request.get("Key"):
        yield written


def dynamodb_service_context(body):
    context = context_of_ministack(body)
    request = json.loads(body or b"{}")
    partitions = {it["pk"]["S"] for it in writes(request) if "pk" in it}
    if partitions:
        context["dynamodb:LeadingKeys"] = sorted(partitions)
    if "UpdateExpression" in request:
        named = request.get("ExpressionAttributeNames", {}).values()
        context["dynamodb:Attributes"] = sorted({*request["Key"], *named})
    return context


iam_actions.dynamodb_service_context = dynamodb_service_context
main()

"""Every GET operation of openapi.json that an API key may call, with the example values of its parameters."""

import json
import pathlib
import urllib.parse


def example_requests(company=None):
    """Yields for every GET operation that an API key may call: the path template, the path and query to request, and the rate group.
    `company` replaces the example UID."""
    document = json.loads(pathlib.Path("functions/api/public/openapi.json").read_text())
    for resource, operations in document["paths"].items():
        # A session, and the answer of an identity provider, cannot be examples.
        needs_user = operations.get("get", {}).get("x-requires-session") or resource.startswith("/v1/auth/sso/")
        if "get" not in operations or needs_user:
            continue
        path, query = resource, {}
        for parameter in operations["get"]["parameters"]:
            name, example = parameter["name"], parameter.get("example")
            if company and str(example).startswith("CHE-"):
                example = company
            if parameter["in"] == "path":
                path = path.replace(f"{{{name}}}", urllib.parse.quote(example, safe=""))
            elif parameter["in"] == "query" and parameter.get("required"):
                query[name] = str(example)
        yield resource, path, query, operations["get"].get("x-rate-group")


def belongs_to_team(resource):
    """Whether the example of this path is a resource of a team, which other teams do not have."""
    kept = ("dossiers", "exports", "pipelines", "saved-searches", "screenings", "watchlists", "webhooks")
    return resource.startswith(tuple(f"/v1/{it}/{{id}}" for it in kept))

"""Every GET operation of openapi.json, with the example values of its parameters."""

import json
import pathlib
import urllib.parse


def example_requests(company=None):
    """Yields for every GET operation: the path template, the path and query to request, and the rate group.
    `company` replaces the example UID."""
    document = json.loads(pathlib.Path("functions/api/public/openapi.json").read_text())
    for resource, operations in document["paths"].items():
        if "get" not in operations:
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

"""Every GET of the description, asked as the examples of its parameters say."""

import json
import pathlib
import urllib.parse


def questions(company=None):
    """Path as described, path and parameters to ask, and the rate group that answers. `company` takes the example's
    place."""
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

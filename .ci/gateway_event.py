"""Builds the events that a REST API's gateway sends to a Lambda function (payload format 1.0).

https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
"""

import base64
import json
import re


def event(method, path, query=None, headers=None, body=None, address="192.0.2.1", resource="/{proxy+}"):
    """The event for a request to the stage `api`. Query parameters and headers are lists of values; `resource` is the
    path template."""
    pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(resource))
    named = {"proxy": path.removeprefix("/")} if "+" in resource else re.fullmatch(pattern, path).groupdict()
    return {
        "resource": resource,
        "path": path,
        "httpMethod": method,
        "headers": {name: values[-1] for name, values in (headers or {}).items()},
        "multiValueHeaders": headers or {},
        "queryStringParameters": {name: values[-1] for name, values in (query or {}).items()} or None,
        "multiValueQueryStringParameters": query,
        "pathParameters": named or None,
        "stageVariables": None,
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "abcdef",
            "httpMethod": method,
            "identity": {"sourceIp": address, "userAgent": "gateway_event.py"},
            "path": f"/api{path}",
            "protocol": "HTTP/1.1",
            "requestId": "c6af9ac6-7b61-11e6-9a41-93e8deadbeef",
            "resourcePath": resource,
            "stage": "api",
        },
        "body": base64.b64encode(json.dumps(body).encode()).decode() if body is not None else None,
        "isBase64Encoded": body is not None,
    }

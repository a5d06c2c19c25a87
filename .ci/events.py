"""Sends the events of a REST API's gateway to the functions of a running `cargo lambda watch`.

usage: events.py INVOKE_ADDRESS LOCAL_JSON WATCH_LOG

`cargo lambda watch` turns HTTP requests into events of payload format 2.0. The gateway of template.yaml sends format
1.0: lists of values, bodies in base64, the stage separate from the path, and the client's address in the context.
tests/it/lambda.rs tests the routers with such events; this script tests the binaries.
"""

import gzip
import json
import sys
import tomllib
import urllib.error
import urllib.parse
import urllib.request

import gateway_event
from claims import check, hold
from example_requests import belongs_to_team, example_requests

INVOKE, LOCAL, LOG = sys.argv[1], json.load(open(sys.argv[2])), sys.argv[3]


class Answer:
    def __init__(self, answer):
        self.status = answer["statusCode"]
        self.headers = answer["multiValueHeaders"]
        self.body = answer["body"]
        if "json" in self.headers.get("content-type", ["json"])[0]:
            self.body = json.loads(self.body or "null")

    def __repr__(self):
        return f"{self.status} {self.headers} {self.body}"

    def header(self, name):
        return self.headers[name][0]


def invoke(function, *request, **more):
    event = gateway_event.event(*request, **more)
    address = f"{INVOKE}/2015-03-31/functions/{function}/invocations"
    request = urllib.request.Request(address, json.dumps(event).encode(), method="POST")
    try:
        response = urllib.request.urlopen(request, timeout=300)
    except urllib.error.HTTPError as refused:
        response = refused
    with response:
        if response.headers["lambda-runtime-function-response-mode"] != "streaming":
            return Answer(json.load(response))
        headers = {name.lower(): response.headers.get_all(name) for name in response.headers}
        body = response.read().decode(errors="replace")
        return Answer({"statusCode": response.status, "multiValueHeaders": headers, "body": body})


ROUTER = tomllib.load(open("Cargo.toml", "rb"))["workspace"]["metadata"]["lambda"]["watch"]["router"]
PROFESSIONAL = {"authorization": [f"Bearer {LOCAL['keys']['professional']}"]}
ENTERPRISE = {"authorization": [f"Bearer {LOCAL['keys']['enterprise']}"]}


def every_path_is_routed_to_the_function_that_serves_it():
    """By HTTP, which the watch routes itself, and as the gateway's event to the function of the same table.

    tests/it/openapi.rs compares the table with the routes of the functions and of the gateway in template.yaml."""
    count = 0
    for resource, path, query, group in example_requests():
        if belongs_to_team(resource):
            continue
        address = f"{INVOKE}/api{path}?{urllib.parse.urlencode(query)}"
        request = urllib.request.Request(address, headers={"authorization": ENTERPRISE["authorization"][0]})
        with urllib.request.urlopen(request, timeout=300) as response:
            served = response.headers
            check(response.status == 200, (path, response.status))
            # A stream that its reader leaves would end the function.
            response.read()
        check(group is None or served["x-ratelimit-group"] == group, (path, served["x-ratelimit-group"]))
        lists = {name: [value] for name, value in query.items()}
        routed = ROUTER[f"/api{resource}"]
        # Functions that share a path serve different methods.
        if isinstance(routed, list):
            (routed,) = [it["function"] for it in routed if it["method"] == "GET"]
        answer = invoke(routed, "GET", path, lists or None, ENTERPRISE, resource=resource)
        check(answer.status == 200, (path, answer))
        count += 1
    check(count > 40, count)


def repeated_parameters_are_all_used():
    def total(*cantons):
        found = invoke("search-read", "GET", "/v1/companies", {"canton": list(cantons), "legalForm": ["AG"]})
        check(found.status == 200, found)
        return found.body["total"]

    bern, geneva = total("BE"), total("GE")
    check(bern > 0 and geneva > 0, (bern, geneva))
    check(total("BE", "GE") == total("GE", "BE") == bern + geneva, (bern, geneva))


def non_ascii_search_text_arrives_unchanged():
    found = invoke("search-read", "GET", "/v1/companies", {"search": ["Nestlé S.A."], "pageSize": ["1"]})
    check(found.body["items"][0]["name"] == "Nestlé S.A.", found)


def repeated_headers_all_arrive():
    usage = invoke("account", "GET", "/v1/usage/current", headers=PROFESSIONAL)
    check(usage.status == 200 and usage.body["tier"] == "professional", usage)
    record = invoke("search-read", "GET", "/v1/companies/CHE-105.909.036")
    # A list of ETags, split over two headers.
    held = {"if-none-match": ['"another"', record.header("etag")]}
    check(invoke("search-read", "GET", "/v1/companies/CHE-105.909.036", headers=held).status == 304, record)


def base64_bodies_are_decoded():
    headers = PROFESSIONAL | {"content-type": ["application/json"]}
    made = invoke("account", "POST", "/v1/api-keys", headers=headers, body={"name": "Nächtlich"})
    check(made.status == 201 and made.body["name"] == "Nächtlich", made)
    uids = ["CHE-105.909.036", "CHE-101.049.653"]
    compared = invoke("standard-read", "POST", "/v1/companies/compare", headers=headers, body={"uids": uids})
    check(compared.status == 200 and compared.body["uids"] == uids, compared)


def streamed_answers_are_whole():
    """`bulk` streams: `cargo lambda watch` answers its invocation with the status, the headers and the body of the prelude."""
    path = "/v1/companies/export/excel"
    headers = {"authorization": f"Bearer {LOCAL['keys']['enterprise']}", "content-type": "application/json"}

    def post(address, body):
        request = urllib.request.Request(address, json.dumps(body).encode(), headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=300) as response:
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.headers, refused.read()

    def streamed(body, encoding):
        lists = {name: [value] for name, value in headers.items()} | {"accept-encoding": [encoding]}
        event = gateway_event.event("POST", path, headers=lists, body=body, resource=path)
        return post(f"{INVOKE}/2015-03-31/functions/bulk/invocations", event)

    fields = "uid name oldNames translations purpose address auditorName industry subIndustry".split()
    for body in [{"filter": {"canton": "UR"}}, {"fields": fields}, {"fields": ["colour"]}]:
        status, _, expected = post(f"{LOCAL['url']}{path}", body)
        for encoding in ["identity", "gzip"]:
            answer = streamed(body, encoding)
            check((answer[0], answer[1]["x-ratelimit-group"]) == (status, "bulk"), answer[:2])
            if status != 200:
                problem = json.loads(answer[2])
                check(problem["errors"] == json.loads(expected)["errors"], problem)
                continue
            check(answer[1]["content-encoding"] == (None if encoding == "identity" else encoding), answer[1])
            content = answer[2] if encoding == "identity" else gzip.decompress(answer[2])
            check(content == expected, (len(content), len(expected)))


def problem_instance_includes_the_stage():
    for path in ["/v1/nowhere", "/"]:
        unknown = invoke("public", "GET", path)
        check((unknown.status, unknown.body["instance"]) == (404, f"/api{path}"), unknown)
        check(unknown.header("content-type") == "application/problem+json", unknown)
    wrong = invoke("public", "POST", "/v1/companies")
    check(wrong.status == 405 and wrong.header("allow") == "GET,HEAD", wrong)


def anonymous_clients_are_counted_by_the_address_in_the_context():
    def remaining(address):
        forged = {"x-forwarded-for": ["203.0.113.9"]}
        count = invoke("search-read", "GET", "/v1/companies/count", headers=forged, address=address)
        check(count.header("x-ratelimit-limit") == "60", count)
        return int(count.header("x-ratelimit-remaining"))

    # If the window ends between two requests, the count starts at 59 again.
    first, second, other = remaining("198.51.100.1"), remaining("198.51.100.1"), remaining("198.51.100.2")
    check(second in (first - 1, 59) and other == 59 and first == 59, (first, second, other))


def every_request_writes_one_log_line_with_its_invocation_id():
    answer = invoke("search-read", "GET", "/v1/companies/count")
    lines = [line for line in open(LOG, errors="replace") if '"request completed"' in line]
    requests = [json.loads(line[line.index("{") :]) for line in lines]
    invocations = [line["fields"].get("lambda_request_id") for line in requests]
    check(all(invocations) and len(set(invocations)) == len(invocations) > 50, invocations)
    check(not any("span" in line for line in requests), requests[-1])
    own = [line for line in requests if line["fields"]["request_id"] == answer.header("x-request-id")]
    check(len(own) == 1, own)


hold(
    [
        every_path_is_routed_to_the_function_that_serves_it,
        repeated_parameters_are_all_used,
        non_ascii_search_text_arrives_unchanged,
        repeated_headers_all_arrive,
        base64_bodies_are_decoded,
        streamed_answers_are_whole,
        problem_instance_includes_the_stage,
        anonymous_clients_are_counted_by_the_address_in_the_context,
        every_request_writes_one_log_line_with_its_invocation_id,
    ]
)

"""Hands the functions of a running `cargo lambda watch` the events of a REST API's gateway.

usage: events.py INVOKE_ADDRESS LOCAL_JSON LOG_OF_THE_WATCH

The watch's own door for HTTP makes events of the second version; the gateway of template.yaml makes those of
the first, with names and values in lists, bodies in base64, the stage apart from the path, and the client's
address in the context. tests/it/lambda.rs asks the routers the same; here the binaries are asked.
"""

import json
import sys
import urllib.parse
import urllib.request

import gateway
from claims import check, hold
from questions import questions

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


def ask(function, *asked, **more):
    event = gateway.event(*asked, **more)
    address = f"{INVOKE}/2015-03-31/functions/{function}/invocations"
    request = urllib.request.Request(address, json.dumps(event).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=300) as response:
        return Answer(json.load(response))


FUNCTIONS = {"search_read": "search-read", "standard_read": "standard-read", "account": "account", "public": "public"}
PROFESSIONAL = {"authorization": [f"Bearer {LOCAL['keys']['professional']}"]}


def every_path_is_answered_by_the_function_that_the_watch_leads_it_to():
    """As HTTP, which the watch leads by its own routes; and as an event, by the function that the template names."""
    asked = 0
    for resource, path, query, group in questions():
        address = f"{INVOKE}/api{path}?{urllib.parse.urlencode(query)}"
        request = urllib.request.Request(address, headers={"authorization": PROFESSIONAL["authorization"][0]})
        with urllib.request.urlopen(request, timeout=300) as response:
            served = response.headers
            check(response.status == 200, (path, response.status))
        check(group is None or served["x-ratelimit-group"] == group, (path, served["x-ratelimit-group"]))
        function = FUNCTIONS[group or "public"]
        # A group may be served by the function of another: that of `/full` is, which lives beside the relationships.
        if path.endswith("/full"):
            function = "standard-read"
        lists = {name: [value] for name, value in query.items()}
        answer = ask(function, "GET", path, lists or None, PROFESSIONAL, resource=resource)
        check(answer.status == 200, (path, answer))
        asked += 1
    check(asked > 40, asked)


def every_value_of_a_parameter_counts():
    def total(*cantons):
        found = ask("search-read", "GET", "/v1/companies", {"canton": list(cantons), "legalForm": ["AG"]})
        check(found.status == 200, found)
        return found.body["total"]

    bern, geneva = total("BE"), total("GE")
    check(bern > 0 and geneva > 0, (bern, geneva))
    check(total("BE", "GE") == total("GE", "BE") == bern + geneva, (bern, geneva))


def a_text_arrives_as_it_was_written():
    found = ask("search-read", "GET", "/v1/companies", {"search": ["Nestlé S.A."], "pageSize": ["1"]})
    check(found.body["items"][0]["name"] == "Nestlé S.A.", found)


def every_header_arrives():
    usage = ask("account", "GET", "/v1/usage/current", headers=PROFESSIONAL)
    check(usage.status == 200 and usage.body["tier"] == "professional", usage)
    record = ask("search-read", "GET", "/v1/companies/CHE-105.909.036")
    # The list of tags that a client may hold, in two headers.
    held = {"if-none-match": ['"another"', record.header("etag")]}
    check(ask("search-read", "GET", "/v1/companies/CHE-105.909.036", headers=held).status == 304, record)


def a_body_in_base64_is_read():
    headers = PROFESSIONAL | {"content-type": ["application/json"]}
    made = ask("account", "POST", "/v1/api-keys", headers=headers, body={"name": "Nächtlich"})
    check(made.status == 201 and made.body["name"] == "Nächtlich", made)
    uids = ["CHE-105.909.036", "CHE-101.049.653"]
    compared = ask("standard-read", "POST", "/v1/companies/compare", headers=headers, body={"uids": uids})
    check(compared.status == 200 and compared.body["uids"] == uids, compared)


def a_refusal_names_the_path_with_its_stage():
    for path in ["/v1/nowhere", "/"]:
        unknown = ask("public", "GET", path)
        check((unknown.status, unknown.body["instance"]) == (404, f"/api{path}"), unknown)
        check(unknown.header("content-type") == "application/problem+json", unknown)
    wrong = ask("public", "POST", "/v1/companies")
    check(wrong.status == 405 and wrong.header("allow") == "GET,HEAD", wrong)


def a_client_is_counted_by_the_address_of_the_context():
    def remaining(address):
        forged = {"x-forwarded-for": ["203.0.113.9"]}
        count = ask("search-read", "GET", "/v1/companies/count", headers=forged, address=address)
        check(count.header("x-ratelimit-limit") == "60", count)
        return int(count.header("x-ratelimit-remaining"))

    # The window may end between two of them; then it begins with 59 again.
    first, second, other = remaining("198.51.100.1"), remaining("198.51.100.1"), remaining("198.51.100.2")
    check(second in (first - 1, 59) and other == 59 and first == 59, (first, second, other))


def every_request_is_one_line_that_names_its_invocation():
    asked = ask("search-read", "GET", "/v1/companies/count")
    lines = [line for line in open(LOG, errors="replace") if '"answered"' in line]
    answered = [json.loads(line[line.index("{") :]) for line in lines]
    named = [line["fields"].get("lambda_request_id") for line in answered]
    check(all(named) and len(set(named)) == len(named) > 50, named)
    check(not any("span" in line for line in answered), answered[-1])
    own = [line for line in answered if line["fields"]["request_id"] == asked.header("x-request-id")]
    check(len(own) == 1, own)


hold(
    [
        every_path_is_answered_by_the_function_that_the_watch_leads_it_to,
        every_value_of_a_parameter_counts,
        a_text_arrives_as_it_was_written,
        every_header_arrives,
        a_body_in_base64_is_read,
        a_refusal_names_the_path_with_its_stage,
        a_client_is_counted_by_the_address_of_the_context,
        every_request_is_one_line_that_names_its_invocation,
    ]
)

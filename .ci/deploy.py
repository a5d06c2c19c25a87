"""Deploys template.yaml to the second emulator, and tests the deployment.

usage: .ci/with-ministack target/ci/ministack/bin/python .ci/deploy.py                 (after `cargo build`)
       .ci/with-ministack target/ci/ministack/bin/python .ci/deploy.py target/lambda   (also after `sam build`)

A job in the queue makes `ingest` read a file from the bucket, another makes `indexer` publish it, and requests through
the gateway reach the other functions. The emulator enforces the functions' roles. tests/README.md lists what it
does not support. It runs the functions as processes of this machine; the arm64 binaries of `sam build` run with qemu on
other processors.
"""

import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor

import boto3
import gateway_event
from claims import check, hold
from example_requests import example_requests

DEVELOPMENT_BUILD = pathlib.Path("target/debug")
BUILT = pathlib.Path(*sys.argv[1:] or [DEVELOPMENT_BUILD])
EMULATOR = "qemu-aarch64-static"
# The arm64 system libraries of Debian.
ARM64 = "/usr/aarch64-linux-gnu"
WORK = pathlib.Path("target/ci/deploy")
STACK = "gotthard"
PUBLIC_URL = "https://api.example/api"


def package(binary, folder):
    """Creates a folder like those of `sam build`, for `sam deploy`."""
    folder.mkdir(parents=True)
    bootstrap = folder / "bootstrap"
    if BUILT == DEVELOPMENT_BUILD:
        subprocess.run(["strip", "-o", bootstrap, BUILT / binary], check=True)
    elif platform.machine() == "aarch64":
        shutil.copy(BUILT / binary / "bootstrap", bootstrap)
    else:
        assert shutil.which(EMULATOR), f"missing: {EMULATOR} (Debian: qemu-user-static, libc6-arm64-cross)"
        shutil.copy(BUILT / binary / "bootstrap", folder / binary)
        here = '"$(dirname "$0")"'
        bootstrap.write_text(f"#!/bin/sh\nexec {EMULATOR} -L {ARM64} {here}/{binary}\n")
        bootstrap.chmod(0o755)


def deploy():
    shutil.rmtree(WORK, ignore_errors=True)
    template = pathlib.Path("template.yaml").read_text()

    def packaged(match):
        package(match["binary"], WORK / match["binary"])
        return f"{match['before']}./{match['binary']}"

    function = re.compile(r"(?P<before>Binary: (?P<binary>\S+)\n +Properties:\n +CodeUri: )\.$", re.M)
    template, functions = function.subn(packaged, template)
    assert functions == template.count("AWS::Serverless::Function"), functions
    # In AWS, one permission covers both operations. The emulator requires a second one that AWS does not have.
    template = template.replace("Action: sqs:SendMessage\n", "Action: [sqs:SendMessage, sqs:SendMessageBatch]\n")
    # The checks do not wait ten minutes for a generation.
    template, delays = re.subn("DelaySeconds: 600\n", "DelaySeconds: 0\n", template)
    assert delays == 1, delays
    (WORK / "template.yaml").write_text(template)

    artefacts = "artefacts"
    region = {"LocationConstraint": os.environ["AWS_REGION"]}
    boto3.client("s3").create_bucket(Bucket=artefacts, CreateBucketConfiguration=region)
    account = json.dumps({"username": "somebody", "password": "something"})
    secret = boto3.client("secretsmanager").create_secret(Name="zefix", SecretString=account)["ARN"]
    parameters = [f"PublicUrl={PUBLIC_URL}", f"ZefixSecret={secret}"]
    log = WORK / "sam.log"
    with log.open("w") as output:
        deployed = subprocess.run(
            ["target/ci/sam/bin/sam", "deploy", "--template-file", WORK / "template.yaml"]
            + ["--stack-name", STACK, "--s3-bucket", artefacts, "--capabilities", "CAPABILITY_IAM"]
            + ["--no-progressbar", "--parameter-overrides", *parameters],
            env=os.environ | {"SAM_CLI_TELEMETRY": "0", "SAM_CLI_POLL_DELAY": "1"},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    if deployed.returncode != 0:
        sys.exit(log.read_text())
    cloudformation = boto3.client("cloudformation")
    resources = cloudformation.describe_stack_resources(StackName=STACK)["StackResources"]
    print(f"{len(resources)} resources of {functions} functions are deployed")
    return {it["LogicalResourceId"]: it["PhysicalResourceId"] for it in resources}


RESOURCES = deploy()
teams = subprocess.run([DEVELOPMENT_BUILD / "local", "teams", RESOURCES["Tenants"]], check=True, capture_output=True)
KEYS = json.loads(teams.stdout)
GATEWAY = f"{os.environ['AWS_ENDPOINT_URL']}/_aws/execute-api/{RESOURCES['Gateway']}/api"
# Anonymous requests are counted by client address; the emulator reads it from this header.
CLIENT = {"x-forwarded-for": "192.0.2.1"}


class Answer:
    def __init__(self, status, headers, text):
        self.status, self.headers, self.body = status, headers, text
        if "json" in headers.get("content-type", "json"):
            self.body = json.loads(text or "null")

    def __repr__(self):
        return f"{self.status} {self.headers} {self.body}"

    def is_problem(self, status, slug):
        return (
            (self.status, self.body["status"]) == (status, status)
            and self.headers["content-type"] == "application/problem+json"
            and self.body["type"] == f"{PUBLIC_URL}/errors/{slug}"
        )


def request(path, method="GET", key=None, body=None, headers=CLIENT):
    headers = dict(headers) | {"content-type": "application/json"}
    if key:
        headers["authorization"] = f"Bearer {key}"
    data = json.dumps(body).encode() if body is not None else None
    message = urllib.request.Request(f"{GATEWAY}/{path}", data, headers, method=method)
    try:
        response = urllib.request.urlopen(message, timeout=60)
    except urllib.error.HTTPError as refusal:
        response = refusal
    with response:
        names = {name.lower(): value for name, value in response.headers.items()}
        return Answer(response.status, names, response.read().decode())


def invoke(function, event):
    """Returns the answer of a deployed function to an event, and whether it failed."""
    payload = json.dumps(event).encode()
    answer = boto3.client("lambda").invoke(FunctionName=RESOURCES[function], Payload=payload)
    return json.loads(answer["Payload"].read()), "FunctionError" in answer


def company(number, name, canton, **more):
    return {
        "name": name,
        "uid": f"CHE{number}",
        "canton": canton,
        "legalForm": {"id": 3, "uid": "0106"},
        "status": "ACTIVE",
        "sogcDate": "2026-03-24",
    } | more


ENTERED = {
    "sogcDate": "2026-03-24",
    "sogcId": 1006012345,
    "registryOfCommerceCanton": "ZH",
    "message": "Zürcher Käse AG, in Zürich, CHE-600.000.012, Musterstrasse 1, 8001 Zürich, Aktiengesellschaft "
    "(Neueintragung). Eingetragene Personen: Muster, Anna, von Zürich, in Zürich, Mitglied, mit Einzelunterschrift.",
    "mutationTypes": [{"id": 2, "key": "status.neu"}],
}
REGISTER = [
    company("600000012", "Zürcher Käse AG", "ZH", capitalNominal=100000, capitalCurrency="CHF", sogcPub=[ENTERED]),
    company("600000029", "Berner Käse AG", "BE"),
    company("600000035", "Genfer Käse AG", "GE"),
    {"broken": True},
]


FILE = {"job": "import_file", "source": "zefix", "key": "incoming/zefix.json"}


def eventually(what, seconds=120):
    """Repeats a check until it passes."""
    end = time.time() + seconds
    while True:
        try:
            return what()
        except Exception:
            if time.time() > end:
                raise
            time.sleep(0.5)


def send(queue, job):
    order = {"MessageGroupId": "zefix", "MessageDeduplicationId": str(uuid.uuid4())}
    boto3.client("sqs").send_message(QueueUrl=RESOURCES[queue], MessageBody=json.dumps(job), **order)


def a_job_in_the_queue_is_ingested_and_published_by_the_deployed_functions():
    early = request("v1/companies?search=kaese")
    check(early.is_problem(503, "service-unavailable"), early)
    bucket = boto3.client("s3")
    bucket.put_object(Bucket=RESOURCES["Bucket"], Key="incoming/zefix.json", Body=json.dumps(REGISTER))
    send("IngestQueue", FILE)
    send("IngestQueue", FILE)

    def published():
        found = request("v1/companies?search=kaese")
        check(found.status == 200 and found.body["total"] == 3, found)

    eventually(published)
    kept = bucket.list_objects_v2(Bucket=RESOURCES["Bucket"], Prefix="quarantine/zefix/")
    check(kept["KeyCount"] == 1, kept)


def more_generations_than_are_kept_can_be_published():
    for number in range(5):
        requested_at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 1))
        done = batch("Indexer", [{"job": "publish", "requested_at": requested_at}])
        check(done == [], done)
    bucket = boto3.client("s3")
    objects = bucket.list_objects_v2(Bucket=RESOURCES["Bucket"], Prefix="generations/")["Contents"]
    manifests = [it for it in objects if it["Key"].endswith("/manifest.json")]
    check(len(manifests) == 3, manifests)


def batch(function, jobs):
    """Invokes a function with a batch as Lambda does. Returns the ids of the messages to be retried."""
    records = [
        {
            "messageId": str(number),
            "receiptHandle": "receipt",
            "body": json.dumps(job),
            "attributes": {"ApproximateReceiveCount": "1"},
            "messageAttributes": {},
            "eventSource": "aws:sqs",
        }
        for number, job in enumerate(jobs)
    ]
    answer, failed = invoke(function, {"Records": records})
    check(not failed, answer)
    return [it["itemIdentifier"] for it in answer["batchItemFailures"]]


def roles_allow_only_what_functions_need():
    """Also: only the failed messages of a batch are retried."""
    again = batch("Ingest", [FILE, {"job": "unheard of"}])
    check(again == ["1"], again)
    again = batch("Ingest", [FILE | {"key": "elsewhere/file.json"}])
    check(again == ["0"], again)
    zefix = [it for it in request("v1/sync/status").body["pipelines"] if it["pipeline"] == "zefix"]
    check(zefix[0]["lastFailure"].endswith("did not answer"), zefix)
    refused = "not authorized to perform: s3:GetObject"
    check(refused in pathlib.Path("target/ci/ministack.log").read_text(), "the cause is in no log")


def the_health_check_succeeds():
    health = request("health")
    check(health.status == 200 and health.body["database"] == "connected", health)


def repeated_query_parameters_are_all_used():
    everything = request("v1/companies?search=kaese")
    check(everything.status == 200 and everything.body["total"] == 3, everything)
    some = request("v1/companies?search=k%C3%A4se&canton=ZH&canton=BE&sortBy=name")
    names = [it["name"] for it in some.body["items"]]
    check(names == ["Berner Käse AG", "Zürcher Käse AG"], some)


def a_company_and_similar_companies_are_found():
    record = request("v1/companies/CHE-600.000.012")
    check(record.body["name"] == "Zürcher Käse AG" and record.body["shareCapital"] == 100000, record)
    held = request("v1/companies/CHE-600.000.012", headers=CLIENT | {"if-none-match": record.headers["etag"]})
    check(held.status == 304, held)
    similar = request("v1/companies/CHE-600.000.012/similar")
    check({it["canton"] for it in similar.body["results"]} == {"BE", "GE"}, similar)


def errors_are_problems_with_rate_limit_headers():
    nobody = request("v1/usage/current")
    check(nobody.is_problem(401, "unauthorized"), nobody)
    check(request("v1/usage/current", key="gth_live_wrong").is_problem(401, "unauthorized"), "a wrong key")
    unknown = request("v1/companies/CHE-000.000.000")
    check(unknown.is_problem(404, "not-found"), unknown)
    check(unknown.body["instance"] == "/api/v1/companies/CHE-000.000.000", unknown)
    mistake = request("v1/companies?canton=XX")
    check(mistake.is_problem(400, "bad-request"), mistake)
    for answer in (nobody, unknown, mistake):
        for name in ("group", "window", "limit", "remaining", "reset"):
            check(f"x-ratelimit-{name}" in answer.headers, (name, answer))
        check(answer.headers["x-request-id"] and "ratelimit-policy" in answer.headers, answer)


def unknown_paths_and_methods_reach_the_public_function():
    """Invokes the function directly: the emulator does not support the method `ANY` of the catch-all paths."""
    for method, path, status, member, value in [
        ("GET", "/", 404, "content-type", "application/problem+json"),
        ("GET", "/v1/nowhere", 404, "content-type", "application/problem+json"),
        ("POST", "/v1/companies", 405, "allow", "GET,HEAD"),
        ("OPTIONS", "/v1/companies", 200, "access-control-allow-methods", "GET,POST,PUT,DELETE"),
    ]:
        answer, failed = invoke("Public", gateway_event.event(method, path))
        check(not failed and answer["statusCode"] == status, answer)
        check(answer["multiValueHeaders"][member] == [value], answer)


def a_key_is_created_used_and_revoked():
    made = request("v1/api-keys", "POST", KEYS["starter"], {"name": "Käser", "scopes": ["read"]})
    check(made.status == 201 and made.body["name"] == "Käser", made)
    usage = request("v1/usage/current", key=made.body["key"])
    check(usage.status == 200 and usage.body["tier"] == "starter", usage)
    gone = request(f"v1/api-keys/{made.body['id']}", "DELETE", KEYS["starter"])
    check(gone.status == 204, gone)
    listed = request("v1/api-keys", key=KEYS["starter"])
    check([it["status"] for it in listed.body if it["id"] == made.body["id"]] == ["revoked"], listed)


def a_request_with_an_idempotency_key_runs_once():
    once = CLIENT | {"idempotency-key": "the same"}
    first = request("v1/api-keys", "POST", KEYS["starter"], {"name": "once"}, once)
    again = request("v1/api-keys", "POST", KEYS["starter"], {"name": "once"}, once)
    check(first.status == 201 and again.is_problem(409, "idempotency-conflict"), (first, again))
    both = {"uids": ["CHE-600.000.012", "CHE-600.000.029"]}
    for replayed in (None, "true"):
        answer = request("v1/companies/compare", "POST", KEYS["starter"], both, once)
        check(answer.status == 200 and answer.body["uids"] == both["uids"], answer)
        check(answer.headers.get("idempotent-replayed") == replayed, answer)


def every_get_operation_works():
    company = "CHE-600.000.012"
    for resource, path, query, _ in example_requests(company):
        answer = request(f"{path[1:]}?{urllib.parse.urlencode(query)}", key=KEYS["professional"])
        # The example person is not in this register.
        expected = 404 if resource.startswith("/v1/persons/{id}") else 200
        check(answer.status == expected, (path, answer))
    for path in [f"v1/companies/{company}?asOf=2026-10-01", "v1/persons/search?q=Muster"]:
        check(request(path, key=KEYS["professional"]).status == 200, path)


def a_change_is_reviewed():
    change = request("v1/changes", key=KEYS["starter"]).body["items"][0]
    reviewed = request(f"v1/changes/{change['id']}/review", "PUT", KEYS["starter"])
    check(reviewed.status == 204, reviewed)
    unknown = request("v1/changes/00000000-0000-4000-8000-000000000000/review", "PUT", KEYS["starter"])
    check(unknown.is_problem(404, "not-found"), unknown)
    (noted,) = request(f"v1/changes/{change['id']}", key=KEYS["starter"]).body
    check("reviewedAt" in noted, noted)


def no_other_permission_was_missing():
    """Includes failures that are only logged, such as recording when a key was last used."""
    log = pathlib.Path("target/ci/ministack.log").read_text()
    refused = set(re.findall(r"not authorized to perform: (\w+:\w+)", log))
    check(refused == {"s3:GetObject"}, refused)
    used = [it["lastUsedAt"] for it in request("v1/api-keys", key=KEYS["professional"]).body]
    check(all(used), used)


def free_tier_allows_exactly_60_of_80_concurrent_requests():
    """Several processes of one function share the allowance, as on Lambda."""
    rest_of_the_hour = 3600 - time.time() % 3600
    if rest_of_the_hour < 20:
        time.sleep(rest_of_the_hour)
    with ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(lambda _: request("v1/companies/count", key=KEYS["free"]), range(80)))
    served = [it for it in answers if it.status == 200]
    remaining = sorted(int(it.headers["x-ratelimit-remaining"]) for it in served)
    check(remaining == list(range(60)), remaining)
    refused = [it for it in answers if it.status != 200]
    check(all(it.is_problem(429, "rate-limit-exceeded") for it in refused), refused)
    check(len(refused) == 20 and int(refused[0].headers["retry-after"]) > 0, refused)


hold(
    [
        a_job_in_the_queue_is_ingested_and_published_by_the_deployed_functions,
        more_generations_than_are_kept_can_be_published,
        roles_allow_only_what_functions_need,
        the_health_check_succeeds,
        repeated_query_parameters_are_all_used,
        a_company_and_similar_companies_are_found,
        errors_are_problems_with_rate_limit_headers,
        unknown_paths_and_methods_reach_the_public_function,
        a_key_is_created_used_and_revoked,
        a_request_with_an_idempotency_key_runs_once,
        every_get_operation_works,
        a_change_is_reviewed,
        free_tier_allows_exactly_60_of_80_concurrent_requests,
        no_other_permission_was_missing,
    ],
    hint="the functions' logs: target/ci/ministack.log",
)

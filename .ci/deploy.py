"""Deploys template.yaml to the second emulator, and tests the deployment.

usage: .ci/with-ministack target/ci/ministack/bin/python .ci/deploy.py                 (after `cargo build`)
       .ci/with-ministack target/ci/ministack/bin/python .ci/deploy.py target/lambda   (also after `sam build`)

A job in the queue makes `ingest` read a file from the bucket, another makes `indexer` publish it, and requests through
the gateway reach the other functions. The emulator enforces the functions' roles. tests/README.md lists what it
does not support. It runs the functions as processes of this machine; the arm64 binaries of `sam build` run with qemu on
other processors.
"""

import datetime
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import textwrap
import threading
import time
import tomllib
import urllib.error
import urllib.parse
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor

import boto3
import botocore.exceptions
import gateway_event
import restore
from claims import check, hold
from example_requests import belongs_to_team, example_requests

DEVELOPMENT_BUILD = pathlib.Path("target/debug")
BUILT = pathlib.Path(*sys.argv[1:] or [DEVELOPMENT_BUILD])
EMULATOR = "qemu-aarch64-static"
# The arm64 system libraries of Debian.
ARM64 = "/usr/aarch64-linux-gnu"
WORK = pathlib.Path("target/ci/deploy")
STACK = "gotthard"
PUBLIC_URL = "https://api.example/api"


def logical_names(kind):
    """The logical names of the functions in a folder."""
    declared = {it.parent.name: tomllib.loads(it.read_text()) for it in pathlib.Path("functions", kind).glob("*/deployment.toml")}
    return {it.get("resource") or name.title().replace("-", "") for name, it in declared.items()}


API = logical_names("api")
# What the operator's proxy adds to a request.
PROXY = {"x-proxy-secret": "the-secret-of-the-proxy", "x-client-address": "203.0.113.1"}


class Stripe(http.server.BaseHTTPRequestHandler):
    """The requests to the payment provider that the deployed function sends."""

    api_key, webhook_secret, subscription = "sk_test_deploy", "whsec_deploy", {}
    created = {
        "/v1/customers": {"id": "cus_1"},
        "/v1/checkout/sessions": {"id": "cs_1", "url": "https://checkout.stripe.com/c/pay/cs_1"},
        "/v1/billing_portal/sessions": {"id": "bps_1", "url": "https://billing.stripe.com/p/session/bps_1"},
    }

    def answer(self, body):
        allowed = self.headers["authorization"] == f"Bearer {self.api_key}"
        self.send_response(200 if allowed and body else 404)
        self.end_headers()
        self.wfile.write(json.dumps(body or {}).encode())

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.answer(self.created.get(self.path))

    def do_GET(self):
        self.answer(self.subscription if self.path == "/v1/subscriptions/sub_1" else None)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stripe)
threading.Thread(target=server.serve_forever, daemon=True).start()
Stripe.address = f"http://127.0.0.1:{server.server_port}"
STRIPE = Stripe


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
    # The emulator does not deploy schedules; the checks send the job.
    template, schedules = re.subn(r"  \w+:\n    Type: AWS::Scheduler::Schedule\n.*?\n\n", "", template, flags=re.S)
    assert schedules > 10, schedules
    # Its stacks support no alarms on several metrics together.
    template, alarms = re.subn(r"  ThrottledTablesAlarm:\n.*?\n\n", "", template, flags=re.S)
    assert alarms == 1, alarms
    # There is no CodeDeploy, and the transformation ignores the value of the parameter.
    assert template.count("Enabled: !Ref Canary\n") == len(API), template.count("Enabled: !Ref Canary\n")
    template = template.replace("Enabled: !Ref Canary\n", "Enabled: false\n")
    # The emulator finds the function only in the address of a buffered invocation. emulator.py reads the streamed answer.
    template = template.replace("/response-streaming-invocations", "/invocations")
    # The emulator is reached without TLS: requests with TLS are refused instead.
    tls = '"aws:SecureTransport": "false"'
    assert template.count(tls) == 1, template.count(tls)
    template = template.replace(tls, tls.replace("false", "true"))
    # The emulator's policies do not match a reference to a secret of the same stack.
    secrets = boto3.client("secretsmanager")
    session = secrets.create_secret(Name="session", SecretString="0123456789" * 7)["ARN"]
    assert template.count("!Ref SessionSecret") == 2, template.count("!Ref SessionSecret")
    template = template.replace("!Ref SessionSecret", session)
    sso = secrets.create_secret(Name="sso", SecretString="0123456789" * 7)["ARN"]
    assert template.count("!Ref SsoSecret") == 2, template.count("!Ref SsoSecret")
    template = template.replace("!Ref SsoSecret", sso)
    keys = secrets.create_secret(Name="api-keys", SecretString="0123456789" * 7)["ARN"]
    assert template.count("!Ref ApiKeySecret") == len(API) + 1, template.count("!Ref ApiKeySecret")
    template = template.replace("!Ref ApiKeySecret", keys)
    webhook = secrets.create_secret(Name="webhook", SecretString="0123456789" * 7)["ARN"]
    assert template.count("!Ref WebhookSecret") == 4, template.count("!Ref WebhookSecret")
    template = template.replace("!Ref WebhookSecret", webhook)
    page = "          BILLING_PAGE: !Ref BillingPage\n"
    assert template.count(page) == 1, template.count(page)
    template = template.replace(page, f"{page}          STRIPE_ADDRESS: {STRIPE.address}\n")
    (WORK / "template.yaml").write_text(template)

    artefacts = "artefacts"
    region = {"LocationConstraint": os.environ["AWS_REGION"]}
    boto3.client("s3").create_bucket(Bucket=artefacts, CreateBucketConfiguration=region)
    account = json.dumps({"username": "somebody", "password": "something"})
    zefix = secrets.create_secret(Name="zefix", SecretString=account)["ARN"]
    proxy = secrets.create_secret(Name="proxy", SecretString=PROXY["x-proxy-secret"])["ARN"]
    keys = json.dumps({"apiKey": STRIPE.api_key, "webhookSecret": STRIPE.webhook_secret})
    stripe = secrets.create_secret(Name="stripe", SecretString=keys)["ARN"]
    identity = boto3.client("sesv2").create_email_identity(EmailIdentity="example.ch")
    check(identity["IdentityType"] == "DOMAIN", identity)
    # The emulator checks the permission to send mail without a resource, which only this one matches.
    identity = "*"
    parameters = [f"PublicUrl={PUBLIC_URL}", "MailFrom=noreply@example.ch", f"MailIdentity={identity}"]
    parameters += [f"ZefixSecret={zefix}"]
    parameters += [f"StripeSecret={stripe}", "StripePrices=enterprise=price_1", "BillingPage=https://app.example/billing"]
    parameters += [f"ProxySecret={proxy}", "ClientAddressHeader=x-client-address"]
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
teams = subprocess.run([DEVELOPMENT_BUILD / "local", "create-teams", RESOURCES["Tenants"]], check=True, capture_output=True)
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
        return Answer(response.status, names, response.read().decode(errors="replace"))


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
        if found.status != 200:
            # The emulator has no schedules.
            send("IndexQueue", {"job": "publish_changes"})
        check(found.status == 200 and found.body["total"] == 3, found)

    eventually(published)
    kept = bucket.list_objects_v2(Bucket=RESOURCES["Bucket"], Prefix="quarantine/zefix/")
    check(kept["KeyCount"] == 1, kept)


def generations_of_the_last_day_are_kept():
    for number in range(5):
        requested_at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 1))
        done = batch("Indexer", [{"job": "publish", "requested_at": requested_at}])
        check(done == [], done)
    bucket = boto3.client("s3")
    objects = bucket.list_objects_v2(Bucket=RESOURCES["Bucket"], Prefix="generations/")["Contents"]
    manifests = [it for it in objects if it["Key"].endswith("/manifest.json")]
    check(len(manifests) > 5, manifests)


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
    """Also: only the failed messages of a batch are retried.

    The function asks for the size of the file first. The refusal of such a request has no text that could be found in
    a log."""
    again = batch("Ingest", [FILE, {"job": "unheard of"}])
    check(again == ["1"], again)
    again = batch("Ingest", [FILE | {"key": "elsewhere/file.json"}])
    check(again == ["0"], again)
    zefix = [it for it in request("v1/sync/status").body["pipelines"] if it["pipeline"] == "zefix"]
    check(zefix[0]["lastFailure"].endswith("did not answer"), zefix)


def the_health_check_succeeds():
    health = request("health")
    check(health.status == 200 and health.body["database"] == "connected", health)


def the_examples_that_try_a_new_version_reach_every_function():
    """Runs the code of the hook, without CodeDeploy, which the emulator does not have."""
    template = (WORK / "template.yaml").read_text()
    text = re.search(r"Handler: index.try_out\n.*?ZipFile: \|\n(.*?)\n\n  \w", template, re.S).group(1)
    code = {}
    exec(textwrap.dedent(text), code)  # noqa: S102
    functions = boto3.client("lambda")
    for function, requests in code["REQUESTS"].items():
        for asked in requests:
            reason = code["failure"](functions, RESOURCES[function], "live", asked)
            check(reason is None, (function, asked, reason))
    unknown = code["failure"](functions, RESOURCES["Public"], "live", "GET /nowhere")
    check(unknown is None, unknown)
    broken = code["event"]("GET /health") | {"httpMethod": 5}
    code["event"] = lambda _: broken
    check(code["failure"](functions, RESOURCES["Public"], "live", "GET /health"), "an event that no function understands")


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


def clients_behind_the_proxy_are_counted_by_the_address_that_it_states():
    forged = request("v1/companies/count", headers=CLIENT | {"x-client-address": "203.0.113.1"})
    check(forged.status == 200, forged)
    for remaining in ("59", "58"):
        answer = request("v1/companies/count", headers=CLIENT | PROXY)
        check(answer.headers["x-ratelimit-remaining"] == remaining, answer)


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


def a_dossier_is_written_at_once_and_by_the_worker():
    key = KEYS["professional"]
    body = {"uid": "CHE-600.000.012", "level": "summary"}
    written = request("v1/dossiers", "POST", key, body)
    check(written.status == 201 and "[[obl:ev-1]]" in written.body["content"], written)
    accepted = request("v1/dossiers", "POST", key, {**body, "language": "fr"}, dict(CLIENT) | {"prefer": "respond-async"})
    check(accepted.status == 202 and accepted.body["status"] == "pending", accepted)
    dossier = f"v1/dossiers/{accepted.body['id']}"

    def completed():
        answer = request(dossier, key=key)
        check(answer.status == 200 and answer.body["status"] == "completed", answer)
        return answer.body

    check(eventually(completed)["content"].startswith("## L’essentiel"), dossier)
    for path in (dossier, f"v1/dossiers/{written.body['id']}"):
        check(request(path, "DELETE", key).status == 204, path)
        check(request(path, key=key).status == 404, path)


def an_export_is_written_read_and_deleted():
    key = KEYS["enterprise"]
    snapshots = request("v1/snapshots", key=key)
    check(snapshots.status == 200 and snapshots.body[0]["files"][0]["sha256"], snapshots)
    uids = ["CHE-600.000.012", "CHE-600.000.029"]
    filtered = {"format": "csv", "canton": request(f"v1/companies/{uids[0]}", key=key).body["canton"], "fields": ["uid"]}
    profiles = {"uids": uids, "includeBoard": True, "includeTimeline": True}
    for path, body in (("v1/exports", filtered), ("v1/exports", {"format": "parquet"}), ("v1/exports/bulk-profiles", profiles)):
        created = request(path, "POST", key, body)
        check(created.status == 202, created)
        export = f"v1/exports/{created.body['id']}"

        def completed():
            answer = request(export, key=key)
            check(answer.status == 200 and answer.body["job"]["status"] == "completed", answer)
            return answer.body

        found = eventually(completed)
        check(found["job"]["totalRows"] >= 1 and (body.get("format") == "parquet" or uids[0] in found["data"]), found)
        check(request(export, "DELETE", key).status == 204, export)
        check(request(export, key=key).status == 404, export)
    # Also deletes the files.
    check(batch("BulkExport", [{"job": "sweep"}]) == [], "sweep")
    left = boto3.client("s3").list_objects_v2(Bucket=RESOURCES["Bucket"], Prefix="exports/")
    check(left["KeyCount"] == 0, left)


def a_screening_list_is_published_and_names_are_screened():
    key = "screening/files/seco.xml"
    listed = pathlib.Path("shared/rules/sources/fixtures/lists/seco.xml").read_bytes()
    boto3.client("s3").put_object(Bucket=RESOURCES["Bucket"], Key=key, Body=listed)
    # The invented list is shorter than the official one.
    job = {"job": "import_list", "format": "seco", "key": key, "accept_shrunk": True}
    send("ListsQueue", job)
    send("ListsQueue", job)

    def screened():
        subject = {"name": "Mikalaj Dovreshenka", "monitor": True}
        answer = request("v1/screening", "POST", KEYS["starter"], subject)
        check(answer.status == 200 and answer.body["riskLevel"] != "clear", answer)
        return answer.body

    found = eventually(screened)
    kept = request("v1/screenings", key=KEYS["starter"])
    check(kept.status == 200 and kept.body[0]["id"] == found["id"], kept)
    subjects = request("v1/screening/subjects", key=KEYS["starter"])
    check(subjects.status == 200 and subjects.body[0]["id"] == found["subjectId"], subjects)
    replayed = request(f"v1/screenings/{found['id']}/replay", "POST", KEYS["starter"], {})
    check(replayed.status == 200 and replayed.body["isIdentical"], replayed)


def every_get_operation_works():
    company = "CHE-600.000.012"
    for resource, path, query, _ in example_requests(company):
        answer = request(f"{path[1:]}?{urllib.parse.urlencode(query)}", key=KEYS["enterprise"])
        # The example person is not in this register.
        is_missing = resource.startswith("/v1/persons/{id}") or belongs_to_team(resource)
        expected = 404 if is_missing else 200
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


def a_team_keeps_what_it_creates():
    """Every resource is written and deleted with the permissions of the deployed function."""
    key, company = KEYS["professional"], "CHE-600.000.012"
    pipeline = created("v1/pipelines", {"name": "Clients"})
    search = created("v1/saved-searches", {"name": "Zürich", "searchParams": {"canton": "ZH"}, "isScheduled": True})
    alert = created("v1/alerts", {"name": "Zürich", "queryParams": {"canton": "ZH"}})
    for method in ("POST", "GET"):
        run = request(f"{search}/run", method, key)
        check(run.status == 200 and run.body["total"] == 1, run)
    again = request(search, "PUT", key, {"scheduleFrequency": "weekly"})
    check(again.status == 200 and again.body["lastResultCount"] == 1, again)
    watchlist = created("v1/watchlists", {"name": "Suppliers"})
    listed = request(f"{watchlist}/companies", "POST", key, {"uids": [company]})
    check(listed.status == 200 and listed.body == {"added": 1}, listed)
    watched = request("v1/watches", "POST", key, {"companyUid": company})
    check(watched.status == 201, watched)
    events = request(f"{watchlist}/events", key=key)
    check(events.status == 200, events)
    resources = [
        f"{watchlist}/companies/{company}",
        watchlist,
        f"v1/watches/{company}",
        created(f"v1/companies/{company}/notes", {"content": "Call back."}),
        created(f"v1/companies/{company}/tags", {"tagName": "High risk"}),
        created(f"{pipeline}/entries", {"companyUid": company}),
        pipeline,
        alert,
        search,
    ]
    tagged = request("v1/companies?tag=high+risk", key=key)
    check(tagged.status == 200 and tagged.body["total"] == 1, tagged)
    stored = request("v1/settings/preferences", "PUT", key, {"theme": "dark"})
    check(stored.status == 200, stored)
    for resource in resources:
        deleted = request(resource, "DELETE", key)
        check(deleted.status == 204, (resource, deleted))


def a_due_search_runs_and_notifies_of_what_is_new():
    """The emulator has no schedules, and the clock cannot be moved: the schedule of an alert is made due."""
    key, table = KEYS["professional"], RESOURCES["Tenants"]
    created("v1/companies/CHE-600.000.012/tags", {"tagName": "VIP"})
    alert = created("v1/alerts", {"name": "VIPs", "queryParams": {"tag": "vip"}, "frequency": "hourly"})
    identifier, past = alert.split("/")[-1], "2026-01-01T00:00:00Z"
    tables = boto3.client("dynamodb")
    items = tables.scan(TableName=table)["Items"]
    (stored,) = (it for it in items if it["sk"]["S"] == f"ALERT#{identifier}")
    (due,) = (it for it in items if it["pk"]["S"].startswith("DUE#") and identifier in it["sk"]["S"])
    job = json.loads(due["document"]["S"])
    job["at"] = job["schedule"]["since"] = past
    sort = past + "#" + due["sk"]["S"].split("#", 1)[1]
    tables.put_item(TableName=table, Item=due | {"sk": {"S": sort}, "document": {"S": json.dumps(job)}})
    content = json.loads(stored["document"]["S"]) | {"createdAt": past}
    tables.put_item(TableName=table, Item=stored | {"document": {"S": json.dumps(content)}})

    def counts(results, triggers):
        (found,) = (it for it in request("v1/alerts", key=key).body if it["id"] == identifier)
        check((found.get("lastResultCount"), found["triggerCount"]) == (results, triggers), found)

    send("ScheduleQueue", {"job": "send_due"})
    eventually(lambda: counts(1, 0))
    created("v1/companies/CHE-600.000.029/tags", {"tagName": "VIP"})
    later = {"job": "run", "team": job["team"], "environment": "live", "search": job["search"], "period": "2999-01-01T00:00:00Z"}
    for _ in range(2):
        send("SearchesQueue", later)
    eventually(lambda: counts(2, 1))
    new = [it for it in request("v1/notifications", key=key).body["items"] if it["category"] == "alert"]
    check(len(new) == 1 and "Berner Käse AG" in new[0]["body"], new)
    check(request(alert, "DELETE", key).status == 204, alert)


def the_delivery_reads_the_feed_and_notifications_can_be_read():
    """The emulator has no schedules. A scheduled job has a further member."""
    key, uid = KEYS["professional"], "CHE-600.000.012"
    check(request("v1/watches", "POST", key, {"companyUid": uid}).status == 201, uid)
    jobs = [{"job": "notify_watchers", "execution": "1"}, {"job": "notify_watchers"}]
    again = batch("Deliverer", jobs)
    check(again == [], again)
    check(request("v1/notifications/test", "POST", key).status == 200, "a test notification")
    unread = request("v1/notifications?unread=true", key=key)
    check(unread.status == 200 and unread.body["unreadCount"] > 0, unread)
    marked = request("v1/notifications/read", "POST", key, {"all": True})
    check(marked.status == 200 and marked.body["updated"] == unread.body["unreadCount"], marked)
    check(request("v1/notifications/preferences", "PUT", key, {"isEnabled": True}).status == 200, "preferences")
    check(request(f"v1/watches/{uid}", "DELETE", key).status == 204, uid)


def mails():
    """All mails that were sent, as text."""
    return urllib.request.urlopen(f"{os.environ['AWS_ENDPOINT_URL']}/_ministack/ses/messages").read().decode()


def newest_token(operation):
    """The token of the newest link to an operation in a mail."""
    return re.findall(rf"{operation}\?token=([\w-]{{43}})", mails())[-1]


def notifications_are_sent_by_mail():
    """In a digest, whose schedule is made due, and at once."""
    key, table = KEYS["professional"], RESOURCES["Tenants"]
    preferences = "v1/notifications/preferences"
    digest = {"channel": "Email", "emailAddress": "alerts@example.ch", "deliveryMode": "DailyDigest"}
    check(request(preferences, "PUT", key, digest).status == 200, digest)
    confirmed = request(f"v1/notifications/confirm-email?token={newest_token('confirm-email')}", "POST")
    check(confirmed.status == 200, confirmed)
    check("emailConfirmedAt" in request(preferences, key=key).body, "not confirmed")
    check(request(preferences, "PUT", key, {"language": "fr"}).status == 200, "language")

    def test(expected):
        answer = request("v1/notifications/test", "POST", key)
        check(expected in answer.body["message"], answer)

    eventually(lambda: test("next digest"))
    tables = boto3.client("dynamodb")
    (due,) = (it for it in tables.scan(TableName=table)["Items"] if "#digest#" in it["sk"]["S"])
    past = "2026-01-01T00:00:00Z"
    job = json.loads(due["document"]["S"]) | {"at": past}
    tables.delete_item(TableName=table, Key={it: due[it] for it in ("pk", "sk")})
    sort = past + "#" + due["sk"]["S"].split("#", 1)[1]
    tables.put_item(TableName=table, Item=due | {"sk": {"S": sort}, "document": {"S": json.dumps(job)}})
    send("ScheduleQueue", {"job": "send_due"})
    eventually(lambda: check("Une notification le" in mails(), mails()))
    check(request(preferences, "PUT", key, {"deliveryMode": "Immediate"}).status == 200, "at once")
    eventually(lambda: test("sent by e-mail"))
    eventually(lambda: check(mails().count("Notification de test") > 2, mails()))
    ended = request(f"v1/notifications/unsubscribe?token={newest_token('unsubscribe')}", "POST")
    check(ended.status == 200 and request(preferences, key=key).body["channel"] == "InApp", ended)


def a_bounce_ends_the_mails_to_an_address():
    address = "gone@example.ch"
    mail = {"timestamp": "2026-01-01T00:00:00Z", "messageId": "gone", "destination": [address]}
    now = datetime.datetime.now(datetime.timezone.utc).isoformat()
    event = {"eventType": "Bounce", "bounce": {"bounceType": "Permanent", "timestamp": now}, "mail": mail}
    # The queue has no groups.
    boto3.client("sqs").send_message(QueueUrl=RESOURCES["FeedbackQueue"], MessageBody=json.dumps(event))
    partition = f"SUPPRESSED#{hashlib.sha256(address.encode()).hexdigest()}"
    key = {"pk": {"S": partition}, "sk": {"S": "SUPPRESSED"}}
    tables, table = boto3.client("dynamodb"), RESOURCES["Tenants"]
    eventually(lambda: check("Item" in tables.get_item(TableName=table, Key=key), partition))
    sent = request("v1/auth/magic-link", "POST", body={"email": address})
    check(sent.status == 202 and address not in mails(), sent)


def created(collection, body):
    """The path of a new resource."""
    answer = request(collection, "POST", KEYS["professional"], body)
    check(answer.status == 201, (collection, answer))
    return f"{collection}/{answer.body['id']}"


def signed_in(email):
    """The token of a new session, from the link in a mail."""
    sent = request("v1/auth/magic-link", "POST", body={"email": email})
    check(sent.status == 202, sent)
    answer = request("v1/auth/magic-link/verify", "POST", body={"token": newest_token("verify")})
    check(answer.status == 200, answer)
    return answer.body["token"]


def a_user_signs_in_and_manages_a_team():
    """Every kind of account data is written with the permissions of the deployed function."""
    owner, guest = signed_in("owner@example.ch"), signed_in("guest@example.ch")
    for path in ("v1/auth/me", "v1/companies/count", "v1/changes", "v1/companies/CHE-600.000.012/events"):
        answer = request(path, key=owner)
        check(answer.status == 200, (path, answer))
    invited = request("v1/teams/me/members", "POST", owner, {"email": "guest@example.ch", "role": "admin"})
    check(invited.status == 201, invited)
    joined = request("v1/teams/join", "POST", guest, {"token": invited.body["token"]})
    check(joined.status == 200 and joined.body["role"] == "admin", joined)
    switched = request("v1/auth/switch-team", "POST", guest, {"teamId": joined.body["teamId"]})
    check(switched.status == 200, switched)
    guest, id = switched.body["token"], switched.body["user"]["id"]
    changed = request(f"v1/teams/me/members/{id}", "PUT", owner, {"role": "owner"})
    check(changed.status == 200, changed)
    check(len(request("v1/teams/me/members", key=owner).body) == 2, "two members")
    for path, method, key in [("v1/teams/me/leave", "POST", guest), ("v1/auth/logout", "POST", owner)]:
        check(request(path, method, key).status == 204, path)


def a_webhook_is_created_and_a_change_delivered_to_it():
    """Its receiver cannot be reached: what matters are the permissions of the functions."""
    key, today = KEYS["professional"], time.strftime("%Y-%m-%d", time.gmtime())
    made = request("v1/webhooks", "POST", key, {"url": "https://webhooks.invalid/hook", "watchedOnly": True})
    check(made.status == 201 and made.body["signingSecret"].startswith("whsec_"), made)
    webhook = f"v1/webhooks/{made.body['webhook']['id']}"
    check(made.body["webhook"]["verified"] is False, made)
    asked = request(f"{webhook}/verify", "POST", key)
    check(asked.status == 200 and "cannot be reached" in asked.body["error"], asked)
    check(request(f"{webhook}/test", "POST", key).status == 409, webhook)
    identifier, table = webhook.split("/")[-1], RESOURCES["Tenants"]
    tables = boto3.client("dynamodb")
    (state,) = (it for it in tables.scan(TableName=table)["Items"] if it["sk"]["S"] == "STATE" and identifier in it["pk"]["S"])
    # As if the receiver had returned the challenge.
    proof = {"url": "https://webhooks.invalid/hook", "verifiedAt": "2026-11-01T00:00:00Z"}
    tables.put_item(TableName=table, Item=state | {"document": {"S": json.dumps({"failures": 0, "verification": proof})}})
    tested = request(f"{webhook}/test", "POST", key)
    check(tested.status == 200 and not tested.body["success"], tested)
    rotated = request(f"{webhook}/rotate", "POST", key, {"signatureScheme": "v1a"})
    check(rotated.status == 200 and rotated.body["publicKey"].startswith("whpk_"), rotated)

    uid = "CHE-600.000.029"
    check(request("v1/watches", "POST", key, {"companyUid": uid}).status == 201, uid)
    moved = ENTERED | {
        "sogcDate": today,
        "sogcId": 1006012346,
        "registryOfCommerceCanton": "BE",
        "message": "Berner Käse AG, in Bern, CHE-600.000.029, Aktiengesellschaft. Domizil neu: Neue Strasse 1, 3011 Bern.",
        "mutationTypes": [{"id": 4, "key": "adressaenderung"}],
    }
    changed = company("600000029", "Berner Käse AG", "BE", sogcPub=[moved]) | {"sogcDate": today}
    file = "incoming/changed.json"
    boto3.client("s3").put_object(Bucket=RESOURCES["Bucket"], Key=file, Body=json.dumps([changed]))
    send("IngestQueue", FILE | {"key": file})

    def attempted(event_type, number):
        again = batch("Deliverer", [{"job": "notify_watchers"}])
        check(again == [], again)
        made = request(f"{webhook}/deliveries", key=key).body
        found = [it for it in made if it["eventType"].startswith(event_type) and it["attempt"] == number]
        check(found and "cannot be reached" in found[0]["errorMessage"], made)

    eventually(lambda: attempted("ch.gotthard.company.", 1))
    again = batch("Scheduler", [{"job": "send_due_webhooks"}])
    check(again == [], again)
    hour_ago = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 3600))
    replayed = request(f"{webhook}/replay", "POST", key, {"from": hour_ago})
    check(replayed.status == 202, replayed)
    items = tables.scan(TableName=table)["Items"]
    (replay,) = (it for it in items if it["sk"]["S"] == "REPLAY" and identifier in it["pk"]["S"])
    team = replay["pk"]["S"].split("#")[1]
    job = {"job": "deliver", "team": team, "environment": "live", "webhook": identifier}
    check(batch("Webhooks", [job]) == [], job)
    # As if the receiver had answered 410.
    state = {"failures": 1, "verification": proof, "disabled": {"at": hour_ago, "reason": "gone", "isNotified": False}}
    state = {"pk": replay["pk"], "sk": {"S": "STATE"}, "document": {"S": json.dumps(state)}}
    tables.put_item(TableName=table, Item=state)
    check(batch("Webhooks", [job]) == [], job)
    check(request(webhook, key=key).body["status"] == "disabled", webhook)
    told = [it for it in request("v1/notifications?limit=100", key=key).body["items"] if it["category"] == "webhook"]
    check(len(told) == 1, told)
    active = request(webhook, "PUT", key, {"status": "active", "companyFilters": [uid]})
    check(active.status == 200 and active.body["status"] == "active", active)
    check(request(webhook, "DELETE", key).status == 204, webhook)
    check(request(f"v1/watches/{uid}", "DELETE", key).status == 204, uid)


def a_team_sets_up_single_sign_on():
    """There is no identity provider on the internet that the emulator could ask: the settings are stored as if one had
    answered, and a sign-in is the transaction of `store`."""
    email = "sso@example.ch"
    owner = signed_in(email)
    me = request("v1/auth/me", key=owner).body
    team = me["team"]["id"]
    settings = {"issuer": "https://provider.invalid", "clientId": "client", "domains": ["example.ch"]}
    small = request("v1/teams/me/sso", "PUT", owner, settings)
    check(small.is_problem(403, "tier-not-unlocked"), small)
    table = RESOURCES["Tenants"]
    command = [DEVELOPMENT_BUILD / "local", "change-team", table, team, "--tier", "enterprise"]
    subprocess.run(command, check=True, capture_output=True)
    # The functions remember callers for a minute, but not this one.
    owner = signed_in(email)
    check(request("v1/teams/me/sso", key=owner).is_problem(404, "not-found"), "not set up")
    for issuer in ("https://169.254.169.254", "https://localhost", "https://provider.invalid"):
        settings = {"issuer": issuer, "clientId": "client", "domains": ["example.ch"]}
        refused = request("v1/teams/me/sso", "PUT", owner, settings)
        check(refused.is_problem(400, "bad-request") and refused.body["errors"][0]["member"] == "issuer", refused)
    seen = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    domain = {"domain": "example.ch", "challenge": "gotthard-challenge", "seenAt": seen}
    settings = {"issuer": "https://provider.invalid", "clientId": "client", "hasClientSecret": False, "domains": [domain]}
    settings |= {"choice": "choice", "chosenBy": {"user": me["user"]["id"], "since": seen}}
    settings |= {"updatedBy": {"type": "user", "id": me["user"]["id"]}, "updatedAt": seen}
    for partition, sort, document in [
        (f"TEAM#{team}#live", "SSO", settings),
        ("SSO#DOMAIN#example.ch", "DOMAIN", {"team": team}),
    ]:
        item = {"pk": {"S": partition}, "sk": {"S": sort}, "document": {"S": json.dumps(document)}, "revision": {"N": "1"}}
        boto3.client("dynamodb").put_item(TableName=table, Item=item)
    verified = request("v1/teams/me/sso/verify", "POST", owner)
    check(verified.status == 200 and verified.body["domains"][0]["status"] == "verified", verified)
    started = request("v1/auth/sso/example.ch")
    check(started.is_problem(503, "service-unavailable"), started)
    check(request("v1/teams/me/sso", "DELETE", owner).status == 204, "removed")
    check(request("v1/auth/sso/example.ch").is_problem(404, "not-found"), "the domain is free")


def a_team_subscribes_and_its_audit_log_says_so():
    owner = signed_in("payer@example.ch")
    team = request("v1/teams/me", key=owner).body
    check(team["tier"] == "free", team)
    for path, body in [("checkout-session", {"tier": "enterprise"}), ("portal-session", {})]:
        page = request(f"v1/billing/{path}", "POST", owner, body)
        check(page.status == 200 and "stripe.com" in page.body["url"], page)
    STRIPE.subscription.update(
        id="sub_1",
        status="active",
        metadata={"team": team["id"]},
        items={"data": [{"price": {"id": "price_1"}, "current_period_end": 1798761600}]},
    )
    event = {"id": "evt_1", "type": "customer.subscription.created", "data": {"object": {"id": "sub_1"}}}
    seconds = str(int(time.time()))
    signed = f"{seconds}.{json.dumps(event)}".encode()
    signature = hmac.new(STRIPE.webhook_secret.encode(), signed, hashlib.sha256).hexdigest()
    forged = request("v1/webhooks/stripe", "POST", body=event, headers=CLIENT | {"stripe-signature": f"t={seconds},v1={'0' * 64}"})
    check(forged.is_problem(400, "bad-request"), forged)
    for _ in range(2):
        headers = CLIENT | {"stripe-signature": f"t={seconds},v1={signature}"}
        received = request("v1/webhooks/stripe", "POST", body=event, headers=headers)
        check(received.status == 200 and received.body == {"handled": True}, received)
    # The functions remember callers for a minute, but not this one.
    owner = signed_in("payer@example.ch")
    team = request("v1/teams/me", key=owner).body
    check((team["tier"], team["stripeSubscriptionId"]) == ("enterprise", "sub_1"), team)
    check(request("v1/teams/me", "PUT", owner, {"name": "Neu"}).status == 200, "a new name")
    log = request("v1/audit-log", key=owner).body
    found = [(it["action"], it["actor"]["type"], it["outcome"]) for it in log["items"]]
    check(("payment_event", "payment_provider", "succeeded") in found, found)
    check(("update_team", "user", "succeeded") in found, found)


def no_other_permission_was_missing():
    """Includes failures that are only logged, such as recording when a key was last used."""
    log = pathlib.Path("target/ci/ministack.log").read_text()
    refused = set(re.findall(r"not authorized to perform: (\w+:\w+)", log))
    check(not refused, refused)
    used = [it["lastUsedAt"] for it in request("v1/api-keys", key=KEYS["professional"]).body]
    check(all(used), used)


def with_permissions_of(function):
    """A client of DynamoDB with a copy of the function's role: only Lambda may assume the role itself."""
    iam = boto3.client("iam")
    policy = iam.get_role_policy(RoleName=RESOURCES[f"{function}Role"], PolicyName="own")["PolicyDocument"]
    trust = {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}
    trust = json.dumps({"Version": "2012-10-17", "Statement": [trust]})
    role = iam.create_role(RoleName=f"as-{function}", AssumeRolePolicyDocument=trust)["Role"]
    iam.put_role_policy(RoleName=role["RoleName"], PolicyName="own", PolicyDocument=json.dumps(policy))
    session = boto3.client("sts").assume_role(RoleArn=role["Arn"], RoleSessionName="test")["Credentials"]
    return boto3.client(
        "dynamodb",
        aws_access_key_id=session["AccessKeyId"],
        aws_secret_access_key=session["SecretAccessKey"],
        aws_session_token=session["SessionToken"],
    )


def functions_read_and_write_only_their_data_of_tenants():
    """The emulator evaluates the conditions on what .ci/emulator.py reads from the requests."""
    table = RESOURCES["Tenants"]
    items = boto3.client("dynamodb").scan(TableName=table)["Items"]
    (key, *_) = (it for it in items if it["pk"]["S"].startswith("TEAM#") and it["sk"]["S"].startswith("API-KEY#"))
    (entry, *_) = (it for it in items if it["pk"]["S"].startswith("AUDIT#"))
    (team, *_) = (it for it in items if it["sk"]["S"] == "TEAM" and it["pk"]["S"].count("#") == 1)

    def update(client, item, attribute):
        client.update_item(
            TableName=table,
            Key={name: item[name] for name in ("pk", "sk")},
            UpdateExpression="SET #it = :it",
            ExpressionAttributeNames={"#it": attribute},
            ExpressionAttributeValues={":it": {"S": "2026-01-01T00:00:00Z"}},
        )

    def put(client, partition):
        client.put_item(TableName=table, Item={"pk": {"S": partition}, "sk": {"S": "written by a test"}})

    def get(client, partition):
        client.get_item(TableName=table, Key={"pk": {"S": partition}, "sk": {"S": "read by a test"}})

    def query(client, partition):
        values = {":pk": {"S": partition}}
        client.query(TableName=table, KeyConditionExpression="pk = :pk", ExpressionAttributeValues=values)

    def sign_in(client, subject):
        """What a sign-in with an identity provider writes: see `sign_in_with_provider`."""
        partitions = ["SESSION#new", f"SSO#IDENTITY#{subject}", "TEAM#nobody#live", "USER#new", "EMAIL#new"]
        puts = [{"Put": {"TableName": table, "Item": {"pk": {"S": it}, "sk": {"S": "new"}}}} for it in partitions]
        count = {
            "TableName": table,
            "Key": {"pk": {"S": "TEAM#nobody#live"}, "sk": {"S": "NUMBER#MEMBER#"}},
            "UpdateExpression": "ADD #count :one",
            "ExpressionAttributeNames": {"#count": "count"},
            "ExpressionAttributeValues": {":one": {"N": "1"}},
        }
        client.transact_write_items(TransactItems=puts + [{"Update": count}])

    def delete(client, item):
        client.delete_item(TableName=table, Key={name: item[name] for name in ("pk", "sk")})

    everyone, workers = API, logical_names("workers")
    clients = {function: with_permissions_of(function) for function in everyone | workers}
    for may, write, *what in [
        (everyone, update, key, "lastUsedAt"),
        (set(), update, key, "credential"),
        (set(), update, team, "tier"),
        (set(), put, team["pk"]["S"]),
        ({"Payments"}, put, "SUBSCRIPTION#nobody"),
        ({"Payments"}, put, "PAYMENT-EVENT#nobody"),
        # What only some functions read.
        (everyone | {"Deliverer", "NotificationMails", "SavedSearches", "Scheduler", "ScreeningUpdates", "Webhooks"}, get, "TEAM#nobody"),
        ({"Account", "Scheduler"}, get, "AUDIT#nobody#live"),
        ({"Account", "Scheduler"}, query, "AUDIT#nobody#live"),
        ({"Account", "NotificationMails", "Scheduler"}, get, "EMAIL#nobody"),
        ({"Account", "Scheduler"}, get, "INVITATION#nobody"),
        ({"Account", "Scheduler"}, get, "MAGIC-LINK#nobody"),
        ({"Account", "Bulk", "Scheduler", "Screenings", "ScreeningUpdates"}, get, "SCREENING#nobody#live"),
        ({"Account", "Deliverer", "NotificationMails", "SavedSearches", "Scheduler", "ScreeningUpdates", "Webhooks"}, get, "NOTIFICATIONS#nobody#live"),
        # Entries of the audit log are only added.
        ({"MethodologyRead", "ExpensiveAi", "Account", "Screenings", "Bulk", "Payments"}, put, "AUDIT#nobody#live"),
        (set(), update, entry, "document"),
        (set(), delete, entry),
        # The list of erasures, to which items are only added, and their progress.
        ({"Account", "Scheduler"}, put, "ERASED#nobody"),
        (set(), delete, {"pk": {"S": "ERASED#nobody"}, "sk": {"S": "new"}}),
        ({"Account", "Scheduler"}, put, "ERASING"),
        ({"SearchRead", "StandardRead", "MethodologyRead", "ExpensiveAi", "Account", "Screenings", "Bulk", "Payments"}, put, "IDEMPOTENCY#nobody#live"),
        ({"Screenings", "Bulk", "ScreeningUpdates"}, put, "SCREENING#nobody#live"),
        ({"Screenings", "ScreeningUpdates"}, put, "SUBJECTS#nobody#live"),
        ({"ScreeningUpdates"}, put, "RESCREENED"),
        ({"Account"}, put, "TEAM#nobody#live"),
        ({"Account"}, put, "KEY#nobody"),
        ({"Account", "Scheduler"}, put, "DUE#0"),
        ({"SearchRead", "Account", "SavedSearches"}, put, "SEARCHES#nobody#live"),
        ({"Account", "SavedSearches", "ScreeningUpdates", "NotificationMails", "Deliverer", "Webhooks"}, put, "NOTIFICATIONS#nobody#live"),
        ({"Account", "NotificationMails"}, put, "MAIL-LINK#nobody"),
        ({"Account", "MailFeedback"}, put, "SUPPRESSED#nobody"),
        ({"Account", "Deliverer", "SavedSearches", "ScreeningUpdates", "Webhooks"}, put, "WEBHOOK#nobody#live#x"),
        ({"Account"}, put, "WEBHOOKS#nobody#live"),
        ({"Account"}, put, "WEBHOOKS"),
        ({"ExpensiveAi", "Dossiers"}, put, "DOSSIERS#nobody#live"),
        ({"Bulk", "BulkExport"}, put, "EXPORTS#nobody#live"),
        ({"Bulk", "BulkExport"}, put, "EXPORT-DUE"),
        ({"Account"}, put, "SESSION#nobody"),
        ({"Account"}, put, "SESSION-KEYS"),
        ({"Account"}, put, "SSO#ATTEMPT#nobody"),
        ({"Account"}, put, "SSO#DOMAIN#nobody"),
        ({"Account"}, put, "SSO#ENDED#nobody"),
        ({"Account"}, sign_in, "nobody"),
        ({"Account"}, put, "USER#nobody"),
    ]:
        written = set()
        for function, client in clients.items():
            try:
                write(client, *what)
                written.add(function)
            except botocore.exceptions.ClientError as refusal:
                check(refusal.response["Error"]["Code"] == "AccessDeniedException", refusal)
        check(written == may, (write.__name__, what, written))


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


def what_was_deleted_is_restored_from_a_backup():
    dynamodb, table = boto3.client("dynamodb"), RESOURCES["Tenants"]
    erased = {"pk": "ERASED#hash", "sk": "ERASED", "document": "in the backup"}
    for item in (erased, {"pk": "ERASING", "sk": "ERASURE#user#u"}):
        boto3.resource("dynamodb").Table(table).put_item(Item=item)
    backup = dynamodb.create_backup(TableName=table, BackupName="before")["BackupDetails"]["BackupArn"]
    everything = list(restore.items(table))
    before = [it for it in everything if not restore.is_search(it)]
    check(before, "nothing to restore")
    with boto3.resource("dynamodb").Table(table).batch_writer() as writer:
        for item in everything:
            writer.delete_item(Key={"pk": item["pk"], "sk": item["sk"]})
        writer.put_item(Item={"pk": "LATER", "sk": "than the backup"})
    # The list of erasures is kept, and how far was searched is not.
    for item in (erased | {"document": "newer"}, {"pk": "ERASING", "sk": "SWEEP"}):
        boto3.resource("dynamodb").Table(table).put_item(Item=item)
    dynamodb.restore_table_from_backup(TargetTableName="restored", BackupArn=backup)
    dynamodb.get_waiter("table_exists").wait(TableName="restored")
    check(len(list(restore.missing("restored", table))) == len(before) - 1, "nothing was deleted")
    check(restore.copy("restored", table) == len(before) - 1, "not all were copied")
    check(restore.find(boto3.resource("dynamodb").Table(table), erased)["document"] == "newer", "the list of erasures was replaced")
    check(not any(map(restore.is_search, restore.items(table))), "the search starts again")
    check(not list(restore.missing("restored", table)), "not all arrived")
    check(len(list(restore.items(table))) == len(before) + 1, "newer items are kept")
    check(restore.delete_others("restored", table) == 1, "newer items are deleted")
    check(len(list(restore.items(table))) == len(before), "others are kept")


hold(
    [
        a_job_in_the_queue_is_ingested_and_published_by_the_deployed_functions,
        generations_of_the_last_day_are_kept,
        roles_allow_only_what_functions_need,
        the_health_check_succeeds,
        repeated_query_parameters_are_all_used,
        a_company_and_similar_companies_are_found,
        errors_are_problems_with_rate_limit_headers,
        clients_behind_the_proxy_are_counted_by_the_address_that_it_states,
        unknown_paths_and_methods_reach_the_public_function,
        a_key_is_created_used_and_revoked,
        a_request_with_an_idempotency_key_runs_once,
        a_dossier_is_written_at_once_and_by_the_worker,
        an_export_is_written_read_and_deleted,
        a_screening_list_is_published_and_names_are_screened,
        the_examples_that_try_a_new_version_reach_every_function,
        every_get_operation_works,
        a_change_is_reviewed,
        a_team_keeps_what_it_creates,
        the_delivery_reads_the_feed_and_notifications_can_be_read,
        a_due_search_runs_and_notifies_of_what_is_new,
        notifications_are_sent_by_mail,
        a_bounce_ends_the_mails_to_an_address,
        a_user_signs_in_and_manages_a_team,
        a_webhook_is_created_and_a_change_delivered_to_it,
        a_team_sets_up_single_sign_on,
        a_team_subscribes_and_its_audit_log_says_so,
        free_tier_allows_exactly_60_of_80_concurrent_requests,
        no_other_permission_was_missing,
        functions_read_and_write_only_their_data_of_tenants,
        what_was_deleted_is_restored_from_a_backup,
    ],
    hint="the functions' logs: target/ci/ministack.log",
)

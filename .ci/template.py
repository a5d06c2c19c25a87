"""Checks that template.yaml contains what the architecture requires.

usage: python .ci/template.py      (needs cfn-lint and cargo-lambda)

cfn-lint checks that the template is valid, and the deployment to an emulator that the functions work. This script
checks the rest: settings that the emulator ignores, and what no function may do. That a function has the permissions of its
declaration and no others is checked where they are generated (`infra/deployment`).
"""

import datetime
import functools
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import types
import unittest.mock
import urllib.error
import urllib.request

from cfnlint.decode import decode
from claims import check, hold

TEMPLATE, errors = decode("template.yaml")
assert not errors, errors
RESOURCES = TEMPLATE["Resources"]
GLOBALS = TEMPLATE["Globals"]["Function"]

TABLE, BUCKET = "AWS::DynamoDB::Table", "AWS::S3::Bucket"
FUNCTION, QUEUE = "AWS::Serverless::Function", "AWS::SQS::Queue"
MAPPING = "AWS::Lambda::EventSourceMapping"
ALARM, FILTER = "AWS::CloudWatch::Alarm", "AWS::Logs::MetricFilter"

NO_VALUE = {"Ref": "AWS::NoValue"}
# What every function of the API has, beside what its own declaration says.
OF_THE_API = tomllib.loads(pathlib.Path("functions/api/deployment.toml").read_text())["may"]


def of_type(kind):
    return {name: it["Properties"] for name, it in RESOURCES.items() if it["Type"] == kind}


def same(found, expected):
    check(found == expected, f"{found} instead of {expected}")


def constant(name, file="shared/data/store/src/table.rs"):
    """The value of a string constant in the code."""
    code = pathlib.Path(file).read_text()
    return re.search(rf'const {name}: &str = "(.*)";', code).group(1)


def tables_are_protected_from_deletion():
    same(set(of_type(TABLE)), {"Registry", "Tenants", "Counters"})
    for name, table in of_type(TABLE).items():
        # Counters may be lost.
        kept = name != "Counters"
        recovery = table.get("PointInTimeRecoverySpecification", {})
        same((name, recovery.get("PointInTimeRecoveryEnabled", False)), (name, kept))
        same((name, table.get("DeletionProtectionEnabled", False)), (name, kept))
        for policy in ("DeletionPolicy", "UpdateReplacePolicy"):
            same((name, RESOURCES[name][policy]), (name, "Retain" if kept else "Delete"))
        # DynamoDB encrypts without it, too; with it, each call would be charged by the key service.
        check("SSESpecification" not in table, name)
        same(table["BillingMode"], "PAY_PER_REQUEST")
        caps = {"MaxReadRequestUnits": {"Ref": "MostReadsPerSecond"}, "MaxWriteRequestUnits": {"Ref": "MostWritesPerSecond"}}
        same((name, table["OnDemandThroughput"]), (name, {"Fn::If": ["LimitsTables", caps, NO_VALUE]}))
        warm = {"ReadUnitsPerSecond": {"Ref": "WarmReadsPerSecond"}} if name == "Registry" else None
        same((name, table.get("WarmThroughput")), (name, warm and {"Fn::If": ["WarmsRegistry", warm, NO_VALUE]}))


def secrets_are_kept_with_the_data_that_needs_them():
    secrets = of_type("AWS::SecretsManager::Secret")
    check(secrets, "the template has secrets")
    for name in secrets:
        for policy in ("DeletionPolicy", "UpdateReplacePolicy"):
            same((name, RESOURCES[name].get(policy)), (name, "Retain"))


# Functions whose jobs lead to further jobs of themselves. Lambda ends a chain in which one is called more than 16 times.
# `tests/it/job_chains.rs` runs long chains, which have as many jobs as there are pages or parts, and shows that the others have two.
LONG_CHAINS, SHORT_CHAINS = {"Ingest", "ScreeningUpdates"}, {"BulkExport", "Deliverer"}


def only_bounded_chains_of_jobs_may_be_long():
    may = permissions()

    def queues(action):
        return {name: {where for where, actions in allowed.items() if action in actions} for name, allowed in may.items()}

    sent, received = queues("SendMessage"), queues("ReceiveMessage")
    follows = {name: {it for it in may if sent[name] & received[it]} for name in may}
    reached = {name: set(it) for name, it in follows.items()}
    for _ in may:
        for name in may:
            reached[name] |= {it for via in reached[name] for it in follows[via]}
    same({name for name in may if name in reached[name]}, LONG_CHAINS | SHORT_CHAINS)
    # A chain of several functions would be longer than the tests of each.
    same([(a, b) for a in may for b in reached[a] - {a} if a in reached[b]], [])
    allowed = {name for name, it in of_type(FUNCTION).items() if it.get("RecursiveLoop") == "Allow"}
    same(allowed, LONG_CHAINS)
    dropped = [it for it in of_type(ALARM).values() if it.get("MetricName") == "RecursiveInvocationsDropped"]
    same({it["Dimensions"][0]["Value"]["Ref"] for it in dropped}, SHORT_CHAINS)
    same({(it["Namespace"], it["Statistic"], it["Threshold"]) for it in dropped}, {("AWS/Lambda", "Sum", 0)})


def what_cannot_be_built_again_is_backed_up_also_in_another_region_if_the_operator_wants_it():
    names = ("BackupVault", "BackupPlan", "BackupSelection", "BackupRole")
    same({RESOURCES[it]["Condition"] for it in names}, {"HasBackups"})
    same({RESOURCES["BackupVault"][it] for it in ("DeletionPolicy", "UpdateReplacePolicy")}, {"Retain"})
    selection = RESOURCES["BackupSelection"]["Properties"]["BackupSelection"]
    kept = {name for name in [*of_type(TABLE), "Bucket"] if RESOURCES[name]["DeletionPolicy"] == "Retain"}
    same({resource_name(it) for it in selection["Resources"]}, kept)
    (rule,) = RESOURCES["BackupPlan"]["Properties"]["BackupPlan"]["BackupPlanRule"]
    condition, (copied,), otherwise = rule["CopyActions"]["Fn::If"]
    same((condition, copied["DestinationBackupVaultArn"], otherwise), ("CopiesBackups", {"Ref": "BackupCopyVault"}, NO_VALUE))
    same((rule["Lifecycle"], copied["Lifecycle"]), ({"DeleteAfterDays": {"Ref": "BackupDays"}},) * 2)


def tables_have_the_key_and_expiry_attributes_of_the_code():
    keys = [(constant("PARTITION"), "HASH"), (constant("SORT"), "RANGE")]
    for name, table in of_type(TABLE).items():
        same([(it["AttributeName"], it["KeyType"]) for it in table["KeySchema"]], keys)
        lives = {"AttributeName": constant("EXPIRES"), "Enabled": True}
        same((name, table.get("TimeToLiveSpecification")), (name, lives))


def the_bucket_is_private_and_encrypted_and_deletes_old_files():
    same(set(of_type(BUCKET)), {"Bucket"})
    bucket = of_type(BUCKET)["Bucket"]
    blocks = ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets")
    same(bucket["PublicAccessBlockConfiguration"], {it: True for it in blocks})
    same(bucket["OwnershipControls"]["Rules"], [{"ObjectOwnership": "BucketOwnerEnforced"}])
    (rule,) = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    same(rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"], "AES256")
    rules = {it["Id"]: it for it in bucket["LifecycleConfiguration"]["Rules"] if it["Status"] == "Enabled"}
    same(set(rules), {"unfinished-uploads", "files-that-were-read", "replaced-versions", "replaced-generations", "exports", "replaced-exports", "company-pdfs", "replaced-company-pdfs", "analyses", "replaced-analyses"})
    same(rules["unfinished-uploads"]["AbortIncompleteMultipartUpload"], {"DaysAfterInitiation": 1})
    read = rules["files-that-were-read"]
    same((read["Prefix"], read["ExpirationInDays"]), ("incoming/", 90))
    same(bucket["VersioningConfiguration"], {"Status": "Enabled"})
    replaced = rules["replaced-versions"]
    same((replaced["NoncurrentVersionExpiration"], replaced["ExpiredObjectDeleteMarker"]), ({"NoncurrentDays": 7}, True))
    check("Prefix" not in replaced, replaced)
    # Longer than an export and its file are kept.
    same((rules["exports"]["Prefix"], rules["exports"]["ExpirationInDays"]), ("exports/", 14))
    exports = rules["replaced-exports"]
    same((exports["Prefix"], exports["NoncurrentVersionExpiration"]), ("exports/", {"NoncurrentDays": 1}))
    same((rules["company-pdfs"]["Prefix"], rules["company-pdfs"]["ExpirationInDays"]), ("company-pdfs/", 30))
    files = rules["replaced-company-pdfs"]
    same((files["Prefix"], files["NoncurrentVersionExpiration"]), ("company-pdfs/", {"NoncurrentDays": 1}))
    same((rules["analyses"]["Prefix"], rules["analyses"]["ExpirationInDays"]), ("analyses/", 2))
    analyses = rules["replaced-analyses"]
    same((analyses["Prefix"], analyses["NoncurrentVersionExpiration"]), ("analyses/", {"NoncurrentDays": 1}))
    generations = rules["replaced-generations"]
    same((generations["Prefix"], generations["NoncurrentVersionExpiration"]), ("generations/", {"NoncurrentDays": 1}))
    same({RESOURCES["Bucket"][it] for it in ("DeletionPolicy", "UpdateReplacePolicy")}, {"Retain"})


def the_bucket_refuses_requests_without_tls():
    (policy,) = of_type("AWS::S3::BucketPolicy").values()
    same(policy["Bucket"], {"Ref": "Bucket"})
    (statement,) = policy["PolicyDocument"]["Statement"]
    same((statement["Effect"], statement["Principal"], statement["Action"]), ("Deny", "*", "s3:*"))
    same([resource_name(it) for it in statement["Resource"]], ["Bucket", "Bucket/*"])
    same(statement["Condition"], {"Bool": {"aws:SecureTransport": "false"}})


def functions_are_built_for_arm_and_their_logs_expire():
    same((GLOBALS["Runtime"], GLOBALS["Architectures"]), ("provided.al2023", ["arm64"]))
    same(GLOBALS["Tracing"], "Active")
    same(GLOBALS["LoggingConfig"], {"LogFormat": "JSON", "SystemLogLevel": "WARN"})
    binaries = {RESOURCES[it]["Metadata"]["BuildProperties"]["Binary"] for it in of_type(FUNCTION)}
    same(binaries, {it.parent.name for it in pathlib.Path("functions").glob("*/*/deployment.toml")})
    for name, function in of_type(FUNCTION).items():
        check(not {"Runtime", "Architectures", "Tracing"} & set(function), name)
        metadata = RESOURCES[name]["Metadata"]
        same(metadata["BuildMethod"], "rust-cargolambda")
        binary = metadata["BuildProperties"]["Binary"]
        check(list(pathlib.Path("functions").glob(f"*/{binary}/src/main.rs")), binary)
        # What the platform writes costs more than it tells, but for the use of memory of those who need most.
        level = {"SystemLogLevel": "INFO"} if name in ("Indexer", "ScreeningUpdates") else {}
        same((name, function["LoggingConfig"]), (name, level | {"LogGroup": {"Ref": f"{name}Logs"}}))
        logs = function["LoggingConfig"]["LogGroup"]["Ref"]
        same(RESOURCES[logs]["Properties"]["RetentionInDays"], {"Ref": "LogRetentionDays"})
    same(set(of_type("AWS::Logs::LogGroup")), {f"{it}Logs" for it in of_type(FUNCTION)} | {"GatewayLogs", "HoldBackLogs", "ProbeLogs", "TryOutLogs"})


def integrations():
    """What the gateway calls, by function."""
    paths = of_type("AWS::Serverless::Api")["Gateway"]["DefinitionBody"]["paths"]
    called = [method for path in paths.values() for name, method in path.items() if name != "options"]
    found = [method["x-amazon-apigateway-integration"] for method in called]
    named = re.compile(r"/functions/\$\{(\w+)\.Arn\}:live/")
    return {named.search(it["uri"]["Fn::Sub"]).group(1): it for it in found}


def a_probe_from_outside_fails_if_the_service_does():
    """Runs the code in the template against an invented service."""
    function = RESOURCES["Probe"]["Properties"]
    same(function["Handler"], "index.probe")

    def probed(answers, secret=""):
        """What was asked for, and the failure."""
        asked = []

        def urlopen(request, timeout):
            path = request.full_url.removeprefix("https://api.example/api")
            asked.append((path, request.get_header("Authorization")))
            if path not in answers:
                raise urllib.error.HTTPError(request.full_url, 503, "unavailable", {}, None)
            return io.StringIO(json.dumps(answers[path]))

        code = {}
        exec(function["Code"]["ZipFile"], code)  # noqa: S102
        code["os"] = types.SimpleNamespace(environ={"URL": "https://api.example/api", "KEY_SECRET": secret})
        code["print"] = lambda _: None
        code["urllib"] = types.SimpleNamespace(
            request=types.SimpleNamespace(Request=urllib.request.Request, urlopen=urlopen)
        )
        secrets = types.SimpleNamespace(get_secret_value=lambda SecretId: {"SecretString": f"key of {SecretId}\n"})
        sys.modules["boto3"] = types.SimpleNamespace(client=lambda _: secrets)
        try:
            code["probe"]({}, None)
        except Exception as failure:  # noqa: BLE001
            return asked, failure
        finally:
            del sys.modules["boto3"]
        return asked, None

    healthy = {"/health": {"status": "healthy"}}
    full = healthy | {"/v1/companies/count": {"count": 2}, "/v1/changes?pageSize=1": {"items": [{}]}}
    same(probed(healthy), ([("/health", None)], None))
    key = "Bearer key of arn"
    same(probed(full, "arn"), ([("/health", None), ("/v1/companies/count", key), ("/v1/changes?pageSize=1", key)], None))
    for broken in ({}, {"/health": {"status": "down"}}):
        check(probed(broken)[1], broken)
    for broken in (healthy, full | {"/v1/companies/count": {"count": 0}}, full | {"/v1/changes?pageSize=1": {"items": []}}):
        check(probed(broken, "arn")[1], broken)
    alarm = of_type(ALARM)["ProbeAlarm"]
    same((alarm["MetricName"], alarm["Dimensions"]), ("Errors", [{"Name": "FunctionName", "Value": {"Ref": "Probe"}}]))
    # A probe that does not run is a failure too.
    same(alarm["TreatMissingData"], "breaching")


def the_gateway_answers_preflight_requests_itself():
    paths = of_type("AWS::Serverless::Api")["Gateway"]["DefinitionBody"]["paths"]
    check(paths, "paths")
    for path, methods in paths.items():
        options = methods["options"]
        integration = options["x-amazon-apigateway-integration"]
        same(integration["type"], "mock")
        same(json.loads(integration["requestTemplates"]["application/json"]), {"statusCode": 200})
        given = integration["responses"]["default"]["responseParameters"]
        # The gateway drops a header that the method does not declare.
        same({it.removeprefix("method.response.header.") for it in given}, set(options["responses"]["200"]["headers"]))
        same(given["method.response.header.Access-Control-Allow-Origin"], "'*'")


def a_new_version_of_the_api_is_taken_back_if_it_fails():
    published = {name for name, it in of_type(FUNCTION).items() if "AutoPublishAlias" in it}
    same(published, set(integrations()))
    same(set(RESOURCES["Gateway"]["DependsOn"]) - {"GatewayAccount"}, {f"{it}Aliaslive" for it in published})
    of_gateway = [it for it in of_type("AWS::Lambda::Permission").values() if it["Principal"] == "apigateway.amazonaws.com"]
    permissions = {it["FunctionName"]["Ref"] for it in of_gateway}
    same(permissions, {f"{it}.Alias" for it in published})
    for name in published:
        function = RESOURCES[name]["Properties"]
        same((name, function["AutoPublishAlias"], function["AutoPublishAliasAllProperties"]), (name, "live", True))
        # A description of other text replaces the version, and another variable is a change that Lambda publishes.
        same(function["VersionDescription"], {"Ref": "Release"})
        preference = function["DeploymentPreference"]
        # Of this function only: the failures of another one would take it back.
        alarms = [{"Ref": f"{name}ErrorsAlarm"}, {"Ref": f"{name}ServerErrorsAlarm"}]
        alarms = {"Fn::If": ["StartsDuringAlarms", [], alarms]}
        hooks = {"PreTraffic": {"Ref": "TryOut"}}
        same(preference, {"Enabled": {"Ref": "Canary"}, "Type": "Canary10Percent10Minutes", "Alarms": alarms, "Hooks": hooks})
        crashes, answers = (of_type(ALARM)[f"{name}{it}Alarm"] for it in ("Errors", "ServerErrors"))
        for alarm, kind in ((crashes, "errors"), (answers, "server-errors")):
            # A new one for each release: one that is on would hold up the next deployment.
            same(alarm["AlarmName"], {"Fn::Sub": f"${{AWS::StackName}}-{name}-{kind}-${{Release}}"})
            # It is raised while only a tenth of the requests may fail.
            check(alarm["Period"] * alarm["EvaluationPeriods"] < 600, name)
            same((alarm["Statistic"], alarm["Threshold"], alarm["TreatMissingData"]), ("Sum", 0, "notBreaching"))
        # Of this version only.
        dimensions = {it["Name"]: it["Value"] for it in crashes["Dimensions"]}
        version = {"Fn::GetAtt": [f"{name}.Version", "Version"]}
        same(dimensions, {"FunctionName": {"Ref": name}, "Resource": {"Fn::Sub": f"${{{name}}}:live"}, "ExecutedVersion": version})
        same((crashes["Namespace"], crashes["MetricName"]), ("AWS/Lambda", "Errors"))
        binary = RESOURCES[name]["Metadata"]["BuildProperties"]["Binary"]
        dimensions = {it["Name"]: it["Value"] for it in answers["Dimensions"]}
        same(dimensions, {"function": binary, "release": {"Ref": "Release"}})
        namespace = GLOBALS["Environment"]["Variables"]["METRICS_NAMESPACE"]
        same((answers["Namespace"], answers["MetricName"]), (namespace, constant("BY_RELEASE", "shared/outside/telemetry/src/metric.rs")))
    defaults = [TEMPLATE["Parameters"][it]["Default"] for it in ("Canary", "StartDuringAlarms")]
    same(defaults, ["true", "false"])
    same(GLOBALS["Environment"]["Variables"]["RELEASE"], {"Ref": "Release"})


def code_of(name, environment, clients, **modules):
    """The code of a function in the template, with these clients and modules instead of real ones."""
    function, code = RESOURCES[name]["Properties"], {}
    config = types.SimpleNamespace(Config=lambda **settings: types.SimpleNamespace(**settings))
    invented = {"boto3": types.SimpleNamespace(client=clients), "botocore": types.SimpleNamespace(config=config), "botocore.config": config}
    with unittest.mock.patch.dict(sys.modules, invented):
        exec(function["Code"]["ZipFile"], code)  # noqa: S102
    code["print"] = lambda _: None
    code["os"] = types.SimpleNamespace(environ=environment)
    code.update(modules)
    return code


def a_new_version_is_tried_with_examples_before_it_gets_requests():
    """Runs the code in the template with invented clients."""
    function = RESOURCES["TryOut"]["Properties"]
    same(function["Handler"], "index.try_out")
    # CodeDeploy's role may call functions with this beginning.
    check(function["FunctionName"]["Fn::Sub"].startswith("CodeDeployHook_"), function["FunctionName"])
    names = set(integrations())
    same(function["Environment"]["Variables"], {it: {"Ref": it} for it in names})
    may = {}
    for statement in RESOURCES["TryOutRole"]["Properties"]["Policies"][0]["PolicyDocument"]["Statement"]:
        for action in listed(statement["Action"]):
            may[action] = listed(statement["Resource"])
    same({it["Fn::Sub"] for it in may["lambda:InvokeFunction"]}, {f"${{{it}.Arn}}:*" for it in names})

    def tried(answers, name="Account"):
        """The status that is reported, and what was sent to which version. `answers`: by version, a status, a crash, bytes, or
        that Lambda throttles the call."""
        sent, reported = [], []

        class Throttled(Exception):
            pass

        class Deployments:
            def list_deployment_targets(self, deploymentId):
                return {"targetIds": [f"target of {deploymentId}"]}

            def batch_get_deployment_targets(self, deploymentId, targetIds):
                same((deploymentId, targetIds), ("d", ["target of d"]))
                info = {"functionName": f"stack-{name}", "functionAlias": "live", "currentVersion": "6", "targetVersion": "7"}
                return {"deploymentTargets": [{"lambdaTarget": {"lambdaFunctionInfo": info}}]}

            def put_lifecycle_event_hook_execution_status(self, **status):
                reported.append(status)

        class Functions:
            exceptions = types.SimpleNamespace(TooManyRequestsException=Throttled)

            def invoke(self, FunctionName, Qualifier, Payload):
                same(FunctionName, f"stack-{name}")
                sent.append((Qualifier, json.loads(Payload)))
                answer = answers[Qualifier]
                if answer == "throttled":
                    raise Throttled
                if answer == "crash":
                    return {"FunctionError": "Unhandled", "Payload": io.BytesIO(b"signal: killed")}
                body = answer if isinstance(answer, bytes) else json.dumps({"statusCode": answer}).encode()
                return {"Payload": io.BytesIO(body)}

        def client(service, config=None):
            if service == "codedeploy":
                return Deployments()
            # Lambda throttles all functions of a small account while another is tried.
            same(config.retries, {"mode": "standard", "total_max_attempts": 20})
            return Functions()

        code = code_of("TryOut", {it: f"stack-{it}" for it in names}, client)
        same(set(code["REQUESTS"]), names)
        try:
            code["try_out"]({"DeploymentId": "d", "LifecycleEventHookExecutionId": "e"}, None)
        except Exception:  # noqa: BLE001
            check(reported, "a hook that fails says so")
        (status,) = reported
        same((status["deploymentId"], status["lifecycleEventHookExecutionId"]), ("d", "e"))
        return status["status"], sent

    for name in names:
        status, sent = tried({"7": 200}, name)
        same((name, status), (name, "Succeeded"))
        check(1 <= len(sent) <= 4 and all(version == "7" for version, _ in sent), sent)
        # Nothing is changed: what is no GET request has no key.
        check(all("authorization" not in json.dumps(event).lower() for _, event in sent), sent)
    for new, old, expected in [
        (401, 200, "Succeeded"),
        (500, 200, "Failed"),
        (503, 200, "Failed"),
        ("crash", 200, "Failed"),
        (500, 503, "Succeeded"),
        ("crash", "crash", "Succeeded"),
        (b'{"statusCode":200}' + bytes(8) + b"rows", 200, "Succeeded"),
        (b'{"statusCode":500}' + bytes(8) + b"{}", 200, "Failed"),
        (b"no answer", 200, "Failed"),
        ("throttled", 200, "Succeeded"),
        (500, "throttled", "Failed"),
    ]:
        same((new, old, tried({"7": new, "6": old})[0]), (new, old, expected))
    # The attempts of one call take at most 1 + 2 + 4 + 8 + 16 + 14 × 20 s, which the function has time for once.
    same(len(tried({"7": "throttled"})[1]), 1)
    check(function["Timeout"] >= 600, function["Timeout"])


def reading_generations():
    """The functions whose roles may read all of a generation."""
    found = set()
    for name, function in of_type(FUNCTION).items():
        role = RESOURCES[function["Role"]["Fn::GetAtt"][0]]["Properties"]
        if "${Bucket.Arn}/generations/*" in json.dumps(role):
            found.add(name)
    return found


def new_versions_are_held_back_until_there_is_a_generation_in_their_layout():
    """Runs the code in the template with invented clients and an invented clock."""
    present = re.search(r"const PRESENT: Self = Self\((\d+)\)", pathlib.Path("shared/data/generations/src/manifest.rs").read_text())
    layout, ready = int(present.group(1)), RESOURCES["GenerationReady"]
    same((ready["Properties"]["Layout"], set(ready["DependsOn"])), (layout, {"Indexer", "IndexJobs"}))
    waiting = {name for name in of_type(FUNCTION) if RESOURCES[name].get("DependsOn") == "GenerationReady"}
    same(waiting, reading_generations() & set(integrations()))
    function = RESOURCES["HoldBack"]["Properties"]
    same(function["Handler"], "index.hold_back")
    same(function["Timeout"], 900)

    def held_back(published_after, kind="Update", before=layout - 1, age=0, event=None):
        """The jobs, the status and the seconds until it, if there is a generation after so many seconds."""
        clock, jobs, answers, invoked = [0.0], [], [], []

        class Client:
            def list_objects_v2(self, Bucket, Prefix):
                same((Bucket, Prefix), ("bucket", f"generations/{layout}/current.json"))
                now = datetime.datetime.now(datetime.timezone.utc)
                # Of another time when this layout was in use.
                old = [{"LastModified": now - datetime.timedelta(days=age)}] if age else []
                return {"Contents": [{"LastModified": now}] if clock[0] >= published_after else old}

            def invoke(self, **invocation):
                invoked.append(invocation)

            def send_message(self, **message):
                jobs.append(message)

        class Context:
            function_name = "itself"

            def get_remaining_time_in_millis(self):
                return (900 - clock[0]) * 1000

        class Clock:
            monotonic = staticmethod(lambda: clock[0])

            @staticmethod
            def sleep(seconds):
                clock[0] += seconds

        def urlopen(request, timeout):
            same((request.method, request.full_url), ("PUT", "https://answers.example/1"))
            answers.append(json.loads(request.data))

        web = types.SimpleNamespace(request=types.SimpleNamespace(Request=urllib.request.Request, urlopen=urlopen))
        environment = {"BUCKET": "bucket", "INDEX_QUEUE": "queue"}
        code = code_of("HoldBack", environment, lambda _: Client(), time=Clock, urllib=web)
        named = {it: it for it in ("StackId", "RequestId", "LogicalResourceId")}
        layouts = {"ResourceProperties": {"Layout": str(layout)}, "OldResourceProperties": {"Layout": str(before)}}
        first = {"RequestType": kind, "ResponseURL": "https://answers.example/1"} | named | layouts
        code["hold_back"](event or first, Context())
        check(clock[0] < 900, clock)
        if invoked:
            same((answers, invoked[0]["FunctionName"], invoked[0]["InvocationType"]), ([], "itself", "Event"))
            again = json.loads(invoked[0]["Payload"])
            return held_back(published_after - clock[0], kind, before, age, again)
        (answer,) = answers
        same({it: answer[it] for it in named}, named)
        check(answer["PhysicalResourceId"], answer)
        return jobs, answer["Status"], clock[0]

    same(held_back(0), ([], "SUCCESS", 0))
    jobs, status, seconds = held_back(400)
    same((len(jobs), status, seconds), (2, "SUCCESS", 400))
    for job in jobs:
        same((job["QueueUrl"], job["MessageGroupId"]), ("queue", "generation"))
        sent = json.loads(job["MessageBody"])
        same(sent["job"], "publish")
        check(datetime.datetime.fromisoformat(sent["requested_at"]).tzinfo, sent)
    check(len({it["MessageDeduplicationId"] for it in jobs}) == 2, jobs)
    same(held_back(2_000)[1], "SUCCESS")
    same(held_back(10_000)[1], "FAILED")
    # One of another time when this layout was in use is too old for an update, and good enough to take one back.
    same(held_back(400, age=9)[2], 400)
    same(held_back(10_000, before=layout + 1, age=9), ([], "SUCCESS", 0))
    # A new stack has none, and one that is deleted needs none.
    for kind in ("Create", "Delete"):
        same(held_back(10_000, kind), ([], "SUCCESS", 0))
    # The stack waits longer than the function.
    check(ready["Properties"]["ServiceTimeout"] > 3 * 900, ready)


def the_gateway_waits_longer_than_a_function_streams():
    for name, called in integrations().items():
        seconds = called.get("timeoutInMillis", 29_000) / 1000
        check(RESOURCES[name]["Properties"].get("Timeout", GLOBALS["Timeout"]) < seconds, name)


def a_function_times_out_before_its_caller_does():
    same(GLOBALS["Timeout"], 28)
    same(TEMPLATE["Conditions"]["HasFewExecutions"], {"Fn::Equals": [{"Ref": "WorkerConcurrency"}, "few"]})
    for name, function in of_type(FUNCTION).items():
        # For an event source of the function itself, SAM would allow all queues of the account.
        check("Events" not in function, name)
        jobs = [it for it in of_type(MAPPING).values() if it["FunctionName"] == {"Ref": name}]
        # Streams files of up to 200 MB.
        streams_files = name == "Bulk"
        check(("Timeout" in function) == (bool(jobs) or streams_files), name)
        for mapping in jobs:
            queue = RESOURCES[mapping["EventSourceArn"]["Fn::GetAtt"][0]]["Properties"]
            check(queue["VisibilityTimeout"] >= 2 * function["Timeout"], queue)
            same(mapping["FunctionResponseTypes"], ["ReportBatchItemFailures"])
            # Workers leave concurrency to the API. A reservation of less would throttle messages, which would use up receives.
            most = mapping["ScalingConfig"]["MaximumConcurrency"]
            # An account that may run few functions at once.
            if most != 2:
                condition, few, most = most["Fn::If"]
                same((name, condition, few), (name, "HasFewExecutions", 2))
            reserves = {"Fn::If": ["ReservesWorkers", most, NO_VALUE]} if name in ("Ingest", "Indexer") else None
            same((name, function.get("ReservedConcurrentExecutions")), (name, reserves))
            # Amazon SNS passes on what Amazon SES reports to queues without order only.
            same((name, queue.get("FifoQueue", False)), (name, name != "MailFeedback"))
            # In a larger batch, messages that wait for the retry of an earlier one would use up receives.
            same((name, mapping["BatchSize"]), (name, 1))
            # The function changes the visibility of failed messages of this queue.
            source = mapping["EventSourceArn"]["Fn::GetAtt"][0]
            variable = f'{source.removesuffix("Queue").upper()}_QUEUE'
            same(function["Environment"]["Variables"][variable], {"Ref": source})


def queue_alarms(metric):
    """The alarms on a metric of queues, by queue."""
    alarms = [it for it in of_type(ALARM).values() if (it.get("Namespace"), it.get("MetricName")) == ("AWS/SQS", metric)]
    return {dimension["Value"]["Fn::GetAtt"][0]: it for it in alarms for dimension in it["Dimensions"]}


def retries():
    """The seconds that a job waits between its attempts."""
    code = pathlib.Path("shared/frames/queue-worker/src/retry.rs").read_text()
    return [int(it.replace("_", "")) for it in re.search(r"RETRY_SECONDS: .* = \[(.*)\];", code).group(1).split(",")]


def a_queue_on_which_nobody_works_raises_an_alarm():
    alarms = queue_alarms("ApproximateAgeOfOldestMessage")
    mappings = {it["EventSourceArn"]["Fn::GetAtt"][0]: it for it in of_type(MAPPING).values()}
    same(set(alarms), set(mappings))
    for queue, alarm in alarms.items():
        same((alarm["Statistic"], alarm["Period"], alarm["ComparisonOperator"]), ("Maximum", 300, "GreaterThanThreshold"))
        # A job that is only retried raises none.
        timeout = RESOURCES[mappings[queue]["FunctionName"]["Ref"]]["Properties"]["Timeout"]
        check(sum(retries()) + timeout < alarm["Threshold"] <= 3 * 3600, (queue, alarm["Threshold"]))


def a_job_that_fails_after_all_retries_raises_an_alarm():
    attempts = len(retries()) + 1
    watched = set(queue_alarms("ApproximateNumberOfMessagesVisible"))
    dead = set()
    for name, queue in of_type(QUEUE).items():
        # Schedules accept no other kind for what they could not send, and Amazon SNS for what it passes on.
        is_standard = name in ("FailedSchedules", "FeedbackQueue", "FeedbackDeadLetters")
        check(queue["SqsManagedSseEnabled"] and queue.get("FifoQueue", False) != is_standard, queue)
        if "RedrivePolicy" in queue:
            same(queue["RedrivePolicy"]["maxReceiveCount"], attempts)
            dead.add(queue["RedrivePolicy"]["deadLetterTargetArn"]["Fn::GetAtt"][0])
    same((len(dead), watched), (len(of_type(MAPPING)), dead | {"FailedSchedules"}))


def repeated_failures_raise_an_alarm():
    """From the gateway's metrics, and from metrics of the code. The latter have no dimensions, so they cover all functions."""
    (failing,) = [it for it in of_type(ALARM).values() if it.get("MetricName") == "5XXError"]
    gateway = of_type("AWS::Serverless::Api")["Gateway"]
    same(gateway["DefinitionBody"]["info"]["title"], gateway["Name"])
    named = {"ApiName": gateway["Name"], "Stage": gateway["StageName"]}
    same({it["Name"]: it["Value"] for it in failing["Dimensions"]}, named)
    same((failing["MetricName"], failing["Statistic"], failing["Period"]), ("5XXError", "Sum", 300))
    filtered = {it["MetricTransformations"][0]["MetricName"] for it in of_type(FILTER).values()}
    namespace = GLOBALS["Environment"]["Variables"]["METRICS_NAMESPACE"]
    own = [it for it in of_type(ALARM).values() if it.get("Namespace") == namespace and it["MetricName"] not in filtered | {"ServerError"}]
    # A generation that is refused or incomplete needs attention the first time.
    thresholds = {"MeteringFailure": 10, "AuditFailure": 0, "GenerationRefused": 0, "GenerationNotUpdated": 0, "UnreadableRecord": 0, "UnpublishedEvents": 0, "StaleSource": 0, "MailsExhausted": 0, "MailsRefused": 0}
    same({it["MetricName"]: it["Threshold"] for it in own}, thresholds)
    code = "".join(it.read_text() for top in ("shared", "functions") for it in pathlib.Path(top).rglob("*.rs"))
    for alarm in own:
        check("Dimensions" not in alarm, alarm)
        check(f'metric = "{alarm["MetricName"]}"' in code, alarm["MetricName"])
        same((alarm["Statistic"], alarm["Period"]), ("Sum", 300))


def a_schedule_that_cannot_send_its_job_raises_an_alarm():
    for name, schedule in of_type("AWS::Scheduler::Schedule").items():
        target = schedule["Target"]
        same((name, target["DeadLetterConfig"]), (name, {"Arn": {"Fn::GetAtt": ["FailedSchedules", "Arn"]}}))
        same((name, target["RetryPolicy"]["MaximumEventAgeInSeconds"]), (name, 3600))
        same((name, schedule["GroupName"]), (name, {"Ref": "Schedules"}))
    statement = RESOURCES["ScheduleRole"]["Properties"]["Policies"][0]["PolicyDocument"]["Statement"][0]
    targets = {it["DeadLetterConfig"]["Arn"]["Fn::GetAtt"][0] for it in (it["Target"] for it in of_type("AWS::Scheduler::Schedule").values())}
    sent = json.dumps([it["Target"] for it in of_type("AWS::Scheduler::Schedule").values()])
    queues = {it for it in of_type(QUEUE) if it not in targets and it in sent}
    same({resource_name(it) for it in statement["Resource"]}, queues | targets)
    alarm = of_type(ALARM)["ScheduleErrorsAlarm"]
    same((alarm["Namespace"], alarm["MetricName"]), ("AWS/Scheduler", "TargetErrorCount"))
    same(alarm["Dimensions"], [{"Name": "ScheduleGroup", "Value": {"Ref": "Schedules"}}])


def alarms_watch_what_stands_still():
    """From log lines: the filter of each metric matches a line that the code writes, and an alarm watches the metric."""
    namespace = GLOBALS["Environment"]["Variables"]["METRICS_NAMESPACE"]
    found, lines = {}, {"job done": "shared/frames/queue-worker/src/batch.rs", "ingested": "functions/workers/ingest/src/worker.rs"}
    for it in of_type(FILTER).values():
        (metric,) = it["MetricTransformations"]
        same((metric["MetricNamespace"], metric["MetricValue"]), (namespace, "1"))
        check("FilterName" not in it and "DefaultValue" not in metric, it)
        for line in re.findall(r'\$\.fields\.message = "(.*?)"', it["FilterPattern"]):
            check(f'"{line}");' in pathlib.Path(lines[line]).read_text(), line)
        (alarm,) = [alarm for alarm in of_type(ALARM).values() if alarm.get("MetricName") == metric["MetricName"]]
        same((alarm["Namespace"], alarm["Statistic"], "Dimensions" in alarm), (namespace, "Sum", False))
        # No line at all is the failure, except where the line is the failure.
        absent = "LessThanThreshold", "breaching"
        refused = "GreaterThanThreshold", "notBreaching"
        is_refusal = it["LogGroupName"] == {"Ref": "GatewayLogs"}
        same((alarm["ComparisonOperator"], alarm["TreatMissingData"]), refused if is_refusal else absent)
        found[metric["MetricName"]] = it["LogGroupName"]["Ref"], alarm["Period"] * alarm["EvaluationPeriods"] / 3600
    logs = {"CurrentGeneration": ("IndexerLogs", 3), "IngestJobDone": ("IngestLogs", 3), "GazetteIngested": ("IngestLogs", 144), "ThrottledRequest": ("GatewayLogs", 1 / 12)}
    same(found, logs)
    # Every hour, both have a job: the one only if sources are fetched.
    same(of_type("AWS::Scheduler::Schedule")["HourlyGeneration"]["ScheduleExpression"], "cron(15 * * * ? *)")
    same(of_type("AWS::Scheduler::Schedule")["HourlyFetch"]["ScheduleExpression"], "rate(1 hour)")
    conditions = {it: RESOURCES[it].get("Condition") for it in ("GenerationAgeAlarm", "IngestStandsStillAlarm", "GazetteAgeAlarm")}
    same(list(conditions.values()), [None, "Fetches", "Fetches"])


def throttling_and_slow_answers_raise_an_alarm():
    alarms = {name: it for name, it in of_type(ALARM).items()}
    throttled = alarms["ThrottledFunctionsAlarm"]
    # Without dimensions: the concurrency is that of the account.
    same((throttled["Namespace"], throttled["MetricName"], throttled["Threshold"]), ("AWS/Lambda", "Throttles", 0))
    check("Dimensions" not in throttled, throttled)
    stats = [it["MetricStat"] for it in alarms["ThrottledTablesAlarm"]["Metrics"] if "MetricStat" in it]
    watched = {(it["Metric"]["Dimensions"][0]["Value"]["Ref"], it["Metric"]["MetricName"]) for it in stats}
    same(watched, {(table, f"{it}ThrottleEvents") for table in of_type(TABLE) for it in ("Read", "Write")})
    latency, failing = alarms["LatencyAlarm"], alarms["ServerErrorAlarm"]
    same((latency["MetricName"], latency["ExtendedStatistic"]), ("Latency", "p99"))
    same(latency["Dimensions"], failing["Dimensions"])


def the_dashboard_shows_all_queues_and_functions_of_the_api():
    """With names of this template only; CloudWatch shows an empty graph for others."""
    body = RESOURCES["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"]
    metrics = [it for widget in json.loads(body)["widgets"] for it in widget["properties"]["metrics"]]
    shown = {(namespace, name, *names) for namespace, name, *names in (filter(lambda it: isinstance(it, str), it) for it in metrics)}
    own = GLOBALS["Environment"]["Variables"]["METRICS_NAMESPACE"]["Fn::Sub"]
    named = {it["MetricName"] for it in of_type(ALARM).values() if it.get("Namespace") == {"Fn::Sub": own}}
    same({it[1] for it in shown if it[0] == own} - named, {"Refusal", "Unavailable"})

    def seen(metric):
        return {it[-1].removeprefix("${").removesuffix("}").removesuffix(".QueueName") for it in shown if it[1] == metric}

    same(seen("Errors"), set(integrations()))
    same(seen("ApproximateAgeOfOldestMessage"), set(queue_alarms("ApproximateAgeOfOldestMessage")))
    same(seen("ApproximateNumberOfMessagesVisible"), set(queue_alarms("ApproximateNumberOfMessagesVisible")))
    same(seen("ConsumedReadCapacityUnits"), set(of_type(TABLE)))


def alarms_are_sent_to_the_operators_topic():
    for name, alarm in of_type(ALARM).items():
        actions = ["HasAlarmTopic", [{"Ref": "AlarmTopic"}], {"Ref": "AWS::NoValue"}]
        same((name, alarm["AlarmActions"]), (name, {"Fn::If": actions}))


def sources_are_fetched_only_with_a_contact_address():
    schedules = of_type("AWS::Scheduler::Schedule")
    fetching = {name for name in schedules if RESOURCES[name].get("Condition") == "Fetches"}
    # The others are also needed for the files of an operator, and for what teams do.
    same(fetching, {"DailyFetch", "WeeklyFetch", "WeeklyLocalities", "HourlyFetch", "TwiceDailyLists"})
    same({RESOURCES[it].get("Condition") for it in set(schedules) - fetching}, {None})
    queues = {}
    for file in pathlib.Path("functions/workers").glob("*/deployment.toml"):
        worker = tomllib.loads(file.read_text())
        queues |= {it: f'{worker["queue"]["name"].title()}Queue' for it in worker.get("schedules", {})}
    same(set(queues), set(schedules))
    for name, schedule in schedules.items():
        target = schedule["Target"]
        text = json.dumps(target["Input"])
        if name == "MinutelyExports":
            # The universal target: only it can choose the group of a message, so that no message waits for one of a worker that died.
            same(target["Arn"], {"Fn::Sub": "arn:${AWS::Partition}:scheduler:::aws-sdk:sqs:sendMessage"})
            sent = json.loads(target["Input"]["Fn::Sub"])
            same((sent["QueueUrl"], json.loads(sent["MessageBody"])), ("${ExportsQueue}", {"job": "sweep"}))
        else:
            same((name, target["Arn"]), (name, {"Fn::GetAtt": [queues[name], "Arn"]}))
        # The queue ignores a message that is equal to one of the last five minutes.
        if schedule["ScheduleExpression"] in ("rate(1 minute)", "rate(5 minutes)"):
            check("<aws.scheduler.execution-id>" in text, (name, text))


def resource_name(resource):
    """`Table`, `Bucket`, `Bucket/prefix/*`, the name of a parameter, or `*`."""
    if resource == "*":
        return resource
    if "Ref" in resource:
        return resource["Ref"]
    if "Fn::GetAtt" in resource:
        name, attribute = resource["Fn::GetAtt"]
        same(attribute, "Arn")
        return name
    # Configuration sets have no attribute with their ARN.
    if "configuration-set" in resource["Fn::Sub"]:
        arn = r"arn:\$\{AWS::Partition\}:ses:\$\{AWS::Region\}:\$\{AWS::AccountId\}:configuration-set/\$\{(\w+)\}"
        return re.fullmatch(arn, resource["Fn::Sub"]).group(1)
    return re.fullmatch(r"\$\{(\w+)\.Arn\}(/.+)", resource["Fn::Sub"]).expand(r"\1\2")


def condition_name(condition):
    """The restriction of a statement to prefixes of the bucket, or to partitions and attributes of a table."""
    if not condition:
        return ""
    if prefixes := condition.get("StringLike"):
        same(set(condition), {"StringLike"})
        prefixes = prefixes["s3:prefix"]
        return f' if {" ".join(prefixes) if isinstance(prefixes, list) else prefixes}'
    condition = dict(condition)
    # These keys have several values: without `ForAllValues`, a condition would never hold.
    partitions = condition.pop("ForAllValues:StringLike")
    attributes = condition.pop("ForAllValues:StringEquals", {})
    same((condition, set(partitions), set(attributes) - {"dynamodb:Attributes"}), ({}, {"dynamodb:LeadingKeys"}, set()))
    partitions = " ".join(sorted(partitions["dynamodb:LeadingKeys"]))
    attributes = " ".join(sorted(attributes.get("dynamodb:Attributes", [])))
    return f" if {attributes} of {partitions}" if attributes else f" if {partitions}"


def listed(value):
    return value if isinstance(value, list) else [value]


@functools.cache
def permissions():
    """What each function may do: objects, with the restriction to some of their items, and operations."""
    found = {}
    for name in of_type(FUNCTION):
        may = found[name] = {}
        for statement in (it for policy in of_type("AWS::IAM::Role")[f"{name}Role"]["Policies"] for it in policy["PolicyDocument"]["Statement"]):
            _, statement, otherwise = statement.get("Fn::If", (None, statement, NO_VALUE))
            same(otherwise, NO_VALUE)
            same(statement["Effect"], "Allow")
            condition = condition_name(statement.get("Condition"))
            for resource in listed(statement["Resource"]):
                actions = {it.split(":")[1] for it in listed(statement["Action"])}
                may.setdefault(resource_name(resource) + condition, set()).update(actions)
    return found


def functions_have_no_permissions_but_those_of_their_own_roles():
    # No other resource adds permissions to the roles.
    same({it["Type"] for it in RESOURCES.values() if "::IAM::" in it["Type"]}, {"AWS::IAM::Role"})
    roles = of_type("AWS::IAM::Role")
    same(set(roles), {f"{it}Role" for it in of_type(FUNCTION)} | {"BackupRole", "GatewayLogRole", "HoldBackRole", "ProbeRole", "ScheduleRole", "TryOutRole"})
    for name, function in of_type(FUNCTION).items():
        # SAM would create a role with further permissions.
        check("Policies" not in function, name)
        same(function["Role"], {"Fn::GetAtt": [f"{name}Role", "Arn"]})
        check("Connectors" not in RESOURCES[name], name)
        role = roles[f"{name}Role"]
        same(set(role), {"AssumeRolePolicyDocument", "Policies"})
        trusted = {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
        same(role["AssumeRolePolicyDocument"]["Statement"], [trusted])
        may = permissions()[name]
        same(may[f"{name}Logs"], {"CreateLogStream", "PutLogEvents"})
        # X-Ray permissions have no resources.
        same((name, may["*"]), (name, {"PutTraceSegments", "PutTelemetryRecords"}))
        check(not [it for actions in may.values() for it in actions if "*" in it], name)
        # A queue is read by its own worker only.
        of_worker = {it["EventSourceArn"]["Fn::GetAtt"][0] for it in of_type(MAPPING).values() if it["FunctionName"] == {"Ref": name}}
        same((name, {where for where, actions in may.items() if "ReceiveMessage" in actions}), (name, of_worker))


def conditions_name_the_partitions_and_attributes_of_the_code():
    keys = pathlib.Path("shared/data/store/src/keys.rs").read_text()
    of_keys = pathlib.Path("shared/data/store/src/api_keys.rs").read_text()
    (last_use,) = [where for where, actions in OF_THE_API.items() if actions == "UpdateItem"]
    last_used, partition, remembered, seen, sort, of = last_use.split()[2:8]
    check(f'LAST_USED: &str = "{last_used}"' in of_keys and f'REMEMBERED: &str = "{remembered}"' in of_keys, last_use)
    check(f'SEEN: &str = "{seen}"' in pathlib.Path("shared/data/store/src/single_sign_on.rs").read_text(), last_use)
    same((partition, sort, of), (constant("PARTITION"), constant("SORT"), "of"))
    restricted = [where.split(" if ") for may in permissions().values() for where in may if " if " in where]
    named = {it for table, restriction in restricted if table == "Tenants" for it in restriction.split(" of ")[-1].split()}
    check(len(named) > 30, named)
    beginnings = {it.removesuffix("*") for it in named if it.endswith("*")}
    for beginning in beginnings - {"SSO#"}:
        check(f'format!("{beginning}{{' in keys or f': &str = "{beginning}"' in keys, beginning)
    # Those of one kind, which erasures delete together.
    check(len([it for it in beginnings if it.startswith("SSO#")]) > 3, beginnings)
    for whole in {it for it in named if "*" not in it}:
        check(f'"{whole}"' in keys, whole)
    # The items of one environment.
    same({it for it in named if "*#" in it}, {"TEAM#*#live", "TEAM#*#test"})
    check('Key::new("DELIVERY".to_owned()' in keys, "DELIVERY")
    same(constant("WEBHOOKS_ABOUT_ALL", "shared/data/store/src/keys.rs"), "WEBHOOKS")
    same(constant("DUE_EXPORTS", "shared/data/store/src/keys.rs"), "EXPORT-DUE")
    same(constant("ERASING", "shared/data/store/src/keys.rs"), "ERASING")
    same(constant("ERASED", "shared/data/store/src/keys.rs"), "ERASED#")


def only_one_function_signs_sessions_and_two_send_mails():
    for name, function in of_type(FUNCTION).items():
        names = function.get("Environment", {}).get("Variables", {})
        same((name, "SESSION_SECRET" in names), (name, name == "Account"))
        same((name, "SSO_SECRET" in names), (name, name == "Account"))
        same((name, "MAIL_FROM" in names), (name, name in ("Account", "NotificationMails")))
        # What happens to their mails is reported.
        same((name, "MAIL_CONFIGURATION_SET" in names), (name, "MAIL_FROM" in names))
        same((name, "WEBHOOK_SECRET" in names), (name, name in ("Account", "Webhooks")))
    secrets = of_type("AWS::SecretsManager::Secret")
    same(set(secrets), {"ApiKeySecret", "SessionSecret", "SsoSecret", "WebhookSecret"})
    for secret in secrets.values():
        check(secret["GenerateSecretString"]["PasswordLength"] >= 32 and "SecretString" not in secret, secret)


def what_happens_to_mails_is_reported():
    names = ("MailConfiguration", "MailEventDestination", "MailEvents", "MailEventsPolicy", "MailEventsSubscription", "FeedbackQueuePolicy")
    same({RESOURCES[it]["Condition"] for it in names}, {"HasMail"})
    destination = RESOURCES["MailEventDestination"]["Properties"]
    same(destination["ConfigurationSetName"], {"Ref": "MailConfiguration"})
    same(set(destination["EventDestination"]["MatchingEventTypes"]), {"bounce", "complaint", "delivery"})
    same(destination["EventDestination"]["SnsDestination"], {"TopicARN": {"Ref": "MailEvents"}})
    subscription = RESOURCES["MailEventsSubscription"]["Properties"]
    same((subscription["TopicArn"], subscription["Endpoint"]), ({"Ref": "MailEvents"}, {"Fn::GetAtt": ["FeedbackQueue", "Arn"]}))
    # Nobody else reports anything: a bounce ends the mails to an address.
    for policy, service, condition in [
        ("MailEventsPolicy", "ses", {"StringEquals": {"AWS:SourceAccount": {"Ref": "AWS::AccountId"}}}),
        ("FeedbackQueuePolicy", "sns", {"ArnEquals": {"aws:SourceArn": {"Ref": "MailEvents"}}}),
    ]:
        (statement,) = RESOURCES[policy]["Properties"]["PolicyDocument"]["Statement"]
        same((statement["Effect"], statement["Principal"]), ("Allow", {"Service": f"{service}.amazonaws.com"}))
        same((policy, statement["Condition"]), (policy, condition))
    # Amazon reviews accounts above 5 % and 0.1 %.
    alarms = {it["MetricName"]: it["Threshold"] for it in of_type(ALARM).values() if it.get("Namespace") == "AWS/SES"}
    same(alarms, {"Reputation.BounceRate": 0.04, "Reputation.ComplaintRate": 0.0008})


def only_one_function_reads_the_keys_of_payments_and_writes_subscriptions():
    for name, function in of_type(FUNCTION).items():
        variables = function.get("Environment", {}).get("Variables", {})
        same((name, "STRIPE_SECRET" in variables), (name, name == "Payments"))
        reads = {"GetItem", "BatchGetItem", "Query"}
        may = permissions()[name]
        needs = " ".join(may)
        writes = " ".join(where for where, actions in may.items() if actions - reads)
        # Those of erased teams are deleted.
        deletes = name == "Scheduler" and all(it == {"DeleteItem"} for where, it in may.items() if "SUBSCRIPTION#" in where)
        same((name, "SUBSCRIPTION#" in writes, "StripeSecret" in needs), (name, name == "Payments" or deletes, name == "Payments"))


def entries_of_the_audit_log_are_only_added():
    """IAM cannot forbid to replace an item, so the code's only write is conditional: `Table::put_new`, `Write::if_absent`."""
    changes = {"UpdateItem", "DeleteItem", "BatchWriteItem", "PartiQLUpdate", "PartiQLDelete"}
    for name, may in permissions().items():
        for where, actions in may.items():
            # The list of erasures too. Without a condition, every item of the table could be changed.
            is_log = where == "Tenants" or where.startswith("Tenants if") and {"AUDIT#*", "ERASED#*"} & set(where.split())
            check(not (is_log and changes & actions), (name, where, actions))
    audit = pathlib.Path("shared/data/store/src/audit.rs").read_text()
    writes = ("table.put_new(", ".if_absent()", "table.put(", "table.set(", "delete(", "delete_all(", "Write::mark(")
    same([audit.count(it) for it in writes], [1, 1, 0, 0, 0, 0, 0])


def no_function_changes_the_tier_that_the_operator_has_given_to_a_team():
    """The partition `TEAM#{team}`. The data of a team are in `TEAM#{team}#live` and `TEAM#{team}#test`."""
    for name, may in permissions().items():
        for where, actions in may.items():
            if where == "Tenants" or where.startswith("Tenants if") and "TEAM#*" in where.split():
                reads = {"GetItem", "BatchGetItem", "Query", "Scan"}
                # Erasures delete it.
                same((name, where, actions - reads - ({"DeleteItem"} if name == "Scheduler" else set())), (name, where, set()))


def what_others_rely_on_is_written_by_few():
    written = {"Tenants SCREENING#*": set(), "Bucket generations/": set(), "Bucket screening/": set()}
    for name, may in permissions().items():
        for where, actions in may.items():
            if actions & {"PutItem", "BatchWriteItem", "PutObject"}:
                for what, functions in written.items():
                    table, part = what.split()
                    if where == table or where.startswith(table) and part in where:
                        functions.add(name)
    evidence = {"Screenings", "Bulk", "ScreeningUpdates"}
    same(written, {"Tenants SCREENING#*": evidence, "Bucket generations/": {"Indexer"}, "Bucket screening/": {"ScreeningUpdates"}})


def no_parameter_or_environment_variable_contains_a_secret():
    check(not [it for it in TEMPLATE["Parameters"].values() if "NoEcho" in it], TEMPLATE["Parameters"])
    environments = [it.get("Environment", {}).get("Variables", {}) for it in of_type(FUNCTION).values()]
    check(not [it for names in environments for it in names if "PASSWORD" in it], environments)


def the_gateway_routes_every_path_and_answers_errors_as_problems():
    same(set(of_type("AWS::Serverless::Api")), {"Gateway"})
    gateway = of_type("AWS::Serverless::Api")["Gateway"]
    same((gateway["EndpointConfiguration"], gateway["TracingEnabled"]), ({"Type": "REGIONAL"}, True))
    definition = gateway["DefinitionBody"]
    for rest in ("/", "/{proxy+}"):
        method = definition["paths"][rest]["x-amazon-apigateway-any-method"]
        check("${Public.Arn}:live/" in method["x-amazon-apigateway-integration"]["uri"]["Fn::Sub"], rest)
    refusals = definition["x-amazon-apigateway-gateway-responses"]
    check({"DEFAULT_4XX", "DEFAULT_5XX"} <= set(refusals), refusals)
    for refusal in refusals.values():
        headers = refusal["responseParameters"]
        same(headers["gatewayresponse.header.Content-Type"], "'application/problem+json'")
        same(headers["gatewayresponse.header.Access-Control-Allow-Origin"], "'*'")


def the_gateway_logs_requests_without_client_addresses():
    log = of_type("AWS::Serverless::Api")["Gateway"]["AccessLogSetting"]
    same(log["DestinationArn"], {"Fn::GetAtt": ["GatewayLogs", "Arn"]})
    same(RESOURCES["GatewayLogs"]["Properties"]["RetentionInDays"], {"Ref": "LogRetentionDays"})
    # The id is sent as `X-Request-Id`; the trace id is also in the function's log.
    logged = set(json.loads(log["Format"]).values())
    check({"$context.requestId", "$context.xrayTraceId", "$context.error.responseType"} <= logged, logged)
    check(not [it for it in logged if "identity" in it], logged)
    # All gateways of an account share one role for their logs.
    check("GatewayAccount" in RESOURCES["Gateway"]["DependsOn"], RESOURCES["Gateway"]["DependsOn"])
    same(RESOURCES["GatewayAccount"]["Properties"], {"CloudWatchRoleArn": {"Fn::GetAtt": ["GatewayLogRole", "Arn"]}})
    for name in ("GatewayAccount", "GatewayLogRole"):
        same({RESOURCES[name][it] for it in ("DeletionPolicy", "UpdateReplacePolicy")}, {"Retain"})


def the_gateway_has_the_rate_limit_of_the_parameters():
    (setting,) = of_type("AWS::Serverless::Api")["Gateway"]["MethodSettings"]
    same((setting["ResourcePath"], setting["HttpMethod"]), ("/*", "*"))
    limits = (setting["ThrottlingRateLimit"], setting["ThrottlingBurstLimit"])
    same(limits, ({"Ref": "RequestsPerSecond"}, {"Ref": "RequestsAtOnce"}))


def the_gateway_compresses_and_is_reached_by_one_name():
    gateway = of_type("AWS::Serverless::Api")["Gateway"]
    same(gateway["MinimumCompressionSize"], 1024)
    same(gateway["DisableExecuteApiEndpoint"], {"Fn::If": ["HasDomain", True, False]})
    domain, path = RESOURCES["GatewayDomain"], RESOURCES["GatewayDomainPath"]
    same((domain["Condition"], path["Condition"]), ("HasDomain", "HasDomain"))
    same(domain["Properties"]["SecurityPolicy"], "TLS_1_2")
    # The functions know their paths with the stage.
    same((path["Properties"]["BasePath"], path["Properties"]["Stage"]), (gateway["StageName"], {"Ref": "Gateway.Stage"}))


def one_address_cannot_flood_the_gateway_if_the_operator_limits_it():
    acl, association = RESOURCES["WebAcl"], RESOURCES["WebAclOfGateway"]
    same((acl["Condition"], association["Condition"]), ("LimitsAddresses", "LimitsAddresses"))
    same(association["Properties"]["WebACLArn"], {"Fn::GetAtt": ["WebAcl", "Arn"]})
    check("/restapis/${Gateway}/stages/" in association["Properties"]["ResourceArn"]["Fn::Sub"][0], association)
    (rule,) = acl["Properties"]["Rules"]
    rate = rule["Statement"]["RateBasedStatement"]
    same(rate["Limit"], {"Ref": "RequestsPerAddress"})
    same(rate["AggregateKeyType"], "IP")
    check({"Fn::Equals": [{"Ref": "ProxySecret"}, ""]} in TEMPLATE["Conditions"]["LimitsAddresses"]["Fn::And"], "a proxy is one address")
    same(rule["Action"]["Block"]["CustomResponse"]["ResponseCode"], 429)
    body = json.loads(acl["Properties"]["CustomResponseBodies"]["problem"]["Content"]["Fn::Sub"])
    slug = body["type"].removeprefix("${PublicUrl}/errors/")
    check(f'"{slug}"' in "".join(it.read_text() for it in pathlib.Path("shared/rules/problem-details/src").glob("*.rs")), slug)


def outputs_name_tables_queues_bucket_and_address():
    named = {name: it["Value"] for name, it in TEMPLATE["Outputs"].items()}
    tables = {f"{it}Table": {"Ref": it} for it in of_type(TABLE)}
    queues = {f"{it}Address": {"Ref": it} for it in ("IngestQueue", "IndexQueue", "ListsQueue", "DeliveryQueue")}
    address = {"Address": {"Fn::Sub": "https://${Gateway}.execute-api.${AWS::Region}.amazonaws.com/api"}}
    domain = {"DomainTarget": {"Fn::GetAtt": ["GatewayDomain", "RegionalDomainName"]}}
    same(named, tables | queues | {"BucketName": {"Ref": "Bucket"}} | address | domain)


def sam_build_uses_the_settings_of_the_ship_profile():
    """Records the settings that `cargo lambda build --release`, run by `sam build`, passes to cargo."""
    profiles = tomllib.loads(pathlib.Path("Cargo.toml").read_text())["profile"]
    same(profiles["ship"].pop("inherits"), "release")
    with tempfile.TemporaryDirectory() as folder:
        stub, recorded = pathlib.Path(folder, "cargo"), pathlib.Path(folder, "arguments")
        stub.write_text(
            "#!/bin/sh\n"
            f'[ "$1" = build ] || exec {shutil.which("cargo")} "$@"\n'
            f'printf "%s\\n" "$@" >{recorded}\n'
            "exit 1\n"
        )
        stub.chmod(0o755)
        path = os.pathsep.join([folder, str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
        build = ["cargo-lambda", "lambda", "build", "--release", "--bin", "public"]
        subprocess.run(build, env=os.environ | {"PATH": path}, capture_output=True)
        settings = re.findall(r"^profile\.release\.(.*)$", recorded.read_text(), re.M)
    same(profiles["release"] | tomllib.loads("\n".join(settings)), profiles["release"] | profiles["ship"])


def every_function_of_this_file_is_used():
    """A check that is missing from the list below would never run."""
    text = pathlib.Path(__file__).read_text()
    names = re.findall(r"^def (\w+)", text, re.M)
    same([it for it in names if len(re.findall(rf"\b{it}\b", text)) < 2], [])


hold(
    [
        tables_are_protected_from_deletion,
        what_cannot_be_built_again_is_backed_up_also_in_another_region_if_the_operator_wants_it,
        tables_have_the_key_and_expiry_attributes_of_the_code,
        the_bucket_is_private_and_encrypted_and_deletes_old_files,
        the_bucket_refuses_requests_without_tls,
        functions_are_built_for_arm_and_their_logs_expire,
        a_new_version_of_the_api_is_taken_back_if_it_fails,
        secrets_are_kept_with_the_data_that_needs_them,
        only_bounded_chains_of_jobs_may_be_long,
        a_new_version_is_tried_with_examples_before_it_gets_requests,
        new_versions_are_held_back_until_there_is_a_generation_in_their_layout,
        the_gateway_waits_longer_than_a_function_streams,
        a_function_times_out_before_its_caller_does,
        a_job_that_fails_after_all_retries_raises_an_alarm,
        a_queue_on_which_nobody_works_raises_an_alarm,
        repeated_failures_raise_an_alarm,
        a_schedule_that_cannot_send_its_job_raises_an_alarm,
        alarms_watch_what_stands_still,
        throttling_and_slow_answers_raise_an_alarm,
        the_dashboard_shows_all_queues_and_functions_of_the_api,
        alarms_are_sent_to_the_operators_topic,
        sources_are_fetched_only_with_a_contact_address,
        functions_have_no_permissions_but_those_of_their_own_roles,
        conditions_name_the_partitions_and_attributes_of_the_code,
        only_one_function_signs_sessions_and_two_send_mails,
        what_happens_to_mails_is_reported,
        only_one_function_reads_the_keys_of_payments_and_writes_subscriptions,
        entries_of_the_audit_log_are_only_added,
        no_function_changes_the_tier_that_the_operator_has_given_to_a_team,
        what_others_rely_on_is_written_by_few,
        no_parameter_or_environment_variable_contains_a_secret,
        the_gateway_routes_every_path_and_answers_errors_as_problems,
        the_gateway_logs_requests_without_client_addresses,
        the_gateway_has_the_rate_limit_of_the_parameters,
        the_gateway_compresses_and_is_reached_by_one_name,
        the_gateway_answers_preflight_requests_itself,
        one_address_cannot_flood_the_gateway_if_the_operator_limits_it,
        a_probe_from_outside_fails_if_the_service_does,
        outputs_name_tables_queues_bucket_and_address,
        sam_build_uses_the_settings_of_the_ship_profile,
        every_function_of_this_file_is_used,
    ]
)

"""Holds template.yaml to what the architecture promises.

usage: python .ci/template.py      (cfn-lint reads the file; cargo-lambda is asked how it builds)

cfn-lint says whether the template is one; the deploy into an emulator, whether the functions can do with it
what they have to. Here stands what it must say where neither would notice: the emulator takes no heed of it,
or a function would work just as well with more than it needs.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

from cfnlint.decode import decode
from claims import check, hold

TEMPLATE, mistakes = decode("template.yaml")
assert not mistakes, mistakes
RESOURCES = TEMPLATE["Resources"]
GLOBALS = TEMPLATE["Globals"]["Function"]

TABLE, BUCKET = "AWS::DynamoDB::Table", "AWS::S3::Bucket"
FUNCTION, QUEUE = "AWS::Serverless::Function", "AWS::SQS::Queue"
MAPPING = "AWS::Lambda::EventSourceMapping"
ALARM = "AWS::CloudWatch::Alarm"

# What each function does to what, by reading its code. Nobody may do more.
NEEDS = {
    "SearchRead": [
        ("Tenants", "GetItem UpdateItem"),
        ("Counters", "BatchGetItem UpdateItem"),
        ("Registry", "GetItem BatchGetItem Query"),
        ("Bucket/generations/*", "GetObject"),
        ("Bucket if generations/*", "ListBucket"),
    ],
    # Its POST may bear an idempotency key, which is put and freed.
    "StandardRead": [
        ("Tenants", "GetItem BatchGetItem UpdateItem PutItem DeleteItem"),
        ("Counters", "BatchGetItem UpdateItem"),
        ("Registry", "GetItem BatchGetItem Query"),
        ("Bucket/generations/*", "GetObject"),
        ("Bucket if generations/*", "ListBucket"),
    ],
    "Account": [
        ("Tenants", "GetItem UpdateItem PutItem DeleteItem Query"),
        ("Counters", "BatchGetItem UpdateItem"),
        ("Registry", "GetItem BatchGetItem"),
        ("Bucket/generations/*", "GetObject"),
        ("Bucket if generations/*", "ListBucket"),
    ],
    "Public": [
        ("Tenants", "GetItem UpdateItem"),
        ("Counters", "BatchGetItem UpdateItem"),
        ("Registry", "GetItem Query"),
        ("Bucket/generations/*", "GetObject"),
        ("Bucket if generations/*", "ListBucket"),
    ],
    "Ingest": [
        ("Registry", "GetItem BatchGetItem Query Scan PutItem BatchWriteItem DeleteItem"),
        ("Bucket/incoming/*", "GetObject PutObject"),
        ("Bucket/lists/*", "GetObject PutObject"),
        ("Bucket/quarantine/*", "GetObject PutObject DeleteObject"),
        ("Bucket/not-understood/*", "GetObject PutObject DeleteObject"),
        ("Bucket/generations/*", "GetObject"),
        ("Bucket", "ListBucket"),
        ("IngestQueue", "SendMessage ReceiveMessage DeleteMessage ChangeMessageVisibility GetQueueAttributes"),
        ("IndexQueue", "SendMessage"),
        ("ZefixSecret", "GetSecretValue"),
    ],
    "Indexer": [
        ("Registry", "GetItem Query Scan PutItem DeleteItem"),
        ("IndexQueue", "ReceiveMessage DeleteMessage ChangeMessageVisibility GetQueueAttributes"),
        ("Bucket/generations/*", "GetObject PutObject DeleteObject"),
        ("Bucket", "ListBucket"),
    ],
}
NOTHING = {"Ref": "AWS::NoValue"}
# X-Ray has no resources.
TRACES = ("*", "PutTraceSegments PutTelemetryRecords")


def of_type(kind):
    return {name: it["Properties"] for name, it in RESOURCES.items() if it["Type"] == kind}


def same(found, expected):
    check(found == expected, f"{found} instead of {expected}")


def constant(name, file="shared/store/src/table.rs"):
    """What the code calls it."""
    code = pathlib.Path(file).read_text()
    return re.search(rf'const {name}: &str = "(.*)";', code).group(1)


def what_is_kept_is_never_lost_by_mistake():
    same(set(of_type(TABLE)), {"Registry", "Tenants", "Counters"})
    for name, table in of_type(TABLE).items():
        # Counters begin anew.
        kept = name != "Counters"
        recovery = table.get("PointInTimeRecoverySpecification", {})
        same((name, recovery.get("PointInTimeRecoveryEnabled", False)), (name, kept))
        same((name, table.get("DeletionProtectionEnabled", False)), (name, kept))
        for policy in ("DeletionPolicy", "UpdateReplacePolicy"):
            same((name, RESOURCES[name][policy]), (name, "Retain" if kept else "Delete"))
        check(table["SSESpecification"]["SSEEnabled"], name)
        same(table["BillingMode"], "PAY_PER_REQUEST")


def tables_have_the_keys_and_the_time_to_live_of_the_code():
    keys = [(constant("PARTITION"), "HASH"), (constant("SORT"), "RANGE")]
    # Nothing in the registry expires.
    expire = {"Tenants", "Counters"}
    for name, table in of_type(TABLE).items():
        same([(it["AttributeName"], it["KeyType"]) for it in table["KeySchema"]], keys)
        lives = {"AttributeName": constant("EXPIRES"), "Enabled": True} if name in expire else None
        same((name, table.get("TimeToLiveSpecification")), (name, lives))


def the_bucket_is_private_encrypted_and_tidied():
    same(set(of_type(BUCKET)), {"Bucket"})
    bucket = of_type(BUCKET)["Bucket"]
    blocks = ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets")
    same(bucket["PublicAccessBlockConfiguration"], {it: True for it in blocks})
    same(bucket["OwnershipControls"]["Rules"], [{"ObjectOwnership": "BucketOwnerEnforced"}])
    (rule,) = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    same(rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"], "AES256")
    rules = {it["Id"]: it for it in bucket["LifecycleConfiguration"]["Rules"] if it["Status"] == "Enabled"}
    same(set(rules), {"unfinished-uploads", "files-that-were-read"})
    same(rules["unfinished-uploads"]["AbortIncompleteMultipartUpload"], {"DaysAfterInitiation": 1})
    read = rules["files-that-were-read"]
    same((read["Prefix"], read["ExpirationInDays"]), ("incoming/", 90))
    same({RESOURCES["Bucket"][it] for it in ("DeletionPolicy", "UpdateReplacePolicy")}, {"Retain"})


def functions_are_built_for_arm_and_log_for_as_long_as_is_asked():
    same((GLOBALS["Runtime"], GLOBALS["Architectures"]), ("provided.al2023", ["arm64"]))
    same(GLOBALS["Tracing"], "Active")
    same(set(of_type(FUNCTION)), set(NEEDS))
    for name, function in of_type(FUNCTION).items():
        check(not {"Runtime", "Architectures", "Tracing"} & set(function), name)
        metadata = RESOURCES[name]["Metadata"]
        same(metadata["BuildMethod"], "rust-cargolambda")
        binary = metadata["BuildProperties"]["Binary"]
        check(list(pathlib.Path("functions").glob(f"*/{binary}/src/main.rs")), binary)
        logs = function["LoggingConfig"]["LogGroup"]["Ref"]
        same(RESOURCES[logs]["Properties"]["RetentionInDays"], {"Ref": "LogRetentionDays"})
    same(set(of_type("AWS::Logs::LogGroup")), {f"{it}Logs" for it in NEEDS} | {"GatewayLogs"})


def a_function_times_out_before_its_caller_does():
    same(GLOBALS["Timeout"], 28)
    for name, function in of_type(FUNCTION).items():
        # For an event source of the function itself, SAM would allow all queues of the account.
        check("Events" not in function, name)
        jobs = [it for it in of_type(MAPPING).values() if it["FunctionName"] == {"Ref": name}]
        check(("Timeout" in function) == bool(jobs), name)
        for mapping in jobs:
            queue = RESOURCES[mapping["EventSourceArn"]["Fn::GetAtt"][0]]["Properties"]
            check(queue["VisibilityTimeout"] >= 2 * function["Timeout"], queue)
            same(mapping["FunctionResponseTypes"], ["ReportBatchItemFailures"])
            # Message groups limit the concurrency. A reservation would throttle messages, which would use up receives.
            check("ReservedConcurrentExecutions" not in function and queue["FifoQueue"], name)
            # In a larger batch, messages that wait for the retry of an earlier one would use up receives.
            same((name, mapping["BatchSize"]), (name, 1))
            # The function changes the visibility of failed messages of this queue.
            source = mapping["EventSourceArn"]["Fn::GetAtt"][0]
            variable = {"IngestQueue": "INGEST_QUEUE", "IndexQueue": "INDEX_QUEUE"}[source]
            same(function["Environment"]["Variables"][variable], {"Ref": source})


def a_job_that_fails_after_all_retries_raises_an_alarm():
    retries = re.search(r"RETRY_SECONDS: .* = \[(.*)\];", pathlib.Path("shared/queue-worker/src/retry.rs").read_text())
    attempts = len(retries.group(1).split(",")) + 1
    alarms = of_type(ALARM).values()
    queues = [it["Dimensions"] for it in alarms if it["Namespace"] == "AWS/SQS"]
    watched = {dimension["Value"]["Fn::GetAtt"][0] for it in queues for dimension in it}
    dead = set()
    for queue in of_type(QUEUE).values():
        check(queue["SqsManagedSseEnabled"] and queue["FifoQueue"], queue)
        if "RedrivePolicy" in queue:
            same(queue["RedrivePolicy"]["maxReceiveCount"], attempts)
            dead.add(queue["RedrivePolicy"]["deadLetterTargetArn"]["Fn::GetAtt"][0])
    same((len(dead), watched), (2, dead))


def what_fails_often_raises_an_alarm():
    """By what the gateway counts; and by the metrics of the code, of all functions together: so without dimensions."""
    (failing,) = [it for it in of_type(ALARM).values() if it["Namespace"] == "AWS/ApiGateway"]
    gateway = of_type("AWS::Serverless::Api")["Gateway"]
    same(gateway["DefinitionBody"]["info"]["title"], gateway["Name"])
    named = {"ApiName": gateway["Name"], "Stage": gateway["StageName"]}
    same({it["Name"]: it["Value"] for it in failing["Dimensions"]}, named)
    same((failing["MetricName"], failing["Statistic"], failing["Period"]), ("5XXError", "Sum", 300))
    own = [it for it in of_type(ALARM).values() if "Dimensions" not in it]
    same({it["MetricName"] for it in own}, {"MeteringFailure"})
    code = "".join(it.read_text() for it in pathlib.Path("shared/http-service/src").glob("*.rs"))
    for alarm in own:
        same(alarm["Namespace"], GLOBALS["Environment"]["Variables"]["METRICS_NAMESPACE"])
        check(f'"{alarm["MetricName"]}"' in code, alarm["MetricName"])
        same((alarm["Statistic"], alarm["Period"], alarm["Threshold"]), ("Sum", 300, 10))


def alarms_are_sent_to_the_topic_of_the_operator():
    for name, alarm in of_type(ALARM).items():
        actions = ["Wakes", [{"Ref": "AlarmTopic"}], {"Ref": "AWS::NoValue"}]
        same((name, alarm["AlarmActions"]), (name, {"Fn::If": actions}))


def schedules_exist_only_with_a_contact_address():
    schedules = of_type("AWS::Scheduler::Schedule")
    same(set(schedules), {"DailyFetch", "WeeklyFetch", "WeeklyLocalities", "HourlyFetch"})
    for name, schedule in schedules.items():
        same(RESOURCES[name]["Condition"], "Fetches")
        same(schedule["Target"]["Arn"], {"Fn::GetAtt": ["IngestQueue", "Arn"]})


def place(resource):
    """`Table`, `Bucket` or `Bucket/prefix/*`; the parameter that names it; or `*`."""
    if resource == "*":
        return resource
    if "Ref" in resource:
        return resource["Ref"]
    if "Fn::GetAtt" in resource:
        name, attribute = resource["Fn::GetAtt"]
        same(attribute, "Arn")
        return name
    return re.fullmatch(r"\$\{(\w+)\.Arn\}(/.+)", resource["Fn::Sub"]).expand(r"\1\2")


def listed(value):
    return value if isinstance(value, list) else [value]


def a_function_may_do_what_it_needs_and_nothing_else():
    # Nothing adds to the roles from beside.
    same({it["Type"] for it in RESOURCES.values() if "::IAM::" in it["Type"]}, {"AWS::IAM::Role"})
    roles = of_type("AWS::IAM::Role")
    same(set(roles), {f"{it}Role" for it in of_type(FUNCTION)} | {"GatewayLogRole", "ScheduleRole"})
    for name, function in of_type(FUNCTION).items():
        # SAM adds to a role that it makes itself.
        check("Policies" not in function, name)
        same(function["Role"], {"Fn::GetAtt": [f"{name}Role", "Arn"]})
        check("Connectors" not in RESOURCES[name], name)
        role = roles[f"{name}Role"]
        same(set(role), {"AssumeRolePolicyDocument", "Policies"})
        trusted = {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
        same(role["AssumeRolePolicyDocument"]["Statement"], [trusted])
        may = set()
        for statement in (it for policy in role["Policies"] for it in policy["PolicyDocument"]["Statement"]):
            _, statement, otherwise = statement.get("Fn::If", (None, statement, NOTHING))
            same(otherwise, NOTHING)
            same(statement["Effect"], "Allow")
            condition = statement.get("Condition")
            narrowed = f' if {condition["StringLike"]["s3:prefix"]}' if condition else ""
            for resource in listed(statement["Resource"]):
                actions = (it.split(":")[1] for it in listed(statement["Action"]))
                may |= {(place(resource) + narrowed, it) for it in actions}
        all_needs = NEEDS[name] + [(f"{name}Logs", "CreateLogStream PutLogEvents"), TRACES]
        needs = {(where, action) for where, actions in all_needs for action in actions.split()}
        check(may == needs, f"{name}: too much {may - needs}, too little {needs - may}")


def no_secret_stands_in_a_parameter_or_in_an_environment():
    check(not [it for it in TEMPLATE["Parameters"].values() if "NoEcho" in it], TEMPLATE["Parameters"])
    environments = [it.get("Environment", {}).get("Variables", {}) for it in of_type(FUNCTION).values()]
    check(not [it for names in environments for it in names if "PASSWORD" in it], environments)


def the_gateway_leads_everything_to_a_function_and_says_no_as_we_do():
    same(set(of_type("AWS::Serverless::Api")), {"Gateway"})
    gateway = of_type("AWS::Serverless::Api")["Gateway"]
    same((gateway["EndpointConfiguration"], gateway["TracingEnabled"]), ({"Type": "REGIONAL"}, True))
    definition = gateway["DefinitionBody"]
    for rest in ("/", "/{proxy+}"):
        method = definition["paths"][rest]["x-amazon-apigateway-any-method"]
        check("${Public.Arn}" in method["x-amazon-apigateway-integration"]["uri"]["Fn::Sub"], rest)
    refusals = definition["x-amazon-apigateway-gateway-responses"]
    check({"DEFAULT_4XX", "DEFAULT_5XX"} <= set(refusals), refusals)
    for refusal in refusals.values():
        headers = refusal["responseParameters"]
        same(headers["gatewayresponse.header.Content-Type"], "'application/problem+json'")
        same(headers["gatewayresponse.header.Access-Control-Allow-Origin"], "'*'")


def the_gateway_logs_what_it_answers_but_not_whom():
    log = of_type("AWS::Serverless::Api")["Gateway"]["AccessLogSetting"]
    same(log["DestinationArn"], {"Fn::GetAtt": ["GatewayLogs", "Arn"]})
    same(RESOURCES["GatewayLogs"]["Properties"]["RetentionInDays"], {"Ref": "LogRetentionDays"})
    # The id is what a refusal sends as `X-Request-Id`; the trace is what a function's log names too.
    logged = set(json.loads(log["Format"]).values())
    check({"$context.requestId", "$context.xrayTraceId", "$context.error.responseType"} <= logged, logged)
    check(not [it for it in logged if "identity" in it], logged)
    # An account has one role for the logs of all its gateways.
    same(RESOURCES["Gateway"]["DependsOn"], "GatewayAccount")
    same(RESOURCES["GatewayAccount"]["Properties"], {"CloudWatchRoleArn": {"Fn::GetAtt": ["GatewayLogRole", "Arn"]}})
    for name in ("GatewayAccount", "GatewayLogRole"):
        same({RESOURCES[name][it] for it in ("DeletionPolicy", "UpdateReplacePolicy")}, {"Retain"})


def the_gateway_passes_on_no_more_than_the_operator_allows():
    (setting,) = of_type("AWS::Serverless::Api")["Gateway"]["MethodSettings"]
    same((setting["ResourcePath"], setting["HttpMethod"]), ("/*", "*"))
    limits = (setting["ThrottlingRateLimit"], setting["ThrottlingBurstLimit"])
    same(limits, ({"Ref": "RequestsPerSecond"}, {"Ref": "RequestsAtOnce"}))


def an_operator_is_told_where_everything_is():
    named = {name: it["Value"] for name, it in TEMPLATE["Outputs"].items()}
    tables = {f"{it}Table": {"Ref": it} for it in of_type(TABLE)}
    queues = {f"{it}Address": {"Ref": it} for it in ("IngestQueue", "IndexQueue")}
    address = {"Address": {"Fn::Sub": "https://${Gateway}.execute-api.${AWS::Region}.amazonaws.com/api"}}
    same(named, tables | queues | {"BucketName": {"Ref": "Bucket"}} | address)


def what_is_deployed_is_built_as_what_is_measured():
    """`sam build` runs `cargo lambda build --release`, which has settings of its own: here they are heard."""
    profiles = tomllib.loads(pathlib.Path("Cargo.toml").read_text())["profile"]
    same(profiles["ship"].pop("inherits"), "release")
    with tempfile.TemporaryDirectory() as folder:
        stub, said = pathlib.Path(folder, "cargo"), pathlib.Path(folder, "said")
        stub.write_text(
            "#!/bin/sh\n"
            f'[ "$1" = build ] || exec {shutil.which("cargo")} "$@"\n'
            f'printf "%s\\n" "$@" >{said}\n'
            "exit 1\n"
        )
        stub.chmod(0o755)
        path = os.pathsep.join([folder, str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
        build = ["cargo-lambda", "lambda", "build", "--release", "--bin", "public"]
        subprocess.run(build, env=os.environ | {"PATH": path}, capture_output=True)
        settings = re.findall(r"^profile\.release\.(.*)$", said.read_text(), re.M)
    same(profiles["release"] | tomllib.loads("\n".join(settings)), profiles["release"] | profiles["ship"])


hold(
    [
        what_is_kept_is_never_lost_by_mistake,
        tables_have_the_keys_and_the_time_to_live_of_the_code,
        the_bucket_is_private_encrypted_and_tidied,
        functions_are_built_for_arm_and_log_for_as_long_as_is_asked,
        a_function_times_out_before_its_caller_does,
        a_job_that_fails_after_all_retries_raises_an_alarm,
        what_fails_often_raises_an_alarm,
        alarms_are_sent_to_the_topic_of_the_operator,
        schedules_exist_only_with_a_contact_address,
        a_function_may_do_what_it_needs_and_nothing_else,
        no_secret_stands_in_a_parameter_or_in_an_environment,
        the_gateway_leads_everything_to_a_function_and_says_no_as_we_do,
        the_gateway_logs_what_it_answers_but_not_whom,
        the_gateway_passes_on_no_more_than_the_operator_allows,
        an_operator_is_told_where_everything_is,
        what_is_deployed_is_built_as_what_is_measured,
    ]
)

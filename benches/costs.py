"""The cost of a month: quantities × prices.

usage: python3 benches/costs.py > COSTS.md      (.ci/costs_test.py checks that the page is up to date)
"""

import math
import pathlib
import re

REMEMBERED = "as remembered"

# US dollars, list prices of eu-central-1: the price, the page that states it, and whence we have it. Whoever reads a price on its
# page writes the date instead of REMEMBERED.
PRICES = {
    "gateway request": (3.70e-6, "https://aws.amazon.com/api-gateway/pricing/", REMEMBERED),
    "request of an HTTP API": (1.11e-6, "https://aws.amazon.com/api-gateway/pricing/", REMEMBERED),
    "function start": (0.20e-6, "https://aws.amazon.com/lambda/pricing/", REMEMBERED),
    "GB-second": (13.3334e-6, "https://aws.amazon.com/lambda/pricing/", REMEMBERED),
    "GB-second of disk": (0.031e-6, "https://aws.amazon.com/lambda/pricing/", REMEMBERED),
    "read unit": (0.1525e-6, "https://aws.amazon.com/dynamodb/pricing/on-demand/", REMEMBERED),
    "write unit": (0.7625e-6, "https://aws.amazon.com/dynamodb/pricing/on-demand/", REMEMBERED),
    "GB in a table": (0.306, "https://aws.amazon.com/dynamodb/pricing/on-demand/", REMEMBERED),
    "GB of point-in-time recovery": (0.2448, "https://aws.amazon.com/dynamodb/pricing/on-demand/", REMEMBERED),
    "GB of a table in a backup": (0.122, "https://aws.amazon.com/backup/pricing/", REMEMBERED),
    "GB of the bucket in a backup": (0.06, "https://aws.amazon.com/backup/pricing/", REMEMBERED),
    "GB to another region": (0.02, "https://aws.amazon.com/backup/pricing/", REMEMBERED),
    "GB in the bucket": (0.0245, "https://aws.amazon.com/s3/pricing/", REMEMBERED),
    "read of an object": (0.43e-6, "https://aws.amazon.com/s3/pricing/", REMEMBERED),
    "GB to clients": (0.09, "https://aws.amazon.com/ec2/pricing/on-demand/", REMEMBERED),
    "GB of logs": (0.63, "https://aws.amazon.com/cloudwatch/pricing/", REMEMBERED),
    "metric of an alarm": (0.10, "https://aws.amazon.com/cloudwatch/pricing/", REMEMBERED),
    "metric": (0.30, "https://aws.amazon.com/cloudwatch/pricing/", REMEMBERED),
    "dashboard": (3.00, "https://aws.amazon.com/cloudwatch/pricing/", REMEMBERED),
    "trace": (5e-6, "https://aws.amazon.com/xray/pricing/", REMEMBERED),
    "queue request": (0.50e-6, "https://aws.amazon.com/sqs/pricing/", REMEMBERED),
    "start by a schedule": (1.00e-6, "https://aws.amazon.com/eventbridge/pricing/", REMEMBERED),
    "secret": (0.40, "https://aws.amazon.com/secrets-manager/pricing/", REMEMBERED),
    "read of a secret": (5e-6, "https://aws.amazon.com/secrets-manager/pricing/", REMEMBERED),
    "call of a managed key": (3e-6, "https://aws.amazon.com/kms/pricing/", REMEMBERED),
    "web ACL with a rule": (6.00, "https://aws.amazon.com/waf/pricing/", REMEMBERED),
    "request through a web ACL": (0.60e-6, "https://aws.amazon.com/waf/pricing/", REMEMBERED),
}

DAYS = 30.4
MINUTES = DAYS * 1440
SECONDS = MINUTES * 60

# Requests a month, and what is assumed of them: the share that waits for a cold process, the API keys in use at a time, the processes
# that know each of them, and the metrics with data (refusals by function, group and status).
COLUMNS = {
    "10 a minute": {"requests": 10 * MINUTES, "cold": 0.1, "keys": 3, "processes": 3, "metrics": 5},
    "1 million": {"requests": 1e6, "cold": 0.02, "keys": 20, "processes": 5, "metrics": 15},
    "10 million": {"requests": 1e7, "cold": 0.005, "keys": 50, "processes": 10, "metrics": 30},
    "100 million": {"requests": 1e8, "cold": 0.001, "keys": 100, "processes": 30, "metrics": 55},
}

# The functions that most requests read from.
READERS = ("SearchRead", "StandardRead", "MethodologyRead")


def template():
    """What template.yaml has that is paid for by the piece, and the memory of the readers and, by default, of the indexer."""
    text = (pathlib.Path(__file__).parent.parent / "template.yaml").read_text()
    resources = re.split(r"\n  (?=\w+:\n    Type: )", text)
    of_type = lambda name: [it for it in resources if f"\n    Type: {name}\n" in it]
    return {
        # An alarm on several metrics costs as much as several.
        "alarms": sum(max(1, it.count("MetricStat:")) for it in of_type("AWS::CloudWatch::Alarm")),
        "filters": len(of_type("AWS::Logs::MetricFilter")),
        "dashboards": len(of_type("AWS::CloudWatch::Dashboard")),
        "secrets": len(of_type("AWS::SecretsManager::Secret")),
        "queues": len(of_type("AWS::Lambda::EventSourceMapping")),
        "indexer": int(re.search(r"\n  IndexerMemory:\n.*?\n    Default: (\d+)\n", text, re.S)[1]),
        # In MB.
        "readers": {name: int(re.search(rf"\n  {name}:\n.*?\n      MemorySize: (\d+)\n", text, re.S)[1]) for name in READERS},
    }


STACK = template()
# Memory of a function in GB, and its processors: Lambda gives one for 1,769 MB.
API, LISTS, SMALL = (mb / 1024 for mb in (STACK["readers"]["SearchRead"], 3008, 256))
INDEXER = STACK["indexer"] / 1024
PROCESSOR = 1769 / 1024

REGISTRY = 12.5  # GB, measured: 790,000 companies, 2.3 million notices
TABLES = REGISTRY + 1  # assumed: 1 GB of tenants
SCAN = REGISTRY * 1e9 / 4096  # read units: the indexer reads consistently
# Measured on two processors; on those of the indexer, estimated.
REBUILD, UPDATE = (seconds * 2 * PROCESSOR / INDEXER for seconds in (281, 184))
GENERATIONS = 2  # a day, assumed
REBUILDS = 4.3  # one a week reads the whole registry
GENERATION = 0.95  # GB, measured: 1.2 kB for each of 790,000 companies
CHANGED = 2_000  # assumed: companies that have changed since the generation before
OF_COMPANY = 6  # read units, consistent: record and history, with the mark
OTHER_OBJECTS = 20  # GB, assumed: fetched files, lists, exports, replaced versions
SCREENED_LISTS = 3
LIST_CHANGES = 40  # assumed: one list changes daily, the others sometimes
# Measured: what has changed compared with all companies; all entries, after a change of the matcher (assumed: once a month).
SCREENING, WHOLE_SCREENING = 36, 219
# Assumed seconds that a request waits, warm (for DynamoDB) and cold (for the bucket), and seconds of a processor; the first
# of them was measured (name search).
WARM_WAIT, WARM_WORK = 0.0141, 0.0034
COLD_WAIT, COLD_WORK = 1.0, 0.5
# Measured seconds of a processor of the most expensive list, and of a past day of a company with 5,000 notices.
LIST_WORK, PAST_WORK = 0.0451, 0.249
# Memories that are compared, in MB: one processor is 1,769. Chosen goals: seconds of that list, and of a cold process.
MEMORIES = (512, 768, 1024, 1769, 3008)
LIST_GOAL, COLD_GOAL = 0.1, 2.0
PROBE = MINUTES / 5  # runs of the probe
PROBES = 3 * PROBE  # its requests: health, companies, changes
SCHEDULED = MINUTES * (3 + 1 / 5 + 1 / 15) + DAYS * (24 * 3 + 3)
CHAINED = 9_000  # assumed: jobs that follow others, such as the pages of a source
BACKUP_OF_OTHER_OBJECTS = 0.2  # GB a day, assumed


OPERATORS_SECRETS = 4  # proxy, Zefix, Stripe, probe


def at_least_once(requests, slots):
    """How many of these slots (such as seconds) get at least one of the requests, if they arrive independently."""
    return slots * -math.expm1(-requests / slots)


def traced(requests):
    """Requests that X-Ray records: the first of each second, and 5 % of the others."""
    first = at_least_once(requests, SECONDS)
    return first + 0.05 * (requests - first)


def seconds(memory, wait, work):
    """How long a request takes that waits and computes on one processor, of which this memory (GB) has a part."""
    return wait + work * max(1, PROCESSOR / memory)


def lambda_seconds(memory, wait, work):
    """GB-seconds of one that waits and computes."""
    return memory * seconds(memory, wait, work)


def smallest_memory():
    """The cheapest one that reaches the goals, in MB."""
    reaches = lambda gb: seconds(gb, WARM_WAIT, LIST_WORK) <= LIST_GOAL and seconds(gb, COLD_WAIT, COLD_WORK) <= COLD_GOAL
    return next(it for it in MEMORIES if reaches(it / 1024))


def memories():
    """What a request takes and costs with each memory."""
    yield "| MB | Processors | Usual request | Most expensive list | A past day, 5,000 notices | Cold process | USD for a million usual requests |"
    yield "|--:|--:|--:|--:|--:|--:|--:|"
    for mb in MEMORIES:
        gb = mb / 1024
        works = [(WARM_WAIT, WARM_WORK), (WARM_WAIT, LIST_WORK), (WARM_WAIT, PAST_WORK), (COLD_WAIT, COLD_WORK)]
        times = [f"{seconds(gb, *it) * 1e3:,.0f} ms" for it in works]
        cost = figure(dollars({"GB-second": 1e6 * lambda_seconds(gb, WARM_WAIT, WARM_WORK)}))
        row = [f"{mb:,}", f"{gb / PROCESSOR:.2f}", *times, cost]
        is_taken = mb == STACK["readers"]["SearchRead"]
        yield "| " + " | ".join(f"**{it}**" if is_taken else it for it in row) + " |"


def generations(a_day, memory=INDEXER):
    """Building them. The seconds are those with the default memory."""
    seconds = a_day * DAYS * UPDATE + REBUILDS * REBUILD
    return {
        "GB-second": seconds * memory,
        "GB-second of disk": seconds * 9.5,
        "read unit": REBUILDS * SCAN + a_day * DAYS * CHANGED * OF_COMPANY,
    }


def screenings(generations_a_day):
    runs = generations_a_day * DAYS * SCREENED_LISTS + LIST_CHANGES
    return {"GB-second": (runs * SCREENING + SCREENED_LISTS * WHOLE_SCREENING) * LISTS}


def in_bucket(generations_a_day):
    """GB. Generations of a day are kept, and for a day more as replaced versions."""
    return generations_a_day * GENERATION * 2 + OTHER_OBJECTS


def backups(days):
    """Each backup of a table is a whole copy; one of the bucket has what is new."""
    new = GENERATIONS * GENERATION + BACKUP_OF_OTHER_OBJECTS
    return {
        "GB of a table in a backup": days * TABLES,
        "GB of the bucket in a backup": in_bucket(GENERATIONS) + days * new,
    }


def copies(days):
    """The same in another region, and the way there."""
    new = GENERATIONS * GENERATION + BACKUP_OF_OTHER_OBJECTS
    return {**backups(days), "GB to another region": DAYS * (TABLES + new)}


def month(requests, cold, keys, processes, metrics):
    """Quantities by part of the system."""
    requests += PROBES
    first = requests * cold
    jobs = SCHEDULED + CHAINED
    callers = at_least_once(requests, keys * processes * MINUTES)
    warm = requests * lambda_seconds(API, WARM_WAIT, WARM_WORK)
    return {
        "gateway": {"gateway request": requests},
        "functions, warm": {"function start": requests, "GB-second": warm, "GB-second of disk": warm / API * 3.5},
        "functions, cold": {
            "GB-second": first * lambda_seconds(API, COLD_WAIT, COLD_WORK),
            "read of an object": first * 40,
            "read of a secret": first,
        },
        "counting requests": {"write unit": requests},
        "reading callers": {"read unit": callers * 6},
        "reading records": {"read unit": requests * 5.5},
        "answers": {"GB to clients": requests * 5e-6},
        "logs": {"GB of logs": requests * 1.5e-6 + jobs * 1e-6},
        "traces": {"trace": traced(requests) + jobs},
        "generations": generations(GENERATIONS),
        "screening all companies": screenings(GENERATIONS),
        "ingest": {"write unit": 1.75e6, "read unit": 7e6, "GB-second": 60_000},
        "storage": {
            "GB in a table": TABLES,
            "GB of point-in-time recovery": TABLES,
            "GB in the bucket": in_bucket(GENERATIONS),
        },
        "queues and schedules": {
            # Five pollers each, a poll in 20 seconds.
            "queue request": STACK["queues"] * 5 * 3 * MINUTES + 3 * jobs,
            "start by a schedule": SCHEDULED + PROBE,
            "function start": jobs + PROBE,
            "GB-second": (jobs * 0.13 + PROBE) * SMALL,
        },
        "alarms, metrics, dashboards": {
            "metric of an alarm": STACK["alarms"],
            "metric": STACK["filters"] + metrics,
            "dashboard": STACK["dashboards"],
        },
        "secrets": {"secret": STACK["secrets"] + OPERATORS_SECRETS},
        # With the keys that belong to AWS, and its own key for secrets.
        "encryption": {"call of a managed key": 0},
    }


def without(these, others):
    """The quantities that are more in the first."""
    return {it: n - others.get(it, 0) for it, n in these.items()}


def options(requests):
    """What settings add that are off by default."""
    largest = 10_240 / 1024
    return {
        "`BackupDays` 7": backups(7),
        "`BackupDays` 35": backups(35),
        "`BackupCopyVault`, 35 days": copies(35),
        "24 generations a day instead of 2": {
            "GB in the bucket": in_bucket(24) - in_bucket(GENERATIONS),
            **without(generations(24), generations(GENERATIONS)),
            "GB-second": generations(24)["GB-second"]
            - generations(GENERATIONS)["GB-second"]
            + screenings(24)["GB-second"]
            - screenings(GENERATIONS)["GB-second"],
        },
        "`IndexerMemory` 10,240, if it is no faster": without(generations(GENERATIONS, largest), generations(GENERATIONS)),
        "`RequestsPerAddress`": {"web ACL with a rule": 1, "request through a web ACL": requests},
    }


def dollars(quantities):
    return sum(n * PRICES[it][0] for it, n in quantities.items())


def figure(value):
    """With two significant digits."""
    if value < 0.001:
        return "0" if value == 0 else "< 0.001"
    rounded = float(f"{value:.1e}")
    digits = 1 - math.floor(math.log10(rounded))
    return f"{rounded:.{max(0, digits)}f}"


def table(head, rows):
    yield f"| {head} | " + " | ".join(COLUMNS) + " |"
    yield "|---|" + "--:|" * len(COLUMNS)
    for name, values in rows.items():
        yield f"| {name} | " + " | ".join(values) + " |"


def lines():
    months = {name: {part: dollars(it) for part, it in month(**column).items()} for name, column in COLUMNS.items()}
    totals = [sum(it.values()) for it in months.values()]
    parts = list(next(iter(months.values())))
    rows = {part: [figure(it[part]) for it in months.values()] for part in parts}
    rows["**all**"] = [f"**{figure(it)}**" for it in totals]
    rows["per 1,000 requests"] = [figure(it / column["requests"] * 1e3) for it, column in zip(totals, COLUMNS.values())]

    yield "# What a month costs"
    yield ""
    yield "For 790,000 companies with 2.3 million notices, at 10 requests a minute and at 1, 10 and 100 million requests a month. Two significant digits."
    yield "`python3 benches/costs.py > COSTS.md` writes this page; the script contains every quantity and price. Nothing was measured on AWS."
    yield ""
    yield from table("USD a month", rows)
    yield ""
    yield "What settings add that are off by default:"
    yield ""
    added = [options(it["requests"]) for it in COLUMNS.values()]
    yield from table("USD a month", {name: [figure(dollars(it[name])) for it in added] for name in added[0]})
    yield ""
    yield "The largest parts:"
    yield ""
    for (name, costs), total in zip(months.items(), totals):
        largest = sorted(costs, key=costs.get, reverse=True)[:4]
        yield f"- **{name}**: " + ", ".join(f"{it} {costs[it] / total:.0%}" for it in largest).replace("%", " %")
    yield ""
    yield f"## Memory of {', '.join(f'`{it}`' for it in READERS)}"
    yield ""
    yield from memories()
    yield ""
    yield from MEMORY.strip().format(list_goal=f"{LIST_GOAL * 1e3:.0f}", cold_goal=f"{COLD_GOAL:.0f}").splitlines()
    yield ""
    yield "## Prices"
    yield ""
    yield "List prices of Frankfurt (`eu-central-1`) in US dollars, without free tier, discounts and taxes. Zurich (`eu-central-2`) is dearer for most"
    yield "services. No page could be read while this was written: prices **as remembered** in November 2026 are to be checked before you rely on them."
    yield ""
    yield "| Price of a | USD | Page | |"
    yield "|---|--:|---|---|"
    for name, (price, page, source) in PRICES.items():
        amount, unit = (price * 1e6, "million × ") if price < 0.01 else (price, "")
        yield f"| {unit}{name} | {amount:.4g} | <{page}> | {source} |"
    yield ""
    yield "## Where the quantities are from"
    yield ""
    yield from SOURCES.strip().format(**values()).splitlines()


def values():
    cold = seconds(API, COLD_WAIT, COLD_WORK)
    return {
        "cold": f"{cold:.1f}",
        "warm": f"{seconds(API, WARM_WAIT, WARM_WORK) * 1e3:.0f}",
        "traced": " / ".join(f"{traced(it['requests']) / it['requests']:.1%}" for it in COLUMNS.values()).replace("%", " %"),
        "cold_shares": " / ".join(f"{it['cold']:.1%}" for it in COLUMNS.values()).replace("%", " %"),
        "keys": " / ".join(f"{it['keys']}" for it in COLUMNS.values()),
        "processes": " / ".join(f"{it['processes']}" for it in COLUMNS.values()),
        "rebuild": figure(REBUILD),
        "update": figure(UPDATE),
        "processors": f"{INDEXER / PROCESSOR:.1f}",
        "scan": f"{SCAN / 1e6:.2f}",
        "scans": figure(dollars({"read unit": SCAN * (GENERATIONS * DAYS - REBUILDS)})),
        "jobs": f"{round(SCHEDULED + CHAINED, -3):,.0f}",
        "probes": f"{round(PROBES, -3):,.0f}",
        "polls": f"{STACK['queues'] * 15 * MINUTES / 1e6:.1f}",
        "http": " / ".join(
            figure(it["requests"] * (PRICES["gateway request"][0] - PRICES["request of an HTTP API"][0])) for it in COLUMNS.values()
        ),
        "restore": figure(dollars({"write unit": REGISTRY * 1e6, "read unit": 2 * SCAN + REGISTRY * 1e6})),
        **STACK,
    }


MEMORY = """
Lambda gives a processor for 1,769 MB and a part of one for less. Up to there, computing costs the same with each memory and takes longer with less; waiting for
DynamoDB takes the same time and costs more with more. Requests compute on one thread, so more than one processor does not help them. In bold: what `template.yaml`
has, the smallest memory with which the most expensive list takes at most {list_goal} ms and the first answer of a cold process {cold_goal} s (goals that we chose).

Processor times are [measured](benches/RESULTS.md#most-expensive-requests) on a server's core without the database; 14 ms of waiting for DynamoDB, and 1 s of waiting
and 0.5 s of a processor for a cold process, are assumed. Not measured: anything on Lambda, such as the speed of its arm64 processors, bursts above the share
of a processor, and how the speed of the network depends on the memory. A process of all functions [takes](benches/RESULTS.md#cold-processes) at most 190 MB for its first
answer; what it takes after days, with all indexes and caches, was not measured.
"""

SOURCES = """
| Quantity | Value | Source |
|---|---|---|
| size of the registry | 12.5 GB | measured |
| building a generation, from the registry / from the one before | {rebuild} s / {update} s with {indexer:,} MB | estimated: [measured](benches/RESULTS.md#register-and-indexes) 281 s and 184 s on two processors; these have {processors} |
| size of a generation | 0.95 GB | [measured](benches/RESULTS.md#register-and-indexes) |
| generations | 2 a day; one a week from the registry | assumed; at most 24 |
| reading the registry for a generation | {scan} million units | 12.5 GB, consistent reads of 4 kB |
| reading what has changed | 12,000 units | assumed: 2,000 companies, 6 units each |
| all companies against a list: what has changed / all entries | 36 s / 219 s | [measured](benches/RESULTS.md#screening); after each generation for 3 lists, and 40 changes of lists a month (assumed) |
| warm request | {warm} ms with 1 GB | 3.4 ms of a processor measured (name search), with 0.58 of one; 14 ms of waiting for DynamoDB assumed |
| first answer of a cold process | {cold} s with 1 GB, 40 objects | assumed: 1 s of waiting, 0.5 s of a processor. [Measured](benches/RESULTS.md#cold-processes) on a whole one with a slowed S3: 0.1 to 1.8 s together |
| cold requests | {cold_shares} | assumed |
| reading callers | 6 units, once a minute for each key and process that knows it | read in the code; keys {keys}, processes {processes} assumed |
| reading records | 5.5 units | assumed: half read a list of 20 records of 1.3 kB, half one company |
| traces | {traced} of the requests, and all jobs | the first of each second and 5 % of the others (X-Ray's default) |
| requests of the probe | {probes} | every five minutes health, companies and changes; in all rows |
| jobs | {jobs} | the schedules of `template.yaml`, and 9,000 that follow others (assumed) |
| idle queues | {polls} million requests | {queues} queues, five pollers each, a poll in 20 s |
| metrics of alarms, filters, dashboards, secrets | {alarms}, {filters}, {dashboards}, {secrets} | counted in `template.yaml`; four secrets more of the operator |
| backups | a whole copy of both tables (13.5 GB) for each day | those of the bucket have what is new: 2.1 GB a day |
| encryption | 0 calls | tables and bucket have keys that belong to AWS; Secrets Manager does not charge for its own |

The rest is assumed: answers of 5 kB, logs of 1.5 kB a request, ingest, metrics with data. The requests by which a new version is tried before it is used cost
less than a cent.

## What was done about it

- Generations are published once an hour at most, and only if something has changed. Before, an ordinary morning built 13.
- A generation is built from the previous one and the companies that have changed; only a weekly one reads the registry: {scans} dollars less.
- The indexer has {indexer:,} MB instead of 10,240.
- The files of an index are compressed, and records stay in the bucket: a cold process computes a quarter as long.
- The gateway compresses buffered answers from 1 kB, functions their streams.
- The web ACL (`RequestsPerAddress`) stops a flood before the functions, but is off, because it costs something for each request.
- `MostReadsPerSecond` and `MostWritesPerSecond` limit what DynamoDB can cost; an alarm is raised when requests reach the limit. The [budget](DEPLOYING.md#operate)
  warns by mail.
- Refusals of a flood write one log line in a hundred.

## What would save most, and is not done

| Change | Saves in the four columns | Why not yet |
|---|---|---|
| an HTTP API instead of a REST API | {http} | no streaming, no web ACL, other refusals |

## Not included

Restoring the registry ({restore} dollars for its items, and the restored table itself), the first load, mails, Bedrock, exports and their downloads, domain,
deployments, and that a streamed answer counts as a request for every 10 MB.
"""


if __name__ == "__main__":
    print("\n".join(lines()))

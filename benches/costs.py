"""The cost of a month: quantities × prices. Prints the table of COSTS.md.

usage: python benches/costs.py
"""

# US dollars, list prices of eu-central-1 from memory, 2026-11: to be checked.
PRICE = {
    "gateway request": 3.70e-6,
    "function start": 0.20e-6,
    "GB-second": 13.3334e-6,
    "read unit": 0.1525e-6,
    "write unit": 0.7625e-6,
    "GB in a table": 0.306,
    "GB of point-in-time recovery": 0.2448,
    "GB in the bucket": 0.0245,
    "read of an object": 0.43e-6,
    "GB of logs": 0.63,
    "GB to clients": 0.09,
    "trace": 5e-6,
    "queue request": 0.50e-6,
    "alarm": 0.10,
    "metric": 0.30,
    "secret": 0.40,
}
REGISTRY = 12.5  # GB, measured: 790,000 companies, 2.3 million notices
SCAN = REGISTRY * 1e9 / 4096  # read units: the indexer reads consistently
GENERATIONS = 60  # assumed: two a day
REBUILDS = 4.3  # one a week reads the whole registry
CHANGED = 2_000  # assumed: companies that have changed since the generation before
OF_COMPANY = 6  # read units, consistent: record and history, with the mark
COLD = {1e6: 0.02, 1e7: 0.005, 1e8: 0.001}  # assumed: requests that wait for a cold process


def month(requests):
    """Quantities by part of the system. What is not measured is assumed, see COSTS.md."""
    cold = requests * COLD[requests]
    return {
        "gateway": {"gateway request": requests},
        "functions, warm": {"function start": requests, "GB-second": requests * 0.020},
        "functions, cold": {"GB-second": cold * 2, "read of an object": cold * 40},
        "counting requests": {"write unit": requests},
        "reading records": {"read unit": requests * 5.5},
        "answers": {"GB to clients": requests * 5e-6},
        "logs and traces": {"GB of logs": requests * 1.5e-6, "trace": requests * 0.05},
        "generations": {
            "GB-second": (GENERATIONS + REBUILDS) * 280 * 10,
            "read unit": REBUILDS * SCAN + GENERATIONS * CHANGED * OF_COMPANY,
        },
        "ingest": {"write unit": 1.75e6, "read unit": 7e6, "GB-second": 60_000},
        "storage": {"GB in a table": REGISTRY + 1, "GB of point-in-time recovery": REGISTRY + 1, "GB in the bucket": 20},
        "idle queues": {"queue request": 6.5e6, "function start": 150_000, "GB-second": 5_000},
        "alarms, metrics, secrets": {"alarm": 50, "metric": 10, "secret": 4},
    }


if __name__ == "__main__":
    months = [month(it) for it in COLD]
    costs = [{part: sum(n * PRICE[it] for it, n in used.items()) for part, used in it.items()} for it in months]
    print("| USD a month | " + " | ".join(f"{it / 1e6:.0f} million" for it in COLD) + " |")
    print("|---|" + "--:|" * len(costs))
    for part in costs[0]:
        print(f"| {part} | " + " | ".join(f"{it[part]:,.1f}" for it in costs) + " |")
    print("| **all** | " + " | ".join(f"**{sum(it.values()):,.0f}**" for it in costs) + " |")
    print("| per 1,000 requests | " + " | ".join(f"{sum(it.values()) / n * 1e3:.4f}" for it, n in zip(costs, COLD)) + " |")

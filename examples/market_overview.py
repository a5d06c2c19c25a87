"""Prints an overview of the companies of a canton: legal forms, industries, capital, entries and deletions, largest companies.

    python market_overview.py ZG

Needs a key of the tier `starter` or higher. The link after a figure lists the companies that it counts.
"""

import os
import sys

import httpx
import vynco

URL, KEY = os.environ["GOTTHARD_URL"], os.environ["GOTTHARD_KEY"]
YEARS = 5


def analysis(name, **query):
    """The client cannot send filters with an analysis, and drops the links of its answer."""
    answer = httpx.get(f"{URL}/v1/analytics/{name}", params=query, headers={"Authorization": f"Bearer {KEY}"}, timeout=30)
    answer.raise_for_status()
    return answer.json()


def line(what, figure, link=None):
    print(f"  {what:<48}{figure:>14}  {link or ''}".rstrip())


def francs(amount):
    return "unknown" if amount is None else f"CHF {amount:,.0f}"


def counts(canton, group_by, most=5):
    """The number of companies in the largest groups."""
    answer = analysis("cohorts", canton=canton, groupBy=group_by, metric="count")
    groups = sorted(answer["cohorts"], key=lambda it: -it["count"])
    line("All companies", f"{sum(it['count'] for it in groups):,}", answer["companiesUrl"])
    for group in groups[:most]:
        line(group["group"], f"{group['count']:,}", group.get("companiesUrl"))


def median_capital(canton):
    answer = analysis("cohorts", canton=canton, groupBy="legalForm", metric="medianCapital")
    for group in answer["cohorts"]:
        if "value" in group:
            line(group["group"], francs(group["value"]), group.get("companiesUrl"))


def entries_and_deletions(canton):
    answer = analysis("flows", canton=canton, period="yearly")
    for year in answer["flows"][-YEARS:]:
        name = year["period"] if year["isComplete"] else f"{year['period']} until today"
        line(f"{name}: entered", year["registrations"], year.get("registrationsUrl"))
        line(f"{name}: deleted", year["dissolutions"] + year["otherDeletions"], year.get("deletionsUrl"))
    print(f"  {answer.get('dataCoverageNote', 'Since when deletions are known cannot be said.')}")


def largest_companies(canton):
    client = vynco.Client(KEY, base_url=URL)
    found = client.companies.list(canton=canton, status="ACTIVE", sort_by="shareCapital", sort_desc=True, page_size=5).data
    for company in found.items:
        capital = f"{company.currency} {company.share_capital:,.0f}" if company.share_capital else "unknown"
        line(company.name, capital, f"{URL}/v1/companies/{company.uid}")


def main(canton):
    print(f"Legal forms in {canton}")
    counts(canton, "legalForm")
    print("Industries")
    counts(canton, "industry")
    print("Median capital")
    median_capital(canton)
    print("Entries and deletions")
    entries_and_deletions(canton)
    print("Largest capital")
    largest_companies(canton)


if __name__ == "__main__":
    main(sys.argv[1])

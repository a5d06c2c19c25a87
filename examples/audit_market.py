"""Prints the market of audits in a canton: shares of the firms, companies that may change their auditor, companies that may need one.

    python audit_market.py ZH

Needs a key of the tier `starter` or higher. The link after a figure lists the companies that it counts, or the publications behind it.
"""

import os
import sys

import httpx
import vynco

URL, KEY = os.environ["GOTTHARD_URL"], os.environ["GOTTHARD_KEY"]
FIRMS, COMPANIES = 8, 5


def shares(canton):
    """The client cannot send filters with this analysis, and drops the links of its answer."""
    answer = httpx.get(
        f"{URL}/v1/analytics/auditors",
        params={"canton": canton, "limit": FIRMS},
        headers={"Authorization": f"Bearer {KEY}"},
        timeout=30,
    )
    answer.raise_for_status()
    for firm in answer.json():
        # After the firms: companies without an audit, and those whose auditor is not known.
        name = {"None": "(without an audit)", "Unknown": "(not known)"}.get(firm["auditorName"], firm["auditorName"])
        share = f"{firm['percentage']:.1f} %" if firm["percentage"] else ""
        print(f"  {name:<44}{firm['companyCount']:>8,}{share:>9}  {firm.get('companiesUrl', answer.url)}")
        for other in firm["gainedFrom"]:
            print(f"    {other['count']} gained from {other['auditorName']}")
        for other in firm["lostTo"]:
            print(f"    {other['count']} lost to {other['auditorName']}")


def history(uid):
    return f"{URL}/v1/companies/{uid}/auditor-history"


def prospects(client, canton):
    """Companies that may change their auditor."""
    found = client.analytics.prospects(canton=canton, page_size=COMPANIES).data
    print(f"Companies that may change their auditor: {found.total}, most likely")
    for it in found.items:
        tenure = f"{it.tenure_years:.0f} years" if it.tenure_years is not None else "since an unknown day"
        print(f"  {it.opportunity_score:>3} points  {it.company_name}: {it.auditor_name}, {tenure}  {history(it.company_uid)}")


def candidates(client, canton):
    """Companies that may need an audit, with or without an auditor."""
    found = client.analytics.candidates(canton=canton, page_size=COMPANIES).data
    print(f"Companies that may need an audit: {found.total}, those with the most points")
    for it in found.items:
        reasons = ", ".join(it.risk_indicators).replace("_", " ") or "size"
        print(f"  {it.score:>3} points  {it.name}: {reasons}  {history(it.uid)}")


def main(canton):
    client = vynco.Client(KEY, base_url=URL)
    print(f"Audit firms in {canton}: companies, share of those with a known auditor")
    shares(canton)
    prospects(client, canton)
    candidates(client, canton)


if __name__ == "__main__":
    main(sys.argv[1])

"""Prints what is known about a company before you do business with it: record, officers, owners, hits on lists, risk, changes.

    python due_diligence.py CHE-812.460.660

Needs a key of the tier `professional` or higher. Each section names the address of the answer, which states the sources.
"""

import os
import sys

import vynco

URL = os.environ["GOTTHARD_URL"]
CHANGES = 5


def section(title, path):
    print(f"\n{title}  {URL}/v1/{path}")


def record(client, uid):
    company = client.companies.get(uid).data
    section(company.name, f"companies/{uid}")
    capital = f"{company.currency} {company.share_capital:,.0f}" if company.share_capital else "capital unknown"
    print(f"  {company.legal_form}, {company.legal_seat}, {company.status}, {capital}, since {company.registration_date}")
    print(f"  {company.industry or 'Industry unknown'}; auditor: {company.auditor_name or 'none known'}")


def officers(client, uid):
    section("Officers and signatories", f"persons/board-members/{uid}")
    for person in client.persons.board_members(uid).data:
        print(f"  {person.first_name} {person.last_name}, {person.role or 'signatory'}, signs: {person.signing_authority or 'no'}")


def owners(client, uid):
    section("Beneficial owners", f"companies/{uid}/ubo")
    found = client.companies.ubo(uid).data
    for person in found.ubo_persons:
        print(f"  {person.name}, {person.role} of {person.controlling_entity_name}".replace("_", " "))
    for link in found.ownership_chain:
        print(f"  {link.from_name} → {link.to_name}")
    if found.risk_flags:
        print(f"  unclear: {', '.join(found.risk_flags)}".replace("_", " "))


def screening(client, uid):
    section("Sanctions and warning lists", "screenings")
    (result,) = client.screening.batch(uids=[uid]).data.results
    print(f"  {result.risk_level}: {result.total_hits} hits in {', '.join(result.sources_checked)}")
    for hit in result.hits:
        print(f"  {hit.matched_name} ({hit.source}), score {hit.score:.2f}")


def risk(client, uid):
    section("Risk", f"risk/v2/{uid}")
    found = client.risk.v2(uid).data
    # The score compares companies. It is not the probability of an event.
    print(f"  {found.risk_level}, score {found.score:.4f}")
    for factor in found.factors:
        if factor.evidence_applied:
            print(f"  {factor.factor.replace('_', ' ')}: {factor.rationale}")
            for citation in factor.citations:
                if citation.source_url:
                    print(f"    {citation.regulation_title}, {citation.article}  {citation.source_url}")


def changes(client, uid):
    section("Newest changes", f"companies/{uid}/timeline")
    for event in client.companies.timeline(uid).data.events[:CHANGES]:
        print(f"  {event.date}  {event.summary}")


def main(uid):
    client = vynco.Client(os.environ["GOTTHARD_KEY"], base_url=URL)
    for show in (record, officers, owners, screening, risk, changes):
        show(client, uid)


if __name__ == "__main__":
    main(sys.argv[1])

"""Watches companies, and prints their risk, the highest score first, with what has changed lately.

    python risk_watch.py CHE-812.460.660 CHE-697.870.775
    python risk_watch.py --stop CHE-812.460.660 CHE-697.870.775

Run it every morning: watching a company twice has no effect. Needs a key of the tier `professional` or higher. Changes and new risk
levels of watched companies arrive as notifications; webhooks and mails can be added.
"""

import argparse
import datetime
import os

import vynco

URL = os.environ["GOTTHARD_URL"]
DAYS = 30
FACTORS = 3


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("uids", nargs="+", metavar="UID", help="number of a company")
    parser.add_argument("--stop", action="store_true", help="no longer watch these companies")
    return parser.parse_args()


def watch(client, uids):
    for uid in uids:
        client.watches.add(company_uid=uid)


def stop(client, uids):
    watched = {it.company_uid for it in client.watches.list().data}
    for uid in watched.intersection(uids):
        client.watches.remove(uid)


def print_risk(client, risk):
    print(f"\n{risk.risk_level:<9}{risk.score:>7.4f}  {risk.company_name}  {URL}/v1/risk/v2/{risk.uid}")
    # Factors without evidence are the same for all companies.
    with_evidence = [it for it in risk.factors if it.evidence_applied]
    for factor in sorted(with_evidence, key=lambda it: -it.weight * it.posterior_mean)[:FACTORS]:
        print(f"  {factor.factor.replace('_', ' ')}: {factor.rationale}")
    since = f"{datetime.date.today() - datetime.timedelta(days=DAYS)}"
    for event in client.companies.timeline(risk.uid, since=since).data.events:
        print(f"  {event.date}  {event.summary}  {URL}/v1/companies/{risk.uid}/timeline")


def print_notifications(client):
    found = client.notifications.list(unread=True, limit=10).data
    print(f"\nUnread notifications: {found.unread_count}  {URL}/v1/notifications?unread=true")
    for notification in found.items:
        print(f"  {notification.created_at[:10]}  {notification.title}  {notification.link or ''}".rstrip())


def main():
    given = arguments()
    client = vynco.Client(os.environ["GOTTHARD_KEY"], base_url=URL)
    if given.stop:
        stop(client, given.uids)
    else:
        watch(client, given.uids)
    watched = [it.company_uid for it in client.watches.list().data]
    print(f"Watched companies: {len(watched)}  {URL}/v1/watches")
    risks = [client.risk.v2(uid).data for uid in watched]
    for risk in sorted(risks, key=lambda it: -it.score):
        print_risk(client, risk)
    print_notifications(client)


if __name__ == "__main__":
    main()

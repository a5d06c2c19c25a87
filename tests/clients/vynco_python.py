"""Tests the published Python client (vynco 4.0.0 on PyPI) against a running server.

usage: vynco_python.py LOCAL_JSON

Calls every method of the served resources with typical parameters and checks the typed results. A method
that is neither called nor listed in `NOT_SERVED` is a failure. The last line of the output is
`N passed, N failed`.
"""

import asyncio
import functools
import inspect
import json
import sys
import traceback

import vynco

LOCAL = json.load(open(sys.argv[1]))


def client(tier):
    return vynco.Client(LOCAL["keys"][tier], base_url=LOCAL["url"], max_retries=0)


# Resources, and single methods of other resources, whose endpoints are not served yet.
NOT_SERVED = set(
    """ai alerts analytics audit billing bulk compliance dossiers exports notifications ownership pipelines reports
    risk saved_searches screening settings teams watches watchlists webhooks

    companies.all_tags companies.create_note companies.create_tag companies.delete_note companies.delete_tag
    companies.export_csv companies.export_excel companies.media_analyze companies.notes companies.pdf
    companies.tags companies.timeline_summary companies.ubo companies.update_note graph.analyze""".split()
)
METHODS, CALLED = set(), set()


def recorded(name, method):
    METHODS.add(name)

    @functools.wraps(method)
    def call(*arguments, **keywords):
        answer = method(*arguments, **keywords)
        CALLED.add(name)
        return answer

    return call


def record_calls(client):
    """Records which methods of the client's resources have returned."""
    for name, resource in inspect.getmembers(client, lambda it: type(it).__module__.startswith("vynco.resources")):
        for method, function in inspect.getmembers(type(resource), inspect.isfunction):
            if not method.startswith("_"):
                setattr(type(resource), method, recorded(f"{name}.{method}", function))


enterprise = client("enterprise")
record_calls(enterprise)
NESTLE = "CHE-105.909.036"
# The invented companies of the files in `sources/`, which the server has imported.
SOLAR, BRANCH, TAKEN_OVER = "CHE-600.000.012", "CHE-600.000.029", "CHE-600.000.035"


def check(condition, found):
    if not condition:
        raise AssertionError(found)


def expect_error(error, call):
    try:
        call()
    except error as raised:
        return raised
    raise AssertionError(f"expected {error.__name__}")


def health_check_reports_healthy():
    health = enterprise.health.check().data
    check(health.status == "healthy" and health.database == "connected" and health.version, health)


def a_search_for_a_well_known_company_finds_it_first():
    for query, uid in {
        "ABB": "CHE-101.049.653",
        "UBS": "CHE-101.329.561",
        "Novartis": "CHE-103.011.259",
        "Roche": "CHE-103.000.037",
        "Zurich Insurance": "CHE-101.236.480",
        "Nestlé": NESTLE,
    }.items():
        page = enterprise.companies.list(query=query, page_size=1).data
        check(page.items[0].uid == uid, f"{query}: {page.items[0]}")


def lists_accept_the_filters_of_the_client():
    for parameters in [
        {"canton": "ZH", "status": "active", "legal_form": "AG"},
        {"capital_min": 1000000.0, "capital_max": 5e7, "sort_by": "shareCapital", "sort_desc": True},
        {"changed_since": "2024-01-01", "auditor_category": "big4"},
        {"founded_after": "2015-01-01", "founded_before": "2020-12-31"},
        {"has_lei": True, "has_auditor": False, "has_wikidata": False},
        {"noga_section": "K", "is_finma_regulated": False},
        {"noga_division": "62", "data_quality_min": 0.5, "data_quality_max": 1.0},
        {"status_canonical": "active", "legal_form_code": "0107", "enriched": True},
        {"uids": NESTLE},
        {"lei": "DEMO00CHE00000000000", "page": 1, "page_size": 5},
    ]:
        everything = enterprise.companies.count().data.count
        page = enterprise.companies.list(**parameters).data
        check(0 <= page.total < everything and len(page.items) <= page.page_size, (parameters, page.total))


def filtered_and_sorted_lists_contain_only_matching_companies_in_order():
    page = enterprise.companies.list(canton="GE", legal_form="GmbH", page_size=100).data
    check(page.items and all(it.canton == "GE" for it in page.items), page)
    check(all(it.legal_form_code == "0107" for it in page.items), page)
    capitals = enterprise.companies.list(sort_by="shareCapital", sort_desc=True, page_size=50).data
    amounts = [it.share_capital for it in capitals.items]
    check(amounts == sorted(amounts, reverse=True), amounts)


def pages_do_not_overlap_and_a_page_past_the_end_is_empty():
    first = enterprise.companies.list(sort_by="name", page=1, page_size=50).data
    second = enterprise.companies.list(sort_by="name", page=2, page_size=50).data
    check(not {it.uid for it in first.items} & {it.uid for it in second.items}, "overlap")
    past_the_end = enterprise.companies.list(page=100000).data
    check(past_the_end.items == [] and past_the_end.total == first.total, past_the_end)


def a_company_has_its_members_and_response_metadata():
    answer = enterprise.companies.get(NESTLE)
    company, meta = answer.data, answer.meta
    check((company.uid, company.name, company.canton) == (NESTLE, "Nestlé S.A.", "VD"), company)
    check(company.legal_form == "Aktiengesellschaft" and company.data_source == "demo", company)
    check(meta.request_id and meta.rate_limit_group == "search_read", meta)
    check(meta.rate_limit_limit == 60000 and meta.rate_limit_window == "1h", meta)
    full = enterprise.companies.get_full(NESTLE).data
    check(full.company.uid == NESTLE and full.persons == [] and full.recent_changes == [], full)


def counts_and_statistics_agree():
    count = enterprise.companies.count().data.count
    statistics = enterprise.companies.statistics().data
    check(statistics.total == count, (statistics.total, count))
    for parts in (statistics.by_status, statistics.by_canton, statistics.by_legal_form):
        check(sum(parts.values()) == count, parts)


def nearby_companies_are_sorted_nearest_first():
    near = enterprise.companies.nearby(lat=47.559, lng=7.588, radius_km=2.0, limit=10).data
    distances = [it.distance for it in near]
    check(near and distances == sorted(distances) and distances[-1] <= 2.0, near)


def similar_companies_are_scored():
    page = enterprise.companies.list(canton="ZH", legal_form="AG", has_auditor=True, page_size=1).data
    similar = enterprise.companies.similar(page.items[0].uid, limit=5).data
    scores = [it.similarity_score for it in similar.results]
    check(len(scores) == 5 and scores == sorted(scores, reverse=True), similar)
    check(all(it.matching_dimensions for it in similar.results), similar)


def company_with_history():
    """The number of the company whose board changed last."""
    return enterprise.changes.list(change_type="BoardChange", page_size=1).data.items[0].company_uid


def changes_are_listed_and_counted_and_can_be_reviewed():
    statistics = enterprise.changes.statistics().data
    check(statistics.total_changes > 0 and sum(statistics.by_type.values()) == statistics.total_changes, statistics)
    for kind, spelling in {"auditor_change": "AUDITOR_CHANGE", "board_change": "BoardChange"}.items():
        page = enterprise.changes.list(change_type=spelling, page_size=10).data
        check(page.total == statistics.by_type[kind] and page.items, (kind, page.total))
        check(all(it.change_type == kind and it.detected_at for it in page.items), page)
    change = page.items[0]
    of_company = enterprise.changes.by_company(change.company_uid, include_internal=True).data
    check(change.id in [it.id for it in of_company], of_company)
    found = enterprise.changes.list(company_search=change.company_name, since="2000-01-01", until="2100-01-01").data
    check(found.total > 0, found)
    enterprise.changes.review(change.id)
    expect_error(vynco.NotFoundError, lambda: enterprise.changes.review("no-such-change"))


def a_company_has_timeline_diff_and_events():
    uid = company_with_history()
    full = enterprise.companies.get_full(uid).data
    check(full.persons and full.recent_changes, full)
    check(all(it.person_id and it.last_name and it.role for it in full.persons), full.persons)
    timeline = enterprise.companies.timeline(uid).data
    check(timeline.total_events == len(timeline.events) > 0, timeline)
    dates = [it.date for it in timeline.events]
    check(dates == sorted(dates, reverse=True), dates)
    diff = enterprise.changes.diff(uid, since="1900-01-01").data
    check(diff.total_changes == timeline.total_events, (diff.total_changes, timeline.total_events))
    events = enterprise.companies.events(uid, limit=5).data
    check(events.count == len(events.events) > 0, events)
    check(all(it.ce_type.startswith("ch.gotthard.company.") and it.company_uid == uid for it in events.events), events)


def auditor_tenures_are_listed_and_part_of_the_history():
    page = enterprise.auditors.tenures(min_years=5.0, canton="ZH", page_size=5).data
    check(page.items and all(it.tenure_years >= 5 for it in page.items), page)
    history = enterprise.auditors.history(page.items[0].company_uid).data
    check(page.items[0].id in [it.id for it in history.history], history)
    if history.current_auditor:
        check(history.current_auditor.is_current, history)


def persons_are_found_with_their_roles_and_network():
    uid = company_with_history()
    board = enterprise.persons.board_members(uid, page=1, page_size=100).data
    check(board and all(it.id and it.role and it.role_category for it in board), board)
    person = board[0]
    found = enterprise.persons.search(q=f"{person.first_name} {person.last_name}", is_active=True).data
    check(person.id in [it.id for it in found.items], found)
    detail = enterprise.persons.get(person.id).data
    check(detail.id == person.id and uid in [it.company_uid for it in detail.roles], detail)
    network = enterprise.persons.network(person.id).data
    check(network.person.id == person.id and network.stats.total_companies == len(network.companies), network)


def companies_have_graph_relationships_and_hierarchy():
    uid = company_with_history()
    graph = enterprise.graph.get(uid).data
    check([it.uid for it in graph.nodes if it.node_type == "root"] == [uid] and graph.links, graph)
    exported = enterprise.graph.export(uid, format="graphml")
    check(b"<graphml" in exported.bytes, exported)
    kinds = {it.related_uid: it.relationship_type for it in enterprise.companies.relationships(SOLAR).data}
    check(kinds == {BRANCH: "branch_office", TAKEN_OVER: "acquisition"}, kinds)
    hierarchy = enterprise.companies.hierarchy(BRANCH).data
    check(hierarchy.parent.uid == SOLAR and hierarchy.subsidiaries == [], hierarchy)
    structure = enterprise.companies.structure(SOLAR).data
    sides = [structure.head_offices, structure.branch_offices, structure.acquisitions, structure.acquired_by]
    check([[it.uid for it in side] for side in sides] == [[], [BRANCH], [TAKEN_OVER], []], structure)
    for side in (SOLAR, TAKEN_OVER):
        acquisitions = enterprise.companies.acquisitions(side).data
        check([(it.acquirer_uid, it.acquired_uid) for it in acquisitions] == [(SOLAR, TAKEN_OVER)], acquisitions)


def a_company_has_news_media_and_reports():
    news = enterprise.companies.news(SOLAR).data
    dates = [it.published_at for it in news]
    check(len(news) == 3 and dates == sorted(dates, reverse=True), news)
    newest = news[0]
    check(newest.title == "Muster Solarwerke AG mit Rekordgewinn" and newest.source == "Musterzeitung", newest)
    check(newest.url == "https://news.example/record" and newest.summary == "Das Unternehmen legt zu.", newest)
    media = enterprise.companies.media(SOLAR).data
    check([it.sentiment_label for it in media.items] == ["positive", "neutral", "negative"], media)
    bad = enterprise.companies.media(SOLAR, sentiment="negative", since="2026-11-01", limit=1).data
    check(bad.total == 1 and bad.items[0].topics == ["bankruptcy"], bad)
    check(bad.items[0].sentiment_score < 0 < bad.items[0].risk_relevance, bad)
    reports = enterprise.companies.reports(SOLAR).data
    check([it.fiscal_year for it in reports] == [2025, 2024], reports)
    last = reports[0]
    check((last.report_type, last.description) == ("annual", "Geschäftsbericht 2025"), last)
    check(last.source_url == "https://solarwerke.example/2025.pdf" and last.publication_date == "2026-03-27", last)
    figures = enterprise.companies.fingerprint(SOLAR).data
    check((figures.revenue, figures.net_income, figures.employee_count_estimate) == (48500000, 1200000, 195), figures)
    check(enterprise.companies.news(NESTLE).data == [], "a demo company has no news")
    check(enterprise.companies.reports(NESTLE).data == [], "a demo company has no reports")
    check(enterprise.companies.media(NESTLE).data.total == 0, "a demo company has no media")


def companies_are_classified_fingerprinted_and_compared():
    page = enterprise.companies.list(canton="ZH", legal_form="AG", has_auditor=True, page_size=2).data
    one, other = page.items
    classification = enterprise.companies.classification(one.uid).data
    check(classification.company_uid == one.uid and classification.method, classification)
    fingerprint = enterprise.companies.fingerprint(one.uid).data
    check(fingerprint.canton == "ZH" and fingerprint.company_age >= 0, fingerprint)
    compared = enterprise.companies.compare([one.uid, other.uid]).data
    check(compared.uids == [one.uid, other.uid] and len(compared.dimensions) == 11, compared)
    expect_error(vynco.ValidationError, lambda: enterprise.companies.compare([one.uid]))
    by_person = enterprise.companies.list(board_member_search=board_member(), page_size=5).data
    check(by_person.total > 0, by_person)
    check(enterprise.companies.list(min_changes=3, page_size=5).data.total > 0, "companies with at least 3 changes")


def board_member():
    return enterprise.persons.board_members(company_with_history()).data[0].last_name


def dashboard_and_sync_status_describe_the_data():
    dashboard = enterprise.dashboard.get().data
    check(dashboard.generated_at and dashboard.data.total_companies == enterprise.companies.count().data.count, dashboard)
    check(dashboard.data.total_changes == enterprise.changes.statistics().data.total_changes, dashboard)
    pipelines = enterprise.sync.status().data.pipelines
    check({"zefix", "shab", "lindas", "gleif"} <= {it.pipeline for it in pipelines}, pipelines)


def api_keys_are_created_listed_and_revoked():
    starter = client("starter")
    created = starter.api_keys.create(name="client test", environment="test", scopes=["read"]).data
    check(created.key.startswith("gth_test_") and created.scopes == ["read"], created)
    mine = [it for it in starter.api_keys.list().data if it.id == created.id]
    check(len(mine) == 1 and mine[0].status == "active", mine)
    with vynco.Client(created.key, base_url=LOCAL["url"], max_retries=0) as reader:
        check(reader.companies.count().data.count > 0, "the new key can read")
        expect_error(vynco.ForbiddenError, lambda: reader.api_keys.create(name="more"))
    starter.api_keys.revoke(created.id)
    check([it.status for it in starter.api_keys.list().data if it.id == created.id] == ["revoked"], "revoked")


def usage_lists_every_rate_group():
    for tier in ("free", "starter", "professional", "enterprise"):
        usage = client(tier).usage.current().data
        check(usage.tier == tier and len(usage.groups) == 8, usage)
    free = {it.group: it for it in client("free").usage.current().data.groups}
    check(free["analytics_read"].limit is None and free["search_read"].limit == 60, free)


def error_responses_raise_the_errors_of_the_client():
    expect_error(vynco.NotFoundError, lambda: enterprise.companies.get("CHE-000.000.000"))
    invalid = expect_error(vynco.ValidationError, lambda: enterprise.companies.list(canton="XX"))
    check("canton" in str(invalid) and "`XX`" in str(invalid), invalid)
    expect_error(vynco.NotFoundError, lambda: enterprise.api_keys.revoke("no-such-key"))
    unknown = vynco.Client("vc_live_nobody", base_url=LOCAL["url"], max_retries=0)
    expect_error(vynco.AuthenticationError, lambda: unknown.companies.count())
    free = client("free")
    for _ in range(60):
        try:
            free.companies.count()
        except vynco.RateLimitError:
            break
    expect_error(vynco.RateLimitError, lambda: free.companies.count())


def the_asynchronous_client_gets_the_same_results():
    async def send():
        async with vynco.AsyncClient(LOCAL["keys"]["enterprise"], base_url=LOCAL["url"], max_retries=0) as client:
            return await asyncio.gather(
                client.companies.get(NESTLE), client.companies.list(query="ABB"), client.changes.by_company(SOLAR)
            )

    results = [it.data for it in asyncio.run(send())]
    expected = [enterprise.companies.get(NESTLE), enterprise.companies.list(query="ABB"), enterprise.changes.by_company(SOLAR)]
    check(results == [it.data for it in expected], results)


def every_method_is_called_or_listed_as_not_served():
    not_served = {it for it in METHODS if it in NOT_SERVED or it.split(".")[0] in NOT_SERVED}
    check(METHODS - CALLED == not_served, f"not called: {METHODS - CALLED - not_served}, served but listed: {CALLED & not_served}")
    unknown = {it for it in NOT_SERVED if not any(it in (name, name.split(".")[0]) for name in METHODS)}
    check(not unknown, unknown)


passed, failed = 0, 0
for name, test in [(name, it) for name, it in list(globals().items()) if callable(it) and it.__module__ == "__main__"]:
    if name in ("client", "recorded", "record_calls", "check", "expect_error", "company_with_history", "board_member"):
        continue
    try:
        test()
        passed += 1
        print(f"ok   {name}")
    except Exception:
        failed += 1
        print(f"FAIL {name}")
        traceback.print_exc()
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)

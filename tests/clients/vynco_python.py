"""Tests the published Python client (vynco 4.0.0 on PyPI) against a running server.

usage: vynco_python.py LOCAL_JSON

Calls every method that the server serves with typical parameters and checks the typed results. The methods in
`NOT_SERVED` are called too: the server must have no endpoint for them. A method that is in neither group is a failure.
The last line of the output is `N passed, N failed`.
"""

import asyncio
import csv
import functools
import http.server
import inspect
import io
import json
import re
import sys
import threading
import time
import traceback
import urllib.request
import uuid

import standardwebhooks
import vynco

LOCAL = json.load(open(sys.argv[1]))


def client(tier):
    return vynco.Client(LOCAL["keys"][tier], base_url=LOCAL["url"], max_retries=0)


# Resources, and single methods of other resources, that the server has no endpoints for.
NOT_SERVED = set(
    """ai

    companies.media_analyze companies.timeline_summary reports.generate""".split()
)
# Served, but the server has no payment provider: they never return.
WITHOUT_PROVIDER = {"billing.create_checkout", "billing.create_portal"}
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


def owners_are_followed_to_the_end():
    ubo = enterprise.companies.ubo(BRANCH).data
    (link,) = ubo.ownership_chain
    check((link.from_uid, link.to_uid, link.depth) == (SOLAR, BRANCH, 1) and ubo.chain_depth == 1, ubo)
    check(ubo.ultimate_parent_name == "Muster Solarwerke AG" and "not public" in ubo.data_coverage_note, ubo)
    directed = enterprise.companies.ubo(company_with_history()).data
    person = directed.ubo_persons[0]
    check(person.person_id and person.name and person.path_length >= 1, person)
    check(person.role in ("beneficial_owner", "controlling_person") and person.controlling_entity_uid, person)
    trace = enterprise.ownership.trace(BRANCH, max_depth=5).data
    (link,) = trace.ownership_chain
    check((link.source_uid, link.target_uid, link.relationship_type) == (SOLAR, BRANCH, "head_office"), trace)
    parent = trace.ultimate_parent
    check((parent.uid, parent.canton, parent.share_capital) == (SOLAR, "ZH", 250_000), trace)
    check(trace.risk_level in ("low", "medium", "high", "critical") and trace.circular_flags == [], trace)
    analytics = enterprise.ownership.analytics(BRANCH).data
    check(0 <= analytics.opacity_score <= 100 and analytics.contributors and analytics.citations, analytics)
    focus = analytics.graph_analytics.focus
    check(focus.ubo_chain_depth == 1 and not focus.has_circular_ownership, analytics)
    check(set(analytics.graph_analytics.pagerank) >= {SOLAR, BRANCH}, analytics)
    expect_error(vynco.ForbiddenError, lambda: client("starter").companies.ubo(BRANCH))


def the_register_is_analysed():
    analytics = enterprise.analytics
    cantons = analytics.cantons().data
    check(len(cantons) == 27 and {"ZH", "Unknown"} <= {it.canton for it in cantons}, cantons)
    check(99 < sum(it.percentage for it in cantons) < 101, cantons)
    auditors = analytics.auditors().data
    check(auditors[0].company_count > 0 and auditors[0].auditor_name, auditors)
    cohorts = analytics.cohorts(group_by="canton", metric="count").data
    check((cohorts.group_by, cohorts.metric) == ("canton", "count"), cohorts)
    check(sum(it.count for it in cohorts.cohorts) == sum(it.count for it in cantons), cohorts)
    segments = analytics.rfm_segments().data.segments
    names = ["Champions", "Loyal", "Recent", "Promising", "Needs Attention", "Dormant"]
    check([it.name for it in segments] == names and all(it.description for it in segments), segments)
    clusters = analytics.cluster(algorithm="kmeans", k=3).data.clusters
    check(len(clusters) == 3 and all(it.sample_companies and it.centroid for it in clusters), clusters)
    for algorithm, threshold in (("zscore", 2.0), ("isolation_forest", 0.95)):
        found = analytics.anomalies(algorithm=algorithm, threshold=threshold).data
        check(found.total_scanned > 0 and found.threshold == threshold, found)
        check(all(it["companyUid"] and it["factors"] for it in found.anomalies), found)
    candidates = analytics.candidates(sort_by="score", canton="ZH", page_size=5).data
    check(len(candidates.items) == 5 and all(it.canton == "ZH" and it.score > 0 for it in candidates.items), candidates)
    prospects = analytics.prospects(min_score=20, page=1, page_size=5).data
    check(prospects.items and all(it.opportunity_score >= 20 and it.tenure_risk for it in prospects.items), prospects)
    flows = analytics.flows(period="monthly", group_by="legalForm").data.flows
    check(flows and all(it.net == it.registrations - it.dissolutions for it in flows), flows)
    moves = analytics.migrations().data
    check(len(moves.top_flows) <= 10 and all(it.from_canton != it.to_canton for it in moves.flows), moves)
    benchmark = analytics.benchmark(uid=SOLAR, dimensions=["capital", "company_age"]).data
    check(benchmark.company_name == "Muster Solarwerke AG", benchmark)
    check(next(it.company_value for it in benchmark.dimensions if it.name == "capital") == 250_000, benchmark)
    expect_error(vynco.ForbiddenError, client("free").analytics.cantons)
    expect_error(vynco.ValidationError, lambda: analytics.cluster(algorithm="kmeans", k=1))


def industries_have_reports():
    listed = enterprise.reports.industries().data
    check(listed.total == len(listed.industries) == 88 and listed.industries[0].industry, listed)
    largest = max(listed.industries, key=lambda it: it.company_count)
    report = enterprise.reports.get(largest.industry).data
    check((report.industry, report.company_count) == (largest.industry, largest.company_count), report)
    check(sum(it.count for it in report.canton_distribution) == report.company_count, report)
    check(report.avg_capital > 0 and report.median_capital > 0, report)
    capitals = [it.share_capital for it in report.top_companies]
    check(len(capitals) == 10 and capitals == sorted(capitals, reverse=True), capitals)
    check(report.auditor_concentration and report.status_distribution and report.generated_at, report)
    check(client("free").reports.get(largest.industry).data.recent_changes == report.recent_changes, report)
    expect_error(vynco.NotFoundError, lambda: enterprise.reports.get("Astrology"))


def companies_are_connected_by_owners_and_persons():
    group = enterprise.graph.analyze(uids=[SOLAR, BRANCH], overlay="ownership").data
    check({SOLAR, BRANCH} <= {it.uid for it in group.nodes if it.node_type == "root"}, group.nodes)
    (cluster,) = group.clusters
    check(set(cluster.company_uids) == {SOLAR, BRANCH} and cluster.shared_persons == [], cluster)
    check([(it.source, it.target, it.link_type) for it in group.links] == [(SOLAR, BRANCH, "head_office")], group.links)
    for overlay in ("persons", "board-members", "addresses"):
        check(len(enterprise.graph.analyze(uids=[SOLAR, BRANCH], overlay=overlay).data.nodes) >= 2, overlay)


def the_risk_of_a_company_has_nine_factors():
    risk = enterprise.risk.v2(SOLAR).data
    check((risk.uid, risk.company_name) == (SOLAR, "Muster Solarwerke AG") and 0 < risk.score < 1, risk)
    check(risk.risk_level in ("low", "medium", "high", "critical") and len(risk.factors) == 9, risk)
    check(all(0 < it.posterior_mean < 1 and it.rationale and it.obligation_refs for it in risk.factors), risk.factors)
    check(all(it.evidence_applied or it.evidence_note for it in risk.factors) and risk.assessed_at, risk.factors)
    expect_error(vynco.ForbiddenError, lambda: client("free").risk.v2(SOLAR))


def a_company_has_obligations_with_reasons_and_audit_procedures():
    scope = enterprise.compliance.scope(SOLAR).data
    check((scope.company_uid, scope.company_name) == (SOLAR, "Muster Solarwerke AG"), scope)
    check("ch" in scope.jurisdictions and scope.totals.regulations == len(scope.regulations) > 3, scope.totals)
    law = next(it for it in scope.regulations if it.id == "CO")
    check(law.jurisdiction == "ch" and law.regulation_type == "law" and law.status == "active", law)
    article = next(it for it in law.articles if it.number == "Art. 725")
    (duty,) = article.obligations
    check(duty.id == "co-725" and duty.excerpt and duty.full_text and duty.deontic_operator == "obligation", duty)
    check(duty.controls[0].objective and duty.controls[0].evidence[0].name, duty.controls)
    playbook = enterprise.audit.playbook(SOLAR).data
    check((playbook.company_uid, playbook.profile.jurisdiction) == (SOLAR, "CH") and playbook.methodology_version, playbook)
    check(playbook.profile.tiers and playbook.profile.rationale and playbook.phases, playbook.profile)
    both = enterprise.audit.playbook(SOLAR, tiers="complex,core", overlays="finma,ordinary_audit").data
    cards = [it for phase in both.phases for it in phase.procedures]
    check(both.totals.procedures == len(cards) > playbook.totals.procedures, both.totals)
    check(all(it.step_count == len(it.steps) and it.steps[0].instruction and it.standards for it in cards), cards)
    expect_error(vynco.ForbiddenError, lambda: client("free").compliance.scope(SOLAR))
    expect_error(vynco.ForbiddenError, lambda: client("free").audit.playbook(SOLAR))


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


def a_company_has_a_profile_for_a_pdf_file():
    (auditor, *_) = enterprise.auditors.tenures(page_size=1).data.items
    profile = enterprise.companies.pdf(auditor.company_uid).data
    check((profile.company.uid, profile.company.name) == (auditor.company_uid, auditor.company_name), profile.company)
    check(profile.company.legal_form and profile.company.canton and profile.generated_at, profile.company)
    check(profile.board_members and all(it.last_name and it.role for it in profile.board_members), profile.board_members)
    dates = [it.source_date for it in profile.recent_events]
    check(dates and dates == sorted(dates, reverse=True), dates)
    check(all(it.id and it.category and it.summary and it.severity and it.detected_at for it in profile.recent_events), profile)
    check(auditor.auditor_name in [it.auditor_name for it in profile.auditor_history], profile.auditor_history)
    bare = enterprise.companies.pdf(NESTLE).data
    check((bare.company.uid, bare.board_members, bare.recent_events) == (NESTLE, [], []), bare)
    expect_error(vynco.NotFoundError, lambda: enterprise.companies.pdf("CHE-000.000.000"))
    # What the client does not know: the file.
    request = urllib.request.Request(f"{LOCAL['url']}/v1/companies/{NESTLE}/profile.pdf", headers={"Accept-Language": "it"})
    with urllib.request.urlopen(request) as answer:
        check(answer.headers["Content-Type"] == "application/pdf" and answer.read().startswith(b"%PDF-"), answer.headers)


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


def companies_are_watched():
    starter = client("starter")
    starter.watches.add(company_uid=NESTLE)
    starter.watches.add(company_uid=NESTLE)
    (watch,) = starter.watches.list().data
    check(watch.company_uid == NESTLE and watch.added_at, watch)
    starter.watches.remove(NESTLE)
    check(starter.watches.list().data == [], "no watch")
    expect_error(vynco.NotFoundError, lambda: starter.watches.remove(NESTLE))


def notes_about_a_company_are_created_changed_and_deleted():
    companies = client("professional").companies
    first = companies.create_note(NESTLE, content="Call in May.", note_type="rating", rating=4, is_private=True).data
    check((first.company_uid, first.content, first.note_type) == (NESTLE, "Call in May.", "rating"), first)
    check((first.rating, first.is_private) == (4, True) and first.created_at == first.updated_at, first)
    second = companies.create_note(NESTLE, content="Auditor changed.").data
    check((second.note_type, second.rating, second.is_private) == ("note", None, False), second)
    check(companies.notes(NESTLE).data == [second, first], "newest first")
    changed = companies.update_note(NESTLE, first.id, content="Call in June.", note_type="flag", rating=5, is_private=False).data
    found = (changed.content, changed.note_type, changed.rating, changed.is_private)
    check(found == ("Call in June.", "flag", 5, False), changed)
    check(changed.created_at == first.created_at != changed.updated_at, changed)
    check(companies.update_note(NESTLE, second.id, rating=1).data.content == second.content, "other fields stay")
    expect_error(vynco.ValidationError, lambda: companies.create_note(NESTLE, content="x", rating=6))
    for note in (first, second):
        companies.delete_note(NESTLE, note.id)
    check(companies.notes(NESTLE).data == [], "deleted")
    expect_error(vynco.NotFoundError, lambda: companies.delete_note(NESTLE, first.id))


def companies_are_tagged_and_the_tags_are_counted():
    companies = client("professional").companies
    created = companies.create_tag(NESTLE, tag_name="High risk", color="#C1121F").data
    check((created.company_uid, created.tag_name, created.color) == (NESTLE, "High risk", "#C1121F"), created)
    check(companies.create_tag(NESTLE, tag_name="HIGH RISK").data == created, "the same tag")
    plain = companies.create_tag(NESTLE, tag_name="Client").data
    check(plain.color is None and plain.created_at, plain)
    other = companies.create_tag(SOLAR, tag_name="High risk").data
    check(companies.tags(NESTLE).data == [created, plain], "oldest first")
    summaries = [(it.tag_name, it.count) for it in companies.all_tags().data]
    check(summaries == [("High risk", 2), ("Client", 1)], summaries)
    expect_error(vynco.ValidationError, lambda: companies.create_tag(NESTLE, tag_name="x", color="red"))
    for tag in (created, plain, other):
        companies.delete_tag(tag.company_uid, tag.id)
    check(companies.tags(NESTLE).data == companies.all_tags().data == [], "deleted")
    expect_error(vynco.NotFoundError, lambda: companies.delete_tag(NESTLE, created.id))


def pipelines_contain_companies_in_stages():
    professional = client("professional")
    pipelines, user = professional.pipelines, professional.teams.members().data[0].id
    created = pipelines.create(name="Clients", stages=["Lead", "Won"]).data
    check((created.name, created.stages) == ("Clients", ["Lead", "Won"]), created)
    check(created.team_id == professional.teams.me().data.id, created)
    check(abs(created.created_at - time.time()) < 60, "seconds since 1970")
    check(created in pipelines.list().data, created)

    first = pipelines.add_entry(created.id, company_uid=NESTLE).data
    found = (first.pipeline_id, first.company_uid, first.company_name, first.canton)
    check(found == (created.id, NESTLE, "Nestlé S.A.", "VD"), first)
    check((first.stage, first.tier, first.assigned_to_user_id, first.notes) == ("Lead", 3, None, None), first)
    second = pipelines.add_entry(created.id, company_uid=SOLAR, stage="Won", tier=1, assigned_to_user_id=user).data
    check((second.stage, second.tier, second.assigned_to_user_id) == ("Won", 1, user), second)
    expect_error(vynco.ConflictError, lambda: pipelines.add_entry(created.id, company_uid=NESTLE))
    expect_error(vynco.ValidationError, lambda: pipelines.add_entry(created.id, company_uid=BRANCH, stage="Lost"))
    moved = pipelines.update_entry(
        created.id, first.id, stage="Won", tier=2, assigned_to_user_id=user, notes="Call back."
    ).data
    check((moved.stage, moved.tier, moved.assigned_to_user_id, moved.notes) == ("Won", 2, user, "Call back."), moved)
    check(moved.created_at == first.created_at <= moved.updated_at, moved)

    statistics = pipelines.stats(created.id).data
    check((statistics.by_stage, statistics.total) == ({"Lead": 0, "Won": 2}, 2), statistics)
    check(statistics.by_tier == {"1": 1, "2": 1}, statistics)
    full = pipelines.get(created.id).data
    check((full.name, full.stages, full.total_entries) == ("Clients", ["Lead", "Won"], 2), full)
    check(full.entries == [moved, second], full)

    expect_error(vynco.ConflictError, lambda: pipelines.update(created.id, stages=["Lead"]))
    renamed = pipelines.update(created.id, name="Clients in 2027", stages=["New", "Won"]).data
    check((renamed.id, renamed.name, renamed.stages) == (created.id, "Clients in 2027", ["New", "Won"]), renamed)
    pipelines.remove_entry(created.id, first.id)
    check([it.id for it in pipelines.get(created.id).data.entries] == [second.id], "removed")
    expect_error(vynco.NotFoundError, lambda: pipelines.remove_entry(created.id, first.id))
    pipelines.delete(created.id)
    expect_error(vynco.NotFoundError, lambda: pipelines.get(created.id))


def settings_are_replaced():
    settings = client("professional").settings
    stored = settings.update_preferences({"theme": "dark", "language": "de", "columns": ["uid", "name"]}).data
    check((stored.theme, stored.language, stored.notifications) == ("dark", "de", None), stored)
    check(stored.model_extra == {"columns": ["uid", "name"]}, stored)
    check(settings.get_preferences().data == stored, stored)
    replaced = settings.update_preferences({"notifications": {"email": False}}).data
    check((replaced.theme, replaced.notifications, replaced.model_extra) == (None, {"email": False}, {}), replaced)
    settings.update_preferences({})
    check(settings.get_preferences().data.notifications is None, "removed")


def watchlists_contain_companies_and_their_events():
    starter, uid = client("starter"), company_with_history()
    created = starter.watchlists.create(name="Suppliers", description="Deliver to us.").data
    check((created.name, created.description) == ("Suppliers", "Deliver to us."), created)
    expect_error(vynco.ConflictError, lambda: starter.watchlists.create(name="suppliers"))
    check(starter.watchlists.add_companies(created.id, uids=[NESTLE, uid]).data.added == 2, "two added")
    companies = starter.watchlists.companies(created.id).data
    check(sorted(companies.uids) == sorted([NESTLE, uid]), companies)
    check({it.uid: it.name for it in companies.companies}[NESTLE] == "Nestlé S.A.", companies)
    events = starter.watchlists.events(created.id, limit=5, include_internal=True).data
    check(events.count == len(events.events) > 0 and events.events[0].company_uid == uid, events)
    (listed,) = starter.watchlists.list().data
    check((listed.id, listed.company_count) == (created.id, 2), listed)
    team = client("enterprise")
    uploaded = team.watchlists.create(name=f"Uploaded {uuid.uuid4()}").data
    added = team.bulk.add_to_watchlist(uploaded.id, uids=[NESTLE, uid, "CHE-999.999.996", NESTLE]).data
    check((added.added, added.skipped) == (2, 2), added)
    check(added.skipped_uids == ["CHE-999.999.996", NESTLE], added)
    starter.watchlists.remove_company(created.id, uid)
    check(starter.watchlists.companies(created.id).data.uids == [NESTLE], "one left")
    starter.watchlists.delete(created.id)
    expect_error(vynco.NotFoundError, lambda: starter.watchlists.companies(created.id))


def post(path, body, **headers):
    """Sends a request that the client has no method for."""
    headers["content-type"] = "application/json"
    request = urllib.request.Request(LOCAL["url"] + path, json.dumps(body).encode(), headers, method="POST")
    return json.load(urllib.request.urlopen(request))


def sign_in(email):
    """Signs in with the link in the mail that the local server writes. Returns a client with the session."""
    post("/v1/auth/magic-link", {"email": email})
    mails = json.load(urllib.request.urlopen(LOCAL["url"].removesuffix("/api") + "/local/outbox"))
    mail = next(it for it in mails if it["to"] == email)
    token = re.search(r"token=([\w-]{43})", mail["text"]).group(1)
    session = post("/v1/auth/magic-link/verify", {"token": token})["token"]
    return vynco.Client(session, base_url=LOCAL["url"], max_retries=0)


def teams_have_members_who_are_invited_and_join():
    name = uuid.uuid4().hex
    owner, guest = sign_in(f"owner-{name}@example.ch"), sign_in(f"guest-{name}@example.ch")
    team = owner.teams.me().data
    check((team.tier, team.name) == ("free", f"owner-{name}") and team.id and team.slug, team)
    created = owner.teams.create(name="Client Test").data
    check((created.name, created.slug, created.tier) == ("Client Test", "client-test", "free"), created)
    (member,) = owner.teams.members().data
    check((member.role, member.email) == ("owner", f"owner-{name}@example.ch") and member.last_login_at, member)
    invited = owner.teams.invite_member(email=f"guest-{name}@example.ch", role="Member").data
    check((invited.role, invited.status, invited.team_id) == ("member", "pending", team.id), invited)
    joined = guest.teams.join(token=invited.token).data
    check((joined.team_id, joined.team_name, joined.role) == (team.id, team.name, "member"), joined)
    expect_error(vynco.NotFoundError, lambda: guest.teams.join(token=invited.token))
    joined = next(it for it in owner.teams.members().data if it.email == f"guest-{name}@example.ch")
    check(owner.teams.update_member_role(joined.id, role="admin").data.role == "admin", joined)
    owner.teams.remove_member(joined.id)
    check(len(owner.teams.members().data) == 1, "removed")
    # An API key acts for its team, but is no user.
    check(enterprise.teams.me().data.tier == "enterprise", "the team of the key")
    expect_error(vynco.ForbiddenError, lambda: enterprise.teams.create(name="No user"))


def billing_needs_an_owner_and_a_payment_provider():
    """The server has no payment provider."""
    owner = sign_in(f"payer-{uuid.uuid4().hex}@example.ch")
    for call in (lambda: owner.billing.create_checkout(tier="basic"), owner.billing.create_portal):
        refused = expect_error(vynco.ServiceUnavailableError, call)
        check("no payment provider" in str(refused), refused)
    expect_error(vynco.ForbiddenError, lambda: enterprise.billing.create_checkout(tier="basic"))
    expect_error(vynco.ForbiddenError, lambda: enterprise.billing.create_portal())
    summary = owner.teams.billing_summary().data
    check(summary.tier == "free" and [it.name for it in summary.members] == [""], summary)
    check(enterprise.teams.billing_summary().data.tier == "enterprise", "the team of the key")
    team = owner.teams.me().data
    check((team.stripe_subscription_id, team.current_period_end) == (None, None), team)


def notifications_are_listed_and_marked_as_read():
    professional = client("professional")
    check(professional.notifications.test().data.message, "a message")
    unread = professional.notifications.list(unread=True, limit=5, offset=0).data
    check(unread.unread_count == unread.total > 0, unread)
    first = unread.items[0]
    check(first.category == "test" and first.title and first.body and not first.is_read, first)
    check(professional.notifications.mark_read(ids=[first.id]).data.updated == 1, "one")
    professional.notifications.mark_read(mark_all=True)
    listed = professional.notifications.list().data
    check(listed.unread_count == 0 and listed.total == unread.total and listed.items[0].is_read, listed)
    before = professional.notifications.get_preferences().data
    check(before.is_enabled and before.channel == "InApp" and before.digest_time == "08:00:00", before)
    after = professional.notifications.update_preferences(
        delivery_mode="DailyDigest", digest_time="07:30:00", watched_change_types=["auditor_change"]
    ).data
    check((after.delivery_mode, after.digest_time, after.channel) == ("DailyDigest", "07:30:00", "InApp"), after)
    check(after.watched_change_types == ["auditor_change"] and after.id == before.id, after)
    professional.notifications.update_preferences(watched_change_types=[])


def searches_are_saved_changed_and_deleted():
    searches = client("professional").saved_searches
    filters = {"canton": "ZH", "capitalMin": 100_000}
    created = searches.create(
        name="Zürich", search_params=filters, description="Large", is_scheduled=True, schedule_frequency="weekly"
    ).data
    check(created.name == "Zürich" and created.search_params == filters and created.is_scheduled, created)
    check((created.description, created.schedule_frequency, created.last_run_at) == ("Large", "weekly", None), created)
    check(searches.get(created.id).data == created and created in searches.list().data, created)
    changed = searches.update(created.id, name="Bern", search_params={"canton": "BE"}, is_scheduled=False).data
    check((changed.name, changed.search_params, changed.is_scheduled) == ("Bern", {"canton": "BE"}, False), changed)
    expect_error(vynco.ValidationError, lambda: searches.create(name="x", search_params={"canton": "XX"}))
    searches.delete(created.id)
    expect_error(vynco.NotFoundError, lambda: searches.get(created.id))


class Receiver(http.server.ThreadingHTTPServer):
    """Returns challenges, and records the other webhooks that it receives. The server must deliver to this machine
    (--allow-loopback-webhooks)."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Delivery)
        self.url, self.received = f"http://127.0.0.1:{self.server_port}/hook", []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def stop(self):
        self.shutdown()
        self.server_close()


class Delivery(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        event = json.loads(body)
        if event["type"] == "ch.gotthard.webhook.verify":
            challenge = event["data"]["challenge"].encode()
            self.send_response(200)
            self.send_header("content-length", str(len(challenge)))
            self.end_headers()
            self.wfile.write(challenge)
            return
        self.server.received.append((dict(self.headers), body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def alerts_are_created_with_a_webhook_and_deleted():
    professional, receiver = client("professional"), Receiver()
    search = professional.saved_searches.create(name="All", search_params={}).data
    filters = {"canton": "ZH", "capital_min": 100_000}
    created = professional.alerts.create(
        name="Zürich", query_params=filters, webhook_url=receiver.url, frequency="hourly", saved_search_id=search.id
    ).data
    check(created.query_params == filters and created.is_active and created.trigger_count == 0, created)
    found = (created.webhook_url, created.frequency, created.saved_search_id)
    check(found == (receiver.url, "hourly", search.id), created)
    check(created in professional.alerts.list().data, created)

    # The webhook has the id of the alert.
    (webhook,) = [it for it in professional.webhooks.list().data if it.id == created.id]
    check((webhook.url, webhook.status) == (receiver.url, "active"), webhook)
    # The response contains the secret, but the client drops it and has no method that replaces it.
    key = f"Bearer {LOCAL['keys']['professional']}"
    secret = post(f"/v1/webhooks/{webhook.id}/rotate", {}, authorization=key)["signingSecret"]
    tested = professional.webhooks.test(webhook.id).data
    check((tested.success, tested.http_status) == (True, 204), tested)
    ((headers, body),) = receiver.received
    event = standardwebhooks.Webhook(secret).verify(body, headers)
    check(event["type"] == "ch.gotthard.webhook.test", event)
    receiver.stop()

    professional.alerts.delete(created.id)
    check(created.id not in [it.id for it in professional.webhooks.list().data], "the webhook of a deleted alert")
    expect_error(vynco.NotFoundError, lambda: professional.webhooks.deliveries(created.id))
    expect_error(vynco.NotFoundError, lambda: professional.alerts.delete(created.id))
    professional.saved_searches.delete(search.id)


def webhooks_are_created_tested_changed_and_deleted():
    webhooks, receiver = client("professional").webhooks, Receiver()
    created = webhooks.create(
        url=receiver.url, description="Test", event_filters=["auditor_change", "company.changed"], company_filters=[NESTLE]
    ).data
    webhook, secret = created.webhook, created.signing_secret
    check((webhook.url, webhook.description, webhook.status) == (receiver.url, "Test", "active"), webhook)
    check((webhook.event_filters, webhook.company_filters) == (["auditor_change", "company.changed"], [NESTLE]), webhook)
    check(secret.startswith("whsec_") and webhook.created_at, created)
    tested = webhooks.test(webhook.id).data
    check((tested.success, tested.http_status, tested.error) == (True, 204, None), tested)
    ((headers, body),) = receiver.received
    # The reference implementation of Standard Webhooks.
    event = standardwebhooks.Webhook(secret).verify(body, headers)
    check((event["specversion"], event["type"]) == ("1.0", "ch.gotthard.webhook.test"), event)
    forged = body.replace(b"test", b"best")
    expect_error(standardwebhooks.WebhookVerificationError, lambda: standardwebhooks.Webhook(secret).verify(forged, headers))
    delivery, verification = webhooks.deliveries(webhook.id, limit=5).data
    # The challenge, which the receiver has returned when the webhook was created.
    check((verification.status, verification.http_status) == ("delivered", 200), verification)
    check((delivery.status, delivery.attempt, delivery.http_status) == ("delivered", 1, 204), delivery)
    check(delivery.event_id == event["id"] and delivery.delivered_at and delivery.error_message is None, delivery)
    changed = webhooks.update(webhook.id, status="paused", event_filters=[], company_filters=[]).data
    check((changed.status, changed.event_filters, changed.company_filters) == ("paused", [], []), changed)
    check([it.status for it in webhooks.list().data if it.id == webhook.id] == ["paused"], "listed")
    receiver.stop()
    unreachable = webhooks.test(webhook.id).data
    check(not unreachable.success and unreachable.http_status is None and unreachable.error, unreachable)
    webhooks.delete(webhook.id)
    expect_error(vynco.NotFoundError, lambda: webhooks.deliveries(webhook.id))
    for refused in ("http://hooks.example/", "https://10.0.0.1/", "https://169.254.169.254/"):
        expect_error(vynco.ValidationError, lambda: webhooks.create(url=refused))


def a_listed_name_is_found_and_an_unlisted_one_is_clear():
    found = enterprise.screening.screen(name="Mikalaj Dovreshenka").data
    check(found.risk_level != "clear" and found.hit_count >= 1 and found.screened_at, found)
    check({"seco", "finma"} <= set(found.sources_checked), found.sources_checked)
    hit = found.hits[0]
    check(hit.source in found.sources_checked and 0.7 <= hit.score <= 1 and hit.matched_name, hit)
    check(hit.entity_type == "person" and hit.datasets and hit.details["entryId"], hit)
    clear = enterprise.screening.screen(name="Annemarie Unverdächtig", sources=["seco"]).data
    check((clear.risk_level, clear.hit_count, clear.hits) == ("clear", 0, []), clear)
    check(clear.sources_checked == ["seco"], clear)


def companies_are_screened_by_number():
    (result,) = enterprise.screening.batch(uids=[NESTLE]).data.results
    check(result.uid == NESTLE and "Nestl" in result.company_name, result)
    check(result.risk_level == "clear" and result.total_hits == 0 and result.sources_checked, result)


def many_names_are_screened_at_once():
    entities = [{"name": "Mikalaj Dovreshenka", "type": "person"}, {"name": "Unverdächtig AG", "type": "company"}]
    answer = enterprise.bulk.screening(entities=entities).data
    check((answer.total, answer.hits_found) == (2, 1) and answer.screened_at, answer)
    listed, clear = answer.results
    check(listed.entity_type == "person" and listed.risk_level != "clear" and listed.hit_count >= 1, listed)
    check(listed.top_matches[0].score >= 0.7 and listed.top_matches[0].source in ("seco", "opensanctions"), listed)
    check((clear.entity_type, clear.risk_level, clear.top_matches) == ("company", "clear", []), clear)


def chosen_companies_are_exported_with_chosen_columns():
    exported = enterprise.bulk.export(uids=[SOLAR, BRANCH], fields=["name", "canton", "capital", "address", "status"])
    check(exported.content_type.startswith("text/csv") and exported.filename == "bulk-export.csv", exported)
    header, *rows = csv.reader(io.StringIO(exported.bytes.decode()))
    check(header == ["uid", "name", "canton", "capital", "address", "status"], header)
    records = [enterprise.companies.get(it).data for it in (SOLAR, BRANCH)]
    expected = [(it.uid, it.name, it.canton, it.status) for it in records]
    check([(row[0], row[1], row[2], row[5]) for row in rows] == expected, rows)


def finished(export):
    """The export with this id, once it has ended."""
    for _ in range(120):
        found = enterprise.exports.get(export.id).data
        if found.job.status in ("completed", "failed"):
            return found
        time.sleep(0.5)
    raise AssertionError(f"not finished: {found}")


def a_bulk_export_is_created_polled_and_downloaded():
    created = enterprise.exports.create(format="csv", canton="ZG", status="active", max_rows=20).data
    check(created.id and created.status in ("pending", "processing", "completed") and created.format == "csv", created)
    found = finished(created)
    check(found.job.status == "completed" and found.job.expires_at and found.job.completed_at, found)
    exported = enterprise.exports.download(created.id)
    check(exported.content_type.startswith("text/csv") and exported.filename == f"export-{created.id}.csv", exported)
    check(exported.bytes.decode() == found.data and len(exported.bytes) == found.job.file_size_bytes, exported)
    rows = list(csv.DictReader(io.StringIO(found.data)))
    check(0 < len(rows) == found.job.total_rows <= 20, found.job)
    check(all((it["canton"], it["status"]) == ("ZG", "ACTIVE") for it in rows), rows[0])
    lines = finished(enterprise.exports.create(format="ndjson", changed_since="2020-01-01", max_rows=5).data).data
    check([json.loads(it)["uid"] for it in lines.splitlines()] and len(lines.splitlines()) == 5, lines)


def profiles_of_companies_are_exported():
    created = enterprise.exports.bulk_profiles(uids=[SOLAR, BRANCH], include_timeline=True, include_board=True).data
    profiles = [json.loads(it) for it in finished(created).data.splitlines()]
    check({it["uid"] for it in profiles} == {SOLAR, BRANCH}, profiles)
    check(all("timeline" in it and "board" in it for it in profiles), profiles)


def a_dossier_is_written_listed_read_and_deleted():
    created = enterprise.dossiers.create(uid=SOLAR, level="detailed").data
    check((created.company_uid, created.level) == (SOLAR, "detailed") and created.user_id and created.created_at, created)
    check(created.company_name in created.content and created.sources, created)
    tags = list(dict.fromkeys(re.findall(r"\[\[obl:([a-z0-9-]+)\]\]", created.content)))
    check([it.id for it in created.citations] == tags, created.citations)
    lines = [it for it in created.content.split("\n") if it and not it.startswith("## ")]
    # Provisions are a table, whose first two lines are its head.
    table = [it for it in lines if it.startswith("|")][2:]
    check(table and all("]] |" in it for it in table), table)
    check(all(it.endswith("]].") for it in lines if not it.startswith("|")), lines)
    (duty,) = [it for it in created.citations if it.id == "co-957"]
    check((duty.regulation_id, duty.article, duty.jurisdiction) == ("CO", "Art. 957 para. 1", "CH") and duty.excerpt, duty)
    generated = enterprise.dossiers.generate(SOLAR).data
    check(generated.content and generated.id != created.id, generated)
    check(enterprise.dossiers.get(SOLAR).data == generated, generated)
    check(enterprise.dossiers.get(created.id).data == created, created)
    listed = enterprise.dossiers.list().data
    check([it.id for it in listed] == [generated.id, created.id] and listed[0].company_uid == SOLAR, listed)
    for dossier in (created, generated):
        enterprise.dossiers.delete(dossier.id)
    check(enterprise.dossiers.list().data == [], "deleted")


def companies_that_match_are_exported_as_a_spreadsheet():
    professional = client("professional")
    fields = ["name", "canton", "status", "legal_form", "share_capital", "industry"]
    exported = professional.companies.export_csv(filter={"canton": "ZG", "status": "ACTIVE"}, fields=fields)
    check(exported.content_type.startswith("text/csv") and exported.filename == "companies-export.csv", exported)
    header, *rows = csv.reader(io.StringIO(exported.bytes.decode()))
    total = professional.companies.list(canton="ZG", status="ACTIVE").data.total
    check(header == fields and len(rows) == total > 0, (header, len(rows), total))
    check(all(row[1:3] == ["ZG", "ACTIVE"] for row in rows), rows[0])
    chosen = professional.companies.export_excel(uids=[SOLAR], fields=["uid"])
    check(chosen.bytes.decode().split() == ["uid", SOLAR], chosen.bytes)


def the_sanctions_list_is_browsed_with_filters():
    everything = enterprise.screening.browse_sanctions().data
    check(everything.total > 5 and everything.items[0].seco_id and everything.items[0].source_url, everything)
    found = enterprise.screening.browse_sanctions(search="dovreshenka", entity_type="person", page_size=5).data
    check(found.total == 2 and all("Dovreshenka" in it.name for it in found.items), found)


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


def not_served():
    return {it for it in METHODS if it in NOT_SERVED or it.split(".")[0] in NOT_SERVED}


def required_arguments(method):
    """Arguments for the parameters without a default. The server finds no endpoint before it reads them."""
    required = [it for it in inspect.signature(method).parameters.values() if it.default is it.empty]
    return {it.name: [NESTLE] if "list[" in it.annotation else NESTLE for it in required}


def has_endpoint(name):
    resource, method = name.split(".")
    call = getattr(getattr(enterprise, resource), method)
    try:
        call(**required_arguments(call))
    except vynco.VyncoError as error:
        return not (isinstance(error, vynco.NotFoundError) and error.detail.startswith("no endpoint matches "))
    return True


def methods_that_are_not_served_have_no_endpoint():
    served = [it for it in sorted(not_served()) if has_endpoint(it)]
    check(not served, f"served but listed: {served}")


def every_method_is_called_or_listed_as_not_served():
    uncalled, listed = METHODS - CALLED, not_served() | WITHOUT_PROVIDER
    check(uncalled == listed, f"neither called nor listed: {uncalled - listed}, called but listed: {listed - uncalled}")
    unknown = {it for it in NOT_SERVED if not any(it in (name, name.split(".")[0]) for name in METHODS)}
    check(not unknown, unknown)


# Tests are the functions without parameters.
HELPERS = (company_with_history, board_member, not_served)
TESTS = {name: it for name, it in globals().items() if inspect.isfunction(it) and it.__module__ == "__main__"}
passed, failed = 0, 0
for name, test in TESTS.items():
    if test in HELPERS or inspect.signature(test).parameters:
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

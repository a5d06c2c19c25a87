"""Recomputes answers of the analyses with pandas, lifelines and scikit-learn, from the columns of the generation that answers.

usage: analytics.py LOCAL_JSON SERVER

LOCAL_JSON describes a running server with the demo register. SERVER is its program: it serves a second register, in which
companies end and move (lives.py).

Figures must be equal but for rounding. Isolation forests and k-means draw random numbers, which each library draws differently:
what may differ is explained where it is checked.
"""

import collections
import datetime
import json
import sys
import urllib.parse
import urllib.request
from email.utils import parsedate_to_datetime
from zoneinfo import ZoneInfo

import lives
import numpy as np
import pandas as pd
from claims import check, hold
from lifelines import KaplanMeierFitter
from pyarrow import fs, parquet
from scipy import stats
from sklearn.cluster import KMeans
from sklearn.ensemble import IsolationForest
from sklearn.metrics import adjusted_rand_score, silhouette_score

DAYS_A_YEAR = 365.25
# Registered means active or in liquidation.
REGISTERED = ["ACTIVE", "BEING_CANCELLED"]
# After a deletion for one of these reasons, a company goes on elsewhere.
ELSEWHERE = ["merged", "demerged", "moved"]
# The first division of each section of NOGA 2008, which are those of NACE.
SECTIONS = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTU",
        [1, 5, 10, 35, 36, 41, 45, 49, 55, 58, 64, 68, 69, 77, 84, 85, 86, 90, 94, 97, 99],
    )
)
FEATURES = ["capital", "companyAge", "officers", "soleSignerShare", "changesLastThreeYears"]
LOGARITHMIC = ["capital", "officers", "changesLastThreeYears"]
MIN_PEERS = 30
MIN_AT_RISK = 20

Answer = collections.namedtuple("Answer", "body companies changes deletions_known_from today")


class Server:
    def __init__(self, local):
        self.local = local
        self.bucket = fs.S3FileSystem(
            endpoint_override=local["endpoints"]["s3"], access_key="test", secret_key="test", region="eu-central-2"
        )
        self.generations = {}

    def ask(self, path, body=None, **query):
        """The answer to a request, with what it was made from."""
        url = f"{self.local['url']}/v1/analytics/{path}?{urllib.parse.urlencode(query)}"
        headers = {"Authorization": f"Bearer {self.local['keys']['enterprise']}", "Content-Type": "application/json"}
        request = urllib.request.Request(url, body and json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            generation = answer.headers["x-data-generation"]
            # The days of the register are those of Switzerland.
            today = parsedate_to_datetime(answer.headers["date"]).astimezone(ZoneInfo("Europe/Zurich")).date()
            return Answer(json.load(answer), *self.generation(generation), pd.Timestamp(today))

    def generation(self, generation):
        """The companies, the changes, and the day since which deletions are known."""
        if generation not in self.generations:
            (folder,) = [it.path for it in self.folders() if it.base_name == generation]
            companies, changes = (self.columns(f"{folder}/columns/{it}.parquet") for it in ("companies", "changes"))
            changes["company"] = np.repeat(companies.index, companies.changes)
            companies["start"] = companies.registration.fillna(companies.founding)
            in_francs = companies.currency.isna() | (companies.currency == letters("CHF"))
            companies["francs"] = companies.capital.where(in_francs) / 10_000
            # The digits that are known, after a 1.
            companies["division"] = companies.noga.map(lambda it: str(int(it))[1:3], na_action="ignore")
            manifest = json.load(self.bucket.open_input_stream(f"{folder}/manifest.json"))
            known_from = (manifest["coverage"]["deletions"] or {}).get("completeFrom")
            self.generations[generation] = companies, changes, known_from and pd.Timestamp(known_from)
        return self.generations[generation]

    def folders(self):
        """The folder of each generation: `generations/LAYOUT/ID`."""
        for layout in self.bucket.get_file_info(fs.FileSelector("gotthard/generations")):
            yield from self.bucket.get_file_info(fs.FileSelector(layout.path))

    def columns(self, path):
        """A table, with names in place of their positions."""
        table = parquet.read_table(path, filesystem=self.bucket)
        frame = table.to_pandas(date_as_object=False)
        for key, names in table.schema.metadata.items():
            column, is_names, _ = key.decode().partition(".names")
            if is_names:
                frame[column] = frame[column].map(dict(enumerate(json.loads(names))))
        return frame


def letters(code):
    """A currency as the number that stands for it in its column."""
    return int.from_bytes(code.encode(), "big")


def same(found, expected, what, tolerance=1e-9):
    """Checks a number that may be absent."""
    is_absent = expected is None or np.isnan(expected)
    equal = found is None if is_absent else found is not None and np.isclose(found, expected, rtol=tolerance, atol=tolerance)
    check(equal, f"{what}: {found}, not {expected}")


def rounded(found, expected, what):
    """Checks a number with two decimals."""
    check(abs(found - expected) < 0.005001, f"{what}: {found}, not {expected}")


def registered(companies):
    return companies[companies.status.isin(REGISTERED)]


def key_of(entry, by):
    """By what the companies of an entry of cohorts are grouped: names have codes, which its link has."""
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(entry.get("companiesUrl", "")).query))
    match by:
        case "industry":
            return query.get("nogaDivision", "Unknown")
        case "legalForm":
            return int(query["legalFormCode"]) if "legalFormCode" in query else "Unknown"
    return entry["group"]


def keys(companies, by):
    """The same of each company."""
    found = {
        "canton": companies.canton,
        "industry": companies.division,
        "legalForm": companies.legalForm,
        "year": companies.start.dt.strftime("%Y"),
        "quarter": companies.start.dt.to_period("Q").dt.strftime("%Y-Q%q"),
    }[by]
    return found.astype(object).where(found.notna(), "Unknown")


def cohorts(server, by, metric, population=registered, **query):
    """Yields the entries of an answer, each with its companies. There is one for each group."""
    answer = server.ask("cohorts", groupBy=by, metric=metric, **query)
    selected = population(answer.companies)
    groups = dict(list(selected.groupby(keys(selected, by))))
    entries = {key_of(it, by): it for it in answer.body["cohorts"]}
    check(entries.keys() == groups.keys(), f"{by}: {entries.keys() ^ groups.keys()}")
    for key, group in groups.items():
        entry = entries[key]
        check(entry["count"] == len(group), f"{by} {key}: {entry['count']} companies, not {len(group)}")
        yield answer, f"{metric} of {by} {key}", entry, group


def everybody(companies):
    return companies


def counts_of_all_groups():
    for by in ("canton", "industry", "legalForm", "year", "quarter"):
        for _, what, entry, group in cohorts(demo, by, "count"):
            same(entry["value"], len(group), what)
    answer = demo.ask("cantons")
    companies = registered(answer.companies)
    for entry in answer.body:
        same(entry["count"], sum(keys(companies, "canton") == entry["canton"]), entry["canton"])


def medians_of_capital():
    """The interval are two of the values, by the exact binomial distribution."""
    for by in ("canton", "industry", "legalForm"):
        for _, what, entry, group in cohorts(demo, by, "medianCapital"):
            francs = np.sort(group.francs.dropna())
            same(entry.get("value"), np.median(francs) if len(francs) else None, what)
            same(entry["unknown"], len(group) - len(francs), f"unknown {what}")
            rank = int(stats.binom.ppf(0.025, len(francs), 0.5)) - 1 if len(francs) else -1
            low, high = (francs[rank], francs[-1 - rank]) if rank >= 0 else (None, None)
            same(entry.get("low"), low, f"low {what}")
            same(entry.get("high"), high, f"high {what}")


def means_of_changes():
    # In the periods of 365 days that begin and end on this day, it counts.
    day = demo.ask("cantons").changes.day.mode()[0]
    for by, until in (("canton", day), ("year", day + pd.Timedelta(days=364)), ("canton", day + pd.Timedelta(days=365))):
        for answer, what, entry, group in cohorts(demo, by, "changesPerCompany", until=f"{until:%Y-%m-%d}"):
            days = answer.changes[answer.changes.day.between(until - pd.Timedelta(days=364), until)]
            counts = days.company.value_counts().reindex(group.index, fill_value=0)
            same(entry["value"], counts.mean(), what)
            half = stats.norm.ppf(0.975) * stats.sem(counts) if len(counts) > 1 else None
            same(entry.get("low"), half and max(counts.mean() - half, 0), f"low {what}")
            same(entry.get("high"), half and counts.mean() + half, f"high {what}")


def registrations():
    # Days with registrations, both included.
    since, until = demo.ask("cantons").companies.registration.quantile([0.7, 0.9], interpolation="nearest")
    for by, period in (("year", {}), ("canton", {"since": f"{since:%Y-%m-%d}", "until": f"{until:%Y-%m-%d}"})):
        for _, what, entry, group in cohorts(demo, by, "registrations", everybody, **period):
            counted = group.registration.between(since, until) if period else group.registration.notna()
            same(entry["value"], counted.sum(), what)


def nothing_is_said_about_ends_that_are_not_known():
    for metric in ("survival", "dissolutionRate"):
        for answer, what, entry, group in cohorts(demo, "canton", metric, everybody):
            check(answer.deletions_known_from is None, "the demo register has many deletions")
            check("value" not in entry and entry["unknown"] == len(group), what)


def observed(companies, today):
    """The last day of each company that is observed, and whether it was dissolved then."""
    deleted = companies.deletion.le(today)
    return companies.deletion.where(deleted, today), deleted & ~companies.reason.isin(ELSEWHERE)


def survival_is_that_of_lifelines():
    """lifelines has the same intervals (log-log), but none without a death."""
    absent, present = 0, 0
    for by in ("canton", "year", "quarter"):
        for answer, what, entry, group in cohorts(mortal, by, "survival", everybody):
            last, is_dissolved = observed(group, answer.today)
            entered = (answer.deletions_known_from - pd.Timedelta(days=1) - group.start).dt.days.clip(lower=0)
            # Who ends on the first day lives for a day.
            left = (last - group.start).dt.days.clip(lower=is_dissolved.astype(int))
            known = left > entered
            same(entry["unknown"], (~known).sum(), f"unknown {what}")
            entered, left, is_dissolved = entered[known], left[known], is_dissolved[known]
            points = {it["years"]: it for it in entry.get("survival", [])}
            at_risk = {}
            for years in (1, 3, 5, 10):
                days = np.arange(1, round(years * DAYS_A_YEAR) + 1)
                at_risk[years] = np.searchsorted(np.sort(entered), days) - np.searchsorted(np.sort(left), days)
            given = [years for years, numbers in at_risk.items() if numbers.min() >= MIN_AT_RISK]
            check(list(points) == given, f"{what}: {list(points)}, not {given}")
            absent, present = absent + 4 - len(given), present + len(given)
            # lifelines refuses curves that begin with nobody.
            curve = KaplanMeierFitter().fit(left, is_dissolved, entry=entered) if given else None
            for years in given:
                age, fewest = len(at_risk[years]), int(at_risk[years].min())
                survival = curve.predict(age)
                interval = curve.confidence_interval_survival_function_
                low, high = interval[interval.index <= age].iloc[-1]
                if survival == 1:
                    low, high = stats.binomtest(fewest, fewest).proportion_ci()
                expected = {"value": survival, "low": low, "high": high, "atRisk": at_risk[years][-1]}
                for name, number in expected.items():
                    same(points[years][name], number, f"{name} of {what} after {years} years")
            same(entry.get("value"), points.get(5, {}).get("value"), what)
    check(present > 40 and absent > 20, f"{present} points, {absent} without enough companies")


def rates_of_dissolution():
    """With Byar's approximation of the Poisson interval, which is near the exact one."""
    for by, since in (("canton", "2000-01-01"), ("canton", "2024-01-01"), ("year", "2020-07-15")):
        until = "2026-03-31"
        for answer, what, entry, group in cohorts(mortal, by, "dissolutionRate", everybody, since=since, until=until):
            last, is_dissolved = observed(group, answer.today)
            first = group.start.clip(lower=max(pd.Timestamp(since), answer.deletions_known_from))
            days = ((last.clip(upper=until) - first).dt.days + 1).clip(lower=0)
            deaths = (is_dissolved & last.between(max(pd.Timestamp(since), answer.deletions_known_from), until)).sum()
            exposure = days.sum() / DAYS_A_YEAR / 100
            if exposure == 0:
                check("value" not in entry, what)
                continue
            same(entry["value"], deaths / exposure, what)
            z = stats.norm.ppf(0.975)
            more = deaths + 1
            low = deaths * (1 - 1 / (9 * deaths) - z / (3 * deaths**0.5)) ** 3 if deaths else 0
            high = more * (1 - 1 / (9 * more) + z / (3 * more**0.5)) ** 3
            same(entry["low"], low / exposure, f"low {what}")
            same(entry["high"], high / exposure, f"high {what}")
            exact = np.nan_to_num(stats.chi2.ppf([0.025, 0.975], [2 * deaths, 2 * more]) / 2)
            check(np.allclose([low, high], exact, rtol=0.02, atol=0.07), f"{what}: {low, high}, exact {exact}")


def columns_have_the_planted_lives():
    """Otherwise the other checks would compare the server with its own mistakes."""
    answer = mortal.ask("cohorts", metric="registrations")
    companies = answer.companies.set_index(answer.companies.uid.map(lambda it: f"CHE{it}"))
    for life in lives.lives():
        row = companies.loc[life.uid]
        found = [row.canton, row.registration, row.deletion, row.reason in ELSEWHERE]
        end = pd.Timestamp(life.end) if life.end else pd.NaT
        expected = [life.moves_to or life.canton, pd.Timestamp(life.start), end, life.end is not None and life.is_merged]
        check(pd.Series(found).equals(pd.Series(expected)), f"{life}: {found}")


def flows_by_period():
    periods = {"monthly": ("M", "%Y-%m"), "quarterly": ("Q", "%Y-Q%q"), "yearly": ("Y", "%Y")}
    for server in (demo, mortal):
        for period, (unit, label) in periods.items():
            since, until = "2022-03-15", "2026-06-10"
            answer = server.ask("flows", period=period, groupBy="canton", since=since, until=until)
            companies = answer.companies
            last, is_dissolved = observed(companies, answer.today)
            is_deleted = companies.deletion.le(answer.today)
            expected = {}
            for name, days in {
                "registrations": companies.registration,
                "dissolutions": last[is_dissolved],
                "otherDeletions": last[is_deleted & ~is_dissolved],
            }.items():
                days = days[days.between(since, until)]
                labels = days.dt.to_period(unit).dt.strftime(label)
                expected[name] = labels.groupby([labels, companies.canton]).size().to_dict()
            points = {(it["period"], it["group"]): it for it in answer.body["flows"]}
            check(len(points) == len(answer.body["flows"]), "a point twice")
            for name, counts in expected.items():
                found = {it: point[name] for it, point in points.items() if point[name]}
                check(found == counts, f"{name} {period}: {found.items() ^ counts.items()}")
            check(all(it["net"] == it["registrations"] - it["dissolutions"] for it in points.values()), "net")


def migrations_are_the_planted_moves():
    for since, until in (("2000-01-01", "2026-12-31"), ("2022-01-01", "2024-12-31")):
        first, last = map(datetime.date.fromisoformat, (since, until))
        moves = [it for it in lives.lives() if it.moves_to and first <= it.moves_on <= last]
        planted = collections.Counter((it.canton, it.moves_to) for it in moves)
        body = mortal.ask("migrations", since=since, until=until).body
        found = {(it["fromCanton"], it["toCanton"]): it["count"] for it in body["flows"]}
        check(found == planted and len(moves) > 10, f"{found}, not {planted}")
        for it in body["net"]:
            into = sum(count for (_, to), count in planted.items() if to == it["canton"])
            out = sum(count for (origin, _), count in planted.items() if origin == it["canton"])
            check((it["into"], it["out"]) == (into, out), it)


def values(answer, companies):
    """The features of companies that have all of them, in their own units."""
    ages = (companies.deletion.clip(upper=answer.today).fillna(answer.today) - companies.start).dt.days.clip(lower=0)
    recent = answer.changes[answer.changes.day.between(answer.today - pd.Timedelta(days=1_094), answer.today)]
    found = {
        "capital": companies.francs,
        "companyAge": ages / DAYS_A_YEAR,
        "officers": companies.officers,
        "soleSignerShare": companies.soleSigners / companies.signers.replace(0, np.nan),
        "changesLastThreeYears": recent.company.value_counts().reindex(companies.index, fill_value=0),
    }
    return pd.DataFrame(found, index=companies.index)[FEATURES]


def scaled(features):
    """With the precision of the server, because equal values must stay equal."""
    return features.assign(**{it: np.log1p(features[it]) for it in LOGARITHMIC}).astype("float32").astype(float)


def check_features(answer, features):
    unknown = {it["name"]: it["unknown"] for it in answer.body["features"]}
    check(unknown == features.isna().sum().to_dict(), f"unknown: {unknown}")
    check(answer.body["leftOut"] == len(features) - len(features.dropna()), answer.body["leftOut"])


def peers(companies, comparison):
    """Groups of companies that are compared with each other, and the number of the group of each company: that of the closest level
    with enough companies. A group has everybody of its level."""
    form, division = companies.legalForm, companies.division
    section = division.map(lambda it: max(name for name, first in SECTIONS.items() if first <= int(it)), na_action="ignore")
    levels = [[form], [form, section], [form, division]] if comparison == "industry_and_legal_form" else []
    groups, numbers = [companies.index], pd.Series(0, companies.index)
    for level in levels:
        for members in companies.groupby(level).groups.values():
            if len(members) >= MIN_PEERS:
                numbers[members] = len(groups)
                groups.append(members)
    return groups, numbers


def robust_scores(points, groups, numbers):
    """Distances from the median of the peers, in deviations by the median distance, or by the mean one if that is 0."""
    scores = []
    for number, companies in numbers.groupby(numbers).groups.items():
        among = points.loc[groups[number]]
        distances = (among - among.median()).abs()
        unit = distances.median() / 0.6745
        unit = unit.where(unit > 0, distances.mean() * 1.2533).replace(0, np.inf)
        scores.append((points.loc[companies] - among.median()) / unit)
    return pd.concat(scores).loc[points.index]


Compared = collections.namedtuple("Compared", "features points groups numbers scores")


def anomalies(**body):
    """An answer, and what it was made from."""
    answer = demo.ask("anomalies", {"limit": 100} | body)
    companies = registered(answer.companies)
    features = values(answer, companies)
    check_features(answer, features)
    features = features.dropna()
    check(answer.body["totalScanned"] == len(features), answer.body["totalScanned"])
    points = scaled(features)
    groups, numbers = peers(companies.loc[features.index], body.get("peers", "industry_and_legal_form"))
    return answer, Compared(features, points, groups, numbers, robust_scores(points, groups, numbers))


def row_of(answer, company_uid):
    (row,) = answer.companies.index[answer.companies.uid == int(company_uid.replace("CHE-", "").replace(".", ""))]
    return row


def robust_scores_are_those_of_medians():
    for body in ({}, {"peers": "none", "threshold": 2.5}):
        answer, compared = anomalies(algorithm="zscore", **body)
        largest = compared.scores.abs().max(axis="columns")
        unusual = largest[largest >= answer.body["threshold"]]
        check(answer.body["total"] == len(unusual) > 100, f"{answer.body['total']}, not {len(unusual)}")
        found = [it["score"] for it in answer.body["anomalies"]]
        # Answers have three decimals of what is computed with seven digits.
        check(np.allclose(found, unusual.nlargest(100), rtol=1e-5, atol=1e-3), "the largest scores")
        for anomaly in answer.body["anomalies"]:
            row = row_of(answer, anomaly["companyUid"])
            among = compared.points.loc[compared.groups[compared.numbers[row]]]
            same(anomaly["score"], largest[row], anomaly["name"], 1e-3)
            same(anomaly["peers"]["count"], len(among), f"peers of {anomaly['name']}")
            check({it["feature"] for it in anomaly["factors"]} == set(FEATURES), anomaly)
            for factor in anomaly["factors"]:
                name, what = factor["feature"], f"{factor['feature']} of {anomaly['name']}"
                same(factor["value"], compared.features[name][row], what)
                median = among[name].median()
                same(factor["peerMedian"], np.expm1(median) if name in LOGARITHMIC else median, f"median, {what}", 1e-4)
                same(factor["deviation"], compared.scores[name][row], f"deviation, {what}", 1e-3)
                percentile = stats.percentileofscore(among[name], compared.points[name][row], "mean")
                rounded(factor["percentile"], percentile, f"percentile, {what}")


def forest_has_the_scores_of_scikit_learn():
    """Random numbers grow the trees, so that scores differ by chance. The means of 20 forests of 100 trees differ from the scores of
    2,000 trees of scikit-learn by 0.003 to 0.005 in the root mean square; if these take 128 or 512 companies for each tree instead of 256,
    by 0.01 or more."""
    body = {"algorithm": "isolation_forest", "threshold": 0.9}
    answer, compared = anomalies(**body)
    total, scanned = answer.body["total"], answer.body["totalScanned"]
    check(0.095 * scanned < total <= 0.1 * scanned, f"{total} of {scanned} are the most unusual tenth")
    scores = compared.scores.astype("float32").to_numpy()
    forest = IsolationForest(n_estimators=2_000, max_samples=256, random_state=0).fit(scores)
    expected = pd.Series(-forest.score_samples(scores), compared.scores.index)
    most_unusual = set(expected.nlargest(100).index)
    forests = []
    for seed in range(20):
        answer = demo.ask("anomalies", body | {"seed": seed, "limit": 100})
        forests.append({row_of(answer, it["companyUid"]): it["score"] for it in answer.body["anomalies"]})
    # A forest of 100 trees of scikit-learn has 83 to 92 of them.
    common = [len(most_unusual & it.keys()) for it in forests]
    check(np.mean(common) >= 80, f"{common} of the 100 most unusual companies")
    # Companies that all forests name.
    means = pd.DataFrame(forests).dropna(axis="columns").mean()
    difference = np.sqrt(((means - expected[means.index]) ** 2).mean())
    check(len(means) > 30 and difference < 0.008, f"{len(means)} scores differ by {difference}")


def clusters_are_as_good_as_those_of_scikit_learn():
    """k-means finds one of several local optima, depending on its starts. The sum of squares must be at most 2 % above the best of
    20 starts of scikit-learn; a single start is up to 4 % above it. Where that is reached, the clusters must be the same. What the
    server says about its clusters must be true for the centres that it names."""
    same_clusters = 0
    for canton, k in [(None, 2), (None, 3), ("ZH", 2), ("ZH", 3), ("ZH", 5), ("ZH", 8)]:
        filters = {"canton": canton} if canton else {}
        answer = demo.ask("cluster", {"algorithm": "kmeans", "k": k, "filter": filters})
        companies, what = registered(answer.companies), f"{k} clusters of {canton or 'all companies'}"
        features = values(answer, companies[companies.canton == canton] if canton else companies)
        check_features(answer, features)
        features = features.dropna()
        points = scaled(features)
        mean, deviation = points.mean(), points.std(ddof=0)
        points = ((points - mean) / deviation).to_numpy()
        clusters = answer.body["clusters"]
        centres = (scaled(pd.DataFrame([it["centroid"] for it in clusters])[FEATURES]) - mean) / deviation
        squares = ((points[:, None] - centres.to_numpy()) ** 2).sum(axis=2)
        labels = squares.argmin(axis=1)
        # Centres are given with five digits.
        same(answer.body["inertia"], squares.min(axis=1).sum(), f"inertia of {what}", 1e-5)
        sizes = [it["companyCount"] for it in clusters]
        check(np.abs(np.bincount(labels) - sizes).max() <= 1, f"{what}: {sizes}, not {np.bincount(labels)}")
        for cluster, of_cluster in zip(clusters, squares.T):
            rows = features.index.get_indexer([row_of(answer, it) for it in cluster["sampleCompanies"]])
            nearest = np.sort(of_cluster)[: len(rows)]
            check(np.allclose(of_cluster[rows], nearest, atol=1e-3), f"{what}: not the nearest of cluster {cluster['id']}")

        best = KMeans(k, n_init=20, random_state=0).fit(points)
        inertia = answer.body["inertia"]
        check(inertia <= 1.02 * best.inertia_, f"{what}: {inertia}, but {best.inertia_} is possible")
        if np.isclose(inertia, best.inertia_, rtol=1e-5):
            same_clusters += 1
            agreement = adjusted_rand_score(labels, best.labels_)
            check(agreement > 0.95, f"{what}: agreement {agreement}")
        # Of up to 2,000 companies, the sample has all.
        is_whole = len(points) <= 2_000
        check(answer.body["silhouetteSample"] == min(len(points), 2_000), answer.body["silhouetteSample"])
        expected = silhouette_score(points, labels)
        same(answer.body["silhouette"], expected, f"silhouette of {what}", 1e-5 if is_whole else 0.02)
    check(same_clusters >= 3, f"only {same_clusters} are the same clusters")


def number_of_clusters_has_the_largest_silhouette():
    body = demo.ask("cluster", {"algorithm": "kmeans", "filter": {"canton": "ZH"}}).body
    tried = {it["k"]: it["silhouette"] for it in body["tried"]}
    check(list(tried) == list(range(2, 11)) and body["k"] == max(tried, key=tried.get), body["tried"])


def shares_of_audit_firms():
    """The 50 largest firms, then the companies without an audit and those whose auditor is not known."""
    answer = demo.ask("auditors")
    companies = registered(answer.companies)
    audited = companies.auditor.notna()
    is_waived = ~audited & (companies.optedOut == "true")
    expected = [*companies.auditor.value_counts().head(50), is_waived.sum(), (~audited & ~is_waived).sum()]
    found = [it["companyCount"] for it in answer.body]
    check(found == expected, f"{found}, not {expected}")
    check([it["auditorName"] for it in answer.body[50:]] == ["None", "Unknown"], answer.body[50:])
    for firm in answer.body:
        count, name = firm["companyCount"], firm["auditorName"]
        rounded(firm["percentage"], 100 * count / audited.sum() if firm in answer.body[:50] else 0, name)
        rounded(firm["percentageOfAll"], 100 * count / len(companies), name)


demo = Server(json.load(open(sys.argv[1])))
with lives.served(sys.argv[2]) as local:
    mortal = Server(local)
    hold(
        [
            counts_of_all_groups,
            medians_of_capital,
            means_of_changes,
            registrations,
            nothing_is_said_about_ends_that_are_not_known,
            columns_have_the_planted_lives,
            survival_is_that_of_lifelines,
            rates_of_dissolution,
            flows_by_period,
            migrations_are_the_planted_moves,
            robust_scores_are_those_of_medians,
            forest_has_the_scores_of_scikit_learn,
            clusters_are_as_good_as_those_of_scikit_learn,
            number_of_clusters_has_the_largest_silhouette,
            shares_of_audit_firms,
        ]
    )

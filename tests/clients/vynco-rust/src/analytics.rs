//! Analyses of the register.

use vynco::{
    AnomalyRequest, BenchmarkParams, CandidateParams, ClusterRequest, CohortParams, FlowsParams,
    VyncoError,
};

use crate::{Checked, OrFail, SOLAR, Server, check};

pub async fn analytics_of_the_whole_register(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let analytics = client.analytics();
    let cantons = analytics.cantons().await.or_fail()?.data;
    check(cantons.len() == 27 && cantons.iter().any(|it| it.canton == "ZH"), &cantons)?;
    let auditors = analytics.auditors().await.or_fail()?.data;
    check(auditors.iter().any(|it| it.company_count > 0), &auditors)?;
    let segments = analytics.rfm_segments().await.or_fail()?.data;
    check(segments.segments.len() == 6, &segments)?;
    let by_form =
        CohortParams { group_by: Some("legalForm".into()), metric: Some("survival".into()) };
    let cohorts = analytics.cohorts(&by_form).await.or_fail()?.data;
    check(cohorts.cohorts.iter().all(|it| it.metric == "survival" && it.count > 0), &cohorts)?;
    let flows = FlowsParams { period: Some("yearly".into()), ..Default::default() };
    let flows = analytics.flows(&flows).await.or_fail()?.data;
    check(flows.flows.iter().all(|it| it.net == it.registrations - it.dissolutions), &flows)?;
    let moves = analytics.migrations(Some("2015-01-01")).await.or_fail()?.data;
    check(moves.top_flows.len() <= 10, &moves)
}

pub async fn reports_of_industries(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let reports = client.reports();
    let listed = reports.industries().await.or_fail()?.data;
    check(listed.total == 88 && listed.industries.len() == 88, &listed)?;
    let largest = listed.industries.iter().max_by_key(|it| it.company_count);
    let largest = largest.expect("an industry");
    let report = reports.get(&largest.industry).await.or_fail()?.data;
    check(
        report.company_count == largest.company_count && report.median_capital.is_some(),
        &report,
    )?;
    let in_cantons: i64 = report.canton_distribution.iter().map(|it| it.count).sum();
    check(in_cantons == report.company_count && report.top_companies.len() == 10, &report)
}

pub async fn analytics_of_companies(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let analytics = client.analytics();
    let clusters = ClusterRequest { algorithm: "kmeans".into(), k: Some(3) };
    let clusters = analytics.cluster(&clusters).await.or_fail()?.data;
    check(clusters.clusters.len() == 3, &clusters)?;
    let unusual = AnomalyRequest { algorithm: "zscore".into(), threshold: Some(2.0) };
    let unusual = analytics.anomalies(&unusual).await.or_fail()?.data;
    check(unusual.total_scanned > 0 && !unusual.anomalies.is_empty(), &unusual)?;
    let in_zurich = CandidateParams { canton: Some("ZH".into()), ..Default::default() };
    let candidates = analytics.candidates(&in_zurich).await.or_fail()?.data;
    check(candidates.items.iter().all(|it| it.canton.as_deref() == Some("ZH")), &candidates)?;
    let solar = BenchmarkParams { uid: SOLAR.into(), dimensions: Some("capital".into()) };
    let benchmark = analytics.benchmark(&solar).await.or_fail()?.data;
    check(benchmark.dimensions[0].company_value == Some(250_000.0), &benchmark)?;
    let refused = server.client("free").analytics().cantons().await;
    check(matches!(refused, Err(VyncoError::Forbidden(_))), &refused)
}

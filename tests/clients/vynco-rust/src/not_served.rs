//! The methods that the server has no endpoints for.

use vynco::{
    AiSearchRequest, BatchRiskScoreRequest, ComparativeRequest, DossierRequest,
    PredictiveRiskRequest, RiskScoreRequest, VyncoError,
};

use crate::{Checked, NESTLE, Server, check};

/// Whether the server refused the request because no endpoint matches it.
fn has_no_endpoint<T>(answer: Result<T, VyncoError>) -> bool {
    let Err(VyncoError::NotFound(refusal)) = answer else { return false };
    refusal.detail.is_some_and(|it| it.starts_with("no endpoint matches "))
}

pub async fn methods_that_are_not_served_have_no_endpoint(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let (companies, ai) = (client.companies(), client.ai());
    let reports = client.reports();
    let uid = || NESTLE.to_owned();
    let uids = || vec![uid()];
    let mut served = Vec::new();
    macro_rules! call {
        ($($call:expr;)*) => { $(
            if !has_no_endpoint($call.await) {
                served.push(stringify!($call));
            }
        )* };
    }
    call! {
        ai.dossier(&DossierRequest { uid: uid(), depth: None });
        ai.search(&AiSearchRequest { query: "banks".into() });
        ai.risk_score(&RiskScoreRequest { uid: uid() });
        ai.risk_score_batch(&BatchRiskScoreRequest { uids: uids() });
        ai.comparative(&ComparativeRequest { uids: uids(), focus: None });
        ai.predictive_risk(NESTLE, &PredictiveRiskRequest { lookback_days: None });
        companies.timeline_summary(NESTLE, &Default::default());
        companies.media_analyze(NESTLE);
        reports.generate("Finance");
    }
    check(served.is_empty(), served)
}

//! Rules for every operation, checked by enumerating all of them; new operations are included automatically.

mod access;
mod answers;
mod bodies;
mod callers;
mod delegations;
mod erasure;
mod isolation;
pub(crate) mod labels;
mod limits;
mod members;
mod requests;
mod texts;
mod wrong_values;

use ::access::{Tier, screening_subjects};
use http::Method;
use http_service::Operation;
use store::Subject;
use teams::AuditFilter;
use tests::{Service, operator};

use self::{
    callers::{prepared, send_prepared},
    requests::{HIT, service},
};

/// Every operation that changes something, sent by a caller who may call it.
#[tokio::test]
async fn every_operation_that_changes_something_is_in_the_audit_log_of_the_team() {
    let service = service().await;
    let is_changing = |it: &&Operation| it.method != Method::GET && it.needs_token;
    let (mut recorded, mut left_out) = (0, Vec::new());
    for operation in service.operations.clone().iter().filter(is_changing) {
        let caller = prepared(&service, Tier::Enterprise, operation).await;
        let answer = send_prepared(&service, operation, &caller).await;
        let team = operator(caller.team.clone());
        let filter =
            AuditFilter { action: Some(operation.id.to_owned()), ..AuditFilter::default() };
        let log = service.cloud.tenants.audit_log(&team, &filter, (0, 1), service.now()).await;
        let Some(found) = log.expect("read").items.pop() else {
            left_out.push(operation.id);
            continue;
        };
        let path = caller.path.split('?').next().unwrap_or_default();
        // The id of a hit may be any text.
        let path = path.replace(HIT, "{hitId}");
        assert_eq!(found.entry.target, path, "{}", operation.id);
        let status = found.outcome.map(|it| it.status);
        assert_eq!(status, Some(answer.status.as_u16()), "{}", operation.id);
        let id = answer.header("x-request-id").map(str::to_owned);
        assert_eq!(Some(found.entry.request_id), id, "{}", operation.id);
        recorded += 1;
    }
    assert_eq!(left_out, ["run_saved_search", "export_excel", "bulk_export", "replay_screening"]);
    assert!(recorded > 40, "{recorded}");
}

#[tokio::test]
async fn every_operation_that_screens_counts_its_subjects() {
    let (service, mut screening) = (service().await, Vec::new());
    let (counters, limit) = (&service.cloud.counters, screening_subjects(Tier::Enterprise));
    for operation in service.operations.iter().filter(|it| it.screens) {
        let caller = prepared(&service, Tier::Enterprise, operation).await;
        let (subject, now) = (Subject::Team(caller.team.clone()), service.now());
        let before = counters.subjects(&subject, now).await.expect("read");
        let answer = send_prepared(&service, operation, &caller).await;
        assert_eq!(answer.status.as_u16(), 200, "{}: {answer:?}", operation.id);
        let after = counters.subjects(&subject, now).await.expect("read");
        assert!(after > before, "{}", operation.id);
        counters.count_subjects(&subject, limit - after, limit, now).await.expect("counted");
        let refused = send_prepared(&service, operation, &caller).await;
        assert_eq!(refused.status.as_u16(), 429, "{}", operation.id);
        assert_eq!(refused.body["violatedPolicies"][0], "screening_subjects", "{}", operation.id);
        screening.push(operation.id);
    }
    screening.sort_unstable();
    assert_eq!(screening, ["bulk_screening", "replay_screening", "screen", "screen_companies"]);
}

#[tokio::test]
async fn every_method_of_a_path_has_one_operation() {
    let service = Service::start().await;
    let mut named: Vec<_> =
        service.operations.iter().map(|it| (it.path.as_str(), it.method.as_str())).collect();
    let count = named.len();
    named.sort_unstable();
    named.dedup();
    assert_eq!(named.len(), count);
}

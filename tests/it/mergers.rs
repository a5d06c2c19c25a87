//! Companies that were merged into another.

use std::collections::BTreeSet;

use publications::Publication;
use serde_json::json;
use tests::Service;

use crate::two_companies::{self, EINS, ZWEI};

#[tokio::test]
async fn a_merged_company_names_its_successor() {
    let service = Service::start().await;
    let deletion =
        Publication::deletion(ZWEI, "Zwei AG").number(1_000_000_006).on("2025-01-07").text(
            "Aktiven und Passiven gehen infolge Fusion auf die Eins Holding AG, in Thun \
         (CHE-600.000.012), über. Die Gesellschaft wird gelöscht.",
        );
    service.ingest_publications(two_companies::publications().into_iter().chain([deletion])).await;
    let merged = service.get(&format!("/v1/companies/{ZWEI}")).await;
    assert_eq!(merged.status.as_u16(), 200, "{}", merged.text);
    assert_eq!(
        (&merged.body["status"], &merged.body["supersededBy"]),
        (&json!("CANCELLED"), &json!(EINS)),
        "{}",
        merged.text
    );
    let before = service.get(&format!("/v1/companies/{ZWEI}?asOf=2025-01-06")).await;
    assert!(before.body["supersededBy"].is_null(), "{}", before.text);
}

#[tokio::test]
async fn a_merged_company_names_its_successor_when_only_the_successors_publication_states_it() {
    let deletion = Publication::deletion(ZWEI, "Zwei AG")
        .number(1_000_000_007)
        .on("2025-01-08")
        .text("Die Gesellschaft wird infolge Fusion im Handelsregister gelöscht.");
    let merger =
        Publication::mutation(EINS, "Eins Holding AG").number(1_000_000_006).on("2025-01-07").text(
            "Übernahme der Aktiven und Passiven der Zwei AG, in Bern (CHE-600.000.029), gemäss \
             Fusionsvertrag vom 19.12.2024 und Bilanz per 31.12.2023.",
        );
    let publications: Vec<Publication> =
        two_companies::publications().into_iter().chain([merger.clone(), deletion]).collect();
    let reversed: Vec<Publication> = publications.iter().rev().cloned().collect();
    let halves = [&publications[..6], &publications[6..]].map(<[Publication]>::to_vec);
    let halves_reversed = [&publications[6..], &publications[..6]].map(<[Publication]>::to_vec);
    let twice = vec![publications.clone(), publications];
    let mut answers = BTreeSet::new();
    for files in [twice, vec![reversed], halves.into(), halves_reversed.into()] {
        let service = Service::start().await;
        for file in files {
            service.ingest_publications(file).await;
        }
        let merged = service.get(&format!("/v1/companies/{ZWEI}")).await;
        assert_eq!(merged.body["supersededBy"], EINS, "{}", merged.text);
        answers.insert(merged.text);
        let before = service.get(&format!("/v1/companies/{ZWEI}?asOf=2025-01-07")).await;
        assert!(before.body["supersededBy"].is_null(), "not yet deleted: {}", before.text);
        let after = service.get(&format!("/v1/companies/{ZWEI}?asOf=2025-01-08")).await;
        assert_eq!(after.body["supersededBy"], EINS, "{}", after.text);
        let proof = after.body["proofs"]["supersededBy"]["reference"].as_str();
        assert!(proof.is_some_and(|it| it.ends_with("001000000006")), "{}", after.text);

        // A cancelled publication stays cancelled, even if it arrives once more as published.
        service.ingest_publications([merger.clone().cancelled(), merger.clone()]).await;
        let cancelled = service.get(&format!("/v1/companies/{ZWEI}")).await;
        assert!(cancelled.body["supersededBy"].is_null(), "cancelled: {}", cancelled.text);
    }
    assert_eq!(answers.len(), 1, "the order of arrival makes no difference: {answers:?}");
}

//! Several years of publications about two invented companies, for tests of what follows from publications.

use domain::Source;
use local::cloud::Cloud;
use publications::Publication;
use store::Registry;

pub(crate) const EINS: &str = "CHE-600.000.012";
pub(crate) const ZWEI: &str = "CHE-600.000.029";

/// The index of the publication in which Eins AG changes its auditor.
pub(crate) const AUDITOR_CHANGE: usize = 2;

/// The publications, oldest first. Eins AG is founded, changes its auditor, then name and seat. Zwei AG is
/// founded and dissolved. One person is on both boards.
pub(crate) fn publications() -> Vec<Publication> {
    let board = "Musterfrau, Regula, von Bern, in Bern, Mitglied des Verwaltungsrates, mit Einzelunterschrift";
    let auditor = "Erste Revision AG (CHE-600.000.035), in Bern, Revisionsstelle";
    let next_auditor = "Zweite Revision AG (CHE-600.000.041), in Thun, Revisionsstelle";
    vec![
        Publication::registration(EINS, "Eins AG")
            .number(1_000_000_001)
            .on("2020-03-02")
            .persons_entered(&format!("{board}; {auditor}")),
        Publication::registration(ZWEI, "Zwei AG")
            .number(1_000_000_002)
            .on("2021-06-01")
            .persons_entered(board),
        Publication::mutation(EINS, "Eins AG")
            .number(1_000_000_003)
            .on("2022-01-10")
            .persons_left(auditor)
            .persons_entered(next_auditor),
        Publication::mutation(EINS, "Eins AG")
            .number(1_000_000_004)
            .on("2023-05-02")
            .new_name("Eins Holding AG")
            .new_seat("Thun")
            .persons_entered("Beispiel, Urs, von Chur, in Thun, mit Einzelprokura"),
        Publication::mutation(ZWEI, "Zwei AG").number(1_000_000_005).on("2024-02-06").text(
            "Die Gesellschaft wird mit Beschluss der Generalversammlung vom 30.01.2024 aufgelöst.",
        ),
    ]
}

/// Ingests publications and publishes no generation. Fails where the ingest fails.
pub(crate) async fn ingest(
    registry: &Registry,
    cloud: &Cloud,
    publications: &[Publication],
) -> Result<(), ingest::Error> {
    let now = "2026-11-20T12:00:00Z".parse().expect("a moment");
    let batch = tests::read_publications(publications);
    ingest::ingest(registry, &cloud.objects, Source::Shab, batch, now).await.map(|_| ())
}

/// The members `changeType` of a list of changes.
pub(crate) fn change_types(changes: &serde_json::Value) -> Vec<&str> {
    let changes = changes.as_array().expect("a list");
    changes.iter().filter_map(|it| it["changeType"].as_str()).collect()
}

//! Since when the register is known, in words.

use analytics::Day;
use generations::{Coverage, Manifest};

/// What an answer about past days says about its data. `None` if nothing is known to be complete.
pub(crate) fn note(manifest: &Manifest) -> Option<String> {
    let Coverage { publications, deletions } = &manifest.coverage;
    let mut sentences: Vec<String> = publications
        .iter()
        .filter_map(|(source, months)| {
            let from = months.complete_from?;
            Some(format!(
                "Publications of the source {source} are mostly complete from {from}; the newest month is {}.",
                months.last_month
            ))
        })
        .collect();
    if let Some(from) = deletions.as_ref().and_then(|it| it.complete_from) {
        sentences.push(format!("Deletions are mostly complete from {from}."));
    }
    (!sentences.is_empty()).then(|| {
        sentences.push("Before these days, something may be missing.".to_owned());
        sentences.join(" ")
    })
}

/// The first day from which deletions are known. `None` if that cannot be said.
pub(crate) fn deletions_known_from(manifest: &Manifest) -> Option<Day> {
    manifest.coverage.deletions.as_ref()?.complete_from.map(Day::from)
}

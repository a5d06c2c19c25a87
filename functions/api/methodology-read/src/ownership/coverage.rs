//! What an answer does not contain, and why.

use ::ownership::{Form, Part, Party, Reason};
use assessments::owners::MAX_COMPANIES;

use super::assessment::Assessment;

/// Number of names that a sentence lists.
const NAMES: usize = 3;

/// What is missing and why, in English. Never empty: beneficial owners are not public in Switzerland.
pub(super) fn coverage_note(assessment: &Assessment) -> String {
    let mut sentences = vec![
        "The Swiss transparency register is not public. Owners are those that the commercial register and its \
         publications, the Global LEI Index and disclosures to the stock exchange state; shareholders of corporations are \
         in none of them as a rule."
            .to_owned(),
    ];
    sentences.extend(fallback(assessment));
    sentences.extend(unattributed(assessment));
    sentences.extend(abroad(assessment));
    sentences.extend(limits(assessment));
    sentences.join(" ")
}

/// Why persons without a share are named.
fn fallback(assessment: &Assessment) -> Option<String> {
    let rows = &assessment.resolution.beneficial_owners;
    let is_owner = |it: &Reason| !matches!(it, Reason::StatutoryFallback { .. });
    if rows.is_empty() {
        return Some(
            "No natural person is known who owns, controls or directs the company.".into(),
        );
    }
    if rows.iter().any(|row| row.reasons.iter().any(is_owner)) {
        return None;
    }
    let form = assessment.structure.profile(assessment.structure.root()).map(|it| it.form);
    Some(match form.unwrap_or_default() {
        Form::WithOwners => {
            "No source names a beneficial owner, so the persons who direct the company or its owner are named: the \
             statutory fallback."
        }
        Form::WithoutOwners | Form::Public => {
            "This legal form has no owners, so the persons who direct it are named: the statutory fallback."
        }
    }
    .into())
}

fn unattributed(assessment: &Assessment) -> Option<String> {
    let parts = &assessment.resolution.unattributed;
    if parts.is_empty() {
        return None;
    }
    let named = |it: &Part| format!("{} ({})", assessment.structure.name(it.party), it.percentage);
    let total = assessment.resolution.unattributed_percentage;
    let list = listed(parts.iter().map(named));
    Some(format!(
        "{total} of the capital is unattributed: the owners of {list}, or their shares, are not known."
    ))
}

fn abroad(assessment: &Assessment) -> Option<String> {
    let parties = assessment.structure.depths().keys();
    let foreign: Vec<Party> =
        parties.filter(|it| matches!(it, Party::Foreign(_))).copied().collect();
    if foreign.is_empty() {
        return None;
    }
    let list = listed(foreign.iter().map(|it| assessment.structure.name(*it)));
    Some(format!(
        "The owners of entities abroad are not read; known is only what Swiss companies report about them: {list}."
    ))
}

/// What was left out because of limits.
fn limits(assessment: &Assessment) -> Option<String> {
    let mut sentences = Vec::new();
    let unregistered = assessment.unregistered();
    if !unregistered.is_empty() {
        let list = listed(unregistered.iter().map(|it| assessment.structure.name(*it)));
        sentences.push(format!("No record of these owners is known: {list}."));
    }
    let cut_off = assessment.structure.cut_off();
    if !cut_off.is_empty() {
        let list = listed(cut_off.iter().map(|it| assessment.structure.name(*it)));
        sentences.push(format!(
            "Not all owners of these companies were followed, because of `maxDepth` or because a request reads at most \
             {MAX_COMPANIES} companies: {list}."
        ));
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// The first names, and how many there are more.
fn listed(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    let first = names.iter().take(NAMES).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMES) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

//! What an answer does not contain, and why.

use ::ownership::{FallbackCause, Form, LinkKind, Part, Party, Reason, Structure};
use domain::{Language, Status, wording};
use jiff::civil::Date;

use super::{
    assessment::Assessment,
    stated::MAX_MANDATES,
    walk::{MAX_COMPANIES, MAX_PAST_FACTS},
};

/// Number of names that a sentence lists.
const NAMES: usize = 3;

/// What is missing and why, in English. Never empty: beneficial owners are not public in Switzerland.
pub fn coverage_note(assessment: &Assessment) -> String {
    let mut sentences = vec![
        "The Swiss transparency register is not public. Owners are those that the commercial register and its \
         publications, the Global LEI Index and disclosures to the stock exchange state; as a rule, shareholders of \
         corporations are in none of them."
            .to_owned(),
    ];
    sentences.extend(deletion(assessment));
    if !has_ended(assessment) {
        let fallback = fallback(assessment);
        let division = division(assessment);
        let is_said = |it: &String| fallback.as_ref().is_some_and(|said| said.starts_with(it));
        let unattributed = match division {
            Some(it) if is_said(&it) => None,
            Some(it) => Some(format!("{it}.")),
            None => unattributed(assessment),
        };
        sentences.extend(fallback.into_iter().chain(unattributed));
    }
    sentences.extend(abroad(assessment));
    sentences.extend(limits(assessment));
    sentences.join(" ")
}

/// Whether the company is deleted and has no owners any more: neither those of a successor nor the last known ones are named.
fn has_ended(assessment: &Assessment) -> bool {
    let Assessment { company, structure, is_last_known, .. } = assessment;
    company.status == Some(Status::Cancelled) && !structure.is_absorbed() && !is_last_known
}

/// That a deleted company has no owners any more, and whose owners are named.
fn deletion(assessment: &Assessment) -> Option<String> {
    let Assessment { company, structure, scope, is_last_known, .. } = assessment;
    if company.status != Some(Status::Cancelled) {
        return None;
    }
    let date = |it: Date| wording::date(Language::En, it);
    let on = company.deletion_date.map(|it| format!(" on {}", date(it))).unwrap_or_default();
    let deletion = format!("The company was deleted from the register{on}");
    let successor = structure.links_to(structure.root()).find(|it| it.kind == LinkKind::Merger);
    Some(match (successor, scope.as_of.filter(|_| *is_last_known)) {
        (Some(merger), _) => format!(
            "{deletion}: {} took it over in a merger, and the owners are those of this successor.",
            structure.name(merger.owner)
        ),
        (None, Some(day)) => format!(
            "{deletion} and has no owners any more: the last known ones are named, those of {}.",
            date(day)
        ),
        (None, None) => format!("{deletion} and has no owners any more."),
    })
}

/// Why persons are named who are no beneficial owners.
fn fallback(assessment: &Assessment) -> Option<String> {
    let Assessment { structure, resolution, .. } = assessment;
    let rows = &resolution.beneficial_owners;
    let is_owner = |it: &Reason| !matches!(it, Reason::StatutoryFallback { .. });
    if rows.iter().any(|row| row.reasons.iter().any(is_owner)) {
        return None;
    }
    let held = resolution.attributed_to_persons;
    let cause = FallbackCause::of(structure, resolution);
    let why = match cause {
        FallbackCause::NoOwnersByLaw => "This legal form has no owners".to_owned(),
        FallbackCause::MembersNotRegistered => {
            "The members of cooperatives are not registered".to_owned()
        }
        FallbackCause::NoShareReachesTheThreshold => {
            "All owners are known, and none of them holds enough to be a beneficial owner".to_owned()
        }
        FallbackCause::EndsWithoutOwners => {
            "All owners are known, the chain ends at parties without owners, and no person holds enough to be a \
             beneficial owner"
                .to_owned()
        }
        _ if held.get() > 0.0 => format!(
            "Over all levels, {held} of the capital belongs to known persons, none of whom has enough to be a beneficial owner"
        ),
        FallbackCause::SharesNotKnown => division(assessment)
            .unwrap_or_else(|| "Not all shares of the known owners are known".to_owned()),
        FallbackCause::NoOwnerFound => match disclosed_holders(structure) {
            Some(holders) => {
                format!("{holders}. No source names a person who is a beneficial owner")
            }
            None => "No source names a beneficial owner".to_owned(),
        },
    };
    let is_of_form =
        matches!(cause, FallbackCause::NoOwnersByLaw | FallbackCause::MembersNotRegistered);
    let belongs_to_another = structure.legal_entity() != structure.root();
    let then = match (rows.is_empty(), is_of_form) {
        (true, _) if belongs_to_another => {
            "and no natural person is known who directs the owner of the company"
        }
        (true, _) => "and no natural person is known who directs the company",
        (false, false) => {
            "so the persons who direct the company or its owner are named instead: the statutory fallback. The law asks for \
             the most senior of them, whom the register does not single out"
        }
        (false, true) => {
            "so the persons who direct it are named: the statutory fallback. The law asks for the most senior of them, whom the \
             register does not single out"
        }
    };
    Some(format!("{why}, {then}."))
}

/// That disclosures to the exchange name these holders, with their shares. `None` if there are none.
fn disclosed_holders(structure: &Structure) -> Option<String> {
    let links = structure.links_to(structure.root());
    let disclosed = links.filter(|it| matches!(it.owner, Party::Unidentified(_)));
    let named: Vec<String> = disclosed
        .map(|it| match it.share.known() {
            // What is disclosed to the exchange are voting rights (FinMIA 120).
            Some(share) => format!("{} ({share} of the votes)", structure.name(it.owner)),
            None => structure.name(it.owner),
        })
        .collect();
    let [disclose, whether] = in_number(
        named.len(),
        [
            ["A disclosure to the exchange names", "it does not say whether it is a person"],
            ["Disclosures to the exchange name", "they do not say whether they are persons"],
        ],
    );
    (!named.is_empty()).then(|| format!("{disclose}: {}; {whether}", listed(named.into_iter())))
}

/// That the owners are known and their shares are not, without a full stop. `None` if owners are not known.
fn division(assessment: &Assessment) -> Option<String> {
    let Assessment { structure, resolution, .. } = assessment;
    let divided = resolution.divided_unknowingly(structure)?;
    Some(match (structure.has_capital(), structure.owners_of(divided).len()) {
        (true, 1) => format!(
            "What part of {} of the capital the only known owner holds is not known",
            resolution.unattributed_percentage
        ),
        (false, 1) => "What share the only known owner holds is not known".to_owned(),
        (true, _) => format!(
            "How {} of the capital is divided among the known owners is not known",
            resolution.unattributed_percentage
        ),
        (false, _) => "How the shares are divided among the known owners is not known".to_owned(),
    })
}

fn unattributed(assessment: &Assessment) -> Option<String> {
    let Assessment { structure, resolution, .. } = assessment;
    let (root, parts) = (structure.root(), resolution.unattributed.as_slice());
    let total = resolution.unattributed_percentage;
    match parts {
        [] => None,
        // Said already.
        [only] if only.party == root && structure.form(root) == Form::Cooperative => None,
        _ => {
            let named = |it: &Part| format!("{} ({})", structure.name(it.party), it.percentage);
            let list = listed(parts.iter().map(named));
            let whole = if structure.has_capital() { "capital" } else { "company" };
            Some(format!(
                "{total} of the {whole} is unattributed: the owners of {list}, or their shares, are not known."
            ))
        }
    }
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
        "Owners of entities abroad ({list}) are known only as far as they, or Swiss companies, report them to GLEIF: parents that \
         consolidate them."
    ))
}

/// What was left out because of limits.
fn limits(assessment: &Assessment) -> Option<String> {
    let mut sentences = Vec::new();
    if let Some(day) = assessment.scope.as_of {
        sentences.push(format!(
            "The state of {} rests on the publications that are stored: what was published earlier, and is repeated in none of \
             them, is missing. Addresses that many companies share are known for the current state only.",
            wording::date(Language::En, day)
        ));
    }
    let unregistered = assessment.unregistered();
    if !unregistered.is_empty() {
        let list = listed(unregistered.iter().map(|it| assessment.structure.name(*it)));
        let these = in_number(unregistered.len(), ["this owner", "these owners"]);
        sentences.push(format!("No record of {these} is known: {list}."));
    }
    let (partly, cut_off): (Vec<Party>, Vec<Party>) = assessment
        .structure
        .cut_off()
        .iter()
        .partition(|it| assessment.above.partly_read.contains(*it));
    let named = |of: &[Party]| listed(of.iter().map(|it| assessment.structure.name(*it)));
    if !cut_off.is_empty() {
        sentences.push(format!(
            "Not all owners of {} were followed, because of `maxDepth`, because what an entity abroad reported to \
             GLEIF was not read completely, or because a request reads at most {MAX_COMPANIES} companies, and of a past day at \
             most {} facts: {}.",
            in_number(cut_off.len(), ["this company", "these companies"]),
            wording::number(Language::En, MAX_PAST_FACTS as u64),
            named(&cut_off)
        ));
    }
    if !partly.is_empty() {
        sentences.push(format!(
            "Of {}, only {MAX_MANDATES} partners and officers were read: {}.",
            in_number(partly.len(), ["this company", "these companies"]),
            named(&partly)
        ));
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// The words for one party or for several.
fn in_number<T>(parties: usize, [one, several]: [T; 2]) -> T {
    if parties == 1 { one } else { several }
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ::ownership::{Link, MaxDepth, Percent, Profile, Share};
    use domain::{Provenance, Uid};

    use super::*;

    /// Of the votes, as the exchange publishes them: who has how much of the capital is not known.
    #[test]
    fn holders_are_named_with_their_votes_in_the_grammatical_number() {
        let listed: Uid = "CHE-600.000.012".parse().expect("a number");
        let root = Party::Company(listed);
        let link = |name: &str| Link {
            owner: Party::unidentified_named(name, listed),
            owned: root,
            kind: LinkKind::VotingRights,
            share: Share::Known(Percent::new(31.0).expect("a share")),
            since: None,
            source: Provenance { source: "six".into(), reference: None, date: None },
            confidence: 0.8,
        };
        let said = |names: &[&str]| {
            let links: Vec<Link> = names.iter().map(|it| link(it)).collect();
            let profile = |name: &&str| Profile { name: (*name).to_owned(), ..Profile::default() };
            let owners = links.iter().map(|it| it.owner);
            let profiles: BTreeMap<Party, Profile> =
                owners.zip(names.iter().map(profile)).collect();
            disclosed_holders(&Structure::above(root, links, profiles, MaxDepth::default()))
        };
        assert_eq!(said(&[]), None);
        let one = said(&["Eva Muster"]).expect("a holder");
        let only = "A disclosure to the exchange names: Eva Muster (31 % of the votes); it does not say whether it is a person";
        assert_eq!(one, only);
        let two = said(&["Eva Muster", "Lärche Ltd"]).expect("holders");
        assert!(two.starts_with("Disclosures to the exchange name: "), "{two}");
        assert!(two.ends_with("; they do not say whether they are persons"), "{two}");
    }
}

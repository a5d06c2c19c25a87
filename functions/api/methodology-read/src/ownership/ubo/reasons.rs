//! Why a person is named.

use ::ownership::{
    BeneficialOwner, ControlMeans, ControlStep, FallbackCause, Party, Percent, Reason, Structure,
};
use domain::{Language, persons::RoleCategory, wording};
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::ownership::answer::office_category;

/// Why a person is named.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UboReason {
    /// `ownership` (integrated share of the capital), `votes` (integrated share of the votes), `controlled_votes` (votes of the
    /// person and of companies that it controls), `control`, or `statutory_fallback` (the person holds an office, and there is
    /// no known beneficial owner).
    kind: &'static str,
    /// The share that is the reason, in percent. Only for `ownership`, `votes` and `controlled_votes`.
    percentage: Option<f64>,
    /// The steps of control, the nearest to the person first. Only for `control`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    steps: Vec<UboControlStep>,
    /// The entity in which the person holds an office. Only for `statutory_fallback`.
    #[schema(value_type = Option<String>)]
    entity_uid: Option<Party>,
    /// Category of the office that the person holds in `entityUid`. Only for `statutory_fallback`.
    office: Option<RoleCategory>,
    /// Why the fallback applies. Only for `statutory_fallback`.
    cause: Option<FallbackCause>,
    /// The reason, in English.
    explanation: String,
}

/// One step of control.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UboControlStep {
    /// The company that is controlled.
    #[schema(value_type = String)]
    uid: Party,
    /// `votes` (more than `controlThreshold`), `consolidation`, `head_office`, `merger` or `sole_proprietor`.
    means: &'static str,
    /// Share of the votes that can be cast, in percent. Only for `votes`.
    votes_percentage: Option<f64>,
    /// Who has the votes or the link: the person or companies that the person controls.
    #[schema(value_type = Vec<String>)]
    through: Vec<Party>,
}

impl UboReason {
    pub(super) fn of(reason: &Reason, row: &BeneficialOwner, structure: &Structure) -> Self {
        let of_kind = |kind, explanation| Self {
            kind,
            percentage: None,
            steps: Vec::new(),
            entity_uid: None,
            office: None,
            cause: None,
            explanation,
        };
        let mut named = match reason {
            Reason::Ownership => Self {
                percentage: Some(row.ownership.get()),
                ..of_kind("ownership", {
                    let (whole, paths) = (whole(structure), paths(row, row.ownership, structure));
                    format!("The person owns {} of {whole}{paths}.", row.ownership)
                })
            },
            Reason::Votes(votes) => Self {
                percentage: Some(votes.get()),
                ..of_kind("votes", {
                    let paths = paths(row, *votes, structure);
                    format!("The person holds {votes} of the votes{paths}.")
                })
            },
            Reason::ControlledVotes(votes) => Self {
                percentage: Some(votes.get()),
                ..of_kind(
                    "controlled_votes",
                    format!(
                        "The person and the companies that the person controls hold {votes} of the votes."
                    ),
                )
            },
            Reason::Control(steps) => {
                // An absorbed company does not exist any more.
                let existing = steps.iter().filter(|it| it.means != ControlMeans::Merger);
                let names: Vec<String> = existing.map(|it| structure.name(it.company)).collect();
                let names = wording::list(Language::En, &names);
                Self {
                    steps: steps.iter().map(UboControlStep::of).collect(),
                    ..of_kind("control", format!("The person controls {names}."))
                }
            }
            Reason::StatutoryFallback { entity, office, cause } => Self {
                entity_uid: Some(*entity),
                office: office_category(*office),
                cause: Some(*cause),
                ..of_kind("statutory_fallback", {
                    let mut owners = structure.persons_with_unknown_shares(*entity);
                    let has_unknown_share = owners.any(|it| it == row.person);
                    fallback(row, structure, *entity, *cause, has_unknown_share)
                })
            },
        };
        let is_fallback = matches!(reason, Reason::StatutoryFallback { .. });
        let entity = row.path.get(1).copied().unwrap_or(structure.root());
        if !is_fallback && structure.is_identified_by_name(row.person, entity) {
            named.explanation.push(' ');
            named.explanation.push_str(OF_EQUAL_NAME);
        }
        named
    }
}

/// What rests on the name of a holder.
const OF_EQUAL_NAME: &str = "These are voting rights that were disclosed to the exchange, which may include rights to buy shares. The disclosure \
                             does not say who the holder is: it has the name of this director.";

/// The entities that a person directs and is named for.
pub(super) fn directed(row: &BeneficialOwner) -> Vec<Party> {
    let entity = |it: &Reason| match it {
        Reason::StatutoryFallback { entity, .. } => Some(*entity),
        _ => None,
    };
    row.reasons.iter().filter_map(entity).collect()
}

/// What a share is a part of. What is itself a part of its owner has no capital, and what another company absorbed, no owners.
fn whole(structure: &Structure) -> String {
    match (structure.is_absorbed(), structure.has_capital()) {
        (true, _) => {
            format!("{}, the successor of the company", structure.name(existing(structure)))
        }
        (false, true) => "the capital".to_owned(),
        (false, false) => "the company".to_owned(),
    }
}

/// The company, or the successor of one that was absorbed.
fn existing(structure: &Structure) -> Party {
    match structure.is_absorbed() {
        true => structure.legal_entity(),
        false => structure.root(),
    }
}

/// How a share is held: what a circle adds is held through its companies too.
fn paths(row: &BeneficialOwner, share: Percent, structure: &Structure) -> &'static str {
    let links = structure.links().iter();
    let owns = links.filter(|it| it.owner == row.person && it.kind.is_ownership());
    let (direct, indirect): (Vec<_>, Vec<_>) = owns.partition(|it| it.owned == existing(structure));
    match (direct.is_empty(), indirect.is_empty()) {
        (_, true) if structure.is_direct(row.person, existing(structure), share) => "",
        (_, true) => " over all levels",
        (true, false) => " through other companies",
        (false, false) => " directly and through other companies",
    }
}

/// Why a person is named who directs an entity.
fn fallback(
    row: &BeneficialOwner,
    structure: &Structure,
    entity: Party,
    cause: FallbackCause,
    has_unknown_share: bool,
) -> String {
    // A person can be an owner for other reasons: its share is not below the threshold then.
    let is_owner = row.reasons.len() > directed(row).len();
    let held = match (row.ownership.get() > 0.0, row.control.get() > 0.0) {
        _ if is_owner => "The person is a beneficial owner for other reasons too.".to_owned(),
        (true, _) => {
            let paths = paths(row, row.ownership, structure);
            let (share, whole) = (row.ownership, whole(structure));
            format!("The person holds {share} of {whole}{paths}, less than the threshold.")
        }
        (false, true) => {
            let paths = paths(row, row.control, structure);
            format!(
                "The person holds {} of the votes{paths}, less than the threshold.",
                row.control
            )
        }
        (false, false) if has_unknown_share => {
            "The person is an owner whose share is not known.".to_owned()
        }
        (false, false) => "The person is not known to be an owner.".to_owned(),
    };
    let why = match cause {
        FallbackCause::NoOwnersByLaw => "which has no owners by law",
        FallbackCause::MembersNotRegistered => "a cooperative, whose members are not registered",
        FallbackCause::NoShareReachesTheThreshold => {
            "all of whose owners are known, none of them with a share that reaches the threshold"
        }
        FallbackCause::EndsWithoutOwners => {
            "all of whose owners are known, among them parties without owners, and no person with a share that reaches the \
             threshold"
        }
        FallbackCause::SharesNotKnown => "some of whose known owners hold shares of unknown size",
        FallbackCause::NoOwnerFound => "of which no beneficial owner is known",
    };
    let entity = structure.name(entity);
    format!(
        "{held} The person is named because of an office in {entity}, {why} (statutory fallback)."
    )
}

impl UboControlStep {
    fn of(step: &ControlStep) -> Self {
        let (means, votes) = match step.means {
            ControlMeans::Votes(votes) => ("votes", Some(votes.get())),
            ControlMeans::Consolidation => ("consolidation", None),
            ControlMeans::HeadOffice => ("head_office", None),
            ControlMeans::Merger => ("merger", None),
            ControlMeans::SoleProprietor => ("sole_proprietor", None),
        };
        Self { uid: step.company, means, votes_percentage: votes, through: step.through.clone() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ::ownership::{Form, Link, LinkKind, MaxDepth, Profile, Share};
    use domain::Provenance;

    use super::*;

    const ROOT: Party = Party::Firm(uuid::Uuid::from_u128(9));
    const PERSON: Party = Party::Person(uuid::Uuid::nil());

    /// A company of which the person holds 20 %.
    fn structure(name: &str) -> Structure {
        let profile =
            Profile { name: name.to_owned(), form: Form::WithOwners, ..Profile::default() };
        let profiles = BTreeMap::from([(ROOT, profile)]);
        Structure::above(ROOT, vec![shares()], profiles, MaxDepth::default())
    }

    fn shares() -> Link {
        Link {
            owner: PERSON,
            owned: ROOT,
            kind: LinkKind::Shares,
            share: Share::Known(Percent::new(20.0).expect("a share")),
            since: None,
            source: Provenance { source: "shab".into(), reference: None, date: None },
            confidence: 1.0,
        }
    }

    /// A merger dissolves a company (Merger Act 3 para. 2): only its successor has owners.
    #[test]
    fn an_absorbed_company_has_no_owner_but_its_successor_has() {
        let absorbed = Party::Firm(uuid::Uuid::from_u128(8));
        let whole = Share::Known(Percent::WHOLE);
        let merger =
            Link { owner: ROOT, owned: absorbed, kind: LinkKind::Merger, share: whole, ..shares() };
        let profile = |name: &str| Profile {
            name: name.to_owned(),
            form: Form::WithOwners,
            ..Profile::default()
        };
        let profiles = BTreeMap::from([(ROOT, profile("Nach AG")), (absorbed, profile("Vor AG"))]);
        let links = vec![merger, shares()];
        let structure = Structure::above(absorbed, links, profiles, MaxDepth::default());
        let text = UboReason::of(&Reason::Ownership, &row(20.0), &structure).explanation;
        assert_eq!(text, "The person owns 20 % of Nach AG, the successor of the company.");
    }

    fn row(ownership: f64) -> BeneficialOwner {
        BeneficialOwner {
            person: PERSON,
            ownership: Percent::new(ownership).expect("a share"),
            control: Percent::default(),
            reasons: Vec::new(),
            path: Vec::new(),
            confidence: 1.0,
        }
    }

    #[test]
    fn owner_below_the_threshold_is_not_called_unknown() {
        let fallback = |row: &BeneficialOwner, name: &str, cause| {
            fallback(row, &structure(name), ROOT, cause, false)
        };
        let cause = FallbackCause::NoShareReachesTheThreshold;
        let text = fallback(&row(20.0), "Muster GmbH", cause);
        let start = "The person holds 20 % of the capital, less than the threshold. The person is named because of an office in \
                     Muster GmbH";
        assert!(text.starts_with(start) && !text.contains("not known to be an owner"), "{text}");
        let text = fallback(&row(0.0), "Muster GmbH", FallbackCause::NoOwnerFound);
        assert!(text.starts_with("The person is not known to be an owner."), "{text}");
        let fallback_reason = Reason::StatutoryFallback {
            entity: PERSON,
            office: LinkKind::Office(RoleCategory::Board),
            cause: FallbackCause::NoOwnersByLaw,
        };
        let owner =
            BeneficialOwner { reasons: vec![Reason::Ownership, fallback_reason], ..row(30.0) };
        let text = fallback(&owner, "Muster Stiftung", FallbackCause::NoOwnersByLaw);
        assert!(!text.contains("less than the threshold"), "{text}");
    }

    /// The register states 20 %; the rest comes from companies that own each other.
    #[test]
    fn what_a_circle_adds_is_not_held_directly() {
        let structure = structure("Muster GmbH");
        let cause = FallbackCause::NoShareReachesTheThreshold;
        let text = fallback(&row(23.06), &structure, ROOT, cause, false);
        let start =
            "The person holds 23.06 % of the capital over all levels, less than the threshold.";
        assert!(text.starts_with(start), "{text}");
        let owned = |share| UboReason::of(&Reason::Ownership, &row(share), &structure).explanation;
        assert_eq!(owned(20.0), "The person owns 20 % of the capital.");
        assert_eq!(owned(30.0), "The person owns 30 % of the capital over all levels.");
        let votes = Reason::Votes(Percent::new(30.0).expect("a share"));
        let text = UboReason::of(&votes, &row(20.0), &structure).explanation;
        assert_eq!(text, "The person holds 30 % of the votes over all levels.");
    }
}

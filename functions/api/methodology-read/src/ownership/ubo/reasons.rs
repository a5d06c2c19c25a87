//! Why a person is named.

use ::ownership::{
    BeneficialOwner, ControlMeans, ControlStep, FallbackCause, Party, Reason, Structure,
};
use domain::persons::RoleCategory;
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
                ..of_kind(
                    "ownership",
                    format!("Owns {} of the capital, over all paths.", row.ownership),
                )
            },
            Reason::Votes(votes) => Self {
                percentage: Some(votes.get()),
                ..of_kind("votes", format!("Holds {votes} of the votes, over all paths."))
            },
            Reason::ControlledVotes(votes) => Self {
                percentage: Some(votes.get()),
                ..of_kind(
                    "controlled_votes",
                    format!("Holds {votes} of the votes, with companies that the person controls."),
                )
            },
            Reason::Control(steps) => {
                let names: Vec<String> =
                    steps.iter().map(|it| structure.name(it.company)).collect();
                Self {
                    steps: steps.iter().map(UboControlStep::of).collect(),
                    ..of_kind("control", format!("Controls {}.", names.join(", then ")))
                }
            }
            Reason::StatutoryFallback { entity, office, cause } => Self {
                entity_uid: Some(*entity),
                office: office_category(*office),
                cause: Some(*cause),
                ..of_kind("statutory_fallback", {
                    let mut owners = structure.persons_with_unknown_shares(*entity);
                    let has_unknown_share = owners.any(|it| it == row.person);
                    fallback(row, &structure.name(*entity), *cause, has_unknown_share)
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
const OF_EQUAL_NAME: &str = "Voting rights were disclosed to the exchange, which may contain rights to buy shares. The disclosure does not \
                             say who the holder is: it has the name of this director.";

/// The entities that a person directs and is named for.
pub(super) fn directed(row: &BeneficialOwner) -> Vec<Party> {
    let entity = |it: &Reason| match it {
        Reason::StatutoryFallback { entity, .. } => Some(*entity),
        _ => None,
    };
    row.reasons.iter().filter_map(entity).collect()
}

/// Why a person is named who directs an entity.
fn fallback(
    row: &BeneficialOwner,
    entity: &str,
    cause: FallbackCause,
    has_unknown_share: bool,
) -> String {
    // A person can be an owner for other reasons: its share is not below the threshold then.
    let is_owner = row.reasons.len() > directed(row).len();
    let held = match (row.ownership.get() > 0.0, row.control.get() > 0.0) {
        _ if is_owner => "A beneficial owner for other reasons too.".to_owned(),
        (true, _) => format!("Holds {} of the capital, below the threshold.", row.ownership),
        (false, true) => format!("Holds {} of the votes, below the threshold.", row.control),
        (false, false) if has_unknown_share => "An owner whose share is not known.".to_owned(),
        (false, false) => "Not a known owner.".to_owned(),
    };
    let why = match cause {
        FallbackCause::NoOwnersByLaw => "which has no owners by law",
        FallbackCause::NoShareReachesTheThreshold => {
            "all of whose owners are known, none of them with a share that reaches the threshold"
        }
        FallbackCause::EndsWithoutOwners => {
            "all of whose owners are known, among them parties without owners, and no person with a share that reaches the \
             threshold"
        }
        FallbackCause::SharesNotKnown => "of whose known owners not all shares are known",
        FallbackCause::NoOwnerFound => "of which no beneficial owner is known",
    };
    format!("{held} Named because the person directs {entity}, {why} (statutory fallback).")
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
    use ::ownership::Percent;

    use super::*;

    #[test]
    fn owner_below_the_threshold_is_not_called_unknown() {
        use ::ownership::LinkKind;

        let row = |ownership| BeneficialOwner {
            person: Party::Person(uuid::Uuid::nil()),
            ownership: Percent::new(ownership).expect("a share"),
            control: Percent::default(),
            reasons: Vec::new(),
            path: Vec::new(),
            confidence: 1.0,
        };
        let cause = FallbackCause::NoShareReachesTheThreshold;
        let text = fallback(&row(20.0), "Muster GmbH", cause, false);
        let start = "Holds 20 % of the capital, below the threshold. Named because the person directs Muster GmbH";
        assert!(text.starts_with(start) && !text.contains("Not a known owner"), "{text}");
        let text = fallback(&row(0.0), "Muster GmbH", FallbackCause::NoOwnerFound, false);
        assert!(text.starts_with("Not a known owner."), "{text}");
        let fallback_reason = Reason::StatutoryFallback {
            entity: Party::Person(uuid::Uuid::nil()),
            office: LinkKind::Office(RoleCategory::Board),
            cause: FallbackCause::NoOwnersByLaw,
        };
        let owner =
            BeneficialOwner { reasons: vec![Reason::Ownership, fallback_reason], ..row(30.0) };
        let text = fallback(&owner, "Muster Stiftung", FallbackCause::NoOwnersByLaw, false);
        assert!(!text.contains("below the threshold"), "{text}");
    }
}

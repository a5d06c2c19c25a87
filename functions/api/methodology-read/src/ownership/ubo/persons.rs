//! A person in the response: who owns or controls the company, or is named instead.

use ::ownership::{BeneficialOwner, Party, Percent, Reason};
use company_reader::owners::{Assessment, OfficeInCompany};
use domain::{Provenance, persons::SigningAuthority, terms::offices};
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::reasons::{UboReason, directed};

/// A natural person who owns or controls the company, or who is named instead.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UboPerson {
    /// Id of the person. Left out for callers whose `User-Agent` begins with `vynco-rust/`: that client accepts only a number.
    #[schema(value_type = Option<String>, format = Uuid)]
    pub(super) person_id: Option<Party>,
    /// Full name.
    name: String,
    /// Identifier of the entity that the person directly owns or directs: a company number, `LEI:` and a legal entity
    /// identifier, or a UUID for an entity that is known by name only.
    #[schema(value_type = String)]
    controlling_entity_uid: Party,
    /// Name of the entity in `controllingEntityUid`.
    controlling_entity_name: String,
    /// What the person is.
    role: UboRole,
    /// Whether the register names the person as president of `entityUid` of the reason. Only for `statutory_fallback`.
    is_president: Option<bool>,
    /// Signing authority of the person in `controllingEntityUid`, or, with the reason `statutory_fallback`, in `entityUid` of the
    /// reason. Absent if it is not known.
    signing_authority: Option<SigningAuthority>,
    /// Number of links between the person and the company.
    path_length: usize,
    /// Identifiers along the shortest path: first the person, then each entity on the way, last the company.
    #[schema(value_type = Vec<String>)]
    path: Vec<Party>,
    /// Integrated share of the capital of the company, over all paths, in percent. Of a branch, an absorbed company or a sole
    /// proprietorship: of the whole that it is a part of. Absent if no share of the capital is known; disclosed voting rights
    /// are none.
    ownership_percentage: Option<f64>,
    /// Share of the votes in the company that the person and the companies that the person controls hold, in percent. Absent if
    /// none is known.
    control_percentage: Option<f64>,
    /// Why the person is named. Never empty.
    reasons: Vec<UboReason>,
    /// The statements that link the person with the entity.
    sources: Vec<Provenance>,
    /// Confidence of the path, 0 to 1: the product of the confidences of its links.
    confidence: f64,
}

/// What a person is to the company: `beneficial_owner` (owns or controls it), or `controlling_person` (directs the
/// company or an owner of it; listed because no beneficial owner is known, or because that owner, such as a foundation,
/// has no owners itself).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum UboRole {
    /// Owns or controls the company.
    BeneficialOwner,
    /// Directs the company or an owner of it.
    ControllingPerson,
}

/// A sum of known shares. `None` if there is none: the person may hold others.
fn known(share: Percent) -> Option<f64> {
    Some(share.get()).filter(|it| *it > 0.0)
}

impl UboPerson {
    pub(super) fn of(row: &BeneficialOwner, assessment: &Assessment) -> Self {
        let structure = &assessment.structure;
        let entity = row.path.get(1).copied().unwrap_or(structure.root());
        let is_fallback = |it: &Reason| matches!(it, Reason::StatutoryFallback { .. });
        let role = match row.reasons.iter().all(is_fallback) {
            true => UboRole::ControllingPerson,
            false => UboRole::BeneficialOwner,
        };
        let offices = assessment.above.offices.iter();
        let directed = directed(row);
        let is_named_instead = !directed.is_empty();
        let of_office = match is_named_instead {
            true => directed,
            false => vec![entity],
        };
        let in_entity: Vec<&OfficeInCompany> = offices
            .filter(|it| it.person == row.person)
            .filter(|it| of_office.contains(&Party::Company(it.company)))
            .collect();
        let mut sources: Vec<Provenance> = Vec::new();
        for link in structure.links_to(entity).filter(|it| it.owner == row.person) {
            if !sources.contains(&link.source) {
                sources.push(link.source.clone());
            }
        }
        Self {
            person_id: Some(row.person),
            name: structure.name(row.person),
            controlling_entity_uid: entity,
            controlling_entity_name: structure.name(entity),
            role,
            is_president: is_named_instead
                .then(|| in_entity.iter().any(|it| offices::is_president(&it.role))),
            signing_authority: in_entity.iter().find_map(|it| it.signing_authority),
            path_length: row.path.len().saturating_sub(1),
            path: row.path.clone(),
            ownership_percentage: known(row.ownership),
            control_percentage: known(row.control),
            reasons: row.reasons.iter().map(|it| UboReason::of(it, row, structure)).collect(),
            sources,
            confidence: row.confidence,
        }
    }
}

//! What answers about audit mandates have in common.

use analytics::{Duty, ScorePart};
use domain::{
    Company, Uid,
    fingerprint::{SizeBasis, SizeCategory},
};
use obligations::{Basis, RegimeKind};
use problem_details::Problem;
use serde::Serialize;
use utoipa::ToSchema;

use crate::selection::Selection;

/// A part of a score.
#[derive(Serialize, ToSchema)]
pub(crate) struct PartOfScore {
    /// Name of the part.
    part: &'static str,
    /// Points that it adds; negative: that it takes away.
    points: i32,
    /// The rule.
    reason: &'static str,
}

impl From<ScorePart> for PartOfScore {
    fn from(ScorePart { part, points, reason }: ScorePart) -> Self {
        Self { part, points, reason }
    }
}

/// The audit that the law requires today, as far as the record and the publications say. Figures, groups and listings are not
/// considered here; `/v1/audit/playbook/{uid}` considers them.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuditDuty {
    /// Kind of audit.
    kind: RegimeKind,
    /// What the kind is based on.
    basis: Basis,
}

impl From<Duty> for AuditDuty {
    fn from(Duty { kind, basis }: Duty) -> Self {
        Self { kind, basis }
    }
}

/// Estimated size, as in the fingerprint.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EstimatedSize {
    /// Size.
    category: SizeCategory,
    /// What the estimate is based on.
    basis: SizeBasis,
}

impl From<(SizeCategory, SizeBasis)> for EstimatedSize {
    fn from((category, basis): (SizeCategory, SizeBasis)) -> Self {
        Self { category, basis }
    }
}

/// The records of companies with these rows, in this order. Companies that cannot be decoded are left out.
pub(crate) async fn records(
    state: &crate::State,
    selection: &Selection,
    rows: &[u32],
) -> Result<Vec<(u32, Company)>, Problem> {
    let uids: Vec<Uid> = selection.uids(rows).await?;
    let mut found = state.registry.companies(&uids).await?.into_iter().peekable();
    let pairs = rows.iter().zip(uids);
    Ok(pairs.filter_map(|(row, uid)| Some((*row, found.next_if(|it| it.uid == uid)?))).collect())
}

//! What answers about audit mandates have in common.

use analytics::{Duty, ScorePart};
use axum::Json;
use domain::{
    Company, Uid,
    fingerprint::{SizeBasis, SizeCategory},
    search::{Page, PageNumber, PageSize},
};
use http_service::{Link, Offset, Paginator, Selection as Selected};
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

/// The response header that names a generation.
type GenerationHeader = [(&'static str, String); 1];

/// The part of a page that a request asks for.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) page: PageNumber,
    pub(crate) page_size: PageSize,
    pub(crate) offset: Offset,
}

/// The companies on a page of a ranking.
pub(crate) struct Ranked<T> {
    wanted: Wanted,
    selected: Selected,
    total: usize,
    /// Each with its row.
    judged: Vec<(u32, T)>,
}

impl<T> Ranked<T> {
    /// Judges those of the rows that are on the page.
    pub(crate) fn new(rows: &[u32], wanted: Wanted, judge: impl Fn(u32) -> Option<T>) -> Self {
        let Wanted { page, page_size, offset } = wanted;
        let selected = Selected::page(page, page_size, offset, rows.len());
        let on_page = rows[selected.range.clone()].iter();
        let judged = on_page.filter_map(|it| Some((*it, judge(*it)?))).collect();
        Self { wanted, selected, total: rows.len(), judged }
    }

    /// The page, with the current records of the companies.
    pub(crate) async fn answer<I: Serialize>(
        mut self,
        state: &crate::State,
        selection: &Selection,
        paginator: &Paginator,
        item: impl Fn(Company, T) -> I,
    ) -> Result<(Option<Link>, GenerationHeader, Json<Page<I>>), Problem> {
        let rows: Vec<u32> = self.judged.iter().map(|it| it.0).collect();
        let records = records(state, selection, &rows).await?;
        // Companies that cannot be decoded are not on the page.
        self.selected.range.end -= self.selected.range.len() - records.len();
        let mut judged = self.judged.into_iter();
        let items = records
            .into_iter()
            .filter_map(|(row, company)| Some(item(company, judged.find(|it| it.0 == row)?.1)));
        let (items, next) = paginator.fit(&state.public_url, &self.selected, items);
        let (page, page_size) = (self.wanted.page.get(), self.wanted.page_size.get());
        let answer = Page { items, total: self.total as u64, page, page_size };
        Ok((next, selection.generation.header(), Json(answer)))
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

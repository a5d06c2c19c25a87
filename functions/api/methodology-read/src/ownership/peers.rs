//! Opacity of companies of the same legal form and size.

use ::ownership::{Resolution, analytics::opacity, flags::flags};
use assessments::owners::{MAX_COMPANIES, Reader};
use domain::{
    Amount, Company, Status, Uid,
    company::WantedStatus,
    legal_forms::{LegalForm, WantedLegalForm},
    search::{Bound, CompanyQuery, PageSize},
};
use problem_details::Problem;

use super::parameters::OwnershipQuery;

/// Number of peers.
const PEERS: usize = 30;

/// Number of peers below which a comparison says nothing.
const FEWEST: usize = 5;

/// The scores of at most 30 peers, computed as that of the company. Empty if there are fewer than five. Peers with too many
/// owners to be read are left out.
pub(super) async fn scores_of_peers(
    reader: &Reader<'_>,
    company: &Company,
    query: &OwnershipQuery,
) -> Result<Vec<u8>, Problem> {
    let Some(form) = company.legal_form_code.as_deref().and_then(LegalForm::named) else {
        return Ok(Vec::new());
    };
    let multiple = |numerator: i64, denominator: i64| {
        let capital = company.share_capital?.ten_thousandths();
        Some(Bound(Amount::from_ten_thousandths(capital.checked_mul(numerator)? / denominator)))
    };
    let wanted = CompanyQuery {
        status: [WantedStatus(Status::Active)].into(),
        legal_form_code: [WantedLegalForm(form)].into(),
        capital_min: multiple(1, 2),
        capital_max: multiple(2, 1),
        page_size: PageSize::FULL,
        ..CompanyQuery::default()
    };
    let found = reader.companies.search(&wanted)?.uids.into_iter();
    let peers: Vec<Uid> = found.filter(|it| *it != company.uid).take(PEERS).collect();
    let above = reader.above(peers.iter().copied(), query.max_depth(), MAX_COMPANIES).await?;
    let score = |uid: Uid| {
        let structure = above.structure(uid, query.max_depth());
        let is_whole = structure.cut_off().is_disjoint(&above.unread);
        let resolution = Resolution::of(&structure, &query.criteria());
        let flags = flags(&structure, &resolution);
        is_whole.then(|| opacity(&structure, &resolution, &flags).score)
    };
    let scores: Vec<u8> = peers.into_iter().filter_map(score).collect();
    Ok(if scores.len() < FEWEST { Vec::new() } else { scores })
}

//! Opacity of companies of the same legal form and size.

use ::ownership::{Resolution, analytics::opacity, flags::flags};
use company_reader::owners::{MAX_COMPANIES, OwnershipScope, Reader};
use domain::{
    Amount, Company, Status, Uid,
    legal_forms::{LegalForm, WantedLegalForm},
    search::{Bound, CompanyQuery, PageNumber, PageSize, WantedStatus},
};
use problem_details::Problem;

/// Number of peers.
const PEERS: usize = 30;

/// Number of parts of the list of similar companies from which peers are taken.
const PARTS: u64 = 3;

/// Number of peers below which a comparison says nothing.
const FEWEST: usize = 5;

/// The scores of at most 30 peers, computed as that of the company. Empty if there are fewer than five. Peers with too many
/// owners to be read are left out.
pub(super) async fn scores_of_peers(
    reader: &Reader<'_>,
    company: &Company,
    scope: &OwnershipScope,
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
    let first = reader.companies.search(&wanted)?;
    let pages = first.total.div_ceil(u64::from(PageSize::FULL.get()));
    let mut peers: Vec<Uid> = Vec::new();
    for part in 0..PARTS {
        // From the first page to the last one, evenly. With fewer pages, the first ones have all companies.
        let page = 1 + part * pages.saturating_sub(1) / (PARTS - 1);
        let page =
            PageNumber::try_from(u32::try_from(page).unwrap_or(u32::MAX)).unwrap_or_default();
        let found = reader.companies.search(&CompanyQuery { page, ..wanted.clone() })?.uids;
        let others = found.into_iter().filter(|it| *it != company.uid && !peers.contains(it));
        let wanted = if pages > 1 { PEERS / PARTS as usize } else { PEERS };
        let others: Vec<Uid> = others.take(wanted).collect();
        peers.extend(others);
    }
    peers.truncate(PEERS);
    let above = reader.above(peers.iter().copied(), scope.max_depth, MAX_COMPANIES).await?;
    let score = |uid: Uid| {
        let structure = above.structure(uid, scope);
        let is_whole = structure.cut_off().is_disjoint(&above.unread);
        let resolution = Resolution::of(&structure, &scope.criteria);
        let flags = flags(&structure, &resolution);
        is_whole.then(|| opacity(&structure, &resolution, &flags).score)
    };
    let scores: Vec<u8> = peers.into_iter().filter_map(score).collect();
    Ok(if scores.len() < FEWEST { Vec::new() } else { scores })
}

//! Beneficial ownership: who owns and controls a company, through all levels of owners.
//!
//! | File | Content |
//! |---|---|
//! | `parameters` | Depth, day and thresholds of a request |
//! | `answer` | What all answers have in common |
//! | `peers` | Companies with which a company is compared |
//! | `ubo`, `trace`, `analytics` | The operations |

mod analytics;
mod answer;
mod parameters;
mod peers;
mod trace;
mod ubo;

use std::collections::BTreeMap;

use ::ownership::{Link, Party, unify};
use company_reader::owners::{Above, MAX_COMPANIES, OwnershipScope, Reader};
use domain::{Company, Uid};
use generations::Generation;
use http_service::{Description, Routes, handler, reads};
use problem_details::Problem;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(10).translated(), handler!(ubo::beneficial_owners))
        .route(reads(10).changes_nothing().translated(), handler!(trace::trace_ownership))
        .route(reads(15), handler!(analytics::ownership_analytics))
}

/// The owners of several companies, and the companies and parties among them.
pub(crate) struct OwnersOfSeveral {
    /// Links to owners, and between them.
    pub(crate) links: Vec<Link>,
    /// The companies in the register.
    pub(crate) companies: Vec<Company>,
    /// Names of the parties.
    pub(crate) names: BTreeMap<Party, String>,
    /// Whether all owners were read.
    pub(crate) is_complete: bool,
}

/// The current owners of several companies, with the depth of requests that give none.
pub(crate) async fn owners_of_several(
    state: &crate::State,
    generation: &Generation,
    uids: &[Uid],
) -> Result<OwnersOfSeveral, Problem> {
    let sources = state.sources();
    let reader = Reader::new(&sources, generation, None).await?;
    let depth = OwnershipScope::default().max_depth;
    let limit = uids.len() + MAX_COMPANIES;
    let above: Above = reader.above(uids.iter().copied(), depth, limit).await?;
    let mut links: Vec<_> = above.links.into_iter().filter(|it| it.kind.is_ownership()).collect();
    let mut profiles = above.profiles;
    // Companies are never replaced, so these stay what they are.
    unify(None, &mut links, &mut profiles);
    let names = profiles.into_iter().map(|(party, it)| (party, it.name));
    Ok(OwnersOfSeveral {
        links,
        companies: above.companies.into_values().map(|it| it.company).collect(),
        names: names.collect(),
        is_complete: above.unread.is_empty() && above.partly_read.is_empty(),
    })
}
